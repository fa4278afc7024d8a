"""What a measurement on a GPU says: bandwidth, its share of the limit, advice in words that follow from it; pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

Measurement = dict[str, Any]
"""A file written by ``tensor_atlas.timings.measure``, parsed."""

NOT_YET = "Not yet measured: no GPU builder has timed transfers for this site"
"""What stands in the place of every number until one has."""

UP, DOWN, WITHIN = "host to device", "device to host", "within the device"
RETURN, VALUE, VALUES, OTHERS = "until the call returns", "a single value", "many values", "hand-over"

PAGEABLE, PINNED = 'tensor.to("cuda")', 'pinned.to("cuda")'
QUEUED, PINNED_FIRST = (
    'pinned.to("cuda", non_blocking=True)',
    'tensor.pin_memory().to("cuda", non_blocking=True)',
)
CLOSE = 1.1
"""Times a duration up to which another passes for equally long."""


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
    """Markdown: a row for each call, a column for each size, the share of the limit in each cell."""
    if measured is None:
        return f"{NOT_YET}."
    found = list_durations(measured, series)
    bound = bandwidth_limit(measured, series)
    share = {(d.name, d.size): f"{d.size / d.median / bound:.0%}" for d in found}
    return _rows(found, format_bytes, lambda name, size: share[name, size])


def render_multiples(measured: Measurement | None, series: str, base: str, unit: Callable[[int], str]) -> str:
    """Markdown: a row for each call, a column for each size, the multiple of the time of ``base`` in each cell."""
    if measured is None:
        return f"{NOT_YET}."
    found = list_durations(measured, series)
    median = {(d.name, d.size): d.median for d in found}
    return _rows(found, unit, lambda name, size: f"{_digits(median[name, size] / median[base, size])} ×")


def _rows(found: Sequence[Duration], unit: Callable[[int], str], cell: Callable[[str, int], str]) -> str:
    names, sizes = list(dict.fromkeys(d.name for d in found)), list(dict.fromkeys(d.size for d in found))
    lines = [f"| | {' | '.join(map(unit, sizes))} |", f"| --- |{' ---: |' * len(sizes)}"]
    lines += [f"| `{name}` | {' | '.join(cell(name, size) for size in sizes)} |" for name in names]
    return "\n".join(lines)


def _digits(ratio: float) -> str:
    """A ratio with two digits, or all of those before the point."""
    return f"{ratio:.2g}" if ratio < 10 else f"{ratio:,.0f}"


def render_advice(measured: Measurement | None) -> str:
    """Markdown: what the measurement says of the choices that a program has, or that there is no measurement."""
    if measured is None:
        return f"{NOT_YET}."
    return "\n".join(
        f"- {sentence}" for sentence in (*_links(measured), *_pinning(measured), *_reads(measured))
    )


def _links(measured: Measurement) -> Iterator[str]:
    """How much of the link each kind of memory uses, and from which size on."""
    found = list_durations(measured, UP)
    bound = bandwidth_limit(measured, UP)
    last = max(d.size for d in found)
    pageable, pinned = (_one(found, name, last) for name in (PAGEABLE, PINNED))
    yield (
        f"With {format_bytes(last)}, `{PINNED}` reaches {last / pinned.median / bound:.0%} of what the link can do, "
        f"`{PAGEABLE}` {last / pageable.median / bound:.0%}."
    )
    slow = [d.size for d in found if d.name == PINNED and d.size / d.median <= bound / 2]
    fast = [d.size for d in found if d.name == PINNED and d.size > max(slow, default=0)]
    if fast:
        yield f"From {format_bytes(min(fast))} on, a pinned upload uses more than half of the link: gather what is smaller."
    queued = _one(list_durations(measured, RETURN), QUEUED, last)
    yield (
        f"With `non_blocking=True` the call is back after {queued.median / pinned.median:.2%} "
        f"of the time that a pinned upload of {format_bytes(last)} takes."
    )


def _pinning(measured: Measurement) -> Iterator[str]:
    """Whether a copy to pinned memory pays when it is made for one upload."""
    found = list_durations(measured, UP)
    sizes = sorted({d.size for d in found})
    faster = [
        s for s in sizes if _one(found, PINNED_FIRST, s).median * CLOSE < _one(found, PAGEABLE, s).median
    ]
    slower = [
        s for s in sizes if _one(found, PAGEABLE, s).median * CLOSE < _one(found, PINNED_FIRST, s).median
    ]
    words = [f"{word} at {_sizes(some)}" for word, some in (("faster", faster), ("slower", slower)) if some]
    told = " and ".join(words) or "neither faster nor slower at any size"
    yield f"`pin_memory()` for one upload, its own copy included, is {told}, compared with `{PAGEABLE}`."


def _sizes(sizes: Sequence[int]) -> str:
    return ", ".join(map(format_bytes, sizes))


def _reads(measured: Measurement) -> Iterator[str]:
    """What it costs to look at values, and to hand memory over."""
    single = {d.name: d.median for d in list_durations(measured, VALUE)}
    ratio = single["tensor.item()"] / single["torch.cuda.synchronize()"]
    yield f"`tensor.item()` takes {_digits(ratio)} times as long as a wait for a GPU that has nothing to do."
    many = list_durations(measured, VALUES)
    last = max(d.size for d in many)
    loop, whole = (
        _one(many, name, last).median for name in ("[x.item() for x in tensor]", "tensor.tolist()")
    )
    yield f"To read {last} values one by one takes {_digits(loop / whole)} times as long as `tensor.tolist()`."
    others = list_durations(measured, OTHERS)
    if others:
        most = max(d.size for d in others)
        shared, copied = (
            _one(others, n, most).median for n in ("torch.from_dlpack(tensor)", "tensor.cpu().numpy()")
        )
        times = _digits(copied / shared)
        yield f"`tensor.cpu().numpy()` of {format_bytes(most)} takes {times} times as long as `torch.from_dlpack(tensor)`."


def _one(found: Sequence[Duration], name: str, size: int) -> Duration:
    return next(d for d in found if (d.name, d.size) == (name, size))
