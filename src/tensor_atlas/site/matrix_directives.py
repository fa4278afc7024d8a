"""The matrix on other pages: counts of cells inside sentences; the overview with a map and links."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from docutils import nodes

from tensor_atlas.catalogue import CONVERSIONS, TRIED_ON, Conversion, Group, Source
from tensor_atlas.history.releases import summarize_environment
from tensor_atlas.matrix.facts import Fact, count_cells, parse_question
from tensor_atlas.matrix.table import (
    Entry,
    Matrix,
    SourceKind,
    find_unrecorded,
    group_by_family,
    group_by_kind,
)
from tensor_atlas.site.directives import EvidenceDirective, EvidenceRole, PageContext, shorten_path
from tensor_atlas.site.execution import MATRIX
from tensor_atlas.site.matrix_pages import CONVERSION, OVERVIEW, SOURCE, TEMPLATES, anchor, matrix_of
from tensor_atlas.site.nodes import build_element, join_ids, join_nodes

if TYPE_CHECKING:
    from docutils.nodes import Node


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
        path, line = self.get_source_info()
        node = _build_answers(self.context, self.arguments[0], f"{shorten_path(path)}:{line}", _build_names)
        yield nodes.paragraph("", "", node)


def _build_answers(
    context: PageContext, text: str, where: str, build_fact: Callable[[PageContext, Fact], Node]
) -> Node:
    """The newest environment's answer, and behind it those of the others, for the picker."""
    context.depend_on(MATRIX)
    answers = count_cells(matrix_of(context.app), parse_question(text, where))
    if not answers:
        return nodes.inline("", "(not yet recorded)")
    parts = [build_element("span", build_fact(context, answers[0]), css="atlas-answer")]
    for other in answers[1:]:
        ids = join_ids(other.environments)
        parts.append(
            build_element("span", build_fact(context, other), hidden="hidden", data_environments=ids)
        )
    return build_element("span", *parts, css="atlas-answers")


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
        link = context.link_page(f"{CONVERSION}/{entry.conversion.name}", code, entry.source.name)
        links.append(nodes.inline("", "", link))
    words = join_nodes(links) or [nodes.Text("none")]
    return nodes.inline("", "", *words, classes=["atlas-cells-named"])


def _find_page(fact: Fact) -> tuple[str, str]:
    """Page, and part of it, with all cells of an answer: of its one source or conversion, else the map."""
    sources = {entry.source.name for entry in fact.among}
    conversions = {entry.conversion.name for entry in fact.among}
    groups = {entry.conversion.group for entry in fact.among}
    if len(sources) == 1:
        return f"{SOURCE}/{sources.pop()}", anchor(groups.pop()) if len(groups) == 1 else ""
    if len(conversions) == 1:
        return f"{CONVERSION}/{conversions.pop()}", ""
    return OVERVIEW, ""


# --- the overview -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Family:
    """Conversions of one function."""

    group: Group
    name: str
    """The function: ``torch.from_numpy``."""
    conversions: Sequence[Conversion]
    entries: Mapping[SourceKind, Sequence[Entry]]
    """Recorded cells by kind of source."""

    @property
    def id(self) -> str:
        """Anchor of its list of conversions."""
        return anchor(f"family {self.group} {self.name}")


class MatrixOverview(EvidenceDirective):
    """How much was tried, a map of families by kinds of sources, and every page of the matrix."""

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        context.depend_on(MATRIX)
        matrix = matrix_of(context.app)
        if not matrix.rows or matrix.shown is None:
            yield nodes.paragraph("", "No cell of the matrix has been recorded yet.")
            return

        def address(part: str, subject: Conversion | Source) -> str:
            return context.locate(f"{part}/{subject.name}")

        conversions, sources = find_unrecorded(matrix)
        facts = {
            "matrix": matrix,
            "environment": summarize_environment(matrix.shown),
            "families": list_families(matrix),
            "kinds": list_sources(matrix),
            "missing_conversions": conversions,
            "missing_sources": sources,
            "address": address,
        }
        yield _render_part("stamp", facts)
        for name, title in PARTS.items():
            yield self.build_section(title, _render_part(name, facts))


PARTS = {
    "map": "Map",
    "conversions": "Conversions",
    "sources": "Sources",
    "rule": "What is tried, and what not",
}
"""Title of each section, by the name of its template."""


def list_families(matrix: Matrix) -> list[Family]:
    """Every family of conversions, recorded or not, in the order of the catalogue."""
    families = []
    for (group, name), conversions in group_by_family(CONVERSIONS).items():
        rows = [matrix.rows[conversion.name] for conversion in conversions if conversion.name in matrix.rows]
        entries = group_by_kind(chain.from_iterable(row.values() for row in rows))
        families.append(Family(group, name, conversions, entries))
    return families


def list_sources(matrix: Matrix) -> dict[SourceKind, list[Source]]:
    """Recorded sources by kind."""
    groups = group_by_kind(next(iter(column.values())) for column in matrix.columns.values())
    return {kind: [entry.source for entry in entries] for kind, entries in groups.items()}


def describe_needs(needs: Sequence[str]) -> str:
    """Why something is not recorded yet."""
    return f"needs {' and '.join(needs)}: not yet recorded" if needs else "not yet recorded"


def _render_part(name: str, facts: Mapping[str, object]) -> nodes.raw:
    """A part of the page, from its template."""
    names = {"CONVERSION": CONVERSION, "SOURCE": SOURCE, "TRIED_ON": TRIED_ON}
    words = {"Group": Group, "SourceKind": SourceKind, "describe_needs": describe_needs}
    text = TEMPLATES.get_template(f"overview_{name}.html").render(names, **words, **facts)
    return nodes.raw("", text, format="html")
