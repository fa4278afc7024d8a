"""The tree of pages in the side bar: its fold-outs have names, it has an end, and pages beside each other share it.

An arrow alone says nothing to who does not see it. A page would be longer the more chapters there are: of many, those
next to its own are listed. The theme makes the tree for every page anew, which takes longer the more chapters there
are, and more than half of the time in which a page is written. Pages of one chapter have the same tree, but for the
entry that is marked.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias, cast
from weakref import WeakKeyDictionary

from bs4 import BeautifulSoup

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx

MOST_LISTED = 24
"""Chapters that a side bar lists."""
_TREE = "generate_toctree_html"
"""The function that the theme gives to its templates."""
_BAR = "sidebar"
"""What a template asks it for, where not for a tree to go on with."""
_PLAIN = '<li class="toctree-l{level}"><a class="reference internal" href="{address}">{title}</a></li>'
"""An entry of the tree, as it stands there."""
_MARKED = (
    '<li class="toctree-l{level} current active"><a aria-current="page" class="current reference internal" href="#">'
    "{title}</a></li>"
)
"""The entry of the page itself."""

Trees: TypeAlias = "dict[tuple[object, ...], str]"
"""Trees in which no entry is marked, by what they depend on."""
_trees: WeakKeyDictionary[Sphinx, Trees] = WeakKeyDictionary()
_parents: WeakKeyDictionary[Sphinx, dict[str, frozenset[str]]] = WeakKeyDictionary()
"""Pages that list a page."""


def name(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, object], doctree: Node | None
) -> None:
    """Handler of ``html-page-context``, after the theme's: the tree of pages comes with names, and with an end."""
    if _TREE not in context:
        return
    generate = cast("Callable[..., BeautifulSoup | str]", context[_TREE])
    place = _place(app, pagename)
    trees = _trees.setdefault(app, {})

    def made(*arguments: object, **options: object) -> BeautifulSoup | str:
        tree = generate(*arguments, **options)
        if isinstance(tree, str):
            return tree
        return shortened(named(tree), MOST_LISTED, to_all) if _BAR in arguments else named(tree)

    def generated(*arguments: object, **options: object) -> BeautifulSoup | str:
        if place is None or _BAR not in arguments:
            return made(*arguments, **options)
        key = (*place, arguments, *sorted(options.items()))
        found = marked(trees[key], address) if key in trees else None
        if found is None:
            found = str(made(*arguments, **options))
            plain = unmarked(found, address)
            if plain is not None:
                trees[key] = plain
        return found

    address = posixpath.basename(app.builder.get_target_uri(pagename))
    part = section(pagename, _above(app), app.config.root_doc)
    to_all = None if part is None else app.builder.get_relative_uri(pagename, part)
    context[_TREE] = generated


def _place(app: Sphinx, pagename: str) -> tuple[object, ...] | None:
    """What pages with the same tree have in common, for a page that lists none; None for another."""
    above = _above(app).get(pagename)
    if above is None or app.env.toctree_includes.get(pagename):
        return None
    return posixpath.dirname(app.builder.get_target_uri(pagename)), above


def _above(app: Sphinx) -> dict[str, frozenset[str]]:
    """Pages that list a page, by page."""
    if app not in _parents:
        _parents[app] = parents(app.env.toctree_includes)
    return _parents[app]


def parents(listed: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    """Pages that list a page, by page, of the pages that each page has ``listed``."""
    found: dict[str, set[str]] = {}
    for page, below in listed.items():
        for one in below:
            found.setdefault(one, set()).add(page)
    return {page: frozenset(above) for page, above in found.items()}


def section(page: str, above: Mapping[str, frozenset[str]], root: str) -> str | None:
    """The part of the site that a page belongs to, which ``root`` lists; None for a page that lies in none."""
    seen: set[str] = set()
    while page not in seen and above.get(page):
        if root in above[page]:
            return page
        seen.add(page)
        page = min(above[page])
    return None


def unmarked(tree: str, address: str) -> str | None:
    """A tree without the mark of the page at ``address``; None where it is not that entry alone that is marked."""
    if tree.count("aria-current") != 1 or tree.count(' href="#"') != 1 or f' href="{address}"' in tree:
        return None
    return _replaced(tree, _MARKED, _PLAIN, address)


def marked(tree: str, address: str) -> str | None:
    """A tree without a mark, with that of the page at ``address``; None where that is not an entry, once."""
    if tree.count(f' href="{address}"') != 1:
        return None
    return _replaced(tree, _PLAIN, _MARKED, address)


def _replaced(tree: str, old: str, new: str, address: str) -> str | None:
    """A tree with the entry of one form in another; None where there is not exactly one."""
    pattern = old.format(level=r"(\d+)", address=re.escape(address), title="(.*?)")
    found, count = re.subn(
        pattern, lambda entry: new.format(level=entry[1], address=address, title=entry[2]), tree
    )
    return found if count == 1 else None


def named(tree: BeautifulSoup) -> BeautifulSoup:
    """The tree, in which each fold-out without words has the name of the link that it stands beside."""
    for summary in tree.find_all("summary"):
        entry = summary.find_parent("li")
        link = entry.find("a") if entry else None
        if link is not None and not summary.get_text(strip=True):
            summary["aria-label"] = f"Pages of {link.get_text(strip=True)}"
    return tree


def shortened(tree: BeautifulSoup, most: int, to_all: str | None) -> BeautifulSoup:
    """The tree with so many entries at its top, those next to the current one, and a link ``to_all`` for the others.

    Without an address, it stays as it is.
    """
    for top in tree.find_all("ul", recursive=False) if to_all is not None else ():
        entries = top.find_all("li", recursive=False)
        if len(entries) <= most:
            continue
        here = next(
            (index for index, entry in enumerate(entries) if "current" in entry.get_attribute_list("class")),
            0,
        )
        first = max(0, min(here - most // 2, len(entries) - most))
        for entry in (*entries[:first], *entries[first + most :]):
            entry.decompose()
        words = f"All {len(entries)} in this section"
        top.append(BeautifulSoup(_PLAIN.format(level=1, address=to_all, title=words), "html.parser"))
    return tree
