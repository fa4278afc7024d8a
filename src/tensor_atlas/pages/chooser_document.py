"""The document of what the chooser knows, for programs, and its JSON Schema."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tensor_atlas.catalogue import SOURCES, Conversion, Source
from tensor_atlas.compare.forms import (
    GENERATOR,
    Count,
    Document,
    ExportedEnvironment,
    Filled,
    Part,
    build_schema,
    encode_part,
    take_fields,
)
from tensor_atlas.history.patterns import OutcomeTable, Patterns
from tensor_atlas.matrix.chooser import SCOPE, CellSummary, ChooserTable
from tensor_atlas.model.runs import JSON
from tensor_atlas.pages.matrix_places import locate_conversion

CHOOSER_FILE, CHOOSER_FORM = "chooser.json", "chooser.schema.json"
"""What the chooser knows, for programs, and its JSON Schema."""
SCHEMA = 2
"""Version of its form; a change that breaks its readers makes it greater."""
MatrixId = Annotated[
    str, Meta(pattern="^[a-z0-9-]+$", description="Stable name of a source or a conversion, and of its page.")
]


class ExportedSource(Part, frozen=True):
    id: MatrixId
    title: str
    code: Filled
    """Lines that make x."""
    form: str
    """What it is: an array, a tensor, a sequence."""
    dtype: str
    layout: str
    device: str
    flags: tuple[str, ...]
    page: Annotated[str, Meta(pattern=r"^matrix/source/.+\.html$")]
    """Address of its page, from the document's folder."""


class ExportedConversion(Part, frozen=True):
    id: MatrixId
    title: str
    """The expression, as people write it."""
    code: Filled
    """Lines that make y from x."""
    group: str
    """What it is for."""
    family: str
    """Function, method or operator that it uses."""
    page: Annotated[str, Meta(pattern=r"^matrix/(conversion/.+\.html|index\.html#.+)$")]
    """Address of its page, from the document's folder; of its row where it has none of its own."""


class ChooserData(Document, frozen=True):
    """The result of every conversion for every source, in every recorded environment."""

    environments: tuple[ExportedEnvironment, ...]
    """Environments that ran conversions: the one that the chooser shows at first, then the others, newest
    first.
    """
    sources: tuple[ExportedSource, ...]
    """The inputs to convert."""
    conversions: tuple[ExportedConversion, ...]
    """The calls that convert them."""
    answers: tuple[CellSummary, ...]
    """Results of conversions, each distinct result once."""
    patterns: tuple[str, ...]
    """Distinct texts with a character for each environment: of the code 48 plus the place of an answer in the
    mapping, or a blank if the conversion was not tried there.
    """
    mappings: tuple[Annotated[tuple[Count, ...], Meta(min_length=2)], ...]
    """Distinct lists: the number of a pattern, then those of the answers to which its characters lead."""
    cells: dict[MatrixId, dict[MatrixId, Count]]
    """By id of a conversion, then by id of a source, the number of a mapping."""


def build_chooser_schema() -> dict[str, JSON]:
    """JSON Schema of what the chooser knows."""
    return build_schema(ChooserData, CHOOSER_FORM, "The chooser's data of Tensor Atlas", SCHEMA)


def build_chooser(table: ChooserTable) -> dict[str, JSON]:
    """Every cell as the number of a mapping: a pattern over the environments, and the answers it leads to."""
    patterns = Patterns(table.environments)
    outcomes = OutcomeTable(patterns, range(len(table.summaries)))
    cells: dict[str, dict[str, int]] = {}
    for conversion in SCOPE:
        for source in SOURCES:
            if places := table.read_places(conversion.name, source.name):
                cells.setdefault(conversion.name, {})[source.name] = outcomes.number(places)
    met = {source for row in cells.values() for source in row}
    data = ChooserData(
        form=CHOOSER_FORM,
        schema=SCHEMA,
        generator=GENERATOR,
        environments=tuple(take_fields(ExportedEnvironment, each) for each in table.environments),
        sources=tuple(_export_source(source) for source in SOURCES if source.name in met),
        conversions=tuple(_export_conversion(one) for one in SCOPE if one.name in cells),
        answers=table.summaries,
        patterns=patterns.list_patterns(),
        mappings=outcomes.list_mappings(),
        cells=cells,
    )
    return encode_part(data)


def _export_source(source: Source) -> ExportedSource:
    name = source.name
    return take_fields(ExportedSource, source, id=name, page=f"matrix/source/{name}.html")


def _export_conversion(conversion: Conversion) -> ExportedConversion:
    page, place = locate_conversion(conversion)
    address = f"{page}.html#{place}" if place else f"{page}.html"
    return take_fields(ExportedConversion, conversion, id=conversion.name, page=address)
