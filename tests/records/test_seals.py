"""The seal of a record file."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from tensor_atlas.records.store import is_sealed, seal_text

TEXT = '{\n "schema": 1,\n "example": "01_x/a"\n}\n'
SEALED = seal_text(TEXT)


def test_seal_changes_nothing_else() -> None:
    """The document is the same but for its first field, and every line but the first."""
    first, *rest = SEALED.split("\n")
    assert rest == TEXT.split("\n")[1:]
    assert json.loads(SEALED) == {"seal": first[10:26], **json.loads(TEXT)}
    assert is_sealed(SEALED.encode())
    assert seal_text(TEXT) == SEALED


def test_text_without_a_seal_is_not_sealed() -> None:
    """Neither are half a seal, a conflict of a merge and an empty file."""
    conflict = f"<<<<<<< ours\n{SEALED}"
    assert not any(is_sealed(text.encode()) for text in (TEXT, SEALED[:20], conflict, ""))


@given(st.integers(0, len(SEALED) - 1), st.binary(max_size=2))
def test_any_edit_breaks_the_seal(place: int, put: bytes) -> None:
    """A byte more, less or other, blanks among them."""
    sealed = SEALED.encode()
    edited = sealed[:place] + put + sealed[place + 1 :]
    assert is_sealed(edited) == (edited == sealed)
