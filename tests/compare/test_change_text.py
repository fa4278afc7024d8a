"""Changes as text for a terminal."""

from __future__ import annotations

from dataclasses import replace

from samples import example

from tensor_atlas.compare.change_text import render_change, render_rule
from tensor_atlas.history.changes import Change, Rule, Severity
from tensor_atlas.model.runs import AFTER, LATE

EXAMPLE = example("first()\nprint(\n    tensor\n)\n\n# %%\n\nthird()\n")
RULE = Rule(
    Severity.ERROR_VANISHED,
    "raises (TypeError)",
    "shares memory",
    (
        *(("from-numpy", f"uint{bits}") for bits in (16, 32, 64)),
        *(("as-tensor", f"uint{bits}") for bits in (16, 32, 64)),
    ),
)


def test_change_after_the_last_statement_is_at_its_claim() -> None:
    """Or at the last line of the script, where nothing is claimed."""
    late = Change("01_x/a", Severity.VALUE, 0, LATE, AFTER, ("a",), ("b",))
    claimed = example(f"first()\n\n{AFTER}\n# => b\n")
    lines = [render_change(late, {one.name: one}).splitlines()[:2] for one in (claimed, EXAMPLE)]
    what = "value, dtype or device changed"
    assert lines == [
        [f"examples/01_x/a.py:10  {what}", f"    statement  {AFTER}"],
        [f"examples/01_x/a.py:15  {what}", f"    statement  {AFTER}"],
    ]


def test_rule_names_conversions_with_the_same_sources_together() -> None:
    """On one line, however many cells they are."""
    assert render_rule(RULE).split("\n") == [
        "6 cells of the matrix  error vanished",
        "    before     raises (TypeError)",
        "    after      shares memory",
        "    in         from-numpy, as-tensor on uint16, uint32, uint64",
    ]


def test_rule_with_many_cells_counts_the_rest() -> None:
    """Six names, then how many there are beside."""
    many = replace(RULE, cells=tuple((f"c{index}", f"s{index % 8}") for index in range(8)))
    assert render_rule(many).split("\n")[-1].endswith("c7 on s7")
    many = replace(RULE, cells=tuple(("c", f"s{index}") for index in range(9)))
    assert render_rule(many).endswith("c on s0, s1, s2, s3, s4, s5 and 3 more")
