"""Faults of well-formed records and captures: runs that their example cannot have given, days to come.

Finds honest mistakes: a merge gone wrong, a file cut short, an edit by hand, a clock ahead. Pure; a run
of older code is not judged, as nobody knows how many statements that had.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations
from math import prod

from tensor_atlas.catalogue import CONVERSIONS
from tensor_atlas.examples.parse import Example
from tensor_atlas.examples.requirements import may_be_missing
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.runs import Environment, Run, Snapshot, Status, Value
from tensor_atlas.records.store import ENVIRONMENTS, MATRIX, Store

PRUNE = "tensor-atlas record --prune removes it"
RESTORE = "restore it from version control, or remove that environment from it; then record again"
SET_CLOCK = (
    "set the clock of this machine; where another machine's was ahead, restore the file and record again"
)


@dataclass(frozen=True)
class Fault:
    """Something stored that cannot be."""

    file: str
    """File below the folder of records."""
    what: str
    """What is wrong, with the environment."""
    remedy: str
    """What to do."""
    is_orphan: bool = False
    """Whether it is about an example or conversion that does not exist."""


def find_faults(store: Store, examples: Mapping[str, Example], today: dt.date) -> Iterator[Fault]:
    """Faults of the records, by file; ``today`` is the day in UTC."""
    for name, environment in store.environments.items():
        yield from _find_late(ENVIRONMENTS, {name: environment.date}, today)
    for name, record in store.records.items():
        file = f"{name}.json"
        yield from _find_late(file, record.dates, today)
        if name not in examples:
            yield Fault(file, "is about an example that does not exist", PRUNE, is_orphan=True)
            continue
        for id_, run in record.runs.items():
            what = find_contradiction(run, examples[name], store.environments[id_])
            if what:
                yield Fault(file, f"{id_}: {what}", RESTORE)
    conversions = {conversion.name for conversion in CONVERSIONS}
    for name, row in store.rows.items():
        file = f"{MATRIX}/{name}.json"
        yield from _find_late(file, row.dates, today)
        if name not in conversions:
            yield Fault(file, "is about a conversion that does not exist", PRUNE, is_orphan=True)


def _find_late(file: str, days: Mapping[str, str], today: dt.date) -> Iterator[Fault]:
    for environment, day in days.items():
        if is_to_come(day, today):
            yield Fault(file, f"{environment}: is dated {day}, and today is {today}", SET_CLOCK)


def is_to_come(day: str, today: dt.date) -> bool:
    """Whether a day such as 2026-01-31 lies after ``today``."""
    return day > today.isoformat()  # ISO dates sort as text


def find_capture_fault(capture: Capture, examples: Mapping[str, Example], today: dt.date) -> str:
    """What is wrong with a capture in a few words; empty where nothing is."""
    for day in (capture.environment.date, *capture.dates.values()):
        if is_to_come(day, today):
            return f"is dated {day}, and today is {today}"
    for run in capture.runs:
        example = examples.get(run.example)
        what = "" if example is None else find_contradiction(run, example, capture.environment)
        if what:
            return f"{run.example}: {what}"
    return ""


def find_contradiction(run: Run, example: Example, environment: Environment) -> str:
    """What a run of the present code says that it cannot have done; empty for a run of other code."""
    if run.digest != example.digest:
        return ""
    if run.status is Status.NOT_RUN:
        return _contradict_absence(run, example, environment)
    code = [statement.code for statement in example.statements]
    if [observation.code for observation in run.observations] != code[: len(run.observations)]:
        return "observations are not those of the example's statements, in order"
    sharing = (_contradict_sharing(snapshot) for snapshot in run.snapshots)
    ending = _contradict_ending(run, [len(block.statements) for block in example.blocks])
    return ending or next(filter(None, sharing), "")


def _contradict_absence(run: Run, example: Example, environment: Environment) -> str:
    if run.observations or run.snapshots:
        return "not run, and yet something was observed"
    if not run.reason or not may_be_missing(example.tags, environment):
        return "not run, though the example needs nothing that may be missing there"
    return ""


def _contradict_ending(run: Run, sizes: Sequence[int]) -> str:
    """What a run says of its end that cannot be; ``sizes`` are the statements of each block."""
    reached, finished = len(run.observations), len(run.snapshots)
    ends = list(accumulate(sizes))
    if run.status is Status.COMPLETED and reached < ends[-1]:
        return f"completed, with {reached} observations for {ends[-1]} statements"
    if run.status is Status.RAISED and (not reached or run.observations[-1].raised is None):
        return "ended in an exception, and the last statement raised none"
    last = reached - 1 if run.status is Status.RAISED else reached
    most = sum(end <= last for end in ends)
    # A process that died may have done so after the last statement of a block, before its snapshot.
    is_cut = run.status not in (Status.COMPLETED, Status.RAISED)
    if finished == most or (is_cut and finished < most):
        return ""
    return f"{run.status}, with {finished} snapshots for {most} blocks"


def _contradict_sharing(snapshot: Snapshot) -> str:
    """What a snapshot says of shared bytes that its values' places in their buffers contradict."""
    together = {frozenset(pair) for group in snapshot.shares for pair in combinations(group, 2)}
    possible = set()
    for one, other in combinations(snapshot.values, 2):
        if _reach(one, other):
            pair = frozenset((one.name, other.name))
            possible.add(pair)
            if pair not in together and _is_dense(one) and _is_dense(other):
                return (
                    f"{one.name} and {other.name} lie on the same bytes, and are not listed as sharing them"
                )
    for names in map(sorted, together - possible):
        return f"{' and '.join(names)} are listed as sharing bytes, and have none in common"
    return ""


def _reach(one: Value, other: Value) -> bool:
    """Whether two values lie in one buffer, and neither ends before the other begins."""
    if one.buffer is None or one.buffer != other.buffer:
        return False
    (first, last), (start, stop) = _ends(one), _ends(other)
    return max(first, start) < min(last, stop)


def _ends(value: Value) -> tuple[int, int]:
    """First byte of a value in its buffer, and the one after its last."""
    return value.start or 0, value.stop or 0


def _is_dense(value: Value) -> bool:
    """Whether every byte between a value's ends is one of its elements."""
    if value.strides is None:
        return False
    start, stop = _ends(value)
    gaps = sum((length - 1) * abs(step) for length, step in zip(value.shape, value.strides, strict=True))
    return prod(value.shape) * (stop - start - gaps) == stop - start
