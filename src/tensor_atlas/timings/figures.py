"""Committed measurements, and how figures and guides draw them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tensor_atlas.checkout import project
from tensor_atlas.timings import advice
from tensor_atlas.timings.advice import Measurement


def read_measurement() -> Measurement:
    """The measurement of the checkout that the working directory lies in; AtlasError outside of one."""
    found: Measurement = json.loads((_folder() / "cpu.json").read_text(encoding="utf-8"))
    return found


def read_gpu_measurement() -> Measurement | None:
    """The measurement that a GPU builder made; None while there is none."""
    path = _folder() / "cuda.json"
    if not path.is_file():
        return None
    found: Measurement = json.loads(path.read_text(encoding="utf-8"))
    return found


def _folder() -> Path:
    return project.find(Path.cwd()).root / "docs" / "measurements"


def describe_measurement(measured: Measurement | None) -> str:
    """Where and how it was measured, in one line; that it was not, where it was not."""
    if measured is None:
        return advice.NOT_YET
    where = measured["environment"]
    releases = f"torch {where['torch']}, NumPy {where['numpy']}, Python {where['python']}"
    device = (
        f", {where['device']}, CUDA {where['cuda']}, driver {where['driver']}"
        if where["device_count"]
        else ""
    )
    how = f"threads: {measured['threads']}; rounds: {measured['rounds']}"
    return f"{releases}, {where['platform']}{device}, {where['date']}; {how}"


def draw_times(axes: Any, measured: Measurement, series: str, base: str) -> None:
    """Draw median times of a series as multiples of one of its cases, with the quartiles as bands.

    ``axes`` are matplotlib's; both scales are logarithmic, the abscissa is the size that the case names.
    """
    cases = [case for case in measured["cases"] if case["series"] == series]
    unit = {case["size"]: case["median"] for case in cases if case["name"] == base}
    for name in dict.fromkeys(case["name"] for case in cases):
        mine = [case for case in cases if case["name"] == name]
        sizes = [case["size"] for case in mine]
        axes.plot(sizes, _multiples(mine, "median", unit), marker="o", label=name)
        axes.fill_between(sizes, _multiples(mine, "low", unit), _multiples(mine, "high", unit), alpha=0.2)
    axes.set(xscale="log", yscale="log", ylabel=f"time, multiple of {base}", title=series)
    axes.grid(alpha=0.3)
    axes.legend()


def _multiples(cases: Sequence[Mapping[str, Any]], key: str, unit: Mapping[int, float]) -> list[float]:
    return [case[key] / unit[case["size"]] for case in cases]


def draw_bandwidth(axes: Any, measured: Measurement | None, series: str) -> None:
    """Draw the bandwidth of each call of a series over the bytes of the tensor, and the limit as a line.

    The limit is one plain large copy in the same run. Without a measurement the axes say so.
    """
    axes.set_title(series)
    if measured is None:
        axes.text(0.5, 0.5, "not yet measured", transform=axes.transAxes, ha="center", va="center")
        axes.set(xticks=[], yticks=[])
        return
    bound = advice.bandwidth_limit(measured, series) / 1e9
    found = advice.list_durations(measured, series)
    for name in dict.fromkeys(duration.name for duration in found):
        mine = [duration for duration in found if duration.name == name]
        sizes = [duration.size for duration in mine]
        axes.plot(sizes, [d.size / d.median / 1e9 for d in mine], marker="o", label=name)
        low = [d.size / d.high / 1e9 for d in mine]
        high = [d.size / d.low / 1e9 for d in mine]
        axes.fill_between(sizes, low, high, alpha=0.2)
    axes.axhline(bound, color="black", linestyle="--", label="limit: one plain large copy")
    axes.set_xscale("log", base=2)
    axes.set(yscale="log", ylabel="GB a second", xlabel="bytes of the tensor")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
