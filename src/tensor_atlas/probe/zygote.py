"""Imported last, and only, by the process that all others are forked from: what it has made, they need not make."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import re
from collections.abc import Callable

from tensor_atlas.probe.isolate import MANY_FORKS, bound
from tensor_atlas.probe.output import usual

with contextlib.suppress(ImportError):  # it is not there on Windows, where nothing is forked
    import multiprocessing.popen_forkserver  # noqa: F401

_COLLAPSE = 25
"""``MADV_COLLAPSE`` of Linux 6.1 and later (madvise(2)); an older kernel refuses it, and nothing is lost."""
_FULL = 0.5
"""Part of a mapping that must be in memory: a huge page takes its memory whole."""
_MAPPING = re.compile(
    r"^([0-9a-f]+)-([0-9a-f]+) rw-p \S+ \S+ 0 *(?:\[heap\])?$(?:\n[A-Z].*)*?\nAnonymous: +(\d+) kB", re.MULTILINE
)


def collapse() -> None:
    """Move what fills memory by small pages, Python's own arenas above all, to huge ones.

    Most of a fork, and of the end of what was forked, is to walk the table of pages: a huge one is one entry of it
    instead of 512. glibc's heap has them from the first, see HUGE_PAGES.
    """
    try:
        with open("/proc/self/smaps", encoding="ascii", errors="replace") as file:
            mappings = file.read()
        advise = ctypes.CDLL(None).madvise
    except (OSError, AttributeError, TypeError):  # not Linux
        return
    for start, end, anonymous in _MAPPING.findall(mappings):
        first, size = int(start, 16), int(end, 16) - int(start, 16)
        if int(anonymous) * 1024 > size * _FULL:
            advise(ctypes.c_void_p(first), ctypes.c_size_t(size), _COLLAPSE)


def _collapse_late() -> Callable[[], None]:
    """What collapses in this process alone, when it is called for the MANY_FORKS-th time: before each fork."""
    server, count = os.getpid(), 0

    def before_fork() -> None:
        nonlocal count
        count += 1
        if count == MANY_FORKS and os.getpid() == server:  # an example may fork, too
            collapse()

    return before_fork


usual()
bound()
os.register_at_fork(before=_collapse_late())
# A collection in a child writes to the header of every object it looks at, and so copies the pages they lie on. What is
# here now is never looked at again.
gc.freeze()
gc.enable()
gc.collect(0)  # what was not counted while it was off: a child must not begin with it
