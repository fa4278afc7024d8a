"""Cells by environment ⇄ one record document for each row of the matrix, distinct outcomes once; pure.

Folded, a row shows at a glance which releases differ: a cell that all environments agree on is one number, the place
of its outcome; where they differ, it names the groups of environments that gave each.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tensor_atlas.model.cells import Cell, cell_from_json, cell_to_json
from tensor_atlas.model.runs import JSON, SCHEMA, Fields, FormError, check_schema


@dataclass(frozen=True)
class Row:
    """The committed evidence about one conversion."""

    conversion: str
    """Its name."""
    cells: Mapping[str, Mapping[str, Cell]]
    """By environment id, then by the name of the source."""
    dates: Mapping[str, str] = field(default_factory=dict)
    """Day on which an environment's cells were first seen as they are, by environment id."""
    code: str = ""
    """Digest of the conversion's code that ran."""


def fold(row: Row) -> dict[str, JSON]:
    """Document of a row; the same bytes whatever order its cells came in."""
    groups = _groups(row)
    texts = {cell: _text(cell) for cells in row.cells.values() for cell in cells.values()}
    outcomes = sorted(set(texts.values()))
    at = {text: index for index, text in enumerate(outcomes)}
    places = {cell: at[text] for cell, text in texts.items()}
    members = [row.cells[environments[0]] for environments in groups]
    return {
        "schema": SCHEMA,
        "conversion": row.conversion,
        "groups": [{name: row.dates.get(name, "") for name in environments} for environments in groups],
        "code": row.code,
        "outcomes": [json.loads(text) for text in outcomes],
        "cells": {
            source: _placed(source, members, places) for source in sorted({s for m in members for s in m})
        },
    }


def _groups(row: Row) -> list[list[str]]:
    """Environments with the same cells, older releases first."""
    groups: dict[frozenset[tuple[str, Cell]], list[str]] = {}
    for environment in sorted(row.cells, key=_natural):
        groups.setdefault(frozenset(row.cells[environment].items()), []).append(environment)
    return list(groups.values())


def _natural(name: str) -> list[tuple[bool, int, str]]:
    """Order in which 2.9 stands before 2.10, so that groups of neighbouring releases have neighbouring numbers."""
    parts = re.findall(r"\d+|\D+", name)
    return [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts]


def _text(cell: Cell) -> str:
    return json.dumps(cell_to_json(cell), ensure_ascii=False, sort_keys=True)


def _placed(source: str, members: list[Mapping[str, Cell]], places: Mapping[Cell, int]) -> JSON:
    """The outcome of all groups, or outcome → groups; a group that is listed nowhere has not tried the cell."""
    found: dict[int, list[int]] = {}
    for group, cells in enumerate(members):
        if source in cells:
            found.setdefault(places[cells[source]], []).append(group)
    if len(found) == 1 and len(next(iter(found.values()))) == len(members):
        return next(iter(found))
    return {str(outcome): _ranges(found[outcome]) for outcome in sorted(found)}


def _ranges(groups: Sequence[int]) -> str:
    """``0-2, 5`` for groups 0, 1, 2 and 5, in ascending order."""
    runs: list[list[int]] = []
    for group in groups:
        if runs and runs[-1][-1] == group - 1:
            runs[-1].append(group)
        else:
            runs.append([group])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _in_ranges(text: str, source: str, groups: int) -> list[int]:
    """The groups that ``_ranges`` wrote, of so many that there are."""
    found: list[int] = []
    for run in text.split(", "):
        form = re.fullmatch(r"(\d+)(?:-(\d+))?", run, re.ASCII)
        if form is None:
            raise FormError(f"cells.{source}: {text!r} is no list of groups such as '0-2, 5'")
        first, last = int(form[1]), int(form[2] or form[1])
        if last >= groups:
            raise FormError(f"cells.{source}: names an outcome or a group that is not listed")
        found += range(first, last + 1)
    return found


def unfold(document: JSON) -> Row:
    """Row of a parsed document. FormError says which field is wrong, or that the schema is newer."""
    fields = check_schema(document)
    groups = fields.objects("groups")
    outcomes = [cell_from_json(outcome) for outcome in fields.objects("outcomes")]
    found: list[dict[str, Cell]] = [{} for _ in groups]
    cells = fields.object("cells")
    for source in cells.names():
        for outcome, group in _pairs(cells, source, len(groups)):
            if not 0 <= outcome < len(outcomes) or not 0 <= group < len(groups):
                raise FormError(f"cells.{source}: names an outcome or a group that is not listed")
            found[group][source] = outcomes[outcome]
    dates = {name: group.text(name) for group in groups for name in group.names()}
    return Row(
        fields.text("conversion"),
        {name: found[index] for index, group in enumerate(groups) for name in sorted(group.names())},
        {name: date for name, date in sorted(dates.items()) if date},
        fields.text("code"),
    )


def _pairs(cells: Fields, source: str, groups: int) -> list[tuple[int, int]]:
    """Places of an outcome and of a group that gave it."""
    if cells.is_integer(source):
        return [(cells.integer(source), group) for group in range(groups)]
    by_outcome = cells.object(source)
    return [
        (_place(name, source), group)
        for name in by_outcome.names()
        for group in _in_ranges(by_outcome.text(name), source, groups)
    ]


def _place(text: str, source: str) -> int:
    if not text.isdecimal():
        raise FormError(f"cells.{source}: {text!r} is no place of an outcome")
    return int(text)


MOST_INLINE = 100
"""Characters of a message that stand in a row; a longer one stands in the table of texts that all rows share."""


def with_texts_apart(document: dict[str, JSON], texts: dict[str, str]) -> dict[str, JSON]:
    """Document of a row without its long messages, which are put into ``texts`` by their digest."""

    def apart(value: JSON) -> JSON:
        if not isinstance(value, str) or len(value) <= MOST_INLINE:
            return value
        name = hashlib.sha256(value.encode()).hexdigest()[:10]
        texts[name] = value
        return {"text": name}

    return _with_messages(document, apart)


def with_texts(document: JSON, texts: Mapping[str, str]) -> JSON:
    """Document of a row with the messages that stand in ``texts``; FormError for one that does not."""

    def back(value: JSON) -> JSON:
        if not isinstance(value, dict):
            return value
        name = value.get("text")
        if not isinstance(name, str) or name not in texts:
            raise FormError(f"names the text {name}, which the table of texts does not hold")
        return texts[name]

    return _with_messages(document, back) if isinstance(document, dict) else document


def _with_messages(document: dict[str, JSON], change: Callable[[JSON], JSON]) -> dict[str, JSON]:
    """Document in which each message of an outcome, of its error and its warnings, has been changed."""
    outcomes = document.get("outcomes")
    if not isinstance(outcomes, list):
        return document
    return {**document, "outcomes": [_changed(outcome, change) for outcome in outcomes]}


def _changed(outcome: JSON, change: Callable[[JSON], JSON]) -> JSON:
    if not isinstance(outcome, dict):
        return outcome
    found = dict(outcome)
    if isinstance(error := found.get("error"), dict) and "message" in error:
        found["error"] = {**error, "message": change(error["message"])}
    if isinstance(warnings := found.get("warnings"), list):
        found["warnings"] = [
            {**w, "message": change(w["message"])} if isinstance(w, dict) and "message" in w else w
            for w in warnings
        ]
    return found


def folded_in(row: Row, environment: str, cells: Mapping[str, Cell], date: str) -> Row:
    """Row with what one environment did put in.

    Cells that an environment has not tried this time are kept; what it did again displaces what it did before, unless
    that was on a later day.
    """
    older = row.cells.get(environment, {})
    newer = {**older, **cells}
    if newer == older or date < row.dates.get(environment, ""):
        return row
    return replace(row, cells={**row.cells, environment: newer}, dates={**row.dates, environment: date})


def of_present_code(row: Row, code: str, sources: Container[str]) -> Row:
    """Row of a conversion whose code has this digest: without the cells of any but ``sources``, or of other code."""
    if row.code != code:
        return Row(row.conversion, {}, {}, code)
    kept = {name: {s: cell for s, cell in cells.items() if s in sources} for name, cells in row.cells.items()}
    kept = {name: cells for name, cells in kept.items() if cells}
    return replace(row, cells=kept, dates={name: row.dates[name] for name in kept if name in row.dates})
