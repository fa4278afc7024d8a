"""What a reader has and wants → the calls that do it, best first, and why the others do not; pure.

Everything said of a call is read off the matrix: also what it does with other sources of the same form, which
tells whether a call shares always, or only here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from tensor_atlas.catalogue.conversions import (
    CONVERSIONS,
    TRIED_ON,
    Conversion,
    Group,
    code_digests,
    is_tried,
)
from tensor_atlas.catalogue.sources import SOURCES, Form, Source
from tensor_atlas.history.cell_changes import FAILURES
from tensor_atlas.history.releases import age_key, newest_environment
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.runs import Environment
from tensor_atlas.records.matrix_rows import Row, keep_present_code

LONGEST = 160
"""Characters of a message that are kept."""


class ResultKind(StrEnum):
    """What a reader wants."""

    TENSOR = "a tensor"
    ARRAY = "an array"
    VALUE = "Python values"


class Memory(StrEnum):
    """What is to become of the memory."""

    ANY = "do not care"
    SHARE = "share memory"
    COPY = "a copy"
    STRICT = "fail rather than copy"


GIVES: Mapping[Group, tuple[ResultKind, ...]] = {
    Group.TO_TENSOR: (ResultKind.TENSOR,),
    Group.TO_NUMPY: (ResultKind.ARRAY, ResultKind.VALUE),
    Group.MOVE: (ResultKind.TENSOR,),
}
"""What the conversions of a group are called for; a mixed expression computes, and converts on the way at
most."""

OTHER_ELEMENTS = frozenset({"shape", "indexing", "autograd", "like another"})
"""Families that are called for other elements or another shape than the source's: no conversion of it."""

SCOPE = tuple(c for c in CONVERSIONS if c.group in GIVES and c.family not in OTHER_ELEMENTS)
"""Conversions that the chooser knows."""


@dataclass(frozen=True)
class CellSummary:
    """What the chooser tells of a cell."""

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
    """Whether nobody knows the elements."""
    value: str = ""
    """The elements, where they are others."""
    warnings: tuple[str, ...] = ()
    """What it warned of: category and first line."""
    error: str = ""
    """What it raised: class and first line."""


@dataclass(frozen=True)
class ChooserTable:
    """The matrix as the chooser reads it."""

    environments: tuple[Environment, ...]
    """Those that have cells, the one shown without a choice first, then the newest first."""
    told: tuple[CellSummary, ...]
    """What became of sources, each once."""
    cells: Mapping[str, Mapping[str, Mapping[str, int]]]
    """Places in ``told``: by environment id, conversion and source."""


# --- from the records ----------------------------------------------------------------------------


def select_present_rows(rows: Mapping[str, Row], sources: Mapping[str, str]) -> dict[str, Row]:
    """Rows without what other code than now gave; ``sources`` are digests of the code that ran, by name."""
    same = {s.name for s in SOURCES if sources.get(s.name) == code_digests(SCOPE[0], s)[1]}
    kept = {
        c.name: keep_present_code(rows[c.name], code_digests(c, SOURCES[0])[0], same)
        for c in SCOPE
        if c.name in rows
    }
    return {name: row for name, row in kept.items() if row.cells}


def build_chooser_table(rows: Mapping[str, Row], environments: Mapping[str, Environment]) -> ChooserTable:
    """Board of all rows; what is of sources or conversions that are gone is left out."""
    names = {name for row in rows.values() for name in row.cells}
    shown = newest_environment(environments[name] for name in names)
    ordered = sorted(
        (environments[name] for name in names), key=lambda e: (e == shown, age_key(e)), reverse=True
    )
    known = Known()
    cells = {e.id: _of_environment(rows, e.id, known) for e in ordered}
    return ChooserTable(tuple(ordered), tuple(known.places), cells)


class Known:
    """What is told, each once; a cell that releases agree on is one object, which is read once."""

    def __init__(self) -> None:
        self.places: dict[CellSummary, int] = {}
        self.seen: dict[tuple[int, Usual], int] = {}

    def place(self, cell: Cell, usual: Usual) -> int:
        """Place of what is told of a cell, which outlives this list."""
        key = (id(cell), usual)
        if key not in self.seen:
            self.seen[key] = self.places.setdefault(_told(cell, usual), len(self.places))
        return self.seen[key]


def _of_environment(rows: Mapping[str, Row], environment: str, known: Known) -> dict[str, dict[str, int]]:
    """Places of what one environment did; ``known`` grows by what is new."""
    tried = {c.name: rows[c.name].cells.get(environment, {}) for c in SCOPE if c.name in rows}
    found: dict[str, dict[str, int]] = {name: {} for name, cells in tried.items() if cells}
    for source in SOURCES:
        column = {name: cells[source.name] for name, cells in tried.items() if source.name in cells}
        usual = _usual(column.values()) if source.form is not Form.BUFFER else (None, None)
        for name, cell in column.items():
            found[name][source.name] = known.place(cell, usual)
    return found


Usual = tuple[tuple[int, ...] | None, tuple[complex, ...] | None]
"""Shape and elements that most conversions of a source give; of a bare buffer None, since its bytes mean
anything."""


def _usual(cells: Iterable[Cell]) -> Usual:
    results = [cell for cell in cells if cell.outcome not in FAILURES]
    shapes = Counter(cell.shape for cell in results if cell.shape is not None)
    if not shapes:
        return None, None
    shape = shapes.most_common(1)[0][0]
    values = Counter(n for cell in results if cell.shape == shape and (n := _numbers(cell.value)) is not None)
    return shape, values.most_common(1)[0][0] if values else None


@lru_cache(maxsize=1 << 14)
def _numbers(value: str) -> tuple[complex, ...] | None:
    """Elements of a recorded value, flat; None where they are no numbers, or unknown."""
    flat = value.strip("'\"").replace("[", "").replace("]", "")
    words = {"True": 1, "False": 0}
    try:
        return tuple(complex(words.get(text, text)) for text in flat.split(", ")) if flat else None
    except ValueError:
        return None


def _told(cell: Cell, usual: Usual) -> CellSummary:
    if cell.outcome in FAILURES:
        error = f"{cell.error.type}: {cell.error.message}" if cell.error else ""
        return CellSummary(cell.outcome, error=_short(error.strip(": ")))
    kind = _kind(cell)
    shape, values = usual
    here = _numbers(cell.value)
    is_other = values is not None and here is not None and not _alike(here, values)
    return CellSummary(
        cell.outcome,
        kind,
        cell.type,
        cell.type if kind is ResultKind.VALUE else cell.dtype,
        cell.device.partition(":")[0],
        "" if cell.shape is None else str(cell.shape),
        cell.requires_grad is True,
        cell.writable is False,
        cell.writes,
        cell.shape is not None and shape is not None and cell.shape != shape,
        is_other,
        values is not None and not cell.value,
        _short(cell.value) if is_other else "",
        tuple(dict.fromkeys(_short(f"{w.category}: {w.message}") for w in cell.warnings)),
    )


def _kind(cell: Cell) -> ResultKind | None:
    """What came out; None for a list of arrays or tensors, which is neither."""
    if cell.dtype.startswith("torch."):
        return ResultKind.TENSOR
    if " of " in cell.type:
        return None
    return ResultKind.ARRAY if cell.dtype and cell.device else ResultKind.VALUE


def _alike(some: tuple[complex, ...], others: tuple[complex, ...]) -> bool:
    """Whether two lists of elements are the same but for rounding."""
    return len(some) == len(others) and all(
        a == b or abs(a - b) <= 0.01 * abs(b) for a, b in zip(some, others, strict=True)
    )


def _short(message: str) -> str:
    line = message.partition("\n")[0]
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


# --- the question --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Want:
    """What a reader wants."""

    kind: ResultKind = ResultKind.TENSOR
    """What is to come out."""
    memory: Memory = Memory.ANY
    """What is to become of the memory; of plain values nobody can ask it."""
    element: str = ""
    """Dtype, or class of a plain value; empty for any."""
    device: str = ""
    """Kind of device; empty for any that keeps the elements."""


def possible_kinds(form: Form) -> tuple[ResultKind, ...]:
    """What can be wanted of a form of source."""
    given = {kind for group, there in GIVES.items() if form in TRIED_ON[group] for kind in there}
    return tuple(kind for kind in ResultKind if kind in given)


class Fit(StrEnum):
    """Whether a call does what is wanted, the nearest miss first."""

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
"""Verdicts of calls that are an answer."""


@dataclass(frozen=True)
class Habit:
    """What a call does with all sources of one form, in one environment."""

    tried: int = 0
    """Sources that it was tried on."""
    gives: int = 0
    """Those of which it makes what is wanted."""
    shares: int = 0
    """Those of these whose memory the result sees, or that it gives back."""
    copies: int = 0
    """Those of these that it copies."""
    crashes: int = 0
    """Sources with which it kills the process, or hangs it."""
    strays: int = 0
    """Sources of any form that it copies."""


@dataclass(frozen=True)
class Call:
    """One call, and what is known of it."""

    conversion: Conversion
    """The call."""
    told: CellSummary
    """What it did with the source."""
    habit: Habit
    """What it does with others."""
    same: int
    """Environments in which it does the same, of ``known``."""
    known: int
    """Environments that have tried it."""


@dataclass(frozen=True)
class Asked:
    """What a reader has and wants."""

    have: Source
    """What there is."""
    want: Want
    """What is to become of it."""
    has_bytes: bool
    """Whether any call can tell sharing from copying: of an empty array there are no bytes to share."""


@dataclass(frozen=True)
class RankedCall:
    """How a call stands to a question."""

    call: Call
    """The call."""
    verdict: Fit
    """Whether it does what is wanted."""
    reasons: tuple[str, ...]
    """Why it stands where it stands."""
    cautions: tuple[str, ...]
    """What to mind; what it warned of is in ``told``."""


def rank_calls(of: ChooserTable, have: Source, want: Want, environment: str) -> list[RankedCall]:
    """Every call that might give what is wanted, the best first; those that fail last."""
    cells = of.cells[environment]
    tried = [c for c in SCOPE if want.kind in GIVES[c.group] and have.name in cells.get(c.name, {})]
    calls = [_call(of, cells, conversion, have, want.kind) for conversion in tried]
    calls = [call for call in calls if call.habit.gives]
    asked = Asked(have, want, any(call.told.outcome in (Outcome.SHARES, Outcome.COPIES) for call in calls))
    verdicts = [_verdict(asked, call) for call in calls]
    if Fit.DOES in verdicts:  # where others share, a call that raises would not have to copy
        verdicts = [Fit.RAISES if verdict is Fit.REFUSES else verdict for verdict in verdicts]
    judged = sorted(
        zip(verdicts, calls, strict=True), key=lambda pair: (_PLACES[pair[0]], _key(asked, pair[1]))
    )
    return [
        RankedCall(call, verdict, tuple(_reasons(asked, call)), tuple(_cautions(have, call)))
        for verdict, call in judged
    ]


def _call(
    of: ChooserTable,
    cells: Mapping[str, Mapping[str, int]],
    conversion: Conversion,
    have: Source,
    kind: ResultKind,
) -> Call:
    told = of.told[cells[conversion.name][have.name]]
    places = [there.get(conversion.name, {}).get(have.name) for there in of.cells.values()]
    others = [of.told[place] for place in places if place is not None]
    same = sum((o.outcome, o.type, o.element) == (told.outcome, told.type, told.element) for o in others)
    return Call(conversion, told, _habit(of, cells[conversion.name], have.form, kind), same, len(others))


def _habit(of: ChooserTable, cells: Mapping[str, int], form: Form, kind: ResultKind) -> Habit:
    there = [of.told[cells[s.name]] for s in SOURCES if s.form is form and s.name in cells]
    given = Counter(told.outcome for told in there if told.kind is kind)
    return Habit(
        len(there),
        sum(given.values()),
        given[Outcome.SAME] + given[Outcome.SHARES],
        given[Outcome.COPIES],
        sum(told.outcome in (Outcome.CRASHES, Outcome.TIMES_OUT) for told in there),
        sum(of.told[place].outcome is Outcome.COPIES for place in cells.values()),
    )


def _verdict(asked: Asked, call: Call) -> Fit:
    have, want, told = asked.have, asked.want, call.told
    if told.outcome in FAILURES:
        is_strict = want.memory is Memory.STRICT and call.habit.shares and not call.habit.strays
        return Fit.REFUSES if is_strict and told.outcome is Outcome.RAISES else Fit.RAISES
    if told.kind is not want.kind:
        return Fit.KIND
    if want.device not in ("", told.device) or (
        _is_lost(told) and not want.device and told.device != have.device
    ):
        return Fit.DEVICE
    if want.element not in ("", told.element):
        return Fit.ELEMENT
    if told.other_shape or (told.other_values and not want.element):
        return Fit.CHANGED
    return Fit.DOES if want.kind is ResultKind.VALUE else _of_memory(asked, call)


def _is_lost(told: CellSummary) -> bool:
    return told.outcome is Outcome.NO_BYTES


def _of_memory(asked: Asked, call: Call) -> Fit:
    memory = asked.want.memory
    if memory is Memory.ANY or (_is_lost(call.told) and not asked.has_bytes):
        return Fit.DOES
    if _is_lost(call.told):
        return Fit.EMPTY
    copies = call.told.outcome is Outcome.COPIES
    if memory is Memory.COPY:
        return Fit.DOES if copies else Fit.SHARES
    if copies:
        return Fit.COPIES
    return Fit.SILENT if memory is Memory.STRICT and call.habit.strays else Fit.DOES


# --- the order, and why --------------------------------------------------------------------------

PLAIN = frozenset({"Tensor", "ndarray", "list", "int", "float", "bool", "complex"})
"""Classes that a reader expects, where nothing is said of subclasses."""

_PLACES = {verdict: place for place, verdict in enumerate(Fit)}


def _key(asked: Asked, call: Call) -> tuple[int, ...]:
    """Sort key among calls of one verdict: what it spoils, then whether it can be relied on, then how plain it is."""
    have, told = asked.have, call.told
    is_data = told.kind in (ResultKind.TENSOR, ResultKind.ARRAY)
    return (
        told.writes,
        told.other_values,
        _is_lost(told),
        is_data and told.device != have.device,
        is_data and not _is_kept(have, told),
        _is_grad_new(have, told) or _is_grad_gone(have, told),
        told.type not in PLAIN,
        _is_unlocked(have, told),
        bool(told.warnings) is not _is_unlocked(have, told),  # what opens a locked x had better say so
        told.unseen,
        bool(_otherwise(asked.want.memory, call.habit)),
        call.habit.crashes > 0,
        told.outcome is Outcome.SAME and asked.want.memory is not Memory.ANY,
        call.known - call.same,
        count_steps(call.conversion),
        len(call.conversion.title),
        SCOPE.index(call.conversion),
    )


def count_steps(conversion: Conversion) -> int:
    """How much there is to read: calls, and lines; an attribute tells less of what it does than a call."""
    return (
        conversion.code.count("(")
        + 2 * len(_ATTRIBUTE.findall(conversion.code))
        + 2 * conversion.code.count("\n")
    )


_ATTRIBUTE = re.compile(r"\bx\.\w+\b(?!\()")


def _is_kept(have: Source, told: CellSummary) -> bool:
    return told.element.removeprefix("torch.") == have.dtype.removeprefix("torch.")


def _is_grad_new(have: Source, told: CellSummary) -> bool:
    return told.grad and "requires grad" not in have.flags


def _is_grad_gone(have: Source, told: CellSummary) -> bool:
    return told.kind is ResultKind.TENSOR and not told.grad and "requires grad" in have.flags


def _is_unlocked(have: Source, told: CellSummary) -> bool:
    """Whether the result can be written to and the source, whose memory it is, cannot."""
    return "read-only" in have.flags and told.outcome is Outcome.SHARES and not told.frozen


def _otherwise(memory: Memory, habit: Habit) -> int:
    """With how many sources a call does what is not wanted of it."""
    return {
        Memory.ANY: 0,
        Memory.SHARE: habit.copies,
        Memory.COPY: habit.shares,
        Memory.STRICT: habit.strays,
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
"""Sign beside each outcome, so that colour never stands alone; the words stand beside both."""

FORMS: Mapping[Form, str] = {
    Form.ARRAY: "arrays",
    Form.TENSOR: "tensors",
    Form.SCALAR: "scalars",
    Form.SEQUENCE: "sequences",
    Form.BUFFER: "buffers",
}
"""Sources of a form, in the plural."""


def _reasons(asked: Asked, call: Call) -> Iterator[str]:
    habit, forms = call.habit, FORMS[asked.have.form]
    if asked.want.kind is not ResultKind.VALUE:
        yield from _of_habit(asked.want.memory, habit, forms)
        yield from ["keeps the dtype"] if _is_kept(asked.have, call.told) and not asked.want.element else []
    if habit.gives < habit.tried:
        yield f"works with {habit.gives} of {habit.tried} {forms}"
    if call.known > 1:
        yield f"the same in {call.same} of {call.known} environments"


def _of_habit(memory: Memory, habit: Habit, forms: str) -> Iterator[str]:
    if memory is Memory.STRICT:
        yield f"sources that it copies: {habit.strays}" if habit.strays else "never copies"
    elif memory is not Memory.ANY and habit.shares + habit.copies:
        verb, count = ("shares", habit.copies) if memory is Memory.SHARE else ("copies", habit.shares)
        other = "copies" if memory is Memory.SHARE else "shares"
        yield f"{other} {count} of {habit.tried} {forms}" if count else f"always {verb} {forms}"


def _cautions(have: Source, call: Call) -> Iterator[str]:
    told, forms = call.told, FORMS[have.form]
    said = {
        "changes x itself": told.writes,
        "is x itself": told.outcome is Outcome.SAME,
        f"other elements: {told.value}": told.other_values,
        f"another shape: {told.shape}": told.other_shape,
        "no elements, or none at an address": _is_lost(told),
        f"on {told.device}": told.device not in ("", have.device),
        "records gradients": _is_grad_new(have, told),
        "ends the gradient": _is_grad_gone(have, told),
        "NumPy forbids writing to it": told.frozen,
        "can write to x, which is read-only": _is_unlocked(have, told),
        "its elements were not recorded": told.unseen and not _is_lost(told),
        f"kills the process with {call.habit.crashes} of {call.habit.tried} {forms}": call.habit.crashes > 0,
    }
    return (words for words, holds in said.items() if holds)


def list_choices(of: ChooserTable, have: Source, kind: ResultKind) -> tuple[list[str], list[str]]:
    """Dtypes or classes, and devices, that any environment has given: what can be chosen; by name."""
    found: set[tuple[str, str]] = set()
    for cells in of.cells.values():
        for conversion in SCOPE:
            place = cells.get(conversion.name, {}).get(have.name)
            if kind in GIVES[conversion.group] and place is not None and of.told[place].kind is kind:
                found.add((of.told[place].element, of.told[place].device))
    return sorted({element for element, _ in found}), sorted({device for _, device in found if device})


def list_sources(group: Group) -> list[Source]:
    """Sources that the conversions of a group are tried on, in order."""
    first = next(conversion for conversion in SCOPE if conversion.group is group)
    return [source for source in SOURCES if is_tried(first, source)]
