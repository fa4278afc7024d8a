"""Memory maps from the snapshots of a run: buffers, which names see which bytes, and which blocks need a map.

Pure; how a map looks is not decided here.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, combinations, product
from math import prod

from tensor_atlas.examples.parse import Block, Example
from tensor_atlas.examples.trees import read_tree
from tensor_atlas.model.runs import Run, Snapshot, Value

MOST_NAMES = 6
"""Names on one map; more would drown the picture, and are counted."""
MOST_APART = 3
"""Names under a map that have memory of their own."""
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
    """Which names see which bytes of it."""
    more: int = 0
    """Names that see it too and are not on the map."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names on the map that see some of it."""
        return tuple(name for view in self.views for name in view.names)

    @cached_property
    def pairs(self) -> frozenset[Pair]:
        """Names drawn over a common byte."""
        pairs: set[Pair] = set()
        for view in self.views:
            pairs.update(map(frozenset, combinations(view.names, 2)))
        for one, other in combinations(self.views, 2):
            if have_common_byte(one.pieces, other.pieces):
                pairs.update(map(frozenset, product(one.names, other.names)))
        return frozenset(pairs)


@dataclass(frozen=True)
class Bare:
    """A name without bytes that could be drawn."""

    name: str
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
    apart: tuple[str, ...] = ()
    """Held values of which each alone sees its buffer: they are named, and not drawn."""

    @property
    def names(self) -> tuple[str, ...]:
        """Every name on the map."""
        seeing = (name for bar in self.bars for name in bar.names)
        return (*seeing, *(bare.name for bare in self.bare), *self.apart)

    @property
    def variables(self) -> frozenset[str]:
        """Variables through which the names are reached."""
        return frozenset(map(find_variable, self.names))

    @cached_property
    def pairs(self) -> frozenset[Pair]:
        """Names drawn over a common byte."""
        return frozenset(pair for bar in self.bars for pair in bar.pairs)


# --- bytes ---------------------------------------------------------------------------------------


def find_pieces(value: Value) -> tuple[Piece, ...] | None:
    """Bytes that the elements of a value with memory occupy; None for more than MOST_PIECES pieces."""
    assert value.start is not None
    pieces: list[Piece] = [(value.start, value.start + compute_itemsize(value))]
    for step, size in sorted(_find_axes(value)):
        first, last = pieces[0][0], pieces[-1][1]
        if len(pieces) == 1 and step <= last - first:
            pieces = [(first, last + step * (size - 1))]
        elif len(pieces) * size > MOST_PIECES:
            return None
        else:
            moved = ((start + step * k, stop + step * k) for k in range(size) for start, stop in pieces)
            pieces = _merge_pieces(sorted(moved))
    return tuple(pieces)


def compute_itemsize(value: Value) -> int:
    """Bytes of one element of a value with memory."""
    assert value.start is not None
    assert value.stop is not None
    return value.stop - value.start - sum(step * (size - 1) for step, size in _find_axes(value))


def _find_axes(value: Value) -> list[tuple[int, int]]:
    """Bytes between neighbours, and elements, of the axes that add a byte, whichever way they run."""
    # Packed elements have strides in another unit than bytes, and may have fewer of them.
    axes = zip(value.strides or (), value.shape, strict=False)
    return [(abs(step), size) for step, size in axes if step and size > 1]


def _merge_pieces(pieces: Iterable[Piece]) -> list[Piece]:
    """Pieces in order, those that touch or overlap made one."""
    merged: list[Piece] = []
    for start, stop in pieces:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(stop, merged[-1][1]))
        else:
            merged.append((start, stop))
    return merged


def have_common_byte(one: Sequence[Piece], other: Sequence[Piece]) -> bool:
    """Whether two views, as ascending pieces, have a byte in common."""
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


def build_map(snapshot: Snapshot, touched: Collection[str], beside: Collection[str] = ()) -> MemoryMap | None:
    """Map of the buffers that the variables in ``touched`` and ``beside`` see, with all names that see them.

    None where there is nothing to draw, or something cannot be drawn exactly.
    """
    own = [value for value in snapshot.values if find_variable(value.name) in {*touched, *beside}]
    apart = _find_apart(snapshot, own)
    drawable = [value for value in own if value not in apart]
    with_bytes = dict.fromkeys(value.buffer for value in drawable if value.buffer is not None)
    viewers = {buffer: _find_viewers(snapshot, buffer, touched) for buffer in with_bytes}
    drawn = list(chain.from_iterable(viewers.values()))[:MOST_NAMES]
    pieces = {value.name: find_pieces(value) for value in drawn}
    without_bytes = [value for value in drawable if value.buffer is None and not value.held]
    bare = without_bytes[: MOST_NAMES - len(drawn)]
    if None in pieces.values() or not (drawn or bare):
        return None
    exact = {name: parts for name, parts in pieces.items() if parts is not None}
    bars: list[Bar] = []
    more = len(without_bytes) - len(bare)
    for buffer, values in viewers.items():
        if values[0].name in exact:
            bars.append(_build_bar(snapshot, buffer, len(values), exact))
        else:
            more += len(values)
    bars.sort(key=lambda bar: bar.device != "cpu")
    words = tuple(Bare(value.name, explain_missing_bytes(value)) for value in bare)
    return MemoryMap(tuple(bars), words, more, tuple(value.name for value in apart))


def _find_apart(snapshot: Snapshot, own: Iterable[Value]) -> list[Value]:
    """Held values that nothing else in the snapshot shares its memory with."""
    seen = Counter(value.buffer for value in snapshot.values)
    return [value for value in own if value.held and value.buffer is not None and seen[value.buffer] == 1]


def find_variable(name: str) -> str:
    """Variable through which an expression such as ``batch[0]`` reaches its value."""
    return re.match(r"\w*", name)[0]  # type: ignore[index]  # it matches everything


def _find_viewers(snapshot: Snapshot, buffer: int, touched: Collection[str]) -> list[Value]:
    """Values that see a buffer, those that were touched first."""
    values = [value for value in snapshot.values if value.buffer == buffer]
    return sorted(values, key=lambda value: find_variable(value.name) not in touched)


def _build_bar(snapshot: Snapshot, buffer: int, count: int, pieces: Mapping[str, tuple[Piece, ...]]) -> Bar:
    """Bar of a buffer that ``count`` names see, with those of them whose pieces are given."""
    drawn = [value for value in snapshot.values if value.buffer == buffer and value.name in pieces]
    names: dict[tuple[Piece, ...], list[str]] = {}
    for value in drawn:
        names.setdefault(pieces[value.name], []).append(value.name)
    views = tuple(View(tuple(alike), seen) for seen, alike in names.items())
    facts = snapshot.buffers[buffer]
    return Bar(facts.device, facts.nbytes, compute_itemsize(drawn[0]), views, count - len(drawn))


ADDRESSABLE = ("cpu", "cuda")
"""Devices whose tensors tell where their bytes lie."""


def explain_missing_bytes(value: Value) -> str:
    """What a value without bytes has instead, as the rest of a sentence."""
    if value.device == "meta":
        return "has no bytes: it is on the meta device"
    if value.strides is None:
        return "has no bytes that strides describe"
    if prod(value.shape) == 0:
        return "has no bytes: it has no elements"
    device = value.device.partition(":")[0]
    if device not in ADDRESSABLE:
        return f"is on {device}, where memory addresses are hidden"
    if value.kind in ("Tensor", "Parameter"):
        return "describes more elements than its memory holds"
    return f"is a {value.kind}, whose memory cannot be seen"


# --- which blocks have one -------------------------------------------------------------------------


def build_maps(example: Example, run: Run) -> dict[int, MemoryMap]:
    """Map by index of block, for each block that changes which names share memory with which."""
    maps: dict[int, MemoryMap] = {}
    known: dict[str, Relation] = {}
    for index, block in enumerate(example.blocks):
        snapshot = run.snapshot(index)
        if snapshot is None:
            continue
        touched = find_touched_variables(block)
        # A variable stands beside those that it last shared memory with, in case it no longer does.
        mates: set[str] = set()
        for name, relation in known.items():
            if find_variable(name) in touched:
                mates |= relation.mates
        memory_map = build_map(snapshot, touched, set(map(find_variable, mates)))
        if memory_map is not None and _is_news(memory_map, known, find_value_sources(block)):
            maps[index] = memory_map
            known.update(relate_names(memory_map))
    return maps


def find_touched_variables(block: Block) -> frozenset[str]:
    """Variables that a block names."""
    return frozenset().union(*(_find_names(_parse(statement.code)) for statement in block.statements))


def find_value_sources(block: Block) -> dict[str, frozenset[str]]:
    """Variables that a block assigns to, each with the variables that its value is made from."""
    sources: dict[str, frozenset[str]] = {}
    nodes = chain.from_iterable(ast.walk(_parse(statement.code)) for statement in block.statements)
    for node in nodes:
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.For):
            targets, value = [node.target], node.iter
        else:
            continue
        for name in chain.from_iterable(map(_find_names, targets)):
            sources[name] = sources.get(name, frozenset()) | _find_names(value)
    return sources


_parse = lru_cache(maxsize=4096)(read_tree)  # a page asks for each block, the card of its example again


def _find_names(tree: ast.AST) -> frozenset[str]:
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


@dataclass(frozen=True)
class Relation:
    """How a name stands to the others on a map; sizes and offsets do not belong to it, and are no news."""

    mates: frozenset[str] = frozenset()
    """Names that see the same buffer, itself among them."""
    pairs: frozenset[Pair] = frozenset()
    """Which of them see a common byte."""
    why: str = ""
    """Why it sees no buffer."""


def relate_names(memory_map: MemoryMap) -> dict[str, Relation]:
    """Relation of every name on a map."""
    relations: dict[str, Relation] = {}
    for bar in memory_map.bars:
        relations |= dict.fromkeys(bar.names, Relation(frozenset(bar.names), bar.pairs))
    for bare in memory_map.bare:
        relations[bare.name] = Relation(why=bare.why)
    for name in memory_map.apart:
        relations[name] = Relation(frozenset([name]))
    return relations


def _is_news(
    memory_map: MemoryMap, known: Mapping[str, Relation], sources: Mapping[str, Collection[str]]
) -> bool:
    """Whether a map says something new of who shares what.

    A value with a buffer of its own is news beside what it was made from or shared with before;
    not for itself, and not where it is one number.
    """
    relations = relate_names(memory_map)
    fresh = {name for name, relation in relations.items() if known.get(name) != relation}
    alone = {bar.names[0]: bar for bar in memory_map.bars if len(bar.names) == 1}
    by_themselves = {*alone, *memory_map.apart}
    without_bytes = {bare.name for bare in memory_map.bare}
    if fresh - by_themselves - without_bytes:
        return True
    parted = (name for name in by_themselves if name in known)
    if any(known[name].mates & set(memory_map.names) - {name} for name in parted):
        return True
    scalars = {name for name, bar in alone.items() if bar.nbytes == bar.itemsize}
    for variable in map(find_variable, fresh - scalars):
        if memory_map.variables & set(sources.get(variable, ())) - {variable}:
            return True
    return False


# --- in words ------------------------------------------------------------------------------------


def describe_map(memory_map: MemoryMap) -> Iterator[str]:
    """All that the drawing shows, in words."""
    for bar in memory_map.bars:
        yield _describe_bar(bar)
        for one, other in combinations(bar.views, 2):
            if not have_common_byte(one.pieces, other.pieces):
                yield f"{one.names[0]} and {other.names[0]} have no byte in common."
        if bar.more:
            yield f"{bar.more} more {'name sees' if bar.more == 1 else 'names see'} the same memory."
    for bare in memory_map.bare:
        yield f"{bare.name} {bare.why}."
    if memory_map.apart:
        yield describe_apart(memory_map.apart)
    if memory_map.more:
        yield f"{memory_map.more} more {'name is' if memory_map.more == 1 else 'names are'} not drawn."


def describe_apart(names: Sequence[str]) -> str:
    """``layer.weight, layer.bias and 8 more have memory of their own``, as a sentence."""
    if len(names) == 1:
        return f"{names[0]} has memory of its own."
    left = len(names) - MOST_APART
    listed = names if left <= 0 else [*names[:MOST_APART], f"{left} more"]
    return f"{join_with_and(listed)} have memory of their own."


def _describe_bar(bar: Bar) -> str:
    """Which names see a buffer, as one sentence."""
    device = name_device(bar.device)
    size = format_byte_count(bar.nbytes)
    if len(bar.views) > 1 or bar.views[0].nbytes != bar.nbytes:
        seen = "; ".join(f"{join_with_and(view.names)} {_describe_view(view, bar)}" for view in bar.views)
        return f"{size} on {device}: {seen}."
    if len(bar.names) > 1:
        return f"{join_with_and(bar.names)} share {size} on {device}."
    own = "" if bar.more else " of its own"
    return f"{bar.names[0]} has {size}{own} on {device}."


def _describe_view(view: View, bar: Bar) -> str:
    """``sees all of them``, ``see 3 × 8 bytes from byte 8``."""
    verb = "see" if len(view.names) > 1 else "sees"
    if view.nbytes == bar.nbytes:
        return f"{verb} all of them"
    return f"{verb} {describe_pieces(view)}"


def describe_pieces(view: View) -> str:
    """Which bytes a view sees: ``24 bytes from byte 8``, ``3 × 8 bytes from byte 8``."""
    sizes = {stop - start for start, stop in view.pieces}
    count = len(view.pieces)
    if count == 1:
        size = format_byte_count(view.nbytes)
    elif len(sizes) == 1:
        size = f"{count:,} × {format_byte_count(sizes.pop())}"
    else:
        size = f"{format_byte_count(view.nbytes)} in {count:,} pieces"
    return f"{size} from byte {view.pieces[0][0]:,}"


def format_byte_count(nbytes: int) -> str:
    """``1 byte``, ``16,000 bytes``."""
    return f"{nbytes:,} byte" if nbytes == 1 else f"{nbytes:,} bytes"


def name_device(device: str) -> str:
    """Device inside a sentence."""
    return "the CPU" if device == "cpu" else device


def join_with_and(names: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
