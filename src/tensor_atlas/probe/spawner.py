"""Spawner: starts a fresh interpreter for each example or batch of cells, where no process can be forked.

That is Windows. Each interpreter imports torch anew, for a second or two; from there on it does what a forked
process does.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from multiprocessing.connection import Connection, Pipe
from threading import Thread
from typing import NoReturn, TypeAlias

from tensor_atlas.probe.forkserver import (
    PRELOAD,
    ForkedProcess,
    ForkServer,
    call_and_exit,
    fork_server,
    prepare,
)
from tensor_atlas.probe.sandbox import end_with_parent, kept_variables

VARIABLE = "TENSOR_ATLAS_SPAWN"
"""Environment variable that asks for fresh interpreters where processes could be forked."""
_INTERPRETER = (
    "import sys; sys.path[:] = {path!a}; "
    "from tensor_atlas.probe.ending import register_last; register_last(); "
    "from tensor_atlas.probe.spawner import main; main({names!r})"
)


@contextlib.contextmanager
def process_server(*more: str) -> Iterator[Server]:
    """What starts processes that have imported the modules PRELOAD and ``more``, until it is left."""
    if hasattr(os, "fork") and not os.environ.get(VARIABLE):
        with fork_server(*more) as server:
            yield server
    else:
        yield Spawner((*PRELOAD, *more))


class Spawner:
    """Starts interpreters; used as a ForkServer is."""

    def __init__(self, preload: Sequence[str]) -> None:
        self._preload = tuple(preload)

    def spawn(self, target: Callable[..., None], *arguments: object) -> SpawnedProcess:
        """A process that calls ``target(*arguments)``, all of which can be pickled.

        OSError where the system has no more processes or files.
        """
        code = _INTERPRETER.format(path=sys.path, names=self._preload)
        ends = Pipe(duplex=False)
        with tempfile.TemporaryFile() as task:  # unlike a pipe, it takes a task of any size at once
            pickle.dump((target, arguments), task)
            task.seek(0)
            command = [sys.executable, "-c", code]
            child = subprocess.Popen(command, stdin=task, stdout=subprocess.PIPE, env=kept_variables())
        return SpawnedProcess(child, *ends)

    def resume(self) -> None:
        """Nothing: no example can stop a server that is not there."""


class SpawnedProcess(ForkedProcess):
    """A process of its own interpreter, used as a forked one is."""

    def __init__(self, child: subprocess.Popen[bytes], sentinel: Connection, end: Connection) -> None:
        super().__init__(child.pid, sentinel)
        self.ready_at = None
        Thread(target=self._watch, args=(child, end), daemon=True).start()

    def _watch(self, child: subprocess.Popen[bytes], end: Connection) -> None:
        """In a thread: note when the process is ready, and report its exit code."""
        assert child.stdout is not None
        with child.stdout, end, contextlib.suppress(OSError):  # nobody listens any more
            if child.stdout.read(1):
                self.ready_at = time.monotonic()
            end.send(child.wait())


Server: TypeAlias = ForkServer | Spawner


# --- in the interpreter ------------------------------------------------------------------------------


def main(preload: Sequence[str]) -> NoReturn:
    """Import ``preload``, say so on standard output, then do the task that standard input holds."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever is interrupted kills this process
    target, arguments = pickle.load(sys.stdin.buffer)  # noqa: S301 - the probe wrote it
    prepare(preload)
    os.write(1, b"\0")  # raises where the probe has ended
    os.dup2(2, 1)
    call_and_exit(partial(target, *arguments))
