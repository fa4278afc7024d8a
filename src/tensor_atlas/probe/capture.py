"""Executes examples and cells on this machine, and gathers what they gave in a Capture."""

from __future__ import annotations

import hashlib
import json
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from reprlib import repr as shorten_repr
from typing import TypeVar

from tensor_atlas.catalogue import ASKED, list_pairs
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.parse import Example
from tensor_atlas.examples.requirements import find_missing, is_tried_there, wants_gpu
from tensor_atlas.files import replace_file
from tensor_atlas.model.capture import Capture, Shard, encode_capture
from tensor_atlas.model.cells import Tried
from tensor_atlas.model.names import Names
from tensor_atlas.model.runs import Environment, Run, Status
from tensor_atlas.probe.runner import Pair, ask_names, batches, detect_environment, run_cells, run_examples
from tensor_atlas.probe.spawner import process_server

_Item = TypeVar("_Item")

TIMEOUT = 60.0
"""Seconds an example may take unless told otherwise."""
MAX_TIMEOUT = 86_400
"""Seconds that it may be given: a day."""
DYNAMO = "torch._dynamo"
"""Part of torch that torch imports at the first use of many functions, for a second."""
MAX_GPU_JOBS = 4
"""Processes that use a GPU at a time: each takes some of its memory before it does anything."""


@dataclass(frozen=True)
class Settings:
    """How examples are run."""

    timeout: float = TIMEOUT
    """Seconds an example may take."""
    timeouts: Mapping[str, float] = field(default_factory=dict)
    """Seconds that single examples may take, by name."""
    dynamo: frozenset[str] = frozenset()
    """Names of examples that import ``torch._dynamo``: they are forked from a server that has it."""
    gate: str = ""
    """Environment in which CI runs the gate, such as ``2.13.0/2.4.6/cpu``; empty where none is named."""

    def timeout_of(self, example: Example) -> float:
        """Seconds that an example may take."""
        return self.timeouts.get(example.name, self.timeout)


def capture_examples(examples: Sequence[Example], jobs: int, settings: Settings) -> Capture:
    """Capture of all examples here, begun in their order.

    Those that lack a device or library get NOT_RUN and why. AtlasError where torch cannot be imported, or no
    process can be started.
    """
    # To import torch._dynamo in each of some twenty examples would take a fifth of the gallery's CPU time.
    with process_server() as plain, process_server(DYNAMO) as with_dynamo:
        environment = detect_environment(plain)
        runs, able = _sort_out_missing(examples, environment)
        on_cpu, on_gpu = split(able, lambda example: wants_gpu(example.tags))
        others, dynamo = split(on_cpu, lambda example: example.name in settings.dynamo)
        gpu_jobs = min(jobs, MAX_GPU_JOBS)
        progress = Progress(len(able), f"example{'s' * (len(able) != 1)} executed")
        seconds = {}
        for group, at_a_time, server in (
            (others, jobs, plain),
            (dynamo, jobs, with_dynamo),
            (on_gpu, gpu_jobs, plain),
        ):
            for run, duration in run_examples(group, at_a_time, settings.timeout_of, server):
                runs[run.example], seconds[run.example] = run, duration
                progress.step(run.example)
        progress.end()
    seconds = {name: seconds[name] for name in sorted(seconds)}
    return Capture(environment, tuple(runs[name] for name in sorted(runs)), seconds)


def _sort_out_missing(
    examples: Sequence[Example], environment: Environment
) -> tuple[dict[str, Run], list[Example]]:
    """Runs of examples that lack something here, by name, and the examples that lack nothing."""
    runs, able = {}, []
    for example in examples:
        reason = find_missing(example.tags, environment)
        if reason:
            runs[example.name] = Run(example.name, example.digest, Status.NOT_RUN, reason)
        else:
            able.append(example)
    return runs, able


def split(items: Sequence[_Item], is_second: Callable[[_Item], bool]) -> tuple[list[_Item], list[_Item]]:
    """Items for which ``is_second`` is false, and those for which it is true; each in order."""
    groups: tuple[list[_Item], list[_Item]] = ([], [])
    for item in items:
        groups[is_second(item)].append(item)
    return groups


@dataclass(frozen=True)
class Sample:
    """What is run of all that could be: the same again for the same seed."""

    count: int
    """Cells, and statements of whole examples."""
    seed: int

    def draw_examples(self, examples: Sequence[Example]) -> list[Example]:
        """Examples by chance, until they have so many statements."""
        drawn: list[Example] = []
        for example in sorted(examples, key=lambda example: self._draw(example.name)):
            if sum(len(known.statements) for known in drawn) < self.count:
                drawn.append(example)
        return drawn

    def draw_cells(self, pairs: Sequence[Pair]) -> list[Pair]:
        """So many cells by chance, in their order."""
        drawn = sorted(pairs, key=lambda pair: self._draw(f"{pair[0].name} {pair[1].name}"))[: self.count]
        chosen = set(drawn)
        return [pair for pair in pairs if pair in chosen]

    def _draw(self, name: str) -> bytes:
        """Lot of a name: a name that comes or goes moves no other."""
        return hashlib.sha256(f"{self.seed} {name}".encode()).digest()


def capture_cells(
    environment: Environment,
    jobs: int,
    part: Shard | None = None,
    sample: Sample | None = None,
    *,
    needs_gpu: bool | None = None,
) -> dict[str, dict[str, Tried]]:
    """Every cell, or every one of a part or sample, that can be tried here: by conversion, then source.

    With ``needs_gpu``, those alone that need a GPU, or those that need none.
    """
    able = [
        (conversion, source)
        for conversion, source in cells_of(part)
        if is_tried_there((*conversion.needs, *source.needs), environment)
        and not find_missing((*conversion.needs, *source.needs), environment)
    ]
    able = able if sample is None else sample.draw_cells(able)
    on_cpu, on_gpu = split(able, lambda pair: wants_gpu((*pair[0].needs, *pair[1].needs)))
    if needs_gpu is not None:
        on_cpu, on_gpu = ([], on_gpu) if needs_gpu else (on_cpu, [])
    count = len(on_cpu) + len(on_gpu)
    progress = Progress(count, f"cell{'s' * (count != 1)} of the matrix tried")
    cells: dict[str, dict[str, Tried]] = {}
    # To import torch_xla anew for each row takes seconds, and a cell's time on a busy machine.
    more = ["torch_xla"] if environment.kind == "xla" else []
    with process_server("tensor_atlas.probe.observe_cell", *more) as server:
        for pairs, at_a_time in ((on_cpu, jobs), (on_gpu, min(jobs, MAX_GPU_JOBS))):
            for (conversion, source), cell in run_cells(batches(pairs), at_a_time, server):
                cells.setdefault(conversion.name, {})[source.name] = cell
                progress.step(conversion.title)
    progress.end()
    return {name: dict(sorted(cells[name].items())) for name in sorted(cells)}


def capture_names(jobs: int) -> Names:
    """What this machine's torch and NumPy answer for each name and keyword of the catalogue."""
    with process_server() as server:
        answers = dict(ask_names(ASKED, jobs, server))
    return {namespace: answers[namespace] for namespace in ASKED if namespace in answers}


def cells_of(part: Shard | None) -> list[Pair]:
    """Cells of one part, in whole batches whatever this machine can try; all of them without one."""
    every = batches(list_pairs())
    selected = every if part is None else part.select(every)
    return [pair for batch in selected for pair in batch]


def write_capture(capture: Capture, path: Path) -> None:
    """Write a capture whole or not at all; AtlasError where it cannot be written."""
    replace_file(path, json.dumps(encode_capture(capture), ensure_ascii=False))


def summarise(capture: Capture) -> str:
    """Where it ran, how the runs ended, and what was missing for those that could not begin; a line each."""
    where = capture.environment
    device = f"{where.device_count} × {where.device}" if where.device_count else "no GPU found"
    lines = [f"torch {where.torch}, NumPy {where.numpy}, {device}"]
    statements = sum(len(run.observations) for run in capture.runs)
    cells = sum(map(len, capture.cells.values()))
    names = sum(map(len, capture.names.values()))
    words = f"{_count(statements, 'statement')} executed"
    words += f", {cells} cells of the matrix tried" if cells else ""
    lines.append(words + (f", {names} names asked for" if names else ""))
    ended = Counter(str(run.status) for run in capture.runs if run.status is not Status.NOT_RUN)
    lines += [f"{_count(count, 'example')} {status}" for status, count in sorted(ended.items())]
    missing = Counter(run.reason for run in capture.runs if run.status is Status.NOT_RUN)
    lines += [f"{_count(count, 'example')} not run: {reason}" for reason, count in sorted(missing.items())]
    return "\n".join(lines)


def _count(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count} {noun}s"


class Progress:
    """One line on a terminal's standard error that counts what is done; elsewhere only how long all took."""

    def __init__(self, total: int, what: str) -> None:
        self._total = total
        self._what = what
        self._done = 0
        self._started = time.monotonic()
        self._is_shown = sys.stderr.isatty()

    def step(self, name: str) -> None:
        """One more is done."""
        self._done += 1
        if self._is_shown:
            print(f"\r\x1b[K[{self._done}/{self._total}] {name}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Say how long all took."""
        if self._is_shown:
            print("\r\x1b[K", end="", file=sys.stderr)
        seconds = time.monotonic() - self._started
        print(f"{self._done} {self._what} in {seconds:.1f} s", file=sys.stderr)


# --- settings ------------------------------------------------------------------------------------


def read_settings(path: Path) -> Settings:
    """Settings of a pyproject.toml; the defaults where there is none. AtlasError for what cannot be used."""
    table = _read_table(path)
    timeouts = table.get("timeouts", {})
    dynamo = table.get("dynamo", [])
    gate = table.get("gate", "")
    if not isinstance(timeouts, dict):
        what = "tool.tensor-atlas.timeouts is not a table"
        raise AtlasError(str(path), what, "map example names to seconds")
    if not isinstance(dynamo, list):
        raise AtlasError(str(path), "tool.tensor-atlas.dynamo is not a list", "list example names")
    if not isinstance(gate, str):
        what = "tool.tensor-atlas.gate is no text"
        raise AtlasError(str(path), what, "name an environment as tensor-atlas compare does")
    settings = Settings(
        timeout=_seconds(table.get("timeout", TIMEOUT), path),
        timeouts={name: _seconds(value, path) for name, value in timeouts.items()},
        dynamo=frozenset(map(str, dynamo)),
        gate=gate,
    )
    named = sorted({*settings.timeouts, *settings.dynamo})
    unknown = [name for name in named if not (path.parent / "examples" / f"{name}.py").is_file()]
    if unknown:
        what = f"a setting for no example: {', '.join(unknown)}"
        raise AtlasError(str(path), what, "name it <chapter>/<stem>")
    return settings


def _read_table(path: Path) -> dict[str, object]:
    if not path.is_file():
        return {}
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:  # an integer of too many digits is no TOMLDecodeError
        raise AtlasError(str(path), f"not TOML: {error}", "correct the file") from None
    tools = document.get("tool", {})
    table = tools.get("tensor-atlas", {}) if isinstance(tools, dict) else tools
    if not isinstance(table, dict):
        raise AtlasError(str(path), "tool.tensor-atlas is not a table", "write [tool.tensor-atlas]")
    return table


def _seconds(value: object, path: Path) -> float:
    """Seconds of a timeout; AtlasError for what is no number, and for more than a system waits at once."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= MAX_TIMEOUT:
        return float(value)
    what = f"a timeout of {shorten_repr(value)} is no number of seconds"
    raise AtlasError(str(path), what, f"write a number above 0, up to {MAX_TIMEOUT}")
