"""How an example is cut for its page and its notebook."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import CPU
from tiny_project import SHARES, example

from tensor_atlas.compare.evidence import ExampleEvidence, Origin
from tensor_atlas.examples.parse import parse_example
from tensor_atlas.model.runs import Observation, Run, Status
from tensor_atlas.pages.code_cells import CodeCell, first_statement, has_output, split_block

EXAMPLE = parse_example(example("Shares", SHARES), "examples/01_x/shares.py")
SILENT = ExampleEvidence(EXAMPLE, Origin.EXPECTED, None, None)


def ran(*stdout: str) -> ExampleEvidence:
    """The example after a run that printed this, statement by statement."""
    seen = zip(EXAMPLE.statements, stdout, strict=False)
    observations = tuple(Observation(statement.code, text) for statement, text in seen)
    run = Run(EXAMPLE.name, EXAMPLE.digest, Status.COMPLETED, "", observations)
    return replace(SILENT, origin=Origin.RECORDED, run=run, environment=CPU, runs=((CPU, run),))


def test_claimed_statements_end_a_piece_without_a_run() -> None:
    """Code up to each, without its claim; what is left has no statement that speaks."""
    assert list(split_block(SILENT, 1)) == [
        CodeCell("array = np.zeros(2)\ntensor = torch.from_numpy(array)\ntensor[0] = 5\nprint(array)", 5),
        CodeCell('copied = torch.tensor(array)\nprint("<script>alert(1)</script> **bold** `x`_")', 7),
    ]
    assert list(split_block(SILENT, 0)) == [CodeCell("import numpy as np\nimport torch", None)]


def test_statement_that_spoke_in_any_run_ends_a_piece() -> None:
    """Whether or not the example claims it."""
    shown = ran("", "", "said", "", "", "[5. 0.]", "", "<script>")
    assert [piece.statement for piece in split_block(shown, 1)] == [2, 5, 7]
    assert has_output(shown, 2)
    assert not has_output(shown, 3)


@pytest.mark.parametrize(
    ("above", "first"),
    [
        ("# Why.\n# How.\n", "# Why.\n# How.\nprint(1)"),
        ("# %%\n# Prose.\n\n# Why.\n", "# Why.\nprint(1)"),
        ("# %%\n# Prose.\n", "print(1)"),
        ('# sphinx_gallery_tags = ["sharing"]\n', "print(1)"),
    ],
)
def test_comments_directly_above_a_block_are_its_code(above: str, first: str) -> None:
    """Not the prose of its heading, and no setting."""
    shown = replace(
        SILENT, example=parse_example(f'"""\nT\n=\n\nL.\n"""\n\n{above}print(1)\n', "examples/01_x/a.py")
    )
    assert list(split_block(shown, 0)) == [CodeCell(first, None)]


def test_blocks_count_their_statements_from_the_start() -> None:
    """Of the whole example."""
    assert [first_statement(SILENT, 0), first_statement(SILENT, 1)] == [0, 2]
