"""What changed between the matrix cells of two environments, as rules for cells that changed alike; pure.

Forty sources on which a conversion began to share memory are one rule, not forty findings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tensor_atlas.history.changes import Rule, Severity
from tensor_atlas.model.cells import Cell, Outcome

Cells = Mapping[str, Mapping[str, Cell]]
"""By conversion, then by source."""

DEADLY = frozenset({Outcome.CRASHES, Outcome.TIMES_OUT})
"""Outcomes that end the whole process."""
FAILURES = DEADLY | {Outcome.RAISES, Outcome.NO_SOURCE}
"""Outcomes without a result."""


def find_rules(before: Cells, after: Cells) -> tuple[Rule, ...]:
    """Changes of the cells that both have tried: the gravest first, then those of the most cells."""
    found: dict[tuple[Severity, str, str], list[tuple[str, str]]] = {}
    for conversion in sorted(before.keys() & after.keys()):
        then, now = before[conversion], after[conversion]
        for source in sorted(then.keys() & now.keys()):
            if then[source] != now[source]:
                key = classify_change(then[source], now[source])
                found.setdefault(key, []).append((conversion, source))
    rules = [Rule(*key, tuple(cells)) for key, cells in found.items()]
    return tuple(
        sorted(rules, key=lambda rule: (rule.severity.rank, -len(rule.cells), rule.before, rule.after))
    )


def classify_change(then: Cell, now: Cell) -> tuple[Severity, str, str]:
    """How grave the change of a cell is, with the fields that differ in words, before and after."""
    severity = _compare_outcomes(then, now)
    if severity is not None:
        return severity, describe_outcome(then), describe_outcome(now)
    differing = [key for key in _LABELS if _field(then, key) != _field(now, key)]
    if differing:
        return Severity.VALUE, _describe_fields(then, differing), _describe_fields(now, differing)
    if then.error and now.error and then.error.type != now.error.type:
        return Severity.CLASS, describe_outcome(then), describe_outcome(now)
    if [w.category for w in then.warnings] != [w.category for w in now.warnings]:
        return Severity.WARNING, _describe_warnings(then), _describe_warnings(now)
    if then.warnings != now.warnings and then.error == now.error:
        return Severity.WORDING, _describe_warnings(then), _describe_warnings(now)
    return Severity.WORDING, _message(then), _message(now)


def _compare_outcomes(then: Cell, now: Cell) -> Severity | None:
    if (then.outcome is Outcome.NO_SOURCE) != (now.outcome is Outcome.NO_SOURCE):
        return Severity.SOURCE
    for failures in (FAILURES, DEADLY):
        if (then.outcome in failures) != (now.outcome in failures):
            return Severity.ERROR_VANISHED if then.outcome in failures else Severity.ERROR_APPEARED
    return None if then.outcome is now.outcome else Severity.SHARING


_LABELS = {
    "type": "",
    "dtype": "",
    "device": "on",
    "shape": "shape",
    "strides": "strides",
    "writable": "writable",
    "requires_grad": "requires_grad",
    "writes": "changes the source",
    "value": "value",
}
"""Fields of a result with the words before them; ``proof``, how sharing was measured, is no behaviour."""


def _field(cell: Cell, key: str) -> str:
    value = getattr(cell, key)
    return "none" if value in (None, "") else str(value)


def _describe_fields(cell: Cell, keys: Iterable[str]) -> str:
    return ", ".join(f"{_LABELS[key]} {_field(cell, key)}".strip() for key in keys)


def describe_outcome(cell: Cell) -> str:
    """Outcome of a cell in a few words: ``raises (TypeError)``, ``shares memory``."""
    if cell.error is None or not cell.error.type:
        return str(cell.outcome)
    return f"{cell.outcome} ({cell.error.type})"


def _describe_warnings(cell: Cell) -> str:
    return "; ".join(f"{w.category}: {w.message}" for w in cell.warnings) or "no warning"


def _message(cell: Cell) -> str:
    if cell.error is not None:
        return cell.error.message
    return "" if cell.proof is None else f"known by {cell.proof}"


MOST_NAMED = 6
"""Conversions or sources that a line about a rule names; the rest are counted."""


def list_cells(rule: Rule) -> list[str]:
    """Cells of a rule as lines of text, one for all conversions that changed on the same sources."""
    changed: dict[str, list[str]] = {}
    for conversion, source in rule.cells:
        changed.setdefault(conversion, []).append(source)
    alike: dict[tuple[str, ...], list[str]] = {}
    for conversion, sources in changed.items():
        alike.setdefault(tuple(sources), []).append(conversion)
    return [f"{_shorten(names)} on {_shorten(sources)}" for sources, names in alike.items()]


def _shorten(names: Sequence[str]) -> str:
    first = ", ".join(names[:MOST_NAMED])
    rest = len(names) - MOST_NAMED
    return f"{first} and {rest} more" if rest > 0 else first
