"""What releases changed in the matrix, on the pages of releases, conversions and sources."""

from __future__ import annotations

import pytest
from committed import committed_changes, committed_evidence, committed_rules

from tensor_atlas.catalogue import CONVERSIONS, SOURCES
from tensor_atlas.compare.upgrade import RARE, CallRow, SourceRow, UpgradeTable
from tensor_atlas.compare.upgrade_report import SEVERITIES, CallRule, Item, ReleaseRules
from tensor_atlas.history.changes import Severity
from tensor_atlas.pages.release_rules import list_conversion_changes, list_source_changes
from tensor_atlas.pages.release_view import count_rule_cells, list_pages, list_rules


@pytest.fixture
def table() -> UpgradeTable:
    """Changes between all recorded environments."""
    return committed_changes()


@pytest.fixture
def rules() -> list[ReleaseRules]:
    """Rules of all releases."""
    return committed_rules()


@pytest.mark.slow
def test_each_rule_stands_on_the_page_of_one_release(rules: list[ReleaseRules]) -> None:
    """None is lost between the pages."""
    shown = [release for page in list_pages(committed_evidence()) for release in list_rules(rules, page)]
    assert sorted(release.label for release in shown) == sorted(release.label for release in rules)
    assert sum(map(count_rule_cells, shown)) > 1000


@pytest.mark.slow
def test_no_rule_has_the_same_on_both_sides(rules: list[ReleaseRules]) -> None:
    """Of long texts, or of many lines, it shows where they differ."""
    found = [item.rule for release in rules for item in release.items if item.rule]
    assert [rule.before for rule in found if rule.before == rule.after] == []


@pytest.mark.slow
def test_conversion_tells_of_inputs_that_programs_have(
    table: UpgradeTable, rules: list[ReleaseRules]
) -> None:
    """Not of dtypes that came, nor of other words; no line has the same on both sides."""
    lines = []
    for conversion in CONVERSIONS:
        for some in list_conversion_changes(table, rules, conversion).values():
            lines += some
    assert lines
    assert [line for line in lines if line.before == line.after] == []
    assert [line for line in lines if any(RARE.search(other.name) for other in line.others)] == []
    assert {line.title for line in lines}.isdisjoint({"Inputs gained or lost", "Only worded differently"})


@pytest.mark.slow
def test_source_says_once_since_when_it_can_be_made(table: UpgradeTable, rules: list[ReleaseRules]) -> None:
    """Not once for each conversion."""
    (source,) = (one for one in SOURCES if one.name == "tensor-float4-e2m1fn-x2")
    lines = [
        line
        for some in list_source_changes(table, rules, source).values()
        for line in some
        if not line.others
    ]
    assert [(line.before, line.after) for line in lines] == [("cannot be made", "can be made")]


# --- a table of two conversions -------------------------------------------------------------------

FIRST, SECOND = CONVERSIONS[:2]
SHARES, COPIES = "shares memory", "copies"


def small_table() -> UpgradeTable:
    """Two conversions on every source, of which the second one is rare."""
    calls = [CallRow(conversion.name, conversion.title, 0, []) for conversion in (FIRST, SECOND)]
    sources = [SourceRow(source.name, source.title, 0, place == 1) for place, source in enumerate(SOURCES)]
    return UpgradeTable([], [], [], [], [], [], calls, sources, [])


def changed(severity: Severity, calls: dict[int, list[int]], before: str = SHARES) -> list[ReleaseRules]:
    """One rule of torch 2.9, on these sources by call."""
    item = Item(SEVERITIES.index(severity), 0, 0, rule=CallRule(before, COPIES, "", "", calls))
    without_cells = Item(SEVERITIES.index(severity), 0, 0)
    return [ReleaseRules(0, "torch 2.9", [item, without_cells])]


def test_conversion_names_the_common_sources_that_changed() -> None:
    """No rare one, no other conversion's, and no change of words."""
    rules = changed(Severity.SHARING, {0: [0, 1, 2]})
    (line,) = list_conversion_changes(small_table(), rules, FIRST)["torch 2.9"]
    assert (line.before, line.after, line.others) == (SHARES, COPIES, (SOURCES[0], SOURCES[2]))
    assert list_conversion_changes(small_table(), rules, SECOND) == {}
    assert list_conversion_changes(small_table(), rules, CONVERSIONS[2]) == {}
    assert list_conversion_changes(small_table(), changed(Severity.SHARING, {0: [1]}), FIRST) == {}
    assert list_conversion_changes(small_table(), changed(Severity.WORDING, {0: [0]}), FIRST) == {}


def test_source_names_the_conversions_that_changed() -> None:
    """Rare or not; of a source that came or went none, as it did so for all."""
    rules = changed(Severity.SHARING, {0: [0, 1], 1: [1]})
    (line,) = list_source_changes(small_table(), rules, SOURCES[1])["torch 2.9"]
    assert line.others == (FIRST, SECOND)
    (line,) = list_source_changes(small_table(), rules, SOURCES[0])["torch 2.9"]
    assert line.others == (FIRST,)
    assert list_source_changes(small_table(), rules, SOURCES[2]) == {}
    assert list_source_changes(small_table(), changed(Severity.WORDING, {0: [0]}), SOURCES[0]) == {}
    came = changed(Severity.SOURCE, {0: [0]}, "cannot be made")
    (line,) = list_source_changes(small_table(), came, SOURCES[0])["torch 2.9"]
    assert line.others == ()
