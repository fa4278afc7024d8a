"""Sources: a few lines of code that make ``x``, and what it is, as ``sources.toml`` lists them; runs nothing.

Where a release cannot make a source, because its dtype came later, the error of its code is recorded.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any


class Form(StrEnum):
    """Kind of object that a source is."""

    ARRAY = "array"
    TENSOR = "tensor"
    SCALAR = "scalar"
    SEQUENCE = "sequence"
    BUFFER = "buffer"


@dataclass(frozen=True)
class Source:
    """One thing to convert."""

    name: str
    """Name for links and records; stays when the title changes."""
    title: str
    """What it is, in a few words."""
    form: Form
    """What kind of object it is."""
    code: str
    """Lines that make ``x``; ``np`` and ``torch`` are imported."""
    dtype: str
    """Element type in its library's spelling; empty where the elements have none, or several."""
    layout: str = "contiguous"
    """How its elements lie in memory, or what stands in the way of reaching them."""
    device: str = "cpu"
    """Where they lie."""
    flags: tuple[str, ...] = ()
    """What else matters, such as ``read-only`` and ``requires grad``."""
    needs: tuple[str, ...] = ()
    """Devices and libraries it needs, as the tags of an example name them."""
    slow: bool = False
    """Whether torch imports so much for it that a fresh process takes seconds."""
    alone: bool = False
    """Whether torch warns once a process, in Python, when it is made anew from its storage."""
    opaque: bool = False
    """Whether its bytes hold padding or addresses, which differ from run to run."""


BARE_BITS = "bare bits"
"""Layout of tensors whose dtype nothing converts to: they are views of other bytes."""

_TABLES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
ARRAY_DTYPES: list[str] = _TABLES["dtypes"]["array"]
"""Numeric and time dtypes of NumPy but bool, each filled from small integers."""


def make_code(name: str, text: str) -> str:
    """Lines that make ``name``: of an expression an assignment; text with line breaks is these lines already."""
    return text if "\n" in text else f"{name} = {text}"


def _read_section(section: str, form: Form, dtype: str = "", layout: str = "") -> Iterator[Source]:
    """Sources of a section of the file.

    ``dtype`` holds for those that name none. Without a ``layout`` theirs is their key.
    """
    prefix = "torch." if form is Form.TENSOR else ""
    for key, entry in _TABLES[section].items():
        fields: dict[str, Any] = {**entry, "code": make_code("x", entry["code"])}
        fields["dtype"] = prefix + entry.get("dtype", dtype)
        for name in ("flags", "needs"):
            fields[name] = tuple(entry.get(name, ()))
        yield Source(name=f"{form}-{key}", form=form, layout=layout or key.replace("-", " "), **fields)


def _fill_dtypes(names: Iterable[str], form: Form, code: str, layout: str = "contiguous") -> Iterator[Source]:
    """A source for each dtype; ``code`` makes it, with the dtype for ``DTYPE``."""
    prefix = "torch." if form is Form.TENSOR else ""
    for name in names:
        slug = re.sub(r"[\W_]", "-", name.lower()).strip("-")
        made = code.replace("DTYPE", name)
        is_opaque = "longdouble" in name
        yield Source(f"{form}-{slug}", f"{name} {form}", form, made, prefix + name, layout, opaque=is_opaque)


def _list_sources() -> Iterator[Source]:
    dtypes = _TABLES["dtypes"]
    yield from _fill_dtypes(ARRAY_DTYPES, Form.ARRAY, 'x = np.array([1, 2, 3], dtype="DTYPE")')
    yield from _read_section("array", Form.ARRAY, layout="contiguous")
    yield from _read_section("array-layout", Form.ARRAY, "float32")
    for form in (Form.SCALAR, Form.SEQUENCE, Form.BUFFER):
        yield from _read_section(form, form, layout="contiguous")
    yield from _read_section("tensor", Form.TENSOR, layout="contiguous")
    yield from _fill_dtypes(dtypes["tensor"], Form.TENSOR, "x = torch.tensor([1, 2, 3]).to(torch.DTYPE)")
    bits = "x = torch.tensor([1, 2, 3], dtype=torch.uint8).view(torch.DTYPE)"
    yield from _fill_dtypes(dtypes["bits"], Form.TENSOR, bits, BARE_BITS)
    yield from _read_section("tensor-bits", Form.TENSOR, layout=BARE_BITS)
    yield from _read_section("tensor-layout", Form.TENSOR, "float32")


SOURCES = tuple(_list_sources())
"""Every source, by form, dtypes before layouts."""
