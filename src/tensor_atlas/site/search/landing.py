"""The landing page: three doors, an example with its memory, what was run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from docutils import nodes
from docutils.nodes import Node

from tensor_atlas.errors import AtlasError
from tensor_atlas.pages.coverage_view import (
    Pairing,
    describe_range,
    list_pairings,
    list_releases,
    list_upgrade_ends,
)
from tensor_atlas.pages.example_view import view_block
from tensor_atlas.pages.matrix_places import OVERVIEW
from tensor_atlas.pages.statement_view import ExamplePage
from tensor_atlas.site.build.directives import CHOOSER, EvidenceDirective, PageContext, build_decisions
from tensor_atlas.site.build.execution import WHOLE_MATRIX
from tensor_atlas.site.build.nodes import build_element, element, join_nodes
from tensor_atlas.site.build.page_scripts import find_newest_date
from tensor_atlas.site.gallery.example_pages import build_block_node
from tensor_atlas.site.matrix.matrix_pages import matrix_of
from tensor_atlas.site.releases.release_pages import UPGRADE

RELEASES, CALLS = "history", "reference/calls"
"""Pages that the panels lead on to."""
ENVIRONMENTS, COVERAGE = "reference/environments", "reference/coverage"
"""Pages that prove the facts."""
NOT_AVAILABLE = "13_errors/numpy_not_available"
"""What torch says beside a NumPy that it cannot use."""


# --- what was run ----------------------------------------------------------------------------------


class Facts(EvidenceDirective):
    """How much was run, on which releases and when: a number each, linked to where it is proved."""

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        context.depend_on(WHOLE_MATRIX)
        evidence = context.evidence
        run = [shown for shown in evidence.pages.values() if shown.runs]
        statements = sum(len(shown.example.statements) for shown in run)
        releases = list_releases(evidence)
        facts = [(ENVIRONMENTS, str(len(releases)), f"torch releases, {releases[0]} to {releases[-1]}")]
        words = f"statements run, in {len(run)} of {len(evidence.pages)} examples"
        facts.append((COVERAGE, f"{statements:,}", words))
        if size := matrix_of(context.app).size:
            facts.append((OVERVIEW, f"{size:,}", "combinations of call and input tried"))
        facts.append((ENVIRONMENTS, find_newest_date(context.app), "last run"))
        yield build_element("ul", *(self._build_fact(*fact) for fact in facts), css="atlas-facts")

    def _build_fact(self, page: str, number: str, words: str) -> element:
        """A number that links to its proof, and what is counted."""
        link = self.context.link_page(page, nodes.strong("", number))
        return build_element("li", nodes.inline("", "", link), nodes.Text(" "), nodes.inline("", words))


# --- a block of an example --------------------------------------------------------------------------


class ExampleBlock(EvidenceDirective):
    """A block of an example as its page shows it: ``{block} chapter/example 2``."""

    required_arguments = 2

    def build_nodes(self) -> Iterable[Node]:
        name, number = self.arguments
        page = self.context.evidence.pages.get(name)
        if page is None or number not in map(str, range(1, len(page.example.blocks) + 1)):
            raise AtlasError(self.where, f"no block {number} of {name}", "name an example and a block of it")
        yield build_block_node(view_block(ExamplePage(page), int(number) - 1))


# --- three doors ------------------------------------------------------------------------------------


class Landing(EvidenceDirective):
    """Three questions people come with, each with the means to answer it."""

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        yield build_element(
            "div",
            self._build_panel("Choose a conversion", *self._build_conversions(context)),
            self._build_panel("Check compatibility", *_build_pairings(context)),
            self._build_panel("Compare an upgrade", *_build_upgrade(context)),
            css="atlas-panels",
        )

    def _build_panel(self, title: str, *parts: Node) -> nodes.section:
        """One panel, with a heading that can be linked to."""
        section = self.build_section(title, *parts)
        section["classes"] += ["atlas-panel", f"atlas-{section['ids'][0]}"]
        return section

    def _build_conversions(self, context: PageContext) -> Iterator[Node]:
        """Every decision as a line: what the reader has and wants, the call, and its captured answer."""
        rows = []
        for decision in build_decisions(self):
            call = nodes.paragraph("", "", decision.call, classes=["atlas-pick-call"])
            answer = nodes.paragraph("", "", decision.answer)
            rows.append(_build_row(decision.have, decision.want, call, answer))
        yield _build_pick("I have", "I want", rows)
        more = [context.link_page(CHOOSER, "Other kinds, dtypes and devices")]
        more.append(context.link_page(CALLS, "these calls on one page"))
        yield nodes.paragraph("", "", *join_nodes(more, " · "), classes=["atlas-more"])


def _build_pick(first: str, second: str, rows: Iterable[Node]) -> element:
    """Lines of which the page's script shows those that fit what is picked in two lists, so labelled."""
    lines = build_element("ol", *rows, css="atlas-pick-rows")
    return build_element("div", lines, css="atlas-pick", data_first=first, data_second=second)


def _build_row(first: Sequence[Node], second: Sequence[Node], *answer: Node) -> element:
    """A line of a pick: what it is picked by, and the answer."""
    return build_element(
        "li",
        nodes.paragraph("", "", *first, nodes.Text(" → "), *second, classes=["atlas-pick-asked"]),
        *answer,
        css="atlas-pick-row",
        data_first="".join(node.astext() for node in first),
        data_second="".join(node.astext() for node in second),
    )


# --- which releases work together -------------------------------------------------------------------


def _build_pairings(context: PageContext) -> Iterator[Node]:
    """A line for each torch and Python: which NumPy works with them, and which does not."""
    rows = []
    for pairing in list_pairings(context.evidence):
        answers = _describe_releases(context, pairing)
        rows.append(_build_row([nodes.Text(pairing.torch)], [nodes.Text(pairing.python)], *answers))
    yield _build_pick("torch", "Python", rows)
    link = context.link_page(ENVIRONMENTS, "All releases in one table")
    yield nodes.paragraph("", "", link, classes=["atlas-more"])


def _describe_releases(context: PageContext, pairing: Pairing) -> Iterator[Node]:
    """``✓ works with NumPy 1.26`` and ``× does not work with NumPy 2.4``, which leads to the error."""
    if pairing.working:
        words = f"✓ works with NumPy {', '.join(pairing.working)}"
        yield nodes.paragraph("", "", _build_verdict(words, "works"))
    if pairing.failing:
        verdict = _build_verdict(f"× does not work with NumPy {', '.join(pairing.failing)}", "raises")
        shown = context.evidence.pages.get(NOT_AVAILABLE)
        yield nodes.paragraph("", "", context.link_example(shown, verdict) if shown else verdict)
    words, numpy = describe_range(pairing)
    command = nodes.literal("", f'pip install "torch=={pairing.torch}.*" "{numpy}"')
    yield nodes.paragraph("", "", nodes.Text(f"{words}: "), command, classes=["atlas-pick-range"])


def _build_verdict(words: str, kind: str) -> nodes.inline:
    return nodes.inline("", words, classes=["atlas-verdict", f"atlas-verdict-{kind}"])


# --- what an upgrade changes --------------------------------------------------------------------------


def _build_upgrade(context: PageContext) -> Iterator[Node]:
    """Where the script puts lists of releases, from which it makes the address of the changes."""
    ends = list_upgrade_ends(context.evidence)
    if len(ends) < 2:
        yield nodes.paragraph("", "One release has been recorded: nothing to compare yet.")
        return
    page = context.locate(UPGRADE)
    yield build_element("div", css="atlas-upgrade-door", data_page=page, data_ends=" ".join(ends))
    more = [
        context.link_page(UPGRADE, "What changes between two releases"),
        context.link_page(RELEASES, "what each release changed"),
    ]
    yield nodes.paragraph("", "", *join_nodes(more, " · "), classes=["atlas-more"])
