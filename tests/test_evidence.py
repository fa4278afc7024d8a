"""What is known at one moment, and what of it a page may show."""

from __future__ import annotations

from dataclasses import replace

from samples import CPU, GPU, OLDER, captured, example, observed, ran

from tensor_atlas.compare import Kind
from tensor_atlas.deviations import Deviation
from tensor_atlas.evidence import Evidence, Origin, assess, from_records, judged, places
from tensor_atlas.probe.record import Capture, Observation, Run, Snapshot, Status
from tensor_atlas.store import Store, with_capture

A = example("import torch\nprint(1)\n# => 1\n\n# %%\n\nprint(2)\n# => 2\n")
B = example('# sphinx_gallery_tags = ["cuda"]\nprint(3)\n# => 3\n', "examples/02_y/b.py")
EXAMPLES = {example.name: example for example in (A, B)}
GOOD = ran(A, "", "1", "2")
NOT_RUN = Run(B.name, B.digest, Status.NOT_RUN, "needs 1 CUDA device, found 0")
PATH = "docs/deviations.toml"


def evidence(capture: Capture, store: Store | None = None, *deviations: Deviation) -> Evidence:
    """Evidence about both examples."""
    return assess(EXAMPLES, capture, store or Store(), deviations, PATH)


def test_what_this_build_executed_is_shown() -> None:
    """Its own run, in its own environment, whatever is recorded."""
    store = with_capture(Store(), captured(ran(A, "", "one", "two"), environment=OLDER))
    shown = evidence(captured(GOOD, NOT_RUN), store).shown[A.name]
    assert (shown.origin, shown.run, shown.environment, shown.missing) == (Origin.EXECUTED, GOOD, CPU, "")


def test_what_cannot_run_here_is_shown_as_recorded() -> None:
    """The newest record of this version, with what is missing here."""
    store = Store()
    for environment, stdout in ((GPU, "3"), (replace(GPU, numpy="9.0.0", date="2026-01-01"), "old")):
        store = with_capture(store, captured(ran(B, stdout), environment=environment))
    shown = evidence(captured(GOOD, NOT_RUN), store).shown[B.name]
    assert shown.origin is Origin.RECORDED
    assert shown.environment == GPU
    assert shown.run == ran(B, "3")
    assert shown.missing == "needs 1 CUDA device, found 0"


def test_what_nobody_ran_is_only_expected() -> None:
    """No output is invented; a record that says "not run" is none."""
    store = with_capture(Store(), captured(NOT_RUN, environment=OLDER))
    shown = evidence(captured(GOOD, NOT_RUN), store).shown[B.name]
    assert (shown.origin, shown.run, shown.environment) == (Origin.EXPECTED, None, None)
    assert shown.observation(0) is None
    assert shown.snapshot(0) is None


def test_record_of_older_code_is_never_shown_as_current() -> None:
    """It is named as stale instead."""
    store = with_capture(Store(), captured(replace(ran(B, "3"), digest="older"), environment=GPU))
    shown = evidence(captured(GOOD, NOT_RUN), store).shown[B.name]
    assert (shown.origin, shown.run, shown.stale) == (Origin.EXPECTED, None, (GPU,))


def test_own_stale_record_is_not_listed_as_stale() -> None:
    """The page of an example that this build executed is as fresh as can be."""
    store = with_capture(Store(), captured(replace(GOOD, digest="older")))
    assert evidence(captured(GOOD, NOT_RUN), store).shown[A.name].stale == ()


def test_observation_past_the_end_is_none() -> None:
    """A run that stopped early shows what it has."""
    shown = evidence(captured(ran(A, "", status=Status.CRASHED, reason="SIGSEGV"), NOT_RUN)).shown[A.name]
    assert shown.observation(0) == Observation("import torch")
    assert shown.observation(1) is None
    assert shown.snapshot(0) is None


def test_records_alone_are_evidence() -> None:
    """Without a run here every page shows its newest record, and nothing is judged."""
    store = with_capture(Store(), captured(GOOD, environment=GPU))
    alone = from_records(EXAMPLES, store)
    assert alone.shown[A.name].origin is Origin.RECORDED
    assert alone.shown[B.name].origin is Origin.EXPECTED
    assert alone.verdicts == ()


def test_verdicts_are_those_on_claims_records_and_deviations() -> None:
    """Every run of an example here is judged by all three; a run of an unknown example by none."""
    committed = with_capture(Store(), captured(ran(A, "", "one", "2")))
    entry = Deviation(A.name, "print(2)", ("cpu",), "why", link=None, output=None, line=4)
    stranger = Run("09_z/gone", "0", Status.COMPLETED)
    verdicts = judged(EXAMPLES, captured(ran(A, "", "one", "2"), NOT_RUN, stranger), committed, [entry], PATH)
    assert [(v.kind, v.path, v.line) for v in verdicts] == [
        (Kind.DIFFERS, A.path, 10),
        (Kind.HOLDS, A.path, 15),
        (Kind.NOT_RUN, B.path, 1),
        (Kind.DIFFERS, PATH, 4),
    ]


def test_record_of_another_machine_is_held_against_the_claims() -> None:
    """A GPU's record that says otherwise is drift on every machine, until the claim or a deviation agrees."""
    store = with_capture(Store(), captured(ran(B, "4"), environment=GPU))
    here = captured(GOOD, NOT_RUN)
    (verdict,) = (v for v in judged(EXAMPLES, here, store, (), PATH) if v.is_drift)
    assert (verdict.path, verdict.claimed, verdict.observed, verdict.environment) == (B.path, ("3",), ("4",), GPU)
    entry = Deviation(B.name, "print(3)", ("cuda",), "why", link=None, output=None, line=4)
    assert not any(v.is_drift for v in judged(EXAMPLES, here, store, [entry], PATH))


def test_run_that_a_build_kept_keeps_its_day() -> None:
    """A page does not claim that an older run was made today."""
    kept = replace(captured(GOOD, NOT_RUN), dates={A.name: "2025-01-01"})
    shown = evidence(kept).shown[A.name]
    assert shown.environment == replace(CPU, date="2025-01-01")


def test_example_without_a_record_is_drift_where_others_have_one() -> None:
    """An environment with records has one of every example that runs there; elsewhere nothing is missed."""
    elsewhere = with_capture(Store(), captured(ran(B, "3"), environment=GPU))
    assert [v.kind for v in judged(EXAMPLES, captured(GOOD, NOT_RUN), elsewhere, (), PATH) if v.is_drift] == []
    here = with_capture(Store(), captured(ran(B, "3")))
    (verdict,) = (v for v in judged(EXAMPLES, captured(GOOD, NOT_RUN), here, (), PATH) if v.is_drift)
    assert (verdict.path, verdict.what) == (A.path, "not recorded in an environment that has records")
    assert "tensor-atlas record" in verdict.remedy


def test_example_that_a_capture_leaves_out_is_told() -> None:
    """A capture of part of the examples does not speak for the rest."""
    (verdict,) = (v for v in judged(EXAMPLES, captured(GOOD), Store(), (), PATH) if v.path == B.path)
    assert (verdict.kind, verdict.what) == (Kind.DIFFERS, "the capture holds no run of it")


def test_key_follows_what_the_page_shows() -> None:
    """Another output, another environment or another finding makes a page outdated; the same evidence does not."""
    base = evidence(captured(GOOD, NOT_RUN))
    assert base.key(A.name) == evidence(captured(GOOD, NOT_RUN)).key(A.name)
    shared = replace(GOOD, snapshots=(Snapshot(shares=(("a", "b"),)),))
    changed = [
        evidence(captured(ran(A, "", "1", "two"), NOT_RUN)),
        evidence(captured(shared, NOT_RUN)),
        evidence(captured(GOOD, NOT_RUN, environment=OLDER)),
        evidence(captured(GOOD, NOT_RUN), with_capture(Store(), captured(ran(A, "", "one", "2")))),
    ]
    keys = {base.key(A.name), *(other.key(A.name) for other in changed)}
    assert len(keys) == 5
    assert len({base.whole_key, *(other.whole_key for other in changed)}) == 5
    assert {other.key(B.name) for other in changed[:2]} == {base.key(B.name)}


def test_findings_are_those_on_one_example() -> None:
    """Verdicts by example."""
    found = evidence(captured(ran(A, "", "one", "2"), NOT_RUN))
    assert [v.kind for v in found.findings(A.name)] == [Kind.DIFFERS, Kind.HOLDS]
    assert [v.kind for v in found.findings(B.name)] == [Kind.NOT_RUN]


def test_places_name_block_and_statement() -> None:
    """In order, statements counted through the example."""
    assert [(place.block_index, place.statement_index) for place in places(A)] == [(0, 0), (0, 1), (1, 2)]
    assert places(A)[2].block is A.blocks[1]


def test_observed_errors_make_a_run() -> None:
    """A page shows the error an example stopped at."""
    stopped = observed(A, Observation("import torch"), status=Status.RAISED, reason="TypeError")
    shown = evidence(captured(stopped, NOT_RUN)).shown[A.name]
    assert (shown.origin, shown.run) == (Origin.EXECUTED, stopped)
