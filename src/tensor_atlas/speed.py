"""What the benchmark of ``nox -s bench`` says: multiples of the floor, slopes, growth, as tables in Markdown; pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

Benchmark = dict[str, Any]
"""A file written by ``tensor_atlas.bench``, parsed."""

NOT_YET = "not yet measured"
"""What stands in the place of a number that no run has given."""
COUNTS = (50, 200, 800, 2000)
"""Examples that the benchmark is made with."""


@dataclass(frozen=True)
class Row:
    """One way of checking or showing examples."""

    system: str
    """Name in the file."""
    label: str
    """Name on the page."""
    state: str = "cold"
    """What was there before: nothing; all, unchanged; all but for one example that has changed."""
    isolates: bool = False
    """Whether each file, or each example, has a process of its own."""
    compares: bool = True
    """Whether output is compared with what is documented."""

    @property
    def name(self) -> str:
        """Label with the state, where that says something."""
        return self.label if self.state == "cold" else f"{self.label}, {STATES[self.state]}"


STATES = {"cold": "nothing there yet", "unchanged": "nothing changed", "changed": "one example changed"}
"""States in words."""

FLOOR = Row("floor", "the floor: a bare loop", compares=False)
GATE = "`tensor-atlas drift`"
SITE = "this project's site"
ROWS = (
    FLOOR,
    Row("gate", GATE, isolates=True),
    Row("gate", GATE, "unchanged", isolates=True),
    Row("gate", GATE, "changed", isolates=True),
    Row("doctest", "doctest of the standard library"),
    Row("pytest", "pytest, doctest modules"),
    Row("sphinx-doctest", "Sphinx's doctest builder"),
    Row("sybil", "Sybil"),
    Row("pytest-examples", "pytest-examples"),
    Row("nbval", "nbval", isolates=True),
    Row("site", SITE, isolates=True),
    Row("site", SITE, "unchanged", isolates=True),
    Row("site", SITE, "changed", isolates=True),
    Row("gallery", "sphinx-gallery", compares=False),
    Row("gallery-plain", "sphinx-gallery, nothing executed", compares=False),
    Row("myst-nb", "myst-nb with jupyter-cache, empty", isolates=True, compares=False),
)
"""What is measured, in the order of the page: what checks, then what makes pages."""

TEN_A_FILE = tuple(row for row in ROWS if row.system in ("floor", "gate", "site", "gallery", "gallery-plain"))
"""What is measured with ten examples a file, too."""


@dataclass(frozen=True)
class Figure:
    """What was measured of one row at one size."""

    count: int
    """Examples."""
    ratio: float
    """Median wall time, as a multiple of the floor in the same round."""
    low: float
    """Least of the rounds."""
    high: float
    """Greatest of the rounds."""
    rounds: int
    """Times it was run."""
    seconds: float
    """Median wall time; belongs to one machine, so no page shows it."""
    cpu: float
    """Median processor time, as a multiple of the floor's in the same round."""
    memory: float | None
    """Peak memory of all processes together, as a multiple of the floor's."""
    page: float | None
    """Bytes of the median page, where there are pages."""


def figures(measured: Benchmark | None, row: Row, per_file: int) -> dict[int, Figure]:
    """What was measured of a row, by the count of examples, the smallest first."""
    found = {}
    for entry in [] if measured is None else measured["rows"]:
        if (entry["system"], entry["state"], entry["per_file"]) == (row.system, row.state, per_file):
            named = ("count", "ratio", "low", "high", "rounds", "seconds", "cpu", "memory", "page")
            found[entry["count"]] = Figure(**{name: entry[name] for name in named})
    return dict(sorted(found.items()))


def environment(measured: Benchmark | None) -> str:
    """Where and with what it was measured, in one paragraph; that it was not, where it was not."""
    if measured is None:
        return f"The benchmark is {NOT_YET}: `nox -s bench` makes it."
    where = measured["environment"]
    peers = ", ".join(f"{name} {version}" for name, version in where["packages"].items())
    cores = f"{where['processors']} processors"
    return f"Python {where['python']}, {where['platform']}, {cores}, {where['date']}; {peers}."


def systems(rows: Sequence[Row] = ROWS) -> str:
    """Markdown: a row for each system, whatever was there before, with what it does for its time."""
    lines = [_line(["", "own process", "compares"]), _line(["---"] * 3)]
    told = {row.label: _line([row.label, _yes(row.isolates), _yes(row.compares)]) for row in rows}
    return "\n".join([*lines, *told.values()])


def table(
    measured: Benchmark | None, per_file: int, counts: Sequence[int] = COUNTS, rows: Sequence[Row] = ROWS
) -> str:
    """Markdown: a row for each system, wall times as multiples of the floor, slope, and memory at the largest count.

    Where there is one count there is no slope.
    """
    several = ["an example more"] if len(counts) > 1 else []
    heads = ["", *(f"{count}" for count in counts), *several, "memory"]
    lines = [_line(heads), _line(["---", *["---:"] * (len(heads) - 1)])]
    for row in rows:
        found = figures(measured, row, per_file)
        times = [_multiple(found[count].ratio) if count in found else NOT_YET for count in counts]
        slopes = [_slope(measured, found)] if several else []
        lines.append(_line([row.name, *times, *slopes, _memory(found)]))
    return "\n".join(lines)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _yes(flag: bool) -> str:
    return "yes" if flag else "no"


def _multiple(ratio: float) -> str:
    """Two digits that count: ``0.08 ×``, ``1.7 ×``, ``240 ×``."""
    if ratio < 1:
        return f"{ratio:.2f}\N{NO-BREAK SPACE}×"
    return (
        f"{ratio:.1f}\N{NO-BREAK SPACE}×" if ratio < 10 else f"{float(f'{ratio:.2g}'):.0f}\N{NO-BREAK SPACE}×"
    )


def slope(measured: Benchmark, found: dict[int, Figure]) -> float | None:
    """Wall time of one example more, as a share of that of importing torch; None where there are no two counts."""
    if len(found) < 2 or not measured.get("start"):
        return None
    first, *_, last = found.values()
    return float((last.seconds - first.seconds) / (last.count - first.count) / measured["start"])


def _slope(measured: Benchmark | None, found: dict[int, Figure]) -> str:
    share = None if measured is None else slope(measured, found)
    return NOT_YET if share is None else f"{share:.2%}"


def _memory(found: dict[int, Figure]) -> str:
    known = [figure.memory for figure in found.values() if figure.memory is not None]
    return f"{known[-1]:.2f}\N{NO-BREAK SPACE}×" if known else NOT_YET


def growth(measured: Benchmark | None) -> str:
    """Markdown: what a page of the site costs as there are more of them, and the memory of all, against the fewest."""
    lines = [_line(["pages", "time a page", "size of a page", "memory"]), _line(["---:"] * 4)]
    found = figures(measured, Row("site", SITE), 1)
    if not found:
        return "\n".join([*lines, _line([NOT_YET] * 4)])
    first = next(iter(found.values()))
    for count, figure in found.items():
        time = figure.seconds / count / (first.seconds / first.count)
        size, memory = _against(figure.page, first.page), _against(figure.memory, first.memory)
        lines.append(_line([str(count), _against(time, 1), size, memory]))
    return "\n".join(lines)


def _against(number: float | None, first: float | None) -> str:
    return f"{number / first:.2f}\N{NO-BREAK SPACE}×" if number and first else NOT_YET
