"""When the measure of readers' cases fails: on what is worse, and not on a single answer that moved."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

import pytest

PATH = Path(__file__).parents[1] / "readers" / "run.py"
SPEC = importlib.util.spec_from_file_location("readers_run", PATH)
assert SPEC is not None
assert SPEC.loader is not None
run = importlib.util.module_from_spec(SPEC)
sys.modules["readers_run"] = run  # dataclasses look their module up
SPEC.loader.exec_module(run)

COMMITTED = run.Figures(cases=100, first=66, three=71, wrong_fix=5, told=11)


@pytest.mark.parametrize(
    ("row", "change", "told"),
    [
        ("harvest: errors", {"first": 65, "three": 70}, []),
        ("harvest: errors", {"first": 64}, ["first 64 of 100, committed 66 of 100"]),
        ("harvest: errors", {"three": 69}, ["three 69 of 100, committed 71 of 100"]),
        ("harvest: errors", {"wrong_fix": 6}, ["wrong_fix 6 of 100, committed 5 of 100"]),
        ("harvest: errors", {"told": 0}, []),
        ("harvest: out of scope", {"told": 10, "first": 0}, []),
        ("harvest: out of scope", {"told": 9}, ["told 9 of 100, committed 11 of 100"]),
        ("harvest: errors", {"cases": 200, "first": 131, "three": 141, "wrong_fix": 10}, []),
        (
            "harvest: errors",
            {"cases": 200, "first": 130, "three": 142, "wrong_fix": 11},
            ["first 130 of 200, committed 66 of 100", "wrong_fix 11 of 200, committed 5 of 100"],
        ),
    ],
)
def test_one_answer_less_is_let_pass(row: str, change: dict[str, int], told: list[str]) -> None:
    assert run.compare(row, replace(COMMITTED, **change), COMMITTED) == [f"{row}: {line}" for line in told]
