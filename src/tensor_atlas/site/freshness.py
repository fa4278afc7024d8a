"""Which pages must be read again because the evidence that they show has changed: one small file for each example.

A page depends on the files of what it shows, and Sphinx reads it again when one of them is younger than the
page.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from tensor_atlas.files import replace_if_changed
from tensor_atlas.site.execution import evidence_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx

WHOLE = "all-examples"
"""Stands for all examples in what a page depends on."""
MATRIX = "matrix"
"""Stands for the matrix."""


def note(app: Sphinx, docname: str, example: str) -> None:
    """Read a page again when the evidence of an example changes; WHOLE: that of any example, MATRIX: of the matrix."""
    app.env.note_dependency(_folder(app) / f"{example}.json", docname=docname)


def write_evidence(app: Sphinx) -> None:
    """Handler of ``builder-inited``, after the execution: write each file whose digest is another than before."""
    evidence = evidence_of(app)
    keys = {name: evidence.key(name) for name in evidence.shown}
    # The citation names the address of the site.
    keys |= {WHOLE: evidence.whole_key + app.config.html_baseurl, MATRIX: evidence.matrix_key}
    folder = _folder(app)
    wanted = {folder / f"{name}.json": json.dumps({"evidence": key}) + "\n" for name, key in keys.items()}
    for path in folder.rglob("*.json"):
        if path not in wanted:
            path.unlink()  # of an example that is gone: a page that depends on it is read again
    for path, text in wanted.items():
        replace_if_changed(path, text)


def _folder(app: Sphinx) -> Path:
    return Path(app.srcdir, "_build", "evidence")
