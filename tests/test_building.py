"""The command that builds the site: what it says at once, and what makes it look again."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from samples import captured, example, project, ran

from tensor_atlas import building, cache, cli, unchanged, waiting
from tensor_atlas.model.runs import Status
from tensor_atlas.probe.__main__ import write

EXAMPLE = "examples/01_x/a.py"


class Builder:
    """In place of Sphinx: writes what every build writes, and counts."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.asked: list[list[str]] = []
        self.code = 0
        self.status = Status.COMPLETED

    def __call__(self, root: Path, arguments: list[str]) -> int:
        assert root == self.root
        self.asked.append(arguments)
        for path in building.BUILT:
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(str(len(self.asked)), encoding="utf-8")
        run = replace(ran(example("print(1)\n"), "1"), status=self.status)
        write(captured(run), self.root / unchanged.CAPTURES / cache.CAPTURE)
        return self.code


@pytest.fixture
def builder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Builder:
    """A checkout that has never been built; the working directory."""
    made = Builder(project(tmp_path / "checkout"))
    for name, text in (
        (EXAMPLE, "1"),
        ("docs/index.rst", "Page\n====\n"),
        ("docs/_static/a.js", ""),
        ("README.md", ""),
    ):
        path = made.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.chdir(made.root)
    monkeypatch.setattr(building, "_sphinx", made)
    return made


def builds(builder: Builder, *options: str) -> bool:
    """Whether the command has called Sphinx."""
    before = len(builder.asked)
    assert cli.main(["site", *options]) == builder.code
    return len(builder.asked) > before


def changed(name: str) -> Callable[[Path], object]:
    """Writes a file anew."""

    def write_(root: Path) -> None:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("changed", encoding="utf-8")

    return write_


def test_second_build_says_that_the_site_is_there(
    builder: Builder, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also from a folder within; what was asked of Sphinx is that every warning is an error."""
    assert builds(builder, "-q")
    assert not builds(builder, "-q")
    assert building.SAID in capsys.readouterr().err
    os.chdir(builder.root / "docs")
    assert not builds(builder, "-q")
    assert {"-W", "--keep-going", "-q", "docs"} < set(builder.asked[0])


@pytest.mark.parametrize(
    "change",
    [
        *map(
            changed,
            (
                EXAMPLE,
                "examples/01_x/GALLERY_HEADER.rst",
                "docs/index.rst",
                "docs/new.md",
                "docs/_static/a.js",
            ),
        ),
        *map(
            changed,
            ("docs/records/environments.json", "docs/deviations.toml", "README.md", "constraints.txt"),
        ),
        *map(changed, (".git/HEAD", str(building.BUILT[0]), str(building.BUILT[1]))),
        lambda root: (root / building.BUILT[0]).unlink(),
        lambda root: (root / unchanged.CAPTURES / cache.CAPTURE).unlink(),
        lambda root: (root / building.MEMORY).write_text("{"),
        lambda _: os.environ.update(SITE_URL="https://example.org/"),
        lambda root: (root / "docs/index.rst").unlink(),
    ],
)
def test_whatever_the_site_is_made_of_is_looked_at(
    builder: Builder, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], object]
) -> None:
    """Texts, code, records, settings, the commit, and the site itself."""
    monkeypatch.delenv("SITE_URL", raising=False)
    assert builds(builder)
    assert not builds(builder)
    change(builder.root)
    assert builds(builder)
    monkeypatch.delenv("SITE_URL", raising=False)


@pytest.mark.parametrize(
    "name", ["docs/gallery/01_x/a.rst", "docs/history/torch-2.3.rst", "docs/_build/other.txt"]
)
def test_what_a_build_makes_is_not_what_the_site_is_made_of(builder: Builder, name: str) -> None:
    """Else no site would ever be finished."""
    assert builds(builder)
    changed(name)(builder.root)
    assert not builds(builder)


def test_other_options_are_another_site(builder: Builder) -> None:
    """Sphinx decides what they mean."""
    assert builds(builder)
    assert builds(builder, "-D", "html_title=other")


def test_build_that_failed_is_built_again(builder: Builder) -> None:
    """And so is one after a failure, though everything is as it was in the last good one."""
    assert builds(builder)
    changed(EXAMPLE)(builder.root)
    builder.code = 1
    assert builds(builder)
    assert builds(builder)
    builder.code = 0
    assert builds(builder)
    assert not builds(builder)


def test_example_that_was_cut_short_is_tried_again(builder: Builder) -> None:
    """It may end otherwise the next time."""
    builder.status = Status.TIMED_OUT
    assert builds(builder)
    assert builds(builder)


def test_memory_that_cannot_be_removed_is_no_failure(
    builder: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is wrong with the tree, Sphinx tells: no traceback of ours stands before its message."""
    assert builds(builder)

    def refuse(path: Path) -> None:
        raise PermissionError(str(path))

    changed(EXAMPLE)(builder.root)
    monkeypatch.setattr(Path, "unlink", refuse)
    builder.code = 2
    assert builds(builder)


def test_outside_of_a_checkout_is_bad_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One message, and nothing is built."""
    monkeypatch.chdir(tmp_path)
    assert cli.main(["site"]) == 2


def test_checkout_without_pages_is_bad_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As one of which somebody took the examples alone."""
    root = project(tmp_path / "checkout")
    (root / "examples").mkdir(exist_ok=True)
    shutil.rmtree(root / "docs", ignore_errors=True)
    monkeypatch.chdir(root)
    assert building.main([]) == 2
    assert (
        capsys.readouterr().err
        == f"tensor-atlas: {root / 'docs'}  no such folder\n    take it from the repository\n"
    )


def test_who_has_changed_nothing_waits_for_no_import(builder: Builder) -> None:
    """Neither Sphinx nor torch."""
    assert builds(builder)
    code = "import json, sys\nfrom tensor_atlas import cli\ncode = cli.main(['site'])\n"
    code += "print(json.dumps([code, 'sphinx' in sys.modules, 'torch' in sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [0, False, False], done.stderr


def test_probe_waits_while_sphinx_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is begun first, and ended however the build ends; Sphinx runs in the checkout's folder."""
    done: list[object] = []

    def broken(arguments: list[str]) -> int:
        done.append((Path.cwd(), arguments))
        raise SystemExit(2)

    monkeypatch.chdir(tmp_path.parent)
    monkeypatch.setattr(waiting, "begin", done.append)
    monkeypatch.setattr(waiting, "end", lambda: done.append("ended"))
    monkeypatch.setattr("sphinx.cmd.build.main", broken)
    with pytest.raises(SystemExit):
        building._sphinx(tmp_path, ["-q"])
    assert done == [tmp_path, (tmp_path, ["-q"]), "ended"]


def test_command_ends_without_taking_its_memory_apart(builder: Builder) -> None:
    """Its exit code and its last words come through, and so does what was to be done at the end."""
    code = """
import atexit, sys
from tensor_atlas import building, cli

class Heavy:
    def __del__(self):
        print("taken apart")

held = Heavy()
atexit.register(print, "at the end")
building.main = lambda _: print("built") or 3
sys.argv = ["tensor-atlas", "site"]
sys.exit(cli.main())
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=builder.root, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (3, "built\nat the end\n", "")
