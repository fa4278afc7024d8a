"""What a drawing of a measurement holds."""

from __future__ import annotations

import re

import pytest

from tensor_atlas.timings.charts import Line, draw_chart, format_seconds


def test_higher_values_are_drawn_higher_and_larger_sizes_to_the_right() -> None:
    """Both scales are logarithmic; names of calls are escaped."""
    svg = draw_chart(
        [Line("a<b", ((1, 1.0), (10, 10.0), (100, 100.0)))], {1: "1", 10: "10", 100: "100"}, 1.0, "×"
    )
    assert "a<b" not in svg
    (path,) = re.findall(r'class="line" d="M([^"]*)"', svg)
    points = [tuple(map(float, point.split())) for point in path.split("L")]
    (x0, y0), (x1, y1), (x2, y2) = points
    assert x0 < x1 < x2
    assert y0 > y1 > y2
    assert x1 - x0 == pytest.approx(x2 - x1, abs=0.2)
    assert y0 - y1 == pytest.approx(y1 - y2, abs=0.2)


@pytest.mark.parametrize(("count", "named"), [(6, 6), (11, 6)])
def test_many_sizes_are_not_all_named(count: int, named: int) -> None:
    """Every second name is left out where all would run into each other."""
    sizes = {4**power: f"{4**power} B" for power in range(count)}
    svg = draw_chart([Line("a", tuple((size, 1.0) for size in sizes))], sizes, 1.0, "×")
    assert len(re.findall(r'class="below"', svg)) == named


@pytest.mark.parametrize(
    ("seconds", "words"), [(1.25e-6, "1.2 µs"), (0.9e-6, "0.9 µs"), (0.12, "120 ms"), (2.5, "2.5 s")]
)
def test_seconds_have_a_unit_that_fits(seconds: float, words: str) -> None:
    """Two digits, or all before the point."""
    assert format_seconds(seconds) == words
