"""The chooser: which call is named first, which is named as a miss and why, and what a browser is given."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from samples import CPU, OLDER, ROOT

from tensor_atlas.catalogue import CONVERSIONS, SOURCES, Form, Group, Source, code_digests
from tensor_atlas.matrix.chooser import (
    GOOD,
    LONGEST,
    SCOPE,
    ChooserTable,
    Fit,
    Memory,
    RankedCall,
    ResultKind,
    Want,
    build_chooser_table,
    list_sources,
    possible_kinds,
    rank_calls,
    select_present_rows,
)
from tensor_atlas.model.cells import Cell, Outcome, Proof
from tensor_atlas.model.runs import Environment, Raised, Warned
from tensor_atlas.records import store
from tensor_atlas.records.matrix_rows import Row
from tensor_atlas.site.conversion_chooser import encode_table

LIMIT = 300_000
"""Bytes, compressed, that one page may cost its reader."""

SHARES = Cell(
    Outcome.SHARES,
    Proof.WRITE,
    "Tensor",
    "torch.float32",
    (3,),
    (4,),
    "cpu",
    requires_grad=False,
    value="[1.0, 2.0]",
)
COPIES = replace(SHARES, outcome=Outcome.COPIES)
LOST = replace(SHARES, outcome=Outcome.NO_BYTES, proof=None)
RAISES = Cell(Outcome.RAISES, error=Raised("TypeError", "no"))
WARNED = (Warned("UserWarning", "careful\nsecond line"),)

FROM_NUMPY, AS_TENSOR, AS_ARRAY, TENSOR = (
    "torch-from-numpy-x",
    "torch-as-tensor-x",
    "torch-asarray-x",
    "torch-tensor-x",
)

Cells = Mapping[str, Mapping[str, Cell]]


def source(name: str = "array-float32") -> Source:
    """A source by name."""
    return next(source for source in SOURCES if source.name == name)


def chooser_table(cells: Cells, **others: Cells) -> ChooserTable:
    """Board of one environment, or of several: the torch release as a name, with dots as underscores."""
    environments = {CPU.id: CPU}
    tried = {CPU.id: cells}
    for torch, there in others.items():
        environment = replace(OLDER, torch=torch.strip("_").replace("_", "."))
        environments[environment.id] = environment
        tried[environment.id] = there
    names = {name for there in tried.values() for name in there}
    rows = {}
    for name in names:
        rows[name] = Row(name, {e: there[name] for e, there in tried.items() if name in there})
    return build_chooser_table(rows, environments)


def asked(
    cells: Cells, memory: Memory = Memory.ANY, have: str = "array-float32", **want: Any
) -> list[RankedCall]:
    """Answers of one environment."""
    return rank_calls(chooser_table(cells), source(have), Want(memory=memory, **want), CPU.id)


def verdicts(answers: list[RankedCall]) -> dict[str, Fit]:
    """By conversion, in order."""
    return {answer.call.conversion.name: answer.fit for answer in answers}


# --- what does it ------------------------------------------------------------------------------


def test_sharing_asked_names_what_always_shares_first() -> None:
    """A call that copies other arrays comes after one that never does, though it is shorter."""
    found = asked(
        {
            AS_ARRAY: {"array-float32": SHARES, "array-zero-dimensional": COPIES},
            FROM_NUMPY: {"array-float32": SHARES, "array-zero-dimensional": RAISES},
        },
        Memory.SHARE,
    )
    assert list(verdicts(found)) == [FROM_NUMPY, AS_ARRAY]
    assert "always shares arrays" in found[0].reasons
    assert "copies 1 of 2 arrays" in found[1].reasons


def test_copy_asked_names_what_shares_as_a_miss() -> None:
    """And the other way round."""
    cells = {TENSOR: {"array-float32": COPIES}, FROM_NUMPY: {"array-float32": SHARES}}
    assert verdicts(asked(cells, Memory.COPY)) == {TENSOR: Fit.DOES, FROM_NUMPY: Fit.SHARES}
    assert verdicts(asked(cells, Memory.SHARE)) == {FROM_NUMPY: Fit.DOES, TENSOR: Fit.COPIES}
    assert set(verdicts(asked(cells)).values()) == {Fit.DOES}


def test_strict_call_has_copied_nothing_of_any_form() -> None:
    """A call that copies a list in silence is not one that fails rather than copy."""
    cells = {
        AS_TENSOR: {"array-float32": SHARES, "sequence-floats": COPIES},
        FROM_NUMPY: {"array-float32": SHARES, "sequence-floats": RAISES},
    }
    assert verdicts(asked(cells, Memory.STRICT)) == {FROM_NUMPY: Fit.DOES, AS_TENSOR: Fit.SILENT}
    assert verdicts(asked(cells, Memory.SHARE))[AS_TENSOR] is Fit.DOES


def test_strict_call_that_raises_is_the_answer_where_none_shares() -> None:
    """Failing is what was asked; where another call shares, it is a failure like any other."""
    cells = {
        FROM_NUMPY: {"array-float32": SHARES, "array-reversed": RAISES},
        TENSOR: {"array-reversed": COPIES},
    }
    found = asked(cells, Memory.STRICT, "array-reversed")
    assert verdicts(found) == {FROM_NUMPY: Fit.REFUSES, TENSOR: Fit.COPIES}
    other = {AS_TENSOR: {"array-reversed": SHARES}}
    assert verdicts(asked({**cells, **other}, Memory.STRICT, "array-reversed"))[FROM_NUMPY] is Fit.RAISES


def test_crash_is_no_refusal() -> None:
    """A process that dies has not refused."""
    crash = Cell(Outcome.CRASHES)
    found = asked(
        {FROM_NUMPY: {"array-float32": SHARES, "array-reversed": crash}}, Memory.STRICT, "array-reversed"
    )
    assert verdicts(found) == {FROM_NUMPY: Fit.RAISES}
    assert found[0].cautions == ("kills the process with 1 of 2 arrays",)


# --- what comes first --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spoilt",
    [
        replace(COPIES, warnings=WARNED),
        replace(COPIES, writes=True),
        replace(COPIES, dtype="torch.float64"),
        replace(COPIES, requires_grad=True),
        replace(COPIES, type="Parameter"),
        replace(COPIES, value=""),
        replace(COPIES, outcome=Outcome.NO_BYTES),
    ],
)
def test_whatever_spoils_a_result_puts_it_behind(spoilt: Cell) -> None:
    """A warning, a changed source, dtype, gradient, class, unknown elements, no bytes: a longer call comes
    first.
    """
    cells = {TENSOR: {"array-float32": spoilt}, AS_TENSOR: {"array-float32": COPIES}}
    assert list(verdicts(asked(cells))) == [AS_TENSOR, TENSOR]
    assert list(verdicts(asked({**cells, TENSOR: {"array-float32": COPIES}}))) == [TENSOR, AS_TENSOR]


def test_call_that_kills_the_process_elsewhere_comes_later() -> None:
    """And says so."""
    crash = {"array-reversed": Cell(Outcome.CRASHES)}
    found = asked({TENSOR: {"array-float32": COPIES, **crash}, AS_TENSOR: {"array-float32": COPIES}})
    assert list(verdicts(found)) == [AS_TENSOR, TENSOR]
    assert found[1].cautions == ("kills the process with 1 of 2 arrays",)


def test_read_only_memory_is_opened_with_a_warning_first() -> None:
    """A call that lets a reader write to read-only memory and says nothing comes after one that warns."""
    cells = {
        AS_TENSOR: {"array-read-only": SHARES},
        FROM_NUMPY: {"array-read-only": replace(SHARES, warnings=WARNED)},
    }
    found = asked(cells, Memory.SHARE, "array-read-only")
    assert list(verdicts(found)) == [FROM_NUMPY, AS_TENSOR]
    assert "can write to x, which is read-only" in found[1].cautions


def test_copy_comes_before_opened_read_only_memory() -> None:
    """Who does not care about memory is not led to write where nobody may."""
    cells = {
        TENSOR: {"array-read-only": replace(SHARES, warnings=WARNED)},
        FROM_NUMPY: {"array-read-only": COPIES},
    }
    assert list(verdicts(asked(cells, have="array-read-only"))) == [FROM_NUMPY, TENSOR]


def test_call_that_releases_agree_on_comes_first() -> None:
    """And how many agree is told, of those that have tried it."""
    here = {TENSOR: {"array-float32": COPIES}, AS_TENSOR: {"array-float32": COPIES}}
    there = {TENSOR: {"array-float32": RAISES}, AS_TENSOR: {"array-float32": COPIES}}
    found = rank_calls(chooser_table(here, _2_2_0=there, _2_3_0={}), source(), Want(), CPU.id)
    assert list(verdicts(found)) == [AS_TENSOR, TENSOR]
    assert found[0].reasons[-1] == "the same in 2 of 2 environments"
    assert found[1].reasons[-1] == "the same in 1 of 2 environments"


def test_gradient_that_ends_is_named() -> None:
    """A tensor that required grad, and whose copy does not."""
    cells = {"x-detach": {"tensor-requires-grad": SHARES}, "x-clone": {"tensor-requires-grad": COPIES}}
    cells["x-clone"] = {"tensor-requires-grad": replace(COPIES, requires_grad=True)}
    found = asked(cells, have="tensor-requires-grad")
    assert list(verdicts(found)) == ["x-clone", "x-detach"]
    assert found[1].cautions == ("ends the gradient",)


# --- what does not do it -----------------------------------------------------------------------


def test_other_elements_are_no_conversion() -> None:
    """Most conversions of a source say what it holds; with a dtype that was asked for, other elements are
    meant.
    """
    other = replace(COPIES, value="[9.0, 2.0]", dtype="torch.int64")
    cells = {name: {"array-float32": COPIES} for name in (TENSOR, AS_TENSOR)} | {
        FROM_NUMPY: {"array-float32": other}
    }
    found = asked(cells)
    assert verdicts(found)[FROM_NUMPY] is Fit.CHANGED
    assert found[-1].cautions == ("other elements: [9.0, 2.0]",)
    assert verdicts(asked(cells, element="torch.int64"))[FROM_NUMPY] is Fit.DOES


def test_rounding_is_no_other_element() -> None:
    """A narrow dtype keeps the elements as well as it can, a bool spells them otherwise."""
    texts = {
        TENSOR: "[1.0, 0.1]",
        AS_TENSOR: "[1.0, 0.1]",
        FROM_NUMPY: "[1.0, 0.1001]",
        AS_ARRAY: "[True, 0.1]",
    }
    cells = {name: {"array-float32": replace(COPIES, value=text)} for name, text in texts.items()}
    assert set(verdicts(asked(cells)).values()) == {Fit.DOES}


def test_another_shape_is_no_conversion() -> None:
    """Also where the elements are the same."""
    other = replace(COPIES, shape=(1, 3))
    cells = {name: {"array-float32": COPIES} for name in (TENSOR, AS_TENSOR)} | {
        FROM_NUMPY: {"array-float32": other}
    }
    assert verdicts(asked(cells))[FROM_NUMPY] is Fit.CHANGED


def test_bytes_may_mean_anything() -> None:
    """A buffer has no elements of its own that a call could change."""
    other = replace(COPIES, shape=(12,), value="[7]")
    cells = {name: {"buffer-bytes": COPIES} for name in (TENSOR, AS_TENSOR)} | {
        AS_ARRAY: {"buffer-bytes": other}
    }
    assert verdicts(asked(cells, have="buffer-bytes"))[AS_ARRAY] is Fit.DOES


def test_dtype_and_device_that_were_asked_for_are_held_to() -> None:
    """Each is a reason of its own; without a wish, a device without elements is not where anything is
    wanted.
    """
    meta = replace(LOST, device="meta")
    cells = {TENSOR: {"array-float32": COPIES}, AS_TENSOR: {"array-float32": meta}}
    assert verdicts(asked(cells)) == {TENSOR: Fit.DOES, AS_TENSOR: Fit.DEVICE}
    assert verdicts(asked(cells, device="meta")) == {AS_TENSOR: Fit.DOES, TENSOR: Fit.DEVICE}
    assert verdicts(asked(cells, element="torch.int8"))[TENSOR] is Fit.ELEMENT


def test_empty_source_has_nothing_to_share() -> None:
    """Every call then does, if none can tell; beside a call that shares, no bytes are a miss."""
    assert verdicts(asked({TENSOR: {"array-empty": LOST}}, Memory.SHARE, "array-empty")) == {TENSOR: Fit.DOES}
    cells = {TENSOR: {"array-float32": LOST}, FROM_NUMPY: {"array-float32": SHARES}}
    assert verdicts(asked(cells, Memory.SHARE)) == {FROM_NUMPY: Fit.DOES, TENSOR: Fit.EMPTY}


def test_call_that_never_gives_what_is_wanted_is_not_named() -> None:
    """One that gives a number does not answer who wants an array; one that may, here raises."""
    number = Cell(Outcome.VALUE, type="float", value="1.5")
    array = replace(COPIES, type="ndarray", dtype="float32", requires_grad=None)
    cells = {
        "x-item": {"tensor-float32": number},
        "x-numpy": {"tensor-float32": RAISES, "tensor-int8": array},
    }
    assert verdicts(asked(cells, have="tensor-float32", kind=ResultKind.ARRAY)) == {"x-numpy": Fit.RAISES}
    assert verdicts(asked(cells, have="tensor-float32", kind=ResultKind.VALUE)) == {"x-item": Fit.DOES}


def test_list_of_tensors_is_no_python_value() -> None:
    """It still has to be converted."""
    both = {"list-x": {"tensor-float32": Cell(Outcome.SHARES, type="list of Tensor")}}
    both["list-x"]["tensor-int8"] = Cell(Outcome.VALUE, type="list", value="[1]")
    assert verdicts(asked(both, have="tensor-float32", kind=ResultKind.VALUE)) == {"list-x": Fit.KIND}


def test_what_was_not_tried_is_not_named() -> None:
    """No release answers for another."""
    of = chooser_table({TENSOR: {"array-float32": COPIES}}, _2_2_0={AS_TENSOR: {"array-float32": COPIES}})
    assert list(verdicts(rank_calls(of, source(), Want(), CPU.id))) == [TENSOR]
    assert list(verdicts(rank_calls(of, source(), Want(), of.environments[1].id))) == [AS_TENSOR]


def test_answers_stand_in_the_order_of_verdicts() -> None:
    """Those that do it first, then the nearest miss."""
    other = replace(COPIES, dtype="torch.int8")
    done = {TENSOR: RAISES, AS_TENSOR: SHARES, FROM_NUMPY: COPIES, AS_ARRAY: other}
    cells = {name: {"array-float32": cell, "array-int8": COPIES} for name, cell in done.items()}
    found = list(verdicts(asked(cells, Memory.COPY)).values())
    assert found == sorted(found, key=list(Fit).index)
    assert found[0] in GOOD


# --- what can be asked -------------------------------------------------------------------------


def test_what_can_be_wanted_follows_from_what_is_tried() -> None:
    """Nothing makes an array of a list here; a tensor becomes everything."""
    assert possible_kinds(Form.SEQUENCE) == (ResultKind.TENSOR,)
    assert possible_kinds(Form.TENSOR) == tuple(ResultKind)


def test_code_that_has_changed_says_nothing() -> None:
    """A row of another conversion's code, and a cell of another source's, are left out."""
    conversion = next(c for c in CONVERSIONS if c.name == TENSOR)
    now = {s.name: code_digests(conversion, s)[1] for s in SOURCES}
    row = Row(
        TENSOR,
        {CPU.id: {"array-float32": COPIES, "array-int8": COPIES}},
        {},
        code_digests(conversion, source())[0],
    )
    kept = select_present_rows(
        {TENSOR: row, AS_TENSOR: Row(AS_TENSOR, row.cells, {}, "old")}, {**now, "array-int8": "old"}
    )
    assert {name: row.cells for name, row in kept.items()} == {TENSOR: {CPU.id: {"array-float32": COPIES}}}


def test_mixed_expressions_and_parts_are_no_conversions() -> None:
    """A sum or an element is not what anybody converts to."""
    names = {conversion.name for conversion in SCOPE}
    assert {"x-numpy", TENSOR, "x-to-float32"} & names
    assert not {"x-0", "np-sin-x"} & names
    assert not [c for c in SCOPE if c.group is Group.MIXED]


# --- what a browser is given -------------------------------------------------------------------


def some_board() -> ChooserTable:
    """Three environments that differ here and there, drawn at random but always alike."""
    draw = random.Random(5)
    kept = [SHARES, COPIES, RAISES, replace(COPIES, warnings=WARNED), LOST]
    first = {c.name: {s.name: draw.choice(kept) for s in list_sources(c.group)} for c in SCOPE[:9]}
    tables = [first]
    for _ in range(2):
        last = {name: dict(cells) for name, cells in tables[-1].items()}
        for cells in last.values():
            for name in draw.sample(sorted(cells), 3):
                cells[name] = draw.choice(kept)
            del cells[draw.choice(sorted(cells))]
        tables.append(last)
    return chooser_table(first, _2_3_0=tables[1], _2_2_0=tables[2])


def read(document: Mapping[str, Any]) -> dict[str, dict[str, dict[str, int]]]:
    """Cells of a payload, put together as the script does it."""
    rows: list[list[int]] = []
    for _, nearest, numbers in document["environments"]:
        row = list(numbers) if nearest < 0 else list(rows[nearest])
        at = -1
        for distance, place in zip(numbers[::2], numbers[1::2], strict=True) if nearest >= 0 else ():
            at += distance + 1
            row[at] = place
        rows.append(row)
    names = [s[0] for s in document["sources"]]
    pairs = [(c[0], names[s]) for c in document["conversions"] for s in document["groups"][c[2]][1]]
    found: dict[str, dict[str, dict[str, int]]] = {}
    for (environment, *_), row in zip(document["environments"], rows, strict=True):
        for (conversion, name), place in zip(pairs, row, strict=True):
            if place:
                found.setdefault(environment, {}).setdefault(conversion, {})[name] = place - 1
    return found


def test_payload_holds_every_cell_of_every_environment() -> None:
    """Differences put together give the board again, what was not tried included."""
    of = some_board()
    document = json.loads(json.dumps(encode_table(of)))
    assert read(document) == of.cells
    assert [e[1] for e in document["environments"]] == [-1, 0, 1]


def test_payload_holds_every_text_once() -> None:
    """And only first lines of messages."""
    document: dict[str, Any] = encode_table(some_board())
    assert len(set(document["words"])) == len(document["words"])
    assert "UserWarning: careful" in document["words"]


def test_long_messages_are_cut() -> None:
    """A page that names sixty calls shows no walls of text."""
    found = asked({TENSOR: {"array-float32": replace(COPIES, warnings=(Warned("W", "long " * 99),))}})
    (warning,) = found[0].call.summary.warnings
    assert len(warning) == LONGEST
    assert warning.endswith("…")


def test_recorded_matrix_fits_a_reader() -> None:
    """What the page loads of the committed rows is below the limit, compressed."""
    committed = store.read_records(ROOT / "docs" / "records")
    if not committed.rows:
        pytest.skip("no row of the matrix has been recorded yet")
    of = build_chooser_table(select_present_rows(committed.rows, committed.sources), committed.environments)
    assert len(gzip.compress(json.dumps(encode_table(of), separators=(",", ":")).encode(), 6)) < LIMIT


def test_first_environment_is_the_one_shown() -> None:
    """The newest release, a processor before a card."""
    card: Environment = replace(CPU, device="Some Card", cuda="13.0")
    cells = {TENSOR: {"array-float32": COPIES}}
    rows = {TENSOR: Row(TENSOR, {CPU.id: cells[TENSOR], card.id: cells[TENSOR], OLDER.id: cells[TENSOR]})}
    found = build_chooser_table(rows, {e.id: e for e in (OLDER, card, CPU)}).environments
    assert [environment.id for environment in found] == [CPU.id, card.id, OLDER.id]
