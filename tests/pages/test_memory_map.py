"""What a map of the memory shows, and after which blocks there is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import example, ran

from tensor_atlas.examples.parse import Example
from tensor_atlas.model.runs import Buffer, Snapshot, Value
from tensor_atlas.pages import memory_map
from tensor_atlas.pages.memory_map import (
    MOST_NAMES,
    Bar,
    Bare,
    MemoryMap,
    View,
    build_map,
    build_maps,
    describe_apart,
    describe_map,
    find_pieces,
    find_touched_variables,
    have_common_byte,
)

ITEM = 8
"""Bytes of an element in these tests."""


def value(
    name: str, buffer: int | None = 0, start: int = 0, shape: Sequence[int] = (3,), step: int = ITEM
) -> Value:
    """Array of one axis, or none, whose elements lie ``step`` bytes apart."""
    strides = [step] * len(shape)
    low = start + sum(s * (n - 1) for s, n in zip(strides, shape, strict=True) if s < 0)
    reach = sum(abs(s) * (n - 1) for s, n in zip(strides, shape, strict=True))
    placed = (None, None) if buffer is None else (low, low + reach + ITEM)
    return Value(name, "ndarray", "float64", tuple(shape), tuple(strides), "cpu", None, None, buffer, *placed)


def snapshot(*values: Value, nbytes: int = 24, device: str = "cpu") -> Snapshot:
    """Values over buffers of ``nbytes``, all on one device."""
    count = max((v.buffer for v in values if v.buffer is not None), default=-1) + 1
    return Snapshot(values, (Buffer(device, nbytes),) * count)


def drawn(*values: Value, touched: str = "a b c d", nbytes: int = 24) -> MemoryMap:
    """Map of values of which all are touched, unless told otherwise."""
    found = build_map(snapshot(*values, nbytes=nbytes), touched.split())
    assert found is not None
    return found


def pairs(found: MemoryMap) -> set[str]:
    """Pairs as two letters."""
    return {"".join(sorted(pair)) for pair in found.pairs}


# --- bytes -------------------------------------------------------------------------------------------


@given(
    st.lists(st.tuples(st.integers(1, 4), st.integers(-40, 40)), max_size=3),
    st.integers(1, 9),
)
def test_pieces_are_the_bytes_of_all_elements(axes: list[tuple[int, int]], itemsize: int) -> None:
    """Whatever the strides: negative, zero, overlapping, or with gaps."""
    low = sum(step * (size - 1) for size, step in axes if step < 0)
    high = sum(step * (size - 1) for size, step in axes if step > 0)
    starts = {-low}
    for size, step in axes:
        starts = {start + step * k for start in starts for k in range(size)}
    expected = {start + byte for start in starts for byte in range(itemsize)}
    shape, strides = tuple(size for size, _ in axes), tuple(step for _, step in axes)
    told = Value("a", "ndarray", "V", shape, strides, "cpu", None, None, 0, 0, high - low + itemsize)
    pieces = find_pieces(told)
    assert pieces is not None
    assert {byte for start, stop in pieces for byte in range(start, stop)} == expected
    assert all(one[1] < other[0] for one, other in pairwise(pieces)), "pieces lie apart"


@given(st.sets(st.integers(0, 20)), st.sets(st.integers(0, 20)))
def test_views_meet_where_they_have_a_byte_in_common(one: set[int], other: set[int]) -> None:
    """Any number of pieces on either side."""

    def cut(numbers: set[int]) -> list[tuple[int, int]]:
        return [(2 * number, 2 * number + 1 + number % 2) for number in sorted(numbers)]

    bytes_of = [
        {byte for start, stop in cut(numbers) for byte in range(start, stop)} for numbers in (one, other)
    ]
    assert have_common_byte(cut(one), cut(other)) == bool(bytes_of[0] & bytes_of[1])


# --- one map -----------------------------------------------------------------------------------------


def test_names_over_the_same_bytes_are_one_view() -> None:
    """One bar, one line, two names."""
    found = drawn(value("a"), value("b"))
    assert found.bars == (Bar("cpu", 24, 8, (View(("a", "b"), ((0, 24),)),)),)
    assert pairs(found) == {"ab"}


def test_copy_is_a_bar_of_its_own() -> None:
    """Two bars, no pair."""
    found = drawn(value("a"), value("b", buffer=1))
    assert [bar.names for bar in found.bars] == [("a",), ("b",)]
    assert pairs(found) == set()


def test_interleaved_views_lie_on_one_bar_without_a_common_byte() -> None:
    """Both share with the whole, and not with one another."""
    found = drawn(value("a"), value("b", shape=(2,), step=16), value("c", start=8, shape=(1,)))
    assert [view.pieces for view in found.bars[0].views] == [((0, 24),), ((0, 8), (16, 24)), ((8, 16),)]
    assert pairs(found) == {"ab", "ac"}


def test_whoever_sees_a_touched_buffer_is_on_the_map() -> None:
    """A bar never seems to belong to fewer names than it does; untouched buffers are left out."""
    found = drawn(value("a"), value("kept"), value("other", buffer=1), touched="a")
    assert [bar.names for bar in found.bars] == [("a", "kept")]


def test_names_beside_those_that_were_touched_come_after_them() -> None:
    """Where not all have room."""
    crowd = [value(f"a[{k}]") for k in range(MOST_NAMES)]
    found = build_map(snapshot(*crowd, value("b"), value("c", buffer=1)), ["b"], ["a", "c"])
    assert found is not None
    assert "b" in found.names
    assert "a[0]" in found.names
    assert (found.bars[0].more, found.more) == (1, 1)


def test_items_of_a_container_belong_to_its_variable() -> None:
    """``rows[1]`` is touched where ``rows`` is named."""
    found = drawn(value("rows[0]"), value("rows[1]", buffer=1), touched="rows")
    assert found.names == ("rows[0]", "rows[1]")


def test_devices_come_apart_the_host_first() -> None:
    """Whatever came first."""
    two = Snapshot(
        (replace(value("a"), device="cuda:0"), value("b", buffer=1)),
        (Buffer("cuda:0", 24), Buffer("cpu", 24)),
    )
    found = build_map(two, ["a", "b"])
    assert found is not None
    assert [(bar.device, bar.names) for bar in found.bars] == [("cpu", ("b",)), ("cuda:0", ("a",))]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"device": "meta"}, "has no bytes: it is on the meta device"),
        ({"strides": None}, "has no bytes that strides describe"),
        ({"shape": (0, 3)}, "has no bytes: it has no elements"),
        ({"device": "lazy:0"}, "is on lazy, where memory addresses are hidden"),
        ({"kind": "Tensor"}, "describes more elements than its memory holds"),
        ({"kind": "FakeTensor"}, "is a FakeTensor, whose memory cannot be seen"),
    ],
)
def test_name_without_bytes_has_a_reason(changes: dict[str, object], why: str) -> None:
    """It is on the map, over no bar."""
    bare = replace(value("b", buffer=None), **changes)  # type: ignore[arg-type]
    found = drawn(value("a"), bare)
    assert found.bare == (Bare("b", why),)
    assert [bar.names for bar in found.bars] == [("a",)]


def test_names_beyond_a_handful_are_counted() -> None:
    """On their bar, or for the whole map where their buffer is not on it; no name is lost."""
    crowd = [value(f"a[{k}]") for k in range(MOST_NAMES + 2)]
    found = drawn(*crowd, value("b", buffer=1), value("c", buffer=2))
    assert len(found.names) == MOST_NAMES
    assert (found.bars[0].more, found.more) == (2, 2)
    assert found.more == drawn(*crowd, value("b", buffer=1), value("c", buffer=1)).more
    nobody = replace(value("d", buffer=None), device="meta")
    assert drawn(*crowd, nobody).more == 1


def test_nothing_is_drawn_that_could_not_be_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many pieces, or nothing touched."""
    assert build_map(snapshot(value("a")), ["b"]) is None
    wide = value("a", shape=(3,), step=16)
    assert build_map(snapshot(wide, nbytes=40), ["a"]) is not None
    monkeypatch.setattr(memory_map, "MOST_PIECES", 2)
    assert build_map(snapshot(wide, nbytes=40), ["a"]) is None


# --- which blocks ------------------------------------------------------------------------------------


def blocks(*codes: str) -> Example:
    """Example of these blocks of code."""
    return example("\n# %%\n\n".join(f"{code}\n" for code in codes))


def after(code: Example, *snapshots: Snapshot) -> dict[int, MemoryMap]:
    """Maps of a run with these snapshots."""
    return build_maps(code, replace(ran(code), snapshots=snapshots))


SHARED = snapshot(value("a"), value("b"))
"""``a`` and ``b`` over one buffer."""
APART = snapshot(value("a"), value("b", buffer=1))
"""Each with its own."""


def test_map_stands_after_a_block_that_brings_sharing_about() -> None:
    """Not after one that only writes, prints, or makes the same again."""
    code = blocks("import numpy", "a = 1\nb = f(a)", "a[0] = 1\nprint(b)", "a = 2\nb = f(a)")
    assert set(after(code, Snapshot(), SHARED, SHARED, SHARED)) == {1}


def test_map_stands_after_a_block_that_ends_sharing() -> None:
    """Though none of the names is new."""
    code = blocks("a = 1\nb = f(a)", "b = b + 1", "print(a, b)")
    assert [pairs(found) for found in after(code, SHARED, APART, APART).values()] == [{"ab"}, set()]


def test_variable_stands_beside_those_that_it_last_shared_with() -> None:
    """Though the block names it alone, as they may no longer share."""
    code = blocks("a = 1\nb = f(a)", "b = b + 1")
    found = after(code, SHARED, APART)
    assert [{name for bar in found[1].bars for view in bar.views for name in view.names}] == [{"a", "b"}]


def test_copy_has_a_map_beside_what_it_was_made_from() -> None:
    """In one block or another, through an item, an attribute or a loop."""
    for maker in ("b = g(a)", "b = a.clone()", "for b in [a]:\n    pass", "b = {}\nb[0] = f(a)"):
        assert set(after(blocks("a = 1", maker), snapshot(value("a")), APART)) == {1}, maker


def test_values_that_only_stand_side_by_side_have_no_map() -> None:
    """Nor has a lone one."""
    code = blocks("a = 1", "b = 2\nprint(a)", "print(a, b)")
    assert after(code, snapshot(value("a")), APART, APART) == {}


def test_one_more_number_is_nothing_to_draw() -> None:
    """A sum, or one element taken out, beside what it was made from; but one that shares is."""
    code = blocks("a = 1", "b = a.sum()")
    lone = Snapshot((value("a"), value("b", buffer=1, shape=())), (Buffer("cpu", 24), Buffer("cpu", ITEM)))
    assert after(code, snapshot(value("a")), lone) == {}
    assert set(after(code, snapshot(value("a")), snapshot(value("a"), value("b", shape=())))) == {1}


def test_run_that_ended_early_has_maps_as_far_as_it_came() -> None:
    """There are no facts beyond."""
    assert set(after(blocks("a = 1\nb = f(a)", "b = b + 1"), SHARED)) == {0}


def test_block_touches_the_variables_it_names() -> None:
    """In loops and calls too; an attribute is none."""
    (block,) = blocks("for a in b:\n    print(c.d, e=f)").blocks
    assert find_touched_variables(block) == {"a", "b", "print", "c", "f"}


# --- in words ----------------------------------------------------------------------------------------


def words(*values: Value, nbytes: int = 24, **more: str) -> list[str]:
    """Sentences of a map."""
    return list(describe_map(drawn(*values, nbytes=nbytes, **more)))


def test_words_tell_who_shares_and_who_owns() -> None:
    """With the number of bytes and the device."""
    assert words(value("a"), value("b"), value("c"), value("d", buffer=1)) == [
        "a, b and c share 24 bytes on the CPU.",
        "d has 24 bytes of its own on the CPU.",
    ]


def test_words_tell_which_bytes_a_view_sees() -> None:
    """How many, in how many pieces, from where; and who has none in common."""
    assert words(value("a"), value("b", shape=(2,), step=16), value("c", start=8, shape=(1,))) == [
        (
            "24 bytes on the CPU: a sees all of them; b sees 2 × 8 bytes from byte 0; "
            "c sees 8 bytes from byte 8."
        ),
        "b and c have no byte in common.",
    ]
    assert words(value("a", start=8, shape=(2,)), value("b", start=8, shape=(2,)), nbytes=1_000) == [
        "1,000 bytes on the CPU: a and b see 16 bytes from byte 8."
    ]


def test_words_count_who_is_not_drawn() -> None:
    """A name that is left out is no reason to call memory somebody's own."""
    crowd = [value(f"a[{k}]") for k in range(MOST_NAMES + 1)]
    sentences = words(*crowd, value("b", buffer=1))
    assert sentences[1:] == ["1 more name sees the same memory.", "1 more name is not drawn."]
    one = Bar("cuda:0", 1, 1, (View(("a",), ((0, 1),)),), 2)
    assert list(describe_map(MemoryMap((one,), (Bare("b", "has no bytes"),), 3))) == [
        "a has 1 byte on cuda:0.",
        "2 more names see the same memory.",
        "b has no bytes.",
        "3 more names are not drawn.",
    ]


# --- what is held ------------------------------------------------------------------------------------


def held(name: str, buffer: int | None = 0, shape: Sequence[int] = (3,)) -> Value:
    """A value that no name is."""
    return replace(value(name, buffer=buffer, shape=shape), held=True)


def test_held_value_is_drawn_where_it_shares() -> None:
    """With the name that sees the same bytes."""
    found = drawn(value("a"), held("b.x"))
    assert [bar.names for bar in found.bars] == [("a", "b.x")]
    assert found.apart == ()


def test_held_values_with_memory_of_their_own_are_one_line() -> None:
    """However many parameters a module has; those without bytes are not mentioned."""
    parameters = [held(f"b.p{k}", buffer=k + 1) for k in range(10)]
    found = drawn(value("a"), *parameters, held("b.meta", buffer=None))
    assert [bar.names for bar in found.bars] == [("a",)]
    assert list(describe_map(found)) == [
        "a has 24 bytes of its own on the CPU.",
        "b.p0, b.p1, b.p2 and 7 more have memory of their own.",
    ]
    assert describe_apart(["b.x"]) == "b.x has memory of its own."
    assert describe_apart(["b.x", "b.y"]) == "b.x and b.y have memory of their own."
    assert build_map(snapshot(*parameters), ["b"]) is None, "nothing would be drawn"


def test_copy_within_a_holder_is_news_and_so_is_sharing_that_ends() -> None:
    """As for values with names."""
    code = "a = f()\n\n# %%\n\nb.x = g(a)\n\n# %%\n\nb = h(a)\n"
    runs = [
        snapshot(value("a")),
        snapshot(value("a"), held("b.x")),
        snapshot(value("a"), held("b.x", buffer=1)),
    ]
    shown = example(code)
    maps = build_maps(shown, replace(ran(shown, *[""] * 3), snapshots=tuple(runs)))
    assert [sorted(maps[index].names) for index in (1, 2)] == [["a", "b.x"], ["a", "b.x"]]
    assert (maps[1].apart, maps[2].apart) == ((), ("b.x",))
