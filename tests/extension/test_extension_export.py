"""The data export beside the pages of a tiny project."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from samples import OLDER, captured, observed
from sphinx.testing.util import SphinxTestApp
from tiny_project import SCRIPTS, Tiny, tiny

from tensor_atlas import cli
from tensor_atlas.compare.export import DATA, RECORDS_FORM
from tensor_atlas.examples.parse import parse_example
from tensor_atlas.model.runs import Observation
from tensor_atlas.records import store

SHARES_EXAMPLE = parse_example(SCRIPTS["01_x/shares"], "examples/01_x/shares.py")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, executed: Path) -> Tiny:
    """The tiny checkout, with the record of another release than the installed one."""
    found = tiny(tmp_path_factory.mktemp("export"), executed)
    run = observed(SHARES_EXAMPLE, *(Observation(one.code) for one in SHARES_EXAMPLE.statements))
    records = store.add_capture(store.Store(), captured(run, environment=OLDER))
    store.write_records(records, found.root / "docs" / "records")
    return found


@pytest.fixture(scope="module")
def built(made: Tiny) -> SphinxTestApp:
    """The tiny checkout, built once."""
    return made.build()


def test_export_lies_beside_the_pages_with_its_schema(built: SphinxTestApp) -> None:
    """Valid, and its addresses lead to pages that are there."""
    folder = Path(built.outdir)
    data, form = (json.loads((folder / name).read_text(encoding="utf-8")) for name in (DATA, RECORDS_FORM))
    Draft202012Validator(form).validate(data)
    assert (folder / data["$schema"]).is_file()
    pages = [example["page"] for example in data["examples"]]
    assert "gallery/01_x/shares.html" in pages
    assert all((folder / page).is_file() for page in pages)


def test_export_holds_what_is_committed(built: SphinxTestApp) -> None:
    """What the build itself has executed is no record."""
    data = json.loads((Path(built.outdir) / DATA).read_text(encoding="utf-8"))
    assert [environment["id"] for environment in data["environments"]] == [OLDER.id]
    runs = {example["name"]: example["runs"] for example in data["examples"]}
    assert [way["environments"] for way in runs["01_x/shares"]] == [[OLDER.id]]
    assert runs["01_x/errors"] == []


def test_command_writes_what_the_site_offers(
    made: Tiny, built: SphinxTestApp, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """To the byte."""
    monkeypatch.chdir(made.root)
    assert cli.main(["export"]) == 0
    offered = (Path(built.outdir) / DATA).read_text(encoding="utf-8")
    assert capsys.readouterr().out == offered


def test_file_is_written_only_where_it_differs(made: Tiny, built: SphinxTestApp) -> None:
    """What stays as it was keeps its date; what was damaged is replaced."""
    data, form = (Path(built.outdir) / name for name in (DATA, RECORDS_FORM))
    text = data.read_bytes()
    data.write_bytes(b"\xff")
    os.utime(form, (1, 1))
    made.build()
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


def test_other_builders_write_no_export(made: Tiny) -> None:
    """A text has no place for downloads."""
    app = SphinxTestApp("text", srcdir=made.root / "docs", freshenv=False)
    app.build()
    assert (Path(app.outdir) / "index.txt").is_file()
    assert not (Path(app.outdir) / DATA).exists()
    assert not (Path(app.outdir) / RECORDS_FORM).exists()
