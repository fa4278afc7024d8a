"""Errors and warnings that the examples met, gathered by message; pure."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tensor_atlas.evidence import Evidence, Origin, Place, Shown, places
from tensor_atlas.probe.record import Observation

FIX = "The fix"
"""Heading under which an error page shows the right way."""
ERROR = "The error"
"""Heading under which an error page shows the error it is about."""

_CLASS_AND_MESSAGE = re.compile(r"^(?P<type>[A-Za-z_][\w.]*(?:Error|Exception|Warning)): (?P<message>.*)$", re.DOTALL)


@dataclass(frozen=True)
class Sighting:
    """One statement that met a message."""

    shown: Shown
    """The example's evidence."""
    place: Place
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
        about = [s for s in self.sightings if s.place.block.section == ERROR and fix_of(s.shown) is not None]
        return tuple({s.shown.example.name: s for s in reversed(about)}.values())


def fix_of(shown: Shown) -> Place | None:
    """Place of the first statement under "The fix"; None for an example without that heading."""
    return next((place for place in places(shown.example) if place.block.section == FIX), None)


def collect(evidence: Evidence) -> tuple[Message, ...]:
    """Every message of every example: confirmed first, then by class and text."""
    seen: dict[tuple[str, str, bool, bool], list[Sighting]] = {}
    for name in sorted(evidence.shown):
        shown = evidence.shown[name]
        for place in places(shown.example):
            for key in _messages(shown, place):
                sightings = seen.setdefault(key, [])
                if not any(s.shown is shown and s.place.block_index == place.block_index for s in sightings):
                    sightings.append(Sighting(shown, place))
    found = [_message(key, sightings) for key, sightings in seen.items()]
    return tuple(sorted(found, key=lambda m: (not m.confirmed, m.type.lower(), m.text.lower())))


def _message(key: tuple[str, str, bool, bool], sightings: list[Sighting]) -> Message:
    type_, text, is_warning, confirmed = key
    ordered = sorted(sightings, key=lambda s: s.place.block.section != ERROR)  # sort is stable
    return Message(type_, text, is_warning, tuple(ordered), confirmed)


def _messages(shown: Shown, place: Place) -> Iterator[tuple[str, str, bool, bool]]:
    observation = shown.observation(place.statement_index)
    if observation is not None:
        yield from _observed(observation)
    elif shown.origin is Origin.EXPECTED:
        yield from _claimed(shown, place)


def _observed(observation: Observation) -> Iterator[tuple[str, str, bool, bool]]:
    for caught in observation.caught:
        yield caught.type, caught.message, False, True
    for warned in observation.warnings:
        yield warned.category, warned.message, True, True


def _claimed(shown: Shown, place: Place) -> Iterator[tuple[str, str, bool, bool]]:
    """What a statement that no machine has run says it would print in an ``except`` clause."""
    statement = shown.example.statements[place.statement_index]
    if statement.claim is None:
        return
    for line in statement.claim.lines:
        match = _CLASS_AND_MESSAGE.match(line)
        if match and match["type"].endswith("Warning"):
            yield match["type"], match["message"], True, False
        elif statement.code.startswith("try:") and "except" in statement.code:
            yield _expected_class(statement.code), line, False, False


def _expected_class(code: str) -> str:
    match = re.search(r"^except (\w+)", code, re.MULTILINE)
    return match[1] if match else ""
