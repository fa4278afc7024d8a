"""What a page shows of statements and blocks: runs that ended early, incompatible installs, other devices."""

from __future__ import annotations

from dataclasses import replace

from samples import CPU, GPU, captured, deviation, did, example, observed, ran

from tensor_atlas.compare.deviations import Deviation
from tensor_atlas.compare.evidence import ExampleEvidence, Origin, assess_capture, find_reason
from tensor_atlas.history.timeline import Box, SharingGroup
from tensor_atlas.model.runs import (
    DEPTH,
    Buffer,
    Environment,
    Raised,
    Run,
    Snapshot,
    Status,
    Unmade,
    Value,
    Warned,
)
from tensor_atlas.pages.code_cells import has_output
from tensor_atlas.pages.statement_view import (
    ExamplePage,
    MeasuredMemory,
    summarize_incompatible,
    view_incompatible,
    view_memory,
    view_own_output,
    view_statement,
)
from tensor_atlas.records.store import Store, add_capture

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
        assess_capture({EXAMPLE.name: EXAMPLE}, captured(here), store, deviations).pages[EXAMPLE.name]
    )


def shared(*stdout: str, shares: bool = False, status: Status = Status.COMPLETED) -> Run:
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


def say(page_: ExamplePage, index: int) -> list[tuple[str, str]]:
    """Label and text of each box of the page's own output."""
    return [(box.label, box.text) for box in view_statement(page_, index).own.boxes]


def test_one_run_needs_no_place_for_others() -> None:
    """There is nothing to fold in and nothing to choose."""
    alone = page(shared("", "", "1", "", shares=True))
    view = view_statement(alone, 2)
    assert (view.has_choice, view.others, view.beside, view.summary) == (False, (), (), "")
    assert say(alone, 2) == [("Output", "1")]
    memory = view_memory(alone, 0)
    assert memory is not None
    assert (memory.has_choice, memory.others) == (False, ())
    assert memory.own.sharing == (SharingGroup(("array", "tensor"), 8, "cpu"),)
    assert memory.own.drawn is not None
    assert view_incompatible(alone) == ()


def test_statement_that_the_pages_run_never_reached_shows_what_others_did() -> None:
    """Their silence too; the claim is expected here, not called unconfirmed: another run may confirm it."""
    short = page(shared("", "", status=Status.CRASHED), (OLD, shared("", "", "1", "")))
    view = view_statement(short, 2)
    assert say(short, 2) == [("Not reached here, expected", "1")]
    assert view.summary == "Different in 1 of 1 environments"
    (other,) = view.others
    assert other.ids == OLD.id
    assert other.boxes == (Box("output", "Output", "1"),)
    assert view_statement(short, 3).others[0].boxes == (Box("output", "No output", "(nothing)"),)


def lacking() -> Run:
    """Run whose first statement raised, so that the third lacks a name; the last one ran."""
    run = shared("", "", "", "late", status=Status.RAISED)
    first, second, third, last = run.observations
    failed = replace(first, raised=Raised("TypeError", "no", ("TypeError: no",)))
    seen = (failed, second, replace(third, unmade=Unmade("array", 0)), last)
    return replace(run, observations=seen, snapshots=(Snapshot(broken=True),))


NOT_MADE = "`array` was not made: line 8 raised"


def test_statement_that_lacks_a_name_says_which_and_which_line_raised() -> None:
    """In the fold-out, with the environments that lack it; that is no other outcome."""
    with_old = page(shared("", "", "1", ""), (OLD, lacking()))
    view = view_statement(with_old, 2)
    assert view.summary == "Not run in 1 of 2 environments, because a name is missing"
    (part,) = view.others
    assert part.ids == OLD.id
    assert part.boxes == (Box("unmade", "No output", NOT_MADE),)
    assert view_statement(with_old, 3).summary.startswith("Changed between torch 2.9 and 2.13")


def test_incompatible_install_that_lacks_a_name_says_so_at_the_end() -> None:
    """Where the page shows something in its place."""
    found = view_incompatible(page(shared("", "", "1", ""), (INCOMPATIBLE, lacking())))
    lacks = [one for one in found if one.outcome.boxes and one.outcome.boxes[0].text == NOT_MADE]
    assert [(one.outcome.ids, one.statement, one.code) for one in lacks] == [(INCOMPATIBLE.id, 2, "print(1)")]


def test_run_of_the_page_that_lacks_a_name_expects_the_claim() -> None:
    """Its label says why nothing is confirmed."""
    assert say(page(lacking()), 2) == [("array was not made: line 8 raised, expected", "1")]


def test_memory_after_a_block_that_failed_is_not_told() -> None:
    """Nothing new shares memory there, since nothing new was made."""
    memory = view_memory(page(shared("", "", "1", "", shares=True), (OLD, lacking())), 0)
    assert memory is not None
    assert memory.others == ()


HELD = 8


def holding(run: Run) -> Run:
    """The same run, looked at further: what else is held shares memory, and there is more."""
    (alive,) = run.snapshots
    held = tuple(replace(alive.values[0], name=f"row.x{k}", held=True) for k in range(HELD))
    named = alive.shares[0] if alive.shares else ("array",)
    names = (*named, *(value.name for value in held))
    values = (*alive.values, *held)
    snapshot = replace(alive, values=values, shares=(names,), left_out=("row", "deep[0]"))
    return replace(run, depth=DEPTH, snapshots=(snapshot,))


def test_page_tells_of_held_values_and_where_there_is_more() -> None:
    """All their names, and what was not measured in full."""
    memory = view_memory(page(holding(shared("", "", "1", ""))), 0)
    assert memory is not None
    (group,) = memory.own.sharing
    assert group.names == ("array", *(f"row.x{k}" for k in range(HELD)))
    assert memory.own.left_out == ("row", "deep[0]")


def test_page_tells_of_held_values_once_all_runs_looked_for_them() -> None:
    """An older record lacks them, which is no difference; what it has is compared."""
    deep = holding(shared("", "", "1", "", shares=True))
    mixed = page(deep, (OLD, shared("", "", "1", "", shares=True)))
    assert not any(value.held for _, run in mixed.evidence.runs for value in run.snapshots[0].values)
    memory, differing = view_memory(mixed, 0), view_memory(page(deep, (OLD, shared("", "", "1", ""))), 0)
    assert memory is not None
    assert differing is not None
    assert memory.others == ()
    assert [other.ids for other in differing.others] == [OLD.id]
    both = page(deep, (OLD, deep))
    assert all(run.snapshots[0].left_out for _, run in both.evidence.runs)


def test_page_that_nobody_ran_expects_its_claims() -> None:
    """No run has confirmed them; a statement without a claim has nothing to show."""
    absent = page(Run(EXAMPLE.name, EXAMPLE.digest, Status.NOT_RUN, "needs cupy"))
    assert say(absent, 2) == [("Expected, not yet confirmed by a run", "1")]
    assert say(absent, 3) == []
    assert not has_output(absent.evidence, 2)


def test_incompatible_install_that_shares_otherwise_is_told_at_the_end() -> None:
    """With the block it concerns; after that block there is a place for it, and no fold-out."""
    with_incompatible = page(shared("", "", "1", "", shares=True), (INCOMPATIBLE, shared("", "", "1", "")))
    memory = view_memory(with_incompatible, 0)
    assert memory is not None
    assert memory.has_choice
    assert memory.others == ()
    assert memory.own.sharing
    (part,) = view_incompatible(with_incompatible)
    assert summarize_incompatible(with_incompatible).endswith("torch 2.2.2 with NumPy 2.4.6")
    assert (part.outcome.ids, part.outcome.names) == (INCOMPATIBLE.id, "torch 2.2, NumPy 2.4")
    assert (part.statement, part.block, part.code) == (None, 0, "array = f()\ntensor = g(array)")
    assert part.outcome.memory is not None
    assert part.outcome.memory.sharing == ()


def test_place_is_kept_for_an_incompatible_install_where_nothing_is_shown() -> None:
    """So that whoever chooses it sees what shared memory there."""
    apart, shares = shared("", "", "1", ""), shared("", "", "1", "", shares=True)
    memory = view_memory(page(apart, (INCOMPATIBLE, shares)), 0)
    assert memory is not None
    assert (memory.own, memory.others) == (MeasuredMemory(), ())
    assert view_memory(page(apart, (OLD, apart)), 0) is None


def test_incompatible_install_that_does_the_same_is_not_told() -> None:
    """Nor is what it never reached."""
    same = page(shared("", "", "1", "", shares=True), (INCOMPATIBLE, shared("", "", "1", shares=True)))
    assert view_incompatible(same) == ()


def test_reason_is_given_for_what_differs_from_the_claim_only() -> None:
    """A deviation of many statements says nothing about one that does as claimed, or that ends otherwise."""
    wide = deviation(f"{EXAMPLE.name}: *", "cpu")
    shown = page(shared("", "", "1", ""), deviations=(wide,)).evidence
    assert find_reason(shown, 2, CPU, shared("", "", "1", "")) is None
    assert find_reason(shown, 2, CPU, shared("", "", "2", "")) == wide
    assert find_reason(shown, 2, CPU, shared("", "", "2", status=Status.CRASHED)) is None
    ends = replace(wide, ends="crashed")
    shown = page(shared("", "", "1", ""), deviations=(ends,)).evidence
    assert find_reason(shown, 2, CPU, shared("", "", "2", status=Status.CRASHED)) == ends
    assert find_reason(shown, 2, CPU, shared("", "", "2", "")) is None
    gpu_only = replace(wide, environments=("cuda",))
    assert (
        find_reason(
            page(shared("", "", "1", ""), deviations=(gpu_only,)).evidence, 2, CPU, shared("", "", "2", "")
        )
        is None
    )


def test_reason_stands_with_the_outcome_that_it_explains() -> None:
    """Once, however many environments have it."""
    wide = deviation(f"{EXAMPLE.name}: *", "cpu")
    other, older = shared("", "", "2", ""), replace(OLD, torch="2.8.0+cpu")
    known = page(shared("", "", "1", ""), (OLD, other), (older, other), deviations=(wide,))
    (outcome,) = view_statement(known, 2).others
    assert (outcome.ids, outcome.reasons) == (f"{older.id} {OLD.id}", (wide,))
    assert outcome.where == "torch < 2.10"


def test_claimed_newline_that_was_not_observed_is_no_difference() -> None:
    """Of a record of an older probe: no box says that it printed nothing, or something else."""
    quiet = shared("", "", "")
    dropped = replace(quiet.observations[2], unobserved=True)
    older = replace(quiet, observations=(*quiet.observations[:2], dropped))
    view = view_statement(page(shared("", "", "\n"), (OLD, older)), 2)
    assert [box.text for box in view.own.boxes] == ["", "1"]
    assert view.others == ()


# --- devices -------------------------------------------------------------------------------------


def test_output_of_a_card_that_an_older_cpu_shares_is_the_release_s_doing() -> None:
    """Only what no CPU has shown is set beside the CPU's."""
    old, new, other = (ran(EXAMPLE, "", "", text) for text in ("old", "1", "only here"))
    card = replace(GPU, torch="2.11.0+cu130")
    runs = (
        (OLD, old),
        (card, old),
        (replace(card, device="Another Card"), other),
        (CPU, new),
    )
    shown = ExampleEvidence(EXAMPLE, Origin.RECORDED, new, CPU, runs=runs)
    view = view_statement(ExamplePage(shown), 2)
    assert view.device is not None
    assert (view.device.where, view.device.ids) == ("CPU", CPU.id)
    assert [outcome.where for outcome in view.beside] == ["Another Card"]
    assert [outcome.ids for outcome in view.others] == [f"{OLD.id} {card.id}"]
    of_card = replace(shown, environment=card, run=old)
    assert view_statement(ExamplePage(of_card), 2).beside == ()


# --- the run of the page -------------------------------------------------------------------------

CLAIMS = example("print(1)\n# => 1\nprint(2)\n# => 3\nf()\n")
FIRST, SECOND, THIRD = (statement.code for statement in CLAIMS.statements)
CLAIMED = observed(
    CLAIMS,
    did("1", code=FIRST),
    did("2", code=SECOND, warnings=(Warned("UserWarning", "careful"),)),
    did(code=THIRD),
)


def own_boxes(index: int) -> list[tuple[str, str]]:
    """Kind and text of the boxes of a statement."""
    shown = ExampleEvidence(CLAIMS, Origin.RECORDED, CLAIMED, CPU)
    return [(box.kind, box.text) for box in view_own_output(shown, index).boxes]


def test_each_kind_of_output_has_its_box() -> None:
    """In order; of a silent statement there is none; a claim that does not hold stands below the output."""
    assert own_boxes(0) == [("output", "1")]
    assert own_boxes(1) == [("output", "2"), ("warning", "careful"), ("drift", "3")]
    assert own_boxes(2) == []
