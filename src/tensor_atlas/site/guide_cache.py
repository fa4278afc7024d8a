"""Takes out of jupyter-cache the guides whose evidence has changed: those are executed again, and no others."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from tensor_atlas.compare.evidence import digest_listing
from tensor_atlas.examples.parse import ScriptError, parse_example
from tensor_atlas.files import replace_file

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

FORM = "file_format: mystnb"
"""Line by which a page says that it is executed."""
FIGURES = "figures"
"""Under which name the evidence of all figures is kept, beside those of the pages."""
_KNOWN = "tensor_atlas_notebooks"
_NAMED = re.compile(r"\b\d\d_\w+/\w+")
_told: dict[str, str] = {}
"""Digest of what pages tell of an example, by the digest of its script, as far as this process has found out."""


class Tellings:
    """What pages tell of examples, as digests; a script that is known need not be parsed, which takes longest."""

    def __init__(self, known: Mapping[str, str]) -> None:
        """Start with what is ``known``, by the digest of the script."""
        self._known = known
        self.asked: dict[str, str] = {}
        """What was asked for, in the same form."""

    def of(self, script: Path) -> tuple[str, bytes]:
        """Name of a script, and what is told of it: not its prose, nor on which line anything stands."""
        content = script.read_bytes() if script.is_file() else b""
        key = hashlib.sha256(content).hexdigest()[:16]
        try:
            told = self.asked.get(key) or self._known.get(key) or _tell(script, content)
        except (ScriptError, UnicodeDecodeError):  # the build will stop for it
            return script.name, content
        self.asked[key] = told
        return script.name, told.encode()


def _tell(script: Path, content: bytes) -> str:
    return digest_listing(parse_example(content.decode(), f"examples/{script.parent.name}/{script.name}"))


def refresh(docs: Path, cache: Path, mark: Path, facts: str) -> None:
    """Forget what rests on other evidence than it did in the last build, of which ``mark`` tells.

    jupyter-cache knows the cells of a page, sphinx-gallery the code of a script; neither knows what they read: the
    packages, which ``facts`` names, the measurements, and what is told and recorded of the examples that a page names.
    A page that names none may read everything.
    """
    known = _known(mark)
    tellings = Tellings(known.told)
    now = dict(_evidence(docs, facts, tellings))
    _told.update(tellings.asked)
    fresh = {name for name, digest in now.items() if known.pages.get(name) == digest}
    if fresh != now.keys() or not cache.is_dir():
        _keep(cache, {str(docs / name) for name in fresh})
        if FIGURES not in fresh:
            for drawn in docs.glob("gallery/*/plot_*.py.md5"):
                drawn.unlink()
    if known != _Mark(now, tellings.asked):  # last: a build that is cut short finds out again
        replace_file(mark, json.dumps({"pages": now, "told": tellings.asked}, indent=1))


def packages() -> str:
    """What every page is executed with."""
    return f"torch {version('torch')}, numpy {version('numpy')}"


def outdated(app: Sphinx, env: BuildEnvironment, *_: set[str]) -> list[str]:
    """Handler of ``env-get-outdated``: pages whose evidence is another than when they were read.

    Sphinx keeps what is known of it with the pages, once all have been read.
    """
    now = dict(_evidence(Path(app.srcdir), packages(), Tellings(_told)))
    known: dict[str, str] = getattr(env, _KNOWN, {})
    setattr(env, _KNOWN, now)
    names = {page.removesuffix(".md") for page, digest in now.items() if known.get(page) != digest}
    return sorted(names & env.found_docs)


def executed(env: BuildEnvironment) -> set[str]:
    """Pages that are executed when they are read."""
    known: dict[str, str] = getattr(env, _KNOWN, {})
    return {page.removesuffix(".md") for page in known}


def _evidence(docs: Path, facts: str, tellings: Tellings) -> Iterator[tuple[str, str]]:
    """Every page that is executed, and the figures, with the digest of what they read."""
    measured = _digest(_contents(docs.glob("measurements/*.json")), facts)
    of_all = ""
    yield FIGURES, measured
    for page in sorted(docs.glob("**/*.md")):
        text = page.read_text(encoding="utf-8")
        head = _head(text)
        if FORM not in head or page.relative_to(docs).parts[0] == "_build":
            continue
        names = set(_NAMED.findall(text))
        if not names:
            of_all = of_all or _of_all(docs, tellings, measured)
        digest = _of(docs, names, tellings, measured) if names else of_all
        yield page.relative_to(docs).as_posix(), digest


def _head(text: str) -> list[str]:
    """Lines of a page's head; none where it has no head."""
    return text.split("\n---", 1)[0].split("\n") if text.startswith("---\n") else []


def _of(docs: Path, names: Collection[str], tellings: Tellings, *facts: str) -> str:
    """Digest of what is told and recorded of some examples."""
    scripts = [docs.parent / "examples" / f"{name}.py" for name in names]
    records = [docs / "records" / f"{name}.json" for name in names]
    return _digest([*_contents(records), *map(tellings.of, sorted(scripts))], *facts)


def _of_all(docs: Path, tellings: Tellings, *facts: str) -> str:
    scripts = sorted((docs.parent / "examples").glob("*/*.py"))
    recorded = _contents([*(docs / "records").rglob("*.json"), *docs.glob("*.toml")])
    return _digest([*recorded, *map(tellings.of, scripts)], *facts)


def _contents(paths: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    return ((path.name, path.read_bytes() if path.is_file() else b"") for path in sorted(paths))


def _digest(parts: Iterable[tuple[str, bytes]], *facts: str) -> str:
    found = hashlib.sha256("\0".join(facts).encode())
    for name, content in parts:
        found.update(f"\0{name}\0{len(content)}\0".encode())
        found.update(content)
    return found.hexdigest()[:16]


@dataclass(frozen=True)
class _Mark:
    """What the last build rested on."""

    pages: dict[str, str]
    """Digest of what each page read."""
    told: dict[str, str]
    """Digest of what pages tell of each example, by the digest of its script."""


def _known(mark: Path) -> _Mark:
    try:
        found = json.loads(mark.read_text(encoding="utf-8"))
        return _Mark(dict(found["pages"]), dict(found["told"]))
    except (
        OSError,
        ValueError,
        TypeError,
        KeyError,
    ):  # the first build, or one of an older form: nothing is fresh
        return _Mark({}, {})


def _keep(cache: Path, pages: Collection[str]) -> None:
    """Remove all but some pages from the cache, which is there afterwards.

    Each of several readers would make one that is not, and trip over what the others make.
    """
    from jupyter_cache import get_cache  # noqa: PLC0415 - takes longer than all else here

    if not pages:
        shutil.rmtree(cache, ignore_errors=True)
    kept = get_cache(cache)
    try:
        for record in kept.list_cache_records():
            if record.uri not in pages:
                kept.remove_cache(record.pk)
    finally:
        kept.db.dispose()  # or its connections stay open until they are collected, of which Python 3.13 warns
