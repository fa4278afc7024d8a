"""The first page of the matrix: sources by kind and dtype, the data of its filters, where a count leads."""

from __future__ import annotations

from collections.abc import Sequence

from tensor_atlas.catalogue import CONVERSIONS, SOURCES, Form, Source, is_tried
from tensor_atlas.history.patterns import ABSENT, OutcomeTable, Patterns, mark_new
from tensor_atlas.matrix.facts import Fact
from tensor_atlas.matrix.table import Entry, Matrix, SourceKind, source_kind
from tensor_atlas.model.cells import Outcome
from tensor_atlas.model.runs import JSON
from tensor_atlas.pages.matrix_places import OVERVIEW, SOURCE, Place, anchor, locate_conversion
from tensor_atlas.pages.matrix_words import LOOKS

DTYPES = SourceKind.ARRAY_DTYPES, SourceKind.TENSOR_DTYPES
"""Kinds of sources that differ by their dtype alone."""


def locate_fact(fact: Fact) -> Place:
    """Page, and part of it, with all cells of an answer: of its one source or conversion, else the first."""
    sources = {entry.source.name for entry in fact.among}
    conversions = {entry.conversion for entry in fact.among}
    groups = {entry.conversion.group for entry in fact.among}
    if len(sources) == 1:
        return f"{SOURCE}/{sources.pop()}", anchor(groups.pop()) if len(groups) == 1 else ""
    if len(conversions) == 1:
        return locate_conversion(conversions.pop())
    return OVERVIEW, ""


def list_dtypes(matrix: Matrix) -> dict[str, dict[Form, Source]]:
    """Recorded sources by dtype, then by form: an array, a tensor or both."""
    sources_of: dict[str, dict[Form, Source]] = {}
    for source in SOURCES:
        if source.name in matrix.columns and source_kind(source) in DTYPES:
            sources_of.setdefault(source.dtype.removeprefix("torch."), {})[source.form] = source
    return sources_of


def list_kinds() -> list[tuple[SourceKind, list[Source]]]:
    """Every source, recorded or not, by kind."""
    kinds: dict[SourceKind, list[Source]] = {kind: [] for kind in SourceKind}
    for source in SOURCES:
        kinds[source_kind(source)].append(source)
    return list(kinds.items())


def describe_needs(needs: Sequence[str]) -> str:
    """Why something has not run yet."""
    return f"not run yet, needs {' and '.join(needs)}" if needs else "not run yet"


def encode_cells(matrix: Matrix, patterns: Patterns) -> dict[str, JSON]:
    """Outcomes of all cells, by conversion and source: for each the number of a mapping, or ``ABSENT``."""
    table = OutcomeTable(patterns, Outcome)
    cells: list[int] = []
    for conversion in CONVERSIONS:
        row = matrix.rows.get(conversion.name, {})
        for source in SOURCES:
            entry = row.get(source.name)
            is_known = entry is not None or is_tried(conversion, source)
            cells.append(table.number(_read_outcomes(entry)) if is_known else ABSENT)
    return {
        "environments": [environment.id for environment in matrix.environments],
        "outcomes": [[LOOKS[one].sign, LOOKS[one].css, LOOKS[one].word] for one in Outcome],
        "mappings": table.encode_mappings(),
        "sources": [[s.name, s.title, s.form, s.dtype, s.layout, s.device] for s in SOURCES],
        "calls": [[c.name, c.title, c.group, c.family] for c in CONVERSIONS],
        "cells": mark_new(cells),
    }


def _read_outcomes(entry: Entry | None) -> dict[str, Outcome]:
    """Outcomes of a cell by environment id; none of one that is not recorded."""
    if entry is None:
        return {}
    return {name: entry.cells[number].outcome for name, number in entry.pattern.numbers.items()}
