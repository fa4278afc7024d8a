"""The topic index: every question of the inventory with the examples that answer it, and every tag."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes

from tensor_atlas.examples import scenarios
from tensor_atlas.examples.scenarios import Scenario
from tensor_atlas.site.directives import EvidenceDirective, Site
from tensor_atlas.site.output_nodes import render_prose

if TYPE_CHECKING:
    from docutils.nodes import Node

NAME = "scenarios"
"""Name of the inventory, a TOML file beside the pages."""


class Topics(EvidenceDirective):
    """Questions by topic, in order of number, each with a link to every example that answers it."""

    def fill(self) -> Iterable[Node]:
        site = self.site
        found = inventory(self, site)
        for topic in dict.fromkeys(scenario.topic for scenario in found):
            section = nodes.section(ids=[nodes.make_id(topic)])
            section += nodes.title("", topic)
            self.state.document.note_implicit_target(section, section)
            items = [self.item(site, scenario) for scenario in found if scenario.topic == topic]
            section += nodes.definition_list("", *items, classes=["atlas-topics"])
            yield section

    def item(self, site: Site, scenario: Scenario) -> nodes.definition_list_item:
        """One question with its answers."""
        term = nodes.term("", "", *render_prose(scenario.question))
        line = nodes.paragraph("", f"{scenario.number} {scenario.title}: ")
        for position, example in enumerate(scenario.examples):
            line += nodes.Text(", " if position else "")
            line += site.link(site.evidence.shown[example])
        return nodes.definition_list_item("", term, nodes.definition("", line))


def inventory(page: EvidenceDirective, site: Site) -> Sequence[Scenario]:
    """Scenarios of the file; AtlasError where it names an example that does not exist."""
    path = Path(page.env.srcdir) / f"{NAME}.toml"
    page.env.note_dependency(str(path))
    return scenarios.parse_scenarios(
        path.read_text(encoding="utf-8"), f"docs/{path.name}", site.evidence.shown
    )
