"""Timing of calls in turn, round after round: median and quartiles in seconds per call."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tensor_atlas.model.runs import JSON

UP, DOWN, WITHIN, HOST = "host to device", "device to host", "within the device", "within the host"
RETURN, VALUE, VALUES, OTHERS = "until the call returns", "a single value", "many values", "hand-over"
"""Series of a measurement on a GPU."""
ENOUGH = 0.02
"""Seconds that the calls of one measurement take together, so that the clock's resolution does not matter."""

Call: TypeAlias = Callable[[], object]
Timer: TypeAlias = Callable[[Call, int], float]
"""Function that takes a call and how often to make it, and returns seconds per call."""


def time_by_clock(call: Call, count: int) -> float:
    """Seconds of wall time per call, one call right after the other."""
    start = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - start) / count


@dataclass(frozen=True)
class Case:
    """One call to time."""

    series: str
    """Figure in which it is compared with others."""
    name: str
    """The call, as code."""
    size: int
    """Bytes, or elements, that it works on: the abscissa."""
    call: Call
    """Function that makes the call once; its result is dropped."""
    timer: Timer = time_by_clock
    """How it is timed."""


def make_cases(series: str, size: int, ways: Mapping[str, Call], timer: Timer = time_by_clock) -> list[Case]:
    """A case for each of several ways, by name, to do the same on ``size`` bytes or elements."""
    return [Case(series, name, size, call, timer) for name, call in ways.items()]


@dataclass(frozen=True)
class Timing:
    """How long one case took."""

    case: Case
    seconds: tuple[float, ...]
    """Seconds per call, one for each round."""

    def document(self) -> dict[str, JSON]:
        """Median and quartiles, in seconds per call."""
        low, middle, high = statistics.quantiles(self.seconds, n=4, method="inclusive")
        return {
            "series": self.case.series,
            "name": self.case.name,
            "size": self.case.size,
            "median": middle,
            "low": low,
            "high": high,
        }


def time_cases(cases: Sequence[Case], rounds: int, enough: float = ENOUGH) -> list[Timing]:
    """Timings of all cases, each measured once a round, so that a slow machine slows all of them."""
    counts = [_count_calls(case, enough) for case in cases]  # this warms up, too
    seconds: list[list[float]] = [[] for _ in cases]
    for _ in range(rounds):
        for case, count, measured in zip(cases, counts, seconds, strict=True):
            measured.append(case.timer(case.call, count))
    return [Timing(case, tuple(measured)) for case, measured in zip(cases, seconds, strict=True)]


def _count_calls(case: Case, enough: float) -> int:
    """How many calls take long enough to be timed."""
    count = 1
    while (taken := case.timer(case.call, count) * count) < enough:
        count = max(count * 2, int(count * enough / max(taken, 1e-9)))
    return count
