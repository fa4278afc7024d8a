"""Finds, reads and writes records and captures; the only file access to them."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NoReturn

from packaging.version import Version

from tensor_atlas.catalogue.conversions import CONVERSIONS, code_digests, is_tried
from tensor_atlas.catalogue.sources import SOURCES
from tensor_atlas.errors import AtlasError
from tensor_atlas.files import put, writing
from tensor_atlas.model.capture import Capture, capture_from_json
from tensor_atlas.model.cells import Cell
from tensor_atlas.model.runs import (
    JSON,
    SCHEMA,
    Environment,
    FormError,
    Run,
    check_schema,
    environment_from_json,
    environment_to_json,
)
from tensor_atlas.records import matrix_rows
from tensor_atlas.records.fold import Record, fold, folded_in, unfold
from tensor_atlas.records.matrix_rows import Row

ENVIRONMENTS = "environments.json"
MATRIX = "matrix"
"""Folder of the rows."""
SOURCES_FILE = "sources.json"
TEXTS_FILE = "texts.json"
ROW_DEPTH = 2
"""How deep a row is laid out: one outcome, and one cell, a line."""
LONGEST_NAME = 300
"""Characters of an environment's id."""
WIDTH = 200
"""Columns up to which a JSON object stays on one line."""


@dataclass(frozen=True)
class Store:
    """All committed evidence."""

    environments: Mapping[str, Environment] = field(default_factory=dict)
    """By environment id."""
    records: Mapping[str, Record] = field(default_factory=dict)
    """By example name."""
    rows: Mapping[str, Row] = field(default_factory=dict)
    """The matrix, by conversion name."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """Digest of the code of each source that the rows are about, by name."""

    def runs(self, environment: str) -> dict[str, Run]:
        """Runs of one environment, by example name."""
        return {
            name: record.runs[environment]
            for name, record in self.records.items()
            if environment in record.runs
        }

    def cells(self, environment: str) -> dict[str, Mapping[str, Cell]]:
        """The matrix of one environment: by conversion, then by source."""
        return {name: row.cells[environment] for name, row in self.rows.items() if environment in row.cells}


def load(folder: Path, *, matrix: bool = True, only: Collection[str] | None = None) -> Store:
    """Everything under ``folder``, with or without ``matrix``, of all examples or ``only`` some; empty if it is.

    AtlasError names a file that cannot be read.
    """
    paths = [path for path in sorted(folder.glob("*/*.json")) if path.parent.name != MATRIX]
    if not paths and not (folder / ENVIRONMENTS).is_file():
        return Store()
    if only is not None:
        paths = [path for path in paths if f"{path.parent.name}/{path.stem}" in only]
    environments = _environments(folder / ENVIRONMENTS)
    records: dict[str, Record] = {}
    for path in paths:
        record = _record(path)
        _refuse_strangers(path, set(record.runs) - set(environments))
        records[record.example] = record
    found: dict[str, Row] = {}
    of_rows = sorted((folder / MATRIX).glob("*.json")) if matrix else []
    texts = _table(folder / TEXTS_FILE, "texts") if of_rows else {}
    for path in of_rows:
        row = _row(path, texts)
        _refuse_strangers(path, set(row.cells) - set(environments))
        found[row.conversion] = row
    return Store(environments, records, found, _table(folder / SOURCES_FILE, "sources") if found else {})


def rows_key(folder: Path) -> str:
    """Digest of all that is recorded of the matrix under ``folder``; empty where nothing is."""
    paths = sorted((folder / MATRIX).glob("*.json"))
    if not paths:
        return ""
    found = hashlib.sha256()
    for path in (*paths, *sorted(folder.glob("*.json"))):
        found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()[:16]


def _table(path: Path, name: str) -> dict[str, str]:
    """What a file beside the rows maps names to."""
    if not path.is_file():
        raise AtlasError(
            str(path), "missing, though there are rows of the matrix", "restore it from version control"
        )
    try:
        fields = check_schema(_parsed(path)).object(name)
        return {key: fields.text(key) for key in fields.names()}
    except FormError as error:
        raise AtlasError(
            str(path), f"not a table of {name}: {error}", "restore it from version control"
        ) from None


def _refuse_strangers(path: Path, unknown: set[str]) -> None:
    if unknown:
        what = f"names environments that {ENVIRONMENTS} does not: {', '.join(sorted(unknown))}"
        raise AtlasError(str(path), what, f"restore {ENVIRONMENTS}, or record again")


def _row(path: Path, texts: Mapping[str, str]) -> Row:
    try:
        row = matrix_rows.unfold(matrix_rows.with_texts(_parsed(path), texts))
    except FormError as error:
        raise AtlasError(str(path), f"not a row: {error}", "restore the file from version control") from None
    if row.conversion != path.stem:
        raise AtlasError(
            str(path), f"holds the row of {row.conversion}", f"rename it, or restore {path.stem}'s own"
        )
    return row


def _record(path: Path) -> Record:
    try:
        record = unfold(_parsed(path))
    except FormError as error:
        raise AtlasError(
            str(path), f"not a record: {error}", "restore the file from version control"
        ) from None
    expected = f"{path.parent.name}/{path.stem}"
    if record.example != expected:
        raise AtlasError(
            str(path), f"holds the record of {record.example}", f"rename it, or restore {expected}'s own"
        )
    return record


def _environments(path: Path) -> dict[str, Environment]:
    if not path.is_file():
        raise AtlasError(str(path), "missing, though there are records", "restore it from version control")
    try:
        fields = check_schema(_parsed(path))
        found = [_checked(environment_from_json(item)) for item in fields.objects("environments")]
    except FormError as error:
        raise AtlasError(
            str(path), f"not a list of environments: {error}", "restore it from version control"
        ) from None
    return {environment.id: environment for environment in found}


def _checked(environment: Environment) -> Environment:
    """The environment, whose releases and day can be compared with others'; FormError where they cannot."""
    try:
        Version(environment.torch), Version(environment.numpy), Version(environment.python)
        dt.date.fromisoformat(environment.date)
    except ValueError as error:
        raise FormError(f"environment: {str(error)[:LONGEST_NAME]}") from None
    if not environment.id.isprintable() or len(environment.id) > LONGEST_NAME:
        raise FormError(f"environment: {environment.id[:LONGEST_NAME]!r} is no name to print")
    return environment


_HALF = re.compile(r"\\u[dD][89a-fA-F]")
"""Escape of what may be half a character."""


def _parsed(path: Path) -> JSON:
    try:
        text = path.read_text(encoding="utf-8")
        document: JSON = json.loads(text, parse_constant=_refuse_constant)
        if _HALF.search(text):
            json.dumps(document, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:  # an integer of too many digits is no JSONDecodeError
        raise FormError(f"not JSON: {error}") from None
    except OSError as error:
        raise FormError(f"cannot be read: {error.strerror or error}") from None
    return document


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def read_capture(path: Path) -> Capture:
    """Capture in the file ``path``; AtlasError where it is missing, truncated or newer."""
    if not path.is_file():
        raise AtlasError(
            str(path), "no such capture", "make one: python -m tensor_atlas.probe examples -o capture.json"
        )
    try:
        found = capture_from_json(_parsed(path))
        return replace(found, environment=_checked(found.environment))
    except FormError as error:
        raise AtlasError(
            str(path),
            f"not a capture: {error}",
            "make it again: python -m tensor_atlas.probe examples -o capture.json",
        ) from None


def with_capture(store: Store, capture: Capture) -> Store:
    """Store with a capture folded in; what the capture does not speak of stays as it was."""
    environment = capture.environment
    records = dict(store.records)
    for run in capture.runs:
        date = capture.environment_of(run.example).date
        records[run.example] = folded_in(records.get(run.example), environment.id, run, date)
    found, sources = _rows(store, capture) if capture.cells else (dict(store.rows), store.sources)
    dates = [*(record.dates for record in records.values()), *(row.dates for row in found.values())]
    days = [of[environment.id] for of in dates if environment.id in of]
    newest = replace(environment, date=max(days, default=environment.date))
    return Store({**store.environments, environment.id: newest}, records, found, sources)


def _rows(store: Store, capture: Capture) -> tuple[dict[str, Row], dict[str, str]]:
    """Rows with a capture folded in, and the digests of the sources: nothing is kept that is of other code than now."""
    now = {source.name: code_digests(CONVERSIONS[0], source)[1] for source in SOURCES}
    same = {name for name, code in now.items() if store.sources.get(name) == code}
    found = {}
    for conversion in CONVERSIONS:
        code = code_digests(conversion, SOURCES[0])[0]
        meant = {source.name for source in SOURCES if is_tried(conversion, source)}
        tried = capture.cells.get(conversion.name, {})
        cells = {s: t.cell for s, t in tried.items() if s in meant and t.code == (code, now[s])}
        known = store.rows.get(conversion.name, Row(conversion.name, {}, {}, code))
        older = matrix_rows.of_present_code(known, code, same & meant)
        row = matrix_rows.folded_in(older, capture.environment.id, cells, capture.environment.date)
        if row.cells:
            found[conversion.name] = row
    return found, now


def without_examples(store: Store, known: set[str]) -> Store:
    """Store without the records of examples and the rows of conversions that no longer exist."""
    conversions = {conversion.name for conversion in CONVERSIONS}
    records = {name: record for name, record in store.records.items() if name in known}
    kept = {name: row for name, row in store.rows.items() if name in conversions}
    return Store(store.environments, records, kept, store.sources)


def save(store: Store, folder: Path) -> list[Path]:
    """Write what differs from what ``folder`` holds and remove records the store no longer has; paths that changed.

    Each file is replaced in one step. Whoever is killed in between leaves files that fit together: environments come
    first, and while rows change the table of texts holds those of the old rows and of the new.
    """
    documents = {folder / ENVIRONMENTS: written(_environments_document(store))}
    documents |= {
        folder / f"{name}.json": written(fold(record)) for name, record in sorted(store.records.items())
    }
    documents |= {folder / name: text for name, text in _matrix_documents(store).items()}
    changed = [path for path, text in documents.items() if not _holds(path, text)]
    gone = sorted(
        {*folder.glob("*/*.json"), *folder.glob(SOURCES_FILE), *folder.glob(TEXTS_FILE)} - set(documents)
    )
    for path in (*folder.glob("**/.*.partial"), *gone):  # what one left behind that was killed, too
        with writing(path):
            path.unlink()
    tables = [folder / name for name in (SOURCES_FILE, TEXTS_FILE)]
    for path in tables:
        if path in changed and not path.is_file():
            put(path, documents[path])
    if tables[1] in changed:
        newer: dict[str, str] = json.loads(documents[tables[1]])["texts"]
        put(tables[1], _table_document("texts", {**_table(tables[1], "texts"), **newer}))
    for path in changed:
        put(path, documents[path])
    return [*changed, *gone]


def of_files(store: Store, folder: Path, paths: Iterable[Path]) -> Store:
    """Store with those records and rows alone that lie in these files below ``folder``."""
    names = {path.relative_to(folder).with_suffix("").as_posix() for path in paths}
    return replace(
        store,
        records={name: record for name, record in store.records.items() if name in names},
        rows={name: row for name, row in store.rows.items() if f"{MATRIX}/{name}" in names},
    )


def _holds(path: Path, text: str) -> bool:
    return path.is_file() and path.read_bytes() == text.encode()


def _matrix_documents(store: Store) -> dict[str, str]:
    """Text of each file of the matrix, by its place in the folder of records; the tables last."""
    if not store.rows:
        return {}
    texts: dict[str, str] = {}
    documents = {}
    for name, row in sorted(store.rows.items()):
        documents[f"{MATRIX}/{name}.json"] = written(
            matrix_rows.with_texts_apart(matrix_rows.fold(row), texts), ROW_DEPTH
        )
    documents[SOURCES_FILE] = _table_document("sources", store.sources)
    documents[TEXTS_FILE] = _table_document("texts", texts)
    return documents


def _table_document(name: str, values: Mapping[str, str]) -> str:
    return written({"schema": SCHEMA, name: dict(sorted(values.items()))}, ROW_DEPTH)


def _environments_document(store: Store) -> dict[str, JSON]:
    listed: list[JSON] = [
        environment_to_json(store.environments[name]) for name in sorted(store.environments)
    ]
    return {"schema": SCHEMA, "environments": listed}


def written(document: JSON, depth: int | None = None) -> str:
    """JSON text in which whatever fits stays on one line, so that a diff shows one fact a line.

    With a ``depth``, what lies deeper stays on one line whether it fits or not.
    """
    return _laid_out(document, 0, depth) + "\n"


_flat = json.JSONEncoder(ensure_ascii=False).encode


def _laid_out(document: JSON, indent: int, depth: int | None) -> str:
    if not isinstance(document, (dict, list)) or not document or indent == depth:
        return _flat(document)
    # What does not fit on one line does not fit into a longer one either: the parts tell, and each is written once.
    if isinstance(document, list):
        parts, ends = [_laid_out(item, indent + 1, depth) for item in document], "[]"
    else:
        parts = [f"{_flat(key)}: {_laid_out(item, indent + 1, depth)}" for key, item in document.items()]
        ends = "{}"
    if depth is None and not any("\n" in part for part in parts):
        flat = f"{ends[0]}{', '.join(parts)}{ends[1]}"
        if indent + len(flat) <= WIDTH:
            return flat
    inner = "\n" + " " * (indent + 1)
    return f"{ends[0]}{inner}{f',{inner}'.join(parts)}{inner[:-1]}{ends[1]}"
