"""What the page of an example shows: its blocks, on which releases it does the same, where it ran."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tensor_atlas.compare.evidence import ExampleEvidence, Origin
from tensor_atlas.compare.rungs import Rung, describe_rungs
from tensor_atlas.examples.messages import is_error_page
from tensor_atlas.history.releases import (
    age_key,
    describe_environment,
    label_environment,
    name_releases,
)
from tensor_atlas.history.timeline import statement_boxes
from tensor_atlas.model.runs import LATE, Environment, Run, Status
from tensor_atlas.pages.code_cells import has_late_output, split_block
from tensor_atlas.pages.release_badge import ReleaseBadge, rate_releases
from tensor_atlas.pages.statement_view import (
    ExamplePage,
    IncompatibleOutcome,
    MemoryView,
    StatementView,
    summarize_incompatible,
    view_incompatible,
    view_memory,
    view_statement,
)

NARROW, SLIM = 72, 40
"""Letters of the longest line of code that a map can stand beside, in a wide column and in a narrow one."""
IMPORT = re.compile(r"(import|from) ")
"""How a statement begins that imports."""


@dataclass(frozen=True)
class CellView:
    """Code that is shown in one go, and what its last statement did."""

    code: str
    statement: StatementView | None
    """None where the code has nothing to show."""


@dataclass(frozen=True)
class BlockView:
    """All that a page shows of one block."""

    index: int
    cells: tuple[CellView, ...]
    memory: MemoryView | None
    is_beside: bool
    """Whether a wide column has room for its map beside the code."""
    is_slim: bool
    """And a narrow one, which has the headings of the page beside it."""
    late: StatementView | None
    """What was written after the last statement, in the last block."""
    is_imports: bool
    """Whether it imports and does nothing else, without output."""


@dataclass(frozen=True)
class PickerFacts:
    """What the picker of environments needs to know of an example, by the ids of environments."""

    own: str
    """Whose run is shown; empty for none."""
    measured: tuple[Environment, ...]
    """Whose runs are recorded."""
    ended: Mapping[str, tuple[int, tuple[int, ...]]]
    """Of runs that ended early: statements that they reached, and blocks without a measurement."""
    absent: Mapping[str, str]
    """Why others are missing."""
    rung: Rung
    """How well its claims are borne out at best."""


@dataclass(frozen=True)
class ExampleView:
    """All that the page of one example shows of its runs."""

    name: str
    """``<chapter>/<stem>``."""
    is_error: bool
    """Whether it is about one error: then the fix comes first."""
    origin: Origin
    blocks: tuple[BlockView, ...]
    badge: ReleaseBadge | None
    """None for fewer than two releases."""
    evidence: str
    """Where it ran, in one line that stands where there is no badge."""
    notices: tuple[str, ...]
    """Sentences on where it ran."""
    picker: PickerFacts
    incompatible: tuple[IncompatibleOutcome, ...]
    incompatible_summary: str
    """Heading of these."""


def view_example(evidence: ExampleEvidence) -> ExampleView:
    """All that the page of an example shows; AtlasError for a fix or title that no run bears out."""
    page = ExamplePage(evidence)
    return ExampleView(
        evidence.example.name,
        is_error_page(evidence.example),
        evidence.origin,
        tuple(view_block(page, index) for index in range(len(evidence.example.blocks))),
        rate_releases(evidence),
        summarize_origin(evidence),
        tuple(_list_notices(page)),
        _list_picker_facts(evidence),
        view_incompatible(page),
        summarize_incompatible(page),
    )


def view_block(page: ExamplePage, index: int) -> BlockView:
    """A block: code, under each statement what it did, and the memory after it."""
    cells: list[CellView] = []
    for cell in split_block(page.evidence, index):
        statement = None if cell.statement is None else view_statement(page, cell.statement)
        cells.append(CellView(cell.code, statement))
    longest = max(map(len, "\n".join(cell.code for cell in cells).split("\n")))
    is_last = index == len(page.evidence.example.blocks) - 1
    late = view_statement(page, LATE) if is_last and has_late_output(page.evidence) else None
    is_beside = index in page.maps and longest <= NARROW
    is_imports = all(map(IMPORT.match, page.evidence.example.blocks[index].codes))
    is_silent = not late and all(cell.statement is None for cell in cells)
    memory = view_memory(page, index)
    is_slim = is_beside and longest <= SLIM
    return BlockView(index, tuple(cells), memory, is_beside, is_slim, late, is_imports and is_silent)


# --- where it ran --------------------------------------------------------------------------------


def _list_notices(page: ExamplePage) -> Iterator[str]:
    yield describe_origin(page.evidence)
    yield from describe_other_devices(page)
    if page.evidence.stale:
        names = "; ".join(map(label_environment, sorted(page.evidence.stale, key=age_key)))
        yield f"Has not run since this example changed: {names}."


def summarize_origin(evidence: ExampleEvidence) -> str:
    """Where the output on the page comes from, in one line for a reader."""
    if evidence.origin is not Origin.EXPECTED and evidence.environment is not None:
        return f"Ran with {name_releases([evidence.environment])}"
    lacking = [what for word, what in LACKING if word in evidence.missing]
    return f"{lacking[0]} has run this page yet" if lacking else "This page has not run yet"


LACKING = (
    ("2 CUDA devices", "No machine with two GPUs"),
    ("CUDA device", "No GPU"),
    ("MPS device", "No Apple GPU"),
    ("XLA device", "No XLA device"),
)
"""What a page waits for, as a reader calls it; the first that fits counts."""


def describe_origin(evidence: ExampleEvidence) -> str:
    """Where the output on the page comes from: this build, a record, or nowhere yet."""
    if evidence.origin is Origin.EXPECTED or evidence.environment is None:
        why = f"this example {evidence.missing}" if evidence.missing else "no run of it has been recorded"
        return f"Not yet run: {why}. {describe_rungs(evidence.rungs)}"
    words = describe_environment(evidence.environment)
    if evidence.origin is Origin.EXECUTED:
        return f"Executed in this build: {words}."
    if evidence.executed is not None:
        return f"Recorded on {words}. This build executed it too, with torch {evidence.executed.torch}."
    return f"Recorded on {words}. This build could not execute it: it {evidence.missing}."


def describe_other_devices(page: ExamplePage) -> Iterator[str]:
    """A sentence for each accelerator, by its newest run of the example, on a page with a CPU's output."""
    evidence = page.evidence
    if evidence.run is None or evidence.environment is None or evidence.environment.kind != "cpu":
        return
    latest: dict[str, tuple[Environment, Run]] = {}
    for environment, run in page.compatible:
        if environment.kind != "cpu":
            latest[environment.device] = environment, run
    among = len(evidence.example.statements)
    for environment, run in latest.values():
        count = sum(statement_boxes(run, i) != statement_boxes(evidence.run, i) for i in range(among))
        words = f"different output at {count} of {among} statements" if count else "the same"
        yield f"Recorded on {describe_environment(environment)}, too: {words}."


def _list_picker_facts(evidence: ExampleEvidence) -> PickerFacts:
    blocks = len(evidence.example.blocks)
    ended: dict[str, tuple[int, tuple[int, ...]]] = {}
    for environment, run in evidence.runs:
        if run.status is not Status.COMPLETED:
            unmeasured = tuple(index for index in range(blocks) if run.snapshot(index) is None)
            ended[environment.id] = len(run.observations), unmeasured
    absent = {environment.id: reason for environment, reason in evidence.not_run}
    absent |= {environment.id: "has not run there since it changed" for environment in evidence.stale}
    measured = tuple(environment for environment, _ in evidence.runs)
    here = evidence.environment.id if evidence.environment else ""
    return PickerFacts(here, measured, ended, absent, evidence.highest_rung)
