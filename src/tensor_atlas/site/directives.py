"""Directives and roles that answer from the evidence: decision table, error index, environments, corrections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from docutils import nodes
from sphinx.util.docutils import SphinxDirective, SphinxRole

from tensor_atlas.compare import answers
from tensor_atlas.compare.answers import Answer, Reading
from tensor_atlas.compare.evidence import Evidence, ExampleEvidence, Origin
from tensor_atlas.errors import AtlasError
from tensor_atlas.history.releases import age_key, describe_environment, newest_environment
from tensor_atlas.model.runs import Environment, Status
from tensor_atlas.site.error_index import Message, collect, fix_of, releases
from tensor_atlas.site.execution import app_of, evidence_of, stop
from tensor_atlas.site.freshness import WHOLE, note
from tensor_atlas.site.nodes import element, html, ids
from tensor_atlas.site.output_nodes import build_observation_boxes
from tensor_atlas.toml_tables import toml_entries

if TYPE_CHECKING:
    from docutils.nodes import Node, system_message
    from sphinx.application import Sphinx


@dataclass(frozen=True)
class Site:
    """The page that is being made, and what it can draw on."""

    app: Sphinx
    docname: str

    @property
    def evidence(self) -> Evidence:
        """Evidence of this build; the page is made again when any of it changes."""
        note(self.app, self.docname, WHOLE)
        return evidence_of(self.app)

    def link(
        self, shown: ExampleEvidence, text: Node | str | None = None, anchor: str = ""
    ) -> nodes.reference:
        """Link to an example's page, its title as the text unless another is given."""
        page = f"{self.app.config.tensor_atlas_gallery}/{shown.example.name}"
        uri = self.app.builder.get_relative_uri(self.docname, page) + (f"#{anchor}" if anchor else "")
        content = (
            nodes.inline("", text or shown.example.title) if text is None or isinstance(text, str) else text
        )
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


def answer_node(site: Site, question: str, where: str) -> element:
    """The answer to a question, and behind it those of the environments that answer otherwise, for the picker."""
    first = answers.read_answer(site.evidence, question, where)
    others = [
        html(
            "span",
            verdict_node(site, other.reading),
            hidden="hidden",
            data_environments=ids(other.environments),
        )
        for other in answers.find_other_answers(site.evidence, question, where)
    ]
    return html(
        "span", html("span", verdict_node(site, first), css="atlas-answer"), *others, css="atlas-answers"
    )


def verdict_node(site: Site, reading: Reading) -> nodes.inline:
    """An answer in words and a sign, as a link to its proof."""
    kind = reading.answer.name.lower()
    words = nodes.inline(
        "", f"{ICONS[reading.answer]} {reading.words}", classes=["atlas-verdict", f"atlas-verdict-{kind}"]
    )
    return nodes.inline("", "", site.link(reading.shown, words, f"block-{reading.block_index + 1}"))


class VerdictRole(SphinxRole):
    """``{verdict}`chapter/example: a, b```: the captured answer, linked to its proof."""

    def run(self) -> tuple[list[Node], list[system_message]]:
        """The answer; ends the build where no example can answer the question."""
        path, line = self.get_source_info()
        site = Site(app_of(self.env), self.env.current_document.docname)
        try:
            return [answer_node(site, self.text, f"{short(path)}:{line}")], []
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
            stop(AtlasError(f"{short(path)}:{line}", f"no example {self.text}", "name it <chapter>/<stem>"))
        return [site.link(shown)], []


def short(path: str) -> str:
    parts = Path(path).parts
    return "/".join(parts[parts.index("docs") :]) if "docs" in parts else path


class Page(SphinxDirective):
    """A directive that fills its place from the evidence."""

    has_content = False
    optional_arguments: ClassVar[int] = 0

    @property
    def site(self) -> Site:
        return Site(app_of(self.env), self.env.current_document.docname)

    def run(self) -> list[Node]:
        """What the directive stands for; ends the build for input that is wrong."""
        try:
            return list(self.fill())
        except AtlasError as error:
            stop(error)

    def fill(self) -> Iterable[Node]:
        """Nodes of the directive."""
        raise NotImplementedError

    def entries(self, name: str) -> list[dict[str, object]]:
        """Entries of a TOML file beside the pages, every one with its line, under the name of its table."""
        path = Path(self.env.srcdir) / f"{name}.toml"
        self.env.note_dependency(str(path))
        return [
            {**entry, "where": f"docs/{path.name}:{line}"}
            for entry, line in toml_entries(path.read_text(encoding="utf-8"), name, f"docs/{path.name}")
        ]


def where(entry: dict[str, object]) -> str:
    """File and line of an entry, for messages."""
    return str(entry["where"])


def required(entry: dict[str, object], key: str) -> str:
    """Field of an entry; AtlasError where it is missing."""
    value = entry.get(key)
    if not isinstance(value, str) or not value:
        raise AtlasError(where(entry), f"no {key}", f'write {key} = "…"')
    return value


class Decisions(Page):
    """The table "I have … I want … call … what happens", from ``docs/decisions.toml``; the last column is read."""

    def fill(self) -> Iterable[Node]:
        site = self.site
        rows: list[list[list[Node]]] = []
        for entry in self.entries("decisions"):
            answer = answer_node(site, required(entry, "evidence"), where(entry))
            rows.append(
                [
                    self.prose(required(entry, "have")),
                    self.prose(required(entry, "want")),
                    [nodes.paragraph("", "", nodes.literal("", required(entry, "call")))],
                    [nodes.paragraph("", "", answer)],
                ]
            )
        yield table(["I have", "I want", "Call", "Captured"], rows, "atlas-decisions")

    def prose(self, text: str) -> list[Node]:
        """Inline markup of a TOML field."""
        inline, messages = self.parse_inline(text)
        return [nodes.paragraph("", "", *inline), *messages]


class Corrections(Page):
    """What tutorials say and what runs show, from ``docs/corrections.toml``; the proof is a captured answer."""

    def fill(self) -> Iterable[Node]:
        site = self.site
        for entry in self.entries("corrections"):
            section = nodes.section(ids=[nodes.make_id(required(entry, "title"))])
            section += nodes.title("", required(entry, "title"))
            for label, key in (("Often said", "said"), (self.standing(site, entry), "fact")):
                inline, messages = self.parse_inline(required(entry, key))
                section += [nodes.paragraph("", "", nodes.strong("", f"{label}: "), *inline), *messages]
            section += self.proof(site, entry)
            self.state.document.note_implicit_target(section, section)
            yield section

    def questions(self, entry: dict[str, object]) -> list[str]:
        """What an entry asks the runs."""
        questions = entry.get("evidence")
        if not isinstance(questions, list) or not questions:
            raise AtlasError(where(entry), "no evidence", 'write evidence = ["chapter/example: a, b"]')
        return [str(question) for question in questions]

    def standing(self, site: Site, entry: dict[str, object]) -> str:
        """A fact where a run bears it out, an expectation where none has yet."""
        readings = [
            answers.read_answer(site.evidence, question, where(entry)) for question in self.questions(entry)
        ]
        unknown = all(reading.answer is Answer.UNKNOWN for reading in readings)
        return "Expected, not yet confirmed by a run" if unknown else "In fact"

    def proof(self, site: Site, entry: dict[str, object]) -> nodes.paragraph:
        """The line that leads to the evidence."""
        line = nodes.paragraph("", "", nodes.strong("", "Proof: "), classes=["atlas-proof"])
        for position, question in enumerate(self.questions(entry)):
            line += [
                nodes.Text("; " if position else ""),
                answer_node(site, question, where(entry)),
                nodes.Text(" in "),
                site.link(answers.read_answer(site.evidence, question, where(entry)).shown),
            ]
        return line


class ErrorIndex(Page):
    """Every error and warning the examples met, each with where it is raised and how it is fixed."""

    def fill(self) -> Iterable[Node]:
        site = self.site
        messages = collect(site.evidence)
        parts = (
            ("Errors", [m for m in messages if m.confirmed and m.current and not m.is_warning]),
            ("Warnings", [m for m in messages if m.confirmed and m.current and m.is_warning]),
            ("With other releases only", [m for m in messages if m.confirmed and not m.current]),
            ("Expected, not yet confirmed by a run", [m for m in messages if not m.confirmed]),
        )
        for heading, members in parts:
            if members:
                yield self.part(site, heading, members)

    def part(self, site: Site, heading: str, messages: Sequence[Message]) -> nodes.section:
        """One list of messages."""
        section = nodes.section(ids=[nodes.make_id(heading)])
        section += nodes.title("", heading)
        self.state.document.note_implicit_target(section, section)
        for message in messages:
            section += self.message(site, message)
        return section

    def message(self, site: Site, message: Message) -> element:
        """One message: its text, who raises it, on which releases, and the fix."""
        kind = "warning" if message.is_warning else "error"
        confirmed = "" if message.confirmed else " atlas-expected"
        named = {"data_environments": ids(message.environments)} if message.environments else {}
        node = html("div", css=f"atlas-message atlas-{kind}{confirmed}", **named)
        node["ids"].append(f"m-{message.slug}")
        label = message.type or "Error"
        node += nodes.paragraph("", "", nodes.inline("", label), classes=["atlas-label"])
        node += nodes.literal_block(message.text, message.text, language="none")
        node += self.sightings(site, message)
        if message.others:
            node += nodes.paragraph("", f"With: {releases(message)}")
        for sighting in message.fixes:
            node += self.fix(site, sighting.shown)
        if message.elsewhere:
            node += nodes.paragraph("", "Other releases say in its place:", classes=["atlas-elsewhere"])
            node += [self.message(site, other) for other in message.elsewhere]
        return node

    def sightings(self, site: Site, message: Message) -> nodes.paragraph:
        """Links to every block that meets the message."""
        words = "Seen in: " if message.confirmed else "Claimed in: "
        line = nodes.paragraph("", words)
        for position, sighting in enumerate(message.sightings):
            line += nodes.Text(", " if position else "")
            line += site.link(sighting.shown, anchor=f"block-{sighting.place.block_index + 1}")
        return line

    def fix(self, site: Site, shown: ExampleEvidence) -> nodes.container:
        """The recommended code of an error page, with what it gave."""
        place = fix_of(shown)
        assert place is not None
        code = "\n".join(statement.code for statement in place.block.statements)
        caption = nodes.paragraph(
            "", "", nodes.Text("Fix, from "), site.link(shown, anchor="the-fix"), nodes.Text(":")
        )
        node = nodes.container("", caption, classes=["atlas-fix"])
        node += nodes.literal_block(code, code, language="python")
        if shown.origin is Origin.EXPECTED:
            return node
        for offset in range(len(place.block.statements)):
            observation = shown.observation(place.statement_index + offset)
            node += list(build_observation_boxes(observation)) if observation else []
        return node


COUNTED = ("current", "stale", "not run")
"""What an example may be in an environment, in the order in which pages tell it."""


class Environments(Page):
    """Every environment with a record, and the one of this build; the newest first."""

    def fill(self) -> Iterable[Node]:
        evidence = self.site.evidence
        here = evidence.capture.environment if evidence.capture else None
        known = {**evidence.store.environments, **({here.id: here} if here else {})}
        found = [
            (environment, counted(evidence, environment, environment is here))
            for environment in sorted(known.values(), key=age_key, reverse=True)
        ]
        # A column in which every line says nothing would push another out of sight.
        counts = [word for word in COUNTED if any(count[word] for _, count in found)]
        has_driver = any(environment.driver for environment, _ in found)
        heads = [
            "torch",
            "NumPy",
            "Python",
            "Platform",
            "CUDA build",
            "Device",
            *(["Driver"] if has_driver else []),
        ]
        rows = [
            [
                environment.torch,
                environment.numpy,
                environment.python,
                environment.platform,
                environment.cuda or "none",
                environment.device,
                *([environment.driver or "–"] if has_driver else []),
                f"{environment.date} (this build)" if environment is here else environment.date,
                *(str(count[word]) for word in counts),
            ]
            for environment, count in found
        ]
        cells = [[[nodes.paragraph("", text)] for text in texts] for texts in rows]
        yield table([*heads, "Date", *map(str.capitalize, counts)], cells, "atlas-environments")


def counted(evidence: Evidence, environment: Environment, is_here: bool) -> Counter[str]:
    """What an environment has shown of the examples as they are now: how many are current, stale, not run."""
    runs = list(evidence.capture.runs) if is_here and evidence.capture else []
    runs += (
        []
        if is_here
        else [r.runs[environment.id] for r in evidence.store.records.values() if environment.id in r.runs]
    )
    counts: Counter[str] = Counter()
    for run in runs:
        example = evidence.examples.get(run.example)
        if example is None:
            continue
        if run.status is Status.NOT_RUN:
            counts["not run"] += 1
        else:
            counts["current" if run.digest == example.digest else "stale"] += 1
    return counts


def in_order(counts: Counter[str]) -> str:
    """``45 current, 2 stale, 15 not run``."""
    return ", ".join(f"{counts[word]} {word}" for word in COUNTED if counts[word])


class Stamp(Page):
    """What the answers and outputs of a page that is no example rest on."""

    def fill(self) -> Iterable[Node]:
        evidence = self.site.evidence
        assert evidence.capture is not None  # a build always has one
        waiting = sum(shown.origin is Origin.EXPECTED for shown in evidence.shown.values())
        words = [f"Executed in this build: {describe_environment(evidence.capture.environment)}."]
        last = newest_environment(
            {e.id: e for shown in evidence.shown.values() for e, _ in shown.runs}.values()
        )
        if last is not None and last.id != evidence.capture.environment.id:
            words.append(f"Shown unless you choose another release: {describe_environment(last)}, recorded.")
        if waiting:
            words.append(f"{waiting} of {len(evidence.shown)} examples wait for a machine that can run them.")
        yield nodes.container(
            "", nodes.paragraph("", " ".join(words)), classes=["atlas-stamp", "atlas-executed"]
        )


class Waiting(Page):
    """Examples that no run has confirmed yet, with what they wait for."""

    def fill(self) -> Iterable[Node]:
        site = self.site
        waiting = [s for s in site.evidence.shown.values() if s.origin is Origin.EXPECTED]
        if not waiting:
            yield nodes.paragraph("", "Every example has been confirmed by a run.")
            return
        items = nodes.bullet_list()
        for shown in waiting:
            items += nodes.list_item(
                "", nodes.paragraph("", "", site.link(shown), nodes.Text(f": {shown.missing}"))
            )
        yield items


def table(heads: Sequence[str], rows: Sequence[Sequence[Sequence[Node]]], css: str) -> nodes.container:
    """Table with a header row, in a box that scrolls sideways on its own."""
    group = nodes.tgroup(cols=len(heads))
    group += [nodes.colspec(colwidth=1) for _ in heads]
    group += nodes.thead("", _row([[nodes.paragraph("", head)] for head in heads]))
    group += nodes.tbody("", *(_row(row) for row in rows))
    return nodes.container("", nodes.table("", group, classes=[css]), classes=["atlas-scroll"])


def _row(cells: Sequence[Sequence[Node]]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", *cell) for cell in cells))
