"""How the project's own examples are titled and begun: what lists, cards and search results show of them."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest
from samples import ROOT

from tensor_atlas.examples.files import read_examples

LONGEST_TITLE, MOST_WORDS = 70, 40
PATHS = sorted((ROOT / "examples").glob("*/*.py"))


def head(text: str) -> tuple[str, str]:
    """Title of an example, and its lead: the paragraph below."""
    docstring = ast.get_docstring(ast.parse(text)) or ""
    title, _, _, *rest = docstring.split("\n")
    paragraph, _, _ = "\n".join(rest).partition("\n\n")
    return title, " ".join(paragraph.split())


def find_fault(title: str, lead: str) -> str:
    """What is wrong with a title and a lead; nothing where they serve."""
    if len(title) > LONGEST_TITLE:
        return f"title of {len(title)} characters"
    if lead.startswith("Decide") or lead.endswith("?"):
        return "lead that asks"
    if len(lead.split()) > MOST_WORDS:
        return f"lead of {len(lead.split())} words"
    return "" if lead else "no lead"


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_lead_answers_in_few_words(path: Path) -> None:
    """It is the page's description, link card and search snippet."""
    assert find_fault(*head(path.read_text(encoding="utf-8"))) == ""


@pytest.mark.parametrize(
    "path", sorted(ROOT.glob("examples/*/GALLERY_HEADER.rst")), ids=lambda p: p.parent.name
)
def test_chapter_stands_below_the_heading_of_the_index(path: Path) -> None:
    """Its title is underlined with dashes: with equal signs it would be a second heading of that page."""
    title, rule, *_ = path.read_text(encoding="utf-8").split("\n")
    assert rule == "-" * len(title)


def test_no_two_examples_have_one_title() -> None:
    """A list shows nothing else of them."""
    titles = [head(path.read_text(encoding="utf-8"))[0] for path in PATHS]
    assert [title for title in titles if titles.count(title) > 1] == []


def test_no_two_tags_are_spellings_of_one_word() -> None:
    """A reader who presses one of two would miss the examples of the other."""
    tags = {tag for example in read_examples(PATHS, ROOT) for tag in example.tags}
    words = [re.sub(r"[-_]", " ", tag).removesuffix("s") for tag in tags]
    assert [word for word, count in Counter(words).items() if count > 1] == []


@pytest.mark.parametrize(
    ("title", "lead", "fault"),
    [
        ("t" * 71, "It copies.", "title of 71 characters"),
        ("A title", "Decide whether to copy.", "lead that asks"),
        ("A title", "Does it copy?", "lead that asks"),
        ("A title", "word " * 41, "lead of 41 words"),
        ("A title", "", "no lead"),
    ],
)
def test_faults_are_found(title: str, lead: str, fault: str) -> None:
    """Each rule bites."""
    assert find_fault(title, lead) == fault
