"""Which scripts are examples, what they are called, and how bad ones are refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from samples import CASES, HEAD, ROOT

from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.files import find_scripts, read_examples


def written(folder: Path, *names: str) -> Path:
    """``folder`` with an example under each of ``names``."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HEAD + "value = 1\n", encoding="utf-8")
    return folder


def test_examples_are_found_in_order_of_name(tmp_path: Path) -> None:
    """Every chapter's scripts; not sphinx-gallery's own, nor hidden ones."""
    names = [
        "02_y/a.py",
        "01_x/b.py",
        "01_x/a.py",
        "01_x/plot_c.py",
        "01_x/.e.py",
        "01_x/.old/f.py",
        "01_x/notes.txt",
    ]
    folder = written(tmp_path, *names)
    found = find_scripts([folder])
    assert [path.relative_to(folder).as_posix() for path in found] == ["01_x/a.py", "01_x/b.py", "02_y/a.py"]


def test_example_that_is_named_twice_runs_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script and the folder it lies in, whichever way they are spelled."""
    folder = written(tmp_path, "01_x/a.py", "01_x/b.py")
    monkeypatch.chdir(folder)
    assert len(find_scripts([folder / "01_x" / "b.py", folder, Path("01_x/a.py")])) == 2


def test_example_that_is_linked_to_runs_once(tmp_path: Path) -> None:
    """By its own name, whether the link is a file or a folder."""
    folder = written(tmp_path, "01_x/a.py", "01_x/b.py")
    (folder / "02_y").mkdir()
    (folder / "02_y" / "c.py").symlink_to(folder / "01_x" / "a.py")
    (folder / "03_z").symlink_to(folder / "01_x")
    found = read_examples([folder, folder / "03_z" / "b.py"], tmp_path)
    assert [example.name for example in found] == ["01_x/a", "01_x/b"]


@pytest.mark.parametrize(("path", "words"), [("nowhere", "no such file or folder"), ("", "no example")])
def test_nothing_to_run_is_no_success(tmp_path: Path, path: str, words: str) -> None:
    """Neither a typing error nor an empty folder."""
    with pytest.raises(AtlasError, match=words):
        find_scripts([tmp_path / path])


@pytest.mark.parametrize("misplaced", ["examples/top.py", "examples/01_x/sub/b.py"])
def test_example_outside_a_chapter_is_refused(tmp_path: Path, misplaced: str) -> None:
    """Its name would hold a chapter that the site does not have."""
    folder = written(tmp_path, "examples/01_x/a.py", misplaced) / "examples"
    with pytest.raises(AtlasError) as caught:
        find_scripts([folder, folder / "01_x" / "a.py"])
    where, remedy = str(caught.value).split("\n")
    assert where.startswith(f"{tmp_path / misplaced}  ")
    assert remedy == "    put it in examples/<chapter>/"


def test_chapter_and_file_may_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the whole of ``examples`` needs to run."""
    folder = written(tmp_path, "examples/01_x/a.py", "examples/01_x/b.py")
    assert len(find_scripts([folder / "examples" / "01_x"])) == 2
    assert len(find_scripts([folder / "examples" / "01_x" / "a.py"])) == 1
    written(tmp_path, "examples/top.py")
    monkeypatch.chdir(folder / "examples")
    with pytest.raises(AtlasError, match="outside a chapter"):
        find_scripts([Path("top.py")])


@pytest.mark.parametrize("named", ["01_x", "01_x/_a.py"])
def test_underscored_example_is_refused(tmp_path: Path, named: str) -> None:
    """sphinx-gallery publishes it: it must not be left out of what runs."""
    folder = written(tmp_path, "01_x/_a.py", "01_x/b.py")
    with pytest.raises(AtlasError) as caught:
        find_scripts([folder / named])
    where, remedy = str(caught.value).split("\n")
    assert where.startswith(f"{folder / '01_x' / '_a.py'}  ")
    assert remedy == "    rename it"


def test_name_holds_the_chapter_wherever_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From inside a chapter's folder an example has the name it has from outside."""
    folder = written(tmp_path, "examples/01_x/a.py")
    monkeypatch.chdir(folder / "examples" / "01_x")
    (inside,) = read_examples([Path("a.py")], Path.cwd())
    (outside,) = read_examples([Path("a.py")], folder)
    assert (inside.name, outside.name) == ("01_x/a", "01_x/a")
    assert outside.path == "examples/01_x/a.py"
    monkeypatch.chdir(folder)
    assert read_examples([Path("examples")], folder) == [outside]


def test_two_examples_of_one_name_are_refused(tmp_path: Path) -> None:
    """One would hide the other."""
    folder = written(tmp_path, "a/01_x/a.py", "b/01_x/a.py")
    with pytest.raises(AtlasError, match=r"b/01_x/a\.py  has the name of a/01_x/a\.py"):
        read_examples([folder / "a", folder / "b"], folder)


def test_library_that_no_tag_declares_is_refused(tmp_path: Path) -> None:
    """Without it the example would fail, and nothing would say why; a script beside it is no library."""
    folder = written(tmp_path, "01_x/a.py", "01_x/b.py")
    path = folder / "01_x" / "a.py"
    path.write_text(path.read_text(encoding="utf-8") + "import b\nimport duckdb\n", encoding="utf-8")
    with pytest.raises(AtlasError, match=r"01_x/a\.py:\d+  imports duckdb, which no tag declares") as caught:
        read_examples([folder], tmp_path)
    assert "imports b," not in str(caught.value)


def test_every_unreadable_example_is_named() -> None:
    """One message for all, each with file and line."""
    with pytest.raises(AtlasError) as caught:
        read_examples([CASES / "unreadable"], ROOT)
    message = str(caught.value)
    for path in (CASES / "unreadable").glob("*.py"):
        assert f"tests/cases/unreadable/{path.name}:" in message


@pytest.mark.parametrize("kind", ["folder", "dangling link", "pipe"])
def test_script_that_is_no_regular_file_is_refused(tmp_path: Path, kind: str) -> None:
    """Reading a pipe would wait for ever."""
    folder = written(tmp_path, "01_x/a.py")
    path = folder / "01_x" / "d.py"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(folder / "nowhere")
    with pytest.raises(AtlasError, match=r"01_x/d\.py:1  not a regular file"):
        read_examples([folder], folder)
