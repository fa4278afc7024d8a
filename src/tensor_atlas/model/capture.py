"""Captures and shards of them: merged by environment, and as JSON; standard library alone; pure."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from tensor_atlas.errors import AtlasError
from tensor_atlas.model.cells import Cell, Tried, shorten_cell
from tensor_atlas.model.names import NameAnswer, Names, encode_names
from tensor_atlas.model.runs import JSON, SCHEMA, Environment, Run, encode_fields

_Thing = TypeVar("_Thing")
ENGINE = ("model", "examples", "catalogue", "probe")
"""Rooms whose code runs where a capture is made."""
SITE_ONLY = "scenarios.py"
"""The one module of these rooms that only the site needs."""
_SPELLING = re.compile(r"([1-9][0-9]{0,4})/([1-9][0-9]{0,4})")


@dataclass(frozen=True)
class Capture:
    """Everything one environment observed in one run of the probe."""

    environment: Environment
    """Where."""
    runs: tuple[Run, ...]
    """In order of example name."""
    seconds: dict[str, float]
    """Wall time by example; never part of a record."""
    dates: dict[str, str] = field(default_factory=dict)
    """Day of a run, by example, where it is not the environment's: a build keeps runs of earlier days."""
    cells: Mapping[str, Mapping[str, Tried]] = field(default_factory=dict)
    """The matrix: by conversion, then by source."""
    names: Names = field(default_factory=dict)
    """What modules and objects answered for their names."""
    shard: Shard | None = None
    """Which part of a run this is; None for a whole one."""

    def environment_of(self, example: str) -> Environment:
        """Environment of one run, with the day it ran."""
        return replace(self.environment, date=self.dates.get(example, self.environment.date))


@dataclass(frozen=True)
class Shard:
    """One part of a run."""

    number: int
    """Which part, counted from 1."""
    count: int
    """How many parts there are."""
    plan: str = ""
    """Digest of all that the parts share out: only shards of one plan make a whole."""

    def __str__(self) -> str:
        """As it is spelled: ``2/8``."""
        return f"{self.number}/{self.count}"

    def select(self, things: Sequence[_Thing]) -> list[_Thing]:
        """The things of this part; every thing belongs to one part, and the parts differ by one at most."""
        return list(things[self.number - 1 :: self.count])


def parse_shard(text: str) -> Shard:
    """Shard that ``2/8`` spells; ValueError says in one line what is wrong."""
    form = _SPELLING.fullmatch(text)
    if form is None or int(form[1]) > int(form[2]):
        raise ValueError(f"{text!r} is no shard: write 2/8 for the second of eight")
    return Shard(int(form[1]), int(form[2]))


def digest_plan(code: Sequence[tuple[str, str]], *, matrix: bool) -> str:
    """Digest of a whole plan: names and digests of all examples, and whether the matrix is tried."""
    return hashlib.sha256(json.dumps([sorted(code), matrix]).encode()).hexdigest()[:16]


def missing_shards(shards: Sequence[Shard]) -> list[str]:
    """Which parts lack, of each whole that some are of: ``3/8``; none where every whole is complete."""
    wholes = sorted({(one.plan, one.count) for one in shards})
    given = set(shards)
    parts = (Shard(number, count, code) for code, count in wholes for number in range(1, count + 1))
    return [str(part) for part in parts if part not in given]


def encode_capture(capture: Capture) -> dict[str, JSON]:
    """JSON object of a capture; seconds are rounded to milliseconds."""
    shard = capture.shard
    return {
        "schema": SCHEMA,
        **({} if shard is None else {"shard": str(shard), "plan": shard.plan}),
        "environment": encode_fields(capture.environment),
        "seconds": {name: round(seconds, 3) for name, seconds in capture.seconds.items()},
        "dates": dict(capture.dates),
        "matrix": _encode_matrix(capture.cells),
        **({"names": encode_names(capture.names)} if capture.names else {}),
        "runs": [encode_fields(run) for run in capture.runs],
    }


def _encode_matrix(cells: Mapping[str, Mapping[str, Tried]]) -> dict[str, JSON]:
    """Each distinct outcome once, and each cell as the index of its outcome and the digests of its code."""
    indices: dict[Cell, int] = {}
    rows: dict[str, JSON] = {}
    for conversion, row in cells.items():
        rows[conversion] = {
            source: [indices.setdefault(tried.cell, len(indices)), *tried.code]
            for source, tried in row.items()
        }
    return {"outcomes": [encode_fields(shorten_cell(cell)) for cell in indices], "cells": rows}


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
    engines = {engine for part in captures.values() for engine in part.environment.engines}
    runs: dict[str, Run] = {}
    seconds: dict[str, float] = {}
    dates: dict[str, str] = {}
    cells: dict[str, dict[str, Tried]] = {}
    names: dict[str, Mapping[str, NameAnswer]] = {}
    for part in captures.values():
        for run in part.runs:
            runs[run.example] = run
            dates[run.example] = max(part.environment_of(run.example).date, dates.get(run.example, ""))
        for conversion, row in part.cells.items():
            cells.setdefault(conversion, {}).update(row)
        names |= part.names
        seconds.update(part.seconds)
    whole = Capture(
        environment=replace(environment, engines=tuple(sorted(engines))),
        runs=tuple(runs[name] for name in sorted(runs)),
        seconds=seconds,
        dates={name: day for name, day in sorted(dates.items()) if day != environment.date},
        cells={conversion: dict(sorted(cells[conversion].items())) for conversion in sorted(cells)},
        names=names,
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
