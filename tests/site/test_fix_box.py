"""The box at the top of an error page."""

from __future__ import annotations

from tensor_atlas.history.timeline import Box
from tensor_atlas.pages.fix_view import FixView
from tensor_atlas.pages.statement_view import OwnOutput
from tensor_atlas.site.gallery.fix_box import NARROW, build_fix_box

FIX = FixView("f([])", Box("error", "TypeError", "no lists here"), 1, "g([])", (OwnOutput(),))


def test_box_has_both_sides_with_what_they_print() -> None:
    """The message where the picker finds its statement."""
    before, after = build_fix_box(FIX).children
    assert before.astext() == "Before\n\nf([])\n\nError: TypeError\n\nno lists here"
    assert after.astext() == "After\n\ng([])"


def test_long_code_takes_the_whole_width() -> None:
    """Each side below the other, by the longest line of either."""
    assert build_fix_box(FIX)["classes"] == ["atlas-fix-box"]
    wide = FixView(FIX.before, FIX.message, 1, "g(\n" + "x" * (NARROW + 1) + ")", ())
    assert build_fix_box(wide)["classes"] == ["atlas-fix-box", "atlas-fix-wide"]
