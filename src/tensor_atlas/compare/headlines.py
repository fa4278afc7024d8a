"""A change of an example in one line: the call, and what it did before and after; pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from tensor_atlas.compare.upgrade import cut_common_start
from tensor_atlas.compare.upgrade_report import ERROR_LINE, NO_OUTPUT, SILENT, TITLES
from tensor_atlas.history.changes import Change, Severity

LONGEST_SIDE = 80
"""Characters of either side."""

_BREAKS = (Severity.ERROR_APPEARED, Severity.ERROR_VANISHED)
_ERROR = re.compile(ERROR_LINE)
_CONTROL = re.compile(r"\x1b\[[\d;]*m|[\x00-\x1f]")


def find_title(change: Change) -> str:
    """Title of the kind of a change; for an error in the place of another, that its class differs."""
    is_error_twice = all(map(_ERROR.match, describe_sides(change)))
    return TITLES[Severity.CLASS if change.severity in _BREAKS and is_error_twice else change.severity]


def describe_sides(change: Change) -> tuple[str, str]:
    """The first line that differs in the output, before and after; both empty where only facts differ."""
    before, after = _clean_lines(change.before), _clean_lines(change.after)
    if before == after:
        return "", ""
    then, now = _list_gone(before, after), _list_gone(after, before)
    if not then and not now:  # the same lines in another order
        then, now = next([[one], [other]] for one, other in zip(before, after, strict=True) if one != other)
    if change.severity is Severity.CLASS:
        then, now = _skip_same_classes(then, now)
    if change.severity is Severity.ERROR_APPEARED:
        now = _sort_errors(now)
    if change.severity is Severity.ERROR_VANISHED:
        then = _sort_errors(then)
    nothing = SILENT.get(change.severity, NO_OUTPUT)
    sides = cut_common_start((then or [nothing])[0], (now or [nothing])[0], LONGEST_SIDE)
    return _cut_end(sides[0]), _cut_end(sides[1])


def _clean_lines(lines: Iterable[str]) -> list[str]:
    """Lines without control characters, double spaces and ``(uncaught)``; no empty ones."""
    plain = (" ".join(_CONTROL.sub("", line).split()).removesuffix(" (uncaught)") for line in lines)
    return [line for line in plain if line]


def _list_gone(some: Iterable[str], others: Iterable[str]) -> list[str]:
    """Lines of some output that the other lacks, in order."""
    rest = Counter(others)
    kept: list[str] = []
    for line in some:
        if rest[line] <= 0:
            kept.append(line)
        rest[line] -= 1
    return kept


def _skip_same_classes(then: Sequence[str], now: Sequence[str]) -> tuple[list[str], list[str]]:
    """Lines from the first two that begin with different classes."""
    pairs = zip(then, now, strict=False)
    starts = (place for place, (one, other) in enumerate(pairs) if _read_class(one) != _read_class(other))
    start = next(starts, 0)
    return list(then[start:]), list(now[start:])


def _read_class(line: str) -> str:
    return line.split(":", 1)[0]


def _sort_errors(lines: Iterable[str]) -> list[str]:
    """Lines with errors first."""
    return sorted(lines, key=lambda line: not _ERROR.match(line))


def _cut_end(side: str) -> str:
    return side if len(side) <= LONGEST_SIDE else f"{side[: LONGEST_SIDE - 2].rstrip()} …"
