"""The error index as a document for programs: each message, its pages, its fixes, who has shown it; pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tensor_atlas import __version__
from tensor_atlas.compare.export import encode_environment
from tensor_atlas.history.releases import age_key
from tensor_atlas.model.runs import JSON, Environment
from tensor_atlas.pages import GALLERY
from tensor_atlas.pages.error_messages import Message, Sighting, describe_conditions

ERRORS, ERRORS_FORM = "errors.json", "errors.schema.json"
"""The document, and its JSON Schema."""
GENERATOR: JSON = {"name": "tensor-atlas", "version": __version__}
SCHEMA = 1
"""Version of the form; a change that breaks its readers makes it greater."""


def build_errors(collected: Iterable[Message]) -> dict[str, JSON]:
    """All messages; each stands before what other releases say instead."""
    messages: dict[str, Message] = {}
    instead: dict[str, list[str]] = {}
    for message in collected:
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
        "condition": describe_conditions(message.environments, message.others),
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
