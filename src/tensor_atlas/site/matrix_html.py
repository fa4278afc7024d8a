"""The matrix → HTML of its pages, one for each conversion and one for each source; pure.

Whatever comes from a run is escaped here; code is set by the function that the caller hands in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from tensor_atlas.catalogue.conversions import Conversion
from tensor_atlas.catalogue.sources import Source
from tensor_atlas.history.conditions import find_conditions
from tensor_atlas.history.releases import is_compatible, name_environment
from tensor_atlas.matrix.table import (
    Entry,
    Matrix,
    Pattern,
    SharedChange,
    count_outcomes,
    group_by_group,
    group_by_kind,
    group_changes,
    sort_best_first,
)
from tensor_atlas.model.cells import Cell, Outcome, Proof
from tensor_atlas.model.runs import Environment, Raised

Setter = Callable[[str], str]
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
MOST_WORDS = 160
"""Characters of a message that a list of changes shows; the cell has all of it."""
MOST_NAMED = 8
"""Cells that a line about a change links to before the rest is folded away."""


@dataclass(frozen=True)
class Desk:
    """What every page needs beside its own cells."""

    matrix: Matrix
    """All cells."""
    code: Setter
    """Sets Python code."""


@lru_cache(maxsize=4096)
def _names(environments: tuple[Environment, ...]) -> str:
    return ", ".join(map(name_environment, environments))


def conversion_page(desk: Desk, conversion: Conversion) -> str:
    """What one conversion does with every source it was tried on."""
    entries = list(desk.matrix.rows[conversion.name].values())
    kinds = group_by_kind(entries)
    parts = [
        f"<h1><code>{escape(conversion.title)}</code></h1>",
        f'<p class="atlas-names">{escape(conversion.group)} · {escape(conversion.family)}</p>',
        _block(desk.code(conversion.code)),
        _stamp(desk, entries, "sources"),
        _what_changed(desk, entries, lambda e: (f"#{e.source.name}", escape(e.source.title))),
        _jumps((anchor(kind), f"{kind} ({len(members)})") for kind, members in kinds.items()),
    ]
    for kind, members in kinds.items():
        cells = "".join(_cell(desk, entry) for entry in members)
        parts.append(_section(str(kind), members, f'<div class="atlas-cells">{cells}</div>'))
    return _root(desk, parts)


def source_page(desk: Desk, source: Source) -> str:
    """Every way on from one source."""
    entries = list(desk.matrix.columns[source.name].values())
    groups = group_by_group(entries)
    layout = [] if source.layout.replace(" ", "-") in source.flags else [source.layout]
    known = (str(source.form), source.dtype, *layout, f"on {source.device}", *source.flags)
    parts = [
        f"<h1>{escape(sentence(source.title))}</h1>",
        f'<p class="atlas-names">{" · ".join(escape(fact) for fact in known if fact)}</p>',
        _block(desk.code(source.code)),
        _stamp(desk, entries, "conversions"),
        _what_changed(desk, entries, lambda e: (_to_cell(e), f"<code>{escape(e.conversion.title)}</code>")),
        _jumps((anchor(group), f"{sentence(group)} ({len(members)})") for group, members in groups.items()),
    ]
    for group, members in groups.items():
        lines = "".join(_line(desk, entry) for entry in sort_best_first(members))
        parts.append(_section(sentence(group), members, f'<ul class="atlas-cells">{lines}</ul>'))
    return _root(desk, parts)


# --- around the cells --------------------------------------------------------------------------


def anchor(text: str) -> str:
    """Name of a part of a page."""
    return "-".join("".join(c if c.isalnum() else " " for c in text.lower()).split())


def sentence(text: str) -> str:
    """Text with a capital, other capitals kept; a name from code that it begins with stays as it is."""
    is_name = re.match(r"\w*[\d_.]", text) is not None
    return text if is_name else text[0].upper() + text[1:]


def _root(desk: Desk, parts: Sequence[str]) -> str:
    ids = " ".join(environment.id for environment in desk.matrix.environments)
    shown = desk.matrix.shown
    place = "" if shown is None else str(desk.matrix.environments.index(shown))
    attributes = f'data-environments="{escape(ids)}" data-shown="{place}"'
    return f'<div class="atlas-matrix" {attributes}>' + "\n".join(filter(None, parts)) + "</div>"


def _section(title: str, entries: Sequence[Entry], body: str) -> str:
    target = anchor(title)
    head = f"<h2>{escape(title)}{_permalink(target)}</h2>"
    return f'<section id="{target}">{head}{_tally(entries)}{body}</section>'


def _permalink(target: str) -> str:
    return f'<a class="headerlink" href="#{target}" title="Link to this heading">#</a>'


def _block(code: str) -> str:
    return f'<div class="highlight-python notranslate"><div class="highlight"><pre>{code}</pre></div></div>'


def _stamp(desk: Desk, entries: Sequence[Entry], what: str) -> str:
    """What the page shows, and on what it rests."""
    shown = desk.matrix.shown
    assert shown is not None  # there are entries, so somebody tried them
    count = len(desk.matrix.environments)
    words = (
        f"{len(entries)} {what}, as recorded with torch {shown.torch}, NumPy {shown.numpy}, {shown.device}"
    )
    others = {1: "", 2: ", and with one other environment"}.get(
        count, f", and with {count - 1} other environments"
    )
    return f'<div class="atlas-stamp container"><p>{escape(words + others)}.</p></div>{_tally(entries)}'


def _tally(entries: Iterable[Entry]) -> str:
    """How many of what, in words and as a bar."""
    found = count_outcomes(entries)
    items = "".join(f"<li>{_badge(outcome, f'{count} {outcome}')}</li>" for outcome, count in found.items())
    return f'<div class="atlas-tally">{bar(found)}<ul>{items}</ul></div>'


def bar(found: dict[Outcome, int]) -> str:
    """Shares of outcomes as a bar, which says nothing that no words beside it say."""
    widths = [
        f'<span class="atlas-bar-{CSS[outcome]}" style="flex:{count}"></span>'
        for outcome, count in found.items()
    ]
    return f'<span class="atlas-bar" aria-hidden="true">{"".join(widths)}</span>'


def _jumps(targets: Iterable[tuple[str, str]]) -> str:
    links = "".join(f'<li><a href="#{target}">{escape(words)}</a></li>' for target, words in targets)
    return f'<nav class="atlas-jumps" aria-label="On this page"><ul>{links}</ul></nav>'


Named = Callable[[Entry], tuple[str, str]]
"""Address of a cell, and HTML of what it is called on this page."""


def _what_changed(desk: Desk, entries: Sequence[Entry], named: Named) -> str:
    """What changed in which release; wording folded away."""
    found = group_changes(entries)
    if len(desk.matrix.environments) < 2:
        return ""
    behaviour = [one for one in found if one.severity.is_behaviour]
    wording = [one for one in found if not one.severity.is_behaviour]
    parts = [f'<section id="what-changed"><h2>What changed{_permalink("what-changed")}</h2>']
    parts.append(_changes(behaviour, named) if behaviour else "<p>No recorded release behaves otherwise.</p>")
    if wording:
        count = f"{len(wording)} change{'s' * (len(wording) != 1)} of wording alone"
        parts.append(
            f'<details class="atlas-wording"><summary>{count}</summary>{_changes(wording, named)}</details>'
        )
    return "".join(parts) + "</section>"


def _changes(found: Sequence[SharedChange], named: Named) -> str:
    """Changes under the release that brought them."""
    parts: list[str] = []
    for release in dict.fromkeys(one.name for one in found):
        items = "".join(_told(one, named) for one in found if one.name == release)
        parts.append(f"<dt>{escape(release)}</dt><dd><ul>{items}</ul></dd>")
    return f'<dl class="atlas-told">{"".join(parts)}</dl>'


def _told(one: SharedChange, named: Named) -> str:
    links = [f'<a href="{address}">{words}</a>' for address, words in map(named, one.entries)]
    rest = ""
    if len(links) > MOST_NAMED:
        rest = f"<details><summary>{len(links) - MOST_NAMED} more</summary>{', '.join(links[MOST_NAMED:])}</details>"
    before, after = (f"<code>{escape(_clipped(words))}</code>" for words in (one.before, one.after))
    kind = f'<span class="atlas-severity">{escape(sentence(str(one.severity)))}</span>'
    return f"<li>{kind}: {before} → {after} on {', '.join(links[:MOST_NAMED])}{rest}</li>"


def _clipped(text: str) -> str:
    return text if len(text) <= MOST_WORDS else text[: MOST_WORDS - 1] + "…"


# --- a cell ------------------------------------------------------------------------------------


def _cell(desk: Desk, entry: Entry) -> str:
    """A line that folds out to the code that ran and all that is known of it."""
    summary = f'<span class="atlas-cell-name">{escape(entry.source.title)}</span>{_answers(desk, entry)}'
    body = [_block(escape(entry.script)), _shown(entry)]
    body += [_other(entry, index) for index in range(1, len(entry.cells))]
    body += [_untried(entry)] if entry.untried else []
    link = f'<a href="../source/{entry.source.name}.html">Every way on from this source</a>'
    body.append(f'<p class="atlas-names">{link}</p>')
    return (
        f'<details class="atlas-cell" id="{entry.source.name}"><summary>{summary}</summary>'
        f'<div class="atlas-cell-body">{"".join(body)}</div></details>'
    )


def _line(desk: Desk, entry: Entry) -> str:
    """A line that leads to the cell on the page of its conversion."""
    code = f'<a class="atlas-cell-name" href="{_to_cell(entry)}"><code>{escape(entry.conversion.title)}</code></a>'
    return f'<li class="atlas-cell">{code}{_answers(desk, entry)}</li>'


def _to_cell(entry: Entry) -> str:
    return f"../conversion/{entry.conversion.name}.html#{entry.source.name}"


def _answers(desk: Desk, entry: Entry) -> str:
    """The outcome in a few words, and behind it those of other environments, for the picker."""
    first, *others = zip(entry.cells, entry.pattern.places, strict=True)
    is_same = not others and not entry.untried
    at = "" if is_same else f' data-at="{first[1]}"'
    elsewhere = (
        ""
        if entry.shown == desk.matrix.shown
        else f" <small>with {escape(name_environment(entry.shown))}</small>"
    )
    parts = [f'<span class="atlas-cell-answer"{at}>{answer(first[0])}{elsewhere}</span>']
    parts += [f'<span hidden data-at="{places}">{answer(cell)}</span>' for cell, places in others]
    mark = f'<span class="atlas-cell-mark">changed in {escape(entry.mark)}</span>' if entry.mark else ""
    return f'<span class="atlas-cell-answers">{"".join(parts)}</span>{mark}'


def answer(cell: Cell) -> str:
    """Outcome with its sign, what kind of result, and whether it warns or writes."""
    words = [_badge(cell.outcome, str(cell.outcome))]
    detail = short(cell)
    words += [f'<span class="atlas-cell-detail">{escape(detail)}</span>'] if detail else []
    words += ['<span class="atlas-cell-warns">! warns</span>'] if cell.warnings else []
    words += ['<span class="atlas-cell-warns">! changes the source</span>'] if cell.writes else []
    return " ".join(words)


def short(cell: Cell) -> str:
    """Class of the result with its dtype, or of the error."""
    if cell.error is not None:
        return cell.error.type
    dtype = cell.dtype.removeprefix("torch.")
    # A NumPy scalar's class is called as its dtype is.
    return cell.type if dtype == cell.type else f"{cell.type} {dtype}".strip()


def _badge(outcome: Outcome, words: str) -> str:
    return f'<span class="atlas-outcome-{CSS[outcome]}">{SIGNS[outcome]} {escape(words)}</span>'


def _shown(entry: Entry) -> str:
    head = ""
    if len(entry.cells) > 1:
        head = f"<p>{_where(entry.pattern, 0)}</p>"
        story = entry.story
        head = f'<p class="atlas-story">{escape(sentence(story))}.</p>{head}' if story else head
    return f'{head}<div class="atlas-variant">{facts(entry.cell)}</div>'


def _other(entry: Entry, index: int) -> str:
    return (
        f'<div class="atlas-elsewhere" data-at="{entry.pattern.places[index]}">'
        f"<p>{_where(entry.pattern, index)}</p>"
        f'<div class="atlas-variant">{facts(entry.cells[index])}</div></div>'
    )


@lru_cache(maxsize=65536)
def _where(pattern: Pattern, index: int) -> str:
    """Which environments did one of the things: as conditions that fit these and no others, and each by name."""
    rest = tuple(e for i, where in enumerate(pattern.alike) for e in where if i != index)
    return _condition(pattern.alike[index], rest)


@lru_cache(maxsize=65536)
def _condition(there: tuple[Environment, ...], others: tuple[Environment, ...]) -> str:
    """Conditions for those whose NumPy fits their torch; the others stand apart, by name."""
    plain, misfits = tuple(filter(is_compatible, there)), tuple(e for e in there if not is_compatible(e))
    apart = [environment for environment in others if is_compatible(environment)]
    words = (
        ["every environment whose NumPy fits its torch"]
        if plain and not apart
        else find_conditions(plain, apart)
        if plain
        else []
    )
    parts = [f"<strong>{escape(' or '.join(words))}</strong> {_recorded(plain)}"] if plain else []
    parts += [f"<strong>a NumPy that does not fit its torch</strong> {_recorded(misfits)}"] if misfits else []
    return " and ".join(parts)


def _recorded(environments: tuple[Environment, ...]) -> str:
    return f'<span class="atlas-names">· recorded with {escape(_names(environments))}</span>'


def _untried(entry: Entry) -> str:
    return f'<p class="atlas-names">Not tried with {escape(_names(entry.untried))}.</p>'


def facts(cell: Cell) -> str:
    """Everything observed of one cell."""
    parts = [f"<p>{_badge(cell.outcome, str(cell.outcome))} <span>{escape(_shape(cell))}</span></p>"]
    parts += [_box("output", "Value", cell.value)] if cell.value else []
    parts += [_box("warning", warned.category, warned.message) for warned in cell.warnings]
    parts += [_error(cell.outcome, cell.error)] if cell.error else []
    parts += (
        ['<p class="atlas-cell-warns">! The source’s own elements were changed.</p>'] if cell.writes else []
    )
    parts += [f'<p class="atlas-names">{_proof(cell)}</p>'] if cell.proof else []
    return "".join(parts)


def _shape(cell: Cell) -> str:
    """What the result is, field by field."""
    said = [short(cell)] if cell.error is None else []
    said += [] if cell.shape is None else [f"shape {_tuple(cell.shape)}"]
    said += [f"strides {_tuple(cell.strides)} bytes"] if cell.strides else []
    said += [f"on {cell.device}"] if cell.device else []
    said += [] if cell.writable is None else ["writable" if cell.writable else "read-only"]
    said += ["requires grad"] if cell.requires_grad else []
    return " · ".join(filter(None, said))


def _tuple(numbers: Sequence[int]) -> str:
    return str(tuple(numbers))


def _box(kind: str, label: str, text: str) -> str:
    return (
        f'<div class="atlas-captured atlas-{kind} container"><p class="atlas-label"><span>{escape(label)}</span></p>'
        f'<div class="highlight-none notranslate"><div class="highlight"><pre>{escape(text)}</pre></div></div></div>'
    )


def _error(outcome: Outcome, error: Raised) -> str:
    label = f"{error.type}, uncaught" if outcome is Outcome.RAISES else error.type or str(outcome)
    return _box("error", label, error.message or "(no message)")


def _proof(cell: Cell) -> str:
    if cell.proof is Proof.RANGES:
        return "Known by the addresses of the elements: writing there is not allowed, or not safe."
    seen = "was seen in the source" if cell.outcome is Outcome.SHARES else "was not seen in the source"
    return f"Known by a write: a byte changed through the result {seen}."


def legend() -> Iterator[tuple[str, str, str]]:
    """Sign, word and meaning of each outcome."""
    return ((SIGNS[outcome], str(outcome), MEANINGS[outcome]) for outcome in Outcome)
