"""What guides show of a committed measurement."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from docutils import nodes
from tiny_project import CONF, Tiny, html, tiny

from tensor_atlas.timings.figures import NOT_YET

WHERE = {"torch": "2.13.0", "numpy": "2.4.6", "python": "3.11.7", "platform": "linux-x86_64"}
WHERE |= {"date": "2026-11-21"}
CASES = [("lists", "slow()", 10, 6e-6), ("lists", "fast()", 10, 2e-6), ("lists", "slow()", 20, 4e-6)]
CASES += [("lists", "fast()", 20, 8e-6), ("other", "never()", 10, 1.0)]
PAGE = """---
orphan: true
---

# Costs

```{{measured}} {asked}
```
"""
TABLE = "lists\n:base: fast()\n:unit: arrays"


@pytest.fixture
def made(tmp_path: Path, executed: Path) -> Tiny:
    """A checkout with a measurement of a CPU, and none of a GPU."""
    project = tiny(tmp_path, executed)
    project.write("docs/conf.py", CONF.replace('"tensor_atlas.site"', '"myst_parser", "tensor_atlas.site"'))
    keys = ("series", "name", "size", "median")
    cases = [dict(zip(keys, case, strict=True)) for case in CASES]
    measured = {"environment": {**WHERE, "device_count": 0}, "threads": 1, "rounds": 7, "cases": cases}
    project.write("docs/measurements/cpu.json", json.dumps(measured))
    return project


def test_series_is_a_table_of_multiples_with_the_shortest_in_bold(made: Tiny) -> None:
    """Of the call that is named as the base; other series are left out."""
    made.write("docs/costs.md", PAGE.format(asked=TABLE))
    app = made.build()
    doctree = app.env.get_doctree("costs")
    rows = [[cell.astext() for cell in row.children] for row in doctree.findall(nodes.row)]
    assert rows == [["", "10 arrays", "20 arrays"], ["slow()", "3 ×", "0.5 ×"], ["fast()", "1 ×", "1 ×"]]
    assert [bold.astext() for bold in doctree.findall(nodes.strong)] == ["0.5 ×", "1 ×"]


def test_device_of_a_measurement_is_named(made: Tiny) -> None:
    """In a line of its own; of a GPU that nobody has measured there is one sentence without a number."""
    made.write("docs/costs.md", PAGE.format(asked="environment"))
    made.write("docs/gpu.md", PAGE.format(asked="transfers"))
    app = made.build()
    assert "<p>torch 2.13.0, NumPy 2.4.6, Python 3.11.7, linux-x86_64, 2026-11-21;" in html(app, "costs")
    assert f"<p>{NOT_YET}</p>" in html(app, "gpu")
    assert not re.search(r"\d", NOT_YET)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("colours", "no part of a measurement: colours"),
        ("colours\n:base: fast()", "nothing was measured as 'colours'"),
        ("lists\n:base: never()", "nothing was measured as 'lists' with 'never()'"),
    ],
)
def test_what_was_not_measured_is_refused(made: Tiny, asked: str, told: str) -> None:
    """With the line of the page that asks."""
    made.write("docs/costs.md", PAGE.format(asked=asked))
    app = made.app()
    with pytest.raises(SystemExit):
        app.build()
    assert f"docs/costs.md:7  {told}" in app.warning.getvalue()
