"""Answers read off the evidence: whether names share memory, what a statement does; pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

from tensor_atlas.compare.evidence import Evidence, ExampleEvidence, Origin, locate_statements
from tensor_atlas.compare.rungs import Rung
from tensor_atlas.errors import AtlasError
from tensor_atlas.history.releases import summarize_environment
from tensor_atlas.model.runs import Environment, Snapshot, Status

HOW_TO_ASK = "write chapter/example: name, name  or  chapter/example: `code`  or  … name, name after `code`"
MOST_PRINTED = 40
"""Characters up to which printed output is itself the answer."""


class Answer(StrEnum):
    """Answer in a decision table."""

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
    """One answer, with the evidence that it was read off."""

    answer: Answer
    detail: str
    """Class of the exception or warning, what was printed, the rung of a claim that did not run; or empty."""
    evidence: ExampleEvidence
    """The example whose evidence gave it."""
    block_index: int
    """Index of the block to show as the proof."""

    @property
    def words(self) -> str:
        """The answer as a reader sees it: ``raises TypeError``."""
        return f"{self.answer} {self.detail}".strip()

    @property
    def where(self) -> str:
        """The environment that gave it; without one, what the example waits for."""
        if self.evidence.environment is None:
            return self.evidence.missing or "no record"
        return summarize_environment(self.evidence.environment)


def read_sharing(
    evidence: Evidence, example: str, names: Sequence[str], where: str, block: int | None = None
) -> Reading:
    """Whether every two of ``names`` share memory, after the last block in which all are alive, or after one.

    AtlasError where the example does not exist, or never has all of them alive with memory.
    """
    page = _find_example(evidence, example, where)
    if page.origin is Origin.EXPECTED:
        return Reading(Answer.UNKNOWN, "", page, 0)
    for index in [block] if block is not None else reversed(range(len(page.example.blocks))):
        snapshot = page.snapshot(index)
        if snapshot is not None and _are_alive(names, snapshot):
            answer = Answer.SHARES if _share(names, snapshot) else Answer.COPIES
            return Reading(answer, "", page, index)
    if page.run is not None and page.run.status is not Status.COMPLETED:
        return Reading(Answer.ENDED, "", page, 0)
    problem = f"{example} never has {' and '.join(names)} alive together"
    raise AtlasError(where, problem, "name two arrays or tensors of one block")


def _are_alive(names: Sequence[str], snapshot: Snapshot) -> bool:
    return set(names) <= {value.name for value in snapshot.values if value.buffer is not None}


def _share(names: Sequence[str], snapshot: Snapshot) -> bool:
    shared = {pair for group in snapshot.shares for pair in combinations(sorted(group), 2)}
    return shared.issuperset(combinations(sorted(set(names)), 2))


def read_outcome(evidence: Evidence, example: str, code: str, where: str) -> Reading:
    """What the first statement with ``code`` did; AtlasError where there is no such example or statement."""
    page = _find_example(evidence, example, where)
    for place, statement in zip(locate_statements(page.example), page.example.statements, strict=True):
        if code in statement.code:
            answer, detail = _read_statement(page, place.statement_index)
            return Reading(answer, detail, page, place.block_index)
    raise AtlasError(where, f"no statement of {example} contains {code!r}", "copy the code from the example")


def _read_statement(evidence: ExampleEvidence, index: int) -> tuple[Answer, str]:
    """What a statement answers by its error, warning or output, and the words for it."""
    observation = evidence.observation(index)
    if observation is None and evidence.run is not None:
        return Answer.ENDED, ""
    if observation is None:
        rung = evidence.rung(index)
        return Answer.UNKNOWN, "" if rung is Rung.EXPECTED else f"({rung})"
    for error in (*observation.caught, observation.raised):
        if error is not None:
            return Answer.RAISES, error.type
    if observation.warnings:
        return Answer.WARNS, observation.warnings[0].category
    if 0 < len(observation.stdout) <= MOST_PRINTED and "\n" not in observation.stdout:
        return Answer.PRINTS, observation.stdout
    return Answer.WORKS, ""


def read_answer(evidence: Evidence, question: str, where: str) -> Reading:
    """Answer to ``chapter/example: name, name`` (sharing) or ``chapter/example: `code``` (outcome).

    ``name, name after `code``` asks for the sharing after the block of a statement.
    AtlasError where the question cannot be read, or names something that does not exist.
    """
    example, colon, asked = question.partition(":")
    asked = asked.strip()
    if not colon or not asked:
        raise AtlasError(where, f"no question: {question!r}", HOW_TO_ASK)
    is_code = asked.startswith("`") and asked.endswith("`")
    if is_code and asked.strip("` "):
        return read_outcome(evidence, example.strip(), asked.strip("`"), where)
    asked, _, code = asked.partition(" after ")
    names = [name.strip() for name in asked.split(",")]
    if is_code or len(set(names)) < 2:
        raise AtlasError(where, f"no question: {question!r}", HOW_TO_ASK)
    name = example.strip()
    block = read_outcome(evidence, name, code.strip("`"), where).block_index if code else None
    return read_sharing(evidence, name, names, where, block)


@dataclass(frozen=True)
class OtherAnswer:
    """An answer that some environments give instead."""

    reading: Reading
    environments: tuple[Environment, ...]
    """Those environments, the oldest release first."""


def find_other_answers(evidence: Evidence, question: str, where: str) -> tuple[OtherAnswer, ...]:
    """Answers that differ from the one a page shows, with the environments that give them.

    Environments that have not run the present example are listed as unknown, or as lacking what it needs.
    """
    first = read_answer(evidence, question, where)
    groups: dict[tuple[Answer, str], tuple[Reading, list[Environment]]] = {}
    for environment, reading in _read_everywhere(evidence, question, first):
        key = (reading.answer, reading.detail)
        is_unknown = first.answer is reading.answer is Answer.UNKNOWN
        if key != (first.answer, first.detail) and not is_unknown:
            groups.setdefault(key, (reading, []))[1].append(environment)
    return tuple(OtherAnswer(reading, tuple(environments)) for reading, environments in groups.values())


def _read_everywhere(
    evidence: Evidence, question: str, first: Reading
) -> Iterator[tuple[Environment, Reading]]:
    page = first.evidence
    for environment, run in page.runs:
        there = replace(evidence, pages={page.example.name: page.at(environment, run)})
        try:
            yield environment, read_answer(there, question, "")
        except AtlasError:  # an error in that run kept one of the names from being made
            yield environment, Reading(Answer.ENDED, "", page, first.block_index)
    for environment in page.unmeasured:
        yield environment, Reading(Answer.UNKNOWN, "", page, first.block_index)
    for environment, _ in page.not_run:
        yield environment, Reading(Answer.ABSENT, "", page, first.block_index)


def _find_example(evidence: Evidence, example: str, where: str) -> ExampleEvidence:
    if example not in evidence.pages:
        raise AtlasError(where, f"no example {example}", "name it <chapter>/<stem>")
    return evidence.pages[example]
