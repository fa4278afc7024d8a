"""(run before, run after) → what changed between them, each with its severity; pure.

What only a person can judge, whether a change was meant, is left to ``deviations``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

from tensor_atlas.examples.parse import Example
from tensor_atlas.model.runs import (
    Environment,
    Observation,
    Raised,
    Run,
    Snapshot,
    Status,
    Value,
    output_lines,
)


class Severity(StrEnum):
    """What kind of thing changed, the gravest first."""

    ERROR_APPEARED = "error appeared"
    ERROR_VANISHED = "error vanished"
    SHARING = "sharing changed"
    VALUE = "value, dtype or device changed"
    SOURCE = "source came or went"
    WARNING = "warning changed"
    WORDING = "wording changed"

    @property
    def is_behaviour(self) -> bool:
        """Whether a program can behave otherwise, not only say something in other words."""
        return self is not Severity.WORDING

    @property
    def rank(self) -> int:
        """Place among the severities, 0 the gravest."""
        return list(Severity).index(self)


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
    """Index of the statement among the example's; None for what only shows after the block."""
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


@dataclass(frozen=True)
class Comparison:
    """Everything that differs between two environments."""

    before: Environment
    """The one, the older where they are releases."""
    after: Environment
    """The other."""
    changes: tuple[Change, ...]
    """What changed, the gravest first."""
    compared: int
    """How many examples ran the same code in both."""
    left_out: tuple[tuple[str, str], ...]
    """Examples that could not be compared, each with the reason."""
    rules: tuple[Rule, ...] = ()
    """What changed in the matrix."""


def compare_environments(
    before: tuple[Environment, Mapping[str, Run]],
    after: tuple[Environment, Mapping[str, Run]],
    examples: Mapping[str, Example],
) -> Comparison:
    """What differs between two environments, over the present code of ``examples``; runs are by example name."""
    found: list[Change] = []
    left_out: list[tuple[str, str]] = []
    for name, example in sorted(examples.items()):
        then, now = before[1].get(name), after[1].get(name)
        reason = _reason_against(then, before[0], example) or _reason_against(now, after[0], example)
        if then is None or now is None or reason:
            left_out.append((name, reason))
        else:
            found += find_changes(then, now, count_statements(example))
    return Comparison(
        before[0], after[0], tuple(sort_changes(found)), len(examples) - len(left_out), tuple(left_out)
    )


def _reason_against(run: Run | None, environment: Environment, example: Example) -> str:
    where = f"torch {environment.torch}, NumPy {environment.numpy}, {environment.device}"
    if run is None:
        return f"no record of {where}"
    if run.status is Status.NOT_RUN:
        return f"{run.reason} on {where}"
    return "" if run.digest == example.digest else f"changed since {where} recorded it"


def count_statements(example: Example) -> tuple[int, ...]:
    """How many statements each block has."""
    return tuple(len(block.statements) for block in example.blocks)


def find_changes(before: Run, after: Run, blocks: Sequence[int]) -> tuple[Change, ...]:
    """What changed from one run to another of the same code; ``blocks`` holds the number of statements of each block.

    In order of place. A statement that one of the two did not reach says nothing of its own: the error that ended the
    run does.
    """
    of_statements = list(_of_statements(before, after, blocks))
    broken = {
        c.block for c in of_statements if c.severity in (Severity.ERROR_APPEARED, Severity.ERROR_VANISHED)
    }
    of_blocks = list(_of_blocks(before, after, min(broken, default=len(blocks))))
    return tuple(sorted(_joined(of_statements, of_blocks), key=_place))


# --- statements --------------------------------------------------------------------------------


def _of_statements(before: Run, after: Run, blocks: Sequence[int]) -> Iterator[Change]:
    block_of = [block for block, count in enumerate(blocks) for _ in range(count)]
    pairs = zip(before.observations, after.observations, strict=False)
    for index, (then, now) in enumerate(pairs):
        ended = _ending(before, index), _ending(after, index)
        severity = _ended_otherwise((then, now), ended) or rate_statement(then, now)
        if severity is not None:
            told = [
                lines + ((end,) if end else ())
                for lines, end in zip(_told_apart(then, now), ended, strict=True)
            ]
            yield Change(before.example, severity, block_of[index], index, now.code, *told)


def _ending(run: Run, index: int) -> str:
    """How the run ended at this statement without an exception: a crash, an exit, a time-out; else nothing."""
    abrupt = (Status.CRASHED, Status.EXITED, Status.TIMED_OUT)
    if run.status in abrupt and index == len(run.observations) - 1:
        return f"{run.status}: {run.reason}"
    return ""


def _ended_otherwise(observed: tuple[Observation, Observation], ended: tuple[str, str]) -> Severity | None:
    if ended[0] == ended[1]:
        return None
    stopped = [bool(end or observation.raised) for observation, end in zip(observed, ended, strict=True)]
    if all(stopped):
        return Severity.VALUE  # a crash became an exception, or another crash: the program still ends here
    return Severity.ERROR_APPEARED if stopped[1] else Severity.ERROR_VANISHED


def _told_apart(before: Observation, after: Observation) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What two statements told; where that is the same, their whole messages, in which a difference was not printed."""
    told = observed_lines(before), observed_lines(after)
    return told if told[0] != told[1] else (_whole_messages(before), _whole_messages(after))


def _whole_messages(observation: Observation) -> tuple[str, ...]:
    errors = [f"{error.type}: {error.message}" for error in _exceptions(observation)]
    warned = [f"{warning.category}: {warning.message}" for warning in observation.warnings]
    return tuple(line.rstrip() for text in (*errors, *warned) for line in text.split("\n"))


def observed_lines(observation: Observation) -> tuple[str, ...]:
    """Everything a statement printed, warned and raised, as lines; the class of a caught exception before its text."""
    told = output_lines(
        replace(observation, stdout=_printed_text(observation, lambda c: f"{c.type}: {c.printed}"))
    )
    silent = tuple(f"{c.type}: {_first_line(c.message)}" for c in observation.caught if not c.printed)
    raised = observation.raised
    return (
        *told,
        *silent,
        *((f"{raised.type}: {_first_line(raised.message)} (uncaught)",) if raised else ()),
    )


def _printed_text(observation: Observation, handled: Callable[[Raised], str]) -> str:
    """Standard output with ``handled`` in place of what the handler of each caught error printed."""
    text = observation.stdout
    # A mark first: in a loop many handlers print the same, and each must find its own.
    marks = {chr(_MARKS + index): caught for index, caught in enumerate(observation.caught) if caught.printed}
    for mark, caught in marks.items():
        text = text.replace(caught.printed, mark, 1)
    for mark, caught in marks.items():
        text = text.replace(mark, handled(caught))
    return text


_MARKS = 0xF0000
"""First of the code points that Unicode leaves to private use; no output holds them."""


def _first_line(text: str) -> str:
    return text.split("\n", 1)[0].rstrip()


def rate_statement(before: Observation, after: Observation) -> Severity | None:
    """The gravest difference between two observations of a statement; None where they say the same."""
    if before == after:
        return None  # nearly all: the parts need not be looked at one by one
    found = [*_errors(before, after), *_printed(before, after), *_warnings(before, after)]
    return min(found, key=lambda severity: severity.rank, default=None)


def _errors(before: Observation, after: Observation) -> Iterator[Severity]:
    if (before.raised is None) != (after.raised is None):
        yield Severity.ERROR_APPEARED if after.raised else Severity.ERROR_VANISHED
        return  # whether the program ends here outweighs what it caught on the way
    then, now = _classes(before), _classes(after)
    gone, new = then - now, now - then
    if gone and new:
        yield Severity.VALUE  # another class: what caught the old one lets it pass
    elif gone or new:
        yield Severity.ERROR_APPEARED if new else Severity.ERROR_VANISHED
    elif _messages(before) != _messages(after):
        yield Severity.WORDING


def _exceptions(observation: Observation) -> tuple[Raised, ...]:
    return (*observation.caught, *((observation.raised,) if observation.raised else ()))


def _classes(observation: Observation) -> Counter[str]:
    return Counter(exception.type for exception in _exceptions(observation))


def _messages(observation: Observation) -> list[str]:
    return [_without_frames(exception.message) for exception in _exceptions(observation)]


def _without_frames(message: str) -> str:
    """Message without the frames of a traceback that it quotes, as those of workers do.

    Where in torch's own files an error came up, and how Python underlines that, is another in each release.
    """
    kept, is_quoting = [], False
    for line in message.split("\n"):
        if not (is_quoting and line.startswith(" ")):
            is_quoting = line.endswith("Traceback (most recent call last):")
            kept.append(line)
    return "\n".join(kept)


def _printed(before: Observation, after: Observation) -> Iterator[Severity]:
    then, now = _plain(before), _plain(after)
    if then != now:
        yield Severity.WORDING if _same_scalars(then, now) else Severity.VALUE


def _plain(observation: Observation) -> str:
    """Standard output without what handlers printed of the errors they caught."""
    return _printed_text(observation, lambda _: "").strip("\n")


_SCALAR = re.compile(
    r"""\bnp\.(?P<type>(?:u?int|float|complex|c?longdouble|u?longlong|str_|bytes_)\d*)"""
    r"""\((?P<value>b?(?P<quote>['"]?)[^()'"]*(?P=quote))\)"""
)
_TRUTH = re.compile(r"\bnp\.(True|False)_")
_TIME = re.compile(r"\bnumpy\.(?=(?:datetime|timedelta)64\()")
_COMPLEX = re.compile(r"\(([-+\d.aefin]+j)\)")


def _same_scalars(before: str, after: str) -> bool:
    """Whether texts differ only in how NumPy's scalars are written: ``1.0`` and ``np.float64(1.0)`` are one value.

    NumPy 1 wrote no type. Where both texts name types, those must be the same.
    """
    then, now = ([match["type"] for match in _SCALAR.finditer(text)] for text in (before, after))
    return _unwrapped(before) == _unwrapped(after) and (then == now or not then or not now)


def _unwrapped(text: str) -> str:
    """Text with NumPy's scalars as NumPy 1 wrote them, and complex numbers without their parentheses."""
    text = _TIME.sub("np.", _TRUTH.sub(r"\1", _SCALAR.sub(_bare, text)))
    return _COMPLEX.sub(r"\1", text)


def _bare(scalar: re.Match[str]) -> str:
    value = scalar["value"]
    return value.strip("'") if scalar["type"].endswith("longdouble") else value


def _warnings(before: Observation, after: Observation) -> Iterator[Severity]:
    if [w.category for w in before.warnings] != [w.category for w in after.warnings]:
        yield Severity.WARNING
    elif before.warnings != after.warnings:
        yield Severity.WORDING
    if before.stderr != after.stderr:
        yield Severity.WORDING if before.stderr and after.stderr else Severity.WARNING


# --- what is alive after a block ---------------------------------------------------------------


def _of_blocks(before: Run, after: Run, end: int) -> Iterator[Change]:
    """Changes among live values up to the block where an error came or went: what differs later is its consequence."""
    known: set[str] = set()
    for index, (then, now) in enumerate(zip(before.snapshots[:end], after.snapshots[:end], strict=False)):
        if then == now:
            continue
        found = [(severity, fact) for severity, fact in _facts(then, now) if fact not in known]
        known |= {fact for _, fact in found}
        for severity in (Severity.SHARING, Severity.VALUE):
            facts = tuple(fact for kind, fact in found if kind is severity)
            if facts:
                yield Change(before.example, severity, index, None, facts=facts)


def _facts(before: Snapshot, after: Snapshot) -> Iterator[tuple[Severity, str]]:
    then, now = _by_name(before), _by_name(after)
    both = [name for name in then if name in now]
    for pair in combinations(both, 2):
        shared, shares = _share(before, pair), _share(after, pair)
        if shared != shares:
            words = "shares became copies" if shared else "copies became shares"
            yield Severity.SHARING, f"{', '.join(pair)}: {words}"
    for name in both:
        yield from ((Severity.VALUE, f"{name}: {fact}") for fact in _differences(then[name], now[name]))
    for name in (*then, *now):
        if (name in then) != (name in now):
            kind = (then.get(name) or now[name]).kind
            yield Severity.VALUE, f"{name}: {kind} only {'before' if name in then else 'after'}"


def _by_name(snapshot: Snapshot) -> Mapping[str, Value]:
    return {value.name: value for value in snapshot.values}


def _share(snapshot: Snapshot, pair: tuple[str, str]) -> bool:
    return any({*pair} <= set(group) for group in snapshot.shares)


def _differences(before: Value, after: Value) -> Iterator[str]:
    for field in ("kind", "dtype", "shape", "strides", "device", "writable", "requires_grad"):
        then, now = getattr(before, field), getattr(after, field)
        if then != now:
            yield f"{field} {then} → {now}"


def _joined(of_statements: Sequence[Change], of_blocks: Sequence[Change]) -> Iterator[Change]:
    """Changes of both kinds; what a block's values tell goes with a statement of it that tells the same kind."""
    rest = list(of_blocks)
    for change in of_statements:
        mine = [other for other in rest if (other.block, other.severity) == (change.block, change.severity)]
        rest = [other for other in rest if other not in mine]
        yield replace(change, facts=tuple(fact for other in mine for fact in other.facts))
    yield from rest


def sort_changes(found: Iterable[Change]) -> list[Change]:
    """Changes by severity, then by example and place."""
    return sorted(found, key=lambda change: (change.severity.rank, change.example, _place(change)))


def _place(change: Change) -> tuple[int, bool, int]:
    """Sort key: what only shows after a block comes after the block's statements."""
    return change.block, change.statement is None, change.statement or 0
