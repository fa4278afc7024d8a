"""The fix in the docstring of an error page: each line is code that the script runs."""

from __future__ import annotations

import pytest

from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.messages import is_error_page, is_quoted, read_fix
from tensor_atlas.examples.parse import Example, parse_example

BODY = """
import torch

# %%
# The error
# ---------

code = "import torch; torch.ones(1).child()"
try:
    torch.ones(1).wrong()
except AttributeError as error:
    print(error)

# %%
# The fix
# -------

right = torch.ones(1).sum()
print(torch.ones(1).mean())


def pad(rows):
    return torch.stack(rows)


# %%
# What does not help
# ------------------

print(torch.ones(1).useless())
"""


def page(*lines: str, title: str = "AttributeError: 'Tensor' object has no attribute 'wrong'") -> Example:
    """Error page with these lines under ``.. fix::``."""
    fix = "".join(f"   {line}\n" for line in lines)
    head = f'"""\n{title}\n{"=" * len(title)}\n\nLead.\n\n.. fix::\n\n{fix}\nMore.\n"""\n'
    return parse_example(head + BODY, "examples/13_errors/a.py")


def test_each_line_has_the_statement_that_runs_it() -> None:
    """A whole statement, the body of a ``try``, and an argument of ``print``."""
    fix = read_fix(page("- torch.ones(1).wrong()", "+ right = torch.ones(1).sum()", "+ torch.ones(1).mean()"))
    assert fix is not None
    assert [(line.code, line.statement, line.is_whole) for line in (*fix.before, *fix.after)] == [
        ("torch.ones(1).wrong()", 2, False),
        ("right = torch.ones(1).sum()", 3, True),
        ("torch.ones(1).mean()", 4, False),
    ]


def test_line_may_be_run_by_a_child() -> None:
    """Its code is a string of the script."""
    fix = read_fix(page("- torch.ones(1).child()", "+ right = torch.ones(1).sum()"))
    assert fix is not None
    assert fix.before[0].statement == 1


def test_statement_may_take_several_lines() -> None:
    """Each begins with the sign, and keeps its indentation behind it."""
    fix = read_fix(page("- torch.ones(1).wrong()", "+ def pad(rows):", "+     return torch.stack(rows)"))
    assert fix is not None
    assert fix.after[0].code == "def pad(rows):\n    return torch.stack(rows)"


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (
            ["- torch.ones(1).wrong()", "+ torch.ones(1).never_run()"],
            "does not run: torch.ones(1).never_run()",
        ),
        (["- torch.ones(1).wrong()", "+ torch.ones(1).useless()"], "does not run: torch.ones(1).useless()"),
        (["- torch.ones(1).sum()", "+ torch.ones(1).mean()"], "does not run: torch.ones(1).sum()"),
        (["- torch.ones(1).wrong()"], "one side"),
        (["- torch.ones(1).wrong()", "torch.ones(1).mean()"], "not a line of a fix"),
        (["- torch.ones(1).wrong()", "+ torch.ones("], "not Python"),
    ],
)
def test_line_that_proves_nothing_is_refused(lines: list[str], what: str) -> None:
    """Code that the script does not run, runs as a wrong fix, or runs in the other half of the page."""
    with pytest.raises(AtlasError, match=r"examples/13_errors/a\.py") as caught:
        read_fix(page(*lines))
    assert what in str(caught.value)


def test_title_makes_an_error_page() -> None:
    """The class, a colon, and the message."""
    lines = "- torch.ones(1).wrong()", "+ torch.ones(1).mean()"
    assert is_error_page(page(*lines))
    assert is_error_page(page(*lines, title="DeprecationWarning: old"))
    assert is_error_page(page(*lines, title="InvalidArgument: Unexpected input data type"))
    assert not is_error_page(page(*lines, title="Errors: an overview"))


@pytest.mark.parametrize(
    ("title", "is_held"),
    [
        ("TypeError: got [2] and more", True),
        ("TypeError: got … more", True),
        ("TypeError: … [2] …", True),
        ("TypeError: more … got", False),
        ("TypeError: got two", False),
        ("got [2]", False),
    ],
)
def test_title_quotes_the_message(title: str, is_held: bool) -> None:
    """To the letter; … stands for words that are left out."""
    assert is_quoted(title, "It got [2] and more.") is is_held
