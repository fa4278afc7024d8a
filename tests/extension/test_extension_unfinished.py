"""A build that was cut short while it wrote: the next one writes every page, and the one after that none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tiny_project import CONF, Tiny, tiny

from tensor_atlas.site import unfinished

WATCHED = """

def watch(app, name, *_):
    import os
    if name == os.environ.get("FAILS"):
        raise ValueError(name)
    if name == os.environ.get("ENDS"):
        os._exit(9)
    with open(os.environ["WRITTEN"], "a") as file:
        print(name, file=file)


def setup(app):
    app.connect("html-page-context", watch)
"""
ALL = {"index", "gallery/index", *(f"gallery/01_x/{name}" for name in ("index", "shares", "errors", "gpu"))}


@pytest.fixture
def made(tmp_path: Path) -> Tiny:
    """A tiny checkout that has been built."""
    found = tiny(tmp_path)
    found.write("docs/conf.py", CONF + WATCHED)
    assert build(found) == (0, ALL)
    return found


def build(made: Tiny, **asked: str) -> tuple[int, set[str]]:
    """Exit code of a build, and which documents it wrote."""
    log = made.root / "written.txt"
    log.write_text("", encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-b",
        "html",
        "-d",
        "docs/_build/doctrees",
        "docs",
        "docs/_build/html",
    ]
    surroundings = os.environ | {"WRITTEN": str(log)} | asked
    done = subprocess.run(
        command, cwd=made.root, env=surroundings, capture_output=True, text=True, check=False
    )
    assert "incomplete" not in done.stderr
    return done.returncode, ALL & set(log.read_text(encoding="utf-8").split())


def change(made: Tiny, words: str = "More words.") -> None:
    """Another first page."""
    text = (made.root / "docs/index.rst").read_text(encoding="utf-8")
    made.write("docs/index.rst", f"{text}\n{words}\n")


@pytest.mark.parametrize(("how", "code"), [("ENDS", 9), ("FAILS", 2)])
def test_all_pages_are_written_where_the_last_build_did_not_end(made: Tiny, how: str, code: int) -> None:
    """Some may be older than what they are made of, and nothing tells which; after that there is nothing to do."""
    change(made)
    assert build(made, **{how: "index"})[0] == code
    assert build(made) == (0, ALL)
    assert "More words." in (made.root / "docs/_build/html/index.html").read_text(encoding="utf-8")
    assert build(made) == (0, set())


def test_first_build_may_be_cut_short(made: Tiny, tmp_path: Path) -> None:
    """The index of the search has every page."""
    shutil.rmtree(tmp_path / "docs/_build")
    assert build(made, ENDS="gallery/index")[0] == 9
    assert build(made) == (0, ALL)
    index = (tmp_path / "docs/_build/html/searchindex.js").read_text(encoding="utf-8")
    assert all(f'"{name}"' in index for name in ALL)


def test_build_that_ended_leaves_little_to_do(made: Tiny) -> None:
    """With a warning, too: all its pages are there."""
    change(made, "`nowhere_`")
    assert build(made) == (0, {"index"})
    assert build(made) == (0, set())


def test_mark_that_cannot_be_set_is_no_error(made: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tree that cannot be written to is for Sphinx to tell of, in its own words."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setenv("WRITTEN", str(made.root / "written.txt"))
    app = made.app()
    app.build()
    monkeypatch.setattr(Path, "touch", refuse)
    assert unfinished.begin(app, app.env) == []
    monkeypatch.setattr(Path, "unlink", refuse)
    unfinished.end(app, None)
