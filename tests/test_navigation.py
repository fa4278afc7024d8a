"""Fold-outs of the side bar have a name, it has an end, and pages beside each other share its tree."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup

from tensor_atlas.site.navigation import marked, named, parents, section, shortened, unmarked

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
    found = shortened(chapters(10, current), 4, "../index.html")
    links = [link["href"] for link in found.select("li.toctree-l1 > a")]
    assert links == [*(f"{i}.html" for i in shown), "../index.html"]
    assert found.find_all("a")[-1].get_text() == "All 10 in this section"
    assert len(found.select("li.toctree-l2")) == (current is not None)


@pytest.mark.parametrize(("count", "address"), [(3, "../index.html"), (4, "../index.html"), (10, None)])
def test_few_chapters_are_all_listed(count: int, address: str | None) -> None:
    """And so are many where there is no page that lists them."""
    assert str(shortened(chapters(count, 1), 4, address)) == str(chapters(count, 1))


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
    assert section(page, parents({**listed, "even": ["odd"]}), "index") == expected


# --- shared by pages beside each other -------------------------------------------------------------

ENTRY = '<li class="toctree-l2"><a class="reference internal" href="{0}.html">The {0}</a></li>'
MARKED = (
    '<li class="toctree-l2 current active"><a aria-current="page" class="current reference internal" href="#">'
    "The {0}</a></li>"
)


def tree(*entries: str) -> str:
    """Tree of a chapter."""
    return f'<ul class="current">{"".join(entries)}</ul>'


def test_mark_goes_from_one_entry_to_another() -> None:
    """And the tree is as the theme would have made it."""
    first = tree(MARKED.format("a"), ENTRY.format("b"), ENTRY.format("c"))
    plain = unmarked(first, "a.html")
    assert plain == tree(*map(ENTRY.format, "abc"))
    assert marked(plain, "a.html") == first
    assert marked(plain, "c.html") == tree(ENTRY.format("a"), ENTRY.format("b"), MARKED.format("c"))


@pytest.mark.parametrize(
    "odd",
    [
        tree(*map(ENTRY.format, "ab")),
        tree(MARKED.format("a"), MARKED.format("a")),
        tree(MARKED.format("a"), ENTRY.format("a")),
        tree(MARKED.format("a"), '<li><a href="#">Top</a></li>'),
        tree(MARKED.format("a").replace("current active", "current active has-children")),
        tree(MARKED.format("a").replace("reference internal", "reference external")),
    ],
)
def test_tree_that_looks_otherwise_is_not_shared(odd: str) -> None:
    """No entry is marked, or another one too, or it has pages of its own."""
    assert unmarked(odd, "a.html") is None


@pytest.mark.parametrize(
    "odd",
    [
        tree(*map(ENTRY.format, "bc")),
        tree(*map(ENTRY.format, "aa")),
        tree(ENTRY.format("a").replace("toctree-l2", "toctree-l2 has-children")),
        tree(ENTRY.format("a").replace("internal", "external")),
    ],
)
def test_page_that_is_no_entry_or_no_plain_one_is_not_marked(odd: str) -> None:
    """The theme makes its tree."""
    assert marked(odd, "a.html") is None


def test_page_is_listed_by_all_that_list_it() -> None:
    """In one place or in two."""
    assert parents({"index": ["a", "b"], "b": ["a"], "c": []}) == {"a": {"index", "b"}, "b": {"index"}}


def test_title_may_hold_whatever_a_title_holds() -> None:
    """Markup, and what a pattern would take for its own."""
    title = r'<code class="docutils">x &amp; \1</code> $'
    plain = tree(ENTRY.format("a").replace("The a", title), ENTRY.format("b"))
    found = marked(plain, "a.html")
    assert found == tree(MARKED.format("a").replace("The a", title), ENTRY.format("b"))
    assert unmarked(found, "a.html") == plain
