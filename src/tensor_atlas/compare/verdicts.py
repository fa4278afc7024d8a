"""(claims, observations, deviations, records) → verdicts; pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tensor_atlas.compare.claims import claim_holds
from tensor_atlas.compare.deviations import Deviation, Target, find_end_explanation, find_explanation
from tensor_atlas.compare.gaps import Gap
from tensor_atlas.examples.parse import Block, Example, Statement
from tensor_atlas.examples.requirements import has_needs
from tensor_atlas.history.conditions import condition_holds
from tensor_atlas.history.releases import USUAL_PYTHON, newest_environment, python_minor
from tensor_atlas.model.runs import Environment, Observation, Run, Status, output_lines
from tensor_atlas.records.fold import Record


class VerdictKind(StrEnum):
    """What comparing a statement, or a whole example, has shown."""

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


FEW = 4
"""Environments that are recorded one by one where they lack an example; more are recorded in one go."""
CORRECT = "correct the example, or explain it in docs/deviations.toml"
UPDATE = "review, then: tensor-atlas record"
CATCH = (
    "correct the example: catch what you expect, show what kills a process in a child process; "
    "where only some releases end so, explain it in docs/deviations.toml with ends"
)


def compare_run(
    example: Example, run: Run, environment: Environment, deviations: Sequence[Deviation]
) -> tuple[Verdict, ...]:
    """Verdicts on every claim of ``example``, and on what it printed without one, in order of line."""
    if run.status is Status.NOT_RUN:
        return (Verdict(VerdictKind.NOT_RUN, example.path, 1, run.reason, environment=environment),)
    if run.digest != example.digest:
        return (_stale(example, environment),)
    deviations = [d for d in deviations if d.mentions(example.name) and d.speaks_of(environment)]
    # The statement that ended a run is told of by the ending, whatever it had printed.
    done = run.observations if run.status is Status.COMPLETED else run.observations[:-1]
    reached = zip(example.statements, done, strict=False)
    verdicts = [v for s, o in reached if (v := _statement_verdict(example, s, o, environment, deviations))]
    return (*verdicts, *_ending(example, run, environment, deviations))


def _stale(example: Example, environment: Environment) -> Verdict:
    return Verdict(
        VerdictKind.STALE,
        example.path,
        1,
        "the example changed since it was observed",
        environment=environment,
    )


def _statement_verdict(
    example: Example,
    statement: Statement,
    observation: Observation,
    environment: Environment,
    deviations: Sequence[Deviation],
) -> Verdict | None:
    """None for a statement that claims nothing and prints nothing; ``deviations`` speak of the environment."""
    observed = output_lines(observation)
    claimed = statement.claim.lines if statement.claim else ()
    if not claimed and not observed:
        return None
    line = statement.claim.line if statement.claim else statement.line
    kind, what, remedy = _judged(statement, observed)
    if kind in DRIFT and find_explanation(_naming(deviations, example, statement), observed) is not None:
        kind, what, remedy = VerdictKind.KNOWN, "explained in docs/deviations.toml", ""
    return Verdict(kind, example.path, line, what, statement.code, claimed, observed, environment, remedy)


def _judged(statement: Statement, observed: tuple[str, ...]) -> tuple[VerdictKind, str, str]:
    if claim_holds(statement.claim, observed):
        return VerdictKind.HOLDS, "claim holds", ""
    if statement.claim is None:
        return (
            VerdictKind.UNCLAIMED,
            "output without a claim",
            "review, then: tensor-atlas claims --write, or explain it in docs/deviations.toml",
        )
    if not observed:
        return VerdictKind.DIFFERS, "claim without output", CORRECT
    return VerdictKind.DIFFERS, "claim differs", CORRECT


def _naming(deviations: Sequence[Deviation], example: Example, statement: Statement) -> Iterator[Deviation]:
    return (d for d in deviations if d.names(example.name, statement.code))


def _ending(
    example: Example, run: Run, environment: Environment, deviations: Sequence[Deviation]
) -> Iterator[Verdict]:
    """Verdicts on a run that did not come to its end: where it stopped, and each block that never ran."""
    if run.status is Status.COMPLETED:
        return
    stopped = _stopped_at(example, run)
    at = example.statements[stopped]
    is_known = find_end_explanation(_naming(deviations, example, at), describe_ending(run)) is not None
    yield Verdict(
        kind=VerdictKind.KNOWN if is_known else VerdictKind.DIFFERS,
        path=example.path,
        line=at.line,
        what=_ending_words(run),
        statement=at.code,
        claimed=at.claim.lines if at.claim else (),
        observed=_last_words(run),
        environment=environment,
        remedy="" if is_known else CATCH,
    )
    for block in () if is_known else _never_ran(example, stopped):
        yield Verdict(
            kind=VerdictKind.DIFFERS,
            path=example.path,
            line=block.line,
            what="block never ran",
            statement=block.statements[0].code,
            environment=environment,
            remedy=f"the example ended at line {at.line}: see there",
        )


def describe_ending(run: Run) -> str:
    """How a run ended, as a deviation's ``ends`` names it: ``AttributeError: …``, ``crashed: SIGSEGV``, …."""
    raised = run.observations[-1].raised if run.observations else None
    return f"{raised.type}: {raised.message}" if raised else f"{run.status}: {run.reason}"


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


def judge_unrecorded(example: Example, run: Run, environment: Environment) -> tuple[Verdict, ...]:
    """Verdict on an example that ran in an environment with records, and has none there."""
    if run.status is Status.NOT_RUN:
        return ()
    return (_about_record(example, 1, "not recorded in an environment that has records", environment),)


def compare_record(
    example: Example, run: Run, environment: Environment, record: Record | None
) -> tuple[Verdict, ...]:
    """Verdicts on a fresh run against the committed record.

    The record of this very environment must say the same, in everything observed. A machine whose environment nobody
    recorded has nothing to compare with, and so has an example that could not run, now or when it was recorded. Only
    a record of the same release and device can be stale: what a GPU has recorded waits for a GPU.
    """
    recorded = record.runs.get(environment.id) if record else None
    if recorded is None or Status.NOT_RUN in (run.status, recorded.status):
        return ()
    if recorded.digest != example.digest:
        return (
            _about_record(example, 1, "stale record: the example changed since it was recorded", environment),
        )
    if recorded == run:
        return ()
    return tuple(_differences(example, run, recorded, environment))


def _about_record(example: Example, line: int, what: str, environment: Environment) -> Verdict:
    return Verdict(VerdictKind.DIFFERS, example.path, line, what, environment=environment, remedy=UPDATE)


def _differences(example: Example, run: Run, recorded: Run, environment: Environment) -> Iterator[Verdict]:
    if (run.status, run.reason) != (recorded.status, recorded.reason):
        what = f"record differs: recorded as {_ended(recorded)}, now {_ended(run)}"
        yield _about_record(example, 1, what, environment)
    for statement, now, then in zip(
        example.statements, run.observations, recorded.observations, strict=False
    ):
        if now != then:
            yield Verdict(
                kind=VerdictKind.DIFFERS,
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
    raised = (
        (f"raised {observation.raised.type}: {observation.raised.message}",) if observation.raised else ()
    )
    return (*output_lines(observation), *caught, *raised)


def find_unused_deviations(
    deviations: Iterable[Deviation],
    path: str,
    examples: Mapping[str, Example],
    runs: Iterable[tuple[Environment, Run]],
) -> tuple[Verdict, ...]:
    """A verdict for every part of a deviation that none of the ``runs``, live or recorded, needs.

    Parts are the statements it names and the environments; an exact one must also be needed wherever it speaks. Where
    one of its environments has seen older code only, as a GPU may have, the deviation waits for a new run there.
    """
    observed: dict[str, list[tuple[Environment, Run]]] = {}
    for environment, run in runs:
        if run.example in examples and run.status is not Status.NOT_RUN:
            observed.setdefault(run.example, []).append((environment, run))
    return tuple(
        Verdict(VerdictKind.DIFFERS, path, deviation.line, what, remedy="remove it, or correct the entry")
        for deviation in deviations
        for what in _superfluous(deviation, examples, observed)
    )


def _superfluous(
    deviation: Deviation,
    examples: Mapping[str, Example],
    runs: Mapping[str, Sequence[tuple[Environment, Run]]],
) -> Iterator[str]:
    mentioned = [pair for name, pairs in runs.items() if deviation.mentions(name) for pair in pairs]
    spoken_of = [(environment, run) for environment, run in mentioned if deviation.speaks_of(environment)]
    found = [
        (target, environment, need)
        for environment, run in spoken_of
        for target in deviation.targets
        if (need := _need(deviation, target, examples[run.example], run)) is not None
    ]
    for target in deviation.targets:
        if not any(need for named, _, need in found if named is target):
            yield f"unused deviation: no run of {target.example} needs it for {target.statement!r}"
    for condition in deviation.environments:
        if not any(need and condition_holds(condition, environment) for _, environment, need in found):
            yield f"unused deviation: no run needs it for {condition!r}"
    for target, environment, need in found:
        if target.is_exact and not need:
            name = f"torch {environment.torch}, NumPy {environment.numpy}, {environment.device}"
            yield f"deviation too wide: {name} does not differ so at {target.statement!r} of {target.example}"


def _need(deviation: Deviation, target: Target, example: Example, run: Run) -> bool | None:
    """Whether a run differs as a deviation says at a statement it names; None where it never came there.

    A run of older code may: it counts as a need until there is a new one.
    """
    if run.digest != example.digest:
        return (
            True
            if any(target.names(example.name, statement.code) for statement in example.statements)
            else None
        )
    reached = list(zip(example.statements, run.observations, strict=False))
    at = [index for index, (statement, _) in enumerate(reached) if target.names(example.name, statement.code)]
    if not at:
        return None
    ended = len(run.observations) - 1 if run.status is not Status.COMPLETED else None
    return any(_differs(deviation, run, reached[index], is_end=index == ended) for index in at)


def _differs(deviation: Deviation, run: Run, pair: tuple[Statement, Observation], *, is_end: bool) -> bool:
    statement, observation = pair
    if is_end:
        return find_end_explanation([deviation], describe_ending(run)) is not None
    observed = output_lines(observation)
    return not claim_holds(statement.claim, observed) and find_explanation([deviation], observed) is not None


def judge_newest_claims(
    examples: Mapping[str, Example], runs: Iterable[tuple[Environment, Run]], deviations: Sequence[Deviation]
) -> tuple[Verdict, ...]:
    """A verdict for every claim that the newest environment of its example contradicts, explained or not.

    A claim says what a reader with the newest release sees; a deviation may only speak of the others.
    """
    current: dict[str, list[tuple[Environment, Run]]] = {}
    for environment, run in runs if deviations else ():  # without any, nothing is explained
        example = examples.get(run.example)
        if example is not None and run.digest == example.digest and run.status is not Status.NOT_RUN:
            current.setdefault(run.example, []).append((environment, run))
    found: list[Verdict] = []
    for name, pairs in current.items():
        last = newest_environment(environment for environment, _ in pairs)
        for environment, run in pairs:
            if environment is last:
                verdicts = compare_run(examples[name], run, environment, deviations)
                found += [
                    _must_be_claimed(verdict) for verdict in verdicts if verdict.kind is VerdictKind.KNOWN
                ]
    return tuple(found)


def _must_be_claimed(verdict: Verdict) -> Verdict:
    what = "claim is not what the newest recorded release does, though a deviation explains it"
    remedy = "make it the claim, and explain the other releases in docs/deviations.toml"
    return replace(verdict, kind=VerdictKind.DIFFERS, what=what, remedy=remedy)


def find_gaps(
    examples: Mapping[str, Example],
    environments: Mapping[str, Environment],
    records: Mapping[str, Record],
    known: Sequence[Gap] = (),
    path: str = "docs/gaps.toml",
) -> tuple[Verdict, ...]:
    """A verdict for every example that an environment without an accelerator has not run as it is, without a reason.

    A machine with a GPU may be out of reach of whoever edits an example: what it has not run is labelled, not drift.
    ``known`` are the gaps with a reason, from the file ``path``; one that explains nothing is drift.
    """
    missing = [
        (example, environment, what)
        for name, example in sorted(examples.items())
        for id_, environment in environments.items()
        if environment.kind == "cpu" and (what := _gap(example, records.get(name), id_))
    ]
    due = [m for m in missing if not any(gap.covers(m[0].name, m[1]) for gap in known)]
    counts = Counter((example.name, python_minor(environment)) for example, environment, _ in due)
    unexplained = [
        Verdict(
            VerdictKind.DIFFERS,
            example.path,
            1,
            what,
            environment=environment,
            remedy=_recording(environment, in_all=counts[example.name, python_minor(environment)] > FEW),
        )
        for example, environment, what in due
    ]
    closed = [gap for gap in known if not any(gap.covers(example.name, e) for example, e, _ in missing)]
    done = "everything it speaks of has been recorded"
    return (
        *unexplained,
        *(Verdict(VerdictKind.DIFFERS, path, gap.line, done, remedy="remove it") for gap in closed),
    )


def _gap(example: Example, record: Record | None, environment: str) -> str:
    run = record.runs.get(environment) if record else None
    if run is None:
        return "not recorded"
    if run.status is Status.NOT_RUN:
        return (
            ""
            if run.reason and has_needs(example.tags)
            else "not run, though it needs nothing that may be missing"
        )
    return "" if run.digest == example.digest else "changed since it was recorded"


def _recording(environment: Environment, *, in_all: bool) -> str:
    nox = "nox" if python_minor(environment) == USUAL_PYTHON else f"python{python_minor(environment)} -m nox"
    which = "all" if in_all else f"{environment.torch.partition('+')[0]} --numpy {environment.numpy}"
    return f"{nox} -s record -- {which}, or say in docs/gaps.toml why it waits"
