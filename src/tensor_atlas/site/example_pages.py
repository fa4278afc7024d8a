"""Puts captured output under each statement of a gallery page; works on the doctree sphinx-gallery's page gives."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from docutils import nodes

from tensor_atlas.compare.evidence import ExampleEvidence, Origin
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.parse import Block, is_setting
from tensor_atlas.history.outcomes import statement_boxes
from tensor_atlas.history.releases import describe_environment, minor_release
from tensor_atlas.history.timeline import Standing, judge_standing, main_environments
from tensor_atlas.model.runs import Environment, Status
from tensor_atlas.site.code_cells import split_block
from tensor_atlas.site.execution import evidence_of, stop
from tensor_atlas.site.freshness import note
from tensor_atlas.site.nodes import html, ids
from tensor_atlas.site.output_nodes import (
    ExamplePage,
    build_incompatible_nodes,
    build_memory_nodes,
    build_statement_nodes,
)

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_LINES = re.compile(r"GENERATED FROM PYTHON SOURCE LINES (\d+)-(\d+)")


def attach(app: Sphinx, doctree: nodes.document) -> None:
    """Handler of ``doctree-read``; ends the build when a page and the capture are out of step."""
    docname = app.env.current_document.docname
    prefix = f"{app.config.tensor_atlas_gallery}/"
    shown = evidence_of(app).shown.get(docname.removeprefix(prefix)) if docname.startswith(prefix) else None
    if shown is None:
        _refuse_unknown(app, doctree, docname)
        return
    note(app, docname, shown.example.name)
    blocks = list(_code_blocks(doctree, shown))
    if [index for index, _ in blocks] != list(range(len(shown.example.blocks))):
        stop(_out_of_step(docname, "it has other blocks of code"))
    page = ExamplePage(shown)
    for index, literal in blocks:
        block = shown.example.blocks[index]
        if _bare(literal.astext()) != _bare(_source(shown, block)):
            stop(_out_of_step(docname, f"the code at line {block.line} is another"))
        literal.replace_self(block_node(page, index))
    _stamp(doctree, page)


def _refuse_unknown(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """End the build for a gallery page whose script nobody executes: its claims would stand there unproved."""
    in_gallery = docname.startswith(f"{app.config.tensor_atlas_gallery}/")
    draws = docname.rsplit("/", 1)[-1].startswith("plot_")  # sphinx-gallery itself executes these
    if (
        in_gallery
        and not draws
        and any(_LINES.search(comment.astext()) for comment in doctree.findall(nodes.comment))
    ):
        stop(
            AtlasError(
                docname, "a page of a script that is no example", "put the script in examples/<chapter>/"
            )
        )


def _out_of_step(docname: str, what: str) -> AtlasError:
    return AtlasError(
        docname, f"the page and the capture are out of step: {what}", "remove docs/gallery and build again"
    )


def _code_blocks(
    doctree: nodes.document, shown: ExampleEvidence
) -> Iterator[tuple[int, nodes.literal_block]]:
    """Index of each block of code, with the node that shows it."""
    # sphinx-gallery counts the last line without the settings that it leaves out.
    left_out = sum(is_setting(line) for line in shown.example.source.split("\n"))
    for comment in list(doctree.findall(nodes.comment)):
        match = _LINES.search(comment.astext())
        if match is None:
            continue
        first, last = int(match[1]), int(match[2])
        index = next(
            (i for i, b in enumerate(shown.example.blocks) if first <= b.line <= last + left_out), None
        )
        literal = comment.next_node(
            descend=False, siblings=True
        )  # directly under it; prose has a comment of its own
        if index is not None and isinstance(literal, nodes.literal_block):
            yield index, literal


def _source(shown: ExampleEvidence, block: Block) -> str:
    """Source of a block, claims included."""
    lines = shown.example.source.split("\n")
    return "\n".join(lines[block.line - 1 : block.last_line])


def _bare(code: str) -> list[str]:
    """Lines of code without blank lines, settings and comments, which do not decide what runs."""
    return [line.rstrip() for line in code.split("\n") if line.strip() and not line.lstrip().startswith("#")]


def block_node(page: ExamplePage, index: int) -> nodes.container:
    """One block: code, and under each statement what it printed."""
    node = nodes.container(classes=["atlas-block"], ids=[f"block-{index + 1}"])
    for piece in split_block(page.shown, index):
        node += _code(piece.code)
        if piece.statement is not None:
            node += list(build_statement_nodes(page, piece.statement))
    node += list(build_memory_nodes(page, index))
    return node


def _code(code: str) -> nodes.literal_block:
    return nodes.literal_block(code, code, language="python", classes=["atlas-code"])


def _stamp(doctree: nodes.document, page: ExamplePage) -> None:
    """Put under the title what ran where, and at the end what only the choice of an environment brings up."""
    title = next(iter(doctree.findall(nodes.title)), None)
    if title is not None and title.parent is not None:
        title.parent.insert(title.parent.index(title) + 1, stamp_node(page))
    blocks = [node for node in doctree.findall(nodes.container) if "atlas-block" in node["classes"]]
    for node in build_incompatible_nodes(page) if blocks else ():
        parent = blocks[-1].parent
        assert parent is not None
        parent.insert(parent.index(blocks[-1]) + 1, node)


def stamp_node(page: ExamplePage) -> nodes.Element:
    """What ran where: executed in this build, recorded, or confirmed by no run yet; and where else it is the same."""
    shown = page.shown
    node = html(
        "div", nodes.paragraph("", stamp(shown)), css=f"atlas-stamp atlas-{shown.origin}", **_choices(shown)
    )
    node += [nodes.paragraph("", words) for words in on_devices(page)]
    for environment in _worth_a_word(shown):
        words = f"Stale: {describe_environment(environment)} recorded an older version of this example."
        node += nodes.paragraph("", words)
    node += list(badge_nodes(page))
    return node


def _worth_a_word(shown: ExampleEvidence) -> list[Environment]:
    """Stale environments of a kind of device that has nothing newer to show."""
    kinds = {environment.kind for environment, _ in shown.runs}
    return [environment for environment in shown.stale if environment.kind not in kinds]


def on_devices(page: ExamplePage) -> Iterator[str]:
    """What else has run the example than the CPU whose output the page shows: the newest run of each accelerator."""
    shown = page.shown
    if shown.run is None or shown.environment is None or shown.environment.kind != "cpu":
        return
    latest = {
        environment.device: (environment, run)
        for environment, run in page.compatible
        if environment.kind != "cpu"
    }
    for environment, run in latest.values():
        other = [
            i
            for i in range(len(shown.example.statements))
            if statement_boxes(run, i) != statement_boxes(shown.run, i)
        ]
        words = (
            f"other output at {len(other)} of {len(shown.example.statements)} statements"
            if other
            else "the same"
        )
        yield f"Recorded on {describe_environment(environment)}, too: {words}."


def _choices(shown: ExampleEvidence) -> dict[str, str]:
    """What the picker must know: who is shown, who has a record, and where a run ended before its time."""
    short = {
        e.id: [len(r.observations), len(r.snapshots)]
        for e, r in shown.runs
        if r.status is not Status.COMPLETED
    }
    stale = {environment.id: "changed since it was recorded there" for environment in shown.stale}
    return {
        "data_shown": shown.environment.id if shown.environment else "",
        "data_measured": ids(environment for environment, _ in shown.runs),
        "data_ended": json.dumps(short) if short else "",
        "data_absent": json.dumps({**{e.id: reason for e, reason in shown.not_run}, **stale}),
    }


SIGNS = {
    Standing.SAME: "=",
    Standing.WORDING: "≈",
    Standing.BEHAVIOUR: "≠",
    Standing.NOT_MEASURED: "·",
}
"""Sign of each standing; words stand beside it."""


def badge_nodes(page: ExamplePage) -> Iterator[nodes.Element]:
    """``Same on 15 of 17 releases``, with every release by name folded in; nothing where there are no two."""
    shown = page.shown
    if shown.run is None or shown.environment is None:
        return
    kin = [e for e in _known(shown) if e.device == shown.environment.device]
    runs = {environment.id: run for environment, run in shown.runs}
    found = [(e, judge_standing(shown.example, runs.get(e.id), shown.run)) for e in main_environments(kin)]
    if len(found) < 2:
        return
    counts = Counter(state for _, state in found)
    words = [f"Same on {counts[Standing.SAME]} of {len(found)} releases"]
    words += [f"{state} on {counts[state]}" for state in list(Standing)[1:] if counts[state]]
    items = [
        html("li", nodes.Text(f"{SIGNS[state]} {minor_release(e.torch)}"), title=f"{e.torch}: {state}")
        for e, state in found
    ]
    summary = html("summary", nodes.inline("", ", ".join(words)))
    legend = nodes.paragraph(
        "", "  ".join(f"{sign} {state}" for state, sign in SIGNS.items()), classes=["atlas-names"]
    )
    yield html("details", summary, html("ol", *items, css="atlas-strip"), legend, css="atlas-badge")


def _known(shown: ExampleEvidence) -> list[Environment]:
    """Environments that have a run, and those that might have one."""
    return [*(environment for environment, _ in shown.runs), *shown.unmeasured]


def stamp(shown: ExampleEvidence) -> str:
    """The stamp's first sentence."""
    if shown.origin is Origin.EXPECTED or shown.environment is None:
        why = shown.missing or "no run has been recorded"
        return f"Not yet recorded: this example {why}. Nothing on this page was captured from a run."
    words = describe_environment(shown.environment)
    if shown.origin is Origin.EXECUTED:
        return f"Executed in this build: {words}."
    if shown.executed is not None:
        return f"Recorded on {words}. This build executed it too, with torch {shown.executed.torch}."
    return f"Recorded on {words}. This build could not execute it: it {shown.missing}."
