"""Everything known about the examples at one moment, and what their pages show of it; pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

from tensor_atlas.compare.deviations import Deviation, Gap, find_explanation
from tensor_atlas.compare.judge import judge_capture
from tensor_atlas.compare.rungs import Report, Rung, Support, find_support, find_twins
from tensor_atlas.compare.verdicts import Verdict, find_difference
from tensor_atlas.examples.parse import Block, Example, Statement
from tensor_atlas.history.releases import age_key, newest_environment
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.runs import (
    LATE,
    Environment,
    Observation,
    Run,
    Runs,
    Snapshot,
    Status,
    encode_fields,
    level_runs,
)
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
    supports: tuple[Support, ...] = ()
    """What bears out each statement's claim beside runs; empty where nobody looked for that."""

    def support(self, index: int) -> Support:
        """What bears out the claim of statement ``index``, beside runs."""
        return self.supports[index] if index < len(self.supports) else Support()

    def rung(self, index: int) -> Rung:
        """How well the claim of statement ``index`` is borne out."""
        return self.support(index).rung if self.observation(index) is None else Rung.RECORDED

    @property
    def rungs(self) -> list[Rung]:
        """How well each claim of the example is borne out, in order."""
        claiming = [index for index, statement in self.example.places.items() if statement.claim]
        return [self.rung(index) for index in claiming]

    @property
    def highest_rung(self) -> Rung:
        """The best rung among its claims."""
        found = self.rungs
        return next((rung for rung in Rung if rung in found), Rung.EXPECTED)

    def observation(self, index: int) -> Observation | None:
        """What statement ``index`` of the example did; None where it did not run."""
        return None if self.run is None else self.run.observation(index)

    def at(self, environment: Environment, run: Run) -> ExampleEvidence:
        """The same evidence, with this run as the one that the page shows."""
        is_here = self.executed is not None and environment.id == self.executed.id
        origin = Origin.EXECUTED if is_here else Origin.RECORDED
        return replace(self, origin=origin, environment=environment, run=run)

    def snapshot(self, index: int) -> Snapshot | None:
        """What was alive after block ``index``; None where it did not run."""
        return None if self.run is None else self.run.snapshot(index)


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
    pages: Mapping[str, ExampleEvidence] = field(default_factory=dict)
    """What each page shows, by example name."""

    def key(self, name: str) -> str:
        """Digest of all that the page of one example depends on beside its source."""
        return self._keys[name]

    @cached_property
    def _keys(self) -> dict[str, str]:
        return {name: self._key(name) for name in self.pages}

    def _key(self, name: str) -> str:
        page = self.pages[name]
        distinct: dict[Run, list[str]] = {}
        for environment, run in page.runs:
            distinct.setdefault(run, []).append(repr(environment))
        runs = [(encode_fields(run), where) for run, where in distinct.items()]
        # No page shows the line of a finding.
        findings = [replace(found, line=0) for found in self._findings.get(page.example.path, ())]
        facts = (
            page.origin,
            page.environment,
            page.missing,
            page.stale,
            page.not_run,
            page.unmeasured,
            page.executed,
            page.deviations,
            page.supports,
            findings,
        )
        return _digest([runs, [repr(fact) for fact in facts]])

    @cached_property
    def environments(self) -> list[Environment]:
        """Environments that ran any example as it is, the oldest release first."""
        ran = {e.id: e for page in self.pages.values() for e, _ in page.runs}
        return sorted(ran.values(), key=age_key)

    @cached_property
    def whole_key(self) -> str:
        """Digest of all that pages about every example depend on: not on prose, and not on lines."""
        listed = {name: digest_listing(example) for name, example in self.examples.items()}
        recorded = [repr(environment) for environment in self.store.environments.values()]
        gaps = [repr(gap) for gap in self.gaps]
        return _digest([listed, self._keys, recorded, gaps])

    @cached_property
    def _findings(self) -> Mapping[str, Sequence[Verdict]]:
        """Verdicts by path."""
        findings: dict[str, list[Verdict]] = {}
        for verdict in self.verdicts:
            findings.setdefault(verdict.path, []).append(verdict)
        return findings


def digest_listing(example: Example) -> str:
    """Digest of what other pages show of an example: its heading, tags, sections, code and claims."""
    code = [
        (statement.code, statement.claim and statement.claim.lines) for statement in _list_claiming(example)
    ]
    sections = [(block.section, len(block.statements)) for block in example.blocks]
    return _digest([example.path, example.title, example.summary, example.tags, sections, code])


def has_same_code(one: Example, other: Example) -> bool:
    """Whether two versions of an example have the same statements and claims, wherever these stand."""
    return _list_code(one) == _list_code(other)


def _list_code(example: Example) -> list[list[Statement]]:
    """Statements of an example with their claims, block by block, wherever they stand in the file."""
    late = [_forget_lines(example.places[LATE])]
    return [*([*map(_forget_lines, block.statements)] for block in example.blocks), late]


def _forget_lines(statement: Statement) -> Statement:
    claim = replace(statement.claim, line=0) if statement.claim else None
    return replace(statement, line=0, last_line=0, claim=claim)


def _list_claiming(example: Example) -> list[Statement]:
    """All statements, and the end of the script where it has a claim."""
    late = [example.places[LATE]] if example.late_claim else []
    return [*example.statements, *late]


def _digest(document: object) -> str:
    return hashlib.sha256(json.dumps(document, sort_keys=True, default=str).encode()).hexdigest()[:16]


def assess_capture(
    examples: Mapping[str, Example], capture: Capture, store: Store, deviations: Sequence[Deviation]
) -> Evidence:
    """Evidence of a capture and the records, with its verdicts."""
    verdicts = judge_capture(examples, capture, store, deviations)
    return replace(evidence_from_records(examples, store, deviations, capture), verdicts=verdicts)


def add_support(evidence: Evidence, reports: Sequence[Report]) -> Evidence:
    """Evidence with what bears out the claims that no run has shown.

    Runs on other accelerators, released wheels, and public threads.
    """
    twins = find_twins(evidence.store)
    pages = {
        name: replace(page, supports=find_support(page.example, evidence.store.shipped, reports, twins))
        for name, page in evidence.pages.items()
    }
    return replace(evidence, pages=pages)


def evidence_from_records(
    examples: Mapping[str, Example],
    store: Store,
    deviations: Sequence[Deviation] = (),
    capture: Capture | None = None,
) -> Evidence:
    """Evidence of what was recorded for the examples as they are now, and of what a ``capture`` executed."""
    runs = {run.example: run for run in capture.runs} if capture else {}
    pages = {}
    for name, example in examples.items():
        here = capture.environment_of(name) if capture else None
        page = _gather_evidence(example, runs.get(name), here, store)
        pages[name] = replace(page, deviations=_deviations_of(example, deviations))
    return Evidence(examples, capture, store, deviations, pages=pages)


def _gather_evidence(
    example: Example, run: Run | None, here: Environment | None, store: Store
) -> ExampleEvidence:
    """Evidence on one example; the run shown is the newest environment's, of this build or recorded."""
    known = _list_known(example, run, here, store)
    happened = [
        (environment, recorded) for environment, recorded in known if recorded.status is not Status.NOT_RUN
    ]
    not_run = [
        (environment, recorded.reason) for environment, recorded in known if recorded.status is Status.NOT_RUN
    ]
    current = [
        (environment, recorded) for environment, recorded in happened if recorded.digest == example.digest
    ]
    current.sort(key=lambda pair: age_key(pair[0]))
    executed = here if any(recorded is run for _, recorded in current) else None
    levelled = level_runs([recorded for _, recorded in current])
    current = list(zip((environment for environment, _ in current), levelled, strict=True))
    measured = {environment.id for environment, _ in (*current, *not_run)}
    everyone = {**store.environments, **({here.id: here} if here else {})}
    page = ExampleEvidence(
        example=example,
        origin=Origin.EXPECTED,
        run=None,
        environment=None,
        missing=_missing(run, known),
        stale=tuple(environment for environment, recorded in happened if recorded.digest != example.digest),
        runs=tuple(current),
        not_run=tuple(not_run),
        unmeasured=tuple(e for e in sorted(everyone.values(), key=age_key) if e.id not in measured),
        executed=executed,
    )
    last = newest_environment(environment for environment, _ in current)
    return page if last is None else page.at(last, dict(current)[last])


def _list_known(
    example: Example, run: Run | None, here: Environment | None, store: Store
) -> list[tuple[Environment, Run]]:
    """Runs of an example by environment: those recorded, with this build's in place of its environment's."""
    record = store.records.get(example.name)
    recorded = store.runs_of(record) if record else []
    known = {environment.id: (environment, found) for environment, found in recorded}
    if here is not None and run is not None and (run.status is not Status.NOT_RUN or here.id not in known):
        known[here.id] = (here, run)
    return list(known.values())


def _missing(run: Run | None, known: Runs) -> str:
    """Reason why the example did not run: here, or where records were made."""
    runs = [run, *(found for _, found in known)]
    return next((one.reason for one in runs if one is not None and one.status is Status.NOT_RUN), "")


def _deviations_of(example: Example, deviations: Iterable[Deviation]) -> tuple[Deviation, ...]:
    def names_one(deviation: Deviation) -> bool:
        codes = (statement.code for statement in example.places.values())
        return deviation.mentions(example.name) and any(deviation.names(example.name, code) for code in codes)

    return tuple(filter(names_one, deviations))


def find_reason(
    evidence: ExampleEvidence, index: int, environment: Environment, run: Run
) -> Deviation | None:
    """The reviewed reason why a run differs from what a statement claims; None where it does as claimed."""
    difference = find_difference(evidence.example, run, index)
    if difference is None:
        return None
    code = evidence.example.places[index].code
    covering = [d for d in evidence.deviations if d.covers(evidence.example.name, code, environment)]
    reason = find_explanation(covering, difference)
    if reason is None and run.ending is not None and run.ending < index:
        # What is behind the end has the same reason.
        return find_reason(evidence, run.ending, environment, run)
    return reason


@dataclass(frozen=True)
class StatementLocation:
    """Where a statement stands in its example."""

    block: Block
    """The block it stands in."""
    block_index: int
    """Index of the block among the example's blocks of code."""
    statement_index: int
    """Index among the example's statements."""


def locate_statements(example: Example) -> list[StatementLocation]:
    """Location of every statement, in order."""
    locations: list[StatementLocation] = []
    for index, block in enumerate(example.blocks):
        for _ in block.statements:
            locations.append(StatementLocation(block, index, len(locations)))
    return locations
