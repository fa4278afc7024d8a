"""What a drawing of a map holds, read as the XML that it is."""

from __future__ import annotations

import gzip
from xml.etree import ElementTree as ET

import pytest

from tensor_atlas.pages import memory_drawing
from tensor_atlas.pages.memory_drawing import FAINTEST, LONGEST_NAME, MAP_WIDTH, NARROWEST, draw_map
from tensor_atlas.pages.memory_map import Bar, Bare, MemoryMap, View, describe_map

WHOLE = View(("array", "tensor"), ((0, 48),))
STRIPES = View(("column",), ((8, 16), (24, 32), (40, 48)))
MAP = MemoryMap(
    (
        Bar("cpu", 48, 8, (WHOLE, STRIPES)),
        Bar("cpu", 24, 8, (View(("copy",), ((0, 24),)),), more=2),
        Bar("cuda:0", 24, 8, (View(("moved",), ((0, 24),)),)),
    ),
    (Bare("plan", "has no bytes: it is on the meta device"),),
    3,
)


def parsed(found: MemoryMap, width: int = MAP_WIDTH) -> ET.Element:
    """The drawing's root; it must be well formed."""
    return ET.fromstring(draw_map(found, width))


def by_class(root: ET.Element, css: str) -> list[ET.Element]:
    """Elements of a class."""
    return [node for node in root.iter() if css in node.get("class", "").split()]


def texts(root: ET.Element) -> list[str]:
    """All words of a drawing."""
    return ["".join(node.itertext()) for node in root.iter() if node.tag in ("text", "span")]


def spans(path: ET.Element) -> list[tuple[float, float]]:
    """Left edge and width of each rectangle of a path."""
    shapes = path.get("d", "").split("z")[:-1]
    return [(float(s[1:].split()[0]), float(s.split("h")[1].split("v")[0])) for s in shapes]


def test_a_buffer_is_one_bar_and_devices_stand_apart() -> None:
    """Two groups of devices, and one for who has no bytes."""
    groups = by_class(parsed(MAP), "atlas-map-device")
    assert [len(by_class(group, "bar")) for group in groups] == [2, 1, 0]
    assert texts(groups[0])[0] == "CPU · 48 bytes, shared"
    assert texts(groups[1])[0] == "cuda:0 · 24 bytes"
    assert texts(groups[0])[1:4] == ["array", "tensor", "column"]
    assert texts(groups[0])[4] == "3 × 8 bytes from byte 8", "a view of a part says of which"


def test_bars_are_to_one_scale() -> None:
    """Half the bytes, half the length; the shortest can still be seen."""
    lengths = [float(bar.get("width", 0)) for bar in by_class(parsed(MAP), "bar")]
    assert lengths == [MAP_WIDTH, MAP_WIDTH / 2, MAP_WIDTH / 2]
    tiny = MemoryMap((MAP.bars[0], Bar("cpu", 16_000_000, 8, (View(("large",), ((0, 16_000_000),)),))))
    assert [float(bar.get("width", 0)) for bar in by_class(parsed(tiny), "bar")] == [NARROWEST, MAP_WIDTH]


def test_line_marks_the_bytes_that_the_names_below_it_see() -> None:
    """Offset and stride to scale; what is lit in the bar are the same bytes."""
    views = by_class(parsed(MAP), "view")
    assert [chip.get("data-name") for chip in by_class(views[0], "name")] == ["array", "tensor"]
    (line,), (lit,) = by_class(views[1], "line"), by_class(views[1], "lit")
    assert spans(line) == [(MAP_WIDTH * start / 48, MAP_WIDTH / 6) for start in (8, 24, 40)]
    assert spans(lit) == spans(line)


def test_pieces_too_close_to_tell_apart_are_hatched() -> None:
    """And a single piece too small to be seen is as wide as the eye needs."""
    thousand = View(("column",), tuple((16 * k, 16 * k + 8) for k in range(1000)))
    small = View(("few",), ((0, 8),))
    root = parsed(MemoryMap((Bar("cpu", 16_000, 8, (thousand, small)),)))
    assert len(by_class(root, "hatched")) == 2
    assert spans(by_class(root, "line")[1]) == [(0, FAINTEST)]


@pytest.mark.parametrize(("distance", "hatched"), [(96, 0), (95, 2)])
def test_pieces_that_can_just_be_told_apart_are_drawn(distance: int, hatched: int) -> None:
    """From where one begins to where the next does: three pixels are enough."""
    two = View(("row",), ((0, 8), (distance, distance + 8)))
    root = parsed(MemoryMap((Bar("cpu", 32 * MAP_WIDTH, 8, (two,)),)))
    assert len(by_class(root, "hatched")) == hatched


def test_boxes_stand_in_one_row_as_long_as_they_fit() -> None:
    """One that is wider than a row has its own, and no row is empty."""
    boxes = [(name, pixels, True) for name, pixels in (("a", 90.0), ("b", 40.0), ("c", 40.0), ("d", 10.0))]
    rows = memory_drawing._wrap_boxes(boxes, 85)
    assert [[name for name, _, _ in row] for row in rows] == [["a"], ["b", "c"], ["d"]]


def test_names_and_devices_are_escaped() -> None:
    """Text of a run is data, in an attribute and between tags."""
    evil = "x['<script>\"&']"
    found = MemoryMap((Bar('"<i>', 8, 8, (View((evil,), ((0, 8),)),)),), (Bare(evil, "<b>"),))
    assert "<script>" not in draw_map(found)
    assert "<i>" not in draw_map(found)
    root = parsed(found)
    assert [chip.get("data-name") for chip in by_class(root, "name")] == [evil, evil]
    assert root.get("aria-label", "").count(evil) == 2


def test_words_stand_for_the_drawing() -> None:
    """It is one image with all that it shows as its name."""
    root = parsed(MAP)
    assert root.get("role") == "img"
    assert root.get("aria-label") == f"Memory: {' '.join(describe_map(MAP))}"
    assert {svg.get("aria-hidden") for svg in root.iter("svg")} == {"true"}


def test_what_is_left_out_is_counted() -> None:
    """On its bar, and for the map."""
    assert [text for text in texts(parsed(MAP)) if text.startswith("and ")] == ["and 2 more", "and 3 more"]


@pytest.mark.parametrize("width", [MAP_WIDTH, 200])
def test_nothing_reaches_beyond_the_drawing(width: int) -> None:
    """Rectangles, and words as wide as they may be, lie within each picture of the width asked for."""
    names = tuple(f"checkpoint['weight_{k}']" for k in range(4))
    right = View(("at_the_end",), ((47, 48),))
    long = View(("long" * LONGEST_NAME,), ((40, 48),))
    bars = (
        Bar("cpu", 48, 1, (View(names, ((0, 48),)), right, long), 1),
        Bar("cpu", 1, 1, (View(("b",), ((0, 1),)),)),
    )
    for svg in parsed(MemoryMap(bars, MAP.bare), width).iter("svg"):
        wide, high = float(svg.get("width", 0)), float(svg.get("height", 0))
        assert wide <= max(width, LONGEST_NAME * 8) + 2
        for rect in svg.iter("rect"):
            assert (
                0 <= float(rect.get("x", 0)) <= float(rect.get("x", 0)) + float(rect.get("width", 0)) <= wide
            )
            assert float(rect.get("y", 0)) + float(rect.get("height", 0)) <= high
        assert all(
            float(text.get("x", -1)) >= 0 and float(text.get("y", 0)) < high for text in svg.iter("text")
        )
    assert draw_map(MemoryMap(bars), width).count("…</text>") == 1


def test_drawing_is_light() -> None:
    """A page with several of them stays small."""
    assert len(gzip.compress(draw_map(MAP).encode())) < 1500


def test_same_facts_give_the_same_drawing_and_no_two_of_them_clash() -> None:
    """No ids: a page may hold a drawing twice."""
    assert draw_map(MAP) == draw_map(MAP)
    assert all(node.get("id") is None for node in parsed(MAP).iter())
