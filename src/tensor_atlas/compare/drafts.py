"""Recorded differences that nothing explains → entries for ``docs/deviations.toml`` that lack only a reason; pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tensor_atlas.compare.claims import claim_holds
from tensor_atlas.compare.deviations import Deviation, find_end_explanation, find_explanation, strip_lines
from tensor_atlas.compare.verdicts import describe_ending
from tensor_atlas.examples.parse import Example, Statement
from tensor_atlas.history.conditions import find_conditions
from tensor_atlas.model.runs import Environment, Run, Status, output_lines

Runs = Sequence[tuple[Environment, Run]]


def draft_deviations(examples: Mapping[str, Example], runs: Runs, deviations: Sequence[Deviation]) -> str:
    """TOML of one entry for each statement and way of differing, with the narrowest conditions that fit the records."""
    parts: list[str] = []
    for name, example in sorted(examples.items()):
        current = [(e, r) for e, r in runs if r.example == name and r.digest == example.digest]
        for code in dict.fromkeys(statement.code for statement in example.statements):
            parts += _entries(example, code, current, deviations)
    return "\n".join(parts)


@dataclass(frozen=True)
class _Difference:
    """How a run differs from a claim at one statement."""

    ends: str
    """How it ends there; empty where it only prints something else."""
    observed: tuple[str, ...]
    """What it prints there."""


def _entries(example: Example, code: str, runs: Runs, deviations: Sequence[Deviation]) -> Iterator[str]:
    """An entry for each way in which runs end at statements of this text, and one for those that print otherwise."""
    seen = [(environment, found) for environment, run in runs if (found := _found(example, code, run))]
    open_ = [
        (environment, difference.ends)
        for environment, found in seen
        for difference in found
        if difference
        and not _is_explained(
            difference, [d for d in deviations if d.covers(example.name, code, environment)]
        )
    ]
    for ends in dict.fromkeys(ends for _, ends in open_):
        there = [environment for environment, way in open_ if way == ends]
        others = [environment for environment, found in seen if ends not in {d.ends for d in found if d}]
        yield _entry(example, code, find_conditions(there, others), ends)


def _found(example: Example, code: str, run: Run) -> list[_Difference | None]:
    """How a run differs at each statement of this text that it reached; None where the claim holds."""
    reached = zip(example.statements, run.observations, strict=False)
    return [_difference(s, run, index) for index, (s, _) in enumerate(reached) if s.code == code]


def _difference(statement: Statement, run: Run, index: int) -> _Difference | None:
    observed = output_lines(run.observations[index])
    if run.status is not Status.COMPLETED and index == len(run.observations) - 1:
        return _Difference(describe_ending(run), observed)
    return None if claim_holds(statement.claim, observed) else _Difference("", observed)


def _is_explained(difference: _Difference, speaking: Sequence[Deviation]) -> bool:
    if difference.ends:
        return find_end_explanation(speaking, difference.ends) is not None
    return find_explanation(speaking, difference.observed) is not None


def _entry(example: Example, code: str, where: Iterable[str], ends: str) -> str:
    lines = [
        "[[deviation]]",
        f"example = {_toml(example.name)}",
        f"statement = {_toml(_line_of(example, code))}",
    ]
    lines.append(f"environments = [{', '.join(map(_toml, where))}]")
    lines += [f"ends = {_toml(ends)}"] if ends else []
    return "\n".join([*lines, 'reason = ""', ""])


def _line_of(example: Example, code: str) -> str:
    """A line that this statement has and no other of the example; the whole statement where there is none."""
    others = {line for s in example.statements if s.code != code for line in strip_lines(s.code)}
    return next((line for line in strip_lines(code) if line and line not in others), code)


def _toml(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace(
        "\x7f", "\\u007f"
    )  # TOML escapes what JSON does, and this
