"""Puts maps of the memory on pages: after a block of an example, and on the cards of a chapter's index."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from docutils import nodes

from tensor_atlas.site.execution import evidence_of
from tensor_atlas.site.freshness import note
from tensor_atlas.site.memory_map import MemoryMap, build_thumbnail_map, describe_map
from tensor_atlas.site.memory_svg import THUMBNAIL, draw

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

_PREFIX, _SUFFIX = "sphx_glr_", "_thumb"
"""What sphinx-gallery puts around the name of an example to name its thumbnail."""


class drawing(nodes.General, nodes.Element):  # noqa: N801 - docutils names its nodes so
    """A drawing in HTML, whose names are escaped already; its children are the same in words, for other writers."""


def map_node(found: MemoryMap) -> drawing:
    """Node of a map."""
    return _drawing(found, draw(found))


def _drawing(found: MemoryMap, svg: str) -> drawing:
    return drawing(
        "", *(nodes.paragraph("", words) for words in describe_map(found)), html=svg, classes=["atlas-map"]
    )


def visit(self: HTML5Translator, node: drawing) -> None:
    """Put the drawing in as it is."""
    self.body.append(node["html"])
    raise nodes.SkipNode


def _pass(self: nodes.NodeVisitor, node: drawing) -> None:
    """Writers that cannot draw have the words."""


# --- the cards of an index -------------------------------------------------------------------------


def illustrate(app: Sphinx, doctree: nodes.document) -> None:
    """Handler of ``doctree-read``: on a chapter's index, an example with a map has it for a thumbnail."""
    page = PurePosixPath(app.env.current_document.docname)
    if page.name != "index" or page.parent.parent.as_posix() != app.config.tensor_atlas_gallery:
        return
    evidence = evidence_of(app)
    for image, stem in list(_thumbnails(doctree)):
        name = f"{page.parent.name}/{stem}"
        if name not in evidence.shown:
            continue
        note(app, str(page), name)
        found = build_thumbnail_map(evidence.shown[name].example, evidence.shown[name].run)
        if found is not None:
            image.replace_self(_drawing(found, draw(found, THUMBNAIL)))


def _thumbnails(doctree: nodes.document) -> Iterator[tuple[nodes.image, str]]:
    """Thumbnails of sphinx-gallery, with the stem of the example that each belongs to."""
    for image in doctree.findall(nodes.image):
        stem = PurePosixPath(image["uri"]).stem
        if stem.startswith(_PREFIX) and stem.endswith(_SUFFIX):
            yield image, stem.removeprefix(_PREFIX).removesuffix(_SUFFIX)


def register(app: Sphinx) -> None:
    """Make the node known to every writer."""
    plain = (_pass, _pass)
    app.add_node(drawing, html=(visit, None), latex=plain, text=plain, man=plain, texinfo=plain)
