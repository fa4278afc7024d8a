"""(examples, records, deviations) → one document for other tools, ``records.json``; pure.

``compare.forms`` declares its form. Nothing is filled forward: each environment stands in exactly one of an
example's lists of runs, stale ones, not-run ones and those that were not measured.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from tensor_atlas.compare.deviations import Deviation
from tensor_atlas.compare.forms import (
    GENERATOR,
    ExportedBlock,
    ExportedDeviation,
    ExportedEnvironment,
    ExportedExample,
    ExportedOutcome,
    ExportedRecords,
    ExportedRun,
    ExportedSnapshot,
    ExportedStatement,
    LateOutput,
    NotMade,
    NotRun,
    Part,
    build_schema,
    encode_part,
    render_document,
    take_fields,
)
from tensor_atlas.examples.parse import Block, Example, Statement
from tensor_atlas.history.releases import age_key
from tensor_atlas.model.runs import JSON, Environment, Run, Status
from tensor_atlas.records.fold import Record, group_by_fact
from tensor_atlas.records.store import Store

EXPORT_SCHEMA = 1
"""Version of the exported document; a change that breaks its readers makes it greater."""
DATA = "records.json"
"""Name of the document on the site."""
RECORDS_FORM = "records.schema.json"
"""Name of its JSON Schema on the site."""

_Runs = Mapping[str, Run]
_Fact = TypeVar("_Fact", bound=Hashable)
_Told = TypeVar("_Told", bound=Part)


def build_export(
    examples: Mapping[str, Example], store: Store, deviations: Sequence[Deviation]
) -> dict[str, JSON]:
    """The whole document: environments from old to new, examples by name."""
    environments = sorted(store.environments.values(), key=age_key)
    names = [environment.id for environment in environments]
    records = ExportedRecords(
        form=RECORDS_FORM,
        schema=EXPORT_SCHEMA,
        generator=GENERATOR,
        environments=tuple(take_fields(ExportedEnvironment, each) for each in environments),
        examples=tuple(
            _example(example, store.records.get(name) or Record(name, {}), names)
            for name, example in sorted(examples.items())
        ),
        deviations=tuple(_deviation(deviation, environments) for deviation in deviations),
    )
    return encode_part(records)


def render_export(examples: Mapping[str, Example], store: Store, deviations: Sequence[Deviation]) -> str:
    """Text of the document, the same bytes for the same evidence."""
    return render_document(build_export(examples, store, deviations))


def render_schema() -> str:
    """Text of the document's JSON Schema."""
    return render_document(
        build_schema(ExportedRecords, RECORDS_FORM, "Records of Tensor Atlas", EXPORT_SCHEMA)
    )


def _deviation(deviation: Deviation, environments: Iterable[Environment]) -> ExportedDeviation:
    """Its fields, and where its conditions hold: no other tool need read them."""
    where = tuple(environment.id for environment in environments if deviation.speaks_of(environment))
    return take_fields(ExportedDeviation, deviation, holds_in=where)


def _example(example: Example, record: Record, environments: Sequence[str]) -> ExportedExample:
    runs = {name: record.runs[name] for name in environments if name in record.runs}
    happened = {name: run for name, run in runs.items() if run.status is not Status.NOT_RUN}
    current = {name: run for name, run in happened.items() if run.digest == example.digest}
    endings = group_by_fact((name, _end(run)) for name, run in current.items())
    reasons = group_by_fact((name, run.reason) for name, run in runs.items() if run.status is Status.NOT_RUN)
    return take_fields(
        ExportedExample,
        example,
        page=f"gallery/{example.name}.html",
        runs=tuple(ExportedRun(tuple(names), *ending) for ending, names in endings.items()),
        not_run=tuple(NotRun(tuple(names), reason) for reason, names in reasons.items()),
        stale=tuple(name for name in happened if name not in current),
        not_measured=tuple(name for name in environments if name not in runs),
        dates={name: record.dates[name] for name in runs if name in record.dates},
        blocks=_blocks(example, current),
        late=_late(example, current),
    )


def _late(example: Example, runs: _Runs) -> LateOutput:
    """What is claimed and was observed after the last statement."""
    seen = _keep_known((name, run.late) for name, run in runs.items())
    claim = example.late_claim.lines if example.late_claim else ()
    return LateOutput(claim, _list_facts(ExportedOutcome, seen))


def _keep_known(pairs: Iterable[tuple[str, _Fact | None]]) -> list[tuple[str, _Fact]]:
    """Pairs of environment and fact without those whose fact is None."""
    return [(name, fact) for name, fact in pairs if fact is not None]


def _list_facts(part: type[_Told], pairs: Iterable[tuple[str, _Fact]]) -> tuple[_Told, ...]:
    """Each distinct fact of pairs of environment and fact once, with the environments that gave it."""
    facts = group_by_fact(pairs).items()
    return tuple(take_fields(part, fact, environments=tuple(names)) for fact, names in facts)


def _end(run: Run) -> tuple[str, str, int, int, str, int]:
    """How a run ended, in the order of ExportedRun."""
    return str(run.status), run.reason, len(run.observations), len(run.snapshots), run.stopped, run.depth


def _blocks(example: Example, runs: _Runs) -> tuple[ExportedBlock, ...]:
    blocks = []
    first = 0
    for index, block in enumerate(example.blocks):
        blocks.append(_block(block, index, first, runs))
        first += len(block.statements)
    return tuple(blocks)


def _block(block: Block, index: int, first: int, runs: _Runs) -> ExportedBlock:
    """A block whose first statement has the index ``first`` in the example."""
    statements = enumerate(block.statements, first)
    finished = _keep_known((name, run.snapshot(index)) for name, run in runs.items())
    return ExportedBlock(
        line=block.line,
        section=block.section,
        statements=tuple(_statement(statement, place, runs) for place, statement in statements),
        snapshots=_list_facts(ExportedSnapshot, finished),
    )


def _statement(statement: Statement, index: int, runs: _Runs) -> ExportedStatement:
    reached = [(name, run) for name, run in runs.items() if index < len(run.observations)]
    observed = _keep_known((name, run.observation(index)) for name, run in reached)
    lacking = _keep_known((name, run.observations[index].unmade) for name, run in reached)
    return ExportedStatement(
        line=statement.line,
        code=statement.code,
        claim=statement.claim.lines if statement.claim else (),
        outcomes=_list_facts(ExportedOutcome, observed),
        not_made=_list_facts(NotMade, lacking),
    )
