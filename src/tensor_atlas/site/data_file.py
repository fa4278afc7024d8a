"""The data export and its JSON Schema, which stand beside the built pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import tensor_atlas
from tensor_atlas.compare.export import DATA, FORM, export
from tensor_atlas.site.execution import evidence_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def made(app: Sphinx) -> Iterator[tuple[Path, bytes]]:
    """What is committed, as a download."""
    if app.builder.name != "html":
        return
    evidence = evidence_of(app)
    data = export(evidence.examples, evidence.store, evidence.deviations, app.config.tensor_atlas_gallery)
    yield Path(app.outdir) / DATA, data.encode()
    yield Path(app.outdir) / FORM, (Path(tensor_atlas.__file__).parent / FORM).read_bytes()
