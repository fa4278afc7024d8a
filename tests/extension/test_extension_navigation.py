"""The tree in the side bar of built pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tiny_project import CONF, SHARES, Tiny, example, tiny

from tensor_atlas.site import navigation

THEME = """
html_theme = "pydata_sphinx_theme"
html_theme_options = {"navigation_depth": 2, "collapse_navigation": True}
"""
LISTS = "{0}\n=====\n\n.. toctree::\n\n   {1}\n"


@pytest.fixture
def made(tmp_path: Path) -> Tiny:
    """Chapters with several pages each; in one of them a page has a page of its own, and one lies in another folder."""
    found = tiny(tmp_path)
    found.write("docs/conf.py", CONF + THEME)
    for chapter in ("02_y", "03_z"):
        found.write(f"examples/{chapter}/GALLERY_HEADER.rst", "Chapter\n=======\n")
        for letter in "abc":
            found.write(f"examples/{chapter}/{letter}.py", example(f"The {letter} & <i>", SHARES))
    index = (found.root / "docs/index.rst").read_text(encoding="utf-8")
    found.write("docs/index.rst", index.replace("   gallery/index\n", "   gallery/index\n   book/index\n"))
    found.write("docs/book/index.rst", LISTS.format("Book", "one\n   alone\n   two\n   deep/two"))
    found.write("docs/book/one.rst", LISTS.format("One  ", "four"))
    for name in ("alone", "two", "deep/two", "four"):
        found.write(f"docs/book/{name}.rst", f"{name}\n==========\n\nPart\n----\n\nText.\n")
    return found


def pages(made: Tiny) -> dict[str, str]:
    """Pages of the site, built from nothing."""
    app = made.app()
    app.build(force_all=True)
    folder = Path(app.outdir)
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*.html")
    }


def test_entry_of_a_page_with_pages_folds_out_under_a_name(made: Tiny) -> None:
    """On its own page; and each page marks itself once."""
    found = pages(made)
    assert 'aria-label="Pages of One"' in found["book/one.html"]
    assert 'aria-label="Pages of One"' not in found["book/two.html"]
    for name in ("alone", "two", "deep/two"):
        assert found[f"book/{name}.html"].count('aria-current="page" class="current reference internal"') == 1


def test_side_bar_of_many_chapters_leads_to_all(made: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those next to the page's own are listed."""
    monkeypatch.setattr(navigation, "MOST_LISTED", 2)
    link = '<a class="reference internal" href="{0}">All {1} in this section</a>'
    found = pages(made)
    for page in ("gallery/03_z/a.html", "gallery/03_z/index.html"):
        assert link.format("../index.html", 3) in found[page]
        assert "01_x/index.html" not in found[page]
    assert link.format("index.html", 4) in found["book/alone.html"]
    assert link.format("../index.html", 4) in found["book/deep/two.html"]


def test_tree_to_go_on_with_is_whole(made: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    """A template may ask for it, too."""
    monkeypatch.setattr(navigation, "MOST_LISTED", 2)
    app = made.app()
    found: list[int] = []

    def ask(_: object, pagename: str, __: object, context: dict[str, Any], ___: object) -> None:
        if pagename == "book/alone":
            found.extend(
                len(context["generate_toctree_html"](kind).select("li")) for kind in ("raw", "sidebar")
            )

    app.connect("html-page-context", ask, priority=950)
    app.build(force_all=True)
    assert found == [4, 3]
