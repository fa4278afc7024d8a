"""Comparisons of two environments from changes that a test spells out."""

from __future__ import annotations

from collections.abc import Sequence

from samples import CPU, OLDER

from tensor_atlas.compare.comparisons import Comparison
from tensor_atlas.compare.upgrade import (
    NONE,
    Bundle,
    CallRow,
    ExampleRow,
    Place,
    PlaceRow,
    SourceRow,
    UpgradeTable,
)
from tensor_atlas.compare.upgrade_report import Upgrade
from tensor_atlas.history.changes import Change, Rule
from tensor_atlas.history.patterns import Numbers
from tensor_atlas.model.runs import Environment

PATTERN = "01"
"""Two places that did not do alike."""


def compare(
    *changes: Change,
    rules: Sequence[Rule] = (),
    before: Environment = OLDER,
    after: Environment = CPU,
    left_out: tuple[tuple[str, str], ...] = (),
) -> Comparison:
    """A comparison of 72 examples in which these changes and rules are what differs."""
    texts: Numbers[str] = Numbers({"": 0})
    words: Numbers[tuple[int, int, int, int]] = Numbers({(0, 0, 0, 0): 0})

    def spell(found: Change | Rule) -> list[list[int]]:
        sides = (found.before, found.after) if isinstance(found, Rule) else map("\n".join, _sides(found))
        numbers = [texts[side] for side in sides]
        facts = texts["\n".join(found.facts)] if isinstance(found, Change) else 0
        return [[0, words[found.severity.rank, numbers[0], numbers[1], facts]], [0, 0]]

    examples = []
    for change in changes:
        index = NONE if change.statement is None else change.statement
        row = PlaceRow(
            0, spell(change), change.block, texts[change.code], [], 0, [NONE, NONE], index, texts[""]
        )
        examples.append(ExampleRow(change.example, "Title", [row]))
    sources: Numbers[str] = Numbers()
    calls = []
    for rule in rules:
        for name in dict.fromkeys(conversion for conversion, _ in rule.cells):
            own = [sources[source] for conversion, source in rule.cells if conversion == name]
            calls.append(CallRow(name, name, 0, [Bundle(0, spell(rule), own, [0, 0])]))
    table = UpgradeTable(
        [Place(n, n, (0, 0, 0), is_compatible=True, is_recorded=True) for n in ("before", "after")],
        [],
        [PATTERN],
        list(texts),
        list(words),
        examples,
        calls,
        [SourceRow(name, name, 0, is_rare=False) for name in sources],
        [],
    )
    return Comparison(before, after, Upgrade(table, 0, 1), 72, left_out)


def _sides(change: Change) -> tuple[Sequence[str], Sequence[str]]:
    return change.before, change.after
