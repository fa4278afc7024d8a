"""Spares a build what an earlier one has done: sphinx-gallery's page of an example that stayed as it was, templates.

sphinx-gallery keeps the page of a script whose digest lies beside its copy, and writes that digest for what it executes
itself. For what it does not execute, the digest is written here, as long as all that the page was made of is the same.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import sphinx
import sphinx_gallery
from jinja2 import Environment, FileSystemBytecodeCache
from sphinx_gallery import gen_gallery

from tensor_atlas.errors import AtlasError
from tensor_atlas.files import replace_file

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

MEMORY = "sphinx-gallery.json"
"""Name of the file, beside the doctrees, that tells what was made of what."""
_ENDINGS = (".py", ".rst", ".ipynb", ".zip", ".codeobj.json")
"""Of sphinx-gallery's copy of a script and of what it makes beside it, the last only where it found names."""
_ELSEWHERE = "sphinx_gallery_thumbnail"
"""Setting of a script that makes its thumbnail depend on something that nobody looks at here."""
_asked: WeakKeyDictionary[Sphinx, str] = WeakKeyDictionary()
"""Digest of what decides, beside a script, what its page becomes."""
_imports: WeakKeyDictionary[Sphinx, Callable[[], object]] = WeakKeyDictionary()
"""What sphinx-gallery imports matplotlib with."""


Stamp = list[str | int]
"""Name of a file, its bytes and its date in nanoseconds: who writes it anew leaves another."""


@dataclass(frozen=True)
class Made:
    """What sphinx-gallery made of a script."""

    digest: str
    """Of the script, as sphinx-gallery counts it."""
    stamps: list[Stamp]
    """Of its copy, and of all that was made of it."""


# --- matplotlib ------------------------------------------------------------------------------------


def without_matplotlib(app: Sphinx, _: Config) -> None:
    """Handler of ``config-inited``, before sphinx-gallery's: it imports matplotlib in case a script draws.

    It does so again before it executes a script, so that nothing is lost; a third of a second is won where none does.
    """
    _imports[app] = gen_gallery._import_matplotlib  # noqa: SLF001 - there is no setting for it
    gen_gallery._import_matplotlib = lambda: None  # noqa: SLF001


def with_matplotlib(app: Sphinx, _: Config) -> None:
    """Handler of ``config-inited``, after sphinx-gallery's: as it was."""
    gen_gallery._import_matplotlib = _imports.pop(app)  # noqa: SLF001


# --- pages -----------------------------------------------------------------------------------------


def ask(app: Sphinx, config: Config) -> None:
    """Handler of ``config-inited``, before sphinx-gallery's, which fills its settings in."""
    settings = config.sphinx_gallery_conf
    parts = [sphinx.__version__, sphinx_gallery.__version__, repr(settings), repr(config.default_role)]
    thumbnail = settings.get("default_thumb_file")
    parts += [_text(Path(app.confdir, "conf.py")), _text(Path(app.srcdir, thumbnail)) if thumbnail else ""]
    _asked[app] = hashlib.sha256("\0".join(parts).encode(errors="surrogateescape")).hexdigest()


def recall(app: Sphinx) -> None:
    """Handler of ``builder-inited``, before sphinx-gallery's: let it keep the pages that are as it made them."""
    known = _read(app)
    for script, made in _made(app):
        marker = script.with_name(f"{script.name}.md5")
        was = known.get(_name(app, script))
        if was is not None and was.stamps == made:
            marker.write_text(was.digest, encoding="utf-8")
        else:
            marker.unlink(missing_ok=True)


def remember(app: Sphinx) -> None:
    """Handler of ``builder-inited``, after sphinx-gallery's: what it has made of what."""
    known = _read(app)
    made = {}
    for script, stamps in _made(app):
        name = _name(app, script)
        was = known.get(name)
        if was is not None and was.stamps == stamps:
            made[name] = [was.digest, stamps]
            continue
        text = script.read_text(encoding="utf-8")
        if _ELSEWHERE not in text:
            made[name] = [_digest(text), stamps]
    try:
        replace_file(Path(app.doctreedir, MEMORY), json.dumps({"asked": _asked[app], "made": made}))
    except AtlasError:  # a tree that cannot be written to is for Sphinx to tell of
        return


def _made(app: Sphinx) -> Iterator[tuple[Path, list[Stamp]]]:
    """sphinx-gallery's copies of the scripts that it does not execute, and stamps of all that it made of each."""
    source = Path(app.srcdir, app.config.tensor_atlas_root, "examples")
    draws = re.compile(app.config.sphinx_gallery_conf["filename_pattern"])
    for chapter in sorted(Path(app.srcdir, app.config.tensor_atlas_gallery).glob("*/")):
        there = _stamps(chapter)
        pictures = _stamps(chapter / "images" / "thumb")
        for name in [name for name in there if name.endswith(".py")]:
            if draws.search(str(source / chapter.name / name)):
                continue
            stem = name.removesuffix(".py")
            made = [there.get(f"{stem}{end}") for end in _ENDINGS]
            yield chapter / name, [*filter(None, made), *_thumbnail(pictures, stem)]


def _stamps(folder: Path) -> dict[str, Stamp]:
    """Name, bytes and date in nanoseconds of each file in a folder, by name."""
    if not folder.is_dir():
        return {}
    with os.scandir(folder) as entries:
        return {entry.name: [entry.name, entry.stat().st_size, entry.stat().st_mtime_ns] for entry in entries}


def _thumbnail(pictures: dict[str, Stamp], stem: str) -> Iterator[Stamp]:
    for end in (".png", ".svg", ".gif", ".jpg", ".jpeg", ".webp"):
        if f"sphx_glr_{stem}_thumb{end}" in pictures:
            yield pictures[f"sphx_glr_{stem}_thumb{end}"]


def _name(app: Sphinx, script: Path) -> str:
    return script.relative_to(app.srcdir).as_posix()


def _digest(text: str) -> str:
    """As sphinx-gallery counts it."""
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


def _read(app: Sphinx) -> dict[str, Made]:
    """What was made of what at the last build; nothing where settings or versions are others now."""
    try:
        document = json.loads(Path(app.doctreedir, MEMORY).read_text(encoding="utf-8"))
        if document["asked"] != _asked[app]:
            return {}
        return {str(name): Made(str(digest), list(made)) for name, (digest, made) in document["made"].items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):  # never written, or cut short
        return {}


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="surrogateescape") if path.is_file() else ""


# --- templates -------------------------------------------------------------------------------------


def keep_templates(app: Sphinx) -> None:
    """Handler of ``builder-inited``: templates of the theme are compiled once, not at each build."""
    templates = getattr(app.builder, "templates", None)  # a builder that writes no HTML has none
    environment = getattr(templates, "environment", None)  # another loader than Sphinx's own may have none
    if isinstance(environment, Environment):
        folder = Path(app.doctreedir, "templates")
        with contextlib.suppress(OSError):  # a tree that cannot be written to is for Sphinx to tell of
            folder.mkdir(parents=True, exist_ok=True)
            environment.bytecode_cache = FileSystemBytecodeCache(str(folder))
