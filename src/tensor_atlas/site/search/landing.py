"""The landing page: what was run, an example with its memory, three ways in, the chapters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from docutils import nodes
from docutils.nodes import Node

from tensor_atlas.compare.evidence import Evidence
from tensor_atlas.errors import AtlasError
from tensor_atlas.history.releases import is_compatible, minor_release
from tensor_atlas.pages import GALLERY
from tensor_atlas.pages.example_view import view_block
from tensor_atlas.pages.release_view import ReleaseChange, count_behaviour, list_pages
from tensor_atlas.pages.statement_view import ExamplePage
from tensor_atlas.site.build.directives import (
    CHOOSER,
    Decision,
    EvidenceDirective,
    PageContext,
    build_decisions,
)
from tensor_atlas.site.build.execution import ALL_EXAMPLES, MATRIX, project_of
from tensor_atlas.site.build.nodes import build_element, element, join_nodes
from tensor_atlas.site.build.page_scripts import find_newest_date
from tensor_atlas.site.gallery.example_pages import build_block_node
from tensor_atlas.site.matrix.matrix_pages import OVERVIEW, matrix_of
from tensor_atlas.site.releases.release_pages import FOLDER, UPGRADE, find_release_changes
from tensor_atlas.site.search.search_index import build_finder_place

RELEASES, CALLS = "history", "reference/calls"
"""Pages that the panels lead on to."""
ENVIRONMENTS, COVERAGE = "reference/environments", "reference/coverage"
"""Pages that prove the facts."""
LAST = 3
"""Releases whose changes are counted."""


# --- what was run ----------------------------------------------------------------------------------


class Facts(EvidenceDirective):
    """How much was run, on which releases and when: a number each, linked to where it is proved."""

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        context.depend_on(MATRIX)
        evidence = context.evidence
        run = [shown for shown in evidence.shown.values() if shown.runs]
        statements = sum(len(shown.example.statements) for shown in run)
        releases = list_releases(evidence)
        facts = [(ENVIRONMENTS, str(len(releases)), f"torch releases, {releases[0]} to {releases[-1]}")]
        words = f"statements run, in {len(run)} of {len(evidence.shown)} examples"
        facts.append((COVERAGE, f"{statements:,}", words))
        if size := matrix_of(context.app).size:
            facts.append((OVERVIEW, f"{size:,}", "pairs of a call and an input"))
        facts.append((ENVIRONMENTS, find_newest_date(context.app), "last run"))
        yield build_element("ul", *(self._build_fact(*fact) for fact in facts), css="atlas-facts")

    def _build_fact(self, page: str, number: str, words: str) -> element:
        """A number that links to its proof, and what is counted."""
        link = self.context.link_page(page, nodes.strong("", number))
        return build_element("li", nodes.inline("", "", link), nodes.Text(" "), nodes.inline("", words))


def list_releases(evidence: Evidence) -> list[str]:
    """Minor releases of torch that ran an example with a NumPy that fits, the oldest first."""
    compatible = filter(is_compatible, evidence.environments)
    return list(dict.fromkeys(minor_release(environment.torch) for environment in compatible))


# --- a block of an example --------------------------------------------------------------------------


class ExampleBlock(EvidenceDirective):
    """A block of an example as its page shows it: ``{block} chapter/example 2``."""

    required_arguments = 2

    def build_nodes(self) -> Iterable[Node]:
        name, number = self.arguments
        shown = self.context.evidence.shown.get(name)
        if shown is None or number not in map(str, range(1, len(shown.example.blocks) + 1)):
            raise AtlasError(self.where, f"no block {number} of {name}", "name an example and a block of it")
        yield build_block_node(view_block(ExamplePage(shown), int(number) - 1))


# --- three ways in ----------------------------------------------------------------------------------


class Landing(EvidenceDirective):
    """The three questions people come with, each with the means to answer it."""

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        yield build_element(
            "div",
            self._build_panel("Fix an error", build_finder_place()),
            self._build_panel("Choose a conversion", *self._build_picker(context)),
            self._build_panel("See what an upgrade changes", *_build_upgrade(context)),
            css="atlas-panels",
        )

    def _build_panel(self, title: str, *parts: Node) -> nodes.section:
        """One panel, with a heading that can be linked to."""
        section = self.build_section(title, *parts)
        section["classes"] += ["atlas-panel", f"atlas-{section['ids'][0]}"]
        return section

    def _build_picker(self, context: PageContext) -> Iterator[Node]:
        """Every decision as a line, of which the page's script shows those that fit the reader's choice."""
        rows = [_build_row(decision) for decision in build_decisions(self)]
        yield build_element("div", build_element("ol", *rows, css="atlas-pick-rows"), css="atlas-pick")
        more = nodes.paragraph(classes=["atlas-more"])
        more += [context.link_page(CHOOSER, "Every kind, dtype and device"), nodes.Text(" · ")]
        more += context.link_page(CALLS, "all of these on one page")
        yield more


def _build_row(decision: Decision) -> element:
    """Line of a decision: what the reader has and wants, the call, and its captured answer."""
    parts = [*decision.have, nodes.Text(" → "), *decision.want]
    return build_element(
        "li",
        nodes.paragraph("", "", *parts, classes=["atlas-pick-asked"]),
        nodes.paragraph("", "", decision.call, classes=["atlas-pick-call"]),
        nodes.paragraph("", "", decision.answer),
        css="atlas-pick-row",
        data_have="".join(node.astext() for node in decision.have),
        data_want="".join(node.astext() for node in decision.want),
    )


# --- what changed --------------------------------------------------------------------------------


def _build_upgrade(context: PageContext) -> Iterator[Node]:
    """Where the script puts two lists of releases, and counts of changes for the last ones."""
    titles = list_pages(context.evidence)
    last = [name for name in titles if name.startswith("torch")][:LAST]
    if not last:
        yield nodes.paragraph("", "One release has been recorded: nothing to compare yet.")
        return
    yield build_element("div", css="atlas-upgrade-door", data_page=context.locate(UPGRADE))
    changes = find_release_changes(context.app)
    lines = (_build_release_line(context, name, titles[name], changes) for name in last)
    yield nodes.bullet_list("", *(nodes.list_item("", line) for line in lines))
    more = [
        context.link_page(UPGRADE, "Compare any two releases"),
        context.link_page(RELEASES, "every release"),
    ]
    yield nodes.paragraph("", "", *join_nodes(more, " · "), classes=["atlas-more"])


def _build_release_line(
    context: PageContext, name: str, title: str, changes: Iterable[ReleaseChange]
) -> nodes.paragraph:
    """``torch 2.15: 9 changes in behaviour``."""
    count = count_behaviour(changes, name)
    words = f": {count} change{'' if count == 1 else 's'} in behaviour"
    return nodes.paragraph("", "", context.link_page(f"{FOLDER}/{name}", title), nodes.Text(words))


# --- the chapters ----------------------------------------------------------------------------------


class Chapters(EvidenceDirective):
    """Every chapter as a card: its title, its first sentence, and how many examples it has."""

    def build_nodes(self) -> Iterable[Node]:
        self.context.depend_on(ALL_EXAMPLES)
        examples = project_of(self.context.app).root / "examples"
        headers = sorted(examples.glob("*/GALLERY_HEADER.rst"))
        yield build_element("ol", *map(self._build_card, headers), css="atlas-chapters")

    def _build_card(self, header: Path) -> element:
        """The whole card is the link."""
        self.env.note_dependency(str(header))
        title, _, *prose = filter(None, header.read_text(encoding="utf-8").splitlines())
        link = self.context.link_page(f"{GALLERY}/{header.parent.name}/index", title)
        count = sum(path.name != "__init__.py" for path in header.parent.glob("*.py"))
        size = f"{count} {'example' if count == 1 else 'examples'}"
        return build_element(
            "li",
            nodes.paragraph("", "", link, classes=["atlas-chapter-title"]),
            nodes.paragraph("", "", *self.parse_inline("".join(prose[:1]))[0]),
            nodes.paragraph("", size, classes=["atlas-names"]),
            css="atlas-chapter",
        )
