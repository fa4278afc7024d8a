"""What a process tells of an example: in a file that nobody need listen to, whole or up to where it ends."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensor_atlas.examples.parse import Example, parse_example
from tensor_atlas.model.runs import (
    Buffer,
    Observation,
    Raised,
    Run,
    Snapshot,
    Status,
    Value,
    Warned,
)
from tensor_atlas.probe import runner
from tensor_atlas.probe.runner import EVENTS, context, run_all

HEAD = '"""\nTitle\n=====\n\nDecide something.\n"""\n\n'
TOLD = (
    Observation(
        "x = 1", "out", "err", (Warned("UserWarning", "é"),), (Raised("TypeError", "no"),), Raised("E", "m")
    ),
    Snapshot(
        (Value("x", "A", "int8", (1,), (1,), "cpu", None, None, 0, 0, 1),), (Buffer("cpu", 1),), (("x", "y"),)
    ),
    Observation("y = 2"),
    (Status.RAISED, "E"),
)
PIECES = [pickle.dumps(event) for event in TOLD]


def example(body: str, name: str = "a") -> Example:
    """An example with these statements."""
    return parse_example(HEAD + body, f"examples/01_x/{name}.py")


def run_of(one: Example) -> Run:
    """What became of it."""
    ((run, _),) = run_all([one], 1, lambda _: 60.0, context())
    return run


def told(directory: Path, data: bytes) -> tuple[list[object], object]:
    """Events, and the end, that are read from a file of ``data``."""
    path = directory / "told"
    path.write_bytes(data)
    descriptor = os.open(path, os.O_RDONLY)
    file: Any = SimpleNamespace(fileno=lambda: descriptor)
    try:
        observations, snapshots, end = runner._told(file)
    finally:
        os.close(descriptor)
    return [*observations, *snapshots], end


def test_events_come_as_they_were_told(tmp_path: Path) -> None:
    """Every part of them."""
    assert told(tmp_path, b"".join(PIECES)) == ([TOLD[0], TOLD[2], TOLD[1]], TOLD[3])


def test_what_is_told_is_kept_in_little_memory() -> None:
    """There are thousands: none has room for more than its fields, and the code is the example's own."""
    one = example("x = 1\nprint(x + 1)\n")
    run = run_of(one)
    for statement, observation in zip(one.statements, run.observations, strict=True):
        assert observation.code is statement.code
    for told in (*TOLD[0].warnings, *TOLD[0].caught, *TOLD[:2], *TOLD[1].values, *TOLD[1].buffers):
        assert not hasattr(told, "__dict__")


def test_event_that_is_cut_short_is_left_out(tmp_path: Path) -> None:
    """Wherever a process died, what it had told before is kept, and no end made up."""
    data, ends = b"".join(PIECES), [sum(map(len, PIECES[: count + 1])) for count in range(len(PIECES))]
    for length in range(len(data)):
        events, end = told(tmp_path, data[:length])
        assert len(events) == sum(length >= each for each in ends), length
        assert end is None, length


@pytest.mark.parametrize(
    "planted", [b"", b"\x80", b"nonsense", b"\x00" * 40, pickle.dumps(5), pickle.dumps((1, 2))]
)
def test_what_is_no_event_ends_them(planted: bytes, tmp_path: Path) -> None:
    """Nothing after it can be told from it."""
    events, end = told(tmp_path, PIECES[0] + planted + b"".join(PIECES[2:]))
    assert events == ([TOLD[0], TOLD[2]] if planted == b"" else [TOLD[0]])
    assert end == (TOLD[3] if planted == b"" else None)


@given(st.binary(max_size=60))
def test_garbage_is_never_an_error(tmp_path_factory: pytest.TempPathFactory, garbage: bytes) -> None:
    """Whatever it is."""
    events, _ = told(tmp_path_factory.getbasetemp(), PIECES[0] + garbage)
    assert events[0] == TOLD[0]


def test_reading_makes_nothing_but_events(tmp_path: Path) -> None:
    """An example can write to the file; whoever reads it would run what it says."""

    class Planted:
        def __reduce__(self) -> tuple[object, ...]:
            return os.mkdir, (str(tmp_path / "planted"),)

    assert told(tmp_path, PIECES[0] + pickle.dumps(Planted()) + PIECES[2]) == ([TOLD[0]], None)
    assert not (tmp_path / "planted").exists()


def test_events_are_told_in_a_file_where_there_is_none_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on systems without them: the same is observed."""
    look = example("import os\n\nprint(sorted(os.listdir('..')))\nraise ValueError('no')\n")
    usual = run_of(look)
    monkeypatch.delattr(os, "memfd_create", raising=False)
    run = run_of(look)
    assert (run.status, run.reason) == (usual.status, usual.reason) == (Status.RAISED, "ValueError")
    assert run.observations[1].stdout == str(["1", "2", EVENTS, "work"])
    assert run.observations[2:] == usual.observations[2:]


def test_events_are_told_by_name_where_processes_cannot_fork() -> None:
    """As on Windows: the same is observed."""
    some = example("import os\n\nprint('told')\nos._exit(3)\n")
    ((run, _),) = run_all([some], 1, lambda _: 60.0, multiprocessing.get_context("spawn"))
    assert run.reason == "the process ended without a word, exit code 3"
    assert [observation.stdout for observation in run.observations] == ["", "told", ""]


def test_events_do_not_lie_on_a_disk_where_memory_has_files() -> None:
    """It may be full."""
    if not hasattr(os, "memfd_create"):
        pytest.skip("this system keeps no files in memory alone")
    run = run_of(example("import os\n\nprint(sorted(os.listdir('..')))\n"))
    assert run.observations[1].stdout == str(["work"])


def test_no_descriptor_is_left_open() -> None:
    """However an example ended, and when nobody asks for the rest of the runs."""
    folder = Path("/proc/self/fd")
    if not folder.is_dir():
        pytest.skip("needs Linux's /proc to count descriptors")
    bodies = (
        "x = 1\n",
        "import os\n\nos._exit(3)\n",
        "import os\n\nos.abort()\n",
        "import time\n\ntime.sleep(600)\n",
    )
    context()
    before = len(list(folder.iterdir()))
    several = [example(body, f"e{number}") for number, body in enumerate(bodies)]
    started = run_all(several, 4, lambda _: 1.0, context())
    assert len([run for run, _ in started]) == len(bodies)
    stopped = run_all(several, 4, lambda _: 60.0, context())
    next(stopped)
    stopped.close()  # type: ignore[attr-defined]
    assert len(list(folder.iterdir())) == before


def test_process_that_still_runs_is_late_even_if_it_has_told_of_its_end() -> None:
    """An end that an example wrote itself does not hide that it hangs."""
    body = (
        "import os\nimport pickle\nimport time\n\n\n"
        "from tensor_atlas.model.runs import Status\n\n"
        "for number in range(3, 64):\n"
        "    try:\n        os.write(number, pickle.dumps((Status.COMPLETED, '')))\n"
        "    except OSError:\n        pass\n"
        "time.sleep(600)\n"
    )
    began = time.monotonic()
    ((run, seconds),) = run_all([example(body)], 1, lambda _: 2.0, context())
    assert (run.status, run.reason) == (Status.TIMED_OUT, "no end after 2 s")
    assert 2 <= seconds <= time.monotonic() - began
    assert run.observations[-1].code.startswith("for number")  # the last that is known to have begun


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")
def test_what_an_example_has_forked_tells_nothing() -> None:
    """It runs to the end like the example, and would tell everything a second time."""
    run = run_of(example("import os\n\nnumber = os.fork()\nif number:\n    os.waitpid(number, 0)\nx = 1\n"))
    assert run.status is Status.COMPLETED
    assert [observation.code.split()[0] for observation in run.observations] == [
        "import",
        "number",
        "if",
        "x",
    ]
