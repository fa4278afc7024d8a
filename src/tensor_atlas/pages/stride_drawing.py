"""Draws how arrays and tensors of two axes read the same bytes: the memory in a row, each value as a grid.

Numbers are the bytes at which elements begin, as a run recorded shape, strides and offset of each value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from math import prod

from tensor_atlas.compare.evidence import ExampleEvidence
from tensor_atlas.model.runs import Value
from tensor_atlas.pages.memory_map import compute_itemsize

MOST_ELEMENTS = 16
"""Elements of a value that is drawn."""


def find_grids(evidence: ExampleEvidence, index: int) -> list[Value]:
    """Values after a block that can be drawn as rows and columns; none where nothing was recorded."""
    snapshot = evidence.snapshot(index) if index in range(len(evidence.example.blocks)) else None
    return [value for value in snapshot.values if has_grid(value)] if snapshot is not None else []


def has_grid(value: Value) -> bool:
    """Whether a value has two axes, memory with a place for each element, and few of them."""
    is_small = len(value.shape) == 2 and 0 < prod(value.shape) <= MOST_ELEMENTS
    return is_small and value.start is not None and value.strides is not None and all(value.strides)


def list_offsets(value: Value) -> list[list[int]]:
    """Byte at which each element begins, by row."""
    assert value.strides is not None
    assert value.start is not None
    (rows, columns), (down, across) = value.shape, value.strides
    starts = (value.start + row * down for row in range(rows))
    return [[*range(start, start + columns * across, across)] for start in starts]


def describe_strides(values: Iterable[Value]) -> Iterator[str]:
    """A sentence for each value: shape, strides, and where its elements begin."""
    for value in values:
        assert value.strides is not None
        rows = "; ".join(", ".join(map(str, row)) for row in list_offsets(value))
        down, across = value.strides
        steps = f"the next row begins {down} bytes on, the next column {across}"
        yield f"{value.name}, {value.kind} of shape {value.shape}: {steps}. Elements, by row: {rows}."


def draw_strides(values: Sequence[Value]) -> str:
    """HTML of the memory and the values, with all that it shows in words."""
    words = escape(" ".join(describe_strides(values)))
    offsets = sorted({offset for value in values for row in list_offsets(value) for offset in row})
    columns = values[0].shape[1]
    kinds = {offset: place % columns for place, offset in enumerate(offsets)}
    memory = f"Memory: {len(offsets)} elements of {compute_itemsize(values[0])} bytes"
    grids = [(memory, [offsets])]
    for value in values:
        name = f"<code>{escape(value.name)}</code> {escape(value.kind)}"
        grids.append((f"{name} {value.shape}, strides {value.strides} bytes", list_offsets(value)))
    figures = "".join(_draw_grid(caption, rows, kinds) for caption, rows in grids)
    return f'<div class="atlas-strides" role="img" aria-label="{words}">{figures}</div>'


def _draw_grid(caption: str, rows: Iterable[Sequence[int]], kinds: Mapping[int, int]) -> str:
    """Offsets in rows under a caption, which is HTML; an offset has one colour in all grids."""
    lines = []
    for row in rows:
        cells = "".join(f'<td class="atlas-byte-{kinds[offset]}">{offset}</td>' for offset in row)
        lines.append(f"<tr>{cells}</tr>")
    return f"<figure><figcaption>{caption}</figcaption><table>{''.join(lines)}</table></figure>"
