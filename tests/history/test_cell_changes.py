"""What changed between the cells of two environments, told as rules."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import CPU, OLDER, SHARES

from tensor_atlas.catalogue import CONVERSIONS, SOURCES
from tensor_atlas.compare.judge import judge_cells
from tensor_atlas.compare.verdicts import VerdictKind
from tensor_atlas.history.cell_changes import find_rules
from tensor_atlas.history.changes import Severity
from tensor_atlas.model.cells import Cell, Outcome, Proof
from tensor_atlas.model.runs import Raised, Warned

COPIES = replace(SHARES, outcome=Outcome.COPIES)
RAISES = Cell(Outcome.RAISES, error=Raised("TypeError", "no"))
CRASHES = Cell(Outcome.CRASHES, error=Raised("SIGABRT", "terminate called"))
ABSENT = Cell(Outcome.NO_SOURCE, error=Raised("AttributeError", "no such dtype"))


def test_cells_that_changed_alike_are_one_rule() -> None:
    """Whatever conversions and sources they are of; the gravest first, then what many cells share."""
    before = {"c": {"a": RAISES, "b": RAISES, "d": SHARES}, "e": {"a": RAISES, "b": COPIES}}
    after = {"c": {"a": SHARES, "b": SHARES, "d": COPIES}, "e": {"a": SHARES, "b": COPIES}}
    found = find_rules(before, after)
    assert [(rule.severity, rule.before, rule.after) for rule in found] == [
        (Severity.ERROR_VANISHED, "raises (TypeError)", "shares memory"),
        (Severity.SHARING, "shares memory", "copies"),
    ]
    assert found[0].cells == (("c", "a"), ("c", "b"), ("e", "a"))


@pytest.mark.parametrize(
    ("then", "now", "severity", "before", "after"),
    [
        (SHARES, RAISES, Severity.ERROR_APPEARED, "shares memory", "raises (TypeError)"),
        (CRASHES, SHARES, Severity.ERROR_VANISHED, "crashes (SIGABRT)", "shares memory"),
        (CRASHES, RAISES, Severity.ERROR_VANISHED, "crashes (SIGABRT)", "raises (TypeError)"),
        (RAISES, CRASHES, Severity.ERROR_APPEARED, "raises (TypeError)", "crashes (SIGABRT)"),
        (ABSENT, RAISES, Severity.SOURCE, "no source (AttributeError)", "raises (TypeError)"),
        (SHARES, ABSENT, Severity.SOURCE, "shares memory", "no source (AttributeError)"),
        (COPIES, SHARES, Severity.SHARING, "copies", "shares memory"),
        (SHARES, replace(SHARES, dtype="torch.float64"), Severity.VALUE, "torch.float32", "torch.float64"),
        (SHARES, replace(SHARES, value="[2.0]"), Severity.VALUE, "value [1.0]", "value [2.0]"),
        (SHARES, replace(SHARES, strides=(8,)), Severity.VALUE, "strides (4,)", "strides (8,)"),
        (
            SHARES,
            replace(SHARES, writes=True),
            Severity.VALUE,
            "changes the source False",
            "changes the source True",
        ),
        (
            SHARES,
            replace(SHARES, type="Own", device="meta"),
            Severity.VALUE,
            "Tensor, on cpu",
            "Own, on meta",
        ),
        (
            SHARES,
            replace(SHARES, warnings=(Warned("UserWarning", "careful"),)),
            Severity.WARNING,
            "no warning",
            "UserWarning: careful",
        ),
        (
            replace(SHARES, warnings=(Warned("UserWarning", "careful"),)),
            replace(SHARES, warnings=(Warned("UserWarning", "be careful"),)),
            Severity.WORDING,
            "UserWarning: careful",
            "UserWarning: be careful",
        ),
        (
            replace(SHARES, warnings=(Warned("UserWarning", "careful"),)),
            replace(SHARES, warnings=(Warned("FutureWarning", "careful"),)),
            Severity.WARNING,
            "UserWarning: careful",
            "FutureWarning: careful",
        ),
        (RAISES, replace(RAISES, error=Raised("TypeError", "never")), Severity.WORDING, "no", "never"),
        (
            RAISES,
            replace(RAISES, error=Raised("ValueError", "no"), warnings=(Warned("UserWarning", "w"),)),
            Severity.CLASS,
            "raises (TypeError)",
            "raises (ValueError)",
        ),
        (SHARES, replace(SHARES, proof=Proof.RANGES), Severity.WORDING, "known by write", "known by ranges"),
    ],
)
def test_change_is_told_by_its_gravest_part(
    then: Cell, now: Cell, severity: Severity, before: str, after: str
) -> None:
    """And only what changed is spelled out."""
    (rule,) = find_rules({"c": {"a": then}}, {"c": {"a": now}})
    assert (rule.severity, rule.before, rule.after) == (severity, before, after)


def test_cell_that_only_one_has_tried_is_no_change() -> None:
    """Not measured is not the same as unchanged, nor as changed."""
    assert (
        find_rules({"c": {"a": SHARES}, "d": {"a": SHARES}}, {"c": {"b": RAISES}, "e": {"a": RAISES}}) == ()
    )
    assert find_rules({"c": {"a": SHARES}}, {"c": {"a": SHARES}}) == ()


def test_row_that_holds_is_one_verdict_and_so_is_a_rule() -> None:
    """What changed is drift, with the release that it is held to and what to do."""
    recorded = {"c": {"a": SHARES, "b": SHARES}, "d": {"a": SHARES}}
    tried = {"c": {"a": RAISES, "b": RAISES}, "d": {"a": SHARES}, "new": {"a": SHARES}}
    drifted, holds = judge_cells(CPU, tried, OLDER, recorded)
    assert (drifted.kind, drifted.path) == (VerdictKind.DIFFERS, "docs/records/matrix/c.json")
    assert drifted.what == "2 cells: error appeared since torch 2.2.2+cpu, NumPy 1.26.4"
    assert (drifted.statement, drifted.claimed, drifted.observed) == (
        "c on a, b",
        ("shares memory",),
        ("raises (TypeError)",),
    )
    assert "record --matrix" in drifted.remedy
    assert (holds.kind, holds.path, holds.what) == (VerdictKind.HOLDS, "docs/records/matrix/d.json", "1 cell")
    assert judge_cells(CPU, tried, CPU, recorded)[0].what == "2 cells: error appeared"


def test_conversion_that_the_record_lacks_is_named_and_no_drift() -> None:
    """Whoever adds one tries it first; a new input is named once, whatever many calls take it."""
    first, second = CONVERSIONS[:2]
    recorded = {first.name: {SOURCES[0].name: SHARES}}
    tried = {
        name: dict.fromkeys((SOURCES[0].name, SOURCES[1].name), SHARES) for name in (first.name, second.name)
    }
    holds, *new = judge_cells(CPU, tried, CPU, recorded)
    assert holds.kind is VerdictKind.HOLDS
    assert [(v.kind, v.what, v.statement) for v in new] == [
        (VerdictKind.STALE, "not recorded yet", second.title),
        (VerdictKind.STALE, "not recorded yet", SOURCES[1].code),
    ]
    assert [v.path for v in new] == [f"docs/records/matrix/{second.name}.json", "docs/records/sources.json"]


def test_matrix_without_anything_to_hold_it_to_is_told_so() -> None:
    """It is neither drift nor does it hold."""
    (verdict,) = judge_cells(CPU, {"c": {"a": SHARES}}, None, {})
    assert (verdict.kind, verdict.what) == (VerdictKind.STALE, "no older release to compare with")
