"""Writes the data export and its JSON Schema beside the built pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tensor_atlas.compare import export
from tensor_atlas.compare.export import DATA, FORM
from tensor_atlas.files import replace_if_changed
from tensor_atlas.site.execution import evidence_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def write(app: Sphinx, exception: Exception | None) -> None:
    """Handler of ``build-finished``: what is committed, as a download."""
    if exception is not None or app.builder.name != "html":
        return
    evidence = evidence_of(app)
    data = export.render_export(
        evidence.examples, evidence.store, evidence.deviations, app.config.tensor_atlas_gallery
    )
    schema = Path(export.__file__).with_name(FORM)
    replace_if_changed(Path(app.outdir, DATA), data)
    replace_if_changed(Path(app.outdir, FORM), schema.read_text(encoding="utf-8"))
