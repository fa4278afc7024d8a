"""Words on the pages of conversions and sources."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain

from samples import CPU, GPU, OLDER, ROOT, SHARES

from tensor_atlas.catalogue import CONVERSIONS, SOURCES, Group, make_code
from tensor_atlas.matrix.table import COMMON_TABLES, Matrix, build_matrix
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.runs import Raised
from tensor_atlas.pages.matrix_places import anchor, list_pages, list_rows, locate_conversion
from tensor_atlas.pages.matrix_words import (
    describe_result,
    label_error,
    list_outcomes,
    list_traits,
    name_environments,
    name_in_picker,
    name_result,
    sentence,
    tell_story,
    tell_untried,
)
from tensor_atlas.records.matrix_rows import Row
from tensor_atlas.records.store import Store

FROM_NUMPY, FLOAT, INT = "torch-from-numpy-x", "array-float32", "array-int64"
RAISES = Cell(Outcome.RAISES, error=Raised("TypeError", "no"))


def matrix() -> Matrix:
    """One conversion on two sources, of which the newer release tried one."""
    cells = {OLDER.id: {FLOAT: RAISES, INT: SHARES}, CPU.id: {FLOAT: SHARES}}
    rows = {FROM_NUMPY: Row(FROM_NUMPY, cells)}
    return build_matrix(Store({environment.id: environment for environment in (CPU, OLDER)}, rows=rows))


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
    assert name_in_picker(CPU).endswith(", CPU")
    assert not name_in_picker(GPU).endswith(", CPU")


def test_words_for_titles_and_links() -> None:
    """A name from code keeps its small letter."""
    assert (sentence("an array"), sentence("np.array of MB")) == ("An array", "np.array of MB")
    assert anchor("Tensors, by dtype!") == "tensors-by-dtype"


def test_traits_name_no_layout_twice() -> None:
    """One that is a flag too is a flag."""
    for source in SOURCES:
        traits = list_traits(source)
        assert f"on {source.device}" in traits
        assert len(set(traits)) == len(traits), source.name


# --- conversions without a page of their own ---------------------------------------------------------


ADD = next(conversion for conversion in CONVERSIONS if conversion.name == "x-add-other")


def test_conversion_stands_on_its_page_or_in_a_row() -> None:
    """What it does with a source: on its own page, or on that of the source."""
    (own,) = (conversion for conversion in CONVERSIONS if conversion.name == FROM_NUMPY)
    assert locate_conversion(own) == (f"matrix/conversion/{FROM_NUMPY}", "")
    assert locate_conversion(own, FLOAT) == (f"matrix/conversion/{FROM_NUMPY}", FLOAT)
    assert locate_conversion(ADD) == ("matrix/index", ADD.name)
    assert locate_conversion(ADD, FLOAT) == (f"matrix/source/{FLOAT}", ADD.name)


def test_row_has_no_page() -> None:
    """Its sources have theirs."""
    cells = {CPU.id: {FLOAT: SHARES}}
    found = build_matrix(Store({CPU.id: CPU}, rows={ADD.name: Row(ADD.name, cells)}))
    assert [*list_pages(found)] == [f"matrix/source/{FLOAT}"]
    assert list_rows(found) == [ADD]
    assert list_rows(matrix()) == []


PAGES = tomllib.loads((ROOT / "src/tensor_atlas/catalogue/conversions.toml").read_text(encoding="utf-8"))[
    "pages"
]


def codes_of(names: Iterable[str]) -> set[str]:
    """Code of conversions, by their names."""
    return {conversion.code for conversion in CONVERSIONS if conversion.name in names}


def spell_codes(*calls: str) -> set[str]:
    """Code of calls, as the lists of pages spell them."""
    return {make_code("y", call) for call in calls}


def test_calls_with_a_page_are_those_of_the_table() -> None:
    """Each line of the compatibility table has one."""
    named = {conversion.name for table in COMMON_TABLES for conversion in table.conversions}
    assert codes_of(named) == spell_codes(*PAGES["table"])


def test_calls_with_a_page_that_readers_asked_for_answer_them() -> None:
    """Each is accepted as an answer."""
    cases = (ROOT / "tests" / "readers" / "cases.json").read_text(encoding="utf-8")
    asked = spell_codes(*PAGES["asked"])
    found = [conversion for conversion in CONVERSIONS if conversion.code in asked]
    assert len(found) == len(PAGES["asked"])
    assert all(f'"matrix/conversion/{conversion.name}"' in cases for conversion in found)


def test_other_calls_are_rows() -> None:
    """No call is listed twice, and none that is not in the catalogue."""
    listed = list(chain.from_iterable(PAGES.values()))
    assert len(listed) == len(set(listed)) == sum(conversion.has_page for conversion in CONVERSIONS)


def test_name_of_a_conversion_is_no_other_part_of_a_page() -> None:
    """Pages of sources and the overview have the names as anchors, beside those of their sections."""
    parts = {anchor(text) for text in (*Group, *(table.title for table in COMMON_TABLES))}
    parts |= {"what-changed", "not-run", "all", "every-conversion", "every-input", "which-pairs-are-tried"}
    assert not parts & {conversion.name for conversion in CONVERSIONS}
