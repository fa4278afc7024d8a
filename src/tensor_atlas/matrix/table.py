"""Rows → the matrix as its pages show it: each cell over all environments, what changed when, how many of what; pure.

Nothing is filled forward: what an environment has not tried is listed as not tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import pairwise

from packaging.version import Version

from tensor_atlas.catalogue.conversions import CONVERSIONS, Conversion, Group, render_call
from tensor_atlas.catalogue.sources import BARE_BITS, SOURCES, Form, Source
from tensor_atlas.history.cell_changes import classify_change, describe_outcome
from tensor_atlas.history.changes import Severity
from tensor_atlas.history.releases import (
    ReleaseStep,
    age_key,
    is_compatible,
    join_names,
    minor_release,
    newest_environment,
    numpy_steps,
    python_minor,
    python_steps,
    release_line,
    sort_steps,
    torch_release,
)
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.runs import Environment
from tensor_atlas.records.matrix_rows import Row
from tensor_atlas.records.store import Store

IMPORTS = "import numpy as np\nimport torch"
"""What the code of every cell relies on."""


class SourceKind(StrEnum):
    """What sources have in common, as the pages group them."""

    ARRAY_DTYPES = "Arrays by dtype"
    ARRAY_LAYOUTS = "Arrays by layout"
    SCALARS = "Scalars"
    SEQUENCES = "Sequences"
    BUFFERS = "Buffers"
    TENSOR_DTYPES = "Tensors by dtype"
    BITS = "Tensors of bare bits"
    TENSOR_LAYOUTS = "Tensors by layout"
    DEVICE = "Pinned and CUDA tensors"


_PLAIN = {
    Form.SCALAR: SourceKind.SCALARS,
    Form.SEQUENCE: SourceKind.SEQUENCES,
    Form.BUFFER: SourceKind.BUFFERS,
}


def source_kind(source: Source) -> SourceKind:
    """The kind that a source is shown under."""
    if source.form in _PLAIN:
        return _PLAIN[source.form]
    is_plain = source.layout == "contiguous"
    if source.form is Form.ARRAY:
        return SourceKind.ARRAY_DTYPES if is_plain else SourceKind.ARRAY_LAYOUTS
    if source.needs:
        return SourceKind.DEVICE
    return (
        SourceKind.BITS
        if source.layout == BARE_BITS
        else SourceKind.TENSOR_DTYPES
        if is_plain
        else SourceKind.TENSOR_LAYOUTS
    )


@dataclass(frozen=True)
class Variant:
    """What some environments did with one cell."""

    cell: Cell
    """What they did."""
    environments: tuple[Environment, ...]
    """Who, the oldest first."""


@dataclass(frozen=True)
class CellChange:
    """What one step from release to release did to one cell."""

    step: ReleaseStep
    """The environments, which both tried it."""
    severity: Severity
    """How grave it is."""
    before: str
    """What it did, as far as that changed."""
    after: str
    """What it does."""


Point = tuple[Environment, int]
"""An environment, and which of the things that were done with a cell it did."""


@dataclass(frozen=True, eq=False)
class Pattern:
    """Who did alike, whatever they did: few patterns cover all cells, so what follows from one is worked out once."""

    everyone: tuple[Environment, ...]
    """The environments of the matrix, the oldest first."""
    alike: tuple[tuple[Environment, ...], ...]
    """Those who did one thing, the oldest first; the thing that the newest did comes first."""

    @cached_property
    def shown(self) -> Environment:
        """The newest environment that tried it."""
        return max(self.alike[0], key=_ranks(self.everyone).__getitem__)

    @cached_property
    def points(self) -> dict[Environment, int]:
        """Which thing each environment did, the oldest first."""
        found = {environment: i for i, where in enumerate(self.alike) for environment in where}
        return {environment: found[environment] for environment in self.everyone if environment in found}

    @cached_property
    def untried(self) -> tuple[Environment, ...]:
        """Environments of the matrix that have not tried it."""
        return tuple(environment for environment in self.everyone if environment not in self.points)

    @cached_property
    def places(self) -> tuple[str, ...]:
        """Those who did each thing, by their place among everyone: ``0 1 4``."""
        place = {environment: str(i) for i, environment in enumerate(self.everyone)}
        return tuple(" ".join(place[environment] for environment in where) for where in self.alike)

    @cached_property
    def lines(self) -> list[list[Point]]:
        """On each device, what each release did, oldest first, without those of another build whose words go again."""
        found = []
        for line_ in _of_devices(tuple(self.points)):
            points = [(environment, self.points[environment]) for environment in line_]
            found.append([p for i, p in enumerate(points) if not _bounces(points[max(i - 1, 0) : i + 2])])
        return found

    @cached_property
    def steps(self) -> list[tuple[ReleaseStep, int, int]]:
        """Steps from release to release of torch that changed something: what was done before, and what after."""
        steps = [
            (ReleaseStep(a, b), i, j) for line_ in self.lines for (a, i), (b, j) in pairwise(line_) if i != j
        ]
        return [found for found in steps if not found[0].is_of_numpy and not found[0].is_of_python]

    @cached_property
    def other_steps(self) -> list[tuple[ReleaseStep, int, int]]:
        """Those from one NumPy to another, newest torch first, then those from one Python to another."""
        steps = _other_steps(tuple(self.points))
        found = ((step, self.points[step.before], self.points[step.after]) for step in steps)
        return [(step, i, j) for step, i, j in found if i != j]


@dataclass(frozen=True, eq=False)
class Entry:
    """One cell, over all environments that tried it."""

    conversion: Conversion
    """What was done."""
    source: Source
    """To what."""
    pattern: Pattern
    """Who did alike."""
    cells: tuple[Cell, ...]
    """What they did, in the order of the pattern."""

    @property
    def cell(self) -> Cell:
        """What the newest environment did."""
        return self.cells[0]

    @property
    def shown(self) -> Environment:
        """The newest environment that tried it."""
        return self.pattern.shown

    @property
    def variants(self) -> tuple[Variant, ...]:
        """What was done there, then what others did otherwise, the newest first."""
        return tuple(map(Variant, self.cells, self.pattern.alike))

    @property
    def untried(self) -> tuple[Environment, ...]:
        """Environments of the matrix that have not tried it."""
        return self.pattern.untried

    @property
    def script(self) -> str:
        """The code that ran, whole."""
        return f"{IMPORTS}\n\n{self.source.code}\n\n{render_call(self.conversion, self.source)}\n"

    def at(self, environment: Environment) -> Cell | None:
        """What one environment did; None where it has not tried."""
        index = self.pattern.points.get(environment)
        return None if index is None else self.cells[index]

    @cached_property
    def changes(self) -> tuple[CellChange, ...]:
        """What changed from release to release on each device, then what NumPy and Python alone did; oldest first."""
        return tuple(_changes(self)) if len(self.cells) > 1 else ()

    @property
    def story(self) -> str:
        """``raises (TypeError) until 2.2, shares memory since 2.3``; empty where all releases do alike."""
        return _story(self.pattern, tuple(map(describe_outcome, self.cells))) if len(self.cells) > 1 else ""

    @property
    def mark(self) -> str:
        """The release that last changed its behaviour: ``torch 2.3``; empty where none did."""
        steps = [change.step for change in self.changes if change.severity.is_behaviour]
        return max(steps, key=lambda step: age_key(step.after)).name if steps else ""


@dataclass(frozen=True)
class Matrix:
    """Every cell that was tried."""

    environments: tuple[Environment, ...] = ()
    """Who tried any, the oldest first."""
    rows: Mapping[str, Mapping[str, Entry]] = field(default_factory=dict)
    """By conversion, then by source, both in their own order."""
    days: tuple[str, ...] = ()
    """First and last day on which cells were first seen as they are."""

    @cached_property
    def shown(self) -> Environment | None:
        """The environment that a reader without a choice is shown."""
        return newest_environment(self.environments)

    @cached_property
    def columns(self) -> dict[str, dict[str, Entry]]:
        """By source, then by conversion, both in their own order."""
        found: dict[str, dict[str, Entry]] = {source.name: {} for source in SOURCES}
        for conversion, row in self.rows.items():
            for source, entry in row.items():
                found[source][conversion] = entry
        return {source: column for source, column in found.items() if column}

    @property
    def size(self) -> int:
        """How many cells there are, each counted once for all environments."""
        return sum(map(len, self.rows.values()))


# --- from rows ---------------------------------------------------------------------------------


def build_matrix(store: Store) -> Matrix:
    """The matrix of what is recorded of the present conversions and sources."""
    tried = {name for row in store.rows.values() for name in row.cells}
    environments = tuple(sorted((store.environments[name] for name in tried), key=age_key))
    rows = {
        c.name: _entries(c, store.rows[c.name], environments) for c in CONVERSIONS if c.name in store.rows
    }
    days = sorted({day for row in store.rows.values() for day in row.dates.values()})
    return Matrix(environments, {name: row for name, row in rows.items() if row}, tuple(days[:1] + days[-1:]))


def _entries(conversion: Conversion, row: Row, environments: tuple[Environment, ...]) -> dict[str, Entry]:
    """Cells of one conversion, by source."""
    alike: dict[int, tuple[Mapping[str, Cell], list[Environment]]] = {}
    for environment in environments:
        if environment.id in row.cells:
            cells = row.cells[environment.id]
            alike.setdefault(id(cells), (cells, []))[1].append(environment)  # a row folds who did all alike
    tried = [cells for cells, _ in alike.values()]
    groups = tuple(tuple(where) for _, where in alike.values())
    patterns: dict[tuple[int, ...], tuple[Pattern, tuple[int, ...]]] = {}
    found = {}
    for source in SOURCES:
        done, by_group = _told_apart([cells.get(source.name) for cells in tried])
        if done:
            if by_group not in patterns:
                patterns[by_group] = _pattern(environments, groups, by_group)
            pattern, order = patterns[by_group]
            found[source.name] = Entry(conversion, source, pattern, tuple(done[i] for i in order))
    return found


def _told_apart(cells: Sequence[Cell | None]) -> tuple[list[Cell], tuple[int, ...]]:
    """Cells that differ, and the place among them of each that was given; -1 for what was not tried."""
    different: list[Cell] = []
    places = []
    for cell in cells:
        if cell is None:
            places.append(-1)
        else:
            place = next(
                (i for i, other in enumerate(different) if other is cell or other == cell), len(different)
            )
            different += [cell] if place == len(different) else []
            places.append(place)
    return different, tuple(places)


@lru_cache(maxsize=65536)
def _pattern(
    everyone: tuple[Environment, ...], groups: tuple[tuple[Environment, ...], ...], places: tuple[int, ...]
) -> tuple[Pattern, tuple[int, ...]]:
    """Pattern of groups that did the things at ``places``, and the order of those things in it: the newest first."""
    ranks = _ranks(everyone)
    where = [
        [e for group, place in zip(groups, places, strict=True) if place == i for e in group]
        for i in range(max(places) + 1)
    ]
    order = sorted(range(len(where)), key=lambda i: max(map(ranks.__getitem__, where[i])), reverse=True)
    return _interned(everyone, tuple(tuple(sorted(where[i], key=age_key)) for i in order)), tuple(order)


@lru_cache(maxsize=65536)
def _interned(everyone: tuple[Environment, ...], alike: tuple[tuple[Environment, ...], ...]) -> Pattern:
    return Pattern(everyone, alike)


@lru_cache(maxsize=4)
def _ranks(environments: tuple[Environment, ...]) -> dict[Environment, int]:
    """Place of each environment in the order in which ``newest`` would choose it, the last being first choice."""
    chosen = sorted(environments, key=lambda e: (torch_release(e), e.kind == "cpu", age_key(e)))
    return {environment: place for place, environment in enumerate(chosen)}


# --- what changed ------------------------------------------------------------------------------


def _changes(entry: Entry) -> Iterator[CellChange]:
    for step, i, j in entry.pattern.steps:
        if told := _told(entry.cells[i], entry.cells[j]):
            yield CellChange(step, *told)
    yield from _beside_torch(entry)


def _told(then: Cell, now: Cell) -> tuple[Severity, str, str] | None:
    """What changed; None where only the proof is another: that is how something is known, and no behaviour."""
    severity, before, after = classify_change(then, now)
    is_proof = severity is Severity.WORDING and then.proof is not now.proof and then.error == now.error
    return None if is_proof else (severity, before, after)


@lru_cache(maxsize=512)
def _of_devices(environments: tuple[Environment, ...]) -> tuple[tuple[Environment, ...], ...]:
    devices = dict.fromkeys(e.device for e in environments)
    return tuple(tuple(release_line(e for e in environments if e.device == device)) for device in devices)


def _bounces(points: Sequence[Point]) -> bool:
    """Whether a release recorded with another build than both its neighbours does what neither of them does.

    A CPU build between two CUDA builds says some things in its own words: that is no change of a release.
    """
    if len(points) < 3:
        return False
    builds = [environment.cuda is not None for environment, _ in points]
    return builds[1] not in (builds[0], builds[2]) and points[0][1] == points[2][1]


def _beside_torch(entry: Entry) -> Iterator[CellChange]:
    """Changes that NumPy or Python alone has made; where two torch releases show one change, the newer tells it.

    So does the nearer, where an older torch was tried with fewer releases of NumPy and the change lies in a gap.
    """
    known: dict[tuple[object, ...], list[Version]] = {}
    for step, i, j in entry.pattern.other_steps:
        if told := _told(entry.cells[i], entry.cells[j]):
            ends = [python_minor(e) if step.is_of_python else e.numpy for e in (step.before, step.after)]
            first, last = map(Version, ends)
            releases = known.setdefault((step.is_of_python, *told), [])
            if not any(first < release <= last for release in releases):
                releases.append(last)
                yield CellChange(step, *told)


@lru_cache(maxsize=512)
def _other_steps(environments: tuple[Environment, ...]) -> tuple[ReleaseStep, ...]:
    fitting = [e for e in environments if is_compatible(e)]
    return (*reversed(sort_steps(numpy_steps(fitting))), *reversed(sort_steps(python_steps(fitting))))


@lru_cache(maxsize=65536)
def _story(pattern: Pattern, words: tuple[str, ...]) -> str:
    """What the longest line of releases did, one outcome after another."""
    phases: list[list[Point]] = []
    for point in max(pattern.lines, key=len, default=[]):
        if phases and words[phases[-1][-1][1]] == words[point[1]]:
            phases[-1].append(point)
        else:
            phases.append([point])
    if len(phases) < 2:
        return ""
    return ", ".join(_phase(phases, index, words) for index in range(len(phases)))


def _phase(phases: Sequence[Sequence[Point]], index: int, outcomes: Sequence[str]) -> str:
    first, last = phases[index][0][0], phases[index][-1][0]
    words = outcomes[phases[index][0][1]]
    before = [phases[index - 1][-1][0]] if index else []
    after = [phases[index + 1][0][0]] if index < len(phases) - 1 else []
    if not before:
        return f"{words} until {_release(last, after)}"
    if not after:
        return f"{words} since {_release(first, before)}"
    since, until = _release(first, before), _release(last, after)
    if first == last:
        since = until = _release(first, [*before, *after])
    return f"{words} in {since}" if since == until else f"{words} from {since} to {until}"


def _release(environment: Environment, neighbours: Iterable[Environment]) -> str:
    """``2.3``; with its NumPy where a neighbour has this torch with another, and with its Python likewise."""
    torch = minor_release(environment.torch)
    alike = [e for e in neighbours if minor_release(e.torch) == torch]
    numpy = (
        [f"NumPy {minor_release(environment.numpy)}"]
        if any(e.numpy != environment.numpy for e in alike)
        else []
    )
    own = (
        [f"Python {python_minor(environment)}"]
        if any(python_minor(e) != python_minor(environment) for e in alike)
        else []
    )
    return join_names([torch, *numpy, *own])


@dataclass(frozen=True)
class SharedChange:
    """A change that several cells of one row have in common."""

    name: str
    """What was new: ``torch 2.3``."""
    severity: Severity
    """How grave it is."""
    before: str
    """What they did."""
    after: str
    """What they do."""
    entries: tuple[Entry, ...]
    """The cells."""


def group_changes(entries: Iterable[Entry]) -> tuple[SharedChange, ...]:
    """What changed in some cells, told once for those it is the same for: newest release first, then gravest."""
    found: dict[tuple[str, Severity, str, str], list[Entry]] = {}
    newest_of: dict[str, Environment] = {}
    for entry in entries:
        for one in entry.changes:
            members = found.setdefault((one.step.name, one.severity, one.before, one.after), [])
            members += [] if entry in members[-1:] else [entry]
            newest_of[one.step.name] = max(
                one.step.after, newest_of.get(one.step.name, one.step.after), key=age_key
            )
    groups = [SharedChange(*key, tuple(members)) for key, members in found.items()]
    groups.sort(key=lambda t: (t.severity.rank, -len(t.entries)))
    return tuple(sorted(groups, key=lambda t: age_key(newest_of[t.name]), reverse=True))


# --- how many of what --------------------------------------------------------------------------

BEST_FIRST = tuple(Outcome)
"""Outcomes in the order in which a reader wants them: as listed, nothing copied before copied before refused."""


def count_outcomes(entries: Iterable[Entry]) -> dict[Outcome, int]:
    """How many cells have each outcome in the newest environment that tried them, best first."""
    found = Counter(entry.cell.outcome for entry in entries)
    return {outcome: found[outcome] for outcome in BEST_FIRST if found[outcome]}


def sort_best_first(entries: Iterable[Entry]) -> list[Entry]:
    """Entries by outcome, those without a warning before those with one; else in their own order."""
    return sorted(entries, key=lambda e: (BEST_FIRST.index(e.cell.outcome), bool(e.cell.warnings)))


def group_by_kind(entries: Iterable[Entry]) -> dict[SourceKind, list[Entry]]:
    """Entries by the kind of their source, in the order of the kinds."""
    found: dict[SourceKind, list[Entry]] = {kind_: [] for kind_ in SourceKind}
    for entry in entries:
        found[source_kind(entry.source)].append(entry)
    return {kind_: members for kind_, members in found.items() if members}


def group_by_group(entries: Iterable[Entry]) -> dict[Group, list[Entry]]:
    """Entries by the group of their conversion, in the order of the groups."""
    found: dict[Group, list[Entry]] = {group: [] for group in Group}
    for entry in entries:
        found[entry.conversion.group].append(entry)
    return {group: members for group, members in found.items() if members}


def group_by_family(entries: Iterable[Conversion]) -> dict[tuple[Group, str], list[Conversion]]:
    """Conversions by group and family: two groups may have a family of one name."""
    found: dict[tuple[Group, str], list[Conversion]] = {}
    for conversion in entries:
        found.setdefault((conversion.group, conversion.family), []).append(conversion)
    return found


def find_unrecorded(matrix: Matrix) -> tuple[list[Conversion], list[Source]]:
    """Conversions and sources that no environment has tried."""
    conversions = [conversion for conversion in CONVERSIONS if conversion.name not in matrix.rows]
    return conversions, [source for source in SOURCES if source.name not in matrix.columns]
