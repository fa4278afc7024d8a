"""The JSON form of captures and of the dataclasses in them, with the standard library alone; pure.

``tensor_atlas.records.decode`` reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from tensor_atlas.model.capture import Capture
from tensor_atlas.model.cells import Cell, Tried, shorten_cell
from tensor_atlas.model.runs import JSON, SCHEMA


def encode_fields(value: Any) -> dict[str, JSON]:
    """JSON object of a dataclass, without the fields that hold their default, so that records stay readable."""
    document = {}
    for field in fields(value):
        content = getattr(value, field.name)
        if content != field.default:
            document[field.name] = encode_json(content)
    return document


def encode_json(value: Any) -> JSON:
    """JSON of a dataclass, a list or tuple, an enumeration's member, or a plain value."""
    if is_dataclass(value) and not isinstance(value, type):
        return encode_fields(value)
    if isinstance(value, (list, tuple)):
        return [encode_json(item) for item in value]
    return str(value) if isinstance(value, str) else value  # a StrEnum is its text


def encode_capture(capture: Capture) -> dict[str, JSON]:
    """JSON object of a capture; seconds are rounded to milliseconds."""
    shard = capture.shard
    return {
        "schema": SCHEMA,
        **({} if shard is None else {"shard": str(shard), "plan": shard.plan}),
        "environment": encode_fields(capture.environment),
        "seconds": {name: round(seconds, 3) for name, seconds in capture.seconds.items()},
        "dates": dict(capture.dates),
        "matrix": _encode_matrix(capture.cells),
        "runs": [encode_fields(run) for run in capture.runs],
    }


def _encode_matrix(cells: Mapping[str, Mapping[str, Tried]]) -> dict[str, JSON]:
    """Each distinct outcome once, and each cell as the index of its outcome and the digests of its code."""
    indices: dict[Cell, int] = {}
    rows: dict[str, JSON] = {}
    for conversion, row in cells.items():
        rows[conversion] = {
            source: [indices.setdefault(tried.cell, len(indices)), *tried.code]
            for source, tried in row.items()
        }
    return {"outcomes": [encode_fields(shorten_cell(cell)) for cell in indices], "cells": rows}
