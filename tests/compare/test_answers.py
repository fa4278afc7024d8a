"""Answers read off the evidence."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import CPU, GPU, OLDER, captured, example, observed, ran

from tensor_atlas.compare.answers import Answer, find_other_answers, read_answer
from tensor_atlas.compare.evidence import Evidence, add_support, assess_capture, evidence_from_records
from tensor_atlas.errors import AtlasError
from tensor_atlas.history.releases import name_environment
from tensor_atlas.model.runs import (
    Buffer,
    Environment,
    Observation,
    Raised,
    Run,
    Snapshot,
    Status,
    Value,
    Warned,
)
from tensor_atlas.records.store import Store, add_capture

WHERE = "docs/decisions.toml:3"
EXAMPLE = example(
    "array = f()\ntensor = g(array)\n\n# %%\n\ncopied = tensor.clone()\n\n# %%\n\n"
    "try:\n    tensor.numpy()\nexcept RuntimeError as error:\n    print(error)\nwarn()\nraising()\n"
)


def value(name: str, buffer: int | None = 0) -> Value:
    """A tensor of four bytes."""
    span = (None, None) if buffer is None else (0, 4)
    return Value(name, "Tensor", "torch.float32", (1,), (4,), "cpu", None, False, buffer, *span)  # noqa: FBT003


def evidence(*snapshots: Snapshot, ran: bool = True, status: Status = Status.RAISED) -> Evidence:
    """Evidence in which the example caught, warned and failed, and left these snapshots."""
    codes = [statement.code for statement in EXAMPLE.statements]
    run = observed(
        EXAMPLE,
        Observation(codes[0]),
        Observation(codes[1]),
        Observation(codes[2]),
        Observation(codes[3], stdout="no", caught=(Raised("RuntimeError", "no"),)),
        Observation(codes[4], warnings=(Warned("UserWarning", "careful"),)),
        Observation(codes[5], raised=Raised("TypeError", "stop")),
        status=status,
        reason="TypeError",
    )
    run = replace(run, snapshots=snapshots)
    if not ran:
        run = Run(EXAMPLE.name, EXAMPLE.digest, Status.NOT_RUN, "needs 1 CUDA device, found 0")
    return assess_capture({EXAMPLE.name: EXAMPLE}, captured(run), Store(), ())


ALIVE = Snapshot(
    (value("array"), value("tensor"), value("other", 1)), (Buffer("cpu", 4),) * 2, (("array", "tensor"),)
)


@pytest.mark.parametrize(
    ("names", "answer"),
    [("array, tensor", Answer.SHARES), ("tensor,array", Answer.SHARES), ("array, other", Answer.COPIES)],
)
def test_sharing_is_read_off_the_snapshot(names: str, answer: Answer) -> None:
    """Two names of one group share, two others do not."""
    reading = read_answer(evidence(ALIVE), f"01_x/a: {names}", WHERE)
    assert (reading.answer, reading.words, reading.block_index) == (answer, str(answer), 0)


def test_last_block_with_both_alive_counts() -> None:
    """What happened after is the answer: a later block may part two names."""
    parted = replace(ALIVE, shares=())
    alone = Snapshot((value("array"),), (Buffer("cpu", 4),))
    reading = read_answer(evidence(ALIVE, parted, alone), "01_x/a: array, tensor", WHERE)
    assert (reading.answer, reading.block_index) == (Answer.COPIES, 1)


def test_block_of_a_statement_can_be_asked_for() -> None:
    """The proof is then where the call stands, whatever comes later."""
    parted = replace(ALIVE, shares=())
    found = evidence(ALIVE, parted)
    reading = read_answer(found, "01_x/a: array, tensor after `g(array)`", WHERE)
    assert (reading.answer, reading.block_index) == (Answer.SHARES, 0)
    reading = read_answer(found, "01_x/a: array, tensor after `tensor.clone()`", WHERE)
    assert (reading.answer, reading.block_index) == (Answer.COPIES, 1)


def test_names_without_memory_are_not_alive() -> None:
    """A meta tensor shares nothing with anything."""
    completed = evidence(Snapshot((value("array"), value("meta", None))), status=Status.COMPLETED)
    with pytest.raises(AtlasError, match="never has array and meta alive together"):
        read_answer(completed, "01_x/a: array, meta", WHERE)


def test_run_that_ended_early_is_the_answer() -> None:
    """What an example never came to is neither a typing error nor a missing record."""
    assert read_answer(evidence(), "01_x/a: array, tensor", WHERE).answer is Answer.ENDED


def test_three_names_share_when_every_two_do() -> None:
    """Also where a fourth makes the group no group, so that it comes as pairs."""
    values = tuple(map(value, ("a", "b", "c", "d")))
    pairs = (("a", "b"), ("a", "c"), ("b", "c"), ("c", "d"))
    found = evidence(Snapshot(values, (Buffer("cpu", 4),), pairs))
    assert read_answer(found, "01_x/a: a, b, c", WHERE).answer is Answer.SHARES
    assert read_answer(found, "01_x/a: a, b, d", WHERE).answer is Answer.COPIES


@pytest.mark.parametrize(
    ("code", "words", "block"),
    [
        ("tensor.numpy()", "raises RuntimeError", 2),
        ("warn()", "warns UserWarning", 2),
        ("raising()", "raises TypeError", 2),
        ("g(array)", "works", 0),
    ],
)
def test_outcome_is_read_off_the_statement(code: str, words: str, block: int) -> None:
    """An error caught or not, a warning, or neither; of the first statement that holds the code."""
    reading = read_answer(evidence(ALIVE), f"01_x/a: `{code}`", WHERE)
    assert (reading.words, reading.block_index) == (words, block)


def test_example_that_did_not_run_has_no_answer() -> None:
    """Nothing is invented."""
    found = evidence(ran=False)
    assert read_answer(found, "01_x/a: array, tensor", WHERE).words == "not yet recorded"
    assert read_answer(found, "01_x/a: `warn()`", WHERE).answer is Answer.UNKNOWN


def test_shipped_message_is_no_outcome() -> None:
    """The answer stays unknown and names the rung; environments that ran nothing are no other answer."""
    claimed = example("try:\n    f()\nexcept TypeError as error:\n    print(error)\n# => it cannot be done\n")
    wheel = {"torch-2.13.0-cp311-cp311-linux_x86_64": {"it cannot be done": "torch/lib/a.so"}}
    store = Store({CPU.id: CPU}, shipped=wheel)
    found = add_support(evidence_from_records({claimed.name: claimed}, store), ())
    reading = read_answer(found, "01_x/a: `f()`", WHERE)
    assert (reading.answer, reading.words) == (Answer.UNKNOWN, "not yet recorded (shipped)")
    assert find_other_answers(found, "01_x/a: `f()`", WHERE) == ()


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("01_x/a", "no question"),
        ("01_x/a:  ", "no question"),
        ("01_x/a: ``", "no question"),
        ("01_x/a: array", "no question"),
        ("01_x/a: array, array", "no question"),
        ("01_x/b: a, b", "no example 01_x/b"),
        ("01_x/b: `f()`", "no example 01_x/b"),
        ("01_x/a: array, nothing", "never has array and nothing alive together"),
        ("01_x/a: `h()`", "no statement of 01_x/a contains 'h()'"),
        ("01_x/a: array, tensor after `h()`", "no statement of 01_x/a contains 'h()'"),
        ("01_x/a: array, nothing after `g(array)`", "never has array and nothing alive together"),
    ],
)
def test_question_without_an_answer_is_refused(question: str, words: str) -> None:
    """A typing error in a table ends the build, with the table's place."""
    with pytest.raises(AtlasError) as caught:
        read_answer(evidence(ALIVE, status=Status.COMPLETED), question, WHERE)
    assert str(caught.value).startswith(f"{WHERE}  ")
    assert words in str(caught.value)


# --- in other environments -----------------------------------------------------------------------

PLAIN = example("array = f()\ntensor = g(array)\nprint(tensor)\n")
APART = replace(ALIVE, shares=())


def did(*snapshots: Snapshot, printed: str = "1", status: Status = Status.COMPLETED) -> Run:
    """Run that printed this and left these snapshots; one that did not come to its end reached one
    statement.
    """
    run = ran(PLAIN, "", "", printed) if status is Status.COMPLETED else ran(PLAIN, "", status=status)
    return replace(run, snapshots=snapshots)


def otherwise(
    question: str, *recorded: tuple[Environment, Run], here: Run | None = None
) -> list[tuple[str, list[str]]]:
    """Every other answer in words, with the names of the environments that give it."""
    store = Store()
    for environment, run in recorded:
        store = add_capture(store, captured(run, environment=environment))
    found = assess_capture({PLAIN.name: PLAIN}, captured(here or did(ALIVE)), store, ())
    answers = find_other_answers(found, question, WHERE)
    return [(answer.reading.words, list(map(name_environment, answer.environments))) for answer in answers]


def other(torch: str) -> Environment:
    """Another release."""
    return replace(CPU, torch=torch)


def test_other_answers_come_with_who_gives_them() -> None:
    """Each once, the oldest release first; who answers alike is not among them."""
    assert otherwise(
        "01_x/a: array, tensor",
        (other("2.9.1"), did(APART)),
        (other("2.3.1"), did(APART)),
        (other("2.7.1"), did(ALIVE)),
    ) == [("copies", ["2.3.1/2.4.6/cpu", "2.9.1/2.4.6/cpu"])]
    assert otherwise("01_x/a: array, tensor", (other("2.7.1"), did(ALIVE))) == []


def test_other_answers_are_those_beside_the_newest() -> None:
    """A build with an older release than the newest record is one of the others."""
    asked = "01_x/a: array, tensor"
    assert otherwise(asked, (other("2.15.0"), did(APART))) == [("shares memory", ["2.13.0/2.4.6/cpu"])]


def test_detail_is_part_of_the_answer() -> None:
    """Another line printed is another answer, though both print."""
    asked = "01_x/a: `print(tensor)`"
    assert otherwise(asked, (OLDER, did(printed="2"))) == [("prints 2", ["2.2.2/1.26.4/cpu"])]


def test_environment_that_came_less_far_ended_early() -> None:
    """Whether the run stopped or an error kept a name from coming to life; it is never said to copy."""
    asked = "01_x/a: array, tensor"
    stopped, without = did(status=Status.CRASHED), did(replace(ALIVE, values=ALIVE.values[:1], shares=()))
    assert otherwise(asked, (other("2.9.1"), without), (OLDER, stopped)) == [
        ("ended early", ["2.2.2/1.26.4/cpu", "2.9.1/2.4.6/cpu"])
    ]
    assert otherwise("01_x/a: `print(tensor)`", (OLDER, stopped)) == [("ended early", ["2.2.2/1.26.4/cpu"])]


def test_environment_without_a_run_gives_no_answer() -> None:
    """Neither its neighbour's nor its own of older code; what lacks a device or a library says that."""
    absent = Run(PLAIN.name, PLAIN.digest, Status.NOT_RUN, "needs cupy")
    stale = replace(did(APART), digest="older")
    stranger = Run("09_z/gone", "0", Status.COMPLETED)
    assert otherwise(
        "01_x/a: array, tensor",
        (OLDER, stale),
        (other("2.9.1"), stranger),
        (other("2.8.0"), absent),
        (GPU, did(ALIVE)),
    ) == [
        ("not yet recorded", ["2.2.2/1.26.4/cpu", "2.9.1/2.4.6/cpu"]),
        ("not run there", ["2.8.0/2.4.6/cpu"]),
    ]


def test_nothing_is_known_elsewhere_of_what_nobody_ran() -> None:
    """Only that some lack what it needs; this build is one of them, recorded or not."""
    absent = Run(PLAIN.name, PLAIN.digest, Status.NOT_RUN, "needs cupy")
    asked = "01_x/a: array, tensor"
    assert otherwise(asked, here=absent) == [("not run there", ["2.13.0/2.4.6/cpu"])]
    assert otherwise(asked, (OLDER, replace(did(ALIVE), digest="older")), here=absent) == [
        ("not run there", ["2.13.0/2.4.6/cpu"])
    ]


def test_question_without_an_answer_is_refused_elsewhere_too() -> None:
    """Only where the page's own run can answer does an environment that cannot say that it ended early."""
    with pytest.raises(AtlasError, match="never has array and nothing alive together"):
        otherwise("01_x/a: array, nothing", (OLDER, did(ALIVE)))
