"""The one numbering of outcomes: what it spells, and that it reads the same again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import CPU, GPU, OLDER

from tensor_atlas.history.patterns import (
    ABSENT,
    NEXT,
    Numbers,
    OutcomeTable,
    Patterns,
    extend_pattern,
    mark_new,
    read_letter,
    read_pattern,
    spell_pattern,
)

ENVIRONMENTS = (CPU, OLDER, GPU)
OUTCOMES = st.dictionaries(st.sampled_from([one.id for one in ENVIRONMENTS]), st.text("abc", max_size=2))
"""What some environments gave, by id."""


def read_mapping(patterns: Patterns, mapping: tuple[int, ...], outcomes: list[str]) -> dict[str, str]:
    """What environments gave, by id, from a mapping."""
    pattern, *own = mapping
    numbers = read_pattern(patterns.list_patterns()[pattern])
    places = zip(patterns.ids, numbers, strict=True)
    return {name: outcomes[own[number]] for name, number in places if number is not None}


def test_thing_gets_the_next_number_when_it_is_first_asked_for() -> None:
    """And keeps it."""
    numbers: Numbers[str] = Numbers()
    assert [numbers[letter] for letter in "abac"] == [0, 1, 0, 2]
    assert list(numbers) == ["a", "b", "c"]


def test_pattern_has_a_letter_for_each_environment() -> None:
    """A digit for the first ten outcomes, a blank for none."""
    assert spell_pattern([0, None, 1, 9, 0]) == "0 190"
    assert read_pattern("0 190") == [0, None, 1, 9, 0]
    assert [read_letter("0 1", place) for place in range(3)] == [0, None, 1]


def test_step_leads_to_what_it_changed_and_else_to_the_outcome_of_its_base() -> None:
    """Also to none; an environment that is added may be the base of the next."""
    assert extend_pattern("011", [(0, 1, 2)]) == "0110"
    assert extend_pattern("012", [(0, 1, 2), (3, 2, 1)]) == "01221"
    assert extend_pattern("01 ", [(0, 1, 2)]) == "01  "


@given(st.lists(st.none() | st.integers(0, 50_000)))
def test_pattern_reads_as_it_was_spelled(numbers: list[int | None]) -> None:
    """With more outcomes than digits, too."""
    assert read_pattern(spell_pattern(numbers)) == numbers


@given(st.lists(st.integers(ABSENT + 1, 20).filter(lambda number: number != NEXT) | st.just(ABSENT)))
def test_marked_numbers_can_be_counted_again(numbers: list[int]) -> None:
    """Those that are marked count up from 0; all others stand as they are."""
    marked = mark_new(numbers)
    count = 0
    for number, mark in zip(numbers, marked, strict=True):
        assert number == (count if mark == NEXT else mark)
        count += mark == NEXT


def test_number_is_marked_where_it_is_met_first() -> None:
    """In order of first appearance, each number is marked once."""
    assert mark_new([0, 0, 1, 0, 2, ABSENT, 1]) == [NEXT, 0, NEXT, 0, NEXT, ABSENT, 1]


def test_environments_that_did_alike_have_one_pattern_whatever_they_did() -> None:
    """Outcomes are numbered anew in each mapping, in the order of the environments."""
    patterns = Patterns(ENVIRONMENTS)
    table: OutcomeTable[str] = OutcomeTable(patterns)
    first = table.number({CPU.id: "copies", OLDER.id: "raises", GPU.id: "copies"})
    second = table.number({CPU.id: "raises", OLDER.id: "shares", GPU.id: "raises"})
    assert first != second
    assert table.list_mappings() == ((0, 0, 1), (0, 1, 2))
    assert list(table.outcomes) == ["copies", "raises", "shares"]
    assert patterns.encode() == {"environments": [one.id for one in ENVIRONMENTS], "patterns": ["010"]}
    assert table.encode_mappings() == [[0, NEXT, NEXT], [0, 1, NEXT]]


def test_outcomes_can_be_numbered_beforehand() -> None:
    """By their places in a list that the reader of the data has."""
    table = OutcomeTable(Patterns(ENVIRONMENTS), ("same", "shares", "copies"))
    table.number({OLDER.id: "copies"})
    assert table.list_mappings() == ((0, 2),)


@given(st.lists(OUTCOMES))
def test_mapping_reads_as_it_was_given(cases: list[dict[str, str]]) -> None:
    """Whoever gave nothing is not in it; equal mappings have one number."""
    patterns = Patterns(ENVIRONMENTS)
    table: OutcomeTable[str] = OutcomeTable(patterns)
    numbers = [table.number(case) for case in cases]
    mappings, outcomes = table.list_mappings(), list(table.outcomes)
    assert [read_mapping(patterns, mappings[number], outcomes) for number in numbers] == cases
    assert len(set(numbers)) == len({tuple(sorted(case.items())) for case in cases}) == len(mappings)


def test_environment_that_no_pattern_knows_is_left_out() -> None:
    """Data of a page may have fewer environments than the records."""
    table: OutcomeTable[str] = OutcomeTable(Patterns((CPU,)))
    assert table.number({CPU.id: "copies", GPU.id: "raises"}) == table.number({CPU.id: "copies"})


@pytest.mark.parametrize("numbers", [{}, {GPU.id: 0}])
def test_pattern_may_have_no_outcome(numbers: dict[str, int]) -> None:
    """Of a cell that is not recorded yet."""
    patterns = Patterns((CPU, OLDER))
    assert patterns.number(numbers) == 0
    assert patterns.list_patterns() == ("  ",)
