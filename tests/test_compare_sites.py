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


def test_differing_markdown_is_a_difference(sites: tuple[Path, Path]) -> None:
    """Each page is also written as Markdown."""
    for site in sites:
        (site / "index.md").write_text(f"# The site {site.name}\n", encoding="utf-8")
    assert compare_sites.compare(*sites) == [
        "differs: index.md",
        "    -# The site before",
        "    +# The site after",
    ]


def test_digest_in_one_site_alone_is_no_difference(sites: tuple[Path, Path]) -> None:
    """Sphinx leaves an address without one where the file was not there yet."""
    page = sites[0] / "index.html"
    page.write_text(page.read_text(encoding="utf-8").replace("?v=1a2b", ""), encoding="utf-8")
    assert compare_sites.compare(*sites) == []


def test_digest_of_the_extension_is_no_difference(sites: tuple[Path, Path]) -> None:
    """It stands in the index of Sphinx's own search, and follows each line of the source."""
    for site, digest in zip(sites, ("3233240516", "2430682596"), strict=True):
        text = f'Search.setIndex({{"envversion":{{"sphinx":65,"tensor_atlas.site":{digest}}}}})'
        (site / "searchindex.js").write_text(text, encoding="utf-8")
    assert compare_sites.compare(*sites) == []


def test_each_pair_of_lines_is_shown_where_it_differs(sites: tuple[Path, Path]) -> None:
    """A long line is cut by its own first difference, not by that of the line before."""
    begin = "x" * 500
    before, after = f"{begin}1\nab\nsame\n", f"{begin}2\nac\nsame\nnew\n"
    for site, text in zip(sites, (before, after), strict=True):
        (site / "llms.txt").write_text(text, encoding="utf-8")
    kept = "x" * (compare_sites.LETTERS // 4)
    assert compare_sites.compare(*sites, lines=9) == [
        "differs: llms.txt",
        f"    -{kept}1",
        f"    +{kept}2",
        "    -ab",
        "    +ac",
        "    +new",
    ]
