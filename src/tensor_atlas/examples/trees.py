"""Reads code into a tree without the warnings of Python's compiler."""

from __future__ import annotations

import ast
import warnings


def read_tree(code: str) -> ast.Module:
    """The tree of an example's code, or of a part of it; SyntaxError and ValueError as from ``ast.parse``.

    What the compiler warns of, such as an escape that no string has, is shown by the example's run.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(code)
