"""A page for each release with what it changed, written from the records in each build."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.directives.other import TocTree

from tensor_atlas.compare.deviations import Deviation
from tensor_atlas.compare.evidence import Evidence, ExampleEvidence, find_reason
from tensor_atlas.compare.upgrade import list_needed_code
from tensor_atlas.files import replace_if_changed
from tensor_atlas.history.changes import Change, Severity
from tensor_atlas.history.outcomes import new_sharing, statement_boxes
from tensor_atlas.history.releases import (
    age_key,
    is_compatible,
    minor_release,
    name_environment,
    python_steps,
    summarize_environment,
    torch_release,
)
from tensor_atlas.history.timeline import Event, find_events
from tensor_atlas.model.runs import Environment, Run
from tensor_atlas.site.directives import Cell, EvidenceDirective, PageContext, build_table
from tensor_atlas.site.execution import app_of, evidence_of
from tensor_atlas.site.nodes import build_element
from tensor_atlas.site.output_nodes import build_boxes, build_reason_line, build_sharing_line

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx

FOLDER = "history"
"""Folder of the generated pages, below the source folder."""
UPGRADE = "upgrade"
"""Page that compares any two environments."""
NUMPY = "numpy"
"""Name of the page about NumPy's own changes."""
PYTHON = "python"
"""Name of the page about Python's changes, where a release was recorded with more than one Python."""
MARK = ".. release-changes::"
"""Every generated page holds this; other files in the folder are left alone."""


@dataclass(frozen=True)
class ShownChange:
    """A change between two releases, with the example that shows it."""

    shown: ExampleEvidence
    """The example."""
    event: Event
    """The change, and the environments before and after it."""

    @property
    def page(self) -> str:
        """Name of the generated page that lists it."""
        step = self.event.step
        if step.is_of_python:
            return PYTHON
        return NUMPY if step.is_of_numpy else name_page(step.after)

    @property
    def severity(self) -> Severity:
        """How much it matters."""
        return self.event.change.severity


def name_page(environment: Environment) -> str:
    """``torch-2.3``."""
    return f"torch-{minor_release(str(torch_release(environment)))}"


_changes: WeakKeyDictionary[Sphinx, list[ShownChange]] = WeakKeyDictionary()


def find_release_changes(app: Sphinx) -> list[ShownChange]:
    """Every change between releases that the evidence of this build shows, computed once."""
    if app not in _changes:
        changes: list[ShownChange] = []
        for shown in evidence_of(app).shown.values():
            changes += [ShownChange(shown, event) for event in find_events(shown.example, shown.runs)]
        _changes[app] = changes
    return _changes[app]


def list_pages(evidence: Evidence) -> dict[str, str]:
    """Titles of the generated pages by name, the newest release first, NumPy and Python last."""
    runs = chain.from_iterable(shown.runs for shown in evidence.shown.values())
    known = {environment.id: environment for environment, _ in runs if is_compatible(environment)}
    ordered = sorted(known.values(), key=age_key, reverse=True)
    titles: dict[str, str] = {}
    for environment in ordered:
        if torch_release(environment) != torch_release(ordered[-1]):
            titles[name_page(environment)] = f"torch {minor_release(str(torch_release(environment)))}"
    if titles:
        titles[NUMPY] = "NumPy"
    if python_steps(ordered):
        titles[PYTHON] = "Python"
    return titles


def write_pages(app: Sphinx) -> None:
    """Handler of ``builder-inited``: write pages that are missing or differ, remove the others."""
    folder = Path(app.srcdir) / FOLDER
    folder.mkdir(exist_ok=True)
    titles = list_pages(evidence_of(app))
    wanted = {f"{name}.rst": _render_page(name, title) for name, title in titles.items()}
    for path in folder.glob("*.rst"):
        if path.name not in wanted and MARK in path.read_text(encoding="utf-8"):
            path.unlink()
    for name, text in wanted.items():
        replace_if_changed(folder / name, text)


def _render_page(name: str, title: str) -> str:
    """Source of a generated page."""
    heading = f"What {title} changed"
    return f":orphan:\n\n{heading}\n{'=' * len(heading)}\n\n{MARK} {name}\n"


class ReleaseTree(TocTree):
    """A hidden table of contents with the generated pages."""

    has_content = True

    def run(self) -> list[Node]:
        """Nodes of a toctree with these pages."""
        evidence = PageContext(app_of(self.env), self.env.current_document.docname).evidence
        entries = [f"{title} <{FOLDER}/{name}>" for name, title in list_pages(evidence).items()]
        self.content = StringList(entries, source="generated")
        self.options = {"hidden": None, "maxdepth": 1}
        return super().run()


class ReleaseTable(EvidenceDirective):
    """How much each release changed, the newest first."""

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        evidence = context.evidence
        changes = find_release_changes(context.app)
        rows: list[list[Cell]] = []
        for name, title in list_pages(evidence).items():
            behaviour, wording = count_changes(changes, name)
            link = context.link_page(f"{FOLDER}/{name}", title)
            rows.append([[nodes.paragraph("", "", link)], str(behaviour), str(wording)])
        if not rows:
            yield nodes.paragraph("", "One release has been recorded: nothing to compare yet.")
            return
        yield build_table(["Release", "Behaviour", "Wording only"], rows, "atlas-releases")


class ReleaseChanges(EvidenceDirective):
    """What one release changed: behaviour first, wording apart, each with before and after."""

    required_arguments = 1

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        evidence = context.evidence  # notes that the page depends on it
        changes = [one for one in find_release_changes(context.app) if one.page == self.arguments[0]]
        comparison = describe_comparison(evidence, changes, self.arguments[0])
        line = nodes.paragraph("", f"{comparison} ", classes=["atlas-names"])
        if changes:
            step = changes[0].event.step
            ends = f"from={name_environment(step.before)}&to={name_environment(step.after)}"
            line += context.link_page(UPGRADE, "Compare any two releases", ends)
        yield line
        behaviour = [one for one in changes if one.severity.is_behaviour]
        wording = [one for one in changes if not one.severity.is_behaviour]
        for heading, members in (("Behaviour", behaviour), ("Wording only", wording)):
            nothing = nodes.paragraph("", "Nothing changed in what the examples do.")
            parts = list(_build_changes(context, members)) or [nothing]
            yield self.build_section(f"{heading} ({len(members)})", *parts, name=heading)


def count_changes(changes: Iterable[ShownChange], page: str) -> tuple[int, int]:
    """Changes on a page: those in behaviour, those in wording only."""
    are_behaviour = [one.severity.is_behaviour for one in changes if one.page == page]
    return are_behaviour.count(True), are_behaviour.count(False)


def describe_comparison(evidence: Evidence, changes: Iterable[ShownChange], name: str) -> str:
    """``Compared: torch 2.2.2 … with torch 2.3.1 …``, for the page of this name."""
    pairs: list[str] = []
    for one in changes:
        step = one.event.step
        pairs.append(f"{summarize_environment(step.before)} with {summarize_environment(step.after)}")
    if pairs:
        return f"Compared: {'; '.join(dict.fromkeys(pairs))}."
    runs = chain.from_iterable(shown.runs for shown in evidence.shown.values())
    known = {environment.id: environment for environment, _ in runs}
    ordered = sorted(known.values(), key=age_key)
    names = [summarize_environment(environment) for environment in ordered if name_page(environment) == name]
    return f"Compared with the release before it: {'; '.join(names)}." if names else ""


def _build_changes(context: PageContext, changes: Iterable[ShownChange]) -> Iterator[Node]:
    """Changes under the reason that they share; the gravest first."""
    groups: dict[Deviation | None, list[ShownChange]] = {}
    for one in sorted(changes, key=lambda one: one.severity.rank):
        groups.setdefault(find_change_reason(one), []).append(one)
    for deviation, members in groups.items():
        if deviation is not None:
            yield build_reason_line(deviation)
        for one in members:
            yield _build_change(context, one)


def find_change_reason(change: ShownChange) -> Deviation | None:
    """The reviewed reason of a change: that of the side that does not do what the example documents."""
    index = change.event.change.statement
    if index is None:
        return None
    runs = _index_runs(change.shown)
    for environment in (change.event.step.before, change.event.step.after):
        reason = find_reason(change.shown, index, environment, runs[environment.id])
        if reason is not None:
            return reason
    return None


def _index_runs(shown: ExampleEvidence) -> dict[str, Run]:
    """Runs of an example by environment id."""
    return {environment.id: run for environment, run in shown.runs}


def _build_change(context: PageContext, shown_change: ShownChange) -> nodes.Element:
    """One change: what kind, where, the statement, before and after."""
    change, step = shown_change.event.change, shown_change.event.step
    severity = nodes.inline("", str(change.severity).capitalize(), classes=["atlas-severity"])
    link = context.link_example(shown_change.shown, anchor=f"block-{change.block + 1}")
    node = build_element(
        "div", nodes.paragraph("", "", severity, nodes.Text(" in "), link), css="atlas-change"
    )
    if change.statement is not None:
        code = "\n".join([*list_needed_code(shown_change.shown.example, change.statement), change.code])
        node += nodes.literal_block(code, code, language="python")
    runs = _index_runs(shown_change.shown)
    sides = [_build_side(runs[e.id], e, change) for e in (step.before, step.after)]
    node += build_element("div", *sides, css="atlas-sides")
    node += [nodes.paragraph("", "", nodes.literal("", fact)) for fact in change.facts]
    return node


def _build_side(run: Run, environment: Environment, change: Change) -> nodes.Element:
    """Boxes or sharing of one of the two environments."""
    parts: list[Node] = [nodes.paragraph("", summarize_environment(environment))]
    if change.statement is not None:
        parts += build_boxes(statement_boxes(run, change.statement))
    else:
        sharing = list(map(build_sharing_line, new_sharing(run, change.block)))
        parts += sharing or [nodes.paragraph("", "See below.")]
    return build_element("div", *parts, css="atlas-side")
