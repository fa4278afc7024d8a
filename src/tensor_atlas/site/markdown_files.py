"""Writes each page's Markdown beside it, and ``llms.txt``, the list of all pages (llmstxt.org)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from tensor_atlas.files import replace_if_changed
from tensor_atlas.site.markdown import escape, escape_prose, render_markdown
from tensor_atlas.site.matrix_markdown import render_conversion, render_source
from tensor_atlas.site.matrix_pages import CONVERSION, SOURCE, matrix_of
from tensor_atlas.site.metadata import UNLISTED, page_address

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx

INDEX = "llms.txt"
"""List of all pages, at the site's root."""
LINK = "atlas_markdown"
"""Address of a page's Markdown, from the page, in what the theme is told."""
OPTIONAL = "contributing/index"
"""Page whose section a reader with little room may skip; llmstxt.org gives such a section its name."""
ABOUT = """\
Every page is also Markdown: write `.md` in the place of `.html` in its address.
Output, warnings and errors on a page were captured from runs; conditions such as `torch < 2.3` say
where other releases differ. What no run has confirmed is labelled as shipped, reported or expected.
The page of the matrix lists a page for each conversion and for each kind of input."""
DATA = {
    "errors.json": "every captured error and warning with its class, message, pages, fix and releases",
    "chooser.json": "what every conversion does with every kind of input, on every recorded release",
    "records.json": "everything that is recorded of the examples",
}
"""Documents for programs, with what they hold."""
_DESCRIPTION = re.compile(r'<meta name="description" content="([^"]*)"')


def write_page(
    app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: Node | None
) -> None:
    """Handler of ``html-page-context``: writes the Markdown of every page that is written."""
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
        return render_conversion(matrix_of(app), name)
    return render_source(matrix_of(app), name) if folder == SOURCE else ""


def finish(app: Sphinx, exception: Exception | None) -> None:
    """Handler of ``build-finished``: write the list, and remove the Markdown of pages that are gone."""
    if exception is not None or app.builder.name != "html":
        return
    folder, titles = Path(app.outdir), app.env.titles
    for path in folder.rglob("*.md"):
        if not path.with_suffix(".html").is_file():
            path.unlink()
    root = app.config.root_doc
    sections = [
        ("Optional" if pages[0] == OPTIONAL else titles[pages[0]].astext(), pages)
        for pages in list_sections(root, app.env.toctree_includes)
    ]
    entries = {
        name: (title.astext(), read_description(folder / f"{name}.html")) for name, title in titles.items()
    }
    text = render_index(entries[root], sections, entries, app.config.html_baseurl)
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
    site: tuple[str, str],
    sections: Iterable[tuple[str, Iterable[str]]],
    entries: Mapping[str, tuple[str, str]],
    base: str = "",
) -> str:
    """The list: the site's name and description, headings with links; full addresses with ``base``."""
    name, description = site
    parts = [f"# {name}", f"> {description}", ABOUT]
    for title, pages in sections:
        lines = [_entry(f"{base}{page}.md", *entries[page]) for page in pages]
        parts.append(f"## {title}\n\n" + "\n".join(lines))
    data = [_entry(f"{base}{path}", path, words) for path, words in DATA.items()]
    parts.insert(3, "## Data\n\n" + "\n".join(data))
    return "\n\n".join(parts) + "\n"


def _entry(address: str, title: str, description: str) -> str:
    return f"- [{escape(title)}]({address})" + (f": {escape_prose(description)}" if description else "")
