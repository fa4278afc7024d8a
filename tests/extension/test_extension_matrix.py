"""Pages of the matrix in a tiny checkout: which are made, their links, when they are written again."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from samples import CPU
from sphinx.testing.util import SphinxTestApp
from tiny_project import CONF, Tiny, html, tiny

from tensor_atlas.catalogue import CONVERSIONS, SOURCES, code_digests, list_source_digests
from tensor_atlas.matrix.table import Matrix, build_matrix
from tensor_atlas.model.cells import Cell, Outcome, Proof
from tensor_atlas.model.runs import Raised
from tensor_atlas.records import store
from tensor_atlas.records.matrix_rows import Row
from tensor_atlas.records.store import Store
from tensor_atlas.site.build.metadata import SITEMAP
from tensor_atlas.site.matrix import matrix_pages

INDEX = """
Tiny
====

.. toctree::

   matrix/index

Of the ways to a tensor, :cells:`share: to a tensor / array-float32` share:

.. cells:: share: to a tensor / array-float32
"""
# Sphinx's own defaults are lists that all sites of a process share.
OWN_LISTS = f"{CONF}\nhtml_static_path = []\ntemplates_path = []\n"
OVERVIEW = "The matrix\n==========\n\n.. matrix-overview::\n"

OLD = replace(CPU, torch="2.2.2", numpy="1.26.4")
NEW = replace(CPU, torch="2.12.1")
SHARES = Cell(Outcome.SHARES, Proof.WRITE, "Tensor", "torch.float32", (3,), (4,), "cpu")
COPIES = replace(SHARES, outcome=Outcome.COPIES)
RAISES = Cell(Outcome.RAISES, error=Raised("TypeError", "<script>alert(1)</script>"))
FROM_NUMPY, TENSOR, AS_TENSOR = "torch-from-numpy-x", "torch-tensor-x", "torch-as-tensor-x"
FLOAT, INT = "array-float32", "array-int64"

ROWS = {
    FROM_NUMPY: {OLD.id: {FLOAT: RAISES, INT: SHARES}, NEW.id: {FLOAT: SHARES, INT: SHARES}},
    TENSOR: {OLD.id: {FLOAT: COPIES}, NEW.id: {FLOAT: COPIES}},
    AS_TENSOR: {NEW.id: {FLOAT: SHARES}},
}


def committed(rows: Mapping[str, Mapping[str, Mapping[str, Cell]]]) -> Store:
    """Records of these cells."""
    codes = {conversion.name: code_digests(conversion, SOURCES[0])[0] for conversion in CONVERSIONS}
    found = {
        name: Row(name, cells, dict.fromkeys(cells, "2026-01-02"), codes[name])
        for name, cells in rows.items()
    }
    sources = {source: code for source, code in list_source_digests().items() if source in (FLOAT, INT)}
    return Store({OLD.id: OLD, NEW.id: NEW}, {}, found, sources)


@pytest.fixture
def made(tmp_path: Path, executed: Path) -> Tiny:
    """A tiny checkout with rows of three conversions."""
    return with_rows(tmp_path, executed)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, executed: Path) -> tuple[Tiny, SphinxTestApp]:
    """The same, built once."""
    found = with_rows(tmp_path_factory.mktemp("matrix"), executed)
    return found, found.build()


def with_rows(root: Path, executed: Path) -> Tiny:
    """A tiny checkout with one example and rows of three conversions."""
    found = tiny(root, executed)
    for name in ("shares", "errors", "gpu"):
        (root / "examples" / "01_x" / f"{name}.py").unlink()
    found.add("01_x/none")
    found.write("docs/conf.py", OWN_LISTS)
    found.write("docs/index.rst", INDEX)
    found.write("docs/matrix/index.rst", OVERVIEW)
    store.write_records(committed(ROWS), root / "docs" / "records")
    return found


def pages(made: Tiny) -> dict[str, int]:
    """Every page of a conversion or source, with when it was written."""
    site = made.root / "docs" / "_build" / "html" / "matrix"
    return {f"{path.parent.name}/{path.stem}": path.stat().st_mtime_ns for path in site.glob("*/*.html")}


def test_a_page_for_each_conversion_and_source_that_is_recorded(built: tuple[Tiny, SphinxTestApp]) -> None:
    """And none for the others, which the list says have not run."""
    made, app = built
    assert set(pages(made)) == {
        *(f"conversion/{name}" for name in (FROM_NUMPY, TENSOR, AS_TENSOR)),
        *(f"source/{name}" for name in (FLOAT, INT)),
    }
    overview = html(app, "matrix/index")
    assert "All 4 cells: 3 conversions on 2 inputs" in overview
    every = overview.partition('id="every-conversion"')[2]
    for conversion in CONVERSIONS:
        assert every.count(f'href="conversion/{conversion.name}.html"') == (conversion.name in ROWS)
    assert "not run yet, needs cuda" in overview


def test_table_says_sign_word_and_release(built: tuple[Tiny, SphinxTestApp]) -> None:
    """A cell leads to its code; what other releases did stands ready for the picker."""
    overview = html(built[1], "matrix/index")
    cell = re.search(rf'<td><a [^>]*href="conversion/{FROM_NUMPY}.html#{FLOAT}">(.*?)</a></td>', overview)
    assert cell is not None
    assert cell[1] == (
        '<span class="atlas-cell-answer atlas-outcome-shares" data-numbers="0">'
        "= shares<small>since 2.12</small></span>"
        '<span class="atlas-outcome-raises" hidden data-numbers="1">× raises<small>before 2.3</small></span>'
    )
    assert '<small class="atlas-rung">not run</small>' in overview


def test_links_lead_to_pages_and_places_that_exist(built: tuple[Tiny, SphinxTestApp]) -> None:
    """From the map, the two kinds of pages, and sentences."""
    made, app = built
    names = ["index", "matrix/index", *(f"matrix/{name}" for name in pages(made))]
    count = 0
    for name in names:
        for link in re.findall(r'href="([^"]*(?:conversion|source|matrix)[^"]*|#[^"]*)"', html(app, name)):
            address, _, place = link.partition("#")
            target = (
                (Path(app.outdir) / f"{name}.html").parent / address
                if address
                else Path(app.outdir) / f"{name}.html"
            )
            assert target.is_file(), f"{name} links to {link}"
            assert not place or f'id="{place}"' in target.read_text(encoding="utf-8"), (
                f"{name} links to {link}"
            )
            count += bool(place)
    assert count > 10


def test_page_shows_the_newest_and_holds_the_others(built: tuple[Tiny, SphinxTestApp]) -> None:
    """And the text of a run escaped."""
    page = html(built[1], f"matrix/conversion/{FROM_NUMPY}")
    assert "torch.from_numpy(x)" in page
    assert "Shares memory since 2.12; raises (TypeError) before 2.3." in page
    assert "since 2.12</span>" in page
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_build_with_nothing_changed_writes_no_page(made: Tiny) -> None:
    """A changed row writes the pages again; a row that is gone takes its page with it."""
    made.build()
    first = pages(made)
    made.build()
    assert pages(made) == first
    changed = {**ROWS, TENSOR: {NEW.id: {FLOAT: RAISES}}}
    del changed[AS_TENSOR]
    store.write_records(committed(changed), made.root / "docs" / "records")
    app = made.build()
    second = pages(made)
    assert set(first) - set(second) == {f"conversion/{AS_TENSOR}"}
    assert all(time > first[name] for name, time in second.items())
    assert "× 1 raises" in html(app, f"matrix/conversion/{TENSOR}")
    assert "1 of 2" in html(app, "index")  # the sentence that counts them was read again


def test_pages_follow_the_settings_and_the_code_that_makes_them(made: Tiny) -> None:
    """Each shows the site's title; an edited template, or a page that is gone, makes it again."""
    made.build()
    first = pages(made)
    made.write("docs/conf.py", f"{OWN_LISTS}html_title = 'Another title'\n")
    app = made.build()
    second = pages(made)
    assert all(time > first[name] for name, time in second.items())
    assert "Another title" in html(app, f"matrix/source/{INT}")
    page = Path(app.outdir) / "matrix" / "source" / f"{INT}.html"
    os.utime(page, (1, 1))  # as if the template were younger
    page.with_stem(FLOAT).unlink()
    made.build()
    written_anew = {f"source/{INT}", f"source/{FLOAT}"}
    assert {name for name, time in pages(made).items() if time != second[name]} == written_anew


def test_pages_follow_static_files_and_titles_of_the_top_bar(made: Tiny) -> None:
    """Every page names the checksum of a style, and the titles of the pages that the landing page lists."""
    made.write(
        "docs/conf.py", OWN_LISTS.replace("= []", "= ['_static']", 1) + "html_css_files = ['own.css']\n"
    )
    made.write("docs/_static/own.css", "a {}\n")
    made.build()
    first = written(made)
    made.write("docs/_static/own.css", "b {}\n")
    made.build()
    second = written(made)
    assert all(second[name] > time for name, time in first.items())
    assert (made.root / "docs/_build/html/_static/atlas-search.js").is_file(), "it lies beside its module"
    made.write("docs/matrix/index.rst", OVERVIEW.replace("The matrix\n===", "Every pair\n==="))
    app = made.build()
    assert all(time > second[name] for name, time in written(made).items())
    assert "Every pair" in html(app, "index")
    assert "targets for 0 source files" in made.build().status.getvalue()


def written(made: Tiny) -> dict[str, int]:
    """When some pages were written: of a document of the top folder, of the overview, of each source."""
    site = made.root / "docs" / "_build" / "html"
    return pages(made) | {
        name: (site / name).stat().st_mtime_ns for name in ("index.html", "matrix/index.html")
    }


def test_sentence_counts_in_every_environment(built: tuple[Tiny, SphinxTestApp]) -> None:
    """The newest first, the others for the picker, each linked to the cells that are counted."""
    page = html(built[1], "index")
    assert f'href="matrix/source/{FLOAT}.html#to-a-tensor">2 of 3</a>' in page
    assert f'data-environments="{OLD.id}"' in page
    assert "0 of 2" in page
    assert f'href="matrix/conversion/{FROM_NUMPY}.html#{FLOAT}"' in page
    assert f'href="matrix/conversion/{TENSOR}.html#{FLOAT}"' not in page


def test_unknown_name_ends_the_build_with_its_line(made: Tiny) -> None:
    """Of the text, not of the extension."""
    made.write("docs/index.rst", INDEX.replace("array-float32` share", "array-float33` share"))
    app = made.app()
    with pytest.raises(SystemExit):
        app.build()
    assert re.search(r"docs/index\.rst:9\s+no source or form array-float33", app.warning.getvalue())


def test_nothing_recorded_is_said(made: Tiny) -> None:
    """A fresh checkout builds without rows."""
    store.write_records(Store(), made.root / "docs" / "records")
    app = made.build()
    assert "No cell of the matrix has been recorded yet." in html(app, "matrix/index")
    assert "(not yet recorded)" in html(app, "index")
    assert pages(made) == {}
    assert build_matrix(Store()).rows == {}


def test_matrix_is_worked_out_once_where_several_processes_read(
    made: Tiny, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Readers are forked from a process that has done it."""
    for index in range(6):
        made.write(f"docs/page{index}.rst", f"Page\n====\n\n:cells:`share: to a tensor / {FLOAT}`\n")
    done = made.root / "done"

    def noted(kept: Store) -> Matrix:
        with done.open("a", encoding="utf-8") as file:
            file.write(f"{os.getpid()}\n")
        return build_matrix(kept)

    monkeypatch.setattr(matrix_pages, "build_matrix", noted)
    app = made.app(jobs=2)
    app.build()
    assert "2 of 3" in html(app, "page5")
    assert done.read_text(encoding="utf-8").split() == [str(os.getpid())]


# --- conversions without a page of their own ---------------------------------------------------------


ADD = "x-add-other"
BASE = "https://example.org/atlas/"


@pytest.fixture(scope="module")
def rows_built(tmp_path_factory: pytest.TempPathFactory, executed: Path) -> tuple[Tiny, SphinxTestApp]:
    """A checkout with rows of three conversions that have a page and of one that has none."""
    found = with_rows(tmp_path_factory.mktemp("rows"), executed)
    cells = {OLD.id: {FLOAT: COPIES}, NEW.id: {FLOAT: RAISES, INT: COPIES}}
    store.write_records(committed({**ROWS, ADD: cells}), found.root / "docs" / "records")
    overrides = {"html_baseurl": BASE}
    app = SphinxTestApp("html", srcdir=found.root / "docs", freshenv=False, confoverrides=overrides)
    app.build()
    return found, app


def test_row_is_one() -> None:
    """What the tests below are about."""
    (add,) = (conversion for conversion in CONVERSIONS if conversion.name == ADD)
    assert not add.has_page


def test_old_address_leads_to_the_row_or_to_the_cell(rows_built: tuple[Tiny, SphinxTestApp]) -> None:
    """No search engine lists it, and the sitemap lists what it leads to."""
    made, app = rows_built
    assert f"conversion/{ADD}" in pages(made)
    page = html(app, f"matrix/conversion/{ADD}")
    assert '<meta name="robots" content="noindex">' in page
    assert f'<link rel="canonical" href="{BASE}matrix/index.html">' in page
    assert f'<a href="../index.html#{ADD}">' in page
    assert f"`../source/${{source[1]}}.html${{location.search}}#{ADD}`" in page
    listed = (Path(app.outdir) / SITEMAP).read_text(encoding="utf-8")
    assert f"conversion/{ADD}" not in listed
    assert f"{BASE}matrix/source/{FLOAT}.html" in listed


def test_cell_stands_whole_on_the_page_of_its_source(rows_built: tuple[Tiny, SphinxTestApp]) -> None:
    """With its code, its error and what other releases did; a conversion with a page is a link."""
    page = html(rows_built[1], f"matrix/source/{FLOAT}")
    cell = page.partition(f'<details class="atlas-cell" id="{ADD}">')[2].partition("</details></li>")[0]
    assert "y = x + other" in cell
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in cell
    assert "Raises (TypeError) since 2.12; copies before 2.3." in cell
    assert f'href="../index.html#{ADD}"' in cell
    assert '<li class="atlas-cell" id="torch-tensor-x"><a class="atlas-cell-name" href="../conv' in page


def test_overview_has_the_row(rows_built: tuple[Tiny, SphinxTestApp]) -> None:
    """A link to itself, which the script unfolds."""
    overview = html(rows_built[1], "matrix/index")
    row = f'<li class="atlas-row" id="{ADD}"><a href="#{ADD}"><code>x + other</code></a></li>'
    assert row in overview
    assert "1 of these calls has no page." in overview
    rows = (Path(rows_built[1].outdir) / "_static" / "atlas-rows.js").read_text(encoding="utf-8")
    assert f'"{ADD}"' in rows
    assert '"torch-tensor-x"' not in rows


def test_search_finds_the_row(rows_built: tuple[Tiny, SphinxTestApp]) -> None:
    """By its address."""
    index = (Path(rows_built[1].outdir) / "_static" / "atlas-index.js").read_text(encoding="utf-8")
    assert f'["matrix/index#{ADD}","x + other"' in index


def test_markdown_of_the_row_stays(rows_built: tuple[Tiny, SphinxTestApp]) -> None:
    """A table of its cells, which the Markdown of each source links to."""
    folder = Path(rows_built[1].outdir) / "matrix"
    text = (folder / "conversion" / f"{ADD}.md").read_text(encoding="utf-8")
    assert text.startswith("# `x + other`")
    assert re.search(r"\| × raises \| TypeError", text)
    assert f"](../conversion/{ADD}.md)" in (folder / "source" / f"{FLOAT}.md").read_text(encoding="utf-8")


def test_second_build_leaves_the_old_address(rows_built: tuple[Tiny, SphinxTestApp]) -> None:
    """Nothing has changed; where the row is no longer recorded its address is gone."""
    made, _ = rows_built
    made.build()
    first = pages(made)[f"conversion/{ADD}"]
    made.build()
    assert pages(made)[f"conversion/{ADD}"] == first
    store.write_records(committed(ROWS), made.root / "docs" / "records")
    made.build()
    assert f"conversion/{ADD}" not in pages(made)
