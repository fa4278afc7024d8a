"""Recorded differences that nothing explains → entries for ``docs/deviations.toml`` that lack only a reason; pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from packaging.version import Version

from tensor_atlas.claims import holds, output_lines
from tensor_atlas.compare import ending
from tensor_atlas.deviations import Deviation, explaining, explaining_end, matches
from tensor_atlas.probe.record import Environment, Run, Status
from tensor_atlas.probe.script import Example, Statement
from tensor_atlas.releases import minor, torch_release

Runs = Sequence[tuple[Environment, Run]]


def drafts(examples: Mapping[str, Example], runs: Runs, deviations: Sequence[Deviation]) -> str:
    """TOML of one entry for each statement and way of differing, with the narrowest conditions that fit the records."""
    parts: list[str] = []
    for name, example in sorted(examples.items()):
        current = [(e, r) for e, r in runs if r.example == name and r.digest == example.digest]
        happened = [(e, r) for e, r in current if r.status is not Status.NOT_RUN]
        for index, statement in enumerate(example.statements):
            parts += _entries(example, index, statement, happened, deviations)
    return "\n".join(parts)


def _entries(
    example: Example, index: int, statement: Statement, runs: Runs, deviations: Sequence[Deviation]
) -> Iterator[str]:
    """An entry for runs that end here, and one for runs that print something else here."""
    seen = [
        (environment, _otherwise(statement, run, index)) for environment, run in runs if index < len(run.observations)
    ]
    open_ = [
        (environment, way, text)
        for environment, found in seen
        if found is not None
        for way, text in [found]
        if not _is_explained(example, statement, environment, found, deviations)
    ]
    for kind in ("ends", "output"):
        there = [environment for environment, way, _ in open_ if way == kind]
        if there:
            others = [environment for environment, found in seen if found is None or found[0] != kind]
            words = next(text for environment, way, text in open_ if way == kind)
            yield _entry(example, statement, conditions(there, others), words if kind == "ends" else "")


def _otherwise(statement: Statement, run: Run, index: int) -> tuple[str, str] | None:
    """Way in which a run differs at a statement, ``ends`` or ``output``, and how; None where the claim holds."""
    if run.status is not Status.COMPLETED and index == len(run.observations) - 1:
        return "ends", ending(run)
    observed = output_lines(run.observations[index])
    return None if holds(statement.claim, observed) else ("output", "\n".join(observed))


def _is_explained(
    example: Example,
    statement: Statement,
    environment: Environment,
    found: tuple[str, str],
    deviations: Sequence[Deviation],
) -> bool:
    speaking = [d for d in deviations if d.covers(example.name, statement.code, environment)]
    way, text = found
    if way == "ends":
        return explaining_end(speaking, text) is not None
    return explaining(speaking, tuple(text.split("\n")) if text else ()) is not None


def conditions(there: Sequence[Environment], others: Sequence[Environment]) -> list[str]:
    """The shortest list of conditions that hold in every environment of ``there`` and in none of ``others``."""
    candidates = sorted(_candidates([*there, *others]), key=_plainness)
    clean = [text for text in candidates if not any(matches(text, environment) for environment in others)]
    found: list[str] = []
    left = list(there)
    while left:
        best = max(clean, key=lambda text: sum(matches(text, e) for e in left), default=None)
        if best is None or not any(matches(best, e) for e in left):
            return [*found, *(f"torch == {minor(e.torch)}.*" for e in left)]
        found.append(best)
        left = [e for e in left if not matches(best, e)]
    return found


def _plainness(condition: str) -> tuple[int, bool, int, str]:
    """Sort key: few parts, torch before NumPy, short."""
    return condition.count(" and "), "numpy" in condition, len(condition), condition


def _candidates(environments: Sequence[Environment]) -> Iterator[str]:
    torches = _ranges("torch", [minor(str(release)) for release in sorted({torch_release(e) for e in environments})])
    numpies = _ranges("numpy", [minor(str(release)) for release in sorted({Version(e.numpy) for e in environments})])
    for parts in product(torches, numpies, ("", "cuda build", "cpu build"), ("", "cpu", "cuda")):
        text = " and ".join(part for part in parts if part)
        if text:
            yield text


def _ranges(package: str, minors: Sequence[str]) -> list[str]:
    """Every range of releases that begins and ends at a recorded one; the empty text for all of them."""
    known = list(dict.fromkeys("2" if package == "numpy" and release == "2.0" else release for release in minors))
    below = [f"{package} < {release}" for release in known[1:]]
    above = [f"{package} >= {release}" for release in known[1:]]
    between = [f"{package} >= {low}, < {high}" for i, low in enumerate(known[1:], 1) for high in known[i + 1 :]]
    return ["", *below, *above, *between]


def _entry(example: Example, statement: Statement, where: Iterable[str], ends: str) -> str:
    lines = ["[[deviation]]", f"example = {_toml(example.name)}", f"statement = {_toml(_line_of(example, statement))}"]
    lines.append(f"environments = [{', '.join(map(_toml, where))}]")
    lines += [f"ends = {_toml(ends)}"] if ends else []
    return "\n".join([*lines, 'reason = ""', ""])


def _line_of(example: Example, statement: Statement) -> str:
    """A line that this statement has and no other of the example; its first where there is none."""
    others = {line.strip() for s in example.statements if s.code != statement.code for line in s.code.split("\n")}
    lines = [line.strip() for line in statement.code.split("\n")]
    return next((line for line in lines if line and line not in others), lines[0])


def _toml(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # a basic string of TOML escapes what JSON does
