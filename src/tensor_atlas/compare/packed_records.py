"""Writes the records that ``atlas-probe.pyz`` carries, as ``own_machine`` reads them; pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tensor_atlas.compare.evidence import Evidence
from tensor_atlas.examples.parse import Example
from tensor_atlas.history.patterns import ABSENT, Numbers, OutcomeTable, Patterns, spell_pattern
from tensor_atlas.history.releases import age_key, is_compatible
from tensor_atlas.model.cells import Cell, shorten_cell
from tensor_atlas.model.runs import JSON, Environment, Observation, Run, Snapshot, encode_fields
from tensor_atlas.records.store import Store

NEVER_COMPARED = ("buffers", "left_out", "buffer", "start", "stop")
"""Fields of snapshots and of their values."""


def render_records(evidence: Evidence) -> str:
    """Everything recorded of the code that the examples have now."""
    return json.dumps(pack_records(evidence), ensure_ascii=False, separators=(",", ":"))


def pack_records(evidence: Evidence) -> dict[str, JSON]:
    """Environments, the newest first; examples with a pattern over them and distinct runs; the matrix."""
    store = evidence.store
    environments = sorted(store.environments.values(), key=age_key, reverse=True)
    examples: dict[str, JSON] = {}
    for name, example in evidence.examples.items():
        record = store.records.get(name)
        if record is not None:
            examples[name] = _pack_example(example, record.runs, [one.id for one in environments])
    return {
        "environments": [encode_fields(replace(one, engines=())) for one in environments],
        "misfits": [one.id for one in environments if not is_compatible(one)],
        "examples": examples,
        "matrix": _pack_matrix(store, environments),
    }


def _pack_example(example: Example, runs: Mapping[str, Run], ids: Sequence[str]) -> dict[str, JSON]:
    """Distinct observations, snapshots and runs, and which environment gave which run."""
    observations: Numbers[Observation] = Numbers()
    snapshots: Numbers[Snapshot] = Numbers()
    distinct: Numbers[str] = Numbers()
    numbers: dict[str, int] = {}
    for name in ids:
        run = runs.get(name)
        if run is None or run.digest != example.digest:
            continue
        facts = {
            "status": str(run.status),
            "reason": run.reason,
            "stopped": run.stopped,
            "depth": run.depth,
            "observations": [observations[one] for one in run.observations],
            "snapshots": [snapshots[one] for one in run.snapshots],
            "late": None if run.late is None else observations[run.late],
        }
        numbers[name] = distinct[json.dumps(facts)]
    return {
        "pattern": spell_pattern(map(numbers.get, ids)),
        "runs": [json.loads(text) for text in distinct],
        "observations": [_pack_observation(one) for one in observations],
        "snapshots": [_pack_snapshot(one) for one in snapshots],
    }


def _pack_observation(observation: Observation) -> dict[str, JSON]:
    """Its fields without the code, and without the frames of a traceback."""
    raised = observation.raised
    short = replace(observation, raised=None if raised is None else replace(raised, traceback=()))
    document = encode_fields(short)
    del document["code"]
    return document


def _pack_snapshot(snapshot: Snapshot) -> dict[str, JSON]:
    document: dict[str, Any] = encode_fields(snapshot)
    for fields in (document, *document.get("values", ())):
        for name in NEVER_COMPARED:
            fields.pop(name, None)
    return document


def _pack_matrix(store: Store, environments: Sequence[Environment]) -> dict[str, JSON]:
    """Distinct cells, mappings of environments to them, and the mapping of each source in each row."""
    patterns = Patterns(environments)
    table: OutcomeTable[int] = OutcomeTable(patterns)
    distinct: Numbers[Cell] = Numbers()
    known: dict[int, int] = {}  # environments share cells, and to hash a million would take seconds

    def number_cell(cell: Cell) -> int:
        if id(cell) not in known:
            known[id(cell)] = distinct[cell]
        return known[id(cell)]

    rows: dict[str, JSON] = {}
    for name, row in sorted(store.rows.items()):
        numbers: list[JSON] = []
        for source in store.sources:
            tried = {place: number_cell(of[source]) for place, of in row.cells.items() if source in of}
            numbers.append(table.number(tried) if tried else ABSENT)
        rows[name] = [row.code, numbers]
    outcomes = list(distinct)
    return {
        "patterns": list(patterns.list_patterns()),
        "mappings": [list(mapping) for mapping in table.list_mappings()],
        "outcomes": [encode_fields(shorten_cell(outcomes[number])) for number in table.outcomes],
        "sources": dict(store.sources),
        "rows": rows,
    }
