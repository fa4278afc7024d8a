"""Builds the site with Sphinx, and says at once that it is there where nothing that it is made of has changed.

Imports little: to start Sphinx only to learn that there is nothing to do takes longer than to look at every file.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tensor_atlas import unchanged, waiting
from tensor_atlas.checkout import checkout

SITE = Path("docs", "_build", "html")
"""Folder of the built site, inside a checkout."""
DOCTREES = SITE.parent / "doctrees"
MEMORY = SITE.parent / "site.json"
BUILT = (SITE / "index.html", DOCTREES / "environment.pickle")
"""What every build writes anew that writes anything: another date means that somebody else has built."""
MADE = ("_build", "gallery", "history")
"""Folders of the documentation that a build makes."""
ASKED = ("SITE_URL", "ATLAS_REPOSITORY", "ATLAS_SITE_BRANCH")
"""Variables that the configuration reads."""
STRICT = ("-W", "--keep-going", "--jobs", "auto")
"""Every warning is an error, and all of them are shown."""
SAID = "the site is there, nothing that it is made of has changed"


def main(options: Sequence[str]) -> int:
    """Build the site of the checkout that the working directory lies in; ``options`` go to Sphinx.

    Exit code: Sphinx's, 0 when all is well; 2 outside of a checkout.
    """
    found = checkout(os.getcwd())
    if found is None:
        print(
            "tensor-atlas: not inside a checkout: change to the folder that holds examples/", file=sys.stderr
        )
        return 2
    root = Path(found)
    if not (root / "docs").is_dir():
        print(
            f"tensor-atlas: {root / 'docs'}  no such folder\n    take it from the repository", file=sys.stderr
        )
        return 2
    asked = _key(root, options)
    if _remembered(root) == [asked, *_made(root)]:
        print(f"tensor-atlas: {SAID}", file=sys.stderr)
        return 0
    with contextlib.suppress(OSError):  # a tree that cannot be written to is for Sphinx to tell of
        (root / MEMORY).unlink()  # a build that is cut short must not look whole
    code = _sphinx(root, [*STRICT, "-b", "html", "-d", str(DOCTREES), *options, "docs", str(SITE)])
    if code == 0 and _is_settled(root):
        _remember(root, asked)
    return code


def _sphinx(root: Path, arguments: list[str]) -> int:
    """Sphinx in this process, so that what has been begun here serves it: a probe imports torch meanwhile."""
    waiting.begin(root)
    os.chdir(root)
    from sphinx.cmd.build import main as build  # noqa: PLC0415 - whoever has changed nothing needs none of it

    try:
        return build(arguments)
    finally:
        waiting.end()


def _is_settled(root: Path) -> bool:
    """Whether every example would end the same way again: one that was cut short is tried at the next build."""
    from tensor_atlas import cache  # noqa: PLC0415
    from tensor_atlas.errors import AtlasError  # noqa: PLC0415
    from tensor_atlas.records import store  # noqa: PLC0415

    try:
        capture = store.read_capture(root / unchanged.CAPTURES / cache.CAPTURE)
    except AtlasError:
        return False
    return all(map(cache.is_settled, capture.runs))


def _key(root: Path, options: Sequence[str]) -> str:
    """Digest of everything that the site is made of, how it is asked for, and which commit it would name."""
    facts = [list(options), [os.environ.get(name) for name in ASKED], _commit(root), unchanged.inputs(root)]
    found = hashlib.sha256(json.dumps(facts).encode())
    unchanged.add(found, _files(root))
    return found.hexdigest()


def _files(root: Path) -> Iterator[Path]:
    """Whatever is no build's work: pages, examples, records, settings."""
    yield from (path for path in root.iterdir() if path.is_file())
    yield from (path for path in (root / "examples").rglob("*") if path.parent.name != "__pycache__")
    for path in (root / "docs").iterdir():
        if path.name not in MADE:
            yield from path.rglob("*") if path.is_dir() else [path]


def _commit(root: Path) -> str:
    """What git says is checked out, without asking it."""
    git = root / ".git"
    if git.is_file():  # a working tree of another repository: its head is elsewhere
        git = Path(git.read_text(encoding="utf-8").removeprefix("gitdir:").strip())
    try:
        head = (git / "HEAD").read_text(encoding="utf-8").strip()
        log = git / "logs" / "HEAD"
        return f"{head} {log.stat().st_size if log.is_file() else ''}"
    except OSError:
        return ""


def _made(root: Path) -> list[object]:
    """What a build has made: the digest of what it has executed, and when it wrote; nothing where a part is gone."""
    executed = hashlib.sha256()
    unchanged.add(executed, (root / unchanged.CAPTURES).glob("*.*"), without=unchanged.MEMORY)
    try:
        return [executed.hexdigest(), *((root / path).stat().st_mtime_ns for path in BUILT)]
    except OSError:
        return []


def _remembered(root: Path) -> object:
    try:
        return json.loads((root / MEMORY).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _remember(root: Path, asked: str) -> None:
    """Keep what was built of what; where it cannot be kept, Sphinx will find out."""
    from tensor_atlas.errors import AtlasError  # noqa: PLC0415
    from tensor_atlas.files import replace_file  # noqa: PLC0415

    try:
        replace_file(root / MEMORY, json.dumps([asked, *_made(root)]))
    except AtlasError:
        return
