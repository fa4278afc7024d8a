"""The data export beside the pages of a tiny project."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from samples import HEAD, OLDER, captured, example, ran
from sphinx.testing.util import SphinxTestApp

from tensor_atlas import cli
from tensor_atlas.compare.export import DATA, FORM
from tensor_atlas.records import store

CODE = "# %%\n# Text.\n\nprint(1)\n# => 1\n"
RUN = ran(example(CODE), "1")

CONF = """
exclude_patterns = ["_build"]
project = "tiny"
extensions = ["sphinx_gallery.gen_gallery", "tensor_atlas.site"]
sphinx_gallery_conf = {
    "examples_dirs": "../examples", "gallery_dirs": "gallery", "filename_pattern": "/plot_",
    "write_computation_times": False, "download_all_examples": False,
}
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout with one example and the record of another release than the installed one."""
    root = tmp_path_factory.mktemp("tiny")
    texts = {
        "pyproject.toml": "",
        "examples/GALLERY_HEADER.rst": "Examples\n========\n",
        "examples/01_x/GALLERY_HEADER.rst": "Chapter\n=======\n",
        "examples/01_x/a.py": HEAD + CODE,
        "docs/conf.py": CONF,
        "docs/index.rst": "Tiny\n====\n\n.. toctree::\n\n   gallery/index\n",
    }
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    store.write_records(
        store.add_capture(store.Store(), captured(RUN, environment=OLDER)), root / "docs" / "records"
    )
    return root


def build(root: Path, builder: str = "html") -> SphinxTestApp:
    """Build that has just ended."""
    app = SphinxTestApp(builder, srcdir=root / "docs", freshenv=False)
    app.build()
    return app


@pytest.fixture(scope="module")
def built(root: Path) -> SphinxTestApp:
    """The tiny checkout, built once."""
    return build(root)


def test_export_lies_beside_the_pages_with_its_schema(built: SphinxTestApp) -> None:
    """Valid, and its addresses lead to pages that are there."""
    folder = Path(built.outdir)
    data, form = (json.loads((folder / name).read_text(encoding="utf-8")) for name in (DATA, FORM))
    Draft202012Validator(form).validate(data)
    assert (folder / data["$schema"]).is_file()
    (only,) = data["examples"]
    assert only["page"] == "gallery/01_x/a.html"
    assert (folder / only["page"]).is_file()


def test_export_holds_what_is_committed(built: SphinxTestApp) -> None:
    """What the build itself has executed is no record."""
    data = json.loads((Path(built.outdir) / DATA).read_text(encoding="utf-8"))
    assert [environment["id"] for environment in data["environments"]] == [OLDER.id]
    assert [way["environments"] for way in data["examples"][0]["runs"]] == [[OLDER.id]]


def test_command_writes_what_the_site_offers(
    root: Path, built: SphinxTestApp, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """To the byte."""
    monkeypatch.chdir(root)
    assert cli.main(["export"]) == 0
    offered = (Path(built.outdir) / DATA).read_text(encoding="utf-8")
    assert capsys.readouterr().out == offered


def test_file_is_written_only_where_it_differs(root: Path, built: SphinxTestApp) -> None:
    """What stays as it was keeps its date; what was damaged is replaced."""
    data, form = (Path(built.outdir) / name for name in (DATA, FORM))
    text = data.read_bytes()
    data.write_bytes(b"\xff")
    os.utime(form, (1, 1))
    build(root)
    assert data.read_bytes() == text
    assert form.stat().st_mtime == 1


def test_build_that_failed_offers_nothing_new(built: SphinxTestApp) -> None:
    """What lies there stays as it is."""
    data = Path(built.outdir) / DATA
    text = data.read_bytes()
    data.write_bytes(b"earlier")
    built.events.emit("build-finished", RuntimeError("for the test"))
    assert data.read_bytes() == b"earlier"
    built.events.emit("build-finished", None)
    assert data.read_bytes() == text


def test_other_builders_write_no_export(root: Path) -> None:
    """A text has no place for downloads."""
    app = build(root, "text")
    assert (Path(app.outdir) / "index.txt").is_file()
    assert not (Path(app.outdir) / DATA).exists()
    assert not (Path(app.outdir) / FORM).exists()
