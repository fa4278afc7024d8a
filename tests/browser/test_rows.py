"""Conversions without a page of their own: their old addresses and their cells. Links of all pages."""

from __future__ import annotations

import posixpath
import re
from functools import cache
from html import escape, unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Page, expect
from samples import ROOT

from tensor_atlas.catalogue import CONVERSIONS, Conversion
from tensor_atlas.history.releases import is_compatible
from tensor_atlas.matrix.table import Matrix, build_matrix
from tensor_atlas.pages.matrix_places import list_rows, locate_conversion
from tensor_atlas.pages.matrix_words import LOOKS
from tensor_atlas.records import store

MOST_PAGES = 800
"""Pages that somebody can find: those that lead on from old addresses are none."""
STUB = "<title>This page has moved</title>"
ROW, SOURCE, TITLE = "x-add-other", "tensor-float32", "x + other"
RAISING = "np-asarray-x-copy-false"
"""A row that raises the same error on each input."""


@cache
def matrix() -> Matrix:
    """Everything recorded."""
    return build_matrix(store.read_records(ROOT / "docs" / "records"))


@cache
def read(path: Path) -> str:
    """Text of a page."""
    return path.read_text(encoding="utf-8")


def list_pages(folder: Path) -> dict[str, str]:
    """Text of each page by its address."""
    found = {path.relative_to(folder).as_posix(): read(path) for path in sorted(folder.rglob("*.html"))}
    return {name: text for name, text in found.items() if not name.startswith("_static/")}


def list_parts(page: str) -> set[str]:
    """Names of the parts of a page that a link can lead to."""
    return {unescape(found) for found in re.findall(r'\bid="([^"]+)"', page)}


def test_pages_are_few(folder: Path) -> None:
    """Without those that only lead on."""
    pages = [name for name, text in list_pages(folder).items() if STUB not in text]
    assert 500 < len(pages) <= MOST_PAGES


def test_each_row_has_a_page_that_only_leads_on(folder: Path) -> None:
    """To its row of the overview; each other conversion has a page."""
    overview = read(folder / "matrix" / "index.html")
    rows = {row.name for row in list_rows(matrix())}
    assert len(rows) > 400
    for name in matrix().rows:
        page = read(folder / "matrix" / "conversion" / f"{name}.html")
        assert (STUB in page) is (name in rows), name
        assert (f'<li class="atlas-row" id="{name}">' in overview) is (name in rows), name
        if name in rows:
            assert "noindex" in page
            assert f'href="../index.html#{name}"' in page


def test_each_recorded_cell_of_a_row_stands_on_the_page_of_its_source(folder: Path) -> None:
    """Each outcome of each release, with its value, error and warnings, and the code that ran."""
    count = 0
    for row in list_rows(matrix()):
        for source, entry in matrix().rows[row.name].items():
            page = read(folder / "matrix" / "source" / f"{source}.html")
            start = page.index(f'<details class="atlas-cell" id="{row.name}">')
            shown = unescape(page[start : page.index("</details></li>", start)])
            assert entry.script.strip() in shown, (row.name, source)
            for cell in entry.cells:
                texts = [str(cell.outcome), cell.value, *(warning.message for warning in cell.warnings)]
                texts += [cell.error.type, cell.error.message] if cell.error else []
                assert all(text in shown for text in texts if text), (row.name, source)
                count += 1
    assert count > 20_000


def test_no_link_leads_nowhere(folder: Path) -> None:
    """Of each page, to a file and to a part of it that are there."""
    pages = list_pages(folder)
    parts = {name: list_parts(text) for name, text in pages.items()}
    # By name: to ask the file system of each of some hundred thousand links takes ten seconds.
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    broken = set()
    for name, text in pages.items():
        for link in set(re.findall(r'<a [^>]*?href="([^"]*)"', text)):
            address = urlsplit(unescape(link))
            if address.scheme or address.netloc or name == "404.html":
                continue
            place = posixpath.join(posixpath.dirname(name), unquote(address.path)) if address.path else name
            target = posixpath.normpath(place)
            is_there = target in files and (
                not address.fragment
                or target not in parts
                or "=" in address.fragment  # a choice that the script of the page reads
                or unquote(address.fragment) in parts[target]
            )
            if not is_there:
                broken.add((name, link))
    assert broken == set()


def test_script_and_pages_have_one_rule(reader: Page, site: str) -> None:
    """The script's address of each conversion, and of a cell of it, is that of the pages."""
    reader.goto(f"{site}/matrix/index.html")

    def ask(conversion: Conversion, source: str) -> str:
        page, part = locate_conversion(conversion, source)
        return f"../{page}.html#{part}" if part else f"../{page}.html"

    names = [conversion.name for conversion in CONVERSIONS]
    for source in ("", SOURCE):
        call = "([names, source]) => names.map((name) => window.atlasSite.locateConversion(name, source))"
        found = reader.evaluate(call, [names, source])
        assert found == [ask(conversion, source) for conversion in CONVERSIONS]


@pytest.mark.parametrize(("asked", "part"), [("", "index.html"), (f"#{SOURCE}", f"source/{SOURCE}.html")])
def test_old_address_leads_on(reader: Page, origin: str, asked: str, part: str) -> None:
    """To the row, or to the cell, which is open."""
    reader.goto(f"{origin}/matrix/conversion/{ROW}.html{asked}")
    reader.wait_for_url(f"**/matrix/{part}#{ROW}")
    reader.wait_for_selector(f"#{ROW}[open]" if asked else f"#{ROW} .atlas-cells")
    assert reader.locator(f"#{ROW}").bounding_box()["y"] < 850  # type: ignore[index]


def test_link_to_a_cell_of_a_row_opens_it(reader: Page, origin: str) -> None:
    """Though it stands among those that are folded; its script is whole."""
    reader.goto(f"{origin}/matrix/source/{SOURCE}.html#{ROW}")
    reader.wait_for_selector(f"#{ROW}[open]")
    code = reader.locator(f"#{ROW} .highlight-python pre")
    assert code.is_visible()
    assert code.inner_text().strip() == matrix().rows[ROW][SOURCE].script.strip()
    assert reader.locator("details.atlas-cell[open]").count() == 1


def read_row(page: Page, name: str) -> dict[str, str]:
    """Inputs that an open row lists, each with the line above the list that says what they did."""
    page.wait_for_selector(f"#{name} .atlas-answers")
    found: dict[str, str] = {}
    for answer in page.locator(f"#{name} .atlas-answer").all():
        head = answer.locator(".atlas-answer-head, summary").first.text_content() or ""
        inputs = answer.locator(".atlas-inputs a").all_text_contents()
        assert not set(inputs) & set(found)
        found |= dict.fromkeys(inputs, head)
    return found


def test_row_lists_what_the_picked_environment_did(reader: Page, origin: str) -> None:
    """On each input, which links to the cell; another row takes its place."""
    reader.goto(f"{origin}/matrix/index.html#{ROW}")
    (environment, *_) = (
        e for e in matrix().environments if is_compatible(e) and e != matrix().default_environment
    )
    for picked in (matrix().default_environment, environment):
        assert picked is not None
        if picked is environment:
            reader.evaluate("id => localStorage.setItem('atlas-environment', id)", picked.id)
            reader.reload()
        lines = read_row(reader, ROW)
        assert len(lines) == len(matrix().rows[ROW])
        for entry in matrix().rows[ROW].values():
            cell = entry.at(picked)
            word = f" {LOOKS[cell.outcome].word}" if cell else "Not run in this environment"
            assert word in lines[entry.source.title], entry.source.name
    href = reader.locator(f"#{ROW} .atlas-inputs a").first.get_attribute("href")
    assert href is not None
    assert href.endswith(f".html#{ROW}")
    reader.locator("#x-sub-other > a").click()
    reader.wait_for_selector("#x-sub-other .atlas-answers")
    assert reader.locator(".atlas-row .atlas-answers").count() == 1


def test_row_says_why_it_raises_and_what_to_call_instead(reader: Page, site: str) -> None:
    """Once for all inputs, below the call, whose place among the others is in view; rare ones are folded."""
    reader.goto(f"{site}/matrix/conversion/{RAISING}.html")
    row = reader.locator(f"#{RAISING}")
    head = row.locator(".atlas-answer-head")
    expect(head).to_have_text(re.compile(r"raises ValueError on all \d+ inputs that ran$"))
    said = row.locator(".atlas-said").first
    expect(said).to_contain_text("Unable to avoid copy while creating an array as requested.")
    expect(said).to_contain_text("Instead: x.numpy()")
    assert said.get_by_role("link").first.inner_text() == "float32 tensor"
    assert row.get_by_role("link", name="bits8 tensor").is_hidden()
    assert all(len(one.get_by_role("link").all()) <= 7 for one in row.locator(".atlas-inputs").all())
    expect(row.get_by_text(re.compile(r"^\d+ more inputs$")).first).to_be_visible()
    path = row.locator(".atlas-row-path")
    expect(path).to_have_text("All conversions › np.asarray")
    header = reader.locator(".bd-header").bounding_box()
    place = path.bounding_box()
    assert header is not None
    assert place is not None
    assert header["y"] + header["height"] <= place["y"] < 200


def test_row_of_a_release_that_was_chosen_says_no_error_of_another(reader: Page, site: str) -> None:
    """Why a call raises is known of the newest alone."""
    environment = next(e for e in matrix().environments if is_compatible(e))
    reader.goto(f"{site}/matrix/index.html")
    reader.evaluate("id => localStorage.setItem('atlas-environment', id)", environment.id)
    reader.goto(f"{site}/matrix/conversion/{ROW}.html")
    reader.wait_for_selector(f"#{ROW} .atlas-answers")
    assert reader.locator(f"#{ROW} .atlas-said").count() == 0


def test_row_that_ran_elsewhere_says_where(reader: Page, site: str) -> None:
    """A call that names CUDA, whose picked environment has none."""
    reader.goto(f"{site}/matrix/index.html#x-cuda")
    row = reader.locator("#x-cuda")
    lines = read_row(reader, "x-cuda")
    expect(row.locator(".atlas-names")).to_have_text(
        re.compile(r"^With torch 2\.\d+\.\d+, NumPy .*NVIDIA.*:$")
    )
    assert " copies" in lines["float32 tensor"]


def test_filters_and_the_chooser_link_to_cells_of_rows(reader: Page, site: str, folder: Path) -> None:
    """On the pages of their sources."""
    reader.goto(f"{site}/matrix/index.html")
    reader.locator(".atlas-filter").get_by_label("Function").select_option("shape")
    links = reader.locator(".atlas-filter li a")
    hrefs = links.evaluate_all("nodes => nodes.map((node) => node.href)")
    reader.goto(f"{site}/choose.html#have=tensor&want=TENSOR")
    reader.wait_for_selector(".atlas-call-proof a")
    reader.evaluate("document.querySelectorAll('details').forEach((node) => { node.open = true; })")
    reader.wait_for_selector(".atlas-folded .atlas-call-proof a")
    shown = reader.locator(".atlas-call-proof a")
    hrefs += [h for h in shown.evaluate_all("nodes => nodes.map((node) => node.href)") if "/matrix/" in h]
    assert len([href for href in hrefs if "/matrix/source/" in href]) > 50
    for href in hrefs:
        path, _, part = href.removeprefix(f"{site}/").partition("#")
        assert f'id="{escape(part)}"' in read(folder / path), href
