"""Packs ``atlas-probe.pyz``: the probe, all examples and the records that it compares a run with."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import tensor_atlas
from tensor_atlas.compare.own_machine import RECORDS
from tensor_atlas.examples.files import find_scripts
from tensor_atlas.model.capture import ENGINE, SITE_ONLY

PROBE = "atlas-probe.pyz"
MODULES = (
    *("__init__", "errors", "files", "streams"),
    *(f"history/{name}" for name in ("__init__", "cell_changes", "changes", "own_lines", "patterns")),
    *(f"compare/{name}" for name in ("__init__", "change_text", "own_machine", "standalone")),
)
"""Modules of the archive beside the rooms whose code runs where a capture is made."""
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The oldest time that a zip file can name."""


def pack_probe(root: Path, records: str) -> bytes:
    """The archive for a checkout at ``root``, with the ``records`` that it compares with."""
    files = {name: path.read_bytes() for name, path in _list_probe_files(root)}
    files["__main__.py"] = files["src/tensor_atlas/compare/standalone.py"]
    files[RECORDS] = records.encode()
    packed = io.BytesIO(b"")
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()


def _list_probe_files(root: Path) -> Iterator[tuple[str, Path]]:
    """Files by their names in the archive, which lie as in a checkout."""
    package = Path(tensor_atlas.__file__).parent
    modules = [package / f"{name}.py" for name in MODULES]
    for room in ENGINE:
        modules += [path for path in (package / room).iterdir() if path.suffix in (".py", ".toml")]
    for path in modules:
        if path.name != SITE_ONLY:
            yield f"src/tensor_atlas/{path.relative_to(package).as_posix()}", path
    for script in find_scripts([root / "examples"]):
        yield script.relative_to(root).as_posix(), script
    for name in ("pyproject.toml", "LICENSE"):
        if (root / name).is_file():
            yield name, root / name
