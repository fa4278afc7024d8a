"""The overview of the matrix: a map of families by kinds of sources, and links to all its pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docutils import nodes

from tensor_atlas.catalogue import CONVERSIONS, TRIED_ON, Conversion, Group, Source
from tensor_atlas.compare.report import summarize_environment
from tensor_atlas.matrix.table import (
    Entry,
    Matrix,
    SourceKind,
    find_unrecorded,
    group_by_family,
    group_by_kind,
)
from tensor_atlas.site.directives import EvidenceDirective
from tensor_atlas.site.freshness import MATRIX, note
from tensor_atlas.site.matrix_html import TEMPLATES, anchor
from tensor_atlas.site.matrix_pages import CONVERSION, SOURCE, matrix_of

if TYPE_CHECKING:
    from docutils.nodes import Node


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

    def fill(self) -> Iterable[Node]:
        site = self.site
        note(site.app, site.docname, MATRIX)
        matrix = matrix_of(site.app)
        if not matrix.rows or matrix.shown is None:
            yield nodes.paragraph("", "No cell of the matrix has been recorded yet.")
            return

        def address(part: str, subject: Conversion | Source) -> str:
            return site.app.builder.get_relative_uri(site.docname, f"{part}/{subject.name}")

        families = list_families(matrix)
        recorded = [family for family in families if family.entries]
        kinds = list_sources(matrix)
        conversions, sources = find_unrecorded(matrix)
        yield render_part("stamp", matrix=matrix, environment=summarize_environment(matrix.shown))
        yield self.part("Map", render_part("map", families=recorded, kinds=kinds))
        part = render_part("conversions", matrix=matrix, families=families, address=address)
        yield self.part("Conversions", part)
        yield self.part("Sources", render_part("sources", kinds=kinds, missing=sources, address=address))
        part = render_part("rule", conversions=conversions, sources=sources)
        yield self.part("What is tried, and what not", part)

    def part(self, title: str, content: Node) -> nodes.section:
        """A section of the page."""
        section = nodes.section("", nodes.title("", title), content, ids=[nodes.make_id(title)])
        self.state.document.note_implicit_target(section, section)
        return section


def list_families(matrix: Matrix) -> list[Family]:
    """Every family of conversions, recorded or not, in the order of the catalogue."""
    families = []
    for (group, name), conversions in group_by_family(CONVERSIONS).items():
        rows = [matrix.rows[conversion.name] for conversion in conversions if conversion.name in matrix.rows]
        entries = group_by_kind(entry for row in rows for entry in row.values())
        families.append(Family(group, name, conversions, entries))
    return families


def list_sources(matrix: Matrix) -> dict[SourceKind, list[Source]]:
    """Recorded sources by kind."""
    groups = group_by_kind(next(iter(column.values())) for column in matrix.columns.values())
    return {kind: [entry.source for entry in entries] for kind, entries in groups.items()}


def describe_needs(needs: Sequence[str]) -> str:
    """Why something is not recorded yet."""
    return f"needs {' and '.join(needs)}: not yet recorded" if needs else "not yet recorded"


def render_part(name: str, **values: object) -> nodes.raw:
    """A part of the page, from its template."""
    html = TEMPLATES.get_template(f"overview_{name}.html").render(
        CONVERSION=CONVERSION,
        SOURCE=SOURCE,
        Group=Group,
        SourceKind=SourceKind,
        TRIED_ON=TRIED_ON,
        describe_needs=describe_needs,
        **values,
    )
    return nodes.raw("", html, format="html")
