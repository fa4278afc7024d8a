"""What changed between two runs of the same code, each change with its severity; pure.

Whether a change was intended is left to ``docs/deviations.toml``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

from tensor_atlas.examples.parse import Example
from tensor_atlas.history.own_lines import without_own_lines
from tensor_atlas.model.runs import (
    LATE,
    Observation,
    Raised,
    Run,
    Snapshot,
    Value,
    level_runs,
    output_lines,
)


class Severity(StrEnum):
    """Kind of a change, the gravest first."""

    ERROR_APPEARED = "error appeared"
    ERROR_VANISHED = "error vanished"
    CLASS = "exception class changed"
    SHARING = "sharing changed"
    VALUE = "value, dtype or device changed"
    SOURCE = "input gained or lost"
    WARNING = "warning changed"
    WORDING = "wording changed"

    @property
    def is_behaviour(self) -> bool:
        """Whether a program can behave otherwise; False where only a message is worded otherwise."""
        return self is not Severity.WORDING

    @property
    def rank(self) -> int:
        """Place among the severities, 0 the gravest."""
        return list(Severity).index(self)


_BREAKS = (Severity.ERROR_APPEARED, Severity.ERROR_VANISHED)


@dataclass(frozen=True)
class Change:
    """One difference between two runs of the same code."""

    example: str
    """``<chapter>/<stem>``."""
    severity: Severity
    """The gravest thing that changed here."""
    block: int
    """Index of the block."""
    statement: int | None
    """Index of the statement among the example's, LATE for the end of the script; None after a block."""
    code: str = ""
    """Source of the statement."""
    before: tuple[str, ...] = ()
    """What the statement printed, warned and raised before."""
    after: tuple[str, ...] = ()
    """And after."""
    facts: tuple[str, ...] = ()
    """What changed among the arrays and tensors alive: ``array, tensor: shares became copies``."""


@dataclass(frozen=True)
class Rule:
    """Cells that changed alike."""

    severity: Severity
    """The gravest thing that changed in each of them."""
    before: str
    """What all of them did before, as far as it changed."""
    after: str
    """And after."""
    cells: tuple[tuple[str, str], ...]
    """Conversion and source of each."""


def find_changes(before: Run, after: Run, example: Example) -> tuple[Change, ...]:
    """Changes from one run to another of an example's code, in order of block and statement.

    Statements that one of the two runs did not reach, or for which it lacked a name, are left out: the error
    before them stands for them.
    """
    in_statements = list(_compare_statements(before, after, example))
    broken = [change.block for change in in_statements if change.severity in _BREAKS]
    then, now = level_runs([before, after])
    in_blocks = list(_compare_blocks(then, now, min(broken, default=len(example.blocks))))
    return tuple(sorted(_join(in_statements, in_blocks), key=_place))


# --- statements --------------------------------------------------------------------------------


def _compare_statements(before: Run, after: Run, example: Example) -> Iterator[Change]:
    block_of = [index for index, block in enumerate(example.blocks) for _ in block.statements]
    for index, one, other in _pair_observations(before, after):
        then, now = _without_moved_lines(one, other, before.example)
        if then.unmade is not None or now.unmade is not None or then.unobserved or now.unobserved:
            continue
        stops = before.describe_stop(index), after.describe_stop(index)
        severity = _compare_stops((then, now), stops) or rate_statement(then, now)
        if severity is not None:
            lines = zip(_differing_lines(then, now), stops, strict=True)
            sides = [(*said, stop) if stop else said for said, stop in lines]
            block = block_of[-1 if index == LATE else index]
            yield Change(before.example, severity, block, index, now.code, *sides)


def _pair_observations(before: Run, after: Run) -> Iterator[tuple[int, Observation, Observation]]:
    """Index of each place that both runs observed, with what they did there: statements, then the end.

    Without output after the last statement, a record may be of a probe that did not look for it.
    """
    for index, (then, now) in enumerate(zip(before.observations, after.observations, strict=False)):
        yield index, then, now
    if before.late is not None and after.late is not None:
        yield LATE, before.late, after.late


def _without_moved_lines(
    before: Observation, after: Observation, example: str
) -> tuple[Observation, Observation]:
    """Two observations in which prose has moved no line; most are the same as they are."""
    if before == after:
        return before, after
    return without_own_lines(before, example), without_own_lines(after, example)


def _compare_stops(observed: tuple[Observation, Observation], stops: tuple[str, str]) -> Severity | None:
    """How grave it is that one run crashed, exited or hung there; None where both did alike."""
    if stops[0] == stops[1]:
        return None
    was_stopped, is_stopped = (bool(stop or o.raised) for o, stop in zip(observed, stops, strict=True))
    if was_stopped and is_stopped:
        return Severity.VALUE  # a crash became an exception, or another crash: the program still ends here
    return Severity.ERROR_APPEARED if is_stopped else Severity.ERROR_VANISHED


def _differing_lines(before: Observation, after: Observation) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Output of two statements; their whole messages where what they printed is the same."""
    then, now = observed_lines(before), observed_lines(after)
    return (then, now) if then != now else (_message_lines(before), _message_lines(after))


def _message_lines(observation: Observation) -> tuple[str, ...]:
    errors = [f"{error.type}: {error.message}" for error in _exceptions(observation)]
    warnings = [f"{warning.category}: {warning.message}" for warning in observation.warnings]
    text = "\n".join([*errors, *warnings])
    return tuple(line.rstrip() for line in text.split("\n") if text)


def observed_lines(observation: Observation) -> tuple[str, ...]:
    """Everything that a statement printed, warned and raised, as lines; exceptions begin with their class."""
    stdout = _replace_printed(observation, lambda caught: f"{caught.type}: {caught.printed}")
    lines = [*output_lines(replace(observation, stdout=stdout))]
    lines += [f"{c.type}: {_first_line(c.message)}" for c in observation.caught if not c.printed]
    raised = observation.raised
    if raised is not None:
        lines.append(f"{raised.type}: {_first_line(raised.message)} (uncaught)")
    return tuple(lines)


def _replace_printed(observation: Observation, replacement: Callable[[Raised], str]) -> str:
    """Standard output with a ``replacement`` for the text that the handler of each caught error printed."""
    parts = []
    for text, caught in split_stdout(observation):
        parts.append(text if caught is None else replacement(caught))
    return "".join(parts)


def split_stdout(observation: Observation) -> Iterator[tuple[str, Raised | None]]:
    """Standard output in parts, each with the caught error whose handler printed it; None for other text."""
    text = observation.stdout
    spans: list[tuple[int, Raised]] = []
    free = text  # spans already found are blanked: in a loop each handler prints the same
    for caught in observation.caught:
        start = free.find(caught.printed) if caught.printed else -1
        if start >= 0:
            spans.append((start, caught))
            length = len(caught.printed)
            free = free[:start] + "\0" * length + free[start + length :]
    end = 0
    for start, caught in sorted(spans, key=lambda span: span[0]):
        yield text[end:start], None
        yield caught.printed, caught
        end = start + len(caught.printed)
    yield text[end:], None


def _first_line(text: str) -> str:
    return text.split("\n", 1)[0].rstrip()


def rate_statement(before: Observation, after: Observation) -> Severity | None:
    """The gravest difference between two observations of a statement; None where they are the same."""
    if before == after:
        return None  # nearly all: the events of all examples take 0.4 s with this line, 1.5 s without it
    found = [
        *_compare_errors(before, after),
        *_compare_printed(before, after),
        *_compare_warnings(before, after),
    ]
    return min(found, key=lambda severity: severity.rank, default=None)


def _compare_errors(before: Observation, after: Observation) -> Iterator[Severity]:
    if (before.raised is None) != (after.raised is None):
        yield Severity.ERROR_APPEARED if after.raised else Severity.ERROR_VANISHED
        return  # whether the program ends here outweighs what it caught on the way
    then, now = _count_classes(before), _count_classes(after)
    gone, new = then - now, now - then
    if gone and new:
        yield Severity.CLASS  # what caught the old one lets it pass
    elif gone or new:
        yield Severity.ERROR_APPEARED if new else Severity.ERROR_VANISHED
    elif _messages(before) != _messages(after):
        yield Severity.WORDING


def _exceptions(observation: Observation) -> tuple[Raised, ...]:
    """Caught exceptions, then the uncaught one."""
    return observation.caught if observation.raised is None else (*observation.caught, observation.raised)


def _count_classes(observation: Observation) -> Counter[str]:
    return Counter(exception.type for exception in _exceptions(observation))


def _messages(observation: Observation) -> list[str]:
    return [_without_frames(exception.message) for exception in _exceptions(observation)]


def _without_frames(message: str) -> str:
    """Message without the frames of a traceback that it quotes, as messages of worker processes do.

    Frames in torch's own files, and how Python underlines them, change with every release.
    """
    kept, is_quoting = [], False
    for line in message.split("\n"):
        if not (is_quoting and line.startswith(" ")):
            is_quoting = line.endswith("Traceback (most recent call last):")
            kept.append(line)
    return "\n".join(kept)


def _compare_printed(before: Observation, after: Observation) -> Iterator[Severity]:
    then, now = _plain_output(before), _plain_output(after)
    if then != now:
        yield Severity.WORDING if _differ_in_notation(then, now) else Severity.VALUE


def _plain_output(observation: Observation) -> str:
    """Standard output without what handlers printed of the errors they caught."""
    return _replace_printed(observation, lambda _: "").strip("\n")


_SCALAR = re.compile(
    r"""\bnp\.(?P<type>(?:u?int|float|complex|c?longdouble|u?longlong|str_|bytes_)\d*)"""
    r"""\((?P<value>b?(?P<quote>['"]?)[^()'"]*(?P=quote))\)"""
)
_TRUTH = re.compile(r"\bnp\.(True|False)_")
_TIME = re.compile(r"\bnumpy\.(?=(?:datetime|timedelta)64\()")
_COMPLEX = re.compile(r"\(([-+\d.aefin]+j)\)")


def _differ_in_notation(before: str, after: str) -> bool:
    """Whether texts differ only in how NumPy's scalars are written: ``1.0`` and ``np.float64(1.0)``.

    NumPy 1 wrote no type. Where both texts name types, those must be the same.
    """
    then, now = _scalar_types(before), _scalar_types(after)
    return _unwrapped(before) == _unwrapped(after) and (then == now or not then or not now)


def _scalar_types(text: str) -> list[str]:
    return [match["type"] for match in _SCALAR.finditer(text)]


def _unwrapped(text: str) -> str:
    """Text with NumPy's scalars as NumPy 1 wrote them, and complex numbers without their parentheses."""
    text = _TIME.sub("np.", _TRUTH.sub(r"\1", _SCALAR.sub(_bare_scalar, text)))
    return _COMPLEX.sub(r"\1", text)


def _bare_scalar(scalar: re.Match[str]) -> str:
    value = scalar["value"]
    return value.strip("'") if scalar["type"].endswith("longdouble") else value


def _compare_warnings(before: Observation, after: Observation) -> Iterator[Severity]:
    if [w.category for w in before.warnings] != [w.category for w in after.warnings]:
        yield Severity.WARNING
    elif before.warnings != after.warnings:
        yield Severity.WORDING
    if before.stderr != after.stderr:
        yield Severity.WORDING if before.stderr and after.stderr else Severity.WARNING


# --- what is alive after a block ---------------------------------------------------------------


def _compare_blocks(before: Run, after: Run, end: int) -> Iterator[Change]:
    """Changes among the values alive after each block before ``end``, each fact once.

    ``end`` is the block where an error came or went: later differences are its consequences.
    """
    known: set[str] = set()
    for index, (then, now) in enumerate(zip(before.snapshots[:end], after.snapshots[:end], strict=False)):
        if then == now or then.broken or now.broken:
            continue
        found = [(severity, fact) for severity, fact in _compare_snapshots(then, now) if fact not in known]
        known |= {fact for _, fact in found}
        for severity in (Severity.SHARING, Severity.VALUE):
            facts = tuple(fact for kind, fact in found if kind is severity)
            if facts:
                yield Change(before.example, severity, index, None, facts=facts)


def _compare_snapshots(before: Snapshot, after: Snapshot) -> Iterator[tuple[Severity, str]]:
    """Facts about pairs of names, then about values that both have, then about values that one has."""
    then, now = _values_by_name(before), _values_by_name(after)
    both = [name for name in then if name in now]
    for pair in combinations(both, 2):
        if _share(before, pair) != _share(after, pair):
            words = "shares became copies" if _share(before, pair) else "copies became shares"
            yield Severity.SHARING, f"{', '.join(pair)}: {words}"
    for name in both:
        for fact in _compare_values(then[name], now[name]):
            yield Severity.VALUE, f"{name}: {fact}"
    for fact in (*_list_missing(then, now, "before"), *_list_missing(now, then, "after")):
        yield Severity.VALUE, fact


def _list_missing(some: Mapping[str, Value], others: Mapping[str, Value], when: str) -> list[str]:
    return [f"{name}: {value.kind} only {when}" for name, value in some.items() if name not in others]


def _values_by_name(snapshot: Snapshot) -> Mapping[str, Value]:
    return {value.name: value for value in snapshot.values}


def _share(snapshot: Snapshot, pair: tuple[str, str]) -> bool:
    return any({*pair} <= set(group) for group in snapshot.shares)


def _compare_values(before: Value, after: Value) -> Iterator[str]:
    for field in ("kind", "dtype", "shape", "strides", "device", "writable", "requires_grad"):
        then, now = getattr(before, field), getattr(after, field)
        if then != now:
            yield f"{field} {then} → {now}"


def _join(in_statements: Sequence[Change], in_blocks: Sequence[Change]) -> Iterator[Change]:
    """All changes; the facts of a block's change move to a statement of that block with the same severity."""
    rest = list(in_blocks)
    for change in in_statements:
        place = (change.block, change.severity)
        facts = [fact for other in rest if (other.block, other.severity) == place for fact in other.facts]
        rest = [other for other in rest if (other.block, other.severity) != place]
        yield replace(change, facts=tuple(facts))
    yield from rest


def _place(change: Change) -> tuple[int, bool, int]:
    """Sort key: what shows only after a block comes after the block's statements."""
    return change.block, change.statement is None, change.statement or 0
