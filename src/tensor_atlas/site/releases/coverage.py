"""Which examples ran where: the coverage table, devices, environments, and what no run has confirmed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter

from docutils import nodes
from docutils.nodes import Node

from tensor_atlas.compare import replays
from tensor_atlas.compare.deviations import Gap
from tensor_atlas.compare.evidence import Evidence, ExampleEvidence, Origin
from tensor_atlas.history.releases import (
    age_key,
    minor_release,
    newest_environment,
    summarize_environment,
    torch_release,
)
from tensor_atlas.history.timeline import main_environments, rate_agreement
from tensor_atlas.model.runs import Environment, Status
from tensor_atlas.site.build.directives import Cell, EvidenceDirective, build_table
from tensor_atlas.site.build.nodes import build_element, join_nodes, render_prose
from tensor_atlas.site.gallery.example_pages import SIGNS

LEGEND = (
    ("=", "same as on the page"),
    ("≈", "different wording"),
    ("≠", "different behaviour"),
    ("×", "the run ends early"),
    ("–", "lacks what the example needs"),
    ("s", "stale: an older version of the example ran"),
    ("·", "not measured"),
)
WORDS = dict(LEGEND)
CSS = {"≠": "differs", "×": "differs", "≈": "wording", "–": "none", "·": "none", "s": "none"}


SILENT = ("–", "0")
"""What a table says where there is nothing to say."""
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
        yield build_table(["Example", *map(_name_column, columns)], rows, "atlas-coverage")
        if evidence.gaps:
            yield nodes.paragraph("", "Why some results are missing, or are from older code:")
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
        groups = {
            f"Older code on {e.device}, torch {e.torch}": find_stale_examples(evidence, e) for e in known
        }
        for reason, waiting in group_waiting_examples(evidence).items():
            groups[f"Not run yet: {reason}"] = waiting
        items = nodes.bullet_list()
        for head, examples in groups.items():
            if examples:
                line = nodes.paragraph("", f"{head} ({len(examples)}): ")
                line += join_nodes(map(self.context.link_example, examples))
                items += nodes.list_item("", line)
        if items.children:
            yield items


class ReplayTable(EvidenceDirective):
    """When each environment was last run again, and whether it gave what is recorded."""

    def build_nodes(self) -> Iterable[Node]:
        found = replays.parse_replays(self.read_file(replays.FILE.name), replays.FILE.as_posix())
        environments = self.context.evidence.store.environments
        known = [environments[name] for name in found if name in environments]
        rows = []
        for environment in sorted(known, key=age_key, reverse=True):
            last = found[environment.id]
            counts = [f"{count:,}" for count in (last.cells, last.statements, last.differences)]
            rows.append([summarize_environment(environment), last.date, *counts])
        heads = ["Environment", "Date", "Cells", "Statements", "Different results"]
        yield build_table(heads, rows, "atlas-environments")


class EnvironmentTable(EvidenceDirective):
    """Every recorded environment and the one of this build, the newest first."""

    def build_nodes(self) -> Iterable[Node]:
        evidence = self.context.evidence
        assert evidence.capture is not None  # a build always has one
        here = evidence.capture.environment
        known = {**evidence.store.environments, here.id: here}
        ordered = sorted(known.values(), key=age_key, reverse=True)
        rows = [_read_columns(evidence, environment) for environment in ordered]
        # A column in which every row says the same would push another out of sight.
        common = _find_common(rows)
        heads = [head for head in rows[0] if head not in common]
        said = [f"{head.lower()} {text}" for head, text in common.items() if text not in SILENT]
        if said:
            yield nodes.paragraph("", f"The same in every environment: {', '.join(said)}.")
        yield build_table(heads, map(itemgetter(*heads), rows), "atlas-environments")


def _find_common(rows: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Columns in which every row says the same, or nothing; releases have columns whatever they say."""
    others = [head for head in rows[0] if head not in ("torch", "NumPy", "Python")]
    same = {head: rows[0][head] for head in others if len(set(map(itemgetter(head), rows))) == 1}
    return {head: text for head, text in same.items() if len(rows) > 1 or text in SILENT}


def _read_columns(evidence: Evidence, environment: Environment) -> dict[str, str]:
    """Text by column of the row of an environment."""
    is_here = evidence.capture is not None and evidence.capture.environment.id == environment.id
    counts = count_runs(evidence, environment)
    columns = {
        "torch": environment.torch,
        "NumPy": environment.numpy,
        "Python": environment.python,
        "Platform": environment.platform,
        "Device": environment.device,
        "Driver": environment.driver or "–",
        "Date": f"{environment.date} (this build)" if is_here else environment.date,
    }
    return columns | {word.capitalize(): str(counts[word]) for word in COUNTED}


class EvidenceSummary(EvidenceDirective):
    """With which releases a page that is no example was answered; with ``code``, also its own cells."""

    optional_arguments = 1

    def build_nodes(self) -> Iterable[Node]:
        evidence = self.context.evidence
        assert evidence.capture is not None  # a build always has one
        here = evidence.capture.environment
        last = newest_environment(evidence.environments) or here
        words = f"Answers on this page are from {_name_releases(last)}, unless you choose other releases."
        if self.arguments == ["code"] and last.id != here.id:
            words += f" The code on this page ran with {_name_releases(here)}."
        yield nodes.paragraph("", words, classes=["atlas-foot"])


def _name_releases(environment: Environment) -> str:
    """``torch 2.15.0 and NumPy 2.5.5 on 2026-11-23``."""
    return f"torch {torch_release(environment)} and NumPy {environment.numpy} on {environment.date}"


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
            line = nodes.paragraph("", "", context.link_example(shown))
            line += nodes.Text(f": {shown.missing}; {shown.highest_rung}")
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
