"""Verdicts on the matrix cells of a capture, compared with recorded cells; pure."""

from __future__ import annotations

from tensor_atlas.compare.verdicts import Verdict, VerdictKind
from tensor_atlas.history.cell_changes import Cells, find_rules, list_cells
from tensor_atlas.history.changes import Rule
from tensor_atlas.model.runs import Environment

ACCEPT = "review, then: tensor-atlas record --matrix"


def judge_cells(
    environment: Environment, tried: Cells, expected: Environment | None, cells: Cells
) -> tuple[Verdict, ...]:
    """Verdicts on the cells ``tried``, compared with those of ``expected``.

    One for each rule by which cells changed, and one for each conversion whose cells all hold.
    """
    if expected is None:
        what = "no older release to compare with"
        return (Verdict(VerdictKind.STALE, _record_path(next(iter(tried), "")), 1, what),)
    rules = find_rules(cells, tried)
    since = "" if expected.id == environment.id else f" since torch {expected.torch}, NumPy {expected.numpy}"
    verdicts = [_differ(rule, environment, since) for rule in rules]
    changed = {conversion for rule in rules for conversion, _ in rule.cells}
    for name in sorted((tried.keys() & cells.keys()) - changed):
        count = len(tried[name].keys() & cells[name].keys())
        if count:
            verdicts.append(_hold(name, count, environment))
    return tuple(verdicts)


def _hold(conversion: str, count: int, environment: Environment) -> Verdict:
    path = _record_path(conversion)
    return Verdict(VerdictKind.HOLDS, path, 1, _count_cells(count), environment=environment)


def _differ(rule: Rule, environment: Environment, since: str) -> Verdict:
    return Verdict(
        kind=VerdictKind.DIFFERS,
        path=_record_path(rule.cells[0][0]),
        line=1,
        what=f"{_count_cells(len(rule.cells))}: {rule.severity}{since}",
        statement="\n".join(list_cells(rule)),
        claimed=tuple(rule.before.split("\n")),
        observed=tuple(rule.after.split("\n")),
        environment=environment,
        remedy=ACCEPT,
    )


def _count_cells(count: int) -> str:
    return f"{count} cell{'s' * (count != 1)}"


def _record_path(conversion: str) -> str:
    return f"docs/records/matrix/{conversion}.json"
