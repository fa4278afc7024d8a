"""Completes the tree of pages in the side bar: its arrows get names, and it lists a bounded number of chapters.

The theme's arrows have no text for a screen reader. A tree that grew with the number of chapters would make
the whole site grow with its square, so that a page lists the chapters next to its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, cast

from bs4 import BeautifulSoup

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx

MOST_LISTED = 24
"""Chapters that a side bar lists."""
_TREE = "generate_toctree_html"
"""The function that the theme gives to its templates."""
_BAR = "sidebar"
"""Its argument for a tree in HTML."""
_LINK = '<li class="toctree-l1"><a class="reference internal" href="{address}">{title}</a></li>'
"""An entry of the tree, as the theme writes it."""


def complete_side_bar(
    app: Sphinx,
    pagename: str,
    _template: str,
    context: dict[str, object],
    _doctree: Node | None,
) -> None:
    """Handler of ``html-page-context``, after the theme's: its function makes trees with names, and with an end."""
    if _TREE not in context:
        return
    generate = cast("Callable[..., BeautifulSoup | str]", context[_TREE])
    section = section_of(pagename, parents(app.env.toctree_includes), app.config.root_doc)
    to_all = None if section is None else app.builder.get_relative_uri(pagename, section)

    def generate_completed(*arguments: object, **options: object) -> BeautifulSoup | str:
        tree = generate(*arguments, **options)
        if isinstance(tree, str):
            return tree
        named = name_arrows(tree)
        return shorten(named, MOST_LISTED, to_all) if _BAR in arguments else named

    context[_TREE] = generate_completed


def parents(listed: Mapping[str, Iterable[str]]) -> dict[str, set[str]]:
    """Pages that list a page, by page, of the pages that each page has ``listed``."""
    found: dict[str, set[str]] = {}
    for page, below in listed.items():
        for one in below:
            found.setdefault(one, set()).add(page)
    return found


def section_of(page: str, above: Mapping[str, set[str]], root: str) -> str | None:
    """The part of the site that a page belongs to, which ``root`` lists; None for a page that lies in none."""
    seen: set[str] = set()
    while page not in seen and above.get(page):
        if root in above[page]:
            return page
        seen.add(page)
        page = min(above[page])
    return None


def name_arrows(tree: BeautifulSoup) -> BeautifulSoup:
    """The tree, in which each fold-out without words has the name of the link that it stands beside."""
    for summary in tree.find_all("summary"):
        entry = summary.find_parent("li")
        link = entry.find("a") if entry else None
        if link is not None and not summary.get_text(strip=True):
            summary["aria-label"] = f"Pages of {link.get_text(strip=True)}"
    return tree


def shorten(tree: BeautifulSoup, most: int, to_all: str | None) -> BeautifulSoup:
    """The tree with at most ``most`` entries at its top, those next to the current one, and a link ``to_all``.

    Without an address, it stays as it is.
    """
    if to_all is None:
        return tree
    for top in tree.find_all("ul", recursive=False):
        entries = top.find_all("li", recursive=False)
        if len(entries) <= most:
            continue
        current = [i for i, entry in enumerate(entries) if "current" in entry.get_attribute_list("class")]
        here = current[0] if current else 0
        first = max(0, min(here - most // 2, len(entries) - most))
        for entry in (*entries[:first], *entries[first + most :]):
            entry.decompose()
        link = _LINK.format(address=to_all, title=f"All {len(entries)} in this section")
        top.append(BeautifulSoup(link, "html.parser"))
    return tree
