"""The script that compares two built sites."""

from __future__ import annotations

from pathlib import Path

import compare_sites
import pytest


@pytest.fixture
def sites(tmp_path: Path) -> tuple[Path, Path]:
    """Two sites that differ in what a build may change alone."""
    for name, digest, day in (("before", "1a2b", "2026-01-02"), ("after", "3c4d", "2026-02-03")):
        folder = tmp_path / name
        folder.mkdir()
        page = f'<script src="_static/a.js?v={digest}"></script>\n<p>Recorded {day}.</p>\n'
        (folder / "index.html").write_text(page, encoding="utf-8")
    return tmp_path / "before", tmp_path / "after"


def test_what_each_build_changes_is_no_difference(sites: tuple[Path, Path]) -> None:
    """Digests of assets and dates."""
    assert compare_sites.main(list(map(str, sites))) == 0


def test_differing_line_is_shown_with_its_page(
    sites: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Both sides of it, and exit code 1."""
    page = sites[1] / "index.html"
    page.write_text(page.read_text(encoding="utf-8").replace("Recorded", "Executed"), encoding="utf-8")
    assert compare_sites.main(list(map(str, sites))) == 1
    assert capsys.readouterr().out.splitlines() == [
        "differs: index.html",
        "    -<p>Recorded DATE.</p>",
        "    +<p>Executed DATE.</p>",
    ]


def test_page_in_one_site_alone_is_a_difference(sites: tuple[Path, Path]) -> None:
    """In whichever it is."""
    (sites[0] / "gone.html").touch()
    (sites[1] / "new.html").touch()
    assert compare_sites.compare(*sites) == [
        f"only in {sites[0]}: gone.html",
        f"only in {sites[1]}: new.html",
    ]
