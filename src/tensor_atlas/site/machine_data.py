"""``atlas-records.js``: every recorded run, for the page that compares a reader's capture with them.

Each distinct observation of an example stands once, without its code: the code is the example's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tensor_atlas.compare.evidence import Evidence
from tensor_atlas.examples.parse import Example
from tensor_atlas.history.changes import count_statements
from tensor_atlas.model.cells import Cell, shorten_cell
from tensor_atlas.model.runs import JSON, Observation, Run, Snapshot, encode_fields
from tensor_atlas.records.store import Store
from tensor_atlas.site.execution import evidence_of
from tensor_atlas.site.page_scripts import list_environments, write_script

if TYPE_CHECKING:
    from sphinx.application import Sphinx

DATA = "atlas-records.js"


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
        facts: list[JSON] = [str(run.status), run.reason, run.digest, seen, alive]
        groups.setdefault(repr(facts), ([], facts))[0].append(index)
    return {
        "title": example.title,
        "digest": example.digest,
        "blocks": [*count_statements(example)],
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
        places = [tuple(place_of(column.get(source)) for source in sources) for column in columns]
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


def write_data(app: Sphinx) -> None:
    """Handler of ``builder-inited``, after the execution: the script that one page loads."""
    if app.builder.format == "html":
        write_script(app, DATA, "atlasRecords", build_machine_data(evidence_of(app)))
