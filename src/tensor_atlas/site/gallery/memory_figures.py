"""Maps of the memory: after a block of an example, and on the cards of a chapter's index."""

from __future__ import annotations

from pathlib import PurePosixPath

from docutils import nodes
from sphinx.application import Sphinx

from tensor_atlas.pages import GALLERY
from tensor_atlas.pages.memory_drawing import THUMBNAIL, WIDTH, draw_map
from tensor_atlas.pages.memory_map import MemoryMap, build_thumbnail_map, describe_map
from tensor_atlas.site.build.execution import evidence_of, note_dependency
from tensor_atlas.site.build.nodes import drawing

_PREFIX, _SUFFIX = "sphx_glr_", "_thumb"
"""What sphinx-gallery puts around the name of an example to name its thumbnail."""


def build_map_node(memory_map: MemoryMap, width: int = WIDTH) -> drawing:
    """Node of a map, at most ``width`` pixels wide, with all that it shows in words."""
    words = [nodes.paragraph("", sentence) for sentence in describe_map(memory_map)]
    return drawing("", *words, html=draw_map(memory_map, width), classes=["atlas-map"])


def draw_maps_on_cards(app: Sphinx, doctree: nodes.document) -> None:
    """Handler of ``doctree-read``, before Sphinx collects images: a card of a chapter's index has its map.

    No card has the picture that sphinx-gallery gives each, which no page shows.
    """
    page = PurePosixPath(app.env.current_document.docname)
    if page.name != "index" or page.parts[0] != GALLERY:
        return
    evidence = evidence_of(app)
    for image in list(doctree.findall(nodes.image)):
        stem = PurePosixPath(image["uri"]).stem.removeprefix(_PREFIX).removesuffix(_SUFFIX)
        shown = evidence.shown.get(f"{page.parent.name}/{stem}")
        memory_map = None
        if shown is not None:
            note_dependency(app, str(page), shown.example.name)
            memory_map = build_thumbnail_map(shown.example, shown.run)
        image.replace_self([] if memory_map is None else build_map_node(memory_map, THUMBNAIL))
