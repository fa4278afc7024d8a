"""The pages of conversions and sources as HTML, from the matrix; pure. The templates escape whatever a run said."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from markupsafe import Markup

from tensor_atlas.catalogue import Conversion, Source
from tensor_atlas.history.conditions import find_conditions
from tensor_atlas.history.releases import is_compatible, name_environment
from tensor_atlas.matrix.table import (
    Matrix,
    Pattern,
    SharedChange,
    count_outcomes,
    group_by_group,
    group_by_kind,
    group_changes,
    sort_best_first,
)
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.runs import Environment
from tensor_atlas.site.templating import load_templates

Highlight = Callable[[str], str]
"""Python code → HTML of it, coloured."""

SIGNS = {
    Outcome.SAME: "≡",
    Outcome.SHARES: "=",
    Outcome.COPIES: "≠",
    Outcome.VALUE: "›",
    Outcome.NO_BYTES: "○",
    Outcome.RAISES: "×",
    Outcome.CRASHES: "†",
    Outcome.TIMES_OUT: "…",
    Outcome.NO_SOURCE: "–",
}
"""Sign beside each outcome, so that colour never carries meaning alone; the words stand beside both."""
CSS = {
    Outcome.SAME: "shares",
    Outcome.SHARES: "shares",
    Outcome.COPIES: "copies",
    Outcome.VALUE: "value",
    Outcome.NO_BYTES: "value",
    Outcome.RAISES: "raises",
    Outcome.CRASHES: "crashes",
    Outcome.TIMES_OUT: "crashes",
    Outcome.NO_SOURCE: "none",
}
MEANINGS = {
    Outcome.SAME: "the very object that came in",
    Outcome.SHARES: "another object over the same bytes",
    Outcome.COPIES: "bytes of its own",
    Outcome.VALUE: "a number, a text or a list: nothing whose memory could be shared",
    Outcome.NO_BYTES: "no elements, or no memory that has an address",
    Outcome.RAISES: "an exception",
    Outcome.CRASHES: "the process dies",
    Outcome.TIMES_OUT: "no end in sight",
    Outcome.NO_SOURCE: "this release cannot make the source",
}
LONGEST_MESSAGE = 160
"""Characters of a message that a list of changes shows; the cell has all of it."""
MOST_LINKS = 8
"""Cells that a line about a change links to before the rest is folded away."""


def render_conversion(matrix: Matrix, conversion: Conversion, highlight: Highlight) -> str:
    """HTML of what one conversion does with every source it was tried on."""
    entries = list(matrix.rows[conversion.name].values())
    return TEMPLATES.get_template("matrix_conversion.html").render(
        matrix=matrix,
        conversion=conversion,
        entries=entries,
        parts=group_by_kind(entries),
        code=Markup(highlight(conversion.code)),  # noqa: S704 - Pygments escapes it
    )


def render_source(matrix: Matrix, source: Source, highlight: Highlight) -> str:
    """HTML of what every conversion does with one source."""
    entries = list(matrix.columns[source.name].values())
    return TEMPLATES.get_template("matrix_source.html").render(
        matrix=matrix,
        source=source,
        traits=list_traits(source),
        entries=entries,
        parts=group_by_group(entries),
        code=Markup(highlight(source.code)),  # noqa: S704 - Pygments escapes it
    )


# --- words in the templates ----------------------------------------------------------------------


def anchor(text: str) -> str:
    """Name of a part of a page."""
    return "-".join("".join(c if c.isalnum() else " " for c in text.lower()).split())


def sentence(text: str) -> str:
    """Text with a capital, other capitals kept; a name from code that it begins with stays as it is."""
    is_name = re.match(r"\w*[\d_.]", text) is not None
    return text if is_name else text[0].upper() + text[1:]


def clip_message(text: str) -> str:
    """Text of at most LONGEST_MESSAGE characters."""
    return text if len(text) <= LONGEST_MESSAGE else text[: LONGEST_MESSAGE - 1] + "…"


def list_traits(source: Source) -> list[str]:
    """What is known of a source: its form, dtype, layout, device and flags."""
    traits = [str(source.form), source.dtype]
    if source.layout.replace(" ", "-") not in source.flags:
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


def group_by_release(changes: Iterable[SharedChange]) -> dict[str, list[SharedChange]]:
    """Changes under the release that brought them, in their own order."""
    found: dict[str, list[SharedChange]] = {}
    for change in changes:
        found.setdefault(change.name, []).append(change)
    return found


@lru_cache(maxsize=4096)
def name_environments(environments: tuple[Environment, ...]) -> str:
    """Names of environments, separated by commas."""
    return ", ".join(map(name_environment, environments))


@lru_cache(maxsize=65536)
def environments_by_condition(pattern: Pattern, index: int) -> list[tuple[str, str]]:
    """Conditions that hold where one of the things was done and nowhere else, each with those environments' names.

    Environments whose NumPy is incompatible with their torch stand apart.
    """
    there = pattern.alike[index]
    compatible = tuple(filter(is_compatible, there))
    incompatible = tuple(e for e in there if not is_compatible(e))
    found = []
    if compatible:
        elsewhere = [e for i, alike in enumerate(pattern.alike) if i != index for e in alike]
        found.append(
            (_condition(compatible, tuple(filter(is_compatible, elsewhere))), name_environments(compatible))
        )
    if incompatible:
        found.append(("a NumPy that does not fit its torch", name_environments(incompatible)))
    return found


@lru_cache(maxsize=65536)
def _condition(there: Sequence[Environment], elsewhere: Sequence[Environment]) -> str:
    if not elsewhere:
        return "every environment whose NumPy fits its torch"
    return " or ".join(find_conditions(there, elsewhere))


TEMPLATES = load_templates(
    CSS=CSS,
    MEANINGS=MEANINGS,
    MOST_LINKS=MOST_LINKS,
    SIGNS=SIGNS,
    anchor=anchor,
    clip_message=clip_message,
    count_outcomes=count_outcomes,
    describe_result=describe_result,
    environments_by_condition=environments_by_condition,
    group_by_release=group_by_release,
    group_changes=group_changes,
    label_error=label_error,
    name_environment=name_environment,
    name_environments=name_environments,
    name_result=name_result,
    sentence=sentence,
    sort_best_first=sort_best_first,
)
"""The templates of the matrix, with the functions that they call."""
