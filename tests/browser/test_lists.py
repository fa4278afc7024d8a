"""Long lists: the error index and the questions stay short, have a filter, and need no script."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

ERRORS, QUESTIONS = "reference/errors.html", "reference/topics.html"
FILTER = "Filter by name, call or message"
LINES = ".atlas-lines > li"
SIZE = "[document.documentElement.scrollHeight, document.querySelectorAll('*').length]"


@pytest.mark.parametrize(("name", "highest"), [(ERRORS, 8_000), (QUESTIONS, 8_000)])
def test_list_is_short_until_it_is_unfolded(reader: Page, origin: str, name: str, highest: int) -> None:
    """In a window of 1280 pixels, and in elements of HTML, from a file too."""
    reader.goto(f"{origin}/{name}")
    height, elements = reader.evaluate(SIZE)
    assert height < highest
    assert elements < 6_500


def test_filter_leaves_the_lines_that_have_every_word(reader: Page, origin: str) -> None:
    """As they are typed, of a class, of a library; what they are in unfolds, and folds again after."""
    reader.goto(f"{origin}/{ERRORS}")
    every = reader.locator(LINES).count()
    folds = reader.locator(".atlas-fold[open]")
    first = reader.locator(f"{LINES}:visible").first.inner_text()
    assert first.startswith("TypeError: can't convert cuda:0 device type tensor to numpy")
    reader.get_by_label(FILTER).press_sequentially("numpy GRAD")
    shown = reader.locator(f"{LINES}:visible").all_inner_texts()
    assert 2 < len(shown) < every / 4
    assert all("numpy" in text.lower() and "grad" in text.lower() for text in shown)
    expect(reader.get_by_role("status").first).to_have_text(f"{len(shown)} of {every} lines")
    reader.get_by_label("Class").select_option("BufferError")
    assert 0 < reader.locator(f"{LINES}:visible").count() < len(shown)
    assert reader.locator(".atlas-fold:visible").count() == folds.count() == 1
    reader.get_by_label(FILTER).fill("")
    reader.get_by_label("Class").select_option("")
    assert folds.count() == 0
    reader.get_by_label("Library").select_option("pillow")
    libraries = reader.locator(f"{LINES}:visible").evaluate_all("all => all.map(one => one.dataset.library)")
    assert libraries
    assert all("pillow" in library.split() for library in libraries)


def test_link_to_a_message_unfolds_it(reader: Page, site: str) -> None:
    """Also one that is followed on the page itself."""
    reader.goto(f"{site}/{ERRORS}")
    identifier = reader.locator(".atlas-fold .atlas-message").nth(40).get_attribute("id")
    reader.evaluate("id => { location.hash = id; }", identifier)
    expect(reader.locator(f"#{identifier}")).to_be_in_viewport()
    reader.reload()
    expect(reader.locator(f"#{identifier}")).to_be_in_viewport()


def test_question_has_its_answer_beside_it(reader: Page, site: str) -> None:
    """The lead of the page that it leads to."""
    reader.goto(f"{site}/{QUESTIONS}")
    reader.get_by_label(FILTER).fill("from_numpy share memory with the array")
    line = reader.locator(f"{LINES}:visible").first
    lead = line.inner_text()
    line.get_by_role("link").first.click()
    reader.wait_for_url("**/from_numpy.html")
    assert reader.locator("article section > p").first.inner_text() in lead


def test_without_a_script_every_line_is_there(browser: Browser, site: str) -> None:
    """Behind folds that open, without a filter."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/{ERRORS}")
    assert page.get_by_label(FILTER).count() == 0
    page.locator(".atlas-fold > summary").last.click()
    assert page.locator(".atlas-fold").last.locator("li").first.is_visible()
    context.close()


TABLES = [
    "guides/numpy2.html",
    "guides/choosing.html",
    "reference/data.html",
    "reference/calls.html",
    "history.html",
]


@pytest.mark.parametrize("name", TABLES)
def test_table_on_a_phone_shows_every_column(reader: Page, site: str, name: str) -> None:
    """A row is a card whose cells say their columns; nothing lies beside the screen."""
    reader.set_viewport_size({"width": 390, "height": 844})
    reader.goto(f"{site}/{name}")
    cells = reader.locator("article table td[data-label]:visible")
    assert cells.count() > 5
    edges = cells.evaluate_all(
        "all => all.map(one => [one.getBoundingClientRect().right, one.scrollWidth - one.clientWidth])"
    )
    assert max(right for right, _ in edges) <= 390
    assert max(beyond for _, beyond in edges) <= 1
    label = cells.last.evaluate("one => [getComputedStyle(one, '::before').content, one.dataset.label]")
    heads = reader.locator("article table thead th").all_text_contents()
    assert label[1] in [head.strip() for head in heads]


def test_label_of_a_cell_is_the_head_of_its_column(reader: Page, site: str) -> None:
    """Where there are several columns beside the head of the row, it stands before the cell."""
    reader.set_viewport_size({"width": 390, "height": 844})
    reader.goto(f"{site}/guides/numpy2.html")
    first = reader.locator("article table tbody tr").first.locator("td")
    shown = "all => all.map(one => getComputedStyle(one, '::before').content)"
    assert first.evaluate_all(shown) == ["none", '"NumPy 1"', '"NumPy 2"', '"Write instead"']
