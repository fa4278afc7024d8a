"""The search box asked for a name that a module or an object does not have, and the page that it leads to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

FILTER = "Filter by name, call or message"
PAGE = "reference/names.html"
FACTS = "atlas-name-facts.js"
INPUT = "dialog.atlas-finder textarea"
STATUS = "dialog .atlas-finder-status"
FINDINGS = "dialog .atlas-findings > .atlas-finding"
MODULE = "AttributeError: module '{}' has no attribute '{}'"
ARRAY = "AttributeError: 'numpy.ndarray' object has no attribute '{}'"
TENSOR = "AttributeError: 'Tensor' object has no attribute '{}'"


@pytest.fixture
def box(reader: Page, site: str) -> Page:
    """The dialog, open."""
    reader.goto(f"{site}/index.html")
    reader.keyboard.press("Control+k")
    reader.locator(INPUT).wait_for()
    return reader


def ask(page: Page, text: str, title: str, place: int = 0) -> tuple[str | None, str | None, str]:
    """State, address and words of the result with this title."""
    page.locator(INPUT).fill(text)
    own = page.locator(FINDINGS).nth(place)
    expect(own.locator(".atlas-finding-link")).to_have_text(title)
    address = own.locator(".atlas-finding-link").get_attribute("href")
    return page.locator(STATUS).get_attribute("data-state"), address, own.inner_text()


@pytest.mark.parametrize(
    ("text", "title", "words"),
    [
        (MODULE.format("numpy", "in1d"), "numpy.in1d", "np.isin("),
        (MODULE.format("numpy", "AxisError"), "numpy.AxisError", "np.exceptions.AxisError"),
        (
            "AttributeError: `np.alltrue` was removed in the NumPy 2.0 release. Use `np.all` instead.",
            "numpy.alltrue",
            "Use `np.all` instead.",
        ),
        (
            "AttributeError: `itemset` was removed from scalar types in NumPy 2.0 as these are immutable.",
            "numpy.generic.itemset",
            "scalars are immutable",
        ),
        (
            "ImportError: cannot import name 'row_stack' from 'numpy' (/a/b.py)",
            "numpy.row_stack",
            "np.vstack(",
        ),
        (MODULE.format("numpy", "concat"), "numpy.concat", "1.26 does not"),
        (ARRAY.format("unsqueeze"), "numpy.ndarray.unsqueeze", "np.expand_dims(array, 0)"),
        (ARRAY.format("unsqueeze"), "numpy.ndarray.unsqueeze", "Or convert the array"),
        (TENSOR.format("tobytes"), "torch.Tensor.tobytes", "tensor.numpy().tobytes()"),
        (MODULE.format("torch", "expand_dims"), "torch.expand_dims", "torch.unsqueeze(tensor, 0)"),
        (ARRAY.format("sigmoid_"), "numpy.ndarray.sigmoid_", "torch.as_tensor(array)"),
    ],
)
def test_name_that_came_or_went_or_is_the_other_librarys_is_sure(
    box: Page, site: str, text: str, title: str, words: str
) -> None:
    """With what to write, and its own place on the page."""
    state, address, said = ask(box, text, title)
    assert state == "sure"
    assert words in said
    assert address is not None
    box.goto(f"{site}/{address.removeprefix('./')}")
    target = box.locator(f"[id='{address.partition('#')[2]}']")
    assert target.count() == 1
    assert "sigmoid_" in title or target.is_visible(), "the fold around it opens"


@pytest.mark.parametrize(
    ("text", "title", "words"),
    [
        (MODULE.format("torch", "tensor"), "torch.tensor", "called torch.py"),
        (MODULE.format("torch", "linspac"), "torch.linspac", "Spelled alike: torch.linspace"),
        (MODULE.format("torch", "Linear"), "torch.Linear", "There is torch.nn.Linear"),
        (MODULE.format("numpy", "zebra"), "numpy.zebra", "have no np.zebra"),
        (MODULE.format("torch", "constructor"), "torch.constructor", "have no torch.constructor"),
        (TENSOR.format("fillna"), "torch.Tensor.fillna", "have no torch.Tensor.fillna"),
    ],
)
def test_name_that_each_release_has_or_none_is_not_sure(
    box: Page, site: str, text: str, title: str, words: str
) -> None:
    """It says which releases were asked, what is spelled alike, and what else it may be."""
    state, address, said = ask(box, text, title)
    assert state == "maybe"
    assert words in said
    assert address is not None
    box.goto(f"{site}/{address.removeprefix('./')}")
    assert box.locator("#no-such-name").count() == 1


KEYWORD = "TypeError: {}() got an unexpected keyword argument '{}'"


def test_keyword_that_went_is_told_with_its_releases(box: Page, site: str) -> None:
    """And leads to its line."""
    text = "    q = np.quantile(x, 0.5, interpolation='lower')\n" + KEYWORD.format(
        "quantile", "interpolation"
    )
    state, address, said = ask(box, text, "numpy.quantile(interpolation=)")
    assert (state, "does not" in said or "do not" in said) == ("sure", True)
    assert address is not None
    box.goto(f"{site}/{address.removeprefix('./')}")
    expect(box.locator(f"[id='{address.partition('#')[2]}']")).to_be_visible()


def test_keyword_of_two_calls_is_told_of_both(box: Page) -> None:
    """Not as certain: the message does not say which of them raised."""
    state, _, _ = ask(box, KEYWORD.format("reshape", "copy"), "numpy.reshape(copy=)")
    assert state == "maybe"
    ask(box, KEYWORD.format("reshape", "copy"), "numpy.ndarray.reshape(copy=)", place=1)


def test_page_with_the_very_message_stays_first(box: Page) -> None:
    """The answer for the keyword comes second."""
    ask(box, KEYWORD.format("zeros", "device"), "numpy.zeros(device=)", place=1)


def test_keyword_that_each_release_knows_has_no_answer(box: Page) -> None:
    """The call that refuses it is another one of that name."""
    box.locator(INPUT).fill(KEYWORD.format("array_equal", "equal_nan"))
    expect(box.locator(STATUS)).not_to_contain_text("Type a name")
    assert box.locator(FINDINGS, has_text="numpy.array_equal").count() == 0


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (MODULE.format("numpy", "float"), "numpy.float"),
        (TENSOR.format("astype"), "torch.Tensor.astype"),
    ],
)
def test_error_page_of_the_very_name_stays_first(box: Page, text: str, title: str) -> None:
    """The answer for the name comes second."""
    state, _, _ = ask(box, text, title, place=1)
    assert state == "sure"
    assert "13_errors" in (box.locator(".atlas-finding-link").first.get_attribute("href") or "")


CHAIN = "    tail = motion[-1].unsqueeze(0).repeat(count, 1)\n" + ARRAY.format("unsqueeze")


def test_page_about_the_wrong_type_stays_first_for_a_chain(box: Page) -> None:
    """NumPy has a function for the first call, but its result is an array for the second."""
    state, _, _ = ask(box, CHAIN, "numpy.ndarray.unsqueeze", place=1)
    assert state == "maybe"
    first = box.locator(".atlas-finding-link").first
    assert "13_errors/wrong_method" in (first.get_attribute("href") or "")


def test_name_that_a_library_uses_says_to_upgrade_that(box: Page) -> None:
    """Its code is not the reader's."""
    frame = '  File "/v/site-packages/zebra/io.py", line 3, in read\n    return np.in1d(a, b)\n'
    _, _, said = ask(box, frame + MODULE.format("numpy", "in1d"), "numpy.in1d")
    assert "The code is in zebra: upgrade that" in said
    _, _, said = ask(box, MODULE.format("numpy", "row_stack"), "numpy.row_stack")
    assert "upgrade that" not in said


@pytest.mark.parametrize(
    "text",
    [
        "RuntimeError: Numpy is not available",
        "AttributeError: module 'tensorflow' has no attribute 'in1d'",
        "AttributeError: 'ArrayImpl' object has no attribute 'numpy'",
        "AttributeError: module 'torch.nowhere' has no attribute 'tensor'",
    ],
)
def test_other_errors_have_no_answer_for_a_name(box: Page, text: str) -> None:
    """Modules and classes that nobody asked are not spoken of."""
    box.locator(INPUT).fill(text)
    expect(box.locator(STATUS)).not_to_contain_text("Type a name")
    assert box.locator(FINDINGS, has_text="Name").filter(has=box.locator(f"[href*='{PAGE}']")).count() == 0


def test_facts_are_loaded_for_a_name_alone(browser: Browser, folder: Path) -> None:
    """From a file, offline, and once."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    scripts: list[str] = []
    page.on("request", lambda request: scripts.append(request.url.rpartition("/")[2]))
    page.goto((folder / "index.html").as_uri())
    page.keyboard.press("Control+k")
    page.locator(INPUT).fill("RuntimeError: Numpy is not available")
    page.wait_for_selector(FINDINGS)
    assert FACTS not in scripts
    for name in ("in1d", "trapz"):
        ask(page, MODULE.format("numpy", name), f"numpy.{name}")
    assert scripts.count(FACTS) == 1
    context.close()


def test_page_has_a_place_for_each_changed_name(folder: Path) -> None:
    """As the document beside it lists them; and names no release that nobody asked."""
    data = json.loads((folder / "names.json").read_text("utf-8"))
    page = (folder / PAGE).read_text("utf-8")
    names = {
        change["name"]
        for step in data["releases"]
        for kind in ("removed", "added", "warned")
        for change in step[kind]
    }
    assert len(names) > 500
    assert [name for name in names if page.count(f'id="{name}"') != 1] == []
    asked = {(package, release) for package, releases in data["asked"].items() for release in releases}
    for step in data["releases"]:
        assert {(step["package"], step["before"]), (step["package"], step["after"])} <= asked


def test_page_begins_with_its_filter_and_the_newest_changes(reader: Page, site: str) -> None:
    """What the newest releases removed stays open after a filter; headings follow their levels."""
    reader.goto(f"{site}/{PAGE}")
    tops = [
        reader.get_by_label(FILTER),
        reader.locator("article h2").first,
        reader.locator(".atlas-lines li").first,
    ]
    ys = [locator.evaluate("node => node.getBoundingClientRect().y") for locator in tops]
    assert ys == sorted(ys)
    assert ys[-1] < 700
    opened = reader.locator(".atlas-fold[open]")
    first = opened.count()
    assert 1 <= first <= 4
    reader.get_by_label(FILTER).fill("in1d")
    expect(reader.locator("article").get_by_role("status")).to_contain_text("lines")
    reader.get_by_label(FILTER).fill("")
    assert opened.count() == first
    sizes = [
        float(
            reader.locator(f"article h{level}").first.evaluate(
                "h => parseFloat(getComputedStyle(h).fontSize)"
            )
        )
        for level in (1, 2, 3)
    ]
    assert sizes == sorted(set(sizes), reverse=True)
