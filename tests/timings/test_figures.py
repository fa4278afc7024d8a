"""What the figures draw from a measurement."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from samples import ROOT, project

from tensor_atlas.errors import AtlasError
from tensor_atlas.timings.figures import (
    NOT_YET,
    describe_measurement,
    draw_bandwidth,
    draw_times,
    read_gpu_measurement,
    read_measurement,
)
from tensor_atlas.timings.timing import UP


def case(name: str, size: int, median: float) -> dict[str, object]:
    """A case of the series that is drawn."""
    return {
        "series": "s",
        "name": name,
        "size": size,
        "low": median / 2,
        "median": median,
        "high": median * 2,
    }


def test_every_case_is_a_multiple_of_the_base_at_its_size() -> None:
    """The base is 1 everywhere; cases of other series are left out."""
    cases = [case("a", 1, 2.0), case("b", 1, 6.0), case("a", 10, 4.0), case("b", 10, 2.0)]
    other = {**case("c", 1, 1.0), "series": "another"}
    axes = Figure().subplots()
    draw_times(axes, {"cases": [*cases, other]}, "s", "a")
    drawn = {str(line.get_label()): np.asarray(line.get_ydata(), dtype=float).tolist() for line in axes.lines}
    assert drawn == {"a": [1.0, 1.0], "b": [3.0, 0.5]}
    assert axes.get_ylabel() == "time, multiple of a"


def test_committed_measurement_names_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """From any folder of the checkout."""
    monkeypatch.chdir(ROOT / "examples")
    assert describe_measurement(read_measurement()).startswith("torch ")


def test_bandwidth_is_drawn_with_its_limit_as_a_line() -> None:
    """In GB a second, over the bytes; the slowest quartile is the lower edge of the band."""
    cases = [{**case("a", 2**30, 1.0), "series": UP}, {**case("a", 2**20, 0.5), "series": UP}]
    axes = Figure().subplots()
    draw_bandwidth(axes, {"cases": cases, "limits": {UP: 2e9}}, UP)
    line, bound = axes.lines
    assert line.get_label() == "a"
    assert np.asarray(line.get_ydata(), dtype=float).tolist() == [2**30 / 1e9, 2**21 / 1e9]
    assert set(np.asarray(bound.get_ydata(), dtype=float).tolist()) == {2.0}
    assert str(bound.get_label()).startswith("limit")


def test_figure_without_a_measurement_says_so() -> None:
    """Nothing is drawn that could pass for a number."""
    axes = Figure().subplots()
    draw_bandwidth(axes, None, UP)
    assert [text.get_text() for text in axes.texts] == ["not yet measured"]
    assert (list(axes.lines), list(axes.get_xticks()), list(axes.get_yticks())) == ([], [], [])
    assert describe_measurement(None) == NOT_YET


def test_measurement_of_a_gpu_is_there_or_names_its_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a run on a GPU writes it: one without a device is made up."""
    monkeypatch.chdir(ROOT)
    found = read_gpu_measurement()
    if found is None:
        pytest.skip("no GPU builder has timed transfers yet")
    assert found["environment"]["device_count"] > 0
    assert f", {found['environment']['device']}, CUDA " in describe_measurement(found)


def test_environment_of_a_gpu_names_card_driver_and_release() -> None:
    """One line; that of a CPU has none of it."""
    where = {"torch": "2.11.0+cu130", "numpy": "2.4.6", "python": "3.12.3", "platform": "linux-x86_64"}
    card = {"device": "Some Card", "cuda": "13.0", "driver": "580.1", "device_count": 1, "date": "2026-01-02"}
    told = describe_measurement({"environment": {**where, **card}, "threads": 8, "rounds": 7})
    assert told.endswith(
        "linux-x86_64, Some Card, CUDA 13.0, driver 580.1, 2026-01-02; threads: 8; rounds: 7"
    )


def test_checkout_without_a_gpu_s_measurement_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no error: most machines have no GPU."""
    monkeypatch.chdir(project(tmp_path / "checkout", "good"))
    assert read_gpu_measurement() is None


def test_outside_a_checkout_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a message that says so."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AtlasError, match="not inside a checkout"):
        read_measurement()
