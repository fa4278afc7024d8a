"""Entries of a TOML file, each with its line for messages; pure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping

from tensor_atlas.errors import AtlasError


def toml_entries(text: str, name: str, path: str) -> list[tuple[dict[str, object], int]]:
    """Entries under ``[[name]]`` with their lines; AtlasError for anything else in the file."""
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # an integer of too many digits is no TOMLDecodeError
        raise AtlasError(path, f"not TOML: {error}", "correct the file") from None
    remedy = f"write each entry under [[{name}]]"
    unknown = sorted(set(document) - {name})
    if unknown:
        raise AtlasError(path, f"unknown table {', '.join(unknown)}", remedy)
    entries = document.get(name, [])
    head = re.compile(rf"\s*\[\[\s*{name}\s*\]\]")
    lines = [number for number, line in enumerate(text.split("\n"), 1) if head.match(line)]
    if not isinstance(entries, list) or len(lines) != len(entries):
        raise AtlasError(path, f"{name} is not a list of tables", remedy)
    return list(zip(entries, lines, strict=True))


def refuse_unknown_fields(entry: Mapping[str, object], known: Collection[str], where: str) -> None:
    """AtlasError that names the fields of an entry that are not ``known``."""
    unknown = sorted(set(entry) - set(known))
    if unknown:
        remedy = f"fields are {', '.join(sorted(known))}"
        raise AtlasError(where, f"unknown field {', '.join(unknown)}", remedy)


def required_text(entry: Mapping[str, object], key: str, where: str) -> str:
    """Text of a field; AtlasError where it is missing, empty or no text."""
    value = entry.get(key)
    if not isinstance(value, str) or not value.strip():
        raise AtlasError(where, f"no {key}", f'write {key} = "…"')
    return value


def required_texts(entry: Mapping[str, object], key: str, where: str) -> tuple[str, ...]:
    """Texts of a field; AtlasError where it is no list of texts."""
    value = entry.get(key)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise AtlasError(where, f"{key} is not a list of strings", f'write {key} = ["…"]')
    return tuple(value)
