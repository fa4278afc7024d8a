"""Cache keys: digests of everything that a run, a report or a site rests on.

And the last clean report of ``drift``. Imports little: who has changed nothing waits for nothing else.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import platform
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from tensor_atlas.errors import AtlasError
from tensor_atlas.files import read_regular, replace_file, share_folder
from tensor_atlas.probe.sandbox import kept_variables

if TYPE_CHECKING:
    from tensor_atlas.examples.parse import Example

FOLDER = Path("docs", "_build", "cache")
"""Folder of the cache, inside a checkout."""
REPORT = "report.json"
"""File of the last report without drift."""
_REPORT_INPUTS = ("examples/**/*", "docs/records/**/*.json", "docs/*.toml", "pyproject.toml")
_ENGINE = ("model", "examples", "catalogue", "probe")
"""Rooms whose code decides what a run gives."""
_DRIVER = Path("/proc/driver/nvidia/version")
_PACKAGE = Path(__file__).parents[1]


def find_checkout(folder: Path) -> Path | None:
    """The checkout that a folder lies in; None where it lies in none."""
    for place in (folder, *folder.parents):
        if (place / "examples").is_dir() and (place / "pyproject.toml").is_file():
            return place
    return None


def read_commit(root: Path) -> str:
    """Commit that is checked out; empty outside of git."""
    git = shutil.which("git")
    if git is None or not (root / ".git").exists():
        return ""
    # What git says of a broken .git may be no text.
    done = subprocess.run([git, "rev-parse", "--verify", "HEAD"], cwd=root, capture_output=True, check=False)
    return done.stdout.decode("ascii", "replace").strip()


def machine_key() -> str:
    """Digest of what every example can see: Python, system, devices, releases, variables, engine."""
    driver = _DRIVER.read_text(errors="replace") if _DRIVER.is_file() else ""
    facts = [
        sys.version,
        sys.executable,
        platform.uname()[:3],
        driver,
        installed_releases(),
        kept_variables(),
    ]
    digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode(errors="surrogatepass"))
    add_files(digest, (path for room in _ENGINE for path in (_PACKAGE / room).rglob("*")), _PACKAGE)
    return digest.hexdigest()


def installed_releases() -> list[str]:
    """Names and releases of all installed distributions, as their folders spell them, in order."""
    releases: set[str] = set()
    for folder in map(Path, sys.path):
        if folder.is_dir():
            releases |= {path.name for path in folder.iterdir() if path.suffix in (".dist-info", ".egg-info")}
    return sorted(releases)


def example_keys(root: Path, examples: Mapping[str, Example]) -> dict[str, str]:
    """Digest by name of what a run of each example could see: the machine, its text, the files beside it.

    Of the scripts beside it, those that it imports or names in quotes, and those that they do. Where one of
    them can find its own place, or import what it does not name, every file of the examples and of the root.
    """
    machine = machine_key()
    keys = {}
    everything = ""
    for folder in sorted({(root / example.path).parent for example in examples.values()}):
        data = hashlib.sha256(machine.encode())
        scripts = {path: _find_named(path) for path in folder.glob("*.py")}
        looking = set(filter(_looks_around, scripts))
        add_files(data, (path for path in folder.rglob("*") if path not in scripts), folder)
        for example in examples.values():
            path = root / example.path
            if path.parent == folder:
                digest = data.copy()
                digest.update(example.source.encode())
                # The file, too: its line ends, which the text has lost, are seen by a run that reads it.
                mentioned = {path} | _find_mentioned(path, scripts)
                add_files(digest, mentioned, folder)
                if mentioned & looking:
                    everything = everything or _digest_checkout(root)
                    digest.update(everything.encode())
                keys[example.name] = digest.hexdigest()
    return keys


_NAMING = re.compile(r"""^\s*(?:from|import)\b.*|["'](?:[\w-]+|[^"'\n]*\.py)["']""", re.MULTILINE)
"""Text in which a script may name another: an import, or a string that is a name or a path."""


def _find_named(script: Path) -> frozenset[str]:
    """Words with which a script may name another; none of one that is no file."""
    text = _read_text(script) if script.is_file() else ""
    return frozenset(re.findall(r"\w+", " ".join(_NAMING.findall(text))))


_PLACES = ("sys.argv[0", "sys.path[", "co_filename", "getfile(", "getsourcefile(")
"""With what a script finds its own place, beside ``__file__``."""
_IMPORTS = ("import_module(", "__import__(", "run_module(")
"""With what it imports by a name that it may put together."""
_OWN_FILE = re.compile(r"(?<![\w.])__file__\b")


def _looks_around(script: Path) -> bool:
    """Whether a script may read files that its text does not name; not one that is no file."""
    text = _read_text(script) if script.is_file() else ""
    if any(word in text for word in (*_PLACES, *_IMPORTS)):
        return True
    return "__file__" in text and _OWN_FILE.search(text) is not None


def _read_text(script: Path) -> str:
    return script.read_text(encoding="utf-8", errors="replace")


def _digest_checkout(root: Path) -> str:
    """Digest of all examples, the files beside them, and the files of the root."""
    digest = hashlib.sha256()
    add_files(digest, (root / "examples").rglob("*"), root)
    add_files(digest, (path for path in root.iterdir() if not path.is_dir()), root)
    return digest.hexdigest()


def _find_mentioned(script: Path, scripts: Mapping[Path, frozenset[str]]) -> set[Path]:
    """Scripts that ``script`` names, those that they name, and so on."""
    names = {path: set(re.findall(r"\w+", path.stem)) for path in scripts}
    reached, waiting = {script}, [script]
    while waiting:
        words = scripts.get(waiting.pop(), frozenset())
        mentioned = {path for path, name in names.items() if name <= words} - reached
        reached |= mentioned
        waiting += mentioned
    return reached


def report_key(root: Path) -> str:
    """Digest of everything that ``drift`` reads and runs; to be asked for before it begins."""
    digest = hashlib.sha256(f"{machine_key()} {package_key()}".encode())
    with share_folder(root / "docs" / "records"):
        add_files(digest, (path for pattern in _REPORT_INPUTS for path in root.glob(pattern)), root)
    return digest.hexdigest()


@functools.cache
def package_key(*, scripts: bool = True) -> str:
    """Digest of the package's own files, as they were when this process first asked.

    Without ``scripts`` the scripts and styles of pages do not count: no page is read again for one.

    Whoever edits the code during a build must not have pages of the old code kept as the new one's.
    """
    digest = hashlib.sha256()
    add_files(
        digest, (path for path in _PACKAGE.rglob("*") if scripts or path.parent.name != "static"), _PACKAGE
    )
    return digest.hexdigest()


def read_report(root: Path) -> str | None:
    """The last report without drift, if ``drift`` would print it again; None where it must look."""
    try:
        document = json.loads(read_regular(root / FOLDER / REPORT))
        if document["key"] == report_key(root):
            return str(document["report"])
    except (OSError, ValueError, TypeError, KeyError):  # cut short, or another program's
        pass
    return None


def write_report(root: Path, key: str, report: str) -> None:
    """Keep a report without drift; where it cannot be written, the next call looks again."""
    with contextlib.suppress(AtlasError):
        replace_file(root / FOLDER / REPORT, json.dumps({"key": key, "report": report}, ensure_ascii=False))


def add_files(digest: hashlib._Hash, paths: Iterable[Path], root: Path) -> None:
    """Add the paths from ``root``, modes and contents of files to a digest, in order of path.

    Of links that lead nowhere, named pipes and folders, the paths alone.
    """
    for path in sorted(paths):
        if "__pycache__" in path.parts:
            continue
        name = path.relative_to(root)
        if path.is_file():
            content = path.read_bytes()
            mode = stat.S_IMODE(path.stat().st_mode)
            digest.update(f"{name}\0{mode}\0{len(content)}\0".encode(errors="surrogatepass"))
            digest.update(content)
        else:
            digest.update(f"{name}\0-\0".encode(errors="surrogatepass"))
