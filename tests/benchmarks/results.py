"""Reduces what was measured to multiples of the floor in the same round: the content of ``bench.json``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean, median
from typing import Any

from benchmarks.rounds import Measured

SCHEMA = 1
"""Version of the file."""
Results = dict[str, Any]
"""The file, parsed."""
Row = dict[str, Any]
"""One system in one state at one size."""


def summarise(measured: Sequence[Measured], environment: Mapping[str, Any], start: float) -> Results:
    """The file: a row for each size, system and state.

    ``start`` is the seconds that importing torch takes, the unit of slopes.
    """
    groups: dict[tuple[object, ...], list[Measured]] = {}
    for one in measured:
        groups.setdefault((one.size, one.system, one.state), []).append(one)
    rows = [_summarise_group(group, measured) for group in groups.values()]
    return {"schema": SCHEMA, "environment": dict(environment), "start": start, "rows": rows}


def _summarise_group(group: Sequence[Measured], measured: Sequence[Measured]) -> Row:
    timed = [one for one in group if one.timed]
    floors = [_floors_of_round(one, measured) for one in timed]
    pairs = list(zip(timed, floors, strict=True))
    ratios = [one.wall / mean(floor.wall for floor in around) for one, around in pairs]
    cpu = [one.cpu / mean(floor.cpu for floor in around) for one, around in pairs]
    first = timed[0]
    return {
        "system": first.system,
        "state": first.state,
        "count": first.size.count,
        "per_file": first.size.per_file,
        "rounds": len(timed),
        "ratio": median(ratios),
        "low": min(ratios),
        "high": max(ratios),
        "cpu": median(cpu),
        "seconds": median(one.wall for one in timed),
        "memory": _memory_ratio(group, measured),
        "page": first.page,
    }


def _floors_of_round(one: Measured, measured: Sequence[Measured]) -> list[Measured]:
    """The runs of the floor at the beginning and at the end of the round of a run."""
    where = (one.size, one.round)
    return [floor for floor in measured if floor.system == "floor" and (floor.size, floor.round) == where]


def _memory_ratio(group: Sequence[Measured], measured: Sequence[Measured]) -> float | None:
    """Median peak of memory as a multiple of the floor's; None where either is not known."""
    size = group[0].size
    floors = [one.memory for one in measured if one.system == "floor" and one.size == size and one.memory]
    peaks = [one.memory for one in group if one.memory]
    return median(peaks) / median(floors) if peaks and floors else None
