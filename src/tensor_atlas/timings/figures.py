"""What figures and guides have in common: the committed measurements, and how they are drawn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tensor_atlas import project, speed
from tensor_atlas.speed import Benchmark
from tensor_atlas.timings import advice
from tensor_atlas.timings.advice import Measurement


def measurement() -> Measurement:
    """The measurement of the checkout that the working directory lies in; AtlasError outside of one."""
    found: Measurement = json.loads((_folder() / "cpu.json").read_text(encoding="utf-8"))
    return found


def gpu_measurement() -> Measurement | None:
    """The measurement that a GPU builder made; None while there is none."""
    return _where_made("cuda.json")


def benchmark() -> Benchmark | None:
    """The benchmark of the gate and the site; None while there is none."""
    return _where_made("bench.json")


def _where_made(name: str) -> dict[str, Any] | None:
    path = _folder() / name
    if not path.is_file():
        return None
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _folder() -> Path:
    return project.find(Path.cwd()).root / "docs" / "measurements"


def environment(measured: Measurement | None) -> str:
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


def draw(axes: Any, measured: Measurement, series: str, base: str) -> None:
    """Draw the median time of every case of a series as a multiple of one of them, with its quartiles as a band.

    ``axes`` are matplotlib's; both scales are logarithmic, the abscissa is the size that the case names.
    """
    cases = [case for case in measured["cases"] if case["series"] == series]
    unit = {case["size"]: case["median"] for case in cases if case["name"] == base}
    for name in dict.fromkeys(case["name"] for case in cases):
        mine = [case for case in cases if case["name"] == name]
        sizes = [case["size"] for case in mine]
        low, middle, high = (
            [case[key] / unit[case["size"]] for case in mine] for key in ("low", "median", "high")
        )
        axes.plot(sizes, middle, marker="o", label=name)
        axes.fill_between(sizes, low, high, alpha=0.2)
    axes.set(xscale="log", yscale="log", ylabel=f"time, multiple of {base}", title=series)
    axes.grid(alpha=0.3)
    axes.legend()


def draw_bandwidth(axes: Any, measured: Measurement | None, series: str) -> None:
    """Draw what each call of a series moves a second, over the bytes of the tensor, and the limit as a line.

    The limit is one plain large copy in the same run. Without a measurement the words for that stand in the middle.
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
        low, middle, high = (
            [d.size / getattr(d, key) / 1e9 for d in mine] for key in ("high", "median", "low")
        )
        axes.plot(sizes, middle, marker="o", label=name)
        axes.fill_between(sizes, low, high, alpha=0.2)
    axes.axhline(bound, color="black", linestyle="--", label="limit: one plain large copy")
    axes.set_xscale("log", base=2)
    axes.set(yscale="log", ylabel="GB a second", xlabel="bytes of the tensor")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")


MARKERS = "o^sD"
"""A shape for each count of examples: colour alone tells nobody anything."""


def draw_speed(axes: Any, measured: Benchmark | None, per_file: int) -> None:
    """Draw what each system takes as a multiple of the floor: a line of its own, a shape for each count of examples.

    A system that has no number keeps its line, which says so.
    """
    axes.set(yticks=[], ylim=(len(speed.ROWS) - 0.5, -1))
    found = [speed.figures(measured, row, per_file) for row in speed.ROWS]
    for line, (row, figures) in enumerate(zip(speed.ROWS, found, strict=True)):
        # Names stand above their lines: beside them they would take half the width of a phone.
        name = row.name.replace("`", "") + ("" if figures else f": {speed.NOT_YET}")
        axes.text(0.01, line - 0.25, name, transform=axes.get_yaxis_transform(), va="bottom")
    for marker, count in zip(MARKERS, speed.COUNTS, strict=True):
        known = {line: figures[count] for line, figures in enumerate(found) if count in figures}
        if known:
            ratios = [figure.ratio for figure in known.values()]
            axes.scatter(ratios, list(known), marker=marker, label=f"{count:,} examples", zorder=2)
            low, high = ([getattr(figure, key) for figure in known.values()] for key in ("low", "high"))
            axes.hlines(list(known), low, high, color="grey", zorder=1)
    if any(found):
        axes.set_xscale("log")
        axes.axvline(1, color="black", linestyle="--")
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, fontsize="small")
    else:
        axes.set_xticks([])
    axes.set_xlabel("time, multiple of the bare loop in the same round")
    axes.grid(alpha=0.3, axis="x")
