"""Small examples, environments, runs and projects that several tests build; nothing here asserts anything."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import TypeVar

import pytest

from tensor_atlas.compare.deviations import Deviation, Target
from tensor_atlas.examples.parse import Example, parse_example
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.cells import Cell, Outcome, Proof
from tensor_atlas.model.runs import (
    JSON,
    Buffer,
    Environment,
    Observation,
    Raised,
    Run,
    Snapshot,
    Status,
    Unmade,
    Value,
    Warned,
)
from tensor_atlas.records.store import seal_text

_Found = TypeVar("_Found")

ROOT = Path(__file__).parents[1]
"""This checkout."""
CASES = ROOT / "tests" / "cases"
"""Example files: good, failing and unreadable."""

CPU = Environment(
    torch="2.13.0+cpu",
    numpy="2.4.6",
    python="3.11.7",
    platform="linux-x86_64",
    cuda=None,
    device="cpu",
    device_count=0,
    driver=None,
    date="2026-01-02",
)
GPU = replace(
    CPU,
    torch="2.13.0+cu130",
    cuda="13.0",
    device="NVIDIA H200",
    device_count=1,
    driver="580.1.2",
    date="2026-02-03",
)
OLDER = replace(CPU, torch="2.2.2+cpu", numpy="1.26.4", date="2025-12-01")

SCALAR = Value(
    name="scalar",
    kind="Tensor",
    dtype="torch.float32",
    shape=(),
    strides=(),
    device="cpu",
    writable=None,
    requires_grad=False,
    buffer=0,
    start=0,
    stop=4,
)
ARRAY = Value(
    name="batch[0]",
    kind="ndarray",
    dtype="float64",
    shape=(2, 0),
    strides=(-16, 8),
    device="cpu",
    writable=False,
    requires_grad=None,
    buffer=None,
    start=None,
    stop=None,
)
FULL = Capture(
    environment=GPU,
    runs=(
        Run(
            example="01_x/a",
            digest="0123",
            status=Status.RAISED,
            reason="TypeError",
            observations=(
                Observation("import torch"),
                Observation(
                    code="f()",
                    stdout="one\ntwo",
                    stderr="low",
                    warnings=(Warned("UserWarning", "careful\nnow"), Warned("UserWarning", "")),
                    caught=(Raised("KeyError", "'k'"),),
                    raised=Raised("TypeError", "no", ("Traceback", "TypeError: no")),
                ),
                Observation("g(x)", unmade=Unmade("x", 1)),
            ),
            snapshots=(
                Snapshot((SCALAR, ARRAY), (Buffer("cpu", 4),), (("scalar", "other"),)),
                Snapshot(),
                Snapshot(broken=True),
            ),
            stopped="crashed: SIGSEGV",
        ),
        Run("01_x/b", "4567", Status.NOT_RUN, "needs 1 CUDA device, found 0"),
    ),
    seconds={"01_x/a": 0.25},
)
"""Capture that uses every field of a run."""
SHARES = Cell(
    Outcome.SHARES,
    Proof.WRITE,
    "Tensor",
    "torch.float32",
    (3,),
    (4,),
    "cpu",
    requires_grad=False,
    value="[1.0]",
)
"""Cell of a conversion to a tensor that shares memory."""
HEAD = '"""\nTitle\n=====\n\nDecide something.\n"""\n\n'
"""Docstring of an example that is about something else; its code begins at line 8."""


def seal_json(document: dict[str, JSON]) -> str:
    """Text of an edited record, with a seal that fits: what its rules alone must find."""
    return seal_text(json.dumps({key: value for key, value in document.items() if key != "seal"}))


def example(code: str, path: str = "examples/01_x/a.py") -> Example:
    """Example with a docstring and ``code``, which begins at line 8."""
    return parse_example(HEAD + code, path)


def write_example(root: Path, code: str, name: str = "01_x/a") -> Example:
    """Example with ``code`` below a docstring, written into the checkout ``root``."""
    path = root / "examples" / f"{name}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEAD + code, encoding="utf-8")
    return example(code, f"examples/{name}.py")


def ran(what: Example, *stdout: str, status: Status = Status.COMPLETED, reason: str = "") -> Run:
    """Run of ``what`` that reached as many statements as there are ``stdout``, which they printed."""
    reached = zip(what.statements, stdout, strict=False)
    return observed(
        what, *(Observation(s.code, stdout=text) for s, text in reached), status=status, reason=reason
    )


def observed(
    what: Example, *observations: Observation, status: Status = Status.COMPLETED, reason: str = ""
) -> Run:
    """Run of ``what`` with these observations, and an empty snapshot for each finished block."""
    ends = accumulate(len(block.statements) for block in what.blocks)
    last = len(observations) - (status is Status.RAISED)
    snapshots = tuple(Snapshot() for end in ends if end <= last)
    return Run(what.name, what.digest, status, reason, observations, snapshots)


def did(
    stdout: str = "",
    *,
    code: str = "f()",
    stderr: str = "",
    warnings: tuple[Warned, ...] = (),
    caught: tuple[Raised, ...] = (),
    raised: Raised | None = None,
) -> Observation:
    """What one statement did."""
    return Observation(code, stdout, stderr, warnings, caught, raised)


def captured(*runs: Run, environment: Environment = CPU) -> Capture:
    """Capture of ``runs``."""
    return Capture(environment, runs, {})


def deviation(
    at: str, *environments: str, output: tuple[str, ...] | None = None, ends: str | None = None
) -> Deviation:
    """Deviation of one target, ``example: statement``, at line 5 of its file."""
    example_name, _, statement = at.partition(": ")
    return Deviation((Target(example_name, statement),), environments, "why", None, output, ends, 5)


@dataclass(frozen=True)
class Planted:
    """A project with planted faults, and what the gate said of it."""

    root: Path
    """Its folder."""
    verdicts: tuple[Mapping[str, JSON], ...]
    """The report of ``tensor-atlas drift --format json``."""
    exit_code: int
    """The exit code of that command."""

    def drift(self, example: str) -> list[tuple[str, int, str]]:
        """What drifted in one example: kind, line and finding."""
        found = [v for v in self.verdicts if v["path"] == f"examples/{example}.py" and v["kind"] in DRIFT]
        return [(str(v["kind"]), int(str(v["line"])), str(v["what"])) for v in found]

    def verdict(self, example: str, line: int) -> Mapping[str, JSON]:
        """The one verdict on a line of an example."""
        (found,) = (v for v in self.verdicts if v["path"] == f"examples/{example}.py" and v["line"] == line)
        return found

    def line(self, example: str, text: str) -> int:
        """Number of the first line of an example that holds ``text``."""
        lines = (self.root / "examples" / f"{example}.py").read_text(encoding="utf-8").split("\n")
        return next(number for number, line in enumerate(lines, 1) if text in line)


DRIFT = ("differs", "unclaimed")
"""Kinds of verdicts that make the gate fail."""


def project(folder: Path, *cases: str, timeouts: str = "") -> Path:
    """``folder`` as a checkout whose examples are these folders and files of tests/cases."""
    (folder / "docs").mkdir(parents=True)
    (folder / "pyproject.toml").write_text(f"[tool.tensor-atlas.timeouts]\n{timeouts}\n", encoding="utf-8")
    for case in cases:
        source = CASES / case
        if source.is_dir():
            shutil.copytree(source, folder / "examples", dirs_exist_ok=True)
        else:
            target = folder / "examples" / "01_x" / source.name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    return folder


def wait_for(condition: Callable[[], _Found]) -> _Found:
    """What a condition gives once it is true, or after a minute."""
    deadline = time.monotonic() + 60
    while not (found := condition()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


def turn_clock(monkeypatch: pytest.MonkeyPatch, mark: Path, seconds: float) -> None:
    """Let the monotonic clock be ahead by ``seconds`` for each byte that a process has written to ``mark``.

    A limit that only this exceeds is reached by one who is stuck, however slow the machine makes all others.
    """
    monotonic = time.monotonic

    def turned() -> float:
        return monotonic() + seconds * (mark.stat().st_size if mark.exists() else 0)

    monkeypatch.setattr(time, "monotonic", turned)


def python(
    folder: Path, *arguments: str, given: str = "typed", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Result of a fresh interpreter that runs in ``folder``, with these environment variables added.

    ``given``: what its standard input holds, which no example may read.
    """
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONUNBUFFERED": "", **environment},  # as a reader's shell has it
        check=False,
        input=given,
        capture_output=True,
        text=True,
        timeout=1200,  # every example of the site, on a machine that has other work too
    )
