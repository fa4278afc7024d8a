"""Nodes for captured output: boxes under a statement, what other environments gave, who shares memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from docutils import nodes

from tensor_atlas.compare.deviations import Deviation
from tensor_atlas.history.timeline import Box, SharingGroup
from tensor_atlas.model.runs import LATE
from tensor_atlas.pages.statement_view import (
    IncompatibleOutcome,
    MeasuredMemory,
    MemoryView,
    OutcomeView,
    OwnOutput,
    StatementView,
)
from tensor_atlas.site.build.nodes import build_element, build_fold, render_prose
from tensor_atlas.site.gallery.memory_figures import build_map_node

END = "after-the-last-statement"
"""Anchor of the output after the last statement."""
WORDS = {"error": "Error", "warning": "Warning"}
"""What a label begins with that would else be known by its colour; ``KeyboardInterrupt`` does not say it."""
BLANK = "(blank line)"
"""What a box shows for each line of an output of blank lines alone, which would look like no output."""
LONG = 8
"""Lines of output above which a reader can fold it."""


# --- under a statement -------------------------------------------------------------------------


def build_statement_nodes(view: StatementView) -> Iterator[nodes.Node]:
    """What a statement printed, each kind in a box of its own, and a fold-out of what it did elsewhere."""
    here: list[nodes.Node] = [*build_own_boxes(view.own)]
    if not view.has_choice:
        yield from here
        return
    if view.device is not None:
        here.insert(0, _build_label(view.device))
    beside = [build_element("div", _build_outcome(one), css="atlas-device") for one in view.beside]
    parts = [build_element("div", *here, css="atlas-outcome"), *beside]
    if view.others:
        parts.append(build_fold(view.summary, *map(_build_outcome, view.others), css="atlas-others"))
    css = "atlas-outcomes atlas-side-by-side" if beside else "atlas-outcomes"
    node = build_element("div", *parts, css=css, data_statement=str(view.index))
    node["ids"].append(END if view.index == LATE else f"statement-{view.index + 1}")
    yield node


def _build_outcome(view: OutcomeView) -> nodes.Element:
    """An outcome under a line that says who gave it."""
    parts = [_build_label(view), *_build_outcome_parts(view)]
    return build_element("div", *parts, css="atlas-outcome", data_environments=view.ids)


def _build_outcome_parts(view: OutcomeView) -> list[nodes.Node]:
    """Boxes of a statement with the reasons for them, or what was measured after a block."""
    if view.memory is not None:
        return _build_memory_parts(view.memory)
    return [*map(build_box, view.boxes), *map(build_reason_line, view.reasons)]


def _build_label(view: OutcomeView) -> nodes.paragraph:
    """Line above an outcome: who gave it in words, and each environment by name."""
    detail = nodes.inline("", f" · recorded with {view.names}", classes=["atlas-names"])
    return nodes.paragraph("", "", nodes.strong("", view.where), detail, classes=["atlas-where"])


def build_own_boxes(own: OwnOutput) -> Iterator[nodes.container]:
    """Boxes of the run that the page shows; under a claim that no run has confirmed, what bears it out."""
    for box in own.boxes:
        node = build_box(box)
        if own.support or own.reports:
            node += _build_support_line(own)
        yield node


def _build_support_line(own: OwnOutput) -> nodes.paragraph:
    """What bears out a claim beside runs: the releases that ship its words, and links to threads."""
    line = nodes.paragraph("", own.support, classes=["atlas-names", "atlas-support"])
    for report in own.reports:
        named = f"Reported {report}".rstrip() + ": "
        line += nodes.Text(f" {named}" if line.children else named)
        label = report.url.removeprefix("https://").removeprefix("github.com/")
        line += nodes.reference("", label, refuri=report.url, internal=False)
        line += nodes.Text(".")
    return line


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


def build_reason_line(deviation: Deviation) -> nodes.paragraph:
    """Why an environment differs, with where that is documented."""
    line = nodes.paragraph("", "", *render_prose(deviation.reason), classes=["atlas-reason"])
    if deviation.link:
        line += [nodes.Text(" "), nodes.reference("", "Source", refuri=deviation.link, internal=False)]
    return line


# --- after a block -----------------------------------------------------------------------------


def build_memory_nodes(view: MemoryView) -> nodes.Element:
    """Names that came to share memory in a block, its map, and a fold-out where others measured otherwise."""
    lines = _build_memory_lines(view.own)
    if not view.has_choice:
        return build_element("div", *lines, css="atlas-memory")
    parts = [build_element("div", *lines, css="atlas-outcome")]
    if view.others:
        parts.append(build_fold(view.summary, *map(_build_outcome, view.others), css="atlas-others"))
    return build_element("div", *parts, css="atlas-outcomes atlas-memory", data_block=str(view.block))


def _build_memory_parts(memory: MeasuredMemory) -> list[nodes.Node]:
    """What was measured; where no names came to share memory, a line that says so."""
    lines = _build_memory_lines(memory)
    nothing = nodes.paragraph("", "Nothing new shares memory here.")
    return lines if memory.sharing else [nothing, *lines]


def _build_memory_lines(memory: MeasuredMemory) -> list[nodes.Node]:
    """A line for each group of names that share memory, one for what was left out; the map."""
    lines: list[nodes.Node] = list(build_sharing_lines(memory.sharing))
    if memory.left_out:
        verb = " hold." if len(memory.left_out) > 1 else " holds."
        lines.append(_build_measured_line("Not measured in full: what ", memory.left_out, verb))
    if memory.drawn is not None:
        lines.append(build_map_node(memory.drawn))
    return lines


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


def build_incompatible_nodes(
    summary: str, outcomes: Iterable[IncompatibleOutcome], *, is_shown: bool
) -> nodes.Element:
    """What incompatible installs did, of which almost every statement ends otherwise.

    A fold-out on the page about them; elsewhere nobody sees it, until somebody picks such an install.
    """
    parts = map(_build_incompatible_part, outcomes)
    css = "atlas-others atlas-incompatible"
    if is_shown:
        return build_fold(summary, *parts, css=css)
    return build_element("div", *parts, css=css, hidden="hidden")


def _build_incompatible_part(incompatible: IncompatibleOutcome) -> nodes.Element:
    """Environments by name, the code, and what it did there."""
    view = incompatible.outcome
    where = nodes.paragraph("", "", nodes.strong("", view.names), classes=["atlas-where"])
    literal = nodes.literal_block(
        incompatible.code, incompatible.code, language="python", classes=["atlas-code"]
    )
    if incompatible.statement is None:
        position = {"data_of_block": str(incompatible.block)}
    else:
        position = {"data_of_statement": str(incompatible.statement)}
    parts = [where, literal, *_build_outcome_parts(view)]
    return build_element("div", *parts, css="atlas-outcome", data_environments=view.ids, **position)
