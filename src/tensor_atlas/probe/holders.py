"""What one object holds, with how a reader would write each part: items, attributes, parameters, closures.

Runs no code of an example. Containers are read by the methods of their built-in classes, objects by their
dictionaries and slots.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import types
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any, TypeAlias

import numpy as np
import torch

LONGEST_KEY = 60
"""Letters of a key that are spelled out."""
MOST_READ = 1000
"""Items of one holder that are read; it may have millions."""

Part: TypeAlias = "tuple[Callable[[Any], str], list[tuple[Any, Any]]]"
"""How a key is written behind the holder's name, empty where it cannot be; and keys with what they hold."""
Reader: TypeAlias = "Callable[[Any], Iterable[Part]]"
"""Reads the parts of an object."""

_PLAIN_KEYS = (bool, bytes, float, int, str, type(None), torch.device, torch.dtype)
"""Keys of a dictionary that spell the same in every process; the repr of others may hold an address, or
raise."""
_PLAIN = frozenset(map(id, _PLAIN_KEYS))
"""Their identities: a metaclass may say that its classes are equal to them."""
_ATOMS = (*_PLAIN_KEYS, complex, np.generic, types.ModuleType, types.BuiltinFunctionType)
_Descriptor: TypeAlias = types.GetSetDescriptorType | types.MemberDescriptorType
_SETS = (set, frozenset)
_TENSORS = (torch.Tensor, torch.nn.Parameter)
"""Classes that run no code of their own when they are asked for an attribute."""
_EACH: dict[str, Any] = {"remove_duplicate": False}
"""Argument that torch 1.13 lacks: without it, a parameter that a module has under two names comes once."""
if "remove_duplicate" not in inspect.signature(torch.nn.Module.named_parameters).parameters:
    _EACH = {}
_OF_ALL_MODULES = frozenset(vars(torch.nn.Module()))
"""Attributes that say how torch keeps a module, which has methods to list what is in them."""


# What a class is made of, whatever its metaclass says.
get_members: Callable[[type], Mapping[str, Any]] = vars(type)["__dict__"].__get__
get_bases: Callable[[type], tuple[type, ...]] = vars(type)["__mro__"].__get__
get_module: Callable[[type], object] = vars(type)["__module__"].__get__


def is_data(kind: type) -> bool:
    """Whether values of a class are arrays or tensors."""
    # isinstance would ask a proxy for its class, and a proxy whose object is dead raises
    return issubclass(kind, (np.ndarray, torch.Tensor))


def is_set(kind: type) -> bool:
    """Whether values of a class list their items in an order that differs from run to run."""
    return issubclass(kind, _SETS)


def find_reader(kind: type, namespace: Mapping[str, Any]) -> Reader | None:
    """What reads values of a class; None for those that hold nothing that is looked at.

    Of functions and classes only those of the ``namespace`` are read, of other libraries' objects only what
    has a public name.
    """
    if issubclass(kind, _ATOMS):
        return None
    if issubclass(kind, types.FunctionType):
        return functools.partial(_read_function, namespace=namespace)
    if issubclass(kind, type):
        return _read_class
    found = [reader for base, reader in _READERS.items() if issubclass(kind, base)]
    if not is_data(kind) or kind in _TENSORS or _is_own(kind):
        slots, dictionary = _find_slots(kind), _find_dictionary(kind)
        if dictionary is not None:
            found.append(functools.partial(_read_dictionary, dictionary=dictionary))
        if slots:
            found.append(functools.partial(_read_slots, slots=slots))
    return functools.partial(_read_all, readers=found) if found else None


def _read_all(value: Any, readers: Iterable[Reader]) -> Iterator[Part]:
    for reader in readers:
        yield from reader(value)


# --- containers ----------------------------------------------------------------------------------
# Each is copied in one step, since a thread of the example may change it.


def _read_sequence(value: Any) -> Iterator[Part]:
    base = next(base for base in (list, tuple, deque) if isinstance(value, base))
    items = list(enumerate(islice(base.__iter__(value), MOST_READ + 1)))
    names = _find_fields(type(value))
    yield (lambda index: f".{names[index]}" if index < len(names) else f"[{index}]"), items


def _find_fields(kind: type) -> tuple[str, ...]:
    """Names of the items of a named tuple, or of what torch returns."""
    if not issubclass(kind, tuple):
        return ()
    found = (get_members(base).get("__match_args__") for base in get_bases(kind))
    return next((names for names in found if type(names) is tuple), ())


def _read_dict(value: Any) -> Iterator[Part]:
    items = list(islice(dict.items(value), MOST_READ + 1))
    yield spell_key, [(key, item) for key, item in items if type(key) is not str or key != "__builtins__"]
    keys = [(index, key) for index, (key, _) in enumerate(items, 1) if id(type(key)) not in _PLAIN]
    yield "'s key {}".format, keys


def spell_key(key: Any) -> str:
    """``['weight']``, ``[0]``; empty for a key that spells otherwise in another process."""
    text = f"[{_spell(key)}]" if _is_plain(key) else ""
    return text if len(text) <= LONGEST_KEY else ""


def _is_plain(key: Any) -> bool:
    return all(map(_is_plain, key)) if type(key) is tuple else id(type(key)) in _PLAIN or _is_number(key)


def _is_number(key: Any) -> bool:
    return isinstance(key, (np.bool_, np.number)) and get_module(type(key)) == "numpy"


def _spell(key: Any) -> str:
    if type(key) is tuple:
        return f"({', '.join(map(_spell, key))}{',' * (len(key) == 1)})"
    return repr(key.item() if _is_number(key) else key)


def _read_set(value: Any) -> Iterator[Part]:
    base = next(base for base in _SETS if isinstance(value, base))
    yield "{{{}}}".format, list(enumerate(islice(base.__iter__(value), MOST_READ + 1)))


def _read_array(value: Any) -> Iterator[Part]:
    """Items of an array of objects."""
    if type(value) is np.ndarray and value.dtype == object:
        places = islice(np.ndindex(value.shape), MOST_READ + 1)
        yield _spell_place, list(zip(places, value.flat, strict=False))


def _spell_place(place: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, place)) or '()'}]"


# --- objects -------------------------------------------------------------------------------------


def _read_gradient(value: Any) -> Iterator[Part]:
    """The gradient that backward() left; torch warns where a tensor cannot have one."""
    if type(value) in _TENSORS and (value.is_leaf or value.retains_grad):
        yield ".{}".format, [("grad", value.grad)]


def _read_module(value: Any) -> Iterator[Part]:
    module = torch.nn.Module
    try:
        yield _spell_member, list(module.named_parameters(value, recurse=False, **_EACH))
        yield _spell_member, list(module.named_buffers(value, recurse=False, **_EACH))
        yield _spell_member, list(module.named_children(value))
    except Exception:  # noqa: BLE001 - a module whose __init__ was not called lacks all of them
        return


def _spell_member(name: str) -> str:
    """``.weight``; ``[0]`` for a module in a list of modules."""
    if name.isidentifier():
        return f".{name}"
    return f"[{name}]" if name.isdigit() else f"[{name!r}]"


def _find_slots(kind: type) -> dict[str, types.MemberDescriptorType]:
    """Attributes for which a class has slots in place of a dictionary."""
    slotted = [members for members in map(get_members, get_bases(kind)) if "__slots__" in members]
    members = chain.from_iterable(held.items() for held in slotted)
    return {name: slot for name, slot in members if isinstance(slot, types.MemberDescriptorType)}


def _find_dictionary(kind: type) -> _Descriptor | None:
    """What gets the dictionary of an object, and not what its class may call so."""
    found = (get_members(base).get("__dict__") for base in get_bases(kind))
    return next((one for one in found if isinstance(one, _Descriptor)), None)


def _read_dictionary(value: Any, dictionary: _Descriptor) -> Iterator[Part]:
    held = dictionary.__get__(value)
    if type(held) is dict and held:
        kind = type(value)
        hidden = _OF_ALL_MODULES if issubclass(kind, torch.nn.Module) else frozenset()
        copied = held.copy()
        names = [name for name in _list_names(copied, kind) if name not in hidden]
        yield _spell_attribute, [(name, copied[name]) for name in names]


def _read_slots(value: Any, slots: Mapping[str, types.MemberDescriptorType]) -> Iterator[Part]:
    held = []
    for name in _list_names(slots, type(value)):
        with contextlib.suppress(AttributeError):  # nothing was assigned to it
            held.append((name, slots[name].__get__(value)))
    yield _spell_attribute, held


def _spell_attribute(name: Any) -> str:
    return f".{name}"


def _list_names(held: Mapping[Any, Any], kind: type) -> list[str]:
    """Names of attributes; what other packages' classes hide behind an underscore is theirs."""
    names = [name for name in held if type(name) is str and not name.startswith("__")]
    return names if _is_own(kind) else [name for name in names if not name.startswith("_")]


def _is_own(kind: type) -> bool:
    """Whether a class is one of the example's own."""
    return get_module(kind) == "__main__"


def _read_class(value: type) -> Iterator[Part]:
    if _is_own(value):
        held = dict(get_members(value))
        yield _spell_attribute, [(name, held[name]) for name in _list_names(held, value)]


def _read_function(value: types.FunctionType, namespace: Mapping[str, Any]) -> Iterator[Part]:
    """Variables that a function keeps from where it was made, defaults, attributes."""
    if value.__globals__ is namespace:
        cells = zip(value.__code__.co_freevars, value.__closure__ or (), strict=False)
        yield "'s {}".format, [(name, cell.cell_contents) for name, cell in cells if _is_filled(cell)]
        yield ".__defaults__[{}]".format, list(enumerate(value.__defaults__ or ()))
        yield ".__kwdefaults__[{!r}]".format, list((value.__kwdefaults__ or {}).items())
        yield _spell_attribute, list(vars(value).items())


def _is_filled(cell: types.CellType) -> bool:
    try:
        return cell.cell_contents is cell.cell_contents
    except ValueError:
        return False


def _read_method(value: types.MethodType) -> Iterator[Part]:
    yield _spell_attribute, [("__self__", value.__self__), ("__func__", value.__func__)]


def _read_partial(value: functools.partial[Any]) -> Iterator[Part]:
    partial = functools.partial
    held = [(name, getattr(partial, name).__get__(value)) for name in ("func", "args", "keywords")]
    yield _spell_attribute, held


_READERS: dict[Any, Reader] = {
    (list, tuple, deque): _read_sequence,
    dict: _read_dict,
    _SETS: _read_set,
    np.ndarray: _read_array,
    torch.Tensor: _read_gradient,
    torch.nn.Module: _read_module,
    types.MethodType: _read_method,
    functools.partial: _read_partial,
}
