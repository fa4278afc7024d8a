"""The matrix as its pages show it: every cell over all environments, since when, how many of what.

Nothing is filled forward: an environment that has not tried a cell is listed as such.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
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
from tensor_atlas.history.patterns import read_pattern, spell_pattern
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
    numbers: tuple[int, ...]
    """Its numbers in the pattern: of all outcomes that the line shows alike."""
    span: str
    """Releases that did it: ``since 2.3``; empty where all releases did alike."""


@dataclass(frozen=True, eq=False)
class Pattern:
    """Which environments did alike: some 300 patterns cover all 49,000 cells, each computed once."""

    everyone: tuple[Environment, ...]
    """The environments of the matrix, the oldest first."""
    letters: str
    """As ``history/patterns.py`` spells them; the outcome of the newest environment has number 0."""

    @cached_property
    def newest(self) -> Environment:
        """The newest environment that tried it."""
        return max(self.alike[0], key=preference_key)

    @cached_property
    def points(self) -> dict[Environment, int]:
        """Number of the outcome that each environment gave, the oldest first."""
        numbers = zip(self.everyone, read_pattern(self.letters), strict=True)
        return {environment: number for environment, number in numbers if number is not None}

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Number of the outcome that each environment gave, by its id."""
        return {environment.id: number for environment, number in self.points.items()}

    @cached_property
    def alike(self) -> tuple[tuple[Environment, ...], ...]:
        """Environments that gave each outcome, the oldest first."""
        groups: list[list[Environment]] = [[] for _ in set(self.points.values())]
        for environment, number in self.points.items():
            groups[number].append(environment)
        return tuple(map(tuple, groups))

    @cached_property
    def untried(self) -> tuple[Environment, ...]:
        """Environments of the matrix that have not tried it."""
        return tuple(environment for environment in self.everyone if environment not in self.points)

    def describe(self, numbers: tuple[int, ...]) -> str:
        """Releases that gave one of some outcomes: ``since 2.3``; empty where all did."""
        if numbers not in self._described:
            there = [environment for number in numbers for environment in self.alike[number]]
            elsewhere = [environment for environment in self.points if environment not in there]
            self._described[numbers] = describe_releases(there, elsewhere)
        return self._described[numbers]

    @cached_property
    def _described(self) -> dict[tuple[int, ...], str]:
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
        for number, cell in enumerate(self.cells):
            alike.setdefault(read(cell), []).append(number)
        return [self._answer(tuple(numbers)) for numbers in alike.values()]

    def _answer(self, numbers: tuple[int, ...]) -> SharedOutcome:
        return SharedOutcome(self.cells[numbers[0]], numbers, self.pattern.describe(numbers))


@dataclass(frozen=True)
class Matrix:
    """Every cell that was tried."""

    environments: tuple[Environment, ...] = ()
    """Who tried any, the oldest first."""
    rows: Mapping[str, Mapping[str, Entry]] = field(default_factory=dict)
    """By conversion, then by source, both in their own order."""

    @cached_property
    def default_environment(self) -> Environment | None:
        """The environment that a reader without a choice is shown."""
        return newest_environment(self.environments)

    @cached_property
    def columns(self) -> dict[str, dict[str, Entry]]:
        """By source, then by conversion, both in their own order."""
        columns_of: dict[str, dict[str, Entry]] = {source.name: {} for source in SOURCES}
        for conversion, row in self.rows.items():
            for source, entry in row.items():
                columns_of[source][conversion] = entry
        return {source: column for source, column in columns_of.items() if column}

    @property
    def size(self) -> int:
        """How many cells there are, each counted once for all environments."""
        return sum(map(len, self.rows.values()))


# --- from rows ---------------------------------------------------------------------------------


def build_matrix(store: Store) -> Matrix:
    """Matrix of everything recorded of the present conversions and sources."""
    names = {name for row in store.rows.values() for name in row.cells}
    environments = tuple(sorted((store.environments[name] for name in names), key=age_key))
    patterns: dict[str, Pattern] = {}
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
    patterns: dict[str, Pattern],
) -> dict[str, Entry]:
    """Cells of one conversion by source; new patterns are added to ``patterns``."""
    newest_first = sorted(environments, key=preference_key, reverse=True)
    tried = [row.cells.get(environment.id, {}) for environment in newest_first]
    order = [newest_first.index(environment) for environment in environments]
    entries = {}
    for source in SOURCES:
        cells, numbers = _number_outcomes([cells.get(source.name) for cells in tried])
        if not cells:
            continue
        letters = spell_pattern(map(numbers.__getitem__, order))
        if letters not in patterns:
            patterns[letters] = Pattern(environments, letters)
        entries[source.name] = Entry(conversion, source, patterns[letters], tuple(cells))
    return entries


def _number_outcomes(cells: Iterable[Cell | None]) -> tuple[list[Cell], list[int | None]]:
    """Distinct cells in order of appearance, and for each cell its number among them; None for None."""
    distinct: list[Cell] = []
    numbers: list[int | None] = []
    for cell in cells:
        if cell is not None and cell not in distinct:
            distinct.append(cell)
        numbers.append(None if cell is None else distinct.index(cell))
    return distinct, numbers


# --- how many of what --------------------------------------------------------------------------


def find_default_environment(entries: Iterable[Entry]) -> Environment | None:
    """The environment that a page of these cells shows: the newest that tried one; None for no cells."""
    return newest_environment(entry.pattern.newest for entry in entries)


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
    groups: dict[_Key, list[_Thing]] = {}
    for thing in things:
        groups.setdefault(key_of(thing), []).append(thing)
    return groups


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
