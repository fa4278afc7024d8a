"""The compatibility table: its lists, what is expected of cells that nobody has run, and how well."""

from __future__ import annotations

from dataclasses import replace

import pytest
from committed import HERE, committed_evidence, committed_examples

from tensor_atlas.catalogue import is_tried
from tensor_atlas.checkout import project
from tensor_atlas.compare.evidence import Evidence, add_support
from tensor_atlas.compare.rungs import Rung
from tensor_atlas.matrix.table import COMMON_TABLES, EXPECTATIONS, build_matrix
from tensor_atlas.site.matrix_pages import find_prospects


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    """Everything in the checkout, with what threads and released files bear out."""
    return add_support(committed_evidence(), project.reports_of(HERE, committed_examples()))


def test_table_has_thirty_conversions_and_twenty_sources() -> None:
    """None twice, and each conversion stands above sources that it is tried on."""
    conversions = [conversion.name for table in COMMON_TABLES for conversion in table.conversions]
    sources = {source.name for table in COMMON_TABLES for source, _ in table.sources}
    assert (len(conversions), len(set(conversions)), len(sources)) == (30, 30, 20)
    for table in COMMON_TABLES:
        pairs = [(conversion, source) for conversion in table.conversions for source, _ in table.sources]
        assert all(is_tried(*pair) for pair in pairs)


def test_what_is_expected_was_never_run(evidence: Evidence) -> None:
    """A recorded cell needs no claim of an example: its entry has to go."""
    matrix = build_matrix(evidence.store)
    assert [cell for cell in EXPECTATIONS if cell[1] in matrix.rows.get(cell[0], {})] == []


def test_expectation_has_the_rung_of_its_claim_and_no_higher_one(evidence: Evidence) -> None:
    """Each names a statement that exists; what no run has shown is never called recorded."""
    prospects = find_prospects(evidence)
    assert prospects.keys() >= EXPECTATIONS.keys()
    assert Rung.RECORDED not in {prospect.rung for prospect in prospects.values()}
    assert prospects["x-numpy", "tensor-cuda"].rung is Rung.EXECUTED
    alone = find_prospects(Evidence({}, None, evidence.store))
    assert {prospect.example for prospect in alone.values()} == {""}
    unrun = replace(evidence, store=replace(evidence.store, rows={}))
    assert find_prospects(unrun).keys() == EXPECTATIONS.keys()
    assert find_prospects(unrun)["x-cpu", "tensor-cuda"].rung is Rung.EXPECTED


def test_accelerators_that_disagree_bear_nothing_out(evidence: Evidence) -> None:
    """Where one shares and another raises, nobody knows what CUDA does."""
    rows = evidence.store.rows
    for (conversion, source), prospect in find_prospects(evidence).items():
        if prospect.rung is not Rung.EXECUTED:
            continue
        assert prospect.twin is not None
        for device in ("lazy", "xla", "vulkan"):
            row = rows.get(conversion.replace("cuda", device))
            name = source.replace("cuda", device)
            tried = [cells[name].outcome for cells in row.cells.values() if name in cells] if row else []
            assert not tried or prospect.outcome in tried
