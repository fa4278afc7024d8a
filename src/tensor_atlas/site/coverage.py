"""Which examples ran where: the coverage table, devices, environments, and what no run has confirmed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from docutils import nodes

from tensor_atlas.compare.deviations import Gap
from tensor_atlas.compare.evidence import Evidence, ExampleEvidence, Origin
from tensor_atlas.history.releases import (
    age_key,
    describe_environment,
    minor_release,
    newest_environment,
)
from tensor_atlas.history.timeline import main_environments, rate_agreement
from tensor_atlas.model.runs import Environment, Status
from tensor_atlas.site.directives import Cell, EvidenceDirective, build_table
from tensor_atlas.site.example_pages import SIGNS
from tensor_atlas.site.nodes import build_element, join_nodes
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


COUNTED = ("current", "stale", "not run")
"""States of an example in an environment, in the order in which pages list them."""


class CoverageTable(EvidenceDirective):
    """A row for each example, a column for each release and each accelerator with a record."""

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        evidence = context.evidence
        columns = list(find_columns(evidence))
        rows: list[list[Cell]] = []
        for _, shown in sorted(evidence.shown.items()):
            signs = [_build_sign(find_sign(shown, evidence, column)) for column in columns]
            rows.append([[nodes.paragraph("", "", node)] for node in (context.link_example(shown), *signs)])
        legend = "; ".join(f"{sign} {words}" for sign, words in LEGEND)
        yield nodes.paragraph("", legend, classes=["atlas-names"])
        yield build_table(["Example", *map(_name_column, columns)], rows, "atlas-census")
        if evidence.gaps:
            yield nodes.paragraph("", "Why something is not measured, or only an older version of it:")
            yield nodes.bullet_list("", *map(_build_gap_item, evidence.gaps))


class DeviceCoverage(EvidenceDirective):
    """What each accelerator has recorded, which of that is stale, and which examples wait for one."""

    def build_nodes(self) -> Iterable[Node]:
        evidence = self.context.evidence
        known = [environment for environment in find_columns(evidence) if environment.kind != "cpu"]
        if known:
            heads = ["Device", "torch", "CUDA", "Driver", "Date", "Examples"]
            yield build_table(heads, [_list_device_facts(evidence, e) for e in known], "atlas-environments")
        else:
            yield nodes.paragraph("", "No GPU has recorded anything yet.")
        groups = {f"Stale on {e.device}, torch {e.torch}": find_stale_examples(evidence, e) for e in known}
        for reason, waiting in group_waiting_examples(evidence).items():
            groups[f"Waits: {reason}"] = waiting
        items = nodes.bullet_list()
        for head, examples in groups.items():
            if examples:
                line = nodes.paragraph("", f"{head} ({len(examples)}): ")
                line += join_nodes(map(self.context.link_example, examples))
                items += nodes.list_item("", line)
        if items.children:
            yield items


class EnvironmentTable(EvidenceDirective):
    """Every recorded environment and the one of this build, the newest first."""

    def build_nodes(self) -> Iterable[Node]:
        evidence = self.context.evidence
        assert evidence.capture is not None  # a build always has one
        here = evidence.capture.environment
        known = {**evidence.store.environments, here.id: here}
        ordered = sorted(known.values(), key=age_key, reverse=True)
        rows = [_read_columns(evidence, environment) for environment in ordered]
        # A column in which every line says nothing would push another out of sight.
        heads = [head for head in rows[0] if any(row[head] not in ("–", "0") for row in rows)]
        yield build_table(heads, [[row[head] for head in heads] for row in rows], "atlas-environments")


def _read_columns(evidence: Evidence, environment: Environment) -> dict[str, str]:
    """Text by column of the row of an environment."""
    is_here = evidence.capture is not None and evidence.capture.environment.id == environment.id
    counts = count_runs(evidence, environment)
    columns = {
        "torch": environment.torch,
        "NumPy": environment.numpy,
        "Python": environment.python,
        "Platform": environment.platform,
        "CUDA build": environment.cuda or "none",
        "Device": environment.device,
        "Driver": environment.driver or "–",
        "Date": f"{environment.date} (this build)" if is_here else environment.date,
    }
    return columns | {word.capitalize(): str(counts[word]) for word in COUNTED}


class EvidenceSummary(EvidenceDirective):
    """Which environments gave the answers and outputs of a page that is no example."""

    def build_nodes(self) -> Iterable[Node]:
        evidence = self.context.evidence
        assert evidence.capture is not None  # a build always has one
        words = [f"Executed in this build: {describe_environment(evidence.capture.environment)}."]
        runs = chain.from_iterable(shown.runs for shown in evidence.shown.values())
        recorded = {environment.id: environment for environment, _ in runs}
        last = newest_environment(recorded.values())
        if last is not None and last.id != evidence.capture.environment.id:
            words.append(f"Shown unless you choose another release: {describe_environment(last)}, recorded.")
        waiting = find_unconfirmed_examples(evidence)
        if waiting:
            count = f"{len(waiting)} of {len(evidence.shown)}"
            words.append(f"{count} examples wait for a machine that can run them.")
        line = nodes.paragraph("", " ".join(words))
        yield nodes.container("", line, classes=["atlas-stamp", "atlas-executed"])


class UnconfirmedExamples(EvidenceDirective):
    """Examples that no run has confirmed yet, with what they wait for."""

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        waiting = find_unconfirmed_examples(context.evidence)
        if not waiting:
            yield nodes.paragraph("", "Every example has been confirmed by a run.")
            return
        items = nodes.bullet_list()
        for shown in waiting:
            line = nodes.paragraph(
                "", "", context.link_example(shown), nodes.Text(f": {shown.missing}; {shown.highest_rung}")
            )
            items += nodes.list_item("", line)
        yield items


def find_unconfirmed_examples(evidence: Evidence) -> list[ExampleEvidence]:
    """Examples that no run has confirmed as they are."""
    return [shown for shown in evidence.shown.values() if shown.origin is Origin.EXPECTED]


def count_runs(evidence: Evidence, environment: Environment) -> Counter[str]:
    """Examples by their state in an environment: current, stale (it ran an older version), not run."""
    if evidence.capture is not None and evidence.capture.environment.id == environment.id:
        runs = list(evidence.capture.runs)
    else:
        records = evidence.store.records.values()
        runs = [record.runs[environment.id] for record in records if environment.id in record.runs]
    counts: Counter[str] = Counter()
    for run in runs:
        example = evidence.examples.get(run.example)
        if example is None:
            continue
        if run.status is Status.NOT_RUN:
            counts["not run"] += 1
        else:
            counts["current" if run.digest == example.digest else "stale"] += 1
    return counts


def _list_device_facts(evidence: Evidence, environment: Environment) -> list[str]:
    """Row of one accelerator with one release."""
    counts = count_runs(evidence, environment)
    texts = [environment.device, environment.torch, environment.cuda or "none", environment.driver or "–"]
    texts.append(environment.date)
    texts.append(", ".join(f"{counts[word]} {word}" for word in COUNTED if counts[word]))
    return texts


def find_stale_examples(evidence: Evidence, environment: Environment) -> list[ExampleEvidence]:
    """Examples of which a device has run older versions only, with any release; by name."""
    found: list[ExampleEvidence] = []
    for _, shown in sorted(evidence.shown.items()):
        current = {e.device for e, _ in shown.runs}
        if environment.id in {e.id for e in shown.stale} and environment.device not in current:
            found.append(shown)
    return found


def group_waiting_examples(evidence: Evidence) -> dict[str, list[ExampleEvidence]]:
    """Examples that no run has confirmed as they are, by what was missing, each group by name."""
    groups: dict[str, list[ExampleEvidence]] = {}
    for shown in sorted(find_unconfirmed_examples(evidence), key=lambda shown: shown.example.name):
        groups.setdefault(shown.missing or "no run has been recorded", []).append(shown)
    return groups


def _build_gap_item(gap: Gap) -> nodes.list_item:
    """A reason, and the examples and environments it holds for."""
    line = nodes.paragraph("", "", *render_prose(gap.reason))
    line += [nodes.Text(" "), nodes.literal("", ", ".join(gap.examples)), nodes.Text(" with ")]
    line += nodes.literal("", " or ".join(gap.environments))
    return nodes.list_item("", line)


def find_columns(evidence: Evidence) -> Iterator[Environment]:
    """One environment for each release without an accelerator, then those of each accelerator."""
    known = {e.id: e for e in evidence.store.environments.values()}
    if evidence.capture is not None:
        known[evidence.capture.environment.id] = evidence.capture.environment
    devices = {environment.device for environment in known.values()}
    for device in sorted(devices, key=lambda device: (device != "cpu", device)):
        yield from main_environments([e for e in known.values() if e.device == device])


def _name_column(environment: Environment) -> str:
    """``2.3``; on an accelerator ``2.3`` with its name."""
    release = minor_release(environment.torch)
    return release if environment.kind == "cpu" else f"{release} {environment.device}"


def find_sign(shown: ExampleEvidence, evidence: Evidence, environment: Environment) -> str:
    """Sign of LEGEND for one example in one environment."""
    runs = {e.id: run for e, run in shown.runs}
    run = runs.get(environment.id)
    if run is None or shown.run is None:
        if environment.id in {e.id for e, _ in shown.not_run}:
            return "–"
        return "s" if environment.id in {e.id for e in shown.stale} else "·"
    if run.status is not Status.COMPLETED:
        return "×"
    return SIGNS[rate_agreement(evidence.examples[shown.example.name], run, shown.run)]


def _build_sign(sign: str) -> Node:
    """A sign, with its meaning for pointers and screen readers."""
    css = f"atlas-state-{CSS[sign]}" if sign in CSS else ""
    return build_element("span", nodes.Text(sign), css=css, title=WORDS[sign])
