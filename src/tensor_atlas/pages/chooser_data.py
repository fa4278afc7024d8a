"""What the script of the chooser needs whatever a reader has: sources, conversions, preferences, proofs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tensor_atlas.catalogue import SOURCES, Source
from tensor_atlas.compare.answers import Answer, OtherAnswer, Reading, find_other_answers, read_answer
from tensor_atlas.compare.evidence import Evidence
from tensor_atlas.compare.rungs import Rung
from tensor_atlas.matrix.chooser import (
    FORMS,
    GIVES,
    PLAIN,
    SCOPE,
    SIGNS,
    ChooserTable,
    ResultKind,
    list_sources,
    possible_kinds,
)
from tensor_atlas.matrix.chooser_cells import FORM_LIST, GROUPS, KINDS, OUTCOMES, PLACES
from tensor_atlas.matrix.preferences import CONTIGUOUS, Preference
from tensor_atlas.matrix.traits import is_trait, list_dtypes, take_apart
from tensor_atlas.model.runs import JSON
from tensor_atlas.pages import GALLERY

CALLS = {conversion.name: place for place, conversion in enumerate(SCOPE)}
"""Numbers of conversions."""


def encode_table(
    table: ChooserTable,
    preferences: Sequence[Preference],
    evidence: Evidence,
    locate: Callable[[str], str],
) -> dict[str, JSON]:
    """What the chooser's script needs whatever a reader has; its cells come with ``encode_cells``."""
    return {
        "forms": [[str(form), FORMS[form], _encode_kinds(possible_kinds(form))] for form in FORM_LIST],
        "kinds": [[kind.name, str(kind)] for kind in KINDS],
        "outcomes": [[outcome.name, str(outcome), SIGNS[outcome]] for outcome in OUTCOMES],
        "plain": [*sorted(PLAIN)],
        "groups": [[_encode_kinds(GIVES[g]), [*map(SOURCES.index, list_sources(g))]] for g in GROUPS],
        "sources": [_encode_source(source) for source in SOURCES],
        "conversions": [[c.name, c.title, GROUPS.index(c.group)] for c in SCOPE],
        "preferences": [_encode_preference(p, evidence, locate) for p in preferences],
        "environments": [environment.id for environment in table.environments],
        "cells": {},
    }


def _encode_kinds(kinds: Iterable[ResultKind]) -> list[JSON]:
    """Kinds of results by place."""
    return [KINDS.index(kind) for kind in kinds]


def _encode_source(source: Source) -> list[JSON]:
    """What the script knows of a source: its facts, what it is a combination of, and its possible dtypes."""
    facts: list[JSON] = [source.name, source.title, FORM_LIST.index(source.form), source.code]
    facts += [source.dtype, source.layout, source.device, [*source.flags]]
    parts = take_apart(source)
    if parts is None:
        return facts
    traits: list[JSON] = [PLACES.get(name, -1) for name in (parts.layout, parts.flag, parts.device)]
    return [*facts, traits, [*list_dtypes(source)] if is_trait(source) else []]


def _encode_preference(
    preference: Preference, evidence: Evidence, locate: Callable[[str], str]
) -> dict[str, JSON]:
    """A preference with names as numbers, and what its example shows in each environment."""
    sources = {**PLACES, "": -1, CONTIGUOUS: -2}
    return {
        "call": preference.call,
        "form": FORM_LIST.index(preference.form),
        "kind": KINDS.index(preference.kind),
        "steps": [[CALLS[step.conversion], sources[step.source]] for step in preference.steps],
        "only": [PLACES[name] for name in preference.only],
        "unless": [PLACES[name] for name in preference.unless],
        "strict": preference.strict,
        "copies": preference.copies,
        "gives": preference.gives,
        "device": preference.device,
        "url": preference.url,
        "shown": _encode_proof(preference, evidence, locate) if preference.evidence else None,
    }


def _encode_proof(preference: Preference, evidence: Evidence, locate: Callable[[str], str]) -> JSON:
    """What an example shows: its title and address, the answer, and other answers by environment."""
    first = read_answer(evidence, preference.evidence, preference.where)
    others = find_other_answers(evidence, preference.evidence, preference.where)
    address = f"{locate(f'{GALLERY}/{first.evidence.example.name}')}#block-{first.block_index + 1}"
    title = first.evidence.example.title
    encoded: list[JSON] = [_encode_other(other) for other in others]
    return {"title": title, "address": address, "answer": _encode_reading(first), "others": encoded}


def _encode_other(other: OtherAnswer) -> list[JSON]:
    return [*_encode_reading(other.reading), [environment.id for environment in other.environments]]


MEANS = {
    Answer.SHARES: "SHARES",
    Answer.COPIES: "COPIES",
    Answer.PRINTS: "WORKS",
    Answer.WORKS: "WORKS",
    Answer.UNKNOWN: "UNKNOWN",
    Answer.ABSENT: "ABSENT",
}
"""What an answer of an example means to the chooser; others are failures."""


def _encode_reading(reading: Reading) -> list[JSON]:
    """What an answer means, and its words; of one that no run gave, its rung."""
    if reading.answer is Answer.UNKNOWN:
        return [MEANS[reading.answer], reading.detail.strip("()") or str(Rung.EXPECTED)]
    return [MEANS.get(reading.answer, "RAISES"), reading.words]
