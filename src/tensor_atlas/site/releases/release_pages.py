"""A page for each release with what it changed, written from the records in each build."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from textwrap import shorten

import msgspec
from docutils import nodes
from docutils.nodes import Node
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.directives.other import TocTree

from tensor_atlas.compare.deviations import Deviation
from tensor_atlas.compare.evidence import Evidence, ExampleEvidence, find_reason
from tensor_atlas.compare.headlines import (
    describe_sides,
    find_earlier_call,
    find_headline,
    find_title,
    find_value_call,
)
from tensor_atlas.compare.upgrade import (
    MOST_USED,
    UpgradeTable,
    build_recent_table,
    find_needed,
    list_needed_code,
    rank_code,
)
from tensor_atlas.compare.upgrade_report import (
    COMPOSED,
    SEVERAL,
    TITLES,
    CallRule,
    Item,
    ReleaseRules,
    choose_sample,
    describe_rule,
    sort_calls,
)
from tensor_atlas.compare.verdicts import find_difference
from tensor_atlas.files import replace_if_changed
from tensor_atlas.history.changes import Change, Severity
from tensor_atlas.history.releases import (
    is_compatible,
    minor_release,
    name_environment,
    package_steps,
    sort_steps,
    summarize_environment,
    torch_release,
)
from tensor_atlas.history.timeline import Event, find_events, new_sharing, statement_boxes
from tensor_atlas.model.runs import LATE, Environment, Run
from tensor_atlas.pages import GALLERY
from tensor_atlas.pages.statement_view import show_silence
from tensor_atlas.site.build.directives import NAME, Cell, EvidenceDirective, PageContext, build_table
from tensor_atlas.site.build.execution import MATRIX, app_of, evidence_of
from tensor_atlas.site.build.nodes import build_element, build_fold
from tensor_atlas.site.build.page_scripts import UPGRADE_DATA, write_script
from tensor_atlas.site.gallery.output_nodes import END, build_box, build_reason_line, build_sharing_lines
from tensor_atlas.site.matrix.matrix_pages import CONVERSION, TEMPLATES
from tensor_atlas.site.releases.release_rules import rules_of

FOLDER = "history"
"""Folder of the generated pages, below the source folder."""
UPGRADE = "upgrade"
"""Page that compares any two environments."""
NUMPY = "numpy"
"""Name of the page that lists NumPy's releases."""
PYTHON = "python"
"""Name of the page about Python's changes, where a release was recorded with more than one Python."""
MARK = ".. release-changes::"
"""Every generated page holds this; other files in the folder are left alone."""
SELDOM_READ = (Severity.SOURCE.rank, Severity.WORDING.rank)
"""Severities that the line about a release leaves out."""
MOST_OPEN = 12
"""A page with more changes shows a line of each, and what was printed behind it."""
MOST_ALIKE = 4
"""Changes with the same reason that such a page shows; the rest is folded."""
LONGEST = 110
"""Characters of the line that tells what a release changed."""
UNEXPLAINED = "Without a recorded reason:"
"""Stands above changes that no reason explains, where others on the page have one."""


@dataclass(frozen=True)
class ReleaseChange:
    """A change between two releases, with the example that shows it."""

    shown: ExampleEvidence
    event: Event
    """The change, and the environments before and after it."""

    @property
    def page(self) -> str:
        """Name of the generated page that lists it."""
        step = self.event.step
        if step.package == "Python":
            return PYTHON
        return name_numpy_page(step.after) if step.package == "NumPy" else name_page(step.after)

    @property
    def severity(self) -> Severity:
        """How much it matters."""
        return self.event.change.severity


def name_page(environment: Environment) -> str:
    """``torch-2.3``."""
    return f"torch-{minor_release(str(torch_release(environment)))}"


def name_numpy_page(environment: Environment) -> str:
    """``numpy-2.4``."""
    return f"{NUMPY}-{minor_release(environment.numpy)}"


@lru_cache(maxsize=1)
def find_release_changes(app: Sphinx) -> list[ReleaseChange]:
    """Every change between releases that the evidence of this build shows, computed once."""
    changes: list[ReleaseChange] = []
    for shown in evidence_of(app).shown.values():
        changes += [ReleaseChange(shown, event) for event in find_events(shown.example, shown.runs)]
    return changes


def list_pages(evidence: Evidence) -> dict[str, str]:
    """Titles of the generated pages by name, the newest release first, NumPy and Python last."""
    ordered = [environment for environment in evidence.environments[::-1] if is_compatible(environment)]
    titles: dict[str, str] = {}
    for environment in ordered:
        if torch_release(environment) != torch_release(ordered[-1]):
            titles[name_page(environment)] = f"torch {minor_release(str(torch_release(environment)))}"
    for step in sort_steps(package_steps("NumPy", ordered))[::-1]:
        titles[name_numpy_page(step.after)] = f"NumPy {minor_release(step.after.numpy)}"
    if package_steps("Python", ordered):
        titles[PYTHON] = "Python"
    return titles


def list_all_pages(evidence: Evidence) -> dict[str, str]:
    """The same, and at the end the page that lists NumPy's releases, where there are any."""
    titles = list_pages(evidence)
    if any(name.startswith(NUMPY) for name in titles):
        titles[NUMPY] = "each NumPy release"
    return titles


def write_pages(app: Sphinx) -> None:
    """Handler of ``builder-inited``: write pages that are missing or differ, remove the others."""
    folder = Path(app.srcdir) / FOLDER
    folder.mkdir(exist_ok=True)
    titles = list_all_pages(evidence_of(app))
    wanted = {f"{name}.rst": _render_page(name, title) for name, title in titles.items()}
    for path in folder.glob("*.rst"):
        if path.name not in wanted and MARK in path.read_text(encoding="utf-8"):
            path.unlink()
    for name, text in wanted.items():
        replace_if_changed(folder / name, text)


def _render_page(name: str, title: str) -> str:
    heading = f"What {title} changed"
    return f":orphan:\n\n{heading}\n{'=' * len(heading)}\n\n{MARK} {name}\n"


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
        return build_release_table(self.context, "")


def build_release_table(context: PageContext, package: str) -> Iterator[Node]:
    """The table of releases whose pages begin with the name of a package."""
    evidence = context.evidence
    changes = find_release_changes(context.app)
    rows: list[list[Cell]] = []
    for name, title in list_pages(evidence).items():
        if name.startswith(package):
            rules = list_rules(rules_of(context.app)[1], name)
            line = nodes.paragraph("", "", *summarize_release(context, rules, changes, name))
            link = nodes.paragraph("", "", context.link_page(f"{FOLDER}/{name}", title))
            rows.append(
                [[link], [line], str(count_behaviour(changes, name)), f"{sum(map(count_cells, rules)):,}"]
            )
    if not rows:
        yield nodes.paragraph("", "One release has been recorded: nothing to compare yet.")
        return
    yield build_table(["Release", "Its widest change", "In examples", "Conversions"], rows, "atlas-releases")


def summarize_release(
    context: PageContext, releases: Iterable[ReleaseRules], changes: Iterable[ReleaseChange], page: str
) -> list[Node]:
    """The most used call of the rule about most inputs, with what it did and does; else a change."""
    table, _ = rules_of(context.app)
    items = [item for release in releases for item in release.items if item.severity not in SELDOM_READ]
    if items:
        rule = max(items, key=lambda item: (not item.is_minor, count_changed(item))).rule
        assert rule is not None
        call = table.calls[sort_calls(table, rule)[0]].title
        line = shorten(f": {rule.before} → {rule.after}", LONGEST, placeholder=" …")
        return [nodes.literal(call, call), nodes.Text(line)]
    ordered = sort_changes(one for one in changes if one.page == page and one.severity.is_behaviour)
    if not ordered:
        return [nodes.Text("The examples give the same results.")]
    code = find_headline(ordered[0].event.change)
    return [nodes.Text(f"{TITLES[ordered[0].severity]}: "), nodes.literal(code, code)]


class ReleaseChanges(EvidenceDirective):
    """What one release changed: behaviour first, wording apart, each with before and after."""

    required_arguments = 1

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        evidence = context.evidence  # notes that the page depends on it
        if self.arguments[0] == NUMPY:
            yield from build_release_table(context, NUMPY)
            return
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
            nothing = nodes.paragraph("", "The examples give the same results.")
            parts = list(_build_changes(context, members, len(changes) <= MOST_OPEN)) or [nothing]
            if members and members is wording and len(changes) > MOST_OPEN:
                parts = [build_fold("Show the old and new messages", *parts, css="atlas-others")]
            yield self.build_section(f"{heading} ({len(members)})", *parts, name=heading)
        for release in list_rules(rules_of(context.app)[1], self.arguments[0]):
            yield self.build_section(
                f"Conversions that {release.label} changed ({count_cells(release):,})",
                _render_rules(context, release),
                name=f"conversions {release.label}",
            )


def list_rules(rules: Iterable[ReleaseRules], page: str) -> list[ReleaseRules]:
    """What releases changed in the matrix, for the page of this name."""
    names = ("torch-{}", f"{NUMPY}-{{}}", PYTHON)
    return [one for one in rules if names[one.package].format(one.label.split()[-1]) == page]


def count_cells(release: ReleaseRules) -> int:
    """How many conversions of an input a release changed."""
    return sum(map(count_changed, release.items))


def count_changed(item: Item) -> int:
    """How many conversions of an input changed alike."""
    return sum(map(len, item.rule.calls.values())) if item.rule else 0


def group_calls(rule: CallRule, calls: Iterable[int]) -> list[tuple[tuple[int, ...], list[int]]]:
    """Calls of a rule by the inputs on which they changed, in the order of the first call of each."""
    found: dict[tuple[int, ...], list[int]] = {}
    for call in calls:
        found.setdefault(tuple(rule.calls[call]), []).append(call)
    return list(found.items())


def _group_items(release: ReleaseRules) -> list[tuple[str, list[Item]]]:
    """Changes of a release by the title of their kind."""
    groups: list[tuple[str, list[Item]]] = [(title, []) for title in TITLES.values()]
    for item in release.items:
        groups[item.severity][1].append(item)
    return groups


def _render_rules(context: PageContext, release: ReleaseRules) -> nodes.raw:
    """Rules of a release by kind of change: each with code that shows it, and every cell that it tells of."""
    context.depend_on(MATRIX)
    table, _ = rules_of(context.app)
    text = TEMPLATES.get_template("release_rules.html").render(
        table=table,
        release=release,
        groups=_group_items(release),
        open=[Severity.ERROR_APPEARED.rank, Severity.ERROR_VANISHED.rank, Severity.SHARING.rank],
        address=lambda name: context.locate(f"{CONVERSION}/{name}"),
        describe_rule=describe_rule,
        group_calls=group_calls,
        choose_sample=choose_sample,
        sort_calls=sort_calls,
    )
    return nodes.raw("", text, format="html")


def count_behaviour(changes: Iterable[ReleaseChange], page: str) -> int:
    """Changes on a page that are in behaviour, not in wording only."""
    return sum(one.page == page and one.severity.is_behaviour for one in changes)


def describe_comparison(evidence: Evidence, changes: Iterable[ReleaseChange], name: str) -> str:
    """``Compared: torch 2.2.2 … with torch 2.3.1 …``, for the page of this name."""
    pairs: list[str] = []
    for one in changes:
        step = one.event.step
        pairs.append(f"{summarize_environment(step.before)} with {summarize_environment(step.after)}")
    if pairs:
        return f"Compared: {'; '.join(dict.fromkeys(pairs))}."
    released = [environment for environment in evidence.environments if name_page(environment) == name]
    names = map(summarize_environment, released)
    return f"Compared with the release before it: {'; '.join(names)}." if released else ""


def sort_changes(changes: Iterable[ReleaseChange]) -> list[ReleaseChange]:
    """The gravest first, then those of the most used calls."""
    return sorted(changes, key=lambda one: (one.severity.rank, rank_code(one.event.change.code)))


def _build_changes(context: PageContext, changes: Iterable[ReleaseChange], is_open: bool) -> Iterator[Node]:
    """Changes under the reasons that they share; those without one under a line that says so."""
    groups: dict[tuple[Deviation, ...], list[ReleaseChange]] = {}
    for one in sort_changes(changes):
        groups.setdefault(find_change_reasons(one), []).append(one)
    for reasons, members in groups.items():
        yield from map(build_reason_line, reasons)
        if not reasons and len(groups) > 1:
            yield nodes.paragraph("", UNEXPLAINED, classes=["atlas-reason"])
        is_short = is_open or not reasons or len(members) <= MOST_ALIKE + 1
        shown = len(members) if is_short else MOST_ALIKE
        built = [_build_change(context, one, is_open) for one in members]
        yield from built[:shown]
        if built[shown:]:
            title = f"Show {len(built) - shown} more with the same reason"
            yield build_fold(title, *built[shown:], css="atlas-others")


def find_change_reasons(change: ReleaseChange) -> tuple[Deviation, ...]:
    """The reviewed reasons of a change: of each side that does not do what the example documents.

    A reason that holds on both sides explains neither why they differ.
    """
    index = change.event.change.statement
    if index is None:
        return ()
    before, after = change.event.step.before, change.event.step.after
    runs = dict(change.shown.runs)
    found: list[Deviation] = []
    for here, there in ((before, after), (after, before)):
        reason = find_reason(change.shown, index, here, runs[here])
        if reason is None or reason.speaks_of(there):
            continue
        if _is_reason_of(reason, change.shown, index, runs[here]):
            found.append(reason)
    return tuple(found)


def _is_reason_of(reason: Deviation, shown: ExampleEvidence, index: int, run: Run) -> bool:
    """Whether a reason is about a statement, its error, or a statement that it needs and that ended the run.

    The rest of a run has the reason of its end, whatever else changed there.
    """
    difference = find_difference(shown.example, run, index)
    if difference is None or reason.names(shown.example.name, shown.example.places[index].code):
        return True
    is_same_error = reason.ends is not None and reason.accepts(difference)
    return is_same_error or run.ending in find_needed(shown.example, index)


def _build_change(context: PageContext, shown_change: ReleaseChange, is_open: bool) -> nodes.Element:
    """One change: what kind, which call, before → after; behind it where, the statement, both outputs."""
    change, step = shown_change.event.change, shown_change.event.step
    anchor = END if change.statement == LATE else f"block-{change.block + 1}"
    link = context.link_example(shown_change.shown, anchor=anchor)
    attributes = {"open": "open"} if is_open else {}
    node = build_element(
        "details",
        build_element("summary", *_build_headline(shown_change)),
        nodes.paragraph("", "", nodes.Text("In "), link),
        css="atlas-change",
        **attributes,
    )
    if change.statement is not None:
        code = "\n".join([*list_needed_code(shown_change.shown.example, change.statement), change.code])
        node += nodes.literal_block(code, code, language="python")
    runs = dict(shown_change.shown.runs)
    sides = [_build_side(runs[e], e, change) for e in (step.before, step.after)]
    node += build_element("div", *sides, css="atlas-sides")
    node += [nodes.paragraph("", "", nodes.literal("", fact)) for fact in change.facts]
    return node


def _build_headline(shown_change: ReleaseChange) -> Iterator[Node]:
    """``Now raises: torch.from_numpy(array): no error → TypeError: …``."""
    change = shown_change.event.change
    yield nodes.inline("", f"{find_title(change)}: ", classes=["atlas-severity"])
    headline, example = find_headline(change), shown_change.shown.example
    if change.statement is None:
        earlier = find_value_call(example, change)
    else:
        earlier = find_earlier_call(example, change.statement, headline)
    if earlier:
        yield nodes.literal(earlier, earlier)
        yield nodes.Text(", then ")
    yield nodes.literal(headline, headline)
    before, after = describe_sides(change)
    if before:
        yield nodes.Text(f": {before} → {after}")
    elif change.code and change.facts:
        yield nodes.Text(f": {change.facts[0]}")


def _build_side(run: Run, environment: Environment, change: Change) -> nodes.Element:
    """Boxes or sharing of one of the two environments."""
    parts: list[Node] = [nodes.paragraph("", summarize_environment(environment))]
    if change.statement is not None:
        parts += map(build_box, show_silence(statement_boxes(run, change.statement)))
    else:
        sharing = list(build_sharing_lines(new_sharing(run, change.block)))
        parts += sharing or [nodes.paragraph("", "See below.")]
    return build_element("div", *parts, css="atlas-side")


# --- any two environments ------------------------------------------------------------------------


def write_upgrade_data(app: Sphinx) -> None:
    """Write what the script of the upgrade page reads at once, and the whole table for later."""
    whole = rules_of(app)[0]
    name = UPGRADE_DATA.replace(".js", "-all.js")
    script = write_script(app, name, "atlasUpgrade.all", msgspec.to_builtins(whole))
    facts = list_upgrade_facts(whole, build_recent_table(evidence_of(app)))
    write_script(app, UPGRADE_DATA, "atlasUpgrade", {**facts, "script": script})


def list_upgrade_facts(whole: UpgradeTable, recent: UpgradeTable) -> dict[str, object]:
    """What the script reads at once."""
    return {
        "places": msgspec.to_builtins(whole.places),
        "titles": [*TITLES.values()],
        "composed": COMPOSED,
        "several": SEVERAL,
        "most": len(MOST_USED),
        "recent": msgspec.to_builtins(recent),
    }


class UpgradePage(EvidenceDirective):
    """Where the script puts two environments and what changes; without it, the table of releases."""

    def build_nodes(self) -> Iterable[Node]:
        context = self.context
        words = "This form needs JavaScript, which is off. Without it, see what each release changed:"
        context.depend_on(MATRIX)
        example, call = f"{GALLERY}/{NAME}", f"{CONVERSION}/{NAME}"
        yield build_element(
            "div",
            nodes.paragraph("", words, classes=["atlas-notice"]),
            *build_release_table(context, ""),
            css="atlas-upgrade",
            data_example=context.locate(example),
            data_call=context.locate(call),
        )
