"""``docs/moved.toml``: pages that have another address now, and the pages that stand for them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tensor_atlas.errors import AtlasError
from tensor_atlas.toml_tables import read_tables

MOVED = "docs/moved.toml"


@dataclass(frozen=True, order=True)
class Move:
    """One entry of the table."""

    old: str = field(metadata={"key": "from"})
    """Page that is gone, without an ending: ``gallery/01_x/a``."""
    new: str = field(metadata={"key": "to"})
    """Page that stands for it."""
    line: int = field(default=0, compare=False)
    """Where the entry begins."""


def parse_moves(text: str, path: str = MOVED) -> list[Move]:
    """Entries of the table; AtlasError names one that lacks something, or leads to a page that is gone."""
    moves = read_tables(text, "moved", path, Move)
    gone = {move.old for move, _ in moves}
    for move, where in moves:
        if move.new in gone:
            raise AtlasError(where, f"{move.new} is gone, too", "name the page that it became")
    return [move for move, _ in moves]


def spell_moves(moves: Iterable[Move]) -> str:
    """The table as text, in order of the old pages."""
    entries = [f'[[moved]]\nfrom = "{move.old}"\nto = "{move.new}"\n' for move in sorted(moves)]
    return "\n".join(
        ["# Old addresses, and the pages that they lead to: tensor-atlas rename writes this.", *entries]
    )
