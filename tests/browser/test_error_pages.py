"""The first screen of every error page: what happened, and the fix as code that can be copied."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page
from waiting import wait_until

SIZES = {"desktop": (1280, 800), "phone": (390, 844)}
"""Sizes of the first screen, in CSS pixels."""
FIX = ".atlas-fix-after > div[class*=highlight-] pre, article > section > .highlight-bash pre"
"""Code of the fix."""
BOTTOM = "code => code.getBoundingClientRect().bottom + scrollY"
PARTS = 3
"""Tests that share the pages, so that processes can."""


def error_pages(folder: Path) -> list[str]:
    """Addresses of all error pages, below the site."""
    found = sorted((folder / "gallery" / "13_errors").glob("*.html"))
    return [str(path.relative_to(folder)) for path in found if path.name != "index.html"]


@pytest.mark.parametrize("part", range(PARTS))
def test_fix_is_in_the_first_screen(reader: Page, site: str, folder: Path, part: int) -> None:
    """On every error page, in windows of both sizes, whole, below the message and what happened."""
    pages = error_pages(folder)
    assert len(pages) >= 35
    late = {}
    for page in pages[part::PARTS]:
        reader.goto(f"{site}/{page}")
        for size, (width, height) in SIZES.items():
            reader.set_viewport_size({"width": width, "height": height})
            bottom = reader.locator(FIX).first.evaluate(BOTTOM)
            if bottom > height:
                late[page, size] = bottom
    assert late == {}


def test_fix_is_copied_without_the_code_that_fails(reader: Page, origin: str) -> None:
    """Its button copies the lines that work."""
    reader.goto(f"{origin}/gallery/13_errors/numpy_requires_grad.html")
    code = reader.locator(".atlas-fix-after div.highlight").first
    code.hover()
    code.locator("button.copybtn").click()
    wait_until(reader, "navigator.clipboard.readText().then(text => text.includes('detach'))")
    assert reader.evaluate("navigator.clipboard.readText()").strip() == "array = weights.detach().numpy()"


def test_box_shows_what_the_chosen_release_says(reader: Page, site: str) -> None:
    """The message in the box is the one that a reader of that release has before them."""
    reader.goto(f"{site}/gallery/13_errors/sparse_layout.html")
    message = reader.locator(".atlas-fix-before .atlas-captured pre:visible")
    assert "Use Tensor.to_dense() first." in message.inner_text()
    reader.locator(".atlas-picker-button:visible").click()
    releases = reader.locator("[data-atlas=torch]:visible")
    releases.select_option(releases.locator("option").last.inner_text())
    assert "Use Tensor.dense() first." in message.inner_text()


def test_provenance_and_downloads_stand_below_the_fix(reader: Page, site: str) -> None:
    """One line says where the error is the same; where it was recorded is behind it."""
    reader.goto(f"{site}/gallery/13_errors/numpy_requires_grad.html")
    top = "css => document.querySelector(css).getBoundingClientRect().top"
    heights = [reader.evaluate(top, css) for css in (".atlas-fix-box", ".atlas-stamp", ".atlas-offers")]
    assert heights == sorted(heights)
    stamp = reader.locator(".atlas-stamp")
    assert stamp.inner_text().startswith("Same on all ")
    assert stamp.locator("p").first.is_hidden()


def test_links_of_the_error_index_lead_to_parts_that_exist(reader: Page, site: str, folder: Path) -> None:
    """Each to a page, and to an anchor that the page has."""
    reader.goto(f"{site}/reference/errors.html")
    links = reader.locator("article a.internal").evaluate_all("links => links.map((link) => link.href)")
    assert len(links) > 900
    missing = []
    ids: dict[str, set[str]] = {}
    for link in links:
        page, _, anchor = link.removeprefix(f"{site}/").partition("#")
        if page not in ids:
            ids[page] = set(re.findall(r'\bid="([^"]+)"', (folder / page).read_text("utf-8")))
        if anchor and anchor not in ids[page]:
            missing.append(link)
    assert missing == []
