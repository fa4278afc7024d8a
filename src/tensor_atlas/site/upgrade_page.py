"""The page on which a reader chooses two environments and reads what changes: its data, and its place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec
from docutils import nodes

from tensor_atlas.compare.upgrade import MOST_USED, build_upgrade_table
from tensor_atlas.compare.upgrade_report import TITLES
from tensor_atlas.site.directives import EvidenceDirective
from tensor_atlas.site.execution import GALLERY, MATRIX, evidence_of
from tensor_atlas.site.matrix_pages import CONVERSION
from tensor_atlas.site.nodes import build_element
from tensor_atlas.site.page_scripts import UPGRADE_DATA, write_script

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx

NAME = "NAME"
"""Stands for an example or a conversion in the addresses that the page gives its script."""


def write_data(app: Sphinx) -> None:
    """Handler of ``builder-inited``, after the execution: the table that the page's script reads."""
    if app.builder.format == "html":
        table = msgspec.to_builtins(build_upgrade_table(evidence_of(app)))
        write_script(
            app, UPGRADE_DATA, "atlasUpgrade", {**table, "titles": [*TITLES.values()], "most": len(MOST_USED)}
        )


class UpgradePage(EvidenceDirective):
    """Where the script puts two lists of environments, and what changes from one to the other."""

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        words = "Choosing two environments needs JavaScript, which is off. "
        words += (
            "The pages of the releases list the changes of each, and tensor-atlas compare writes this page."
        )
        context.depend_on(MATRIX)
        example, call = f"{GALLERY}/{NAME}", f"{CONVERSION}/{NAME}"
        yield build_element(
            "div",
            nodes.paragraph("", words, classes=["atlas-notice"]),
            css="atlas-upgrade",
            data_example=context.locate(example),
            data_call=context.locate(call),
        )
