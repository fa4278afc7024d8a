"""What changes from one environment to another, as changes of steps that are joined along a way; pure.

Outcomes are numbers: environments in which something did alike have the same one. An environment that nobody
recorded is composed: it gets the steps that others of its device, platform and Python took.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from tensor_atlas.history.releases import ReleaseStep, age_key, is_compatible, package_steps
from tensor_atlas.model.runs import Environment

ABSENT = -1
"""Outcome of what an environment did not try."""
REACH = 2
"""Releases of torch over which a step of NumPy is carried: ``tests/composed_upgrades.py`` measures this."""


class OutcomeChange(NamedTuple):
    """Another outcome in another environment; what has alike outcomes in all of them is one thing."""

    thing: int
    before: int
    after: int


@dataclass(frozen=True)
class Composed:
    """An environment that nobody recorded, and how it is reached."""

    environment: Environment
    base: Environment
    """The same but for NumPy: recorded, or composed itself."""
    step: ReleaseStep
    """Recorded environments of the nearest torch, with the NumPy of the base and with that of this one."""


def compare_outcomes(outcomes: Sequence[Sequence[int]], before: int, after: int) -> list[OutcomeChange]:
    """Changes from one environment to another; ``outcomes`` are by thing, then by environment."""
    ends = (OutcomeChange(thing, of[before], of[after]) for thing, of in enumerate(outcomes))
    return [change for change in ends if change.before != change.after]


def reverse_changes(changes: Iterable[OutcomeChange]) -> list[OutcomeChange]:
    """Changes for whoever goes the other way."""
    return [OutcomeChange(thing, after, before) for thing, before, after in changes]


def join_changes(way: Iterable[Iterable[OutcomeChange]]) -> list[OutcomeChange]:
    """Changes of steps, one step after the other: what ends where it began is dropped."""
    joined: dict[int, OutcomeChange] = {}
    for changes in way:
        for change in changes:
            first = joined.get(change.thing, change)
            joined[change.thing] = OutcomeChange(change.thing, first.before, change.after)
    return [change for change in joined.values() if change.before != change.after]


def span_environments(pairs: Sequence[tuple[int, int]], root: int) -> dict[int, tuple[int, int]]:
    """For each environment the pair that leads towards the root, with as early a pair as there is."""
    found: dict[int, tuple[int, int]] = {}
    reached = {root}
    while True:
        pair = next((pair for pair in pairs if len(reached.intersection(pair)) == 1), None)
        if pair is None:
            return found
        (new,) = set(pair) - reached
        found[new] = pair
        reached.add(new)


# --- environments that nobody recorded -----------------------------------------------------------


def compose_environments(recorded: Iterable[Environment]) -> list[Composed]:
    """Environments that a step of NumPy leads to, each behind its base: the nearest step comes first."""
    known = {environment.id: environment for environment in recorded if is_compatible(environment)}
    there = package_steps("NumPy", known.values())
    steps = [*there, *(ReleaseStep(step.after, step.before) for step in there)]
    found: list[Composed] = []
    while True:
        due = [one for base in known.values() for one in _take_steps(base, steps)]
        new = min((one for one in due if one.environment.id not in known), key=_rank, default=None)
        if new is None:
            return found
        known[new.environment.id] = new.environment
        found.append(new)


def _take_steps(base: Environment, steps: Iterable[ReleaseStep]) -> Iterator[Composed]:
    """What is one step away from ``base``, as far as a near torch took it."""
    for step in steps:
        like = step.before
        if (base.numpy, base.device, base.platform) != (like.numpy, like.device, like.platform):
            continue
        environment = replace(base, numpy=step.after.numpy, date="")
        is_near = ReleaseStep(base, like).packages == ["torch"] and _count_releases(base, like) <= REACH
        if is_near and is_compatible(environment):
            yield Composed(environment, base, step)


def _rank(composed: Composed) -> tuple[int, int, str]:
    """Sort key: the nearest torch first, then the narrowest step."""
    step = composed.step
    aside, along = _count_releases(composed.base, step.before), _count_releases(step.before, step.after)
    return aside, along, composed.base.id


def _count_releases(one: Environment, other: Environment) -> int:
    """How many releases lie from one environment to the other, whichever is older."""
    return ReleaseStep(*sorted((one, other), key=age_key)).width


def compose_outcome(base: int, before: int, after: int) -> int:
    """Outcome behind a step: where it changed something, what it changed that to; else that of the base."""
    return base if before == after else after
