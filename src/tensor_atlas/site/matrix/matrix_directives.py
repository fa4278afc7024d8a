"""The matrix on other pages: counts of cells inside sentences; its first page, with table and filters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from docutils import nodes
from docutils.nodes import Node
from sphinx.application import Sphinx

from tensor_atlas.catalogue import CONVERSIONS, TRIED_ON, Conversion, Form, Group, Source
from tensor_atlas.history.patterns import Patterns
from tensor_atlas.matrix.facts import Fact, count_cells, parse_question
from tensor_atlas.matrix.table import COMMON_TABLES, SourceKind, find_unrecorded, group_by_family
from tensor_atlas.pages.matrix_overview import (
    describe_needs,
    encode_cells,
    list_dtypes,
    list_kinds,
    locate_fact,
)
from tensor_atlas.pages.matrix_places import CONVERSION, SOURCE, list_rows, locate_conversion
from tensor_atlas.pages.row_errors import encode_row_errors
from tensor_atlas.site.build.directives import EvidenceDirective, EvidenceRole, PageContext
from tensor_atlas.site.build.execution import WHOLE_MATRIX
from tensor_atlas.site.build.nodes import build_answers, build_element, join_nodes
from tensor_atlas.site.build.page_scripts import CELLS_DATA, ERRORS_DATA, ROWS_DATA, write_script
from tensor_atlas.site.matrix.matrix_pages import TEMPLATES, matrix_of, remedies_of

DIRECTIONS = {
    "torch-from-numpy-x": Form.ARRAY,
    "x-numpy": Form.TENSOR,
    "torch-from-dlpack-x": Form.ARRAY,
    "np-from-dlpack-x": Form.TENSOR,
}
"""Calls by which dtypes are compared, and what each converts."""

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
    context.depend_on(WHOLE_MATRIX)
    answers = count_cells(matrix_of(context.app), parse_question(text, where))
    if not answers:
        return nodes.inline("", "(not yet recorded)")
    others = [(other.environments, build_fact(context, other)) for other in answers[1:]]
    return build_answers(build_fact(context, answers[0]), others)


def _build_count(context: PageContext, fact: Fact) -> Node:
    """``12 of 40``, linked to the page that shows all these cells."""
    page, part = locate_fact(fact)
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


# --- the overview -----------------------------------------------------------------------------------


class MatrixOverview(EvidenceDirective):
    """The compatibility table, every cell behind filters, and every page of the matrix."""

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        context.depend_on(WHOLE_MATRIX)
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
        context.depend_on(WHOLE_MATRIX)
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


def _locate(context: PageContext, subject: Conversion | Source, source: str = "") -> str:
    """Address of the page of a source or of a conversion, or of a cell, from here."""
    if isinstance(subject, Source):
        return context.locate(f"{SOURCE}/{subject.name}")
    return context.locate(*locate_conversion(subject, source))


def _render_part(name: str, facts: Mapping[str, object]) -> nodes.raw:
    names = {"CONVERSION": CONVERSION, "SOURCE": SOURCE, "TRIED_ON": TRIED_ON}
    words = {"Group": Group, "SourceKind": SourceKind, "describe_needs": describe_needs}
    text = TEMPLATES.get_template(f"{name}.html").render(names, **words, **facts)
    return nodes.raw("", text, format="html")


# --- the data of the filters ------------------------------------------------------------------------


def write_data(app: Sphinx, patterns: Patterns) -> None:
    """Write every cell's outcome in every environment, which conversions are rows, and why these raise.

    The overview reads the last when a row is opened.
    """
    matrix = matrix_of(app)
    write_script(app, ROWS_DATA, "atlasRows", [row.name for row in CONVERSIONS if not row.has_page])
    if matrix.rows:
        errors = encode_row_errors(matrix, list_rows(matrix), remedies_of(app))
        script = write_script(app, ERRORS_DATA, "atlasCells.errors", errors)
        write_script(app, CELLS_DATA, "atlasCells", {**encode_cells(matrix, patterns), "script": script})
