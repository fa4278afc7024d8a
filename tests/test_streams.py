"""Commands whose standard streams are closed, full, or read by nobody."""

from __future__ import annotations

import errno
import functools
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from samples import captured, project, ran, write_example

from tensor_atlas import streams
from tensor_atlas.probe.capture import write_capture
from tensor_atlas.records.store import read_capture

FULL = Path("/dev/full")
pytestmark = pytest.mark.skipif(not FULL.exists(), reason="needs a device that is full")
PYTHON = shlex.quote(sys.executable)  # a shell reads it, and a path may hold a blank
HOLDS, DRIFTS = "print(1)\n# => 1\n", "print(1)\n# => 2\n"
LOST = (
    "cannot write to standard output: No space left on device\n    free disk space, or redirect the output\n"
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Checkout with one example, whose claim holds, and a capture that says so."""
    made = project(tmp_path / "checkout")
    write_capture(captured(ran(write_example(made, HOLDS), "1")), made / "capture.json")
    return made


def ended(root: Path, command: str, streams: str) -> subprocess.CompletedProcess[str]:
    """How a command ends that a shell starts with such streams."""
    line = f"exec {PYTHON} -m {command} {streams}"
    return subprocess.run(
        ["sh", "-c", line], cwd=root, capture_output=True, text=True, check=False, timeout=120
    )


STREAMS = [">&-", "2>&-", "<&-", "<&- >&- 2>&-", "2>/dev/full"]
CLOSED = STREAMS[3]


@pytest.mark.parametrize("streams", STREAMS)
def test_exit_code_is_the_same_whatever_is_listened_to(streams: str, root: Path) -> None:
    """A closed stream is no drift. What is executed is tried without any stream."""
    done = ended(
        root, f"tensor_atlas.cli drift {'' if streams == CLOSED else '--from capture.json'}", streams
    )
    assert done.returncode == 0, done
    assert "Traceback" not in done.stdout + done.stderr
    if streams.startswith("2"):
        assert "no drift: 1 holds" in done.stdout


@pytest.mark.parametrize("streams", [">&-", "2>/dev/full"])
def test_drift_is_told_by_the_exit_code_whatever_is_listened_to(streams: str, root: Path) -> None:
    """As without anybody who reads."""
    write_capture(captured(ran(write_example(root, DRIFTS), "1")), root / "capture.json")
    done = ended(root, "tensor_atlas.cli drift --from capture.json", streams)
    assert done.returncode == 1, done
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize("command", ["drift --from capture.json", "drift --all", "--help"])
def test_report_that_cannot_be_written_is_one_message(command: str, root: Path) -> None:
    """Nobody may take its silence for good news."""
    done = ended(root, f"tensor_atlas.cli {command}", "> /dev/full")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"tensor-atlas: {LOST}")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("streams", [CLOSED, "2>/dev/full", "> /dev/full"])
def test_probe_writes_its_capture_all_the_same(streams: str, root: Path) -> None:
    """And of the example it sees what it would have seen."""
    done = ended(root, "tensor_atlas.probe examples -o capture.json", streams)
    assert done.returncode == 0, done
    assert "Traceback" not in done.stdout + done.stderr
    (run,) = read_capture(root / "capture.json").runs
    assert [observation.stdout for observation in run.observations] == ["1"]


def test_what_is_started_has_streams_too(root: Path) -> None:
    """Or the first files that it opens would be taken for them."""
    code = "import os; [os.fstat(number) for number in (0, 1, 2)]"
    start = f"import subprocess, sys; sys.exit(subprocess.run([sys.executable, '-c', '{code}']).returncode)"
    for take, number in (("", 1), ("from tensor_atlas import streams; streams.protect_streams(); ", 0)):
        line = f'exec {PYTHON} -c "{take}{start}" <&- >&- 2>&-'
        assert subprocess.run(["sh", "-c", line], cwd=root, check=False).returncode == number


@pytest.mark.parametrize("closed", [0, 1, 2])
def test_file_that_got_the_number_of_a_closed_stream_is_none(closed: int, tmp_path: Path) -> None:
    """Python closes what it begins with, but a module that it loads at its start may keep a file open."""
    file = tmp_path / "file"
    file.write_text("kept\n", encoding="utf-8")
    code = (
        f"import sys; file = open({str(file)!r}, 'r+'); assert file.fileno() == {closed}; "
        "from tensor_atlas import streams; streams.protect_streams(); "
        "sys.stdout.write('out'); sys.stderr.write('err'); sys.exit(len(sys.stdin.read()))"
    )
    line = f'exec {PYTHON} -c "{code}" {closed}>&-'
    done = subprocess.run(
        ["sh", "-c", line], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert (done.returncode, file.read_text(encoding="utf-8")) == (0, "kept\n")
    assert (done.stdout, done.stderr) == ("out" if closed != 1 else "", "err" if closed != 2 else "")


def test_what_is_not_written_when_a_stream_closes_is_lost() -> None:
    """As when it is flushed: the interpreter closes streams at its end, too."""
    file = streams.LossyFile(FULL, "w")
    told = streams.LossyStream(file, "utf-8", by_line=False, at_once=False)
    told.write("what a full disk does not take")
    told.close()
    assert told.closed
    assert file.lost is not None
    assert file.lost.errno == errno.ENOSPC


def test_reader_that_has_read_enough_is_told_as_ever(root: Path) -> None:
    """By the exit code of a shell; whoever reads no errors any more changes none."""
    reader, writer = os.pipe()
    os.close(reader)
    told, heard = os.pipe()
    os.close(told)
    command = [sys.executable, "-m", "tensor_atlas.cli", "drift", "--all"]
    done = subprocess.run(command, cwd=root, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (141, "")
    command = [*command[:-1], "--from", "capture.json"]
    done = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, stderr=heard, text=True, check=False)
    assert done.returncode == 0
    assert "no drift: 1 holds" in done.stdout
    os.close(writer)
    os.close(heard)


def test_letters_that_a_terminal_lacks_are_spelled(root: Path) -> None:
    """They must not end a report."""
    write_capture(captured(ran(write_example(root, "print('ä')\n# => ö\n"), "ä")), root / "capture.json")
    done = subprocess.run(
        [sys.executable, "-m", "tensor_atlas.cli", "drift", "--from", "capture.json"],
        cwd=root,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 1
    assert rb"\xe4" in done.stdout
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("most", [6, 8, 10, 18])
def test_too_few_files_are_one_message(most: int, root: Path) -> None:
    """Whoever lets so few be open learns of it by a message, whichever is the first that cannot be."""
    line = f"ulimit -n {most}; exec {PYTHON} -m tensor_atlas.cli drift --again --jobs 20"
    for number in range(20):
        write_example(root, HOLDS, f"01_x/a{number}")
    done = subprocess.run(
        ["sh", "-c", line], cwd=root, capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stdout) == (2, "")
    remedy = r"raise the limit of open files \(ulimit -n\), or ask for fewer --jobs"
    assert re.search(
        f"tensor-atlas probe: no process could be started: .*Too many open files\n    {remedy}\n", done.stderr
    )
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("shell", "name", "expected"),
    [
        ("trap '' HUP; exec", "HUP", "went on\n"),
        *(("exec", name, "stopped\n") for name in ("HUP", "QUIT", "TERM")),
    ],
)
def test_signal_stops_only_who_heeds_it(shell: str, name: str, expected: str) -> None:
    """A command under nohup goes on when its terminal is closed."""
    code = (
        "import os, signal\n"
        "from tensor_atlas.streams import stop_in_order\n"
        f"try:\n    stop_in_order()\n    os.kill(os.getpid(), signal.SIG{name})\n    print('went on')\n"
        "except KeyboardInterrupt:\n    print('stopped')\n"
    )
    command = ["sh", "-c", f'{shell} "$0" -c "$1"', sys.executable, code]
    # The tests themselves may run under nohup.
    heed = functools.partial(signal.signal, getattr(signal, f"SIG{name}"), signal.SIG_DFL)
    done = subprocess.run(command, capture_output=True, text=True, check=True, preexec_fn=heed)
    assert done.stdout == expected
