"""Tasks in fresh processes: what they emit and write is read when they end, however they end."""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from samples import turn_clock

from tensor_atlas.errors import AtlasError
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.runs import Observation, Status
from tensor_atlas.probe import forkserver, sandbox
from tensor_atlas.probe.forkserver import ForkedProcess, ForkServer, ServerLostError
from tensor_atlas.probe.processes import Emit, Ended, Task, run_processes
from tensor_atlas.probe.spawner import Server, Spawner


@pytest.fixture(scope="module")
def server() -> Iterator[ForkServer]:
    """Without torch: nothing here needs it."""
    made = ForkServer(())
    yield made
    made.stop()


@pytest.fixture(params=["forked", "spawned"])
def either(request: pytest.FixtureRequest, server: ForkServer) -> Server:
    """A fork server, and what stands in for it where there is no fork."""
    return server if request.param == "forked" else Spawner(())


def emit_all(events: list[object], directory: str, emit: Emit) -> None:
    """In the process: emit events, write to both descriptors' files, end well."""
    for event in events:
        emit(event)
    Path(directory, "stdout").write_text("printed", encoding="utf-8")


def crash_after(events: list[object], directory: str, emit: Emit) -> None:
    """In the process: emit events, then die."""
    emit_all(events, directory, emit)
    os.kill(os.getpid(), signal.SIGABRT)


def emit_slowly(count: int, mark: str, _: str, emit: Emit) -> None:
    """In the process: events, and a byte in ``mark`` after each."""
    for _number in range(count):
        emit(None)
        with open(mark, "a", encoding="utf-8") as file:
            file.write("x")
        time.sleep(0.2)


def spoil(data: bytes, directory: str, emit: Emit) -> None:
    """In the process: an event, then something else in the file of events."""
    emit(None)
    with Path(directory, "events").open("ab") as file:
        file.write(data)


def remove_folder(directory: str, emit: Emit) -> None:
    """In the process: emit and write, then remove everything."""
    emit_all([1], directory, emit)
    shutil.rmtree(directory)


def outlive(_: str, __: Emit) -> None:
    """In the process: leave a child in a session of its own."""
    if os.fork() == 0:
        os.setsid()
        time.sleep(60)


def stop_parent(events: list[object], directory: str, emit: Emit) -> None:
    """In the process: stop the fork server, then end well."""
    os.kill(os.getppid(), signal.SIGSTOP)
    emit_all(events, directory, emit)


def freeze_parent(mark: str, directory: str, emit: Emit) -> None:
    """In the process: leave a child that stops the fork server again whenever it goes on.

    A byte in ``mark`` says that it has stopped it, and that the event is written.
    """
    parent = os.getppid()
    begun, begin = os.pipe()
    if os.fork() == 0:
        os.setsid()
        os.kill(parent, signal.SIGSTOP)
        os.write(begin, b"x")
        while True:
            os.kill(parent, signal.SIGSTOP)
    os.read(begun, 1)
    emit_all([1], directory, emit)
    Path(mark).write_text("x", encoding="utf-8")


def run(task: Task, server: Server) -> Ended:
    """What is left of one task."""
    (ended,) = run_processes(deque([task]), 1, server)
    return ended


def test_events_and_output_are_kept(either: Server) -> None:
    """Enumerations and dataclasses come back equal."""
    events = [Observation("x = 1"), Cell(Outcome.RAISES), (Status.COMPLETED, "")]
    ended = run(Task(emit_all, (events,), 60), either)
    assert ended.events == events
    assert (ended.output, ended.exitcode, ended.is_late) == ({1: "printed", 2: ""}, 0, False)
    assert not Path(ended.directory).exists()


def test_what_a_crash_had_emitted_is_kept(either: Server) -> None:
    """With its signal."""
    ended = run(Task(crash_after, ([Observation("x = 1")],), 60), either)
    assert ended.events == [Observation("x = 1")]
    assert ended.describe() == (Status.CRASHED, "SIGABRT")
    assert ended.output[1] == "printed"


PIECE, LIMIT = 200, 500
"""Seconds that an event of ``emit_slowly`` takes by the clock of the test, and those that a task has."""


def test_task_that_takes_too_long_is_killed(
    either: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Events give an example no more time."""
    mark = tmp_path / "events"
    turn_clock(monkeypatch, mark, PIECE)
    late = run(Task(emit_slowly, (3000, str(mark)), LIMIT), either)
    assert late.is_late
    assert late.describe() == (Status.TIMED_OUT, "no end after 500 s")
    assert len(late.events) > 2


def test_event_of_a_batch_gives_it_time_for_the_next(
    either: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them together may take longer than the limit."""
    mark = tmp_path / "events"
    turn_clock(monkeypatch, mark, PIECE)
    whole = run(Task(emit_slowly, (15, str(mark)), LIMIT, is_batch=True), either)
    assert (whole.is_late, whole.events) == (False, [None] * 15)


def test_process_that_removes_its_folder_is_read_all_the_same(either: Server) -> None:
    """As an example can, too."""
    ended = run(Task(remove_folder, (), 60), either)
    assert (ended.events, ended.output[1]) == ([1], "printed")


def test_tasks_may_be_added_while_others_run(either: Server) -> None:
    """As the rest of a batch is, whose process died."""
    tasks = deque([Task(emit_all, ([1],), 60)])
    results = []
    for ended in run_processes(tasks, 2, either):
        results.append(ended.events)
        if len(results) == 1:
            tasks.append(Task(emit_all, ([2],), 60))
    assert results == [[1], [2]]


@pytest.mark.parametrize(
    "data",
    [b"garbage", pickle.dumps(os.system), pickle.dumps(print), b"\x80", pickle.dumps([1])[:-3]],
)
def test_file_of_events_is_read_up_to_what_is_none(either: Server, data: bytes) -> None:
    """An example can write there; nothing it writes is called or imported."""
    assert run(Task(spoil, (data,), 60), either).events == [None]


def test_enum_pickled_by_debians_python_is_read(server: ForkServer) -> None:
    """Python 3.11.2 pickles a member as ``getattr(class, name)``; of any other object that is refused."""
    member = b"cbuiltins\ngetattr\n(ctensor_atlas.model.runs\nStatus\nVCOMPLETED\ntR."
    assert run(Task(spoil, (member,), 60), server).events == [None, Status.COMPLETED]
    other = b"cbuiltins\ngetattr\n(ctensor_atlas.model.runs\nRaised\nV__init__\ntR."
    assert run(Task(spoil, (other,), 60), server).events == [None]


def test_no_process_is_left_behind(either: Server) -> None:
    """One in a session of its own included."""
    if sys.platform != "linux":
        pytest.skip("needs Linux")
    run(Task(outlive, (), 60), either)
    assert list(sandbox._children_in_other_sessions()) == []


@pytest.mark.parametrize("refused", ["tempfile.TemporaryDirectory", "os.mkdir"])
@pytest.mark.parametrize(
    ("number", "remedy"),
    [(24, "ulimit -n"), (11, "end other programs"), (28, "TMPDIR")],
)
def test_system_without_room_is_one_message(
    either: Server, monkeypatch: pytest.MonkeyPatch, number: int, remedy: str, refused: str
) -> None:
    """With what the person who called can do; nothing is left behind."""

    def refuse(*_: object, **__: object) -> object:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(refused, refuse)
    with pytest.raises(AtlasError, match=remedy):
        run(Task(emit_all, ([],), 60), either)


def test_interrupt_while_a_folder_is_made_leaves_none(
    server: ForkServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The signal may come when the folder exists and nobody has its name yet."""
    make_folder, made = tempfile.mkdtemp, []

    def interrupted(suffix: str | None = None, prefix: str | None = None, dir: str | None = None) -> str:  # noqa: A002
        made.append(make_folder(suffix, prefix, dir))
        if len(made) > 1:
            raise KeyboardInterrupt
        return made[0]

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(tempfile, "mkdtemp", interrupted)
    tasks = deque([Task(emit_all, ([],), 10), Task(emit_all, ([],), 10)])
    with pytest.raises(KeyboardInterrupt):
        list(run_processes(tasks, 2, server))
    assert len(made) == 2
    assert list(tmp_path.iterdir()) == []


def test_process_that_stops_the_fork_server_holds_nobody_up(server: ForkServer) -> None:
    """It is reported as it ended, and so are those that come after it."""
    tasks = deque([Task(stop_parent, ([1],), 30), Task(emit_all, ([2],), 30)])
    found = [(ended.events, ended.is_late) for ended in run_processes(tasks, 1, server)]
    assert found == [([1], False), ([2], False)]


def test_fork_server_that_stays_frozen_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it had forked is read when its time is over; what comes next runs."""
    if sys.platform != "linux":
        pytest.skip("needs Linux")
    monkeypatch.setattr(forkserver, "ANSWER_TIMEOUT", 2.0)
    mark = tmp_path / "frozen"
    turn_clock(monkeypatch, mark, 1000)
    own = ForkServer(())
    try:
        tasks = deque([Task(freeze_parent, (str(mark),), 500), Task(emit_all, ([2],), 500)])
        found = [ended.events for ended in run_processes(tasks, 1, own)]
    finally:
        own.stop()
    assert found == [[1], [2]]


def test_second_try_of_a_spawn_has_files_of_its_own(
    server: ForkServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process of the first try may have written its events already."""
    spawn, folders = ForkServer.spawn, []

    def lose_first(self: ForkServer, target: Callable[..., None], *arguments: Any) -> ForkedProcess:
        folders.append(arguments[-1])
        process = spawn(self, target, *arguments)
        if len(folders) == 1:
            process.join(timeout=30)
            raise ServerLostError(11, "on purpose")
        return process

    monkeypatch.setattr(ForkServer, "spawn", lose_first)
    assert run(Task(emit_all, ([1],), 60), server).events == [1]
    assert len(set(folders)) == 2
