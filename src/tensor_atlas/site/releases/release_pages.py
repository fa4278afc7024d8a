"""A page for each release with what it changed, written from the records in each build."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path

import msgspec
from docutils import nodes
from docutils.nodes import Node
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.directives.other import TocTree

from tensor_atlas.catalogue import CONVERSIONS
from tensor_atlas.compare.change_text import count_noun
from tensor_atlas.compare.deviations import Deviation
from tensor_atlas.compare.headlines import find_title
from tensor_atlas.compare.preview import PREVIEW, Preview, parse_preview
from tensor_atlas.compare.upgrade import build_recent_table
from tensor_atlas.compare.upgrade_report import (
    MET_TITLE,
    ReleaseRules,
    choose_sample,
    describe_rule,
    sort_calls,
)
from tensor_atlas.files import replace_if_changed
from tensor_atlas.history.changes import Severity
from tensor_atlas.history.releases import name_environment
from tensor_atlas.model.runs import LATE
from tensor_atlas.pages import GALLERY
from tensor_atlas.pages.matrix_places import locate_conversion
from tensor_atlas.pages.release_view import (
    NUMPY,
    ChangeView,
    MetChange,
    ReleaseChange,
    SideView,
    collect_changes,
    count_behaviour,
    count_changed,
    count_rule_cells,
    find_change_reasons,
    find_met,
    group_calls,
    group_items,
    is_of_several,
    list_all_pages,
    list_compared,
    list_pages,
    list_rules,
    list_upgrade_facts,
    say_change,
    sort_changes,
    split_by_step,
    summarize_counts,
    summarize_release,
    view_change,
)
from tensor_atlas.site.build.directives import NAME, Cell, EvidenceDirective, PageContext, build_table
from tensor_atlas.site.build.execution import WHOLE_MATRIX, app_of, evidence_of
from tensor_atlas.site.build.nodes import build_element, build_fold, join_nodes, render_prose
from tensor_atlas.site.build.page_scripts import UPGRADE_DATA, write_script
from tensor_atlas.site.gallery.output_nodes import END, build_box, build_reason_line, build_sharing_lines
from tensor_atlas.site.matrix.matrix_pages import TEMPLATES
from tensor_atlas.site.releases.release_rules import rules_of

FOLDER = "history"
"""Folder of the generated pages, below the source folder."""
UPGRADE = "upgrade"
"""Page that compares any two environments."""
NEXT, NEXT_TITLE = "next_torch", "What the next torch will change"
"""Page of a preview, which is there where one is kept."""
MARK = ".. release-changes::"
"""Every generated page holds this; other files in the folder are left alone."""
MOST_OPEN = 3
"""A page with more changes shows a line of each, and what was printed behind it."""
MOST_ALIKE = 4
"""Changes with the same reason that such a page shows; the rest is folded."""
SEVERAL_RELEASES = (
    "The release right before was not tried here, so an earlier one may have brought these changes."
)
"""Stands above changes of more than one release."""
UNEXPLAINED = "Other changes:"
"""Stands above changes that no reason explains, where others on the page have one."""


def write_pages(app: Sphinx) -> None:
    """Handler of ``builder-inited``: write pages that are missing or differ, remove the others."""
    folder = Path(app.srcdir) / FOLDER
    folder.mkdir(exist_ok=True)
    titles = list_all_pages(evidence_of(app))
    wanted = {f"{name}.rst": _render_page(name, title) for name, title in titles.items()}
    if (Path(app.srcdir).parent / PREVIEW).is_file():
        wanted[f"{NEXT}.rst"] = f":orphan:\n\n{NEXT_TITLE}\n{'=' * len(NEXT_TITLE)}\n\n{MARK} {NEXT}\n"
    for path in folder.glob("*.rst"):
        if path.name not in wanted and MARK in path.read_text(encoding="utf-8"):
            path.unlink()
    for name, text in wanted.items():
        replace_if_changed(folder / name, text)


def _render_page(name: str, title: str) -> str:
    heading = f"What {title} changed"
    return f":orphan:\n\n{heading}\n{'=' * len(heading)}\n\n{MARK} {name}\n"


@lru_cache(maxsize=1)
def find_release_changes(app: Sphinx) -> list[ReleaseChange]:
    """Every change between releases that the evidence of this build shows, computed once."""
    return collect_changes(evidence_of(app))


class ReleaseTree(TocTree):
    """A hidden table of contents with the generated pages."""

    has_content = True

    def run(self) -> list[Node]:
        """Nodes of a toctree with these pages."""
        evidence = PageContext(app_of(self.env), self.env.current_document.docname).evidence
        entries = [f"{title} <{FOLDER}/{name}>" for name, title in list_all_pages(evidence).items()]
        self.content = StringList(entries, source="generated")
        self.options = {"hidden": None, "maxdepth": 1}
        return super().run()


class ReleaseTable(EvidenceDirective):
    """What each release changed, the newest first."""

    def build_nodes(self) -> Iterable[Node]:
        preview = Path(self.env.srcdir).parent / PREVIEW
        if preview.is_file():
            self.env.note_dependency(str(preview))  # the link goes with it
            link = self.context.link_page(f"{FOLDER}/{NEXT}", NEXT_TITLE)
            yield nodes.paragraph("", "Not released yet: ", link)
        yield from build_release_table(self.context, "")


def build_release_table(context: PageContext, package: str) -> Iterator[Node]:
    """The table of releases whose pages begin with the name of a package."""
    evidence = context.evidence
    changes = find_release_changes(context.app)
    rows: list[list[Cell]] = []
    for name, title in list_pages(evidence).items():
        if name.startswith(package):
            rules = list_rules(rules_of(context.app)[1], name)
            here = [one for one in changes if one.page == name]
            before, code, after = summarize_release(rules_of(context.app)[0], rules, here)
            line = nodes.paragraph("", "", *([nodes.Text(before)] if before else []))
            line += [nodes.literal(code, code), nodes.Text(after)] if code else []
            link = nodes.paragraph("", "", context.link_page(f"{FOLDER}/{name}", title))
            results = count_noun(count_behaviour(changes, name), "result")
            conversions = count_noun(sum(map(count_rule_cells, rules)), "conversion")
            rows.append([[link], [line], f"{results} of examples, {conversions}"])
    if not rows:
        yield nodes.paragraph("", "One release has been recorded: nothing to compare yet.")
        return
    yield build_table(["Release", "Main change", "Changed"], rows, "atlas-releases")


class ReleaseChanges(EvidenceDirective):
    """What one release changed: behaviour first, wording apart, each with before and after."""

    required_arguments = 1

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        _ = context.evidence  # notes that the page depends on it
        if self.arguments[0] == NEXT:
            path = Path(self.env.srcdir).parent / PREVIEW
            self.env.note_dependency(str(path))
            yield from _build_preview(context, parse_preview(path.read_text(encoding="utf-8")))
            return
        if self.arguments[0] == NUMPY:
            yield from build_release_table(context, NUMPY)
            return
        yield from self._build_release(context, self.arguments[0])

    def _build_release(self, context: PageContext, page: str) -> Iterator[Node]:
        """What most programs meet, then everything; at the end what other releases may have brought."""
        changes = [one for one in find_release_changes(context.app) if one.page == page]
        rules = sorted(list_rules(rules_of(context.app)[1], page), key=is_of_several)
        own, others = split_by_step(changes)
        apart = [one for members in others.values() for one in members]
        yield _build_summary(context, own, apart, rules)
        if met := [_build_met(context, one) for one in find_met([*own, *apart])]:
            yield self.build_section(MET_TITLE, build_element("ul", *met, css="atlas-met"), name="met")
        is_open = len(changes) <= MOST_OPEN
        ordered = sorted(others.items(), key=lambda item: -_count_behaviour(item[1]))
        groups = {"": own, **dict(ordered)}
        yield from self._build_behaviour(context, groups, is_open)
        for release in rules:
            yield self.build_section(
                f"Conversions that {release.label} changed ({count_rule_cells(release):,})",
                *([nodes.paragraph("", SEVERAL_RELEASES)] if is_of_several(release) else []),
                _render_rules(context, release),
                name=f"conversions {release.label}",
            )
        yield from self._build_wording(context, groups, is_open)
        if pairs := list_compared(context.evidence, changes, page):
            items = [build_element("li", nodes.Text(pair)) for pair in pairs]
            yield build_fold("Environments compared", build_element("ul", *items, css="atlas-names"))

    def _build_behaviour(
        self, context: PageContext, groups: Mapping[str, Sequence[ReleaseChange]], is_open: bool
    ) -> Iterator[Node]:
        """A section on behaviour for each step that changed some."""
        for name, members in groups.items():
            of_kind = [one for one in members if one.severity.is_behaviour]
            if of_kind:
                note = [nodes.paragraph("", SEVERAL_RELEASES)] if name else []
                heading = f"Behaviour {name}".strip()
                parts = _build_changes(context, of_kind, is_open)
                yield self.build_section(f"{heading} ({len(of_kind)})", *note, *parts, name=name or heading)

    def _build_wording(
        self, context: PageContext, groups: Mapping[str, Sequence[ReleaseChange]], is_open: bool
    ) -> Iterator[Node]:
        """A section on wording for each step that changed some, folded where much changed."""
        for name, members in groups.items():
            of_kind = [one for one in members if not one.severity.is_behaviour]
            if of_kind:
                parts = [*_build_changes(context, of_kind, is_open)]
                if not is_open:
                    parts = [build_fold("Show the old and new messages", *parts, css="atlas-others")]
                heading = f"Wording only {name}".strip()
                yield self.build_section(f"{heading} ({len(of_kind)})", *parts, name=heading)


def _count_behaviour(changes: Iterable[ReleaseChange]) -> int:
    """How many are in behaviour, not in wording only."""
    return sum(one.severity.is_behaviour for one in changes)


def _build_summary(
    context: PageContext,
    own: Sequence[ReleaseChange],
    others: Sequence[ReleaseChange],
    rules: Sequence[ReleaseRules],
) -> nodes.paragraph:
    """How much changed, and the way to other pairs of releases."""
    line = nodes.paragraph("", summarize_counts(own, others, rules))
    if every := [*own, *others]:
        step = every[0].event.step
        ends = f"from={name_environment(step.before)}&to={name_environment(step.after)}"
        line += [nodes.Text(" "), context.link_page(UPGRADE, "Compare any two releases", ends)]
    return line


def _build_preview(context: PageContext, preview: Preview) -> Iterator[Node]:
    """What a torch that is not released does otherwise: a row for each statement."""
    words = (
        f"{preview.where} ran on {preview.date}, before its release. "
        f"{preview.compared} examples were compared with {preview.against}; "
        f"{len(preview.changes)} of their statements differ. "
        "The release may differ again: this is no record, and no other page uses it."
    )
    yield nodes.paragraph("", words, classes=["atlas-notice"])
    rows: list[list[Cell]] = []
    for change in preview.changes:
        page = context.evidence.pages.get(change.example)
        link = nodes.Text(change.example) if page is None else context.link_example(page)
        codes = [
            nodes.paragraph("", "", nodes.literal(text, text))
            for text in (change.call, change.before, change.after)
        ]
        rows.append([change.severity, *([code] for code in codes), [nodes.paragraph("", "", link)]])
    if rows:
        yield build_table(["Change", "Call", "Now", "Then", "Example"], rows, "atlas-preview")


def _render_rules(context: PageContext, release: ReleaseRules) -> nodes.raw:
    """Rules of a release by kind of change: each with code that shows it, and every cell that it tells of."""
    context.depend_on(WHOLE_MATRIX)
    table, _ = rules_of(context.app)
    conversions = {conversion.name: conversion for conversion in CONVERSIONS}
    text = TEMPLATES.get_template("release_rules.html").render(
        table=table,
        release=release,
        groups=group_items(release),
        open=[Severity.ERROR_APPEARED.rank, Severity.ERROR_VANISHED.rank, Severity.SHARING.rank],
        sum_changed=lambda items: sum(map(count_changed, items)),
        count_noun=count_noun,
        address=lambda name: context.locate(*locate_conversion(conversions[name])),
        describe_rule=describe_rule,
        group_calls=group_calls,
        choose_sample=choose_sample,
        sort_calls=sort_calls,
    )
    return nodes.raw("", text, format="html")


def _build_changes(context: PageContext, changes: Iterable[ReleaseChange], is_open: bool) -> Iterator[Node]:
    """Changes under the reasons that they share; at the end those without one."""
    groups: dict[tuple[Deviation, ...], list[ReleaseChange]] = {}
    for change in sort_changes(changes):
        groups.setdefault(find_change_reasons(change), []).append(change)
    for reasons, members in sorted(groups.items(), key=lambda group: not group[0]):
        yield from map(build_reason_line, reasons[-1:])  # that of the later release says what to do now
        if not reasons and len(groups) > 1:
            yield nodes.paragraph("", UNEXPLAINED, classes=["atlas-reason"])
        is_short = is_open or not reasons or len(members) <= MOST_ALIKE + 1
        most = len(members) if is_short else MOST_ALIKE
        yield from _build_some(context, members[:most], is_open)
        if members[most:]:
            title = f"Show {len(members) - most} more with the same reason"
            yield build_fold(title, *_build_some(context, members[most:], is_open), css="atlas-others")


def _build_some(
    context: PageContext, changes: Sequence[ReleaseChange], is_open: bool
) -> Iterator[nodes.Element]:
    """Changes one after another; those of one kind share its title."""
    for title, some in groupby(changes, key=lambda one: find_title(one.event.change)):
        yield nodes.paragraph("", title, classes=["atlas-severity"])
        yield from (_build_change(context, one, is_open) for one in some)


def _build_met(context: PageContext, met: MetChange) -> nodes.Element:
    """``np.float_: raises AttributeError …``; below it what to write instead, and where it ran."""
    words = say_change(met.before, met.after)
    line = nodes.paragraph("", "", nodes.literal("", met.call, classes=["atlas-met-call"]), nodes.Text(": "))
    if words.startswith(met.before):
        sides = [nodes.literal("", side) for side in (met.before, met.after)]
        line += join_nodes(sides, " → ")
    else:
        line += nodes.Text(words if words.endswith((".", "…")) else f"{words}.")
    step = met.changed.event.step
    if not step.is_exact:
        line += nodes.inline("", f" Seen {step.name}.", classes=["atlas-names"])
    todo = nodes.paragraph("", "", *render_prose(met.todo.replace("`", "``")))
    anchor = f"block-{met.changed.event.change.block + 1}"
    link = context.link_example(met.changed.evidence, anchor=anchor)
    return build_element("li", line, todo, nodes.paragraph("", "Example: ", link, classes=["atlas-names"]))


def _build_change(context: PageContext, changed: ReleaseChange, is_open: bool) -> nodes.Element:
    """One change: what kind, which call, before → after; behind it where, the statement, both outputs."""
    change, view = changed.event.change, view_change(changed)
    anchor = END if change.statement == LATE else f"block-{change.block + 1}"
    link = context.link_example(changed.evidence, anchor=anchor)
    attributes = {"open": "open"} if is_open else {}
    node = build_element(
        "details",
        build_element("summary", *_build_headline(view, changed.evidence.example.title)),
        nodes.paragraph("", "", nodes.Text("In "), link),
        css="atlas-change",
        **attributes,
    )
    if view.code:
        node += nodes.literal_block(view.code, view.code, language="python")
    node += build_element("div", *map(_build_side, view.sides), css="atlas-sides")
    node += [nodes.paragraph("", "", nodes.literal("", fact)) for fact in change.facts]
    return node


def _build_headline(view: ChangeView, title: str) -> Iterator[Node]:
    """The call, else the title of the example, with what it did and does."""
    if view.earlier:
        yield nodes.literal(view.earlier, view.earlier)
        yield nodes.Text(", then ")
    if view.headline:
        yield nodes.literal(view.headline, view.headline)
    else:
        yield nodes.Text(f"“{title}”")
    if view.words:
        yield nodes.Text(f": {view.words}")


def _build_side(side: SideView) -> nodes.Element:
    """Boxes or sharing of one of the two environments."""
    parts: list[Node] = [nodes.paragraph("", side.environment)]
    parts += map(build_box, side.boxes)
    if not side.boxes:
        parts += list(build_sharing_lines(side.sharing)) or [nodes.paragraph("", "See below.")]
    return build_element("div", *parts, css="atlas-side")


# --- any two environments ------------------------------------------------------------------------


def write_upgrade_data(app: Sphinx) -> None:
    """Write what the script of the upgrade page reads at once, and the whole table for later."""
    whole = rules_of(app)[0]
    name = UPGRADE_DATA.replace(".js", "-all.js")
    script = write_script(app, name, "atlasUpgrade.all", msgspec.to_builtins(whole))
    facts = list_upgrade_facts(whole, build_recent_table(evidence_of(app)))
    write_script(app, UPGRADE_DATA, "atlasUpgrade", {**facts, "script": script})


class UpgradePage(EvidenceDirective):
    """Where the script puts two environments and what changes; without it, the table of releases."""

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        words = "This form needs JavaScript, which is off. Without it, see what each release changed:"
        context.depend_on(WHOLE_MATRIX)
        yield build_element(
            "div",
            nodes.paragraph("", words, classes=["atlas-notice"]),
            *build_release_table(context, ""),
            css="atlas-upgrade",
            data_example=context.locate(f"{GALLERY}/{NAME}"),
        )
