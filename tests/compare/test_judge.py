"""Verdicts on captures and records as a whole: unused deviations, claims of the newest release, gaps,
cells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from samples import CPU, GPU, OLDER, captured, deviation, example, observed, ran

from tensor_atlas.catalogue import CONVERSIONS, SOURCES, list_pairs
from tensor_atlas.compare.deviations import Coverage, Deviation, Gap, Target, parse_gaps
from tensor_atlas.compare.judge import (
    MOST_SINGLE,
    find_gaps,
    find_missing_cells,
    find_unused_deviations,
    judge_capture,
    judge_newest_claims,
)
from tensor_atlas.compare.verdicts import VerdictKind
from tensor_atlas.errors import AtlasError
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.runs import Environment, Observation, Raised, Run, Status, Unmade
from tensor_atlas.records.fold import Record
from tensor_atlas.records.matrix_rows import Row
from tensor_atlas.records.store import Store, add_capture

TWO = example("print(1)\n# => 1\nvalue = 1\n\n# %%\n\nprint(2)\n# => 2\n\n# %%\n\nprint(3)\n")
GOOD = ran(TWO, "1", "", "2", "")


def raising(*reached: Observation, type_: str = "TypeError", message: str = "no") -> Run:
    """Run of TWO whose last statement raised."""
    last = replace(reached[-1], raised=Raised(type_, message, (f"{type_}: {message}",)))
    return observed(TWO, *reached[:-1], last, status=Status.RAISED, reason=type_)


# --- a capture beside records --------------------------------------------------------------------


def test_record_of_another_environment_is_judged_where_it_differs() -> None:
    """What holds there is not told: the capture is of here."""
    store = add_capture(add_capture(Store(), captured(GOOD)), captured(DIFFERING, environment=OLDER))
    verdicts = judge_capture(EXAMPLES, captured(GOOD), store, ())
    elsewhere = [verdict for verdict in verdicts if verdict.environment == OLDER]
    assert [(verdict.kind, verdict.observed) for verdict in elsewhere] == [(VerdictKind.DIFFERS, ("one",))]
    agreeing = add_capture(add_capture(Store(), captured(GOOD)), captured(GOOD, environment=OLDER))
    verdicts = judge_capture(EXAMPLES, captured(GOOD), agreeing, ())
    assert [verdict for verdict in verdicts if verdict.environment == OLDER] == []
    assert any(verdict.kind is VerdictKind.HOLDS for verdict in verdicts)


# --- unused deviations ---------------------------------------------------------------------------

EXAMPLES = {"01_x/a": TWO}
OLD = "torch < 2.3"
BETWEEN = replace(CPU, torch="2.2.0+cpu", numpy="1.26.4")
DIFFERING = ran(TWO, "one", "", "2", "")
STOPPED = raising(Observation("print(1)", stdout="1"), Observation("value = 1"), Observation("print(2)"))


def too_much(entry: Deviation, *runs: tuple[Environment, Run]) -> list[str]:
    """What of an entry these runs do not need."""
    found = find_unused_deviations([entry], EXAMPLES, runs)
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
            find_unused_deviations([deviation("01_x/a: print(x)", OLD)], {"01_x/a": twice}, [(OLDER, run)])
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


def store_of(environments: Sequence[Environment], records: Mapping[str, Record] | None = None) -> Store:
    """Records of these environments; of no example unless they are given."""
    return Store({environment.id: environment for environment in environments}, records or {})


def gap(
    what: str, environments: Sequence[Environment], runs: dict[str, Run]
) -> list[tuple[str, Environment | None]]:
    """What is missing of one example, and where."""
    name = "02_y/b" if what == "cuda" else "01_x/a"
    wanted = {name: CUDA if what == "cuda" else TWO}
    found = find_gaps(wanted, store_of(environments, {name: Record(name, runs)} if runs else {}))
    assert all(verdict.kind is VerdictKind.DIFFERS and verdict.line == 1 for verdict in found)
    return [(verdict.what, verdict.environment) for verdict in found]


def test_example_that_an_environment_has_not_run_is_a_gap() -> None:
    """Without a record at all, or without a run there; the remedy is the command that records it."""
    assert gap("plain", [CPU, OLDER], {}) == [("not recorded", CPU), ("not recorded", OLDER)]
    assert gap("plain", [CPU, OLDER], {CPU.id: GOOD}) == [("not recorded", OLDER)]
    assert gap("plain", [CPU, OLDER], {CPU.id: GOOD, OLDER.id: STOPPED}) == []
    (verdict,) = find_gaps(EXAMPLES, store_of([OLDER]))
    assert (verdict.path, verdict.remedy) == (
        TWO.path,
        "nox -s record -- 2.2.2 --numpy 1.26.4 --only 01_x/a, or say in docs/gaps.toml why it waits",
    )
    (verdict,) = find_gaps(EXAMPLES, store_of([replace(OLDER, python="3.14.8")]))
    assert verdict.remedy.startswith("python3.14 -m nox -s record -- 2.2.2 --numpy 1.26.4 --only 01_x/a, or")


def test_run_of_older_code_is_a_gap() -> None:
    """What a CPU can record is recorded anew when the example changes."""
    assert gap("plain", [CPU], {CPU.id: replace(GOOD, digest="older")}) == [
        ("changed since it was recorded", CPU)
    ]


AT_THE_GATE = "nox -s record -- 2.13.0 --numpy 2.4.6 --only 01_x/a"


def test_changed_example_must_run_again_in_the_environment_of_the_gate_alone() -> None:
    """No reason stands in for that; elsewhere a change is no gap, and an example without a run still is."""
    older = replace(GOOD, digest="older")
    gate = Coverage(gate="2.13.0/2.4.6/cpu")
    lacking = store_of([CPU, OLDER], {"01_x/a": Record("01_x/a", {CPU.id: older, OLDER.id: older})})
    (verdict,) = find_gaps(EXAMPLES, lacking, gate)
    found = (verdict.what, verdict.environment, verdict.remedy)
    assert found == ("changed since it was recorded", CPU, AT_THE_GATE)
    excuse = Gap(("01_x/a",), ("cpu",), "It waits.", 1)
    assert [v.what for v in find_gaps(EXAMPLES, lacking, replace(gate, gaps=(excuse,)))] == [verdict.what]
    recorded = store_of([CPU, OLDER], {"01_x/a": Record("01_x/a", {CPU.id: GOOD, OLDER.id: older})})
    assert find_gaps(EXAMPLES, recorded, gate) == ()
    unneeded = find_gaps(EXAMPLES, recorded, replace(gate, gaps=(excuse,)))
    assert [v.what for v in unneeded] == ["recorded by now: 01_x/a"]
    new = store_of([CPU, OLDER], {"01_x/a": Record("01_x/a", {CPU.id: GOOD})})
    assert [(v.what, v.environment) for v in find_gaps(EXAMPLES, new, gate)] == [("not recorded", OLDER)]


def test_gate_that_has_no_records_leaves_no_environment_out() -> None:
    """A misspelt name must not excuse everything."""
    older = replace(GOOD, digest="older")
    lacking = store_of([CPU, OLDER], {"01_x/a": Record("01_x/a", {CPU.id: older, OLDER.id: older})})
    for name in ("", "2.31.0/2.4.6/cpu", "cuda"):
        found = find_gaps(EXAMPLES, lacking, Coverage(gate=name))
        assert [verdict.environment for verdict in found] == [CPU, OLDER]


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


# --- cells that are not recorded -----------------------------------------------------------------

CALL, INPUT = CONVERSIONS[0], SOURCES[0]


def record_cells(*left_out: tuple[Environment, str]) -> Store:
    """Every cell, tried on two CPUs and a GPU, but for the conversions and sources that one has left out."""
    environments = (CPU, OLDER, GPU)
    cells: dict[str, dict[str, dict[str, Cell]]] = {}
    for conversion, source in list_pairs():
        row = cells.setdefault(conversion.name, {})
        for environment in environments:
            if not {(environment, conversion.name), (environment, source.name)} & {*left_out}:
                row.setdefault(environment.id, {})[source.name] = Cell(Outcome.VALUE)
    rows = {name: Row(name, row, {}, "") for name, row in cells.items()}
    return Store({environment.id: environment for environment in environments}, {}, rows)


def test_cells_that_every_cpu_has_recorded_are_not_missing() -> None:
    """What needs a device that it lacks is not asked of a CPU, nor anything of a GPU."""
    assert find_missing_cells(record_cells()) == ()
    on_device = next(conversion.name for conversion in CONVERSIONS if "cuda" in conversion.needs)
    left_out = [(environment, on_device) for environment in (CPU, OLDER)]
    assert find_missing_cells(record_cells(*left_out, (GPU, CALL.name))) == ()
    assert find_missing_cells(Store()) == ()


@pytest.mark.parametrize(
    ("subject", "path", "code"),
    [
        (CALL.name, f"docs/records/matrix/{CALL.name}.json", CALL.title),
        (INPUT.name, "docs/records/sources.json", INPUT.code),
    ],
)
def test_conversion_or_source_that_no_cpu_has_recorded_is_drift(subject: str, path: str, code: str) -> None:
    """Where some have, the others are listed, and that is no drift."""
    (verdict,) = find_missing_cells(record_cells((CPU, subject), (OLDER, subject)))
    assert (verdict.kind, verdict.path, verdict.statement) == (VerdictKind.DIFFERS, path, code)
    assert verdict.remedy.startswith("tensor-atlas record --matrix, then nox -s record -- all")
    (verdict,) = find_missing_cells(record_cells((OLDER, subject)))
    assert (verdict.kind, verdict.path, verdict.environment) == (VerdictKind.STALE, path, OLDER)


# --- gaps with a reason --------------------------------------------------------------------------

A = example("print(1)\n# => 1\n")
B = example("print(2)\n# => 2\n", "examples/02_y/b.py")
BOTH = {A.name: A, B.name: B}
PATH = "docs/gaps.toml"

ENTRY = """
[[gap]]
examples = ["02_y/*"]
environments = ["torch < 2.13"]
reason = "Newer than the recording."
"""


def found(store: Store, *known: Gap) -> list[tuple[str, int, str]]:
    """Path, line and finding of every verdict."""
    return [(v.path, v.line, v.what) for v in find_gaps(BOTH, store, Coverage(gaps=known))]


def half() -> Store:
    """The newer environment has run both examples, the older one only the first."""
    newer = add_capture(Store(), captured(ran(A, "1"), ran(B, "2")))
    return add_capture(newer, captured(ran(A, "1"), environment=OLDER))


def test_what_many_environments_lack_is_recorded_in_one_go() -> None:
    """By the Python that they have; what waits for a reason is none of them."""
    releases = [f"2.{minor}.0" for minor in range(MOST_SINGLE + 1)]
    older = [replace(OLDER, torch=f"{release}+cpu") for release in releases]
    lacking = [*older, replace(CPU, python="3.14.8")]
    *alike, other = find_gaps({A.name: A}, store_of(lacking))
    assert {verdict.remedy for verdict in alike} == {
        "nox -s record -- all --only 01_x/a, or say in docs/gaps.toml why it waits"
    }
    assert other.remedy.startswith("python3.14 -m nox -s record -- 2.13.0 --numpy 2.4.6 --only 01_x/a, or")
    waits = Gap(("01_x/*",), ("torch < 2.1",), "Newer than the recording.", 1)
    *alike, _ = find_gaps({A.name: A}, store_of(lacking), Coverage(gaps=(waits,)))
    assert [verdict.remedy.split(" --numpy")[0] for verdict in alike] == [
        f"nox -s record -- {release}" for release in releases[1:]
    ]


def test_gap_with_a_reason_is_none() -> None:
    """An entry covers the examples and environments it names, and no others."""
    (gap,) = parse_gaps(ENTRY, PATH)
    assert found(half(), gap) == []
    assert gap.covers("02_y/b", OLDER)
    assert not gap.covers("02_y/b", CPU)
    assert not gap.covers("01_x/a", OLDER)
    assert found(half(), replace(gap, environments=("torch < 2.2",)))[0][0] == B.path


def test_name_that_has_been_recorded_by_now_is_drift() -> None:
    """It would hide the next gap; other names of its entry may still be needed."""
    (gap,) = parse_gaps(ENTRY, PATH)
    full = add_capture(half(), captured(ran(B, "2"), environment=OLDER))
    assert found(full, gap) == [(PATH, 2, "recorded by now: 02_y/*")]
    wide = replace(gap, examples=("01_x/a", "02_y/*"))
    assert found(half(), wide) == [(PATH, 2, "recorded by now: 01_x/a")]


def test_gap_for_an_example_that_does_not_exist_says_so() -> None:
    """It may be misspelled: to remove it would be the wrong remedy."""
    (gap,) = parse_gaps(ENTRY, PATH)
    assert found(half(), replace(gap, examples=("02_y/*", "02_y/bb"))) == [(PATH, 2, "no example 02_y/bb")]


def test_gap_of_a_gpu_explains_nothing() -> None:
    """Pages label what no GPU has run, so it needs no reason."""
    (gap,) = parse_gaps(ENTRY, PATH)
    what = "no CPU environment is meant: 02_y/*"
    assert (PATH, 2, what) in found(half(), replace(gap, environments=("cuda",)))


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (("reason =", "why ="), "unknown field why"),
        (('reason = "Newer than the recording."', ""), "no reason"),
        (('["02_y/*"]', '"02_y/*"'), "examples: Expected `array`, got `str`"),
        (("torch < 2.13", "torch of old"), "unknown condition 'torch of old'"),
    ],
)
def test_entry_that_cannot_be_read_is_refused(change: tuple[str, str], what: str) -> None:
    """With file and line."""
    with pytest.raises(AtlasError, match=rf"docs/gaps.toml:2  {what}"):
        parse_gaps(ENTRY.replace(*change), PATH)


def test_statement_behind_an_end_may_need_an_entry_and_makes_none_too_wide() -> None:
    """It ran without what the failing statement makes: that it holds, or lacks a name, says nothing."""
    entry = deviation("01_x/a: print(2)", OLD)
    codes = [statement.code for statement in TWO.statements]
    failed = Observation(codes[1], raised=Raised("TypeError", "no"))

    def behind(seen: Observation) -> Run:
        first = Observation(codes[0], stdout="1")
        return observed(
            TWO, first, failed, seen, Observation(codes[3]), status=Status.RAISED, reason="TypeError"
        )

    differing = ran(TWO, "1", "", "two", "")
    for seen in (Observation(codes[2], stdout="2"), Observation(codes[2], unmade=Unmade("value", 1))):
        assert too_much(entry, (OLDER, differing), (BETWEEN, behind(seen))) == []
        assert too_much(entry, (BETWEEN, behind(seen)))[0] == not_needed("print(2)")
    assert too_much(entry, (OLDER, behind(Observation(codes[2], stdout="two")))) == []
