"""The check of words that readers see: each rule finds what it is for, and nothing in what it allows."""

from __future__ import annotations

import pytest
from check_prose import (
    Paragraph,
    check,
    check_conflicts,
    check_paragraph,
    check_titles,
    read_example,
    read_labels,
    read_markdown,
    read_rules,
    read_table,
    strip_markup,
)
from samples import ROOT

RULES = read_rules((ROOT / "tests/prose.toml").read_text(encoding="utf-8"))
EXAMPLE = '''"""
A title
=======

A lead with ``told`` in code.

.. fix::

   - told()
"""

# sphinx_gallery_tags = ["told"]

import torch

# %%
# The error
# ---------
#
# One sentence
# on two lines.

print("told")  # told
# => told
'''


def rules_broken(text: str, path: str = "docs/page.md", kind: str = "prose") -> list[str]:
    """The rules that a paragraph breaks."""
    return [fault.rule for fault in check_paragraph(Paragraph(path, 1, text, kind), RULES)]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("The census is long.", "word of our own: census"),
        ("It was told so.", "word of our own: told"),
        ("An image is no array.", "word of our own: is no array"),
        ("It warns once a process.", "word of our own: once a process"),
        ("A tensor without dimensions copies.", "word of our own: without dimensions"),
        ("It shares in silence.", "word of our own: in silence"),
        ("Its behavior changed.", "American spelling behavior"),
        ("What loses nothing is allowed.", "sentence that begins with What"),
        ("Decide whether to copy.", "sentence that begins with Decide"),
        ("It copies. Word " + "word " * 34 + "end.", "sentence of 36 words"),
    ],
)
def test_each_rule_finds_its_fault(text: str, rule: str) -> None:
    """A rule that finds nothing is no rule."""
    assert rules_broken(text) == [rule]


@pytest.mark.parametrize(
    "text",
    [
        "There is no array in it.",
        "It is no longer shared.",
        "What does a conversion cost?",
        "word " * 34 + "end. " + "Word " * 34 + "end.",
        strip_markup("``told`` and `census`."),
    ],
)
def test_allowed_sentences_pass(text: str) -> None:
    """Negation, questions, the longest sentence and code are allowed."""
    assert rules_broken(text) == []


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Count graphs in torch 2.1, as above.", "reason that leans on its page: above"),
        ("In torch 2.1 the array keeps its values here.", "reason that leans on its page: here"),
        ("Before torch 2.12 this loss raises.", "reason that leans on its page: this loss"),
        ("torch 2.1 raises the errors that this page is about.", "reason that leans on its page: this page"),
        ("NumPy 1 still has these names.", "reason that leans on its page: these names"),
        ("torch 2.0 lacks what the examples use.", "reason that leans on its page: the examples"),
        ("The function exists since torch 2.1.", "reason that begins without the call"),
        ("`…` is new.", "reason without a release"),
    ],
)
def test_reason_is_understood_without_its_example(text: str, rule: str) -> None:
    """The page of a release shows it above changes of several examples; elsewhere the words are allowed."""
    assert rules_broken(text, "docs/deviations.toml") == [rule]
    assert rules_broken(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "The method `…` exists since torch 2.1.",
        "This torch was compiled for NumPy 1.",
        "A build without CUDA raises.",
        "`…` exists since torch 2.1. The result is the same.",
    ],
)
def test_reason_that_names_call_and_release_passes(text: str) -> None:
    """It may say what stays the same, and name the torch of an incompatible install."""
    assert rules_broken(text, "docs/deviations.toml") == []


def test_contributors_keep_their_glossary() -> None:
    """Their pages explain the words; spelling is the same everywhere."""
    assert rules_broken("The stamp is gray.", "docs/contributing/gate.md") == ["American spelling gray"]


def test_labels_need_no_full_sentence() -> None:
    """A label is held to the dictionary, not to the form of sentences."""
    assert rules_broken("What changed.", kind="label") == []
    assert rules_broken("the census", kind="label") == ["word of our own: census"]


def test_titles_are_short_and_unique() -> None:
    """Lists show nothing else of a page."""
    titles = [Paragraph("a/1", 1, "Same"), Paragraph("a/2", 1, "same"), Paragraph("a/3", 1, "t" * 71)]
    faults = [fault.rule for fault in check_titles(titles, RULES)]
    assert faults == ["title of a/1", "title of 71 characters"]


def test_conflict_that_a_merge_left_is_found() -> None:
    """Where it begins and where it ends; a line under a title is none."""
    text = "A title\n=======\n\n<<<<<<< HEAD\nOne.\n=======\nTwo.\n>>>>>>> 079cc532 (Reword)\n"
    assert [fault.line for fault in check_conflicts("docs/page.md", text)] == [4, 8]


def test_example_is_read_without_its_code() -> None:
    """Title, lead, headings and paragraphs, each with its line; neither claims nor directives."""
    read = [(each.line, each.kind, each.text) for each in read_example("x.py", EXAMPLE)]
    assert read == [
        (2, "title", "A title"),
        (5, "prose", "A lead with `…` in code."),
        (17, "heading", "The error"),
        (20, "prose", "One sentence on two lines."),
    ]


def test_markdown_is_read_without_its_code() -> None:
    """Front matter and fences are skipped; cells of a table and items stand alone."""
    text = "---\ntold: x\n---\n# Title\n\n```\ntold\n```\n\nSee [a page](told.md).\n\n"
    text += "| a | b |\n| --- | --- |\n- one\n- two\n"
    read = [each.text for each in read_markdown("x.md", text)]
    assert read == ["Title", "See a page.", "a", "b", "one", "two"]


def test_tables_are_read_by_their_shown_fields() -> None:
    """A reason is shown, a link is not."""
    text = '[[deviation]]\nreason = "It ``told``."\nlink = "told"\n'
    assert [(each.line, each.text) for each in read_table("x.toml", text)] == [(2, "It `…`.")]


def test_labels_are_read_without_docstrings() -> None:
    """Strings of several words are labels."""
    text = '"""Told by a module."""\nA = "three words here"\nB = "key"\n'
    assert [each.text for each in read_labels("x.py", text)] == ["three words here"]


def test_fault_says_where_what_and_how() -> None:
    """Whoever reads the message can mend it."""
    (fault,) = check_paragraph(Paragraph("docs/page.md", 7, "It was told."), RULES)
    assert str(fault).startswith("docs/page.md:7  word of our own: told\n  sentence  It was told.\n  say: ")


def test_this_project_has_no_faults() -> None:
    """The same as `nox -s lint` asks."""
    assert [str(fault) for fault in check(ROOT, RULES)] == []
