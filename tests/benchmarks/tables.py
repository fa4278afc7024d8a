"""Shows the results as Markdown and as a chart: multiples of the floor, slopes, growth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.results import Results, Row
from benchmarks.systems import SYSTEMS, System

COUNTS = (50, 200, 800, 2000)
"""Examples that the benchmark is made with."""
TEN_A_FILE = ("floor", "gate", "site", "gallery", "gallery-plain")
"""Systems that are measured with ten examples a file, too."""
STATES = {"cold": "", "unchanged": ", nothing changed", "changed": ", one example changed"}
NOT_YET = "not yet measured"
MARKERS = "o^sD"
"""A shape for each count of examples: colour alone tells nobody anything."""


def render_markdown(results: Results) -> str:
    """All tables, each between a comment with its name and one that ends it: the page includes them."""
    several = [system for system in SYSTEMS if system.name in TEN_A_FILE]
    parts = {
        "environment": describe_environment(results),
        "systems": render_systems(SYSTEMS),
        "one example a file": render_times(results, SYSTEMS, 1, COUNTS),
        "ten examples a file": render_times(results, several, 10, COUNTS[2:3]),
        "growth": render_growth(results),
    }
    head = "<!-- Written by `nox -s bench` from bench.json. -->\n"
    return head + "".join(f"\n<!-- {name} -->\n\n{text}\n\n<!-- end -->\n" for name, text in parts.items())


def describe_environment(results: Results) -> str:
    """Where, when and with which releases it was measured, in one paragraph."""
    where = results["environment"]
    releases = ", ".join(f"{name} {version}" for name, version in where["packages"].items())
    machine = f"{where['platform']}, {where['processors']} processors"
    return f"Python {where['python']}, {machine}, {where['date']}; {releases}."


def render_systems(systems: Sequence[System]) -> str:
    """Table of what each system does for its time."""
    rows = [[s.label, _yes_or_no(s.isolates), _yes_or_no(s.compares)] for s in systems]
    return _table(["", "own process", "compares"], rows, numbers=False)


def render_times(results: Results, systems: Sequence[System], per_file: int, counts: Sequence[int]) -> str:
    """Table of wall times as multiples of the floor, with memory at the largest count that was measured.

    Where there are several counts, it shows the slope between the smallest and the largest, too.
    """
    slopes = ["an example more"] if len(counts) > 1 else []
    rows = []
    for system, state in list_states(systems):
        found = find_rows(results, system.name, state, per_file)
        times = [_multiple(found[count]["ratio"]) if count in found else NOT_YET for count in counts]
        slope = [_slope(found, results["start"])] if slopes else []
        memory = [row["memory"] for row in found.values() if row["memory"]]
        last = _ratio(memory[-1], 1) if memory else NOT_YET
        rows.append([system.label + STATES[state], *times, *slope, last])
    return _table(["", *map(str, counts), *slopes, "memory"], rows)


def render_growth(results: Results) -> str:
    """Table of time and size of a page of the site, and of memory, against those of the fewest pages."""
    found = find_rows(results, "site", "cold", 1)
    rows = []
    for count, row in found.items():
        first = next(iter(found.values()))
        time = (row["seconds"] / count) / (first["seconds"] / first["count"])
        page = _ratio(row["page"], first["page"])
        rows.append([str(count), _ratio(time, 1), page, _ratio(row["memory"], first["memory"])])
    heads = ["pages", "time a page", "size of a page", "memory"]
    return _table(heads, rows or [[NOT_YET] * len(heads)])


def find_rows(results: Results, system: str, state: str, per_file: int) -> dict[int, Row]:
    """What was measured of a system in a state, by the count of examples, the smallest first."""
    wanted = (system, state, per_file)
    rows = [row for row in results["rows"] if (row["system"], row["state"], row["per_file"]) == wanted]
    return {row["count"]: row for row in sorted(rows, key=lambda row: row["count"])}


def list_states(systems: Iterable[System]) -> list[tuple[System, str]]:
    return [(system, state) for system in systems for state in system.states]


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: bool = True) -> str:
    rules = ["---:" if numbers and head else "---" for head in heads]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [heads, rules, *rows])


def _yes_or_no(flag: bool) -> str:
    return "yes" if flag else "no"


def _multiple(ratio: float) -> str:
    """Two digits that count: ``0.08 ×``, ``1.7 ×``, ``240 ×``."""
    if ratio < 1:
        number = f"{ratio:.2f}"
    elif ratio < 10:
        number = f"{ratio:.1f}"
    else:
        number = f"{float(f'{ratio:.2g}'):.0f}"
    return f"{number}\N{NO-BREAK SPACE}×"


def _ratio(number: float | None, unit: float | None) -> str:
    return f"{number / unit:.2f}\N{NO-BREAK SPACE}×" if number and unit else NOT_YET


def _slope(found: dict[int, Row], start: float) -> str:
    """Wall time of one example more, as a share of that of importing torch."""
    if len(found) < 2:
        return NOT_YET
    first, *_, last = found.values()
    seconds = (last["seconds"] - first["seconds"]) / (last["count"] - first["count"])
    return f"{seconds / start:.2%}"


def draw_chart(results: Results, path: Path) -> None:
    """Draw the times with one example a file as an SVG: a line for each system, a shape for each count.

    The same results give the same bytes.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    mpl.rcParams["svg.fonttype"] = "none"
    mpl.rcParams["svg.hashsalt"] = "bench"
    figure = Figure(figsize=(6, 9), layout="constrained")
    axes = figure.subplots()
    states = list_states(SYSTEMS)
    axes.set(xscale="log", yticks=[], ylim=(len(states) - 0.5, -1))
    axes.set_xlabel("time, multiple of the bare loop in the same round")
    axes.grid(alpha=0.3, axis="x")
    axes.axvline(1, color="black", linestyle="--")
    found = [find_rows(results, system.name, state, 1) for system, state in states]
    for line, (system, state) in enumerate(states):
        # Names stand above their lines: beside them they would take half the width of a phone.
        name = system.label.replace("`", "") + STATES[state] + ("" if found[line] else f": {NOT_YET}")
        axes.text(0.01, line - 0.25, name, transform=axes.get_yaxis_transform(), va="bottom")
    for marker, count in zip(MARKERS, COUNTS, strict=True):
        rows = {line: rows[count] for line, rows in enumerate(found) if count in rows}
        if rows:
            ratios = [row["ratio"] for row in rows.values()]
            axes.scatter(ratios, list(rows), marker=marker, label=f"{count:,} examples", zorder=2)
            low = [row["low"] for row in rows.values()]
            axes.hlines(list(rows), low, [row["high"] for row in rows.values()], color="grey", zorder=1)
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, fontsize="small")
    figure.savefig(path, metadata={"Date": None, "Creator": None})
