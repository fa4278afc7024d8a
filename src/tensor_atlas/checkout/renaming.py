"""Gives an example another name, or takes it out: its script, its record, what names it, its old address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tensor_atlas.checkout import project
from tensor_atlas.checkout.project import Project
from tensor_atlas.compare.moves import MOVED, Move, parse_moves, spell_moves
from tensor_atlas.errors import AtlasError
from tensor_atlas.files import replace_file
from tensor_atlas.records import store

MENTIONING = (".js", ".json", ".md", ".py", ".rst", ".toml", ".yml")
"""Endings of files that may name an example."""
BUILT = ("docs/_build", "docs/gallery", "docs/history", "docs/records")
"""Folders that a build or a recording writes."""
_NAME = re.compile(r"\w+/[A-Za-z]\w*", re.ASCII)


def rename(here: Project, old: str, new: str) -> list[str]:
    """Rename an example with its record, and mend whatever names it; the files that changed.

    AtlasError, before anything is written, where there is no such example, or the new name cannot be had.
    """
    (example,) = project.select_examples(project.examples_of(here), [old]).values()
    _refuse_name(here, new)
    script, record = here.root / example.path, here.records / f"{old}.json"
    target, new_record = here.examples / f"{new}.py", here.records / f"{new}.json"
    with project.lock_records(here):
        texts = {target: script.read_bytes().decode()}
        if record.is_file():
            texts[new_record] = store.rename_record(record, old, new)
        texts |= _mend_mentions(here, old, new)
        texts[target] = texts.pop(script, texts[target])
        texts[here.root / MOVED] = spell_moves(_lead_on(here, old, new))
        # New files first: whoever is interrupted has two of them, and none is lost.
        for path, text in texts.items():
            replace_file(path, text)
        script.unlink()
        record.unlink(missing_ok=True)
    return [path.relative_to(here.root).as_posix() for path in texts]


def remove(here: Project, old: str, instead: str) -> list[str]:
    """Take an example out with its record; its page leads to that of ``instead``. Where it is still named.

    AtlasError, before anything is written, where either is no example, or both are one.
    """
    examples = project.select_examples(project.examples_of(here), [old, instead])
    if old == instead:
        raise AtlasError(old, "cannot stand for itself", "name another example after --instead")
    with project.lock_records(here):
        replace_file(here.root / MOVED, spell_moves(_lead_on(here, old, instead)))
        (here.records / f"{old}.json").unlink(missing_ok=True)
        (here.root / examples[old].path).unlink()
    return list(_list_mentions(here, old))


def _lead_on(here: Project, old: str, new: str) -> list[Move]:
    """The moves of the checkout and this one; those that led to the old page lead to the new one."""
    gone, kept = f"gallery/{old}", f"gallery/{new}"
    moves = [Move(move.old, kept if move.new == gone else move.new) for move in read_moves(here)]
    return [*(move for move in moves if move.old not in (gone, kept)), Move(gone, kept)]


def read_moves(here: Project) -> list[Move]:
    """Entries of the checkout's table; none where there is no table."""
    path = here.root / MOVED
    return parse_moves(path.read_text(encoding="utf-8")) if path.is_file() else []


def _refuse_name(here: Project, name: str) -> None:
    if not _NAME.fullmatch(name):
        raise AtlasError(name, "no name of an example", "name it <chapter>/<stem>, in letters and digits")
    if not (here.examples / name).parent.is_dir():
        raise AtlasError(name, "no such chapter", f"make examples/{name.partition('/')[0]} first")
    if (here.examples / f"{name}.py").exists() or (here.records / f"{name}.json").exists():
        raise AtlasError(name, "is taken", "choose another name")


def _mention(name: str) -> re.Pattern[str]:
    """An example's name, as a path or as sphinx-gallery writes it in a label."""
    return re.compile(rf"(?<![\w-])(?:{re.escape(name)}|sphx_glr_gallery_{name.replace('/', '_')})(?![\w-])")


def _read_mentions(here: Project, name: str) -> Iterator[tuple[Path, str]]:
    """Files that name an example, with their text; those of the checkout, not those that a build writes."""
    built = [here.root / folder for folder in BUILT]
    for path in sorted(here.root.rglob("*")):
        parts = path.relative_to(here.root).parts
        if path.suffix not in MENTIONING or any(part.startswith(".") and part != ".github" for part in parts):
            continue
        if not path.is_file() or any(map(path.is_relative_to, built)) or path == here.root / MOVED:
            continue
        try:
            text = path.read_bytes().decode()
        except UnicodeDecodeError:  # data of a test
            continue
        if _mention(name).search(text):
            yield path, text


def _list_mentions(here: Project, name: str) -> Iterator[str]:
    """Each line that names an example, as ``path:line``."""
    for path, text in _read_mentions(here, name):
        for number, line in enumerate(text.split("\n"), 1):
            if _mention(name).search(line):
                yield f"{path.relative_to(here.root).as_posix()}:{number}"


def _mend_mentions(here: Project, old: str, new: str) -> Iterator[tuple[Path, str]]:
    """Those files with the new name in place of the old one."""

    def mend(match: re.Match[str]) -> str:
        return new if match[0] == old else f"sphx_glr_gallery_{new.replace('/', '_')}"

    for path, text in _read_mentions(here, old):
        yield path, _mention(old).sub(mend, text)
