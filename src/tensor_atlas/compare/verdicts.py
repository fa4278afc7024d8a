"""Verdicts on runs: claims, deviations and records compared with what was observed; pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tensor_atlas.compare.claims import claim_holds
from tensor_atlas.compare.deviations import Deviation, Gap, Target, find_end_explanation, find_explanation
from tensor_atlas.examples.parse import Block, Example, Statement
from tensor_atlas.examples.requirements import has_needs
from tensor_atlas.history.conditions import condition_holds
from tensor_atlas.history.releases import USUAL_PYTHON, newest_environment, python_minor
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


MOST_SINGLE = 4
"""Environments that are recorded one by one where they lack an example; more are recorded in one go."""


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


CORRECT = "correct the example, or explain it in docs/deviations.toml"
CLAIM_IT = "review, then: tensor-atlas claims --write, or explain it in docs/deviations.toml"
UPDATE = "review, then: tensor-atlas record"
CATCH = (
    "correct the example: catch what you expect, show what kills a process in a child process; "
    "where only some releases end so, explain it in docs/deviations.toml with ends"
)


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


def judge_unrecorded(example: Example, run: Run, environment: Environment) -> tuple[Verdict, ...]:
    """Verdict on an example that ran in an environment with records, and has none there."""
    if run.status is Status.NOT_RUN:
        return ()
    return (_record_differs(example, 1, "not recorded in an environment that has records", environment),)


def compare_record(
    example: Example, run: Run, environment: Environment, record: Record | None
) -> tuple[Verdict, ...]:
    """Verdicts on a fresh run, compared with the record of this very environment.

    Empty where they are the same.

    Also empty where there is no such record, and where the example could not run, now or when it was
    recorded.
    """
    recorded = record.runs.get(environment.id) if record else None
    if recorded is None or Status.NOT_RUN in (run.status, recorded.status):
        return ()
    if recorded.digest != example.digest:
        what = "stale record: the example changed since it was recorded"
        return (_record_differs(example, 1, what, environment),)
    if recorded == run:
        return ()
    return tuple(_compare_runs(example, run, recorded, environment))


def _record_differs(example: Example, line: int, what: str, environment: Environment) -> Verdict:
    return Verdict(VerdictKind.DIFFERS, example.path, line, what, environment=environment, remedy=UPDATE)


def _compare_runs(example: Example, run: Run, recorded: Run, environment: Environment) -> Iterator[Verdict]:
    if (run.status, run.reason) != (recorded.status, recorded.reason):
        what = f"record differs: recorded as {_describe_status(recorded)}, now {_describe_status(run)}"
        yield _record_differs(example, 1, what, environment)
    statements = zip(example.statements, run.observations, recorded.observations, strict=False)
    for statement, now, then in statements:
        if _without_own_lines(now, example) != _without_own_lines(then, example):
            differs = _record_differs(example, statement.line, "record differs", environment)
            observed = _observed_lines(now)
            yield replace(differs, statement=statement.code, claimed=_observed_lines(then), observed=observed)
    for block, after, before in zip(example.blocks, run.snapshots, recorded.snapshots, strict=False):
        if after != before:
            what = "record differs: who shares memory, or what is alive, after this block"
            yield _record_differs(example, block.line, what, environment)


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


Runs = Sequence[tuple[Environment, Run]]


def find_unused_deviations(
    deviations: Iterable[Deviation],
    path: str,
    examples: Mapping[str, Example],
    runs: Iterable[tuple[Environment, Run]],
) -> tuple[Verdict, ...]:
    """A verdict for every part of a deviation that none of the ``runs``, live or recorded, needs.

    Parts are the statements it names and its conditions; an exact target must also be needed wherever it
    applies. Where one of its environments ran older code only, as a GPU may have, the deviation waits for a
    new run there.
    """
    observed: dict[str, list[tuple[Environment, Run]]] = {}
    for environment, run in runs:
        if run.example in examples and run.status is not Status.NOT_RUN:
            observed.setdefault(run.example, []).append((environment, run))
    verdicts = []
    for deviation in deviations:
        for what in _find_unused_parts(deviation, _find_needs(deviation, examples, observed)):
            remedy = "remove it, or correct the entry"
            verdicts.append(Verdict(VerdictKind.DIFFERS, path, deviation.line, what, remedy=remedy))
    return tuple(verdicts)


_Need = tuple[Target, Environment, bool]
"""A target, an environment that reached it, and whether the target explains a difference there."""


def _find_needs(
    deviation: Deviation, examples: Mapping[str, Example], runs: Mapping[str, Runs]
) -> list[_Need]:
    needs: list[_Need] = []
    for name, pairs in runs.items():
        covered = pairs if deviation.mentions(name) else ()
        for environment, run in covered:
            if deviation.speaks_of(environment):
                needs += _needs_of_run(deviation, examples[name], environment, run)
    return needs


def _needs_of_run(
    deviation: Deviation, example: Example, environment: Environment, run: Run
) -> Iterator[_Need]:
    for target in deviation.targets:
        is_needed = _is_needed(deviation, target, example, run)
        if is_needed is not None:
            yield target, environment, is_needed


def _find_unused_parts(deviation: Deviation, needs: Sequence[_Need]) -> Iterator[str]:
    needed = [(target, environment) for target, environment, is_needed in needs if is_needed]
    for target in deviation.targets:
        if not any(other is target for other, _ in needed):
            yield f"unused deviation: no run of {target.example} needs it for {target.statement!r}"
    for condition in deviation.environments:
        if not any(condition_holds(condition, environment) for _, environment in needed):
            yield f"unused deviation: no run needs it for {condition!r}"
    for target, environment, is_needed in needs:
        if target.is_exact and not is_needed:
            where = f"torch {environment.torch}, NumPy {environment.numpy}, {environment.device}"
            what = f"{where} does not differ so at {target.statement!r} of {target.example}"
            yield f"deviation too wide: {what}"


def _is_needed(deviation: Deviation, target: Target, example: Example, run: Run) -> bool | None:
    """Whether a run differs as a deviation says at a statement that ``target`` names.

    None where it reached none.

    A run of older code may differ so: it counts as a need until there is a new one.
    """
    named = [i for i, s in enumerate(example.statements) if target.names(example.name, s.code)]
    if run.digest != example.digest:
        return True if named else None
    reached = [index for index in named if index < len(run.observations)]
    if not reached:
        return None
    return any(_differs_so(deviation, example, run, index) for index in reached)


def _differs_so(deviation: Deviation, example: Example, run: Run, index: int) -> bool:
    if run.status is not Status.COMPLETED and index == len(run.observations) - 1:
        return find_end_explanation([deviation], describe_ending(run)) is not None
    observed = output_lines(run.observations[index])
    is_other = not claim_holds(example.statements[index].claim, observed)
    return is_other and find_explanation([deviation], observed) is not None


def judge_newest_claims(
    examples: Mapping[str, Example], runs: Iterable[tuple[Environment, Run]], deviations: Sequence[Deviation]
) -> tuple[Verdict, ...]:
    """A verdict for every claim that the newest environment contradicts, though a deviation explains it.

    A claim says what a reader with the newest release sees; deviations may only speak of other environments.
    """
    if not deviations:
        return ()
    current: dict[str, list[tuple[Environment, Run]]] = {}
    for environment, run in runs:
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
    """A verdict for every example that a CPU environment has not recorded as it is, unless a gap explains it.

    Whoever edits an example may have no GPU: pages say what one has not run, and it is no drift. ``known``
    are the gaps with a reason, from the file ``path``; one that explains nothing is drift.
    """
    verdicts = []
    used: set[int] = set()
    due: list[tuple[Example, Environment, str]] = []
    for example, environment, what in _find_missing(examples, environments, records):
        explaining = [gap.line for gap in known if gap.covers(example.name, environment)]
        used.update(explaining)
        if not explaining:
            due.append((example, environment, what))
    counts = Counter((example.name, python_minor(environment)) for example, environment, _ in due)
    for example, environment, what in due:
        in_all = counts[example.name, python_minor(environment)] > MOST_SINGLE
        remedy = _recording_command(environment, in_all=in_all)
        found = Verdict(VerdictKind.DIFFERS, example.path, 1, what, environment=environment, remedy=remedy)
        verdicts.append(found)
    for gap in known:
        if gap.line not in used:
            what = "everything it speaks of has been recorded"
            verdicts.append(Verdict(VerdictKind.DIFFERS, path, gap.line, what, remedy="remove it"))
    return tuple(verdicts)


def _find_missing(
    examples: Mapping[str, Example], environments: Mapping[str, Environment], records: Mapping[str, Record]
) -> Iterator[tuple[Example, Environment, str]]:
    """Examples that CPU environments have not recorded as they are, with the reason."""
    cpus = {name: environment for name, environment in environments.items() if environment.kind == "cpu"}
    for name, example in sorted(examples.items()):
        for id_, environment in cpus.items():
            what = _gap(example, records.get(name), id_)
            if what:
                yield example, environment, what


def _gap(example: Example, record: Record | None, environment: str) -> str:
    """Why the record of an example does not cover an environment; empty where it does."""
    run = record.runs.get(environment) if record else None
    if run is None:
        return "not recorded"
    if run.status is Status.NOT_RUN:
        is_excused = run.reason and has_needs(example.tags)
        return "" if is_excused else "not run, though it needs nothing that may be missing"
    return "" if run.digest == example.digest else "changed since it was recorded"


def _recording_command(environment: Environment, *, in_all: bool) -> str:
    python = python_minor(environment)
    nox = "nox" if python == USUAL_PYTHON else f"python{python} -m nox"
    which = "all" if in_all else f"{environment.torch.partition('+')[0]} --numpy {environment.numpy}"
    return f"{nox} -s record -- {which}, or say in docs/gaps.toml why it waits"
