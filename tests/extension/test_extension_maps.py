"""Memory maps on built pages: where they stand, and which files a page loads for them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from docutils import nodes
from sphinx.testing.util import SphinxTestApp
from tiny_project import CARD, SCRIPTS, Tiny, blocks, html, pieces, tiny

from tensor_atlas.examples.parse import parse_example
from tensor_atlas.model.runs import Buffer, Observation, Run, Snapshot, Status, Value
from tensor_atlas.records import store
from tensor_atlas.records.fold import Record
from tensor_atlas.site.build.nodes import drawing
from tensor_atlas.site.build.page_scripts import SOME_PAGES

WORDS = "array and tensor share 16 bytes on the CPU.\n\ncopied has 16 bytes of its own on the CPU."
"""What the example that shares has after its block."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, executed: Path) -> Tiny:
    """The tiny checkout, with an example that names its variables on purpose."""
    found = tiny(tmp_path_factory.mktemp("maps"), executed)
    found.add("01_x/evil")
    return found


@pytest.fixture(scope="module")
def built(made: Tiny) -> SphinxTestApp:
    """The site."""
    return made.build()


def maps(app: SphinxTestApp, page: str) -> list[drawing]:
    """Maps of a page."""
    return [node for node in app.env.get_doctree(page).findall(drawing) if "atlas-map" in node["classes"]]


def test_map_stands_at_the_end_of_the_block_that_brings_it_about(built: SphinxTestApp) -> None:
    """Below the line that says what was measured, and after no other block."""
    assert pieces(blocks(built, "shares")[1])[-1] == ("map", WORDS)
    assert len(maps(built, "gallery/01_x/shares")) == 1
    assert maps(built, "gallery/01_x/errors") == []


def test_map_is_in_the_page_as_svg_with_its_words(built: SphinxTestApp) -> None:
    """It is there without any script, and is one image with a name."""
    page = html(built, "gallery/01_x/shares")
    assert (
        page.count('<div class="atlas-map" role="img" aria-label="Memory: array and tensor share 16 bytes')
        == 1
    )
    (found,) = maps(built, "gallery/01_x/shares")
    assert found["html"] in page
    assert len(list(ET.fromstring(found["html"]).iter("svg"))) == 2


def test_name_that_looks_like_markup_is_text(built: SphinxTestApp) -> None:
    """In the drawing and in the words."""
    page = html(built, "gallery/01_x/evil")
    assert "all[&#x27;&lt;b&gt;&#x27;]" in page
    assert "<b>" not in page.replace("<body", "")


def test_example_that_nobody_ran_has_no_map(built: SphinxTestApp) -> None:
    """Nothing on its page looks like one."""
    assert maps(built, "gallery/01_x/gpu") == []
    assert "atlas-map" not in html(built, "gallery/01_x/gpu")


def test_only_a_page_with_a_map_loads_what_maps_need(built: SphinxTestApp) -> None:
    """The style and the script."""
    for name in SOME_PAGES["atlas-map"]:
        assert name in html(built, "gallery/01_x/shares")
        assert name not in html(built, "gallery/01_x/errors")
        assert name not in html(built, "index")


def test_card_is_words_alone(built: SphinxTestApp) -> None:
    """No map, and none of sphinx-gallery's pictures."""
    for page in ("gallery/01_x/index", "gallery/index"):
        assert maps(built, page) == []
        assert [*built.env.get_doctree(page).findall(nodes.image)] == []


def test_host_and_device_stand_apart(fresh: Tiny) -> None:
    """A record of a card draws both; its example cannot run here."""
    fresh.add("01_x/moves")
    code = parse_example(SCRIPTS["01_x/moves"], "examples/01_x/moves.py")
    host = Value("host", "Tensor", "torch.float32", (2,), (4,), "cpu", None, None, 0, 0, 8)
    both = Snapshot(
        (host, replace(host, name="moved", device="cuda:0", buffer=1)),
        (Buffer("cpu", 8), Buffer("cuda:0", 8)),
    )
    said = tuple(Observation(statement.code) for statement in code.statements)
    ran = Run(code.name, code.digest, Status.COMPLETED, "", said, (Snapshot(), both))
    assert len(code.blocks) == len(ran.snapshots)
    store.write_records(
        store.Store({CARD.id: CARD}, {code.name: Record(code.name, {CARD.id: ran}, {CARD.id: CARD.date})}),
        fresh.root / "docs/records",
    )
    (found,) = maps(fresh.build(), "gallery/01_x/moves")
    groups = [node for node in ET.fromstring(found["html"]) if node.get("class") == "atlas-map-device"]
    assert ["".join(text for text in group.itertext()) for group in groups] == [
        "CPU · 8 byteshost",
        "cuda:0 · 8 bytesmoved",
    ]


def test_writer_without_pictures_has_the_words(made: Tiny, built: SphinxTestApp) -> None:
    """As paragraphs."""
    app = SphinxTestApp("text", srcdir=made.root / "docs", freshenv=False)
    app.build()
    text = (Path(app.outdir) / "gallery/01_x/shares.txt").read_text(encoding="utf-8")
    assert "copied has 16 bytes of its own on the CPU." in text
    assert built.outdir != app.outdir
