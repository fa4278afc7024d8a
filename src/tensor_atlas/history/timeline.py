"""What pages show of the runs of one example: outcomes, shared memory, and which release changed what; pure.

Nothing is filled forward: a step lies between two environments that both ran the present code.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from tensor_atlas.examples.parse import Example
from tensor_atlas.history.changes import Change, Severity, find_changes, split_stdout
from tensor_atlas.history.own_lines import without_own_lines
from tensor_atlas.history.releases import (
    ReleaseStep,
    is_compatible,
    package_steps,
    rank_steps,
    release_line,
    release_steps,
    sort_steps,
    torch_release,
)
from tensor_atlas.model.runs import Environment, Observation, Run, Runs, Snapshot, split_written


@dataclass(frozen=True)
class Box:
    """One part of a statement's output, which a page shows in a box of its own."""

    kind: str
    """``output``, ``error`` or ``warning``."""
    label: str
    """What it is, in words: ``Output``, or the class of an exception or warning."""
    text: str
    """As captured; empty for one blank line."""


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


@dataclass(frozen=True)
class Event:
    """One change, and the two environments between which it happened."""

    step: ReleaseStep
    """The environments, which both ran the example."""
    change: Change


class Agreement(StrEnum):
    """How far one release differs from what the page shows."""

    SAME = "the same"
    WORDING = "different wording"
    CLASS = "a different exception class"
    BEHAVIOUR = "different behaviour"
    NOT_MEASURED = "not measured"


def find_events(example: Example, runs: Runs) -> tuple[Event, ...]:
    """Changes on each device: those of torch's releases, then those of NumPy's, then those of Python's.

    Each group is ordered from old to new. NumPy's and Python's changes are read off steps in which nothing
    else changed.
    """
    events: list[Event] = []
    by_id = {environment.id: run for environment, run in runs}
    for device in dict.fromkeys(environment.device for environment, _ in runs):
        there = [environment for environment, _ in runs if environment.device == device]
        compatible = [environment for environment in there if is_compatible(environment)]
        of_torch = [step for step in release_steps(there) if step.package not in ("NumPy", "Python")]
        events += _without_bounces([_step_events(example, step, by_id) for step in of_torch], by_id)
        events += _package_events(example, package_steps("NumPy", compatible), by_id)
        events += _package_events(example, package_steps("Python", compatible), by_id)
    return tuple(events)


def _step_events(example: Example, step: ReleaseStep, runs: Mapping[str, Run]) -> list[Event]:
    changes = find_changes(runs[step.before.id], runs[step.after.id], example)
    return [Event(step, change) for change in changes]


def _without_bounces(by_step: Sequence[Sequence[Event]], runs: Mapping[str, Run]) -> list[Event]:
    """Events of successive steps, without those of another build that the next release takes back.

    A CPU build between two CUDA builds words some messages otherwise: the release did not change them.
    """
    kept = [list(events) for events in by_step]
    for into, out in pairwise(kept):
        back = _bounces(into, out, runs)
        into[:] = [event for event in into if _place(event.change) not in back]
        out[:] = [event for event in out if _place(event.change) not in back]
    return [event for events in kept for event in events]


_Place = tuple[int, int | None]
"""Index of a block, and of a statement; None for what shows only after the block."""


def _bounces(into: Sequence[Event], out: Sequence[Event], runs: Mapping[str, Run]) -> set[_Place]:
    """Places where the release between two steps differs from both its neighbours, which are alike."""
    if not into or not out:
        return set()
    environments = (into[0].step.before, into[0].step.after, out[0].step.after)
    has_cuda = [environment.cuda is not None for environment in environments]
    if has_cuda[1] in (has_cuda[0], has_cuda[2]):
        return set()
    first, last = runs[environments[0].id], runs[environments[2].id]
    places = {_place(event.change) for event in into} & {_place(event.change) for event in out}
    return {place for place in places if _shown(first, place) == _shown(last, place)}


def _place(change: Change) -> _Place:
    return change.block, change.statement


def _shown(run: Run, place: _Place) -> object:
    """What a page shows of a run at one place."""
    block, statement = place
    if statement is not None:
        return statement_boxes(run, statement)
    snapshot = run.snapshot(block)
    return None if snapshot is None else (new_sharing(run, block), snapshot.values)


def _package_events(example: Example, alone: Iterable[ReleaseStep], runs: Mapping[str, Run]) -> list[Event]:
    """Events of steps within torch releases; of those that several show, that of the closest pair."""
    known: set[tuple[object, ...]] = set()
    events: list[Event] = []
    steps = rank_steps(alone)
    for step in steps:
        for event in _step_events(example, step, runs):
            keys = _likenesses(event.change)
            if not keys & known:
                known |= keys
                events.append(event)
    order = sort_steps(steps)
    return sorted(events, key=lambda event: order.index(event.step))


def _likenesses(change: Change) -> set[tuple[object, ...]]:
    """Keys of a change; changes that have one in common are the same change."""
    place = (*_place(change), change.severity)
    to_after = (*place, "to", change.after, change.facts)
    if change.statement is None:  # no text before and after: the facts tell both
        return {to_after}
    return {to_after, (*place, "from", change.before)}


def main_environments(
    environments: Collection[Environment], measured: Collection[Environment] | None = None
) -> list[Environment]:
    """One environment for each torch release, that with the newest compatible NumPy; oldest release first.

    Where only some were ``measured``, one of these comes before a newer one that was not.
    """
    last = {torch_release(environment): environment for environment in release_line(environments)}
    if measured is not None:
        last |= {torch_release(environment): environment for environment in release_line(measured)}
    return list(last.values())


_MILDER = {Severity.WORDING: Agreement.WORDING, Severity.CLASS: Agreement.CLASS}


def rate_agreement(
    example: Example, run: Run | None, own: Run, statements: Collection[int] | None = None
) -> Agreement:
    """How far a run differs from the one that a page shows, both of the present code.

    ``statements`` are the indices of those that count; None for all, and for what shows after each block.
    """
    if run is None or any(run.observation(index) is None for index in statements or ()):
        return Agreement.NOT_MEASURED
    changes = find_changes(run, own, example)
    return _rate([change for change in changes if statements is None or change.statement in statements])


def rate_start(example: Example, run: Run | None, own: Run, last: int) -> Agreement:
    """The same of the blocks up to block ``last``: what their statements do, and what shows after them."""
    if run is None:
        return Agreement.NOT_MEASURED
    changes = [change for change in find_changes(run, own, example) if change.block <= last]
    count = sum(len(block.statements) for block in example.blocks[: last + 1])
    if not changes and any(run.observation(index) is None for index in range(count)):
        return Agreement.NOT_MEASURED
    return _rate(changes)


def _rate(changes: Collection[Change]) -> Agreement:
    """How far runs differ that differ so."""
    if not changes:
        return Agreement.SAME
    gravest = min((change.severity for change in changes), key=lambda severity: severity.rank)
    return _MILDER.get(gravest, Agreement.BEHAVIOUR)


# --- what a run did ------------------------------------------------------------------------------


def statement_boxes(run: Run, index: int) -> tuple[Box, ...]:
    """Boxes for statement ``index`` of a run; empty where it was silent or did not run."""
    observation = run.observation(index)
    if observation is None:
        return ()
    boxes = tuple(observation_boxes(without_own_lines(observation, run.example)))
    stop = run.describe_stop(index)
    return (*boxes, Box("error", "The run ended here", stop)) if stop and not observation.raised else boxes


def observation_boxes(observation: Observation) -> Iterator[Box]:
    """Boxes for stdout, caught errors that were printed, warnings, stderr and an uncaught error."""
    yield from _stdout_boxes(observation)
    for warned in observation.warnings:
        yield Box("warning", warned.category, warned.message)
    if observation.stderr:
        yield Box("output", "Standard error", "\n".join(split_written(observation.stderr)))
    if observation.raised is not None:
        traceback = strip_frames(observation.raised.traceback)
        kind, message = observation.raised.type, observation.raised.message
        yield Box("error", f"{kind}, uncaught", "\n".join(traceback) or f"{kind}: {message}")


def _stdout_boxes(observation: Observation) -> Iterator[Box]:
    parts = list(split_stdout(observation))
    for text, caught in parts:
        printed = text.strip("\n") if len(parts) > 1 and caught is None else text
        if printed and caught is None:
            yield Box("output", "Output", "\n".join(split_written(printed)))
        elif printed and caught is not None:
            yield Box("error", caught.type, printed)


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


_FRAME = re.compile(r'  File "(?P<file>[^"]*)", line [\d…]+(?P<rest>.*)')


def group_outcomes(runs: Sequence[tuple[Environment, Run]], index: int) -> list[StatementOutcome]:
    """Distinct outcomes of a statement, in order of first environment; without runs that show none."""
    groups: dict[tuple[Box, ...], dict[Environment, Run]] = {}
    for environment, run in runs:
        if run.observation(index) is not None:
            groups.setdefault(statement_boxes(run, index), {})[environment] = run
    return [StatementOutcome(boxes, tuple(of), next(iter(of.values()))) for boxes, of in groups.items()]


def new_sharing(run: Run, index: int) -> tuple[SharingGroup, ...]:
    """Names that share memory after block ``index``, not before it; empty where the run shows none."""
    snapshot = run.snapshot(index)
    if snapshot is None:
        return ()
    before = _snapshot_before(run, index).shares
    return tuple(_sharing_group(snapshot, names) for names in snapshot.shares if names not in before)


def new_left_out(run: Run, index: int) -> tuple[str, ...]:
    """Expressions of which not everything they hold was looked at after block ``index``, but before it."""
    snapshot = run.snapshot(index)
    before = _snapshot_before(run, index).left_out
    return () if snapshot is None else tuple(name for name in snapshot.left_out if name not in before)


def _snapshot_before(run: Run, index: int) -> Snapshot:
    """What was alive when a block began, as far as it was measured."""
    return next((one for one in reversed(run.snapshots[:index]) if not one.broken), Snapshot())


def _sharing_group(snapshot: Snapshot, names: tuple[str, ...]) -> SharingGroup:
    value = next(value for value in snapshot.values if value.name == names[0])
    nbytes = snapshot.buffers[value.buffer].nbytes if value.buffer is not None else 0
    return SharingGroup(names, nbytes, value.device)
