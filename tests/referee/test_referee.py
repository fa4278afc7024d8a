"""The referee agrees with the records, finds what is planted in them, and does its own measuring right."""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import torch
from referee import trial
from referee.referee import (
    RECORDS,
    Answer,
    Key,
    compare,
    draw,
    environment_name,
    first_words,
    is_same_value,
    read_cells,
    try_cells,
)

SAMPLE = 300
"""Cells that are tried; always the same, so that no run fails by chance."""
SHARES = ("torch-from-numpy-x", "array-float32")
COPIES = ("torch-tensor-x", "array-float32")
RAISES = ("torch-from-numpy-x", "sequence-ints")
WARNS = ("torch-tensor-x", "tensor-float32")
WRITES = ("np-multiply-x-2-out-x", "array-float32")


@pytest.fixture(scope="module")
def cells() -> dict[Key, Answer]:
    """Cells that are recorded of what is installed here; skips where none are."""
    found = read_cells(RECORDS, environment_name())
    if not found:
        pytest.skip(f"no cells are recorded of {environment_name()}")
    return found


@pytest.mark.slow
def test_referee_agrees_with_the_records(cells: Mapping[Key, Answer]) -> None:
    """Outcome, class, dtype, shape, strides, device, flags, elements, warnings and errors of 300 cells."""
    keys = draw(cells, SAMPLE, seed=1)
    assert {"raises", "copies", "shares memory", "value"} <= {cells[key]["outcome"] for key in keys}
    differing = {}
    for key, answer in try_cells(keys):
        wrong = compare(cells[key], answer)
        if wrong:
            differing[key] = wrong
    assert differing == {}


# --- planted faults ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def answers(cells: Mapping[Key, Answer]) -> dict[Key, Answer]:
    """What the referee sees of a few cells."""
    keys = [SHARES, COPIES, RAISES, WARNS, WRITES]
    assert set(keys) <= set(cells)
    return dict(try_cells(keys))


def test_true_records_of_a_few_cells_agree(
    cells: Mapping[Key, Answer], answers: Mapping[Key, Answer]
) -> None:
    """Those in which faults are planted below."""
    assert {key: compare(cells[key], answers[key]) for key in answers} == {key: {} for key in answers}


@pytest.mark.parametrize(
    ("key", "field", "value"),
    [
        (SHARES, "outcome", "copies"),
        (COPIES, "outcome", "shares memory"),
        (RAISES, "outcome", "value"),
        (SHARES, "type", "ndarray"),
        (SHARES, "dtype", "torch.float64"),
        (SHARES, "shape", [4]),
        (SHARES, "strides", [8]),
        (SHARES, "device", "meta"),
        (SHARES, "requires_grad", True),
        (SHARES, "value", "[1.0, 2.0, 4.0]"),
        (SHARES, "writes", True),
        (WRITES, "writes", False),
        (WARNS, "warnings", []),
        (RAISES, "error", {"type": "ValueError", "message": "expected np.ndarray (got list)"}),
        (RAISES, "error", {"type": "TypeError", "message": "expected a list"}),
    ],
)
def test_falsified_record_is_found(
    key: Key,
    field: str,
    value: object,
    cells: Mapping[Key, Answer],
    answers: Mapping[Key, Answer],
    tmp_path: Path,
) -> None:
    """One field of one cell is changed in the file of its row."""
    falsify(key, {**cells[key], field: value}, tmp_path)
    falsified = read_cells(tmp_path, environment_name())
    assert set(compare(falsified[key], answers[key])) == {field}


def falsify(key: Key, cell: Answer, folder: Path) -> None:
    """Write a row in which every environment has ``cell`` for one source."""
    conversion, source = key
    row = json.loads((RECORDS / "matrix" / f"{conversion}.json").read_text(encoding="utf-8"))
    row["outcomes"].append(cell)
    row["cells"][source] = len(row["outcomes"]) - 1
    (folder / "matrix").mkdir()
    (folder / "matrix" / f"{conversion}.json").write_text(json.dumps(row), encoding="utf-8")
    shutil.copy(RECORDS / "texts.json", folder)


# --- its own measuring ---------------------------------------------------------------------------


def test_addresses_tell_sharing_from_lying_side_by_side() -> None:
    """Every byte of every element counts, and none between them."""
    array = np.arange(6, dtype=np.float64)
    tensor = torch.from_numpy(array)
    views = {"even": tensor[::2], "odd": array[1::2], "tail": tensor[4:], "back": array[::-1]}
    meet = {
        (one, other)
        for one, other in itertools.combinations(views, 2)
        if trial.relate(views[one], views[other], is_writable=True) == "shares memory"
    }
    assert meet == {("even", "tail"), ("even", "back"), ("odd", "tail"), ("odd", "back"), ("tail", "back")}
    assert array.tolist() == [0, 1, 2, 3, 4, 5]


def test_what_has_no_bytes_is_told_apart() -> None:
    """Empty, on the meta device, a plain number, and what is made of a list."""
    tensor = torch.ones(2)
    assert trial.relate(torch.ones(0), tensor, is_writable=True) == "no bytes"
    assert trial.relate(torch.ones(2, device="meta"), tensor, is_writable=True) == "no bytes"
    assert trial.relate(1.0, tensor, is_writable=True) == "value"
    assert trial.relate(tensor, [1.0, 1.0], is_writable=True) == "copies"
    assert trial.relate(tensor, tensor, is_writable=True) == "same object"


def test_values_are_compared_to_six_digits() -> None:
    """Nesting, truth values and texts exactly."""
    assert is_same_value("[[0.333333, nan], [1+2j, True]]", "[[0.33333334, nan], [(1+2j), True]]")
    assert is_same_value("[<Kind.CPU: 1>, 0]", "[<Kind.CPU: 1>, 0]")
    assert not is_same_value("[1.0, 2.0]", "[[1.0], [2.0]]")
    assert not is_same_value("[1.0]", "[1.1]")
    assert not is_same_value("[True]", "[1]")
    assert not is_same_value("[1.0]", "")


def test_messages_are_compared_up_to_numbers_and_places() -> None:
    """Six words at most."""
    assert first_words("can't convert cuda:0 device type tensor") == "can't convert"
    assert first_words("one two three four five six seven") == "one two three four five six"
