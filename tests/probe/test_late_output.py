"""What scripts write after their last statement: the probe sees what ``python script.py`` writes."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from samples import ROOT, example, python, turn_clock, write_example

from tensor_atlas.examples.files import read_examples
from tensor_atlas.model.runs import AFTER, Observation, Run, Status
from tensor_atlas.probe.forkserver import ForkServer, fork_server
from tensor_atlas.probe.output import normalise
from tensor_atlas.probe.runner import run_examples

LAST = 'print("last statement")\n'
SCRIPTS = {
    "exit_handlers": 'import atexit\natexit.register(print, "first")\natexit.register(print, "second")\n',
    "unjoined_thread": """import threading
def late():
    threading.main_thread().join()
    print("from a thread")
threading.Thread(target=late).start()
""",
    "thread_that_raises": """import threading
def late():
    threading.main_thread().join()
    int("x")
threading.Thread(target=late, name="worker").start()
""",
    "thread_pool": """import time
from concurrent.futures import ThreadPoolExecutor
def late():
    time.sleep(0.2)
    print("from a pool")
future = ThreadPoolExecutor(1).submit(late)
""",
    "destructor": """class Loud:
    def __init__(self, name):
        self.name = name
    def __del__(self):
        print("deleted", self.name)
loud = Loud("a")
loud.other = Loud("b")
""",
    "destructor_in_a_cycle": """class Loud:
    def __del__(self):
        print("deleted", len(names))
names = ["global"]
loud = Loud()
loud.itself = loud
""",
    "destructor_that_raises": """class Loud:
    def __repr__(self):
        return "Loud()"
    def __del__(self):
        raise ValueError("too late")
loud = Loud()
""",
    "generator": """def numbers():
    try:
        yield 1
    finally:
        print("closed")
open_one = numbers()
first = next(open_one)
""",
    "exit_stack": """import atexit, contextlib
stack = contextlib.ExitStack()
opened = atexit.register(stack.close)
function = stack.callback(print, "unwound")
""",
    "finalizer": """import weakref
class Thing:
    pass
thing = Thing()
finalizer = weakref.finalize(thing, print, "finalized")
""",
    "exit_handler_that_raises": """import atexit
def fail():
    raise ValueError("in a handler")
atexit.register(fail)
""",
    "unjoined_process": """import multiprocessing, time
def late():
    time.sleep(0.2)
    print("from a process", flush=True)
multiprocessing.get_context("fork").Process(target=late).start()
""",
    "memory_handler": """import logging, logging.handlers, sys
target = logging.StreamHandler(sys.stdout)
logging.getLogger().addHandler(logging.handlers.MemoryHandler(10, target=target))
logging.warning("kept back")
""",
    "replaced_stream": """import io, sys
class Loud:
    def __del__(self):
        print("to the terminal")
loud = Loud()
print("shown")
sys.stdout = io.StringIO()
""",
    "sys_exit": 'import atexit, sys\natexit.register(print, "on the way out")\nsys.exit(0)\n',
    "forked_child": """import atexit, os
atexit.register(print, "handler")
pid = os.fork()
if pid:
    done = os.waitpid(pid, 0)
""",
    "silent_leak": "import os\nfile = open(os.devnull)\n",
    "silent_leak_of_a_library": """import os, warnings
warnings.filterwarnings("ignore", category=UserWarning, module="library")
warnings.simplefilter("ignore", ImportWarning, append=True)
file = open(os.devnull)
""",
    "unfinished_line": 'import atexit, sys\natexit.register(sys.stdout.write, "no end")\n',
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A checkout that holds the scripts; the working directory."""
    root = tmp_path_factory.mktemp("checkout")
    for name, code in SCRIPTS.items():
        write_example(root, code + LAST, f"01_x/{name}")
    with contextlib.chdir(root):
        yield root


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[ForkServer]:
    """A process that has imported torch, for all scripts; started where they are."""
    with contextlib.chdir(folder), fork_server() as found:
        yield found


@pytest.fixture(scope="module")
def runs(folder: Path, server: ForkServer) -> Mapping[str, Run]:
    """Run of each script, as the probe observes it."""
    examples = read_examples([folder / "examples"], folder)
    return {run.example.split("/")[1]: run for run, _ in run_examples(examples, 2, lambda _: 60, server)}


@pytest.mark.parametrize("name", SCRIPTS)
def test_probe_sees_what_a_plain_script_writes(name: str, runs: Mapping[str, Run], folder: Path) -> None:
    """All lines of both streams, from the first statement to the end of the process, in their order."""
    command = [sys.executable, "-u", f"examples/01_x/{name}.py"]
    plain = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True, timeout=60)
    seen = [*runs[name].observations, runs[name].late or Observation(AFTER)]
    for field in ("stdout", "stderr"):
        lines = [line for one in seen for line in getattr(one, field).split("\n") if line]
        words = {sysconfig.get_paths()["stdlib"]: "lib", str(folder / "examples"): "examples"}
        written = normalise(getattr(plain, field), words)
        assert lines == [line for line in written.split("\n") if line]


def test_late_output_stands_apart(runs: Mapping[str, Run]) -> None:
    """It is no output of the last statement, and a script without it has nothing to show."""
    run = runs["exit_handlers"]
    assert run.status is Status.COMPLETED
    assert run.late == Observation(AFTER, stdout="second\nfirst")
    assert run.observations[-1].stdout == "last statement"
    assert runs["silent_leak"].late is None
    assert runs["silent_leak_of_a_library"].late is None


def test_leaks_are_shown_to_a_script_that_asks_for_them(server: ForkServer) -> None:
    """As a warning behind its last statement."""
    code = 'import os, warnings\nwarnings.simplefilter("always", ResourceWarning)\nfile = open(os.devnull)\n'
    late = run_for(code, 60, server).late
    assert late is not None
    assert [warned.category for warned in late.warnings] == ["ResourceWarning"]


def test_exit_by_the_script_is_told_with_its_late_output(runs: Mapping[str, Run]) -> None:
    """``sys.exit`` ends the statements, not the exit handlers."""
    run = runs["sys_exit"]
    assert (run.status, run.reason) == (Status.EXITED, "sys.exit(0)")
    assert run.late == Observation(AFTER, stdout="on the way out")


def run_for(code: str, seconds: float, server: ForkServer) -> Run:
    """Run of an example with this code and this time."""
    ((run, _),) = run_examples([example(code)], 1, lambda _: seconds, server)
    return run


HANGS = """import threading, time
def stay():
    threading.main_thread().join()
    while True:
        with open({mark!r}, "a") as file:
            done = file.write("x")
        time.sleep(0.1)
print("before")
threading.Thread(target=stay).start()
print("last", flush=True)
import atexit
"""


def test_thread_without_end_is_told_as_timed_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: ForkServer
) -> None:
    """With what was written before; the statements have their own output."""
    mark = tmp_path / "staying"
    turn_clock(monkeypatch, mark, 1000)
    run = run_for(HANGS.format(mark=str(mark)), 500, server)
    assert (run.status, run.reason) == (Status.TIMED_OUT, "no end after 500 s, after the last statement")
    assert [seen.stdout for seen in run.observations if seen.stdout] == ["before", "last"]


def test_crash_at_the_end_is_told_with_the_output_before_it(server: ForkServer) -> None:
    """A signal that kills the process in an exit handler is no silent success."""
    run = run_for(
        'import atexit, os\natexit.register(os.abort)\natexit.register(print, "late")\n', 60, server
    )
    assert (run.status, run.reason) == (Status.CRASHED, "SIGABRT, after the last statement")
    assert run.late == Observation(AFTER, stdout="late")


def test_silence_is_observed_where_it_is_claimed_otherwise(server: ForkServer) -> None:
    """An example with a claim about its end says that nothing came, which is not the same as not observed."""
    claiming = example(f"print(1)\n# => 1\n\n{AFTER}\n# => nothing says this\n")
    ((run, _),) = run_examples([claiming], 1, lambda _: 60, server)
    assert run.late == Observation(AFTER)


def test_plain_runs_end_as_python_does(folder: Path) -> None:
    """The forked runs that the gallery is compared with write late output, too."""
    scripts = {name: str(folder / f"examples/01_x/{name}.py") for name in ("exit_handlers", "destructor")}
    done = python(ROOT, "tests/plain_runs.py", *scripts.values())
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found[scripts["exit_handlers"]]["stdout"] == "last statement\nsecond\nfirst\n"
    assert found[scripts["destructor"]]["stdout"] == "last statement\ndeleted a\ndeleted b\n"
