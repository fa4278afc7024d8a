"""Rows of the matrix: folded, unfolded, put together over environments, kept only while their code is."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import CPU, GPU, OLDER, SHARES

from tensor_atlas.catalogue import CONVERSIONS, SOURCES, code_digests
from tensor_atlas.errors import AtlasError
from tensor_atlas.model.capture import Capture, encode_capture
from tensor_atlas.model.cells import Cell, Outcome, Proof, Tried, restore_cell, shorten_cell
from tensor_atlas.model.runs import Raised, Warned, encode_fields
from tensor_atlas.records import store
from tensor_atlas.records.decode import FormError, convert_json, decode_capture
from tensor_atlas.records.matrix_rows import Row, add_cells, fold_row, unfold_row

DAY = "2026-01-01"
RAISES = Cell(Outcome.RAISES, error=Raised("TypeError", "no"), warnings=(Warned("UserWarning", "careful"),))
WRITES = Cell(Outcome.VALUE, type="bool", value="True", writes=True)

common = {
    "outcome": st.sampled_from(Outcome),
    "type": st.sampled_from(["", "Tensor"]),
    "dtype": st.sampled_from(["", "float32"]),
    "strides": st.none() | st.tuples() | st.tuples(st.integers(-8, 8)),
    "value": st.text(max_size=3),
    "writes": st.booleans(),
    "warnings": st.lists(st.builds(Warned, st.just("UserWarning"), st.text(max_size=3)), max_size=2).map(
        tuple
    ),
    "error": st.none() | st.builds(Raised, st.sampled_from(["TypeError", ""]), st.text(max_size=3)),
}
shapes = st.tuples() | st.tuples(st.integers(0, 3))
devices = st.sampled_from(["cpu", "meta", "cuda:0"])
plain = st.builds(Cell, **common)
arrays = st.builds(Cell, **common, shape=shapes, device=devices, writable=st.booleans())
tensors = st.builds(Cell, **common, shape=shapes, device=devices, requires_grad=st.booleans())


@st.composite
def proved(draw: st.DrawFn) -> Cell:
    """Cell of a value, an array or a tensor; that memory is shared, or not, is known somehow."""
    cell = draw(plain | arrays | tensors)
    known = cell.outcome in (Outcome.SHARES, Outcome.COPIES)
    return replace(cell, proof=draw(st.sampled_from(Proof)) if known else None)


cells = proved()
names = st.sampled_from(["a", "b", "c"])
tables = st.dictionaries(names, st.dictionaries(names, cells, min_size=1))


@given(cells)
def test_cell_survives_its_json(cell: Cell) -> None:
    """Every field, also the empty shape of a value without dimensions."""
    written = json.loads(json.dumps(encode_fields(shorten_cell(cell))))
    assert restore_cell(convert_json(written, Cell, "cell")) == cell


def fold(row: Row) -> dict[str, Any]:
    """Document of a row, as a reader parses it."""
    document: dict[str, Any] = json.loads(json.dumps(fold_row(row, {})))
    return document


def refold(row: Row) -> Row:
    """The row that is read from what is written of it."""
    texts: dict[str, str] = {}
    data = json.dumps(fold_row(row, texts)).encode()
    return unfold_row(data, texts)


@given(tables)
def test_row_survives_folding(table: dict[str, dict[str, Cell]]) -> None:
    """Whatever environments agree on."""
    row = Row("c", table, dict.fromkeys(table, "2026-01-01"), "code")
    assert refold(row) == row


@given(tables)
def test_folding_does_not_depend_on_the_order(table: dict[str, dict[str, Cell]]) -> None:
    """The same bytes whoever came first."""
    turned = {name: dict(reversed(table[name].items())) for name in reversed(table)}
    assert json.dumps(fold_row(Row("c", table), {})) == json.dumps(fold_row(Row("c", turned), {}))


def wait(seconds: float) -> float:
    """The seconds that it waited."""
    time.sleep(seconds)
    return seconds


@given(st.just(1.1).map(wait))
def test_property_does_not_depend_on_the_load(seconds: float) -> None:
    """A slow machine fails none: neither drawing a value has a limit nor trying it."""
    assert wait(seconds / 4) == seconds / 4


def test_cell_on_which_all_agree_is_one_number() -> None:
    """Where they differ, each outcome names its groups; who has not tried a cell is in none."""
    row = Row("c", {"x": {"a": SHARES, "b": SHARES}, "y": {"a": SHARES, "b": RAISES}, "z": {"a": SHARES}})
    document = fold(row)
    assert document["groups"] == [{"x": ""}, {"y": ""}, {"z": ""}]
    outcomes = document["outcomes"]
    shares, raises = (
        str(i)
        for i in (outcomes.index(encode_fields(shorten_cell(SHARES))), outcomes.index(encode_fields(RAISES)))
    )
    assert document["cells"] == {"a": int(shares), "b": {raises: "1", shares: "0"}}


def test_neighbouring_releases_are_a_range_of_groups() -> None:
    """So that a row says since when at a glance: 2.9 is older than 2.10."""
    seen = {"2.9": RAISES, "2.10": RAISES, "2.11": SHARES, "2.12": RAISES}
    # What differs elsewhere keeps the four in groups of their own.
    cells = {name: {"a": cell, name: SHARES} for name, cell in seen.items()}
    row = Row("c", cells, dict.fromkeys(cells, DAY))
    document = fold(row)
    assert document["groups"] == [{"2.9": DAY}, {"2.10": DAY}, {"2.11": DAY}, {"2.12": DAY}]
    assert sorted(document["cells"]["a"].values()) == ["0-1, 3", "2"]
    assert refold(row) == row


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"cells": {"a": 7}}, "cells.a: there is no outcome 7"),
        ({"cells": {"a": {"0": "4"}}}, "cells.a: there is no group 4"),
        ({"cells": {"a": {"0": "0, 0"}}}, "cells.a: group 0 has an outcome already"),
        ({"groups": [{"x": "9999-13-31"}]}, "groups.x: '9999-13-31' is no day such as 2026-01-31"),
        ({"groups": [{"x": DAY}, {"x": DAY}]}, "groups: listed twice: x"),
        ({"cells": {"a": {"0": "0-999999999"}}}, "cells.a: there is no group 999999999"),
        ({"cells": {"a": {"0": "9" * 5000}}}, "9' is no list of groups such as"),
        ({"cells": {"a": {"0": "0,"}}}, "'0,' is no list of groups such as"),
        ({"cells": {"a": {"0": "-1"}}}, "'-1' is no list of groups such as"),
        ({"cells": {"a": {"0": [0]}}}, r"cells\[...\]\[...\]: Expected `str`, got `array`"),
        ({"cells": {"a": {"x": "0"}}}, "'x' is no index of an outcome"),
        ({"outcomes": [{"outcome": "explodes"}]}, r"outcomes\[0\].outcome: Invalid enum value 'explodes'"),
        ({"schema": 99}, "newer than"),
        ({"code": 1}, "code: Expected `str`, got `int`"),
    ],
)
def test_damaged_row_is_refused(change: dict[str, object], words: str) -> None:
    """With the field that is wrong."""
    document = {**fold(Row("c", {"x": {"a": SHARES}})), **change}
    with pytest.raises(FormError, match=words):
        unfold_row(json.dumps(document).encode(), {})


def test_what_is_tried_again_displaces_what_was_tried_before() -> None:
    """Cells not tried this time stay; what is the same keeps its day; an earlier day displaces nothing."""
    row = add_cells(Row("c", {}), "x", {"a": SHARES, "b": SHARES}, "2026-01-02")
    assert add_cells(row, "x", {"a": SHARES}, "2026-03-01") == row
    newer = add_cells(row, "x", {"b": RAISES}, "2026-03-01")
    assert newer.cells == {"x": {"a": SHARES, "b": RAISES}}
    assert newer.dates == {"x": "2026-03-01"}
    assert add_cells(newer, "x", {"b": WRITES}, "2026-02-01") == newer
    assert add_cells(newer, "y", {"a": RAISES}, "2026-01-01").cells.keys() == {"x", "y"}


# --- in the store --------------------------------------------------------------------------------

ONE, OTHER = CONVERSIONS[:2]
SOME = [s for s in SOURCES if s.name in ("array-int8", "array-int16")]


def capture(*found: Cell, environment: object = CPU, code: tuple[str, str] | None = None) -> Capture:
    """Capture of two rows in which the two sources gave these cells."""
    tried = {
        c.name: {s.name: Tried(code or code_digests(c, s), cell) for s, cell in zip(SOME, found, strict=True)}
        for c in (ONE, OTHER)
    }
    return Capture(environment, (), {}, {}, tried)  # type: ignore[arg-type]


def test_capture_with_cells_survives_its_json() -> None:
    """Each distinct outcome is written once."""
    made = capture(SHARES, RAISES)
    document = encode_capture(made)
    assert decode_capture(json.dumps(document).encode()) == made
    assert len(document["matrix"]["outcomes"]) == 2  # type: ignore[arg-type,index,call-overload]


@pytest.mark.parametrize("cell", [[0], [5, "a", "b"], "x", [0, 1, 2]])
def test_damaged_matrix_of_a_capture_is_refused(cell: object) -> None:
    """It names the source."""
    document = json.loads(json.dumps(encode_capture(capture(SHARES, RAISES))))
    document["matrix"]["cells"][ONE.name]["array-int8"] = cell
    with pytest.raises(FormError, match="array-int8"):
        decode_capture(json.dumps(document).encode())


def test_rows_are_saved_and_loaded(tmp_path: Path) -> None:
    """One file a conversion, one line an outcome and a cell, and the sources beside the environments."""
    found = store.add_capture(store.Store(), capture(SHARES, RAISES))
    found = store.add_capture(found, capture(SHARES, WRITES, environment=OLDER))
    changed = store.write_records(found, tmp_path)
    names = {path.relative_to(tmp_path).as_posix() for path in changed}
    tables = {"environments.json", "sources.json", "texts.json"}
    assert names == {*tables, f"matrix/{ONE.name}.json", f"matrix/{OTHER.name}.json"}
    assert store.read_records(tmp_path) == found
    assert store.write_records(store.read_records(tmp_path), tmp_path) == []
    text = (tmp_path / "matrix" / f"{ONE.name}.json").read_text(encoding="utf-8")
    assert sum('"outcome":' in line for line in text.splitlines()) == 3


@pytest.mark.parametrize("table", ["sources.json", "texts.json"])
def test_missing_or_damaged_table_is_named(tmp_path: Path, table: str) -> None:
    """With what to do."""
    store.write_records(store.add_capture(store.Store(), capture(SHARES, RAISES)), tmp_path)
    (tmp_path / table).write_text('{"schema": 1, "sources": 3, "texts": 3}', encoding="utf-8")
    with pytest.raises(AtlasError, match=rf"{table}  not a table of"):
        store.read_records(tmp_path)
    (tmp_path / table).unlink()
    with pytest.raises(AtlasError, match=rf"{table}  missing, or not a regular file"):
        store.read_records(tmp_path)


def test_long_message_stands_once_in_the_table_of_texts(tmp_path: Path) -> None:
    """However many rows have it; a short one stands where it was raised. A text that is missing is told."""
    long = replace(
        RAISES, error=Raised("TypeError", "no " * 99), warnings=(Warned("UserWarning", "careful " * 20),)
    )
    found = store.add_capture(store.Store(), capture(long, RAISES))
    store.write_records(found, tmp_path)
    assert store.read_records(tmp_path) == found
    row = (tmp_path / "matrix" / f"{ONE.name}.json").read_text(encoding="utf-8")
    assert "no no" not in row
    assert "careful careful" not in row
    assert (tmp_path / "texts.json").read_text(encoding="utf-8").count("no " * 99) == 1
    (tmp_path / "texts.json").write_text('{"schema": 1, "texts": {}}', encoding="utf-8")
    with pytest.raises(AtlasError, match="which the table of texts does not hold"):
        store.read_records(tmp_path)


def test_cells_of_other_code_are_not_folded_in() -> None:
    """What a capture of another checkout tried says nothing of what this one tries."""
    assert store.add_capture(store.Store(), capture(SHARES, RAISES, code=("0", "0"))).rows == {}


def test_changed_source_is_forgotten_in_every_row_and_environment() -> None:
    """Nothing is known of it until it has been tried again."""
    found = store.add_capture(store.Store(), capture(SHARES, RAISES, environment=OLDER))
    stale = replace(found, sources={**found.sources, "array-int16": "other"})
    again = store.add_capture(stale, capture(SHARES, WRITES))
    assert again.rows[ONE.name].cells == {
        OLDER.id: {"array-int8": SHARES},
        CPU.id: {"array-int8": SHARES, "array-int16": WRITES},
    }


def test_changed_conversion_is_forgotten_in_every_environment() -> None:
    """The other rows stay."""
    found = store.add_capture(store.Store(), capture(SHARES, RAISES, environment=OLDER))
    stale = replace(found, rows={**found.rows, ONE.name: replace(found.rows[ONE.name], code="other")})
    again = store.add_capture(stale, capture(SHARES, WRITES))
    assert again.rows[ONE.name].cells.keys() == {CPU.id}
    assert again.rows[OTHER.name].cells.keys() == {CPU.id, OLDER.id}


def test_cell_that_is_not_tried_any_more_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it is recorded, or in a capture made before the rule changed."""
    found = store.add_capture(store.Store(), capture(SHARES, RAISES, environment=OLDER))
    monkeypatch.setattr("tensor_atlas.records.store.is_tried", lambda _, source: source.name == "array-int8")
    again = store.add_capture(found, capture(SHARES, WRITES))
    assert again.rows[ONE.name].cells == {OLDER.id: {"array-int8": SHARES}, CPU.id: {"array-int8": SHARES}}


def test_conversion_that_is_gone_is_forgotten() -> None:
    """Its file with it."""
    found = store.add_capture(store.Store(), capture(SHARES, RAISES))
    gone = replace(found, rows={**found.rows, "gone": replace(found.rows[ONE.name], conversion="gone")})
    assert store.drop_removed(gone, set()).rows.keys() == {ONE.name, OTHER.name}


def test_capture_without_a_matrix_leaves_the_rows() -> None:
    """An example that is recorded again does not cost the matrix."""
    found = store.add_capture(store.Store(), capture(SHARES, RAISES))
    assert store.add_capture(found, Capture(GPU, (), {})).rows == found.rows


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not a row: not JSON"),
        (
            '{"schema": 1, "conversion": "other", "groups": [], "code": "", "outcomes": [], "cells": {}}',
            "is about other",
        ),
    ],
)
def test_damaged_file_of_a_row_is_named(tmp_path: Path, text: str, words: str) -> None:
    """With what to do."""
    store.write_records(store.add_capture(store.Store(), capture(SHARES, RAISES)), tmp_path)
    (tmp_path / "matrix" / f"{ONE.name}.json").write_text(text, encoding="utf-8")
    with pytest.raises(AtlasError, match=rf"{ONE.name}\.json  {words}"):
        store.read_records(tmp_path)
