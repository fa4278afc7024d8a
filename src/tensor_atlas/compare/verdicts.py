"""Verdicts on one run: claims, deviations and its record compared with what was observed; pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tensor_atlas.compare.deviations import Deviation, Difference, find_explanation
from tensor_atlas.examples.parse import Claim, Example, Statement
from tensor_atlas.history.own_lines import hide_in_lines, without_own_lines
from tensor_atlas.model.runs import (
    LATE,
    Environment,
    Observation,
    Raised,
    Run,
    Snapshot,
    Status,
    Unmade,
    narrow_snapshot,
    output_lines,
)
from tensor_atlas.records.fold import Record


class VerdictKind(StrEnum):
    """Result of comparing a statement, or a whole example."""

    HOLDS = "holds"
    DIFFERS = "differs"
    KNOWN = "known"
    UNCLAIMED = "unclaimed"
    NOT_RUN = "not run"
    STALE = "stale"


DRIFT = (VerdictKind.DIFFERS, VerdictKind.UNCLAIMED)


@dataclass(frozen=True)
class Verdict:
    """One finding about one statement, or about a whole example."""

    kind: VerdictKind
    path: str
    """File to look at."""
    line: int
    """Line to look at: the claim's, else the statement's."""
    what: str
    """The finding in a few words."""
    statement: str = ""
    """Source of the statement."""
    claimed: tuple[str, ...] = ()
    """What the example says."""
    observed: tuple[str, ...] = ()
    """What happened."""
    environment: Environment | None = None
    remedy: str = ""
    """What to do about it."""

    @property
    def is_drift(self) -> bool:
        """Whether a person must act: correct the example, or explain the difference."""
        return self.kind in DRIFT


OPEN_END = " ..."
"""End of a claim line whose observed line may go on with any text."""
CORRECT = "correct the example, or explain it in docs/deviations.toml"
CLAIM_IT = "review, then: tensor-atlas claims --write {path}, or explain it in docs/deviations.toml"
UPDATE = "review, then: tensor-atlas record"
STALE_RECORD = "stale record: the example changed since it was recorded"
NOT_AGAIN = "has not run since the example changed"
RECORD_THERE = "to run it there: nox -s record -- all --only {name}"
SEED_IT = "correct the example: seed what is random, and print nothing that depends on time, order or load"
RECORD_IT = "tensor-atlas record, then nox -s record -- all; or say in docs/gaps.toml why it waits"
CATCH = (
    "correct the example: catch what you expect, show what kills a process in a child process; "
    "where only some releases end so, explain it in docs/deviations.toml with ends"
)


def claim_holds(claim: Claim | None, observed: tuple[str, ...], example: str) -> bool:
    """Whether the observed lines are the claimed ones; no claim is no lines.

    Exactly, but for open ends and line numbers of the ``example`` itself.
    """
    claimed, seen = (hide_in_lines(lines, example) for lines in (claim.lines if claim else (), observed))
    return len(claimed) == len(seen) and all(map(_line_holds, claimed, seen))


def exact_claim(observed: str) -> str:
    """Claim line that holds for this line alone: dots that would be an open end have the last one escaped."""
    return observed.removesuffix(".") + r"\x2e" if _has_open_end(observed) else observed


def _line_holds(claimed: str, observed: str) -> bool:
    if claimed in (observed, exact_claim(observed)):
        return True
    return _has_open_end(claimed) and observed.startswith(f"{claimed.removesuffix(OPEN_END)} ")


def _has_open_end(line: str) -> bool:
    """Dots without text before them are output, as in NumPy's summaries."""
    return line.endswith(OPEN_END) and bool(line.removesuffix(OPEN_END).strip())


def compare_run(
    example: Example, run: Run, environment: Environment, deviations: Sequence[Deviation]
) -> tuple[Verdict, ...]:
    """Verdicts on every claim of ``example``, and on output without a claim, in order of line."""
    if run.status is Status.NOT_RUN:
        return (Verdict(VerdictKind.NOT_RUN, example.path, 1, run.reason, environment=environment),)
    if run.digest != example.digest:
        remedy = "" if environment.kind != "cpu" else RECORD_THERE.format(name=example.name)
        return (
            Verdict(VerdictKind.STALE, example.path, 1, NOT_AGAIN, environment=environment, remedy=remedy),
        )
    covering = [d for d in deviations if d.mentions(example.name) and d.speaks_of(environment)]
    found = _judge_statements(example, run, covering)
    return tuple(replace(verdict, environment=environment) for verdict in found)


def _judge_statements(example: Example, run: Run, deviations: Sequence[Deviation]) -> Iterator[Verdict]:
    """Verdicts on the statements that a run reached; ``deviations`` speak of its environment.

    What is behind the known end of a script differs for the same reason. Behind an end that nothing explains,
    statements that lacked a name and blocks that were not reached have verdicts too.
    """
    known_end = ""
    for index, statement in example.places.items():
        verdict = _judge_statement(example, run, index, deviations)
        if verdict is None:
            continue
        if known_end and verdict.is_drift:
            verdict = replace(verdict, kind=VerdictKind.KNOWN, what=known_end, remedy="")
        if index == run.ending and verdict.kind is VerdictKind.KNOWN:
            known_end = f"the script ends at line {statement.line}"
        yield verdict
    if run.ending is not None and not known_end:
        see = f"the example ended at line {example.statements[run.ending].line}: see there"
        for line, code, finding in _list_unmade(example, run):
            yield Verdict(VerdictKind.DIFFERS, example.path, line, finding, code, remedy=see)


def _judge_statement(
    example: Example, run: Run, index: int, deviations: Sequence[Deviation]
) -> Verdict | None:
    """Verdict on a statement; None where it was not reached, or rightly printed nothing."""
    if run.observation(index) is None and index != run.ending:
        return None
    statement = example.places[index]
    difference = find_difference(example, run, index)
    if difference is None and statement.claim is None:
        return None
    raised = _find_uncaught(run, index)
    kind, finding, remedy = _rate_difference(example.path, statement, difference, raised)
    about = [deviation for deviation in deviations if deviation.names(example.name, statement.code)]
    if (
        difference is not None
        and (not difference.ends or index == run.ending)  # a script ends once
        and find_explanation(about, difference) is not None
    ):
        kind, remedy = VerdictKind.KNOWN, ""
        finding = finding if difference.ends else "explained in docs/deviations.toml"
    line, claimed = _claim_of(statement)
    return Verdict(
        kind=kind,
        path=example.path,
        line=statement.line if index == run.ending else line,
        what=finding,
        statement=statement.code,
        claimed=claimed,
        observed=(*_observed_at(run, index), *(raised.traceback if raised else ())),
        remedy=remedy,
    )


def _claim_of(statement: Statement) -> tuple[int, tuple[str, ...]]:
    """Line to look at, and the claimed lines."""
    return (statement.claim.line, statement.claim.lines) if statement.claim else (statement.line, ())


def _observed_at(run: Run, index: int) -> tuple[str, ...]:
    """Lines that a statement printed, as its claim must have them."""
    if index == LATE:
        return output_lines(run.late) if run.late else ()
    return output_lines(run.observations[index]) if index < len(run.observations) else ()


def find_difference(example: Example, run: Run, index: int) -> Difference | None:
    """How a run differs from what a statement claims; None where its claim, or its silence, holds."""
    observed = _observed_at(run, index)
    if ending := describe_ending(run, index):
        return Difference(observed, ending, example.name)
    if claim_holds(example.places[index].claim, observed, example.name):
        return None
    return Difference(observed, example=example.name)


def _rate_difference(
    path: str, statement: Statement, difference: Difference | None, raised: Raised | None
) -> tuple[VerdictKind, str, str]:
    """Kind of the verdict, what was found, and the remedy; ``raised`` is what nobody caught."""
    if difference is None:
        return VerdictKind.HOLDS, "claim holds", ""
    if difference.ends:
        return VerdictKind.DIFFERS, f"uncaught {raised.type}" if raised else difference.ends, CATCH
    if statement.claim is None:
        return VerdictKind.UNCLAIMED, "output without a claim", CLAIM_IT.format(path=path)
    if not difference.observed:
        return VerdictKind.DIFFERS, "claim without output", CORRECT
    return VerdictKind.DIFFERS, "claim differs", CORRECT


def _list_unmade(example: Example, run: Run) -> Iterator[tuple[int, str, str]]:
    """Line, code and reason of each statement that lacked a name, and of each block that was not reached."""
    for statement, seen in zip(example.statements, run.observations, strict=False):
        if seen.unmade is not None:
            yield statement.line, statement.code, describe_unmade(example, seen.unmade)
    first = 0
    for block in example.blocks:
        if first >= max(1, len(run.observations)):
            yield block.line, block.statements[0].code, "block never ran"
        first += len(block.statements)


def describe_unmade(example: Example, unmade: Unmade) -> str:
    """Why a statement shows nothing: "`y` was not made: line 12 raised"."""
    return f"`{unmade.name}` was not made: line {example.statements[unmade.statement].line} raised"


def describe_ending(run: Run, index: int) -> str:
    """How a run ends at a statement, as a deviation's ``ends`` names it; empty where it goes on.

    Behind the first error this tells of the others.
    """
    raised = _find_uncaught(run, index)
    return f"{raised.type}: {raised.message}" if raised else run.describe_stop(index)


def _find_uncaught(run: Run, index: int) -> Raised | None:
    return run.observations[index].raised if index < len(run.observations) else None


def compare_record(
    example: Example, run: Run, environment: Environment, record: Record | None
) -> tuple[Verdict, ...]:
    """Verdicts on a fresh run that differs from this environment's record, where both ran the example."""
    recorded = record.runs.get(environment.id) if record else None
    if recorded is None or Status.NOT_RUN in (run.status, recorded.status):
        return ()
    if recorded.digest != example.digest:
        return (record_differs(example, 1, STALE_RECORD, environment),)
    if recorded == run:
        return ()
    return tuple(_compare_runs(example, run, recorded, environment))


def record_differs(example: Example, line: int, finding: str, environment: Environment) -> Verdict:
    """Verdict on a record that a new one should displace."""
    return Verdict(VerdictKind.DIFFERS, example.path, line, finding, environment=environment, remedy=UPDATE)


def _compare_runs(example: Example, run: Run, recorded: Run, environment: Environment) -> Iterator[Verdict]:
    if _describe_status(run) != _describe_status(recorded):
        finding = f"record differs: recorded as {_describe_status(recorded)}, now {_describe_status(run)}"
        yield record_differs(example, 1, finding, environment)
    reached = len(run.observations), len(recorded.observations)
    if reached[0] != reached[1] and _describe_status(run) == _describe_status(recorded):
        finding = f"record differs: recorded {reached[1]} statements, now {reached[0]}"
        yield record_differs(example, 1, finding, environment)
    statements = zip(example.statements, run.observations, recorded.observations, strict=False)
    for statement, now, then in statements:
        if not then.unobserved and _differ(now, then, example):
            differs = record_differs(example, statement.line, "record differs", environment)
            observed = _observed_lines(now)
            yield replace(differs, statement=statement.code, claimed=_observed_lines(then), observed=observed)
    if recorded.late is not None and _late_differs(run, recorded, example):  # older probes saw none
        place = example.places[LATE]
        differs = record_differs(example, place.line, "record differs", environment)
        yield replace(differs, statement=place.code, claimed=_late_lines(recorded), observed=_late_lines(run))
    for block, after, before in zip(example.blocks, run.snapshots, recorded.snapshots, strict=False):
        if after != before and (run.depth == recorded.depth or not _are_alike(after, before)):
            finding = "record differs: who shares memory, or what is alive, after this block"
            yield record_differs(example, block.line, finding, environment)


def _are_alike(one: Snapshot, other: Snapshot) -> bool:
    """Whether snapshots are the same as far as both looked, one of them one step from the names.

    Values that are held may show that a buffer is longer, or that two are one.
    """
    pair = [narrow_snapshot(one), narrow_snapshot(other)]
    if any(value.held for value in (*one.values, *other.values)):
        pair = [_without_places(snapshot) for snapshot in pair]
    return pair[0] == pair[1]


def _without_places(snapshot: Snapshot) -> Snapshot:
    values = (replace(value, buffer=None, start=None, stop=None) for value in snapshot.values)
    return replace(snapshot, values=tuple(values), buffers=())


def _late_lines(run: Run) -> tuple[str, ...]:
    """Everything that was observed after the last statement, as lines."""
    return _observed_lines(run.late) if run.late else ()


def _differ(now: Observation, then: Observation, example: Example) -> bool:
    """Whether two observations differ in more than lines of the example, which prose and comments move."""
    return now != then and without_own_lines(now, example.name) != without_own_lines(then, example.name)


def _late_differs(run: Run, recorded: Run, example: Example) -> bool:
    now, then = (hide_in_lines(_late_lines(one), example.name) for one in (run, recorded))
    return now != then


def _describe_status(run: Run) -> str:
    words = f"{run.status} ({run.reason})" if run.reason else str(run.status)
    return f"{words}, then {run.stopped}" if run.stopped else words


def _observed_lines(observation: Observation) -> tuple[str, ...]:
    """Everything that an observation holds, as lines."""
    lines = [*output_lines(observation)]
    lines += [f"caught {error.type}: {error.message}" for error in observation.caught]
    if observation.raised:
        lines.append(f"raised {observation.raised.type}: {observation.raised.message}")
        lines += observation.raised.traceback
    if observation.unmade:
        lines.append(f"{observation.unmade.name} was not made")
    return tuple(lines)


# --- several runs of the same code --------------------------------------------------------------------


def compare_repeats(example: Example, runs: Sequence[Run], environment: Environment) -> Iterator[Verdict]:
    """Verdicts on everything that is not the same in all ``runs`` of an example on this machine."""
    for index, statement in example.places.items():
        if index == LATE:
            observed = [_late_lines(run) for run in runs]
        else:
            reached = [run for run in runs if index < len(run.observations)]
            observed = [_observed_lines(run.observations[index]) for run in reached]
        if len(set(observed)) > 1:
            lines = _count_outcomes(observed)
            verdict = _differs_by_run(example, statement.line, "", environment)
            yield replace(verdict, statement=statement.code, claimed=_claim_of(statement)[1], observed=lines)
    for index, block in enumerate(example.blocks):
        if len({run.snapshots[index] for run in runs if index < len(run.snapshots)}) > 1:
            finding = ", who shares memory, or what is alive, after this block"
            yield _differs_by_run(example, block.line, finding, environment)
    endings = [_describe_status(run) for run in runs]
    if len(set(endings)) > 1:
        line = example.statements[min(run.ending for run in runs if run.ending is not None)].line
        verdict = _differs_by_run(example, line, ", how the example ends", environment)
        yield replace(verdict, observed=_count_outcomes([(ending,) for ending in endings]))


def _differs_by_run(example: Example, line: int, detail: str, environment: Environment) -> Verdict:
    words = f"not the same each time{detail}"
    return Verdict(VerdictKind.DIFFERS, example.path, line, words, environment=environment, remedy=SEED_IT)


def _count_outcomes(outcomes: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Each different outcome, the most frequent first, under the number of runs that gave it."""
    lines: list[str] = []
    for outcome, count in Counter(outcomes).most_common():
        lines += [f"in {count} of {len(outcomes)} runs:", *(outcome or ["(nothing)"])]
    return tuple(lines)
