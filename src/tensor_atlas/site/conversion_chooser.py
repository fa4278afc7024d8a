"""The page on which a reader chooses a conversion: data for its script, common questions without it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from operator import ne
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakKeyDictionary

from docutils import nodes

from tensor_atlas.catalogue import SOURCES, Form, Source
from tensor_atlas.errors import AtlasError
from tensor_atlas.history.releases import describe_environment
from tensor_atlas.matrix.chooser import (
    FORMS,
    GIVES,
    GOOD,
    PLAIN,
    SCOPE,
    SIGNS,
    CellSummary,
    ChooserTable,
    Fit,
    Memory,
    RankedCall,
    ResultKind,
    Want,
    build_chooser_table,
    count_steps,
    list_sources,
    possible_kinds,
    rank_calls,
    select_present_rows,
)
from tensor_atlas.model.cells import Outcome
from tensor_atlas.model.runs import JSON
from tensor_atlas.site.directives import (
    Cell,
    EvidenceDirective,
    PageContext,
    build_table,
    locate_entry,
    read_field,
)
from tensor_atlas.site.execution import MATRIX, evidence_of
from tensor_atlas.site.matrix_pages import CONVERSION
from tensor_atlas.site.nodes import build_element
from tensor_atlas.site.page_scripts import CHOOSER_DATA, write_script

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx

NAME = "NAME"
"""Stands for a conversion in the address that the page gives its script."""

_tables: WeakKeyDictionary[Sphinx, ChooserTable] = WeakKeyDictionary()
_Word = TypeVar("_Word", bound=StrEnum)


def table_of(app: Sphinx) -> ChooserTable:
    """Table of what is recorded of the present code, made once a build."""
    if app not in _tables:
        store = evidence_of(app).store
        rows = select_present_rows(store.rows, store.sources)
        _tables[app] = build_chooser_table(rows, store.environments)
    return _tables[app]


# --- the data -----------------------------------------------------------------------------------


def write_data(app: Sphinx) -> None:
    """Handler of ``builder-inited``, after the execution: the data, where there are any."""
    if app.builder.format == "html" and evidence_of(app).store.rows:
        write_script(app, CHOOSER_DATA, "atlasMatrix", encode_table(table_of(app)))


GROUPS = tuple(GIVES)
"""Groups of conversions that the chooser knows; others are numbered by their places."""
KINDS, FORM_LIST, OUTCOMES = list(ResultKind), list(Form), list(Outcome)
FLAGS = ("grad", "frozen", "writes", "other_shape", "other_values", "unseen")
"""Fields of ``CellSummary`` that are bits of one number, the first the lowest."""


def encode_table(table: ChooserTable) -> dict[str, JSON]:
    """All that the chooser's script needs: each text once, cells as numbers, environments as differences."""
    words = {"": 0}
    summaries: list[JSON] = [_encode_summary(summary, words) for summary in table.summaries]
    return {
        "told": summaries,
        "words": list(words),
        "forms": [[str(form), FORMS[form], _encode_kinds(possible_kinds(form))] for form in FORM_LIST],
        "kinds": [[kind.name, str(kind)] for kind in KINDS],
        "memories": [[memory.name, str(memory)] for memory in Memory],
        "verdicts": [[fit.name, str(fit), fit in GOOD] for fit in Fit],
        "outcomes": [[outcome.name, str(outcome), SIGNS[outcome]] for outcome in OUTCOMES],
        "plain": [*sorted(PLAIN)],
        "groups": [[_encode_kinds(GIVES[g]), [*map(SOURCES.index, list_sources(g))]] for g in GROUPS],
        "sources": [_encode_source(source) for source in SOURCES],
        "conversions": [[c.name, c.title, GROUPS.index(c.group), count_steps(c)] for c in SCOPE],
        "environments": _encode_environments(table),
    }


def _encode_kinds(kinds: Iterable[ResultKind]) -> list[JSON]:
    """Kinds of results by place."""
    return [KINDS.index(kind) for kind in kinds]


def _encode_source(source: Source) -> list[JSON]:
    """What the script knows of a source."""
    form = FORM_LIST.index(source.form)
    facts = (source.code, source.dtype, source.layout, source.device, ", ".join(source.flags))
    return [source.name, source.title, form, *facts]


def _encode_summary(summary: CellSummary, words: dict[str, int]) -> list[JSON]:
    """A summary as numbers; new texts are added to ``words``, each with its place."""

    def place(text: str) -> int:
        return words.setdefault(text, len(words))

    return [
        OUTCOMES.index(summary.outcome),
        -1 if summary.kind is None else KINDS.index(summary.kind),
        *map(place, (summary.type, summary.element, summary.device, summary.shape)),
        sum(getattr(summary, name) << bit for bit, name in enumerate(FLAGS)),
        *map(place, (summary.value, summary.error, *summary.warnings)),
    ]


def _encode_environments(table: ChooserTable) -> list[JSON]:
    """Id of each, which one it differs least from, and how: distances and places; of the first all places."""
    rows = [_flatten_cells(table, environment.id) for environment in table.environments]
    found: list[JSON] = []
    for index, (environment, row) in enumerate(zip(table.environments, rows, strict=True)):
        distances = [sum(map(ne, before, row)) for before in rows[:index]]
        nearest = distances.index(min(distances)) if distances else -1
        cells = _list_differences(rows[nearest], row) if distances else row
        found.append([environment.id, nearest, [*cells]])
    return found


def _flatten_cells(table: ChooserTable, environment: str) -> list[int]:
    """Places of the summaries of all cells, row by row, plus one; 0 where a cell was not tried."""
    cells = table.cells[environment]
    sources = {group: [source.name for source in list_sources(group)] for group in GROUPS}
    places: list[int] = []
    for conversion in SCOPE:
        row = cells.get(conversion.name, {})
        places += [row.get(name, -1) + 1 for name in sources[conversion.group]]
    return places


def _list_differences(before: Sequence[int], after: Sequence[int]) -> list[int]:
    """For each cell that differs: how many cells lie between it and the last such one, then its place."""
    found: list[int] = []
    last = -1
    for index, place in enumerate(after):
        if place != before[index]:
            found += [index - last - 1, place]
            last = index
    return found


# --- the page -----------------------------------------------------------------------------------


class Chooser(EvidenceDirective):
    """What a reader has and wants, asked by a script; below it common questions with their answers."""

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        context.depend_on(MATRIX)
        questions = [_read_question(entry) for entry in self.read_entries("questions")]
        table = table_of(context.app)
        if not table.environments:
            words = "No conversion of the matrix has been recorded yet, so there is nothing to choose from."
            yield nodes.paragraph("", words, classes=["atlas-notice"])
            return
        words = (
            "Choosing needs JavaScript, which is off. The table below answers common questions without it."
        )
        notice = nodes.paragraph("", words, classes=["atlas-notice"])
        yield build_element(
            "div", notice, css="atlas-chooser", data_page=context.locate(f"{CONVERSION}/{NAME}")
        )
        shown = table.environments[0]
        captured = nodes.paragraph(
            "", f"Captured with {describe_environment(shown)}.", classes=["atlas-names"]
        )
        rows = [_build_row(context, h, w, rank_calls(table, h, w, shown.id)) for h, w in questions]
        answers = build_table(["I have", "I want", "Call", "Captured"], rows, "atlas-decisions")
        yield self.build_section("Common questions", captured, answers)


def _read_question(entry: dict[str, object]) -> tuple[Source, Want]:
    """What an entry asks; AtlasError where a name is unknown, or nobody can want that of such a source."""
    name, where = read_field(entry, "have"), locate_entry(entry)
    have = next((source for source in SOURCES if source.name == name), None)
    if have is None:
        raise AtlasError(where, f"no source {name}", "take a name of catalogue/sources.toml")
    kind = _read_word(ResultKind, entry, "want", "TENSOR")
    if kind not in possible_kinds(have.form):
        raise AtlasError(where, f"{kind} is not made of {have.form} sources", "ask for what is tried on them")
    return have, Want(kind, _read_word(Memory, entry, "memory", "ANY"), str(entry.get("element", "")))


def _read_word(words: type[_Word], entry: dict[str, object], key: str, default: str) -> _Word:
    """Member of an enumeration that a field names; AtlasError where there is none of that name."""
    name = str(entry.get(key, default))
    if name not in words.__members__:
        known = ", ".join(words.__members__)
        raise AtlasError(locate_entry(entry), f"{key} {name!r} is unknown", f"write one of {known}")
    return words[name]


def _build_row(context: PageContext, have: Source, want: Want, answers: list[RankedCall]) -> list[Cell]:
    """Cells of one question: what there is, what is wanted, the best call, what became of it."""
    asked = nodes.reference("", _describe_want(want), refuri=_build_address(have, want), internal=True)
    question: list[Cell] = [have.title, [nodes.paragraph("", "", asked)]]
    best = next((answer for answer in answers if answer.fit in GOOD), None)
    if best is None:
        return [*question, "–", "no call does it" if answers else "not tried here"]
    conversion = best.call.conversion
    code = nodes.literal("", conversion.title)
    call = context.link_page(f"{CONVERSION}/{conversion.name}", code, have.name)
    return [*question, [nodes.paragraph("", "", call)], _build_answer(best)]


def _describe_want(want: Want) -> str:
    """``a tensor, share memory, torch.int8``."""
    memory = "" if want.memory is Memory.ANY else str(want.memory)
    return ", ".join(filter(None, [str(want.kind), memory, want.element]))


def _build_address(have: Source, want: Want) -> str:
    """Address of the question on its page, as the script writes it."""
    parts = {"have": have.name, "want": want.kind.name, "memory": want.memory.name, "dtype": want.element}
    return "#" + "&".join(f"{key}={value}" for key, value in parts.items() if value)


CSS = {Outcome.COPIES: "copies", Outcome.SAME: "shares", Outcome.SHARES: "shares"}
"""Colour of an outcome; others have that of printed values."""


def _build_answer(answer: RankedCall) -> list[Node]:
    """What became of the source, what came out, and what to mind."""
    summary = answer.call.summary
    css = f"atlas-verdict-{CSS.get(summary.outcome, 'prints')}"
    outcome = f"{SIGNS[summary.outcome]} {summary.outcome}"
    words = nodes.inline("", outcome, classes=["atlas-verdict", css])
    result = nodes.Text(f" {summary.element}" if summary.element else "")
    parts: list[Node] = [nodes.paragraph("", "", words, result)]
    cautions = list(answer.cautions)
    if summary.error:
        cautions = [summary.error]
    elif summary.warnings:
        cautions.append("warns")
    if cautions:
        parts.append(nodes.paragraph("", "; ".join(cautions), classes=["atlas-names"]))
    return parts
