"""A board as JavaScript that a page loads: every text once, cells as numbers, environments as differences; pure.

A page opened as a file could fetch no JSON, so what is written assigns a variable.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from operator import ne

from tensor_atlas.catalogue.sources import SOURCES, Form
from tensor_atlas.matrix.chooser import (
    FORMS,
    GIVES,
    GOOD,
    PLAIN,
    SCOPE,
    SIGNS,
    CellSummary,
    ChooserTable,
    Fit,
    Memory,
    ResultKind,
    count_steps,
    list_sources,
    possible_kinds,
)
from tensor_atlas.model.cells import Outcome
from tensor_atlas.model.runs import JSON

GROUPS = tuple(GIVES)


class Words:
    """Texts, each at a place; the empty one at 0."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {"": 0}

    def place(self, text: str) -> int:
        """Place of a text, which is new or known."""
        return self.places.setdefault(text, len(self.places))


def script(of: ChooserTable) -> str:
    """The variable ``atlasMatrix``."""
    return f"window.atlasMatrix = {json.dumps(payload(of), separators=(',', ':'), ensure_ascii=True)};\n"


def payload(of: ChooserTable) -> dict[str, JSON]:
    """Everything that the chooser's script needs; names of fields are for it alone."""
    words = Words()
    told: list[JSON] = [_told(one, words) for one in of.summaries]
    forms = list(Form)
    return {
        "told": told,
        "words": list(words.places),
        "forms": [[str(f), FORMS[f], [list(ResultKind).index(k) for k in possible_kinds(f)]] for f in forms],
        "kinds": [[kind.name, str(kind)] for kind in ResultKind],
        "memories": [[memory.name, str(memory)] for memory in Memory],
        "verdicts": [[verdict.name, str(verdict), verdict in GOOD] for verdict in Fit],
        "outcomes": [[outcome.name, str(outcome), SIGNS[outcome]] for outcome in Outcome],
        "plain": [*sorted(PLAIN)],
        "groups": [
            [[list(ResultKind).index(k) for k in GIVES[g]], [SOURCES.index(s) for s in list_sources(g)]]
            for g in GROUPS
        ],
        "sources": [
            [s.name, s.title, forms.index(s.form), s.code, s.dtype, s.layout, s.device, ", ".join(s.flags)]
            for s in SOURCES
        ],
        "conversions": [[c.name, c.title, GROUPS.index(c.group), count_steps(c)] for c in SCOPE],
        "environments": _environments(of),
    }


FLAGS = ("grad", "frozen", "writes", "other_shape", "other_values", "unseen")
"""Fields of ``CellSummary`` that are bits of one number, the first the lowest."""


def _told(told: CellSummary, words: Words) -> list[JSON]:
    return [
        list(Outcome).index(told.outcome),
        -1 if told.kind is None else list(ResultKind).index(told.kind),
        *(words.place(text) for text in (told.type, told.element, told.device, told.shape)),
        sum(getattr(told, name) << bit for bit, name in enumerate(FLAGS)),
        *(words.place(text) for text in (told.value, told.error, *told.warnings)),
    ]


# --- cells ---------------------------------------------------------------------------------------


def _environments(of: ChooserTable) -> list[JSON]:
    """Id of each, which one it differs least from, and how: distances and places; of the first all places."""
    rows = [_flat(of, environment.id) for environment in of.environments]
    found: list[JSON] = []
    for index, (environment, row) in enumerate(zip(of.environments, rows, strict=True)):
        nearest = min(range(index), key=lambda other: _distance(rows[other], row), default=-1)
        cells = row if nearest < 0 else _differences(rows[nearest], row)
        found.append([environment.id, nearest, [*cells]])
    return found


def _flat(of: ChooserTable, environment: str) -> list[int]:
    """Places of what became of every cell, row by row, plus one; 0 where it was not tried."""
    cells = of.cells[environment]
    by_group = {group: [source.name for source in list_sources(group)] for group in GROUPS}
    rows = ((cells.get(c.name, {}), by_group[c.group]) for c in SCOPE)
    return [row.get(source, -1) + 1 for row, sources in rows for source in sources]


def _distance(some: Sequence[int], others: Sequence[int]) -> int:
    return sum(map(ne, some, others))


def _differences(before: Iterable[int], after: Iterable[int]) -> list[int]:
    """How many cells are passed over since the last one that differs, then its place; for each that differs."""
    found: list[int] = []
    last = -1
    for index, (a, b) in enumerate(zip(before, after, strict=True)):
        if a != b:
            found += [index - last - 1, b]
            last = index
    return found
