"""Runs of one example in many environments → what changed in which release; pure.

Nothing is filled forward: a step lies between two environments that both ran the present code.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from tensor_atlas.examples.parse import Example
from tensor_atlas.history.changes import Change, Severity, count_statements, find_changes
from tensor_atlas.history.outcomes import new_sharing, statement_boxes
from tensor_atlas.history.releases import (
    ReleaseStep,
    is_compatible,
    numpy_steps,
    python_steps,
    release_line,
    release_steps,
    sort_steps,
    torch_release,
)
from tensor_atlas.model.runs import Environment, Run

Runs = Sequence[tuple[Environment, Run]]


@dataclass(frozen=True)
class Event:
    """One change, and between which two environments it came."""

    step: ReleaseStep
    """The environments, which both ran the example."""
    change: Change
    """What changed."""


class Standing(StrEnum):
    """What one release does, beside what the page shows."""

    SAME = "the same"
    WORDING = "other wording"
    BEHAVIOUR = "other behaviour"
    NOT_MEASURED = "not measured"


def find_events(example: Example, runs: Runs) -> tuple[Event, ...]:
    """Changes from release to release, on each device, then those that NumPy or Python alone has made; oldest first."""
    found: list[Event] = []
    by_id = {environment.id: run for environment, run in runs}
    for device in dict.fromkeys(environment.device for environment, _ in runs):
        there = [environment for environment, _ in runs if environment.device == device]
        fitting = [e for e in there if is_compatible(e)]
        of_torch = [step for step in release_steps(there) if not step.is_of_numpy and not step.is_of_python]
        found += _without_bounces([_between(example, step, by_id) for step in of_torch], by_id)
        found += _of_package(example, numpy_steps(fitting), by_id)
        found += _of_package(example, python_steps(fitting), by_id)
    return tuple(found)


def _between(example: Example, step: ReleaseStep, runs: Mapping[str, Run]) -> list[Event]:
    before, after = runs[step.before.id], runs[step.after.id]
    return [Event(step, change) for change in find_changes(before, after, count_statements(example))]


def _without_bounces(found: list[list[Event]], runs: Mapping[str, Run]) -> list[Event]:
    """Events but for those of a release recorded with another build that the next release takes back.

    A CPU build between two CUDA builds says some things in its own words: that is no change of a release.
    """
    for into, out in pairwise(found):
        if not into or not out or not _is_alone(into[0].step, out[0].step):
            continue
        first, last = runs[into[0].step.before.id], runs[out[0].step.after.id]
        places = {_place(e.change) for e in into} & {_place(e.change) for e in out}
        back = {place for place in places if _shown(first, place) == _shown(last, place)}
        into[:] = [event for event in into if _place(event.change) not in back]
        out[:] = [event for event in out if _place(event.change) not in back]
    return [event for group in found for event in group]


def _is_alone(into: ReleaseStep, out: ReleaseStep) -> bool:
    """Whether the release between two steps is of another build than both its neighbours."""
    builds = [environment.cuda is not None for environment in (into.before, into.after, out.after)]
    return builds[1] not in (builds[0], builds[2])


def _place(change: Change) -> tuple[int, int | None]:
    return change.block, change.statement


def _shown(run: Run, place: tuple[int, int | None]) -> object:
    block, statement = place
    if statement is not None:
        return statement_boxes(run, statement)
    return (new_sharing(run, block), run.snapshots[block].values) if block < len(run.snapshots) else None


def _of_package(example: Example, alone: Iterable[ReleaseStep], runs: Mapping[str, Run]) -> list[Event]:
    """Changes of steps in which torch stayed as it was; where two releases of it show one, the newer tells it."""
    known: set[tuple[object, ...]] = set()
    found: list[Event] = []
    for step in reversed(sort_steps(alone)):
        for event in _between(example, step, runs):
            change = event.change
            place = (*_place(change), change.severity)
            # What only shows after a block has no text before and after: its facts tell both.
            keys: set[tuple[object, ...]] = {(*place, "to", change.after, change.facts)}
            keys |= {(*place, "from", change.before)} if change.statement is not None else set()
            if not keys & known:
                known |= keys
                found.append(event)
    return found[::-1]


def main_environments(environments: Iterable[Environment]) -> list[Environment]:
    """One environment for each torch release, the one with the newest NumPy that fits; oldest release first."""
    last = {torch_release(environment): environment for environment in release_line(environments)}
    return list(last.values())


def judge_standing(example: Example, run: Run | None, shown: Run) -> Standing:
    """What a run does beside the one a page shows, both of the present code."""
    if run is None:
        return Standing.NOT_MEASURED
    found = find_changes(run, shown, count_statements(example))
    if not found:
        return Standing.SAME
    gravest = min((change.severity for change in found), key=lambda severity: severity.rank)
    return Standing.WORDING if gravest is Severity.WORDING else Standing.BEHAVIOUR
