"""A map of the memory → HTML with one SVG for each buffer; pure.

Bars are buffers, to one scale; under a bar, a line marks the bytes that the names below it see. Names come
from a run and are escaped here. Colours are the style sheet's: an element only says by its class what it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby

from tensor_atlas.site.memory_map import (
    Bar,
    Bare,
    MemoryMap,
    Piece,
    View,
    describe_map,
    describe_pieces,
    format_byte_count,
    name_device,
)

WIDTH = 288
"""Pixels of the longest bar, and of the widest drawing; fits a phone."""
THUMBNAIL = 200
"""The same on a card of the gallery."""

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
LONGEST = 30
"""Letters of a name that are shown."""


def draw(found: MemoryMap, width: int = WIDTH) -> str:
    """Drawing of a map, at most ``width`` pixels wide, with all that it shows in words."""
    words = escape(" ".join(describe_map(found)))
    groups = "".join(
        _group(device, found, width) for device, _ in groupby(found.bars, lambda bar: bar.device)
    )
    bare = "".join(_bare(bare, width) for bare in found.bare)
    rest = f'<div class="atlas-map-device">{bare}</div>' if bare else ""
    more = f'<span class="atlas-map-more">and {found.more} more</span>' if found.more else ""
    return f'<div class="atlas-map" role="img" aria-label="Memory: {words}">{groups}{rest}{more}</div>'


def _group(device: str, found: MemoryMap, width: int) -> str:
    longest = max(bar.nbytes for bar in found.bars)
    drawn = (
        _bar(bar, max(NARROWEST, width * bar.nbytes / longest), width)
        for bar in found.bars
        if bar.device == device
    )
    return f'<div class="atlas-map-device">{"".join(drawn)}</div>'


# --- a buffer ------------------------------------------------------------------------------------


def _bar(bar: Bar, length: float, width: int) -> str:
    """A buffer of ``length`` pixels, with everyone who sees it."""
    kind = "shared" if bar.pairs else "own"
    where = name_device(bar.device).removeprefix("the ")
    caption = f"{where} · {format_byte_count(bar.nbytes)}{', shared' if bar.pairs else ''}"
    parts = [_text(caption, 0, 11, "size"), _rect(0, CAPTION, length, BAR, "bar"), _cells(bar, length)]
    y: float = CAPTION + BAR + GAP
    right = max(length, len(caption) * SMALL)
    for view in bar.views:
        drawn, y, reach = _view(view, bar, length, y, width)
        parts.append(drawn)
        right = max(right, reach)
    if bar.more:
        parts.append(_text(f"and {bar.more} more", 0, y + 11, "note"))
        y += CHIP
    return _svg(kind, right + 2, y, parts)


def _svg(kind: str, width: float, height: float, parts: Iterable[str]) -> str:
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="-1 0 {width:.0f} {height:.0f}"'
    return f'<svg class="{kind}" {size} aria-hidden="true">{"".join(parts)}</svg>'


def _cells(bar: Bar, length: float) -> str:
    """Strokes between the elements of a buffer, where they are few."""
    count = bar.nbytes // bar.itemsize
    if bar.nbytes % bar.itemsize or not 2 <= count <= MOST_CELLS or length / count < THINNEST:
        return ""
    strokes = "".join(f"M{_n(length * k / count)} {CAPTION}v{BAR}" for k in range(1, count))
    return f'<path class="cell" d="{strokes}"/>'


def _view(view: View, bar: Bar, length: float, y: float, width: int) -> tuple[str, float, float]:
    """Bytes that some names see, and the names; with the next free height, and how far it reaches to the right."""
    scale = length / bar.nbytes
    note = "" if view.nbytes == bar.nbytes else describe_pieces(view)
    boxes = [(name, len(_short(name)) * LETTER + 12, True) for name in view.names]
    boxes += [(note, len(note) * SMALL, False)] if note else []
    rows = list(_wrapped(boxes, width))
    first = min(view.pieces[0][0] * scale, width - max(map(_reach, rows)))
    parts = [_seen(view.pieces, scale, y)]
    top = y + LINE + 4
    for row in rows:
        x = max(first, 0)
        for text, wide, is_name in row:
            parts.append(_chip(text, x, top, wide) if is_name else _text(text, x, top + 12.5, "note"))
            x += wide + GAP
        top += CHIP + 3
    reach = max(first, 0) + max(map(_reach, rows))
    return f'<g class="view">{"".join(parts)}</g>', top + GAP, reach


Box = tuple[str, float, bool]
"""Text, pixels, and whether it is a name."""


def _wrapped(boxes: Iterable[Box], width: int) -> Iterator[list[Box]]:
    """Boxes in rows that fit."""
    row: list[Box] = []
    for box in boxes:
        if row and _reach([*row, box]) > width:
            yield row
            row = []
        row.append(box)
    yield row


def _reach(row: Sequence[Box]) -> float:
    return sum(wide + GAP for _, wide, _ in row) - GAP


def _seen(pieces: Sequence[Piece], scale: float, y: float) -> str:
    """The bytes as a line under the bar, and as what is lit in the bar; hatched where pieces are too close."""
    if len(pieces) > 1 and scale * (pieces[-1][0] - pieces[0][0]) / (len(pieces) - 1) < THINNEST:
        left, right = pieces[0][0] * scale, pieces[-1][1] * scale
        lit = f'<path class="lit hatched" d="M{_n(left)} {CAPTION + BAR / 2:.0f}H{_n(right)}"/>'
        return f'{lit}<path class="line hatched" d="M{_n(left)} {y + LINE / 2:.0f}H{_n(right)}"/>'
    spans = [(start * scale, max((stop - start) * scale, FAINTEST)) for start, stop in pieces]
    lit = "".join(f"M{_n(x)} {CAPTION}h{_n(wide)}v{BAR}h-{_n(wide)}z" for x, wide in spans)
    line = "".join(f"M{_n(x)} {y:.0f}h{_n(wide)}v{LINE}h-{_n(wide)}z" for x, wide in spans)
    return f'<path class="lit" d="{lit}"/><path class="line" d="{line}"/>'


# --- words ---------------------------------------------------------------------------------------


def _bare(bare: Bare, width: int) -> str:
    """A name without bytes: in dashes, with the reason."""
    wide = len(_short(bare.name)) * LETTER + 12
    chip = f'<g class="view">{_chip(bare.name, 0, 1, wide)}</g>'
    lines = list(_lines(bare.why, int(width / SMALL)))
    text = [_text(line, 0, CHIP + 16 + 15 * k, "note") for k, line in enumerate(lines)]
    reach = max(wide, *(len(line) * SMALL for line in lines))
    return _svg("bare", reach + 2, CHIP + 8 + 15 * len(lines), [chip, *text])


def _lines(text: str, most: int) -> Iterator[str]:
    """Text in lines of at most ``most`` letters."""
    line = ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > most:
            yield line
            line = word
        else:
            line = f"{line} {word}".lstrip()
    yield line


def _chip(name: str, x: float, y: float, wide: float) -> str:
    """A name in a frame."""
    frame = _rect(x, y, wide, CHIP - 1, "frame", ' rx="3"')
    return f'<g class="name" data-name="{escape(name)}">{frame}{_text(_short(name), x + 6, y + 13, "")}</g>'


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _rect(x: float, y: float, wide: float, high: float, kind: str, more: str = "") -> str:
    return f'<rect class="{kind}" x="{_n(x)}" y="{_n(y)}" width="{_n(wide)}" height="{_n(high)}"{more}/>'


def _text(text: str, x: float, y: float, kind: str) -> str:
    css = f' class="{kind}"' if kind else ""
    return f'<text{css} x="{_n(x)}" y="{_n(y)}">{escape(text)}</text>'


def _n(number: float) -> str:
    """A number of pixels, to a tenth."""
    return f"{number:.1f}".removesuffix(".0")
