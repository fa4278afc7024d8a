"""The notebook of an example: the cells of its page, with what the page's run gave as Jupyter keeps it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace

from nbformat import NotebookNode, v4

from tensor_atlas.compare.evidence import ExampleEvidence
from tensor_atlas.examples.parse import is_border
from tensor_atlas.examples.prose import prose_to_markdown
from tensor_atlas.examples.trees import read_tree
from tensor_atlas.history.releases import describe_environment
from tensor_atlas.model.runs import AFTER, LATE, Run
from tensor_atlas.pages.code_cells import CodeCell, has_late_output, split_block


def render_notebook(evidence: ExampleEvidence, titles: Mapping[str, str], site: str = "") -> str:
    """Text of the notebook; the same for the same evidence.

    ``titles`` names the pages that the prose links to, ``site`` is where they are published; empty where
    nobody knows.
    """
    cells = list(_build_cells(evidence, titles, site))
    for number, cell in enumerate(cells, 1):
        cell["id"] = f"cell-{number}"
    text: str = v4.writes(v4.new_notebook(cells=cells, metadata=_build_metadata(evidence)))
    return text + "\n"


def _build_cells(evidence: ExampleEvidence, titles: Mapping[str, str], site: str) -> Iterator[NotebookNode]:
    lines = evidence.example.source.split("\n")
    tree = read_tree(evidence.example.source)
    title, _, rest = (ast.get_docstring(tree) or "").partition("\n")
    lead = prose_to_markdown(rest.partition("\n")[2], titles, site)  # without the line under the title
    yield v4.new_markdown_cell(f"# {title}\n\n{lead}")
    yield v4.new_markdown_cell(_describe_origin(evidence))
    end = tree.body[0].end_lineno or 1
    # A cell ends where this run has output, not where another does.
    alone = replace(
        evidence,
        runs=((evidence.environment, evidence.run),) if evidence.environment and evidence.run else (),
    )
    for index, block in enumerate(evidence.example.blocks):
        for prose in _find_prose(lines[end : block.line - 1]):
            yield v4.new_markdown_cell(prose_to_markdown(prose, titles, site))
        for cell in split_block(alone, index):
            yield _build_code_cell(evidence, cell)
        end = block.last_line
    if has_late_output(alone):
        yield _build_code_cell(evidence, CodeCell(AFTER, LATE))
    for prose in _find_prose(lines[end:]):
        yield v4.new_markdown_cell(prose_to_markdown(prose, titles, site))


def _find_prose(lines: list[str]) -> Iterator[str]:
    """Prose under each border among these lines; other comments belong to code."""
    under: list[str] | None = None
    for line in (*lines, ""):
        if is_border(line):
            under = []
        elif under is not None and line.startswith("#"):
            under.append(line[1:].removeprefix(" "))
        elif under is not None:
            if under:
                yield "\n".join(under)
            under = None


def _describe_origin(evidence: ExampleEvidence) -> str:
    """Where the outputs come from; that there are none, where no run has confirmed the example."""
    if evidence.environment is None:
        return (
            f"**Not run yet:** this example {evidence.missing or 'has no recorded run'}. "
            "The cells have no output; "
            "lines that begin with `# =>` show what the author expects."
        )
    where = describe_environment(evidence.environment)
    return f"The outputs below were captured with {where}. Run the cells to see your own."


def _build_code_cell(evidence: ExampleEvidence, cell: CodeCell) -> NotebookNode:
    """Code with what was captured under it; without a run, with what it is expected to print."""
    if evidence.run is None:
        return v4.new_code_cell(_add_claim(evidence, cell))
    if cell.statement is None:
        return v4.new_code_cell(cell.code)
    return v4.new_code_cell(cell.code, outputs=list(_build_outputs(evidence.run, cell.statement)))


def _add_claim(evidence: ExampleEvidence, cell: CodeCell) -> str:
    claim = evidence.example.places[cell.statement].claim if cell.statement is not None else None
    expected = claim.lines if claim else ()
    return "\n".join([cell.code, *(f"# => {line}".rstrip() for line in expected)])


def _build_outputs(run: Run, index: int) -> Iterator[NotebookNode]:
    """Streams and the error of a statement, as Jupyter would have kept them."""
    observation = run.observation(index)
    if observation is None:
        return
    if observation.stdout:
        yield _build_stream("stdout", observation.stdout)
    errors = [f"{warned.category}: {warned.message}" for warned in observation.warnings]
    if observation.stderr:
        errors.append(observation.stderr)
    if (stop := run.describe_stop(index)) and observation.raised is None:
        errors.append(f"The run ended here: {stop}")
    if errors:
        yield _build_stream("stderr", "\n".join(errors))
    if observation.raised is not None:
        kind, message = observation.raised.type, observation.raised.message
        traceback = list(observation.raised.traceback) or [f"{kind}: {message}"]
        yield v4.new_output("error", ename=kind, evalue=message, traceback=traceback)


def _build_stream(name: str, text: str) -> NotebookNode:
    if text.strip("\n"):  # blank lines alone have all their line ends
        text = text.rstrip("\n") + "\n"
    return v4.new_output("stream", name=name, text=text)


def _build_metadata(evidence: ExampleEvidence) -> NotebookNode:
    """Kernel, language, and where the outputs were captured."""
    language = NotebookNode(name="python")
    captured = NotebookNode(example=evidence.example.name)
    if evidence.environment is not None:
        language["version"] = evidence.environment.python
        for name in ("torch", "numpy", "device", "date"):
            captured[name] = getattr(evidence.environment, name)
    kernel = NotebookNode(display_name="Python 3", language="python", name="python3")
    return NotebookNode(kernelspec=kernel, language_info=language, tensor_atlas=captured)
