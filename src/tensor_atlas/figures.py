"""What figures and the guide on performance have in common: the committed measurement, and how it is drawn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tensor_atlas import project

Measurement = dict[str, Any]
"""A file written by ``tensor_atlas.probe.measure``, parsed."""


def measurement() -> Measurement:
    """The measurement of the checkout that the working directory lies in; AtlasError outside of one."""
    path = project.find(Path.cwd()).root / "docs" / "measurements" / "cpu.json"
    found: Measurement = json.loads(path.read_text(encoding="utf-8"))
    return found


def environment(measured: Measurement) -> str:
    """Where and how it was measured, in one line."""
    where = measured["environment"]
    releases = f"torch {where['torch']}, NumPy {where['numpy']}, Python {where['python']}"
    how = f"threads: {measured['threads']}; rounds: {measured['rounds']}"
    return f"{releases}, {where['platform']}, {where['date']}; {how}"


def draw(axes: Any, measured: Measurement, series: str, base: str) -> None:
    """Draw the median time of every case of a series as a multiple of one of them, with its quartiles as a band.

    ``axes`` are matplotlib's; both scales are logarithmic, the abscissa is the size that the case names.
    """
    cases = [case for case in measured["cases"] if case["series"] == series]
    unit = {case["size"]: case["median"] for case in cases if case["name"] == base}
    for name in dict.fromkeys(case["name"] for case in cases):
        mine = [case for case in cases if case["name"] == name]
        sizes = [case["size"] for case in mine]
        low, middle, high = ([case[key] / unit[case["size"]] for case in mine] for key in ("low", "median", "high"))
        axes.plot(sizes, middle, marker="o", label=name)
        axes.fill_between(sizes, low, high, alpha=0.2)
    axes.set(xscale="log", yscale="log", ylabel=f"time, multiple of {base}", title=series)
    axes.grid(alpha=0.3)
    axes.legend()
