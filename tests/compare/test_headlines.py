"""A change of an example in one line: it names the call, and shows where the outputs differ."""

from __future__ import annotations

import pytest
from committed import committed_evidence

from tensor_atlas.compare.headlines import (
    LONGEST_SIDE,
    describe_sides,
    find_earlier_call,
    find_headline,
    find_title,
    find_value_call,
)
from tensor_atlas.examples.parse import parse_example
from tensor_atlas.history.changes import Change, Severity
from tensor_atlas.history.timeline import find_events

SCRIPT = '''"""
Title
=====

Lead.
"""

import torch

# %%
# One.

x = torch.ones(2)
later = x.clone()

# %%
# Two.

y = torch.zeros(2)
found = []
print(later)
print(found)
print(len(x.tolist()))
'''


def change(
    before: tuple[str, ...], after: tuple[str, ...], severity: Severity = Severity.VALUE, code: str = "f(x)"
) -> Change:
    """A change of one statement."""
    return Change("01_x/y", severity, 0, 0, code, before, after)


@pytest.mark.parametrize(
    ("code", "headline"),
    [
        ("try:\n    torch.zeros(2)\nexcept TypeError as error:\n    print(error)", "torch.zeros(2)"),
        ("for a in b:\n    x = x.numpy()\n    try:\n        f(x)\n    except E:\n        x.item()", "f(x)"),
        ("for name in names:\n    print(torch.device(name))", "print(torch.device(name))"),
        (
            "@torch.library.custom_op('a::b')\ndef f(x):\n    return x.numpy()",
            "@torch.library.custom_op('a::b')",
        ),
        ("with torch.device('meta'):\n    pass", "with torch.device('meta')"),
    ],
)
def test_headline_is_the_line_with_the_call(code: str, headline: str) -> None:
    """Not the clause around it; of a definition what decorates it, which is what runs."""
    assert find_headline(change((), ("1",), code=code)) == headline


def test_headline_without_a_call_gets_the_one_before_it() -> None:
    """Of the statements that it needs, or else of its own block."""
    example = parse_example(SCRIPT, "examples/01_x/y.py")
    found = [find_earlier_call(example, index, example.statements[index].code) for index in (5, 6, 7)]
    assert found == ["x = torch.ones(2)", "y = torch.zeros(2)", ""]


def test_value_after_a_block_is_named_with_the_call_that_made_it() -> None:
    """The last one up to the end of that block."""
    example = parse_example(SCRIPT, "examples/01_x/y.py")
    facts = ("later, x: shares became copies", "y: writable False → True")
    changes = [Change("01_x/y", Severity.VALUE, 2, None, facts=(fact,)) for fact in facts]
    found = [find_value_call(example, one) for one in changes]
    assert found == ["later = x.clone()", "y = torch.zeros(2)"]
    assert find_value_call(example, Change("01_x/y", Severity.VALUE, 1, None, facts=facts[1:])) == ""


@pytest.mark.parametrize(
    ("severity", "before", "after", "sides"),
    [
        (Severity.VALUE, ("same", "1"), ("same", "2"), ("1", "2")),
        (Severity.VALUE, ("1",), (), ("1", "no output")),
        (Severity.WARNING, ("1",), ("1", "UserWarning: x"), ("no warning", "UserWarning: x")),
        (Severity.ERROR_APPEARED, (), ("a", "TypeError: no (uncaught)"), ("no error", "TypeError: no")),
        (Severity.ERROR_VANISHED, ("a", "TypeError: no"), ("b",), ("TypeError: no", "b")),
        (Severity.CLASS, ("A: 1", "A: 2"), ("A: 3", "B: 2"), ("A: 2", "B: 2")),
        (Severity.WORDING, ("a", "b"), ("b", "a"), ("a", "b")),
        (Severity.WORDING, ("\x1b[1ma\x1b[0m",), ("b\tc",), ("a", "bc")),
        (Severity.SHARING, ("a",), ("a",), ("", "")),
    ],
)
def test_sides_are_where_the_output_differs(
    severity: Severity, before: tuple[str, ...], after: tuple[str, ...], sides: tuple[str, str]
) -> None:
    """Errors first where one came or went; of another class, the lines whose class differs."""
    assert describe_sides(change(before, after, severity)) == sides


def test_long_sides_are_cut_and_stay_different() -> None:
    """The place where they differ is in view."""
    before, after = describe_sides(change(("word " * 60 + "one",), ("word " * 60 + "two " * 60,)))
    assert before != after
    assert max(len(before), len(after)) <= LONGEST_SIDE


def test_error_for_another_is_no_error_that_came_or_went() -> None:
    """The program ended with one of them, and its handler catches the other."""
    (vanished, appeared) = (Severity.ERROR_VANISHED, Severity.ERROR_APPEARED)
    titles = [
        find_title(change(("ValueError: a",), ("TypeError: b",), kind)) for kind in (vanished, appeared)
    ]
    assert titles == ["Raises a different exception class"] * 2
    assert find_title(change(("ValueError: a",), ("1",), vanished)) == "No longer raises"


@pytest.mark.slow
def test_headlines_of_all_changes_differ_on_both_sides() -> None:
    """What is recorded, of which none shows twice the same."""
    shown = committed_evidence().shown.values()
    changes = [event.change for one in shown for event in find_events(one.example, one.runs)]
    sides = [(one.code, describe_sides(one)) for one in changes if one.before != one.after]
    assert len(sides) > 400
    assert [one for one in sides if one[1][0] == one[1][1]] == []
