"""Verdicts → terminal text, JSON."""

from __future__ import annotations

import json
from dataclasses import replace

from samples import CPU, OLDER

from tensor_atlas.compare.change_text import MOST_LINES
from tensor_atlas.compare.comparisons import render_recording
from tensor_atlas.compare.report import (
    TEXT_WIDTH,
    describe_differences,
    describe_verdict,
    render_json,
    render_terminal,
    summarize_chapters,
)
from tensor_atlas.compare.verdicts import Verdict, VerdictKind

DIFFERS = Verdict(
    kind=VerdictKind.DIFFERS,
    path="examples/01_x/a.py",
    line=31,
    what="claim differs",
    statement="print(\n    tensor.dtype\n)",
    claimed=("torch.float32",),
    observed=(),
    environment=CPU,
    remedy="correct the example",
)
NEWER = replace(CPU, python="3.14.8")
HOLDS = replace(DIFFERS, kind=VerdictKind.HOLDS, line=9)
STALE = Verdict(
    VerdictKind.STALE, "examples/02_y/b.py", 1, "has not run since the example changed", environment=CPU
)
UNUSED = Verdict(
    VerdictKind.DIFFERS, "docs/deviations.toml", 3, "unused deviation", remedy="remove the entry"
)


def test_difference_says_where_what_and_what_to_do() -> None:
    """In a fixed form: statement, claimed, observed, remedy."""
    assert describe_verdict(DIFFERS) == (
        "examples/01_x/a.py:31  claim differs (torch 2.13.0+cpu, NumPy 2.4.6, cpu)\n"
        "    statement  print(\n"
        "                   tensor.dtype\n"
        "               )\n"
        "    claimed    torch.float32\n"
        "    observed   (nothing)\n"
        "    correct the example"
    )


def test_blank_line_does_not_look_like_nothing() -> None:
    """An output of blank lines alone is shown in words, a line each."""
    blank = describe_verdict(replace(DIFFERS, statement="", claimed=("", ""), observed=("",)))
    assert blank.split("\n")[1:4] == [
        "    claimed    (blank line)",
        "               (blank line)",
        "    observed   (blank line)",
    ]
    assert "(blank line)" not in describe_verdict(replace(DIFFERS, claimed=("", "1")))


def test_output_gives_a_ci_service_no_command() -> None:
    """GitHub acts on ``::`` after blanks at the start of a line, and on ``##[`` anywhere in it."""
    output = "x\n::error::bad\n  ::set-output name=a::b\na ##[error]b\n##vso[task.x]\na::b\n# [1]"
    verdict = replace(DIFFERS, observed=tuple(output.split("\n")))
    said = describe_verdict(verdict).split("    observed   ")[1]
    lines = [line.strip() for line in said.split("\n")[:-1]]
    assert lines == [
        "x",
        r"\x3a:error::bad",
        r"\x3a:set-output name=a::b",
        r"a \x23#[error]b",
        r"\x23#vso[task.x]",
        "a::b",
        "# [1]",
    ]


def test_difference_leaves_out_what_it_does_not_know() -> None:
    """No environment, no statement, no output."""
    assert describe_verdict(UNUSED) == "docs/deviations.toml:3  unused deviation\n    remove the entry"


def test_what_environments_agree_in_is_told_once() -> None:
    """Of the first of them; the others follow by the names that other commands take, the oldest first."""
    alike = [DIFFERS, replace(DIFFERS, environment=NEWER), replace(DIFFERS, environment=OLDER)]
    other = replace(DIFFERS, environment=OLDER, observed=("torch.int64",))
    first, second, third = describe_differences([alike[0], UNUSED, other, *alike[1:]])
    assert first == describe_verdict(DIFFERS).replace(
        "(nothing)\n", "(nothing)\n    also in    2.2.2/1.26.4/cpu, 2.13.0/2.4.6/cpu/3.14\n"
    )
    assert [second, third] == [describe_verdict(UNUSED), describe_verdict(other)]
    many = describe_verdict(DIFFERS, [replace(CPU, torch=f"2.{minor}.0+cpu") for minor in range(30)])
    names = [line.split(", ") for line in many.split("\n")[6:-1]]
    assert len(names) > 1
    assert [name for line in names for name in line if name.strip()][-1] == "2.29.0/2.4.6/cpu"
    assert max(map(len, many.split("\n"))) <= TEXT_WIDTH + len("    also in    ")


def test_differences_are_counted_as_they_are_told() -> None:
    """With in how many environments, where that is more than one; in every report alike."""
    alike = [DIFFERS, UNUSED, replace(DIFFERS, environment=OLDER)]
    assert render_terminal(alike).endswith("\n\n2 differences in 2 environments: 3 differs")
    markdown = render_recording(CPU, [], alike, {})
    assert "**2 differences in 2 environments that nothing explains**\n\n```text\n" in markdown
    assert markdown.count("```text\n") == 2
    assert render_terminal([STALE, replace(STALE, environment=OLDER)]).count("examples/02_y/b.py:1") == 1


def test_long_output_is_cut_and_counted() -> None:
    """A flood does not bury the other differences."""
    flood = replace(DIFFERS, observed=tuple(str(number) for number in range(MOST_LINES + 5)))
    lines = describe_verdict(flood).split("\n")
    assert lines[-2].strip() == "… 5 more lines"
    assert lines[-3].strip() == str(MOST_LINES - 1)


def test_terminal_report_lists_differences_then_counts() -> None:
    """What holds is counted only; what is stale is listed."""
    text = render_terminal([HOLDS, DIFFERS, STALE, UNUSED])
    assert text.startswith(
        describe_verdict(DIFFERS) + "\n\n" + describe_verdict(UNUSED) + "\n\n" + describe_verdict(STALE)
    )
    assert text.endswith("\n\n2 differences: 1 holds, 2 differs, 1 stale")
    assert render_terminal([HOLDS, DIFFERS]).endswith("\n\n1 difference: 1 holds, 1 differs")


def test_terminal_report_without_drift_says_so() -> None:
    """Also where nothing was compared at all."""
    assert render_terminal([HOLDS]) == "01_x  1 holds\n\nno drift: 1 holds"
    assert render_terminal([]) == "no drift: nothing compared"


def test_summary_counts_by_chapter() -> None:
    """In order of chapter, aligned, kinds that do not occur left out."""
    chapter = replace(DIFFERS, path="examples/10_long/c.py", kind=VerdictKind.UNCLAIMED)
    assert (
        summarize_chapters([chapter, HOLDS, DIFFERS, HOLDS])
        == "01_x     2 holds, 1 differs\n10_long  1 unclaimed"
    )


def test_markdown_cannot_be_escaped_from() -> None:
    """Output that holds a fence stays inside its own."""
    hostile = replace(DIFFERS, observed=("```", "# heading"))
    text = render_recording(CPU, [], [hostile], {})
    assert "**1 difference that nothing explains**\n\n```text\n" in text
    assert text.count("```") == 2


def test_json_holds_every_field() -> None:
    """For other tools: one object a verdict, the environment by its id."""
    first, second = json.loads(render_json([DIFFERS, UNUSED]))
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
