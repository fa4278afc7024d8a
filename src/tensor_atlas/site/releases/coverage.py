"""Which examples ran where: the coverage table, devices, environments, and what no run has confirmed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter

from docutils import nodes
from docutils.nodes import Node

from tensor_atlas.compare import replays
from tensor_atlas.compare.change_text import count_noun
from tensor_atlas.compare.deviations import Gap
from tensor_atlas.compare.evidence import ExampleEvidence
from tensor_atlas.history.releases import age_key, newest_environment, summarize_environment
from tensor_atlas.model.runs import Environment
from tensor_atlas.pages.coverage_view import (
    SILENT,
    STATES,
    Pairing,
    describe_device_row,
    describe_environment_row,
    describe_states,
    describe_usual_states,
    find_columns,
    find_common,
    find_signs,
    find_stale_examples,
    find_unconfirmed_examples,
    find_usual_states,
    group_waiting_examples,
    list_pairings,
    name_releases,
    sort_releases,
)
from tensor_atlas.site.build.directives import Cell, EvidenceDirective, build_table
from tensor_atlas.site.build.execution import project_of
from tensor_atlas.site.build.nodes import build_fold, join_nodes, render_prose

GRAVEST = "=·–s≈×≠"
"""Signs by what a reader wants to hear of first, the last one."""
COUNTED_SIGNS = {
    "≠": ("gives another result on some release", "give another result on some release"),
    "×": ("ends early on one", "end early on one"),
}
"""What the title of a chapter counts, said of one example and of several: each by its gravest sign."""
Signs = Mapping[Environment, str]
"""What each environment did with an example."""


class CoverageTable(EvidenceDirective):
    """Chapter by chapter a row for each example: where it runs, where it differs, where it has not run."""

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        evidence = context.evidence
        columns = list(find_columns(evidence))
        by_name = sorted(evidence.pages.items())
        for chapter, some in groupby(by_name, lambda item: item[0].partition("/")[0]):
            known = [(page, find_signs(page, evidence, columns)) for _, page in some]
            yield self._build_chapter(chapter, known)
        if evidence.gaps:
            reasons = nodes.bullet_list("", *map(self._build_gap_item, evidence.gaps))
            words = "Why some results are missing, or are from older code"
            yield build_fold(words, reasons, css="atlas-fold")

    def _build_chapter(self, chapter: str, known: Sequence[tuple[ExampleEvidence, Signs]]) -> Node:
        """A row for each example; above them what devices did with most, which the rows leave out."""
        rows = [signs for _, signs in known]
        usual = find_usual_states(rows)
        states = [describe_states(signs, usual) for signs in rows]
        kept = [place for place, column in enumerate(zip(*states, strict=True)) if any(column)]
        cells: list[list[Cell]] = []
        for (page, _), row in zip(known, states, strict=True):
            link = nodes.paragraph("", "", self.context.link_example(page))
            cells.append([[link], *(row[place] for place in kept)])
        heads = ["Example", *([*STATES][place] for place in kept)]
        words = describe_usual_states(rows)
        line = [nodes.paragraph("", f"Devices, unless a row says otherwise: {words}")] if words else []
        table = build_table(heads, cells, "atlas-coverage")
        title = f"{self._read_title(chapter)}: {count_noun(len(rows), 'example')}{_count_signs(rows)}"
        return build_fold(title, *line, table, css="atlas-fold")

    def _build_gap_item(self, gap: Gap) -> nodes.list_item:
        pages = self.context.evidence.pages
        links = [self.context.link_example(pages[name]) for name in gap.examples if name in pages]
        line = nodes.paragraph("", "", *render_prose(gap.reason))
        line += [nodes.Text(" With "), nodes.literal("", " or ".join(gap.environments)), nodes.Text(": ")]
        line += join_nodes(links)
        return nodes.list_item("", line)

    def _read_title(self, chapter: str) -> str:
        """Title of a chapter, as the header of its index has it."""
        path = project_of(self.context.app).root / "examples" / chapter / "GALLERY_HEADER.rst"
        self.env.note_dependency(str(path))
        return path.read_text(encoding="utf-8").strip().partition("\n")[0]


def _count_signs(rows: Iterable[Signs]) -> str:
    """``; 5 give another result on some release, 3 end early on one``; nothing where none does."""
    found = Counter(max(signs.values(), key=GRAVEST.index) for signs in rows)
    counts = [
        f"{found[sign]} {words[found[sign] != 1]}" for sign, words in COUNTED_SIGNS.items() if found[sign]
    ]
    return f"; {', '.join(counts)}" if counts else ""


class DeviceCoverage(EvidenceDirective):
    """What each accelerator has recorded, which of that is stale, and which examples wait for one."""

    def build_nodes(self) -> Iterable[Node]:
        evidence = self.context.evidence
        known = [environment for environment in find_columns(evidence) if environment.kind != "cpu"]
        if known:
            heads = ["Device", "torch", "CUDA", "Driver", "Date", "Examples"]
            yield build_table(heads, [describe_device_row(evidence, e) for e in known], "atlas-environments")
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
        last_replays = replays.parse_replays(self.read_file(replays.FILE.name), replays.FILE.as_posix())
        environments = self.context.evidence.store.environments
        known = [environments[name] for name in last_replays if name in environments]
        rows = []
        for environment in sorted(known, key=age_key, reverse=True):
            last = last_replays[environment.id]
            counts = [f"{count:,}" for count in (last.cells, last.statements, last.differences)]
            rows.append([summarize_environment(environment), last.date, *counts])
        heads = ["Environment", "Date", "Cells", "Statements", "Different results"]
        yield build_table(heads, rows, "atlas-environments")


class CompatibilityTable(EvidenceDirective):
    """A row for each torch and Python, a column for each NumPy: whether they ran together."""

    def build_nodes(self) -> Iterable[Node]:
        pairings = list_pairings(self.context.evidence)
        releases = sort_releases(name for one in pairings for name in (*one.working, *one.failing))[::-1]
        heads: list[Cell] = ["torch", "Python", *map(_build_head, releases)]
        rows = [[one.torch, one.python, *map(partial(_build_pair, one), releases)] for one in pairings]
        yield build_table(heads, rows, "atlas-compatibility")


class EnvironmentTable(EvidenceDirective):
    """Every recorded environment and the one of this build, the newest first."""

    def build_nodes(self) -> Iterable[Node]:
        evidence = self.context.evidence
        assert evidence.capture is not None  # a build always has one
        here = evidence.capture.environment
        known = {**evidence.store.environments, here.id: here}
        ordered = sorted(known.values(), key=age_key, reverse=True)
        rows = [describe_environment_row(evidence, environment) for environment in ordered]
        # A column in which every row says the same would push another out of sight.
        common = find_common(rows)
        heads = [head for head in rows[0] if head not in common]
        said = [f"{head.lower()} {text}" for head, text in common.items() if text not in SILENT]
        if said:
            yield nodes.paragraph("", f"The same in every environment: {', '.join(said)}.")
        yield build_table(heads, map(itemgetter(*heads), rows), "atlas-environments")


class EvidenceSummary(EvidenceDirective):
    """With which releases a page that is no example was answered; with ``code``, also its own cells."""

    optional_arguments = 1

    def build_nodes(self) -> Iterable[Node]:
        evidence = self.context.evidence
        assert evidence.capture is not None  # a build always has one
        here = evidence.capture.environment
        last = newest_environment(evidence.environments) or here
        words = f"Answers on this page are from {name_releases(last)}, unless you choose other releases."
        if self.arguments == ["code"] and last.id != here.id:
            words += f" The code on this page ran with {name_releases(here)}."
        yield nodes.paragraph("", words, classes=["atlas-foot"])


class UnconfirmedExamples(EvidenceDirective):
    """Examples that no run has confirmed yet, with what they wait for."""

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        waiting = find_unconfirmed_examples(context.evidence)
        if not waiting:
            yield nodes.paragraph("", "Every example has been confirmed by a run.")
            return
        items = nodes.bullet_list()
        for page in waiting:
            line = nodes.paragraph("", "", context.link_example(page))
            line += nodes.Text(f": {page.missing}; {page.highest_rung}")
            items += nodes.list_item("", line)
        yield items


def _build_head(release: str) -> Cell:
    """A release of NumPy, whose name a phone leaves out."""
    name = nodes.inline("", "NumPy ", classes=["atlas-pair-word"])
    return [nodes.paragraph("", "", name, nodes.Text(release))]


def _build_pair(pairing: Pairing, release: str) -> Cell:
    """Whether a NumPy works, as a sign and a word; nothing where nobody has run the pair."""
    for sign, word, releases in (("✓", "works", pairing.working), ("×", "fails", pairing.failing)):
        if release in releases:
            words = nodes.inline("", f" {word}", classes=["atlas-pair-word"])
            return [nodes.paragraph("", sign, words, classes=[f"atlas-pair-{word}"])]
    return ""
