"""Cells of the chooser as numbers, which its script reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from operator import attrgetter

from tensor_atlas.catalogue import SOURCES, Form
from tensor_atlas.history.patterns import OutcomeTable, Patterns, mark_new
from tensor_atlas.matrix.chooser import GIVES, SCOPE, CellSummary, ChooserTable, ResultKind, list_sources
from tensor_atlas.matrix.preferences import Preference
from tensor_atlas.model.cells import Outcome
from tensor_atlas.model.runs import JSON

GROUPS = tuple(GIVES)
"""Groups of conversions that the chooser knows; others are numbered by their places."""
KINDS, FORM_LIST, OUTCOMES = list(ResultKind), list(Form), list(Outcome)
FLAGS = ("grad", "frozen", "writes", "other_shape", "other_values", "unseen")
"""Fields of ``CellSummary`` that are bits of one number, the first the lowest."""
PLACES = {source.name: place for place, source in enumerate(SOURCES)}
"""Numbers of sources."""


def encode_cells(
    table: ChooserTable, form: Form, preferences: Iterable[Preference], patterns: Patterns
) -> dict[str, JSON]:
    """Cells of the sources of a form, by conversion and source: for each a mapping; each text once."""
    sources = _list_sources_of(form, preferences)
    outcomes: OutcomeTable[int] = OutcomeTable(patterns)
    cells = [outcomes.number(table.read_places(*cell)) for cell in _list_cells(sources)]
    kept = [table.summaries[place] for place in outcomes.outcomes]
    # In order, so that neighbours are alike and compress well.
    texts = sorted({text for summary in kept for text in _list_texts(summary)} - {""})
    words = {text: place for place, text in enumerate(["", *texts])}
    return {
        "sources": [PLACES[name] for name in sources],
        "summaries": [_encode_summary(summary, words) for summary in kept],
        "words": list(words),
        "mappings": outcomes.encode_mappings(),
        "cells": mark_new(cells),
    }


def _list_sources_of(form: Form, preferences: Iterable[Preference]) -> list[str]:
    """Names of the sources of a form, and of others by which a recommended call for it is proved."""
    steps = {step.source for p in preferences if p.form is form for step in p.steps}
    return [source.name for source in SOURCES if source.form is form or source.name in steps]


def _list_texts(summary: CellSummary) -> tuple[str, ...]:
    """Its texts, in the order in which the script reads them."""
    what = (summary.type, summary.element, summary.device, summary.shape)
    return (*what, summary.value, summary.error, *summary.warnings)


def _encode_summary(summary: CellSummary, words: Mapping[str, int]) -> list[JSON]:
    """A summary as numbers; ``words`` has the place of each text."""
    places = [words[text] for text in _list_texts(summary)]
    return [
        OUTCOMES.index(summary.outcome),
        -1 if summary.kind is None else KINDS.index(summary.kind),
        *places[:4],
        sum(getattr(summary, name) << bit for bit, name in enumerate(FLAGS)),
        *places[4:],
    ]


def _list_cells(sources: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Conversions and sources of all cells of some sources, in the order in which the script counts them."""
    tried = {group: [*map(attrgetter("name"), list_sources(group))] for group in GROUPS}
    for conversion in SCOPE:
        yield from ((conversion.name, name) for name in sources if name in tried[conversion.group])
