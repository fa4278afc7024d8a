"""Verdicts on the cells of a capture, held to what is recorded; pure."""

from __future__ import annotations

from tensor_atlas.compare.verdicts import Verdict, VerdictKind
from tensor_atlas.history.cell_changes import Cells, find_rules, list_cells
from tensor_atlas.history.changes import Rule
from tensor_atlas.model.runs import Environment

ACCEPT = "review, then: tensor-atlas record --matrix"


def judge_cells(
    environment: Environment, tried: Cells, expected: Environment | None, cells: Cells
) -> tuple[Verdict, ...]:
    """Verdicts on what was tried, held to what ``expected`` gave: one a rule, and one a row that holds."""
    if expected is None:
        return (
            Verdict(VerdictKind.STALE, _file(next(iter(tried), "")), 1, "no older release to compare with"),
        )
    found = find_rules(cells, tried)
    changed = {conversion for rule in found for conversion, _ in rule.cells}
    counts = {
        name: len(tried[name].keys() & cells[name].keys()) for name in sorted(tried.keys() & cells.keys())
    }
    holding = [
        Verdict(VerdictKind.HOLDS, _file(name), 1, _counted(count), environment=environment)
        for name, count in counts.items()
        if count and name not in changed
    ]
    where = "" if expected.id == environment.id else f" since torch {expected.torch}, NumPy {expected.numpy}"
    return (*(_verdict(rule, environment, where) for rule in found), *holding)


def _verdict(rule: Rule, environment: Environment, where: str) -> Verdict:
    count = f"{_counted(len(rule.cells))}: {rule.severity}{where}"
    return Verdict(
        VerdictKind.DIFFERS,
        _file(rule.cells[0][0]),
        1,
        count,
        "\n".join(list_cells(rule)),
        tuple(rule.before.split("\n")),
        tuple(rule.after.split("\n")),
        environment,
        ACCEPT,
    )


def _counted(count: int) -> str:
    return f"{count} cell{'s' * (count != 1)}"


def _file(conversion: str) -> str:
    return f"docs/records/matrix/{conversion}.json"
