"""Axe-core's rules on every kind of page and every part that opens, in both themes and on a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import quote

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, Page
from waiting import wait_until

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
COLOURS = ("color-contrast", "link-in-text-block")
"""Rules whose answer depends on the theme."""
NOTE_LOOKS = """() => {
    // How each element looks in this theme, beside how it looked in another.
    for (const node of document.body.querySelectorAll("*")) {
        const look = getComputedStyle(node);
        const own = [
            look.color, look.backgroundColor, look.backgroundImage, look.opacity,
            look.fontSize, look.fontWeight,
        ];
        node.atlasLooks = [...(node.atlasLooks ?? []), ...own];
    }
}"""
KEEP_ONE_OF_EACH_KIND = """() => {
    // Elements are of a kind where they and all around them have the same tag, classes and looks.
    const known = new Set();
    const spare = [];
    const visit = (node, around) => {
        const isText = (part) => part.nodeType === Node.TEXT_NODE && part.data.trim();
        const words = [...node.childNodes].some(isText);
        const looks = node.atlasLooks ?? [];
        const kind = [around, node.tagName, [...node.classList].sort(), words, ...looks].join("|");
        let kept = !known.has(kind);
        known.add(kind);
        for (const child of node.children) kept = visit(child, kind) || kept;
        if (!kept) spare.push(node);
        return kept;
    };
    visit(document.body, "");
    for (const node of spare) node.remove();
}"""
ERROR = "RuntimeError: Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."


def as_it_is(page: Page) -> None:
    """Nothing to be done."""


def with_everything_open(page: Page) -> None:
    """Every fold-out of the article, so that what is hidden is looked at, too."""
    page.evaluate("document.querySelectorAll('article details').forEach(one => { one.open = true; })")


def with_another_release(page: Page) -> None:
    """The picker open, and another environment chosen."""
    page.locator(".atlas-picker-button:visible").click()
    page.locator("[data-atlas=torch]:visible").select_option(index=1)


def with_the_dialog(page: Page) -> None:
    """The dialog that finds pages, with results."""
    page.keyboard.press("Control+k")
    page.locator("dialog.atlas-finder textarea").fill("from_numpy")
    page.locator("dialog.atlas-finder .atlas-finding-link").first.wait_for()


def with_a_pasted_error(page: Page) -> None:
    """The page's own box, with results."""
    page.locator("article textarea:visible").fill(ERROR)
    page.locator("article .atlas-finding-link").first.wait_for()


def with_an_open_row(page: Page) -> None:
    """The call that the address names says what it does with each input, rare ones too."""
    page.wait_for_selector(".atlas-answers")
    with_everything_open(page)


def with_results(page: Page) -> None:
    """Sphinx's own list of pages with a word, and ours above it."""
    page.wait_for_selector("ul.search li a")
    page.locator(".atlas-finding-link").first.wait_for()


def with_answers(page: Page) -> None:
    """The chooser's answers, with those that are folded in."""
    page.locator(".atlas-call").first.wait_for()
    with_everything_open(page)


@dataclass(frozen=True)
class Kind:
    """A kind of page, in one state."""

    address: str
    """One page of the kind."""
    bring: Callable[[Page], None] = as_it_is
    """Brings the page into the state."""


KINDS = {
    "landing": Kind("index.html"),
    "all examples": Kind("gallery/index.html"),
    "chapter": Kind("gallery/02_tensor_to_numpy/index.html"),
    "example": Kind("gallery/02_tensor_to_numpy/two_views.html"),
    "example with errors": Kind("gallery/02_tensor_to_numpy/requires_grad.html", with_everything_open),
    "example with long output": Kind("gallery/03_dtypes/round_trip.html", with_everything_open),
    "example elsewhere": Kind("gallery/02_tensor_to_numpy/requires_grad.html", with_another_release),
    "example of a GPU": Kind("gallery/07_cuda/numpy_error.html", with_everything_open),
    "figure": Kind("gallery/14_performance/plot_share_or_copy.html"),
    "guide": Kind("guides/memory_model.html"),
    "guides": Kind("guides/index.html"),
    "matrix": Kind("matrix/index.html"),
    "row of the matrix": Kind("matrix/index.html#np-asarray-x-copy-false", with_an_open_row),
    "conversion": Kind("matrix/conversion/torch-from-numpy-x.html", with_everything_open),
    "source": Kind("matrix/source/array-float32.html", with_everything_open),
    "chooser": Kind("choose.html", with_answers),
    "upgrade": Kind("upgrade.html"),
    "error": Kind("gallery/13_errors/numpy_requires_grad.html", with_everything_open),
    "errors": Kind("reference/errors.html", with_everything_open),
    "names": Kind("reference/names.html", with_everything_open),
    "questions": Kind("reference/topics.html", with_everything_open),
    "paste": Kind("reference/paste.html", with_a_pasted_error),
    "history": Kind("history.html"),
    "release": Kind("history/numpy-2.1.html", with_everything_open),
    "environments": Kind("reference/environments.html"),
    "coverage": Kind("reference/coverage.html"),
    "corrections": Kind("reference/corrections.html", with_everything_open),
    "contributing": Kind("contributing/gate.html"),
    "your machine": Kind("your_machine.html"),
    "general index": Kind("genindex.html"),
    "search": Kind(f"search.html?q={quote('from_numpy')}", with_results),
    "dialog": Kind("index.html", with_the_dialog),
}
ON_A_PHONE = (
    "landing",
    "example",
    "example with errors",
    "chooser",
    "conversion",
    "matrix",
    "dialog",
    "paste",
)


@pytest.fixture(scope="module")
def brought(browser: Browser, site: str) -> Iterator[Callable[[Kind, int], Page]]:
    """Opens a page of a kind, in its state, in the light theme and a window of a width."""
    page = browser.new_page()

    def bring(kind: Kind, width: int) -> Page:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme="light")
        if page.url.startswith(site):  # what the last one chose
            page.evaluate("localStorage.clear()")
            page.goto("about:blank")
        page.goto(f"{site}/{kind.address}")
        page.wait_for_load_state("networkidle")
        kind.bring(page)
        page.evaluate(AXE)
        return page

    yield bring
    page.close()


def choose_theme(page: Page, theme: Literal["light", "dark"]) -> None:
    """As a system does whose theme changes."""
    page.emulate_media(color_scheme=theme)
    wait_until(page, "theme => document.documentElement.dataset.theme === theme", theme)


def violations(page: Page, options: str) -> list[str]:
    """What axe finds: rule, element and reason, a line each."""
    result = page.evaluate(f"() => axe.run(document, {{resultTypes: ['violations'], {options}}})")
    return [
        f"{violation['id']}: {node['target']} {node['html'][:160]} - {node['failureSummary']}"
        for violation in result["violations"]
        for node in violation["nodes"]
    ]


def violations_of_structure(page: Page) -> list[str]:
    """Rules that ask for no colour, of the whole page."""
    return violations(page, f"rules: {{{', '.join(f'{rule!r}: {{enabled: false}}' for rule in COLOURS)}}}")


def violations_of_colour(page: Page) -> list[str]:
    """Rules about colours, in both themes; they take most of axe's time: of one element of each kind."""
    page.add_style_tag(content="* { transition: none !important; }")
    page.evaluate(NOTE_LOOKS)
    choose_theme(page, "dark")
    page.evaluate(NOTE_LOOKS)
    page.evaluate(KEEP_ONE_OF_EACH_KIND)
    dark = violations(page, f"runOnly: {list(COLOURS)}")
    choose_theme(page, "light")
    light = violations(page, f"runOnly: {list(COLOURS)}")
    return [f"dark {line}" for line in dark] + [f"light {line}" for line in light]


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_page_keeps_the_rules(brought: Callable[[Kind, int], Page], name: str) -> None:
    """No rule of axe-core is broken, best practices included, in either theme."""
    page = brought(KINDS[name], 1280)
    assert violations_of_structure(page) == []
    assert violations_of_colour(page) == []


@pytest.mark.parametrize("name", ON_A_PHONE)
def test_rules_are_kept_on_a_phone(brought: Callable[[Kind, int], Page], name: str) -> None:
    """What a narrow window shows instead is no exception."""
    page = brought(KINDS[name], 390)
    assert violations_of_structure(page) == []
    assert violations_of_colour(page) == []


def test_broken_rule_is_found(brought: Callable[[Kind, int], Page]) -> None:
    """The checks above are able to fail: an image without a text, one text of many too faint in one theme."""
    page = brought(KINDS["errors"], 1280)
    page.evaluate(
        """() => {
            const texts = [...document.querySelectorAll("article p")].filter((node) => node.innerText.trim());
            const style = document.createElement("style");
            style.textContent = "html[data-theme=dark] .faint-1 { color: #333 !important; }"
                + "html[data-theme=light] .faint-2 { color: #ddd !important; }";
            document.head.append(style);
            texts.at(-1).classList.add("faint-1");
            texts.at(-2).classList.add("faint-2");
            texts.at(-1).insertAdjacentHTML("afterend", '<img src="_static/favicon.svg">');
        }"""
    )
    assert {line.split(":")[0] for line in violations_of_structure(page)} == {"image-alt"}
    found = [line.split(":")[0] for line in violations_of_colour(page)]
    assert found == ["dark color-contrast", "light color-contrast"]
