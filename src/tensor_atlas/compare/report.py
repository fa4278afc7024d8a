"""Verdicts and changes as text for a terminal, as JSON, and as Markdown for pull requests; pure."""

from __future__ import annotations

import json
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import msgspec

from tensor_atlas.compare.verdicts import Verdict, VerdictKind
from tensor_atlas.examples.parse import Example
from tensor_atlas.history.cell_changes import list_cells
from tensor_atlas.history.changes import Change, Comparison, Rule, Severity
from tensor_atlas.history.releases import age_key, name_environment, summarize_environment
from tensor_atlas.model.runs import JSON, Environment

MOST_LINES = 20
"""Lines of output quoted in one difference."""
WIDTH = 100
"""Characters of a line of names."""

NOTHING = "(nothing)"
BLANK = "(blank line)"

_CI_COMMAND = re.compile(r"^(?P<blanks>[^\S\n]*):(?=:)|#(?=#\w*\[)", re.MULTILINE)
"""``::error::`` at the start of a line, whose blanks GitHub's runner skips; ``##[error]`` anywhere in it."""


def escape_controls(text: str) -> str:
    """Text with escape sequences for invisible characters, and for commands to a terminal or a CI service."""
    text = _CI_COMMAND.sub(_escape_command, text)
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_escape, text))


def _escape_command(found: re.Match[str]) -> str:
    """The first character of a command as an escape sequence, behind the blanks before it."""
    return "\\x23" if found["blanks"] is None else f"{found['blanks']}\\x3a"


def _escape(character: str) -> str:
    is_shown = character.isprintable() or character in "\n\t"
    return character if is_shown else repr(character)[1:-1]


def describe_differences(verdicts: Iterable[Verdict]) -> list[str]:
    """Verdicts as text; those that differ only in the environment are one, which names the others."""
    found: dict[Verdict, list[Environment]] = {}
    for verdict in verdicts:
        alike = found.setdefault(replace(verdict, environment=None), [])
        if verdict.environment is not None:
            alike.append(verdict.environment)
    texts = []
    for verdict, alike in found.items():
        first = replace(verdict, environment=alike[0]) if alike else verdict
        texts.append(describe_verdict(first, alike[1:]))
    return texts


def describe_verdict(verdict: Verdict, others: Iterable[Environment] = ()) -> str:
    """One verdict as text, with a row for each of its parts; ``others`` are environments that gave it too."""
    where = f" ({summarize_environment(verdict.environment)})" if verdict.environment else ""
    rows = [f"{verdict.path}:{verdict.line}  {verdict.what}{where}"]
    rows += _row("statement", _split(verdict.statement))
    if verdict.claimed or verdict.observed:
        rows += _row("claimed", _show_blank(verdict.claimed))
        rows += _row("observed", _show_blank(verdict.observed))
    names = ", ".join(name_environment(environment) for environment in sorted(others, key=age_key))
    rows += _row("also in", textwrap.wrap(names, WIDTH, break_long_words=False, break_on_hyphens=False))
    if verdict.remedy:
        rows.append(f"    {verdict.remedy}")
    return escape_controls("\n".join(rows))


def _show_blank(lines: Sequence[str]) -> Sequence[str]:
    """Lines, with words for what would look like nothing: no line, or blank lines alone."""
    return lines if any(lines) else [BLANK] * len(lines) or [NOTHING]


def _split(text: str) -> list[str]:
    return text.split("\n") if text else []


def _row(label: str, lines: Sequence[str]) -> list[str]:
    """Lines behind a label, as many as are quoted; none for no lines."""
    shown = list(lines[:MOST_LINES])
    if len(lines) > MOST_LINES:
        shown.append(f"… {len(lines) - MOST_LINES} more lines")
    labels = [label, *[""] * len(shown)]
    return [f"    {label:<11}{line}" for label, line in zip(labels, shown, strict=False)]


def summarize_chapters(verdicts: Iterable[Verdict]) -> str:
    """A line for each chapter: how many claims hold, differ and so on."""
    chapters: dict[str, Counter[VerdictKind]] = {}
    for verdict in verdicts:
        chapter = verdict.path.rsplit("/", 2)[-2] if "/" in verdict.path else verdict.path
        chapters.setdefault(chapter, Counter())[verdict.kind] += 1
    width = max(map(len, chapters), default=0)
    lines = [f"{chapter:<{width}}  {describe_counts(counts)}" for chapter, counts in sorted(chapters.items())]
    return "\n".join(lines)


def describe_counts(counts: Counter[VerdictKind]) -> str:
    """``12 holds, 1 differs``; kinds that do not occur are left out."""
    return ", ".join(f"{counts[kind]} {kind}" for kind in VerdictKind if counts[kind])


def render_terminal(verdicts: Sequence[Verdict]) -> str:
    """The whole drift report as text: every difference, then the counts."""
    drifted = [verdict for verdict in verdicts if verdict.is_drift]
    stale = [verdict for verdict in verdicts if verdict.kind is VerdictKind.STALE]
    total = Counter(verdict.kind for verdict in verdicts)
    differences = describe_differences(drifted)
    close = f"{_count_differences(differences, drifted)}: {describe_counts(total) or 'nothing compared'}"
    parts = [*differences, *describe_differences(stale), summarize_chapters(verdicts), close]
    return "\n\n".join(filter(None, parts))


def _count_differences(differences: Sequence[str], drifted: Iterable[Verdict]) -> str:
    if not differences:
        return "no drift"
    count = len({verdict.environment for verdict in drifted} - {None})
    where = f" in {count} environments" if count > 1 else ""
    return f"{count_noun(len(differences), 'difference')}{where}"


def count_noun(number: int, word: str) -> str:
    """``1 change``, ``2,000 changes``."""
    return f"{number:,} {word}{'s' * (number != 1)}"


def render_json(verdicts: Sequence[Verdict]) -> str:
    """The drift report for other tools: a list of objects, one for each verdict."""
    return json.dumps([_verdict_document(verdict) for verdict in verdicts], ensure_ascii=False, indent=1)


def _verdict_document(verdict: Verdict) -> dict[str, JSON]:
    """Every field of a verdict; of its environment the id."""
    environment = verdict.environment.id if verdict.environment else None
    return {**msgspec.to_builtins(verdict), "environment": environment}


# --- what changed between two environments -------------------------------------------------------


def comparison_title(comparison: Comparison) -> str:
    """What is compared with what, in one line."""
    return f"{summarize_environment(comparison.before)}  →  {summarize_environment(comparison.after)}"


def tally_changes(comparison: Comparison) -> str:
    """``2 error appeared, 1 wording changed in 72 examples; 24 not compared``."""
    counts = Counter(change.severity for change in comparison.changes)
    changed = ", ".join(f"{counts[severity]} {severity}" for severity in Severity if counts[severity])
    text = f"{changed or 'nothing changed'} in {count_noun(comparison.compared, 'example')}"
    if comparison.left_out:
        text += f"; {len(comparison.left_out)} not compared"
    cells = sum(len(rule.cells) for rule in comparison.rules)
    if cells:
        text += f", {count_noun(cells, 'cell')} changed in the matrix"
    return text


def source_location(change: Change, examples: Mapping[str, Example]) -> str:
    """File and line of a change, as ``path:line``."""
    example = examples[change.example]
    line = example.blocks[change.block].line
    if change.statement is not None:
        line = example.places[change.statement].line
    return f"{example.path}:{line}"


def render_change(change: Change, examples: Mapping[str, Example]) -> str:
    """One change as text: where and how grave it is, then a row for each of its parts."""
    rows = [f"{source_location(change, examples)}  {change.severity}"]
    rows += _row("statement", _split(change.code))
    if change.before or change.after:
        rows += _row("before", change.before or [NOTHING])
        rows += _row("after", change.after or [NOTHING])
    rows += _row("values", change.facts)
    return escape_controls("\n".join(rows))


def render_comparison(comparison: Comparison, examples: Mapping[str, Example]) -> str:
    """The whole comparison as text: the gravest changes first, the counts last."""
    changed = [render_change(change, examples) for change in comparison.changes]
    rules = map(render_rule, comparison.rules)
    return "\n\n".join([comparison_title(comparison), *changed, *rules, tally_changes(comparison)])


def _comparison_parts(comparison: Comparison, examples: Mapping[str, Example]) -> list[str]:
    """A comparison in Markdown: a heading for each severity, each change in a fence."""
    parts = [f"### {comparison_title(comparison)}", f"**{tally_changes(comparison)}**"]
    for severity in Severity:
        found = [change for change in comparison.changes if change.severity is severity]
        if found:
            parts.append(f"#### {str(severity).capitalize()} ({len(found)})")
        parts += [fence(render_change(change, examples)) for change in found]
    if comparison.rules:
        parts.append(f"#### In the matrix ({len(comparison.rules)})")
    parts += [fence(render_rule(rule)) for rule in comparison.rules]
    return parts


def render_rule(rule: Rule) -> str:
    """Cells that changed alike, as text: what they did and do, and which they are."""
    rows = [f"{count_noun(len(rule.cells), 'cell')} of the matrix  {rule.severity}"]
    rows += [
        *_row("before", rule.before.split("\n")),
        *_row("after", rule.after.split("\n")),
        *_row("in", list_cells(rule)),
    ]
    return escape_controls("\n".join(rows))


def fence(text: str) -> str:
    """Text of a run in Markdown, where nothing in it counts as Markdown."""
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
    return {**msgspec.to_builtins(rule), "behaviour": rule.severity.is_behaviour}


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
        parts.append(f"**{_count_differences(differences, drifted)} that nothing explains**")
    else:
        parts.append("Everything is explained.")
    parts += map(fence, differences)
    for comparison in around:
        parts += _comparison_parts(comparison, examples)
    if not around:
        parts.append(f"{alone.capitalize()}.")
    return "\n\n".join(parts) + "\n"
