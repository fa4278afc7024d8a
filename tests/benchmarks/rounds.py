"""Runs the systems in turns, every round between two runs of the floor, and keeps what each run took."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import forms
from benchmarks.systems import System, Work, has_done_its_work, plant_fault, write_files, write_workload
from benchmarks.workload import Document, Size, make_document, make_documents

ROOT = Path(__file__).parents[2]
MEMORY_ROUNDS = 3
"""Rounds in which memory is sampled and time does not count: a peak depends on which processes meet."""
OFTEN, SELDOM = 0.02, 0.25
"""Seconds between two samples of memory, in a run whose time does not count and in one whose time does."""


@dataclass(frozen=True)
class Measured:
    """What one run took."""

    size: Size
    round: int
    system: str
    state: str
    timed: bool
    """Whether its time counts."""
    wall: float
    """Seconds until the command had ended."""
    cpu: float
    """Seconds of processor time, of all its processes."""
    memory: int | None
    """Peak memory of all its processes together, in bytes; None where it was not sampled."""
    page: float | None
    """Bytes of the median page; None where there are none."""


class NotDoneError(Exception):
    """A run failed or did not do its work, so that its time means nothing."""


def measure_size(size: Size, systems: Sequence[System], rounds: int, folder: Path) -> Iterator[Measured]:
    """Run all systems over one size, the floor first: ``rounds`` times for time, then for memory."""
    documents = make_documents(size)
    floor, *others = systems
    # The first process to import torch waits for the disk.
    run_system(floor, write_workload(floor, documents, folder / floor.name))
    for round_ in range(rounds + MEMORY_ROUNDS):
        timed = round_ < rounds
        due = [system for system in others if round_ == 0 or not system.slow]
        first = round_ % max(1, len(due))
        for system in [floor, *due[first:], *due[:first], floor]:
            pause = SELDOM if system.slow else OFTEN
            work = write_workload(system, documents, folder / system.name)
            for state in system.states:
                if state == "changed":
                    work = change_one_document(system, work, size)
                took = run_system(system, work, 0.0 if timed and not system.slow else pause)
                page = median_page(system, work)
                yield Measured(size, round_, system.name, state, timed, **took, page=page)


def change_one_document(system: System, work: Work, size: Size) -> Work:
    """The workload with other numbers in the script in the middle, written."""
    middle = len(work.documents) // 2
    documents: list[Document] = list(work.documents)
    documents[middle] = make_document(size, middle * size.per_file, variant=1)
    path = forms.script_path(middle)
    write_files({path: system.write(documents)[path]}, work.folder)
    return Work(work.folder, tuple(documents))


def median_page(system: System, work: Work) -> float | None:
    """Bytes of the median page that a system has made; None where it makes none."""
    sizes = [path.stat().st_size for path in work.folder.glob(system.pages)] if system.pages else []
    return median(sizes) if sizes else None


def run_system(system: System, work: Work, pause: float = 0.0) -> dict[str, Any]:
    """Wall and processor seconds and memory of a run; NotDoneError when it failed or did not do its work."""
    code, output, took = run_command(system.command, work.folder, pause)
    if code == 0 and has_done_its_work(system, work, output):
        return took
    reason = f"ended with exit code {code}" if code else "did not do its work"
    raise NotDoneError(f"{system.name} {reason}, in {work.folder}:\n{output[-3000:]}")


def run_command(command: Sequence[str], folder: Path, pause: float = 0.0) -> tuple[int, str, dict[str, Any]]:
    """Exit code of a command, its output, and what it took; memory is sampled every ``pause`` seconds."""
    log = folder / "bench.log"
    clock = [sys.executable, str(Path(__file__).with_name("clock.py")), str(pause), *command]
    # This checkout is what is imported, and pytest loads only the plugin that is named to it.
    ours = {"PYTHONPATH": str(ROOT / "src"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "NO_COLOR": "1"}
    dropped = ("PYTHONDONTWRITEBYTECODE", "PYTEST_ADDOPTS")
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    with log.open("w", encoding="utf-8") as file, Path(os.devnull).open() as nothing:
        done = subprocess.run(
            clock, cwd=folder, env=kept | ours, stdin=nothing, stdout=subprocess.PIPE, stderr=file, check=True
        )
    took = json.loads(done.stdout)
    return took.pop("code"), log.read_text(encoding="utf-8", errors="replace"), took


def check_systems(systems: Sequence[System], folder: Path) -> None:
    """Try each system on three examples; NotDoneError when it fails, or passes after one was made wrong."""
    documents = make_documents(Size(3))
    for system in systems:
        work = write_workload(system, documents, folder / system.name)
        run_system(system, work)
        write_files(system.write(plant_fault(system, documents)), work.folder)
        code, output, _ = run_command(system.command, work.folder)
        if code == 0 and system.executes:
            raise NotDoneError(f"{system.name} passes with a fault, in {work.folder}:\n{output[-3000:]}")
