"""Draws a map of the memory as HTML.

Each buffer is an SVG. Bars are buffers, to one scale; under a bar, a line marks the bytes that the names
below it see. Names come from a run and are escaped here. Colours are the style sheet's: an element only says
by its class what it is.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby

from tensor_atlas.pages.memory_map import (
    Bar,
    Bare,
    MemoryMap,
    Piece,
    View,
    describe_apart,
    describe_map,
    describe_pieces,
    format_byte_count,
    name_device,
)

MAP_WIDTH = 288
"""Pixels of the longest bar, and of the widest drawing; fits a phone."""

NARROWEST = 26
"""Pixels of the shortest bar, whatever its bytes."""
THINNEST = 3.0
"""Pixels from piece to piece below which pieces cannot be told apart and are hatched."""
MOST_CELLS = 32
"""Elements of a buffer that are told apart by strokes."""
FAINTEST = 1.5
"""Pixels of the smallest piece, whatever its bytes."""

CAPTION, BAR, LINE, CHIP, GAP = 16, 16, 4, 19, 5
"""Heights in pixels: the words above a bar, the bar, the line under it, a name, and what keeps them apart."""
LETTER, SMALL = 7.3, 6.0
"""Widths in pixels of a letter of a name, and of a small one."""
LONGEST_NAME = 30
"""Letters of a name that are shown."""


# --- a map -------------------------------------------------------------------------------------------


def draw_map(memory_map: MemoryMap, width: int = MAP_WIDTH) -> str:
    """HTML of a map, at most ``width`` pixels wide, with all that it shows in words."""
    words = escape(" ".join(describe_map(memory_map)))
    devices = [device for device, _ in groupby(memory_map.bars, lambda bar: bar.device)]
    groups = "".join(_draw_device(device, memory_map, width) for device in devices)
    bare = "".join(_draw_bare(bare, width) for bare in memory_map.bare)
    rest = f'<div class="atlas-map-device">{bare}</div>' if bare else ""
    lines = [describe_apart(memory_map.apart)] if memory_map.apart else []
    lines += [f"and {memory_map.more} more"] if memory_map.more else []
    more = "".join(f'<span class="atlas-map-more">{escape(line)}</span>' for line in lines)
    return f'<div class="atlas-map" role="img" aria-label="Memory: {words}">{groups}{rest}{more}</div>'


def _draw_device(device: str, memory_map: MemoryMap, width: int) -> str:
    longest = max(bar.nbytes for bar in memory_map.bars)
    bars = [bar for bar in memory_map.bars if bar.device == device]
    drawn = [_draw_bar(bar, max(NARROWEST, width * bar.nbytes / longest), width) for bar in bars]
    return f'<div class="atlas-map-device">{"".join(drawn)}</div>'


# --- a buffer ------------------------------------------------------------------------------------


def _draw_bar(bar: Bar, length: float, width: int) -> str:
    """A buffer of ``length`` pixels, with everyone who sees it."""
    kind = "shared" if bar.pairs else "own"
    where = name_device(bar.device).removeprefix("the ")
    caption = f"{where} · {format_byte_count(bar.nbytes)}{', shared' if bar.pairs else ''}"
    parts = [
        _draw_text(caption, 0, 11, "size"),
        _draw_rect(0, CAPTION, length, BAR, "bar"),
        _draw_cells(bar, length),
    ]
    y: float = CAPTION + BAR + GAP
    right = max(length, len(caption) * SMALL)
    for view in bar.views:
        drawn, y, reach = _draw_view(view, bar, length, y, width)
        parts.append(drawn)
        right = max(right, reach)
    if bar.more:
        parts.append(_draw_text(f"and {bar.more} more", 0, y + 11, "note"))
        y += CHIP
    return _draw_svg(kind, right + 2, y, parts)


def _draw_svg(kind: str, width: float, height: float, parts: Iterable[str]) -> str:
    """A picture of its own size, of buffers that are "shared" or "own", or of "bare" names."""
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="-1 0 {width:.0f} {height:.0f}"'
    return f'<svg class="{kind}" {size} aria-hidden="true">{"".join(parts)}</svg>'


def _draw_cells(bar: Bar, length: float) -> str:
    """Strokes between the elements of a buffer, where they are few."""
    count = bar.nbytes // bar.itemsize
    if bar.nbytes % bar.itemsize or not 2 <= count <= MOST_CELLS or length / count < THINNEST:
        return ""
    strokes = "".join(f"M{_px(length * k / count)} {CAPTION}v{BAR}" for k in range(1, count))
    return f'<path class="cell" d="{strokes}"/>'


def _draw_view(view: View, bar: Bar, length: float, y: float, width: int) -> tuple[str, float, float]:
    """Bytes that some names see, and the names; with the next free height, and how wide it is."""
    scale = length / bar.nbytes
    note = "" if view.nbytes == bar.nbytes else describe_pieces(view)
    boxes = [(name, len(_shorten_name(name)) * LETTER + 12, True) for name in view.names]
    boxes += [(note, len(note) * SMALL, False)] if note else []
    rows = list(_wrap_boxes(boxes, width))
    widest = max(map(_measure_row, rows))
    start = max(min(view.pieces[0][0] * scale, width - widest), 0)
    parts = [_draw_pieces(view.pieces, scale, y)]
    top = y + LINE + 4
    for row in rows:
        x = start
        for text, wide, is_name in row:
            if is_name:
                parts.append(_draw_name(text, x, top, wide))
            else:
                parts.append(_draw_text(text, x, top + 12.5, "note"))
            x += wide + GAP
        top += CHIP + 3
    return f'<g class="view">{"".join(parts)}</g>', top + GAP, start + widest


Box = tuple[str, float, bool]
"""Text, pixels, and whether it is a name."""


def _wrap_boxes(boxes: Iterable[Box], width: int) -> Iterator[list[Box]]:
    """Boxes in rows that fit."""
    row: list[Box] = []
    for box in boxes:
        if row and _measure_row([*row, box]) > width:
            yield row
            row = []
        row.append(box)
    yield row


def _measure_row(row: Sequence[Box]) -> float:
    """Pixels of a row."""
    return sum(wide + GAP for _, wide, _ in row) - GAP


def _draw_pieces(pieces: Sequence[Piece], scale: float, y: float) -> str:
    """The bytes as a line under the bar, and as what is lit in it; hatched where pieces are too close."""
    if len(pieces) > 1 and scale * (pieces[-1][0] - pieces[0][0]) / (len(pieces) - 1) < THINNEST:
        left, right = pieces[0][0] * scale, pieces[-1][1] * scale
        lit = f'<path class="lit hatched" d="M{_px(left)} {CAPTION + BAR / 2:.0f}H{_px(right)}"/>'
        return f'{lit}<path class="line hatched" d="M{_px(left)} {y + LINE / 2:.0f}H{_px(right)}"/>'
    spans = [(start * scale, max((stop - start) * scale, FAINTEST)) for start, stop in pieces]
    lit = "".join(f"M{_px(x)} {CAPTION}h{_px(wide)}v{BAR}h-{_px(wide)}z" for x, wide in spans)
    line = "".join(f"M{_px(x)} {y:.0f}h{_px(wide)}v{LINE}h-{_px(wide)}z" for x, wide in spans)
    return f'<path class="lit" d="{lit}"/><path class="line" d="{line}"/>'


# --- words ---------------------------------------------------------------------------------------


def _draw_bare(bare: Bare, width: int) -> str:
    """A name without bytes: in dashes, with the reason."""
    wide = len(_shorten_name(bare.name)) * LETTER + 12
    chip = f'<g class="view">{_draw_name(bare.name, 0, 1, wide)}</g>'
    lines = textwrap.wrap(bare.why, int(width / SMALL), break_long_words=False, break_on_hyphens=False)
    text = [_draw_text(line, 0, CHIP + 16 + 15 * k, "note") for k, line in enumerate(lines)]
    reach = max(wide, *(len(line) * SMALL for line in lines))
    return _draw_svg("bare", reach + 2, CHIP + 8 + 15 * len(lines), [chip, *text])


def _draw_name(name: str, x: float, y: float, wide: float) -> str:
    frame = _draw_rect(x, y, wide, CHIP - 1, "frame", ' rx="3"')
    label = _draw_text(_shorten_name(name), x + 6, y + 13, "")
    return f'<g class="name" data-name="{escape(name)}">{frame}{label}</g>'


def _shorten_name(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def _draw_rect(x: float, y: float, wide: float, high: float, kind: str, more: str = "") -> str:
    return f'<rect class="{kind}" x="{_px(x)}" y="{_px(y)}" width="{_px(wide)}" height="{_px(high)}"{more}/>'


def _draw_text(text: str, x: float, y: float, kind: str) -> str:
    css = f' class="{kind}"' if kind else ""
    return f'<text{css} x="{_px(x)}" y="{_px(y)}">{escape(text)}</text>'


def _px(number: float) -> str:
    """A number of pixels, to a tenth."""
    return f"{number:.1f}".removesuffix(".0")
