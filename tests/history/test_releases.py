"""Environments as a line of releases."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.version import Version
from samples import CPU, GPU, OLDER

from tensor_atlas.history.releases import (
    USUAL_PYTHON,
    ReleaseStep,
    age_key,
    find_baseline,
    find_environment,
    is_compatible,
    label_environment,
    minor_release,
    name_environment,
    name_releases,
    newest_environment,
    next_minor,
    package_steps,
    rank_steps,
    release_line,
    release_steps,
    steps_around,
    torch_release,
)
from tensor_atlas.model.runs import Environment

NUMPY_1, NUMPY_2, NUMPY_NEWEST = "1.26.4", "2.0.2", "2.4.6"


def at(
    torch: str, numpy: str = NUMPY_NEWEST, cuda: str | None = None, python: str = f"{USUAL_PYTHON}.7"
) -> Environment:
    """Environment without a GPU, of a CUDA build where ``cuda`` is given."""
    return replace(CPU, torch=torch, numpy=numpy, cuda=cuda, python=python)


def pairs(found: list[ReleaseStep]) -> list[tuple[str, str]]:
    """Names of the two environments of each step."""
    return [(name_environment(step.before), name_environment(step.after)) for step in found]


# --- releases ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("2.13.0+cpu", "2.13.0"),
        ("2.6.0+cu124", "2.6.0"),
        ("2.14.0a0+gitabc", "2.14.0"),
        ("2.14.0.dev20260101", "2.14.0"),
    ],
)
def test_release_has_no_build(text: str, release: str) -> None:
    """Nor does it say how far a release had come."""
    assert torch_release(at(text)) == Version(release)


def test_minor_release_has_two_numbers() -> None:
    """Of torch with a build, and of NumPy."""
    assert [minor_release(text) for text in ("2.3.1+cu121", "2.10.0", "1.26.4")] == ["2.3", "2.10", "1.26"]


@pytest.mark.parametrize(
    ("torch", "numpy", "expected"),
    [
        ("2.2.2+cpu", NUMPY_1, True),
        ("2.2.2+cpu", "2.0.0", False),
        ("2.3.0+cpu", "2.0.0", True),
        ("2.13.0", NUMPY_1, True),
    ],
)
def test_torch_of_numpy_1_does_not_fit_numpy_2(torch: str, numpy: str, expected: bool) -> None:
    """The first release built for NumPy 2 uses either."""
    assert is_compatible(at(torch, numpy)) is expected


def test_age_sorts_as_releases_not_as_text() -> None:
    """torch first, then a NumPy that fits, then NumPy, then Python with the usual one last, then CUDA
    builds.
    """
    ordered = [
        at("2.2.2", NUMPY_2),
        at("2.2.2", NUMPY_1),
        at("2.9.1", NUMPY_2),
        at("2.10.0+cu126", NUMPY_1, "12.6", python="3.9.1"),
        at("2.10.0", NUMPY_1, python="3.14.0"),
        at("2.10.0", NUMPY_1),
        at("2.10.0+cu126", NUMPY_1, "12.6"),
        at("2.10.0", "2.0.10"),
    ]
    backwards = ordered[::-1]
    assert sorted(backwards, key=age_key) == ordered


# --- the newest ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("newest", "others"),
    [
        # By release, not by text or by the day of the record.
        (replace(at("2.13.0+cpu"), date="2020-01-01"), [at("2.9.1"), at("2.13.0+cpu", NUMPY_1)]),
        # A CPU before a GPU of the same release, whatever its NumPy; but a GPU alone with the newest torch.
        (CPU, [replace(GPU, numpy="2.5.0"), OLDER]),
        (CPU, [replace(CPU, device="mps")]),
        (replace(GPU, torch="2.14.0+cu130"), [CPU]),
        # A NumPy that fits: a mismatched install is not what a reader is shown.
        (at("2.2.2", NUMPY_1), [at("2.2.2", NUMPY_NEWEST)]),
        # The usual Python, where it was recorded.
        (at("2.13.0"), [at("2.13.0", python="3.14.8")]),
        (at("2.13.0", python="3.14.8"), [at("2.12.1")]),
    ],
)
def test_newest_is_what_a_page_shows_at_first(newest: Environment, others: list[Environment]) -> None:
    """In whatever order they come."""
    assert newest_environment([newest, *others]) == newest_environment([*others, newest]) == newest


def test_nothing_recorded_has_no_newest() -> None:
    """And no line."""
    assert newest_environment([]) is None
    assert release_line([]) == []
    assert release_steps([at("2.6.0")]) == []


# --- the line ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("recorded", "line"),
    [
        # What NumPy changed is told from what torch changed, by the NumPy that two releases share.
        (
            [("2.3.1", NUMPY_NEWEST), ("2.2.2", NUMPY_1), ("2.3.1", NUMPY_1), ("2.3.1", NUMPY_2)],
            [("2.2.2", NUMPY_1), ("2.3.1", NUMPY_1), ("2.3.1", NUMPY_NEWEST)],
        ),
        # Without one, both change at once.
        ([("2.2.2", NUMPY_1), ("2.3.1", NUMPY_2)], [("2.2.2", NUMPY_1), ("2.3.1", NUMPY_2)]),
        # A NumPy that does not fit lies beside the line.
        (
            [("2.2.2", NUMPY_1), ("2.2.2", NUMPY_2), ("1.13.1", NUMPY_2), ("2.6.0", NUMPY_2)],
            [("2.2.2", NUMPY_1), ("2.6.0", NUMPY_2)],
        ),
        # The older NumPy of a release whose neighbour has the newer one leads nowhere.
        (
            [("2.6.0", NUMPY_2), ("2.13.0", NUMPY_1), ("2.13.0", NUMPY_2)],
            [("2.6.0", NUMPY_2), ("2.13.0", NUMPY_2)],
        ),
    ],
)
def test_line_changes_as_little_as_possible_at_each_step(
    recorded: list[tuple[str, str]], line: list[tuple[str, str]]
) -> None:
    """torch and NumPy of each environment."""
    found = release_line([at(*releases) for releases in recorded])
    assert [(environment.torch, environment.numpy) for environment in found] == line


def test_other_python_lies_beside_the_line() -> None:
    """What it does otherwise is no change of a release; where a release was recorded with nothing else it is
    named.
    """
    beside = [at("2.6.0"), at("2.13.0", python="3.14.8"), at("2.13.0"), at("2.14.1")]
    assert [environment.python for environment in release_line(beside)] == [f"{USUAL_PYTHON}.7"] * 3
    assert [step.name for step in release_steps([at("2.13.0"), at("2.14.1", python="3.14.8")])] == [
        "between torch 2.13 with Python 3.11 and torch 2.14 with Python 3.14"
    ]


def test_environment_is_offered_with_its_accelerator() -> None:
    """A CPU goes unnamed."""
    assert label_environment(CPU) == "torch 2.13.0, NumPy 2.4.6"
    assert label_environment(GPU) == "torch 2.13.0, NumPy 2.4.6, NVIDIA H200"


def test_other_platform_lies_beside_the_line() -> None:
    """Unless nothing else was recorded."""
    windows = [replace(at(torch), platform="windows-amd64") for torch in ("2.6.0", "2.7.0", "2.8.0")]
    usual = [at("2.6.0"), at("2.8.0")]
    assert release_line([*windows, *usual]) == usual
    assert release_line(windows) == windows


RECORDED = st.lists(
    st.builds(
        at,
        st.sampled_from(["1.13.1", "2.2.2", "2.3.1", "2.10.0", "2.13.0"]),
        st.sampled_from([NUMPY_1, NUMPY_2, NUMPY_NEWEST]),
        st.sampled_from([None, "12.6"]),
        st.sampled_from([f"{USUAL_PYTHON}.7", "3.9.2", "3.14.8"]),
    ),
    unique_by=lambda environment: environment.id,
)


@given(RECORDED, st.randoms(use_true_random=False))
def test_line_rises_and_holds_every_release_that_fits(
    recorded: list[Environment], chance: random.Random
) -> None:
    """Whoever was recorded first; no environment twice."""
    found = release_line(recorded)
    releases = [torch_release(environment) for environment in found]
    assert releases == sorted(releases)
    assert set(releases) == {
        torch_release(environment) for environment in recorded if is_compatible(environment)
    }
    assert all(is_compatible(environment) for environment in found)
    assert len({environment.id for environment in found}) == len(found)
    shuffled = list(recorded)
    chance.shuffle(shuffled)
    assert release_line(shuffled) == found


@given(RECORDED)
def test_line_changes_one_package_at_a_time_where_it_can(recorded: list[Environment]) -> None:
    """Both change at once only where the later release was not recorded with the NumPy of the earlier one."""
    known = {
        (torch_release(environment), environment.numpy)
        for environment in recorded
        if is_compatible(environment)
    }
    for step in release_steps(recorded):
        if step.package != "NumPy" and "NumPy" in step.packages:
            assert (torch_release(step.after), step.before.numpy) not in known


# --- steps ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (at("2.2.2"), at("2.3.1+cu121"), "torch 2.3"),
        (at("2.2.2", NUMPY_1), at("2.3.1", NUMPY_2), "torch 2.3 with NumPy 2.0"),
        (
            at("2.2.2", NUMPY_1),
            at("2.3.1"),
            "between torch 2.2 with NumPy 1.26 and torch 2.3 with NumPy 2.4",
        ),
        (at("1.13.1", NUMPY_1), at("2.0.1", NUMPY_1), "torch 2.0"),
        (at("2.3.1"), at("2.13.0"), "between torch 2.3 and 2.13"),
        (at("2.13.0", NUMPY_1), at("2.13.0", NUMPY_2), "NumPy 2.0"),
        (at("2.13.0", NUMPY_1), at("2.13.0+cu130", NUMPY_2, "13.0"), "NumPy 2.0"),
        (at("2.13.0+cpu"), at("2.13.0+cu130", cuda="13.0"), "another build"),
        (at("2.13.0", NUMPY_2), at("2.13.0", "2.1.3"), "NumPy 2.1"),
        (at("2.13.0", NUMPY_2), at("2.13.0"), "between NumPy 2.0 and 2.4"),
        (at("2.13.0", NUMPY_1), at("2.13.0", "2.1.3"), "between NumPy 1.26 and 2.1"),
        (at("2.13.0"), at("2.13.0", "3.0.1"), "between NumPy 2.4 and 3.0"),
        (at("2.13.0"), at("2.13.0", python="3.12.1"), "Python 3.12"),
        (at("2.13.0"), at("2.13.0", python="3.14.8"), "between Python 3.11 and 3.14"),
        (at("2.13.0"), at("2.13.0", python=f"{USUAL_PYTHON}.9"), "another build"),
        (
            at("2.13.0", NUMPY_1),
            at("2.13.0", NUMPY_2, python="3.12.1"),
            "NumPy 2.0 with Python 3.12",
        ),
        (
            at("2.2.2", NUMPY_1),
            at("2.3.1", NUMPY_2, python="3.12.1"),
            "torch 2.3 with NumPy 2.0 and Python 3.12",
        ),
    ],
)
def test_step_says_what_is_new(before: Environment, after: Environment, words: str) -> None:
    """torch, NumPy, Python, several of them, or none; between which two where others lie between."""
    step = ReleaseStep(before, after)
    assert step.name == words
    assert step.when == (words if words.startswith("between") else f"in {words}")
    assert step.package == next((name for name in ("torch", "NumPy", "Python") if name in words), "")


def test_closest_pairs_date_a_change_first() -> None:
    """Then those of the newest torch."""
    fine = [at("2.13.0", numpy) for numpy in (NUMPY_2, "2.1.3", "2.2.6", "2.3.5", NUMPY_NEWEST)]
    steps = package_steps(
        "NumPy", [*fine, at("2.15.0", NUMPY_2), at("2.15.0"), at("2.3.1", NUMPY_1), at("2.3.1")]
    )
    assert [step.after.torch for step in rank_steps(steps)] == [*["2.13.0"] * 4, "2.15.0", "2.3.1"]


@pytest.mark.parametrize(
    ("package", "release", "expected"),
    [
        ("NumPy", "1.25.2", "1.26"),
        ("NumPy", "1.26.4", "2.0"),
        ("NumPy", "2.26.0", "2.27"),
        ("torch", "1.13.1", "2.0"),
        ("torch", "2.13.0", "2.14"),
        ("Python", "3.11", "3.12"),
    ],
)
def test_next_minor_release_may_be_a_major_one(package: str, release: str, expected: str) -> None:
    """Where the last of the one before it is known."""
    assert next_minor(package, Version(release)) == expected


def test_python_steps_keep_everything_else() -> None:
    """By torch release, from old Python to new as releases; no step leads to another NumPy or build."""
    recorded = [
        at("2.13.0", python="3.14.8"),
        at("2.13.0", python="3.9.1"),
        at("2.13.0"),
        at("2.13.0", NUMPY_1, python="3.13.1"),
        at("2.13.0+cu130", cuda="13.0", python="3.13.1"),
        at("2.2.2", NUMPY_1, python="3.9.1"),
        at("2.2.2", NUMPY_1),
    ]
    assert pairs(package_steps("Python", recorded)) == [
        ("2.2.2/1.26.4/cpu/3.9", "2.2.2/1.26.4/cpu"),
        ("2.13.0/2.4.6/cpu/3.9", "2.13.0/2.4.6/cpu"),
        ("2.13.0/2.4.6/cpu", "2.13.0/2.4.6/cpu/3.14"),
    ]


def test_numpy_steps_keep_everything_else() -> None:
    """By torch release, from old NumPy to new, those that do not fit included; no step leads to another
    device.
    """
    recorded = [
        at("2.13.0", "2.0.10"),
        at("2.13.0", NUMPY_1),
        at("2.13.0", NUMPY_2),
        at("2.2.2", NUMPY_2),
        at("2.2.2", NUMPY_1),
        at("2.13.0+cu130", NUMPY_1, "13.0"),
        replace(GPU, torch="2.13.0+cu130"),
        replace(at("2.13.0+cu130", cuda="13.0"), python="3.13.1"),
    ]
    assert pairs(package_steps("NumPy", recorded)) == [
        ("2.2.2/1.26.4/cpu", "2.2.2/2.0.2/cpu"),
        ("2.13.0/1.26.4/cpu", "2.13.0/2.0.2/cpu"),
        ("2.13.0/2.0.2/cpu", "2.13.0/2.0.10/cpu"),
    ]


def test_torch_steps_lead_over_the_build_that_others_have() -> None:
    """That with CUDA, in whatever order they were recorded; another build alone is no step."""
    cpu, cuda = at("2.13.0+cpu"), at("2.13.0+cu130", cuda="13.0")
    for builds in ([cpu, cuda], [cuda, cpu]):
        recorded = [at("2.12.1+cu130", cuda="13.0"), *builds, at("2.14.1+cu130", cuda="13.0")]
        steps = package_steps("torch", recorded)
        assert [(step.before.torch, step.after.torch) for step in steps] == [
            ("2.12.1+cu130", "2.13.0+cu130"),
            ("2.13.0+cu130", "2.14.1+cu130"),
        ]
        assert package_steps("torch", builds) == []


def test_numpy_step_is_no_other_build_device_or_python() -> None:
    """Two environments of one torch and one NumPy are no step either."""
    card = replace(GPU, torch="2.13.0+cu130")
    host = replace(card, device="cpu", device_count=0)
    assert package_steps("NumPy", [card, host]) == []
    assert (
        package_steps(
            "NumPy", [card, replace(host, numpy=NUMPY_1), replace(card, python="3.12.1", numpy=NUMPY_1)]
        )
        == []
    )
    assert package_steps("NumPy", [card, replace(card, numpy=NUMPY_1)]) == [
        ReleaseStep(replace(card, numpy=NUMPY_1), card)
    ]


def test_neighbours_are_before_and_after_along_the_line_and_in_numpy() -> None:
    """A step that is on both is named once; another kind of device is no neighbour."""
    here = at("2.13.0", NUMPY_2)
    others = [at("2.12.1", NUMPY_2), at("2.14.1"), at("2.13.0"), at("2.13.0", NUMPY_1), GPU]
    into, out = steps_around(here, others)
    assert pairs(into) == [
        ("2.12.1/2.0.2/cpu", "2.13.0/2.0.2/cpu"),
        ("2.13.0/1.26.4/cpu", "2.13.0/2.0.2/cpu"),
    ]
    assert pairs(out) == [("2.13.0/2.0.2/cpu", "2.13.0/2.4.6/cpu")]
    into, out = steps_around(at("2.13.0"), [here, *others])
    assert pairs(into) == [("2.13.0/2.0.2/cpu", "2.13.0/2.4.6/cpu")]
    assert pairs(out) == [("2.13.0/2.4.6/cpu", "2.14.1/2.4.6/cpu")]


def test_neighbours_in_python_are_neighbours() -> None:
    """A record with another Python is held against the one with this; none is a neighbour of itself."""
    here = at("2.13.0", python="3.14.8")
    into, out = steps_around(here, [at("2.13.0"), at("2.14.1"), at("2.12.1")])
    assert (pairs(into), out) == ([("2.13.0/2.4.6/cpu", "2.13.0/2.4.6/cpu/3.14")], [])
    into, out = steps_around(CPU, [replace(CPU, date="2020-01-01"), OLDER])
    assert ([step.after for step in into], out) == ([CPU], [])


# --- names ---------------------------------------------------------------------------------------

ALL = [
    OLDER,
    at("2.2.2+cpu", NUMPY_2),
    CPU,
    at("2.13.0+cpu", NUMPY_1),
    GPU,
    at("2.14.0+cpu"),
    at("2.14.1+cu130", cuda="13.0"),
    at("2.14.1+cu130", cuda="13.0", python="3.14.8"),
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2.2.2", OLDER),
        ("2.2.2/2.0.2", at("2.2.2+cpu", NUMPY_2)),
        ("2.13.0", CPU),
        ("2.13.0+cu130", GPU),
        ("2.13.0/1.26.4/cpu", at("2.13.0+cpu", NUMPY_1)),
        ("2.13/1.26", at("2.13.0+cpu", NUMPY_1)),
        ("2.13.0//cuda", GPU),
        ("2.13/2.4.6/NVIDIA H200", GPU),
        ("2.13", CPU),
        ("2.14", at("2.14.1+cu130", cuda="13.0")),
        ("2.14.0", at("2.14.0+cpu")),
        ("2.14.1///3.14", at("2.14.1+cu130", cuda="13.0", python="3.14.8")),
        ("2.14/2.4.6/cpu/3.14.8", at("2.14.1+cu130", cuda="13.0", python="3.14.8")),
        (f"2.14.1/2.4.6/cpu/{USUAL_PYTHON}", at("2.14.1+cu130", cuda="13.0")),
        (OLDER.id, OLDER),
    ],
)
def test_environment_is_named_shortly(text: str, expected: Environment) -> None:
    """A release or a minor release; what is left out is the newest that fits, on a CPU; or an id."""
    assert find_environment(text, ALL) == expected


@pytest.mark.parametrize(
    "text",
    ["2.7.1", "2", "2.13.0/2.0.2", "2.2.2//cuda", "nonsense", "", "2.13.0/x", "2.13///3.14", "2.14/////"],
)
def test_unknown_name_leads_nowhere(text: str) -> None:
    """It names no release that was recorded, or is no name."""
    assert find_environment(text, ALL) is None


@given(RECORDED.filter(bool))
def test_every_name_leads_to_its_release_and_numpy(recorded: list[Environment]) -> None:
    """What a message lists can be typed."""
    for environment in recorded:
        found = find_environment(name_environment(environment), recorded)
        assert found is not None
        assert name_environment(found) == name_environment(environment)
        assert find_environment(environment.id, recorded) == environment


def test_width_counts_minor_releases_where_most_lie_between() -> None:
    """Of the package that goes farthest; builds of one release lie in one place."""
    assert ReleaseStep(CPU, replace(CPU, torch="2.13.0+cu130", cuda="13.0")).width == 0
    assert ReleaseStep(CPU, replace(CPU, torch="2.15.0+cpu")).width == 2
    assert ReleaseStep(replace(CPU, torch="2.12.0+cpu", numpy="2.1.3"), CPU).width == 3


def test_environment_is_held_to_its_own_record_else_to_the_release_before() -> None:
    """With the same NumPy where there is one; never to a newer one, nor to another kind of device."""
    middle, newer = replace(CPU, torch="2.9.1+cpu"), replace(CPU, torch="2.15.0+cpu")
    assert find_baseline(CPU, [middle, CPU, newer]) == CPU
    assert find_baseline(CPU, [OLDER, middle, newer]) == middle
    assert find_baseline(CPU, [newer, GPU]) is None
    assert find_baseline(replace(newer, numpy="1.26.4"), [OLDER, middle, CPU]) == OLDER
    assert find_baseline(replace(newer, numpy="2.0.2"), [OLDER, middle, CPU]) == CPU
    assert find_baseline(GPU, [CPU, replace(GPU, torch="2.11.0+cu130")]) == replace(GPU, torch="2.11.0+cu130")


CARD = replace(CPU, device="Some Card", cuda="13.0")


@pytest.mark.parametrize(
    ("environments", "words"),
    [
        ([CPU], "torch 2.13, NumPy 2.4"),
        ([at("2.2.2", NUMPY_1), CPU], "torch 2.2 and 2.13, NumPy 1.26 and 2.4"),
        ([at("2.13.0", python="3.14.10")], "torch 2.13, NumPy 2.4, Python 3.14"),
        ([at("2.13.0", python="3.14.10"), CPU], "torch 2.13, NumPy 2.4"),
        ([at(f"2.{n}.0") for n in (10, 2, 9)], "torch 2.2, 2.9 and 2.10, NumPy 2.4"),
        ([at(f"2.{n}.0") for n in range(5, 11)], "torch 2.5 to 2.10 (6 releases), NumPy 2.4"),
        ([CARD], "torch 2.13, NumPy 2.4, Some Card"),
    ],
)
def test_environments_together_have_a_name_for_readers(environments: list[Environment], words: str) -> None:
    """Minor releases in order, of many the ends; what is not usual comes last."""
    assert name_releases(environments) == words
