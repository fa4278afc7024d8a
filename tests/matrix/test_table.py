"""The matrix as its pages show it: cells over environments, what changed when, counts, facts, and their
HTML.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from html import escape

import pytest
from samples import CPU, GPU

from tensor_atlas.catalogue import CONVERSIONS, SOURCES, Group
from tensor_atlas.errors import AtlasError
from tensor_atlas.history.cell_changes import describe_outcome
from tensor_atlas.matrix.facts import count_cells, parse_question
from tensor_atlas.matrix.table import (
    Entry,
    Matrix,
    SourceKind,
    build_matrix,
    count_outcomes,
    group_by_kind,
    sort_best_first,
    source_kind,
)
from tensor_atlas.model.cells import Cell, Outcome, Proof
from tensor_atlas.model.runs import Environment, Raised, Warned
from tensor_atlas.pages.matrix_words import LOOKS, name_result, read_answer, sentence
from tensor_atlas.records.matrix_rows import Row
from tensor_atlas.records.store import Store
from tensor_atlas.site.matrix.matrix_pages import render_conversion, render_source

FROM_NUMPY, TENSOR, NUMPY = "torch-from-numpy-x", "torch-tensor-x", "x-numpy"
FLOAT, UINT, READ_ONLY = "array-float32", "array-uint16", "array-read-only"

SHARES = Cell(
    Outcome.SHARES, Proof.WRITE, "Tensor", "torch.float32", (3,), (4,), "cpu", value="[1.0, 2.0, 3.0]"
)
COPIES = replace(SHARES, outcome=Outcome.COPIES)
RAISES = Cell(Outcome.RAISES, error=Raised("TypeError", "can't convert <b>it</b> & that"))
REWORDED = Cell(Outcome.RAISES, error=Raised("TypeError", "cannot"))
WARNS = replace(SHARES, warnings=(Warned("UserWarning", "not writable"),))


def at(torch: str, numpy: str = "2.4.6", cuda: str | None = None) -> Environment:
    """A release on this machine."""
    return replace(CPU, torch=torch, numpy=numpy, cuda=cuda)


OLD, MIDDLE, NEW = at("2.2.2", "1.26.4"), at("2.3.1", "1.26.4"), at("2.13.0+cpu")
INCOMPATIBLE = at("2.2.2")


def matrix(*cells: tuple[Environment, str, str, Cell]) -> Matrix:
    """Matrix of cells: where, which conversion, on which source, what became of it."""
    found: dict[str, dict[str, dict[str, Cell]]] = {}
    for environment, conversion, source, cell in cells:
        found.setdefault(conversion, {}).setdefault(environment.id, {})[source] = cell
    environments = {environment.id: environment for environment, *_ in cells}
    rows = {name: Row(name, row, dict.fromkeys(row, "2026-01-02")) for name, row in found.items()}
    return build_matrix(Store(environments, {}, rows))


def entry(cells: Mapping[Environment, Cell], everyone: tuple[Environment, ...] = ()) -> Entry:
    """One cell in several environments; ``everyone`` has tried another one."""
    others = [(environment, FROM_NUMPY, FLOAT, SHARES) for environment in everyone]
    mine = [(environment, FROM_NUMPY, UINT, cell) for environment, cell in cells.items()]
    return matrix(*mine, *others).rows[FROM_NUMPY][UINT]


def page_of(cell: Cell) -> str:
    """Page of the one conversion that did this."""
    return render_conversion(matrix((NEW, FROM_NUMPY, FLOAT, cell)), CONVERSIONS[0], escape)


# --- which cell is shown -----------------------------------------------------------------------


def test_newest_environment_is_shown() -> None:
    """The newest torch, a CPU before a GPU; the others follow, the newest first."""
    gpu = replace(GPU, torch="2.13.0+cu130")
    found = entry({OLD: RAISES, NEW: SHARES, MIDDLE: RAISES, gpu: COPIES})
    assert (found.pattern.newest, found.cell) == (NEW, SHARES)
    assert found.cells == (SHARES, COPIES, RAISES)
    assert found.pattern.alike[-1] == (OLD, MIDDLE)


def test_who_has_not_tried_a_cell_is_listed_and_never_filled_in() -> None:
    """Neither by its neighbours nor by the newest."""
    found = entry({OLD: RAISES, NEW: SHARES}, everyone=(OLD, MIDDLE, NEW))
    assert found.pattern.untried == (MIDDLE,)
    assert found.at(MIDDLE) is None
    assert found.pattern.alike == ((NEW,), (OLD,))


def test_environment_that_cannot_have_a_cell_is_not_missed() -> None:
    """A package's device tries what needs it alone, and no other environment tries that."""
    xla = replace(NEW, device="XLA CPU", device_count=1, driver="torch_xla 2.9.0")
    everyone = (OLD, MIDDLE, NEW, xla)
    plain = entry({OLD: RAISES, NEW: SHARES}, everyone=everyone)
    assert plain.untried == (MIDDLE,)
    device = replace(plain, source=replace(plain.source, needs=("xla",)))
    assert device.untried == (xla,)


def test_cell_that_only_an_older_release_tried_says_whose_it_is() -> None:
    """It stands on the page of the newest, with the name of who tried it."""
    found = matrix((OLD, FROM_NUMPY, UINT, RAISES), (NEW, FROM_NUMPY, FLOAT, SHARES))
    assert found.default_environment == NEW
    assert found.rows[FROM_NUMPY][UINT].pattern.newest == OLD
    assert "with torch 2.2.2, NumPy 1.26.4, CPU" in render_conversion(found, CONVERSIONS[0], escape)


def test_page_names_the_release_that_gave_its_counts() -> None:
    """A call that only an older release has tried says so at its head; so does an input."""
    found = matrix((OLD, FROM_NUMPY, UINT, RAISES), (NEW, TENSOR, FLOAT, SHARES))
    (source,) = (source for source in SOURCES if source.name == UINT)
    pages = [render_conversion(found, CONVERSIONS[0], escape), render_source(found, source, escape)]
    for page in pages:
        assert f'data-environments="{OLD.id} {NEW.id}" data-shown="0"' in page
        assert '<span class="atlas-shown-name">torch 2.2.2, NumPy 1.26.4, CPU</span>.' in page
        assert re.search("<p>1 (input|conversion), with ", page)
        assert "Not tried with torch 2.13.0, NumPy 2.4.6, CPU.</p>" in page


def test_cells_in_which_the_same_environments_did_alike_have_one_pattern() -> None:
    """What follows from who did alike is worked out for all of them at once, whatever each did."""
    found = matrix(
        *((OLD, FROM_NUMPY, source, RAISES) for source in (FLOAT, UINT)),
        (OLD, TENSOR, FLOAT, SHARES),
        *((NEW, name, FLOAT, SHARES) for name in (FROM_NUMPY, TENSOR)),
        (NEW, FROM_NUMPY, UINT, COPIES),
        (NEW, TENSOR, UINT, COPIES),
    )
    turned, other, alike = (
        found.rows[FROM_NUMPY][FLOAT],
        found.rows[FROM_NUMPY][UINT],
        found.rows[TENSOR][FLOAT],
    )
    assert turned.pattern is other.pattern
    assert turned.pattern is not alike.pattern
    assert [entry.cells for entry in (turned, other, alike)] == [
        (SHARES, RAISES),
        (COPIES, RAISES),
        (SHARES,),
    ]
    assert turned.pattern.alike == ((NEW,), (OLD,))
    assert (turned.pattern.letters, found.rows[TENSOR][UINT].pattern.letters) == ("10", " 0")
    assert found.rows[TENSOR][UINT].pattern.untried == (OLD,)


def test_empty_store_gives_an_empty_matrix() -> None:
    """Nothing recorded is no error."""
    found = build_matrix(Store())
    assert (found.default_environment, found.size) == (None, 0)


def test_columns_are_the_rows_turned() -> None:
    """Every cell of a row stands in the column of its source."""
    found = matrix(
        (NEW, FROM_NUMPY, FLOAT, SHARES), (NEW, TENSOR, FLOAT, COPIES), (NEW, TENSOR, UINT, COPIES)
    )
    assert {source: list(column) for source, column in found.columns.items()} == {
        UINT: [TENSOR],
        FLOAT: [FROM_NUMPY, TENSOR],
    }
    assert found.size == 3


# --- since when --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (
            {OLD: RAISES, MIDDLE: SHARES, NEW: SHARES},
            [("shares memory", "since 2.3"), ("raises (TypeError)", "before 2.3")],
        ),
        (
            {at("2.0.1", "1.26.4"): COPIES, OLD: RAISES, MIDDLE: RAISES, NEW: SHARES},
            [
                ("shares memory", "since 2.13"),
                ("raises (TypeError)", "since 2.2, before 2.4"),
                ("copies", "before 2.1"),
            ],
        ),
        # Nothing where all releases did alike, in whatever words.
        ({OLD: RAISES, NEW: REWORDED}, [("raises (TypeError)", "")]),
        # Releases of NumPy that nobody tried are on neither side.
        (
            {OLD: COPIES, replace(NEW, numpy="1.26.4"): COPIES, NEW: SHARES},
            [("shares memory", "since NumPy 2.4"), ("copies", "before NumPy 2")],
        ),
        # No release is said to have changed for a NumPy that its torch cannot use.
        (
            {OLD: SHARES, INCOMPATIBLE: RAISES, NEW: SHARES},
            [("shares memory", ""), ("raises (TypeError)", "with an incompatible NumPy")],
        ),
    ],
)
def test_answers_say_since_which_release(
    cells: Mapping[Environment, Cell], expected: list[tuple[str, str]]
) -> None:
    """With minor releases, the answer of the newest first."""
    answers = entry(cells).list_answers(describe_outcome)
    assert [(describe_outcome(one.cell), one.span) for one in answers] == expected


def test_other_proof_is_no_other_answer() -> None:
    """How something is known is no behaviour."""
    found = entry({OLD: SHARES, MIDDLE: replace(SHARES, proof=Proof.RANGES)})
    assert [(one.numbers, one.span) for one in found.list_answers(read_answer)] == [((0, 1), "")]


def test_name_from_code_begins_no_sentence_with_a_capital() -> None:
    """``Uint16`` would be a class that does not exist."""
    kept = ("uint16 array", "np.matrix", "requires_grad")
    assert [sentence(text) for text in kept] == list(kept)
    assert sentence("array of str") == "Array of str"


# --- words, signs, order -----------------------------------------------------------------------


def test_every_outcome_has_a_sign_of_its_own_and_words() -> None:
    """Colour never carries meaning alone."""
    assert len({look.sign for look in LOOKS.values()}) == len(Outcome)
    assert set(LOOKS) == set(Outcome)
    for outcome in Outcome:
        assert f"{LOOKS[outcome].sign} {outcome}</span>" in page_of(Cell(outcome))


def test_short_words_of_a_cell() -> None:
    """Class and dtype of a result, class of an error; a NumPy scalar says its dtype once."""
    assert name_result(SHARES) == "Tensor float32"
    assert name_result(RAISES) == "TypeError"
    assert name_result(Cell(Outcome.VALUE, type="float32", dtype="float32")) == "float32"
    assert "! warns" in page_of(WARNS)
    assert "! changes its input" in page_of(replace(SHARES, writes=True))


def test_best_comes_first() -> None:
    """What shares before what copies before what raises, and what warns after what is silent."""
    cells = [RAISES, WARNS, COPIES, SHARES]
    sources = [FLOAT, UINT, READ_ONLY, "array-int8"]
    row = matrix(*((NEW, TENSOR, s, c) for s, c in zip(sources, cells, strict=True))).rows[TENSOR]
    assert [e.cell for e in sort_best_first(row.values())] == [SHARES, WARNS, COPIES, RAISES]
    assert count_outcomes(row.values()) == {Outcome.SHARES: 2, Outcome.COPIES: 1, Outcome.RAISES: 1}


def test_every_source_has_a_kind() -> None:
    """And no kind is empty."""
    assert {source_kind(source) for source in SOURCES} == set(SourceKind)
    found = matrix((NEW, TENSOR, FLOAT, COPIES), (NEW, TENSOR, READ_ONLY, COPIES))
    assert list(group_by_kind(found.rows[TENSOR].values())) == [
        SourceKind.ARRAY_DTYPES,
        SourceKind.ARRAY_LAYOUTS,
    ]


# --- facts -------------------------------------------------------------------------------------


def test_fact_counts_what_was_tried() -> None:
    """In the environment that is shown first; each other answer once, with who gives it."""
    cells = [(e, FROM_NUMPY, FLOAT, SHARES) for e in (OLD, MIDDLE, NEW)] + [(NEW, TENSOR, FLOAT, COPIES)]
    found = count_cells(matrix(*cells), parse_question("share: to a tensor / array-float32", "a:1"))
    assert [(fact.words, fact.environments) for fact in found] == [
        ("1 of 2", (NEW,)),
        ("1 of 1", (OLD, MIDDLE)),
    ]
    assert [e.conversion.name for e in found[0].doing] == [FROM_NUMPY]
    assert count_cells(matrix(*cells), parse_question("share: to NumPy / tensor", "a:1")) == ()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("share: to a tensor / array-float3", "no source or form array-float3"),
        ("share: to tensors / array-float32", "no conversion, family or group to tensors"),
        ("shares: to a tensor / array-float32", "cells cannot be asked to shares"),
        ("share to a tensor", "no question to the matrix"),
    ],
)
def test_question_with_an_unknown_name_says_where(text: str, named: str) -> None:
    """File, line and what is wrong."""
    with pytest.raises(AtlasError, match=named) as caught:
        parse_question(text, "docs/guides/choosing.md:40")
    assert str(caught.value).startswith("docs/guides/choosing.md:40")


def test_question_may_name_a_group_a_family_or_one_conversion() -> None:
    """And all sources of a form."""
    names = (str(Group.TO_NUMPY), "torch.asarray", FROM_NUMPY)
    group, family, one = (parse_question(f"share: {name} / array", "").conversions for name in names)
    assert {conversion.group for conversion in group} == {Group.TO_NUMPY}
    assert {conversion.family for conversion in family} == {"torch.asarray"}
    assert [conversion.name for conversion in one] == [FROM_NUMPY]
    assert len(parse_question(f"raise: {FROM_NUMPY} / array", "").sources) > 40


# --- HTML --------------------------------------------------------------------------------------


def test_text_of_a_run_is_escaped() -> None:
    """Messages, values and warnings are data."""
    evil = "<script>alert(1)</script>"
    for cell in (
        Cell(Outcome.RAISES, error=Raised(evil, evil)),
        replace(SHARES, value=evil, type=evil, dtype=evil),
        replace(SHARES, warnings=(Warned(evil, evil),)),
    ):
        assert "<script" not in page_of(cell)
        assert "&lt;script&gt;" in page_of(cell)
    found = matrix(
        (OLD, FROM_NUMPY, FLOAT, Cell(Outcome.RAISES, error=Raised(evil, evil))),
        (NEW, FROM_NUMPY, FLOAT, SHARES),
    )
    source = found.rows[FROM_NUMPY][FLOAT].source
    pages = render_conversion(found, CONVERSIONS[0], escape) + render_source(found, source, escape)
    assert "<script" not in pages
    assert "&lt;script&gt;" in pages


def test_script_is_whole() -> None:
    """Imports, source, the second operand where there is one, conversion; nothing else."""
    found = matrix((NEW, "x-add-other", "tensor-float32", COPIES)).rows["x-add-other"]["tensor-float32"]
    assert found.script == (
        "import numpy as np\nimport torch\n\nx = torch.tensor([1, 2, 3]).to(torch.float32)\n\n"
        'other = np.ones(3, dtype="float32")\ny = x + other\n'
    )


def test_cell_names_environments_only_where_they_differ() -> None:
    """What all did alike needs no place in the picker's list."""
    same = matrix((OLD, FROM_NUMPY, FLOAT, SHARES), (NEW, FROM_NUMPY, FLOAT, SHARES))
    assert "data-pattern" not in render_conversion(same, CONVERSIONS[0], escape)
    differs = matrix((OLD, FROM_NUMPY, FLOAT, RAISES), (NEW, FROM_NUMPY, FLOAT, SHARES))
    page = render_conversion(differs, CONVERSIONS[0], escape)
    assert f'data-environments="{OLD.id} {NEW.id}" data-shown="1"' in page
    assert '<span class="atlas-cell-answers" data-pattern="10">' in page
    assert '<span class="atlas-cell-answer" data-numbers="0">' in page
    assert '<span hidden data-numbers="1">' in page
    assert ">before 2.3</span>" in page
    # Counts of outcomes that only other releases gave wait for the picker.
    assert '<li data-outcome="shares memory"><' in page
    assert '<li data-outcome="raises" hidden><' in page


def test_environments_are_folded_under_their_releases() -> None:
    """What all did alike needs no list of environments."""
    cells = {OLD: SHARES, INCOMPATIBLE: RAISES, NEW: SHARES}
    found = matrix(*((e, FROM_NUMPY, FLOAT, c) for e, c in cells.items()))
    page = render_conversion(found, CONVERSIONS[0], escape)
    assert "<strong>All compatible releases</strong>" in page
    assert "<strong>With an incompatible NumPy</strong>" in page
    assert "NumPy 2.4.6: torch 2.2.2<" in page
    alike = matrix(*((e, FROM_NUMPY, FLOAT, SHARES) for e in cells))
    page = render_conversion(alike, CONVERSIONS[0], escape)
    assert "The same in all 3 environments." in page
    assert "Other releases" not in page


def test_rows_of_other_code_are_not_looked_for() -> None:
    """A row of a conversion that no longer exists shows nowhere."""
    found = build_matrix(Store({NEW.id: NEW}, {}, {"gone": Row("gone", {NEW.id: {FLOAT: SHARES}})}))
    assert found.rows == {}
