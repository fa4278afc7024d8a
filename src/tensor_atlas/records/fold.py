"""Runs by environment ⇄ one record document that lists each distinct outcome once; pure.

Folded, a record's diff shows what a new environment changed: one line where nothing did.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from tensor_atlas.model.runs import (
    JSON,
    SCHEMA,
    Fields,
    FormError,
    Observation,
    Run,
    Snapshot,
    Status,
    check_schema,
    observation_from_json,
    observation_to_json,
    snapshot_from_json,
    snapshot_to_json,
    status_from_text,
)


@dataclass(frozen=True)
class Record:
    """The committed evidence about one example."""

    example: str
    """``<chapter>/<stem>``."""
    runs: Mapping[str, Run]
    """Newest run by environment id."""
    dates: Mapping[str, str] = field(default_factory=dict)
    """Day on which a run was first seen as it is, by environment id."""


def fold(record: Record) -> dict[str, JSON]:
    """Document of ``record``; the same bytes whatever order the runs came in."""
    versions: dict[str, dict[str, Run]] = {}
    for environment in sorted(record.runs):
        run = record.runs[environment]
        versions.setdefault(run.digest, {})[environment] = run
    return {
        "schema": SCHEMA,
        "example": record.example,
        "versions": [_version(digest, versions[digest], record.dates) for digest in sorted(versions)],
    }


def _version(digest: str, runs: Mapping[str, Run], dates: Mapping[str, str]) -> dict[str, JSON]:
    groups = _grouped(runs)
    members = [runs[environments[0]] for environments in groups]
    return {
        "digest": digest,
        "groups": [
            _group({name: dates.get(name, "") for name in environments}, run)
            for environments, run in zip(groups, members, strict=True)
        ],
        "statements": [_statement(column) for column in zip_longest(*(run.observations for run in members))],
        "blocks": [_block(column) for column in zip_longest(*(run.snapshots for run in members))],
    }


def _grouped(runs: Mapping[str, Run]) -> list[list[str]]:
    """Environments with the same run, each group and the groups among themselves in order of name."""
    groups: dict[Run, list[str]] = {}
    for environment, run in runs.items():
        groups.setdefault(run, []).append(environment)
    return list(groups.values())


def _group(environments: dict[str, str], run: Run) -> dict[str, JSON]:
    """Environments with the day of each, and how their run ended."""
    document: dict[str, JSON] = {"environments": dict(environments), "status": str(run.status)}
    if run.reason:
        document["reason"] = run.reason
    document["reached"] = len(run.observations)
    document["finished"] = len(run.snapshots)
    return document


def _statement(column: Iterable[Observation | None]) -> dict[str, JSON]:
    """Code of a statement and every outcome that says something; a group that is listed nowhere was silent."""
    observations = list(column)
    code = next(observation.code for observation in observations if observation is not None)
    outcomes: dict[Observation, list[JSON]] = {}
    for group, observation in enumerate(observations):
        if observation is not None and observation_to_json(observation):
            outcomes.setdefault(observation, []).append(group)
    listed: list[JSON] = [{"groups": groups, **observation_to_json(o)} for o, groups in outcomes.items()]
    return {"code": code, "outcomes": listed} if listed else {"code": code}


def _block(column: Iterable[Snapshot | None]) -> dict[str, JSON]:
    outcomes: dict[Snapshot, list[JSON]] = {}
    for group, snapshot in enumerate(column):
        if snapshot is not None and snapshot_to_json(snapshot):
            outcomes.setdefault(snapshot, []).append(group)
    return {"outcomes": [{"groups": groups, **snapshot_to_json(s)} for s, groups in outcomes.items()]}


def unfold(document: JSON) -> Record:
    """Record of a parsed record file. FormError says which field is wrong, or that the schema is newer."""
    fields = check_schema(document)
    example = fields.text("example")
    runs: dict[str, Run] = {}
    dates: dict[str, str] = {}
    for version in fields.objects("versions"):
        for environment, date, run in _runs(example, version):
            if environment in runs:
                raise FormError(f"environment {environment} is listed twice")
            runs[environment] = run
            dates |= {environment: date} if date else {}
    return Record(example, dict(sorted(runs.items())), dict(sorted(dates.items())))


def _runs(example: str, version: Fields) -> Iterable[tuple[str, str, Run]]:
    statements = version.objects("statements")
    blocks = version.objects("blocks")
    for index, group in enumerate(version.objects("groups")):
        reached, finished = group.integer("reached"), group.integer("finished")
        if min(reached, finished) < 0:
            raise FormError(f"group {index} has reached fewer statements or blocks than none")
        if reached > len(statements) or finished > len(blocks):
            raise FormError(f"group {index} has reached more statements or blocks than are listed")
        run = Run(
            example=example,
            digest=version.text("digest"),
            status=status_from_text(group.text("status")),
            reason=group.text("reason", ""),
            observations=tuple(_observation(statement, index) for statement in statements[:reached]),
            snapshots=tuple(_snapshot(block, index) for block in blocks[:finished]),
        )
        environments = group.object("environments")
        for environment in environments.names():
            yield environment, environments.text(environment), run


def _observation(statement: Fields, group: int) -> Observation:
    code = statement.text("code")
    outcome = _outcome(statement, group)
    return Observation(code) if outcome is None else observation_from_json(outcome, code)


def _snapshot(block: Fields, group: int) -> Snapshot:
    outcome = _outcome(block, group)
    return Snapshot() if outcome is None else snapshot_from_json(outcome)


def _outcome(fields: Fields, group: int) -> Fields | None:
    return next(
        (outcome for outcome in fields.objects("outcomes") if group in outcome.integers("groups")), None
    )


def folded_in(record: Record | None, environment: str, run: Run, date: str) -> Record:
    """Record with the run of one environment put in, in place of that environment's older one.

    A run that says what is recorded already keeps its first day. A run that did not happen never displaces one that
    did for the same code, and neither does one of an earlier day.
    """
    known = record or Record(run.example, {})
    older = known.runs.get(environment)
    if older == run or (
        older is not None and not _displaces(run, date, older, known.dates.get(environment, ""))
    ):
        return known
    runs = {**known.runs, environment: run}
    dates = {**known.dates, environment: date}
    return replace(known, runs=dict(sorted(runs.items())), dates=dict(sorted(dates.items())))


def _displaces(run: Run, date: str, older: Run, older_date: str) -> bool:
    if run.status is Status.NOT_RUN and older.digest == run.digest:
        return False
    return date >= older_date  # ISO dates sort as text
