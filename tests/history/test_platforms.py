"""Other platforms than the usual one: environments made by hand here, as test data; no record has them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import CPU, OLDER

from tensor_atlas.history.conditions import condition_holds, describe_releases, find_conditions
from tensor_atlas.history.releases import (
    find_environment,
    name_environment,
    newest_environment,
    release_line,
    summarize_environment,
)
from tensor_atlas.model.runs import Environment

MAC = replace(CPU, torch="2.13.0", platform="darwin-arm64")
MPS = replace(MAC, device="mps", device_count=1)
ARM = replace(CPU, platform="linux-aarch64")
WINDOWS = replace(OLDER, platform="windows-amd64")


@pytest.mark.parametrize(
    ("condition", "there"),
    [
        ("macos", [MAC, MPS]),
        ("arm64", [MAC, MPS, ARM]),
        ("linux", [CPU, OLDER, ARM]),
        ("windows and numpy < 2", [WINDOWS]),
        ("x86_64", [CPU, OLDER, WINDOWS]),
    ],
)
def test_condition_names_a_platform(condition: str, there: list[Environment]) -> None:
    """By the name of its system or of its processor."""
    everywhere = [CPU, OLDER, MAC, MPS, ARM, WINDOWS]
    assert [each for each in everywhere if condition_holds(condition, each)] == [
        each for each in everywhere if each in there
    ]


def test_difference_of_a_platform_is_not_told_as_one_of_a_release() -> None:
    """NumPy 1 makes int32 of Python's ints on Windows, whatever the release of torch is."""
    assert find_conditions([WINDOWS], [OLDER, CPU]) == ["windows"]
    assert describe_releases([WINDOWS], [OLDER, CPU]) == "on Windows"
    assert describe_releases([MAC], [MPS]) == "on a CPU"


def test_platform_is_named_where_it_is_not_the_usual_one() -> None:
    """A name leads back to its environment, and a label says what a reader calls the machine."""
    known = [CPU, MAC, ARM]
    for environment in known:
        assert find_environment(name_environment(environment), known) == environment
    assert name_environment(MAC) == "2.13.0/2.4.6/cpu/3.11/darwin-arm64"
    assert summarize_environment(MAC) == "torch 2.13.0, NumPy 2.4.6, macOS arm64, cpu"
    assert "x86_64" not in summarize_environment(CPU)


def test_pages_show_the_usual_platform_at_first() -> None:
    """A newer NumPy on another platform does not take its place, nor a step on the line of releases."""
    newer = replace(MAC, numpy="2.5.0", python="3.14.0")
    assert newest_environment([CPU, newer]) == CPU
    assert release_line([OLDER, CPU, newer, WINDOWS]) == [OLDER, CPU]
    assert release_line([MAC]) == [MAC]
