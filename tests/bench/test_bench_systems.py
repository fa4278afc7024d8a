"""Each system does its work, and sees a fault: what does not compare must not be timed as if it did."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tensor_atlas.bench import rounds
from tensor_atlas.bench.systems import SYSTEMS, System, with_fault
from tensor_atlas.bench.workload import Scenario, Step
from tensor_atlas.speed import ROWS

QUICK = [system for system in SYSTEMS if system.name in ("floor", "gate", "doctest")]
"""Those that take seconds; `nox -s bench` tries every one before it times any, in an environment of its own."""


def test_rows_of_the_page_are_the_systems_that_are_run() -> None:
    """None is left out, and none is only promised."""
    assert {row.system for row in ROWS} == {system.name for system in SYSTEMS}
    assert SYSTEMS[0].name == "floor"
    assert SYSTEMS[1].states == ("cold", "unchanged", "changed")


def test_fault_is_a_wrong_output_where_outputs_are_compared() -> None:
    """Elsewhere only an error can be seen."""
    documents = [(Scenario("a", (Step("print(1)", "1"),)),)]
    for system in SYSTEMS:
        ((scenario,),) = with_fault(system, documents)
        assert (scenario.steps[0].output == "1") != system.compares
        assert (len(scenario.steps) == 1) == system.compares


@pytest.mark.skipif(sys.platform != "linux", reason="the clock of the benchmark is for Linux")
@pytest.mark.parametrize("system", QUICK, ids=lambda system: system.name)
def test_system_does_its_work_and_sees_a_fault(system: System, tmp_path: Path) -> None:
    """On three examples, one of which is wrong the second time."""
    well, caught = rounds.tried(system, tmp_path)
    assert well
    assert caught == (system.name not in rounds.BLIND)
