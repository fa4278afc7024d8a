"""The pages of the matrix: one for each source, and one for each conversion that has its own.

Another conversion is a row: of the overview, and of the page of each source that it was tried on.

They are no documents: hundreds of doctrees would cost a build minutes. Sphinx puts the theme around finished
HTML, in which the templates escape whatever a run said.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from html import escape
from pathlib import Path
from typing import Any

from markupsafe import Markup
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment import BuildEnvironment

import tensor_atlas
from tensor_atlas.catalogue import SOURCES, Conversion, Source, is_tried, render_script
from tensor_atlas.history.cell_changes import describe_outcome
from tensor_atlas.history.releases import USUAL_PYTHON, label_environment, python_minor, torch_release
from tensor_atlas.matrix.remedies import NO_REMEDIES, Remedies, find_remedies
from tensor_atlas.matrix.table import (
    Entry,
    Matrix,
    build_matrix,
    count_outcomes,
    find_default_environment,
    group_by_group,
    group_by_kind,
    sort_best_first,
)
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.runs import Environment
from tensor_atlas.pages.release_rules import ChangeLines, list_conversion_changes, list_source_changes
from tensor_atlas.site.build.execution import evidence_of
from tensor_atlas.site.build.nodes import load_templates
from tensor_atlas.site.build.workers import write_in_processes
from tensor_atlas.site.matrix.conversion_chooser import parse_preferences
from tensor_atlas.site.releases.release_rules import rules_of

CONVERSION, SOURCE, OVERVIEW = "matrix/conversion", "matrix/source", "matrix/index"
"""Where the pages are, below the site."""
Place = tuple[str, str]
"""A page of the site, and the part of it; empty for the whole page."""
LAYOUT = "page.html"
"""Template of every theme: what stands around a body."""
PARTS = 8
"""Processes that share the pages: more than processors, so that none waits long for the last."""
MOST_CELLS = 16
"""Cells of a section of a page before the rest is folded away."""
MOST_LINKS = 8
"""Cells that a line about a change links to before the rest is folded away."""


@lru_cache(maxsize=1)
def matrix_of(app: Sphinx) -> Matrix:
    """The recorded matrix, worked out once a build."""
    return build_matrix(evidence_of(app).store)


@lru_cache(maxsize=1)
def remedies_of(app: Sphinx) -> Remedies:
    """What to call instead where a conversion raises, worked out once a build."""
    path = Path(app.srcdir, "preferences.toml")
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return find_remedies(matrix_of(app), parse_preferences(text, f"docs/{path.name}"))


def prepare(app: Sphinx, _: BuildEnvironment, _docnames: list[str]) -> None:
    """Handler of ``env-before-read-docs``: computes the matrix before each reader is forked."""
    remedies_of(app)
    rules_of(app)


def write_pages(app: Sphinx) -> Iterable[tuple[str, dict[str, Any], str]]:
    """Handler of ``html-collect-pages``: writes pages that are missing, or older than what they are made of.

    All of them take a good part of a build, which one that changed one example need not wait for. Sphinx,
    which would write them in one process, is given none.
    """
    builder = app.builder
    if builder.name != "html":
        return ()
    assert isinstance(builder, StandaloneHTMLBuilder)
    folder, matrix = Path(app.outdir), matrix_of(app)
    pages = list_pages(matrix)
    known = {*pages, *(old_address(row) for row in list_rows(matrix))}
    for part in (CONVERSION, SOURCE):
        for path in (folder / part).glob("*.html"):
            if f"{part}/{path.stem}" not in known:
                path.unlink()  # it is no longer recorded
    newest = _find_time_of_inputs(folder)
    outdated = [name for name in pages if _is_older(folder / f"{name}.html", newest)]

    def write_some(names: Sequence[str]) -> None:
        for name in names:
            builder.handle_page(name, _build_page(app, pages[name]), LAYOUT)

    tasks = [partial(write_some, outdated[start::PARTS]) for start in range(min(PARTS, len(outdated)))]
    write_in_processes(app, tasks)
    return ()


def _is_older(path: Path, newest: float) -> bool:
    return not path.is_file() or path.stat().st_mtime < newest


def list_pages(matrix: Matrix) -> dict[str, Conversion | Source]:
    """Names of all pages, each with the conversion or the source that it is about."""
    pages: dict[str, Conversion | Source] = {}
    for conversion in _list_conversions(matrix):
        if conversion.has_page:
            pages[locate_conversion(conversion)[0]] = conversion
    for name, column in matrix.columns.items():
        pages[f"{SOURCE}/{name}"] = next(iter(column.values())).source
    return pages


def list_rows(matrix: Matrix) -> list[Conversion]:
    """Recorded conversions without a page of their own."""
    return [conversion for conversion in _list_conversions(matrix) if not conversion.has_page]


def _list_conversions(matrix: Matrix) -> list[Conversion]:
    return [next(iter(row.values())).conversion for row in matrix.rows.values()]


def locate_conversion(conversion: Conversion, source: str = "") -> Place:
    """Where a conversion stands, or what it does with the source of a name.

    The scripts of pages ask ``atlasSite.locateConversion``, which answers alike.
    """
    if conversion.has_page:
        return old_address(conversion), source
    return (f"{SOURCE}/{source}", conversion.name) if source else (OVERVIEW, conversion.name)


def old_address(conversion: Conversion) -> str:
    """Page that each conversion once had, and that one which is a row now leads on from."""
    return f"{CONVERSION}/{conversion.name}"


def _find_time_of_inputs(folder: Path) -> float:
    """When the newest thing was written that pages are made of.

    Sphinx writes the overview again for another record, setting, theme, style or template of the site.
    """
    package = Path(tensor_atlas.__file__).parent
    inputs = [folder / f"{OVERVIEW}.html"]
    for suffix in ("py", "html", "toml"):
        inputs += package.rglob(f"*.{suffix}")
    return max(path.stat().st_mtime for path in inputs if path.is_file())


def _build_page(app: Sphinx, subject: Conversion | Source) -> dict[str, Any]:
    """What the theme is told of a page."""

    def highlight(code: str) -> str:
        whole: str = app.builder.highlighter.highlight_block(code, "python")  # type: ignore[attr-defined]
        return whole.partition("<pre>")[2].rpartition("</pre>")[0]

    matrix, rules = matrix_of(app), rules_of(app)
    remedies = remedies_of(app)
    if isinstance(subject, Conversion):
        title = subject.title
        changes = list_conversion_changes(*rules, subject)
        body = render_conversion(matrix, subject, highlight, changes, remedies)
    else:
        title = sentence(subject.title)
        body = render_source(matrix, subject, highlight, list_source_changes(*rules, subject), remedies)
    return {
        "title": escape(title),  # a theme sets titles as they are
        "body": body,
        "parents": [{"link": "../index.html", "title": "Matrix"}],
        "meta": {"html_theme.sidebar_secondary.remove": "true"},
        "toc": "",
        "display_toc": False,
    }


# --- the page of one conversion or source -----------------------------------------------------------

Highlight = Callable[[str], str]
"""Python code → HTML of it, coloured."""


@dataclass(frozen=True)
class Look:
    """How pages show an outcome: by a sign and a word, so that colour never carries meaning alone."""

    sign: str
    css: str
    word: str
    meaning: str


LOOKS = {
    Outcome.SAME: Look("≡", "shares", "same", "returns the input itself"),
    Outcome.SHARES: Look("=", "shares", "shares", "a different object on the same memory"),
    Outcome.COPIES: Look("≠", "copies", "copies", "memory of its own"),
    Outcome.VALUE: Look("›", "value", "value", "a number, a string or a list, which shares no memory"),
    Outcome.NO_BYTES: Look("○", "value", "empty", "no elements, or memory without an address"),
    Outcome.RAISES: Look("×", "raises", "raises", "an exception"),
    Outcome.CRASHES: Look("†", "crashes", "crashes", "the process is killed"),
    Outcome.TIMES_OUT: Look("…", "crashes", "hangs", "does not end in time"),
    Outcome.NO_SOURCE: Look("–", "none", "absent", "this release cannot make the input"),
}


def render_conversion(
    matrix: Matrix,
    conversion: Conversion,
    highlight: Highlight,
    changes: ChangeLines | None = None,
    remedies: Remedies = NO_REMEDIES,
) -> str:
    """HTML of what one conversion does with every source it was tried on."""
    row = matrix.rows[conversion.name]
    entries = list(row.values())
    return TEMPLATES.get_template("matrix_conversion.html").render(
        matrix=matrix,
        conversion=conversion,
        shown=find_default_environment(entries),
        entries=entries,
        parts=group_by_kind(entries),
        changes=changes or {},
        find_remedy=remedies.find,
        untried=list_untried(matrix, conversion),
        code=Markup(highlight(conversion.code)),  # noqa: S704 - Pygments escapes it
    )


def list_untried(matrix: Matrix, conversion: Conversion) -> list[Source]:
    """Sources that a conversion makes sense for, and that nobody has tried it on."""
    row = matrix.rows[conversion.name]
    return [source for source in SOURCES if is_tried(conversion, source) and source.name not in row]


def render_source(
    matrix: Matrix,
    source: Source,
    highlight: Highlight,
    changes: ChangeLines | None = None,
    remedies: Remedies = NO_REMEDIES,
) -> str:
    """HTML of what every conversion does with one source."""
    entries = sort_best_first(matrix.columns[source.name].values())
    return TEMPLATES.get_template("matrix_source.html").render(
        matrix=matrix,
        source=source,
        traits=list_traits(source),
        shown=find_default_environment(entries),
        entries=entries,
        parts=group_by_group(entries),
        changes=changes or {},
        find_remedy=remedies.find,
        address=_address_from_matrix,
        code=Markup(highlight(source.code)),  # noqa: S704 - Pygments escapes it
    )


def _address_from_matrix(conversion: Conversion, source: str = "") -> str:
    """Where a conversion stands, from the page of a source."""
    page, place = locate_conversion(conversion, source)
    address = posixpath.relpath(f"{page}.html", SOURCE)
    return f"{address}#{place}" if place else address


# --- words in the templates ----------------------------------------------------------------------


def anchor(text: str) -> str:
    """Name of a part of a page."""
    return "-".join("".join(c if c.isalnum() else " " for c in text.lower()).split())


def sentence(text: str) -> str:
    """Text with a capital, other capitals kept; a name from code that it begins with stays as it is."""
    is_name = re.match(r"\w*[\d_.]", text) is not None
    return text if is_name else text[0].upper() + text[1:]


def break_code(text: str) -> Markup:
    """Code that may be broken behind dots, commas, brackets and underscores."""
    return Markup(re.sub(r"([.,(_])", r"\1<wbr>", str(escape(text))))  # noqa: S704 - escaped


def list_traits(source: Source) -> list[str]:
    """What is known of a source: its form, dtype, layout, device and flags."""
    traits = [str(source.form), source.dtype]
    if {source.layout, source.layout.replace(" ", "-")}.isdisjoint(source.flags):
        traits.append(source.layout)
    traits += [f"on {source.device}", *source.flags]
    return list(filter(None, traits))


def name_result(cell: Cell) -> str:
    """Class of the result with its dtype, or of the error: ``Tensor float32``."""
    if cell.error is not None:
        return cell.error.type
    dtype = cell.dtype.removeprefix("torch.")
    # A NumPy scalar's class is called as its dtype is.
    return cell.type if dtype == cell.type else f"{cell.type} {dtype}".strip()


def describe_result(cell: Cell) -> str:
    """What the result is, field by field: ``Tensor float32 · shape (3,) · strides (4,) bytes · on cpu``."""
    words = [name_result(cell)] if cell.error is None else []
    if cell.shape is not None:
        words.append(f"shape {tuple(cell.shape)}")
    if cell.strides:
        words.append(f"strides {tuple(cell.strides)} bytes")
    if cell.device:
        words.append(f"on {cell.device}")
    if cell.writable is not None:
        words.append("writable" if cell.writable else "read-only")
    if cell.requires_grad:
        words.append("requires grad")
    return " · ".join(filter(None, words))


def label_error(cell: Cell) -> str:
    """Heading of the box with a cell's error: its class, or what became of the process."""
    kind = cell.error.type if cell.error else ""
    return f"{kind}, uncaught" if cell.outcome is Outcome.RAISES else kind or str(cell.outcome)


def read_answer(cell: Cell) -> tuple[object, ...]:
    """What a line of a page shows of a cell."""
    return cell.outcome, name_result(cell), bool(cell.warnings), cell.writes


def read_outcome(cell: Cell) -> tuple[object, ...]:
    """What the compatibility table shows of a cell."""
    return cell.outcome, bool(cell.warnings)


def list_outcomes(entries: Iterable[Entry]) -> dict[Outcome, int]:
    """Number of entries by the outcome of the newest release; 0 for what only others gave."""
    entries = list(entries)
    elsewhere = {cell.outcome for entry in entries for cell in entry.cells}
    counts = count_outcomes(entries)
    return {outcome: counts.get(outcome, 0) for outcome in Outcome if outcome in elsewhere}


def tell_story(entry: Entry) -> str:
    """Every outcome with its releases: ``Shares memory since 2.3; raises (TypeError) before 2.3.``."""
    answers = entry.list_answers(describe_outcome)
    words = [f"{describe_outcome(one.cell)} {one.span}".strip() for one in answers]
    return f"{sentence('; '.join(words))}."


def tell_untried(matrix: Matrix, entries: Sequence[Entry]) -> str:
    """Sentence that the environment of other pages has not tried any of these cells; empty where it has."""
    newest = matrix.default_environment
    is_untried = (
        newest is not None and newest != find_default_environment(entries) and newest in entries[0].untried
    )
    return f"Not tried with {name_shown(newest)}." if newest is not None and is_untried else ""


def name_shown(environment: Environment) -> str:
    """An environment as the picker names it: ``torch 2.13.0, NumPy 2.4.6, CPU``."""
    label = label_environment(environment)
    return f"{label}, CPU" if environment.kind == "cpu" else label


@lru_cache(maxsize=4096)
def name_environments(environments: tuple[Environment, ...]) -> str:
    """Releases of torch by NumPy and device: ``NumPy 1.26.4: torch 2.2.2, 2.3.1; NumPy 2.4.6: torch 2.3``."""
    found: dict[str, list[str]] = {}
    for environment in environments:
        python = python_minor(environment)
        parts = [f"NumPy {environment.numpy}"]
        parts += [] if python == USUAL_PYTHON else [f"Python {python}"]
        parts += [] if environment.kind == "cpu" else [environment.device]
        found.setdefault(", ".join(parts), []).append(str(torch_release(environment)))
    return "; ".join(f"{rest}: torch {', '.join(releases)}" for rest, releases in found.items())


TEMPLATES = load_templates(
    LOOKS=LOOKS,
    MOST_CELLS=MOST_CELLS,
    MOST_LINKS=MOST_LINKS,
    anchor=anchor,
    break_code=break_code,
    describe_outcome=describe_outcome,
    describe_result=describe_result,
    label_error=label_error,
    list_outcomes=list_outcomes,
    name_environments=name_environments,
    name_result=name_result,
    name_shown=name_shown,
    read_answer=read_answer,
    read_outcome=read_outcome,
    render_script=render_script,
    sentence=sentence,
    tell_story=tell_story,
    tell_untried=tell_untried,
)
"""The templates of the matrix, with the functions that they call."""
