"""What records may lack because older probes dropped it; pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tensor_atlas.examples.parse import Example
from tensor_atlas.model.runs import Observation, Run, output_lines
from tensor_atlas.records.fold import Record
from tensor_atlas.records.store import Store

LONE = {"", "stderr:"}
"""Claim lines of a newline alone, on standard output and on standard error."""


def mark_dropped_newlines(store: Store, examples: Mapping[str, Example]) -> Store:
    """Store whose statements count as not observed where they lack a claimed newline alone, and nothing else.

    Older probes dropped it. That nothing was printed there, a new run can tell, and no record.
    """
    records = dict(store.records)
    for name, example in examples.items():
        claims = _find_claims(example)
        if claims and name in records:
            records[name] = _mark_record(records[name], example.digest, claims)
    return replace(store, records=records)


def _find_claims(example: Example) -> dict[int, tuple[str, ...]]:
    """Claims that may be of a newline alone, by index of the statement."""
    claims = {}
    for index, statement in enumerate(example.statements):
        if statement.claim is not None and not LONE.isdisjoint(statement.claim.lines):
            claims[index] = statement.claim.lines
    return claims


def _mark_record(record: Record, digest: str, claims: Mapping[int, tuple[str, ...]]) -> Record:
    current = {name: run for name, run in record.runs.items() if run.digest == digest}
    marked = {name: _mark_run(run, claims) for name, run in current.items()}
    return replace(record, runs={**record.runs, **marked})


def _mark_run(run: Run, claims: Mapping[int, tuple[str, ...]]) -> Run:
    observations = list(run.observations)
    for index, claimed in claims.items():
        if index < len(observations) and _lacks_newline(observations[index], claimed):
            observations[index] = replace(observations[index], unobserved=True)
    return replace(run, observations=tuple(observations))


def _lacks_newline(seen: Observation, claimed: tuple[str, ...]) -> bool:
    """Whether a newline, on a stream on which nothing was observed, would make the output the claimed one."""
    if seen.unmade is not None or seen.raised is not None:
        return False
    with_newline = replace(seen, stdout=seen.stdout or "\n"), replace(seen, stderr=seen.stderr or "\n")
    return output_lines(seen) != claimed and claimed in map(output_lines, with_newline)
