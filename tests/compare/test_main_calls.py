"""The call that code is about: not the clause around it, and an earlier line where its own has none."""

from __future__ import annotations

import pytest

from tensor_atlas.compare.main_calls import find_earlier_call, find_headline, find_value_call
from tensor_atlas.examples.parse import parse_example
from tensor_atlas.history.changes import Change, Severity

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
    assert find_headline(Change("01_x/y", Severity.VALUE, 0, 0, code, (), ("1",))) == headline


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
