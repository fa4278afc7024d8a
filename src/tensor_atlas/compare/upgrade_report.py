"""What changes from one recorded environment to another, by kind and by reason, and as Markdown; pure.

``docs/_static/atlas-upgrade.js`` follows the same steps on the same table, and a test holds it to this text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from tensor_atlas.compare.upgrade import MOST_USED, NONE, Bundle, CallRow, ExampleRow, Step, UpgradeTable
from tensor_atlas.history.changes import Severity

TITLES = {
    Severity.ERROR_APPEARED: "Now raises",
    Severity.ERROR_VANISHED: "No longer raises",
    Severity.CLASS: "Raises another exception class",
    Severity.SHARING: "Shares or copies differently",
    Severity.VALUE: "Gives another value, dtype or device",
    Severity.SOURCE: "Inputs that came or went",
    Severity.WARNING: "Warns differently",
    Severity.WORDING: "Only worded differently",
}
SEVERITIES = tuple(Severity)
MIRRORED = [1, 0, *range(2, len(SEVERITIES))]
"""Severity of each change for whoever goes the other way: an error that appeared vanishes."""
MOST_CALLS, MOST_LABELS = 3, 3
"""Calls and releases that a line names; further calls are counted."""


@dataclass
class Rule:
    """Inputs of the matrix on which some calls changed alike."""

    before: str
    after: str
    said: str
    """What the first call said of its first source; empty where it was silent."""
    says: str
    """And what it says."""
    calls: dict[int, list[int]] = field(default_factory=dict)
    """Sources by call."""


@dataclass
class ShownChange:
    """A change of an example."""

    example: ExampleRow
    block: int
    code: str
    before: str
    after: str
    facts: str


@dataclass
class Item:
    """Changes with one reason; without one, those of an example, or of the same words."""

    severity: int
    """The gravest."""
    rank: int
    """Place of its most used call; a later one for rare inputs."""
    reason: int
    labels: dict[str, None] = field(default_factory=dict)
    """Releases that brought it."""
    rule: Rule | None = None
    shown: list[ShownChange] = field(default_factory=list)

    @property
    def is_minor(self) -> bool:
        """Whether a line is enough: no example shows it, and few programs call it so."""
        return not self.shown and self.rank >= len(MOST_USED)


class Upgrade:
    """Everything that changes from one environment of a table to another, both by place."""

    def __init__(self, table: UpgradeTable, before: int, after: int) -> None:
        self.statements = [0] * len(SEVERITIES)
        """How many changes of examples there are, by severity."""
        self.cells = [0] * len(SEVERITIES)
        """How many conversions of an input changed, by severity."""
        self._table, self._ends = table, (before, after)
        self._steps = list(_steps_between(table, before, after))
        self._items: dict[tuple[object, ...], Item] = {}
        for example in table.examples:
            self._add_example(example)
        for place, call in enumerate(table.calls):
            for bundle in call.bundles:
                self._add_bundle(place, call, bundle)
        self.items = sorted(self._items.values(), key=lambda item: (item.severity, item.is_minor, item.rank))
        """The gravest first, then those of the most used calls."""

    def _add(self, key: tuple[object, ...], severity: int, rank: int, reason: int, labels: list[str]) -> Item:
        item = self._items.setdefault(key, Item(severity, rank, reason))
        item.severity, item.rank = min(item.severity, severity), min(item.rank, rank)
        item.labels |= dict.fromkeys(labels)
        return item

    def _add_example(self, example: ExampleRow) -> None:
        table, ends = self._table, self._ends
        pattern, count = table.patterns[example.pattern], round(len(example.pairs) ** 0.5)

        def pair(one: int, other: int) -> list[int]:
            i, j = pattern[one], pattern[other]
            return [] if " " in (i, j) else example.pairs[(ord(i) - 48) * count + ord(j) - 48]

        for index in pair(*ends):
            change = example.changes[index]
            spot = change.statement, change.block

            def is_it(one: int, other: int, index: int = index) -> bool:
                return index in pair(one, other)

            def is_part(one: int, other: int, spot: tuple[int, int] = spot) -> bool:
                found = [example.changes[i] for i in pair(one, other)]
                return spot in [(other.statement, other.block) for other in found]

            labels = _name_steps(self._steps, is_it, is_part)
            code, rank, reason = "", len(MOST_USED), NONE
            if change.statement != NONE:
                statement = example.statements[change.statement]
                code = "\n".join(filter(None, (table.texts[n] for n in (statement.setup, statement.code))))
                rank = statement.rank
                reason = next((r for r in (statement.reasons[end] for end in ends) if r != NONE), NONE)
            key = ("reason", reason) if reason != NONE else ("example", example.name)
            texts = (table.texts[n] for n in (change.before, change.after, change.facts))
            item = self._add(key, change.severity, rank, reason, labels)
            item.shown.append(ShownChange(example, change.block, code, *texts))
            self.statements[change.severity] += 1

    def _add_bundle(self, place: int, call: CallRow, bundle: Bundle) -> None:
        table = self._table
        pattern = table.patterns[bundle.pattern]
        i, j = (pattern[end] for end in self._ends)
        if " " in (i, j) or i == j:
            return
        low, high = sorted((ord(i) - 48, ord(j) - 48))
        word = bundle.words[low * (2 * len(bundle.messages) - low - 1) // 2 + high - low - 1]
        severity, *sides = table.words[word]
        severity = severity if i < j else MIRRORED[severity]
        then, now = (table.texts[side] for side in (sides if i < j else sides[::-1]))

        def is_part(one: int, other: int) -> bool:
            return " " not in (pattern[one], pattern[other]) and pattern[one] != pattern[other]

        labels = _name_steps(
            self._steps, lambda one, other: (pattern[one], pattern[other]) == (i, j), is_part
        )
        is_rare = all(table.sources[source].is_rare for source in bundle.sources)
        rank = call.rank + (len(MOST_USED) if is_rare else 0)
        item = self._add(("words", severity, then, now, *labels), severity, rank, NONE, labels)
        said, says = (table.texts[bundle.messages[ord(side) - 48]] for side in (i, j))
        item.rule = item.rule or Rule(then, now, said, says)
        item.rule.calls.setdefault(place, []).extend(bundle.sources)
        self.cells[severity] += len(bundle.sources)


def _steps_between(table: UpgradeTable, before: int, after: int) -> Iterable[tuple[int, int, Step]]:
    """Steps on the way, each with its environments in the direction of the way."""
    start, goal = table.places[before].releases, table.places[after].releases
    ranges = [sorted(ends) for ends in zip(start, goal, strict=True)]
    for step in table.steps:
        places = [table.places[end].releases for end in (step.before, step.after)]
        if all(low <= r <= high for of in places for r, (low, high) in zip(of, ranges, strict=True)):
            is_forward = start[step.package] < goal[step.package]
            pair = (step.before, step.after) if is_forward else (step.after, step.before)
            yield *pair, step


def _name_steps(
    steps: list[tuple[int, int, Step]],
    is_it: Callable[[int, int], bool],
    is_part: Callable[[int, int], bool],
) -> list[str]:
    """Of each package the narrowest step that brings a change; else steps that bring parts of it."""
    whole: dict[int, str] = {}
    for one, other, step in steps:
        if step.package not in whole and is_it(one, other):
            whole[step.package] = step.label
    parts = () if whole else (step.label for one, other, step in steps if is_part(one, other))
    return list(dict.fromkeys([*whole.values(), *parts]))[:MOST_LABELS]


# --- Markdown ----------------------------------------------------------------------------------

CAME_OR_WENT = ("cannot be made", "can be made")


def render_markdown(table: UpgradeTable, before: int, after: int) -> str:
    """What changes from one environment to another as Markdown, for a pull request."""
    upgrade = Upgrade(table, before, after)
    places = (table.places[before], table.places[after])
    parts = [f"## What changes from {places[0].label} to {places[1].label}", summarize(upgrade)]
    why = "is an incompatible install: this torch was built for NumPy 1."
    parts += [f"{place.label} {why}" for place in places if not place.is_compatible]
    for severity, title in enumerate(TITLES.values()):
        items = [item for item in upgrade.items if item.severity == severity]
        if items:
            parts.append(f"### {title} ({len(items)})")
        parts += [_render_item(table, item) for item in items if not item.is_minor]
        minor = [f"- {describe_item(table, item)}" for item in items if item.is_minor]
        if minor:
            heading = f"{_count(len(minor), 'change')} of less used calls or rare inputs"
            parts += [f"<details><summary>{heading}</summary>", "\n".join(minor), "</details>"]
    return "\n\n".join(parts) + "\n"


def summarize(upgrade: Upgrade) -> str:
    """How much changes, in one sentence."""
    if not upgrade.items:
        return "Nothing that was recorded in both changes."
    statements = _count(sum(upgrade.statements), "change")
    cells = _count(sum(upgrade.cells), "conversion")
    return f"{statements} in the examples; {cells} of the matrix differ."


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (number != 1)}"


def describe_item(table: UpgradeTable, item: Item) -> str:
    """The release, then the reason; without one the calls with what they did and do, or the example."""
    names = [step.label for step in reversed(table.steps) if step.label in item.labels]  # the oldest first
    labels = f"**{', '.join(dict.fromkeys(names))}:** " if names else ""
    if item.reason != NONE:
        text, link = table.reasons[item.reason]
        return labels + text + (f" [Source]({link})" if link else "")
    if item.rule is None:
        return labels + item.shown[0].example.title
    return f"{labels}{_name_calls(table, item.rule)}: {item.rule.before} → {item.rule.after}"


def _name_calls(table: UpgradeTable, rule: Rule) -> str:
    """Calls, the most used first, with their number of inputs; the inputs alone where these came or went."""
    sources = {source: None for inputs in rule.calls.values() for source in inputs}
    if rule.before in CAME_OR_WENT:
        return ", ".join(table.sources[source].title for source in sources)
    calls = _sort_calls(table, rule)
    names = ", ".join(f"`{table.calls[call].title}`" for call in calls[:MOST_CALLS])
    rest = len(calls) - MOST_CALLS
    names += f" and {_count(rest, 'more call')}" if rest > 0 else ""
    kinds = (
        table.sources[next(iter(sources))].title if len(sources) == 1 else f"{len(sources)} kinds of input"
    )
    return f"{names} on {kinds}"


def _sort_calls(table: UpgradeTable, rule: Rule) -> list[int]:
    """Calls of a rule, the most used first, of these the shortest."""
    return sorted(rule.calls, key=lambda call: (table.calls[call].rank, len(table.calls[call].title), call))


def _render_item(table: UpgradeTable, item: Item) -> str:
    """An item with code that shows it, and the examples that it is from."""
    lines = [f"- {describe_item(table, item)}", "", "  ```python"]
    lines += [f"  {line}".rstrip() for line in "\n".join(choose_sample(table, item)).split("\n")]
    lines.append("  ```")
    names = dict.fromkeys(shown.example.name for shown in item.shown)
    if names:
        lines += ["", f"  Shown in {', '.join(f'`{name}`' for name in names)}."]
    return "\n".join(lines)


def choose_sample(table: UpgradeTable, item: Item) -> list[str]:
    """Code of an example that shows an item, else of its rule; comments say what it did and does."""
    shown = next((one for one in item.shown if one.code), None)
    if shown is not None:
        facts = shown.facts and f"after it, {shown.facts}"
        sides = (shown.before or "(nothing)", shown.after or "(nothing)")
        is_silent = not shown.before and not shown.after
        return [shown.code, *([_comment("", facts)] if is_silent else _comment_sides(*sides))]
    if item.rule is None:
        return [_comment("after a block, ", item.shown[0].facts)]
    call = _sort_calls(table, item.rule)[0]
    source = table.sources[item.rule.calls[call][0]]
    sides = (item.rule.said or item.rule.before, item.rule.says or item.rule.after)
    return [table.texts[source.code], table.calls[call].title, *_comment_sides(*sides)]


def _comment_sides(before: str, after: str) -> list[str]:
    return [_comment("before: ", before), _comment("after: ", after)]


def _comment(name: str, text: str) -> str:
    return f"# {name}{text}".replace("\n", "\n#   ").replace("```", "` ` `")
