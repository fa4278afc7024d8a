"""Maps of the memory in a browser: lit by mouse and keyboard, there without a script, readable on a phone.

What a page must draw is worked out from the committed records, not read off the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest
from committed import committed_evidence as evidence
from contrast import contrasts
from playwright.sync_api import Browser, Locator, Page

from tensor_atlas.compare.evidence import ExampleEvidence
from tensor_atlas.history.releases import is_compatible
from tensor_atlas.model.runs import Environment
from tensor_atlas.pages.memory_map import (
    MemoryMap,
    build_map,
    build_maps,
    describe_map,
    find_touched_variables,
    find_variable,
)

SAMPLE = 4
"""Pages with the most names on a map that are looked at."""
NAMES = ".atlas-map [data-name]"
LIT_NAMES = f"{NAMES}.atlas-lit"
LIT_BYTES = ".atlas-map .view.atlas-lit > .lit"


@cache
def drawn() -> dict[str, dict[int, MemoryMap]]:
    """Maps by example and block, of the runs that pages show."""
    found = {name: build_maps(s.example, s.run) for name, s in evidence().pages.items() if s.run is not None}
    return {name: maps for name, maps in found.items() if maps}


def fullest() -> list[str]:
    """Examples with the most names on one of their maps."""
    return sorted(drawn(), key=lambda name: -max(len(found.names) for found in drawn()[name].values()))[
        :SAMPLE
    ]


def strided() -> tuple[str, int]:
    """An example, and a block on whose map two variables see different bytes of one buffer."""
    return next(
        (n, i) for n, maps in drawn().items() for i, found in maps.items() if len(found.bars[0].views) > 1
    )


def otherwise() -> tuple[str, int, Environment, MemoryMap]:
    """An example, its block, an environment where its map is another one, and that map."""
    for name, maps in drawn().items():
        shown = evidence().pages[name]
        for index, found in maps.items():
            for environment, theirs in measured_by(shown, index, found):
                if theirs != found and is_compatible(environment):
                    return name, index, environment, theirs
    raise LookupError("no record draws another map: this test has nothing to look at")


def measured_by(
    shown: ExampleEvidence, index: int, found: MemoryMap
) -> Iterator[tuple[Environment, MemoryMap]]:
    """Maps of other environments after the same block."""
    touched = find_touched_variables(shown.example.blocks[index])
    for environment, run in shown.runs:
        if index < len(run.snapshots):
            theirs = build_map(run.snapshots[index], touched, found.variables)
            if theirs is not None:
                yield environment, theirs


def words(found: MemoryMap) -> str:
    """What stands for a drawing."""
    return f"Memory: {' '.join(describe_map(found))}"


@pytest.fixture(params=["light", "dark"])
def page(request: pytest.FixtureRequest, reader: Page) -> Page:
    """A page as wide as a laptop's, in one of the two themes."""
    reader.emulate_media(color_scheme=request.param)
    return reader


def block(page: Page, index: int) -> Locator:
    """A block of code with all that belongs to it."""
    return page.locator(f"#block-{index + 1}")


def names_of(found: Locator) -> list[str]:
    """Names of chips."""
    return [str(name) for name in found.evaluate_all("nodes => nodes.map(node => node.dataset.name)")]


def opacities(found: Locator) -> list[float]:
    """How much is to be seen of each."""
    return [
        float(o) for o in found.evaluate_all("nodes => nodes.map(node => getComputedStyle(node).opacity)")
    ]


def test_page_draws_what_was_recorded(page: Page, site: str) -> None:
    """Every map after its block, and none elsewhere."""
    for name in fullest():
        page.goto(f"{site}/gallery/{name}.html")
        shown = page.locator(".atlas-block").evaluate_all(
            "nodes => nodes.map(n => [n.id, [...n.querySelectorAll('.atlas-map')]"
            ".filter(map => map.checkVisibility()).map(map => map.getAttribute('aria-label'))])"
        )
        expected = {f"block-{index + 1}": [words(found)] for index, found in drawn()[name].items()}
        assert {anchor: labels for anchor, labels in shown if labels} == expected


def test_hovering_a_variable_lights_its_bytes_and_no_others(page: Page, site: str) -> None:
    """All its names, their bytes, and the variable wherever the block has it; nothing is lit afterwards."""
    name, index = strided()
    page.goto(f"{site}/gallery/{name}.html")
    place = block(page, index)
    last = drawn()[name][index].bars[0].views[-1].names[-1]
    assert place.locator(LIT_BYTES).count() == 0
    token = place.locator(".atlas-variable", has_text=find_variable(last)).first
    token.hover()
    assert names_of(place.locator(LIT_NAMES)) == [last]
    assert place.locator(LIT_BYTES).count() == 1
    assert min(opacities(place.locator(LIT_BYTES))) > 0
    assert set(opacities(place.locator(".atlas-map .view:not(.atlas-lit) > .lit"))) == {0.0}
    assert set(place.locator(".atlas-variable.atlas-lit").all_inner_texts()) == {find_variable(last)}
    page.mouse.move(1, 1)
    assert place.locator(".atlas-lit").count() == 0


def test_hovering_a_name_in_the_map_shows_it_in_the_code(page: Page, site: str) -> None:
    """The other way round."""
    name, index = strided()
    page.goto(f"{site}/gallery/{name}.html")
    place = block(page, index)
    chip = place.locator(NAMES).last
    chip.hover()
    assert set(place.locator(".atlas-variable.atlas-lit").all_inner_texts()) == {
        find_variable(names_of(chip)[0])
    }


def test_keyboard_lights_keeps_and_lets_go(page: Page, site: str) -> None:
    """Focus lights and says what the map shows; Enter keeps it lit without focus, Escape does not."""
    name, index = strided()
    page.goto(f"{site}/gallery/{name}.html")
    place = block(page, index)
    token = place.locator(".atlas-variable[tabindex='0']").first
    token.focus()
    page.keyboard.press("Shift+Tab")
    assert place.locator(".atlas-lit").count() == 0
    page.keyboard.press("Tab")
    assert place.locator(LIT_BYTES).count() > 0
    assert token.get_attribute("aria-description") == words(drawn()[name][index])
    page.keyboard.press("Enter")
    assert token.get_attribute("aria-pressed") == "true"
    page.keyboard.press("Shift+Tab")
    assert place.locator(LIT_BYTES).count() > 0
    token.focus()
    page.keyboard.press("Escape")
    assert token.get_attribute("aria-pressed") == "false"
    page.keyboard.press("Shift+Tab")
    assert place.locator(".atlas-lit").count() == 0


def test_each_variable_is_one_stop_of_the_keyboard(page: Page, site: str) -> None:
    """Only in a block with a map; attributes and keywords of the same name are none."""
    for name in fullest():
        page.goto(f"{site}/gallery/{name}.html")
        for index in range(page.locator(".atlas-block").count()):
            stops = block(page, index).locator("[tabindex='0'].atlas-variable").all_inner_texts()
            assert len(stops) == len(set(stops))
            found = drawn()[name].get(index)
            assert set(stops) <= (found.variables if found else frozenset())
        assert page.locator(".atlas-variable").count() > 0
        before = page.locator(".atlas-variable").evaluate_all(
            "nodes => nodes.map(node => (node.previousSibling?.textContent ?? '').slice(-1))"
        )
        assert "." not in before


def test_choosing_an_environment_changes_the_drawing(page: Page, site: str) -> None:
    """Where it measured something else, its own map is on show and the page's is not; and back."""
    name, index, environment, theirs = otherwise()
    page.goto(f"{site}/gallery/{name}.html")
    mine = words(drawn()[name][index])
    visible = f"#block-{index + 1} .atlas-map:visible"
    assert [m.get_attribute("aria-label") for m in page.locator(visible).all()] == [mine]
    page.evaluate("id => localStorage.setItem('atlas-environment', id)", environment.id)
    page.reload()
    assert [m.get_attribute("aria-label") for m in page.locator(visible).all()] == [words(theirs)]
    page.locator(".atlas-picker-button:visible").click()
    page.locator(".atlas-picker-reset:visible").click()
    assert [m.get_attribute("aria-label") for m in page.locator(visible).all()] == [mine]


def test_drawing_is_readable_in_its_theme(page: Page, site: str) -> None:
    """Words have a contrast of at least 4.5 to what is behind them, lit or not, and lines one of 3."""
    page.goto(f"{site}/gallery/{fullest()[0]}.html")
    page.locator(".atlas-variable").first.hover()
    # What is not drawn stands in a line below, which has no fill.
    for paint, place in (("color", ".atlas-map text, .atlas-map-more"), ("fill", ".atlas-map text")):
        ratios = page.evaluate(contrasts(place, paint))
        assert len(ratios) > 5
        assert [(text, ratio) for text, ratio in ratios if ratio < 4.5] == []
    lines = page.evaluate(contrasts(".atlas-map .line:not(.hatched)", "fill"))
    lines += page.evaluate(contrasts(".atlas-map .bar", "stroke"))
    assert len(lines) > 3
    assert [ratio for _, ratio in lines if ratio < 3] == []


@pytest.mark.parametrize("width", [390, 1280])
def test_drawing_fits_the_window(page: Page, site: str, width: int) -> None:
    """Nothing of it is cut off or shrunk, on a page or on a card."""
    page.set_viewport_size({"width": width, "height": 900})
    pages = [f"{name}.html" for name in fullest()]
    for name in [*pages, f"{fullest()[0].split('/')[0]}/index.html"]:
        page.goto(f"{site}/gallery/{name}")
        cut = page.locator(".atlas-map svg").evaluate_all(
            "nodes => nodes.filter(svg => { const map = svg.closest('.atlas-map').getBoundingClientRect();"
            " const own = svg.getBoundingClientRect(); return own.width > 0 && (own.right > map.right + 0.5"
            " || own.width < Number(svg.getAttribute('width')) - 0.5); }).map(svg => svg.textContent)"
        )
        assert cut == [], name
        spilt = page.locator(".atlas-map text").evaluate_all(
            "nodes => nodes.filter(text => text.getBoundingClientRect().right >"
            " text.ownerSVGElement.getBoundingClientRect().right + 1).map(text => text.textContent)"
        )
        assert spilt == [], name


def test_drawing_is_there_without_a_script(browser: Browser, site: str) -> None:
    """With its words; only nothing lights up."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    name = fullest()[0]
    page.goto(f"{site}/gallery/{name}.html")
    for index, found in drawn()[name].items():
        shown = block(page, index).get_by_role("img", name=words(found), exact=True)
        assert shown.locator("svg").first.is_visible()
        rest = " ".join(shown.locator(".atlas-map-more").all_text_contents())
        drawn_names = names_of(shown.locator("[data-name]"))
        left = [name for name in found.names if name not in drawn_names]
        assert drawn_names == [name for name in found.names if name not in left]
        # What is left is named there, or counted.
        assert all(name in rest for name in left) or re.search(r"and \d+ more", rest)
    assert page.locator(".atlas-variable").count() == 0
    context.close()
