"""Several captures → one for each environment, in whatever order, and which shards of it are missing.

Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tensor_atlas.errors import AtlasError
from tensor_atlas.model.capture import Capture, missing_shards
from tensor_atlas.model.cells import Tried
from tensor_atlas.model.runs import Run


@dataclass(frozen=True)
class MergedCapture:
    """What several captures say of one environment."""

    capture: Capture
    """All of it."""
    missing: tuple[str, ...] = ()
    """Shards that nobody gave: what they hold is not known, which is not the same as gone."""


def merge_captures(captures: Mapping[str, Capture]) -> list[MergedCapture]:
    """One for each environment, in order of its id; ``captures`` by the file that holds each.

    AtlasError where two captures contradict each other on a run or cell.
    """
    by_environment: dict[str, dict[str, Capture]] = {}
    for file, capture in sorted(captures.items()):
        by_environment.setdefault(capture.environment.id, {})[file] = capture
    return [_merge(by_environment[environment]) for environment in sorted(by_environment)]


def _merge(captures: Mapping[str, Capture]) -> MergedCapture:
    """Captures of one environment as one; its day is the last of theirs, and each run keeps its own."""
    _refuse_contradictions(captures)
    environment = max((part.environment for part in captures.values()), key=lambda e: (e.date, repr(e)))
    runs: dict[str, Run] = {}
    seconds: dict[str, float] = {}
    dates: dict[str, str] = {}
    cells: dict[str, dict[str, Tried]] = {}
    for part in captures.values():
        for run in part.runs:
            runs[run.example] = run
            dates[run.example] = max(part.environment_of(run.example).date, dates.get(run.example, ""))
        for conversion, row in part.cells.items():
            cells.setdefault(conversion, {}).update(row)
        seconds.update(part.seconds)
    whole = Capture(
        environment=environment,
        runs=tuple(runs[name] for name in sorted(runs)),
        seconds=seconds,
        dates={name: day for name, day in sorted(dates.items()) if day != environment.date},
        cells={conversion: dict(sorted(cells[conversion].items())) for conversion in sorted(cells)},
    )
    shards = [part.shard for part in captures.values() if part.shard is not None]
    return MergedCapture(whole, tuple(missing_shards(shards)))


def _refuse_contradictions(captures: Mapping[str, Capture]) -> None:
    first: dict[tuple[str, ...], tuple[str, Run | Tried]] = {}
    for file, capture in captures.items():
        for name, outcome in _name_outcomes(capture):
            other, known = first.setdefault(name, (file, outcome))
            if known != outcome:
                what = f"contradicts {other} on {' with '.join(name)}"
                raise AtlasError(file, what, "give the right one of the two alone")


def _name_outcomes(capture: Capture) -> Iterator[tuple[tuple[str, ...], Run | Tried]]:
    """Each run by its example, each cell by its conversion and its source."""
    for run in capture.runs:
        yield (run.example,), run
    for conversion, row in capture.cells.items():
        for source, tried in row.items():
            yield (conversion, source), tried
