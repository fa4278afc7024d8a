"""Verdicts on captures, records, deviations, gaps and cells: what of them somebody must act on; pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from tensor_atlas.catalogue import CONVERSIONS, SOURCES, list_pairs
from tensor_atlas.compare.deviations import DEVIATIONS, GAPS, Coverage, Deviation, Gap, Target
from tensor_atlas.compare.verdicts import (
    RECORD_IT,
    Verdict,
    VerdictKind,
    compare_record,
    compare_run,
    find_difference,
    record_differs,
)
from tensor_atlas.examples.parse import Example
from tensor_atlas.examples.requirements import has_needs, may_be_missing
from tensor_atlas.history.cell_changes import Cells, find_rules, list_cells
from tensor_atlas.history.changes import Rule
from tensor_atlas.history.conditions import condition_holds
from tensor_atlas.history.releases import (
    USUAL_PYTHON,
    find_environment,
    newest_environment,
    python_minor,
    summarize_environment,
)
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.runs import Environment, Run, Runs, Status
from tensor_atlas.records.fold import Record
from tensor_atlas.records.store import Store

ACCEPT = "review, then: tensor-atlas record --matrix"
RECORD_ELSEWHERE = "nox -s record -- all --matrix"
RECORD_CELLS = f"tensor-atlas record --matrix, then {RECORD_ELSEWHERE}"
NOT_YET = "not recorded yet"
CHANGED = "changed since it was recorded"
EVERYWHERE = Coverage()
"""All that changes is recorded anew in each environment without a GPU."""
SOURCES_PATH = "docs/records/sources.json"
NOT_RECORDED = "not recorded in an environment that has records"
MOST_SINGLE = 4
"""Environments that are recorded one by one where they lack an example; more are recorded in one go."""


def judge_capture(
    examples: Mapping[str, Example], capture: Capture, store: Store, deviations: Sequence[Deviation]
) -> tuple[Verdict, ...]:
    """Verdicts on what a capture holds of these examples, and on deviations that no run needs.

    Of the records of other environments it says only what does not hold.
    """
    here = capture.environment
    executed = [(here, run) for run in capture.runs if run.example in examples]
    elsewhere = [(e, r) for e, r in store.all_runs() if e.id != here.id and r.example in examples]
    verdicts: list[Verdict] = []
    for _, run in executed:
        verdicts += compare_run(examples[run.example], run, here, deviations)
        verdicts += _judge_record(examples[run.example], run, here, store)
    verdicts += _judge_uncaptured(examples, capture)
    happened = [(environment, run) for environment, run in elsewhere if run.status is not Status.NOT_RUN]
    found = _compare_runs(examples, happened, deviations)
    verdicts += [verdict for verdict in found if verdict.kind is not VerdictKind.HOLDS]
    observed = [*executed, *elsewhere]
    verdicts += judge_newest_claims(examples, observed, deviations)
    return (*verdicts, *find_unused_deviations(deviations, examples, observed))


def judge_records(
    examples: Mapping[str, Example],
    store: Store,
    deviations: Sequence[Deviation],
    coverage: Coverage = EVERYWHERE,
) -> tuple[Verdict, ...]:
    """Verdicts on the records alone: on claims, on unused deviations, on runs and cells that are missing."""
    recorded = [(environment, run) for environment, run in store.all_runs() if run.example in examples]
    return (
        *_compare_runs(examples, recorded, deviations),
        *judge_newest_claims(examples, recorded, deviations),
        *find_gaps(examples, store, coverage),
        *find_missing_cells(store),
        *find_unused_deviations(deviations, examples, recorded),
    )


def _compare_runs(
    examples: Mapping[str, Example], runs: Runs, deviations: Sequence[Deviation]
) -> Iterator[Verdict]:
    about = {}
    for name in examples:
        about[name] = [deviation for deviation in deviations if deviation.mentions(name)]
    for environment, run in runs:
        yield from compare_run(examples[run.example], run, environment, about[run.example])


def _judge_record(example: Example, run: Run, environment: Environment, store: Store) -> tuple[Verdict, ...]:
    """Verdicts on a run's record; none where nobody has recorded this environment.

    An example without any record is no drift: whoever adds one tries it first.
    """
    record = store.records.get(run.example)
    is_recorded = record is not None and environment.id in record.runs
    if environment.id in store.environments and not is_recorded and run.status is not Status.NOT_RUN:
        verdict = record_differs(example, 1, NOT_RECORDED, environment)
        if record is None:
            verdict = replace(verdict, kind=VerdictKind.STALE, what=NOT_YET, remedy=RECORD_IT)
        return (verdict,)
    return compare_record(example, run, environment, record)


def _judge_uncaptured(examples: Mapping[str, Example], capture: Capture) -> list[Verdict]:
    """A verdict for every example that the capture lacks: what was not run must not look fine."""
    missing = sorted(set(examples) - {run.example for run in capture.runs})
    finding, remedy = "the capture holds no run of it", "capture all examples, or name those that it holds"
    here = capture.environment
    return [
        Verdict(VerdictKind.DIFFERS, examples[name].path, 1, finding, environment=here, remedy=remedy)
        for name in missing
    ]


# --- deviations ----------------------------------------------------------------------------------


def _group_by_example(
    runs: Iterable[tuple[Environment, Run]], examples: Mapping[str, Example]
) -> dict[str, list[tuple[Environment, Run]]]:
    """Runs of ``examples`` that happened, by name."""
    runs_of: dict[str, list[tuple[Environment, Run]]] = {}
    for environment, run in runs:
        if run.example in examples and run.status is not Status.NOT_RUN:
            runs_of.setdefault(run.example, []).append((environment, run))
    return runs_of


def find_unused_deviations(
    deviations: Iterable[Deviation],
    examples: Mapping[str, Example],
    runs: Iterable[tuple[Environment, Run]],
) -> tuple[Verdict, ...]:
    """A verdict for every part of a deviation that none of the ``runs``, live or recorded, needs.

    Parts are the statements it names and its conditions; an exact target must also be needed wherever it
    applies. Where one of its environments ran older code only, as a GPU may have, the deviation waits for a
    new run there.
    """
    observed = _group_by_example(runs, examples)
    verdicts = []
    for deviation in deviations:
        for finding in _find_unused_parts(deviation, list(_find_needs(deviation, examples, observed))):
            remedy = "remove it, or correct the entry"
            verdicts.append(Verdict(VerdictKind.DIFFERS, DEVIATIONS, deviation.line, finding, remedy=remedy))
    return tuple(verdicts)


_Need = tuple[Target, Environment, bool]
"""A target, an environment that reached it, and whether the target explains a difference there."""


def _find_needs(
    deviation: Deviation, examples: Mapping[str, Example], runs: Mapping[str, Runs]
) -> Iterator[_Need]:
    for name in filter(deviation.mentions, runs):
        covered = [(environment, run) for environment, run in runs[name] if deviation.speaks_of(environment)]
        for environment, run in covered:
            for target in deviation.targets:
                is_needed = _is_needed(deviation, target, examples[name], run)
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
            where = f"{target.statement!r} of {target.example}"
            yield f"deviation too wide: {summarize_environment(environment)} does not differ so at {where}"


def _is_needed(deviation: Deviation, target: Target, example: Example, run: Run) -> bool | None:
    """Whether a run differs as a deviation says at a statement of ``target``; None where it reached none.

    A run of older code may differ so: it counts as a need until there is a new one.
    """
    named = [i for i, s in example.places.items() if target.names(example.name, s.code)]
    if run.digest != example.digest:
        return True if named else None
    reached = [index for index in named if run.observation(index) is not None]
    differences = filter(None, (find_difference(example, run, index) for index in reached))
    if any(map(deviation.accepts, differences)):
        return True
    # What a statement behind the end of a script does need not be what it does for itself.
    return False if any(run.ending is None or index <= run.ending for index in reached) else None


def judge_newest_claims(
    examples: Mapping[str, Example], runs: Iterable[tuple[Environment, Run]], deviations: Sequence[Deviation]
) -> tuple[Verdict, ...]:
    """A verdict for every claim that the newest environment contradicts, though a deviation explains it.

    A claim says what a reader with the newest release sees; deviations may only speak of other environments.
    """
    wrong: list[Verdict] = []
    for name, pairs in _group_by_example(runs, examples).items():
        current = {environment: run for environment, run in pairs if run.digest == examples[name].digest}
        newest = newest_environment(current)
        if newest is not None:
            verdicts = compare_run(examples[name], current[newest], newest, deviations)
            wrong += [_must_be_claimed(v) for v in verdicts if v.kind is VerdictKind.KNOWN]
    return tuple(wrong)


def _must_be_claimed(verdict: Verdict) -> Verdict:
    finding = "claim is not what the newest recorded release does, though a deviation explains it"
    remedy = "make it the claim, and explain the other releases in docs/deviations.toml"
    return replace(verdict, kind=VerdictKind.DIFFERS, what=finding, remedy=remedy)


# --- gaps ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Missing:
    """An example that an environment must have recorded as it is, and has not."""

    example: Example
    environment: Environment
    what: str
    """What is missing."""
    may_wait: bool
    """Whether a reason in docs/gaps.toml stands in for it."""


def find_gaps(
    examples: Mapping[str, Example], store: Store, coverage: Coverage = EVERYWHERE
) -> tuple[Verdict, ...]:
    """A verdict for every example that must be recorded in a CPU environment and is not, or a gap says why.

    A changed example must have run again in the gate's environment: no reason stands in for that. Where it
    has not run again elsewhere, pages say so, and it is no drift. A gap of which a name explains nothing is.
    """
    cpus = {
        name: environment for name, environment in store.environments.items() if environment.kind == "cpu"
    }
    gate = find_environment(coverage.gate, cpus.values()) if coverage.gate else None
    used: set[tuple[int, str]] = set()
    due: list[_Missing] = []
    for missing in _find_missing(examples, cpus, store.records, gate):
        explaining = [gap for gap in coverage.gaps if gap.covers(missing.example.name, missing.environment)]
        for gap in explaining:
            used.update((gap.line, name) for name in gap.match(missing.example.name))
        if not (missing.may_wait and explaining):
            due.append(missing)
    return (*_judge_missing(due), *_judge_reasons(coverage.gaps, used, examples, cpus))


def _judge_missing(due: Sequence[_Missing]) -> Iterator[Verdict]:
    counts = Counter((missing.example.name, python_minor(missing.environment)) for missing in due)
    for missing in due:
        in_all = counts[missing.example.name, python_minor(missing.environment)] > MOST_SINGLE
        remedy = _recording_command(missing.example, missing.environment, in_all=in_all)
        remedy += ", or say in docs/gaps.toml why it waits" if missing.may_wait else ""
        yield Verdict(
            VerdictKind.DIFFERS,
            missing.example.path,
            1,
            missing.what,
            environment=missing.environment,
            remedy=remedy,
        )


def _judge_reasons(
    gaps: Iterable[Gap],
    used: Collection[tuple[int, str]],
    examples: Iterable[str],
    cpus: Mapping[str, Environment],
) -> Iterator[Verdict]:
    """Verdicts on names in gaps that explain nothing; ``used``: lines of gaps, each with a name that does."""
    for gap in gaps:
        known_names = {name for example in examples for name in gap.match(example)}
        unknown = [name for name in gap.examples if name not in known_names]
        if unknown:
            finding, remedy = f"no example {', '.join(unknown)}", "name it as <chapter>/<name>"
            yield Verdict(VerdictKind.DIFFERS, GAPS, gap.line, finding, remedy=remedy)
        rest = [name for name in gap.examples if (gap.line, name) not in used and name not in unknown]
        if rest:
            finding = "recorded by now" if _speaks_of(gap, cpus) else "no CPU environment is meant"
            finding = f"{finding}: {', '.join(rest)}"
            yield Verdict(VerdictKind.DIFFERS, GAPS, gap.line, finding, remedy="remove it")


def _speaks_of(gap: Gap, environments: Mapping[str, Environment]) -> bool:
    """Whether a gap is about any of these environments."""
    return any(condition_holds(condition, e) for condition in gap.environments for e in environments.values())


def _find_missing(
    examples: Mapping[str, Example],
    cpus: Mapping[str, Environment],
    records: Mapping[str, Record],
    gate: Environment | None,
) -> Iterator[_Missing]:
    """What CPU environments have not recorded as it is; where a gate is known, changes count there alone."""
    for name, example in sorted(examples.items()):
        for id_, environment in cpus.items():
            finding = _gap(example, records.get(name), id_)
            is_of_gate = finding == CHANGED and gate is not None
            if finding and not (is_of_gate and environment != gate):
                yield _Missing(example, environment, finding, may_wait=not is_of_gate)


def _gap(example: Example, record: Record | None, environment: str) -> str:
    """Why the record of an example does not cover an environment; empty where it does."""
    run = record.runs.get(environment) if record else None
    if run is None:
        return "not recorded"
    if run.status is Status.NOT_RUN:
        is_excused = run.reason and has_needs(example.tags)
        return "" if is_excused else "not run, though it needs nothing that may be missing"
    return "" if run.digest == example.digest else CHANGED


def _recording_command(example: Example, environment: Environment, *, in_all: bool) -> str:
    python = python_minor(environment)
    nox = "nox" if python == USUAL_PYTHON else f"python{python} -m nox"
    which = "all" if in_all else f"{environment.torch.partition('+')[0]} --numpy {environment.numpy}"
    return f"{nox} -s record -- {which} --only {example.name}"


# --- cells ---------------------------------------------------------------------------------------


def judge_cells(
    environment: Environment, tried: Cells, expected: Environment | None, cells: Cells
) -> tuple[Verdict, ...]:
    """Verdicts on the cells ``tried``: on rules of changed cells, on rows that hold, and on what is new."""
    if expected is None:
        finding = "no older release to compare with"
        return (Verdict(VerdictKind.STALE, _record_path(next(iter(tried), "")), 1, finding),)
    rules = find_rules(cells, tried)
    since = "" if expected.id == environment.id else f" since torch {expected.torch}, NumPy {expected.numpy}"
    verdicts = [_differ(rule, environment, since) for rule in rules]
    changed = {conversion for rule in rules for conversion, _ in rule.cells}
    for name in sorted((tried.keys() & cells.keys()) - changed):
        count = len(tried[name].keys() & cells[name].keys())
        if count:
            path, finding = _record_path(name), _spell_count(count)
            verdicts.append(Verdict(VerdictKind.HOLDS, path, 1, finding, environment=environment))
    for path, code in _list_new(tried, cells):
        found = Verdict(VerdictKind.STALE, path, 1, NOT_YET, code, remedy=RECORD_CELLS)
        verdicts.append(replace(found, environment=environment))
    return tuple(verdicts)


_Names = Mapping[str, Collection[str]]
"""Names of sources by conversion."""


def _list_new(tried: _Names, known: _Names) -> Iterator[tuple[str, str]]:
    """File and code of each conversion, then of each source, that ``known`` has nothing of."""
    rows = {name for name, sources in tried.items() if sources} - known.keys()
    columns = {*chain.from_iterable(tried.values())} - {*chain.from_iterable(known.values())}
    for conversion in CONVERSIONS:
        if conversion.name in rows:
            yield _record_path(conversion.name), conversion.title
    for source in SOURCES:
        if source.name in columns:
            yield SOURCES_PATH, source.code


def find_missing_cells(store: Store) -> tuple[Verdict, ...]:
    """A verdict for every conversion and every source of which CPU environments have recorded nothing.

    Drift where that is true of all of them. Where it is true of some, their verdicts are no drift, because
    pages say of each cell which environments have not tried it.
    """
    names = sorted({name for row in store.rows.values() for name in row.cells})
    cpus = [store.environments[name] for name in names if store.environments[name].kind == "cpu"]
    missing: dict[tuple[str, str], list[Environment]] = {}
    for environment in cpus:
        for new in _list_new(_list_possible(environment), store.cells(environment.id)):
            missing.setdefault(new, []).append(environment)
    verdicts = []
    for (path, code), environments in missing.items():
        verdict = Verdict(VerdictKind.DIFFERS, path, 1, NOT_YET, code, remedy=RECORD_CELLS)
        if environments == cpus:
            verdicts.append(verdict)
        else:
            verdict = replace(verdict, kind=VerdictKind.STALE, remedy=RECORD_ELSEWHERE)
            verdicts += [replace(verdict, environment=environment) for environment in environments]
    return tuple(verdicts)


def _list_possible(environment: Environment) -> dict[str, list[str]]:
    """Sources by conversion whose cells an environment can try."""
    tried_on: dict[str, list[str]] = {}
    for conversion, source in list_pairs():
        if not may_be_missing((*conversion.needs, *source.needs), environment):
            tried_on.setdefault(conversion.name, []).append(source.name)
    return tried_on


def _differ(rule: Rule, environment: Environment, since: str) -> Verdict:
    return Verdict(
        kind=VerdictKind.DIFFERS,
        path=_record_path(rule.cells[0][0]),
        line=1,
        what=f"{_spell_count(len(rule.cells))}: {rule.severity}{since}",
        statement="\n".join(list_cells(rule)),
        claimed=tuple(rule.before.split("\n")),
        observed=tuple(rule.after.split("\n")),
        environment=environment,
        remedy=ACCEPT,
    )


def _spell_count(count: int) -> str:
    return f"{count} cell{'s' * (count != 1)}"


def _record_path(conversion: str) -> str:
    return f"docs/records/matrix/{conversion}.json"
