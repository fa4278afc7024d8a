"""Which live arrays and tensors see the same bytes; reads addresses, never the bytes themselves."""

from __future__ import annotations

import gc
import sys
import warnings
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations, product
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import torch

from tensor_atlas.model.runs import Buffer, Snapshot, Value, group_pairs
from tensor_atlas.probe.holders import is_data
from tensor_atlas.probe.reach import find_reached

MOST_ITEMS = 8
"""Items of a container that are looked at; more would drown the picture."""

_PLAIN_KEYS = (bool, bytes, float, int, str, torch.device, torch.dtype)
"""Keys of a dictionary whose first items are not called held."""

_REFUSALS = (RuntimeError, TypeError, AttributeError, ValueError)
"""meta, sparse, nested, lazy, quantised per channel, fake: torch refuses to tell, each in its own way."""


_Range = tuple[str, int, int]
"""Device, start and stop of memory, half-open, in addresses."""
_LAST = sys.maxsize
"""An address that no other one is behind."""


class Span(NamedTuple):
    """Where one value's elements lie, in addresses of its device."""

    device: str
    """Address space."""
    start: int
    """Address of the lowest element."""
    shape: tuple[int, ...]
    """Elements per axis."""
    strides: tuple[int, ...]
    """Bytes per axis; may be negative or zero."""
    itemsize: int
    """Bytes per element."""
    owned: tuple[int, int]
    """Half-open address range of the whole allocation it sees, as far as it can be known."""

    @property
    def bounds(self) -> tuple[int, int]:
        """Half-open address range of the elements."""
        low = high = self.start
        for size, stride in zip(self.shape, self.strides, strict=True):
            if stride < 0:
                low += stride * (size - 1)
            else:
                high += stride * (size - 1)
        return low, high + self.itemsize


def snapshot(namespace: Mapping[str, Any]) -> Snapshot:
    """Arrays and tensors that ``namespace`` reaches, the buffers under them, and who overlaps whom.

    Names and first items of containers come first, then what is held elsewhere. Values without memory (meta,
    sparse, empty) are listed without a buffer, those that raise when they are asked for their dtype or shape
    not at all.
    """
    values: list[Value] = []
    spans: dict[str, Span | None] = {}
    with _looking_on():
        named = dict(_reachable(namespace))
        reached = find_reached(namespace, _sort_items)
        for name, value in [*named.items(), *reached.values]:
            described = None if name in spans else _describe(name, value)
            if described is not None:
                values.append(described if name in named else replace(described, held=True))
                spans[name] = span_of(value)
    known = {name: span for name, span in spans.items() if span is not None}
    buffers, seen = _buffers(known)
    for index, value in enumerate(values):
        if value.name in known:
            buffer = seen[value.name]
            values[index] = _place(value, known[value.name], buffer, buffers[buffer][1])
    numbered = tuple(Buffer(device, stop - start) for device, start, stop in buffers)
    shares = group_pairs(known, _find_overlaps(known))
    return Snapshot(tuple(values), numbered, shares, left_out=reached.left_out)


@contextmanager
def _looking_on() -> Iterator[None]:
    """Looking leaves no trace in what is observed: no warning, and no garbage collected before its time."""
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        if is_collecting:
            gc.enable()


def _sort_items(items: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    """Items of a set by what they are and whose memory they see, in the same order in each run."""
    if len(items) < 2:
        return [*items]
    known = [span.owned for span in map(span_of, others) if span is not None]
    spans = [span_of(item) for item in items]

    def rank(item: Any, span: Span | None) -> tuple[Any, ...]:
        facts = repr(_describe("", item))
        if span is None:
            return facts, len(known), 0, (0, 0), 0
        place = next((place for place, owned in enumerate(known) if owned == span.owned), len(known))
        alike = sum(other is not None and other.owned == span.owned for other in spans)
        return facts, place, -alike, span.owned, span.start

    ranks = [rank(item, span) for item, span in zip(items, spans, strict=True)]
    return [items[index] for index in sorted(range(len(items)), key=ranks.__getitem__)]


def _reachable(namespace: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Arrays and tensors with the expressions that reach them."""
    for name, value in namespace.items():
        if not name.startswith("_"):
            yield from (pair for pair in [(name, value), *_items(name, value)] if is_data(type(pair[1])))


def _items(name: str, value: Any) -> list[tuple[str, Any]]:
    """First items of a plain container; a subclass may do anything when it is iterated."""
    if type(value) is list or type(value) is tuple:
        return [(f"{name}[{index}]", item) for index, item in enumerate(value[:MOST_ITEMS])]
    if type(value) is dict:
        items = list(value.items())[:MOST_ITEMS]
        return [(f"{name}[{key!r}]", item) for key, item in items if _is_plain(type(key))]
    return []


def _is_plain(kind: type) -> bool:
    return any(kind is plain for plain in _PLAIN_KEYS)


def span_of(value: Any) -> Span | None:
    """Where the elements lie; None for a value without elements or without memory that can be addressed."""
    try:
        return _array_span(value) if isinstance(value, np.ndarray) else _tensor_span(value)
    except Exception:  # noqa: BLE001 - beside torch's refusals, a subclass runs the example's own code, which may raise
        return None


def _array_span(array: np.ndarray[Any, Any]) -> Span | None:
    if array.nbytes == 0:
        return None
    span = _elements(array)
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    first, last = span.bounds
    low, high = (first, last) if owner is array else _elements(owner).bounds
    return span._replace(owned=(min(low, first), max(high, last)))


def _elements(array: np.ndarray[Any, Any]) -> Span:
    """Where they lie; what the array owns is left open."""
    address = int(array.__array_interface__["data"][0])
    return Span("cpu", address, array.shape, array.strides, array.itemsize, (0, 0))


PACKED = [getattr(torch, name, None) for name in ("quint4x2", "quint2x4")]
"""Dtypes of several elements a byte, which sizes and strides count as a byte each: they mean their whole
storage."""


def _tensor_span(tensor: torch.Tensor) -> Span | None:
    if tensor.layout is not torch.strided or tensor.is_meta or tensor.numel() == 0:
        return None
    itemsize = tensor.element_size()
    strides = tuple(stride * itemsize for stride in tensor.stride())
    storage = tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor.storage()  # type: ignore[no-untyped-call]
    begin = storage.data_ptr()
    owned = (begin, begin + storage.nbytes())
    device = str(tensor.device)
    if tensor.dtype in PACKED and begin and storage.nbytes():
        return Span(device, begin, (storage.nbytes(),), (1,), 1, owned)
    span = Span(device, tensor.data_ptr(), tuple(tensor.shape), strides, itemsize, owned)
    low, high = span.bounds
    # A storage that was resized under its tensor, or that only pretends to be there, holds no elements.
    return span if begin and owned[0] <= low and high <= owned[1] else None


def _buffers(spans: Mapping[str, Span]) -> tuple[list[_Range], dict[str, int]]:
    """Runs of memory, touching allocations apart, in order of first use; and which of them a name sees."""
    merged: list[_Range] = []
    for device, start, stop in sorted((span.device, *span.owned) for span in spans.values()):
        if merged and merged[-1][0] == device and start < merged[-1][2]:
            merged[-1] = (device, merged[-1][1], max(stop, merged[-1][2]))
        else:
            merged.append((device, start, stop))
    seen = {name: merged[_find_last(merged, span)] for name, span in spans.items()}
    order = {buffer: index for index, buffer in enumerate(dict.fromkeys(seen.values()))}
    return list(order), {name: order[buffer] for name, buffer in seen.items()}


def _find_last(ascending: list[_Range], span: Span) -> int:
    """Index of the last range that begins where the elements do, or before."""
    return bisect_right(ascending, (span.device, span.bounds[0], _LAST)) - 1


def _describe(name: str, value: Any) -> Value | None:
    """Class, dtype, shape, strides and flags of a value; its place stays open; None for one that raises."""
    try:
        is_array = isinstance(value, np.ndarray)
        return Value(
            name=name,
            kind=type(value).__name__,
            dtype=str(value.dtype),
            shape=shape_of(value) or (),
            strides=strides_of(value),
            device="cpu" if is_array else str(value.device),
            writable=bool(value.flags.writeable) if is_array else None,
            requires_grad=None if is_array else bool(value.requires_grad),
        )
    except Exception:  # noqa: BLE001 - a subclass runs the example's own code, which may raise anything
        return None


def _place(value: Value, span: Span, buffer: int, begin: int) -> Value:
    """The value with the place of its elements in a buffer that begins at an address."""
    low, high = span.bounds
    return replace(value, buffer=buffer, start=low - begin, stop=high - begin)


def shape_of(value: Any) -> tuple[int, ...] | None:
    """Elements per axis of an array or tensor; None for a nested tensor, which integers cannot tell."""
    try:
        return tuple(map(int, value.shape))
    except _REFUSALS:
        return None


def strides_of(value: Any) -> tuple[int, ...] | None:
    """Bytes per axis of an array or tensor; None where its layout has no strides."""
    if isinstance(value, np.ndarray):
        return value.strides
    if value.layout is not torch.strided:
        return None
    try:
        itemsize = value.element_size()
        return tuple(int(stride) * itemsize for stride in value.stride())
    except _REFUSALS:
        return None


def _find_overlaps(spans: Mapping[str, Span]) -> list[tuple[str, str]]:
    """Pairs of names that overlap, in order."""
    names: dict[Span, list[str]] = {}
    for name, span in spans.items():
        names.setdefault(span._replace(owned=(0, 0)), []).append(name)
    found = [pair for alike in names.values() for pair in combinations(alike, 2)]
    begun: list[tuple[Span, int]] = []
    for span in sorted(names, key=lambda span: (span.device, span.bounds)):
        low, high = span.bounds
        begun = [(other, end) for other, end in begun if end > low and other.device == span.device]
        for other, _ in begun:
            if overlap(span, other):
                found += product(names[span], names[other])
        begun.append((span, high))
    place = {name: index for index, name in enumerate(spans)}
    ordered = [(one, other) if place[one] < place[other] else (other, one) for one, other in found]
    return sorted(ordered, key=lambda pair: (place[pair[0]], place[pair[1]]))


def overlap(one: Span, other: Span) -> bool:
    """Whether two spans have a byte in common, exactly: interleaved views of one buffer do not overlap."""
    first, second = one.bounds, other.bounds
    if one.device != other.device or first[1] <= second[0] or second[1] <= first[0]:
        return False
    if _is_dense(one) and _is_dense(other):
        return True
    return bool(np.shares_memory(_as_array(one), _as_array(other)))


def _is_dense(span: Span) -> bool:
    """Whether the elements cover every byte between their ends."""
    reach = span.itemsize
    for size, stride in sorted(zip(span.shape, map(abs, span.strides), strict=True), key=itemgetter(1)):
        if size > 1 and stride > reach:
            return False
        reach += stride * (size - 1)
    return True


class _Interface:
    """Just enough of an array for NumPy to see its addresses; the bytes are never read."""

    def __init__(self, span: Span) -> None:
        # An axis of length 1 or stride 0 adds no byte, and a tensor may have more axes than an array.
        axes = [(n, step) for n, step in zip(span.shape, span.strides, strict=True) if n != 1 and step != 0]
        self.__array_interface__ = {
            "version": 3,
            "data": (span.start, True),
            "shape": tuple(n for n, _ in axes),
            "strides": tuple(step for _, step in axes),
            "typestr": f"|V{span.itemsize}",
        }


def _as_array(span: Span) -> np.ndarray[Any, Any]:
    return np.asarray(_Interface(span))
