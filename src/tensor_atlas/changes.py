"""(run before, run after) → what changed between them, each with its severity; pure.

What only a person can judge, whether a change was meant, is left to ``deviations``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

from tensor_atlas.claims import output_lines
from tensor_atlas.probe.record import Environment, Observation, Raised, Run, Snapshot, Status, Value
from tensor_atlas.probe.script import Example


class Severity(StrEnum):
    """What kind of thing changed, the gravest first."""

    ERROR_APPEARED = "error appeared"
    ERROR_VANISHED = "error vanished"
    SHARING = "sharing changed"
    VALUE = "value, dtype or device changed"
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


def compare(
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
            found += changes(then, now, block_sizes(example))
    return Comparison(before[0], after[0], tuple(in_order(found)), len(examples) - len(left_out), tuple(left_out))


def _reason_against(run: Run | None, environment: Environment, example: Example) -> str:
    where = f"torch {environment.torch}, NumPy {environment.numpy}, {environment.device}"
    if run is None:
        return f"no record of {where}"
    if run.status is Status.NOT_RUN:
        return f"{run.reason} on {where}"
    return "" if run.digest == example.digest else f"changed since {where} recorded it"


def block_sizes(example: Example) -> tuple[int, ...]:
    """How many statements each block has."""
    return tuple(len(block.statements) for block in example.blocks)


def changes(before: Run, after: Run, blocks: Sequence[int]) -> tuple[Change, ...]:
    """What changed from one run to another of the same code; ``blocks`` holds the number of statements of each block.

    A statement that one of the two did not reach says nothing of its own: the error that ended the run does.
    """
    of_statements = list(_of_statements(before, after, blocks))
    broken = {c.block for c in of_statements if c.severity in (Severity.ERROR_APPEARED, Severity.ERROR_VANISHED)}
    of_blocks = list(_of_blocks(before, after, min(broken, default=len(blocks))))
    return tuple(_joined(of_statements, of_blocks))


# --- statements --------------------------------------------------------------------------------


def _of_statements(before: Run, after: Run, blocks: Sequence[int]) -> Iterator[Change]:
    block_of = [block for block, count in enumerate(blocks) for _ in range(count)]
    pairs = zip(before.observations, after.observations, strict=False)
    for index, (then, now) in enumerate(pairs):
        ended = _ending(before, index), _ending(after, index)
        severity = _ended_otherwise(*ended) or statement_severity(then, now)
        if severity is not None:
            told = [told_lines(o) + ((end,) if end else ()) for o, end in zip((then, now), ended, strict=True)]
            yield Change(before.example, severity, block_of[index], index, now.code, *told)


def _ending(run: Run, index: int) -> str:
    """How the run ended at this statement without an exception: a crash, an exit, a time-out; else nothing."""
    abrupt = (Status.CRASHED, Status.EXITED, Status.TIMED_OUT)
    if run.status in abrupt and index == len(run.observations) - 1:
        return f"{run.status}: {run.reason}"
    return ""


def _ended_otherwise(before: str, after: str) -> Severity | None:
    if before == after:
        return None
    if not after:
        return Severity.ERROR_VANISHED
    return Severity.VALUE if before else Severity.ERROR_APPEARED


def told_lines(observation: Observation) -> tuple[str, ...]:
    """Everything a statement printed, warned and raised, as lines; the class of a caught exception before its text."""
    text = observation.stdout
    for caught in observation.caught:
        if caught.printed and caught.printed in text:
            text = text.replace(caught.printed, f"{caught.type}: {caught.printed}", 1)
    told = output_lines(replace(observation, stdout=text))
    silent = tuple(f"{c.type}: {_first_line(c.message)}" for c in observation.caught if not c.printed)
    raised = observation.raised
    return (*told, *silent, *((f"{raised.type}: {_first_line(raised.message)} (uncaught)",) if raised else ()))


def _first_line(text: str) -> str:
    return text.split("\n", 1)[0].rstrip()


def statement_severity(before: Observation, after: Observation) -> Severity | None:
    """The gravest difference between two observations of a statement; None where they say the same."""
    found = [*_errors(before, after), *_printed(before, after), *_warnings(before, after)]
    return min(found, key=lambda severity: severity.rank, default=None)


def _errors(before: Observation, after: Observation) -> Iterator[Severity]:
    if (before.raised is None) != (after.raised is None):
        yield Severity.ERROR_APPEARED if after.raised else Severity.ERROR_VANISHED
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
    return [exception.message for exception in _exceptions(observation)]


def _printed(before: Observation, after: Observation) -> Iterator[Severity]:
    then, now = _plain(before), _plain(after)
    if then != now:
        yield Severity.WORDING if _unwrapped(then) == _unwrapped(now) else Severity.VALUE


def _plain(observation: Observation) -> str:
    """Standard output without what handlers printed of the errors they caught."""
    text = observation.stdout
    for caught in observation.caught:
        if caught.printed:
            text = text.replace(caught.printed, "", 1)
    return text.strip("\n")


_SCALAR = re.compile(r"\bnp\.(?:float|int|uint|complex|longdouble|clongdouble)\d*\(([^()]*)\)")
_TRUTH = re.compile(r"\bnp\.(True|False)_")


def _unwrapped(text: str) -> str:
    """Text with NumPy's scalars as NumPy 1 wrote them: ``np.float64(1.0)`` and ``1.0`` are one value."""
    return _TRUTH.sub(r"\1", _SCALAR.sub(r"\1", text))


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
    """Changes in order of block; what a block's values tell goes with a statement of it that tells the same kind."""
    rest = list(of_blocks)
    for change in of_statements:
        mine = [other for other in rest if (other.block, other.severity) == (change.block, change.severity)]
        rest = [other for other in rest if other not in mine]
        yield replace(change, facts=tuple(fact for other in mine for fact in other.facts))
    yield from rest


def in_order(found: Iterable[Change]) -> list[Change]:
    """Changes by severity, then by example and place."""
    return sorted(found, key=lambda c: (c.severity.rank, c.example, c.block, c.statement is None, c.statement or 0))
