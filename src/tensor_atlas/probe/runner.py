"""A fresh process per example, forked from one that has already imported torch; several at a time."""

from __future__ import annotations

import contextlib
import functools
import importlib
import multiprocessing
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext
from multiprocessing.process import BaseProcess
from typing import Any, ClassVar, TypeAlias

from tensor_atlas.examples.instrument import Program, program
from tensor_atlas.examples.parse import Example
from tensor_atlas.model.runs import (
    Buffer,
    Environment,
    Observation,
    Raised,
    Run,
    Snapshot,
    Status,
    Value,
    Warned,
)
from tensor_atlas.probe.desk import Desk
from tensor_atlas.probe.forked import Forked
from tensor_atlas.probe.forking import CAN_FORK, Forks, forks, lacking
from tensor_atlas.probe.interpreters import LACKED, LAZY, START, offer
from tensor_atlas.probe.normalise import normalise
from tensor_atlas.probe.orphans import adopt, children, end_strays, is_alone, tie
from tensor_atlas.probe.output import DESCRIPTORS, WRITTEN, Tail, in_memory, opened, places
from tensor_atlas.probe.sandbox import forget

Method: TypeAlias = "Forks | SpawnContext"
"""How a fresh process comes to be."""
Process: TypeAlias = "Forked | BaseProcess"

MOST_WRITTEN = 2**28
"""Bytes that an example may write to one file, its output included: one that prints without end fills no disk."""
SEVERAL = 2
"""So many examples that lacked a part of torch, and others will lack it, too."""
TIMEOUT = 60.0
"""Seconds an example may take unless told otherwise."""
LONGEST_WAIT = 86_400.0
"""Seconds that are waited at once: a system takes no more than some weeks, and an example may be given years."""


_RUN = "tensor_atlas.probe.observe"
"""What observes, and imports torch: only the process of an example may."""
EVENTS = "events"
"""Name of the file for what a process tells of its example."""
FILES = (EVENTS, *WRITTEN)
"""Files of a run: in its folder, where the system keeps none in memory alone."""
_GARBLED = (
    AttributeError,
    EOFError,
    LookupError,
    MemoryError,
    OverflowError,
    TypeError,
    ValueError,
    pickle.UnpicklingError,
)
"""What reading an event raises that is none: a process can die in the midst of one, and write to any descriptor."""


class _Events(pickle.Unpickler):
    """Reads what a process tells, and makes nothing that is no part of it."""

    _KNOWN: ClassVar = {
        each.__name__: each for each in (Buffer, Observation, Raised, Snapshot, Status, Value, Warned)
    }

    def find_class(self, module: str, name: str) -> Any:
        found = self._KNOWN.get(name)
        if found is None or found.__module__ != module:
            raise pickle.UnpicklingError(f"{module}.{name} is no part of an event")
        return _observation if found is Observation else found


def _observation(code: str, *told: Any) -> Observation:
    """One that has its code in common with the example: thousands of them are kept."""
    return Observation(sys.intern(code), *told)


@dataclass
class _Job:
    """An example that is running."""

    example: Example
    process: Process
    started: float
    deadline: float
    desk: Desk
    files: tuple[Connection, ...]
    """Those named in FILES: what the process tells, and what it writes. Nobody need listen while it runs."""


def context() -> Method:
    """What makes fresh processes: forks of one that has imported torch, or whole ones where processes cannot fork."""
    if not CAN_FORK:
        return multiprocessing.get_context("spawn")
    forks().start()
    return forks()


def renew(method: Method) -> None:
    """Let processes to come be forked from one that none has been forked from."""
    if isinstance(method, Forks):
        method.end()  # and the next one that is asked for makes another


def detect_environment(method: Method) -> Environment:
    """Environment, found out in a child: asking for the GPU would spoil the parent for forking.

    Raises RuntimeError when the child dies, as it does where torch cannot be imported; ForkError where there is none.
    """
    try:
        reader, writer = Pipe(duplex=False)
        process = method.Process(target=_send_environment, args=(writer,))
        process.start()
    except OSError as error:
        raise lacking(error) from None
    writer.close()
    try:
        found = reader.recv()
    except EOFError:
        process.join()
        raise RuntimeError(
            f"finding out about this machine ended with exit code {process.exitcode}"
        ) from None
    process.join()
    assert isinstance(found, Environment)
    return found


def _send_environment(writer: Connection) -> None:
    from tensor_atlas.probe.environment import detect

    writer.send(detect())


def run_all(
    examples: Iterable[Example],
    jobs: int,
    timeout: Callable[[Example], float],
    method: Method,
    *,
    sparing: bool = False,
) -> Iterator[tuple[Run, float]]:
    """Runs and their wall time in seconds, in order of completion; ``timeout`` gives seconds by example.

    ``sparing``: what an example would import is imported before it where that is known to be the same; see
    ``interpreters``.
    """
    adopt()
    waiting = iter(examples)
    active: list[_Job] = []
    desks: list[Desk] = []
    before = children()
    lacked = 0
    try:
        while True:
            while len(active) < jobs and (example := next(waiting, None)) is not None:
                active.append(_start(example, desks, timeout(example), method, sparing=sparing))
            if not active:
                return
            for job, late in _over(active):
                active.remove(job)
                finished = _finish(job, late=late)
                job.desk.leave(desks, is_alone=is_alone(before))
                if sparing and job.process.exitcode == LACKED:
                    lacked += 1
                    if lacked == SEVERAL and isinstance(method, Forks):
                        method.spare()
                yield finished
    finally:
        _end(active, desks)


def _end(active: Sequence[_Job], desks: Iterable[Desk]) -> None:
    """Leave nothing behind: no process, those of an interrupted run among them, and no folder."""
    for job in active:
        end_family(job.process)
        _close(job)
    end_strays()
    for desk in (*desks, *(job.desk for job in active)):
        desk.remove()


def _start(example: Example, desks: list[Desk], timeout: float, method: Method, *, sparing: bool) -> _Job:
    """ForkError where the system lacks what it needs."""
    try:
        return _started(example, desks, timeout, method, sparing=sparing)
    except OSError as error:
        raise lacking(error) from None


def _started(example: Example, desks: list[Desk], timeout: float, method: Method, *, sparing: bool) -> _Job:
    desk = desks.pop() if desks else Desk()
    inherited = isinstance(method, Forks)
    files = tuple(_file(desk.directory, name, inherited=inherited) for name in FILES)
    given = files if inherited else [os.path.join(desk.directory, name) for name in FILES]
    target = _sparing_child if sparing and inherited else _child
    process = method.Process(target=target, args=(program(example), desk.directory, *given))
    process.start()
    now = time.monotonic()
    return _Job(example, process, now, now + timeout, desk, files)


def _file(directory: str, name: str, *, inherited: bool) -> Connection:
    """A new file of a run; one that is ``inherited`` needs no name, and lies in memory: no disk need have room."""
    with contextlib.suppress(AttributeError, OSError):  # which Linux alone has
        if inherited:
            return Connection(in_memory(name), readable=False)
    return Connection(opened(os.path.join(directory, name)), readable=False)


def _sparing_child(program: Program, directory: str, *given: Connection) -> None:
    has_lazy = LAZY in sys.modules
    stand_alone()
    if START in program.source:
        offer()
    _observe(program, directory, *given)
    os._exit(LACKED if not has_lazy and LAZY in sys.modules else 0)


def _child(program: Program, directory: str, *given: Connection | str) -> None:
    stand_alone()
    _observe(program, directory, *given)
    os._exit(0)  # threads and exit handlers an example leaves behind are not ours to wait for


def _observe(program: Program, directory: str, *given: Connection | str) -> None:
    """Run ``program`` in ``directory``; ``given``: files as FILES names them, open or by path."""
    # A statement that imports asks much of a module that is there: a process that has just been forked finds it so.
    run = sys.modules.get(_RUN) or importlib.import_module(_RUN)
    events, *written = (opened(file) if isinstance(file, str) else file.fileno() for file in given)
    tails = {descriptor: Tail(handle) for descriptor, handle in zip(DESCRIPTORS, written, strict=True)}
    own = os.getpid()

    def emit(event: object) -> None:
        if os.getpid() == own:  # what the example has forked runs to the end, too, and reports nothing
            os.write(events, pickle.dumps(event))

    run.observe(program, directory, tails, emit)


def stand_alone() -> None:
    """Own session, so that a whole family can be ended; bounds; it ends with the process that forked it.

    It is the first to go where memory is short.
    """
    tie()
    bound()
    try:  # a context manager would be one thing more that a process finds cold
        file = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        os.write(file, b"1000")
        os.close(file)
    except OSError:
        pass
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
        known = [
            limit for limit in resource.getrlimit(resource.RLIMIT_FSIZE) if limit != resource.RLIM_INFINITY
        ]
        resource.setrlimit(resource.RLIMIT_FSIZE, (min([MOST_WRITTEN, *known]),) * 2)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)


def until(deadlines: Iterable[float]) -> float:
    """Seconds to the first of ``deadlines``, LONGEST_WAIT at most."""
    return min(max(0.0, min(deadlines) - time.monotonic()), LONGEST_WAIT)


def _over(active: Sequence[_Job]) -> list[tuple[_Job, bool]]:
    """Jobs whose process has ended, and those that still run and are late, which is told beside."""
    pause = until(job.deadline for job in active)
    ended = set(wait([job.process.sentinel for job in active], timeout=pause))
    now = time.monotonic()
    found = ((job, job.process.sentinel not in ended) for job in active)
    return [(job, runs) for job, runs in found if not runs or now >= job.deadline]


def _finish(job: _Job, *, late: bool) -> tuple[Run, float]:
    """What became of an example whose process has ended, or is late; whatever it had started ends first."""
    if not late:
        job.process.join(timeout=1)  # what tells of an end may be told a moment before there is an exit code
    end_family(job.process)
    seconds = time.monotonic() - job.started
    observations, snapshots, end = _told(job.files[0])
    if late:
        status, reason = Status.TIMED_OUT, f"no end after {job.deadline - job.started:g} s"
    else:
        status, reason = end or silent_end(job.process.exitcode)
    run = Run(
        example=job.example.name,
        digest=job.example.digest,
        status=status,
        reason=reason,
        observations=(
            *observations,
            *([] if end and not late else _last_observation(job, len(observations))),
        ),
        snapshots=tuple(snapshots),
    )
    _close(job)
    return run, seconds


def _told(events: Connection) -> tuple[list[Observation], list[Snapshot], tuple[Status, str] | None]:
    """What a process told, and how its example ended if it came to say so."""
    observations: list[Observation] = []
    snapshots: list[Snapshot] = []
    with open(events.fileno(), "rb", closefd=False) as file:
        file.seek(0)  # where the process writes, there this one reads
        while True:
            try:
                event = _Events(file).load()  # each counts anew what it repeats
            except _GARBLED:
                return observations, snapshots, None
            if isinstance(event, Observation):
                observations.append(event)
            elif isinstance(event, Snapshot):
                snapshots.append(event)
            else:
                return observations, snapshots, event if _is_end(event) else None


def _is_end(event: object) -> bool:
    return isinstance(event, tuple) and len(event) == 2 and isinstance(event[0], Status)


def _close(job: _Job) -> None:
    for file in job.files:
        file.close()


def _last_observation(job: _Job, reached: int) -> list[Observation]:
    """The statement at which a process fell silent, with what it had written until then; it had ended so many."""
    statements = job.example.statements
    if reached >= len(statements):
        return []
    known = places(job.desk.directory)
    stdout, stderr = (normalise(Tail(file.fileno()).take(), known) for file in job.files[1:])
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


def end_family(process: Process) -> None:
    """End a process that stands alone, and all that it has started."""
    if process.pid is not None and hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.join(timeout=5)
