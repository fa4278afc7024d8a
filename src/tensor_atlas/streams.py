"""Standard streams of a command, open however it was started, and the signals that end it, always in order.

A full disk is a message, no traceback.
"""

from __future__ import annotations

import io
import os
import signal
import sys
from typing import Any, TextIO

DESCRIPTORS = (0, 1, 2)
"""Standard input, output and error."""
ERRORS = "backslashreplace"
"""What becomes of a letter that a terminal lacks: it must not end a report."""
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")
STOPPING = tuple(number for number in signal.Signals if number.name in _NAMES)
"""Signals that end a command: Windows has two of these."""
FULL = "cannot write to standard output"


class LossyFile(io.FileIO):
    """A file that loses what it cannot take, as on a full disk, and lets it be known afterwards."""

    lost: OSError | None = None
    """Why something could not be written; None where all was."""
    needs_reader = False
    """Whether it is an error that nobody reads any more, for whoever writes to tell."""

    def write(self, data: Any, /) -> int:
        """Write as any file does; the only OSError raised is BrokenPipeError, where it ``needs_reader``."""
        try:
            return super().write(data)
        except OSError as error:
            if self.needs_reader and isinstance(error, BrokenPipeError):
                raise
            self.lost = self.lost or error
            return memoryview(data).nbytes


class LossyStream(io.TextIOWrapper):
    """Text on a LossyFile."""

    def __init__(self, file: LossyFile, encoding: str, *, by_line: bool, at_once: bool) -> None:
        """Write to ``file`` whole lines, or ``at_once`` whatever is printed, or what fills a buffer."""
        below: Any = file if at_once else io.BufferedWriter(file)
        super().__init__(below, encoding, ERRORS, line_buffering=by_line, write_through=at_once)
        self.file = file


def protect_streams() -> None:
    """Open standard streams that are closed, and keep what they cannot take; a second time does nothing."""
    for descriptor in DESCRIPTORS:
        try:
            os.fstat(descriptor)
        except OSError:
            # The next file that is opened would be taken for it, here and in what this process starts.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # noqa: FBT003 - it takes no name
    if sys.stdin is None:  # closed at the start, so that number 0 may by now be a file that was opened since
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - open as long as the process
    sys.stdout, sys.stderr = _open_lossy(sys.stdout, 1), _open_lossy(sys.stderr, 2)


def _open_lossy(stream: TextIO | None, descriptor: int) -> TextIO:
    if isinstance(stream, LossyStream):
        return stream
    by_line = descriptor == 2 or (stream is not None and stream.isatty())
    encoding = "utf-8" if stream is None else stream.encoding
    at_once = bool(getattr(stream, "write_through", False))
    where = os.devnull if stream is None else descriptor  # a stream that was closed has no number of its own
    file = LossyFile(where, "w", closefd=stream is None)
    file.needs_reader = descriptor == 1
    return LossyStream(file, encoding, by_line=by_line, at_once=at_once)


def describe_loss() -> str:
    """What is to be said where standard output, when flushed, did not take all; empty where it did."""
    lost = sys.stdout.file.lost if isinstance(sys.stdout, LossyStream) else None
    return "" if lost is None else f"{FULL}: {lost.strerror}\n    free disk space, or redirect the output"


def stop_in_order() -> None:
    """Handle every signal that ends a command as an interrupt: no process and no file is left behind."""

    def interrupt(*_: object) -> None:
        for number in STOPPING:  # a second one must not stop the cleaning
            signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt

    for number in STOPPING:
        is_spared = number.name == "SIGHUP" and signal.getsignal(number) == signal.SIG_IGN  # by nohup
        if not is_spared:
            signal.signal(number, interrupt)


def stop_at_once() -> None:
    """Handle these signals as the system does: for a process that has nothing to clean up."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_DFL)
