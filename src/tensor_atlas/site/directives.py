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
from tensor_atlas.examples.scenarios import Scenario, parse_scenarios
from tensor_atlas.site.execution import ALL_EXAMPLES, app_of, evidence_of, note_dependency, stop
from tensor_atlas.site.nodes import element, html, join_ids
from tensor_atlas.site.output_nodes import render_prose
from tensor_atlas.toml_tables import toml_entries

if TYPE_CHECKING:
    from docutils.nodes import Node, system_message
    from sphinx.application import Sphinx


@dataclass(frozen=True)
class Site:
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
        """Make the page again when the evidence of an example changes, of any of ALL_EXAMPLES or of the MATRIX."""
        note_dependency(self.app, self.docname, example)

    def link(
        self, shown: ExampleEvidence, text: Node | str | None = None, anchor: str = ""
    ) -> nodes.reference:
        """Link to an example's page, its title as the text unless another is given."""
        page = f"{self.app.config.tensor_atlas_gallery}/{shown.example.name}"
        uri = self.app.builder.get_relative_uri(self.docname, page)
        if anchor:
            uri += f"#{anchor}"
        content = text or shown.example.title
        if isinstance(content, str):
            content = nodes.inline("", content)
        return nodes.reference("", "", content, refuri=uri, internal=True)


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


def build_answer_node(site: Site, question: str, where: str) -> element:
    """The answer to a question; hidden behind it, for the picker, other answers with their environments."""
    first = answers.read_answer(site.evidence, question, where)
    parts = [html("span", _build_verdict(site, first), css="atlas-answer")]
    for other in answers.find_other_answers(site.evidence, question, where):
        verdict = _build_verdict(site, other.reading)
        parts.append(html("span", verdict, hidden="hidden", data_environments=join_ids(other.environments)))
    return html("span", *parts, css="atlas-answers")


def _build_verdict(site: Site, reading: Reading) -> nodes.inline:
    """An answer as a sign and words, linked to the block that shows it."""
    classes = ["atlas-verdict", f"atlas-verdict-{reading.answer.name.lower()}"]
    words = nodes.inline("", f"{ICONS[reading.answer]} {reading.words}", classes=classes)
    return nodes.inline("", "", site.link(reading.shown, words, f"block-{reading.block_index + 1}"))


class VerdictRole(SphinxRole):
    """``{verdict}`chapter/example: a, b```: the captured answer, linked to its proof."""

    def run(self) -> tuple[list[Node], list[system_message]]:
        """The answer; ends the build where no example can answer the question."""
        path, line = self.get_source_info()
        site = Site(app_of(self.env), self.env.current_document.docname)
        try:
            return [build_answer_node(site, self.text, f"{shorten_path(path)}:{line}")], []
        except AtlasError as error:
            stop(error)


class ExampleRole(SphinxRole):
    """``{example}`chapter/example```: a link to an example under its own title."""

    def run(self) -> tuple[list[Node], list[system_message]]:
        """The link; ends the build for an example that does not exist."""
        path, line = self.get_source_info()
        site = Site(app_of(self.env), self.env.current_document.docname)
        shown = site.evidence.shown.get(self.text)
        if shown is None:
            stop(
                AtlasError(
                    f"{shorten_path(path)}:{line}", f"no example {self.text}", "name it <chapter>/<stem>"
                )
            )
        return [site.link(shown)], []


def shorten_path(path: str) -> str:
    """Path from the folder ``docs`` on, for messages."""
    parts = Path(path).parts
    return "/".join(parts[parts.index("docs") :]) if "docs" in parts else path


class EvidenceDirective(SphinxDirective):
    """A directive whose nodes are built from the evidence."""

    has_content = False
    optional_arguments: ClassVar[int] = 0

    @property
    def site(self) -> Site:
        """The page that the directive stands on."""
        return Site(app_of(self.env), self.env.current_document.docname)

    def run(self) -> list[Node]:
        """Nodes of the directive; ends the build for input that is wrong."""
        try:
            return list(self.fill())
        except AtlasError as error:
            stop(error)

    def fill(self) -> Iterable[Node]:
        """Nodes of the directive."""
        raise NotImplementedError

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

    def fill(self) -> Iterable[Node]:
        site = self.site
        rows: list[list[list[Node]]] = []
        for entry in self.read_entries("decisions"):
            have, want = (
                self._parse_field(read_field(entry, "have")),
                self._parse_field(read_field(entry, "want")),
            )
            call = nodes.literal("", read_field(entry, "call"))
            answer = build_answer_node(site, read_field(entry, "evidence"), locate_entry(entry))
            rows.append([have, want, [nodes.paragraph("", "", call)], [nodes.paragraph("", "", answer)]])
        yield build_table(["I have", "I want", "Call", "Captured"], rows, "atlas-decisions")

    def _parse_field(self, text: str) -> list[Node]:
        """Paragraph of a TOML field with inline markup."""
        inline, messages = self.parse_inline(text)
        return [nodes.paragraph("", "", *inline), *messages]


class Corrections(EvidenceDirective):
    """Common mistakes of tutorials, from ``docs/corrections.toml``, each with the captured answer."""

    def fill(self) -> Iterable[Node]:
        site = self.site
        for entry in self.read_entries("corrections"):
            title = read_field(entry, "title")
            section = nodes.section("", nodes.title("", title), ids=[nodes.make_id(title)])
            section += self._parse_labelled("Often said", read_field(entry, "said"))
            section += self._parse_labelled(_label_fact(site, entry), read_field(entry, "fact"))
            section += _build_proof(site, entry)
            self.state.document.note_implicit_target(section, section)
            yield section

    def _parse_labelled(self, label: str, text: str) -> list[Node]:
        """Paragraph of a TOML field with inline markup, after a label."""
        inline, messages = self.parse_inline(text)
        return [nodes.paragraph("", "", nodes.strong("", f"{label}: "), *inline), *messages]


def _read_questions(entry: dict[str, object]) -> list[str]:
    """Questions to the evidence that an entry asks; AtlasError where there are none."""
    questions = entry.get("evidence")
    if not isinstance(questions, list) or not questions:
        raise AtlasError(locate_entry(entry), "no evidence", 'write evidence = ["chapter/example: a, b"]')
    return [str(question) for question in questions]


def _label_fact(site: Site, entry: dict[str, object]) -> str:
    """``In fact`` where a run has answered one of the questions; else the fact is only expected."""
    questions = _read_questions(entry)
    readings = [answers.read_answer(site.evidence, question, locate_entry(entry)) for question in questions]
    unknown = all(reading.answer is Answer.UNKNOWN for reading in readings)
    return "Expected, not yet confirmed by a run" if unknown else "In fact"


def _build_proof(site: Site, entry: dict[str, object]) -> nodes.paragraph:
    """The answer to each question of an entry, with a link to its example."""
    line = nodes.paragraph("", "", nodes.strong("", "Proof: "), classes=["atlas-proof"])
    for position, question in enumerate(_read_questions(entry)):
        answer = build_answer_node(site, question, locate_entry(entry))
        example = site.link(answers.read_answer(site.evidence, question, locate_entry(entry)).shown)
        line += [nodes.Text("; " if position else ""), answer, nodes.Text(" in "), example]
    return line


class Topics(EvidenceDirective):
    """Questions of ``docs/scenarios.toml`` by topic, in order of number, each with links to its examples."""

    def fill(self) -> Iterable[Node]:
        site = self.site
        path = Path(self.env.srcdir) / "scenarios.toml"
        self.env.note_dependency(str(path))
        text = path.read_text(encoding="utf-8")
        found = parse_scenarios(text, f"docs/{path.name}", site.evidence.shown)
        for topic in dict.fromkeys(scenario.topic for scenario in found):
            items = [_build_topic_item(site, scenario) for scenario in found if scenario.topic == topic]
            section = nodes.section("", nodes.title("", topic), ids=[nodes.make_id(topic)])
            self.state.document.note_implicit_target(section, section)
            section += nodes.definition_list("", *items, classes=["atlas-topics"])
            yield section


def _build_topic_item(site: Site, scenario: Scenario) -> nodes.definition_list_item:
    """One question, with a link to each example that answers it."""
    term = nodes.term("", "", *render_prose(scenario.question))
    line = nodes.paragraph("", f"{scenario.number} {scenario.title}: ")
    for position, example in enumerate(scenario.examples):
        line += [nodes.Text(", " if position else ""), site.link(site.evidence.shown[example])]
    return nodes.definition_list_item("", term, nodes.definition("", line))


def build_table(heads: Sequence[str], rows: Sequence[Sequence[Sequence[Node]]], css: str) -> nodes.container:
    """Table with a header row, in a box that scrolls sideways on its own."""
    group = nodes.tgroup(cols=len(heads))
    group += [nodes.colspec(colwidth=1) for _ in heads]
    group += nodes.thead("", _row([[nodes.paragraph("", head)] for head in heads]))
    group += nodes.tbody("", *(_row(row) for row in rows))
    return nodes.container("", nodes.table("", group, classes=[css]), classes=["atlas-scroll"])


def _row(cells: Sequence[Sequence[Node]]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", *cell) for cell in cells))
