"""Cells of the matrix in fresh processes, several at a time; one that kills its process costs only itself."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import TypeAlias

from tensor_atlas.catalogue.conversions import Conversion, code_digests
from tensor_atlas.catalogue.sources import Source
from tensor_atlas.model.cells import Cell, Outcome, Tried
from tensor_atlas.model.runs import Raised, Status
from tensor_atlas.probe.desk import Desk
from tensor_atlas.probe.forking import lacking
from tensor_atlas.probe.normalise import normalise
from tensor_atlas.probe.output import WORK, WRITTEN, places, tails_in
from tensor_atlas.probe.runner import Method, Process, end_family, silent_end, stand_alone, until

CELL_TIMEOUT = 60.0
"""Seconds a cell may take: one on a busy machine waits for what torch imports at first use, and none ever hung."""
MOST_LAST_WORDS = 400
"""Characters that are kept of what a process wrote before it died."""
_ORIGIN = re.compile(r"^(?:Exception raised from|frame #)", re.MULTILINE)
_POISONED = "CUDA error:"
"""In the message of an error after which nothing on the device works in that process."""


Pair: TypeAlias = tuple[Conversion, Source]


@dataclass
class _Job:
    """A batch of cells that is being tried."""

    batch: Sequence[Pair]
    """What is tried, in this order."""
    process: Process
    connection: Connection
    desk: Desk
    deadline: float
    done: int = 0
    """How many of the batch have been heard of."""


def batches(pairs: Iterable[Pair]) -> list[list[Pair]]:
    """Pairs by row; those of a source that takes its time by column: its first cell pays for the others.

    A pair of which torch warns once a process, in Python, has a process of its own.
    """
    found: dict[tuple[str, str], list[Pair]] = {}
    for conversion, source in pairs:
        alone = source.alone and conversion.makes_storages
        row, column = "" if source.slow else conversion.name, source.name if source.slow or alone else ""
        found.setdefault((row, column), []).append((conversion, source))
    return list(found.values())


def run_cells(
    waiting: Iterable[Sequence[Pair]], jobs: int, method: Method, timeout: float = CELL_TIMEOUT
) -> Iterator[tuple[Pair, Tried]]:
    """Cells of all batches, in order of completion; ``timeout`` in seconds a cell."""
    batches = iter(waiting)
    active: list[_Job] = []
    desks: list[Desk] = []
    try:
        while True:
            while len(active) < jobs and (batch := next(batches, None)) is not None:
                active.append(_start(batch, desks, method, timeout))
            if not active:
                return
            for job in _ready(active):
                cells, ended = _take(job, timeout)
                pairs = job.batch[job.done : job.done + len(cells)]
                job.done += len(cells)
                yield from (
                    (pair, Tried(code_digests(*pair), cell)) for pair, cell in zip(pairs, cells, strict=True)
                )
                if ended:
                    active.remove(job)
                    _close(job)
                    job.desk.leave(desks, WRITTEN)
                    active += (
                        [_start(rest, desks, method, timeout)] if (rest := job.batch[job.done :]) else []
                    )
    finally:
        for job in active:  # interrupted: nothing of ours survives
            _close(job)
        for desk in (*desks, *(job.desk for job in active)):
            desk.remove()


def _start(batch: Sequence[Pair], desks: list[Desk], method: Method, timeout: float) -> _Job:
    """ForkError where the system lacks what it needs."""
    try:
        return _started(batch, desks, method, timeout)
    except OSError as error:
        raise lacking(error) from None


def _started(batch: Sequence[Pair], desks: list[Desk], method: Method, timeout: float) -> _Job:
    reader, writer = Pipe(duplex=False)
    desk = desks.pop() if desks else Desk()
    process = method.Process(target=_child, args=(batch, desk.directory, writer))
    process.start()
    writer.close()
    return _Job(batch, process, reader, desk, time.monotonic() + timeout)


def _child(batch: Sequence[Pair], directory: str, writer: Connection) -> None:
    from tensor_atlas.probe.observe_cell import observe

    stand_alone()
    known = places(directory)
    os.chdir(os.path.join(directory, WORK))
    written = tails_in(directory)
    for descriptor, tail in written.items():
        tail.take()  # of a process that was killed at this desk
        os.dup2(tail.handle, descriptor)
    for conversion, source in batch:
        cell = observe(conversion, source, known)
        writer.send(cell)
        for tail in written.values():
            tail.take()  # what a cell writes is nothing that the next one's last words should hold
        if cell.error is not None and _POISONED in cell.error.message:
            break  # a fresh process goes on
    writer.send(None)
    os._exit(0)


def _ready(active: Sequence[_Job]) -> list[_Job]:
    """Jobs that have sent something, died, or are late."""
    pause = until(job.deadline for job in active)
    told = set(
        wait([thing for job in active for thing in (job.connection, job.process.sentinel)], timeout=pause)
    )
    now = time.monotonic()
    return [j for j in active if told & {j.connection, j.process.sentinel} or now >= j.deadline]


def _take(job: _Job, timeout: float) -> tuple[list[Cell], bool]:
    """Cells that a job has sent, and whether it has ended. One at which it fell silent has crashed, or is late."""
    cells: list[Cell] = []
    alive = (
        job.process.is_alive()
    )  # asked first: what a process sends before it dies is there when it has died
    with contextlib.suppress(EOFError, OSError):
        while job.connection.poll():
            sent = job.connection.recv()
            if sent is None:
                return cells, True
            cells.append(sent)
            job.deadline = time.monotonic() + timeout
    if alive and time.monotonic() < job.deadline:
        return cells, False
    if alive:
        cells.append(Cell(Outcome.TIMES_OUT, error=Raised("", f"no end after {timeout:g} s")))
    elif job.done + len(cells) < len(job.batch):
        cells.append(_crashed(job))
    return cells, True


def _crashed(job: _Job) -> Cell:
    """The cell that killed its process: the signal or exit code, and what was written to standard error."""
    status, reason = silent_end(job.process.exitcode)
    if status is not Status.CRASHED:
        return Cell(Outcome.CRASHES, error=Raised("SystemExit", reason))
    written = tails_in(job.desk.directory)
    words = normalise(written[2].take(), places(job.desk.directory))
    for tail in written.values():
        tail.close()
    # Where in C++ it was raised, and the frames that follow, are another place in each release.
    told = _ORIGIN.split(words, maxsplit=1)[0].strip()
    return Cell(Outcome.CRASHES, error=Raised(reason, told[:MOST_LAST_WORDS]))


def _close(job: _Job) -> None:
    end_family(job.process)
    job.connection.close()
