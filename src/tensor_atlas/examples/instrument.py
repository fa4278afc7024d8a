"""Compiles an example statement by statement, so that each ``except`` clause reports what it caught.

Runs nothing.
"""

from __future__ import annotations
import __future__

import ast
import sys
import types
import warnings
from typing import NamedTuple

CAUGHT = "__tensor_atlas_caught__"
"""Name of the builtin that an ``except`` clause calls first."""
HANDLED = "__tensor_atlas_handled__"
"""Name of the builtin that it calls when it is left."""
MAX_DEPTH = 10_000
"""Depth to which Python 3.11 may recurse while it compiles an example; later releases ask how much stack
there is."""


class Program(NamedTuple):
    """What the process that runs an example is given of it."""

    path: str
    """Path as shown to people."""
    source: str
    """The whole text."""
    blocks: tuple[tuple[str, ...], ...]
    """Source text of its statements, by block."""


def compile_program(program: Program) -> tuple[str | None, list[types.CodeType]]:
    """The docstring as ``__doc__`` has it, and a code object for each statement below it, in order.

    Warns of what Python warns of when it compiles the script.
    """
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(MAX_DEPTH)
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            tree = ast.parse(program.source)
        for one in told:  # of a string, for example, whose tokens no later step sees
            warnings.showwarning(one.message, one.category, program.path, one.lineno)
        return ast.get_docstring(tree, clean=False), compile_statements(tree, program.path)
    finally:
        sys.setrecursionlimit(limit)


def compile_statements(tree: ast.Module, path: str) -> list[types.CodeType]:
    """Code objects of all statements below the docstring of ``tree``, which is changed; RecursionError."""
    flags = 0
    codes = []
    for node in tree.body[1:]:
        flags |= _future_flags(node)
        _report_caught(node)
        codes.append(compile(ast.Module([node], []), path, "exec", flags, dont_inherit=True))
    return codes


def _future_flags(node: ast.stmt) -> int:
    if not isinstance(node, ast.ImportFrom) or node.module != "__future__":
        return 0
    features = [getattr(__future__, alias.name, None) for alias in node.names]
    return sum(feature.compiler_flag for feature in features if feature is not None)


def _report_caught(node: ast.stmt) -> None:
    """Make every ``except`` clause in a statement call CAUGHT first, and HANDLED when it is left.

    ``ast.walk`` does not recurse: Python 3.12 and later parse what is nested deeper than Python code may
    recurse.
    """
    for clause in [each for each in ast.walk(node) if isinstance(each, ast.ExceptHandler)]:
        first, last = clause.body[0], clause.body[-1]
        body = ast.Try(clause.body, [], [], [_call(HANDLED, last)])
        clause.body = [_call(CAUGHT, first), ast.copy_location(body, first)]


def _call(name: str, where: ast.stmt) -> ast.stmt:
    function = ast.copy_location(ast.Name(name, ast.Load()), where)
    call = ast.copy_location(ast.Call(function, [], []), where)
    return ast.copy_location(ast.Expr(call), where)
