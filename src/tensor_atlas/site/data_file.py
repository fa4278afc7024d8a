"""The data export and its JSON Schema, which stand beside the built pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tensor_atlas.compare import export
from tensor_atlas.compare.export import DATA, FORM
from tensor_atlas.site.execution import evidence_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def made(app: Sphinx) -> Iterator[tuple[Path, bytes]]:
    """What is committed, as a download."""
    if app.builder.name != "html":
        return
    evidence = evidence_of(app)
    data = export.render_export(
        evidence.examples, evidence.store, evidence.deviations, app.config.tensor_atlas_gallery
    )
    yield Path(app.outdir) / DATA, data.encode()
    yield Path(app.outdir) / FORM, Path(export.__file__).with_name(FORM).read_bytes()
