"""The census: every example on every release and device, so that no gap can hide."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from docutils import nodes

from tensor_atlas.compare.evidence import Evidence, ExampleEvidence, Origin
from tensor_atlas.compare.gaps import Gap
from tensor_atlas.history.releases import minor_release
from tensor_atlas.history.timeline import judge_standing, main_environments
from tensor_atlas.model.runs import Environment, Status
from tensor_atlas.site.directives import Page, counted, in_order, table
from tensor_atlas.site.example_pages import SIGNS
from tensor_atlas.site.nodes import html
from tensor_atlas.site.output_nodes import render_prose

if TYPE_CHECKING:
    from docutils.nodes import Node

LEGEND = (
    ("=", "does what the page shows"),
    ("≈", "other wording"),
    ("≠", "other behaviour"),
    ("×", "the run ends early there"),
    ("–", "lacks what the example needs"),
    ("s", "stale: an older version of the example ran there"),
    ("·", "not measured"),
)
WORDS = dict(LEGEND)
CSS = {"≠": "differs", "×": "differs", "≈": "wording", "–": "none", "·": "none", "s": "none"}


class Census(Page):
    """A row for each example, a column for each release, and for each accelerator that has recorded anything."""

    def fill(self) -> Iterable[Node]:
        site = self.site
        evidence = site.evidence
        columns = list(columns_of(evidence))
        heads = ["Example", *(head(environment) for environment in columns)]
        rows: list[list[list[Node]]] = [
            [
                [nodes.paragraph("", "", site.link(shown))],
                *(cell(shown, evidence, column) for column in columns),
            ]
            for _, shown in sorted(evidence.shown.items())
        ]
        items = (f"{sign} {words}" for sign, words in LEGEND)
        yield nodes.paragraph("", "; ".join(items), classes=["atlas-names"])
        yield table(heads, rows, "atlas-census")
        if evidence.gaps:
            yield nodes.paragraph("", "Why something is not measured, or only an older version of it:")
            yield nodes.bullet_list("", *map(gap_node, evidence.gaps))


class Devices(Page):
    """What each accelerator has recorded, which of that is stale, and which examples wait for one."""

    def fill(self) -> Iterable[Node]:
        evidence = self.site.evidence
        known = [environment for environment in columns_of(evidence) if environment.kind != "cpu"]
        if known:
            heads = ["Device", "torch", "CUDA", "Driver", "Date", "Examples"]
            yield table(
                heads, [self.row(evidence, environment) for environment in known], "atlas-environments"
            )
        else:
            yield nodes.paragraph("", "No GPU has recorded anything yet.")
        told = [(f"Stale on {e.device}, torch {e.torch}", stale_on(evidence, e)) for e in known]
        told += [(f"Waits: {reason}", some) for reason, some in waiting(evidence).items()]
        lines = [self.line(f"{head} ({len(some)}): ", some) for head, some in told if some]
        if lines:
            yield nodes.bullet_list("", *lines)

    def row(self, evidence: Evidence, environment: Environment) -> list[list[Node]]:
        """One accelerator with one release."""
        capture = evidence.capture
        is_here = capture is not None and capture.environment.id == environment.id
        texts = [environment.device, environment.torch, environment.cuda or "none", environment.driver or "–"]
        texts += [environment.date, in_order(counted(evidence, environment, is_here))]
        return [[nodes.paragraph("", text)] for text in texts]

    def line(self, head: str, examples: Iterable[ExampleEvidence]) -> nodes.list_item:
        """What is so of some examples, with a link to each."""
        line = nodes.paragraph("", head)
        for position, shown in enumerate(examples):
            line += [nodes.Text(", " if position else ""), self.site.link(shown)]
        return nodes.list_item("", line)


def stale_on(evidence: Evidence, environment: Environment) -> list[ExampleEvidence]:
    """Examples of which an accelerator has run older code, with whatever release, and none of it as it is now."""
    found = []
    for _, shown in sorted(evidence.shown.items()):
        current = {e.device for e, _ in shown.runs}
        if environment.id in {e.id for e in shown.stale} and environment.device not in current:
            found.append(shown)
    return found


def waiting(evidence: Evidence) -> dict[str, list[ExampleEvidence]]:
    """Examples that no run has confirmed as they are, by what was missing."""
    found: dict[str, list[ExampleEvidence]] = {}
    for _, shown in sorted(evidence.shown.items()):
        if shown.origin is Origin.EXPECTED:
            found.setdefault(shown.missing or "no run has been recorded", []).append(shown)
    return found


def gap_node(gap: Gap) -> nodes.list_item:
    """The reason, and what it is the reason of."""
    line = nodes.paragraph("", "", *render_prose(gap.reason))
    line += [nodes.Text(" "), nodes.literal("", ", ".join(gap.examples)), nodes.Text(" with ")]
    line += nodes.literal("", " or ".join(gap.environments))
    return nodes.list_item("", line)


def columns_of(evidence: Evidence) -> Iterable[Environment]:
    """One environment for each release without an accelerator, then the accelerators'."""
    known = {e.id: e for e in evidence.store.environments.values()}
    if evidence.capture is not None:
        known[evidence.capture.environment.id] = evidence.capture.environment
    devices = sorted(
        {environment.device for environment in known.values()}, key=lambda device: (device != "cpu", device)
    )
    for device in devices:
        yield from main_environments(
            environment for environment in known.values() if environment.device == device
        )


def head(environment: Environment) -> str:
    """``2.3``, or with the accelerator's name."""
    return (
        minor_release(environment.torch)
        if environment.kind == "cpu"
        else f"{minor_release(environment.torch)} {environment.device}"
    )


def sign(shown: ExampleEvidence, evidence: Evidence, environment: Environment) -> str:
    """What one environment says of one example."""
    runs = {e.id: run for e, run in shown.runs}
    run = runs.get(environment.id)
    if run is None or shown.run is None:
        if environment.id in {e.id for e, _ in shown.not_run}:
            return "–"
        return "s" if environment.id in {e.id for e in shown.stale} else "·"
    if run.status is not Status.COMPLETED:
        return "×"
    state = judge_standing(evidence.examples[shown.example.name], run, shown.run)
    return SIGNS[state]


def cell(shown: ExampleEvidence, evidence: Evidence, environment: Environment) -> list[Node]:
    """A sign, and what it means for whoever points at it or listens."""
    found = sign(shown, evidence, environment)
    css = f"atlas-state-{CSS[found]}" if found in CSS else ""
    return [nodes.paragraph("", "", html("span", nodes.Text(found), css=css, title=WORDS[found]))]
