"""Faults of Sphinx and sphinx-gallery: pages that are lost, cut short, or belong to no example."""

from __future__ import annotations

import subprocess
import sys

import pytest
from sphinx.testing.util import SphinxTestApp
from tiny_project import CONF, DECISIONS, SHARES, Tiny, example, html

from tensor_atlas.site.build.workers import LostPagesError

MORE = 12
"""Plain pages: enough to be divided among processes."""
FAILS = """
import os, pathlib, time
FAILED = pathlib.Path(__file__).with_name("failed")


def fail(app, name, *_):
    if name in FAILING:
        FAILED.write_text(str(os.getpid()))
        raise ValueError(f"cannot write {name}")


def wait(app, doctree, name):
    if FAILING and name == LAST:
        while not (FAILED.exists() and FAILED.read_text()):
            time.sleep(0.05)
        os.waitid(os.P_PID, int(FAILED.read_text()), os.WEXITED | os.WNOWAIT)


def setup(app):
    app.connect("html-page-context", fail)
    app.connect("doctree-resolved", wait)
"""
"""A page that cannot be written: its process has ended before the last page is begun."""

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="waits for a process as Linux can"),
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning"),
]


@pytest.fixture
def many(fresh: Tiny) -> Tiny:
    """A tiny checkout with many pages."""
    for number in range(MORE):
        fresh.write(f"docs/more/page{number:02}.rst", f":orphan:\n\nPage {number}\n=======\n\nFirst.\n")
    return fresh


def fail_at(made: Tiny, *pages: str) -> None:
    """Let writing some pages raise an error."""
    made.write("docs/conf.py", f"{CONF}FAILING, LAST = {pages}, 'more/page{MORE - 1}'{FAILS}")


def test_error_of_a_worker_fails_the_build_and_loses_no_page(many: Tiny) -> None:
    """Sphinx alone drops it, and says that the build has succeeded without the page. The next build writes
    also those that had a page already, which looks younger than its source.
    """
    many.build()
    for number in range(MORE):
        many.write(f"docs/more/page{number:02}.rst", f":orphan:\n\nPage {number}\n=======\n\nSecond.\n")
    fail_at(many, "more/page00")
    with pytest.raises(LostPagesError, match="more/page00") as caught:
        many.app(jobs=3).build()
    assert "--jobs 1" in str(caught.value)
    fail_at(many)
    app = many.app(jobs=3)
    app.build()
    for number in range(MORE):
        assert "Second." in html(app, f"more/page{number:02}")


def test_scripts_of_an_older_checkout_are_removed(fresh: Tiny) -> None:
    """Sphinx would keep the copy of each that a build has ever had; what others put there stays."""
    app = fresh.build()
    static, data = app.outdir / "_static", app.doctreedir / "atlas-static"
    offered = {path.name for path in static.iterdir()}
    gone = static / "atlas-gone.js", static / "atlas-gone.css", data / "atlas-old-data.js"
    for path in (*gone, static / "theirs.js"):
        path.write_text("")
    fresh.build()
    assert {path.name for path in static.iterdir()} == {*offered, "theirs.js"}
    assert {"atlas-index.js", "atlas-build.js", "atlas-site.js"} <= offered
    assert not any(path.exists() for path in gone)


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


def test_page_is_written_after_another_builder_has_read_it(many: Tiny) -> None:
    """As ``nox -s linkcheck`` does after new code or evidence: the source is older than the page, again."""
    many.write("docs/shows.rst", ":orphan:\n\nShows\n=====\n\n.. block:: 01_x/shares 2\n")
    assert "[5. 0.]" in html(many.build(), "shows")
    other = SHARES.replace("= 5", "= 6").replace("[5. 0.]", "[6. 0.]")
    many.write("examples/01_x/shares.py", example("Shares", other))
    SphinxTestApp("dummy", srcdir=many.root / "docs", freshenv=False).build()
    assert "[6. 0.]" in html(many.build(), "shows")


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
    other = SHARES.replace("= 5", "= 6").replace("[5. 0.]", "[6. 0.]")
    many.write("examples/01_x/shares.py", example("Shares", other))
    found = pages_read(many)
    assert {"gallery/01_x/shares", "index"} <= found
    assert not {name for name in found if name.startswith("more/") or name.endswith("/errors")}
