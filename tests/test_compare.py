"""(claims, observations, deviations, records) → verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from samples import CPU, GPU, OLDER, example, observed, ran

from tensor_atlas.compare import Kind, Verdict, compare_record, compare_run, unused
from tensor_atlas.deviations import Deviation
from tensor_atlas.fold import Record
from tensor_atlas.probe.record import Observation, Raised, Run, Snapshot, Status

TWO = example("print(1)\n# => 1\nvalue = 1\n\n# %%\n\nprint(2)\n# => 2\n\n# %%\n\nprint(3)\n")


def findings(verdicts: Sequence[Verdict]) -> list[tuple[Kind, int, str]]:
    """Kind, line and finding of each."""
    return [(verdict.kind, verdict.line, verdict.what) for verdict in verdicts]


def deviation(statement: str, *environments: str, output: tuple[str, ...] | None = None) -> Deviation:
    """Deviation of 01_x/a at line 5 of its file."""
    return Deviation("01_x/a", statement, environments, "why", link=None, output=output, line=5)


def test_claims_are_judged_in_order_and_silence_is_passed_over() -> None:
    """One verdict a claim and one an unclaimed output, at the claim's line, else the statement's."""
    assert findings(compare_run(TWO, ran(TWO, "1", "", "two", "3"), CPU, ())) == [
        (Kind.HOLDS, 9, "claim holds"),
        (Kind.DIFFERS, 15, "claim differs"),
        (Kind.UNCLAIMED, 19, "output without a claim"),
    ]


def test_claim_without_output_differs() -> None:
    """What an example says and no statement printed."""
    (verdict, *_) = compare_run(TWO, ran(TWO, "", "", "2", ""), CPU, ())
    assert findings([verdict]) == [(Kind.DIFFERS, 9, "claim without output")]
    assert (verdict.claimed, verdict.observed, verdict.environment) == (("1",), (), CPU)
    assert verdict.is_drift


def test_run_of_other_code_is_stale() -> None:
    """Evidence about an older version says nothing about the claims, and is no drift."""
    (verdict,) = compare_run(TWO, replace(ran(TWO, "0"), digest="older"), GPU, ())
    assert findings([verdict]) == [(Kind.STALE, 1, "the example changed since it was observed")]
    assert not verdict.is_drift


def test_run_that_did_not_happen_says_why() -> None:
    """A missing device is no drift."""
    (verdict,) = compare_run(TWO, Run("01_x/a", TWO.digest, Status.NOT_RUN, "needs an MPS device, found none"), CPU, ())
    assert findings([verdict]) == [(Kind.NOT_RUN, 1, "needs an MPS device, found none")]
    assert not verdict.is_drift


def test_uncaught_error_costs_the_blocks_behind_it() -> None:
    """The failing statement has one verdict, with what it printed and the traceback; each later block one more."""
    failed = Observation("print(2)", stdout="2", raised=Raised("TypeError", "no", ("Traceback …", "TypeError: no")))
    run = observed(
        TWO,
        Observation("print(1)", stdout="1"),
        Observation("value = 1"),
        failed,
        status=Status.RAISED,
        reason="TypeError",
    )
    verdicts = compare_run(TWO, run, CPU, ())
    assert findings(verdicts) == [
        (Kind.HOLDS, 9, "claim holds"),
        (Kind.DIFFERS, 14, "uncaught TypeError"),
        (Kind.DIFFERS, 19, "block never ran"),
    ]
    assert verdicts[1].observed == ("2", "Traceback …", "TypeError: no")
    assert verdicts[1].claimed == ("2",)
    assert verdicts[2].remedy == "the example ended at line 14: see there"


@pytest.mark.parametrize(
    ("status", "reason", "reached", "line", "what"),
    [
        (Status.CRASHED, "SIGSEGV", ("1", ""), 10, "crashed: SIGSEGV"),
        (Status.CRASHED, "SIGABRT", ("",), 8, "crashed: SIGABRT"),
        (Status.TIMED_OUT, "no end after 60 s", ("1", "", "half"), 14, "timed out: no end after 60 s"),
        (Status.EXITED, "the process ended without a word, exit code 0", ("1", "", "2", ""), 19, "exited: the process"),
        (Status.EXITED, "sys.exit(0)", ("1", "", "2"), 14, "exited: sys.exit(0)"),
        (Status.CRASHED, "SIGSEGV", (), 8, "crashed: SIGSEGV"),
    ],
)
def test_early_end_is_found_at_the_statement_that_was_running(
    status: Status, reason: str, reached: tuple[str, ...], line: int, what: str
) -> None:
    """The last one observed, whatever it had printed; the first where nothing was observed at all."""
    verdicts = compare_run(TWO, ran(TWO, *reached, status=status, reason=reason), CPU, ())
    (ending,) = (v for v in verdicts if v.what.startswith(what))
    assert (ending.kind, ending.line) == (Kind.DIFFERS, line)
    never = [v.line for v in verdicts if v.what == "block never ran"]
    assert never == [block.line for block in TWO.blocks if block.line > line]


def test_deviation_turns_a_difference_into_a_known_one() -> None:
    """In its environments, for its statement; other differences stay."""
    run = ran(TWO, "one", "", "two", "3")
    assert [v.kind for v in compare_run(TWO, run, OLDER, [deviation("print(1)", "torch < 2.3")])] == [
        Kind.KNOWN,
        Kind.DIFFERS,
        Kind.UNCLAIMED,
    ]
    assert compare_run(TWO, run, CPU, [deviation("print(1)", "torch < 2.3")])[0].kind is Kind.DIFFERS
    assert compare_run(TWO, run, CPU, [deviation("print(3)", "cpu")])[2].kind is Kind.KNOWN


def test_deviation_with_output_covers_these_lines_only() -> None:
    """A further change is drift again."""
    pinned = [deviation("print(1)", "cpu", output=("one",))]
    assert compare_run(TWO, ran(TWO, "one"), CPU, pinned)[0].kind is Kind.KNOWN
    assert compare_run(TWO, ran(TWO, "uno"), CPU, pinned)[0].kind is Kind.DIFFERS


def test_claim_that_holds_is_not_known() -> None:
    """Where the claim holds the deviation is beside the point."""
    assert compare_run(TWO, ran(TWO, "1"), CPU, [deviation("print(1)", "cpu")])[0].kind is Kind.HOLDS


def test_deviation_does_not_excuse_an_early_end() -> None:
    """An uncaught error is the example's fault, whatever was expected of its output."""
    failed = Observation("print(1)", raised=Raised("TypeError", "no"))
    run = observed(TWO, failed, status=Status.RAISED, reason="TypeError")
    assert compare_run(TWO, run, CPU, [deviation("print(1)", "cpu")])[0].kind is Kind.DIFFERS


# --- records -------------------------------------------------------------------------------------

GOOD = ran(TWO, "1", "", "2", "")


def test_equal_record_is_silent() -> None:
    """And so is none, for this example or for this environment."""
    assert compare_record(TWO, GOOD, CPU, Record("01_x/a", {CPU.id: GOOD})) == ()
    assert compare_record(TWO, GOOD, CPU, None) == ()
    assert compare_record(TWO, GOOD, CPU, Record("01_x/a", {GPU.id: ran(TWO, "other")})) == ()


def test_record_of_other_code_is_stale_in_its_own_environment_only() -> None:
    """What a GPU recorded waits for a GPU."""
    record = Record("01_x/a", {GPU.id: replace(GOOD, digest="older")})
    assert compare_record(TWO, GOOD, CPU, record) == ()
    (verdict,) = compare_record(TWO, GOOD, GPU, record)
    assert findings([verdict]) == [(Kind.DIFFERS, 1, "stale record: the example changed since it was recorded")]


@pytest.mark.parametrize("digest", [TWO.digest, "older"])
def test_example_that_could_not_run_has_nothing_to_compare(digest: str) -> None:
    """A library that is missing here, or was missing when it was recorded, is no drift."""
    not_run = Run("01_x/a", digest, Status.NOT_RUN, "needs pandas, which is not installed")
    assert compare_record(TWO, replace(not_run, digest=TWO.digest), CPU, Record("01_x/a", {CPU.id: GOOD})) == ()
    assert compare_record(TWO, GOOD, CPU, Record("01_x/a", {CPU.id: not_run})) == ()


def test_record_tells_what_no_claim_tells() -> None:
    """Output, caught errors and sharing are compared with the record of the same environment."""
    then = replace(
        GOOD,
        observations=(
            replace(GOOD.observations[0], stdout="one"),
            replace(GOOD.observations[1], caught=(Raised("KeyError", "'k'"),)),
            *GOOD.observations[2:],
        ),
        snapshots=(Snapshot(shares=(("a", "b"),)), Snapshot()),
    )
    now = replace(GOOD, snapshots=(Snapshot(), Snapshot()))
    verdicts = compare_record(TWO, now, CPU, Record("01_x/a", {CPU.id: then}))
    assert findings(verdicts) == [
        (Kind.DIFFERS, 8, "record differs"),
        (Kind.DIFFERS, 10, "record differs"),
        (Kind.DIFFERS, 8, "record differs: who shares memory, or what is alive, after this block"),
    ]
    assert (verdicts[0].claimed, verdicts[0].observed) == (("one",), ("1",))
    assert (verdicts[1].claimed, verdicts[1].observed) == (("caught KeyError: 'k'",), ())
    assert {verdict.remedy for verdict in verdicts} == {"review, then: tensor-atlas record"}


def test_record_of_another_ending_differs() -> None:
    """What was recorded to crash and now completes is a difference, in words for both."""
    crashed = ran(TWO, "1", status=Status.CRASHED, reason="SIGSEGV")
    (verdict,) = compare_record(TWO, GOOD, CPU, Record("01_x/a", {CPU.id: crashed}))
    assert verdict.what == "record differs: recorded as crashed (SIGSEGV), now completed"


# --- unused deviations ---------------------------------------------------------------------------


def test_deviation_that_no_run_needs_is_drift() -> None:
    """Not where its environments are absent, nor where the claim holds in them."""
    entry = deviation("print(1)", "torch < 2.3")
    differing = ran(TWO, "one")
    (verdict,) = unused([entry], "docs/deviations.toml", {"01_x/a": TWO}, [(CPU, differing), (OLDER, GOOD)])
    assert (verdict.path, verdict.line, verdict.kind) == ("docs/deviations.toml", 5, Kind.DIFFERS)
    assert verdict.what == "unused deviation: no run of 01_x/a needs it"


def test_deviation_that_one_recorded_run_needs_is_used() -> None:
    """Live or recorded; where only older code ran, as on a GPU, the entry waits for a new run."""
    entry = deviation("print(1)", "torch < 2.3")
    differing = ran(TWO, "one")
    assert unused([entry], "d", {"01_x/a": TWO}, [(CPU, GOOD), (OLDER, differing)]) == ()
    assert unused([entry], "d", {"01_x/a": TWO}, [(OLDER, replace(differing, digest="older"))]) == ()
    assert len(unused([entry], "d", {"01_x/a": TWO}, [(CPU, replace(differing, digest="older"))])) == 1
