"""Several captures → one for each environment, in whatever order, and which shards of it are missing; pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tensor_atlas.errors import AtlasError
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.cells import Tried
from tensor_atlas.model.runs import Run
from tensor_atlas.model.shards import missing_shards


@dataclass(frozen=True)
class MergedCapture:
    """What several captures say of one environment."""

    capture: Capture
    """All of it."""
    missing: tuple[str, ...] = ()
    """Shards that nobody gave: what they hold is not known, which is not the same as gone."""


def merge_captures(captures: Mapping[str, Capture]) -> list[MergedCapture]:
    """One for each environment, in order of its id; ``captures`` by the file that holds each.

    AtlasError where two captures say different things about one run or cell.
    """
    found: dict[str, dict[str, Capture]] = {}
    for file, capture in sorted(captures.items()):
        found.setdefault(capture.environment.id, {})[file] = capture
    return [_join(found[environment]) for environment in sorted(found)]


def _join(captures: Mapping[str, Capture]) -> MergedCapture:
    """Captures of one environment as one; its day is the last of theirs, and each run keeps its own."""
    _refuse_contradictions(captures)
    parts = list(captures.values())
    environment = max((part.environment for part in parts), key=lambda one: (one.date, repr(one)))
    runs: dict[str, Run] = {}
    dates: dict[str, str] = {}
    cells: dict[str, dict[str, Tried]] = {}
    for part in parts:
        for run in part.runs:
            day = part.environment_of(run.example).date
            runs[run.example] = run
            dates[run.example] = max(day, dates.get(run.example, ""))
        for conversion, row in part.cells.items():
            cells.setdefault(conversion, {}).update(row)
    whole = Capture(
        environment=environment,
        runs=tuple(runs[name] for name in sorted(runs)),
        seconds={name: taken for part in parts for name, taken in part.seconds.items()},
        dates={name: day for name, day in sorted(dates.items()) if day != environment.date},
        cells={conversion: dict(sorted(cells[conversion].items())) for conversion in sorted(cells)},
    )
    return MergedCapture(
        whole, tuple(missing_shards([part.shard for part in parts if part.shard is not None]))
    )


def _refuse_contradictions(captures: Mapping[str, Capture]) -> None:
    said: dict[tuple[str, ...], tuple[str, Run | Tried]] = {}
    for file, capture in captures.items():
        things: dict[tuple[str, ...], Run | Tried] = {(run.example,): run for run in capture.runs}
        things |= {
            (name, source): tried for name, row in capture.cells.items() for source, tried in row.items()
        }
        for thing, outcome in things.items():
            other, known = said.setdefault(thing, (file, outcome))
            if known != outcome:
                what = f"tells otherwise of {' on '.join(thing)} than {other}"
                raise AtlasError(file, what, "give the one of the two that is meant")
