"""How much a page weighs, how soon it is there; the limits are those that readers feel on a phone."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Page, Response

PAGES = ("index.html", "gallery/02_tensor_to_numpy/two_views.html", "matrix/index.html")
FIRST = 350_000
"""Bytes of a first page."""
SECOND = 60_000
"""Bytes of a page after it."""
PAINTED = 1_000
"""Milliseconds until the largest part is painted."""
SHIFT = 0.05
"""Share of the window that moves."""
TRIES = 3
"""Loads of which the best counts: another process may have had the processor meanwhile."""
PACKED = (".woff2", ".woff", ".png", ".jpg")
"""What a server sends as it is."""
OBSERVE = """
    window.atlasPaint = 0; window.atlasShift = 0;
    const watch = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take))
        .observe({ type, buffered: true });
    watch("largest-contentful-paint", (entry) => { window.atlasPaint = entry.startTime; });
    watch("layout-shift", (entry) => { if (!entry.hadRecentInput) window.atlasShift += entry.value; });
"""


@dataclass
class Visit:
    """A reader whose browser has a cache, and the bytes of each address, as a server would send them."""

    page: Page
    answers: list[Response] = field(default_factory=list)
    weights: dict[str, int] = field(default_factory=dict)

    def note(self, answer: Response) -> None:
        self.answers.append(answer)

    def open(self, address: str) -> int:
        """Bytes of all that was not there before."""
        before = sum(self.weights.values())
        self.page.goto(address)
        self.page.evaluate("document.fonts.ready")
        self.page.wait_for_load_state("networkidle")
        new = [answer for answer in self.answers if answer.url not in self.weights]
        self.weights |= {answer.url: size(answer) for answer in new}
        self.answers.clear()
        return sum(self.weights.values()) - before


def size(answer: Response) -> int:
    """Bytes that a server sends, which compresses text."""
    body = answer.body()
    return len(body if answer.url.split("?")[0].endswith(PACKED) else gzip.compress(body, 6))


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    """A reader with an empty cache."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    found = Visit(context.new_page())
    found.page.on("response", found.note)
    found.page.add_init_script(OBSERVE)
    yield found
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_first_page_is_light(visit: Visit, site: str, name: str) -> None:
    """With all that it loads."""
    weight = visit.open(f"{site}/{name}")
    heaviest = sorted(((size, url) for url, size in visit.weights.items()), reverse=True)[:5]
    assert len(heaviest) == 5
    assert weight < FIRST, heaviest


@pytest.mark.parametrize("name", PAGES)
def test_second_page_is_lighter(visit: Visit, site: str, name: str) -> None:
    """It brings itself, and little else: the rest is there from another page."""
    visit.open(f"{site}/guides/index.html")
    weight = visit.open(f"{site}/{name}")
    assert 0 < weight < SECOND


def test_no_page_loads_all_icons_there_are(visit: Visit, site: str) -> None:
    """Neither the theme's script nor its font; the icons that are used are drawn."""
    for name in (*PAGES, "search.html", "contributing/gpu_builder.html", "choose.html"):
        visit.open(f"{site}/{name}")
    assert [url for url in visit.weights if "fontawesome" in url] == []
    button = visit.page.locator(".theme-switch-button .theme-switch:visible")
    drawn = button.evaluate("node => getComputedStyle(node, '::before').maskImage")
    assert drawn.startswith("url(")


def test_every_icon_is_drawn(visit: Visit, site: str) -> None:
    """On every kind of page: an icon without a drawing would be a full square."""
    css = "nodes => nodes.filter(n => getComputedStyle(n, '::before').maskImage === 'none')"
    css += ".map(n => n.className)"
    for name in (*PAGES, "search.html", "guides/memory_model.html", "contributing/gate.html"):
        visit.open(f"{site}/{name}")
        icons = visit.page.locator("[class*=fa-]:is(i, span)")
        assert icons.count() > 3
        assert icons.evaluate_all(css) == [], name


@pytest.mark.parametrize("name", PAGES)
def test_page_is_there_soon_and_stays_put(browser: Browser, site: str, name: str) -> None:
    """With an empty cache, the largest part is painted within a second, and hardly moves afterwards."""
    paints, shifts = [], []
    for _ in range(TRIES):
        context = browser.new_context(viewport={"width": 1280, "height": 900})  # each has a cache of its own
        page = context.new_page()
        page.add_init_script(OBSERVE)
        page.goto(f"{site}/{name}")
        page.wait_for_load_state("networkidle")
        paints.append(page.evaluate("window.atlasPaint"))
        shifts.append(page.evaluate("window.atlasShift"))
        context.close()
    assert 0 < min(paints) < PAINTED, paints
    assert max(shifts) < SHIFT, shifts
