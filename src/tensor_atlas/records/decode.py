"""Reads the JSON form of records and captures with msgspec: a FormError names the field that is wrong.

Pure.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass, replace
from functools import cache
from itertools import islice
from typing import Annotated, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct
from packaging.version import Version

from tensor_atlas.model.capture import Capture, parse_shard
from tensor_atlas.model.cells import Cell, Tried, restore_cell
from tensor_atlas.model.names import NameAnswer, Names
from tensor_atlas.model.runs import SCHEMA, Environment, Run, Snapshot

Index = Annotated[int, Meta(ge=0)]
_Form = TypeVar("_Form")
_DIGEST = re.compile(r"[0-9a-f]{16}")
_PLATFORM = re.compile(r"[a-z0-9_]+-[a-z0-9_.-]*")
"""Operating system and processor, which Python may not know."""
LONGEST_NAME = 300
"""Characters of an environment's id."""


class FormError(ValueError):
    """A JSON document does not have the form of a record or capture: says where in it, and what is wrong."""


class NewerSchemaError(FormError):
    """A newer tensor-atlas wrote the document: nothing is wrong with it."""


class Header(Struct):
    """What every document begins with."""

    schema: Annotated[int, Meta(ge=1)]
    """Version of its form."""


def decode_json(data: bytes, form: type[_Form]) -> _Form:
    """The document of a file, of this schema or an older one; FormError."""
    try:
        schema = msgspec.json.decode(data, type=Header).schema
        if schema > SCHEMA:
            what = f"written with schema {schema}, newer than {SCHEMA}: update tensor-atlas to read it"
            raise NewerSchemaError(what)
        return msgspec.json.decode(data, type=form)
    except msgspec.ValidationError as error:
        raise FormError(_describe(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FormError(f"not JSON: {error}") from None


def convert_json(value: object, form: type[_Form], where: str) -> _Form:
    """A part of a document, which stands at ``where``; FormError."""
    try:
        return msgspec.convert(value, form)
    except msgspec.ValidationError as error:
        raise FormError(_describe(error, where)) from None


def _describe(error: msgspec.ValidationError, where: str = "") -> str:
    """``runs[3].status: Invalid enum value 'fine'``."""
    what, _, path = str(error).partition(" - at `")
    place = f"{where}{path[path.find('$') + 1 : -1]}".removeprefix(".")
    return f"{place}: {what}" if place else what


def check_snapshot(snapshot: Snapshot, where: str) -> None:
    """FormError where a value has elements in no buffer, or strides for other axes than it has."""
    for value in snapshot.values:
        has_ends = value.start is not None and value.stop is not None and 0 <= value.start <= value.stop
        is_placed = value.buffer is None or (has_ends and 0 <= value.buffer < len(snapshot.buffers))
        if not is_placed or (value.strides is not None and len(value.strides) != len(value.shape)):
            raise FormError(f"{where}: elements of {value.name} have no place in a buffer")


def check_day(text: str, where: str) -> None:
    """FormError where a text is no day in the one spelling that sorts by time, such as 2026-01-31."""
    try:
        # It reads weeks, and days without hyphens, too.
        is_day = dt.date.fromisoformat(text).isoformat() == text
    except ValueError:
        is_day = False
    if not is_day:
        raise FormError(f"{where}: {text[:LONGEST_NAME]!r} is no day such as 2026-01-31")


def check_unique(names: Iterable[str], where: str) -> None:
    """FormError that lists the names that stand twice."""
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        raise FormError(f"{where}: listed twice: {', '.join(twice)}")


# --- environments ---------------------------------------------------------------------------------


class _Environments(Struct):
    environments: list[Environment]


def decode_environments(data: bytes) -> dict[str, Environment]:
    """Environments of a file, by id; FormError."""
    environments = decode_json(data, _Environments).environments
    check_unique((environment.id for environment in environments), "environments")
    return {environment.id: _check_environment(environment) for environment in environments}


def _check_environment(environment: Environment) -> Environment:
    """The environment, whose releases and day can be compared with others'; FormError where they cannot."""
    releases = (environment.torch, environment.numpy, environment.python, environment.cuda or "0")
    try:
        for release in releases:
            Version(release)
    except ValueError as error:
        raise FormError(f"environment: {str(error)[:LONGEST_NAME]}") from None
    check_day(environment.date, "environment.date")
    for day, engine in environment.engines:
        check_day(day, "environment.engines")
        if not _DIGEST.fullmatch(engine):
            raise FormError(f"environment.engines: {engine[:LONGEST_NAME]!r} is no digest")
    check_unique(map(" ".join, environment.engines), "environment.engines")
    if any(text != text.strip() or not text.isprintable() for text in releases):
        raise FormError(f"environment: {' '.join(releases)[:LONGEST_NAME]!r} are no releases")
    _check_platform(environment.platform)
    if not environment.id.isprintable() or len(environment.id) > LONGEST_NAME:
        raise FormError(f"environment: {environment.id[:LONGEST_NAME]!r} is no name to print")
    has_device = environment.device != "cpu"
    is_counted = environment.device_count > 0 if has_device else environment.device_count == 0
    if not is_counted or (environment.driver is not None and not has_device):
        what = f"{environment.device_count} devices or a driver contradict {environment.device}"
        raise FormError(f"environment: {what}")
    return environment


def _check_platform(platform: str) -> None:
    if not _PLATFORM.fullmatch(platform):
        what = f"{platform[:LONGEST_NAME]!r} is no platform such as linux-x86_64"
        raise FormError(f"environment.platform: {what}")


# --- captures -------------------------------------------------------------------------------------


class _Matrix(Struct):
    outcomes: list[Cell]
    cells: dict[str, dict[str, object]]
    """By conversion, then by source: index of the outcome, digests of the code of the two."""


class _Names(Struct):
    answers: list[NameAnswer]
    namespaces: dict[str, dict[str, Index]]
    """By namespace, then by name: index of the answer."""


class _Capture(Header):
    environment: Environment
    runs: tuple[Run, ...]
    seconds: dict[str, Annotated[float, Meta(ge=0)]]
    dates: dict[str, str] = {}
    matrix: _Matrix = msgspec.field(default_factory=lambda: _Matrix([], {}))
    names: _Names = msgspec.field(default_factory=lambda: _Names([], {}))
    shard: str | None = None
    plan: str = ""
    comparison: msgspec.Raw = msgspec.Raw()
    """What ``atlas-probe.pyz`` wrote of it for the page *Your machine*."""


def decode_capture(data: bytes) -> Capture:
    """The capture of a file; FormError."""
    read = decode_json(data, _Capture)
    _refuse_unknown_fields(data)
    for run in read.runs:
        for snapshot in run.snapshots:
            check_snapshot(snapshot, f"runs: {run.example}")
    try:
        part = None if read.shard is None else replace(parse_shard(read.shard), plan=read.plan)
    except ValueError as error:
        raise FormError(f"shard: {error}") from None
    environment = _check_environment(read.environment)
    check_unique((run.example for run in read.runs), "runs")
    for example, day in read.dates.items():
        check_day(day, f"dates.{example}")
    names = _decode_names(read.names)
    return Capture(environment, read.runs, read.seconds, read.dates, _decode_matrix(read.matrix), names, part)


def _decode_names(names: _Names) -> Names:
    answers: dict[str, dict[str, NameAnswer]] = {}
    for namespace, indices in names.namespaces.items():
        if any(index >= len(names.answers) for index in indices.values()):
            raise FormError(f"names.{namespace}: no index of an answer")
        answers[namespace] = {name: names.answers[index] for name, index in indices.items()}
    return answers


def _refuse_unknown_fields(data: bytes) -> None:
    """FormError that names fields of a capture that no form has; ``data`` has been read as one."""
    unknown = list(islice(_find_unknown_fields(msgspec.json.decode(data), _Capture, ""), 5))
    if unknown:
        raise FormError(f"unknown fields: {', '.join(name[:LONGEST_NAME] for name in unknown)}")


def _find_unknown_fields(value: object, form: object, where: str) -> Iterator[str]:
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _find_unknown_fields(item, form, f"{where}[{index}]")
    elif isinstance(value, dict):
        known = _list_fields(form)
        for name, part in value.items():
            if known and name not in known:
                yield ascii(f"{where}.{name}".removeprefix("."))
            elif name in known:
                yield from _find_unknown_fields(part, known[name], f"{where}.{name}")


@cache
def _list_fields(form: object) -> Mapping[str, object]:
    """Types of the fields of a form, by name; none where its names are those of examples or conversions."""
    if isinstance(form, type) and (is_dataclass(form) or issubclass(form, Struct)):
        return get_type_hints(form)
    if get_origin(form) is dict:
        return {}
    fields: dict[str, object] = {}
    for part in get_args(form):
        fields |= _list_fields(part)
    return fields


def _decode_matrix(matrix: _Matrix) -> Mapping[str, Mapping[str, Tried]]:
    outcomes = [restore_cell(cell) for cell in matrix.outcomes]
    rows: dict[str, dict[str, Tried]] = {}
    for conversion, cells in matrix.cells.items():
        row = rows[conversion] = {}
        for source, cell in cells.items():
            match cell:
                case [int(index), str(code), str(of_source)] if 0 <= index < len(outcomes):
                    row[source] = Tried((code, of_source), outcomes[index])
                case _:  # msgspec would not say which of thousands
                    what = "no index of an outcome with two digests"
                    raise FormError(f"matrix.cells.{conversion}.{source}: {what}")
    return rows
