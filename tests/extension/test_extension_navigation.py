"""The tree in the side bar of built pages."""

from __future__ import annotations

from pathlib import Path

from bs4 import BeautifulSoup
from tiny_project import CONF, html, tiny

from tensor_atlas.site.gallery.gallery_quirks import name_arrows

THEME = """
html_theme = "pydata_sphinx_theme"
html_theme_options = {"navigation_depth": 2, "collapse_navigation": True}
"""
LISTS = "{0}\n=====\n\n.. toctree::\n\n   {1}\n"
TREE = """<ul>
<li><a href="a.html">Alone</a></li>
<li><a href="b.html">With pages</a><details><summary><span><i></i></span></summary>
<ul><li><a href="c.html">Within</a></li></ul></details></li>
<li><details><summary><p>In words</p></summary></details></li>
</ul>"""


def test_arrow_is_named_after_its_link() -> None:
    """One that has words keeps them, and a link without pages gets nothing."""
    summaries = name_arrows(BeautifulSoup(TREE, "html.parser")).find_all("summary")
    assert [summary.get("aria-label") for summary in summaries] == ["Pages of With pages", None]


def test_entry_of_a_page_with_pages_folds_out_under_a_name(tmp_path: Path, executed: Path) -> None:
    """On its own page; and each page marks itself once."""
    made = tiny(tmp_path, executed)
    made.write("docs/conf.py", CONF + THEME)
    index = (tmp_path / "docs/index.rst").read_text(encoding="utf-8")
    made.write("docs/index.rst", index.replace("   gallery/index\n", "   gallery/index\n   book/index\n"))
    made.write("docs/book/index.rst", LISTS.format("Book", "one\n   two"))
    made.write("docs/book/one.rst", LISTS.format("One", "four"))
    for name in ("two", "four"):
        made.write(f"docs/book/{name}.rst", f"{name}\n=====\n\nPart\n----\n\nText.\n")
    app = made.build()
    assert 'aria-label="Pages of One"' in html(app, "book/one")
    assert 'aria-label="Pages of One"' not in html(app, "book/two")
    assert html(app, "book/two").count('aria-current="page" class="current reference internal"') == 1
