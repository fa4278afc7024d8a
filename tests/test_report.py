"""Verdicts → terminal text, Markdown, JSON."""

from __future__ import annotations

import json
from dataclasses import replace

from samples import CPU

from tensor_atlas.compare import Kind, Verdict
from tensor_atlas.report import MOST_LINES, as_json, difference, markdown, summary, terminal

DIFFERS = Verdict(
    kind=Kind.DIFFERS,
    path="examples/01_x/a.py",
    line=31,
    what="claim differs",
    statement="print(\n    tensor.dtype\n)",
    claimed=("torch.float32",),
    observed=(),
    environment=CPU,
    remedy="correct the example",
)
HOLDS = replace(DIFFERS, kind=Kind.HOLDS, line=9)
STALE = Verdict(Kind.STALE, "examples/02_y/b.py", 1, "the example changed since it was observed", environment=CPU)
UNUSED = Verdict(Kind.DIFFERS, "docs/deviations.toml", 3, "unused deviation", remedy="remove the entry")


def test_difference_says_where_what_and_what_to_do() -> None:
    """In a fixed form: statement, claimed, observed, remedy."""
    assert difference(DIFFERS) == (
        "examples/01_x/a.py:31  claim differs (torch 2.13.0+cpu, NumPy 2.4.6, cpu)\n"
        "    statement  print(\n"
        "                   tensor.dtype\n"
        "               )\n"
        "    claimed    torch.float32\n"
        "    observed   (nothing)\n"
        "    correct the example"
    )


def test_difference_leaves_out_what_it_does_not_know() -> None:
    """No environment, no statement, no output."""
    assert difference(UNUSED) == "docs/deviations.toml:3  unused deviation\n    remove the entry"


def test_long_output_is_cut_and_counted() -> None:
    """A flood does not bury the other differences."""
    flood = replace(DIFFERS, observed=tuple(str(number) for number in range(MOST_LINES + 5)))
    lines = difference(flood).split("\n")
    assert lines[-2].strip() == "… 5 more lines"
    assert lines[-3].strip() == str(MOST_LINES - 1)


def test_terminal_report_lists_differences_then_counts() -> None:
    """What holds is counted only; what is stale is listed."""
    text = terminal([HOLDS, DIFFERS, STALE, UNUSED])
    assert text.startswith(difference(DIFFERS) + "\n\n" + difference(UNUSED) + "\n\n" + difference(STALE))
    assert text.endswith("\n\n2 differences: 1 holds, 2 differs, 1 stale")
    assert terminal([HOLDS, DIFFERS]).endswith("\n\n1 difference: 1 holds, 1 differs")


def test_terminal_report_without_drift_says_so() -> None:
    """Also where nothing was compared at all."""
    assert terminal([HOLDS]) == "01_x  1 holds\n\nno drift: 1 holds"
    assert terminal([]) == "no drift: nothing compared"


def test_summary_counts_by_chapter() -> None:
    """In order of chapter, aligned, kinds that do not occur left out."""
    chapter = replace(DIFFERS, path="examples/10_long/c.py", kind=Kind.UNCLAIMED)
    assert summary([chapter, HOLDS, DIFFERS, HOLDS]) == "01_x     2 holds, 1 differs\n10_long  1 unclaimed"


def test_markdown_cannot_be_escaped_from() -> None:
    """Output that holds a fence stays inside its own."""
    hostile = replace(DIFFERS, observed=("```", "# heading"))
    text = markdown([hostile, HOLDS])
    assert text.startswith("**1 difference** — 1 holds, 1 differs\n\n```text\n")
    assert text.count("```") == 2
    assert text.endswith("```\n")


def test_json_holds_every_field() -> None:
    """For other tools: one object a verdict, the environment by its id."""
    first, second = json.loads(as_json([DIFFERS, UNUSED]))
    assert first == {
        "kind": "differs",
        "path": "examples/01_x/a.py",
        "line": 31,
        "what": "claim differs",
        "statement": "print(\n    tensor.dtype\n)",
        "claimed": ["torch.float32"],
        "observed": [],
        "environment": CPU.id,
        "remedy": "correct the example",
    }
    assert second["environment"] is None
