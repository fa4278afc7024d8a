"""Committed measurements on pages: words, tables, and charts, each beside a table that has its numbers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar

from docutils import nodes
from docutils.nodes import Node
from docutils.parsers.rst import directives

from tensor_atlas.errors import AtlasError
from tensor_atlas.site.build.directives import Cell, EvidenceDirective, build_table
from tensor_atlas.site.build.execution import project_of
from tensor_atlas.site.build.nodes import drawing
from tensor_atlas.timings.charts import (
    Line,
    build_lines,
    draw_chart,
    draw_legend,
    format_seconds,
    format_size,
)
from tensor_atlas.timings.figures import (
    NOT_YET,
    Duration,
    Measurement,
    bandwidth_limit,
    describe_measurement,
    format_number,
    list_durations,
    render_multiples,
    render_reads,
    render_transfers,
)


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
            problem = f"no part of a measurement: {asked}"
            raise AtlasError(
                self.where, problem, f"write one of {', '.join(PARTS)}, or give a base to a series"
            )
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
        problem = f"nothing was measured as {series!r}" + (f" with {base!r}" if names else "")
        raise AtlasError(where, problem, "name a series and a call of the file in docs/measurements")


def build_series(measured: Measurement, series: str, base: str = "", unit: str = "") -> Iterator[Node]:
    """Chart, table and explanation of a series: multiples of ``base``, or GB per second without one."""
    durations = list_durations(measured, series)
    lines = build_lines(durations, base)
    limit = 1.0 if base else bandwidth_limit(measured, series) / 1e9
    sizes = {size: format_size(size, unit) for size, _ in lines[0].points}
    words = nodes.paragraph("", f"Chart: {series}, by size; the table has its numbers.")
    svg = draw_chart(lines, sizes, limit, "×" if base else "GB/s")
    yield nodes.paragraph("", "", *_advise(lines, sizes, base))
    yield drawing("", words, html=draw_legend(lines) + svg, classes=["atlas-chart"])
    where = describe_measurement(measured).partition(";")[0]
    how = nodes.Text(f" Medians of {measured['rounds']} rounds: {where}.")
    yield nodes.paragraph("", "", *_explain(durations, base, unit), how)
    rows: list[list[Cell]] = []
    for line in lines:
        call = nodes.paragraph("", "", nodes.literal("", line.name))
        rows.append([[call], *(format_number(y) for _, y in line.points)])
    yield build_table(["Call", *sizes.values()], rows, "atlas-timings")


def _advise(lines: Sequence[Line], sizes: Mapping[int, str], base: str) -> Iterator[Node]:
    """Which call is the fastest at the largest size, and how far behind the slowest is."""
    largest = max(sizes)
    heights = {line.name: dict(line.points).get(largest) for line in lines}
    known = {name: height for name, height in heights.items() if height is not None}
    low, high = min(known, key=known.__getitem__), max(known, key=known.__getitem__)
    if low == high:
        return
    if base:
        ratio = format_number(known[high] / known[low])
        ends = (f"At {sizes[largest]}, ", high, f" takes {ratio} times as long as ", low, ".")
    else:
        fast, slow = (f"{format_number(known[name])} GB/s" for name in (high, low))
        ends = (f"At {sizes[largest]}, ", high, f" reaches {fast}, ", low, f" {slow}.")
    for place, words in enumerate(ends):
        yield nodes.literal("", words) if place % 2 else nodes.Text(words)


def _explain(durations: Sequence[Duration], base: str, unit: str) -> Iterable[Node]:
    """What a number is a multiple of, in seconds; of a bandwidth, its unit."""
    if not base:
        return [nodes.Text("Numbers are GB per second; the dashed line is one plain large copy.")]
    mine = [duration for duration in durations if duration.name == base]
    ends = [f"{format_seconds(d.median)} for {format_size(d.size, unit)}" for d in (mine[0], mine[-1])]
    return [
        nodes.Text("Numbers are multiples of the time of "),
        nodes.literal("", base),
        nodes.Text(f": {' and '.join(ends)}."),
    ]
