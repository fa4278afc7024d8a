"""Answers that the chooser combines from several cells: none that it shows is contradicted by a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from attacks_count import chances, is_full
from chooser_script import (
    ask_chooser,
    give_combinations,
    read_known,
    read_preferences,
    recorded_data,
    recorded_table,
)
from combined_answers import (
    Asked,
    compare_answers,
    describe_wrong,
    find_all_wrong,
    find_environment,
    list_answers,
    list_everything,
    list_pairs,
    recall_wrong,
)
from combined_runs import run_pairs
from samples import CPU, ROOT

from tensor_atlas.catalogue import Form
from tensor_atlas.errors import AtlasError
from tensor_atlas.history.patterns import Patterns
from tensor_atlas.model.runs import JSON
from tensor_atlas.pages.combinations import (
    FILE,
    Combinations,
    Differing,
    add_run,
    digest_sources,
    encode_combinations,
    parse_combinations,
    read_combinations,
    spell_combinations,
)

CALLS = ("torch.as_tensor(x)", "torch.tensor(x)", "x.numpy()")
REVERSED = (Form.ARRAY, "array-reversed", "")
OLD, NEW = "torch 1", "torch 2"
OBJECTS = Differing(*REVERSED, ("object",), ())
NUMBERS = Differing(*REVERSED, ("int16", "float64"), CALLS[:2])
CONJUGATE = Differing(Form.TENSOR, "", "tensor-conjugate", ("torch.complex32",), ("x.numpy()",))
RUNS = add_run(add_run(Combinations(), OLD, CALLS, [NUMBERS, OBJECTS]), NEW, CALLS[:2], [NUMBERS, CONJUGATE])


def where(known: Combinations) -> set[tuple[str, str, str]]:
    """Dtype, call and environment of what differs."""
    return {
        (dtype, call, environment)
        for one in known.differing
        for dtype in one.dtypes
        for call in one.calls or ("",)
        for environment in one.environments
    }


def test_runs_of_several_environments_are_one_list() -> None:
    """What is alike stands once, whichever came first."""
    assert [one.environments for one in RUNS.differing if one.dtypes == ("int16", "float64")] == [{OLD, NEW}]
    assert {each for each in where(RUNS) if each[0] in ("object", "torch.complex32")} == {
        ("object", "", OLD),
        ("torch.complex32", "x.numpy()", NEW),
    }
    first = add_run(Combinations(), NEW, CALLS[:2], [NUMBERS, CONJUGATE])
    other = add_run(first, OLD, CALLS, [NUMBERS, OBJECTS])
    assert (where(other), other.tried) == (where(RUNS), RUNS.tried)


def test_run_takes_the_place_of_an_older_one() -> None:
    """Of the same environment; the other's stays."""
    again = add_run(RUNS, OLD, CALLS, [])
    assert where(again) == {each for each in where(RUNS) if each[2] == NEW}


def test_file_holds_what_was_written() -> None:
    """Calls by dtypes and environments, and dtypes of which nothing could be made."""
    read = parse_combinations(spell_combinations(RUNS))
    assert (where(read), read.tried) == (where(RUNS), RUNS.tried)
    assert spell_combinations(read) == spell_combinations(RUNS)


def test_run_of_other_sources_says_nothing() -> None:
    """The digest of the file is that of the sources when they ran."""
    old = spell_combinations(RUNS).replace(f'"{OLD}": "{digest_sources()}"', f'"{OLD}": "00000000"')
    read = parse_combinations(old)
    assert set(read.tried) == {NEW}
    assert where(read) == {each for each in where(RUNS) if each[2] == NEW}


def test_page_gets_each_call_once() -> None:
    """All else are numbers; a form's own combinations alone."""
    patterns = Patterns([replace(CPU, torch=torch) for torch in ("1", "2")])
    old, new = patterns.ids
    runs = add_run(add_run(Combinations(), old, CALLS, [NUMBERS, OBJECTS]), new, CALLS[:2], [NUMBERS])
    encoded = encode_combinations(runs, Form.ARRAY, patterns)
    assert encoded["calls"] == [*CALLS]
    letters = patterns.list_patterns()
    tried, rows = encoded["tried"], encoded["rows"]
    assert isinstance(tried, list)
    assert isinstance(rows, list)
    assert [letters[int(str(number))] for number in tried] == ["00", "00", "0 "]
    assert sorted((str(row[2]), letters[int(str(row[4]))]) for row in rows if isinstance(row, list)) == [
        ("None", "0 "),
        ("[0, 1]", "00"),
    ]
    assert encode_combinations(runs, Form.SCALAR, patterns)["rows"] == []


def test_no_file_lists_nothing_and_a_broken_one_is_refused(tmp_path: Path) -> None:
    """With the command that writes it."""
    path = tmp_path / FILE
    assert read_combinations(path) == Combinations()
    good = spell_combinations(RUNS)
    unknown, short = good.replace("array-reversed", "array-nothing"), good.replace('"11"', '"1"')
    for text in ("[]", "{", "{}", unknown, short):
        assert text != good
        path.write_text(text, encoding="utf-8")
        with pytest.raises(AtlasError, match=r"combined_answers\.py --write"):
            read_combinations(path)


TRANSPOSED = (Form.ARRAY, "array-transposed", "")
AS_DOUBLE = "torch.as_tensor(x, dtype=torch.float64)"


def ask_transposed(folder: Path, known: Combinations, torch: str) -> dict[str, tuple[JSON, JSON]]:
    """Fit and rung by call, of a transposed float64 array."""
    question = {"have": "array-float64,array-transposed", "torch": torch}
    (answer,) = ask_chooser(folder, give_combinations(known), [question])
    found = [one for members in answer.values() for one in members]
    return {str(one["call"]): (one["fit"], one["rung"]) for one in found}


def test_answer_of_the_nearest_run_is_shown_where_there_was_none(tmp_path: Path) -> None:
    """It says so. A run that differed shows nothing, and neither does a call that nobody ran."""
    old, new = (
        next(e.id for e in recorded_table().environments if e.torch.startswith(torch) and e.kind == "cpu")
        for torch in ("2.6.0", "2.13.0")
    )
    known = add_run(Combinations(), new, [AS_DOUBLE], [])
    assert ask_transposed(tmp_path, known, "2.13.0")[AS_DOUBLE] == ("DOES", "")
    assert ask_transposed(tmp_path, known, "2.6.0")[AS_DOUBLE] == ("DOES", "recorded elsewhere")
    others = {fit for call, fit in ask_transposed(tmp_path, known, "2.6.0").items() if call != AS_DOUBLE}
    assert others == {("UNRUN", "")}
    differed = add_run(known, old, [AS_DOUBLE], [Differing(*TRANSPOSED, ("float64",), (AS_DOUBLE,))])
    assert ask_transposed(tmp_path, differed, "2.6.0")[AS_DOUBLE] == ("UNRUN", "")
    assert ask_transposed(tmp_path, differed, "2.13.0")[AS_DOUBLE] == ("DOES", "")


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


def draw_things(everything: Sequence[Asked]) -> list[Asked]:
    """Of each layout with each flag, two dtypes; a full run takes all."""
    if is_full():
        return [*everything]
    kinds: dict[tuple[Form, str, str], list[Asked]] = {}
    for one in everything:
        kinds.setdefault((one.form, one.parts.layout, one.parts.flag), []).append(one)
    chance = chances()
    return [one for kind in kinds.values() for one in chance.sample(kind, min(2, len(kind)))]


@pytest.mark.slow
@pytest.mark.sampled
def test_no_combined_answer_that_is_shown_is_wrong() -> None:
    """A sample of them runs here; the list is what tests/combined_answers.py writes."""
    environment = find_environment()
    if not environment:
        pytest.skip("no matrix is recorded in the environment that is installed here")
    everything = list_everything(environment)
    drawn = draw_things(everything)
    known = read_known()
    wrong = find_all_wrong(drawn, run_pairs(list_pairs(drawn)))
    shown = [one for one in list_answers(known, environment) if (one.form, one.parts) in wrong]
    trial = compare_answers(drawn, wrong, shown)
    print(trial.report())
    assert trial.wrong == ()
    assert trial.tried > (200_000 if is_full() else 15_000)
    calls = frozenset[str]().union(*(one.claims for one in everything))
    differing = describe_wrong(everything, {**recall_wrong(everything, known, environment), **wrong})
    written = add_run(known, environment, calls, differing)
    assert spell_combinations(written) == (ROOT / "docs" / FILE).read_text(encoding="utf-8")
