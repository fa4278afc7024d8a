"""Runs that their example cannot have given."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest
from samples import ARRAY, CPU, GPU, SCALAR, SHARES, example, observed, ran

from tensor_atlas.model.cells import Cell, Outcome, Proof
from tensor_atlas.model.runs import Buffer, Observation, Raised, Run, Snapshot, Status, Unmade, Value
from tensor_atlas.records.checks import contradict_cell, find_contradiction, is_to_come

EXAMPLE = example("first()\nx = second()\n\n# %%\n\nprint(x)\nprint(1)\n\n# %%\n\nlast()\n")
CODES = [statement.code for statement in EXAMPLE.statements]
RAISED = Raised("TypeError", "no")
LACKING = Observation(CODES[2], unmade=Unmade("x", 1))
BROKEN = Snapshot(broken=True)
ONWARD = replace(
    observed(
        EXAMPLE,
        Observation(CODES[0]),
        Observation(CODES[1], raised=RAISED),
        LACKING,
        Observation(CODES[3], stdout="1"),
        Observation(CODES[4]),
        status=Status.RAISED,
        reason="TypeError",
    ),
    snapshots=(BROKEN, BROKEN, Snapshot()),
)
"""A run that went on behind its error."""


def change(run: Run, index: int, **fields: object) -> Run:
    """The run with other fields of one observation."""
    seen = list(run.observations)
    seen[index] = replace(seen[index], **fields)  # type: ignore[arg-type]
    return replace(run, observations=tuple(seen))


@pytest.mark.parametrize(
    "run",
    [
        ONWARD,
        replace(ONWARD, observations=ONWARD.observations[:2], snapshots=()),
        replace(
            ONWARD, observations=ONWARD.observations[:4], snapshots=(BROKEN,), stopped="crashed: SIGSEGV"
        ),
        replace(change(ONWARD, 4, raised=RAISED), snapshots=(BROKEN, BROKEN)),
        replace(ran(EXAMPLE, *[""] * 5), snapshots=(Snapshot(),) * 3),
    ],
    ids=["goes on", "of an earlier probe", "dies behind the error", "raises at its end, too", "completes"],
)
def test_run_that_can_be_is_taken(run: Run) -> None:
    """Behind its error all statements are observed, unless the process stopped or an earlier probe ran it."""
    assert find_contradiction(run, EXAMPLE, CPU) == ""


@pytest.mark.parametrize(
    "run",
    [
        replace(ONWARD, observations=ONWARD.observations[:4], snapshots=(BROKEN, BROKEN)),
        replace(ONWARD, observations=ONWARD.observations[:3], snapshots=(BROKEN,)),
        replace(ONWARD, snapshots=(BROKEN, BROKEN)),
        replace(ONWARD, snapshots=(BROKEN, Snapshot(), Snapshot())),
        replace(ONWARD, snapshots=(BROKEN, BROKEN, BROKEN)),
        replace(ONWARD, status=Status.COMPLETED, reason=""),
        change(ONWARD, 1, raised=None),
        change(ONWARD, 2, unmade=Unmade("x", 0)),
        change(ONWARD, 2, unmade=Unmade("x", 4)),
        change(replace(ONWARD, status=Status.COMPLETED), 1, raised=None),
        replace(ran(EXAMPLE, *[""] * 5), snapshots=(Snapshot(),) * 3, stopped="crashed: SIGSEGV"),
    ],
)
def test_run_that_cannot_be_is_refused(run: Run) -> None:
    """Cut behind its error, lacking a name that nothing kept from being made, or measured where it failed."""
    assert find_contradiction(run, EXAMPLE, CPU) != ""


def test_run_that_did_not_begin_holds_nothing() -> None:
    """It says what was missing, which the environment may be without."""
    needs = example('# sphinx_gallery_tags = ["cuda"]\nprint(1)\n')
    absent = ran(needs, status=Status.NOT_RUN, reason="needs 1 CUDA device, found 0 on cpu")
    assert find_contradiction(absent, needs, CPU) == ""
    seen = replace(absent, observations=ran(needs, "1").observations)
    measured = replace(absent, snapshots=(Snapshot(),))
    for run in (seen, measured):
        assert find_contradiction(run, needs, CPU) == "not run, and yet something was observed"
    assert find_contradiction(replace(absent, reason=""), needs, CPU).startswith("not run, though ")
    assert find_contradiction(absent, needs, GPU).startswith("not run, though ")


def test_day_to_come_is_later_than_today() -> None:
    """Today itself is none."""
    today = dt.date(2026, 1, 31)
    assert [is_to_come(day, today) for day in ("2026-01-30", "2026-01-31", "2026-02-01")] == [
        False,
        False,
        True,
    ]


# --- values alive ---------------------------------------------------------------------------------

ONE_BLOCK = example("x = make()\n")
VECTOR = Value(
    "x", "Tensor", "torch.float32", (3,), (4,), "cpu", requires_grad=False, buffer=0, start=0, stop=12
)
"""Three elements at the beginning of a buffer."""
TAIL = replace(VECTOR, name="y", shape=(1,), start=8)
"""The last of them."""
SPARSE = replace(VECTOR, name="z", shape=(2,), strides=(8,))
"""The first and the last of them."""
OTHER = Value(
    "z", "Tensor", "torch.bool", (12,), (1,), "cpu", requires_grad=False, buffer=0, start=0, stop=12
)
"""Of a dtype that names no bits."""
BUFFERS = (Buffer("cpu", 12),)
SHARED = (("x", "y"),)


def contradict(*values: Value, shares: tuple[tuple[str, ...], ...] = (), buffers: int = 1) -> str:
    """What cannot be of values alive after the one block of an example."""
    run = replace(ran(ONE_BLOCK, ""), snapshots=(Snapshot(values, BUFFERS * buffers, shares),))
    return find_contradiction(run, ONE_BLOCK, CPU)


@pytest.mark.parametrize(
    ("values", "shares"),
    [
        ([VECTOR], ()),
        ([VECTOR, TAIL], SHARED),
        ([replace(VECTOR, start=0, stop=8, shape=(2,)), TAIL], ()),
        ([VECTOR, SPARSE], (("x", "z"),)),
        ([replace(VECTOR, shape=(1,), start=4, stop=8), SPARSE], ()),
        ([replace(VECTOR, strides=(-4,))], ()),
        ([OTHER], ()),
        ([replace(ARRAY, strides=None), VECTOR], ()),
        ([replace(VECTOR, shape=(3, 1), strides=(4, 99))], ()),
        ([replace(VECTOR, strides=None)], ()),
    ],
    ids=[
        "one",
        "shared",
        "side by side",
        "sparse",
        "in a gap",
        "backwards",
        "bool",
        "no strides",
        "wide",
        "sparse",
    ],
)
def test_values_that_can_be_are_taken(values: list[Value], shares: tuple[tuple[str, ...], ...]) -> None:
    """Two values that fill all bytes between their ends share where they meet; others may."""
    assert contradict(*values, shares=shares) == ""


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (replace(VECTOR, stop=16, shape=(4,)), "x lies outside its buffer"),
        (replace(VECTOR, device="cuda:0"), "x lies outside its buffer"),
        (replace(VECTOR, shape=(2,)), "x covers other bytes than its shape"),
        (replace(VECTOR, dtype="torch.float64"), "x covers other bytes than its shape"),
        (replace(OTHER, shape=(13,)), "z covers other bytes than its shape"),
        (replace(ARRAY, start=0), "batch[0] has a place in no buffer"),
        (replace(ARRAY, stop=0), "batch[0] has a place in no buffer"),
        (replace(VECTOR, writable=True), "x has flags that no value of dtype torch.float32 has"),
        (replace(VECTOR, dtype="float32"), "x has flags that no value of dtype float32 has"),
        (replace(VECTOR, shape=(-3,)), "x has an axis of negative length"),
        (replace(VECTOR, strides=(4, 4)), "x has strides for other axes than it has"),
        (replace(ARRAY, device=""), "batch[0] lies on no device"),
    ],
)
def test_value_that_cannot_be_is_refused(value: Value, what: str) -> None:
    """By its name, with what is wrong."""
    values = [value] if value.buffer == 0 else [replace(SCALAR, stop=4), value]
    assert contradict(*values) == what


@pytest.mark.parametrize(
    ("values", "shares", "what"),
    [
        ([VECTOR, TAIL], (), "x and y lie on the same bytes, and are not listed as sharing them"),
        ([VECTOR], (("x", "y"),), "x and y are listed as sharing bytes, and have none in common"),
        (
            [replace(VECTOR, stop=8, shape=(2,)), TAIL],
            (("x", "y"),),
            "x and y are listed as sharing bytes, and have none in common",
        ),
        ([VECTOR, TAIL], SHARED * 2, "lists the same names as sharing bytes twice"),
    ],
)
def test_sharing_that_cannot_be_is_refused(
    values: list[Value], shares: tuple[tuple[str, ...], ...], what: str
) -> None:
    """Not listed, listed without a byte in common, or listed twice."""
    assert contradict(*values, shares=shares) == what


def test_values_of_two_buffers_share_nothing() -> None:
    """Though their places have the same numbers."""
    second = replace(TAIL, buffer=1)
    assert contradict(VECTOR, second, buffers=2) == ""
    assert contradict(VECTOR, second, shares=SHARED, buffers=2).endswith("have none in common")
    assert contradict(VECTOR, buffers=2) == "lists a buffer that no value sees"


# --- cells ----------------------------------------------------------------------------------------

RAISES = Cell(Outcome.RAISES, error=RAISED)


@pytest.mark.parametrize(
    "cell",
    [SHARES, RAISES, replace(RAISES, outcome=Outcome.CRASHES), Cell(Outcome.SAME, type="int")],
    ids=["shares", "raises", "crashes", "same"],
)
def test_cell_that_can_be_is_taken(cell: Cell) -> None:
    """A failure has an error and no result, sharing and copying have a proof."""
    assert contradict_cell(cell) == ""


@pytest.mark.parametrize(
    ("cell", "what"),
    [
        (replace(RAISES, type="Tensor"), "raises, and has a result"),
        (replace(RAISES, shape=()), "raises, and has a result"),
        (replace(RAISES, value="1"), "raises, and has a result"),
        (replace(RAISES, error=None), "raises, without what goes with that"),
        (replace(SHARES, error=RAISED), "shares memory, without what goes with that"),
        (replace(SHARES, type=""), "shares memory, without what goes with that"),
        (replace(SHARES, proof=None), "shares memory, with a proof of something else"),
        (Cell(Outcome.SAME, Proof.WRITE, type="int"), "same object, with a proof of something else"),
        (replace(SHARES, writable=True), "the result has flags that no value of dtype torch.float32 has"),
        (replace(SHARES, strides=(4, 4)), "the result has strides for other axes than it has"),
    ],
)
def test_cell_that_cannot_be_is_refused(cell: Cell, what: str) -> None:
    """With its outcome and what does not go with it."""
    assert contradict_cell(cell) == what
