"""The process that all others are forked from: they find made what each would make, and no trace of how."""

from __future__ import annotations

import ast
import contextlib
import errno
import gc
import importlib
import os
import pickle
import platform
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import types
import warnings
from collections.abc import Callable, Iterator
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import pytest

_KERNEL = re.match(r"(\d+)\.(\d+)", platform.release())
HAS_COLLAPSE = (
    sys.platform == "linux"
    and _KERNEL is not None
    and (int(_KERNEL[1]), int(_KERNEL[2])) >= (6, 1)
    and Path("/sys/kernel/mm/transparent_hugepage").exists()
)
WAIT = 20.0
"""Seconds."""
STEPS = 3
"""In which the process of a test settles."""
forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")

WORK = """
import contextlib, gc, os, signal, sys, time


def nothing():
    pass


def huge():
    with contextlib.suppress(OSError), open(f"/proc/{os.getppid()}/smaps_rollup") as file:
        found = dict(line.split(":") for line in file.read().splitlines()[1:])
        return int(found["AnonHugePages"].split()[0]) / int(found["Anonymous"].split()[0])


def look(directory, writer):
    collections = gc.get_stats()[2]["collections"], gc.isenabled()
    before = set(sys.modules)
    from tensor_atlas.catalogue.conversions import pairs
    import tensor_atlas.probe.environment, tensor_atlas.probe.run_cells, tensor_atlas.probe.observe
    from tensor_atlas.probe.observe_cell import observe
    from tensor_atlas.probe.output import places

    observe(*next(iter(pairs())), places(directory))
    imported = sorted(set(sys.modules) - before)
    writer.send([gc.get_freeze_count() > 10_000, imported, os.environ.get("TOKEN"), collections, huge()])


def tell(what, writer):
    writer.send([what, os.getpid(), os.getppid()])


def looks(writer):
    writer.send(sys.path)


def where(writer):
    writer.send(os.getcwd())


def leave(code):
    os._exit(code)


def fail():
    raise ValueError("it failed")


def die(number):
    os.kill(os.getpid(), number)


def sleep():
    time.sleep(600)


def log_from_a_fork(writer):
    import logging, threading

    handlers = list(logging._at_fork_reinit_lock_weakset)
    held = threading.Event()

    def hold():
        for handler in handlers:
            handler.acquire()
        held.set()
        time.sleep(600)

    threading.Thread(target=hold, daemon=True).start()
    held.wait()
    number = os.fork()
    if number == 0:
        signal.alarm(20)
        for handler in handlers:
            handler.acquire()
        os._exit(0)
    writer.send([len(handlers), os.waitpid(number, 0)[1]])
    os._exit(0)


def fork_beside_a_thread(writer):
    import threading

    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
    reader, told = os.pipe()
    if os.fork() == 0:
        os.write(told, bytes([len(threading.enumerate())]))
        os._exit(0)
    is_main = threading.main_thread() is threading.current_thread()
    writer.send([os.read(reader, 1)[0], len(threading.enumerate()), is_main])
    os._exit(0)


def open_ends(writer):
    found = []
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            found.append(os.readlink(f"/proc/self/fd/{name}").partition(":")[0])
    handlers = signal.getsignal(signal.SIGINT) is signal.default_int_handler, signal.getsignal(signal.SIGCHLD) == 0
    handlers = *handlers, not signal.pthread_sigmask(signal.SIG_BLOCK, [])
    writer.send([found.count("socket"), found.count("pipe"), signal.set_wakeup_fd(-1), handlers])
"""

LOOK = """
import os
from multiprocessing import Pipe
from tensor_atlas.probe.runner import context
from tensor_atlas.probe.zygote import FORKS_A_STEP
import work_of_a_test as work

method = context()
reader, writer = Pipe(duplex=False)
seen = []


for count in (0, 150 * FORKS_A_STEP):
    for _ in range(count):
        process = method.Process(target=work.nothing)
        process.start()
        process.join()
    process = method.Process(target=work.look, args=(os.getcwd(), writer))
    process.start()
    seen.append(reader.recv())
    process.join()
print(repr(seen))
"""

REFUSED = """
import os, socket, sys
from tensor_atlas.probe import zygote

def refuse():
    raise OSError(NUMBER, "no")

os.fork = refuse
zygote.serve(socket.socket(fileno=int(sys.argv[1])))
"""

WARNS = """
import os, socket, sys, warnings
from tensor_atlas.probe import forking, zygote

fork = os.fork
forking.FORK_WARNS = True


def fork_and_warn():
    number = fork()
    if number:
        warnings.warn("This process is multi-threaded, use of fork() may lead to deadlocks in the child.",
                      DeprecationWarning, stacklevel=2)
    return number


os.fork = fork_and_warn
zygote.prepare()
zygote.serve(socket.socket(fileno=int(sys.argv[1])))
"""

THREADED = """
import socket, sys, threading, time
from tensor_atlas.probe import zygote

zygote.prepare()
threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
zygote.serve(socket.socket(fileno=int(sys.argv[1])))
"""

NOTED = """
import socket, sys
from tensor_atlas.probe import zygote

def note(word):
    print(word, file=sys.stderr, flush=True)


def settle():
    for _ in range(STEPS):
        note("step")
        yield


zygote.prepare = lambda: note("prepare")
zygote._import_lazy = lambda: note("import")
zygote.settle = settle
fork = zygote.os.fork
zygote.os.fork = lambda: note("fork") or fork()
zygote.prepare()
zygote.serve(socket.socket(fileno=int(sys.argv[1])))
""".replace("STEPS", str(STEPS))

SETTLED = """
from tensor_atlas.probe import zygote


def huge():
    with open("/proc/self/smaps_rollup", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("AnonHugePages:"))


kept = [str(number) for number in range(300_000)]
before = huge()
steps = sum(1 for _ in zygote.settle())
print(steps, huge() - before)
"""

REHEARSAL = """
import json, os, random, sys, tempfile, threading, warnings
import numpy as np
import torch
from tensor_atlas.probe import run, zygote


def state():
    return {
        "random": hash(random.getstate()),
        "numpy": str(np.random.get_state()),
        "torch": torch.get_rng_state().tolist(),
        "filters": str(warnings.filters),
        "shown": str(warnings.showwarning),
        "always": torch.is_warn_always_enabled(),
        "streams": [id(sys.stdout), id(sys.stderr)],
        "main": id(sys.modules["__main__"]),
        "folder": os.getcwd(),
        "left": os.listdir(tempfile.gettempdir()),
        "descriptors": sorted(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else [],
        "threads": [threading.active_count(), len(os.listdir("/proc/self/task")) if os.path.isdir("/proc") else 0],
        "builtins": sorted(vars(__builtins__)),
        "environment": dict(os.environ),
        "dtype": str(torch.get_default_dtype()),
        "path": sys.path,
        "arguments": sys.argv,
        "modules": sorted(sys.modules),
    }


zygote.prepare()
before = state()
observe.rehearse(5)
after = state()
print(json.dumps([name for name in before if before[name] != after[name]]))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a module lies that processes can import: the work they are given."""
    found = tmp_path_factory.mktemp("zygote")
    (found / "work_of_a_test.py").write_text(WORK, encoding="utf-8")
    return found


@pytest.fixture(scope="module")
def looked(folder: Path) -> Any:
    """What a child sees, the first one and one after many: whether objects are frozen, what it must import, a variable,
    collections before it, and which part of the zygote's memory lies in huge pages.
    """
    script = folder / "look_around.py"
    script.write_text(LOOK, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env=os.environ | {"TOKEN": "secret"},
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return ast.literal_eval(done.stdout.strip())


@forks
def test_child_finds_everything_made_and_no_secret(looked: Any) -> None:
    """No module is left to import, objects are frozen, and the environment holds what an example may see.

    Only cells of the matrix need more, which are many.
    """
    first, later = looked
    assert (first[0], first[2]) == (later[0], later[2]) == (True, None)
    assert {name.rpartition(".")[0] for name in first[1]} <= {
        "tensor_atlas.probe",
        "tensor_atlas.probe.matrix",
    }
    assert all(name.startswith("tensor_atlas.probe.matrix") for name in first[1])
    assert later[1] == []


@forks
@pytest.mark.skipif(
    not HAS_COLLAPSE, reason="needs Linux 6.1, which moves memory to huge pages when it is asked to"
)
def test_most_memory_lies_in_huge_pages(looked: Any) -> None:
    """Half of it and more, once that is worth it: what it costs to fork is mostly the number of pages."""
    first, later = looked
    assert max(first[4], 0.5) < later[4]


@forks
def test_what_is_imported_to_stay_is_not_collected(looked: Any) -> None:
    """No old object was looked at while torch was imported; a child collects as ever."""
    assert [seen[3] for seen in looked] == [(0, True)] * 2


def test_rehearsal_leaves_no_trace(tmp_path: Path) -> None:
    """Whoever is forked afterwards is as fresh as before: what an example could ask for has not changed."""
    surroundings = os.environ | {"TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", REHEARSAL]
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


@forks
def test_settles_for_many_forks_one_step_for_some_of_them(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A few examples need none of it; of many, those that run meanwhile keep what few steps move, and nobody waits for
    more than one. What is imported later settles, too.
    """
    from tensor_atlas.probe import forking, zygote

    monkeypatch.setattr(forking, "_ZYGOTE", NOTED)
    found = forking.Forks()

    def forked(count: int) -> list[str]:
        """What the zygote has said when so many processes have ended; the last is none that a step follows."""
        for _ in range(count):
            process = found.Process(os.getpid)  # type: ignore[arg-type]
            process.start()
            process.join()
        return capfd.readouterr().err.split()

    found.start()
    found.spare()
    each = ["fork"] * zygote.FORKS_A_STEP
    assert forked(zygote.MANY_FORKS - 1) == ["prepare", "import", *["fork"] * (zygote.MANY_FORKS - 1)]
    settles = forked(2 * STEPS * zygote.FORKS_A_STEP)
    assert settles == ["fork", *["step", *each] * STEPS, *each * (STEPS - 1), *each[1:]]
    found.spare()
    assert forked(2 * STEPS * zygote.FORKS_A_STEP).count("step") == STEPS
    found.end()


def test_settling_begins_with_what_python_learns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once all is imported: a rehearsal before it would be in vain."""
    from tensor_atlas.probe import zygote

    told: list[object] = []
    monkeypatch.setattr(zygote, "_import", told.append)
    monkeypatch.setattr(zygote, "rehearse", lambda: told.append("rehearsed"))
    steps = zygote.settle()
    next(steps)
    assert told == [zygote.LATER]
    next(steps)
    assert told == [zygote.LATER, "rehearsed"]


def test_what_can_be_a_huge_page_is_found() -> None:
    """Whole ones, of what is mapped alone, writable, no part of a file, and mostly in memory."""
    from tensor_atlas.probe.zygote import pieces

    def mapping(
        first: int, last: int, kilobytes: int, what: str = "rw-p 00000000 00:00 0", name: str = ""
    ) -> str:
        rest = f"Rss: {kilobytes} kB\nAnonymous: {kilobytes} kB\nVmFlags: rd wr\n"
        return f"{first:x}-{last:x} {what} {name}\nSize: {(last - first) // 1024} kB\n{rest}"

    one = 2**21
    taken = [
        mapping(one + 4096, 4 * one + 8192, 6000, name="[heap]"),
        mapping(8 * one, 9 * one, 1500),
    ]
    left = [
        mapping(10 * one, 11 * one, 1000),
        mapping(12 * one + 4096, 13 * one + 8192, 2048),
        mapping(16 * one, 17 * one, 2048, "r--p 00000000 00:00 0"),
        mapping(18 * one, 19 * one, 2048, "rw-p 00001000 08:01 77", "/usr/lib/libtorch.so"),
        mapping(20 * one, 21 * one, 2048, name="[stack]"),
    ]
    assert pieces("".join([*taken, *left])) == [2 * one, 3 * one, 8 * one]


@pytest.mark.skipif(
    not HAS_COLLAPSE, reason="needs Linux 6.1, which moves memory to huge pages when it is asked to"
)
def test_memory_is_moved_to_huge_pages() -> None:
    """Python asks for its arenas bit by bit, and gets small ones."""
    done = subprocess.run([sys.executable, "-c", SETTLED], capture_output=True, text=True, check=True)
    steps, moved = map(int, done.stdout.split())
    assert steps > 4
    assert moved >= 4 * 2048  # kilobytes


def run_in_a_fork(target: Callable[[], None], zygote: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a process do it that is forked from one that runs the code ``zygote``."""
    from tensor_atlas.probe import forking

    monkeypatch.setattr(forking, "_ZYGOTE", zygote)
    found = forking.Forks()
    process = found.Process(target)
    process.start()
    process.join()
    found.end()


@forks
def test_threads_of_libraries_are_no_warning(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Python 3.12 and later warn at each fork of a process with threads; what is forked hears all warnings as ever."""
    run_in_a_fork(print_filters, WARNS, monkeypatch)
    assert capfd.readouterr() == (f"{[('always', None, Warning, None, 0)]}\n", "")


@forks
def test_threads_of_the_zygote_are_none_of_a_process(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing that it imports starts one; what should, would be asked to end in a process that has none."""
    run_in_a_fork(print_threads, THREADED, monkeypatch)
    assert capfd.readouterr() == ("1\n", "")


def print_threads() -> None:
    """How many Python knows of."""
    print(len(threading.enumerate()), flush=True)


def print_filters() -> None:
    """Those of every category."""
    print([each for each in warnings.filters if each[2] is Warning], flush=True)


def test_rehearsal_that_cannot_be_held_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where no folder can be made: examples run without."""
    from tensor_atlas.probe import observe, zygote

    told: list[int] = []

    def refuse(rounds: int) -> None:
        told.append(rounds)
        raise OSError(errno.ENOSPC, "no space left on device")

    monkeypatch.setattr(observe, "rehearse", refuse)
    frozen = gc.get_freeze_count()
    zygote.rehearse()
    assert told == [zygote.ROUNDS]
    assert gc.get_freeze_count() == frozen


def test_locks_are_spared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left for a fork to do; whoever asks twice does not lose what there was."""
    import logging

    from tensor_atlas.probe import zygote

    def fail() -> None:
        raise AssertionError

    monkeypatch.setattr(zygote, "_RENEWS_THREADS", types.FunctionType(fail.__code__, {}))
    monkeypatch.setattr(zygote, "_CODE", [])
    usual = getattr(logging, zygote._LOCKED)
    monkeypatch.setattr(logging, zygote._LOCKED, usual)
    monkeypatch.setattr(zygote, "_HANDLERS", [])
    for _ in range(2):
        zygote.spare_locks()
        assert len(getattr(logging, zygote._LOCKED)) == 0
        assert [usual] == zygote._HANDLERS
        zygote._RENEWS_THREADS()  # type: ignore[misc]  # as on Python 3.12 and earlier
        assert [fail.__code__] == zygote._CODE


@forks
def test_whoever_is_forked_from_a_process_has_one_thread(made: Any) -> None:
    """Those of the process that forks are none of the new one's, which has to find out."""
    reader, writer = Pipe(duplex=False)
    process = made("fork_beside_a_thread", writer)
    assert reader.recv() == [1, 2, True]
    process.join()


@forks
def test_whoever_is_forked_from_a_process_can_log(made: Any) -> None:
    """The process has all that a fork of its own needs, although it was not made to ask for it."""
    reader, writer = Pipe(duplex=False)
    process = made("log_from_a_fork", writer)
    handlers, status = reader.recv()
    process.join()
    assert handlers > 1
    assert status == 0


PREPARED = """
import os, sys, tempfile
from tensor_atlas.probe import run

def refuse():
    raise OSError("no space left on device")


usual_file = tempfile.TemporaryFile
if "closed" in sys.argv:
    os.close(2)
if "full" in sys.argv:
    tempfile.TemporaryFile = refuse
kept = sys.stdout, sys.stderr
there = lambda: [number for number in range(9) if os.path.exists(f"/dev/fd/{number}")]
look = lambda: [(number, os.stat(number).st_ino) for number in there()]
before = look()
observe.prepare()
assert look() == before
assert (sys.stdout, sys.stderr) == kept
with usual_file() as file:
    usual = os.dup(1)
    os.dup2(file.fileno(), 1)
    print("é", file=observe._writers()[0])
    os.dup2(usual, 1)
    file.seek(0)
    print(file.read().decode().strip(), observe._writers()[0].line_buffering, observe._writers() is observe._writers())
"""


@pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="needs /dev/fd to look at descriptors")
@pytest.mark.parametrize("state", ["usual", "closed", "full"])
def test_streams_of_examples_are_made_once_and_change_no_descriptor(state: str) -> None:
    """They write to whatever descriptor 1 is later, by line; neither a closed one nor a full disk is an error."""
    command = [sys.executable, "-c", PREPARED, state]
    done = subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8")
    assert (done.stdout, done.stderr) == ("é True True\n", "")


def test_nothing_is_frozen_elsewhere() -> None:
    """Whoever imports the zygote's module is left as it is."""
    asked = "import gc, tensor_atlas.probe.zygote; print(gc.isenabled(), gc.get_freeze_count())"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("True 0\n", "")


# --- processes -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made(folder: Path) -> Iterator[Any]:
    """Makes a process that does a piece of work."""
    from tensor_atlas.probe.forking import Forks

    sys.path.insert(0, str(folder))
    import work_of_a_test as work  # type: ignore[import-not-found, unused-ignore]

    found = Forks()
    found.start()

    def start(name: str, *args: object) -> Any:
        process = found.Process(getattr(work, name), args)
        process.start()
        return process

    start.forks = found  # type: ignore[attr-defined]
    yield start
    sys.path.remove(str(folder))
    found.end()


@forks
@pytest.mark.parametrize(
    ("work", "code"),
    [(("nothing",), 0), (("leave", 7), 7), (("fail",), 1), (("die", signal.SIGTERM), -signal.SIGTERM)],
    ids=["well", "a code", "an error", "a signal"],
)
def test_exit_code_is_told(made: Callable[..., Any], work: tuple[object, ...], code: int) -> None:
    """As multiprocessing tells it: negative for a signal, 1 for an error that nobody caught."""
    process = made(*work)
    process.join(60)
    assert process.exitcode == code
    assert not process.is_alive()


@forks
def test_process_gets_its_end_and_what_was_pickled(made: Any) -> None:
    """The Connection is its own; its parent is the zygote, and each process is another."""
    seen = []
    for what in ("one", {"two": 2}):
        reader, writer = Pipe(duplex=False)
        process = made("tell", what, writer)
        writer.close()
        told, own, parent = reader.recv()
        assert (told, own, parent) == (what, process.pid, made.forks._zygote)
        with pytest.raises(EOFError):  # nobody else keeps the writing end
            reader.recv()
        seen.append(own)
    assert seen[0] != seen[1]


@forks
def test_large_request_arrives_whole(made: Any) -> None:
    """More than fits into a socket's buffer."""
    reader, writer = Pipe(duplex=False)
    large = "x" * 5_000_000
    made("tell", large, writer)
    assert reader.recv()[0] == large


@forks
def test_request_arrives_whole_however_often_a_process_ends(made: Any) -> None:
    """The signal of an end cuts what is being received."""
    sent = threading.Event()

    def signal_ends() -> None:
        while not sent.is_set():
            os.kill(made.forks._zygote, signal.SIGCHLD)
            time.sleep(0.0002)

    disturbing = threading.Thread(target=signal_ends)
    disturbing.start()
    try:
        for _ in range(3):
            reader, writer = Pipe(duplex=False)
            zygote = made.forks._zygote
            made("tell", "x" * 10_000_000, writer)
            assert len(reader.recv()[0]) == 10_000_000
            assert made.forks._zygote == zygote
    finally:
        sent.set()
        disturbing.join()


@forks
def test_killed_process_is_told_at_once(made: Any) -> None:
    """While others run on."""
    other, process = made("sleep"), made("sleep")
    assert process.is_alive()
    process.kill()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    assert other.is_alive()
    other.kill()
    other.join(60)


@forks
def test_join_waits_no_longer_than_asked(made: Any) -> None:
    """And the process goes on."""
    process = made("sleep")
    begun = time.monotonic()
    process.join(0.2)
    assert 0.1 < time.monotonic() - begun < 30
    assert process.is_alive()
    process.kill()


def _inherited_pipes() -> int:
    """Pipes of this process that those it starts get, too: whoever called it has left them open."""
    found = 0
    for place in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            found += os.get_inheritable(int(place.name)) and str(place.readlink()).startswith("pipe:")
    return found


@forks
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_process_keeps_nothing_of_the_zygote(made: Any) -> None:
    """No socket, no pipe but its own, even while others run; signals as in any process."""
    others = [made("sleep"), made("sleep")]
    reader, writer = Pipe(duplex=False)
    made("open_ends", writer)
    sockets, pipes, wakeup, handlers = reader.recv()
    assert (sockets, wakeup, handlers) == (0, -1, (True, True, True))
    assert pipes == 1 + _inherited_pipes()
    for other in others:
        other.kill()


@forks
def test_zygote_that_died_is_replaced(made: Any) -> None:
    """Whoever it had forked is reported as lost, and the next process comes from a new one."""
    process, before = made("sleep"), made.forks._zygote
    os.kill(before, signal.SIGKILL)
    process.join(60)
    assert process.exitcode == 255
    after = made("leave", 3)
    after.join(60)
    assert after.exitcode == 3
    assert made.forks._zygote != before
    os.kill(process.pid, signal.SIGKILL)  # it had not asked to end with the zygote


@forks
@pytest.mark.parametrize("pause", [0, 0.03, 0.3])
def test_interrupt_is_not_the_zygote_s(pause: float, capfd: pytest.CaptureFixture[str]) -> None:
    """A terminal sends it to all; the zygote says nothing, from its first moment on, and is there to be asked."""
    from tensor_atlas.probe import forking

    found = forking.Forks()
    found.start()
    zygote = found._zygote
    time.sleep(pause)
    os.kill(zygote, signal.SIGINT)
    process = found.Process(os.getpid)  # type: ignore[arg-type]
    process.start()
    process.join(60)
    assert (process.exitcode, found._zygote) == (0, zygote)
    assert capfd.readouterr().err == ""
    found.end()


@forks
def test_starter_may_go_before_it_has_read_an_answer(capfd: pytest.CaptureFixture[str]) -> None:
    """As one that is interrupted does: the zygote ends, and has nothing to say."""
    from tensor_atlas.probe import forking

    found = forking.Forks()
    found.start()
    line, (_, teller) = found._line, Pipe(duplex=False)
    assert line is not None
    work = pickle.dumps((os.getpid, ()))
    socket.send_fds(line, [forking.NUMBER.pack(len(work))], [teller.fileno()])
    line.sendall(work)
    line.recv(1, socket.MSG_PEEK)
    found.leave()
    _, status = os.waitpid(found._zygote, 0)
    assert (os.waitstatus_to_exitcode(status), capfd.readouterr().err) == (0, "")


@forks
def test_fork_of_the_starter_leaves_the_zygote_alone(made: Any) -> None:
    """It is another's: the fork has one of its own made."""
    zygote = made.forks._zygote
    child = os.fork()
    if child == 0:
        try:
            made.forks.start(made.forks._folder)
            made.forks.end()
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert made.forks._zygote == zygote
    process = made("leave", 4)
    process.join(60)
    assert (process.exitcode, made.forks._zygote) == (4, zygote)


@forks
def test_processes_begin_where_they_are_asked_to(
    made: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the working directory unless told; what they are forked from is another where the folder is."""
    found, before = [], made.forks._zygote
    monkeypatch.chdir(tmp_path)
    for folder in (None, tmp_path.parent, tmp_path.parent):
        made.forks.start(folder)
        reader, writer = Pipe(duplex=False)
        made("where", writer)
        found.append((reader.recv(), made.forks._zygote))
    places, zygotes = zip(*found, strict=True)
    assert places == (str(tmp_path.resolve()), *[str(tmp_path.parent.resolve())] * 2)
    assert zygotes[1] == zygotes[2]
    assert len({before, *zygotes}) == 3


@forks
def test_modules_are_looked_for_where_the_starter_looks(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    """Whatever letters a place is written with, those among them that are none."""
    from tensor_atlas.probe import forking

    odd = [str(folder), '/a b/ä\'s "place"\\\n{x}', os.fsdecode(b"/not utf-8 \xff")]
    monkeypatch.setattr(sys, "path", [*sys.path, *odd])
    import work_of_a_test as work  # type: ignore[import-not-found, unused-ignore]

    found = forking.Forks()
    reader, writer = Pipe(duplex=False)
    process = found.Process(work.looks, (writer,))
    process.start()
    assert reader.recv() == sys.path
    found.end()


def test_import_that_fails_is_left_to_whoever_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no such module, and where the system lets no more files be open."""
    from tensor_atlas.probe import zygote

    asked: list[str] = []

    def refused(name: str) -> None:
        asked.append(name)
        raise ImportError(name) if len(asked) == 1 else OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(importlib, "import_module", refused)
    zygote._import(("one", "two", "three"))
    assert asked == ["one", "two", "three"]


@forks
def test_descriptors_without_room_are_one_message(made: Any) -> None:
    """Those of a process are more than the zygote may have open; it lives on, and is asked again when it has room."""
    resource = pytest.importorskip("resource")
    from tensor_atlas.probe import forking

    made("leave", 4).join(60)
    zygote = made.forks._zygote
    usual = resource.prlimit(zygote, resource.RLIMIT_NOFILE)
    resource.prlimit(zygote, resource.RLIMIT_NOFILE, (3, usual[1]))
    try:
        with pytest.raises(forking.ForkError, match=re.escape(os.strerror(errno.EMFILE))):
            made("leave", 5)
    finally:
        resource.prlimit(zygote, resource.RLIMIT_NOFILE, usual)
    process = made("leave", 6)
    process.join(60)
    assert (process.exitcode, made.forks._zygote) == (6, zygote)


@forks
def test_zygote_that_cannot_begin_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked twice, and then the process counts as lost; nothing is waited for."""
    from tensor_atlas.probe import forking

    monkeypatch.setattr(forking, "_ZYGOTE", "raise SystemExit(1)")
    process = forking.Forks().Process(os.getpid)  # type: ignore[arg-type]
    process.start()
    process.join(60)
    assert (process.pid, process.exitcode) == (None, 255)
    process.kill()  # of nobody


@forks
@pytest.mark.parametrize("number", [errno.EAGAIN, errno.ENOMEM])
def test_refused_fork_is_one_message(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Where the system makes no more processes, and the zygote lives on to be asked again."""
    from tensor_atlas.probe import forking

    monkeypatch.setattr(forking, "_ZYGOTE", REFUSED.replace("NUMBER", str(number)))
    found = forking.Forks()
    for _ in range(2):
        process = found.Process(os.getpid)  # type: ignore[arg-type]
        with pytest.raises(forking.ForkError, match=re.escape(os.strerror(number))):
            process.start()
    found.end()
