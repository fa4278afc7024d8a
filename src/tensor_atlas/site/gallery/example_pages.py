"""Pages of examples: puts captured output under each statement of the page that sphinx-gallery made."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence

from docutils import nodes
from sphinx.application import Sphinx

from tensor_atlas.compare.evidence import ExampleEvidence, Origin
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.parse import is_setting
from tensor_atlas.history.releases import minor_release
from tensor_atlas.history.timeline import Box
from tensor_atlas.model.runs import AFTER
from tensor_atlas.pages import GALLERY
from tensor_atlas.pages.code_cells import is_code_of, name_code
from tensor_atlas.pages.example_view import BlockView, ExampleView, PickerFacts, view_example
from tensor_atlas.pages.release_badge import SIGNS, ReleaseBadge
from tensor_atlas.pages.statement_view import join_ids
from tensor_atlas.site.build.execution import example_of_page, note_dependency, stop
from tensor_atlas.site.build.nodes import build_element, build_fold, drawing, index_below_lead
from tensor_atlas.site.gallery.output_nodes import (
    build_box,
    build_incompatible_nodes,
    build_memory_nodes,
    build_statement_nodes,
)

NOT_AVAILABLE = "13_errors/numpy_not_available"
"""What torch says beside a NumPy that it cannot use: the one page that shows what such installs do."""
_LINES = re.compile(r"GENERATED FROM PYTHON SOURCE LINES (\d+)-(\d+)")


def add_captured_output(app: Sphinx, doctree: nodes.document) -> None:
    """Handler of ``doctree-read``; ends the build when a page and the capture are out of step."""
    docname = app.env.current_document.docname
    page = example_of_page(app, docname)
    if page is None:
        if docname.startswith(f"{GALLERY}/"):
            _reject_unknown_script(doctree, docname)
        return
    note_dependency(app, docname, page.example.name)
    blocks = list(_find_code_blocks(doctree, page))
    if [index for index, _ in blocks] != list(range(len(page.example.blocks))):
        stop(_report_mismatch(docname, "it has other blocks of code"))
    for index, literal in blocks:
        block = page.example.blocks[index]
        if not is_code_of(literal.astext(), page.example, block):
            stop(_report_mismatch(docname, f"the code at line {block.line} is another"))
    try:
        view = view_example(page)
    except AtlasError as error:
        stop(error)
    built = [build_block_node(block_view) for block_view in view.blocks]
    for (_, literal), node in zip(blocks, built, strict=True):
        literal.replace_self(node)
    _add_evidence(doctree, view)
    _join_imports(view, built)


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
    doctree: nodes.document, page: ExampleEvidence
) -> Iterator[tuple[int, nodes.literal_block]]:
    """Index of each block of code, with the node that shows it."""
    # sphinx-gallery counts the last line without the settings that it leaves out.
    left_out = sum(map(is_setting, page.example.source.split("\n")))
    for comment in list(doctree.findall(nodes.comment)):
        match = _LINES.search(comment.astext())
        if match is None:
            continue
        lines = range(int(match[1]), int(match[2]) + left_out + 1)
        indices = [index for index, block in enumerate(page.example.blocks) if block.line in lines]
        # The code stands directly under its comment; prose has a comment of its own.
        literal = comment.next_node(descend=False, siblings=True)
        if indices and isinstance(literal, nodes.literal_block):
            yield indices[0], literal


def build_block_node(view: BlockView) -> nodes.container:
    """One block: code, and under each statement what it printed; in the last one what was written later."""
    code = "\n".join(cell.code for cell in view.cells)
    anchor = name_code(code)
    node = nodes.container(classes=["atlas-block"], ids=[f"block-{view.index + 1}", anchor])
    name = 'title="Link to this code" aria-label="Link to this code"'
    link = f'<a class="headerlink" href="#{anchor}" {name}>#</a>'
    node += drawing("", html=link, classes=["headerlink"])  # of no use in a text
    for cell in view.cells:
        node += nodes.literal_block(cell.code, cell.code, language="python", classes=["atlas-code"])
        if cell.statement is not None:
            node += list(build_statement_nodes(cell.statement))
    if view.is_beside:
        node["classes"] += ["atlas-beside"] + ["atlas-slim"] * view.is_slim
    if view.memory is not None:
        node += build_memory_nodes(view.memory)
    if view.late is not None:
        words = nodes.strong("", AFTER.strip("# :"))
        node += nodes.paragraph("", "", words, classes=["atlas-where"])
        node += list(build_statement_nodes(view.late))
    return node


def dress_cells(_: Sphinx, doctree: nodes.document) -> None:
    """Handler of ``doctree-read``: code and output of a guide look like those of an example."""
    for cell in [node for node in doctree.findall(nodes.container) if "cell" in node["classes"]]:
        block = nodes.container(classes=["atlas-block"])
        for part in cell.findall(nodes.literal_block):
            if "output" in part["classes"]:
                block += build_box(Box("output", "Output", part.astext().removesuffix("\n")))
            else:
                block += nodes.literal_block(
                    part.rawsource, part.astext(), language="python", classes=["atlas-code"]
                )
        cell.replace_self(block)


def _join_imports(view: ExampleView, built: Sequence[nodes.container]) -> None:
    """Put a first block of imports right above the code that uses them: prose stood between the two."""
    if len(built) < 2 or not view.blocks[0].is_imports:
        return
    imports, first = built[:2]
    assert imports.parent is not None
    assert first.parent is not None
    imports.parent.remove(imports)
    imports["classes"].append("atlas-imports")
    first.parent.insert(first.parent.index(first), imports)


def _find_answer(view: ExampleView) -> int | None:
    """Index of the first block with output, which a reader came for; None where nothing has run yet."""
    if view.origin is Origin.EXPECTED:
        return None
    for block in view.blocks:
        if any(cell.statement for cell in block.cells):
            return block.index
    return None


def _add_evidence(doctree: nodes.document, view: ExampleView) -> None:
    """Put below the answer which environments ran the example, and at the end the incompatible installs.

    The answer of an error page is its fix, and that of another its first output. A page that has not run
    says so under its lead.
    """
    blocks = [node for node in doctree.findall(nodes.container) if "atlas-block" in node["classes"]]
    title = next(iter(doctree.findall(nodes.title)), None)
    answer = _find_answer(view) if blocks else None
    first = blocks[0] if blocks and view.is_error else None
    if first is not None and first.parent is not None:
        first.parent.insert(first.parent.index(first), build_evidence_node(view))
    elif answer is not None and (place := blocks[answer].parent) is not None:
        place.insert(place.index(blocks[answer]) + 1, build_evidence_node(view))
    elif title is not None and title.parent is not None:
        title.parent.insert(index_below_lead(title), build_evidence_node(view))
    if blocks and view.incompatible:
        parent = blocks[-1].parent
        assert parent is not None
        is_shown = view.name == NOT_AVAILABLE
        node = build_incompatible_nodes(view.incompatible_summary, view.incompatible, is_shown=is_shown)
        parent.insert(parent.index(blocks[-1]) + 1, node)


def build_evidence_node(view: ExampleView) -> nodes.Element:
    """On which releases the example does the same, in one line; where it was executed is behind that."""
    css = "atlas-stamp atlas-of-error" if view.is_error else "atlas-stamp"
    node = build_element("div", css=f"{css} atlas-{view.origin}", **_build_picker_attributes(view.picker))
    notices = [nodes.paragraph("", words) for words in view.notices]
    if view.badge is None:
        node += build_fold(view.evidence, *notices, css="atlas-badge")
    else:
        node += _build_release_badge(view.badge, notices)
    return node


def _build_picker_attributes(facts: PickerFacts) -> dict[str, str]:
    return {
        "data_shown": facts.own,
        "data_measured": join_ids(facts.measured),
        "data_ended": json.dumps(facts.ended) if facts.ended else "",
        "data_absent": json.dumps(facts.absent),
        "data_rung": facts.rung,
    }


def _build_release_badge(badge: ReleaseBadge, notices: Iterable[nodes.Node]) -> nodes.Element:
    """``Same on 15 of 17 releases``, with each release folded in, and where the example ran."""
    items: list[nodes.Element] = []
    for environment, state in badge.releases:
        sign = nodes.Text(f"{SIGNS[state]} {minor_release(environment.torch)}")
        items.append(build_element("li", sign, title=f"{environment.torch}: {state}"))
    strip = build_element("ol", *items, css="atlas-strip")
    legend = nodes.paragraph("", "  ".join(f"{sign} {state}" for state, sign in SIGNS.items()))
    legend["classes"].append("atlas-names")
    whole = [nodes.paragraph("", f"{badge.whole}.")] if badge.whole else []
    return build_fold(badge.words, strip, legend, *whole, *notices, css="atlas-badge")
