"""Line numbers of an example in its own output: hidden in the forms that Python prints, and in no others."""

from __future__ import annotations

import pytest
from samples import did

from tensor_atlas.history.own_lines import hide_own_lines, without_own_lines
from tensor_atlas.model.runs import Raised, Warned

NAME = "01_x/a"


@pytest.mark.parametrize(
    "text",
    [
        '  File "examples/01_x/a.py", line 12, in <module>\n    f()',
        '  File "checkout/examples/01_x/a.py", line 12, in f',
        '  File "examples/01_x/a.py", line 12 in <module>',  # faulthandler
        "examples/01_x/a.py:12: UserWarning: slow\n  f()",
        "a.py:12 slow",  # a log with %(filename)s:%(lineno)d
        '<code object f at 0x…, file "examples/01_x/a.py", line 12>',
        "<FrameSummary file examples/01_x/a.py, line 12 in f>",
        "<frame at 0x…, file 'examples/01_x/a.py', line 12, code f>",
        '  File "examples/01_x/a.py", lineno 12',  # where a leaked file was allocated
        "<Task pending coro=<f() running at checkout/examples/01_x/a.py:12>>",
        "> examples/01_x/a.py(12)f()",  # pdb
        "invalid syntax (a.py, line 12)",
        "examples/01_x/a.py:12:5: here",
    ],
)
def test_line_of_the_example_is_hidden(text: str) -> None:
    """Whatever prose stands above it."""
    assert hide_own_lines(text, NAME) == text.replace("12", "…", 1)
    assert hide_own_lines(text.replace("12", "345"), NAME) == hide_own_lines(text, NAME)


@pytest.mark.parametrize(
    "text",
    [
        "line 12",
        "12",
        "data.csv:3",
        '  File "examples/01_x/b.py", line 3, in f',
        '  File "site-packages/torch/a.py", line 3, in f',
        "site-packages/torch/a.py:3: UserWarning: slow",
        '  File "examples/01_x/extra.py", line 3, in f',
        "aa.py:3",
        "a.pyx:3",
        "a.py:3.5 seconds",
        "a.py: 3 lines",
        "a.py(3, 4)",
        "lib/01_x.a.py:3",
        "my-a.py:3",
    ],
)
def test_number_that_is_no_line_of_the_example_stays(text: str) -> None:
    """It is a value, or a place in a file that no prose moves."""
    assert hide_own_lines(text, NAME) == text


def test_every_text_of_an_observation_is_searched() -> None:
    """Output, warnings, messages of errors, and what handlers printed of them."""
    place, hidden = "a.py:12", "a.py:…"
    error = Raised("E", place, (place,), place)
    expected = Raised("E", hidden, (hidden,), hidden)
    seen = did(place, stderr=place, warnings=(Warned("W", place),), caught=(error,), raised=error)
    assert without_own_lines(seen, NAME) == did(
        hidden, stderr=hidden, warnings=(Warned("W", hidden),), caught=(expected,), raised=expected
    )


def test_long_text_takes_no_longer_than_its_length() -> None:
    """Many beginnings of a path are no reason to search a text many times."""
    text = "01_x/a.py/" * 200_000
    assert hide_own_lines(text, NAME) == text
