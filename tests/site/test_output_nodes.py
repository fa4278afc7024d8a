"""Boxes under a statement: what it did, or what it claims where no run has shown it."""

from __future__ import annotations

from dataclasses import replace

from samples import CPU, did, example, observed

from tensor_atlas.compare.evidence import ExampleEvidence, Origin
from tensor_atlas.model.runs import Warned
from tensor_atlas.site.gallery.output_nodes import build_own_boxes

EXAMPLE = example("print(1)\n# => 1\nprint(2)\n# => 3\nf()\n")
FIRST, SECOND, THIRD = (statement.code for statement in EXAMPLE.statements)
RUN = observed(
    EXAMPLE,
    did("1", code=FIRST),
    did("2", code=SECOND, warnings=(Warned("UserWarning", "careful"),)),
    did(code=THIRD),
)


def boxes(index: int, *, is_run: bool = True) -> list[str]:
    """Texts of the boxes of a statement."""
    shown = ExampleEvidence(EXAMPLE, Origin.RECORDED, RUN, CPU)
    shown = shown if is_run else replace(shown, origin=Origin.EXPECTED, run=None)
    return [node.astext() for node in build_own_boxes(shown, index)]


def test_each_kind_of_output_has_its_box() -> None:
    """In order; of a silent statement there is none."""
    assert boxes(0) == ["Output\n\n1"]
    assert boxes(1)[:2] == ["Output\n\n2", "Warning: UserWarning\n\ncareful"]
    assert boxes(2) == []


def test_claim_that_does_not_hold_stands_below_the_output() -> None:
    """A page shows both sides."""
    assert boxes(1)[2].endswith("\n\n3")
    assert len(boxes(1)) == 3


def test_claim_that_nobody_ran_is_labelled() -> None:
    """A statement without a claim has nothing to show."""
    (box,) = boxes(0, is_run=False)
    assert box.startswith("Expected, not yet confirmed by a run")
    assert boxes(2, is_run=False) == []
