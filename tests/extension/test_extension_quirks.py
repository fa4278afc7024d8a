"""Faults of Sphinx and sphinx-gallery: pages that are lost, cut short, or belong to no example."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sphinx.errors import SphinxError
from tiny_project import CONF, DECISIONS, SHARES, Tiny, example, html, tiny

from tensor_atlas.site.gallery_quirks import LostPagesError

MORE = 30
"""Plain pages: enough to be divided among processes."""
FAILS = """

def fail(app, name, *_):
    if name in FAILING:
        raise ValueError(f"cannot write {name}")


def slow_down(*_):
    import time
    time.sleep(0.02)


def setup(app):
    app.connect("html-page-context", fail)
    app.connect("doctree-resolved", slow_down)
"""
"""A page that cannot be written, found out while others are still to be begun."""

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="Sphinx divides work where processes can fork"),
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning"),
]


@pytest.fixture
def many(tmp_path: Path) -> Tiny:
    """A tiny checkout with many pages."""
    made = tiny(tmp_path)
    for number in range(MORE):
        made.write(f"docs/more/page{number:02}.rst", f":orphan:\n\nPage {number}\n=======\n\nFirst.\n")
    return made


def fail_at(made: Tiny, *pages: str) -> None:
    """Let writing some pages raise an error."""
    made.write("docs/conf.py", f"{CONF}FAILING = {pages}{FAILS}")


def test_error_of_a_worker_fails_the_build(many: Tiny) -> None:
    """Sphinx alone drops it, and says that the build has succeeded without the page."""
    fail_at(many, "more/page00")
    with pytest.raises(SphinxError) as caught:
        many.app(jobs=3).build()
    assert isinstance(caught.value, LostPagesError)
    assert "more/page00" in str(caught.value)
    assert "--jobs 1" in str(caught.value)


def test_pages_that_were_lost_are_written_by_the_next_build(many: Tiny) -> None:
    """Also those that had a page already, which looks younger than its source."""
    many.build()
    for number in range(MORE):
        many.write(f"docs/more/page{number:02}.rst", f":orphan:\n\nPage {number}\n=======\n\nSecond.\n")
    fail_at(many, "more/page00")
    with pytest.raises(SphinxError):
        many.app(jobs=3).build()
    fail_at(many)
    app = many.app(jobs=3)
    app.build()
    for number in range(MORE):
        assert "Second." in html(app, f"more/page{number:02}")


def test_page_is_written_after_a_build_that_was_cut_short(many: Tiny) -> None:
    """Its source is older than its page: what changed is evidence."""
    many.build()
    other = SHARES.replace("= 5", "= 6").replace("[5. 0.]", "[6. 0.]")
    many.write("examples/01_x/shares.py", example("Shares", other))
    cut = "\n\ndef setup(app):\n    app.connect('write-started', lambda *_: __import__('os')._exit(9))\n"
    many.write("docs/conf.py", CONF + cut)
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-d", "docs/_build/doctrees"]
    done = subprocess.run([*command, "docs", "docs/_build/html"], cwd=many.root, check=False)
    assert done.returncode == 9
    many.write("docs/conf.py", CONF)
    assert "[6. 0.]" in html(many.build(), "gallery/01_x/shares")


def test_bad_input_that_a_worker_finds_is_told(many: Tiny) -> None:
    """With file and line, as in a build without workers."""
    many.write("docs/decisions.toml", DECISIONS.replace("01_x/shares", "01_x/absent"))
    command = [sys.executable, "-m", "sphinx", "-q", "-j", "2", "-b", "html", "docs", "docs/_build/html"]
    done = subprocess.run(command, cwd=many.root, check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert "docs/decisions.toml:2  no example 01_x/absent" in done.stderr


def pages_read(made: Tiny) -> set[str]:
    """Documents that a build reads."""
    found: set[str] = set()
    app = made.app()
    app.connect("source-read", lambda _, docname, __: found.add(docname))
    app.build()
    return found


def test_page_is_read_again_when_its_evidence_changes(many: Tiny) -> None:
    """Its own, that of its chapter with its card, and pages that show all examples; no other page."""
    many.write("docs/apart.rst", ":orphan:\n\nApart\n=====\n\nOf :example:`01_x/errors` alone.\n")
    many.build()
    assert pages_read(many) == set()
    time.sleep(0.02)  # dates of files are coarser than the clock
    other = SHARES.replace("= 5", "= 6").replace("[5. 0.]", "[6. 0.]")
    many.write("examples/01_x/shares.py", example("Shares", other))
    found = pages_read(many)
    assert {"gallery/01_x/shares", "index"} <= found
    assert not {name for name in found if name.startswith("more/") or name.endswith("/errors")}


def test_page_is_read_again_when_a_record_comes_and_goes(many: Tiny) -> None:
    """The page of a renamed example goes with its evidence."""
    many.build()
    (many.root / "examples/01_x/gpu.py").rename(many.root / "examples/01_x/card.py")
    text = (many.root / "docs/index.rst").read_text(encoding="utf-8")
    many.write("docs/index.rst", text.replace("01_x/gpu", "01_x/card"))
    corrections = (many.root / "docs/corrections.toml").read_text(encoding="utf-8")
    many.write("docs/corrections.toml", corrections.replace("01_x/gpu", "01_x/card"))
    app = many.build()
    evidence = {path.stem for path in (many.root / "docs/_build/evidence/01_x").iterdir()}
    assert evidence == {"card", "errors", "shares"}
    assert not (many.root / "docs/gallery/01_x/gpu.rst").exists()
    assert "On a GPU" in html(app, "gallery/01_x/card")
