"""Pages of the matrix as tables in Markdown.

A page folds out to everything that a cell did on every release; a table says what it does on the newest,
and how that came to be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tensor_atlas.catalogue import Source
from tensor_atlas.history.cell_changes import describe_outcome
from tensor_atlas.matrix.remedies import NO_REMEDIES, Remedies
from tensor_atlas.matrix.table import (
    Entry,
    Matrix,
    find_default_environment,
    group_by_group,
    group_by_kind,
    sort_best_first,
)
from tensor_atlas.model.cells import Cell
from tensor_atlas.pages.markdown import escape, fence, quote_code, render_rows
from tensor_atlas.pages.matrix_words import (
    LOOKS,
    describe_result,
    list_traits,
    list_untried,
    name_in_picker,
    sentence,
    tell_story,
    tell_untried,
)


def tabulate_conversion(matrix: Matrix, name: str, remedies: Remedies = NO_REMEDIES) -> str:
    """Markdown of what one conversion does with every source it was tried on."""
    entries = list(matrix.rows[name].values())
    conversion = entries[0].conversion
    head = [
        f"# {quote_code(conversion.title)}",
        escape(f"{conversion.group} · {conversion.family}"),
        fence(conversion.code, "python"),
        _count(matrix, entries, "input"),
    ]
    page = _render_page(head, group_by_kind(entries).items(), "Input", _name_source, remedies)
    untried = list_untried(matrix, conversion)
    lines = [f"- {escape(source.title)}{_tell_needs(source)}" for source in untried]
    return "\n\n".join([page, "## Not run yet", "\n".join(lines)]) if untried else page


def tabulate_source(matrix: Matrix, name: str, remedies: Remedies = NO_REMEDIES) -> str:
    """Markdown of what every conversion does with one source, those that keep most of it first."""
    entries = list(matrix.columns[name].values())
    source = entries[0].source
    head = [
        f"# {escape(sentence(source.title))}",
        escape(" · ".join(list_traits(source))),
        fence(source.code, "python"),
        _count(matrix, entries, "conversion"),
    ]
    parts = group_by_group(sort_best_first(entries)).items()
    return _render_page(head, parts, "Conversion", _name_conversion, remedies)


def _tell_needs(source: Source) -> str:
    return f" (needs {' and '.join(source.needs)})" if source.needs else ""


def _count(matrix: Matrix, entries: Sequence[Entry], unit: str) -> str:
    newest = find_default_environment(entries)
    assert newest is not None
    others = len({environment for entry in entries for environment in entry.pattern.points}) - 1
    rest = f", and with {others} other environment{'s' * (others > 1)}." if others else " only."
    number = f"{len(entries)} {unit}{'s' * (len(entries) > 1)}"
    return (
        f"{number}, as recorded with {name_in_picker(newest)}{rest} {tell_untried(matrix, entries)}".rstrip()
    )


def _render_page(
    head: list[str],
    parts: Iterable[tuple[str, Iterable[Entry]]],
    unit: str,
    name: Callable[[Entry], str],
    remedies: Remedies,
) -> str:
    """Its head, then a table for each part."""
    blocks = list(head)
    for title, entries in parts:
        blocks.append(f"## {escape(sentence(title))}")
        rows = [[unit, "Outcome", "Result", "Over the releases"]]
        rows += [[name(entry), *_describe_cell(entry, remedies.find(entry))] for entry in entries]
        blocks.append(render_rows(rows))
    return "\n\n".join(blocks)


def _name_source(entry: Entry) -> str:
    return f"[{escape(entry.source.title)}](../source/{entry.source.name}.md)"


def _name_conversion(entry: Entry) -> str:
    return f"[{quote_code(entry.conversion.title)}](../conversion/{entry.conversion.name}.md)"


def _describe_cell(entry: Entry, remedy: str) -> list[str]:
    """Outcome, result or what to call instead, and how that came to be, empty where all releases do alike."""
    outcome = entry.cell.outcome
    past = tell_story(entry) if len(entry.list_answers(describe_outcome)) > 1 else ""
    instead = f" Instead: {quote_code(remedy)}." if remedy else ""
    return [f"{LOOKS[outcome].sign} {outcome}", _describe_result(entry.cell) + instead, escape(past)]


def _describe_result(cell: Cell) -> str:
    """What came out, the warnings, and the error, as they were captured."""
    words = [escape(describe_result(cell)), quote_code(cell.value)]
    words += [f"{warning.category}: {quote_code(warning.message)}" for warning in cell.warnings]
    if cell.error is not None:
        words.append(f"{cell.error.type}: {quote_code(cell.error.message or '(no message)')}")
    if cell.writes:
        words.append("The call changed its input.")
    return " ".join(filter(None, words))
