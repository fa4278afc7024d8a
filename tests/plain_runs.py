"""Runs scripts without the probe: ``python plain_runs.py SCRIPT…`` prints what each wrote, as JSON.

No test itself. Each script runs in a process of its own, forked from this one, which has imported torch and
computed nothing: starting an interpreter and importing torch a hundred times would take minutes.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import shutil
import signal
import sys
import tempfile
import traceback
import types
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, NoReturn

import numpy as np
import torch

AT_A_TIME = 2
TIMEOUT = 60
"""Seconds a script may take before it is ended with SIGALRM."""


@dataclass(frozen=True)
class Started:
    """A script that is running."""

    script: str
    stdout: IO[bytes]
    stderr: IO[bytes]


def main(scripts: list[str]) -> None:
    """Print a JSON object: script → exit code, stdout and stderr."""
    print(json.dumps(run_all(scripts, as_main)))


def as_main(script: str) -> None:
    """Execute a script as Python does: as ``__main__``, whose names live until the interpreter ends."""
    module = types.ModuleType("__main__")
    module.__file__ = script
    sys.modules["__main__"] = module
    exec(compile(Path(script).read_bytes(), script, "exec"), module.__dict__)


def run_all(scripts: list[str], execute: Callable[[str], None]) -> dict[str, dict[str, int | str]]:
    """Exit code, stdout and stderr of each script; ``execute`` runs it in a process of its own."""
    gc.freeze()  # what is imported already is neither searched nor copied in each process
    waiting = list(scripts)
    active: dict[int, Started] = {}
    finished: dict[str, dict[str, int | str]] = {}
    while waiting or active:
        while waiting and len(active) < AT_A_TIME:
            pid, started = start(waiting.pop(0), execute)
            active[pid] = started
        pid, status = os.wait()
        started = active.pop(pid)
        finished[started.script] = {
            "code": os.waitstatus_to_exitcode(status),
            "stdout": text_of(started.stdout),
            "stderr": text_of(started.stderr),
        }
    return finished


def text_of(file: IO[bytes]) -> str:
    """All that was written to ``file``, which is closed."""
    with file:
        file.seek(0)
        return file.read().decode(errors="backslashreplace")


def start(script: str, execute: Callable[[str], None]) -> tuple[int, Started]:
    """Process number of a new process that runs ``script`` in an empty folder, and where it writes."""
    started = Started(script, tempfile.TemporaryFile(), tempfile.TemporaryFile())  # noqa: SIM115
    pid = os.fork()
    if pid == 0:
        become(started, execute)
    return pid, started


def become(started: Started, execute: Callable[[str], None]) -> NoReturn:
    """Run the script as ``__main__`` and leave as Python does, with threads and exit handlers."""
    signal.alarm(TIMEOUT)
    for descriptor, file in ((1, started.stdout), (2, started.stderr)):
        os.dup2(file.fileno(), descriptor)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # as on a terminal
    sys.argv = [started.script]
    sys.path[0] = str(Path(started.script).parent)
    folder = tempfile.mkdtemp()
    # The first handler that is registered runs last: the folder is there for all others.
    _last.append(partial(shutil.rmtree, folder, ignore_errors=True))
    os.chdir(folder)
    code = exit_code(started.script, execute)
    sys.exit(code)


def run_last() -> None:
    """Remove the folder of the script."""
    for function in _last:
        function()


_last: list[Callable[[], None]] = []
atexit.register(run_last)


def exit_code(script: str, execute: Callable[[str], None]) -> int:
    """Exit code of a script, after its traceback has been written."""
    try:
        execute(script)
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException:  # noqa: BLE001 - as the interpreter does
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    assert torch.__version__, np.__version__
    main(sys.argv[1:])
