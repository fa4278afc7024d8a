"""Messages that claims hold, and the fixed words of a message: what stays where its values change; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tensor_atlas.examples.fixes import OMISSION
from tensor_atlas.examples.parse import Example, Statement
from tensor_atlas.examples.requirements import wants_gpu

CLASS_AND_MESSAGE = re.compile(
    r"^(?P<type>[A-Za-z_][\w.]*(?:Error|Exception|Warning)): (?P<message>.*)$", re.DOTALL
)
_PRINTS_ERROR = re.compile(r"print\((?:str\()?error\b")
_VALUES = re.compile(
    r"""(?<!\w)(?:'[^']*'|"[^"]*")(?!\w)"""  # names in quotes
    r"|\([\w.]*Tensor\)|\S*\d\S*"  # types in brackets, and whatever has a digit: sizes, indices, dtypes
    r"|(?<![.\w])(?:cpu|cuda|mps|meta|Float|Double|Half|Long|Int|Bool)(?![\w(])"
    r"|…|\.\.\."
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_OF_PYTHON = ("object has no attribute", "unsupported operand type(s) for")
"""Messages of the interpreter, whose words stand in many libraries that do not raise them."""
FEWEST = 3
"""Words that a part of a message must have to be looked for: fewer stand in any library."""


@dataclass(frozen=True)
class ClaimedMessage:
    """An error or warning that a statement claims."""

    type: str
    """Class name."""
    text: str
    """One line of it."""
    is_warning: bool
    """Warning, or error."""


def list_claimed_messages(statement: Statement) -> Iterator[ClaimedMessage]:
    """Warnings that a statement claims, and errors that it claims to print in an ``except`` clause."""
    expected = re.search(r"^ *except \(?([\w.]+)", statement.code, re.MULTILINE)
    for line in statement.claim.lines if statement.claim else ():
        match = CLASS_AND_MESSAGE.match(line)
        if match and match["type"].endswith("Warning"):
            yield ClaimedMessage(match["type"], match["message"], is_warning=True)
        elif expected and _PRINTS_ERROR.search(statement.code):
            yield ClaimedMessage(expected[1], line, is_warning=False)


def fix_words(message: str) -> str:
    """A message with ``…`` for each value, name, dtype and device in it: ``can't convert … device``."""
    parts = (part.strip() for part in _VALUES.split(message))
    return f" {OMISSION} ".join(part for part in parts if part)


def list_parts(words: str) -> list[str]:
    """The parts of fixed words that can be looked for; none where all are short, or of Python itself."""
    if any(message in words for message in _OF_PYTHON):
        return []
    parts = (part.strip() for part in words.split(OMISSION))
    return [part for part in parts if len(_WORD.findall(part)) >= FEWEST]


def list_searched_words(example: Example) -> dict[str, int]:
    """Fixed words of the messages of an example that needs a GPU, each with the line that claims it."""
    found: dict[str, int] = {}
    for statement in example.statements if wants_gpu(example.tags) else ():
        for message in list_claimed_messages(statement):
            words = fix_words(message.text)
            if list_parts(words):
                found.setdefault(words, statement.line)
    return found
