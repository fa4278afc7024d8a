"""A fresh process per example: nothing leaks, nothing that ends badly harms the rest, nothing survives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tensor_atlas.catalogue import CONVERSIONS, SOURCES
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.runs import Raised, Run, Status
from tensor_atlas.probe import runner
from tensor_atlas.probe.output import POISONED
from tensor_atlas.probe.processes import Ended, Task

RunOf = Callable[[str], Run]


def printed(run: Run) -> list[str]:
    """What the statements of a run printed, silent ones left out."""
    return [observation.stdout for observation in run.observations if observation.stdout]


def test_state_does_not_leak(run_of: RunOf) -> None:
    """Print options, the default dtype, a seed, the environment, modules, warnings and files end with the
    example.
    """
    assert printed(run_of("02_isolation/a_leaks")) == ["[0.1] torch.float64 ['leak.txt']"]
    assert printed(run_of("02_isolation/b_next")) == [
        "[0.123] tensor(0.1230)",
        "torch.float32",
        "False None False 1",
        "[]",
    ]


def test_daemon_threads_are_not_waited_for(run_of: RunOf) -> None:
    """As in a plain script, where nothing else waits for them."""
    assert run_of("02_isolation/threads").status is Status.COMPLETED


def test_process_left_behind_is_ended(run_of: RunOf, everything: Path) -> None:
    """A child that an example leaves running ends with it: no process of the probe's is left."""
    if not Path("/proc/self/environ").is_file():
        pytest.skip("needs Linux's /proc to look for the process")
    assert run_of("02_isolation/background").status is Status.COMPLETED
    mark = (
        f"TMPDIR={everything.parent / 'tmp'}".encode()
    )  # the probe was started with it, and so were its children
    left = [path for path in Path("/proc").glob("[0-9]*/environ") if mark in _content(path)]
    assert [_content(path.with_name("cmdline")) for path in left] == []


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # it has just ended, or is another user's
        return b""


@pytest.mark.parametrize(
    ("example", "status", "reason", "reached"),
    [
        ("crashes", Status.CRASHED, "SIGSEGV", 4),
        ("exits_silently", Status.EXITED, "the process ended without a word, exit code 0", 3),
        ("hangs", Status.TIMED_OUT, "no end after 3 s", 3),
    ],
)
def test_what_was_observed_before_a_bad_end_is_kept(
    run_of: RunOf, example: str, status: Status, reason: str, reached: int
) -> None:
    """Observations are sent as they are made; the statement of a crash, a silent exit or a hang is the last
    of them.
    """
    run = run_of(f"13_endings/{example}")
    assert (run.status, run.reason) == (status, reason)
    assert len(run.observations) == reached
    assert run.observations[-2].stdout in ("alive", "half-way", "waiting")
    assert run.observations[-1].code in (
        "os.kill(os.getpid(), signal.SIGSEGV)",
        "os._exit(0)",
        "time.sleep(600)",
    )


def test_last_words_of_a_crash_are_kept(run_of: RunOf) -> None:
    """What the dying statement had written, through Python and below it, outlives its process."""
    run = run_of("13_endings/speaks_and_crashes")
    assert (run.status, run.reason) == (Status.CRASHED, "SIGABRT")
    last = run.observations[-1]
    assert (last.stdout, last.stderr) == ("step 0\nstep 1", "from below\nfrom below")


def test_crash_is_told_from_a_timeout_while_a_child_lives_on(run_of: RunOf) -> None:
    """A child that keeps the connection open does not hide that the process has died."""
    run = run_of("13_endings/outlived")
    assert (run.status, run.reason) == (Status.CRASHED, "SIGABRT")
    assert printed(run) == ["started"]
    assert run.observations[-1].code == "os.abort()"


def test_working_directories_are_removed(capture: Capture, everything: Path) -> None:
    """The probe leaves nothing in the temporary directory it was given, whatever way the examples ended."""
    assert capture.runs
    assert list((everything.parent / "tmp").iterdir()) == []


def test_every_example_has_one_run(capture: Capture, everything: Path) -> None:
    """Crashes and hangs of some cost none of the others."""
    scripts = sorted((everything / "examples").rglob("*.py"))
    assert [run.example for run in capture.runs] == [f"{path.parent.name}/{path.stem}" for path in scripts]
    able = [run.example for run in capture.runs if run.status is not Status.NOT_RUN]
    assert sorted(capture.seconds) == able


def test_example_that_lacks_a_device_is_not_run(run_of: RunOf) -> None:
    """Its run says what is missing."""
    run = run_of("04_needs/many_gpus")
    assert run.status is Status.NOT_RUN
    assert run.reason.startswith("needs 64 CUDA devices, found ")
    assert run.observations == ()


# --- cells ---------------------------------------------------------------------------------------


def ended(exitcode: int | None, written: str = "", *, is_late: bool = False) -> Ended:
    """What is left of a process that was trying a cell and had written to standard error."""
    return Ended(Task(print, (), 60.0), [], exitcode, is_late, "/none", {1: "", 2: written}, 1.0)


def test_cell_that_a_signal_ended_is_named_by_the_signal() -> None:
    """With what it wrote last, up to where torch says from which line of C++ it comes."""
    written = "terminate called\nno such device\nException raised from check at Device.cpp:7\nframe #0\n"
    raised = Raised("SIGABRT", "terminate called\nno such device")
    assert runner._last_cell(ended(-6, written)) == Cell(Outcome.CRASHES, error=raised)
    long = runner._last_cell(ended(-11, "x" * (runner.MAX_LAST_WORDS + 1)))
    assert long.error == Raised("SIGSEGV", "x" * runner.MAX_LAST_WORDS)


def test_cell_that_left_by_an_exit_code_is_named_by_the_code() -> None:
    """As what Python raises for it; what it wrote says nothing more."""
    raised = Raised("SystemExit", "the process ended without a word, exit code 3")
    assert runner._last_cell(ended(3, "bye")) == Cell(Outcome.CRASHES, error=raised)


def test_cell_whose_time_was_up_has_no_class() -> None:
    """Though a signal ended it."""
    raised = Raised("", "no end after 60 s")
    assert runner._last_cell(ended(-9, is_late=True)) == Cell(Outcome.TIMES_OUT, error=raised)


def test_batch_is_a_row_of_one_device() -> None:
    """Pairs keep their order; each pair is in one batch."""
    conversions, names = CONVERSIONS[:2], ("array-float32", "array-int64", "tensor-meta", "tensor-lazy")
    sources = [source for name in names for source in SOURCES if source.name == name]
    assert len(sources) == len(names)
    found = runner.batches([(conversion, source) for conversion in conversions for source in sources])
    rows = [[(conversion.name, source.name) for conversion, source in batch] for batch in found]
    assert rows == [
        row
        for conversion in conversions
        for row in (
            [(conversion.name, name) for name in names[:3]],
            [(conversion.name, "tensor-lazy")],
        )
    ]


def test_slow_source_is_tried_by_column() -> None:
    """Its first cell pays for the others."""
    slow = next(source for source in SOURCES if source.slow)
    pairs = [(conversion, slow) for conversion in CONVERSIONS[:3]]
    assert runner.batches(pairs) == [pairs]


def test_process_goes_on_behind_a_cell_that_harmed_nothing() -> None:
    """Not behind a broken CUDA context, nor behind a lazy tensor that could not be read."""
    poisoned = Raised("RuntimeError", f"CUDA error: {POISONED}")
    lazy = Cell(Outcome.COPIES, type="Tensor", device="lazy:0")
    cells = [
        Cell(Outcome.RAISES, error=Raised("TypeError", "no")),
        Cell(Outcome.RAISES, error=poisoned),
        Cell(Outcome.COPIES, type="Tensor", device="cpu"),
        lazy,
        replace(lazy, value="[1.0]"),
    ]
    assert [runner._spoils_process(cell) for cell in cells] == [False, True, False, True, False]
