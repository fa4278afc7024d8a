"""What every kind of page keeps to: its policy, its colours, its targets, its anchors."""

from __future__ import annotations

from pathlib import Path

import pytest
from contrast import contrasts
from playwright.sync_api import Browser, Page, expect

PAGES = (
    "index.html",
    "choose.html",
    "upgrade.html",
    "your_machine.html",
    "gallery/02_tensor_to_numpy/index.html",
    "gallery/02_tensor_to_numpy/two_views.html",
    "guides/devices.html",
    "guides/dtypes.html",
    "guides/memory_model.html",
    "history/torch-2.0.html",
    "matrix/index.html",
    "matrix/conversion/torch-from-numpy-x.html",
    "reference/calls.html",
    "reference/coverage.html",
    "reference/environments.html",
    "reference/errors.html",
    "reference/paste.html",
    "search.html",
)
EXAMPLE = "gallery/02_tensor_to_numpy/two_views.html"
SMALL = """() => {
    // Links in running text have the height of their line; what no eye sees is pressed by nobody.
    const inText = "p, li, td, dd, dt, pre, h1, h2, h3, h4, figcaption, .atlas-captured";
    const shown = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const small = [];
    for (const node of document.querySelectorAll("main :is(a[href], button, input, select, summary)")) {
        const { width, height } = node.getBoundingClientRect();
        if (!shown(node) || width * height === 0) continue;
        if (node.tagName === "A" && node.closest(inText)) continue;
        if (node.closest(".visually-hidden")) continue;
        if (Math.min(width, height) >= 23.95) continue;
        small.push(`${node.outerHTML.slice(0, 80)} ${width} x ${height}`);
    }
    return small;
}"""


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", PAGES)
def test_what_is_pressed_is_large_enough(reader: Page, site: str, name: str, width: int) -> None:
    """At least 24 pixels high and wide."""
    reader.set_viewport_size({"width": width, "height": 844})
    reader.goto(f"{site}/{name}")
    reader.wait_for_load_state("networkidle")
    assert reader.evaluate(SMALL) == []


def test_no_foreign_script_runs(browser: Browser, origin: str) -> None:
    """An element that brings code of its own is refused; the scripts of the page have run."""
    page = browser.new_page()
    page.goto(f"{origin}/{EXAMPLE}")
    refused = page.evaluate(
        """() => new Promise((resolve) => {
            document.addEventListener("securitypolicyviolation", (event) => resolve(event.violatedDirective));
            const script = document.createElement("script");
            script.textContent = "window.planted = 1";
            document.body.append(script);
            setTimeout(() => resolve("nothing"), 30000);
        })"""
    )
    assert refused.startswith("script-src")
    assert page.evaluate("[window.planted, typeof window.atlasSite]") == [None, "object"]
    page.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_page_without_javascript_keeps_its_colours(browser: Browser, site: str, theme: str) -> None:
    """Code has the colours of its words, and can be read, whatever the system prefers."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    page.goto(f"{site}/{EXAMPLE}")
    ratios = page.evaluate(contrasts(".atlas-block .highlight span, .atlas-captured pre, article p"))
    colours = page.locator(".atlas-block .highlight .kn").evaluate_all(
        "all => all.map(n => getComputedStyle(n).color)"
    )
    text = page.locator("article h1").evaluate("node => getComputedStyle(node).color")
    context.close()
    assert len(ratios) > 5
    assert [(words, ratio) for words, ratio in ratios if ratio < 4.5] == []
    assert set(colours) != {text}


def test_first_paint_has_the_theme_of_the_system(browser: Browser, site: str) -> None:
    """It is chosen in the head, not when all scripts have come."""
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.route("**/pydata-sphinx-theme.js*", lambda route: route.abort())
    page.goto(f"{site}/{EXAMPLE}")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    context.close()


@pytest.mark.parametrize(
    ("name", "width"), [("matrix/index.html", 1000), ("reference/environments.html", 1280)]
)
def test_heads_of_a_long_table_stay_in_sight(reader: Page, site: str, name: str, width: int) -> None:
    """However far its rows are scrolled in their box."""
    reader.set_viewport_size({"width": width, "height": 500})
    reader.goto(f"{site}/{name}")
    reader.evaluate("document.querySelectorAll('article details').forEach((one) => { one.open = true; })")
    long = ":is(.atlas-environments, .atlas-table)"
    box = reader.locator(f".pst-scrollable-table-container:has(> {long})").first
    box.evaluate("node => { node.scrollIntoView(); node.scrollTop = node.scrollHeight; }")
    top, head, scrolled = box.evaluate(
        "n => [n.getBoundingClientRect().top, n.querySelector('th').getBoundingClientRect().top, n.scrollTop]"
    )
    assert scrolled > 100
    assert abs(head - top) < 3


def test_heads_of_a_table_that_fits_stay_below_the_bar(reader: Page, site: str) -> None:
    """Its rows scroll with the page, which has no second bar for them."""
    reader.set_viewport_size({"width": 1280, "height": 800})
    reader.goto(f"{site}/matrix/index.html")
    reader.locator(".atlas-table tbody tr").nth(9).evaluate("row => row.scrollIntoView({ block: 'center' })")
    head = reader.locator(".atlas-table thead th").first.bounding_box()
    bar = reader.locator(".bd-header").bounding_box()
    assert head is not None
    assert bar is not None
    assert abs(head["y"] - bar["y"] - bar["height"]) < 3
    assert reader.evaluate("document.documentElement.scrollWidth") <= 1280


def test_command_has_the_address_of_the_page(reader: Page, site: str, folder: Path) -> None:
    """It can be copied as it is, wherever the site lies; from a file there is none to copy."""
    reader.goto(f"{site}/your_machine.html")
    expect(reader.locator("code", has_text="curl -O")).to_have_text(f"curl -O {site}/atlas-probe.pyz")
    reader.goto((folder / "your_machine.html").as_uri())
    expect(reader.locator(".highlight-bash pre").first).to_have_text("python atlas-probe.pyz")
    expect(reader.locator("code", has_text="curl -O")).to_have_count(0)


def test_block_has_an_anchor_that_leads_to_it(reader: Page, site: str) -> None:
    """By mouse and by keyboard; its name is the same in another build of the same code."""
    reader.goto(f"{site}/{EXAMPLE}")
    block = reader.locator(".atlas-block").nth(1)
    block.hover()
    block.get_by_role("link", name="Link to this code").click()
    assert reader.url.split("#")[1].startswith("code-")
    assert block.locator(":target").count() == 1


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures_fit_and_can_be_read(reader: Page, site: str, theme: str, width: int) -> None:
    """Those of each guide, in both themes, without scrolling sideways; a drawing says itself in words."""
    reader.set_viewport_size({"width": width, "height": 844})
    reader.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    for name in ("guides/memory_model", "guides/devices", "reference/calls"):
        reader.goto(f"{site}/{name}.html")
        pictures = reader.locator(".atlas-picture, .atlas-strides")
        assert pictures.count() > 0
        assert pictures.evaluate_all("all => all.every((one) => one.scrollWidth <= one.clientWidth)")
        ratios = reader.evaluate(
            contrasts(":is(.atlas-picture, .atlas-strides) :is(p, td, figcaption, code)")
        )
        assert [(words, ratio) for words, ratio in ratios if ratio < 4.5] == []
    reader.goto(f"{site}/guides/memory_model.html")
    words = reader.locator(".atlas-strides").get_attribute("aria-label") or ""
    assert "strides" in words or "the next row begins" in words


def test_guide_looks_like_an_example(reader: Page, site: str) -> None:
    """Code and output have the same boxes, fonts and buttons."""
    looks = """n => [n.className, ...["fontSize", "fontFamily", "backgroundColor", "borderLeft"].map(
        (property) => getComputedStyle(n)[property])]"""
    found = []
    for name in (EXAMPLE, "guides/memory_model.html"):
        reader.goto(f"{site}/{name}")
        block = reader.locator(".atlas-block:has(.atlas-captured)").first
        parts = (block.locator(".highlight-python pre").first, block.locator(".atlas-captured").first)
        found.append([part.evaluate(looks) for part in parts])
        assert block.locator(".atlas-copy").count() > 0
    assert found[0] == found[1]


def test_address_of_an_old_page_is_no_page(folder: Path) -> None:
    """A page that moved is not to be listed, and is the only kind without a policy."""
    texts = [path.read_text(encoding="utf-8") for path in (folder / "matrix").rglob("*.html")]
    without = [text for text in texts if "Content-Security-Policy" not in text]
    assert 0 < len(without) < len(texts)
    assert all("This page has moved" in text for text in without)
