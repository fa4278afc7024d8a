"""Gives the theme's fold-outs in the side bar a name: an arrow alone says nothing to who does not see it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from bs4 import BeautifulSoup

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx

_TREE = "generate_toctree_html"
"""The function that the theme gives to its templates."""


def name(app: Sphinx, pagename: str, templatename: str, context: dict[str, object], doctree: Node | None) -> None:
    """Handler of ``html-page-context``, after the theme's: the tree of pages comes with names."""
    if _TREE not in context:
        return
    generate = cast("Callable[..., BeautifulSoup | str]", context[_TREE])

    def generated(*arguments: object, **options: object) -> BeautifulSoup | str:
        tree = generate(*arguments, **options)
        return tree if isinstance(tree, str) else named(tree)

    context[_TREE] = generated


def named(tree: BeautifulSoup) -> BeautifulSoup:
    """The tree, in which each fold-out without words has the name of the link that it stands beside."""
    for summary in tree.find_all("summary"):
        entry = summary.find_parent("li")
        link = entry.find("a") if entry else None
        if link is not None and not summary.get_text(strip=True):
            summary["aria-label"] = f"Pages of {link.get_text(strip=True)}"
    return tree
