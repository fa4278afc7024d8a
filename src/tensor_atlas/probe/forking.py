"""Fresh processes, forked from one that has imported what all of them need; only where processes can fork.

The fork server of multiprocessing forks just as well, but what it forks first makes a process object, reads how the
program was started, and looks for its main module: a sixth of the time that a short example takes.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import os
import pickle
import signal
import socket
import struct
import subprocess
import sys
import warnings
from collections.abc import Callable
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

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
LOST = 255
"""Exit code of a process of which nothing is heard any more, as multiprocessing has it."""
_ZYGOTE = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from tensor_atlas.probe.forking import descriptors
given = descriptors()
from tensor_atlas.probe.zygote import main
main(int(sys.argv[2]), sys.argv[3], given)
"""


def descriptors() -> frozenset[int]:
    """Open descriptors of this process; none where the system does not list them."""
    found = set()
    with contextlib.suppress(OSError):
        for path in Path("/proc/self/fd").iterdir():
            with contextlib.suppress(OSError):  # the list itself was one
                os.fstat(int(path.name))
                found.add(int(path.name))
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
    """The system makes no more processes."""


class Forks:
    """Forks processes from one that it starts, and starts again when that has died: the zygote."""

    def __init__(self) -> None:
        self._zygote = 0
        self._folder: Path | None = None
        self._line: socket.socket | None = None

    def start(self, folder: Path | None = None) -> None:
        """Start the process that is forked from, unless it runs; it ends with this one.

        Processes begin in ``folder``, or in the working directory: it is another process where that is another.
        """
        folder = Path.cwd() if folder is None else folder
        if self._line is not None and self._folder == folder and self._runs():
            return
        self.end()
        self._folder = folder
        self._line, theirs = socket.socketpair()
        os.set_inheritable(theirs.fileno(), True)  # noqa: FBT003 - it takes no name
        flags = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]  # noqa: SLF001
        given = json.dumps(sys.path), str(theirs.fileno()), str(folder)
        command = [sys.executable, *flags, "-c", _ZYGOTE, *given]
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
        return Forked(self, target, args)

    def fork(self, payload: bytes, descriptors: list[int]) -> int | None:
        """Number of a new process that has got both, None where the zygote has died; ForkError where it cannot."""
        answer = self._ask(payload, descriptors) or self._ask(payload, descriptors)  # it may just have died
        if not answer:
            return None
        number = int(NUMBER.unpack(answer)[0])
        if number < 0:
            reason = os.strerror(-number)
            raise ForkError(f"no process could be started: {reason}\n    end other programs, or ask for fewer --jobs")
        return number

    def _ask(self, payload: bytes, descriptors: list[int]) -> bytes:
        """What the zygote answers; nothing where it has died, and the next one to be asked is a new one."""
        self.start(self._folder)
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
            with contextlib.suppress(OSError):  # it has died: what is made in its place imports no more than it did
                self._line.sendall(IMPORT)

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


class Forked:
    """One process, as multiprocessing shows those that it makes."""

    def __init__(self, forks: Forks, target: Callable[..., None], args: tuple[Any, ...]) -> None:
        self._forks = forks
        self._work = target, args
        self._code: int | None = None
        self.pid: int | None = None
        self.sentinel, self._teller = Pipe(duplex=False)
        """Something to wait for: ready when the process has ended."""

    def start(self) -> None:
        """Let it begin; ForkError where the system makes no more processes."""
        target, args = self._work
        given = [end for end in args if isinstance(end, Connection)]
        payload = pickle.dumps((target, args[: len(args) - len(given)]))
        self.pid = self._forks.fork(payload, [end.fileno() for end in (self._teller, *given)])
        self._teller.close()

    @property
    def exitcode(self) -> int | None:
        """None while it runs; negative for a signal."""
        if self._code is None and wait([self.sentinel], timeout=0):
            try:
                (self._code,) = NUMBER.unpack(self.sentinel.recv_bytes())
            except (EOFError, OSError):  # the zygote has died, and with it whatever it has forked
                self._code = LOST
        return self._code

    def is_alive(self) -> bool:
        """Whether it runs."""
        return self.exitcode is None

    def join(self, timeout: float | None = None) -> None:
        """Wait until it has ended, for so many seconds at most."""
        if self._code is None:
            wait([self.sentinel], timeout)

    def kill(self) -> None:
        """End it if it runs."""
        if self.pid and self.exitcode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
