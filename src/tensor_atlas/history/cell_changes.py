"""(cells before, cells after) → what changed, told as rules instead of cell by cell; pure.

Forty sources on which a conversion began to share memory are one rule, not forty findings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tensor_atlas.history.changes import Rule, Severity
from tensor_atlas.history.releases import age_key, release_line
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.runs import Environment

Cells = Mapping[str, Mapping[str, Cell]]
"""By conversion, then by source."""

DEADLY = frozenset({Outcome.CRASHES, Outcome.TIMES_OUT})
"""Outcomes that no program goes on after."""
FAILURES = DEADLY | {Outcome.RAISES, Outcome.NO_SOURCE}
"""Outcomes without a result."""


def find_rules(before: Cells, after: Cells) -> tuple[Rule, ...]:
    """What changed in the cells that both have tried, the gravest first, then what many cells share."""
    found: dict[tuple[Severity, str, str], list[tuple[str, str]]] = {}
    for conversion in sorted(before.keys() & after.keys()):
        then, now = before[conversion], after[conversion]
        for source in sorted(then.keys() & now.keys()):
            if then[source] != now[source]:
                key = classify_change(then[source], now[source])
                found.setdefault(key, []).append((conversion, source))
    told = [Rule(*key, tuple(cells)) for key, cells in found.items()]
    return tuple(sorted(told, key=lambda r: (r.severity.rank, -len(r.cells), r.before, r.after)))


def classify_change(then: Cell, now: Cell) -> tuple[Severity, str, str]:
    """How grave a change is, and what changed: the fields that differ, spelled out."""
    if (then.outcome is Outcome.NO_SOURCE) != (now.outcome is Outcome.NO_SOURCE):
        return Severity.SOURCE, describe_outcome(then), describe_outcome(now)
    for failures in (FAILURES, DEADLY):
        if (then.outcome in failures) != (now.outcome in failures):
            severity = Severity.ERROR_VANISHED if then.outcome in failures else Severity.ERROR_APPEARED
            return severity, describe_outcome(then), describe_outcome(now)
    if then.outcome is not now.outcome:
        return Severity.SHARING, describe_outcome(then), describe_outcome(now)
    differing = [(_LABELS[key], a, b) for key in _LABELS if (a := _told(then, key)) != (b := _told(now, key))]
    if differing:
        words = (
            [f"{label} {a}".strip() for label, a, _ in differing],
            [f"{label} {b}".strip() for label, _, b in differing],
        )
        return Severity.VALUE, ", ".join(words[0]), ", ".join(words[1])
    if then.warnings != now.warnings:
        return Severity.WARNING, _warned(then), _warned(now)
    if then.error and now.error and then.error.type != now.error.type:
        return Severity.VALUE, describe_outcome(then), describe_outcome(now)
    return Severity.WORDING, _message(then), _message(now)


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
"""Fields of a result, and the words that introduce them; ``proof`` is how something is known, and no behaviour."""


def _told(cell: Cell, key: str) -> str:
    value = getattr(cell, key)
    return "none" if value in (None, "") else str(value)


def describe_outcome(cell: Cell) -> str:
    """What became of a source, in a few words: ``raises TypeError``, ``shares memory``."""
    if cell.error is None:
        return str(cell.outcome)
    return f"{cell.outcome} ({cell.error.type})" if cell.error.type else str(cell.outcome)


def _warned(cell: Cell) -> str:
    return "; ".join(f"{w.category}: {w.message}" for w in cell.warnings) or "no warning"


def _message(cell: Cell) -> str:
    if cell.error is not None:
        return cell.error.message
    return "" if cell.proof is None else f"known by {cell.proof}"


MOST_NAMED = 6
"""Conversions or sources that a line about a rule names; more are counted."""


def list_cells(rule: Rule) -> list[str]:
    """The cells of a rule, a line for the conversions that changed on the same sources."""
    tried: dict[str, list[str]] = {}
    for conversion, source in rule.cells:
        tried.setdefault(conversion, []).append(source)
    alike: dict[tuple[str, ...], list[str]] = {}
    for conversion, sources in tried.items():
        alike.setdefault(tuple(sources), []).append(conversion)
    return [f"{_some(names)} on {_some(sources)}" for sources, names in alike.items()]


def _some(names: Sequence[str]) -> str:
    rest = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")


def find_baseline(environment: Environment, recorded: Iterable[Environment]) -> Environment | None:
    """Whose cells an environment is held to: its own, else those of the nearest older release on its kind of device.

    None where nothing older is recorded.
    """
    kin = [other for other in recorded if other.kind == environment.kind]
    if any(other.id == environment.id for other in kin):
        return next(other for other in kin if other.id == environment.id)
    alike = [
        other for other in kin if other.numpy == environment.numpy and age_key(other) < age_key(environment)
    ]
    older = [other for other in release_line(kin) if age_key(other) < age_key(environment)]
    return max(alike or older, key=age_key, default=None)
