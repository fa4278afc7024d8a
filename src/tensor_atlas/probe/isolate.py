"""A fresh process per example, forked from one that has already imported torch; several at a time."""

from __future__ import annotations

import contextlib
import functools
import multiprocessing
import os
import pickle
import signal
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext
from multiprocessing.process import BaseProcess
from typing import Any, TypeAlias

from tensor_atlas.probe.forking import CAN_FORK, Forked, Forks, forks
from tensor_atlas.probe.normalise import normalise
from tensor_atlas.probe.output import last_words, places
from tensor_atlas.probe.program import Program, ahead
from tensor_atlas.probe.record import Environment, Observation, Run, Snapshot, Status
from tensor_atlas.probe.script import Example
from tensor_atlas.probe.strays import adopt, end_strays, tie
from tensor_atlas.probe.surroundings import forget

Method: TypeAlias = "Forks | SpawnContext"
"""How a fresh process comes to be."""
Process: TypeAlias = "Forked | BaseProcess"

MOST_WRITTEN = 2**28
"""Bytes that an example may write to one file, its output included: one that prints without end fills no disk."""
TIMEOUT = 60.0
"""Seconds an example may take unless told otherwise."""


@dataclass
class _Job:
    """An example that is running."""

    example: Example
    process: Process
    connection: Connection
    started: float
    deadline: float
    directory: tempfile.TemporaryDirectory[str]
    observations: list[Observation] = field(default_factory=list)
    snapshots: list[Snapshot] = field(default_factory=list)
    end: tuple[Status, str] | None = None


def context() -> Method:
    """What makes fresh processes: forks of one that has imported torch, or whole ones where processes cannot fork."""
    if not CAN_FORK:
        return multiprocessing.get_context("spawn")
    forks().start()
    return forks()


def detect_environment(method: Method) -> Environment:
    """Environment, found out in a child: asking for the GPU would spoil the parent for forking.

    Raises RuntimeError when the child dies, as it does where torch cannot be imported.
    """
    reader, writer = Pipe(duplex=False)
    process = method.Process(target=_send_environment, args=(writer,))
    process.start()
    writer.close()
    try:
        found = reader.recv()
    except EOFError:
        process.join()
        raise RuntimeError(f"finding out about this machine ended with exit code {process.exitcode}") from None
    process.join()
    assert isinstance(found, Environment)
    return found


def _send_environment(writer: Connection) -> None:
    from tensor_atlas.probe.environment import detect

    writer.send(detect())


def run_all(
    examples: Iterable[Example], jobs: int, timeout: Callable[[Example], float], method: Method
) -> Iterator[tuple[Run, float]]:
    """Runs and their wall time in seconds, in order of completion; ``timeout`` gives seconds by example."""
    adopt()
    waiting = iter(examples)
    active: dict[Connection, _Job] = {}
    try:
        while True:
            while len(active) < jobs and (example := next(waiting, None)) is not None:
                job = _start(example, timeout(example), method)
                active[job.connection] = job
            if not active:
                return
            yield from _advance(active)
    finally:
        for job in active.values():  # interrupted: nothing of ours survives
            _kill(job)
            job.directory.cleanup()
        end_strays()


def _start(example: Example, timeout: float, method: Method) -> _Job:
    reader, writer = Pipe(duplex=False)
    directory = tempfile.TemporaryDirectory(prefix="tensor-atlas-", ignore_cleanup_errors=True)
    process = method.Process(target=_child, args=(example, ahead(example.source, example.path), directory.name, writer))
    process.start()
    writer.close()
    now = time.monotonic()
    return _Job(example, process, reader, now, now + timeout, directory)


def _child(example: Example, program: Program | None, directory: str, writer: Connection) -> None:
    from tensor_atlas.probe.run import observe

    stand_alone()

    own = os.getpid()

    def emit(event: object) -> None:
        if os.getpid() == own:  # what the example has forked runs to the end, too, and reports nothing
            writer.send(event)

    observe(example, directory, emit, program)
    os._exit(0)  # threads and exit handlers an example leaves behind are not ours to wait for


def stand_alone() -> None:
    """Own session, so that a whole family can be ended; bounds; it ends with the process that forked it.

    It is the first to go where memory is short.
    """
    tie()
    bound()
    with contextlib.suppress(OSError):
        file = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        os.write(file, b"1000")
        os.close(file)
    if hasattr(os, "setsid"):
        os.setsid()


@functools.cache
def bound() -> None:
    """No variable that is not needed, no file without bounds, no core dump for a crash that was meant, no input.

    Children inherit all of it: the process that they are forked from does it once for them.
    """
    forget()
    with contextlib.suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        known = [limit for limit in resource.getrlimit(resource.RLIMIT_FSIZE) if limit != resource.RLIM_INFINITY]
        resource.setrlimit(resource.RLIMIT_FSIZE, (min([MOST_WRITTEN, *known]),) * 2)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)


def _advance(active: dict[Connection, _Job]) -> Iterator[tuple[Run, float]]:
    """Take what has arrived, or end what is late."""
    pause = max(0.0, min(job.deadline for job in active.values()) - time.monotonic())
    # A child of the example may keep the connection open after its process has died: the sentinel knows of the death.
    ready = set(wait([*active, *(job.process.sentinel for job in active.values())], timeout=pause))
    for connection, job in list(active.items()):
        if job.process.sentinel in ready:
            _drain(job)
        elif connection not in ready or _receive(job):
            continue
        del active[connection]
        yield _finish(job)
    for connection, job in list(active.items()):
        if time.monotonic() >= job.deadline:
            del active[connection]
            job.end = (Status.TIMED_OUT, f"no end after {job.deadline - job.started:g} s")
            yield _finish(job)


def _drain(job: _Job) -> None:
    """Take what a process had sent before it died; whatever it had started ends first, in the midst of an event too."""
    job.process.join(timeout=1)
    _kill(job)
    with contextlib.suppress(OSError):  # on Windows a closed pipe cannot be asked
        while job.connection.poll() and _receive(job):
            pass


def _receive(job: _Job) -> bool:
    """Take one event; False when there will be no more."""
    try:
        event: Any = job.connection.recv()
    except (EOFError, OSError, pickle.UnpicklingError):  # an example can write to any descriptor
        return False
    if isinstance(event, Observation):
        job.observations.append(event)
    elif isinstance(event, Snapshot):
        job.snapshots.append(event)
    else:
        job.end = event
    return job.end is None


def _finish(job: _Job) -> tuple[Run, float]:
    if job.end is None:
        job.process.join(timeout=1)
    else:
        _kill(job)
    status, reason = job.end or silent_end(job.process.exitcode)
    seconds = time.monotonic() - job.started
    job.connection.close()
    told = job.end is not None and status is not Status.TIMED_OUT
    run = Run(
        example=job.example.name,
        digest=job.example.digest,
        status=status,
        reason=reason,
        observations=(*job.observations, *([] if told else _last_observation(job))),
        snapshots=tuple(job.snapshots),
    )
    _kill(job)
    job.directory.cleanup()
    return run, seconds


def _last_observation(job: _Job) -> list[Observation]:
    """The statement at which a process fell silent, with what it had written until then."""
    statements = job.example.statements
    reached = len(job.observations)
    if reached >= len(statements):
        return []
    known = places(job.directory.name)
    stdout, stderr = (normalise(text, known) for text in last_words(job.directory.name))
    return [Observation(statements[reached].code, stdout, stderr)]


def silent_end(exitcode: int | None) -> tuple[Status, str]:
    """What an exit code says of a process that did not report its end; negative means a signal."""
    if exitcode is not None and exitcode < 0:
        return Status.CRASHED, _signal_name(-exitcode)
    return Status.EXITED, f"the process ended without a word, exit code {exitcode}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal between the first and the last has none
        return f"signal {number}"


def _kill(job: _Job) -> None:
    end_family(job.process)


def end_family(process: Process) -> None:
    """End a process that stands alone, and all that it has started."""
    if process.pid is not None and hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.join(timeout=5)
