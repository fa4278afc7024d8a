"""Answers of one namespace's names, folded: alike in the same environments, spelled once; as JSON; pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tensor_atlas.model.names import NameAnswer
from tensor_atlas.model.runs import JSON, SCHEMA, encode_fields
from tensor_atlas.records.decode import FormError, Header, check_day, decode_json


@dataclass(frozen=True)
class NameRecord:
    """What one module or class answered in each environment."""

    namespace: str
    """Such as ``numpy.random``."""
    answers: Mapping[str, Mapping[str, NameAnswer]] = field(default_factory=dict)
    """By environment id, then by name; empty where the namespace is not there."""
    dates: Mapping[str, str] = field(default_factory=dict)
    """Day of the answers, by environment id."""


class _Names(Header):
    namespace: str
    dates: dict[str, str]
    """Environments, in order, with the day of their answers."""
    answers: list[NameAnswer]
    patterns: list[list[int]]
    """Index of the answer in each environment; -1 where it was not asked."""
    names: dict[str, int]
    """Index of a name's pattern."""


def add_names(
    record: NameRecord, environment: str, answers: Mapping[str, NameAnswer], date: str
) -> NameRecord:
    """Record with the answers of an environment in place of its older ones."""
    return replace(
        record,
        answers={**record.answers, environment: answers},
        dates={**record.dates, environment: date},
    )


def fold_names(record: NameRecord) -> JSON:
    """JSON object of a record."""
    environments = sorted(record.answers)
    answers: dict[NameAnswer, int] = {}
    patterns: dict[tuple[int, ...], int] = {}
    names: dict[str, JSON] = {}
    for name in sorted(set[str]().union(*record.answers.values())):
        pattern = tuple(
            _index(record.answers[environment].get(name), answers) for environment in environments
        )
        names[name] = patterns.setdefault(pattern, len(patterns))
    return {
        "schema": SCHEMA,
        "namespace": record.namespace,
        "dates": {environment: record.dates[environment] for environment in environments},
        "answers": [encode_fields(answer) for answer in answers],
        "patterns": [list(pattern) for pattern in patterns],
        "names": names,
    }


def _index(answer: NameAnswer | None, known: dict[NameAnswer, int]) -> int:
    return -1 if answer is None else known.setdefault(answer, len(known))


def unfold_names(data: bytes) -> NameRecord:
    """The record of a file; FormError."""
    read = decode_json(data, _Names)
    for environment, date in read.dates.items():
        check_day(date, f"dates.{environment}")
    if any(not 0 <= index < len(read.patterns) for index in read.names.values()):
        raise FormError("names: no index of a pattern")
    answers_of: dict[str, dict[str, NameAnswer]] = {environment: {} for environment in read.dates}
    for pattern in read.patterns:
        if len(pattern) != len(read.dates) or not all(-1 <= index < len(read.answers) for index in pattern):
            raise FormError("patterns: not an index of an answer for each environment")
    for name, index in read.names.items():
        for environment, answer in zip(read.dates, read.patterns[index], strict=True):
            if answer >= 0:
                answers_of[environment][name] = read.answers[answer]
    return NameRecord(read.namespace, answers_of, read.dates)
