"""The compatibility table: its lists, and what other accelerators say of cells that no GPU has run."""

from __future__ import annotations

from dataclasses import replace

import pytest
from committed import committed_evidence

from tensor_atlas.catalogue import is_tried
from tensor_atlas.compare.rungs import Rung
from tensor_atlas.matrix.table import COMMON_TABLES
from tensor_atlas.model.cells import Outcome
from tensor_atlas.records.store import Store
from tensor_atlas.site.matrix_pages import find_prospects


@pytest.fixture(scope="module")
def store() -> Store:
    """All records of the checkout."""
    return committed_evidence().store


def test_table_has_thirty_conversions_and_twenty_sources() -> None:
    """None twice, and each conversion stands above sources that it is tried on."""
    conversions = [conversion.name for table in COMMON_TABLES for conversion in table.conversions]
    sources = {source.name for table in COMMON_TABLES for source, _ in table.sources}
    assert (len(conversions), len(set(conversions)), len(sources)) == (30, 30, 20)
    for table in COMMON_TABLES:
        pairs = [(conversion, source) for conversion in table.conversions for source, _ in table.sources]
        assert all(is_tried(*pair) for pair in pairs)


def without_cuda(store: Store) -> Store:
    """The store as it was before a machine with a GPU had run a cell."""
    rows = {}
    for name, row in store.rows.items():
        cells = {place: kept for place, kept in row.cells.items() if store.environments[place].kind != "cuda"}
        rows[name] = replace(row, cells=cells)
    return replace(store, rows=rows)


def test_cuda_columns_of_the_table_are_recorded(store: Store) -> None:
    """A machine with a GPU has run each of them, so none shows what others make of it."""
    prospects = find_prospects(store)
    for table in COMMON_TABLES:
        for conversion in table.conversions:
            for source, _ in table.sources:
                assert (conversion.name, source.name) not in prospects


def test_accelerators_that_agree_bear_out_what_cuda_has_not_run(store: Store) -> None:
    """Where no CUDA device has run the cell, and on the newest release of each of the others."""
    prospects = find_prospects(without_cuda(store))
    assert prospects["x-numpy", "tensor-cuda"].outcome is Outcome.RAISES
    assert {prospect.rung for prospect in prospects.values()} == {Rung.EXECUTED}
    for (conversion, source), prospect in prospects.items():
        for device in ("lazy", "xla", "vulkan"):
            row = store.rows.get(conversion.replace("cuda", device))
            name = source.replace("cuda", device)
            tried = [cells[name].outcome for cells in row.cells.values() if name in cells] if row else []
            assert not tried or prospect.outcome in tried
