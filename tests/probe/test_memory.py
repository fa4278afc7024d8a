"""Which live arrays and tensors see the same bytes."""

from __future__ import annotations

import gc
import itertools
import operator
import warnings
import weakref
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st
from torch._subclasses.fake_tensor import FakeTensorMode

from tensor_atlas.model.runs import Buffer, Snapshot, Value
from tensor_atlas.probe.memory import MOST_ITEMS, Span, overlap, snapshot, span_of


def named(found: Snapshot) -> dict[str, Value]:
    """Values by name."""
    return {value.name: value for value in found.values}


def places(found: Snapshot) -> dict[str, tuple[int | None, int | None, int | None]]:
    """Buffer, start and stop by name."""
    return {value.name: (value.buffer, value.start, value.stop) for value in found.values}


def test_array_shows_all_that_its_owner_has() -> None:
    """Although no name reaches the owner: a view of eight bytes keeps all of them alive, whichever way it
    runs.
    """
    found = snapshot(
        {"view": np.zeros(10)[2:3], "back": np.arange(4, dtype=np.int8)[::-1], "part": np.ones(6)[4:1:-2]}
    )
    assert [buffer.nbytes for buffer in found.buffers] == [80, 4, 48]
    assert [(value.start, value.stop) for value in found.values] == [(16, 24), (0, 4), (16, 40)]


def test_array_and_tensor_of_one_buffer_share() -> None:
    """``from_numpy`` gives a second name to the same bytes, a copy has its own."""
    array = np.zeros(4)
    found = snapshot({"array": array, "tensor": torch.from_numpy(array), "copied": torch.tensor(array)})
    assert found.shares == (("array", "tensor"),)
    assert found.buffers == (Buffer("cpu", 32), Buffer("cpu", 32))
    assert places(found) == {"array": (0, 0, 32), "tensor": (0, 0, 32), "copied": (1, 0, 32)}


def test_pairs_that_share_come_in_order_of_their_first_name() -> None:
    """However far apart the two names of a pair are."""
    first, second = np.zeros(2), np.zeros(2)
    found = snapshot({"a": first, "b": second, "c": second[:1], "d": first[:1], "e": first[1:]})
    assert found.shares == (("a", "d"), ("a", "e"), ("b", "c"))


def test_facts_about_a_value_are_told() -> None:
    """Kind, dtype, shape, strides in bytes, device; writable of an array, requires_grad of a tensor."""
    array = np.zeros((2, 3), dtype=np.float32)[:, ::-1]
    array.flags.writeable = False
    found = named(snapshot({"array": array, "weights": torch.nn.Parameter(torch.ones(2, 3).t())}))
    assert found["array"] == Value(
        name="array",
        kind="ndarray",
        dtype="float32",
        shape=(2, 3),
        strides=(12, -4),
        device="cpu",
        writable=False,
        requires_grad=None,
        buffer=0,
        start=0,
        stop=24,
    )
    assert found["weights"] == Value(
        name="weights",
        kind="Parameter",
        dtype="torch.float32",
        shape=(3, 2),
        strides=(4, 12),
        device="cpu",
        writable=None,
        requires_grad=True,
        buffer=1,
        start=0,
        stop=24,
    )


def test_view_through_dlpack_or_a_buffer_shares() -> None:
    """However the bytes were handed on, their addresses tell."""
    data = bytearray(32)
    array = np.frombuffer(data, dtype=np.float64)
    tensor = torch.frombuffer(data, dtype=torch.float64)
    assert snapshot({"a": array, "t": tensor, "d": np.from_dlpack(tensor)}).shares == (("a", "t", "d"),)


def test_disjoint_views_of_one_buffer_do_not_share() -> None:
    """Two halves lie in one buffer, at their own bytes."""
    tensor = torch.zeros(4)
    found = snapshot({"left": tensor[:2], "right": tensor[2:]})
    assert found.shares == ()
    assert found.buffers == (Buffer("cpu", 16),)
    assert places(found) == {"left": (0, 0, 8), "right": (0, 8, 16)}


def test_expanded_value_takes_one_element() -> None:
    """A stride of zero reaches no further."""
    found = snapshot({"array": np.broadcast_to(np.ones(1), (3,)), "tensor": torch.ones(1).expand(3)})
    assert places(found) == {"array": (0, 0, 8), "tensor": (1, 0, 4)}


def test_chain_of_overlaps_comes_as_pairs() -> None:
    """A group says that every two overlap: ends that do not touch are not in one."""
    array = np.zeros(6)
    found = snapshot({"one": array[:3], "two": array[2:5], "three": array[4:]})
    assert found.shares == (("one", "two"), ("two", "three"))


def test_interleaved_views_do_not_overlap() -> None:
    """Each lies between the bytes of the other: every second element, or one column of each row."""
    array, table = np.zeros(8), np.zeros((3, 2), dtype=np.int8)
    pieces = {"even": array[::2], "odd": array[1::2], "left": table[:, 0], "right": table[:, 1]}
    assert snapshot(pieces).shares == ()


def test_two_buffers_that_a_third_spans_become_one() -> None:
    """Two parts of memory that nobody names whole are two buffers, until a value shows that they are one."""
    data = bytearray(64)
    parts = {
        "low": np.frombuffer(data, dtype=np.float64, count=2),
        "other": np.zeros(1),
        "high": np.frombuffer(data, dtype=np.float64, count=2, offset=48),
    }
    apart = snapshot(parts)
    assert places(apart) == {"low": (0, 0, 16), "other": (1, 0, 8), "high": (2, 0, 16)}
    found = snapshot(parts | {"whole": np.frombuffer(data, dtype=np.float64)})
    assert found.buffers == (Buffer("cpu", 64), Buffer("cpu", 8))
    assert places(found) == {"low": (0, 0, 16), "other": (1, 0, 8), "high": (0, 48, 64), "whole": (0, 0, 64)}


def test_first_items_of_containers_come_first() -> None:
    """Items of plain lists, tuples and dictionaries, the first few; what else is held comes behind them."""
    array = np.zeros(2)
    namespace = {
        "listed": [array, 1, [array]],
        "paired": (torch.from_numpy(array),),
        "keyed": {"x": array, 2: array, torch.float32: array},
        "many": [array] * (MOST_ITEMS + 3),
    }
    found = snapshot(namespace).values
    names = [value.name for value in found if not value.held]
    assert names == [value.name for value in found][: len(names)]
    assert names[:5] == ["listed[0]", "paired[0]", "keyed['x']", "keyed[2]", "keyed[torch.float32]"]
    assert names[5:] == [f"many[{index}]" for index in range(MOST_ITEMS)]


def test_key_that_spells_differently_in_every_process_is_counted() -> None:
    """An object's address in a name makes every run differ; a ``repr`` that fails must not end the run."""

    class Unprintable:
        def __repr__(self) -> str:
            raise ValueError

    array = np.zeros(1)
    found = snapshot({"keyed": {object(): array, Unprintable(): array, "kept": array}})
    assert [value.name for value in found.values] == ["keyed['kept']", "keyed's item 1", "keyed's item 2"]


def test_dead_proxy_is_passed_over() -> None:
    """An example about lifetimes may leave one."""

    class Owner:
        pass

    owner = Owner()
    proxy = weakref.proxy(owner)
    del owner
    gc.collect()
    assert snapshot({"proxy": proxy, "array": np.zeros(1)}).shares == ()


class Named(np.ndarray[Any, Any]):
    """Its dtype is nothing that could be looked up."""

    @property
    def dtype(self) -> Any:
        return ["mine"]


class Placed(torch.Tensor):
    """Its device is nothing that could be looked up."""

    @property
    def device(self) -> Any:  # type: ignore[override]
        return ["mine"]


def test_dtype_and_device_are_spelled_as_the_value_spells_them() -> None:
    """Whatever they are."""
    found = named(snapshot({"array": np.zeros(1).view(Named), "tensor": torch.ones(1).as_subclass(Placed)}))
    assert (found["array"].dtype, found["tensor"].device) == ("['mine']", "['mine']")


class Silent(torch.Tensor):
    """A tensor whose own code raises whatever it is asked."""

    @classmethod
    def __torch_function__(cls, *_: Any, **__: Any) -> Any:
        raise KeyError


class Hidden(np.ndarray[Any, Any]):
    """An array that tells everything but its address."""

    @property
    def __array_interface__(self) -> dict[str, Any]:
        raise KeyError


def test_value_whose_own_code_raises_is_left_out() -> None:
    """What a subclass raises does not end the run, and costs the other values nothing."""
    array = np.zeros(2)
    found = snapshot({"silent": torch.ones(2).as_subclass(Silent), "one": array, "other": array[1:]})
    assert [value.name for value in found.values] == ["one", "other"]
    assert found.shares == (("one", "other"),)


def test_array_that_hides_its_address_is_listed_without_a_buffer() -> None:
    """The facts that can be read are told."""
    found = snapshot({"hidden": np.zeros(2).view(Hidden)})
    assert found.buffers == ()
    assert [(v.kind, v.dtype, v.shape, v.strides, v.buffer) for v in found.values] == [
        ("Hidden", "float64", (2,), (8,), None)
    ]


def _fake() -> torch.Tensor:
    with FakeTensorMode():
        return torch.ones(2)


def _resized(nbytes: int) -> torch.Tensor:
    tensor = torch.ones(4)
    tensor.untyped_storage().resize_(nbytes)
    return tensor


@pytest.mark.parametrize(
    ("make", "shape", "strides"),
    [
        (lambda: np.zeros(0), (0,), np.zeros(0).strides),
        (lambda: np.zeros(2, dtype=[]), (2,), (0,)),
        (lambda: torch.zeros(0), (0,), (4,)),
        (lambda: torch.ones(2, device="meta"), (2,), (4,)),
        (lambda: torch.eye(2).to_sparse(), (2, 2), None),
        (_fake, (2,), (4,)),
        (lambda: _resized(0), (4,), (4,)),
        (lambda: _resized(8), (4,), (4,)),
        (torch.nn.UninitializedParameter, (), None),
    ],
    ids=["empty", "no-bytes", "empty-tensor", "meta", "sparse", "fake", "resized", "cut", "lazy"],
)
def test_value_without_memory_is_listed_without_a_buffer(
    make: Any, shape: tuple[int, ...], strides: tuple[int, ...] | None
) -> None:
    """Two of them share nothing, and looking at them raises nothing."""
    found = snapshot({"one": make(), "two": make()})
    assert found.shares == ()
    assert found.buffers == ()
    for value in found.values:
        assert (value.shape, value.strides, value.buffer, value.start, value.stop) == (
            shape,
            strides,
            None,
            None,
            None,
        )


def test_nested_tensors_are_listed() -> None:
    """Neither layout has a shape of integers or one run of memory."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parts = [torch.ones(2), torch.ones(3)]
        nested = {
            "strided": torch.nested.nested_tensor(parts),
            "jagged": torch.nested.nested_tensor(parts, layout=torch.jagged),
        }
    found = snapshot(nested)
    assert [(value.name, value.buffer) for value in found.values] == [("strided", None), ("jagged", None)]


def test_looking_leaves_no_warning() -> None:
    """What the snapshot does must not be observed as the example's."""
    quantized = {
        "conj": torch.ones(2, dtype=torch.complex64).conj(),
        "masked": np.ma.array([1.0, 2.0], mask=[False, True]),
    }
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        snapshot(quantized)
    assert caught == []


def test_tensor_of_more_axes_than_an_array_can_have_is_compared() -> None:
    """torch allows more than 64 axes; those of length 1 or stride 0 add no byte."""
    tensor = torch.zeros(3)
    many = tensor.reshape([1] * 70 + [3])
    repeated = tensor[0].expand([2] + [1] * 69)
    names = {"tensor": tensor, "many": many, "repeated": repeated, "other": torch.zeros(3)}
    assert snapshot(names).shares == (("tensor", "many", "repeated"),)


@pytest.mark.filterwarnings("ignore:torch.quantize_per_tensor:UserWarning")
def test_packed_elements_are_their_whole_storage() -> None:
    """Four of quint2x4 are one byte, though sizes and strides speak of four."""
    packed = torch.quantize_per_tensor(torch.ones(8), 1.0, 0, torch.quint2x4)
    span = span_of(packed)
    assert span is not None
    assert span.bounds == span.owned
    assert span.bounds[1] - span.bounds[0] == 2
    view = span_of(packed.detach())
    assert view is not None
    assert overlap(span, view)


axes = st.lists(st.tuples(st.integers(1, 4), st.integers(-9, 9)), max_size=3)


@st.composite
def spans(draw: st.DrawFn) -> Span:
    """Somewhere in a few dozen bytes: dense, strided, reversed, expanded, overlapping itself."""
    found = draw(axes)
    return Span(
        "cpu",
        draw(st.integers(100, 140)),
        tuple(size for size, _ in found),
        tuple(stride for _, stride in found),
        draw(st.integers(1, 4)),
        (0, 0),
    )


def bytes_of(span: Span) -> set[int]:
    """Addresses of all bytes of all elements, counted out."""
    indices = itertools.product(*map(range, span.shape))
    starts = [span.start + sum(map(operator.mul, index, span.strides)) for index in indices]
    return {start + offset for start in starts for offset in range(span.itemsize)}


@given(spans(), spans())
@example(Span("cpu", 100, (3, 3), (2, 2), 1, (0, 0)), Span("cpu", 103, (1,), (1,), 1, (0, 0)))
@example(Span("cpu", 100, (2, 3), (12, 4), 4, (0, 0)), Span("cpu", 123, (2,), (2,), 2, (0, 0)))
def test_overlap_is_that_of_the_bytes(one: Span, other: Span) -> None:
    """Neither bounds nor density may tell anything else than counting does."""
    low, high = one.bounds
    assert {low, high - 1} <= bytes_of(one) <= set(range(low, high))
    assert overlap(one, other) == bool(bytes_of(one) & bytes_of(other))
