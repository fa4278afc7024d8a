"""Which live arrays and tensors see the same bytes; reads addresses, never the bytes themselves."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import torch

from tensor_atlas.model.runs import Buffer, Snapshot, Value

MOST_ITEMS = 8
"""Items of a container that are looked at; more would drown the picture."""

_PLAIN_KEYS = (bool, bytes, float, int, str, torch.device, torch.dtype)
"""Keys of a dictionary that spell the same in every process; the repr of others may hold an address, or
raise."""

_REFUSALS = (RuntimeError, TypeError, AttributeError, ValueError)
"""meta, sparse, nested, lazy, quantised per channel, fake: torch refuses to tell, each in its own way."""


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
    """Arrays and tensors that ``namespace`` reaches by name, the buffers under them, and who overlaps whom.

    Containers are searched one level deep. Values without memory (meta, sparse, empty) are listed without a
    buffer, those that raise when they are asked for their dtype or shape not at all.
    """
    values: list[Value] = []
    spans: dict[str, Span | None] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # looking must not leave a trace in what is observed
        for name, value in _reachable(namespace):
            described = _describe(name, value)
            if described is not None:
                values.append(described)
                spans[name] = span_of(value)
    known = {name: span for name, span in spans.items() if span is not None}
    buffers = _buffers(known)
    placed = tuple(_place(value, spans[value.name], buffers) for value in values)
    numbered = tuple(Buffer(device, stop - start) for device, start, stop in buffers)
    return Snapshot(placed, numbered, _groups(known))


def _reachable(namespace: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Arrays and tensors with the expressions that reach them."""
    for name, value in namespace.items():
        if not name.startswith("_"):
            yield from (pair for pair in [(name, value), *_items(name, value)] if _is_data(pair[1]))


def _items(name: str, value: Any) -> list[tuple[str, Any]]:
    """First items of a plain container; a subclass may do anything when it is iterated."""
    if type(value) in (list, tuple):
        return [(f"{name}[{index}]", item) for index, item in enumerate(value[:MOST_ITEMS])]
    if type(value) is dict:
        items = list(value.items())[:MOST_ITEMS]
        return [(f"{name}[{key!r}]", item) for key, item in items if type(key) in _PLAIN_KEYS]
    return []


def _is_data(value: Any) -> bool:
    # isinstance would ask a proxy for its class, and a proxy whose object is dead raises
    return issubclass(type(value), (np.ndarray, torch.Tensor))


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


def _buffers(spans: Mapping[str, Span]) -> list[tuple[str, int, int]]:
    """Device, start and stop of every run of memory, touching allocations apart, in order of first use."""
    merged: list[tuple[str, int, int]] = []
    for span in spans.values():
        start, stop = span.owned
        overlapping = [b for b in merged if b[0] == span.device and b[1] < stop and start < b[2]]
        if not overlapping:
            merged.append((span.device, start, stop))
            continue
        place = merged.index(overlapping[0])
        start, stop = min(start, *(b[1] for b in overlapping)), max(stop, *(b[2] for b in overlapping))
        merged[place] = (span.device, start, stop)
        merged = [b for b in merged if b == merged[place] or b not in overlapping[1:]]
    return merged


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


def _place(value: Value, span: Span | None, buffers: list[tuple[str, int, int]]) -> Value:
    """The value with the place of its elements, counted from the start of its buffer."""
    if span is None:
        return value
    low, high = span.bounds
    for index, (device, start, stop) in enumerate(buffers):
        if device == span.device and start <= low < stop:
            return replace(value, buffer=index, start=low - start, stop=high - start)
    raise ValueError(f"{value.name} lies in no buffer")


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


def _groups(spans: Mapping[str, Span]) -> tuple[tuple[str, ...], ...]:
    """Groups of names of which every two overlap; a chain that is no such group comes as pairs."""
    pairs = [(a, b) for a, b in combinations(spans, 2) if overlap(spans[a], spans[b])]
    groups: list[tuple[str, ...]] = []
    for component in _components(pairs):
        members = tuple(name for name in spans if name in component)
        edges = [pair for pair in pairs if pair[0] in component]
        complete = len(edges) == len(members) * (len(members) - 1) // 2
        groups.extend([members] if complete else edges)
    return tuple(groups)


def _components(pairs: list[tuple[str, str]]) -> list[set[str]]:
    components: list[set[str]] = []
    for pair in pairs:
        touched = [component for component in components if component & set(pair)]
        components = [component for component in components if component not in touched]
        components.append(set(pair).union(*touched))
    return components


def overlap(one: Span, other: Span) -> bool:
    """Whether two spans have a byte in common, exactly: interleaved views of one buffer do not overlap."""
    first, second = one.bounds, other.bounds
    if one.device != other.device or first[1] <= second[0] or second[1] <= first[0]:
        return False
    return bool(np.shares_memory(_as_array(one), _as_array(other)))


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
