"""Examples in interpreters of their own: what the probe does where there is no fork, as on Windows."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

import pytest
from samples import ROOT, python, turn_clock, write_example

from tensor_atlas.model.capture import Capture
from tensor_atlas.model.runs import Status
from tensor_atlas.probe.forkserver import ForkServer
from tensor_atlas.probe.processes import Emit, Ended, Task, run_processes
from tensor_atlas.probe.sandbox import has_ended
from tensor_atlas.probe.spawner import VARIABLE, Spawner, process_server
from tensor_atlas.records import store

WITHOUT = """
import os
import signal
import sys

for name in ("fork", "forkpty", "getuid", "killpg", "pread", "pwrite", "setsid"):
    delattr(os, name)
for name in ("SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGQUIT"):
    delattr(signal, name)
sys.modules.update(dict.fromkeys(("fcntl", "pwd", "resource"), None))
"""
"""What Python does not have on Windows, taken away at the start of each interpreter."""

TINY = """import os
import sys
import threading
import warnings

import numpy as np
import torch

print(hasattr(os, "fork"))
print("to standard error", file=sys.stderr)
warnings.warn("look out")
array = np.zeros(2)
tensor = torch.from_numpy(array)
os.write(1, b"by descriptor\\n")
def late():
    threading.main_thread().join()
    print("from a thread")
threading.Thread(target=late).start()
"""

SLEEPER = """
import sys

sys.path[:] = {path!r}
import test_spawner as tests

tests.run(tests.Task(tests.sleep_on, ({file!r},), 600), tests.Spawner(()))
"""
"""A probe with one task that takes long."""

ALIKE = (
    "01_observe/caught",
    "01_observe/output",
    "01_observe/strange",
    "01_observe/warned",
    "02_isolation/background",
    "02_isolation/threads",
    "03_sharing/views",
    "12_errors/never_made",
    "13_endings/exits",
    "13_endings/hangs",
    "13_endings/outlived",
    "13_endings/speaks_and_crashes",
)
"""Cases that between them end, write and leave behind what an example can."""


def emit_one(_: str, emit: Emit) -> None:
    """In the process: an event."""
    emit(1)


def sleep_on(path: str, _: str, __: Emit) -> None:
    """In the process: say which one it is, and go on for long."""
    Path(path).write_text(str(os.getpid()), encoding="utf-8")
    time.sleep(600)


def run(task: Task, server: Spawner) -> Ended:
    """What is left of one task."""
    (ended,) = run_processes(deque([task]), 1, server)
    return ended


def write_module(folder: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """A module ``imported_first`` that interpreters find."""
    (folder / "imported_first.py").write_text(code, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path, str(folder)])


def test_variable_asks_for_interpreters_where_fork_would_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty, it asks for nothing."""
    monkeypatch.setenv(VARIABLE, "")
    with process_server() as usual:
        assert isinstance(usual, ForkServer)
    monkeypatch.setenv(VARIABLE, "1")
    with process_server() as asked_for:
        assert isinstance(asked_for, Spawner)


def test_time_of_imports_is_not_that_of_the_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An example may take as long as in a process that finds torch imported."""
    mark = tmp_path / "imported"
    write_module(tmp_path, monkeypatch, f"with open({str(mark)!r}, 'w') as file:\n    file.write('x')\n")
    turn_clock(monkeypatch, mark, 400)  # as if the import took so long
    ended = run(Task(emit_one, (), 200), Spawner(("imported_first",)))
    assert mark.exists()
    assert (ended.is_late, ended.events) == (False, [1])
    assert ended.seconds < 400


def test_end_during_the_imports_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, as it happened."""
    write_module(tmp_path, monkeypatch, "import os\nos.kill(os.getpid(), 11)\n")
    ended = run(Task(emit_one, (), 60), Spawner(("imported_first",)))
    assert ended.describe() == (Status.CRASHED, "SIGSEGV")


def test_interpreter_ends_with_the_probe_that_is_killed(tmp_path: Path) -> None:
    """However that ends."""
    if sys.platform != "linux":
        pytest.skip("needs Linux")
    path = tmp_path / "pid"
    code = SLEEPER.format(path=[*sys.path, str(Path(__file__).parent)], file=str(path))
    probe = subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "TMPDIR": str(tmp_path)})
    _wait_until(lambda: path.is_file() and path.read_text(encoding="utf-8") != "")
    pid = int(path.read_text(encoding="utf-8"))
    assert not has_ended(pid)
    probe.send_signal(signal.SIGKILL)
    probe.wait()
    _wait_until(lambda: has_ended(pid) or not Path("/proc", str(pid)).exists())


def _wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_example_is_captured_without_what_windows_lacks(tmp_path: Path) -> None:
    """Neither the probe nor its interpreters need it: the run is that of a forked process."""
    write_example(tmp_path, TINY)
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(WITHOUT, encoding="utf-8")
    arguments = ("-m", "tensor_atlas.probe", "examples", "-o")
    path = str(ROOT / "src")
    here = python(tmp_path, *arguments, "here.json", PYTHONPATH=path)
    there = python(tmp_path, *arguments, "there.json", PYTHONPATH=os.pathsep.join([str(site), path]))
    assert (here.returncode, there.returncode) == (0, 0), there.stderr
    (expected,), (found,) = (
        json.loads((tmp_path / name).read_text(encoding="utf-8"))["runs"]
        for name in ("here.json", "there.json")
    )
    printed = [seen for seen in found["observations"] if seen.get("stdout") == "False"]
    assert len(printed) == 1
    printed[0]["stdout"] = "True"
    assert found == expected


@pytest.mark.slow
def test_cases_are_captured_alike_by_interpreters(everything: Path, tmp_path: Path) -> None:
    """Output, warnings, errors, memory, late output and ends, crashes and hangs among them."""
    scripts = [f"examples/{name}.py" for name in ALIKE]
    forked, spawned = (capture_runs(everything, tmp_path, asked, *scripts) for asked in ("", "1"))
    assert [run.example for run in forked.runs] == sorted(ALIKE)
    assert spawned.runs == forked.runs


@pytest.mark.slow
def test_cells_are_captured_alike_by_interpreters(tmp_path: Path) -> None:
    """A few: each row has an interpreter."""
    sample = ("--matrix", "--sample", "8", "--seed", "3")
    forked, spawned = (capture_runs(ROOT, tmp_path, asked, *sample) for asked in ("", "1"))
    assert len(forked.cells) > 1
    assert spawned.cells == forked.cells


def capture_runs(root: Path, folder: Path, asked: str, *arguments: str) -> Capture:
    """Capture of a probe that is ``asked`` for interpreters or not."""
    output = folder / f"{asked or 'forked'}.json"
    done = python(
        root, "-m", "tensor_atlas.probe", *arguments, "-o", str(output), "-j", "2", **{VARIABLE: asked}
    )
    assert done.returncode == 0, done.stderr
    return store.read_capture(output)
