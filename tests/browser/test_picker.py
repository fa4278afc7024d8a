"""The picker: a page shows what the chosen environment gave, and nothing else of it changes.

What it must show is read from the committed records, not from the page.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from attacks_count import chances, is_full
from committed import committed_evidence as evidence
from playwright.sync_api import Browser, Page, expect
from samples import ROOT
from waiting import wait_until

from tensor_atlas.compare import answers
from tensor_atlas.compare.evidence import ExampleEvidence
from tensor_atlas.history.own_lines import without_own_lines
from tensor_atlas.history.patterns import read_pattern
from tensor_atlas.history.releases import (
    USUAL_PYTHON,
    find_environment,
    is_compatible,
    newest_environment,
    python_minor,
)
from tensor_atlas.model.runs import Environment, Observation, Run, Status

CHOSEN = "2.2.2"
"""The release that the tests choose; some examples do as ever with it, some say otherwise, some end early."""
NOT_REACHED = "Not reached: the run ended further up."
NOT_MEASURED = "Not measured: not every statement of this block ran to its end."
SAMPLE = 3
"""Pages of each kind that are looked at from a server; from files all are that differ."""
ALIKE = 40
"""Pages that do not differ, looked at from files."""


# --- what the records say ------------------------------------------------------------------------


@cache
def chosen() -> Environment:
    """The recorded environment of that release, with the NumPy that fits it."""
    found = find_environment(CHOSEN, evidence().store.environments.values())
    assert found is not None
    return found


@cache
def shown_by_default() -> Environment:
    found = newest_environment(evidence().store.environments.values())
    assert found is not None
    return found


def run_in(shown: ExampleEvidence, environment: Environment) -> Run | None:
    """Run of an example in one environment."""
    return next((run for e, run in shown.runs if e.id == environment.id), None)


def told(run: Run, index: int) -> tuple[object, ...] | None:
    """Everything a reader can tell about a statement; None where the run never came to it."""
    if index >= len(run.observations):
        return None
    o = run.observations[index]
    if o.unmade is not None:
        return (o.unmade,)
    raised = o.raised and (o.raised.type, o.raised.message)
    caught = tuple((c.type, c.printed) for c in o.caught if c.printed)
    return (
        o.stdout,
        o.stderr,
        o.warnings,
        caught,
        raised,
        ends_at(run, index) if not raised else "",
    )


def ends_at(run: Run, index: int) -> str:
    """How the process of a run ended at its last statement without an exception; empty at any other."""
    if index != len(run.observations) - 1 or run.status is Status.COMPLETED:
        return ""
    return run.stopped if run.status is Status.RAISED else f"{run.status}: {run.reason}"


def new_sharing(run: Run, index: int) -> object:
    """New sharing after a block, with what a page says of it; None if the block never finished."""
    if index >= len(run.snapshots) or run.snapshots[index].broken:
        return None
    snapshot = run.snapshots[index]
    whole = [one for one in run.snapshots[:index] if not one.broken]
    before = whole[-1].shares if whole else ()
    buffers = {
        v.name: (snapshot.buffers[v.buffer].nbytes, v.device) for v in snapshot.values if v.buffer is not None
    }
    return [(names, buffers[names[0]]) for names in snapshot.shares if names not in before]


def lines_of(o: Observation) -> list[str]:
    """Lines that a page shows of a statement without an uncaught error, but for blank ones."""
    text = "\n".join([o.stdout, *(w.message for w in o.warnings), o.stderr])
    return [line.strip() for line in text.split("\n") if line.strip()]


def comparable() -> dict[str, ExampleEvidence]:
    """Examples that both the newest release and the chosen one have run."""
    return {
        name: shown
        for name, shown in evidence().pages.items()
        if shown.environment is not None
        and shown.environment.id == shown_by_default().id
        and run_in(shown, chosen()) is not None
    }


def differing(shown: ExampleEvidence, environment: Environment) -> set[int]:
    """Statements that the environment's run came to, and at which it did otherwise than the newest."""
    theirs = run_in(shown, environment)
    assert shown.run is not None
    assert theirs is not None
    reached = range(len(theirs.observations))
    return {index for index in reached if told(theirs, index) != told(shown.run, index)}


@cache
def list_kinds() -> dict[str, list[str]]:
    """Examples that do alike in the chosen release, those that say otherwise, and those that end early."""
    kinds: dict[str, list[str]] = {}
    for name, shown in comparable().items():
        run = run_in(shown, chosen())
        assert run is not None
        kind = (
            "short"
            if run.status is not Status.COMPLETED
            else "other"
            if differing(shown, chosen())
            else "same"
        )
        kinds.setdefault(kind, []).append(name)
    assert set(kinds) == {"short", "other", "same"}
    return kinds


def sampled() -> list[str]:
    """Some examples of each kind."""
    return [name for names in list_kinds().values() for name in names[:SAMPLE]]


@cache
def list_drawn() -> list[str]:
    """All examples that differ in the chosen release, and some that do alike; all of these in a full run."""
    kinds = list_kinds()
    alike = kinds["same"] if is_full() else chances().sample(kinds["same"], ALIKE)
    return [*kinds["other"], *kinds["short"], *alike]


# --- what a page shows ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """What a reader sees at a statement, or after a block."""

    text: str
    """All of it."""
    lines: tuple[str, ...]
    """Captured lines, without blank ones."""
    labels: tuple[str, ...]
    """What each box is called."""


@dataclass(frozen=True)
class Seen:
    """What a reader sees on an example's page."""

    statements: dict[int, Place]
    blocks: dict[int, Place]
    rest: str
    """Text of the page without these and without notices."""
    notices: tuple[str, ...]


READ = """() => {
  const isSeen = node => node.getClientRects().length > 0;
  const place = outer => {
    const parts = [...outer.querySelectorAll(':scope > .atlas-outcome')].filter(node => !node.hidden);
    const boxes = parts.flatMap(part => [...part.querySelectorAll(':scope > .atlas-captured')])
      .filter(box => !box.matches('.atlas-drift, .atlas-known, .atlas-expected'));
    const texts = boxes.flatMap(box => box.querySelector('pre').textContent.split('\\n'));
    const lines = texts.map(line => line.trim());
    return {
      text: parts.map(part => part.innerText).join('\\n').trim(),
      lines: lines.filter(line => line),
      labels: boxes.map(box => box.querySelector('.atlas-label').textContent.trim()),
    };
  };
  const places = key => Object.fromEntries(
    [...document.querySelectorAll(`.atlas-outcomes[data-${key}]`)]
      .map(node => [node.dataset[key], place(node)]));
  const copy = document.querySelector('article').cloneNode(true);
  copy.querySelectorAll('.atlas-outcomes, .atlas-chosen').forEach(node => node.remove());
  const notices = [...document.querySelectorAll('article .atlas-chosen.atlas-notice')].filter(isSeen);
  return {
    statements: places('statement'),
    blocks: places('block'),
    rest: copy.textContent,
    notices: notices.map(node => node.textContent),
  };
}"""


def read(page: Page) -> Seen:
    """What a page shows now."""
    found = page.evaluate(READ)

    def places(key: str) -> dict[int, Place]:
        return {
            int(number): Place(place["text"], tuple(place["lines"]), tuple(place["labels"]))
            for number, place in found[key].items()
        }

    return Seen(places("statements"), places("blocks"), found["rest"], tuple(found["notices"]))


def choose(page: Page, torch: str, numpy: str = "") -> None:
    """Choose a release in the picker, and then a NumPy."""
    page.locator(".atlas-picker-button:visible").click()
    page.locator("[data-atlas=torch]:visible").select_option(torch)
    if numpy:
        page.locator("[data-atlas=numpy]:visible").select_option(numpy)
    page.keyboard.press("Escape")


def back_to_newest(page: Page) -> None:
    """Press the picker's button for that."""
    page.locator(".atlas-picker-button:visible").click()
    page.locator(".atlas-picker-reset:visible").click()


def page_of(origin: str, name: str) -> str:
    """Address of an example's page."""
    return f"{origin}/gallery/{name}.html"


# --- exactly the outputs that differ -------------------------------------------------------------


CHAPTERS = sorted({path.parent.name for path in (ROOT / "examples").glob("*/*.py")})


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_choice_changes_exactly_the_outputs_that_differ(reader: Page, folder: Path, chapter: str) -> None:
    """At each statement and after each block: what the release gave where it differs, else the same text."""
    names = [name for name in list_drawn() if name.startswith(f"{chapter}/")]
    if not names:
        pytest.skip("no example of this chapter was drawn: it has not run in both, or does alike")
    for name in names:
        check_choice(reader, folder.as_uri(), name)


def test_choice_does_the_same_from_a_server(reader: Page, site: str) -> None:
    """On some pages of each kind."""
    names = sampled()
    assert len(names) > SAMPLE
    for name in names:
        check_choice(reader, site, name)


def check_choice(reader: Page, origin: str, name: str) -> None:
    """Hold a page against the records of the chosen release."""
    reader.goto(page_of(origin, name))
    before = read(reader)
    choose(reader, CHOSEN)
    check(evidence().pages[name], chosen(), before, read(reader))
    back_to_newest(reader)


def test_incompatible_install_shows_what_it_does(reader: Page, site: str) -> None:
    """A NumPy that does not fit its torch can be chosen; its outputs then stand under the statements."""
    incompatible = next(e for e in evidence().store.environments.values() if not is_compatible(e))
    names = [name for name, shown in comparable().items() if run_in(shown, incompatible) is not None]
    torch = incompatible.torch.split("+")[0]
    for name in names[:SAMPLE]:
        reader.goto(page_of(site, name))
        before = read(reader)
        choose(reader, torch, incompatible.numpy)
        assert "cannot use this NumPy" in reader.locator(".atlas-picker-note").first.text_content()  # type: ignore[operator]
        check(evidence().pages[name], incompatible, before, read(reader))
        back_to_newest(reader)


def check(shown: ExampleEvidence, environment: Environment, before: Seen, after: Seen) -> None:
    """Hold a page against the records of the environment that was chosen."""
    run = run_in(shown, environment)
    assert run is not None
    other = differing(shown, environment)
    where = f"{shown.example.name} in {environment.id}"
    assert after.rest == before.rest, where
    (notice,) = after.notices
    assert notice.startswith(
        f"You see the output of torch {environment.torch.split('+')[0]}, NumPy {environment.numpy}"
    )
    assert set(after.statements) == set(before.statements), where
    shows = {i for i in other if run.observations[i].unmade is None}
    assert shows <= set(after.statements), where
    for index, place in after.statements.items():
        at = f"statement {index} of {where}: {shown.example.statements[index].code}"
        if index >= len(run.observations):
            assert place.text == NOT_REACHED, at
        elif index not in other or is_blank(run, index, before, place):
            assert place == before.statements[index], at
        else:
            assert place != before.statements[index], at
            check_statement(shown, run, index, place, at)
    check_blocks(shown, run, before, after)


def is_blank(run: Run, index: int, before: Seen, after: Place) -> bool:
    """Whether a statement lacked a name, and has nothing to show for the newest environment either."""
    return run.observations[index].unmade is not None and not (before.statements[index].text or after.text)


def check_statement(shown: ExampleEvidence, run: Run, index: int, place: Place, at: str) -> None:
    """Hold what a statement shows against what it did; who else did so stays in the fold-out."""
    assert "recorded with" not in place.text, at
    observation = without_own_lines(run.observations[index], shown.example.name)
    if observation.unmade is not None:
        line = shown.example.statements[observation.unmade.statement].line
        assert place.lines[0] == f"`{observation.unmade.name}` was not made: line {line} raised", at
        return
    expected = lines_of(observation)
    assert list(place.lines[: len(expected)]) == expected, at
    rest = list(place.lines[len(expected) :])
    if observation.raised is not None:
        assert place.labels[-1].startswith(f"Error: {observation.raised.type}, uncaught"), at
        assert rest[0] == "Traceback (most recent call last):", at
        message = "\n".join(line.strip() for line in observation.raised.message.split("\n")).strip()
        assert message in "\n".join(rest), at
    elif ends_at(run, index):
        assert rest == [ends_at(run, index)], at
    else:
        assert rest == ([] if expected else ["(nothing)"]), at
    caught = [f"Error: {error.type}" for error in observation.caught if error.printed]
    for told in (*caught, *(f"Warning: {warned.category}" for warned in observation.warnings)):
        assert any(label.partition(",")[0] == told for label in place.labels), (
            at
        )  # a long one tells its lines, too


def check_blocks(shown: ExampleEvidence, run: Run, before: Seen, after: Seen) -> None:
    """Hold what is said about memory against what was measured."""
    assert shown.run is not None
    assert set(after.blocks) == set(before.blocks)
    for index in range(len(shown.example.blocks)):
        theirs, ours = new_sharing(run, index), new_sharing(shown.run, index)
        at = f"block {index} of {shown.example.name}"
        if theirs is None:
            assert index not in after.blocks or after.blocks[index].text == NOT_MEASURED, at
        elif theirs == ours and run.snapshots[index].values != shown.run.snapshots[index].values:
            # The map may lack what an error kept from being made.
            assert index not in after.blocks or "recorded with" not in after.blocks[index].text, at
        elif theirs == ours:
            assert after.blocks.get(index) == before.blocks.get(index), at
        else:
            assert after.blocks[index].text != before.blocks[index].text, at
            assert "recorded with" not in after.blocks[index].text, at
            assert ("Measured after the block:" in after.blocks[index].text) == bool(theirs), at


def test_choice_changes_exactly_the_answers_that_differ(reader: Page, origin: str) -> None:
    """In the decision table; an answer that only others give says whether a run ended early or is missing."""
    text = (ROOT / "docs" / "decisions.toml").read_text(encoding="utf-8")
    asked = [entry["evidence"] for entry in tomllib.loads(text)["decisions"]]
    texts = "nodes => nodes.map(node => node.innerText.trim())"
    place = ".atlas-decisions .atlas-answers"
    reader.goto(f"{origin}/reference/calls.html")
    before = reader.locator(place).evaluate_all(texts)
    choose(reader, CHOSEN)
    after = reader.locator(place).evaluate_all(texts)
    assert len(after) == len(before) == len(asked)
    changed = 0
    for question, then, now in zip(asked, before, after, strict=True):
        others = [
            o
            for o in answers.find_other_answers(evidence(), question, "")
            if chosen() in at_any_day(o.environments)
        ]
        words = others[0].reading.words if others else answers.read_answer(evidence(), question, "").words
        assert now.split(" ", 1)[1] == words, question  # behind a sign
        assert (now == then) is not bool(others), question
        changed += bool(others)
    assert 0 < changed < len(asked)
    back_to_newest(reader)
    assert reader.locator(place).evaluate_all(texts) == before


def at_any_day(environments: tuple[Environment, ...]) -> list[Environment]:
    """The committed environments that these are, whose own days are those of a run."""
    return [
        evidence().store.environments[e.id] for e in environments if e.id in evidence().store.environments
    ]


# --- the choice ----------------------------------------------------------------------------------


def load_with_storage(page: Page, load: Callable[[], object]) -> None:
    """Load a page until the browser hands it what is stored.

    Beside a load of four browsers, Debian's Chromium 156 gave some pages opened as files a storage without
    the choice while another tab still read it there; one load later they read it, too. It may also come after
    the page's script has looked for it: so the load that counts is one more.
    """
    for _ in range(5):
        load()
        if page.evaluate("'atlas-environment' in localStorage"):
            load()
            return


def test_choice_is_kept(reader: Page, origin: str) -> None:
    """In a new tab, on the next page and on its reload, until it is taken back."""
    first, second = sampled()[:2]
    reader.goto(page_of(origin, first))
    choose(reader, CHOSEN)
    # The new tab first: it hears of a choice that the browser has not written yet when it opens.
    tab = reader.context.new_page()
    load_with_storage(tab, lambda: tab.goto(f"{origin}/index.html"))
    expect(tab.locator(".atlas-picker-button:visible")).to_have_text(f"torch {CHOSEN}")
    button = reader.locator(".atlas-picker-button:visible")
    load_with_storage(reader, lambda: reader.goto(page_of(origin, second)))
    expect(button).to_have_text(f"torch {CHOSEN}")
    load_with_storage(reader, reader.reload)
    expect(button).to_have_text(f"torch {CHOSEN}")
    assert CHOSEN in read(reader).notices[0]
    back_to_newest(tab)
    tab.reload()
    newest_release = shown_by_default().torch.split("+")[0]
    expect(tab.locator(".atlas-picker-button:visible")).to_have_text(f"torch {newest_release}")
    wait_until(reader, "() => !document.querySelector('.atlas-notice')")  # the other tab has taken it back


def test_page_that_hears_of_a_choice_writes_nothing(reader: Page, origin: str) -> None:
    """What it could write is what it read, which may be older than what it hears."""
    reader.goto(page_of(origin, sampled()[0]))
    hear = """id => window.dispatchEvent(
        new StorageEvent("storage", { key: "atlas-environment", newValue: id })
    )"""
    stored = "() => localStorage.getItem('atlas-environment')"
    button = reader.locator(".atlas-picker-button:visible")
    reader.evaluate(hear, chosen().id)
    expect(button).to_have_text(f"torch {CHOSEN}")
    assert reader.evaluate(stored) is None
    choose(reader, CHOSEN)
    reader.evaluate(hear, None)
    newest_release = shown_by_default().torch.split("+")[0]
    expect(button).to_have_text(f"torch {newest_release}")
    assert reader.evaluate(stored) == chosen().id


def test_environment_without_a_record_says_so(reader: Page, origin: str) -> None:
    """Why, and whose output stands there instead; nothing is shown as the chosen one's."""
    shown = next(s for s in evidence().pages.values() if chosen().id in {e.id for e, _ in s.not_run})
    reader.goto(page_of(origin, shown.example.name))
    before = read(reader)
    choose(reader, CHOSEN)
    after = read(reader)
    reason = {e.id: why for e, why in shown.not_run}[chosen().id]
    (notice,) = after.notices
    assert notice.startswith(f"No record of torch {CHOSEN}, NumPy {chosen().numpy}, ")
    assert f": this example {reason}." in notice
    assert ("What follows is the output of" in notice) is (shown.run is not None)
    assert (after.statements, after.blocks, after.rest) == (before.statements, before.blocks, before.rest)


def test_newest_restores_the_page_exactly(reader: Page, site: str) -> None:
    """Not one character of the page's own part is another, after two choices."""
    for name in sampled():
        reader.goto(page_of(site, name))
        before = reader.locator("article").inner_html()
        choose(reader, CHOSEN)
        choose(reader, "1.13.1")
        assert reader.locator("article").inner_html() != before
        back_to_newest(reader)
        assert reader.locator("article").inner_html() == before


def test_message_that_the_chosen_release_lacks_is_marked(reader: Page, site: str) -> None:
    """In the error index, and only there."""
    reader.goto(f"{site}/reference/errors.html")
    choose(reader, CHOSEN)
    ids = reader.locator("[data-environments]:has(.atlas-message)").get_attribute("data-environments")
    marked = reader.locator(".atlas-message[data-pattern]").evaluate_all(
        "nodes => nodes.map(n => [n.dataset.pattern, n.textContent.includes('Not seen with torch')])"
    )
    place = (ids or "").split().index(chosen().id)
    assert len(marked) > SAMPLE
    assert [is_marked for _, is_marked in marked] == [read_pattern(text)[place] is None for text, _ in marked]
    assert {is_marked for _, is_marked in marked} == {True, False}


def test_picker_offers_every_recorded_environment(reader: Page, site: str) -> None:
    """Each torch, and with it each NumPy; one that fits is chosen with it."""
    reader.goto(f"{site}/index.html")
    reader.locator(".atlas-picker-button:visible").click()
    options = "node => [...node.options].map(option => option.value)"
    torches = reader.locator("[data-atlas=torch]:visible").evaluate(options)
    known: dict[str, list[Environment]] = {}
    for environment in evidence().store.environments.values():
        known.setdefault(environment.torch.split("+")[0], []).append(environment)
    assert set(known) <= set(torches)  # and this build's own
    for torch, environments in known.items():
        reader.locator("[data-atlas=torch]:visible").select_option(torch)
        numpies = reader.locator("[data-atlas=numpy]:visible").evaluate(options)
        assert {environment.numpy for environment in environments} <= set(numpies)
        note = reader.locator(".atlas-picker-note:visible").inner_text()
        assert ("cannot use this NumPy" in note) is not any(map(is_compatible, environments))


def test_python_is_chosen_where_one_install_was_recorded_with_several(reader: Page, site: str) -> None:
    """And named where it is an unusual one; elsewhere there is nothing to choose."""
    installs: dict[tuple[str, str, str], list[Environment]] = {}
    for environment in evidence().store.environments.values():
        installs.setdefault((environment.torch, environment.numpy, environment.device), []).append(
            environment
        )
    (torch, numpy, _), several = next(item for item in installs.items() if len(item[1]) > 1)
    assert {python_minor(environment) == USUAL_PYTHON for environment in several} == {True, False}
    name = next(name for name in sampled() if all(run_in(evidence().pages[name], e) for e in several))
    reader.goto(page_of(site, name))
    chosen_id = "() => document.documentElement.dataset.atlasEnvironment"
    for environment in several:
        choose(reader, torch.split("+")[0], numpy)
        reader.locator(".atlas-picker-button:visible").click()
        reader.locator("[data-atlas=python]:visible").select_option(python_minor(environment))
        assert reader.evaluate(chosen_id) == environment.id
        words = reader.locator(".atlas-picker-button:visible").get_attribute("aria-label") or ""
        assert (f", Python {python_minor(environment)}," in words) is (
            python_minor(environment) != USUAL_PYTHON
        )
        reader.keyboard.press("Escape")
    choose(reader, CHOSEN)
    reader.locator(".atlas-picker-button:visible").click()
    assert reader.locator("[data-atlas=python]:visible").is_disabled()


# --- by keyboard, on a phone, without JavaScript -------------------------------------------------


def test_keyboard_alone_is_enough(reader: Page, site: str) -> None:
    """Tab to the button, Enter, Tab to the list, an arrow key; Escape leads back to the button."""
    reader.goto(page_of(site, sampled()[0]))
    focused = "() => document.activeElement.className + ' ' + (document.activeElement.dataset.atlas ?? '')"
    for _ in range(40):
        reader.keyboard.press("Tab")
        if "atlas-picker-button" in reader.evaluate(focused):
            break
    assert "atlas-picker-button" in reader.evaluate(focused)
    panel = reader.locator(".atlas-picker-panel:visible")
    assert panel.count() == 0
    reader.keyboard.press("Enter")
    assert panel.count() == 1
    button = reader.locator(".atlas-picker-button:visible")
    assert button.get_attribute("aria-expanded") == "true"
    reader.keyboard.press("Tab")
    assert reader.evaluate(focused).endswith(" torch")
    reader.keyboard.press("ArrowDown")
    releases = reader.locator("[data-atlas=torch]:visible")
    assert releases.evaluate("node => node.selectedIndex") == 1
    assert button.inner_text() == f"torch {releases.input_value()}"
    assert releases.input_value() in read(reader).notices[0]
    reader.keyboard.press("Escape")
    assert panel.count() == 0
    assert button.get_attribute("aria-expanded") == "false"
    assert "atlas-picker-button" in reader.evaluate(focused)
    name = button.get_attribute("aria-label") or ""
    assert button.inner_text() in name  # who speaks to a computer says what is written there


def test_click_elsewhere_closes_the_panel(reader: Page, site: str) -> None:
    """And changes nothing."""
    reader.goto(f"{site}/index.html")
    reader.locator(".atlas-picker-button:visible").click()
    assert reader.locator(".atlas-picker-panel:visible").count() == 1
    reader.locator("article h1").click()
    assert reader.locator(".atlas-picker-panel:visible").count() == 0


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_panel_fits_the_window(reader: Page, site: str, width: int) -> None:
    """No sideways scrolling with the panel open and a release chosen, and the panel is inside the window."""
    reader.set_viewport_size({"width": width, "height": 844})
    for name in sampled()[::SAMPLE]:
        reader.goto(page_of(site, name))
        reader.locator(".atlas-picker-button:visible").click()
        reader.locator("[data-atlas=torch]:visible").select_option(CHOSEN)
        reader.evaluate("document.querySelectorAll('details').forEach(node => { node.open = true; })")
        box = reader.locator(".atlas-picker-panel:visible").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        wider = reader.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wider <= 0, f"{name} is {wider} px wider than a window of {width} px"


@pytest.mark.parametrize("end", ["%", "100%", "%E0%A4%A"])
@pytest.mark.parametrize("name", ["reference/errors.html", "matrix/conversion/torch-from-numpy-x.html"])
def test_end_of_an_address_that_is_no_encoded_text_leaves_the_picker(
    reader: Page, origin: str, name: str, end: str
) -> None:
    """It leads nowhere, and every script of the page runs."""
    reader.goto(f"{origin}/{name}#{end}")
    expect(reader.locator(".atlas-picker-button").first).to_be_visible()
    reader.evaluate("end => { location.hash = `x${end}`; }", end)
    expect(reader.locator(".atlas-picker-button").first).to_be_visible()


def test_without_javascript_the_newest_is_shown(browser: Browser, origin: str) -> None:
    """There is no picker, the other answers are hidden, and a click on a fold-out shows what others gave."""
    shown = next(s for name, s in comparable().items() if name in sampled() and differing(s, chosen()))
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(page_of(origin, shown.example.name))
    assert page.locator(".atlas-picker:visible").count() == 0
    assert page.locator(".atlas-notice").count() == 0
    fold = page.locator(f".atlas-outcomes[data-statement='{min(differing(shown, chosen()))}'] > details")
    other = fold.locator(f".atlas-outcome[data-environments~='{chosen().id}']")
    assert not other.is_visible()
    fold.locator("summary").click()
    assert other.is_visible()
    page.goto(f"{origin}/index.html")
    assert page.locator(".atlas-answers [data-environments]").count() > 0
    assert page.locator(".atlas-answers [data-environments]:visible").count() == 0
    assert page.locator(".atlas-answer:visible").count() > 0
    context.close()
