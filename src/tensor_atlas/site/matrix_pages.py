"""The pages of the matrix: one for each conversion and one for each source.

They are no documents: five hundred doctrees would cost a build minutes. Sphinx puts the theme around finished
HTML.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from tensor_atlas.catalogue import Conversion, Source
from tensor_atlas.matrix.table import Matrix, build_matrix
from tensor_atlas.site.execution import evidence_of
from tensor_atlas.site.matrix_html import render_conversion, render_source, sentence

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

CONVERSION, SOURCE, OVERVIEW = "matrix/conversion", "matrix/source", "matrix/index"
"""Where the pages are, below the site."""
LAYOUT = "page.html"
"""Template of every theme: what stands around a body."""
_matrices: WeakKeyDictionary[Sphinx, Matrix] = WeakKeyDictionary()


def matrix_of(app: Sphinx) -> Matrix:
    """The recorded matrix, worked out once a build."""
    if app not in _matrices:
        _matrices[app] = build_matrix(evidence_of(app).store)
    return _matrices[app]


def prepare(app: Sphinx, _: BuildEnvironment, _docnames: list[str]) -> None:
    """Handler of ``env-before-read-docs``: works the matrix out before readers are forked, who would do it each."""
    matrix_of(app)


def collect_pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Handler of ``html-collect-pages``: pages that are missing, or older than what they are made of.

    All of them take ten seconds, which a build that changed one example need not wait for.
    """
    if app.builder.name != "html":
        return
    folder, matrix = Path(app.outdir), matrix_of(app)
    pages: dict[str, Conversion | Source] = {}
    pages |= {
        f"{CONVERSION}/{name}": next(iter(row.values())).conversion for name, row in matrix.rows.items()
    }
    pages |= {
        f"{SOURCE}/{name}": next(iter(column.values())).source for name, column in matrix.columns.items()
    }
    _remove_others(folder, pages)
    newest = _time_of_inputs(folder)
    for name, subject in pages.items():
        path = folder / f"{name}.html"
        if not path.is_file() or path.stat().st_mtime < newest:
            yield name, _page(app, subject), LAYOUT


def _remove_others(folder: Path, pages: dict[str, Conversion | Source]) -> None:
    """Delete pages of conversions and sources that are no longer recorded."""
    for part in (CONVERSION, SOURCE):
        for path in (folder / part).glob("*.html"):
            if f"{part}/{path.stem}" not in pages:
                path.unlink()


def _time_of_inputs(folder: Path) -> float:
    """When the newest thing was written that pages are made of.

    Sphinx writes the overview again for another record, setting, theme or template of the site.
    """
    package = Path(__file__).parents[1]
    inputs = [*package.rglob("*.py"), *package.rglob("*.html"), folder / f"{OVERVIEW}.html"]
    return max(path.stat().st_mtime for path in inputs if path.is_file())


def _page(app: Sphinx, subject: Conversion | Source) -> dict[str, Any]:
    """What the theme is told of a page."""

    def highlight(code: str) -> str:
        whole: str = app.builder.highlighter.highlight_block(code, "python")  # type: ignore[attr-defined]
        return whole.partition("<pre>")[2].rpartition("</pre>")[0]

    matrix = matrix_of(app)
    if isinstance(subject, Conversion):
        title, body = subject.title, render_conversion(matrix, subject, highlight)
    else:
        title, body = sentence(subject.title), render_source(matrix, subject, highlight)
    return {
        "title": escape(title),  # a theme sets titles as they are
        "body": body,
        "parents": [{"link": "../index.html", "title": "Matrix"}],
        "meta": {"html_theme.sidebar_secondary.remove": "true"},
        "toc": "",
        "display_toc": False,
    }
