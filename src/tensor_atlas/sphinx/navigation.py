"""The tree of pages in the side bar: its fold-outs have names, and pages beside each other share it.

An arrow alone says nothing to who does not see it. The theme makes the tree for every page anew, which takes longer the
more chapters there are, and more than half of the time in which a page is written. Pages of one chapter have the same
tree, but for the entry that is marked.
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

_TREE = "generate_toctree_html"
"""The function that the theme gives to its templates."""
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


def name(app: Sphinx, pagename: str, templatename: str, context: dict[str, object], doctree: Node | None) -> None:
    """Handler of ``html-page-context``, after the theme's: the tree of pages comes with names."""
    if _TREE not in context:
        return
    generate = cast("Callable[..., BeautifulSoup | str]", context[_TREE])
    place = _place(app, pagename)
    trees = _trees.setdefault(app, {})

    def generated(*arguments: object, **options: object) -> BeautifulSoup | str:
        if place is None or "sidebar" not in arguments:
            tree = generate(*arguments, **options)
            return tree if isinstance(tree, str) else named(tree)
        key = (*place, arguments, *sorted(options.items()))
        found = marked(trees[key], address) if key in trees else None
        if found is None:
            tree = generate(*arguments, **options)
            found = tree if isinstance(tree, str) else str(named(tree))
            plain = unmarked(found, address)
            if plain is not None:
                trees[key] = plain
        return found

    address = posixpath.basename(app.builder.get_target_uri(pagename))
    context[_TREE] = generated


def _place(app: Sphinx, pagename: str) -> tuple[object, ...] | None:
    """What pages with the same tree have in common, for a page that lists none; None for another."""
    if app not in _parents:
        _parents[app] = parents(app.env.toctree_includes)
    above = _parents[app].get(pagename)
    if above is None or app.env.toctree_includes.get(pagename):
        return None
    return posixpath.dirname(app.builder.get_target_uri(pagename)), above


def parents(listed: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    """Pages that list a page, by page, of the pages that each page has ``listed``."""
    found: dict[str, set[str]] = {}
    for page, below in listed.items():
        for one in below:
            found.setdefault(one, set()).add(page)
    return {page: frozenset(above) for page, above in found.items()}


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
    found, count = re.subn(pattern, lambda entry: new.format(level=entry[1], address=address, title=entry[2]), tree)
    return found if count == 1 else None


def named(tree: BeautifulSoup) -> BeautifulSoup:
    """The tree, in which each fold-out without words has the name of the link that it stands beside."""
    for summary in tree.find_all("summary"):
        entry = summary.find_parent("li")
        link = entry.find("a") if entry else None
        if link is not None and not summary.get_text(strip=True):
            summary["aria-label"] = f"Pages of {link.get_text(strip=True)}"
    return tree
