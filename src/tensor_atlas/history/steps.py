"""Environments that nobody recorded, composed of steps of NumPy that others of their kind took; pure.

They have the device, platform and Python of those that took the step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from tensor_atlas.history.releases import (
    ReleaseStep,
    age_key,
    is_compatible,
    name_environment,
    package_steps,
)
from tensor_atlas.model.runs import Environment

REACH = 2
"""Releases of torch over which a step of NumPy is carried and few changes go wrong.

``tests/composed_upgrades.py`` measures it.
"""


@dataclass(frozen=True)
class Composed:
    """An environment that nobody recorded, and how it is reached."""

    environment: Environment
    base: Environment
    """The same but for NumPy: recorded, or composed itself."""
    step: ReleaseStep
    """Recorded environments of the nearest torch, with the NumPy of the base and with that of this one."""
    is_far: bool = False
    """Whether a step to it is carried over more than ``REACH`` releases of torch: then more goes wrong."""


def compose_environments(recorded: Iterable[Environment]) -> list[Composed]:
    """Environments that a step of NumPy leads to, each behind its base: the nearest step comes first."""
    known = {environment.id: environment for environment in recorded if is_compatible(environment)}
    far: set[str] = set()
    there = package_steps("NumPy", known.values())
    steps = [*there, *(ReleaseStep(step.after, step.before) for step in there)]
    composed: list[Composed] = []
    while True:
        due = [one for base in known.values() for one in _take_steps(base, steps)]
        names = set(map(name_environment, known.values()))
        # Not where another build of the same releases is known.
        unknown = [one for one in due if name_environment(one.environment) not in names]
        new = min(unknown, key=_rank, default=None)
        if new is None:
            return composed
        known[new.environment.id] = new.environment
        is_far = new.base.id in far or _count_releases(new.base, new.step.before) > REACH
        far |= {new.environment.id} if is_far else set()
        composed.append(replace(new, is_far=is_far))


def _take_steps(base: Environment, steps: Iterable[ReleaseStep]) -> Iterator[Composed]:
    """What is one step away from ``base``, as far as another torch took it."""
    for step in steps:
        like = step.before
        if (base.numpy, base.device, base.platform) != (like.numpy, like.device, like.platform):
            continue
        environment = replace(base, numpy=step.after.numpy, date="")
        if ReleaseStep(base, like).packages == ["torch"] and is_compatible(environment):
            yield Composed(environment, base, step)


def _rank(composed: Composed) -> tuple[int, int, str]:
    """Sort key: the nearest torch first, then the narrowest step."""
    step = composed.step
    aside, along = _count_releases(composed.base, step.before), _count_releases(step.before, step.after)
    return aside, along, composed.base.id


def _count_releases(one: Environment, other: Environment) -> int:
    """How many releases lie from one environment to the other, whichever is older."""
    return ReleaseStep(*sorted((one, other), key=age_key)).width
