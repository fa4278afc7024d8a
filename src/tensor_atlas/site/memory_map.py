"""Facts of a snapshot → what a map of the memory shows, and after which blocks one is worth drawing; pure.

How a map looks is not decided here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations
from math import prod

from tensor_atlas.examples.parse import Block, Example
from tensor_atlas.model.runs import Run, Snapshot, Value

MOST_NAMES = 6
"""Names on one map; more would drown the picture, and are counted."""
MOST_BARS = 2
"""Buffers on a thumbnail."""
MOST_PIECES = 4096
"""Pieces of a view that are worked out; what has more is not drawn, for a drawing must be exact."""

Piece = tuple[int, int]
"""Half-open range of bytes, counted from the start of a buffer."""
Pair = frozenset[str]
"""Two names."""


@dataclass(frozen=True)
class View:
    """Bytes of one buffer, and the names that see exactly these."""

    names: tuple[str, ...]
    """At least one."""
    pieces: tuple[Piece, ...]
    """Ascending, and with bytes that the names do not see between them."""

    @property
    def nbytes(self) -> int:
        """How many bytes are seen."""
        return sum(stop - start for start, stop in self.pieces)


@dataclass(frozen=True)
class Bar:
    """One buffer."""

    device: str
    """Where it is."""
    nbytes: int
    """Its length in bytes, as far as any live value shows it."""
    itemsize: int
    """Bytes of an element, as its first view has them."""
    views: tuple[View, ...]
    """Who sees which bytes of it."""
    more: int = 0
    """Names that see it too and are not on the map."""

    @property
    def names(self) -> tuple[str, ...]:
        """Everyone on the map who sees some of it."""
        return tuple(name for view in self.views for name in view.names)

    @cached_property
    def pairs(self) -> frozenset[Pair]:
        """Names drawn over a common byte."""
        alike = (pair for view in self.views for pair in combinations(view.names, 2))
        meeting = ((a, b) for a, b in combinations(self.views, 2) if meet(a.pieces, b.pieces))
        crossed = ((one, other) for a, b in meeting for one in a.names for other in b.names)
        return frozenset(frozenset(pair) for pair in (*alike, *crossed))


@dataclass(frozen=True)
class Bare:
    """A name without bytes that could be drawn."""

    name: str
    """The name."""
    why: str
    """Rest of a sentence about it: what it has instead."""


@dataclass(frozen=True)
class MemoryMap:
    """What a drawing shows."""

    bars: tuple[Bar, ...]
    """Buffers, the CPU's first, else in order of first use."""
    bare: tuple[Bare, ...] = ()
    """Names that see no buffer."""
    more: int = 0
    """Names that the block touches and that are neither on the map nor over one of its buffers."""

    @property
    def names(self) -> tuple[str, ...]:
        """Everyone on the map."""
        return (*(name for bar in self.bars for name in bar.names), *(bare.name for bare in self.bare))

    @property
    def variables(self) -> frozenset[str]:
        """Variables through which the names are reached."""
        return frozenset(map(variable, self.names))

    @cached_property
    def pairs(self) -> frozenset[Pair]:
        """Names drawn over a common byte."""
        return frozenset(pair for bar in self.bars for pair in bar.pairs)


# --- bytes ---------------------------------------------------------------------------------------


def pieces_of(value: Value) -> tuple[Piece, ...] | None:
    """Bytes that the elements of a value with memory occupy; None where there are more than MOST_PIECES pieces."""
    assert value.start is not None
    pieces: list[Piece] = [(value.start, value.start + itemsize(value))]
    for step, size in sorted(_axes(value)):
        length = pieces[-1][1] - pieces[0][0]
        if len(pieces) == 1 and step <= length:
            pieces = [(pieces[0][0], pieces[0][1] + step * (size - 1))]
        elif len(pieces) * size > MOST_PIECES:
            return None
        else:
            moved = ((start + step * k, stop + step * k) for k in range(size) for start, stop in pieces)
            pieces = _merged(sorted(moved))
    return tuple(pieces)


def itemsize(value: Value) -> int:
    """Bytes of one element of a value with memory."""
    assert value.start is not None
    assert value.stop is not None
    return value.stop - value.start - sum(step * (size - 1) for step, size in _axes(value))


def _axes(value: Value) -> list[tuple[int, int]]:
    """Bytes between neighbours and elements, for the axes that add a byte; which way an axis runs adds none."""
    axes = zip(
        value.strides or (), value.shape, strict=False
    )  # packed elements have other strides than bytes
    return [(abs(step), size) for step, size in axes if step and size > 1]


def _merged(pieces: Iterable[Piece]) -> list[Piece]:
    """Pieces in order, those that touch or overlap made one."""
    merged: list[Piece] = []
    for start, stop in pieces:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(stop, merged[-1][1]))
        else:
            merged.append((start, stop))
    return merged


def meet(one: Sequence[Piece], other: Sequence[Piece]) -> bool:
    """Whether two views have a byte in common."""
    mine, theirs = 0, 0
    while mine < len(one) and theirs < len(other):
        if max(one[mine][0], other[theirs][0]) < min(one[mine][1], other[theirs][1]):
            return True
        if one[mine][1] <= other[theirs][1]:
            mine += 1
        else:
            theirs += 1
    return False


# --- one map -------------------------------------------------------------------------------------


def map_of(snapshot: Snapshot, touched: Collection[str], beside: Collection[str] = ()) -> MemoryMap | None:
    """Map of the buffers that the variables in ``touched`` and ``beside`` see, and of all others who see them.

    None where nothing is to be drawn, or nothing can be drawn exactly.
    """
    own = [value for value in snapshot.values if variable(value.name) in {*touched, *beside}]
    buffers = list(dict.fromkeys(value.buffer for value in own if value.buffer is not None))
    over = {buffer: _over(snapshot, buffer, touched) for buffer in buffers}
    bare = [Bare(value.name, why_bare(value)) for value in own if value.buffer is None]
    named = [value for values in over.values() for value in values][:MOST_NAMES]
    bare = bare[: MOST_NAMES - len(named)]
    seen = {value.name: pieces_of(value) for value in named}
    if (not seen and not bare) or None in seen.values():
        return None
    bars = [_bar(snapshot, buffer, over[buffer], seen) for buffer in buffers if over[buffer][0] in named]
    undrawn = [value for buffer in buffers if over[buffer][0] not in named for value in over[buffer]]
    more = len(undrawn) + sum(value.buffer is None for value in own) - len(bare)
    bars.sort(key=lambda bar: bar.device != "cpu")
    return MemoryMap(tuple(bars), tuple(bare), more)


def variable(name: str) -> str:
    """Variable through which an expression such as ``batch[0]`` reaches its value."""
    return re.match(r"\w*", name)[0]  # type: ignore[index]  # it matches everything


def _over(snapshot: Snapshot, buffer: int, touched: Collection[str]) -> list[Value]:
    """Values that see a buffer, those that were touched first."""
    values = [value for value in snapshot.values if value.buffer == buffer]
    return sorted(values, key=lambda value: variable(value.name) not in touched)


def _bar(
    snapshot: Snapshot, buffer: int, values: Sequence[Value], seen: Mapping[str, tuple[Piece, ...] | None]
) -> Bar:
    views: dict[tuple[Piece, ...], list[str]] = {}
    drawn = [value for value in snapshot.values if value in values and value.name in seen]
    for value in drawn:
        views.setdefault(seen[value.name] or (), []).append(value.name)
    facts = snapshot.buffers[buffer]
    named = tuple(View(tuple(names), pieces) for pieces, names in views.items())
    return Bar(facts.device, facts.nbytes, itemsize(drawn[0]), named, len(values) - len(drawn))


def why_bare(value: Value) -> str:
    """What a value without bytes has instead, as the rest of a sentence."""
    if value.device == "meta":
        return "has no bytes: it is on the meta device"
    if value.strides is None:
        return "has no bytes that strides could lead through"
    if prod(value.shape) == 0:
        return "has no bytes: it has no elements"
    if value.kind in ("Tensor", "Parameter"):
        return "claims elements that its memory does not hold"
    return f"is a {value.kind}, which tells no memory"


# --- which blocks have one -------------------------------------------------------------------------


def maps_of(example: Example, run: Run) -> dict[int, MemoryMap]:
    """Map by index of block, for each block that brings another answer to who shares what than was drawn before."""
    drawn: dict[int, MemoryMap] = {}
    known: dict[str, Relation] = {}
    for index, (block, snapshot) in enumerate(zip(example.blocks, run.snapshots, strict=False)):
        touched = touched_by(block)
        # Whom a variable shared with when it was drawn last belongs beside it, should they have parted.
        mates = (mate for name in known if variable(name) in touched for mate in known[name].mates)
        found = map_of(snapshot, touched, set(map(variable, mates)))
        if found is not None and _is_news(found, known, sources_in(block)):
            drawn[index] = found
            known.update(relations(found))
    return drawn


def touched_by(block: Block) -> frozenset[str]:
    """Variables that a block names."""
    return frozenset(name for statement in block.statements for name in _variables(statement.code).named)


def sources_in(block: Block) -> dict[str, frozenset[str]]:
    """Variables that a block assigns to, with those that what they were given was made from."""
    made: dict[str, frozenset[str]] = {}
    for target, sources in (
        one for statement in block.statements for one in _variables(statement.code).given
    ):
        made[target] = made.get(target, frozenset()) | sources
    return made


@dataclass(frozen=True)
class _Variables:
    """What a statement does with variables."""

    named: frozenset[str]
    """All that it names."""
    given: tuple[tuple[str, frozenset[str]], ...]
    """Those that it assigns to, each with the variables that its value is made from."""


@lru_cache(maxsize=4096)  # a page asks for each block, and the card of its example for all of them again
def _variables(code: str) -> _Variables:
    tree = ast.parse(code)
    given: list[tuple[str, frozenset[str]]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.For):
            targets, value = [node.target], node.iter
        else:
            continue
        given += [(target, _names(value)) for part in targets for target in _names(part)]
    return _Variables(_names(tree), tuple(given))


def _names(tree: ast.AST) -> frozenset[str]:
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


@dataclass(frozen=True)
class Relation:
    """How a name stands to the others on a map; sizes and places do not belong to it, and are no news."""

    mates: frozenset[str] = frozenset()
    """Names that see the same buffer, itself among them."""
    pairs: frozenset[Pair] = frozenset()
    """Which of them see a common byte."""
    why: str = ""
    """Why it sees no buffer."""


def relations(drawn: MemoryMap) -> dict[str, Relation]:
    """Relation of every name on a map."""
    seeing = {name: Relation(frozenset(bar.names), bar.pairs) for bar in drawn.bars for name in bar.names}
    return {**seeing, **{bare.name: Relation(why=bare.why) for bare in drawn.bare}}


def _is_news(found: MemoryMap, known: Mapping[str, Relation], sources: Mapping[str, Collection[str]]) -> bool:
    """Whether a map says something new of who shares what.

    A value on its own is worth a drawing beside what it was made from, or shared with before; one more value, or one
    number, is not.
    """
    fresh = {name for name, relation in relations(found).items() if known.get(name) != relation}
    alone = {bar.names[0]: bar for bar in found.bars if len(bar.names) == 1}
    scalars = {name for name, bar in alone.items() if bar.nbytes == bar.itemsize}
    made = {
        name for name in fresh if found.variables & set(sources.get(variable(name), ())) - {variable(name)}
    }
    parted = {name for name in alone if name in known and known[name].mates & set(found.names) - {name}}
    bare = {bare.name for bare in found.bare}
    return bool((made - scalars) | (fresh - set(alone) - bare) | parted)


def most_telling(maps: Iterable[MemoryMap]) -> MemoryMap | None:
    """Map that stands for an example: the last on which two names share a byte, else the last; None where none is."""
    drawn = list(maps)
    return next((found for found in reversed(drawn) if found.pairs), drawn[-1] if drawn else None)


def at_a_glance(example: Example, run: Run | None) -> MemoryMap | None:
    """The most telling map of a run, with as many buffers as a glance takes in; None where the run has no map."""
    found = None if run is None else most_telling(maps_of(example, run).values())
    if found is None or len(found.bars) <= MOST_BARS:
        return found
    bars = sorted(found.bars, key=lambda bar: not bar.pairs)[:MOST_BARS]
    left = sum(len(bar.names) for bar in found.bars if bar not in bars)
    return replace(found, bars=tuple(bar for bar in found.bars if bar in bars), more=found.more + left)


# --- in words ------------------------------------------------------------------------------------


def sentences(found: MemoryMap) -> Iterator[str]:
    """All that the drawing shows, in words."""
    for bar in found.bars:
        yield _who_sees(bar)
        yield from (f"{listed(pair)} have no byte in common." for pair in _apart(bar))
        if bar.more:
            yield f"{_more(bar.more)} the same memory."
    for bare in found.bare:
        yield f"{bare.name} {bare.why}."
    if found.more:
        yield f"{found.more} more {'name is' if found.more == 1 else 'names are'} not drawn."


def _more(count: int) -> str:
    return f"{count} more name sees" if count == 1 else f"{count} more names see"


def _who_sees(bar: Bar) -> str:
    where = device_name(bar.device)
    size = amount(bar.nbytes)
    if len(bar.views) == 1 and bar.views[0].nbytes == bar.nbytes:
        if len(bar.names) > 1:
            return f"{listed(bar.names)} share {size} on {where}."
        return (
            f"{bar.names[0]} has {size} on {where}."
            if bar.more
            else f"{bar.names[0]} has {size} of its own on {where}."
        )
    seen = "; ".join(f"{listed(view.names)} {_sees(view, bar)}" for view in bar.views)
    return f"{size[:1].upper()}{size[1:]} on {where}: {seen}."


def _sees(view: View, bar: Bar) -> str:
    """``sees all of them``, ``share 24 of them in 3 pieces, from byte 8``."""
    verb = "see" if len(view.names) > 1 else "sees"
    if view.nbytes == bar.nbytes:
        return f"{verb} all of them"
    return f"{verb} {place(view)}"


def place(view: View) -> str:
    """Where the bytes of a view lie: ``24 bytes from byte 8``, ``3 × 8 bytes from byte 8``."""
    sizes = {stop - start for start, stop in view.pieces}
    count = len(view.pieces)
    if count == 1:
        much = amount(view.nbytes)
    elif len(sizes) == 1:
        much = f"{count:,} × {amount(sizes.pop())}"
    else:
        much = f"{amount(view.nbytes)} in {count:,} pieces"
    return f"{much} from byte {view.pieces[0][0]:,}"


def _apart(bar: Bar) -> Iterator[tuple[str, str]]:
    """Views of one buffer that have no byte in common, by the first name of each."""
    for one, other in combinations(bar.views, 2):
        if not meet(one.pieces, other.pieces):
            yield one.names[0], other.names[0]


def amount(nbytes: int) -> str:
    """``1 byte``, ``16,000 bytes``."""
    return f"{nbytes:,} byte" if nbytes == 1 else f"{nbytes:,} bytes"


def device_name(device: str) -> str:
    """Device inside a sentence."""
    return "the CPU" if device == "cpu" else device


def listed(names: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
