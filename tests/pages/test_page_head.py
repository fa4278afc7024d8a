"""What the head of a page says, and what may run on it."""

from __future__ import annotations

import hashlib
import tomllib
from base64 import b64encode

import pytest
from samples import ROOT

from tensor_atlas import __version__
from tensor_atlas.pages.page_head import (
    describe_policy,
    first_sentence,
    render_bibtex,
    root_links,
)

BASE = "https://example.org/atlas/"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("One thing. Another.", "One thing."),
        ("Use torch.from_numpy here.\nThen stop.", "Use torch.from_numpy here."),
        ("Version 2.3 is\nout! `It` is.", "Version 2.3 is out!"),
        ("No stop", "No stop"),
        ("", ""),
        ("word " * 100 + "end.", "word " * 40 + "…"),
    ],
)
def test_first_sentence_ends_where_a_reader_would(text: str, sentence: str) -> None:
    """A dot in a name or a number ends nothing; what is long is cut at a word."""
    assert first_sentence(text) == sentence


def test_policy_lets_the_scripts_of_the_page_run_and_no_other() -> None:
    """By the digest of what stands between the tags; a script with an address is no text."""
    policy = describe_policy('<script src="a.js"></script><script>f()</script><script id="x">g()</script>')
    digests = [b64encode(hashlib.sha256(code).digest()).decode() for code in (b"f()", b"g()")]
    assert policy.endswith(f"script-src 'self' file: 'sha256-{digests[0]}' 'sha256-{digests[1]}'")
    assert "unsafe-inline" not in policy.partition("script-src")[2]


def test_links_of_a_rooted_page_work_from_any_depth() -> None:
    """Links into the site begin at its root; others stay; doing it twice changes nothing."""
    page = (
        '<html data-content_root="./"><a href="a/b.html#c"></a><a href="#d"></a><a href="https://e.org/"></a>'
    )
    page += '<script src="_static/f.js?v=1"></script><a href="./"></a>'
    there = '<html data-content_root="/atlas/"><a href="/atlas/a/b.html#c"></a><a href="#d"></a>'
    there += (
        '<a href="https://e.org/"></a><script src="/atlas/_static/f.js?v=1"></script><a href="/atlas/"></a>'
    )
    assert root_links(page, BASE) == there
    assert root_links(there, BASE) == there


def test_citation_file_says_what_the_project_says() -> None:
    """Version, license and title are those of the package."""
    lines = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    found = dict(line.split(": ", 1) for line in lines if ": " in line and line[0].isalpha())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert found["version"] == __version__
    assert found["license"] == project["license"]
    assert found["title"].strip('"') in render_bibtex("", "", "")
