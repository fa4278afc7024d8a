"""What the figures draw from a measurement."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from samples import ROOT

from tensor_atlas.errors import AtlasError
from tensor_atlas.figures import draw, environment, measurement


def case(name: str, size: int, median: float) -> dict[str, object]:
    """A case of the series that is drawn."""
    return {"series": "s", "name": name, "size": size, "low": median / 2, "median": median, "high": median * 2}


def test_every_case_is_a_multiple_of_the_base_at_its_size() -> None:
    """The base is 1 everywhere; cases of other series are left out."""
    cases = [case("a", 1, 2.0), case("b", 1, 6.0), case("a", 10, 4.0), case("b", 10, 2.0)]
    other = {**case("c", 1, 1.0), "series": "another"}
    axes = Figure().subplots()
    draw(axes, {"cases": [*cases, other]}, "s", "a")
    drawn = {str(line.get_label()): np.asarray(line.get_ydata(), dtype=float).tolist() for line in axes.lines}
    assert drawn == {"a": [1.0, 1.0], "b": [3.0, 0.5]}
    assert axes.get_ylabel() == "time, multiple of a"


def test_committed_measurement_names_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """From any folder of the checkout."""
    monkeypatch.chdir(ROOT / "examples")
    assert environment(measurement()).startswith("torch ")


def test_outside_a_checkout_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a message that says so."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AtlasError, match="not inside a checkout"):
        measurement()
