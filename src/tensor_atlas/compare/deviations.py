"""``docs/deviations.toml`` and ``docs/gaps.toml``: reviewed exceptions, each with its reason.

Pure, takes text. A deviation explains output other than the claims. A gap says why some environments have not
run an example yet: whoever adds one cannot run it on every release at once. An entry that nothing needs is
drift.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.parse import Example
from tensor_atlas.history.conditions import CONDITION_HELP, condition_holds, find_unreadable_part
from tensor_atlas.history.own_lines import hide_in_lines
from tensor_atlas.model.runs import Environment
from tensor_atlas.toml_tables import read_tables

DEVIATIONS, GAPS = "docs/deviations.toml", "docs/gaps.toml"
_SOURCE = re.compile(r"https?://[^\s/\\\"'<>]+(/[^\s\\\"'<>]*)?|/?[\w.-]+(/[\w.-]+)*(#[\w.-]+)?", re.ASCII)
"""A web address, or a path of the site: without a colon it has no scheme."""
ANY = "*"
"""Stands for every statement, or in an example's name for any part of it."""


@dataclass(frozen=True)
class Target:
    """Statements that a deviation names."""

    example: str
    """``<chapter>/<stem>``, in which ``*`` stands for anything."""
    statement: str
    """A line that the statement has and no other statement of the example, the whole statement, or ``*``."""

    def names(self, example: str, statement: str) -> bool:
        """Whether it names this statement of this example."""
        is_named = self.statement in (ANY, statement) or self.statement in strip_lines(statement)
        return is_named and self.mentions(example)

    def mentions(self, example: str) -> bool:
        """Whether it names any statement of this example."""
        return example == self.example or (ANY in self.example and fnmatchcase(example, self.example))

    @property
    def is_exact(self) -> bool:
        """Whether it names one statement of one example."""
        return self.statement != ANY and ANY not in self.example

    def __str__(self) -> str:
        return f"{self.example}: {self.statement}"


@dataclass(frozen=True)
class Difference:
    """How a run differs from what a statement claims."""

    observed: tuple[str, ...]
    """The lines printed there."""
    ends: str = ""
    """How the run ends there, if that is the difference: ``TypeError: no``, ``crashed: SIGSEGV``."""
    example: str = ""
    """Name of the example."""


@dataclass(frozen=True)
class Deviation:
    """One exception: in these environments these statements differ from their claims, for this reason."""

    targets: tuple[Target, ...]
    environments: tuple[str, ...]
    """Conditions, one of which must hold; each joins ``torch < 2.3``, ``numpy >= 2``, ``cuda build``, … by
    ``and``."""
    reason: str
    """Why, in words for the reader."""
    link: str | None
    """Where that is documented."""
    output: tuple[str, ...] | None
    """The lines printed there, where they must be just these."""
    ends: str | None
    """How the run ends there, or the beginning of that: ``AttributeError``, ``crashed``. It explains no
    output."""
    line: int
    """Line of the entry in the file."""

    def covers(self, example: str, statement: str, environment: Environment) -> bool:
        """Whether it applies to this statement in this environment."""
        return self.names(example, statement) and self.speaks_of(environment)

    def mentions(self, example: str) -> bool:
        """Whether it names any statement of this example."""
        return any(target.mentions(example) for target in self.targets)

    def names(self, example: str, statement: str) -> bool:
        """Whether it names this statement."""
        return any(target.names(example, statement) for target in self.targets)

    def speaks_of(self, environment: Environment) -> bool:
        """Whether one of its conditions holds in this environment."""
        return any(condition_holds(condition, environment) for condition in self.environments)

    def accepts(self, difference: Difference) -> bool:
        """Whether it expects this difference, where it covers the statement."""
        if self.ends is not None:
            return difference.ends.startswith(self.ends)
        if difference.ends or self.output is None:
            return not difference.ends
        expected, seen = (
            hide_in_lines(lines, difference.example) for lines in (self.output, difference.observed)
        )
        return expected == seen


@dataclass(frozen=True)
class DeviationEntry:
    """A table of ``docs/deviations.toml``, with ``at`` or else ``example`` and ``statement``."""

    environments: tuple[str, ...]
    reason: str
    line: int
    example: str = ""
    statement: str = ""
    at: tuple[str, ...] | None = None
    link: str | None = None
    output: tuple[str, ...] | None = None
    ends: str | None = None


def strip_lines(statement: str) -> list[str]:
    """Lines of a statement's source without indentation, as targets name them."""
    return [line.strip() for line in statement.split("\n")]


def parse_deviations(text: str, path: str) -> tuple[Deviation, ...]:
    """Deviations in the order of the file; AtlasError names the line of an entry that cannot be read."""
    entries = read_tables(text, "deviation", path, DeviationEntry)
    return tuple(_read_deviation(entry, where) for entry, where in entries)


def _read_deviation(entry: DeviationEntry, where: str) -> Deviation:
    if entry.output is not None and entry.ends is not None:
        remedy = "write an entry for each: one explains what a statement prints"
        raise AtlasError(where, "both output and ends", remedy)
    if entry.link is not None and _SOURCE.fullmatch(entry.link) is None:
        remedy = "write the https:// address of a page, or the path of a page of the site"
        raise AtlasError(where, f"link is no address of a page: {entry.link!a}", remedy)
    check_conditions(entry.environments, where)
    return Deviation(
        targets=_read_targets(entry, where),
        environments=entry.environments,
        reason=entry.reason,
        link=entry.link,
        output=entry.output,
        ends=entry.ends,
        line=entry.line,
    )


def _read_targets(entry: DeviationEntry, where: str) -> tuple[Target, ...]:
    """Statements that an entry names; AtlasError where it names none, or in both ways."""
    if entry.at is None:
        for key in ("example", "statement"):
            if not getattr(entry, key):
                raise AtlasError(where, f"no {key}", f'write {key} = "…"')
        return (Target(entry.example, entry.statement.strip()),)
    if entry.example or entry.statement:
        raise AtlasError(where, "at beside example or statement", "write either at, or example and statement")
    targets = []
    for text in entry.at:
        example, _, statement = text.partition(": ")
        targets.append(Target(example, statement.strip()))
    if not targets or not all(target.example and target.statement for target in targets):
        remedy = 'write at = ["chapter/example: a line of the statement"]'
        raise AtlasError(where, "at names no statement", remedy)
    return tuple(targets)


def check_conditions(conditions: Iterable[str], where: str) -> None:
    """AtlasError names the first part of an entry's ``environments`` that cannot be read."""
    for condition in conditions:
        unreadable = find_unreadable_part(condition)
        if unreadable is not None:
            raise AtlasError(where, f"unknown condition {unreadable!r}", CONDITION_HELP)


def find_explanation(deviations: Iterable[Deviation], difference: Difference) -> Deviation | None:
    """The first that accepts a difference, among deviations that cover its statement already."""
    return next((deviation for deviation in deviations if deviation.accepts(difference)), None)


def check_targets(deviations: Iterable[Deviation], examples: Mapping[str, Example]) -> None:
    """AtlasError for a target that names no statement, or several though it should name one."""
    for deviation in deviations:
        for target in deviation.targets:
            _check_target(target, examples, f"{DEVIATIONS}:{deviation.line}")


def _check_target(target: Target, examples: Mapping[str, Example], where: str) -> None:
    meant = [example for name, example in examples.items() if fnmatchcase(name, target.example)]
    if not meant:
        raise AtlasError(where, f"no example {target.example}", "correct the name, or remove the entry")
    statements = {(e.name, s.code) for e in meant for s in e.places.values() if target.names(e.name, s.code)}
    if not statements:
        problem = f"no statement of {target.example} has the line {target.statement!r}"
        raise AtlasError(where, problem, "correct it, or remove the entry")
    if target.is_exact and len(statements) > 1:
        problem = f"{len(statements)} statements of {target.example} have the line {target.statement!r}"
        raise AtlasError(
            where, problem, "name a line that only one of them has, or write the whole statement"
        )


# --- gaps ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Gap:
    """Examples that these environments have not run as they are."""

    examples: tuple[str, ...]
    """Names, in which ``*`` stands for anything."""
    environments: tuple[str, ...]
    """Conditions, any of which may hold, as in ``docs/deviations.toml``."""
    reason: str
    """Why, in words for the reader."""
    line: int
    """Line of the entry in the file."""

    def match(self, example: str) -> list[str]:
        """Which of its names are names of this example."""
        return [name for name in self.examples if fnmatchcase(example, name)]

    def covers(self, example: str, environment: Environment) -> bool:
        """Whether it explains that this environment has not run this example."""
        holding = (condition_holds(condition, environment) for condition in self.environments)
        return bool(self.match(example)) and any(holding)


@dataclass(frozen=True)
class Coverage:
    """What must have been recorded of the examples as they are, in environments without a GPU."""

    gate: str = ""
    """Environment in which a changed example must have run again; empty where it must in all.

    Named as ``find_environment`` takes it.
    """
    gaps: tuple[Gap, ...] = ()
    """Reasons why something is not recorded."""


def parse_gaps(text: str, path: str) -> tuple[Gap, ...]:
    """Gaps in the order of the file; AtlasError names the line of an entry that cannot be read."""
    gaps = read_tables(text, "gap", path, Gap)
    for gap, where in gaps:
        check_conditions(gap.environments, where)
    return tuple(gap for gap, _ in gaps)
