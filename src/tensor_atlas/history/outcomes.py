"""What a page shows of runs: output and errors of each statement, shared memory after each block; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tensor_atlas.model.runs import Environment, Observation, Raised, Run, Snapshot, Status


@dataclass(frozen=True)
class Box:
    """One part of a statement's output, which a page shows in a box of its own."""

    kind: str
    """``output``, ``error`` or ``warning``."""
    label: str
    """What it is, in words: ``Output``, or the class of an exception or warning."""
    text: str
    """As captured."""


@dataclass(frozen=True)
class StatementOutcome:
    """What a statement did alike in some environments."""

    boxes: tuple[Box, ...]
    """Empty where the statement was silent."""
    environments: tuple[Environment, ...]
    """Those environments, oldest first."""
    run: Run
    """The run of the first of them."""


@dataclass(frozen=True)
class SharingGroup:
    """Names that see the same bytes."""

    names: tuple[str, ...]
    """Every two of them have a byte in common."""
    nbytes: int
    """Length of the buffer they see, as far as any live value shows it."""
    device: str
    """Where the buffer is."""


def statement_boxes(run: Run, index: int) -> tuple[Box, ...]:
    """Boxes for statement ``index`` of a run; empty where it was silent or did not run."""
    if index >= len(run.observations):
        return ()
    observation = run.observations[index]
    boxes = tuple(observation_boxes(observation))
    if is_run_ending(run, index) and observation.raised is None:
        return (*boxes, Box("error", "The run ended here", f"{run.status}: {run.reason}"))
    return boxes


def is_run_ending(run: Run, index: int) -> bool:
    """Whether the run stopped at this statement without completing."""
    return run.status is not Status.COMPLETED and index == len(run.observations) - 1


def observation_boxes(observation: Observation) -> Iterator[Box]:
    """Boxes for stdout, caught errors that were printed, warnings, stderr and an uncaught error."""
    yield from _stdout_boxes(observation)
    for warned in observation.warnings:
        yield Box("warning", warned.category, warned.message)
    if observation.stderr:
        yield Box("output", "Standard error", observation.stderr)
    if observation.raised is not None:
        traceback = strip_frames(observation.raised.traceback)
        yield Box("error", f"{observation.raised.type}, uncaught", "\n".join(traceback))


def _stdout_boxes(observation: Observation) -> Iterator[Box]:
    parts = list(split_stdout(observation))
    for text, caught in parts:
        shown = text.strip("\n") if len(parts) > 1 and caught is None else text
        if shown:
            yield Box("output", "Output", shown) if caught is None else Box("error", caught.type, shown)


def split_stdout(observation: Observation) -> Iterator[tuple[str, Raised | None]]:
    """Standard output in parts, each with the caught error whose handler printed it; None for other text."""
    text = observation.stdout
    spans: list[tuple[int, Raised]] = []
    free = text  # spans already found are blanked: in a loop each handler prints the same
    for caught in observation.caught:
        start = free.find(caught.printed) if caught.printed else -1
        if start >= 0:
            spans.append((start, caught))
            length = len(caught.printed)
            free = free[:start] + "\0" * length + free[start + length :]
    end = 0
    for start, caught in sorted(spans, key=lambda span: span[0]):
        yield text[end:start], None
        yield caught.printed, caught
        end = start + len(caught.printed)
    yield text[end:], None


def strip_frames(traceback: Sequence[str]) -> Iterator[str]:
    """Lines of a traceback without frames of libraries and without line numbers.

    Each release of a library moves its frames, and prose added to an example moves its line numbers; neither
    changes what a reader should see.
    """
    is_frames, is_own = False, True
    for line in traceback:
        if not line.startswith("  "):
            is_frames, is_own = line.startswith("Traceback "), True
        frame = _FRAME.match(line) if is_frames else None
        if frame:
            is_own = frame["file"].startswith("examples/")
        if is_own:
            yield f'  File "{frame["file"]}"{frame["rest"]}' if frame else line


_FRAME = re.compile(r'  File "(?P<file>[^"]*)", line \d+(?P<rest>.*)')


def group_outcomes(runs: Sequence[tuple[Environment, Run]], index: int) -> list[StatementOutcome]:
    """Distinct outcomes of a statement, in order of first environment; without runs that ended earlier."""
    groups: dict[tuple[Box, ...], dict[Environment, Run]] = {}
    for environment, run in runs:
        if index < len(run.observations):
            groups.setdefault(statement_boxes(run, index), {})[environment] = run
    return [StatementOutcome(boxes, tuple(of), next(iter(of.values()))) for boxes, of in groups.items()]


def new_sharing(run: Run, index: int) -> tuple[SharingGroup, ...]:
    """Names that share memory after block ``index``, not before it; empty where the run ended earlier."""
    if index >= len(run.snapshots):
        return ()
    snapshot = run.snapshots[index]
    before = run.snapshots[index - 1].shares if index else ()
    return tuple(_sharing_group(snapshot, names) for names in snapshot.shares if names not in before)


def _sharing_group(snapshot: Snapshot, names: tuple[str, ...]) -> SharingGroup:
    value = next(value for value in snapshot.values if value.name == names[0])
    nbytes = snapshot.buffers[value.buffer].nbytes if value.buffer is not None else 0
    return SharingGroup(names, nbytes, value.device)
