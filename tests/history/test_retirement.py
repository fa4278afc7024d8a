"""When a release of torch leaves the records, and what a proposal says of it."""

from __future__ import annotations

from dataclasses import replace

from samples import CPU, GPU

from tensor_atlas.history.retirement import KEPT_MINORS, MOST_BYTES, describe_due, find_due, select_minors

LINE = [replace(CPU, torch=f"2.{minor}.{patch}+cpu") for minor in range(KEPT_MINORS) for patch in (0, 1)]
"""As many minor releases as stay, each twice."""
NEXT = replace(CPU, torch=f"2.{KEPT_MINORS}.0")


def test_oldest_minor_release_leaves_when_there_are_more_than_stay() -> None:
    """In the order of releases, not of text: 2.10 is newer than 2.9."""
    assert find_due(LINE, 0) == []
    assert find_due([*LINE, NEXT], 0) == ["2.0"]
    assert find_due([NEXT, replace(NEXT, torch="2.21.0"), *LINE], MOST_BYTES + 1) == ["2.0", "2.1"]


def test_records_that_are_too_large_lose_their_oldest_release() -> None:
    """One, after which they are measured again."""
    assert find_due(LINE, MOST_BYTES) == []
    assert find_due(LINE, MOST_BYTES + 1) == ["2.0"]


def test_all_environments_of_a_release_leave() -> None:
    """With whatever NumPy, Python and device they were recorded."""
    assert select_minors([*LINE[:3], replace(GPU, torch="2.0.1+cu130")], ["2.0"]) == [
        *LINE[:2],
        replace(GPU, torch="2.0.1+cu130"),
    ]


def test_proposal_says_what_leaves_and_why() -> None:
    """With the command; nothing where nothing leaves."""
    assert describe_due(LINE, 0) == ""
    assert "torch 2.0 leaves the records (the newest 20 minor" in describe_due([*LINE, NEXT], 0)
    said = describe_due(LINE, MOST_BYTES + 2**20)
    assert "torch 2.0 leaves the records (the records have 27.0 MiB, and may have 26)" in said
    assert "`tensor-atlas record --retire`" in said
