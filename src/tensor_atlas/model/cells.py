"""The frozen dataclasses of what one conversion did with one source; standard library alone; pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from tensor_atlas.model.runs import Raised, Warned


class Outcome(StrEnum):
    """What became of the source."""

    SAME = "same object"
    SHARES = "shares memory"
    COPIES = "copies"
    VALUE = "value"
    """A number, a text or a list: nothing whose memory could be shared."""
    NO_BYTES = "no bytes"
    """An array or tensor, but one side has no elements, or no memory that can be addressed."""
    RAISES = "raises"
    CRASHES = "crashes"
    TIMES_OUT = "times out"
    NO_SOURCE = "no source"
    """The source cannot be made there: ``error`` tells why."""


class Proof(StrEnum):
    """How it is known whether memory is shared."""

    WRITE = "write"
    """A byte was changed through the result, and looked for in the source."""
    RANGES = "ranges"
    """The addresses of the elements were compared: writing there is not allowed, or not safe."""


@dataclass(frozen=True)
class Cell:
    """One conversion applied to one source, in one environment."""

    outcome: Outcome
    """What became of the source."""
    proof: Proof | None = None
    """For SHARES and COPIES."""
    type: str = ""
    """Class name of the result."""
    dtype: str = ""
    """Its element type, in its library's spelling."""
    shape: tuple[int, ...] | None = None
    """Elements per axis; None for a result that has no shape, or a nested one."""
    strides: tuple[int, ...] | None = None
    """Bytes between neighbours per axis; None where there are none."""
    device: str = ""
    """Where its elements lie; empty for a plain value."""
    writable: bool | None = None
    """NumPy's flag; None for all but arrays."""
    requires_grad: bool | None = None
    """Whether autograd records it; None for all but tensors."""
    value: str = ""
    """Its elements, where there are few and they are known."""
    writes: bool = False
    """Whether the source's own elements were changed."""
    warnings: tuple[Warned, ...] = ()
    """What the conversion warned of, in order."""
    error: Raised | None = None
    """What it raised; for NO_SOURCE, what the source's code raised; for CRASHES, the signal or exit code."""


@dataclass(frozen=True)
class Tried:
    """A cell, and the code that it is about."""

    code: tuple[str, str]
    """Digests of the conversion's code and of the source's."""
    cell: Cell
    """What became of it."""


def shorten_cell(cell: Cell) -> Cell:
    """The cell without what ``restore_cell`` knows: nearly all are proved by a write, and lie on the CPU."""
    short = replace(cell, proof=None if cell.proof is Proof.WRITE else cell.proof)
    if cell.shape is None:
        return short
    device = "" if cell.device == "cpu" else cell.device
    return replace(short, device=device, requires_grad=cell.requires_grad or None)


def restore_cell(cell: Cell) -> Cell:
    """The cell that was shortened: an array records no gradient, a tensor has no flag for writing."""
    has_elements = cell.shape is not None
    is_proved = cell.outcome in (Outcome.SHARES, Outcome.COPIES)
    is_tensor = has_elements and cell.writable is None
    return replace(
        cell,
        proof=cell.proof or (Proof.WRITE if is_proved else None),
        device=cell.device or ("cpu" if has_elements else ""),
        requires_grad=bool(cell.requires_grad) if is_tensor else cell.requires_grad,
    )
