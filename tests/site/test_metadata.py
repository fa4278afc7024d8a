"""What a page tells those who link to it, list it or cite it."""

from __future__ import annotations

import struct
from xml.etree import ElementTree as ET

from docutils import nodes
from docutils.utils import new_document
from samples import ROOT

from tensor_atlas.pages.page_head import (
    expand_title,
)
from tensor_atlas.site.build.metadata import CARD, TEMPLATES, find_description, render_feed, render_sitemap

BASE = "https://example.org/atlas/"


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
