"""Planted changes: a folder with this file on ``PYTHONPATH`` makes the installed torch "the next release".

No test itself. Python imports ``sitecustomize`` when it starts; torch is changed as soon as something imports
it.
"""

from __future__ import annotations

import importlib.util
import sys
import warnings
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

NEXT = "2.99.0+cpu"

Torch = Any
"""The module, whose functions are taken as they come."""


class Planting:
    """Finds torch as Python does, and has it changed once its own code has run."""

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Specification of torch whose loader plants; nothing of other modules."""
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec("torch")
        assert spec is not None
        assert spec.loader is not None
        load = spec.loader.exec_module

        def load_and_plant(module: ModuleType) -> None:
            load(module)
            plant(module)

        spec.loader.exec_module = load_and_plant  # type: ignore[method-assign]
        return spec


def plant(torch: Torch) -> None:
    """Change the release and a dozen functions of torch, each in one way."""
    torch.__version__ = NEXT
    torch.from_numpy = reworded(torch.from_numpy)
    torch.arange = of_int32(torch, torch.arange)
    torch.trace = one_more(torch.trace)
    torch.zeros_like = on_meta(torch.zeros_like)
    torch.as_tensor = copied(torch.as_tensor)
    torch.clone = the_same_memory
    torch.frombuffer = gone
    torch.Tensor.numpy = permissive(torch.Tensor.numpy)
    torch.reshape = of_another_class(torch.reshape)
    torch.asarray = warning(torch.asarray)
    torch.range = silent(torch.range)
    torch.meshgrid = warning_otherwise(torch.meshgrid)


Function = Callable[..., Any]


def reworded(from_numpy: Function) -> Function:
    """Refuses a list in other words."""

    def planted(array: object) -> object:
        try:
            return from_numpy(array)
        except TypeError as error:
            raise TypeError(str(error).replace("expected np.ndarray", "expected an array of NumPy")) from None

    return planted


def of_int32(torch: Torch, arange: Function) -> Function:
    """Counts in another dtype, where none is asked for."""
    return lambda *given, **options: arange(*given, **{"dtype": torch.int32, **options})


def one_more(trace: Function) -> Function:
    """Gives another value."""
    return lambda tensor: trace(tensor) + 1


def on_meta(zeros_like: Function) -> Function:
    """Gives the same on another device."""
    return lambda tensor: zeros_like(tensor, device="meta")


def copied(as_tensor: Function) -> Function:
    """Copies what it shared."""
    return lambda data: as_tensor(data).clone()


def the_same_memory(tensor: Torch) -> Torch:
    """Shares what it copied."""
    return tensor.view_as(tensor)


def gone(*_: object, **__: object) -> None:
    """Raises where it worked."""
    raise RuntimeError("frombuffer is gone")


def permissive(numpy: Function) -> Function:
    """Works where it raised."""
    return lambda tensor, *given, **options: numpy(tensor.detach(), *given, **options)


def of_another_class(reshape: Function) -> Function:
    """Raises what another ``except`` clause catches, in the same words."""

    def planted(tensor: object, shape: object) -> object:
        try:
            return reshape(tensor, shape)
        except RuntimeError as error:
            raise ValueError(str(error)) from None

    return planted


def warning(asarray: Function) -> Function:
    """Warns where it was silent."""

    def planted(data: object) -> object:
        warnings.warn("asarray warns now", DeprecationWarning, stacklevel=2)
        return asarray(data)

    return planted


def silent(range_: Function) -> Function:
    """Is silent where it warned."""

    def planted(*given: object) -> object:
        with warnings.catch_warnings(record=True):
            return range_(*given)

    return planted


def warning_otherwise(meshgrid: Function) -> Function:
    """Warns in other words."""

    def planted(*given: object) -> object:
        with warnings.catch_warnings(record=True) as caught:
            made = meshgrid(*given)
        for each in caught:
            warnings.warn("meshgrid: say what indexing you mean", each.category, stacklevel=2)
        return made

    return planted


sys.meta_path.insert(0, Planting())
