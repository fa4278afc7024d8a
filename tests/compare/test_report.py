"""Verdicts and changes → terminal text, Markdown, JSON."""

from __future__ import annotations

import json
from dataclasses import replace

from samples import CPU, OLDER, example

from tensor_atlas.compare.report import (
    MOST_LINES,
    WIDTH,
    describe_differences,
    describe_verdict,
    render_change,
    render_comparison,
    render_comparison_json,
    render_json,
    render_recording,
    render_rule,
    render_terminal,
    summarize_chapters,
)
from tensor_atlas.compare.verdicts import Verdict, VerdictKind
from tensor_atlas.history.changes import Change, Comparison, Rule, Severity
from tensor_atlas.model.runs import AFTER, LATE

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
    assert max(map(len, many.split("\n"))) <= WIDTH + len("    also in    ")


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


# --- what changed between two environments ---------------------------------------------------------

EXAMPLE = example("first()\nprint(\n    tensor\n)\n\n# %%\n\nthird()\n")
EXAMPLES = {EXAMPLE.name: EXAMPLE}
VANISHED = Change(
    "01_x/a",
    Severity.ERROR_VANISHED,
    1,
    2,
    "third()",
    ("TypeError: no ``` here", "more"),
    (),
    ("a: writable True → False",),
)
SHARING = Change(
    "01_x/a", Severity.SHARING, 1, None, facts=("a, b: shares became copies", "a, c: shares became copies")
)
WORDED = Change("01_x/a", Severity.WORDING, 0, 1, "print(\n    tensor\n)", ("old words",), ("new words",))
COMPARISON = Comparison(
    OLDER, CPU, (VANISHED, SHARING, WORDED, WORDED), 72, (("02_y/b", "needs 1 CUDA device, found 0 on cpu"),)
)
TITLE = "torch 2.2.2+cpu, NumPy 1.26.4, cpu  →  torch 2.13.0+cpu, NumPy 2.4.6, cpu"
TALLY = "1 error vanished, 1 sharing changed, 2 wording changed in 72 examples; 1 not compared"


def test_terminal_comparison_tells_each_change_then_counts() -> None:
    """Where, what kind, statement, before, after, values; what only shows after a block is at the block."""
    worded = """\
examples/01_x/a.py:9  wording changed
    statement  print(
                   tensor
               )
    before     old words
    after      new words"""
    assert render_comparison(COMPARISON, EXAMPLES).split("\n\n") == [
        TITLE,
        """\
examples/01_x/a.py:15  error vanished
    statement  third()
    before     TypeError: no ``` here
               more
    after      (nothing)
    values     a: writable True → False""",
        """\
examples/01_x/a.py:15  sharing changed
    values     a, b: shares became copies
               a, c: shares became copies""",
        worded,
        worded,
        TALLY,
    ]


def test_change_after_the_last_statement_is_at_its_claim() -> None:
    """Or at the last line of the script, where nothing is claimed."""
    late = Change("01_x/a", Severity.VALUE, 0, LATE, AFTER, ("a",), ("b",))
    claimed = example(f"first()\n\n{AFTER}\n# => b\n")
    lines = [render_change(late, {one.name: one}).splitlines()[:2] for one in (claimed, EXAMPLE)]
    what = "value, dtype or device changed"
    assert lines == [
        [f"examples/01_x/a.py:10  {what}", f"    statement  {AFTER}"],
        [f"examples/01_x/a.py:15  {what}", f"    statement  {AFTER}"],
    ]


def test_comparison_without_changes_says_so() -> None:
    """With how many examples that is true of."""
    same = Comparison(OLDER, CPU, (), 3, ())
    assert render_comparison(same, EXAMPLES) == f"{TITLE}\n\nnothing changed in 3 examples"
    assert f"### {TITLE}\n\n**nothing changed in 3 examples**\n" in render_recording(
        CPU, [same], [], EXAMPLES
    )


def test_markdown_comparison_has_a_heading_for_each_severity() -> None:
    """Those that occur, the gravest first; output that holds a fence stays inside its own."""
    text = render_recording(CPU, [COMPARISON], [], EXAMPLES)
    assert [part for part in text.split("\n") if part.startswith(("#", "**"))] == [
        "## torch 2.13.0+cpu, NumPy 2.4.6, cpu",
        f"### {TITLE}",
        f"**{TALLY}**",
        "#### Error vanished (1)",
        "#### Sharing changed (1)",
        "#### Wording changed (2)",
    ]
    assert text.count("```") == 2 * len(COMPARISON.changes)
    assert (
        "```text\nexamples/01_x/a.py:15  sharing changed\n    values     a, b: shares became copies\n" in text
    )
    assert text.endswith("    after      new words\n```\n")


def test_change_is_cut_and_says_where_a_side_told_nothing() -> None:
    """On both sides, and among the values."""
    flood = tuple(str(number) for number in range(MOST_LINES + 5))
    change = replace(WORDED, before=flood, after=flood, facts=flood)
    text = render_comparison(replace(COMPARISON, changes=(change, replace(WORDED, before=()))), EXAMPLES)
    assert text.count("… 5 more lines") == 3
    assert "\n    before     (nothing)\n    after      new words\n" in text


def test_json_comparison_holds_every_field() -> None:
    """For other tools: environments by id, each change with path and line, what was left out with its
    reason.
    """
    document = json.loads(render_comparison_json(COMPARISON, EXAMPLES))
    changes = document.pop("changes")
    assert document == {
        "before": OLDER.id,
        "after": CPU.id,
        "compared": 72,
        "left_out": [{"example": "02_y/b", "reason": "needs 1 CUDA device, found 0 on cpu"}],
        "matrix": [],
    }
    assert changes[0] == {
        "severity": "error vanished",
        "behaviour": True,
        "example": "01_x/a",
        "path": "examples/01_x/a.py",
        "line": 15,
        "statement": "third()",
        "before": ["TypeError: no ``` here", "more"],
        "after": [],
        "values": ["a: writable True → False"],
    }
    assert [(change["severity"], change["behaviour"], change["line"]) for change in changes[1:]] == [
        ("sharing changed", True, 15),
        ("wording changed", False, 9),
        ("wording changed", False, 9),
    ]


# --- the matrix ----------------------------------------------------------------------------------

RULE = Rule(
    Severity.ERROR_VANISHED,
    "raises (TypeError)",
    "shares memory",
    (
        *(("from-numpy", f"uint{bits}") for bits in (16, 32, 64)),
        *(("as-tensor", f"uint{bits}") for bits in (16, 32, 64)),
    ),
)
IN_MATRIX = replace(
    COMPARISON, changes=(), rules=(RULE, replace(RULE, severity=Severity.WORDING, cells=(("c", "a"),)))
)
"""A comparison in which only cells changed."""


def test_rule_names_conversions_with_the_same_sources_together() -> None:
    """On one line, however many cells they are."""
    assert render_rule(RULE).split("\n") == [
        "6 cells of the matrix  error vanished",
        "    before     raises (TypeError)",
        "    after      shares memory",
        "    in         from-numpy, as-tensor on uint16, uint32, uint64",
    ]


def test_rule_with_many_cells_counts_the_rest() -> None:
    """Six names, then how many there are beside."""
    many = replace(RULE, cells=tuple((f"c{index}", f"s{index % 8}") for index in range(8)))
    assert render_rule(many).split("\n")[-1].endswith("c7 on s7")
    many = replace(RULE, cells=tuple(("c", f"s{index}") for index in range(9)))
    assert render_rule(many).endswith("c on s0, s1, s2, s3, s4, s5 and 3 more")


def test_changed_cells_are_in_every_form_of_a_comparison() -> None:
    """Counted last, told as rules."""
    assert render_comparison(IN_MATRIX, EXAMPLES).endswith("1 not compared, 7 cells changed in the matrix")
    assert "6 cells of the matrix  error vanished" in render_comparison(IN_MATRIX, EXAMPLES)
    assert "#### In the matrix (2)" in render_recording(CPU, [IN_MATRIX], [], EXAMPLES)
    document = json.loads(render_comparison_json(IN_MATRIX, EXAMPLES))["matrix"]
    assert [(rule["severity"], rule["behaviour"], len(rule["cells"])) for rule in document] == [
        ("error vanished", True, 6),
        ("wording changed", False, 1),
    ]
