"""The landing page on a built site: the conversions, the box for an error, what changed, chapters' cards."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from docutils import nodes
from samples import captured
from sphinx.testing.util import SphinxTestApp
from tiny_project import CAPTURE, Tiny, html, tiny

from tensor_atlas.model.runs import Run
from tensor_atlas.records import store
from tensor_atlas.records.store import Store, add_capture
from tensor_atlas.site.build.execution import evidence_of
from tensor_atlas.site.build.nodes import drawing, element

PAGE = """
:orphan:

Landing
=======

.. facts::

.. block:: {block}

.. landing::

.. chapters::
"""
DECISIONS = """
[[decisions]]
have = "a ``float64`` array"
want = "a view of it"
call = "torch.from_numpy(array)"
evidence = "01_x/shares: array, tensor"

[[decisions]]
have = "an array"
want = "a copy"
call = "torch.tensor(array)"
evidence = "01_x/shares: array, copied"
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, executed: Path) -> Tiny:
    """The tiny checkout with a landing page, an example of a second chapter and no record."""
    found = tiny(tmp_path_factory.mktemp("landing"), executed)
    found.write("docs/landing.rst", PAGE.format(block="01_x/shares 2"))
    found.write("docs/decisions.toml", DECISIONS)
    found.add("02_y/last")
    return found


@pytest.fixture(scope="module")
def alone(made: Tiny) -> SphinxTestApp:
    """The site while one release is known."""
    return made.build()


@pytest.fixture(scope="module")
def built(made: Tiny, alone: SphinxTestApp) -> SphinxTestApp:
    """The site with a record of an older release that printed something else."""
    assert alone.outdir
    capture = store.read_capture(made.root / CAPTURE)
    older = replace(capture.environment, torch="2.3.1", date="2026-01-02")
    here = [run for run in capture.runs if (made.root / "examples" / f"{run.example}.py").is_file()]
    runs = [_otherwise(run) if run.example == "01_x/shares" else run for run in here]
    found = Store()
    for environment, told in ((older, runs), (capture.environment, here)):
        found = add_capture(found, captured(*told, environment=environment))
    store.write_records(found, made.root / "docs" / "records")
    return made.build()


def _otherwise(run: Run) -> Run:
    *first, last = run.observations
    return replace(run, observations=(*first, replace(last, stdout="something else")))


def found(app: SphinxTestApp, css: str) -> list[element]:
    """Elements of the landing page that have a class."""
    return [node for node in app.env.get_doctree("landing").findall(element) if css in node["classes"]]


def test_facts_are_counted_from_the_records(built: SphinxTestApp) -> None:
    """Releases and statements with a run, each number linked to its proof; no matrix, no count of it."""
    (facts,) = found(built, "atlas-facts")
    releases, statements, day = (item.astext() for item in facts.children)
    assert re.fullmatch(r"2\s+torch releases, 2\.3 to \d+\.\d+", releases), releases
    every = evidence_of(built).shown.values()
    examples = [shown.example for shown in every if shown.runs]
    count = sum(len(example.statements) for example in examples)
    words = f"statements run, in {len(examples)} of {len(every)} examples"
    assert re.fullmatch(rf"{count}\s+{words}", statements), statements
    assert re.fullmatch(r"\d{4}-\d\d-\d\d\s+last run", day), day
    links = [link["refuri"] for link in facts.findall(nodes.reference)]
    assert links == ["reference/environments.html", "reference/coverage.html", "reference/environments.html"]


def test_block_is_that_of_the_example(built: SphinxTestApp) -> None:
    """Code, output and map, as the example's own page has them."""
    doctree = built.env.get_doctree("landing")
    (block,) = (node for node in doctree.findall(nodes.container) if "atlas-block" in node["classes"])
    (drawn,) = block.findall(drawing)
    assert drawn.astext().startswith("array and tensor share 16 bytes")
    assert drawn["html"] in html(built, "gallery/01_x/shares")


def test_panels_answer_the_three_questions(built: SphinxTestApp) -> None:
    """Each under a heading of its own, in this order."""
    (panels,) = found(built, "atlas-panels")
    headings = [section.children[0].astext() for section in panels.findall(nodes.section)]
    assert headings == ["Fix an error", "Choose a conversion", "See what an upgrade changes"]
    text = html(built, "landing")
    assert "atlas-finder-place" in text.split("Fix an error")[1].split("Choose a conversion")[0]


def test_pick_holds_every_decision_with_its_captured_answer(built: SphinxTestApp) -> None:
    """As lines that are there without a script; what they are picked by is plain text."""
    rows = found(built, "atlas-pick-row")
    asked = [(row["attributes"]["data-have"], row["attributes"]["data-want"]) for row in rows]
    assert asked == [("a float64 array", "a view of it"), ("an array", "a copy")]
    first, second = (row.astext() for row in rows)
    assert "torch.from_numpy(array)" in first
    assert "= shares memory" in first
    assert "≠ copies" in second


def test_last_release_is_counted(built: SphinxTestApp) -> None:
    """From the records: the release that followed the older one printed something else."""
    (panels,) = found(built, "atlas-panels")
    text = next(node.astext() for node in panels.findall(nodes.bullet_list))
    assert re.fullmatch(r"torch \d+\.\d+: 1 change in behaviour", text), text
    (door,) = found(built, "atlas-upgrade-door")
    assert door["attributes"] == {"data-page": "upgrade.html"}


def test_one_release_has_changed_nothing(alone: SphinxTestApp) -> None:
    """There is nothing to compare it with."""
    panels = alone.env.get_doctree("landing").astext()
    assert "One release has been recorded: nothing to compare yet." in panels
    assert "in behaviour" not in panels


def test_chapters_stand_in_reading_order_with_their_first_sentence(built: SphinxTestApp) -> None:
    """And with how many examples they have; every card leads to its chapter."""
    cards = found(built, "atlas-chapter")
    assert [card.astext().split("\n\n")[:3] for card in cards] == [
        ["Chapter", "Decide this.", "3 examples"],
        ["Second", "Decide that.", "1 example"],
    ]
    page = html(built, "landing")
    assert page.index("gallery/01_x/index.html") < page.index("gallery/02_y/index.html")


@pytest.mark.parametrize("block", ["01_x/none 1", "01_x/shares 9", "01_x/shares two"])
def test_block_that_is_not_there_ends_the_build(fresh: Tiny, block: str) -> None:
    """It says in which line, and what is wrong with it."""
    fresh.write("docs/landing.rst", PAGE.format(block=block))
    app = fresh.app()
    with pytest.raises(SystemExit):
        app.build()
    name, number = block.split()
    assert re.search(rf"docs/landing.rst:\d+  no block {number} of {name}", app.warning.getvalue())
