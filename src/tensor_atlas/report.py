"""Verdicts → terminal text, Markdown, JSON; pure."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence

from tensor_atlas.compare import Kind, Verdict
from tensor_atlas.probe.record import JSON, Environment

MOST_LINES = 20
"""Lines of output quoted in one difference."""


def environment_name(environment: Environment) -> str:
    """Environment in a few words: ``torch 2.13.0+cpu, NumPy 2.4.6, cpu``."""
    return f"torch {environment.torch}, NumPy {environment.numpy}, {environment.device}"


def difference(verdict: Verdict) -> str:
    """One verdict as a person reads it: where, what, statement, claimed, observed, remedy."""
    place = f" ({environment_name(verdict.environment)})" if verdict.environment else ""
    head = f"{verdict.path}:{verdict.line}  {verdict.what}{place}"
    rows = [_row("statement", verdict.statement.split("\n") if verdict.statement else [])]
    if verdict.claimed or verdict.observed:
        rows.append(_row("claimed", list(verdict.claimed) or ["(nothing)"]))
        rows.append(_row("observed", list(verdict.observed) or ["(nothing)"]))
    if verdict.remedy:
        rows.append(f"    {verdict.remedy}")
    return "\n".join([head, *(row for row in rows if row)])


def _row(label: str, lines: Sequence[str]) -> str:
    shown = list(lines[:MOST_LINES])
    if len(lines) > MOST_LINES:
        shown.append(f"… {len(lines) - MOST_LINES} more lines")
    blank = " " * len(f"{label:<11}")
    return "\n".join(f"    {f'{label:<11}' if index == 0 else blank}{line}" for index, line in enumerate(shown))


def summary(verdicts: Iterable[Verdict]) -> str:
    """One line a chapter: how many claims hold, differ and so on."""
    chapters: dict[str, Counter[Kind]] = {}
    for verdict in verdicts:
        chapter = verdict.path.rsplit("/", 2)[-2] if "/" in verdict.path else verdict.path
        chapters.setdefault(chapter, Counter())[verdict.kind] += 1
    width = max((len(chapter) for chapter in chapters), default=0)
    return "\n".join(f"{chapter:<{width}}  {counted(counts)}" for chapter, counts in sorted(chapters.items()))


def counted(counts: Counter[Kind]) -> str:
    """``12 holds, 1 differs``; kinds that do not occur are left out."""
    return ", ".join(f"{counts[kind]} {kind}" for kind in Kind if counts[kind])


def terminal(verdicts: Sequence[Verdict]) -> str:
    """The whole drift report: every difference, then the summary."""
    drifted = [difference(verdict) for verdict in verdicts if verdict.is_drift]
    stale = [difference(verdict) for verdict in verdicts if verdict.kind is Kind.STALE]
    total = Counter(verdict.kind for verdict in verdicts)
    close = _differences(len(drifted)) if drifted else "no drift"
    parts = [*drifted, *stale, summary(verdicts), f"{close}: {counted(total) or 'nothing compared'}"]
    return "\n\n".join(part for part in parts if part)


def _differences(count: int) -> str:
    return f"{count} difference{'s' * (count != 1)}"


def markdown(verdicts: Sequence[Verdict]) -> str:
    """The drift report as a pull request's text."""
    drifted = [verdict for verdict in verdicts if verdict.is_drift]
    total = Counter(verdict.kind for verdict in verdicts)
    parts = [f"**{_differences(len(drifted))}** — {counted(total) or 'nothing compared'}"]
    parts += [f"```text\n{difference(verdict).replace('```', '` ` `')}\n```" for verdict in drifted]
    return "\n\n".join(parts) + "\n"


def as_json(verdicts: Sequence[Verdict]) -> str:
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
