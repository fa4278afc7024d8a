"""Runs that prove which calls share memory and which copy, for every dtype and layout."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import numpy as np
import pytest
import torch

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")

Values = TypeVar("Values", np.ndarray, torch.Tensor)

REFUSED = (TypeError, ValueError, RuntimeError)
DTYPES = [dtype for dtype in vars(torch).values() if isinstance(dtype, torch.dtype)]
LAYOUTS = {
    "contiguous": lambda array: array,
    "transposed": lambda array: array.T,
    "sliced": lambda array: array[:, ::2],
    "one row": lambda array: array[1],
    "0-d": lambda array: array[0, 0, ...],
    "repeated": lambda array: np.broadcast_to(array[:1], array.shape),
    "reversed": lambda array: array[::-1],
}


def list_arrays() -> Iterator[np.ndarray]:
    """Arrays of every dtype of NumPy, in both byte orders and in every layout."""
    names = [name for name in np.typecodes["All"] if np.dtype(name).itemsize]
    for name, layout, order in itertools.product(names, LAYOUTS.values(), ["=", "S"]):
        dtype = np.dtype(name).newbyteorder(order) if np.dtype(name).kind != "O" else np.dtype(name)
        yield layout(np.zeros((2, 4), dtype=dtype))


def list_tensors() -> Iterator[torch.Tensor]:
    """Tensors of every dtype that can be made on the CPU, with views, bits and gradients."""
    for dtype in DTYPES:
        try:
            tensor = torch.empty((2, 4), dtype=dtype)
            views = [tensor, tensor.T, tensor[:, ::2], tensor[1], tensor[0, 0], tensor[:1].expand(2, 4)]
        except REFUSED:
            continue
        yield from views
        if dtype.is_complex:
            yield from (tensor.conj(), tensor.conj().imag)
        if dtype.is_floating_point:
            yield tensor.detach().requires_grad_()


def address(values: np.ndarray | torch.Tensor) -> int:
    """Where the first element lies."""
    return values.ctypes.data if isinstance(values, np.ndarray) else values.data_ptr()


def compare_all(
    values: Iterable[Values],
    convert: Callable[[Values], np.ndarray | torch.Tensor],
    shares: Callable[[Values], bool],
) -> None:
    """Each conversion that does not raise shares or copies as expected; many do not raise."""
    results = []
    for value in values:
        try:
            result = convert(value)
        except REFUSED:
            continue
        results.append(((address(result) == address(value)) == shares(value), str(value.dtype)))
    assert len(results) >= 60
    assert [name for expected, name in results if not expected] == []


def test_from_numpy_shares_or_raises() -> None:
    """Of every array."""
    compare_all(list_arrays(), torch.from_numpy, lambda _array: True)


def test_tensor_copies() -> None:
    """Of every array that it accepts."""
    compare_all(list_arrays(), torch.tensor, lambda _array: False)


def test_as_tensor_copies_for_another_dtype_only() -> None:
    """Of every array that it accepts, on the CPU."""
    compare_all(list_arrays(), torch.as_tensor, lambda _array: True)
    compare_all(
        list_arrays(),
        lambda array: torch.as_tensor(array, dtype=torch.float32),
        lambda array: array.dtype == np.float32,
    )


def test_numpy_shares_or_raises() -> None:
    """Of every tensor."""
    compare_all(list_tensors(), torch.Tensor.numpy, lambda _tensor: True)


def test_forced_numpy_copies_if_a_bit_is_set() -> None:
    """Of every tensor of the CPU that it accepts, with or without gradients."""
    compare_all(
        list_tensors(),
        lambda tensor: tensor.numpy(force=True),
        lambda tensor: not (tensor.is_conj() or tensor.is_neg()),
    )


def test_copy_argument_copies() -> None:
    """Of every tensor whose copy ``numpy()`` accepts."""
    compare_all(
        list_tensors(),
        lambda tensor: tensor.detach().to("cpu", copy=True).numpy(),
        lambda _tensor: False,
    )
