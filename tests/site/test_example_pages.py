"""What stands above and below the code of an example's page."""

from __future__ import annotations

import json
from dataclasses import replace

from docutils import nodes
from docutils.utils import new_document
from samples import CPU, OLDER, ROOT, example, ran

from tensor_atlas.compare.evidence import ExampleEvidence, Origin
from tensor_atlas.examples.parse import parse_example
from tensor_atlas.model.runs import Environment, Run, Status
from tensor_atlas.pages.example_view import ExampleView, view_example
from tensor_atlas.site.build.nodes import drawing
from tensor_atlas.site.gallery import example_pages
from tensor_atlas.site.gallery.example_pages import build_block_node, build_evidence_node

EXAMPLE = example("print(1)\nprint(2)\n# => 2\n")
HERE = ran(EXAMPLE, "1", "2")


def view(environment: Environment, run: Run) -> ExampleView:
    """View of an example that was run in an older environment too, which shows the run of CPU."""
    runs = ((environment, run), (CPU, HERE))
    return view_example(ExampleEvidence(EXAMPLE, Origin.EXECUTED, HERE, CPU, runs=runs, executed=CPU))


def test_badge_folds_each_release_with_its_sign() -> None:
    """And where the example ran, behind the words."""
    stamp = build_evidence_node(view(OLDER, ran(EXAMPLE, "1", "3")))
    (badge,) = stamp.children
    assert isinstance(badge, nodes.Element)
    assert badge[0].astext() == "Same on 1 of 2 releases (2.13); different behaviour on 2.2"
    assert [item.astext() for item in badge[1].children] == ["≠ 2.2", "= 2.13"]
    assert badge[3].astext().startswith("Executed in this build")


def test_picker_reads_runs_that_ended_early_as_json() -> None:
    """With the ids of those that are recorded."""
    cut = ran(EXAMPLE, "1", status=Status.CRASHED, reason="SIGSEGV")
    attributes = build_evidence_node(view(OLDER, cut))["attributes"]
    assert attributes["data-measured"] == f"{OLDER.id} {CPU.id}"
    assert json.loads(attributes["data-ended"]) == {OLDER.id: [1, [0]]}


def test_anchor_of_a_block_stays_when_others_come_before_it() -> None:
    """Its number, by which other pages of a build lead to it, does not."""
    codes = "f()\n", "e()\n\n# %%\n# More.\n\nf()\n"
    pages = [ExampleEvidence(example(code), Origin.EXPECTED, None, None) for code in codes]
    first, second = (build_block_node(view_example(page).blocks[-1]) for page in pages)
    assert first["ids"][0] != second["ids"][0]
    assert first["ids"][1] == second["ids"][1]
    assert f'href="#{first["ids"][1]}"' in next(first.findall(drawing))["html"]
    assert "#" not in first.astext()


def test_no_two_blocks_of_an_example_have_one_anchor() -> None:
    """An anchor is of the block's characters, and no example has the same block twice."""
    for path in sorted((ROOT / "examples").glob("*/*.py")):
        found = parse_example(path.read_text(encoding="utf-8"), f"{path.parent.name}/{path.stem}")
        codes = [tuple(statement.code for statement in block.statements) for block in found.blocks]
        assert len(codes) == len(set(codes)), path


def test_cell_of_a_guide_looks_like_a_block_of_an_example() -> None:
    """Code is Python, and its output is in a labelled box."""
    code = nodes.literal_block("print(1)", "print(1)", language="ipython3")
    output = nodes.literal_block("1\n", "1\n", language="myst-ansi", classes=["output", "stream"])
    cell = nodes.container("", nodes.container("", code), nodes.container("", output), classes=["cell"])
    made = document(cell)
    example_pages.dress_cells(None, made)  # type: ignore[arg-type]
    (block,) = (node for node in made.findall(nodes.container) if "atlas-block" in node["classes"])
    first, second = block.findall(nodes.literal_block)
    assert (first["language"], second.astext()) == ("python", "1")
    assert second.parent is not None
    assert second.parent["classes"] == ["atlas-captured", "atlas-output"]
    assert second.parent.astext() == "Output\n\n1"


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
    example_pages._add_evidence(made, view_example(shown))
    texts = [node.astext().split("\n")[0] for node in made[0].children]
    assert texts == ["Title", "Lead.", "This page has not run yet", "More."]


def test_guards_hold_where_a_page_has_no_blocks() -> None:
    """Neither an error page nor an incompatible install has a block to stand beside."""
    shown = view(replace(OLDER, numpy="2.4.6"), ran(EXAMPLE, "1", "9"))
    assert shown.incompatible
    for without in (shown, replace(shown, is_error=True)):
        made = document()
        example_pages._add_evidence(made, without)
        assert [type(node).__name__ for node in made[0].children] == ["title", "paragraph", "element"]


def test_incompatible_installs_come_last() -> None:
    """Behind the last block and where it ran."""
    broken = replace(OLDER, numpy="2.4.6")
    block = nodes.container("", nodes.paragraph("", "Block."), classes=["atlas-block"])
    made = document(block)
    example_pages._add_evidence(made, view(broken, ran(EXAMPLE, "1", "9")))
    kinds = [type(node).__name__ for node in made[0].children]
    assert kinds == ["title", "paragraph", "container", "element", "element"]
    assert made[0].children.index(block) == 2


JOINED = example("import torch\n\n# %%\n# Text.\n\nprint(1)\n# => 1\n\n# %%\n# More.\n\nprint(2)\n# => 2\n")


def join(shown: ExampleEvidence) -> list[str]:
    """First words of what a page shows, its imports joined."""
    made_view = view_example(shown)
    built = [build_block_node(block) for block in made_view.blocks]
    texts = [nodes.paragraph("", words) for words in ("Text.", "More.")]
    made = document(built[0], texts[0], built[1], texts[1], *built[2:])
    example_pages._add_evidence(made, made_view)
    example_pages._join_imports(made_view, built)
    return [node.astext().strip().split("\n")[0] for node in made[0].children]


def test_imports_stand_on_the_code_that_uses_them_and_evidence_below_the_answer() -> None:
    """Nothing stands between the lead and the first code with output but its prose."""
    run = ran(JOINED, "", "1", "2")
    shown = ExampleEvidence(JOINED, Origin.EXECUTED, run, CPU, runs=((CPU, run),), executed=CPU)
    title, lead, *rest = join(shown)
    assert (title, lead) == ("Title", "Lead.")
    assert rest[:3] == ["Text.", "import torch", "print(1)"]
    assert rest[3].startswith("Ran with torch 2.13")
    assert rest[4:] == ["More.", "print(2)"]


def test_page_that_has_not_run_says_so_above_its_code() -> None:
    """What it expects is no answer yet."""
    texts = join(ExampleEvidence(JOINED, Origin.EXPECTED, None, None))
    assert texts[:4] == ["Title", "Lead.", "This page has not run yet", "Text."]


def test_first_block_that_does_more_than_import_stays() -> None:
    """Its prose is about it."""
    more = example("import torch\n\nprint(0)\n\n# %%\n# Text.\n\nprint(1)\n# => 1\n")
    texts = join(ExampleEvidence(more, Origin.EXPECTED, None, None))
    assert texts.index("import torch") < texts.index("Text.")
