"""Sources as combinations of others: an element type with a layout, flags or a device."""

from __future__ import annotations

from dataclasses import dataclass

from tensor_atlas.catalogue import BARE_BITS, SOURCES, Form, Source


@dataclass(frozen=True)
class Parts:
    """A source as a combination of others: each but the dtype may be empty, for what is usual."""

    dtype: str
    """Element type."""
    layout: str = ""
    """Name of the source that stands for its layout."""
    flag: str = ""
    """Name of the source that stands for its flags."""
    device: str = ""
    """Name of the source that stands for its device."""


def take_apart(source: Source) -> Parts | None:
    """What an array or a tensor is a combination of; None for other forms, which cannot be combined."""
    if source.form not in (Form.ARRAY, Form.TENSOR):
        return None
    if source.layout == BARE_BITS:
        return Parts(source.dtype)
    bare = source.dtype.removeprefix("torch.")
    rest, device = source.layout, ""
    if source.device != "cpu":
        device, rest = f"{source.form}-{source.device}", rest.removeprefix(source.device).strip()
    rest = rest.removeprefix(bare).strip()
    if rest in ("", "contiguous"):
        return Parts(source.dtype, device=device)
    name = f"{source.form}-{rest.replace(' ', '-')}"
    base = next((other for other in SOURCES if other.name == name), source)
    if base.flags:
        return Parts(source.dtype, flag=base.name, device=device)
    return Parts(source.dtype, layout=base.name, device=device)


def is_trait(source: Source) -> bool:
    """Whether a source stands for a layout, a flag or a device that goes with other dtypes."""
    parts = take_apart(source)
    return parts is not None and source.name in (parts.layout, parts.flag, parts.device)


FLOATS = ("float", "bfloat", "complex", "bcomplex")


def list_dtypes(trait: Source) -> tuple[str, ...]:
    """Dtypes that a layout, flag or device can be combined with."""
    same = [s for s in SOURCES if s.form is trait.form and s.layout != BARE_BITS]
    plain = [s.dtype for s in same if take_apart(s) == Parts(s.dtype)]
    own = trait.dtype.removeprefix("torch.")
    if own.startswith(("qint", "quint")):
        return (trait.dtype,)
    if "conjugate" in trait.flags:
        return tuple(dtype for dtype in plain if "complex" in dtype)
    if "negative" in trait.flags or own.startswith(">"):
        return tuple(dict.fromkeys((trait.dtype, *(d for d in plain if "float" in d))))
    if "requires grad" in trait.flags:
        return tuple(d for d in plain if d.removeprefix("torch.").startswith(FLOATS) and "float8" not in d)
    return tuple(plain)


def list_facets(source: Source) -> tuple[str, ...]:
    """Words that an entry can name a source by."""
    return (source.name, source.dtype, source.layout, source.device, *source.flags)
