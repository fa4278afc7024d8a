"""Arrays and tensors that are held by something else than a name."""

from __future__ import annotations

import copy
import functools
import gc
import sys
import weakref
from collections import OrderedDict, UserDict, defaultdict, deque, namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tensor_atlas.model.runs import DEPTH, Snapshot
from tensor_atlas.probe.holders import MOST_READ
from tensor_atlas.probe.memory import snapshot
from tensor_atlas.probe.reach import FARTHEST, MOST_HOLDERS, MOST_ITEMS, MOST_VALUES

SETUP = """
import enum
import functools
from collections import OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass
from types import SimpleNamespace
import numpy as np
import torch

array = np.ones(4)

def share():
    return torch.from_numpy(array)

class Plain:
    pass

class Slotted:
    __slots__ = ("kept", "unset")

class Shape(torch.nn.Module):
    pass

@dataclass
class Row:
    x: object

Pair = namedtuple("Pair", "a b")
"""


def run(code: str) -> dict[str, Any]:
    """Namespace of a script."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(SETUP + code, "script.py", "exec"), namespace)
    return namespace


def seen(code: str) -> Snapshot:
    """What is alive after a script."""
    return snapshot(run(code))


def mates(code: str) -> set[str]:
    """Names that share memory with ``array`` after a script."""
    return {name for group in seen(code).shares if "array" in group for name in group} - {"array"}


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("held = share()", "held"),
        ("held = [share()]", "held[0]"),
        ("held = {'x': share()}", "held['x']"),
        ("held = [0] * 9 + [share()]", "held[9]"),
        ("held = {(0, 'a'): share()}", "held[(0, 'a')]"),
        ("held = [[share()]]", "held[0][0]"),
        ("held = [{'x': share()}]", "held[0]['x']"),
        ("held = OrderedDict(weight=share())", "held['weight']"),
        ("held = Pair(1, share())", "held.b"),
        ("held = Plain()\nheld.x = share()", "held.x"),
        ("held = Shape()\nheld.w = torch.nn.Parameter(share())", "held.w"),
        ("held = Shape()\nheld.register_buffer('w', share())", "held.w"),
        ("held = torch.utils.data.TensorDataset(share())", "held.tensors[0]"),
        ("def outer(x):\n    return lambda: x\nheld = outer(share())", "held's x"),
        ("_held = share()", "_held"),
        ("held = deque([share()])", "held[0]"),
        ("held = {share()}", "held{0}"),
        ("held = np.array([None, None])\nheld[1] = share()", "held[1]"),
        ("held = torch.ones(4, dtype=torch.float64, requires_grad=True)\nheld.grad = share()", "held.grad"),
    ],
)
def test_holders_are_seen(code: str, names: str) -> None:
    """Each of those that attacks from outside found, but for values that live within their block."""
    assert mates(code) == {names}


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("held = frozenset([share()])", "held{0}"),
        ("held = defaultdict(list)\nheld[np.int64(3)].append(share())", "held[3][0]"),
        ("held = {Plain(): share()}", "held's item 1"),
        ("key = torch.ones(1)\nheld = {key: share()}", "held[key]"),
        ("held = {share(): 1}", "held's key 1"),
        ("held = SimpleNamespace(x=share())", "held.x"),
        ("held = Slotted()\nheld.kept = share()", "held.kept"),
        ("held = Plain()\nheld._x = share()", "held._x"),
        ("class Held:\n    x = share()", "Held.x"),
        ("held = Row(share())", "held.x"),
        ("def held(x=share()): pass", "held.__defaults__[0]"),
        ("def held(*, x=share()): pass", "held.__kwdefaults__['x']"),
        ("def held(): pass\nheld.x = share()", "held.x"),
        ("held = functools.partial(print, share(), end=share())", "held.args[0] held.keywords['end']"),
        ("one = Plain()\none.x = share()\nheld = one.__init__", "one.x"),
        ("held = torch.max(torch.ones(2, 2), 0), share()", "held[1]"),
        ("held = torch.nn.Sequential(Shape())\nheld[0].w = torch.nn.Parameter(share())", "held[0].w"),
        ("held = torch.nn.ModuleDict({'a b': Shape()})\nheld['a b'].x = share()", "held['a b'].x"),
        ("held = torch.ones(1)\nheld.x = share()", "held.x"),
        ("held = np.array([[None, None]])\nheld[0, 1] = [share()]", "held[0, 1][0]"),
        ("held = np.array(None)\nheld[()] = share()", "held[()]"),
        ("class Held(list): pass\nheld = Held([share()])\nheld.x = share()", "held[0] held.x"),
        ("held = torch.utils.data.DataLoader([share()])", "held.dataset[0] held.sampler.data_source[0]"),
    ],
)
def test_holders_of_other_kinds_are_seen(code: str, names: str) -> None:
    """An object that two expressions reach is written by the shorter one, which comes first."""
    found = mates(code)
    assert found
    assert found <= set(names.split(" held.")) | {f"held.{name}" for name in names.split(" held.")} | {names}


def test_parameter_under_two_names_of_a_module_is_seen_twice() -> None:
    """Tied weights are what a reader wants to see."""
    code = "held = Shape()\nheld.a = held.b = torch.nn.Parameter(torch.ones(2))"
    assert seen(code).shares == (("held.a", "held.b"),)


def test_optimizer_holds_the_parameters() -> None:
    """Four steps from its name."""
    code = "layer = torch.nn.Linear(2, 1, bias=False)\nsgd = torch.optim.SGD(layer.parameters(), lr=1.0)"
    assert seen(code).shares == (("layer.weight", "sgd.param_groups[0]['params'][0]"),)


def test_held_values_are_marked() -> None:
    """What an older probe saw as well is not: names, and first items of plain containers."""
    found = seen("plain = [share()]\nkeyed = {'x': share()}\n_held = share()")
    marks = {value.name: value.held for value in found.values}
    assert marks == {"array": False, "plain[0]": False, "keyed['x']": False, "_held": True}


def test_names_that_python_makes_are_left_out() -> None:
    """Nor what torch.compile puts there, nor the built-in functions of a namespace that somebody keeps."""
    assert seen("__kept__ = __compiled_0 = share()\nheld = {'__builtins__': {'x': share()}}").shares == ()


# --- nestings ------------------------------------------------------------------------------------

Wrap = Callable[[Any], tuple[Any, str]]
"""Makes a holder of a value, and says how the value is written behind the holder's name."""


class Plain:
    """An object of a script's own."""

    __module__ = "__main__"

    def __init__(self, value: Any) -> None:
        self.x = value


class Slotted:
    """The same, with a slot."""

    __module__ = "__main__"
    __slots__ = ("x",)

    def __init__(self, value: Any) -> None:
        self.x = value


Pair = namedtuple("Pair", "a b")  # noqa: PYI024 - the kind that scripts use


def _in_array(value: Any) -> np.ndarray[Any, Any]:
    found = np.empty(2, object)
    found[1] = value
    return found


def _in_module(value: Any) -> torch.nn.Module:
    module = torch.nn.Module()
    module.x = value
    return module


WRAPS: list[Wrap] = [
    lambda value: ([value], "[0]"),
    lambda value: ([0] * 20 + [value], "[20]"),
    lambda value: ((None, value), "[1]"),
    lambda value: ({"x": value}, "['x']"),
    lambda value: ({(1, "a"): value}, "[(1, 'a')]"),
    lambda value: (OrderedDict(w=value), "['w']"),
    lambda value: (defaultdict(int, {True: value}), "[True]"),
    lambda value: (Pair(value, 0), ".a"),
    lambda value: (deque([1, value]), "[1]"),
    lambda value: (Plain(value), ".x"),
    lambda value: (Slotted(value), ".x"),
    lambda value: (UserDict(x=value), ".data['x']"),
    lambda value: (_in_array(value), "[1]"),
    lambda value: (_in_module(value), ".x"),
    lambda value: (functools.partial(print, value), ".args[0]"),
]


@settings(deadline=None, max_examples=200)
@given(st.lists(st.sampled_from(WRAPS), max_size=DEPTH), st.lists(st.sampled_from(WRAPS), max_size=DEPTH))
@example(WRAPS[:DEPTH], WRAPS[-DEPTH:])
def test_nestings_are_seen_to_the_stated_depth(one: list[Wrap], other: list[Wrap]) -> None:
    """Whatever holds whatever, and both of two that share; ``UserDict`` and ``partial`` take two steps."""
    array = np.ones(3)
    namespace: dict[str, Any] = {"array": array}
    expected, deeper = {"array"}, False
    for root, wraps in (("one", one), ("other", other)):
        value, path = torch.from_numpy(array), ""
        for wrap in wraps:
            value, step = wrap(value)
            path = step + path
        namespace[root] = value
        steps = len(wraps) + path.count(".data") + path.count(".args")
        if steps <= DEPTH:
            expected.add(root + path)
        else:
            deeper = True
    found = snapshot(namespace)
    names = {name for group in found.shares for name in group}
    assert names == (expected if len(expected) > 1 else set())
    assert {value.name for value in found.values if value.buffer == 0} == expected
    assert bool(found.left_out) == deeper


@pytest.mark.parametrize("steps", range(DEPTH + 1, FARTHEST + 4))
def test_what_lies_deeper_is_said(steps: int) -> None:
    """By the name of the last holder that was looked into, however deep it is."""
    nested: Any = np.ones(2)
    for _ in range(steps):
        nested = [nested]
    found = snapshot({"nested": nested})
    assert found.values == ()
    assert found.left_out == ("nested" + "[0]" * DEPTH,)


# --- bounds --------------------------------------------------------------------------------------


def test_rest_of_a_long_holder_is_said() -> None:
    """Only the first ones are listed; what is no array, tensor or holder does not count."""
    tensors = [torch.ones(1) for _ in range(MOST_ITEMS + 1)]
    found = snapshot({"few": [0] * 100 + tensors[:MOST_ITEMS], "many": [0] * 100 + tensors})
    names = [value.name for value in found.values]
    assert names == [f"few[{100 + k}]" for k in range(MOST_ITEMS)] + [
        f"many[{100 + k}]" for k in range(MOST_ITEMS)
    ]
    assert found.left_out == ("many",)


def test_rest_of_a_very_long_holder_is_not_read() -> None:
    """It may have millions of items, and what they are is not known."""
    found = snapshot(
        {
            "whole": [0] * MOST_READ,
            "long": [0] * MOST_READ + [np.ones(1)],
            "keyed": dict.fromkeys(range(MOST_READ + 1)),
        }
    )
    assert (found.values, found.left_out) == ((), ("long", "keyed"))


def test_so_many_values_are_listed_and_no_more() -> None:
    """Ten thousand tensors in a hundred lists."""
    namespace = {f"rows{k}": [torch.ones(1) for _ in range(20)] for k in range(100)}
    found = snapshot({name: [0] * 9 + rows for name, rows in namespace.items()})
    assert len(found.values) == MOST_VALUES
    assert found.left_out[-1] == "rows99"


def test_so_many_holders_are_looked_into_and_no_more() -> None:
    """The variables that were not looked into are named."""
    tree = [[[k] for k in range(30)] for _ in range(30)]
    namespace: dict[str, Any] = {f"tree{k}": copy.deepcopy(tree) for k in range(MOST_HOLDERS // 900 + 1)}
    found = snapshot({**namespace, "last": [[[np.ones(1)]]]})
    assert "last" in found.left_out


def test_cycles_end() -> None:
    """A list in itself, and objects that know one another."""
    code = (
        "loop = [share()]\nloop.append(loop)\none, o = Plain(), Plain()\none.x, one.o, o.o = share(), o, one"
    )
    assert mates(code) == {"loop[0]", "one.x"}


# --- it looks, and does nothing else -------------------------------------------------------------

HOSTILE = """
def refuse(*_, **__):
    raise SystemExit("code of the example ran")

class Hostile:
    x = property(refuse)
    __getattr__ = __getattribute__ = __iter__ = __len__ = __bool__ = __eq__ = __repr__ = __hash__ = refuse
    __dict__ = property(refuse)

class Items(dict):
    __iter__ = __getitem__ = items = keys = values = __len__ = __getattribute__ = refuse

class Row(list):
    __iter__ = __getitem__ = __len__ = refuse

class Group(set):
    __iter__ = __len__ = __contains__ = refuse

class Layer(torch.nn.Module):
    named_parameters = parameters = named_buffers = named_children = children = state_dict = refuse
    scale = property(refuse)

class Meta(type):
    __getattribute__ = __iter__ = __instancecheck__ = __subclasscheck__ = __eq__ = __hash__ = refuse

class Made(metaclass=Meta):
    pass

class Key:
    __repr__ = __str__ = __format__ = refuse

hostile, items, row, group = Hostile(), Items(x=share()), Row([share()]), Group([share()])
layer, made = Layer(), Made()
torch.nn.Module.register_parameter(layer, "w", torch.nn.Parameter(share()))
keyed = {Key(): share()}
"""


def test_no_code_of_an_example_runs() -> None:
    """What it overrides is passed by."""
    assert mates(HOSTILE) == {"items['x']", "row[0]", "group{0}", "layer.w", "keyed's item 1"}


def test_looking_keeps_nothing_alive() -> None:
    """Reference counts are as before, and what is deleted then is gone at once."""
    namespace = run(
        "one = Plain()\none.x = [share()]\nw = torch.ones(1, requires_grad=True)\nw.sum().backward()"
    )
    objects = [namespace["one"], namespace["one"].x, namespace["one"].x[0], namespace["w"].grad]
    before = [sys.getrefcount(one) for one in objects]
    snapshot(namespace)
    assert [sys.getrefcount(one) for one in objects] == before
    reference = weakref.ref(namespace["one"])
    objects.clear()
    del namespace["one"]
    assert reference() is None


def test_looking_collects_no_garbage() -> None:
    """A cycle that nobody holds any more lives as long as it would."""
    namespace = run(
        "loop = Plain()\nloop.loop = loop\ntree = [[[[k]] for k in range(30)] for _ in range(30)]"
    )
    gc.collect()
    reference = weakref.ref(namespace.pop("loop"))
    snapshot(namespace)
    assert reference() is not None
    assert gc.isenabled()


def test_items_of_a_set_come_in_the_same_order_each_time() -> None:
    """Where they lie in a set follows from their addresses; their facts and their mates do not."""
    code = "held = {torch.ones(2), torch.ones(3), share(), share()[1:], torch.ones(2).double()}"
    found = {seen(code) for _ in range(20)}
    assert len(found) == 1


def test_objects_of_a_set_without_order_are_said_to_be_left_out() -> None:
    """Two lists in a tuple would do, two objects in a set have no order."""
    assert seen("a, b = Plain(), Plain()\na.x = b.x = share()\nheld = {a, b}\ndel a, b").left_out == ("held",)
    assert mates("a = Plain()\na.x = share()\nheld = {a}\ndel a") == {"held{0}.x"}


def test_unfinished_module_is_passed_over() -> None:
    """A class that forgot to call ``super().__init__()``."""
    code = "class Held(torch.nn.Module):\n    def __init__(self): pass\nheld = Held()"
    assert [value.name for value in seen(code).values] == ["array"]


def test_gradient_of_a_result_is_asked_for_without_a_warning(recwarn: pytest.WarningsRecorder) -> None:
    """torch warns of results that keep no gradient; one that keeps it is seen."""
    found = seen(
        "x = torch.ones(2, requires_grad=True)\ny, z = x * 2, x * 3\nz.retain_grad()\n(y @ z).backward()"
    )
    assert [value.name for value in found.values if value.held] == ["x.grad", "z.grad"]
    assert list(recwarn) == []
