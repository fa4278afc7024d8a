"""(claims, observations, deviations, records) → verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from samples import CPU, GPU, OLDER, deviation, example, observed, ran

from tensor_atlas.compare.deviations import Deviation, Target
from tensor_atlas.compare.judge import find_gaps, find_unused_deviations, judge_newest_claims
from tensor_atlas.compare.verdicts import Verdict, VerdictKind, compare_record, compare_run, describe_ending
from tensor_atlas.examples.parse import Example
from tensor_atlas.model.runs import Environment, Observation, Raised, Run, Snapshot, Status
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
    assert findings([verdict]) == [(VerdictKind.STALE, 1, "the example changed since it was observed")]
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


def test_deviation_turns_a_difference_into_a_known_one() -> None:
    """In its environments, for its statement; other differences stay."""
    run = ran(TWO, "one", "", "two", "3")
    assert [v.kind for v in compare_run(TWO, run, OLDER, [deviation("01_x/a: print(1)", "torch < 2.3")])] == [
        VerdictKind.KNOWN,
        VerdictKind.DIFFERS,
        VerdictKind.UNCLAIMED,
    ]
    assert (
        compare_run(TWO, run, CPU, [deviation("01_x/a: print(1)", "torch < 2.3")])[0].kind
        is VerdictKind.DIFFERS
    )
    assert compare_run(TWO, run, CPU, [deviation("01_x/a: print(3)", "cpu")])[2].kind is VerdictKind.KNOWN


def test_deviation_with_output_covers_these_lines_only() -> None:
    """A further change is drift again."""
    pinned = [deviation("01_x/a: print(1)", "cpu", output=("one",))]
    assert compare_run(TWO, ran(TWO, "one"), CPU, pinned)[0].kind is VerdictKind.KNOWN
    assert compare_run(TWO, ran(TWO, "uno"), CPU, pinned)[0].kind is VerdictKind.DIFFERS


def test_claim_that_holds_is_not_known() -> None:
    """Where the claim holds the deviation is beside the point."""
    assert (
        compare_run(TWO, ran(TWO, "1"), CPU, [deviation("01_x/a: print(1)", "cpu")])[0].kind
        is VerdictKind.HOLDS
    )


def test_deviation_about_output_does_not_excuse_an_early_end() -> None:
    """An uncaught error is the example's fault, whatever was expected of its output."""
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
    assert describe_ending(run) == f"{status}: {reason}"
    (_, verdict) = compare_run(TWO, run, CPU, [deviation("01_x/a: value = 1", "cpu", ends=ends)])
    assert (verdict.kind, verdict.line, verdict.what) == (VerdictKind.KNOWN, 10, f"{status}: {reason}")


def test_error_is_named_by_type_and_message() -> None:
    """A process that exits with an error on its way is named by that error."""
    assert describe_ending(raising(Observation("print(1)"))) == "TypeError: no"


def test_deviation_that_expects_an_end_explains_no_output() -> None:
    """A run that goes on, with other output, is drift."""
    verdicts = compare_run(TWO, ran(TWO, "one"), CPU, [deviation("01_x/a: print(1)", "cpu", ends="one")])
    assert verdicts[0].kind is VerdictKind.DIFFERS


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


def test_record_of_another_ending_differs() -> None:
    """What was recorded to crash and now completes is a difference, in words for both."""
    crashed = ran(TWO, "1", status=Status.CRASHED, reason="SIGSEGV")
    (verdict,) = compare_record(TWO, GOOD, CPU, Record("01_x/a", {CPU.id: crashed}))
    assert verdict.what == "record differs: recorded as crashed (SIGSEGV), now completed"


# --- unused deviations ---------------------------------------------------------------------------

EXAMPLES = {"01_x/a": TWO}
OLD = "torch < 2.3"
BETWEEN = replace(CPU, torch="2.2.0+cpu", numpy="1.26.4")
DIFFERING = ran(TWO, "one", "", "2", "")
STOPPED = raising(Observation("print(1)", stdout="1"), Observation("value = 1"), Observation("print(2)"))


def too_much(entry: Deviation, *runs: tuple[Environment, Run]) -> list[str]:
    """What of an entry these runs do not need."""
    found = find_unused_deviations([entry], "docs/deviations.toml", EXAMPLES, runs)
    assert {(v.path, v.line, v.kind) for v in found} <= {("docs/deviations.toml", 5, VerdictKind.DIFFERS)}
    return [verdict.what for verdict in found]


def not_needed(statement: str, where: str = "01_x/a") -> str:
    """Message about a statement that an entry names in vain."""
    return f"unused deviation: no run of {where} needs it for {statement!r}"


def test_deviation_that_no_run_needs_is_drift() -> None:
    """Not where its environments are absent, nor where the claim holds in them, which is named."""
    entry = deviation("01_x/a: print(1)", OLD)
    absent = [not_needed("print(1)"), "unused deviation: no run needs it for 'torch < 2.3'"]
    assert too_much(entry, (CPU, DIFFERING)) == absent
    assert too_much(entry, (CPU, DIFFERING), (OLDER, GOOD)) == [
        *absent,
        "deviation too wide: torch 2.2.2+cpu, NumPy 1.26.4, cpu does not differ so at 'print(1)' of 01_x/a",
    ]


def test_deviation_that_one_recorded_run_needs_is_used() -> None:
    """Live or recorded; where only older code ran, as on a GPU, the entry waits for a new run."""
    entry = deviation("01_x/a: print(1)", OLD)
    stale = replace(DIFFERING, digest="older")
    assert too_much(entry, (CPU, GOOD), (OLDER, DIFFERING)) == []
    assert too_much(entry, (OLDER, stale)) == []
    assert len(too_much(entry, (CPU, stale))) == 2


def test_entry_about_a_statement_that_older_code_lacks_does_not_wait_for_it() -> None:
    """A run of older code counts for what the example has now, not for whatever an entry says."""
    stale = replace(DIFFERING, digest="older")
    assert too_much(deviation("01_x/a: print(9)", OLD), (OLDER, stale))[0] == not_needed("print(9)")


def test_runs_that_did_not_happen_or_of_unknown_examples_need_nothing() -> None:
    """Nor does an entry wait for them."""
    not_run = Run("01_x/a", TWO.digest, Status.NOT_RUN, "needs pandas, which is not installed")
    for run in (not_run, replace(not_run, digest="older"), replace(DIFFERING, example="09_z/gone")):
        assert too_much(deviation("01_x/a: print(1)", OLD), (OLDER, run))[0] == not_needed("print(1)")
        assert too_much(deviation("*: *", OLD), (OLDER, run))[0] == not_needed("*", "*")


def test_statement_that_an_entry_names_in_vain_is_drift() -> None:
    """Each statement of a list must be needed somewhere."""
    targets = (Target("01_x/a", "print(1)"), Target("01_x/a", "print(2)"), Target("01_x/*", "value = 1"))
    entry = replace(deviation("01_x/a: print(1)", OLD), targets=targets)
    both = ran(TWO, "one", "", "two", "")
    assert too_much(entry, (OLDER, DIFFERING), (BETWEEN, both)) == [
        not_needed("value = 1", "01_x/*"),
        "deviation too wide: torch 2.2.2+cpu, NumPy 1.26.4, cpu does not differ so at 'print(2)' of 01_x/a",
    ]


def test_condition_that_an_entry_names_in_vain_is_drift() -> None:
    """Each of the environments must be needed, one without a record included."""
    entry = deviation("01_x/a: print(1)", OLD, "torch == 2.5.*", "cuda")
    assert too_much(entry, (OLDER, DIFFERING), (CPU, GOOD)) == [
        "unused deviation: no run needs it for 'torch == 2.5.*'",
        "unused deviation: no run needs it for 'cuda'",
    ]
    assert (
        too_much(entry, (OLDER, DIFFERING), (replace(CPU, torch="2.5.1"), DIFFERING), (GPU, DIFFERING)) == []
    )


def test_entry_that_speaks_of_a_run_which_does_as_documented_is_too_wide() -> None:
    """An exact entry holds wherever it speaks; the environment to leave out is named, and only that."""
    entry = deviation("01_x/a: print(1)", "numpy < 2")
    assert too_much(entry, (OLDER, DIFFERING), (BETWEEN, GOOD)) == [
        "deviation too wide: torch 2.2.0+cpu, NumPy 1.26.4, cpu does not differ so at 'print(1)' of 01_x/a"
    ]
    assert too_much(entry, (OLDER, DIFFERING), (BETWEEN, DIFFERING), (CPU, GOOD)) == []


@pytest.mark.parametrize("at", ["01_x/*: print(1)", "01_x/a: *", "*: *"])
def test_entry_with_a_star_may_speak_of_runs_that_do_as_documented(at: str) -> None:
    """It saves naming what differs; but one run must need it, and each condition."""
    assert too_much(deviation(at, "numpy < 2"), (OLDER, DIFFERING), (BETWEEN, GOOD)) == []
    name, _, statement = at.partition(": ")
    assert too_much(deviation(at, "numpy < 2"), (BETWEEN, GOOD)) == [
        not_needed(statement, name),
        "unused deviation: no run needs it for 'numpy < 2'",
    ]


def test_run_that_never_came_there_makes_no_entry_too_wide() -> None:
    """What an earlier end hid is not known."""
    entry = deviation("01_x/a: print(2)", OLD)
    before = raising(Observation("print(1)"))
    assert too_much(entry, (OLDER, ran(TWO, "1", "", "two", "")), (BETWEEN, before)) == []
    assert too_much(entry, (BETWEEN, before))[0] == not_needed("print(2)")


def test_entry_with_output_is_needed_by_these_lines_only() -> None:
    """A run that prints others is not what the entry says."""
    pinned = deviation("01_x/a: print(1)", OLD, output=("one",))
    assert too_much(pinned, (OLDER, DIFFERING)) == []
    assert too_much(pinned, (OLDER, DIFFERING), (BETWEEN, ran(TWO, "uno", "", "2", ""))) == [
        "deviation too wide: torch 2.2.0+cpu, NumPy 1.26.4, cpu does not differ so at 'print(1)' of 01_x/a"
    ]


def test_entry_with_ends_is_needed_by_that_end_only() -> None:
    """Not by another end, by other output there, by a run that completes, nor by an end at another
    statement.
    """
    entry = deviation("01_x/a: print(2)", OLD, ends="TypeError")
    assert too_much(entry, (OLDER, STOPPED)) == []
    first = (Observation("print(1)", stdout="1"), Observation("value = 1"))
    for other in (
        raising(*first, Observation("print(2)"), type_="AttributeError"),
        ran(TWO, "1", "", "two", ""),
        GOOD,
        raising(*first, Observation("print(2)", stdout="2"), Observation("print(3)")),
    ):
        found = too_much(entry, (OLDER, STOPPED), (BETWEEN, other))
        assert [what.partition(":")[0] for what in found] == ["deviation too wide"], other
    assert too_much(deviation("01_x/a: print(2)", OLD), (OLDER, STOPPED))[0] == not_needed("print(2)")


def test_one_of_two_equal_statements_needs_the_entry() -> None:
    """A line that several statements of one text have means all of them."""
    twice = example("x = 1\nprint(x)\n# => 1\nprint(x)\n# => 1\n")
    for printed in (("", "one", "1"), ("", "1", "one")):
        run = ran(twice, *printed)
        assert (
            find_unused_deviations(
                [deviation("01_x/a: print(x)", OLD)], "d", {"01_x/a": twice}, [(OLDER, run)]
            )
            == ()
        )


# --- claims of the newest release ----------------------------------------------------------------


def newest_findings(
    *runs: tuple[Environment, Run], entry: Deviation | None = None
) -> list[tuple[str, Environment]]:
    """Statement and environment of each claim that the newest environment contradicts."""
    entries = [entry or deviation("*: *", "torch > 1")]
    found = judge_newest_claims(EXAMPLES, runs, entries)
    assert all(verdict.kind is VerdictKind.DIFFERS and verdict.is_drift for verdict in found)
    return [(verdict.statement, verdict.environment) for verdict in found if verdict.environment]


def test_claim_that_the_newest_release_contradicts_is_drift_though_explained() -> None:
    """A reader of the newest release must find what they see; what is explained of older ones stays
    explained.
    """
    runs = [(CPU, DIFFERING), (OLDER, GOOD)]
    (verdict,) = judge_newest_claims(EXAMPLES, runs, [deviation("01_x/a: print(1)", "torch > 1")])
    assert (verdict.path, verdict.line, verdict.statement) == (TWO.path, 9, "print(1)")
    assert (verdict.claimed, verdict.observed, verdict.environment) == (("1",), ("one",), CPU)
    assert (
        verdict.what == "claim is not what the newest recorded release does, though a deviation explains it"
    )
    assert verdict.remedy == "make it the claim, and explain the other releases in docs/deviations.toml"
    assert newest_findings((CPU, GOOD), (OLDER, DIFFERING)) == []


def test_unexplained_difference_of_the_newest_release_is_told_elsewhere() -> None:
    """Not twice."""
    assert newest_findings((CPU, DIFFERING), entry=deviation("01_x/a: print(1)", OLD)) == []


def test_end_of_the_newest_release_is_no_exception() -> None:
    """An example that the newest release cannot run is to be rewritten."""
    expected = deviation("01_x/a: print(2)", "cpu", ends="TypeError")
    assert newest_findings((CPU, STOPPED), (OLDER, GOOD), entry=expected) == [("print(2)", CPU)]


@pytest.mark.parametrize(
    ("other", "is_newer"),
    [
        (replace(CPU, torch="2.9.1+cpu", date="2030-01-01"), False),
        (replace(CPU, torch="2.15.0+cpu", numpy="2.0.2", date="2020-01-01"), True),
        (replace(CPU, numpy="2.0.2", date="2030-01-01"), False),
        (GPU, False),
        (replace(GPU, torch="2.15.0+cu130"), True),
    ],
)
def test_newest_is_by_release_whatever_the_day(other: Environment, is_newer: bool) -> None:
    """torch, then NumPy; a machine without a GPU speaks for a release before one with."""
    assert newest_findings((CPU, GOOD), (other, DIFFERING)) == ([("print(1)", other)] if is_newer else [])
    assert newest_findings((CPU, DIFFERING), (other, GOOD)) == ([] if is_newer else [("print(1)", CPU)])


@pytest.mark.parametrize(
    "newer",
    [
        replace(GOOD, digest="older"),
        Run("01_x/a", TWO.digest, Status.NOT_RUN, "needs pandas, which is not installed"),
        replace(GOOD, example="09_z/gone"),
    ],
)
def test_newest_is_the_newest_that_ran_the_example_as_it_is(newer: Run) -> None:
    """What did not run there, or ran older code there, says nothing about the claim."""
    assert newest_findings((CPU, newer), (OLDER, DIFFERING)) == [("print(1)", OLDER)]


# --- gaps ----------------------------------------------------------------------------------------

CUDA = example('# sphinx_gallery_tags = ["cuda"]\nprint(3)\n', "examples/02_y/b.py")
NOT_RUN = Run("02_y/b", CUDA.digest, Status.NOT_RUN, "needs 1 CUDA device, found 0")


def gap(
    what: str, environments: Sequence[Environment], runs: dict[str, Run]
) -> list[tuple[str, Environment | None]]:
    """What is missing of one example, and where."""
    name = "02_y/b" if what == "cuda" else "01_x/a"
    wanted = {name: CUDA if what == "cuda" else TWO}
    found = find_gaps(wanted, {e.id: e for e in environments}, {name: Record(name, runs)} if runs else {})
    assert all(verdict.kind is VerdictKind.DIFFERS and verdict.line == 1 for verdict in found)
    return [(verdict.what, verdict.environment) for verdict in found]


def test_example_that_an_environment_has_not_run_is_a_gap() -> None:
    """Without a record at all, or without a run there; the remedy is the command that records it."""
    assert gap("plain", [CPU, OLDER], {}) == [("not recorded", CPU), ("not recorded", OLDER)]
    assert gap("plain", [CPU, OLDER], {CPU.id: GOOD}) == [("not recorded", OLDER)]
    assert gap("plain", [CPU, OLDER], {CPU.id: GOOD, OLDER.id: STOPPED}) == []
    (verdict,) = find_gaps(EXAMPLES, {OLDER.id: OLDER}, {})
    assert (verdict.path, verdict.remedy) == (
        TWO.path,
        "nox -s record -- 2.2.2 --numpy 1.26.4, or say in docs/gaps.toml why it waits",
    )
    (verdict,) = find_gaps(EXAMPLES, {"other": replace(OLDER, python="3.14.8")}, {})
    assert verdict.remedy.startswith("python3.14 -m nox -s record -- 2.2.2 --numpy 1.26.4, or")


def test_run_of_older_code_is_a_gap() -> None:
    """What a CPU can record is recorded anew when the example changes."""
    assert gap("plain", [CPU], {CPU.id: replace(GOOD, digest="older")}) == [
        ("changed since it was recorded", CPU)
    ]


def test_example_that_could_not_run_is_no_gap_where_something_is_missing() -> None:
    """As long as it needs something: a reason that its tags no longer give is none."""
    assert gap("cuda", [CPU], {CPU.id: NOT_RUN}) == []
    assert gap("cuda", [CPU], {CPU.id: replace(NOT_RUN, digest="older")}) == []
    what = "not run, though it needs nothing that may be missing"
    assert gap("cuda", [CPU], {CPU.id: replace(NOT_RUN, reason="")}) == [(what, CPU)]
    once = Run("01_x/a", TWO.digest, Status.NOT_RUN, "needs pandas, which is not installed")
    assert gap("plain", [CPU], {CPU.id: once}) == [(what, CPU)]


def test_what_only_a_gpu_could_run_is_no_gap() -> None:
    """Whoever edits an example may have none: the page labels it instead."""
    mps = replace(CPU, device="mps", device_count=1)
    assert gap("plain", [GPU, mps], {}) == []
    assert gap("plain", [GPU, mps], {GPU.id: replace(GOOD, digest="older")}) == []
    without = replace(GPU, device="cpu", device_count=0)  # its build has CUDA, the machine has no GPU
    assert gap("plain", [without], {}) == [("not recorded", without)]


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
