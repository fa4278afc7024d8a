"""What changed in which release."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import CPU, GPU, OLDER, example, observed, ran

from tensor_atlas.history.changes import Severity
from tensor_atlas.history.releases import name_environment
from tensor_atlas.history.timeline import Agreement, Event, find_events, main_environments, rate_agreement
from tensor_atlas.model.runs import Buffer, Environment, Observation, Raised, Run, Snapshot, Status, Value

EXAMPLE = example("first()\nsecond()\n\n# %%\n\nthird()\n")
NUMPY_1, NUMPY_2, NUMPY_NEWEST = "1.26.4", "2.0.2", "2.4.6"


def at(torch: str, numpy: str = NUMPY_NEWEST, cuda: str | None = None) -> Environment:
    """Environment without a GPU, of a CUDA build where ``cuda`` is given."""
    return replace(CPU, torch=torch, numpy=numpy, cuda=cuda)


def printed(text: str, *, third: str = "") -> Run:
    """Run in which the second statement printed this, and the third perhaps something too."""
    return ran(EXAMPLE, "", text, third)


def refused(text: str) -> Run:
    """Run in which the second statement caught an error in these words, which nothing printed."""
    return observed(
        EXAMPLE, Observation("first()"), Observation("second()", caught=(Raised("TypeError", text),))
    )


def list_events(*runs: tuple[Environment, Run]) -> list[tuple[str, str, str, Severity]]:
    """Between whom, in what, and what kind of change, for every event."""
    return [
        (name_environment(e.step.before), name_environment(e.step.after), e.step.name, e.change.severity)
        for e in find_events(EXAMPLE, runs)
    ]


# --- along the line ------------------------------------------------------------------------------


def test_change_belongs_to_the_release_that_brought_it() -> None:
    """Oldest first, each told once, whatever order the runs come in; a release that changed nothing tells
    nothing.
    """
    runs = [
        (at("2.5.1"), refused("a")),
        (at("2.3.1"), printed("1")),
        (at("2.6.0"), refused("b")),
        (at("2.4.1"), printed("1")),
        (at("2.7.1"), refused("b")),
    ]
    assert list_events(*runs) == [
        ("2.4.1/2.4.6/cpu", "2.5.1/2.4.6/cpu", "torch 2.5", Severity.ERROR_APPEARED),
        ("2.5.1/2.4.6/cpu", "2.6.0/2.4.6/cpu", "torch 2.6", Severity.WORDING),
    ]


def test_release_without_a_run_is_no_step() -> None:
    """Nothing is filled forward: the change lies between the two that ran, and is dated
    between them.
    """
    assert list_events((at("2.3.1"), printed("1")), (at("2.13.0"), printed("2"))) == [
        ("2.3.1/2.4.6/cpu", "2.13.0/2.4.6/cpu", "between torch 2.3 and 2.13", Severity.VALUE)
    ]
    assert list_events((CPU, printed("1"))) == []
    assert list_events() == []


def test_incompatible_install_is_no_step_on_the_line() -> None:
    """Neither from its release to the next, nor from one NumPy to the other."""
    runs = (
        (at("2.2.2", NUMPY_1), printed("1")),
        (at("2.2.2", NUMPY_2), refused("a")),
        (at("2.3.1"), printed("1")),
    )
    assert list_events(*runs) == []


def test_end_of_a_run_is_one_event() -> None:
    """What the older release never reached is not told as changed."""
    ended = ran(EXAMPLE, "", "1", status=Status.CRASHED, reason="SIGSEGV")
    assert list_events((at("2.3.1"), ended), (CPU, printed("1", third="3"))) == [
        ("2.3.1/2.4.6/cpu", "2.13.0/2.4.6/cpu", "between torch 2.3 and 2.13", Severity.ERROR_VANISHED)
    ]


def test_devices_have_histories_of_their_own() -> None:
    """A GPU and a CPU that differ are no change, and each has its own."""
    old_card = replace(GPU, torch="2.9.1+cu130")
    runs = (
        (at("2.9.1"), printed("cpu")),
        (CPU, printed("cpu")),
        (old_card, printed("card")),
        (GPU, printed("new card")),
    )
    assert list_events(*runs) == [
        (name_environment(old_card), name_environment(GPU), "between torch 2.9 and 2.13", Severity.VALUE)
    ]
    other = replace(GPU, device="NVIDIA B200")
    assert list_events((old_card, printed("card")), (other, printed("new card"))) == []


# --- NumPy ---------------------------------------------------------------------------------------


def test_change_of_numpy_is_told_once_and_not_as_torchs() -> None:
    """By the newest torch that was recorded with both."""
    runs = [
        (at(torch, numpy), printed("1" if numpy == NUMPY_1 else "2"))
        for torch in ("2.3.1", "2.13.0")
        for numpy in (NUMPY_1, NUMPY_2, NUMPY_NEWEST)
    ]
    older = (at("2.2.2", NUMPY_1), printed("1"))
    assert list_events(older, *runs) == [
        ("2.13.0/1.26.4/cpu", "2.13.0/2.0.2/cpu", "NumPy 2.0", Severity.VALUE)
    ]


def test_older_torch_that_skips_a_numpy_tells_nothing_again() -> None:
    """From the first of two changes to the last is no third one."""
    runs = [(at("2.13.0", numpy), printed(numpy)) for numpy in (NUMPY_1, NUMPY_2, NUMPY_NEWEST)]
    skips = [(at("2.3.1", numpy), printed(numpy)) for numpy in (NUMPY_1, NUMPY_NEWEST)]
    assert [(before, after) for before, after, _, _ in list_events(*runs, *skips)] == [
        ("2.13.0/1.26.4/cpu", "2.13.0/2.0.2/cpu"),
        ("2.13.0/2.0.2/cpu", "2.13.0/2.4.6/cpu"),
    ]


def test_older_torch_that_was_recorded_with_more_numpys_dates_their_changes() -> None:
    """The newest torch skips three of them: its one step hides two changes, and dates neither."""
    link = "warns, with a link"
    said = {"2.0.2": "silent", "2.1.3": "warns", "2.2.6": link, "2.3.5": link, "2.4.6": link}
    fine = [(at("2.13.0", numpy), printed(text)) for numpy, text in said.items()]
    coarse = [(at("2.15.0", numpy), printed(said[numpy])) for numpy in ("2.0.2", "2.4.6")]
    assert [step for _, _, step, _ in list_events(*fine, *coarse)] == ["NumPy 2.1", "NumPy 2.2"]
    assert [step for _, _, step, _ in list_events(*coarse)] == ["between NumPy 2.0 and 2.4"]


def test_change_of_numpy_that_two_torches_word_otherwise_is_one() -> None:
    """The newer torch tells it: what it changed itself stands on its own page."""
    runs = [
        (at(torch, numpy), printed("1" if numpy == NUMPY_1 else f"2 in {torch}"))
        for torch in ("2.3.1", "2.13.0")
        for numpy in (NUMPY_1, NUMPY_2)
    ]
    assert [step for step in list_events(*runs) if step[2].startswith("NumPy")] == [
        ("2.13.0/1.26.4/cpu", "2.13.0/2.0.2/cpu", "NumPy 2.0", Severity.VALUE)
    ]


def test_numpy_and_torch_that_changed_together_are_named_together() -> None:
    """Where no record tells them apart."""
    (event,) = find_events(EXAMPLE, [(at("2.2.2", NUMPY_1), printed("1")), (at("2.3.1"), printed("2"))])
    assert event.step.name == "between torch 2.2 with NumPy 1.26 and torch 2.3 with NumPy 2.4"


def test_change_of_python_is_told_once_and_not_as_torchs() -> None:
    """By the newest torch that was recorded with both; the releases are compared by the usual Python."""
    runs = [
        (replace(at(torch), python=python), printed("2" if python == "3.14.8" else "1"))
        for torch in ("2.12.1", "2.13.0", "2.14.1")
        for python in ("3.11.7", "3.13.5", "3.14.8")
    ]
    assert list_events(*runs) == [
        ("2.14.1/2.4.6/cpu/3.13", "2.14.1/2.4.6/cpu/3.14", "Python 3.14", Severity.VALUE)
    ]


def test_what_numpy_alone_changed_after_a_block_is_told_at_each_step() -> None:
    """Such changes print nothing: two of them at one place are not one."""
    runs = [
        (at("2.13.0", numpy), replace(printed("1"), snapshots=(alive(dtype),)))
        for numpy, dtype in ((NUMPY_1, "int32"), (NUMPY_2, "int64"), (NUMPY_NEWEST, "int8"))
    ]
    assert [(e.step.name, e.change.facts) for e in find_events(EXAMPLE, runs)] == [
        ("NumPy 2.0", ("a: dtype int32 → int64",)),
        ("between NumPy 2.0 and 2.4", ("a: dtype int64 → int8",)),
    ]


def alive(dtype: str) -> Snapshot:
    """One array of eight bytes."""
    array = Value("a", "ndarray", dtype, (8,), (1,), "cpu", True, None, 0, 0, 8)  # noqa: FBT003
    return Snapshot((array,), (Buffer("cpu", 8),))


# --- another build -------------------------------------------------------------------------------

BEFORE, ALONE, AFTER = at("2.12.1", cuda="13.0"), at("2.13.0"), at("2.14.1", cuda="13.2")


@pytest.mark.parametrize(
    ("builds", "texts", "steps"),
    [
        # A CPU build between two CUDA builds says something in its own words, and the next takes it back.
        (("13.0", None, "13.2"), "aba", []),
        (("13.0", None, "13.2", None, "13.2"), "ababa", []),
        # One neighbour of the same build is enough to make words a release's.
        ((None, None, None), "aba", ["torch 2.13", "torch 2.14"]),
        ((None, None, "13.0"), "aba", ["torch 2.13", "torch 2.14"]),
        (("13.0", None, None), "aba", ["torch 2.13", "torch 2.14"]),
        (("13.0", "13.0", "13.0"), "aba", ["torch 2.13", "torch 2.14"]),
        # What stays changed is a change, though it came with the release of another build.
        (("13.0", None, "13.2"), "abb", ["torch 2.13"]),
        (("13.0", None, "13.2"), "abc", ["torch 2.13", "torch 2.14"]),
    ],
)
def test_words_of_another_build_are_no_change(
    builds: tuple[str | None, ...], texts: str, steps: list[str]
) -> None:
    """Neighbours that are alike and of the other build tell them from a change of the release."""
    runs = []
    for minor, (cuda, text) in enumerate(zip(builds, texts, strict=True), 12):
        runs.append((at(f"2.{minor}.0", cuda=cuda), printed(text)))
    assert [step for _, _, step, _ in list_events(*runs)] == steps


def test_only_the_place_that_is_taken_back_is_left_out() -> None:
    """A change at another statement of the same release stays."""
    runs = (
        (BEFORE, printed("cuda")),
        (ALONE, printed("cpu", third="new")),
        (AFTER, printed("cuda", third="new")),
    )
    assert [(e.step.name, e.change.statement) for e in find_events(EXAMPLE, runs)] == [("torch 2.13", 2)]


def test_what_is_alive_and_taken_back_is_left_out_too() -> None:
    """Not only what is printed."""

    def left(dtype: str) -> Run:
        return replace(printed("1"), snapshots=(alive(dtype),))

    assert list_events((BEFORE, left("int64")), (ALONE, left("int32")), (AFTER, left("int64"))) == []
    assert len(list_events((BEFORE, left("int64")), (ALONE, left("int32")), (AFTER, left("int8")))) == 2


# --- one environment for each release ------------------------------------------------------------


def test_mains_are_one_for_each_release_with_the_newest_numpy_that_fits() -> None:
    """Oldest release first; a release that has run with nothing that fits is not there."""
    environments = [
        at("2.13.0"),
        at("2.13.0", NUMPY_1),
        at("2.2.2", NUMPY_1),
        at("2.2.2"),
        at("2.10.0", NUMPY_1),
        at("2.1.2"),
    ]
    assert [name_environment(e) for e in main_environments(environments)] == [
        "2.2.2/1.26.4/cpu",
        "2.10.0/1.26.4/cpu",
        "2.13.0/2.4.6/cpu",
    ]
    assert main_environments([]) == []


def test_environment_that_ran_stands_for_its_release() -> None:
    """A newer one that did not run comes after it; where none ran, the newest stands for the release."""
    environments = [at("2.10.0"), at("2.13.0", NUMPY_1), at("2.13.0")]
    chosen = main_environments(environments, [at("2.13.0", NUMPY_1)])
    assert [name_environment(e) for e in chosen] == ["2.10.0/2.4.6/cpu", "2.13.0/1.26.4/cpu"]


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        (None, Agreement.NOT_MEASURED),
        (refused("no"), Agreement.SAME),
        (refused("never"), Agreement.WORDING),
        (printed("1"), Agreement.BEHAVIOUR),
        (ran(EXAMPLE, "", status=Status.CRASHED, reason="SIGSEGV"), Agreement.BEHAVIOUR),
        (replace(refused("never"), snapshots=(alive("int8"),)), Agreement.BEHAVIOUR),
    ],
)
def test_standing_is_the_gravest_difference(run: Run | None, expected: Agreement) -> None:
    """A run in other words and with another dtype behaves otherwise; no run says nothing."""
    shown = replace(refused("no"), snapshots=(alive("int64"),))
    if run is not None and not any(snapshot.values for snapshot in run.snapshots):
        run = replace(run, snapshots=shown.snapshots)
    assert rate_agreement(EXAMPLE, run, shown) is expected


def test_event_names_step_and_change() -> None:
    """What the pages need: both environments, and the statement with what it printed."""
    (event,) = find_events(EXAMPLE, [(OLDER, printed("1")), (at("2.3.1", NUMPY_1), printed("2"))])
    assert isinstance(event, Event)
    assert (event.step.before, event.step.after.torch) == (OLDER, "2.3.1")
    assert (event.change.code, event.change.before, event.change.after) == ("second()", ("1",), ("2",))
