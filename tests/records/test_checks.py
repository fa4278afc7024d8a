"""Runs that their example cannot have given."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import CPU, example, observed, ran

from tensor_atlas.model.runs import Observation, Raised, Run, Snapshot, Status, Unmade
from tensor_atlas.records.checks import find_contradiction

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
