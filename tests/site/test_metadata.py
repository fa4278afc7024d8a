"""What a page tells those who link to it, list it or cite it."""

from __future__ import annotations

import hashlib
import struct
import tomllib
from base64 import b64encode
from xml.etree import ElementTree as ET

import pytest
from docutils import nodes
from docutils.utils import new_document
from samples import ROOT

from tensor_atlas import __version__
from tensor_atlas.site.build.metadata import (
    CARD,
    TEMPLATES,
    describe_policy,
    expand_title,
    find_description,
    first_sentence,
    render_bibtex,
    render_feed,
    render_sitemap,
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


def test_page_of_the_matrix_is_described_by_its_subject() -> None:
    """Others by the first sentence under their title; what is no document has none."""
    for name, title in (("matrix/conversion/a", "x.numpy()"), ("matrix/source/a", "An array")):
        expanded = expand_title(name, title)
        assert expanded.startswith(f"{title}: ")
        assert find_description(name, expanded, None).startswith(expanded.rstrip("?"))
    assert expand_title("guides/a", "Title") == "Title"
    page = new_document("page")
    page += nodes.section("", nodes.title("", "Title"), nodes.paragraph("", "One thing. Another."))
    assert find_description("guides/a", "Title", page) == "One thing."
    assert find_description("guides/a", "Title", None) == ""


def render_head(**values: object) -> str:
    """Head of a page of the site at BASE that anybody may list."""
    facts = {
        "description": "One & all.",
        "address": f"{BASE}a.html",
        "base": BASE,
        "is_home": False,
        "has_feed": False,
    }
    return TEMPLATES.get_template("head.html").render(
        **{"title": 'A "b" <c>', "is_listed": True, **facts, **values}
    )


def test_head_names_title_description_address_and_picture() -> None:
    """As text: nothing a title holds becomes markup."""
    found = {line.split('"')[1]: line.split('"')[3] for line in render_head().splitlines()}
    assert found["og:title"] == "A &#34;b&#34; &lt;c&gt;"
    assert found["description"] == found["og:description"] == "One &amp; all."
    assert (found["og:url"], found["og:image"]) == (f"{BASE}a.html", f"{BASE}{CARD}")
    assert found["twitter:card"] == "summary_large_image"
    assert found["og:type"] == "article"


def test_head_without_an_address_names_no_picture() -> None:
    """A relative picture would show nowhere."""
    found = render_head(address="", base="", description="")
    assert "og:url" not in found
    assert "og:image" not in found
    assert "description" not in found
    assert 'content="summary"' in found


def test_picture_is_there() -> None:
    """Of the size that others show."""
    assert struct.unpack(">II", (ROOT / "docs" / CARD).read_bytes()[16:24]) == (1200, 630)


def test_policy_lets_the_scripts_of_the_page_run_and_no_other() -> None:
    """By the digest of what stands between the tags; a script with an address is no text."""
    policy = describe_policy('<script src="a.js"></script><script>f()</script><script id="x">g()</script>')
    digests = [b64encode(hashlib.sha256(code).digest()).decode() for code in (b"f()", b"g()")]
    assert policy.endswith(f"script-src 'self' file: 'sha256-{digests[0]}' 'sha256-{digests[1]}'")
    assert "unsafe-inline" not in policy.partition("script-src")[2]


def test_feed_is_xml_with_an_entry_for_each_page() -> None:
    """The newest record dates the feed."""
    pages = [(f"{BASE}history/torch-2.1.html", "What torch <2.1> changed", "2026-02-03")]
    atom = "{http://www.w3.org/2005/Atom}"
    root = ET.fromstring(render_feed(BASE, [*pages, (f"{BASE}b.html", "B", "2026-01-01")]))
    assert root.findtext(f"{atom}updated") == "2026-02-03T00:00:00Z"
    entries = [
        (entry.findtext(f"{atom}id"), entry.findtext(f"{atom}title")) for entry in root.iter(f"{atom}entry")
    ]
    assert entries == [(pages[0][0], pages[0][1]), (f"{BASE}b.html", "B")]


def test_sitemap_is_xml() -> None:
    """Every address as it is."""
    found = ET.fromstring(render_sitemap([BASE, f"{BASE}a.html?b&c"]))
    assert [node.text for node in found.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")] == [
        BASE,
        f"{BASE}a.html?b&c",
    ]


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
