"""Which examples ran where, from runs alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import CPU, GPU, OLDER, captured, example, ran

from tensor_atlas.compare.evidence import Evidence, assess_capture, evidence_from_records
from tensor_atlas.history.releases import minor_release, name_environment
from tensor_atlas.model.runs import Run, Status
from tensor_atlas.pages.coverage_view import (
    Pairing,
    count_runs,
    describe_range,
    describe_states,
    describe_usual_states,
    find_columns,
    find_common,
    find_sign,
    find_stale_examples,
    find_usual_states,
    group_waiting_examples,
    list_pairings,
    list_releases,
    list_upgrade_ends,
    name_columns,
)
from tensor_atlas.records.store import Store, add_capture

EXAMPLE = example("print(1)\nprint(2)\n")
UNSEEN = example("f()\n", "examples/07_cuda/unseen.py")
MIDDLE = replace(CPU, torch="2.9.1+cpu")
CARD = replace(GPU, torch="2.11.0+cu128")


def evidence() -> Evidence:
    """An example with runs that differ, ended early, or are stale, and one that waits for a GPU."""
    store = add_capture(Store(), captured(ran(EXAMPLE, "1", "3"), environment=OLDER))
    cut = ran(EXAMPLE, "1", status=Status.CRASHED, reason="SIGSEGV")
    store = add_capture(store, captured(cut, environment=MIDDLE))
    stale = replace(ran(EXAMPLE, "1", "2"), digest="older")
    store = add_capture(store, captured(stale, environment=CARD))
    absent = Run(UNSEEN.name, UNSEEN.digest, Status.NOT_RUN, "needs 1 CUDA device, found 0")
    here = captured(ran(EXAMPLE, "1", "2"), absent)
    return assess_capture({one.name: one for one in (EXAMPLE, UNSEEN)}, here, store, ())


def test_sign_tells_what_an_environment_did_with_an_example() -> None:
    """Columns are the releases, the oldest first, then the accelerators."""
    known = evidence()
    columns = list(find_columns(known))
    assert columns == [OLDER, MIDDLE, CPU, CARD]
    signs = [find_sign(known.pages[EXAMPLE.name], known, column) for column in columns]
    assert signs == ["≠", "×", "=", "s"]
    assert describe_states(dict(zip(columns, signs, strict=True))) == [
        f"torch {minor_release(CPU.torch)}",
        f"torch {minor_release(OLDER.torch)}; ends early on torch 2.9",
        f"an older version ran on {CARD.device} with 2.11",
    ]
    unseen = known.pages[UNSEEN.name]
    assert [find_sign(unseen, known, column) for column in columns] == ["·", "·", "–", "·"]


def test_rows_leave_out_what_a_device_did_with_most() -> None:
    """Said once above them; a row that differs says so, and a device without a majority stands in each."""
    other = replace(CARD, device="Other Card")
    usual = {CPU: "=", CARD: "=", other: "·"}
    rows = [usual, usual, {CPU: "=", CARD: "·", other: "="}]
    states = find_usual_states(rows)
    assert states == {CARD.device: ("=",), other.device: ("·",)}
    words = f"Runs on {CARD.device} with 2.11. Not run on Other Card with 2.11."
    assert describe_usual_states(rows) == words
    here = f"torch {minor_release(CPU.torch)}"
    assert describe_states(usual, states) == [here, "", ""]
    assert describe_states(rows[2], states) == [
        f"{here}, Other Card with 2.11",
        "",
        f"{CARD.device} with 2.11",
    ]
    assert find_usual_states([usual, rows[2]]) == {}
    assert find_usual_states([usual]) == {}, "one row says it itself"
    assert describe_usual_states([usual]) == ""


def test_releases_that_follow_one_another_are_named_from_first_to_last() -> None:
    """Those of a device after those of the processor."""
    line = [replace(CPU, torch=f"2.{minor}.0") for minor in range(1, 6)]
    every = [*line, CARD]
    assert name_columns(every, every) == f"torch 2.1–2.5, {CARD.device} with 2.11"
    assert name_columns([line[0], *line[2:4]], every) == "torch 2.1, 2.3–2.4"


def test_examples_are_counted_by_their_state() -> None:
    """Of this build by its capture, of others by their records."""
    known = evidence()
    assert count_runs(known, CPU) == {"current": 1, "not run": 1}
    assert count_runs(known, CARD) == {"stale": 1}


def test_device_waits_for_examples_that_it_ran_as_older_code() -> None:
    """And examples wait for what no machine had."""
    known = evidence()
    assert [shown.example.name for shown in find_stale_examples(known, CARD)] == [EXAMPLE.name]
    waiting = {why: len(examples) for why, examples in group_waiting_examples(known).items()}
    assert waiting == {"needs 1 CUDA device, found 0": 1}


def test_releases_that_fit_are_listed_for_a_choice() -> None:
    """Environments with an accelerator are no ends of an upgrade, and a torch that cannot use its NumPy is
    no release of the list.
    """
    what = example("print(1)\n")
    broken = replace(OLDER, torch="2.1.0+cpu", numpy="2.4.6")
    store = Store()
    for environment in (OLDER, CPU, GPU, broken):
        store = add_capture(store, captured(ran(what, "1"), environment=environment))
    known = evidence_from_records({what.name: what}, store)
    assert list_releases(known) == ["2.2", "2.13"]
    assert list_upgrade_ends(known) == [name_environment(CPU), name_environment(OLDER)]


def test_column_that_says_the_same_in_each_row_is_left_out() -> None:
    """But for those of releases; of one row alone those that say nothing."""
    row = {"torch": "2.13.0", "Device": "cpu", "Driver": "–"}
    assert find_common([row, row]) == {"Device": "cpu", "Driver": "–"}
    assert find_common([row]) == {"Driver": "–"}


def test_numpy_releases_are_paired_with_the_torch_that_can_use_them() -> None:
    """By torch and Python, the newest first; a torch built for NumPy 1 cannot use NumPy 2."""
    store = Store()
    for torch, numpy, python in (
        ("2.2.2", "1.26.4", "3.11.7"),
        ("2.2.2+cpu", "2.4.6", "3.11.7"),
        ("2.15.0", "2.10.0", "3.9.1"),
        ("2.15.0", "2.4.6", "3.9.1"),
        ("2.15.0", "2.4.6", "3.14.0"),
    ):
        environment = replace(OLDER, torch=torch, numpy=numpy, python=python)
        last = captured(ran(EXAMPLE, "1", "2"), environment=environment)
        store = add_capture(store, last)
    known = assess_capture({EXAMPLE.name: EXAMPLE}, last, store, ())
    assert list_pairings(known) == [
        Pairing("2.15", "3.14", ("2.4",), ()),
        Pairing("2.15", "3.9", ("2.4", "2.10"), ()),
        Pairing("2.2", "3.11", ("1.26",), ("2.4",)),
    ]


@pytest.mark.parametrize(
    ("working", "failing", "words", "numpy"),
    [
        (("1.26",), ("2.4",), "NumPy 1 fits, NumPy 2 does not", "numpy<2"),
        ((), ("2.4",), "NumPy 1 fits, NumPy 2 does not", "numpy<2"),
        (("1.26", "2.4", "2.10"), (), "Tried: NumPy 1.26 to 2.10", "numpy>=1.26,<2.11"),
        (("2.5",), (), "Tried: NumPy 2.5", "numpy>=2.5,<2.6"),
    ],
)
def test_range_of_numpy_is_said_as_pip_asks_for_it(
    working: tuple[str, ...], failing: tuple[str, ...], words: str, numpy: str
) -> None:
    """Below the first major release that fails; else from the oldest to the newest that ran."""
    assert describe_range(Pairing("2.2", "3.11", working, failing)) == (words, numpy)
