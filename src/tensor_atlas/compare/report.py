"""Verdicts and changes → terminal text, Markdown, JSON; pure."""

from __future__ import annotations

import json
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from tensor_atlas.compare.verdicts import Verdict, VerdictKind
from tensor_atlas.examples.parse import Example
from tensor_atlas.history.cell_changes import list_cells
from tensor_atlas.history.changes import Change, Comparison, Rule, Severity
from tensor_atlas.history.releases import USUAL_PYTHON, age_key, name_environment, python_minor
from tensor_atlas.model.runs import JSON, Environment

MOST_LINES = 20
"""Lines of output quoted in one difference."""
WIDTH = 100
"""Characters of a line of names."""

MOST_CHARACTERS = 60_000
"""Length of what is written for a pull request, whose text GitHub ends at 65,536 characters."""


def summarize_environment(environment: Environment) -> str:
    """Environment in a few words: ``torch 2.13.0+cpu, NumPy 2.4.6, cpu``, and Python where it is not the usual one."""
    own = "" if python_minor(environment) == USUAL_PYTHON else f", Python {python_minor(environment)}"
    return f"torch {environment.torch}, NumPy {environment.numpy}{own}, {environment.device}"


def escape_controls(text: str) -> str:
    """Text with what a terminal might act on, or a reader not see, spelled out: escapes, controls, overrides."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else repr(c)[1:-1] for c in text)


def describe_differences(verdicts: Iterable[Verdict]) -> list[str]:
    """Verdicts as a person reads them; what environments agree in is told once, of the first, and names the others."""
    found: dict[Verdict, list[Environment]] = {}
    for verdict in verdicts:
        alike = found.setdefault(replace(verdict, environment=None), [])
        if verdict.environment is not None:
            alike.append(verdict.environment)
    return [
        describe_verdict(replace(verdict, environment=next(iter(alike), None)), alike[1:])
        for verdict, alike in found.items()
    ]


def describe_verdict(verdict: Verdict, others: Iterable[Environment] = ()) -> str:
    """One verdict as a person reads it: where, what, statement, claimed, observed, the ``others`` like it, remedy."""
    place = f" ({summarize_environment(verdict.environment)})" if verdict.environment else ""
    head = f"{verdict.path}:{verdict.line}  {verdict.what}{place}"
    rows = [_row("statement", verdict.statement.split("\n") if verdict.statement else [])]
    if verdict.claimed or verdict.observed:
        rows.append(_row("claimed", list(verdict.claimed) or ["(nothing)"]))
        rows.append(_row("observed", list(verdict.observed) or ["(nothing)"]))
    names = ", ".join(name_environment(environment) for environment in sorted(others, key=age_key))
    rows.append(_row("also in", textwrap.wrap(names, WIDTH, break_long_words=False, break_on_hyphens=False)))
    if verdict.remedy:
        rows.append(f"    {verdict.remedy}")
    return escape_controls("\n".join([head, *(row for row in rows if row)]))


def _row(label: str, lines: Sequence[str]) -> str:
    shown = list(lines[:MOST_LINES])
    if len(lines) > MOST_LINES:
        shown.append(f"… {len(lines) - MOST_LINES} more lines")
    blank = " " * len(f"{label:<11}")
    return "\n".join(
        f"    {f'{label:<11}' if index == 0 else blank}{line}" for index, line in enumerate(shown)
    )


def summarize_chapters(verdicts: Iterable[Verdict]) -> str:
    """One line a chapter: how many claims hold, differ and so on."""
    chapters: dict[str, Counter[VerdictKind]] = {}
    for verdict in verdicts:
        chapter = verdict.path.rsplit("/", 2)[-2] if "/" in verdict.path else verdict.path
        chapters.setdefault(chapter, Counter())[verdict.kind] += 1
    width = max((len(chapter) for chapter in chapters), default=0)
    return "\n".join(
        f"{chapter:<{width}}  {describe_counts(counts)}" for chapter, counts in sorted(chapters.items())
    )


def describe_counts(counts: Counter[VerdictKind]) -> str:
    """``12 holds, 1 differs``; kinds that do not occur are left out."""
    return ", ".join(f"{counts[kind]} {kind}" for kind in VerdictKind if counts[kind])


def render_terminal(verdicts: Sequence[Verdict]) -> str:
    """The whole drift report: every difference, then the summary."""
    drifted = [verdict for verdict in verdicts if verdict.is_drift]
    stale = [verdict for verdict in verdicts if verdict.kind is VerdictKind.STALE]
    total = Counter(verdict.kind for verdict in verdicts)
    told = describe_differences(drifted)
    close = f"{_how_many(told, drifted)}: {describe_counts(total) or 'nothing compared'}"
    return "\n\n".join(
        part for part in [*told, *describe_differences(stale), summarize_chapters(verdicts), close] if part
    )


def _how_many(told: Sequence[str], drifted: Iterable[Verdict]) -> str:
    if not told:
        return "no drift"
    places = len({verdict.environment for verdict in drifted} - {None})
    where = f" in {places} environments" if places > 1 else ""
    return f"{len(told)} difference{'s' * (len(told) != 1)}{where}"


def render_markdown(verdicts: Sequence[Verdict]) -> str:
    """The drift report as a pull request's text."""
    drifted = [verdict for verdict in verdicts if verdict.is_drift]
    total = Counter(verdict.kind for verdict in verdicts)
    told = describe_differences(drifted)
    parts = [f"**{_how_many(told, drifted)}** — {describe_counts(total) or 'nothing compared'}"]
    parts += map(_fenced, told)
    return "\n\n".join(parts) + "\n"


def render_json(verdicts: Sequence[Verdict]) -> str:
    """The drift report for other tools: a list of objects, one a verdict."""
    return json.dumps([_document(verdict) for verdict in verdicts], ensure_ascii=False, indent=1)


def _document(verdict: Verdict) -> dict[str, JSON]:
    return {
        "kind": str(verdict.kind),
        "path": verdict.path,
        "line": verdict.line,
        "what": verdict.what,
        "statement": verdict.statement,
        "claimed": list(verdict.claimed),
        "observed": list(verdict.observed),
        "environment": verdict.environment.id if verdict.environment else None,
        "remedy": verdict.remedy,
    }


# --- what changed between two environments -------------------------------------------------------


def comparison_title(comparison: Comparison) -> str:
    """What is compared with what, in one line."""
    return f"{summarize_environment(comparison.before)}  →  {summarize_environment(comparison.after)}"


def tally_changes(comparison: Comparison) -> str:
    """``2 error appeared, 1 wording changed in 72 examples; 24 not compared``."""
    counts = Counter(change.severity for change in comparison.changes)
    told = ", ".join(f"{counts[severity]} {severity}" for severity in Severity if counts[severity])
    rest = f"; {len(comparison.left_out)} not compared" if comparison.left_out else ""
    examples = f"{comparison.compared} example{'s' * (comparison.compared != 1)}"
    cells = sum(len(rule.cells) for rule in comparison.rules)
    matrix = f", {cells} cell{'s' * (cells != 1)} changed in the matrix" if cells else ""
    return f"{told or 'nothing changed'} in {examples}{rest}{matrix}"


def source_location(change: Change, examples: Mapping[str, Example]) -> str:
    """File and line of a change."""
    example = examples[change.example]
    line = example.blocks[change.block].line
    if change.statement is not None:
        line = example.statements[change.statement].line
    return f"{example.path}:{line}"


def render_change(change: Change, examples: Mapping[str, Example]) -> str:
    """One change as a person reads it: where, what kind, statement, before, after, what became of the values."""
    head = f"{source_location(change, examples)}  {change.severity}"
    rows = [_row("statement", change.code.split("\n") if change.code else [])]
    if change.before or change.after:
        rows.append(_row("before", list(change.before) or ["(nothing)"]))
        rows.append(_row("after", list(change.after) or ["(nothing)"]))
    rows.append(_row("values", change.facts))
    return escape_controls("\n".join([head, *(row for row in rows if row)]))


def render_comparison(comparison: Comparison, examples: Mapping[str, Example]) -> str:
    """The whole comparison for a terminal, the gravest changes first, the count last."""
    changed = (render_change(change, examples) for change in comparison.changes)
    return "\n\n".join(
        [
            comparison_title(comparison),
            *changed,
            *map(render_rule, comparison.rules),
            tally_changes(comparison),
        ]
    )


def render_comparison_markdown(comparison: Comparison, examples: Mapping[str, Example]) -> str:
    """The comparison as a pull request's text: a heading for each severity, each change in a fence."""
    return "\n\n".join(_comparison_parts(comparison, examples)) + "\n"


def _comparison_parts(comparison: Comparison, examples: Mapping[str, Example]) -> list[str]:
    parts = [f"### {comparison_title(comparison)}", f"**{tally_changes(comparison)}**"]
    for severity in Severity:
        found = [change for change in comparison.changes if change.severity is severity]
        if found:
            parts.append(f"#### {str(severity).capitalize()} ({len(found)})")
        parts += [_fenced(render_change(change, examples)) for change in found]
    if comparison.rules:
        parts.append(f"#### In the matrix ({len(comparison.rules)})")
    parts += [_fenced(render_rule(rule)) for rule in comparison.rules]
    return parts


def render_rule(rule: Rule) -> str:
    """Cells that changed alike: what they did and do, and which they are."""
    rows = [
        _row("before", rule.before.split("\n")),
        _row("after", rule.after.split("\n")),
        _row("in", list_cells(rule)),
    ]
    count = f"{len(rule.cells)} cell{'s' * (len(rule.cells) != 1)} of the matrix"
    return escape_controls("\n".join([f"{count}  {rule.severity}", *rows]))


def _fenced(text: str) -> str:
    return f"```text\n{text.replace('```', '` ` `')}\n```"


def render_comparison_json(comparison: Comparison, examples: Mapping[str, Example]) -> str:
    """The comparison for other tools."""
    document = {
        "before": comparison.before.id,
        "after": comparison.after.id,
        "compared": comparison.compared,
        "left_out": [{"example": example, "reason": reason} for example, reason in comparison.left_out],
        "changes": [_change_document(change, examples) for change in comparison.changes],
        "matrix": [_rule_document(rule) for rule in comparison.rules],
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def _rule_document(rule: Rule) -> dict[str, JSON]:
    return {
        "severity": str(rule.severity),
        "behaviour": rule.severity.is_behaviour,
        "before": rule.before,
        "after": rule.after,
        "cells": [list(cell) for cell in rule.cells],
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


def render_neighbours(
    around: Sequence[Comparison], examples: Mapping[str, Example], alone: str = ALONE
) -> str:
    """What differs between a newly recorded environment and its neighbours; without any what ``alone`` says."""
    return "\n\n".join(render_comparison(comparison, examples) for comparison in around) or alone


def describe_missing_shards(shards: Sequence[str], examples: int) -> str:
    """Which shards of a run nobody gave, and what follows from that; empty where none is missing."""
    if not shards:
        return ""
    named = f"shard{'s' * (len(shards) != 1)} {', '.join(shards)}"
    return (
        f"{named} missing; the records of {examples} examples, and of the cells they hold, stay as they were"
    )


def render_recording(
    environment: Environment,
    around: Sequence[Comparison],
    drifted: Sequence[Verdict],
    examples: Mapping[str, Example],
    lacking: str = "",
    alone: str = ALONE,
) -> str:
    """The same, after what nothing explains yet, as a pull request's text; its first line names the environment."""
    told = describe_differences(drifted)
    unexplained = (
        f"**{_how_many(told, drifted)} that nothing explains**" if told else "Everything is explained."
    )
    parts = [
        f"## {summarize_environment(environment)}",
        *([f"**Not a whole run: {lacking}**"] if lacking else []),
    ]
    parts.append(unexplained)
    parts += map(_fenced, told)
    parts += [part for comparison in around for part in _comparison_parts(comparison, examples)]
    parts += [] if around else [f"{alone.capitalize()}."]
    return "\n\n".join(_shortened(parts)) + "\n"


def _shortened(parts: Sequence[str]) -> list[str]:
    """Parts as far as they go into the text of a pull request, then how many are left out."""
    room = MOST_CHARACTERS
    for index, part in enumerate(parts):
        room -= len(part) + 2
        if room < 0:
            left = len(parts) - index
            return [
                *parts[:index],
                f"*{left} more parts do not fit here: `tensor-atlas compare` tells them.*",
            ]
    return list(parts)
