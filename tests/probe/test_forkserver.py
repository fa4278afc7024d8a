"""The fork server: fresh processes with what it has imported, their exit codes, and what happens when it
dies.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from multiprocessing.connection import wait
from pathlib import Path

import pytest

from tensor_atlas.probe import forkserver
from tensor_atlas.probe.forkserver import LOST, ForkServer, ServerLostError


@pytest.fixture
def server() -> Iterator[ForkServer]:
    """A server that has imported one module of the standard library."""
    made = ForkServer(("colorsys",))
    yield made
    made.stop()


def write_imported(path: str) -> None:
    """In the process: whether it found the module imported, and which signals it handles as a script does."""
    handlers = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    Path(path).write_text(f"{'colorsys' in sys.modules} {handlers} {os.getpid()}", encoding="utf-8")


def end_with(code: int) -> None:
    """In the process: end as told; negative for a signal."""
    if code < 0:
        os.kill(os.getpid(), -code)
    os._exit(code)


def sleep() -> None:
    """In the process."""
    time.sleep(60)


def fail() -> None:
    """In the process."""
    raise ValueError("on purpose")


def test_process_finds_imported_what_the_server_imported(server: ForkServer, tmp_path: Path) -> None:
    """It has a process id of its own, which the parent knows, and handles an interrupt as a script does."""
    process = server.spawn(write_imported, str(tmp_path / "told"))
    process.join(timeout=30)
    assert process.exitcode == 0
    assert (tmp_path / "told").read_text(encoding="utf-8") == f"True True {process.pid}"


@pytest.mark.parametrize("code", [0, 7, -signal.SIGKILL, -signal.SIGSEGV])
def test_exit_code_is_reported(server: ForkServer, code: int) -> None:
    """A signal is negative, as multiprocessing has it."""
    process = server.spawn(end_with, code)
    assert wait([process.sentinel], timeout=30) == [process.sentinel]
    assert process.exitcode == code


def test_exception_ends_a_process_with_1(server: ForkServer) -> None:
    """Nobody is there to catch it."""
    process = server.spawn(fail)
    process.join(timeout=30)
    assert process.exitcode == 1


def test_several_processes_run_at_once(server: ForkServer) -> None:
    """One that ends is reported while another runs; one that is killed is reported, too."""
    slow, fast = server.spawn(sleep), server.spawn(end_with, 3)
    fast.join(timeout=30)
    assert (slow.exitcode, fast.exitcode) == (None, 3)
    slow.kill()
    slow.join(timeout=30)
    assert slow.exitcode == -signal.SIGKILL


def test_server_that_died_is_started_again(server: ForkServer) -> None:
    """What it had forked is lost; what comes next runs."""
    first = server.spawn(sleep)
    assert server._server is not None
    server._server.kill()
    first.join(timeout=30)
    assert first.exitcode == LOST
    server._server.wait()
    second = server.spawn(end_with, 0)
    second.join(timeout=30)
    assert second.exitcode == 0


def test_server_that_cannot_fork_raises(server: ForkServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a system does that has no more processes."""
    refuse = "raise OSError(11, 'no')"
    code = forkserver._SERVER.replace("main(", f"\nimport os\ndef no():\n    {refuse}\nos.fork = no\nmain(")
    monkeypatch.setattr(forkserver, "_SERVER", code)
    with pytest.raises(BlockingIOError):
        server.spawn(end_with, 0)


def test_server_that_dies_before_it_answers_is_lost(
    server: ForkServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have forked: who asked tries again with files of its own."""
    server.spawn(end_with, 0).join(timeout=30)
    assert server._server is not None
    server._server.send_signal(signal.SIGSTOP)
    with monkeypatch.context() as patched:
        patched.setattr(server, "resume", server._server.kill)  # instead of waking it, when it says nothing
        with pytest.raises(ServerLostError):
            server.spawn(end_with, 0)
    second = server.spawn(end_with, 0)
    second.join(timeout=30)
    assert second.exitcode == 0
