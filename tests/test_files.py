"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tensor_atlas.errors import AtlasError
from tensor_atlas.files import (
    describe_unreadable,
    lock_folder,
    read_regular,
    refuse_unwritable,
    replace_file,
    replace_if_changed,
    share_folder,
)

LONG_AGO = 1_000_000_000
"""Seconds since 1970."""


def test_new_file_is_written_with_its_folders(tmp_path: Path) -> None:
    """Text as UTF-8, bytes as they are, and nothing else is left beside it."""
    replace_file(tmp_path / "a" / "b" / "text", "≡\n")
    replace_file(tmp_path / "a" / "b" / "bytes", b"\xff")
    assert (tmp_path / "a" / "b" / "text").read_bytes() == "≡\n".encode()
    assert (tmp_path / "a" / "b" / "bytes").read_bytes() == b"\xff"
    assert sorted(path.name for path in (tmp_path / "a" / "b").iterdir()) == ["bytes", "text"]


def test_replaced_file_keeps_its_mode(tmp_path: Path) -> None:
    """A script stays executable."""
    path = tmp_path / "script"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o750)
    replace_file(path, "new")
    assert (path.read_text(encoding="utf-8"), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o750)


def test_file_that_cannot_be_written_is_reported_and_nothing_is_left(tmp_path: Path) -> None:
    """A folder in its place stays, and so does what is in it."""
    (tmp_path / "taken" / "inside").mkdir(parents=True)
    with pytest.raises(AtlasError, match="cannot be written: Is a directory"):
        replace_file(tmp_path / "taken", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_changed_file_is_written(tmp_path: Path) -> None:
    """So is a missing one."""
    path = tmp_path / "page"
    replace_if_changed(path, "old")
    assert path.read_bytes() == b"old"
    replace_if_changed(path, b"new")
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("content", ["same ≡", "same ≡".encode()])
def test_unchanged_file_keeps_its_date(tmp_path: Path, content: str | bytes) -> None:
    """What reads the site by date of its files finds nothing new."""
    path = tmp_path / "page"
    path.write_text("same ≡", encoding="utf-8")
    os.utime(path, (LONG_AGO, LONG_AGO))
    replace_if_changed(path, content)
    assert path.stat().st_mtime == LONG_AGO


def test_folder_in_place_of_an_output_is_refused_before_work(tmp_path: Path) -> None:
    """A file that can be written is not made by asking, though its folder is."""
    for _ in range(2):
        refuse_unwritable(tmp_path / "new" / "folder" / "capture.json")
        assert list((tmp_path / "new" / "folder").iterdir()) == []
    with pytest.raises(AtlasError, match="is a folder"):
        refuse_unwritable(tmp_path)


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    """A named pipe without a writer would be waited for."""
    (tmp_path / "text").write_text("≡", encoding="utf-8")
    os.mkfifo(tmp_path / "pipe")
    assert read_regular(tmp_path / "text") == "≡"
    for name in ("pipe", "none"):
        with pytest.raises(FileNotFoundError, match="missing, or not a regular file") as caught:
            read_regular(tmp_path / name)
        error = describe_unreadable(caught.value)
        assert str(error).startswith(f"{tmp_path / name}  cannot be read: missing")


def test_folder_that_this_process_locked_can_be_read_in_it(tmp_path: Path) -> None:
    """Else it would wait for itself; a folder that does not exist needs no lock."""
    with lock_folder(tmp_path / "records"):
        assert (tmp_path / "records").is_dir()
        with share_folder(tmp_path / "records"), share_folder(tmp_path / "none"):
            pass
    with share_folder(tmp_path / "records"), share_folder(tmp_path / "records"):
        pass


def test_folder_to_lock_is_made_with_those_above_it(tmp_path: Path) -> None:
    """The first time; the next one finds it."""
    folder = tmp_path / "docs" / "records"
    for _ in range(2):
        with lock_folder(folder):
            assert folder.is_dir()


def test_locked_folder_is_nobody_elses(tmp_path: Path) -> None:
    """By the system's lock, which another process takes, too; afterwards it is free."""
    fcntl = pytest.importorskip("fcntl", reason="Windows has no such locks")
    handle = os.open(tmp_path, os.O_RDONLY)
    try:
        with lock_folder(tmp_path), pytest.raises(BlockingIOError):
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(handle)


def test_notice_is_printed_only_while_another_holds_the_lock(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a folder that is free nothing is said."""
    with lock_folder(tmp_path, "waiting"):
        pass
    assert capsys.readouterr().err == ""
