"""Measures one command: wall time, processor time and peak memory of all its processes; Linux.

``python clock.py PAUSE COMMAND`` prints JSON: the exit code; seconds of wall time until the command ends;
seconds of processor time of all processes it started, until the last of them has ended; and, where PAUSE is
not 0, the peak of the bytes that they hold together, sampled every PAUSE seconds, shared memory counted once.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import resource
import subprocess
import sys
import time

import psutil

PR_SET_CHILD_SUBREAPER = 36
"""From <linux/prctl.h>: a process whose parent has ended becomes a child of this one."""
PATIENCE = 60.0
"""Seconds that processes may outlive the command before they are killed."""


def main() -> None:
    """Run the command and print what it took; its own output goes to standard error."""
    pause, *command = sys.argv[1:]
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=sys.stderr, stderr=sys.stderr)
    peak = sample_memory(process, float(pause)) if float(pause) else 0
    code = process.wait()
    wall = time.perf_counter() - started
    await_orphans()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = used.ru_utime + used.ru_stime
    print(json.dumps({"code": code, "wall": wall, "cpu": cpu, "memory": peak or None}))


def sample_memory(process: subprocess.Popen[bytes], pause: float) -> int:
    """Peak of the bytes that all processes hold until ``process`` ends, sampled every ``pause`` seconds."""
    peak = 0
    while True:
        try:
            process.wait(timeout=pause)
        except subprocess.TimeoutExpired:
            peak = max(peak, measure_descendants())
        else:
            return peak


def await_orphans() -> None:
    """Wait until no descendant is left: the processor time of each is known only then."""
    deadline = time.monotonic() + PATIENCE
    while children := psutil.Process().children(recursive=True):
        if time.monotonic() > deadline:
            for child in children:
                with contextlib.suppress(psutil.NoSuchProcess):
                    child.kill()
        psutil.wait_procs(children, timeout=0.01)


def measure_descendants() -> int:
    """Bytes that all descendants of this process hold, each page of shared memory counted once.

    They are stopped meanwhile: when one ends, the others take over its share of the memory.
    """
    stopped: set[psutil.Process] = set()
    try:
        # A process may be forked while the others are being stopped: look again until there is no new one.
        while started := set(psutil.Process().children(recursive=True)) - stopped:
            for process in started:
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.suspend()
            stopped |= started
        return sum(proportional_size(process) for process in stopped)
    finally:
        for process in stopped:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.resume()


def proportional_size(process: psutil.Process) -> int:
    """Bytes a process holds, with its share of what it shares with others; 0 when it has ended."""
    try:
        return int(process.memory_full_info().pss)
    except psutil.Error:
        return 0


if __name__ == "__main__":
    main()
