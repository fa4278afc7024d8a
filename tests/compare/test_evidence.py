"""What is known at one moment, and what of it a page may show."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import CPU, GPU, OLDER, captured, deviation, example, ran

from tensor_atlas.compare.deviations import Deviation
from tensor_atlas.compare.evidence import (
    Evidence,
    Origin,
    assess_capture,
    evidence_from_records,
    locate_statements,
)
from tensor_atlas.compare.judge import judge_capture, judge_records
from tensor_atlas.compare.verdicts import VerdictKind
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.runs import Environment, Observation, Run, Snapshot, Status
from tensor_atlas.records.store import Store, add_capture

A = example("import torch\nprint(1)\n# => 1\n\n# %%\n\nprint(2)\n# => 2\n")
B = example('# sphinx_gallery_tags = ["cuda"]\nprint(3)\n# => 3\n', "examples/02_y/b.py")
EXAMPLES = {example.name: example for example in (A, B)}
GOOD = ran(A, "", "1", "2")
NOT_RUN = Run(B.name, B.digest, Status.NOT_RUN, "needs 1 CUDA device, found 0")
PATH = "docs/deviations.toml"


def evidence(capture: Capture, store: Store | None = None, *deviations: Deviation) -> Evidence:
    """Evidence about both examples."""
    return assess_capture(EXAMPLES, capture, store or Store(), deviations)


def recorded(*pairs: tuple[Environment, Run]) -> Store:
    """Store in which these environments have recorded these runs."""
    store = Store()
    for environment, run in pairs:
        store = add_capture(store, captured(run, environment=environment))
    return store


def test_what_this_build_executed_is_shown() -> None:
    """Its own run, in its own environment, where every record is of an older release; its own record is not
    asked.
    """
    store = recorded((OLDER, ran(A, "", "one", "two")), (CPU, ran(A, "", "eins", "zwei")))
    shown = evidence(captured(GOOD, NOT_RUN), store).pages[A.name]
    assert (shown.origin, shown.run, shown.environment, shown.missing) == (Origin.EXECUTED, GOOD, CPU, "")
    assert shown.executed == CPU
    assert shown.runs == ((OLDER, ran(A, "", "one", "two")), (CPU, GOOD))


def test_newest_release_is_shown_though_this_build_executed_an_older_one() -> None:
    """As recorded; what this build gave stands beside it."""
    new, future = replace(CPU, torch="2.15.0+cpu", date="2020-01-01"), ran(A, "", "1", "future")
    shown = evidence(captured(GOOD, NOT_RUN), recorded((new, future))).pages[A.name]
    assert (shown.origin, shown.run, shown.environment) == (Origin.RECORDED, future, new)
    assert (shown.executed, shown.missing) == (CPU, "")
    assert shown.runs == ((CPU, GOOD), (new, future))


def test_page_can_be_turned_to_any_run() -> None:
    """To this build's own, which is then called executed, or to another; nothing else of it changes."""
    new = replace(CPU, torch="2.15.0+cpu")
    shown = evidence(captured(GOOD, NOT_RUN), recorded((new, ran(A, "", "1", "future")))).pages[A.name]
    here = shown.at(CPU, GOOD)
    assert (here.origin, here.environment, here.run) == (Origin.EXECUTED, CPU, GOOD)
    back = here.at(new, ran(A, "", "1", "future"))
    assert back == shown


def test_every_environment_has_run_it_or_could_not_or_is_not_measured() -> None:
    """In just one of the three, the oldest release first; nothing is filled forward. Stale ones are not
    measured.
    """
    old, older, card = replace(CPU, torch="2.9.1"), replace(CPU, torch="2.6.0"), replace(GPU, torch="2.14.0")
    stale, silent = replace(GPU, torch="2.8.0"), replace(CPU, torch="2.7.1")
    store = recorded(
        (card, ran(B, "3")),
        (stale, replace(ran(B, "3"), digest="older")),
        (old, NOT_RUN),
        (older, NOT_RUN),
        (silent, GOOD),
        (GPU, ran(B, "4")),
    )
    shown = evidence(captured(GOOD, NOT_RUN), store).pages[B.name]
    assert shown.runs == ((GPU, ran(B, "4")), (card, ran(B, "3")))
    assert {e.id for e, reason in shown.not_run if reason == NOT_RUN.reason} == {
        e.id for e in (old, older, CPU)
    }
    assert shown.unmeasured == (silent, stale)
    assert shown.stale == (stale,)
    three = [
        {e.id for e, _ in shown.runs},
        {e.id for e, _ in shown.not_run},
        {e.id for e in shown.unmeasured},
    ]
    assert sum(map(len, three)) == len(set().union(*three))
    assert set().union(*three) == {*store.environments, CPU.id}


def test_build_that_cannot_run_an_example_keeps_its_record() -> None:
    """What a machine lacks today it had when it recorded."""
    shown = evidence(captured(GOOD, NOT_RUN), recorded((CPU, ran(B, "3")))).pages[B.name]
    assert (shown.origin, shown.runs, shown.not_run) == (Origin.RECORDED, ((CPU, ran(B, "3")),), ())
    assert shown.executed is None
    assert shown.missing == NOT_RUN.reason


def test_build_without_a_run_is_not_measured() -> None:
    """A capture of part of the examples says nothing about the rest, in an environment without records
    too.
    """
    shown = evidence(captured(GOOD)).pages[B.name]
    assert (shown.runs, shown.not_run, shown.unmeasured) == ((), (), (CPU,))


def test_what_nobody_ran_is_only_expected() -> None:
    """No output is invented; a record that says "not run" is none."""
    store = add_capture(Store(), captured(NOT_RUN, environment=OLDER))
    shown = evidence(captured(GOOD, NOT_RUN), store).pages[B.name]
    assert (shown.origin, shown.run, shown.environment) == (Origin.EXPECTED, None, None)
    assert shown.observation(0) is None
    assert shown.snapshot(0) is None


def test_record_of_older_code_is_never_shown_as_current() -> None:
    """It is named as stale instead."""
    store = add_capture(Store(), captured(replace(ran(B, "3"), digest="older"), environment=GPU))
    shown = evidence(captured(GOOD, NOT_RUN), store).pages[B.name]
    assert (shown.origin, shown.run, shown.stale) == (Origin.EXPECTED, None, (GPU,))


def test_own_stale_record_is_not_listed_as_stale() -> None:
    """The page of an example that this build executed is as fresh as can be."""
    store = add_capture(Store(), captured(replace(GOOD, digest="older")))
    assert evidence(captured(GOOD, NOT_RUN), store).pages[A.name].stale == ()


def test_observation_past_the_end_is_none() -> None:
    """A run that stopped early shows what it has."""
    shown = evidence(captured(ran(A, "", status=Status.CRASHED, reason="SIGSEGV"), NOT_RUN)).pages[A.name]
    assert shown.observation(0) == Observation("import torch")
    assert shown.observation(1) is None
    assert shown.snapshot(0) is None


def test_records_alone_are_evidence() -> None:
    """Without a run here every page shows its newest record, and nothing is judged."""
    store = add_capture(Store(), captured(GOOD, environment=GPU))
    alone = evidence_from_records(EXAMPLES, store)
    assert alone.pages[A.name].origin is Origin.RECORDED
    assert alone.pages[B.name].origin is Origin.EXPECTED
    assert alone.verdicts == ()


def test_verdicts_are_those_on_claims_records_and_deviations() -> None:
    """Every run of an example here is judged by all three; a run of an unknown example by none."""
    committed = add_capture(Store(), captured(ran(A, "", "one", "2")))
    entry = deviation(f"{A.name}: print(2)", "cuda")
    stranger = Run("09_z/gone", "0", Status.COMPLETED)
    verdicts = judge_capture(
        EXAMPLES, captured(ran(A, "", "one", "2"), NOT_RUN, stranger), committed, [entry]
    )
    assert [(v.kind, v.path, v.line) for v in verdicts] == [
        (VerdictKind.DIFFERS, A.path, 10),
        (VerdictKind.HOLDS, A.path, 15),
        (VerdictKind.NOT_RUN, B.path, 1),
        (VerdictKind.DIFFERS, PATH, 5),
        (VerdictKind.DIFFERS, PATH, 5),
    ]


def test_record_of_another_machine_is_held_against_the_claims() -> None:
    """A GPU's record that says otherwise is drift on every machine, until the claim or a deviation agrees."""
    older = replace(GPU, torch="2.9.1+cu130")
    store = add_capture(
        add_capture(Store(), captured(ran(B, "4"), environment=older)),
        captured(ran(B, "3"), environment=GPU),
    )
    here = captured(GOOD, NOT_RUN)
    (verdict,) = (v for v in judge_capture(EXAMPLES, here, store, ()) if v.is_drift)
    assert (verdict.path, verdict.claimed, verdict.observed, verdict.environment) == (
        B.path,
        ("3",),
        ("4",),
        older,
    )
    entry = deviation(f"{B.name}: print(3)", "torch < 2.13")
    assert not any(v.is_drift for v in judge_capture(EXAMPLES, here, store, [entry]))


def test_claim_that_only_an_older_record_confirms_is_drift() -> None:
    """What runs here may be newer than every record: the claim must be what it does, though an entry explains
    it.
    """
    store = add_capture(Store(), captured(GOOD, environment=OLDER))
    entry = deviation(f"{A.name}: print(1)", "torch >= 2.13")
    (verdict,) = (
        v
        for v in judge_capture(EXAMPLES, captured(ran(A, "", "one", "2"), NOT_RUN), store, [entry])
        if v.is_drift
    )
    assert (verdict.path, verdict.line, verdict.environment) == (A.path, 10, CPU)
    assert verdict.what.startswith("claim is not what the newest recorded release does")


def test_records_alone_are_judged() -> None:
    """Claims in every environment, the newest's claims, gaps and deviations; a record of no example here is
    passed.
    """
    stranger = Run("09_z/gone", "0", Status.RAISED)
    store = Store()
    for environment, run in (
        (CPU, ran(A, "", "one", "2")),
        (OLDER, ran(A, "", "1", "zwei")),
        (GPU, ran(B, "3")),
    ):
        store = add_capture(store, captured(run, stranger, environment=environment))
    entry = deviation(f"{A.name}: print(1)", "cpu")
    verdicts = judge_records(EXAMPLES, store, [entry])
    assert [(v.kind, v.path, v.line, v.environment) for v in verdicts] == [
        (VerdictKind.KNOWN, A.path, 10, CPU),
        (VerdictKind.HOLDS, A.path, 15, CPU),
        (VerdictKind.HOLDS, A.path, 10, OLDER),
        (VerdictKind.DIFFERS, A.path, 15, OLDER),
        (VerdictKind.HOLDS, B.path, 10, GPU),
        (VerdictKind.DIFFERS, A.path, 10, CPU),  # explained, but the newest does it
        (VerdictKind.DIFFERS, B.path, 1, CPU),  # not recorded
        (VerdictKind.DIFFERS, B.path, 1, OLDER),
        (VerdictKind.DIFFERS, PATH, 5, None),  # too wide: OLDER does as documented
    ]


def test_complete_records_that_hold_are_no_drift() -> None:
    """Every CPU environment has a run or a reason of each example; a GPU's old code and gaps are no one's
    fault.
    """
    store = add_capture(Store(), captured(GOOD, NOT_RUN))
    store = add_capture(store, captured(ran(A, "", "1", "zwei"), NOT_RUN, environment=OLDER))
    store = add_capture(store, captured(replace(ran(B, "4"), digest="older"), environment=GPU))
    verdicts = judge_records(EXAMPLES, store, [deviation(f"{A.name}: print(2)", "torch < 2.3")])
    assert not any(verdict.is_drift for verdict in verdicts)
    assert {verdict.kind for verdict in verdicts} == {
        VerdictKind.HOLDS,
        VerdictKind.KNOWN,
        VerdictKind.NOT_RUN,
        VerdictKind.STALE,
    }


def test_run_that_a_build_kept_keeps_its_day() -> None:
    """A page does not claim that an older run was made today."""
    kept = replace(captured(GOOD, NOT_RUN), dates={A.name: "2025-01-01"})
    shown = evidence(kept).pages[A.name]
    assert shown.environment == replace(CPU, date="2025-01-01")


def test_example_without_a_record_is_drift_where_others_have_one() -> None:
    """An environment with records has one of each example recorded elsewhere; a new example is only named."""
    elsewhere = add_capture(Store(), captured(ran(B, "3"), environment=GPU))
    assert [
        v.kind for v in judge_capture(EXAMPLES, captured(GOOD, NOT_RUN), elsewhere, ()) if v.is_drift
    ] == []
    new = add_capture(Store(), captured(ran(B, "3")))
    (verdict,) = (
        v
        for v in judge_capture(EXAMPLES, captured(GOOD, NOT_RUN), new, ())
        if v.path == A.path and v.kind is VerdictKind.STALE
    )
    assert (verdict.what, verdict.is_drift) == ("not recorded yet", False)
    assert "tensor-atlas record" in verdict.remedy
    here = add_capture(new, captured(GOOD, environment=GPU))
    (verdict,) = (v for v in judge_capture(EXAMPLES, captured(GOOD, NOT_RUN), here, ()) if v.is_drift)
    assert (verdict.path, verdict.what) == (A.path, "not recorded in an environment that has records")
    assert "tensor-atlas record" in verdict.remedy


def test_example_that_a_capture_leaves_out_is_told() -> None:
    """A capture of part of the examples does not speak for the rest."""
    (verdict,) = (v for v in judge_capture(EXAMPLES, captured(GOOD), Store(), ()) if v.path == B.path)
    assert (verdict.kind, verdict.what) == (VerdictKind.DIFFERS, "the capture holds no run of it")


def test_key_follows_what_the_page_shows() -> None:
    """Another output, another environment or another finding makes a page outdated; the same evidence does
    not.
    """
    base = evidence(captured(GOOD, NOT_RUN))
    assert base.key(A.name) == evidence(captured(GOOD, NOT_RUN)).key(A.name)
    shared = replace(GOOD, snapshots=(Snapshot(shares=(("a", "b"),)),))
    changed = [
        evidence(captured(ran(A, "", "1", "two"), NOT_RUN)),
        evidence(captured(shared, NOT_RUN)),
        evidence(captured(GOOD, NOT_RUN, environment=OLDER)),
        evidence(captured(GOOD, NOT_RUN), add_capture(Store(), captured(ran(A, "", "one", "2")))),
    ]
    keys = {base.key(A.name), *(other.key(A.name) for other in changed)}
    assert len(keys) == 5
    assert len({base.whole_key, *(other.whole_key for other in changed)}) == 5
    assert {other.key(B.name) for other in changed[:2]} == {base.key(B.name)}


def test_key_follows_every_environment() -> None:
    """Each run is in a fold-out: a page is outdated when any of them changes, appears, moves or is
    excused.
    """
    here = captured(GOOD, NOT_RUN)
    ended = ran(A, "", "1", status=Status.RAISED, reason="TypeError")
    absent = Run(A.name, A.digest, Status.NOT_RUN, "needs cupy")
    stores = [
        recorded((OLDER, GOOD)),
        recorded((OLDER, ran(A, "", "one", "2"))),
        recorded((OLDER, ended)),
        recorded((OLDER, replace(ended, reason="ValueError"))),
        recorded((OLDER, replace(GOOD, snapshots=(Snapshot(shares=(("a", "b"),)),)))),
        recorded((OLDER, replace(GOOD, digest="older"))),
        recorded((OLDER, absent)),
        recorded((GPU, absent), (OLDER, replace(absent, reason="needs mps"))),
        recorded((GPU, absent), (OLDER, replace(absent, reason="needs jax"))),
        recorded((OLDER, ran(B, "3"))),  # known, and not measured
        recorded((replace(OLDER, date="2025-12-02"), GOOD)),
        recorded((replace(OLDER, numpy="1.25.0"), GOOD)),
        recorded((OLDER, GOOD), (GPU, GOOD)),
        Store(),
    ]
    assert len({evidence(here, store).key(A.name) for store in stores}) == len(stores)
    assert len({evidence(here, store).whole_key for store in stores}) == len(stores)
    assert evidence(here, stores[0]).key(A.name) == evidence(here, recorded((OLDER, GOOD))).key(A.name)


def test_key_does_not_follow_the_day_of_the_probe() -> None:
    """One example that is executed on another day, or by another probe, has no other page read again."""
    earlier, later = (
        replace(CPU, engines=((day, digest),)) for day, digest in (("2026-01-01", "a"), ("2026-01-02", "b"))
    )
    store = recorded((replace(OLDER, engines=earlier.engines), GOOD))
    before, after = (evidence(captured(GOOD, environment=one), store) for one in (earlier, later))
    assert before.key(A.name) == after.key(A.name)
    assert before.whole_key == after.whole_key


def test_key_of_a_page_about_everything_follows_every_environment() -> None:
    """The list of environments names those that have run no example here."""
    here, stranger = captured(GOOD, NOT_RUN), Run("09_z/gone", "0", Status.COMPLETED)
    assert evidence(here, recorded((OLDER, stranger))).whole_key != evidence(here).whole_key


def test_places_name_block_and_statement() -> None:
    """In order, statements counted through the example."""
    assert [(place.block_index, place.statement_index) for place in locate_statements(A)] == [
        (0, 0),
        (0, 1),
        (1, 2),
    ]
    assert locate_statements(A)[2].block is A.blocks[1]


@pytest.mark.parametrize(
    ("code", "is_told"),
    [
        (
            "import torch\nprint(1)\n# => 1\n\n# %%\n# Other words, on more lines.\n\nprint(2)\n# => 2\n",
            False,
        ),
        ("import torch\nprint(1)\n# => 1\n\n# %%\n# Heading\n# -------\n\nprint(2)\n# => 2\n", True),
        ("import torch\nprint(1)\n# => 1\n\n# %%\n\nprint(2)\n# => 3\n", True),
        ("import torch\nprint(1)\n# => 1\n\n# %%\n\nprint(2)\n", True),
        ("import torch\nprint( 1)\n# => 1\n\n# %%\n\nprint(2)\n# => 2\n", True),
        ('# sphinx_gallery_tags = ["x"]\nimport torch\nprint(1)\n# => 1\n\n# %%\n\nprint(2)\n# => 2\n', True),
    ],
    ids=["prose", "a heading", "a claim", "one less", "code", "tags"],
)
def test_pages_about_everything_follow_what_they_tell(code: str, is_told: bool) -> None:
    """Prose is the business of its own page, and so is the line on which something stands."""
    known = deviation(f"{A.name}: print(2)", "torch >= 2", output=("2",))
    base = evidence(captured(GOOD, NOT_RUN), None, known)
    changed = example(code)
    examples = {A.name: changed, B.name: B}
    run = replace(GOOD, observations=GOOD.observations[: len(changed.statements)])
    other = assess_capture(examples, captured(run, NOT_RUN), Store(), (known,))
    assert (other.whole_key != base.whole_key) == is_told
