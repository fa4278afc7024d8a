"""The page of names that releases removed, added or began to warn of, with what to write instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from weakref import WeakKeyDictionary

from docutils import nodes
from docutils.nodes import Node
from packaging.version import Version
from sphinx.application import Sphinx

from tensor_atlas.compare.evidence import Evidence
from tensor_atlas.history.releases import PACKAGES, minor_release
from tensor_atlas.pages.name_history import (
    TABLE,
    KnownNames,
    NameGroup,
    NameStep,
    Remedy,
    ReviewedName,
    check_reviewed,
    describe_releases,
    fill_message,
    list_asked,
    list_steps,
    shorten_path,
    trace_names,
)
from tensor_atlas.site.build.directives import EvidenceDirective, build_filter
from tensor_atlas.site.build.execution import evidence_of, project_of, read_beside_pages
from tensor_atlas.site.build.nodes import build_element, build_fold, element, join_nodes, render_prose
from tensor_atlas.toml_tables import read_tables

FILE = f"{TABLE}.toml"
"""The reviewed table, beside the pages."""
FEW = 3
"""Names that changed alike and are shown as code each; more stand in one line."""
_known: WeakKeyDictionary[Sphinx, tuple[Evidence, KnownNames]] = WeakKeyDictionary()


def names_of(app: Sphinx) -> KnownNames:
    """What the build that ``app`` is making knows of names; AtlasError for a wrong entry of the table."""
    evidence = evidence_of(app)
    known = _known.get(app)
    if known is None or known[0] is not evidence:
        store = evidence.store
        recorded = {namespace: record.answers for namespace, record in store.names.items()}
        histories = trace_names(recorded, store.environments)
        entries = read_tables(read_beside_pages(app, FILE), TABLE, f"docs/{FILE}", ReviewedName)
        known = _known[app] = evidence, KnownNames(histories, check_reviewed(entries, histories))
    return known[1]


class NameChanges(EvidenceDirective):
    """Names that each release removed, added or began to warn of; names of the other library."""

    def build_nodes(self) -> Iterable[Node]:
        app = self.context.app
        evidence = self.context.evidence
        for path in sorted(project_of(app).records.glob("names/*.json")):
            self.env.note_dependency(str(path))
        self.env.note_dependency(str(Path(app.srcdir, FILE)))
        known = names_of(app)
        lines = NameLines(set())
        steps = list_steps(known)
        yield build_filter("atlas-words-selects")
        asked_of = list_asked(known.histories.values())
        for package in asked_of:
            own = [step for step in steps if step.package == package]
            sections = [self._build_step(lines, step, is_open=step is own[0]) for step in own]
            yield self.build_section(package, *sections)
        folds = list(_build_others(lines, known))
        if folds:
            yield self.build_section("Names of the other library", *folds)
        for package, asked in asked_of.items():
            read = PACKAGES[package]
            recorded = {minor_release(str(read(each))) for each in evidence.store.environments.values()}
            words = describe_asked(package, asked, sorted(recorded - {*asked}, key=Version))
            yield nodes.paragraph("", words, classes=["atlas-foot"])

    def _build_step(self, lines: NameLines, step: NameStep, *, is_open: bool = False) -> nodes.section:
        """What one release changed, folded by kind; open what can break code."""
        kinds = {"Removed": step.removed, "Warns when used": step.warned, "Added": step.added}
        folds = []
        for kind, groups in kinds.items():
            count = sum(len(group.names) for group in groups)
            opened = {"open": "open"} if is_open and kind != "Added" else {}
            folds += [_build_fold(f"{kind} ({count})", map(lines.build, groups), **opened)] if groups else []
        return self.build_section(step.title, *folds)


def describe_asked(package: str, asked: Sequence[str], others: Sequence[str]) -> str:
    """Which releases were asked for their names, and which were recorded without that."""
    words = f"Asked: {package} {describe_releases(package, asked)}."
    return f"{words} Not asked: {describe_releases(package, others)}." if others else words


def _build_fold(title: str, items: Iterable[element], **attributes: str) -> element:
    return build_fold(title, build_element("ul", *items, css="atlas-lines"), css="atlas-fold", **attributes)


class NameLines:
    """Builds lines of names, each with its anchor where it stands first on the page."""

    def __init__(self, seen: set[str]) -> None:
        self.seen = seen

    def build(self, group: NameGroup) -> element:
        """Names that changed alike, and what to write instead."""
        is_whole = len(group.names) <= FEW
        paths = [f"{group.namespace}.{name}" for name in group.names]
        names = [self.build_name(path, is_whole=is_whole) for path in paths]
        line = nodes.paragraph("", "", support_smartquotes=False)
        if not is_whole:
            line += nodes.Text(f"{shorten_path(group.namespace + '.')[:-1]}: ")
        line += join_nodes(names, ", ")
        line += list(_build_remedy(group.remedy, group.names))
        return build_element("li", line, data_library=group.namespace.partition(".")[0])

    def build_name(self, path: str, *, is_whole: bool) -> Node:
        """A name as code, or without its module among many."""
        words = shorten_path(path) if is_whole else path.rpartition(".")[2]
        node = nodes.literal(words, words) if is_whole else nodes.inline("", words, classes=["atlas-name"])
        if path not in self.seen:
            node["ids"].append(path)
            self.seen.add(path)
        return node


def _build_remedy(remedy: Remedy, names: Sequence[str]) -> Iterator[Node]:
    """What to write instead, then what the package itself says."""
    moved = f"{remedy.moved}{names[0]}" if len(names) == 1 else f"{remedy.moved}…"
    instead = remedy.write or (moved if remedy.moved else "")
    if instead:
        yield from (nodes.Text(": write "), nodes.literal(instead, instead), nodes.Text("."))
    if remedy.note:
        yield from render_prose(f" {remedy.note}".replace("`", "``"))
    if remedy.message:
        said = fill_message(remedy.message, names)
        yield from (nodes.Text(" It says: " if instead else ": "), nodes.inline("", f"“{said}”"))


def _build_others(lines: NameLines, known: KnownNames) -> Iterator[element]:
    """Reviewed names that only the other library has, by what they are asked of."""
    asked: dict[str, list[element]] = {}
    for path, entry in known.reviewed.items():
        if path not in known.histories:
            remedy = Remedy(write=entry.write, note=entry.note)
            line = nodes.paragraph("", "", lines.build_name(path, is_whole=True), support_smartquotes=False)
            line += list(_build_remedy(remedy, [path]))
            item = build_element("li", line, data_library=path.partition(".")[0])
            asked.setdefault(path.rpartition(".")[0], []).append(item)
    for namespace, items in asked.items():
        yield _build_fold(f"Asked of {shorten_path(f'{namespace}.')[:-1]} ({len(items)})", items)
