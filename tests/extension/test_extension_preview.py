"""The page on what the next torch will change: there where a preview is kept, and gone without it."""

from __future__ import annotations

from bs4 import BeautifulSoup
from tiny_project import Tiny

from tensor_atlas.compare.preview import PREVIEW, Foreseen, Preview, render_preview

FORESEEN = Foreseen("01_x/errors", "error appeared", "f(<b>)", "", "TypeError: no")
WHERE = "torch 2.99.0.dev20261101+cpu, NumPy 2.4.6, cpu"
PREVIEWED = Preview("2.99.0.dev20261101+cpu", WHERE, "2026-11-01", "torch 2.15.0", 3, (FORESEEN,))
NEXT = Preview("2.99.0rc1", "torch 2.99.0rc1", "2026-11-02", "torch 2.15.0", 0, ())


def read(fresh: Tiny, name: str) -> BeautifulSoup:
    """A page of the built site."""
    path = fresh.root / "docs" / "_build" / "html" / f"{name}.html"
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def test_preview_is_one_page_that_the_releases_lead_to(fresh: Tiny) -> None:
    """What it holds is text; the next one takes its place, and without one neither page nor link is left."""
    fresh.write("docs/releases.rst", ":orphan:\n\nReleases\n========\n\n.. release-table::\n")
    fresh.write(PREVIEW.as_posix(), render_preview(PREVIEWED))
    fresh.build()
    page = read(fresh, "history/next_torch")
    assert page.h1 is not None
    assert page.h1.get_text().startswith("What the next torch will change")
    table = page.find("table")
    assert table is not None
    for words in ("error appeared", "f(<b>)", "TypeError: no"):
        assert words in table.get_text()
    assert "3 examples were compared with torch 2.15.0; 1 of their statements differ." in page.get_text()
    assert read(fresh, "releases").find("a", href="history/next_torch.html") is not None
    fresh.write(PREVIEW.as_posix(), render_preview(NEXT))
    fresh.build()
    assert "torch 2.99.0rc1 ran on 2026-11-02" in read(fresh, "history/next_torch").get_text()
    (fresh.root / PREVIEW).unlink()
    fresh.build()
    assert not (fresh.root / "docs" / "history" / "next_torch.rst").exists()
    assert read(fresh, "releases").find("a", href="history/next_torch.html") is None
