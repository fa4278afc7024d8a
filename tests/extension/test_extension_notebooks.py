"""Which executed guides are executed again when what they rest on has changed."""

from __future__ import annotations

import contextlib
import gc
import shutil
import sqlite3
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import nbformat
import pytest
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from sphinx.errors import ExtensionError
from tiny_project import CONF, SHARES, example, tiny

import tensor_atlas
from tensor_atlas.checkout import guide_cache
from tensor_atlas.checkout.guide_cache import EXECUTED_LINE, refresh

PAGE = "---\nfile_format: mystnb\n---\n\n# {title}\n\n{text}\n"
GUIDE, OTHER, DATA = "guides/one.md", "guides/two.md", "reference/data.md"
ALL = {GUIDE, OTHER, DATA}
REFRESHED = """
from pathlib import Path
from tensor_atlas.checkout import guide_cache
HERE = Path(__file__).parent
guide_cache.refresh(HERE, HERE / "_build" / "notebooks")
"""
"""What conf.py asks for."""


@dataclass
class Site:
    """A checkout whose guides have all been executed."""

    root: Path

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    @property
    def cache(self) -> Path:
        """Folder of jupyter-cache."""
        return self.root / "docs" / "_build" / "notebooks"

    def refresh(self) -> None:
        """As a build begins."""
        refresh(self.root / "docs", self.cache)

    def uris(self) -> set[str]:
        """Paths of the pages that the cache has outputs of."""
        if not self.cache.is_dir():
            return set()
        return {record.uri for record in get_cache(self.cache).list_cache_records()}

    def executed(self) -> set[str]:
        """Pages that a build need not execute."""
        return {Path(uri).relative_to(self.root / "docs").as_posix() for uri in self.uris()}

    def execute(self) -> None:
        """Put every page into the cache, as myst-nb does."""
        for number, name in enumerate(sorted(ALL)):
            cell = {"cell_type": "code", "metadata": {}, "source": f"print({number})", "outputs": []}
            notebook = {
                "cells": [cell | {"execution_count": 1}],
                "metadata": {},
                "nbformat": 4,
                "nbformat_minor": 4,
            }
            bundle = CacheBundleIn(nb=nbformat.from_dict(notebook), uri=str(self.root / "docs" / name))
            get_cache(self.cache).cache_notebook_bundle(bundle, overwrite=True)


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """Three pages: the cells of two read torch and NumPy, those of the third the records."""
    made = Site(tmp_path)
    made.write(f"docs/{GUIDE}", PAGE.format(title="One", text="Shows `01_x/a`."))
    made.write(f"docs/{OTHER}", PAGE.format(title="Two", text="Shows `01_x/b`."))
    made.write(f"docs/{DATA}", PAGE.format(title="Data", text="from tensor_atlas.cli import main"))
    made.write("docs/index.md", "# No page that is executed\n")
    for name in ("a", "b", "c"):
        made.write(f"examples/01_x/{name}.py", example(name, SHARES))
        made.write(f"docs/records/01_x/{name}.json", "{}")
    made.write("docs/measurements/cpu.json", "{}")
    made.refresh()
    made.execute()
    made.refresh()
    assert made.executed() == ALL
    return made


@pytest.mark.parametrize(
    ("changed", "again"),
    [
        ("examples/01_x/a.py", {DATA}),
        ("docs/records/01_x/b.json", {DATA}),
        ("docs/deviations.toml", {DATA}),
        ("docs/records/environments.json", {DATA}),
        ("docs/measurements/cpu.json", set()),
        ("examples/01_x/plot_d.py", {DATA}),
        ("docs/index.md", set()),
    ],
)
def test_page_is_executed_again_when_what_it_reads_has_changed(
    site: Site, changed: str, again: set[str]
) -> None:
    """And no other: to execute one takes seconds."""
    site.write(changed, "changed")
    site.refresh()
    assert site.executed() == ALL - again


@pytest.mark.parametrize("package", ["torch", "numpy"])
def test_another_release_executes_everything_again(
    site: Site, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    """Its cells are the same, its outputs may not be."""
    upgrade(monkeypatch, package)
    site.refresh()
    assert site.executed() == set()


def upgrade(monkeypatch: pytest.MonkeyPatch, package: str = "torch") -> None:
    """Another release of a package is installed."""

    def version(asked: str) -> str:
        return "99.0" if asked == package else metadata.version(asked)

    monkeypatch.setattr(guide_cache, "version", version)


def test_change_of_the_package_executes_pages_that_use_it(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a cell calls is read, too; the cells of other pages do not call it."""
    package = Path(tensor_atlas.__file__).parent
    copy = shutil.copytree(package, site.root / "package", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(tensor_atlas, "__file__", str(copy / "__init__.py"))
    site.refresh()
    assert site.executed() == ALL
    (copy / "cli.py").write_text("changed", encoding="utf-8")
    site.refresh()
    assert site.executed() == ALL - {DATA}


def test_output_of_a_moved_checkout_goes_with_what_it_read(site: Site) -> None:
    """The cache knows cells, not files: it would answer a guide at its new path with the old output."""
    moved = Site(site.root.rename(site.root.with_name("moved")))
    moved.write("examples/01_x/a.py", "changed")
    moved.refresh()
    assert str(site.root / "docs" / DATA) not in moved.uris()


def test_cache_is_there_before_several_readers_are(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """All but one would fail to make its tables: with all pages stale, and with no cache at all."""
    upgrade(monkeypatch)
    site.refresh()
    assert tables(site) >= {"nbcache", "settings"}
    shutil.rmtree(site.cache)
    site.refresh()
    assert tables(site) >= {"nbcache", "settings"}


def opened(folder: Path) -> set[str]:
    """Descriptors of this process that are files in a folder."""
    files = [each for each in Path("/proc/self/fd").iterdir() if each.is_symlink()]
    return {each.name for each in files if each.readlink().is_relative_to(folder)}


def test_cache_is_left_closed(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build would hold its files open for as long as it lasts."""
    gc.disable()  # or what is left open would be closed by chance
    try:
        before = opened(site.cache)  # what the fixture has left
        upgrade(monkeypatch)
        site.refresh()
        assert opened(site.cache) <= before
    finally:
        gc.enable()


def tables(site: Site) -> set[str]:
    """Tables of the cache's database."""
    (path,) = site.cache.glob("*.db")
    with contextlib.closing(sqlite3.connect(path)) as database:
        return {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def test_mark_that_is_lost_executes_its_guide_again(site: Site) -> None:
    """What an output rests on is not guessed."""
    (site.root / "docs/_build/guides/guides/one.digest").unlink()
    site.refresh()
    assert site.executed() == ALL - {GUIDE}


def test_example_that_goes_is_a_change(site: Site) -> None:
    """A page that reads all examples then shows one less."""
    (site.root / "examples" / "01_x" / "b.py").unlink()
    site.refresh()
    assert site.executed() == ALL - {DATA}


def test_page_is_read_again_when_what_it_reads_has_changed(
    tmp_path: Path, executed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its text is the same: Sphinx alone would leave it. A build that fails leaves it for the next."""
    made = tiny(tmp_path, executed)
    conf = CONF.replace('"tensor_atlas.site"', '"myst_parser", "tensor_atlas.site"')
    made.write("docs/conf.py", REFRESHED + conf)
    for name, reads in (("one", "torch"), ("two", "tensor_atlas")):
        made.write(
            f"docs/{name}.md", f"---\norphan: true\n{EXECUTED_LINE}\n---\n\n# {name}\n\nimport {reads}\n"
        )
    seen: list[str] = []

    def build(*, fails: bool = False) -> list[str]:
        seen.clear()
        app = made.app()
        app.connect("source-read", lambda _, name, __: seen.append(name))
        if fails:
            app.connect("env-updated", _fail)
        with contextlib.suppress(ExtensionError):
            app.build()
        return [name for name in seen if name in ("one", "two")]

    assert build() == ["one", "two"]
    assert build() == []
    made.add("01_x/two")
    assert build(fails=True) == ["two"]
    assert "two" in build()
    upgrade(monkeypatch)
    assert build() == ["one", "two"]


def _fail(*_: object) -> None:
    raise ExtensionError("not today")
