"""What changed from one run to another, and how grave it is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import SCALAR, did, example, observed

from tensor_atlas.history.changes import (
    Change,
    Severity,
    find_changes,
    observed_lines,
    rate_statement,
)
from tensor_atlas.model.runs import (
    AFTER,
    DEPTH,
    LATE,
    Buffer,
    Observation,
    Raised,
    Run,
    Snapshot,
    Status,
    Unmade,
    Value,
    Warned,
)

EXAMPLE = example("first()\nsecond()\n\n# %%\n\nthird()\n\n# %%\n\nfourth()\n")
SIZES = [len(block.statements) for block in EXAMPLE.blocks]
CODES = [statement.code for statement in EXAMPLE.statements]
MIRROR = {severity: severity for severity in Severity} | {
    Severity.ERROR_APPEARED: Severity.ERROR_VANISHED,
    Severity.ERROR_VANISHED: Severity.ERROR_APPEARED,
}
"""What a change is called when it is told backwards."""

TYPE = Raised("TypeError", "no", printed="no")
VALUE = Raised("ValueError", "no", printed="no")
OTHER_WORDS = Raised("TypeError", "never", printed="never")
SILENT = Raised("TypeError", "no")
CAREFUL = Warned("UserWarning", "careful")


# --- one statement -------------------------------------------------------------------------------

DIFFERENCES = {
    "output": (did("1"), did("2"), Severity.VALUE),
    "output where there was none": (did(), did("1"), Severity.VALUE),
    "uncaught error": (did("1"), did(raised=SILENT), Severity.ERROR_APPEARED),
    "caught error": (did("1"), did("no", caught=(TYPE,)), Severity.ERROR_APPEARED),
    "caught error that nothing prints": (did(), did(caught=(SILENT,)), Severity.ERROR_APPEARED),
    "one more caught error": (
        did("no", caught=(TYPE,)),
        did("no\nno", caught=(TYPE, TYPE)),
        Severity.ERROR_APPEARED,
    ),
    "caught error that escapes": (did("no", caught=(TYPE,)), did(raised=SILENT), Severity.ERROR_APPEARED),
    "error that escapes earlier": (
        did("no\nno", caught=(TYPE, VALUE)),
        did(raised=SILENT),
        Severity.ERROR_APPEARED,
    ),
    "another class, caught": (did("no", caught=(TYPE,)), did("no", caught=(VALUE,)), Severity.CLASS),
    "another class, uncaught": (did(raised=TYPE), did(raised=VALUE), Severity.CLASS),
    "other words, caught": (did("no", caught=(TYPE,)), did("never", caught=(OTHER_WORDS,)), Severity.WORDING),
    "other words, uncaught": (did(raised=TYPE), did(raised=OTHER_WORDS), Severity.WORDING),
    "other words that nothing prints": (
        did(caught=(SILENT,)),
        did(caught=(replace(SILENT, message="never"),)),
        Severity.WORDING,
    ),
    "output beside other words": (
        did("1\nno", caught=(TYPE,)),
        did("2\nnever", caught=(OTHER_WORDS,)),
        Severity.VALUE,
    ),
    "output that reads like the error": (
        did("no\nno", caught=(TYPE,)),
        did("no\n1", caught=(TYPE,)),
        Severity.VALUE,
    ),
    "warning": (did("1"), did("1", warnings=(CAREFUL,)), Severity.WARNING),
    "second warning": (did(warnings=(CAREFUL,)), did(warnings=(CAREFUL, CAREFUL)), Severity.WARNING),
    "warning of another category": (
        did(warnings=(CAREFUL,)),
        did(warnings=(Warned("FutureWarning", "careful"),)),
        Severity.WARNING,
    ),
    "warning in other words": (
        did(warnings=(CAREFUL,)),
        did(warnings=(Warned("UserWarning", "beware"),)),
        Severity.WORDING,
    ),
    "standard error": (did(), did(stderr="[W] careful"), Severity.WARNING),
    "standard error in other words": (did(stderr="[W] careful"), did(stderr="[W] beware"), Severity.WORDING),
    "error graver than output": (did("1"), did("2", raised=SILENT), Severity.ERROR_APPEARED),
    "output graver than a warning": (did("1"), did("2", warnings=(CAREFUL,)), Severity.VALUE),
    "warning graver than words": (
        did(raised=TYPE),
        did(raised=OTHER_WORDS, warnings=(CAREFUL,)),
        Severity.WARNING,
    ),
}
"""Observation before, observation after, and the severity, by what differs."""


@pytest.mark.parametrize("what", DIFFERENCES)
def test_difference_has_its_severity(what: str) -> None:
    """Told forwards and backwards: what appeared one way vanished the other."""
    before, after, severity = DIFFERENCES[what]
    assert rate_statement(before, after) is severity
    assert rate_statement(after, before) is MIRROR[severity]


@pytest.mark.parametrize("what", DIFFERENCES)
def test_what_stays_the_same_is_no_difference(what: str) -> None:
    """Neither is a traceback, whose lines each release moves."""
    before, after, _ = DIFFERENCES[what]
    for observation in (before, after):
        raised = observation.raised and replace(observation.raised, traceback=("elsewhere",))
        assert rate_statement(observation, replace(observation, raised=raised)) is None


QUOTING = """Caught TypeError in a worker.
Original Traceback (most recent call last):
  File "worker.py", line 1, in work
    work(1)
    ~~~~^^^
TypeError: no
  indented"""


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("line 1", "line 2", None),
        ("    ~~~~^^^\n", "", None),
        ("TypeError: no", "TypeError: never", Severity.WORDING),
        ("  indented", "  other", Severity.WORDING),
        ("Caught", "Found", Severity.WORDING),
    ],
)
def test_frames_of_a_quoted_traceback_are_no_words(old: str, new: str, expected: Severity | None) -> None:
    """Each torch moves its own lines, and each Python underlines otherwise; what stands after them counts."""
    then = Raised("TypeError", QUOTING, printed="no")
    assert QUOTING.count(old) == 1
    now = replace(then, message=QUOTING.replace(old, new))
    assert rate_statement(did("no", caught=(then,)), did("no", caught=(now,))) is expected


@pytest.mark.parametrize(
    ("numpy_1", "numpy_2"),
    [
        ("1.0", "np.float64(1.0)"),
        ("[1, -2]", "[np.int64(1), np.int64(-2)]"),
        ("(nan, 7)", "(np.float16(nan), np.uint8(7))"),
        ("True", "np.True_"),
        ("(1+2j)", "np.complex128(1+2j)"),
        ("[1j, 2.5]", "[np.complex64(1j), np.longdouble('2.5')]"),
        ("3", "np.longlong(3)"),
        ("['a']", "[np.str_('a')]"),
        ("b'a'", "np.bytes_(b'a')"),
        ("numpy.datetime64('2020')", "np.datetime64('2020')"),
    ],
)
def test_scalar_that_names_its_type_is_the_same_value(numpy_1: str, numpy_2: str) -> None:
    """NumPy 2 writes its scalars otherwise than NumPy 1."""
    assert rate_statement(did(numpy_1), did(numpy_2)) is Severity.WORDING
    assert rate_statement(did(numpy_2), did(numpy_1)) is Severity.WORDING


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("1.0", "np.float64(2.0)"),
        ("np.float32(1.0)", "np.float64(1.0)"),
        ("[np.int64(1), 2]", "[np.int32(1), 2]"),
        ("True", "np.False_"),
        ("f(obj)", "fobj"),
        ("1.0", "tensor(1.0)"),
        ("np.str_('a')", "np.str_('b')"),
    ],
)
def test_scalar_of_another_value_or_type_is_another_value(before: str, after: str) -> None:
    """Two types that are both named and differ are a change of dtype."""
    assert rate_statement(did(before), did(after)) is Severity.VALUE


def test_told_lines_put_the_class_before_what_a_handler_printed() -> None:
    """Then warnings, standard error, errors that nothing printed, and the one that nobody caught."""
    told = observed_lines(
        did(
            "1\nno\n2",
            stderr="[W]",
            warnings=(CAREFUL,),
            caught=(TYPE, Raised("KeyError", "'k'\nmore")),
            raised=Raised("ValueError", "stop\nhere"),
        )
    )
    assert told == (
        "1",
        "TypeError: no",
        "2",
        "UserWarning: careful",
        "stderr: [W]",
        "KeyError: 'k'",
        "ValueError: stop (uncaught)",
    )


def test_each_handler_finds_its_own_output() -> None:
    """In a loop they print the same, and an inner handler's output stands before the rest of the outer
    one's.
    """
    assert observed_lines(did("no\nno", caught=(TYPE, VALUE))) == ("TypeError: no", "ValueError: no")
    outer, inner = Raised("KeyError", "k", printed="last"), Raised("TypeError", "t", printed="inner")
    nested = did("first\ninner\nlast", caught=(outer, inner))
    assert observed_lines(nested) == ("first", "TypeError: inner", "KeyError: last")


# --- a run ---------------------------------------------------------------------------------------


def run(
    *observations: Observation,
    status: Status = Status.COMPLETED,
    reason: str = "",
    alive: tuple[Snapshot, ...] = (),
) -> Run:
    """Run of the example that reached as many statements as there are observations."""
    reached = [replace(o, code=code) for o, code in zip(observations, CODES, strict=False)]
    return replace(observed(EXAMPLE, *reached, status=status, reason=reason), snapshots=alive)


def found(before: Run, after: Run) -> list[tuple[Severity, int, int | None]]:
    """Severity, block and statement of every change."""
    return [
        (change.severity, change.block, change.statement) for change in find_changes(before, after, EXAMPLE)
    ]


def test_change_tells_where_and_what() -> None:
    """Example, block, statement, its code, and what it told before and after."""
    before = run(did(), did("1"), did("a"), did())
    after = run(did(), did("2"), did("b"), did())
    assert find_changes(before, after, EXAMPLE) == (
        Change("01_x/a", Severity.VALUE, 0, 1, "second()", ("1",), ("2",)),
        Change("01_x/a", Severity.VALUE, 1, 2, "third()", ("a",), ("b",)),
    )


def lately(late: Observation | None) -> Run:
    """Run in which only what stands after the last statement may differ."""
    return replace(run(did(), did("1"), did("2"), did("3")), late=late)


@pytest.mark.parametrize(
    ("then", "now", "severity"),
    [
        (did("from a thread"), did("from another"), Severity.VALUE),
        (did("from a thread"), did(), Severity.VALUE),
        (did(), did(warnings=(CAREFUL,)), Severity.WARNING),
    ],
)
def test_output_after_the_last_statement_changes_like_others(
    then: Observation, now: Observation, severity: Severity
) -> None:
    """In the last block, under a place of its own."""
    before, after = (lately(replace(seen, code=AFTER)) for seen in (then, now))
    sides = observed_lines(then), observed_lines(now)
    assert find_changes(before, after, EXAMPLE) == (
        Change("01_x/a", severity, len(SIZES) - 1, LATE, AFTER, *sides),
    )


def test_output_that_one_record_did_not_observe_is_no_change() -> None:
    """An older probe did not look behind the last statement."""
    seen = lately(Observation(AFTER, "from a thread"))
    assert found(lately(None), seen) == found(seen, lately(None)) == found(seen, seen) == []


@pytest.mark.parametrize(
    ("status", "reason"),
    [(Status.CRASHED, "SIGSEGV"), (Status.EXITED, "sys.exit(1)"), (Status.TIMED_OUT, "60 s")],
)
def test_run_that_ends_without_an_exception_is_an_error(status: Status, reason: str) -> None:
    """At the statement where it ends; what comes after it says nothing."""
    whole = run(did(), did("1"), did("2"), did("3"))
    ended = run(did(), did("0"), status=status, reason=reason)
    (change,) = find_changes(whole, ended, EXAMPLE)
    assert (change.severity, change.statement) == (Severity.ERROR_APPEARED, 1)
    assert (change.before, change.after) == (("1",), ("0", f"{status}: {reason}"))
    assert found(ended, whole) == [(Severity.ERROR_VANISHED, 0, 1)]
    assert found(ended, ended) == []


WHOLE = run(did(), did("1"), did("2"), did("3"))
CRASHED = run(did(), did(), status=Status.CRASHED, reason="SIGSEGV")
REFUSED = run(did(), did(raised=SILENT), status=Status.RAISED, reason="TypeError")
ENDS = {
    "at the last statement": (
        run(*[did()] * 4),
        run(*[did()] * 4, status=Status.CRASHED, reason="SIGABRT"),
        [(Severity.ERROR_APPEARED, 2, 3)],
    ),
    "with statements that lack a name": (
        WHOLE,
        run(
            *(did(raised=SILENT), replace(did(), unmade=Unmade("x", 0)), did("2"), did("4")),
            status=Status.RAISED,
        ),
        [(Severity.ERROR_APPEARED, 0, 0), (Severity.VALUE, 2, 3)],
    ),
    "before statements that then say nothing": (WHOLE, REFUSED, [(Severity.ERROR_APPEARED, 0, 1)]),
    "earlier": (
        REFUSED,
        run(did(raised=SILENT), status=Status.RAISED, reason="TypeError"),
        [(Severity.ERROR_APPEARED, 0, 0)],
    ),
    "by another signal": (CRASHED, replace(CRASHED, reason="SIGABRT"), [(Severity.VALUE, 0, 1)]),
    "by a time-out in place of a crash": (
        CRASHED,
        replace(CRASHED, status=Status.TIMED_OUT),
        [(Severity.VALUE, 0, 1)],
    ),
    "by an exception in place of a crash": (CRASHED, REFUSED, [(Severity.VALUE, 0, 1)]),
    "no longer, where an error is caught": (
        run(did(), did(caught=(SILENT,)), did(), did()),
        CRASHED,
        [(Severity.ERROR_APPEARED, 0, 1)],
    ),
    "the process, behind an error": (
        run(did(raised=SILENT), did(), did("2"), status=Status.RAISED, reason="TypeError"),
        replace(
            run(did(raised=SILENT), did(), did("2"), status=Status.RAISED, reason="TypeError"),
            stopped="crashed: SIGSEGV",
        ),
        [(Severity.ERROR_APPEARED, 1, 2)],
    ),
}
"""Two runs and the changes from one to the other, by where and how the other ends."""


@pytest.mark.parametrize("how", ENDS)
def test_end_of_a_run_is_a_change_at_its_statement(how: str) -> None:
    """Told forwards and backwards; what a run did not reach says nothing, what is behind an error counts."""
    before, after, changes = ENDS[how]
    assert found(before, after) == changes
    assert found(after, before) == [(MIRROR[severity], *place) for severity, *place in changes]


def test_block_in_which_a_statement_failed_is_not_compared() -> None:
    """What is alive after it tells of the error; nor is there a change where both failed alike."""
    failing = [did(raised=SILENT), did(), did(), did()]
    broken = run(*failing, status=Status.RAISED, alive=(Snapshot(broken=True), Snapshot()))
    other = run(*failing, status=Status.RAISED, alive=(Snapshot((SCALAR,), (Buffer("cpu", 4),)), Snapshot()))
    assert found(broken, other) == found(other, broken) == []


def test_difference_that_nothing_printed_is_told_in_full() -> None:
    """Where a handler prints one line of a message, and another line changed, both sides show the whole."""
    head = Raised("TypeError", "one\n  two", printed="one")
    then, now = did("one", caught=(head,)), did("one", caught=(replace(head, message="one\n  three"),))
    (change,) = find_changes(run(then), run(now), EXAMPLE)
    assert change.severity is Severity.WORDING
    assert change.before == ("TypeError: one", "  two")
    assert change.after == ("TypeError: one", "  three")


def test_warning_laid_out_otherwise_is_told_line_by_line() -> None:
    """A claim joins the lines of a warning; here they are the difference."""
    then, now = (did(warnings=(Warned("UserWarning", text),)) for text in ("a b", "a\nb"))
    (change,) = find_changes(run(then), run(now), EXAMPLE)
    assert (change.before, change.after) == (("UserWarning: a b",), ("UserWarning: a", "b"))


# --- what is alive after a block -----------------------------------------------------------------


def value(name: str, kind: str = "Tensor") -> Value:
    """A tensor or array of four bytes."""
    is_array = kind == "ndarray"
    return Value(
        name=name,
        kind=kind,
        dtype="float32",
        shape=(1,),
        strides=(4,),
        device="cpu",
        writable=True if is_array else None,
        requires_grad=None if is_array else False,
        buffer=0,
        start=0,
        stop=4,
    )


def alive(*values: Value, shares: tuple[tuple[str, ...], ...] = ()) -> Snapshot:
    """Values that live in one buffer."""
    return Snapshot(values, (Buffer("cpu", 4),), shares)


def lived(*snapshots: Snapshot) -> Run:
    """Run that was silent throughout and left these snapshots."""
    return run(*[did()] * 4, alive=snapshots)


A, B, C = value("a", "ndarray"), value("b"), value("c")


def test_shares_that_became_copies_are_told_and_the_reverse() -> None:
    """By pair, though a record groups names."""
    together, apart = alive(A, B, C, shares=(("a", "b", "c"),)), alive(A, B, C, shares=(("a", "b"),))
    (change,) = find_changes(lived(together), lived(apart), EXAMPLE)
    assert change == Change(
        "01_x/a",
        Severity.SHARING,
        0,
        None,
        facts=("a, c: shares became copies", "b, c: shares became copies"),
    )
    (back,) = find_changes(lived(apart), lived(together), EXAMPLE)
    assert back.facts == ("a, c: copies became shares", "b, c: copies became shares")


def test_other_grouping_of_the_same_pairs_is_no_change() -> None:
    """What counts is who shares with whom."""
    whole, pairs = ((("a", "b", "c"),), (("a", "b"), ("a", "c"), ("b", "c")))
    assert found(lived(alive(A, B, C, shares=whole)), lived(alive(A, B, C, shares=pairs))) == []


@pytest.mark.parametrize(
    ("field", "other", "fact"),
    [
        ("kind", "Parameter", "b: kind Tensor → Parameter"),
        ("dtype", "float64", "b: dtype float32 → float64"),
        ("shape", (), "b: shape (1,) → ()"),
        ("strides", None, "b: strides (4,) → None"),
        ("device", "cuda:0", "b: device cpu → cuda:0"),
        ("writable", True, "b: writable None → True"),
        ("requires_grad", True, "b: requires_grad False → True"),
    ],
)
def test_property_of_a_value_that_changed_is_a_fact(
    field: str, other: str | tuple[int, ...] | None, fact: str
) -> None:
    """Each by its name, with before and after."""
    changed = lived(alive(A, replace(B, **{field: other})))  # type: ignore[arg-type]
    (change,) = find_changes(lived(alive(A, B)), changed, EXAMPLE)
    assert (change.severity, change.statement, change.facts) == (Severity.VALUE, None, (fact,))


def test_place_in_memory_is_no_fact() -> None:
    """Where a buffer lies, and how many there are, is the allocator's affair."""
    moved = Snapshot((A, replace(B, buffer=1, start=8, stop=12)), (Buffer("cpu", 4), Buffer("cpu", 64)))
    assert found(lived(alive(A, B)), lived(moved)) == []


def test_value_that_is_alive_on_one_side_only_is_a_fact() -> None:
    """With its class."""
    facts = [change.facts for change in find_changes(lived(alive(A, B)), lived(alive(B, C)), EXAMPLE)]
    assert facts == [("a: ndarray only before", "c: Tensor only after")]


def test_held_values_are_compared_where_both_runs_looked_for_them() -> None:
    """A release that was recorded by an older probe lacks nothing; names are compared all the same."""
    held = replace(value("c.x"), held=True)
    before = lived(alive(value("a"), value("b"), shares=(("a", "b"),)))
    after = replace(lived(alive(value("a"), value("b"), held, shares=(("a", "c.x"),))), depth=DEPTH)
    facts = [change.facts for change in find_changes(before, after, EXAMPLE)]
    assert facts == [("a, b: shares became copies",)]
    facts = [change.facts for change in find_changes(replace(before, depth=DEPTH), after, EXAMPLE)]
    assert facts == [("a, b: shares became copies",), ("c.x: Tensor only after",)]


def test_fact_is_told_once_though_it_persists() -> None:
    """After the block that brings it about; another one, later, is told there."""
    wide = replace(B, dtype="float64")
    before = lived(alive(A, B), alive(A, B), alive(A, B))
    after = lived(alive(A, wide), alive(A, wide), alive(replace(A, writable=False), wide))
    assert [(change.block, change.facts) for change in find_changes(before, after, EXAMPLE)] == [
        (0, ("b: dtype float32 → float64",)),
        (2, ("a: writable True → False",)),
    ]


def test_facts_join_the_statement_s_change_of_the_same_kind() -> None:
    """What a statement printed of a dtype and the dtype are one change; sharing is another."""
    before = run(did(), did("float32"), did(), did(), alive=(alive(A, B, shares=(("a", "b"),)),))
    after = run(did(), did("float64"), did(), did(), alive=(alive(A, replace(B, dtype="float64")),))
    joined, alone = find_changes(before, after, EXAMPLE)
    assert (joined.severity, joined.statement) == (Severity.VALUE, 1)
    assert joined.facts == ("b: dtype float32 → float64",)
    assert (alone.severity, alone.statement) == (Severity.SHARING, None)
    assert alone.facts == ("a, b: shares became copies",)


def test_facts_join_one_statement_only() -> None:
    """The first of their block, not that of another block."""
    silent, wide = alive(A, B), alive(A, replace(B, dtype="float64"))
    before = run(did("1"), did("2"), did("3"), did("4"), alive=(silent, silent))
    after = run(did("one"), did("2"), did("three"), did("four"), alive=(silent, wide))
    facts = {change.statement: change.facts for change in find_changes(before, after, EXAMPLE)}
    assert facts == {0: (), 2: ("b: dtype float32 → float64",), 3: ()}


@pytest.mark.parametrize("error", [did(raised=SILENT), did("no", caught=(TYPE,))])
def test_values_that_vanish_because_of_an_error_say_nothing(error: Observation) -> None:
    """Not in its block, nor in those after it; a fact of an earlier block is told."""
    is_end = error.raised is not None
    then = alive(A, B)
    before = run(did(), did(), did(), did(), alive=(then, alive(A, B, C), alive(A, B, C)))
    after = run(
        *(did(), did(), error, *([] if is_end else [did()])),
        status=Status.RAISED if is_end else Status.COMPLETED,
        alive=(alive(A, replace(B, dtype="float64")), *([] if is_end else [alive(A), alive(A)])),
    )
    assert found(before, after) == [(Severity.VALUE, 0, None), (Severity.ERROR_APPEARED, 1, 2)]
    assert found(after, before) == [(Severity.VALUE, 0, None), (Severity.ERROR_VANISHED, 1, 2)]


# --- any runs ------------------------------------------------------------------------------------

WORDS = st.sampled_from(["", "no", "no\nno", "1", "np.float64(1)", "T: no"])
ERRORS = st.builds(
    Raised,
    st.sampled_from(["T", "V"]),
    st.sampled_from(["no", "no\nyes"]),
    printed=st.sampled_from(["", "no"]),
)
OBSERVATIONS = st.builds(
    did,
    WORDS,
    stderr=st.sampled_from(["", "x", "y"]),
    warnings=st.lists(st.builds(Warned, st.sampled_from(["U", "F"]), WORDS), max_size=2).map(tuple),
    caught=st.lists(ERRORS, max_size=2).map(tuple),
    raised=st.none() | st.none() | ERRORS,
)


@st.composite
def snapshots(draw: st.DrawFn) -> Snapshot:
    """Up to three values in the order in which the example defines them, some of which share."""
    names = [name for name in "abc" if draw(st.booleans())]
    values = [replace(value(name), dtype=draw(st.sampled_from(["float32", "int8"]))) for name in names]
    groups = [(one, other) for one in names for other in names if one < other and draw(st.booleans())]
    return alive(*values, shares=tuple(groups))


@st.composite
def runs(draw: st.DrawFn) -> Run:
    """A run of the example that came to any end, as the probe may write it."""
    reached = [draw(OBSERVATIONS) for _ in range(draw(st.integers(1, len(CODES))))]
    raised = next((index for index, o in enumerate(reached) if o.raised), None)
    if raised is not None:
        reached = reached[: raised + 1]
    abrupt = draw(st.sampled_from([Status.CRASHED, Status.EXITED, Status.TIMED_OUT]))
    whole = Status.COMPLETED if len(reached) == len(CODES) and draw(st.booleans()) else abrupt
    status = whole if raised is None else Status.RAISED
    done = [draw(snapshots()) for index in range(len(SIZES)) if sum(SIZES[: index + 1]) < len(reached)]
    done += [draw(snapshots())] if status is Status.COMPLETED else []
    return run(*reached, status=status, reason=draw(st.sampled_from(["", "why"])), alive=tuple(done))


@given(runs())
def test_run_differs_in_nothing_from_itself(any_run: Run) -> None:
    """Whatever it did."""
    assert find_changes(any_run, replace(any_run), EXAMPLE) == ()


@given(runs(), runs())
def test_changes_of_any_two_runs(before: Run, after: Run) -> None:
    """In order of place, each with a difference or a fact; told backwards, what appeared has vanished."""
    forth, back = find_changes(before, after, EXAMPLE), find_changes(after, before, EXAMPLE)
    assert [(c.block, c.statement, c.before, c.after, len(c.facts)) for c in forth] == [
        (c.block, c.statement, c.after, c.before, len(c.facts)) for c in back
    ]
    assert [c.severity for c in forth] == [MIRROR[c.severity] for c in back]
    for change in forth:
        assert change.before != change.after or change.facts
        assert (change.statement is None) == (change.code == "")
    places = [(change.block, change.statement is None, change.statement or 0) for change in forth]
    assert places == sorted(places)


def test_only_wording_leaves_programs_alone() -> None:
    """Everything else is behaviour; ranks begin with the gravest."""
    assert [severity for severity in Severity if not severity.is_behaviour] == [Severity.WORDING]
    assert [severity.rank for severity in Severity] == list(range(len(Severity)))
    assert Severity.ERROR_APPEARED.rank == 0
