"""What the matrix tries: sources, which make ``x``, and conversions, which make ``y`` from it; runs nothing.

``sources.toml`` and ``conversions.toml`` list them; here stand the rules of names, code and pairs. Where a
release cannot make a source, because its dtype came later, the error of its code is recorded.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import chain, filterfalse
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
class AskedCall:
    """A call whose keywords each release is asked for."""

    code: str
    """With KEYWORD where the keyword stands."""
    keywords: Mapping[str, str]
    """Each keyword with a value that the call takes, by its name: ``copy=True`` by ``copy=``."""


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
    """Whether its bytes are padding, addresses or not filled at all, so that they differ from run to run."""
    other: str = ""
    """What makes the second operand of a mixed expression; empty where that of OTHER fits."""


BARE_BITS = "raw bits"
"""Layout of tensors whose dtype nothing converts to: they are views of other bytes."""


def _read_tables(file: str) -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name(file).read_text(encoding="utf-8"))


NAMES = {namespace: tuple(names.split()) for namespace, names in _read_tables("names.toml").items()}
"""Names to ask for, by module or class: each that a recorded release lists."""


def _read_asked_call(table: Mapping[str, Any]) -> AskedCall:
    return AskedCall(table["call"], {text[: text.index("=") + 1]: text for text in table["keywords"]})


CALLS = {path: _read_asked_call(table) for path, table in _read_tables("keywords.toml").items()}
"""Calls whose keywords are asked for, by function or method."""
ASKED = {**NAMES, **{path: tuple(call.keywords) for path, call in CALLS.items()}}
"""All that the probe asks for: names by module or class, keywords by function or method."""
_SOURCES = _read_tables("sources.toml")
_CONVERSIONS = _read_tables("conversions.toml")
ARRAY_DTYPES: list[str] = _SOURCES["dtypes"]["array"]
"""Numeric and time dtypes of NumPy but bool, each filled from small integers."""


def make_code(name: str, text: str) -> str:
    """Lines that make ``name``; an expression becomes an assignment."""
    return text if "\n" in text else f"{name} = {text}"


def _read_section(section: str, form: Form, dtype: str = "", layout: str = "") -> Iterator[Source]:
    """Sources of a section of the file.

    ``dtype`` holds for those that name none. Without a ``layout`` theirs is their key.
    """
    prefix = "torch." if form is Form.TENSOR else ""
    for key, entry in _SOURCES[section].items():
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


def _list_accelerated() -> Iterator[Source]:
    """Sources of each accelerator, whose code first makes it known to torch."""
    for device, maker in _SOURCES["accelerator"].items():
        for key, entry in _SOURCES["accelerated"].items():
            name = device if key == "plain" else f"{device}-{key}"
            code = make_code("x", entry["code"].replace("DEVICE", device))
            yield Source(
                name=f"tensor-{name}",
                title=entry["title"].replace("NAME", maker["name"]),
                form=Form.TENSOR,
                code=maker.get("setup", "") + code,
                dtype="torch." + entry.get("dtype", "float32"),
                layout=name.replace("-", " "),
                device=device,
                flags=tuple(entry.get("flags", ())),
                needs=tuple(maker.get("needs", ())),
            )


def _list_sources() -> Iterator[Source]:
    dtypes = _SOURCES["dtypes"]
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
    yield from _list_accelerated()


SOURCES = tuple(_list_sources())
"""Every source, by form, dtypes before layouts."""


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
    on: tuple[str, ...] = ()
    """Names or devices of the only sources that it is tried on; empty for all that its group is tried on."""
    has_page: bool = True
    """Whether it has a page of its own; one without is a row of the overview and of each source's page."""

    @property
    def makes_storages(self) -> bool:
        """Whether it takes a tensor apart and makes it anew from its storage, in Python."""
        return "import copy" in self.code or "import pickle" in self.code

    @property
    def sees_bytes(self) -> bool:
        """Whether it reads the source's bytes as numbers, whatever they mean."""
        words = ("frombuffer", "from_dlpack(", "bytes(", "bytearray(", "memoryview(", ".view(torch.")
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
    if not _takes_other(conversion):
        return conversion.code
    other = make_code("other", source.other) if source.other else OTHER[source.form]
    return f"{other}\n{conversion.code}"


def _takes_other(conversion: Conversion) -> bool:
    return _has_other(conversion.code)


@cache
def _has_other(code: str) -> bool:
    return _OTHER_WORD.search(code) is not None


IMPORTS = "import numpy as np\nimport torch"
"""What the code of every cell relies on."""


def render_script(conversion: Conversion, source: Source) -> str:
    """The code of a cell, whole; what makes a device known to torch stands in it once."""
    call = render_call(conversion, source)
    for device in _PACKAGED:
        setup = _SOURCES["accelerator"][device]["setup"]
        if setup in source.code:  # a second time it would raise
            call = call.replace(setup, "")
    return f"{IMPORTS}\n\n{source.code}\n\n{call}\n"


def code_digests(conversion: Conversion, source: Source) -> tuple[str, str]:
    """Digests of the code of a conversion and of a source; a record of other code says nothing of this."""
    return digest_conversion(conversion), digest_source(conversion, source)


def digest_conversion(conversion: Conversion) -> str:
    """Digest of the code of a conversion."""
    # OTHER belongs to every row, as it always has.
    return _digest(f"{conversion.code}\n{OTHER}")


def digest_source(conversion: Conversion, source: Source) -> str:
    """Digest of the code of a source, as a conversion is tried on it."""
    # A partner of the source's own belongs to the source, and only in rows that use it: no other record grows
    # stale when it changes.
    own = source.other if _takes_other(conversion) else ""
    return _digest(f"{source.code}\n{own}" if own else source.code)


def list_source_digests() -> dict[str, str]:
    """Digest of each source's code by its name, and with its own partner by ``name + other``."""
    return {name_digest(c, s): digest_source(c, s) for c in _KINDS_OF_ROW for s in SOURCES}


def name_digest(conversion: Conversion, source: Source) -> str:
    """Name under which ``list_source_digests`` has the digest that a cell's source must have."""
    return f"{source.name} + other" if source.other and _takes_other(conversion) else source.name


def find_current(conversion: Conversion, recorded: Mapping[str, str]) -> set[str]:
    """Names of the sources that a row is tried on, and whose ``recorded`` digest is that of today's code."""
    return {
        source.name
        for source in SOURCES
        if is_tried(conversion, source)
        and recorded.get(name_digest(conversion, source)) == digest_source(conversion, source)
    }


@cache
def _digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()[:8]


_OTHER_WORD = re.compile(r"\bother\b")


def _name(title: str) -> str:
    """Expression in lower case words; an operator between blanks keeps a word of its own."""
    operators = _CONVERSIONS["operators"]
    for sign, word in _CONVERSIONS["words"].items():
        title = title.replace(sign, word)
    title = re.sub(r"(?<=[a-z])_\(", " in place ", title)
    spelled = re.sub(r"(?<= )\S{1,2}(?= )", lambda found: operators.get(found[0], found[0]), title)
    return re.sub(r"[^a-z0-9]+", "-", spelled.lower()).strip("-")


def _read_families() -> Iterator[Conversion]:
    for family in _CONVERSIONS["family"]:
        for call in family["calls"]:
            if "DEVICE" in call:
                for device in _PACKAGED:
                    yield _read_call({**family, **_ask_for(device, family)}, call.replace("DEVICE", device))
            else:
                yield _read_call(family, call)


def _ask_for(device: str, family: Mapping[str, Any]) -> dict[str, Any]:
    """What a family has for the calls of one accelerator."""
    maker = _SOURCES["accelerator"][device]
    return {"needs": maker.get("needs", ()), "setup": maker["setup"], "on": (*family["on"], device)}


def _read_call(family: Mapping[str, Any], call: str) -> Conversion:
    title = "; ".join(filter(None, call.split("\n")))
    return Conversion(
        name=_name(title),
        title=title,
        family=family["name"],
        group=Group(family["group"]),
        code=family.get("setup", "") + make_code("y", call),
        known=family.get("known", True),
        needs=tuple(family.get("needs", ["cuda"] if "cuda" in call else [])),
        on=tuple(family.get("on", ())),
        has_page=call in _WITH_PAGE,
    )


_PACKAGED = [device for device, maker in _SOURCES["accelerator"].items() if "setup" in maker]
"""Accelerators that torch knows once something has been imported."""
_WITH_PAGE = frozenset(chain.from_iterable(_CONVERSIONS["pages"].values()))
"""Calls that have a page of their own, whatever leads there."""
CONVERSIONS = tuple(_read_families())
"""Every conversion, by group."""
_KINDS_OF_ROW = [next(filterfalse(_takes_other, CONVERSIONS)), next(filter(_takes_other, CONVERSIONS))]
"""A row without a second operand and one with it: a source has a digest for each."""


ONLY_MEMORY = frozenset(_SOURCES["mixed"]["without-layouts"])
"""Layouts that no mixed expression is tried on: it sees elements and flags, not where the elements lie."""
NOT_NUMBERS = frozenset(_SOURCES["mixed"]["without-dtypes"])
"""Dtypes of arrays that no mixed expression is tried on: torch has nothing like them."""


def is_tried(conversion: Conversion, source: Source) -> bool:
    """Whether a cell makes sense: by the rule of TRIED_ON, and by what a group looks at."""
    if conversion.group is Group.MIXED and (source.layout in ONLY_MEMORY or source.dtype in NOT_NUMBERS):
        return False
    if source.layout == BARE_BITS and conversion.group in (Group.MOVE, Group.MIXED):
        return False
    if conversion.on and not {source.name, source.device} & {*conversion.on}:
        return False
    return source.form in TRIED_ON[conversion.group]


def list_pairs() -> Iterator[tuple[Conversion, Source]]:
    """Every cell that makes sense, row by row."""
    return ((c, s) for c in CONVERSIONS for s in SOURCES if is_tried(c, s))
