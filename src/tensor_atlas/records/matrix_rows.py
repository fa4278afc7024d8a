"""Cells by environment ⇄ one record document for each row of the matrix, distinct outcomes once; pure.

Folded, a row shows at a glance which releases differ: a cell that all environments agree on is one number,
the index of its outcome; where they differ, it names the groups of environments that gave each.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import msgspec
from msgspec import Struct

from tensor_atlas.model.cells import Cell, restore_cell, shorten_cell
from tensor_atlas.model.runs import JSON, SCHEMA, encode_fields
from tensor_atlas.records.decode import FormError, check_day, check_unique, convert_json, decode_json

MOST_INLINE = 100
"""Characters of a message in a row; a longer one stands in the table of texts that all rows share."""


@dataclass(frozen=True)
class Row:
    """The committed evidence about one conversion."""

    conversion: str
    cells: Mapping[str, Mapping[str, Cell]]
    """By environment id, then by the name of the source."""
    dates: Mapping[str, str] = field(default_factory=dict)
    """Day on which an environment's cells were first seen as they are, by environment id."""
    code: str = ""
    """Digest of the conversion's code that ran."""


class _RowDocument(Struct):
    schema: int
    conversion: str
    groups: list[dict[str, str]]
    """Environments that had the same cells, with the day of each."""
    code: str
    outcomes: list[dict[str, object]]
    """Each distinct cell; a long message is ``{"text": DIGEST}``."""
    cells: dict[str, int | dict[str, str]]
    """By source: the index of the outcome that all groups had, or groups such as ``0-2, 5`` by index of
    outcome."""


# --- rows to documents ---------------------------------------------------------------------------


def name_text(message: str) -> str:
    """Digest under which a long message stands in the table of texts."""
    return hashlib.sha256(message.encode()).hexdigest()[:10]


def fold_row(row: Row, texts: dict[str, str]) -> JSON:
    """Document of a row, whatever order its cells came in; long messages are put into ``texts``."""

    def shorten(message: object) -> object:
        if not isinstance(message, str) or len(message) <= MOST_INLINE:
            return message
        name = name_text(message)
        texts[name] = message
        return {"text": name}

    groups = _group_environments(row)
    members = [row.cells[environments[0]] for environments in groups]
    distinct = {cell for cells in members for cell in cells.values()}
    spelled = {cell: _spell(cell) for cell in distinct}
    outcomes = sorted(set(spelled.values()))
    indices = {text: index for index, text in enumerate(outcomes)}
    indices_of = {cell: indices[text] for cell, text in spelled.items()}
    sources = sorted({source for cells in members for source in cells})
    document: JSON = msgspec.to_builtins(
        _RowDocument(
            SCHEMA,
            row.conversion,
            [_date_environments(row, environments) for environments in groups],
            row.code,
            [_replace_messages(json.loads(text), shorten) for text in outcomes],
            {source: _fold_cell(source, members, indices_of) for source in sources},
        )
    )
    return document


def _date_environments(row: Row, environments: Iterable[str]) -> dict[str, str]:
    return {name: row.dates.get(name, "") for name in environments}


def _group_environments(row: Row) -> list[list[str]]:
    """Environments with the same cells, older releases first."""
    groups: dict[frozenset[tuple[str, Cell]], list[str]] = {}
    for environment in sorted(row.cells, key=_natural_order):
        groups.setdefault(frozenset(row.cells[environment].items()), []).append(environment)
    return list(groups.values())


def _natural_order(name: str) -> list[tuple[bool, int, str]]:
    """Sort key that puts 2.9 before 2.10, so that neighbouring releases are in neighbouring groups."""
    parts = re.findall(r"\d+|\D+", name)
    return [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts]


def _spell(cell: Cell) -> str:
    return json.dumps(encode_fields(shorten_cell(cell)), ensure_ascii=False, sort_keys=True)


def _fold_cell(
    source: str, members: list[Mapping[str, Cell]], indices: Mapping[Cell, int]
) -> int | dict[str, str]:
    """The outcome of all groups, or groups by outcome; a group listed nowhere has not tried the cell."""
    groups_of: dict[int, list[int]] = {}
    for group, cells in enumerate(members):
        if source in cells:
            groups_of.setdefault(indices[cells[source]], []).append(group)
    for outcome, groups in groups_of.items():
        if len(groups) == len(members):
            return outcome
    return {str(outcome): _fold_ranges(groups_of[outcome]) for outcome in sorted(groups_of)}


def _fold_ranges(groups: Sequence[int]) -> str:
    """``0-2, 5`` for groups 0, 1, 2 and 5, in ascending order."""
    runs: list[list[int]] = []
    for group in groups:
        if runs and runs[-1][-1] == group - 1:
            runs[-1].append(group)
        else:
            runs.append([group])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _replace_messages(value: dict[str, object], change: Callable[[object], object]) -> dict[str, object]:
    """An outcome in which the message of its error, and of each warning, has been changed."""
    changed = dict(value)
    for key, item in value.items():
        if key == "message":
            changed[key] = change(item)
        elif isinstance(item, dict):
            changed[key] = _replace_messages(item, change)
        elif isinstance(item, list):
            changed[key] = [_replace_messages(i, change) if isinstance(i, dict) else i for i in item]
    return changed


# --- documents to rows ---------------------------------------------------------------------------


def unfold_row(data: bytes, texts: Mapping[str, str]) -> Row:
    """Row of a file, with its long messages out of ``texts``; FormError says which field is wrong."""

    def look_up(message: object) -> object:
        if not isinstance(message, dict):
            return message
        name = message.get("text")
        if not isinstance(name, str) or name not in texts:
            raise FormError(f"names the text {name}, which the table of texts does not hold")
        return texts[name]

    document = decode_json(data, _RowDocument)
    whole = [_replace_messages(outcome, look_up) for outcome in document.outcomes]
    outcomes = [restore_cell(cell) for cell in convert_json(whole, list[Cell], "outcomes")]
    cells = _unfold_cells(document.cells, outcomes, len(document.groups))
    check_unique((name for group in document.groups for name in group), "groups")
    dates = {name: date for group in document.groups for name, date in group.items()}
    for name, day in dates.items():
        check_day(day, f"groups.{name}")
    return Row(
        document.conversion,
        {name: cells[index] for index, group in enumerate(document.groups) for name in sorted(group)},
        dict(sorted(dates.items())),
        document.code,
    )


def _unfold_cells(
    folded: Mapping[str, int | dict[str, str]], outcomes: Sequence[Cell], groups: int
) -> list[dict[str, Cell]]:
    """Cells of each group, by source."""
    cells: list[dict[str, Cell]] = [{} for _ in range(groups)]
    everywhere = _fold_ranges(range(groups))
    for source, of_source in folded.items():
        by_outcome = {str(of_source): everywhere} if isinstance(of_source, int) else of_source
        for outcome, ranges in by_outcome.items():
            try:
                cell, members = _find_outcome(outcome, outcomes), _unfold_ranges(ranges, groups)
            except FormError as error:
                raise FormError(f"cells.{source}: {error}") from None
            for group in members:
                if source in cells[group]:
                    raise FormError(f"cells.{source}: group {group} has an outcome already")
                cells[group][source] = cell
    return cells


def _find_outcome(index: str, outcomes: Sequence[Cell]) -> Cell:
    if not re.fullmatch(r"\d{1,9}", index, re.ASCII):
        raise FormError(f"{index!r} is no index of an outcome")
    if int(index) >= len(outcomes):
        raise FormError(f"there is no outcome {index}")
    return outcomes[int(index)]


@lru_cache(maxsize=4096)  # most sources of a row, and most rows, have the same few
def _unfold_ranges(text: str, groups: int) -> tuple[int, ...]:
    """The groups that ``_fold_ranges`` wrote, of so many that there are."""
    members: list[int] = []
    for run in text.split(", "):
        form = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", run, re.ASCII)
        if form is None:
            raise FormError(f"{text!r} is no list of groups such as '0-2, 5'")
        first, last = int(form[1]), int(form[2] or form[1])
        if last >= groups:
            raise FormError(f"there is no group {last}")
        members += range(first, last + 1)
    return tuple(members)


# --- putting cells in ----------------------------------------------------------------------------


def add_cells(row: Row, environment: str, cells: Mapping[str, Cell], date: str) -> Row:
    """Row with what one environment did put in.

    Cells that an environment has not tried this time are kept; what it did again displaces what it did
    before, unless that was on a later day.
    """
    older = row.cells.get(environment, {})
    newer = {**older, **cells}
    if newer == older or date < row.dates.get(environment, ""):
        return row
    return replace(row, cells={**row.cells, environment: newer}, dates={**row.dates, environment: date})


def keep_present_code(row: Row, code: str, sources: Container[str]) -> Row:
    """Row of a conversion whose code has this digest, with cells of ``sources``; empty for other code."""
    if row.code != code:
        return Row(row.conversion, {}, {}, code)
    kept = {}
    for name, cells in row.cells.items():
        known = {source: cell for source, cell in cells.items() if source in sources}
        if known:
            kept[name] = known
    return replace(row, cells=kept, dates={name: row.dates[name] for name in kept if name in row.dates})
