"""Questions of guides that the matrix answers by counting: ``share: to a tensor / array-float32``; pure.

On the left what is done: a group, a family or one conversion. On the right to what: a source, or all of one
form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tensor_atlas.catalogue.conversions import CONVERSIONS, Conversion, Group
from tensor_atlas.catalogue.sources import SOURCES, Form, Source
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
"""What cells may be asked to do."""
FORM = "write it as: share: to a tensor / array-float32"


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
    """Question in its written form; AtlasError at ``where`` for a name that is unknown."""
    verb, colon, rest = (part.strip() for part in text.partition(":"))
    left, slash, right = (part.strip() for part in rest.rpartition("/"))
    if not colon or not slash:
        raise AtlasError(where, f"no question to the matrix: {text}", FORM)
    if verb not in VERBS:
        raise AtlasError(where, f"cells cannot be asked to {verb}", f"ask one of: {', '.join(VERBS)}")
    return Question(verb, _conversions(left, where), _sources(right, where))


def _conversions(name: str, where: str) -> tuple[Conversion, ...]:
    found = tuple(c for c in CONVERSIONS if name in (str(c.group), c.family, c.name))
    if not found:
        groups = ", ".join(Group)
        raise AtlasError(
            where, f"no conversion, family or group {name}", f"name a conversion, or a group: {groups}"
        )
    return found


def _sources(name: str, where: str) -> tuple[Source, ...]:
    found = tuple(s for s in SOURCES if name in (str(s.form), s.name))
    if not found:
        raise AtlasError(where, f"no source or form {name}", f"name a source, or a form: {', '.join(Form)}")
    return found


def count_cells(matrix: Matrix, question: Question) -> tuple[Fact, ...]:
    """The answer of the environment that is shown, then those of the others, each once.

    None where none has tried.
    """
    found: dict[tuple[tuple[Entry, ...], tuple[Entry, ...]], list[Environment]] = {}
    entries = _entries(matrix, question)
    first = [matrix.shown] if matrix.shown else []
    for environment in (*first, *(e for e in matrix.environments if e != matrix.shown)):
        among = [(entry, cell) for entry in entries if (cell := entry.at(environment)) is not None]
        doing = tuple(entry for entry, cell in among if VERBS[question.verb](cell))
        found.setdefault((doing, tuple(entry for entry, _ in among)), []).append(environment)
    return tuple(Fact(*key, tuple(where)) for key, where in found.items() if key[1])


def _entries(matrix: Matrix, question: Question) -> list[Entry]:
    rows = (matrix.rows.get(conversion.name, {}) for conversion in question.conversions)
    return [row[source.name] for row in rows for source in question.sources if source.name in row]
