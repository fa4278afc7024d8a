"""One doctree node for HTML elements that docutils lacks: fold-outs, parts that name their environments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from docutils import nodes

from tensor_atlas.model.runs import Environment

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

TAGS = ("details", "summary", "div", "span", "ol", "ul", "li", "a")


class element(nodes.General, nodes.Element):  # noqa: N801 - docutils names its nodes so
    """An element of HTML; other writers see its children alone."""


def html(tag: str, *children: nodes.Node, css: str = "", **attributes: str) -> element:
    """Node of an element; ``data_kind="x"`` becomes ``data-kind="x"``. Text from a run goes into a child."""
    assert tag in TAGS, tag
    named = {name.replace("_", "-"): value for name, value in attributes.items()}
    return element("", *children, tag=tag, attributes=named, classes=css.split())


def join_ids(environments: Iterable[Environment]) -> str:
    """Ids of environments with blanks between them, for an attribute."""
    return " ".join(environment.id for environment in environments)


def visit(self: HTML5Translator, node: element) -> None:
    """Open the element; docutils escapes the attributes."""
    self.body.append(self.starttag(node, node["tag"], "", **node["attributes"]))


def depart(self: HTML5Translator, node: element) -> None:
    """Close it."""
    self.body.append(f"</{node['tag']}>")


def _pass(self: nodes.NodeVisitor, node: element) -> None:
    """Writers without fold-outs show everything."""


def register(app: Sphinx) -> None:
    """Make the node known to every writer."""
    plain = (_pass, _pass)
    app.add_node(element, html=(visit, depart), latex=plain, text=plain, man=plain, texinfo=plain)
