"""How an observation becomes a claim, when a claim holds, and how claims enter a script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import HEAD, example, observed, ran

from tensor_atlas.compare.claims import claim_holds, update_claims
from tensor_atlas.examples.parse import Claim, parse_example
from tensor_atlas.model.runs import Observation, Status, Warned, output_lines
from tensor_atlas.probe.output import normalise


def test_claim_is_stdout_then_warnings_then_stderr() -> None:
    """Each on lines of its own, a warning always on one."""
    observation = Observation(
        code="f()",
        stdout="one\n\ntwo",
        stderr="low\nlower",
        warnings=(Warned("UserWarning", "of two\n  lines"), Warned("DeprecationWarning", "old")),
    )
    assert output_lines(observation) == (
        "one",
        "",
        "two",
        "UserWarning: of two lines",
        "DeprecationWarning: old",
        "stderr: low",
        "stderr: lower",
    )


def test_silence_is_no_line() -> None:
    """A statement that prints nothing needs no claim."""
    assert output_lines(Observation("value = 1")) == ()


def test_control_characters_are_spelled_out() -> None:
    """A carriage return, an escape or a null byte cannot stand in a script's line; a tab can."""
    assert output_lines(Observation("f()", stdout="50%\r100%\x1b[0m\x00\tend\x7f")) == (
        "50%\\x0d100%\\x1b[0m\\x00\tend\\x7f",
    )


def test_line_without_text_has_no_trailing_blank() -> None:
    """A claim line is read without its trailing blanks: an empty warning or line of stderr must match it."""
    observation = Observation("f()", stderr="one\n\ntwo", warnings=(Warned("UserWarning", ""),))
    assert output_lines(observation) == ("UserWarning:", "stderr: one", "stderr:", "stderr: two")


@pytest.mark.parametrize(
    ("claimed", "lines", "expected"),
    [
        (("one",), ("one",), True),
        (("one",), ("One",), False),
        (("one",), ("one ",), False),
        (("one",), ("one", "two"), False),
        (("one", "two"), ("one",), False),
        (("one", "two"), ("two", "one"), False),
        ((), (), True),
        ((), ("one",), False),
        (("one",), (), False),
        (("one ...",), ("one and more",), True),
        (("one ...",), ("one ...",), True),
        (("one ...",), ("one",), False),
        (("one ...",), ("onerous",), False),
        (("one...",), ("one and more",), False),
        (("one ... more",), ("one and more",), False),
        (("one ...", "two"), ("one and more", "two"), True),
        (("one ...",), ("one and more", "two"), False),
        ((" ...",), (" ...",), True),
        ((" ...",), (" [0 1]",), False),
        (("   ...",), ("   [0 1]",), False),
        ((" [0 ...",), (" [0 1]",), True),
    ],
)
def test_claim_holds_exactly_but_for_an_open_end(
    claimed: tuple[str, ...],
    lines: tuple[str, ...],
    expected: bool,
) -> None:
    """As many lines, each the same, or begun by the text before `` ...``; without text the dots are NumPy's
    own.
    """
    assert claim_holds(Claim(9, claimed) if claimed else None, lines) is expected


def test_claims_are_written_under_their_statements() -> None:
    """New ones enter, wrong ones are replaced, superfluous ones go; prose and code stay."""
    before = example(
        """import torch

# %%
# Prose.

print(1)
print(2)
# => 3
# => 4

# %%

print(3)
# => 3
value = 4
# => 4
print(
    5
)
"""
    )
    assert update_claims(before, ran(before, "", "1", "2", "3", "", "5\n\n  five")) == (
        HEAD
        + """import torch

# %%
# Prose.

print(1)
# => 1
print(2)
# => 2

# %%

print(3)
# => 3
value = 4
print(
    5
)
# => 5
# =>
# =>   five
"""
    )


def test_statement_that_was_not_reached_keeps_its_claim() -> None:
    """What did not run says nothing about its claim."""
    what = example("print(1)\n# => one\nprint(2)\n# => two\n")
    text = update_claims(what, ran(what, "1", status=Status.RAISED, reason="TypeError"))
    assert text == HEAD + "print(1)\n# => 1\nprint(2)\n# => two\n"


def test_explained_statement_keeps_its_claim() -> None:
    """A deviation is about this machine; the claim is about the newest release."""
    what = example("print(1)\n# => 1\nprint(2)\n# => 2\n")
    text = update_claims(what, ran(what, "one", "two"), {"print(1)"})
    assert text.endswith("print(1)\n# => 1\nprint(2)\n# => two\n")


def test_claim_that_holds_stays_as_written() -> None:
    """An open end is not filled in; next to a line that differs it is."""
    what = example("print(1)\n# => a long ...\nprint(2)\n# => b\n")
    assert update_claims(what, ran(what, "a long line", "b")) == what.source
    assert update_claims(what, ran(what, "another line", "b")).count("...") == 0


def test_empty_lines_at_the_end_are_claimed() -> None:
    """What ends in empty lines differs from what does not."""
    what = example("print(1)\n")
    text = update_claims(what, ran(what, normalise("a\n\n\n", {})))
    assert text == HEAD + "print(1)\n# => a\n# =>\n# =>\n"


PRINTED = st.text(st.characters(exclude_categories=["Cs"]), max_size=30).map(lambda text: normalise(text, {}))


@given(st.lists(PRINTED, min_size=3, max_size=3), st.lists(PRINTED, max_size=2))
def test_written_claims_hold(stdout: list[str], warned: list[str]) -> None:
    """Whatever was printed: a script with the claims that a run gives is read back, and the claims hold."""
    what = example("print(1)\nprint(2)\n# => stale\n\n# %%\n\nprint(3)\n")
    warnings = tuple(Warned("UserWarning", text) for text in warned)
    observations = [
        Observation(statement.code, stdout=text, warnings=warnings)
        for statement, text in zip(what.statements, stdout, strict=True)
    ]
    again = parse_example(update_claims(what, observed(what, *observations)), what.path)
    assert again.digest == what.digest
    for statement, observation in zip(again.statements, observations, strict=True):
        assert claim_holds(statement.claim, output_lines(observation))
    assert update_claims(again, observed(again, *observations)) == again.source
