"""The frozen dataclasses of what was observed in a run, and their JSON form; standard library alone; pure.

``tensor_atlas.records.decode`` reads the form.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import StrEnum
from itertools import combinations
from typing import Any, TypeAlias

JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"

SCHEMA = 1
"""Version of every JSON file written here; a reader refuses a newer one."""
DEPTH = 4
"""Most steps from a name to a value that is observed; ``batch[0]['x']`` takes two."""
DEVICE_KINDS = ("cpu", "cuda", "mps", "xla", "vulkan")
"""Kinds of device that an environment can have, as conditions name them."""


AFTER = "# After the last statement:"
"""Code of what is observed after the last statement: the line above its claim."""
LATE = sys.maxsize
"""Index of what is observed after the last statement, where those of statements are meant."""


class Status(StrEnum):
    """How the run of one example ended."""

    COMPLETED = "completed"
    RAISED = "raised"
    EXITED = "exited"
    CRASHED = "crashed"
    TIMED_OUT = "timed out"
    NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class Warned:
    """One warning, as Python's ``warnings`` module saw it."""

    category: str
    """Class name, such as ``UserWarning``."""
    message: str
    """Normalised text, possibly of several lines."""


@dataclass(frozen=True, slots=True)
class Raised:
    """One exception."""

    type: str = ""
    """Class name, such as ``TypeError``; empty where a process died of no exception."""
    message: str = ""
    """Normalised ``str(exception)``."""
    traceback: tuple[str, ...] = ()
    """Normalised lines from the example's own frame on; empty for an exception that was caught."""
    printed: str = ""
    """What the ``except`` clause that caught it wrote to standard output."""


@dataclass(frozen=True, slots=True)
class Unmade:
    """A name that a statement needs, and that was never made."""

    name: str
    """The name."""
    statement: int
    """Index of the statement that raised, without which the name would have been made."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What executing one statement did."""

    code: str
    """Source text of the statement."""
    stdout: str = ""
    """Text written to file descriptor 1, by Python or by anything else.

    Without the last newline, unless nothing but newlines was written: a lone one is no silence. Older probes
    dropped it there, too.
    """
    stderr: str = ""
    """Text written to file descriptor 2 that is not a Python warning, likewise."""
    warnings: tuple[Warned, ...] = ()
    """Warnings, in order."""
    caught: tuple[Raised, ...] = ()
    """Exceptions that an ``except`` clause of the example caught, in order."""
    raised: Raised | None = None
    """The exception nobody caught."""
    unmade: Unmade | None = None
    """Why the statement shows nothing: it needs a name that an earlier error kept from being made."""
    unobserved: bool = False
    """Whether a newline alone was claimed, and this is of a record, which may be of a probe that dropped it.

    Set where records are read; no record holds it.
    """


@dataclass(frozen=True, slots=True)
class Value:
    """One array or tensor alive after a block."""

    name: str
    """Expression that reaches it, such as ``tensor`` or ``batch[0]``."""
    kind: str
    """Class name, such as ``ndarray`` or ``Tensor``."""
    dtype: str
    """NumPy's or torch's name of the element type."""
    shape: tuple[int, ...]
    """Elements per axis."""
    strides: tuple[int, ...] | None = None
    """Bytes between neighbours per axis; None where the layout has no strides."""
    device: str = ""
    """``cpu``, ``cuda:0``, …; an array is always on ``cpu``."""
    writable: bool | None = None
    """NumPy's ``writeable`` flag; None for a tensor, which has none."""
    requires_grad: bool | None = None
    """Whether autograd records it; None for an array."""
    buffer: int | None = None
    """Index into the snapshot's buffers; None without memory of its own or others'."""
    start: int | None = None
    """First byte of its elements, counted from the start of the buffer."""
    stop: int | None = None
    """One past the last byte of its elements."""
    held: bool = False
    """Whether it is neither a name nor one of the first items of a plain list, tuple or dictionary."""


@dataclass(frozen=True, slots=True)
class Buffer:
    """One run of memory that live values own or see."""

    device: str
    """Where it is."""
    nbytes: int
    """Its length in bytes, as far as any live value shows it."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The arrays and tensors alive after a block."""

    values: tuple[Value, ...] = ()
    """In order of definition."""
    buffers: tuple[Buffer, ...] = ()
    """In order of first use by a value."""
    shares: tuple[tuple[str, ...], ...] = ()
    """Groups of names of which every two have at least one byte in common."""
    broken: bool = False
    """Whether a statement of the block raised, or lacked a name: it then holds nothing."""
    left_out: tuple[str, ...] = ()
    """Expressions of holders in which there are more values, or may be."""


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
    """One per statement reached, in order; also of those behind an uncaught error."""
    snapshots: tuple[Snapshot, ...] = ()
    """One per block reached to its end, in order; none where nothing but a broken one would follow."""
    stopped: str = ""
    """How the process stopped behind the error that ended the run: ``crashed: SIGSEGV``."""
    depth: int = 1
    """Most steps from a name to a value of its snapshots; 1 where nobody looked for held values."""
    late: Observation | None = None
    """What threads and exit handlers wrote and warned after the last statement, under the code AFTER.

    None where it was not observed, and where an example without a claim about it wrote nothing.
    """

    @property
    def ending(self) -> int | None:
        """Index of the statement at which the example ends as a plain script; None where it ends behind all.

        Statements behind an uncaught error run as in a notebook.
        """
        if self.status in (Status.COMPLETED, Status.NOT_RUN):
            return None
        raised = (index for index, seen in enumerate(self.observations) if seen.raised is not None)
        return next(raised, max(0, len(self.observations) - 1))

    def observation(self, index: int) -> Observation | None:
        """What a statement did; None where it was not reached, not observed, or needs a name that is missing.

        With LATE, what was written after the last statement; None where that was not observed.
        """
        if index == LATE:
            return self.late
        found = self.observations[index] if index < len(self.observations) else None
        return None if found is None or found.unmade is not None or found.unobserved else found

    def snapshot(self, index: int) -> Snapshot | None:
        """What was alive after a block; None where it was not ended, or a statement of it failed."""
        found = self.snapshots[index] if index < len(self.snapshots) else None
        return None if found is None or found.broken else found

    def describe_stop(self, index: int) -> str:
        """How the process stopped at a statement: ``crashed: SIGSEGV``; empty where it went on."""
        if index != max(0, len(self.observations) - 1):
            return ""
        is_abrupt = self.status in (Status.CRASHED, Status.EXITED, Status.TIMED_OUT)
        return f"{self.status}: {self.reason}" if is_abrupt else self.stopped


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
    """Name of the accelerator found, such as ``XLA CPU`` or ``Vulkan llvmpipe``, or ``cpu``."""
    device_count: int
    """How many accelerators were found."""
    driver: str | None
    """Version of the accelerator's driver, or of the package that brings it to torch, where it is known."""
    date: str
    """Day of the observation, ISO 8601, UTC."""
    engines: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Days with the digest of the code that observed; days before it was kept are not listed.

    No page shows it, so the text from which ``compare.evidence`` makes keys leaves it out.
    """

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
        """One of DEVICE_KINDS; a CUDA device may have any name."""
        first = self.device.lower().partition(" ")[0]
        return first if first in DEVICE_KINDS else "cuda"


Runs = Sequence[tuple[Environment, Run]]
"""Runs, each with its environment."""


# --- what is alive -------------------------------------------------------------------------------


def level_runs(runs: Sequence[Run]) -> Sequence[Run]:
    """The same runs, of which none shows more of what is held than another looked for."""
    return runs if len({run.depth for run in runs}) <= 1 else [*map(_narrow_run, runs)]


def _narrow_run(run: Run) -> Run:
    return replace(run, depth=1, snapshots=tuple(map(narrow_snapshot, run.snapshots)))


def narrow_snapshot(snapshot: Snapshot) -> Snapshot:
    """The values that are not held; buffers may be longer than these values show."""
    values = tuple(value for value in snapshot.values if not value.held)
    used = {value.buffer for value in values}
    buffers = tuple(buffer for index, buffer in enumerate(snapshot.buffers) if index in used)
    names = [value.name for value in values]
    pairs = {pair for group in snapshot.shares for pair in combinations(group, 2)}
    shares = group_pairs(names, [pair for pair in combinations(names, 2) if pair in pairs])
    return Snapshot(values, buffers, shares, snapshot.broken)


def group_pairs(names: Iterable[str], pairs: Sequence[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """Groups of names of which every two are a pair; a chain that is no such group comes as pairs.

    Names and pairs are in order; a group stands where its last pair does.
    """
    neighbours: dict[str, set[str]] = {}
    for one, other in pairs:
        neighbours.setdefault(one, set()).add(other)
        neighbours.setdefault(other, set()).add(one)
    members: dict[int, list[str]] = {}
    chain_of: dict[str, int] = {}
    for name in names:
        if name in neighbours and name not in chain_of:
            chain_of |= dict.fromkeys(_follow(name, neighbours), len(chain_of))
        if name in neighbours:
            members.setdefault(chain_of[name], []).append(name)
    edges: dict[int, list[tuple[str, str]]] = {}
    for pair in reversed(pairs):
        edges.setdefault(chain_of[pair[0]], []).append(pair)
    groups: list[tuple[str, ...]] = []
    for chain, found in reversed(edges.items()):
        is_complete = len(found) == len(members[chain]) * (len(members[chain]) - 1) // 2
        groups += [tuple(members[chain])] if is_complete else reversed(found)
    return tuple(groups)


def _follow(name: str, neighbours: Mapping[str, set[str]]) -> set[str]:
    """All names that a chain of pairs joins to one."""
    found, due = {name}, [name]
    while due:
        new = neighbours[due.pop()] - found
        found |= new
        due += new
    return found


# --- text and JSON ---------------------------------------------------------------------------------

_CONTROL = {code: f"\\x{code:02x}" for code in (*range(9), *range(11, 32), *range(127, 160))}
_TURNING = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""Characters that turn the direction of text: a line that holds one may read otherwise than it is."""
_CONTROL |= {code: f"\\u{code:04x}" for code in (0x2028, 0x2029, *_TURNING)}
"""Escapes of characters that end a line for sphinx-gallery, or that a script cannot hold visibly."""


def output_lines(observation: Observation) -> tuple[str, ...]:
    """Lines a claim must consist of: stdout, then warnings as ``Category: message``, then ``stderr: …``.

    A warning is one line whatever its message holds, so that stdout and warnings stay apart. Control
    characters are spelled out: a carriage return in a claim would end its line.
    """
    stdout = split_written(observation.stdout)
    warned = [f"{w.category}: {' '.join(w.message.split())}" for w in observation.warnings]
    stderr = [f"stderr: {line}" for line in split_written(observation.stderr)]
    return tuple(line.translate(_CONTROL).rstrip() for line in (*stdout, *warned, *stderr))


def split_written(text: str) -> list[str]:
    """Lines of an observation's stdout or stderr; a lone newline is one blank line."""
    lines = text.split("\n")
    return lines if text.strip("\n") else lines[:-1]


def encode_fields(value: Any) -> dict[str, JSON]:
    """JSON object of a dataclass, without fields that hold their default, so that records stay readable."""
    document = {}
    for each in fields(value):
        content = getattr(value, each.name)
        if content != each.default:
            document[each.name] = encode_json(content)
    return document


def encode_json(value: Any) -> JSON:
    """JSON of a dataclass, a list or tuple, an enumeration's member, or a plain value."""
    if is_dataclass(value) and not isinstance(value, type):
        return encode_fields(value)
    if isinstance(value, (list, tuple)):
        return [encode_json(item) for item in value]
    return str(value) if isinstance(value, str) else value  # a StrEnum is its text
