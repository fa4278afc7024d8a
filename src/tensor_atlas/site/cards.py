"""Draws the picture of each kind of page that others show beside a link to it; nothing here is captured."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from tensor_atlas.site import metadata

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDE, HIGH, DPI = 1200, 630, 100
"""Size in pixels, and pixels an inch."""
NIGHT, TENSOR, ARRAY, PAPER = "#1f3a5f", "#f2a541", "#6fc2d0", "#ffffff"
"""Colours of the site's sign."""
LETTERS = 46
"""Letters on a line of the sentence."""


def draw_cards(site: Path) -> None:
    """Put a card for each kind of page into a built site, as a PNG."""
    (site / metadata.CARDS).mkdir(parents=True, exist_ok=True)
    for kind, sentence in metadata.KINDS.items():
        _draw(kind, sentence, site / metadata.card_path(kind))


def _draw(kind: str, sentence: str, path: Path) -> None:
    from matplotlib.figure import Figure  # noqa: PLC0415 - only a site with an address needs it

    figure = Figure(figsize=(WIDE / DPI, HIGH / DPI), dpi=DPI, facecolor=NIGHT)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, WIDE), ylim=(HIGH, 0))
    axes.axis("off")
    _bar(axes, 80, TENSOR)
    _bar(axes, 180, ARRAY)
    axes.text(80, 370, metadata.SITE, color=PAPER, fontsize=58, weight="bold", va="baseline")
    label = kind if kind != metadata.HOME else ""
    axes.text(WIDE - 80, 370, label, color=TENSOR, fontsize=34, va="baseline", ha="right")
    axes.text(80, 430, textwrap.fill(sentence, LETTERS), color=PAPER, fontsize=28, va="top", linespacing=1.4)
    figure.savefig(path, format="png", metadata={"Software": None})


def _bar(axes: Axes, top: int, colour: str) -> None:
    """A buffer of three elements, as in the site's sign."""
    from matplotlib.patches import FancyBboxPatch  # noqa: PLC0415 - likewise

    for index in range(3):
        box = FancyBboxPatch(
            (80 + index * 168, top), 152, 76, boxstyle="round,pad=0,rounding_size=8", fc=colour, lw=0
        )
        axes.add_patch(box)
