"""The text of a pull request with new records: short, in order, and no text of a run is Markdown."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from committed import committed_evidence
from compared import compare
from samples import CPU, example

from tensor_atlas.compare.comparisons import ALONE, compare_environments
from tensor_atlas.compare.proposals import (
    MOST_CHARACTERS,
    STEPS,
    Recording,
    name_recordings,
    render_proposal,
)
from tensor_atlas.compare.upgrade import build_upgrade_table, keep_environments
from tensor_atlas.history.changes import Change, Rule, Severity
from tensor_atlas.history.releases import name_environment, release_line, summarize_environment
from tensor_atlas.model.runs import Environment

PAGE = example("torch.ones(2)\n\ntorch.from_numpy(array)\n\ntorch.tensor(`x`)\n".replace("`x`", "x"))
EXAMPLES = {PAGE.name: PAGE}
MAC = replace(CPU, platform="macos-arm64")
WORDED = Change(PAGE.name, Severity.WORDING, 0, 0, "torch.ones(2)", ("old",), ("new",))
BROKEN = Change(PAGE.name, Severity.ERROR_APPEARED, 0, 1, "torch.from_numpy(array)", (), ("TypeError: `no`",))
RULE = Rule(Severity.SHARING, "shares memory", "copies", (("numpy", "a"), ("numpy", "b")))


def recording(*changes: Change, environment: Environment = CPU, lacking: str = "") -> Recording:
    """A recording that was compared with an older release."""
    comparison = compare(*changes, rules=(RULE,), after=environment)
    return Recording(environment, (comparison,), (), lacking, ALONE)


def test_first_line_names_the_release_and_how_many_environments() -> None:
    """It becomes the title and the branch; one environment is named in full."""
    assert name_recordings([recording()]) == summarize_environment(CPU)
    text = render_proposal([recording(), recording(environment=MAC)], EXAMPLES, "whole.md")
    assert text.split("\n")[0] == "## torch 2.13.0, NumPy 2.4.6 in 2 environments"


def test_gravest_and_most_used_come_first_each_in_a_line() -> None:
    """With what it was and is, and the line to look at; the matrix among them by its kind."""
    text = render_proposal([recording(WORDED, BROKEN)], EXAMPLES, "whole.md")
    lines = [line for line in text.split("\n") if line.startswith("- ")]
    assert lines == [
        "- error appeared: `torch.from_numpy(array)`: `no error` → `TypeError: 'no'`, examples/01_x/a.py:10",
        "- sharing changed in 2 cells: `shares memory` → `copies`, in `numpy on a, b`",
        "- wording changed: `torch.ones(2)`: `old` → `new`, examples/01_x/a.py:8",
    ]
    assert text.endswith(STEPS.format(environment=name_environment(CPU)))


def test_what_one_environment_has_shown_is_not_told_of_the_next() -> None:
    """Six environments of a release mostly agree: what differs between them is what is told of the others."""
    other = replace(WORDED, after=("other",))
    text = render_proposal([recording(WORDED), recording(WORDED, other, environment=MAC)], EXAMPLES, "w.md")
    assert text.count("`old` → `new`") == 1
    assert text.count("`old` → `other`") == 1
    rows = [line for line in text.split("\n") if line.startswith("| torch")]
    assert [row.split(" | ")[2:5] for row in rows] == [["0", "1", "2"], ["0", "2", "2"]]


def test_text_of_a_run_is_never_markdown() -> None:
    """No mention, no link, no heading, no command of a runner."""
    hostile = replace(WORDED, after=("@all [x](https://x.y) `code` ::error::", "## heading"))
    text = render_proposal([recording(hostile)], EXAMPLES, "whole.md")
    (line,) = (line for line in text.split("\n") if "@all" in line)
    assert "`@all [x](https://x.y) 'code' ::error::`" in line
    assert "\n## heading" not in text


def test_shard_that_is_missing_is_named() -> None:
    """With its environment."""
    text = render_proposal([recording(lacking="shard 2/3 missing")], EXAMPLES, "whole.md")
    assert f"**Not a whole run of {summarize_environment(CPU)}: shard 2/3 missing**" in text


def test_releases_that_leave_the_records_are_named() -> None:
    """Where there are some: no empty paragraph stands for none."""
    due = "Due: torch 1.13."
    assert f"\n\n{due}\n\n" in render_proposal([recording()], EXAMPLES, "whole.md", due)
    assert "\n\n\n" not in render_proposal([recording()], EXAMPLES, "whole.md")


def test_reasons_of_what_did_not_run_are_counted_once() -> None:
    """With the most examples of an environment; where all ran there is no such line."""
    reasons = [{"needs a GPU": 40}, {"needs a GPU": 38, "needs `x`": 1}]
    recordings = [replace(recording(), not_run=counted) for counted in reasons]
    text = render_proposal(recordings, EXAMPLES, "whole.md")
    assert "Not run:\n\n- 40 examples: needs a GPU\n- 1 example: needs `x`\n" in text
    assert "Not run" not in render_proposal([recording()], EXAMPLES, "whole.md")


def test_environment_without_a_neighbour_has_a_row() -> None:
    """And says why nothing is compared."""
    text = render_proposal([Recording(CPU, (), (), "", ALONE)], EXAMPLES, "whole.md")
    assert f"| {summarize_environment(CPU)} | {ALONE} | – | – | – | 0 |" in text


@pytest.mark.parametrize("most", [1, 6])
def test_recorded_releases_fit(most: int) -> None:
    """Each step of the recorded releases, alone and six at once."""
    whole = committed_evidence()
    line = release_line(e for e in whole.store.environments.values() if e.kind == "cpu")[-7:]
    evidence, examples = keep_environments(whole, [e.id for e in line]), whole.examples
    table = build_upgrade_table(evidence)
    recordings = []
    for before, after in pairwise(line):
        comparison = compare_environments(evidence, table, before, after)
        recordings.append(Recording(after, (comparison,), (), "", ALONE))
    for start in range(0, 6, most):
        text = render_proposal(recordings[start : start + most], examples, "whole.md")
        assert len(text) <= MOST_CHARACTERS
        newest = recordings[start : start + most][-1].environment
        assert text.endswith(STEPS.format(environment=name_environment(newest)))
        assert "\n- " in text
