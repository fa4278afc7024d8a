"""Which release changed what in one example, from its runs in many environments; pure.

Nothing is filled forward: a step lies between two environments that both ran the present code.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from tensor_atlas.examples.parse import Example
from tensor_atlas.history.changes import Change, Severity, count_statements, find_changes
from tensor_atlas.history.outcomes import new_sharing, statement_boxes
from tensor_atlas.history.releases import (
    ReleaseStep,
    is_compatible,
    is_other_build,
    numpy_steps,
    python_steps,
    rank_steps,
    release_line,
    release_steps,
    sort_steps,
    torch_release,
)
from tensor_atlas.model.runs import Environment, Run, Runs


@dataclass(frozen=True)
class Event:
    """One change, and the two environments between which it happened."""

    step: ReleaseStep
    """The environments, which both ran the example."""
    change: Change
    """What changed."""


class Agreement(StrEnum):
    """How far one release differs from what the page shows."""

    SAME = "the same"
    WORDING = "other wording"
    CLASS = "another exception class"
    BEHAVIOUR = "other behaviour"
    NOT_MEASURED = "not measured"


def find_events(example: Example, runs: Runs) -> tuple[Event, ...]:
    """Changes on each device: those of torch's releases, then those of NumPy's, then those of Python's.

    Each group is ordered from old to new. NumPy's and Python's changes are read off steps in which nothing
    else changed.
    """
    found: list[Event] = []
    by_id = {environment.id: run for environment, run in runs}
    for device in dict.fromkeys(environment.device for environment, _ in runs):
        there = [environment for environment, _ in runs if environment.device == device]
        compatible = [environment for environment in there if is_compatible(environment)]
        of_torch = [step for step in release_steps(there) if not step.is_of_numpy and not step.is_of_python]
        found += _without_bounces([_step_events(example, step, by_id) for step in of_torch], by_id)
        found += _package_events(example, numpy_steps(compatible), by_id)
        found += _package_events(example, python_steps(compatible), by_id)
    return tuple(found)


def _step_events(example: Example, step: ReleaseStep, runs: Mapping[str, Run]) -> list[Event]:
    before, after = runs[step.before.id], runs[step.after.id]
    return [Event(step, change) for change in find_changes(before, after, count_statements(example))]


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
    if not is_other_build(into[0].step.before, into[0].step.after, out[0].step.after):
        return set()
    first, last = runs[into[0].step.before.id], runs[out[0].step.after.id]
    places = {_place(event.change) for event in into} & {_place(event.change) for event in out}
    return {place for place in places if _shown(first, place) == _shown(last, place)}


def _place(change: Change) -> _Place:
    return change.block, change.statement


def _shown(run: Run, place: _Place) -> object:
    """What a page shows of a run at one place."""
    block, statement = place
    if statement is not None:
        return statement_boxes(run, statement)
    if block >= len(run.snapshots):
        return None
    return new_sharing(run, block), run.snapshots[block].values


def _package_events(example: Example, alone: Iterable[ReleaseStep], runs: Mapping[str, Run]) -> list[Event]:
    """Events of steps within torch releases; of those that several show, that of the closest pair."""
    known: set[tuple[object, ...]] = set()
    found: list[Event] = []
    steps = rank_steps(alone)
    for step in steps:
        for event in _step_events(example, step, runs):
            keys = _likenesses(event.change)
            if not keys & known:
                known |= keys
                found.append(event)
    order = sort_steps(steps)
    return sorted(found, key=lambda event: order.index(event.step))


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
    example: Example, run: Run | None, shown: Run, statements: Collection[int] | None = None
) -> Agreement:
    """How far a run differs from the one that a page shows, both of the present code.

    ``statements`` are the indices of those that count; None for all, and for what shows after each block.
    """
    if run is None or (statements and len(run.observations) <= max(statements)):
        return Agreement.NOT_MEASURED
    found = find_changes(run, shown, count_statements(example))
    counted = [change for change in found if statements is None or change.statement in statements]
    if not counted:
        return Agreement.SAME
    gravest = min((change.severity for change in counted), key=lambda severity: severity.rank)
    return _MILDER.get(gravest, Agreement.BEHAVIOUR)
