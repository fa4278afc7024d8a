"""``docs/deviations.toml``: reviewed, reasoned exceptions from the claims; pure, takes text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property

from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.parse import Example
from tensor_atlas.history.conditions import check_condition, condition_holds
from tensor_atlas.model.runs import Environment
from tensor_atlas.toml_tables import required_text, required_texts, toml_entries

_FIELDS = {"example", "statement", "at", "environments", "reason", "link", "output", "ends"}
ANY = "*"
"""Stands for every statement, or in an example's name for any part of it."""


@dataclass(frozen=True)
class Target:
    """What a deviation speaks of."""

    example: str
    """``<chapter>/<stem>``, in which ``*`` stands for anything."""
    statement: str
    """A line that the statement has and no other statement of the example, the whole statement, or ``*``."""

    def names(self, example: str, statement: str) -> bool:
        """Whether it speaks of this statement."""
        return self.mentions(example) and (
            self.statement in (ANY, statement) or self.statement in strip_lines(statement)
        )

    def mentions(self, example: str) -> bool:
        """Whether it speaks of any statement of this example."""
        return example == self.example or (ANY in self.example and fnmatchcase(example, self.example))

    @property
    def is_exact(self) -> bool:
        """Whether it names one statement of one example."""
        return self.statement != ANY and ANY not in self.example

    def __str__(self) -> str:
        return f"{self.example}: {self.statement}"


@dataclass(frozen=True)
class Deviation:
    """One exception: in these environments these statements differ from their claims, for this reason."""

    targets: tuple[Target, ...]
    """The statements."""
    environments: tuple[str, ...]
    """Conditions, any of which may hold; each joins ``torch < 2.3``, ``numpy >= 2``, ``cuda build``, … by ``and``."""
    reason: str
    """Why, in words for the reader."""
    link: str | None
    """Where that is documented."""
    output: tuple[str, ...] | None
    """The lines it prints there, where they must be just these."""
    ends: str | None
    """How the run ends there, or how that begins: ``AttributeError``, ``crashed``. Output is then not explained."""
    line: int
    """Line of the entry in the file."""

    def covers(self, example: str, statement: str, environment: Environment) -> bool:
        """Whether it speaks of this statement in this environment."""
        return self.names(example, statement) and self.speaks_of(environment)

    def mentions(self, example: str) -> bool:
        """Whether it speaks of any statement of this example."""
        return example in self._exact or any(target.mentions(example) for target in self._patterns)

    @cached_property
    def _exact(self) -> frozenset[str]:
        return frozenset(target.example for target in self.targets)

    @cached_property
    def _patterns(self) -> tuple[Target, ...]:
        return tuple(target for target in self.targets if ANY in target.example)

    def names(self, example: str, statement: str) -> bool:
        """Whether it speaks of this statement."""
        return any(target.names(example, statement) for target in self.targets)

    def speaks_of(self, environment: Environment) -> bool:
        """Whether it speaks of this environment."""
        return any(condition_holds(condition, environment) for condition in self.environments)


def strip_lines(statement: str) -> list[str]:
    """Lines of a statement's source as a target may name them."""
    return [line.strip() for line in statement.split("\n")]


def parse_deviations(text: str, path: str) -> tuple[Deviation, ...]:
    """Deviations that ``text`` lists; AtlasError names the line of an entry that cannot be read."""
    entries = toml_entries(text, "deviation", path)
    return tuple(_deviation(entry, f"{path}:{line}", line) for entry, line in entries)


def _deviation(entry: dict[str, object], where: str, line: int) -> Deviation:
    unknown = set(entry) - _FIELDS
    if unknown:
        raise AtlasError(
            where, f"unknown field {', '.join(sorted(unknown))}", f"fields are {', '.join(sorted(_FIELDS))}"
        )
    if "output" in entry and "ends" in entry:
        raise AtlasError(
            where, "both output and ends", "write an entry for each: one explains what a statement prints"
        )
    return Deviation(
        targets=_targets(entry, where),
        environments=read_conditions(entry, where),
        reason=required_text(entry, "reason", where),
        link=required_text(entry, "link", where) if "link" in entry else None,
        output=required_texts(entry, "output", where) if "output" in entry else None,
        ends=required_text(entry, "ends", where) if "ends" in entry else None,
        line=line,
    )


def _targets(entry: dict[str, object], where: str) -> tuple[Target, ...]:
    if "at" not in entry:
        return (
            Target(required_text(entry, "example", where), required_text(entry, "statement", where).strip()),
        )
    if "example" in entry or "statement" in entry:
        raise AtlasError(where, "at beside example or statement", "write either at, or example and statement")
    parts = [text.partition(": ") for text in required_texts(entry, "at", where)]
    if not parts or not all(example and statement.strip() for example, _, statement in parts):
        raise AtlasError(
            where, "at names no statement", 'write at = ["chapter/example: a line of the statement"]'
        )
    return tuple(Target(example, statement.strip()) for example, _, statement in parts)


def read_conditions(entry: dict[str, object], where: str) -> tuple[str, ...]:
    """Conditions of an entry; AtlasError names the first part that is none."""
    conditions = required_texts(entry, "environments", where)
    for condition in conditions:
        check_condition(condition, where)
    return conditions


def find_explanation(deviations: Iterable[Deviation], observed: tuple[str, ...]) -> Deviation | None:
    """The first deviation that accepts these lines; those given already speak of statement and environment."""
    return next((d for d in deviations if d.ends is None and d.output in (None, observed)), None)


def find_end_explanation(deviations: Iterable[Deviation], ending: str) -> Deviation | None:
    """The first deviation that expects a run to end so; those given already speak of statement and environment."""
    return next((d for d in deviations if d.ends is not None and ending.startswith(d.ends)), None)


def check_targets(deviations: Iterable[Deviation], examples: Mapping[str, Example], path: str) -> None:
    """AtlasError for a deviation whose example or statement does not exist, or that might mean several."""
    for deviation in deviations:
        for target in deviation.targets:
            _check_target(target, examples, f"{path}:{deviation.line}")


def _check_target(target: Target, examples: Mapping[str, Example], where: str) -> None:
    meant = [example for name, example in examples.items() if fnmatchcase(name, target.example)]
    if not meant:
        raise AtlasError(where, f"no example {target.example}", "correct the name, or remove the entry")
    named = {(e.name, s.code) for e in meant for s in e.statements if target.names(e.name, s.code)}
    if not named:
        what = f"no statement of {target.example} has the line {target.statement!r}"
        raise AtlasError(where, what, "correct it, or remove the entry")
    if target.is_exact and len(named) > 1:
        what = f"{len(named)} statements of {target.example} have the line {target.statement!r}"
        raise AtlasError(where, what, "name a line that only one of them has, or write the whole statement")
