"""The chooser in a browser: it shows what its script answers, by mouse, keyboard, link and file."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from chooser_script import ask_chooser, read_known, recorded_data, recorded_table
from playwright.sync_api import Browser, Page, expect
from waiting import wait_until

from tensor_atlas.catalogue import SOURCES, Form, Source
from tensor_atlas.history.releases import torch_release

CARDS = ".atlas-results > ol > .atlas-call"
LISTED = 3
"""Calls that the page shows at once."""


def source(name: str) -> Source:
    """A source by name."""
    return next(source for source in SOURCES if source.name == name)


@pytest.fixture
def answer(tmp_path: Path) -> Any:
    """Asks the script without a page: ``answer("array-float32", memory="SHARE")``."""

    def ask(have: str, **question: str) -> dict[str, list[dict[str, Any]]]:
        return ask_chooser(tmp_path, recorded_data(), [{"have": have, **question}])[0]

    return ask


def first(found: dict[str, list[dict[str, Any]]]) -> list[str]:
    """Calls that a page shows at once."""
    return [one["call"] for one in found["best"][:LISTED]]


@pytest.fixture
def reader(reader: Page) -> Page:
    """A reader of a site that has a chooser."""
    recorded_table()
    return reader


def named(page: Page) -> list[str]:
    """Calls on the cards, in order."""
    names: list[str] = page.locator(CARDS).evaluate_all("nodes => nodes.map(node => node.dataset.call)")
    return names


def notices(page: Page) -> str:
    """What stands above the answer."""
    return " ".join(page.locator(".atlas-chooser .atlas-notice:visible").all_inner_texts())


def pick(page: Page, field: str, text: str) -> None:
    """Click an option by its words, and wait for what it loads."""
    page.locator(f"[data-field={field}] label").filter(has=page.get_by_text(text, exact=True)).click()
    page.locator(".atlas-chooser:not([aria-busy])").wait_for()


def link(have: str, **question: str) -> str:
    """The address of a question."""
    return f"choose.html#{urlencode({'have': have, **question})}"


# --- the form ----------------------------------------------------------------------------------


def test_answer_follows_each_choice(reader: Page, site: str, answer: Any) -> None:
    """By mouse: kind, what is wanted, memory; the call to write is in the line above."""
    reader.goto(f"{site}/choose.html")
    pick(reader, "form", "tensor")
    pick(reader, "kind", "an array")
    pick(reader, "memory", "share memory")
    assert named(reader) == first(answer("tensor-float32", want="ARRAY", memory="SHARE"))
    status = reader.locator(".atlas-status")
    assert status.inner_text().startswith("Call x.numpy() with torch ")
    assert status.get_attribute("aria-live") == "polite"


def test_card_says_the_cost_and_what_proves_it(reader: Page, site: str) -> None:
    """Memory, dtype, gradient and device; the cell, and the documentation of the function."""
    reader.goto(f"{site}/{link('tensor-requires-grad', want='ARRAY')}")
    card = reader.locator(CARDS).first
    cost = card.locator(".atlas-call-cost").inner_text()
    assert cost == "dtype kept: float32 · gradient lost · stays on cpu"
    proof, advice = card.locator("a").evaluate_all("nodes => nodes.map(node => node.getAttribute('href'))")
    assert proof == "matrix/conversion/x-detach-numpy.html#tensor-requires-grad"
    assert advice.startswith("https://docs.pytorch.org/")
    assert "ecommend" not in card.inner_text(), "documentation describes a function; the order is ours"


def test_every_call_is_told(reader: Page, site: str, answer: Any) -> None:
    """Those that do it and those that do not, folded, with the error where one was raised."""
    reader.goto(f"{site}/{link('array-reversed', memory='SHARE')}")
    found = answer("array-reversed", memory="SHARE")
    count = sum(map(len, found.values()))
    wait_until(reader, f"document.querySelectorAll('.atlas-call').length === {count}")
    card = reader.locator(".atlas-call[data-call='torch.from_numpy(x)']")
    assert not card.is_visible()
    reader.evaluate("document.querySelectorAll('details').forEach(node => { node.open = true; })")
    assert "At least one stride in the given numpy array is negative" in card.inner_text()


def test_fold_out_is_filled_when_it_is_opened(browser: Browser, site: str) -> None:
    """Even if the browser has found no time for it before."""
    reader = browser.new_page()
    reader.add_init_script("window.requestIdleCallback = () => {}")
    reader.goto(f"{site}/{link('array-reversed', memory='SHARE')}")
    fold = reader.locator(".atlas-folded").first
    assert fold.locator(".atlas-call").count() == 0
    fold.locator("summary").click()
    fold.locator(".atlas-call").first.wait_for(state="visible")
    reader.close()


def test_dtype_goes_with_layout_and_flags(reader: Page, site: str, answer: Any) -> None:
    """A read-only float64 memory map as float32 in four choices; the answer names its parts."""
    reader.goto(f"{site}/choose.html")
    reader.locator("select[data-field=dtype]").select_option("float64")
    reader.locator("select[data-field=flags]").select_option(label="read-only memory map")
    assert reader.locator("select[data-field=dtype]").input_value() == "float64"
    reader.locator("select[data-field=element]").select_option("torch.float32")
    have = "array-float64,array-memory-mapped-read-only"
    assert named(reader) == first(answer(have, dtype="torch.float32"))
    assert named(reader)[0] == "torch.tensor(x, dtype=torch.float32)"
    assert "combines the results of its parts" in reader.locator(".atlas-status").inner_text()
    links = reader.locator(CARDS).first.locator(".atlas-call-proof a")
    hrefs = links.evaluate_all("nodes => nodes.map(node => node.getAttribute('href').split('#')[1])")
    assert hrefs[:2] == have.split(",")
    assert dict(parse_qsl(reader.url.split("#")[1]))["have"] == have


def test_choice_that_excludes_another_puts_it_back(reader: Page, site: str) -> None:
    """An integer records no gradient; a conjugate is complex."""
    reader.goto(f"{site}/{link('tensor-requires-grad')}")
    reader.locator("select[data-field=dtype]").select_option("torch.int64")
    assert reader.locator("select[data-field=flags]").input_value() == "-1"
    reader.locator("select[data-field=flags]").select_option(label="lazy conjugate")
    assert reader.locator("select[data-field=dtype]").input_value() == "torch.complex64"


def test_device_that_was_not_run_says_its_rung(reader: Page, site: str) -> None:
    """And leads to the example that claims it."""
    reader.goto(f"{site}/{link('tensor-cuda', want='ARRAY')}")
    card = reader.locator(CARDS).first
    assert named(reader)[0] == "x.cpu().numpy()"
    assert "Not run" in card.locator(".atlas-call-rung").inner_text()
    assert "gallery/07_cuda/numpy_error.html" in (card.locator("a").first.get_attribute("href") or "")


@pytest.mark.parametrize("form", list(Form))
def test_only_what_exists_is_offered(reader: Page, site: str, form: Form) -> None:
    """Whatever is chosen next, in whatever order, the page answers about it and the address says it."""
    reader.goto(f"{site}/choose.html")
    pick(reader, "form", str(form))
    options = "node => [...node.options].map(option => option.value)"
    draw = random.Random(form)
    for _ in range(8):
        field = draw.choice(["dtype", "layout", "flags", "device", "source"])
        select = reader.locator(f"select[data-field={field}]")
        if select.count() == 0 or not select.is_visible():
            continue
        value = draw.choice(select.evaluate(options))
        select.select_option(value)
        assert reader.locator(f"select[data-field={field}]").input_value() == value
        names = dict(parse_qsl(reader.url.split("#")[1]))["have"].split(",")
        assert {source(name).form for name in names} == {form}
        again = reader.context.new_page()
        again.goto(reader.url)
        assert named(again) == named(reader)
        again.close()


def test_keyboard_alone_is_enough(reader: Page, site: str, answer: Any) -> None:
    """Tab from group to group, arrow keys within one; the focus stays where it was when the answer is new."""
    reader.goto(f"{site}/choose.html")
    field = "() => document.activeElement.closest('[data-field]')?.dataset.field ?? ''"
    for _ in range(60):
        reader.keyboard.press("Tab")
        if reader.evaluate(field) == "form":
            break
    assert reader.evaluate(field) == "form"
    reader.keyboard.press("ArrowRight")
    expect(reader.locator(".atlas-source")).to_contain_text("float32 tensor")
    assert reader.evaluate(field) == "form"
    assert reader.locator("[data-field=form] input:checked + span").inner_text() == "tensor"
    outline = "() => getComputedStyle(document.activeElement.nextElementSibling).outlineStyle"
    assert reader.evaluate(outline) == "solid"
    for _ in range(10):
        reader.keyboard.press("Tab")
        if reader.evaluate(field) == "memory":
            break
    reader.keyboard.press("ArrowRight")
    assert reader.evaluate(field) == "memory"
    assert named(reader) == first(answer("tensor-float32", memory="SHARE"))
    reader.keyboard.press("Tab")
    assert reader.evaluate(field) == "element"
    reader.keyboard.type("torch.float32")
    assert "dtype=torch." in reader.url


# --- links, files, environments ----------------------------------------------------------------


def test_address_holds_the_question(reader: Page, browser: Browser, site: str, answer: Any) -> None:
    """Who is sent it sees the same answer; who goes on to another link sees that one's."""
    reader.goto(f"{site}/choose.html")
    pick(reader, "form", "tensor")
    reader.locator("select[data-field=dtype]").select_option("torch.bfloat16")
    pick(reader, "kind", "an array")
    friend = browser.new_page()
    friend.goto(reader.url)
    assert named(friend) == named(reader) == first(answer("tensor-bfloat16", want="ARRAY"))
    assert "This link was made" not in notices(friend)
    friend.evaluate("hash => { location.hash = hash }", link("sequence-ints").partition("#")[2])
    wait_until(friend, "document.querySelector('.atlas-source').textContent.includes('list of ints')")
    assert named(friend) == first(answer("sequence-ints"))
    friend.close()


def test_address_of_nothing_asks_the_first_question(reader: Page, site: str) -> None:
    """An unknown source, parts of unlike kinds or that cannot go together, an anchor of the page."""
    reader.goto(f"{site}/choose.html")
    expected = named(reader)
    anchors = (
        "have=array-float31",
        "how-the-calls-are-ordered",
        "have=array-float32&want=NOTHING&memory=LESS",
        "have=array-float64,tensor-float32",
        "have=tensor-int64,tensor-requires-grad",
        "have=sequence-ints,sequence-floats",
    )
    for anchor in anchors:
        page = reader.context.new_page()
        page.goto(f"{site}/choose.html#{anchor}")
        assert named(page) == expected
        page.close()


@pytest.mark.parametrize(
    ("address", "missing"),
    [
        ("#have=array-float31", "have=array-float31"),
        ("#have=tensor-int64,tensor-requires-grad", "have=tensor-int64,tensor-requires-grad"),
        ("#have=array-float64&dtype=torch.float99", "dtype=torch.float99"),
        ("#have=array-float64&device=abacus", "device=abacus"),
        ("#have=array-float64&want=NOTHING&memory=LESS", "want=NOTHING, memory=LESS"),
        ("#have=array-float64&with=torch-9.9.9", "with=torch-9.9.9"),
        ("#have=array-float64&call=torch.nothing", "call=torch.nothing"),
        ("?have=array-float31&memory=SHARE", "have=array-float31"),
    ],
)
def test_address_that_asks_for_what_is_not_here_is_told(
    reader: Page, site: str, address: str, missing: str
) -> None:
    """The rest of the question is answered; who goes on to choose is told no more."""
    reader.goto(f"{site}/choose.html{address}")
    expect(reader.locator(".atlas-chooser .atlas-notice")).to_contain_text(
        f"The link asks for {missing}, which"
    )
    assert named(reader)
    pick(reader, "memory", "a copy")
    assert "asks for" not in notices(reader)


def test_link_that_wants_a_device_sets_it(reader: Page, site: str) -> None:
    """In the place of a kind of result; what no input is moved to stands at the top, and no call in bold."""
    reader.goto(f"{site}/choose.html#want=cuda")
    expect(reader.locator("select[data-field=target]")).to_have_value("cuda")
    assert notices(reader) == ""
    assert "cuda" in named(reader)[0]
    reader.goto(f"{site}/choose.html#want=abacus")
    notice = reader.locator(".atlas-chooser > .atlas-notice")
    expect(notice).to_contain_text("The link asks for want=abacus, which")
    box, form = notice.bounding_box(), reader.locator(".atlas-question").bounding_box()
    assert box is not None
    assert form is not None
    assert box["y"] < form["y"]
    weight = "node => getComputedStyle(node).fontWeight"
    assert reader.locator(".atlas-status strong").evaluate(weight) == "400"


def test_answer_is_in_view_on_a_phone(reader: Page, site: str) -> None:
    """Lists take the place of the options there; each choice changes it."""
    reader.set_viewport_size({"width": 390, "height": 844})
    reader.goto(f"{site}/choose.html")
    box = reader.locator(CARDS).first.locator(".atlas-call-head").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 844
    reader.locator("select[data-field=form]").select_option(label="tensor")
    reader.wait_for_url("**#have=tensor-float32&*")
    reader.locator("select[data-field=memory]").select_option(label="a copy")
    reader.wait_for_url("**&memory=COPY&*")


def test_query_holds_a_question_too(reader: Page, site: str, answer: Any) -> None:
    """Some programs drop what follows a hash; other words of a query are no question."""
    reader.goto(f"{site}/choose.html?have=array-float64&memory=COPY")
    assert named(reader) == first(answer("array-float64", memory="COPY"))
    for address in ("?from=newsletter", "#how-the-calls-are-ordered", ""):
        page = reader.context.new_page()
        page.goto(f"{site}/choose.html{address}")
        assert named(page)
        assert "asks for" not in notices(page)
        page.close()


def test_combination_that_ran_elsewhere_names_where(reader: Page, site: str) -> None:
    """A release that has not run it shows what the nearest one did, and does not say that it agreed."""
    ran = {name.partition("+")[0] for name in read_known().tried}
    if "torch-2.6.0" in ran:
        pytest.skip("torch 2.6 has run all combinations")
    reader.goto(f"{site}/{link('array-int16,array-transposed')}")
    assert "a run of the combination agreed" in reader.locator(".atlas-status").inner_text()
    reader.locator(".atlas-picker-button:visible").click()
    reader.locator("[data-atlas=torch]:visible").select_option("2.6.0")
    status = reader.locator(".atlas-status")
    expect(status).to_contain_text("with torch 2.6.0")
    assert "Not run in this environment: the result is from torch" in status.inner_text()
    assert "agreed" not in status.inner_text()
    assert "the result is from torch" in reader.locator(CARDS).first.locator(".atlas-call-rung").inner_text()


def test_combination_that_was_not_run_is_said_to_be_so(reader: Page, site: str, answer: Any) -> None:
    """Folded away after all that was run, without a cost and with its parts."""
    have = "array-float64,array-transposed,array-read-only"
    count = sum(one["fit"] == "UNRUN" for one in answer(have)["rest"])
    assert count
    reader.goto(f"{site}/{link(have)}")
    fold = reader.locator(".atlas-folded").last
    assert fold.locator("summary").inner_text() == f"Not run on this combination ({count})"
    fold.locator("summary").click()
    card = fold.locator(".atlas-call").first
    assert card.locator(".atlas-verdict").inner_text() == "? not run"
    assert card.locator(".atlas-call-cost").count() == 0
    assert card.locator(".atlas-call-proof").inner_text().startswith("Not run. The results of its parts: ")


def test_cells_that_do_not_come_are_said_to_be_missing(browser: Browser, site: str) -> None:
    """The answer stays that of the last question; whoever asks again gets it."""
    reader = browser.new_page()
    reader.goto(f"{site}/choose.html")
    expected = named(reader)
    reader.route("**/atlas-matrix-tensor.js?v=*", lambda route: route.abort())
    reader.locator("[data-field=form] label").filter(has_text="tensor").click()
    expect(reader.locator(".atlas-status")).to_contain_text("could not be loaded")
    assert named(reader) == expected
    reader.unroute("**/atlas-matrix-tensor.js?v=*")
    pick(reader, "form", "tensor")
    assert reader.locator(".atlas-status").inner_text().startswith("Call ")
    assert named(reader) != expected
    reader.close()


def test_question_of_the_cheat_sheet_opens_its_answer(reader: Page, site: str) -> None:
    """With the call of its line first."""
    reader.goto(f"{site}/reference/calls.html")
    reader.locator("table.atlas-decisions a[href$='have=tensor-bfloat16&want=ARRAY']").click()
    reader.wait_for_url("**/choose.html#**")
    assert named(reader)[0] == "x.float().numpy()"


def test_chooser_works_from_files(reader: Page, folder: Path) -> None:
    """Without a server, links and choices included."""
    reader.goto(f"{folder.as_uri()}/{link('tensor-float32', want='VALUE')}")
    assert named(reader) == ["x.tolist()"]
    pick(reader, "kind", "an array")
    assert named(reader)[0] == "x.numpy()"
    assert "want=ARRAY" in reader.url


def test_answer_is_that_of_the_chosen_environment(reader: Page, site: str) -> None:
    """The picker at the top of the page decides, and the newest comes back: torch 2.2 knows no uint16."""
    environments = recorded_table().environments
    if not any(str(torch_release(environment)).startswith("2.2") for environment in environments):
        pytest.skip("torch 2.2 has not tried the matrix")
    reader.goto(f"{site}/{link('array-uint16')}")
    assert named(reader)[0] == "torch.from_numpy(x)"
    reader.locator(".atlas-picker-button:visible").click()
    reader.locator("[data-atlas=torch]:visible").select_option("2.2.2")
    chosen = reader.evaluate("document.documentElement.dataset.atlasEnvironment")
    assert named(reader)[0] == "torch.from_numpy(x.astype(np.int32))"
    assert "with torch 2.2.2" in reader.locator(".atlas-status").inner_text()
    assert f"with={chosen.replace('+', '%2B')}" in reader.url
    reader.locator(".atlas-picker-reset:visible").click()
    assert named(reader)[0] == "torch.from_numpy(x)"


def test_link_names_the_environment_it_was_made_with(reader: Page, site: str) -> None:
    """Where the reader's own is another, a notice says whose answer the sender saw."""
    environments = recorded_table().environments
    if len(environments) < 2:
        pytest.skip("one environment has tried the matrix")
    other = environments[1]
    reader.goto(f"{site}/{link('array-float32', **{'with': other.id})}")
    shown = reader.evaluate("document.documentElement.dataset.atlasEnvironment")
    if shown == environments[0].id:
        assert f"This link was made with the answer of torch {torch_release(other)}" in notices(reader)
    pick(reader, "memory", "a copy")
    assert "This link was made" not in notices(reader)


# --- small windows, no script ------------------------------------------------------------------


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_page_fits_the_window(reader: Page, site: str, width: int) -> None:
    """Neither the longest code of a source nor an open fold-out makes it scroll sideways."""
    reader.set_viewport_size({"width": width, "height": 844})
    for name in (max(SOURCES, key=lambda s: len(s.code)).name, "array-packed-field", "tensor-requires-grad"):
        reader.goto(f"{site}/{link(name)}")
        wait_until(
            reader, "[...document.querySelectorAll('.atlas-folded ul')].every(list => list.children.length)"
        )
        reader.evaluate("document.querySelectorAll('details').forEach(node => { node.open = true; })")
        wider = reader.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wider <= 0, f"{name} is {wider} px wider than a window of {width} px"


def test_without_javascript_the_cheat_sheet_is_linked(browser: Browser, folder: Path) -> None:
    """And a sentence says why nothing can be chosen."""
    recorded_table()
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{folder.as_uri()}/choose.html")
    assert "JavaScript" in page.locator(".atlas-chooser .atlas-notice").inner_text()
    page.locator(".atlas-chooser a").click()
    page.wait_for_url("**/reference/calls.html")
    assert page.locator("table.atlas-decisions tbody tr").count() >= 12
    context.close()
