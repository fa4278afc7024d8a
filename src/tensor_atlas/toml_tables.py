"""Tables of a TOML file as the types that declare them, each with its line for messages; pure."""

from __future__ import annotations

import re
import tomllib
from dataclasses import MISSING, Field, fields
from types import UnionType
from typing import Annotated, Any, TypeVar, get_args, get_type_hints

import msgspec
from msgspec import Meta

from tensor_atlas.errors import AtlasError

Count = Annotated[int, Meta(ge=0)]
"""A number from 0 on."""
_Form = TypeVar("_Form")
_SPELLINGS = {"string": '"…"', "array": '["…"]', "integer": "1", "boolean": "true"}
"""How a field is written in TOML, by its type in a JSON schema."""


def read_tables(text: str, name: str, path: str, form: type[_Form]) -> list[tuple[_Form, str]]:
    """Tables under ``[[name]]``, each as a dataclass, with its file and line; AtlasError for anything else.

    Texts are not blank. A field's metadata name its ``key`` where that cannot be a field's name. A field
    ``line`` has no key: it gets the line of the table.
    """
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # an integer of too many digits is no TOMLDecodeError
        raise AtlasError(path, f"not TOML: {error}", "correct the file") from None
    remedy = f"write each entry under [[{name}]]"
    unknown = sorted(set(document) - {name})
    if unknown:
        raise AtlasError(path, f"unknown table {', '.join(unknown)}", remedy)
    tables = document.get(name, [])
    head = re.compile(rf"\s*\[\[\s*{name}\s*\]\]")
    lines = [number for number, line in enumerate(text.split("\n"), 1) if head.match(line)]
    if not isinstance(tables, list) or len(lines) != len(tables):
        raise AtlasError(path, f"{name} is not a list of tables", remedy)
    return [(_read_table(*pair, form, path), f"{path}:{pair[1]}") for pair in zip(tables, lines, strict=True)]


def _read_table(table: dict[str, object], line: int, form: Any, path: str) -> Any:
    """A table as a dataclass; AtlasError names the first key that is unknown, missing or of another type."""
    where = f"{path}:{line}"
    declared = {str(field.metadata.get("key", field.name)): field for field in fields(form)}
    values = {"line": line} if declared.pop("line", None) else {}
    unknown = sorted(set(table) - set(declared))
    if unknown:
        remedy = f"fields are {', '.join(sorted(declared))}"
        raise AtlasError(where, f"unknown field {', '.join(unknown)}", remedy)
    kinds = get_type_hints(form, include_extras=True)
    for key, field in declared.items():
        if key not in table and not _is_required(field):
            continue
        kind, value = _leave_out_null(kinds[field.name]), table.get(key, "")
        remedy = f"write {key} = {_SPELLINGS[msgspec.json.schema(kind)['type']]}"
        if isinstance(value, str) and not value.strip():
            raise AtlasError(where, f"no {key}", remedy)
        try:
            values[field.name] = msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            raise AtlasError(where, f"{key}: {error}", remedy) from None
    return form(**values)


def _is_required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _leave_out_null(kind: Any) -> Any:
    """Type of a value that is there: TOML has no null."""
    return get_args(kind)[0] if isinstance(kind, UnionType) else kind
