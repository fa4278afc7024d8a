"""The matrix on other pages: where a count leads, and the data of the filters."""

from __future__ import annotations

from typing import Any

import pytest
from samples import CPU, OLDER, SHARES

from tensor_atlas.catalogue import CONVERSIONS, ONLY_MEMORY, SOURCES
from tensor_atlas.history.patterns import ABSENT, NEXT, Patterns
from tensor_atlas.matrix.facts import count_cells, parse_question
from tensor_atlas.matrix.table import Matrix, build_matrix
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.runs import Raised
from tensor_atlas.pages.matrix_overview import describe_needs, encode_cells, list_kinds, locate_fact
from tensor_atlas.records.matrix_rows import Row
from tensor_atlas.records.store import Store

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
    assert locate_fact(fact) == page


def test_filters_get_each_outcome_in_each_environment() -> None:
    """Cells that did alike share a mapping; numbers of outcomes are their places in the list of all."""
    patterns = Patterns((CPU, OLDER))
    data: Any = encode_cells(matrix(), patterns)
    assert data["environments"] == [OLDER.id, CPU.id]
    shares, raises = (list(Outcome).index(outcome) for outcome in (Outcome.SHARES, Outcome.RAISES))

    def read(conversion: str, source: str) -> object:
        """Pattern and outcomes of a cell; None where it is not tried."""
        at = list(cells).index((conversion, source))
        if data["cells"][at] == ABSENT:
            return None
        before = [*cells.values()][:at].count(NEXT)
        pattern, *outcomes = data["mappings"][before if data["cells"][at] == NEXT else data["cells"][at]]
        return spelled[pattern], outcomes

    pairs = [(conversion.name, source.name) for conversion in CONVERSIONS for source in SOURCES]
    cells = dict(zip(pairs, data["cells"], strict=True))
    spelled = patterns.list_patterns()
    assert read(FROM_NUMPY, FLOAT) == ("01", [shares, raises])
    assert read(FROM_NUMPY, INT) == ("00", [shares])
    assert read(TENSOR, FLOAT) == ("0 ", [shares])
    assert read(ADD, INT) == (" 0", [shares])
    assert read(TENSOR, INT) == ("  ", []), "tried, and not recorded yet"
    untried = next(source.name for source in SOURCES if source.layout in ONLY_MEMORY)
    assert read(ADD, untried) is None


def test_data_of_the_filters_name_what_they_count() -> None:
    """Every conversion and source, recorded or not, in their own order."""
    data = encode_cells(matrix(), Patterns((CPU, OLDER)))
    calls, sources, outcomes = data["calls"], data["sources"], data["outcomes"]
    assert isinstance(outcomes, list)
    assert calls == [[c.name, c.title, c.group, c.family] for c in CONVERSIONS]
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
