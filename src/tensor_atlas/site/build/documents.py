"""Documents for programs: the error index, what the chooser knows, names, and their JSON Schemas."""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx

from tensor_atlas.compare import export
from tensor_atlas.compare.forms import render_document
from tensor_atlas.files import replace_if_changed
from tensor_atlas.pages.chooser_document import (
    CHOOSER_FILE,
    CHOOSER_FORM,
    build_chooser,
    build_chooser_schema,
)
from tensor_atlas.pages.error_document import ERRORS_FILE, ERRORS_FORM, build_errors, build_errors_schema
from tensor_atlas.pages.name_document import NAMES_FILE, NAMES_FORM, build_names, build_names_schema
from tensor_atlas.site.build.execution import evidence_of
from tensor_atlas.site.matrix.conversion_chooser import table_of
from tensor_atlas.site.releases.name_pages import names_of
from tensor_atlas.site.search.error_index import messages_of


def write_documents(app: Sphinx) -> None:
    """Write all documents with their forms."""
    evidence = evidence_of(app)
    texts = {
        ERRORS_FILE: render_document(build_errors(messages_of(app))),
        export.DATA: export.render_export(evidence.examples, evidence.store, evidence.deviations),
        export.RECORDS_FORM: export.render_schema(),
        ERRORS_FORM: render_document(build_errors_schema()),
        CHOOSER_FORM: render_document(build_chooser_schema()),
        NAMES_FILE: render_document(build_names(names_of(app))),
        NAMES_FORM: render_document(build_names_schema()),
    }
    if evidence.store.rows:
        texts[CHOOSER_FILE] = render_document(build_chooser(table_of(app)), 2)
    for name, text in texts.items():
        replace_if_changed(Path(app.outdir, name), text)
