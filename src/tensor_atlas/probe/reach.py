"""Arrays and tensors that the names of an example reach through holders, with the expressions that do."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from tensor_atlas.model.runs import DEPTH
from tensor_atlas.probe.holders import MOST_READ, Reader, find_reader, is_data, is_set

FARTHEST = 2 * DEPTH
"""Steps that are gone to say where there is more."""
MOST_ITEMS = 32
"""Values and holders of one holder that are looked at."""
MOST_VALUES = 256
"""Values that are listed."""
MOST_HOLDERS = 2000
"""Holders that are looked into."""

Named: TypeAlias = "tuple[str, Any]"
"""An expression, and the value that it reaches."""
Sort: TypeAlias = "Callable[[Sequence[Any], Sequence[Any]], list[Any]]"
"""Puts arrays and tensors of a set in an order that is the same in each run; also gets the others known."""


class Reached(NamedTuple):
    """What a namespace reaches."""

    values: list[Named]
    """Arrays and tensors, those that need the fewest steps first."""
    left_out: tuple[str, ...]
    """Holders in which there is more, or may be."""


class _Holder(NamedTuple):
    """An object that may hold arrays or tensors."""

    name: str
    value: Any
    steps: int
    """Steps from a name to it."""
    listed: str
    """The last holder on the way whose name is at most DEPTH steps long: of it is said what lies deeper."""


def find_reached(namespace: Mapping[str, Any], sort: Sort) -> Reached:
    """Arrays and tensors at most DEPTH steps from a name; a holder that several names reach counts once."""
    walk = _Walk(namespace, sort)
    for name, value in namespace.items():
        if not name.startswith("__"):  # Python's own, and what torch.compile leaves there
            walk.note(name, value, 0, name)
    walk.finish()
    return Reached(walk.values, tuple(walk.left_out))


class _Walk:
    """How far a search has come; the nearest holders come first."""

    def __init__(self, namespace: Mapping[str, Any], sort: Sort) -> None:
        self.values: list[Named] = []
        self.left_out: dict[str, None] = {}
        self._namespace = namespace
        self._sort = sort
        self._holders: deque[_Holder] = deque()
        self._sets: deque[_Holder] = deque()
        self._seen: dict[int, Any] = {}
        """By identity, which the next object might have if these were gone."""
        self._names: dict[int, str] = {}
        """Names of values, by identity."""
        self._count = 0
        # By identity of a class, which might say that it is another.
        self._readers: dict[int, Reader | None] = {}

    def note(self, name: str, value: Any, steps: int, listed: str) -> None:
        """List a value, and put it down as one that may hold others."""
        kind = type(value)
        if is_data(kind):
            if steps <= DEPTH and len(self.values) < MOST_VALUES:
                self.values.append((name, value))
                self._names.setdefault(id(value), name)
            else:
                self.left_out[listed] = None
        if self._find_reader(kind) is not None and id(value) not in self._seen:
            self._seen[id(value)] = value
            holders = self._sets if is_set(kind) else self._holders
            holders.append(_Holder(name, value, steps, name if steps <= DEPTH else listed))

    def _find_reader(self, kind: type) -> Reader | None:
        if id(kind) not in self._readers:
            self._readers[id(kind)] = find_reader(kind, self._namespace)
        return self._readers[id(kind)]

    def finish(self) -> None:
        """Look into all that was put down, and into what that holds; into sets when the rest is known."""
        while self._holders or self._sets:
            holder = (self._holders or self._sets).popleft()
            reader = self._find_reader(type(holder.value))
            if reader is None:
                continue
            self._count += 1
            if self._count > MOST_HOLDERS:
                self._give_up([holder, *self._holders, *self._sets])
                return
            for spell, pairs in reader(holder.value):
                has_order = not is_set(type(holder.value))
                self._look_into(holder, spell, pairs if has_order else self._put_in_order(holder, pairs))

    def _give_up(self, rest: Iterable[_Holder]) -> None:
        """Say of variables that not all of what they hold was looked into."""
        for holder in rest:
            self.left_out[re.split(r"\W", holder.listed, maxsplit=1)[0]] = None

    def _look_into(
        self, holder: _Holder, spell: Callable[[Any], str], pairs: Iterable[tuple[Any, Any]]
    ) -> None:
        found = 0
        for position, (key, value) in enumerate(pairs):
            kind = type(value)
            holds = is_data(kind) or self._find_reader(kind) is not None
            if position == MOST_READ or (holds and (found == MOST_ITEMS or holder.steps >= FARTHEST)):
                self.left_out[holder.listed] = None
                return
            if not holds:
                continue
            found += 1
            self.note(self._spell(holder, spell, key, position), value, holder.steps + 1, holder.listed)

    def _spell(self, holder: _Holder, spell: Callable[[Any], str], key: Any, position: int) -> str:
        """``state['weight']``; ``state[weight]`` where the key is a tensor with a name, else by position."""
        written = spell(key)
        if not written and id(key) in self._names:
            written = f"[{self._names[id(key)]}]"
        return f"{holder.name}{written}" if written else f"{holder.name}'s item {position + 1}"

    def _put_in_order(self, holder: _Holder, pairs: Iterable[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        """Items of a set that count, in the same order in each run; without those that have no order."""
        items = [value for _, value in pairs]
        known = [value for _, value in self.values]
        ordered = self._sort([item for item in items if is_data(type(item))], known)
        others = [item for item in items if not is_data(type(item)) and self._find_reader(type(item))]
        if len(others) > 1:
            self.left_out[holder.listed] = None
            others = []
        return list(enumerate([*ordered, *others]))
