"""Fold-outs of the side bar have a name."""

from __future__ import annotations

from bs4 import BeautifulSoup

from tensor_atlas.sphinx.navigation import named

TREE = """<ul>
<li><a href="a.html">Alone</a></li>
<li><a href="b.html">With pages</a><details><summary><span><i></i></span></summary>
<ul><li><a href="c.html">Within</a></li></ul></details></li>
<li><details><summary><p>In words</p></summary></details></li>
</ul>"""


def test_arrow_is_named_after_its_link() -> None:
    """One that has words keeps them, and a link without pages gets nothing."""
    summaries = named(BeautifulSoup(TREE, "html.parser")).find_all("summary")
    assert [summary.get("aria-label") for summary in summaries] == ["Pages of With pages", None]
