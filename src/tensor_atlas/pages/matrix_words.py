"""How pages of the matrix say what came out of a cell, on which releases, and of what input."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tensor_atlas.catalogue import SOURCES, Conversion, Source, is_tried
from tensor_atlas.history.cell_changes import describe_outcome
from tensor_atlas.history.releases import USUAL_PYTHON, label_environment, python_minor, torch_release
from tensor_atlas.matrix.table import Entry, Matrix, count_outcomes, find_default_environment
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.runs import Environment


@dataclass(frozen=True)
class Look:
    """How pages show an outcome: by a sign and a word, so that colour never carries meaning alone."""

    sign: str
    css: str
    word: str
    meaning: str


LOOKS = {
    Outcome.SAME: Look("≡", "shares", "same", "returns the input itself"),
    Outcome.SHARES: Look("=", "shares", "shares", "a different object on the same memory"),
    Outcome.COPIES: Look("≠", "copies", "copies", "memory of its own"),
    Outcome.VALUE: Look("›", "value", "value", "a number, a string or a list, which shares no memory"),
    Outcome.NO_BYTES: Look("○", "value", "empty", "no elements, or memory without an address"),
    Outcome.RAISES: Look("×", "raises", "raises", "an exception"),
    Outcome.CRASHES: Look("†", "crashes", "crashes", "the process is killed"),
    Outcome.TIMES_OUT: Look("…", "crashes", "hangs", "does not end in time"),
    Outcome.NO_SOURCE: Look("–", "none", "absent", "this release cannot make the input"),
}


def list_untried(matrix: Matrix, conversion: Conversion) -> list[Source]:
    """Sources that a conversion makes sense for, and that nobody has tried it on."""
    row = matrix.rows[conversion.name]
    return [source for source in SOURCES if is_tried(conversion, source) and source.name not in row]


def sentence(text: str) -> str:
    """Text with a capital, other capitals kept; a name from code that it begins with stays as it is."""
    is_name = re.match(r"\w*[\d_.]", text) is not None
    return text if is_name else text[0].upper() + text[1:]


def list_traits(source: Source) -> list[str]:
    """What is known of a source: its form, dtype, layout, device and flags."""
    traits = [str(source.form), source.dtype]
    if {source.layout, source.layout.replace(" ", "-")}.isdisjoint(source.flags):
        traits.append(source.layout)
    traits += [f"on {source.device}", *source.flags]
    return list(filter(None, traits))


def name_result(cell: Cell) -> str:
    """Class of the result with its dtype, or of the error: ``Tensor float32``."""
    if cell.error is not None:
        return cell.error.type
    dtype = cell.dtype.removeprefix("torch.")
    # A NumPy scalar's class is called as its dtype is.
    return cell.type if dtype == cell.type else f"{cell.type} {dtype}".strip()


def describe_result(cell: Cell) -> str:
    """What the result is, field by field: ``Tensor float32 · shape (3,) · strides (4,) bytes · on cpu``."""
    words = [name_result(cell)] if cell.error is None else []
    if cell.shape is not None:
        words.append(f"shape {tuple(cell.shape)}")
    if cell.strides:
        words.append(f"strides {tuple(cell.strides)} bytes")
    if cell.device:
        words.append(f"on {cell.device}")
    if cell.writable is not None:
        words.append("writable" if cell.writable else "read-only")
    if cell.requires_grad:
        words.append("requires grad")
    return " · ".join(filter(None, words))


def label_error(cell: Cell) -> str:
    """Heading of the box with a cell's error: its class, or what became of the process."""
    kind = cell.error.type if cell.error else ""
    return f"{kind}, uncaught" if cell.outcome is Outcome.RAISES else kind or str(cell.outcome)


def read_answer(cell: Cell) -> tuple[object, ...]:
    """What a line of a page shows of a cell."""
    return cell.outcome, name_result(cell), bool(cell.warnings), cell.writes


def read_outcome(cell: Cell) -> tuple[object, ...]:
    """What the compatibility table shows of a cell."""
    return cell.outcome, bool(cell.warnings)


def list_outcomes(entries: Iterable[Entry]) -> dict[Outcome, int]:
    """Number of entries by the outcome of the newest release; 0 for what only others gave."""
    entries = list(entries)
    elsewhere = {cell.outcome for entry in entries for cell in entry.cells}
    counts = count_outcomes(entries)
    return {outcome: counts.get(outcome, 0) for outcome in Outcome if outcome in elsewhere}


def tell_story(entry: Entry) -> str:
    """Every outcome with its releases: ``Shares memory since 2.3; raises (TypeError) before 2.3.``."""
    answers = entry.list_answers(describe_outcome)
    words = [f"{describe_outcome(one.cell)} {one.span}".strip() for one in answers]
    return f"{sentence('; '.join(words))}."


def tell_untried(matrix: Matrix, entries: Sequence[Entry]) -> str:
    """Sentence that the environment of other pages has not tried any of these cells; empty where it has."""
    newest = matrix.default_environment
    is_untried = (
        newest is not None and newest != find_default_environment(entries) and newest in entries[0].untried
    )
    return f"Not tried with {name_in_picker(newest)}." if newest is not None and is_untried else ""


def name_in_picker(environment: Environment) -> str:
    """An environment as the picker names it: ``torch 2.13.0, NumPy 2.4.6, CPU``."""
    label = label_environment(environment)
    return f"{label}, CPU" if environment.kind == "cpu" else label


@lru_cache(maxsize=4096)
def name_environments(environments: tuple[Environment, ...]) -> str:
    """Releases of torch by NumPy and device: ``NumPy 1.26.4: torch 2.2.2, 2.3.1; NumPy 2.4.6: torch 2.3``."""
    groups: dict[str, list[str]] = {}
    for environment in environments:
        python = python_minor(environment)
        parts = [f"NumPy {environment.numpy}"]
        parts += [] if python == USUAL_PYTHON else [f"Python {python}"]
        parts += [] if environment.kind == "cpu" else [environment.device]
        groups.setdefault(", ".join(parts), []).append(str(torch_release(environment)))
    return "; ".join(f"{rest}: torch {', '.join(releases)}" for rest, releases in groups.items())
