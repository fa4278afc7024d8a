"""Conversions: code that makes ``y`` from ``x``, as ``conversions.toml`` lists it; runs nothing.

Here stands what the list leaves to rules: names, and the sources that each conversion is tried on.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from tensor_atlas.catalogue.sources import BARE_BITS, SOURCES, Form, Source, make_code


class Group(StrEnum):
    """Purpose of a conversion."""

    TO_TENSOR = "to a tensor"
    TO_NUMPY = "to NumPy"
    MOVE = "device, dtype and layout"
    MIXED = "mixed expressions"


TRIED_ON: dict[Group, frozenset[Form]] = {
    # A constructor takes anything; with a tensor it is called to copy, or to be safe.
    Group.TO_TENSOR: frozenset(Form),
    # Only tensors have these methods.
    Group.TO_NUMPY: frozenset({Form.TENSOR}),
    Group.MOVE: frozenset({Form.TENSOR}),
    # A buffer has no elements to compute with.
    Group.MIXED: frozenset({Form.ARRAY, Form.SCALAR, Form.SEQUENCE, Form.TENSOR}),
}
"""Forms of source that the conversions of a group are tried on."""


@dataclass(frozen=True)
class Conversion:
    """One expression that converts ``x``."""

    name: str
    """Name for links and records: the expression in letters, digits and dashes."""
    title: str
    """The expression, as people write it."""
    family: str
    """Function, method or operator that it is a spelling of."""
    group: Group
    """What it is for."""
    code: str
    """Lines that make ``y``; ``other`` in them is made by OTHER for the source."""
    known: bool = True
    """Whether the elements of the result are known: uninitialised memory holds anything."""
    needs: tuple[str, ...] = ()
    """Devices and libraries it needs, as the tags of an example name them."""

    @property
    def makes_storages(self) -> bool:
        """Whether it takes a tensor apart and makes it anew from its storage, in Python."""
        return "import copy" in self.code or "import pickle" in self.code

    @property
    def sees_bytes(self) -> bool:
        """Whether it reads the source's bytes as numbers, whatever they mean."""
        words = ("frombuffer", "bytes(", "bytearray(", "memoryview(", ".view(torch.")
        return any(word in self.code for word in words)


OTHER = {
    Form.TENSOR: 'other = np.ones(3, dtype="float32")',
    Form.ARRAY: "other = torch.ones(3)",
    Form.SCALAR: "other = torch.ones(3)",
    Form.SEQUENCE: "other = torch.ones(3)",
}
"""The second operand of a mixed expression: from the other library than the source."""


def render_call(conversion: Conversion, source: Source) -> str:
    """Code of a conversion as it is tried on a source: with the second operand, where it has one."""
    if _OTHER_WORD.search(conversion.code):
        return f"{OTHER[source.form]}\n{conversion.code}"
    return conversion.code


def code_digests(conversion: Conversion, source: Source) -> tuple[str, str]:
    """Digests of the code of a conversion and of a source.

    A record of other code says nothing of this one.
    """
    return _digest(f"{conversion.code}\n{OTHER}"), _digest(source.code)


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()[:8]


_OTHER_WORD = re.compile(r"\bother\b")


_WORDS = {
    "::": " step ",
    "-1": " minus 1 ",
    "...": " ellipsis ",
    "[[": " list ",
    "([": " list ",
    "torch.Tensor(": "legacy tensor ",
    "x.T": "x capital t",
    "x.data": "x data attribute",
    "import ": "",
}
"""Words for what an expression says with signs or capitals alone, so that no two expressions have one
name."""
_SIGNS = {
    "//": "floordiv",
    "**": "pow",
    "+=": "iadd",
    "-=": "isub",
    "*=": "imul",
    "/=": "itruediv",
    "==": "eq",
    "!=": "ne",
    "<=": "le",
    "<": "lt",
    ">": "gt",
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "truediv",
    "%": "mod",
    "@": "matmul",
    "&": "and",
    "|": "or",
}
"""Words for operators that stand between blanks."""


def _name(title: str) -> str:
    """Expression in lower case words; an operator between blanks keeps a word of its own."""
    for sign, word in _WORDS.items():
        title = title.replace(sign, word)
    title = re.sub(r"(?<=[a-z])_\(", " in place ", title)
    spelled = re.sub(r"(?<= )\S{1,2}(?= )", lambda found: _SIGNS.get(found[0], found[0]), title)
    return re.sub(r"[^a-z0-9]+", "-", spelled.lower()).strip("-")


def _read_families() -> Iterator[Conversion]:
    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    for family in tomllib.loads(text)["family"]:
        for call in family["calls"]:
            title = "; ".join(filter(None, call.split("\n")))
            needs = family.get("needs", ["cuda"] if "cuda" in call else [])
            yield Conversion(
                name=_name(title),
                title=title,
                family=family["name"],
                group=Group(family["group"]),
                code=make_code("y", call),
                known=family.get("known", True),
                needs=tuple(needs),
            )


CONVERSIONS = tuple(_read_families())
"""Every conversion, by group."""


ONLY_MEMORY = frozenset(
    {
        *("fortran", "transposed", "every second", "column", "reversed", "windows", "of bytes", "unaligned"),
        *("packed field", "memory mapped", "memory mapped read only", "of a tensor", "seven dimensional"),
        *(
            "float64 fortran",
            "float64 reversed",
            "int64 every second",
            "uint8 image",
            "offset",
            "channels last",
        ),
        *("detached", "mkldnn", "shared", "of an array", "of a read only array", "five dimensional"),
        *("float64 transposed", "nested jagged", "quantized signed", "quantized 32"),
    }
)
"""Layouts that no mixed expression is tried on: it sees elements and flags, not where the elements lie."""
NOT_NUMBERS = frozenset({"datetime64[s]", "timedelta64[s]", "bytes", "StringDType", "void", "structured"})
"""Dtypes of arrays that no mixed expression is tried on: torch has nothing like them."""


def is_tried(conversion: Conversion, source: Source) -> bool:
    """Whether a cell makes sense: by the rule of TRIED_ON, and by what a group looks at."""
    if conversion.group is Group.MIXED and (source.layout in ONLY_MEMORY or source.dtype in NOT_NUMBERS):
        return False
    if source.layout == BARE_BITS and conversion.group in (Group.MOVE, Group.MIXED):
        return False
    return source.form in TRIED_ON[conversion.group]


def list_pairs() -> Iterator[tuple[Conversion, Source]]:
    """Every cell that makes sense, row by row."""
    return ((c, s) for c in CONVERSIONS for s in SOURCES if is_tried(c, s))
