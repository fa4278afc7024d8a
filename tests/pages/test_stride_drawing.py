"""How a picture of strides says where elements lie, read as the XML that it is."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

from tensor_atlas.model.runs import Value
from tensor_atlas.pages.stride_drawing import describe_strides, draw_strides, has_grid, list_offsets

MATRIX = Value("matrix", "Tensor", "torch.float32", (2, 3), (12, 4), "cpu", buffer=0, start=0, stop=24)
TURNED = replace(MATRIX, name="array", kind="ndarray", shape=(3, 2), strides=(4, 12))


def test_elements_begin_where_strides_and_offset_say() -> None:
    """A transpose reads the same bytes in another order, a slice begins later."""
    assert list_offsets(MATRIX) == [[0, 4, 8], [12, 16, 20]]
    assert list_offsets(TURNED) == [[0, 12], [4, 16], [8, 20]]
    assert list_offsets(replace(MATRIX, shape=(1, 3), start=12)) == [[12, 16, 20]]


def test_picture_has_the_memory_and_each_value_and_says_so_in_words() -> None:
    """An element has one colour wherever it stands; names are text."""
    root = ET.fromstring(draw_strides([MATRIX, replace(TURNED, name="<b>")]))
    tables = [[cell.text for cell in table.iter("td")] for table in root.iter("table")]
    assert tables == [["0", "4", "8", "12", "16", "20"]] * 2 + [["0", "12", "4", "16", "8", "20"]]
    colours = {(cell.text, cell.get("class")) for cell in root.iter("td")}
    assert len(colours) == 6
    assert root.get("role") == "img"
    words = f"{' '.join(describe_strides([MATRIX]))} <b>, ndarray of shape (3, 2)"
    assert root.get("aria-label", "").startswith(words)
    assert "the next row begins 12 bytes on, the next column 4" in words


def test_what_has_no_rows_or_no_memory_is_not_drawn() -> None:
    """Nor what has too many elements for a picture."""
    assert has_grid(MATRIX)
    for other in (
        replace(MATRIX, shape=(6,), strides=(4,)),
        replace(MATRIX, start=None),
        replace(MATRIX, strides=None),
        replace(MATRIX, strides=(0, 4)),
        replace(MATRIX, shape=(2, 0)),
        replace(MATRIX, shape=(100, 3)),
    ):
        assert not has_grid(other)
