"""Pages of the matrix, which are finished HTML."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tensor_atlas.site.matrix.matrix_pages import break_code, write_pages


@pytest.mark.parametrize("builder", ["markdown", "latex"])
def test_other_builders_write_no_pages(builder: str) -> None:
    """They are finished HTML."""
    app: Any = SimpleNamespace(builder=SimpleNamespace(name=builder))
    assert list(write_pages(app)) == []


def test_code_breaks_behind_its_signs() -> None:
    """It stays text, whatever it holds."""
    assert str(break_code("a.b(<x>)")) == "a.<wbr>b(<wbr>&lt;x&gt;)"
