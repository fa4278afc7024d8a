"""Verdicts as text for a terminal and as JSON; pure."""

from __future__ import annotations

import json
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import msgspec

from tensor_atlas.compare.change_text import NOTHING, count_noun, escape_controls, label_lines, split_lines
from tensor_atlas.compare.verdicts import Verdict, VerdictKind
from tensor_atlas.history.releases import age_key, name_environment, summarize_environment
from tensor_atlas.model.runs import JSON, Environment

TEXT_WIDTH = 100
"""Characters of a line of names."""
BLANK = "(blank line)"


def describe_differences(verdicts: Iterable[Verdict]) -> list[str]:
    """Verdicts as text; those that differ only in the environment are one, which names the others."""
    groups: dict[Verdict, list[Environment]] = {}
    for verdict in verdicts:
        alike = groups.setdefault(replace(verdict, environment=None), [])
        if verdict.environment is not None:
            alike.append(verdict.environment)
    texts = []
    for verdict, alike in groups.items():
        first = replace(verdict, environment=alike[0]) if alike else verdict
        texts.append(describe_verdict(first, alike[1:]))
    return texts


def describe_verdict(verdict: Verdict, others: Iterable[Environment] = ()) -> str:
    """One verdict as text, with a row for each of its parts; ``others`` are environments that gave it too."""
    where = f" ({summarize_environment(verdict.environment)})" if verdict.environment else ""
    rows = [f"{verdict.path}:{verdict.line}  {verdict.what}{where}"]
    rows += label_lines("statement", split_lines(verdict.statement))
    if verdict.claimed or verdict.observed:
        rows += label_lines("claimed", _show_blank(verdict.claimed))
        rows += label_lines("observed", _show_blank(verdict.observed))
    names = ", ".join(name_environment(environment) for environment in sorted(others, key=age_key))
    rows += label_lines(
        "also in", textwrap.wrap(names, TEXT_WIDTH, break_long_words=False, break_on_hyphens=False)
    )
    if verdict.remedy:
        rows.append(f"    {verdict.remedy}")
    return escape_controls("\n".join(rows))


def _show_blank(lines: Sequence[str]) -> Sequence[str]:
    """Lines, with words for what would look like nothing: no line, or blank lines alone."""
    return lines if any(lines) else [BLANK] * len(lines) or [NOTHING]


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
    close = f"{count_differences(differences, drifted)}: {describe_counts(total) or 'nothing compared'}"
    parts = [*differences, *describe_differences(stale), summarize_chapters(verdicts), close]
    return "\n\n".join(filter(None, parts))


def count_differences(differences: Sequence[str], drifted: Iterable[Verdict]) -> str:
    """``2 differences in 3 environments``, or ``no drift``."""
    if not differences:
        return "no drift"
    count = len({verdict.environment for verdict in drifted} - {None})
    where = f" in {count} environments" if count > 1 else ""
    return f"{count_noun(len(differences), 'difference')}{where}"


def render_json(verdicts: Sequence[Verdict]) -> str:
    """The drift report for other tools: a list of objects, one for each verdict."""
    return json.dumps([_verdict_document(verdict) for verdict in verdicts], ensure_ascii=False, indent=1)


def _verdict_document(verdict: Verdict) -> dict[str, JSON]:
    """Every field of a verdict; of its environment the id."""
    environment = verdict.environment.id if verdict.environment else None
    return {**msgspec.to_builtins(verdict), "environment": environment}


def quote_text(text: str) -> str:
    """Text of a run in Markdown, where nothing in it counts as Markdown."""
    return f"```text\n{text.replace('```', '` ` `')}\n```"
