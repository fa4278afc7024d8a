"""Executes examples whose cached run is out of date, and caches the capture for ``drift`` and the site."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tensor_atlas.checkout import cache, project
from tensor_atlas.checkout.project import Project, RunningProbe
from tensor_atlas.compare.change_text import count_noun
from tensor_atlas.compare.judge import NOT_RECORDED
from tensor_atlas.compare.verdicts import STALE_RECORD, Verdict, compare_repeats
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.parse import Example
from tensor_atlas.examples.requirements import find_missing
from tensor_atlas.files import lock_folder, read_regular, replace_file, share_folder
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.runs import Environment, Run, Status
from tensor_atlas.probe.capture import write_capture
from tensor_atlas.records import store

CAPTURE = "capture.json"
"""File of the cached runs."""
KEYS = "keys.json"
"""File of their keys."""


@dataclass(frozen=True)
class Execution:
    """A probe that runs what is due, while the caller does something else."""

    project: Project
    examples: Mapping[str, Example]
    """By name."""
    say: Callable[[str], None]
    """Hears how many examples are executed."""
    jobs: int | None
    """Examples at a time; None for the probe's own number."""
    keys: Mapping[str, str]
    """Cache keys of the examples, by name."""
    cached: Capture | None
    """Runs that need not be repeated."""
    probe: RunningProbe | None
    """What runs the others; None where nothing is due."""

    def finish(self) -> Capture:
        """Wait for the probe; a run of every example. AtlasError where the probe could not do it."""
        if self.probe is None:
            assert self.cached is not None  # else something would be due
            return self.cached
        new = self.probe.finish()
        if self.cached is not None and self.cached.environment.id != new.environment.id:
            # The machine is not what its key said: a GPU has come or gone. None of the cached runs is of it.
            return begin(self.project, self.examples, self.say, jobs=self.jobs, again=True).finish()
        capture = new if self.cached is None else _merge(self.cached, new)
        _write_cache(self, capture, settled=set())
        return capture


def begin(
    here: Project,
    examples: Mapping[str, Example],
    say: Callable[[str], None],
    *,
    jobs: int | None = None,
    again: bool = False,
) -> Execution:
    """Start a probe for the examples that have no cached run; ``again``: for all."""
    keys = cache.example_keys(here.root, examples)
    cached = None if again else _read_cached_runs(here.root, examples, keys)
    known = set() if cached is None else {run.example for run in cached.runs}
    paths = [here.root / example.path for name, example in examples.items() if name not in known]
    probe = None
    if paths:
        say(f"executing {len(paths)} of {count_noun(len(examples), 'example')}")
        probe = project.start_probe(here, paths, jobs)
    else:
        say(f"nothing to execute, {count_noun(len(examples), 'example')} unchanged")
    return Execution(here, examples, say, jobs, keys, cached, probe)


def settle(execution: Execution, capture: Capture) -> bool:
    """Cache runs that raised as documented; whether all runs of a capture would end the same way again."""
    settled = {run.example for run in capture.runs if is_settled(run)}
    raised = {run.example for run in capture.runs if run.status is Status.RAISED and run.example in settled}
    if raised and execution.probe is not None:
        _write_cache(execution, capture, settled=raised)
    return len(settled) == len(capture.runs)


def is_settled(run: Run) -> bool:
    """Whether a run of which no drift was found would end the same way again."""
    is_raised = run.status is Status.RAISED and run.reason != MemoryError.__name__ and not run.stopped
    return is_raised or run.status in (Status.COMPLETED, Status.NOT_RUN)


def _merge(cached: Capture, new: Capture) -> Capture:
    runs = {run.example: run for run in (*cached.runs, *new.runs)}
    fresh = {run.example for run in new.runs}
    kept = [run.example for run in cached.runs if run.example not in fresh]
    dates = {name: cached.environment_of(name).date for name in kept}
    ordered = tuple(runs[name] for name in sorted(runs))
    return Capture(new.environment, ordered, {**cached.seconds, **new.seconds}, {**dates, **new.dates})


def _read_cached_runs(root: Path, examples: Mapping[str, Example], keys: Mapping[str, str]) -> Capture | None:
    """Cached runs that hold for these keys; None where no cache can be read, or none of its runs holds."""
    with share_folder(root / cache.FOLDER):  # keys that are being replaced are of other runs
        cached = _read_cache(root / cache.FOLDER)
    if cached is None:
        return None
    capture, known, settled = cached
    runs = tuple(
        run
        for run in capture.runs
        if run.example in examples
        and known.get(run.example) == keys[run.example]
        and _is_reusable(run, examples[run.example], capture.environment, run.example in settled)
    )
    return replace(capture, runs=runs) if runs else None


def _read_cache(folder: Path) -> tuple[Capture, dict[str, str], set[str]] | None:
    """Capture, keys by name, and names of runs that raised as documented; None on the first run."""
    try:
        document = json.loads(read_regular(folder / KEYS))
        capture = store.read_capture(folder / CAPTURE)
        return capture, dict(document["keys"]), set(document["settled"])
    except (AtlasError, OSError, ValueError, TypeError, KeyError):  # or on one that was cut short
        return None


def _is_reusable(run: Run, example: Example, environment: Environment, was_settled: bool) -> bool:
    """Whether a run says what the example does now; what it needs may have come or gone."""
    if run.status is Status.NOT_RUN:
        return bool(find_missing(example.tags, environment))
    is_whole = run.status is Status.COMPLETED or was_settled
    return is_whole and not find_missing(example.tags, environment)


def _write_cache(execution: Execution, capture: Capture, settled: Collection[str]) -> None:
    """Keep a capture, its keys last; where there is no room, all is executed again the next time.

    Runs of examples that were not asked for stay, as their keys tell whether they still hold.
    """
    folder = execution.project.root / cache.FOLDER
    keys = dict(execution.keys)
    try:
        with lock_folder(folder):
            cached = _read_cache(folder)
            if cached is not None and cached[0].environment.id == capture.environment.id:
                others = [run for run in cached[0].runs if _is_elsewhere(run.example, execution)]
                capture = _merge(replace(cached[0], runs=tuple(others)), capture)
                keys |= {run.example: cached[1][run.example] for run in others}
                settled = {*settled, *(cached[2] & {run.example for run in others})}
            (folder / KEYS).unlink(missing_ok=True)  # a write that is cut short must not look whole
            write_capture(capture, folder / CAPTURE)
            replace_file(folder / KEYS, json.dumps({"keys": keys, "settled": sorted(settled)}))
    except (AtlasError, OSError):
        return


def _is_elsewhere(name: str, execution: Execution) -> bool:
    """Whether an example exists and was not asked for."""
    return name not in execution.examples and (execution.project.examples / f"{name}.py").is_file()


# --- examples that are not the same each time -----------------------------------------------------


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
    settled = {run.example for run in capture.runs if is_settled(run)}
    return {name for name, example in examples.items() if name in settled and example.path in contradicted}


def judge_repeats(
    execution: Execution, capture: Capture, names: Collection[str], times: int
) -> list[Verdict]:
    """Run examples until each has run ``times`` times; verdicts on what is not always the same.

    An example of such a verdict is not cached: it is executed each time.
    """
    examples = [example for name, example in execution.examples.items() if name in names]
    paths = [execution.project.root / example.path for example in examples]
    captures = [capture]
    for count in range(2, times + 1) if examples else ():
        execution.say(f"run {count} of {times}: executing {count_noun(len(examples), 'example')} again")
        captures.append(project.start_probe(execution.project, paths, execution.jobs).finish())
    verdicts: list[Verdict] = []
    for example in examples:
        runs = [run for found in captures for run in found.runs if run.example == example.name]
        verdicts += compare_repeats(example, runs, capture.environment)
    if verdicts:
        varying = {verdict.path for verdict in verdicts}
        steady = [run for run in capture.runs if execution.examples[run.example].path not in varying]
        _write_cache(execution, replace(capture, runs=tuple(steady)), settled=set())
    return verdicts
