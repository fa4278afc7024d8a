"""How much a page weighs, whether it stays put; the limits are those that readers feel on a phone."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Page, Response

PAGES = ("index.html", "gallery/02_tensor_to_numpy/two_views.html", "matrix/index.html")
KINDS = (
    "choose.html",
    "contributing/decisions.html",
    "contributing/design.html",
    "gallery/02_tensor_to_numpy/index.html",
    "gallery/02_tensor_to_numpy/two_views.html",
    "gallery/13_errors/cuda_to_numpy.html",
    "gallery/13_errors/index.html",
    "gallery/14_performance/plot_share_or_copy.html",
    "gallery/index.html",
    "guides/choosing.html",
    "guides/data.html",
    "guides/devices.html",
    "guides/dtypes.html",
    "guides/memory_model.html",
    "guides/performance.html",
    "history.html",
    "history/numpy.html",
    "history/numpy-2.0.html",
    "history/torch-2.0.html",
    "history/torch-2.15.html",
    "index.html",
    "matrix/conversion/torch-from-numpy-x.html",
    "matrix/index.html",
    "matrix/source/tensor-float32.html",
    "reference/coverage.html",
    "reference/corrections.html",
    "reference/errors.html",
    "reference/environments.html",
    "reference/names.html",
    "reference/paste.html",
    "reference/topics.html",
    "search.html",
    "upgrade.html",
    "your_machine.html",
)
"""A page of each kind, the largest of those that differ much."""
REQUESTS, NODES, TALLEST = 60, 5_000, 8_200
"""Requests, elements, and pixels from top to bottom at 1280 px, of a page of one of these kinds."""
TALL = {
    "contributing/design.html": 8_400,
    "gallery/index.html": 12_000,
    "gallery/13_errors/index.html": 12_000,
}
"""Pages that may be higher: a long text whose code breaks, and lists of examples, a card each."""
COMPLETE = (
    "history/numpy-2.0.html",
    "history/torch-2.0.html",
    "matrix/conversion/torch-from-numpy-x.html",
    "matrix/source/tensor-float32.html",
    "reference/coverage.html",
    "reference/errors.html",
    "reference/names.html",
    "reference/topics.html",
)
"""Complete tables, most of them folded: they may have more elements."""
FIRST = 190_000
"""Bytes of a first page."""
SECOND = 60_000
"""Bytes of a page after it."""
SECOND_OF_LIST = {"reference/errors.html": 67_000, "gallery/index.html": 63_500}
"""Bytes of a page that lists what hundreds of others are about."""
SHIFT = 0.05
"""Share of the window that moves."""
PACKED = (".woff2", ".woff", ".png", ".jpg")
"""What a server sends as it is."""
OBSERVE = """
    window.atlasShift = 0;
    const add = (entry) => { if (!entry.hadRecentInput) window.atlasShift += entry.value; };
    const watch = new PerformanceObserver((list) => list.getEntries().forEach(add));
    watch.observe({ type: "layout-shift", buffered: true });
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


@pytest.fixture(scope="module")
def known(browser: Browser, site: str) -> set[str]:
    """Addresses of all that a reader's browser has from another page."""
    page = browser.new_page()
    asked: set[str] = set()
    page.on("request", lambda request: asked.add(request.url))
    page.goto(f"{site}/guides/index.html")
    page.wait_for_load_state("networkidle")
    page.close()
    return asked


@pytest.mark.parametrize("name", KINDS)
def test_page_of_each_kind_is_light_and_small(visit: Visit, site: str, known: set[str], name: str) -> None:
    """In bytes, as the first page and after another, in requests, elements and height; and it stays put."""
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(request.url))
    weight = visit.open(f"{site}/{name}")
    heaviest = sorted(((size, url) for url, size in visit.weights.items()), reverse=True)[:5]
    assert len(heaviest) == 5
    assert weight < FIRST, heaviest
    # It brings itself, and little else: the rest is there from another page.
    own = {url: size for url, size in visit.weights.items() if url not in known}
    assert f"{site}/{name}" in own
    assert sum(own.values()) < SECOND_OF_LIST.get(name, SECOND), own
    nodes, height = visit.page.evaluate(
        "[document.querySelectorAll('*').length, document.documentElement.scrollHeight]"
    )
    assert len(asked) <= REQUESTS
    assert nodes <= NODES or name in COMPLETE
    assert height <= TALL.get(name, TALLEST)
    assert visit.page.evaluate("window.atlasShift") < SHIFT


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


@pytest.mark.parametrize("name", KINDS)
def test_page_stays_put_on_a_phone(browser: Browser, site: str, name: str) -> None:
    """With an empty cache, what a reader looks at hardly moves while the page loads."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.add_init_script(OBSERVE)
    page.goto(f"{site}/{name}")
    page.wait_for_load_state("networkidle")
    shift = page.evaluate("window.atlasShift")
    context.close()
    assert shift < SHIFT
