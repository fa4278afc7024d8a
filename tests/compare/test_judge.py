"""Verdicts on captures and records as a whole: what waits to be recorded, with the reason."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import CPU, OLDER, captured, example, ran

from tensor_atlas.compare.deviations import Gap, parse_gaps
from tensor_atlas.compare.judge import MOST_SINGLE, find_gaps
from tensor_atlas.errors import AtlasError
from tensor_atlas.records.store import Store, add_capture

A = example("print(1)\n# => 1\n")
B = example("print(2)\n# => 2\n", "examples/02_y/b.py")
EXAMPLES = {A.name: A, B.name: B}
PATH = "docs/gaps.toml"

ENTRY = """
[[gap]]
examples = ["02_y/*"]
environments = ["torch < 2.13"]
reason = "Newer than the recording."
"""


def found(store: Store, *known: Gap) -> list[tuple[str, int, str]]:
    """Path, line and finding of every verdict."""
    return [
        (v.path, v.line, v.what) for v in find_gaps(EXAMPLES, store.environments, store.records, known, PATH)
    ]


def half() -> Store:
    """The newer environment has run both examples, the older one only the first."""
    newer = add_capture(Store(), captured(ran(A, "1"), ran(B, "2")))
    return add_capture(newer, captured(ran(A, "1"), environment=OLDER))


def test_gap_without_a_reason_is_drift() -> None:
    """Named with the environment that lacks it and what closes it."""
    (verdict,) = find_gaps(EXAMPLES, half().environments, half().records)
    assert (verdict.path, verdict.what, verdict.environment) == (B.path, "not recorded", OLDER)
    assert "nox -s record -- 2.2.2 --numpy 1.26.4" in verdict.remedy
    assert "docs/gaps.toml" in verdict.remedy


def test_what_many_environments_lack_is_recorded_in_one_go() -> None:
    """By the Python that they have; what waits for a reason is none of them."""
    releases = [f"2.{minor}.0" for minor in range(MOST_SINGLE + 1)]
    older = [replace(OLDER, torch=f"{release}+cpu") for release in releases]
    lacking = {e.id: e for e in (*older, replace(CPU, python="3.14.8"))}
    *alike, other = find_gaps({A.name: A}, lacking, {})
    assert {verdict.remedy for verdict in alike} == {
        "nox -s record -- all, or say in docs/gaps.toml why it waits"
    }
    assert other.remedy.startswith("python3.14 -m nox -s record -- 2.13.0 --numpy 2.4.6, or")
    waits = Gap(("01_x/*",), ("torch < 2.1",), "Newer than the recording.", 1)
    *alike, _ = find_gaps({A.name: A}, lacking, {}, [waits])
    assert [verdict.remedy.split(" --numpy")[0] for verdict in alike] == [
        f"nox -s record -- {release}" for release in releases[1:]
    ]


def test_gap_with_a_reason_is_none() -> None:
    """An entry covers the examples and environments it names, and no others."""
    (gap,) = parse_gaps(ENTRY, PATH)
    assert found(half(), gap) == []
    assert gap.covers("02_y/b", OLDER)
    assert not gap.covers("02_y/b", CPU)
    assert not gap.covers("01_x/a", OLDER)
    assert found(half(), replace(gap, environments=("torch < 2.2",)))[0][0] == B.path


def test_entry_that_everything_recorded_has_closed_is_drift() -> None:
    """It would hide the next gap."""
    (gap,) = parse_gaps(ENTRY, PATH)
    full = add_capture(half(), captured(ran(B, "2"), environment=OLDER))
    assert found(full, gap) == [(PATH, 2, "everything it speaks of has been recorded")]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (("reason =", "why ="), "unknown field why"),
        (('reason = "Newer than the recording."', ""), "no reason"),
        (('["02_y/*"]', '"02_y/*"'), "examples is not a list of strings"),
        (("torch < 2.13", "torch of old"), "unknown condition 'torch of old'"),
    ],
)
def test_entry_that_cannot_be_read_is_refused(change: tuple[str, str], what: str) -> None:
    """With file and line."""
    with pytest.raises(AtlasError, match=rf"docs/gaps.toml:2  {what}"):
        parse_gaps(ENTRY.replace(*change), PATH)
