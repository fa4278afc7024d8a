"""(examples, records, deviations) → one document for other tools, ``records.json``; pure.

Its form is ``records.schema.json``. Nothing is filled forward: each environment stands in exactly one of an
example's lists of runs, stale ones, not-run ones and those that were not measured.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

import msgspec

from tensor_atlas import __version__
from tensor_atlas.compare.deviations import Deviation
from tensor_atlas.examples.parse import Block, Example, Statement
from tensor_atlas.history.releases import age_key
from tensor_atlas.model.runs import (
    JSON,
    Environment,
    Observation,
    Run,
    Snapshot,
    Status,
    encode_fields,
    encode_json,
)
from tensor_atlas.records.fold import Record, group_by_fact
from tensor_atlas.records.store import Store, lay_out_json

EXPORT_SCHEMA = 1
"""Version of the exported document; a change that breaks its readers makes it greater."""
DATA = "records.json"
"""Name of the document on the site."""
FORM = "records.schema.json"
"""Name of its JSON Schema, on the site and in this package."""

_Runs = Mapping[str, Run]
_Fact = TypeVar("_Fact", bound=Hashable)


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
    engines = encode_json(environment.engines)
    return {"id": environment.id, "kind": environment.kind, **encode_fields(environment), "engines": engines}


def _deviation(deviation: Deviation, environments: Iterable[Environment]) -> dict[str, JSON]:
    """Its fields, and where its conditions hold: no other tool need read them."""
    where: list[JSON] = [environment.id for environment in environments if deviation.speaks_of(environment)]
    return {**_all_fields(deviation), "holds_in": where}


def _example(example: Example, record: Record, environments: Sequence[str]) -> dict[str, JSON]:
    runs = {name: record.runs[name] for name in environments if name in record.runs}
    happened = {name: run for name, run in runs.items() if run.status is not Status.NOT_RUN}
    current = {name: run for name, run in happened.items() if run.digest == example.digest}
    endings = [(name, tuple(_encode_ending(run).items())) for name, run in current.items()]
    reasons = [(name, run.reason) for name, run in runs.items() if run.status is Status.NOT_RUN]
    return {
        "name": example.name,
        "title": example.title,
        "summary": example.summary,
        "path": example.path,
        "page": f"gallery/{example.name}.html",
        "tags": list(example.tags),
        "digest": example.digest,
        "runs": _list_facts(endings, dict),
        "not_run": _list_facts(reasons, lambda reason: {"reason": reason}),
        "stale": [name for name in happened if name not in current],
        "not_measured": [name for name in environments if name not in runs],
        "dates": {name: record.dates[name] for name in runs if name in record.dates},
        "blocks": _blocks(example, current),
        "late": _late(example, current),
    }


def _late(example: Example, runs: _Runs) -> dict[str, JSON]:
    """What is claimed and was observed after the last statement."""
    seen = [(name, run.late) for name, run in runs.items() if run.late is not None]
    claim: list[JSON] = list(example.late_claim.lines) if example.late_claim else []
    return {"claim": claim, "outcomes": _list_facts(seen, _all_fields)}


def _list_facts(
    pairs: Iterable[tuple[str, _Fact]], encode: Callable[[_Fact], Mapping[str, JSON]]
) -> list[JSON]:
    """Each distinct fact of pairs of environment and fact once, with the environments that gave it."""
    return [{"environments": [*names], **encode(fact)} for fact, names in group_by_fact(pairs).items()]


def _encode_ending(run: Run) -> dict[str, JSON]:
    return {
        "status": str(run.status),
        "reason": run.reason,
        "reached": len(run.observations),
        "finished": len(run.snapshots),
        "stopped": run.stopped,
        "depth": run.depth,
    }


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
    finished = ((name, alive) for name, run in runs.items() if (alive := run.snapshot(index)) is not None)
    return {
        "line": block.line,
        "section": block.section,
        "statements": [_statement(statement, place, runs) for place, statement in statements],
        "snapshots": _list_facts(finished, _all_fields),
    }


def _statement(statement: Statement, index: int, runs: _Runs) -> dict[str, JSON]:
    reached = [(name, run) for name, run in runs.items() if index < len(run.observations)]
    shown = ((name, seen) for name, run in reached if (seen := run.observation(index)) is not None)
    lacking = ((name, why) for name, run in reached if (why := run.observations[index].unmade) is not None)
    return {
        "line": statement.line,
        "code": statement.code,
        "claim": list(statement.claim.lines) if statement.claim else [],
        "outcomes": _list_facts(shown, _all_fields),
        "not_made": _list_facts(lacking, encode_fields),
    }


def _all_fields(fact: Observation | Snapshot | Deviation) -> dict[str, JSON]:
    """Every field, so that readers need not guess what a missing one means."""
    document: dict[str, JSON] = msgspec.json.decode(msgspec.json.encode(fact))
    for field in ("code", "unmade", "unobserved", "broken"):
        document.pop(field, None)
    return document
