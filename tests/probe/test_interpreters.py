"""Interpreters that an example starts, forked: what they give is what those give that are started."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tensor_atlas.examples.parse import Example, parse_example
from tensor_atlas.model.runs import Run, Status
from tensor_atlas.probe import __main__ as probe
from tensor_atlas.probe import interpreters
from tensor_atlas.probe.interpreters import LACKED, LAZY, as_asked, begins_with_torch
from tensor_atlas.probe.runner import context, renew, run_all

HEAD = '"""\nTitle\n=====\n\nDecide something.\n"""\n\n'
FORKED = "tensor_atlas.probe.zygote"
"""Module that a forked interpreter has, and none that was started."""
PROGRAM = f"import torch, sys; print(sys.modules.get({FORKED!r}) is not None)"
STARTS = f"import subprocess, sys\n\nsubprocess.run([sys.executable, '-c', {PROGRAM!r}])\n"
OFFERED = "import subprocess, sys\n\nsys.executable\nprint(subprocess._fork_exec.__name__)\n"
HAS_LAZY = f"import sys\n\nprint({LAZY!r} in sys.modules)\n"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere interpreters are started")


def example(body: str, name: str = "a") -> Example:
    """An example with these statements."""
    return parse_example(HEAD + body, f"examples/01_x/{name}.py")


def runs(examples: Sequence[Example], *, sparing: bool) -> list[Run]:
    """What becomes of them, one after another."""
    return [run for run, _ in run_all(examples, 1, lambda _: 60.0, context(), sparing=sparing)]


def both(program: str, *options: str) -> tuple[str, str]:
    """What an example prints of a program that it starts with ``options`` of subprocess.run: forked, and started."""
    asked = ", ".join(["[sys.executable, '-c', program, 'an argument']", *options])
    body = f"""
        import subprocess, sys, warnings
        program = {program!r}
        child = subprocess.run({asked}, capture_output=True, text=True)
        print(child.returncode, child.stdout, child.stderr, sep="|")
    """.replace("\n        ", "\n").strip()
    (forked,), (started,) = (runs([example(body + "\n")], sparing=sparing) for sparing in (True, False))
    assert (forked.status, started.status) == (Status.COMPLETED, Status.COMPLETED)
    return forked.observations[-1].stdout, started.observations[-1].stdout


EVERYTHING = """
import sys, os, threading, atexit, warnings, time
import numpy, torch
print(sys.argv, __name__, sorted(name for name in globals() if name.startswith("__")))
print(sys.path[0] == "", sys.stdin.read(), sys.stdout.line_buffering, sys.stdout.encoding, sys.stderr.errors)
print([f for f in warnings.filters if f[2] is not DeprecationWarning or f[1] is None], torch.is_warn_always_enabled())
print(os.path.basename(os.getcwd()), len(os.listdir("/proc/self/fd")), sys.stdout is sys.__stdout__)
warnings.warn("old", DeprecationWarning)
warnings.warn("old", PendingDeprecationWarning)
torch.from_numpy(numpy.frombuffer(b"12345678"))
torch.from_numpy(numpy.frombuffer(b"12345678"))

def late():
    time.sleep(0.1)
    print("from a thread")

class Last:
    def __del__(self):
        print("last")

last = Last()
atexit.register(print, "at the end")
threading.Thread(target=late).start()
sys.exit(3)
"""


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (
            EVERYTHING,
            [
                "3|['-c', 'an argument'] __main__",
                "given",
                "from a thread",
                "at the end",
                "last",
                "not writable",
            ],
        ),
        ("import torch\ntorch.ones(1).foo\n", ["1||Traceback", "AttributeError"]),
        ("import torch, sys\nprint('lost')\nsys.exit('gone')\n", ["1|lost", "gone"]),
        (
            "import torch, os\nprint('lost')\nprint('told', flush=True)\nprint('lost')\nos.abort()\n",
            ["-6|lost\ntold\n"],
        ),
    ],
    ids=["everything", "uncaught", "words", "aborted"],
)
def test_forked_interpreter_gives_what_a_started_one_gives(program: str, words: list[str]) -> None:
    """Arguments, streams, warnings, threads, exit handlers, last objects, exit code, tracebacks, what a crash loses."""
    forked, started = both(program, "input='given'")
    assert forked == started
    for each in words:
        assert each in started


def test_interpreter_is_forked_where_it_may_be() -> None:
    """Else the comparison above would compare nothing; and only where somebody asked to be spared."""
    assert [
        runs([example(STARTS)], sparing=sparing)[0].observations[-1].stdout for sparing in (True, False)
    ] == [
        "True",
        "False",
    ]


def test_what_an_example_hands_down_is_never_left_out() -> None:
    """A variable, a limit: the process that was forked first has another."""
    body = "import os, resource\n" + STARTS
    changed = "\n".join(
        [
            body,
            "os.environ['PYTHONUTF8'] = '1'",
            STARTS.splitlines()[-1],
            "del os.environ['PYTHONUTF8']",
            "resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200))",
            STARTS.splitlines()[-1],
            "",
        ]
    )
    (run,) = runs([example(changed)], sparing=True)
    assert [o.stdout for o in run.observations if "subprocess.run" in o.code] == ["True", "False", "False"]


def test_what_an_example_forks_starts_interpreters_itself() -> None:
    """It could not wait for a child of the process that forked it."""
    body = f"""
        import os, subprocess, sys
        own = os.getpid()
        if os.fork() == 0:
            child = subprocess.run([sys.executable, "-c", {PROGRAM!r}], capture_output=True, text=True)
            print(child.stdout, flush=True)
            os._exit(0)
        print(os.wait()[1])
    """.replace("\n        ", "\n").strip()
    (run,) = runs([example(body + "\n")], sparing=True)
    assert [o.stdout for o in run.observations][-1] == "False\n\n0"


@pytest.mark.parametrize(
    ("code", "begins"),
    [
        ("import torch", True),
        ("import sys, numpy as np\nimport torch\nprint(1)", True),
        ("import torch.nn as nn", True),
        ("from torch import nn", True),
        ("import numpy", False),
        ("import torchvision", False),
        ("from . import torch", False),
        ("import numpy\ndel numpy.core\nimport torch", False),
        ("import os; os.environ['OMP_NUM_THREADS'] = '1'; import torch", False),
        ("import torch\nprint(1 is 1)", False),
        ("import torch\nprint('\\d')", False),
        ("import torch\nprint(", False),
        ("import torch\nprint('\0')", False),
        ("import torch\n" + "-" * 100_000 + "1", False),
        ("", False),
    ],
)
def test_program_that_does_anything_before_it_imports_torch_is_started(code: str, begins: bool) -> None:
    """So is one that is no program, and one that Python warns of before it runs."""
    assert begins_with_torch(code) is begins


def taken(monkeypatch: pytest.MonkeyPatch, command: list[str], **options: Any) -> interpreters.Asked | None:
    """What is made of a command that subprocess.Popen gets."""
    found: list[interpreters.Asked | None] = []

    def noted(words: list[str], *given: Any) -> int:
        found.append(as_asked(words, given))
        raise OSError("nothing is started here")

    monkeypatch.setattr(subprocess, "_fork_exec", noted)
    monkeypatch.setattr(subprocess, "_USE_POSIX_SPAWN", False)
    with pytest.raises(OSError, match="nothing is started here"):
        subprocess.Popen(command, **options)
    return found[0]


def test_command_is_taken_as_it_was_given(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Code, arguments, folder."""
    asked = taken(
        monkeypatch, [sys.executable, "-c", PROGRAM, "a", "b"], stdout=subprocess.PIPE, cwd=tmp_path
    )
    assert asked == interpreters.Asked(PROGRAM, ("a", "b"), str(tmp_path))


@pytest.mark.parametrize(
    ("command", "options"),
    [
        (["/bin/echo", "-c", PROGRAM], {}),
        ([sys.executable, "script.py"], {}),
        ([sys.executable, "-X", "dev", "-c", PROGRAM], {}),
        ([sys.executable, "-c", "print(1)"], {}),
        ([sys.executable, "-c", PROGRAM], {"executable": "/bin/sh"}),
        ([sys.executable, "-c", PROGRAM], {"env": {}}),
        ([sys.executable, "-c", PROGRAM], {"pass_fds": (1,)}),
        ([sys.executable, "-c", PROGRAM], {"start_new_session": True}),
        ([sys.executable, "-c", PROGRAM], {"umask": 0o77}),
        ([sys.executable, "-c", PROGRAM], {"preexec_fn": print}),
        ([sys.executable, "-c", PROGRAM], {"restore_signals": False}),
        ([sys.executable, "-c", PROGRAM], {"process_group": 0}),
    ],
    ids=str,
)
def test_command_that_asks_for_anything_else_is_not_taken(
    monkeypatch: pytest.MonkeyPatch, command: list[str], options: dict[str, Any]
) -> None:
    """It is started as it was asked for."""
    assert taken(monkeypatch, command, **options) is None


def test_call_of_an_unknown_form_is_not_taken() -> None:
    """As a later Python might have it."""
    assert as_asked([sys.executable, "-c", PROGRAM], ((sys.executable.encode(),), True)) is None


@pytest.fixture
def fresh() -> Iterator[None]:
    """Processes are forked from one that has not imported what several examples lacked, before and after."""
    renew(context())
    yield
    renew(context())


@pytest.mark.usefixtures("fresh")
def test_what_several_examples_had_to_import_the_next_ones_find() -> None:
    """After the second; and where nobody asked to be spared, none does."""
    lacking = [example(f"import {LAZY}\n", name) for name in ("a", "b")]
    pretending = [example(f"import os\n\nos._exit({LACKED})\n", name) for name in ("a", "b")]
    asking = [example(HAS_LAZY, name) for name in ("c", "d")]
    for sparing, (one, two), expected in [
        (True, lacking, ["False", "True"]),
        (False, lacking, ["False", "False"]),
        (False, pretending, ["False", "False"]),
    ]:
        found = runs([one, asking[0], two, asking[1]], sparing=sparing)
        renew(context())
        assert [run.observations[-1].stdout for run in found if run.example[-1] in "cd"] == expected


def of(examples: Sequence[Example], known: dict[str, Run]) -> list[str]:
    """What each prints last in a capture that knows what is recorded, in order of name."""
    capture = probe.observe(examples, 1, lambda _: 60.0, recorded=lambda _: known)
    return [run.observations[-1].stdout for run in capture.runs]


def test_shorter_way_will_do_where_it_leads_to_what_is_recorded() -> None:
    """Any other outcome is asked for again in the usual way, and so is what a record says of other code."""
    some = [example(OFFERED, name) for name in ("as_recorded", "differing", "edited", "new")]
    short, usual = ({run.example: run for run in runs(some, sparing=sparing)} for sparing in (True, False))
    recorded, differing, edited, _ = short
    known = {
        recorded: short[recorded],
        differing: usual[differing],
        edited: replace(short[edited], digest="of other code"),
    }
    assert of(some, known) == ["started", "fork_exec", "fork_exec", "fork_exec"]


@pytest.mark.usefixtures("fresh")
def test_usual_way_finds_nothing_of_the_shorter_one() -> None:
    """What is run again is forked from another process; what is not recorded is run before."""
    lacking = [example(f"import {LAZY}\nprint(1)\n", name) for name in ("a", "b")]
    asking = [example(HAS_LAZY, name) for name in ("c", "d")]
    known = {run.example: run for run in runs([*lacking, asking[0]], sparing=False)}
    renew(context())
    known[asking[0].name] = replace(known[asking[0].name], reason="another")
    assert of([*lacking, *asking], known) == ["1", "1", "False", "False"]


def test_record_of_this_very_environment_is_asked_for() -> None:
    """By its id."""
    asked: list[str] = []

    def recorded(environment: str) -> dict[str, Run]:
        asked.append(environment)
        return {}

    capture = probe.observe([example("x = 1\n")], 1, lambda _: 60.0, recorded=recorded)
    assert asked == [capture.environment.id]
