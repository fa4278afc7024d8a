"""``python -m tensor_atlas.probe``: which examples, how long, what is written, which exit code."""

from __future__ import annotations

import io
import json
import shutil
import sys
from pathlib import Path

import pytest
from samples import CASES, GPU, HEAD, captured, example, python, ran

from tensor_atlas.errors import AtlasError
from tensor_atlas.model.runs import Run, Status
from tensor_atlas.probe.__main__ import main
from tensor_atlas.probe.capture import (
    Progress,
    split,
    summarise,
    write_capture,
)
from tensor_atlas.records.decode import decode_capture


def written(folder: Path, *names: str) -> Path:
    """``folder`` with an example under each of ``names``."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HEAD + "value = 1\n", encoding="utf-8")
    return folder


class Terminal(io.StringIO):
    """Standard error that somebody watches."""

    def isatty(self) -> bool:
        """It is one."""
        return True


def test_progress_counts_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line that is written again."""
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    progress = Progress(3, "examples executed")
    for name in ("a", "b"):
        progress.step(name)
    steps = shown.getvalue().split("\r\x1b[K")
    assert steps == ["", "[1/3] a", "[2/3] b"]


def test_examples_of_a_kind_are_split_off_in_order() -> None:
    """What needs a GPU runs after all else, few at a time."""
    names = ["b", "cuda 2", "a", "cuda 1"]
    assert split(names, lambda name: name.startswith("cuda")) == (["b", "a"], ["cuda 2", "cuda 1"])


def test_summary_tells_what_ran_where_and_what_was_missing() -> None:
    """Whoever made a capture on a strange machine sees at once whether it is complete."""
    runs = [ran(example("print(1)\n", f"01_x/{stem}.py"), "1") for stem in "ab"]
    absent = [Run(f"01_x/{stem}", "d", Status.NOT_RUN, "needs 2 CUDA devices, found 1") for stem in "cd"]
    late = Run("01_x/e", "d", Status.TIMED_OUT, "no end after 60 s")
    assert summarise(captured(*runs, *absent, late, environment=GPU)).split("\n") == [
        "torch 2.13.0+cu130, NumPy 2.4.6, 1 × NVIDIA H200",
        "2 statements executed",
        "2 examples completed",
        "1 example timed out",
        "2 examples not run: needs 2 CUDA devices, found 1",
    ]
    assert summarise(captured()) == "torch 2.13.0+cpu, NumPy 2.4.6, no GPU found\n0 statements executed"


@pytest.mark.parametrize(
    "options",
    [
        ["--jobs", "0"],
        ["--jobs", "-1"],
        ["--jobs", "many"],
        ["--jobs", ""],
        ["--jobs", "9" * 5000],
    ],
)
def test_number_that_would_run_nothing_is_refused(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No jobs would run no example and call it success."""
    with pytest.raises(SystemExit) as caught:
        main(["examples", "-o", str(tmp_path / "capture.json"), *options])
    assert caught.value.code == 2
    assert f"--jobs: invalid number {options[1]!r}: expected" in capsys.readouterr().err


def test_capture_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    """Folders are made, nothing partial is left, and an older capture is replaced."""
    what = example("print(1)\n")
    output = tmp_path / "new" / "capture.json"
    for stdout in ("1", "2"):
        capture = captured(ran(what, stdout))
        write_capture(capture, output)
        assert decode_capture(output.read_bytes()) == capture
    assert list(output.parent.iterdir()) == [output]


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("01_x", "is a folder"),
        (".", "is a folder"),
        ("01_x/a.py/capture.json", "cannot be written"),
        ("x" * 256, "cannot"),
    ],
)
def test_unwritable_output_is_refused_before_anything_runs(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    output: str,
    words: str,
) -> None:
    """Nobody waits for a run whose capture has no place; nothing partial is left."""
    folder = written(tmp_path, "01_x/a.py")
    (folder / "01_x" / "a.py").write_text(HEAD + f"open({str(folder / 'ran')!r}, 'w')\n", encoding="utf-8")
    monkeypatch.chdir(folder)
    assert main(["01_x", "-o", output]) == 2
    assert f"probe: {output}  {words}" in capsys.readouterr().err
    assert [path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*"))] == [
        "01_x",
        "01_x/a.py",
    ]


def test_failure_to_write_leaves_nothing_partial(tmp_path: Path) -> None:
    """The place may have become unwritable while the examples ran."""
    output = tmp_path / "capture.json"
    output.mkdir()
    with pytest.raises(AtlasError, match=r"capture\.json  cannot be written: .*\n    make room"):
        write_capture(captured(), output)
    assert list(tmp_path.iterdir()) == [output]


def test_bad_input_is_exit_code_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is run and nothing written; the message says where."""
    monkeypatch.chdir(tmp_path)
    assert main([str(CASES / "unreadable"), "-o", "capture.json"]) == 2
    assert "orphan.py:10  misplaced claim" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_no_example_that_can_run_is_no_failure(tmp_path: Path) -> None:
    """A machine without what the examples need gets a capture that says so."""
    folder = tmp_path / "examples" / "04_needs"
    folder.mkdir(parents=True)
    shutil.copy(CASES / "good" / "04_needs" / "many_gpus.py", folder)
    done = python(tmp_path, "-m", "tensor_atlas.probe", "examples", "-o", "capture.json")
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("0 examples executed in ")
    (run,) = json.loads((tmp_path / "capture.json").read_text(encoding="utf-8"))["runs"]
    assert run["status"] == "not run"
