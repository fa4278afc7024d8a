"""Runs by environment ⇄ one record document that lists each distinct outcome once; pure.

Folded, a record's diff shows what a new environment changed: one line where nothing did.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import TypeVar

import msgspec
from msgspec import Struct

from tensor_atlas.model.runs import AFTER, JSON, SCHEMA, Observation, Run, Snapshot, Status, encode_fields
from tensor_atlas.records.decode import (
    FormError,
    Index,
    check_day,
    check_snapshot,
    convert_json,
    decode_json,
)

_Fact = TypeVar("_Fact", Observation, Snapshot)
_Thing = TypeVar("_Thing", bound=Hashable)


@dataclass(frozen=True)
class Record:
    """The committed evidence about one example."""

    example: str
    """``<chapter>/<stem>``."""
    runs: Mapping[str, Run]
    """Newest run by environment id."""
    dates: Mapping[str, str] = field(default_factory=dict)
    """Day on which a run was first seen as it is, by environment id."""


# --- the document --------------------------------------------------------------------------------


class _Group(Struct, omit_defaults=True, kw_only=True):
    """Environments that had the same run."""

    environments: dict[str, str]
    """Day of each, by id."""
    status: Status
    reason: str = ""
    reached: Index
    """How many statements."""
    finished: Index
    """How many blocks."""
    stopped: str = ""
    depth: Index = 1
    """How far its snapshots go into what holds arrays and tensors."""
    late: dict[str, object] | None = None
    """What was observed after the last statement; None where nobody looked, or there was nothing."""


class _Statement(Struct, omit_defaults=True):
    code: str
    outcomes: list[dict[str, object]] = []
    """Groups, and the observation they made; a group that is listed nowhere was silent."""


class _Block(Struct):
    outcomes: list[dict[str, object]]
    """Groups, and their snapshot; a group that is listed nowhere has no arrays and tensors."""


class _Version(Struct):
    """What was seen of one version of the example's code."""

    digest: str
    groups: list[_Group]
    statements: list[_Statement]
    blocks: list[_Block]


class _RecordDocument(Struct):
    schema: int
    example: str
    versions: list[_Version]


# --- runs to document ----------------------------------------------------------------------------


def fold_runs(record: Record) -> JSON:
    """Document of ``record``; the same bytes whatever order the runs came in."""
    versions: dict[str, dict[str, Run]] = {}
    for environment in sorted(record.runs):
        run = record.runs[environment]
        versions.setdefault(run.digest, {})[environment] = run
    folded = [_fold_version(digest, versions[digest], record.dates) for digest in sorted(versions)]
    document: JSON = msgspec.to_builtins(_RecordDocument(SCHEMA, record.example, folded))
    return document


def _fold_version(digest: str, runs: Mapping[str, Run], dates: Mapping[str, str]) -> _Version:
    groups = group_by_fact(runs.items())
    statements = zip_longest(*(run.observations for run in groups))
    blocks = zip_longest(*(run.snapshots for run in groups))
    return _Version(
        digest,
        [_fold_group(names, dates, run) for run, names in groups.items()],
        [_fold_statement(column) for column in statements],
        [_Block(_fold_outcomes(column)) for column in blocks],
    )


def group_by_fact(pairs: Iterable[tuple[str, _Thing]]) -> dict[_Thing, list[str]]:
    """Names by what was seen under each, in order of first appearance."""
    groups: dict[_Thing, list[str]] = {}
    for name, fact in pairs:
        groups.setdefault(fact, []).append(name)
    return groups


def _fold_group(environments: Iterable[str], dates: Mapping[str, str], run: Run) -> _Group:
    return _Group(
        environments={name: dates.get(name, "") for name in environments},
        status=run.status,
        reason=run.reason,
        reached=len(run.observations),
        finished=len(run.snapshots),
        stopped=run.stopped,
        depth=run.depth,
        late=None if run.late is None else _encode_without_code(run.late),
    )


def _encode_without_code(fact: Observation | Snapshot) -> dict[str, object]:
    said: dict[str, object] = {**encode_fields(fact)}
    said.pop("code", None)
    return said


def _fold_statement(column: Sequence[Observation | None]) -> _Statement:
    code = next(observation.code for observation in column if observation is not None)
    return _Statement(code, _fold_outcomes(column))


def _fold_outcomes(column: Iterable[Observation | Snapshot | None]) -> list[dict[str, object]]:
    """Each outcome that says something once, with the indices of its groups."""
    outcomes: dict[Observation | Snapshot, list[int]] = {}
    for group, fact in enumerate(column):
        if fact is not None:
            outcomes.setdefault(fact, []).append(group)
    folded: list[dict[str, object]] = []
    for fact, groups in outcomes.items():
        said = _encode_without_code(fact)
        if said:
            folded.append({"groups": groups, **said})
    return folded


# --- document to runs ----------------------------------------------------------------------------


def unfold_runs(data: bytes) -> Record:
    """Record of a file; FormError says which field is wrong, or that the schema is newer."""
    document = decode_json(data, _RecordDocument)
    runs: dict[str, Run] = {}
    dates: dict[str, str] = {}
    for index, version in enumerate(document.versions):
        for environment, date, run in _unfold_version(document.example, version, f"versions[{index}]"):
            if environment in runs:
                raise FormError(f"environment {environment} is listed twice")
            runs[environment] = run
            dates[environment] = date
    return Record(document.example, dict(sorted(runs.items())), dict(sorted(dates.items())))


def _unfold_version(example: str, version: _Version, where: str) -> Iterator[tuple[str, str, Run]]:
    """Environment, day and run of each member of each group."""
    count = len(version.groups)
    observations = []
    for index, statement in enumerate(version.statements):
        silent = Observation(statement.code)
        observations.append(
            _unfold_outcomes(statement.outcomes, silent, count, f"{where}.statements[{index}]")
        )
    snapshots = []
    for index, block in enumerate(version.blocks):
        snapshots.append(_unfold_outcomes(block.outcomes, Snapshot(), count, f"{where}.blocks[{index}]"))
    for index, group in enumerate(version.groups):
        _check_group(group, len(observations), len(snapshots), f"{where}.groups[{index}]")
        run = Run(
            example,
            version.digest,
            group.status,
            group.reason,
            tuple(of.get(index, of[_SILENT]) for of in observations[: group.reached]),
            tuple(of.get(index, of[_SILENT]) for of in snapshots[: group.finished]),
            group.stopped,
            group.depth,
            None if group.late is None else _decode_late(group.late, f"{where}.groups[{index}].late"),
        )
        for environment, date in group.environments.items():
            yield environment, date, run


def _decode_late(late: dict[str, object], where: str) -> Observation:
    return convert_json({**late, "code": AFTER}, Observation, where)


def _check_group(group: _Group, statements: int, blocks: int, where: str) -> None:
    """FormError where a group reached other than its ending says, of so many statements and blocks."""
    if group.reached > statements or group.finished > blocks:
        raise FormError(f"{where}: reached more statements or blocks than are listed")
    if group.status is Status.COMPLETED and (group.reached < statements or group.finished < blocks):
        raise FormError(f"{where}: completed, and reached fewer statements or blocks than are listed")
    for environment, day in group.environments.items():
        check_day(day, f"{where}.environments.{environment}")


_SILENT = -1
"""Stands for each group that no outcome lists."""


def _unfold_outcomes(
    outcomes: list[dict[str, object]], silent: _Fact, count: int, where: str
) -> dict[int, _Fact]:
    """What each of ``count`` groups saw, and under ``_SILENT`` what a group saw that is not listed."""
    facts = {_SILENT: silent}
    for index, outcome in enumerate(outcomes):
        path = f"{where}.outcomes[{index}]"
        fact = convert_json({**outcome, **encode_fields(silent)}, type(silent), path)
        if isinstance(fact, Snapshot):
            check_snapshot(fact, path)
        for group in convert_json(outcome.get("groups"), list[Index], f"{path}.groups"):
            if group >= count:
                raise FormError(f"{path}.groups: there is no group {group}")
            if group in facts:
                raise FormError(f"{path}.groups: group {group} has an outcome already")
            facts[group] = fact
    return facts


# --- putting a run in ----------------------------------------------------------------------------


def add_run(record: Record | None, environment: str, run: Run, date: str) -> Record:
    """Record with the run of one environment put in, in place of that environment's older one.

    A run that says what is recorded already keeps its first day. A run that did not happen never displaces
    one that did for the same code, and neither does one of an earlier day.
    """
    known = record or Record(run.example, {})
    older = known.runs.get(environment)
    if older is not None and not _displaces(run, date, older, known.dates.get(environment, "")):
        return known
    runs = {**known.runs, environment: run}
    is_known = older is not None and replace(run, depth=older.depth) == older
    dates = {**known.dates, environment: known.dates.get(environment, "") if is_known else date}
    return replace(known, runs=dict(sorted(runs.items())), dates=dict(sorted(dates.items())))


def _displaces(run: Run, date: str, older: Run, older_date: str) -> bool:
    if older == run or (run.status is Status.NOT_RUN and older.digest == run.digest):
        return False
    return date >= older_date  # ISO dates sort as text
