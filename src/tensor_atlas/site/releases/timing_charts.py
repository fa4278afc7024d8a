"""Committed measurements on pages: words, tables, and charts.

Charts are SVG in the colours of the page, so both themes and paper have them. The call that the page
recommends has the accent colour; the others differ by dashes and markers, since colour never carries meaning
alone. A table beside each chart has its numbers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from math import ceil, floor, log10
from typing import ClassVar

from docutils import nodes
from docutils.nodes import Node
from docutils.parsers.rst import directives

from tensor_atlas.errors import AtlasError
from tensor_atlas.site.build.directives import Cell, EvidenceDirective, build_table
from tensor_atlas.site.build.execution import project_of
from tensor_atlas.site.build.nodes import drawing
from tensor_atlas.timings.figures import (
    NOT_YET,
    Duration,
    Measurement,
    bandwidth_limit,
    describe_measurement,
    format_bytes,
    format_number,
    list_durations,
    render_multiples,
    render_reads,
    render_transfers,
)

WIDTH, HEIGHT = 480, 270
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


class Timings(EvidenceDirective):
    """Series of a measurement, each a chart and a table; one sentence where nobody has measured them."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar = {"base": directives.unchanged, "unit": directives.unchanged}

    def build_nodes(self) -> Iterable[Node]:
        base, unit = self.options.get("base", ""), self.options.get("unit", "")
        measured = read_measurement(self, "cpu" if base else "cuda")
        if measured is None:
            yield nodes.paragraph("", NOT_YET)
            return
        for series in self.arguments[0].split("; "):
            refuse_unmeasured(measured, series, base, self.where)
            yield from build_series(measured, series, base, unit)


PARTS: Mapping[str, tuple[str, Callable[[Measurement], str]]] = {
    "environment": ("cpu", describe_measurement),
    "transfers": ("cuda", render_transfers),
    "reads": ("cuda", render_reads),
}
"""What a guide says of a measurement besides tables: the device, and what renders it as Markdown."""


class Measured(EvidenceDirective):
    """One of PARTS, or a series as a table of multiples of ``base``; one sentence before it is measured."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar = {"base": directives.unchanged_required, "unit": directives.unchanged}

    def build_nodes(self) -> Iterable[Node]:
        asked, base, unit = self.arguments[0], self.options.get("base", ""), self.options.get("unit", "")
        if not base and asked not in PARTS:
            what = f"no part of a measurement: {asked}"
            raise AtlasError(self.where, what, f"write one of {', '.join(PARTS)}, or give a base to a series")
        device, render = ("cpu", None) if base else PARTS[asked]
        measured = read_measurement(self, device)
        if measured is None:
            return [nodes.paragraph("", NOT_YET)]
        if render is not None:
            return self.parse_text_to_nodes(render(measured))
        refuse_unmeasured(measured, asked, base, self.where)
        table = render_multiples(measured, asked, base, partial(format_size, unit=unit))
        return self.parse_text_to_nodes(table)


def read_measurement(directive: EvidenceDirective, device: str) -> Measurement | None:
    """The committed measurement of this kind of device; None while there is none.

    The page is made again when it changes.
    """
    path = project_of(directive.context.app).root / "docs" / "measurements" / f"{device}.json"
    directive.env.note_dependency(str(path))
    if not path.is_file():
        return None
    found: Measurement = json.loads(path.read_text(encoding="utf-8"))
    return found


def refuse_unmeasured(measured: Measurement, series: str, base: str, where: str) -> None:
    """AtlasError for a series, or a base of one, that a measurement does not have."""
    names = {duration.name for duration in list_durations(measured, series)}
    if not names or (base and base not in names):
        what = f"nothing was measured as {series!r}" + (f" with {base!r}" if names else "")
        raise AtlasError(where, what, "name a series and a call of the file in docs/measurements")


def build_series(measured: Measurement, series: str, base: str = "", unit: str = "") -> Iterator[Node]:
    """Chart, table and explanation of a series: multiples of ``base``, or GB per second without one."""
    found = list_durations(measured, series)
    lines = build_lines(found, base)
    limit = 1.0 if base else bandwidth_limit(measured, series) / 1e9
    sizes = {size: format_size(size, unit) for size, _ in lines[0].points}
    words = nodes.paragraph("", f"Chart: {series}, by size; the table has its numbers.")
    svg = draw_chart(lines, sizes, limit, "×" if base else "GB/s")
    yield drawing("", words, html=svg + draw_legend(lines), classes=["atlas-chart"])
    rows: list[list[Cell]] = []
    for line in lines:
        call = nodes.paragraph("", "", nodes.literal("", line.name))
        rows.append([[call], *(format_number(y) for _, y in line.points)])
    yield build_table(["Call", *sizes.values()], rows, "atlas-timings")
    where = describe_measurement(measured).partition(";")[0]
    how = nodes.Text(f" Medians of {measured['rounds']} rounds: {where}.")
    yield nodes.paragraph("", "", *_explain(found, base, unit), how)


def _explain(found: Sequence[Duration], base: str, unit: str) -> Iterable[Node]:
    """What a number is a multiple of, in seconds; of a bandwidth, its unit."""
    if not base:
        return [nodes.Text("Numbers are GB per second; the dashed line is one plain large copy.")]
    mine = [duration for duration in found if duration.name == base]
    ends = [f"{format_seconds(d.median)} for {format_size(d.size, unit)}" for d in (mine[0], mine[-1])]
    return [
        nodes.Text("Numbers are multiples of the time of "),
        nodes.literal("", base),
        nodes.Text(f": {' and '.join(ends)}."),
    ]


def build_lines(found: Sequence[Duration], base: str) -> list[Line]:
    """Multiples of the time of ``base`` at each size, that of the base first; GB per second without one."""
    unit = {d.size: d.median for d in found if d.name == base}
    points: dict[str, list[tuple[int, float]]] = {base: []} if base else {}
    for d in found:
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


# --- the chart -------------------------------------------------------------------------------------


def draw_chart(lines: Sequence[Line], sizes: dict[int, str], limit: float, mark: str) -> str:
    """SVG of lines over sizes, both scales logarithmic, with a dashed line at ``limit``."""
    heights = [y for line in lines for _, y in line.points] + [limit]
    low, high = floor(log10(min(heights))), ceil(log10(max(heights)))
    high = max(high, low + 1)
    first, last = log10(min(sizes)), log10(max(sizes))

    def across(size: int) -> float:
        return LEFT + (log10(size) - first) / (last - first) * (WIDTH - LEFT - RIGHT)

    def up(y: float) -> float:
        return HEIGHT - BOTTOM - (log10(y) - low) / (high - low) * (HEIGHT - TOP - BOTTOM)

    parts = []
    for power in range(low, high + 1):
        y = up(10**power)
        parts.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text class="left" x="{LEFT - 6}" y="{y + 4:.1f}">{_name_tick(power)} {mark}</text>')
    parts.append(f'<path class="limit" d="M{LEFT} {up(limit):.1f}H{WIDTH - RIGHT}"/>')
    # Names of more than eight sizes would run into each other.
    for size, name in list(sizes.items())[:: 1 + len(sizes) // 8]:
        parts.append(f'<text class="below" x="{across(size):.1f}" y="{HEIGHT - 8}">{escape(name)}</text>')
    for place, line in reversed(list(enumerate(lines))):
        points = [(across(size), up(y)) for size, y in line.points]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        marks = "".join(_draw_marker(place, x, y) for x, y in points)
        parts.append(f'<g class="line-{place}"><path class="line" d="M{path}"/>{marks}</g>')
    names = ", ".join(line.name for line in lines)
    label = escape(f"Chart: {names}, from {sizes[min(sizes)]} to {sizes[max(sizes)]}")
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}"'
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
