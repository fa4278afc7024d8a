"""Executes a guide again when what its cells read has changed; jupyter-cache looks at the cells alone.

Cells read torch and NumPy. A page that names this package may read the records and examples, too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from importlib.metadata import version
from pathlib import Path

import tensor_atlas
from tensor_atlas.files import replace_file

EXECUTED_LINE = "file_format: mystnb"
"""Line by which a page says that it is executed."""


def refresh(docs: Path, cache: Path) -> None:
    """Keep in jupyter-cache only the guides that read what the marks of the last build say.

    The cache is there afterwards: each of several readers would make one that is not, and trip over the
    others.
    """
    digests = _compute_digests(docs)
    stale = [guide for guide, digest in digests.items() if _read_mark(docs, guide) != digest]
    if stale or not cache.is_dir():
        # The cache finds a guide by its cells, wherever it was when it was executed: a checkout that was
        # moved or copied has records of the old paths.
        _keep_guides(cache, {str(docs / f"{guide}.md") for guide in digests.keys() - set(stale)})
    for guide in stale:
        replace_file(find_mark(docs, guide), digests[guide])


def find_mark(docs: Path, guide: str) -> Path:
    """File that holds the digest of what a guide read when it was executed."""
    return docs / "_build" / "guides" / f"{guide}.digest"


def _read_mark(docs: Path, guide: str) -> str:
    """That digest; empty where the guide has not been executed."""
    mark = find_mark(docs, guide)
    return mark.read_text(encoding="utf-8") if mark.is_file() else ""


def _compute_digests(docs: Path) -> dict[str, str]:
    """Digest of what each guide may read, by its name."""
    package = Path(tensor_atlas.__file__).parent
    releases = _compute_digest((), version("torch"), version("numpy"))
    code = _compute_digest([*package.rglob("*.py"), *package.rglob("*.toml")], releases)
    recorded = [*docs.glob("records/**/*.json"), *docs.glob("*.toml"), *docs.parent.glob("examples/*/*.py")]
    everything = _compute_digest(recorded, code)
    digests = {}
    for page in docs.glob("**/*.md"):
        head, _, text = page.read_text(encoding="utf-8").partition("\n---")
        guide = page.relative_to(docs).with_suffix("").as_posix()
        if EXECUTED_LINE not in head.split("\n") or guide.startswith("_build/"):
            continue
        digests[guide] = everything if tensor_atlas.__name__ in text else releases
    return digests


def _compute_digest(paths: Iterable[Path], *facts: str) -> str:
    """Digest of the names and contents of files, in the order of their paths; some may be missing."""
    digest = hashlib.sha256("\0".join(facts).encode())
    for path in sorted(paths):
        content = path.read_bytes() if path.is_file() else b""
        digest.update(f"\0{path.name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def _keep_guides(cache: Path, guides: Collection[str]) -> None:
    """Remove all other guides from the cache; makes it where there is none."""
    from jupyter_cache import get_cache  # noqa: PLC0415 - takes longer than all else here

    notebooks = get_cache(cache)
    try:
        for record in notebooks.list_cache_records():
            if record.uri not in guides:
                notebooks.remove_cache(record.pk)
    finally:
        notebooks.db.dispose()  # else its connections stay open until collected, of which Python 3.13 warns
