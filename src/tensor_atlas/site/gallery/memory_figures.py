"""Maps of the memory after a block of an example."""

from __future__ import annotations

from docutils import nodes

from tensor_atlas.pages.memory_drawing import draw_map
from tensor_atlas.pages.memory_map import MemoryMap, describe_map
from tensor_atlas.site.build.nodes import drawing


def build_map_node(memory_map: MemoryMap) -> drawing:
    """Node of a map, with all that it shows in words."""
    words = [nodes.paragraph("", sentence) for sentence in describe_map(memory_map)]
    return drawing("", *words, html=draw_map(memory_map), classes=["atlas-map"])
