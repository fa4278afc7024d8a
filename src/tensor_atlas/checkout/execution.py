"""Executes examples whose cached run is out of date, and caches the capture for ``drift`` and the site."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tensor_atlas.checkout import cache, project
from tensor_atlas.checkout.project import Project, RunningProbe
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.parse import Example
from tensor_atlas.examples.requirements import find_missing
from tensor_atlas.files import lock_folder, read_regular, replace_file
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
            return begin(self.project, self.examples, lambda _: None, again=True).finish()
        capture = new if self.cached is None else _merge(self.cached, new)
        _write_cache(self.project.root, capture, self.keys, settled=set())
        return capture


def begin(
    here: Project,
    examples: Mapping[str, Example],
    say: Callable[[str], None],
    *,
    jobs: int | None = None,
    again: bool = False,
) -> Execution:
    """Start a probe for the examples that have no cached run; ``again``: for all. ``say`` hears of it."""
    keys = cache.example_keys(here.root, examples)
    cached = None if again else _read_cached_runs(here.root, examples, keys)
    known = {run.example for run in cached.runs} if cached is not None else set()
    due = [example for name, example in examples.items() if name not in known]
    count = f"{len(examples)} example{'s' * (len(examples) != 1)}"
    if cached is not None and not due:
        say(f"nothing to execute, {count} unchanged")
        return Execution(here, examples, keys, cached, None)
    say(f"executing {len(due)} of {count}")
    probe = project.start_probe(here, [here.root / example.path for example in due], jobs)
    return Execution(here, examples, keys, cached, probe)


def settle(execution: Execution, capture: Capture) -> bool:
    """Cache runs that raised as documented; whether all runs of a capture would end the same way again."""
    settled = {run.example for run in capture.runs if is_settled(run)}
    raised = {run.example for run in capture.runs if run.status is Status.RAISED and run.example in settled}
    if raised and execution.probe is not None:
        _write_cache(execution.project.root, capture, execution.keys, settled=raised)
    return len(settled) == len(capture.runs)


def forget(execution: Execution, capture: Capture, names: Container[str]) -> None:
    """Cache no run of these examples: what is not the same each time is executed each time."""
    runs = tuple(run for run in capture.runs if run.example not in names)
    _write_cache(execution.project.root, replace(capture, runs=runs), execution.keys, settled=set())


def is_settled(run: Run) -> bool:
    """Whether a run of which no drift was found would end the same way again."""
    is_raised = run.status is Status.RAISED and run.reason != MemoryError.__name__
    return is_raised or run.status in (Status.COMPLETED, Status.NOT_RUN)


def _merge(cached: Capture, new: Capture) -> Capture:
    runs = {run.example: run for run in (*cached.runs, *new.runs)}
    fresh = {run.example for run in new.runs}
    kept = [run.example for run in cached.runs if run.example not in fresh]
    dates = {name: cached.environment_of(name).date for name in kept}
    ordered = tuple(runs[name] for name in sorted(runs))
    return Capture(new.environment, ordered, {**cached.seconds, **new.seconds}, dates)


def _read_cached_runs(root: Path, examples: Mapping[str, Example], keys: Mapping[str, str]) -> Capture | None:
    """Cached runs that hold for these keys; None where no cache can be read, or none of its runs holds."""
    folder = root / cache.FOLDER
    try:
        document = json.loads(read_regular(folder / KEYS))
        capture = store.read_capture(folder / CAPTURE)
        known, settled = dict(document["keys"]), set(document["settled"])
    except (AtlasError, OSError, ValueError, TypeError, KeyError):  # the first run, or one that was cut short
        return None
    runs = tuple(
        run
        for run in capture.runs
        if run.example in examples
        and known.get(run.example) == keys[run.example]
        and _is_reusable(run, examples[run.example], capture.environment, run.example in settled)
    )
    return replace(capture, runs=runs) if runs else None


def _is_reusable(run: Run, example: Example, environment: Environment, was_settled: bool) -> bool:
    """Whether a run says what the example does now; what it needs may have come or gone."""
    if run.status is Status.NOT_RUN:
        return bool(find_missing(example.tags, environment))
    is_whole = run.status is Status.COMPLETED or was_settled
    return is_whole and not find_missing(example.tags, environment)


def _write_cache(root: Path, capture: Capture, keys: Mapping[str, str], settled: set[str]) -> None:
    """Keep a capture, its keys last; where there is no room, all is executed again the next time."""
    folder = root / cache.FOLDER
    document = {"keys": dict(keys), "settled": sorted(settled)}
    try:
        with lock_folder(folder):
            (folder / KEYS).unlink(missing_ok=True)  # a write that is cut short must not look whole
            write_capture(capture, folder / CAPTURE)
            replace_file(folder / KEYS, json.dumps(document))
    except (AtlasError, OSError):
        return
