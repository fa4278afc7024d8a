"""``docs/preferences.toml``: what an entry may say, and what sources are combinations of."""

from __future__ import annotations

from typing import Any

import pytest
from samples import CPU, OLDER, SHARES

from tensor_atlas.catalogue import SOURCES, Form, Source
from tensor_atlas.errors import AtlasError
from tensor_atlas.history.patterns import Patterns
from tensor_atlas.matrix.chooser import ResultKind, build_chooser_table
from tensor_atlas.matrix.chooser_cells import encode_cells
from tensor_atlas.matrix.preferences import ProofStep
from tensor_atlas.matrix.traits import Parts, list_dtypes, take_apart
from tensor_atlas.records.matrix_rows import Row
from tensor_atlas.site.matrix.conversion_chooser import parse_preferences

PAGE = "https://numpy.org/doc/stable/reference/arrays.html"
ENTRY = {"of": '"array"', "to": '"TENSOR"', "call": '"torch.from_numpy(x)"', "source": f'"{PAGE}"'}


def write(**fields: str) -> str:
    """An entry with some fields set."""
    return "[[preferences]]\n" + "".join(f"{key} = {value}\n" for key, value in {**ENTRY, **fields}.items())


def source(name: str) -> Source:
    """A source by name."""
    return next(source for source in SOURCES if source.name == name)


def test_call_that_is_spelled_like_a_conversion_needs_no_proof() -> None:
    """Other calls name the cells that prove them."""
    first, second = parse_preferences(
        write() + write(call='"x.frob()"', cells='["x-detach", "x-numpy @ plain"]', of='"tensor"'), "p.toml"
    )
    assert (first.form, first.kind, first.steps) == (
        Form.ARRAY,
        ResultKind.TENSOR,
        (ProofStep("torch-from-numpy-x"),),
    )
    assert second.steps == (ProofStep("x-detach"), ProofStep("x-numpy", "plain"))


def test_words_stand_for_all_sources_that_have_them() -> None:
    """A flag for every source with it, of the entry's form."""
    (found,) = parse_preferences(write(only='["read-only"]'), "p.toml")
    assert {"array-read-only", "array-memory-mapped-read-only"} <= set(found.only)
    assert "buffer-bytes" not in found.only


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"of": '"vector"'}, "no conversion of vector"),
        ({"to": '"LIST"'}, "no conversion of array to LIST"),
        ({"call": '"torch.frob(x)"'}, "no cell proves torch.frob"),
        ({"cells": '["x-frob"]'}, "no cell proves torch.from_numpy"),
        ({"cells": '["x-detach @ array-frob"]'}, "no cell proves torch.from_numpy"),
        ({"only": '["frobbed"]'}, "only: no array is frobbed"),
        ({"source": '"https://example.org/"'}, "no official documentation"),
        ({"rank": "1"}, "unknown field rank"),
        ({"copies": '"two"'}, "copies: Expected `int`, got `str`\n    write copies = 1"),
        ({"copies": "-3"}, "copies: Expected `int` >= 0\n    write copies = 1"),
        ({"strict": '"yes"'}, "strict: Expected `bool`, got `str`\n    write strict = true"),
    ],
)
def test_entry_that_cannot_be_right_is_named_with_its_line(fields: dict[str, str], words: str) -> None:
    """Whoever wrote it is told where, and what is wrong."""
    with pytest.raises(AtlasError) as caught:
        parse_preferences("\n" + write(**fields), "docs/p.toml")
    assert str(caught.value).startswith(f"docs/p.toml:2  {words}")


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("array-float64", Parts("float64")),
        ("array-float64-reversed", Parts("float64", layout="array-reversed")),
        ("array-read-only", Parts("float32", flag="array-read-only")),
        ("tensor-cuda-requires-grad", Parts("torch.float32", "", "tensor-requires-grad", "tensor-cuda")),
        ("tensor-cuda-bfloat16", Parts("torch.bfloat16", device="tensor-cuda")),
        ("tensor-bits8", Parts("torch.bits8")),
        ("sequence-floats", None),
    ],
)
def test_source_is_taken_apart(name: str, parts: Parts | None) -> None:
    """Into the dtype, and the sources that stand for layout, flags and device."""
    assert take_apart(source(name)) == parts


def test_no_two_sources_are_the_same_combination() -> None:
    """So that a combination is at most one source."""
    found = [(source.form, parts) for source in SOURCES if (parts := take_apart(source))]
    assert len(set(found)) == len(found)


def test_trait_goes_only_with_dtypes_that_can_have_it() -> None:
    """Integers record no gradient, real numbers have no conjugate, quantized bytes have one dtype."""
    assert "torch.int64" not in list_dtypes(source("tensor-requires-grad"))
    assert "torch.bfloat16" in list_dtypes(source("tensor-requires-grad"))
    assert "torch.float32" not in list_dtypes(source("tensor-conjugate"))
    assert list_dtypes(source("tensor-quantized")) == ("torch.quint8",)
    assert "object" in list_dtypes(source("array-reversed"))
    assert "torch.bits8" not in list_dtypes(source("tensor-transposed"))


# --- for the script ------------------------------------------------------------------------------


def test_cells_are_mappings_of_environments_to_what_they_did() -> None:
    """Cells in which the same environments did alike share one; one that nobody tried leads to nothing."""
    row = {OLDER.id: {"array-float32": SHARES}, CPU.id: {"array-float32": SHARES, "array-int64": SHARES}}
    table = build_chooser_table(
        {"torch-from-numpy-x": Row("torch-from-numpy-x", row)}, {CPU.id: CPU, OLDER.id: OLDER}
    )
    patterns = Patterns((OLDER, CPU))
    document: Any = encode_cells(table, Form.ARRAY, (), patterns)
    assert patterns.encode()["patterns"] == ["  ", " 0", "00"]
    assert document["mappings"] == [[0], [1, -1], [2, 0]]
    assert len(document["summaries"]) == 1
    cells = document["cells"]
    assert (cells[0], cells.count(-1)) == (-1, 3)
    assert set(cells) == {-1, 0}
