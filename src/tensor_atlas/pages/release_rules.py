"""What each release changed in the matrix, as the pages of conversions and sources show it."""

from __future__ import annotations

from dataclasses import dataclass

from tensor_atlas.catalogue import CONVERSIONS, SOURCES, Conversion, Source
from tensor_atlas.compare.upgrade import UpgradeTable
from tensor_atlas.compare.upgrade_report import CAME_OR_WENT, SEVERITIES, TITLES, Item, ReleaseRules
from tensor_atlas.history.changes import Severity

MINOR = (Severity.SOURCE, Severity.WORDING)
"""Changes that the page of a conversion leaves to the pages of the releases."""


@dataclass(frozen=True)
class ChangeLine:
    """Cells of one page that a release changed alike."""

    title: str
    """Kind of the change, as the upgrade page has it."""
    before: str
    """What they did."""
    after: str
    """What they do."""
    others: tuple[Conversion | Source, ...]
    """Sources of a conversion, or conversions of a source."""


ChangeLines = dict[str, list[ChangeLine]]
"""By release."""


def list_conversion_changes(
    table: UpgradeTable, rules: list[ReleaseRules], conversion: Conversion
) -> ChangeLines:
    """What releases changed of a conversion's behaviour, on sources that programs have."""
    (call,) = [place for place, row in enumerate(table.calls) if row.name == conversion.name] or [-1]
    changes: ChangeLines = {}
    for release in rules:
        for item in release.items:
            sources = item.rule.calls.get(call, []) if item.rule else []
            common = tuple(SOURCES[source] for source in sources if not table.sources[source].is_rare)
            if common and SEVERITIES[item.severity] not in MINOR:
                changes.setdefault(release.label, []).append(_build_line(item, common))
    return changes


def list_source_changes(table: UpgradeTable, rules: list[ReleaseRules], source: Source) -> ChangeLines:
    """What releases changed of the behaviour of conversions of a source; when it came, or went."""
    titles = {conversion.name: conversion for conversion in CONVERSIONS}
    source_index = SOURCES.index(source)
    changes: ChangeLines = {}
    for release in rules:
        for item in release.items:
            calls = item.rule.calls if item.rule else {}
            names = [table.calls[call].name for call, sources in calls.items() if source_index in sources]
            if names and SEVERITIES[item.severity] is not Severity.WORDING:
                is_there = item.rule is not None and item.rule.before not in CAME_OR_WENT
                others = tuple(titles[name] for name in names) if is_there else ()
                changes.setdefault(release.label, []).append(_build_line(item, others))
    return changes


def _build_line(item: Item, others: tuple[Conversion | Source, ...]) -> ChangeLine:
    assert item.rule is not None
    title = TITLES[SEVERITIES[item.severity]]
    return ChangeLine(title, item.rule.before, item.rule.after, others)
