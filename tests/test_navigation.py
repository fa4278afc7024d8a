"""Fold-outs of the side bar have a name, and it has an end."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup

from tensor_atlas.site.navigation import name_arrows, parents, section_of, shorten

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


# --- no longer than a page can bear ----------------------------------------------------------------


def chapters(count: int, current: int | None) -> BeautifulSoup:
    """Tree of so many chapters; one may be that of the page, and lists it."""
    entries = [f'<li class="toctree-l1"><a href="{i}.html">Chapter {i}</a></li>' for i in range(count)]
    if current is not None:
        inside = '<details><ul><li class="toctree-l2 current"><a href="#">Page</a></li></ul></details>'
        entries[current] = f'<li class="toctree-l1 current"><a href="{current}.html">Its own</a>{inside}</li>'
    return BeautifulSoup(f"<ul>{''.join(entries)}</ul>", "html.parser")


@pytest.mark.parametrize(
    ("current", "shown"),
    [(None, range(4)), (0, range(4)), (1, range(4)), (5, range(3, 7)), (8, range(6, 10)), (9, range(6, 10))],
)
def test_side_bar_lists_the_chapters_next_to_that_of_the_page(current: int | None, shown: range) -> None:
    """As many wherever the page stands, with what its own chapter lists, and the way to all."""
    found = shorten(chapters(10, current), 4, "../index.html")
    links = [link["href"] for link in found.select("li.toctree-l1 > a")]
    assert links == [*(f"{i}.html" for i in shown), "../index.html"]
    assert found.find_all("a")[-1].get_text() == "All 10 in this section"
    assert len(found.select("li.toctree-l2")) == (current is not None)


@pytest.mark.parametrize(("count", "address"), [(3, "../index.html"), (4, "../index.html"), (10, None)])
def test_few_chapters_are_all_listed(count: int, address: str | None) -> None:
    """And so are many where there is no page that lists them."""
    assert str(shorten(chapters(count, 1), 4, address)) == str(chapters(count, 1))


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("gallery/a/one", "gallery"),
        ("gallery/a", "gallery"),
        ("gallery", "gallery"),
        ("index", None),
        ("odd", None),
    ],
)
def test_section_is_what_the_first_page_lists(page: str, expected: str | None) -> None:
    """However deep the page lies; pages that list each other in a circle are in none."""
    listed = {"index": ["gallery"], "gallery": ["gallery/a"], "gallery/a": ["gallery/a/one"], "odd": ["even"]}
    assert section_of(page, parents({**listed, "even": ["odd"]}), "index") == expected


def test_page_is_listed_by_all_that_list_it() -> None:
    """In one place or in two."""
    assert parents({"index": ["a", "b"], "b": ["a"], "c": []}) == {"a": {"index", "b"}, "b": {"index"}}
