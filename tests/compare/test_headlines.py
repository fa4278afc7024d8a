"""A change of an example in one line: it names the call, and shows where the outputs differ."""

from __future__ import annotations

import pytest
from committed import committed_evidence

from tensor_atlas.compare.headlines import LONGEST_SIDE, describe_sides, find_title
from tensor_atlas.history.changes import Change, Severity
from tensor_atlas.history.timeline import find_events


def change(
    before: tuple[str, ...], after: tuple[str, ...], severity: Severity = Severity.VALUE, code: str = "f(x)"
) -> Change:
    """A change of one statement."""
    return Change("01_x/y", severity, 0, 0, code, before, after)


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
    shown = committed_evidence().pages.values()
    changes = [event.change for one in shown for event in find_events(one.example, one.runs)]
    sides = [(one.code, describe_sides(one)) for one in changes if one.before != one.after]
    assert len(sides) > 400
    assert [one for one in sides if one[1][0] == one[1][1]] == []
