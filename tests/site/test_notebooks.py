"""The notebook of an example: its cells, and what each printed, warned and raised, as Jupyter keeps it."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
import pytest
from committed import committed_evidence
from samples import CPU
from tiny_project import ERRORS, GPU, LATE, SHARES, example

from tensor_atlas.compare.evidence import ExampleEvidence, Origin
from tensor_atlas.examples.parse import parse_example
from tensor_atlas.model.runs import AFTER, Observation, Raised, Run, Status, Unmade, Warned
from tensor_atlas.pages.notebooks import render_notebook

PROSE = '''"""
Title
=====

See :doc:`/gallery/02_y/other` and ``code``.

Second paragraph.
"""

import torch

# %%
# A heading
# ---------
#
# Call :meth:`torch.Tensor.detach`, as the `manual
# <https://example.org/manual>`__ says; :doc:`this </guides/devices>` helps.

# a comment of the code
torch.ones(1)

# %%
# The end.
'''


def show(
    text: str, *seen: Observation, status: Status = Status.COMPLETED, reason: str = ""
) -> ExampleEvidence:
    """An example, after the run that gave this, statement by statement; without one, nobody has run it."""
    parsed = parse_example(text, "examples/01_x/it.py")
    silent = ExampleEvidence(parsed, Origin.EXPECTED, None, None, missing="needs 1 CUDA device, found 0")
    if not seen:
        return silent
    run = Run(parsed.name, parsed.digest, status, reason, seen)
    return replace(silent, origin=Origin.RECORDED, run=run, environment=CPU, runs=((CPU, run),), missing="")


def cells(document: str, kind: str) -> list[dict[str, Any]]:
    return [cell for cell in json.loads(document)["cells"] if cell["cell_type"] == kind]


def sources(document: str, kind: str) -> list[str]:
    return ["".join(cell["source"]) for cell in cells(document, kind)]


def outputs(document: str) -> list[tuple[str, str]]:
    """Every output of every cell: its kind, and its text."""
    found = []
    for cell in cells(document, "code"):
        for output in cell["outputs"]:
            kind = output.get("name") or output["output_type"]
            found.append((kind, "".join(output.get("text", output.get("traceback", ())))))
    return found


def errors() -> ExampleEvidence:
    return show(
        example("Errors", ERRORS),
        Observation("import warnings"),
        Observation("import torch"),
        Observation("try", "Can't call numpy()\n", caught=(Raised("RuntimeError", "Can't call numpy()"),)),
        Observation("warn", warnings=(Warned("UserWarning", "look out"),)),
        Observation("print", "[1. 1.]"),
    )


def extract_code(document: str) -> str:
    """Code of a notebook, cell after cell, as a script."""
    cells = json.loads(document)["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code") + "\n"


@pytest.mark.parametrize("printed", ["\n", "\n\n"])
def test_blank_lines_alone_stand_under_their_cell(printed: str) -> None:
    """As many as were printed."""
    shared = example("Shares", SHARES)
    silent = [Observation("f()")] * 5
    document = render_notebook(show(shared, *silent, Observation("print(array)", printed)), {})
    assert outputs(document) == [("stdout", printed)]


def test_outputs_stand_under_their_cells() -> None:
    """What was printed on one stream, warnings on the other, each line with its end."""
    document = render_notebook(errors(), {})
    assert outputs(document) == [
        ("stdout", "Can't call numpy()\n"),
        ("stderr", "UserWarning: look out\n"),
        ("stdout", "[1. 1.]\n"),
    ]
    assert sources(document, "code")[1].endswith("print(error)")
    assert "# =>" not in "".join(sources(document, "code"))


def test_end_before_its_time_is_in_the_notebook() -> None:
    """An exception as Jupyter keeps it; a crash in words; what was never reached is bare."""
    trace = ("Traceback (most recent call last):", "ValueError: no")
    raised = Observation("print(array)", raised=Raised("ValueError", "no", trace))
    before = [Observation(code) for code in ("import numpy", "import torch", "array", "tensor", "tensor[0]")]
    document = render_notebook(show(example("Shares", SHARES), *before, raised, status=Status.RAISED), {})
    nbformat.validate(json.loads(document))
    assert outputs(document) == [("error", "".join(trace))]
    crash = show(
        example("Shares", SHARES),
        *before,
        Observation("print(array)"),
        status=Status.CRASHED,
        reason="SIGSEGV",
    )
    assert outputs(render_notebook(crash, {})) == [("stderr", "The run ended here: crashed: SIGSEGV\n")]


def test_statement_that_lacks_a_name_is_bare_in_the_notebook() -> None:
    """Nobody saw it do anything."""
    codes = ("import numpy", "import torch", "array", "tensor", "tensor[0]")
    raised = [Observation(codes[0], raised=Raised("ValueError", "no")), *map(Observation, codes[1:])]
    lacking = Observation("print(array)", unmade=Unmade("array", 0))
    document = render_notebook(show(example("Shares", SHARES), *raised, lacking, status=Status.RAISED), {})
    assert [kind for kind, _ in outputs(document)] == ["error"]


def test_notebook_says_where_its_outputs_are_from() -> None:
    """In words after the title, and for programs."""
    document = render_notebook(errors(), {})
    releases = f"torch {CPU.torch}, NumPy {CPU.numpy}, Python {CPU.python}, CPU, {CPU.date}"
    where = f"The outputs below were captured with {releases}. Run the cells to see your own."
    assert sources(document, "markdown")[:2] == ["# Errors\n\nDecide something.", where]
    assert json.loads(document)["metadata"]["tensor_atlas"] == {
        "example": "01_x/it",
        "torch": CPU.torch,
        "numpy": CPU.numpy,
        "device": "cpu",
        "date": CPU.date,
    }


def test_notebook_of_what_nobody_ran_holds_no_output() -> None:
    """It says so, and keeps the expectations as the comments they are."""
    document = render_notebook(show(example("On a GPU", GPU)), {})
    nbformat.validate(json.loads(document))
    assert outputs(document) == []
    assert "**Not run yet:** this example needs 1 CUDA device, found 0." in sources(document, "markdown")[1]
    assert sources(document, "code")[-1].endswith("# => nobody has ever seen this message")


def test_prose_is_markdown() -> None:
    """Headings, code and links; pages of the site by their title, or linked where its address is known."""
    page = show(PROSE, Observation("import torch"), Observation("torch.ones(1)"))
    titles = {"gallery/02_y/other": "Another"}
    said = sources(render_notebook(page, titles), "markdown")
    assert said[0] == "# Title\n\nSee “Another” and `code`.\n\nSecond paragraph."
    assert said[2:] == [
        (
            "## A heading\n\nCall `torch.Tensor.detach`, as the [manual](https://example.org/manual) says; "
            "this helps."
        ),
        "The end.",
    ]
    linked = sources(render_notebook(page, titles, "https://example.org/atlas/"), "markdown")
    assert "[Another](https://example.org/atlas/gallery/02_y/other.html)" in linked[0]
    assert "[this](https://example.org/atlas/guides/devices.html)" in linked[2]


# --- the examples of the site --------------------------------------------------------------------


def test_every_notebook_is_valid_and_always_the_same() -> None:
    """By the schema of the format; all code and all output of the run is in it."""
    for name, page in committed_evidence().pages.items():
        document = render_notebook(page, {})
        nbformat.validate(json.loads(document))
        assert document == render_notebook(page, {}), name
        lines = [
            line
            for statement in page.example.statements
            for line in statement.code.split("\n")
            if line.strip()
        ]
        assert [line for line in lines if line not in extract_code(document)] == [], name
        printed = (
            [o.stdout.rstrip("\n") + "\n" for o in page.run.observations if o.stdout] if page.run else []
        )
        assert [text for kind, text in outputs(document) if kind == "stdout"] == printed, name


@pytest.mark.parametrize("name", ["01_numpy_to_tensor/from_numpy", "02_tensor_to_numpy/two_views"])
def test_code_of_a_notebook_prints_its_outputs(name: str, tmp_path: Path) -> None:
    """Run as a plain script; these examples print the same on every release."""
    document = render_notebook(committed_evidence().pages[name], {})
    script = tmp_path / "script.py"
    script.write_text(extract_code(document), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script)], check=False, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "".join(text for kind, text in outputs(document) if kind == "stdout")


def test_notebook_ends_with_what_came_after_the_last_statement() -> None:
    """In a cell whose comment says so; without a run, with the claim."""
    what = parse_example(example("Late", LATE), "examples/01_x/late.py")
    silent = ExampleEvidence(what, Origin.EXPECTED, None, None)
    observations = tuple(Observation(statement.code) for statement in what.statements)
    late = Observation(AFTER, "from atexit")
    run = Run(what.name, what.digest, Status.COMPLETED, "", observations, late=late)
    shown = replace(silent, origin=Origin.RECORDED, run=run, environment=CPU, runs=((CPU, run),))
    last = nbformat.reads(render_notebook(shown, {}), 4).cells[-1]
    assert (last.source, last.outputs[0].text) == (AFTER, "from atexit\n")
    assert nbformat.reads(render_notebook(silent, {}), 4).cells[-1].source == f"{AFTER}\n# => from atexit"
