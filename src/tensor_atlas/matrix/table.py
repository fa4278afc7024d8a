"""The matrix as its pages show it: every cell over all environments, since when, how many of what.

Nothing is filled forward: an environment that has not tried a cell is listed as such.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from tensor_atlas.catalogue import (
    BARE_BITS,
    CONVERSIONS,
    SOURCES,
    Conversion,
    Form,
    Group,
    Source,
    render_script,
)
from tensor_atlas.examples.requirements import is_tried_there, may_be_missing
from tensor_atlas.history.conditions import describe_releases
from tensor_atlas.history.releases import age_key, newest_environment, preference_key
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.runs import Environment
from tensor_atlas.records.matrix_rows import Row
from tensor_atlas.records.store import Store

_Thing = TypeVar("_Thing")
_Key = TypeVar("_Key", bound=Hashable)


class SourceKind(StrEnum):
    """Heading under which pages list a source."""

    ARRAY_DTYPES = "Arrays by dtype"
    ARRAY_LAYOUTS = "Arrays by layout"
    SCALARS = "Scalars"
    SEQUENCES = "Sequences"
    BUFFERS = "Buffers"
    TENSOR_DTYPES = "Tensors by dtype"
    BITS = "Tensors with bits dtypes"
    TENSOR_LAYOUTS = "Tensors by layout"
    DEVICE = "Pinned tensors, and tensors on an accelerator"


_PLAIN = {
    Form.SCALAR: SourceKind.SCALARS,
    Form.SEQUENCE: SourceKind.SEQUENCES,
    Form.BUFFER: SourceKind.BUFFERS,
}


def source_kind(source: Source) -> SourceKind:
    """Heading under which pages list a source."""
    if source.form in _PLAIN:
        return _PLAIN[source.form]
    is_plain = source.layout == "contiguous"
    if source.form is Form.ARRAY:
        return SourceKind.ARRAY_DTYPES if is_plain else SourceKind.ARRAY_LAYOUTS
    if source.needs or source.device not in ("cpu", "meta"):
        return SourceKind.DEVICE
    if source.layout == BARE_BITS:
        return SourceKind.BITS
    return SourceKind.TENSOR_DTYPES if is_plain else SourceKind.TENSOR_LAYOUTS


@dataclass(frozen=True)
class SharedOutcome:
    """What some environments did alike, as far as a line of a page shows it."""

    cell: Cell
    """What the newest of them did."""
    places: str
    """Their indices among all environments of the matrix: ``0 1 4``."""
    span: str
    """Releases that did it: ``since 2.3``; empty where all releases did alike."""


@dataclass(frozen=True, eq=False)
class Pattern:
    """Which environments did alike: some 200 patterns cover all 34,000 cells, each computed once."""

    everyone: tuple[Environment, ...]
    """The environments of the matrix, the oldest first."""
    alike: tuple[tuple[Environment, ...], ...]
    """Environments that gave the same outcome, the oldest first; the outcome of the newest comes first."""

    @cached_property
    def shown(self) -> Environment:
        """The newest environment that tried it."""
        return max(self.alike[0], key=preference_key)

    @cached_property
    def points(self) -> dict[Environment, int]:
        """Index of the outcome that each environment gave, the oldest first."""
        found: dict[Environment, int] = {}
        for index, environments in enumerate(self.alike):
            found |= dict.fromkeys(environments, index)
        return {environment: found[environment] for environment in self.everyone if environment in found}

    @cached_property
    def untried(self) -> tuple[Environment, ...]:
        """Environments of the matrix that have not tried it."""
        return tuple(environment for environment in self.everyone if environment not in self.points)

    def describe(self, indices: tuple[int, ...]) -> tuple[str, str]:
        """Environments that gave one of some outcomes: their indices among everyone, and their releases."""
        if indices not in self._described:
            there = [environment for index in indices for environment in self.alike[index]]
            elsewhere = [environment for environment in self.points if environment not in there]
            places = [str(place) for place, one in enumerate(self.everyone) if one in there]
            self._described[indices] = " ".join(places), describe_releases(there, elsewhere)
        return self._described[indices]

    @cached_property
    def _described(self) -> dict[tuple[int, ...], tuple[str, str]]:
        """What ``describe`` has found."""
        return {}


@dataclass(frozen=True, eq=False)
class Entry:
    """One cell, over all environments that tried it."""

    conversion: Conversion
    """What was done."""
    source: Source
    """To what."""
    pattern: Pattern
    """Which environments did alike."""
    cells: tuple[Cell, ...]
    """What they did, in the order of the pattern."""

    @property
    def cell(self) -> Cell:
        """What the newest environment did."""
        return self.cells[0]

    @property
    def script(self) -> str:
        """The code that ran, whole."""
        return render_script(self.conversion, self.source)

    def at(self, environment: Environment) -> Cell | None:
        """What one environment did; None where it has not tried."""
        index = self.pattern.points.get(environment)
        return None if index is None else self.cells[index]

    @property
    def untried(self) -> tuple[Environment, ...]:
        """Environments of the matrix that have not tried it, though it is tried there."""
        needs = (*self.conversion.needs, *self.source.needs)
        return tuple(
            environment
            for environment in self.pattern.untried
            if is_tried_there(needs, environment) and not may_be_missing(needs, environment)
        )

    def list_answers(self, read: Callable[[Cell], Hashable]) -> list[SharedOutcome]:
        """Cells that ``read`` tells apart, each with its environments; that of the newest comes first."""
        alike: dict[Hashable, list[int]] = {}
        for index, cell in enumerate(self.cells):
            alike.setdefault(read(cell), []).append(index)
        return [self._answer(tuple(indices)) for indices in alike.values()]

    def _answer(self, indices: tuple[int, ...]) -> SharedOutcome:
        places, span = self.pattern.describe(indices)
        return SharedOutcome(self.cells[indices[0]], places, span)


@dataclass(frozen=True)
class Matrix:
    """Every cell that was tried."""

    environments: tuple[Environment, ...] = ()
    """Who tried any, the oldest first."""
    rows: Mapping[str, Mapping[str, Entry]] = field(default_factory=dict)
    """By conversion, then by source, both in their own order."""

    @cached_property
    def shown(self) -> Environment | None:
        """The environment that a reader without a choice is shown."""
        return newest_environment(self.environments)

    @cached_property
    def columns(self) -> dict[str, dict[str, Entry]]:
        """By source, then by conversion, both in their own order."""
        found: dict[str, dict[str, Entry]] = {source.name: {} for source in SOURCES}
        for conversion, row in self.rows.items():
            for source, entry in row.items():
                found[source][conversion] = entry
        return {source: column for source, column in found.items() if column}

    @property
    def size(self) -> int:
        """How many cells there are, each counted once for all environments."""
        return sum(map(len, self.rows.values()))


# --- from rows ---------------------------------------------------------------------------------


def build_matrix(store: Store) -> Matrix:
    """Matrix of everything recorded of the present conversions and sources."""
    names = {name for row in store.rows.values() for name in row.cells}
    environments = tuple(sorted((store.environments[name] for name in names), key=age_key))
    patterns: dict[tuple[int, ...], Pattern] = {}
    rows = {}
    for conversion in CONVERSIONS:
        row = store.rows.get(conversion.name)
        entries = _build_row(conversion, row, environments, patterns) if row else {}
        if entries:
            rows[conversion.name] = entries
    return Matrix(environments, rows)


def _build_row(
    conversion: Conversion,
    row: Row,
    environments: tuple[Environment, ...],
    patterns: dict[tuple[int, ...], Pattern],
) -> dict[str, Entry]:
    """Cells of one conversion by source; new patterns are added to ``patterns``."""
    newest_first = sorted(environments, key=preference_key, reverse=True)
    tried = [row.cells.get(environment.id, {}) for environment in newest_first]
    entries = {}
    for source in SOURCES:
        cells, which = _number_outcomes([cells.get(source.name) for cells in tried])
        if not cells:
            continue
        if which not in patterns:
            patterns[which] = _make_pattern(environments, dict(zip(newest_first, which, strict=True)))
        entries[source.name] = Entry(conversion, source, patterns[which], tuple(cells))
    return entries


def _number_outcomes(cells: Sequence[Cell | None]) -> tuple[list[Cell], tuple[int, ...]]:
    """Distinct cells in order of appearance, and for each cell its index among them; -1 for None."""
    distinct: list[Cell] = []
    which = []
    for cell in cells:
        if cell is None:
            which.append(-1)
            continue
        if cell not in distinct:
            distinct.append(cell)
        which.append(distinct.index(cell))
    return distinct, tuple(which)


def _make_pattern(everyone: tuple[Environment, ...], which: Mapping[Environment, int]) -> Pattern:
    """Pattern of the index of the outcome that each environment gave."""
    alike: list[list[Environment]] = [[] for _ in range(max(which.values()) + 1)]
    for environment in everyone:
        if which[environment] >= 0:
            alike[which[environment]].append(environment)
    return Pattern(everyone, tuple(map(tuple, alike)))


# --- how many of what --------------------------------------------------------------------------


def find_shown(entries: Iterable[Entry]) -> Environment | None:
    """The environment that a page of these cells shows: the newest that tried one; None for no cells."""
    return newest_environment(entry.pattern.shown for entry in entries)


def count_outcomes(entries: Iterable[Entry]) -> dict[Outcome, int]:
    """Number of cells by their outcome in the newest environment that tried them, best first."""
    found = Counter(entry.cell.outcome for entry in entries)
    return {outcome: found[outcome] for outcome in Outcome if found[outcome]}


def sort_best_first(entries: Iterable[Entry]) -> list[Entry]:
    """Entries by outcome, those without a warning before those with one; else in their own order."""
    ranks = {outcome: rank for rank, outcome in enumerate(Outcome)}  # listed as a reader wants them
    return sorted(entries, key=lambda e: (ranks[e.cell.outcome], bool(e.cell.warnings)))


def group_by_kind(entries: Iterable[Entry]) -> dict[SourceKind, list[Entry]]:
    """Entries by the kind of their source, in the order of the kinds."""
    found = _group(entries, lambda entry: source_kind(entry.source))
    return {kind: found[kind] for kind in SourceKind if kind in found}


def group_by_group(entries: Iterable[Entry]) -> dict[Group, list[Entry]]:
    """Entries by the group of their conversion, in the order of the groups."""
    found = _group(entries, lambda entry: entry.conversion.group)
    return {group: found[group] for group in Group if group in found}


def group_by_family(conversions: Iterable[Conversion]) -> dict[tuple[Group, str], list[Conversion]]:
    """Conversions by group and family: two groups may have a family of one name."""
    return _group(conversions, lambda conversion: (conversion.group, conversion.family))


def _group(things: Iterable[_Thing], key_of: Callable[[_Thing], _Key]) -> dict[_Key, list[_Thing]]:
    """Things by their key, in order of first appearance."""
    found: dict[_Key, list[_Thing]] = {}
    for thing in things:
        found.setdefault(key_of(thing), []).append(thing)
    return found


def find_unrecorded(matrix: Matrix) -> tuple[list[Conversion], list[Source]]:
    """Conversions and sources that no environment has tried."""
    conversions = [conversion for conversion in CONVERSIONS if conversion.name not in matrix.rows]
    return conversions, [source for source in SOURCES if source.name not in matrix.columns]


# --- the compatibility table of common.toml ------------------------------------------------------


@dataclass(frozen=True)
class CommonTable:
    """A part of the compatibility table, with one direction of conversion."""

    title: str
    conversions: tuple[Conversion, ...]
    """Its lines, the most used first."""
    sources: tuple[tuple[Source, str], ...]
    """Its columns, each with its head."""


def _read_tables() -> tuple[CommonTable, ...]:
    document = tomllib.loads(Path(__file__).with_name("common.toml").read_text(encoding="utf-8"))
    conversions = {conversion.name: conversion for conversion in CONVERSIONS}
    sources = {source.name: source for source in SOURCES}
    tables = []
    for entry in document["table"]:
        columns = tuple((sources[name], head) for name, head in entry["sources"].items())
        tables.append(
            CommonTable(entry["title"], tuple(map(conversions.__getitem__, entry["conversions"])), columns)
        )
    return tuple(tables)


COMMON_TABLES = _read_tables()
