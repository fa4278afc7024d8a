"""Old addresses: a page that says where its text is now, and leads there with the anchor that was asked.

Pages that were renamed stand in a table; those of conversions that are rows now are known from the catalogue.
"""

from __future__ import annotations

import posixpath
from pathlib import Path

from sphinx.application import Sphinx

from tensor_atlas.catalogue import Form
from tensor_atlas.checkout.renaming import read_moves
from tensor_atlas.compare.moves import MOVED
from tensor_atlas.errors import AtlasError
from tensor_atlas.files import replace_if_changed
from tensor_atlas.pages.matrix_markdown import tabulate_conversion
from tensor_atlas.pages.matrix_places import list_rows, locate_conversion, old_address
from tensor_atlas.pages.page_head import page_address
from tensor_atlas.site.build.execution import project_of, stop
from tensor_atlas.site.build.nodes import load_templates
from tensor_atlas.site.matrix.matrix_pages import matrix_of

TEMPLATE = load_templates().get_template("moved.html")


def write_moved_pages(app: Sphinx) -> None:
    """Write a page for each entry of the table; the build ends where one leads nowhere."""
    folder = Path(app.outdir)
    for move in read_moves(project_of(app)):
        old, new = f"{move.old}.html", f"{move.new}.html"
        if move.old in app.env.found_docs:
            stop(AtlasError(f"{MOVED}:{move.line}", f"{move.old} is a page", "take the entry out"))
        if not (folder / new).is_file():
            stop(AtlasError(f"{MOVED}:{move.line}", f"no page {move.new}", "name a page of the site"))
        (folder / old).parent.mkdir(parents=True, exist_ok=True)
        target = posixpath.relpath(new, posixpath.dirname(old))
        replace_if_changed(folder / old, _render(app, target, new))


def write_rows(app: Sphinx) -> None:
    """Write a page for each conversion that is a row, which leads to the row, or to the cell that was asked.

    Its Markdown, a table of all its cells, stays where it was.
    """
    folder, matrix = Path(app.outdir), matrix_of(app)
    for conversion in list_rows(matrix):
        old, (page, row) = old_address(conversion), locate_conversion(conversion)
        target = f"{posixpath.relpath(page, posixpath.dirname(old))}.html#{row}"
        (folder / old).parent.mkdir(parents=True, exist_ok=True)
        replace_if_changed(folder / f"{old}.html", _render(app, target, f"{page}.html", row))
        replace_if_changed(folder / f"{old}.md", f"{tabulate_conversion(matrix, row)}\n")


def _render(app: Sphinx, target: str, new: str, row: str = "") -> str:
    """The page that leads to ``target``, from its own folder; ``new`` is the page there, from the site's."""
    base = app.config.html_baseurl
    address = page_address(base, new) if base else ""
    return TEMPLATE.render(target=target, address=address, row=row, forms=list(Form))
