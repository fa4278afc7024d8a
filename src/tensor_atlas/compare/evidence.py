"""Everything known about the examples at one moment, and what their pages show of it; pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

from tensor_atlas.compare.deviations import Deviation, Gap
from tensor_atlas.compare.verdicts import (
    Verdict,
    VerdictKind,
    compare_record,
    compare_run,
    find_gaps,
    find_unused_deviations,
    judge_newest_claims,
    judge_unrecorded,
)
from tensor_atlas.examples.parse import Block, Example, Statement
from tensor_atlas.history.releases import age_key, newest_environment
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.runs import Environment, Observation, Run, Snapshot, Status, encode_fields
from tensor_atlas.records.fold import Record
from tensor_atlas.records.store import Store


class Origin(StrEnum):
    """Where the output on a page comes from."""

    EXECUTED = "executed"
    RECORDED = "recorded"
    EXPECTED = "expected"


@dataclass(frozen=True)
class ExampleEvidence:
    """What the page of one example shows."""

    example: Example
    """The script."""
    origin: Origin
    """Executed in this build, recorded before it, or only expected: claimed, and confirmed by no run."""
    run: Run | None
    """What happened; None where nothing did."""
    environment: Environment | None
    """Where it happened: the newest release that ran the example as it is."""
    missing: str = ""
    """What the example needs that this machine lacks."""
    stale: tuple[Environment, ...] = ()
    """Environments that recorded an older version of the example; what they saw is never shown as current."""
    deviations: tuple[Deviation, ...] = ()
    """Reviewed exceptions that speak of this example."""
    runs: tuple[tuple[Environment, Run], ...] = ()
    """Every run of the present code, with its environment, the oldest release first."""
    not_run: tuple[tuple[Environment, str], ...] = ()
    """Environments that lack what the example needs, with what that is."""
    unmeasured: tuple[Environment, ...] = ()
    """Known environments that say nothing about the present code, the stale ones included."""
    executed: Environment | None = None
    """This build's environment, where it executed the example."""

    def observation(self, index: int) -> Observation | None:
        """What statement ``index`` of the example did; None where it did not run."""
        if self.run is None or index >= len(self.run.observations):
            return None
        return self.run.observations[index]

    def at(self, environment: Environment, run: Run) -> ExampleEvidence:
        """The same evidence, with this run as the one that the page shows."""
        is_here = self.executed is not None and environment.id == self.executed.id
        origin = Origin.EXECUTED if is_here else Origin.RECORDED
        return replace(self, origin=origin, environment=environment, run=run)

    def snapshot(self, index: int) -> Snapshot | None:
        """What was alive after block ``index``; None where it did not run."""
        if self.run is None or index >= len(self.run.snapshots):
            return None
        return self.run.snapshots[index]


@dataclass(frozen=True)
class Evidence:
    """Everything a build knows."""

    examples: Mapping[str, Example]
    """By name."""
    capture: Capture | None
    """What this build executed; None for evidence from records alone."""
    store: Store
    """What is committed."""
    deviations: Sequence[Deviation] = ()
    """Reviewed exceptions."""
    gaps: Sequence[Gap] = ()
    """Reasons why something is not measured."""
    matrix_key: str = ""
    """Digest of what is recorded of the matrix; empty where nothing is."""
    verdicts: tuple[Verdict, ...] = field(default=(), repr=False)
    """Findings on everything executed."""
    shown: Mapping[str, ExampleEvidence] = field(default_factory=dict)
    """What each page shows, by example name."""

    def key(self, name: str) -> str:
        """Digest of all that the page of one example depends on beside its source."""
        return self._keys[name]

    @cached_property
    def _keys(self) -> dict[str, str]:
        return {name: self._key(name) for name in self.shown}

    def _key(self, name: str) -> str:
        shown = self.shown[name]
        distinct: dict[Run, list[str]] = {}
        for environment, run in shown.runs:
            distinct.setdefault(run, []).append(repr(environment))
        runs = [(encode_fields(run), where) for run, where in distinct.items()]
        facts = (
            shown.origin,
            shown.environment,
            shown.missing,
            shown.stale,
            shown.not_run,
            shown.unmeasured,
            shown.executed,
            shown.deviations,
            [replace(verdict, line=0) for verdict in self.findings(name)],  # no page shows the line
        )
        return _digest([runs, [repr(fact) for fact in facts]])

    @cached_property
    def whole_key(self) -> str:
        """Digest of all that pages about every example depend on: not on prose, and not on lines."""
        listed = {name: digest_listing(example) for name, example in self.examples.items()}
        recorded = [repr(environment) for environment in self.store.environments.values()]
        gaps = [repr(gap) for gap in self.gaps]
        return _digest([listed, self._keys, recorded, gaps])

    def findings(self, name: str) -> tuple[Verdict, ...]:
        """Verdicts on one example."""
        return self._findings.get(self.examples[name].path, ())

    @cached_property
    def _findings(self) -> dict[str, tuple[Verdict, ...]]:
        """Verdicts by path."""
        found: dict[str, list[Verdict]] = {}
        for verdict in self.verdicts:
            found.setdefault(verdict.path, []).append(verdict)
        return {path: tuple(verdicts) for path, verdicts in found.items()}


def digest_listing(example: Example) -> str:
    """Digest of what other pages show of an example: its heading, tags, sections, code and claims."""
    code = [[block.section, *map(_listed, block.statements)] for block in example.blocks]
    return _digest([example.path, example.title, example.summary, example.tags, code])


def _listed(statement: Statement) -> list[object]:
    return [statement.code, statement.claim.lines if statement.claim else None]


def _digest(document: object) -> str:
    return hashlib.sha256(json.dumps(document, sort_keys=True, default=str).encode()).hexdigest()[:16]


def assess_capture(
    examples: Mapping[str, Example],
    capture: Capture,
    store: Store,
    deviations: Sequence[Deviation],
    path: str,
) -> Evidence:
    """Evidence of a capture and the records, with its verdicts.

    ``path`` is the deviations' file, for messages.
    """
    runs = {run.example: run for run in capture.runs}
    verdicts = judge_capture(examples, capture, store, deviations, path)
    shown = {}
    for name, example in examples.items():
        page = _gather_evidence(example, runs.get(name), capture.environment_of(name), store)
        shown[name] = _with_deviations(page, deviations)
    return Evidence(examples, capture, store, deviations, verdicts=verdicts, shown=shown)


def judge_capture(
    examples: Mapping[str, Example],
    capture: Capture,
    store: Store,
    deviations: Sequence[Deviation],
    path: str,
) -> tuple[Verdict, ...]:
    """Verdicts on what a capture holds of these examples, and on deviations that no run needs."""
    verdicts: list[Verdict] = []
    for run in capture.runs:
        example = examples.get(run.example)
        if example is not None:
            verdicts += compare_run(example, run, capture.environment, deviations)
            verdicts += _judge_record(example, run, capture.environment, store)
    verdicts += _judge_uncaptured(examples, capture)
    elsewhere = [
        (environment, run)
        for environment, run in list_recorded_runs(store)
        if environment.id != capture.environment.id
    ]
    verdicts += _judge_elsewhere(examples, elsewhere, deviations)
    observed = [(capture.environment, run) for run in capture.runs if run.example in examples] + elsewhere
    verdicts += judge_newest_claims(examples, observed, deviations)
    return (*verdicts, *find_unused_deviations(deviations, path, examples, observed))


def judge_records(
    examples: Mapping[str, Example],
    store: Store,
    deviations: Sequence[Deviation],
    path: str,
    known: Sequence[Gap] = (),
) -> tuple[Verdict, ...]:
    """Verdicts on the records alone: on claims, on unused deviations, on missing runs without a known gap."""
    observed = list_recorded_runs(store)
    verdicts: list[Verdict] = []
    for environment, run in observed:
        if run.example in examples:
            verdicts += compare_run(examples[run.example], run, environment, deviations)
    verdicts += judge_newest_claims(examples, observed, deviations)
    verdicts += find_gaps(examples, store.environments, store.records, known)
    return (*verdicts, *find_unused_deviations(deviations, path, examples, observed))


def _judge_record(example: Example, run: Run, environment: Environment, store: Store) -> tuple[Verdict, ...]:
    """Verdicts on a run's record; none where nobody has recorded this environment."""
    record = store.records.get(run.example)
    if environment.id in store.environments and (record is None or environment.id not in record.runs):
        return judge_unrecorded(example, run, environment)
    return compare_record(example, run, environment, record)


def _judge_uncaptured(examples: Mapping[str, Example], capture: Capture) -> list[Verdict]:
    """A verdict for every example that the capture lacks: what was not run must not look fine."""
    missing = sorted(set(examples) - {run.example for run in capture.runs})
    what, remedy = "the capture holds no run of it", "capture all examples, or name those that it holds"
    here = capture.environment
    return [
        Verdict(VerdictKind.DIFFERS, examples[name].path, 1, what, environment=here, remedy=remedy)
        for name in missing
    ]


def _judge_elsewhere(
    examples: Mapping[str, Example], runs: Sequence[tuple[Environment, Run]], deviations: Sequence[Deviation]
) -> list[Verdict]:
    """Verdicts on records of other environments, but for claims that hold and examples that did not run."""
    about = {}
    for name in examples:
        about[name] = [deviation for deviation in deviations if deviation.mentions(name)]
    verdicts: list[Verdict] = []
    for environment, run in runs:
        if run.example in examples and run.status is not Status.NOT_RUN:
            verdicts += compare_run(examples[run.example], run, environment, about[run.example])
    return [verdict for verdict in verdicts if verdict.kind is not VerdictKind.HOLDS]


def list_recorded_runs(store: Store) -> list[tuple[Environment, Run]]:
    """Every committed run with its environment."""
    return [pair for record in store.records.values() for pair in list_runs(record, store)]


def list_runs(record: Record, store: Store) -> list[tuple[Environment, Run]]:
    """Runs of one record, each with its environment as of the day of the run."""
    runs = []
    for name, run in record.runs.items():
        environment = store.environments[name]
        runs.append((replace(environment, date=record.dates.get(name, environment.date)), run))
    return runs


def evidence_from_records(examples: Mapping[str, Example], store: Store) -> Evidence:
    """Evidence without a run of this build: pages show what was recorded for the examples as they are now."""
    shown = {name: _gather_evidence(example, None, None, store) for name, example in examples.items()}
    return Evidence(examples, None, store, shown=shown)


def _gather_evidence(
    example: Example, run: Run | None, here: Environment | None, store: Store
) -> ExampleEvidence:
    """Evidence on one example; the run shown is the newest environment's, of this build or recorded."""
    known = _list_known(example, run, here, store)
    happened = [(environment, found) for environment, found in known if found.status is not Status.NOT_RUN]
    not_run = [(environment, found.reason) for environment, found in known if found.status is Status.NOT_RUN]
    current = [(environment, found) for environment, found in happened if found.digest == example.digest]
    current.sort(key=lambda pair: age_key(pair[0]))
    measured = {environment.id for environment, _ in (*current, *not_run)}
    everyone = {**store.environments, **({here.id: here} if here else {})}
    page = ExampleEvidence(
        example=example,
        origin=Origin.EXPECTED,
        run=None,
        environment=None,
        missing=_missing(run, [found for _, found in known]),
        stale=tuple(environment for environment, found in happened if found.digest != example.digest),
        runs=tuple(current),
        not_run=tuple(not_run),
        unmeasured=tuple(e for e in sorted(everyone.values(), key=age_key) if e.id not in measured),
        executed=here if any(found is run for _, found in current) else None,
    )
    last = newest_environment(environment for environment, _ in current)
    return page if last is None else page.at(last, dict(current)[last])


def _list_known(
    example: Example, run: Run | None, here: Environment | None, store: Store
) -> list[tuple[Environment, Run]]:
    """Runs of an example by environment: those recorded, with this build's in place of its environment's."""
    record = store.records.get(example.name)
    recorded = list_runs(record, store) if record else []
    known = {environment.id: (environment, found) for environment, found in recorded}
    if here is not None and run is not None and (run.status is not Status.NOT_RUN or here.id not in known):
        known[here.id] = (here, run)
    return list(known.values())


def _missing(run: Run | None, older: Sequence[Run]) -> str:
    """Reason why the example did not run: here, or where records were made."""
    reasons = [r.reason for r in (run, *older) if r is not None and r.status is Status.NOT_RUN]
    return reasons[0] if reasons else ""


def _with_deviations(shown: ExampleEvidence, deviations: Sequence[Deviation]) -> ExampleEvidence:
    """Evidence with the deviations that name one of the example's statements."""
    codes = [statement.code for statement in shown.example.statements]
    name = shown.example.name
    about = [deviation for deviation in deviations if _names_any(deviation, name, codes)]
    return replace(shown, deviations=tuple(about))


def _names_any(deviation: Deviation, example: str, codes: Iterable[str]) -> bool:
    return deviation.mentions(example) and any(deviation.names(example, code) for code in codes)


@dataclass(frozen=True)
class StatementLocation:
    """Where a statement stands in its example."""

    example: Example
    """The script."""
    block: Block
    """The block it stands in."""
    block_index: int
    """Index of the block among the example's blocks of code."""
    statement_index: int
    """Index among the example's statements."""


def locate_statements(example: Example) -> list[StatementLocation]:
    """Location of every statement, in order."""
    found: list[StatementLocation] = []
    for index, block in enumerate(example.blocks):
        for _ in block.statements:
            found.append(StatementLocation(example, block, index, len(found)))
    return found
