"""A printed page: whole, light, and without what only a screen needs."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

EXAMPLE = "gallery/02_tensor_to_numpy/requires_grad.html"
PAGES = (
    EXAMPLE,
    "index.html",
    "reference/errors.html",
    "reference/coverage.html",
    "matrix/index.html",
    "guides/memory_model.html",
)
AT_PRINT = """() => {
  window.printed = [];
  const look = () => window.printed.push([
    document.documentElement.dataset.theme,
    document.querySelectorAll("article details:not([open])").length,
    document.querySelectorAll("article details").length,
  ]);
  window.addEventListener("beforeprint", look);
  window.addEventListener("afterprint", look);
}"""
GONE = ".bd-header, .bd-sidebar-primary, .bd-sidebar-secondary, .prev-next-area, .copybtn, a.headerlink"
GONE += ", .atlas-picker"
CUT = """() => [...document.querySelectorAll("article pre")].filter(node => node.offsetParent
  && node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).whiteSpace !== "pre-wrap").length"""
SAID = "node => getComputedStyle(node, '::after').content"


def test_dark_page_with_folds_prints_light_and_open(browser: Browser, site: str) -> None:
    """And is as it was when the dialog closes."""
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.goto(f"{site}/{EXAMPLE}")
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    closed = page.locator("article details:not([open])").count()
    assert closed > 0
    page.evaluate(AT_PRINT)
    page.pdf()
    (theme, folded, folds), (theme_after, folded_after, _) = page.evaluate("window.printed")
    assert (theme, folded) == ("light", 0)
    assert folds >= closed
    assert (theme_after, folded_after) == ("dark", closed)
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_paper_holds_the_article_and_no_navigation(reader: Page, site: str, name: str) -> None:
    """Nothing runs off the sheet either: code breaks."""
    reader.goto(f"{site}/{name}")
    reader.emulate_media(media="print")
    reader.set_viewport_size({"width": 700, "height": 990})
    assert reader.locator("article h1").is_visible()
    assert [node for node in reader.locator(GONE).all() if node.is_visible()] == []
    assert reader.evaluate(CUT) == 0
    assert reader.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def test_address_of_a_link_is_printed_in_prose_and_not_on_code(reader: Page, site: str) -> None:
    """A name in code that leads to its documentation stays a name."""
    reader.goto(f"{site}/contributing/gpu_builder.html")
    reader.emulate_media(media="print")
    prose = reader.locator("article p > a.external, article li > a.external").first
    assert (prose.get_attribute("href") or "nowhere") in prose.evaluate(SAID)
    reader.goto(f"{site}/{EXAMPLE}")
    linked = reader.locator("article pre a[href^=http], article a.external:has(code)")
    assert linked.count() > 0
    assert {node.evaluate(SAID) for node in linked.all()} == {"none"}


def test_upgrade_on_paper_says_between_which_releases(reader: Page, site: str) -> None:
    """Since the lists that asked it are gone."""
    reader.goto(f"{site}/upgrade.html#from=2.8.0/2.4.6/cpu&to=2.15.0/2.4.6/cpu")
    reader.emulate_media(media="print")
    said = reader.locator(".atlas-upgrade-sum").evaluate("node => getComputedStyle(node, '::before').content")
    assert said == '"From torch 2.8.0, NumPy 2.4.6 to torch 2.15.0, NumPy 2.4.6"'


def test_fold_prints_open_without_javascript(browser: Browser, site: str) -> None:
    """The style sheet does it where the browser knows how."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/{EXAMPLE}")
    inside = page.locator("article details:not([open]) > :not(summary)").first
    assert not inside.is_visible()
    page.emulate_media(media="print")
    assert inside.is_visible()
    context.close()
