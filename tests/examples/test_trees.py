"""Tests of reading code into a tree."""

from __future__ import annotations

import ast
import warnings

import pytest

from tensor_atlas.examples.requirements import list_undeclared_imports
from tensor_atlas.examples.trees import read_tree

CODE = 'import duckdb\npattern = "\\d+"\nassert (pattern, "true")\nnumber = 5\nprint(number is 5)\n'
"""Code of which the compiler warns in three lines."""


def test_warnings_of_the_compiler_are_left_to_the_run() -> None:
    """Neither shown nor raised, whatever the filters say; these stay as they are."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("error")
        filters = list(warnings.filters)
        tree = read_tree(CODE)
        assert [node.lineno for node in tree.body] == [1, 2, 3, 4, 5]
        assert warnings.filters == filters
    assert told == []


@pytest.mark.parametrize(("code", "error"), [("x = (", SyntaxError), ("x = 1\0", (SyntaxError, ValueError))])
def test_code_that_is_not_python_is_refused(code: str, error: type[Exception]) -> None:
    """With the exception of ``ast.parse``."""
    with pytest.raises(error):
        read_tree(code)


def test_import_is_found_in_code_of_which_the_compiler_warns() -> None:
    """The tests turn warnings into errors, and this example is read all the same."""
    with pytest.raises(SyntaxError):
        ast.parse(CODE)
    assert [(line, module) for line, module, _ in list_undeclared_imports(CODE, ())] == [(1, "duckdb")]
