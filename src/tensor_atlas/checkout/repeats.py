"""Executes examples several times, to tell a difference that is always there from one that comes and goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tensor_atlas.checkout import execution, project
from tensor_atlas.checkout.project import Project
from tensor_atlas.compare.judge import NOT_RECORDED
from tensor_atlas.compare.verdicts import STALE_RECORD, Verdict, compare_repeats
from tensor_atlas.examples.parse import Example
from tensor_atlas.model.capture import Capture


def find_disagreeing(
    examples: Mapping[str, Example], capture: Capture, verdicts: Sequence[Verdict]
) -> set[str]:
    """Names of examples whose run contradicts a claim or a record of the same code.

    A run that timed out, died or lacked memory is not among them: it says more of the machine.
    """
    contradicted = set()
    for verdict in verdicts:
        is_of_code = verdict.what not in (STALE_RECORD, NOT_RECORDED)
        if verdict.is_drift and is_of_code and verdict.environment == capture.environment:
            contradicted.add(verdict.path)
    settled = {run.example for run in capture.runs if execution.is_settled(run)}
    return {name for name, example in examples.items() if name in settled and example.path in contradicted}


def judge_repeats(
    here: Project,
    examples: Mapping[str, Example],
    capture: Capture,
    *,
    times: int,
    jobs: int | None,
    say: Callable[[str], None],
) -> tuple[Verdict, ...]:
    """Run ``examples`` until each has run ``times`` times; verdicts on what is not always the same."""
    captures = [capture]
    paths = [here.root / example.path for example in examples.values()]
    for count in range(2, times + 1):
        say(f"run {count} of {times}: executing {len(paths)} example{'s' * (len(paths) != 1)} again")
        captures.append(project.start_probe(here, paths, jobs).finish())
    verdicts: list[Verdict] = []
    for name, example in examples.items():
        runs = [run for found in captures for run in found.runs if run.example == name]
        verdicts += compare_repeats(example, runs, capture.environment)
    return tuple(verdicts)
