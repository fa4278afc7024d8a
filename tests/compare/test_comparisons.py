"""What differs between two environments → terminal text, JSON, a report: the same items in each."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest
from committed import committed_changes, committed_evidence, evidence_on
from compared import compare
from samples import CPU, GPU, OLDER, captured, example, ran
from upgrade_script import ask_upgrade

from tensor_atlas.compare.change_text import MOST_LINES
from tensor_atlas.compare.comparisons import (
    Comparison,
    compare_environments,
    render_comparison,
    render_comparison_json,
    render_recording,
)
from tensor_atlas.compare.evidence import Evidence, evidence_from_records
from tensor_atlas.compare.upgrade import UpgradeTable, build_upgrade_table, list_environments
from tensor_atlas.compare.upgrade_report import MET_TITLE, SEVERITIES, TITLES, render_markdown
from tensor_atlas.history.changes import Change, Rule, Severity
from tensor_atlas.history.releases import name_environment, release_line
from tensor_atlas.model.runs import Run, Status
from tensor_atlas.records.store import Store, add_capture

EXAMPLE = example("first()\nprint(\n    tensor\n)\n\n# %%\n\nthird()\n")
EXAMPLES = {EXAMPLE.name: EXAMPLE, "01_x/c": EXAMPLE}
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
LEFT_OUT = (("02_y/b", "needs 1 CUDA device, found 0 on cpu"),)
COMPARISON = compare(VANISHED, SHARING, replace(WORDED, example="01_x/c"), left_out=LEFT_OUT)
TITLE = "torch 2.2.2+cpu, NumPy 1.26.4, cpu  →  torch 2.13.0+cpu, NumPy 2.4.6, cpu"
TALLY = "1 error vanished, 1 sharing changed, 1 wording changed in 72 examples; 1 not compared"


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
        TALLY,
    ]


def test_comparison_without_changes_says_so() -> None:
    """With how many examples that is true of."""
    same = compare()
    assert render_comparison(same, EXAMPLES) == f"{TITLE}\n\nnothing changed in 72 examples"
    assert f"### {TITLE}\n\n**nothing changed in 72 examples**\n" in render_recording(
        CPU, [same], [], EXAMPLES
    )


def test_markdown_comparison_has_a_heading_for_each_severity() -> None:
    """Those that occur, the gravest first; output that holds a fence stays inside its own."""
    text = render_recording(CPU, [COMPARISON], [], EXAMPLES)
    assert [part for part in text.split("\n") if part.startswith(("#", "**"))] == [
        "## torch 2.13.0+cpu, NumPy 2.4.6, cpu",
        f"### {TITLE}",
        f"**{TALLY}**",
        "#### No longer raises (1)",
        "#### Shares or copies differently (1)",
        "#### Only worded differently (1)",
    ]
    assert text.count("```") == 2 * len(COMPARISON.upgrade.items)
    assert "\nexamples/01_x/a.py:15  sharing changed\n    values     a, b: shares became copies\n" in text
    assert text.endswith("    after      new words\n```\n")


def test_change_is_cut_and_says_where_a_side_told_nothing() -> None:
    """On both sides, and among the values."""
    flood = tuple(str(number) for number in range(MOST_LINES + 5))
    change = replace(WORDED, before=flood, after=flood, facts=flood)
    text = render_comparison(compare(change, replace(WORDED, before=())), EXAMPLES)
    assert text.count("… 5 more lines") == 3
    assert "\n    before     (nothing)\n    after      new words\n" in text


def test_json_comparison_holds_every_field() -> None:
    """For other tools: environments by id, each change with path and line, what was left out with its
    reason.
    """
    document = json.loads(render_comparison_json(COMPARISON, EXAMPLES))
    items = document.pop("items")
    assert document == {
        "schema": 2,
        "before": OLDER.id,
        "after": CPU.id,
        "recorded": True,
        "compared": 72,
        "left_out": [{"example": "02_y/b", "reason": "needs 1 CUDA device, found 0 on cpu"}],
    }
    first, shared, last = items
    changes = first.pop("changes")
    behaviour = {"severity": "error vanished", "behaviour": True}
    assert first == {**behaviour, "releases": [], "reason": None, "matrix": None}
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
    assert len(changes) == 1
    assert [(one["severity"], one["line"]) for one in shared["changes"]] == [("sharing changed", 15)]
    assert (last["behaviour"], [change["line"] for change in last["changes"]]) == (False, [9])


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
OTHER = replace(RULE, severity=Severity.WORDING, cells=(("c", "a"),))
IN_MATRIX = compare(rules=(RULE, OTHER), left_out=LEFT_OUT)
"""A comparison in which only cells changed."""


def test_changed_cells_are_in_every_form_of_a_comparison() -> None:
    """Counted last, told as rules."""
    assert render_comparison(IN_MATRIX, EXAMPLES).endswith("1 not compared, 7 cells changed in the matrix")
    assert "6 cells of the matrix  error vanished" in render_comparison(IN_MATRIX, EXAMPLES)
    assert "#### No longer raises (1)" in render_recording(CPU, [IN_MATRIX], [], EXAMPLES)
    rules = [item["matrix"] for item in json.loads(render_comparison_json(IN_MATRIX, EXAMPLES))["items"]]
    assert [(rule["severity"], len(rule["cells"])) for rule in rules] == [
        ("error vanished", 6),
        ("wording changed", 1),
    ]


# --- two environments ----------------------------------------------------------------------------


def test_what_cannot_be_compared_is_named_with_its_reason() -> None:
    """No record, a run that did not happen, a run of older code; the rest is compared."""
    names = ("a", "b", "c", "d", "e")
    examples = {f"01_x/{name}": example("f()\n", f"examples/01_x/{name}.py") for name in names}
    fine = {name: ran(what, "1") for name, what in examples.items()}
    not_run = Run("01_x/b", examples["01_x/b"].digest, Status.NOT_RUN, "needs 1 CUDA device, found 0")
    before = {**fine, "01_x/b": not_run, "01_x/c": replace(fine["01_x/c"], digest="older")}
    after = {name: run for name, run in fine.items() if name not in ("01_x/a", "01_x/b")}
    store = Store()
    for environment, runs in ((OLDER, before), (CPU, after)):
        store = add_capture(store, captured(*runs.values(), environment=environment))
    evidence = evidence_from_records(examples, store)
    comparison = compare_environments(evidence, build_upgrade_table(evidence), OLDER, CPU)
    assert comparison.left_out == (
        ("01_x/a", "no record of torch 2.13.0+cpu, NumPy 2.4.6, cpu"),
        ("01_x/b", "needs 1 CUDA device, found 0 on torch 2.2.2+cpu, NumPy 1.26.4, cpu"),
        ("01_x/c", "changed since torch 2.2.2+cpu, NumPy 1.26.4, cpu recorded it"),
    )
    assert (comparison.compared, comparison.upgrade.items) == (2, [])


def test_label_stands_where_several_releases_lie_between() -> None:
    """Not in the comparison of neighbours, whatever other device took the same step."""
    what = example("f()\n")
    store = Store()
    for minor in (11, 12, 13):
        for device in (CPU, replace(GPU, numpy=CPU.numpy)):
            environment = replace(device, torch=f"2.{minor}.0")
            store = add_capture(store, captured(ran(what, str(minor)), environment=environment))
    evidence = evidence_from_records({what.name: what}, store)
    table = build_upgrade_table(evidence)
    ends = [replace(CPU, torch=f"2.{minor}.0") for minor in (11, 12, 13)]
    near, far = (compare_environments(evidence, table, end, ends[-1]) for end in (ends[1], ends[0]))
    examples = {what.name: what}
    assert "\n\nexamples/01_x/a.py:8  value" in render_comparison(near, examples)
    assert "torch 2.13\n" not in render_comparison(near, examples)
    assert "\n\ntorch 2.12, torch 2.13\n\nexamples/01_x/a.py:8  value" in render_comparison(far, examples)


def compare_all_forms(comparison: Comparison, evidence: Evidence, page: str) -> int:
    """How many items the terminal, JSON, the report, the command's Markdown and the page agree on."""
    examples = dict(evidence.examples)
    items = json.loads(render_comparison_json(comparison, examples))["items"]
    terminal = render_comparison(comparison, examples)
    report = render_recording(comparison.after, [comparison], [], examples)
    assert page == render_markdown(comparison.upgrade)
    counts = Counter(TITLES[Severity(item["severity"])] for item in items)
    titles = [f"{title} ({counts[title]})" for title in TITLES.values() if counts[title]]
    met, rest = comparison.upgrade.met, Counter(SEVERITIES[one.severity] for one in comparison.upgrade.rest)
    first = [f"{MET_TITLE} ({len(met)})"] if met else []
    parts = [f"{title} ({rest[severity]})" for severity, title in TITLES.items() if rest[severity]]
    assert re.findall(r"^### (.+)$", page, re.MULTILINE) == first + parts
    assert len(met) + sum(rest.values()) == len(items)
    assert re.findall(r"^#### (.+)$", report, re.MULTILINE) == titles
    heads = [f"{c['path']}:{c['line']}  {c['severity']}" for item in items for c in item["changes"]]
    rules = [item["matrix"] for item in items if item["matrix"]]
    cells = [len(rule["cells"]) for rule in rules]
    for text in (terminal, report):
        assert re.findall(r"^examples/\S+:\d+  .+$", text, re.MULTILINE) == heads
        counted = re.findall(r"^([\d,]+) cells? of the matrix  ", text, re.MULTILINE)
        assert counted == [f"{count:,}" for count in cells]
    names = {change["example"] for item in items for change in item["changes"]}
    lines = re.findall(r"^  Shown in (.+)\.$", page, re.MULTILINE)
    assert names == {name for line in lines for name in line[1:-1].split("`, `")}
    changes = re.search(r": ([\d,]+) outputs? of the examples, ([\d,]+) conversions? of", page, re.MULTILINE)
    if changes is not None:
        assert [int(n.replace(",", "")) for n in changes.groups()] == [len(heads), sum(cells)]
    return len(items)


def compare_releases(
    folder: Path, evidence: Evidence, table: UpgradeTable, pairs: Collection[tuple[int, int]]
) -> int:
    """How many items all forms agree on, over pairs of places on the line of releases, from its end."""
    line = release_line(one for one in list_environments(evidence) if one.kind == "cpu")
    ends = [(line[before], line[after]) for before, after in pairs]
    asked = [(name_environment(before), name_environment(after)) for before, after in ends]
    said = ask_upgrade(folder, table, asked)
    count = 0
    for pair, page in zip(ends, said, strict=True):
        count += compare_all_forms(compare_environments(evidence, table, *pair), evidence, page)
    return count


def test_all_forms_tell_the_same_items_of_some_examples(tmp_path: Path) -> None:
    """Of a release, of several, and of the way back."""
    evidence = evidence_on(["02_tensor_to_numpy/asarray_and_array", "13_errors/copy_keyword"])
    pairs = [(-2, -1), (0, -1), (-1, 3), (4, 4)]
    assert compare_releases(tmp_path, evidence, build_upgrade_table(evidence), pairs) > 2


@pytest.mark.slow
def test_all_forms_tell_the_same_items_of_recorded_releases(tmp_path: Path) -> None:
    """With cells of the matrix; of neighbours, of releases far apart, and of the way back."""
    pairs = [(-2, -1), (-4, -3), (-9, -1), (0, -1), (-1, 5)]
    assert compare_releases(tmp_path, committed_evidence(), committed_changes(), pairs) > 300
