"""(claims, observations, deviations, records) → verdicts; pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tensor_atlas.claims import holds, output_lines
from tensor_atlas.deviations import Deviation, explaining
from tensor_atlas.fold import Record
from tensor_atlas.probe.record import Environment, Observation, Run, Status
from tensor_atlas.probe.script import Block, Example, Statement


class Kind(StrEnum):
    """What comparing a statement, or a whole example, has shown."""

    HOLDS = "holds"
    DIFFERS = "differs"
    KNOWN = "known"
    UNCLAIMED = "unclaimed"
    NOT_RUN = "not run"
    STALE = "stale"


DRIFT = (Kind.DIFFERS, Kind.UNCLAIMED)


@dataclass(frozen=True)
class Verdict:
    """One finding about one statement, or about a whole example."""

    kind: Kind
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


CORRECT = "correct the example, or explain it in docs/deviations.toml"
UPDATE = "review, then: tensor-atlas record"


def compare_run(
    example: Example, run: Run, environment: Environment, deviations: Sequence[Deviation]
) -> tuple[Verdict, ...]:
    """Verdicts on every claim of ``example``, and on what it printed without one, in order of line."""
    if run.status is Status.NOT_RUN:
        return (Verdict(Kind.NOT_RUN, example.path, 1, run.reason, environment=environment),)
    if run.digest != example.digest:
        return (_stale(example, environment),)
    # The statement that ended a run is told of by the ending, whatever it had printed.
    done = run.observations if run.status is Status.COMPLETED else run.observations[:-1]
    reached = zip(example.statements, done, strict=False)
    verdicts = [v for s, o in reached if (v := _statement_verdict(example, s, o, environment, deviations))]
    return (*verdicts, *_ending(example, run, environment))


def _stale(example: Example, environment: Environment) -> Verdict:
    return Verdict(Kind.STALE, example.path, 1, "the example changed since it was observed", environment=environment)


def _statement_verdict(
    example: Example,
    statement: Statement,
    observation: Observation,
    environment: Environment,
    deviations: Sequence[Deviation],
) -> Verdict | None:
    """None for a statement that claims nothing and prints nothing."""
    observed = output_lines(observation)
    claimed = statement.claim.lines if statement.claim else ()
    if not claimed and not observed:
        return None
    line = statement.claim.line if statement.claim else statement.line
    kind, what, remedy = _judged(statement, observed)
    speaking = [d for d in deviations if d.covers(example.name, statement.code, environment)]
    if kind in DRIFT and explaining(speaking, observed) is not None:
        kind, what, remedy = Kind.KNOWN, "explained in docs/deviations.toml", ""
    return Verdict(kind, example.path, line, what, statement.code, claimed, observed, environment, remedy)


def _judged(statement: Statement, observed: tuple[str, ...]) -> tuple[Kind, str, str]:
    if holds(statement.claim, observed):
        return Kind.HOLDS, "claim holds", ""
    if statement.claim is None:
        return (
            Kind.UNCLAIMED,
            "output without a claim",
            "review, then: tensor-atlas claims --write, or explain it in docs/deviations.toml",
        )
    if not observed:
        return Kind.DIFFERS, "claim without output", CORRECT
    return Kind.DIFFERS, "claim differs", CORRECT


def _ending(example: Example, run: Run, environment: Environment) -> Iterator[Verdict]:
    """Verdicts on a run that did not come to its end: where it stopped, and each block that never ran."""
    if run.status is Status.COMPLETED:
        return
    stopped = _stopped_at(example, run)
    at = example.statements[stopped]
    yield Verdict(
        kind=Kind.DIFFERS,
        path=example.path,
        line=at.line,
        what=_ending_words(run),
        statement=at.code,
        claimed=at.claim.lines if at.claim else (),
        observed=_last_words(run),
        environment=environment,
        remedy="correct the example: catch what you expect, and show what kills a process in a child process",
    )
    for block in _never_ran(example, stopped):
        yield Verdict(
            kind=Kind.DIFFERS,
            path=example.path,
            line=block.line,
            what="block never ran",
            statement=block.statements[0].code,
            environment=environment,
            remedy=f"the example ended at line {at.line}: see there",
        )


def _stopped_at(example: Example, run: Run) -> int:
    """Index of the statement that ended the run: the last one observed."""
    return max(0, min(len(run.observations), len(example.statements)) - 1)


def _ending_words(run: Run) -> str:
    words = {
        Status.RAISED: "uncaught",
        Status.EXITED: "exited:",
        Status.CRASHED: "crashed:",
        Status.TIMED_OUT: "timed out:",
    }
    return f"{words[run.status]} {run.reason}"


def _last_words(run: Run) -> tuple[str, ...]:
    if not run.observations:
        return ()
    last = run.observations[-1]
    return (*output_lines(last), *(last.raised.traceback if last.raised else ()))


def _never_ran(example: Example, stopped: int) -> Iterator[Block]:
    first = 0
    for block in example.blocks:
        if first > stopped:
            yield block
        first += len(block.statements)


def unrecorded(example: Example, run: Run, environment: Environment) -> tuple[Verdict, ...]:
    """Verdict on an example that ran in an environment with records, and has none there."""
    if run.status is Status.NOT_RUN:
        return ()
    return (_about_record(example, 1, "not recorded in an environment that has records", environment),)


def compare_record(example: Example, run: Run, environment: Environment, record: Record | None) -> tuple[Verdict, ...]:
    """Verdicts on a fresh run against the committed record.

    The record of this very environment must say the same, in everything observed. A machine whose environment nobody
    recorded has nothing to compare with, and so has an example that could not run, now or when it was recorded. Only
    a record of the same release and device can be stale: what a GPU has recorded waits for a GPU.
    """
    recorded = record.runs.get(environment.id) if record else None
    if recorded is None or Status.NOT_RUN in (run.status, recorded.status):
        return ()
    if recorded.digest != example.digest:
        return (_about_record(example, 1, "stale record: the example changed since it was recorded", environment),)
    if recorded == run:
        return ()
    return tuple(_differences(example, run, recorded, environment))


def _about_record(example: Example, line: int, what: str, environment: Environment) -> Verdict:
    return Verdict(Kind.DIFFERS, example.path, line, what, environment=environment, remedy=UPDATE)


def _differences(example: Example, run: Run, recorded: Run, environment: Environment) -> Iterator[Verdict]:
    if (run.status, run.reason) != (recorded.status, recorded.reason):
        what = f"record differs: recorded as {_ended(recorded)}, now {_ended(run)}"
        yield _about_record(example, 1, what, environment)
    for statement, now, then in zip(example.statements, run.observations, recorded.observations, strict=False):
        if now != then:
            yield Verdict(
                kind=Kind.DIFFERS,
                path=example.path,
                line=statement.line,
                what="record differs",
                statement=statement.code,
                claimed=_told(then),
                observed=_told(now),
                environment=environment,
                remedy=UPDATE,
            )
    for block, after, before in zip(example.blocks, run.snapshots, recorded.snapshots, strict=False):
        if after != before:
            what = "record differs: who shares memory, or what is alive, after this block"
            yield _about_record(example, block.line, what, environment)


def _ended(run: Run) -> str:
    return f"{run.status} ({run.reason})" if run.reason else str(run.status)


def _told(observation: Observation) -> tuple[str, ...]:
    """All an observation holds that another could hold otherwise, as lines."""
    caught = (f"caught {c.type}: {c.message}" for c in observation.caught)
    raised = (f"raised {observation.raised.type}: {observation.raised.message}",) if observation.raised else ()
    return (*output_lines(observation), *caught, *raised)


def unused(
    deviations: Iterable[Deviation],
    path: str,
    examples: Mapping[str, Example],
    runs: Iterable[tuple[Environment, Run]],
) -> tuple[Verdict, ...]:
    """A verdict for every deviation that none of the ``runs``, live or recorded, needs.

    Where one of its environments has seen older code only, as a GPU may have, the deviation waits for a new run there.
    """
    observed = list(runs)
    return tuple(
        Verdict(
            kind=Kind.DIFFERS,
            path=path,
            line=deviation.line,
            what=f"unused deviation: no run of {deviation.example} needs it",
            statement=deviation.statement,
            remedy="remove the entry, or correct its environments",
        )
        for deviation in deviations
        if not _is_needed(deviation, examples[deviation.example], observed)
    )


def _is_needed(deviation: Deviation, example: Example, runs: Sequence[tuple[Environment, Run]]) -> bool:
    spoken_of = [run for environment, run in runs if run.example == example.name and deviation.speaks_of(environment)]
    happened = [run for run in spoken_of if run.status is not Status.NOT_RUN]
    waits = any(run.digest != example.digest for run in happened)
    return waits or any(_differs(deviation, example, run) for run in happened)


def _differs(deviation: Deviation, example: Example, run: Run) -> bool:
    """Whether a statement that the deviation names prints something else than it claims."""
    reached = zip(example.statements, run.observations, strict=False)
    return any(
        deviation.names(example.name, statement.code) and not holds(statement.claim, output_lines(observation))
        for statement, observation in reached
    )
