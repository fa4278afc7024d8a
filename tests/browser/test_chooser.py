"""The chooser in a browser: it ranks as the reference does, by mouse, keyboard, link and file."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page
from samples import ROOT

from tensor_atlas.catalogue import SOURCES, Form, Source
from tensor_atlas.history.releases import torch_release
from tensor_atlas.matrix.chooser import (
    GIVES,
    GOOD,
    SCOPE,
    CellSummary,
    ChooserTable,
    Memory,
    RankedCall,
    ResultKind,
    Want,
    build_chooser_table,
    possible_kinds,
    rank_calls,
    select_present_rows,
)
from tensor_atlas.model.runs import Environment
from tensor_atlas.records import store

QUESTIONS = 40
"""Drawn at random in each run."""
FILLED = "[...document.querySelectorAll('.atlas-folded ul')].every(list => list.children.length > 0)"
CARDS = ".atlas-results > ol > .atlas-call"


@cache
def of() -> ChooserTable:
    """What is recorded of the matrix."""
    committed = store.read_records(ROOT / "docs" / "records")
    if not committed.rows:
        pytest.skip("no row of the matrix has been recorded yet: nox -s record")
    return build_chooser_table(select_present_rows(committed.rows, committed.sources), committed.environments)


def source(name: str) -> Source:
    return next(source for source in SOURCES if source.name == name)


def best(have: str, want: Want, environment: Environment | None = None) -> list[str]:
    """Names of the calls that do it, by the reference."""
    there = (environment or of().environments[0]).id
    return [a.call.conversion.name for a in rank_calls(of(), source(have), want, there) if a.fit in GOOD]


@pytest.fixture
def reader(reader: Page) -> Page:
    """A reader of a site that has a chooser."""
    of()
    return reader


def named(page: Page) -> list[str]:
    """Conversions on the cards, in order."""
    names: list[str] = page.locator(CARDS).evaluate_all("nodes => nodes.map(node => node.dataset.conversion)")
    return names


def notices(page: Page) -> str:
    """What stands above the answer."""
    return " ".join(page.locator(".atlas-chooser .atlas-notice:visible").all_inner_texts())


def pick(page: Page, field: str, text: str) -> None:
    """Click an option by its words."""
    page.locator(f"[data-field={field}] label").filter(has=page.get_by_text(text, exact=True)).click()


def link(have: str, want: Want, **others: str) -> str:
    """The address of a question."""
    parts = {"have": have, "want": want.kind.name, "memory": want.memory.name, "dtype": want.element}
    return f"choose.html#{urlencode({key: value for key, value in {**parts, **others}.items() if value})}"


# --- the ranking -------------------------------------------------------------------------------


def list_results(have: Source, kind: ResultKind) -> list[CellSummary]:
    """What any environment has made of a source, where it is of this kind."""
    names = [conversion.name for conversion in SCOPE if kind in GIVES[conversion.group]]
    places = set()
    for cells in of().cells.values():
        places |= {cells[name][have.name] for name in names if have.name in cells.get(name, {})}
    results = [of().summaries[place] for place in sorted(places)]
    return [result for result in results if result.kind is kind]


def drawn(draw: random.Random) -> tuple[Source, Want, Environment]:
    """A question that the form can ask."""
    have = draw.choice(SOURCES)
    kind = draw.choice(possible_kinds(have.form))
    results = list_results(have, kind)
    elements = sorted({result.element for result in results})
    devices = sorted({result.device for result in results} - {""})
    memory = Memory.ANY if kind is ResultKind.VALUE else draw.choice(list(Memory))
    want = Want(kind, memory, draw.choice(["", *elements]), draw.choice(["", "", *devices]))
    return have, want, draw.choice(of().environments)


def told(answer: RankedCall) -> list[object]:
    name = answer.call.conversion.name
    return [name, answer.fit.name, list(answer.reasons), list(answer.cautions)]


def test_script_ranks_as_the_reference_does(reader: Page, site: str) -> None:
    """Every call, its verdict, its reasons and what to mind, in the same order."""
    reader.goto(f"{site}/choose.html")
    seed = random.randrange(1 << 32)
    draw = random.Random(seed)
    for _ in range(QUESTIONS):
        have, want, environment = drawn(draw)
        asked = [have.name, want.kind.name, want.memory.name, want.element, want.device, environment.id]
        answers = reader.evaluate("asked => window.atlasChooser.ask(...asked)", asked)
        expected = [told(answer) for answer in rank_calls(of(), have, want, environment.id)]
        assert answers == expected, f"seed {seed}: {asked}"


# --- the form ----------------------------------------------------------------------------------


def test_answer_follows_each_choice(reader: Page, site: str) -> None:
    """By mouse: kind, what is wanted, memory; the best call first, and how many do it."""
    reader.goto(f"{site}/choose.html")
    pick(reader, "form", "tensor")
    pick(reader, "kind", "an array")
    pick(reader, "memory", "share memory")
    expected = best("tensor-float32", Want(ResultKind.ARRAY, Memory.SHARE))
    assert named(reader) == expected[:6]
    status = reader.locator(".atlas-status")
    assert status.inner_text().startswith(f"{len(expected)} of ")
    assert status.get_attribute("aria-live") == "polite"


def test_every_call_is_told(reader: Page, site: str) -> None:
    """Those that do it and those that do not, folded, with the error where one was raised."""
    reader.goto(f"{site}/{link('array-reversed', Want(ResultKind.TENSOR, Memory.SHARE))}")
    answers = rank_calls(
        of(), source("array-reversed"), Want(ResultKind.TENSOR, Memory.SHARE), of().environments[0].id
    )
    reader.wait_for_function(f"document.querySelectorAll('.atlas-call').length === {len(answers)}")
    raised = next(answer for answer in answers if answer.call.summary.error)
    card = reader.locator(f".atlas-call[data-conversion='{raised.call.conversion.name}']")
    assert not card.is_visible()
    reader.evaluate("document.querySelectorAll('details').forEach(node => { node.open = true; })")
    assert raised.call.summary.error in card.inner_text()


def test_fold_out_is_filled_when_it_is_opened(reader: Page, site: str) -> None:
    """Even if the browser has found no time for it before."""
    reader.add_init_script("window.requestIdleCallback = () => {}")
    reader.goto(f"{site}/{link('array-reversed', Want(ResultKind.TENSOR, Memory.SHARE))}")
    fold = reader.locator(".atlas-folded").first
    assert fold.locator(".atlas-call").count() == 0
    fold.locator("summary").click()
    fold.locator(".atlas-call").first.wait_for(state="visible")


def test_call_leads_to_its_page(reader: Page, site: str) -> None:
    """At the source that was asked about."""
    reader.goto(f"{site}/{link('array-int8', Want())}")
    first = best("array-int8", Want())[0]
    card = reader.locator(CARDS).first
    assert card.locator("a").get_attribute("href") == f"matrix/conversion/{first}.html#array-int8"


@pytest.mark.parametrize("form", list(Form))
def test_only_sources_that_exist_are_offered(reader: Page, site: str, form: Form) -> None:
    """Whatever is chosen next, in whatever order, there is a source of it."""
    reader.goto(f"{site}/choose.html")
    pick(reader, "form", str(form))
    options = "node => [...node.options].map(option => option.value)"
    draw = random.Random(form)
    for _ in range(8):
        field = draw.choice(["device", "dtype", "flags", "source"])
        select = reader.locator(f"select[data-field={field}]")
        if not select.is_visible():
            continue
        select.select_option(draw.choice(select.evaluate(options)))
        name = reader.locator("select[data-field=source]").input_value()
        assert source(name).form is form
        for facet in ("device", "dtype"):
            assert reader.locator(f"select[data-field={facet}]").input_value() == getattr(source(name), facet)
        assert reader.locator(".atlas-source code").inner_text() == source(name).code
    offered = set(reader.locator("select[data-field=device]").evaluate(options))
    assert offered == {s.device for s in SOURCES if s.form is form}


def test_keyboard_alone_is_enough(reader: Page, site: str) -> None:
    """Tab from group to group, arrow keys within one; the focus stays where it was when the answer is new."""
    reader.goto(f"{site}/choose.html")
    field = "() => document.activeElement.closest('[data-field]')?.dataset.field ?? ''"
    for _ in range(60):
        reader.keyboard.press("Tab")
        if reader.evaluate(field) == "form":
            break
    assert reader.evaluate(field) == "form"
    reader.keyboard.press("ArrowRight")
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
    assert named(reader) == best("tensor-float32", Want(ResultKind.TENSOR, Memory.SHARE))[:6]
    reader.keyboard.press("Tab")
    assert reader.evaluate(field) == "element"
    reader.keyboard.type("torch.int8")
    assert named(reader) == best("tensor-float32", Want(ResultKind.TENSOR, Memory.SHARE, "torch.int8"))[:6]


# --- links, files, environments ----------------------------------------------------------------


def test_address_holds_the_question(reader: Page, browser: Browser, site: str) -> None:
    """Who is sent it sees the same answer; who goes on to another link sees that one's."""
    reader.goto(f"{site}/choose.html")
    pick(reader, "form", "tensor")
    reader.locator("select[data-field=dtype]").select_option("torch.bfloat16")
    pick(reader, "kind", "an array")
    friend = browser.new_page()
    friend.goto(reader.url)
    assert named(friend) == named(reader) == best("tensor-bfloat16", Want(ResultKind.ARRAY))[:6]
    assert "Whoever" not in notices(friend)
    friend.evaluate("hash => { location.hash = hash }", link("sequence-ints", Want()).partition("#")[2])
    friend.wait_for_function("document.querySelector('.atlas-source').textContent.includes('list of ints')")
    assert named(friend) == best("sequence-ints", Want())[:6]
    friend.close()


def test_address_of_nothing_asks_the_first_question(reader: Page, site: str) -> None:
    """An unknown source, or an anchor of the page."""
    reader.goto(f"{site}/choose.html")
    first = named(reader)
    for anchor in ("have=array-float31", "common-questions", "have=array-float32&want=NOTHING&memory=LESS"):
        page = reader.context.new_page()
        page.goto(f"{site}/choose.html#{anchor}")
        assert named(page) == first
        page.close()


def test_common_question_opens_its_answer(reader: Page, site: str) -> None:
    """A click in the table asks the form above."""
    reader.goto(f"{site}/choose.html")
    reader.locator("table.atlas-decisions a[href^='#have=array-float32&want=TENSOR&memory=STRICT']").click()
    reader.wait_for_function("document.querySelector('[data-field=memory] input:checked').value === '3'")
    assert named(reader) == best("array-float32", Want(ResultKind.TENSOR, Memory.STRICT))[:6]


def test_chooser_works_from_files(reader: Page, folder: Path) -> None:
    """Without a server, links and choices included."""
    reader.goto(f"{folder.as_uri()}/{link('tensor-float32', Want(ResultKind.VALUE))}")
    assert named(reader) == best("tensor-float32", Want(ResultKind.VALUE))[:6]
    pick(reader, "kind", "an array")
    assert named(reader) == best("tensor-float32", Want(ResultKind.ARRAY))[:6]
    assert "want=ARRAY" in reader.url


def test_answer_is_that_of_the_chosen_environment(reader: Page, site: str) -> None:
    """The picker at the top of the page decides, and the newest comes back."""
    others = [e for e in of().environments[1:] if torch_release(e) != torch_release(of().environments[0])]
    if not others:
        pytest.skip("one release has tried the matrix")
    have, want, environment = next(
        (s.name, Want(), e)
        for e in others
        for s in SOURCES
        if best(s.name, Want(), e)[:6] != best(s.name, Want())[:6]
    )
    reader.goto(f"{site}/{link(have, want)}")
    reader.locator(".atlas-picker-button:visible").click()
    reader.locator("[data-atlas=torch]:visible").select_option(str(torch_release(environment)))
    chosen = reader.evaluate("document.documentElement.dataset.atlasEnvironment")
    there = next(e for e in of().environments if e.id == chosen)
    assert named(reader) == best(have, want, there)[:6]
    assert f"with torch {torch_release(there)}" in reader.locator(".atlas-status").inner_text()
    assert f"with={chosen.replace('+', '%2B')}" in reader.url
    reader.locator(".atlas-picker-reset:visible").click()
    assert named(reader) == best(have, want)[:6]


def test_link_names_the_environment_it_was_made_with(reader: Page, site: str) -> None:
    """Where the reader's own is another, a notice says whose answer the sender saw."""
    if len(of().environments) < 2:
        pytest.skip("one environment has tried the matrix")
    other = of().environments[1]
    reader.goto(f"{site}/{link('array-float32', Want(), **{'with': other.id})}")
    shown = reader.evaluate("document.documentElement.dataset.atlasEnvironment")
    if shown == of().environments[0].id:
        assert f"Whoever made this link saw the answer with torch {torch_release(other)}" in notices(reader)
    pick(reader, "memory", "a copy")
    assert "Whoever" not in notices(reader)


# --- small windows, no script ------------------------------------------------------------------


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_page_fits_the_window(reader: Page, site: str, width: int) -> None:
    """Neither the longest code of a source nor an open fold-out makes it scroll sideways."""
    reader.set_viewport_size({"width": width, "height": 844})
    for name in (max(SOURCES, key=lambda s: len(s.code)).name, "array-packed-field", "tensor-requires-grad"):
        reader.goto(f"{site}/{link(name, Want())}")
        reader.wait_for_function(
            "[...document.querySelectorAll('.atlas-folded ul')].every(list => list.children.length)"
        )
        reader.evaluate("document.querySelectorAll('details').forEach(node => { node.open = true; })")
        wider = reader.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wider <= 0, f"{name} is {wider} px wider than a window of {width} px"


def test_without_javascript_common_questions_are_answered(browser: Browser, folder: Path) -> None:
    """The table is there, and a sentence says why nothing can be chosen."""
    of()
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{folder.as_uri()}/choose.html")
    assert "JavaScript" in page.locator(".atlas-chooser .atlas-notice").inner_text()
    rows = page.locator("table.atlas-decisions tbody tr")
    assert rows.count() >= 12
    first = best("array-float32", Want(ResultKind.TENSOR, Memory.SHARE))[0]
    assert rows.first.locator("td").nth(2).locator("a").get_attribute("href") == (
        f"matrix/conversion/{first}.html#array-float32"
    )
    context.close()
