"""Examples compiled statement by statement: every ``except`` clause reports, and nothing else changes."""

from __future__ import annotations

import sys
import warnings

from tensor_atlas.examples.instrument import CAUGHT, HANDLED, Program, compile_program

HEAD = '"""\n  Title\n=======\n\nAn answer.\n"""\n\n'
PATH = "examples/01_x/a.py"


def program(body: str) -> Program:
    """Program of an example with this code; its blocks do not matter here."""
    return Program(PATH, HEAD + body, ())


def test_each_statement_is_compiled_with_its_lines() -> None:
    """Tracebacks name the script and the line; the docstring is as ``__doc__`` has it."""
    docstring, codes = compile_program(program("x = 1\ny = (\n    2\n)\n"))
    assert docstring == "\n  Title\n=======\n\nAn answer.\n"
    lines = [{line for *_, line in code.co_lines() if line and line > 1} for code in codes]
    assert lines == [{8}, {9, 10}]
    assert {code.co_filename for code in codes} == {PATH}


def test_clause_reports_what_it_caught_and_when_it_is_left() -> None:
    """A statement without a clause calls nothing of ours."""
    body = "try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    print(error)\nx = 1\n"
    first, second = compile_program(program(body))[1]
    assert {CAUGHT, HANDLED} <= set(first.co_names)
    assert CAUGHT not in second.co_names


def test_future_statement_holds_for_what_follows() -> None:
    """As it does in a script."""
    body = "from __future__ import annotations\n\n\ndef f(x: nowhere):\n    pass\n"
    namespace: dict[str, object] = {}
    for code in compile_program(program(body))[1]:
        exec(code, namespace)
    assert "f" in namespace


def test_compiling_warns_of_a_statement_where_it_runs() -> None:
    """Once, when its code is made, also of what parsing alone sees."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compile_program(program("x = 1\nprint(x is 1)\ny = '\\d'\n"))
    told = sorted((str(warning.message).split()[0], warning.lineno, warning.filename) for warning in caught)
    assert told == [('"is"', 9, PATH), ("invalid", 10, PATH)]


def test_deep_expression_is_compiled_deeper_than_code_may_recurse() -> None:
    """The limit of recursion is what it was afterwards."""
    limit = sys.getrecursionlimit()
    codes = compile_program(program("x = " + "-" * 900 + "1\n"))[1]
    assert len(codes) == 1
    assert sys.getrecursionlimit() == limit
