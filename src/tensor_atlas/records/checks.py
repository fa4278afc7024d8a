"""Faults of well-formed records and captures: runs that their example cannot have given, days to come.

Finds honest mistakes: a merge gone wrong, a file cut short, an edit by hand, a clock ahead. Pure; a run
of older code is not judged, as nobody knows how many statements that had.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, combinations
from math import prod
from typing import TypeVar

from tensor_atlas.catalogue import ASKED, CONVERSIONS
from tensor_atlas.examples.parse import Example
from tensor_atlas.examples.requirements import may_be_missing
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.names import NameAnswer
from tensor_atlas.model.runs import AFTER, Buffer, Environment, Run, Snapshot, Status, Value
from tensor_atlas.records.names import NameRecord
from tensor_atlas.records.store import ENVIRONMENTS, MATRIX_FOLDER, NAMES, SOURCES_FILE, Store

PRUNE = "tensor-atlas record --prune removes it"
WITHOUT_EXAMPLE = f"if it was renamed, undo that: tensor-atlas rename OLD NEW keeps its record; else {PRUNE}"
RESTORE = "restore it from version control, or remove that environment from it; then record again"
SET_CLOCK = (
    "set the clock of this machine; where another machine's was ahead, restore the file and record again"
)
_Item = TypeVar("_Item")
_DIGEST = re.compile(r"[0-9a-f]{8}")


@dataclass(frozen=True)
class Fault:
    """Something stored that cannot be."""

    file: str
    """File below the folder of records."""
    problem: str
    """What is wrong, with the environment."""
    remedy: str
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
            yield Fault(file, "is about an example that does not exist", WITHOUT_EXAMPLE, is_orphan=True)
            continue
        known: dict[object, str] = {}
        for id_, run in record.runs.items():
            # Environments that did the same share one run, which only an absence judges by the environment.
            key = id_ if run.status is Status.NOT_RUN else id(run)
            if key not in known:
                known[key] = find_contradiction(run, examples[name], store.environments[id_])
            if known[key]:
                yield Fault(file, f"{id_}: {known[key]}", RESTORE)
    yield from _find_matrix_faults(store, today)
    yield from _find_name_faults(store, today)


def _find_name_faults(store: Store, today: dt.date) -> Iterator[Fault]:
    for namespace, record in store.names.items():
        file = f"{NAMES}/{namespace}.json"
        yield from _find_late(file, record.dates, today)
        if namespace not in ASKED:
            yield Fault(file, "is about a module, class or call that nothing asks for", PRUNE, is_orphan=True)
        for what in filter(None, map(_contradict_answer, _distinct(_list_answers(record)))):
            yield Fault(file, f"an answer {what}", RESTORE)


def _list_answers(record: NameRecord) -> Iterator[NameAnswer]:
    return chain.from_iterable(answers.values() for answers in record.answers.values())


def _contradict_answer(answer: NameAnswer) -> str:
    """What an answer for a name says that cannot be; empty where nothing is wrong."""
    classes = [warning.category for warning in answer.warnings]
    if answer.error is not None:
        classes.append(answer.error.type)
    return "" if all(classes) else "names no class of an error or a warning"


def _find_matrix_faults(store: Store, today: dt.date) -> Iterator[Fault]:
    conversions = {conversion.name for conversion in CONVERSIONS}
    for name, row in store.rows.items():
        file = f"{MATRIX_FOLDER}/{name}.json"
        yield from _find_late(file, row.dates, today)
        if name not in conversions:
            yield Fault(file, "is about a conversion that does not exist", PRUNE, is_orphan=True)
        if not _DIGEST.fullmatch(row.code):
            yield Fault(file, f"{row.code!r} is no digest of code", RESTORE)
        cells = chain.from_iterable(of.values() for of in _distinct(row.cells.values()))
        for what in filter(None, map(contradict_cell, _distinct(cells))):
            yield Fault(file, f"a cell {what}", RESTORE)
    for source, code in store.sources.items():
        if not _DIGEST.fullmatch(code):
            yield Fault(SOURCES_FILE, f"{source}: {code!r} is no digest of code", RESTORE)


def _distinct(items: Iterable[_Item]) -> Iterable[_Item]:
    """Objects, each once: environments that did the same share their cells."""
    return {id(item): item for item in items}.values()


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
        fault = "" if example is None else find_contradiction(run, example, capture.environment)
        if fault:
            return f"{run.example}: {fault}"
    for conversion, cells in capture.cells.items():
        for source, tried in cells.items():
            fault = contradict_cell(tried.cell)
            if fault:
                return f"{conversion} on {source}: {fault}"
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
    if run.late is not None and (run.late.code != AFTER or run.late.raised or run.late.unmade):
        return "what came after the last statement is told as that of a statement"
    if run.depth == 1 and any(_has_held(snapshot) for snapshot in run.snapshots):
        return "nobody looked for held values, and yet there are some"
    alive = (_contradict_values(snapshot) or _contradict_sharing(snapshot) for snapshot in run.snapshots)
    ending = _contradict_ending(run, [len(block.statements) for block in example.blocks])
    return ending or next(filter(None, alive), "")


def _has_held(snapshot: Snapshot) -> bool:
    return bool(snapshot.left_out) or any(value.held for value in snapshot.values)


def _contradict_absence(run: Run, example: Example, environment: Environment) -> str:
    if run.observations or run.snapshots:
        return "not run, and yet something was observed"
    if not run.reason or not may_be_missing(example.tags, environment):
        return "not run, though the example needs nothing that may be missing there"
    return ""


def _contradict_ending(run: Run, sizes: Sequence[int]) -> str:
    """What a run says of its end that cannot be; ``sizes`` are the statements of each block."""
    reached, ends = len(run.observations), list(accumulate(sizes))
    raising = {index for index, seen in enumerate(run.observations) if seen.raised is not None}
    is_raised = run.status is Status.RAISED
    if is_raised and not raising:
        return "ended in an exception, and no statement raised one"
    if (run.stopped and not is_raised) or (raising and run.status is Status.COMPLETED):
        return f"{run.status}, and yet something ended it earlier"
    # A probe of earlier days ended a run with its first exception.
    is_short = is_raised and not run.stopped and raising != {reached - 1}
    if reached < ends[-1] and (run.status is Status.COMPLETED or is_short):
        return f"{run.status}, with {reached} observations for {ends[-1]} statements"
    for index, seen in enumerate(run.observations):
        if seen.unmade is not None and seen.unmade.statement not in raising & {*range(index)}:
            return f"{seen.unmade.name} was not made, though no error before it says why"
    return _contradict_blocks(run, ends)


def _contradict_blocks(run: Run, ends: Sequence[int]) -> str:
    """What a run says of its blocks that cannot be; ``ends`` counts the statements up to each block's end."""
    finished = len(run.snapshots)
    failed = [seen.raised is not None or seen.unmade is not None for seen in run.observations]
    broken = [any(failed[start:end]) for start, end in zip([0, *ends], ends, strict=False)]
    if [snapshot.broken for snapshot in run.snapshots] != broken[:finished]:
        return "a snapshot is broken where no statement failed, or is not where one did"
    # A process that died may have done so after the last statement of a block, before its snapshot.
    is_cut = bool(run.stopped) or run.status not in (Status.COMPLETED, Status.RAISED)
    most = sum(end <= len(run.observations) for end in ends)
    if not is_cut and most > 0 and broken[most - 1]:
        most -= 1  # a broken block at the end has none
    if finished == most or (is_cut and finished < most):
        return ""
    return f"{run.status}, with {finished} snapshots for {most} blocks"


def _contradict_sharing(snapshot: Snapshot) -> str:
    """What a snapshot says of shared bytes that its values' places in their buffers contradict."""
    if len(set(snapshot.shares)) < len(snapshot.shares):
        return "lists the same names as sharing bytes twice"
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
    size = _measure_element(value)
    start, stop = _ends(value)
    return size is not None and prod(value.shape) * size == stop - start


def _measure_element(value: Value) -> int | None:
    """Bytes of one element, by the ends and strides of a value; None where it has no strides."""
    if value.strides is None:
        return None
    start, stop = _ends(value)
    gaps = sum((length - 1) * abs(step) for length, step in zip(value.shape, value.strides, strict=True))
    return stop - start - gaps


def _contradict_values(snapshot: Snapshot) -> str:
    """What one value alive says that its dtype or its buffer contradicts; empty where nothing is wrong."""
    for value in snapshot.values:
        what = _contradict_library(value) or _contradict_place(value, snapshot.buffers)
        if what:
            return f"{value.name} {what}"
    used = {value.buffer for value in snapshot.values}
    return "lists a buffer that no value sees" if not used >= set(range(len(snapshot.buffers))) else ""


def _contradict_library(value: Value | Cell) -> str:
    """What an array or tensor has that only the other library's have; empty where nothing is wrong."""
    is_tensor = value.dtype.startswith("torch.")
    if (value.writable if is_tensor else value.requires_grad) is not None:
        return f"has flags that no value of dtype {value.dtype} has"
    if min(value.shape or (), default=0) < 0:
        return "has an axis of negative length"
    if value.strides is not None and (value.shape is None or len(value.strides) != len(value.shape)):
        return "has strides for other axes than it has"
    return "lies on no device" if not value.device else ""


def _contradict_place(value: Value, buffers: Sequence[Buffer]) -> str:
    """What a value says of its place in a buffer that cannot be; empty where nothing is wrong."""
    if value.buffer is None:
        return "has a place in no buffer" if (value.start, value.stop) != (None, None) else ""
    buffer = buffers[value.buffer]  # reading has refused a value with elements in no buffer
    if _ends(value)[1] > buffer.nbytes or buffer.device != value.device:
        return "lies outside its buffer"
    named, size = _BITS.fullmatch(value.dtype), _measure_element(value)
    if size is None or (size == int(named[1]) // 8 if named else size > 0):
        return ""
    return "covers other bytes than its shape"


_BITS = re.compile(r"(?:torch\.)?(?:u?int|b?float|complex|qu?int)(\d+)")
"""Dtypes that name how many bits an element has."""
_FAILURES = (Outcome.RAISES, Outcome.CRASHES, Outcome.TIMES_OUT, Outcome.NO_SOURCE)


def contradict_cell(cell: Cell) -> str:
    """What a cell says that cannot be: a result beside an error, sharing without proof; empty for nothing."""
    has_failed = cell.outcome in _FAILURES
    result = (cell.type, cell.dtype, cell.shape, cell.strides, cell.device, cell.writable, cell.requires_grad)
    if has_failed and (any(part not in ("", None) for part in result) or cell.value):
        return f"{cell.outcome}, and has a result"
    if (cell.error is None) == has_failed or not (has_failed or cell.type):
        return f"{cell.outcome}, without what goes with that"
    if (cell.proof is None) == (cell.outcome in (Outcome.SHARES, Outcome.COPIES)):
        return f"{cell.outcome}, with a proof of something else"
    what = _contradict_library(cell) if cell.device else ""
    return f"the result {what}" if what else ""
