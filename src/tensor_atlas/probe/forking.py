"""Starts the process that fresh ones are forked from, and asks it for them; only where processes can fork.

The fork server of multiprocessing forks just as well, but what it forks first makes a process object, reads how the
program was started, and looks for its main module: a sixth of the time that a short example takes.

Imports little: what is forked from imports torch, and a program that will need it starts it before all else.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import functools
import os
import signal
import socket
import struct
import subprocess
import sys
import warnings

TYPE_CHECKING = False  # as typing has it, which takes as long to import as half of what is imported here
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tensor_atlas.probe.forked import Forked

HUGE_PAGES = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
"""What makes glibc ask for huge pages, where it knows how: to move to them what it has made takes half a second."""
CAN_FORK = hasattr(os, "fork")
"""Whether there are such processes here."""
FORK_WARNS = sys.version_info >= (3, 12)
"""Whether Python warns of threads at a fork."""
NUMBER = struct.Struct("!i")
"""How zygote and starter tell each other a number: the length of what follows, a process, an exit code."""
IMPORT = NUMBER.pack(0)
"""A request without a payload: that the zygote import what several processes lacked. It has no answer."""
_ZYGOTE = """
from tensor_atlas.probe.forking import descriptors
given = descriptors()
from tensor_atlas.probe.zygote import main
main(int(sys.argv[1]), sys.argv[2], given)
"""


def descriptors() -> frozenset[int]:
    """Open descriptors of this process; none where the system does not list them."""
    found = set()
    with contextlib.suppress(OSError):
        for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 - pathlib is imported later
            with contextlib.suppress(OSError):  # the list itself was one
                os.fstat(int(name))
                found.add(int(name))
    return frozenset(found)


def fork() -> int:
    """As ``os.fork``, which from Python 3.12 on warns here each time of threads that no fork takes along.

    They are those of libraries, which have their own handlers for a fork, and none runs a line of Python. Where Python
    does not warn it is not kept from it either: that has the zygote copy some thirty pages more for each example.
    """
    if not FORK_WARNS:
        return os.fork()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return os.fork()


@functools.cache
def forks() -> Forks:
    """The one of this process."""
    found = Forks()
    atexit.register(found.leave)
    return found


class ForkError(Exception):
    """The system makes no more processes, or lacks what one of them needs."""


def lacking(error: OSError) -> ForkError:
    """What to raise where a process could not be made, or not be given its files, or a folder to work in."""
    reason = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if error.errno in (errno.EMFILE, errno.ENFILE):
        remedy = "let more files be open, or ask for fewer --jobs"
    elif error.errno in (errno.EAGAIN, errno.ENOMEM):
        remedy = "end other programs, or ask for fewer --jobs"
    else:
        remedy = "make room there, or let TMPDIR name another folder"
    return ForkError(f"no process could be started: {reason}\n    {remedy}")


class Forks:
    """Forks processes from one that it starts, and starts again when that has died: the zygote."""

    def __init__(self) -> None:
        self._zygote = 0
        self._folder: str | None = None
        self._line: socket.socket | None = None
        self._was_asked = False

    def start(self, folder: str | os.PathLike[str] | None = None) -> None:
        """Start the process that is forked from, unless it runs; it ends with this one.

        Processes begin in ``folder``, or in the working directory: it is another process where that is another.
        """
        folder = os.getcwd() if folder is None else os.fspath(folder)
        if self._line is not None and self._folder == folder and self._runs():
            return
        self.end()
        self._folder, self._was_asked = folder, False
        self._line, theirs = socket.socketpair()
        os.set_inheritable(theirs.fileno(), True)  # noqa: FBT003 - it takes no name
        flags = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]  # noqa: SLF001
        program = f"import sys\nsys.path[:] = {sys.path!a}\n{_ZYGOTE}"
        command = [sys.executable, *flags, "-c", program, str(theirs.fileno()), folder]
        # Unless whoever called has tuned glibc otherwise. An interrupt is for this process: until the zygote can ignore
        # it, it does not come through.
        surroundings = HUGE_PAGES | os.environ
        self._zygote = os.posix_spawn(sys.executable, command, surroundings, setsigmask=[signal.SIGINT])
        theirs.close()

    def _runs(self) -> bool:
        with contextlib.suppress(ChildProcessError):  # another process's, if this one is itself a fork
            if os.waitpid(self._zygote, os.WNOHANG) == (0, 0):
                return True
        self._zygote = 0
        return False

    def Process(self, target: Callable[..., None], args: tuple[Any, ...] = ()) -> Forked:  # noqa: N802
        """A process that will call ``target``, named as in multiprocessing's contexts.

        The last of ``args`` may be Connections, which the process gets to itself; the others are pickled.
        """
        from tensor_atlas.probe.forked import Forked  # noqa: PLC0415 - see above

        return Forked(self, target, args)

    def fork(self, payload: bytes, descriptors: list[int]) -> int | None:
        """Number of a new process that has got both, None where the zygote has died; ForkError where it cannot."""
        answer = self._ask(payload, descriptors) or self._ask(payload, descriptors)  # it may just have died
        if not answer:
            return None
        number = int(NUMBER.unpack(answer)[0])
        if number < 0:
            raise lacking(OSError(-number, os.strerror(-number)))
        return number

    def _ask(self, payload: bytes, descriptors: list[int]) -> bytes:
        """What the zygote answers; nothing where it has died, and the next one to be asked is a new one."""
        self.start(self._folder)
        self._was_asked = True
        assert self._line is not None
        try:
            socket.send_fds(self._line, [NUMBER.pack(len(payload))], descriptors)
            self._line.sendall(payload)
            answer = self._line.recv(NUMBER.size, socket.MSG_WAITALL)
        except OSError:
            answer = b""
        if len(answer) == NUMBER.size:
            return answer
        self.end()
        return b""

    def spare(self) -> None:
        """Let processes to come find imported what several before them had to import."""
        if self._line is not None:
            with contextlib.suppress(
                OSError
            ):  # it has died: what is made in its place imports no more than it did
                self._line.sendall(IMPORT)

    def end_unless_asked(self) -> None:
        """End the process that is forked from, where it was started and nobody has asked it for one yet."""
        if not self._was_asked:
            self.end()

    def leave(self) -> None:
        """Let the process that is forked from end by itself, which it does when nobody can ask it any more."""
        if self._line is not None:
            self._line.close()

    def end(self) -> None:
        """End the process that is forked from, and with it those it has forked, and wait until it is gone."""
        if self._line is not None:
            self._line.close()
            self._line = None
        if self._zygote and self._runs():
            os.kill(self._zygote, signal.SIGKILL)  # it may be importing torch
            os.waitpid(self._zygote, 0)
        self._zygote = 0
