"""Committed measurements: how figures draw them, and what guides say of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tensor_atlas.checkout import project
from tensor_atlas.timings.timing import OTHERS, RETURN, UP, VALUE, VALUES

Measurement = dict[str, Any]
"""A file written by ``tensor_atlas.timings.measure``, parsed."""

NOT_YET = "Not yet measured: no GPU builder has timed transfers for this site"
"""Text in the place of every number until one has."""

PAGEABLE, PINNED = 'tensor.to("cuda")', 'pinned.to("cuda")'
QUEUED, PINNED_FIRST = (
    'pinned.to("cuda", non_blocking=True)',
    'tensor.pin_memory().to("cuda", non_blocking=True)',
)
CLOSE = 1.1
"""Ratio of durations up to which they count as equal."""


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
        return NOT_YET
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
    bound = bandwidth_limit(measured, series) / 1e9
    found = list_durations(measured, series)
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


@dataclass(frozen=True)
class Duration:
    """How long one call took at one size."""

    name: str
    """The call, as code."""
    size: int
    """Bytes, or elements."""
    low: float
    """Lower quartile, in seconds."""
    median: float
    """Median, in seconds."""
    high: float
    """Upper quartile, in seconds."""


def list_durations(measured: Measurement, series: str) -> list[Duration]:
    """Durations of a series, in the order in which they were taken."""
    cases = [case for case in measured["cases"] if case["series"] == series]
    return [Duration(c["name"], c["size"], c["low"], c["median"], c["high"]) for c in cases]


def bandwidth_limit(measured: Measurement, series: str) -> float:
    """Bytes a second that one plain large copy reached in the same run."""
    return float(measured["limits"][series])


def format_bytes(size: int) -> str:
    """Bytes in a binary unit: ``64 KiB``."""
    power = min((size.bit_length() - 1) // 10, 3)
    return f"{size >> 10 * power} {('B', 'KiB', 'MiB', 'GiB')[power]}"


def render_shares(measured: Measurement | None, series: str) -> str:
    """Markdown table of the share of the limit: a row for each call, a column for each size."""
    if measured is None:
        return f"{NOT_YET}."
    found = list_durations(measured, series)
    bound = bandwidth_limit(measured, series)
    shares = {(d.name, d.size): f"{d.size / d.median / bound:.0%}" for d in found}
    return _render_table(found, format_bytes, shares)


def render_multiples(measured: Measurement | None, series: str, base: str, unit: Callable[[int], str]) -> str:
    """Markdown table of multiples of the time of ``base``: a row for each call, a column for each size."""
    if measured is None:
        return f"{NOT_YET}."
    found = list_durations(measured, series)
    bases = {d.size: d.median for d in found if d.name == base}
    multiples = {(d.name, d.size): f"{_two_digits(d.median / bases[d.size])} ×" for d in found}
    return _render_table(found, unit, multiples)


def _render_table(
    found: Sequence[Duration], unit: Callable[[int], str], cells: Mapping[tuple[str, int], str]
) -> str:
    names, sizes = list(dict.fromkeys(d.name for d in found)), list(dict.fromkeys(d.size for d in found))
    lines = [f"| | {' | '.join(map(unit, sizes))} |", f"| --- |{' ---: |' * len(sizes)}"]
    for name in names:
        row = [cells[name, size] for size in sizes]
        lines.append(f"| `{name}` | {' | '.join(row)} |")
    return "\n".join(lines)


def _two_digits(ratio: float) -> str:
    """A ratio with two digits, or all of those before the point."""
    return f"{ratio:.2g}" if ratio < 10 else f"{ratio:,.0f}"


def render_advice(measured: Measurement | None) -> str:
    """Markdown list of advice that follows from a measurement; a sentence where there is none."""
    if measured is None:
        return f"{NOT_YET}."
    sentences = (*_advise_on_links(measured), *_advise_on_pinning(measured), *_advise_on_reads(measured))
    return "\n".join(f"- {sentence}" for sentence in sentences)


def _advise_on_links(measured: Measurement) -> Iterator[str]:
    """How much of the link each kind of memory uses, and from which size on."""
    found = list_durations(measured, UP)
    bound = bandwidth_limit(measured, UP)
    last = max(d.size for d in found)
    most = format_bytes(last)
    pageable, pinned = _find(found, PAGEABLE, last), _find(found, PINNED, last)
    yield (
        f"With {most}, `{PINNED}` reaches {last / pinned.median / bound:.0%} of what the link can do, "
        f"`{PAGEABLE}` {last / pageable.median / bound:.0%}."
    )
    slow = [d.size for d in found if d.name == PINNED and d.size / d.median <= bound / 2]
    fast = [d.size for d in found if d.name == PINNED and d.size > max(slow, default=0)]
    if fast:
        least = format_bytes(min(fast))
        yield f"From {least} on, a pinned upload uses more than half of the link: gather what is smaller."
    queued = _find(list_durations(measured, RETURN), QUEUED, last)
    yield (
        f"With `non_blocking=True` the call is back after {queued.median / pinned.median:.2%} "
        f"of the time that a pinned upload of {most} takes."
    )


def _advise_on_pinning(measured: Measurement) -> Iterator[str]:
    """Whether a copy to pinned memory pays when it is made for one upload."""
    found = list_durations(measured, UP)
    sizes = sorted({d.size for d in found})
    faster = _sizes_where_faster(found, sizes, PINNED_FIRST, PAGEABLE)
    slower = _sizes_where_faster(found, sizes, PAGEABLE, PINNED_FIRST)
    words = [f"{word} at {some}" for word, some in (("faster", faster), ("slower", slower)) if some]
    result = " and ".join(words) or "neither faster nor slower at any size"
    yield f"`pin_memory()` for one upload, its own copy included, is {result}, compared with `{PAGEABLE}`."


def _sizes_where_faster(found: Sequence[Duration], sizes: Sequence[int], name: str, other: str) -> str:
    """Sizes at which one call is clearly faster than another, in words."""
    faster = [s for s in sizes if _find(found, name, s).median * CLOSE < _find(found, other, s).median]
    return ", ".join(map(format_bytes, faster))


def _advise_on_reads(measured: Measurement) -> Iterator[str]:
    """What it costs to read values one by one, and to hand memory over."""
    single = {d.name: d.median for d in list_durations(measured, VALUE)}
    times = _two_digits(single["tensor.item()"] / single["torch.cuda.synchronize()"])
    yield f"`tensor.item()` takes {times} times as long as a wait for a GPU that has nothing to do."
    many = list_durations(measured, VALUES)
    last = max(d.size for d in many)
    times = _ratio(many, "[x.item() for x in tensor]", "tensor.tolist()", last)
    yield f"To read {last} values one by one takes {times} times as long as `tensor.tolist()`."
    others = list_durations(measured, OTHERS)
    if others:
        most = max(d.size for d in others)
        times = _ratio(others, "tensor.cpu().numpy()", "torch.from_dlpack(tensor)", most)
        copied = f"`tensor.cpu().numpy()` of {format_bytes(most)}"
        yield f"{copied} takes {times} times as long as `torch.from_dlpack(tensor)`."


def _ratio(found: Sequence[Duration], name: str, other: str, size: int) -> str:
    return _two_digits(_find(found, name, size).median / _find(found, other, size).median)


def _find(found: Sequence[Duration], name: str, size: int) -> Duration:
    return next(d for d in found if (d.name, d.size) == (name, size))
