"""Recorded differences that nothing explains → entries for ``docs/deviations.toml`` that lack only a reason; pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import product
from operator import and_

from packaging.version import Version

from tensor_atlas.compare.claims import holds, output_lines
from tensor_atlas.compare.verdicts import ending
from tensor_atlas.compare.deviations import Deviation, explaining, explaining_end, lines_of, matches
from tensor_atlas.model.runs import Environment, Run, Status
from tensor_atlas.examples.parse import Example, Statement
from tensor_atlas.history.releases import age, minor, python, torch_release

Runs = Sequence[tuple[Environment, Run]]


def drafts(examples: Mapping[str, Example], runs: Runs, deviations: Sequence[Deviation]) -> str:
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
        and not _is_explained(difference, [d for d in deviations if d.covers(example.name, code, environment)])
    ]
    for ends in dict.fromkeys(ends for _, ends in open_):
        there = [environment for environment, way in open_ if way == ends]
        others = [environment for environment, found in seen if ends not in {d.ends for d in found if d}]
        yield _entry(example, code, conditions(there, others), ends)


def _found(example: Example, code: str, run: Run) -> list[_Difference | None]:
    """How a run differs at each statement of this text that it reached; None where the claim holds."""
    reached = zip(example.statements, run.observations, strict=False)
    return [_difference(s, run, index) for index, (s, _) in enumerate(reached) if s.code == code]


def _difference(statement: Statement, run: Run, index: int) -> _Difference | None:
    observed = output_lines(run.observations[index])
    if run.status is not Status.COMPLETED and index == len(run.observations) - 1:
        return _Difference(ending(run), observed)
    return None if holds(statement.claim, observed) else _Difference("", observed)


def _is_explained(difference: _Difference, speaking: Sequence[Deviation]) -> bool:
    if difference.ends:
        return explaining_end(speaking, difference.ends) is not None
    return explaining(speaking, difference.observed) is not None


def conditions(there: Sequence[Environment], others: Sequence[Environment]) -> list[str]:
    """A short list of conditions, one of which holds in every environment of ``there`` and none in one of ``others``.

    Told apart are minor releases of torch, NumPy and Python, builds and kinds of device.
    """
    return list(_conditions(frozenset(there), frozenset(others)))


@lru_cache(maxsize=65536)
def _conditions(there: frozenset[Environment], others: frozenset[Environment]) -> tuple[str, ...]:
    everyone = _in_order(there | others)
    # A set is a number with a bit for each of its members: the pages of the matrix ask this many thousand times.
    apart, left = (sum(1 << i for i, e in enumerate(everyone) if e in group) for group in (others, there))
    clean = [(text, where) for text, where in _coverage(everyone) if not where & apart]
    found: list[str] = []
    while left:
        best, covered = max(clean, key=lambda pair: (pair[1] & left).bit_count(), default=("", 0))
        if not covered & left:
            # Only a patch release tells them from others: whoever writes the reason corrects these.
            rest = [e for i, e in enumerate(everyone) if left >> i & 1]
            return (*found, *dict.fromkeys(f"torch == {minor(e.torch)}.*" for e in rest))
        found.append(best)
        left &= ~covered
    return tuple(found)


@lru_cache(maxsize=1024)
def _in_order(environments: frozenset[Environment]) -> tuple[Environment, ...]:
    return tuple(sorted(environments, key=age))


@lru_cache(maxsize=1024)
def _coverage(environments: tuple[Environment, ...]) -> list[tuple[str, int]]:
    """Conditions worth a try, the plainest first, with the environments they hold in, a bit for each.

    Of those that hold in the same environments the plainest alone: a condition is as plain as its parts are.
    """
    torches = _ranges("torch", [minor(str(release)) for release in sorted({torch_release(e) for e in environments})])
    numpies = _ranges("numpy", [minor(str(release)) for release in sorted({Version(e.numpy) for e in environments})])
    pythons = _ranges("python", sorted({python(e) for e in environments}, key=Version))
    axes = (torches, numpies, pythons, ["cuda build", "cpu build"], ["cpu", "cuda", "mps"])
    anywhere = ("", (1 << len(environments)) - 1)
    plainest = [_plainest((part, _holding(part, environments)) for part in parts) for parts in axes]
    joined = []
    for parts in product(*([anywhere, *some] for some in plainest)):
        text = " and ".join(part for part, _ in parts if part)
        where = reduce(and_, (mask for _, mask in parts))
        joined += [(text, where)] if text and where else []
    return _plainest(joined)


def _holding(part: str, environments: Sequence[Environment]) -> int:
    return sum(1 << i for i, e in enumerate(environments) if matches(part, e))


def _plainest(conditions: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """The plainest of those that hold in the same environments, in that order."""
    found: dict[int, str] = {}
    for text, where in sorted(conditions, key=lambda pair: _plainness(pair[0])):
        found.setdefault(where, text)
    return [(text, where) for where, text in found.items()]


def _plainness(condition: str) -> tuple[int, bool, bool, int, str]:
    """Sort key: few parts, torch before NumPy before Python, short."""
    return condition.count(" and "), "python" in condition, "numpy" in condition, len(condition), condition


def _ranges(package: str, minors: Sequence[str]) -> list[str]:
    """Every range of releases that begins or ends at a recorded one, or both."""
    known = list(dict.fromkeys("2" if package == "numpy" and release == "2.0" else release for release in minors))
    below = [f"{package} < {release}" for release in known[1:]]
    above = [f"{package} >= {release}" for release in known[1:]]
    between = [f"{package} >= {low}, < {high}" for i, low in enumerate(known[1:], 1) for high in known[i + 1 :]]
    return [*below, *above, *between]


def _entry(example: Example, code: str, where: Iterable[str], ends: str) -> str:
    lines = ["[[deviation]]", f"example = {_toml(example.name)}", f"statement = {_toml(_line_of(example, code))}"]
    lines.append(f"environments = [{', '.join(map(_toml, where))}]")
    lines += [f"ends = {_toml(ends)}"] if ends else []
    return "\n".join([*lines, 'reason = ""', ""])


def _line_of(example: Example, code: str) -> str:
    """A line that this statement has and no other of the example; the whole statement where there is none."""
    others = {line for s in example.statements if s.code != code for line in lines_of(s.code)}
    return next((line for line in lines_of(code) if line and line not in others), code)


def _toml(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")  # TOML escapes what JSON does, and this
