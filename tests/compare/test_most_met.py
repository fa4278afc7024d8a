"""What most programs meet in an upgrade: reviewed calls, borne out by records, before all else."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from committed import committed_changes, committed_evidence, committed_examples

from tensor_atlas.compare.answers import read_answer
from tensor_atlas.compare.main_calls import MOST_USED, rank_statement
from tensor_atlas.compare.upgrade import MostMet, UpgradeTable, read_most_met
from tensor_atlas.compare.upgrade_report import (
    ERROR_LINE,
    LEAST_EACH,
    MET_TITLE,
    MOST_MET,
    SEVERITIES,
    Upgrade,
    describe_item,
    describe_word,
    find_kind,
    is_behaviour,
    name_unmet,
    render_markdown,
)
from tensor_atlas.history.changes import Severity

ENTRIES = [pytest.param(*pair, id=pair[0].call) for pair in read_most_met()]
LAST = re.compile(r"names=|_efficientzerotensor")


@pytest.fixture
def table() -> UpgradeTable:
    """The table of all records."""
    return committed_changes()


def _compare(table: UpgradeTable, before: str, after: str) -> Upgrade:
    names = [place.name for place in table.places]
    return Upgrade(table, names.index(before), names.index(after))


@pytest.mark.parametrize(("entry", "where"), ENTRIES)
def test_records_bear_each_entry_out(table: UpgradeTable, entry: MostMet, where: str) -> None:
    """Its statement exists, and a recorded step changes what it does, not only how a message is worded."""
    assert read_answer(committed_evidence(), entry.shows, where).evidence.example.name in entry.shows
    rows = [row for row in table.met if row.call == entry.call]
    assert len(rows) == 1
    (row,) = rows
    words = {
        word
        for place in row.places
        for line in table.examples[row.example].places[place].words
        for word in line
    }
    assert any(word and is_behaviour(table, word) for word in words)


@pytest.mark.parametrize(("entry", "where"), ENTRIES)
def test_what_to_do_stands_on_the_page_of_its_example(entry: MostMet, where: str) -> None:
    """Each piece of code in the advice: a run or a document bears it out there."""
    name = entry.shows.partition(":")[0]
    example = committed_examples()[name]
    page = " ".join([example.source, *example.source.split("#")]).replace("``", "`")
    codes = re.findall("`([^`]+)`", entry.do)
    assert [code for code in codes if code not in page] == [], where


def test_upgrade_begins_with_what_most_programs_meet(table: UpgradeTable) -> None:
    """In the reviewed order, some of torch and of NumPy among the first; each with what to write."""
    upgrade = _compare(table, "2.6.0/1.26.4/cpu", "2.15.0/2.4.6/cpu")
    order = [entry.call for entry, _ in read_most_met()]
    calls = [one.call for one in upgrade.met]
    top, others = calls[:MOST_MET], calls[MOST_MET:]
    assert others
    for some in (top, others):
        assert some == sorted(some, key=order.index)
    for package in (0, 1):
        assert sum(package in one.packages for one in upgrade.met[:MOST_MET]) >= LEAST_EACH
    text = render_markdown(upgrade)
    first = text.split("### ")[1]
    assert first.startswith(f"{MET_TITLE} ({len(calls)})\n")
    told = (
        "`np.array(tensor, copy=False)`: no error → `ValueError: Unable to avoid copy while creating an array"
    )
    assert (
        f"- **NumPy 2.0:** {told} as requested`. Write `np.asarray(tensor)`, which copies only if needed."
        in first
    )
    later = render_markdown(_compare(table, "2.8.0/2.4.6/cpu", "2.15.0/2.4.6/cpu")).split("### ")[1]
    assert "`integer_tensor.mean()`: `RuntimeError` → `NotImplementedError`. " in later


def test_package_without_such_a_call_is_named(table: UpgradeTable) -> None:
    """One line says so; nothing does on the way back, or where both have some."""
    (words,) = name_unmet(_compare(table, "2.13.0/1.26.4/cpu", "2.14.1/2.4.6/cpu"))
    assert words == "torch 2.13.0 to 2.14.1: no change among the calls that most programs make."
    for before, after in (
        ("2.14.1/2.4.6/cpu", "2.13.0/1.26.4/cpu"),
        ("2.6.0/1.26.4/cpu", "2.15.0/2.4.6/cpu"),
    ):
        assert list(name_unmet(_compare(table, before, after))) == []


def test_changes_are_told_under_their_own_kind(table: UpgradeTable) -> None:
    """What no longer raises is no bad news, though its reason also makes other code raise."""
    upgrade = _compare(table, "2.6.0/1.26.4/cpu", "2.15.0/2.4.6/cpu")
    for item in upgrade.items:
        kinds = {find_kind(table, one.word) for one in item.changes}
        assert kinds <= {item.severity}
    wrong = [item for item in upgrade.items if item.severity == 0 and item.changes[:1]]
    sides = [describe_word(table, one.word)[1] for item in wrong for one in item.changes]
    assert [side for side in sides if not re.match(ERROR_LINE, side)] == []


def test_each_line_names_a_call_or_says_what_changed(table: UpgradeTable) -> None:
    """A title alone tells nobody whether it concerns them."""
    upgrade = _compare(table, "2.6.0/1.26.4/cpu", "2.15.0/2.4.6/cpu")
    lines = [describe_item(table, item) for item in upgrade.items if item.changes]
    assert len(lines) > 50
    assert [line for line in lines if "`" not in line] == []
    assert [
        line for line in lines if " → " not in line and "shares" not in line and "became" not in line
    ] == []


def test_nothing_is_told_twice_or_lost(table: UpgradeTable) -> None:
    """An item is among what most programs meet, or among the rest."""
    upgrade = _compare(table, "2.6.0/1.26.4/cpu", "2.15.0/2.4.6/cpu")
    met = [id(one.item) for one in upgrade.met]
    rest = [id(item) for item in upgrade.rest]
    assert len(set(met)) == len(met)
    assert sorted(met + rest) == sorted(map(id, upgrade.items))


def test_way_back_has_no_advice_for_upgrades(table: UpgradeTable) -> None:
    """Older releases want other advice."""
    assert _compare(table, "2.15.0/2.4.6/cpu", "2.6.0/1.26.4/cpu").met == []


def test_entry_counts_with_any_releases_that_it_concerns(table: UpgradeTable) -> None:
    """Between neighbouring releases of torch, some have an entry, and each says what differs."""
    places = [
        n
        for n, p in enumerate(table.places)
        if p.is_recorded and p.name.endswith("/2.4.6/cpu") and p.is_compatible
    ]
    found = [one for pair in pairwise(places) for one in Upgrade(table, *pair).met]
    assert len(found) > 4
    assert all(one.item.changes for one in found)
    assert all(one.before != one.after for one in found)


def test_named_tensors_and_private_functions_come_last(table: UpgradeTable) -> None:
    """Of the errors: no call that programs make follows them."""
    upgrade = _compare(table, "2.6.0/1.26.4/cpu", "2.15.0/2.4.6/cpu")
    errors = [item for item in upgrade.rest if SEVERITIES[item.severity] is Severity.ERROR_APPEARED]
    own = [item for item in errors if not item.is_minor]
    rare = [
        place
        for place, item in enumerate(own)
        if any(LAST.search("\n".join([*one.setup, one.change.code])) for one in item.changes)
    ]
    assert rare == [len(own) - 2, len(own) - 1]


def test_rare_setup_makes_a_statement_rare() -> None:
    """Its own code may be as common as any."""
    assert rank_statement("zeros.numpy()", ()) == MOST_USED.index(".numpy()")
    assert rank_statement("zeros.numpy()", ["zeros = torch._efficientzerotensor((2,))"]) > len(MOST_USED)
    assert rank_statement('torch.zeros(2, names=("a",)).numpy()', ()) > len(MOST_USED)
