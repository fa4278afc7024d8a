"""Everything one environment observed in one run of the probe, and its JSON form; no files, no torch."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from tensor_atlas.model.cells import Cell, Tried, cell_from_json, cell_to_json
from tensor_atlas.model.runs import (
    JSON,
    SCHEMA,
    Environment,
    Fields,
    FormError,
    Run,
    check_schema,
    environment_from_json,
    environment_to_json,
    run_from_json,
    run_to_json,
)
from tensor_atlas.model.shards import Shard, shard

Spelled: TypeAlias = tuple[Run, str]
"""A run, and its text in a capture."""


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
    shard: Shard | None = None
    """Which part of a run this is; None for a whole one."""

    def environment_of(self, example: str) -> Environment:
        """Environment of one run, with the day it ran."""
        return replace(self.environment, date=self.dates.get(example, self.environment.date))


def capture_to_json(capture: Capture) -> dict[str, JSON]:
    return {**_but_runs(capture), "runs": [run_to_json(run) for run in capture.runs]}


def capture_text(capture: Capture, spelled: Mapping[str, Spelled]) -> str:
    """``capture_to_json`` as it is written; runs that have been ``spelled``, by example, are not spelled again."""
    known = [(run, *spelled.get(run.example, (None, ""))) for run in capture.runs]
    runs = ", ".join(text if which is run else spelling(run) for run, which, text in known)
    return f'{_spelled(_but_runs(capture))[:-1]}, "runs": [{runs}]}}'


def _but_runs(capture: Capture) -> dict[str, JSON]:
    part = capture.shard
    return {
        "schema": SCHEMA,
        **({} if part is None else {"shard": str(part), "plan": part.plan}),
        "environment": environment_to_json(capture.environment),
        "seconds": {name: round(seconds, 3) for name, seconds in capture.seconds.items()},
        "dates": dict(capture.dates),
        "matrix": _matrix_to_json(capture.cells),
    }


def spelling(run: Run) -> str:
    """A run as it stands in a capture."""
    return _spelled(run_to_json(run))


def _spelled(document: JSON) -> str:
    return json.dumps(document, ensure_ascii=False)


def _matrix_to_json(cells: Mapping[str, Mapping[str, Tried]]) -> dict[str, JSON]:
    """Each distinct outcome once, and for each cell its place among them: there are fewer than cells by far."""
    places: dict[Cell, int] = {}
    placed: dict[str, JSON] = {}
    for conversion, row in cells.items():
        placed[conversion] = {s: [places.setdefault(t.cell, len(places)), *t.code] for s, t in row.items()}
    return {"outcomes": [cell_to_json(cell) for cell in places], "cells": placed}


def _dates(fields: Fields) -> dict[str, str]:
    dates = fields.optional_object("dates")
    return {} if dates is None else {name: dates.text(name) for name in dates.names()}


def capture_from_json(document: JSON) -> Capture:
    """Capture of a parsed capture file; FormError says which field is wrong."""
    fields = check_schema(document)
    seconds = fields.object("seconds")
    return Capture(
        environment=environment_from_json(fields.object("environment")),
        runs=tuple(run_from_json(run) for run in fields.objects("runs")),
        seconds={name: seconds.number(name) for name in seconds.names()},
        dates=_dates(fields),
        cells=_cells(fields),
        shard=_shard(fields),
    )


def _shard(fields: Fields) -> Shard | None:
    text = fields.optional_text("shard")
    try:
        return None if text is None else replace(shard(text), plan=fields.text("plan"))
    except ValueError as error:
        raise FormError(f"shard: {error}") from None


def _cells(fields: Fields) -> dict[str, dict[str, Tried]]:
    matrix = fields.optional_object("matrix")
    if matrix is None:
        return {}
    outcomes = [cell_from_json(outcome) for outcome in matrix.objects("outcomes")]
    rows = matrix.object("cells")
    return {conversion: _row(rows.object(conversion), outcomes) for conversion in rows.names()}


def _row(row: Fields, outcomes: list[Cell]) -> dict[str, Tried]:
    found = {}
    for source in row.names():
        match row.items(source):
            case [int(place), str(conversion), str(made)] if 0 <= place < len(outcomes):
                found[source] = Tried((conversion, made), outcomes[place])
            case other:
                raise FormError(
                    f"matrix.{source}: expected the place of an outcome and two digests, found {other!r}"
                )
    return found
