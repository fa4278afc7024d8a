"""Puts the data export and its JSON Schema beside the built pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import tensor_atlas
from tensor_atlas.export import DATA, FORM, export
from tensor_atlas.sphinx.execution import evidence_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def write(app: Sphinx, exception: Exception | None) -> None:
    """Handler of ``build-finished``: what is committed, as a download; not of a build that failed."""
    if exception is not None or app.builder.name != "html":
        return
    evidence = evidence_of(app)
    data = export(evidence.examples, evidence.store, evidence.deviations, app.config.tensor_atlas_gallery)
    form = (Path(tensor_atlas.__file__).parent / FORM).read_bytes()
    for name, content in ((DATA, data.encode()), (FORM, form)):
        put(Path(app.outdir) / name, content)


def put(path: Path, content: bytes) -> None:
    """Write what differs: a file that stays as it was keeps its date, and with it a server's cache."""
    if not path.is_file() or path.read_bytes() != content:
        path.write_bytes(content)
