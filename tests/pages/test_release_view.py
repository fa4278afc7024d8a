"""What stands first on the page of a release, and which reason stands above a change."""

from __future__ import annotations

import pytest
from committed import committed_evidence

from tensor_atlas.compare.upgrade_report import CallRule, Item, ReleaseRules
from tensor_atlas.history.changes import Severity
from tensor_atlas.history.releases import summarize_environment
from tensor_atlas.history.timeline import find_events
from tensor_atlas.pages.release_view import (
    ReleaseChange,
    find_change_reasons,
    find_met,
    group_items,
    is_of_several,
    say_change,
    sort_changes,
    split_by_step,
    summarize_counts,
    view_change,
)

pytestmark = pytest.mark.slow


@pytest.fixture
def changes() -> list[ReleaseChange]:
    """All changes of the build."""
    shown = committed_evidence().pages.values()
    return [ReleaseChange(one, event) for one in shown for event in find_events(one.example, one.runs)]


def test_reasons_speak_of_one_side_of_a_change(changes: list[ReleaseChange]) -> None:
    """A reason of both sides is another change's: it does not say why they differ."""
    wrong: list[str] = []
    explained = 0
    for one in changes:
        step = one.event.step
        reasons = find_change_reasons(one)
        explained += bool(reasons)
        wrong += [r.reason for r in reasons if r.speaks_of(step.before) == r.speaks_of(step.after)]
    assert wrong == []
    assert explained > 300


def test_change_is_shown_with_what_both_releases_did(changes: list[ReleaseChange]) -> None:
    """The older one first, each with what its statement printed, raised or shares."""
    for one in changes[:50]:
        before, after = view_change(one).sides
        step = one.event.step
        names = [summarize_environment(environment) for environment in (step.before, step.after)]
        assert [before.environment, after.environment] == names
        if one.event.change.statement is not None:
            assert before.boxes
            assert after.boxes


def test_rest_of_a_run_has_no_reason_of_an_end_that_it_does_not_need(changes: list[ReleaseChange]) -> None:
    """torch 1.13 cannot map a file: that is not why 2.1 no longer warns of another load."""
    code = 'print(torch.load(path, weights_only=True)["weight"])'
    found = [one for one in changes if one.event.change.code == code and one.page == "torch-2.1"]
    assert found
    assert [find_change_reasons(one) for one in found] == [()] * len(found)


def test_release_page_begins_with_calls_that_most_programs_make(changes: list[ReleaseChange]) -> None:
    """In the reviewed order, with both sides; a name that an older release lacks is no change of the call."""
    pages = {name: [one for one in changes if one.page == name] for name in ("numpy-2.0", "torch-2.5")}
    first, second, *_ = find_met(pages["numpy-2.0"])
    assert (first.call, first.before) == ("np.array(tensor, copy=False)", "no error")
    assert first.after.startswith("ValueError: Unable to avoid copy")
    assert second.call == "np.float_, np.complex_"
    assert [one.before for one in find_met(pages["torch-2.5"]) if one.before.startswith("Attr")] == []
    ranked = sort_changes(pages["numpy-2.0"])
    assert "np.array(" in ranked[0].event.change.code


def test_changes_of_earlier_releases_stand_apart(changes: list[ReleaseChange]) -> None:
    """Those that were seen across several releases, under the two ends; one line counts the others."""
    own, others = split_by_step([one for one in changes if one.page == "numpy-2.4"])
    assert {(one.event.step.before.numpy[:3], one.event.step.is_exact) for one in own} == {("2.3", True)}
    assert "between NumPy 1.26 and 2.4" in others
    assert not any(one.event.step.is_exact for members in others.values() for one in members)


def test_summary_counts_everything_below_it(changes: list[ReleaseChange]) -> None:
    """Also what an earlier release may have brought, of which it says how much that is."""
    own, others = split_by_step([one for one in changes if one.page == "numpy-2.4"])
    apart = [one for members in others.values() for one in members]
    every = [*own, *apart]
    behaviour = sum(one.severity.is_behaviour for one in every)
    words = summarize_counts(own, apart, [])
    assert words == (
        f"{behaviour} results of the examples changed, and the wording of {len(every) - behaviour} messages. "
        f"For {len(apart)} changes the release before was not tried: an earlier one may have brought them."
    )
    assert summarize_counts([], [], []) == "The examples give the same results."


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("RuntimeError: no", "NotImplementedError: no", "raises NotImplementedError instead of RuntimeError"),
        ("no error", "ValueError: Unable to", "raises ValueError: Unable to"),
        ("TypeError: no", "no error", "no longer raises TypeError"),
        ("raises (TypeError)", "raises (ValueError)", "raises ValueError instead of TypeError"),
        ("crashes (SIGABRT)", "raises (RuntimeError)", "raises RuntimeError instead of crashing (SIGABRT)"),
        ("raises TypeError", "shares memory", "shares memory instead of raising TypeError"),
        ("UserWarning: old", "TypeError: no", "raises TypeError instead of warning (UserWarning)"),
        ("no such warning", "UserWarning: new", "warns: UserWarning: new"),
        ("float32", "float64", "float32 → float64"),
    ],
)
def test_change_is_said_in_words(before: str, after: str, words: str) -> None:
    """Of two classes only these; of anything else both sides."""
    assert say_change(before, after) == words


def test_change_that_ends_the_process_stands_apart() -> None:
    """Before those that raise; a kind without changes has no title."""
    crash, error = (
        CallRule("raises (TypeError)", after, "", "") for after in ("crashes (SIGABRT)", "raises (A)")
    )
    items = [Item(Severity.ERROR_APPEARED.rank, 0, -1, rule=rule) for rule in (error, crash)]
    assert group_items(ReleaseRules(1, "NumPy 2.4", items)) == [
        ("Now crashes", [items[1]]),
        ("Now raises", [items[0]]),
    ]


def test_page_of_a_long_step_alone_has_its_changes(changes: list[ReleaseChange]) -> None:
    """Where the release right before it was not recorded."""
    far = [one for one in changes if not one.event.step.is_exact and one.page == "numpy-2.4"]
    assert split_by_step(far) == (sorted(far, key=lambda one: one.event.step.name), {})


def test_label_says_whether_one_release_brought_a_change() -> None:
    """Conversions of several releases stand behind, and are not counted as one's own."""
    labels = ("NumPy 2.1 to 2.4", "NumPy 2.4")
    assert [is_of_several(ReleaseRules(1, label, [])) for label in labels] == [True, False]
