"""What the gate said when everything held, for as long as nothing that it depends on has changed.

Imports little: whoever has changed nothing should not wait for more.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tensor_atlas import checkout

CAPTURES = Path(*checkout.CAPTURES)
"""Folder, inside a checkout, of what has been executed there."""
MEMORY = "held.json"
READ = ("examples/**/*.py", "docs/records/*.json", "docs/records/*/*.json", "docs/*.toml", "pyproject.toml")
"""Files of a checkout that the gate reads, and a few more."""
SEEN = ("CUDA_VISIBLE_DEVICES", "PYTORCH_NVML_BASED_CUDA_CHECK")
"""Variables that decide which devices there are."""
DRIVER = Path("/proc/driver/nvidia/version")


class Held(NamedTuple):
    """The gate's last words, all of them good news."""

    said: str
    """Text on standard error."""
    told: str
    """The report."""


def inputs(root: Path) -> str:
    """Digest of all that the gate depends on but what has been executed; to be asked for before it begins."""
    package = Path(__file__).parent
    facts = [
        sys.version,
        system(),
        installed(),
        [os.environ.get(name) for name in SEEN],
        DRIVER.is_file(),
    ]
    found = hashlib.sha256(json.dumps(facts).encode())
    add(found, (path for pattern in READ for path in root.glob(pattern)))
    add(found, package.rglob("*.py"))
    return found.hexdigest()


def installed() -> list[str]:
    """Names of what is installed, each with its release, as folders tell them: to read what lies there takes longer."""
    return sorted(
        {name for place in sys.path for name in _listed(place) if name.endswith((".dist-info", ".egg-info"))}
    )


def system() -> str:
    """The operating system and its release; ``platform.platform`` starts a program to find out more."""
    if sys.platform == "win32":
        import platform  # noqa: PLC0415 - elsewhere the same is told sooner

        return f"{platform.system()} {platform.release()} {platform.machine()}"
    told = os.uname()
    return f"{told.sysname} {told.release} {told.machine}"


def remember(root: Path, asked: str, held: Held) -> None:
    """Keep what the gate said of these ``inputs``; where nothing can be kept, it will be found out again."""
    from tensor_atlas.errors import AtlasError  # noqa: PLC0415 - whoever only asks needs neither
    from tensor_atlas.files import replace_file  # noqa: PLC0415

    document = {"key": _key(root, asked), "said": held.said, "told": held.told}
    try:
        replace_file(root / CAPTURES / MEMORY, json.dumps(document, ensure_ascii=False))
    except AtlasError:
        return


def remembered(root: Path) -> Held | None:
    """What the gate said last of a checkout, if it would say the same again; None where it must look."""
    try:
        document = json.loads((root / CAPTURES / MEMORY).read_text(encoding="utf-8"))
        if document["key"] == _key(root, inputs(root)):
            return Held(str(document["said"]), str(document["told"]))
    except (OSError, ValueError, TypeError, KeyError):  # cut short, or another program's: look again
        pass
    return None


def _key(root: Path, asked: str) -> str:
    found = hashlib.sha256(asked.encode())
    add(found, (root / CAPTURES).glob("*.*"), without=MEMORY)
    return found.hexdigest()


def add(found: hashlib._Hash, paths: Iterable[Path], without: str = "") -> None:
    """Add the names and contents of files to a digest, but for one of that name."""
    for path in sorted(path for path in paths if path.name != without and path.is_file()):
        content = path.read_bytes()
        found.update(f"{path}\0{len(content)}\0".encode(errors="surrogatepass"))
        found.update(content)


def _listed(place: str) -> list[str]:
    try:
        return [entry.name for entry in Path(place or ".").iterdir()]
    except OSError:
        return []
