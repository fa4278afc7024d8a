"""``python -m tensor_atlas.probe``: which examples, how long, what is written, which exit code."""

from __future__ import annotations

import io
import json
import shutil
import sys
import time
from pathlib import Path

import pytest
from samples import CASES, GPU, HEAD, ROOT, captured, example, python, ran

from tensor_atlas.model.capture import Capture
from tensor_atlas.model.runs import Run, Status
from tensor_atlas.probe.__main__ import (
    GPU_JOBS,
    Progress,
    UsageError,
    apart,
    find_examples,
    longest_first,
    main,
    read_examples,
    shuffled,
    summary,
    timeouts,
    write,
)
from tensor_atlas.probe.runner import TIMEOUT
from tensor_atlas.records.decode import decode_capture


def written(folder: Path, *names: str) -> Path:
    """``folder`` with an example under each of ``names``."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HEAD + "value = 1\n", encoding="utf-8")
    return folder


def test_examples_are_found_in_order_of_name(tmp_path: Path) -> None:
    """Every chapter's scripts; not sphinx-gallery's own, nor hidden ones."""
    names = [
        "02_y/a.py",
        "01_x/b.py",
        "01_x/a.py",
        "01_x/plot_c.py",
        "01_x/.e.py",
        "01_x/.old/f.py",
        "01_x/notes.txt",
    ]
    folder = written(tmp_path, *names)
    found = find_examples([folder])
    assert [path.relative_to(folder).as_posix() for path in found] == ["01_x/a.py", "01_x/b.py", "02_y/a.py"]


def test_example_that_is_named_twice_runs_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script and the folder it lies in, whichever way they are spelled."""
    folder = written(tmp_path, "01_x/a.py", "01_x/b.py")
    monkeypatch.chdir(folder)
    assert len(find_examples([folder / "01_x" / "b.py", folder, Path("01_x/a.py")])) == 2


def test_example_that_is_linked_to_runs_once(tmp_path: Path) -> None:
    """By its own name, whether the link is a file or a folder."""
    folder = written(tmp_path, "01_x/a.py", "01_x/b.py")
    (folder / "02_y").mkdir()
    (folder / "02_y" / "c.py").symlink_to(folder / "01_x" / "a.py")
    (folder / "03_z").symlink_to(folder / "01_x")
    found = read_examples([folder, folder / "03_z" / "b.py"], tmp_path)
    assert [example.name for example in found] == ["01_x/a", "01_x/b"]


def test_named_file_is_taken_whatever_its_name(tmp_path: Path) -> None:
    """Who names a ``plot_`` script means it."""
    folder = written(tmp_path, "01_x/plot_a.py")
    assert find_examples([folder / "01_x" / "plot_a.py"]) == [folder / "01_x" / "plot_a.py"]


@pytest.mark.parametrize("missing", ["nowhere", "01_x/none.py"])
def test_path_that_does_not_exist_is_refused(tmp_path: Path, missing: str) -> None:
    """A typing error must not pass for success."""
    with pytest.raises(UsageError, match="no such file or folder"):
        find_examples([tmp_path / missing])


def test_folder_without_examples_is_refused(tmp_path: Path) -> None:
    """Nothing to run is no success."""
    with pytest.raises(UsageError, match="no example"):
        find_examples([tmp_path])


@pytest.mark.parametrize("misplaced", ["examples/top.py", "examples/01_x/sub/b.py"])
def test_example_outside_a_chapter_is_refused(tmp_path: Path, misplaced: str) -> None:
    """Its name would hold a chapter that the site does not have."""
    folder = written(tmp_path, "examples/01_x/a.py", misplaced) / "examples"
    with pytest.raises(UsageError) as caught:
        find_examples([folder, folder / "01_x" / "a.py"])
    where, remedy = str(caught.value).split("\n")
    assert where.startswith(f"{tmp_path / misplaced}  ")
    assert remedy == "    put it in examples/<chapter>/"


def test_chapter_and_file_may_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the whole of ``examples`` needs to run."""
    folder = written(tmp_path, "examples/01_x/a.py", "examples/01_x/b.py")
    assert len(find_examples([folder / "examples" / "01_x"])) == 2
    assert len(find_examples([folder / "examples" / "01_x" / "a.py"])) == 1
    written(tmp_path, "examples/top.py")
    monkeypatch.chdir(folder / "examples")
    with pytest.raises(UsageError, match="outside a chapter"):
        find_examples([Path("top.py")])


@pytest.mark.parametrize("named", ["01_x", "01_x/_a.py"])
def test_underscored_example_is_refused(tmp_path: Path, named: str) -> None:
    """sphinx-gallery publishes it: it must not be left out of what runs."""
    folder = written(tmp_path, "01_x/_a.py", "01_x/b.py")
    with pytest.raises(UsageError) as caught:
        find_examples([folder / named])
    where, remedy = str(caught.value).split("\n")
    assert where.startswith(f"{folder / '01_x' / '_a.py'}  ")
    assert remedy == "    rename it"


def test_name_holds_the_chapter_wherever_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From inside a chapter's folder an example has the name it has from outside."""
    folder = written(tmp_path, "examples/01_x/a.py")
    monkeypatch.chdir(folder / "examples" / "01_x")
    (inside,) = read_examples([Path("a.py")])
    (outside,) = read_examples([Path("a.py")], folder)
    assert (inside.name, outside.name) == ("01_x/a", "01_x/a")
    assert outside.path == "examples/01_x/a.py"
    monkeypatch.chdir(folder)
    assert read_examples([Path("examples")]) == [outside]


def test_two_examples_of_one_name_are_refused(tmp_path: Path) -> None:
    """One would hide the other."""
    folder = written(tmp_path, "a/01_x/a.py", "b/01_x/a.py")
    with pytest.raises(UsageError, match=r"b/01_x/a\.py  has the name of a/01_x/a\.py"):
        read_examples([folder / "a", folder / "b"], folder)


def test_every_unreadable_example_is_named() -> None:
    """One message for all, each with file and line."""
    with pytest.raises(UsageError) as caught:
        read_examples([CASES / "unreadable"], ROOT)
    message = str(caught.value)
    for path in (CASES / "unreadable").glob("*.py"):
        assert f"tests/cases/unreadable/{path.name}:" in message


def test_given_timeout_counts_for_all(tmp_path: Path) -> None:
    """The option outranks the project's table."""
    project = tmp_path / "pyproject.toml"
    project.write_text("[tool.tensor-atlas]\ntimeout = 7\n", encoding="utf-8")
    assert timeouts(2.5, project)(example("value = 1\n")) == 2.5


def test_longest_begin_first() -> None:
    """By what they took before; else those that start interpreters, the more of them the earlier."""
    plain, two = (
        example("value = 1\n", "01_x/plain"),
        example("a = [sys.executable, sys.executable]\n", "01_x/two"),
    )
    other, one = example("value = 2\n", "01_x/other"), example("a = sys.executable\n", "01_x/one")
    assert longest_first([plain, one, other, two], {}) == [two, one, plain, other]
    assert longest_first([plain, one, other, two], {"01_x/other": 9.0, "01_x/two": 0.01}) == [
        other,
        one,
        plain,
        two,
    ]


def test_probe_runs_what_standard_input_names(tmp_path: Path) -> None:
    """What took longest first, as the lines tell; the capture itself stays in order of name."""
    folder = tmp_path / "examples" / "01_x"
    folder.mkdir(parents=True)
    for name in "abcd":
        code = f"with open({str(tmp_path / 'ran')!r}, 'a') as file:\n    _ = file.write({name!r})\n"
        (folder / f"{name}.py").write_text(HEAD + code, encoding="utf-8")
    named = "examples/01_x/a.py\nexamples/01_x/b.py\t9\nexamples/01_x/c.py\t4.5\n"
    done = python(tmp_path, "-m", "tensor_atlas.probe", "-", "-o", "capture.json", "-j", "1", given=named)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "ran").read_text(encoding="utf-8") == "bca"
    runs = json.loads((tmp_path / "capture.json").read_text(encoding="utf-8"))["runs"]
    assert [run["example"] for run in runs] == ["01_x/a", "01_x/b", "01_x/c"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("", "standard input names no script"),
        ("examples/01_x/a.py\tsoon\n", "a.py  'soon' is no number of seconds"),
        ("examples/01_x/a.py\tnan\n", "a.py  'nan' is no number of seconds"),
        ("examples/01_x/a.py\t-1\n", "a.py  '-1' is no number of seconds"),
    ],
)
def test_standard_input_that_tells_nothing_is_refused(
    given: str, message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With exit code 2 and a remedy."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode())))
    assert main(["-", "-o", "capture.json"]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert "\n    write" in told


class Terminal(io.StringIO):
    """Standard error that somebody watches."""

    def isatty(self) -> bool:
        """It is one."""
        return True


def test_progress_tells_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """From what was expected of the rest, once as many have ended as run at a time; in minutes where there are some."""
    now = iter([100.0, 110.0, 115.0, 119.0])
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setattr(time, "monotonic", lambda: next(now))
    progress = Progress(3, "examples executed", 100.0, jobs=2)
    for name, part in (("a", 5.0), ("b", 5.0), ("c", 90.0)):
        progress.step(name, part)
    steps = shown.getvalue().split("\r\x1b[K")
    assert steps == ["", "[1/3] a", "[2/3] b, 1 min 30 s left", "[3/3] c, 0 s left"]


def test_progress_of_what_took_no_time_tells_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing was expected, nothing can be told of the rest."""
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    progress = Progress(2, "examples executed", 0.0, jobs=1)
    progress.step("a", 0.0)
    assert shown.getvalue() == "\r\x1b[K[1/2] a"


def test_shuffling_changes_the_order_and_nothing_else() -> None:
    """The same seed gives the same order; none is lost; without a seed the order of name stays."""
    examples = [example(f"value = {number}\n", f"01_x/e{number}") for number in range(9)]
    assert shuffled(examples, None) == examples
    once = shuffled(examples, 1)
    assert once != examples
    assert sorted(once, key=lambda e: e.name) == examples
    assert shuffled(examples, 1) == once


@pytest.mark.parametrize(("jobs", "on_gpu"), [(16, GPU_JOBS), (GPU_JOBS, GPU_JOBS), (1, 1)])
def test_what_uses_a_gpu_runs_by_itself_and_few_at_a_time(jobs: int, on_gpu: int) -> None:
    """After all else, in its own order: each process takes memory of the device, and none waits for busy processors."""
    assert list(apart(["b", "cuda 2", "a", "cuda 1"], jobs, lambda name: name.startswith("cuda"))) == [
        (["b", "a"], jobs),
        (["cuda 2", "cuda 1"], on_gpu),
    ]


def test_summary_tells_what_ran_where_and_what_was_missing() -> None:
    """Whoever made a capture on a strange machine sees at once whether it is complete."""
    runs = [ran(example("print(1)\n", f"01_x/{stem}.py"), "1") for stem in "ab"]
    absent = [Run(f"01_x/{stem}", "d", Status.NOT_RUN, "needs 2 CUDA devices, found 1") for stem in "cd"]
    late = Run("01_x/e", "d", Status.TIMED_OUT, "no end after 60 s")
    assert summary(captured(*runs, *absent, late, environment=GPU)).split("\n") == [
        "torch 2.13.0+cu130, NumPy 2.4.6, 1 × NVIDIA H200",
        "2 examples completed",
        "1 example timed out",
        "2 examples not run: needs 2 CUDA devices, found 1",
    ]
    assert summary(captured()) == "torch 2.13.0+cpu, NumPy 2.4.6, no GPU found"


def test_timeouts_come_from_the_project(tmp_path: Path) -> None:
    """One for all, exceptions by name, and a default where nothing is said."""
    project = tmp_path / "pyproject.toml"
    assert timeouts(None, project)(example("value = 1\n")) == TIMEOUT
    (tmp_path / "examples" / "01_x").mkdir(parents=True)
    (tmp_path / "examples" / "01_x" / "b.py").touch()
    project.write_text('[tool.tensor-atlas]\ntimeout = 7\ntimeouts = {"01_x/b" = 0.5}\n', encoding="utf-8")
    of = timeouts(None, project)
    assert of(example("value = 1\n")) == 7
    assert of(example("value = 1\n", "examples/01_x/b.py")) == 0.5


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("timeout = 0", "a timeout of 0 is no number of seconds"),
        ("timeout = inf", "a timeout of inf is no number of seconds"),
        ("timeout = nan", "a timeout of nan is no number of seconds"),
        ("timeout = true", "a timeout of True is no number of seconds"),
        ('timeouts = {"01_x/a" = "long"}', "a timeout of 'long' is no number of seconds"),
        ('timeouts = {"01_x/gone" = 3}', "a timeout for no example: 01_x/gone"),
        ("timeouts = 3", "tool.tensor-atlas.timeouts is not a table"),
        ("timeout = ", "not TOML"),
        ("# \xff", "not TOML"),
        (f"timeout = 1{'0' * 400}", "a timeout of 1000"),
        (f"x = 1{'0' * 5000}", "not TOML: Exceeds the limit"),
        (f"x = {'[' * 3000}", "not TOML: maximum recursion depth exceeded"),
    ],
)
def test_wrong_timeout_is_refused(tmp_path: Path, text: str, words: str) -> None:
    """The message names the file."""
    project = tmp_path / "pyproject.toml"
    project.write_text(f"[tool.tensor-atlas]\n{text}\n", encoding="latin-1")
    with pytest.raises(UsageError) as caught:
        timeouts(None, project)
    assert str(caught.value).startswith(f"{project}  {words}")


@pytest.mark.parametrize("text", ["tool = 3", "[tool]\ntensor-atlas = 3"])
def test_settings_that_are_no_table_are_refused(text: str, tmp_path: Path) -> None:
    """Whoever wrote them meant something by it."""
    project = tmp_path / "pyproject.toml"
    project.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"pyproject\.toml  tool\.tensor-atlas is not a table\n    write"):
        timeouts(None, project)


@pytest.mark.parametrize("seconds", ["1e9", "1e308"])
def test_example_may_be_given_years(seconds: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than a system waits at once; and it is not waited for longer than it takes."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples" / "01_x").mkdir(parents=True)
    (tmp_path / "examples" / "01_x" / "a.py").write_text(HEAD + "print(1)\n# => 1\n", encoding="utf-8")
    assert main(["examples", "-o", "capture.json", "--timeout", seconds]) == 0
    assert '"completed"' in (tmp_path / "capture.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "options",
    [
        ["--jobs", "0"],
        ["--jobs", "-1"],
        ["--timeout", "0"],
        ["--timeout", "nan"],
        ["--timeout", "inf"],
        ["--timeout", "long"],
        ["--timeout", ""],
        ["--jobs", "many"],
        ["--jobs", ""],
        ["--jobs", "9" * 5000],
    ],
)
def test_number_that_would_run_nothing_is_refused(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No jobs would run no example and call it success; no time would fail them all."""
    with pytest.raises(SystemExit) as caught:
        main(["examples", "-o", str(tmp_path / "capture.json"), *options])
    assert caught.value.code == 2
    option, number = options
    words = "jobs" if option == "--jobs" else "seconds"
    assert f"{option}: {number or 'nothing'} is no number of {words}: write" in capsys.readouterr().err


def test_capture_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    """Folders are made, nothing partial is left, and an older capture is replaced."""
    what = example("print(1)\n")
    output = tmp_path / "new" / "capture.json"
    for stdout in ("1", "2"):
        capture = captured(ran(what, stdout))
        write(capture, output)
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
    with pytest.raises(UsageError, match=r"capture\.json  cannot be written: .*\n    name a file"):
        write(captured(), output)
    assert list(tmp_path.iterdir()) == [output]


def test_bad_input_is_exit_code_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is run and nothing written; the message says where."""
    monkeypatch.chdir(tmp_path)
    assert main([str(CASES / "unreadable"), "-o", "capture.json"]) == 2
    assert "orphan.py:10  misplaced claim" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_failing_examples_are_observations_not_errors(capture: Capture) -> None:
    """The probe itself succeeds whatever the examples do: its fixture has checked exit code 0."""
    assert {str(run.status) for run in capture.runs} == {
        "completed",
        "raised",
        "exited",
        "crashed",
        "timed out",
        "not run",
    }


def test_no_example_that_can_run_is_no_failure(tmp_path: Path) -> None:
    """A machine without what the examples need gets a capture that says so."""
    folder = tmp_path / "examples" / "04_needs"
    folder.mkdir(parents=True)
    shutil.copy(CASES / "good" / "04_needs" / "many_gpus.py", folder)
    done = python(tmp_path, "-m", "tensor_atlas.probe", "examples", "-o", "capture.json", "--timeout", "30")
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("0 examples executed in ")
    (run,) = json.loads((tmp_path / "capture.json").read_text(encoding="utf-8"))["runs"]
    assert run["status"] == "not run"
