"""The text of a pull request with new records: what a maintainer has to know to act on it; pure.

It holds what fits into MOST_CHARACTERS, the gravest first; the whole report is a file beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from packaging.version import Version

from tensor_atlas.compare.change_text import count_noun, escape_controls, source_location
from tensor_atlas.compare.comparisons import Comparison, name_cells, render_recording
from tensor_atlas.compare.headlines import describe_sides
from tensor_atlas.compare.main_calls import find_headline, rank_code
from tensor_atlas.compare.report import describe_differences, quote_text
from tensor_atlas.compare.verdicts import Verdict
from tensor_atlas.examples.parse import Example
from tensor_atlas.history.cell_changes import list_cells
from tensor_atlas.history.changes import Change, Rule
from tensor_atlas.history.releases import (
    name_environment,
    preference_key,
    summarize_environment,
    torch_release,
)
from tensor_atlas.model.runs import Environment

MOST_CHARACTERS = 20_000
"""Length of the text; GitHub takes 65,536 characters, and a person reads less."""
MOST_CALL = 120
"""Characters of a call or an outcome in one line."""
LEAST_ROOM = 400
"""Characters below which a part is left to the whole report: its title, what is left out, and a line."""
STEPS = """\
### Next

On this branch, in a checkout with `tensor-atlas`; none of it needs this torch:

1. `tensor-atlas drift --all` lists each output that no claim and no deviation explains.
2. If this torch is the newest and its output is right, `tensor-atlas claims --write --of {environment}`
   writes what was recorded there into the examples. If the output is wrong, report that, and leave this
   pull request open: as long as it is, no second one comes.
3. `tensor-atlas drift --draft` then prints an entry for each difference that is left, mostly of older
   releases. Copy them into `docs/deviations.toml`, join those with one cause, and write the reason.
4. When `tensor-atlas drift --all` ends with *no drift*, commit and merge.

Review errors that appeared first, then sharing, values and warnings. Changes of words come last.
"""


@dataclass(frozen=True)
class Recording:
    """What recording one environment brought."""

    environment: Environment
    around: tuple[Comparison, ...]
    """It against its recorded neighbours, the older ones first."""
    drifted: tuple[Verdict, ...]
    """Differences from the claims that nothing explains."""
    lacking: str
    """What of the run is missing; empty for a whole one."""
    alone: str
    """What is said where there is no comparison."""
    not_run: Mapping[str, int] = field(default_factory=dict)
    """Number of examples that did not run, by reason."""


def render_whole(recordings: Iterable[Recording], examples: Mapping[str, Example]) -> str:
    """Everything that the recordings brought, in Markdown, one after the other."""
    return "\n".join(_render_one(one, examples) for one in recordings)


def _render_one(one: Recording, examples: Mapping[str, Example]) -> str:
    return render_recording(one.environment, one.around, one.drifted, examples, one.lacking, one.alone)


def render_proposal(
    recordings: Sequence[Recording], examples: Mapping[str, Example], whole: str, due: str = ""
) -> str:
    """Markdown of at most MOST_CHARACTERS, whose first line names the release.

    ``recordings`` holds at least one; ``whole`` is the name of the file that has everything, ``due`` says
    which releases leave the records.
    """
    ordered = sorted(recordings, key=lambda recording: preference_key(recording.environment), reverse=True)
    head = [f"## {name_recordings(ordered)}", _render_table(ordered)]
    head += [
        f"**Not a whole run of {_name(recording)}: {recording.lacking}**"
        for recording in ordered
        if recording.lacking
    ]
    head += [due] if due else []
    head += _list_not_run(ordered)
    rest = f"Everything in full: `{whole}`, in the files of the run that opened this."
    steps = STEPS.format(environment=name_environment(ordered[0].environment))
    room = MOST_CHARACTERS - len("\n\n".join([*head, rest, steps])) - LEAST_ROOM
    drifted = [verdict for recording in ordered for verdict in recording.drifted]
    parts = _fit(
        "### Not explained by claims or deviations",
        list(map(quote_text, describe_differences(drifted))),
        room // 2,
    )
    listed: set[Change | Rule] = set()
    for recording in ordered:
        for comparison in recording.around:
            lines = list(_list_news(comparison, examples, listed))
            title = (
                f"### {summarize_environment(comparison.before)} → {summarize_environment(comparison.after)}"
            )
            parts += _fit(title, lines, room - len("\n\n".join(parts)))
    return "\n\n".join([*head, *parts, rest, steps])


def _list_not_run(recordings: Iterable[Recording]) -> list[str]:
    """A line for each reason why examples did not run, with the most of an environment; none for none."""
    most: dict[str, int] = {}
    for one in recordings:
        for reason, count in one.not_run.items():
            most[reason] = max(count, most.get(reason, 0))
    lines = [f"- {count_noun(count, 'example')}: {escape_controls(reason)}" for reason, count in most.items()]
    return ["\n".join(["Not run:", "", *lines])] if lines else []


def name_recordings(recordings: Sequence[Recording]) -> str:
    """``torch 2.16.0, NumPy 2.5.5, NumPy 2.4.6 in 6 environments``; one environment is named."""
    if len(recordings) == 1:
        return _name(recordings[0])
    torch = {torch_release(one.environment) for one in recordings}
    numpy = {Version(one.environment.numpy) for one in recordings}
    names = [f"torch {release}" for release in sorted(torch, reverse=True)]
    names += [f"NumPy {release}" for release in sorted(numpy, reverse=True)]
    return f"{', '.join(names)} in {len(recordings)} environments"


def _name(one: Recording) -> str:
    return summarize_environment(one.environment)


def _render_table(recordings: Iterable[Recording]) -> str:
    """A row for each environment: with what it was compared first, and how much differs."""
    lines = [
        "| Environment | Compared with | Behaves otherwise | Worded otherwise | Cells | Not explained |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for one in recordings:
        cells = [_name(one), *_count_changes(one), str(len(one.drifted))]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _count_changes(recording: Recording) -> list[str]:
    """The neighbour that it was compared with first, then how many changes of each sort."""
    if not recording.around:
        return [recording.alone, "–", "–", "–"]
    first = recording.around[0]
    other = first.before if first.after == recording.environment else first.after
    *behaves, worded = first.upgrade.statements
    cells = sum(first.upgrade.cells)
    return [summarize_environment(other), str(sum(behaves)), str(worded), str(cells)]


def _list_news(
    comparison: Comparison, examples: Mapping[str, Example], listed: set[Change | Rule]
) -> Iterator[str]:
    """A line for each change and rule that is not ``listed`` yet, in the order of their items."""
    for item in comparison.upgrade.items:
        changes = [shown.change for shown in item.changes if shown.change not in listed]
        changes.sort(key=lambda change: (change.severity.rank, rank_code(change.code)))
        yield from (_describe_change(change, examples) for change in changes)
        listed.update(changes)
        if item.rule is not None:
            rule = name_cells(comparison.upgrade.table, item.severity, item.rule)
            yield from [_describe_rule(rule)] * (rule not in listed)
            listed.add(rule)


def _describe_change(change: Change, examples: Mapping[str, Example]) -> str:
    before, after = describe_sides(change)
    sides = f": {_quote(before)} → {_quote(after)}" if before or after else ""
    facts = f" ({_quote('; '.join(change.facts))})" if change.facts else ""
    where = source_location(change, examples)
    return f"- {change.severity}: {_quote(find_headline(change))}{sides}{facts}, {where}"


def _describe_rule(rule: Rule) -> str:
    before, after = rule.before.split("\n")[0], rule.after.split("\n")[0]
    cells = count_noun(len(rule.cells), "cell")
    where = _quote("; ".join(list_cells(rule)))
    return f"- {rule.severity} in {cells}: {_quote(before)} → {_quote(after)}, in {where}"


def _quote(text: str) -> str:
    """Text of a run as code in one line: nothing in it is Markdown, a mention or a command."""
    line = " ".join(escape_controls(text).split()).replace("`", "'")
    shown = line if len(line) <= MOST_CALL else f"{line[: MOST_CALL - 2]} …"
    return f"`{shown or ' '}`"


def _fit(title: str, lines: Sequence[str], room: int) -> list[str]:
    """A title with its count and the lines that fit, then how many do not; nothing without lines or room."""
    if not lines or room < LEAST_ROOM:
        return []
    parts = [f"{title} ({len(lines)})"]
    room -= len(parts[0]) + len("… 10,000 more") + 4
    kept = []
    for line in lines:
        room -= len(line) + 2
        if room < 0:
            break
        kept.append(line)
    is_list = lines[0].startswith("- ")
    if kept:
        parts.append(("\n" if is_list else "\n\n").join(kept))
    if len(kept) < len(lines):
        parts.append(f"… {len(lines) - len(kept):,} more")
    return parts
