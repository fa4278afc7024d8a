"""The pages of the matrix: one for each conversion and each source, a map of all, and counts inside sentences.

The pages of conversions and sources are no documents: five hundred doctrees would cost a build minutes. They are
finished HTML, and those that are as the last build left them are not written again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole
from sphinx.util.parallel import ParallelTasks, SerialTasks, make_chunks, parallel_available

import tensor_atlas
from tensor_atlas.catalogue.conversions import CONVERSIONS, TRIED_ON, Conversion, Group
from tensor_atlas.catalogue.sources import SOURCES
from tensor_atlas.compare.report import summarize_environment
from tensor_atlas.errors import AtlasError
from tensor_atlas.files import put
from tensor_atlas.matrix.facts import Fact, count_cells, parse_question
from tensor_atlas.matrix.table import (
    Entry,
    Matrix,
    SourceKind,
    build_matrix,
    count_outcomes,
    find_unrecorded,
    group_by_family,
    group_by_kind,
)
from tensor_atlas.model.cells import Outcome
from tensor_atlas.site import chooser_page, matrix_html
from tensor_atlas.site.directives import Page, Site, short, table
from tensor_atlas.site.execution import evidence_of, stop
from tensor_atlas.site.freshness import MATRIX, note
from tensor_atlas.site.matrix_html import CSS, MEANINGS, SIGNS, Desk, anchor, sentence
from tensor_atlas.site.metadata import BUILD
from tensor_atlas.site.nodes import element, html, ids
from tensor_atlas.site.search_data import LATE

if TYPE_CHECKING:
    from docutils.nodes import Node, system_message
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

logger = logging.getLogger(__name__)

CONVERSION, SOURCE, OVERVIEW = "matrix/conversion", "matrix/source", "matrix/index"
"""Where the pages are, below the site."""
TEMPLATE = "page.html"
"""Of every theme: the layout around a body."""

FEW = 5
"""As many pages Sphinx reads in its own process."""

_matrices: WeakKeyDictionary[Sphinx, Matrix] = WeakKeyDictionary()


def matrix_of(app: Sphinx) -> Matrix:
    """The recorded matrix, worked out once a build."""
    if app not in _matrices:
        _matrices[app] = build_matrix(evidence_of(app).store)
    return _matrices[app]


def prepare(app: Sphinx, _: BuildEnvironment, docnames: list[str]) -> None:
    """Handler of ``env-before-read-docs``: works the matrix out before readers are forked, who would do it each."""
    if app.parallel > 1 and len(docnames) > FEW:
        matrix_of(app)


# --- finished pages ----------------------------------------------------------------------------


def write(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Handler of ``html-collect-pages``: writes every page that the last build did not leave as it is now.

    It leaves none for Sphinx to write, who would write one after the other: these are written as documents are, on as
    many processors.
    """
    if app.builder.name == "html":
        _write(app)
    return iter(())


def _write(app: Sphinx) -> None:
    folder = Path(app.outdir)
    kept = Path(app.doctreedir) / "matrix-pages.json"
    key = _key(app)
    known = _known(kept)
    if known.get("") == key and all((folder / f"{name}.html").is_file() for name in known if name):
        return
    around = _around(app)
    found = {"": key}
    desk = Desk(matrix_of(app), _setter(app))

    def write_pages(pages: Sequence[_Page]) -> dict[str, str]:
        return {page.name: _written(app, page, desk, around, known.get(page.name)) for page in pages}

    def take(*told: Any) -> None:
        found.update(told[-1])  # what is done in parallel comes with what it was asked

    tasks = ParallelTasks(app.parallel) if parallel_available and app.parallel > 1 else SerialTasks()
    for pages in make_chunks(_pages(desk.matrix), max(app.parallel, 1)):  # type: ignore[arg-type]
        tasks.add_task(write_pages, pages, take)
    tasks.join()
    for name in known.keys() - found.keys():
        (folder / f"{name}.html").unlink(missing_ok=True)
    put(kept, json.dumps(dict(sorted(found.items()))))


def _written(app: Sphinx, page: _Page, desk: Desk, around: str, known: str | None) -> str:
    """Digest of a page, which has been written unless ``known`` is its digest and it is there."""
    body = page.body(desk)
    digest = _digest(around, body)
    if known != digest or not (Path(app.outdir) / f"{page.name}.html").is_file():
        app.builder.handle_page(page.name, _context(page.title, body), TEMPLATE)  # type: ignore[attr-defined]
    return digest


def _known(path: Path) -> dict[str, str]:
    """Digests of the pages of the last build, by name; that of everything they rest on under the empty name."""
    if not path.is_file():
        return {}
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _key(app: Sphinx) -> str:
    """Digest of all that the pages depend on: records, the code that makes them, and what stands around them."""
    package = Path(tensor_atlas.__file__).parent
    code = [path.read_text(encoding="utf-8") for path in sorted(package.rglob("*.py"))]
    return _digest(evidence_of(app).matrix_key, _around(app), *code)


def _around(app: Sphinx) -> str:
    """Digest of what a theme puts around each body: settings, navigation, scripts and styles."""
    values = sorted(app.config.filter({"html"}), key=lambda value: value.name)
    settings = [f"{value.name}={value.value!r}" for value in values if not value.name.endswith("_path")]
    titles = [
        f"{name} {title.astext()}" for name, title in sorted(app.env.titles.items()) if _is_top(app, name)
    ]
    folders = [Path(app.confdir, folder) for folder in dict.fromkeys(app.config.templates_path)]
    # The chooser's scripts are on its own page alone, and its data change with every row; what can be found is
    # loaded when somebody looks for it, and changes with every page; the facts of the build change with every commit.
    elsewhere = {chooser_page.FILE, chooser_page.SCRIPT, BUILD, *LATE}
    static = [path for path in (Path(app.outdir) / "_static").glob("atlas*.*") if path.name not in elsewhere]
    paths = [
        *static,
        *(p for folder in folders for p in folder.glob("*.html")),
    ]
    return _digest(*settings, *titles, *(path.read_text(encoding="utf-8") for path in sorted(paths)))


def _is_top(app: Sphinx, name: str) -> bool:
    """Whether a page stands in the bar that every page has."""
    return name in app.env.toctree_includes.get(app.config.root_doc, ())


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class _Page:
    """A page of the matrix, before it is set."""

    name: str
    title: str
    body: Callable[[Desk], str]


def _pages(found: Matrix) -> list[_Page]:
    conversions = [
        _Page(f"{CONVERSION}/{c.name}", c.title, partial(matrix_html.conversion_page, conversion=c))
        for c in CONVERSIONS
        if c.name in found.rows
    ]
    sources = [
        _Page(f"{SOURCE}/{s.name}", sentence(s.title), partial(matrix_html.source_page, source=s))
        for s in SOURCES
        if s.name in found.columns
    ]
    return conversions + sources


def _setter(app: Sphinx) -> matrix_html.Setter:
    def coloured(code: str) -> str:
        whole = app.builder.highlighter.highlight_block(code, "python")  # type: ignore[attr-defined]
        inner: str = whole.partition("<pre>")[2].rpartition("</pre>")[0]
        return inner

    return coloured


def _context(title: str, body: str) -> dict[str, Any]:
    # A theme sets titles as they are: they are HTML.
    parents = [{"link": "../index.html", "title": "Matrix"}]
    meta = {"html_theme.sidebar_secondary.remove": "true"}
    return {
        "title": escape(title),
        "body": body,
        "parents": parents,
        "meta": meta,
        "toc": "",
        "display_toc": False,
    }


# --- the map -----------------------------------------------------------------------------------


class MatrixOverview(Page):
    """How much was tried, a map of families by kinds of sources, and every page of the matrix."""

    def fill(self) -> Iterable[Node]:
        site = self.site
        note(site.app, site.docname, MATRIX)
        found = matrix_of(site.app)
        if not found.rows:
            yield nodes.paragraph("", "No cell of the matrix has been recorded yet.")
            return
        yield nodes.container("", nodes.paragraph("", _extent(found)), classes=["atlas-stamp"])
        yield _legend()
        yield self.part("Map", [_map(found)])
        yield self.part("Conversions", _families(site, found))
        yield self.part("Sources", _sources(site, found))
        yield self.part("What is tried, and what not", _rule(found))

    def part(self, title: str, children: Iterable[Node]) -> nodes.section:
        """A section of the page."""
        section = nodes.section("", nodes.title("", title), *children, ids=[nodes.make_id(title)])
        self.state.document.note_implicit_target(section, section)
        return section


def _extent(found: Matrix) -> str:
    """How many cells there are, who tried them, and when."""
    assert found.shown is not None
    count = len(found.environments)
    days = " to ".join(dict.fromkeys(found.days))
    words = f"{found.size:,} cells: {len(found.rows)} conversions on {len(found.columns)} sources, "
    words += f"recorded in {count} environment{'s' * (count != 1)}, {days}. "
    return words + f"Counted is what happened with {summarize_environment(found.shown)}."


def _legend() -> element:
    items = [
        html("li", _badge(outcome, str(outcome)), nodes.Text(f" {MEANINGS[outcome]}")) for outcome in Outcome
    ]
    return html("ol", *items, css="atlas-legend")


def _badge(outcome: Outcome, words: str) -> element:
    return html("span", nodes.Text(f"{SIGNS[outcome]} {words}"), css=f"atlas-outcome-{CSS[outcome]}")


def _map(found: Matrix) -> nodes.container:
    """Families down, kinds of sources across."""
    kinds = list(group_by_kind(entry for row in found.rows.values() for entry in row.values()))
    body: list[list[list[Node]]] = []
    families = group_by_family(c for c in CONVERSIONS if c.name in found.rows)
    for (group, family), conversions in families.items():
        fields = group_by_kind(entry for c in conversions for entry in found.rows[c.name].values())
        head = nodes.reference("", family, refuri=f"#{_family_id(group, family)}", internal=True)
        first: list[Node] = [
            nodes.paragraph("", "", head),
            nodes.paragraph("", group, classes=["atlas-names"]),
        ]
        body.append([first, *(_field(group, family, kind, fields.get(kind, [])) for kind in kinds)])
    return table(["Family", *kinds], body, "atlas-map")


def _field(group: Group, family: str, kind: SourceKind, entries: Sequence[Entry]) -> list[Node]:
    """Counts by outcome, as a link to the conversions that are counted."""
    if not entries:
        return [nodes.paragraph("", "not tried", classes=["atlas-names"])]
    found = count_outcomes(entries)
    words = ", ".join(f"{count} {outcome}" for outcome, count in found.items())
    signs = [_badge(outcome, str(count)) for outcome, count in found.items()]
    link = nodes.reference("", "", *signs, refuri=f"#{_family_id(group, family)}", classes=["atlas-field"])
    link["reftitle"] = f"{family} on {kind}: {words}"
    return [_bar(found), nodes.paragraph("", "", link)]


def _bar(found: Mapping[Outcome, int]) -> element:
    parts = [html("span", css=f"atlas-bar-{CSS[o]}", style=f"flex:{count}") for o, count in found.items()]
    return html("div", *parts, css="atlas-bar", aria_hidden="true")


def _family_id(group: Group, family: str) -> str:
    return anchor(f"family {group} {family}")


def _families(site: Site, found: Matrix) -> Iterator[Node]:
    """Every conversion by family, with how many of what, as links."""
    missing, _ = find_unrecorded(found)
    for (group, family), conversions in group_by_family(CONVERSIONS).items():
        of_group = nodes.inline("", f" · {group}", classes=["atlas-names"])
        head = nodes.paragraph("", "", nodes.strong("", family), of_group)
        items = [_conversion(site, found, conversion, conversion in missing) for conversion in conversions]
        node = html("div", head, html("ol", *items, css="atlas-list"), css="atlas-family")
        node["ids"].append(_family_id(group, family))
        yield node


def _conversion(site: Site, found: Matrix, conversion: Conversion, is_missing: bool) -> element:
    code = nodes.literal("", conversion.title)
    if is_missing:
        return html("li", code, nodes.inline("", f" {_waiting(conversion.needs)}", classes=["atlas-names"]))
    link = _link(_uri(site, f"{CONVERSION}/{conversion.name}"), code)
    return html("li", link, *_tally(found.rows[conversion.name].values()))


def _waiting(needs: Sequence[str]) -> str:
    return f"needs {' and '.join(needs)}: not yet recorded" if needs else "not yet recorded"


def _tally(entries: Iterable[Entry]) -> list[Node]:
    found = count_outcomes(entries)
    badges = [_badge(outcome, f"{count} {outcome}") for outcome, count in found.items()]
    return [html("span", *badges, css="atlas-tally-line")]


def _sources(site: Site, found: Matrix) -> Iterator[Node]:
    """Every source by kind, as links."""
    _, missing = find_unrecorded(found)
    members = group_by_kind(next(iter(column.values())) for column in found.columns.values())
    for kind, entries in members.items():
        head = nodes.paragraph("", "", nodes.strong("", str(kind)))
        items = [_source(site, entry) for entry in entries]
        yield html("div", head, html("ol", *items, css="atlas-list atlas-list-short"), css="atlas-family")
    if missing:
        head = nodes.paragraph("", "", nodes.strong("", "Not yet recorded"))
        waiting = [html("li", nodes.Text(f"{s.title}: {_waiting(s.needs)}")) for s in missing]
        yield html("div", head, html("ol", *waiting, css="atlas-list atlas-list-short"), css="atlas-family")


def _source(site: Site, entry: Entry) -> element:
    uri = _uri(site, f"{SOURCE}/{entry.source.name}")
    return html("li", _link(uri, nodes.inline("", entry.source.title)))


def _rule(found: Matrix) -> Iterator[Node]:
    """Which pairs are tried, from the rule itself, and what waits for a machine."""
    items = nodes.bullet_list()
    for group, forms in TRIED_ON.items():
        names = [f"{form}s" for form in sorted(forms)]
        words = f"Conversions of “{group}” are tried on {', '.join(names[:-1])}{' and ' * (len(names) > 1)}{names[-1]}."
        items += nodes.list_item("", nodes.paragraph("", words))
    words = f"{SourceKind.BITS}, to which nothing converts, are tried with “{Group.TO_TENSOR}” and “{Group.TO_NUMPY}” alone."
    items += nodes.list_item("", nodes.paragraph("", words))
    conversions, sources = find_unrecorded(found)
    if conversions or sources:
        words = f"No machine has tried {len(conversions)} conversions and {len(sources)} sources yet; "
        needs = sorted({n for c in conversions for n in c.needs} | {n for s in sources for n in s.needs})
        words += f"they need {', '.join(needs)}." if needs else "they are new."
        items += nodes.list_item("", nodes.paragraph("", words))
    yield items


def _link(uri: str, content: Node) -> nodes.inline:
    # Sphinx takes a link that stands in no running text for one around an image.
    return nodes.inline("", "", nodes.reference("", "", content, refuri=uri, internal=True))


def _uri(site: Site, page: str) -> str:
    return site.app.builder.get_relative_uri(site.docname, page)


# --- facts in sentences ------------------------------------------------------------------------


class CellsRole(SphinxRole):
    """``{cells}`share: to a tensor / array-float32```: how many of how many, linked to the cells."""

    def run(self) -> tuple[list[Node], list[system_message]]:
        """The count; ends the build for a name that is unknown."""
        path, line = self.get_source_info()
        site = Site(self.env._app, self.env.current_document.docname)  # noqa: SLF001
        try:
            return [_fact_node(site, self.text, f"{short(path)}:{line}", _count)], []
        except AtlasError as error:
            stop(error)


class Cells(Page):
    """The conversions that do something, by name: the list behind a count."""

    required_arguments = 1
    final_argument_whitespace = True

    def fill(self) -> Iterable[Node]:
        path, line = self.get_source_info()
        yield nodes.paragraph(
            "", "", _fact_node(self.site, self.arguments[0], f"{short(path)}:{line}", _named)
        )


def _fact_node(site: Site, text: str, where: str, shown: Callable[[Site, Fact], Node]) -> Node:
    """The newest environment's answer, and behind it those of the others, for the picker."""
    note(site.app, site.docname, MATRIX)
    question = parse_question(text, where)
    answers = count_cells(matrix_of(site.app), question)
    if not answers:
        return nodes.inline("", "(not yet recorded)")
    first, *rest = answers
    others = [
        html("span", shown(site, other), hidden="hidden", data_environments=ids(other.environments))
        for other in rest
    ]
    return html("span", html("span", shown(site, first), css="atlas-answer"), *others, css="atlas-answers")


def _count(site: Site, fact: Fact) -> Node:
    return _link(_where(site, fact), nodes.inline("", fact.words))


def _where(site: Site, fact: Fact) -> str:
    """The page that shows all the cells of an answer: of the one source or conversion, else the map."""
    sources = {entry.source.name for entry in fact.among}
    conversions = {entry.conversion.name for entry in fact.among}
    if len(sources) == 1:
        groups = {entry.conversion.group for entry in fact.among}
        part = f"#{anchor(next(iter(groups)))}" if len(groups) == 1 else ""
        return _uri(site, f"{SOURCE}/{sources.pop()}") + part
    return _uri(site, f"{CONVERSION}/{conversions.pop()}" if len(conversions) == 1 else OVERVIEW)


def _named(site: Site, fact: Fact) -> Node:
    line = nodes.inline("", "" if fact.doing else "none", classes=["atlas-cells-named"])
    for position, entry in enumerate(fact.doing):
        uri = f"{_uri(site, f'{CONVERSION}/{entry.conversion.name}')}#{entry.source.name}"
        code = nodes.literal("", entry.conversion.title)
        line += [nodes.Text(", " if position else ""), _link(uri, code)]
    return line
