"""What a run writes to descriptors 1 and 2: in files, so that the last words of a process outlive it."""

from __future__ import annotations

import contextlib
import functools
import os
import platform
import re
import site
import sys
import sysconfig
import tempfile

DESCRIPTORS = (1, 2)
"""Standard output and standard error."""
WRITTEN = tuple(map(str, DESCRIPTORS))
"""Names of the files that stand for them."""
WORK = "work"
"""Folder inside the run's own that the example works in."""
MOST_OUTPUT = 65_536
"""Bytes kept of what one statement writes to one descriptor; the rest is counted."""


NOTE = 100
"""Characters by which a text that says how much of it is left out may be longer."""


class Tail:
    """The file behind one descriptor; it holds what has been written since it was last taken."""

    def __init__(self, handle: int) -> None:
        """``handle``: a descriptor of a file to read and to append to."""
        self.handle = handle

    def close(self) -> None:
        """Close the file, which keeps what it holds if it has a name."""
        os.close(self.handle)

    def take(self) -> str:
        """Text written since the last call, cut after MOST_OUTPUT bytes."""
        size = os.fstat(self.handle).st_size
        if size == 0:  # as after most statements
            return ""
        data = os.pread(self.handle, min(size, MOST_OUTPUT), 0)
        os.ftruncate(self.handle, 0)
        text = data.decode("utf-8", errors="backslashreplace")
        return text if size == len(data) else f"{text}\n[{size - len(data)} more bytes]"


def shortened(text: str) -> str:
    """Text up to MOST_OUTPUT characters, then how many are left out: a message, too, may be of any length."""
    left = len(text) - MOST_OUTPUT
    return text if left <= NOTE else f"{text[:MOST_OUTPUT]}\n[{left} more characters]"


def opened(path: str) -> int:
    """Descriptor of a file to read and to append to, made where there is none.

    Appending: two writers of one file must not overwrite each other, and a shorter file begins anew.
    """
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)


def in_memory(name: str) -> int:
    """Descriptor of such a file that lies in memory alone; AttributeError, OSError where the system has none.

    No disk need have room for it, nor be asked when it is made, shortened and gone.
    """
    made = os.memfd_create(name)
    import fcntl  # noqa: PLC0415 - Windows has none

    fcntl.fcntl(made, fcntl.F_SETFL, os.O_APPEND)
    return made


def tails_in(directory: str) -> dict[int, Tail]:
    """Files in a ``directory``, by the descriptor that each stands for."""
    paths = {
        descriptor: os.path.join(directory, name)
        for descriptor, name in zip(DESCRIPTORS, WRITTEN, strict=True)
    }
    return {descriptor: Tail(opened(path)) for descriptor, path in paths.items()}


@functools.cache
def installed() -> dict[str, str]:
    """Directories of the standard library and of packages; asked once, as sysconfig reads a large module for it."""
    paths = sysconfig.get_paths()
    packages = dict.fromkeys((paths["purelib"], paths["platlib"], *site.getsitepackages()), "site-packages")
    return {paths["stdlib"]: "lib"} | packages


def places(directory: str) -> dict[str, str]:
    """Directories of this machine and the words that stand for them in everything observed."""
    return {work_in(directory): "."} | usual(os.getcwd())


def work_in(directory: str) -> str:
    """Folder that the example of a run works in."""
    return f"{directory}{os.sep}{WORK}"


@functools.cache
def usual(checkout: str) -> dict[str, str]:
    """Those of them that are the same for every run of a ``checkout``."""
    interpreter = {sys.executable: "python", sys.prefix: "prefix", sys.base_prefix: "prefix"}
    home = {os.path.expanduser("~"): "~", checkout: "checkout"}
    # Windows has no list of users, and a container's user may not be on it.
    with contextlib.suppress(ImportError, KeyError):
        import pwd  # noqa: PLC0415

        home.setdefault(pwd.getpwuid(os.getuid()).pw_dir, "~")
    host = {name: "host" for name in [platform.node()] if re.search(r"\d|-", name)}  # not what may be a word
    found = host | home | {tempfile.gettempdir(): "tmp"} | interpreter | installed()
    return {place: word for place, word in found.items() if len(place) > 1}
