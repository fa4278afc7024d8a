"""What the page of an example shows of its runs, from runs alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import CPU, GPU, OLDER, example, ran

from tensor_atlas.compare.evidence import ExampleEvidence, Origin
from tensor_atlas.model.runs import Environment, Run, Status
from tensor_atlas.pages import example_view, statement_view
from tensor_atlas.pages.example_view import (
    describe_origin,
    describe_other_devices,
    view_block,
    view_example,
)
from tensor_atlas.pages.statement_view import ExamplePage

EXAMPLE = example("print(1)\nprint(2)\n# => 2\n")
MIDDLE = replace(CPU, torch="2.9.1+cpu")
HERE = ran(EXAMPLE, "1", "2")


def page(*runs: tuple[Environment, Run], **fields: object) -> ExamplePage:
    """Page of an example that was run in these environments, which shows the run of CPU."""
    shown = ExampleEvidence(EXAMPLE, Origin.EXECUTED, HERE, CPU, runs=(*runs, (CPU, HERE)), executed=CPU)
    return ExamplePage(replace(shown, **fields))  # type: ignore[arg-type]


# --- where it ran --------------------------------------------------------------------------------


def test_accelerator_is_named_beside_a_cpu_by_its_newest_run() -> None:
    """With how many statements gave another output there."""
    older = replace(GPU, torch="2.11.0+cu128")
    (line,) = describe_other_devices(page((older, HERE), (GPU, ran(EXAMPLE, "1", "3"))))
    assert line.startswith("Recorded on torch 2.13.0")
    assert line.endswith(", too: different output at 1 of 2 statements.")
    (line,) = describe_other_devices(page((GPU, HERE)))
    assert line.endswith(", too: the same.")


def test_page_of_an_accelerator_names_no_other() -> None:
    """Its own output is that of the accelerator."""
    assert list(describe_other_devices(page((GPU, HERE), environment=GPU))) == []


def test_origin_says_who_ran_it() -> None:
    """This build, a record, or nobody."""
    shown = page().evidence
    assert describe_origin(shown).startswith("Executed in this build: torch 2.13.0")
    recorded = replace(shown, origin=Origin.RECORDED)
    assert describe_origin(recorded).endswith("This build executed it too, with torch 2.13.0+cpu.")
    lacking = replace(recorded, executed=None, missing="needs jax")
    assert describe_origin(lacking).endswith("This build could not execute it: it needs jax.")
    unrun = replace(lacking, origin=Origin.EXPECTED)
    assert describe_origin(unrun).startswith("Not yet run: this example needs jax. ")
    unknown = replace(lacking, environment=None, missing="")
    assert describe_origin(unknown).startswith("Not yet run: no run of it has been recorded. ")


def test_picker_learns_which_runs_ended_early_or_are_missing() -> None:
    """With how far they came, and why others do not exist."""
    cut = ran(EXAMPLE, "1", status=Status.CRASHED, reason="SIGSEGV")
    made = page((OLDER, cut), not_run=((GPU, "needs jax"),), stale=(MIDDLE,))
    facts = view_example(made.evidence).picker
    assert facts.measured == (OLDER, CPU)
    assert facts.ended == {OLDER.id: (1, (0,))}
    assert facts.absent == {GPU.id: "needs jax", MIDDLE.id: "has not run there since it changed"}
    assert facts.own == CPU.id


# --- blocks --------------------------------------------------------------------------------------


def test_block_shows_the_end_of_the_script_after_the_last_statement() -> None:
    """Where something is written or claimed there; other blocks have no such end."""
    late = example("print(1)\n\n# %%\n\nprint(2)\n\n# After the last statement:\n# => bye\n")
    made = ExamplePage(ExampleEvidence(late, Origin.EXPECTED, None, None))
    first, last = view_block(made, 0), view_block(made, 1)
    assert first.late is None
    assert last.late is not None
    assert [box.text for box in last.late.own.boxes] == ["bye"]
    assert view_block(page(), 0).late is None


def test_view_has_all_of_a_page() -> None:
    """Blocks with what their statements did, the badge, and sentences on where it ran."""
    view = view_example(page((OLDER, ran(EXAMPLE, "1", "3")), stale=(MIDDLE,)).evidence)
    (block,) = view.blocks
    assert [(cell.code, cell.statement and cell.statement.index) for cell in block.cells] == [
        ("print(1)", 0),
        ("print(2)", 1),
    ]
    assert view.badge is not None
    assert [notice.split(":")[0] for notice in view.notices] == [
        "Executed in this build",
        "Has not run since this example changed",
    ]
    assert (view.is_error, view.incompatible) == (False, ())


def test_map_stands_beside_lines_that_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to 72 letters in a wide column, up to 40 in a narrow one."""
    monkeypatch.setattr(statement_view, "build_maps", lambda *_: {0: None})
    monkeypatch.setattr(example_view, "view_memory", lambda *_: None)
    found = []
    for letters in (40, 41, 72, 73):
        made = example(f"{'x' * (letters - 4)} = 0\n")
        run = ran(made, "")
        block = view_block(ExamplePage(ExampleEvidence(made, Origin.EXECUTED, run, CPU)), 0)
        found.append((block.is_beside, block.is_slim))
    assert found == [(True, True), (True, False), (True, False), (False, False)]
