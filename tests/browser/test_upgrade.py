"""The page of an upgrade says what the command says, at once, for the environments that its address names."""

from __future__ import annotations

import random
from itertools import chain
from pathlib import Path

import pytest
from committed import committed_changes
from playwright.sync_api import Browser, Page, expect

from tensor_atlas.compare.upgrade_report import (
    FAR,
    MET_TITLE,
    MOST_MET,
    Upgrade,
    render_markdown,
    spell_sides,
)

ENDS = ("From", "To")
PAIRS = 4
"""Pairs of either kind: tests/site/test_upgrade_script.py runs the same script for hundreds."""
MARKDOWN = "([before, after]) => document.querySelector('.atlas-upgrade').atlasMarkdown(before, after)"


def read_ends(reader: Page) -> list[str]:
    """Names of both environments."""
    return [reader.get_by_label(f"{end} NumPy").input_value() for end in ENDS]


def test_page_says_what_the_command_says_for_random_pairs(reader: Page, folder: Path) -> None:
    """Letter by letter, from a file: of releases that it has at once, and of those that it loads."""
    reader.goto((folder / "upgrade.html").as_uri())
    table = committed_changes()
    names = [place.name for place in table.places]
    recent = [place[0] for place in reader.evaluate("window.atlasUpgrade.recent.places")]
    for seed in range(2 * PAIRS):
        pair = random.Random(seed).sample(recent if seed < PAIRS else names, 2)
        said = reader.evaluate(MARKDOWN, pair)
        assert said == render_markdown(Upgrade(table, *map(names.index, pair)))
        assert reader.evaluate("'all' in window.atlasUpgrade") == (seed >= PAIRS)


def test_page_begins_with_what_most_would_compare(reader: Page, site: str) -> None:
    """Two releases of torch on the processor, with one NumPy that both can use."""
    reader.goto(f"{site}/upgrade.html")
    before, after = (name.split("/") for name in read_ends(reader))
    assert before[0] != after[0]
    assert before[1:] == after[1:]
    assert after[-1] == "cpu"
    assert reader.url.endswith(f"#from={'/'.join(before)}&to={'/'.join(after)}")
    expect(reader.locator(".atlas-upgrade .atlas-notice")).to_have_count(0)
    expect(reader.locator(".atlas-upgrade h2").first).to_contain_text(MET_TITLE)


def test_address_and_lists_name_the_environments(reader: Page, site: str) -> None:
    """Each change has its release and code; another choice changes the address."""
    reader.goto(f"{site}/upgrade.html#from=2.8.0/2.4.6/cpu&to=2.15.0/2.4.6/cpu")
    expect(reader.get_by_label("From torch")).to_have_value("2.8.0")
    expect(reader.get_by_label("From NumPy")).to_have_value("2.8.0/2.4.6/cpu")
    named = reader.locator(".atlas-upgrade-item", has_text="Named tensors were removed").first
    expect(named.locator(".atlas-upgrade-release")).to_have_text("torch 2.13")
    expect(named.locator("pre")).to_contain_text("# after: TypeError: zeros() got an unexpected keyword")
    reader.get_by_label("From torch").select_option("2.2.2")
    assert reader.url.endswith("#from=2.2.2/2.4.6/cpu&to=2.15.0/2.4.6/cpu")
    expect(reader.locator(".atlas-upgrade .atlas-notice")).to_contain_text("incompatible install")
    reader.get_by_label("To torch").select_option("2.2.2")
    expect(reader.locator(".atlas-upgrade-sum")).to_have_text("The results recorded in both are the same.")


def test_what_most_programs_meet_stands_first(reader: Page, site: str) -> None:
    """Each call with before, after and what to do; the code behind it, all else counted behind one fold."""
    reader.goto(f"{site}/upgrade.html#from=2.6.0/1.26.4/cpu&to=2.15.0/2.4.6/cpu")
    table = committed_changes()
    names = [place.name for place in table.places]
    upgrade = Upgrade(table, names.index("2.6.0/1.26.4/cpu"), names.index("2.15.0/2.4.6/cpu"))
    items = reader.locator(".atlas-upgrade-met .atlas-upgrade-item")
    expect(items).to_have_count(len(upgrade.met))
    packages = {package for met in upgrade.met[:MOST_MET] for package in met.packages}
    assert packages == {0, 1}
    for place, (item, met) in enumerate(zip(items.all(), upgrade.met, strict=True)):
        told = f"{met.call}: {spell_sides(met.before, met.after)}. {met.todo}".replace("`", "")
        assert told in " ".join((item.locator("p").first.text_content() or "").split())
        assert item.is_visible() == (place < MOST_MET)
        assert not item.locator("pre").is_visible()
    items.first.locator("summary").click()
    expect(items.first.locator("pre")).to_contain_text("# after: ValueError: Unable to avoid copy")
    rest = reader.locator(".atlas-upgrade-rest")
    expect(rest.locator("> summary strong")).to_have_text(f"{len(upgrade.rest)} other changes")
    assert not rest.locator("h2").first.is_visible()
    rest.locator("> summary").click()
    expect(rest.locator("h2").first).to_contain_text("Now raises")


def test_other_changes_are_those_of_one_library_or_all(reader: Page, site: str) -> None:
    """Counted beside each choice; a link to each kind leaves the address as it is."""
    reader.goto(f"{site}/upgrade.html#from=2.6.0/1.26.4/cpu&to=2.15.0/2.4.6/cpu")
    rest = reader.locator(".atlas-upgrade-rest")
    rest.locator("> summary").click()
    labels = rest.locator(".atlas-upgrade-filter label")
    assert [text.split()[0] for text in labels.all_inner_texts()] == ["All", "torch", "NumPy"]
    counts = "heads => heads.reduce((sum, one) => sum + Number(one.textContent), 0)"
    for name in ("torch", "NumPy"):
        labels.filter(has_text=name).click()
        number = int(labels.filter(has_text=name).locator("small").inner_text())
        assert rest.locator("h2 small").evaluate_all(counts) == number > 0
        releases = rest.locator("section > ul .atlas-upgrade-release").all_text_contents()
        assert [text for text in releases if name not in text] == []
    address = reader.url
    link = rest.locator(".atlas-upgrade-kinds a", has_text="Warns differently")
    link.click()
    expect(rest.locator("#warns-differently")).to_be_focused()
    assert reader.url == address


def test_library_without_a_change_among_them_is_named(reader: Page, site: str) -> None:
    """Whoever upgrades both must not take silence for a missing answer."""
    reader.goto(f"{site}/upgrade.html#from=2.13.0/1.26.4/cpu&to=2.14.1/2.4.6/cpu")
    expect(reader.locator(".atlas-upgrade-met > p")).to_have_text(
        "torch 2.13.0 to 2.14.1: no change among the calls that most programs make."
    )


def test_composed_environment_is_marked(reader: Page, site: str) -> None:
    """In the list, in a sentence, and on each line with what its step was seen with."""
    reader.goto(f"{site}/upgrade.html#from=2.12.1/2.0.2/cpu&to=2.15.0/2.4.6/cpu")
    before = reader.get_by_label("From NumPy")
    expect(before).to_have_value("2.12.1/2.0.2/cpu")
    group = before.locator("optgroup[label='Composed of recorded steps']")
    expect(group.locator("option[value='2.12.1/2.0.2/cpu']")).to_have_count(1)
    expect(reader.locator(".atlas-upgrade .atlas-notice")).to_contain_text("composed of recorded steps")
    expect(reader.locator(".atlas-upgrade-release").first).to_contain_text("seen with")
    reader.get_by_label("From torch").select_option("2.13.0")
    expect(before).to_have_value("2.13.0/2.0.2/cpu")
    expect(reader.locator(".atlas-upgrade .atlas-notice")).to_have_count(0)
    expect(reader.locator(".atlas-upgrade-release").first).not_to_contain_text("seen with")


def test_each_torch_offers_each_numpy_that_it_can_use(reader: Page, site: str) -> None:
    """Recorded, or composed; where no near torch took the step, page and Markdown say so."""
    reader.goto(f"{site}/upgrade.html")
    offered = {}
    torch, numpy = (reader.get_by_label(f"From {library}") for library in ("torch", "NumPy"))
    for option in torch.locator("option").all_inner_texts():
        torch.select_option(option)
        offered[option] = numpy.locator("option").evaluate_all("all => all.map((one) => one.value)")
    names = [place.name for place in committed_changes().places]
    assert sorted(chain.from_iterable(offered.values())) == sorted(names)
    minors = ("1.26", "2.0", "2.1", "2.2", "2.3", "2.4")
    for release in ("2.3.1", "2.10.0", "2.15.0"):
        text = " ".join(offered[release])
        assert all(f"/{minor}." in text for minor in minors), release
    reader.goto(f"{site}/upgrade.html#from=2.10.0/2.1.3/cpu&to=2.15.0/2.4.6/cpu")
    notice = reader.locator(".atlas-upgrade .atlas-notice")
    expect(notice).to_have_text(f"torch 2.10.0, NumPy 2.1.3 {FAR}")
    said = reader.evaluate(MARKDOWN, ["2.10.0/2.1.3/cpu", "2.15.0/2.4.6/cpu"])
    assert f"\n\ntorch 2.10.0, NumPy 2.1.3 {FAR}\n\n" in said


def test_another_torch_keeps_the_numpy_where_it_can(reader: Page, site: str) -> None:
    """Else the newest that was recorded with it."""
    reader.goto(f"{site}/upgrade.html#from=2.8.0/2.0.2/cpu&to=2.15.0/2.4.6/cpu")
    reader.get_by_label("From torch").select_option("2.12.1")
    expect(reader.get_by_label("From NumPy")).to_have_value("2.12.1/2.0.2/cpu")
    reader.get_by_label("From torch").select_option("2.0.1")
    expect(reader.get_by_label("From NumPy")).to_have_value("2.0.1/1.26.4/cpu")
    assert reader.url.endswith("#from=2.0.1/1.26.4/cpu&to=2.15.0/2.4.6/cpu")


def test_without_a_script_each_release_has_a_link(browser: Browser, site: str) -> None:
    """The table takes the place of the form; with a script it is never in view."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/upgrade.html")
    link = page.locator(".atlas-upgrade table a", has_text="torch 2.8")
    expect(link).to_be_visible()
    link.click()
    page.wait_for_url("**/history/torch-2.8.html")
    context.close()


@pytest.mark.parametrize(
    ("before", "after", "ends"),
    [
        ("torch-2.8", "torch-2.15", ["2.8.0/2.4.6/cpu", "2.15.0/2.4.6/cpu"]),
        ("torch-2.2", "torch-2.14", ["2.2.2/1.26.4/cpu", "2.14.1/2.4.6/cpu"]),
        ("numpy-1.26", "numpy-2.0", ["2.15.0/1.26.4/cpu", "2.15.0/2.0.2/cpu"]),
        ("torch-9.9", "torch-2.15", None),
    ],
)
def test_address_may_name_releases_alone(
    reader: Page, site: str, before: str, after: str, ends: list[str] | None
) -> None:
    """Then all else is the same on both sides, where it can be; an unknown release changes nothing there."""
    reader.goto(f"{site}/upgrade.html")
    usual = read_ends(reader)[0]
    reader.goto(f"{site}/upgrade.html#from={before}&to={after}")
    found = read_ends(reader)
    assert found == ends or (ends is None and found[0] == usual)


@pytest.mark.parametrize(
    ("address", "missing"),
    [
        ("#from=torch-9.9&to=torch-2.15", "from=torch-9.9"),
        ("#from=1.0.0/1.0.0/cpu&to=9.9.9/9.9.9/cpu", "from=1.0.0/1.0.0/cpu, to=9.9.9/9.9.9/cpu"),
        ("#from=torch-2.8&to=numpy-2.0", "from=torch-2.8, to=numpy-2.0"),
        ("#from=torch-2.8&to=torch-2.15&call=x.numpy()", "call=x.numpy()"),
        ("?from=torch-9.9&to=torch-2.15", "from=torch-9.9"),
    ],
)
def test_address_that_asks_for_what_is_not_recorded_is_told(
    reader: Page, site: str, address: str, missing: str
) -> None:
    """With what is shown instead, which the address names then; a choice ends it."""
    reader.goto(f"{site}/upgrade.html{address}")
    notice = reader.locator(".atlas-upgrade .atlas-notice", has_text="what is not recorded")
    expect(notice).to_contain_text(f"what is not recorded: {missing}. This page shows the changes from ")
    before, after = read_ends(reader)
    assert reader.url.endswith(f"#from={before}&to={after}")
    reader.get_by_label("From NumPy").select_option(index=1)
    expect(notice).to_have_count(0)


def test_changes_that_do_not_come_are_said_to_be_missing(browser: Browser, site: str) -> None:
    """Those of the newest releases are there all the same; whoever asks again gets the others."""
    reader = browser.new_page()
    reader.route("**/atlas-changes-all.js?v=*", lambda route: route.abort())
    reader.goto(f"{site}/upgrade.html")
    status = reader.locator(".atlas-upgrade-sum")
    expect(status).to_contain_text("that most programs meet")
    reader.get_by_label("From torch").select_option("2.2.2")
    reader.get_by_label("From NumPy").select_option("2.2.2/1.26.4/cpu")
    expect(status).to_contain_text("could not be loaded")
    reader.unroute("**/atlas-changes-all.js?v=*")
    reader.get_by_label("From torch").select_option("2.3.1")
    expect(status).to_contain_text("that most programs meet")
    reader.close()


def test_copied_markdown_is_that_of_the_page(reader: Page, site: str) -> None:
    """The button says that it copied."""
    reader.context.grant_permissions(["clipboard-read", "clipboard-write"])
    reader.goto(f"{site}/upgrade.html#from=2.14.1/2.4.6/cpu&to=2.15.0/2.4.6/cpu")
    reader.get_by_role("button", name="Copy as Markdown").click()
    expect(reader.get_by_role("button", name="Copied")).to_be_visible()
    copied = reader.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("## What changes from torch 2.14.1, NumPy 2.4.6 to torch 2.15.0, NumPy 2.4.6\n")
