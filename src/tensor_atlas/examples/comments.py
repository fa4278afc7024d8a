"""Comments of a Python text; pure."""

from __future__ import annotations

import io
import re
import tokenize

_QUOTES = '"""'
_LONG_STRINGS = ("'''", _QUOTES, "\\\n", "\r")
"""What a string that goes on over a line end cannot do without, and a line end that not all count."""
_COMMENT_LINE = re.compile(r"^[ \t]*(#.*)", re.MULTILINE)


def comments_of(text: str) -> list[tuple[int, int, str]]:
    """Line, column and text of every comment of a ``text`` that Python has compiled.

    IndentationError for a text that ``tokenize`` of Python 3.11 refuses all the same: it takes the indentation of a
    line from the backslash before it.
    """
    quickly = _of_plain(text)
    return _of_tokens(text) if quickly is None else quickly


def docstring_end(text: str) -> int:
    """Number of the line on which the first string of a ``text`` ends."""
    end = _plain_docstring(text)
    if end is not None:
        return text.count("\n", 0, end) + 1
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return next(token.end[0] for token in tokens if token.type == tokenize.STRING)


def _of_tokens(text: str) -> list[tuple[int, int, str]]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [
        (token.start[0], token.start[1], token.string) for token in tokens if token.type == tokenize.COMMENT
    ]


def _of_plain(text: str) -> list[tuple[int, int, str]] | None:
    """Comments of an example as most are written; None for others.

    To make tokens of an example takes longer than to parse and to compile it. Where no string goes on over a line end,
    a line that begins with # is a comment; where no other has one, there are no more.
    """
    end = _plain_docstring(text)
    if end is None:
        return None
    code = text[end:]
    if any(sign in code for sign in _LONG_STRINGS):
        return None
    found = []
    line = text.count("\n", 0, end) + 1
    place = marks = 0
    for match in _COMMENT_LINE.finditer(code):
        line += code.count("\n", place, match.start(1))
        place = match.start(1)
        marks += match[1].count("#")
        found.append((line, match.start(1) - match.start(), match[1]))
    return found if marks == code.count("#") else None


def _plain_docstring(text: str) -> int | None:
    """Place of the line end after a docstring in three double quotes with nothing behind it; None for others."""
    end = text.find(_QUOTES, len(_QUOTES)) + len(_QUOTES)
    is_plain = text.startswith(_QUOTES) and text[end : end + 1] == "\n"
    return end if is_plain and not any(sign in text[:end] for sign in "\\\r") else None
