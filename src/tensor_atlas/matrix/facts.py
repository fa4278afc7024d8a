"""Questions of guides that are answered by counting cells: ``share: to a tensor / array-float32``; pure.

On the left of the slash stands a group, a family or one conversion, on the right a source or all sources of
one form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tensor_atlas.catalogue import CONVERSIONS, SOURCES, Conversion, Form, Group, Source
from tensor_atlas.errors import AtlasError
from tensor_atlas.matrix.table import Entry, Matrix
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.runs import Environment

VERBS: Mapping[str, Callable[[Cell], bool]] = {
    "share": lambda cell: cell.outcome in (Outcome.SAME, Outcome.SHARES),
    "give the same object": lambda cell: cell.outcome is Outcome.SAME,
    "copy": lambda cell: cell.outcome is Outcome.COPIES,
    "raise": lambda cell: cell.outcome is Outcome.RAISES,
    "crash": lambda cell: cell.outcome is Outcome.CRASHES,
    "warn": lambda cell: bool(cell.warnings),
    "write": lambda cell: cell.writes,
}
"""Verbs of questions, and whether a cell does that."""
HOW_TO_COUNT = "write it as: share: to a tensor / array-float32"


@dataclass(frozen=True)
class Question:
    """Which cells do something."""

    verb: str
    """Key of VERBS."""
    conversions: tuple[Conversion, ...]
    """What is done."""
    sources: tuple[Source, ...]
    """To what."""


@dataclass(frozen=True)
class Fact:
    """The answer in some environments."""

    doing: tuple[Entry, ...]
    """Cells that do it."""
    among: tuple[Entry, ...]
    """Cells that these environments tried."""
    environments: tuple[Environment, ...]
    """Where it is so."""

    @property
    def words(self) -> str:
        """``13 of 73``."""
        return f"{len(self.doing)} of {len(self.among)}"


def parse_question(text: str, where: str) -> Question:
    """Question in ``text``; AtlasError at ``where`` for a name that is unknown."""
    verb, colon, rest = (part.strip() for part in text.partition(":"))
    left, slash, right = (part.strip() for part in rest.rpartition("/"))
    if not colon or not slash:
        raise AtlasError(where, f"no question to the matrix: {text}", HOW_TO_COUNT)
    if verb not in VERBS:
        raise AtlasError(where, f"cells cannot be asked to {verb}", f"ask one of: {', '.join(VERBS)}")
    return Question(verb, _find_conversions(left, where), _find_sources(right, where))


def _find_conversions(name: str, where: str) -> tuple[Conversion, ...]:
    conversions = tuple(c for c in CONVERSIONS if name in (str(c.group), c.family, c.name))
    if not conversions:
        remedy = f"name a conversion, or a group: {', '.join(Group)}"
        raise AtlasError(where, f"no conversion, family or group {name}", remedy)
    return conversions


def _find_sources(name: str, where: str) -> tuple[Source, ...]:
    sources = tuple(s for s in SOURCES if name in (str(s.form), s.name))
    if not sources:
        raise AtlasError(where, f"no source or form {name}", f"name a source, or a form: {', '.join(Form)}")
    return sources


def count_cells(matrix: Matrix, question: Question) -> tuple[Fact, ...]:
    """Distinct answers with the environments that gave one, the shown environment's first."""
    groups: dict[tuple[tuple[Entry, ...], tuple[Entry, ...]], list[Environment]] = {}
    entries = _list_entries(matrix, question)
    for environment in sorted(matrix.environments, key=lambda other: other != matrix.default_environment):
        among = []
        doing = []
        for entry in entries:
            cell = entry.at(environment)
            if cell is not None:
                among.append(entry)
                doing += [entry] if VERBS[question.verb](cell) else []
        if among:
            groups.setdefault((tuple(doing), tuple(among)), []).append(environment)
    return tuple(Fact(doing, among, tuple(where)) for (doing, among), where in groups.items())


def _list_entries(matrix: Matrix, question: Question) -> list[Entry]:
    rows = (matrix.rows.get(conversion.name, {}) for conversion in question.conversions)
    return [row[source.name] for row in rows for source in question.sources if source.name in row]
