"""``python -m tensor_atlas.bench.clock -- COMMAND``: how long a command takes, and what memory all of it holds; Linux.

Prints JSON: exit code; seconds of wall time until the command itself ends; seconds of processor time of everything it
started, until the last of it has ended; peak memory of the largest process, in bytes. With ``--memory SECONDS``, also
the peak of the sum over all processes alive, in which shared memory counts once, sampled after every so many seconds.
Sampling costs a few milliseconds each time: short pauses are for a run whose time does not count.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

PATIENCE = 60.0
"""Seconds that what a command leaves running may take to end by itself."""
SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of <linux/prctl.h>: processes whose parent has ended become children of this one."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Always 0: what became of the command is in what is printed."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    cut = given.index("--")
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    sampler = _Sampler(float(given[1])) if given[:1] == ["--memory"] else None
    if sampler is not None:
        sampler.start()
    # What the command says is for whoever reads the log, not for the reader of the numbers.
    started = time.perf_counter()
    process = subprocess.Popen(given[cut + 1 :], stdout=sys.stderr, stderr=sys.stderr)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    usages = [used, *_rest()]
    if sampler is not None:
        sampler.stop()
    found = {
        "code": os.waitstatus_to_exitcode(status),
        "wall": wall,
        "cpu": sum(usage.ru_utime + usage.ru_stime for usage in usages),
        "largest": max(usage.ru_maxrss for usage in usages) * 1024,
        # What ended before the first sample held memory, too: how much is not known.
        "memory": None if sampler is None else sampler.peak or None,
    }
    print(json.dumps(found))
    return 0


def _rest() -> list[resource.struct_rusage]:
    """What else was used by processes that the command left behind; those that do not end are ended."""
    found: list[resource.struct_rusage] = []
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            pid, _, used = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return found
        if pid:
            found.append(used)
        elif time.monotonic() < deadline:
            time.sleep(0.01)
        else:
            for left in descendants(os.getpid()):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(left, signal.SIGKILL)


class _Sampler(threading.Thread):
    """Peak of the memory of all descendants, in bytes."""

    def __init__(self, pause: float) -> None:
        super().__init__(daemon=True)
        self.peak = 0
        self._pause = pause
        self._ended = threading.Event()

    def run(self) -> None:
        while not self._ended.wait(self._pause):
            self.peak = max(self.peak, held(os.getpid()))

    def stop(self) -> None:
        self._ended.set()
        self.join()


def held(root: int) -> int:
    """Bytes that all processes hold that ``root`` has started; they stand still meanwhile.

    Otherwise those that are looked at after one has ended would hold its share of the memory once more.
    """
    still: set[int] = set()
    try:
        while started := set(descendants(root)) - still:  # one that was just being forked among them
            still |= started
            _signal(started, signal.SIGSTOP)
        return sum(map(_proportional, still))
    finally:
        _signal(still, signal.SIGCONT)


def _signal(pids: Iterable[int], number: int) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def descendants(root: int) -> list[int]:
    """Ids of all processes that ``root`` has started, and they in turn."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                # The name stands in brackets and may hold anything: the fields behind the last one count.
                fields = (entry / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2]
                parents.setdefault(int(fields.split()[1]), []).append(int(entry.name))
    found: list[int] = []
    waiting = [root]
    while waiting:
        children = parents.get(waiting.pop(), [])
        found += children
        waiting += children
    return found


def _proportional(pid: int) -> int:
    """Bytes a process holds, with its share of what it shares with others; 0 when it has ended."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0


if __name__ == "__main__":
    sys.exit(main())
