"""The table of pages that have moved."""

from __future__ import annotations

import pytest

from tensor_atlas.compare.moves import Move, parse_moves, spell_moves
from tensor_atlas.errors import AtlasError


def test_what_is_spelled_is_parsed() -> None:
    """In order of the old pages, each with its line."""
    text = spell_moves([Move("gallery/b", "gallery/c"), Move("gallery/a", "gallery/c")])
    moves = parse_moves(text)
    assert moves == [Move("gallery/a", "gallery/c"), Move("gallery/b", "gallery/c")]
    assert [text.split("\n")[move.line - 1] for move in moves] == ["[[moved]]", "[[moved]]"]
    assert parse_moves(spell_moves([])) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[moved]]\nfrom = "a"\n', "moved.toml:1  no to"),
        (
            '[[moved]]\nfrom = "a"\nto = "b"\n[[moved]]\nfrom = "b"\nto = "c"\n',
            "moved.toml:1  b is gone, too",
        ),
    ],
)
def test_faulty_entry_is_named(text: str, message: str) -> None:
    """With the line where it begins."""
    with pytest.raises(AtlasError, match=message):
        parse_moves(text)
