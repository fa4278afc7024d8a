"""Pages of examples: puts captured output under each statement of the page that sphinx-gallery made."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from docutils import nodes
from sphinx.application import Sphinx

from tensor_atlas.compare.evidence import ExampleEvidence, Origin
from tensor_atlas.compare.rungs import describe_rungs
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.messages import is_error_page
from tensor_atlas.examples.parse import Block, is_setting
from tensor_atlas.history.releases import age_key, describe_environment, label_environment, minor_release
from tensor_atlas.history.timeline import Agreement, main_environments, rate_agreement, statement_boxes
from tensor_atlas.model.runs import Environment, Run, Status
from tensor_atlas.pages.code_cells import split_block
from tensor_atlas.site.build.execution import GALLERY, example_of_page, note_dependency, stop
from tensor_atlas.site.build.nodes import build_element, build_fold, index_below_lead, join_ids
from tensor_atlas.site.gallery.fix_box import describe_fix_releases, watch_fix
from tensor_atlas.site.gallery.output_nodes import (
    ExamplePage,
    build_incompatible_nodes,
    build_late_nodes,
    build_memory_nodes,
    build_statement_nodes,
)

NARROW = 72
"""Letters of the longest line of code that a map can stand beside."""

_LINES = re.compile(r"GENERATED FROM PYTHON SOURCE LINES (\d+)-(\d+)")


def add_captured_output(app: Sphinx, doctree: nodes.document) -> None:
    """Handler of ``doctree-read``; ends the build when a page and the capture are out of step."""
    docname = app.env.current_document.docname
    shown = example_of_page(app, docname)
    if shown is None:
        if docname.startswith(f"{GALLERY}/"):
            _reject_unknown_script(doctree, docname)
        return
    note_dependency(app, docname, shown.example.name)
    blocks = list(_find_code_blocks(doctree, shown))
    if [index for index, _ in blocks] != list(range(len(shown.example.blocks))):
        stop(_report_mismatch(docname, "it has other blocks of code"))
    page = ExamplePage(shown)
    for index, literal in blocks:
        block = shown.example.blocks[index]
        if _strip_code(literal.astext()) != _strip_code(_read_source(shown, block)):
            stop(_report_mismatch(docname, f"the code at line {block.line} is another"))
        literal.replace_self(build_block_node(page, index))
    try:
        _add_evidence(doctree, page)
    except AtlasError as error:
        stop(error)


def _reject_unknown_script(doctree: nodes.document, docname: str) -> None:
    """End the build for a gallery page whose script nobody executes: nothing would prove its claims."""
    if docname.rsplit("/", 1)[-1].startswith("plot_"):
        return  # its charts are drawn from a measurement: nobody executes these
    if any(_LINES.search(comment.astext()) for comment in doctree.findall(nodes.comment)):
        what = "a page of a script that is not an example"
        stop(AtlasError(docname, what, "put the script in examples/<chapter>/"))


def _report_mismatch(docname: str, what: str) -> AtlasError:
    """Error for a page that does not show the code that was executed."""
    message = f"the page and the capture are out of step: {what}"
    return AtlasError(docname, message, "remove docs/gallery and build again")


def _find_code_blocks(
    doctree: nodes.document, shown: ExampleEvidence
) -> Iterator[tuple[int, nodes.literal_block]]:
    """Index of each block of code, with the node that shows it."""
    # sphinx-gallery counts the last line without the settings that it leaves out.
    left_out = sum(map(is_setting, shown.example.source.split("\n")))
    for comment in list(doctree.findall(nodes.comment)):
        match = _LINES.search(comment.astext())
        if match is None:
            continue
        lines = range(int(match[1]), int(match[2]) + left_out + 1)
        indices = [index for index, block in enumerate(shown.example.blocks) if block.line in lines]
        # The code stands directly under its comment; prose has a comment of its own.
        literal = comment.next_node(descend=False, siblings=True)
        if indices and isinstance(literal, nodes.literal_block):
            yield indices[0], literal


def _read_source(shown: ExampleEvidence, block: Block) -> str:
    """Source of a block, claims included."""
    lines = shown.example.source.split("\n")
    return "\n".join(lines[block.line - 1 : block.last_line])


def _strip_code(code: str) -> list[str]:
    """Lines of code without blank lines, settings and comments, which do not decide what runs."""
    lines = map(str.rstrip, code.split("\n"))
    return [line for line in lines if line and not line.lstrip().startswith("#")]


def build_block_node(page: ExamplePage, index: int) -> nodes.container:
    """One block: code, and under each statement what it printed."""
    node = nodes.container(classes=["atlas-block"], ids=[f"block-{index + 1}"])
    cells = list(split_block(page.shown, index))
    for cell in cells:
        node += nodes.literal_block(cell.code, cell.code, language="python", classes=["atlas-code"])
        if cell.statement is not None:
            node += list(build_statement_nodes(page, cell.statement))
    memory = list(build_memory_nodes(page, index))
    longest = max(map(len, "\n".join(cell.code for cell in cells).split("\n")))
    if index in page.maps and longest <= NARROW:
        node["classes"].append("atlas-beside")
    node += memory
    if index == len(page.shown.example.blocks) - 1:
        node += list(build_late_nodes(page))
    return node


def _add_evidence(doctree: nodes.document, page: ExamplePage) -> None:
    """Put under the lead which environments ran the example, and at the end the incompatible installs.

    On an error page the fix comes first.
    """
    blocks = [node for node in doctree.findall(nodes.container) if "atlas-block" in node["classes"]]
    title = next(iter(doctree.findall(nodes.title)), None)
    first = blocks[0] if blocks and is_error_page(page.shown.example) else None
    if first is not None and first.parent is not None:
        first.parent.insert(first.parent.index(first), build_evidence_node(page))
    elif title is not None and title.parent is not None:
        title.parent.insert(index_below_lead(title), build_evidence_node(page))
    if not blocks:
        return
    parent = blocks[-1].parent
    assert parent is not None
    for node in build_incompatible_nodes(page):
        parent.insert(parent.index(blocks[-1]) + 1, node)


def build_evidence_node(page: ExamplePage) -> nodes.Element:
    """On which releases the example does the same, in one line; where it was executed is behind that."""
    shown = page.shown
    css = "atlas-stamp atlas-of-error" if is_error_page(shown.example) else "atlas-stamp"
    node = build_element("div", css=f"{css} atlas-{shown.origin}", **_build_picker_attributes(shown))
    origin = [nodes.paragraph("", words) for words in (describe_origin(shown), *describe_other_devices(page))]
    if shown.stale:
        names = "; ".join(map(label_environment, sorted(shown.stale, key=age_key)))
        origin.append(nodes.paragraph("", f"Has not run since this example changed: {names}."))
    badge = build_release_badge(page)
    if badge is not None:
        badge += origin
        node += badge
    else:
        node += origin
    return node


def describe_other_devices(page: ExamplePage) -> Iterator[str]:
    """A sentence for each accelerator, by its newest run of the example, on a page with a CPU's output."""
    shown = page.shown
    if shown.run is None or shown.environment is None or shown.environment.kind != "cpu":
        return
    latest: dict[str, tuple[Environment, Run]] = {}
    for environment, run in page.compatible:
        if environment.kind != "cpu":
            latest[environment.device] = environment, run
    among = len(shown.example.statements)
    for environment, run in latest.values():
        count = sum(statement_boxes(run, i) != statement_boxes(shown.run, i) for i in range(among))
        words = f"different output at {count} of {among} statements" if count else "the same"
        yield f"Recorded on {describe_environment(environment)}, too: {words}."


def _build_picker_attributes(shown: ExampleEvidence) -> dict[str, str]:
    """For the picker: which run is shown, which are recorded or ended early, why others are missing."""
    blocks = len(shown.example.blocks)
    ended: dict[str, list[object]] = {}
    for environment, run in shown.runs:
        if run.status is not Status.COMPLETED:
            unmeasured = [index for index in range(blocks) if run.snapshot(index) is None]
            ended[environment.id] = [len(run.observations), unmeasured]
    absent = {environment.id: reason for environment, reason in shown.not_run}
    absent |= {environment.id: "has not run there since it changed" for environment in shown.stale}
    return {
        "data_shown": shown.environment.id if shown.environment else "",
        "data_measured": join_ids(environment for environment, _ in shown.runs),
        "data_ended": json.dumps(ended) if ended else "",
        "data_absent": json.dumps(absent),
        "data_rung": shown.highest_rung,
    }


SIGNS = {
    Agreement.SAME: "=",
    Agreement.WORDING: "≈",
    Agreement.CLASS: "≠",
    Agreement.BEHAVIOUR: "≠",
    Agreement.NOT_MEASURED: "·",
}
"""Sign of each agreement; words stand beside it."""


def build_release_badge(page: ExamplePage) -> nodes.Element | None:
    """``Same on 15 of 17 releases``, with each release folded in; None for fewer than two releases."""
    shown = page.shown
    if shown.run is None or shown.environment is None:
        return None
    runs = {environment.id: run for environment, run in shown.runs}
    known = [*(environment for environment, _ in shown.runs), *shown.unmeasured]
    alike = [environment for environment in known if environment.device == shown.environment.device]
    releases = main_environments(alike, [environment for environment in alike if environment.id in runs])
    if len(releases) < 2:
        return None
    watched = None
    if is_error_page(shown.example):
        message, after = watch_fix(shown)
        watched = after | {message}
    found = [(e, rate_agreement(shown.example, runs.get(e.id), shown.run, watched)) for e in releases]
    words = describe_fix_releases(shown, releases) if watched else count_agreements(found)
    items: list[nodes.Element] = []
    for environment, state in found:
        sign = nodes.Text(f"{SIGNS[state]} {minor_release(environment.torch)}")
        items.append(build_element("li", sign, title=f"{environment.torch}: {state}"))
    legend = "  ".join(f"{sign} {state}" for state, sign in SIGNS.items())
    strip = build_element("ol", *items, css="atlas-strip")
    return build_fold(words, strip, nodes.paragraph("", legend, classes=["atlas-names"]), css="atlas-badge")


def count_agreements(found: Sequence[tuple[Environment, Agreement]]) -> str:
    """``Same on 15 of 17 releases, different wording on 2``."""
    counts = Counter(state for _, state in found)
    words = [f"Same on {counts[Agreement.SAME]} of {len(found)} releases"]
    words += [f"{state} on {counts[state]}" for state in list(Agreement)[1:] if counts[state]]
    return ", ".join(words)


def describe_origin(shown: ExampleEvidence) -> str:
    """Where the output on the page comes from: this build, a record, or nowhere yet."""
    if shown.origin is Origin.EXPECTED or shown.environment is None:
        why = f"this example {shown.missing}" if shown.missing else "no run of it has been recorded"
        return f"Not yet run: {why}. {describe_rungs(shown.rungs)}"
    words = describe_environment(shown.environment)
    if shown.origin is Origin.EXECUTED:
        return f"Executed in this build: {words}."
    if shown.executed is not None:
        return f"Recorded on {words}. This build executed it too, with torch {shown.executed.torch}."
    return f"Recorded on {words}. This build could not execute it: it {shown.missing}."
