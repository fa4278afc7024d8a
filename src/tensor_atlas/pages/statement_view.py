"""What a page shows under a statement and after a block: boxes, other outcomes, why and since when, memory.

Nothing here knows how it looks. Environments whose torch and NumPy do not fit each other stand apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tensor_atlas.compare.deviations import Deviation
from tensor_atlas.compare.evidence import ExampleEvidence, find_reason
from tensor_atlas.compare.rungs import Report, Rung, Support, describe_shipped, describe_twin
from tensor_atlas.compare.verdicts import describe_unmade, find_difference
from tensor_atlas.examples.parse import Example
from tensor_atlas.history.changes import Severity
from tensor_atlas.history.conditions import find_conditions
from tensor_atlas.history.releases import is_compatible, name_releases, torch_release
from tensor_atlas.history.timeline import (
    Box,
    Event,
    SharingGroup,
    StatementOutcome,
    find_events,
    group_outcomes,
    new_left_out,
    new_sharing,
    statement_boxes,
)
from tensor_atlas.model.runs import LATE, Environment, Observation, Run, Unmade
from tensor_atlas.pages.code_cells import first_statement, has_late_output
from tensor_atlas.pages.memory_map import MemoryMap, build_map, build_maps, find_touched_variables


@dataclass(frozen=True)
class MeasuredMemory:
    """What a run measured of the memory after a block."""

    sharing: tuple[SharingGroup, ...] = ()
    """Names that share memory and did not before."""
    drawn: MemoryMap | None = None
    """Map of the memory, where the page draws one."""
    left_out: tuple[str, ...] = ()
    """What was not looked into, or not to its end, and was before."""


@dataclass(frozen=True)
class OutcomeView:
    """What some environments did alike at one place of an example."""

    ids: str
    """Ids of the environments, with blanks between them."""
    names: str
    """Each of them by name."""
    where: str
    """What they have in common, in words; empty where it is given by name alone."""
    boxes: tuple[Box, ...] = ()
    """Output of a statement; a box that says so where there was none."""
    reasons: tuple[Deviation, ...] = ()
    """Why it differs from the claim, each reason once."""
    memory: MeasuredMemory | None = None
    """What was measured after a block; None for a statement."""


@dataclass(frozen=True)
class OwnOutput:
    """What the run that a page shows did at a statement; the claim where no run has confirmed it."""

    boxes: tuple[Box, ...] = ()
    support: str = ""
    """What bears out a claim beside runs, in words."""
    reports: tuple[Report, ...] = ()
    """Public threads that show it."""


@dataclass(frozen=True)
class StatementView:
    """All that a page shows of one statement."""

    index: int
    """Index among the example's statements."""
    own: OwnOutput
    device: OutcomeView | None
    """Label of its own output, where outcomes of accelerators stand beside it."""
    beside: tuple[OutcomeView, ...]
    """Outcomes that only accelerators have."""
    others: tuple[OutcomeView, ...]
    """Every other outcome, and who lacks a name."""
    summary: str
    """The others in a few words; empty where there are none."""
    has_choice: bool
    """Whether a reader can choose among environments."""


@dataclass(frozen=True)
class MemoryView:
    """All that a page shows of the memory after one block."""

    block: int
    """Index among the example's blocks."""
    own: MeasuredMemory
    others: tuple[OutcomeView, ...]
    summary: str
    """The others in a few words; empty where there are none."""
    has_choice: bool
    """Whether a reader can choose among environments."""


@dataclass(frozen=True)
class IncompatibleOutcome:
    """What an incompatible install did in place of what the page shows."""

    outcome: OutcomeView
    code: str
    statement: int | None
    """Index of the statement; None for a block."""
    block: int | None
    """Index of the block; None for a statement."""


@dataclass(frozen=True)
class ExamplePage:
    """Evidence for the page of one example, with what follows from it, worked out once."""

    evidence: ExampleEvidence

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What changed from release to release."""
        return find_events(self.evidence.example, self.evidence.runs)

    @cached_property
    def compatible(self) -> list[tuple[Environment, Run]]:
        """Runs in environments whose torch and NumPy fit each other."""
        return [pair for pair in self.evidence.runs if is_compatible(pair[0])]

    @cached_property
    def incompatible(self) -> list[tuple[Environment, Run]]:
        """Runs of incompatible installs, which fail wherever NumPy comes in."""
        return [pair for pair in self.evidence.runs if not is_compatible(pair[0])]

    @cached_property
    def maps(self) -> dict[int, MemoryMap]:
        """Map of the memory after each block that is worth one, by the run that the page shows."""
        return {} if self.evidence.run is None else build_maps(self.evidence.example, self.evidence.run)

    @property
    def has_others(self) -> bool:
        """Whether a reader can choose among environments."""
        return len(self.evidence.runs) > 1


# --- a statement ---------------------------------------------------------------------------------


def view_statement(page: ExamplePage, index: int) -> StatementView:
    """What a statement did in the page's run, and everywhere else."""
    own = view_own_output(page.evidence, index)
    if not page.has_others:
        return StatementView(index, own, None, (), (), "", has_choice=False)
    outcomes = group_outcomes(page.compatible, index)
    boxes = _find_own_boxes(page, index)
    beside = _find_device_outcomes(page, outcomes, boxes)
    others = [outcome for outcome in outcomes if outcome.boxes != boxes and outcome not in beside]
    lacking = _group_by_unmade(page, page.compatible, index)
    everyone = [*outcomes, *lacking]
    here = (page.evidence.environment,) if page.evidence.environment else ()
    return StatementView(
        index,
        own,
        OutcomeView(join_ids(here), name_releases(here), _name_devices(here)) if beside else None,
        tuple(_view_outcome(page, index, one, _name_devices(one.environments)) for one in beside),
        tuple(_view_other(page, index, one, everyone) for one in (*others, *lacking)),
        _summarize_others(page, index, others, lacking, outcomes),
        has_choice=True,
    )


def _find_device_outcomes(
    page: ExamplePage, outcomes: Sequence[StatementOutcome], own: tuple[Box, ...] | None
) -> list[StatementOutcome]:
    """Outcomes that only accelerators have; none where the page shows an accelerator's run."""
    if page.evidence.environment is None or page.evidence.environment.kind != "cpu":
        return []
    unlike: list[StatementOutcome] = []
    for outcome in outcomes:
        kinds = {environment.kind for environment in outcome.environments}
        if outcome.boxes != own and "cpu" not in kinds:
            unlike.append(outcome)
    return unlike


def _view_outcome(page: ExamplePage, index: int, outcome: StatementOutcome, where: str) -> OutcomeView:
    """An outcome with the reasons why it differs from the claim."""
    reasons: dict[Deviation, None] = {}
    for environment in outcome.environments:
        reason = find_reason(page.evidence, index, environment, outcome.run)
        if reason is not None:
            reasons[reason] = None
    ids, names = join_ids(outcome.environments), name_releases(outcome.environments)
    return OutcomeView(ids, names, where, show_silence(outcome.boxes), tuple(reasons))


def _view_other(
    page: ExamplePage, index: int, outcome: StatementOutcome, among: Sequence[StatementOutcome]
) -> OutcomeView:
    """One of the other outcomes, under the conditions that tell it from the rest."""
    rest = [e for other in among if other is not outcome for e in other.environments]
    return _view_outcome(page, index, outcome, _describe_where(outcome.environments, rest))


def _summarize_others(
    page: ExamplePage,
    index: int,
    others: Sequence[StatementOutcome],
    lacking: Sequence[StatementOutcome],
    outcomes: Sequence[StatementOutcome],
) -> str:
    """What changed and when; how many environments lack a name where that is the one difference."""
    if others:
        changed = [event for event in page.events if event.change.statement == index]
        return _describe_change(changed, _count(others), _count(outcomes))
    if not lacking:
        return ""
    among = f"{_count(lacking)} of {_count([*outcomes, *lacking])} environments"
    return f"Not observed in {among}" if index == LATE else f"Not run in {among}, because a name is missing"


def _count(outcomes: Iterable[StatementOutcome]) -> int:
    """Environments that gave any of these outcomes."""
    return sum(len(outcome.environments) for outcome in outcomes)


KINDS = {
    Severity.ERROR_APPEARED: "an error appeared",
    Severity.ERROR_VANISHED: "the error vanished",
    Severity.CLASS: "another exception class",
    Severity.SHARING: "other memory sharing",
    Severity.VALUE: "other output",
    Severity.WARNING: "other warnings",
    Severity.WORDING: "other wording",
}
"""What a page says of a change, by its kind."""


def _describe_change(changed: Sequence[Event], count: int, among: int) -> str:
    """``Changed in torch 2.0, in torch 2.4: other output``; each kind of change once.

    Where no release brought it, how many environments differ.
    """
    steps: dict[str, dict[str, None]] = {}
    for event in changed:
        steps.setdefault(KINDS.get(event.change.severity, str(event.change.severity)), {})[
            event.step.when
        ] = None
    words = [f"{', '.join(releases)}: {what}" for what, releases in steps.items()]
    return f"Changed {'; '.join(words)}" if words else f"Different in {count} of {among} environments"


def _describe_where(there: Sequence[Environment], others: Sequence[Environment]) -> str:
    """Conditions that hold in these environments and in no others."""
    return " or ".join(find_conditions(there, others)) if others else "every environment"


def _name_devices(environments: Iterable[Environment]) -> str:
    devices = dict.fromkeys("CPU" if e.device == "cpu" else e.device for e in environments)
    return ", ".join(devices)


def join_ids(environments: Iterable[Environment]) -> str:
    """Ids of environments with blanks between them, for an attribute."""
    return " ".join(environment.id for environment in environments)


def show_silence(boxes: Sequence[Box]) -> tuple[Box, ...]:
    """Boxes of an outcome; for a silent one, a box that says so."""
    return tuple(boxes) or (Box("output", "No output", "(nothing)"),)


def _group_by_unmade(
    page: ExamplePage, runs: Sequence[tuple[Environment, Run]], index: int
) -> list[StatementOutcome]:
    """A box for each name that a statement lacked, with the environments that never made it.

    After the last statement, one with the environments that were recorded by a probe that did not look there.
    """
    if index == LATE:
        missing = {environment: run for environment, run in runs if run.late is None}
        box = Box("unmade", "Not observed", "The record is older than the observation of this output.")
        return [StatementOutcome((box,), tuple(missing), next(iter(missing.values())))] if missing else []
    groups: dict[Unmade, dict[Environment, Run]] = {}
    for environment, run in runs:
        if index < len(run.observations) and (unmade := run.observations[index].unmade) is not None:
            groups.setdefault(unmade, {})[environment] = run
    lacking: list[StatementOutcome] = []
    for unmade, of in groups.items():
        box = Box("unmade", "No output", describe_unmade(page.evidence.example, unmade))
        lacking.append(StatementOutcome((box,), tuple(of), next(iter(of.values()))))
    return lacking


def _find_own_boxes(page: ExamplePage, index: int) -> tuple[Box, ...] | None:
    """Boxes of the page's own run; None where it shows nothing of the statement: that is no silence."""
    run = page.evidence.run
    return None if run is None or run.observation(index) is None else statement_boxes(run, index)


# --- the run of the page -------------------------------------------------------------------------

EXPECTED = "Expected, not yet confirmed by a run"
"""Label of a claim that no run has confirmed, and that nothing else bears out."""
LABELS = {
    Rung.EXECUTED: "Executed on another accelerator, not yet confirmed on this device",
    Rung.SHIPPED: "Shipped message, not yet confirmed by a run",
    Rung.REPORTED: "Reported, not yet confirmed by a run",
}
"""Labels of claims that something else than a run bears out."""


def view_own_output(evidence: ExampleEvidence, index: int) -> OwnOutput:
    """Boxes of the run that the page shows, and the claim where it does otherwise or nothing confirms it."""
    claim = evidence.example.places[index].claim
    observation = evidence.observation(index)
    if observation is None or evidence.run is None:
        if claim is None:
            return OwnOutput()
        support = evidence.support(index)
        return OwnOutput((make_claim_box(evidence, index),), _describe_support(support), support.reports)
    boxes = statement_boxes(evidence.run, index)
    difference = find_difference(evidence.example, evidence.run, index)
    if difference is None or difference.ends:
        return OwnOutput(boxes)
    return OwnOutput((*boxes, _make_other_claim_box(evidence, index)))


def make_claim_box(evidence: ExampleEvidence, index: int) -> Box:
    """Box of a claim that no run has confirmed, labelled by what bears it out."""
    claim = evidence.example.places[index].claim
    assert claim is not None
    label = LABELS.get(evidence.support(index).rung, EXPECTED)
    if evidence.run is not None and index == LATE:
        label = "Not observed here, expected"
    elif evidence.run is not None and evidence.observation(index) is None:
        reached = evidence.run.observations[index : index + 1]
        why = _describe_absence(evidence.example, reached[0]) if reached else "Not reached here"
        label = f"{why}, expected"
    return Box("expected", label, "\n".join(claim.lines))


def _describe_absence(example: Example, reached: Observation) -> str:
    """Why a statement that a run reached shows nothing of it."""
    if reached.unmade is None:
        return "Not observed here"
    return describe_unmade(example, reached.unmade).replace("`", "")


def _describe_support(support: Support) -> str:
    """What bears out a claim beside runs: a run on another accelerator, and the releases that ship it."""
    return " ".join(filter(None, [describe_twin(support), describe_shipped(support)]))


def _make_other_claim_box(evidence: ExampleEvidence, index: int) -> Box:
    """The output that the example claims instead, with the reason where a deviation gives one."""
    assert evidence.run is not None
    assert evidence.environment is not None
    claim = evidence.example.places[index].claim
    text = "\n".join(claim.lines) if claim else "(nothing)"
    known = find_reason(evidence, index, evidence.environment, evidence.run)
    if known is None:
        return Box("drift", "Unexplained: the example documents", text)
    return Box("known", f"On the newest release ({known.reason.replace('``', '')})", text)


# --- after a block -------------------------------------------------------------------------------


def view_memory(page: ExamplePage, index: int) -> MemoryView | None:
    """Names that came to share memory in a block, its map, and what others measured; None for nothing."""
    run = page.evidence.run
    own = MeasuredMemory() if run is None else _read_memory(page, run, index)
    is_empty = own == MeasuredMemory()
    if not page.has_others:
        return None if is_empty else MemoryView(index, own, (), "", has_choice=False)
    measured = _group_by_memory(page, page.compatible, index)
    others = {memory: environments for memory, environments in measured.items() if memory != own}
    incompatible = _group_by_memory(page, page.incompatible, index)
    if is_empty and not others and not incompatible.keys() - {own}:
        return None
    among = [environment for environment, run in page.compatible if run.snapshot(index) is not None]
    changed = [e for e in page.events if e.change.block == index and e.change.statement is None]
    summary = _describe_change(changed, sum(map(len, others.values())), len(among)) if others else ""
    views = tuple(_view_other_memory(memory, there, among) for memory, there in others.items())
    return MemoryView(index, own, views, summary, has_choice=True)


def _view_other_memory(
    memory: MeasuredMemory, there: Sequence[Environment], among: Sequence[Environment]
) -> OutcomeView:
    where = _describe_where(there, [e for e in among if e not in there])
    return OutcomeView(join_ids(there), name_releases(there), where, memory=memory)


def _read_memory(page: ExamplePage, run: Run, index: int) -> MeasuredMemory:
    """What a run measured after block ``index``; with a map only where the page's own run has one."""
    drawn = None
    snapshot = run.snapshot(index)
    if index in page.maps and snapshot is not None:
        touched = find_touched_variables(page.evidence.example.blocks[index])
        drawn = build_map(snapshot, touched, page.maps[index].variables)
    return MeasuredMemory(new_sharing(run, index), drawn, new_left_out(run, index))


def _group_by_memory(
    page: ExamplePage, runs: Sequence[tuple[Environment, Run]], index: int
) -> Mapping[MeasuredMemory, Sequence[Environment]]:
    """What was measured after a block, with the environments whose runs finished it."""
    groups: dict[MeasuredMemory, list[Environment]] = {}
    for environment, run in runs:
        if run.snapshot(index) is not None:
            groups.setdefault(_read_memory(page, run, index), []).append(environment)
    return groups


# --- incompatible installs -----------------------------------------------------------------------


def summarize_incompatible(page: ExamplePage) -> str:
    """Which incompatible installs were recorded, as the heading of what they did."""
    pairs = [f"torch {torch_release(e)} with NumPy {e.numpy}" for e, _ in page.incompatible]
    return f"An incompatible install does something else: {', '.join(dict.fromkeys(pairs))}"


def view_incompatible(page: ExamplePage) -> tuple[IncompatibleOutcome, ...]:
    """What incompatible installs did, of which almost every statement ends otherwise."""
    if not page.incompatible or page.evidence.run is None:
        return ()
    views: list[IncompatibleOutcome] = []
    for index, block in enumerate(page.evidence.example.blocks):
        first = first_statement(page.evidence, index)
        for statement in range(first, first + len(block.statements)):
            views += _view_incompatible_statement(page, statement)
        views += _view_incompatible_memory(page, index, page.evidence.run)
    if has_late_output(page.evidence):
        views += _view_incompatible_statement(page, LATE)
    return tuple(views)


def _view_incompatible_statement(page: ExamplePage, index: int) -> Iterator[IncompatibleOutcome]:
    """What a statement did in incompatible installs, where it differs from the page's run."""
    own = _find_own_boxes(page, index)
    code = page.evidence.example.places[index].code
    lacking = _group_by_unmade(page, page.incompatible, index) if own != () else []
    for outcome in (*group_outcomes(page.incompatible, index), *lacking):
        if outcome.boxes != own:
            view = _view_outcome(page, index, outcome, "")
            yield IncompatibleOutcome(view, code, index, None)


def _view_incompatible_memory(page: ExamplePage, index: int, own_run: Run) -> Iterator[IncompatibleOutcome]:
    """What incompatible installs measured after a block, where it differs from the page's run."""
    own = _read_memory(page, own_run, index)
    code = "\n".join(statement.code for statement in page.evidence.example.blocks[index].statements)
    for memory, environments in _group_by_memory(page, page.incompatible, index).items():
        if memory != own:
            view = OutcomeView(join_ids(environments), name_releases(environments), "", memory=memory)
            yield IncompatibleOutcome(view, code, None, index)
