"""Recorded differences that nothing explains, as entries that lack only a reason."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from samples import CPU, GPU, HEAD, OLDER, captured, deviation, example, observed, ran

from tensor_atlas.compare.deviations import Deviation, check_targets, parse_deviations
from tensor_atlas.compare.drafts import draft_deviations, update_claims
from tensor_atlas.compare.judge import judge_records
from tensor_atlas.compare.verdicts import Verdict, claim_holds
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.parse import Claim, Example, parse_example
from tensor_atlas.history.conditions import condition_holds, find_conditions
from tensor_atlas.history.releases import newest_environment
from tensor_atlas.model.runs import (
    AFTER,
    Environment,
    Observation,
    Raised,
    Run,
    Status,
    Warned,
    output_lines,
)
from tensor_atlas.probe.output import normalise_output
from tensor_atlas.records.store import Store, add_capture

PATH = "docs/deviations.toml"
TWO = example("print(1)\n# => 1\nprint(2)\n# => 2\n")
HOLDING = ran(TWO, "1", "2")
TWICE = example("print(x)\n# => 1\nprint(x)\n# => 2\n")


def raised(what: Example, *stdout: str, type_: str = "TypeError", message: str = "no") -> Run:
    """Run of ``what`` in which the statement behind those that printed raised."""
    last = Observation(what.statements[len(stdout)].code, raised=Raised(type_, message))
    return observed(what, *ran(what, *stdout).observations, last, status=Status.RAISED, reason=type_)


def drafted(what: Example, *runs: tuple[Environment, Run], entries: Sequence[Deviation] = ()) -> str:
    """Draft for the runs of one example."""
    return draft_deviations({what.name: what}, runs, entries)


def releases(count: int) -> list[Environment]:
    """As many environments, one for each release from torch 2.1 on."""
    return [replace(CPU, torch=f"2.{minor}.0+cpu") for minor in range(1, count + 1)]


def filled(draft: str) -> tuple[Deviation, ...]:
    """Deviations of a draft in which somebody has written the reasons."""
    return parse_deviations(draft.replace('reason = ""', 'reason = "Because."'), PATH)


def drift(examples: Sequence[Example], store: Store, entries: Sequence[Deviation]) -> list[Verdict]:
    """What ``drift --all`` finds."""
    known = {example.name: example for example in examples}
    check_targets(entries, known)
    return [verdict for verdict in judge_records(known, store, entries) if verdict.is_drift]


def test_draft_ends_where_the_script_does() -> None:
    """The entry about the end explains what is behind it."""
    run = raised(TWO)
    goes_on = replace(run, observations=(*run.observations, Observation("print(2)", stdout="other")))
    assert drafted(TWO, (OLDER, goes_on), (CPU, HOLDING)) == drafted(TWO, (OLDER, run), (CPU, HOLDING))


def test_draft_is_what_a_person_completes() -> None:
    """Example, statement, environments, how the run ends where it does, and an empty reason, in order of
    statement.
    """
    middle = replace(CPU, torch="2.6.0+cpu")
    runs = ((CPU, HOLDING), (middle, ran(TWO, "one", "2")), (OLDER, raised(TWO, "1", message='"no"')))
    draft = drafted(TWO, *runs)
    with pytest.raises(AtlasError, match="no reason"):
        parse_deviations(draft, PATH)
    assert draft == (
        "[[deviation]]\n"
        'example = "01_x/a"\n'
        'statement = "print(1)"\n'
        'environments = ["torch >= 2.6, < 2.7"]\n'
        'reason = ""\n'
        "\n"
        "[[deviation]]\n"
        'example = "01_x/a"\n'
        'statement = "print(2)"\n'
        'environments = ["torch < 2.3"]\n'
        'ends = "TypeError: \\"no\\""\n'
        'reason = ""\n'
    )


@pytest.mark.parametrize(
    "run",
    [
        HOLDING,
        replace(ran(TWO, "one", "2"), digest="older"),
        Run(TWO.name, TWO.digest, Status.NOT_RUN, "needs pandas, which is not installed"),
        replace(ran(TWO, "one", "2"), example="09_z/gone"),
    ],
)
def test_nothing_to_explain_is_no_entry(run: Run) -> None:
    """Claims that hold, older code, runs that did not happen, examples that are gone."""
    assert drafted(TWO, (CPU, HOLDING), (OLDER, run)) == ""


def test_what_is_explained_is_not_drafted_again() -> None:
    """Only the statements and environments that are left; those explained already need not be excluded."""
    one, two = ran(TWO, "one", "2"), ran(TWO, "1", "two")
    oldest = replace(OLDER, torch="1.13.1+cpu")
    known = deviation("01_x/a: print(1)", "torch < 2")
    assert drafted(TWO, (CPU, HOLDING), (oldest, one), entries=[known]) == ""
    (entry,) = filled(drafted(TWO, (CPU, HOLDING), (oldest, one), (OLDER, one), entries=[known]))
    assert entry.covers("01_x/a", "print(1)", OLDER)
    (entry,) = filled(drafted(TWO, (CPU, HOLDING), (oldest, two), entries=[known]))
    assert entry.covers("01_x/a", "print(2)", oldest)


def test_entry_that_pins_other_lines_or_another_end_explains_nothing() -> None:
    """Its output or its end must be what was recorded."""
    pinned = deviation("01_x/a: print(1)", "torch < 2.3", output=("uno",))
    ends = deviation("01_x/a: print(1)", "torch < 2.3", ends="AttributeError")
    for entry in (pinned, ends):
        assert len(filled(drafted(TWO, (CPU, HOLDING), (OLDER, ran(TWO, "one", "2")), entries=[entry]))) == 1
        assert len(filled(drafted(TWO, (CPU, HOLDING), (OLDER, raised(TWO)), entries=[entry]))) == 1
    assert drafted(TWO, (CPU, HOLDING), (OLDER, ran(TWO, "uno", "2")), entries=[pinned]) == ""
    assert drafted(TWO, (CPU, HOLDING), (OLDER, raised(TWO, type_="AttributeError")), entries=[ends]) == ""


def test_each_way_to_end_has_its_entry() -> None:
    """Two errors at one statement, and other output there, are three facts; two outputs are one."""
    runs = [raised(TWO), raised(TWO, type_="KeyError"), ran(TWO, "one", "2"), ran(TWO, "uno", "2"), HOLDING]
    assert [
        (e.ends, e.environments) for e in filled(drafted(TWO, *zip(releases(len(runs)), runs, strict=True)))
    ] == [
        ("TypeError: no", ("torch < 2.2",)),
        ("KeyError: no", ("torch >= 2.2, < 2.3",)),
        (None, ("torch >= 2.3, < 2.5",)),
    ]


def test_environment_that_never_came_there_is_not_excluded() -> None:
    """What an earlier end hid may lie in a range."""
    runs = [ran(TWO, "1", "two"), raised(TWO), ran(TWO, "1", "two"), HOLDING]
    assert [
        (e.ends, e.environments) for e in filled(drafted(TWO, *zip(releases(len(runs)), runs, strict=True)))
    ] == [
        ("TypeError: no", ("torch >= 2.2, < 2.3",)),
        (None, ("torch < 2.4",)),
    ]


# --- statements ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "index", "line"),
    [
        ("for x in (1, 2):\n    print(x)\n", 0, "for x in (1, 2):"),
        ("if True:\n    print(1)\nif True:\n    print(2)\n", 1, "print(2)"),
        ("try:\n    print(1)\nfinally:\n    x = 1\nprint(1)\nif 1:\n    x = 1\n", 0, "try:"),
        ("if 1:\n    x = 1\nif 1:\n    y = 1\nif 2:\n    x = 1\n    print(3)\n", 0, "if 1:\n    x = 1"),
        ("print(1)\nprint(1)\n", 1, "print(1)"),
    ],
)
def test_statement_is_named_by_a_line_of_its_own(code: str, index: int, line: str) -> None:
    """The first that no other statement has, unless of the same text; the whole where there is none."""
    what = example(code)
    texts = ["x" if number == index else "" for number, _ in enumerate(what.statements)]
    (entry,) = filled(drafted(what, (CPU, ran(what, *texts))))
    assert entry.targets[0].statement == line
    assert entry.targets[0].names(what.name, what.statements[index].code)
    check_targets([entry], {what.name: what})


def test_statements_of_one_text_have_one_entry() -> None:
    """An environment that differs at one of them is in, and no other is excluded."""
    runs = [ran(TWICE, "one", "2"), ran(TWICE, "1", "two"), ran(TWICE, "1", "2")]
    (entry,) = filled(drafted(TWICE, *zip(releases(3), runs, strict=True)))
    assert entry.environments == ("torch < 2.3",)


def test_end_at_the_second_of_two_equal_statements_leaves_others_out() -> None:
    """A run that ended otherwise at the first has come there: the entry must not speak of it."""
    runs = [raised(TWICE, type_="KeyError"), raised(TWICE, "1"), ran(TWICE, "1", "2")]
    store = _store(TWICE, *zip(releases(3), runs, strict=True))
    entries = filled(draft_deviations({TWICE.name: TWICE}, store.all_runs(), ()))
    assert [(e.ends, e.environments) for e in entries] == [
        ("KeyError: no", ("torch < 2.2",)),
        ("TypeError: no", ("torch >= 2.2, < 2.3",)),
    ]
    assert drift([TWICE], store, entries) == []


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"])), st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_survives_as_toml(type_: str, message: str) -> None:
    """Quotes, backslashes, line ends and control characters of a message come back as they were."""
    draft = drafted(TWO, (CPU, HOLDING), (OLDER, raised(TWO, type_=type_, message=message)))
    (entry,) = tomllib.loads(draft)["deviation"]
    assert entry["ends"] == f"{type_}: {message}"


# --- conditions ----------------------------------------------------------------------------------


def place(torch: str, numpy: str, kind: str, python: str = "3.11") -> Environment:
    """Environment of a release, on a GPU (``cuda``), on a CPU with a build for GPUs (``build``), or
    without.
    """
    if kind in ("cpu", "mps"):
        return replace(CPU, torch=f"{torch}+cpu", numpy=numpy, device=kind, python=f"{python}.7")
    on_gpu = replace(GPU, torch=f"{torch}+cu130", numpy=numpy, python=f"{python}.7")
    return on_gpu if kind == "cuda" else replace(on_gpu, device="cpu", device_count=0)


GRID = [
    place(torch, numpy, kind, python)
    for torch, numpy, kind, python in product(
        ("1.13.1", "2.0.1", "2.2.2", "2.10.0"),
        ("1.26.4", "2.0.2", "2.4.6"),
        ("cpu", "build", "cuda", "mps"),
        ("3.9", "3.11", "3.14"),
    )
]
"""Environments that differ in what a condition may name."""

PARTED = st.lists(
    st.tuples(st.sampled_from(GRID), st.booleans()), min_size=1, unique_by=lambda pair: pair[0].id
)


@settings(deadline=None, max_examples=80)
@given(PARTED)
def test_conditions_hold_there_and_nowhere_else(parted: list[tuple[Environment, bool]]) -> None:
    """Whatever environments differ: each is spoken of, none of the others is, and no condition is in vain."""
    there = [environment for environment, differs in parted if differs]
    others = [environment for environment, differs in parted if not differs]
    found = find_conditions(there, others)
    for environment in there:
        assert any(condition_holds(condition, environment) for condition in found)
    for condition in found:
        assert any(condition_holds(condition, environment) for environment in there)
        assert not any(condition_holds(condition, environment) for environment in others)
    assert len(found) == len(set(found))


@settings(deadline=None, max_examples=40)
@given(
    st.sets(st.sampled_from(GRID), min_size=1),
    st.sampled_from(["1.13", "2.0", "2.2"]),
    st.sampled_from(["2.0", "2.2", "2.10", "3"]),
)
def test_a_range_of_releases_is_one_condition(environments: set[Environment], low: str, high: str) -> None:
    """However many environments lie in it."""
    there = [e for e in environments if condition_holds(f"torch >= {low}, < {high}", e)]
    others = [e for e in environments if e not in there]
    assume(there and others)
    assert len(find_conditions(there, others)) == 1


@pytest.mark.parametrize(
    ("there", "others", "expected"),
    [
        (["2.2.2 1.26.4 cpu"], ["2.10.0 2.4.6 cpu"], ["torch < 2.3"]),
        (["2.10.0 2.4.6 cpu"], ["2.2.2 1.26.4 cpu"], ["torch >= 2.10"]),
        (["2.10.0 1.26.4 cpu"], ["2.10.0 2.0.2 cpu", "2.10.0 2.4.6 cpu"], ["numpy < 2"]),
        (["2.10.0 2.0.2 cpu", "2.10.0 2.4.6 cpu"], ["2.10.0 1.26.4 cpu"], ["numpy >= 2"]),
        (["2.10.0 2.0.2 cpu"], ["2.10.0 1.26.4 cpu", "2.10.0 2.4.6 cpu"], ["numpy >= 2, < 2.1"]),
        (["2.10.0 2.0.2 cpu"], ["2.10.0 2.1.3 cpu", "2.10.0 2.4.6 cpu"], ["numpy < 2.1"]),
        (["2.10.0 2.4.6 cuda"], ["2.10.0 2.4.6 cpu", "2.10.0 2.4.6 build"], ["cuda"]),
        (["2.10.0 2.4.6 mps"], ["2.10.0 2.4.6 cpu"], ["mps"]),
        (["2.10.0 2.4.6 build", "2.10.0 2.4.6 cuda"], ["2.10.0 2.4.6 cpu"], ["cuda build"]),
        (["2.10.0 2.4.6 build"], ["2.10.0 2.4.6 cpu", "2.10.0 2.4.6 cuda"], ["cuda build and cpu"]),
        (
            ["2.2.2 2.4.6 cpu"],
            ["2.2.2 1.26.4 cpu", "2.10.0 2.4.6 cpu", "2.10.0 2.0.2 cpu"],
            ["torch < 2.3 and numpy >= 2"],
        ),
        (["2.2.2 2.4.6 cpu"], ["2.0.1 2.4.6 build", "2.10.0 2.4.6 mps"], ["torch >= 2.2, < 2.3"]),
        (["2.10.0 2.4.6 cpu 3.14"], ["2.10.0 2.4.6 cpu"], ["python >= 3.14"]),
        (["2.10.0 2.4.6 cpu 3.9", "2.10.0 2.4.6 cpu"], ["2.10.0 2.4.6 cpu 3.14"], ["python < 3.12"]),
        (["2.10.0 2.4.6 cpu 3.14"], ["2.10.0 2.0.2 cpu"], ["numpy >= 2.4"]),
        (
            ["2.10.0 2.4.6 cpu 3.14"],
            ["2.10.0 2.4.6 cpu", "2.10.0 2.0.2 cpu 3.14"],
            ["numpy >= 2.4 and python >= 3.14"],
        ),
        (["1.13.1 1.26.4 cpu", "2.2.2 1.26.4 cpu"], ["2.0.1 1.26.4 cpu"], ["torch < 2.0", "torch >= 2.2"]),
    ],
)
def test_conditions_are_those_a_person_would_write(
    there: list[str], others: list[str], expected: list[str]
) -> None:
    """torch before NumPy before Python, few parts, ranges from one recorded release to another."""
    assert (
        find_conditions([place(*text.split()) for text in there], [place(*text.split()) for text in others])
        == expected
    )


def test_environments_that_conditions_cannot_tell_apart_are_named_by_release() -> None:
    """Patch releases of one minor release: a person decides; the gate calls the entry too wide until then."""
    patched = replace(CPU, torch="2.13.1+cpu")
    other = replace(patched, python=f"{CPU.python}1")
    assert find_conditions([patched, other], [CPU]) == ["torch == 2.13.*"]


# --- the whole -----------------------------------------------------------------------------------

LONG = example(
    """print(1)
# => 1
value = 1

# %%

print(value)
# => 1
for x in (1, 2):
    print(x)
# => 1
# => 2
for x in (1, 2):
    pass

# %%

print(value)
# => 1
if value:
    print(x)
# => 2
""",
    "examples/01_x/long.py",
)
OTHER = example("print(3)\n# => 3\nprint(4)\n# => 4\n", "examples/02_y/b.py")
ENDINGS = [
    (Status.RAISED, "TypeError", Raised("TypeError", "no")),
    (Status.RAISED, "TypeError", Raised("TypeError", "no\n'never'")),
    (Status.CRASHED, "SIGSEGV", None),
    (Status.EXITED, "sys.exit(0)", None),
]


def _claimed(what: Example) -> list[str]:
    return ["\n".join(statement.claim.lines) if statement.claim else "" for statement in what.statements]


@st.composite
def some_run(draw: st.DrawFn, what: Example) -> Run:
    """Run of ``what`` that may print something else anywhere, and end anywhere."""
    texts = [draw(st.sampled_from([text, text, "else", "otherwise"])) for text in _claimed(what)]
    run = ran(what, *texts)
    if draw(st.booleans()):
        return run
    status, reason, error = draw(st.sampled_from(ENDINGS))
    reached = run.observations[: draw(st.integers(1, len(texts)))]
    last = replace(reached[-1], raised=error)
    return replace(run, status=status, reason=reason, observations=(*reached[:-1], last))


def _store(what: Example, *runs: tuple[Environment, Run]) -> Store:
    store = Store()
    for environment, run in runs:
        assert run.example == what.name
        store = add_capture(store, captured(run, environment=environment))
    return store


@st.composite
def records(draw: st.DrawFn) -> Store:
    """Records of both examples in some environments, of which the newest does what is claimed."""
    places = draw(st.lists(st.sampled_from(GRID), min_size=1, max_size=8, unique_by=lambda e: e.id))
    last = newest_environment(places)
    store = Store()
    for environment in places:
        holding = [ran(what, *_claimed(what)) for what in (LONG, OTHER)]
        runs = holding if environment is last else [draw(some_run(LONG)), draw(some_run(OTHER))]
        store = add_capture(store, captured(*runs, environment=environment))
    return store


@settings(deadline=None, max_examples=60)
@given(records())
def test_filled_draft_explains_everything_and_nothing_more(store: Store) -> None:
    """Every entry is accepted, none unused or too wide; without any one of them something differs again."""
    known = {LONG.name: LONG, OTHER.name: OTHER}
    entries = filled(draft_deviations(known, store.all_runs(), ()))
    assert drift([LONG, OTHER], store, entries) == []
    assert draft_deviations(known, store.all_runs(), entries) == ""
    for index in range(len(entries)):
        assert drift([LONG, OTHER], store, [*entries[:index], *entries[index + 1 :]])


@pytest.mark.parametrize(
    ("observation", "lines"),
    [
        (Observation("value = 1"), ()),
        (
            Observation(
                code="f()",
                stdout="one\n\ntwo",
                stderr="low\n\nlower",
                warnings=(Warned("UserWarning", "of two\n  lines"), Warned("UserWarning", "")),
            ),
            (
                *("one", "", "two"),
                *("UserWarning: of two lines", "UserWarning:"),
                *("stderr: low", "stderr:", "stderr: lower"),
            ),
        ),
        (Observation("f()", stdout="a\u202eb\u2066c\u200fd\u061c"), (r"a\u202eb\u2066c\u200fd\u061c",)),
        (Observation("f()", stdout="a\x85b\u2028c\u2029d\x0ce"), (r"a\x85b\u2028c\u2029d\x0ce",)),
        (
            Observation("f()", stdout="50%\r100%\x1b[0m\x00\tend\x7f"),
            ("50%\\x0d100%\\x1b[0m\\x00\tend\\x7f",),
        ),
    ],
)
def test_claim_is_stdout_then_warnings_then_stderr(observation: Observation, lines: tuple[str, ...]) -> None:
    """A warning is one line, without a trailing blank; what no script's line can hold is spelled out."""
    assert output_lines(observation) == lines


@pytest.mark.parametrize(
    ("claimed", "lines", "expected"),
    [
        (("one",), ("one",), True),
        (("one",), ("One",), False),
        (("one",), ("one ",), False),
        (("one",), ("one", "two"), False),
        (("one", "two"), ("one",), False),
        (("one", "two"), ("two", "one"), False),
        ((), (), True),
        ((), ("one",), False),
        (("one",), (), False),
        (("one ...",), ("one and more",), True),
        (("one ...",), ("one ...",), True),
        (("one ...",), ("one",), False),
        (("one ...",), ("onerous",), False),
        (("one...",), ("one and more",), False),
        (("one ... more",), ("one and more",), False),
        (("one ...", "two"), ("one and more", "two"), True),
        (("one ...",), ("one and more", "two"), False),
        ((" ...",), (" ...",), True),
        ((" ...",), (" [0 1]",), False),
        (("   ...",), ("   [0 1]",), False),
        ((" [0 ...",), (" [0 1]",), True),
        ((r"one ..\x2e",), ("one ...",), True),
        ((r"one ..\x2e",), ("one and more",), False),
        ((r"one ..\x2e",), ("one ..",), False),
    ],
)
def test_claim_holds_exactly_but_for_an_open_end(
    claimed: tuple[str, ...],
    lines: tuple[str, ...],
    expected: bool,
) -> None:
    """As many lines, each the same, or begun by the text before `` ...``; without text the dots are NumPy's
    own.
    """
    assert claim_holds(Claim(9, claimed) if claimed else None, lines, "01_x/a") is expected


def test_claims_are_written_under_their_statements() -> None:
    """New ones enter, wrong ones are replaced, superfluous ones go; prose and code stay."""
    before = example(
        """import torch

# %%
# Prose.

print(1)
print(2)
# => 3
# => 4

# %%

print(3)
# => 3
value = 4
# => 4
print(
    5
)
"""
    )
    assert update_claims(before, ran(before, "", "1", "2", "3", "", "5\n\n  five")) == (
        HEAD
        + """import torch

# %%
# Prose.

print(1)
# => 1
print(2)
# => 2

# %%

print(3)
# => 3
value = 4
print(
    5
)
# => 5
# =>
# =>   five
"""
    )


def test_statement_that_did_not_run_or_is_explained_keeps_its_claim() -> None:
    """A deviation is about this machine; the claim is about the newest release."""
    what = example("print(1)\n# => one\nprint(2)\n# => two\n")
    text = update_claims(what, ran(what, "1", status=Status.RAISED, reason="TypeError"))
    assert text == HEAD + "print(1)\n# => 1\nprint(2)\n# => two\n"
    text = update_claims(what, ran(what, "1", "2"), {"print(1)"})
    assert text == HEAD + "print(1)\n# => one\nprint(2)\n# => 2\n"


def test_claim_that_holds_stays_as_written() -> None:
    """An open end is not filled in; next to a line that differs it is."""
    what = example("print(1)\n# => a long ...\nprint(2)\n# => b\n")
    assert update_claims(what, ran(what, "a long line", "b")) == what.source
    assert update_claims(what, ran(what, "another line", "b")).count("...") == 0


def test_written_claim_is_no_weaker_than_what_was_observed() -> None:
    """Output that ends like an open end is claimed by itself; with another end the claim no longer holds."""
    what = example("print(1)\nprint(2)\n# => b\n")
    text = update_claims(what, ran(what, "a ...", "   ..."))
    assert text == HEAD + "print(1)\n# => a ..\\x2e\nprint(2)\n# =>    ...\n"
    again = parse_example(text, what.path)
    assert update_claims(again, ran(again, "a ...", "   ...")) == text
    claim = again.statements[0].claim
    assert claim_holds(claim, ("a ...",), "01_x/a")
    assert not claim_holds(claim, ("a wrong end",), "01_x/a")


def test_text_that_turns_direction_is_written_as_escapes() -> None:
    """A claim in the source reads as it is."""
    what = example("print(1)\n")
    text = update_claims(what, ran(what, "a\u202eb\u2069"))
    assert text == HEAD + "print(1)\n# => a\\u202eb\\u2069\n"


def test_empty_lines_at_the_end_are_claimed() -> None:
    """What ends in empty lines differs from what does not."""
    what = example("print(1)\n")
    text = update_claims(what, ran(what, normalise_output("a\n\n\n", {})))
    assert text == HEAD + "print(1)\n# => a\n# =>\n# =>\n"


@pytest.mark.parametrize("count", [1, 2, 3])
def test_each_blank_line_is_claimed(count: int) -> None:
    """One for a lone newline, and as many as there are."""
    what = example("print(1)\n")
    text = update_claims(what, ran(what, normalise_output("\n" * count, {})))
    assert text == HEAD + "print(1)\n" + "# =>\n" * count


def test_newline_alone_on_standard_error_is_claimed() -> None:
    """Behind the name of the stream."""
    what = example("print(1)\n")
    text = update_claims(what, observed(what, Observation("print(1)", stderr=normalise_output("\n", {}))))
    assert text == HEAD + "print(1)\n# => stderr:\n"


PRINTED = st.text(st.characters(exclude_categories=["Cs"]), max_size=30).map(
    lambda text: normalise_output(text, {})
)


@given(st.lists(PRINTED, min_size=3, max_size=3), st.lists(PRINTED, max_size=2))
def test_written_claims_hold(stdout: list[str], warned: list[str]) -> None:
    """Whatever was printed: a script with the claims that a run gives is read back, and the claims hold."""
    what = example("print(1)\nprint(2)\n# => stale\n\n# %%\n\nprint(3)\n")
    warnings = tuple(Warned("UserWarning", text) for text in warned)
    observations = [
        Observation(statement.code, stdout=text, warnings=warnings)
        for statement, text in zip(what.statements, stdout, strict=True)
    ]
    again = parse_example(update_claims(what, observed(what, *observations)), what.path)
    assert again.digest == what.digest
    for statement, observation in zip(again.statements, observations, strict=True):
        assert claim_holds(statement.claim, output_lines(observation), what.name)
    assert update_claims(again, observed(again, *observations)) == again.source


LATE_BEFORE = "print(1)\n# => 1\n\n# %%\n# Text below.\n"


def test_late_claim_is_written_below_the_last_statement() -> None:
    """Under a line that says so; it is replaced, and removed where nothing comes any more."""
    what = example(LATE_BEFORE)
    seen = replace(ran(what, "1"), late=Observation(AFTER, "one\ntwo"))
    text = update_claims(what, seen)
    assert text == HEAD + LATE_BEFORE.replace("# => 1\n", f"# => 1\n\n{AFTER}\n# => one\n# => two\n")
    again = parse_example(text, what.path)
    assert update_claims(again, seen) == text
    other = update_claims(again, replace(seen, late=Observation(AFTER, "three")))
    assert other == text.replace("# => one\n# => two\n", "# => three\n")
    assert AFTER not in update_claims(again, replace(seen, late=Observation(AFTER)))
    assert update_claims(again, replace(seen, late=Observation(AFTER, "x")), {AFTER}) == text


def test_draft_names_late_output() -> None:
    """An environment that writes something else after the last statement needs an entry."""
    what = example(f"print(1)\n# => 1\n\n{AFTER}\n# => late\n")
    runs = [(CPU, "late"), (OLDER, "other")]
    text = drafted(what, *((e, replace(ran(what, "1"), late=Observation(AFTER, said))) for e, said in runs))
    (entry,) = tomllib.loads(text)["deviation"]
    assert entry["statement"] == AFTER
