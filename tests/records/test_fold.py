"""Runs by environment ⇄ one document that lists each distinct outcome once."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import CPU, GPU, OLDER, example, ran

from tensor_atlas.model.runs import (
    AFTER,
    DEPTH,
    JSON,
    SCHEMA,
    Buffer,
    Observation,
    Raised,
    Run,
    Snapshot,
    Status,
    Value,
    Warned,
)
from tensor_atlas.records.decode import FormError
from tensor_atlas.records.fold import Record, add_run, fold_runs, unfold_runs
from tensor_atlas.records.store import lay_out_json

EXAMPLE = example("import torch\nprint(1)\n# => 1\n\n# %%\n\nprint(2)\n# => 2\n")
NAME = EXAMPLE.name
DAY, LATER = "2026-01-01", "2026-02-01"

# --- arbitrary records ---------------------------------------------------------------------------

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)
COUNTS = st.integers(-3, 2**40)
SIZES = st.tuples(st.integers(-8, 8), st.integers(-8, 8))
ERRORS = st.builds(Raised, NAMES, TEXT, st.lists(TEXT, max_size=2).map(tuple))
ANY = {
    "name": NAMES,
    "kind": TEXT,
    "dtype": TEXT,
    "device": NAMES,
    "shape": SIZES,
    "strides": st.none() | SIZES,
}
FLAGS = {"writable": st.none() | st.booleans(), "requires_grad": st.none() | st.booleans()}
BARE = st.builds(Value, **ANY, **FLAGS, buffer=st.none(), start=st.none(), stop=st.none())
PLACED = st.builds(
    Value, **ANY, **FLAGS, buffer=st.just(0), start=st.integers(0, 8), stop=st.integers(8, 2**40)
)
SNAPSHOTS = st.builds(
    Snapshot,
    values=st.lists(BARE | PLACED, max_size=2).map(tuple),
    buffers=st.lists(st.builds(Buffer, TEXT, COUNTS), min_size=1, max_size=2).map(tuple),
    shares=st.lists(st.lists(NAMES, min_size=1, max_size=3).map(tuple), max_size=2).map(tuple),
)
CODES = {"0a": ("import torch", "print(1)", "print(2)"), "1b": ("x = 1", "print(x)"), "2c": ()}
"""Code of three versions of one example, by digest: a digest tells the code."""


@st.composite
def observations(draw: st.DrawFn, code: str) -> Observation:
    """What a statement may have done."""
    return Observation(
        code=code,
        stdout=draw(TEXT),
        stderr=draw(st.just("") | TEXT),
        warnings=tuple(draw(st.lists(st.builds(Warned, NAMES, TEXT), max_size=1))),
        caught=tuple(draw(st.lists(ERRORS, max_size=1))),
        raised=draw(st.none() | ERRORS),
    )


@st.composite
def runs(draw: st.DrawFn) -> Run:
    """A run of any version that came to any end, at any statement."""
    digest = draw(st.sampled_from(sorted(CODES)))
    status = draw(st.sampled_from(Status))
    least = len(CODES[digest]) if status is Status.COMPLETED else 0
    reached = CODES[digest][: draw(st.integers(least, len(CODES[digest])))]
    blocks = 2 if status is Status.COMPLETED else 0
    return Run(
        example=NAME,
        digest=digest,
        status=status,
        reason=draw(st.just("") | TEXT),
        observations=tuple(draw(observations(code)) for code in reached),
        snapshots=tuple(draw(st.lists(SNAPSHOTS, min_size=blocks, max_size=2))),
    )


@st.composite
def records(draw: st.DrawFn) -> Record:
    """A record of up to six environments, of which some agree."""
    distinct = draw(st.lists(runs(), min_size=1, max_size=4))
    environments = draw(st.lists(st.sampled_from("abcdef"), unique=True, max_size=6))
    return _recorded({environment: draw(st.sampled_from(distinct)) for environment in sorted(environments)})


def _recorded(by_environment: dict[str, Run]) -> Record:
    """A record of these runs, all of one day."""
    return Record(NAME, by_environment, dict.fromkeys(by_environment, DAY))


@given(records())
def test_unfolding_gives_back_what_was_folded(record: Record) -> None:
    """Nothing is lost and nothing filled in, through the very bytes of the file."""
    assert unfold_runs(lay_out_json(fold_runs(record)).encode()) == record


@given(records(), st.randoms(use_true_random=False))
def test_order_of_runs_does_not_change_the_bytes(record: Record, chance: random.Random) -> None:
    """A record's file does not depend on who recorded first."""
    environments = list(record.runs)
    chance.shuffle(environments)
    shuffled = _recorded({environment: record.runs[environment] for environment in environments})
    assert lay_out_json(fold_runs(shuffled)) == lay_out_json(fold_runs(record))


# --- what a person reads -------------------------------------------------------------------------


def outcomes(record: Record, statement: int) -> JSON:
    """What the document of ``record`` says of one statement of its only version."""
    document = json.loads(json.dumps(fold_runs(record)))
    result: JSON = document["versions"][0]["statements"][statement].get("outcomes")
    return result


def test_outcome_that_environments_share_is_listed_once() -> None:
    """One group for all who agree, and one outcome for the groups that agree in it."""
    same, other = ran(EXAMPLE, "", "1", "2"), ran(EXAMPLE, "", "1", "two")
    record = Record(NAME, {"a": same, "b": same, "c": other})
    (version,) = json.loads(json.dumps(fold_runs(record)))["versions"]
    assert [group["environments"] for group in version["groups"]] == [{"a": "", "b": ""}, {"c": ""}]
    assert outcomes(record, 0) is None
    assert outcomes(record, 1) == [{"groups": [0, 1], "stdout": "1"}]
    assert outcomes(record, 2) == [{"groups": [0], "stdout": "2"}, {"groups": [1], "stdout": "two"}]


def test_new_environment_that_agrees_changes_one_line() -> None:
    """A release that changed nothing is one name in the diff."""
    one = Record(NAME, {"a": ran(EXAMPLE, "", "1" * 90, "2" * 90)})
    both = add_run(one, "b", ran(EXAMPLE, "", "1" * 90, "2" * 90), DAY)
    before, after = lay_out_json(fold_runs(one)).split("\n"), lay_out_json(fold_runs(both)).split("\n")
    assert len(before) == len(after)
    assert sum(old != new for old, new in zip(before, after, strict=True)) == 1


def test_statement_not_reached_is_not_silence() -> None:
    """An early end is told by how many statements were reached, not filled in with empty output."""
    stopped = ran(EXAMPLE, "", "1", status=Status.CRASHED, reason="SIGSEGV")
    record = _recorded({"a": stopped, "b": ran(EXAMPLE, "", "1", "")})
    assert unfold_runs(json.dumps(fold_runs(record)).encode()) == record
    assert len(unfold_runs(json.dumps(fold_runs(record)).encode()).runs["a"].observations) == 2


# --- putting a run in ----------------------------------------------------------------------------


def test_newer_run_takes_the_place_of_its_environment_s_older_one() -> None:
    """One run an environment, the others untouched."""
    old, new = ran(EXAMPLE, "", "1", "2"), ran(EXAMPLE, "", "1", "3")
    record = add_run(add_run(None, GPU.id, old, DAY), CPU.id, old, DAY)
    days = {CPU.id: LATER, GPU.id: DAY}
    assert add_run(record, CPU.id, new, LATER) == Record(NAME, {CPU.id: new, GPU.id: old}, days)
    assert record.runs[CPU.id] == old, "the argument stays as it was"


def test_run_keeps_the_day_on_which_it_was_first_seen() -> None:
    """Recording the same again changes nothing, so that a day tells since when something is known."""
    run = ran(EXAMPLE, "", "1", "2")
    record = add_run(None, CPU.id, run, DAY)
    assert add_run(record, CPU.id, run, LATER) == record


def test_run_that_was_looked_at_further_keeps_its_day_where_it_is_the_same() -> None:
    """The record says how far it was looked at, and since when the rest is known."""
    run = ran(EXAMPLE, "", "1", "2")
    record = add_run(None, CPU.id, run, DAY)
    deeper = replace(run, depth=DEPTH)
    assert add_run(record, CPU.id, deeper, LATER) == Record(NAME, {CPU.id: deeper}, {CPU.id: DAY})
    other = replace(deeper, snapshots=(Snapshot(left_out=("rows",)), *run.snapshots[1:]))
    assert add_run(record, CPU.id, other, LATER).dates == {CPU.id: LATER}
    kept = Record(NAME, {CPU.id: other, GPU.id: run}, {CPU.id: LATER, GPU.id: DAY})
    assert unfold_runs(lay_out_json(fold_runs(kept)).encode()) == kept


def test_older_capture_never_displaces_newer_evidence() -> None:
    """A capture that lay about for a while is not what the machine does now."""
    record = add_run(None, CPU.id, ran(EXAMPLE, "", "1", "new"), LATER)
    assert add_run(record, CPU.id, ran(EXAMPLE, "", "1", "old"), DAY) == record


def test_run_that_did_not_happen_never_displaces_one_that_did() -> None:
    """A machine that lost a library or device keeps what it knew of the same code, and only of that."""
    happened = ran(EXAMPLE, "", "1", "2")
    not_run = Run(NAME, EXAMPLE.digest, Status.NOT_RUN, "needs 1 CUDA device, found 0")
    record = Record(NAME, {OLDER.id: happened})
    assert add_run(record, OLDER.id, not_run, DAY) == record
    of_other_code = replace(not_run, digest="other")
    assert add_run(record, OLDER.id, of_other_code, DAY).runs[OLDER.id] == of_other_code
    assert add_run(None, CPU.id, not_run, DAY).runs == {CPU.id: not_run}


# --- bad documents -------------------------------------------------------------------------------


FINE: dict[str, JSON] = {"environments": {"a": DAY}, "status": "completed", "reached": 1, "finished": 0}


def _document(**version: JSON) -> JSON:
    whole: dict[str, JSON] = {
        "digest": "0a",
        "groups": [{"environments": {"a": DAY}, "status": "completed", "reached": 1, "finished": 0}],
        "statements": [{"code": "print(1)", "outcomes": [{"groups": [0], "stdout": "1"}]}],
        "blocks": [],
    }
    return {"schema": SCHEMA, "example": NAME, "versions": [whole | version]}


def test_plain_document_is_read() -> None:
    """The form the other tests spoil."""
    expected = Run(NAME, "0a", Status.COMPLETED, observations=(Observation("print(1)", stdout="1"),))
    assert unfold_runs(json.dumps(_document()).encode()) == _recorded({"a": expected})


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({"schema": SCHEMA + 1}, "update tensor-atlas to read it"),
        ({"schema": SCHEMA}, "Object missing required field `example`"),
        (_document(digest=1), "versions[0].digest: Expected `str`, got `int`"),
        (
            _document(statements=[]),
            "versions[0].groups[0]: reached more statements or blocks than are listed",
        ),
        (
            _document(groups=[{"environments": {"a": DAY}, "status": "fine", "reached": 0, "finished": 0}]),
            "versions[0].groups[0].status: Invalid enum value 'fine'",
        ),
        (
            _document(groups=[{"environments": {"a": DAY}, "status": "completed"}]),
            "versions[0].groups[0]: Object missing required field `reached`",
        ),
        (
            _document(groups=[FINE, FINE]),
            "environment a is listed twice",
        ),
        (
            _document(groups=[FINE | {"reached": 0}]),
            "versions[0].groups[0]: completed, and reached fewer statements or blocks than are listed",
        ),
        *(
            (
                _document(groups=[FINE | {"environments": {"a": day}}]),
                f"versions[0].groups[0].environments.a: {day!r} is no day such as 2026-01-31",
            )
            for day in ("", "yesterday", "zzzz", "2026-W48-2", "20260131", "2026-02-30", "2026-1-1")
        ),
        (
            _document(
                statements=[{"code": "x", "outcomes": [{"groups": [0]}, {"groups": [0], "stdout": "1"}]}]
            ),
            "versions[0].statements[0].outcomes[1].groups: group 0 has an outcome already",
        ),
        (
            _document(statements=[{"code": "x", "outcomes": [{"groups": [1]}]}]),
            "versions[0].statements[0].outcomes[0].groups: there is no group 1",
        ),
        (
            _document(statements=[{"code": "x", "outcomes": [{"groups": ["0"]}]}]),
            "versions[0].statements[0].outcomes[0].groups[0]: Expected `int`, got `str`",
        ),
        (
            _document(statements=[{"outcomes": []}]),
            "versions[0].statements[0]: Object missing required field `code`",
        ),
    ],
)
def test_document_that_is_no_record_is_refused(document: JSON, words: str) -> None:
    """The error names the field."""
    with pytest.raises(FormError) as caught:
        unfold_runs(json.dumps(document).encode())
    assert words in str(caught.value)


def test_late_output_is_kept_where_there_is_some() -> None:
    """Other records have no field for it, and stay the same bytes."""
    silent = ran(EXAMPLE, "", "1", "2")
    spoke = replace(silent, late=Observation(AFTER, "late", warnings=(Warned("UserWarning", "w"),)))
    record = Record(NAME, {CPU.id: spoke, GPU.id: silent}, {CPU.id: DAY, GPU.id: DAY})
    text = lay_out_json(fold_runs(record))
    assert text.count('"late"') == 2  # the field and its text
    assert unfold_runs(text.encode()) == record
    alone = Record(NAME, {GPU.id: silent}, {GPU.id: DAY})
    assert '"late"' not in lay_out_json(fold_runs(alone))
