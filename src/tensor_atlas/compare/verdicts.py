"""Verdicts on one run: claims, deviations and its record compared with what was observed; pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tensor_atlas.compare.deviations import Deviation, find_end_explanation, find_explanation
from tensor_atlas.examples.parse import Block, Claim, Example, Statement
from tensor_atlas.model.runs import Environment, Observation, Run, Status, output_lines
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
    """What was found."""
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
    """Where."""
    remedy: str = ""
    """What to do about it."""

    @property
    def is_drift(self) -> bool:
        """Whether a person must act: correct the example, or explain the difference."""
        return self.kind in DRIFT


OPEN_END = " ..."
"""End of a claim line whose observed line may go on with any text."""
CORRECT = "correct the example, or explain it in docs/deviations.toml"
CLAIM_IT = "review, then: tensor-atlas claims --write, or explain it in docs/deviations.toml"
UPDATE = "review, then: tensor-atlas record"
STALE_RECORD = "stale record: the example changed since it was recorded"
SEED_IT = "correct the example: seed what is random, and print nothing that depends on time, order or load"
RECORD_IT = "tensor-atlas record, then nox -s record -- all; or say in docs/gaps.toml why it waits"
CATCH = (
    "correct the example: catch what you expect, show what kills a process in a child process; "
    "where only some releases end so, explain it in docs/deviations.toml with ends"
)


def claim_holds(claim: Claim | None, observed: tuple[str, ...]) -> bool:
    """Whether the observed lines are the claimed ones, exactly but for open ends; no claim is no lines."""
    claimed = claim.lines if claim else ()
    return len(claimed) == len(observed) and all(map(_line_holds, claimed, observed))


def _line_holds(claimed: str, observed: str) -> bool:
    if claimed == observed:
        return True
    if not claimed.endswith(OPEN_END) or not claimed.removesuffix(OPEN_END).strip():
        return False  # dots without text before them are output, as in NumPy's summaries
    return observed.startswith(claimed.removesuffix("..."))


def compare_run(
    example: Example, run: Run, environment: Environment, deviations: Sequence[Deviation]
) -> tuple[Verdict, ...]:
    """Verdicts on every claim of ``example``, and on output without a claim, in order of line."""
    if run.status is Status.NOT_RUN:
        return (Verdict(VerdictKind.NOT_RUN, example.path, 1, run.reason, environment=environment),)
    if run.digest != example.digest:
        what = "the example changed since it was observed"
        return (Verdict(VerdictKind.STALE, example.path, 1, what, environment=environment),)
    covering = [d for d in deviations if d.mentions(example.name) and d.speaks_of(environment)]
    # What the statement that ended a run had printed goes into the verdict on the ending.
    done = run.observations if run.status is Status.COMPLETED else run.observations[:-1]
    verdicts = []
    for statement, observation in zip(example.statements, done, strict=False):
        observed = output_lines(observation)
        if statement.claim or observed:
            verdicts.append(_judge_statement(example, statement, observed, environment, covering))
    return (*verdicts, *_judge_ending(example, run, environment, covering))


def _judge_statement(
    example: Example,
    statement: Statement,
    observed: tuple[str, ...],
    environment: Environment,
    deviations: Sequence[Deviation],
) -> Verdict:
    """Verdict on a statement that claims or prints something; ``deviations`` speak of the environment."""
    kind, what, remedy = _compare_claim(statement, observed)
    if kind in DRIFT and find_explanation(_about(deviations, example, statement), observed) is not None:
        kind, what, remedy = VerdictKind.KNOWN, "explained in docs/deviations.toml", ""
    line, claimed = _claim_of(statement)
    return Verdict(kind, example.path, line, what, statement.code, claimed, observed, environment, remedy)


def _claim_of(statement: Statement) -> tuple[int, tuple[str, ...]]:
    """Line to look at, and the claimed lines."""
    return (statement.claim.line, statement.claim.lines) if statement.claim else (statement.line, ())


def _compare_claim(statement: Statement, observed: tuple[str, ...]) -> tuple[VerdictKind, str, str]:
    """Kind of the verdict, what was found, and the remedy."""
    if claim_holds(statement.claim, observed):
        return VerdictKind.HOLDS, "claim holds", ""
    if statement.claim is None:
        return VerdictKind.UNCLAIMED, "output without a claim", CLAIM_IT
    if not observed:
        return VerdictKind.DIFFERS, "claim without output", CORRECT
    return VerdictKind.DIFFERS, "claim differs", CORRECT


def _about(deviations: Sequence[Deviation], example: Example, statement: Statement) -> Iterator[Deviation]:
    return (d for d in deviations if d.names(example.name, statement.code))


def _judge_ending(
    example: Example, run: Run, environment: Environment, deviations: Sequence[Deviation]
) -> Iterator[Verdict]:
    """Verdicts on a run that did not complete: on the statement where it stopped, on each block after it."""
    if run.status is Status.COMPLETED:
        return
    stopped = _stopped_at(example, run)
    at = example.statements[stopped]
    is_known = find_end_explanation(_about(deviations, example, at), describe_ending(run)) is not None
    yield Verdict(
        kind=VerdictKind.KNOWN if is_known else VerdictKind.DIFFERS,
        path=example.path,
        line=at.line,
        what=f"{_ENDINGS[run.status]} {run.reason}",
        statement=at.code,
        claimed=_claim_of(at)[1],
        observed=_last_lines(run),
        environment=environment,
        remedy="" if is_known else CATCH,
    )
    if is_known:
        return
    for block in _blocks_after(example, stopped):
        yield Verdict(
            kind=VerdictKind.DIFFERS,
            path=example.path,
            line=block.line,
            what="block never ran",
            statement=block.statements[0].code,
            environment=environment,
            remedy=f"the example ended at line {at.line}: see there",
        )


_ENDINGS = {
    Status.RAISED: "uncaught",
    Status.EXITED: "exited:",
    Status.CRASHED: "crashed:",
    Status.TIMED_OUT: "timed out:",
}


def describe_ending(run: Run) -> str:
    """How a run ended, as a deviation's ``ends`` names it: ``AttributeError: …``, ``crashed: SIGSEGV``, …."""
    raised = run.observations[-1].raised if run.observations else None
    return f"{raised.type}: {raised.message}" if raised else f"{run.status}: {run.reason}"


def _stopped_at(example: Example, run: Run) -> int:
    """Index of the statement that ended the run: the last one observed."""
    return max(0, min(len(run.observations), len(example.statements)) - 1)


def _last_lines(run: Run) -> tuple[str, ...]:
    """Output and traceback of the last statement that was observed."""
    if not run.observations:
        return ()
    last = run.observations[-1]
    traceback = last.raised.traceback if last.raised else ()
    return (*output_lines(last), *traceback)


def _blocks_after(example: Example, index: int) -> Iterator[Block]:
    """Blocks that begin after statement ``index``."""
    first = 0
    for block in example.blocks:
        if first > index:
            yield block
        first += len(block.statements)


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


def record_differs(example: Example, line: int, what: str, environment: Environment) -> Verdict:
    """Verdict on a record that a new one should displace."""
    return Verdict(VerdictKind.DIFFERS, example.path, line, what, environment=environment, remedy=UPDATE)


def _compare_runs(example: Example, run: Run, recorded: Run, environment: Environment) -> Iterator[Verdict]:
    if (run.status, run.reason) != (recorded.status, recorded.reason):
        what = f"record differs: recorded as {_describe_status(recorded)}, now {_describe_status(run)}"
        yield record_differs(example, 1, what, environment)
    statements = zip(example.statements, run.observations, recorded.observations, strict=False)
    for statement, now, then in statements:
        if _without_own_lines(now, example) != _without_own_lines(then, example):
            differs = record_differs(example, statement.line, "record differs", environment)
            observed = _observed_lines(now)
            yield replace(differs, statement=statement.code, claimed=_observed_lines(then), observed=observed)
    for block, after, before in zip(example.blocks, run.snapshots, recorded.snapshots, strict=False):
        if after != before:
            what = "record differs: who shares memory, or what is alive, after this block"
            yield record_differs(example, block.line, what, environment)


def _without_own_lines(observation: Observation, example: Example) -> Observation:
    """An observation whose traceback names no lines of the example: prose and comments move them."""
    if observation.raised is None:
        return observation
    own = re.compile(rf'  File "{re.escape(example.path)}", line \d+')
    frames = tuple(own.sub("", line) for line in observation.raised.traceback)
    return replace(observation, raised=replace(observation.raised, traceback=frames))


def _describe_status(run: Run) -> str:
    return f"{run.status} ({run.reason})" if run.reason else str(run.status)


def _observed_lines(observation: Observation) -> tuple[str, ...]:
    """Everything that an observation holds, as lines."""
    lines = [*output_lines(observation)]
    lines += [f"caught {error.type}: {error.message}" for error in observation.caught]
    if observation.raised:
        lines.append(f"raised {observation.raised.type}: {observation.raised.message}")
        lines += observation.raised.traceback
    return tuple(lines)


# --- several runs of the same code --------------------------------------------------------------------


def compare_repeats(example: Example, runs: Sequence[Run], environment: Environment) -> Iterator[Verdict]:
    """Verdicts on everything that is not the same in all ``runs`` of an example on this machine."""
    for index, statement in enumerate(example.statements):
        observed = [_observed_lines(run.observations[index]) for run in runs if index < len(run.observations)]
        if len(set(observed)) > 1:
            lines = _count_outcomes(observed)
            found = _differs_by_run(example, statement.line, "", environment)
            yield replace(found, statement=statement.code, claimed=_claim_of(statement)[1], observed=lines)
    for index, block in enumerate(example.blocks):
        if len({run.snapshots[index] for run in runs if index < len(run.snapshots)}) > 1:
            what = ", who shares memory, or what is alive, after this block"
            yield _differs_by_run(example, block.line, what, environment)
    endings = [_describe_status(run) for run in runs]
    if len(set(endings)) > 1:
        line = example.statements[min(_stopped_at(example, run) for run in runs)].line
        found = _differs_by_run(example, line, ", how the example ends", environment)
        yield replace(found, observed=_count_outcomes([(ending,) for ending in endings]))


def _differs_by_run(example: Example, line: int, what: str, environment: Environment) -> Verdict:
    words = f"not the same each time{what}"
    return Verdict(VerdictKind.DIFFERS, example.path, line, words, environment=environment, remedy=SEED_IT)


def _count_outcomes(outcomes: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Each different outcome, the most frequent first, under the number of runs that gave it."""
    lines: list[str] = []
    for outcome, count in Counter(outcomes).most_common():
        lines += [f"in {count} of {len(outcomes)} runs:", *(outcome or ["(nothing)"])]
    return tuple(lines)
