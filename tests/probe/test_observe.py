"""Observing an example: what each statement did, as the probe saw it in the case files."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from samples import example

from tensor_atlas.model.runs import Buffer, Observation, Raised, Run, Status, Unmade, Warned
from tensor_atlas.probe.forkserver import ForkServer, fork_server
from tensor_atlas.probe.output import MAX_OUTPUT
from tensor_atlas.probe.runner import run_examples

RunOf = Callable[[str], Run]


def said(run: Run, code: str) -> Observation:
    """Observation of the first statement that begins with ``code``."""
    return next(o for o in run.observations if o.code.startswith(code))


@pytest.mark.parametrize(
    ("code", "stdout"),
    [
        ("print(", "print"),
        ("os.write(1", "descriptor"),
        ("ctypes", "libc"),
        ("subprocess.run([sys", "child"),
        ('subprocess.run("', "reopened"),
        ('print("after', "after it"),
        ('print("no end"', "no end"),
        ('print("one', "one\n\n  three"),
    ],
)
def test_output_is_observed_whoever_writes_it(run_of: RunOf, code: str, stdout: str) -> None:
    """Python, the bare descriptor, C's buffers and a child process, each at its own statement."""
    observation = said(run_of("01_observe/output"), code)
    assert (observation.stdout, observation.stderr) == (stdout, "")


def test_stderr_is_kept_apart(run_of: RunOf) -> None:
    """Descriptor 2 has its own text."""
    run = run_of("01_observe/output")
    assert said(run, 'print("out")').stdout == "out"
    assert said(run, 'print("out")').stderr == "err"
    assert said(run, "os.write(2").stderr == "low"


def test_flood_is_cut_and_counted(run_of: RunOf) -> None:
    """What exceeds the limit is counted, not kept."""
    stdout = said(run_of("01_observe/output"), 'print("x "').stdout
    kept, counted = stdout.split("\n")
    assert len(kept) == MAX_OUTPUT - 1  # without the last blank
    assert counted == f"[{80_001 - MAX_OUTPUT} more bytes]"


def test_error_after_output_keeps_both(run_of: RunOf) -> None:
    """What was printed before an error stays, whether the error was caught or not."""
    caught = said(run_of("01_observe/caught"), "try:\n    risky()")
    assert caught.stdout == "before\n'k'"
    assert caught.caught == (Raised("KeyError", "'k'", printed="'k'"),)
    uncaught = said(run_of("12_errors/nobody_expects"), "if True")
    assert uncaught.stdout == "just before"
    assert uncaught.raised is not None
    assert (uncaught.raised.type, uncaught.raised.message) == ("LookupError", "nobody expects it")


def test_every_caught_error_is_observed(run_of: RunOf) -> None:
    """Nested clauses, silent clauses and clauses in functions report what they caught, in order."""
    run = run_of("01_observe/caught")
    nested = said(run, "try:\n    try:")
    assert nested.caught == (
        Raised("ValueError", "invalid literal for int() with base 10: 'y'"),
        Raised("TypeError", "outer"),
    )
    assert said(run, "print(quiet())").caught == (Raised("IndexError", "list index out of range"),)
    assert said(run, "try:\n    [][1]").caught == (
        Raised("IndexError", "list index out of range"),
        Raised("KeyError", "'second'", printed="'second'"),
    )


def test_traceback_begins_in_the_example(run_of: RunOf) -> None:
    """No frame of the probe's is in it, and its paths are short."""
    raised = said(run_of("12_errors/other_type"), "try:").raised
    assert raised is not None
    assert raised.traceback[:3] == (
        "Traceback (most recent call last):",
        '  File "examples/12_errors/other_type.py", line 14, in <module>',
        "    torch.ones(2, requires_grad=True).numpy()",
    )
    assert raised.traceback[-1].startswith("RuntimeError: ")
    assert sum(line.lstrip().startswith("File ") for line in raised.traceback) == 1


def test_warning_comes_each_time(run_of: RunOf) -> None:
    """What torch says once a process, and Python once a line, is observed at every statement."""
    run = run_of("01_observe/warned")
    first, second = said(run, "torch.from_numpy"), said(run, "tensor = torch.from_numpy")
    assert first.warnings == second.warnings
    assert first.warnings[0].category == "UserWarning"
    assert "Triggered internally" not in first.warnings[0].message
    assert said(run, "for _ in range(2)").warnings == (Warned("DeprecationWarning", "again"),) * 2


def test_warning_is_not_output(run_of: RunOf) -> None:
    """A warning's text keeps its lines and stays off stderr."""
    observation = said(run_of("01_observe/warned"), "warnings.warn(")
    assert observation == Observation(
        code=observation.code, stdout="printed", warnings=(Warned("UserWarning", "two\nlines"),)
    )


@pytest.fixture(scope="module")
def server() -> Iterator[ForkServer]:
    """A process that has imported torch, for all examples of this file."""
    with fork_server() as found:
        yield found


def run_here(code: str, server: ForkServer) -> Run:
    """Run of an example with this code."""
    ((run, _),) = run_examples([example(code)], 1, lambda _: 60.0, server)
    return run


FORKS = """import multiprocessing, threading, warnings
enough = threading.Event()
threading.Thread(target=enough.wait).start()
process = multiprocessing.get_context("fork").Process(target=int)
process.start()
process.join()
enough.set()
warnings.warn_explicit("there", DeprecationWarning, "a.py", 1, module="multiprocessing.popen_fork")
warnings.warn_explicit("there", UserWarning, "a.py", 1, module="multiprocessing.popen_fork")
warnings.warn_explicit("here", DeprecationWarning, "a.py", 1, module="__main__")
"""


def test_fork_tells_nothing_of_threads(server: ForkServer) -> None:
    """Python 3.12 and later warn of those that run at that moment, in words that are others each time."""
    heard = [
        warned for observation in run_here(FORKS, server).observations for warned in observation.warnings
    ]
    assert heard == [Warned("UserWarning", "there"), Warned("DeprecationWarning", "here")]


CATCHES = """import multiprocessing
def attempt():
    print("before")
    try:
        int("one")
    except ValueError:
        print("caught")
    print("after", flush=True)
def run(function):
    child = multiprocessing.get_context("fork").Process(target=function)
    child.start()
    child.join()
run(attempt)
"""


def test_forked_child_that_catches_keeps_its_output(server: ForkServer) -> None:
    """What a child prints before, in and after an ``except`` clause belongs to the statement."""
    run = run_here(CATCHES, server)
    assert run.status is Status.COMPLETED
    assert said(run, "run(attempt)") == Observation("run(attempt)", stdout="before\ncaught\nafter")


FORKED = """import os, sys, warnings
pid = os.fork()
if pid:
    done = os.waitpid(pid, 0)
print("child" if pid == 0 else "parent", end=".")
if pid == 0:
    warnings.warn("from the child")
if pid == 0:
    int("x")
print(os.waitstatus_to_exitcode(done[1]))
"""


def test_forked_child_that_goes_on_takes_nothing_of_its_parents(server: ForkServer) -> None:
    """It runs the rest of the script, writes what it prints, warns and raises, and ends as a script does."""
    run = run_here(FORKED, server)
    assert run.status is Status.COMPLETED
    assert "".join(seen.stdout for seen in run.observations) == "child.parent.1"
    written = "\n".join(filter(None, (seen.stderr for seen in run.observations)))
    assert "UserWarning: from the child" in written
    assert written.splitlines()[-4:] == [
        "Traceback (most recent call last):",
        '  File "examples/01_x/a.py", line 16, in <module>',
        '    int("x")',
        "ValueError: invalid literal for int() with base 10: 'x'",
    ]


LEAVES = """import os, sys
if os.fork() == 0:
    sys.exit("bye")
else:
    print(os.waitstatus_to_exitcode(os.wait()[1]))
"""


def test_forked_child_that_leaves_takes_its_code_along(server: ForkServer) -> None:
    """``sys.exit`` with a text writes it and means 1; the parent goes on."""
    run = run_here(LEAVES, server)
    assert run.status is Status.COMPLETED
    assert (run.observations[-1].stdout, run.observations[-1].stderr) == ("1", "bye")


RACES = """import subprocess, sys
code = "import os\\nfor i in range(6000): os.write(1, b'line%05d\\\\n' % i)"
process = subprocess.Popen([sys.executable, "-c", code])
for _ in range(10):
    for _ in range(100):
        try:
            int("x")
        except ValueError:
            pass
    process.poll()
code = process.wait()
"""


def test_nothing_that_a_child_writes_is_lost(server: ForkServer) -> None:
    """Not between two looks at the file, while exceptions are caught or statements end, and in its order."""
    seen = "\n".join(observation.stdout for observation in run_here(RACES, server).observations)
    kept = [line for line in seen.splitlines() if line]
    assert kept == [f"line{number:05}" for number in range(6000)]


HOOK_FAILS = """import sys
def hook(*error):
    raise KeyError("in the hook")
sys.excepthook = hook
int("x")
print("goes on")
"""


def test_hook_that_fails_ends_no_run(server: ForkServer) -> None:
    """Both errors are written, as Python does; the error of the statement is the uncaught one."""
    run = run_here(HOOK_FAILS, server)
    failed = said(run, "int(")
    assert (run.status, run.reason) == (Status.RAISED, "ValueError")
    assert failed.raised == Raised("ValueError", "invalid literal for int() with base 10: 'x'")
    written = [line for line in failed.stderr.split("\n") if line and not line.startswith(" ")]
    assert written == [
        "Error in sys.excepthook:",
        "Traceback (most recent call last):",
        "KeyError: 'in the hook'",
        "Original exception was:",
        "Traceback (most recent call last):",
        "ValueError: invalid literal for int() with base 10: 'x'",
    ]
    assert run.observations[-1].stdout == "goes on"


EMPTIED = """import subprocess
print("first")
done = subprocess.run("echo short > /dev/stdout", shell=True)
done = subprocess.run("echo longer than all before > /dev/stdout", shell=True)
print("last")
"""


def test_output_that_a_program_emptied_is_read_from_its_beginning(server: ForkServer) -> None:
    """A shell that opens /dev/stdout for writing empties a file; what it writes then is shown."""
    shown = [observation.stdout for observation in run_here(EMPTIED, server).observations]
    assert shown[1:] == ["first", "short", "longer than all before", "last"]


DIES = """import os
for number in range(2):
    print(number)
    try:
        int("x")
    except ValueError:
        pass
    if number:
        os.abort()
"""


def test_crash_after_a_caught_error_keeps_the_output_before_it(server: ForkServer) -> None:
    """All that the statement printed, not what came after the last ``except`` clause alone."""
    run = run_here(DIES, server)
    assert (run.status, run.observations[-1].stdout) == (Status.CRASHED, "0\n1")


def test_warning_that_the_example_records_is_its_own(run_of: RunOf) -> None:
    """``catch_warnings(record=True)`` works as it does elsewhere."""
    run = run_of("01_observe/warned")
    assert said(run, "with warnings").warnings == ()
    assert said(run, "print(len(caught))").stdout == "1"


def test_example_is_main(run_of: RunOf) -> None:
    """Name, docstring, file, pickles, source and annotations are as in a script."""
    run = run_of("01_observe/language")
    assert run.status is Status.COMPLETED
    assert said(run, "print(__name__").stdout == "__main__ Language True"
    assert said(run, "print(Point").stdout == "{'x': 'Undefined'} Point(x=1)"
    assert said(run, "print(inspect").stdout == "class Point:"
    assert said(run, "print(sys.stdin").stdout == "True b''"


def test_nothing_of_the_machine_is_observed(run_of: RunOf) -> None:
    """Addresses and directories become words."""
    assert [o.stdout for o in run_of("01_observe/varies").observations if o.stdout] == [
        "<object object at 0x…>",
        ".",
        "site-packages/numpy/__init__.py",
        "lib/os.py",
        "checkout/examples/01_observe/varies.py",
        "~/notes tmp/x",
        "python",
    ]


def test_text_that_utf8_cannot_hold_is_spelled_out(run_of: RunOf) -> None:
    """Bytes that are not UTF-8 and lone surrogates must not keep a capture from being written."""
    run = run_of("01_observe/strange")
    assert said(run, "os.write").stdout == "\\xff"
    wrong = said(run, "try:\n    raise ValueError")
    assert (wrong.caught, wrong.stderr) == ((Raised("ValueError", "\\udcff"),), "\\udcff")
    assert said(run, "try:\n    print").stdout == "surrogates not allowed"
    assert said(run, "warnings.warn").warnings == (Warned("UserWarning", "\\udcff"),)


def test_error_that_cannot_be_printed_is_observed(run_of: RunOf) -> None:
    """A ``__str__`` that fails does not end the run."""
    observation = said(run_of("01_observe/strange"), "try:\n    raise Unprintable")
    assert observation.caught == (Raised("Unprintable", "<unprintable: RuntimeError>"),)


def test_snapshot_follows_each_block(run_of: RunOf) -> None:
    """After a block is seen what is alive then, with who shares."""
    first, second, third = run_of("03_sharing/views").snapshots
    assert [value.name for value in first.values] == ["array", "tensor", "copied"]
    assert first.shares == (("array", "tensor"),)
    assert [value.name for value in second.values] == ["array", "tensor", "batch[0]", "batch[1]", "_hidden"]
    assert second.buffers == (Buffer("cpu", 32),)
    assert second.shares == (
        ("array", "tensor"),
        ("array", "batch[0]"),
        ("array", "batch[1]"),
        ("array", "_hidden"),
        ("tensor", "batch[0]"),
        ("tensor", "batch[1]"),
        ("tensor", "_hidden"),
        ("batch[0]", "_hidden"),
        ("batch[1]", "_hidden"),
    )
    assert [value.name for value in third.values] == ["_hidden"]


def test_run_goes_on_behind_an_error(run_of: RunOf) -> None:
    """As a notebook does; the status is that of a plain script, and the failing block has no snapshot."""
    run = run_of("12_errors/nobody_expects")
    assert (run.status, run.reason, run.stopped, run.ending) == (Status.RAISED, "LookupError", "", 1)
    assert [seen.stdout for seen in run.observations] == [
        "before the error",
        "just before",
        "same block",
        "later",
        "",
    ]
    assert [snapshot.broken for snapshot in run.snapshots] == [False, True, False, False]
    assert run.snapshot(1) is None


def test_error_of_the_last_statement_leaves_nothing_to_go_on_with(run_of: RunOf) -> None:
    """All is observed, and the block that failed has no snapshot: a record of it needs no other run."""
    run = run_of("12_errors/other_type")
    assert (run.status, run.reason, run.stopped) == (Status.RAISED, "RuntimeError", "")
    assert run.ending == len(run.observations) - 1
    assert not any(snapshot.broken for snapshot in run.snapshots)


def test_statement_without_a_name_it_needs_shows_only_that(run_of: RunOf) -> None:
    """Whoever misses the name: the statement, a function it calls, an ``except`` clause, or a thread."""
    run = run_of("12_errors/never_made")
    first, second = (index for index, seen in enumerate(run.observations) if "nowhere" in seen.code)
    unmade = {seen.code: seen.unmade for seen in run.observations if seen.unmade}
    needing = ["more = lost", "try:", "with contextlib", "[thread.start()"]
    assert run.ending == first
    assert [said(run, code).unmade for code in needing] == [Unmade("lost", second)] * 4
    assert unmade["print(more)"] == Unmade("more", second)
    assert len(unmade) == 5
    for code, missing in unmade.items():
        assert said(run, code) == Observation(code, unmade=missing)


def test_statement_that_has_its_names_is_evidence_behind_an_error(run_of: RunOf) -> None:
    """What a failing statement made before it raised is there; a name of an error of its own is no excuse."""
    run = run_of("12_errors/never_made")
    assert said(run, "print(old.shape").stdout == "torch.Size([2]) torch.Size([3])"
    assert said(run, "print(first").stdout == "1.0"
    assert said(run, "print(use_lost").stdout == "torch.Size([3])"
    last = said(run, "print(lost)")
    assert (last.unmade, last.raised and last.raised.type) == (None, "NameError")


def test_value_that_an_error_kept_from_being_replaced_is_not_measured(run_of: RunOf) -> None:
    """It would pass for the value of later blocks."""
    alive = [[value.name for value in one.values] for one in run_of("12_errors/never_made").snapshots]
    assert alive[0] == ["old", "view"]
    assert alive[2] == ["view", "half", "other"]


def test_crash_behind_an_error_leaves_the_end_where_it_was(run_of: RunOf) -> None:
    """The script would have ended at the error; what stopped the process is told beside it."""
    run = run_of("13_endings/raises_then_dies")
    assert (run.status, run.reason, run.ending) == (Status.RAISED, "ValueError", 2)
    assert run.stopped == "crashed: SIGKILL"
    assert run.describe_stop(len(run.observations) - 1) == "crashed: SIGKILL"


def test_error_that_spoils_a_device_ends_the_run(run_of: RunOf) -> None:
    """Every later statement would fail by it."""
    run = run_of("13_endings/poisoned")
    assert (run.status, run.reason, len(run.observations)) == (Status.RAISED, "RuntimeError", 1)
    assert run.stopped == "crashed: no device works after this error"


def test_sys_exit_is_an_ending_not_an_error(run_of: RunOf) -> None:
    """The statement that leaves is observed with what it printed."""
    run = run_of("13_endings/exits")
    assert (run.status, run.reason) == (Status.EXITED, "sys.exit(3)")
    assert run.observations[-1].stdout == "last words"
    assert run.observations[-1].raised is None
