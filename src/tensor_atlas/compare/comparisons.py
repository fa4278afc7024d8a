"""What differs between two environments, as text for a terminal, as JSON, in a report of recordings; pure.

The items are those of the upgrade page: ``upgrade_report.py`` works them out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from tensor_atlas.compare.change_text import count_noun, render_change, render_rule, source_location
from tensor_atlas.compare.evidence import Evidence, ExampleEvidence
from tensor_atlas.compare.report import count_differences, describe_differences, quote_text
from tensor_atlas.compare.upgrade import NONE, UpgradeTable, list_places
from tensor_atlas.compare.upgrade_report import (
    SEVERITIES,
    TITLES,
    CallRule,
    Item,
    Upgrade,
    explain_places,
    list_releases,
    sort_calls,
)
from tensor_atlas.compare.verdicts import Verdict
from tensor_atlas.examples.parse import Example
from tensor_atlas.history.changes import Change, Rule
from tensor_atlas.history.releases import summarize_environment
from tensor_atlas.model.runs import JSON, Environment

COMPARISON_SCHEMA = 2
"""Version of the JSON form; a change that breaks its readers makes it greater."""


@dataclass(frozen=True)
class Comparison:
    """Everything that differs between two environments."""

    before: Environment
    """The one, the older where they are releases."""
    after: Environment
    """The other."""
    upgrade: Upgrade
    """The items, the gravest first."""
    compared: int
    """How many examples ran the same code in both."""
    left_out: tuple[tuple[str, str], ...]
    """Examples that could not be compared, each with the reason."""


def compare_environments(
    evidence: Evidence, table: UpgradeTable, before: Environment, after: Environment
) -> Comparison:
    """What differs between two environments of the evidence, of which the table is; composed ones, too."""
    ids = [environment.id for environment in list_places(evidence)]
    upgrade = Upgrade(table, ids.index(before.id), ids.index(after.id))
    recorded = [end for end in (before, after) if end.id in evidence.store.environments]
    left_out: list[tuple[str, str]] = []
    for name, shown in sorted(evidence.pages.items()):
        reasons = [reason for end in recorded if (reason := _reason_against(shown, end))]
        left_out += [(name, reason) for reason in reasons[:1]]
    return Comparison(before, after, upgrade, len(evidence.pages) - len(left_out), tuple(left_out))


def _reason_against(evidence: ExampleEvidence, environment: Environment) -> str:
    """Why an environment's run of an example cannot be compared; empty where it can."""
    where = summarize_environment(environment)
    not_run = {other.id: reason for other, reason in evidence.not_run}
    if environment.id in not_run:
        return f"{not_run[environment.id]} on {where}"
    if environment.id in {other.id for other in evidence.stale}:
        return f"changed since {where} recorded it"
    is_compared = environment.id in {other.id for other, _ in evidence.runs}
    return "" if is_compared else f"no record of {where}"


# --- as text -------------------------------------------------------------------------------------


def comparison_title(comparison: Comparison) -> str:
    """What is compared with what, in one line."""
    return f"{summarize_environment(comparison.before)}  →  {summarize_environment(comparison.after)}"


def tally_changes(comparison: Comparison) -> str:
    """``2 error appeared, 1 wording changed in 72 examples; 24 not compared``."""
    counts = zip(SEVERITIES, comparison.upgrade.statements, strict=True)
    changed = ", ".join(f"{count} {severity}" for severity, count in counts if count)
    text = f"{changed or 'nothing changed'} in {count_noun(comparison.compared, 'example')}"
    if comparison.left_out:
        text += f"; {len(comparison.left_out)} not compared"
    cells = sum(comparison.upgrade.cells)
    if cells:
        text += f", {count_noun(cells, 'cell')} changed in the matrix"
    return text


def render_comparison(comparison: Comparison, examples: Mapping[str, Example]) -> str:
    """The whole comparison as text: the gravest items first, the counts last."""
    upgrade = comparison.upgrade
    items = [render_item(upgrade, item, examples) for item in upgrade.items]
    return "\n\n".join(
        [comparison_title(comparison), *explain_places(upgrade), *items, tally_changes(comparison)]
    )


def render_item(upgrade: Upgrade, item: Item, examples: Mapping[str, Example]) -> str:
    """An item as text: its reason, which of several releases brought it, then each of its changes."""
    labels = "" if upgrade.is_step else ", ".join(list_releases(item))
    reason = () if item.reason == NONE else upgrade.table.reasons[item.reason]
    head = ": ".join(filter(None, (labels, " ".join(filter(None, reason)))))
    parts = [head] * bool(head) + [render_change(shown.change, examples) for shown in item.changes]
    if item.rule is not None:
        parts.append(render_rule(name_cells(upgrade.table, item.severity, item.rule)))
    return "\n\n".join(parts)


def name_cells(table: UpgradeTable, severity: int, rule: CallRule) -> Rule:
    """A rule with the names of its conversions, the most used first, and sources."""
    cells: list[tuple[str, str]] = []
    for call in sort_calls(table, rule):
        cells += [(table.calls[call].name, table.sources[source].name) for source in rule.calls[call]]
    return Rule(SEVERITIES[severity], rule.before, rule.after, tuple(cells))


# --- as JSON -------------------------------------------------------------------------------------


def render_comparison_json(comparison: Comparison, examples: Mapping[str, Example]) -> str:
    """The comparison for other tools."""
    upgrade = comparison.upgrade
    document = {
        "schema": COMPARISON_SCHEMA,
        "before": comparison.before.id,
        "after": comparison.after.id,
        "recorded": upgrade.is_recorded,
        "compared": comparison.compared,
        "left_out": [{"example": example, "reason": reason} for example, reason in comparison.left_out],
        "items": [_item_document(upgrade, item, examples) for item in upgrade.items],
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def _item_document(upgrade: Upgrade, item: Item, examples: Mapping[str, Example]) -> dict[str, JSON]:
    reason: JSON = None
    if item.reason != NONE:
        reason = dict(zip(("text", "link"), upgrade.table.reasons[item.reason], strict=True))
    cells: JSON = None
    if item.rule is not None:
        cells = msgspec.to_builtins(name_cells(upgrade.table, item.severity, item.rule))
    severity = SEVERITIES[item.severity]
    return {
        "severity": str(severity),
        "behaviour": severity.is_behaviour,
        "releases": [*list_releases(item)],
        "reason": reason,
        "changes": [_change_document(shown.change, examples) for shown in item.changes],
        "matrix": cells,
    }


def _change_document(change: Change, examples: Mapping[str, Example]) -> dict[str, JSON]:
    path, _, line = source_location(change, examples).rpartition(":")
    return {
        "severity": str(change.severity),
        "behaviour": change.severity.is_behaviour,
        "example": change.example,
        "path": path,
        "line": int(line),
        "statement": change.code,
        "before": list(change.before),
        "after": list(change.after),
        "values": list(change.facts),
    }


# --- what a newly recorded environment brings ----------------------------------------------------

ALONE = "nothing recorded lies next to it: nothing to compare it with"
NOTHING_NEW = "nothing new: tensor-atlas compare tells what differs from another environment"


def describe_missing_shards(shards: Sequence[str], examples: int) -> str:
    """Which shards are missing, and how many examples therefore keep their records; empty for none."""
    if not shards:
        return ""
    names = f"shard{'s' * (len(shards) != 1)} {', '.join(shards)}"
    return (
        f"{names} missing; the records of {examples} examples, and of the cells they hold, stay as they were"
    )


def render_recording(
    environment: Environment,
    around: Sequence[Comparison],
    drifted: Sequence[Verdict],
    examples: Mapping[str, Example],
    lacking: str = "",
    alone: str = ALONE,
) -> str:
    """A recording in Markdown: unexplained differences, then comparisons with its neighbours.

    The first line names the environment; ``lacking`` says what of the run is missing.
    """
    differences = describe_differences(drifted)
    parts = [f"## {summarize_environment(environment)}"]
    if lacking:
        parts.append(f"**Not a whole run: {lacking}**")
    if differences:
        parts.append(f"**{count_differences(differences, drifted)} that nothing explains**")
    else:
        parts.append("Everything is explained.")
    parts += map(quote_text, differences)
    for comparison in around:
        parts += _comparison_parts(comparison, examples)
    if not around:
        parts.append(f"{alone.capitalize()}.")
    return "\n\n".join(parts) + "\n"


def _comparison_parts(comparison: Comparison, examples: Mapping[str, Example]) -> list[str]:
    """A comparison in Markdown: a heading for each severity, each item in a fence."""
    upgrade = comparison.upgrade
    parts = [f"### {comparison_title(comparison)}", f"**{tally_changes(comparison)}**"]
    for severity, title in enumerate(TITLES.values()):
        items = [item for item in upgrade.items if item.severity == severity]
        if items:
            parts.append(f"#### {title} ({len(items)})")
        parts += [quote_text(render_item(upgrade, item, examples)) for item in items]
    return parts
