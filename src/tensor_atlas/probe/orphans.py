"""Processes that an example leaves behind: how they are tied to the probe, and ended with it; Linux only."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

_PDEATHSIG = 1
_CHILD_SUBREAPER = 36
"""Numbers of prctl(2)."""
ROUNDS = 100
"""How often strays are looked for: one that is ended may have started another."""


def adopt() -> None:
    """Let this process inherit what its descendants leave behind, in sessions of their own too."""
    _prctl(_CHILD_SUBREAPER, 1)


def tie() -> None:
    """Let this process die with the one that made it."""
    # torch has a function for it. To prepare ctypes for its first call takes a process longer than all else it does
    # before its work.
    theirs = getattr(sys.modules.get("torch.multiprocessing"), "_prctl_pr_set_pdeathsig", None)
    if theirs is None:
        _prctl(_PDEATHSIG, signal.SIGKILL)
    else:
        theirs(signal.SIGKILL)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        _libc().prctl(option, value, 0, 0, 0)


@functools.cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def children() -> frozenset[int]:
    """Children of this process, those that it has inherited among them; none where the system does not list them."""
    found: set[int] = set()
    with contextlib.suppress(OSError):
        for task in os.scandir("/proc/self/task"):
            with open(f"{task.path}/children", encoding="ascii") as file:
                found.update(map(int, file.read().split()))
    return frozenset(found)


def is_alone(before: frozenset[int]) -> bool:
    """Whether all children of this process are of those ``before``; those that have ended since are buried.

    False where the system does not list children: of a process that has left others behind, one cannot tell.
    """
    return bool(before) and not any(_lives(pid) for pid in children() - before)


def _lives(pid: int) -> bool:
    try:
        return os.waitpid(pid, os.WNOHANG) == (0, 0)
    except ChildProcessError:  # somebody else has buried it
        return False


def end_strays() -> None:
    """End children of this process that left its session: examples have sessions of their own, nothing else here."""
    if sys.platform != "linux":
        return
    for _ in range(ROUNDS):
        found = list(_strays())
        for pid in found:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
        if not found:
            return


def _strays() -> Iterator[int]:
    here, session = os.getpid(), os.getsid(0)
    listed: list[str] = []
    with contextlib.suppress(
        OSError
    ):  # where no more files may be open; what is tied to this process ends with it
        listed = [entry.name for entry in os.scandir("/proc")]
    for name in filter(str.isdecimal, listed):
        with contextlib.suppress(OSError):  # it has just ended
            # The name in parentheses may hold anything; what follows are state, parent, group and session.
            text = Path("/proc", name, "stat").read_text(encoding="utf-8", errors="replace")
            _, parent, _, own = text.rpartition(")")[2].split()[:4]
            if int(parent) == here and int(own) != session:
                yield int(name)
