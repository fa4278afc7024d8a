"""What a run suggests to write: entries for ``docs/deviations.toml`` without a reason, and claims; pure."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from tensor_atlas.compare.deviations import Deviation, Difference, find_explanation, strip_lines
from tensor_atlas.compare.verdicts import claim_holds, exact_claim, find_difference
from tensor_atlas.examples.parse import CLAIM, Example
from tensor_atlas.history.conditions import find_conditions
from tensor_atlas.model.runs import AFTER, LATE, Environment, Run, Runs, output_lines


def draft_deviations(examples: Mapping[str, Example], runs: Runs, deviations: Sequence[Deviation]) -> str:
    """TOML with an entry for each statement and way of differing, under conditions that fit the records."""
    entries: list[str] = []
    for name, example in sorted(examples.items()):
        current = [(e, r) for e, r in runs if r.example == name and r.digest == example.digest]
        about = [deviation for deviation in deviations if deviation.mentions(name)]
        for code in dict.fromkeys(statement.code for statement in example.places.values()):
            entries += _draft_entries(example, code, current, about)
    return "\n".join(entries)


def _draft_entries(example: Example, code: str, runs: Runs, deviations: Sequence[Deviation]) -> Iterator[str]:
    """An entry for each way in which runs end at statements of this text, or for printing something else."""
    differences = [(environment, _find_differences(example, code, run)) for environment, run in runs]
    unexplained: dict[str, list[Environment]] = {}
    for environment, unlike in differences:
        covering = [d for d in deviations if d.covers(example.name, code, environment)]
        for difference in unlike:
            if difference is not None and find_explanation(covering, difference) is None:
                unexplained.setdefault(difference.ends, []).append(environment)
    for ends, there in unexplained.items():
        others = []
        for environment, unlike in differences:
            if unlike and ends not in [difference.ends for difference in unlike if difference is not None]:
                others.append(environment)
        yield _write_entry(example, code, find_conditions(there, others), ends)


def _find_differences(example: Example, code: str, run: Run) -> list[Difference | None]:
    """How a run differs at each statement of this text up to its end; None where the claim holds."""
    until = len(run.observations) if run.ending is None else run.ending + 1
    reached = enumerate(example.statements[: min(until, len(run.observations))])
    at = [index for index, statement in reached if statement.code == code]
    if code == AFTER and run.late is not None and run.ending is None:
        at.append(LATE)
    return [find_difference(example, run, index) for index in at]


def _write_entry(example: Example, code: str, conditions: Iterable[str], ends: str) -> str:
    lines = [
        "[[deviation]]",
        f"example = {_quote(example.name)}",
        f"statement = {_quote(_unique_line(example, code))}",
        f"environments = [{', '.join(map(_quote, conditions))}]",
    ]
    if ends:
        lines.append(f"ends = {_quote(ends)}")
    return "\n".join([*lines, 'reason = ""', ""])


def _unique_line(example: Example, code: str) -> str:
    """A line that this statement has and no other of the example; the whole statement where there is none."""
    others = {line for s in example.statements if s.code != code for line in strip_lines(s.code)}
    return next((line for line in strip_lines(code) if line and line not in others), code)


def _quote(text: str) -> str:
    """TOML string; TOML escapes what JSON does, and DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


# --- claims -------------------------------------------------------------------------------------


def update_claims(example: Example, run: Run, explained: Container[str] = ()) -> str:
    """Source of ``example`` with the claims that ``run`` gives; statements it did not reach keep theirs.

    A claim that holds stays as it is written, with its open end. So does the claim of a statement whose code
    is ``explained``: it speaks of the newest release, not of the one that ran. A new claim holds for the
    observed lines alone.
    """
    lines = example.source.split("\n")
    if run.late is not None and AFTER not in explained:
        lines = _update_late_claim(example, lines, output_lines(run.late))
    reached = list(zip(example.statements, run.observations, strict=False))
    for statement, observation in reversed(reached):  # from the end, so that line numbers stay true
        observed = output_lines(observation)
        if statement.code not in explained and not claim_holds(statement.claim, observed, example.name):
            start = statement.last_line
            end = start + (len(statement.claim.lines) if statement.claim else 0)
            lines[start:end] = [f"{CLAIM} {exact_claim(line)}".rstrip() for line in observed]
    return "\n".join(lines)


def _update_late_claim(example: Example, lines: list[str], observed: Sequence[str]) -> list[str]:
    """Lines of the source with what is observed after the last statement as the claim under AFTER."""
    claim, last = example.late_claim, example.statements[-1]
    if claim_holds(claim, tuple(observed), example.name):
        return lines
    claimed = [AFTER, *(f"{CLAIM} {exact_claim(line)}".rstrip() for line in observed)] if observed else []
    if claim is not None:
        start = claim.line - 2
        return [*lines[:start], *claimed, *lines[start + 1 + len(claim.lines) :]]
    end = last.last_line + (len(last.claim.lines) if last.claim else 0)
    return [*lines[:end], "", *claimed, *lines[end:]]
