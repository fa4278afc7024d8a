"""How a JSON document is broken into lines, so that a diff shows one fact a line; pure."""

from __future__ import annotations

import json

from tensor_atlas.model.runs import JSON

WIDTH = 200
"""Columns up to which a JSON object stays on one line."""

_flat = json.JSONEncoder(ensure_ascii=False).encode


def lay_out_json(document: JSON, depth: int | None = None) -> str:
    """JSON text in which whatever fits stays on one line.

    With a ``depth``, what lies deeper stays on one line whether it fits or not.
    """
    return _lay_out(document, 0, depth) + "\n"


def _lay_out(document: JSON, indent: int, depth: int | None) -> str:
    if not isinstance(document, (dict, list)) or not document or indent == depth:
        return _flat(document)
    # What does not fit on one line does not fit into a longer one either: each part is laid out once.
    if isinstance(document, list):
        parts, ends = [_lay_out(item, indent + 1, depth) for item in document], "[]"
    else:
        parts = [f"{_flat(key)}: {_lay_out(item, indent + 1, depth)}" for key, item in document.items()]
        ends = "{}"
    if depth is None and not any("\n" in part for part in parts):
        flat = f"{ends[0]}{', '.join(parts)}{ends[1]}"
        if indent + len(flat) <= WIDTH:
            return flat
    inner = "\n" + " " * (indent + 1)
    return f"{ends[0]}{inner}{f',{inner}'.join(parts)}{inner[:-1]}{ends[1]}"
