"""The page on which a reader chooses a conversion, and the scripts that hold its data."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes

from tensor_atlas.catalogue import Form
from tensor_atlas.errors import AtlasError
from tensor_atlas.history.patterns import Patterns
from tensor_atlas.matrix.chooser import ChooserTable, build_chooser_table, select_present_rows
from tensor_atlas.matrix.chooser_cells import encode_cells
from tensor_atlas.matrix.preferences import Preference, PreferenceEntry, read_preference
from tensor_atlas.model.runs import JSON
from tensor_atlas.pages.chooser_data import encode_table
from tensor_atlas.pages.combinations import FILE, encode_combinations, read_combinations
from tensor_atlas.site.build.directives import CHOOSER, EvidenceDirective
from tensor_atlas.site.build.execution import ALL_EXAMPLES, WHOLE_MATRIX, evidence_of, read_beside_pages, stop
from tensor_atlas.site.build.nodes import build_element
from tensor_atlas.site.build.page_scripts import CHOOSER_DATA, write_script
from tensor_atlas.toml_tables import read_tables

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx

PREFERENCES = "preferences.toml"
"""File beside the pages that says which call comes first."""
CHEAT_SHEET = "reference/calls"
"""Page that lists the calls without a script."""


@lru_cache(maxsize=1)
def table_of(app: Sphinx) -> ChooserTable:
    """Table of what is recorded of the present code, made once a build."""
    store = evidence_of(app).store
    return build_chooser_table(select_present_rows(store.rows, store.sources), store.environments)


# --- the data -----------------------------------------------------------------------------------


def write_data(app: Sphinx, patterns: Patterns) -> None:
    """Write the data that the chooser's script reads, where any cell is recorded."""
    if not evidence_of(app).store.rows:
        return

    def locate(page: str) -> str:
        return app.builder.get_relative_uri(CHOOSER, page)

    table = table_of(app)
    try:
        preferences = preferences_of(app)
        combinations = read_combinations(Path(app.srcdir, FILE))
        data = encode_table(table, preferences, evidence_of(app), locate)
    except AtlasError as error:
        stop(error)
    # Cells of all forms weigh 100 of 114 KB; a reader has one form.
    scripts: dict[str, JSON] = {}
    for form in Form:
        name = CHOOSER_DATA.replace(".js", f"-{form}.js")
        cells = encode_cells(table, form, preferences, patterns)
        cells["combinations"] = encode_combinations(combinations, form, patterns)
        scripts[form] = write_script(app, name, f"atlasMatrix.cells.{form}", cells)
    write_script(app, CHOOSER_DATA, "atlasMatrix", {**data, "scripts": scripts})


@lru_cache(maxsize=1)
def preferences_of(app: Sphinx) -> tuple[Preference, ...]:
    """Preferences of the checkout, read once a build."""
    return parse_preferences(read_beside_pages(app, PREFERENCES), f"docs/{PREFERENCES}")


def parse_preferences(text: str, path: str) -> tuple[Preference, ...]:
    """Preferences in the order of the file; AtlasError names the line of an entry that cannot be right."""
    entries = read_tables(text, "preferences", path, PreferenceEntry)
    return tuple(read_preference(entry, where) for entry, where in entries)


# --- the page -----------------------------------------------------------------------------------


class Chooser(EvidenceDirective):
    """What a reader has and wants, asked by a script; without one, the way to the cheat sheet."""

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        context.depend_on(WHOLE_MATRIX)
        context.depend_on(ALL_EXAMPLES)
        if not table_of(context.app).environments:
            words = "No conversion of the matrix has been recorded yet, so there is nothing to choose from."
            yield nodes.paragraph("", words, classes=["atlas-notice"])
            return
        words = "This form needs JavaScript, which is off. Here are the most used calls without it: "
        sheet = context.link_page(CHEAT_SHEET, "Cheat sheet")
        notice = nodes.paragraph("", words, sheet, classes=["atlas-notice"])
        yield build_element("div", notice, css="atlas-chooser")
