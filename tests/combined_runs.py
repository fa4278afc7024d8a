"""Runs cells that are no cells of the matrix: ``python tests/combined_runs.py ASKED CELLS``, two pickles.

It needs torch, NumPy and ``src`` on PYTHONPATH, so that any recorded release can run what
``tests/combined_answers.py --ask`` wrote.
"""

from __future__ import annotations

import importlib.util
import os
import pickle
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tensor_atlas.model.cells import Cell
from tensor_atlas.probe.forkserver import fork_server
from tensor_atlas.probe.runner import Pair, run_cells

BATCH = 400
"""Cells that one process tries."""
IMPORTED = (
    "tensor_atlas.probe.observe_cell",
    "torch._dynamo",
    "torch._subclasses.fake_tensor",
    "torch.nested._internal.nested_tensor",
)
"""What processes find imported, where a release has it: fake and jagged tensors would import it in each."""


def list_batches(pairs: Sequence[Pair]) -> Iterator[list[Pair]]:
    """Cells by call; those that take their time apart."""
    rows: dict[tuple[str, bool], list[Pair]] = {}
    for conversion, source in pairs:
        rows.setdefault((conversion.name, source.slow), []).append((conversion, source))
    for row in rows.values():
        for start in range(0, len(row), BATCH):
            yield row[start : start + BATCH]


def run_pairs(pairs: Sequence[Pair]) -> dict[str, dict[str, Cell]]:
    """What each call did, by source and call, in processes of their own."""
    cells: dict[str, dict[str, Cell]] = {}
    with fork_server(*filter(is_there, IMPORTED)) as server:
        for (conversion, source), tried in run_cells(list_batches(pairs), os.cpu_count() or 1, server):
            cells.setdefault(source.name, {})[conversion.title] = tried.cell
    return cells


def is_there(module: str) -> bool:
    """Whether this release has a module."""
    try:
        return importlib.util.find_spec(module) is not None
    except ImportError:
        return False


if __name__ == "__main__":
    asked, written = map(Path, sys.argv[1:])
    written.write_bytes(pickle.dumps(run_pairs(pickle.loads(asked.read_bytes()))))
