"""Answers that the chooser combines from several cells: none that it shows is contradicted by a run."""

from __future__ import annotations

from pathlib import Path

import pytest
from chooser_script import ask_chooser, read_preferences, read_unrun, recorded_data
from combined_answers import find_environment, try_answers
from samples import ROOT

from tensor_atlas.catalogue import Form
from tensor_atlas.errors import AtlasError
from tensor_atlas.pages.combinations import (
    UNRUN,
    Unrun,
    encode_combinations,
    parse_combinations,
    read_combinations,
    spell_combinations,
)

SOME = (
    Unrun(Form.ARRAY, "array-reversed", "", ("int16", "float64"), ("torch.tensor(x)", "torch.as_tensor(x)")),
    Unrun(Form.ARRAY, "array-reversed", "", ("object",), ()),
    Unrun(Form.TENSOR, "", "tensor-conjugate", ("torch.complex32",), ("x.numpy()",)),
)


def test_file_holds_what_was_written() -> None:
    """Calls by dtypes, and dtypes of which nothing could be made."""
    assert parse_combinations(spell_combinations(SOME)) == SOME


def test_page_gets_each_call_once() -> None:
    """All else are numbers; a form's own combinations alone."""
    encoded = encode_combinations(SOME, Form.ARRAY)
    assert encoded["calls"] == ["torch.tensor(x)", "torch.as_tensor(x)"]
    rows = encoded["rows"]
    assert isinstance(rows, list)
    assert [row[2] for row in rows if isinstance(row, list)] == [[0, 1], None]
    assert encode_combinations(SOME, Form.SCALAR) == {"calls": [], "rows": []}


def test_no_file_lists_nothing_and_a_broken_one_is_refused(tmp_path: Path) -> None:
    """With the command that writes it."""
    path = tmp_path / UNRUN
    assert read_combinations(path) == ()
    for text in ("[]", "{", '{"array array-nothing -": {}}', '{"array": {}}'):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(AtlasError, match=r"combined_answers\.py --write"):
            read_combinations(path)


def test_wrong_answers_that_readers_found_are_gone(tmp_path: Path) -> None:
    """Each was shown as a copy or an error: float32 is copied there, and three elements are no number."""
    torch = {"torch": "2.13.0"}
    shares = ["shares memory", "dtype kept: torch.float64", "stays on cpu"]
    asked = [
        ({"have": "array-float64,array-transposed"}, "torch.as_tensor(x, dtype=torch.float64)", shares),
        ({"have": "array-float64,array-read-only"}, "torch.DoubleTensor(x)", shares),
        ({"have": "tensor-int64,tensor-zero-dimensional", "want": "VALUE"}, "float(x)", ["float"]),
    ]
    answers = ask_chooser(tmp_path, recorded_data(), [{**question, **torch} for question, _, _ in asked])
    for (question, call, cost), answer in zip(asked, answers, strict=True):
        found = [one for members in answer.values() for one in members if one["call"] == call]
        assert [one["cost"] for one in found] == [cost], question


def test_call_that_copies_for_the_dtype_does_not_warn_of_the_flag(tmp_path: Path) -> None:
    """NumPy has made another array before torch sees it."""
    question = {"have": "array-int16,array-read-only", "torch": "2.13.0"}
    (answer,) = ask_chooser(tmp_path, recorded_data(), [question])
    calls = {"torch.asarray(x, dtype=torch.float32)", 'torch.from_numpy(np.asarray(x, dtype="float32"))'}
    found = [one for members in answer.values() for one in members if one["call"] in calls]
    assert [(one["warnings"], one["cost"][:1]) for one in found] == [([], ["copies"])] * 2  # type: ignore[index]


def test_three_things_at_once_are_answered_for_recommended_calls_alone(tmp_path: Path) -> None:
    """And a device that is combined for none: nobody has run these."""
    three = {"have": "array-float64,array-transposed,array-read-only", "torch": "2.13.0"}
    device = {"have": "tensor-int8,tensor-meta", "torch": "2.13.0"}
    answers = ask_chooser(tmp_path, recorded_data(), [three, device])
    found = [[one for members in answer.values() for one in members] for answer in answers]
    recommended = {preference.call for preference in read_preferences()}
    assert answers[0]["best"]
    assert {one["call"] for one in found[0] if one["fit"] != "UNRUN"} <= recommended
    assert {one["fit"] for one in found[1]} == {"UNRUN"}


@pytest.mark.slow
def test_no_combined_answer_that_is_shown_is_wrong() -> None:
    """Every one of them runs here; the list is what tests/combined_answers.py writes."""
    environment = find_environment()
    if not environment:
        pytest.skip("no matrix is recorded in the environment that is installed here")
    trial = try_answers(read_unrun(), environment)
    print(trial.report())
    assert trial.wrong == ()
    assert trial.tried > 200_000
    assert spell_combinations(trial.unrun) == (ROOT / "docs" / UNRUN).read_text(encoding="utf-8")
