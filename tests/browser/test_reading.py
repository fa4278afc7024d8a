"""Reading a page of the gallery: output that is copied, folded; signs, and the way on from there."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, Page, expect
from waiting import wait_until

VIEWS = "gallery/02_tensor_to_numpy/two_views.html"
ERRORS = "gallery/02_tensor_to_numpy/requires_grad.html"
WARNS = "gallery/01_numpy_to_tensor/lists_of_arrays.html"
LONG = "gallery/03_dtypes/round_trip.html"
GPU = "gallery/07_cuda/numpy_error.html"
BOX = ".atlas-captured:has(> .atlas-copy):visible"
DRAWN = """(css) => {
    const box = document.querySelector(css), style = getComputedStyle(box);
    const sign = getComputedStyle(box.querySelector('.atlas-label'), '::before');
    const hasWidth = parseFloat(sign.width) > 0;
    return [style.borderTopStyle, style.borderRightStyle, sign.maskImage.slice(0, 22), hasWidth];
}"""


def copied(page: Page) -> str:
    """What lies on the clipboard."""
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text


# --- copying -----------------------------------------------------------------------------------


def test_output_is_copied_by_itself(reader: Page, origin: str) -> None:
    """To the letter, without its label and without the code; the button says so, and so does the status."""
    reader.goto(f"{origin}/{VIEWS}")
    box = reader.locator(BOX).first
    box.hover()
    box.locator(".atlas-copy").click()
    wait_until(reader, "document.querySelector('.atlas-copy').textContent.startsWith('Copied')")
    assert reader.locator("main > [role=status]").inner_text() == "The output is copied."
    assert copied(reader) == (box.locator("pre").text_content() or "").removesuffix("\n")
    assert copied(reader)


def test_error_is_copied_with_the_keyboard(reader: Page, origin: str) -> None:
    """The button comes into view with the focus, is named after its box, works by Enter and space bar."""
    reader.goto(f"{origin}/{ERRORS}")
    box = reader.locator(".atlas-captured.atlas-error:visible").first
    button = box.get_by_role("button", name="Copy error")
    for key in ("Enter", "Space"):
        reader.evaluate("navigator.clipboard.writeText('')")
        button.focus()
        assert button.evaluate("node => getComputedStyle(node).opacity") == "1"
        reader.keyboard.press(key)
        wait_until(reader, "document.querySelector('main > [role=status]').textContent !== ''")
        assert (
            copied(reader)
            == "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
        )
        wait_until(reader, "document.querySelector('main > [role=status]').textContent === ''")
    assert reader.locator("main > [role=status]").text_content() == ""


def test_button_is_reached_with_the_tab_key(reader: Page, site: str) -> None:
    """It stands behind its text, so it comes after the code and before the next block."""
    reader.goto(f"{site}/{VIEWS}")
    reader.locator(".atlas-copy").first.focus()
    reader.keyboard.press("Tab")
    reader.keyboard.press("Shift+Tab")
    assert reader.evaluate("document.activeElement.matches('.atlas-copy')")


def test_code_button_is_seen_when_it_has_the_focus(reader: Page, site: str) -> None:
    """Who uses the keyboard sees what Enter will do."""
    reader.goto(f"{site}/{VIEWS}")
    button = reader.locator("button.copybtn").first
    button.wait_for(state="attached")
    reader.keyboard.press("Tab")  # the focus is the keyboard's from now on
    button.focus()
    wait_until(reader, "getComputedStyle(document.activeElement).opacity === '1'")
    assert button.evaluate("node => getComputedStyle(node).outlineStyle") == "solid"


def test_box_of_another_release_is_copied_too(reader: Page, site: str) -> None:
    """The picker puts boxes on the page that were folded in before."""
    reader.goto(f"{site}/gallery/13_errors/numpy_requires_grad.html")
    reader.locator(".atlas-picker-button:visible").click()
    releases = reader.locator("[data-atlas=torch]:visible")
    releases.select_option(releases.locator("option").last.inner_text())
    box = reader.locator(".atlas-chosen .atlas-captured:visible").first
    box.hover()
    box.locator(".atlas-copy").click()
    wait_until(reader, "document.querySelector('main > [role=status]').textContent !== ''")
    assert copied(reader) == (box.locator("pre").text_content() or "").removesuffix("\n")


def test_text_is_marked_where_there_is_no_clipboard(browser: Browser, site: str) -> None:
    """A browser may refuse; then one key is left to press."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))")
    page.goto(f"{site}/{VIEWS}")
    box = page.locator(BOX).first
    box.hover()
    box.locator(".atlas-copy").click()
    wait_until(page, "getSelection().toString() !== ''")
    assert page.evaluate("getSelection().toString()").strip() == box.locator("pre").inner_text().strip()
    assert "copy it by hand" in page.locator("main > [role=status]").inner_text()
    context.close()


# --- folding, and telling the kinds apart --------------------------------------------------------


def test_long_output_is_open_and_folds(reader: Page, origin: str) -> None:
    """By mouse and by keyboard; its label says how long it is."""
    reader.goto(f"{origin}/{LONG}")
    fold = reader.locator(".atlas-outcome > .atlas-captured > details.atlas-long:visible").first
    text, summary = fold.locator("pre"), fold.locator("summary")
    lines = (text.text_content() or "").rstrip("\n").count("\n") + 1
    assert summary.inner_text().endswith(f", {lines} lines")
    assert text.is_visible()
    summary.click()
    assert text.is_hidden()
    summary.focus()
    reader.keyboard.press("Enter")
    assert text.is_visible()


def test_long_output_folds_without_javascript(browser: Browser, site: str) -> None:
    """It is the browser's own fold-out."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/{LONG}")
    fold = page.locator(".atlas-outcome > .atlas-captured > details.atlas-long:visible").first
    assert fold.locator("pre").is_visible()
    fold.locator("summary").click()
    assert fold.locator("pre").is_hidden()
    assert page.locator(".atlas-copy").count() == 0
    context.close()


def test_kinds_differ_without_colour(reader: Page, site: str) -> None:
    """An error by word, sign and frame; a warning by word, sign and a dashed frame; output by none."""
    reader.goto(f"{site}/{ERRORS}")
    error = reader.locator(".atlas-captured.atlas-error:visible").first
    assert error.locator(".atlas-label").inner_text() == "Error: RuntimeError"
    top, right, sign, is_wide = reader.evaluate(DRAWN, ".atlas-captured.atlas-error")
    assert (top, right, is_wide) == ("solid", "solid", True)
    assert sign.startswith("url(")
    assert reader.evaluate(DRAWN, ".atlas-captured.atlas-output")[1:3] == ["none", "none"]
    reader.goto(f"{site}/{WARNS}")
    warning = reader.locator(".atlas-captured.atlas-warning:visible").first
    assert warning.locator(".atlas-label").inner_text() == "Warning: UserWarning"
    top, right, other, is_wide = reader.evaluate(DRAWN, ".atlas-captured.atlas-warning")
    assert (top, right, is_wide) == ("dashed", "dashed", True)
    assert other.startswith("url(")


def test_code_has_no_gap_where_only_others_speak(reader: Page, site: str) -> None:
    """Two pieces of a block between which this environment said nothing read as one."""
    reader.goto(f"{site}/{ERRORS}")
    gap = """() => {
        const quiet = document.querySelector('.atlas-outcomes:has(> .atlas-outcome:only-child:empty)');
        const around = [quiet.previousElementSibling, quiet.nextElementSibling];
        const [above, below] = around.map((one) => one.querySelector("pre"));
        const styles = [getComputedStyle(above).paddingBottom, getComputedStyle(below).paddingTop];
        return [...styles, quiet.getBoundingClientRect().height];
    }"""
    assert reader.evaluate(gap) == ["0px", "0px", 0]


def test_statements_without_output_stand_line_below_line(reader: Page, site: str) -> None:
    """Also the short one between two others, beside a map of memory."""
    reader.set_viewport_size({"width": 1440, "height": 900})
    reader.goto(f"{site}/gallery/02_tensor_to_numpy/two_views.html")
    reader.wait_for_selector("#block-2 .copybtn", state="attached")
    edges = reader.evaluate("""() => [...document.querySelectorAll("#block-2 div.highlight-python pre")]
        .slice(0, 3).map((code) => code.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])""")
    assert [bottom for _, bottom in edges[:2]] == [top for top, _ in edges[1:]]


# --- the way on ----------------------------------------------------------------------------------


def test_next_and_previous_lead_along_the_chapter(reader: Page, site: str) -> None:
    """Next, and from there previous leads back; both say where they go."""
    reader.goto(f"{site}/{VIEWS}")
    following = reader.locator("a.right-next")
    title = following.locator(".prev-next-title").inner_text()
    following.click()
    reader.wait_for_url(lambda url: "two_views" not in url)
    expect(reader.locator("h1")).to_contain_text(title)
    assert "/gallery/02_tensor_to_numpy/" in reader.url
    reader.locator("a.left-prev").click()
    reader.wait_for_url(f"**/{VIEWS}")


def test_where_an_output_is_from_is_said_once_below_the_answer(reader: Page, site: str) -> None:
    """In small print; every release by name is one click, or key, away."""
    reader.goto(f"{site}/{VIEWS}")
    stamp = reader.locator("article .atlas-stamp")
    assert stamp.count() == 1
    assert stamp.locator("ol.atlas-strip").is_hidden()
    stamp.locator("summary").focus()
    reader.keyboard.press("Enter")
    assert stamp.locator("ol.atlas-strip li").first.is_visible()
    sizes = "css => parseFloat(getComputedStyle(document.querySelector(css)).fontSize)"
    assert reader.evaluate(sizes, ".atlas-stamp p") < reader.evaluate(sizes, "article section > p")


def test_script_and_notebook_are_downloaded(reader: Page, site: str, folder: Path) -> None:
    """The script as it lies in the repository; the notebook with the output that the page shows."""
    reader.goto(f"{site}/{VIEWS}")
    with reader.expect_download() as waiting:
        reader.locator(".atlas-offers a", has_text="two_views.py").click()
    script = Path(waiting.value.path()).read_bytes()
    assert script == (folder.parents[2] / "examples/02_tensor_to_numpy/two_views.py").read_bytes()
    with reader.expect_download() as waiting:
        reader.locator(".atlas-offers a", has_text="two_views.ipynb").click()
    cells = json.loads(Path(waiting.value.path()).read_text(encoding="utf-8"))["cells"]
    outputs = ["".join(output["text"]) for cell in cells for output in cell.get("outputs", ())]
    shown = reader.locator(".atlas-block .atlas-captured pre:visible").all_text_contents()
    assert [text.rstrip("\n") for text in outputs] == [text.rstrip("\n") for text in shown]
    assert shown
    ast.parse("\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"))


def test_offers_are_there_without_javascript_and_from_a_file(browser: Browser, folder: Path) -> None:
    """They are links to files beside the page."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((folder / GPU).as_uri())
    addresses = page.locator(".atlas-offers a[download]").evaluate_all(
        "links => links.map(link => link.pathname)"
    )
    assert [Path(address).suffix for address in addresses] == [".py", ".ipynb"]
    assert all(Path(unquote(address)).is_file() for address in addresses)
    context.close()


def test_every_example_lies_beside_its_page(folder: Path) -> None:
    """As a notebook that says what it was captured with, or that nobody has run it."""
    pages = [
        p
        for p in (folder / "gallery").glob("*/*.html")
        if 'class="atlas-offers"' in p.read_text(encoding="utf-8")
    ]
    assert pages
    for page in pages:
        text = page.with_suffix(".ipynb").read_text(encoding="utf-8")
        assert re.search(r"were captured with torch \d|Not run yet", text), page
        assert page.with_suffix(".py").is_file()


@pytest.mark.parametrize("width", [390, 1280])
def test_row_of_offers_fits(reader: Page, site: str, width: int) -> None:
    """On a phone it breaks into lines."""
    reader.set_viewport_size({"width": width, "height": 900})
    reader.goto(f"{site}/{VIEWS}")
    box = reader.locator(".atlas-offers").bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= width


COVERED = """() => [...document.querySelectorAll("article .highlight:has(.copybtn)")].flatMap((box) => {
    const text = document.createRange();
    text.selectNodeContents(box.querySelector("pre"));
    const anchor = box.closest(".atlas-block")?.querySelector("a.headerlink");
    const buttons = [box.querySelector(".copybtn"), anchor];
    const meets = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const words = [...text.getClientRects()].filter(({ width }) => width > 0);
    return buttons
        .filter((button) => button && words.some((word) => meets(word, button.getBoundingClientRect())))
        .map(() => box.textContent);
})"""
CUT = """() => [...document.querySelectorAll("article .highlight pre, .atlas-beside > *")]
    .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1)
    .map((box) => box.textContent)"""


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize(
    "page",
    [
        "gallery/02_tensor_to_numpy/collect_predictions",
        "gallery/12_files/segmentation_masks",
        "gallery/13_errors/cuda_out_of_memory",
        "guides/memory_model",
    ],
)
def test_no_code_is_cut_off_or_covered(reader: Page, site: str, page: str, width: int) -> None:
    """It wraps where its column is narrow, a map stands below it, and buttons have room of their own."""
    reader.set_viewport_size({"width": width, "height": 844})
    reader.goto(f"{site}/{page}.html")
    reader.locator("button.copybtn").first.wait_for(state="attached")
    assert reader.evaluate(CUT) == []
    assert reader.evaluate(COVERED) == []


@pytest.mark.parametrize("width", [390, 1280])
def test_first_screen_has_code(reader: Page, site: str, width: int) -> None:
    """Imports stand on the code that uses them; files and releases come after it."""
    reader.set_viewport_size({"width": width, "height": 844})
    reader.goto(f"{site}/gallery/01_numpy_to_tensor/from_numpy.html")
    code = reader.locator(".atlas-imports + .atlas-block .highlight").first.bounding_box()
    assert code is not None
    assert code["y"] + 60 < 844
    tops = "css => document.querySelector(css).getBoundingClientRect().top"
    heights = [reader.evaluate(tops, css) for css in (".atlas-captured", ".atlas-stamp", ".atlas-offers")]
    assert heights == sorted(heights)


@pytest.mark.parametrize("page", ["guides/numpy2", "guides/dtypes", "guides/data", "guides/devices"])
def test_tables_of_guides_fit_their_page(reader: Page, site: str, page: str) -> None:
    """At 1280 px no column is cut off: code in a cell wraps."""
    reader.goto(f"{site}/{page}.html")
    widths = "tables => tables.map(one => [one.scrollWidth, one.parentElement.clientWidth])"
    tables = reader.locator("article table.table").evaluate_all(widths)
    assert tables
    assert [width for width, room in tables if width > room] == []


def test_title_is_not_repeated_above_itself(reader: Page, site: str) -> None:
    """The way to a page ends with its chapter; on a phone a page without one has no line for it."""
    reader.set_viewport_size({"width": 390, "height": 844})
    reader.goto(f"{site}/upgrade.html")
    expect(reader.locator(".bd-breadcrumbs")).to_be_hidden()
    reader.goto(f"{site}/guides/data.html")
    items = reader.locator(".bd-breadcrumbs .breadcrumb-item:visible")
    expect(items).to_have_count(2)
    expect(items.last).to_have_text("Guides")
