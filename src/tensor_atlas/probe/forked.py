"""A fresh process, forked from the one that ``forking`` starts, as multiprocessing shows those that it makes."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
from collections.abc import Callable
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Any

from tensor_atlas.probe.forking import NUMBER, Forks

LOST = 255
"""Exit code of a process of which nothing is heard any more, as multiprocessing has it."""


class Forked:
    """One process."""

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
