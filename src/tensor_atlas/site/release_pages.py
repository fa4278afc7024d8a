"""A page for each release with what it changed, made from the records: what a build finds there needs no author."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.directives.other import TocTree

from tensor_atlas.compare.deviations import Deviation
from tensor_atlas.compare.evidence import Evidence, ExampleEvidence
from tensor_atlas.compare.report import summarize_environment
from tensor_atlas.files import replace_file
from tensor_atlas.history.changes import Change
from tensor_atlas.history.outcomes import new_sharing, statement_boxes
from tensor_atlas.history.releases import age_key, is_compatible, minor_release, python_steps, torch_release
from tensor_atlas.history.timeline import Event, find_events
from tensor_atlas.model.runs import Environment, Run
from tensor_atlas.site.directives import EvidenceDirective, Site, build_table
from tensor_atlas.site.execution import app_of, evidence_of
from tensor_atlas.site.nodes import html
from tensor_atlas.site.output_nodes import build_boxes, build_reason_line, build_sharing_line, find_reason

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx

FOLDER = "history"
"""Folder of the generated pages, below the source folder."""
NUMPY = "numpy"
"""Name of the page about NumPy's own changes."""
PYTHON = "python"
"""Name of the page about Python's, where an environment was recorded with more than one."""
MARK = ".. release-changes::"
"""What every generated page holds; other files in the folder are left alone."""


@dataclass(frozen=True)
class Found:
    """A change and the example whose page tells it."""

    shown: ExampleEvidence
    event: Event

    @property
    def page(self) -> str:
        """Name of the page it belongs on."""
        step = self.event.step
        if step.is_of_python:
            return PYTHON
        return NUMPY if step.is_of_numpy else page_name(step.after)


def page_name(environment: Environment) -> str:
    """``torch-2.3``."""
    return f"torch-{minor_release(str(torch_release(environment)))}"


_changes: WeakKeyDictionary[Sphinx, list[Found]] = WeakKeyDictionary()


def changes_of(app: Sphinx) -> list[Found]:
    """Every change between releases that the evidence of this build shows, worked out once."""
    if app not in _changes:
        shown = evidence_of(app).shown.values()
        _changes[app] = [
            Found(page, event) for page in shown for event in find_events(page.example, page.runs)
        ]
    return _changes[app]


def pages(evidence: Evidence) -> dict[str, str]:
    """Generated pages, by name, the newest first: title and name of what changed."""
    runs = (environment for shown in evidence.shown.values() for environment, _ in shown.runs)
    ordered = sorted({e.id: e for e in runs if is_compatible(e)}.values(), key=age_key, reverse=True)
    first = torch_release(ordered[-1]) if ordered else None
    found = {
        page_name(e): f"torch {minor_release(str(torch_release(e)))}"
        for e in ordered
        if torch_release(e) != first
    }
    beside = {NUMPY: "NumPy"} if found else {}
    return {**found, **beside, **({PYTHON: "Python"} if python_steps(ordered) else {})}


def generate(app: Sphinx) -> None:
    """Handler of ``builder-inited``: write the pages that are missing or differ, remove those of releases gone."""
    folder = Path(app.srcdir) / FOLDER
    folder.mkdir(exist_ok=True)
    wanted = {f"{name}.rst": _source(name, title) for name, title in pages(evidence_of(app)).items()}
    for path in folder.glob("*.rst"):
        if path.name not in wanted and MARK in path.read_text(encoding="utf-8"):
            path.unlink()
    for name, text in wanted.items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            replace_file(path, text)


def _source(name: str, title: str) -> str:
    heading = f"What {title} changed"
    return f":orphan:\n\n{heading}\n{'=' * len(heading)}\n\n{MARK} {name}\n"


class ReleaseTree(TocTree):
    """The hidden table of contents of the generated pages."""

    has_content = True

    def run(self) -> list[Node]:
        """As the toctree of these pages."""
        evidence = Site(app_of(self.env), self.env.current_document.docname).evidence
        entries = [f"{title} <{FOLDER}/{name}>" for name, title in pages(evidence).items()]
        self.content = StringList(entries, source="generated")
        self.options = {"hidden": None, "maxdepth": 1}
        return super().run()


class ReleaseTable(EvidenceDirective):
    """How much each release changed, the newest first."""

    def fill(self) -> Iterable[Node]:
        site = self.site
        evidence = site.evidence
        found = changes_of(site.app)
        rows: list[list[list[Node]]] = []
        for name, title in pages(evidence).items():
            here = [f.event.change for f in found if f.page == name]
            behaviour = sum(change.severity.is_behaviour for change in here)
            uri = site.app.builder.get_relative_uri(site.docname, f"{FOLDER}/{name}")
            link = nodes.reference("", title, refuri=uri, internal=True)
            texts = (str(behaviour), str(len(here) - behaviour))
            cells: list[list[Node]] = [[nodes.paragraph("", text)] for text in texts]
            rows.append([[nodes.paragraph("", "", link)], *cells])
        if not rows:
            yield nodes.paragraph("", "One release has been recorded: nothing to compare yet.")
            return
        yield build_table(["Release", "Behaviour", "Wording only"], rows, "atlas-releases")


class ReleaseChanges(EvidenceDirective):
    """What one release changed: behaviour first, wording apart, each with before and after."""

    required_arguments = 1

    def fill(self) -> Iterable[Node]:
        site = self.site
        evidence = site.evidence  # notes that the page depends on it
        found = [f for f in changes_of(site.app) if f.page == self.arguments[0]]
        yield nodes.paragraph("", compared(evidence, found, self.arguments[0]), classes=["atlas-names"])
        behaviour = [f for f in found if f.event.change.severity.is_behaviour]
        wording = [f for f in found if not f.event.change.severity.is_behaviour]
        for heading, members in (("Behaviour", behaviour), ("Wording only", wording)):
            section = nodes.section(ids=[nodes.make_id(heading)])
            section += nodes.title("", f"{heading} ({len(members)})")
            self.state.document.note_implicit_target(section, section)
            section += list(groups(site, members)) or [
                nodes.paragraph("", "Nothing changed in what the examples do.")
            ]
            yield section


def compared(evidence: Evidence, found: Sequence[Found], name: str) -> str:
    """Which environments a page compares."""
    steps = dict.fromkeys((f.event.step.before, f.event.step.after) for f in found)
    if steps:
        pairs = dict.fromkeys(
            f"{summarize_environment(before)} with {summarize_environment(after)}" for before, after in steps
        )
        return f"Compared: {'; '.join(pairs)}."
    known = {e.id: e for shown in evidence.shown.values() for e, _ in shown.runs}
    names = [summarize_environment(e) for e in sorted(known.values(), key=age_key) if page_name(e) == name]
    return f"Compared with the release before it: {'; '.join(names)}." if names else ""


def groups(site: Site, found: Sequence[Found]) -> Iterator[Node]:
    """Changes that have one reason together, under it; the gravest first."""
    reasons: dict[Deviation | None, list[Found]] = {}
    for one in sorted(found, key=lambda f: f.event.change.severity.rank):
        reasons.setdefault(reason_for(one), []).append(one)
    for deviation, members in reasons.items():
        if deviation is not None:
            yield build_reason_line(deviation)
        yield from (change_node(site, one) for one in members)


def reason_for(found: Found) -> Deviation | None:
    """The reviewed reason of a change: that of the side that does not do what the example documents."""
    for environment in (found.event.step.before, found.event.step.after):
        run = dict_of(found.shown)[environment.id]
        index = found.event.change.statement
        reason = None if index is None else find_reason(found.shown, index, environment, run)
        if reason is not None:
            return reason
    return None


def dict_of(shown: ExampleEvidence) -> dict[str, Run]:
    """Runs of an example by environment id."""
    return {environment.id: run for environment, run in shown.runs}


def change_node(site: Site, found: Found) -> nodes.Element:
    """One change: what kind, where, the statement, before and after."""
    change, step = found.event.change, found.event.step
    head = nodes.paragraph(
        "", "", nodes.inline("", str(change.severity).capitalize(), classes=["atlas-severity"])
    )
    head += [nodes.Text(" in "), site.link(found.shown, anchor=f"block-{change.block + 1}")]
    node = html("div", head, css="atlas-change")
    if change.code:
        node += nodes.literal_block(change.code, change.code, language="python")
    runs = dict_of(found.shown)
    sides = [side_node(runs[e.id], e, change) for e in (step.before, step.after)]
    node += html("div", *sides, css="atlas-sides")
    node += [nodes.paragraph("", "", nodes.literal("", fact)) for fact in change.facts]
    return node


def side_node(run: Run, environment: Environment, change: Change) -> nodes.Element:
    """What one of the two environments gave."""
    parts: list[Node] = [nodes.paragraph("", summarize_environment(environment))]
    if change.statement is not None:
        parts += build_boxes(statement_boxes(run, change.statement))
    else:
        sharing = list(map(build_sharing_line, new_sharing(run, change.block)))
        parts += sharing or [nodes.paragraph("", "See below.")]
    return html("div", *parts, css="atlas-side")
