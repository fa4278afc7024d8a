"""Base of all directives that show evidence; roles; pages from TOML files: decisions, corrections, topics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from docutils import nodes
from sphinx.util.docutils import SphinxDirective, SphinxRole

from tensor_atlas.compare import answers
from tensor_atlas.compare.answers import Answer, Reading
from tensor_atlas.compare.evidence import Evidence, ExampleEvidence
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.prose import prose_to_text
from tensor_atlas.examples.scenarios import Scenario, parse_scenarios
from tensor_atlas.site.execution import ALL_EXAMPLES, GALLERY, app_of, evidence_of, note_dependency, stop
from tensor_atlas.site.nodes import build_element, element, join_ids, join_nodes
from tensor_atlas.site.output_nodes import render_prose
from tensor_atlas.toml_tables import toml_entries

if TYPE_CHECKING:
    from docutils.nodes import Node, system_message
    from sphinx.application import Sphinx


@dataclass(frozen=True)
class PageContext:
    """The page that is being read, and the evidence that it may show."""

    app: Sphinx
    """The build."""
    docname: str
    """Name of the page, as Sphinx has it."""

    @property
    def evidence(self) -> Evidence:
        """Evidence of this build; the page is made again when any of it changes."""
        self.depend_on(ALL_EXAMPLES)
        return evidence_of(self.app)

    def depend_on(self, example: str) -> None:
        """Make the page again when the evidence of an example, of ALL_EXAMPLES or of the MATRIX changes."""
        note_dependency(self.app, self.docname, example)

    def locate(self, page: str, anchor: str = "") -> str:
        """Address of a page of the site, or of a part of it, from here."""
        address = self.app.builder.get_relative_uri(self.docname, page)
        return f"{address}#{anchor}" if anchor else address

    def link_page(self, page: str, content: Node | str, anchor: str = "") -> nodes.reference:
        """Link to a page of the site, or to a part of it."""
        if isinstance(content, str):
            content = nodes.inline("", content)
        return nodes.reference("", "", content, refuri=self.locate(page, anchor), internal=True)

    def link_example(
        self, shown: ExampleEvidence, content: Node | str = "", anchor: str = ""
    ) -> nodes.reference:
        """Link to an example's page, its title as the text unless another is given."""
        page = f"{GALLERY}/{shown.example.name}"
        return self.link_page(page, content or shown.example.title, anchor)


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
    """The answer to a question; hidden behind it, for the picker, other answers with their environments."""
    first = answers.read_answer(context.evidence, question, where)
    parts = [build_element("span", _build_verdict(context, first), css="atlas-answer")]
    for other in answers.find_other_answers(context.evidence, question, where):
        verdict = _build_verdict(context, other.reading)
        parts.append(
            build_element("span", verdict, hidden="hidden", data_environments=join_ids(other.environments))
        )
    return build_element("span", *parts, css="atlas-answers")


def _build_verdict(context: PageContext, reading: Reading) -> nodes.inline:
    """An answer as a sign and words, linked to the block that shows it."""
    classes = ["atlas-verdict", f"atlas-verdict-{reading.answer.name.lower()}"]
    words = nodes.inline("", f"{ICONS[reading.answer]} {reading.words}", classes=classes)
    return nodes.inline(
        "", "", context.link_example(reading.shown, words, f"block-{reading.block_index + 1}")
    )


class EvidenceRole(SphinxRole):
    """A role whose node is built from the evidence."""

    def run(self) -> tuple[list[Node], list[system_message]]:
        """The node; ends the build for input that is wrong."""
        path, line = self.get_source_info()
        context = PageContext(app_of(self.env), self.env.current_document.docname)
        try:
            return [self.build_node(context, f"{shorten_path(path)}:{line}")], []
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
        shown = context.evidence.shown.get(self.text)
        if shown is None:
            raise AtlasError(where, f"no example {self.text}", "name it <chapter>/<stem>")
        return context.link_example(shown)


def shorten_path(path: str) -> str:
    """Path from the folder ``docs`` on, for messages."""
    parts = Path(path).parts
    return "/".join(parts[parts.index("docs") :]) if "docs" in parts else path


class EvidenceDirective(SphinxDirective):
    """A directive whose nodes are built from the evidence."""

    has_content = False
    optional_arguments: ClassVar[int] = 0

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

    def read_entries(self, name: str) -> list[dict[str, object]]:
        """Tables ``[[name]]`` of a TOML file beside the pages; ``where`` in each is its file and line."""
        path = Path(self.env.srcdir) / f"{name}.toml"
        self.env.note_dependency(str(path))
        entries = toml_entries(path.read_text(encoding="utf-8"), name, f"docs/{path.name}")
        return [{**entry, "where": f"docs/{path.name}:{line}"} for entry, line in entries]


def locate_entry(entry: dict[str, object]) -> str:
    """File and line of an entry, for messages."""
    return str(entry["where"])


def read_field(entry: dict[str, object], key: str) -> str:
    """Text of a field of an entry; AtlasError where it is missing."""
    value = entry.get(key)
    if not isinstance(value, str) or not value:
        raise AtlasError(locate_entry(entry), f"no {key}", f'write {key} = "…"')
    return value


class DecisionTable(EvidenceDirective):
    """The calls of ``docs/decisions.toml`` in a table, each with its captured answer."""

    def build_nodes(self) -> Iterable[Node]:
        rows: list[list[Cell]] = []
        for entry in self.read_entries("decisions"):
            have = self.parse_words(read_field(entry, "have"))
            want = self.parse_words(read_field(entry, "want"))
            call = nodes.literal("", read_field(entry, "call"))
            answer = build_answer_node(self.context, read_field(entry, "evidence"), locate_entry(entry))
            rows.append([[nodes.paragraph("", "", *cell)] for cell in (have, want, [call], [answer])])
        yield build_table(["I have", "I want", "Call", "Captured"], rows, "atlas-decisions")


class Corrections(EvidenceDirective):
    """Common mistakes of tutorials, from ``docs/corrections.toml``, each with the captured answer."""

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        for entry in self.read_entries("corrections"):
            said = self._parse_labelled("Often said", read_field(entry, "said"))
            fact = self._parse_labelled(_label_fact(context, entry), read_field(entry, "fact"))
            yield self.build_section(read_field(entry, "title"), said, fact, _build_proof(context, entry))

    def _parse_labelled(self, label: str, text: str) -> nodes.paragraph:
        """Paragraph of a TOML field with inline markup, after a label."""
        return nodes.paragraph("", "", nodes.strong("", f"{label}: "), *self.parse_words(text))


def _read_questions(entry: dict[str, object]) -> list[str]:
    """Questions to the evidence that an entry asks; AtlasError where there are none."""
    questions = entry.get("evidence")
    if not isinstance(questions, list) or not questions:
        raise AtlasError(locate_entry(entry), "no evidence", 'write evidence = ["chapter/example: a, b"]')
    return [str(question) for question in questions]


def _label_fact(context: PageContext, entry: dict[str, object]) -> str:
    """``In fact`` where a run has answered one of the questions; else the fact is only expected."""
    questions = _read_questions(entry)
    readings = [
        answers.read_answer(context.evidence, question, locate_entry(entry)) for question in questions
    ]
    unknown = all(reading.answer is Answer.UNKNOWN for reading in readings)
    return "Expected, not yet confirmed by a run" if unknown else "In fact"


def _build_proof(context: PageContext, entry: dict[str, object]) -> nodes.paragraph:
    """The answer to each question of an entry, with a link to its example."""
    proofs = []
    for question in _read_questions(entry):
        answer = build_answer_node(context, question, locate_entry(entry))
        shown = answers.read_answer(context.evidence, question, locate_entry(entry)).shown
        proofs.append(nodes.inline("", "", answer, nodes.Text(" in "), context.link_example(shown)))
    label = nodes.strong("", "Proof: ")
    return nodes.paragraph("", "", label, *join_nodes(proofs, "; "), classes=["atlas-proof"])


class Topics(EvidenceDirective):
    """Questions of ``docs/scenarios.toml`` by topic, folded, each with the lead of the page that answers."""

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        path = Path(self.env.srcdir) / "scenarios.toml"
        self.env.note_dependency(str(path))
        text = path.read_text(encoding="utf-8")
        found = parse_scenarios(text, f"docs/{path.name}", context.evidence.shown)
        topics: dict[str, list[Node]] = {}
        for scenario in found:
            topics.setdefault(scenario.topic, []).append(_build_question(context, scenario))
        for topic, questions in topics.items():
            summary = build_element("summary", nodes.inline("", f"{topic} ({len(questions)})"))
            lines = build_element("ul", *questions, css="atlas-lines")
            fold = build_element("details", summary, lines, css="atlas-fold")
            fold["ids"].append(nodes.make_id(topic))
            yield fold


def _build_question(context: PageContext, scenario: Scenario) -> element:
    """One question, the answer in the lead of the first page, and links to all of its pages."""
    found = [context.evidence.shown[name] for name in scenario.examples]
    titles = {name: each.example.title for name, each in context.evidence.shown.items()}
    lead = prose_to_text(found[0].example.summary.replace("\n", " "), titles).replace("`", "``")
    question = nodes.strong("", "", *render_prose(scenario.question))
    links = join_nodes([context.link_example(each) for each in found], " · ")
    return build_element("li", nodes.paragraph("", "", question, *render_prose(f" {lead} "), *links))


Cell = str | Sequence["Node"]
"""Text of a table's cell, or its paragraphs."""


def build_table(heads: Sequence[str], rows: Iterable[Sequence[Cell]], css: str) -> nodes.container:
    """Table with a header row, in a box that scrolls sideways on its own."""
    group = nodes.tgroup(cols=len(heads))
    group += [nodes.colspec(colwidth=1) for _ in heads]
    group += nodes.thead("", _build_row(heads))
    group += nodes.tbody("", *map(_build_row, rows))
    return nodes.container("", nodes.table("", group, classes=[css]), classes=["atlas-scroll"])


def _build_row(cells: Sequence[Cell]) -> nodes.row:
    """Row of a table."""
    row = nodes.row()
    for cell in cells:
        row += nodes.entry("", *([nodes.paragraph("", cell)] if isinstance(cell, str) else cell))
    return row
