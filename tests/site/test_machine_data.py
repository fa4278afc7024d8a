"""What the page that compares machines reads: each distinct observation and cell once, with who gave it."""

from __future__ import annotations

from samples import CPU, GPU, OLDER, example, ran

from tensor_atlas.compare.evidence import evidence_from_records
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.runs import JSON
from tensor_atlas.records.fold import Record
from tensor_atlas.records.matrix_rows import Row
from tensor_atlas.records.store import Store
from tensor_atlas.site.machine_data import build_machine_data

ENVIRONMENTS = {environment.id: environment for environment in (CPU, GPU, OLDER)}


def test_runs_alike_stand_once_with_their_environments() -> None:
    """By index among the environments, the newest first; the code stands with the example."""
    what = example("print(1)\n")
    runs = {CPU.id: ran(what, "1"), GPU.id: ran(what, "1"), OLDER.id: ran(what, "2")}
    store = Store(ENVIRONMENTS, {what.name: Record(what.name, runs)})
    data: dict[str, JSON] = build_machine_data(evidence_from_records({what.name: what}, store))
    order = [one["id"] for one in data["environments"]]  # type: ignore[index, union-attr, call-overload]
    assert order == [GPU.id, CPU.id, OLDER.id]
    examples = data["examples"]
    assert isinstance(examples, dict)
    entry = examples[what.name]
    assert isinstance(entry, dict)
    assert entry["code"] == ["print(1)"]
    assert entry["observations"] == [{"stdout": "1"}, {"stdout": "2"}]
    digest = what.digest
    first, second = [[0, 1], "completed", "", digest, [0]], [[2], "completed", "", digest, [1]]
    assert [run[:5] for run in entry["runs"]] == [first, second]  # type: ignore[index, union-attr]


def test_cells_name_the_group_of_each_environment() -> None:
    """One index where all agree; a list by group where they do not, with -1 for what was not tried."""
    shares, copies = Cell(Outcome.SHARES), Cell(Outcome.COPIES)
    cells = {CPU.id: {"a": shares, "b": copies}, GPU.id: {"a": shares, "b": copies}, OLDER.id: {"a": shares}}
    store = Store(ENVIRONMENTS, rows={"call": Row("call", cells, code="c0de")}, sources={"a": "1", "b": "2"})
    matrix = build_machine_data(evidence_from_records({}, store))["matrix"]
    assert matrix == {
        "outcomes": [{"outcome": "shares memory"}, {"outcome": "copies"}],
        "sources": {"a": "1", "b": "2"},
        "rows": {"call": ["c0de", [0, 0, 1], {"a": 0, "b": [1, -1]}]},
    }
