"""Puts captured output under each statement of a gallery page; works on the doctree sphinx-gallery's page gives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from docutils import nodes

from tensor_atlas.claims import holds, output_lines
from tensor_atlas.deviations import explaining
from tensor_atlas.errors import AtlasError
from tensor_atlas.evidence import Origin, Shown
from tensor_atlas.probe.record import Environment, Observation, Snapshot, Status
from tensor_atlas.probe.script import Block, Statement, is_border, is_setting
from tensor_atlas.sphinx.execution import evidence_of, stop
from tensor_atlas.sphinx.freshness import note

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
    first = 0
    for index, literal in blocks:
        block = shown.example.blocks[index]
        if _bare(literal.astext()) != _bare(_source(shown, block)):
            stop(_out_of_step(docname, f"the code at line {block.line} is another"))
        literal.replace_self(block_node(shown, index, first))
        first += len(block.statements)
    _stamp(doctree, shown)


def _refuse_unknown(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """End the build for a gallery page whose script nobody executes: its claims would stand there unproved."""
    in_gallery = docname.startswith(f"{app.config.tensor_atlas_gallery}/")
    draws = docname.rsplit("/", 1)[-1].startswith("plot_")  # sphinx-gallery itself executes these
    if in_gallery and not draws and any(_LINES.search(comment.astext()) for comment in doctree.findall(nodes.comment)):
        stop(AtlasError(docname, "a page of a script that is no example", "put the script in examples/<chapter>/"))


def _out_of_step(docname: str, what: str) -> AtlasError:
    return AtlasError(
        docname, f"the page and the capture are out of step: {what}", "remove docs/gallery and build again"
    )


def _code_blocks(doctree: nodes.document, shown: Shown) -> Iterator[tuple[int, nodes.literal_block]]:
    """Index of each block of code, with the node that shows it."""
    # sphinx-gallery counts the last line without the settings that it leaves out.
    left_out = sum(is_setting(line) for line in shown.example.source.split("\n"))
    for comment in list(doctree.findall(nodes.comment)):
        match = _LINES.search(comment.astext())
        if match is None:
            continue
        first, last = int(match[1]), int(match[2])
        index = next((i for i, b in enumerate(shown.example.blocks) if first <= b.line <= last + left_out), None)
        literal = comment.next_node(descend=False, siblings=True)  # directly under it; prose has a comment of its own
        if index is not None and isinstance(literal, nodes.literal_block):
            yield index, literal


def _source(shown: Shown, block: Block) -> str:
    """Source of a block, claims included."""
    lines = shown.example.source.split("\n")
    return "\n".join(lines[block.line - 1 : block.last_line])


def _bare(code: str) -> list[str]:
    """Lines of code without blank lines, settings and comments, which do not decide what runs."""
    return [line.rstrip() for line in code.split("\n") if line.strip() and not line.lstrip().startswith("#")]


def block_node(shown: Shown, index: int, first: int) -> nodes.container:
    """One block, whose first statement has the index ``first``: code, and under each statement what it printed."""
    block = shown.example.blocks[index]
    node = nodes.container(classes=["atlas-block"], ids=[f"block-{index + 1}"])
    for code, offset in _pieces(shown, block, first):
        node += _code(code)
        if offset is not None:
            node += list(_outputs(shown, first + offset))
    node += list(_memory(shown, index))
    return node


def _pieces(shown: Shown, block: Block, first: int) -> Iterator[tuple[str, int | None]]:
    """Code up to and with each statement that has something to show, and that statement's offset in the block."""
    lines = shown.example.source.split("\n")
    start = _top(lines, block)
    for offset, statement in enumerate(block.statements):
        if statement.claim is None and not _speaks(shown, first + offset):
            continue
        yield _cleaned(lines[start : statement.last_line]), offset
        start = statement.last_line + (len(statement.claim.lines) if statement.claim else 0)
    rest = _cleaned(lines[start : block.last_line])
    if rest:
        yield rest, None


def _top(lines: list[str], block: Block) -> int:
    """Index of the first line to show: comments directly above the first statement belong to it."""
    top = block.line - 1
    while top > 0 and lines[top - 1].startswith("#") and not is_border(lines[top - 1]):
        top -= 1
    above = lines[top : block.line - 1]
    is_prose = top > 0 and is_border(lines[top - 1])
    return block.line - 1 if is_prose or any(is_setting(line) for line in above) else top


def _cleaned(lines: list[str]) -> str:
    return "\n".join(line for line in lines if not is_setting(line)).strip("\n")


def _speaks(shown: Shown, index: int) -> bool:
    observation = shown.observation(index)
    return observation is not None and bool(output_lines(observation) or observation.raised or _ended_at(shown, index))


def _code(code: str) -> nodes.literal_block:
    return nodes.literal_block(code, code, language="python", classes=["atlas-code"])


def _outputs(shown: Shown, index: int) -> Iterator[nodes.Node]:
    """What a statement printed, each kind in a box of its own; what it claims, where no run has confirmed it."""
    statement = shown.example.statements[index]
    observation = shown.observation(index)
    if observation is None:
        if statement.claim is not None:
            yield _unconfirmed(statement)
        return
    yield from observed_nodes(observation)
    if _ended_at(shown, index):
        yield from _ending(shown, observation)
    elif not holds(statement.claim, output_lines(observation)):
        yield _documented_otherwise(shown, statement, observation)


def _ended_at(shown: Shown, index: int) -> bool:
    """Whether the run stopped at this statement before its time."""
    run = shown.run
    return run is not None and run.status is not Status.COMPLETED and index == len(run.observations) - 1


def _ending(shown: Shown, observation: Observation) -> Iterator[nodes.Node]:
    """How the run ended; an uncaught error has already said so."""
    if shown.run is not None and observation.raised is None:
        yield _box("error", "The run ended here", f"{shown.run.status}: {shown.run.reason}")


def observed_nodes(observation: Observation) -> Iterator[nodes.Node]:
    """Boxes for stdout, caught errors, warnings, stderr and an uncaught error, in that order."""
    for kind, label, text in _told(observation):
        yield _box(kind, label, text)


def _told(observation: Observation) -> Iterator[tuple[str, str, str]]:
    """Kind, label and text of everything a statement gave; a caught error that was printed is no plain output."""
    rest = observation.stdout
    for caught in observation.caught:
        before, found, after = rest.partition(caught.printed) if caught.printed else (rest, "", "")
        if found:
            if before.strip("\n"):
                yield "output", "Output", before.strip("\n")
            yield "error", caught.type, found
            rest = after.lstrip("\n")
    if rest:
        yield "output", "Output", rest
    for warned in observation.warnings:
        yield "warning", warned.category, warned.message
    if observation.stderr:
        yield "output", "Standard error", observation.stderr
    if observation.raised is not None:
        yield "error", f"{observation.raised.type}, uncaught", "\n".join(observation.raised.traceback)


def _box(kind: str, label: str, text: str) -> nodes.container:
    # The text of a run is data: it enters as a text node, and no lexer reads it.
    literal = nodes.literal_block(text, text, language="none")
    caption = nodes.paragraph("", "", nodes.inline("", label), classes=["atlas-label"])
    return nodes.container("", caption, literal, classes=["atlas-captured", f"atlas-{kind}"])


def _unconfirmed(statement: Statement) -> nodes.container:
    assert statement.claim is not None
    label = "Expected, not yet confirmed by a run"
    return _box("expected", label, "\n".join(statement.claim.lines))


def _documented_otherwise(shown: Shown, statement: Statement, observation: Observation) -> nodes.container:
    """What the newest release prints instead, with the reason where a deviation gives one."""
    text = "\n".join(statement.claim.lines) if statement.claim else "(nothing)"
    speaking = [d for d in shown.deviations if d.names(shown.example.name, statement.code)]
    known = explaining(speaking, output_lines(observation))
    if known is None:
        return _box("drift", "Unexplained: the example documents", text)
    return _box("known", f"Otherwise documented ({known.reason})", text)


def _memory(shown: Shown, index: int) -> Iterator[nodes.Node]:
    """Who shares memory after a block, where the block changed that."""
    snapshot = shown.snapshot(index)
    if snapshot is None or not snapshot.shares:
        return
    before = shown.snapshot(index - 1) if index else None
    news = [group for group in snapshot.shares if before is None or group not in before.shares]
    for group in news:
        yield _sharing_line(snapshot, group)


def _sharing_line(snapshot: Snapshot, group: tuple[str, ...]) -> nodes.paragraph:
    values = {value.name: value for value in snapshot.values}
    buffer = values[group[0]].buffer
    size = snapshot.buffers[buffer].nbytes if buffer is not None else 0
    line = nodes.paragraph("", "", nodes.inline("", "Measured: "), classes=["atlas-sharing"])
    for position, name in enumerate(group):
        line += nodes.Text("" if position == 0 else " and " if position == len(group) - 1 else ", ")
        line += nodes.literal(name, name)
    line += nodes.Text(f" share memory, in a buffer of {size} bytes on {values[group[0]].device}.")
    return line


def _stamp(doctree: nodes.document, shown: Shown) -> None:
    """Put under the title what ran where."""
    title = next(iter(doctree.findall(nodes.title)), None)
    if title is not None and title.parent is not None:
        title.parent.insert(title.parent.index(title) + 1, stamp_node(shown))


def stamp_node(shown: Shown) -> nodes.container:
    """What ran where: executed in this build, recorded elsewhere, or confirmed by no run yet."""
    node = nodes.container(classes=["atlas-stamp", f"atlas-{shown.origin}"])
    node += nodes.paragraph("", stamp(shown))
    for environment in shown.stale:
        node += nodes.paragraph(
            "", f"Stale: {environment_words(environment)} recorded an older version of this example."
        )
    return node


def stamp(shown: Shown) -> str:
    """The stamp's first sentence."""
    if shown.origin is Origin.EXPECTED or shown.environment is None:
        why = shown.missing or "no run has been recorded"
        return f"Not yet recorded: this example {why}. Nothing on this page was captured from a run."
    words = environment_words(shown.environment)
    if shown.origin is Origin.RECORDED:
        return f"Recorded on {words}. This build could not execute it: it {shown.missing}."
    return f"Executed in this build: {words}."


def environment_words(environment: Environment) -> str:
    """Environment as a reader sees it."""
    device = environment.device.upper() if environment.device in ("cpu", "mps") else environment.device
    releases = f"torch {environment.torch}, NumPy {environment.numpy}, Python {environment.python}"
    return f"{releases}, {device}, {environment.date}"
