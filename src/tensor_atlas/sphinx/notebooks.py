"""Takes out of jupyter-cache the guides whose evidence has changed: those are executed again, and no others."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Collection, Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from tensor_atlas.files import put

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

FORM = "file_format: mystnb"
"""Line by which a page says that it is executed."""
FIGURES = "figures"
"""Under which name the evidence of all figures is kept, beside those of the pages."""
_KNOWN = "tensor_atlas_notebooks"
_NAMED = re.compile(r"\b\d\d_\w+/\w+")


def refresh(docs: Path, cache: Path, mark: Path, facts: str) -> None:
    """Forget what rests on other evidence than it did in the last build, of which ``mark`` tells.

    jupyter-cache knows the cells of a page, sphinx-gallery the code of a script; neither knows what they read: the
    packages, which ``facts`` names, the measurements, and the records of the examples that a page names. A page that
    names none may read everything.
    """
    now = dict(_evidence(docs, facts))
    known = _known(mark)
    fresh = {name for name, digest in now.items() if known.get(name) == digest}
    if fresh != now.keys() or not cache.is_dir():
        _keep(cache, {str(docs / name) for name in fresh})
        if FIGURES not in fresh:
            for drawn in docs.glob("gallery/*/plot_*.py.md5"):
                drawn.unlink()
        put(mark, json.dumps(now, indent=1))  # last: a build that is cut short finds out again


def packages() -> str:
    """What every page is executed with."""
    return f"torch {version('torch')}, numpy {version('numpy')}"


def outdated(app: Sphinx, env: BuildEnvironment, *_: set[str]) -> list[str]:
    """Handler of ``env-get-outdated``: pages whose evidence is another than when they were read.

    Sphinx keeps what is known of it with the pages, once all have been read.
    """
    now = dict(_evidence(Path(app.srcdir), packages()))
    known: dict[str, str] = getattr(env, _KNOWN, {})
    setattr(env, _KNOWN, now)
    names = {page.removesuffix(".md") for page, digest in now.items() if known.get(page) != digest}
    return sorted(names & env.found_docs)


def _evidence(docs: Path, facts: str) -> Iterator[tuple[str, str]]:
    """Every page that is executed, and the figures, with the digest of what they read."""
    measured = _digest(docs.glob("measurements/*.json"), facts)
    examples, records = docs.parent / "examples", docs / "records"
    everything = (*examples.glob("*/*.py"), *records.rglob("*.json"), *docs.glob("*.toml"))
    of_all = _digest(everything, measured)
    yield FIGURES, measured
    for page in sorted(docs.glob("**/*.md")):
        text = page.read_text(encoding="utf-8")
        if FORM in text and page.relative_to(docs).parts[0] != "_build":
            names = sorted(set(_NAMED.findall(text)))
            read = [path for name in names for path in (examples / f"{name}.py", records / f"{name}.json")]
            yield page.relative_to(docs).as_posix(), _digest(read, measured) if names else of_all


def _digest(paths: Iterable[Path], *facts: str) -> str:
    found = hashlib.sha256("\0".join(facts).encode())
    for path in sorted(paths):
        content = path.read_bytes() if path.is_file() else b""
        found.update(f"\0{path.name}\0{len(content)}\0".encode())
        found.update(content)
    return found.hexdigest()[:16]


def _known(mark: Path) -> dict[str, str]:
    try:
        found: dict[str, str] = json.loads(mark.read_text(encoding="utf-8"))
        return dict(found)
    except (OSError, ValueError, TypeError):  # the first build, or one of an older form: nothing is fresh
        return {}


def _keep(cache: Path, pages: Collection[str]) -> None:
    """Remove all but some pages from the cache, which is there afterwards.

    Each of several readers would make one that is not, and trip over what the others make.
    """
    from jupyter_cache import get_cache  # noqa: PLC0415 - takes longer than all else here

    if not pages:
        shutil.rmtree(cache, ignore_errors=True)
    kept = get_cache(cache)
    for record in kept.list_cache_records():
        if record.uri not in pages:
            kept.remove_cache(record.pk)
