"""The page that lists errors and warnings that the examples met, by message."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from weakref import WeakKeyDictionary

from docutils import nodes
from docutils.nodes import Node
from sphinx.application import Sphinx

from tensor_atlas.compare.evidence import Evidence
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.messages import is_error_page
from tensor_atlas.pages.error_messages import (
    ErrorLine,
    Message,
    collect_messages,
    find_fix,
    name_libraries,
    view_errors,
)
from tensor_atlas.site.build.directives import EvidenceDirective, PageContext, build_filter
from tensor_atlas.site.build.execution import ALL_EXAMPLES, evidence_of
from tensor_atlas.site.build.nodes import build_element, build_fold, element

_messages: WeakKeyDictionary[Sphinx, tuple[Evidence, tuple[Message, ...]]] = WeakKeyDictionary()


def messages_of(app: Sphinx) -> tuple[Message, ...]:
    """Messages of the build that ``app`` is making, collected once for its evidence."""
    evidence = evidence_of(app)
    known = _messages.get(app)
    if known is None or known[0] is not evidence:
        known = _messages[app] = evidence, collect_messages(evidence)
    return known[1]


class ErrorIndex(EvidenceDirective):
    """Error pages in order of the lines ``13_errors/x: the fix in six words``; every message by class."""

    has_content = True

    def build_nodes(self) -> Iterable[Node]:
        pages = [self._build_page_line(line) for line in self.content if line.strip()]
        yield build_filter("atlas-words-selects")
        if pages:
            pages_list = build_element("ul", *pages, css="atlas-lines")
            yield self.build_section("Errors with a page of their own", pages_list)
        self.context.depend_on(ALL_EXAMPLES)
        view = view_errors(messages_of(self.context.app))
        groups = [_build_class(self.context, name, lines) for name, lines in view.classes]
        # A message names its environments by place: their ids would be most of the page.
        index = build_element("div", *groups, data_environments=" ".join(view.environments))
        yield self.build_section("All messages by class", index)

    def _build_page_line(self, line: str) -> element:
        """An error page: its class and message, and its fix in a few words."""
        name, _, words = line.partition(": ")
        page = self.context.evidence.pages.get(name)
        if page is None or not is_error_page(page.example):
            raise AtlasError(self.where, f"no error page {name}", "correct its line")
        class_name, _, message = page.example.title.partition(": ")
        title = nodes.inline("", "", nodes.inline("", f"{class_name}: "), nodes.Text(message))
        link = self.context.link_example(page, title)
        # A page whose remedy stands at its top has no heading for it.
        anchor = "the-fix" if find_fix(page) else ""
        fix = self.context.link_example(page, nodes.inline("", "", *self.parse_words(words)), anchor)
        attributes = {"data_class": class_name, "data_library": name_libraries(page)}
        paragraph = nodes.paragraph("", "", link, nodes.Text(" "), fix, support_smartquotes=False)
        return build_element("li", paragraph, css="atlas-error-page", **attributes)


def _build_class(context: PageContext, name: str, lines: Sequence[ErrorLine]) -> element:
    """Every message of a class, folded."""
    lines_list = build_element("ul", *(_build_line(context, line) for line in lines), css="atlas-lines")
    return build_fold(f"{name} ({len(lines)})", lines_list, css="atlas-fold", data_class=name)


def _build_line(context: PageContext, line: ErrorLine) -> element:
    """A message with the page that shows it, and the releases that have it where not all do."""
    paragraph = nodes.paragraph("", f"{line.words} ", support_smartquotes=False)
    anchor = f"block-{line.sighting.location.block_index + 1}"
    paragraph += context.link_example(line.sighting.evidence, anchor=anchor)
    if line.where:
        paragraph += [nodes.Text(" "), nodes.inline("", line.where)]
    attributes = {"data_library": line.libraries}
    if line.pattern.strip():
        attributes["data_pattern"] = line.pattern
    node = build_element("li", paragraph, css="atlas-message", **attributes)
    node["ids"].append(f"m-{line.slug}")
    return node
