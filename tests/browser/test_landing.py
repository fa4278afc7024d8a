"""The landing page answers within one screen, and from any page the bar and the sidebar lead on."""

from __future__ import annotations

import datetime as dt
import json
import re
import tomllib
from pathlib import Path

import pytest
from packaging.version import Version
from playwright.sync_api import Browser, Locator, Page, expect
from samples import ROOT

PANELS = ("Fix an error", "Choose a conversion", "See what an upgrade changes")
SCREENS = ((1280, 800), (390, 844))
CHAPTERS = sorted(path.parent.name for path in (ROOT / "examples").glob("*/GALLERY_HEADER.rst"))
"""In reading order."""
PASTED = "RuntimeError: Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
EXAMPLE = "gallery/02_tensor_to_numpy/two_views.html"
SHIFTS = """() => new Promise(resolve => {
  let sum = 0;
  new PerformanceObserver(list => list.getEntries().forEach(entry => { sum += entry.value; }))
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(sum), 300);
})"""


def decisions() -> list[dict[str, str]]:
    """What the pick offers, without markup."""
    text = (ROOT / "docs" / "decisions.toml").read_text(encoding="utf-8")
    entries = tomllib.loads(text)["decisions"]
    return [{key: value.replace("``", "") for key, value in entry.items()} for entry in entries]


def bottom(place: Locator) -> float:
    """Lower edge of an element, in pixels from the top of the window."""
    box = place.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


def calls(reader: Page) -> list[str]:
    """Calls in view."""
    return reader.locator(".atlas-pick-row:visible .atlas-pick-call").all_inner_texts()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_first_screen_shows_what_it_is_and_three_ways_in(reader: Page, site: str, theme: str) -> None:
    """What was run, an example with its memory, each way under its heading with the means to answer."""
    reader.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    reader.set_viewport_size({"width": 1280, "height": 800})
    reader.goto(f"{site}/index.html")
    assert reader.locator(".atlas-panel > h2").evaluate_all(
        "nodes => nodes.map(node => node.firstChild.textContent)"
    ) == list(PANELS)
    for css in (".atlas-facts", ".atlas-block .atlas-map", ".atlas-panel textarea"):
        assert bottom(reader.locator(css).first) <= 800
    for name in ("I want", "To torch"):
        assert bottom(reader.get_by_label(name)) <= 800
    assert calls(reader) == [decisions()[0]["call"]]


def test_phone_shows_the_same_in_one_column(reader: Page, site: str) -> None:
    """The first screen has what was run, and code with its memory below."""
    reader.set_viewport_size({"width": 390, "height": 844})
    reader.goto(f"{site}/index.html")
    assert bottom(reader.locator(".atlas-block .atlas-map")) <= 844
    left = "nodes => new Set(nodes.map(node => node.getBoundingClientRect().left)).size"
    assert reader.locator(".atlas-panel").evaluate_all(left) == 1


def test_most_wanted_begins_with_the_most_asked_error(reader: Page, site: str) -> None:
    """Ten pages; the error index has the errors in the order of threads about them."""
    reader.goto(f"{site}/reference/errors.html")
    first = reader.locator(".atlas-error-page a").first.evaluate("node => node.href.split('#')[0]")
    reader.goto(f"{site}/index.html")
    links = reader.locator("#most-wanted ol a")
    assert links.count() == 10
    assert links.first.evaluate("node => node.href") == first


def test_upgrade_is_compared_from_the_landing_page(reader: Page, origin: str) -> None:
    """Two lists of releases, and the page of changes opens with the environments that they name."""
    reader.goto(f"{origin}/index.html")
    reader.get_by_label("From torch").select_option("2.2.2")
    assert reader.get_by_label("To torch").input_value().startswith("2.15")
    reader.get_by_role("link", name="Show what changes").click()
    expect(reader.get_by_label("From", exact=True)).to_have_value(re.compile(r"^2\.2\.2/1\.26\."))


def test_pick_shows_exactly_the_calls_that_answer_it(reader: Page, origin: str) -> None:
    """For every decision there is; each call with what a run of it did."""
    reader.goto(f"{origin}/index.html")
    for entry in decisions():
        reader.get_by_label("I have").select_option(entry["have"])
        reader.get_by_label("I want").select_option(entry["want"])
        wanted = [e["call"] for e in decisions() if (e["have"], e["want"]) == (entry["have"], entry["want"])]
        assert calls(reader) == wanted
        assert reader.locator(".atlas-pick-row:visible .atlas-verdict:visible").count() == len(wanted)


def test_pick_works_with_the_keyboard(reader: Page, site: str) -> None:
    """Tab reaches both lists, a letter chooses."""
    reader.goto(f"{site}/index.html")
    reader.get_by_label("I have").focus()
    reader.keyboard.type("a CUDA")
    assert reader.get_by_label("I have").input_value() == "a CUDA tensor"
    reader.keyboard.press("Tab")
    assert reader.get_by_label("I want").evaluate("node => node === document.activeElement")
    assert calls(reader) == [e["call"] for e in decisions() if e["have"] == "a CUDA tensor"]


def test_answer_of_the_pick_leads_to_its_proof(reader: Page, site: str) -> None:
    """A block of code."""
    reader.goto(f"{site}/index.html")
    reader.locator(".atlas-pick-row:visible .atlas-verdict:visible").click()
    reader.wait_for_url("**#**")
    anchor = reader.url.split("#")[1]
    assert "atlas-block" in (reader.locator(f"[id='{anchor}']").first.get_attribute("class") or "")


def test_pasted_error_is_answered_in_place(reader: Page, origin: str) -> None:
    """With the fix, and the box stays where it is."""
    reader.goto(f"{origin}/index.html")
    box = reader.locator(".atlas-panel textarea")
    before = box.bounding_box()
    box.fill(PASTED)
    first = reader.locator(".atlas-panel .atlas-finding").first
    first.wait_for()
    assert (first.locator("a").first.get_attribute("href") or "").endswith(
        "gallery/13_errors/numpy_requires_grad.html"
    )
    assert "detach" in first.locator(".atlas-finding-code").inner_text()
    assert box.bounding_box() == before


def test_nothing_moves_while_the_page_loads(reader: Page, site: str) -> None:
    """Room is kept for what scripts bring: a layout shift of at most 0.05."""
    for width, height in SCREENS:
        reader.set_viewport_size({"width": width, "height": height})
        reader.goto(f"{site}/index.html")
        reader.wait_for_load_state("networkidle")
        assert reader.evaluate(SHIFTS) < 0.05


def test_page_answers_without_javascript(browser: Browser, site: str) -> None:
    """Every decision is in view, as a list that scrolls in its panel; the rest says where to go."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/index.html")
    assert page.locator(".atlas-pick-row:visible").count() == len(decisions())
    assert calls(page) == [entry["call"] for entry in decisions()]
    assert "The error index lists every message" in page.locator(".atlas-panels").inner_text()
    context.close()


def test_every_chapter_has_a_card(reader: Page, site: str) -> None:
    """In reading order; the whole card is the link."""
    reader.goto(f"{site}/index.html")
    cards = reader.locator(".atlas-chapter")
    links = cards.locator("a").evaluate_all("nodes => nodes.map(node => node.getAttribute('href'))")
    assert links == [f"gallery/{chapter}/index.html" for chapter in CHAPTERS]
    cards.first.click(position={"x": 8, "y": 8})
    assert reader.url.endswith(f"gallery/{CHAPTERS[0]}/index.html")


# --- the bar, the sidebar, the way on ------------------------------------------------------------


@pytest.mark.parametrize("width", [960, 1024, 1100, 1280])
def test_bar_holds_every_part_in_one_line(reader: Page, site: str, width: int) -> None:
    """Nothing behind a menu, and no higher than on a wide screen."""
    reader.set_viewport_size({"width": width, "height": 800})
    reader.goto(f"{site}/{EXAMPLE}")
    items = reader.locator(".bd-header .navbar-nav > li.nav-item:visible")
    parts = ["Examples", "Choose", "Guides", "Matrix", "Upgrade", "Releases", "Reference", "Contributing"]
    assert [text.strip() for text in items.all_inner_texts()] == parts
    assert len({round(bottom(item)) for item in items.all()}) == 1
    assert reader.locator(".bd-header").evaluate("node => node.offsetHeight") <= 80
    assert reader.get_by_role("link", name="Tensor Atlas").first.is_visible()


def test_bar_folds_into_a_menu_on_a_phone(reader: Page, site: str) -> None:
    """The keyboard opens it, and it holds what the bar held."""
    reader.set_viewport_size({"width": 390, "height": 844})
    reader.goto(f"{site}/index.html")
    assert reader.locator(".navbar-nav > li.nav-item:visible").count() == 0
    reader.locator("button.primary-toggle:visible").focus()
    reader.keyboard.press("Enter")
    matrix = (
        reader.locator("dialog[open] a:visible, .bd-sidebar-primary a:visible")
        .filter(has_text="Matrix")
        .first
    )
    matrix.wait_for()
    matrix.click()
    reader.wait_for_url("**/matrix/index.html")


def test_sidebar_lists_the_chapters_in_reading_order(reader: Page, site: str) -> None:
    """And within the open one its examples, with the page that is shown marked."""
    reader.goto(f"{site}/{EXAMPLE}")
    side = reader.locator(".bd-sidebar-primary .bd-links__title ~ .bd-toc-item")
    tops = side.locator("li.toctree-l1 > a").evaluate_all(
        "nodes => nodes.map(node => new URL(node.href).pathname)"
    )
    assert [path.split("/")[-2] for path in tops] == CHAPTERS
    (here,) = side.locator("li.toctree-l2.current > a").all()
    assert here.get_attribute("aria-current") == "page"


def test_next_and_previous_stay_in_the_chapter(reader: Page, site: str, folder: Path) -> None:
    """From its index through every example, and back."""
    chapter = "gallery/04_layout"
    examples = {path.stem for path in (ROOT / "examples/04_layout").glob("*.py")}
    assert (folder / chapter / "index.html").is_file()
    reader.goto(f"{site}/{chapter}/index.html")
    seen = []
    for _ in examples:
        before = reader.url
        with reader.expect_navigation():
            reader.locator(".prev-next-area a.right-next").click()
        seen.append(Path(reader.url).stem)
        back = reader.locator(".prev-next-area a.left-prev").evaluate("node => node.href")
        assert back == before
    assert set(seen) == examples


@pytest.mark.parametrize("name", ["choose.html", "matrix/index.html", "matrix/conversion/{first}.html"])
def test_page_without_neighbours_uses_the_room(reader: Page, site: str, folder: Path, name: str) -> None:
    """No empty sidebar stands beside it."""
    first = min((folder / "matrix" / "conversion").glob("*.html")).stem
    reader.goto(f"{site}/{name.format(first=first)}")
    assert not reader.locator(".bd-sidebar-primary").is_visible()
    left = reader.locator("article").evaluate("node => node.getBoundingClientRect().left")
    assert left < 256, "the width of a sidebar"


@pytest.mark.parametrize(("days", "words"), [(0, ""), (1, " (1 day ago)"), (40, " (40 days ago)")])
def test_footer_says_how_old_the_records_are(
    reader: Page, origin: str, folder: Path, days: int, words: str
) -> None:
    """By the reader's clock, for a site that nobody has built since."""
    script = (folder / "_static" / "atlas-environments.js").read_text(encoding="utf-8")
    known = json.loads(script.partition(" = ")[2].strip().removesuffix(";"))
    last = max(environment["date"] for environment in known)
    torch = max((environment["torch"] for environment in known), key=Version)
    numpy = max((environment["numpy"] for environment in known), key=Version)
    reader.clock.set_fixed_time(dt.datetime.fromisoformat(f"{last}T12:00:00+00:00") + dt.timedelta(days=days))
    reader.goto(f"{origin}/index.html")
    said = reader.locator("[data-atlas-reach]").inner_text().strip()
    assert said == f"Records reach torch {torch} and NumPy {numpy}, last made on {last}{words}"


def test_footer_says_what_the_site_was_built_from(reader: Page, origin: str, folder: Path) -> None:
    """On every kind of page, with the facts of the build in its script."""
    facts = (folder / "_static" / "atlas-build.js").read_text(encoding="utf-8")
    for name in ("index.html", EXAMPLE, "matrix/index.html"):
        reader.goto(f"{origin}/{name}")
        text = reader.locator(".atlas-build").inner_text()
        assert re.search(
            r"^Tensor Atlas \d+\.\d+\.\d+ · torch \d[^·]*, NumPy \d[^·]* · records of \d{4}-\d\d-\d\d", text
        )
        assert all(f'"{fact}"' in facts for fact in text.split("\n")[0].split(" · ")[1:])
        assert re.match(
            r"Records reach torch \d+\.\d+\.\d+ and NumPy \d[\d.]*, last made on", text.split("\n")[1]
        )
    reader.locator(".atlas-build").get_by_role("link", name="Cite this").click()
    expect(reader.locator("article")).to_contain_text("@software{tensor_atlas")
