"""The landing page: pick a conversion, paste an error, what the last releases changed, chapters as cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes

from tensor_atlas.errors import AtlasError
from tensor_atlas.site import search_box
from tensor_atlas.site.directives import (
    EvidenceDirective,
    PageContext,
    build_answer_node,
    locate_entry,
    read_field,
)
from tensor_atlas.site.execution import GALLERY, project_of
from tensor_atlas.site.memory_figures import THUMBNAIL, build_map_node
from tensor_atlas.site.memory_map import build_thumbnail_map
from tensor_atlas.site.nodes import build_element, element, join_nodes
from tensor_atlas.site.release_pages import (
    FOLDER,
    NUMPY,
    ShownChange,
    count_changes,
    find_release_changes,
    list_pages,
)

if TYPE_CHECKING:
    from docutils.nodes import Node

CHOOSE, RELEASES, CALLS, UPGRADE = "choose", "history", "reference/calls", "upgrade"
"""Pages that the panels lead on to."""
LAST = 3
"""Releases whose changes are counted."""
LISTED = 2
"""Changes that are listed."""


class Landing(EvidenceDirective):
    """The three questions people come with, each with the means to answer it."""

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        yield build_element(
            "div",
            self._build_panel("Choose a conversion", *self._build_picker(context)),
            self._build_panel("Fix an error", search_box.place()),
            self._build_panel("See what changed", *_build_change_summary(context)),
            css="atlas-panels",
        )

    def _build_panel(self, title: str, *parts: Node) -> nodes.section:
        """One panel, with a heading that can be linked to."""
        section = self.build_section(title, *parts)
        section["classes"] += ["atlas-panel", f"atlas-{section['ids'][0]}"]
        return section

    def _build_picker(self, context: PageContext) -> Iterator[Node]:
        """Every decision as a line, of which the page's script shows those that fit the reader's choice."""
        rows = [self._build_row(context, entry) for entry in self.read_entries("decisions")]
        yield build_element("div", build_element("ol", *rows, css="atlas-pick-rows"), css="atlas-pick")
        more = nodes.paragraph(classes=["atlas-more"])
        more += [context.link_page(CHOOSE, "Every kind, dtype and device"), nodes.Text(" · ")]
        more += context.link_page(CALLS, "all of these on one page")
        yield more

    def _build_row(self, context: PageContext, entry: dict[str, object]) -> element:
        """Line of a decision: what the reader has and wants, the call, and its captured answer."""
        have, want = read_field(entry, "have"), read_field(entry, "want")
        parts = [*self.parse_words(have), nodes.Text(" → "), *self.parse_words(want)]
        question = nodes.paragraph("", "", *parts, classes=["atlas-pick-asked"])
        literal = nodes.literal("", read_field(entry, "call"))
        call = nodes.paragraph("", "", literal, classes=["atlas-pick-call"])
        answer = build_answer_node(context, read_field(entry, "evidence"), locate_entry(entry))
        attributes = {"data_have": strip_markup(have), "data_want": strip_markup(want)}
        line = nodes.paragraph("", "", answer)
        return build_element("li", question, call, line, css="atlas-pick-row", **attributes)


def strip_markup(text: str) -> str:
    """Text of a TOML field without its backticks."""
    return text.replace("``", "")


# --- what changed --------------------------------------------------------------------------------


def _build_change_summary(context: PageContext) -> Iterator[Node]:
    """Counts of changes for the last releases, and the gravest of the newest that changed behaviour."""
    changes = find_release_changes(context.app)
    titles = list_pages(context.evidence)
    last = [name for name in titles if name != NUMPY][:LAST]
    if not last:
        yield nodes.paragraph("", "One release has been recorded: nothing to compare yet.")
        return
    counts = nodes.bullet_list()
    for name in last:
        counts += nodes.list_item("", _build_release_line(context, name, titles[name], changes))
    yield counts
    for name in last:
        gravest = find_gravest_changes(changes, name)
        if gravest:
            lines = (_build_change_line(context, titles[name], change) for change in gravest)
            yield nodes.bullet_list("", *(nodes.list_item("", line) for line in lines))
            break
    more = [
        context.link_page(UPGRADE, "Compare any two releases"),
        context.link_page(RELEASES, "Every release since the first recorded"),
    ]
    yield nodes.paragraph("", "", *join_nodes(more, " · "), classes=["atlas-more"])


def _build_release_line(
    context: PageContext, name: str, title: str, changes: Iterable[ShownChange]
) -> nodes.paragraph:
    """``torch 2.15: 9 in behaviour, 3 in wording``."""
    behaviour, wording = count_changes(changes, name)
    words = f": {behaviour} in behaviour, {wording} in wording" if behaviour or wording else ": nothing"
    return nodes.paragraph("", "", context.link_page(f"{FOLDER}/{name}", title), nodes.Text(words))


def find_gravest_changes(changes: Iterable[ShownChange], page: str) -> list[ShownChange]:
    """At most LISTED changes in behaviour on the page of a release, the gravest first, one an example."""
    found: dict[str, ShownChange] = {}
    for change in sorted(changes, key=lambda change: change.severity.rank):
        if change.page == page and change.severity.is_behaviour:
            found.setdefault(change.shown.example.name, change)
    return list(found.values())[:LISTED]


def _build_change_line(context: PageContext, title: str, change: ShownChange) -> nodes.paragraph:
    """``In torch 2.15, error vanished: Broadcast arrays``."""
    link = context.link_example(change.shown, anchor=f"block-{change.event.change.block + 1}")
    return nodes.paragraph("", f"In {title}, {change.severity}: ", link)


# --- the chapters ----------------------------------------------------------------------------------


class Chapters(EvidenceDirective):
    """Every chapter as a card; a line ``01_x: from_numpy`` names the example whose memory map it has."""

    has_content = True

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        examples = project_of(context.app).root / "examples"
        named = dict(line.split(": ", 1) for line in self.content if line.strip())
        headers = {path.parent.name: path for path in sorted(examples.glob("*/GALLERY_HEADER.rst"))}
        for chapter in named:
            if chapter not in headers:
                raise self._reject_line(f"no chapter {chapter}", "name a folder of examples/")
        cards = [self._build_card(context, path, named.get(name, "")) for name, path in headers.items()]
        yield build_element("ol", *cards, css="atlas-chapters")

    def _reject_line(self, what: str, do: str) -> AtlasError:
        """Error for a line of the directive: what is wrong, and what to do."""
        path, line = self.get_source_info()
        return AtlasError(f"docs/{Path(path).name}:{line}", what, do)

    def _build_card(self, context: PageContext, header: Path, example: str) -> element:
        """Title, first sentence and number of examples of a chapter, with a drawing."""
        self.env.note_dependency(str(header))
        chapter = header.parent.name
        title, _, *prose = filter(None, header.read_text(encoding="utf-8").splitlines())
        index = f"{GALLERY}/{chapter}/index"
        link = context.link_page(index, title)
        count = sum(path.name != "__init__.py" for path in header.parent.glob("*.py"))
        size = f"{count} {'example' if count == 1 else 'examples'}"
        parts = [
            nodes.paragraph("", "", link, classes=["atlas-chapter-title"]),
            nodes.paragraph("", "", *self.parse_inline("".join(prose[:1]))[0]),
            nodes.paragraph("", size, classes=["atlas-names"]),
        ]
        return build_element(
            "li", *parts, *self._build_drawing(context, chapter, example), css="atlas-chapter"
        )

    def _build_drawing(self, context: PageContext, chapter: str, example: str) -> Iterator[Node]:
        """Memory map of an example, or the figure that it draws; nothing where none is named."""
        if example.startswith("plot_"):
            images = f"/{GALLERY}/{chapter}/images"
            thumb = f"{images}/thumb/sphx_glr_{example}_thumb.png"
            # No alt text: the card's words say what it is about. Its size keeps room until it is in view.
            size = {"width": "200", "height": "140"}
            yield nodes.image("", uri=thumb, alt="", loading="lazy", classes=["no-scaled-link"], **size)
        elif example:
            shown = context.evidence.shown.get(f"{chapter}/{example}")
            memory_map = build_thumbnail_map(shown.example, shown.run) if shown else None
            if memory_map is None:
                what = f"{chapter}/{example} has no map of the memory"
                raise self._reject_line(what, "name an example that has one")
            yield build_map_node(memory_map, THUMBNAIL)
