"""The search box on the whole site: what it finds, by mouse and keyboard, from a file; it sends nothing."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote, urlencode

import pytest
from contrast import contrasts
from playwright.sync_api import Browser, Page, expect
from samples import ROOT
from waiting import wait_until

from tensor_atlas.site.search import search_index

LINKS = ".atlas-finding-link"
BUTTON = ".atlas-finder-link:visible"
INPUT = "dialog.atlas-finder textarea"
TOP = 3
PASTED = (
    'Traceback (most recent call last):\n  File "run.py", line 3, in <module>\n    plot(loss.numpy())\n'
    "RuntimeError: Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
)
TEXTS = (
    ".atlas-finder-label span, .atlas-finder-status, .atlas-finder-note, .atlas-finding :is(a, p, pre, span)"
)


def entries(name: str) -> list[dict[str, Any]]:
    """Entries of a list beside the tests."""
    found: list[dict[str, Any]] = tomllib.loads((ROOT / "tests" / f"{name}.toml").read_text("utf-8"))[name]
    return found


def opened(page: Page, address: str) -> None:
    """Open a page, and on it the dialog."""
    page.goto(address)
    page.locator(BUTTON).click()
    page.locator(INPUT).wait_for()


def found(page: Page, text: str) -> list[str]:
    """Pages that are found, the best first."""
    expression = "text => window.atlasSearch.find(text).found.map(one => one.page.page)"
    names: list[str] = page.evaluate(expression, text)
    return names


def ready(page: Page) -> None:
    wait_until(page, "window.atlasSearch !== undefined")


# --- what is found -----------------------------------------------------------------------------


def test_every_recorded_wording_finds_its_error_page_first(reader: Page, site: str) -> None:
    """Or another that has the same message, whatever release says so."""
    opened(reader, f"{site}/index.html")
    ready(reader)
    wrong = reader.evaluate(RECORDED)
    assert len(wrong) <= MOST_ELSEWHERE, wrong


MOST_ELSEWHERE = 14
"""Messages that have the words of another error page's title, and may lead there."""
RECORDED = """
() => {
  const { pages, wordings } = window.atlasIndex;
  const owners = new Map();
  for (const [place, , text, where, isOwn] of wordings) {
    if (isOwn) owners.set(pages[place][0], [...(owners.get(pages[place][0]) ?? []), text]);
  }
  const frame = 'Traceback (most recent call last):\\n  File "/srv/a.py", line 7, in <module>\\n    f(x)\\n';
  const wrong = [];
  for (const [place, type, text, where, isOwn] of wordings) {
    if (!isOwn || !where || pages[place][2] !== "Error" || text.split(" ").length < 3) continue;
    const [first] = window.atlasSearch.find(`${frame}${type}: ${text}`).found;
    const found = first?.page.page;
    const inner = text.replace(/^Caught \\w+ in [^\\n]*\\n\\w+: /, ""); // a worker's error is found by itself
    // Two runs of one message differ in its numbers.
    const isAlike = (own, other) => own.replace(/\\d+/g, "0").startsWith(other.replace(/\\d+/g, "0"));
    const isOwner = (owners.get(found) ?? []).some((own) => isAlike(own, text) || isAlike(own, inner));
    if (!isOwner) wrong.push([text.slice(0, 80), pages[place][0], found]);
  }
  return wrong;
}
"""
"""Each message that a run gave, pasted; those that find another page."""


def test_pasted_tracebacks_find_their_pages(reader: Page, folder: Path) -> None:
    """Each first, or second where another error page has the same message; from a file, with its fix."""
    opened(reader, (folder / "index.html").as_uri())
    second, folded = [], []
    for entry in entries("pasted"):
        # What the paste before found may have the same page, in another state.
        reader.locator(INPUT).fill("")
        reader.wait_for_selector("dialog .atlas-finding", state="detached")
        reader.locator(INPUT).fill(entry["text"])
        place = wait_until(reader, PLACE, f"gallery/{entry['page']}.html")
        finding = reader.locator(".atlas-finding").nth(place - 1)
        assert finding.locator(".atlas-finding-wording").is_visible(), entry["number"]
        if place > 1:
            second.append(entry["number"])
        if entry["page"].startswith("13_errors/"):
            assert finding.locator(".atlas-finding-code").text_content(), entry["number"]
            is_folded = not finding.locator(".atlas-finding-fix").is_visible()
            if entry.get("folded"):
                assert is_folded, entry["number"]
            elif is_folded:
                folded.append(entry["number"])
    assert len(second) <= 2, second
    assert len(folded) <= 14, folded


PLACE = """page => {
  const links = [...document.querySelectorAll("dialog .atlas-finding-link")].slice(0, 2);
  return links.findIndex((link) => link.href.endsWith(page)) + 1;
}"""
"""Place of a page among the first two results; 0, for which a test goes on waiting, where it is not there."""


def test_certainty_is_earned(reader: Page, site: str) -> None:
    """*This is it* stands above pages that cover what a paste names, and above no other."""
    opened(reader, f"{site}/index.html")
    ready(reader)
    cases = json.loads((ROOT / "tests" / "readers" / "certainty.json").read_text("utf-8"))
    expression = """text => {
      const { state, found } = window.atlasSearch.find(text);
      return state === "sure" ? found[0].page.page : "";
    }"""
    answers = [(case, reader.evaluate(expression, case["text"])) for case in cases]
    assert [(case["text"], page) for case, page in answers if page != case["page"]] == []


def test_fix_is_unfolded_where_it_fits(reader: Page, site: str) -> None:
    """Not for a library's line, nor for another message, file or object than the fix is about."""
    opened(reader, f"{site}/index.html")
    ready(reader)
    cases = json.loads((ROOT / "tests" / "readers" / "unfolded.json").read_text("utf-8"))
    expression = "text => window.atlasSearch.find(text).found[0].isFix"
    answers = [(case, reader.evaluate(expression, case["text"])) for case in cases]
    assert [case["text"] for case, is_open in answers if is_open != case["unfolded"]] == []


def test_folded_fix_stands_below_the_first_paragraph(reader: Page, site: str) -> None:
    """It says what to do where the fix is for another case."""
    opened(reader, f"{site}/index.html")
    cases = json.loads((ROOT / "tests" / "readers" / "unfolded.json").read_text("utf-8"))
    for is_unfolded in (True, False):
        text = next(case["text"] for case in cases if case["unfolded"] is is_unfolded)
        reader.locator(INPUT).fill(text)
        reader.wait_for_selector(LINKS)
        first = reader.locator(".atlas-finding").first
        expect(first.locator(".atlas-finding-lead")).to_have_count(0 if is_unfolded else 1)


def test_searches_find_the_right_page(reader: Page, site: str) -> None:
    """On the whole site: first for at least nine in ten, among the first three for all."""
    opened(reader, f"{site}/gallery/index.html")
    ready(reader)
    searches = [({entry["page"], *entry.get("accept", [])}, entry["query"]) for entry in entries("searches")]
    assert [query for right, query in searches if not set(found(reader, query)[:TOP]) & right] == []
    not_first = [query for right, query in searches if not set(found(reader, query)[:1]) & right]
    assert len(not_first) <= len(searches) // 10, not_first


@pytest.mark.parametrize(
    ("question", "address"),
    [
        (
            "a read-only float64 memmap as float32",
            "choose.html#have=array-float64%2Carray-memory-mapped-read-only&want=TENSOR&dtype=torch.float32",
        ),
        ("float16 tensor to np.float32 array", "choose.html#have=tensor-float16&want=ARRAY&dtype=float32"),
        ("np.array(t, copy=False) on torch 2.2", "matrix/conversion/np-array-x-copy-false.html"),
        ("torch 2.8 → 2.15, what changes", "upgrade.html#from=torch-2.8&to=torch-2.15"),
        ("upgrade from numpy 1.26 to numpy 2.0", "upgrade.html#from=numpy-1.26&to=numpy-2.0"),
    ],
)
def test_question_that_a_form_or_a_row_answers_leads_there(
    reader: Page, site: str, question: str, address: str
) -> None:
    """The form of the chooser and of the upgrade page holds it; a call with its arguments has a row."""
    opened(reader, f"{site}/index.html")
    reader.locator(INPUT).fill(question)
    first = reader.locator(LINKS).first
    expect(first).to_have_attribute("href", f"./{address}")
    first.click()
    reader.wait_for_url(f"**/{address.partition('#')[0]}**")
    if "#" in address:
        expect(reader.locator(".atlas-call, .atlas-upgrade-item").first).to_be_visible()
        asked, kept = (parts.split("#")[1].split("&") for parts in (address, reader.url))
        assert set(asked) <= set(kept)


@pytest.mark.parametrize(
    "question",
    [
        "numpy array to tensor",
        "float64 to float32 without a copy",
        "why does np.array(t, copy=False) raise",
        "numpy 1.26 and torch 2.2 crash",
        "float32 tensor to float16",
    ],
)
def test_other_questions_are_answered_by_pages(reader: Page, site: str, question: str) -> None:
    """The chooser and the rows answer only what they can say whole."""
    opened(reader, f"{site}/index.html")
    ready(reader)
    first = found(reader, question)[0]
    assert first.startswith(("gallery/", "guides/")), first


@pytest.mark.parametrize(
    ("message", "address"),
    [
        ("from_dlpack() got an unexpected keyword argument 'copy'", "09_protocols/device_and_copy"),
        ("asarray() got an unexpected keyword argument 'copy'", "13_errors/copy_keyword"),
        ("numpy() got an unexpected keyword argument 'force'", "02_tensor_to_numpy/method_only"),
        ("load() got an unexpected keyword argument 'weights_only'", "13_errors/weights_only"),
        ("std() got an unexpected keyword argument 'dim'", "13_errors/reduction_keywords"),
        ("sum() got an unexpected keyword argument 'keepdim'", "13_errors/reduction_keywords"),
    ],
)
def test_page_that_knows_the_keyword_stands_first(
    reader: Page, site: str, message: str, address: str
) -> None:
    """The rest of the message is Python's, the same for each function."""
    opened(reader, f"{site}/index.html")
    ready(reader)
    assert found(reader, f"TypeError: {message}")[0] == f"gallery/{address}"


def test_result_names_linked_pages_by_their_titles(reader: Page, site: str) -> None:
    """Nobody who searches knows how a page's file is called."""
    opened(reader, f"{site}/index.html")
    ready(reader)
    pages = reader.evaluate("window.atlasIndex.pages.map(([page, title, part, lead]) => [page, part, lead])")
    files = {page for page, part, _ in pages if part not in ("Error", "Example", "Matrix")}
    called = {name for page in files for name in (page, f"/{page}", page.split("/")[-1])}
    called = {name for name in called if "/" in name or "_" in name}
    shown = [(page, called & set(re.findall(r"[\w/]+", lead))) for page, part, lead in pages if page in files]
    assert [(page, names) for page, names in shown if names] == []


def test_search_page_lists_best_matches_first(reader: Page, site: str) -> None:
    """Above Sphinx's own results, for an error that has words Sphinx does not know."""
    reader.goto(f"{site}/search.html?q={quote(PASTED)}")
    reader.wait_for_selector(LINKS)
    first = reader.locator(LINKS).first
    assert first.get_attribute("href") == "./gallery/13_errors/numpy_requires_grad.html"
    theirs, ours = reader.locator("#search-results").bounding_box(), first.bounding_box()
    assert ours is not None
    assert theirs is not None
    assert ours["y"] < theirs["y"]


def test_fix_is_unfolded_only_for_what_is_sure(reader: Page, site: str) -> None:
    """Another type in the message may mean another cause: the fix is folded, and the types are named."""
    opened(reader, f"{site}/index.html")
    said = "TypeError: default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; "
    said += "found "
    reader.locator(INPUT).fill(f"{said}<class 'NoneType'>")
    reader.wait_for_selector(LINKS)
    assert reader.locator(".atlas-finding-fix").first.is_visible()
    reader.locator(INPUT).fill(f"{said}<class 'PngImageFile'>")
    expect(reader.locator(".atlas-finding-apart").first).to_contain_text("yours says PngImageFile")
    assert not reader.locator(".atlas-finding-fix").first.is_visible()


def test_what_nothing_answers_keeps_the_nearest_pages_folded(reader: Page, site: str) -> None:
    """They have some of the words."""
    opened(reader, f"{site}/index.html")
    reader.locator(INPUT).fill("share memory between numpy and mxnet")
    reader.locator(".atlas-finder-nearest").wait_for()
    assert not reader.locator(LINKS).first.is_visible()
    reader.locator(".atlas-finder-nearest summary").click()
    assert reader.locator(LINKS).first.is_visible()


# --- the dialog --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "page", ["index.html", "gallery/13_errors/bfloat16.html", "matrix/index.html", "search.html"]
)
def test_button_opens_the_dialog(reader: Page, site: str, page: str) -> None:
    """On every kind of page, once, and what it finds can be followed from there."""
    opened(reader, f"{site}/{page}")
    assert reader.locator(BUTTON).count() == 1
    reader.locator(INPUT).fill("Got unsupported ScalarType BFloat16")
    link = reader.locator(LINKS).first
    assert (link.get_attribute("href") or "").endswith("13_errors/bfloat16.html")
    link.click()
    reader.wait_for_url("**/gallery/13_errors/bfloat16.html")


def test_keyboard_alone_is_enough(reader: Page, site: str) -> None:
    """Open, paste, go down and up in the results, follow one, and close without the mouse."""
    reader.goto(f"{site}/index.html")
    reader.keyboard.press("Control+k")
    reader.locator(INPUT).wait_for()
    assert reader.evaluate("document.activeElement.tagName") == "TEXTAREA"
    reader.keyboard.insert_text(PASTED)
    reader.wait_for_selector(LINKS)
    reader.keyboard.press("ArrowDown")
    reader.keyboard.press("ArrowDown")
    second = reader.locator(LINKS).nth(1)
    assert second.evaluate("node => node === document.activeElement")
    reader.keyboard.press("ArrowUp")
    reader.keyboard.press("ArrowUp")
    assert reader.evaluate("document.activeElement.tagName") == "TEXTAREA"
    reader.keyboard.press("Escape")
    assert reader.locator("dialog.atlas-finder[open]").count() == 0
    reader.keyboard.press("Control+k")
    reader.keyboard.insert_text(PASTED)
    reader.keyboard.press("Enter")
    reader.wait_for_url("**/gallery/13_errors/numpy_requires_grad.html")


@pytest.mark.parametrize("focus", ["box", "result", "body"])
def test_escape_closes_the_dialog(reader: Page, site: str, focus: str) -> None:
    """Wherever the focus is, in one press."""
    opened(reader, f"{site}/index.html")
    reader.locator(INPUT).fill(PASTED)
    reader.wait_for_selector(LINKS)
    if focus == "result":
        reader.locator(LINKS).first.focus()
    elif focus == "body":
        reader.evaluate("document.activeElement.blur()")
        assert reader.evaluate("document.activeElement.tagName") == "BODY"
    reader.keyboard.press("Escape")
    assert reader.locator("dialog.atlas-finder[open]").count() == 0


def test_shortcut_closes_what_it_opened(reader: Page, site: str) -> None:
    """And the theme's own search, which has no field here, stays out of it."""
    reader.goto(f"{site}/index.html")
    reader.keyboard.press("Control+k")
    assert reader.locator("dialog[open]").count() == 1
    reader.keyboard.press("Control+k")
    assert reader.locator("dialog[open]").count() == 0
    assert reader.locator("#pst-search-dialog").count() == 0


def test_status_is_announced(reader: Page, site: str) -> None:
    """What to do, how many there are, and that there is nothing; politely."""
    opened(reader, f"{site}/index.html")
    status = reader.locator("dialog .atlas-finder-status")
    assert (status.get_attribute("role"), status.get_attribute("aria-live")) == ("status", "polite")
    assert status.inner_text().startswith("Type a name")
    reader.locator(INPUT).fill("RuntimeError: Numpy is not available")
    reader.wait_for_selector(LINKS)
    assert status.inner_text().startswith("This is it: ")
    reader.locator(INPUT).fill("copy of an array")
    wait_until(reader, "document.querySelector('dialog .atlas-finder-status').dataset.state === 'maybe'")
    assert re.fullmatch(r"\d+ pages may answer this, the likeliest first\.", status.inner_text())
    reader.locator(INPUT).fill("zebra quagga")
    reader.locator(".atlas-finder-advice").wait_for()
    assert status.inner_text() == "Nothing here answers this."
    assert reader.locator(LINKS).count() == 0
    addresses = [link.get_attribute("href") for link in reader.locator(".atlas-finder-advice a").all()]
    assert addresses[0] == "https://discuss.pytorch.org/"
    assert "./reference/errors.html" in addresses
    reader.locator(INPUT).fill("")
    reader.locator(".atlas-finder-advice").wait_for(state="detached")
    assert status.inner_text().startswith("Type a name")


def test_page_of_its_own_takes_a_link(reader: Page, site: str) -> None:
    """What is pasted stands in the address behind the hash, which no browser sends."""
    reader.goto(f"{site}/reference/paste.html#{urlencode({'q': PASTED})}")
    reader.wait_for_selector(LINKS)
    assert reader.locator(".atlas-finder-place textarea").input_value() == PASTED
    first = reader.locator(LINKS).first
    assert first.get_attribute("href") == "../gallery/13_errors/numpy_requires_grad.html"
    reader.locator(".atlas-finder-place textarea").fill("memmap")
    reader.wait_for_url("**/paste.html#q=memmap")


def test_nothing_leaves_the_browser(browser: Browser, folder: Path) -> None:
    """From a file, offline: only two scripts of the site are loaded, and only when the box is used."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    requested: list[str] = []
    scripts: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.on(
        "request", lambda request: scripts.append(request.url) if request.resource_type == "script" else None
    )
    page.goto((folder / "gallery" / "13_errors" / "bfloat16.html").as_uri())
    page.wait_for_load_state("networkidle")
    assert [url for url in scripts if "searchindex" in url or "atlas-index" in url] == []
    before = len(scripts)
    page.locator(BUTTON).click()
    page.locator(INPUT).fill(PASTED)
    page.wait_for_selector(LINKS)
    assert {url.rsplit("/", 1)[-1] for url in scripts[before:]} == search_index.LATE
    assert all(url.startswith(("file:", "data:")) for url in requested)
    context.close()


def test_message_that_looks_like_markup_is_text(reader: Page, site: str) -> None:
    """Whatever is pasted, and whatever a run said, is shown and never becomes a part of the page."""
    opened(reader, f"{site}/index.html")
    reader.locator(INPUT).fill(
        "found <class 'NoneType'> <img src=x onerror=alert(1)> default_collate: batch must contain"
    )
    reader.wait_for_selector(LINKS)
    assert "<class" in reader.locator(".atlas-finding-wording").first.inner_text()
    assert reader.locator("dialog.atlas-finder img").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_dialog_is_readable_and_fits(
    browser: Browser, site: str, scheme: Literal["light", "dark"], width: int
) -> None:
    """In both themes, on a phone and on a laptop."""
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 800})
    page = context.new_page()
    opened(page, f"{site}/index.html")
    page.locator(INPUT).fill(PASTED)
    page.wait_for_selector(LINKS)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    assert page.locator("dialog.atlas-finder").evaluate("node => node.scrollWidth - node.clientWidth") <= 0
    ratios = page.evaluate(contrasts(TEXTS))
    assert len(ratios) > 5
    assert [(text, ratio) for text, ratio in ratios if ratio < 4.5] == []
    context.close()


def test_without_a_script_the_button_is_a_link_to_the_error_index(browser: Browser, site: str) -> None:
    """And the page to paste into says what to do."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/reference/paste.html")
    assert "needs JavaScript" in page.locator(".atlas-finder-place").inner_text()
    page.locator(BUTTON).click()
    page.wait_for_url("**/reference/errors.html")
    context.close()
