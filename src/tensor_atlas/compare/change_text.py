"""Changes as text for a terminal: labelled rows without control characters; pure.

Standard library alone: ``atlas-probe.pyz`` prints with it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tensor_atlas.examples.parse import Example
from tensor_atlas.history.cell_changes import list_cells
from tensor_atlas.history.changes import Change, Rule

MOST_LINES = 20
"""Lines of output quoted in one difference."""
NOTHING = "(nothing)"

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


def split_lines(text: str) -> list[str]:
    """Lines of a text; none for an empty one."""
    return text.split("\n") if text else []


def label_lines(label: str, lines: Sequence[str]) -> list[str]:
    """Lines behind a label, as many as are quoted; none for no lines."""
    shown = list(lines[:MOST_LINES])
    if len(lines) > MOST_LINES:
        shown.append(f"… {len(lines) - MOST_LINES} more lines")
    labels = [label, *[""] * len(shown)]
    return [f"    {label:<11}{line}" for label, line in zip(labels, shown, strict=False)]


def count_noun(number: int, word: str) -> str:
    """``1 change``, ``2,000 changes``."""
    return f"{number:,} {word}{'s' * (number != 1)}"


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
    rows += label_lines("statement", split_lines(change.code))
    if change.before or change.after:
        rows += label_lines("before", change.before or [NOTHING])
        rows += label_lines("after", change.after or [NOTHING])
    rows += label_lines("values", change.facts)
    return escape_controls("\n".join(rows))


def render_rule(rule: Rule) -> str:
    """Cells that changed alike, as text: what they did and do, and which they are."""
    rows = [f"{count_noun(len(rule.cells), 'cell')} of the matrix  {rule.severity}"]
    rows += [
        *label_lines("before", rule.before.split("\n")),
        *label_lines("after", rule.after.split("\n")),
        *label_lines("in", list_cells(rule)),
    ]
    return escape_controls("\n".join(rows))
