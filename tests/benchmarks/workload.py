"""Makes the examples that every system executes: of four to six statements, one in four with an error."""

from __future__ import annotations

import ast
import contextlib
import io
from dataclasses import dataclass

import numpy as np
import torch

IMPORTS = "import numpy as np\nimport torch"
"""Statements that every file begins with; they count for no scenario."""


@dataclass(frozen=True)
class Step:
    """One statement and the text it prints, without the last line end."""

    code: str
    output: str = ""


@dataclass(frozen=True)
class Scenario:
    """One example of the workload."""

    title: str
    steps: tuple[Step, ...]

    @property
    def output(self) -> str:
        """All that the scenario prints."""
        return "".join(f"{step.output}\n" for step in self.steps if step.output)


Document = tuple[Scenario, ...]
"""The scenarios of one file."""


@dataclass(frozen=True)
class Size:
    """How many examples there are, and how many of them stand in one file."""

    count: int
    per_file: int = 1

    def __str__(self) -> str:
        return f"{self.count} examples, {self.per_file} a file"


PLAIN = (
    """array = np.arange(4.0) + {n}
tensor = torch.from_numpy(array)
tensor[0] = {m}
print(array.tolist())
print(tensor.dtype)""",
    """array = np.full(({rows}, {columns}), {n}, dtype=np.float32)
copied = torch.tensor(array)
copied += 1
print(np.shares_memory(array, copied.numpy()))
print(tuple(copied.shape))
print(copied[0, 0].item() - array[0, 0])""",
    """tensor = torch.arange({n}, {n} + 6).reshape(2, 3)
array = tensor.T.numpy()
print(array.strides)
print(array[{m} % 3].tolist())""",
)
RAISING = (
    """weights = torch.full(({rows},), {n}.0, requires_grad=True)
try:
    weights.numpy()
except RuntimeError as error:
    print(error)
array = weights.detach().numpy()
print(array.tolist())""",
    """tensor = torch.arange({rows})
array = tensor.numpy()
try:
    tensor.view({n}, 7)
except RuntimeError as error:
    print(error)
print(array.shape)
print(tensor.is_contiguous())""",
    """values = [{n}, {m}]
try:
    torch.from_numpy(values)
except TypeError as error:
    print(error)
tensor = torch.tensor(values)
print(tensor.tolist())
print(tensor.dtype)""",
)


def make_documents(size: Size) -> list[Document]:
    """The workload of a size, by file."""
    return [make_document(size, first) for first in range(0, size.count, size.per_file)]


def make_document(size: Size, first: int, variant: int = 0) -> Document:
    """The file that begins with scenario ``first``; another ``variant`` computes with other numbers."""
    numbers = range(first, min(first + size.per_file, size.count))
    return tuple(make_scenario(number, variant) for number in numbers)


def make_scenario(number: int, variant: int = 0) -> Scenario:
    """Scenario ``number``, with the outputs that plain Python gives, whatever a system would say."""
    kinds = RAISING if number % 4 == 3 else PLAIN
    text = kinds[(number + number // 4) % len(kinds)]
    n = 1 + number + 10_000 * variant
    code = text.format(n=n, m=number % 7, rows=2 + number % 4, columns=3 + number % 5)
    namespace: dict[str, object] = {"np": np, "torch": torch}
    statements = [str(ast.get_source_segment(code, node)) for node in ast.parse(code).body]
    return Scenario(f"Scenario {number}", tuple(Step(each, execute(each, namespace)) for each in statements))


def execute(code: str, namespace: dict[str, object]) -> str:
    """The text that a statement prints, without the last line end."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, namespace)
    return printed.getvalue().removesuffix("\n")
