"""Measures in plain runs of scripts which names see which bytes, by other means than the probe.

``python measured_memory.py ASKED ANSWERS``: ASKED is a JSON file, script → index of block → expressions; for
each script the folder ANSWERS gets a JSON file named by the script's place in it. No test itself.
"""

from __future__ import annotations

import ast
import builtins
import functools
import itertools
import json
import os
import sys
import types
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import plain_runs
import torch

from tensor_atlas.examples.parse import parse_example

Asked: TypeAlias = "Mapping[str, Sequence[str]]"
"""Index of block, as JSON has it → expressions that reach values after it."""
HOOK = "__tests_after_block__"


def main(asked: str, answers: str) -> None:
    """Run every script, each in a process of its own."""
    questions: dict[str, Asked] = json.loads(Path(asked).read_text(encoding="utf-8"))
    targets = {script: Path(answers) / f"{index}.json" for index, script in enumerate(questions)}
    execute = functools.partial(_execute, questions=questions, targets=targets)
    print(json.dumps(plain_runs.run_all(list(questions), execute)))


def _execute(script: str, questions: Mapping[str, Asked], targets: Mapping[str, Path]) -> None:
    answers: dict[str, object] = {}
    code = hooked(Path(script).read_text(encoding="utf-8"), script)
    module = types.ModuleType("__main__")
    module.__file__ = script
    sys.modules["__main__"] = module

    def after_block(index: int) -> None:
        if str(index) in questions[script]:
            answers[str(index)] = measured(module.__dict__, questions[script][str(index)])
            if len(answers) == len(questions[script]):
                targets[script].write_text(json.dumps(answers), encoding="utf-8")
                # The rest of the script has nothing that was asked for, nor has the end of the interpreter.
                plain_runs.run_last()
                os._exit(0)

    setattr(builtins, HOOK, after_block)
    exec(code, module.__dict__)


def hooked(source: str, path: str) -> types.CodeType:
    """Code of a script that calls the hook after each block."""
    tree = ast.parse(source)
    statements = iter(tree.body[1:])
    body = tree.body[:1]
    for index, block in enumerate(parse_example(source, f"examples/x/{Path(path).name}").blocks):
        body += itertools.islice(statements, len(block.statements))
        call = ast.Expr(ast.Call(ast.Name(HOOK, ast.Load()), [ast.Constant(index)], []))
        body.append(ast.copy_location(call, body[-1]))
    return compile(ast.fix_missing_locations(ast.Module(body, [])), path, "exec", dont_inherit=True)


def measured(namespace: dict[str, Any], names: Sequence[str]) -> dict[str, object]:
    """Lowest address and number of bytes of each value, None where it has none; and the pairs that share a
    byte.
    """
    values = {name: eval(name, namespace) for name in names}
    places = {name: starts(value) for name, value in values.items()}
    seen = {name: place for name, place in places.items() if place is not None}
    pairs = [
        [a, b]
        for a, b in itertools.combinations(seen, 2)
        if (
            np.shares_memory(values[a], values[b])
            if isinstance(values[a], np.ndarray) and isinstance(values[b], np.ndarray)
            else values_meet(values[a], values[b])
        )
    ]
    return {
        "places": {name: place and [place[0], place[1]] for name, place in places.items()},
        "pairs": pairs,
    }


def values_meet(one: Any, other: Any) -> bool:
    """Whether two values have a byte in common, by the addresses of all their elements."""
    a, b = addresses(one), addresses(other)
    after = np.searchsorted(b, a)  # the nearest element of the other from there on, and the one before it
    ahead = b[np.minimum(after, len(b) - 1)] - a
    behind = a - b[np.maximum(after - 1, 0)]
    meets = (ahead >= 0) & (ahead < itemsize(one)) | (behind >= 0) & (behind < itemsize(other))
    return device(one) == device(other) and bool(meets.any())


def starts(value: Any) -> tuple[int, int] | None:
    """Lowest address and number of bytes; None for a value that owns up to none."""
    found = None if is_bare(value) else addresses(value)
    if found is None:
        return None
    size = itemsize(value)
    return int(found[0]), int(np.minimum(np.diff(found), size).sum()) + size


def addresses(value: Any) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Addresses of all elements, ascending."""
    if isinstance(value, np.ndarray):
        first, strides = value.ctypes.data, value.strides
    else:
        first, strides = value.data_ptr(), tuple(step * value.element_size() for step in value.stride())
    found = np.array([first], np.int64)
    for size, step in zip(value.shape, strides, strict=True):
        different = size if step else 1  # a repeated axis, however long, adds no address
        found = np.add.outer(found, np.arange(different, dtype=np.int64) * step).ravel()
        if not (np.diff(found) > 0).all():  # sorting millions of addresses that ascend takes seconds
            found = np.unique(found)
    return found


def itemsize(value: Any) -> int:
    """Bytes of an element."""
    return int(value.itemsize if isinstance(value, np.ndarray) else value.element_size())


def device(value: Any) -> str:
    """Address space."""
    return "cpu" if isinstance(value, np.ndarray) else str(value.device)


def is_bare(value: Any) -> bool:
    """Whether a value has no elements in memory: none at all, or not where it says."""
    if isinstance(value, np.ndarray):
        return value.nbytes == 0
    if value.layout is not torch.strided or value.is_meta or value.numel() == 0:
        return True
    try:
        held = value.untyped_storage().nbytes() if value.data_ptr() else 0
    except Exception:  # noqa: BLE001 - a subclass without memory says so in its own way
        return True
    reach = sum(step * (size - 1) for step, size in zip(value.stride(), value.shape, strict=True))
    return bool(held < (value.storage_offset() + reach + 1) * itemsize(value))


if __name__ == "__main__":
    main(*sys.argv[1:])
