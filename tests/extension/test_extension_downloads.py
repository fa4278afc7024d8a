"""What an example's page offers: the script, the notebook, the way into the repository."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from sphinx.testing.util import SphinxTestApp
from tiny_project import CONF, Tiny, blocks, html, pieces, tiny

WHERE = """
tensor_atlas_repository = "https://github.com/owner/atlas/"
tensor_atlas_site_branch = "site"
html_baseurl = "https://atlas.example/"
"""
LINK = re.compile(r'<a [^>]*href="([^"]*)"[^>]*>')


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, executed: Path) -> tuple[Tiny, SphinxTestApp]:
    """The tiny checkout, whose repository nobody has named."""
    made = tiny(tmp_path_factory.mktemp("tiny"), executed)
    return made, made.build()


def offers(app: SphinxTestApp, name: str) -> list[str]:
    """Addresses that the row at the end leads to."""
    row = re.search(r'<div class="atlas-offers">.*?</div>', html(app, f"gallery/01_x/{name}"), re.DOTALL)
    assert row is not None
    return LINK.findall(row[0])


def test_script_and_notebook_lie_beside_the_page(built: tuple[Tiny, SphinxTestApp]) -> None:
    """The script to the byte; without a repository no link leads into one."""
    made, app = built
    assert offers(app, "shares") == ["shares.py", "shares.ipynb"]
    folder = Path(app.outdir) / "gallery" / "01_x"
    assert (folder / "shares.py").read_bytes() == (made.root / "examples/01_x/shares.py").read_bytes()
    assert "print(array)" in (folder / "shares.ipynb").read_text(encoding="utf-8")


def test_what_sphinx_gallery_offers_is_gone(built: tuple[Tiny, SphinxTestApp]) -> None:
    """Its links, its note about them, and its notebook, which holds no output."""
    page = html(built[1], "gallery/01_x/shares")
    assert "sphx-glr-footer" not in page
    assert "sphx-glr-download" not in page.replace("sphx-glr-download-01", "")
    assert list((Path(built[1].outdir)).glob("_downloads/*/*.ipynb")) == []


def test_notebook_holds_what_the_page_shows(built: tuple[Tiny, SphinxTestApp]) -> None:
    """Each output and each warning, in the order of the page."""
    app = built[1]
    for name in ("shares", "errors"):
        boxes = [
            text.split("\n\n", 1)[1]
            for block in blocks(app, name)
            for kind, text in pieces(block)
            if kind in SHOWN
        ]
        cells = json.loads((Path(app.outdir) / f"gallery/01_x/{name}.ipynb").read_text(encoding="utf-8"))[
            "cells"
        ]
        texts = ["".join(o["text"]).rstrip("\n") for cell in cells for o in cell.get("outputs", ())]
        assert [text.removeprefix("UserWarning: ") for text in texts] == boxes
        assert boxes


SHOWN = ("output", "error", "warning")


def test_offer_of_what_nobody_ran_says_so(built: tuple[Tiny, SphinxTestApp]) -> None:
    """The notebook behind it holds no output."""
    assert "no output yet" in html(built[1], "gallery/01_x/gpu")
    assert "with this output" in html(built[1], "gallery/01_x/shares")


def test_repository_and_colab_are_linked_where_their_address_is_known(tmp_path: Path, executed: Path) -> None:
    """The example's file on the branch that is edited, its notebook on the one with the site."""
    made = tiny(tmp_path, executed)
    made.write("docs/conf.py", CONF + WHERE)
    app = made.build()
    assert offers(app, "errors")[2:] == [
        "https://colab.research.google.com/github/owner/atlas/blob/site/gallery/01_x/errors.ipynb",
        "https://github.com/owner/atlas/edit/main/examples/01_x/errors.py",
    ]


def test_notebook_stays_as_it_is(built: tuple[Tiny, SphinxTestApp]) -> None:
    """A second build writes no byte of it."""
    made, app = built
    path = Path(app.outdir) / "gallery/01_x/errors.ipynb"
    before = path.stat().st_mtime_ns
    made.build()
    assert path.stat().st_mtime_ns == before
