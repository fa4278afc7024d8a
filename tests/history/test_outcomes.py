"""What a page shows of runs: boxes, their grouping by environment, and who shares memory."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
import samples
from samples import CPU, OLDER, SCALAR, example, observed, ran

from tensor_atlas.history.timeline import (
    Box,
    SharingGroup,
    StatementOutcome,
    group_outcomes,
    new_sharing,
    observation_boxes,
    statement_boxes,
    strip_frames,
)
from tensor_atlas.model.runs import Buffer, Observation, Raised, Run, Snapshot, Status, Unmade, Value, Warned

EXAMPLE = example("first()\nsecond()\n\n# %%\n\nthird()\n")
MIDDLE = replace(CPU, torch="2.9.1+cpu")
NO = Raised("TypeError", "no", printed="no")
did = partial(samples.did, code="second()")
"""What the second statement did."""


# --- boxes ---------------------------------------------------------------------------------------


def test_each_kind_has_a_box_of_its_own() -> None:
    """Output before an error, what the error's handler printed, the rest, warnings, standard error, and the
    end.
    """
    stopped = Raised("KeyError", "'k'", traceback=("Traceback (most recent call last):", "KeyError: 'k'"))
    warned = (Warned("UserWarning", "careful"), Warned("FutureWarning", "soon"))
    seen = did("1\nno\n2", caught=(NO,), warnings=warned, stderr="[W]", raised=stopped)
    assert tuple(observation_boxes(seen)) == (
        Box("output", "Output", "1"),
        Box("error", "TypeError", "no"),
        Box("output", "Output", "2"),
        Box("warning", "UserWarning", "careful"),
        Box("warning", "FutureWarning", "soon"),
        Box("output", "Standard error", "[W]"),
        Box("error", "KeyError, uncaught", "Traceback (most recent call last):\nKeyError: 'k'"),
    )


def test_caught_error_that_nothing_printed_has_no_box() -> None:
    """A page shows what a reader would see; what was printed beside it is plain output."""
    assert tuple(observation_boxes(did("1", caught=(Raised("TypeError", "no"),)))) == (
        Box("output", "Output", "1"),
    )


def test_silent_statement_has_no_boxes() -> None:
    """Neither has one that never came to run."""
    run = ran(EXAMPLE, "", "1", status=Status.CRASHED, reason="SIGSEGV")
    assert statement_boxes(run, 0) == ()
    assert statement_boxes(run, 2) == ()


def test_end_without_an_exception_is_told_after_the_output() -> None:
    """Only at the statement that ended the run, and only where nothing else tells it."""
    crashed = ran(EXAMPLE, "0", "1", status=Status.CRASHED, reason="SIGSEGV")
    assert statement_boxes(crashed, 0) == (Box("output", "Output", "0"),)
    end = Box("error", "The run ended here", "crashed: SIGSEGV")
    assert statement_boxes(crashed, 1) == (Box("output", "Output", "1"), end)
    stop = replace(NO, traceback=("TypeError: no",))
    raised = observed(EXAMPLE, did(raised=stop), did("2"), status=Status.RAISED)
    assert statement_boxes(raised, 0) == (Box("error", "TypeError, uncaught", "TypeError: no"),)
    hooked = observed(EXAMPLE, did(raised=NO), did("2"), status=Status.RAISED)  # its own hook wrote it
    assert statement_boxes(hooked, 0) == (Box("error", "TypeError, uncaught", f"TypeError: {NO.message}"),)
    stopped = replace(raised, stopped="crashed: SIGSEGV")  # the process, behind the error
    assert statement_boxes(stopped, 1) == (Box("output", "Output", "2"), end)


# --- tracebacks ----------------------------------------------------------------------------------

TRACEBACK = """Traceback (most recent call last):
  File "examples/01_x/a.py", line 9, in <module>
    second()
    ^^^^^^^^
  File "examples/01_x/a.py", line 8, in second
    return np.from_dlpack(weights)
  File "site-packages/torch/_tensor.py", line 1310, in __dlpack__
    raise RuntimeError(
RuntimeError: Can't export
  File "data", line 3, is no frame
    nor is this"""


def test_only_the_examples_own_frames_are_shown() -> None:
    """Without the numbers of their lines, and with the whole message whatever it looks like."""
    assert "\n".join(strip_frames(TRACEBACK.split("\n"))) == (
        "Traceback (most recent call last):\n"
        '  File "examples/01_x/a.py", in <module>\n'
        "    second()\n"
        "    ^^^^^^^^\n"
        '  File "examples/01_x/a.py", in second\n'
        "    return np.from_dlpack(weights)\n"
        "RuntimeError: Can't export\n"
        '  File "data", line 3, is no frame\n'
        "    nor is this"
    )


def test_second_traceback_of_a_chain_loses_its_frames_too() -> None:
    """What an error was raised from comes first, with a traceback of its own."""
    chain = [*TRACEBACK.split("\n"), "", "During handling:", "", *TRACEBACK.split("\n")]
    own = list(strip_frames(TRACEBACK.split("\n")))
    assert list(strip_frames(chain)) == [*own, "", "During handling:", "", *own]


def test_error_from_another_line_of_a_library_is_the_same_outcome() -> None:
    """A release moves the lines of torch, prose those of the example; neither is another outcome."""

    def stopped(traceback: str) -> Run:
        error = Raised("RuntimeError", "Can't export", traceback=tuple(traceback.split("\n")))
        return observed(EXAMPLE, Observation("first()", raised=error), status=Status.RAISED)

    moved = TRACEBACK.replace("line 1310", "line 1326").replace("line 9", "line 10")
    deeper = TRACEBACK.replace(
        "    raise RuntimeError(\n", '    raise e\n  File "x.py", line 1, in f\n    f()\n'
    )
    runs = [(OLDER, stopped(TRACEBACK)), (MIDDLE, stopped(moved)), (CPU, stopped(deeper))]
    assert [outcome.environments for outcome in group_outcomes(runs, 0)] == [(OLDER, MIDDLE, CPU)]


# --- by environment ------------------------------------------------------------------------------


def test_environments_that_show_the_same_stand_together() -> None:
    """In order of the first of them, with its run."""
    first, second, third = ran(EXAMPLE, "", "1"), ran(EXAMPLE, "", "2"), ran(EXAMPLE, "", "1", "more")
    assert group_outcomes([(OLDER, first), (MIDDLE, second), (CPU, third)], 1) == [
        StatementOutcome((Box("output", "Output", "1"),), (OLDER, CPU), first),
        StatementOutcome((Box("output", "Output", "2"),), (MIDDLE,), second),
    ]


def test_silence_is_an_outcome_and_not_reaching_is_none() -> None:
    """An environment whose run ended earlier shows nothing, neither this nor that."""
    silent, ended = ran(EXAMPLE, "", ""), ran(EXAMPLE, "", status=Status.RAISED)
    assert group_outcomes([(OLDER, ended), (CPU, silent)], 1) == [StatementOutcome((), (CPU,), silent)]


def test_label_tells_outcomes_apart() -> None:
    """One text as a warning and as output, or of two classes of error, is two outcomes."""
    other = replace(NO, type="ValueError")
    seen = [
        did("no", caught=(NO,)),
        did("no", caught=(other,)),
        did("no"),
        did(warnings=(Warned("TypeError", "no"),)),
    ]
    runs = [(replace(CPU, torch=f"2.{minor}.0"), observed(EXAMPLE, o)) for minor, o in enumerate(seen)]
    assert len(group_outcomes(runs, 0)) == 4


# --- who shares memory ---------------------------------------------------------------------------


def value(name: str, buffer: int | None = 0, device: str = "cpu") -> Value:
    """A tensor of four bytes."""
    return Value(name, "Tensor", "torch.float32", (1,), (4,), device, None, False, buffer, 0, 4)  # noqa: FBT003


def left(*snapshots: Snapshot) -> Run:
    """Silent run that left these snapshots."""
    return replace(ran(EXAMPLE, "", "", ""), snapshots=snapshots)


PAIR = Snapshot((value("a", 1), value("b", 1)), (Buffer("cpu", 4), Buffer("cpu", 16)), (("a", "b"),))


def test_sharing_is_told_with_the_buffer() -> None:
    """Its length and its device."""
    assert new_sharing(left(PAIR), 0) == (SharingGroup(("a", "b"), 16, "cpu"),)
    card = Snapshot((value("a", 0, "cuda:0"), value("b")), (Buffer("cuda:0", 8),), (("a", "b"),))
    assert new_sharing(left(card), 0) == (SharingGroup(("a", "b"), 8, "cuda:0"),)


def test_sharing_is_told_once() -> None:
    """A block tells who shares and did not before it; who parted and met again is told again."""
    three = Snapshot((*PAIR.values, value("c", 0)), PAIR.buffers, (("a", "b"), ("b", "c")))
    run = left(PAIR, three, replace(PAIR, shares=()), PAIR)
    assert [[fact.names for fact in new_sharing(run, index)] for index in range(4)] == [
        [("a", "b")],
        [("b", "c")],
        [],
        [("a", "b")],
    ]


@pytest.mark.parametrize("index", [1, 7])
def test_block_that_never_finished_shares_nothing(index: int) -> None:
    """It left no snapshot."""
    assert new_sharing(left(PAIR), index) == ()


def test_names_without_a_buffer_see_no_bytes() -> None:
    """What has no memory of its own is told without a length."""
    bare = Snapshot((value("a", None), value("b", None)), (), (("a", "b"),))
    assert new_sharing(left(bare), 0) == (SharingGroup(("a", "b"), 0, "cpu"),)


def test_statement_that_lacks_a_name_has_no_outcome() -> None:
    """Silence would be one."""
    lacking = replace(did(), unmade=Unmade("x", 0))
    run = observed(EXAMPLE, did(raised=NO), lacking, did("3"), status=Status.RAISED, reason="TypeError")
    assert statement_boxes(run, 1) == ()
    assert group_outcomes([(CPU, run)], 1) == []
    assert [outcome.boxes for outcome in group_outcomes([(CPU, run)], 2)] == [(Box("output", "Output", "3"),)]


def test_sharing_behind_a_broken_block_is_held_against_the_block_before_it() -> None:
    """Names that shared memory before the error do not share it anew; the broken block tells nothing."""
    sharing = Snapshot((SCALAR, replace(SCALAR, name="other")), (Buffer("cpu", 4),), (("scalar", "other"),))
    run = replace(ran(EXAMPLE, ""), snapshots=(sharing, Snapshot(broken=True), sharing))
    assert [len(new_sharing(run, index)) for index in range(3)] == [1, 0, 0]


def test_output_that_quotes_a_line_of_the_example_is_one_outcome() -> None:
    """Two environments ran the same code under different prose: pages show no difference."""
    what = example("print(1)\n")
    runs = [ran(what, f"{what.path}:{line}: UserWarning: slow") for line in (9, 12)]
    (outcome,) = group_outcomes([(OLDER, runs[0]), (CPU, runs[1])], 0)
    assert outcome.boxes == (Box("output", "Output", f"{what.path}:…: UserWarning: slow"),)
