"""What changes from one recorded environment to another, by kind and by reason, and as Markdown; pure.

The script atlas-upgrade.js follows the same steps on the same table, and a test holds it to this text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tensor_atlas.compare.change_text import NOTHING, count_noun, split_lines
from tensor_atlas.compare.main_calls import MOST_USED
from tensor_atlas.compare.upgrade import (
    MOST_SIDE,
    NONE,
    Bundle,
    CallRow,
    ExampleRow,
    PlaceRow,
    Step,
    UpgradeTable,
    cut_line,
)
from tensor_atlas.history.changes import Change, Severity
from tensor_atlas.history.patterns import read_letter

TITLES = {
    Severity.ERROR_APPEARED: "Now raises",
    Severity.ERROR_VANISHED: "No longer raises",
    Severity.CLASS: "Raises a different exception class",
    Severity.SHARING: "Shares or copies differently",
    Severity.VALUE: "Returns a different value, dtype or device",
    Severity.SOURCE: "Inputs gained or lost",
    Severity.WARNING: "Warns differently",
    Severity.WORDING: "Only worded differently",
}
SEVERITIES = tuple(Severity)
SILENT = {
    Severity.ERROR_APPEARED: "no error",
    Severity.ERROR_VANISHED: "no error",
    Severity.WARNING: "no warning",
}
"""What is said of a side without output, by kind of change; else ``NO_OUTPUT``."""
NO_OUTPUT = "no output"
ERROR_LINE = r"[\w.]*(?:Error|Exception)\b|crashed|timed out|exited"
"""How a line of output begins that tells of an error; a script reads it, too."""
RAISING = {Severity.ERROR_APPEARED: "after", Severity.ERROR_VANISHED: "before"}
"""The side that raises, by kind of change."""
CLASS_SAYS = (Severity.CLASS, Severity.WARNING)
"""Kinds of change whose class says enough in one line."""
MET_TITLE = "Changes that most programs meet"
MOST_MET, LEAST_EACH = 5, 2
"""Calls that most programs make, as far as they stand before all else; and at least of torch and of NumPy."""
MOST_CALLS, MOST_LABELS = 3, 3
"""Calls and releases that a line names; further calls are counted."""
SEVERAL = "several steps"
"""Label of a composed change that none of the steps on its way brings alone."""


@dataclass
class CallRule:
    """Inputs of the matrix on which some calls changed alike."""

    before: str
    after: str
    said: str
    """What the first call said of its first source; empty where it was silent."""
    says: str
    """And what it says."""
    calls: dict[int, list[int]] = field(default_factory=dict)
    """Sources by call."""


@dataclass(frozen=True)
class ShownChange:
    """A change of an example."""

    title: str
    """Of the example."""
    setup: tuple[str, ...]
    """Code of earlier statements that make the names of this one."""
    change: Change
    """The change, its outputs as far as the table keeps them."""
    call: str
    """The line with its call, in backticks; empty where the value is of no line."""
    word: int
    """Number of what that is in words."""


@dataclass
class Item:
    """Changes of a kind with one reason; without one, those of an example, or of the same words."""

    severity: int
    """Their kind."""
    rank: int
    """Place of its most used call; a later one for rare inputs."""
    reason: int
    labels: dict[str, int] = field(default_factory=dict)
    """Releases that brought it, each with the place of its step."""
    rule: CallRule | None = None
    changes: list[ShownChange] = field(default_factory=list)

    @property
    def is_minor(self) -> bool:
        """Whether a line is enough: no example shows it, and few programs call it so."""
        return not self.changes and self.rank >= len(MOST_USED)


@dataclass(frozen=True)
class Met:
    """A call that most programs make, and what changed of it."""

    call: str
    before: str
    """The first line of its output that the other side lacks."""
    after: str
    """And what there is instead."""
    todo: str
    """What to write instead."""
    item: Item
    """To which the change belongs."""
    packages: frozenset[int]
    """Those that brought it: 0 torch, 1 NumPy, 2 Python."""


_Change = tuple[int, int, int]
"""Outcomes before and after, and the number of what that is in words."""


@dataclass(frozen=True)
class _Leg:
    """A step between two environments, in their direction."""

    place: int
    """Among all steps."""
    package: int
    label: str
    ends: tuple[int, int]


class Upgrade:
    """Everything that changes from one environment of a table to another, both by place."""

    def __init__(self, table: UpgradeTable, before: int, after: int) -> None:
        self.statements = [0] * len(SEVERITIES)
        """How many changes of examples there are, by severity."""
        self.cells = [0] * len(SEVERITIES)
        """How many conversions of an input changed, by severity."""
        self.is_recorded = table.places[before].is_recorded and table.places[after].is_recorded
        """Whether both environments are; else the changes are composed."""
        self.table = table
        """From which they are."""
        self.ends = before, after
        """Both places."""
        self._legs = list(_list_legs(table, before, after))
        self._unnamed = {} if self.is_recorded else {SEVERAL: NONE}
        self._items: dict[tuple[object, ...], Item] = {}
        self._placed: dict[tuple[int, int], tuple[Item, ShownChange]] = {}
        for row, example in enumerate(table.examples):
            for number, place in enumerate(example.places):
                self._add_place(example, place, (row, number))
        for number, call in enumerate(table.calls):
            for bundle in call.bundles:
                self._add_bundle(number, call, bundle)
        self.items = _sort_items(self._items.values())
        """The gravest first, then those of the most used calls."""
        self.met = _put_each_first(list(self._list_met()))
        """What most programs meet in an upgrade, in the reviewed order; nothing on the way back."""

    @property
    def rest(self) -> list[Item]:
        """Items that are not among what most programs meet."""
        met = {id(one.item) for one in self.met}
        return [item for item in self.items if id(item) not in met]

    @property
    def is_upgrade(self) -> bool:
        """Whether neither torch nor NumPy goes back to an older release."""
        start, goal = (self.table.places[end].releases for end in self.ends)
        return all(before <= after for before, after in zip(start[:2], goal[:2], strict=True))

    def _list_met(self) -> Iterable[Met]:
        seen: set[int] = set()
        for row in self.table.met if self.is_upgrade else ():
            spots = [(row.example, place) for place in row.places]
            here = [self._placed[spot] for spot in spots if spot in self._placed]
            told = [(item, shown) for item, shown in here if is_behaviour(self.table, shown.word)]
            if told and id(told[0][0]) not in seen:
                item, shown = told[0]
                seen.add(id(item))
                steps = [place for place in item.labels.values() if place != NONE]
                packages = frozenset(self.table.steps[place].package for place in steps)
                yield Met(row.call, *describe_word(self.table, shown.word), row.todo, item, packages)

    @property
    def is_step(self) -> bool:
        """Whether one recorded step leads from one to the other: what it brings then needs no label."""
        return self.is_recorded and len({leg.label for leg in self._legs}) == 1

    def _add(
        self, key: tuple[object, ...], severity: int, rank: int, reason: int, labels: dict[str, int]
    ) -> Item:
        item = self._items.setdefault(key, Item(severity, rank, reason))
        item.rank = min(item.rank, rank)
        item.labels = labels | item.labels
        return item

    def _label(self, row: PlaceRow | Bundle, change: _Change) -> dict[str, int]:
        return _name_steps(self.table, self._legs, row, change) or self._unnamed

    def _add_place(self, example: ExampleRow, row: PlaceRow, spot: tuple[int, int]) -> None:
        table = self.table
        change = _find_change(table, row, self.ends)
        if change is None:
            return
        before, after, word = change
        severity, *sides = table.words[word]
        statement = None if row.statement == NONE else row.statement
        code, *lines = table.texts[row.code], *(tuple(split_lines(table.texts[side])) for side in sides)
        changed = Change(example.name, SEVERITIES[severity], row.block, statement, code, *lines)
        setup = tuple(table.texts[text] for text in row.setup)
        reason = _choose_reason(row.reasons[before], row.reasons[after])
        kind = find_kind(table, word)
        key = ("reason", reason, kind) if reason != NONE else ("example", example.name, kind)
        item = self._add(key, kind, row.rank, reason, self._label(row, change))
        shown = ShownChange(example.title, setup, changed, table.texts[row.call], word)
        item.changes.append(shown)
        self._placed[spot] = item, shown
        self.statements[severity] += 1

    def _add_bundle(self, number: int, call: CallRow, bundle: Bundle) -> None:
        table = self.table
        change = _find_change(table, bundle, self.ends)
        if change is None:
            return
        before, after, word = change
        severity, *sides = table.words[word]
        then, now = (table.texts[side] for side in sides[:2])
        labels = self._label(bundle, change)
        is_rare = all(table.sources[source].is_rare for source in bundle.sources)
        rank = call.rank + (len(MOST_USED) if is_rare else 0)
        item = self._add(("words", severity, then, now, *labels), severity, rank, NONE, labels)
        said, says = (table.texts[bundle.messages[side]] for side in (before, after))
        item.rule = item.rule or CallRule(then, now, said, says)
        item.rule.calls.setdefault(number, []).extend(bundle.sources)
        self.cells[severity] += len(bundle.sources)


def _put_each_first(met: list[Met]) -> list[Met]:
    """Calls with some of torch and some of NumPy among the first, in their order; then the others."""
    certain: list[Met] = []
    for package in (0, 1):
        certain += [one for one in met if package in one.packages][:LEAST_EACH]
    wanted = {one.call: None for one in (*certain, *met)}
    first = [*wanted][:MOST_MET]
    return sorted(met, key=lambda one: one.call not in first)


def _find_change(table: UpgradeTable, row: PlaceRow | Bundle, ends: tuple[int, int]) -> _Change | None:
    """How a row changed between two places; None for nothing that counts."""
    before, after = (read_letter(table.patterns[row.pattern], place) for place in ends)
    if before is None or after is None or not row.words[before][after]:
        return None
    return before, after, row.words[before][after]


def _choose_reason(before: int, after: int) -> int:
    """The reason of a change; none where both ends have it, since it does not say why they differ."""
    if before == after:
        return NONE
    return after if before == NONE else before


def is_behaviour(table: UpgradeTable, word: int) -> bool:
    """Whether a change is one of behaviour, not of wording."""
    return SEVERITIES[table.words[word][0]].is_behaviour


def find_kind(table: UpgradeTable, word: int) -> int:
    """Under which kind a change is told: an error in the place of another raises a different class."""
    severity = table.words[word][0]
    is_break = SEVERITIES[severity] in RAISING
    if is_break and all(re.match(ERROR_LINE, side) for side in describe_word(table, word)):
        return Severity.CLASS.rank
    return severity


def describe_word(table: UpgradeTable, word: int) -> tuple[str, str]:
    """Of an output before and after the first line that the other side lacks, for one line of text."""
    severity, *sides = table.words[word]
    before, after = (table.texts[side].replace(" (uncaught)", "").split("\n") for side in sides[:2])
    kind = SEVERITIES[severity]
    lines = _find_own_line(before, after, kind, "before"), _find_own_line(after, before, kind, "after")
    return (lines[0].split(":")[0], lines[1].split(":")[0]) if kind in CLASS_SAYS else lines


def _find_own_line(some: Sequence[str], others: Sequence[str], kind: Severity, side: str) -> str:
    """The first line of one side alone; of the side that raises, an error, if there is one."""
    own = [line for line in some if line and line not in others]
    if RAISING.get(kind) == side:
        own.sort(key=lambda line: re.match(ERROR_LINE, line) is None)
    line = next(iter(own), SILENT.get(kind, NO_OUTPUT)).removesuffix(".")
    return cut_line(line, MOST_SIDE)


def spell_sides(before: str, after: str) -> str:
    """``before → after``, outputs in backticks."""
    sides = []
    for side in (before, after):
        is_output = side not in (NO_OUTPUT, *SILENT.values())
        sides.append("`{}`".format(side.replace("`", "'")) if is_output else side)
    return " → ".join(sides)


def _sort_items(items: Iterable[Item]) -> list[Item]:
    return sorted(items, key=lambda item: (item.severity, item.is_minor, item.rank))


def _list_legs(table: UpgradeTable, before: int, after: int) -> Iterable[_Leg]:
    """Steps on the way, in its direction; of what is composed also those that other releases took."""
    ends = [table.places[before], table.places[after]]
    start, goal = (end.releases for end in ends)
    is_recorded = all(end.is_recorded for end in ends)
    ranges = [sorted(pair) for pair in zip(start, goal, strict=True)]
    for step_index, step in enumerate(table.steps):
        releases = [table.places[end].releases for end in (step.before, step.after)]
        held = range(len(ranges)) if is_recorded else (step.package,)
        if all(ranges[n][0] <= of[n] <= ranges[n][1] for of in releases for n in held):
            label = step.label if is_recorded else f"{step.label} (seen with {step.seen})"
            is_forward = start[step.package] < goal[step.package]
            way = (step.before, step.after) if is_forward else (step.after, step.before)
            yield _Leg(step_index, step.package, label, way)


def _name_steps(
    table: UpgradeTable, legs: Iterable[_Leg], row: PlaceRow | Bundle, change: _Change
) -> dict[str, int]:
    """Of each package the narrowest step that brings a change; else steps that bring parts of it."""
    whole: dict[int, _Leg] = {}
    parts: list[_Leg] = []
    for leg in legs:
        part = _find_change(table, row, leg.ends)
        if part is None:
            continue
        # Outcomes of a statement differ by their reasons, too.
        is_alike = isinstance(row, PlaceRow) and part[2] == change[2]
        if part == change or is_alike:
            whole.setdefault(leg.package, leg)
        parts.append(leg)
    labels: dict[str, int] = {}
    for leg in [*whole.values()] or parts:
        labels.setdefault(leg.label, leg.place)
    return dict([*labels.items()][:MOST_LABELS])


# --- rules of each release -------------------------------------------------------------------------


@dataclass(frozen=True)
class ReleaseRules:
    """What a release changed in the matrix."""

    package: int
    """0 torch, 1 NumPy, 2 Python."""
    label: str
    """The release: ``torch 2.9``, ``NumPy 2.1 to 2.4``."""
    items: list[Item]
    """Its rules, the gravest first, then those of the most used calls."""


_CellChange = tuple[int, int, str, str]
"""A call and a source, with what was done before and after."""


def list_release_rules(table: UpgradeTable) -> list[ReleaseRules]:
    """The rules of each step from a release to the next, of each package the newest first.

    A step over several releases says nothing that narrower ones within it say, one of them or all together.
    """
    items_of: dict[tuple[int, str], dict[tuple[object, ...], Item]] = {}
    known: list[tuple[Step, set[_CellChange]]] = []
    for step in table.steps:
        finer_cells = [cells for finer, cells in known if _is_within(table, finer, step)]
        finer_cells += [_list_changes(Upgrade(table, *span)) for span in _find_finer_spans(table, step)]
        cells: set[_CellChange] = set()
        items = items_of.setdefault((step.package, step.label), {})
        for item in Upgrade(table, step.before, step.after).items:
            if item.rule is not None:
                cells |= _add_rule(items, item, item.rule, set().union(*finer_cells))
        known.append((step, cells))
    newest = {(step.package, step.label): table.places[step.after].releases for step in table.steps}
    keys = sorted(items_of, key=lambda key: (key[0], -newest[key][key[0]]))
    return [ReleaseRules(*key, _sort_items(items_of[key].values())) for key in keys if items_of[key]]


def _is_within(table: UpgradeTable, finer: Step, step: Step) -> bool:
    """Whether a step of the same package begins and ends within another."""
    low, high = _read_ends(table, finer)
    start, end = _read_ends(table, step)
    return finer.package == step.package and start <= low and high <= end


def _read_ends(table: UpgradeTable, step: Step) -> list[int]:
    """The releases of its package from which and to which a step goes, as places in the line of releases."""
    return [table.places[place].releases[step.package] for place in (step.before, step.after)]


def _find_finer_spans(table: UpgradeTable, step: Step) -> Iterable[tuple[int, int]]:
    """Environments that begin and end as a step does, with another torch that was tried with more between."""
    before, after = table.places[step.before], table.places[step.after]
    for finer in table.steps:
        first = table.places[finer.before]
        is_first = first.releases[step.package] == before.releases[step.package]
        is_finer = table.places[finer.after].releases[step.package] < after.releases[step.package]
        if finer.package == step.package and is_first and is_finer:
            end = list(first.releases)
            end[step.package] = after.releases[step.package]
            found = [place for place, one in enumerate(table.places) if one.releases == tuple(end)]
            yield from ((finer.before, place) for place in found if table.places[place].is_recorded)


def _list_changes(upgrade: Upgrade) -> set[_CellChange]:
    rules = [item.rule for item in upgrade.items if item.rule]
    return {
        (call, source, rule.before, rule.after)
        for rule in rules
        for call, sources in rule.calls.items()
        for source in sources
    }


def _add_rule(
    items: dict[tuple[object, ...], Item], item: Item, rule: CallRule, listed: set[_CellChange]
) -> set[_CellChange]:
    """All changes of a rule; those that are not told yet join the items of their release."""
    changes = [(call, source) for call, sources in rule.calls.items() for source in sources]
    for call, source in changes:
        if (call, source, rule.before, rule.after) not in listed:
            key = (item.severity, rule.before, rule.after)
            kept = items.setdefault(key, Item(item.severity, item.rank, NONE, item.labels))
            kept.rule = kept.rule or CallRule(rule.before, rule.after, rule.said, rule.says)
            kept.rule.calls.setdefault(call, []).append(source)
            kept.rank = min(kept.rank, item.rank)
    return {(*change, rule.before, rule.after) for change in changes}


# --- Markdown ----------------------------------------------------------------------------------

COMPOSED = (
    "has not been recorded: its changes are composed of recorded steps, each named with the release that it "
    "was seen with."
)
"""What is said of an environment that nobody recorded, after its name."""
FAR = (
    f"{COMPOSED} No near release of torch took its step of NumPy: changes may be missing, and some may not "
    "be real."
)
"""The same where a step is carried over many releases of torch."""
CAME_OR_WENT = ("cannot be made", "can be made")


def render_markdown(upgrade: Upgrade) -> str:
    """What changes from one environment to another as Markdown, for a pull request."""
    table = upgrade.table
    before, after = (table.places[end].label for end in upgrade.ends)
    parts = [f"## What changes from {before} to {after}", summarize(upgrade)]
    parts += explain_places(upgrade)
    if upgrade.met:
        parts.append(f"### {MET_TITLE} ({len(upgrade.met)})")
    parts += name_unmet(upgrade)
    parts += [_render_met(table, one) for one in upgrade.met]
    for severity, title in enumerate(TITLES.values()):
        items = [item for item in upgrade.rest if item.severity == severity]
        if items:
            parts.append(f"### {title} ({len(items)})")
        parts += [_render_item(table, item) for item in items if not item.is_minor]
        minor = [f"- {describe_item(table, item)}" for item in items if item.is_minor]
        if minor:
            heading = f"{count_noun(len(minor), 'change')} to rarely used calls or inputs"
            parts += [f"<details><summary>{heading}</summary>", "\n".join(minor), "</details>"]
    if upgrade.items:
        parts.append(count_evidence(upgrade))
    return "\n\n".join(parts) + "\n"


def explain_places(upgrade: Upgrade) -> Iterable[str]:
    """What a reader has to know of either environment, if anything."""
    for end_place in (upgrade.table.places[end] for end in upgrade.ends):
        if not end_place.is_compatible:
            yield f"{end_place.label} is an incompatible install: this torch was built for NumPy 1."
        elif not end_place.is_recorded:
            yield f"{end_place.label} {FAR if end_place.is_far else COMPOSED}"


def summarize(upgrade: Upgrade) -> str:
    """How much changes, in one sentence."""
    if not upgrade.items and not upgrade.is_recorded:
        return "No recorded step changes a result."
    if not upgrade.items:
        return "The results recorded in both are the same."
    total, met, rest = len(upgrade.items), len(upgrade.met), len(upgrade.rest)
    if not met:
        return f"{count_noun(total, 'change')}."
    if not rest:
        return f"{count_noun(total, 'change')} that most programs meet."
    return f"{count_noun(total, 'change')}: {met} that most programs meet, {count_noun(rest, 'other')}."


def count_evidence(upgrade: Upgrade) -> str:
    """How many recorded results differ, in one sentence."""
    statements = count_noun(sum(upgrade.statements), "output")
    cells = count_noun(sum(upgrade.cells), "conversion")
    return f"Recorded results that differ: {statements} of the examples, {cells} of one input each."


def name_unmet(upgrade: Upgrade) -> Iterable[str]:
    """Of torch and of NumPy, that its releases changed none of the calls that most programs make."""
    if not upgrade.items:
        return
    before, after = (upgrade.table.places[end] for end in upgrade.ends)
    for package in (0, 1):
        is_met = any(package in one.packages for one in upgrade.met)
        if upgrade.is_upgrade and before.releases[package] != after.releases[package] and not is_met:
            start, goal = (place.label.split(", ")[package] for place in (before, after))
            yield f"{start} to {goal.split()[1]}: no change among the calls that most programs make."


def describe_item(table: UpgradeTable, item: Item) -> str:
    """The release, then the calls with what they did and do; then the reason, if there is one."""
    names = list_releases(item)
    labels = f"**{', '.join(names)}:** " if names else ""
    if item.rule is not None:
        return labels + describe_rule(table, item.rule)
    line = describe_shown(table, choose_shown(item))
    return labels + ". ".join(filter(None, (line, describe_reason(table, item))))


def choose_shown(item: Item) -> ShownChange:
    """The change that stands for an item: the first of a statement."""
    return next((one for one in item.changes if one.change.code), item.changes[0])


def describe_shown(table: UpgradeTable, shown: ShownChange) -> str:
    """The call with what it did and does; the title of its example where there is no call."""
    change = shown.change
    if change.before or change.after:
        says = spell_sides(*describe_word(table, shown.word))
    else:
        says = "".join(change.facts[:1])
    return f"{shown.call or shown.title}: {says}"


def list_releases(item: Item) -> list[str]:
    """Releases that brought it, the oldest first."""
    return sorted(item.labels, key=item.labels.__getitem__, reverse=True)


def describe_rule(table: UpgradeTable, rule: CallRule) -> str:
    """Its most used calls, with what they did and do: ``x.item() on 3 kinds of input: copies → raises``."""
    return f"{_name_calls(table, rule)}: {rule.before} → {rule.after}"


def _name_calls(table: UpgradeTable, rule: CallRule) -> str:
    """Calls, the most used first, with their number of inputs; the inputs alone where these came or went."""
    sources = {source: None for inputs in rule.calls.values() for source in inputs}
    if rule.before in CAME_OR_WENT:
        return ", ".join(table.sources[source].title for source in sources)
    calls = sort_calls(table, rule)
    names = ", ".join(f"`{table.calls[call].title}`" for call in calls[:MOST_CALLS])
    rest = len(calls) - MOST_CALLS
    names += f" and {count_noun(rest, 'more call')}" if rest > 0 else ""
    kinds = (
        table.sources[next(iter(sources))].title if len(sources) == 1 else f"{len(sources)} kinds of input"
    )
    return f"{names} on {kinds}"


def sort_calls(table: UpgradeTable, rule: CallRule) -> list[int]:
    """Calls of a rule, the most used first, of these the shortest."""
    return sorted(rule.calls, key=lambda call: (table.calls[call].rank, len(table.calls[call].title), call))


def _render_met(table: UpgradeTable, met: Met) -> str:
    """What most programs meet: the call, before → after, what to do; then why, and code that shows it."""
    names = list_releases(met.item)
    label = f"**{', '.join(names)}:** " if names else ""
    first = f"- {label}`{met.call}`: {spell_sides(met.before, met.after)}. {met.todo}"
    why = describe_reason(table, met.item)
    return _render_code(table, met.item, [first, *(["", f"  {why}"] if why else [])])


def describe_reason(table: UpgradeTable, item: Item) -> str:
    """Why, with where it is documented; empty for an item without a reason."""
    if item.reason == NONE:
        return ""
    text, link = table.reasons[item.reason]
    return text + (f" [Source]({link})" if link else "")


def _render_item(table: UpgradeTable, item: Item) -> str:
    """An item with code that shows it, and the examples that it is from."""
    return _render_code(table, item, [f"- {describe_item(table, item)}"])


def _render_code(table: UpgradeTable, item: Item, words: Iterable[str]) -> str:
    lines = [*words, "", "  ```python"]
    lines += [f"  {line}".rstrip() for line in "\n".join(choose_sample(table, item)).split("\n")]
    lines.append("  ```")
    names = dict.fromkeys(shown.change.example for shown in item.changes)
    if names:
        lines += ["", f"  Shown in {', '.join(f'`{name}`' for name in names)}."]
    return "\n".join(lines)


def choose_sample(table: UpgradeTable, item: Item) -> list[str]:
    """Code of an example that shows an item, else of its rule; comments say what it did and does."""
    shown = choose_shown(item) if item.changes else None
    if shown is not None and shown.change.code:
        change = shown.change
        code = "\n".join([*shown.setup, change.code])
        if not change.before and not change.after:
            return [code, _comment("after it, " if change.facts else "", "\n".join(change.facts))]
        before, after = ("\n".join(side or (NOTHING,)) for side in (change.before, change.after))
        return [code, *_comment_sides(before, after)]
    if item.rule is None:
        return [_comment("after a block, ", "\n".join(item.changes[0].change.facts))]
    call = sort_calls(table, item.rule)[0]
    source = table.sources[item.rule.calls[call][0]]
    sides = (item.rule.said or item.rule.before, item.rule.says or item.rule.after)
    return [table.texts[source.code], table.calls[call].title, *_comment_sides(*sides)]


def _comment_sides(before: str, after: str) -> list[str]:
    return [_comment("before: ", before), _comment("after: ", after)]


def _comment(name: str, text: str) -> str:
    return f"# {name}{text}".replace("\n", "\n#   ").replace("```", "` ` `")
