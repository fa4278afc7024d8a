"""What a run writes to descriptors 1 and 2: in files, so that the last words of a process outlive it."""

from __future__ import annotations

import os
import site
import sys
import sysconfig
import tempfile
from functools import cache

WORK = "work"
"""Folder inside the run's own that the example works in."""
MOST_OUTPUT = 65_536
"""Bytes kept of what one statement writes to one descriptor; the rest is counted."""


class Tail:
    """The file behind one descriptor; it holds what has been written since it was last taken."""

    def __init__(self, directory: str, descriptor: int) -> None:
        """Open, or make, the file that stands for ``descriptor`` in the run's ``directory``."""
        path = os.path.join(directory, str(descriptor))
        # Appending: two writers of one file must not overwrite each other, and a shorter file begins anew.
        self.handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)

    def take(self) -> str:
        """Text written since the last call, cut after MOST_OUTPUT bytes."""
        size = os.fstat(self.handle).st_size
        data = os.pread(self.handle, min(size, MOST_OUTPUT), 0)
        os.ftruncate(self.handle, 0)
        text = data.decode("utf-8", errors="backslashreplace")
        return text if size == len(data) else f"{text}\n[{size - len(data)} more bytes]"


def last_words(directory: str) -> tuple[str, str]:
    """What a process that ended without a word had written to descriptors 1 and 2 and nobody had taken."""
    found = []
    for descriptor in (1, 2):
        tail = Tail(directory, descriptor)
        found.append(tail.take())
        os.close(tail.handle)
    return found[0], found[1]


def places(directory: str) -> dict[str, str]:
    """Directories of this machine and the words that stand for them in everything observed."""
    temporary = {tempfile.gettempdir(): "tmp", os.path.join(directory, WORK): "."}
    home = {os.path.expanduser("~"): "~", os.getcwd(): "checkout"}
    found = home | temporary | installed()
    return {place: word for place, word in found.items() if len(place) > 1}


@cache
def installed() -> dict[str, str]:
    """Directories of the interpreter and its packages, and the words for them; they stay where they are."""
    packages = {sysconfig.get_path("purelib"): "site-packages", sysconfig.get_path("platlib"): "site-packages"}
    packages |= dict.fromkeys(site.getsitepackages(), "site-packages")
    standard = {sysconfig.get_path("stdlib"): "lib"}
    interpreter = {sys.executable: "python", sys.prefix: "prefix", sys.base_prefix: "prefix"}
    return interpreter | standard | packages
