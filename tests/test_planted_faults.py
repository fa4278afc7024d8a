"""Faults planted in examples, records and deviations: the gate must catch each, and say where it is and what
it is.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from samples import DRIFT, Planted, project

from tensor_atlas import cli
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.runs import SCHEMA
from tensor_atlas.records import store

WORD_OF_ENDING = (
    "correct the example: catch what you expect, show what kills a process in a child process; "
    "where only some releases end so, explain it in docs/deviations.toml with ends"
)


# --- claims --------------------------------------------------------------------------------------


def test_wrong_value_is_caught(planted: Planted) -> None:
    """A claim with another value is a difference on the claim's line, which shows both texts."""
    name = "11_claims/wrong_value"
    line = planted.line(name, "# => tensor(4)")
    assert planted.drift(name) == [("differs", line, "claim differs")]
    verdict = planted.verdict(name, line)
    assert verdict["statement"] == "print(torch.tensor([1, 2]).sum())"
    assert verdict["claimed"] == ["tensor(4)"]
    assert verdict["observed"] == ["tensor(3)"]
    assert verdict["remedy"] == "correct the example, or explain it in docs/deviations.toml"


def test_wrong_dtype_in_a_repr_is_caught(planted: Planted) -> None:
    """Right values with another dtype differ."""
    name = "11_claims/wrong_dtype"
    line = planted.line(name, "# => ")
    assert planted.drift(name) == [("differs", line, "claim differs")]
    assert planted.verdict(name, line)["observed"] == ["tensor([1, 2], dtype=torch.int32)"]


def test_extra_output_is_caught(planted: Planted) -> None:
    """A line printed beyond the claimed ones differs."""
    name = "11_claims/extra_output"
    line = planted.line(name, "# => claimed")
    assert planted.drift(name) == [("differs", line, "claim differs")]
    assert planted.verdict(name, line)["observed"] == ["claimed", "not claimed"]


def test_missing_output_is_caught(planted: Planted) -> None:
    """A line claimed beyond the printed ones differs."""
    name = "11_claims/missing_output"
    line = planted.line(name, "# => printed")
    assert planted.drift(name) == [("differs", line, "claim differs")]
    assert planted.verdict(name, line)["claimed"] == ["printed", "not printed"]
    assert planted.verdict(name, line)["observed"] == ["printed"]


def test_output_without_a_claim_is_caught(planted: Planted) -> None:
    """Output nobody claims is drift on the statement's line; the remedy names the command that claims it."""
    name = "11_claims/unclaimed"
    line = planted.line(name, "print(")
    assert planted.drift(name) == [("unclaimed", line, "output without a claim")]
    assert planted.verdict(name, line)["observed"] == ["nobody claims this"]
    found = planted.verdict(name, line)
    assert f"tensor-atlas claims --write {found['path']}, or" in str(found["remedy"])


def test_lone_newline_is_output(planted: Planted) -> None:
    """It needs a claim, a claim of one blank line; where nothing is printed, such a claim differs."""
    name = "11_claims/lone_newline"
    unclaimed, silent = planted.line(name, "print()"), planted.line(name, "value = 1") + 1
    assert planted.drift(name) == [
        ("unclaimed", unclaimed, "output without a claim"),
        ("differs", silent, "claim without output"),
    ]
    assert planted.verdict(name, unclaimed)["observed"] == [""]


def test_claim_under_the_wrong_statement_is_caught(planted: Planted) -> None:
    """A claim is held against the statement above it: another that prints the same does not save it."""
    name = "11_claims/wrong_statement"
    assert planted.drift(name) == [
        ("differs", planted.line(name, "# => 3"), "claim without output"),
        ("unclaimed", planted.line(name, "print(value)"), "output without a claim"),
    ]


def test_open_end_does_not_hide_another_beginning(planted: Planted) -> None:
    """What stands before ``...`` must be there."""
    name = "11_claims/open_end"
    assert planted.drift(name) == [("differs", planted.line(name, "# => "), "claim differs")]


def test_warning_that_vanished_is_caught(planted: Planted) -> None:
    """A claimed warning that no longer comes differs."""
    name = "11_claims/vanished_warning"
    line = planted.line(name, "# => calm")
    assert planted.drift(name) == [("differs", line, "claim differs")]
    assert planted.verdict(name, line)["claimed"] == ["calm", "UserWarning: storm"]
    assert planted.verdict(name, line)["observed"] == ["calm"]


def test_warning_that_appeared_is_caught(planted: Planted) -> None:
    """A warning nobody claimed differs."""
    name = "11_claims/appeared_warning"
    line = planted.line(name, "# => calm")
    assert planted.drift(name) == [("differs", line, "claim differs")]
    assert planted.verdict(name, line)["observed"] == ["calm", "UserWarning: storm"]


# --- errors --------------------------------------------------------------------------------------


def test_error_of_another_type_is_caught(planted: Planted) -> None:
    """An error that the ``except`` clause does not name is uncaught, though its message is claimed."""
    name = "12_errors/other_type"
    line = planted.line(name, "try:")
    assert planted.drift(name) == [("differs", line, "uncaught RuntimeError")]
    assert planted.verdict(name, line)["remedy"] == WORD_OF_ENDING


def test_other_message_is_caught(planted: Planted) -> None:
    """The same error with other words differs."""
    name = "12_errors/other_message"
    assert planted.drift(name) == [("differs", planted.line(name, "# => "), "claim differs")]


def test_expected_error_that_no_longer_occurs_is_caught(planted: Planted) -> None:
    """An ``except`` clause that nothing reaches leaves its claim without output."""
    name = "12_errors/no_longer"
    assert planted.drift(name) == [("differs", planted.line(name, "# => "), "claim without output")]


def test_error_nobody_expected_is_caught(planted: Planted) -> None:
    """An uncaught error is named where it rose, with what was printed before; what is behind it holds."""
    name = "12_errors/nobody_expects"
    line = planted.line(name, "if True:")
    assert planted.drift(name) == [("differs", line, "uncaught LookupError")]
    assert planted.verdict(name, line)["observed"] == [
        "just before",
        "Traceback (most recent call last):",
        f'  File "examples/{name}.py", line {planted.line(name, "raise LookupError")}, in <module>',
        '    raise LookupError("nobody expects it")',
        "LookupError: nobody expects it",
    ]


def test_name_that_an_error_kept_from_being_made_is_caught(planted: Planted) -> None:
    """A statement that lacks it is named with the line that raised."""
    name = "12_errors/never_made"
    line = planted.line(name, "print(more)")
    at = planted.line(name, "lost, late =") - 2
    assert ("differs", line, f"`more` was not made: line {at} raised") in planted.drift(name)
    assert planted.verdict(name, line)["remedy"] == (
        f"the example ended at line {planted.line(name, 'half = ') - 1}: see there"
    )


# --- endings -------------------------------------------------------------------------------------


def test_crash_is_caught_at_its_statement(planted: Planted) -> None:
    """A signal that ends the process is named, and so is the statement that was running."""
    name = "13_endings/crashes"
    line = planted.line(name, "os.kill")
    assert planted.drift(name) == [("differs", line, "crashed: SIGSEGV")]
    assert planted.verdict(name, line)["statement"] == "os.kill(os.getpid(), signal.SIGSEGV)"


def test_crash_by_a_signal_without_a_name_is_caught(planted: Planted) -> None:
    """A real-time signal has a number only, and must not stop the gate."""
    name = "13_endings/crashes_unnamed"
    ((kind, line, what),) = planted.drift(name)
    assert (kind, line) == ("differs", planted.line(name, "os.kill"))
    assert what.startswith("crashed: signal ")


def test_example_that_hangs_is_caught(planted: Planted) -> None:
    """An example that outlasts its time is ended, and the statement that was running is named."""
    name = "13_endings/hangs"
    assert planted.drift(name) == [
        ("differs", planted.line(name, "time.sleep"), "timed out: no end after 3 s")
    ]


def test_sys_exit_is_caught(planted: Planted) -> None:
    """An example that leaves before its end is drift, though what it printed was claimed."""
    name = "13_endings/exits"
    assert planted.drift(name) == [("differs", planted.line(name, "sys.exit(3)"), "exited: sys.exit(3)")]


def test_silent_exit_half_way_is_caught(planted: Planted) -> None:
    """Exit code 0 does not pass for success while statements are left."""
    name = "13_endings/exits_silently"
    assert planted.drift(name) == [
        (
            "differs",
            planted.line(name, "os._exit(0)"),
            "exited: the process ended without a word, exit code 0",
        ),
        ("differs", planted.line(name, 'print("never")'), "block never ran"),
    ]


# --- records and deviations ----------------------------------------------------------------------


def test_stale_record_is_caught(planted: Planted) -> None:
    """A record of this very environment that was made of other code is drift; the remedy records anew."""
    name = "14_records/stale"
    assert planted.drift(name) == [("differs", 1, "stale record: the example changed since it was recorded")]
    assert planted.verdict(name, 1)["remedy"] == "review, then: tensor-atlas record"


def test_record_that_differs_in_sharing_only_is_caught(planted: Planted) -> None:
    """Who shares memory is compared, though nothing that is printed tells it."""
    name = "14_records/sharing"
    what = "record differs: who shares memory, or what is alive, after this block"
    assert planted.drift(name) == [("differs", planted.line(name, "array = np.ones"), what)]


def test_record_that_differs_in_a_caught_error_only_is_caught(planted: Planted) -> None:
    """The class of a caught error is compared, though the example does not print it."""
    name = "14_records/caught"
    line = planted.line(name, "try:")
    assert planted.drift(name) == [("differs", line, "record differs")]
    assert planted.verdict(name, line)["claimed"] == ["refused", "caught TypeError: another message"]
    assert planted.verdict(name, line)["observed"] == [
        "refused",
        "caught ValueError: invalid literal for int() with base 10: 'x'",
    ]


def test_record_that_still_holds_is_silent(planted: Planted) -> None:
    """A right record adds nothing."""
    assert planted.drift("14_records/holds") == []


def test_deviation_explains_its_difference(planted: Planted) -> None:
    """A reviewed exception turns a difference into a known one."""
    assert planted.drift("15_deviations/explained") == []
    assert planted.verdict("15_deviations/explained", 9)["kind"] == "known"


def test_deviation_that_pins_other_lines_explains_nothing(planted: Planted) -> None:
    """A deviation with ``output`` covers these lines only, and is itself told to be about nothing."""
    name = "15_deviations/pinned"
    assert planted.drift(name) == [("differs", planted.line(name, "# => "), "claim differs")]
    assert len(about_entry(planted, name)) == 3


def test_deviation_explains_an_end(planted: Planted) -> None:
    """An API that is not there yet is evidence, and what stands behind it is not missed."""
    name = "15_deviations/ends"
    assert planted.drift(name) == []
    verdict = planted.verdict(name, planted.line(name, "print(unknown)"))
    assert (verdict["kind"], verdict["what"]) == ("known", "uncaught NameError")
    assert about_entry(planted, name) == []


def test_deviation_of_the_newest_release_is_caught(planted: Planted) -> None:
    """An exception from what a reader of the newest release sees is drift at the claim."""
    name = "15_deviations/newest"
    what = "claim is not what the newest recorded release does, though a deviation explains it"
    assert planted.drift(name) == [("differs", planted.line(name, "# => "), what)]
    assert about_entry(planted, name) == []


def about_entry(planted: Planted, example: str) -> list[str]:
    """What the gate says about the deviation of an example."""
    lines = (planted.root / "docs" / "deviations.toml").read_text(encoding="utf-8").split("\n")
    at = lines.index(f'example = "{example}"')  # the line before, counted from 1
    found = [v for v in planted.verdicts if v["path"] == "docs/deviations.toml" and v["line"] == at]
    assert {v["kind"] for v in found} <= {"differs"}
    return [str(v["what"]) for v in found]


def test_unused_deviation_is_caught(planted: Planted) -> None:
    """A deviation that no run needs is drift on its own line of its own file: the statement, the condition,
    the run.
    """
    first, second, third = about_entry(planted, "15_deviations/not_needed")
    assert first == "unused deviation: no run of 15_deviations/not_needed needs it for 'print(\"fine\")'"
    assert second == "unused deviation: no run needs it for 'torch >= 1'"
    assert third.startswith("deviation too wide: torch ")
    assert third.endswith("does not differ so at 'print(\"fine\")' of 15_deviations/not_needed")


def test_needed_deviation_is_no_fault(planted: Planted) -> None:
    """Only what is planted in the file of deviations is found there."""
    assert about_entry(planted, "15_deviations/explained") == []
    found = [v for v in planted.verdicts if v["path"] == "docs/deviations.toml"]
    assert len(found) == 6


# --- the whole -----------------------------------------------------------------------------------


def test_drift_is_exit_code_1(planted: Planted) -> None:
    """One difference suffices."""
    assert planted.exit_code == 1


def test_good_examples_have_no_fault(planted: Planted) -> None:
    """Nothing is found where nothing was planted: what an example leaks does not reach the next."""
    good = [v for v in planted.verdicts if str(v["path"]).startswith("examples/0")]
    assert len(good) > 40
    assert [v for v in good if v["kind"] in DRIFT] == []
    assert {str(v["path"]).split("/")[-1] for v in good} >= {"a_leaks.py", "b_next.py", "many_gpus.py"}


def test_every_verdict_says_where(planted: Planted) -> None:
    """Each names an existing line of an existing file."""
    for verdict in planted.verdicts:
        lines = (planted.root / str(verdict["path"])).read_text(encoding="utf-8").split("\n")
        assert 1 <= int(str(verdict["line"])) <= len(lines), verdict


def test_two_runs_give_equal_captures(capture: Capture, again: Capture) -> None:
    """Whatever the number of jobs, only the date and the seconds differ."""
    assert len(again.runs) >= 10
    assert again.runs == tuple(run for run in capture.runs if run.example < "1")
    assert again.environment.id == capture.environment.id


# --- bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "line", "what"),
    [
        ("indented", 10, "misplaced claim"),
        ("behind", 8, "misplaced claim"),
        ("orphan", 10, "misplaced claim"),
        ("inside", 10, "misplaced claim"),
        ("near_miss", 9, "not a claim: #=> 1"),
        ("no_blank", 9, "not a claim: # =>1"),
        ("arrow", 9, "not a claim: # -> 1"),
        ("syntax", 8, "not Python: '(' was never closed"),
        ("return_outside", 9, "not Python: 'return' outside function"),
        ("two_statements", 8, "two statements on one line"),
        ("tags", 8, "tags are not a list of strings"),
        ("no_docstring", 1, "no docstring"),
        ("not_utf8", 1, "not UTF-8: invalid continuation byte"),
    ],
)
def test_unreadable_example_is_exit_code_2(
    case: str,
    line: int,
    what: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """An example that cannot be read is bad input, named with file, line and what to do, before anything
    runs.
    """
    monkeypatch.chdir(project(tmp_path / "checkout", f"unreadable/{case}.py"))
    assert cli.main(["drift"]) == 2
    message = capsys.readouterr().err.split("\n")
    assert f"tensor-atlas: examples/01_x/{case}.py:{line}  {what}" == message[0]
    assert message[1].startswith("    "), "what to do"


def test_every_unreadable_example_is_named_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All mistakes are reported, not the first alone."""
    monkeypatch.chdir(project(tmp_path / "checkout", "unreadable/orphan.py", "unreadable/syntax.py"))
    assert cli.main(["drift"]) == 2
    message = capsys.readouterr().err
    assert "examples/01_x/orphan.py:10  misplaced claim" in message
    assert "examples/01_x/syntax.py:8  not Python" in message


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{", "not a record: not JSON"),
        ("\xff", "not a record"),
        ("[]", "not a record: Expected `object`, got `array`"),
        ('{"schema": 1, "example": "01_x/holds"', "not a record: not JSON"),
        ('{"schema": 1, "example": "01_x/other", "versions": []}', "is about 01_x/other"),
        (
            json.dumps({"schema": SCHEMA + 1, "example": "01_x/holds", "versions": []}),
            f"written with schema {SCHEMA + 1}, newer than {SCHEMA}: update tensor-atlas to read it",
        ),
    ],
)
def test_unreadable_record_is_exit_code_2(
    text: str, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A record that is corrupt, misplaced or newer than this release is bad input, named with its file."""
    root = project(tmp_path / "checkout", "failing/14_records/holds.py")
    store.write_records(store.Store(), root / "docs" / "records")
    path = root / "docs" / "records" / "01_x" / "holds.json"
    path.parent.mkdir()
    path.write_text(text, encoding="latin-1")
    monkeypatch.chdir(root)
    assert cli.main(["drift"]) == 2
    message = capsys.readouterr().err
    assert str(path) in message
    assert what in message
