"""Nodes for captured output: boxes under a statement, what other environments gave, who shares memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from docutils import nodes

from tensor_atlas.compare.deviations import Deviation
from tensor_atlas.compare.evidence import ExampleEvidence, find_reason
from tensor_atlas.compare.rungs import Rung, Support, describe_shipped, describe_twin
from tensor_atlas.compare.verdicts import claim_holds, describe_ending, describe_unmade
from tensor_atlas.examples.parse import Example
from tensor_atlas.history.conditions import find_conditions
from tensor_atlas.history.releases import is_compatible, name_environment, torch_release
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
from tensor_atlas.model.runs import AFTER, LATE, Environment, Observation, Run, Unmade, output_lines
from tensor_atlas.pages.code_cells import first_statement, has_late_output
from tensor_atlas.pages.memory_map import MemoryMap, build_map, build_maps, find_touched_variables
from tensor_atlas.site.build.nodes import build_element, build_fold, join_ids, render_prose
from tensor_atlas.site.gallery.memory_figures import build_map_node

END = "after-the-last-statement"
"""Anchor of the output after the last statement."""


@dataclass(frozen=True)
class ExamplePage:
    """Evidence for the page of one example, with what follows from it, worked out once."""

    shown: ExampleEvidence

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What changed from release to release."""
        return find_events(self.shown.example, self.shown.runs)

    @cached_property
    def compatible(self) -> list[tuple[Environment, Run]]:
        """Runs in environments whose torch and NumPy fit each other."""
        return [pair for pair in self.shown.runs if is_compatible(pair[0])]

    @cached_property
    def incompatible(self) -> list[tuple[Environment, Run]]:
        """Runs of incompatible installs, which fail wherever NumPy comes in."""
        return [pair for pair in self.shown.runs if not is_compatible(pair[0])]

    @cached_property
    def maps(self) -> dict[int, MemoryMap]:
        """Map of the memory after each block that is worth one, by the run that the page shows."""
        return {} if self.shown.run is None else build_maps(self.shown.example, self.shown.run)

    @property
    def has_others(self) -> bool:
        """Whether a reader can choose among environments."""
        return len(self.shown.runs) > 1


# --- under a statement -------------------------------------------------------------------------


def build_statement_nodes(page: ExamplePage, index: int) -> Iterator[nodes.Node]:
    """What a statement printed, each kind in a box of its own, and a fold-out of what it did elsewhere."""
    shown = page.shown
    here = list(build_own_boxes(shown, index))
    if not page.has_others:
        yield from here
        return
    beside = [_build_device_node(page, index, outcome) for outcome in find_device_outcomes(page, index)]
    if beside:
        here.insert(0, _build_device_line((shown.environment,) if shown.environment else ()))
    parts: list[nodes.Node] = [build_element("div", *here, css="atlas-outcome")]
    parts += [*beside, *_build_other_outcomes(page, index)]
    css = "atlas-outcomes atlas-side-by-side" if beside else "atlas-outcomes"
    node = build_element("div", *parts, css=css, data_statement=str(index))
    node["ids"].append(END if index == LATE else f"statement-{index + 1}")
    yield node


def find_device_outcomes(page: ExamplePage, index: int) -> list[StatementOutcome]:
    """Outcomes of a statement that only accelerators have; none where the page shows an accelerator's run."""
    if page.shown.environment is None or page.shown.environment.kind != "cpu":
        return []
    own = _find_own_boxes(page, index)
    found: list[StatementOutcome] = []
    for outcome in group_outcomes(page.compatible, index):
        kinds = {environment.kind for environment in outcome.environments}
        if outcome.boxes != own and "cpu" not in kinds:
            found.append(outcome)
    return found


def _build_device_node(page: ExamplePage, index: int, outcome: StatementOutcome) -> nodes.Element:
    """An accelerator's outcome, in view beside the CPU's."""
    line = _build_device_line(outcome.environments)
    parts = [line, *_build_outcome_parts(page, index, outcome)]
    return build_element("div", _build_outcome(outcome.environments, parts), css="atlas-device")


def _build_outcome(
    environments: Iterable[Environment], parts: Iterable[nodes.Node], **attributes: str
) -> nodes.Element:
    ids = join_ids(environments)
    return build_element("div", *parts, css="atlas-outcome", data_environments=ids, **attributes)


def _build_outcome_parts(page: ExamplePage, index: int, outcome: StatementOutcome) -> list[nodes.Node]:
    """Boxes of an outcome, and the reasons why it differs from the claim, each once."""
    reasons: dict[Deviation, None] = {}
    for environment in outcome.environments:
        reason = find_reason(page.shown, index, environment, outcome.run)
        if reason is not None:
            reasons[reason] = None
    return [*build_boxes(outcome.boxes), *map(build_reason_line, reasons)]


def _build_device_line(environments: Sequence[Environment]) -> nodes.paragraph:
    """The devices that gave an output, and the releases it was recorded with."""
    devices = dict.fromkeys("CPU" if e.device == "cpu" else e.device for e in environments)
    return _build_label(", ".join(devices), environments)


def _build_label(words: str, environments: Iterable[Environment]) -> nodes.paragraph:
    """Line above an outcome: who gave it in words, and each environment by name."""
    detail = nodes.inline("", f" · recorded with {_list_names(environments)}", classes=["atlas-names"])
    return nodes.paragraph("", "", nodes.strong("", words), detail, classes=["atlas-where"])


EXPECTED = "Expected, not yet confirmed by a run"
"""Label of a claim that no run has confirmed, and that nothing else bears out."""
LABELS = {
    Rung.EXECUTED: "Executed on another accelerator, not yet confirmed on this device",
    Rung.SHIPPED: "Shipped message, not yet confirmed by a run",
    Rung.REPORTED: "Reported, not yet confirmed by a run",
}
"""Labels of claims that something else than a run bears out."""


def build_own_boxes(shown: ExampleEvidence, index: int) -> Iterator[nodes.Node]:
    """Boxes of the run that the page shows; the claim where no run has confirmed it."""
    statement = shown.example.places[index]
    observation = shown.observation(index)
    if observation is None or shown.run is None:
        if statement.claim is not None:
            box = build_box(build_claim(shown, index))
            box += build_support_line(shown.support(index))
            yield box
        return
    yield from map(build_box, statement_boxes(shown.run, index))
    is_end = describe_ending(shown.run, index)
    if not is_end and not claim_holds(statement.claim, output_lines(observation), shown.example.name):
        yield _build_claim_box(shown, index)


def build_claim(shown: ExampleEvidence, index: int) -> Box:
    """Box of a claim that no run has confirmed, labelled by what bears it out."""
    claim = shown.example.places[index].claim
    assert claim is not None
    label = LABELS.get(shown.support(index).rung, EXPECTED)
    if shown.run is not None and index == LATE:
        label = "Not observed here, expected"
    elif shown.run is not None and shown.observation(index) is None:
        reached = shown.run.observations[index : index + 1]
        why = _describe_absence(shown.example, reached[0]) if reached else "Not reached here"
        label = f"{why}, expected"
    return Box("expected", label, "\n".join(claim.lines))


def _describe_absence(example: Example, reached: Observation) -> str:
    """Why a statement that a run reached shows nothing of it."""
    if reached.unmade is None:
        return "Not observed here"
    return describe_unmade(example, reached.unmade).replace("`", "")


def build_support_line(support: Support) -> Iterator[nodes.paragraph]:
    """What bears out a claim beside runs: the releases that ship its words, and links to threads."""
    if support.rung is Rung.EXPECTED:
        return
    words = " ".join(filter(None, [describe_twin(support), describe_shipped(support)]))
    line = nodes.paragraph("", words, classes=["atlas-names", "atlas-support"])
    for report in support.reports:
        named = f"Reported {report}".rstrip() + ": "
        line += nodes.Text(f" {named}" if line.children else named)
        label = report.url.removeprefix("https://").removeprefix("github.com/")
        line += nodes.reference("", label, refuri=report.url, internal=False)
        line += nodes.Text(".")
    yield line


def build_boxes(boxes: Sequence[Box]) -> list[nodes.Node]:
    """Boxes of an outcome; for a silent one, a box that says so."""
    return list(map(build_box, boxes or (Box("output", "No output", "(nothing)"),)))


WORDS = {"error": "Error", "warning": "Warning"}
"""What a label begins with that would else be known by its colour; ``KeyboardInterrupt`` does not say it."""
BLANK = "(blank line)"
"""What a box shows for each line of an output of blank lines alone, which would look like no output."""
LONG = 8
"""Lines of output above which a reader can fold it."""


def build_box(box: Box) -> nodes.container:
    """A labelled box; a long one folds, and is open at first."""
    # The text of a run is data: it enters as a text node, and no lexer reads it.
    text = box.text if box.text.strip("\n") else box.text.replace("\n", f"{BLANK}\n") + BLANK
    literal = nodes.literal_block(text, text, language="none")
    label: list[nodes.Node] = [nodes.inline("", box.label)]
    if box.kind in WORDS:
        label.insert(0, nodes.inline("", f"{WORDS[box.kind]}: ", classes=["atlas-kind"]))
    classes = ["atlas-captured", f"atlas-{box.kind}"]
    count = box.text.count("\n") + 1
    if count <= LONG:
        head = nodes.paragraph("", "", *label, classes=["atlas-label"])
        return nodes.container("", head, literal, classes=classes)
    label.append(nodes.Text(f", {count} lines"))
    summary = build_element("summary", nodes.inline("", "", *label), css="atlas-label")
    fold = build_element("details", summary, literal, css="atlas-long", open="open")
    return nodes.container("", fold, classes=classes)


def _build_claim_box(shown: ExampleEvidence, index: int) -> nodes.container:
    """The output that the example claims instead, with the reason where a deviation gives one."""
    assert shown.run is not None
    assert shown.environment is not None
    claim = shown.example.places[index].claim
    text = "\n".join(claim.lines) if claim else "(nothing)"
    known = find_reason(shown, index, shown.environment, shown.run)
    if known is None:
        return build_box(Box("drift", "Unexplained: the example documents", text))
    return build_box(Box("known", f"On the newest release ({known.reason.replace('``', '')})", text))


def _build_other_outcomes(page: ExamplePage, index: int) -> Iterator[nodes.Node]:
    """A fold-out with every other outcome, the environments that gave it, and why; and who lacks a name."""
    own = _find_own_boxes(page, index)
    outcomes = group_outcomes(page.compatible, index)
    beside = find_device_outcomes(page, index)
    others = [outcome for outcome in outcomes if outcome.boxes != own and outcome not in beside]
    lacking = _group_by_unmade(page, page.compatible, index)
    if not others and not lacking:
        return
    everyone = [*outcomes, *lacking]
    body = [_build_other_outcome(page, index, outcome, everyone) for outcome in (*others, *lacking)]
    if others:
        changed = [event for event in page.events if event.change.statement == index]
        words = _describe_change(changed, _count(others), _count(outcomes))
    elif index == LATE:
        words = f"Not observed in {_count(lacking)} of {_count(everyone)} environments"
    else:
        words = f"Not run in {_count(lacking)} of {_count(everyone)} environments, because a name is missing"
    yield build_fold(words, *body, css="atlas-others")


def _count(outcomes: Iterable[StatementOutcome]) -> int:
    """Environments that gave any of these outcomes."""
    return sum(len(outcome.environments) for outcome in outcomes)


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
    found: list[StatementOutcome] = []
    for unmade, of in groups.items():
        box = Box("unmade", "No output", describe_unmade(page.shown.example, unmade))
        found.append(StatementOutcome((box,), tuple(of), next(iter(of.values()))))
    return found


def _find_own_boxes(page: ExamplePage, index: int) -> tuple[Box, ...] | None:
    """Boxes of the page's own run; None where it shows nothing of the statement: that is no silence."""
    run = page.shown.run
    return None if run is None or run.observation(index) is None else statement_boxes(run, index)


def _describe_change(changed: Sequence[Event], count: int, among: int) -> str:
    """``Changed in torch 2.3: error vanished``; where no release brought it, how many environments differ."""
    words = list(dict.fromkeys(f"{event.step.when}: {event.change.severity}" for event in changed))
    return f"Changed {'; '.join(words)}" if words else f"Different in {count} of {among} environments"


def _build_other_outcome(
    page: ExamplePage, index: int, outcome: StatementOutcome, among: Sequence[StatementOutcome]
) -> nodes.Element:
    """One outcome in the fold-out, under the conditions that tell it from the others."""
    rest = [e for other in among if other is not outcome for e in other.environments]
    where = _build_where_line(outcome.environments, rest)
    return _build_outcome(outcome.environments, [where, *_build_outcome_parts(page, index, outcome)])


def _build_where_line(there: Sequence[Environment], others: Sequence[Environment]) -> nodes.paragraph:
    """Conditions that hold in these environments and in no others, and each of these by name."""
    words = " or ".join(find_conditions(there, others)) if others else "every environment"
    return _build_label(words, there)


def build_reason_line(deviation: Deviation) -> nodes.paragraph:
    """Why an environment differs, with where that is documented."""
    line = nodes.paragraph("", "", *render_prose(deviation.reason), classes=["atlas-reason"])
    if deviation.link:
        line += [nodes.Text(" "), nodes.reference("", "Source", refuri=deviation.link, internal=False)]
    return line


def build_late_nodes(page: ExamplePage) -> Iterator[nodes.Node]:
    """What threads, exit handlers and ``__del__`` methods write when the script has ended."""
    if has_late_output(page.shown):
        words = nodes.strong("", AFTER.strip("# :"))
        yield nodes.paragraph("", "", words, classes=["atlas-where"])
        yield from build_statement_nodes(page, LATE)


# --- after a block -----------------------------------------------------------------------------


@dataclass(frozen=True)
class MeasuredMemory:
    """What a run measured of the memory after a block."""

    sharing: tuple[SharingGroup, ...]
    """Names that share memory and did not before."""
    drawn: MemoryMap | None
    """Map of the memory, where the page draws one."""
    left_out: tuple[str, ...] = ()
    """What was not looked into, or not to its end, and was before."""


def read_memory(page: ExamplePage, run: Run, index: int) -> MeasuredMemory:
    """What a run measured after block ``index``; with a map only where the page's own run has one."""
    drawn = None
    snapshot = run.snapshot(index)
    if index in page.maps and snapshot is not None:
        touched = find_touched_variables(page.shown.example.blocks[index])
        drawn = build_map(snapshot, touched, page.maps[index].variables)
    return MeasuredMemory(new_sharing(run, index), drawn, new_left_out(run, index))


def build_memory_nodes(page: ExamplePage, index: int) -> Iterator[nodes.Node]:
    """Names that came to share memory in a block, its map, and a fold-out where others measured otherwise."""
    run = page.shown.run
    own = MeasuredMemory((), None) if run is None else read_memory(page, run, index)
    lines = [*build_sharing_lines(own.sharing), *_build_left_out(own), *_build_map(own)]
    if not page.has_others:
        if lines:
            yield build_element("div", *lines, css="atlas-memory")
        return
    measured = _group_by_memory(page, page.compatible, index)
    others = {memory: environments for memory, environments in measured.items() if memory != own}
    incompatible = _group_by_memory(page, page.incompatible, index)
    if not lines and not others and not incompatible.keys() - {own}:
        return
    parts: list[nodes.Node] = [build_element("div", *lines, css="atlas-outcome")]
    if others:
        finished = [environment for environment, run in page.compatible if run.snapshot(index) is not None]
        parts.append(_build_other_memory(page, index, others, finished))
    yield build_element("div", *parts, css="atlas-outcomes atlas-memory", data_block=str(index))


def _group_by_memory(
    page: ExamplePage, runs: Sequence[tuple[Environment, Run]], index: int
) -> dict[MeasuredMemory, list[Environment]]:
    """What was measured after a block, with the environments whose runs finished it."""
    groups: dict[MeasuredMemory, list[Environment]] = {}
    for environment, run in runs:
        if run.snapshot(index) is not None:
            groups.setdefault(read_memory(page, run, index), []).append(environment)
    return groups


def _build_other_memory(
    page: ExamplePage,
    index: int,
    others: dict[MeasuredMemory, list[Environment]],
    among: Sequence[Environment],
) -> nodes.Element:
    """The fold-out of what other environments measured after a block."""
    changed = [e for e in page.events if e.change.block == index and e.change.statement is None]
    count = sum(map(len, others.values()))
    body = []
    for memory, environments in others.items():
        where = _build_where_line(environments, [e for e in among if e not in environments])
        body.append(_build_outcome(environments, [where, *_build_memory_parts(memory)]))
    return build_fold(_describe_change(changed, count, len(among)), *body, css="atlas-others")


def _build_map(memory: MeasuredMemory) -> Iterator[nodes.Node]:
    """The map, where there is one."""
    if memory.drawn is not None:
        yield build_map_node(memory.drawn)


def _build_memory_parts(memory: MeasuredMemory) -> list[nodes.Node]:
    """A line for each group of names that share memory, or one that says that none do; the map."""
    lines = list(build_sharing_lines(memory.sharing))
    nothing = nodes.paragraph("", "Nothing new shares memory here.")
    return [*(lines or [nothing]), *_build_left_out(memory), *_build_map(memory)]


MOST_LINES = 8
"""Lines on names that share memory after one block; the rest is counted."""
MOST_LISTED = 8
"""Names in one line; the rest is counted."""


def build_sharing_lines(facts: Sequence[SharingGroup]) -> Iterator[nodes.paragraph]:
    """Sentences ``Measured after the block: a, b and c share memory, in a buffer of 24 bytes on cpu``."""
    for fact in facts[:MOST_LINES]:
        words = f" share memory, in a buffer of {fact.nbytes} bytes on {fact.device}."
        yield _build_measured_line("Measured after the block: ", fact.names, words)
    left = len(facts) - MOST_LINES
    if left > 0:
        words = f"{left} more {'group of names shares' if left == 1 else 'groups of names share'} memory."
        yield nodes.paragraph("", words, classes=["atlas-sharing"])


def _build_left_out(memory: MeasuredMemory) -> Iterator[nodes.paragraph]:
    """Sentence ``Not measured in full: what rows and trees[0] hold.``."""
    if memory.left_out:
        verb = " hold." if len(memory.left_out) > 1 else " holds."
        yield _build_measured_line("Not measured in full: what ", memory.left_out, verb)


def _build_measured_line(before: str, names: Sequence[str], after: str) -> nodes.paragraph:
    """A line with names in it, as code, and with how many there are more."""
    left = len(names) - MOST_LISTED
    shown = names if left <= 0 else names[:MOST_LISTED]
    parts = [nodes.literal(name, name) for name in shown] + [nodes.Text(f"{left} more")] * (left > 0)
    line = nodes.paragraph("", "", nodes.inline("", before), classes=["atlas-sharing"])
    separators = {len(parts) - 1: " and ", 0: ""}
    for position, part in enumerate(parts):
        line += [nodes.Text(separators.get(position, ", ")), part]
    line += nodes.Text(after)
    return line


# --- at the end of the page --------------------------------------------------------------------


def build_incompatible_nodes(page: ExamplePage) -> Iterator[nodes.Node]:
    """A fold-out for incompatible installs, of which almost every statement ends otherwise."""
    if not page.incompatible or page.shown.run is None:
        return
    parts: list[nodes.Element] = []
    for index, block in enumerate(page.shown.example.blocks):
        first = first_statement(page.shown, index)
        for statement in range(first, first + len(block.statements)):
            parts += _build_incompatible_outcomes(page, statement)
        parts += _build_incompatible_memory(page, index, page.shown.run)
    if has_late_output(page.shown):
        parts += _build_incompatible_outcomes(page, LATE)
    if not parts:
        return
    pairs = [f"torch {torch_release(e)} with NumPy {e.numpy}" for e, _ in page.incompatible]
    words = f"An incompatible install does something else: {', '.join(dict.fromkeys(pairs))}"
    yield build_fold(words, *parts, css="atlas-others atlas-incompatible")


def _build_incompatible_outcomes(page: ExamplePage, index: int) -> Iterator[nodes.Element]:
    """What a statement did in incompatible installs, where it differs from the page's run."""
    own = _find_own_boxes(page, index)
    code = page.shown.example.places[index].code
    lacking = _group_by_unmade(page, page.incompatible, index) if own != () else []
    for outcome in (*group_outcomes(page.incompatible, index), *lacking):
        if outcome.boxes != own:
            parts = _build_outcome_parts(page, index, outcome)
            yield _build_incompatible_part(outcome.environments, code, parts, data_of_statement=str(index))


def _build_incompatible_memory(page: ExamplePage, index: int, own_run: Run) -> Iterator[nodes.Element]:
    """What incompatible installs measured after a block, where it differs from the page's run."""
    own = read_memory(page, own_run, index)
    code = "\n".join(statement.code for statement in page.shown.example.blocks[index].statements)
    for memory, environments in _group_by_memory(page, page.incompatible, index).items():
        if memory != own:
            parts = _build_memory_parts(memory)
            yield _build_incompatible_part(environments, code, parts, data_of_block=str(index))


def _build_incompatible_part(
    environments: Sequence[Environment], code: str, parts: Sequence[nodes.Node], **position: str
) -> nodes.Element:
    """Environments by name, the code, and what it did there."""
    where = nodes.paragraph("", "", nodes.strong("", _list_names(environments)), classes=["atlas-where"])
    literal = nodes.literal_block(code, code, language="python", classes=["atlas-code"])
    return _build_outcome(environments, [where, literal, *parts], **position)


def _list_names(environments: Iterable[Environment]) -> str:
    return ", ".join(map(name_environment, environments))
