"""How well composed steps tell what changes: against the direct comparison of what is recorded.

``python tests/composed_upgrades.py`` prints both; ``tests/compare/test_upgrade.py`` holds the bounds.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations

from committed import committed_changes, committed_evidence

from tensor_atlas.compare.evidence import Evidence
from tensor_atlas.compare.upgrade import (
    UpgradeTable,
    build_upgrade_table,
    keep_environments,
    list_environments,
    shorten_lines,
    shorten_sides,
)
from tensor_atlas.compare.upgrade_report import SEVERITIES, Upgrade
from tensor_atlas.examples.parse import Example
from tensor_atlas.history.cell_changes import classify_change
from tensor_atlas.history.changes import Change, Severity, find_changes
from tensor_atlas.history.releases import name_environment
from tensor_atlas.history.steps import Composed, compose_environments
from tensor_atlas.model.cells import Cell
from tensor_atlas.model.runs import Environment, Run

Subject = tuple[object, ...]
"""A conversion and its source, or an example with a block and code."""
Items = Counter[tuple[Subject, tuple[object, ...]]]
"""What changed of a subject, each as often as it is told."""


@dataclass
class Tally:
    """Items of composed and of direct comparisons, of one environment with all others."""

    direct: int = 0
    composed: int = 0
    missing: Counter[str] = field(default_factory=Counter)
    """Items that only the direct comparison has, by kind."""
    surplus: Counter[str] = field(default_factory=Counter)
    """Items that only the composed one has, by kind."""

    def count(self, direct: Items, composed: Items) -> None:
        """Add the items of one pair."""
        self.direct += direct.total()
        self.composed += composed.total()
        _count_kinds(self.missing, direct, composed)
        _count_kinds(self.surplus, composed, direct)

    @property
    def missing_share(self) -> float:
        """Part of the direct items that are missing."""
        return self.missing.total() / max(1, self.direct)

    @property
    def surplus_share(self) -> float:
        """Part of the composed items that are too many."""
        return self.surplus.total() / max(1, self.composed)

    def describe(self) -> str:
        """Both shares, with their kinds."""
        shares = f"missing {self.missing_share:.2%} {dict(self.missing)}"
        return f"{self.direct:,} items, {shares}, too many {self.surplus_share:.2%} {dict(self.surplus)}"


def _count_kinds(kinds: Counter[str], some: Items, others: Items) -> None:
    """Undone: the other comparison ends where it began; crossed: it ends elsewhere."""
    known = {subject for subject, _ in others}
    for (subject, _), number in (some - others).items():
        kinds["crossed steps" if subject in known else "undone changes"] += number


def name_places(evidence: Evidence, table: UpgradeTable) -> dict[str, str]:
    """Names that the table gives to recorded environments, by id."""
    recorded = list_environments(evidence)
    return {one.id: place.name for one, place in zip(recorded, table.places, strict=False)}


def list_items(table: UpgradeTable, before: str, after: str) -> Items:
    """What the page tells of the way between two environments."""
    names = [place.name for place in table.places]
    found: Items = Counter()
    for item in Upgrade(table, names.index(before), names.index(after)).items:
        for shown in item.changes:
            change = shown.change
            sides = tuple(map("\n".join, (change.before, change.after, change.facts)))
            found[(change.example, change.block), sides] += 1
        for call, sources in item.rule.calls.items() if item.rule else ():
            for source in sources:
                subject = table.calls[call].name, table.sources[source].name
                found[subject, (SEVERITIES[item.severity],)] += 1
    return found


# --- all pairs against the records ---------------------------------------------------------------


def list_recorded_items(evidence: Evidence, before: Environment, after: Environment) -> Items:
    """What two environments differ in, straight from their records."""
    found: Items = Counter()
    for name, shown in evidence.pages.items():
        runs = {environment.id: run for environment, run in shown.runs}
        if before.id in runs and after.id in runs:
            for change in _find_changes(shown.example, runs[before.id], runs[after.id]):
                sides = (*shorten_sides(change.before, change.after), shorten_lines(change.facts))
                found[(name, change.block), sides] += 1
    for name, row in evidence.store.rows.items():
        then, now = row.cells.get(before.id, {}), row.cells.get(after.id, {})
        for source in then.keys() & now.keys():
            severity = _rate_cells(then[source], now[source])
            if severity is not None:
                found[(name, source), (severity,)] += 1
    return found


_KNOWN: dict[tuple[int, int], tuple[Change, ...]] = {}
"""Changes by the identities of two runs: a run that many environments gave is one object."""


def _find_changes(example: Example, before: Run, after: Run) -> tuple[Change, ...]:
    key = id(before), id(after)
    if key not in _KNOWN:
        _KNOWN[key] = find_changes(before, after, example)
    return _KNOWN[key]


def _rate_cells(before: Cell, after: Cell) -> Severity | None:
    """How grave a change of a cell is; None for none, and where only the proof is another."""
    if before is after or before == after:
        return None
    severity, then, now = classify_change(before, after)
    is_of_proof = severity is Severity.WORDING and "known by" in then + now
    return None if is_of_proof else severity


def measure_pairs(evidence: Evidence, table: UpgradeTable, most: int | None = None) -> Tally:
    """All pairs of recorded environments on a processor, or so many by chance: steps against records."""
    tally = Tally()
    names = name_places(evidence, table)
    on_cpu = [environment for environment in list_environments(evidence) if environment.kind == "cpu"]
    pairs = list(combinations(on_cpu, 2))
    for before, after in pairs if most is None else random.sample(pairs, most):
        composed = list_items(table, names[before.id], names[after.id])
        tally.count(list_recorded_items(evidence, before, after), composed)
    return tally


# --- each environment left out -------------------------------------------------------------------


def list_composable(recorded: Iterable[Environment]) -> list[Composed]:
    """Those that are composed of the others, if they are left out, with how."""
    known = list(recorded)
    found: list[Composed] = []
    for environment in known:
        rest = [other for other in known if other.id != environment.id]
        found += [one for one in compose_environments(rest) if one.environment.id == environment.id]
    return found


def measure_left_out(
    evidence: Evidence, table: UpgradeTable, most: int | None = None
) -> Iterator[tuple[Composed, Tally]]:
    """Each environment that can be composed, or some by chance: changes with and without it."""
    recorded = list_environments(evidence)
    composable = list_composable(recorded)
    names = name_places(evidence, table)
    for one in composable if most is None else random.sample(composable, most):
        environment = one.environment
        rest = [other for other in recorded if other.id != environment.id]
        without = build_upgrade_table(keep_environments(evidence, {other.id for other in rest}))
        tally = Tally()
        name = name_environment(environment)
        for other in rest:
            if other.kind == environment.kind:
                ends = name, names[other.id]
                tally.count(list_items(table, *ends), list_items(without, *ends))
        yield one, tally


if __name__ == "__main__":
    committed = committed_evidence()
    print("all pairs:", measure_pairs(committed, committed_changes()).describe())
    for left_out, measured in measure_left_out(committed, committed_changes()):
        far = " (far)" if left_out.is_far else ""
        print(f"without {name_environment(left_out.environment)}{far}:", measured.describe())
