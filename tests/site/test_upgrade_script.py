"""The script of the upgrade page against the command."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from attacks_count import chances, is_full
from committed import committed_changes
from upgrade_script import ask_upgrade

from tensor_atlas.compare.upgrade_report import Upgrade, render_markdown

DRAWN = 400
"""Pairs that a run draws, beside each environment with the next; a full one takes all."""


def list_pairs(names: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs of environments that are asked for; every other one the way back."""
    everything = list(combinations(names, 2))
    if not is_full():
        everything = [*pairwise(names), *chances().sample(everything, DRAWN)]
    return [pair if n % 2 else pair[::-1] for n, pair in enumerate(everything)]


@pytest.mark.slow
@pytest.mark.sampled
def test_script_says_of_pairs_what_the_command_says(tmp_path: Path) -> None:
    """Letter by letter, composed environments among them, and each environment at least once."""
    table = committed_changes()
    names = [place.name for place in table.places]
    pairs = list_pairs(names)
    for pair, said in zip(pairs, ask_upgrade(tmp_path, table, pairs), strict=True):
        assert said == render_markdown(Upgrade(table, *map(names.index, pair))), pair
