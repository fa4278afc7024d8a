"""What a page shows of runs: boxes for each statement, who shares memory after each block, by environment; pure."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tensor_atlas.model.runs import Environment, Observation, Run, Snapshot, Status

_T = TypeVar("_T", bound=Hashable)


@dataclass(frozen=True)
class Box:
    """One piece of what a statement did."""

    kind: str
    """``output``, ``error`` or ``warning``."""
    label: str
    """What it is, in words: ``Output``, or the class of an exception or warning."""
    text: str
    """As captured."""


@dataclass(frozen=True)
class StatementOutcome:
    """What some environments have shown alike at one statement."""

    boxes: tuple[Box, ...]
    """Empty where the statement was silent."""
    environments: tuple[Environment, ...]
    """Who has shown it, oldest first."""
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
    """What statement ``index`` did; empty where it was silent or never came to run."""
    if index >= len(run.observations):
        return ()
    observation = run.observations[index]
    found = tuple(observation_boxes(observation))
    if is_run_ending(run, index) and observation.raised is None:
        return (*found, Box("error", "The run ended here", f"{run.status}: {run.reason}"))
    return found


def is_run_ending(run: Run, index: int) -> bool:
    """Whether the run stopped at this statement before its time."""
    return run.status is not Status.COMPLETED and index == len(run.observations) - 1


def observation_boxes(observation: Observation) -> Iterator[Box]:
    """Boxes for stdout, caught errors, warnings, stderr and an uncaught error; a caught error is no plain output."""
    rest = observation.stdout
    for caught in observation.caught:
        before, found, after = rest.partition(caught.printed) if caught.printed else (rest, "", "")
        if found:
            if before.strip("\n"):
                yield Box("output", "Output", before.strip("\n"))
            yield Box("error", caught.type, found)
            rest = after.lstrip("\n")
    if rest:
        yield Box("output", "Output", rest)
    for warned in observation.warnings:
        yield Box("warning", warned.category, warned.message)
    if observation.stderr:
        yield Box("output", "Standard error", observation.stderr)
    if observation.raised is not None:
        traceback = strip_frames(observation.raised.traceback)
        yield Box("error", f"{observation.raised.type}, uncaught", "\n".join(traceback))


def strip_frames(traceback: Sequence[str]) -> Iterator[str]:
    """Traceback without what moves though nothing has changed: a library's frames, and the numbers of lines.

    A release moves the first; in the example prose moves the second, and makes no record older.
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
    """Distinct outcomes of a statement, by the environments that came so far; in order of their first environment."""
    reached = [(environment, run) for environment, run in runs if index < len(run.observations)]
    groups = group_members((statement_boxes(run, index), (environment, run)) for environment, run in reached)
    return [
        StatementOutcome(shown, tuple(e for e, _ in members), members[0][1])
        for shown, members in groups.items()
    ]


def group_members(
    pairs: Iterable[tuple[_T, tuple[Environment, Run]]],
) -> dict[_T, list[tuple[Environment, Run]]]:
    """Members by what they have in common, in order of first appearance."""
    groups: dict[_T, list[tuple[Environment, Run]]] = {}
    for shown, member in pairs:
        groups.setdefault(shown, []).append(member)
    return groups


def new_sharing(run: Run, index: int) -> tuple[SharingGroup, ...]:
    """Who shares memory after block ``index`` and did not before it; empty where the run never came so far."""
    if index >= len(run.snapshots):
        return ()
    snapshot = run.snapshots[index]
    before = run.snapshots[index - 1].shares if index else ()
    return tuple(_sharing(snapshot, names) for names in snapshot.shares if names not in before)


def _sharing(snapshot: Snapshot, names: tuple[str, ...]) -> SharingGroup:
    value = next(value for value in snapshot.values if value.name == names[0])
    nbytes = snapshot.buffers[value.buffer].nbytes if value.buffer is not None else 0
    return SharingGroup(names, nbytes, value.device)
