"""The box at the top of an error page: the code that fails with its message, and the code that works."""

from __future__ import annotations

from collections.abc import Iterable

from docutils import nodes
from docutils.nodes import Node
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.messages import is_error_page
from tensor_atlas.pages.fix_view import FixView, view_fix
from tensor_atlas.site.build.execution import app_of, example_of_page, stop
from tensor_atlas.site.build.nodes import build_element, element
from tensor_atlas.site.gallery.output_nodes import build_box, build_own_boxes

NARROW = 37
"""Characters in a line of code up to which both sides stand beside each other."""


class FixDirective(SphinxDirective):
    """``.. fix::`` in the docstring of an error page; each line is code that the script runs."""

    has_content = True

    def run(self) -> list[Node]:
        """The box; ends the build for a line that the script does not run."""
        docname = self.env.current_document.docname
        page = example_of_page(app_of(self.env), docname)
        if page is None or not is_error_page(page.example):
            problem = "a fix on a page that is about no error"
            stop(AtlasError(docname, problem, "begin its title with the class"))
        try:
            fix = view_fix(page)
        except AtlasError as error:
            stop(error)
        assert fix is not None  # its directive is being read
        return [build_fix_box(fix)]


def keep_title(app: Sphinx, doctree: nodes.document) -> None:
    """Handler of ``doctree-read``, before Sphinx collects titles: quotes of a message stay straight."""
    page = example_of_page(app, app.env.current_document.docname)
    title = next(iter(doctree.findall(nodes.title)), None)
    if page is not None and title is not None and is_error_page(page.example):
        title.clear()
        title += nodes.Text(page.example.title)


def build_fix_box(fix: FixView) -> element:
    """Code that fails and its message, beside the code that works and its output."""
    outputs = [box for own in fix.outputs for box in build_own_boxes(own)]
    before = _build_side("Before", fix.before, [_build_message(fix)], "atlas-fix-before")
    after = _build_side("After", fix.after, outputs, "atlas-fix-after")
    longest = max(map(len, f"{fix.before}\n{fix.after}".split("\n")))
    css = f"atlas-fix-box{' atlas-fix-wide' if longest > NARROW else ''}"
    return build_element("div", before, after, css=css)


def _build_side(label: str, code: str, outcome: Iterable[Node], css: str) -> element:
    head = nodes.paragraph("", label, classes=["atlas-label"])
    literal = nodes.literal_block(code, code, language="python", classes=["atlas-code"])
    return build_element("div", head, literal, *outcome, css=css)


def _build_message(fix: FixView) -> element:
    """The box with the message that the title quotes."""
    outcome = build_element("div", build_box(fix.message), css="atlas-outcome")
    return build_element("div", outcome, css="atlas-outcomes", data_statement=str(fix.statement))
