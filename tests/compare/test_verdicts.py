"""(claims, observations, deviations, records) → verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from samples import CPU, GPU, OLDER, deviation, example, observed, ran

from tensor_atlas.compare.deviations import Deviation
from tensor_atlas.compare.verdicts import (
    Verdict,
    VerdictKind,
    compare_record,
    compare_repeats,
    compare_run,
    describe_ending,
)
from tensor_atlas.examples.parse import Example
from tensor_atlas.model.runs import (
    AFTER,
    DEPTH,
    Buffer,
    Environment,
    Observation,
    Raised,
    Run,
    Snapshot,
    Status,
    Unmade,
    Value,
)
from tensor_atlas.records.fold import Record

TWO = example("print(1)\n# => 1\nvalue = 1\n\n# %%\n\nprint(2)\n# => 2\n\n# %%\n\nprint(3)\n")


def findings(verdicts: Sequence[Verdict]) -> list[tuple[VerdictKind, int, str]]:
    """Kind, line and finding of each."""
    return [(verdict.kind, verdict.line, verdict.what) for verdict in verdicts]


def raising(*reached: Observation, type_: str = "TypeError", message: str = "no") -> Run:
    """Run of TWO whose last statement raised."""
    last = replace(reached[-1], raised=Raised(type_, message, (f"{type_}: {message}",)))
    return observed(TWO, *reached[:-1], last, status=Status.RAISED, reason=type_)


def test_claims_are_judged_in_order_and_silence_is_passed_over() -> None:
    """One verdict a claim and one an unclaimed output, at the claim's line, else the statement's."""
    assert findings(compare_run(TWO, ran(TWO, "1", "", "two", "3"), CPU, ())) == [
        (VerdictKind.HOLDS, 9, "claim holds"),
        (VerdictKind.DIFFERS, 15, "claim differs"),
        (VerdictKind.UNCLAIMED, 19, "output without a claim"),
    ]


def test_claim_without_output_differs() -> None:
    """What an example says and no statement printed."""
    (verdict, *_) = compare_run(TWO, ran(TWO, "", "", "2", ""), CPU, ())
    assert findings([verdict]) == [(VerdictKind.DIFFERS, 9, "claim without output")]
    assert (verdict.claimed, verdict.observed, verdict.environment) == (("1",), (), CPU)
    assert verdict.is_drift


def test_run_of_other_code_is_stale() -> None:
    """Evidence about an older version says nothing about the claims, and is no drift."""
    (verdict,) = compare_run(TWO, replace(ran(TWO, "0"), digest="older"), GPU, ())
    assert findings([verdict]) == [(VerdictKind.STALE, 1, "has not run since the example changed")]
    assert not verdict.is_drift


def test_run_that_did_not_happen_says_why() -> None:
    """A missing device is no drift."""
    (verdict,) = compare_run(
        TWO, Run("01_x/a", TWO.digest, Status.NOT_RUN, "needs an MPS device, found none"), CPU, ()
    )
    assert findings([verdict]) == [(VerdictKind.NOT_RUN, 1, "needs an MPS device, found none")]
    assert not verdict.is_drift


def test_uncaught_error_costs_the_blocks_behind_it() -> None:
    """The failing statement has one verdict, with what it printed and the traceback; each later block one
    more.
    """
    failed = Observation(
        "print(2)", stdout="2", raised=Raised("TypeError", "no", ("Traceback …", "TypeError: no"))
    )
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
        (VerdictKind.HOLDS, 9, "claim holds"),
        (VerdictKind.DIFFERS, 14, "uncaught TypeError"),
        (VerdictKind.DIFFERS, 19, "block never ran"),
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
        (
            Status.EXITED,
            "the process ended without a word, exit code 0",
            ("1", "", "2", ""),
            19,
            "exited: the process",
        ),
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
    assert (ending.kind, ending.line) == (VerdictKind.DIFFERS, line)
    never = [v.line for v in verdicts if v.what == "block never ran"]
    assert never == [block.line for block in TWO.blocks if block.line > line]


@pytest.mark.parametrize(
    ("printed", "environment", "entry", "kind"),
    [
        ("one", OLDER, deviation("01_x/a: print(1)", "torch < 2.3"), VerdictKind.KNOWN),
        ("one", CPU, deviation("01_x/a: print(1)", "torch < 2.3"), VerdictKind.DIFFERS),
        ("one", CPU, deviation("01_x/a: print(2)", "cpu"), VerdictKind.DIFFERS),
        ("one", CPU, deviation("01_x/a: print(1)", "cpu", output=("one",)), VerdictKind.KNOWN),
        ("uno", CPU, deviation("01_x/a: print(1)", "cpu", output=("one",)), VerdictKind.DIFFERS),
        ("one", CPU, deviation("01_x/a: print(1)", "cpu", ends="one"), VerdictKind.DIFFERS),
        ("1", CPU, deviation("01_x/a: print(1)", "cpu"), VerdictKind.HOLDS),
    ],
)
def test_deviation_turns_a_difference_into_a_known_one(
    printed: str, environment: Environment, entry: Deviation, kind: VerdictKind
) -> None:
    """In its environments, for its statement and its lines; a claim that holds is not known."""
    assert compare_run(TWO, ran(TWO, printed), environment, [entry])[0].kind is kind


def test_deviation_explains_output_without_a_claim() -> None:
    """Other differences stay, and so does an early end, whatever was expected of the output."""
    run, entry = ran(TWO, "one", "", "2", "3"), deviation("01_x/a: print(3)", "cpu")
    kinds = [verdict.kind for verdict in compare_run(TWO, run, CPU, [entry])]
    assert kinds == [VerdictKind.DIFFERS, VerdictKind.HOLDS, VerdictKind.KNOWN]
    run = raising(Observation("print(1)"))
    assert compare_run(TWO, run, CPU, [deviation("01_x/a: print(1)", "cpu")])[0].kind is VerdictKind.DIFFERS


def test_end_that_a_deviation_expects_is_known() -> None:
    """One verdict where it stopped, with its traceback, and none for the blocks behind; those before are
    judged.
    """
    run = raising(
        Observation("print(1)", stdout="1"), Observation("value = 1"), Observation("print(2)", stdout="half")
    )
    verdicts = compare_run(TWO, run, CPU, [deviation("01_x/a: print(2)", "cpu", ends="TypeError")])
    assert findings(verdicts) == [
        (VerdictKind.HOLDS, 9, "claim holds"),
        (VerdictKind.KNOWN, 14, "uncaught TypeError"),
    ]
    assert (verdicts[1].claimed, verdicts[1].observed) == (("2",), ("half", "TypeError: no"))
    assert (verdicts[1].remedy, verdicts[1].is_drift) == ("", False)


@pytest.mark.parametrize(
    "entry",
    [
        deviation("01_x/a: print(2)", "cpu", ends="AttributeError"),
        deviation("01_x/a: print(2)", "cpu", ends="TypeError: yes"),
        deviation("01_x/a: print(2)", "cuda", ends="TypeError"),
        deviation("01_x/a: print(1)", "cpu", ends="TypeError"),
        deviation("01_x/b: print(2)", "cpu", ends="TypeError"),
        deviation("01_x/a: print(2)", "cpu"),
    ],
)
def test_end_that_no_deviation_expects_is_drift(entry: Deviation) -> None:
    """Another error, environment, statement or example, or an entry about output: the blocks behind are
    missed too.
    """
    run = raising(Observation("print(1)", stdout="1"), Observation("value = 1"), Observation("print(2)"))
    verdicts = compare_run(TWO, run, CPU, [entry])
    assert findings(verdicts)[1:] == [
        (VerdictKind.DIFFERS, 14, "uncaught TypeError"),
        (VerdictKind.DIFFERS, 19, "block never ran"),
    ]
    assert "explain it in docs/deviations.toml with ends" in verdicts[1].remedy


@pytest.mark.parametrize(
    ("status", "reason", "ends"),
    [
        (Status.CRASHED, "SIGSEGV", "crashed: SIGSEGV"),
        (Status.TIMED_OUT, "no end after 60 s", "timed out"),
        (Status.EXITED, "sys.exit(0)", "exited: sys.exit(0)"),
    ],
)
def test_end_without_an_error_is_named_by_its_kind(status: Status, reason: str, ends: str) -> None:
    """What a deviation says in ``ends`` is how the verdict names the end."""
    run = ran(TWO, "1", "", status=status, reason=reason)
    assert describe_ending(run, 1) == f"{status}: {reason}"
    (_, verdict) = compare_run(TWO, run, CPU, [deviation("01_x/a: value = 1", "cpu", ends=ends)])
    assert (verdict.kind, verdict.line, verdict.what) == (VerdictKind.KNOWN, 10, f"{status}: {reason}")


def test_error_is_named_by_type_and_message() -> None:
    """A process that exits with an error on its way is named by that error."""
    assert describe_ending(raising(Observation("print(1)")), 0) == "TypeError: no"


LATER = (
    Observation("print(1)", stdout="1"),
    Observation("value = 1", raised=Raised("TypeError", "no")),
    Observation("print(2)", unmade=Unmade("value", 1)),
    Observation("print(3)", stdout="3"),
)


def test_statements_behind_an_unexplained_error_are_judged() -> None:
    """What was printed without a claim there is told, and a statement that lacks a name says which."""
    run = observed(TWO, *LATER, status=Status.RAISED, reason="TypeError")
    assert findings(compare_run(TWO, run, CPU, ())) == [
        (VerdictKind.HOLDS, 9, "claim holds"),
        (VerdictKind.DIFFERS, 10, "uncaught TypeError"),
        (VerdictKind.UNCLAIMED, 19, "output without a claim"),
        (VerdictKind.DIFFERS, 14, "`value` was not made: line 10 raised"),
    ]


def test_deviation_about_an_end_explains_what_is_behind_it() -> None:
    """As a plain script the example prints none of that, and ends once; what was not made is no evidence."""
    known = [deviation(f"01_x/a: {code}", "cpu", ends="TypeError") for code in ("value = 1", "print(3)")]
    failing = replace(LATER[3], raised=Raised("TypeError", "no"))
    for last in (LATER[3], failing):
        run = observed(TWO, *LATER[:3], last, status=Status.RAISED, reason="TypeError")
        assert findings(compare_run(TWO, run, CPU, known)) == [
            (VerdictKind.HOLDS, 9, "claim holds"),
            (VerdictKind.KNOWN, 10, "uncaught TypeError"),
            (VerdictKind.KNOWN, 19, "the script ends at line 10"),
        ]


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
    assert findings([verdict]) == [
        (VerdictKind.DIFFERS, 1, "stale record: the example changed since it was recorded")
    ]


@pytest.mark.parametrize("digest", [TWO.digest, "older"])
def test_example_that_could_not_run_has_nothing_to_compare(digest: str) -> None:
    """A library that is missing here, or was missing when it was recorded, is no drift."""
    not_run = Run("01_x/a", digest, Status.NOT_RUN, "needs pandas, which is not installed")
    assert (
        compare_record(TWO, replace(not_run, digest=TWO.digest), CPU, Record("01_x/a", {CPU.id: GOOD})) == ()
    )
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
        (VerdictKind.DIFFERS, 8, "record differs"),
        (VerdictKind.DIFFERS, 10, "record differs"),
        (VerdictKind.DIFFERS, 8, "record differs: who shares memory, or what is alive, after this block"),
    ]
    assert (verdicts[0].claimed, verdicts[0].observed) == (("one",), ("1",))
    assert (verdicts[1].claimed, verdicts[1].observed) == (("caught KeyError: 'k'",), ())
    assert {verdict.remedy for verdict in verdicts} == {"review, then: tensor-atlas record"}


def _alive(*held: Value, shares: tuple[tuple[str, ...], ...] = ()) -> Snapshot:
    """Two values with names, and what is held, all in one buffer."""
    named = [replace(HELD, name=name, held=False) for name in "ab"]
    return Snapshot((*named, *held), (Buffer("cpu", 16),), shares)


HELD = Value("c.x", "ndarray", "float64", (2,), (8,), "cpu", buffer=0, start=0, stop=16, held=True)


def test_record_of_a_probe_that_looked_less_far_is_compared_as_far_as_it_looked() -> None:
    """What is held is not in it: that is no difference. Names and their sharing are in it."""
    then = replace(GOOD, snapshots=(_alive(shares=(("a", "b"),)), Snapshot()))
    record = Record("01_x/a", {CPU.id: then})
    now = replace(then, depth=DEPTH, snapshots=(_alive(HELD, shares=(("a", "b", "c.x"),)), Snapshot()))
    longer = replace(now.snapshots[0], buffers=(Buffer("cpu", 64),), left_out=("c",))
    assert compare_record(TWO, now, CPU, record) == ()
    assert compare_record(TWO, then, CPU, Record("01_x/a", {CPU.id: now})) == ()
    assert compare_record(TWO, replace(now, snapshots=(longer, Snapshot())), CPU, record) == ()
    for other in (_alive(HELD, shares=(("a", "c.x"),)), _alive(), _alive(HELD)):
        (verdict,) = compare_record(TWO, replace(now, snapshots=(other, Snapshot())), CPU, record)
        assert verdict.what == "record differs: who shares memory, or what is alive, after this block"


def test_held_values_are_compared_where_both_looked_for_them() -> None:
    """Sharing that is gone, and a holder that nobody looked into before."""
    then = replace(GOOD, depth=DEPTH, snapshots=(_alive(HELD, shares=(("a", "c.x"),)), Snapshot()))
    record = Record("01_x/a", {CPU.id: then})
    assert compare_record(TWO, then, CPU, record) == ()
    for other in (_alive(HELD), _alive(), replace(then.snapshots[0], left_out=("c",))):
        assert len(compare_record(TWO, replace(then, snapshots=(other, Snapshot())), CPU, record)) == 1


def test_record_of_another_ending_differs() -> None:
    """What was recorded to crash and now completes is a difference, in words for both."""
    crashed = ran(TWO, "1", status=Status.CRASHED, reason="SIGSEGV")
    (verdict,) = compare_record(TWO, GOOD, CPU, Record("01_x/a", {CPU.id: crashed}))
    assert verdict.what == "record differs: recorded as crashed (SIGSEGV), now completed"


def test_comment_above_a_statement_that_raises_is_no_drift() -> None:
    """Its traceback names another line, which no record is about; another frame is drift."""
    before = example("x = 1\nraise ValueError(x)\n")
    after = example("# A comment.\nx = 1\nraise ValueError(x)\n")
    assert before.digest == after.digest
    then, now = (
        raised_at(each, f'  File "{each.path}", line {line}, in <module>')
        for each, line in ((before, 9), (after, 10))
    )
    record = Record(after.name, {CPU.id: then})
    assert compare_record(after, now, CPU, record) == ()
    elsewhere = raised_at(after, '  File "site-packages/torch/x.py", line 10, in f')
    (verdict,) = compare_record(after, elsewhere, CPU, record)
    assert verdict.claimed != verdict.observed


def raised_at(what: Example, frame: str) -> Run:
    """Run whose second statement raised there."""
    error = Raised(
        "ValueError", "1", traceback=("Traceback (most recent call last):", frame, "ValueError: 1")
    )
    codes = [statement.code for statement in what.statements]
    observations = (Observation(codes[0]), Observation(codes[1], raised=error))
    return Run(what.name, what.digest, Status.RAISED, "ValueError", observations)


# --- several runs of the same code --------------------------------------------------------------------


def test_runs_that_are_the_same_each_time_are_silent() -> None:
    """However many there are."""
    assert list(compare_repeats(TWO, [GOOD] * 3, CPU)) == []


def test_statement_that_is_not_the_same_each_time_is_drift() -> None:
    """The verdict counts how many runs gave which output, the most frequent first."""
    (verdict,) = compare_repeats(TWO, [ran(TWO, "1", "", "", ""), GOOD, GOOD], CPU)
    assert findings([verdict]) == [(VerdictKind.DIFFERS, 14, "not the same each time")]
    assert (verdict.statement, verdict.claimed) == ("print(2)", ("2",))
    assert verdict.observed == ("in 2 of 3 runs:", "2", "in 1 of 3 runs:", "(nothing)")


def test_sharing_that_is_not_the_same_each_time_is_drift() -> None:
    """Though every run prints the same."""
    other = replace(GOOD, snapshots=(Snapshot(shares=(("a", "b"),)), *GOOD.snapshots[1:]))
    (verdict,) = compare_repeats(TWO, [GOOD, other], CPU)
    what = "not the same each time, who shares memory, or what is alive, after this block"
    assert findings([verdict]) == [(VerdictKind.DIFFERS, 8, what)]


def test_ending_that_is_not_the_same_each_time_is_drift() -> None:
    """It stands at the statement that the shortest run reached."""
    crashed = ran(TWO, "1", status=Status.CRASHED, reason="SIGSEGV")
    (verdict,) = compare_repeats(TWO, [GOOD, crashed], CPU)
    assert findings([verdict]) == [(VerdictKind.DIFFERS, 8, "not the same each time, how the example ends")]
    assert verdict.observed == ("in 1 of 2 runs:", "completed", "in 1 of 2 runs:", "crashed (SIGSEGV)")


# --- after the last statement ------------------------------------------------------------------------

WITH_LATE = example(f"print(1)\n# => 1\n\n{AFTER}\n# => late\n")


def later(what: Example, stdout: str | None) -> Run:
    """Run of ``what`` that printed 1, and ``stdout`` after the last statement; None where nobody looked."""
    return replace(ran(what, "1"), late=None if stdout is None else Observation(AFTER, stdout))


@pytest.mark.parametrize(
    ("stdout", "expected"),
    [
        ("late", [(VerdictKind.HOLDS, 12, "claim holds")]),
        ("other", [(VerdictKind.DIFFERS, 12, "claim differs")]),
        ("", [(VerdictKind.DIFFERS, 12, "claim without output")]),
        (None, []),
    ],
)
def test_late_output_is_claimed_like_the_rest(
    stdout: str | None, expected: list[tuple[VerdictKind, int, str]]
) -> None:
    """A record of an older probe, which did not look there, contradicts nothing."""
    assert findings(compare_run(WITH_LATE, later(WITH_LATE, stdout), CPU, ()))[1:] == expected


def test_late_output_without_a_claim_is_drift() -> None:
    """It names the end of the script."""
    plain = example("print(1)\n# => 1\n")
    (_, verdict) = compare_run(plain, later(plain, "late"), CPU, ())
    assert findings([verdict]) == [(VerdictKind.UNCLAIMED, 8, "output without a claim")]
    assert (verdict.statement, verdict.observed) == (AFTER, ("late",))


def test_deviation_explains_late_output() -> None:
    """By the line above its claim, as any statement is named."""
    known = [deviation(f"01_x/a: {AFTER}", "cpu")]
    assert [v.kind for v in compare_run(WITH_LATE, later(WITH_LATE, "other"), CPU, known)] == [
        VerdictKind.HOLDS,
        VerdictKind.KNOWN,
    ]


@pytest.mark.parametrize(
    ("then", "now", "count"),
    [(None, "late", 0), ("late", "late", 0), ("late", "other", 1), ("late", None, 1)],
)
def test_record_of_late_output_is_compared_where_there_is_one(
    then: str | None, now: str | None, count: int
) -> None:
    """An older probe observed none: that is no drift."""
    found = compare_record(
        WITH_LATE, later(WITH_LATE, now), CPU, Record("01_x/a", {CPU.id: later(WITH_LATE, then)})
    )
    assert findings(found) == [(VerdictKind.DIFFERS, 11, "record differs")] * count


def test_late_output_that_varies_is_told() -> None:
    """As that of a statement."""
    (verdict,) = compare_repeats(WITH_LATE, [later(WITH_LATE, "one"), later(WITH_LATE, "two")], CPU)
    assert (verdict.statement, verdict.what) == (AFTER, "not the same each time")


# --- prose moves the lines of an example ----------------------------------------------------------------


QUOTING = example('print(1)\n# => File "examples/01_x/a.py", line 9, in f\n')
QUOTED = 'File "examples/01_x/a.py", line {}, in f'


def test_line_that_prose_moved_is_no_drift() -> None:
    """Neither against the claim, nor against the record, wherever the number stands."""
    error = Raised("RuntimeError", QUOTED.format(9))
    then = Observation("print(1)", QUOTED.format(9), caught=(error,))
    moved = replace(error, message=QUOTED.format(12))
    now = Observation("print(1)", QUOTED.format(12), caught=(moved,))
    run, recorded = (
        replace(observed(QUOTING, seen), late=Observation(AFTER, QUOTED.format(line)))
        for seen, line in ((now, 12), (then, 9))
    )
    assert findings(compare_run(QUOTING, replace(run, late=None), CPU, ())) == [
        (VerdictKind.HOLDS, 9, "claim holds")
    ]
    assert compare_record(QUOTING, run, CPU, Record(QUOTING.name, {CPU.id: recorded})) == ()


@pytest.mark.parametrize("printed", ["12", 'File "examples/01_x/b.py", line 12, in f', "line 12, in f"])
def test_another_number_is_drift(printed: str) -> None:
    """What is printed without the name of the example is a value."""
    run, recorded = ran(QUOTING, printed), ran(QUOTING, printed.replace("12", "9"))
    (claim,) = compare_run(QUOTING, run, CPU, ())
    (record,) = compare_record(QUOTING, run, CPU, Record(QUOTING.name, {CPU.id: recorded}))
    assert (claim.what, record.what) == ("claim differs", "record differs")


def test_line_in_the_output_of_a_deviation_may_move() -> None:
    """An entry pins the rest of the line."""
    pinned = deviation("01_x/a: print(1)", "torch >= 1", output=(QUOTED.format(9) + "()",))
    (known,) = compare_run(QUOTING, ran(QUOTING, QUOTED.format(12) + "()"), CPU, [pinned])
    (differs,) = compare_run(QUOTING, ran(QUOTING, QUOTED.format(12) + "(x)"), CPU, [pinned])
    assert (known.kind, differs.kind) == (VerdictKind.KNOWN, VerdictKind.DIFFERS)
