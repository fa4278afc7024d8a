"""Nodes under a statement and after a block, where runs ended early or installs are incompatible."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from docutils import nodes
from samples import CPU, captured, deviation, example, ran

from tensor_atlas.compare.deviations import Deviation
from tensor_atlas.compare.evidence import assess_capture, find_reason
from tensor_atlas.history.timeline import Box, SharingGroup
from tensor_atlas.model.runs import DEPTH, Buffer, Environment, Raised, Run, Snapshot, Status, Unmade, Value
from tensor_atlas.pages.code_cells import has_output
from tensor_atlas.records.store import Store, add_capture
from tensor_atlas.site.build.nodes import drawing, element
from tensor_atlas.site.gallery.output_nodes import (
    LONG,
    MOST_LINES,
    MOST_LISTED,
    ExamplePage,
    build_box,
    build_incompatible_nodes,
    build_memory_nodes,
    build_sharing_lines,
    build_statement_nodes,
)

EXAMPLE = example("array = f()\ntensor = g(array)\n\n# %%\n\nprint(1)\n# => 1\nlast()\n")
OLD = replace(CPU, torch="2.9.1+cpu")
INCOMPATIBLE = replace(CPU, torch="2.2.2+cpu")


def page(
    here: Run, *recorded: tuple[Environment, Run], deviations: tuple[Deviation, ...] = ()
) -> ExamplePage:
    """ExamplePage of the example, which this build has run."""
    store = Store()
    for environment, run in recorded:
        store = add_capture(store, captured(run, environment=environment))
    return ExamplePage(
        assess_capture({EXAMPLE.name: EXAMPLE}, captured(here), store, deviations).shown[EXAMPLE.name]
    )


def did(*stdout: str, shares: bool = False, status: Status = Status.COMPLETED) -> Run:
    """Run that printed this and finished the first block, after which two names shared memory or did not."""
    value = Value(
        name="array",
        kind="ndarray",
        dtype="float64",
        shape=(1,),
        strides=(8,),
        device="cpu",
        writable=True,
        requires_grad=None,
        buffer=0,
        start=0,
        stop=8,
    )
    names = (("array", "tensor"),) if shares else ()
    tensor = replace(value, name="tensor", buffer=0 if shares else 1)
    snapshot = Snapshot((value, tensor), (Buffer("cpu", 8),) * (1 if shares else 2), names)
    return replace(ran(EXAMPLE, *stdout, status=status, reason="SIGSEGV"), snapshots=(snapshot,))


def parts(found: Iterable[nodes.Node]) -> list[tuple[str, dict[str, str], str]]:
    """Tag, attributes and text of every element, outermost first."""
    elements = [node for outer in found for node in outer.findall(element)]
    return [(node["tag"], node["attributes"], node.astext()) for node in elements]


def test_one_run_needs_no_place_for_others() -> None:
    """There is nothing to fold in and nothing to choose."""
    alone = page(did("", "", "1", "", shares=True))
    assert parts(build_statement_nodes(alone, 2)) == []
    assert [node.astext() for node in build_statement_nodes(alone, 2)] == ["Output\n\n1"]
    (beside,) = build_memory_nodes(alone, 0)
    assert [type(node) for node in beside.children] == [nodes.paragraph, drawing]
    assert list(build_incompatible_nodes(alone)) == []


def test_statement_that_the_pages_run_never_reached_shows_what_others_did() -> None:
    """Their silence too; the claim is expected here, not called unconfirmed: another run may confirm it."""
    short = page(did("", "", status=Status.CRASHED), (OLD, did("", "", "1", "")))
    outer, here, fold, summary, other = parts(build_statement_nodes(short, 2))
    assert (outer[0], outer[1]) == ("div", {"data-statement": "2"})
    assert here[2] == "Not reached here, expected\n\n1"
    assert (fold[0], summary[2]) == ("details", "Different in 1 of 1 environments")
    assert other[1] == {"data-environments": OLD.id}
    assert other[2].endswith("Output\n\n1")
    assert parts(build_statement_nodes(short, 3))[-1][2].endswith("No output\n\n(nothing)")


def lacking() -> Run:
    """Run whose first statement raised, so that the third lacks a name; the last one ran."""
    run = did("", "", "", "late", status=Status.RAISED)
    first, second, third, last = run.observations
    failed = replace(first, raised=Raised("TypeError", "no", ("TypeError: no",)))
    seen = (failed, second, replace(third, unmade=Unmade("array", 0)), last)
    return replace(run, observations=seen, snapshots=(Snapshot(broken=True),))


NOT_MADE = "`array` was not made: line 8 raised"


def test_statement_that_lacks_a_name_says_which_and_which_line_raised() -> None:
    """In the fold-out, with the environments that lack it; that is no other outcome."""
    with_old = page(did("", "", "1", ""), (OLD, lacking()))
    *_, summary, part = parts(build_statement_nodes(with_old, 2))
    assert summary[2] == "Not run in 1 of 2 environments, because a name is missing"
    assert part[1] == {"data-environments": OLD.id}
    assert part[2].endswith(f"No output\n\n{NOT_MADE}")
    *_, summary, _ = parts(build_statement_nodes(with_old, 3))
    assert summary[2].startswith("Changed between torch 2.9 and 2.13")


def test_incompatible_install_that_lacks_a_name_says_so_at_the_end() -> None:
    """Where the page shows something in its place."""
    with_incompatible = page(did("", "", "1", ""), (INCOMPATIBLE, lacking()))
    told = [part for part in parts(build_incompatible_nodes(with_incompatible)) if "not made" in part[2]]
    assert told[-1][1] == {"data-environments": INCOMPATIBLE.id, "data-of-statement": "2"}
    assert len([part for part in told if "data-of-statement" in part[1]]) == 1


def test_run_of_the_page_that_lacks_a_name_expects_the_claim() -> None:
    """Its label says why nothing is confirmed."""
    (node,) = build_statement_nodes(page(lacking()), 2)
    assert node.astext() == "array was not made: line 8 raised, expected\n\n1"


def test_memory_after_a_block_that_failed_is_not_told() -> None:
    """Nothing new shares memory there, since nothing new was made."""
    with_old = page(did("", "", "1", "", shares=True), (OLD, lacking()))
    assert "details" not in [tag for tag, _, _ in parts(build_memory_nodes(with_old, 0))]


def holding(run: Run) -> Run:
    """The same run, looked at further: what else is held shares memory, and there is more."""
    (alive,) = run.snapshots
    held = tuple(replace(alive.values[0], name=f"row.x{k}", held=True) for k in range(MOST_LISTED))
    named = alive.shares[0] if alive.shares else ("array",)
    names = (*named, *(value.name for value in held))
    values = (*alive.values, *held)
    snapshot = replace(alive, values=values, shares=(names,), left_out=("row", "deep[0]"))
    return replace(run, depth=DEPTH, snapshots=(snapshot,))


def test_page_tells_of_held_values_and_where_there_is_more() -> None:
    """So many names, and how many more there are."""
    (found,) = build_memory_nodes(page(holding(did("", "", "1", ""))), 0)
    shares, left, _ = (node.astext() for node in found.children)
    assert shares.startswith("Measured after the block: array, row.x0, row.x1,")
    assert shares.endswith("row.x6 and 1 more share memory, in a buffer of 8 bytes on cpu.")
    assert left == "Not measured in full: what row and deep[0] hold."


def test_page_tells_of_held_values_once_all_runs_looked_for_them() -> None:
    """An older record lacks them, which is no difference; what it has is compared."""
    deep = holding(did("", "", "1", "", shares=True))
    mixed = page(deep, (OLD, did("", "", "1", "", shares=True)))
    assert not any(value.held for _, run in mixed.shown.runs for value in run.snapshots[0].values)
    assert "details" not in [tag for tag, _, _ in parts(build_memory_nodes(mixed, 0))]
    differing = page(deep, (OLD, did("", "", "1", "")))
    assert "details" in [tag for tag, _, _ in parts(build_memory_nodes(differing, 0))]
    both = page(deep, (OLD, deep))
    assert all(run.snapshots[0].left_out for _, run in both.shown.runs)


def test_so_many_groups_that_share_are_listed_and_no_more() -> None:
    """A view of each row of an array makes as many pairs as there are rows."""
    facts = [SharingGroup(("array", f"rows[{k}]"), 8, "cpu") for k in range(MOST_LINES + 2)]
    lines = [line.astext() for line in build_sharing_lines(facts)]
    assert len(lines) == MOST_LINES + 1
    assert lines[-1] == "2 more groups of names share memory."


def test_page_that_nobody_ran_expects_its_claims() -> None:
    """No run has confirmed them."""
    absent = page(Run(EXAMPLE.name, EXAMPLE.digest, Status.NOT_RUN, "needs cupy"))
    (node,) = build_statement_nodes(absent, 2)
    assert node.astext() == "Expected, not yet confirmed by a run\n\n1"
    assert not has_output(absent.shown, 2)


def test_incompatible_install_that_shares_otherwise_is_told_at_the_end() -> None:
    """With the block it concerns; after that block there is a place for it, and no fold-out."""
    with_incompatible = page(did("", "", "1", "", shares=True), (INCOMPATIBLE, did("", "", "1", "")))
    (outer, shown) = parts(build_memory_nodes(with_incompatible, 0))
    assert outer[1] == {"data-block": "0"}
    assert shown[2].startswith("Measured after the block: array and tensor share memory")
    _, summary, part = parts(build_incompatible_nodes(with_incompatible))
    assert summary[2].endswith("torch 2.2.2 with NumPy 2.4.6")
    assert part[1] == {"data-environments": INCOMPATIBLE.id, "data-of-block": "0"}
    own = "array has 8 bytes of its own on the CPU.\n\ntensor has 8 bytes of its own on the CPU."
    assert (
        part[2]
        == f"2.2.2/2.4.6/cpu\n\narray = f()\ntensor = g(array)\n\nNothing new shares memory here.\n\n{own}"
    )


def test_place_is_kept_for_an_incompatible_install_where_nothing_is_shown() -> None:
    """So that whoever chooses it sees what shared memory there."""
    with_incompatible = page(did("", "", "1", ""), (INCOMPATIBLE, did("", "", "1", "", shares=True)))
    assert [attributes for _, attributes, _ in parts(build_memory_nodes(with_incompatible, 0))] == [
        {"data-block": "0"},
        {},
    ]
    assert parts(build_memory_nodes(page(did("", "", "1", ""), (OLD, did("", "", "1", ""))), 0)) == []


def test_incompatible_install_that_does_the_same_is_not_told() -> None:
    """Nor is what it never reached."""
    same = page(did("", "", "1", "", shares=True), (INCOMPATIBLE, did("", "", "1", shares=True)))
    assert list(build_incompatible_nodes(same)) == []


def test_reason_is_given_for_what_differs_from_the_claim_only() -> None:
    """A deviation of many statements says nothing about one that does as claimed, or that ends otherwise."""
    wide = deviation(f"{EXAMPLE.name}: *", "cpu")
    shown = page(did("", "", "1", ""), deviations=(wide,)).shown
    assert find_reason(shown, 2, CPU, did("", "", "1", "")) is None
    assert find_reason(shown, 2, CPU, did("", "", "2", "")) == wide
    assert find_reason(shown, 2, CPU, did("", "", "2", status=Status.CRASHED)) is None
    ends = replace(wide, ends="crashed")
    shown = page(did("", "", "1", ""), deviations=(ends,)).shown
    assert find_reason(shown, 2, CPU, did("", "", "2", status=Status.CRASHED)) == ends
    assert find_reason(shown, 2, CPU, did("", "", "2", "")) is None
    gpu_only = replace(wide, environments=("cuda",))
    assert (
        find_reason(page(did("", "", "1", ""), deviations=(gpu_only,)).shown, 2, CPU, did("", "", "2", ""))
        is None
    )


def test_error_and_warning_say_in_words_what_they_are() -> None:
    """Whatever their class is called; output needs no other word than its own."""
    assert build_box(Box("error", "KeyboardInterrupt", "x")).astext() == "Error: KeyboardInterrupt\n\nx"
    assert build_box(Box("warning", "ComplexWarning", "x")).astext() == "Warning: ComplexWarning\n\nx"
    assert build_box(Box("output", "Output", "x")).astext() == "Output\n\nx"


def test_long_output_folds_and_is_open_at_first() -> None:
    """Its summary says how long it is; a shorter one has nothing to fold."""
    lines = "\n".join("line" for _ in range(LONG + 1))
    fold, summary = parts([build_box(Box("output", "Output", lines))])
    assert (fold[0], fold[1]) == ("details", {"open": "open"})
    assert (summary[0], summary[2]) == ("summary", f"Output, {LONG + 1} lines")
    assert parts([build_box(Box("output", "Output", lines.removesuffix("\nline")))]) == []


@pytest.mark.parametrize(
    ("printed", "text"), [("\n", "(blank line)"), ("\n\n", "(blank line)\n(blank line)")]
)
def test_blank_lines_alone_are_shown_in_words(printed: str, text: str) -> None:
    """An empty box would look like no output; here and in an environment that printed something else."""
    nodes_ = list(build_statement_nodes(page(did("", "", printed), (OLD, did("", "", "1"))), 2))
    boxes = [box.astext() for node in nodes_ for box in node.findall(nodes.literal_block)]
    assert boxes == [text, "1", "1"]


def test_claimed_newline_that_was_not_observed_is_no_difference() -> None:
    """Of a record of an older probe: no box says that it printed nothing, or something else."""
    quiet = did("", "", "")
    dropped = replace(quiet.observations[2], unobserved=True)
    older = replace(quiet, observations=(*quiet.observations[:2], dropped))
    nodes_ = build_statement_nodes(page(did("", "", "\n"), (OLD, older)), 2)
    boxes = [box.astext() for node in nodes_ for box in node.findall(nodes.literal_block)]
    assert boxes == ["(blank line)", "1"]
