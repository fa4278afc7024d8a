"""The archive that a reader runs: the same bytes each time, small, and whole."""

from __future__ import annotations

import io
import os
import shutil
import zipfile
from pathlib import Path

from samples import ROOT

from tensor_atlas.site.probe_file import pack_probe

MOST = 1_000_000
"""Bytes of the archive of this site."""


def test_archive_is_the_same_each_time_and_small(tmp_path: Path) -> None:
    """Another checkout of the same files gives the same bytes, whatever their dates and modes."""
    first = pack_probe(ROOT)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path / name)
    for path in tmp_path.rglob("*.py"):
        os.utime(path, (0, 1_000_000_000))
        path.chmod(0o700)
    assert pack_probe(tmp_path) == first
    assert len(first) < MOST


def test_archive_holds_sources_alone() -> None:
    """In order of name, without compiled files, with every example and the matrix."""
    with zipfile.ZipFile(io.BytesIO(pack_probe(ROOT))) as archive:
        names = archive.namelist()
    assert names == sorted(names)
    assert {Path(name).suffix for name in names} == {".py", ".toml", ""}
    assert {"__main__.py", "src/tensor_atlas/catalogue/sources.toml", "pyproject.toml"} <= set(names)
    examples = {f"examples/{path.parent.name}/{path.name}" for path in (ROOT / "examples").glob("*/[!p]*.py")}
    assert examples <= set(names)
