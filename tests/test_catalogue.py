"""What is converted and how: names, the rule of pairs, and that nothing of a release is left out."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from tensor_atlas.catalogue import (
    ARRAY_DTYPES,
    BARE_BITS,
    CONVERSIONS,
    NOT_NUMBERS,
    ONLY_MEMORY,
    OTHER,
    SOURCES,
    TRIED_ON,
    Form,
    Group,
    code_digests,
    find_current,
    is_tried,
    list_pairs,
    list_source_digests,
    make_code,
    name_digest,
    render_call,
    render_script,
)
from tensor_atlas.examples.requirements import NO_CUDA


def test_names_are_unique_and_fit_for_files() -> None:
    """Also where a file system does not tell capitals from small letters."""
    for names in ([c.name for c in CONVERSIONS], [s.name for s in SOURCES]):
        assert [name for name, count in Counter(names).items() if count > 1] == []
        assert all(re.fullmatch(r"[a-z0-9][a-z0-9-]*[a-z0-9]", name) and len(name) < 100 for name in names)


def test_every_expression_is_python() -> None:
    """A lost parenthesis would be recorded as a call that raises."""
    broken = []
    for conversion in CONVERSIONS:
        try:
            compile(conversion.code, conversion.title, "exec")
        except SyntaxError:
            broken.append(conversion.title)
    assert broken == []


@pytest.mark.parametrize(
    ("group", "least"), [(Group.TO_TENSOR, 40), (Group.TO_NUMPY, 25), (Group.MOVE, 30), (Group.MIXED, 40)]
)
def test_every_group_has_its_conversions(group: Group, least: int) -> None:
    """At least as many as the matrix promises, no two with the same code."""
    codes = Counter(conversion.code for conversion in CONVERSIONS if conversion.group is group)
    assert [code for code, count in codes.items() if count > 1] == []
    assert len(codes) >= least


def test_ten_thousand_cells_need_no_device() -> None:
    """On any machine."""
    assert sum(1 for c, s in list_pairs() if not c.needs and not s.needs) >= 10_000


def test_every_dtype_of_the_installed_torch_is_a_source() -> None:
    """A dtype that a release adds is missed here first. Aliases are the dtype they stand for."""
    known = {name for name, value in vars(torch).items() if isinstance(value, torch.dtype)}
    present = {str(getattr(torch, name)).removeprefix("torch.") for name in known}
    assert present <= {source.dtype.removeprefix("torch.") for source in SOURCES}


def test_every_dtype_of_numpy_is_a_source() -> None:
    """By NumPy's own list of type codes; those for which NumPy has two names of one size are one."""
    listed = {np.dtype(name) for name in (*ARRAY_DTYPES, "bool")}
    numeric = {np.dtype(code) for code in np.typecodes["AllInteger"] + np.typecodes["AllFloat"] + "?"}
    assert {dtype.str for dtype in numeric} <= {dtype.str for dtype in listed}
    others = {
        "str",
        "bytes",
        "object",
        "void",
        "structured",
        "StringDType",
        "datetime64[s]",
        "timedelta64[s]",
    }
    assert others <= {source.dtype for source in SOURCES if source.form is Form.ARRAY}


def test_pairs_follow_the_written_rule() -> None:
    """Each form that a group is tried on, no other; nothing computes with bare bits, or looks where elements
    lie.
    """
    tried: dict[Group, set[Form]] = {}
    for conversion, source in list_pairs():
        tried.setdefault(conversion.group, set()).add(source.form)
        assert source.layout != BARE_BITS or conversion.group in (Group.TO_TENSOR, Group.TO_NUMPY)
        assert conversion.group is not Group.MIXED or source.layout not in ONLY_MEMORY
        assert conversion.group is not Group.MIXED or source.dtype not in NOT_NUMBERS
    assert {group: frozenset(forms) for group, forms in tried.items()} == TRIED_ON
    assert {s.layout for s in SOURCES} >= ONLY_MEMORY
    assert {s.dtype for s in SOURCES} >= NOT_NUMBERS
    assert len(list(list_pairs())) == sum(is_tried(c, s) for c in CONVERSIONS for s in SOURCES)


def test_elements_of_uninitialised_memory_alone_are_unknown() -> None:
    """The legacy constructors take a number for a size."""
    unknown = {conversion.title for conversion in CONVERSIONS if not conversion.known}
    legacy = {f"torch.{name}(x)" for name in ("Tensor", "FloatTensor", "DoubleTensor", "LongTensor")}
    assert unknown == {"torch.empty_like(x)", "x.new_empty(2)"} | legacy


def test_second_operand_is_of_the_other_library() -> None:
    """Only where the code names it."""
    (add,) = (c for c in CONVERSIONS if c.title == "x + other")
    (sine,) = (c for c in CONVERSIONS if c.title == "np.sin(x)")
    tensor, array = (next(s for s in SOURCES if s.form is form) for form in (Form.TENSOR, Form.ARRAY))
    assert render_call(add, tensor) == f"{OTHER[Form.TENSOR]}\ny = x + other"
    assert "np.ones" in render_call(add, tensor)
    assert "torch.ones" in render_call(add, array)
    assert render_call(sine, array) == "y = np.sin(x)"


def test_digests_tell_code_apart() -> None:
    """Of the conversion and of the source, each by itself."""
    found = {code_digests(conversion, source) for conversion, source in list_pairs()}
    assert len({code for code, _ in found}) == len({c.code for c in CONVERSIONS})
    own = {(s.code, s.other) for s in SOURCES if s.other}
    assert len({made for _, made in found}) == len({s.code for s in SOURCES}) + len(own)


def test_partner_of_its_own_fits_a_source_and_changes_no_other_digest() -> None:
    """A source of two elements gets a partner of two; rows without a partner know the source's code alone."""
    (add,) = (c for c in CONVERSIONS if c.title == "x + other")
    (sine,) = (c for c in CONVERSIONS if c.title == "np.sin(x)")
    for source in (s for s in SOURCES if s.other):
        plain = replace(source, other="")
        assert source.other in render_call(add, source)
        assert code_digests(sine, source) == code_digests(sine, plain)
        assert code_digests(add, source) != code_digests(add, plain)
        now = list_source_digests()
        assert source.name in find_current(add, now)
        del now[name_digest(add, source)]
        assert source.name not in find_current(add, now)
        assert source.name in find_current(sine, now)


@pytest.mark.parametrize(
    "name", ["tensor-conjugate", "tensor-negative", "sequence-nested", "sequence-np-scalars"]
)
def test_operands_differ_in_no_length(name: str) -> None:
    """A comparison of a source with its partner tells of types, not of three elements against two."""
    (source,) = (s for s in SOURCES if s.name == name)
    namespace: dict[str, Any] = {"np": np, "torch": torch}
    exec(f"{source.code}\n{make_code('other', source.other)}", namespace)
    first = namespace["x"] if isinstance(namespace["x"], torch.Tensor) else np.asarray(namespace["x"])
    assert first.shape[-1] == len(namespace["other"])


def test_every_accelerator_has_the_same_sources_and_forty_cells() -> None:
    """Seven kinds of tensor each; what a device needs says so, and its code sets it up."""
    for device, needs in {"cuda": "cuda", "lazy": "", "xla": "xla", "vulkan": "vulkan"}.items():
        sources = [s for s in SOURCES if s.device == device]
        assert len(sources) == 7
        assert {" ".join(s.needs) for s in sources} == {needs}
        assert sum(s.device == device for _, s in list_pairs()) >= 40


def test_rows_of_a_device_are_tried_where_they_say() -> None:
    """Rows that name an accelerator on a few sources, rows for a machine without a GPU on one of the CPU."""
    (move,) = (c for c in CONVERSIONS if c.title == 'x.to("lazy")')
    tried = {s.name for s in SOURCES if is_tried(move, s)}
    assert "tensor-float32" in tried
    assert not {"tensor-xla", "tensor-float64"} & tried
    refused = [c for c in CONVERSIONS if NO_CUDA in c.needs]
    assert {'x.to("cuda")  # no GPU', "x.cuda()  # no GPU", "torch.device(0)  # no GPU"} <= {
        c.title for c in refused
    }
    assert {s.device for c in refused for s in SOURCES if is_tried(c, s)} == {"cpu"}


def test_conversion_that_names_a_device_needs_it() -> None:
    """Where there is none, its cells are not tried, unless it is there to see torch refuse."""
    assert all({"cuda", NO_CUDA} & {*c.needs} for c in CONVERSIONS if "cuda" in c.code)
    assert all("cuda" in s.needs for s in SOURCES if "cuda" in s.code or "pin_memory()" in s.code)


def test_no_script_initialises_a_device_twice() -> None:
    """A second `init` raises, where source and call each have one for a reader who runs them alone."""
    scripts = [render_script(conversion, source) for conversion, source in list_pairs()]
    assert max(script.count("ts_backend.init()") for script in scripts) == 1
