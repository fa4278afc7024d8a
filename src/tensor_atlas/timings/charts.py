"""Draws a series of a measurement: a chart as SVG in the colours of the page.

Both themes and paper have them. The call that the page recommends has the accent colour; the others differ by
dashes and markers too, since colour never carries meaning alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

from tensor_atlas.timings.figures import Duration, format_bytes, format_number

CHART_WIDTH, CHART_HEIGHT = 480, 270
"""Units of a chart, which is as wide as its column."""
LEFT, RIGHT, TOP, BOTTOM = 84, 26, 10, 26
"""What is kept free around the lines."""
MARKERS = ("M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", "M-4-4h8v8h-8z", "M0-5l5 9h-10z", "M0-5l5 5-5 5-5-5z")
"""Circle, square, triangle and diamond."""
SECONDS = ((1e-6, "µs", 1e6), (1e-3, "ms", 1e3))
"""Limits below which a time is given in a unit, and how many of it are a second; above the last, seconds."""


@dataclass(frozen=True)
class Line:
    """One call in a chart."""

    name: str
    """The call, as code."""
    points: tuple[tuple[int, float], ...]
    """Size and height of each point."""


def build_lines(durations: Sequence[Duration], base: str) -> list[Line]:
    """Multiples of the time of ``base`` at each size, that of the base first; GB per second without one."""
    unit = {d.size: d.median for d in durations if d.name == base}
    points: dict[str, list[tuple[int, float]]] = {base: []} if base else {}
    for d in durations:
        height = d.median / unit[d.size] if base else d.size / d.median / 1e9
        points.setdefault(d.name, []).append((d.size, height))
    return [Line(name, tuple(some)) for name, some in points.items()]


def format_size(size: int, unit: str) -> str:
    """``64 KiB``, or a number of something else: ``100 arrays``."""
    return f"{size:,} {unit}" if unit else format_bytes(size)


def format_seconds(seconds: float) -> str:
    """A time with its unit: ``1.3 µs``, ``120 ms``."""
    for limit, name, per_second in SECONDS:
        if seconds < limit * 1000:
            return f"{format_number(seconds * per_second)} {name}"
    return f"{format_number(seconds)} s"


def draw_chart(lines: Sequence[Line], sizes: dict[int, str], limit: float, mark: str) -> str:
    """SVG of lines over sizes, both scales logarithmic, with a dashed line at ``limit``."""
    heights = [y for line in lines for _, y in line.points] + [limit]
    low, high = floor(log10(min(heights))), ceil(log10(max(heights)))
    high = max(high, low + 1)
    first, last = log10(min(sizes)), log10(max(sizes))

    def across(size: int) -> float:
        return LEFT + (log10(size) - first) / (last - first) * (CHART_WIDTH - LEFT - RIGHT)

    def up(y: float) -> float:
        return CHART_HEIGHT - BOTTOM - (log10(y) - low) / (high - low) * (CHART_HEIGHT - TOP - BOTTOM)

    parts = []
    for power in range(low, high + 1):
        y = up(10**power)
        parts.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{CHART_WIDTH - RIGHT}"/>')
        parts.append(f'<text class="left" x="{LEFT - 6}" y="{y + 4:.1f}">{_name_tick(power)} {mark}</text>')
    parts.append(f'<path class="limit" d="M{LEFT} {up(limit):.1f}H{CHART_WIDTH - RIGHT}"/>')
    # Names of more than eight sizes would run into each other.
    for size, name in list(sizes.items())[:: 1 + len(sizes) // 8]:
        parts.append(
            f'<text class="below" x="{across(size):.1f}" y="{CHART_HEIGHT - 8}">{escape(name)}</text>'
        )
    for place, line in reversed(list(enumerate(lines))):
        points = [(across(size), up(y)) for size, y in line.points]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        marks = "".join(_draw_marker(place, x, y) for x, y in points)
        parts.append(f'<g class="line-{place}"><path class="line" d="M{path}"/>{marks}</g>')
    names = ", ".join(line.name for line in lines)
    label = escape(f"Chart: {names}, from {sizes[min(sizes)]} to {sizes[max(sizes)]}")
    box = f'viewBox="0 0 {CHART_WIDTH} {CHART_HEIGHT}"'
    return f'<svg class="atlas-chart" {box} role="img" aria-label="{label}">{"".join(parts)}</svg>'


def draw_legend(lines: Sequence[Line]) -> str:
    """List of the calls, each with its line and marker."""
    items = []
    for place, line in enumerate(lines):
        sign = f'<path class="line" d="M0 7H28"/>{_draw_marker(place, 14, 7)}'
        svg = f'<svg width="28" height="14" aria-hidden="true"><g class="line-{place}">{sign}</g></svg>'
        items.append(f"<li>{svg}<code>{escape(line.name)}</code></li>")
    return f'<ul class="atlas-chart atlas-chart-legend">{"".join(items)}</ul>'


def _name_tick(power: int) -> str:
    return f"{10**power:,}" if power >= 0 else f"{10**power:g}"


def _draw_marker(place: int, x: float, y: float) -> str:
    shape = MARKERS[place % len(MARKERS)]
    return f'<path class="mark" transform="translate({x:.1f} {y:.1f})" d="{shape}"/>'
