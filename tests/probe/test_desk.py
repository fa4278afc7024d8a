"""Folders that processes work in: the next one finds its own as if it were new, or gets another."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tensor_atlas.catalogue.conversions import list_pairs
from tensor_atlas.examples.parse import Example, parse_example
from tensor_atlas.probe.desk import Desk
from tensor_atlas.probe.forking import ForkError
from tensor_atlas.probe.orphans import children, is_alone
from tensor_atlas.probe.output import WORK
from tensor_atlas.probe.run_cells import run_cells
from tensor_atlas.probe.runner import context, run_all

HEAD = '"""\nTitle\n=====\n\nDecide something.\n"""\n\n'
needs_list = pytest.mark.skipif(
    not Path("/proc/thread-self/children").is_file(), reason="this system does not list children"
)


@pytest.fixture
def desk() -> Desk:
    """One that no process has worked at."""
    return Desk()


def left(desk: Desk, beside: tuple[str, ...] = (), *, is_alone: bool = True) -> bool:
    """Whether it is kept for the next process; else it must have gone."""
    free: list[Desk] = []
    desk.leave(free, beside, is_alone=is_alone)
    assert Path(desk.directory).exists() == bool(free)
    return free == [desk]


def test_desk_that_is_as_it_was_found_is_kept(desk: Desk) -> None:
    """What was written and removed again has left nothing."""
    file = Path(desk.directory, WORK, "x")
    file.touch()
    file.unlink()
    assert left(desk)
    desk.remove()
    assert not Path(desk.directory).exists()


def test_desk_that_cannot_be_made_leaves_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As where a folder finds room, and another in it none; whoever asks for a process is told what to do."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    make = os.mkdir

    def full(path: str, mode: int = 0o777) -> None:
        if path.endswith(WORK):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)
        make(path, mode)

    monkeypatch.setattr(os, "mkdir", full)
    example = parse_example(f"{HEAD}x = 1\n", "examples/01_x/a.py")
    cells = [[pair] for pair in list_pairs()][:1]
    told = rf"started: {re.escape(str(tmp_path))}.*{WORK}: No space left on device\n    make room there, or let TMPDIR"
    for begun in (run_all([example], 1, lambda _: 60.0, context()), run_cells(cells, 1, context())):
        with pytest.raises(ForkError, match=told):
            next(iter(begun))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("place", ["x", ".x", "../x", "x/y"])
def test_desk_with_anything_left_at_it_is_removed(desk: Desk, place: str) -> None:
    """In the folder that the process worked in, and around it."""
    found = Path(desk.directory, WORK, place)
    found.parent.mkdir(exist_ok=True)
    found.touch()
    assert not left(desk)


def test_file_that_may_have_come_is_nothing_left(desk: Desk) -> None:
    """Where files lie that outlive the process; no other beside them."""
    Path(desk.directory, "1").touch()
    assert left(desk, ("1", "2"))
    assert not left(desk)


def _gone(work: Path) -> None:
    work.rmdir()


def _another(work: Path) -> None:
    work.rename(work.parent / "old")
    work.mkdir()
    (work.parent / "old").rmdir()


def _open_to_all(work: Path) -> None:
    work.chmod(0o777)


def _open_around(work: Path) -> None:
    work.parent.chmod(0o777)


def _all_gone(work: Path) -> None:
    work.rmdir()
    work.parent.rmdir()


@pytest.mark.parametrize("change", [_gone, _another, _open_to_all, _open_around, _all_gone])
def test_desk_that_is_another_is_removed(desk: Desk, change: Callable[[Path], None]) -> None:
    """The folder has gone, is not the same one, or has other rights."""
    change(Path(desk.directory, WORK))
    assert not left(desk)


def test_desk_is_removed_where_a_process_may_work_on_at_it(desk: Desk) -> None:
    """Whatever it looks like at that moment."""
    assert not left(desk, is_alone=False)


def example(body: str, name: str) -> Example:
    """An example with these statements."""
    return parse_example(HEAD + body, f"examples/01_x/{name}.py")


def said(*bodies: str) -> list[str]:
    """What the last statement of each of several examples printed, run one after another."""
    several = [example(body, f"e{number}") for number, body in enumerate(bodies)]
    runs = [run for run, _ in run_all(several, 1, lambda _: 60.0, context())]
    return [run.observations[-1].stdout for run in runs]


FOUND = "import os\n\nprint(oct(os.stat('.').st_mode), os.listdir(), os.listdir('..'))\n"
WHERE = "import os\n\nprint(os.stat('.').st_ino, os.stat('..').st_ino, os.getcwd())\n"


@needs_list
def test_examples_work_at_one_desk_while_nothing_is_left() -> None:
    """Which takes less time than to make one for each."""
    first, second, third = said(WHERE, WHERE, WHERE)
    assert first == second == third


def test_example_finds_nothing_that_another_left() -> None:
    """A file, a folder or rights."""
    bodies = (
        "open('x', 'w').close()\n",
        "open('../x', 'w').close()\n",
        "import os\n\nos.chmod('.', 0o700)\n",
    )
    clean = " [] ['work']"
    for body in bodies:
        before, _, after = said(FOUND, body, FOUND)
        assert before == after
        assert before.endswith(clean)


@needs_list
def test_example_gets_a_desk_of_its_own_while_something_outlives_another() -> None:
    """What has left the session of its example writes where it was: nobody else may find that."""
    writes = (
        "import os\nimport time\n\n"
        "child = os.fork()\n"
        "if child == 0:\n    os.setsid()\n    time.sleep(1)\n    open('x', 'w').close()\n    os._exit(0)\n"
    )
    looks = "import os\nimport time\n\ntime.sleep(2)\nprint(os.listdir())\n"
    assert said(WHERE, writes, looks)[-1] == "[]"


@needs_list
def test_processes_that_have_ended_are_no_company() -> None:
    """Nor do they stay as zombies; one that lives is company."""
    before = children() | {os.getppid()}
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        assert process.pid in children()
        assert not is_alone(before)
        assert process.stdin is not None
        process.stdin.close()
        deadline = time.monotonic() + 60
        while not is_alone(before) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert process.pid not in children()
        process.returncode = 0  # it has been buried here


def test_nobody_is_alone_where_children_are_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """One cannot tell what has been left behind."""
    monkeypatch.setattr(os, "scandir", lambda _: (_ for _ in ()).throw(OSError))
    assert children() == frozenset()
    assert not is_alone(children())
