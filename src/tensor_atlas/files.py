"""Files that are written whole or not at all, by one at a time; what stands in them, others say."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tensor_atlas.errors import AtlasError

try:
    import fcntl

    _HAS_LOCKS = True
except ImportError:  # Windows
    _HAS_LOCKS = False

REMEDY = (
    "make room, or make it a place you may write to, and run this again: what was there before is still there"
)


def replace_file(path: Path, content: str | bytes) -> None:
    """Replace a file in one step, so that no reader finds half of it, and keep its mode.

    AtlasError if it cannot be written.
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    with report_unwritable(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            partial.write_bytes(_encode(content))
            if path.exists():
                partial.chmod(stat.S_IMODE(path.stat().st_mode))
            partial.replace(path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise


def refuse_unwritable(path: Path) -> None:
    """AtlasError where a file cannot be written, before work is done for it; makes its folder."""
    with report_unwritable(path):
        if path.is_dir():
            raise AtlasError(str(path), "is a folder", "name a file")
        partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.touch()
        partial.unlink()


def replace_if_changed(path: Path, content: str | bytes) -> None:
    """Write a file as ``replace_file`` does, unless it holds ``content`` already: then it keeps its date."""
    if not path.is_file() or path.read_bytes() != _encode(content):
        replace_file(path, content)


def _encode(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


def read_regular(path: Path) -> str:
    """Text of a regular file; OSError for anything else: whoever reads a named pipe may wait for ever."""
    if not path.is_file():
        raise FileNotFoundError(errno.ENOENT, "missing, or not a regular file", str(path))
    return path.read_text(encoding="utf-8")


def describe_unreadable(error: OSError, path: Path | None = None) -> AtlasError:
    """The message for a file that the system refuses to read; ``path`` where the error does not name it."""
    is_gone = error.errno == errno.ENOENT  # another command has just replaced or removed it
    remedy = "run this again" if is_gone else "make it readable for this user, and run this again"
    return AtlasError(str(path or error.filename), f"cannot be read: {error.strerror or error}", remedy)


@contextlib.contextmanager
def report_unwritable(path: Path) -> Iterator[None]:
    """AtlasError that names ``path`` where the disk is full, or the place may not be written to."""
    try:
        yield
    except OSError as error:
        raise AtlasError(str(path), f"cannot be written: {error.strerror or error}", REMEDY) from None


_held: set[Path] = set()
"""Folders that this process has locked for itself."""


@contextlib.contextmanager
def share_folder(folder: Path, notice: str = "") -> Iterator[None]:
    """The folder as no ``lock_folder`` of another process changes it; that of one's own goes on.

    Whoever waits long for it prints ``notice``, if there is one.
    """
    place = folder.resolve()
    if not _HAS_LOCKS or place in _held or not place.is_dir():
        yield
        return
    try:
        handle = os.open(place, os.O_RDONLY)
    except OSError:  # whoever reads it reports the error
        yield
        return
    try:
        _wait_for_lock(handle, fcntl.LOCK_SH, notice)
        yield
    finally:
        os.close(handle)


@contextlib.contextmanager
def lock_folder(folder: Path, notice: str = "") -> Iterator[None]:
    """The folder for one process at a time; one that waits long prints ``notice``, if there is one."""
    with report_unwritable(folder):
        folder.mkdir(parents=True, exist_ok=True)
    if not _HAS_LOCKS:
        yield
        return
    place = folder.resolve()
    handle = os.open(folder, os.O_RDONLY)  # the lock leaves no file behind, and ends with the process
    try:
        _wait_for_lock(handle, fcntl.LOCK_EX, notice)
        _held.add(place)
        yield
    finally:
        _held.discard(place)
        os.close(handle)


PATIENCE = 1.0
"""Seconds for which nobody is told that a command waits for another."""


def _wait_for_lock(handle: int, kind: int, notice: str) -> None:
    """Take a lock; say so where that takes long. Some network file systems know no locks."""
    deadline = time.monotonic() + PATIENCE
    with contextlib.suppress(OSError):
        while notice and not _try_lock(handle, kind):
            if time.monotonic() > deadline:
                print(notice, file=sys.stderr, flush=True)
                break
            time.sleep(0.02)
        fcntl.flock(handle, kind)


def _try_lock(handle: int, kind: int) -> bool:
    """Whether nobody else held the lock; then it is taken."""
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
