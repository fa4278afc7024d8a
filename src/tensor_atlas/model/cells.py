"""What one conversion did with one source, and its JSON form; no torch, nothing runs here."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from tensor_atlas.model.runs import (
    JSON,
    Fields,
    FormError,
    Raised,
    Warned,
    raised_to_json,
)

_Word = TypeVar("_Word", bound=StrEnum)


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
    """Elements per axis; None for a result that has no shape."""
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
    error: Raised | None = field(default=None)
    """What it raised; for NO_SOURCE, what the source's code raised; for CRASHES, the signal or exit code."""


@dataclass(frozen=True)
class Tried:
    """A cell, and the code that it is about."""

    code: tuple[str, str]
    """Digests of the conversion's code and of the source's."""
    cell: Cell
    """What became of it."""


def cell_to_json(cell: Cell) -> dict[str, JSON]:
    """Fields that say something: nearly all results lie on the CPU, need no gradient, and are proved by a write."""
    document: dict[str, JSON] = {
        "outcome": str(cell.outcome),
        "proof": None if cell.proof in (None, Proof.WRITE) else str(cell.proof),
        "type": cell.type or None,
        "dtype": cell.dtype or None,
        "shape": None if cell.shape is None else list(cell.shape),
        "strides": None if cell.strides is None else list(cell.strides),
        "device": None if cell.device in ("", "cpu") else cell.device,
        "writable": cell.writable,
        "requires_grad": cell.requires_grad or None,
        "value": cell.value or None,
        "writes": cell.writes or None,
        "warnings": [{"category": w.category, "message": w.message} for w in cell.warnings] or None,
        "error": None if cell.error is None else raised_to_json(cell.error),
    }
    return {key: value for key, value in document.items() if value is not None}


def cell_from_json(fields: Fields) -> Cell:
    """Cell of a parsed document; FormError says which field is wrong."""
    error = fields.optional_object("error")
    outcome, proof = _word(Outcome, fields.text("outcome")), fields.optional_text("proof")
    writable, has_elements = fields.optional_flag("writable"), fields.has("shape")
    is_tensor = has_elements and writable is None  # an array has no gradient, a tensor no such flag
    proved = Proof.WRITE if outcome in (Outcome.SHARES, Outcome.COPIES) else None
    return Cell(
        outcome=outcome,
        proof=proved if proof is None else _word(Proof, proof),
        type=fields.text("type", ""),
        dtype=fields.text("dtype", ""),
        shape=fields.integers("shape") if has_elements else None,
        strides=fields.integers("strides") if fields.has("strides") else None,
        device=fields.text("device", "cpu" if has_elements else ""),
        writable=writable,
        requires_grad=(fields.optional_flag("requires_grad") or False) if is_tensor else None,
        value=fields.text("value", ""),
        writes=fields.optional_flag("writes") or False,
        warnings=tuple(Warned(w.text("category"), w.text("message", "")) for w in fields.objects("warnings")),
        # A cell that came to no end has a message and no class of exception.
        error=None if error is None else Raised(error.text("type", ""), error.text("message", "")),
    )


def _word(words: type[_Word], text: str) -> _Word:
    try:
        return words(text)
    except ValueError:
        raise FormError(f"unknown {words.__name__.lower()} {text!r}") from None
