"""Why conversions raise, by error and by what to call instead."""

from __future__ import annotations

from samples import CPU, SHARES

from tensor_atlas.catalogue import SOURCES
from tensor_atlas.matrix.remedies import NO_REMEDIES, Remedies
from tensor_atlas.matrix.table import Matrix, build_matrix
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.runs import Raised
from tensor_atlas.pages.row_errors import (
    RowError,
    encode_row_errors,
    list_row_errors,
    merge_messages,
    rank_inputs,
    sort_usual_first,
)
from tensor_atlas.records.matrix_rows import Row
from tensor_atlas.records.store import Store

ADD = "x-add-other"
NAMES = ("tensor-bfloat16", "tensor-complex32", "tensor-float32", "tensor-requires-grad")
PLACES = [next(place for place, s in enumerate(SOURCES) if s.name == name) for name in NAMES]


def fail(message: str, kind: str = "TypeError") -> Cell:
    """A cell that raised."""
    return Cell(Outcome.RAISES, error=Raised(kind, message))


def matrix() -> Matrix:
    """A conversion that raises on three inputs of four."""
    cells = [fail("Got unsupported type BFloat16"), fail("Got unsupported type ComplexHalf"), SHARES]
    cells.append(fail("Can't call numpy()\nmore", "RuntimeError"))
    found = {CPU.id: dict(zip(NAMES, cells, strict=True))}
    return build_matrix(Store({CPU.id: CPU}, rows={ADD: Row(ADD, found)}))


def test_messages_that_differ_in_one_word_are_one() -> None:
    """Of one class; short ones, and those that differ in more, stay as they are."""
    merged = merge_messages([("A", "can not do this"), ("A", "can not do that"), ("B", "can not do it")])
    assert set(merged.values()) == {"can not do …", "can not do it"}
    assert merged["B", "can not do it"] == "can not do it"
    assert set(merge_messages([("A", "no x"), ("A", "no y")]).values()) == {"no x", "no y"}


def test_inputs_stand_below_what_they_say() -> None:
    """Those of the widest error first; inputs that work are in none."""
    errors = list_row_errors(matrix().rows[ADD].values(), NO_REMEDIES)
    assert errors == [
        RowError("TypeError", "Got unsupported type …", "", tuple(PLACES[:2])),
        RowError("RuntimeError", "Can't call numpy()", "", (PLACES[3],)),
    ]


def test_inputs_with_other_remedies_stand_apart() -> None:
    """Though they say the same."""

    class Known(Remedies):
        """A call for one input."""

        def find(self, entry: object) -> str:
            """What to call instead."""
            return "x.float()" if "bfloat16" in str(entry.source.name) else ""  # type: ignore[attr-defined]

    errors = list_row_errors(matrix().rows[ADD].values(), Known())
    assert [(one.remedy, len(one.sources)) for one in errors] == [("x.float()", 1), ("", 1), ("", 1)]


def test_data_hold_each_text_once() -> None:
    """And the order in which a list shows inputs."""
    found = matrix()
    (conversion,) = (next(iter(row.values())).conversion for row in found.rows.values())
    data = encode_row_errors(found, [conversion], NO_REMEDIES)
    texts = ["TypeError", "Got unsupported type …", "", "RuntimeError", "Can't call numpy()"]
    assert data["texts"] == texts
    assert data["rows"] == {ADD: [[0, 1, 2, *PLACES[:2]], [3, 4, 2, PLACES[3]]]}
    assert data["order"] == sort_usual_first()[0]


def test_usual_inputs_come_first() -> None:
    """Common dtypes, then other plain inputs, then rare ones; every input once."""
    order, usual = sort_usual_first()
    assert sorted(order) == list(range(len(SOURCES)))
    ranks = rank_inputs()
    assert ranks["tensor-float32"] < ranks["tensor-int8"] < ranks["tensor-transposed"] < usual
    assert usual <= ranks["tensor-float8-e5m2"]
    assert usual <= ranks["tensor-xla"]
