"""The matrix on other pages: counts of cells inside sentences; its first page, with table and filters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from docutils import nodes
from docutils.nodes import Node
from sphinx.application import Sphinx

from tensor_atlas.catalogue import CONVERSIONS, SOURCES, TRIED_ON, Conversion, Form, Group, Source, is_tried
from tensor_atlas.history.patterns import ABSENT, OutcomeTable, Patterns, mark_new
from tensor_atlas.matrix.facts import Fact, count_cells, parse_question
from tensor_atlas.matrix.table import (
    COMMON_TABLES,
    Entry,
    Matrix,
    SourceKind,
    find_unrecorded,
    group_by_family,
    source_kind,
)
from tensor_atlas.model.cells import Outcome
from tensor_atlas.model.runs import JSON
from tensor_atlas.site.build.directives import EvidenceDirective, EvidenceRole, PageContext
from tensor_atlas.site.build.execution import MATRIX
from tensor_atlas.site.build.nodes import build_answers, build_element, join_nodes
from tensor_atlas.site.build.page_scripts import CELLS_DATA, ROWS_DATA, write_script
from tensor_atlas.site.matrix.matrix_pages import (
    CONVERSION,
    LOOKS,
    OVERVIEW,
    SOURCE,
    TEMPLATES,
    Place,
    anchor,
    list_rows,
    locate_conversion,
    matrix_of,
)

DIRECTIONS = {
    "torch-from-numpy-x": Form.ARRAY,
    "x-numpy": Form.TENSOR,
    "torch-from-dlpack-x": Form.ARRAY,
    "np-from-dlpack-x": Form.TENSOR,
}
"""Calls by which dtypes are compared, and what each converts."""
DTYPES = SourceKind.ARRAY_DTYPES, SourceKind.TENSOR_DTYPES
"""Kinds of sources that differ by their dtype alone."""

# --- counts -----------------------------------------------------------------------------------------


class CellsRole(EvidenceRole):
    """``{cells}`share: to a tensor / array-float32```: how many of how many, linked to the cells."""

    def build_node(self, context: PageContext, where: str) -> Node:
        return _build_answers(context, self.text, where, _build_count)


class Cells(EvidenceDirective):
    """The conversions that do something, by name: the list behind a count."""

    required_arguments = 1
    final_argument_whitespace = True

    def build_nodes(self) -> Iterable[Node]:
        node = _build_answers(self.context, self.arguments[0], self.where, _build_names)
        yield nodes.paragraph("", "", node)


def _build_answers(
    context: PageContext, text: str, where: str, build_fact: Callable[[PageContext, Fact], Node]
) -> Node:
    """The newest environment's answer, and behind it those of the others, for the picker."""
    context.depend_on(MATRIX)
    answers = count_cells(matrix_of(context.app), parse_question(text, where))
    if not answers:
        return nodes.inline("", "(not yet recorded)")
    others = [(other.environments, build_fact(context, other)) for other in answers[1:]]
    return build_answers(build_fact(context, answers[0]), others)


def _build_count(context: PageContext, fact: Fact) -> Node:
    """``12 of 40``, linked to the page that shows all these cells."""
    page, part = _find_page(fact)
    # Sphinx takes a link that stands in no running text for one around an image.
    return nodes.inline("", "", context.link_page(page, fact.words, part))


def _build_names(context: PageContext, fact: Fact) -> Node:
    """The conversions by name, each linked to its cell."""
    links: list[Node] = []
    for entry in fact.doing:
        code = nodes.literal("", entry.conversion.title)
        page, part = locate_conversion(entry.conversion, entry.source.name)
        link = context.link_page(page, code, part)
        links.append(nodes.inline("", "", link))
    words = join_nodes(links) or [nodes.Text("none")]
    return nodes.inline("", "", *words, classes=["atlas-cells-named"])


def _find_page(fact: Fact) -> Place:
    """Page, and part of it, with all cells of an answer: of its one source or conversion, else the first."""
    sources = {entry.source.name for entry in fact.among}
    conversions = {entry.conversion for entry in fact.among}
    groups = {entry.conversion.group for entry in fact.among}
    if len(sources) == 1:
        return f"{SOURCE}/{sources.pop()}", anchor(groups.pop()) if len(groups) == 1 else ""
    if len(conversions) == 1:
        return locate_conversion(conversions.pop())
    return OVERVIEW, ""


# --- the overview -----------------------------------------------------------------------------------


class MatrixOverview(EvidenceDirective):
    """The compatibility table, every cell behind filters, and every page of the matrix."""

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        context.depend_on(MATRIX)
        matrix = matrix_of(context.app)
        if not matrix.rows or matrix.default_environment is None:
            yield nodes.paragraph("", "No cell of the matrix has been recorded yet.")
            return

        conversions, sources = find_unrecorded(matrix)
        facts = {
            "matrix": matrix,
            "tables": COMMON_TABLES,
            "families": [(family, some) for (_, family), some in group_by_family(CONVERSIONS).items()],
            "kinds": list_kinds(),
            "rows": {conversion.name for conversion in list_rows(matrix)},
            "missing_conversions": conversions,
            "missing_sources": sources,
            "address": partial(_locate, context),
        }
        yield _render_part("overview_table", facts)
        form = build_element("div", css="atlas-filter")
        title = f"All {matrix.size:,} cells: {len(matrix.rows)} conversions on {len(matrix.columns)} inputs"
        yield self.build_section(title, form, _render_part("overview_conversions", facts), name="all")
        yield self.build_section("Which pairs are tried", _render_part("overview_rule", facts))


class DtypeGrid(EvidenceDirective):
    """A row for each dtype of either library, a column for each direction."""

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        context.depend_on(MATRIX)
        matrix = matrix_of(context.app)
        if matrix.default_environment is None:
            return [nodes.paragraph("", "No cell of the matrix has been recorded yet.")]
        by_name = {conversion.name: conversion for conversion in CONVERSIONS}
        facts = {
            "matrix": matrix,
            "columns": [(by_name[name], form) for name, form in DIRECTIONS.items()],
            "rows": list_dtypes(matrix),
            "address": partial(_locate, context),
        }
        return [_render_part("dtype_grid", facts)]


def list_dtypes(matrix: Matrix) -> dict[str, dict[Form, Source]]:
    """Recorded sources by dtype, then by form: an array, a tensor or both."""
    found: dict[str, dict[Form, Source]] = {}
    for source in SOURCES:
        if source.name in matrix.columns and source_kind(source) in DTYPES:
            found.setdefault(source.dtype.removeprefix("torch."), {})[source.form] = source
    return found


def _locate(context: PageContext, subject: Conversion | Source, source: str = "") -> str:
    """Address of the page of a source or of a conversion, or of a cell, from here."""
    if isinstance(subject, Source):
        return context.locate(f"{SOURCE}/{subject.name}")
    return context.locate(*locate_conversion(subject, source))


def list_kinds() -> list[tuple[SourceKind, list[Source]]]:
    """Every source, recorded or not, by kind."""
    kinds: dict[SourceKind, list[Source]] = {kind: [] for kind in SourceKind}
    for source in SOURCES:
        kinds[source_kind(source)].append(source)
    return list(kinds.items())


def describe_needs(needs: Sequence[str]) -> str:
    """Why something has not run yet."""
    return f"not run yet, needs {' and '.join(needs)}" if needs else "not run yet"


def _render_part(name: str, facts: Mapping[str, object]) -> nodes.raw:
    names = {"CONVERSION": CONVERSION, "SOURCE": SOURCE, "TRIED_ON": TRIED_ON}
    words = {"Group": Group, "SourceKind": SourceKind, "describe_needs": describe_needs}
    text = TEMPLATES.get_template(f"{name}.html").render(names, **words, **facts)
    return nodes.raw("", text, format="html")


# --- the data of the filters ------------------------------------------------------------------------


def write_data(app: Sphinx, patterns: Patterns) -> None:
    """Write every cell's outcome in every environment, for the overview, and which conversions are rows."""
    matrix = matrix_of(app)
    write_script(app, ROWS_DATA, "atlasRows", [row.name for row in CONVERSIONS if not row.has_page])
    if matrix.rows:
        write_script(app, CELLS_DATA, "atlasCells", encode_cells(matrix, patterns))


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
