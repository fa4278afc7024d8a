"""Calls that are recommended, as ``docs/preferences.toml`` names them, each with the cells that prove it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from tensor_atlas.catalogue import CONVERSIONS, SOURCES, Form
from tensor_atlas.errors import AtlasError
from tensor_atlas.matrix.chooser import SCOPE, ResultKind
from tensor_atlas.matrix.traits import list_facets

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
    copies: Annotated[int, Meta(ge=0)] = 0
    gives: str = ""
    device: str = "cpu"
    only: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    strict: bool = False


def read_preference(entry: PreferenceEntry, where: str) -> Preference:
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
    names: list[str] = []
    for word in words:
        alike = [source.name for source in SOURCES if source.form is form and word in list_facets(source)]
        if not alike:
            raise AtlasError(
                f"{where}: no {form} is {word}\n    name a dtype, layout, device, flag or source"
            )
        names += alike
    return tuple(dict.fromkeys(names))
