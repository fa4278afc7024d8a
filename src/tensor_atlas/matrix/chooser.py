"""Calls that turn what a reader has into what they want, best first, and why the others do not; pure.

Everything said of a call is read off the matrix, also what it does with other sources of the same form: that
tells whether a call shares memory always, or only here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from tensor_atlas.catalogue import (
    CONVERSIONS,
    SOURCES,
    TRIED_ON,
    Conversion,
    Form,
    Group,
    Source,
    code_digests,
    is_tried,
)
from tensor_atlas.history.cell_changes import FAILURES
from tensor_atlas.history.releases import age_key, newest_environment
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.runs import Environment
from tensor_atlas.records.matrix_rows import Row, keep_present_code

LONGEST = 160
"""Characters of a message that are kept."""


class ResultKind(StrEnum):
    """What a reader wants to get."""

    TENSOR = "a tensor"
    ARRAY = "an array"
    VALUE = "Python values"


class Memory(StrEnum):
    """What the reader wants of the memory."""

    ANY = "do not care"
    SHARE = "share memory"
    COPY = "a copy"
    STRICT = "fail rather than copy"


GIVES: Mapping[Group, tuple[ResultKind, ...]] = {
    Group.TO_TENSOR: (ResultKind.TENSOR,),
    Group.TO_NUMPY: (ResultKind.ARRAY, ResultKind.VALUE),
    Group.MOVE: (ResultKind.TENSOR,),
}
"""What the conversions of a group are called for; a mixed expression converts only on the way to a
computation."""

OTHER_ELEMENTS = frozenset({"shape", "indexing", "autograd", "like another"})
"""Families that are called for other elements or another shape than the source's: no conversion of it."""

SCOPE = tuple(c for c in CONVERSIONS if c.group in GIVES and c.family not in OTHER_ELEMENTS)
"""Conversions that the chooser knows."""


@dataclass(frozen=True)
class CellSummary:
    """What the chooser says of a cell."""

    outcome: Outcome
    """What became of the source."""
    kind: ResultKind | None = None
    """What came out; None for failures, and for what nobody asks for."""
    type: str = ""
    """Class name of the result."""
    element: str = ""
    """Its dtype; of a plain value its class."""
    device: str = ""
    """Kind of device, without a number."""
    shape: str = ""
    """Elements per axis, as Python writes them."""
    grad: bool = False
    """Whether autograd records it."""
    frozen: bool = False
    """Whether NumPy forbids writing to it."""
    writes: bool = False
    """Whether the source's own elements were changed."""
    other_shape: bool = False
    """Whether most conversions of the source give another shape."""
    other_values: bool = False
    """Whether most conversions of the source give other elements."""
    unseen: bool = False
    """Whether the elements were not recorded."""
    value: str = ""
    """The elements, where they are others."""
    warnings: tuple[str, ...] = ()
    """Its warnings: category and first line."""
    error: str = ""
    """Its error: class and first line."""


@dataclass(frozen=True)
class ChooserTable:
    """The matrix as the chooser reads it."""

    environments: tuple[Environment, ...]
    """Those that have cells: the one that a page shows at first, then the newest first."""
    summaries: tuple[CellSummary, ...]
    """What is said of cells, each once."""
    cells: Mapping[str, Mapping[str, Mapping[str, int]]]
    """Indices of ``summaries``: by environment id, conversion and source."""


# --- from the records ----------------------------------------------------------------------------


def select_present_rows(rows: Mapping[str, Row], sources: Mapping[str, str]) -> dict[str, Row]:
    """Rows without cells of other code than now; ``sources`` are digests of the code that ran, by name."""
    same = {s.name for s in SOURCES if sources.get(s.name) == code_digests(SCOPE[0], s)[1]}
    kept = {}
    for conversion in SCOPE:
        if conversion.name in rows:
            digest = code_digests(conversion, SOURCES[0])[0]
            kept[conversion.name] = keep_present_code(rows[conversion.name], digest, same)
    return {name: row for name, row in kept.items() if row.cells}


def build_chooser_table(rows: Mapping[str, Row], environments: Mapping[str, Environment]) -> ChooserTable:
    """Table of all rows; sources and conversions that no longer exist are left out."""
    names = {name for row in rows.values() for name in row.cells}
    tried = [environments[name] for name in names]
    shown = newest_environment(tried)
    ordered = sorted(
        tried, key=lambda environment: (environment == shown, age_key(environment)), reverse=True
    )
    summaries = _Summaries()
    cells = {environment.id: _place_cells(rows, environment.id, summaries) for environment in ordered}
    return ChooserTable(tuple(ordered), tuple(summaries.places), cells)


class _Summaries:
    """Distinct summaries of cells, each at a place; rows hold a cell that releases agree on once."""

    def __init__(self) -> None:
        self.places: dict[CellSummary, int] = {}
        self._seen: dict[tuple[int, Usual], int] = {}

    def place(self, cell: Cell, usual: Usual) -> int:
        """Place of a cell's summary; the cell must outlive this object."""
        key = (id(cell), usual)
        if key not in self._seen:
            self._seen[key] = self.places.setdefault(_summarize(cell, usual), len(self.places))
        return self._seen[key]


def _place_cells(
    rows: Mapping[str, Row], environment: str, summaries: _Summaries
) -> dict[str, dict[str, int]]:
    """Places of the summaries of one environment's cells, by conversion and source."""
    tried = {c.name: rows[c.name].cells.get(environment, {}) for c in SCOPE if c.name in rows}
    found: dict[str, dict[str, int]] = {name: {} for name, cells in tried.items() if cells}
    for source in SOURCES:
        column = {name: cells[source.name] for name, cells in tried.items() if source.name in cells}
        usual = _find_usual(column.values()) if source.form is not Form.BUFFER else (None, None)
        for name, cell in column.items():
            found[name][source.name] = summaries.place(cell, usual)
    return found


Usual = tuple[tuple[int, ...] | None, tuple[complex, ...] | None]
"""Shape and elements that most conversions of a source give; None for a bare buffer, whose bytes mean
anything."""


def _find_usual(cells: Iterable[Cell]) -> Usual:
    results = [cell for cell in cells if cell.outcome not in FAILURES]
    shapes = Counter(cell.shape for cell in results if cell.shape is not None)
    if not shapes:
        return None, None
    shape = shapes.most_common(1)[0][0]
    elements = [_read_numbers(cell.value) for cell in results if cell.shape == shape]
    values = Counter(numbers for numbers in elements if numbers is not None)
    return shape, values.most_common(1)[0][0] if values else None


@lru_cache(maxsize=1 << 14)
def _read_numbers(value: str) -> tuple[complex, ...] | None:
    """Elements of a recorded value, flat, read once for all environments; None for others than numbers."""
    flat = value.strip("'\"").replace("[", "").replace("]", "")
    words = {"True": 1, "False": 0}
    try:
        return tuple(complex(words.get(text, text)) for text in flat.split(", ")) if flat else None
    except ValueError:
        return None


def _summarize(cell: Cell, usual: Usual) -> CellSummary:
    if cell.outcome in FAILURES:
        error = f"{cell.error.type}: {cell.error.message}" if cell.error else ""
        return CellSummary(cell.outcome, error=_shorten(error.strip(": ")))
    kind = _result_kind(cell)
    shape, values = usual
    numbers = _read_numbers(cell.value)
    other_values = values is not None and numbers is not None and not _are_close(numbers, values)
    return CellSummary(
        outcome=cell.outcome,
        kind=kind,
        type=cell.type,
        element=cell.type if kind is ResultKind.VALUE else cell.dtype,
        device=cell.device.partition(":")[0],
        shape="" if cell.shape is None else str(cell.shape),
        grad=cell.requires_grad is True,
        frozen=cell.writable is False,
        writes=cell.writes,
        other_shape=cell.shape is not None and shape is not None and cell.shape != shape,
        other_values=other_values,
        unseen=values is not None and not cell.value,
        value=_shorten(cell.value) if other_values else "",
        warnings=tuple(dict.fromkeys(_shorten(f"{w.category}: {w.message}") for w in cell.warnings)),
    )


def _result_kind(cell: Cell) -> ResultKind | None:
    """What came out; None for a list of arrays or tensors, which is neither."""
    if cell.dtype.startswith("torch."):
        return ResultKind.TENSOR
    if " of " in cell.type:
        return None
    return ResultKind.ARRAY if cell.dtype and cell.device else ResultKind.VALUE


def _are_close(some: tuple[complex, ...], others: tuple[complex, ...]) -> bool:
    """Whether two lists of elements are the same but for rounding."""
    if len(some) != len(others):
        return False
    return all(a == b or abs(a - b) <= 0.01 * abs(b) for a, b in zip(some, others, strict=True))


def _shorten(message: str) -> str:
    line = message.partition("\n")[0]
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


# --- the question --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Want:
    """What a reader wants."""

    kind: ResultKind = ResultKind.TENSOR
    """What is to come out."""
    memory: Memory = Memory.ANY
    """What is to become of the memory; it means nothing for plain values."""
    element: str = ""
    """Dtype, or class of a plain value; empty for any."""
    device: str = ""
    """Kind of device; empty for any that keeps the elements."""


def possible_kinds(form: Form) -> tuple[ResultKind, ...]:
    """Kinds of result that can be wanted of a form of source."""
    given: set[ResultKind] = set()
    for group, kinds in GIVES.items():
        if form in TRIED_ON[group]:
            given.update(kinds)
    return tuple(kind for kind in ResultKind if kind in given)


class Fit(StrEnum):
    """How well a call does what is wanted, the best first."""

    DOES = "does it"
    REFUSES = "raises, as asked: it would have to copy"
    COPIES = "copies, though sharing was asked"
    SHARES = "shares memory, though a copy was asked"
    SILENT = "shares here, but copies others without a word"
    EMPTY = "gives something whose memory cannot be seen"
    ELEMENT = "gives another dtype or class"
    DEVICE = "puts it on another device"
    CHANGED = "gives another shape or other elements"
    KIND = "gives another kind of object"
    RAISES = "raises"


GOOD = frozenset({Fit.DOES, Fit.REFUSES})
"""Fits of calls that are an answer."""


@dataclass(frozen=True)
class CallCounts:
    """What a call does with all sources of one form, in one environment."""

    tried: int = 0
    """Sources that it was tried on."""
    gives: int = 0
    """Those of which it makes what is wanted."""
    shares: int = 0
    """Those of these whose memory the result shares, or that it gives back."""
    copies: int = 0
    """Those of these that it copies."""
    crashes: int = 0
    """Sources with which it kills the process, or hangs it."""
    copies_anywhere: int = 0
    """Sources of any form that it copies."""


@dataclass(frozen=True)
class Call:
    """One call, and what is known of it."""

    conversion: Conversion
    """The call."""
    summary: CellSummary
    """What it did with the source."""
    counts: CallCounts
    """What it does with others."""
    same: int
    """Environments in which it does the same, of ``known``."""
    known: int
    """Environments that have tried it."""


@dataclass(frozen=True)
class Request:
    """What a reader has and wants."""

    have: Source
    """What there is."""
    want: Want
    """What is to become of it."""
    has_bytes: bool
    """Whether any call can tell sharing from copying: an empty array has no bytes to share."""


@dataclass(frozen=True)
class RankedCall:
    """A call as an answer to what a reader wants."""

    call: Call
    """The call."""
    fit: Fit
    """Whether it does what is wanted."""
    reasons: tuple[str, ...]
    """Why it is ranked as it is."""
    cautions: tuple[str, ...]
    """What to mind; warnings are in the call's summary."""


def rank_calls(table: ChooserTable, have: Source, want: Want, environment: str) -> list[RankedCall]:
    """Every call that might give what is wanted, the best first; those that fail last."""
    cells = table.cells[environment]
    tried = [c for c in SCOPE if want.kind in GIVES[c.group] and have.name in cells.get(c.name, {})]
    calls = [_describe_call(table, cells, conversion, have, want.kind) for conversion in tried]
    calls = [call for call in calls if call.counts.gives]
    has_bytes = any(call.summary.outcome in (Outcome.SHARES, Outcome.COPIES) for call in calls)
    request = Request(have, want, has_bytes)
    fits = [_judge(request, call) for call in calls]
    pairs = list(zip(fits, calls, strict=True))
    if Fit.DOES in fits:  # where others share, a call that raises would not have to copy
        pairs = [(_without_refusal(fit), call) for fit, call in pairs]
    pairs.sort(key=lambda pair: (_PLACES[pair[0]], _sort_key(request, pair[1])))
    return [RankedCall(c, fit, tuple(_reasons(request, c)), tuple(_cautions(have, c))) for fit, c in pairs]


def _without_refusal(fit: Fit) -> Fit:
    return Fit.RAISES if fit is Fit.REFUSES else fit


def _describe_call(
    table: ChooserTable,
    cells: Mapping[str, Mapping[str, int]],
    conversion: Conversion,
    have: Source,
    kind: ResultKind,
) -> Call:
    mine = table.summaries[cells[conversion.name][have.name]]
    places = [there.get(conversion.name, {}).get(have.name) for there in table.cells.values()]
    others = [table.summaries[place] for place in places if place is not None]
    same = sum((o.outcome, o.type, o.element) == (mine.outcome, mine.type, mine.element) for o in others)
    counts = _count_calls(table, cells[conversion.name], have.form, kind)
    return Call(conversion, mine, counts, same, len(others))


def _count_calls(table: ChooserTable, cells: Mapping[str, int], form: Form, kind: ResultKind) -> CallCounts:
    there = [table.summaries[cells[s.name]] for s in SOURCES if s.form is form and s.name in cells]
    given = Counter(summary.outcome for summary in there if summary.kind is kind)
    return CallCounts(
        tried=len(there),
        gives=sum(given.values()),
        shares=given[Outcome.SAME] + given[Outcome.SHARES],
        copies=given[Outcome.COPIES],
        crashes=sum(summary.outcome in (Outcome.CRASHES, Outcome.TIMES_OUT) for summary in there),
        copies_anywhere=sum(table.summaries[place].outcome is Outcome.COPIES for place in cells.values()),
    )


def _judge(request: Request, call: Call) -> Fit:
    want, summary = request.want, call.summary
    if summary.outcome in FAILURES:
        return _judge_failure(want, call)
    if summary.kind is not want.kind:
        return Fit.KIND
    if _is_elsewhere(request, summary):
        return Fit.DEVICE
    if want.element not in ("", summary.element):
        return Fit.ELEMENT
    if summary.other_shape or (summary.other_values and not want.element):
        return Fit.CHANGED
    return Fit.DOES if want.kind is ResultKind.VALUE else _judge_memory(request, call)


def _judge_failure(want: Want, call: Call) -> Fit:
    is_strict = want.memory is Memory.STRICT and call.counts.shares and not call.counts.copies_anywhere
    return Fit.REFUSES if is_strict and call.summary.outcome is Outcome.RAISES else Fit.RAISES


def _is_elsewhere(request: Request, summary: CellSummary) -> bool:
    """Whether the result is on another device than asked, or lost there where none was asked for."""
    if request.want.device:
        return request.want.device != summary.device
    return _is_lost(summary) and summary.device != request.have.device


def _is_lost(summary: CellSummary) -> bool:
    return summary.outcome is Outcome.NO_BYTES


def _judge_memory(request: Request, call: Call) -> Fit:
    memory, is_lost = request.want.memory, _is_lost(call.summary)
    if memory is Memory.ANY or (is_lost and not request.has_bytes):
        return Fit.DOES
    if is_lost:
        return Fit.EMPTY
    is_copy = call.summary.outcome is Outcome.COPIES
    if memory is Memory.COPY:
        return Fit.DOES if is_copy else Fit.SHARES
    if is_copy:
        return Fit.COPIES
    return Fit.SILENT if memory is Memory.STRICT and call.counts.copies_anywhere else Fit.DOES


# --- the order, and why --------------------------------------------------------------------------

PLAIN = frozenset({"Tensor", "ndarray", "list", "int", "float", "bool", "complex"})
"""Classes that a reader expects, where nothing is said of subclasses."""

_PLACES = {fit: place for place, fit in enumerate(Fit)}


def _sort_key(request: Request, call: Call) -> tuple[int, ...]:
    """Sort key among calls of one fit: what it spoils, then how reliable it is, then how plain it is."""
    have, summary = request.have, call.summary
    is_data = summary.kind in (ResultKind.TENSOR, ResultKind.ARRAY)
    return (
        summary.writes,
        summary.other_values,
        _is_lost(summary),
        is_data and summary.device != have.device,
        is_data and not _is_dtype_kept(have, summary),
        _is_grad_new(have, summary) or _is_grad_gone(have, summary),
        summary.type not in PLAIN,
        _is_unlocked(have, summary),
        bool(summary.warnings) is not _is_unlocked(have, summary),  # what makes x writable should warn
        summary.unseen,
        bool(_count_unwanted(request.want.memory, call.counts)),
        call.counts.crashes > 0,
        summary.outcome is Outcome.SAME and request.want.memory is not Memory.ANY,
        call.known - call.same,
        count_steps(call.conversion),
        len(call.conversion.title),
        SCOPE.index(call.conversion),
    )


def count_steps(conversion: Conversion) -> int:
    """How much of a call there is to read: calls and lines; an attribute counts twice, as it says less."""
    calls, lines = conversion.code.count("("), conversion.code.count("\n")
    return calls + 2 * len(_ATTRIBUTE.findall(conversion.code)) + 2 * lines


_ATTRIBUTE = re.compile(r"\bx\.\w+\b(?!\()")


def _is_dtype_kept(have: Source, summary: CellSummary) -> bool:
    return summary.element.removeprefix("torch.") == have.dtype.removeprefix("torch.")


def _is_grad_new(have: Source, summary: CellSummary) -> bool:
    return summary.grad and "requires grad" not in have.flags


def _is_grad_gone(have: Source, summary: CellSummary) -> bool:
    return summary.kind is ResultKind.TENSOR and not summary.grad and "requires grad" in have.flags


def _is_unlocked(have: Source, summary: CellSummary) -> bool:
    """Whether the result can be written to and the source, whose memory it shares, cannot."""
    return "read-only" in have.flags and summary.outcome is Outcome.SHARES and not summary.frozen


def _count_unwanted(memory: Memory, counts: CallCounts) -> int:
    """With how many sources a call does what is not wanted of it."""
    return {
        Memory.ANY: 0,
        Memory.SHARE: counts.copies,
        Memory.COPY: counts.shares,
        Memory.STRICT: counts.copies_anywhere,
    }[memory]


SIGNS = {
    Outcome.SAME: "=",
    Outcome.SHARES: "=",
    Outcome.COPIES: "≠",
    Outcome.VALUE: "›",
    Outcome.NO_BYTES: "∅",
    Outcome.RAISES: "×",
    Outcome.CRASHES: "×",
    Outcome.TIMES_OUT: "×",
    Outcome.NO_SOURCE: "–",
}
"""Sign beside the words for each outcome, so that colour never stands alone."""

FORMS: Mapping[Form, str] = {
    Form.ARRAY: "arrays",
    Form.TENSOR: "tensors",
    Form.SCALAR: "scalars",
    Form.SEQUENCE: "sequences",
    Form.BUFFER: "buffers",
}
"""Sources of a form, in the plural."""


def _reasons(request: Request, call: Call) -> Iterator[str]:
    counts, forms = call.counts, FORMS[request.have.form]
    if request.want.kind is not ResultKind.VALUE:
        yield from _describe_counts(request.want.memory, counts, forms)
        if _is_dtype_kept(request.have, call.summary) and not request.want.element:
            yield "keeps the dtype"
    if counts.gives < counts.tried:
        yield f"works with {counts.gives} of {counts.tried} {forms}"
    if call.known > 1:
        yield f"the same in {call.same} of {call.known} environments"


def _describe_counts(memory: Memory, counts: CallCounts, forms: str) -> Iterator[str]:
    if memory is Memory.STRICT:
        yield (
            f"sources that it copies: {counts.copies_anywhere}" if counts.copies_anywhere else "never copies"
        )
    elif memory is not Memory.ANY and counts.shares + counts.copies:
        wanted, other = ("shares", "copies") if memory is Memory.SHARE else ("copies", "shares")
        count = _count_unwanted(memory, counts)
        yield f"{other} {count} of {counts.tried} {forms}" if count else f"always {wanted} {forms}"


def _cautions(have: Source, call: Call) -> Iterator[str]:
    summary, forms = call.summary, FORMS[have.form]
    cautions = {
        "changes x itself": summary.writes,
        "is x itself": summary.outcome is Outcome.SAME,
        f"other elements: {summary.value}": summary.other_values,
        f"another shape: {summary.shape}": summary.other_shape,
        "no elements, or none at an address": _is_lost(summary),
        f"on {summary.device}": summary.device not in ("", have.device),
        "records gradients": _is_grad_new(have, summary),
        "ends the gradient": _is_grad_gone(have, summary),
        "NumPy forbids writing to it": summary.frozen,
        "can write to x, which is read-only": _is_unlocked(have, summary),
        "its elements were not recorded": summary.unseen and not _is_lost(summary),
        f"kills the process with {call.counts.crashes} of {call.counts.tried} {forms}": call.counts.crashes
        > 0,
    }
    return (words for words, applies in cautions.items() if applies)


def list_sources(group: Group) -> list[Source]:
    """Sources that the conversions of a group are tried on, in order."""
    first = next(conversion for conversion in SCOPE if conversion.group is group)
    return [source for source in SOURCES if is_tried(first, source)]
