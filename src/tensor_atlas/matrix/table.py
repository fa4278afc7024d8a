"""The matrix as its pages show it: every cell over all environments, what changed when, how many of what.

Nothing is filled forward: an environment that has not tried a cell is listed as such.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

from packaging.version import Version

from tensor_atlas.catalogue import (
    BARE_BITS,
    CONVERSIONS,
    SOURCES,
    Conversion,
    Form,
    Group,
    Source,
    render_call,
)
from tensor_atlas.history.cell_changes import classify_change, describe_outcome
from tensor_atlas.history.changes import Severity
from tensor_atlas.history.releases import (
    ReleaseStep,
    age_key,
    find_finer_spans,
    is_compatible,
    is_other_build,
    join_names,
    minor_release,
    newest_environment,
    numpy_steps,
    preference_key,
    python_minor,
    python_steps,
    rank_steps,
    release_line,
)
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.runs import Environment
from tensor_atlas.records.matrix_rows import Row
from tensor_atlas.records.store import Store

_Thing = TypeVar("_Thing")
_Key = TypeVar("_Key", bound=Hashable)

IMPORTS = "import numpy as np\nimport torch"
"""What the code of every cell relies on."""


class SourceKind(StrEnum):
    """Heading under which pages list a source."""

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
    """Heading under which pages list a source."""
    if source.form in _PLAIN:
        return _PLAIN[source.form]
    is_plain = source.layout == "contiguous"
    if source.form is Form.ARRAY:
        return SourceKind.ARRAY_DTYPES if is_plain else SourceKind.ARRAY_LAYOUTS
    if source.needs:
        return SourceKind.DEVICE
    if source.layout == BARE_BITS:
        return SourceKind.BITS
    return SourceKind.TENSOR_DTYPES if is_plain else SourceKind.TENSOR_LAYOUTS


@dataclass(frozen=True)
class CellChange:
    """What one step from release to release changed in one cell."""

    step: ReleaseStep
    """The environments, which both tried it."""
    severity: Severity
    """How grave it is."""
    before: str
    """What it did, as far as that changed."""
    after: str
    """What it does."""


Point = tuple[Environment, int]
"""An environment, and the index of the outcome it gave."""


PatternStep = tuple[ReleaseStep, int, int]
"""A step, and the indices of the outcomes before and after it."""


@dataclass(frozen=True, eq=False)
class Pattern:
    """Which environments did alike: some 200 patterns cover all 34,000 cells, each computed once."""

    everyone: tuple[Environment, ...]
    """The environments of the matrix, the oldest first."""
    alike: tuple[tuple[Environment, ...], ...]
    """Environments that gave the same outcome, the oldest first; the outcome of the newest comes first."""

    @cached_property
    def shown(self) -> Environment:
        """The newest environment that tried it."""
        return max(self.alike[0], key=preference_key)

    @cached_property
    def points(self) -> dict[Environment, int]:
        """Index of the outcome that each environment gave, the oldest first."""
        found: dict[Environment, int] = {}
        for index, environments in enumerate(self.alike):
            found |= dict.fromkeys(environments, index)
        return {environment: found[environment] for environment in self.everyone if environment in found}

    @cached_property
    def untried(self) -> tuple[Environment, ...]:
        """Environments of the matrix that have not tried it."""
        return tuple(environment for environment in self.everyone if environment not in self.points)

    @cached_property
    def places(self) -> tuple[str, ...]:
        """For each outcome, the indices of its environments among everyone: ``0 1 4``."""
        places: list[list[str]] = [[] for _ in self.alike]
        for place, environment in enumerate(self.everyone):
            if environment in self.points:
                places[self.points[environment]].append(str(place))
        return tuple(map(" ".join, places))

    @cached_property
    def lines(self) -> list[list[Point]]:
        """On each device, the outcome of each release, oldest first, without bounces of another build."""
        found = []
        for device in dict.fromkeys(environment.device for environment in self.points):
            line = release_line(environment for environment in self.points if environment.device == device)
            found.append(_without_bounces([(environment, self.points[environment]) for environment in line]))
        return found

    @cached_property
    def steps(self) -> list[PatternStep]:
        """Steps from one torch release to the next that changed the outcome, oldest first on each device."""
        found = []
        for line in self.lines:
            for (before, then), (after, now) in pairwise(line):
                step = ReleaseStep(before, after)
                if then != now and not step.is_of_numpy and not step.is_of_python:
                    found.append((step, then, now))
        return found

    @cached_property
    def other_steps(self) -> list[PatternStep]:
        """Steps from one NumPy to the next, closest pairs first, then from one Python to the next."""
        return [step for steps in self._package_steps for step in self._number(rank_steps(steps))]

    def find_finer_spans(self, step: ReleaseStep) -> list[PatternStep]:
        """What torch releases that were tried with more in between gave on both sides of a step."""
        return [span for steps in self._package_steps for span in self._number(find_finer_spans(step, steps))]

    @cached_property
    def _package_steps(self) -> tuple[list[ReleaseStep], list[ReleaseStep]]:
        """Steps of NumPy alone, and of Python alone."""
        compatible = [environment for environment in self.points if is_compatible(environment)]
        return numpy_steps(compatible), python_steps(compatible)

    def _number(self, steps: Iterable[ReleaseStep]) -> list[PatternStep]:
        """Those of the steps that changed the outcome."""
        numbered = [(step, self.points[step.before], self.points[step.after]) for step in steps]
        return [(step, then, now) for step, then, now in numbered if then != now]


@dataclass(frozen=True, eq=False)
class Entry:
    """One cell, over all environments that tried it."""

    conversion: Conversion
    """What was done."""
    source: Source
    """To what."""
    pattern: Pattern
    """Which environments did alike."""
    cells: tuple[Cell, ...]
    """What they did, in the order of the pattern."""

    @property
    def cell(self) -> Cell:
        """What the newest environment did."""
        return self.cells[0]

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
        """Changes of torch's releases, oldest first on each device, then those of NumPy and Python alone."""
        return (*_torch_changes(self), *_other_changes(self))

    @property
    def story(self) -> str:
        """``raises (TypeError) until 2.2, shares memory since 2.3``; empty where all releases do alike."""
        return _tell_story(self.pattern, [describe_outcome(cell) for cell in self.cells])

    @property
    def mark(self) -> str:
        """When its behaviour last changed: ``in torch 2.3``; empty where no release changed it."""
        steps = [change.step for change in self.changes if change.severity.is_behaviour]
        return max(steps, key=lambda step: age_key(step.after)).when if steps else ""


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
    """Matrix of everything recorded of the present conversions and sources."""
    names = {name for row in store.rows.values() for name in row.cells}
    environments = tuple(sorted((store.environments[name] for name in names), key=age_key))
    patterns: dict[tuple[int, ...], Pattern] = {}
    rows = {}
    for conversion in CONVERSIONS:
        row = store.rows.get(conversion.name)
        entries = _build_row(conversion, row, environments, patterns) if row else {}
        if entries:
            rows[conversion.name] = entries
    days = sorted({day for row in store.rows.values() for day in row.dates.values()})
    return Matrix(environments, rows, tuple(days[:1] + days[-1:]))


def _build_row(
    conversion: Conversion,
    row: Row,
    environments: tuple[Environment, ...],
    patterns: dict[tuple[int, ...], Pattern],
) -> dict[str, Entry]:
    """Cells of one conversion by source; new patterns are added to ``patterns``."""
    newest_first = sorted(environments, key=preference_key, reverse=True)
    tried = [row.cells.get(environment.id, {}) for environment in newest_first]
    entries = {}
    for source in SOURCES:
        cells, which = _number_outcomes([cells.get(source.name) for cells in tried])
        if not cells:
            continue
        if which not in patterns:
            patterns[which] = _make_pattern(environments, dict(zip(newest_first, which, strict=True)))
        entries[source.name] = Entry(conversion, source, patterns[which], tuple(cells))
    return entries


def _number_outcomes(cells: Sequence[Cell | None]) -> tuple[list[Cell], tuple[int, ...]]:
    """Distinct cells in order of appearance, and for each cell its index among them; -1 for None."""
    distinct: list[Cell] = []
    which = []
    for cell in cells:
        if cell is None:
            which.append(-1)
            continue
        if cell not in distinct:
            distinct.append(cell)
        which.append(distinct.index(cell))
    return distinct, tuple(which)


def _make_pattern(everyone: tuple[Environment, ...], which: Mapping[Environment, int]) -> Pattern:
    """Pattern of the index of the outcome that each environment gave."""
    alike: list[list[Environment]] = [[] for _ in range(max(which.values()) + 1)]
    for environment in everyone:
        if which[environment] >= 0:
            alike[which[environment]].append(environment)
    return Pattern(everyone, tuple(map(tuple, alike)))


# --- what changed ------------------------------------------------------------------------------


def _torch_changes(entry: Entry) -> Iterator[CellChange]:
    for step, then, now in entry.pattern.steps:
        severity, before, after = classify_change(entry.cells[then], entry.cells[now])
        if not _is_of_proof(entry.cells[then], entry.cells[now], severity):
            yield CellChange(step, severity, before, after)


def _classify(entry: Entry, step: PatternStep) -> tuple[Severity, str, str]:
    _, then, now = step
    return classify_change(entry.cells[then], entry.cells[now])


def _is_of_proof(then: Cell, now: Cell, severity: Severity) -> bool:
    """Whether only the proof changed: how sharing was measured, and no behaviour."""
    return severity is Severity.WORDING and then.proof is not now.proof and then.error == now.error


def _other_changes(entry: Entry) -> Iterator[CellChange]:
    """Changes of NumPy or Python alone; of those that several torch releases show, that of the closest pair.

    A torch that was tried with fewer releases of NumPy shows the same change between releases farther apart,
    or several changes as one.
    """
    known: dict[tuple[object, ...], list[Version]] = {}
    for step, then, now in entry.pattern.other_steps:
        severity, before, after = _classify(entry, (step, then, now))
        if _is_of_proof(entry.cells[then], entry.cells[now], severity):
            continue
        spans = entry.pattern.find_finer_spans(step)
        if (severity, before, after) in [_classify(entry, span) for span in spans]:
            continue
        first, last = _package_releases(step)
        releases = known.setdefault((step.is_of_python, severity, before, after), [])
        if not any(first < release <= last for release in releases):
            releases.append(last)
            yield CellChange(step, severity, before, after)


def _package_releases(step: ReleaseStep) -> tuple[Version, Version]:
    """Releases before and after a step of the package that alone changed."""
    if step.is_of_python:
        return Version(python_minor(step.before)), Version(python_minor(step.after))
    return Version(step.before.numpy), Version(step.after.numpy)


def _without_bounces(points: Sequence[Point]) -> list[Point]:
    """Points without those of another build that differ from both neighbours, where these are alike."""
    kept = []
    for index, point in enumerate(points):
        if not _is_bounce(points[max(index - 1, 0) : index + 2]):
            kept.append(point)
    return kept


def _is_bounce(points: Sequence[Point]) -> bool:
    """Whether the middle one of three releases, of another build than both others, alone gave its outcome.

    A CPU build between two CUDA builds words some messages otherwise: that is no change of a release.
    """
    if len(points) < 3:
        return False
    before, between, after = points
    return is_other_build(before[0], between[0], after[0]) and before[1] == after[1]


def _tell_story(pattern: Pattern, outcomes: Sequence[str]) -> str:
    """Outcomes along the longest line of releases, one after another; empty where there is one."""
    if len(outcomes) < 2:
        return ""
    phases: list[list[Point]] = []
    for point in max(pattern.lines, key=len, default=[]):
        if phases and outcomes[phases[-1][-1][1]] == outcomes[point[1]]:
            phases[-1].append(point)
        else:
            phases.append([point])
    if len(phases) < 2:
        return ""
    told = ", ".join(_tell_phase(phases, index, outcomes) for index in range(len(phases)))
    return told + _date_numpy(pattern, outcomes, phases)


def _date_numpy(pattern: Pattern, outcomes: Sequence[str], phases: Sequence[Sequence[Point]]) -> str:
    """`` (changed in NumPy 2.1)`` where releases of NumPy lie between two phases; empty where none do."""
    for (*_, (before, then)), ((after, now), *_) in pairwise(phases):
        wide = ReleaseStep(before, after)
        if wide.is_of_numpy and not wide.is_exact:
            first, last = _package_releases(wide)
            for step, *indices in pattern.other_steps:
                words = [outcomes[index] for index in indices]
                is_within = step.is_of_numpy and first < _package_releases(step)[1] <= last
                if is_within and words == [outcomes[then], outcomes[now]]:
                    return f" (changed {step.when})"
            return f" (changed {wide.when})"
    return ""


def _tell_phase(phases: Sequence[Sequence[Point]], index: int, outcomes: Sequence[str]) -> str:
    first, last = phases[index][0][0], phases[index][-1][0]
    words = outcomes[phases[index][0][1]]
    before = [phases[index - 1][-1][0]] if index else []
    after = [phases[index + 1][0][0]] if index < len(phases) - 1 else []
    if not before:
        return f"{words} until {_name_release(last, after)}"
    if not after:
        return f"{words} since {_name_release(first, before)}"
    if first == last:
        return f"{words} in {_name_release(first, [*before, *after])}"
    since, until = _name_release(first, before), _name_release(last, after)
    return f"{words} in {since}" if since == until else f"{words} from {since} to {until}"


def _name_release(environment: Environment, neighbours: Iterable[Environment]) -> str:
    """``2.3``; with its NumPy or Python where a neighbour has this torch with another one."""
    torch, numpy = minor_release(environment.torch), environment.numpy
    python = python_minor(environment)
    alike = [other for other in neighbours if minor_release(other.torch) == torch]
    names = [torch]
    if any(other.numpy != numpy for other in alike):
        names.append(f"NumPy {minor_release(numpy)}")
    if any(python_minor(other) != python for other in alike):
        names.append(f"Python {python}")
    return join_names(names)


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
    """Changes of some cells, each once with all of its cells: newest release first, then the gravest."""
    found: dict[tuple[str, Severity, str, str], list[Entry]] = {}
    newest: dict[str, Environment] = {}
    for entry in entries:
        for change in entry.changes:
            name, after = change.step.name, change.step.after
            members = found.setdefault((name, change.severity, change.before, change.after), [])
            if entry not in members[-1:]:
                members.append(entry)
            newest[name] = max(after, newest.get(name, after), key=age_key)
    changes = [SharedChange(*key, tuple(members)) for key, members in found.items()]
    changes.sort(key=lambda change: (change.severity.rank, -len(change.entries)))
    return tuple(sorted(changes, key=lambda change: age_key(newest[change.name]), reverse=True))


# --- how many of what --------------------------------------------------------------------------

BEST_FIRST = tuple(Outcome)
"""Outcomes in the order in which a reader wants them: as listed."""


def count_outcomes(entries: Iterable[Entry]) -> dict[Outcome, int]:
    """Number of cells by their outcome in the newest environment that tried them, best first."""
    found = Counter(entry.cell.outcome for entry in entries)
    return {outcome: found[outcome] for outcome in BEST_FIRST if found[outcome]}


def sort_best_first(entries: Iterable[Entry]) -> list[Entry]:
    """Entries by outcome, those without a warning before those with one; else in their own order."""
    return sorted(entries, key=lambda e: (BEST_FIRST.index(e.cell.outcome), bool(e.cell.warnings)))


def group_by_kind(entries: Iterable[Entry]) -> dict[SourceKind, list[Entry]]:
    """Entries by the kind of their source, in the order of the kinds."""
    found = _group(entries, lambda entry: source_kind(entry.source))
    return {kind: found[kind] for kind in SourceKind if kind in found}


def group_by_group(entries: Iterable[Entry]) -> dict[Group, list[Entry]]:
    """Entries by the group of their conversion, in the order of the groups."""
    found = _group(entries, lambda entry: entry.conversion.group)
    return {group: found[group] for group in Group if group in found}


def group_by_family(conversions: Iterable[Conversion]) -> dict[tuple[Group, str], list[Conversion]]:
    """Conversions by group and family: two groups may have a family of one name."""
    return _group(conversions, lambda conversion: (conversion.group, conversion.family))


def _group(things: Iterable[_Thing], key_of: Callable[[_Thing], _Key]) -> dict[_Key, list[_Thing]]:
    """Things by their key, in order of first appearance."""
    found: dict[_Key, list[_Thing]] = {}
    for thing in things:
        found.setdefault(key_of(thing), []).append(thing)
    return found


def find_unrecorded(matrix: Matrix) -> tuple[list[Conversion], list[Source]]:
    """Conversions and sources that no environment has tried."""
    conversions = [conversion for conversion in CONVERSIONS if conversion.name not in matrix.rows]
    return conversions, [source for source in SOURCES if source.name not in matrix.columns]
