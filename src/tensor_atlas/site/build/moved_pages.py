"""Old addresses: a page that says where its text is now, and leads there with the anchor that was asked."""

from __future__ import annotations

import posixpath
from pathlib import Path

from sphinx.application import Sphinx

from tensor_atlas.checkout.renaming import read_moves
from tensor_atlas.compare.moves import MOVED
from tensor_atlas.errors import AtlasError
from tensor_atlas.files import replace_if_changed
from tensor_atlas.site.build.execution import project_of, stop
from tensor_atlas.site.build.metadata import page_address
from tensor_atlas.site.build.nodes import load_templates

TEMPLATE = load_templates().get_template("moved.html")


def write_moved_pages(app: Sphinx) -> None:
    """Write a page for each entry of the table; the build ends where one leads nowhere."""
    folder, base = Path(app.outdir), app.config.html_baseurl
    for move in read_moves(project_of(app)):
        old, new = f"{move.old}.html", f"{move.new}.html"
        if move.old in app.env.found_docs:
            stop(AtlasError(f"{MOVED}:{move.line}", f"{move.old} is a page", "take the entry out"))
        if not (folder / new).is_file():
            stop(AtlasError(f"{MOVED}:{move.line}", f"no page {move.new}", "name a page of the site"))
        (folder / old).parent.mkdir(parents=True, exist_ok=True)
        target = posixpath.relpath(new, posixpath.dirname(old))
        text = TEMPLATE.render(target=target, address=page_address(base, new) if base else "")
        replace_if_changed(folder / old, text)
