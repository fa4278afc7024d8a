"""Documents for programs: the error index, what the chooser knows, and their JSON Schemas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from msgspec import Meta
from sphinx.application import Sphinx

from tensor_atlas.catalogue import SOURCES, Conversion, Source
from tensor_atlas.compare import export
from tensor_atlas.compare.evidence import Evidence
from tensor_atlas.compare.forms import (
    GENERATOR,
    Count,
    Document,
    ExportedEnvironment,
    Filled,
    Part,
    build_schema,
    encode_part,
    take_fields,
)
from tensor_atlas.examples.parse import Example
from tensor_atlas.files import replace_if_changed
from tensor_atlas.matrix.chooser import SCOPE, CellSummary, ChooserTable
from tensor_atlas.model.cells import Cell, shorten_cell
from tensor_atlas.model.runs import JSON, Observation, Run, Snapshot, encode_fields
from tensor_atlas.pages.error_document import ERRORS, ERRORS_FORM, build_errors, build_errors_schema
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
        export.FORM: export.render_schema(),
        ERRORS_FORM: lay_out_json(build_errors_schema()),
        CHOOSER_FORM: lay_out_json(build_chooser_schema()),
    }
    if evidence.store.rows:
        texts[CHOOSER] = lay_out_json(build_chooser(table_of(app)), 2)
    for name, text in texts.items():
        replace_if_changed(Path(app.outdir, name), text)


# --- what the chooser knows ------------------------------------------------------------------------


MatrixId = Annotated[
    str, Meta(pattern="^[a-z0-9-]+$", description="Stable name of a source or a conversion, and of its page.")
]


class ExportedSource(Part, frozen=True):
    id: MatrixId
    title: str
    code: Filled
    """Lines that make x."""
    form: str
    """What it is: an array, a tensor, a sequence."""
    dtype: str
    layout: str
    device: str
    flags: tuple[str, ...]
    page: Annotated[str, Meta(pattern=r"^matrix/source/.+\.html$")]
    """Address of its page, from the document's folder."""


class ExportedConversion(Part, frozen=True):
    id: MatrixId
    title: str
    """The expression, as people write it."""
    code: Filled
    """Lines that make y from x."""
    group: str
    """What it is for."""
    family: str
    """Function, method or operator that it uses."""
    page: Annotated[str, Meta(pattern=r"^matrix/conversion/.+\.html$")]
    """Address of its page, from the document's folder."""


class ChooserData(Document, frozen=True):
    """The result of every conversion for every source, in every recorded environment."""

    environments: tuple[ExportedEnvironment, ...]
    """Environments that ran conversions: the one that the chooser shows at first, then the others, newest
    first.
    """
    sources: tuple[ExportedSource, ...]
    """The inputs to convert."""
    conversions: tuple[ExportedConversion, ...]
    """The calls that convert them."""
    answers: tuple[CellSummary, ...]
    """Results of conversions, each distinct result once."""
    patterns: tuple[tuple[Count | None, ...], ...]
    """Distinct lists with an entry for each environment: the number of an answer, or null if the conversion
    was not tried there.
    """
    cells: dict[MatrixId, dict[MatrixId, Count]]
    """By id of a conversion, then by id of a source, the number of a pattern."""


def build_chooser_schema() -> dict[str, JSON]:
    """JSON Schema of what the chooser knows."""
    return build_schema(ChooserData, CHOOSER_FORM, "The chooser's data of Tensor Atlas", SCHEMA)


_Pattern = tuple[int | None, ...]
"""For each environment the number of an answer; None where it has not tried."""


def build_chooser(table: ChooserTable) -> dict[str, JSON]:
    """Every cell as the number of a pattern: for each environment the number of an answer, or null."""
    patterns: dict[_Pattern, int] = {}
    cells: dict[str, dict[str, int]] = {}
    for conversion, source, pattern in _list_patterns(table):
        cells.setdefault(conversion, {})[source] = patterns.setdefault(pattern, len(patterns))
    met = {source for row in cells.values() for source in row}
    data = ChooserData(
        form=CHOOSER_FORM,
        schema=SCHEMA,
        generator=GENERATOR,
        environments=tuple(take_fields(ExportedEnvironment, each) for each in table.environments),
        sources=tuple(_export_source(source) for source in SOURCES if source.name in met),
        conversions=tuple(_export_conversion(one) for one in SCOPE if one.name in cells),
        answers=table.summaries,
        patterns=tuple(patterns),
        cells=cells,
    )
    return encode_part(data)


def _list_patterns(table: ChooserTable) -> Iterator[tuple[str, str, _Pattern]]:
    """Cells that anybody tried, by conversion and source, with the answer of each environment."""
    for conversion in SCOPE:
        rows = [table.cells[each.id].get(conversion.name, {}) for each in table.environments]
        for source in SOURCES:
            pattern = tuple(row.get(source.name) for row in rows)
            if pattern.count(None) < len(pattern):
                yield conversion.name, source.name, pattern


def _export_source(source: Source) -> ExportedSource:
    name = source.name
    return take_fields(ExportedSource, source, id=name, page=f"matrix/source/{name}.html")


def _export_conversion(conversion: Conversion) -> ExportedConversion:
    name = conversion.name
    return take_fields(ExportedConversion, conversion, id=name, page=f"matrix/conversion/{name}.html")


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
