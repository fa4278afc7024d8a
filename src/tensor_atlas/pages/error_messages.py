"""Errors and warnings that the examples met, by message: who met them, with what fix, on which releases."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from typing import NamedTuple

from tensor_atlas.compare.evidence import (
    Evidence,
    ExampleEvidence,
    Origin,
    StatementLocation,
    locate_statements,
)
from tensor_atlas.compare.rungs import Rung, Support
from tensor_atlas.examples.messages import ERROR, FIX, list_claimed_messages
from tensor_atlas.examples.requirements import LIBRARIES
from tensor_atlas.history.conditions import find_conditions
from tensor_atlas.history.patterns import spell_pattern
from tensor_atlas.history.releases import age_key, is_compatible, label_environment
from tensor_atlas.model.runs import Environment, Observation

EVERY_COMPATIBLE = "every compatible NumPy"
"""Condition of a message that only incompatible installs lack."""
LONGEST_LINE = 100
"""Characters of a message that its line shows."""


@dataclass(frozen=True)
class Sighting:
    """One statement that met a message."""

    evidence: ExampleEvidence
    location: StatementLocation


@dataclass(frozen=True)
class Message:
    """An error or warning, with everywhere it was seen."""

    type: str
    """Class name; empty for an error that is only expected, whose class no run has shown."""
    text: str
    """Its whole text."""
    is_warning: bool
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
        """Name for links to it, stable as long as its wording is: the class and a digest.

        Words of the message would be a fifth of the page that lists a thousand.
        """
        words = re.findall(r"[a-z0-9]+", (self.type or "error").lower())
        digest = hashlib.sha256(f"{self.type}: {self.text} {self.confirmed}".encode()).hexdigest()[:6]
        return f"{'-'.join(words)}-{digest}"

    @property
    def support(self) -> Support:
        """What bears out best that it is met, beside runs."""
        supports = [s.evidence.support(s.location.statement_index) for s in self.sightings]
        return min(supports, key=lambda support: list(Rung).index(support.rung), default=Support())

    @property
    def rung(self) -> Rung:
        """How well it is borne out that it is met."""
        return Rung.RECORDED if self.confirmed else self.support.rung

    @property
    def fixes(self) -> tuple[Sighting, ...]:
        """Error pages that are about it and show a fix, each once."""
        of_error = (s for s in self.sightings if s.location.block.section == ERROR)
        about = [s for s in of_error if find_fix(s.evidence) is not None]
        return tuple({s.evidence.example.name: s for s in reversed(about)}.values())


def find_fix(evidence: ExampleEvidence) -> StatementLocation | None:
    """Place of the first statement under "The fix"; None for an example without that heading."""
    return next((place for place in locate_statements(evidence.example) if place.block.section == FIX), None)


def describe_conditions(there: Iterable[Environment], others: Iterable[Environment]) -> str:
    """Conditions that hold in ``there`` and in no other environment; empty where there are no others."""
    some = tuple(replace(environment, date="") for environment in there)
    rest = tuple(replace(environment, date="") for environment in others)
    return _find_conditions(some, rest) if rest else ""


@cache
def _find_conditions(there: tuple[Environment, ...], others: tuple[Environment, ...]) -> str:
    """The same for two groups; incompatible installs by name, where no other has it."""
    fitting = [e for e in there if is_compatible(e)]
    rest = [e for e in others if is_compatible(e)]
    if not fitting:
        return " or ".join(dict.fromkeys(map(label_environment, there)))
    return " or ".join(find_conditions(fitting, rest)) if rest else EVERY_COMPATIBLE


class _Key(NamedTuple):
    """What makes two messages the same."""

    type: str
    text: str
    is_warning: bool
    confirmed: bool


_Position = tuple[str, int, bool, int]
"""Example, statement, whether it is a warning, and which of the statement's messages of one class it is."""


@dataclass
class _Occurrences:
    """Where one message occurred."""

    sightings: list[Sighting] = field(default_factory=list)
    positions: set[_Position] = field(default_factory=set)
    environments: dict[str, Environment] = field(default_factory=dict)
    current: bool = False

    def add_sighting(self, sighting: Sighting) -> None:
        """Add a statement, unless one of its block is there."""
        blocks = {(s.evidence.example.name, s.location.block_index) for s in self.sightings}
        if (sighting.evidence.example.name, sighting.location.block_index) not in blocks:
            self.sightings.append(sighting)


def collect_messages(evidence: Evidence) -> tuple[Message, ...]:
    """Every message of every example: those on pages first, then of other releases only, then expected ones.

    What another release says where the shown one says something else is in that message's ``elsewhere``.
    """
    occurrences: dict[_Key, _Occurrences] = defaultdict(_Occurrences)
    for _, page in sorted(evidence.pages.items()):
        for place in locate_statements(page.example):
            sighting = Sighting(page, place)
            _collect_observed(occurrences, sighting)
            if page.origin is Origin.EXPECTED:
                _collect_claimed(occurrences, sighting)
    return tuple(sorted(_nest_other_wordings(occurrences), key=_sort_key))


def _sort_key(message: Message) -> tuple[bool, bool, str, str]:
    """Confirmed ones first, then current ones, by class and text."""
    return not message.confirmed, not message.current, message.type.lower(), message.text.lower()


def _nest_other_wordings(occurrences: Mapping[_Key, _Occurrences]) -> Iterator[Message]:
    """Messages, those of other releases in the message that now stands in their place, where there is one."""
    messages = {key: _join_occurrences(key, occurred) for key, occurred in occurrences.items()}
    nested: dict[_Key, list[Message]] = {}
    keys_at: dict[tuple[str, _Position], list[_Key]] = defaultdict(list)
    for key in [key for key, message in messages.items() if message.confirmed and message.current]:
        nested[key] = []
        for position in occurrences[key].positions:
            keys_at[key.type, position].append(key)
    for key in [key for key in messages if key not in nested]:
        positions = occurrences[key].positions
        replacements = set(chain.from_iterable(keys_at[key.type, position] for position in positions))
        for replacement in replacements:
            nested[replacement].append(messages[key])
        if not replacements:
            yield messages[key]
    for key, others in nested.items():
        yield replace(messages[key], elsewhere=tuple(sorted(others, key=_sort_key)))


def _collect_observed(occurrences: dict[_Key, _Occurrences], sighting: Sighting) -> None:
    """Add what a statement met in every environment."""
    page, index = sighting.evidence, sighting.location.statement_index
    for environment, run in page.runs:
        observation = run.observation(index)
        if observation is None:
            continue
        counts: Counter[tuple[str, bool]] = Counter()
        for key in _list_observed(observation):
            occurred = occurrences[key]
            occurred.add_sighting(sighting)
            occurred.environments[environment.id] = environment
            occurred.current = occurred.current or environment == page.environment
            if is_compatible(environment) or environment == page.environment:
                # What a broken install says instead is another error, not an older wording of this one.
                counts[key.type, key.is_warning] += 1
                count = counts[key.type, key.is_warning]
                occurred.positions.add((page.example.name, index, key.is_warning, count))


def _collect_claimed(occurrences: dict[_Key, _Occurrences], sighting: Sighting) -> None:
    """Add what a statement that no machine has run claims."""
    statement = sighting.evidence.example.statements[sighting.location.statement_index]
    for message in list_claimed_messages(statement):
        key = _Key(message.type, message.text, message.is_warning, confirmed=False)
        occurrences[key].current = True
        occurrences[key].add_sighting(sighting)


def _join_occurrences(key: _Key, occurred: _Occurrences) -> Message:
    ordered = sorted(occurred.sightings, key=lambda s: s.location.block.section != ERROR)  # sort is stable
    ran = {environment.id: environment for s in ordered for environment, _ in s.evidence.runs}
    others = [environment for name, environment in ran.items() if name not in occurred.environments]
    return Message(
        *(key.type, key.text, key.is_warning),
        sightings=tuple(ordered),
        confirmed=key.confirmed,
        current=occurred.current,
        environments=tuple(sorted(occurred.environments.values(), key=age_key)),
        others=tuple(sorted(others, key=age_key)),
    )


def _list_observed(observation: Observation) -> Iterator[_Key]:
    """Errors of a statement, then its warnings."""
    uncaught = (observation.raised,) if observation.raised else ()
    for error in (*observation.caught, *uncaught):
        yield _Key(error.type, error.message, is_warning=False, confirmed=True)
    for warning in observation.warnings:
        yield _Key(warning.category, warning.message, is_warning=True, confirmed=True)


# --- the index -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class ErrorLine:
    """A message as a line of the error index."""

    slug: str
    """Name for links to it."""
    words: str
    """Its beginning, in one line."""
    sighting: Sighting
    """The first statement that met it."""
    where: str
    """Which releases have it; empty where every release does that can use its NumPy."""
    libraries: str
    """Libraries beside torch and NumPy that met it, with blanks between them."""
    pattern: str
    """Which environments of the index have shown it."""


@dataclass(frozen=True)
class ErrorView:
    """Every message of every release."""

    classes: tuple[tuple[str, tuple[ErrorLine, ...]], ...]
    """By class, the largest first; in each by words."""
    environments: tuple[str, ...]
    """Ids of the environments that have shown any of them."""


def view_errors(messages: Iterable[Message]) -> ErrorView:
    """The error index; each message stands beside what other releases say instead."""
    everything = list(list_all_wordings(messages))
    ids = list(dict.fromkeys(environment.id for one in everything for environment in one.environments))
    classes: dict[str, dict[str, ErrorLine]] = defaultdict(dict)
    for one in everything:
        classes[one.type or "Error"][one.slug] = _build_line(one, ids)
    ordered: list[tuple[str, tuple[ErrorLine, ...]]] = []
    for name, lines in sorted(classes.items(), key=lambda item: (-len(item[1]), item[0])):
        ordered.append((name, tuple(sorted(lines.values(), key=_by_letters))))
    return ErrorView(tuple(ordered), tuple(ids))


def _by_letters(line: ErrorLine) -> tuple[list[str], str]:
    """Order of messages: by their words, as their signs and quotes say nothing."""
    return re.findall(r"[a-z0-9]+", line.words.lower()), line.slug


def list_all_wordings(messages: Iterable[Message]) -> Iterator[Message]:
    """Each message, and behind it what other releases say in its place."""
    for message in messages:
        yield message
        yield from message.elsewhere


def _build_line(message: Message, ids: Iterable[str]) -> ErrorLine:
    numbers = {environment.id: 0 for environment in message.environments}
    sighting = message.sightings[0]
    text = " ".join(message.text.split())
    return ErrorLine(
        message.slug,
        f"{text[:LONGEST_LINE]}{' …' if len(text) > LONGEST_LINE else ''}",
        sighting,
        _describe_where(message),
        name_libraries(sighting.evidence),
        spell_pattern(map(numbers.get, ids)),
    )


def _describe_where(message: Message) -> str:
    """Which releases have a message, in words; empty where every release does that can use its NumPy."""
    if not message.confirmed:
        return "not yet run"
    if not any(map(is_compatible, message.environments)):
        return "with a NumPy that torch cannot use"
    where = describe_conditions(message.environments, message.others)
    return "" if where == EVERY_COMPATIBLE else where


def name_libraries(evidence: ExampleEvidence) -> str:
    """Libraries beside torch and NumPy that an example needs, with blanks between them."""
    return " ".join(tag for tag in evidence.example.tags if tag in LIBRARIES)
