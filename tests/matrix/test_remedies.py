"""What to call instead where a conversion raises: read from the records, for the same input."""

from __future__ import annotations

from html import escape

import pytest
from chooser_script import read_preferences
from committed import committed_records

from tensor_atlas.catalogue import SOURCES
from tensor_atlas.history.cell_changes import FAILURES
from tensor_atlas.matrix.chooser import ResultKind
from tensor_atlas.matrix.remedies import CHOSEN, Remedies, find_remedies
from tensor_atlas.matrix.table import Matrix, build_matrix
from tensor_atlas.pages.matrix_markdown import tabulate_source
from tensor_atlas.site.matrix.matrix_pages import render_source

COMMON = ("tensor-bfloat16", "tensor-requires-grad", "tensor-bfloat16-requires-grad", "tensor-sparse-coo")
"""Tensors for which calls to NumPy raise that people use."""


@pytest.fixture(scope="module")
def matrix() -> Matrix:
    """Every recorded cell."""
    return build_matrix(committed_records())


@pytest.fixture(scope="module")
def remedies(matrix: Matrix) -> Remedies:
    """What the committed preferences and records give."""
    return find_remedies(matrix, read_preferences())


def test_both_obstacles_of_a_tensor_are_met(remedies: Remedies) -> None:
    """A bfloat16 tensor that requires grad needs another call than one with either."""
    calls = {name: remedies.calls[name, ResultKind.ARRAY] for name in COMMON}
    assert list(calls.values()) == [
        "x.float().numpy()",
        "x.detach().numpy()",
        "x.detach().float().numpy()",
        "x.to_dense().numpy()",
    ]


def test_each_conversion_of_a_common_tensor_to_numpy_that_raises_has_a_remedy(
    matrix: Matrix, remedies: Remedies
) -> None:
    """And none that works has one."""
    entries = [entry for name in COMMON for entry in matrix.columns[name].values()]
    arrays = {name for name, kind in remedies.kinds.items() if kind is ResultKind.ARRAY}
    raising = [e for e in entries if e.cell.outcome in FAILURES and e.conversion.name in arrays]
    assert len(raising) > 50
    assert all(remedies.find(entry) for entry in raising)
    assert not any(remedies.find(entry) for entry in entries if entry.cell.outcome not in FAILURES)


def test_remedy_is_another_call_that_worked(matrix: Matrix, remedies: Remedies) -> None:
    """For each source: no cell of the newest environment says that the call itself raises."""
    for (source, _), call in remedies.calls.items():
        column = matrix.columns[source].values()
        own = [entry.cell.outcome for entry in column if entry.conversion.title == call]
        assert FAILURES.isdisjoint(own), (source, call)


def test_call_that_names_a_device_wants_that_device(remedies: Remedies) -> None:
    """It gets no remedy that stays on the CPU."""
    assert not any("cuda" in name for name in remedies.kinds)
    assert set(remedies.kinds) <= CHOSEN


def test_rows_of_pages_name_the_call(matrix: Matrix, remedies: Remedies) -> None:
    """In HTML and in Markdown, beside the outcome; without remedies neither has any."""
    source = next(source for source in SOURCES if source.name == "tensor-bfloat16-requires-grad")
    page = render_source(matrix, source, escape, remedies=remedies)
    row = page.partition('id="np-asarray-x"')[2].partition("</li>")[0]
    assert "Instead: <code>x.detach().float().numpy()</code>" in row
    text = tabulate_source(matrix, source.name, remedies)
    (line,) = [line for line in text.split("\n") if line.startswith("| [`np.asarray(x)`]")]
    assert "Instead: `x.detach().float().numpy()`." in line
    assert "Instead:" not in render_source(matrix, source, escape)
    assert "Instead:" not in tabulate_source(matrix, source.name)
