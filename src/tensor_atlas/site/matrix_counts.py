"""Counts of cells inside sentences: ``12 of 40``, linked to the cells that are counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util.docutils import SphinxRole

from tensor_atlas.errors import AtlasError
from tensor_atlas.matrix.facts import Fact, count_cells, parse_question
from tensor_atlas.site.directives import EvidenceDirective, Site, shorten_path
from tensor_atlas.site.execution import app_of, stop
from tensor_atlas.site.freshness import MATRIX, note
from tensor_atlas.site.matrix_html import anchor
from tensor_atlas.site.matrix_pages import CONVERSION, OVERVIEW, SOURCE, matrix_of
from tensor_atlas.site.nodes import html, join_ids

if TYPE_CHECKING:
    from docutils.nodes import Node, system_message


class CellsRole(SphinxRole):
    """``{cells}`share: to a tensor / array-float32```: how many of how many, linked to the cells."""

    def run(self) -> tuple[list[Node], list[system_message]]:
        """The count; ends the build for a name that is unknown."""
        path, line = self.get_source_info()
        site = Site(app_of(self.env), self.env.current_document.docname)
        try:
            return [_answer_node(site, self.text, f"{shorten_path(path)}:{line}", _count_node)], []
        except AtlasError as error:
            stop(error)


class Cells(EvidenceDirective):
    """The conversions that do something, by name: the list behind a count."""

    required_arguments = 1
    final_argument_whitespace = True

    def fill(self) -> Iterable[Node]:
        path, line = self.get_source_info()
        node = _answer_node(self.site, self.arguments[0], f"{shorten_path(path)}:{line}", _list_node)
        yield nodes.paragraph("", "", node)


def _answer_node(site: Site, text: str, where: str, fact_node: Callable[[Site, Fact], Node]) -> Node:
    """The newest environment's answer, and behind it those of the others, for the picker."""
    note(site.app, site.docname, MATRIX)
    answers = count_cells(matrix_of(site.app), parse_question(text, where))
    if not answers:
        return nodes.inline("", "(not yet recorded)")
    first, *rest = answers
    others = [
        html("span", fact_node(site, other), hidden="hidden", data_environments=join_ids(other.environments))
        for other in rest
    ]
    return html(
        "span", html("span", fact_node(site, first), css="atlas-answer"), *others, css="atlas-answers"
    )


def _count_node(site: Site, fact: Fact) -> Node:
    """``12 of 40``, linked to the page that shows all these cells."""
    return _link(site, _find_page(fact), nodes.inline("", fact.words))


def _list_node(site: Site, fact: Fact) -> Node:
    """The conversions by name, each linked to its cell."""
    line = nodes.inline("", "" if fact.doing else "none", classes=["atlas-cells-named"])
    for position, entry in enumerate(fact.doing):
        if position:
            line += nodes.Text(", ")
        code = nodes.literal("", entry.conversion.title)
        line += _link(site, (f"{CONVERSION}/{entry.conversion.name}", entry.source.name), code)
    return line


def _find_page(fact: Fact) -> tuple[str, str]:
    """Page that shows all the cells of an answer, and the part of it: of the one source or conversion, else the map."""
    sources = {entry.source.name for entry in fact.among}
    conversions = {entry.conversion.name for entry in fact.among}
    groups = {entry.conversion.group for entry in fact.among}
    if len(sources) == 1:
        return f"{SOURCE}/{sources.pop()}", anchor(groups.pop()) if len(groups) == 1 else ""
    if len(conversions) == 1:
        return f"{CONVERSION}/{conversions.pop()}", ""
    return OVERVIEW, ""


def _link(site: Site, target: tuple[str, str], content: Node) -> nodes.inline:
    """Link to a part of a page."""
    page, part = target
    uri = site.app.builder.get_relative_uri(site.docname, page) + (f"#{part}" if part else "")
    # Sphinx takes a link that stands in no running text for one around an image.
    return nodes.inline("", "", nodes.reference("", "", content, refuri=uri, internal=True))
