"""The call that a piece of code is about, and the earlier code that it needs; pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import cache

from tensor_atlas.examples.parse import Example
from tensor_atlas.examples.trees import read_tree
from tensor_atlas.history.changes import Change
from tensor_atlas.model.runs import LATE

MOST_USED = (
    "torch.from_numpy(",
    "torch.as_tensor(",
    "torch.tensor(",
    ".numpy()",
    "np.asarray(",
    "np.array(",
    "from_dlpack(",
    ".numpy(force=True)",
    "torch.asarray(",
    ".tolist()",
    ".item()",
    "torch.frombuffer(",
    "np.frombuffer(",
    "torch.Tensor(",
    "default_collate(",
    "torch.stack(",
    "np.stack(",
    "np.concatenate(",
    ".cpu()",
    ".cuda()",
    ".to(",
    "x + other",
    "x * other",
    "x == other",
    "y[:] = x",
    "np.sum(",
    "np.mean(",
    "float(",
    "bool(",
    "pickle.",
)
"""Calls in the order of how much they are used, as reviewed; what holds none of them comes last."""
RARE_CODE = re.compile(r"\bnames=|\btorch\._|quantize|nested|\._is_|\bmkldnn")
"""Code that few programs have: named, quantised and nested tensors, functions that torch keeps private."""
_IMPORTED = ("import numpy as np", "import torch")
"""What readers take for granted."""
_OWN_CALL = re.compile(r"\b(?:torch|np)\.[\w.]+\(")
_CALL = re.compile(r"\b(?!(?:print|len|list|str|type|isinstance|hasattr|float|bool)\()\w+\(")
_CLAUSE = re.compile(r"(?:try|else|finally|except)\b")


def find_headline(change: Change) -> str:
    """The line of a statement with its most used call; of a change after a block, what is other there.

    Of code that catches errors, a line that may raise.
    """
    lines = [line.strip() for line in _list_tried(change.code) or change.code.splitlines()]
    kept = [line.rstrip(":") for line in lines if not _CLAUSE.match(line)]
    return min(kept, key=_rank_line, default="".join(change.facts[:1]))


def find_value_call(example: Example, change: Change) -> str:
    """The line that made the value of which a fact speaks, after a block; empty where none did."""
    name = change.facts[0].split(":")[0].split(",")[0] if change.facts else ""
    lines = [line.strip() for line in find_maker(example, change.block, name).splitlines()]
    kept = [line.rstrip(":") for line in lines if not _CLAUSE.match(line)]
    return min(kept, key=_rank_line, default="")


def _list_tried(code: str) -> list[str]:
    """Lines of the outermost ``try`` block, without its handlers."""
    found = next((node for node in ast.walk(read_tree(code)) if isinstance(node, ast.Try)), None)
    return [] if found is None else code.splitlines()[found.body[0].lineno - 1 : found.body[-1].end_lineno]


def _rank_line(line: str) -> tuple[bool, int, bool]:
    is_decorator = line.startswith("@")  # what a definition does when it runs
    return not is_decorator, rank_code(line), not _OWN_CALL.search(line)


def find_earlier_call(example: Example, index: int, headline: str) -> str:
    """The last line that calls torch or NumPy for statement ``index``, where its headline holds no call.

    For it: among the statements that it needs, or else in its block.
    """
    if index == LATE or _CALL.search(headline):
        return ""
    blocks = [number for number, block in enumerate(example.blocks) for _ in block.statements]
    near = (place for place in range(index - 1, -1, -1) if blocks[place] == blocks[index])
    for place in [*find_needed(example, index)[::-1], *near]:
        lines = [line.strip() for line in example.statements[place].code.splitlines()]
        found = next(filter(_OWN_CALL.search, lines), "")
        if found:
            return found
    return ""


def rank_code(code: str) -> int:
    """Place of the most used call in some code; the number of all of them where it holds none."""
    return next((place for place, call in enumerate(MOST_USED) if call in code), len(MOST_USED))


def rank_statement(code: str, setup: Iterable[str]) -> int:
    """Place of the most used call of a statement; after all others where it or its setup is rare."""
    is_rare = any(RARE_CODE.search(text) for text in (code, *setup))
    return len(MOST_USED) + 1 if is_rare else rank_code(code)


def list_needed_code(example: Example, index: int) -> list[str]:
    """Code of the statements that statement ``index`` needs."""
    return [example.statements[needed].code for needed in find_needed(example, index)]


def find_needed(example: Example, index: int) -> list[int]:
    """Earlier statements that make or change the names that statement ``index`` uses, and their names.

    None for the end of the script.
    """
    if index == LATE:
        return []
    wanted = {*_read_names(example.statements[index].code, ast.Load)}
    kept: list[int] = []
    for earlier in range(index - 1, -1, -1):
        code = example.statements[earlier].code
        if code in _IMPORTED or not wanted & _find_made(code):
            continue
        wanted |= _read_names(code, ast.Load)
        kept.append(earlier)
    return kept[::-1]


def find_maker(example: Example, block: int, name: str) -> str:
    """Code of the last statement that makes or changes a name, up to the end of a block; empty for none."""
    for earlier in reversed(example.blocks[: block + 1]):
        for statement in reversed(earlier.statements):
            if name in _find_made(statement.code):
                return statement.code
    return ""


@cache
def _read_names(code: str, context: type[ast.expr_context]) -> frozenset[str]:
    """Names that code uses so; remembered, because each later statement asks again."""
    nodes = ast.walk(read_tree(code))
    found = (node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, context))
    return frozenset(found)


@cache
def _find_made(code: str) -> frozenset[str]:
    """Names that a statement defines, and those whose elements or attributes it assigns."""
    names = {*_read_names(code, ast.Store)}
    for node in ast.walk(read_tree(code)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(name.asname or name.name).split(".")[0] for name in node.names}
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
            names |= {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    return frozenset(names)
