"""The error index: errors and warnings that the examples met, by message, and the page that lists them."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

from docutils import nodes

from tensor_atlas.compare.evidence import (
    Evidence,
    ExampleEvidence,
    Origin,
    StatementLocation,
    locate_statements,
)
from tensor_atlas.history.conditions import find_conditions
from tensor_atlas.history.releases import age_key, is_compatible
from tensor_atlas.history.releases import name_environment as environment_name
from tensor_atlas.model.runs import Environment, Observation
from tensor_atlas.site.directives import EvidenceDirective, Site
from tensor_atlas.site.nodes import element, html, join_ids
from tensor_atlas.site.output_nodes import build_observation_boxes

if TYPE_CHECKING:
    from docutils.nodes import Node

FIX = "The fix"
"""Heading under which an error page shows the right way."""
ERROR = "The error"
"""Heading under which an error page shows the error it is about."""

CLASS_AND_MESSAGE = re.compile(
    r"^(?P<type>[A-Za-z_][\w.]*(?:Error|Exception|Warning)): (?P<message>.*)$", re.DOTALL
)


@dataclass(frozen=True)
class Sighting:
    """One statement that met a message."""

    shown: ExampleEvidence
    """The example's evidence."""
    place: StatementLocation
    """The statement."""


@dataclass(frozen=True)
class Message:
    """An error or warning, with everywhere it was seen."""

    type: str
    """Class name; empty for an error that is only expected, whose class no run has shown."""
    text: str
    """Its whole text."""
    is_warning: bool
    """Warning, or error."""
    sightings: tuple[Sighting, ...]
    """In order of example; those of an error page first."""
    confirmed: bool
    """Whether any run has shown it."""
    current: bool = True
    """Whether the run that a page shows has it; else only other releases do."""
    environments: tuple[Environment, ...] = ()
    """Who has shown it, the oldest release first."""
    others: tuple[Environment, ...] = ()
    """Who ran the same examples and has not."""
    elsewhere: tuple[Message, ...] = ()
    """What other releases say in its place: errors of its class, raised where it is raised."""

    @property
    def slug(self) -> str:
        """Name for links to it, stable as long as its wording is."""
        words = re.findall(r"[a-z0-9]+", f"{self.type} {self.text}".lower())
        # Long messages often begin alike: the digest keeps them apart.
        digest = hashlib.sha256(f"{self.type}: {self.text} {self.confirmed}".encode()).hexdigest()[:6]
        return f"{'-'.join(words)[:48].strip('-')}-{digest}"

    @property
    def fixes(self) -> tuple[Sighting, ...]:
        """Error pages that are about it and show a fix, each once."""
        about = [
            s for s in self.sightings if s.place.block.section == ERROR and find_fix(s.shown) is not None
        ]
        return tuple({s.shown.example.name: s for s in reversed(about)}.values())


def find_fix(shown: ExampleEvidence) -> StatementLocation | None:
    """Place of the first statement under "The fix"; None for an example without that heading."""
    return next((place for place in locate_statements(shown.example) if place.block.section == FIX), None)


def describe_releases(message: Message) -> str:
    """Which environments gave a message that not all gave; incompatible installs by name."""
    return describe_conditions(message.environments, message.others)


def describe_conditions(there: Iterable[Environment], others: Iterable[Environment]) -> str:
    """Conditions that hold in ``there`` and in no other environment; empty where there are no others."""
    some, rest = (tuple(replace(e, date="") for e in where) for where in (there, others))
    return _conditions(some, rest) if rest else ""


@cache
def _conditions(there: tuple[Environment, ...], others: tuple[Environment, ...]) -> str:
    fitting = [e for e in there if is_compatible(e)]
    rest = [e for e in others if is_compatible(e)]
    if not fitting:
        return ", ".join(map(environment_name, there))
    return " or ".join(find_conditions(fitting, rest)) if rest else "every fitting NumPy"


_Key = tuple[str, str, bool, bool]
_Moment = tuple[str, int, bool, int]
"""Example, statement, whether it is a warning, and which of the statement's messages of one class it is."""


@dataclass
class _Found:
    """What is gathered about one message."""

    sightings: list[Sighting] = field(default_factory=list)
    moments: set[_Moment] = field(default_factory=set)
    environments: dict[str, Environment] = field(default_factory=dict)
    current: bool = False

    def add(self, sighting: Sighting) -> None:
        same = (sighting.shown.example.name, sighting.place.block_index)
        if same not in {(s.shown.example.name, s.place.block_index) for s in self.sightings}:
            self.sightings.append(sighting)


def collect_messages(evidence: Evidence) -> tuple[Message, ...]:
    """Every message of every example: those on pages first, then of other releases only, then expected ones.

    What another release says where the shown one says something else is in that message's ``elsewhere``.
    """
    seen: dict[_Key, _Found] = {}
    for name in sorted(evidence.shown):
        shown = evidence.shown[name]
        for place in locate_statements(shown.example):
            _gather(seen, shown, place)
    found = {key: _message(key, what) for key, what in seen.items()}
    return tuple(sorted(_gathered(found, seen), key=_order))


def _order(message: Message) -> tuple[bool, bool, str, str]:
    return not message.confirmed, not message.current, message.type.lower(), message.text.lower()


def _gathered(found: Mapping[_Key, Message], seen: Mapping[_Key, _Found]) -> Iterator[Message]:
    """Messages, those of other releases in the message that now stands in their place, where there is one."""
    heads = {key for key, message in found.items() if message.confirmed and message.current}
    at: dict[tuple[str, _Moment], set[_Key]] = {}
    for key in heads:
        for moment in seen[key].moments:
            at.setdefault((key[0], moment), set()).add(key)
    inside: dict[_Key, list[Message]] = {}
    for key, message in found.items():
        if key in heads:
            continue
        now = {head for moment in seen[key].moments for head in at.get((key[0], moment), ())}
        for head in now:
            inside.setdefault(head, []).append(message)
        if not now:
            yield message
    for key in heads:
        yield replace(found[key], elsewhere=tuple(sorted(inside.get(key, ()), key=_order)))


def _gather(seen: dict[_Key, _Found], shown: ExampleEvidence, place: StatementLocation) -> None:
    """Put in what a statement did in every environment, or what it claims where none has run it."""
    sighting = Sighting(shown, place)
    for environment, run in shown.runs:
        if place.statement_index >= len(run.observations):
            continue
        counts: Counter[tuple[str, bool]] = Counter()
        for key in _observed(run.observations[place.statement_index]):
            what = seen.setdefault(key, _Found())
            what.add(sighting)
            if is_compatible(environment) or environment == shown.environment:
                # What a broken install says instead is another error, not an older wording of this one.
                count = counts[key[0], key[2]] = counts[key[0], key[2]] + 1
                what.moments.add((shown.example.name, place.statement_index, key[2], count))
            what.environments[environment.id] = environment
            what.current = what.current or environment == shown.environment
    if shown.origin is Origin.EXPECTED:
        for key in _claimed(shown, place):
            what = seen.setdefault(key, _Found(current=True))
            what.add(sighting)


def _message(key: _Key, what: _Found) -> Message:
    type_, text, is_warning, confirmed = key
    ordered = sorted(what.sightings, key=lambda s: s.place.block.section != ERROR)  # sort is stable
    ran = {environment.id: environment for s in ordered for environment, _ in s.shown.runs}
    others = sorted((e for name, e in ran.items() if name not in what.environments), key=age_key)
    there = sorted(what.environments.values(), key=age_key)
    return Message(
        type_, text, is_warning, tuple(ordered), confirmed, what.current, tuple(there), tuple(others)
    )


def _observed(observation: Observation) -> Iterator[tuple[str, str, bool, bool]]:
    for caught in (*observation.caught, *((observation.raised,) if observation.raised else ())):
        yield caught.type, caught.message, False, True
    for warned in observation.warnings:
        yield warned.category, warned.message, True, True


def _claimed(shown: ExampleEvidence, place: StatementLocation) -> Iterator[tuple[str, str, bool, bool]]:
    """What a statement that no machine has run says it would print in an ``except`` clause."""
    statement = shown.example.statements[place.statement_index]
    if statement.claim is None:
        return
    for line in statement.claim.lines:
        match = CLASS_AND_MESSAGE.match(line)
        if match and match["type"].endswith("Warning"):
            yield match["type"], match["message"], True, False
        elif statement.code.startswith("try:") and "except" in statement.code:
            yield _expected_class(statement.code), line, False, False


def _expected_class(code: str) -> str:
    match = re.search(r"^except (\w+)", code, re.MULTILINE)
    return match[1] if match else ""


# --- the page ------------------------------------------------------------------------------------


HEADINGS = ("Errors", "Warnings", "With other releases only", "Expected, not yet confirmed by a run")
"""Sections of the page, in order."""


def _choose_heading(message: Message) -> str:
    """Section in which a message stands."""
    errors, warnings, others, expected = HEADINGS
    if not message.confirmed:
        return expected
    if not message.current:
        return others
    return warnings if message.is_warning else errors


class ErrorIndex(EvidenceDirective):
    """Every error and warning the examples met, each with where it is raised and how it is fixed."""

    def fill(self) -> Iterable[Node]:
        site = self.site
        messages = collect_messages(site.evidence)
        sections: dict[str, list[Message]] = {heading: [] for heading in HEADINGS}
        for message in messages:
            sections[_choose_heading(message)].append(message)
        for heading, members in sections.items():
            if members:
                yield self._build_section(site, heading, members)

    def _build_section(self, site: Site, heading: str, messages: Sequence[Message]) -> nodes.section:
        """Messages under a heading that can be linked to."""
        section = nodes.section("", nodes.title("", heading), ids=[nodes.make_id(heading)])
        self.state.document.note_implicit_target(section, section)
        for message in messages:
            section += _build_message(site, message)
        return section


def _build_message(site: Site, message: Message) -> element:
    """A message: its text, the examples that meet it, the releases that have it, and the fix."""
    kind = "warning" if message.is_warning else "error"
    confirmed = "" if message.confirmed else " atlas-expected"
    attributes = {"data_environments": join_ids(message.environments)} if message.environments else {}
    node = html("div", css=f"atlas-message atlas-{kind}{confirmed}", **attributes)
    node["ids"].append(f"m-{message.slug}")
    label = message.type or "Error"
    node += nodes.paragraph("", "", nodes.inline("", label), classes=["atlas-label"])
    node += nodes.literal_block(message.text, message.text, language="none")
    node += _build_sightings(site, message)
    if message.others:
        node += nodes.paragraph("", f"With: {describe_releases(message)}")
    for sighting in message.fixes:
        node += _build_fix(site, sighting.shown)
    if message.elsewhere:
        node += nodes.paragraph("", "Other releases say in its place:", classes=["atlas-elsewhere"])
        node += [_build_message(site, other) for other in message.elsewhere]
    return node


def _build_sightings(site: Site, message: Message) -> nodes.paragraph:
    """Links to every block that meets the message."""
    line = nodes.paragraph("", "Seen in: " if message.confirmed else "Claimed in: ")
    for position, sighting in enumerate(message.sightings):
        line += nodes.Text(", " if position else "")
        line += site.link(sighting.shown, anchor=f"block-{sighting.place.block_index + 1}")
    return line


def _build_fix(site: Site, shown: ExampleEvidence) -> nodes.container:
    """The recommended code of an error page, with what it gave."""
    place = find_fix(shown)
    assert place is not None
    code = "\n".join(statement.code for statement in place.block.statements)
    link = site.link(shown, anchor="the-fix")
    caption = nodes.paragraph("", "", nodes.Text("Fix, from "), link, nodes.Text(":"))
    node = nodes.container("", caption, classes=["atlas-fix"])
    node += nodes.literal_block(code, code, language="python")
    if shown.origin is Origin.EXPECTED:
        return node
    for offset in range(len(place.block.statements)):
        observation = shown.observation(place.statement_index + offset)
        node += list(build_observation_boxes(observation)) if observation else []
    return node
