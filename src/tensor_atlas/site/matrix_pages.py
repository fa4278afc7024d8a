"""The pages of the matrix: one for each conversion and one for each source.

They are no documents: five hundred doctrees would cost a build minutes. Sphinx puts the theme around finished
HTML, in which the templates escape whatever a run said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from markupsafe import Markup

from tensor_atlas.catalogue import Conversion, Source
from tensor_atlas.history.conditions import find_conditions
from tensor_atlas.history.releases import is_compatible, name_environment
from tensor_atlas.matrix.table import (
    Matrix,
    Pattern,
    SharedChange,
    build_matrix,
    count_outcomes,
    group_by_group,
    group_by_kind,
    group_changes,
    sort_best_first,
)
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.runs import Environment
from tensor_atlas.site.execution import evidence_of
from tensor_atlas.site.nodes import load_templates

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

CONVERSION, SOURCE, OVERVIEW = "matrix/conversion", "matrix/source", "matrix/index"
"""Where the pages are, below the site."""
LAYOUT = "page.html"
"""Template of every theme: what stands around a body."""
LONGEST_MESSAGE = 160
"""Characters of a message that a list of changes shows; the cell has all of it."""
MOST_LINKS = 8
"""Cells that a line about a change links to before the rest is folded away."""

_matrices: WeakKeyDictionary[Sphinx, Matrix] = WeakKeyDictionary()


def matrix_of(app: Sphinx) -> Matrix:
    """The recorded matrix, worked out once a build."""
    if app not in _matrices:
        _matrices[app] = build_matrix(evidence_of(app).store)
    return _matrices[app]


def prepare(app: Sphinx, _: BuildEnvironment, _docnames: list[str]) -> None:
    """Handler of ``env-before-read-docs``: computes the matrix before each reader is forked."""
    matrix_of(app)


def collect_pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Handler of ``html-collect-pages``: pages that are missing, or older than what they are made of.

    All of them take ten seconds, which a build that changed one example need not wait for.
    """
    if app.builder.name != "html":
        return
    folder, pages = Path(app.outdir), list_pages(matrix_of(app))
    _remove_other_pages(folder, pages)
    newest = _find_time_of_inputs(folder)
    for name, subject in pages.items():
        path = folder / f"{name}.html"
        if not path.is_file() or path.stat().st_mtime < newest:
            yield name, _build_page(app, subject), LAYOUT


def list_pages(matrix: Matrix) -> dict[str, Conversion | Source]:
    """Names of all pages, each with the conversion or the source that it is about."""
    pages: dict[str, Conversion | Source] = {}
    for name, row in matrix.rows.items():
        pages[f"{CONVERSION}/{name}"] = next(iter(row.values())).conversion
    for name, column in matrix.columns.items():
        pages[f"{SOURCE}/{name}"] = next(iter(column.values())).source
    return pages


def _remove_other_pages(folder: Path, pages: dict[str, Conversion | Source]) -> None:
    """Delete pages of conversions and sources that are no longer recorded."""
    for part in (CONVERSION, SOURCE):
        for path in (folder / part).glob("*.html"):
            if f"{part}/{path.stem}" not in pages:
                path.unlink()


def _find_time_of_inputs(folder: Path) -> float:
    """When the newest thing was written that pages are made of.

    Sphinx writes the overview again for another record, setting, theme, style or template of the site.
    """
    package = Path(__file__).parents[1]
    inputs = [folder / f"{OVERVIEW}.html"]
    for suffix in ("py", "html", "toml"):
        inputs += package.rglob(f"*.{suffix}")
    return max(path.stat().st_mtime for path in inputs if path.is_file())


def _build_page(app: Sphinx, subject: Conversion | Source) -> dict[str, Any]:
    """What the theme is told of a page."""

    def highlight(code: str) -> str:
        whole: str = app.builder.highlighter.highlight_block(code, "python")  # type: ignore[attr-defined]
        return whole.partition("<pre>")[2].rpartition("</pre>")[0]

    if isinstance(subject, Conversion):
        title, body = subject.title, render_conversion(matrix_of(app), subject, highlight)
    else:
        title, body = sentence(subject.title), render_source(matrix_of(app), subject, highlight)
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
    """How pages show an outcome: by a sign and a class, so that colour never carries meaning alone."""

    sign: str
    css: str
    meaning: str


LOOKS = {
    Outcome.SAME: Look("≡", "shares", "the very object that came in"),
    Outcome.SHARES: Look("=", "shares", "another object over the same bytes"),
    Outcome.COPIES: Look("≠", "copies", "bytes of its own"),
    Outcome.VALUE: Look("›", "value", "a number, a text or a list: nothing whose memory could be shared"),
    Outcome.NO_BYTES: Look("○", "value", "no elements, or no memory that has an address"),
    Outcome.RAISES: Look("×", "raises", "an exception"),
    Outcome.CRASHES: Look("†", "crashes", "the process dies"),
    Outcome.TIMES_OUT: Look("…", "crashes", "no end in sight"),
    Outcome.NO_SOURCE: Look("–", "none", "this release cannot make the source"),
}


def render_conversion(matrix: Matrix, conversion: Conversion, highlight: Highlight) -> str:
    """HTML of what one conversion does with every source it was tried on."""
    entries = list(matrix.rows[conversion.name].values())
    return TEMPLATES.get_template("matrix_conversion.html").render(
        matrix=matrix,
        conversion=conversion,
        entries=entries,
        parts=group_by_kind(entries),
        code=Markup(highlight(conversion.code)),  # noqa: S704 - Pygments escapes it
    )


def render_source(matrix: Matrix, source: Source, highlight: Highlight) -> str:
    """HTML of what every conversion does with one source."""
    entries = list(matrix.columns[source.name].values())
    return TEMPLATES.get_template("matrix_source.html").render(
        matrix=matrix,
        source=source,
        traits=list_traits(source),
        entries=entries,
        parts=group_by_group(entries),
        code=Markup(highlight(source.code)),  # noqa: S704 - Pygments escapes it
    )


# --- words in the templates ----------------------------------------------------------------------


def anchor(text: str) -> str:
    """Name of a part of a page."""
    return "-".join("".join(c if c.isalnum() else " " for c in text.lower()).split())


def sentence(text: str) -> str:
    """Text with a capital, other capitals kept; a name from code that it begins with stays as it is."""
    is_name = re.match(r"\w*[\d_.]", text) is not None
    return text if is_name else text[0].upper() + text[1:]


def clip_message(text: str) -> str:
    """Text of at most LONGEST_MESSAGE characters."""
    return text if len(text) <= LONGEST_MESSAGE else text[: LONGEST_MESSAGE - 1] + "…"


def list_traits(source: Source) -> list[str]:
    """What is known of a source: its form, dtype, layout, device and flags."""
    traits = [str(source.form), source.dtype]
    if source.layout.replace(" ", "-") not in source.flags:
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


def group_by_release(changes: Iterable[SharedChange]) -> dict[str, list[SharedChange]]:
    """Changes under the release that brought them, in their own order."""
    found: dict[str, list[SharedChange]] = {}
    for change in changes:
        found.setdefault(change.name, []).append(change)
    return found


@lru_cache(maxsize=4096)
def name_environments(environments: tuple[Environment, ...]) -> str:
    """Names of environments, separated by commas."""
    return ", ".join(map(name_environment, environments))


@lru_cache(maxsize=65536)
def environments_by_condition(pattern: Pattern, index: int) -> list[tuple[str, str]]:
    """Conditions that hold where one thing was done and nowhere else, each with the environments' names.

    Environments whose NumPy is incompatible with their torch stand apart.
    """
    there = pattern.alike[index]
    compatible = tuple(filter(is_compatible, there))
    incompatible = tuple(e for e in there if not is_compatible(e))
    found = []
    if compatible:
        elsewhere = chain.from_iterable(pattern.alike[:index] + pattern.alike[index + 1 :])
        condition = _find_condition(compatible, tuple(filter(is_compatible, elsewhere)))
        found.append((condition, name_environments(compatible)))
    if incompatible:
        found.append(("a NumPy that does not fit its torch", name_environments(incompatible)))
    return found


@lru_cache(maxsize=65536)
def _find_condition(there: Sequence[Environment], elsewhere: Sequence[Environment]) -> str:
    """Releases that tell some environments from the others."""
    if not elsewhere:
        return "every environment whose NumPy fits its torch"
    return " or ".join(find_conditions(there, elsewhere))


TEMPLATES = load_templates(
    LOOKS=LOOKS,
    MOST_LINKS=MOST_LINKS,
    anchor=anchor,
    clip_message=clip_message,
    count_outcomes=count_outcomes,
    describe_result=describe_result,
    environments_by_condition=environments_by_condition,
    group_by_release=group_by_release,
    group_changes=group_changes,
    label_error=label_error,
    name_environment=name_environment,
    name_environments=name_environments,
    name_result=name_result,
    sentence=sentence,
    sort_best_first=sort_best_first,
)
"""The templates of the matrix, with the functions that they call."""
