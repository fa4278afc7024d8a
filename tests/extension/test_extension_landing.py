"""The landing page on a built site: the three doors, a block of an example, what was run."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from docutils import nodes
from samples import captured
from sphinx.testing.util import SphinxTestApp
from tiny_project import CAPTURE, Tiny, html, tiny

from tensor_atlas.history.releases import minor_release, name_environment, python_minor
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
    every = evidence_of(built).pages.values()
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
    (drawn,) = (node for node in block.findall(drawing) if "atlas-map" in node["classes"])
    assert drawn.astext().startswith("array and tensor share 16 bytes")
    assert drawn["html"] in html(built, "gallery/01_x/shares")


def test_three_doors_stand_under_headings_of_their_own(built: SphinxTestApp) -> None:
    """Conversion, compatibility, upgrade, in this order."""
    (panels,) = found(built, "atlas-panels")
    headings = [section.children[0].astext() for section in panels.findall(nodes.section)]
    assert headings == ["Choose a conversion", "Check compatibility", "Compare an upgrade"]


def rows_of(app: SphinxTestApp, place: int) -> list[element]:
    """Lines of one of the doors that are picks."""
    return [
        node
        for node in found(app, "atlas-pick")[place].findall(element)
        if "atlas-pick-row" in node["classes"]
    ]


def keys_of(row: element) -> tuple[str, str]:
    """What a line is picked by."""
    return row["attributes"]["data-first"], row["attributes"]["data-second"]


def test_pick_holds_every_decision_with_its_captured_answer(built: SphinxTestApp) -> None:
    """As lines that are there without a script; what they are picked by is plain text."""
    rows = rows_of(built, 0)
    assert list(map(keys_of, rows)) == [("a float64 array", "a view of it"), ("an array", "a copy")]
    first, second = (row.astext() for row in rows)
    assert "torch.from_numpy(array)" in first
    assert "= shares memory" in first
    assert "≠ copies" in second


def test_compatibility_is_read_from_the_environments(built: SphinxTestApp) -> None:
    """A line for each torch on each Python, the newest first, with the NumPy that ran beside it."""
    (last, first) = rows_of(built, 1)
    here = evidence_of(built).environments[-1]
    assert keys_of(last) == (minor_release(here.torch), python_minor(here))
    assert keys_of(first)[0] == "2.3"
    assert f"✓ works with NumPy {minor_release(here.numpy)}" in first.astext()
    assert 'pip install "torch==2.3.*" "numpy>=' in first.astext()


def test_torch_that_cannot_use_a_numpy_says_so(fresh: Tiny) -> None:
    """In the colour of what fails, and with the NumPy to install instead."""
    fresh.write("docs/landing.rst", PAGE.format(block="01_x/shares 2"))
    fresh.write("docs/decisions.toml", DECISIONS)
    capture = store.read_capture(fresh.root / CAPTURE)
    older = replace(capture.environment, torch="2.2.2", numpy="2.4.6")
    runs = [run for run in capture.runs if run.example == "01_x/shares"]
    records = add_capture(Store(), captured(*runs, environment=older))
    store.write_records(records, fresh.root / "docs" / "records")
    row = next(row for row in rows_of(fresh.build(), 1) if keys_of(row)[0] == "2.2")
    (verdict,) = (node for node in row.findall(nodes.inline) if "atlas-verdict" in node["classes"])
    assert verdict.astext() == "× does not work with NumPy 2.4"
    assert verdict["classes"] == ["atlas-verdict", "atlas-verdict-raises"]
    assert 'pip install "torch==2.2.*" "numpy<2"' in row.astext()


def test_upgrade_knows_what_can_be_compared(built: SphinxTestApp) -> None:
    """By the names that its page reads from an address, the newest first."""
    (door,) = found(built, "atlas-upgrade-door")
    compared = [name_environment(one) for one in reversed(evidence_of(built).environments)]
    assert door["attributes"] == {"data-page": "upgrade.html", "data-ends": " ".join(compared)}


def test_one_release_has_changed_nothing(alone: SphinxTestApp) -> None:
    """There is nothing to compare it with."""
    assert found(alone, "atlas-upgrade-door") == []
    panels = alone.env.get_doctree("landing").astext()
    assert "One release has been recorded: nothing to compare yet." in panels


@pytest.mark.parametrize("block", ["01_x/none 1", "01_x/shares 9", "01_x/shares two"])
def test_block_that_is_not_there_ends_the_build(fresh: Tiny, block: str) -> None:
    """It says in which line, and what is wrong with it."""
    fresh.write("docs/landing.rst", PAGE.format(block=block))
    app = fresh.app()
    with pytest.raises(SystemExit):
        app.build()
    name, number = block.split()
    assert re.search(rf"docs/landing.rst:\d+  no block {number} of {name}", app.warning.getvalue())
