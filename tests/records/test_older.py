"""What records may lack because older probes dropped it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import CPU, captured, example, observed, ran

from tensor_atlas.examples.parse import Example
from tensor_atlas.model.runs import Observation, Raised, Run, Unmade, Warned
from tensor_atlas.records.older import mark_dropped_newlines
from tensor_atlas.records.store import Store, add_capture

WARNED = (Warned("UserWarning", "look out"),)


def read(what: Example, run: Run) -> Run:
    """The run, recorded and read for the example."""
    store = mark_dropped_newlines(add_capture(Store(), captured(run)), {what.name: what})
    return store.records[what.name].runs[CPU.id]


@pytest.mark.parametrize(
    ("claim", "seen"),
    [
        ("# =>\n", Observation("f()")),
        ("# => stderr:\n", Observation("f()")),
        ("# =>\n# => UserWarning: look out\n", Observation("f()", warnings=WARNED)),
        ("# => out\n# => stderr:\n", Observation("f()", stdout="out")),
    ],
)
def test_claimed_newline_that_a_record_lacks_was_not_observed(claim: str, seen: Observation) -> None:
    """On the stream that has nothing else, whatever else was observed."""
    what = example(f"f()\n{claim}")
    run = read(what, observed(what, seen))
    assert run.observation(0) is None
    assert replace(run.observations[0], unobserved=False) == seen


@pytest.mark.parametrize("stdout", ["1", "\n", "\n\n", "\n1"])
def test_recorded_output_was_observed(stdout: str) -> None:
    """Whether or not it is the claimed one."""
    what = example("f()\n# =>\n# => 1\n")
    run = ran(what, stdout)
    assert read(what, run) == run


def test_silence_without_a_claim_was_observed() -> None:
    """And so was that of other code."""
    what = example("f()\n# =>\ng()\n")
    older = replace(ran(what, "", ""), digest="0" * 16)
    assert read(what, older) == older
    assert [seen.unobserved for seen in read(what, ran(what, "", "")).observations] == [True, False]


def test_statement_that_failed_was_observed() -> None:
    """A lone newline is not what it lacks."""
    what = example("f()\n# =>\n")
    for seen in (
        Observation("f()", raised=Raised("TypeError", "no")),
        Observation("f()", unmade=Unmade("x", 0)),
    ):
        assert not read(what, observed(what, seen)).observations[0].unobserved
