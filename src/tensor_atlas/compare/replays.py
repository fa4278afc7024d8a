"""What of a sample is not as recorded, and ``docs/replays.toml``: when each was last run again; pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from tensor_atlas.compare.judge import judge_cells
from tensor_atlas.compare.verdicts import Verdict, compare_record
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.parse import Example
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.cells import Cell
from tensor_atlas.model.runs import Run, Status
from tensor_atlas.records.fold import Record
from tensor_atlas.records.store import Store
from tensor_atlas.toml_tables import Count, read_tables

FILE = Path("docs", "replays.toml")
HEAD = "# When each environment was last run again; `nox -s replay -- … --write` writes this file.\n"


@dataclass(frozen=True)
class Replay:
    """One sample of an environment that was run again."""

    environment: str
    """Id."""
    date: str
    cells: Count
    """How many were tried again."""
    statements: Count
    """How many were executed again."""
    differences: Count
    """How many cells, statements, blocks and endings were not as recorded."""


def compare_with_records(
    capture: Capture, examples: Mapping[str, Example], committed: Store
) -> tuple[Replay, tuple[Verdict, ...]]:
    """What is not as it is recorded of the same environment, and how much was compared."""
    environment = capture.environment
    known = committed.cells(environment.id)
    tried = {
        name: _take_recorded(row, known.get(name, {})) for name, row in list_capture_cells(capture).items()
    }
    cells = [(name, source) for name, row in tried.items() for source in row]
    changed = sum(tried[name][source] != known[name][source] for name, source in cells)
    verdicts: list[Verdict] = []
    statements = 0
    for run, record in _pair_runs(capture, committed):
        statements += len(run.observations)
        verdicts += compare_record(examples[run.example], run, environment, record)
    count = changed + len(verdicts)
    verdicts += judge_cells(environment, tried, environment, known)
    return Replay(environment.id, environment.date, len(cells), statements, count), tuple(verdicts)


def list_capture_cells(capture: Capture) -> dict[str, dict[str, Cell]]:
    """What a capture holds of the matrix, by conversion, then by source."""
    cells: dict[str, dict[str, Cell]] = {}
    for name, row in capture.cells.items():
        cells[name] = {source: tried.cell for source, tried in row.items()}
    return cells


def _take_recorded(row: Mapping[str, Cell], known: Mapping[str, Cell]) -> dict[str, Cell]:
    return {source: cell for source, cell in row.items() if source in known}


def _pair_runs(capture: Capture, committed: Store) -> Iterator[tuple[Run, Record]]:
    """Runs with the record of the same code in the same environment; none that did not happen."""
    for run in capture.runs:
        record = committed.records.get(run.example)
        recorded = record.runs.get(capture.environment.id) if record is not None else None
        if record is None or recorded is None or recorded.digest != run.digest:
            continue
        if Status.NOT_RUN not in (run.status, recorded.status):
            yield run, record


def parse_replays(text: str, path: str) -> dict[str, Replay]:
    """Replays by environment id; AtlasError names the line of an entry that cannot be right."""
    replays = {}
    for replay, where in read_tables(text, "replays", path, Replay):
        if not re.fullmatch(r"\d{4}-\d\d-\d\d", replay.date, re.ASCII):
            raise AtlasError(where, f"{replay.date!r} is no date", "write it as 2026-01-31")
        replays[replay.environment] = replay
    return replays


def put_replay(text: str, replay: Replay) -> str:
    """Text of the file with a replay in place of that environment's older one."""
    replays = {**parse_replays(text, FILE.as_posix()), replay.environment: replay}
    return HEAD + "".join(_write_table(replays[name]) for name in sorted(replays))


def _write_table(replay: Replay) -> str:
    lines = [f"{key} = {json.dumps(value)}\n" for key, value in asdict(replay).items()]
    return f"\n[[replays]]\n{''.join(lines)}"
