"""Prose without its markup: what a result shows of a page, and what it is found by."""

from __future__ import annotations

import pytest
from tiny_project import example

from tensor_atlas.examples.parse import parse_example
from tensor_atlas.examples.prose import (
    list_headings,
    paragraph_under,
    prose_to_markdown,
    prose_to_text,
    quoted_code,
    quoted_names,
)

BODY = """import torch

# %%
# The error
# ---------
#
# It says ``no such thing`` here.

torch.ones(1)

# %%
# The fix
# -------
#
# Call :meth:`torch.Tensor.detach`, as :doc:`/gallery/01_x/other` shows
# on two lines.
#
# A second paragraph.

torch.ones(2)
# comment of the code
"""
PAGE = parse_example(example("Title", BODY), "examples/01_x/page.py")


def test_first_paragraph_under_a_heading_is_found() -> None:
    """On one line, up to the next blank line."""
    assert paragraph_under(PAGE, "The fix", {"01_x/other": "Another"}) == (
        "Call `torch.Tensor.detach`, as “Another” shows on two lines."
    )


def test_heading_that_is_missing_has_no_prose() -> None:
    """An example without it is no error page."""
    assert paragraph_under(PAGE, "What does not help", {}) == ""


def test_literals_are_those_of_their_section() -> None:
    """What another section quotes belongs to that."""
    assert quoted_code(PAGE, "The error") == ["no such thing"]
    assert quoted_code(PAGE, "The fix") == []


def test_headings_come_in_order() -> None:
    """Without the title, which stands in the docstring."""
    assert list(list_headings(PAGE)) == ["The error", "The fix"]


def test_quoted_names_are_those_of_roles_and_literals() -> None:
    """By their last part where they are methods of tensors; links to pages are none."""
    assert quoted_names(PAGE) == ["detach", "no", "such", "thing"]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("``a[0]`` stays", "`a[0]` stays"),
        (":func:`~numpy.asarray` shares", "`numpy.asarray` shares"),
        (":doc:`words </gallery/01_x/other>` lead", "words lead"),
        ("`an issue <https://example.org/1>`__ says", "an issue says"),
        ("with `numpy<2 <https://example.org/1>`__", "with numpy<2"),
        (":doc:`/gallery/01_x/unknown`", "“/gallery/01_x/unknown”"),
    ],
)
def test_markup_becomes_words(marked: str, expected: str) -> None:
    """Targets go, code stays code, a page has its title."""
    assert prose_to_text(marked, {"01_x/other": "Another"}) == expected


def test_links_stay_links_in_markdown() -> None:
    """Those to pages of the site where its address is known, else by the title of the page."""
    text = (
        "See `the\nmanual <https://example.org/a>`__ and :doc:`/gallery/01_x/a`; :meth:`~torch.Tensor.cpu`."
    )
    titles = {"gallery/01_x/a": "A page"}
    manual, name = "[the manual](https://example.org/a)", "`torch.Tensor.cpu`"
    assert prose_to_markdown(text, titles) == f"See {manual} and “A page”; {name}."
    page = "[A page](https://example.org/gallery/01_x/a.html)"
    assert prose_to_markdown(text, titles, "https://example.org/") == f"See {manual} and {page}; {name}."
