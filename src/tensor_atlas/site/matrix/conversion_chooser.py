"""The page on which a reader chooses a conversion: the data from which its script picks the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes

from tensor_atlas.catalogue import BARE_BITS, CONVERSIONS, SOURCES, Form, Source
from tensor_atlas.compare.answers import Answer, OtherAnswer, Reading, find_other_answers, read_answer
from tensor_atlas.compare.evidence import Evidence
from tensor_atlas.compare.rungs import Rung
from tensor_atlas.errors import AtlasError
from tensor_atlas.history.patterns import OutcomeTable, Patterns, mark_new
from tensor_atlas.matrix.chooser import (
    FORMS,
    GIVES,
    PLAIN,
    SCOPE,
    SIGNS,
    CellSummary,
    ChooserTable,
    ResultKind,
    build_chooser_table,
    list_sources,
    possible_kinds,
    select_present_rows,
)
from tensor_atlas.model.cells import Outcome
from tensor_atlas.model.runs import JSON
from tensor_atlas.pages import GALLERY
from tensor_atlas.pages.combinations import FILE, encode_combinations, read_combinations
from tensor_atlas.site.build.directives import CHOOSER, EvidenceDirective
from tensor_atlas.site.build.execution import ALL_EXAMPLES, MATRIX, evidence_of, stop
from tensor_atlas.site.build.nodes import build_element
from tensor_atlas.site.build.page_scripts import CHOOSER_DATA, write_script
from tensor_atlas.toml_tables import Count, read_tables

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx

CHEAT_SHEET = "reference/calls"
"""Page that lists the calls without a script."""


@lru_cache(maxsize=1)
def table_of(app: Sphinx) -> ChooserTable:
    """Table of what is recorded of the present code, made once a build."""
    store = evidence_of(app).store
    return build_chooser_table(select_present_rows(store.rows, store.sources), store.environments)


# --- the data -----------------------------------------------------------------------------------


def write_data(app: Sphinx, patterns: Patterns) -> None:
    """Write the data that the chooser's script reads, where any cell is recorded."""
    if not evidence_of(app).store.rows:
        return
    path = Path(app.srcdir, "preferences.toml")
    text = path.read_text(encoding="utf-8") if path.is_file() else ""

    def locate(page: str) -> str:
        return app.builder.get_relative_uri(CHOOSER, page)

    table = table_of(app)
    try:
        preferences = parse_preferences(text, f"docs/{path.name}")
        combinations = read_combinations(Path(app.srcdir, FILE))
        data = encode_table(table, preferences, evidence_of(app), locate)
    except AtlasError as error:
        stop(error)
    # Cells of all forms weigh 70 of 84 KB; a reader has one form.
    scripts: dict[str, JSON] = {}
    for form in Form:
        name = CHOOSER_DATA.replace(".js", f"-{form}.js")
        cells = encode_cells(table, form, preferences, patterns)
        cells["combinations"] = encode_combinations(combinations, form, patterns)
        scripts[form] = write_script(app, name, f"atlasMatrix.cells.{form}", cells)
    write_script(app, CHOOSER_DATA, "atlasMatrix", {**data, "scripts": scripts})


GROUPS = tuple(GIVES)
"""Groups of conversions that the chooser knows; others are numbered by their places."""
KINDS, FORM_LIST, OUTCOMES = list(ResultKind), list(Form), list(Outcome)
FLAGS = ("grad", "frozen", "writes", "other_shape", "other_values", "unseen")
"""Fields of ``CellSummary`` that are bits of one number, the first the lowest."""
PLACES = {source.name: place for place, source in enumerate(SOURCES)}
"""Numbers of sources."""
CALLS = {conversion.name: place for place, conversion in enumerate(SCOPE)}
"""Numbers of conversions."""


def encode_table(
    table: ChooserTable,
    preferences: Sequence[Preference],
    evidence: Evidence,
    locate: Callable[[str], str],
) -> dict[str, JSON]:
    """What the chooser's script needs whatever a reader has; its cells come with ``encode_cells``."""
    return {
        "forms": [[str(form), FORMS[form], _encode_kinds(possible_kinds(form))] for form in FORM_LIST],
        "kinds": [[kind.name, str(kind)] for kind in KINDS],
        "outcomes": [[outcome.name, str(outcome), SIGNS[outcome]] for outcome in OUTCOMES],
        "plain": [*sorted(PLAIN)],
        "groups": [[_encode_kinds(GIVES[g]), [*map(SOURCES.index, list_sources(g))]] for g in GROUPS],
        "sources": [_encode_source(source) for source in SOURCES],
        "conversions": [[c.name, c.title, GROUPS.index(c.group)] for c in SCOPE],
        "preferences": [_encode_preference(p, evidence, locate) for p in preferences],
        "environments": [environment.id for environment in table.environments],
        "cells": {},
    }


def encode_cells(
    table: ChooserTable, form: Form, preferences: Iterable[Preference], patterns: Patterns
) -> dict[str, JSON]:
    """Cells of the sources of a form, by conversion and source: for each a mapping; each text once."""
    sources = _list_sources_of(form, preferences)
    outcomes: OutcomeTable[int] = OutcomeTable(patterns)
    cells = [outcomes.number(table.read_places(*cell)) for cell in _list_cells(sources)]
    kept = [table.summaries[place] for place in outcomes.outcomes]
    # In order, so that neighbours are alike and compress well.
    texts = sorted({text for summary in kept for text in _list_texts(summary)} - {""})
    words = {text: place for place, text in enumerate(["", *texts])}
    return {
        "sources": [PLACES[name] for name in sources],
        "summaries": [_encode_summary(summary, words) for summary in kept],
        "words": list(words),
        "mappings": outcomes.encode_mappings(),
        "cells": mark_new(cells),
    }


def _list_sources_of(form: Form, preferences: Iterable[Preference]) -> list[str]:
    """Names of the sources of a form, and of others by which a recommended call for it is proved."""
    steps = {step.source for p in preferences if p.form is form for step in p.steps}
    return [source.name for source in SOURCES if source.form is form or source.name in steps]


def _encode_kinds(kinds: Iterable[ResultKind]) -> list[JSON]:
    """Kinds of results by place."""
    return [KINDS.index(kind) for kind in kinds]


def _encode_source(source: Source) -> list[JSON]:
    """What the script knows of a source: its facts, what it is a combination of, and its possible dtypes."""
    facts: list[JSON] = [source.name, source.title, FORM_LIST.index(source.form), source.code]
    facts += [source.dtype, source.layout, source.device, [*source.flags]]
    parts = take_apart(source)
    if parts is None:
        return facts
    traits: list[JSON] = [PLACES.get(name, -1) for name in (parts.layout, parts.flag, parts.device)]
    return [*facts, traits, [*list_dtypes(source)] if is_trait(source) else []]


def _encode_preference(
    preference: Preference, evidence: Evidence, locate: Callable[[str], str]
) -> dict[str, JSON]:
    """A preference with names as numbers, and what its example shows in each environment."""
    sources = {**PLACES, "": -1, CONTIGUOUS: -2}
    return {
        "call": preference.call,
        "form": FORM_LIST.index(preference.form),
        "kind": KINDS.index(preference.kind),
        "steps": [[CALLS[step.conversion], sources[step.source]] for step in preference.steps],
        "only": [PLACES[name] for name in preference.only],
        "unless": [PLACES[name] for name in preference.unless],
        "strict": preference.strict,
        "copies": preference.copies,
        "gives": preference.gives,
        "device": preference.device,
        "url": preference.url,
        "shown": _encode_proof(preference, evidence, locate) if preference.evidence else None,
    }


def _encode_proof(preference: Preference, evidence: Evidence, locate: Callable[[str], str]) -> JSON:
    """What an example shows: its title and address, the answer, and other answers by environment."""
    first = read_answer(evidence, preference.evidence, preference.where)
    others = find_other_answers(evidence, preference.evidence, preference.where)
    address = f"{locate(f'{GALLERY}/{first.shown.example.name}')}#block-{first.block_index + 1}"
    title = first.shown.example.title
    encoded: list[JSON] = [_encode_other(other) for other in others]
    return {"title": title, "address": address, "answer": _encode_reading(first), "others": encoded}


def _encode_other(other: OtherAnswer) -> list[JSON]:
    return [*_encode_reading(other.reading), [environment.id for environment in other.environments]]


MEANS = {
    Answer.SHARES: "SHARES",
    Answer.COPIES: "COPIES",
    Answer.PRINTS: "WORKS",
    Answer.WORKS: "WORKS",
    Answer.UNKNOWN: "UNKNOWN",
    Answer.ABSENT: "ABSENT",
}
"""What an answer of an example means to the chooser; others are failures."""


def _encode_reading(reading: Reading) -> list[JSON]:
    """What an answer means, and its words; of one that no run gave, its rung."""
    if reading.answer is Answer.UNKNOWN:
        return [MEANS[reading.answer], reading.detail.strip("()") or str(Rung.EXPECTED)]
    return [MEANS.get(reading.answer, "RAISES"), reading.words]


def _list_texts(summary: CellSummary) -> tuple[str, ...]:
    """Its texts, in the order in which the script reads them."""
    what = (summary.type, summary.element, summary.device, summary.shape)
    return (*what, summary.value, summary.error, *summary.warnings)


def _encode_summary(summary: CellSummary, words: Mapping[str, int]) -> list[JSON]:
    """A summary as numbers; ``words`` has the place of each text."""
    places = [words[text] for text in _list_texts(summary)]
    return [
        OUTCOMES.index(summary.outcome),
        -1 if summary.kind is None else KINDS.index(summary.kind),
        *places[:4],
        sum(getattr(summary, name) << bit for bit, name in enumerate(FLAGS)),
        *places[4:],
    ]


def _list_cells(sources: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Conversions and sources of all cells of some sources, in the order in which the script counts them."""
    tried = {group: [*map(attrgetter("name"), list_sources(group))] for group in GROUPS}
    for conversion in SCOPE:
        yield from ((conversion.name, name) for name in sources if name in tried[conversion.group])


# --- the page -----------------------------------------------------------------------------------


class Chooser(EvidenceDirective):
    """What a reader has and wants, asked by a script; without one, the way to the cheat sheet."""

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        context.depend_on(MATRIX)
        context.depend_on(ALL_EXAMPLES)
        if not table_of(context.app).environments:
            words = "No conversion of the matrix has been recorded yet, so there is nothing to choose from."
            yield nodes.paragraph("", words, classes=["atlas-notice"])
            return
        words = "This form needs JavaScript, which is off. Here are the most used calls without it: "
        sheet = context.link_page(CHEAT_SHEET, "Cheat sheet")
        notice = nodes.paragraph("", words, sheet, classes=["atlas-notice"])
        yield build_element("div", notice, css="atlas-chooser")


CONTIGUOUS = "plain"
"""Stands for the contiguous source of the reader's dtype."""
OFFICIAL = ("https://docs.pytorch.org/docs/stable/", "https://numpy.org/doc/stable/")
"""Where the documentation lies that describes the functions of a call."""


@dataclass(frozen=True)
class ProofStep:
    """A cell that proves a part of a call."""

    conversion: str
    """Name of the conversion."""
    source: str = ""
    """Name of the source, or CONTIGUOUS; empty for what the reader has."""


@dataclass(frozen=True)
class Preference:
    """A call that is recommended for a form of source; earlier entries of the file come first."""

    form: Form
    """Form of what the reader has."""
    kind: ResultKind
    """Kind of what comes out."""
    call: str
    """The call, as a reader writes it."""
    url: str
    """Page of PyTorch's or NumPy's documentation that describes one of its functions."""
    steps: tuple[ProofStep, ...] = ()
    """Cells that prove it, one after the other."""
    evidence: str = ""
    """Question to an example that proves it where no cell does."""
    copies: int = 0
    """Copies that the proof does not show."""
    gives: str = ""
    """Dtype that comes out, where the proof is an example; empty for the reader's own."""
    device: str = "cpu"
    """Kind of device where it is, if the proof is an example."""
    only: tuple[str, ...] = ()
    """Names of the sources that it is for; empty for all."""
    unless: tuple[str, ...] = ()
    """Names of sources that it is not for."""
    strict: bool = False
    """Whether it shares or raises, and never copies."""
    where: str = ""
    """File and line of the entry."""


@dataclass(frozen=True)
class PreferenceEntry:
    """A table of ``docs/preferences.toml``; Preference says what its fields mean."""

    of: str
    to: str
    call: str
    source: str
    cells: tuple[str, ...] | None = None
    evidence: str = ""
    copies: Count = 0
    gives: str = ""
    device: str = "cpu"
    only: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    strict: bool = False


def parse_preferences(text: str, path: str) -> tuple[Preference, ...]:
    """Preferences in the order of the file; AtlasError names the line of an entry that cannot be right."""
    entries = read_tables(text, "preferences", path, PreferenceEntry)
    return tuple(_read_preference(entry, where) for entry, where in entries)


def _read_preference(entry: PreferenceEntry, where: str) -> Preference:
    if entry.of not in list(Form) or entry.to not in ResultKind.__members__:
        remedy = f"of: {', '.join(Form)}; to: {', '.join(ResultKind.__members__)}"
        raise AtlasError(where, f"no conversion of {entry.of} to {entry.to}", remedy)
    if not entry.source.startswith(OFFICIAL):
        raise AtlasError(where, f"no official documentation: {entry.source}", f"cite {OFFICIAL[0]}…")
    form = Form(entry.of)
    return Preference(
        form=form,
        kind=ResultKind[entry.to],
        call=entry.call,
        url=entry.source,
        steps=_read_steps(entry, where),
        evidence=entry.evidence,
        copies=entry.copies,
        gives=entry.gives,
        device=entry.device,
        only=_find_sources(entry.only, form, f"{where}  only"),
        unless=_find_sources(entry.unless, form, f"{where}  unless"),
        strict=entry.strict,
        where=where,
    )


def _read_steps(entry: PreferenceEntry, where: str) -> tuple[ProofStep, ...]:
    """Steps that an entry names, or the conversion that is spelled like its call."""
    if entry.cells is not None:
        parts = [text.partition("@") for text in entry.cells]
        steps = [ProofStep(name.strip(), source.strip()) for name, _, source in parts]
    elif entry.evidence:
        return ()
    else:
        steps = [ProofStep(c.name) for c in SCOPE if c.title == entry.call][:1]
    known = {c.name for c in CONVERSIONS}, {CONTIGUOUS, "", *(s.name for s in SOURCES)}
    if not steps or any(step.conversion not in known[0] or step.source not in known[1] for step in steps):
        raise AtlasError(where, f"no cell proves {entry.call}", "name cells or evidence that do")
    return tuple(steps)


def _find_sources(words: Iterable[str], form: Form, where: str) -> tuple[str, ...]:
    """Sources of a form that have one of these facets; AtlasError for one that none has."""
    found: list[str] = []
    for word in words:
        named = [source.name for source in SOURCES if source.form is form and word in list_facets(source)]
        if not named:
            raise AtlasError(
                f"{where}: no {form} is {word}\n    name a dtype, layout, device, flag or source"
            )
        found += named
    return tuple(dict.fromkeys(found))


def list_facets(source: Source) -> tuple[str, ...]:
    """Words that an entry can name a source by."""
    return (source.name, source.dtype, source.layout, source.device, *source.flags)


# --- what can be combined ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Parts:
    """A source as a combination of others: each but the dtype may be empty, for what is usual."""

    dtype: str
    """Element type."""
    layout: str = ""
    """Name of the source that stands for its layout."""
    flag: str = ""
    """Name of the source that stands for its flags."""
    device: str = ""
    """Name of the source that stands for its device."""


def take_apart(source: Source) -> Parts | None:
    """What an array or a tensor is a combination of; None for other forms, which cannot be combined."""
    if source.form not in (Form.ARRAY, Form.TENSOR):
        return None
    if source.layout == BARE_BITS:
        return Parts(source.dtype)
    bare = source.dtype.removeprefix("torch.")
    rest, device = source.layout, ""
    if source.device != "cpu":
        device, rest = f"{source.form}-{source.device}", rest.removeprefix(source.device).strip()
    rest = rest.removeprefix(bare).strip()
    if rest in ("", "contiguous"):
        return Parts(source.dtype, device=device)
    name = f"{source.form}-{rest.replace(' ', '-')}"
    base = next((other for other in SOURCES if other.name == name), source)
    if base.flags:
        return Parts(source.dtype, flag=base.name, device=device)
    return Parts(source.dtype, layout=base.name, device=device)


def is_trait(source: Source) -> bool:
    """Whether a source stands for a layout, a flag or a device that goes with other dtypes."""
    parts = take_apart(source)
    return parts is not None and source.name in (parts.layout, parts.flag, parts.device)


FLOATS = ("float", "bfloat", "complex", "bcomplex")


def list_dtypes(trait: Source) -> tuple[str, ...]:
    """Dtypes that a layout, flag or device can be combined with."""
    same = [s for s in SOURCES if s.form is trait.form and s.layout != BARE_BITS]
    plain = [s.dtype for s in same if take_apart(s) == Parts(s.dtype)]
    own = trait.dtype.removeprefix("torch.")
    if own.startswith(("qint", "quint")):
        return (trait.dtype,)
    if "conjugate" in trait.flags:
        return tuple(dtype for dtype in plain if "complex" in dtype)
    if "negative" in trait.flags or own.startswith(">"):
        return tuple(dict.fromkeys((trait.dtype, *(d for d in plain if "float" in d))))
    if "requires grad" in trait.flags:
        return tuple(d for d in plain if d.removeprefix("torch.").startswith(FLOATS) and "float8" not in d)
    return tuple(plain)
