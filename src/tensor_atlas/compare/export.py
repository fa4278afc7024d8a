"""(examples, records, deviations) → one document for other tools, ``records.json``; pure.

Its form is ``records.schema.json``. Nothing is filled forward: each environment stands in exactly one of an
example's lists of runs, stale ones, not-run ones and those that were not measured.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from tensor_atlas import __version__
from tensor_atlas.compare.deviations import Deviation
from tensor_atlas.examples.parse import Block, Example, Statement
from tensor_atlas.history.releases import age_key
from tensor_atlas.model.runs import JSON, Environment, Observation, Run, Snapshot, Status, encode_fields
from tensor_atlas.records.fold import Record, group_by_fact
from tensor_atlas.records.store import Store, lay_out_json

EXPORT_SCHEMA = 1
"""Version of the exported document; a change that breaks its readers makes it greater."""
DATA = "records.json"
"""Name of the document on the site."""
FORM = "records.schema.json"
"""Name of its JSON Schema, on the site and in this package."""

_Runs = Mapping[str, Run]


def build_export(
    examples: Mapping[str, Example], store: Store, deviations: Sequence[Deviation]
) -> dict[str, JSON]:
    """The whole document: environments from old to new, examples by name."""
    environments = sorted(store.environments.values(), key=age_key)
    names = [environment.id for environment in environments]
    return {
        "$schema": FORM,
        "schema": EXPORT_SCHEMA,
        "generator": {"name": "tensor-atlas", "version": __version__},
        "environments": [encode_environment(environment) for environment in environments],
        "examples": [
            _example(example, store.records.get(name) or Record(name, {}), names)
            for name, example in sorted(examples.items())
        ],
        "deviations": [_deviation(deviation, environments) for deviation in deviations],
    }


def render_export(examples: Mapping[str, Example], store: Store, deviations: Sequence[Deviation]) -> str:
    """Text of the document, the same bytes for the same evidence."""
    return lay_out_json(build_export(examples, store, deviations))


def encode_environment(environment: Environment) -> dict[str, JSON]:
    """Fields of an environment, with the id and the kind that follow from them."""
    return {"id": environment.id, "kind": environment.kind, **encode_fields(environment)}


def _deviation(deviation: Deviation, environments: Iterable[Environment]) -> dict[str, JSON]:
    """Its fields, and where its conditions hold: no other tool need read them."""
    where: list[JSON] = [environment.id for environment in environments if deviation.speaks_of(environment)]
    return {**_all_fields(deviation), "holds_in": where}


def _example(example: Example, record: Record, environments: Sequence[str]) -> dict[str, JSON]:
    runs = {name: record.runs[name] for name in environments if name in record.runs}
    happened = {name: run for name, run in runs.items() if run.status is not Status.NOT_RUN}
    current = {name: run for name, run in happened.items() if run.digest == example.digest}
    return {
        "name": example.name,
        "title": example.title,
        "summary": example.summary,
        "path": example.path,
        "page": f"gallery/{example.name}.html",
        "tags": list(example.tags),
        "digest": example.digest,
        "runs": _endings(current),
        "not_run": _reasons(runs),
        "stale": [name for name in happened if name not in current],
        "not_measured": [name for name in environments if name not in runs],
        "dates": {name: record.dates[name] for name in runs if name in record.dates},
        "blocks": _blocks(example, current),
    }


def _endings(runs: _Runs) -> list[JSON]:
    """How the runs ended, each way once with its environments."""
    keys = ("status", "reason", "reached", "finished")
    ways = group_by_fact(
        (name, (str(run.status), run.reason, len(run.observations), len(run.snapshots)))
        for name, run in runs.items()
    )
    return [{"environments": [*names], **dict(zip(keys, way, strict=True))} for way, names in ways.items()]


def _reasons(runs: _Runs) -> list[JSON]:
    """Why runs did not happen, each reason once with its environments."""
    reasons = group_by_fact((name, run.reason) for name, run in runs.items() if run.status is Status.NOT_RUN)
    return [{"environments": [*names], "reason": reason} for reason, names in reasons.items()]


def _blocks(example: Example, runs: _Runs) -> list[JSON]:
    found: list[JSON] = []
    first = 0
    for index, block in enumerate(example.blocks):
        found.append(_block(block, index, first, runs))
        first += len(block.statements)
    return found


def _block(block: Block, index: int, first: int, runs: _Runs) -> dict[str, JSON]:
    """A block whose first statement has the index ``first`` in the example."""
    statements = enumerate(block.statements, first)
    finished = ((name, run.snapshots[index]) for name, run in runs.items() if index < len(run.snapshots))
    return {
        "line": block.line,
        "section": block.section,
        "statements": [_statement(statement, place, runs) for place, statement in statements],
        "snapshots": _distinct(finished),
    }


def _statement(statement: Statement, index: int, runs: _Runs) -> dict[str, JSON]:
    reached = ((name, run.observations[index]) for name, run in runs.items() if index < len(run.observations))
    return {
        "line": statement.line,
        "code": statement.code,
        "claim": list(statement.claim.lines) if statement.claim else [],
        "outcomes": _distinct(reached),
    }


def _distinct(observed: Iterable[tuple[str, Observation | Snapshot]]) -> list[JSON]:
    """Each distinct fact once with the environments that gave it, silent ones too, without its code."""
    return [
        {"environments": [*names], **_all_fields(fact)} for fact, names in group_by_fact(observed).items()
    ]


def _all_fields(fact: Observation | Snapshot | Deviation) -> dict[str, JSON]:
    """Every field, so that readers need not guess what a missing one means."""
    document: dict[str, JSON] = msgspec.json.decode(msgspec.json.encode(fact))
    document.pop("code", None)
    return document
