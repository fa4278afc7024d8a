"""What stands above and below the code of an example's page, from runs alone."""

from __future__ import annotations

import json
from dataclasses import replace

from docutils import nodes
from docutils.utils import new_document
from samples import CPU, GPU, OLDER, example, ran

from tensor_atlas.compare.evidence import ExampleEvidence, Origin
from tensor_atlas.model.runs import Environment, Run, Status
from tensor_atlas.site.gallery import example_pages
from tensor_atlas.site.gallery.example_pages import (
    build_evidence_node,
    build_release_badge,
    describe_origin,
    describe_other_devices,
)
from tensor_atlas.site.gallery.output_nodes import ExamplePage

EXAMPLE = example("print(1)\nprint(2)\n# => 2\n")
MIDDLE = replace(CPU, torch="2.9.1+cpu")
HERE = ran(EXAMPLE, "1", "2")


def page(*runs: tuple[Environment, Run], **fields: object) -> ExamplePage:
    """Page of an example that was run in these environments, which shows the run of CPU."""
    shown = ExampleEvidence(EXAMPLE, Origin.EXECUTED, HERE, CPU, runs=(*runs, (CPU, HERE)), executed=CPU)
    return ExamplePage(replace(shown, **fields))  # type: ignore[arg-type]


def words(node: nodes.Element | None) -> str:
    """The words of a fold-out that are seen while it is closed."""
    assert node is not None
    return node[0].astext()


# --- the badge -----------------------------------------------------------------------------------


def test_badge_counts_releases_that_did_the_same() -> None:
    """And says how the others differ; in the fold-out each has its sign."""
    badge = build_release_badge(page((OLDER, ran(EXAMPLE, "1", "3")), (MIDDLE, HERE)))
    assert badge is not None
    assert words(badge) == "Same on 2 of 3 releases, different behaviour on 1"
    assert [item.astext() for item in badge[1].children] == ["≠ 2.2", "= 2.9", "= 2.13"]


def test_badge_leaves_other_devices_out() -> None:
    """What a GPU printed is no release of the CPU's page."""
    gpu = replace(GPU, torch="2.11.0+cu128")
    assert build_release_badge(page((gpu, HERE))) is None
    assert words(build_release_badge(page((OLDER, HERE), (gpu, HERE)))) == "Same on 2 of 2 releases"


def test_badge_counts_releases_that_recorded_other_code() -> None:
    """They say nothing about the present one, and are said to be missing."""
    assert words(build_release_badge(page((OLDER, HERE), unmeasured=(MIDDLE,)))) == (
        "Same on 2 of 3 releases, not measured on 1"
    )


def test_one_release_has_no_badge() -> None:
    """Nor has a page that nobody ran."""
    assert build_release_badge(page()) is None
    assert build_release_badge(page((OLDER, HERE), run=None)) is None


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
    shown = page().shown
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
    attributes = build_evidence_node(made)["attributes"]
    assert attributes["data-measured"] == f"{OLDER.id} {CPU.id}"
    assert json.loads(attributes["data-ended"]) == {OLDER.id: [1, [0]]}
    assert json.loads(attributes["data-absent"]) == {
        GPU.id: "needs jax",
        MIDDLE.id: "has not run there since it changed",
    }
    assert attributes["data-shown"] == CPU.id


# --- in the page ---------------------------------------------------------------------------------


def document(*blocks: nodes.Node) -> nodes.document:
    """A page with a title, a lead and blocks."""
    made = new_document("page")
    made += nodes.section("", nodes.title("", "Title"), nodes.paragraph("", "Lead."), *blocks)
    return made


def test_page_without_blocks_has_its_evidence_below_the_lead() -> None:
    """An example of prose alone ends no build."""
    prose = example("")
    shown = ExampleEvidence(prose, Origin.EXPECTED, None, None)
    made = document(nodes.paragraph("", "More."))
    example_pages._add_evidence(made, ExamplePage(shown))
    assert [node.astext()[:12] for node in made[0].children] == ["Title", "Lead.", "Not yet run:", "More."]


def test_incompatible_installs_come_last() -> None:
    """Behind the last block."""
    broken = replace(OLDER, numpy="2.4.6")
    block = nodes.container("", nodes.paragraph("", "Block."), classes=["atlas-block"])
    made = document(block)
    example_pages._add_evidence(made, page((broken, ran(EXAMPLE, "1", "9"))))
    kinds = [type(node).__name__ for node in made[0].children]
    assert kinds == ["title", "paragraph", "element", "container", "element"]
    assert made[0].children.index(block) == 3
