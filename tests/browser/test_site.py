"""What a reader sees: every kind of page, in both themes, on a phone and on a laptop."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pytest
from contrast import contrasts
from playwright.sync_api import Browser, Page

PAGES = (
    "404.html",
    "index.html",
    "choose.html",
    "upgrade.html",
    "gallery/index.html",
    "gallery/02_tensor_to_numpy/index.html",
    "gallery/02_tensor_to_numpy/requires_grad.html",
    "gallery/07_cuda/numpy_error.html",
    "guides/memory_model.html",
    "history.html",
    "matrix/index.html",
    "history/numpy.html",
    "history/numpy-2.0.html",
    "reference/errors.html",
    "reference/names.html",
    "your_machine.html",
    "reference/paste.html",
    "reference/calls.html",
    "reference/cite.html",
    "reference/corrections.html",
    "reference/coverage.html",
    "reference/environments.html",
    "contributing/gate.html",
    "contributing/gpu_builder.html",
)
WIDTHS = (390, 768, 1280)
BOXES = (
    ".atlas-label span, .atlas-captured pre, .atlas-sharing, .atlas-stamp p, .atlas-block .highlight span, "
    ".atlas-where *, .atlas-reason, .atlas-others > summary, .atlas-badge summary, .atlas-notice"
)
"""Labels and text of every kind of box."""
WAITS = re.compile(r'class="atlas-stamp atlas-expected"')
"""In the page of an example that no run has confirmed as it is."""
SAYS_RAN = re.compile(
    r'class="[^"]*atlas-captured atlas-(?!expected)|Executed in this build|[>.] ?Recorded on'
)
"""What such a page must not hold: a captured box, or words that say where it ran."""


@dataclass
class Watched:
    """A page, and what went wrong while it loaded."""

    page: Page
    failed: list[str] = field(default_factory=list)
    requested: list[str] = field(default_factory=list)


THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@pytest.fixture
def watched(reader: Page) -> Iterator[Watched]:
    """An empty page."""
    found = Watched(reader)
    listeners: dict[str, Callable[..., None]] = {
        "requestfailed": lambda r: found.failed.append(r.url),
        "response": lambda r: found.failed.append(f"{r.status} {r.url}") if r.status >= 400 else None,
        "request": lambda r: found.requested.append(r.url),
    }
    for event, listener in listeners.items():
        reader.on(event, listener)  # type: ignore[call-overload]
    yield found
    for event, listener in listeners.items():
        reader.remove_listener(event, listener)


@pytest.mark.parametrize("name", PAGES)
def test_page_loads_cleanly_and_fits(watched: Watched, site: str, name: str) -> None:
    """No console message, no failed request, none to another host, and no sideways scrolling at any width."""
    for theme in THEMES:
        watched.page.emulate_media(color_scheme=theme)
        watched.page.goto(f"{site}/{name}")
        watched.page.wait_for_load_state("networkidle")
        for width in WIDTHS:
            watched.page.set_viewport_size({"width": width, "height": 900})
            wider = watched.page.evaluate(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            )
            assert wider <= 0, f"{name} is {wider} px wider than a window of {width} px"
    assert watched.failed == []
    assert [url for url in watched.requested if not url.startswith((site, "data:"))] == []


@pytest.mark.parametrize("theme", THEMES)
def test_text_is_readable_in_its_theme(watched: Watched, site: str, theme: Literal["light", "dark"]) -> None:
    """Labels and text of every kind of box have a contrast of at least 4.5 to their background."""
    watched.page.emulate_media(color_scheme=theme)
    watched.page.goto(f"{site}/gallery/02_tensor_to_numpy/requires_grad.html")
    watched.page.locator(".atlas-picker-button:visible").click()
    watched.page.locator("[data-atlas=torch]:visible").select_option(index=1)
    ratios = watched.page.evaluate(contrasts(BOXES))
    assert len(ratios) > 5
    assert [(text, ratio) for text, ratio in ratios if ratio < 4.5] == []


def test_copy_button_copies_code_and_no_output(watched: Watched, site: str) -> None:
    """Code has a button, captured output has none, and what lands on the clipboard is the code."""
    page = watched.page
    page.goto(f"{site}/gallery/02_tensor_to_numpy/two_views.html")
    page.wait_for_load_state("networkidle")
    assert page.locator(".atlas-captured button.copybtn").count() == 0
    piece = page.locator(".atlas-block").first.locator("div.highlight").first
    piece.hover()
    piece.locator("button.copybtn").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.strip() == "import numpy as np\nimport torch"


def test_search_finds_an_api_name(watched: Watched, site: str) -> None:
    """The site's own search answers without any other host."""
    watched.page.goto(f"{site}/search.html?q=from_numpy")
    watched.page.wait_for_selector("ul.search li a")
    assert "from_numpy" in watched.page.locator("ul.search").inner_text()
    assert [url for url in watched.requested if not url.startswith((site, "data:"))] == []


def test_page_reads_without_javascript(browser: Browser, site: str) -> None:
    """Code and captured output are in the page itself; where it ran unfolds without a script."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/gallery/02_tensor_to_numpy/two_views.html")
    page.locator(".atlas-stamp summary").click()
    text = page.locator("article").inner_text()
    context.close()
    assert re.search(r"(Recorded on|Executed in this build:) torch \d", text)
    assert "Output" in text
    assert "array = tensor.numpy()" in text


def test_page_of_what_nobody_ran_holds_no_output(folder: Path) -> None:
    """Every box is an expectation, and nothing says that anything was executed or recorded."""
    texts = {path: path.read_text(encoding="utf-8") for path in (folder / "gallery").glob("*/*.html")}
    waiting = {path: text for path, text in texts.items() if WAITS.search(text)}
    assert len(waiting) < len(texts)
    assert [path.name for path, text in waiting.items() if SAYS_RAN.search(text)] == []
    assert any(SAYS_RAN.search(text) for text in texts.values())


def test_verdict_leads_to_the_block_that_proves_it(watched: Watched, site: str) -> None:
    """Following an answer of the table of decisions arrives at a block of code."""
    page = watched.page
    page.goto(f"{site}/reference/calls.html")
    page.locator(".atlas-decisions .atlas-verdict").first.click()
    page.wait_for_load_state("networkidle")
    anchor = page.url.split("#")[1]
    assert "atlas-block" in (page.locator(f"[id='{anchor}']").first.get_attribute("class") or "")


def test_downloads_are_offered(watched: Watched, site: str) -> None:
    """Each example can be had as a script and as a notebook."""
    watched.page.goto(f"{site}/gallery/02_tensor_to_numpy/two_views.html")
    links = watched.page.locator(".atlas-offers a[download]").evaluate_all("nodes => nodes.map(n => n.href)")
    assert any(link.endswith(".py") for link in links)
    assert any(link.endswith(".ipynb") for link in links)
    for link in links:
        assert watched.page.request.get(link).ok
