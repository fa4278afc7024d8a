"""The matrix on other pages: where a count leads, and the data of the filters."""

from __future__ import annotations

import pytest
from samples import CPU, OLDER, SHARES

from tensor_atlas.catalogue import CONVERSIONS, ONLY_MEMORY, SOURCES
from tensor_atlas.matrix.facts import count_cells, parse_question
from tensor_atlas.matrix.table import Matrix, build_matrix
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.runs import Raised
from tensor_atlas.records.matrix_rows import Row
from tensor_atlas.records.store import Store
from tensor_atlas.site.matrix import matrix_directives
from tensor_atlas.site.matrix.matrix_directives import OUTCOMES, describe_needs, encode_cells, list_kinds

FROM_NUMPY, TENSOR, ADD = "torch-from-numpy-x", "torch-tensor-x", "x-add-other"
FLOAT, INT = "array-float32", "array-int64"
RAISES = Cell(Outcome.RAISES, error=Raised("TypeError", "no"))


def matrix() -> Matrix:
    """Three conversions in two groups, one of them in an older release alone."""
    rows = {
        FROM_NUMPY: {OLDER.id: {FLOAT: RAISES, INT: SHARES}, CPU.id: {FLOAT: SHARES, INT: SHARES}},
        TENSOR: {CPU.id: {FLOAT: SHARES}},
        ADD: {OLDER.id: {INT: SHARES}},
    }
    environments = {environment.id: environment for environment in (CPU, OLDER)}
    return build_matrix(Store(environments, rows={name: Row(name, cells) for name, cells in rows.items()}))


@pytest.mark.parametrize(
    ("question", "page"),
    [
        (f"share: to a tensor / {FLOAT}", (f"matrix/source/{FLOAT}", "to-a-tensor")),
        (f"share: {TENSOR} / {FLOAT}", (f"matrix/source/{FLOAT}", "to-a-tensor")),
        (f"share: {FROM_NUMPY} / array", (f"matrix/conversion/{FROM_NUMPY}", "")),
        ("share: to a tensor / array", ("matrix/index", "")),
    ],
)
def test_count_leads_to_the_page_with_its_cells(question: str, page: tuple[str, str]) -> None:
    """That of its one source, below its one group; else that of its one conversion; else the first one."""
    fact = count_cells(matrix(), parse_question(question, "here"))[0]
    assert matrix_directives._find_page(fact) == page


def test_filters_get_each_outcome_in_each_environment() -> None:
    """A digit for each environment, a blank where it has not tried; cells that did alike share a pattern."""
    data = encode_cells(matrix())
    assert data["environments"] == [OLDER.id, CPU.id]
    patterns = data["patterns"]
    assert isinstance(patterns, list)
    shares, raises = (str(OUTCOMES.index(outcome)) for outcome in (Outcome.SHARES, Outcome.RAISES))
    calls = data["calls"]
    assert isinstance(calls, list)
    cells = {call[0]: call[-1] for call in calls if isinstance(call, list)}
    places = {source.name: place for place, source in enumerate(SOURCES)}

    def pattern(conversion: str, source: str) -> object:
        row = cells[conversion]
        assert isinstance(row, list)
        at = row[places[source]]
        assert isinstance(at, int)
        return at if at < 0 else patterns[at]

    assert [pattern(FROM_NUMPY, FLOAT), pattern(FROM_NUMPY, INT)] == [raises + shares, shares * 2]
    assert [pattern(TENSOR, FLOAT), pattern(ADD, INT)] == [f" {shares}", f"{shares} "]
    assert pattern(TENSOR, INT) == "", "tried, and not recorded yet"
    untried = next(source.name for source in SOURCES if source.layout in ONLY_MEMORY)
    assert pattern(ADD, untried) == -1, "not tried"


def test_data_of_the_filters_name_what_they_count() -> None:
    """Every conversion and source, recorded or not, in their own order."""
    data = encode_cells(matrix())
    calls, sources, outcomes = data["calls"], data["sources"], data["outcomes"]
    assert isinstance(calls, list)
    assert isinstance(sources, list)
    assert isinstance(outcomes, list)
    assert [call[:-1] for call in calls if isinstance(call, list)] == [
        [c.name, c.title, c.group, c.family] for c in CONVERSIONS
    ]
    assert sources == [[s.name, s.title, s.form, s.dtype, s.layout, s.device] for s in SOURCES]
    assert [len(each) for each in outcomes if isinstance(each, list)] == [3] * len(Outcome)


def test_every_source_has_one_kind() -> None:
    """In the order in which pages list the kinds."""
    listed = [source.name for _, sources in list_kinds() for source in sources]
    assert sorted(listed) == sorted(source.name for source in SOURCES)


def test_unrecorded_says_what_it_needs() -> None:
    """Or nothing, where every machine has it."""
    assert describe_needs(("xla", "jax")) == "not run yet, needs xla and jax"
    assert describe_needs(()) == "not run yet"
