"""The frozen dataclasses of what was observed, and their JSON form; no files, no torch."""

from __future__ import annotations

import math
import operator
import sys
from dataclasses import dataclass
from enum import StrEnum
from reprlib import repr as short
from typing import ClassVar, TypeAlias

JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"

SCHEMA = 1
"""Version of every JSON file written here; a reader refuses a newer one."""


class FormError(ValueError):
    """A JSON document does not have the form of a record or capture."""


class Status(StrEnum):
    """How the run of one example ended."""

    COMPLETED = "completed"
    RAISED = "raised"
    EXITED = "exited"
    CRASHED = "crashed"
    TIMED_OUT = "timed out"
    NOT_RUN = "not run"


class _Told:
    """What a process tells: thousands are kept, so each travels as a call with its fields and has no room for more."""

    __slots__: tuple[str, ...] = ()
    _fields: ClassVar[operator.attrgetter[tuple[object, ...]]]
    """Gives all of them, of which each kind has two at least."""

    def __init_subclass__(cls) -> None:
        if cls.__slots__:  # a dataclass is made a second time, with them
            cls._fields = operator.attrgetter(*cls.__slots__)

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), self._fields(self)


@dataclass(frozen=True, slots=True)
class Warned(_Told):
    """One warning, as Python's ``warnings`` module saw it."""

    category: str
    """Class name, such as ``UserWarning``."""
    message: str
    """Normalised text, possibly of several lines."""


@dataclass(frozen=True, slots=True)
class Raised(_Told):
    """One exception."""

    type: str
    """Class name, such as ``TypeError``."""
    message: str
    """Normalised ``str(exception)``."""
    traceback: tuple[str, ...] = ()
    """Normalised lines from the example's own frame on; empty for an exception that was caught."""
    printed: str = ""
    """What the ``except`` clause that caught it wrote to standard output."""


@dataclass(frozen=True, slots=True)
class Observation(_Told):
    """What executing one statement did."""

    code: str
    """Source text of the statement."""
    stdout: str = ""
    """Text written to file descriptor 1, by Python or by anything else, without the last newline."""
    stderr: str = ""
    """Text written to file descriptor 2 that is not a Python warning."""
    warnings: tuple[Warned, ...] = ()
    """Warnings, in order."""
    caught: tuple[Raised, ...] = ()
    """Exceptions that an ``except`` clause of the example caught, in order."""
    raised: Raised | None = None
    """The exception nobody caught."""


@dataclass(frozen=True, slots=True)
class Value(_Told):
    """One array or tensor alive after a block."""

    name: str
    """Expression that reaches it, such as ``tensor`` or ``batch[0]``."""
    kind: str
    """Class name, such as ``ndarray`` or ``Tensor``."""
    dtype: str
    """NumPy's or torch's name of the element type."""
    shape: tuple[int, ...]
    """Elements per axis."""
    strides: tuple[int, ...] | None
    """Bytes between neighbours per axis; None where the layout has no strides."""
    device: str
    """``cpu``, ``cuda:0``, …; an array is always on ``cpu``."""
    writable: bool | None
    """NumPy's ``writeable`` flag; None for a tensor, which has none."""
    requires_grad: bool | None
    """Whether autograd records it; None for an array."""
    buffer: int | None
    """Index into the snapshot's buffers; None without memory of its own or others'."""
    start: int | None
    """First byte of its elements, counted from the start of the buffer."""
    stop: int | None
    """One past the last byte of its elements."""


@dataclass(frozen=True, slots=True)
class Buffer(_Told):
    """One run of memory that live values own or see."""

    device: str
    """Where it is."""
    nbytes: int
    """Its length in bytes, as far as any live value shows it."""


@dataclass(frozen=True, slots=True)
class Snapshot(_Told):
    """The arrays and tensors alive after a block."""

    values: tuple[Value, ...] = ()
    """In order of definition."""
    buffers: tuple[Buffer, ...] = ()
    """In order of first use by a value."""
    shares: tuple[tuple[str, ...], ...] = ()
    """Groups of names of which every two have at least one byte in common."""


@dataclass(frozen=True)
class Run:
    """What one example did in one environment."""

    example: str
    """``<chapter>/<stem>``."""
    digest: str
    """Digest of the example's code when it ran."""
    status: Status
    """How it ended."""
    reason: str = ""
    """Why it ended so, where that is not plain: the signal, the exit code, what is missing."""
    observations: tuple[Observation, ...] = ()
    """One per statement reached, in order."""
    snapshots: tuple[Snapshot, ...] = ()
    """One per block completed, in order."""


@dataclass(frozen=True)
class Environment:
    """The machine and the releases that an observation belongs to."""

    torch: str
    """Release with build suffix, such as ``2.13.0+cpu``."""
    numpy: str
    """Release."""
    python: str
    """Release, such as ``3.11.7``."""
    platform: str
    """Operating system and processor, such as ``linux-x86_64``."""
    cuda: str | None
    """CUDA release torch was built with; None for a build without CUDA."""
    device: str
    """Name of the accelerator found, or ``cpu``."""
    device_count: int
    """How many accelerators were found."""
    driver: str | None
    """Version of the accelerator's driver, where it is known."""
    date: str
    """Day of the observation, ISO 8601, UTC."""

    def __hash__(self) -> int:
        # Pages ask what happened in an environment a million times: what tells most of them apart is enough.
        return hash((self.torch, self.numpy, self.device))

    @property
    def id(self) -> str:
        """Name for files and records; the same for two machines that differ in nothing but the date."""
        minor = ".".join(self.python.split(".")[:2])
        device = self.device.lower().replace(" ", "-")
        return f"torch-{self.torch}_numpy-{self.numpy}_python-{minor}_{self.platform}_{device}"

    @property
    def kind(self) -> str:
        """Kind of device: ``cpu``, ``cuda`` or ``mps``."""
        if self.device in ("cpu", "mps"):
            return self.device
        return "cuda"


# --- to JSON -----------------------------------------------------------------------------------


def _pruned(document: dict[str, JSON]) -> dict[str, JSON]:
    """Document without the fields that hold nothing, so that records stay readable."""
    return {key: value for key, value in document.items() if value not in (None, "", [], {})}


def raised_to_json(raised: Raised) -> dict[str, JSON]:
    return _pruned(
        {
            "type": raised.type,
            "message": raised.message,
            "printed": raised.printed,
            "traceback": list(raised.traceback),
        }
    )


def observation_to_json(observation: Observation) -> dict[str, JSON]:
    """Fields that say something; ``code`` is kept apart by whoever folds."""
    return _pruned(
        {
            "stdout": observation.stdout,
            "stderr": observation.stderr,
            "warnings": [{"category": w.category, "message": w.message} for w in observation.warnings],
            "caught": [raised_to_json(caught) for caught in observation.caught],
            "raised": None if observation.raised is None else raised_to_json(observation.raised),
        }
    )


def value_to_json(value: Value) -> dict[str, JSON]:
    document: dict[str, JSON] = {
        "name": value.name,
        "kind": value.kind,
        "dtype": value.dtype,
        "shape": list(value.shape),
        "strides": None if value.strides is None else list(value.strides),
        "device": value.device,
        "writable": value.writable,
        "requires_grad": value.requires_grad,
        "buffer": value.buffer,
        "start": value.start,
        "stop": value.stop,
    }
    # Only None says nothing here: an empty shape is a fact.
    return {key: field for key, field in document.items() if field is not None}


def snapshot_to_json(snapshot: Snapshot) -> dict[str, JSON]:
    return _pruned(
        {
            "values": [value_to_json(value) for value in snapshot.values],
            "buffers": [{"device": buffer.device, "nbytes": buffer.nbytes} for buffer in snapshot.buffers],
            "shares": [list(group) for group in snapshot.shares],
        }
    )


def run_to_json(run: Run) -> dict[str, JSON]:
    return {
        "example": run.example,
        "digest": run.digest,
        "status": str(run.status),
        "reason": run.reason,
        "observations": [{"code": o.code, **observation_to_json(o)} for o in run.observations],
        "snapshots": [snapshot_to_json(snapshot) for snapshot in run.snapshots],
    }


def environment_to_json(environment: Environment) -> dict[str, JSON]:
    return {
        "torch": environment.torch,
        "numpy": environment.numpy,
        "python": environment.python,
        "platform": environment.platform,
        "cuda": environment.cuda,
        "device": environment.device,
        "device_count": environment.device_count,
        "driver": environment.driver,
        "date": environment.date,
    }


# --- from JSON ---------------------------------------------------------------------------------


class Fields:
    """Typed access to one JSON object; every failure is a FormError that names the field."""

    def __init__(self, document: JSON, where: str) -> None:
        if not isinstance(document, dict):
            raise FormError(f"{where}: expected an object, found {type(document).__name__}")
        self._document = document
        self._where = where

    def text(self, key: str, default: str | None = None) -> str:
        value = self._document.get(key, default)
        if not isinstance(value, str):
            raise FormError(f"{self._where}.{key}: expected text, found {short(value)}")
        return value

    def optional_text(self, key: str) -> str | None:
        return None if self._document.get(key) is None else self.text(key)

    def integer(self, key: str) -> int:
        value = self._document.get(key)
        if not isinstance(value, int) or isinstance(value, bool):
            raise FormError(f"{self._where}.{key}: expected an integer, found {short(value)}")
        return value

    def optional_integer(self, key: str) -> int | None:
        return None if self._document.get(key) is None else self.integer(key)

    def optional_flag(self, key: str) -> bool | None:
        value = self._document.get(key)
        if value is not None and not isinstance(value, bool):
            raise FormError(f"{self._where}.{key}: expected true or false, found {short(value)}")
        return value

    def items(self, key: str) -> list[JSON]:
        value = self._document.get(key, [])
        if not isinstance(value, list):
            raise FormError(f"{self._where}.{key}: expected a list, found {short(value)}")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        return tuple(_text(item, f"{self._where}.{key}") for item in self.items(key))

    def integers(self, key: str) -> tuple[int, ...]:
        return tuple(_integer(item, f"{self._where}.{key}") for item in self.items(key))

    def objects(self, key: str) -> list[Fields]:
        where = f"{self._where}.{key}"
        return [Fields(item, f"{where}[{index}]") for index, item in enumerate(self.items(key))]

    def object(self, key: str) -> Fields:
        return Fields(self._document.get(key), f"{self._where}.{key}")

    def optional_object(self, key: str) -> Fields | None:
        return None if self._document.get(key) is None else self.object(key)

    def names(self) -> list[str]:
        return list(self._document)

    def is_integer(self, key: str) -> bool:
        return type(self._document.get(key)) is int

    def has(self, key: str) -> bool:
        return key in self._document

    def number(self, key: str) -> float:
        value = self._document.get(key)
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            raise FormError(f"{self._where}.{key}: expected a number, found {short(value)}")
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise FormError(f"{self._where}.{key}: expected a number that is finite")
        return number


def _text(item: JSON, where: str) -> str:
    if not isinstance(item, str):
        raise FormError(f"{where}: expected text, found {short(item)}")
    return item


def _integer(item: JSON, where: str) -> int:
    if not isinstance(item, int) or isinstance(item, bool):
        raise FormError(f"{where}: expected an integer, found {short(item)}")
    return item


def check_schema(document: JSON) -> Fields:
    """Top-level fields of a document this release can read; FormError on a newer or missing schema."""
    fields = Fields(document, "document")
    schema = fields.integer("schema")
    if schema < 1:
        raise FormError(f"there is no schema {short(schema)}")
    if schema > SCHEMA:
        raise FormError(f"written with schema {schema}, newer than {SCHEMA}: update tensor-atlas to read it")
    return fields


def raised_from_json(fields: Fields) -> Raised:
    return Raised(
        type=fields.text("type"),
        message=fields.text("message", ""),
        printed=fields.text("printed", ""),
        traceback=fields.texts("traceback"),
    )


def observation_from_json(fields: Fields, code: str) -> Observation:
    raised = fields.optional_object("raised")
    return Observation(
        code=code,
        stdout=fields.text("stdout", ""),
        stderr=fields.text("stderr", ""),
        warnings=tuple(Warned(w.text("category"), w.text("message", "")) for w in fields.objects("warnings")),
        caught=tuple(raised_from_json(caught) for caught in fields.objects("caught")),
        raised=None if raised is None else raised_from_json(raised),
    )


def value_from_json(fields: Fields) -> Value:
    return Value(
        name=fields.text("name"),
        kind=fields.text("kind"),
        dtype=fields.text("dtype"),
        shape=fields.integers("shape"),
        strides=fields.integers("strides") if fields.has("strides") else None,
        device=fields.text("device"),
        writable=fields.optional_flag("writable"),
        requires_grad=fields.optional_flag("requires_grad"),
        buffer=fields.optional_integer("buffer"),
        start=fields.optional_integer("start"),
        stop=fields.optional_integer("stop"),
    )


def snapshot_from_json(fields: Fields) -> Snapshot:
    values = tuple(value_from_json(value) for value in fields.objects("values"))
    for value in values:
        _check_place(value, len(fields.items("buffers")))
    return Snapshot(
        values=values,
        buffers=tuple(Buffer(b.text("device"), b.integer("nbytes")) for b in fields.objects("buffers")),
        shares=tuple(
            tuple(_text(name, "shares") for name in _list(group)) for group in fields.items("shares")
        ),
    )


def _check_place(value: Value, buffers: int) -> None:
    """FormError where a value has elements in no buffer, or strides for other axes than it has."""
    fits = value.strides is None or len(value.strides) == len(value.shape)
    has_ends = value.start is not None and value.stop is not None and 0 <= value.start <= value.stop
    if not fits or (value.buffer is not None and not (has_ends and 0 <= value.buffer < buffers)):
        raise FormError(f"value {value.name}: its elements have no place in a buffer")


def _list(item: JSON) -> list[JSON]:
    if not isinstance(item, list):
        raise FormError(f"expected a list, found {short(item)}")
    return item


def status_from_text(text: str) -> Status:
    try:
        return Status(text)
    except ValueError:
        raise FormError(f"unknown status {short(text)}; known: {', '.join(Status)}") from None


def run_from_json(fields: Fields) -> Run:
    return Run(
        example=fields.text("example"),
        digest=fields.text("digest"),
        status=status_from_text(fields.text("status")),
        reason=fields.text("reason", ""),
        observations=tuple(
            observation_from_json(o, sys.intern(o.text("code"))) for o in fields.objects("observations")
        ),
        snapshots=tuple(snapshot_from_json(snapshot) for snapshot in fields.objects("snapshots")),
    )


def environment_from_json(fields: Fields) -> Environment:
    return Environment(
        torch=fields.text("torch"),
        numpy=fields.text("numpy"),
        python=fields.text("python"),
        platform=fields.text("platform"),
        cuda=fields.optional_text("cuda"),
        device=fields.text("device"),
        device_count=fields.integer("device_count"),
        driver=fields.optional_text("driver"),
        date=fields.text("date"),
    )


_CONTROL = {code: f"\\x{code:02x}" for code in (*range(9), *range(11, 32), 127)}
"""Escapes of the control characters that a line of a script cannot hold, or not visibly."""


def output_lines(observation: Observation) -> tuple[str, ...]:
    """Lines a claim must consist of: stdout, then warnings as ``Category: message``, then ``stderr: …``.

    A warning is one line whatever its message holds, so that stdout and warnings stay apart. Control characters are
    spelled out: a carriage return in a claim would end its line.
    """
    stdout = observation.stdout.split("\n") if observation.stdout else []
    warned = [f"{w.category}: {' '.join(w.message.split())}" for w in observation.warnings]
    stderr = [f"stderr: {line}" for line in observation.stderr.split("\n")] if observation.stderr else []
    return tuple(line.translate(_CONTROL).rstrip() for line in (*stdout, *warned, *stderr))
