"""Runs examples and batches of cells in fresh processes, and reads runs and cells off what each left behind.

A cell that kills its process costs only itself: another process goes on behind it.
"""

from __future__ import annotations

import os
import re
import sys
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from tensor_atlas.catalogue import Conversion, Source, code_digests
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.instrument import Program
from tensor_atlas.examples.parse import Example
from tensor_atlas.model.cells import Cell, Outcome, Tried
from tensor_atlas.model.names import NameAnswer
from tensor_atlas.model.runs import AFTER, DEPTH, Environment, Observation, Raised, Run, Snapshot, Status
from tensor_atlas.probe.output import (
    POISONED,
    normalise,
    normalise_output,
    open_output,
    path_words,
    work_folder,
)
from tensor_atlas.probe.processes import Emit, Ended, Task, run_processes
from tensor_atlas.probe.spawner import Server

Pair: TypeAlias = tuple[Conversion, Source]

CELL_TIMEOUT = 60.0
"""Seconds a cell may take: one on a busy machine waits for what torch imports at first use, and none ever
hung."""
MAX_LAST_WORDS = 400
"""Characters that are kept of what a process wrote before it died."""
_ORIGIN = re.compile(r"^(?:Exception raised from|frame #|\*\*\* Begin stack trace)", re.MULTILINE)
DETECT_TIMEOUT = 600.0
"""Seconds in which torch must have been imported and have found its devices."""


def detect_environment(server: Server) -> Environment:
    """Environment of this machine, detected in a child: a parent that has asked for the GPU cannot fork.

    AtlasError when the child dies, as it does where torch cannot be imported.
    """
    tasks = deque([Task(_emit_environment, (), DETECT_TIMEOUT)])
    ended = next(run_processes(tasks, 1, server))
    for event in ended.events:
        if isinstance(event, Environment):
            return event
    last_words = ended.output[2].strip().split("\n")[-1]
    status, reason = ended.describe()
    what = f"finding out about this machine {status}: {last_words or reason}"
    raise AtlasError("probe", what, "check that `python -c 'import torch, numpy'` works here")


def run_examples(
    examples: Iterable[Example], at_a_time: int, timeout: Callable[[Example], float], server: Server
) -> Iterator[tuple[Run, float]]:
    """Runs and their wall time in seconds, in order of completion; ``timeout`` gives seconds by example."""
    by_path = {example.path: example for example in examples}
    tasks: deque[Task] = deque()
    for example in by_path.values():
        program = Program(example.path, example.source, tuple(block.codes for block in example.blocks))
        tasks.append(Task(_run_example, (program,), timeout(example)))
    for ended in run_processes(tasks, at_a_time, server):
        yield _run_of(by_path[ended.task.arguments[0].path], ended), ended.seconds


def _run_of(example: Example, ended: Ended) -> Run:
    """The run of an example, whose process emitted how its statements ended, unless it died before."""
    position = next((at for at, event in enumerate(ended.events) if _is_end(event)), len(ended.events))
    observations = [event for event in ended.events[:position] if isinstance(event, Observation)]
    snapshots = [event for event in ended.events[:position] if isinstance(event, Snapshot)]
    end, late = _end_of(ended, position)
    if position == len(ended.events) and len(observations) < len(example.statements):
        observations.append(_last_words(ended, example.statements[len(observations)].code))
    status, reason = end
    stopped = ""
    first = next((seen.raised for seen in observations if seen.raised is not None), None)
    if first is not None:  # as a plain script, the example ended there
        stopped = "" if status is Status.COMPLETED else f"{status}: {reason}"
        status, reason = Status.RAISED, first.type
    return Run(
        example=example.name,
        digest=example.digest,
        status=status,
        reason=reason,
        observations=tuple(observations),
        snapshots=tuple(snapshots),
        stopped=stopped,
        depth=DEPTH,
        late=late if late != Observation(AFTER) or example.late_claim else None,
    )


def _is_end(event: object) -> bool:
    """Whether an event says how the statements ended."""
    return isinstance(event, tuple) and list(map(type, event)) == [Status, str]


def _end_of(ended: Ended, position: int) -> tuple[tuple[Status, str], Observation | None]:
    """How an example ended, and what came after its statements; ``position`` is that of their end."""
    match ended.events[position:]:
        case [(Status() as status, str(reason)), Observation() as late] if not ended.is_late:
            return (status, reason), late
        case [(Status.CRASHED, str(reason))]:
            return (Status.CRASHED, reason), None
        case [_, *_]:
            status, reason = ended.describe()
            return (status, f"{reason}, after the last statement"), _last_words(ended, AFTER)
    return ended.describe(), None


def _last_words(ended: Ended, code: str) -> Observation:
    """What a process had written until it fell silent at ``code``."""
    words = path_words(ended.directory)
    stdout, stderr = (normalise_output(ended.output[descriptor], words) for descriptor in (1, 2))
    return Observation(code, stdout, stderr)


# --- cells of the matrix -----------------------------------------------------------------------------


def batches(pairs: Iterable[Pair]) -> list[list[Pair]]:
    """Pairs by row; those of a source that takes its time by column: its first cell pays for the others.

    A pair of which torch warns once a process, in Python, has a process of its own. What an accelerator needs
    is set up in no process of other pairs.
    """
    found: dict[tuple[str, str], list[Pair]] = {}
    for conversion, source in pairs:
        alone = source.alone and conversion.makes_storages
        row = "" if source.slow else conversion.name
        column = source.name if source.slow or alone else source.device if source.device != "meta" else "cpu"
        found.setdefault((row, column), []).append((conversion, source))
    return list(found.values())


def run_cells(
    batches: Iterable[Sequence[Pair]], at_a_time: int, server: Server, timeout: float = CELL_TIMEOUT
) -> Iterator[tuple[Pair, Tried]]:
    """Cells of all batches, in order of completion; ``timeout`` in seconds a cell."""
    tasks = deque(_task(batch, timeout) for batch in batches)
    for ended in run_processes(tasks, at_a_time, server):
        (batch,) = ended.task.arguments
        cells = [event for event in ended.events if isinstance(event, Cell)][: len(batch)]
        is_whole = None in ended.events  # also where it stopped itself: a fresh process goes on
        if len(cells) < len(batch) and not is_whole:
            cells.append(_last_cell(ended))
        for pair, cell in zip(batch, cells, strict=False):
            yield pair, Tried(code_digests(*pair), cell)
        if len(cells) < len(batch):
            tasks.append(_task(batch[len(cells) :], timeout))


def _task(batch: Sequence[Pair], timeout: float) -> Task:
    return Task(_try_batch, (batch,), timeout, is_batch=True)


def _last_cell(ended: Ended) -> Cell:
    """The cell at which a process fell silent: late, or dead by a signal or exit code, with last words."""
    status, reason = ended.describe()
    if status is Status.TIMED_OUT:
        return Cell(Outcome.TIMES_OUT, error=Raised("", reason))
    if status is not Status.CRASHED:
        return Cell(Outcome.CRASHES, error=Raised("SystemExit", reason))
    words = normalise(ended.output[2], path_words(ended.directory))
    # Where in C++ it was raised, and the frames that follow, are another place in each release.
    message = _ORIGIN.split(words, maxsplit=1)[0].strip()
    return Cell(Outcome.CRASHES, error=Raised(reason, message[:MAX_LAST_WORDS]))


# --- names ----------------------------------------------------------------------------------------


def ask_names(
    asked: Mapping[str, Collection[str]], at_a_time: int, server: Server
) -> Iterator[tuple[str, dict[str, NameAnswer]]]:
    """Answers of each namespace, in order of completion; none of one whose process died."""
    tasks = deque(Task(_ask_names, item, DETECT_TIMEOUT) for item in asked.items())
    for ended in run_processes(tasks, at_a_time, server):
        for event in ended.events:
            if isinstance(event, dict):
                yield ended.task.arguments[0], event


# --- in the process: the parent must not import what imports torch ----------------------------------------


def _run_example(program: Program, directory: str, emit: Emit) -> None:
    from tensor_atlas.probe.observe import observe

    sys.exit(observe(program, directory, emit))  # as a script ends: threads and exit handlers come now


def _emit_environment(directory: str, emit: Emit) -> None:  # noqa: ARG001
    from tensor_atlas.probe.environment import detect

    emit(detect())


def _ask_names(namespace: str, asked: Collection[str], directory: str, emit: Emit) -> None:
    from tensor_atlas.probe.observe_names import observe_names

    emit(observe_names(namespace, asked, path_words(directory)))


def _try_batch(batch: Sequence[Pair], directory: str, emit: Emit) -> None:
    """In the process: emit a Cell for each pair, then None."""
    from tensor_atlas.probe.observe_cell import observe_cell

    words = path_words(directory)
    os.chdir(work_folder(directory))
    files = open_output(directory)
    for descriptor, file in files.items():
        os.dup2(file.handle, descriptor)
    for conversion, source in batch:
        cell = observe_cell(conversion, source, words)
        for file in files.values():
            file.take()
            file.mark()  # what a cell writes is nothing that the next one's last words should hold
        emit(cell)
        if _spoils_process(cell):
            break
    emit(None)


def _spoils_process(cell: Cell) -> bool:
    """Whether later cells of the process might do otherwise because of this one."""
    if cell.error is not None:
        return POISONED in cell.error.message
    # A lazy tensor computes when it is read. Where that failed, the next one that is read raises it again.
    return cell.device.startswith("lazy") and not cell.value
