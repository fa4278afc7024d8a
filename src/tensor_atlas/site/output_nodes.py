"""Doctree nodes for what was captured: boxes under a statement, what other environments gave, who shares memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from docutils import nodes

from tensor_atlas.compare.claims import claim_holds
from tensor_atlas.compare.deviations import Deviation, find_end_explanation, find_explanation
from tensor_atlas.compare.evidence import ExampleEvidence
from tensor_atlas.compare.verdicts import describe_ending
from tensor_atlas.history.conditions import find_conditions
from tensor_atlas.history.outcomes import (
    Box,
    SharingGroup,
    StatementOutcome,
    group_members,
    group_outcomes,
    is_run_ending,
    new_sharing,
    observation_boxes,
    statement_boxes,
)
from tensor_atlas.history.releases import is_compatible, name_environment
from tensor_atlas.history.timeline import Event, find_events
from tensor_atlas.model.runs import Environment, Observation, Run, output_lines
from tensor_atlas.site.memory_figures import map_node
from tensor_atlas.site.memory_map import MemoryMap, build_map, build_maps, find_touched_variables
from tensor_atlas.site.nodes import html, ids


@dataclass(frozen=True)
class Page:
    """What the page of one example draws on, worked out once."""

    shown: ExampleEvidence

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What changed from release to release."""
        return find_events(self.shown.example, self.shown.runs)

    @cached_property
    def fitting(self) -> list[tuple[Environment, Run]]:
        """Runs in environments whose NumPy fits their torch."""
        return [(environment, run) for environment, run in self.shown.runs if is_compatible(environment)]

    @cached_property
    def misfits(self) -> list[tuple[Environment, Run]]:
        """Runs in the others, which fail wherever NumPy comes in."""
        return [(environment, run) for environment, run in self.shown.runs if not is_compatible(environment)]

    @cached_property
    def maps(self) -> dict[int, MemoryMap]:
        """Map of the memory after each block that is worth one, by the run that the page shows."""
        return {} if self.shown.run is None else build_maps(self.shown.example, self.shown.run)

    @property
    def has_others(self) -> bool:
        """Whether a reader can choose among environments."""
        return len(self.shown.runs) > 1


# --- under a statement -------------------------------------------------------------------------


def statement_nodes(page: Page, index: int) -> Iterator[nodes.Node]:
    """What a statement printed, each kind in a box of its own, and a fold-out of what it did elsewhere."""
    shown = page.shown
    here = list(_here(shown, index))
    if not page.has_others:
        yield from here
        return
    beside = [_beside(page, index, outcome) for outcome in on_devices_alone(page, index)]
    if beside:
        here.insert(0, _owner((shown.environment,) if shown.environment else ()))
    parts: list[nodes.Node] = [html("div", *here, css="atlas-outcome"), *beside, *_elsewhere(page, index)]
    css = "atlas-outcomes atlas-side-by-side" if beside else "atlas-outcomes"
    yield html("div", *parts, css=css, data_statement=str(index))


def on_devices_alone(page: Page, index: int) -> list[StatementOutcome]:
    """What a statement did on accelerators and on no CPU, where the page shows a CPU's run: the device makes it so."""
    if page.shown.environment is None or page.shown.environment.kind != "cpu":
        return []
    mine = _shown_boxes(page, index)
    found = [outcome for outcome in group_outcomes(page.fitting, index) if outcome.boxes != mine]
    return [outcome for outcome in found if all(e.kind != "cpu" for e in outcome.environments)]


def _beside(page: Page, index: int, outcome: StatementOutcome) -> nodes.Element:
    """An accelerator's outcome, in view beside the CPU's."""
    parts: list[nodes.Node] = [_owner(outcome.environments)]
    parts += map(box_node, outcome.boxes or (Box("output", "Silent", "(nothing)"),))
    parts += [reason_node(deviation) for deviation in _reasons(page.shown, index, outcome)]
    inner = html("div", *parts, css="atlas-outcome", data_environments=ids(outcome.environments))
    return html("div", inner, css="atlas-device")


def _owner(environments: Sequence[Environment]) -> nodes.paragraph:
    """Which devices an output is of, and with which releases."""
    devices = dict.fromkeys("CPU" if e.device == "cpu" else e.device for e in environments)
    names = ", ".join(name_environment(environment) for environment in environments)
    detail = nodes.inline("", f" · recorded with {names}", classes=["atlas-names"])
    return nodes.paragraph("", "", nodes.strong("", ", ".join(devices)), detail, classes=["atlas-where"])


def _here(shown: ExampleEvidence, index: int) -> Iterator[nodes.Node]:
    """Boxes of the run that the page shows; the claim, where no run has confirmed it."""
    statement = shown.example.statements[index]
    observation = shown.observation(index)
    if observation is None or shown.run is None:
        if statement.claim is not None:
            label = "Not reached here, expected" if shown.run else "Expected, not yet confirmed by a run"
            yield box_node(Box("expected", label, "\n".join(statement.claim.lines)))
        return
    yield from map(box_node, statement_boxes(shown.run, index))
    if not is_run_ending(shown.run, index) and not claim_holds(statement.claim, output_lines(observation)):
        yield _documented_otherwise(shown, index)


def observed_nodes(observation: Observation) -> Iterator[nodes.Node]:
    """Boxes for stdout, caught errors, warnings, stderr and an uncaught error, in that order."""
    return map(box_node, observation_boxes(observation))


WORDS = {"error": "Error", "warning": "Warning"}
"""What a label begins with that would else be known by its colour; ``KeyboardInterrupt`` does not say it."""
LONG = 8
"""Lines of output above which a reader can fold it."""


def box_node(box: Box) -> nodes.container:
    """A labelled box; a long one folds, and is open at first."""
    # The text of a run is data: it enters as a text node, and no lexer reads it.
    literal = nodes.literal_block(box.text, box.text, language="none")
    label = [nodes.inline("", box.label)]
    if box.kind in WORDS:
        label.insert(0, nodes.inline("", f"{WORDS[box.kind]}: ", classes=["atlas-kind"]))
    classes = ["atlas-captured", f"atlas-{box.kind}"]
    count = box.text.count("\n") + 1
    if count <= LONG:
        return nodes.container(
            "", nodes.paragraph("", "", *label, classes=["atlas-label"]), literal, classes=classes
        )
    summary = html("summary", nodes.inline("", "", *label, nodes.Text(f", {count} lines")), css="atlas-label")
    return nodes.container(
        "", html("details", summary, literal, css="atlas-long", open="open"), classes=classes
    )


def _documented_otherwise(shown: ExampleEvidence, index: int) -> nodes.container:
    """What the example documents instead, with the reason where a deviation gives one."""
    assert shown.run is not None
    assert shown.environment is not None
    claim = shown.example.statements[index].claim
    text = "\n".join(claim.lines) if claim else "(nothing)"
    known = reason_of(shown, index, shown.environment, shown.run)
    if known is None:
        return box_node(Box("drift", "Unexplained: the example documents", text))
    return box_node(Box("known", f"Otherwise documented ({known.reason.replace('``', '')})", text))


def _elsewhere(page: Page, index: int) -> Iterator[nodes.Node]:
    """A fold-out with every other outcome, the environments that gave it, and why."""
    mine = _shown_boxes(page, index)
    all_of_them = group_outcomes(page.fitting, index)
    beside = on_devices_alone(page, index)
    others = [outcome for outcome in all_of_them if outcome.boxes != mine and outcome not in beside]
    if not others:
        return
    body = [_other(page, index, outcome, all_of_them) for outcome in others]
    changed = [event for event in page.events if event.change.statement == index]
    count = sum(len(outcome.environments) for outcome in others)
    among = sum(len(outcome.environments) for outcome in all_of_them)
    yield html("details", _summary(changed, count, among), *body, css="atlas-others")


def _shown_boxes(page: Page, index: int) -> tuple[Box, ...] | None:
    """Boxes of the page's own run; None where it never came: that is no silence, all that others did is otherwise."""
    run = page.shown.run
    return statement_boxes(run, index) if run is not None and index < len(run.observations) else None


def _summary(changed: Sequence[Event], count: int, among: int) -> nodes.Element:
    """``Changed in torch 2.3: error vanished``, or how many environments differ where no release brought it."""
    words = list(dict.fromkeys(f"{event.step.name}: {event.change.severity}" for event in changed))
    text = f"Changed in {'; '.join(words)}" if words else f"Otherwise in {count} of {among} environments"
    return html("summary", nodes.inline("", text))


def _other(
    page: Page, index: int, outcome: StatementOutcome, among: Sequence[StatementOutcome]
) -> nodes.Element:
    rest = [e for other in among if other is not outcome for e in other.environments]
    parts: list[nodes.Node] = [where_node(outcome.environments, rest)]
    parts += map(box_node, outcome.boxes or (Box("output", "Silent", "(nothing)"),))
    parts += [reason_node(deviation) for deviation in _reasons(page.shown, index, outcome)]
    return html("div", *parts, css="atlas-outcome", data_environments=ids(outcome.environments))


def where_node(there: Sequence[Environment], others: Sequence[Environment]) -> nodes.paragraph:
    """In which environments, as conditions that fit these and no others, and each by name."""
    words = " or ".join(find_conditions(there, others)) if others else "every environment"
    names = ", ".join(name_environment(environment) for environment in there)
    detail = nodes.inline("", f" · recorded with {names}", classes=["atlas-names"])
    return nodes.paragraph("", "", nodes.strong("", words), detail, classes=["atlas-where"])


def _reasons(shown: ExampleEvidence, index: int, outcome: StatementOutcome) -> list[Deviation]:
    """Deviations that explain an outcome, each once."""
    reasons = (reason_of(shown, index, environment, outcome.run) for environment in outcome.environments)
    return list(dict.fromkeys(reason for reason in reasons if reason is not None))


def reason_of(shown: ExampleEvidence, index: int, environment: Environment, run: Run) -> Deviation | None:
    """The reviewed reason why a run does otherwise than a statement claims; None where it does as claimed."""
    statement = shown.example.statements[index]
    speaking = [d for d in shown.deviations if d.covers(shown.example.name, statement.code, environment)]
    if is_run_ending(run, index):
        return find_end_explanation(speaking, describe_ending(run))
    observed = output_lines(run.observations[index])
    return None if claim_holds(statement.claim, observed) else find_explanation(speaking, observed)


def reason_node(deviation: Deviation) -> nodes.paragraph:
    """Why an environment differs, with where that is documented."""
    line = nodes.paragraph("", "", *prose(deviation.reason), classes=["atlas-reason"])
    if deviation.link:
        line += [nodes.Text(" "), nodes.reference("", "Source", refuri=deviation.link, internal=False)]
    return line


def prose(text: str) -> Iterator[nodes.Node]:
    """A reason's text, with what stands between double backticks as code."""
    for position, part in enumerate(text.split("``")):
        if part:
            yield nodes.literal(part, part) if position % 2 else nodes.Text(part)


# --- after a block -----------------------------------------------------------------------------


@dataclass(frozen=True)
class After:
    """What a run measured after a block."""

    sharing: tuple[SharingGroup, ...]
    """Who shares memory and did not before."""
    drawn: MemoryMap | None
    """Map of the memory, where the page draws one."""


def after(page: Page, run: Run, index: int) -> After:
    """What a run measured after block ``index``; its map where the page's own run has one, whose place it may take."""
    drawn = None
    if index in page.maps and index < len(run.snapshots):
        touched = find_touched_variables(page.shown.example.blocks[index])
        drawn = build_map(run.snapshots[index], touched, page.maps[index].variables)
    return After(new_sharing(run, index), drawn)


def memory_nodes(page: Page, index: int) -> Iterator[nodes.Node]:
    """Who shares memory after a block, where the block changed that; a fold-out where others measured otherwise."""
    run = page.shown.run
    mine = After((), None) if run is None else after(page, run, index)
    lines = [*map(sharing_line, mine.sharing), *_map_nodes(mine)]
    if not page.has_others:
        yield from lines
        return
    finished = [(environment, run) for environment, run in page.fitting if index < len(run.snapshots)]
    others = {found: where for found, where in _by_memory(page, finished, index).items() if found != mine}
    is_other_aside = any(found != mine for found in _misfit_memory(page, index))
    if not lines and not others and not is_other_aside:
        return
    parts: list[nodes.Node] = [html("div", *lines, css="atlas-outcome")]
    if others:
        parts.append(_otherwise_measured(page, index, others, [e for e, _ in finished]))
    yield html("div", *parts, css="atlas-outcomes", data_block=str(index))


def _by_memory(
    page: Page, finished: Sequence[tuple[Environment, Run]], index: int
) -> dict[After, list[Environment]]:
    groups = group_members((after(page, run, index), (environment, run)) for environment, run in finished)
    return {found: [environment for environment, _ in members] for found, members in groups.items()}


def _otherwise_measured(
    page: Page, index: int, others: dict[After, list[Environment]], among: Sequence[Environment]
) -> nodes.Element:
    changed = [e for e in page.events if e.change.block == index and e.change.statement is None]
    count = sum(len(where) for where in others.values())
    body = []
    for found, where in others.items():
        heading = where_node(where, [e for e in among if e not in where])
        parts = (heading, *sharing_lines(found.sharing), *_map_nodes(found))
        body.append(html("div", *parts, css="atlas-outcome", data_environments=ids(where)))
    return html("details", _summary(changed, count, len(among)), *body, css="atlas-others")


def _map_nodes(found: After) -> Iterator[nodes.Node]:
    """The map, where there is one."""
    if found.drawn is not None:
        yield map_node(found.drawn)


def sharing_lines(facts: Iterable[SharingGroup]) -> list[nodes.paragraph]:
    """Who shares what; that nobody does, where it is so."""
    return [sharing_line(fact) for fact in facts] or [nodes.paragraph("", "Nothing new shares memory here.")]


def sharing_line(fact: SharingGroup) -> nodes.paragraph:
    """Who shares a buffer."""
    line = nodes.paragraph("", "", nodes.inline("", "Measured: "), classes=["atlas-sharing"])
    for position, name_ in enumerate(fact.names):
        line += nodes.Text("" if position == 0 else " and " if position == len(fact.names) - 1 else ", ")
        line += nodes.literal(name_, name_)
    line += nodes.Text(f" share memory, in a buffer of {fact.nbytes} bytes on {fact.device}.")
    return line


# --- at the end of the page --------------------------------------------------------------------


def misfit_nodes(page: Page) -> Iterator[nodes.Node]:
    """A fold-out for installs whose NumPy does not fit their torch: almost every statement ends otherwise there."""
    if not page.misfits or page.shown.run is None:
        return
    parts: list[nodes.Element] = []
    first = 0
    for index, block in enumerate(page.shown.example.blocks):
        for statement in range(first, first + len(block.statements)):
            parts += _misfit_outcomes(page, statement)
        parts += _misfit_blocks(page, index)
        first += len(block.statements)
    if not parts:
        return
    names = ", ".join(name_environment(environment) for environment, _ in page.misfits)
    summary = html("summary", nodes.inline("", f"With a NumPy that does not fit its torch ({names})"))
    yield html("details", summary, *parts, css="atlas-others atlas-misfits")


def _misfit_outcomes(page: Page, index: int) -> Iterator[nodes.Element]:
    """What misfits did otherwise at a statement."""
    mine = _shown_boxes(page, index)
    code = page.shown.example.statements[index].code
    for outcome in group_outcomes(page.misfits, index):
        if outcome.boxes != mine:
            parts: list[nodes.Node] = [
                *map(box_node, outcome.boxes or (Box("output", "Silent", "(nothing)"),))
            ]
            parts += [reason_node(deviation) for deviation in _reasons(page.shown, index, outcome)]
            yield _misfit_part(outcome.environments, code, parts, data_of_statement=str(index))


def _misfit_blocks(page: Page, index: int) -> Iterator[nodes.Element]:
    """Who shares memory otherwise there after a block."""
    assert page.shown.run is not None
    mine = after(page, page.shown.run, index)
    code = "\n".join(statement.code for statement in page.shown.example.blocks[index].statements)
    for found, where in _misfit_memory(page, index).items():
        if found != mine:
            parts = [*sharing_lines(found.sharing), *_map_nodes(found)]
            yield _misfit_part(where, code, parts, data_of_block=str(index))


def _misfit_memory(page: Page, index: int) -> dict[After, list[Environment]]:
    """What was measured after a block, with the misfits that finished it."""
    finished = [(environment, run) for environment, run in page.misfits if index < len(run.snapshots)]
    return _by_memory(page, finished, index)


def _misfit_part(
    environments: Sequence[Environment], code: str, parts: Sequence[nodes.Node], **place: str
) -> nodes.Element:
    names = ", ".join(name_environment(environment) for environment in environments)
    where = nodes.paragraph("", "", nodes.strong("", names), classes=["atlas-where"])
    literal = nodes.literal_block(code, code, language="python", classes=["atlas-code"])
    return html(
        "div", where, literal, *parts, css="atlas-outcome", data_environments=ids(environments), **place
    )
