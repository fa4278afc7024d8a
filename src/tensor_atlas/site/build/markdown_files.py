"""Writes each page's Markdown beside it, and ``llms.txt``, the list of all pages (llmstxt.org)."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path, PurePosixPath
from typing import Any

from sphinx.application import Sphinx

from tensor_atlas.files import replace_if_changed
from tensor_atlas.pages.markdown import render_markdown
from tensor_atlas.pages.matrix_markdown import tabulate_conversion, tabulate_source
from tensor_atlas.pages.matrix_places import CONVERSION, SOURCE
from tensor_atlas.pages.page_head import page_address
from tensor_atlas.pages.page_list import list_sections, render_index
from tensor_atlas.site.build.metadata import UNLISTED
from tensor_atlas.site.matrix.matrix_pages import matrix_of, remedies_of

INDEX = "llms.txt"
"""List of all pages, at the site's root."""
LINK = "atlas_markdown"
"""Address of a page's Markdown, from the page, in what the theme is told."""
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


def read_description(path: Path) -> str:
    """What the head of a built page says of it; empty where it says nothing."""
    found = _DESCRIPTION.search(path.read_text(encoding="utf-8")) if path.is_file() else None
    return unescape(found[1]) if found else ""
