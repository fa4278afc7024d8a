"""What guides say of a committed measurement; pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tensor_atlas.timings.timing import DOWN, OTHERS, RETURN, UP, VALUE, VALUES

Measurement = dict[str, Any]
"""A file written by ``tensor_atlas.timings.measure``, parsed."""

NOT_YET = "Nothing has been timed on a GPU for this site yet."
"""What stands there, once, instead of numbers."""

PAGEABLE, PINNED = 'tensor.to("cuda")', 'pinned.to("cuda")'
QUEUED, PINNED_FIRST = (
    'pinned.to("cuda", non_blocking=True)',
    'tensor.pin_memory().to("cuda", non_blocking=True)',
)
DOWNLOAD, DOWNLOAD_PINNED = "tensor.cpu()", "pinned.copy_(tensor)"
CLOSE = 1.1
"""Ratio of durations up to which they count as equal."""


def render_transfers(measured: Measurement) -> str:
    """Markdown on transfers between CPU and GPU: where they were timed, advice, tables."""
    about_tables = (
        "The tables show the speed of uploads and downloads, as a percentage of the speed of one plain large "
        "copy in the same run. Each time includes the wait until every value has arrived:"
    )
    about_charts = (
        "A percentage well below 100 means that the transfer leaves part of the link unused. "
        "{doc}`/gallery/14_performance/plot_transfers` shows the bytes per second of this machine."
    )
    parts = [
        describe_measurement(measured),
        render_advice(measured),
        about_tables,
        render_shares(measured, UP),
        render_shares(measured, DOWN),
        about_charts,
    ]
    return "\n\n".join(parts)


def render_reads(measured: Measurement) -> str:
    """Markdown on reading a GPU tensor and passing it on: where it was timed, tables."""
    parts = [
        describe_measurement(measured),
        "The time to read a single value, as a multiple of a `torch.cuda.synchronize()` on an idle GPU:",
        render_multiples(measured, VALUE, "torch.cuda.synchronize()", "{} value".format),
        "The time to read all values of a GPU tensor, by their number:",
        render_multiples(measured, VALUES, "tensor.tolist()", "{} values".format),
        "The time to pass a tensor to another library on the GPU, and to NumPy:",
        render_multiples(measured, OTHERS, "torch.from_dlpack(tensor)", format_bytes),
    ]
    return "\n\n".join(parts)


def describe_measurement(measured: Measurement) -> str:
    """Where and how it was measured, in one line."""
    where = measured["environment"]
    releases = f"torch {where['torch']}, NumPy {where['numpy']}, Python {where['python']}"
    device = (
        f", {where['device']}, CUDA {where['cuda']}, driver {where['driver']}"
        if where["device_count"]
        else ""
    )
    how = f"threads: {measured['threads']}; rounds: {measured['rounds']}"
    return f"{releases}, {where['platform']}{device}, {where['date']}; {how}"


@dataclass(frozen=True)
class Duration:
    """How long one call took at one size."""

    name: str
    """The call, as code."""
    size: int
    """Bytes, or elements."""
    median: float
    """Median, in seconds."""


def list_durations(measured: Measurement, series: str) -> list[Duration]:
    """Durations of a series, in the order in which they were taken."""
    cases = [case for case in measured["cases"] if case["series"] == series]
    return [Duration(case["name"], case["size"], case["median"]) for case in cases]


def bandwidth_limit(measured: Measurement, series: str) -> float:
    """Bytes a second that one plain large copy reached in the same run."""
    return float(measured["limits"][series])


def format_bytes(size: int) -> str:
    """Bytes in a binary unit: ``64 KiB``."""
    power = min((size.bit_length() - 1) // 10, 3)
    return f"{size >> 10 * power} {('B', 'KiB', 'MiB', 'GiB')[power]}"


def render_shares(measured: Measurement, series: str) -> str:
    """Markdown table of the share of the limit: a row for each call, a column for each size."""
    durations = list_durations(measured, series)
    bound = bandwidth_limit(measured, series)
    shares = {(d.name, d.size): f"{d.size / d.median / bound:.0%}" for d in durations}
    return _render_table(durations, format_bytes, shares)


def render_multiples(measured: Measurement, series: str, base: str, unit: Callable[[int], str]) -> str:
    """Markdown table of multiples of the time of ``base``: a row for each call, a column for each size.

    The shortest time of each column is bold.
    """
    durations = list_durations(measured, series)
    bases = {d.size: d.median for d in durations if d.name == base}
    shortest = dict.fromkeys(bases, float("inf"))
    for d in durations:
        shortest[d.size] = min(d.median, shortest[d.size])
    multiples = {}
    for d in durations:
        times = f"{format_number(d.median / bases[d.size])} ×"
        multiples[d.name, d.size] = f"**{times}**" if d.median == shortest[d.size] else times
    return _render_table(durations, unit, multiples)


def _render_table(
    found: Sequence[Duration], unit: Callable[[int], str], cells: Mapping[tuple[str, int], str]
) -> str:
    names, sizes = list(dict.fromkeys(d.name for d in found)), list(dict.fromkeys(d.size for d in found))
    lines = [f"| | {' | '.join(map(unit, sizes))} |", f"| --- |{' ---: |' * len(sizes)}"]
    for name in names:
        row = [cells[name, size] for size in sizes]
        lines.append(f"| `{name}` | {' | '.join(row)} |")
    return "\n".join(lines)


def format_number(value: float) -> str:
    """A number with two digits that count: ``0.21``, ``3.4``, ``21,000``."""
    rounded = float(f"{value:.2g}")
    return f"{rounded:g}" if rounded < 10 else f"{rounded:,.0f}"


def render_advice(measured: Measurement) -> str:
    """Markdown list of advice that follows from a measurement."""
    sentences = (*_advise_on_links(measured), *_advise_on_pinning(measured), *_advise_on_reads(measured))
    return "\n".join(f"- {sentence}" for sentence in sentences)


def _advise_on_links(measured: Measurement) -> Iterator[str]:
    """How much of the link each kind of memory uses, and from which size on."""
    uploads = list_durations(measured, UP)
    bound = bandwidth_limit(measured, UP)
    last = max(d.size for d in uploads)
    most = format_bytes(last)
    pageable, pinned = _find(uploads, PAGEABLE, last), _find(uploads, PINNED, last)
    yield (
        f"With {most}, `{PINNED}` reaches {last / pinned.median / bound:.0%} of what the link can do, "
        f"`{PAGEABLE}` {last / pageable.median / bound:.0%}."
    )
    slow = [d.size for d in uploads if d.name == PINNED and d.size / d.median <= bound / 2]
    fast = [d.size for d in uploads if d.name == PINNED and d.size > max(slow, default=0)]
    if fast:
        least = format_bytes(min(fast))
        yield f"From {least} on, a pinned upload uses more than half of the link: combine smaller transfers."
    queued = _find(list_durations(measured, RETURN), QUEUED, last)
    yield (
        f"With `non_blocking=True` the call is back after {queued.median / pinned.median:.2%} "
        f"of the time that a pinned upload of {most} takes."
    )
    downloads, bound = list_durations(measured, DOWN), bandwidth_limit(measured, DOWN)
    fresh, reused = _find(downloads, DOWNLOAD, last), _find(downloads, DOWNLOAD_PINNED, last)
    yield (
        f"In the other direction, `{DOWNLOAD}` of {most} reaches {last / fresh.median / bound:.0%}, "
        f"and `{DOWNLOAD_PINNED}` into a pinned tensor that you reuse {last / reused.median / bound:.0%}."
    )


def _advise_on_pinning(measured: Measurement) -> Iterator[str]:
    """Whether a copy to pinned memory pays when it is made for one upload."""
    durations = list_durations(measured, UP)
    sizes = sorted({d.size for d in durations})
    faster = _sizes_where_faster(durations, sizes, PINNED_FIRST, PAGEABLE)
    slower = _sizes_where_faster(durations, sizes, PAGEABLE, PINNED_FIRST)
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
    times = format_number(single["tensor.item()"] / single["torch.cuda.synchronize()"])
    yield f"`tensor.item()` takes {times} times as long as a `torch.cuda.synchronize()` on an idle GPU."
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
    return format_number(_find(found, name, size).median / _find(found, other, size).median)


def _find(found: Sequence[Duration], name: str, size: int) -> Duration:
    return next(d for d in found if (d.name, d.size) == (name, size))
