"""What every system of the benchmark executes: scenarios of four to six statements, one in four with an error."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

IMPORTS = "import numpy as np\nimport torch"
"""Statements that every file begins with; they count for no scenario."""


@dataclass(frozen=True)
class Step:
    """One statement and what it prints."""

    code: str
    """Text of the statement, without a line end."""
    output: str = ""
    """What it prints, without the last line end; empty for nothing."""


@dataclass(frozen=True)
class Scenario:
    """One example of the workload."""

    title: str
    steps: tuple[Step, ...]


Document: TypeAlias = "tuple[Scenario, ...]"
"""The scenarios of one file."""

_SHARES = """array = np.arange(4.0) + {n}
tensor = torch.from_numpy(array)
tensor[0] = {m}
print(array.tolist())
print(tensor.dtype)"""

_COPIES = """array = np.full(({rows}, {columns}), {n}, dtype=np.float32)
copied = torch.tensor(array)
copied += 1
print(np.shares_memory(array, copied.numpy()))
print(tuple(copied.shape))
print(copied[0, 0].item() - array[0, 0])"""

_VIEWS = """tensor = torch.arange({n}, {n} + 6).reshape(2, 3)
array = tensor.T.numpy()
print(array.strides)
print(array[{m} % 3].tolist())"""

_PLAIN = (_SHARES, _COPIES, _VIEWS)

_GRADIENT = """weights = torch.full(({rows},), {n}.0, requires_grad=True)
try:
    weights.numpy()
except RuntimeError as error:
    print(error)
array = weights.detach().numpy()
print(array.tolist())"""

_SHAPE = """tensor = torch.arange({rows})
array = tensor.numpy()
try:
    tensor.view({n}, 7)
except RuntimeError as error:
    print(error)
print(array.shape)
print(tensor.is_contiguous())"""

_TYPE = """values = [{n}, {m}]
try:
    torch.from_numpy(values)
except TypeError as error:
    print(error)
tensor = torch.tensor(values)
print(tensor.tolist())
print(tensor.dtype)"""

_RAISING = (_GRADIENT, _SHAPE, _TYPE)

# Plain Python and nothing of this project: what the statements print is nobody's opinion.
_ANSWER = """
import contextlib, io, json, sys
imports, scenarios = json.load(sys.stdin)
outputs = []
for steps in scenarios:
    namespace = {"__name__": "__main__"}
    exec(imports, namespace)
    outputs.append([])
    for code in steps:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(code, namespace)
        outputs[-1].append(said.getvalue().removesuffix("\\n"))
json.dump(outputs, sys.stdout)
"""


def drafted(number: int, variant: int = 0) -> Scenario:
    """Scenario ``number`` without outputs; another ``variant`` computes with other numbers."""
    kinds = _RAISING if number % 4 == 3 else _PLAIN
    text = kinds[(number + number // 4) % len(kinds)]
    n = 1 + number + 10_000 * variant
    code = text.format(n=n, m=number % 7, rows=2 + number % 4, columns=3 + number % 5)
    return Scenario(f"Scenario {number}", tuple(map(Step, _statements(code))))


def _statements(code: str) -> list[str]:
    """Statements of a text; a line that is indented, or an ``except``, belongs to the one before it."""
    found: list[str] = []
    for line in code.split("\n"):
        if line.startswith((" ", "except")):
            found[-1] += f"\n{line}"
        else:
            found.append(line)
    return found


def answered(drafts: Sequence[Scenario]) -> list[Scenario]:
    """Scenarios with what their statements print here, found out in a process of its own."""
    texts = [[step.code for step in scenario.steps] for scenario in drafts]
    asked = json.dumps([IMPORTS, texts])
    told = subprocess.run(
        [sys.executable, "-c", _ANSWER], input=asked, capture_output=True, text=True, check=True
    )
    return [
        replace(scenario, steps=tuple(Step(s.code, o) for s, o in zip(scenario.steps, outputs, strict=True)))
        for scenario, outputs in zip(drafts, json.loads(told.stdout), strict=True)
    ]


def documents(scenarios: Sequence[Scenario], per_file: int) -> list[Document]:
    """Scenarios by file, in order."""
    return [tuple(scenarios[first : first + per_file]) for first in range(0, len(scenarios), per_file)]


def faulty(scenario: Scenario) -> Scenario:
    """Scenario whose last statement is said to print something else than it does."""
    *before, last = scenario.steps
    return replace(scenario, steps=(*before, replace(last, output=f"not {last.output}")))


def raising(scenario: Scenario) -> Scenario:
    """Scenario with one statement more, which raises what nobody catches."""
    return replace(scenario, steps=(*scenario.steps, Step("torch.ones(2) @ torch.ones(3)")))


def write(files: dict[str, str], folder: Path) -> None:
    """Write texts below ``folder``, by path."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
