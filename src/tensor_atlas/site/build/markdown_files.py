"""Writes each page's Markdown beside it, and ``llms.txt``, the list of all pages (llmstxt.org)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import unescape
from pathlib import Path, PurePosixPath
from typing import Any

from sphinx.application import Sphinx

from tensor_atlas.catalogue import Source
from tensor_atlas.files import replace_if_changed
from tensor_atlas.history.cell_changes import describe_outcome
from tensor_atlas.matrix.remedies import NO_REMEDIES, Remedies
from tensor_atlas.matrix.table import (
    Entry,
    Matrix,
    find_default_environment,
    group_by_group,
    group_by_kind,
    sort_best_first,
)
from tensor_atlas.model.cells import Cell
from tensor_atlas.pages.markdown import (
    escape,
    escape_prose,
    fence,
    quote_code,
    render_markdown,
    render_rows,
)
from tensor_atlas.site.build.metadata import UNLISTED, page_address
from tensor_atlas.site.matrix.matrix_pages import (
    CONVERSION,
    LOOKS,
    SOURCE,
    describe_result,
    list_traits,
    list_untried,
    matrix_of,
    name_shown,
    remedies_of,
    sentence,
    tell_story,
    tell_untried,
)

INDEX = "llms.txt"
"""List of all pages, at the site's root."""
LINK = "atlas_markdown"
"""Address of a page's Markdown, from the page, in what the theme is told."""
OPTIONAL = "contributing/index"
"""Page whose section a reader with little room may skip; llmstxt.org gives such a section its name."""
ABOUT = """\
Every page is also Markdown: replace `.html` with `.md` in its address.
Output, warnings and errors on a page were captured from runs; conditions such as `torch < 2.3` say
where other releases differ. What no run has confirmed is labelled as shipped, reported or expected.
The page of the matrix lists the conversions and the kinds of input, each with its Markdown page."""
DATA = {
    "errors.json": "every captured error and warning with its class, message, pages, fix and releases",
    "chooser.json": "what every conversion does with every kind of input, on every recorded release",
    "names.json": "names that releases of NumPy and torch changed, with what to write instead",
    "records.json": "all records of the examples",
}
"""Documents for programs, with what they hold."""
_DESCRIPTION = re.compile(r'<meta name="description" content="([^"]*)"')


def write_page(app: Sphinx, page: str, context: dict[str, Any]) -> None:
    """Write the Markdown of a page that is written, and tell the theme its address."""
    if app.builder.name != "html" or "body" not in context or page in UNLISTED:
        return
    base = app.config.html_baseurl
    address = page_address(base, app.builder.get_target_uri(page)) if base else ""
    text = _render_tables(app, page) or render_markdown(context["body"])
    source = f"\n\nSource: <{address}>" if address else ""
    replace_if_changed(Path(app.outdir, f"{page}.md"), f"{text}{source}\n")
    context[LINK] = f"{PurePosixPath(page).name}.md"


def _render_tables(app: Sphinx, page: str) -> str:
    """A page of the matrix as tables; empty for any other page."""
    folder, _, name = page.rpartition("/")
    if folder == CONVERSION:
        return tabulate_conversion(matrix_of(app), name, remedies_of(app))
    return tabulate_source(matrix_of(app), name, remedies_of(app)) if folder == SOURCE else ""


def write_index(app: Sphinx) -> None:
    """Write the list, and remove the Markdown of pages that are gone."""
    folder, titles = Path(app.outdir), app.env.titles
    for path in folder.rglob("*.md"):
        if not path.with_suffix(".html").is_file():
            path.unlink()
    entries = {
        name: (title.astext(), read_description(folder / f"{name}.html")) for name, title in titles.items()
    }
    root = app.config.root_doc
    sections = [*list_sections(root, app.env.toctree_includes)]
    text = render_index(root, sections, entries, app.config.html_baseurl)
    replace_if_changed(folder / INDEX, text)


def list_sections(page: str, listed: Mapping[str, Iterable[str]]) -> Iterator[list[str]]:
    """Pages section by section: one that lists others, then those below it that list none."""
    below = list(listed.get(page, ()))
    yield [page, *(name for name in below if not listed.get(name))]
    for name in below:
        if listed.get(name):
            yield from list_sections(name, listed)


def read_description(path: Path) -> str:
    """What the head of a built page says of it; empty where it says nothing."""
    found = _DESCRIPTION.search(path.read_text(encoding="utf-8")) if path.is_file() else None
    return unescape(found[1]) if found else ""


def render_index(
    root: str,
    sections: Iterable[Sequence[str]],
    entries: Mapping[str, tuple[str, str]],
    base: str = "",
) -> str:
    """The list: name and description of the site, then its sections, each with links to its pages.

    ``entries`` gives the title and the description of each page; addresses are full with ``base``.
    """
    name, description = entries[root]
    data = [_entry(f"{base}{path}", path, words) for path, words in DATA.items()]
    parts = [f"# {name}", f"> {description}", ABOUT, "## Data\n\n" + "\n".join(data)]
    for pages in sections:
        title = "Optional" if pages[0] == OPTIONAL else entries[pages[0]][0]
        lines = [_entry(f"{base}{page}.md", *entries[page]) for page in pages]
        parts.append(f"## {title}\n\n" + "\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _entry(address: str, title: str, description: str) -> str:
    return f"- [{escape(title)}]({address})" + (f": {escape_prose(description)}" if description else "")


# --- pages of the matrix -----------------------------------------------------------------------------
#
# A page folds out to everything that a cell did on every release; a table says what it does on the newest,
# and how that came to be.


def tabulate_conversion(matrix: Matrix, name: str, remedies: Remedies = NO_REMEDIES) -> str:
    """Markdown of what one conversion does with every source it was tried on."""
    entries = list(matrix.rows[name].values())
    conversion = entries[0].conversion
    head = [
        f"# {quote_code(conversion.title)}",
        escape(f"{conversion.group} · {conversion.family}"),
        fence(conversion.code, "python"),
        _count(matrix, entries, "input"),
    ]
    page = _render_page(head, group_by_kind(entries).items(), "Input", _name_source, remedies)
    untried = list_untried(matrix, conversion)
    lines = [f"- {escape(source.title)}{_tell_needs(source)}" for source in untried]
    return "\n\n".join([page, "## Not run yet", "\n".join(lines)]) if untried else page


def tabulate_source(matrix: Matrix, name: str, remedies: Remedies = NO_REMEDIES) -> str:
    """Markdown of what every conversion does with one source, those that keep most of it first."""
    entries = list(matrix.columns[name].values())
    source = entries[0].source
    head = [
        f"# {escape(sentence(source.title))}",
        escape(" · ".join(list_traits(source))),
        fence(source.code, "python"),
        _count(matrix, entries, "conversion"),
    ]
    parts = group_by_group(sort_best_first(entries)).items()
    return _render_page(head, parts, "Conversion", _name_conversion, remedies)


def _tell_needs(source: Source) -> str:
    return f" (needs {' and '.join(source.needs)})" if source.needs else ""


def _count(matrix: Matrix, entries: Sequence[Entry], unit: str) -> str:
    shown = find_default_environment(entries)
    assert shown is not None
    others = len({environment for entry in entries for environment in entry.pattern.points}) - 1
    rest = f", and with {others} other environment{'s' * (others > 1)}." if others else " only."
    number = f"{len(entries)} {unit}{'s' * (len(entries) > 1)}"
    return f"{number}, as recorded with {name_shown(shown)}{rest} {tell_untried(matrix, entries)}".rstrip()


def _render_page(
    head: list[str],
    parts: Iterable[tuple[str, Iterable[Entry]]],
    unit: str,
    name: Callable[[Entry], str],
    remedies: Remedies,
) -> str:
    """Its head, then a table for each part."""
    blocks = list(head)
    for title, entries in parts:
        blocks.append(f"## {escape(sentence(title))}")
        rows = [[unit, "Outcome", "Result", "Over the releases"]]
        rows += [[name(entry), *_describe_cell(entry, remedies.find(entry))] for entry in entries]
        blocks.append(render_rows(rows))
    return "\n\n".join(blocks)


def _name_source(entry: Entry) -> str:
    return f"[{escape(entry.source.title)}](../source/{entry.source.name}.md)"


def _name_conversion(entry: Entry) -> str:
    return f"[{quote_code(entry.conversion.title)}](../conversion/{entry.conversion.name}.md)"


def _describe_cell(entry: Entry, remedy: str) -> list[str]:
    """Outcome, result or what to call instead, and how that came to be, empty where all releases do alike."""
    outcome = entry.cell.outcome
    past = tell_story(entry) if len(entry.list_answers(describe_outcome)) > 1 else ""
    instead = f" Instead: {quote_code(remedy)}." if remedy else ""
    return [f"{LOOKS[outcome].sign} {outcome}", _describe_result(entry.cell) + instead, escape(past)]


def _describe_result(cell: Cell) -> str:
    """What came out, the warnings, and the error, as they were captured."""
    words = [escape(describe_result(cell)), quote_code(cell.value)]
    words += [f"{warning.category}: {quote_code(warning.message)}" for warning in cell.warnings]
    if cell.error is not None:
        words.append(f"{cell.error.type}: {quote_code(cell.error.message or '(no message)')}")
    if cell.writes:
        words.append("The call changed its input.")
    return " ".join(filter(None, words))
