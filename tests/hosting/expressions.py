"""Expressions such as `${{ inputs.sample || '2000' }}`, as GitHub evaluates them, as far as used here."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)
_TOKEN = re.compile(r"'(?:[^']|'')*'|[A-Za-z_][\w.-]*|&&|\|\||!=|==|!|[(),]|\d+|\s+|(.)", re.DOTALL)
_OPERATORS = {"&&": " and ", "||": " or ", "!": " not "}

Names = Mapping[str, Any]
"""Contexts such as ``github`` and ``matrix``, by name, and functions such as ``failure``."""


def evaluate(text: str, names: Names) -> Any:
    """Value of an expression without its braces; a name of nothing is None."""
    parts = []
    for match in _TOKEN.finditer(text):
        if match[1]:
            raise ValueError(f"{match[1]!r} in {text!r} is not understood")
        parts.append(_translate(match[0], names))
    functions = {name: value for name, value in names.items() if callable(value)}
    # Only what _translate writes: literals, operators, brackets and these functions.
    return eval("".join(parts).strip(), {"__builtins__": {}, "fromJSON": json.loads, **functions})


def _translate(token: str, names: Names) -> str:
    if token in _OPERATORS:
        return _OPERATORS[token]
    if not re.match(r"[A-Za-z_]", token) or token == "fromJSON" or callable(names.get(token)):
        return token
    value: Any = names
    for part in token.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return repr(value)


def fill(text: str, names: Names) -> Any:
    """Text with each expression replaced by its value; a lone expression is its value."""
    lone = EXPRESSION.fullmatch(text.strip())
    if lone:
        return evaluate(lone[1], names)
    return EXPRESSION.sub(lambda match: spell(evaluate(match[1], names)), text)


def spell(value: Any) -> str:
    """A value as GitHub writes it into a text."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
