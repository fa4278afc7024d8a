"""An example cut as its page and its notebook show it: code up to each statement with output; pure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tensor_atlas.compare.evidence import ExampleEvidence
from tensor_atlas.examples.parse import Block, Example, is_border, is_setting
from tensor_atlas.history.timeline import statement_boxes
from tensor_atlas.model.runs import LATE


@dataclass(frozen=True)
class CodeCell:
    """Code that is shown in one go."""

    code: str
    """Source without settings and claims."""
    statement: int | None
    """Index, among the example's statements, of the one whose output follows; None where nothing does."""


def has_output(evidence: ExampleEvidence, index: int) -> bool:
    """Whether a statement has something to show, here or anywhere."""
    return any(statement_boxes(run, index) for _, run in evidence.runs)


def has_late_output(evidence: ExampleEvidence) -> bool:
    """Whether something is claimed or was seen after the last statement."""
    return evidence.example.late_claim is not None or has_output(evidence, LATE)


def first_statement(evidence: ExampleEvidence, index: int) -> int:
    """Index, among the example's statements, of the first one of block ``index``."""
    return sum(len(block.statements) for block in evidence.example.blocks[:index])


def split_block(evidence: ExampleEvidence, index: int) -> Iterator[CodeCell]:
    """Code of block ``index`` up to and with each statement that has something to show, and what is left."""
    block, first = evidence.example.blocks[index], first_statement(evidence, index)
    lines = evidence.example.source.split("\n")
    start = _find_first_line(lines, block)
    for offset, statement in enumerate(block.statements):
        if statement.claim is None and not has_output(evidence, first + offset):
            continue
        yield CodeCell(_remove_settings(lines[start : statement.last_line]), first + offset)
        start = statement.last_line + (len(statement.claim.lines) if statement.claim else 0)
    rest = _remove_settings(lines[start : block.last_line])
    if rest:
        yield CodeCell(rest, None)


def _find_first_line(lines: list[str], block: Block) -> int:
    """Index of the first line to show: comments directly above the first statement belong to it."""
    top = block.line - 1
    while top > 0 and lines[top - 1].startswith("#") and not is_border(lines[top - 1]):
        top -= 1
    above = lines[top : block.line - 1]
    is_prose = top > 0 and is_border(lines[top - 1])
    return block.line - 1 if is_prose or any(is_setting(line) for line in above) else top


def _remove_settings(lines: list[str]) -> str:
    return "\n".join(line for line in lines if not is_setting(line)).strip("\n")


def is_code_of(code: str, example: Example, block: Block) -> bool:
    """Whether code is that of a block, but for blank lines, settings and comments, which decide nothing."""
    lines = example.source.split("\n")[block.line - 1 : block.last_line]
    return _strip_code(code.split("\n")) == _strip_code(lines)


def _strip_code(lines: Iterable[str]) -> list[str]:
    stripped = map(str.rstrip, lines)
    return [line for line in stripped if line and not line.lstrip().startswith("#")]


def name_code(code: str) -> str:
    """Anchor of code that stays when other code comes before it: of its own characters."""
    return f"code-{hashlib.sha256(code.encode()).hexdigest()[:8]}"
