"""What the page on speed shows of a benchmark, and that it says so where there is none."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from matplotlib.figure import Figure as Drawing
from samples import ROOT

from tensor_atlas import speed
from tensor_atlas.speed import FLOOR, NOT_YET, ROWS, Row, environment, figures, growth, systems, table
from tensor_atlas.timings.figures import draw_speed

WHERE = {"python": "3.11.7", "platform": "linux-x86_64", "processors": 2, "date": "2026-01-02"}


def row(system: str, count: int, ratio: float, **more: Any) -> dict[str, Any]:
    """A row as the benchmark writes it; seconds are twice the ratio."""
    plain = {"state": "cold", "per_file": 1, "low": ratio / 2, "high": ratio * 2, "rounds": 3, "cpu": ratio}
    return {
        "system": system,
        "count": count,
        "ratio": ratio,
        "seconds": 2 * ratio,
        "memory": 1.25,
        "page": None,
        **plain,
        **more,
    }


def benchmark(*rows: dict[str, Any]) -> dict[str, Any]:
    """A benchmark of these rows, on a machine that imports torch in four seconds."""
    return {
        "schema": 1,
        "environment": {**WHERE, "packages": {"torch": "2.13.0"}},
        "start": 4.0,
        "rows": list(rows),
    }


def cells(text: str, label: str) -> list[str]:
    """Cells of the row of a table that begins with a label."""
    (line,) = (line for line in text.split("\n") if line.startswith(f"| {label} |"))
    return [cell.strip().replace("\N{NO-BREAK SPACE}", " ") for cell in line.strip("|").split("|")]


def test_table_shows_multiples_slope_and_memory() -> None:
    """The slope is that of seconds, as a share of importing torch."""
    found = table(benchmark(row("sybil", 50, 2.0), row("sybil", 200, 240.4)), 1)
    slope = f"{(2 * 240.4 - 4) / 150 / 4:.2%}"
    assert cells(found, "Sybil") == ["Sybil", "2.0 ×", "240 ×", NOT_YET, NOT_YET, slope, "1.25 ×"]


def test_row_without_a_number_says_so() -> None:
    """Every row stands there, whatever was measured."""
    for measured in (None, benchmark(row("sybil", 50, 2.0))):
        text = table(measured, 1)
        assert len(text.split("\n")) == len(ROWS) + 2
        assert cells(text, "nbval")[1:] == [NOT_YET] * 6


def test_no_cell_shows_seconds() -> None:
    """They belong to one machine; the file keeps them."""
    measured = benchmark(row("floor", 50, 1.0, seconds=123.456))
    assert "123" not in table(measured, 1) + growth(measured) + environment(measured)


def test_one_count_has_no_slope() -> None:
    """And only what is measured there has a row."""
    found = table(benchmark(row("site", 800, 3.0, per_file=10)), 10, [800], speed.TEN_A_FILE)
    assert cells(found, "this project's site") == ["this project's site", "3.0 ×", "1.25 ×"]
    assert "Sybil" not in found


def test_states_and_sizes_of_files_are_told_apart() -> None:
    """One number never stands for another."""
    measured = benchmark(
        row("gate", 50, 1.0), row("gate", 50, 0.08, state="changed"), row("gate", 800, 3.0, per_file=10)
    )
    gate = {r.state: r for r in ROWS if r.system == "gate"}
    assert {count: f.ratio for count, f in figures(measured, gate["cold"], 1).items()} == {50: 1.0}
    assert {count: f.ratio for count, f in figures(measured, gate["cold"], 10).items()} == {800: 3.0}
    assert cells(table(measured, 1), gate["changed"].name)[1] == "0.08 ×"
    assert figures(measured, gate["unchanged"], 1) == {}


def test_each_system_tells_what_it_does_once() -> None:
    """The same in every state, so that the rows of a system say nothing else of it."""
    found = systems()
    assert cells(found, speed.GATE) == [speed.GATE, "yes", "yes"]
    assert cells(found, "Sybil") == ["Sybil", "no", "yes"]
    assert cells(found, "sphinx-gallery") == ["sphinx-gallery", "no", "no"]
    assert len(found.split("\n")) == len({row.label for row in ROWS}) + 2
    for label in {row.label for row in ROWS}:
        assert len({(row.isolates, row.compares) for row in ROWS if row.label == label}) == 1


def test_growth_is_against_the_fewest_pages() -> None:
    """Time for each page, its size, and the memory of the whole build."""
    measured = benchmark(
        row("site", 800, 32.0, memory=None),
        row("site", 200, 8.0, page=1100, memory=1.3),
        row("site", 50, 1.0, page=1000),
    )
    assert growth(measured).replace("\N{NO-BREAK SPACE}", " ").split("\n")[2:] == [
        "| 50 | 1.00 × | 1.00 × | 1.00 × |",
        "| 200 | 2.00 × | 1.10 × | 1.04 × |",
        f"| 800 | 2.00 × | {NOT_YET} | {NOT_YET} |",
    ]
    assert growth(None).split("\n")[2:] == [f"| {NOT_YET} | {NOT_YET} | {NOT_YET} | {NOT_YET} |"]


def test_environment_is_named_and_its_absence_is() -> None:
    """With the releases that the numbers depend on."""
    told = "Python 3.11.7, linux-x86_64, 2 processors, 2026-01-02; torch 2.13.0."
    assert environment(benchmark()) == told
    assert NOT_YET in environment(None)


def test_chart_gives_each_row_a_line_and_each_count_a_shape() -> None:
    """A row without a number says so; the floor's multiple is a line across."""
    axes = Drawing().subplots()
    draw_speed(axes, benchmark(row("floor", 50, 1.0), row("floor", 200, 1.0), row("sybil", 50, 2.0)), 1)
    labels = [text.get_text().partition(": not")[0] for text in axes.texts]
    assert labels == [r.name.replace("`", "") for r in ROWS]
    points = {
        str(c.get_label()): c.get_offsets() for c in axes.collections if "examples" in str(c.get_label())
    }
    line = labels.index("Sybil")
    assert np.asarray(points["50 examples"], dtype=float).tolist() == [[1.0, 0.0], [2.0, float(line)]]
    without = [text.get_text() for text in axes.texts if text.get_text().endswith(NOT_YET)]
    assert len(without) == len(ROWS) - 2
    shapes = {
        np.asarray(c.get_paths()[0].vertices).shape
        for c in axes.collections
        if "examples" in str(c.get_label())
    }
    assert len(shapes) == 2


def test_chart_without_a_benchmark_has_no_numbers() -> None:
    """Not even on its axis."""
    axes = Drawing().subplots()
    draw_speed(axes, None, 1)
    assert [text.get_text().endswith(f": {NOT_YET}") for text in axes.texts] == [True] * len(ROWS)
    assert list(axes.get_xticks()) == []
    assert list(axes.collections) == []


def test_page_reads_what_it_shows() -> None:
    """No multiple, share or time stands in its prose."""
    page = (ROOT / "docs/contributing/speed.md").read_text(encoding="utf-8")
    prose = re.sub(r"```.*?```", "", page, flags=re.DOTALL)
    assert not re.search(r"\d+(\.\d+)? ?(×|%|times|seconds|s\b)", prose)
    shown = (
        "speed.systems()",
        "speed.table(measured, 1)",
        "draw_speed(axes, measured, 1)",
        "speed.growth(measured)",
    )
    assert [call for call in shown if call not in page] == []


def test_names_of_rows_are_different() -> None:
    """Whoever reads the table must know which is which."""
    assert len({r.name for r in ROWS}) == len(ROWS)
    assert ROWS[0] is FLOOR
    assert isinstance(speed.COUNTS[0], int)
    assert isinstance(ROWS[1], Row)
