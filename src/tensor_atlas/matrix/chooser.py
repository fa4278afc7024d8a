"""What the matrix says to a reader who chooses a conversion, as one table; pure.

The answer itself is picked by the page's script, from this table and ``docs/preferences.toml``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from tensor_atlas.catalogue import (
    CONVERSIONS,
    SOURCES,
    TRIED_ON,
    Form,
    Group,
    Source,
    digest_conversion,
    find_current,
    is_tried,
)
from tensor_atlas.history.cell_changes import FAILURES
from tensor_atlas.history.releases import age_key, newest_environment
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.runs import Environment
from tensor_atlas.records.matrix_rows import Row, keep_present_code

LONGEST_MESSAGE = 110
"""Characters of a message that are kept."""


class ResultKind(StrEnum):
    """What a reader wants to get."""

    TENSOR = "a tensor"
    ARRAY = "an array"
    VALUE = "Python values"


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

    def read_places(self, conversion: str, source: str) -> dict[str, int]:
        """Indices of one cell's summaries by environment id, without environments that have not tried it."""
        rows = {name: cells.get(conversion, {}) for name, cells in self.cells.items()}
        return {name: row[source] for name, row in rows.items() if source in row}


# --- from the records ----------------------------------------------------------------------------


def select_present_rows(rows: Mapping[str, Row], sources: Mapping[str, str]) -> dict[str, Row]:
    """Rows without cells of other code than now; ``sources`` are digests of the code that ran, by name."""
    kept = {}
    for conversion in SCOPE:
        if conversion.name in rows:
            current = find_current(conversion, sources)
            row = keep_present_code(rows[conversion.name], digest_conversion(conversion), current)
            kept[conversion.name] = row
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
    places: dict[str, dict[str, int]] = {name: {} for name, cells in tried.items() if cells}
    for source in SOURCES:
        column = {name: cells[source.name] for name, cells in tried.items() if source.name in cells}
        usual = _find_usual(column.values()) if _has_elements(source) else (None, None)
        for name, cell in column.items():
            places[name][source.name] = summaries.place(cell, usual)
    return places


def summarize_source(cells: Mapping[str, Cell], source: Source) -> dict[str, CellSummary]:
    """Summaries of what conversions did with one source, by their names."""
    usual = _find_usual(cells.values()) if _has_elements(source) else (None, None)
    return {name: _summarize(cell, usual) for name, cell in cells.items()}


def _has_elements(source: Source) -> bool:
    """Whether a source has elements of its own: bytes of a buffer, or quantized ones, stand for others."""
    return source.form is not Form.BUFFER and not source.dtype.startswith(("torch.qint", "torch.quint"))


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
        return CellSummary(cell.outcome, error=_shorten_message(error.strip(": ")))
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
        value=_shorten_message(cell.value) if other_values else "",
        warnings=tuple(dict.fromkeys(_shorten_message(f"{w.category}: {w.message}") for w in cell.warnings)),
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


def _shorten_message(message: str) -> str:
    line = message.partition("\n")[0]
    return line if len(line) <= LONGEST_MESSAGE else f"{line[: LONGEST_MESSAGE - 1]}…"


# --- the words -------------------------------------------------------------------------------------


def possible_kinds(form: Form) -> tuple[ResultKind, ...]:
    """Kinds of result that can be wanted of a form of source."""
    given: set[ResultKind] = set()
    for group, kinds in GIVES.items():
        if form in TRIED_ON[group]:
            given.update(kinds)
    return tuple(kind for kind in ResultKind if kind in given)


PLAIN = frozenset({"Tensor", "ndarray", "list", "int", "float", "bool", "complex"})
"""Classes that a reader expects, where nothing is said of subclasses."""

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


def list_sources(group: Group) -> list[Source]:
    """Sources that the conversions of a group are tried on, in order."""
    first = next(conversion for conversion in SCOPE if conversion.group is group)
    return [source for source in SOURCES if is_tried(first, source)]
