"""The page *Your machine*: what it lists of a comparison, what it refuses, what it keeps."""

from __future__ import annotations

import copy
import functools
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from committed import committed_evidence as evidence
from playwright.sync_api import FilePayload, Page, expect

from tensor_atlas.compare.own_machine import (
    COMPARISON,
    compare_capture,
    encode_comparison,
    find_nearest,
    list_environments,
    read_capture,
)
from tensor_atlas.compare.packed_records import pack_records
from tensor_atlas.history.releases import find_environment
from tensor_atlas.model.capture import Capture, encode_capture
from tensor_atlas.model.cells import Tried
from tensor_atlas.model.runs import Environment, Run, Status
from tensor_atlas.records.matrix_rows import Row

SHARES = "01_numpy_to_tensor/from_numpy"
READ_ONLY = "13_errors/read_only_array"


def recorded(name: str) -> tuple[Environment, dict[str, Run]]:
    """An environment with the runs that are recorded of it."""
    environment = find_environment(name, evidence().store.environments.values())
    assert environment is not None
    records = evidence().store.records
    return environment, {n: r.runs[environment.id] for n, r in records.items() if environment.id in r.runs}


def capture_of(name: str, *, matrix: bool = False) -> Any:
    """A capture that says what is recorded of an environment."""
    environment, runs = recorded(name)
    cells = (
        {name: tried_cells(row, environment) for name, row in evidence().store.rows.items()} if matrix else {}
    )
    capture = Capture(environment, tuple(runs.values()), {}, cells=cells)
    return json.loads(json.dumps(encode_capture(capture)))


def tried_cells(row: Row, environment: Environment) -> dict[str, Tried]:
    """Cells of a row that are recorded of an environment, with the digests of their code."""
    sources = evidence().store.sources
    cells = row.cells.get(environment.id, {})
    return {source: Tried((row.code, sources[source]), cell) for source, cell in cells.items()}


@functools.cache
def packed() -> dict[str, Any]:
    """The records that the archive carries."""
    return pack_records(evidence())


def compared(capture: Any) -> Any:
    """A capture with what the archive writes into it."""
    environments = list_environments(packed())
    ran = read_capture(capture)
    nearest = find_nearest(environments, ran.environment, packed()["misfits"])
    assert nearest is not None
    comparison = compare_capture(packed(), evidence().examples, ran, nearest)
    return {**capture, COMPARISON: json.loads(json.dumps(encode_comparison(comparison)))}


def run_of(capture: Any, example: str) -> Any:
    """One run in a capture."""
    return next(run for run in capture["runs"] if run["example"] == example)


@pytest.fixture
def page(reader: Page, folder: Path) -> Page:
    """The page, opened as a file, as a reader without a server has it."""
    reader.goto((folder / "your_machine.html").as_uri())
    return reader


SAID = re.compile(r"^(?!Still reading).*\.", re.DOTALL)
KEPT = re.compile(r"^(?!Still reading|.*This browser stores nothing).*\.", re.DOTALL)


def give(page: Page, content: str, *, says: re.Pattern[str] = KEPT) -> str:
    """What the page says of a file when that is stored: whoever leaves earlier undoes it."""
    page.evaluate("document.querySelector('.atlas-machine-status').textContent = ''")
    chosen = FilePayload(name="capture.json", mimeType="application/json", buffer=content.encode())
    page.locator(".atlas-machine input").set_input_files(chosen)
    status = page.locator(".atlas-machine-status")
    expect(status).to_have_text(says)
    return status.inner_text()


def listed(page: Page) -> list[tuple[str, str, str]]:
    """Severity, example and statement of each difference, in order of the page."""
    script = """all => all.map(item => [
        item.closest("details").dataset.severity, item.dataset.example, item.dataset.statement])"""
    found = page.locator(".atlas-machine-change").evaluate_all(script)
    return [(severity, example, statement) for severity, example, statement in found]


def test_capture_like_the_record_has_no_difference(page: Page) -> None:
    """Each example that ran there and is as it was counts as compared; those that did not run say why."""
    capture = capture_of("2.13.0/2.4.6")
    today = {name: example.digest for name, example in evidence().examples.items()}
    same = [run for run in capture["runs"] if run["digest"] == today.get(run["example"])]
    ran = sum(run["status"] != Status.NOT_RUN for run in same)
    words = give(page, json.dumps(compared(capture)))
    assert words.endswith(f": 0 differences in {ran} examples that both ran.")
    assert listed(page) == []


def shared_names(run: Any) -> set[tuple[str, ...]]:
    """Groups of names that share memory after any block, where each is a pair."""
    groups = {tuple(group) for seen in run.get("snapshots", ()) for group in seen.get("shares", ())}
    return groups if all(len(group) == 2 for group in groups) else set()


def plant(capture: Any) -> list[tuple[str, str, str]]:
    """Change five things in a capture; the differences that must be listed."""
    first = run_of(capture, SHARES)
    place = next(
        i for i, seen in enumerate(first["observations"]) if seen.get("stdout") and "caught" not in seen
    )
    first["observations"][place]["stdout"] = "something else"
    pair = next(run for run in capture["runs"] if run["example"] != SHARES and len(shared_names(run)) == 1)
    for snapshot in pair["snapshots"]:
        snapshot["shares"] = []
    errors = run_of(capture, READ_ONLY)
    warns = next(i for i, seen in enumerate(errors["observations"]) if "warnings" in seen)
    del errors["observations"][warns]["warnings"]
    changed = (SHARES, READ_ONLY, pair["example"])
    rest = [run for run in capture["runs"] if run["example"] not in changed]
    caught = [(r, i) for r in rest for i, seen in enumerate(r.get("observations", ())) if "caught" in seen]
    (reworded, there), (fine, gone) = caught[0], next(one for one in caught if one[0] is not caught[0][0])
    error = reworded["observations"][there]["caught"][0]
    error["message"] = error["message"] + ", reworded"
    fine["observations"][gone] = {"code": fine["observations"][gone]["code"], "stdout": "no error"}
    return [
        ("error vanished", fine["example"], str(gone)),
        ("sharing changed", pair["example"], ""),
        ("value, dtype or device changed", SHARES, str(place)),
        ("warning changed", READ_ONLY, str(warns)),
        ("wording changed", reworded["example"], str(there)),
    ]


def test_planted_changes_are_listed_and_marked(page: Page) -> None:
    """By severity; the page of an example marks its own, until the capture is removed."""
    capture = capture_of("2.13.0/2.4.6")
    planted = plant(capture)
    assert ": 5 differences in " in give(page, json.dumps(compared(capture)))
    assert listed(page) == planted
    page.locator(f'[data-example="{READ_ONLY}"] a').click()
    marked = page.locator(".atlas-outcome.atlas-machine-mark")
    expect(marked).to_have_count(1)
    expect(marked).to_contain_text("warning changed")
    assert marked.evaluate("one => one.previousElementSibling.dataset.statement") == planted[3][2]
    expect(page.locator(".atlas-notice.atlas-machine-mark")).to_contain_text("in one place, marked below")
    expect(page.locator(".atlas-picker-button").first).to_have_text("This machine")
    page.go_back()
    expect(page.locator(".atlas-machine-change")).to_have_count(5)
    page.locator(".atlas-machine-remove").click()
    expect(page.locator(".atlas-machine-status")).to_have_text("The capture is removed.")
    page.go_forward()
    expect(page.locator(".atlas-picker-button").first).to_contain_text("torch")
    assert page.locator(".atlas-machine-mark").count() == 0
    page.go_back()


def test_kept_capture_does_not_replace_one_that_was_given_meanwhile(page: Page) -> None:
    """The page reads what this browser keeps while a reader already gives another file."""
    capture = capture_of("2.13.0/2.4.6")
    give(page, json.dumps(compared(capture)))
    plant(capture)
    slow = """const get = IDBObjectStore.prototype.get;
        IDBObjectStore.prototype.get = function (key) {
            const asked = get.call(this, key);
            const listen = asked.addEventListener.bind(asked);
            asked.addEventListener = (kind, act) => listen(kind, () => setTimeout(act, 3000));
            return asked;
        };"""
    later = page.context.new_page()
    later.add_init_script(slow)
    later.goto(page.url)
    assert ": 5 differences in " in give(later, json.dumps(compared(capture)))
    later.wait_for_timeout(4_000)
    assert ": 5 differences in " in later.locator(".atlas-machine-status").inner_text()
    assert len(listed(later)) == 5


def test_changed_cells_are_listed_and_marked(page: Page) -> None:
    """Those that changed alike as one line; the page of a conversion lists its own."""
    capture = capture_of("2.6.0", matrix=True)
    row = capture["matrix"]["cells"]["torch-from-numpy-x"]
    outcomes = capture["matrix"]["outcomes"]
    outcomes.append({"outcome": "raises", "error": {"type": "TypeError", "message": "<b>no</b>"}})
    sources = [name for name, (index, *_) in row.items() if outcomes[index]["outcome"] == "shares memory"][:2]
    for source in sources:
        row[source][0] = len(outcomes) - 1
    words = give(page, json.dumps(compared(capture)))
    tried = sum(map(len, capture["matrix"]["cells"].values()))
    assert f" 2 of {tried:,} cells of the matrix differ; 0 have no record there." in words
    (rule,) = page.locator(".atlas-machine-rule").all()
    expect(rule).to_contain_text("2 cells of the matrix: shares memory → raises (TypeError)")
    page.goto(rule.locator("a").evaluate("one => one.href"))
    expect(page.locator("div.atlas-machine-mark li")).to_have_count(2)


def test_device_that_nobody_recorded_is_shown_whole(page: Page) -> None:
    """An example without a record is no difference; its page marks all that it gave there."""
    capture = capture_of("2.13.0/2.4.6")
    capture["environment"] |= {"device": "NVIDIA H100", "device_count": 1, "driver": "570.1"}
    waiting = next(run for run in capture["runs"] if "CUDA" in run.get("reason", ""))
    code = [statement.code for statement in evidence().examples[waiting["example"]].statements]
    waiting.pop("reason")
    waiting |= {"status": "completed", "observations": [{"code": one, "stdout": "<b>7</b>"} for one in code]}
    give(page, json.dumps(compared(capture)))
    alone = page.locator(".atlas-machine-uncompared", has_text="there is no record of it")
    expect(alone.locator("summary")).to_contain_text("1 example: there is no record of it with torch 2.13.0")
    page.goto(alone.locator("a").evaluate("one => one.href"))
    expect(page.locator(".atlas-outcome.atlas-machine-mark")).to_have_count(len(code))
    assert page.locator(".atlas-machine-mark b").count() == 0
    page.go_back()


def test_same_file_is_read_again(page: Page, tmp_path: Path) -> None:
    """A browser reports a choice where no file is chosen: opening the dialog takes the old one back."""
    path = tmp_path / "capture.json"
    path.write_text(json.dumps(compared(capture_of("2.13.0/2.4.6"))), encoding="utf-8")
    box = page.locator(".atlas-machine input")
    status = page.locator(".atlas-machine-status")
    for count in (0, 5):
        with page.expect_file_chooser() as chooser:
            box.click()
        assert box.evaluate("one => one.files.length") == 0
        chooser.value.set_files(path)
        expect(status).to_contain_text(f": {count} differences in ")
        changed = capture_of("2.13.0/2.4.6")
        plant(changed)
        path.write_text(json.dumps(compared(changed)), encoding="utf-8")


NO_ANSWER = "IDBFactory.prototype.open = () => new EventTarget();"
"""Storage that neither opens nor refuses, as behind another tab that holds it."""


def test_storage_that_does_not_answer_is_named_with_what_to_do(page: Page) -> None:
    """On the page itself at once and after a file; on an example's page where its differences would stand."""
    give(page, json.dumps(compared(capture_of("2.13.0/2.4.6"))))
    mute = page.context.new_page()
    mute.add_init_script(NO_ANSWER)
    mute.goto(page.url)
    status = mute.locator(".atlas-machine-status")
    expect(status).to_contain_text("does not answer")
    expect(status).to_contain_text("choose the file again")
    words = give(mute, json.dumps(compared(capture_of("2.13.0/2.4.6"))), says=SAID)
    assert ": 0 differences in " in words
    assert "allow this site to store data" in words
    mute.locator(".atlas-machine-remove").click()
    expect(status).to_contain_text("could not be removed")
    mute.goto(page.url.replace("your_machine", f"gallery/{SHARES}"))
    expect(mute.locator(".atlas-notice.atlas-machine-mark")).to_contain_text("could not be read")


LET_GO = "const held = window.held; window.held = null; held.forEach((act) => act());"

LATE_ANSWER = """window.held = [];
const get = IDBObjectStore.prototype.get;
IDBObjectStore.prototype.get = function (key) {
    const asked = get.call(this, key);
    const listen = asked.addEventListener.bind(asked);
    asked.addEventListener = (kind, act) => listen(kind, () => (window.held ? window.held.push(act) : act()));
    return asked;
};"""
"""Storage that answers when the test lets it."""


def test_storage_that_answers_late_still_marks_the_page(page: Page) -> None:
    """The notice that nothing could be read goes when the differences are there."""
    capture = capture_of("2.13.0/2.4.6")
    plant(capture)
    give(page, json.dumps(compared(capture)))
    late = page.context.new_page()
    late.add_init_script(LATE_ANSWER)
    late.goto(page.url.replace("your_machine", f"gallery/{READ_ONLY}"))
    notice = late.locator(".atlas-notice.atlas-machine-mark")
    expect(notice).to_contain_text("could not be read")
    late.evaluate(LET_GO)
    expect(notice).to_contain_text("in one place, marked below")
    expect(notice).to_have_count(1)
    expect(late.locator(".atlas-outcome.atlas-machine-mark")).to_have_count(1)


LATE_OPENING = """window.held = [];
const open = IDBFactory.prototype.open;
IDBFactory.prototype.open = function (...wanted) {
    const asked = open.apply(this, wanted);
    const listen = asked.addEventListener.bind(asked);
    asked.addEventListener = (kind, act) => listen(kind, () => (window.held ? window.held.push(act) : act()));
    return asked;
};"""
"""Storage that opens when the test lets it."""


def test_storage_that_opens_late_has_kept_the_capture(page: Page) -> None:
    """The page takes back that nothing is stored once it is."""
    late = page.context.new_page()
    late.add_init_script(LATE_OPENING)
    late.goto(page.url)
    expect(late.locator(".atlas-machine-status")).to_contain_text("does not answer")
    assert "stores nothing" in give(late, json.dumps(compared(capture_of("2.13.0/2.4.6"))), says=SAID)
    late.evaluate(LET_GO)
    expect(late.locator(".atlas-machine-status")).not_to_contain_text("stores nothing")
    late.reload()
    late.evaluate(LET_GO)
    expect(late.locator(".atlas-machine-result")).to_contain_text("Compared with the record of")


RULE: dict[str, Any] = {
    "severity": "sharing changed",
    "before": "copies",
    "after": "shares memory",
    "cells": [],
}
Mutation = Callable[[Any], object]
MUTATIONS: list[Mutation] = [
    lambda c: c.pop("environment"),
    lambda c: c["environment"].update(torch=["2.6"]),
    lambda c: c.update(runs={}),
    lambda c: c.pop(COMPARISON),
    lambda c: c[COMPARISON].pop("summary"),
    lambda c: c[COMPARISON].update(host="secret"),
    lambda c: c[COMPARISON]["against"].update(words=1),
    lambda c: c[COMPARISON]["examples"].update({"../../index": first_entry(c)}),
    lambda c: first_entry(c).update(state="fine"),
    lambda c: first_entry(c).update(changes=[{"severity": "grave"}]),
    lambda c: c[COMPARISON].update(rules=[RULE | {"cells": [["../x", "y"]]}]),
]


def first_entry(capture: Any) -> Any:
    """What a capture says of its first example."""
    return next(iter(capture[COMPARISON]["examples"].values()))


def refused(page: Page, content: str) -> None:
    """The page gives one message, shows nothing else, and has run nothing of the file."""
    words = give(page, content)
    assert words.startswith("Refused: ")
    assert words.count("Refused") == 1
    assert page.locator(".atlas-machine-result > *").count() == 0
    assert page.evaluate("window.harmed") is None


def test_mutated_captures_are_refused(page: Page) -> None:
    """With one message each, and what was kept before stays."""
    good = compared(capture_of("2.13.0/2.4.6"))
    give(page, json.dumps(good))
    for mutate in MUTATIONS:
        capture = copy.deepcopy(good)
        mutate(capture)
        refused(page, json.dumps(capture))
    page.reload()
    expect(page.locator(".atlas-machine-status")).to_contain_text(": 0 differences")


HARM = '<img src=x onerror="window.harmed=1"><script>window.harmed=1</script>'


def with_markup(value: Any) -> Any:
    """A document with markup in the place of every text, and in every name."""
    if isinstance(value, dict):
        return {key: with_markup(item) for key, item in value.items()} | {
            HARM: HARM,
            "__proto__": {"harmed": 1},
        }
    if isinstance(value, list):
        return [with_markup(item) for item in value]
    return HARM if isinstance(value, str) else value


def test_hostile_captures_do_no_harm(page: Page, tmp_path: Path) -> None:
    """Markup everywhere, a file too large to read, another schema, and no end of brackets."""
    good = compared(capture_of("2.13.0/2.4.6"))
    refused(page, json.dumps(with_markup(good)))
    refused(page, json.dumps({**good, COMPARISON: {**good[COMPARISON], "form": 7}}))
    refused(page, "[" * 1_000_000)
    large = tmp_path / "large.json"
    with large.open("wb") as file:
        file.truncate(200 * 1024 * 1024)
    page.locator(".atlas-machine input").set_input_files(large)
    expect(page.locator(".atlas-machine-status")).to_contain_text("Refused: The file is larger than 60 MB")


def test_markup_where_text_may_stand_is_shown_as_text(page: Page) -> None:
    """A capture that is well formed can print markup, and name a device by it."""
    capture = capture_of("2.13.0/2.4.6")
    capture["environment"] |= {"device": HARM}
    for run in capture["runs"]:
        for seen in run.get("observations", ()):
            seen |= {"stdout": HARM, "stderr": HARM, "warnings": [{"category": HARM, "message": HARM}]}
        for snapshot in run.get("snapshots", ()):
            for value in snapshot.get("values", ()):
                value |= {"name": HARM, "dtype": HARM}
    assert " differences in " in give(page, json.dumps(compared(capture)))
    assert page.locator(".atlas-machine-result img, .atlas-machine-result script").count() == 0
    assert page.evaluate("window.harmed") is None
    page.locator(".atlas-machine-remove").click()
    expect(page.locator(".atlas-machine-status")).to_have_text("The capture is removed.")
