"""Documents for programs: the error index, what the chooser knows, and their JSON Schemas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from sphinx.application import Sphinx

from tensor_atlas.catalogue import SOURCES, Conversion, Source
from tensor_atlas.compare import export
from tensor_atlas.compare.evidence import Evidence
from tensor_atlas.compare.export import encode_environment
from tensor_atlas.examples.parse import Example
from tensor_atlas.files import replace_if_changed
from tensor_atlas.matrix.chooser import SCOPE, CellSummary, ChooserTable
from tensor_atlas.model.cells import Cell, shorten_cell
from tensor_atlas.model.runs import JSON, Observation, Run, Snapshot, encode_fields, encode_json
from tensor_atlas.pages.error_document import ERRORS, ERRORS_FORM, GENERATOR, build_errors
from tensor_atlas.records.store import Store, lay_out_json
from tensor_atlas.site.build.execution import evidence_of
from tensor_atlas.site.build.page_scripts import list_environments, write_script
from tensor_atlas.site.matrix.conversion_chooser import table_of
from tensor_atlas.site.search.error_index import messages_of

CHOOSER, CHOOSER_FORM = "chooser.json", "chooser.schema.json"
"""What the chooser knows, for programs, and its JSON Schema."""
SCHEMA = 1
"""Version of its form; a change that breaks its readers makes it greater."""


def write_documents(app: Sphinx) -> None:
    """Write all documents with their forms."""
    evidence = evidence_of(app)
    texts = {
        ERRORS: lay_out_json(build_errors(messages_of(app))),
        export.DATA: export.render_export(evidence.examples, evidence.store, evidence.deviations),
        export.FORM: Path(export.__file__).with_name(export.FORM).read_text(encoding="utf-8"),
    }
    if evidence.store.rows:
        texts[CHOOSER] = lay_out_json(build_chooser(table_of(app)), 2)
    for form in (ERRORS_FORM, CHOOSER_FORM):
        texts[form] = Path(__file__).with_name(form).read_text(encoding="utf-8")
    for name, text in texts.items():
        replace_if_changed(Path(app.outdir, name), text)


# --- what the chooser knows ------------------------------------------------------------------------


_Pattern = tuple[int | None, ...]
"""For each environment the number of an answer; None where it has not tried."""


def build_chooser(table: ChooserTable) -> dict[str, JSON]:
    """Every cell as the number of a pattern: for each environment the number of an answer, or null."""
    patterns: dict[_Pattern, int] = {}
    cells: dict[str, dict[str, int]] = {}
    for conversion, source, pattern in _list_patterns(table):
        cells.setdefault(conversion, {})[source] = patterns.setdefault(pattern, len(patterns))
    met = {source for row in cells.values() for source in row}
    return {
        "$schema": CHOOSER_FORM,
        "schema": SCHEMA,
        "generator": GENERATOR,
        "environments": [encode_environment(environment) for environment in table.environments],
        "sources": [_encode_source(source) for source in SOURCES if source.name in met],
        "conversions": [_encode_conversion(conversion) for conversion in SCOPE if conversion.name in cells],
        "answers": [_encode_answer(summary) for summary in table.summaries],
        "patterns": [list(pattern) for pattern in patterns],
        "cells": {conversion: dict(row) for conversion, row in cells.items()},
    }


def _list_patterns(table: ChooserTable) -> Iterator[tuple[str, str, _Pattern]]:
    """Cells that anybody tried, by conversion and source, with the answer of each environment."""
    for conversion in SCOPE:
        rows = [table.cells[each.id].get(conversion.name, {}) for each in table.environments]
        for source in SOURCES:
            pattern = tuple(row.get(source.name) for row in rows)
            if pattern.count(None) < len(pattern):
                yield conversion.name, source.name, pattern


def _encode_source(source: Source) -> dict[str, JSON]:
    return {
        "id": source.name,
        "title": source.title,
        "code": source.code,
        "form": str(source.form),
        "dtype": source.dtype,
        "layout": source.layout,
        "device": source.device,
        "flags": [str(flag) for flag in source.flags],
        "page": f"matrix/source/{source.name}.html",
    }


def _encode_conversion(conversion: Conversion) -> dict[str, JSON]:
    return {
        "id": conversion.name,
        "title": conversion.title,
        "code": conversion.code,
        "group": str(conversion.group),
        "family": conversion.family,
        "page": f"matrix/conversion/{conversion.name}.html",
    }


def _encode_answer(summary: CellSummary) -> dict[str, JSON]:
    """Every field of a summary, so that a reader need not guess what a missing one means."""
    return {field: encode_json(value) for field, value in vars(summary).items()}


MACHINE_DATA = "atlas-records.js"


def build_machine_data(evidence: Evidence) -> dict[str, JSON]:
    """Environments, the newest first, and examples by name with their runs by index of environment."""
    environments = evidence.store.environments
    listed = list_environments(environments.values())
    order = [str(one["id"]) for one in listed]
    examples: dict[str, JSON] = {}
    for name, example in evidence.examples.items():
        record = evidence.store.records.get(name)
        runs = {} if record is None else record.runs
        examples[name] = _encode_example(example, [runs.get(environment) for environment in order])
    facts: list[JSON] = [{**one, "kind": environments[str(one["id"])].kind} for one in listed]
    return {"environments": facts, "examples": examples, "matrix": _encode_matrix(evidence.store, order)}


def _encode_example(example: Example, runs: Sequence[Run | None]) -> dict[str, JSON]:
    """Its code and its distinct runs, each with the indices of the environments that gave it."""
    observations: dict[Observation, int] = {}
    snapshots: dict[Snapshot, int] = {}
    groups: dict[str, tuple[list[JSON], list[JSON]]] = {}
    for index, run in enumerate(runs):
        if run is None:
            continue
        seen: list[JSON] = [observations.setdefault(one, len(observations)) for one in run.observations]
        alive: list[JSON] = [snapshots.setdefault(one, len(snapshots)) for one in run.snapshots]
        late = None if run.late is None else observations.setdefault(run.late, len(observations))
        ending: list[JSON] = [run.stopped, late, run.depth]
        facts: list[JSON] = [str(run.status), run.reason, run.digest, seen, alive, *ending]
        groups.setdefault(repr(facts), ([], facts))[0].append(index)
    return {
        "title": example.title,
        "digest": example.digest,
        "blocks": [len(block.statements) for block in example.blocks],
        "code": [statement.code for statement in example.statements],
        "runs": [[indices, *facts] for indices, facts in groups.values()],
        "observations": [_encode_observation(one) for one in observations],
        "snapshots": [encode_fields(one) for one in snapshots],
    }


def _encode_matrix(store: Store, order: Sequence[str]) -> dict[str, JSON]:
    """Distinct cells; for each row the group of each environment, and for each source the cell of each group.

    One cell where all groups agree; -1 for what was not tried.
    """
    outcomes: dict[Cell, int] = {}
    known: dict[int, int] = {}  # environments share cells, and to hash a million would take seconds

    def place_of(cell: Cell | None) -> int:
        if cell is None:
            return -1
        if id(cell) not in known:
            known[id(cell)] = outcomes.setdefault(cell, len(outcomes))
        return known[id(cell)]

    rows: dict[str, JSON] = {}
    for name, row in sorted(store.rows.items()):
        columns = [row.cells.get(environment, {}) for environment in order]
        sources = list(dict.fromkeys(source for column in columns for source in column))
        places = [tuple(map(place_of, map(column.get, sources))) for column in columns]
        groups = list(dict.fromkeys(places))
        cells: dict[str, JSON] = {}
        for source, found in zip(sources, zip(*groups, strict=True), strict=True):
            cells[source] = found[0] if len(set(found)) == 1 else [*found]
        rows[name] = [row.code, [groups.index(one) for one in places], cells]
    listed: list[JSON] = [encode_fields(shorten_cell(cell)) for cell in outcomes]
    return {"outcomes": listed, "sources": dict(store.sources), "rows": rows}


def _encode_observation(observation: Observation) -> dict[str, JSON]:
    """Its fields without the code, and without the frames of a traceback, which no comparison reads."""
    document = encode_fields(observation)
    document.pop("code", None)
    raised = document.get("raised")
    if isinstance(raised, dict):
        raised.pop("traceback", None)
    return document


def write_machine_data(app: Sphinx) -> None:
    """Write the script that the page loads which compares machines."""
    write_script(app, MACHINE_DATA, "atlasRecords", build_machine_data(evidence_of(app)))
