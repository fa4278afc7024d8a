"""What the page of a release shows: changes of the examples, both sides of each, and rules of the matrix."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import shorten

import msgspec

from tensor_atlas.compare.change_text import count_noun
from tensor_atlas.compare.deviations import Deviation
from tensor_atlas.compare.evidence import Evidence, ExampleEvidence, find_reason
from tensor_atlas.compare.headlines import describe_sides, find_title
from tensor_atlas.compare.main_calls import (
    MOST_USED,
    find_earlier_call,
    find_headline,
    find_needed,
    find_value_call,
    list_needed_code,
    rank_code,
)
from tensor_atlas.compare.upgrade import MOST_SIDE, UpgradeTable, read_most_met
from tensor_atlas.compare.upgrade_report import (
    CLASS_SAYS,
    COMPOSED,
    ERROR_LINE,
    FAR,
    LEAST_EACH,
    MET_TITLE,
    MOST_MET,
    NO_OUTPUT,
    RAISING,
    SEVERAL,
    SEVERITIES,
    SILENT,
    TITLES,
    CallRule,
    Item,
    ReleaseRules,
    sort_calls,
)
from tensor_atlas.compare.verdicts import find_difference
from tensor_atlas.history.cell_changes import DEADLY
from tensor_atlas.history.changes import Severity
from tensor_atlas.history.releases import (
    is_compatible,
    minor_release,
    package_steps,
    sort_steps,
    summarize_environment,
    torch_release,
)
from tensor_atlas.history.timeline import (
    Box,
    Event,
    SharingGroup,
    find_events,
    new_sharing,
    statement_boxes,
)
from tensor_atlas.model.runs import Environment, Run
from tensor_atlas.pages.statement_view import show_silence

NUMPY = "numpy"
"""Name of the page that lists NumPy's releases."""
PYTHON = "python"
"""Name of the page about Python's changes, where a release was recorded with more than one Python."""
SELDOM_READ = (Severity.SOURCE.rank, Severity.WORDING.rank)
"""Severities that the line about a release leaves out."""
LONGEST_SUMMARY = 110
"""Characters of the line that tells what a release changed."""


@dataclass(frozen=True)
class ReleaseChange:
    """A change between two releases, with the example that shows it."""

    evidence: ExampleEvidence
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


@dataclass(frozen=True)
class MetChange:
    """A call that most programs make, and what changed of it."""

    call: str
    before: str
    after: str
    todo: str
    """What to write instead."""
    changed: ReleaseChange
    """The statement that shows it."""


@dataclass(frozen=True)
class SideView:
    """What one of two environments did."""

    environment: str
    """In words."""
    boxes: tuple[Box, ...]
    """Output of the statement; empty for a change after a block."""
    sharing: tuple[SharingGroup, ...]
    """Names that came to share memory, for a change after a block."""


@dataclass(frozen=True)
class ChangeView:
    """One change of an example: ``Now raises: torch.from_numpy(array): no error → TypeError: …``."""

    title: str
    """Which kind."""
    earlier: str
    """The call that it follows; empty for none."""
    headline: str
    """The call; empty where only the whole example says what is printed."""
    words: str
    """What it did and does; empty where both are told by facts alone."""
    code: str
    """The statement and what it needs; empty for a change after a block."""
    sides: tuple[SideView, ...]
    """Before and after."""


def collect_changes(evidence: Evidence) -> list[ReleaseChange]:
    """Every change between releases that the examples show."""
    changes: list[ReleaseChange] = []
    for shown in evidence.pages.values():
        changes += [ReleaseChange(shown, event) for event in find_events(shown.example, shown.runs)]
    return changes


def view_change(changed: ReleaseChange) -> ChangeView:
    """What is shown of one change."""
    change, example = changed.event.change, changed.evidence.example
    headline, index = find_headline(change), change.statement
    before, after = describe_sides(change)
    title = find_title(change)
    words = f"{before} → {after}" if before else ""
    if title == TITLES[Severity.CLASS]:
        words = say_change(before, after)
    if not before and change.code and change.facts:
        words = change.facts[0]
    if index is None:
        earlier, code = find_value_call(example, change), ""
    else:
        earlier = find_earlier_call(example, index, headline)
        code = "\n".join([*list_needed_code(example, index), change.code])
        if earlier and headline.startswith("print(") and not _makes_last(changed, index, earlier):
            earlier = headline = ""
    return ChangeView(title, earlier, headline, words, code, _view_sides(changed))


def _makes_last(changed: ReleaseChange, index: int, earlier: str) -> bool:
    """Whether a line is in the last statement that another needs: nothing has changed its value since."""
    example = changed.evidence.example
    needed = find_needed(example, index)
    return bool(needed) and earlier in example.statements[max(needed)].code


def _view_sides(changed: ReleaseChange) -> tuple[SideView, ...]:
    change, step = changed.event.change, changed.event.step
    runs = dict(changed.evidence.runs)
    sides: list[SideView] = []
    for environment in (step.before, step.after):
        run, words = runs[environment], summarize_environment(environment)
        if change.statement is None:
            sides.append(SideView(words, (), new_sharing(run, change.block)))
        else:
            sides.append(SideView(words, show_silence(statement_boxes(run, change.statement)), ()))
    return tuple(sides)


def summarize_release(
    table: UpgradeTable, releases: Iterable[ReleaseRules], changes: Sequence[ReleaseChange]
) -> tuple[str, str, str]:
    """The first call that most programs make; else the rule about most inputs, else a change.

    As words, code, and words behind it; ``changes`` are those on the page of the release.
    """
    met = next(find_met(changes), None)
    if met is not None:
        return "", met.call, f": {say_change(met.before, met.after)}"
    items = [item for release in releases for item in release.items if item.severity not in SELDOM_READ]
    if items:
        rule = max(items, key=_rank_item).rule
        assert rule is not None
        call = table.calls[sort_calls(table, rule)[0]].title
        return "", call, f": {say_change(rule.before, rule.after)}"
    ordered = sort_changes(one for one in changes if one.severity.is_behaviour)
    if not ordered:
        return "The examples give the same results.", "", ""
    return f"{TITLES[ordered[0].severity]}: ", find_headline(ordered[0].event.change), ""


def _rank_item(item: Item) -> tuple[bool, bool, int]:
    """Changes that end or begin with a result before those of a class or a warning; then by inputs."""
    return not item.is_minor, SEVERITIES[item.severity] not in CLASS_SAYS, count_changed(item)


_RAISED = re.compile(r"(?:raises \(?)?([\w.]*(?:Error|Exception))\b")
_WARNED = re.compile(r"(\w+Warning)\b")
_CRASHED = re.compile(r"crash\w* ?\(?(\w*)")


def say_change(before: str, after: str) -> str:
    """What a call did and does, in words: ``raises TypeError instead of ValueError``."""
    then, now = (_RAISED.match(side) for side in (before, after))
    if then and now and then[1] != now[1]:
        return f"raises {now[1]} instead of {then[1]}"
    if now and before in ("no error", NO_OUTPUT):
        return shorten(f"raises {after.removeprefix('raises ')}", LONGEST_SUMMARY, placeholder=" …")
    if then and not now:
        is_silent = after in ("no error", NO_OUTPUT)
        return f"no longer raises {then[1]}" if is_silent else f"{after} instead of raising {then[1]}"
    died, warned = _CRASHED.match(before), _WARNED.match(before)
    if died and now:
        return f"raises {now[1]} instead of crashing{died[1] and f' ({died[1]})'}"
    if warned and now:
        return f"raises {now[1]} instead of warning ({warned[1]})"
    if _WARNED.match(after) and before in (SILENT[Severity.WARNING], "no such warning"):
        return shorten(f"warns: {after}", LONGEST_SUMMARY, placeholder=" …")
    return shorten(f"{before} → {after}", LONGEST_SUMMARY, placeholder=" …")


def sort_changes(changes: Iterable[ReleaseChange]) -> list[ReleaseChange]:
    """Those of the most used calls before others; of either the gravest first."""

    def key(one: ReleaseChange) -> tuple[bool, int, int]:
        rank = rank_code(one.event.change.code)
        return rank == len(MOST_USED), one.severity.rank, rank

    return sorted(changes, key=key)


def split_by_step(
    changes: Iterable[ReleaseChange],
) -> tuple[list[ReleaseChange], dict[str, list[ReleaseChange]]]:
    """Changes of a release, and by ``between NumPy 2.0 and 2.4`` those that an earlier one may have brought.

    All are the release's own where it was not compared with the one right before it.
    """
    own: list[ReleaseChange] = []
    others: dict[str, list[ReleaseChange]] = {}
    for change in changes:
        step = change.event.step
        (own if step.is_exact else others.setdefault(step.name, [])).append(change)
    if own:
        return own, others
    return [change for members in others.values() for change in members], {}


def find_met(changes: Sequence[ReleaseChange]) -> Iterator[MetChange]:
    """Calls that most programs make, in the reviewed order, with both sides of their first change."""
    for entry, _ in read_most_met():
        name, _, code = entry.shows.partition(": ")
        here = [
            change
            for change in changes
            if change.evidence.example.name == name and change.severity.is_behaviour
        ]
        for change in here:
            before, after = describe_sides(change.event.change)
            # An older release may lack another name that the statement needs.
            is_new = change.severity is Severity.ERROR_VANISHED and before.startswith("AttributeError")
            if code.strip("`") in change.event.change.code and before and not is_new:
                yield MetChange(entry.call, before, after, entry.do, change)
                break


def summarize_counts(
    own: Sequence[ReleaseChange], others: Sequence[ReleaseChange], rules: Iterable[ReleaseRules]
) -> str:
    """How much a release changed, and how much of that an earlier one may have brought."""
    own_cells, other_cells = _count_rules(rules)
    every = [*own, *others]
    if not every and not own_cells + other_cells:
        return "The examples give the same results."
    behaviour, wording = _count_kinds(every)
    changed = f"{count_noun(behaviour, 'result')} of the examples"
    if own_cells + other_cells:
        changed += f" and {count_noun(own_cells + other_cells, 'conversion')} of single inputs"
    words = f"{changed} changed, and the wording of {count_noun(wording, 'message')}."
    apart = [count_noun(len(others), "change")] if others else []
    apart += [count_noun(other_cells, "conversion")] if other_cells else []
    if apart:
        words += f" For {' and '.join(apart)} the release before was not tried: "
        words += "an earlier one may have brought them."
    return words


def _count_kinds(changes: Sequence[ReleaseChange]) -> tuple[int, int]:
    """How many are in behaviour, and how many in wording only."""
    behaviour = sum(one.severity.is_behaviour for one in changes)
    return behaviour, len(changes) - behaviour


def _count_rules(rules: Iterable[ReleaseRules]) -> tuple[int, int]:
    """Conversions that a release changed itself, and those that one of several releases did."""
    counts = [0, 0]
    for release in rules:
        counts[is_of_several(release)] += count_rule_cells(release)
    return counts[0], counts[1]


def count_behaviour(changes: Iterable[ReleaseChange], page: str) -> int:
    """Changes on a page that are in behaviour, not in wording only."""
    return sum(one.page == page and one.severity.is_behaviour for one in changes)


def list_compared(evidence: Evidence, changes: Iterable[ReleaseChange], name: str) -> list[str]:
    """``torch 2.2.2 … with torch 2.3.1 …`` for each pair, for the page of this name."""
    pairs: list[str] = []
    for one in changes:
        step = one.event.step
        pairs.append(f"{summarize_environment(step.before)} with {summarize_environment(step.after)}")
    if pairs:
        return list(dict.fromkeys(pairs))
    released = [environment for environment in evidence.environments if name_page(environment) == name]
    return [f"{summarize_environment(environment)} with the release before it" for environment in released]


def find_change_reasons(change: ReleaseChange) -> tuple[Deviation, ...]:
    """The reviewed reasons of a change: of each side that does not do what the example documents.

    A reason that holds on both sides explains neither why they differ.
    """
    index = change.event.change.statement
    if index is None:
        return ()
    before, after = change.event.step.before, change.event.step.after
    runs = dict(change.evidence.runs)
    reasons: list[Deviation] = []
    for here, there in ((before, after), (after, before)):
        reason = find_reason(change.evidence, index, here, runs[here])
        if reason is None or reason.speaks_of(there):
            continue
        if _is_reason_of(reason, change.evidence, index, runs[here]):
            reasons.append(reason)
    return tuple(reasons)


def _is_reason_of(reason: Deviation, page: ExampleEvidence, index: int, run: Run) -> bool:
    """Whether a reason is about a statement, its error, or a statement that it needs and that ended the run.

    The rest of a run has the reason of its end, whatever else changed there.
    """
    difference = find_difference(page.example, run, index)
    if difference is None or reason.names(page.example.name, page.example.places[index].code):
        return True
    is_same_error = reason.ends is not None and reason.accepts(difference)
    return is_same_error or run.ending in find_needed(page.example, index)


def list_rules(rules: Iterable[ReleaseRules], page: str) -> list[ReleaseRules]:
    """What releases changed in the matrix, for the page of this name."""
    names = ("torch-{}", f"{NUMPY}-{{}}", PYTHON)
    return [one for one in rules if names[one.package].format(one.label.split()[-1]) == page]


def is_of_several(release: ReleaseRules) -> bool:
    """Whether its label names several releases, as in ``NumPy 2.1 to 2.4``."""
    return " to " in release.label


def count_rule_cells(release: ReleaseRules) -> int:
    """How many conversions of an input a release changed."""
    return sum(map(count_changed, release.items))


def count_changed(item: Item) -> int:
    """How many conversions of an input changed alike."""
    return sum(map(len, item.rule.calls.values())) if item.rule else 0


def group_calls(rule: CallRule, calls: Iterable[int]) -> list[tuple[tuple[int, ...], list[int]]]:
    """Calls of a rule by the inputs on which they changed, in the order of the first call of each."""
    calls_of: dict[tuple[int, ...], list[int]] = {}
    for call in calls:
        calls_of.setdefault(tuple(rule.calls[call]), []).append(call)
    return list(calls_of.items())


NOW_CRASHES = "Now crashes"
"""Title of changes after which a call ends the process."""


def group_items(release: ReleaseRules) -> list[tuple[str, list[Item]]]:
    """Changes of a release by the title of their kind; those that end the process stand first."""
    groups: dict[str, list[Item]] = {title: [] for title in (NOW_CRASHES, *TITLES.values())}
    for item in release.items:
        assert item.rule is not None
        does_crash = item.rule.after.startswith(tuple(map(str, DEADLY)))
        kind = SEVERITIES[item.severity]
        groups[NOW_CRASHES if does_crash and kind is Severity.ERROR_APPEARED else TITLES[kind]].append(item)
    return [(title, items) for title, items in groups.items() if items]


def list_upgrade_facts(whole: UpgradeTable, recent: UpgradeTable) -> dict[str, object]:
    """What the script reads at once."""
    return {
        "places": msgspec.to_builtins(whole.places),
        "titles": [*TITLES.values()],
        "composed": [COMPOSED, FAR],
        "several": SEVERAL,
        "most": len(MOST_USED),
        "met": {
            "title": MET_TITLE,
            "most": MOST_MET,
            "each": LEAST_EACH,
            "side": MOST_SIDE,
            "silent": [SILENT.get(severity, NO_OUTPUT) for severity in SEVERITIES],
            "error": ERROR_LINE,
            "raising": [RAISING.get(severity, "") for severity in SEVERITIES],
            "behaviour": [severity.is_behaviour for severity in SEVERITIES],
            "classes": [severity in CLASS_SAYS for severity in SEVERITIES],
        },
        "recent": msgspec.to_builtins(recent),
    }
