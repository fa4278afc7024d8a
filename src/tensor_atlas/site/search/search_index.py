"""The search box, and the script that holds what it finds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from docutils import nodes
from docutils.nodes import Node
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util import docname_join

from tensor_atlas.catalogue import CONVERSIONS, SOURCES
from tensor_atlas.compare.evidence import Evidence
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.scenarios import parse_scenarios
from tensor_atlas.files import replace_if_changed
from tensor_atlas.matrix.traits import is_trait, list_dtypes
from tensor_atlas.pages import GALLERY
from tensor_atlas.pages.matrix_places import locate_conversion
from tensor_atlas.pages.name_document import build_name_facts
from tensor_atlas.pages.search_page import (
    CHAPTER,
    EXAMPLE,
    GUIDE,
    MATRIX,
    PROJECT,
    REFERENCE,
    RELEASE,
    SearchPage,
    Wording,
    collect_wordings,
    count_links,
    describe_example,
    name_page,
    render_script,
)
from tensor_atlas.site.build.directives import EvidenceDirective
from tensor_atlas.site.build.execution import evidence_of, read_beside_pages, stop
from tensor_atlas.site.build.metadata import NOT_FOUND, find_lead
from tensor_atlas.site.build.nodes import build_element
from tensor_atlas.site.releases.name_pages import names_of
from tensor_atlas.site.search.error_index import messages_of
from tensor_atlas.toml_tables import read_tables

FILE = "atlas-index.js"
"""The index as a script: a page opened as a file can fetch no JSON."""
LATE = frozenset({FILE, "atlas-search.js", "atlas-names.js"})
"""Scripts that a page loads only when something is looked for."""
NAMES_FILE = "atlas-name-facts.js"
"""Names that releases have, as a script that is loaded only for a message about a name."""
OLDER, QUESTIONS, ASKED = "wordings.toml", "scenarios.toml", "asked.toml"
"""Files beside the pages."""
_PARTS = {"guides": GUIDE, "contributing": PROJECT, "history": RELEASE, "upgrade": RELEASE}
"""Parts of the site by folder; what else there is are references."""


ERROR_INDEX = "reference/errors"
"""Page of all messages."""


class Finder(EvidenceDirective):
    """The place of a box that the page's script makes; it holds what a reader without JavaScript is told."""

    def build_nodes(self) -> Iterable[Node]:
        words = nodes.paragraph("", "This search needs JavaScript, which is off. ", classes=["atlas-notice"])
        words += self.context.link_page(ERROR_INDEX, "The error index")
        words += nodes.Text(" lists every message; your browser can search it.")
        yield build_element("div", words, css="atlas-finder-place")


# --- the data -----------------------------------------------------------------------------------


def write_index(app: Sphinx) -> None:
    """Write the index beside the static files; end the build for a bad file."""
    try:
        script = _build_script(app)
    except AtlasError as error:
        stop(error)
    replace_if_changed(Path(app.outdir, "_static", FILE), script)
    facts = json.dumps(build_name_facts(names_of(app)), separators=(",", ":"))
    replace_if_changed(Path(app.outdir, "_static", NAMES_FILE), f"window.atlasNameFacts = {facts};\n")


def _build_script(app: Sphinx) -> str:
    evidence = evidence_of(app)
    titles = {name.removeprefix(f"{GALLERY}/"): title.astext() for name, title in app.env.titles.items()}
    asked = parse_scenarios(read_beside_pages(app, QUESTIONS), f"docs/{QUESTIONS}", evidence.pages)
    older = parse_older_wordings(read_beside_pages(app, OLDER), f"docs/{OLDER}", evidence)
    links = count_links(evidence)
    examples = [describe_example(shown, titles, asked, links) for shown in evidence.pages.values()]
    wordings = collect_wordings(evidence, messages_of(app), older)
    pages = add_asked(read_beside_pages(app, ASKED), f"docs/{ASKED}", [*examples, *_list_other_pages(app)])
    return render_script(pages, wordings, list_choices())


@dataclass(frozen=True)
class AskedEntry:
    """A table of ``docs/asked.toml``: words in which readers ask for a page."""

    page: str
    words: tuple[str, ...]


def add_asked(text: str, path: str, pages: Iterable[SearchPage]) -> list[SearchPage]:
    """Pages with the words of a TOML file as questions that they answer; AtlasError for a page unknown."""
    pages_by_name = {page.page: page for page in pages}
    for entry, where in read_tables(text, "asked", path, AskedEntry):
        if entry.page not in pages_by_name:
            raise AtlasError(where, f"no page {entry.page}", "name it as its address does")
        page = pages_by_name[entry.page]
        said = [page.questions, *(f"{words}." for words in entry.words)]
        pages_by_name[entry.page] = replace(page, questions=" ".join(filter(None, said)))
    return list(pages_by_name.values())


@dataclass(frozen=True)
class WordingEntry:
    """A table of ``docs/wordings.toml``: an error in the words of a release that nobody has recorded."""

    example: str
    type: str
    text: str
    source: str


def parse_older_wordings(text: str, path: str, evidence: Evidence) -> tuple[Wording, ...]:
    """Wordings of releases that nobody has recorded, from a TOML file; AtlasError for a bad entry."""
    wordings = []
    for entry, where in read_tables(text, "wordings", path, WordingEntry):
        if entry.example not in evidence.pages:
            raise AtlasError(where, f"no example {entry.example}", "name it <chapter>/<stem>")
        origin = f"Reported for an older release, not recorded: {entry.source}"
        page = name_page(evidence.pages[entry.example])
        wordings.append(Wording(page, entry.type, entry.text, origin))
    return tuple(wordings)


def list_choices() -> list[tuple[str, str, str, str]]:
    """Layouts and flags that the chooser asks for: name, title, form, and the dtypes that have it."""
    choices: list[tuple[str, str, str, str]] = []
    for source in filter(is_trait, SOURCES):
        dtypes = " ".join(dtype.removeprefix("torch.") for dtype in list_dtypes(source))
        choices.append((source.name, source.title, str(source.form), dtypes))
    return choices


# --- pages without an example -------------------------------------------------------------------


def _list_other_pages(app: Sphinx) -> Iterator[SearchPage]:
    """Every page but those of examples, in order of name, and the conversions of the matrix."""
    evidence = evidence_of(app)
    examples = {f"{GALLERY}/{name}" for name in evidence.pages}
    for name in sorted(app.env.found_docs - examples - {NOT_FOUND}):
        part = _find_part(name)
        document = _name_linked_pages(app, name)
        entries = [entry.astext() for entry in app.env.tocs[name].findall(nodes.reference)]
        lead = find_lead(document).replace("\n", " ")
        yield SearchPage(
            page=name,
            title=app.env.titles[name].astext(),
            part=part,
            lead=lead,
            headings=". ".join(entries[1:]),
            prose=_join_prose(document, lead) if part in (GUIDE, CHAPTER) else "",
        )
    for conversion in CONVERSIONS:
        if conversion.name in evidence.store.rows:
            page, place = locate_conversion(conversion)
            yield SearchPage(f"{page}#{place}" if place else page, conversion.title, MATRIX)


def _name_linked_pages(app: Sphinx, name: str) -> nodes.document:
    """A page as it was read, in which a link without words of its own has the title of its page."""
    document = app.env.get_doctree(name)
    for link in document.findall(addnodes.pending_xref):
        target = docname_join(name, link["reftarget"])
        if link["reftype"] == "doc" and not link["refexplicit"] and target in app.env.titles:
            link.children = [nodes.Text(app.env.titles[target].astext())]
    return document


def _find_part(name: str) -> str:
    folder = name.partition("/")[0]
    if folder == GALLERY:
        return CHAPTER if name.endswith("/index") else EXAMPLE
    return _PARTS.get(folder, REFERENCE)


def _join_prose(document: nodes.document, lead: str) -> str:
    """Paragraphs of a page, in order, without the one that a result shows."""
    found = (paragraph.astext().replace("\n", " ") for paragraph in document.findall(nodes.paragraph))
    return " ".join(text for text in found if text != lead)
