"""Base of all directives that show evidence; roles; pages from TOML files: decisions, corrections, topics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from docutils import nodes
from docutils.nodes import Node, system_message
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective, SphinxRole

from tensor_atlas.compare import answers
from tensor_atlas.compare.answers import Answer, Reading
from tensor_atlas.compare.evidence import Evidence, ExampleEvidence
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.prose import prose_to_text
from tensor_atlas.examples.scenarios import SCENARIOS, Scenario, parse_scenarios
from tensor_atlas.pages import GALLERY
from tensor_atlas.site.build.execution import (
    ALL_EXAMPLES,
    app_of,
    evidence_of,
    note_dependency,
    stop,
)
from tensor_atlas.site.build.nodes import (
    build_answers,
    build_element,
    build_fold,
    element,
    join_nodes,
    render_prose,
)
from tensor_atlas.toml_tables import read_tables

_Form = TypeVar("_Form")


@dataclass(frozen=True)
class PageContext:
    """The page that is being read, and the evidence that it may show."""

    app: Sphinx
    docname: str
    """Name of the page, as Sphinx has it."""

    @property
    def evidence(self) -> Evidence:
        """Evidence of this build; the page is made again when any of it changes."""
        self.depend_on(ALL_EXAMPLES)
        return evidence_of(self.app)

    def depend_on(self, example: str) -> None:
        """Make the page again when evidence of an example, of ALL_EXAMPLES or of the WHOLE_MATRIX changes."""
        note_dependency(self.app, self.docname, example)

    def locate(self, page: str, anchor: str = "") -> str:
        """Address of a page of the site, or of a part of it, from here."""
        address = self.app.builder.get_relative_uri(self.docname, page)
        return f"{address}#{anchor}" if anchor else address

    def link_page(self, page: str, content: Node | str, anchor: str = "") -> nodes.reference:
        """Link to a page of the site, or to a part of it."""
        if isinstance(content, str):
            content = nodes.Text(content)
        return nodes.reference("", "", content, refuri=self.locate(page, anchor), internal=True)

    def link_example(
        self, example_page: ExampleEvidence, content: Node | str = "", anchor: str = ""
    ) -> nodes.reference:
        """Link to an example's page, its title as the text unless another is given."""
        page = f"{GALLERY}/{example_page.example.name}"
        return self.link_page(page, content or example_page.example.title, anchor)


ICONS = {
    Answer.SHARES: "=",
    Answer.COPIES: "≠",
    Answer.RAISES: "×",
    Answer.WARNS: "!",
    Answer.PRINTS: "›",
    Answer.WORKS: "✓",
    Answer.ENDED: "×",
    Answer.UNKNOWN: "?",
    Answer.ABSENT: "–",
}
"""Sign beside each answer, so that colour never carries meaning alone; the words stand beside both."""


def build_answer_node(context: PageContext, question: str, where: str) -> element:
    """The answer to a question, and those of other environments."""
    first = answers.read_answer(context.evidence, question, where)
    others = answers.find_other_answers(context.evidence, question, where)
    verdicts = [(other.environments, _build_verdict(context, other.reading)) for other in others]
    return build_answers(_build_verdict(context, first), verdicts)


def _build_verdict(context: PageContext, reading: Reading) -> nodes.inline:
    """An answer as a sign and words, linked to the block that shows it."""
    classes = ["atlas-verdict", f"atlas-verdict-{reading.answer.name.lower()}"]
    words = nodes.inline("", f"{ICONS[reading.answer]} {reading.words}", classes=classes)
    return nodes.inline(
        "", "", context.link_example(reading.evidence, words, f"block-{reading.block_index + 1}")
    )


class EvidenceRole(SphinxRole):
    """A role whose node is built from the evidence."""

    def run(self) -> tuple[list[Node], list[system_message]]:
        """The node; ends the build for input that is wrong."""
        context = PageContext(app_of(self.env), self.env.current_document.docname)
        try:
            return [self.build_node(context, shorten_location(self.get_location()))], []
        except AtlasError as error:
            stop(error)

    def build_node(self, context: PageContext, where: str) -> Node:
        """The node; ``where`` is the file and line of the role, for messages."""
        raise NotImplementedError


class VerdictRole(EvidenceRole):
    """``{verdict}`chapter/example: a, b```: the captured answer, linked to its proof."""

    def build_node(self, context: PageContext, where: str) -> Node:
        return build_answer_node(context, self.text, where)


class ExampleRole(EvidenceRole):
    """``{example}`chapter/example```: a link to an example under its own title."""

    def build_node(self, context: PageContext, where: str) -> Node:
        page = context.evidence.pages.get(self.text)
        if page is None:
            raise AtlasError(where, f"no example {self.text}", "name it <chapter>/<stem>")
        return context.link_example(page)


def shorten_location(location: str) -> str:
    """File and line, the path from the folder ``docs`` on, for messages."""
    parts = Path(location).parts
    return "/".join(parts[parts.index("docs") :]) if "docs" in parts else location


class EvidenceDirective(SphinxDirective):
    """A directive whose nodes are built from the evidence."""

    @property
    def context(self) -> PageContext:
        """The page that the directive stands on."""
        return PageContext(app_of(self.env), self.env.current_document.docname)

    def run(self) -> list[Node]:
        """Nodes of the directive; ends the build for input that is wrong."""
        try:
            return list(self.build_nodes())
        except AtlasError as error:
            stop(error)

    def build_nodes(self) -> Iterable[Node]:
        """Nodes of the directive."""
        raise NotImplementedError

    def build_section(self, title: str, *children: Node, name: str = "") -> nodes.section:
        """A part of the page, with a heading that can be linked to by ``name``, or by its title."""
        heading = nodes.title("", title)
        section = nodes.section("", heading, *children, ids=[nodes.make_id(name or title)])
        self.state.document.note_implicit_target(section, section)
        return section

    def parse_words(self, text: str) -> list[Node]:
        """Inline markup of a TOML field."""
        inline, messages = self.parse_inline(text)
        return [*inline, *messages]

    @property
    def where(self) -> str:
        """File and line of the directive, for messages."""
        return shorten_location(self.get_location())

    def read_file(self, name: str) -> str:
        """Text of a file beside the pages; the page is made again when it changes."""
        path = Path(self.env.srcdir) / name
        self.env.note_dependency(str(path))
        return path.read_text(encoding="utf-8")

    def read_tables(self, name: str, form: type[_Form]) -> list[tuple[_Form, str]]:
        """Tables ``[[name]]`` of a TOML file beside the pages, each with its file and line."""
        return read_tables(self.read_file(f"{name}.toml"), name, f"docs/{name}.toml", form)


CHOOSER = "choose"
"""Page on which a reader chooses a conversion."""
NAME = "NAME"
"""Stands for an example, a conversion or a source in the addresses that a page gives its script."""


@dataclass(frozen=True)
class DecisionEntry:
    """A table of ``docs/decisions.toml``; ``ask`` is the same question in the address of the chooser."""

    have: str
    want: str
    call: str
    evidence: str
    ask: str = ""


@dataclass(frozen=True)
class CorrectionEntry:
    """A table of ``docs/corrections.toml``: what tutorials say, and questions that show the fact."""

    title: str
    said: str
    fact: str
    evidence: tuple[str, ...]


@dataclass(frozen=True)
class Decision:
    """An entry of ``docs/decisions.toml`` as nodes."""

    have: list[Node]
    """What the reader has."""
    want: list[Node]
    """What the reader wants; a link to the same question in the chooser where it can be asked."""
    call: Node
    answer: Node
    """What the call does, as captured."""


def build_decisions(directive: EvidenceDirective) -> Iterator[Decision]:
    """Every decision, in the order of the file."""
    context = directive.context
    for entry, where in directive.read_tables("decisions", DecisionEntry):
        want = directive.parse_words(entry.want)
        if entry.ask:
            want = [context.link_page(CHOOSER, nodes.inline("", "", *want), entry.ask)]
        yield Decision(
            directive.parse_words(entry.have),
            want,
            nodes.literal("", entry.call),
            build_answer_node(context, entry.evidence, where),
        )


class DecisionTable(EvidenceDirective):
    """The calls of ``docs/decisions.toml`` in a table, each with its captured answer."""

    def build_nodes(self) -> Iterable[Node]:
        rows: list[list[Cell]] = []
        for decision in build_decisions(self):
            cells = (decision.have, decision.want, [decision.call], [decision.answer])
            rows.append([[nodes.paragraph("", "", *cell)] for cell in cells])
        yield build_table(["I have", "I want", "Call", "Result"], rows, "atlas-decisions")


class Corrections(EvidenceDirective):
    """Common mistakes of tutorials, from ``docs/corrections.toml``, each with the captured answer."""

    def build_nodes(self) -> Iterable[Node]:
        for entry, where in self.read_tables("corrections", CorrectionEntry):
            readings = [answers.read_answer(self.context.evidence, one, where) for one in entry.evidence]
            yield self.build_section(
                entry.title,
                self._build_labelled("Often said", entry.said),
                self._build_labelled(label_fact(readings), entry.fact),
                self._build_proof(entry.evidence, where),
            )

    def _build_labelled(self, label: str, text: str) -> nodes.paragraph:
        """Paragraph of a TOML field with inline markup, after a label."""
        return nodes.paragraph("", "", nodes.strong("", f"{label}: "), *self.parse_words(text))

    def _build_proof(self, questions: Iterable[str], where: str) -> nodes.paragraph:
        """The answer to each question, with a link to its example."""
        context = self.context
        answers_of: dict[str, list[Node]] = {}
        for question in questions:
            page = answers.read_answer(context.evidence, question, where).evidence
            answers_of.setdefault(page.example.name, []).append(build_answer_node(context, question, where))
        proofs = []
        for name, nodes_of in answers_of.items():
            link = context.link_example(context.evidence.pages[name])
            proofs.append(nodes.inline("", "", *join_nodes(nodes_of), nodes.Text(" in "), link))
        label = nodes.strong("", "Proof: ")
        return nodes.paragraph("", "", label, *join_nodes(proofs, "; "), classes=["atlas-proof"])


def label_fact(proofs: Sequence[Reading]) -> str:
    """What stands before the fact of a correction: how much of it runs have shown."""
    unknown = [proof.answer is Answer.UNKNOWN for proof in proofs]
    if all(unknown):
        return "Expected, not yet confirmed by a run"
    return "In fact, partly confirmed by runs" if any(unknown) else "In fact"


class Topics(EvidenceDirective):
    """Questions of ``docs/scenarios.toml`` by topic, folded, each with the lead of the page that answers."""

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        scenarios = parse_scenarios(self.read_file("scenarios.toml"), SCENARIOS, context.evidence.pages)
        topics: dict[str, list[Node]] = {}
        for scenario in scenarios:
            topics.setdefault(scenario.topic, []).append(_build_question(context, scenario))
        yield build_filter()
        for topic, questions in topics.items():
            lines = build_element("ul", *questions, css="atlas-lines")
            fold = build_fold(f"{topic} ({len(questions)})", lines, css="atlas-fold")
            fold["ids"].append(nodes.make_id(topic))
            yield fold


def build_filter(css: str = "") -> element:
    """Place of the filter of a list, which a script fills, with the room that it needs."""
    return build_element("div", css=f"atlas-words pst-js-only {css}")


def _build_question(context: PageContext, scenario: Scenario) -> element:
    """One question, the answer in the lead of the first page, and links to all of its pages."""
    pages = [context.evidence.pages[name] for name in scenario.examples]
    titles = {name: each.example.title for name, each in context.evidence.pages.items()}
    lead = prose_to_text(pages[0].example.summary.replace("\n", " "), titles).replace("`", "``")
    question = nodes.strong("", "", *render_prose(scenario.question))
    links = join_nodes([context.link_example(each) for each in pages], " · ")
    return build_element("li", nodes.paragraph("", "", question, *render_prose(f" {lead} "), *links))


Cell = str | Sequence["Node"]
"""Text of a table's cell, or its paragraphs."""


def build_table(heads: Sequence[Cell], rows: Iterable[Sequence[Cell]], css: str) -> nodes.container:
    """Table with a header row, in a box that scrolls sideways on its own."""
    group = nodes.tgroup(cols=len(heads))
    group += [nodes.colspec(colwidth=1) for _ in heads]
    group += nodes.thead("", _build_row(heads))
    group += nodes.tbody("", *map(_build_row, rows))
    return nodes.container("", nodes.table("", group, classes=[css]), classes=["atlas-scroll"])


def _build_row(cells: Sequence[Cell]) -> nodes.row:
    row = nodes.row()
    for cell in cells:
        row += nodes.entry("", *([nodes.paragraph("", cell)] if isinstance(cell, str) else cell))
    return row
