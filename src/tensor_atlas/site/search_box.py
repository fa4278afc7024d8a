"""The site's search: what can be found, as a script that a page loads when asked, and a page for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes

from tensor_atlas.catalogue import CONVERSIONS
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples import scenarios
from tensor_atlas.files import replace_if_changed
from tensor_atlas.site import search_index
from tensor_atlas.site.directives import EvidenceDirective
from tensor_atlas.site.execution import GALLERY, evidence_of, stop
from tensor_atlas.site.matrix_pages import CONVERSION
from tensor_atlas.site.metadata import NOT_FOUND, find_lead
from tensor_atlas.site.nodes import build_element, element
from tensor_atlas.site.search_index import (
    CHAPTER,
    EXAMPLE,
    FILE,
    GUIDE,
    MATRIX,
    PROJECT,
    REFERENCE,
    RELEASE,
    SearchPage,
)

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx

OLDER, QUESTIONS = "wordings.toml", "scenarios.toml"
"""Files beside the pages."""
_PARTS = {"guides": GUIDE, "contributing": PROJECT, "history": RELEASE, "upgrade": RELEASE}
"""Parts of the site by folder; what else there is are references."""


_ASKED = {
    "upgrade": "upgrade torch 2.8 to 2.15. Upgrading from NumPy 1 to NumPy 2: breaking changes, migration. "
    "What changes, what breaks with a newer version of torch or NumPy."
}
"""Questions that a page answers and does not spell out."""


class Finder(EvidenceDirective):
    """The place of a box that the page's script makes; without it a sentence on what to do."""

    def build_nodes(self) -> Iterable[Node]:
        yield place()


def place() -> element:
    """Where the box goes; it holds what a reader without JavaScript is told."""
    words = "Looking up a message needs JavaScript, which is off. "
    words += "The error index lists every message; your browser can search it."
    return build_element(
        "div", nodes.paragraph("", words, classes=["atlas-notice"]), css="atlas-finder-place"
    )


# --- the data -----------------------------------------------------------------------------------


def write(app: Sphinx, exception: Exception | None) -> None:
    """Handler of ``build-finished``: the index beside the static files; ends the build for a bad file."""
    if exception is not None or app.builder.format != "html":
        return
    try:
        script = _script(app)
    except AtlasError as error:
        stop(error)
    replace_if_changed(Path(app.outdir, "_static", FILE), script)


def _text(app: Sphinx, name: str) -> str:
    path = Path(app.srcdir) / name
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _script(app: Sphinx) -> str:
    evidence = evidence_of(app)
    titles = {name.removeprefix(f"{GALLERY}/"): title.astext() for name, title in app.env.titles.items()}
    asked = scenarios.parse_scenarios(_text(app, QUESTIONS), f"docs/{QUESTIONS}", evidence.shown)
    older = search_index.older(_text(app, OLDER), f"docs/{OLDER}", evidence, GALLERY)
    wordings = search_index.collect_wordings(evidence, older, GALLERY)
    links = search_index.count_links(evidence)
    shown = evidence.shown.values()
    examples = [search_index.describe_example(one, GALLERY, titles, asked, links) for one in shown]
    return search_index.render_script([*examples, *_pages(app)], wordings)


# --- pages without an example -------------------------------------------------------------------


def _pages(app: Sphinx) -> Iterator[SearchPage]:
    """Every page but those of examples, in order of name, and the conversions of the matrix."""
    evidence = evidence_of(app)
    examples = {f"{GALLERY}/{name}" for name in evidence.shown}
    for name in sorted(app.env.found_docs - examples - {NOT_FOUND}):
        title, *rest = _headings(app, name)
        part = _part(name)
        document = app.env.get_doctree(name)
        lead = find_lead(document).replace("\n", " ")
        prose = _prose(document, lead) if part in (GUIDE, CHAPTER) else ""
        asked = _ASKED.get(name, "")
        yield SearchPage(name, title, part, lead, ". ".join(rest), asked, prose=prose)
    for conversion in CONVERSIONS:
        if conversion.name in evidence.store.rows:
            yield SearchPage(f"{CONVERSION}/{conversion.name}", conversion.title, MATRIX)


def _part(name: str) -> str:
    folder = name.partition("/")[0]
    if folder == GALLERY:
        return CHAPTER if name.endswith("/index") else EXAMPLE
    return _PARTS.get(folder, REFERENCE)


def _headings(app: Sphinx, name: str) -> list[str]:
    """Title of a page, then its other headings."""
    found = [entry.astext() for entry in app.env.tocs[name].findall(nodes.reference)]
    return [app.env.titles[name].astext(), *found[1:]]


def _prose(document: nodes.document, lead: str) -> str:
    """Paragraphs of a page, in order, without the one that a result shows."""
    found = (paragraph.astext().replace("\n", " ") for paragraph in document.findall(nodes.paragraph))
    return " ".join(text for text in found if text != lead)
