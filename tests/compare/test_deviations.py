"""Reviewed exceptions: how they are read, and what they speak of."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import CPU, GPU, OLDER, deviation, example

from tensor_atlas.compare.deviations import (
    Deviation,
    Difference,
    Target,
    check_targets,
    find_explanation,
    parse_deviations,
)
from tensor_atlas.errors import AtlasError
from tensor_atlas.history.conditions import condition_holds
from tensor_atlas.model.runs import Environment

PATH = "docs/deviations.toml"
WHOLE = """# A comment.

[[deviation]]
example = "01_x/a"
statement = "print(tensor)"
environments = ["torch < 2.3", "cuda build and numpy < 2"]
reason = "It was so."

[[deviation]]
example = "01_x/a"
statement = "  try:"
environments = ["cuda"]
reason = "On the device."
link = "https://example.org"
output = ["one", "two"]

[[deviation]]
at = ["01_x/a: f()", "01_x/*: print({1: 2})", "*: *"]
environments = ["numpy < 2"]
reason = "It was not there."
ends = "AttributeError"
"""
ENTRY = 'example = "01_x/a"\nstatement = "f()"\nenvironments = ["cpu"]\nreason = "r"\n'
AT = 'at = ["01_x/a: f()"]\nenvironments = ["cpu"]\nreason = "r"\n'


def test_entries_are_read_with_their_lines() -> None:
    """Optional fields are None where they are left out; what stands at the first ``: `` parts example and
    statement.
    """
    assert parse_deviations(WHOLE, PATH) == (
        Deviation(
            targets=(Target("01_x/a", "print(tensor)"),),
            environments=("torch < 2.3", "cuda build and numpy < 2"),
            reason="It was so.",
            link=None,
            output=None,
            ends=None,
            line=3,
        ),
        Deviation(
            targets=(Target("01_x/a", "try:"),),
            environments=("cuda",),
            reason="On the device.",
            link="https://example.org",
            output=("one", "two"),
            ends=None,
            line=9,
        ),
        Deviation(
            targets=(Target("01_x/a", "f()"), Target("01_x/*", "print({1: 2})"), Target("*", "*")),
            environments=("numpy < 2",),
            reason="It was not there.",
            link=None,
            output=None,
            ends="AttributeError",
            line=17,
        ),
    )
    assert parse_deviations("", PATH) == ()


@pytest.mark.parametrize(
    ("text", "where", "words"),
    [
        ("[[deviation]]\nexample = ", PATH, "not TOML"),
        (f"x = 1{'0' * 5000}", PATH, "not TOML: Exceeds the limit"),
        (f"x = {'[' * 3000}", PATH, "not TOML: maximum recursion depth exceeded"),
        ("[[deviations]]\n" + ENTRY, PATH, "unknown table deviations"),
        ("title = 1\n", PATH, "unknown table title"),
        ("[deviation]\n" + ENTRY, PATH, "deviation is not a list of tables"),
        ("deviation = [1]\n", PATH, "deviation is not a list of tables"),
        ("\n[[deviation]]\n" + ENTRY + "until = 1\n", f"{PATH}:2", "unknown field until"),
    ],
)
def test_file_that_cannot_be_read_is_refused(text: str, where: str, words: str) -> None:
    """No entry is dropped silently: the error says line, mistake and remedy."""
    with pytest.raises(AtlasError) as caught:
        parse_deviations(text, PATH)
    first, remedy = str(caught.value).split("\n", 1)
    assert first.startswith(f"{where}  ")
    assert words in first
    assert remedy.strip()


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (ENTRY.replace('"f()"', '" "'), "no statement"),
        (ENTRY.replace('reason = "r"\n', ""), "no reason"),
        (ENTRY.replace('"r"', '""'), "no reason"),
        (ENTRY + "link = 3\n", "link: Expected `str`, got `int`"),
        (
            ENTRY + "link = \"javascript:window.pwned='devlink'\"\n",
            'link is no address of a page: "javascript:',
        ),
        (ENTRY + 'link = "JavaScript:f()"\n', "link is no address of a page: 'JavaScript:f()'"),
        (ENTRY + 'link = " javascript:f()"\n', "link is no address of a page"),
        (ENTRY + 'link = "java\\tscript:f()"\n', "link is no address of a page: 'java"),
        (ENTRY + 'link = "\\u0001javascript:f()"\n', "link is no address of a page"),
        (ENTRY + 'link = "data:text/html,x"\n', "link is no address of a page"),
        (ENTRY + 'link = "vbscript:f()"\n', "link is no address of a page"),
        (ENTRY + 'link = "file:///etc/passwd"\n', "link is no address of a page"),
        (ENTRY + 'link = "//example.org"\n', "link is no address of a page"),
        (ENTRY + 'output = "one"\n', "output: Expected `array`, got `str`"),
        (ENTRY + 'ends = ""\n', "no ends"),
        (ENTRY + 'ends = ["TypeError"]\n', "ends: Expected `str`, got `array`"),
        (ENTRY + 'ends = "E"\noutput = ["1"]\n', "both output and ends"),
        (ENTRY.replace('["cpu"]', '"cpu"'), "environments: Expected `array`, got `str`"),
        (ENTRY.replace('"cpu"', '"torch"'), "unknown condition 'torch'"),
        (ENTRY.replace('"cpu"', '"torch < new"'), "unknown condition 'torch < new'"),
        (ENTRY.replace('"cpu"', '"cpu or cuda"'), "unknown condition 'cpu or cuda'"),
        (ENTRY.replace('"cpu"', '">= 2"'), "unknown condition '>= 2'"),
        (ENTRY.replace('"cpu"', '"scipy > 1"'), "unknown condition 'scipy > 1'"),
        (ENTRY.replace('"cpu"', '"cpu and "'), "unknown condition"),
        (AT + 'example = "01_x/a"\n', "at beside example or statement"),
        (AT + 'statement = "f()"\n', "at beside example or statement"),
        (AT.replace('["01_x/a: f()"]', '"01_x/a: f()"'), "at: Expected `array`, got `str`"),
        (AT.replace('"01_x/a: f()"', ""), "at names no statement"),
        (AT.replace(": f()", ""), "at names no statement"),
        (AT.replace("f()", " "), "at names no statement"),
        (AT.replace("01_x/a", ""), "at names no statement"),
        (AT.replace('f()"', 'f()", "g()"'), "at names no statement"),
    ],
)
def test_entry_that_cannot_be_read_is_refused(entry: str, words: str) -> None:
    """With its line."""
    test_file_that_cannot_be_read_is_refused(f"[[deviation]]\n{entry}", f"{PATH}:1", words)


@pytest.mark.parametrize(
    ("condition", "environment", "expected"),
    [
        ("torch < 2.3", OLDER, True),
        ("torch < 2.3", CPU, False),
        ("torch >= 2.13", CPU, True),
        ("torch == 2.2.*", OLDER, True),
        ("torch >= 2.2, < 2.13", OLDER, True),
        ("torch >= 2.2, < 2.13", CPU, False),
        ("torch > 2.13.0", CPU, False),
        ("torch < 2.14", replace(CPU, torch="2.14.0.dev20260101+cpu"), False),
        ("torch >= 2.14", replace(CPU, torch="2.14.0a0+gitabc"), True),
        ("numpy<2", OLDER, True),
        ("numpy ~= 2.4", CPU, True),
        ("python >= 3.12", CPU, False),
        ("cpu", CPU, True),
        ("cpu", GPU, False),
        ("cuda", GPU, True),
        ("mps", GPU, False),
        ("cuda build", GPU, True),
        ("cuda build", CPU, False),
        ("cpu build", CPU, True),
        ("cuda build and cpu", replace(GPU, device="cpu", device_count=0), True),
        ("torch < 2.3 and cpu and numpy < 2", OLDER, True),
        ("torch < 2.3 and cuda", OLDER, False),
    ],
)
def test_condition_speaks_of_environments(condition: str, environment: Environment, expected: bool) -> None:
    """Releases, with their pre-releases counted as themselves, devices and builds, joined by ``and``."""
    assert condition_holds(condition, environment) is expected


def test_any_condition_suffices_and_a_line_of_the_statement_names_it() -> None:
    """A deviation covers its statement, in its example, where one of its conditions holds."""
    first, second, _ = parse_deviations(WHOLE, PATH)
    assert first.covers("01_x/a", "print(tensor)", OLDER)
    assert first.covers("01_x/a", "print(tensor)", replace(GPU, numpy="1.26.4"))
    assert not first.covers("01_x/a", "print(tensor)", CPU)
    assert not first.covers("01_x/b", "print(tensor)", OLDER)
    assert not first.covers("01_x/a", "print(tensor.dtype)", OLDER)
    assert second.covers("01_x/a", "try:\n    f()\nexcept TypeError:\n    pass", GPU)


def test_any_target_suffices() -> None:
    """An entry speaks of each statement it lists, and of no other."""
    targets = (Target("01_x/a", "f()"), Target("02_y/b", "g()"))
    entry = replace(deviation("01_x/a: f()", "cpu"), targets=targets)
    named = [(name, code) for name in ("01_x/a", "02_y/b") for code in ("f()", "g()")]
    assert [pair for pair in named if entry.covers(*pair, CPU)] == [("01_x/a", "f()"), ("02_y/b", "g()")]


@pytest.mark.parametrize(
    ("target", "name", "statement", "expected"),
    [
        (Target("01_x/a", "f()"), "01_x/a", "f()", True),
        (Target("01_x/a", "f()"), "01_x/ab", "f()", False),
        (Target("01_x/a", "f()"), "01_x/a", "x = f()", False),
        (Target("01_x/a", "f()"), "01_x/a", "try:\n    f()\nexcept TypeError:\n    pass", True),
        (
            Target("01_x/a", "try:\n    f()\nfinally:\n    g()"),
            "01_x/a",
            "try:\n    f()\nfinally:\n    g()",
            True,
        ),
        (
            Target("01_x/a", "try:\n    f()\nfinally:\n    g()"),
            "01_x/a",
            "try:\n    f()\nfinally:\n    h()",
            False,
        ),
        (Target("01_x/a", "*"), "01_x/a", "anything", True),
        (Target("01_x/a", "*"), "01_x/b", "anything", False),
        (Target("01_x/*", "f()"), "01_x/b", "f()", True),
        (Target("01_x/*", "f()"), "02_x/b", "f()", False),
        (Target("0*", "f()"), "02_x/b", "f()", True),
        (Target("*/a", "*"), "02_x/a", "g()", True),
        (Target("*/A", "*"), "02_x/a", "g()", False),
        (Target("01_x/a", "f*"), "01_x/a", "f()", False),
    ],
)
def test_target_names_statements(target: Target, name: str, statement: str, expected: bool) -> None:
    """By any whole line, by the whole text or by ``*``; ``*`` in an example's name stands for any part of
    it.
    """
    assert target.names(name, statement) is expected


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (Target("01_x/a", "f()"), True),
        (Target("01_x/a", "x = y * 2"), True),
        (Target("01_x/a", "*"), False),
        (Target("01_x/*", "f()"), False),
    ],
)
def test_target_with_a_star_is_not_exact(target: Target, expected: bool) -> None:
    """One that may name several statements need not hold at each; a product in a statement is no star."""
    assert target.is_exact is expected


def test_output_is_explained_by_an_entry_about_output() -> None:
    """The first that leaves the lines open or has just these; one that expects an end explains no output."""
    ends = deviation("a: f()", "cpu", ends="TypeError")
    pinned, empty, open_ = (deviation("a: f()", "cpu", output=output) for output in (("one",), (), None))
    assert find_explanation([ends, pinned, open_], Difference(("one",))) is pinned
    assert find_explanation([ends, pinned, open_], Difference(("two",))) is open_
    assert find_explanation([ends, pinned, empty], Difference(())) is empty
    assert find_explanation([ends, pinned, empty], Difference(("two",))) is None


@pytest.mark.parametrize(
    ("ends", "ending", "expected"),
    [
        ("AttributeError", "AttributeError: module 'torch' has no attribute 'f'", True),
        ("AttributeError: module 'torch'", "AttributeError: module 'torch' has no attribute 'f'", True),
        ("TypeError", "AttributeError: TypeError", False),
        ("crashed: SIGSEGV", "crashed: SIGSEGV", True),
        ("crashed: SIGSEGV", "crashed: SIGABRT", False),
        ("crashed", "timed out: no end after 60 s", False),
    ],
)
def test_end_is_explained_by_an_entry_that_says_how_it_begins(ends: str, ending: str, expected: bool) -> None:
    """An entry about output explains no end, whatever it leaves open."""
    entry, open_ = deviation("a: f()", "cpu", ends=ends), deviation("a: f()", "cpu")
    assert find_explanation([open_, entry], Difference((), ending)) is (entry if expected else None)


HERE = example(
    "print(tensor)\ntry:\n    f()\nexcept TypeError:\n    pass\nfor x in y:\n    f()\nprint(tensor)\n"
)


@pytest.mark.parametrize(
    "at",
    [
        "01_x/a: print(tensor)",  # twice in the example, with one text: one entry for both is meant
        "01_x/a: try:",
        "01_x/a: except TypeError:",
        "01_x/a: for x in y:\n    f()",
        "01_x/a: *",
        "01_x/*: f()",
        "*: f()",
    ],
)
def test_target_that_exists_is_accepted(at: str) -> None:
    """A line of one statement, the whole of one, or a star for whatever it stands for."""
    check_targets([deviation(at, "cpu")], {"01_x/a": HERE})


@pytest.mark.parametrize(
    ("at", "words"),
    [
        ("01_x/b: try:", "no example 01_x/b"),
        ("02_*: *", "no example 02_*"),
        ("01_x/a: with g():", "no statement of 01_x/a has the line 'with g():'"),
        ("01_x/a: except", "no statement of 01_x/a has the line 'except'"),
        ("01_x/*: g()", "no statement of 01_x/* has the line 'g()'"),
        ("01_x/a: f()", "2 statements of 01_x/a have the line 'f()'"),
    ],
)
def test_target_that_is_missing_or_meets_several_is_refused(at: str, words: str) -> None:
    """A deviation about nothing is a typing error or left over; one about several must say so with a star."""
    with pytest.raises(AtlasError) as caught:
        check_targets([deviation("01_x/a: try:", "cpu"), deviation(at, "cpu")], {"01_x/a": HERE})
    first, remedy = str(caught.value).split("\n", 1)
    assert first == f"{PATH}:5  {words}"
    assert remedy.strip()


def test_every_target_of_an_entry_is_checked() -> None:
    """A good one does not hide a bad one."""
    (entry,) = parse_deviations(
        '[[deviation]]\nat = ["01_x/a: try:", "01_x/a: gone()"]\nenvironments = ["cpu"]\nreason = "r"\n', PATH
    )
    with pytest.raises(AtlasError, match=r"toml:1  no statement of 01_x/a has the line 'gone\(\)'"):
        check_targets([entry], {"01_x/a": HERE})
