"""What changes between any two environments, as one table that the command and the page read; pure.

``atlas-upgrade.js`` reads the table as JSON. Structs are arrays there, so the order of their fields counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import permutations, zip_longest
from pathlib import Path
from typing import TypeVar

from msgspec import Struct
from packaging.version import Version

from tensor_atlas.catalogue import CONVERSIONS, SOURCES, Conversion
from tensor_atlas.compare.deviations import Deviation
from tensor_atlas.compare.evidence import Evidence, ExampleEvidence, find_reason
from tensor_atlas.compare.main_calls import (
    MOST_USED,
    find_earlier_call,
    find_headline,
    find_value_call,
    list_needed_code,
    rank_code,
    rank_statement,
)
from tensor_atlas.examples.parse import Example
from tensor_atlas.history.cell_changes import classify_change
from tensor_atlas.history.changes import Change, Severity, find_changes
from tensor_atlas.history.patterns import Numbers, extend_pattern, spell_pattern
from tensor_atlas.history.releases import (
    PACKAGES,
    ReleaseStep,
    age_key,
    is_compatible,
    label_environment,
    minor_release,
    name_environment,
    package_steps,
    summarize_environment,
)
from tensor_atlas.history.steps import Composed, compose_environments
from tensor_atlas.model.cells import Cell
from tensor_atlas.model.runs import Environment, Run
from tensor_atlas.records.matrix_rows import Row
from tensor_atlas.toml_tables import read_tables

RARE = re.compile(
    r"bits|float[48]|nested|sparse|mkldnn|quantized|complex32|-u?int[1-7]$|longdouble|void|structured"
    r"|stringdtype|unaligned|packed|windows|bytes-swapped|np-matrix|subclass|dimensional$|unlike|ragged|meta"
)
"""Inputs by name that few programs have."""
MOST_LINES, MOST_LETTERS = 12, 160
"""How much of an output is kept: lines, and characters of each."""
MOST_SIDE = 90
"""Characters of a call, and of either side of a change, in a line about it."""
RECENT = 8
"""Releases of torch in ``build_recent_table``: their changes weigh 38 of 257 KB, compressed."""
NONE = -1
"""A statement, a reason or a step that there is not."""


class Place(Struct, frozen=True, array_like=True):
    """An environment; releases are places in the line of its package, so that later ones are greater."""

    name: str
    """As the command takes it: ``2.13.0/2.4.6/cpu``; an id where a later environment has that name."""
    label: str
    """As a reader calls it: ``torch 2.13.0, NumPy 2.4.6``, or ``torch 2.13.0+cpu, NumPy 2.4.6, cpu``."""
    releases: tuple[int, int, int]
    """Of torch, NumPy and Python."""
    is_compatible: bool
    """Whether this torch can use this NumPy."""
    is_recorded: bool
    """Whether its results are recorded, not composed of steps that are."""
    is_far: bool = False
    """Whether it is composed of steps that no near release of torch took."""


class Step(Struct, frozen=True, array_like=True):
    """Two recorded environments that differ in one package alone."""

    before: int
    after: int
    package: int
    """0 torch, 1 NumPy, 2 Python."""
    label: str
    """What the later one has: ``torch 2.9``, ``NumPy 2.1 to 2.4``."""
    seen: str
    """What both have: ``NumPy 2.4`` of a step of torch, ``torch 2.13`` of other steps."""


class PlaceRow(Struct, frozen=True, array_like=True):
    """A statement of an example, or the end of a block, that is not the same everywhere."""

    pattern: int
    """Number of its pattern."""
    words: list[list[int]]
    """Change from outcome i to outcome j, 0 for none."""
    block: int
    code: int
    """Source of the statement; an empty text for what shows only after a block."""
    setup: list[int]
    """Earlier statements that make its names."""
    rank: int
    """Place of its most used call."""
    reasons: list[int]
    """Why each outcome differs from what the page says."""
    statement: int
    """Its index in the example, LATE for the end of the script; NONE for what shows only after a block."""
    call: int
    """The line with its call, in backticks; of what shows after a block, the line that made the value."""


class ExampleRow(Struct, frozen=True, array_like=True):
    """An example that does not do the same everywhere."""

    name: str
    title: str
    places: list[PlaceRow]


class Bundle(Struct, frozen=True, array_like=True):
    """Inputs on which a conversion does alike everywhere."""

    pattern: int
    """Number of its pattern."""
    words: list[list[int]]
    """Change from outcome i to outcome j, 0 for none."""
    sources: list[int]
    messages: list[int]
    """What each outcome says with the first source, if it is an error or a warning."""


class CallRow(Struct, frozen=True, array_like=True):
    """A conversion that does not do the same everywhere."""

    name: str
    title: str
    rank: int
    bundles: list[Bundle]


class SourceRow(Struct, frozen=True, array_like=True):
    """An input of the matrix."""

    name: str
    title: str
    code: int
    is_rare: bool


class MetRow(Struct, frozen=True, array_like=True):
    """Statements of an example with a call that most programs make."""

    call: str
    """As a program writes it."""
    example: int
    """Place of the example in the table."""
    places: list[int]
    """Places of its statements with that call."""
    todo: str
    """What to write instead, as one or two sentences."""


class UpgradeTable(Struct, frozen=True):
    """Everything that differs between any two environments."""

    places: list[Place]
    steps: list[Step]
    """The narrowest first, of these the newest."""
    patterns: list[str]
    """Which outcome each place has, as ``history.patterns`` spells it."""
    texts: list[str]
    words: list[tuple[int, int, int, int]]
    """Severity, what was done before and after, and facts; the first one stands for no change."""
    examples: list[ExampleRow]
    calls: list[CallRow]
    sources: list[SourceRow]
    reasons: list[tuple[str, str]]
    """Text and link."""
    met: list[MetRow] = []
    """What most programs meet, in the reviewed order."""


_Outcome = TypeVar("_Outcome")


class _Tables:
    """What rows point to while a table is being built."""

    def __init__(self) -> None:
        self.texts: Numbers[str] = Numbers({"": 0})
        self.patterns: Numbers[str] = Numbers()
        self.words: Numbers[tuple[int, int, int, int]] = Numbers({(0, 0, 0, 0): 0})
        self.reasons: Numbers[Deviation] = Numbers()


def build_recent_table(evidence: Evidence) -> UpgradeTable:
    """The table of the newest releases of torch on a processor, all with one NumPy that fits them."""
    fitting = filter(is_compatible, list_environments(evidence))
    named = {name_environment(environment): environment for environment in fitting}
    common = [environment for name, environment in named.items() if name.endswith("/cpu")]
    alike = [environment.id for environment in common if environment.numpy == common[-1].numpy]
    return build_upgrade_table(keep_environments(evidence, alike[-RECENT:]))


def list_environments(evidence: Evidence) -> list[Environment]:
    """Environments that ran an example or the matrix, the oldest first."""
    ran = [environment for shown in evidence.pages.values() for environment, _ in shown.runs]
    known = {environment.id: environment for environment in (*ran, *evidence.store.environments.values())}
    return sorted(known.values(), key=age_key)


def keep_environments(evidence: Evidence, ids: Collection[str]) -> Evidence:
    """The evidence of some environments alone."""
    pages = {}
    for name, one in evidence.pages.items():
        pages[name] = replace(one, runs=tuple(ran for ran in one.runs if ran[0].id in ids))
    kept = {name: one for name, one in evidence.store.environments.items() if name in ids}
    return replace(evidence, pages=pages, store=replace(evidence.store, environments=kept))


def list_places(evidence: Evidence) -> list[Environment]:
    """The places of the table: those recorded, the oldest first, then those composed of them."""
    recorded = list_environments(evidence)
    return [*recorded, *(one.environment for one in compose_environments(recorded))]


def build_upgrade_table(evidence: Evidence) -> UpgradeTable:
    """The table of all that is recorded of the present code."""
    environments = list_environments(evidence)
    tables = _Tables()
    shown = [evidence.pages[name] for name in sorted(evidence.pages)]
    examples = [_build_example(tables, one, environments) for one in shown]
    recorded = [(conversion, evidence.store.rows.get(conversion.name)) for conversion in CONVERSIONS]
    calls = [_build_call(tables, row, conversion, environments) for conversion, row in recorded if row]
    sources = [
        SourceRow(s.name, s.title, tables.texts[s.code], RARE.search(s.name) is not None) for s in SOURCES
    ]
    composed = compose_environments(environments)
    steps = _place_composed(environments, composed)
    different = [example for example in examples if example.places]
    return UpgradeTable(
        _build_places(environments, composed),
        _build_steps(environments),
        [extend_pattern(pattern, steps) for pattern in tables.patterns],
        list(tables.texts),
        list(tables.words),
        different,
        [call for call in calls if call.bundles],
        sources,
        [(deviation.reason.replace("``", "`"), deviation.link or "") for deviation in tables.reasons],
        _find_met(different, list(tables.texts)),
    )


def _tabulate(outcomes: Collection[_Outcome], number: Callable[[_Outcome, _Outcome], int]) -> list[list[int]]:
    """Numbers of the changes from each outcome to each."""
    table: list[list[int]] = []
    for before in outcomes:
        line = [number(before, after) for after in outcomes]
        table.append(line)
    return table


# --- what most programs meet --------------------------------------------------------------------


@dataclass(frozen=True)
class MostMet:
    """An entry of ``most_met.toml``."""

    call: str
    shows: str
    do: str


@cache
def read_most_met() -> tuple[tuple[MostMet, str], ...]:
    """Entries of ``most_met.toml`` in its order, each with its place in the file."""
    path = Path(__file__).with_name("most_met.toml")
    return tuple(read_tables(path.read_text(encoding="utf-8"), "most_met", path.name, MostMet))


def _find_met(examples: Sequence[ExampleRow], texts: Sequence[str]) -> list[MetRow]:
    """Rows of the statements that entries name; none where a statement is the same everywhere."""
    numbers = {example.name: number for number, example in enumerate(examples)}
    rows_met = []
    for entry, _ in read_most_met():
        name, _, code = entry.shows.partition(": ")
        if name in numbers:
            rows = enumerate(examples[numbers[name]].places)
            places = [place for place, row in rows if code.strip("`") in texts[row.code]]
            if places:
                rows_met.append(MetRow(entry.call, numbers[name], places, entry.do))
    return rows_met


# --- environments ------------------------------------------------------------------------------


def _place_composed(
    environments: Iterable[Environment], composed: Iterable[Composed]
) -> list[tuple[int, int, int]]:
    """Places of the base of each composed environment, and of both ends of its step."""
    index = {environment.id: place for place, environment in enumerate(environments)}
    composed_rows = []
    for one in composed:
        composed_rows.append((index[one.base.id], index[one.step.before.id], index[one.step.after.id]))
        index[one.environment.id] = len(index)
    return composed_rows


def _build_places(environments: Sequence[Environment], composed: Sequence[Composed]) -> list[Place]:
    everyone = [*environments, *(step.environment for step in composed)]
    releases = []
    for read in PACKAGES.values():
        line = sorted({read(environment) for environment in environments})
        releases.append([line.index(read(environment)) for environment in everyone])
    places: list[Place] = []
    by_name = {name_environment(environment): environment for environment in everyone}
    far = {step.environment.id for step in composed if step.is_far}
    for index, environment in enumerate(everyone):
        name, label = name_environment(environment), label_environment(environment)
        if by_name[name] is not environment:
            name, label = environment.id, summarize_environment(environment)
        torch, numpy, python = (line[index] for line in releases)
        is_recorded = index < len(environments)
        facts = (torch, numpy, python), is_compatible(environment), is_recorded, environment.id in far
        places.append(Place(name, label, *facts))
    return places


def _build_steps(environments: Sequence[Environment]) -> list[Step]:
    index = {environment: place for place, environment in enumerate(environments)}
    compatible = [environment for environment in environments if is_compatible(environment)]
    ranked: list[tuple[int, int, int, str, str, int]] = []
    for number, (package, read) in enumerate(PACKAGES.items()):
        line = sorted({read(environment) for environment in compatible})
        for step in package_steps(package, compatible):
            width = line.index(read(step.after)) - line.index(read(step.before))
            names = _name_step(package, step), _name_other(package, step)
            ranked.append((number, width, -index[step.after], *names, index[step.before]))
    return [
        Step(before, -after, number, label, seen) for number, _, after, label, seen, before in sorted(ranked)
    ]


def _name_step(package: str, step: ReleaseStep) -> str:
    """``torch 2.9``, or ``NumPy 2.1 to 2.4`` where releases in between were not recorded."""
    before, after = PACKAGES[package](step.before), PACKAGES[package](step.after)
    is_same_major = before.major == after.major
    first = f"{after.major}.{before.minor + 1 if is_same_major else 0}"
    last = minor_release(str(after))
    return f"{package} {last}" if Version(first) >= Version(last) else f"{package} {first} to {last}"


def _name_other(package: str, step: ReleaseStep) -> str:
    """What a step was seen with: ``NumPy 2.4`` for one of torch, else ``torch 2.13``."""
    other = "NumPy" if package == "torch" else "torch"
    return f"{other} {minor_release(str(PACKAGES[other](step.after)))}"


# --- examples ----------------------------------------------------------------------------------

_Spot = tuple[int, bool, int, int]
"""Block, whether a change shows only after it, statement, and then severity."""


def _build_example(
    tables: _Tables, evidence: ExampleEvidence, environments: Sequence[Environment]
) -> ExampleRow:
    example = evidence.example
    runs: Numbers[Run] = Numbers()
    given = {environment.id: runs[run] for environment, run in evidence.runs}
    changes: dict[_Spot, dict[tuple[int, int], Change]] = {}
    for (before, i), (after, j) in permutations(runs.items(), 2):
        for change in find_changes(before, after, example):
            changes.setdefault(_find_spot(change), {})[i, j] = change
    places = [_build_place(tables, evidence, changes[spot], given, environments) for spot in sorted(changes)]
    return ExampleRow(example.name, example.title.replace("``", "`"), places)


def _find_spot(change: Change) -> _Spot:
    if change.statement is None:
        return change.block, True, 0, change.severity.rank
    return change.block, False, change.statement, 0


def _build_place(
    tables: _Tables,
    evidence: ExampleEvidence,
    changes: Mapping[tuple[int, int], Change],
    which: Mapping[str, int],
    environments: Iterable[Environment],
) -> PlaceRow:
    """Row of one spot from its changes between numbered runs; ``which`` each environment gave, by id.

    Runs have one outcome where the changes from them, the changes to them and the reasons are the same.
    """
    change = next(iter(changes.values()))
    words = {pair: _number_change(tables, change) for pair, change in changes.items()}
    runs = {environment.id: run for environment, run in evidence.runs}
    everyone = sorted(set(which.values()))
    outcomes: Numbers[tuple[tuple[int, ...], int]] = Numbers()
    members: dict[int, int] = {}
    given: list[int | None] = []
    for environment in environments:
        number = which.get(environment.id)
        if number is not None:
            reason = _number_reason(tables, evidence, change.statement, environment, runs[environment.id])
            outcome = outcomes[_list_likenesses(words, number, everyone), reason]
            members.setdefault(outcome, number)
        given.append(None if number is None else outcome)
    index = change.statement
    code = "" if index is None else evidence.example.places[index].code
    setup = [] if index is None else list_needed_code(evidence.example, index)
    return PlaceRow(
        tables.patterns[spell_pattern(given)],
        _tabulate(members.values(), lambda before, after: words.get((before, after), 0)),
        change.block,
        tables.texts[code],
        [tables.texts[earlier] for earlier in setup],
        len(MOST_USED) if index is None else rank_statement(code, setup),
        [reason for _, reason in outcomes],
        NONE if index is None else index,
        tables.texts[_spell_call(evidence.example, change)],
    )


def _spell_call(example: Example, change: Change) -> str:
    """The call that a change is about, in backticks; also the line that uses its result, without one."""
    if change.statement is None:
        lines = [find_value_call(example, change)]
    else:
        headline = find_headline(change)
        lines = [find_earlier_call(example, change.statement, headline), headline]
    return ", then ".join(f"`{cut_line(line, MOST_SIDE)}`" for line in lines if line)


def _number_change(tables: _Tables, change: Change) -> int:
    sides = (*shorten_sides(change.before, change.after), shorten_lines(change.facts))
    before, after, facts = (tables.texts[side] for side in sides)
    return tables.words[change.severity.rank, before, after, facts]


def _list_likenesses(
    words: Mapping[tuple[int, int], int], number: int, everyone: Iterable[int]
) -> tuple[int, ...]:
    """What changes from one run to each other, and back."""
    likenesses: list[int] = []
    for other in everyone:
        likenesses += (words.get((number, other), 0), words.get((other, number), 0))
    return tuple(likenesses)


def _number_reason(
    tables: _Tables, evidence: ExampleEvidence, index: int | None, environment: Environment, run: Run
) -> int:
    if index is None or run.observation(index) is None:
        return NONE
    reason = find_reason(evidence, index, environment, run)
    return NONE if reason is None else tables.reasons[reason]


def cut_line(line: str, most: int) -> str:
    """A line of at most so many characters, cut between words where that leaves more than half of it."""
    if len(line) <= most:
        return line
    end = line.rfind(" ", 0, most)
    return f"{line[: end if end > most // 2 else most]} …"


def shorten_lines(lines: Sequence[str]) -> str:
    """Lines of an output as one text, as far as the table keeps it."""
    kept = [line if len(line) <= MOST_LETTERS else f"{line[:MOST_LETTERS]} …" for line in lines[:MOST_LINES]]
    return "\n".join([*kept, *["…"][: len(lines) > MOST_LINES]])


def shorten_sides(before: Sequence[str], after: Sequence[str]) -> tuple[str, str]:
    """Outputs before and after as far as the table keeps them; from where they differ, if that is later."""
    then, now = shorten_lines(before), shorten_lines(after)
    if then != now or before == after:
        return then, now
    start = next(place for place, (one, other) in enumerate(zip_longest(before, after)) if one != other)
    heads = cut_common_start("".join(before[start : start + 1]), "".join(after[start : start + 1]))
    rest = (
        shorten_lines([*heads[:1], *before[start + 1 :]]),
        shorten_lines([*heads[1:], *after[start + 1 :]]),
    )
    return (f"…\n{rest[0]}", f"…\n{rest[1]}") if start else rest


# --- the matrix --------------------------------------------------------------------------------

_USUAL_FIRST = sorted(enumerate(SOURCES), key=lambda pair: RARE.search(pair[1].name) is not None)
"""Sources with their places, rare ones last."""


def _build_call(
    tables: _Tables, row: Row, conversion: Conversion, environments: Sequence[Environment]
) -> CallRow:
    tried = [row.cells.get(environment.id, {}) for environment in environments]
    alike: dict[tuple[int, tuple[tuple[int, ...], ...]], Bundle] = {}
    for source_index, source in _USUAL_FIRST:
        outcomes_there = [cells.get(source.name) for cells in tried]
        distinct = {id(cell): cell for cell in outcomes_there if cell is not None}
        if len(distinct) < 2:
            continue  # the records hold equal outcomes of a row once
        outcomes: Numbers[Cell] = Numbers()
        numbers = {key: outcomes[replace(cell, proof=None)] for key, cell in distinct.items()}
        if len(outcomes) > 1:
            pattern = tables.patterns[spell_pattern(numbers.get(id(cell)) for cell in outcomes_there)]
            words = _tabulate(outcomes, partial(_number_words, tables))
            messages = [tables.texts[_read_message(cell)] for cell in outcomes]
            key = pattern, tuple(map(tuple, words))
            alike.setdefault(key, Bundle(pattern, words, [], messages)).sources.append(source_index)
    return CallRow(conversion.name, conversion.title, rank_code(conversion.title), list(alike.values()))


def _number_words(tables: _Tables, before: Cell, after: Cell) -> int:
    if before == after:
        return 0
    severity, *sides = classify_change(before, after)
    if severity is Severity.SOURCE:  # whatever is done with it: what counts is whether there is one
        sides = ["cannot be made" if side.startswith("no source") else "can be made" for side in sides]
    if severity is Severity.WARNING:
        sides = [_name_lost_warnings(before, after), _name_lost_warnings(after, before)]
    if severity is Severity.WORDING and before.error == after.error:
        sides = [_list_warnings(before), _list_warnings(after)]
    then, now = (side.split("\n") for side in sides)
    if severity is Severity.WORDING:
        first, second = _find_first_difference(then, now)
    else:
        first, second = then[0], now[0]
    first, second = cut_common_start(_say(first), _say(second))
    numbers = tables.texts[shorten_lines([first])], tables.texts[shorten_lines([second])]
    return tables.words[severity.rank, *numbers, 0]


def _find_first_difference(then: Sequence[str], now: Sequence[str]) -> tuple[str, str]:
    """The first lines that differ; the last ones where none does."""
    pair = "", ""
    for pair in zip_longest(then, now, fillvalue="(no more lines)"):
        if pair[0] != pair[1]:
            break
    return pair


def cut_common_start(before: str, after: str, most: int = MOST_LETTERS) -> tuple[str, str]:
    """Two texts from shortly before the place where they differ, if one is longer than ``most`` letters."""
    letters = enumerate(zip(before, after, strict=False))
    place = next((index for index, (one, other) in letters if one != other), min(len(before), len(after)))
    if max(len(before), len(after)) <= most or place <= most // 2:
        return before, after
    start = before.rfind(" ", 0, place - most // 4) + 1
    return f"… {before[start:]}", f"… {after[start:]}"


def _list_warnings(cell: Cell) -> str:
    return "\n".join(f"{warning.category}: {warning.message}" for warning in cell.warnings)


def _name_lost_warnings(some: Cell, others: Cell) -> str:
    """Warnings of one cell that the other does not give, as often; ``no such warning`` for none."""
    rest = Counter(some.warnings) - Counter(others.warnings)
    return "; ".join(f"{w.category}: {w.message}".split("\n")[0] for w in rest) or "no such warning"


def _say(words: str) -> str:
    """``raises TypeError`` for ``raises (TypeError)``, and what else a reader would not understand."""
    words = re.sub(r"^(raises|crashes) \((\w+)\)$", r"\1 \2", words)
    words = {"value": "returns a value", "no bytes": "returns no elements"}.get(words, words)
    return words.replace("changes the source True", "changes its input")


def _read_message(cell: Cell) -> str:
    """First line of what a cell raised or else warned of, with its class."""
    if cell.error is not None:
        return shorten_lines([f"{cell.error.type}: {cell.error.message}".split("\n")[0]])
    return shorten_lines([f"{w.category}: {w.message}".split("\n")[0] for w in cell.warnings[:1]])
