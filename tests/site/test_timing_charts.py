"""Charts of measurements: their numbers, their lines, the words below them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from docutils import nodes
from samples import ROOT

from tensor_atlas.errors import AtlasError
from tensor_atlas.site.build.nodes import drawing
from tensor_atlas.site.releases.timing_charts import build_series, refuse_unmeasured
from tensor_atlas.timings.timing import UP

WHERE: dict[str, Any] = {"torch": "2.13.0", "numpy": "2.4.6", "python": "3.11.7", "platform": "linux-x86_64"}
WHERE |= {"date": "2026-11-21", "device_count": 0}
SCRIPTS = sorted((ROOT / "examples" / "14_performance").glob("plot_*.py"))


def measured(*cases: tuple[str, str, int, float], **limits: float) -> dict[str, Any]:
    """A measurement with these cases: series, name, size, median."""
    keys = ("series", "name", "size", "median")
    listed = [dict(zip(keys, case, strict=True)) | {"low": case[3], "high": case[3]} for case in cases]
    return {"environment": WHERE, "threads": 1, "rounds": 7, "cases": listed, "limits": limits}


def numbers(found: list[nodes.Node]) -> list[list[str]]:
    """Texts of the table, row by row."""
    (table,) = (each for node in found for each in node.findall(nodes.table))
    return [[cell.astext() for cell in row.findall(nodes.entry)] for row in table.findall(nodes.row)]


def test_every_case_is_a_multiple_of_the_base_at_its_size() -> None:
    """The base comes first and is 1 everywhere; its seconds stand below; other series are left out."""
    cases = [("s", "b", 1, 6e-6), ("s", "a", 1, 2e-6), ("s", "b", 10, 2e-6), ("s", "a", 10, 4e-6)]
    found = list(build_series(measured(*cases, ("t", "c", 1, 1.0)), "s", "a", "arrays"))
    assert numbers(found) == [["Call", "1 arrays", "10 arrays"], ["a", "1", "1"], ["b", "3", "0.5"]]
    assert found[0].astext() == "At 10 arrays, a takes 2 times as long as b."
    words = found[2].astext()
    assert "multiples of the time of a: 2 µs for 1 arrays and 4 µs for 10 arrays." in words
    assert "7 rounds: torch 2.13.0, NumPy 2.4.6" in words


def test_bandwidth_has_its_limit() -> None:
    """In GB a second, over the bytes."""
    found = list(build_series(measured((UP, "a", 2**20, 0.5), (UP, "a", 2**30, 1.0), **{UP: 2e9}), UP))
    assert numbers(found) == [["Call", "1 MiB", "1 GiB"], ["a", "0.0021", "1.1"]]
    assert found[0].astext() == ""  # nothing to compare it with
    cases = [(UP, name, 2**power, half / 2) for power in (20, 30) for name, half in (("a", 2), ("b", 1))]
    words = next(build_series(measured(*cases, **{UP: 2e9}), UP)).astext()
    assert words == "At 1 GiB, b reaches 2.1 GB/s, a 1.1 GB/s."
    (chart,) = (node for node in found if isinstance(node, drawing))
    assert 'class="limit"' in chart["html"]
    assert "10 GB/s</text>" in chart["html"]


def test_committed_measurement_has_every_series_that_a_page_draws() -> None:
    """With the base that the page names."""
    found = json.loads((ROOT / "docs" / "measurements" / "cpu.json").read_text(encoding="utf-8"))
    asked = re.compile(r"timings:: (.+)\n#    :base: (.+)")
    drawn = [pair for path in SCRIPTS for pair in asked.findall(path.read_text(encoding="utf-8"))]
    assert len(drawn) == 6
    for series, base in drawn:
        assert len(numbers(list(build_series(found, series, base)))) > 2


@pytest.mark.parametrize(
    ("series", "base", "what"),
    [
        ("to a tensr", "torch.from_numpy(array)", "nothing was measured as 'to a tensr'"),
        (
            "to a tensor",
            "torch.frob(array)",
            "nothing was measured as 'to a tensor' with 'torch.frob(array)'",
        ),
    ],
)
def test_series_that_was_not_measured_is_refused(series: str, base: str, what: str) -> None:
    """With the line of the page that asks for it."""
    found = json.loads((ROOT / "docs" / "measurements" / "cpu.json").read_text(encoding="utf-8"))
    with pytest.raises(AtlasError, match=re.escape(f"page.rst:3  {what}")):
        refuse_unmeasured(found, series, base, "page.rst:3")


@pytest.mark.parametrize(
    "path", [path for path in SCRIPTS if "timeit" in path.read_text()], ids=lambda p: p.stem
)
def test_code_that_readers_measure_with_runs(path: Path) -> None:
    """It prints times."""
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True)
    assert re.search(r"\d [µm]s", done.stdout)
