"""The pages of the matrix in a browser: fold-outs, links to cells, the picker, phones, no JavaScript.

What they must show is read from the committed records, not from the pages.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from contrast import contrasts
from playwright.sync_api import Browser, Page
from samples import ROOT

from tensor_atlas.history.releases import is_compatible
from tensor_atlas.matrix.table import COMMON_TABLES, Entry, Matrix, build_matrix
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.runs import Environment
from tensor_atlas.pages.matrix_words import LOOKS, name_result
from tensor_atlas.records import store

CONVERSION = "torch-from-numpy-x"
SOURCE = "array-float32"


@cache
def matrix() -> Matrix:
    """Everything recorded."""
    found = build_matrix(store.read_records(ROOT / "docs" / "records"))
    if not found.rows:
        pytest.skip("no cells are recorded")
    return found


@cache
def other() -> Environment:
    """The oldest environment with cells whose NumPy fits its torch; skips where there is only one."""
    found = [e for e in matrix().environments if is_compatible(e) and e != matrix().default_environment]
    if not found:
        pytest.skip("cells are recorded in one environment only")
    return found[0]


def row() -> dict[str, Entry]:
    """Cells of the page that the tests open."""
    return dict(matrix().rows[CONVERSION])


@pytest.fixture
def origin(origin: str) -> str:
    """Where the site is opened from, if it has a matrix."""
    matrix()
    return origin


def choose(page: Page, environment: Environment) -> None:
    """Choose an environment in the picker."""
    page.locator(".atlas-picker-button:visible").click()
    page.locator("[data-atlas=torch]:visible").select_option(environment.torch.split("+")[0])
    if page.locator("[data-atlas=numpy]:visible").input_value() != environment.numpy:
        page.locator("[data-atlas=numpy]:visible").select_option(environment.numpy)
    page.keyboard.press("Escape")


LINES = """() => Object.fromEntries([
  ...document.querySelectorAll('details.atlas-cell:not(.atlas-unrun)')].map(cell => [
  cell.id,
  [...cell.querySelectorAll('.atlas-cell-answers > :not([hidden])')]
    .map(node => node.textContent.trim()).join('|'),
]))"""


def words(cell: Cell | None) -> tuple[str, str]:
    """What a line must say of a cell."""
    return ("not tried", "") if cell is None else (str(cell.outcome), name_result(cell))


def test_every_line_says_what_the_newest_environment_did(reader: Page, origin: str) -> None:
    """Outcome, class and dtype, of every source."""
    reader.goto(f"{origin}/matrix/conversion/{CONVERSION}.html")
    lines = reader.evaluate(LINES)
    assert set(lines) == set(row())
    for source, entry in row().items():
        assert all(part in lines[source] for part in words(entry.cell)), source


def test_choice_shows_every_cell_of_that_environment(reader: Page, origin: str) -> None:
    """Also that a cell was not tried there; back at the newest, not one character is another."""
    reader.goto(f"{origin}/matrix/conversion/{CONVERSION}.html")
    before = reader.locator("article").inner_html()
    choose(reader, other())
    assert f"with torch {other().torch.split('+')[0]}, NumPy" in reader.locator(".atlas-stamp").inner_text()
    lines = reader.evaluate(LINES)
    for source, entry in row().items():
        assert all(part in lines[source] for part in words(entry.at(other()))), source
    said = {
        tuple(line.split(" ", 2)[1:]) for line in reader.locator(".atlas-tally li:visible").all_inner_texts()
    }
    cells = [cell for entry in row().values() if (cell := entry.at(other()))]
    counts = Counter(str(cell.outcome) for cell in cells)
    assert {(str(count), outcome) for outcome, count in counts.items()} <= said
    reader.locator(".atlas-picker-button:visible").click()
    reader.locator(".atlas-picker-reset:visible").click()
    assert reader.locator("article").inner_html() == before


TABLE = """() => Object.fromEntries([
  ...document.querySelectorAll('.atlas-table td a[href*="#"]')].map(link => [
  link.getAttribute('href').replace('conversion/', '').replace('.html', ''),
  [...link.querySelectorAll(':scope > span:not([hidden])')].map(node => node.textContent).join('|')]))"""


def test_table_shows_the_environment_that_is_picked(reader: Page, origin: str) -> None:
    """Sign and word of every cell, of the newest or of the picked one, and no other is named."""
    reader.goto(f"{origin}/matrix/index.html")
    for environment in (matrix().default_environment, other()):
        assert environment is not None
        if environment is other():
            choose(reader, environment)
        cells = reader.evaluate(TABLE)
        assert len(cells) > 200
        for table in COMMON_TABLES:
            for conversion in table.conversions:
                for source, _ in table.sources:
                    entry = matrix().rows.get(conversion.name, {}).get(source.name)
                    cell = entry.at(environment) if entry else None
                    if entry and cell:
                        look = LOOKS[cell.outcome]
                        said = cells[f"{conversion.name}#{source.name}"]
                        assert said.startswith(f"{look.sign} {look.word}"), (conversion.name, source.name)
        stamp = reader.locator(".atlas-compat .atlas-stamp").inner_text()
        assert f"With torch {environment.torch.split('+')[0]}, NumPy {environment.numpy}" in stamp
    default = matrix().default_environment
    assert default is not None
    assert default.torch.split("+")[0] not in reader.locator(".atlas-compat").inner_text()


def test_two_clicks_lead_from_the_table_to_code_that_is_copied(reader: Page, site: str) -> None:
    """One on the cell, one on the button."""
    reader.goto(f"{site}/matrix/index.html")
    reader.locator(f'.atlas-table a[href$="{CONVERSION}.html#{SOURCE}"]').click()
    reader.wait_for_selector(f"#{SOURCE}[open]")
    assert copy_script(reader) == row()[SOURCE].script.strip()


def copy_script(reader: Page) -> str:
    """What the button beside the script of a cell copies."""
    reader.wait_for_load_state("networkidle")
    reader.locator(f"#{SOURCE} .highlight-python .highlight").hover()
    reader.locator(f"#{SOURCE} button.copybtn").click()
    copied: str = reader.evaluate("navigator.clipboard.readText()")
    return copied.strip()


def test_cell_that_nobody_has_run_says_so(reader: Page, site: str) -> None:
    """Beside its code, with what it needs; never with an outcome or as if it were recorded."""
    reader.goto(f"{site}/matrix/conversion/x-to-cuda.html#tensor-vulkan")
    reader.wait_for_selector("#tensor-vulkan[open]")
    summary = reader.locator("#tensor-vulkan > summary")
    assert summary.locator(".atlas-rung").inner_text() == "not run, needs vulkan"
    assert summary.locator("[class*=atlas-outcome]").count() == 0
    assert "recorded" not in reader.locator("#not-run").inner_text().lower()
    assert 'device="vulkan"' in reader.locator("#tensor-vulkan .highlight-python pre").inner_text()


def test_filters_find_every_cell_that_fits(reader: Page, origin: str) -> None:
    """As many as the records hold, in the environment that is picked."""
    reader.goto(f"{origin}/matrix/index.html")
    reader.locator(".atlas-filter").get_by_label("Function").select_option("torch.from_numpy")
    reader.locator(".atlas-filter").get_by_label("Layout").select_option("reversed")
    reader.locator(".atlas-filter").get_by_label("Outcome").select_option("raises")
    for environment in (matrix().default_environment, other()):
        assert environment is not None
        if environment is other():
            choose(reader, environment)
        entries = [entry for row in matrix().rows.values() for entry in row.values()]
        wanted = [
            f"{entry.conversion.title} on {entry.source.title}"
            for entry in entries
            if entry.conversion.family == "torch.from_numpy" and entry.source.layout == "reversed"
            if (cell := entry.at(environment)) and cell.outcome is Outcome.RAISES
        ]
        assert wanted
        lines = reader.locator(".atlas-filter li > :first-child").all_inner_texts()
        assert lines == wanted
        assert reader.locator(".atlas-filter [role=status]").inner_text() == f"{len(wanted)} cells."


def test_first_page_is_a_table_and_no_catalogue(reader: Page, site: str) -> None:
    """What few need is folded or behind filters."""
    reader.set_viewport_size({"width": 1280, "height": 800})
    reader.goto(f"{site}/matrix/index.html")
    assert reader.evaluate("document.documentElement.scrollHeight") < 8_000
    assert reader.evaluate("document.querySelectorAll('*').length") < 5_000
    assert reader.locator(".atlas-table").first.bounding_box()["y"] < 800  # type: ignore[index]


def test_answers_stand_above_the_fold(reader: Page, site: str) -> None:
    """What releases changed comes after them, folded."""
    reader.set_viewport_size({"width": 1280, "height": 800})
    for name in (f"conversion/{CONVERSION}", f"source/{SOURCE}"):
        reader.goto(f"{site}/matrix/{name}.html")
        cells, changes = reader.locator(".atlas-cells").first, reader.locator("#what-changed")
        assert cells.bounding_box()["y"] < 700  # type: ignore[index]
        assert changes.get_attribute("open") is None
        assert changes.bounding_box()["y"] > cells.bounding_box()["y"]  # type: ignore[index]


def test_choice_reaches_into_the_fold_out(reader: Page, site: str) -> None:
    """The error or value inside is that of the chosen environment."""
    cells = ((environment, entry) for environment in matrix().environments for entry in row().values())
    raising = (
        (e, entry, cell) for e, entry in cells if (cell := entry.at(e)) and cell.error and cell != entry.cell
    )
    environment, entry, cell = next(raising, (None, None, None))
    if environment is None or entry is None or cell is None:
        pytest.skip("nothing on this page raises in one environment and not in the newest")
    assert cell.error is not None
    reader.goto(f"{site}/matrix/conversion/{CONVERSION}.html#{entry.source.name}")
    choose(reader, environment)
    inside = reader.locator(f"#{entry.source.name} .atlas-cell-body > .atlas-variant:visible")
    assert inside.count() == 1
    assert " ".join(cell.error.message.split()) in " ".join(inside.inner_text().split())


def test_environment_that_never_tried_says_so(reader: Page, site: str) -> None:
    """Its choice leaves the newest in place, under a notice."""
    known = store.read_records(ROOT / "docs" / "records").environments.values()
    strangers = [e for e in known if e not in matrix().environments and is_compatible(e) and e.kind == "cpu"]
    if not strangers:
        pytest.skip("every recorded environment has cells")
    reader.goto(f"{site}/matrix/conversion/{CONVERSION}.html")
    before = reader.evaluate(LINES)
    choose(reader, strangers[0])
    assert reader.locator(".atlas-notice").inner_text().startswith("Not tried with torch")
    assert reader.evaluate(LINES) == before


def test_choice_reaches_the_page_of_a_source(reader: Page, origin: str) -> None:
    """Each way on says what it does there."""
    reader.goto(f"{origin}/matrix/source/{SOURCE}.html")
    choose(reader, other())
    script = """() => Object.fromEntries([...document.querySelectorAll('.atlas-cell')].map(line => [
      line.id,
      [...line.querySelectorAll('.atlas-cell-answers > :not([hidden])')]
        .map(node => node.textContent).join('|')]))"""
    lines = reader.evaluate(script)
    column = matrix().columns[SOURCE]
    assert set(lines) == set(column)
    for name, entry in column.items():
        assert all(part in lines[name] for part in words(entry.at(other()))), name


def test_link_to_a_cell_opens_it(reader: Page, origin: str) -> None:
    """From the page of its source, and in the address."""
    reader.goto(f"{origin}/matrix/source/{SOURCE}.html")
    reader.locator(f'a[href$="{CONVERSION}.html#{SOURCE}"]').last.click()
    reader.wait_for_selector(f"#{SOURCE}[open]")
    assert reader.locator("details.atlas-cell[open]").count() == 1
    code = reader.locator(f"#{SOURCE} .highlight-python pre")
    assert code.inner_text().strip() == row()[SOURCE].script.strip()


def test_script_is_copied_whole(reader: Page, site: str) -> None:
    """With its imports, and nothing of the outcome."""
    reader.goto(f"{site}/matrix/conversion/{CONVERSION}.html#{SOURCE}")
    assert copy_script(reader) == row()[SOURCE].script.strip()


def test_keyboard_alone_opens_a_cell(reader: Page, site: str) -> None:
    """Enter on a line unfolds it, the next line is one Tab from the last link in it; Enter folds it again."""
    reader.goto(f"{site}/matrix/conversion/{CONVERSION}.html")
    first = reader.locator("details.atlas-cell").first
    reader.locator(".atlas-jumps a").last.focus()
    for _ in range(4):
        reader.keyboard.press("Tab")
        if reader.evaluate("document.activeElement.matches('.atlas-cell > summary')"):
            break
    assert reader.evaluate("document.activeElement.matches('.atlas-cell > summary')")
    reader.keyboard.press("Enter")
    assert first.get_attribute("open") is not None
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert reader.evaluate(outline) != "none"
    reader.keyboard.press("Enter")
    assert first.get_attribute("open") is None


PAGES = (
    "matrix/index.html",
    f"matrix/conversion/{CONVERSION}.html",
    "matrix/conversion/torch-utils-data-default-collate-list-x-x.html",
    f"matrix/source/{SOURCE}.html",
    "matrix/source/tensor-requires-grad.html",
)


@pytest.mark.parametrize("name", PAGES)
def test_pages_fit_the_window(reader: Page, site: str, name: str) -> None:
    """Without sideways scrolling, every fold-out open."""
    matrix()
    reader.goto(f"{site}/{name}")
    reader.evaluate("document.querySelectorAll('article details').forEach(node => { node.open = true; })")
    for width in (390, 768, 1280):
        reader.set_viewport_size({"width": width, "height": 844})
        wider = reader.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wider <= 0, f"{name} is {wider} px wider than a window of {width} px"


def test_without_javascript_a_click_unfolds_a_cell(browser: Browser, origin: str) -> None:
    """The newest is shown, what others did stands in the fold-out, and no answer stands there twice."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{origin}/matrix/conversion/{CONVERSION}.html")
    entry = next((e for e in row().values() if len(e.cells) > 1), row()[SOURCE])
    cell = page.locator(f"#{entry.source.name}")
    assert cell.locator(".atlas-cell-answers > :visible").count() == 1
    assert cell.locator(".atlas-cell-body:visible").count() == 0
    cell.locator("summary").first.click()
    assert cell.locator(".atlas-variant:visible").count() == 1
    cell.get_by_text("Other releases").click()
    assert cell.locator(".atlas-variant:visible").count() == len(entry.cells)
    assert cell.locator(".highlight-python pre").inner_text().strip() == entry.script.strip()
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_are_readable_in_both_themes(browser: Browser, site: str, scheme: str) -> None:
    """Every kind of answer has a contrast of at least 4.5 to what is behind it."""
    matrix()
    context = browser.new_context(color_scheme="dark" if scheme == "dark" else "light")
    page = context.new_page()
    page.goto(f"{site}/matrix/conversion/{CONVERSION}.html")
    page.evaluate("document.querySelectorAll('article details').forEach(node => { node.open = true; })")
    texts = ".atlas-cell-answer *, .atlas-cell-mark, .atlas-cell-name, .atlas-names, "
    texts += ".atlas-told *, .atlas-cell-body p"
    ratios = page.evaluate(contrasts(texts))
    assert len(ratios) > 50
    assert [(text, ratio) for text, ratio in ratios if ratio < 4.5] == []
    context.close()
