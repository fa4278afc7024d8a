"""``atlas-probe.pyz``: what it runs, what it needs, what its capture holds."""

from __future__ import annotations

import ast
import json
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from samples import CPU, ROOT, python, ran, write_example

from tensor_atlas.compare import standalone
from tensor_atlas.compare.archive import pack_probe
from tensor_atlas.compare.evidence import evidence_from_records
from tensor_atlas.compare.own_machine import COMPARISON
from tensor_atlas.compare.packed_records import render_records
from tensor_atlas.records.fold import Record
from tensor_atlas.records.store import Store

NEEDED = (
    "torch",
    "torchgen",
    "numpy",
    "numpy.libs",
    "typing_extensions.py",
    "sympy",
    "mpmath",
    "networkx",
    "filelock",
)
"""Packages that a bare machine has: torch, NumPy, and what torch itself imports."""
TALKATIVE = """
import os, pathlib, platform, sys

print(os.getcwd(), pathlib.Path.home(), sys.argv[0], __file__)
print(os.environ.get("ATLAS_SECRET"), os.environ.get("USER"), os.environ.get("HOME"))
print(np.shares_memory(np.ones(2), torch.ones(2).numpy()))
raise ValueError(os.path.abspath("here"))
"""


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of a checkout with one example that tells all it knows of the machine."""
    root = tmp_path_factory.mktemp("checkout")
    talks = write_example(root, TALKATIVE, "01_x/talks")
    record = Record(talks.name, {CPU.id: ran(talks, "another folder")})
    records = render_records(
        evidence_from_records({talks.name: talks}, Store({CPU.id: CPU}, {talks.name: record}))
    )
    (root / "atlas-probe.pyz").write_bytes(pack_probe(root, records))
    return root / "atlas-probe.pyz"


@pytest.fixture(scope="module")
def bare(packed: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Capture of the archive, and what it said, where nothing but torch and NumPy is installed."""
    folder, packages = tmp_path_factory.mktemp("elsewhere"), tmp_path_factory.mktemp("packages")
    for name in NEEDED:
        installed = Path(torch.__file__).parents[1] / name
        if installed.exists():
            (packages / name).symlink_to(installed)
    assert Path(np.__file__).parents[1] == Path(torch.__file__).parents[1]
    start = f"import runpy, sys; sys.path.append({str(packages)!r}); sys.argv = ['probe', '--no-matrix']; "
    start += f"runpy.run_path({str(packed)!r}, run_name='__main__')"
    done = python(folder, "-I", "-S", "-c", start, ATLAS_SECRET="hunter2", USER="atlas-user-7")
    assert done.returncode == 0, done.stderr
    assert list(folder.iterdir()) == [folder / "capture.json"]
    return folder / "capture.json", done.stderr


def test_archive_runs_where_only_torch_and_numpy_are(bare: tuple[Path, str]) -> None:
    """It says what it ran and how long that took."""
    capture = json.loads(bare[0].read_text(encoding="utf-8"))
    assert [run["example"] for run in capture["runs"]] == ["01_x/talks"]
    assert capture["runs"][0]["status"] == "raised"
    assert " statements executed\n" in bare[1]
    assert f"wrote {bare[0]} in " in bare[1]


def test_archive_captures_what_the_checkout_does(bare: tuple[Path, str], packed: Path) -> None:
    """The same runs in the same environment, but for the time that they took."""
    output = packed.with_name("other.json")
    arguments = ("-m", "tensor_atlas.probe", "examples", "-o", str(output))
    done = python(packed.parent, *arguments, PYTHONPATH=str(ROOT / "src"))
    assert done.returncode == 0, done.stderr
    ours, theirs = (json.loads(path.read_text(encoding="utf-8")) for path in (bare[0], output))
    assert ours.pop(COMPARISON)["against"]["id"] == CPU.id
    assert {**ours, "seconds": {}} == {**theirs, "seconds": {}}


def test_capture_holds_nothing_of_its_owner(bare: tuple[Path, str]) -> None:
    """No user, host, folder or variable, though the example prints each."""
    text = bare[0].read_text(encoding="utf-8")
    private = [str(Path.home()), str(bare[0].parent), "atlas-probe-", "hunter2", "atlas-user-7", sys.prefix]
    assert [word for word in (*private, platform.node()) if len(word) > 1 and word in text] == []
    known = {
        "torch",
        "numpy",
        "python",
        "platform",
        "device",
        "date",
        "cuda",
        "driver",
        "device_count",
        "engines",
    }
    assert set(json.loads(text)["environment"]) <= known


def test_capture_is_compared_again_without_torch(
    bare: tuple[Path, str], packed: Path, tmp_path: Path
) -> None:
    """With the standard library alone: an older archive's capture gets its comparison so."""
    document = json.loads(bare[0].read_text(encoding="utf-8"))
    before = document.pop(COMPARISON)
    capture = tmp_path / "capture.json"
    capture.write_text(json.dumps(document), encoding="utf-8")
    command = [sys.executable, "-I", "-S", str(packed), "--from", capture.name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Compared with the record of torch 2.13.0+cpu")
    assert json.loads(capture.read_text(encoding="utf-8")) == {**document, COMPARISON: before}


def test_machine_without_torch_gets_one_message(packed: Path, tmp_path: Path) -> None:
    """With exit code 2, and no file."""
    command = [sys.executable, "-I", "-S", str(packed)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    words = f"atlas-probe: {sys.executable} has no torch and numpy: use the Python that has torch and NumPy\n"
    assert (done.returncode, done.stderr) == (2, words)
    assert list(tmp_path.iterdir()) == []


def test_system_without_fork_is_no_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Windows is: interpreters are started there."""
    monkeypatch.delattr("os.fork")
    assert standalone.find_problem(needs_torch=True) == ""


def test_older_python_gets_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """It can read the file that says so."""
    source = Path(standalone.__file__).read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 7))
    monkeypatch.setattr(standalone, "PYTHON", (99, 0))
    assert standalone.find_problem(needs_torch=True).startswith("needs Python 99.0 or newer, and this is 3.")
