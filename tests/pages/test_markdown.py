"""Markdown of pages: what it says is what the page says, and nothing in it is taken for a mark."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tensor_atlas.pages.markdown import (
    escape,
    escape_prose,
    fence,
    quote_code,
    render_markdown,
    render_rows,
)

READER = MarkdownIt("gfm-like", {"linkify": False})


def read_back(markdown: str) -> str:
    """Text that a reader of Markdown sees, blanks alike."""
    return " ".join(BeautifulSoup(READER.render(markdown), "html.parser").get_text().split())


PIECES = {
    "table with its caption": (
        "<table><caption>What it costs</caption><tr><th>a</th></tr><tr><td>1</td></tr></table>",
        "What it costs\n\n| a |\n| --- |\n| 1 |",
    ),
    "heading": (
        '<section><h2>The fix<a class="headerlink" href="#the-fix">#</a></h2><p>Copy\nit.</p></section>',
        "## The fix\n\nCopy it.",
    ),
    "code in its language": (
        (
            '<div class="highlight-python notranslate"><div class="highlight">'
            "<pre><span>x</span> = <a>y</a>[0]\n"
            "</pre></div></div>"
        ),
        "```python\nx = y[0]\n```",
    ),
    "output of a guide": (
        '<div class="output highlight-myst-ansi"><pre>1 &lt; 2\n</pre></div>',
        "```text\n1 < 2\n```",
    ),
    "box with its label": (
        (
            '<div class="atlas-captured"><p class="atlas-label">'
            "<span>Error: </span><span>TypeError</span></p>"
            '<div class="highlight-none"><pre>*no*\n  two</pre></div></div>'
        ),
        "**Error: TypeError**\n\n```text\n*no*\n  two\n```",
    ),
    "other environments": (
        (
            "<details><summary>Changed in torch 2.1</summary><div><p><strong>torch &lt; 2.1</strong>"
            " · recorded</p><pre>a\n\nb</pre></div></details>"
        ),
        "**Changed in torch 2.1**\n\n> **torch < 2.1** · recorded\n>\n> ```text\n> a\n>\n> b\n> ```",
    ),
    "long output": (
        '<details class="atlas-long" open><summary>Output, 30 lines</summary><pre>1</pre></details>',
        "**Output, 30 lines**\n\n```text\n1\n```",
    ),
    "drawing": (
        (
            '<div class="atlas-map" role="img" aria-label="a and b share 4 bytes.">'
            "<svg><text>a</text></svg></div>"
        ),
        "a and b share 4 bytes.",
    ),
    "lists": (
        "<ul><li><p>one</p><ul><li>two</li></ul></li><li>three</li></ul><ol><li>four</li></ol>",
        "- one\n\n  - two\n\n- three\n\n1. four",
    ),
    "list that a style numbers by signs": ('<ol class="atlas-legend"><li>= shares</li></ol>', "- = shares"),
    "what a screen reader passes over": ('<p><span aria-hidden="true">▮</span> 3 share</p>', "3 share"),
    "terms": ("<dl><dt>grain</dt><dd><p>of sand</p></dd></dl>", "- **grain**\n\n  of sand"),
    "releases in a line": ('<ol class="atlas-strip"><li>= 2.0</li><li>≠ 2.1</li></ol>', "= 2.0 · ≠ 2.1"),
    "table": (
        (
            "<table><thead><tr><th>Call</th><th>Gives</th></tr></thead><tbody><tr><td><code>a|b</code></td>"
            "<td><p>1</p><p>2</p></td></tr></tbody></table>"
        ),
        "| Call | Gives |\n| --- | --- |\n| `a\\|b` | 1<br>2 |",
    ),
    "note": (
        '<div class="admonition"><p class="admonition-title">Note</p><p>Mind.</p></div>',
        "**Note**\n\nMind.",
    ),
    "list of a chapter": (
        (
            '<div class="sphx-glr-thumbnails"><div>'
            '<p><a href="a.html"><span>A</span></a></p>'
            '<div class="sphx-glr-thumbnail-title">A</div>'
            '<div class="atlas-card-lead">Never copies.</div></div></div>'
        ),
        "- [A](a.md): Never copies.",
    ),
    "counts": (
        (
            '<p><a href="x.html"><span class="atlas-outcome-shares">= 3</span>'
            '<span class="atlas-outcome-copies">≠ 4</span></a></p>'
        ),
        "[= 3 ≠ 4](x.md)",
    ),
    "answer of another release": (
        "<p><span>= shares</span><span hidden>≠ copies</span></p>",
        "= shares",
    ),
    "what only the page can do": (
        '<div class="atlas-chooser"><p>Needs a script.</p></div><form><p>Find</p></form><p>Text.</p>',
        "Text.",
    ),
    "text between blocks": ("before<p>in</p>after", "before\n\nin\n\nafter"),
}


@pytest.mark.parametrize(("html", "markdown"), PIECES.values(), ids=PIECES)
def test_piece_of_a_page_becomes(html: str, markdown: str) -> None:
    """Each kind of element that pages are made of."""
    assert render_markdown(html) == markdown


LINKS = {
    "a.html": "[x](a.md)",
    "../b/c.html#the-fix": "[x](../b/c.md#the-fix)",
    "https://pytorch.org/a.html": "[x](https://pytorch.org/a.html)",
    "example.ipynb": "[x](example.ipynb)",
    "genindex.html": "[x](genindex.html)",
    "#here": "x",
    "https://en.wikipedia.org/wiki/A_(b)": "[x](<https://en.wikipedia.org/wiki/A_(b)>)",
}


@pytest.mark.parametrize("href", LINKS)
def test_link_leads_to(href: str) -> None:
    """Pages of the site as Markdown; other places as they are; parts of the page itself have no name."""
    assert render_markdown(f'<p><a href="{href}">x</a></p>') == LINKS[href]


@given(st.text(st.characters(codec="ascii", categories=["L", "N", "P", "S", "Zs"]), min_size=1))
def test_text_is_read_as_it_was(text: str) -> None:
    """Whatever a message or a title holds."""
    shown = " ".join(text.split())
    assert read_back(render_markdown(f"<p>{text.replace('&', '&amp;').replace('<', '&lt;')}</p>")) == shown


@given(st.text(st.characters(codec="ascii", categories=["L", "N", "P", "S", "Zs"]), min_size=1))
def test_code_is_read_as_it_was(text: str) -> None:
    """Backticks, too, in a line and on lines of its own."""
    assert read_back(quote_code(text)) == " ".join(text.split())
    block = BeautifulSoup(READER.render(fence(text, "text")), "html.parser").find("pre")
    assert block is not None
    assert block.get_text() == f"{text}\n"


def test_names_stay_legible() -> None:
    """An underscore in a word is no mark; two of them around a word are."""
    assert escape("from_numpy of __array__ in a[0]") == r"from_numpy of \_\_array\_\_ in a\[0\]"
    assert escape("torch < 2.1 & <b>") == r"torch < 2.1 & \<b>"


def test_code_that_has_fences_is_fenced_by_longer_ones() -> None:
    """Output of a program that writes Markdown ends at its own end."""
    assert fence("a\n```\nb", "text") == "````text\na\n```\nb\n````"


def test_entity_in_a_text_stays_one() -> None:
    """A message about HTML keeps its signs; an ampersand alone needs nothing."""
    assert escape("&lt; a & b") == "&amp;lt; a & b"


def test_code_in_a_lead_is_code() -> None:
    """As the heading of an example writes it."""
    assert escape_prose("Never use ``a_``, *ever*.") == r"Never use `a_`, \*ever\*."


def test_rows_are_of_one_length() -> None:
    """A table whose rows differ is none."""
    assert render_rows([["a", "b"], ["c"]]) == "| a | b |\n| --- | --- |\n| c |  |"
