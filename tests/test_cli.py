"""The command line: what each command prints, writes and returns."""

from __future__ import annotations

import contextlib
import json
import shutil
import signal
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from samples import CASES, CPU, GPU, HEAD, OLDER, captured, example, project, ran, wait_for, write_example

from tensor_atlas import __version__, cli
from tensor_atlas.catalogue import CONVERSIONS, SOURCES, code_digests
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.cells import Cell, Outcome, Proof, Tried
from tensor_atlas.model.runs import Environment, Run, Status
from tensor_atlas.probe import __main__ as probe
from tensor_atlas.probe.capture import write_capture
from tensor_atlas.records import store

CLAIMED = "print(1)\n# => 1\n"


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Project with two examples that claim ``1``; the working directory."""
    root = project(tmp_path / "checkout")
    for name in ("01_x/a", "02_y/b"):
        write_example(root, CLAIMED, name)
    monkeypatch.chdir(root)
    return root


def _capture(root: Path, capture: Capture) -> str:
    write_capture(capture, root / "capture.json")
    return "capture.json"


def _printed(what: str, stdout: str) -> Run:
    return ran(example(CLAIMED, f"examples/{what}.py"), stdout)


JOBS = ("drift", "claims", "record")
"""Commands that are told how many examples may run at a time."""
BOTH = (_printed("01_x/a", "1"), _printed("02_y/b", "1"))


def test_capture_that_holds_is_exit_code_0(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The summary counts by chapter."""
    assert cli.main(["drift", "--from", _capture(checkout, captured(*BOTH))]) == 0
    assert capsys.readouterr().out == "01_x  1 holds\n02_y  1 holds\n\nno drift: 2 holds\n"


@pytest.mark.parametrize(
    ("form", "begin"),
    [
        (
            "terminal",
            "examples/02_y/b.py:9  claim differs (torch 2.13.0+cpu, NumPy 2.4.6, cpu)\n    statement",
        ),
        ("json", '[\n {\n  "kind": "holds",\n  "path": "examples/01_x/a.py"'),
    ],
)
def test_capture_that_differs_is_exit_code_1_in_every_format(
    checkout: Path, capsys: pytest.CaptureFixture[str], form: str, begin: str
) -> None:
    """The report goes to standard output."""
    capture = _capture(checkout, captured(BOTH[0], _printed("02_y/b", "2")))
    assert cli.main(["drift", "--from", capture, "--format", form]) == 1
    assert capsys.readouterr().out.startswith(begin)


def test_drift_of_named_files_leaves_the_others_alone(checkout: Path) -> None:
    """A difference elsewhere is not this file's, nor is a deviation of another example unused."""
    (checkout / "docs" / "deviations.toml").write_text(
        '[[deviation]]\nexample = "02_y/b"\nstatement = "print(1)"\nenvironments = ["cuda"]\nreason = "r"\n',
        encoding="utf-8",
    )
    capture = _capture(checkout, captured(BOTH[0], _printed("02_y/b", "2")))
    assert cli.main(["drift", "--from", capture, "examples/01_x/a.py"]) == 0
    assert cli.main(["drift", "--from", capture, "examples/02_y"]) == 1


def test_stale_capture_is_listed_and_is_no_drift(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What another version of the example did says nothing about this one."""
    capture = _capture(checkout, captured(*BOTH))
    write_example(checkout, "print(2 - 1)\n# => 1\n", "02_y/b")
    assert cli.main(["drift", "--from", capture]) == 0
    assert "examples/02_y/b.py:1  has not run since the example changed" in capsys.readouterr().out


def test_record_folds_a_capture_and_names_what_changed(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A second time nothing changes; another environment changes the records it speaks of."""
    capture = _capture(checkout, captured(*BOTH))
    assert cli.main(["record", "--from", capture]) == 0
    assert capsys.readouterr().out == (
        "docs/records/environments.json\ndocs/records/01_x/a.json\ndocs/records/02_y/b.json\n"
        "3 files changed for torch 2.13.0+cpu, NumPy 2.4.6, cpu\n"
        "nothing recorded lies next to it: nothing to compare it with\n"
    )
    assert cli.main(["record", "--from", capture]) == 0
    assert capsys.readouterr().out.startswith("0 files changed")
    assert cli.main(["record", "--from", _capture(checkout, captured(BOTH[0], environment=GPU))]) == 0
    assert capsys.readouterr().out.startswith(
        "docs/records/environments.json\ndocs/records/01_x/a.json\n2 files"
    )
    kept = store.read_records(checkout / "docs" / "records")
    assert {name: sorted(record.runs) for name, record in kept.records.items()} == {
        "01_x/a": sorted([CPU.id, GPU.id]),
        "02_y/b": [CPU.id],
    }


def test_record_names_and_skips_runs_of_older_code(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A capture that came too late does not displace what is known of the present code."""
    capture = _capture(checkout, captured(*BOTH))
    write_example(checkout, "print(2 - 1)\n# => 1\n", "02_y/b")
    assert cli.main(["record", "--from", capture]) == 0
    assert "examples/02_y/b.py  changed since it was captured: not recorded" in capsys.readouterr().err
    assert list(store.read_records(checkout / "docs" / "records").records) == ["01_x/a"]


def test_record_tells_what_differs_from_the_claims(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Evidence is kept whatever it says, but not without a word."""
    capture = _capture(checkout, captured(BOTH[0], _printed("02_y/b", "2"), environment=GPU))
    assert cli.main(["record", "--from", capture]) == 0
    assert "examples/02_y/b.py:9  claim differs" in capsys.readouterr().err


def test_missing_records_are_told(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where nobody has recorded this environment, the report does not look as if records agreed."""
    capture = _capture(checkout, captured(*BOTH))
    assert cli.main(["drift", "--from", capture]) == 0
    assert "no records of this environment (torch 2.13.0+cpu" in capsys.readouterr().err
    assert cli.main(["record", "--from", capture]) == 0
    capsys.readouterr()
    assert cli.main(["drift", "--from", capture]) == 0
    told = capsys.readouterr().err
    assert "no records" not in told
    assert "compared with the claims and the record of torch 2.13.0+cpu, NumPy 2.4.6, cpu, 20" in told


def test_record_removes_what_no_example_needs(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The record of an example that is gone goes with it."""
    assert cli.main(["record", "--from", _capture(checkout, captured(*BOTH))]) == 0
    shutil.rmtree(checkout / "examples" / "02_y")
    capsys.readouterr()
    assert cli.main(["record", "--from", _capture(checkout, captured(BOTH[0]))]) == 0
    assert capsys.readouterr().out.startswith("docs/records/02_y/b.json\n1 file changed")


@pytest.fixture
def recorded(checkout: Path) -> Path:
    """Project with records of three environments, of which the older one prints something else."""
    captures = [
        captured(*BOTH),
        captured(BOTH[0], _printed("02_y/b", "2"), environment=OLDER),
        captured(*BOTH, environment=replace(CPU, torch="2.14.1+cpu")),
    ]
    kept = store.Store()
    for capture in captures:
        kept = store.add_capture(kept, capture)
    store.write_records(kept, checkout / "docs" / "records")
    return checkout


@pytest.mark.parametrize(
    ("form", "begin"),
    [
        (
            "terminal",
            "torch 2.2.2+cpu, NumPy 1.26.4, cpu  →  torch 2.13.0+cpu, NumPy 2.4.6, cpu\n\nexamples/",
        ),
        ("json", f'{{\n "schema": 2,\n "before": "{OLDER.id}",\n "after": "{CPU.id}",\n'),
    ],
)
def test_environments_that_differ_are_exit_code_1_in_every_format(
    recorded: Path, capsys: pytest.CaptureFixture[str], form: str, begin: str
) -> None:
    """The report goes to standard output; nothing is executed."""
    assert cli.main(["compare", "2.2.2", "2.13.0/2.4.6/cpu", "--format", form]) == 1
    shown = capsys.readouterr()
    assert shown.out.startswith(begin)
    assert shown.err == ""
    assert not list(recorded.glob("*.json"))


def test_environments_that_agree_are_exit_code_0(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A minor release names the newest record of it; so does an id."""
    assert cli.main(["compare", CPU.id, "2.14"]) == 0
    assert capsys.readouterr().out.endswith("The results recorded in both are the same.\n")
    assert recorded.is_dir()


def test_export_goes_to_standard_output_or_into_a_file(
    recorded: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All that is recorded, without a run; a file is replaced whole, and nothing is said of it."""
    assert cli.main(["export"]) == 0
    text = capsys.readouterr().out
    assert [e["name"] for e in json.loads(text)["examples"]] == ["01_x/a", "02_y/b"]
    assert len(json.loads(text)["environments"]) == 3
    (recorded / "records.json").write_text(
        "older, and longer than what replaces it\n" * 9999, encoding="utf-8"
    )
    assert cli.main(["export", "-o", "records.json"]) == 0
    assert capsys.readouterr().out == ""
    assert (recorded / "records.json").read_text(encoding="utf-8") == text


def test_export_that_cannot_be_written_is_exit_code_2(
    recorded: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Such as into a folder that is not there, or in place of one that is."""
    for name in ("nowhere/records.json", "docs"):
        assert cli.main(["export", "-o", name]) == 2
        shown = capsys.readouterr()
        assert shown.out == ""
        assert shown.err.startswith(f"tensor-atlas: {name}  cannot be written: ")
    assert recorded.is_dir()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["drift", "--from", "none.json"], "none.json  missing, or not a regular file"),
        (
            ["drift", "--from", "pyproject.toml"],
            "pyproject.toml  not a capture: Expected `object`, got `array`",
        ),
        (["drift", "examples/03_z"], "examples/03_z  no such file or folder"),
        (
            ["record", "--from", "strangers.json"],
            "strangers.json  holds examples that are not here: 03_z/c, 04_z/d",
        ),
        (["drift", "--all"], "docs/reported.toml:1  no example 09_z/gone"),
        (["compare", "2.7.1", "2.13.0"], "2.7.1  no recorded environment"),
    ],
)
def test_bad_input_is_exit_code_2(
    checkout: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    """One message on standard error: where, what, what to do."""
    strangers = captured(*(Run(name, "0", Status.COMPLETED) for name in ("04_z/d", "03_z/c")))
    write_capture(strangers, checkout / "strangers.json")
    entry = '[[report]]\nexamples = ["09_z/gone"]\ntext = "it cannot be done"\nurl = "https://example.org"\n'
    if "--all" in arguments:
        (checkout / "docs" / "reported.toml").write_text(entry, encoding="utf-8")
    assert cli.main(arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    first, remedy, *_ = shown.err.split("\n")
    assert first.startswith("tensor-atlas: ")
    assert words in first
    assert remedy.startswith("    ")


def test_deviations_that_are_not_utf8_are_bad_input(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Named like any other file that cannot be read."""
    (checkout / "docs" / "deviations.toml").write_bytes(b"# \xff")
    assert cli.main(["drift"]) == 2
    assert "docs/deviations.toml  not UTF-8" in capsys.readouterr().err


def test_outside_a_checkout_is_bad_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command says where it must be called."""
    monkeypatch.chdir(tmp_path)
    assert cli.main(["drift"]) == 2
    assert "not inside a checkout of the atlas" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["claims", "drift"])
def test_probe_that_cannot_run_is_bad_input(
    command: str, checkout: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Whoever starts it, its own message is there."""
    (checkout / "pyproject.toml").write_text("[tool.tensor-atlas]\ntimeout = 0\n", encoding="utf-8")
    assert cli.main([command]) == 2
    assert "a timeout of 0 is no number of seconds" in capfd.readouterr().err


def test_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """``--version`` and nothing else."""
    with pytest.raises(SystemExit) as caught:
        cli.main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"tensor-atlas {__version__}\n"


@pytest.mark.parametrize(
    "arguments", [[], ["unknown"], ["drift", "--format", "html"], *([c, "-j", "0"] for c in JOBS)]
)
def test_wrong_usage_is_exit_code_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """argparse says how it is used, before anything is executed."""
    with pytest.raises(SystemExit) as caught:
        cli.main(arguments)
    assert caught.value.code == 2
    assert "usage: tensor-atlas" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("example", "number", "words"),
    [
        ("01_x/b", 1, "docs/scenarios.toml:1  no example 01_x/b\n    name examples as <chapter>/<stem>"),
        ("01_x/a", '"one"', "docs/scenarios.toml:1  number: Expected `int`, got `str`\n    write number = 1"),
    ],
)
def test_wrong_question_is_known_before_a_build(
    checkout: Path, capsys: pytest.CaptureFixture[str], example: str, number: int | str, words: str
) -> None:
    """Only the site shows them, and the recipe for an example asks ``drift``."""
    entry = f'topic = "T"\ntitle = "T"\nquestion = "Q?"\nexamples = ["{example}"]\n'
    path = checkout / "docs" / "scenarios.toml"
    path.write_text(f"[[scenario]]\nnumber = {number}\n{entry}", encoding="utf-8")
    assert cli.main(["drift", "--all"]) == 2
    assert words in capsys.readouterr().err


def test_probe_is_reached_through_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``tensor-atlas probe`` is ``python -m tensor_atlas.probe``, also outside a checkout."""
    assert cli.main(["probe", str(tmp_path / "nowhere"), "-o", "capture.json"]) == 2
    assert "no such file or folder" in capsys.readouterr().err


def test_claims_leave_what_an_editor_saves_meanwhile(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One message and exit code 2; the claims of the other example are written."""
    path = checkout / "examples" / "01_x" / "a.py"
    write_example(checkout, f"print(open({str(path)!r}, 'a').write('# Saved.'))\n")
    saved = path.read_text(encoding="utf-8") + "# Saved."
    write_example(checkout, "print(2)\n", "02_y/b")
    assert cli.main(["claims", "--write"]) == 2
    shown = capsys.readouterr()
    assert "examples/01_x/a.py  changed while it ran\n" in shown.err
    assert shown.out == "examples/02_y/b.py  claims written: review the difference\n"
    assert path.read_text(encoding="utf-8") == saved


def test_claims_leave_an_end_that_is_explained(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is no fault, and neither the claims above nor those below it change."""
    write_example(checkout, "raise KeyError\nprint(2)\n# => 2\n")
    path = checkout / "examples" / "01_x" / "a.py"
    entry = """[[deviation]]
example = "01_x/a"
statement = "raise KeyError"
ends = "KeyError"
environments = ["cpu"]
reason = "For this test."
"""
    (checkout / "docs" / "deviations.toml").write_text(entry, encoding="utf-8")
    written = path.read_text(encoding="utf-8")
    assert cli.main(["claims", "--write", str(path)]) == 0
    words = "examples/01_x/a.py  ends as docs/deviations.toml explains; its claims stay as they are\n"
    assert capsys.readouterr().out == words
    assert path.read_text(encoding="utf-8") == written


def test_claims_are_written_from_a_capture(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of the examples that are named; nothing runs. What ran other code, or not at all, stays as it is."""
    first, second = checkout / "examples" / "01_x" / "a.py", checkout / "examples" / "02_y" / "b.py"
    before = second.read_text(encoding="utf-8")
    runs = (_printed("01_x/a", "7"), _printed("02_y/b", "7"))
    file = _capture(checkout, captured(*runs))
    assert cli.main(["claims", "--from", file]) == 1
    words = "claims differ: tensor-atlas claims --write examples/01_x/a.py --from capture.json\n"
    assert f"examples/01_x/a.py  {words}" in capsys.readouterr().out
    assert cli.main(["claims", "--write", str(first), "--from", file]) == 0
    assert capsys.readouterr().out == "examples/01_x/a.py  claims written: review the difference\n"
    assert first.read_text(encoding="utf-8") == before.replace("# => 1", "# => 7")
    assert second.read_text(encoding="utf-8") == before

    second.write_text(before.replace("print(1)", "print(2)"), encoding="utf-8")
    changed = second.read_text(encoding="utf-8")
    assert cli.main(["claims", "--write", "--from", file]) == 1
    words = "examples/02_y/b.py  other code than in the capture; its claims stay as they are\n"
    assert capsys.readouterr().out == words
    assert second.read_text(encoding="utf-8") == changed


def test_claims_are_written_from_a_record(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever reviews a new release has its record, and needs neither its captures nor that torch."""
    first = checkout / "examples" / "01_x" / "a.py"
    before = first.read_text(encoding="utf-8")
    newer = replace(captured().environment, torch="9.9.0")
    runs = (_printed("01_x/a", "7"), BOTH[1])
    file = _capture(checkout, captured(*runs, environment=newer))
    assert cli.main(["record", "--from", file]) == 0
    capsys.readouterr()
    assert cli.main(["claims", "--of", "9.9.0"]) == 1
    words = "examples/01_x/a.py  claims differ: tensor-atlas claims --write examples/01_x/a.py --of 9.9.0\n"
    assert capsys.readouterr().out == words
    assert cli.main(["claims", "--write", "--of", "9.9.0"]) == 0
    assert first.read_text(encoding="utf-8") == before.replace("# => 1", "# => 7")
    assert cli.main(["claims", "--of", "9.8.0"]) == 2
    assert "9.8.0  no recorded environment\n    recorded: 9.9.0/" in capsys.readouterr().err


def test_claims_take_captures_of_one_environment(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Which of two outputs a claim should have is nothing that a command can know."""
    files = [_capture(checkout, captured(*BOTH))]
    other = replace(captured().environment, torch="2.0.0")
    write_capture(captured(*BOTH, environment=other), checkout / "other.json")
    assert cli.main(["claims", "--write", "--from", *files, "other.json"]) == 2
    assert "--from  captures of several environments: " in capsys.readouterr().err


def test_a_contributor_s_way(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """From code without claims to a record: claims names it, --write writes it, drift agrees, record keeps
    it.
    """
    path = checkout / "examples" / "01_x" / "a.py"
    write_example(checkout, 'print("one\\rtwo")\nprint(2)\n# => three\n')
    write_example(checkout, "print(1)\n# => 1\nraise KeyError\n", "02_y/b")
    shutil.copytree(CASES / "good" / "04_needs", checkout / "examples" / "04_needs")

    assert cli.main(["claims"]) == 1
    shown = capsys.readouterr().out
    assert "examples/01_x/a.py  claims differ: tensor-atlas claims --write examples/01_x/a.py" in shown
    assert "examples/02_y/b.py:10  uncaught KeyError" in shown
    assert "examples/04_needs/many_gpus.py  not run: needs 64 CUDA devices" in shown

    monkeypatch.chdir(
        path.parent
    )  # commands work from any folder of the checkout, with paths as one sees them there
    assert cli.main(["claims", "--write", "a.py"]) == 0
    assert capsys.readouterr().out == "examples/01_x/a.py  claims written: review the difference\n"
    assert (
        path.read_text(encoding="utf-8") == HEAD + 'print("one\\rtwo")\n# => one\\x0dtwo\nprint(2)\n# => 2\n'
    )

    assert cli.main(["drift", "--format", "json", "a.py"]) == 0
    assert [(v["kind"], v["path"], v["line"]) for v in json.loads(capsys.readouterr().out)] == [
        ("holds", "examples/01_x/a.py", 9),
        ("holds", "examples/01_x/a.py", 11),
    ]

    shutil.rmtree(checkout / "examples" / "02_y")
    assert cli.main(["record"]) == 0
    assert capsys.readouterr().out.startswith("docs/records/environments.json\ndocs/records/01_x/a.json\n")
    kept = store.read_records(checkout / "docs" / "records")
    assert sorted(kept.records) == ["01_x/a", "04_needs/many_gpus"]


def test_reader_who_leaves_early_gets_no_traceback(checkout: Path) -> None:
    """As ``head`` does."""
    (checkout / "docs" / "deviations.toml").write_text("", encoding="utf-8")
    command = [sys.executable, "-m", "tensor_atlas.cli", "export"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait() == 141


# --- the matrix ----------------------------------------------------------------------------------

SHARES = Cell(Outcome.SHARES, Proof.WRITE, "Tensor")
COPIES = replace(SHARES, outcome=Outcome.COPIES)


def _cells(cell: Cell, environment: Environment = CPU) -> Capture:
    """Capture of one cell, and of the examples."""
    conversion, source = CONVERSIONS[0], SOURCES[0]
    tried = {conversion.name: {source.name: Tried(code_digests(conversion, source), cell)}}
    return replace(captured(*BOTH, environment=environment), cells=tried)


def test_cell_that_changed_since_it_was_recorded_is_drift(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Held to the record of its environment, or to that of the release before."""
    assert cli.main(["record", "--from", _capture(checkout, _cells(SHARES))]) == 0
    assert cli.main(["drift", "--from", _capture(checkout, _cells(SHARES))]) == 0
    assert cli.main(["drift", "--from", _capture(checkout, _cells(COPIES))]) == 1
    newer = replace(CPU, torch="2.99.0+cpu")
    assert cli.main(["drift", "--from", _capture(checkout, _cells(COPIES, newer))]) == 1
    printed = capsys.readouterr().out
    assert (
        f"docs/records/matrix/{CONVERSIONS[0].name}.json:1  1 cell: sharing changed (torch 2.13.0+cpu"
        in printed
    )
    assert "1 cell: sharing changed since torch 2.13.0+cpu, NumPy 2.4.6 (torch 2.99.0+cpu" in printed


def test_changed_cells_are_compared(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Between two recorded environments, and to the neighbours of the one that is being recorded."""
    newer = replace(CPU, torch="2.99.0+cpu")
    assert cli.main(["record", "--from", _capture(checkout, _cells(SHARES))]) == 0
    assert cli.main(["record", "--from", _capture(checkout, _cells(COPIES, newer))]) == 0
    assert "1 cell of the matrix  sharing changed" in capsys.readouterr().out
    assert cli.main(["compare", "2.13.0", "2.99.0", "--format", "terminal"]) == 1
    assert "1 cell changed in the matrix" in capsys.readouterr().out


def test_conversion_without_a_record_is_named(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By ``--all`` and by ``record --check``, where the matrix has been recorded."""
    assert cli.main(["record", "--from", _capture(checkout, _cells(SHARES))]) == 0
    capsys.readouterr()
    for command in (["drift", "--all"], ["record", "--check"]):
        assert cli.main(command) == 1
        said = capsys.readouterr().out
        assert f"docs/records/matrix/{CONVERSIONS[1].name}.json:1  not recorded yet\n" in said
        assert f"docs/records/matrix/{CONVERSIONS[0].name}.json:1" not in said
    assert "0 examples without a record, and " in said


def test_two_devices_with_one_name_are_compared(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By their ids, in every form of the report: a second model of GPU has the name of the first."""
    other = replace(GPU, device="NVIDIA T4")
    for environment, cell in ((GPU, SHARES), (other, COPIES)):
        assert cli.main(["record", "--from", _capture(checkout, _cells(cell, environment))]) == 0
    capsys.readouterr()
    assert cli.main(["compare", GPU.id, other.id, "--format", "terminal"]) == 1
    assert f"in         {CONVERSIONS[0].name} on {SOURCES[0].name}" in capsys.readouterr().out
    assert cli.main(["compare", GPU.id, other.id]) == 1
    assert CONVERSIONS[0].title in capsys.readouterr().out


def test_matrix_of_a_given_capture_is_its_own(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With ``--matrix`` nothing is tried here, since it would be compared as the other machine's."""
    assert cli.main(["record", "--from", _capture(checkout, _cells(SHARES))]) == 0
    probed = "tensor_atlas.checkout.project.run_probe"
    monkeypatch.setattr(probed, lambda *_, **__: pytest.fail("ran the probe"))
    assert cli.main(["drift", "--from", _capture(checkout, _cells(COPIES)), "--matrix"]) == 1
    assert "1 cell: sharing changed" in capsys.readouterr().out


# --- the gate executes examples itself ------------------------------------------------------------


def test_gate_tells_of_places_from_the_checkout(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Wherever below it was called; a crash's last words too."""
    folder = checkout.resolve()
    write_example(checkout, f"print({str(folder / 'data')!r})\n# => checkout/data\n")
    code = f"import os\nos.write(1, {str(folder / 'last')!r}.encode()), os.abort()\n"
    write_example(checkout, code, "02_y/b")
    monkeypatch.chdir(checkout / "examples" / "01_x")
    assert cli.main(["drift", "--format", "json"]) == 1
    told = capfd.readouterr()
    observed = [line for verdict in json.loads(told.out) for line in verdict["observed"]]
    assert "checkout/data" in observed
    assert "checkout/last" in observed
    assert not [line for line in observed if str(folder) in line]
    assert "1 example completed" in told.err
    assert Path.cwd().resolve() == folder / "examples" / "01_x"


def _gate_with_example_that_sleeps(checkout: Path) -> tuple[subprocess.Popen[str], list[int]]:
    """A gate as a terminal starts it, the example that it waits for, and a process of the example's in a
    session of its own.
    """
    mark = checkout / "mark"
    code = "import pathlib, os, subprocess, time\n"
    code += "child = subprocess.Popen(['sleep', '600'], start_new_session=True)\n"
    code += f"pathlib.Path({str(mark)!r}).write_text(f'{{os.getpid()}} {{child.pid}}')\ntime.sleep(600)\n"
    write_example(checkout, code)
    command = [sys.executable, "-m", "tensor_atlas.cli", "drift"]

    # Whoever runs in the background of a script has signals of the terminal ignored, and so have those it
    # starts.
    def heed() -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for number in (signal.SIGHUP, signal.SIGQUIT):
            signal.signal(number, signal.SIG_DFL)

    gate = subprocess.Popen(command, cwd=checkout, stderr=subprocess.PIPE, text=True, preexec_fn=heed)  # noqa: PLW1509
    pids = wait_for(lambda: mark.read_text().split() if mark.is_file() else [])
    return gate, [int(pid) for pid in pids]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_interrupted_gate_leaves_no_process_no_file_no_traceback(
    checkout: Path, number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 130, as a shell has it."""
    temporary = checkout.parent / "tmp"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    gate, processes = _gate_with_example_that_sleeps(checkout)
    with gate:
        gate.send_signal(number)
        _, said = gate.communicate(timeout=60)
    assert gate.returncode == 130
    assert said.splitlines()[-1] == "tensor-atlas: interrupted"
    assert "Traceback" not in said
    assert len(processes) == 2
    assert not any(map(_runs, processes))
    assert list(temporary.iterdir()) == []


@pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere processes are not tied to the one that forked them"
)
def test_killed_gate_leaves_no_process(checkout: Path) -> None:
    """It can tell nobody: its fork server sees that it is gone, and ends with all that it has forked."""
    gate, processes = _gate_with_example_that_sleeps(checkout)
    with gate:
        gate.kill()
    assert len(processes) == 2
    assert wait_for(lambda: not any(map(_runs, processes)))


SLOW_SITE = """
import os, pathlib, time
project, main = "slow", os.getpid()

def wait(app, pagename, *_):
    if os.getpid() != main:
        pathlib.Path("writers", str(os.getpid())).touch()
        time.sleep(600)

def setup(app):
    app.connect("html-page-context", wait)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
"""
"""Settings of a site whose pages processes beside the main one begin to write, and never finish."""


@pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere processes are not tied to the one that forked them"
)
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_ended_build_leaves_no_process(checkout: Path, number: signal.Signals) -> None:
    """Its writers end with it: nobody would read what they wait to send."""
    (checkout / "writers").mkdir()
    (checkout / "docs" / "conf.py").write_text(SLOW_SITE, encoding="utf-8")
    for count in range(20):
        page = checkout / "docs" / ("index.rst" if count == 0 else f"page{count}.rst")
        page.write_text(f":orphan:\n\nPage {count}\n=======\n", encoding="utf-8")
    command = [sys.executable, "-m", "tensor_atlas.cli", "site", "-q", "-j", "2"]
    with subprocess.Popen(command, cwd=checkout, stderr=subprocess.DEVNULL) as build:
        writers = wait_for(lambda: list((checkout / "writers").iterdir()))
        build.send_signal(number)
    assert writers
    assert wait_for(lambda: not any(_runs(int(writer.name)) for writer in writers))


def _runs(pid: int) -> bool:
    """Whether there is such a process; one that has ended and that nobody has asked about has none of its
    own.
    """
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    return False


@pytest.mark.parametrize("command", ["drift", "site", "record", "probe examples"])
def test_working_directory_that_is_gone_is_one_message(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As another program leaves it that removes a checkout."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert cli.main(command.split()) == 2
    assert "the working directory has been removed: change to" in capsys.readouterr().err
    if command == "probe examples":
        assert probe.main(["examples", "-o", str(tmp_path / "capture.json")]) == 2
        assert "has been removed\n    change to" in capsys.readouterr().err


def test_messages_are_looked_for_in_wheels(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One that no wheel holds is named with its line; later recordings leave the record as it is."""
    caught = "try:\n    f()\nexcept TypeError as error:\n    print(error)\n# => {}\n"
    code = caught.format("it cannot be done") + caught.format("nobody ever said this")
    write_example(checkout, f'# sphinx_gallery_tags = ["cuda"]\n{code}', "02_y/b")
    wheel = checkout / "torch-2.13.0-cp311-cp311-linux_x86_64.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("torch/lib/a.so", b"\0it cannot be done\0")
    assert cli.main(["record", "--shipped", str(wheel)]) == 0
    assert capsys.readouterr().out == (
        "torch 2.13.0: 1 of 2 messages\n"
        "examples/02_y/b.py:14  in no file of the newest wheels: nobody ever said this\n"
    )
    written = json.loads((checkout / "docs" / "records" / "shipped.json").read_text(encoding="utf-8"))
    assert written["wheels"] == {
        wheel.stem: {"it cannot be done": "torch/lib/a.so", "nobody ever said this": None}
    }
    assert cli.main(["record", "--from", _capture(checkout, captured(_printed("01_x/a", "1")))]) == 0
    assert store.read_records(checkout / "docs" / "records").shipped == written["wheels"]
