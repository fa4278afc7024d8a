"""The pages of the matrix: one for each source, and one for each conversion that has its own.

Another conversion is a row: of the overview, and of the page of each source that it was tried on.

They are no documents: hundreds of doctrees would cost a build minutes. Sphinx puts the theme around finished
HTML, in which the templates escape whatever a run said.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from html import escape
from pathlib import Path
from typing import Any

from markupsafe import Markup
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment import BuildEnvironment

import tensor_atlas
from tensor_atlas.catalogue import Conversion, Source, render_script
from tensor_atlas.history.cell_changes import describe_outcome
from tensor_atlas.matrix.remedies import NO_REMEDIES, Remedies, find_remedies
from tensor_atlas.matrix.table import (
    Matrix,
    build_matrix,
    find_default_environment,
    group_by_group,
    group_by_kind,
    sort_best_first,
)
from tensor_atlas.pages.matrix_places import (
    CONVERSION,
    OVERVIEW,
    SOURCE,
    anchor,
    list_pages,
    list_rows,
    locate_conversion,
    old_address,
)
from tensor_atlas.pages.matrix_words import (
    LOOKS,
    describe_result,
    label_error,
    list_outcomes,
    list_traits,
    list_untried,
    name_environments,
    name_in_picker,
    name_result,
    read_answer,
    read_outcome,
    sentence,
    tell_story,
    tell_untried,
)
from tensor_atlas.pages.release_rules import ChangeLines, list_conversion_changes, list_source_changes
from tensor_atlas.pages.row_errors import rank_inputs
from tensor_atlas.site.build.execution import evidence_of
from tensor_atlas.site.build.nodes import load_templates
from tensor_atlas.site.build.workers import write_in_processes
from tensor_atlas.site.matrix.conversion_chooser import preferences_of
from tensor_atlas.site.releases.release_rules import rules_of

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
    return find_remedies(matrix_of(app), preferences_of(app))


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


def render_conversion(
    matrix: Matrix,
    conversion: Conversion,
    highlight: Highlight,
    changes: ChangeLines | None = None,
    remedies: Remedies = NO_REMEDIES,
) -> str:
    """HTML of what one conversion does with every source it was tried on."""
    row, ranks = matrix.rows[conversion.name], rank_inputs()
    entries = sorted(row.values(), key=lambda entry: ranks[entry.source.name])
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


def break_code(text: str) -> Markup:
    """Code that may be broken behind dots, commas, brackets and underscores."""
    return Markup(re.sub(r"([.,(_])", r"\1<wbr>", str(escape(text))))  # noqa: S704 - escaped


def break_call(text: str) -> Markup:
    """Code that may be broken behind commas and opening brackets, but in no name."""
    return Markup(re.sub(r"([,(])", r"\1<wbr>", str(escape(text))))  # noqa: S704 - escaped


TEMPLATES = load_templates(
    LOOKS=LOOKS,
    MOST_CELLS=MOST_CELLS,
    MOST_LINKS=MOST_LINKS,
    anchor=anchor,
    break_call=break_call,
    break_code=break_code,
    describe_outcome=describe_outcome,
    describe_result=describe_result,
    label_error=label_error,
    list_outcomes=list_outcomes,
    name_environments=name_environments,
    name_result=name_result,
    name_in_picker=name_in_picker,
    read_answer=read_answer,
    read_outcome=read_outcome,
    render_script=render_script,
    sentence=sentence,
    tell_story=tell_story,
    tell_untried=tell_untried,
)
"""The templates of the matrix, with the functions that they call."""
