"""On which releases an example does the same: its answer first, then all its blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from tensor_atlas.compare.change_text import count_noun
from tensor_atlas.compare.evidence import ExampleEvidence
from tensor_atlas.examples.messages import is_error_page
from tensor_atlas.examples.parse import Example
from tensor_atlas.history.releases import minor_release
from tensor_atlas.history.timeline import Agreement, main_environments, rate_agreement, rate_start
from tensor_atlas.model.runs import Environment
from tensor_atlas.pages.fix_view import count_releases, describe_fix_releases, list_releases, watch_fix

SIGNS = {
    Agreement.SAME: "=",
    Agreement.WORDING: "≈",
    Agreement.CLASS: "≠",
    Agreement.BEHAVIOUR: "≠",
    Agreement.NOT_MEASURED: "·",
}
"""Sign of each agreement; words stand beside it."""
Rated = Sequence[tuple[Environment, Agreement]]
"""Releases, the oldest first, each with how far it agrees with the page."""


@dataclass(frozen=True)
class ReleaseBadge:
    """On which releases an example does the same."""

    words: str
    """Of an error page its message and fix; of another the blocks up to the first with output."""
    releases: Rated
    """The same, one by one."""
    whole: str
    """The same of all blocks; empty where that says no more."""


def rate_releases(evidence: ExampleEvidence) -> ReleaseBadge | None:
    """How far each release agrees with the page, in words and one by one; None for fewer than two."""
    if evidence.run is None or evidence.environment is None:
        return None
    example, runs = evidence.example, {environment.id: run for environment, run in evidence.runs}
    known = [*(environment for environment, _ in evidence.runs), *evidence.unmeasured]
    alike = [environment for environment in known if environment.device == evidence.environment.device]
    releases = main_environments(alike, [environment for environment in alike if environment.id in runs])
    if len(releases) < 2:
        return None
    whole = [(e, rate_agreement(example, runs.get(e.id), evidence.run)) for e in releases]
    if is_error_page(example):
        message, after = watch_fix(evidence)
        watched = after | {message}
        answer = [(e, rate_agreement(example, runs.get(e.id), evidence.run, watched)) for e in releases]
        words = describe_fix_releases(evidence, releases)
    else:
        last = find_answer_block(example)
        answer = [(e, rate_start(example, runs.get(e.id), evidence.run, last)) for e in releases]
        words = describe_answer(answer, whole)
    return ReleaseBadge(words, tuple(answer), "" if answer == whole else f"All blocks: {_count(whole)}")


def find_answer_block(example: Example) -> int:
    """Index of the first block that claims an output: what bears out the sentence under the title."""
    return next(filter(partial(_has_claim, example), range(len(example.blocks))), 0)


def _has_claim(example: Example, block: int) -> bool:
    return any(statement.claim for statement in example.blocks[block].statements)


def describe_answer(answer: Rated, whole: Rated) -> str:
    """``First code block: same on all 17 releases (1.13–2.15); later blocks differ on 2 releases``.

    Of one release, that the others wait.
    """
    measured = [environment for environment, state in whole if state is not Agreement.NOT_MEASURED]
    if len(measured) == 1:
        others = count_noun(len(whole) - 1, "other release")
        return f"Ran with torch {minor_release(measured[0].torch)}, not yet with {others}"
    if answer == whole:
        words = _count(whole)
        return words[0].upper() + words[1:]
    words = f"First code block: {_count(answer)}"
    pairs = zip(answer, whole, strict=True)
    later = [state for (_, first), (_, state) in pairs if first is Agreement.SAME is not state]
    if not later:
        return words
    differ = "messages are worded differently" if set(later) == {Agreement.WORDING} else "blocks differ"
    return f"{words}; later {differ} on {count_noun(len(later), 'release')}"


def _count(rated: Rated) -> str:
    """``same on 15 of 17 releases (2.1–2.15); different wording on 1.13, 2.0``."""
    among = [environment for environment, _ in rated]
    by_state: dict[Agreement, list[Environment]] = {}
    for environment, state in rated:
        by_state.setdefault(state, []).append(environment)
    same = by_state.pop(Agreement.SAME, [])
    if set(by_state) == {Agreement.NOT_MEASURED}:
        return f"same on all {len(same)} releases tried ({list_releases(same, among)})"
    words = [f"same on {count_releases(same, among)}" if same else "the same on no other release"]
    others = filter(by_state.__contains__, Agreement)
    words += [f"{state} on {list_releases(by_state[state], among)}" for state in others]
    return "; ".join(words)
