"""The landing page: a conversion to pick, an error to paste, what the last releases changed, chapters as cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes

from tensor_atlas.errors import AtlasError
from tensor_atlas.site import search_box
from tensor_atlas.site.directives import EvidenceDirective, Site, build_answer_node, locate_entry, read_field
from tensor_atlas.site.memory_figures import drawing
from tensor_atlas.site.memory_map import at_a_glance, sentences
from tensor_atlas.site.memory_svg import THUMBNAIL, draw
from tensor_atlas.site.nodes import element, html
from tensor_atlas.site.release_pages import FOLDER, NUMPY, Found, changes_of, pages

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx

STYLE = "atlas-landing.css"
SCRIPT = "atlas-landing.js"
CHOOSE, RELEASES, CALLS = "choose", "history", "reference/calls"
"""Pages that the panels lead on to."""
LAST = 3
"""Releases whose changes are counted."""
NAMED = 2
"""Changes that are named."""


class Landing(EvidenceDirective):
    """The three questions people come with, each with the means to answer it."""

    def fill(self) -> Iterable[Node]:
        site = self.site
        yield html(
            "div",
            self.panel("Choose a conversion", *self.pick(site)),
            self.panel("Fix an error", search_box.place()),
            self.panel("See what changed", *changed(site)),
            css="atlas-panels",
        )

    def panel(self, title: str, *parts: Node) -> nodes.section:
        """One panel, with a heading that can be linked to."""
        name = nodes.make_id(title)
        section = nodes.section(
            "", nodes.title("", title), *parts, ids=[name], classes=["atlas-panel", f"atlas-{name}"]
        )
        self.state.document.note_implicit_target(section, section)
        return section

    def pick(self, site: Site) -> Iterator[Node]:
        """Every decision as a line; the page's script shows those that answer what was picked."""
        rows = [self.row(site, entry) for entry in self.read_entries("decisions")]
        yield html("div", html("ol", *rows, css="atlas-pick-rows"), css="atlas-pick")
        more = nodes.paragraph(
            "", "", link(site, CHOOSE, "Every kind, dtype and device"), classes=["atlas-more"]
        )
        more += [nodes.Text(" · "), link(site, CALLS, "all of these on one page")]
        yield more

    def row(self, site: Site, entry: dict[str, object]) -> element:
        """What somebody has and wants, the call, and what became of it."""
        have, want = (read_field(entry, key) for key in ("have", "want"))
        asked = nodes.paragraph("", "", *self.prose(have), nodes.Text(" → "), *self.prose(want))
        asked["classes"].append("atlas-pick-asked")
        call = nodes.paragraph(
            "", "", nodes.literal("", read_field(entry, "call")), classes=["atlas-pick-call"]
        )
        answer = nodes.paragraph(
            "", "", build_answer_node(site, read_field(entry, "evidence"), locate_entry(entry))
        )
        named = {"data_have": plain(have), "data_want": plain(want)}
        return html("li", asked, call, answer, css="atlas-pick-row", **named)

    def prose(self, text: str) -> list[Node]:
        """Inline markup of a TOML field."""
        inline, messages = self.parse_inline(text)
        return [*inline, *messages]


def plain(text: str) -> str:
    """Text of a TOML field without its markup, for a list to pick from."""
    return text.replace("``", "")


def link(site: Site, page: str, words: str) -> nodes.reference:
    """Link to a page of the site."""
    uri = site.app.builder.get_relative_uri(site.docname, page)
    return nodes.reference("", "", nodes.inline("", words), refuri=uri, internal=True)


# --- what changed --------------------------------------------------------------------------------


def changed(site: Site) -> Iterator[Node]:
    """How much each of the last releases changed, and the gravest changes of the newest that changed behaviour."""
    found = changes_of(site.app)
    last = [(name, title) for name, title in pages(site.evidence).items() if name != NUMPY][:LAST]
    if not last:
        yield nodes.paragraph("", "One release has been recorded: nothing to compare yet.")
        return
    yield nodes.bullet_list("", *(nodes.list_item("", released(site, *one, found)) for one in last))
    yield from gravest(site, last, found)
    yield nodes.paragraph(
        "", "", link(site, RELEASES, "Every release since the first recorded"), classes=["atlas-more"]
    )


def released(site: Site, name: str, title: str, found: Iterable[Found]) -> nodes.paragraph:
    """``torch 2.15: 9 in behaviour, 3 in wording``."""
    kinds = [one.event.change.severity.is_behaviour for one in found if one.page == name]
    words = f": {sum(kinds)} in behaviour, {len(kinds) - sum(kinds)} in wording" if kinds else ": nothing"
    return nodes.paragraph("", "", link(site, f"{FOLDER}/{name}", title), nodes.Text(words))


def gravest(site: Site, last: Iterable[tuple[str, str]], found: Sequence[Found]) -> Iterator[Node]:
    """What the newest of these releases with another behaviour did, one line an example."""
    for name, title in last:
        mine = [one for one in found if one.page == name and one.event.change.severity.is_behaviour]
        if mine:
            ranked = sorted(mine, key=lambda one: one.event.change.severity.rank)
            first = {one.shown.example.name: one for one in reversed(ranked)}  # of each example its gravest
            named = [one for one in ranked if first[one.shown.example.name] is one][:NAMED]
            yield nodes.bullet_list("", *(nodes.list_item("", told(site, title, one)) for one in named))
            return


def told(site: Site, title: str, one: Found) -> nodes.paragraph:
    """``In torch 2.15, error vanished: Broadcast arrays``."""
    words = f"In {title}, {one.event.change.severity}: "
    return nodes.paragraph("", words, site.link(one.shown, anchor=f"block-{one.event.change.block + 1}"))


# --- the chapters ----------------------------------------------------------------------------------


class Chapters(EvidenceDirective):
    """Every chapter as a card; a line ``01_x: from_numpy`` names the example whose map of the memory stands on it."""

    has_content = True

    def fill(self) -> Iterable[Node]:
        site = self.site
        examples = Path(site.app.srcdir) / site.app.config.tensor_atlas_root / "examples"
        named = dict(line.split(": ", 1) for line in self.content if line.strip())
        headers = {path.parent.name: path for path in sorted(examples.glob("*/GALLERY_HEADER.rst"))}
        for chapter in named:
            if chapter not in headers:
                raise self.wrong(f"no chapter {chapter}", "name a folder of examples/")
        yield html(
            "ol",
            *(self.card(site, path, named.get(name, "")) for name, path in headers.items()),
            css="atlas-chapters",
        )

    def wrong(self, what: str, do: str) -> AtlasError:
        """What is wrong with a line of the directive."""
        path, line = self.get_source_info()
        return AtlasError(f"docs/{Path(path).name}:{line}", what, do)

    def card(self, site: Site, header: Path, example: str) -> element:
        """Title, first sentence and number of examples of a chapter, with a drawing."""
        self.env.note_dependency(str(header))
        chapter = header.parent.name
        title, _, *prose = (line for line in header.read_text(encoding="utf-8").splitlines() if line)
        index = f"{site.app.config.tensor_atlas_gallery}/{chapter}/index"
        count = sum(path.name != "__init__.py" for path in header.parent.glob("*.py"))
        head = nodes.paragraph("", "", link(site, index, title), classes=["atlas-chapter-title"])
        size = nodes.paragraph(
            "", f"{count} {'example' if count == 1 else 'examples'}", classes=["atlas-names"]
        )
        parts = [head, nodes.paragraph("", "", *self.parse_inline("".join(prose[:1]))[0]), size]
        return html("li", *parts, *self.drawing(site, chapter, example), css="atlas-chapter")

    def drawing(self, site: Site, chapter: str, example: str) -> Iterator[Node]:
        """Map of an example, or the figure that it draws; nothing where none is named."""
        if example.startswith("plot_"):
            thumb = (
                f"/{site.app.config.tensor_atlas_gallery}/{chapter}/images/thumb/sphx_glr_{example}_thumb.png"
            )
            # The card's words say what it is about, and the card is the link; room is kept until the figure is in view.
            size = {"width": "200", "height": "140"}
            yield nodes.image("", uri=thumb, alt="", loading="lazy", classes=["no-scaled-link"], **size)
        elif example:
            shown = site.evidence.shown.get(f"{chapter}/{example}")
            found = at_a_glance(shown.example, shown.run) if shown else None
            if found is None:
                raise self.wrong(
                    f"{chapter}/{example} has no map of the memory", "name an example that has one"
                )
            words = (nodes.paragraph("", sentence) for sentence in sentences(found))
            yield drawing("", *words, html=draw(found, THUMBNAIL), classes=["atlas-map"])


# --- what the page loads -----------------------------------------------------------------------------


def load(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, object], doctree: Node | None
) -> None:
    """Handler of ``html-page-context``: a page with panels or cards loads the style, with panels the script too."""
    found = {
        css for node in (doctree.findall(element) if doctree is not None else ()) for css in node["classes"]
    }
    if found & {"atlas-panels", "atlas-chapters"}:
        app.add_css_file(STYLE, priority=600)
    if "atlas-panels" in found:
        app.add_js_file(SCRIPT, priority=600, defer="defer")
