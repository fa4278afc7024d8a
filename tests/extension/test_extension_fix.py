"""The top of an error page on a tiny project: the box, what stands around it, and what ends the build."""

from __future__ import annotations

from pathlib import Path

import pytest
from docutils import nodes
from sphinx.testing.util import SphinxTestApp
from tiny_project import FIX_TITLE, Tiny, html, tiny

from tensor_atlas.examples.prose import prose_to_markdown
from tensor_atlas.site.build.nodes import element

PAGE = "gallery/01_x/fixed"
ERROR_INDEX = ":orphan:\n\nErrors\n======\n\n.. error-index::\n\n   01_x/fixed: call ``detach()`` first\n"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, executed: Path) -> tuple[Tiny, SphinxTestApp]:
    """The tiny checkout with an error page."""
    made = tiny(tmp_path_factory.mktemp("tiny"), executed)
    made.add("01_x/fixed")
    made.write("docs/errors.rst", ERROR_INDEX)
    return made, made.build()


def test_fix_comes_before_everything_but_the_lead(built: tuple[Tiny, SphinxTestApp]) -> None:
    """Then when to ignore it, where it was executed, the code, and at the end the downloads."""
    text = html(built[1], PAGE)
    parts = ["it first.", "atlas-fix-before", "atlas-fix-after", "Safe to ignore"]
    parts += ['class="atlas-stamp', "import", 'id="the-fix"', 'class="atlas-offers"']
    places = [text.index(part, text.index("<h1")) for part in parts]
    assert places == sorted(places)


def test_box_holds_the_captured_message(built: tuple[Tiny, SphinxTestApp]) -> None:
    """Whole, although the title quotes a part; the line that works is copied by itself."""
    text = html(built[1], PAGE)
    before = text[text.index("atlas-fix-before") : text.index("atlas-fix-after")]
    assert "that requires grad. Use tensor.detach().numpy() instead." in before
    assert "detach" not in before.split("atlas-outcomes")[0]


def test_description_is_the_lead_as_plain_text(built: tuple[Tiny, SphinxTestApp]) -> None:
    """Search engines show it as it is."""
    assert '<meta name="description" content="detach() it first." />' in html(built[1], PAGE)


def test_title_has_the_quotes_of_the_message(built: tuple[Tiny, SphinxTestApp]) -> None:
    """Whoever searches the page for the message finds it; so do lists of pages."""
    assert built[1].env.titles[PAGE].astext() == FIX_TITLE
    assert f"<title>{FIX_TITLE}".replace("'", "&#39;") in html(built[1], PAGE)


def test_error_index_lists_a_page_with_its_fix(built: tuple[Tiny, SphinxTestApp]) -> None:
    """In one line: the class, the message in straight quotes, and the fix, both linked."""
    found = built[1].env.get_doctree("errors").findall(element)
    (line,) = (node for node in found if "atlas-error-page" in node["classes"])
    assert line.astext() == f"{FIX_TITLE} call detach() first"
    links = [link["refuri"] for link in line.findall(nodes.reference)]
    assert links == [f"{PAGE}.html", f"{PAGE}.html#the-fix"]
    assert f"<span>RuntimeError: </span>{FIX_TITLE.partition(': ')[2]}" in html(built[1], "errors")


def test_error_index_refuses_what_is_no_error_page(fresh: Tiny) -> None:
    """The build ends, and names the line."""
    fresh.write("docs/errors.rst", ERROR_INDEX.replace("fixed", "shares"))
    app = fresh.app()
    with pytest.raises(SystemExit):
        app.build()
    assert "no error page 01_x/shares" in app.warning.getvalue()


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("unused", "a fix that the script does not run"),
        ("unseen", "no statement shows what the title quotes"),
        ("untitled", "a fix on a page that is about no error"),
    ],
)
def test_page_that_says_what_no_run_shows_ends_the_build(fresh: Tiny, name: str, what: str) -> None:
    """The message names the script."""
    fresh.add(f"01_x/{name}")
    app = fresh.app()
    with pytest.raises(SystemExit):
        app.build()
    assert what in app.warning.getvalue()


def test_notebook_has_the_fix_as_code() -> None:
    """Notebooks know no directives."""
    text = prose_to_markdown(".. fix::\n\n   - a()\n   + if b:\n   +     c()\n\nMore.", {})
    assert text == "Before:\n\n```python\na()\n```\n\nAfter:\n\n```python\nif b:\n    c()\n```\n\nMore."
    shell = prose_to_markdown(".. code-block:: bash\n\n   pip install x\n\nMore.", {})
    assert shell == "```bash\npip install x\n```\n\nMore."
