"""``atlas-probe.pyz``: the probe, the examples and the matrix in one file that a reader runs on any machine.

The same sources give the same bytes: names are sorted, and no time or mode of a file is kept.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import tensor_atlas
from tensor_atlas.examples.files import find_scripts
from tensor_atlas.files import replace_if_changed
from tensor_atlas.site.execution import project_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx

NAME = "atlas-probe.pyz"
ROOMS = ("model", "examples", "catalogue", "probe")
"""Rooms that a bare machine runs."""
MODULES = ("__init__", "errors", "files", "streams")
SITE_ONLY = "scenarios.py"
"""The one module of these rooms that needs another."""
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The oldest time that a zip file can name."""


def pack_probe(root: Path) -> bytes:
    """The archive for a checkout at ``root``."""
    files = {name: path.read_bytes() for name, path in _list_files(root)}
    files["__main__.py"] = files["src/tensor_atlas/probe/standalone.py"]
    packed = io.BytesIO(b"")
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()


def _list_files(root: Path) -> Iterator[tuple[str, Path]]:
    """Files by their names in the archive, which lie as in a checkout."""
    package = Path(tensor_atlas.__file__).parent
    modules = [package / f"{name}.py" for name in MODULES]
    for room in ROOMS:
        modules += [path for path in (package / room).iterdir() if path.suffix in (".py", ".toml")]
    for path in modules:
        if path.name != SITE_ONLY:
            yield f"src/tensor_atlas/{path.relative_to(package).as_posix()}", path
    for script in find_scripts([root / "examples"]):
        yield script.relative_to(root).as_posix(), script
    for name in ("pyproject.toml", "LICENSE"):
        if (root / name).is_file():
            yield name, root / name


def write_file(app: Sphinx, exception: Exception | None) -> None:
    """Handler of ``build-finished``: the archive beside the landing page."""
    if exception is None and app.builder.name == "html":
        replace_if_changed(Path(app.outdir, NAME), pack_probe(project_of(app).root))
