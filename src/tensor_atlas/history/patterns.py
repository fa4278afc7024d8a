"""Which environments gave which outcome: the one numbering that pages, scripts and documents read; pure.

A *pattern* has a letter for each environment: the letter's code is 48 plus the number of the outcome, and a
blank stands for none. ``atlas-numbering.js`` reads what this module spells.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from itertools import islice
from typing import Generic, TypeVar

from tensor_atlas.model.runs import JSON, Environment

NO_OUTCOME = " "
"""Letter of an environment that gave none."""
FIRST_LETTER = ord("0")
"""Code of the letter for outcome 0."""
NEXT, ABSENT = -1, -2
"""In lists of numbers: the first ``NEXT`` stands for 0, the second one for 1, and so on, because numbers that
appear for the first time compress better alike; ``ABSENT`` stands for none."""

_Thing = TypeVar("_Thing", bound=Hashable)


class Numbers(dict[_Thing, int]):
    """Things with their numbers, in order of first appearance; asking for a new one numbers it."""

    def __missing__(self, thing: _Thing) -> int:
        self[thing] = len(self)
        return self[thing]


def spell_pattern(numbers: Iterable[int | None]) -> str:
    """Pattern of the number of each environment's outcome; None for none."""
    return "".join(NO_OUTCOME if number is None else chr(FIRST_LETTER + number) for number in numbers)


def read_pattern(pattern: str) -> list[int | None]:
    """Number of each environment's outcome; None for none."""
    return [read_letter(pattern, place) for place in range(len(pattern))]


def read_letter(pattern: str, place: int) -> int | None:
    """Number of the outcome at a place of a pattern; None for none."""
    return None if pattern[place] == NO_OUTCOME else ord(pattern[place]) - FIRST_LETTER


def extend_pattern(pattern: str, steps: Iterable[tuple[int, int, int]]) -> str:
    """Pattern with environments behind it that steps lead to: each from a base, as two others took it.

    Where the step changed the outcome, it is that behind the step, else that of the base.
    """
    for base, before, after in steps:
        pattern += pattern[base if pattern[before] == pattern[after] else after]
    return pattern


def mark_new(numbers: Iterable[int]) -> list[JSON]:
    """The numbers, with the first 0 as ``NEXT``, then the first 1, and so on."""
    marked: list[JSON] = []
    count = 0
    for number in numbers:
        is_next = number == count
        marked.append(NEXT if is_next else number)
        count += is_next
    return marked


class Patterns:
    """Patterns over some environments, each with a number."""

    def __init__(self, environments: Iterable[Environment]) -> None:
        self.ids = tuple(environment.id for environment in environments)
        """Ids of the environments, in the order of a pattern's letters."""
        self._numbers: Numbers[str] = Numbers()

    def number(self, numbers: Mapping[str, int]) -> int:
        """Number of a pattern, from the number of the outcome by environment id."""
        return self._numbers[spell_pattern(map(numbers.get, self.ids))]

    def encode(self) -> dict[str, JSON]:
        """What ``atlas-numbering.js`` looks patterns up in."""
        return {"environments": [*self.ids], "patterns": [*self._numbers]}

    def list_patterns(self) -> tuple[str, ...]:
        """All patterns, by number."""
        return tuple(self._numbers)


class OutcomeTable(Generic[_Thing]):
    """Distinct mappings of environments to outcomes, each with a number: a pattern, and its outcomes."""

    def __init__(self, patterns: Patterns, outcomes: Iterable[_Thing] = ()) -> None:
        self.outcomes: Numbers[_Thing] = Numbers()
        """Outcomes with their numbers; those that are given come first."""
        for outcome in outcomes:
            self.outcomes[outcome]
        self._patterns = patterns
        self._mappings: Numbers[tuple[int, ...]] = Numbers()

    def number(self, given: Mapping[str, _Thing]) -> int:
        """Number of the mapping of environment ids to outcomes."""
        own: Numbers[int] = Numbers()
        ordered = [name for name in self._patterns.ids if name in given]
        numbers = {name: own[self.outcomes[given[name]]] for name in ordered}
        return self._mappings[self._patterns.number(numbers), *own]

    def list_mappings(self) -> tuple[tuple[int, ...], ...]:
        """All mappings, by number: of a pattern, then of the outcomes to which its letters lead."""
        return tuple(self._mappings)

    def encode_mappings(self) -> list[JSON]:
        """All mappings, by number; outcomes with ``NEXT``."""
        marked = iter(mark_new(outcome for _, *outcomes in self._mappings for outcome in outcomes))
        return [[pattern, *islice(marked, len(outcomes))] for pattern, *outcomes in self._mappings]
