"""The landing page on a built site: the conversions, the box for an error, what changed, chapters' cards."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from docutils import nodes
from samples import captured
from sphinx.testing.util import SphinxTestApp
from tiny_project import CAPTURE, PRINTS, Tiny, example, html, tiny

from tensor_atlas.model.runs import Run
from tensor_atlas.records import store
from tensor_atlas.records.store import Store, add_capture
from tensor_atlas.site.nodes import drawing, element
from tensor_atlas.site.page_scripts import SOME_PAGES

PAGE = """
:orphan:

Landing
=======

.. landing::

.. chapters::

   01_x: {drawn}
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
    found.write("docs/landing.rst", PAGE.format(drawn="shares"))
    found.write("docs/decisions.toml", DECISIONS)
    found.write("examples/01_x/GALLERY_HEADER.rst", "Chapter\n=======\n\nDecide `this`.\nMore is said.\n")
    found.write("examples/02_y/GALLERY_HEADER.rst", "Second\n======\n\nDecide that.\n")
    found.write("examples/02_y/last.py", example("Last", PRINTS))
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
    runs = [_otherwise(run) if run.example == "01_x/shares" else run for run in capture.runs]
    found = Store()
    for environment, told in ((older, runs), (capture.environment, list(capture.runs))):
        found = add_capture(found, captured(*told, environment=environment))
    store.write_records(found, made.root / "docs" / "records")
    return made.build()


def _otherwise(run: Run) -> Run:
    *first, last = run.observations
    return replace(run, observations=(*first, replace(last, stdout="something else")))


def found(app: SphinxTestApp, css: str) -> list[element]:
    """Elements of the landing page that have a class."""
    return [node for node in app.env.get_doctree("landing").findall(element) if css in node["classes"]]


def test_panels_answer_the_three_questions(built: SphinxTestApp) -> None:
    """Each under a heading of its own, in this order."""
    (panels,) = found(built, "atlas-panels")
    headings = [section.children[0].astext() for section in panels.findall(nodes.section)]
    assert headings == ["Choose a conversion", "Fix an error", "See what changed"]
    assert (
        "atlas-finder-place" in html(built, "landing").split("Fix an error")[1].split("See what changed")[0]
    )


def test_pick_holds_every_decision_with_its_captured_answer(built: SphinxTestApp) -> None:
    """As lines that are there without a script; what they are picked by is plain text."""
    rows = found(built, "atlas-pick-row")
    asked = [(row["attributes"]["data-have"], row["attributes"]["data-want"]) for row in rows]
    assert asked == [("a float64 array", "a view of it"), ("an array", "a copy")]
    first, second = (row.astext() for row in rows)
    assert "torch.from_numpy(array)" in first
    assert "= shares memory" in first
    assert "≠ copies" in second


def test_last_release_is_counted_and_its_gravest_change_named(built: SphinxTestApp) -> None:
    """From the records: the release that followed the older one printed something else."""
    text = next(node.astext() for node in built.env.get_doctree("landing").findall(nodes.bullet_list))
    assert re.fullmatch(r"torch \d+\.\d+: 1 in behaviour, 0 in wording", text), text
    changed = html(built, "landing").split("See what changed")[1]
    assert re.search(
        r'In torch \d+\.\d+, value, dtype or device changed: <a [^>]*href="gallery/01_x/shares.html#block-2"',
        changed,
    )


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


def test_card_shows_the_map_of_the_example_that_is_named(built: SphinxTestApp) -> None:
    """As it was measured; a chapter for which none is named has none."""
    first, second = found(built, "atlas-chapter")
    (drawn,) = first.findall(drawing)
    assert drawn.astext().startswith("array and tensor share 16 bytes")
    assert drawn["html"] in html(built, "landing")
    assert list(second.findall(drawing)) == []


def test_only_the_landing_page_loads_what_it_needs(built: SphinxTestApp) -> None:
    """The style and the script."""
    for name in SOME_PAGES["atlas-panels"]:
        assert name in html(built, "landing")
        assert name not in html(built, "index")


@pytest.mark.parametrize(
    ("drawn", "words"),
    [("errors", "01_x/errors has no map of the memory"), ("shares\n   03_z: a", "no chapter 03_z")],
)
def test_card_that_cannot_be_drawn_ends_the_build(
    tmp_path: Path, executed: Path, drawn: str, words: str
) -> None:
    """It says in which line, and what is wrong with it."""
    here = tiny(tmp_path, executed)
    here.write("docs/landing.rst", PAGE.format(drawn=drawn))
    app = here.app()
    with pytest.raises(SystemExit):
        app.build()
    assert re.search(rf"docs/landing.rst:\d+  {words}", app.warning.getvalue())
