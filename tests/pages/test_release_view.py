"""Which reason stands above a change on the page of a release."""

from __future__ import annotations

import pytest
from committed import committed_evidence

from tensor_atlas.history.timeline import find_events
from tensor_atlas.pages.release_view import ReleaseChange, find_change_reasons

pytestmark = pytest.mark.slow


@pytest.fixture
def changes() -> list[ReleaseChange]:
    """All changes of the build."""
    shown = committed_evidence().shown.values()
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


def test_rest_of_a_run_has_no_reason_of_an_end_that_it_does_not_need(changes: list[ReleaseChange]) -> None:
    """torch 1.13 cannot map a file: that is not why 2.1 no longer warns of another load."""
    code = 'print(torch.load(path, weights_only=True)["weight"])'
    found = [one for one in changes if one.event.change.code == code and one.page == "torch-2.1"]
    assert found
    assert [find_change_reasons(one) for one in found] == [()] * len(found)
