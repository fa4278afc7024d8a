"""Pages of the matrix as Markdown: tables of what the newest release does."""

from __future__ import annotations

from dataclasses import replace

from samples import CPU

from tensor_atlas.catalogue import SOURCES
from tensor_atlas.matrix.table import Matrix, build_matrix
from tensor_atlas.model.cells import Cell, Outcome, Proof
from tensor_atlas.model.runs import Raised
from tensor_atlas.pages.matrix_markdown import tabulate_conversion, tabulate_source
from tensor_atlas.records.matrix_rows import Row
from tensor_atlas.records.store import Store

OLD = replace(CPU, torch="2.2.2", numpy="1.26.4")
NEW = replace(CPU, torch="2.12.1")
SHARES = Cell(Outcome.SHARES, Proof.WRITE, "Tensor", "torch.float32", (3,), (4,), "cpu")
RAISES = Cell(Outcome.RAISES, error=Raised("TypeError", "<b>a|b</b>"))
NAME = "torch-from-numpy-x"


def matrix() -> Matrix:
    """A conversion that one release refused, and that still refuses another source."""
    cells = {OLD.id: {"array-float32": RAISES}, NEW.id: {"array-float32": SHARES, "array-int64": RAISES}}
    row = Row(NAME, cells, dict.fromkeys(cells, "2026-01-02"))
    return build_matrix(Store({OLD.id: OLD, NEW.id: NEW}, {}, {NAME: row}))


def numpy_matrix() -> Matrix:
    """A conversion of tensors, tried on one of them."""
    row = Row("x-numpy", {NEW.id: {"tensor-float32": SHARES}}, {NEW.id: "2026-01-02"})
    return build_matrix(Store({NEW.id: NEW}, {}, {"x-numpy": row}))


def row_of(text: str, address: str) -> str:
    """The row with a link to an address."""
    (row,) = [line for line in text.split("\n") if f"({address})" in line]
    return row


def test_conversion_is_a_table_of_sources() -> None:
    """What the newest release does, and how that came to be."""
    text = tabulate_conversion(matrix(), NAME)
    assert text.startswith("# `torch.from_numpy(x)`\n")
    assert "```python\ny = torch.from_numpy(x)\n```" in text
    assert "2 inputs, as recorded with torch 2.12.1" in text
    assert text.index("## Arrays by dtype") < text.index("| Input | Outcome | Result | Over the releases |")
    row = row_of(text, "../source/array-float32.md")
    assert row.startswith("| [float32 array](../source/array-float32.md) | = shares memory | Tensor float32 ")
    assert row.endswith("| Shares memory since 2.12; raises (TypeError) before 2.3. |")


def test_page_names_the_release_that_gave_its_results() -> None:
    """Not one that tried other cells alone, nor that among the others."""
    found = matrix()
    assert "2 inputs, as recorded with torch 2.12.1, NumPy 2.4.6, CPU, and with 1 other environment." in (
        tabulate_conversion(found, NAME)
    )
    cells = {OLD.id: {"array-float32": SHARES}}
    rows = {"torch-tensor-x": Row("torch-tensor-x", cells, {OLD.id: "2026-01-02"})}
    cells = {NEW.id: {"array-int64": SHARES}}
    rows[NAME] = Row(NAME, cells, {NEW.id: "2026-01-02"})
    found = build_matrix(Store({OLD.id: OLD, NEW.id: NEW}, {}, rows))
    only, newest = "torch 2.2.2, NumPy 1.26.4, CPU", "torch 2.12.1, NumPy 2.4.6, CPU"
    words = f"as recorded with {only} only. Not tried with {newest}.\n"
    assert f"1 input, {words}" in tabulate_conversion(found, "torch-tensor-x")
    assert f"1 conversion, {words}" in tabulate_source(found, "array-float32")


def test_inputs_that_nobody_has_tried_are_listed() -> None:
    """As the page has them, with what they need."""
    text = tabulate_conversion(matrix(), NAME)
    rest = text[text.index("## Not run yet") :].split("\n")
    assert "- uint8 array" in rest
    assert "- int64 array" not in rest
    (cuda,) = (source for source in SOURCES if source.name == "tensor-cuda")
    assert f"- {cuda.title} (needs cuda)" in tabulate_conversion(numpy_matrix(), "x-numpy")


def test_source_is_a_table_of_conversions() -> None:
    """With the code that makes it."""
    text = tabulate_source(matrix(), "array-int64")
    assert text.startswith("# int64 array\n")
    assert "x = np.array([1, 2, 3]" in text
    assert row_of(text, f"../conversion/{NAME}.md").startswith("| [`torch.from_numpy(x)`]")


def test_error_of_a_cell_is_quoted() -> None:
    """Its class, and its message as code; no bar in it ends a cell."""
    text = tabulate_conversion(matrix(), NAME)
    assert "| × raises | TypeError: `<b>a\\|b</b>` |" in row_of(text, "../source/array-int64.md")
