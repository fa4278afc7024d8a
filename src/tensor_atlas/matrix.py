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

from tensor_atlas.cell_changes import change, outcome_words
from tensor_atlas.changes import Severity
from tensor_atlas.probe.matrix.cell import Cell, Outcome
from tensor_atlas.probe.matrix.conversions import CONVERSIONS, Conversion, Group, lines
from tensor_atlas.probe.matrix.sources import BARE_BITS, SOURCES, Form, Source
from tensor_atlas.probe.record import Environment
from tensor_atlas.releases import Step, age, fits, line, minor, newest, numpy_steps, torch_release
from tensor_atlas.rows import Row
from tensor_atlas.store import Store

IMPORTS = "import numpy as np\nimport torch"
"""What the code of every cell relies on."""


class Kind(StrEnum):
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


_PLAIN = {Form.SCALAR: Kind.SCALARS, Form.SEQUENCE: Kind.SEQUENCES, Form.BUFFER: Kind.BUFFERS}


def kind(source: Source) -> Kind:
    """The kind that a source is shown under."""
    if source.form in _PLAIN:
        return _PLAIN[source.form]
    is_plain = source.layout == "contiguous"
    if source.form is Form.ARRAY:
        return Kind.ARRAY_DTYPES if is_plain else Kind.ARRAY_LAYOUTS
    if source.needs:
        return Kind.DEVICE
    return Kind.BITS if source.layout == BARE_BITS else Kind.TENSOR_DTYPES if is_plain else Kind.TENSOR_LAYOUTS


Point = tuple[Environment, Cell]
"""What one environment did."""


@dataclass(frozen=True)
class Variant:
    """What some environments did with one cell."""

    cell: Cell
    """What they did."""
    environments: tuple[Environment, ...]
    """Who, the oldest first."""


@dataclass(frozen=True)
class Change:
    """What one step from release to release did to one cell."""

    step: Step
    """The environments, which both tried it."""
    severity: Severity
    """How grave it is."""
    before: str
    """What it did, as far as that changed."""
    after: str
    """What it does."""


@dataclass(frozen=True, eq=False)
class Entry:
    """One cell, over all environments that tried it."""

    conversion: Conversion
    """What was done."""
    source: Source
    """To what."""
    shown: Environment
    """The newest environment that tried it."""
    variants: tuple[Variant, ...]
    """What was done there, then what others did otherwise, the newest first."""
    untried: tuple[Environment, ...]
    """Environments of the matrix that have not tried it."""

    @property
    def cell(self) -> Cell:
        """What the newest environment did."""
        return self.variants[0].cell

    @property
    def script(self) -> str:
        """The code that ran, whole."""
        return f"{IMPORTS}\n\n{self.source.code}\n\n{lines(self.conversion, self.source)}\n"

    def at(self, environment: Environment) -> Cell | None:
        """What one environment did; None where it has not tried."""
        return self.cells.get(environment)

    @cached_property
    def cells(self) -> dict[Environment, Cell]:
        """What each environment did, the oldest first."""
        found = {e: variant.cell for variant in self.variants for e in variant.environments}
        return {environment: found[environment] for environment in _by_age(tuple(found))}

    @cached_property
    def lines(self) -> list[list[Point]]:
        """On each device, what each release did, oldest first, without those of another build whose words go again."""
        found = []
        for line_ in _of_devices(tuple(self.cells)):
            points = [(environment, self.cells[environment]) for environment in line_]
            found.append([p for i, p in enumerate(points) if not _bounces(points[max(i - 1, 0) : i + 2])])
        return found

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """What changed from release to release on each device, then what NumPy alone changed; oldest first."""
        return tuple(_changes(self)) if len(self.variants) > 1 else ()

    @cached_property
    def story(self) -> str:
        """``raises (TypeError) until 2.2, shares memory since 2.3``; empty where all releases do alike."""
        return _story(self) if len(self.variants) > 1 else ""

    @property
    def mark(self) -> str:
        """The release that last changed its behaviour: ``torch 2.3``; empty where none did."""
        steps = [change.step for change in self.changes if change.severity.is_behaviour]
        return max(steps, key=lambda step: age(step.after)).name if steps else ""


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
        return newest(self.environments)

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


def view(store: Store) -> Matrix:
    """The matrix of what is recorded of the present conversions and sources."""
    tried = {name for row in store.rows.values() for name in row.cells}
    environments = tuple(sorted((store.environments[name] for name in tried), key=age))
    rows = {c.name: _entries(c, store.rows[c.name], environments) for c in CONVERSIONS if c.name in store.rows}
    days = sorted({day for row in store.rows.values() for day in row.dates.values()})
    return Matrix(environments, {name: row for name, row in rows.items() if row}, tuple(days[:1] + days[-1:]))


def _entries(conversion: Conversion, row: Row, environments: Sequence[Environment]) -> dict[str, Entry]:
    """Cells of one conversion, by source."""
    alike: dict[int, tuple[Mapping[str, Cell], list[Environment]]] = {}
    for environment in environments:
        if environment.id in row.cells:
            cells = row.cells[environment.id]
            alike.setdefault(id(cells), (cells, []))[1].append(environment)  # a row folds who did all alike
    groups = list(alike.values())
    found = ((s, _entry(conversion, s, groups, tuple(environments))) for s in SOURCES)
    return {source.name: entry for source, entry in found if entry is not None}


def _entry(
    conversion: Conversion,
    source: Source,
    groups: Sequence[tuple[Mapping[str, Cell], Sequence[Environment]]],
    everyone: tuple[Environment, ...],
) -> Entry | None:
    variants: list[tuple[Cell, list[Environment]]] = []
    for cells, environments in groups:
        if source.name in cells:
            cell = cells[source.name]
            known = next((where for other, where in variants if other is cell or other == cell), None)
            if known is None:
                variants.append((cell, list(environments)))
            else:
                known.extend(environments)
    return _of_variants(conversion, source, variants, everyone) if variants else None


def _of_variants(
    conversion: Conversion,
    source: Source,
    variants: Sequence[tuple[Cell, Sequence[Environment]]],
    everyone: tuple[Environment, ...],
) -> Entry:
    """Entry of what was done by whom, the newest first."""
    ranks = _ranks(everyone)
    last = [max(where, key=ranks.__getitem__) for _, where in variants]
    order = sorted(range(len(variants)), key=lambda i: ranks[last[i]], reverse=True)
    ordered = tuple(Variant(variants[i][0], _by_age(tuple(variants[i][1]))) for i in order)
    untried = () if sum(len(where) for _, where in variants) == len(everyone) else _untried(ordered, everyone)
    return Entry(conversion, source, last[order[0]], ordered, untried)


def _untried(variants: Iterable[Variant], everyone: Iterable[Environment]) -> tuple[Environment, ...]:
    there = {environment for variant in variants for environment in variant.environments}
    return tuple(environment for environment in everyone if environment not in there)


@lru_cache(maxsize=4096)
def _by_age(environments: tuple[Environment, ...]) -> tuple[Environment, ...]:
    return tuple(sorted(environments, key=age))


@lru_cache(maxsize=4)
def _ranks(environments: tuple[Environment, ...]) -> dict[Environment, int]:
    """Place of each environment in the order in which ``newest`` would choose it, the last being first choice."""
    chosen = sorted(environments, key=lambda e: (torch_release(e), e.kind == "cpu", age(e)))
    return {environment: place for place, environment in enumerate(chosen)}


# --- what changed ------------------------------------------------------------------------------


def _changes(entry: Entry) -> Iterator[Change]:
    for points in entry.lines:
        for (before, then), (after, now) in pairwise(points):
            step = Step(before, after)
            if then != now and not step.is_of_numpy and (told := _told(then, now)):
                yield Change(step, *told)
    yield from _of_numpy(entry)


def _told(then: Cell, now: Cell) -> tuple[Severity, str, str] | None:
    """What changed; None where only the proof is another: that is how something is known, and no behaviour."""
    severity, before, after = change(then, now)
    is_proof = severity is Severity.WORDING and then.proof is not now.proof and then.error == now.error
    return None if is_proof else (severity, before, after)


@lru_cache(maxsize=512)
def _of_devices(environments: tuple[Environment, ...]) -> tuple[tuple[Environment, ...], ...]:
    devices = dict.fromkeys(e.device for e in environments)
    return tuple(tuple(line(e for e in environments if e.device == device)) for device in devices)


def _bounces(points: Sequence[Point]) -> bool:
    """Whether a release recorded with another build than both its neighbours does what neither of them does.

    A CPU build between two CUDA builds says some things in its own words: that is no change of a release.
    """
    if len(points) < 3:
        return False
    builds = [environment.cuda is not None for environment, _ in points]
    return builds[1] not in (builds[0], builds[2]) and points[0][1] == points[2][1]


def _of_numpy(entry: Entry) -> Iterator[Change]:
    """Changes that NumPy alone has made; where two torch releases show one change, the newer tells it.

    So does the nearer, where an older torch was tried with fewer releases of NumPy and the change lies in a gap.
    """
    known: dict[tuple[object, ...], list[Version]] = {}
    for step in _numpy_steps(tuple(entry.cells)):
        then, now = entry.cells[step.before], entry.cells[step.after]
        if then != now and (told := _told(then, now)):
            first, last = Version(step.before.numpy), Version(step.after.numpy)
            releases = known.setdefault(told, [])
            if not any(first < release <= last for release in releases):
                releases.append(last)
                yield Change(step, *told)


@lru_cache(maxsize=512)
def _numpy_steps(environments: tuple[Environment, ...]) -> tuple[Step, ...]:
    found = numpy_steps(e for e in environments if fits(e))
    return tuple(sorted(found, key=lambda s: (torch_release(s.before), Version(s.after.numpy)), reverse=True))


def _story(entry: Entry) -> str:
    """What the longest line of releases did, one outcome after another."""
    points = max(entry.lines, key=len, default=[])
    phases: list[list[Point]] = []
    for point in points:
        if phases and outcome_words(phases[-1][-1][1]) == outcome_words(point[1]):
            phases[-1].append(point)
        else:
            phases.append([point])
    if len(phases) < 2:
        return ""
    return ", ".join(_phase(phases, index) for index in range(len(phases)))


def _phase(phases: Sequence[Sequence[Point]], index: int) -> str:
    first, last = phases[index][0][0], phases[index][-1][0]
    words = outcome_words(phases[index][0][1])
    since = _release(first, phases[index - 1][-1][0] if index else None)
    until = _release(last, phases[index + 1][0][0] if index < len(phases) - 1 else None)
    if index == 0:
        return f"{words} until {until}"
    if index == len(phases) - 1:
        return f"{words} since {since}"
    return f"{words} in {since}" if since == until else f"{words} from {since} to {until}"


def _release(environment: Environment, neighbour: Environment | None) -> str:
    """``2.3``; with NumPy's release where the neighbour has this torch too."""
    torch = minor(environment.torch)
    same = neighbour is not None and minor(neighbour.torch) == torch
    return f"{torch} with NumPy {minor(environment.numpy)}" if same else torch


@dataclass(frozen=True)
class Told:
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


def told(entries: Iterable[Entry]) -> tuple[Told, ...]:
    """What changed in some cells, told once for those it is the same for: newest release first, then gravest."""
    found: dict[tuple[str, Severity, str, str], list[Entry]] = {}
    newest_of: dict[str, Environment] = {}
    for entry in entries:
        for one in entry.changes:
            members = found.setdefault((one.step.name, one.severity, one.before, one.after), [])
            members += [] if entry in members[-1:] else [entry]
            newest_of[one.step.name] = max(one.step.after, newest_of.get(one.step.name, one.step.after), key=age)
    groups = [Told(*key, tuple(members)) for key, members in found.items()]
    groups.sort(key=lambda t: (t.severity.rank, -len(t.entries)))
    return tuple(sorted(groups, key=lambda t: age(newest_of[t.name]), reverse=True))


# --- how many of what --------------------------------------------------------------------------

BEST_FIRST = tuple(Outcome)
"""Outcomes in the order in which a reader wants them: as listed, nothing copied before copied before refused."""


def counts(entries: Iterable[Entry]) -> dict[Outcome, int]:
    """How many cells have each outcome in the newest environment that tried them, best first."""
    found = Counter(entry.cell.outcome for entry in entries)
    return {outcome: found[outcome] for outcome in BEST_FIRST if found[outcome]}


def best_first(entries: Iterable[Entry]) -> list[Entry]:
    """Entries by outcome, those without a warning before those with one; else in their own order."""
    return sorted(entries, key=lambda e: (BEST_FIRST.index(e.cell.outcome), bool(e.cell.warnings)))


def by_kind(entries: Iterable[Entry]) -> dict[Kind, list[Entry]]:
    """Entries by the kind of their source, in the order of the kinds."""
    found: dict[Kind, list[Entry]] = {kind_: [] for kind_ in Kind}
    for entry in entries:
        found[kind(entry.source)].append(entry)
    return {kind_: members for kind_, members in found.items() if members}


def by_group(entries: Iterable[Entry]) -> dict[Group, list[Entry]]:
    """Entries by the group of their conversion, in the order of the groups."""
    found: dict[Group, list[Entry]] = {group: [] for group in Group}
    for entry in entries:
        found[entry.conversion.group].append(entry)
    return {group: members for group, members in found.items() if members}


def by_family(entries: Iterable[Conversion]) -> dict[tuple[Group, str], list[Conversion]]:
    """Conversions by group and family: two groups may have a family of one name."""
    found: dict[tuple[Group, str], list[Conversion]] = {}
    for conversion in entries:
        found.setdefault((conversion.group, conversion.family), []).append(conversion)
    return found


def unrecorded(matrix: Matrix) -> tuple[list[Conversion], list[Source]]:
    """Conversions and sources that no environment has tried."""
    conversions = [conversion for conversion in CONVERSIONS if conversion.name not in matrix.rows]
    return conversions, [source for source in SOURCES if source.name not in matrix.columns]
