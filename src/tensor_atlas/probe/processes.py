"""Runs functions in fresh processes, several at a time; what each emits and writes outlives it in files.

Examples and batches of cells run here alike. Nothing of a process is read before it ends: the machine is busy
enough.
"""

from __future__ import annotations

import contextlib
import errno
import os
import pickle
import shutil
import signal
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from multiprocessing.connection import wait
from typing import Any, BinaryIO, TypeAlias

from tensor_atlas.errors import AtlasError
from tensor_atlas.model.cells import Cell, Outcome, Proof
from tensor_atlas.model.names import NameAnswer
from tensor_atlas.model.runs import (
    Buffer,
    Environment,
    Observation,
    Raised,
    Snapshot,
    Status,
    Unmade,
    Value,
    Warned,
)
from tensor_atlas.probe.forkserver import START_TIMEOUT, ForkedProcess, ServerLostError
from tensor_atlas.probe.output import OutputFile, open_output, work_folder
from tensor_atlas.probe.sandbox import KILL, adopt_orphans, enter_sandbox, has_ended, kill_orphans
from tensor_atlas.probe.spawner import Server

Emit: TypeAlias = Callable[[object], None]
"""Writes one event to the file that is read when the process has ended."""

_EVENTS = "events"
_RESUME_AFTER = 1.0
"""Seconds without an end after which the fork server is made to go on."""
_BROKEN = (
    AttributeError,
    EOFError,
    LookupError,
    MemoryError,
    OverflowError,
    TypeError,
    ValueError,
    pickle.UnpicklingError,
)
"""What reading a broken event raises: a process can die while it writes one, and an example can write there
too."""


@dataclass(frozen=True)
class Task:
    """Something to do in a fresh process."""

    function: Callable[..., None]
    """Called as ``function(*arguments, directory, emit)``; found by its name in the process."""
    arguments: tuple[Any, ...]
    """What can be pickled."""
    timeout: float
    """Seconds it may take; of a batch, seconds without an event."""
    is_batch: bool = False
    """Whether each event is a piece of the work, and gives time for the next."""


@dataclass(frozen=True)
class Ended:
    """What is left of a process."""

    task: Task
    events: list[object]
    """What it emitted, in order."""
    exitcode: int | None
    """Negative for a signal."""
    is_late: bool
    """Whether it was killed because it took too long."""
    directory: str
    """Path of the folder of the run, which is gone."""
    output: dict[int, str]
    """What it had written to descriptors 1 and 2 since its last event, not normalised."""
    seconds: float
    """Wall time, from when the process was ready."""

    def describe(self) -> tuple[Status, str]:
        """How a process ended that did not say so itself: the signal that killed it, or its exit code."""
        if self.is_late:
            return Status.TIMED_OUT, f"no end after {self.task.timeout:g} s"
        if self.exitcode is not None and self.exitcode < 0:
            return Status.CRASHED, _signal_name(-self.exitcode)
        return Status.EXITED, f"the process ended without a word, exit code {self.exitcode}"


def run_processes(tasks: deque[Task], at_a_time: int, server: Server) -> Iterator[Ended]:
    """Run all ``tasks``, to which the caller may add; in order of completion.

    AtlasError where none can be started. Interrupted or not, no process and no folder is left behind.
    """
    adopt_orphans()
    running: list[_Running] = []
    # One folder around those of the processes: an interrupt may come before a new one is known here.
    with _make_folder() as folder:
        try:
            while tasks or running:
                while tasks and len(running) < at_a_time:
                    running.append(_start(tasks.popleft(), server, folder))
                for each, is_late in _wait(running, server):
                    running.remove(each)
                    yield _finish(each, is_late=is_late)
        finally:
            for each in running:
                _kill_session(each.process)
            kill_orphans()
            for each in running:
                each.close()


# --- in the parent -----------------------------------------------------------------------------------


@dataclass
class _Running:
    task: Task
    process: ForkedProcess
    folder: str
    events: BinaryIO
    """The file of events; open, as an example can remove the folder that it lies in."""
    output: dict[int, OutputFile]
    """Likewise."""
    started: float
    deadline: float
    is_ready: bool = False
    """Whether the deadline counts from when it was ready: until then it imports."""
    event_count: int = 0
    """How many had been emitted when the deadline was set."""

    def note_ready(self) -> None:
        """Let the time of the task begin when the process is ready."""
        if not self.is_ready and self.process.ready_at is not None:
            self.is_ready = True
            self.started = self.process.ready_at
            self.deadline = self.started + self.task.timeout

    def close(self) -> None:
        """Close the files, and remove the folder."""
        self.events.close()
        for file in self.output.values():
            file.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def _make_folder() -> tempfile.TemporaryDirectory[str]:
    try:
        return tempfile.TemporaryDirectory(prefix="tensor-atlas-", ignore_cleanup_errors=True)
    except OSError as error:
        raise _process_error(error) from None


def _start(task: Task, server: Server, parent: str) -> _Running:
    """Start a task; AtlasError where that fails, at the second try if the fork server was lost."""
    try:
        with contextlib.suppress(ServerLostError):
            return _start_once(task, server, parent)
        # With a folder of its own: what the lost server has forked may still write to the first.
        return _start_once(task, server, parent)
    except OSError as error:
        raise _process_error(error) from None


def _start_once(task: Task, server: Server, parent: str) -> _Running:
    with contextlib.ExitStack() as undo:
        folder = tempfile.mkdtemp(prefix="", dir=parent)
        os.mkdir(work_folder(folder))
        events = undo.enter_context(open(os.path.join(folder, _EVENTS), "w+b"))
        output = open_output(folder)
        for file in output.values():
            undo.callback(file.close)
        process = server.spawn(_run_task, task.function, task.arguments, folder)
        undo.pop_all()
    now = time.monotonic()
    return _Running(task, process, folder, events, output, now, now + START_TIMEOUT)


def _process_error(error: OSError) -> AtlasError:
    reason = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if error.errno in (errno.EMFILE, errno.ENFILE):
        remedy = "raise the limit of open files (ulimit -n), or ask for fewer --jobs"
    elif error.errno in (errno.EAGAIN, errno.ENOMEM):
        remedy = "end other programs, or ask for fewer --jobs"
    else:
        remedy = "make room there, or let TMPDIR name another folder"
    return AtlasError(f"no process could be started: {reason}\n    {remedy}")


def _wait(running: Sequence[_Running], server: Server) -> Iterator[tuple[_Running, bool]]:
    """Those that have ended, and those that are late, which is said beside.

    An example can stop the fork server, which reports the ends: it is made to go on once in a while.
    """
    for each in running:
        each.note_ready()
    pause = max(0.0, min(each.deadline for each in running) - time.monotonic())
    ended = set(wait([each.process.sentinel for each in running], timeout=min(pause, _RESUME_AFTER)))
    if not ended:
        server.resume()
    for each in list(running):
        each.note_ready()  # it may have become so in the pause: its deadline is another one then
        if each.process.sentinel in ended:
            yield each, False
        elif time.monotonic() >= each.deadline and not _has_progressed(each):
            # One that has ended unreported is not late: its fork server is frozen.
            yield each, not has_ended(each.process.pid)


def _has_progressed(running: _Running) -> bool:
    """Whether a batch has emitted something since its deadline was set; then it gets another."""
    if not running.task.is_batch:
        return False
    count = len(_read_events(running.events))
    if count == running.event_count:
        return False
    running.event_count = count
    running.deadline = time.monotonic() + running.task.timeout
    return True


def _finish(running: _Running, *, is_late: bool) -> Ended:
    if not is_late:
        running.process.join(timeout=1)  # the end may be seen a moment before there is an exit code
    exitcode = running.process.exitcode
    _kill_session(running.process)
    running.note_ready()
    seconds = time.monotonic() - running.started
    events = _read_events(running.events)
    output = {descriptor: file.take() for descriptor, file in running.output.items()}
    running.close()
    return Ended(running.task, events, exitcode, is_late, running.folder, output, seconds)


def _kill_session(process: ForkedProcess) -> None:
    """Kill a process, and all that it has started in its session."""
    with contextlib.suppress(ProcessLookupError, PermissionError, AttributeError):  # Windows has no groups
        os.killpg(process.pid, KILL)
    process.kill()
    process.join(timeout=5)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal between the first and the last has none
        return f"signal {number}"


def _read_events(file: BinaryIO) -> list[object]:
    """Events of a process up to the first that is broken."""
    events: list[object] = []
    file.seek(0)
    try:
        while True:
            events.append(_EventReader(file).load())
    except _BROKEN:
        return events


class _EventReader(pickle.Unpickler):
    """Reads events, and makes nothing that is no part of one: an example can write to the same file."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("builtins", "getattr"):
            return _enum_member
        for known in _EVENT_CLASSES:
            if (known.__module__, known.__name__) == (module, name):
                return known
        raise pickle.UnpicklingError(f"{module}.{name} is no part of an event")


_EVENT_CLASSES: Iterable[type] = (
    Buffer, Cell, Environment, NameAnswer, Observation, Outcome, Proof, Raised, Snapshot, Status, Unmade,
    Value, Warned,
)  # fmt: skip


def _enum_member(enum: object, name: str) -> Enum:
    """Python 3.11.0 to 3.11.3 pickle a member of an enum as ``getattr(class, name)``."""
    if isinstance(enum, type) and issubclass(enum, Enum):
        return enum[name]
    raise pickle.UnpicklingError("getattr of something that is no enum")


# --- in the process ----------------------------------------------------------------------------------


def _run_task(function: Callable[..., None], arguments: tuple[Any, ...], directory: str) -> None:
    enter_sandbox()
    events = os.open(os.path.join(directory, _EVENTS), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    own = os.getpid()

    def emit(event: object) -> None:
        if os.getpid() == own:  # what the example has forked runs to the end, too, and reports nothing
            os.write(events, pickle.dumps(event))

    function(*arguments, directory, emit)
    os._exit(0)  # threads and exit handlers an example leaves behind are not ours to wait for
