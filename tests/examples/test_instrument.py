"""Examples compiled before there is a process that runs them: the same as where they run, or left to that process."""

from __future__ import annotations

import ast
import sys
import types
import warnings
from collections.abc import Iterator

import pytest

from tensor_atlas.examples import instrument
from tensor_atlas.examples.instrument import CAUGHT, HANDLED, Program, ahead
from tensor_atlas.examples.parse import Example, parse_example
from tensor_atlas.model.runs import Observation, Status
from tensor_atlas.probe import __main__ as probe
from tensor_atlas.probe import runner
from tensor_atlas.probe.runner import context, run_all

HEAD = '"""\n  Title\n=======\n\nDecide something.\n"""\n\n'
PATH = "examples/01_x/a.py"
SOURCES = {
    "plain": "x = 1\ny = x + 1\n",
    "raises": "try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    print(error)\n",
    "nested": "def f():\n    try:\n        return 1\n    except ValueError:\n        return b'const'\n\n\nf()\n",
    "future": "from __future__ import annotations\n\n\ndef f(x: nowhere):\n    pass\n",
    "decorated": "@property\n# a comment\ndef f(self):\n    return 'é'\n",
}


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    ahead.cache_clear()
    yield
    ahead.cache_clear()


def made_ahead(source: str) -> Program:
    """What a process gets to run."""
    made = instrument.program(parse_example(source, PATH))
    assert made.ahead is not None
    return made


def made_there(source: str) -> Program:
    """What it gets where it must compile for itself."""
    return instrument.program(parse_example(source, PATH))._replace(ahead=None)


def code_of(codes: list[types.CodeType]) -> list[tuple[object, ...]]:
    """All that code objects are compared by, and the lines they come from."""
    return [(code, list(code.co_lines()), code.co_filename, inner(code)) for code in codes]


def inner(code: types.CodeType) -> list[object]:
    """Code within code."""
    found = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    return [(each, list(each.co_lines()), each.co_flags, inner(each)) for each in found]


@pytest.mark.parametrize("name", SOURCES)
def test_program_made_ahead_is_the_same(name: str) -> None:
    """To the line."""
    source = HEAD + SOURCES[name]
    docstring, codes = made_ahead(source).load()
    assert code_of(codes) == code_of(made_there(source).load()[1])
    assert docstring == made_there(source).load()[0] == "\n  Title\n=======\n\nDecide something.\n"
    assert {code.co_filename for code in codes} == {PATH}


def test_program_names_its_statements() -> None:
    """As a page has them: by block."""
    made = made_ahead(HEAD + "x = 1\ny = (\n    2\n)\n\n# %%\n# More.\n\nz = 3\n")
    assert made.blocks == (("x = 1", "y = (\n    2\n)"), ("z = 3",))
    assert len(made.load()[1]) == 3


def test_clauses_report() -> None:
    """Whoever runs them gives the names a meaning; a statement without a clause has none of it."""
    first, *others = made_ahead(HEAD + SOURCES["raises"] + SOURCES["plain"]).load()[1]
    assert {CAUGHT, HANDLED} <= set(first.co_names)
    assert all(CAUGHT not in code.co_names for code in others)


@pytest.mark.parametrize("body", ["x = 1\nx is 1\n", "assert (1, 'always')\n", "y = '\\d'\n"])
def test_what_warns_is_left_to_the_process_that_runs_it(body: str) -> None:
    """The warning is an observation there, and nothing is heard of it here."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ahead(HEAD + body, PATH) is None


def test_what_is_nested_too_deep_for_here_is_left_to_the_process_that_runs_it() -> None:
    """It may go deeper; from Python 3.12 on, the compiler goes as deep here."""
    deep = HEAD + "x = " + "-" * 200 + "1\n"
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(100)
    try:
        made = ahead(deep, PATH)
        codes = Program(PATH, deep, (("",),), None).load()[1]
        left = sys.getrecursionlimit()
    finally:
        sys.setrecursionlimit(usual)
    assert (made is None) == (sys.version_info < (3, 12))
    assert len(codes) == 1
    assert left == 100


def test_clauses_report_however_deep_they_are_parsed() -> None:
    """Making them report takes no depth of its own: a newer Python parses what its code could not walk through."""
    deep = ast.parse("try:\n    pass\nexcept ValueError:\n    x = 1\n")
    (clause,) = (node for node in ast.walk(deep) if isinstance(node, ast.ExceptHandler))
    operand: ast.expr = ast.Constant(1)
    for _ in range(20_000):
        operand = ast.UnaryOp(ast.USub(), operand)
    clause.body.append(ast.copy_location(ast.Expr(operand), clause.body[0]))
    instrument._let_report(deep.body[0])
    assert [type(each) for each in clause.body] == [ast.Expr, ast.Try]


def ran(source: str) -> tuple[Status, tuple[Observation, ...]]:
    """How a run in a fresh process ended, and what was observed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        example = parse_example(HEAD + source, PATH)
    ((run, _),) = run_all([example], 1, lambda _: 60.0, context())
    return run.status, run.observations


@pytest.mark.parametrize("body", [*SOURCES.values(), "x = 1\nprint(x is 1)\n", "raise ValueError('no')\n"])
def test_run_is_the_same_whoever_compiles(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Output, warnings and tracebacks."""
    ahead_of_it = ran(body)
    assert ahead_of_it[0] is (Status.RAISED if body.startswith("raise") else Status.COMPLETED)
    monkeypatch.setattr(instrument, "ahead", lambda *_: None)
    assert ran(body) == ahead_of_it


def test_what_parsing_warns_of_is_not_heard_where_it_runs() -> None:
    """Whoever read the example has parsed it before; only what compiling warns of is an observation."""
    _, observations = ran("y = '\\d'\nx = 1\nprint(x is 1)\n")
    assert [warned.category for observation in observations for warned in observation.warnings] == [
        "SyntaxWarning"
    ]


def test_process_runs_what_was_compiled_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not do it again."""
    other = ahead(f"{HEAD}print('ahead')\n", PATH)
    monkeypatch.setattr(instrument, "ahead", lambda *_: other)
    assert [observation.stdout for observation in ran("print('here')\n")[1]] == ["ahead"]


def test_examples_are_compiled_before_the_machine_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """While torch is imported; and once each."""
    told: list[str] = []
    environment = probe._environment

    def looked(method: runner.Method) -> object:
        told.append(f"looked, {ahead.cache_info().currsize} compiled")
        return environment(method)

    monkeypatch.setattr(probe, "_environment", looked)
    examples = [parse_example(f"{HEAD}x = {number}\n", f"examples/01_x/a{number}.py") for number in range(3)]
    capture = probe.observe(examples, 2, lambda _: 60.0)
    assert told == ["looked, 3 compiled"]
    assert ahead.cache_info().misses == 3
    assert [run.status for run in capture.runs] == [Status.COMPLETED] * 3


def test_few_programs_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory must not grow with the gallery: the rest is compiled when its turn comes."""
    compiled: list[str] = []

    def noted(_: str, path: str) -> None:
        compiled.append(path)

    monkeypatch.setattr(probe, "ahead", noted)
    monkeypatch.setattr(probe, "_environment", _stopped)
    examples: list[Example] = [parse_example(f"{HEAD}x = 1\n", PATH)] * (instrument.MOST_KEPT + 5)
    with pytest.raises(KeyboardInterrupt):
        probe.observe(examples, 2, lambda _: 60.0)
    assert len(compiled) == instrument.MOST_KEPT == ahead.cache_info().maxsize


def _stopped(_: object) -> object:
    raise KeyboardInterrupt
