"""The pages of conversions and sources as Markdown, cells as tables; pure.

A page folds out to everything that a cell did on every release; a table says what it does on the newest, and
how that came to be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tensor_atlas.matrix.table import Entry, Matrix, group_by_group, group_by_kind, sort_best_first
from tensor_atlas.model.cells import Cell
from tensor_atlas.site.markdown import escape, fence, quote_code, render_rows
from tensor_atlas.site.matrix_pages import LOOKS, describe_result, list_traits, sentence

_NameRow = Callable[[Entry], str]


def render_conversion(matrix: Matrix, name: str) -> str:
    """What one conversion does with every source it was tried on."""
    entries = list(matrix.rows[name].values())
    conversion = entries[0].conversion
    head = [
        f"# {quote_code(conversion.title)}",
        escape(f"{conversion.group} · {conversion.family}"),
        fence(conversion.code, "python"),
        _count(matrix, entries, "sources"),
    ]
    return _render_page(head, group_by_kind(entries).items(), "Source", _name_source)


def render_source(matrix: Matrix, name: str) -> str:
    """What every conversion does with one source, those that keep most of it first."""
    entries = list(matrix.columns[name].values())
    source = entries[0].source
    head = [
        f"# {escape(sentence(source.title))}",
        escape(" · ".join(list_traits(source))),
        fence(source.code, "python"),
        _count(matrix, entries, "conversions"),
    ]
    return _render_page(
        head, group_by_group(sort_best_first(entries)).items(), "Conversion", _name_conversion
    )


def _count(matrix: Matrix, entries: Sequence[Entry], unit: str) -> str:
    shown = matrix.shown
    assert shown is not None
    counted = (
        f"{len(entries)} {unit}, as recorded with torch {shown.torch}, NumPy {shown.numpy}, {shown.device}"
    )
    others = len(matrix.environments) - 1
    return f"{counted}, and with {others} other environments." if others else f"{counted}."


def _render_page(
    head: list[str], parts: Iterable[tuple[str, Iterable[Entry]]], unit: str, name: _NameRow
) -> str:
    """Its head, then a table for each part."""
    blocks = list(head)
    for title, entries in parts:
        blocks.append(f"## {escape(sentence(title))}")
        rows = [[unit, "Outcome", "Result", "Over the releases"]]
        rows += [[name(entry), *_describe_cell(entry)] for entry in entries]
        blocks.append(render_rows(rows))
    return "\n\n".join(blocks)


def _name_source(entry: Entry) -> str:
    return f"[{escape(entry.source.title)}](../source/{entry.source.name}.md)"


def _name_conversion(entry: Entry) -> str:
    return f"[{quote_code(entry.conversion.title)}](../conversion/{entry.conversion.name}.md)"


def _describe_cell(entry: Entry) -> list[str]:
    """Outcome, result, and how that came to be, empty where all releases do alike."""
    outcome = entry.cell.outcome
    past = entry.story or (f"changed {entry.mark}" if entry.mark else "")
    return [f"{LOOKS[outcome].sign} {outcome}", _describe_result(entry.cell), escape(past)]


def _describe_result(cell: Cell) -> str:
    """What came out, the warnings, and the error, as they were captured."""
    words = [escape(describe_result(cell)), quote_code(cell.value)]
    words += [f"{warning.category}: {quote_code(warning.message)}" for warning in cell.warnings]
    if cell.error is not None:
        words.append(f"{cell.error.type}: {quote_code(cell.error.message or '(no message)')}")
    if cell.writes:
        words.append("The source’s own elements were changed.")
    return " ".join(filter(None, words))
