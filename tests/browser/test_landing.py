"""The landing page answers on its first screens, and from any page the bar and the sidebar lead on."""

from __future__ import annotations

import datetime as dt
import json
import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Literal

import pytest
from packaging.version import Version
from playwright.sync_api import Browser, Locator, Page, expect
from samples import ROOT

PARTS = [
    ".bd-article .atlas-finder-place",
    "#choose-a-conversion",
    "#check-compatibility",
    "#compare-an-upgrade",
    "#most-wanted",
    "#two-names-one-buffer",
    "#what-was-run",
]
"""In the order in which a reader meets them."""
ANSWERED = "#choose-a-conversion .atlas-pick-row:visible"
LINKS, SECOND_FOLD = 40, 1600
"""Links in view, those of the bar too, down to a height at 1280 × 800."""
SCREENS = ((1280, 800), (390, 844))
CHAPTERS = sorted(path.parent.name for path in (ROOT / "examples").glob("*/GALLERY_HEADER.rst"))
"""In reading order."""
PASTED = "RuntimeError: Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
EXAMPLE = "gallery/02_tensor_to_numpy/two_views.html"
ALONE = ("choose.html", "reference/errors.html", "matrix/index.html", "matrix/conversion/{first}.html")
"""Pages without others below or beside them."""
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
@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_box_for_an_error_is_on_the_first_screen(
    reader: Page, site: str, theme: Literal["light", "dark"], width: int, height: int
) -> None:
    """As wide as the article, above everything else."""
    reader.emulate_media(color_scheme=theme)
    reader.set_viewport_size({"width": width, "height": height})
    reader.goto(f"{site}/index.html")
    box = reader.locator("article textarea")
    assert bottom(box) <= height
    widths = [node.evaluate("node => node.offsetWidth") for node in (box, reader.locator("article"))]
    assert widths[0] >= 0.85 * widths[1]


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_parts_stand_in_order_of_need(reader: Page, site: str, width: int, height: int) -> None:
    """The box, three doors, what is wanted most, the picture, what was run; on a phone in one column."""
    reader.set_viewport_size({"width": width, "height": height})
    reader.goto(f"{site}/index.html")
    boxes = [reader.locator(css).bounding_box() for css in PARTS]
    places = [(box["y"], box["x"]) for box in boxes if box is not None]
    assert len(places) == len(PARTS)
    assert sorted(places) == places
    lefts = {box["x"] for box in boxes[1:4] if box is not None}
    assert len(lefts) == (3 if width == 1280 else 1)


def test_few_links_compete_above_the_second_fold(reader: Page, site: str) -> None:
    """Those of the bar included."""
    reader.set_viewport_size({"width": 1280, "height": 800})
    reader.goto(f"{site}/index.html")
    tops = reader.locator("a[href]:visible").evaluate_all(
        "nodes => nodes.map(node => node.getBoundingClientRect().top)"
    )
    assert len([top for top in tops if 0 <= top < SECOND_FOLD]) <= LINKS


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_picture_of_shared_memory_has_words(reader: Page, site: str, width: int, height: int) -> None:
    """It fits its screen, with letters that can be read; a screen reader is told what it shows."""
    reader.set_viewport_size({"width": width, "height": height})
    reader.goto(f"{site}/index.html")
    picture = reader.get_by_role("img", name="Memory: array and tensor share 48 bytes")
    box = picture.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    names = picture.get_by_text("tensor", exact=True)
    assert names.first.is_visible()
    assert names.first.evaluate("node => parseFloat(getComputedStyle(node).fontSize)") >= 12


def test_most_wanted_begins_with_the_most_asked_error(reader: Page, site: str) -> None:
    """Ten pages; the error index has the errors in the order of threads about them."""
    reader.goto(f"{site}/reference/errors.html")
    first = reader.locator(".atlas-error-page a").first.evaluate("node => node.href.split('#')[0]")
    reader.goto(f"{site}/index.html")
    links = reader.locator("#most-wanted ol a")
    assert links.count() == 10
    assert links.first.evaluate("node => node.href") == first


def test_most_wanted_has_what_most_threads_ask(reader: Page, site: str) -> None:
    """No other page is the first answer to more of the collected public threads than one of the ten."""
    cases = json.loads((ROOT / "tests/readers/cases.json").read_text(encoding="utf-8"))
    asked = Counter(case["accepted"][0] for case in cases if case["in_scope"] and case["accepted"])
    reader.goto(f"{site}/index.html")
    hrefs = reader.locator("#most-wanted ol a").evaluate_all(
        "nodes => nodes.map(node => node.getAttribute('href'))"
    )
    wanted = {href.removesuffix(".html") for href in hrefs}
    assert max(count for page, count in asked.items() if page not in wanted) <= min(
        asked[page] for page in wanted
    )


def test_upgrade_opens_with_the_chosen_torch_and_numpy(reader: Page, origin: str) -> None:
    """Of each torch, the releases of NumPy that can be compared with it."""
    reader.goto(f"{origin}/index.html")
    reader.get_by_label("From torch").select_option("2.2.2")
    expect(reader.get_by_label("From NumPy")).to_have_value("1.26.4")
    reader.get_by_label("To torch").select_option("2.13.0")
    reader.get_by_label("To NumPy").select_option("2.1.3")
    reader.get_by_role("link", name="Show what changes").click()
    reader.wait_for_url("**/upgrade.html#from=2.2.2/1.26.4/cpu&to=2.13.0/2.1.3/cpu")
    expect(reader.get_by_label("From NumPy")).to_have_value("2.2.2/1.26.4/cpu")
    expect(reader.get_by_label("To NumPy")).to_have_value("2.13.0/2.1.3/cpu")


def test_upgrade_page_knows_each_pair_that_the_door_offers(reader: Page, site: str) -> None:
    """At first two torch releases with one NumPy, on the usual Python."""
    reader.goto(f"{site}/index.html")
    ends = reader.locator(".atlas-upgrade-door").get_attribute("data-ends") or ""
    go = reader.get_by_role("link", name="Show what changes").get_attribute("href") or ""
    assert re.search(r"#from=([\d.]+)/([\d.]+)/cpu&to=(?!\1/)[\d.]+/\2/cpu$", go)
    reader.goto(f"{site}/upgrade.html")
    values = reader.evaluate("window.atlasUpgrade.places.map(([name]) => name)")
    assert len(ends.split()) > 30
    assert set(ends.split()) <= set(values)


def test_compatibility_is_answered_in_place(reader: Page, origin: str) -> None:
    """Which NumPy works beside a torch on a Python, and which error the other raises."""
    reader.goto(f"{origin}/index.html")
    door = reader.locator("#check-compatibility")
    door.get_by_label("torch").select_option("2.2")
    expect(door.get_by_label("Python").locator("option")).to_have_text(["3.11"])
    expect(door.locator(".atlas-verdict:visible")).to_have_text(
        ["✓ works with NumPy 1.26", "× does not work with NumPy 2.4"]
    )
    door.get_by_role("link", name="NumPy 2.4").click()
    reader.wait_for_url("**/numpy_not_available.html")


def test_compatibility_door_and_page_say_the_same(reader: Page, site: str) -> None:
    """A row of the table for each line of the door."""
    reader.goto(f"{site}/index.html")
    rows = reader.locator("#check-compatibility .atlas-pick-row").evaluate_all(
        "nodes => nodes.map(node => [node.dataset.first, node.dataset.second])"
    )
    reader.locator("#check-compatibility").get_by_role("link", name="in one table").click()
    table = reader.locator(".atlas-compatibility tbody tr").evaluate_all(
        "nodes => nodes.map(node => [...node.cells].slice(0, 2).map(cell => cell.textContent.trim()))"
    )
    assert len(rows) > 15
    assert table == rows


def test_pick_shows_exactly_the_calls_that_answer_it(reader: Page, origin: str) -> None:
    """For every decision there is; each call with what a run of it did."""
    reader.goto(f"{origin}/index.html")
    for entry in decisions():
        reader.get_by_label("I have").select_option(entry["have"])
        reader.get_by_label("I want").select_option(entry["want"])
        wanted = [e["call"] for e in decisions() if (e["have"], e["want"]) == (entry["have"], entry["want"])]
        assert calls(reader) == wanted
        assert reader.locator(f"{ANSWERED} .atlas-verdict:visible").count() == len(wanted)


def test_pick_goes_along_to_the_page_that_converts(reader: Page, site: str) -> None:
    """In the bar, too; a choice without a question there leads to the page alone."""
    reader.goto(f"{site}/index.html")
    door = reader.locator("#choose-a-conversion")
    links = [
        door.get_by_role("link", name="Other kinds"),
        reader.locator("header nav a", has_text="Convert").first,
    ]
    asked: dict[str, str | None] = {}
    for entry in decisions():
        asked.setdefault(entry["have"], entry.get("ask"))
    with_question = next(have for have, ask in asked.items() if ask and have != "an array")
    without = next(have for have, ask in asked.items() if not ask)
    for have in (with_question, without):
        door.get_by_label("I have").select_option(have)
        for link in links:
            assert ("#have=" in (link.get_attribute("href") or "")) == bool(asked[have])


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
    reader.locator(f"{ANSWERED} .atlas-verdict:visible").click()
    reader.wait_for_url("**#**")
    anchor = reader.url.split("#")[1]
    assert "atlas-block" in (reader.locator(f"[id='{anchor}']").first.get_attribute("class") or "")


def test_pasted_error_is_answered_in_place(reader: Page, origin: str) -> None:
    """With the fix, and the box stays where it is."""
    reader.goto(f"{origin}/index.html")
    box = reader.locator("article textarea")
    before = box.bounding_box()
    box.fill(PASTED)
    first = reader.locator("article .atlas-finding").first
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
    """Every line of both picks is in view; the upgrade and the box are links."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/index.html")
    rows = page.locator("#choose-a-conversion .atlas-pick-row:visible")
    assert rows.count() == len(decisions())
    assert calls(page) == [entry["call"] for entry in decisions()]
    assert page.locator("#check-compatibility .atlas-pick-row:visible").count() > 15
    assert page.locator("#compare-an-upgrade .atlas-more a").first.get_attribute("href") == "upgrade.html"
    box = page.locator("article .atlas-finder-place")
    assert "The error index lists every message" in box.inner_text()
    assert box.locator("a").get_attribute("href") == "reference/errors.html"
    context.close()


# --- the bar, the sidebar, the way on ------------------------------------------------------------


@pytest.mark.parametrize("width", [960, 1024, 1100, 1280])
def test_bar_holds_every_part_in_one_line(reader: Page, site: str, width: int) -> None:
    """Nothing behind a menu, and no higher than on a wide screen."""
    reader.set_viewport_size({"width": width, "height": 800})
    reader.goto(f"{site}/{EXAMPLE}")
    items = reader.locator(".bd-header .navbar-nav > li.nav-item:visible")
    parts = ["Errors", "Convert", "Compatibility", "Guides", "Examples", "Upgrade", "More"]
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
    convert = (
        reader.locator("dialog[open] a:visible, .bd-sidebar-primary a:visible")
        .filter(has_text="Convert")
        .first
    )
    convert.wait_for()
    convert.click()
    reader.wait_for_url("**/choose.html")


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


@pytest.mark.parametrize(
    "name", ["choose.html", "reference/errors.html", "matrix/index.html", "matrix/conversion/{first}.html"]
)
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
