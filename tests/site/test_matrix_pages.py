"""Words on the pages of conversions and sources."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from samples import CPU, GPU, OLDER, SHARES

from tensor_atlas.catalogue import SOURCES
from tensor_atlas.matrix.table import Matrix, build_matrix
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.runs import Raised
from tensor_atlas.records.matrix_rows import Row
from tensor_atlas.records.store import Store
from tensor_atlas.site.matrix.matrix_pages import (
    anchor,
    break_code,
    describe_result,
    label_error,
    list_outcomes,
    list_pages,
    list_traits,
    name_environments,
    name_result,
    name_shown,
    sentence,
    tell_story,
    tell_untried,
    write_pages,
)

FROM_NUMPY, FLOAT, INT = "torch-from-numpy-x", "array-float32", "array-int64"
RAISES = Cell(Outcome.RAISES, error=Raised("TypeError", "no"))


def matrix() -> Matrix:
    """One conversion on two sources, of which the newer release tried one."""
    cells = {OLDER.id: {FLOAT: RAISES, INT: SHARES}, CPU.id: {FLOAT: SHARES}}
    rows = {FROM_NUMPY: Row(FROM_NUMPY, cells)}
    return build_matrix(Store({environment.id: environment for environment in (CPU, OLDER)}, rows=rows))


@pytest.mark.parametrize("builder", ["markdown", "latex"])
def test_other_builders_write_no_pages(builder: str) -> None:
    """They are finished HTML."""
    app: Any = SimpleNamespace(builder=SimpleNamespace(name=builder))
    assert list(write_pages(app)) == []


def test_each_row_and_column_has_a_page() -> None:
    """With what it is about."""
    pages = list_pages(matrix())
    assert [(page, subject.name) for page, subject in pages.items()] == [
        (f"matrix/conversion/{FROM_NUMPY}", FROM_NUMPY),
        (f"matrix/source/{INT}", INT),
        (f"matrix/source/{FLOAT}", FLOAT),
    ]


def test_result_is_described_field_by_field() -> None:
    """Only by those that it has; an error by none."""
    full = replace(SHARES, requires_grad=True)
    words = "Tensor float32 · shape (3,) · strides (4,) bytes · on cpu"
    assert describe_result(SHARES) == words
    assert describe_result(full) == f"{words} · requires grad"
    array = Cell(Outcome.COPIES, type="ndarray", dtype="float64", shape=(), writable=False)
    assert describe_result(array) == "ndarray float64 · shape () · read-only"
    assert describe_result(replace(array, writable=True)) == "ndarray float64 · shape () · writable"
    assert describe_result(RAISES) == ""


def test_result_is_named_by_its_class() -> None:
    """With the dtype, where that is another word; an error by its own class."""
    assert name_result(SHARES) == "Tensor float32"
    assert name_result(Cell(Outcome.VALUE, type="float64", dtype="float64")) == "float64"
    assert name_result(Cell(Outcome.VALUE, type="list")) == "list"
    assert name_result(RAISES) == "TypeError"


def test_error_is_labelled_by_how_it_ended() -> None:
    """Uncaught, by the signal, or too late."""
    assert label_error(RAISES) == "TypeError, uncaught"
    assert label_error(Cell(Outcome.CRASHES, error=Raised("SIGSEGV", ""))) == "SIGSEGV"
    assert label_error(Cell(Outcome.TIMES_OUT, error=Raised("", "no end after 60 s"))) == "times out"


def test_story_tells_each_outcome_with_its_releases() -> None:
    """That of the newest first."""
    row = matrix().rows[FROM_NUMPY]
    story = tell_story(row[FLOAT])
    assert story.startswith("Shares memory since 2.13")
    assert "raises" in story
    assert story.endswith(".")
    assert list_outcomes(row.values()) == {Outcome.SHARES: 2, Outcome.RAISES: 0}


def test_page_says_where_the_newest_release_tried_nothing() -> None:
    """Nothing where it did."""
    found = matrix()
    row = found.rows[FROM_NUMPY]
    assert tell_untried(found, [row[INT]]) == "Not tried with torch 2.13.0, NumPy 2.4.6, CPU."
    assert tell_untried(found, [row[FLOAT]]) == ""


def test_environments_are_named_by_what_they_share() -> None:
    """NumPy, a Python that is not the usual one, and a device that is no CPU."""
    newer = replace(OLDER, torch="2.3.1")
    assert name_environments((OLDER, newer, CPU)) == (
        "NumPy 1.26.4: torch 2.2.2, 2.3.1; NumPy 2.4.6: torch 2.13.0"
    )
    assert name_environments((GPU,)) == "NumPy 2.4.6, NVIDIA H200: torch 2.13.0"
    assert name_environments((replace(CPU, python="3.14.1"),)) == "NumPy 2.4.6, Python 3.14: torch 2.13.0"
    assert name_shown(CPU).endswith(", CPU")
    assert not name_shown(GPU).endswith(", CPU")


def test_words_for_titles_and_links() -> None:
    """A name from code keeps its small letter; code breaks behind its signs, and stays text."""
    assert (sentence("an array"), sentence("np.array of MB")) == ("An array", "np.array of MB")
    assert anchor("Tensors, by dtype!") == "tensors-by-dtype"
    assert str(break_code("a.b(<x>)")) == "a.<wbr>b(<wbr>&lt;x&gt;)"


def test_traits_name_no_layout_twice() -> None:
    """One that is a flag too is a flag."""
    for source in SOURCES:
        traits = list_traits(source)
        assert f"on {source.device}" in traits
        assert len(set(traits)) == len(traits), source.name
