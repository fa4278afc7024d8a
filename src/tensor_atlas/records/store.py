"""Finds, reads and writes records and captures: sealed, and laid out so that a change is a line."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from tensor_atlas.catalogue import (
    ASKED,
    CONVERSIONS,
    SOURCES,
    digest_conversion,
    digest_source,
    find_current,
    is_tried,
    list_source_digests,
)
from tensor_atlas.errors import AtlasError
from tensor_atlas.files import describe_unreadable, replace_file, report_unwritable
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.cells import Cell
from tensor_atlas.model.runs import JSON, SCHEMA, Environment, Run, encode_fields
from tensor_atlas.records.decode import (
    FormError,
    NewerSchemaError,
    convert_json,
    decode_capture,
    decode_environments,
    decode_json,
)
from tensor_atlas.records.fold import Record, add_run, fold_runs, unfold_runs
from tensor_atlas.records.matrix_rows import (
    Row,
    add_cells,
    fold_row,
    keep_present_code,
    name_text,
    unfold_row,
)
from tensor_atlas.records.names import NameRecord, add_names, fold_names, unfold_names
from tensor_atlas.records.shipped import SHIPPED_FILE, Shipped, decode_shipped

_Read = TypeVar("_Read")
_Value = TypeVar("_Value")

ENVIRONMENTS = "environments.json"
MATRIX_FOLDER = "matrix"
"""Folder of the rows."""
NAMES = "names"
"""Folder of what was answered for names."""
SOURCES_FILE = "sources.json"
TEXTS_FILE = "texts.json"
_SEAL = re.compile(rb'\{"seal": "([0-9a-f]{16})",')
_RESTORE = "restore it from version control"
MOST_COLUMNS = 200
"""Columns up to which a JSON object stays on one line."""
_flat = json.JSONEncoder(ensure_ascii=False).encode
ROW_DEPTH = 2
"""How deep a row is laid out: one outcome, and one cell, a line."""


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
    names: Mapping[str, NameRecord] = field(default_factory=dict)
    """What modules and classes answered for their names, by namespace."""
    shipped: Shipped = field(default_factory=dict)
    """Which file of a released wheel holds the words of a message."""

    def runs(self, environment: str) -> dict[str, Run]:
        """Runs of one environment, by example name."""
        return {
            name: record.runs[environment]
            for name, record in self.records.items()
            if environment in record.runs
        }

    def runs_of(self, record: Record) -> list[tuple[Environment, Run]]:
        """Runs of one record, each with its environment as of the day of the run."""
        runs = []
        for name, run in record.runs.items():
            environment = self.environments[name]
            runs.append((replace(environment, date=record.dates.get(name, environment.date)), run))
        return runs

    def all_runs(self) -> list[tuple[Environment, Run]]:
        """Every run with its environment."""
        return [pair for record in self.records.values() for pair in self.runs_of(record)]

    def cells(self, environment: str) -> dict[str, Mapping[str, Cell]]:
        """The matrix of one environment: by conversion, then by source."""
        return {name: row.cells[environment] for name, row in self.rows.items() if environment in row.cells}


# --- reading -------------------------------------------------------------------------------------


def read_records(folder: Path, *, matrix: bool = True, only: Collection[str] | None = None) -> Store:
    """Everything under ``folder``, with or without ``matrix``, of all examples or ``only`` some.

    Empty if it is. AtlasError names a file that cannot be read.
    """
    # `glob` passes over a folder that may not be read, and so does `exists` from Python 3.14 on.
    folders = sorted(filter(Path.is_dir, folder.iterdir())) if folder.exists() else []
    chapters = (place for place in folders if place.name not in (MATRIX_FOLDER, NAMES))
    paths = [path for place in chapters for path in _list_files(place)]
    row_paths = _list_files(folder / MATRIX_FOLDER) if matrix and folder / MATRIX_FOLDER in folders else []
    if not paths and not (folder / ENVIRONMENTS).exists():
        return Store()
    environments = read_json(folder / ENVIRONMENTS, "a list of environments", decode_environments)
    records: dict[str, Record] = {}
    for path in paths:
        name = f"{path.parent.name}/{path.stem}"
        if only is None or name in only:
            records[name] = record = read_json(path, "a record", unfold_runs)
            _check_names(path, record.example, name, set(record.runs) - set(environments))
    path = folder / SHIPPED_FILE
    shipped = read_json(path, "a table of wheels", decode_shipped) if path.exists() else {}
    names = _read_names(folder / NAMES, set(environments)) if folder / NAMES in folders else {}
    if not row_paths:
        return Store(environments, records, names=names, shipped=shipped)
    texts, sources = _read_table(folder / TEXTS_FILE, "texts"), _read_table(folder / SOURCES_FILE, "sources")
    wrong = next((name for name, text in texts.items() if name_text(text) != name), None)
    if wrong is not None:
        raise AtlasError(str(folder / TEXTS_FILE), f"{wrong}: another text than its digest says", _RESTORE)
    rows: dict[str, Row] = {}
    for path in row_paths:
        rows[path.stem] = row = read_json(path, "a row", partial(unfold_row, texts=texts))
        _check_names(path, row.conversion, path.stem, set(row.cells) - set(environments))
        unknown = set[str]().union(*row.cells.values()) - sources.keys()
        if unknown:
            problem = f"has cells of sources that {SOURCES_FILE} does not: {', '.join(sorted(unknown))}"
            remedy = "take both from one commit, or record again: tensor-atlas record --matrix"
            raise AtlasError(str(path), problem, remedy)
    return Store(environments, records, rows, sources, names, shipped)


def _read_names(folder: Path, environments: set[str]) -> dict[str, NameRecord]:
    """Records of names, by namespace."""
    names = {}
    for path in _list_files(folder):
        names[path.stem] = record = read_json(path, "a record of names", unfold_names)
        _check_names(path, record.namespace, path.stem, set(record.answers) - environments)
    return names


def _list_files(folder: Path) -> list[Path]:
    """JSON files in a folder; PermissionError where ``glob`` would find none."""
    return sorted(path for path in folder.iterdir() if path.suffix == ".json")


def _check_names(path: Path, name: str, expected: str, unknown: set[str]) -> None:
    """AtlasError where a file is about something else than its path says, or of unknown environments."""
    if name != expected:
        raise AtlasError(str(path), f"is about {name}", f"rename it, or restore the one of {expected}")
    if unknown:
        problem = f"names environments that {ENVIRONMENTS} does not: {', '.join(sorted(unknown))}"
        remedy = f"take {ENVIRONMENTS} from the commit or branch that recorded them, or record them again"
        raise AtlasError(str(path), problem, remedy)


def _read_table(path: Path, name: str) -> dict[str, str]:
    """What a file beside the rows maps names to."""
    return read_json(path, f"a table of {name}", partial(_decode_table, name=name))


def _decode_table(data: bytes, name: str) -> dict[str, str]:
    return convert_json(decode_json(data, dict[str, object]).get(name), dict[str, str], name)


def read_json(path: Path, name: str, read: Callable[[bytes], _Read], remedy: str = _RESTORE) -> _Read:
    """What ``read`` makes of a file; AtlasError where that is no regular file, or ``read`` raises FormError.

    ``name`` says what the file should hold, such as "a record".
    """
    if not path.is_file():  # opening a named pipe would wait for ever
        raise AtlasError(str(path), "missing, or not a regular file", remedy)
    try:
        return read(path.read_bytes())
    except NewerSchemaError as error:
        raise AtlasError(str(path), str(error), "nothing is wrong with the file") from None
    except FormError as error:
        raise AtlasError(str(path), f"not {name}: {error}", remedy) from None
    except OSError as error:
        raise describe_unreadable(error, path) from None


def find_unsealed(folder: Path, only: Collection[str] | None = None) -> list[Path]:
    """Files under ``folder`` that are not what was written there; AtlasError where one cannot be read.

    Among all files there, or among those that hold the records of ``only`` some examples.
    """
    paths = sorted(folder.rglob("*.json"))
    if only is not None:
        needed = {folder / ENVIRONMENTS, folder / SHIPPED_FILE, *(folder / f"{name}.json" for name in only)}
        paths = [path for path in paths if path in needed]
    return [path for path in paths if not read_json(path, "a record", is_sealed)]


def digest_rows(folder: Path) -> str:
    """Digest of all that is recorded of the matrix under ``folder``; empty where nothing is."""
    paths = sorted((folder / MATRIX_FOLDER).glob("*.json"))
    if not paths:
        return ""
    digest = hashlib.sha256()
    for path in (*paths, *sorted(folder.glob("*.json"))):
        digest.update(path.name.encode() + read_json(path, "a record", bytes))
    return digest.hexdigest()[:16]


def read_capture(path: Path) -> Capture:
    """Capture in the file ``path``; AtlasError where it is missing, truncated or newer."""
    remedy = "make it again: python -m tensor_atlas.probe examples -o capture.json"
    return read_json(path, "a capture", decode_capture, remedy)


# --- folding a capture in ------------------------------------------------------------------------


def add_capture(store: Store, capture: Capture) -> Store:
    """Store with a capture folded in; what the capture does not speak of stays as it was."""
    environment = capture.environment
    records = dict(store.records)
    for run in capture.runs:
        date = capture.environment_of(run.example).date
        records[run.example] = add_run(records.get(run.example), environment.id, run, date)
    rows, sources = _add_rows(store, capture) if capture.cells else (dict(store.rows), store.sources)
    names = {**store.names}
    for namespace, answers in capture.names.items():
        known_names = names.get(namespace, NameRecord(namespace))
        names[namespace] = add_names(known_names, environment.id, answers, environment.date)
    dates = [record.dates for record in records.values()]
    dates += [row.dates for row in rows.values()]
    dates += [record.dates for record in names.values()]
    days = [of[environment.id] for of in dates if environment.id in of]
    engines = {*store.environments.get(environment.id, environment).engines, *environment.engines}
    newest = replace(
        environment,
        date=max(days, default=environment.date),
        engines=tuple(sorted((day, engine) for day, engine in engines if day in days)),
    )
    environments = {**store.environments, environment.id: newest}
    return replace(store, environments=environments, records=records, rows=rows, sources=sources, names=names)


def _add_rows(store: Store, capture: Capture) -> tuple[dict[str, Row], dict[str, str]]:
    """Rows with a capture folded in, and digests of the sources; nothing of other code than now is kept."""
    rows = {}
    names = capture.cells.keys() | store.rows.keys()
    for conversion in (c for c in CONVERSIONS if c.name in names):
        code = digest_conversion(conversion)
        digests = {s.name: (code, digest_source(conversion, s)) for s in SOURCES if is_tried(conversion, s)}
        tried = capture.cells.get(conversion.name, {})
        cells = {source: t.cell for source, t in tried.items() if digests.get(source) == t.code}
        known = store.rows.get(conversion.name, Row(conversion.name, {}, {}, code))
        older = keep_present_code(known, code, find_current(conversion, store.sources) & digests.keys())
        row = add_cells(older, capture.environment.id, cells, capture.environment.date)
        if row.cells:
            rows[conversion.name] = row
    return rows, list_source_digests()


def drop_removed(store: Store, examples: set[str]) -> Store:
    """Store without records of examples, conversions and modules that no longer exist."""
    conversions = {conversion.name for conversion in CONVERSIONS}
    records = {name: record for name, record in store.records.items() if name in examples}
    rows = {name: row for name, row in store.rows.items() if name in conversions}
    names = {namespace: record for namespace, record in store.names.items() if namespace in ASKED}
    return replace(store, records=records, rows=rows, names=names)


def drop_environments(store: Store, ids: Collection[str]) -> Store:
    """Store without what these environments observed; what no other has observed is gone."""
    records: dict[str, Record] = {}
    for name, record in store.records.items():
        if runs := _leave_out(record.runs, ids):
            records[name] = replace(record, runs=runs, dates=_leave_out(record.dates, ids))
    rows: dict[str, Row] = {}
    for name, row in store.rows.items():
        if cells := _leave_out(row.cells, ids):
            rows[name] = replace(row, cells=cells, dates=_leave_out(row.dates, ids))
    names: dict[str, NameRecord] = {}
    for name, asked in store.names.items():
        if answers := _leave_out(asked.answers, ids):
            names[name] = replace(asked, answers=answers, dates=_leave_out(asked.dates, ids))
    environments = _leave_out(store.environments, ids)
    return replace(store, environments=environments, records=records, rows=rows, names=names)


def _leave_out(known: Mapping[str, _Value], ids: Collection[str]) -> dict[str, _Value]:
    return {name: value for name, value in known.items() if name not in ids}


def select_files(store: Store, folder: Path, paths: Iterable[Path]) -> Store:
    """Store with those records and rows alone that lie in these files below ``folder``."""
    names = {path.relative_to(folder).with_suffix("").as_posix() for path in paths}
    records = {name: record for name, record in store.records.items() if name in names}
    rows = {name: row for name, row in store.rows.items() if f"{MATRIX_FOLDER}/{name}" in names}
    return replace(store, records=records, rows=rows)


# --- writing -------------------------------------------------------------------------------------


def write_records(store: Store, folder: Path) -> list[Path]:
    """Write what differs from what ``folder`` holds and remove records the store no longer has.

    Paths that changed. Each file is replaced in one step. Whoever is killed in between leaves files that fit
    together: environments come first, and while rows change the table of texts holds those of the old rows
    and of the new.
    """
    documents = {folder / name: text for name, text in spell_records(store).items()}
    changed = [p for p, text in documents.items() if not p.is_file() or p.read_bytes() != text.encode()]
    tables = [folder / SOURCES_FILE, folder / TEXTS_FILE]
    gone = sorted(set(folder.rglob("*.json")) - set(documents))
    for path in (*folder.glob("**/.*.partial"), *gone):  # what one left behind that was killed, too
        with report_unwritable(path):
            path.unlink()
    for path in tables:
        if path in changed and not path.is_file():
            replace_file(path, documents[path])
    if tables[1] in changed:
        newer = _decode_table(documents[tables[1]].encode(), "texts")
        replace_file(tables[1], _spell_table("texts", {**_read_table(tables[1], "texts"), **newer}))
    for path in changed:
        replace_file(path, documents[path])
    return [*changed, *gone]


def spell_records(store: Store) -> dict[str, str]:
    """Text of each file by its path in the folder: environments first, the tables of the matrix last."""
    environments: list[JSON] = [
        encode_fields(store.environments[name]) for name in sorted(store.environments)
    ]
    documents = {ENVIRONMENTS: _spell({"schema": SCHEMA, "environments": environments})}
    for name, record in sorted(store.records.items()):
        documents[f"{name}.json"] = _spell(fold_runs(record))
    for name, names in sorted(store.names.items()):
        documents[f"{NAMES}/{name}.json"] = _spell(fold_names(names), ROW_DEPTH)
    if store.rows:
        texts: dict[str, str] = {}
        for name, row in sorted(store.rows.items()):
            documents[f"{MATRIX_FOLDER}/{name}.json"] = _spell(fold_row(row, texts), ROW_DEPTH)
        documents[SOURCES_FILE] = _spell_table("sources", store.sources)
        documents[TEXTS_FILE] = _spell_table("texts", texts)
    if store.shipped:
        wheels: JSON = {wheel: dict(sorted(files.items())) for wheel, files in sorted(store.shipped.items())}
        documents[SHIPPED_FILE] = _spell({"schema": SCHEMA, "wheels": wheels})
    return documents


def _spell_table(name: str, values: Mapping[str, str]) -> str:
    return _spell({"schema": SCHEMA, name: dict(sorted(values.items()))}, ROW_DEPTH)


def _spell(document: JSON, depth: int | None = None) -> str:
    return seal_text(lay_out_json(document, depth))


def seal_text(text: str) -> str:
    """A JSON object with its seal put in, on its first line: a digest of all that stands behind it.

    It finds honest mistakes: an edit, a merge, a file cut short. Anybody can make one: it stops no adversary.
    """
    rest = text.removeprefix("{")
    return f'{{"seal": "{_digest(rest.encode())}",{rest}'


def is_sealed(data: bytes) -> bool:
    """Whether a file holds, to the byte, what was sealed."""
    seal = _SEAL.match(data)
    return seal is not None and seal[1].decode() == _digest(data[seal.end() :])


def rename_record(path: Path, old: str, new: str) -> str:
    """Text of a record under another example's name, sealed; AtlasError where it is not as it was sealed.

    The script's own path in tracebacks follows, as it would if the renamed script ran.
    """
    text = path.read_bytes()
    if not is_sealed(text):
        raise AtlasError(str(path), "was edited or merged", "tensor-atlas record --seal")
    document = json.loads(text)
    del document["seal"]
    chapter, _, stem = map(re.escape, old.rpartition("/"))
    script = re.compile(rf"(?:(?<![\w.~-])({chapter}/)|(?<![\w./~-])){stem}\.py\b")
    renamed = _map_texts(document, lambda text: script.sub(partial(_name_alike, f"{new}.py"), text))
    return _spell({**renamed, "example": new})


def _name_alike(script: str, match: re.Match[str]) -> str:
    """A script's name, with its chapter where the match has one."""
    return script if match[1] else script.rpartition("/")[2]


def _map_texts(value: Any, change: Callable[[str], str]) -> Any:
    """JSON with another text for each one in it."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_map_texts(item, change) for item in value]
    if isinstance(value, dict):
        return {key: _map_texts(item, change) for key, item in value.items()}
    return value


def _digest(rest: bytes) -> str:
    return hashlib.sha256(rest).hexdigest()[:16]


def lay_out_json(document: JSON, depth: int | None = None) -> str:
    """JSON text in which whatever fits stays on one line.

    With a ``depth``, what lies deeper stays on one line whether it fits or not.
    """
    return _lay_out(document, 0, depth) + "\n"


def _lay_out(document: JSON, indent: int, depth: int | None) -> str:
    if not isinstance(document, (dict, list)) or not document or indent == depth:
        return _flat(document)
    # What does not fit on one line does not fit into a longer one either: each part is laid out once.
    if isinstance(document, list):
        parts, ends = [_lay_out(item, indent + 1, depth) for item in document], "[]"
    else:
        parts = [f"{_flat(key)}: {_lay_out(item, indent + 1, depth)}" for key, item in document.items()]
        ends = "{}"
    if depth is None and not any("\n" in part for part in parts):
        flat = f"{ends[0]}{', '.join(parts)}{ends[1]}"
        if indent + len(flat) <= MOST_COLUMNS:
            return flat
    inner = "\n" + " " * (indent + 1)
    return f"{ends[0]}{inner}{f',{inner}'.join(parts)}{inner[:-1]}{ends[1]}"
