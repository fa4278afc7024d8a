"""The error index as a document for programs: each message, its pages, its fixes, who has shown it; pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

from msgspec import Meta, field

from tensor_atlas.compare.forms import (
    GENERATOR,
    UNIQUE,
    Document,
    ExportedEnvironment,
    Filled,
    Ids,
    Part,
    build_schema,
    encode_part,
    take_fields,
)
from tensor_atlas.compare.rungs import Rung
from tensor_atlas.history.releases import age_key
from tensor_atlas.model.runs import JSON, Environment
from tensor_atlas.pages import GALLERY
from tensor_atlas.pages.error_messages import Message, Sighting, describe_conditions

ERRORS_FILE, ERRORS_FORM = "errors.json", "errors.schema.json"
"""The document, and its JSON Schema."""
SCHEMA = 1
"""Version of the form; a change that breaks its readers makes it greater."""

PagePart = Annotated[str, Meta(pattern=r"^[^#]+\.html#.+$", description="Address of a part of a page.")]
MessageId = Annotated[str, Meta(pattern="^[a-z0-9-]*-[0-9a-f]{6}$")]
MessageIds = Annotated[tuple[MessageId, ...], Meta(extra_json_schema=UNIQUE)]


class ErrorPage(Part, frozen=True):
    title: Filled
    """Title of the example."""
    page: PagePart
    code: Filled
    """The statement."""


class ExportedError(Part, frozen=True):
    id: MessageId
    """Id of a message, which stays the same as long as its class and wording do; its anchor in
    reference/errors.html is m- and the id.
    """
    type: str = field(name="class")
    """Class of the exception or category of the warning; empty if no run has shown it."""
    message: str
    """Its whole text."""
    kind: Annotated[str, Meta(extra_json_schema={"enum": ["error", "warning"]})]
    confirmed: bool
    """Whether a run has shown it; if not, an example expects it."""
    rung: Rung
    """Best evidence for it: a run, a run on another accelerator, the text in a release's files, a public
    thread, or the example's author.
    """
    current: bool
    """Whether the newest release gives it."""
    instead: MessageIds
    """Messages that the newest release gives instead."""
    pages: Annotated[tuple[ErrorPage, ...], Meta(min_length=1)]
    """Statements that gave it; those on pages about it come first."""
    fixes: Annotated[tuple[PagePart, ...], Meta(extra_json_schema=UNIQUE)]
    """Parts of pages that show the fix."""
    condition: str
    """Releases that give it, in words, such as torch < 2.3; empty if every environment that ran the code
    gives it.
    """
    environments: Ids
    """Environments that gave it."""
    without: Ids
    """Environments that ran the same code without it."""


class ErrorsData(Document, frozen=True):
    """Every error and warning of the examples, on every recorded release."""

    environments: tuple[ExportedEnvironment, ...]
    """Environments that ran the examples, from the oldest torch release to the newest."""
    errors: tuple[ExportedError, ...]
    """Messages by class and text, each followed by the messages of other releases for the same case."""


def build_errors(collected: Iterable[Message]) -> dict[str, JSON]:
    """All messages; each stands before what other releases say instead."""
    messages: dict[str, Message] = {}
    instead: dict[str, list[str]] = {}
    for message in collected:
        messages[message.slug] = message
        for other in message.elsewhere:
            messages.setdefault(other.slug, other)
            instead.setdefault(other.slug, []).append(message.slug)
    index = ErrorsData(
        form=ERRORS_FORM,
        schema=SCHEMA,
        generator=GENERATOR,
        environments=tuple(
            take_fields(ExportedEnvironment, e) for e in _list_environments(messages.values())
        ),
        errors=tuple(_export_message(one, instead.get(name, [])) for name, one in messages.items()),
    )
    return encode_part(index)


def build_errors_schema() -> dict[str, JSON]:
    """JSON Schema of the document."""
    return build_schema(ErrorsData, ERRORS_FORM, "Error index of Tensor Atlas", SCHEMA)


def _list_environments(messages: Iterable[Message]) -> list[Environment]:
    """Environments that ran what the messages come from, each once, the oldest first."""
    found = {e.id: e for message in messages for e in (*message.environments, *message.others)}
    return sorted(found.values(), key=age_key)


def _export_message(message: Message, newer: Sequence[str]) -> ExportedError:
    """A message; ``newer`` are the ids of what the shown release says in its place."""
    return ExportedError(
        id=message.slug,
        type=message.type,
        message=message.text,
        kind="warning" if message.is_warning else "error",
        confirmed=message.confirmed,
        rung=message.rung,
        current=message.current,
        instead=tuple(newer),
        pages=tuple(map(_export_page, message.sightings)),
        fixes=tuple(f"{GALLERY}/{sighting.evidence.example.name}.html#the-fix" for sighting in message.fixes),
        condition=describe_conditions(message.environments, message.others),
        environments=tuple(environment.id for environment in message.environments),
        without=tuple(environment.id for environment in message.others),
    )


def _export_page(sighting: Sighting) -> ErrorPage:
    """Where a message was met: the example's title, the page with the block, and the statement."""
    example = sighting.evidence.example
    return ErrorPage(
        title=example.title,
        page=f"{GALLERY}/{example.name}.html#block-{sighting.location.block_index + 1}",
        code=example.statements[sighting.location.statement_index].code,
    )
