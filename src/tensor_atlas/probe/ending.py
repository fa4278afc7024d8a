"""The end of an example's process: exit handlers run as at any end of Python, but no library is taken apart.

The interpreter waits for threads and runs exit handlers. The one that is registered here runs last, and ends
the process: to take torch apart costs six times as much, and nothing is printed then.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable

_last: list[Callable[[], None]] = []


def register_last() -> None:
    """Register the handler, before others are registered: they run in reverse order."""
    atexit.register(_run_last)
    _last.append(_pass)


def call_last(function: Callable[[], None]) -> None:
    """Call ``function`` when all exit handlers have run."""
    if not _last:
        register_last()
    _last[0] = function


def _pass() -> None:
    """Nothing to do in a process that runs no example."""


def _run_last() -> None:
    _last[0]()
