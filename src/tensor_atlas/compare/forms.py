"""Forms of documents for other tools, as types from which JSON Schemas follow: that of ``records.json``.

The text under a field is its description in the schema.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from dataclasses import is_dataclass
from functools import cache
from itertools import pairwise
from typing import Annotated, Any, TypeVar, get_args, get_type_hints

import msgspec
from msgspec import Meta, Struct, field

from tensor_atlas import __version__
from tensor_atlas.errors import AtlasError
from tensor_atlas.model.runs import DEVICE_KINDS, JSON, Status
from tensor_atlas.records.store import lay_out_json

_Part = TypeVar("_Part", bound="Part")
MOST_WORDS = 120
"""Characters of a fact that a message shows."""
DRAFT = "https://json-schema.org/draft/2020-12/schema"
UNIQUE = {"uniqueItems": True}
_ENDINGS = [str(status) for status in Status if status is not Status.NOT_RUN]

Id = Annotated[str, Meta(pattern="^torch-.+_numpy-.+", description="Id of an environment.")]
Ids = Annotated[
    tuple[Id, ...],
    Meta(
        description="Ids of environments, from the oldest torch release to the newest.",
        extra_json_schema=UNIQUE,
    ),
]
Some = Annotated[Ids, Meta(description="At least one environment.", min_length=1)]
Count = Annotated[int, Meta(ge=0)]
Line = Annotated[int, Meta(ge=1, description="Line number, from 1.")]
Date = Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$", description="Day, ISO 8601, UTC.")]
Name = Annotated[str, Meta(pattern="^[^/]+/[^/]+$", description="<chapter>/<stem>.")]
Filled = Annotated[str, Meta(min_length=1)]
Lines = tuple[str, ...]
Claim = Annotated[Lines, Meta(description="Lines it is documented to print, on the newest release.")]


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """Part of a document: each field is always there, and there are no others."""


class Generator(Part, frozen=True):
    """Program that wrote the document."""

    name: Annotated[str, Meta(extra_json_schema={"const": "tensor-atlas"})]
    version: Filled


GENERATOR = Generator("tensor-atlas", __version__)


class Document(Part, frozen=True):
    """What every document begins with."""

    form: str = field(name="$schema")
    """Name of the document's schema, which is in the same folder."""
    schema: Count
    """Version of the document's form."""
    generator: Generator


class ExportedEnvironment(Part, frozen=True):
    """An environment."""

    id: Id
    kind: Annotated[str, Meta(extra_json_schema={"enum": [*DEVICE_KINDS]})]
    """Kind of device."""
    torch: str
    """Release with the build's suffix."""
    numpy: str
    python: str
    platform: str
    """Operating system and processor."""
    cuda: str | None
    """CUDA release torch was built with."""
    device: str
    """Name of the accelerator found, or cpu."""
    device_count: Count
    """Accelerators found."""
    driver: str | None
    """Version of the accelerator's driver."""
    date: Date
    """Day of the newest run there."""
    engines: tuple[tuple[Date, str], ...]
    """Digest of the code that observed, by day; earlier days are not listed."""


class ExportedWarning(Part, frozen=True):
    category: Filled
    """Name of the class."""
    message: str


class ExportedException(Part, frozen=True):
    type: Filled
    """Name of the class."""
    message: str
    traceback: Lines
    """Empty for an exception that was caught."""
    printed: str
    """Standard output of the except clause."""


class ExportedOutcome(Part, frozen=True):
    environments: Some
    stdout: str
    """Standard output, without the last line end; blank lines alone keep it."""
    stderr: str
    """Standard error, without Python's warnings."""
    warnings: tuple[ExportedWarning, ...]
    """Python's warnings, in order."""
    caught: tuple[ExportedException, ...]
    """Exceptions that an except clause of the example caught, in order."""
    raised: ExportedException | None
    """The uncaught exception."""


class ExportedBuffer(Part, frozen=True):
    device: str
    nbytes: Count
    """Bytes."""


class ExportedValue(Part, frozen=True):
    name: Filled
    """Name or expression of the value."""
    kind: str
    """Name of its class."""
    dtype: str
    shape: tuple[int, ...]
    """Elements per axis."""
    strides: tuple[int, ...] | None
    """Bytes per axis; null if the layout has no strides."""
    device: str
    writable: bool | None
    """Null for a tensor."""
    requires_grad: bool | None
    """Null for an array."""
    buffer: Count | None
    """Index among the buffers; null without memory."""
    start: int | None
    """First byte of the elements, from the start of the buffer."""
    stop: int | None
    """One past the last byte."""
    held: bool
    """Whether it is neither a name nor one of the first items of a list, tuple or dictionary."""


class ExportedSnapshot(Part, frozen=True):
    environments: Some
    values: tuple[ExportedValue, ...]
    """Arrays and tensors, in order of definition."""
    buffers: tuple[ExportedBuffer, ...]
    """Blocks of memory that the values use."""
    shares: tuple[Annotated[tuple[str, ...], Meta(min_length=2, extra_json_schema=UNIQUE)], ...]
    """Groups of names; any two names of a group have at least one byte in common."""
    left_out: Lines
    """Expressions of lists, objects and the like that hold more values, or may do so, than are listed."""


class ExportedRun(Part, frozen=True):
    environments: Some
    status: Annotated[str, Meta(extra_json_schema={"enum": _ENDINGS})]
    reason: str
    """Class of the exception, signal or exit code."""
    reached: Count
    """Executed statements, including those after an uncaught exception, as in a notebook."""
    finished: Count
    """Blocks that ran to their end; a block in which a statement raised has no snapshot."""
    stopped: str
    """How the process stopped after an uncaught exception, or an empty text."""
    depth: Count
    """Steps from a name to a value that the snapshots go; with 1 they have no held values, since nobody
    looked for them.
    """


class NotRun(Part, frozen=True):
    environments: Some
    reason: Filled


class NotMade(Part, frozen=True):
    environments: Some
    name: Filled
    statement: Count
    """Index of the statement that raised."""


class ExportedStatement(Part, frozen=True):
    line: Line
    code: Filled
    claim: Claim
    outcomes: tuple[ExportedOutcome, ...]
    """Results of the statement, each distinct result once; an environment in none of them did not reach the
    statement.
    """
    not_made: tuple[NotMade, ...]
    """Names that were missing because an earlier statement raised."""


class ExportedBlock(Part, frozen=True):
    """The code between two lines of prose."""

    line: Line
    section: str
    """Heading above it, or an empty text."""
    statements: Annotated[tuple[ExportedStatement, ...], Meta(min_length=1)]
    snapshots: tuple[ExportedSnapshot, ...]
    """Arrays and tensors that were alive after the block, each distinct state once."""


class LateOutput(Part, frozen=True):
    claim: Claim
    outcomes: tuple[ExportedOutcome, ...]


class ExportedExample(Part, frozen=True):
    """Each environment is in exactly one of runs, not_run, stale and not_measured."""

    name: Name
    title: Filled
    summary: str
    """The paragraph under the title."""
    path: Annotated[str, Meta(pattern=r"\.py$")]
    """Path of the script in the repository."""
    page: Annotated[str, Meta(pattern=r"\.html$")]
    """Address of the page, from the document's folder."""
    tags: Lines
    """Topics and what the example needs."""
    digest: Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]
    """Digest of the code, without prose and claims."""
    runs: tuple[ExportedRun, ...]
    """How the runs of this code ended, each distinct end once."""
    not_run: tuple[NotRun, ...]
    """Environments that lack something that the example needs, each reason once."""
    stale: Ids
    """Environments that ran an older version of the code; their results are left out."""
    not_measured: Ids
    """Environments without a run."""
    dates: dict[Id, Date]
    """For the id of each environment, the day on which this result was first recorded."""
    blocks: tuple[ExportedBlock, ...]
    """In order."""
    late: LateOutput
    """Output after the last statement, from threads and exit handlers; an environment in none of the
    outcomes wrote nothing, or was recorded before this was observed.
    """


class ExportedTarget(Part, frozen=True):
    example: str
    """<chapter>/<stem>, in which * stands for anything."""
    statement: str
    """A line of the statement; * for every statement."""


class ExportedDeviation(Part, frozen=True):
    targets: Annotated[tuple[ExportedTarget, ...], Meta(min_length=1)]
    """Statements that it explains."""
    environments: Lines
    """Conditions, any of which may hold."""
    reason: Filled
    link: str | None
    """Where the reason is documented."""
    output: Lines | None
    """Lines that are printed there, if only these are explained."""
    ends: str | None
    """The text with which the run ends there, or its beginning."""
    line: Line
    """Line of its entry in docs/deviations.toml."""
    holds_in: Ids
    """Recorded environments in which a condition holds."""


class ExportedRecords(Document, frozen=True):
    """The result of every example in every recorded environment."""

    environments: tuple[ExportedEnvironment, ...]
    """Every recorded environment, from the oldest torch release to the newest."""
    examples: tuple[ExportedExample, ...]
    """Every example of the gallery, by name."""
    deviations: tuple[ExportedDeviation, ...]
    """Reviewed exceptions from the claims, each with its reason."""


# --- documents and schemas -----------------------------------------------------------------------


def take_fields(part: type[_Part], fact: object, **others: object) -> _Part:
    """Part of a document with the fields of a fact, but for ``others``; AtlasError for what none can hold."""
    kinds = _read_kinds(part)
    taken: dict[str, Any] = {}
    try:
        for name in (name for name in part.__struct_fields__ if name not in others):
            taken[name] = msgspec.convert(getattr(fact, name), kinds[name], from_attributes=True)
    except msgspec.ValidationError as error:  # of a record under a seal that somebody made
        problem = f"{str(fact)[:MOST_WORDS]} has a {name} that no document holds: {error}"
        raise AtlasError(
            "docs/records", problem, "restore it from version control, or record again"
        ) from None
    return part(**taken, **others)


@cache
def _read_kinds(part: type) -> dict[str, Any]:
    return get_type_hints(part, include_extras=True)


def encode_part(part: Part) -> dict[str, JSON]:
    """JSON object of a part of a document."""
    encoded: dict[str, JSON] = msgspec.json.decode(msgspec.json.encode(part))
    return encoded


def render_document(document: JSON, depth: int | None = None) -> str:
    """Text of a document; with a ``depth``, what lies deeper stays on one line."""
    return lay_out_json(document, depth)


def build_schema(document: type[Document], name: str, title: str, version: int) -> dict[str, JSON]:
    """JSON Schema of a document, of draft 2020-12; ``name`` is that of its file."""
    _, components = msgspec.json.schema_components([document], ref_template="#/$defs/{name}")
    for part in _find_parts(document):
        component = components[part.__name__]
        properties = component["properties"]
        component |= {"required": list(properties), "additionalProperties": False}
        component.pop("title")
        for each in properties.values():
            each.pop("default", None)
        for key, text in _read_descriptions(part):
            properties[key]["description"] = text.replace("None", "null")
    head = components.pop(document.__name__)
    head["properties"]["$schema"]["const"] = name
    head["properties"]["schema"]["const"] = version
    head["description"] = f"{document.__doc__} Version {version}."
    return {"$schema": DRAFT, "$id": name, "title": title, **head, "$defs": components}


def _find_parts(kind: object) -> set[type]:
    """Structs and dataclasses in a type, at any depth."""
    inside = list(get_args(kind))
    parts: set[type] = set()
    if inspect.isclass(kind) and (issubclass(kind, Struct) or is_dataclass(kind)):
        parts.add(kind)
        inside = list(_read_kinds(kind).values())
    return parts.union(*map(_find_parts, inside))


def _read_descriptions(part: type) -> Iterator[tuple[str, str]]:
    """Keys of a part with the texts under its fields."""
    names = msgspec.structs.fields(part) if issubclass(part, Struct) else ()
    keys = {each.name: each.encode_name for each in names}
    own = [base for base in part.__mro__ if base.__module__.startswith("tensor_atlas.")]
    for base in own:
        (node,) = ast.parse(inspect.getsource(base)).body
        assert isinstance(node, ast.ClassDef)
        for one, other in pairwise(node.body):
            if isinstance(one, ast.AnnAssign) and isinstance(other, ast.Expr):
                name = ast.unparse(one.target)
                yield keys.get(name, name), inspect.cleandoc(ast.literal_eval(other.value)).replace("\n", " ")
