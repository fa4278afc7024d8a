"""A drawing of values of two axes that read the same bytes, after a block of an example."""

from __future__ import annotations

from collections.abc import Iterable

from docutils import nodes
from docutils.nodes import Node

from tensor_atlas.errors import AtlasError
from tensor_atlas.pages.stride_drawing import describe_strides, draw_strides, find_grids
from tensor_atlas.site.build.directives import EvidenceDirective
from tensor_atlas.site.build.nodes import drawing


class StrideFigure(EvidenceDirective):
    """The values of two axes after a block of an example: ``{strides} chapter/example 2``."""

    required_arguments = 2

    def build_nodes(self) -> Iterable[Node]:
        name, number = self.arguments
        page = self.context.evidence.pages.get(name)
        values = find_grids(page, int(number) - 1) if page is not None and number.isdecimal() else []
        if page is None or len({value.buffer for value in values}) != 1:
            problem = f"no values of two axes over one buffer after block {number} of {name}"
            raise AtlasError(self.where, problem, "name an example and a block of it that was recorded")
        words = [nodes.paragraph("", sentence) for sentence in describe_strides(values)]
        yield drawing("", *words, html=draw_strides(values), classes=["atlas-picture"])
        link = self.context.link_example(page, anchor=f"block-{number}")
        yield nodes.paragraph("", "Recorded in ", link, nodes.Text("."), classes=["atlas-names"])
