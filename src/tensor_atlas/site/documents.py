"""Documents for programs: the error index, what the chooser knows, and their JSON Schemas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tensor_atlas import __version__
from tensor_atlas.catalogue import SOURCES, Conversion, Source
from tensor_atlas.compare.evidence import Evidence
from tensor_atlas.compare.export import encode_environment
from tensor_atlas.files import replace_if_changed
from tensor_atlas.history.releases import age_key
from tensor_atlas.matrix.chooser import SCOPE, CellSummary, ChooserTable
from tensor_atlas.model.runs import JSON, Environment, encode_json
from tensor_atlas.records.store import lay_out_json
from tensor_atlas.site.conversion_chooser import table_of
from tensor_atlas.site.error_index import Message, Sighting, collect_messages, describe_releases
from tensor_atlas.site.execution import GALLERY, evidence_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ERRORS, ERRORS_FORM = "errors.json", "errors.schema.json"
"""The error index for programs, and its JSON Schema."""
CHOOSER, CHOOSER_FORM = "chooser.json", "chooser.schema.json"
"""What the chooser knows, for programs, and its JSON Schema."""
GENERATOR: JSON = {"name": "tensor-atlas", "version": __version__}
SCHEMA = 1
"""Version of both forms; a change that breaks their readers makes it greater."""


def write(app: Sphinx, exception: Exception | None) -> None:
    """Handler of ``build-finished``: both documents with their forms."""
    if exception is not None or app.builder.name != "html":
        return
    evidence = evidence_of(app)
    texts = {ERRORS: lay_out_json(build_errors(evidence))}
    if evidence.store.rows:
        texts[CHOOSER] = lay_out_json(build_chooser(table_of(app)), 2)
    for form in (ERRORS_FORM, CHOOSER_FORM):
        texts[form] = Path(__file__).with_name(form).read_text(encoding="utf-8")
    for name, text in texts.items():
        replace_if_changed(Path(app.outdir, name), text)


# --- the error index -----------------------------------------------------------------------------


def build_errors(evidence: Evidence) -> dict[str, JSON]:
    """The error index as one document; each message stands before what other releases say instead."""
    messages: dict[str, Message] = {}
    instead: dict[str, list[str]] = {}
    for message in collect_messages(evidence):
        messages[message.slug] = message
        for other in message.elsewhere:
            messages.setdefault(other.slug, other)
            instead.setdefault(other.slug, []).append(message.slug)
    return {
        "$schema": ERRORS_FORM,
        "schema": SCHEMA,
        "generator": GENERATOR,
        "environments": [encode_environment(e) for e in _list_environments(messages.values())],
        "errors": [_encode_message(message, instead.get(name, [])) for name, message in messages.items()],
    }


def _list_environments(messages: Iterable[Message]) -> list[Environment]:
    """Environments that ran what the messages come from, each once, the oldest first."""
    found = {e.id: e for message in messages for e in (*message.environments, *message.others)}
    return sorted(found.values(), key=age_key)


def _encode_message(message: Message, newer: Sequence[str]) -> dict[str, JSON]:
    """A message; ``newer`` are the ids of what the shown release says in its place."""
    return {
        "id": message.slug,
        "class": message.type,
        "message": message.text,
        "kind": "warning" if message.is_warning else "error",
        "confirmed": message.confirmed,
        "rung": message.rung,
        "current": message.current,
        "instead": list(newer),
        "pages": [_encode_page(sighting) for sighting in message.sightings],
        "fixes": [f"{GALLERY}/{sighting.shown.example.name}.html#the-fix" for sighting in message.fixes],
        "condition": describe_releases(message) if message.others else "",
        "environments": [environment.id for environment in message.environments],
        "without": [environment.id for environment in message.others],
    }


def _encode_page(sighting: Sighting) -> dict[str, JSON]:
    """Where a message was met: the example's title, the page with the block, and the statement."""
    example = sighting.shown.example
    return {
        "title": example.title,
        "page": f"{GALLERY}/{example.name}.html#block-{sighting.place.block_index + 1}",
        "code": example.statements[sighting.place.statement_index].code,
    }


# --- what the chooser knows ------------------------------------------------------------------------


_Pattern = tuple[int | None, ...]
"""For each environment the number of an answer; None where it has not tried."""


def build_chooser(table: ChooserTable) -> dict[str, JSON]:
    """Every cell as the number of a pattern: for each environment the number of an answer, or null."""
    patterns: dict[_Pattern, int] = {}
    cells: dict[str, dict[str, int]] = {}
    for conversion, source, pattern in _list_patterns(table):
        cells.setdefault(conversion, {})[source] = patterns.setdefault(pattern, len(patterns))
    met = {source for row in cells.values() for source in row}
    return {
        "$schema": CHOOSER_FORM,
        "schema": SCHEMA,
        "generator": GENERATOR,
        "environments": [encode_environment(environment) for environment in table.environments],
        "sources": [_encode_source(source) for source in SOURCES if source.name in met],
        "conversions": [_encode_conversion(conversion) for conversion in SCOPE if conversion.name in cells],
        "answers": [_encode_answer(summary) for summary in table.summaries],
        "patterns": [list(pattern) for pattern in patterns],
        "cells": {conversion: dict(row) for conversion, row in cells.items()},
    }


def _list_patterns(table: ChooserTable) -> Iterator[tuple[str, str, _Pattern]]:
    """Cells that anybody tried, by conversion and source, with the answer of each environment."""
    for conversion in SCOPE:
        rows = [table.cells[each.id].get(conversion.name, {}) for each in table.environments]
        for source in SOURCES:
            pattern = tuple(row.get(source.name) for row in rows)
            if pattern.count(None) < len(pattern):
                yield conversion.name, source.name, pattern


def _encode_source(source: Source) -> dict[str, JSON]:
    return {
        "id": source.name,
        "title": source.title,
        "code": source.code,
        "form": str(source.form),
        "dtype": source.dtype,
        "layout": source.layout,
        "device": source.device,
        "flags": [str(flag) for flag in source.flags],
        "page": f"matrix/source/{source.name}.html",
    }


def _encode_conversion(conversion: Conversion) -> dict[str, JSON]:
    return {
        "id": conversion.name,
        "title": conversion.title,
        "code": conversion.code,
        "group": str(conversion.group),
        "family": conversion.family,
        "page": f"matrix/conversion/{conversion.name}.html",
    }


def _encode_answer(summary: CellSummary) -> dict[str, JSON]:
    """Every field of a summary, so that a reader need not guess what a missing one means."""
    kind = None if summary.kind is None else str(summary.kind)
    fields = {field: encode_json(value) for field, value in vars(summary).items()}
    return {**fields, "kind": kind}
