"""Asks modules and objects for names, and calls for keywords: what is there, and what the rest says."""

from __future__ import annotations

import importlib
import io
import operator
import re
import types
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import torch

from tensor_atlas.catalogue import CALLS, AskedCall
from tensor_atlas.model.names import NAME, NameAnswer
from tensor_atlas.model.runs import Raised, Warned
from tensor_atlas.probe.observe import execute
from tensor_atlas.probe.output import normalise

OBJECTS: Mapping[str, Callable[[], object]] = {
    "numpy.ndarray": lambda: np.zeros((2, 2)),
    "numpy.dtype": lambda: np.dtype("float32"),
    "numpy.generic": lambda: np.float32(1),
    "numpy.random.Generator": lambda: np.random.default_rng(0),
    "torch.Tensor": lambda: torch.zeros(2, 2),
    "torch.dtype": lambda: torch.float32,
    "torch.device": lambda: torch.device("cpu"),
    "torch.nn.Module": torch.nn.Module,
}
"""Classes of which an object is asked, as a reader's code does: a message names the class of the object."""


def observe_names(namespace: str, asked: Collection[str], words: Mapping[str, str]) -> dict[str, NameAnswer]:
    """Answers for the names that ``namespace`` lists and for those ``asked``; empty where it is not there.

    A function or method of the catalogue is called with each of its keywords instead. ``words`` stand for
    directories in messages.
    """
    if namespace in CALLS:
        return dict(_ask_keywords(namespace, CALLS[namespace], words))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        owner = _find_owner(namespace)
        if owner is None:
            return {}
        names = {*asked, *_list_public(owner)}
    return {name: _ask(owner, name, words) for name in sorted(names)}


def _find_owner(namespace: str) -> object | None:
    """The module or object that is asked; None where this release has none."""
    if namespace in OBJECTS:
        return OBJECTS[namespace]()
    try:
        return importlib.import_module(namespace)
    except ImportError:  # numpy.emath has another name where it lies
        package, _, name = namespace.partition(".")
        return getattr(importlib.import_module(package), name, None)


def _list_public(owner: object) -> Iterator[str]:
    """Names that an owner lists, but for private ones, and for what a module imports from elsewhere."""
    exported = frozenset(getattr(owner, "__all__", ()))
    for name in {*dir(owner), *exported}:
        if name.startswith("_"):
            continue
        if name in exported or not isinstance(owner, types.ModuleType) or not _is_foreign(owner, name):
            yield name


def _is_foreign(module: types.ModuleType, name: str) -> bool:
    """Whether a module merely imports a name: a module, function or class of another package."""
    try:
        value: Any = getattr(module, name)
    except Exception:  # noqa: BLE001 - what asking raises is told later
        return False
    home = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None)
    package = module.__name__.partition(".")[0]
    return isinstance(home, str) and home.partition(".")[0] not in (package, "builtins", "numpy", "torch")


def _ask(owner: object, name: str, words: Mapping[str, str]) -> NameAnswer:
    error = None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            getattr(owner, name)
        except Exception as raised:  # noqa: BLE001 - whatever it is, it is the answer
            error = Raised(type(raised).__name__, _spell(str(raised), name, words))
    return NameAnswer(tuple(_list_warned(caught, name, words)), error)


def _list_warned(
    caught: Iterable[warnings.WarningMessage], name: str, words: Mapping[str, str]
) -> Iterator[Warned]:
    for one in caught:
        yield Warned(one.category.__name__, _spell(str(one.message), name, words))


def _ask_keywords(path: str, call: AskedCall, words: Mapping[str, str]) -> Iterator[tuple[str, NameAnswer]]:
    """Each keyword with what calling with it warned of or raised; nothing where there is no such call."""
    package, _, rest = path.partition(".")
    try:
        operator.attrgetter(rest)(importlib.import_module(package))
    except AttributeError:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # What the first call of all imports may warn: that is not the doing of the first keyword.
        _call(re.sub(r"(, )?KEYWORD", "", call.code))
    for keyword, text in call.keywords.items():
        name, error = keyword.rstrip("="), None
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            raised = _call(call.code.replace("KEYWORD", text))
        if raised is not None:
            # What follows in such a message lists the forms of a call, of which each release has others.
            first = str(raised).partition("\n")[0]
            error = Raised(type(raised).__name__, _spell(first, name, words))
        yield keyword, NameAnswer(tuple(_list_warned(caught, name, words)), error)


def _call(code: str) -> BaseException | None:
    """What code of the catalogue raised; None for nothing."""
    return execute(compile(code, "<call>", "exec"), _make_values())


def _make_values() -> dict[str, Any]:
    """What code of the catalogue may name."""
    array, tensor = np.ones(2), torch.ones(2)
    npy, pt = io.BytesIO(), io.BytesIO()
    np.save(npy, array)
    torch.save(tensor, pt)
    npy.seek(0)
    pt.seek(0)
    known = {"array": array, "tensor": tensor, "npy": npy, "pt": pt, "file": io.BytesIO()}
    return {"np": np, "torch": torch, **known}


def _spell(message: str, name: str, words: Mapping[str, str]) -> str:
    """A message with NAME in place of the name where that stands in quotes, or behind a dot."""
    quoted = re.compile(rf"(?<=['`\".]){re.escape(name)}(?=['`\".\s]|$)")
    return quoted.sub(NAME, normalise(message, words))
