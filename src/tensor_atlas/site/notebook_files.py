"""An example as a Jupyter notebook: its prose, its code, and under each cell what was captured of it; pure."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace

from tensor_atlas.compare.evidence import ExampleEvidence
from tensor_atlas.examples.parse import is_border
from tensor_atlas.examples.prose import prose_to_markdown
from tensor_atlas.history.outcomes import is_run_ending
from tensor_atlas.history.releases import describe_environment
from tensor_atlas.model.runs import JSON, Run
from tensor_atlas.site.code_cells import Piece, pieces

FORM = {"nbformat": 4, "nbformat_minor": 5}
"""Version of the notebook format: the first with an id for each cell."""


def notebook(shown: ExampleEvidence, titles: Mapping[str, str], site: str = "") -> str:
    """Text of the notebook; the same for the same evidence.

    ``titles`` names the pages that the prose links to, ``site`` is where they are published; empty where nobody knows.
    """
    cells: list[JSON] = []
    for cell in _cells(shown, titles, site):
        cells.append({"id": f"cell-{len(cells) + 1}", **cell})
    document = {"cells": cells, "metadata": _metadata(shown), **FORM}
    return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def code(document: str) -> str:
    """Code of a notebook, cell after cell, as a script."""
    cells = json.loads(document)["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code") + "\n"


def _cells(shown: ExampleEvidence, titles: Mapping[str, str], site: str) -> Iterator[dict[str, JSON]]:
    lines = shown.example.source.split("\n")
    tree = ast.parse(shown.example.source)
    title, _, rest = (ast.get_docstring(tree) or "").partition("\n")
    lead = prose_to_markdown(rest.partition("\n")[2], titles, site)  # without the line under the title
    yield _text(f"# {title}\n\n{lead}")
    yield _text(_where(shown))
    end = tree.body[0].end_lineno or 1
    alone = replace(shown, runs=((shown.environment, shown.run),) if shown.environment and shown.run else ())
    for index, block in enumerate(shown.example.blocks):
        yield from _said(lines[end : block.line - 1], titles, site)
        for piece in pieces(alone, index):  # a cell ends where this run speaks, not where another does
            yield _code(shown, piece)
        end = block.last_line
    yield from _said(lines[end:], titles, site)


def _said(lines: list[str], titles: Mapping[str, str], site: str) -> Iterator[dict[str, JSON]]:
    """A cell for the prose under each border among these lines; other comments belong to code."""
    under: list[str] | None = None
    for line in (*lines, ""):
        if is_border(line):
            under = []
        elif under is not None and line.startswith("#"):
            under.append(line[1:].removeprefix(" "))
        elif under is not None:
            if under:
                yield _text(prose_to_markdown("\n".join(under), titles, site))
            under = None


def _where(shown: ExampleEvidence) -> str:
    """Where the outputs come from; that there are none, where no run has confirmed the example."""
    if shown.environment is None:
        why = shown.missing or "has no recorded run"
        return (
            f"**Not run yet:** this example {why}. The cells carry no output; lines that begin with `# =>` are what "
            "its author expects."
        )
    return f"The outputs below were captured with {describe_environment(shown.environment)}. Run the cells to see your own."


def _text(text: str) -> dict[str, JSON]:
    return {"cell_type": "markdown", "metadata": {}, "source": _lines(text)}


def _code(shown: ExampleEvidence, piece: Piece) -> dict[str, JSON]:
    return {
        "cell_type": "code",
        "execution_count": None,  # no Jupyter has executed it
        "metadata": {},
        "outputs": list(_outputs(shown.run, piece.statement))
        if shown.run and piece.statement is not None
        else [],
        "source": _lines(piece.code if shown.run else _with_claim(shown, piece)),
    }


def _with_claim(shown: ExampleEvidence, piece: Piece) -> str:
    """Code with what it is expected to print, which nothing else in the notebook says."""
    claim = shown.example.statements[piece.statement].claim if piece.statement is not None else None
    return "\n".join([piece.code, *(f"# => {line}".rstrip() for line in (claim.lines if claim else ()))])


def _outputs(run: Run, index: int) -> Iterator[JSON]:
    """Streams and the error of a statement, as Jupyter would have kept them."""
    if index >= len(run.observations):
        return
    observation = run.observations[index]
    if observation.stdout:
        yield _stream("stdout", observation.stdout)
    told = [f"{warned.category}: {warned.message}" for warned in observation.warnings]
    if observation.stderr:
        told.append(observation.stderr)
    if is_run_ending(run, index) and observation.raised is None:
        told.append(f"The run ended here: {run.status}: {run.reason}")
    if told:
        yield _stream("stderr", "\n".join(told))
    if observation.raised is not None:
        raised = observation.raised
        yield {
            "output_type": "error",
            "ename": raised.type,
            "evalue": raised.message,
            "traceback": list(raised.traceback) or [f"{raised.type}: {raised.message}"],
        }


def _stream(name: str, text: str) -> JSON:
    return {"output_type": "stream", "name": name, "text": _lines(text.rstrip("\n") + "\n")}


def _lines(text: str) -> list[JSON]:
    """Lines with their ends, as Jupyter writes them."""
    return [line for line in text.splitlines(keepends=True) if line]


def _metadata(shown: ExampleEvidence) -> JSON:
    """Kernel, language, and where the outputs were captured."""
    language: dict[str, JSON] = {"name": "python"}
    captured: dict[str, JSON] = {"example": shown.example.name}
    if shown.environment is not None:
        environment = shown.environment
        language["version"] = environment.python
        captured |= {"torch": environment.torch, "numpy": environment.numpy, "device": environment.device}
        captured["date"] = environment.date
    kernel: dict[str, JSON] = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"kernelspec": kernel, "language_info": language, "tensor_atlas": captured}
