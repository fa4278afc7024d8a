"""HTML: doctree nodes for elements that docutils lacks and for drawings; templates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

import jinja2
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from tensor_atlas.model.runs import Environment
from tensor_atlas.pages.statement_view import join_ids

TAGS = ("details", "summary", "div", "span", "ol", "ul", "li", "a")


class element(nodes.General, nodes.Element):  # noqa: N801 - docutils names its nodes so
    """An element of HTML; other writers see its children alone."""


def build_element(tag: str, *children: nodes.Node, css: str = "", **attributes: str) -> element:
    """Node of an element; ``data_kind="x"`` becomes ``data-kind="x"``. Text from a run goes into a child."""
    assert tag in TAGS, tag
    named = {name.replace("_", "-"): value for name, value in attributes.items()}
    return element("", *children, tag=tag, attributes=named, classes=css.split())


def build_fold(words: str, *children: nodes.Node, css: str = "", **attributes: str) -> element:
    """A fold-out, with the words that are seen of it while it is closed."""
    summary = build_element("summary", nodes.inline("", words))
    return build_element("details", summary, *children, css=css, **attributes)


def build_answers(first: nodes.Node, others: Iterable[tuple[Iterable[Environment], nodes.Node]]) -> element:
    """An answer; hidden behind it, for the picker, other answers with the environments that gave them."""
    parts = [build_element("span", first, css="atlas-answer")]
    for environments, other in others:
        ids = join_ids(environments)
        parts.append(build_element("span", other, hidden="hidden", data_environments=ids))
    return build_element("span", *parts, css="atlas-answers")


def join_nodes(parts: Iterable[nodes.Node], separator: str = ", ") -> list[nodes.Node]:
    """Nodes with text between them."""
    joined: list[nodes.Node] = []
    for part in parts:
        if joined:
            joined.append(nodes.Text(separator))
        joined.append(part)
    return joined


def render_prose(text: str) -> Iterator[nodes.Node]:
    """Text nodes and literals of a text with code between double backticks."""
    for position, part in enumerate(text.split("``")):
        if part:
            yield nodes.literal(part, part) if position % 2 else nodes.Text(part)


class drawing(nodes.General, nodes.Element):  # noqa: N801 - likewise
    """A drawing in HTML, whose names are escaped; its children are the same in words, for other writers."""


def _open_element(self: HTML5Translator, node: element) -> None:
    """Open the element; docutils escapes the attributes."""
    self.body.append(self.starttag(node, node["tag"], "", **node["attributes"]))


def _close_element(self: HTML5Translator, node: element) -> None:
    self.body.append(f"</{node['tag']}>")


def _put_in_drawing(self: HTML5Translator, node: drawing) -> None:
    self.body.append(node["html"])
    raise nodes.SkipNode


NARROW = {"atlas-compatibility", "atlas-timings"}
"""Tables whose columns hold a sign or a number, and stay columns on a phone."""


def _open_cell(self: HTML5Translator, node: nodes.entry) -> None:
    """Open a cell that says its column, so that on a phone each row can be a card."""
    type(self).visit_entry(self, node)
    if head := _find_head(node):
        self.body[-1] = self.body[-1].replace("<td", f'<td data-label="{escape(head)}"', 1)


def _close_cell(self: HTML5Translator, node: nodes.entry) -> None:
    type(self).depart_entry(self, node)


def _find_head(node: nodes.entry) -> str:
    """Words above a cell of the body; none for the first, which is the head of its row."""
    row, group = node.parent, node.parent.parent.parent
    heads = [head for part in group.findall(nodes.thead) for head in part.children[0].children]
    is_plain = isinstance(row.parent, nodes.tbody) and len(heads) == len(row)
    if not is_plain or row[0] is node or NARROW & {*group.parent["classes"]}:
        return ""
    return str(heads[row.index(node)].astext())


def _show_children(self: nodes.NodeVisitor, node: nodes.Element) -> None:
    """Writers without fold-outs show everything, those that cannot draw have the words."""


def register(app: Sphinx) -> None:
    """Make the nodes known to every writer."""
    plain = (_show_children, _show_children)
    app.add_node(
        element, html=(_open_element, _close_element), latex=plain, text=plain, man=plain, texinfo=plain
    )
    app.add_node(nodes.entry, override=True, html=(_open_cell, _close_cell))
    app.add_node(drawing, html=(_put_in_drawing, None), latex=plain, text=plain, man=plain, texinfo=plain)


def load_templates(**words: object) -> jinja2.Environment:
    """The templates of all kinds of pages, in which ``words`` can be called and read everywhere.

    A name that a template does not know raises jinja2.UndefinedError.
    """
    templates = jinja2.Environment(
        loader=jinja2.ChoiceLoader(
            [jinja2.PackageLoader(f"tensor_atlas.site.{room}") for room in ("build", "matrix")]
        ),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals |= words
    return templates


def index_below_lead(title: nodes.title) -> int:
    """Place behind the lead, the first paragraph of the section; behind the title where there is none."""
    section = title.parent
    assert section is not None
    first = section.index(title) + 1
    paragraphs = (at for at, node in enumerate(section) if at >= first and isinstance(node, nodes.paragraph))
    return next(paragraphs, first - 1) + 1
