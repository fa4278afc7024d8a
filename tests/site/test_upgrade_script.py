"""The script of the upgrade page against the command."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from committed import committed_changes
from upgrade_script import ask_upgrade

from tensor_atlas.compare.upgrade_report import Upgrade, render_markdown


@pytest.mark.slow
def test_script_says_of_all_pairs_what_the_command_says(tmp_path: Path) -> None:
    """Letter by letter, composed environments among them; every other pair the way back."""
    table = committed_changes()
    names = [place.name for place in table.places]
    pairs = [pair if n % 2 else pair[::-1] for n, pair in enumerate(combinations(names, 2))]
    for pair, said in zip(pairs, ask_upgrade(tmp_path, table, pairs), strict=True):
        assert said == render_markdown(Upgrade(table, *map(names.index, pair))), pair
