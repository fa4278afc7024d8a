"""Answers read off the evidence: do two names share memory, does a statement raise; pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

from tensor_atlas.compare.evidence import Evidence, ExampleEvidence, Origin, locate_statements
from tensor_atlas.errors import AtlasError
from tensor_atlas.model.runs import Environment, Status

MOST_PRINTED = 40
"""Characters up to which printed output is itself the answer."""


class Answer(StrEnum):
    """What a reader of a decision table wants to know."""

    SHARES = "shares memory"
    COPIES = "copies"
    RAISES = "raises"
    WARNS = "warns"
    PRINTS = "prints"
    WORKS = "works"
    ENDED = "ended early"
    ABSENT = "not run there"
    UNKNOWN = "not yet recorded"


@dataclass(frozen=True)
class Reading:
    """One answer, with where it was read."""

    answer: Answer
    """The answer."""
    detail: str
    """The exception's or the warning's class name, or what was printed, or an empty string."""
    shown: ExampleEvidence
    """The example whose evidence gave it."""
    block_index: int
    """Index of the block to show as the proof."""

    @property
    def words(self) -> str:
        """The answer as a reader sees it: ``raises TypeError``."""
        return f"{self.answer} {self.detail}".strip()


def read_sharing(evidence: Evidence, example: str, names: Sequence[str], where: str) -> Reading:
    """Whether names see the same bytes, every two of them, after the last block in which both are alive.

    AtlasError where the example does not exist, or never has both names alive with memory.
    """
    shown = _shown(evidence, example, where)
    if shown.origin is Origin.EXPECTED:
        return Reading(Answer.UNKNOWN, "", shown, 0)
    for index in reversed(range(len(shown.example.blocks))):
        snapshot = shown.snapshot(index)
        if snapshot is None:
            continue
        alive = {value.name for value in snapshot.values if value.buffer is not None}
        if set(names) <= alive:
            pairs = combinations(names, 2)
            together = all(any({*pair} <= set(group) for group in snapshot.shares) for pair in pairs)
            return Reading(Answer.SHARES if together else Answer.COPIES, "", shown, index)
    if shown.run is not None and shown.run.status is not Status.COMPLETED:
        return Reading(Answer.ENDED, "", shown, 0)
    raise AtlasError(
        where,
        f"{example} never has {' and '.join(names)} alive together",
        "name two arrays or tensors of one block",
    )


def read_outcome(evidence: Evidence, example: str, code: str, where: str) -> Reading:
    """What the first statement that contains ``code`` did: raised, warned, printed one line, or worked.

    AtlasError where the example does not exist, or has no such statement.
    """
    shown = _shown(evidence, example, where)
    for place, statement in zip(locate_statements(shown.example), shown.example.statements, strict=True):
        if code not in statement.code:
            continue
        observation = shown.observation(place.statement_index)
        if observation is None:
            return Reading(
                Answer.UNKNOWN if shown.run is None else Answer.ENDED, "", shown, place.block_index
            )
        errors = (*observation.caught, *([observation.raised] if observation.raised else []))
        if errors:
            return Reading(Answer.RAISES, errors[0].type, shown, place.block_index)
        if observation.warnings:
            return Reading(Answer.WARNS, observation.warnings[0].category, shown, place.block_index)
        if 0 < len(observation.stdout) <= MOST_PRINTED and "\n" not in observation.stdout:
            return Reading(Answer.PRINTS, observation.stdout, shown, place.block_index)
        return Reading(Answer.WORKS, "", shown, place.block_index)
    raise AtlasError(where, f"no statement of {example} contains {code!r}", "copy the code from the example")


def read_answer(evidence: Evidence, question: str, where: str) -> Reading:
    """Answer to ``chapter/example: name, name`` (sharing) or ``chapter/example: `code``` (outcome)."""
    example, colon, asked = question.partition(":")
    asked = asked.strip()
    if not colon or not asked:
        raise AtlasError(
            where,
            f"no question: {question!r}",
            "write chapter/example: name, name  or  chapter/example: `code`",
        )
    if asked.startswith("`") and asked.endswith("`"):
        return read_outcome(evidence, example.strip(), asked.strip("`"), where)
    return read_sharing(evidence, example.strip(), [name.strip() for name in asked.split(",")], where)


@dataclass(frozen=True)
class OtherAnswer:
    """An answer that some environments give instead."""

    reading: Reading
    """The answer."""
    environments: tuple[Environment, ...]
    """Who gives it, the oldest release first."""


def find_other_answers(evidence: Evidence, question: str, where: str) -> tuple[OtherAnswer, ...]:
    """Answers that differ from the one a page shows, with the environments that give them.

    An environment that has not run the example as it is gives none of them: it is listed as unknown, or as lacking
    what the example needs.
    """
    first = read_answer(evidence, question, where)
    found: dict[tuple[Answer, str], tuple[Reading, list[Environment]]] = {}
    for environment, reading in _readings(evidence, question, first):
        key = (reading.answer, reading.detail)
        if key != (first.answer, first.detail):
            found.setdefault(key, (reading, []))[1].append(environment)
    return tuple(OtherAnswer(reading, tuple(environments)) for reading, environments in found.values())


def _readings(evidence: Evidence, question: str, first: Reading) -> Iterator[tuple[Environment, Reading]]:
    shown = first.shown
    for environment, run in shown.runs:
        there = replace(evidence, shown={shown.example.name: shown.at(environment, run)})
        try:
            yield environment, read_answer(there, question, "")
        except AtlasError:  # an error there has kept one of the names from coming to life
            yield environment, Reading(Answer.ENDED, "", shown, first.block_index)
    for environment in shown.unmeasured:
        yield environment, Reading(Answer.UNKNOWN, "", shown, first.block_index)
    for environment, _ in shown.not_run:
        yield environment, Reading(Answer.ABSENT, "", shown, first.block_index)


def _shown(evidence: Evidence, example: str, where: str) -> ExampleEvidence:
    if example not in evidence.shown:
        raise AtlasError(where, f"no example {example}", "name it <chapter>/<stem>")
    return evidence.shown[example]
