"""The text of an example → what runs of it, statement by statement; compiled ahead, where nobody waits for it.

A process that has just been forked finds all that it touches cold, and each would have to compile for itself.
"""

from __future__ import annotations
import __future__

import ast
import functools
import marshal
import sys
import types
import warnings
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tensor_atlas.examples.parse import Example

CAUGHT = "__tensor_atlas_caught__"
"""Name of the builtin that an ``except`` clause calls first."""
HANDLED = "__tensor_atlas_handled__"
"""Name of the one that it calls when it is left."""
MOST_NESTED = 10_000
"""Depth to which Python 3.11 may recurse while it compiles an example; later ones ask how much stack there is."""
MOST_KEPT = 1024
"""Programs that are kept: as many as are compiled while torch is imported. Of each, it is some 1,300 bytes."""


class Program(NamedTuple):
    """An example as the process gets it that runs it: what a page needs beside is left out."""

    path: str
    """Path as shown to people."""
    source: str
    """The whole text."""
    blocks: tuple[tuple[str, ...], ...]
    """Source text of its statements, by block."""
    ahead: tuple[str | None, bytes] | None
    """Docstring, and code objects as ``marshal`` writes them, for this interpreter alone; None: not compiled yet."""

    def load(self) -> tuple[str | None, list[types.CodeType]]:
        """Docstring, as ``__doc__`` has it, and code objects of all statements below it, in order, with their lines.

        What was not compiled ahead is compiled here, which may recurse deeper and whose warnings are heard.
        """
        if self.ahead is not None:
            docstring, codes = self.ahead
            return docstring, marshal.loads(codes)  # noqa: S302 - written by ahead()
        usual = sys.getrecursionlimit()
        sys.setrecursionlimit(MOST_NESTED)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what has been parsed before it was told
            tree = ast.parse(self.source)
        made = compiled(tree, self.source, self.path)
        sys.setrecursionlimit(usual)
        return ast.get_docstring(tree, clean=False), made


def program(example: Example) -> Program:
    """What runs of an example."""
    blocks = tuple(tuple(statement.code for statement in block.statements) for block in example.blocks)
    return Program(example.path, example.source, blocks, ahead(example.source, example.path))


@functools.lru_cache(maxsize=MOST_KEPT)
def ahead(source: str, path: str) -> tuple[str | None, bytes] | None:
    """Docstring and code of a ``source``; None where making it warns or fails: that is for the process that runs it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            tree = ast.parse(source)
            codes = compiled(tree, source, path)
    except (Warning, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return ast.get_docstring(tree, clean=False), marshal.dumps(codes)


def compiled(tree: ast.Module, source: str, path: str) -> list[types.CodeType]:
    """Code objects of all statements below the docstring of a ``tree``, which is that of ``source``."""
    lines = source.split("\n")
    flags = 0
    codes = []
    for node in tree.body[1:]:
        flags |= _future_flags(node)
        if _may_catch(node, lines):  # to walk the tree of what has no clause takes longer than to compile it
            _let_report(node)
        codes.append(compile(ast.Module([node], []), path, "exec", flags, dont_inherit=True))
    return codes


def _may_catch(node: ast.stmt, lines: list[str]) -> bool:
    return any("except" in line for line in lines[node.lineno - 1 : node.end_lineno])


def _future_flags(node: ast.stmt) -> int:
    if not isinstance(node, ast.ImportFrom) or node.module != "__future__":
        return 0
    features = [getattr(__future__, alias.name, None) for alias in node.names]
    return sum(feature.compiler_flag for feature in features if feature is not None)


def _let_report(node: ast.stmt) -> None:
    """Make every ``except`` clause in a statement report what it caught, and when it is left.

    Without recursion: Python 3.12 and later parse what is nested deeper than Python code may recurse.
    """
    for clause in [each for each in ast.walk(node) if isinstance(each, ast.ExceptHandler)]:
        first, last = clause.body[0], clause.body[-1]
        inside = ast.Try(clause.body, [], [], [_call(HANDLED, last)])
        clause.body = [_call(CAUGHT, first), ast.copy_location(inside, first)]


def _call(name: str, place: ast.stmt) -> ast.stmt:
    call = ast.copy_location(ast.Call(ast.copy_location(ast.Name(name, ast.Load()), place), [], []), place)
    return ast.copy_location(ast.Expr(call), place)
