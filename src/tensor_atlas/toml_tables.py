"""Entries of a TOML file with the line of each, so that a message about one can say where it stands; pure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping

from tensor_atlas.errors import AtlasError


def toml_entries(text: str, name: str, path: str) -> list[tuple[dict[str, object], int]]:
    """Entries under ``[[name]]`` with their lines; AtlasError for anything else in the file."""
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # an integer of too many digits is no TOMLDecodeError
        raise AtlasError(path, f"not TOML: {error}", "correct the file") from None
    unknown = sorted(set(document) - {name})
    entries = document.get(name, [])
    head = re.compile(rf"\s*\[\[\s*{name}\s*\]\]")
    lines = [number for number, line in enumerate(text.split("\n"), 1) if head.match(line)]
    if unknown or not isinstance(entries, list) or len(lines) != len(entries):
        what = f"unknown table {', '.join(unknown)}" if unknown else f"{name} is not a list of tables"
        raise AtlasError(path, what, f"write each entry under [[{name}]]")
    return list(zip(entries, lines, strict=True))


def required_text(entry: Mapping[str, object], key: str, where: str) -> str:
    """Text of a field; AtlasError where there is none."""
    value = entry.get(key)
    if not isinstance(value, str) or not value.strip():
        raise AtlasError(where, f"no {key}", f'write {key} = "…"')
    return value


def required_texts(entry: Mapping[str, object], key: str, where: str) -> tuple[str, ...]:
    """Texts of a field; AtlasError where it is no list of them."""
    value = entry.get(key)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise AtlasError(where, f"{key} is not a list of strings", f'write {key} = ["…"]')
    return tuple(str(item) for item in value)
