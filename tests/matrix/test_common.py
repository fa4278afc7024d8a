"""The compatibility table: its lists, and that each of its cells has been run."""

from __future__ import annotations

import pytest
from committed import committed_evidence

from tensor_atlas.catalogue import is_tried
from tensor_atlas.matrix.table import COMMON_TABLES
from tensor_atlas.records.store import Store


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


def test_cuda_columns_of_the_table_are_recorded(store: Store) -> None:
    """A machine with a GPU has run each of them."""
    for table in COMMON_TABLES:
        for conversion in table.conversions:
            cells = store.rows[conversion.name].cells.values()
            tried = {name for cell in cells for name in cell}
            assert {source.name for source, _ in table.sources} <= tried
