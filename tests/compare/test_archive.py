"""The archive that a reader runs: the same bytes each time, small, and whole."""

from __future__ import annotations

import functools
import http.server
import io
import json
import os
import shutil
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from samples import HEAD, ROOT

from tensor_atlas.compare.archive import PROBE, pack_probe
from tensor_atlas.compare.evidence import evidence_from_records
from tensor_atlas.compare.packed_records import render_records
from tensor_atlas.pages.hosted_notebook import render_hosted_notebook
from tensor_atlas.records.store import Store

MOST = 800_000
"""Bytes of the archive of this site without its records, which make up half of it."""
NO_RECORDS = render_records(evidence_from_records({}, Store({})))


def test_archive_is_the_same_each_time_and_small(tmp_path: Path) -> None:
    """Another checkout of the same files gives the same bytes, whatever their dates and modes."""
    first = pack_probe(ROOT, "{}")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path / name)
    for path in tmp_path.rglob("*.py"):
        os.utime(path, (0, 1_000_000_000))
        path.chmod(0o700)
    assert pack_probe(tmp_path, "{}") == first
    assert len(first) < MOST


def test_archive_holds_sources_alone() -> None:
    """In order of name, without compiled files, with every example and the matrix."""
    with zipfile.ZipFile(io.BytesIO(pack_probe(ROOT, "{}"))) as archive:
        names = archive.namelist()
    assert names == sorted(names)
    assert {Path(name).suffix for name in names} == {".json", ".py", ".toml", ""}
    assert {"__main__.py", "src/tensor_atlas/catalogue/sources.toml", "pyproject.toml"} <= set(names)
    examples = {f"examples/{path.parent.name}/{path.name}" for path in (ROOT / "examples").glob("*/[!p]*.py")}
    assert examples <= set(names)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    """Address of a local server with the archive of a checkout of one example and no matrix."""
    script = tmp_path / "checkout" / "examples" / "01_x" / "prints.py"
    script.parent.mkdir(parents=True)
    script.write_text(HEAD + "print(1 + 1)\n", encoding="utf-8")
    public = tmp_path / "public"
    public.mkdir()
    public.joinpath(PROBE).write_bytes(pack_probe(tmp_path / "checkout", NO_RECORDS))
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(public))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def run_notebook(text: str, folder: Path) -> nbformat.NotebookNode:
    """The notebook, executed in ``folder``."""
    folder.mkdir()
    notebook = nbformat.reads(text, as_version=4)
    nbformat.validate(notebook)
    (runs,) = (cell for cell in notebook.cells if "subprocess.run" in cell.source)
    whole, part = '"atlas-probe.pyz"]', '"atlas-probe.pyz", "--no-matrix"]'
    assert whole in runs.source
    runs.source = runs.source.replace(whole, part)  # the matrix takes a minute and more
    return NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()


def test_notebook_leaves_a_capture(site: str, tmp_path: Path) -> None:
    """It says what ran, and links the file."""
    done = run_notebook(render_hosted_notebook(site), tmp_path / "runtime")
    capture = json.loads((tmp_path / "runtime" / "capture.json").read_text(encoding="utf-8"))
    assert [(run["example"], run["status"]) for run in capture["runs"]] == [("01_x/prints", "completed")]
    text = json.dumps(done)
    assert "1 example completed" in text
    assert "capture.json</a>" in text


def test_notebook_stops_where_the_probe_does(site: str, tmp_path: Path) -> None:
    """With what the probe said: a runtime whose archive cannot be read hands back no file."""
    (tmp_path / "public" / PROBE).write_bytes(b"not an archive")
    with pytest.raises(CellExecutionError, match="CalledProcessError"):
        run_notebook(render_hosted_notebook(site), tmp_path / "runtime")
    assert not (tmp_path / "runtime" / "capture.json").exists()


def test_notebook_is_the_same_each_time() -> None:
    """It asks for a GPU, and names the page that takes the capture."""
    text = render_hosted_notebook("https://example.org/")
    assert text == render_hosted_notebook("https://example.org/")
    assert json.loads(text)["metadata"]["accelerator"] == "GPU"
    assert "https://example.org/your_machine.html" in text
