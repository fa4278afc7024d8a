"""What a run writes to descriptors 1 and 2: in files, so that the last words of a process outlive it."""

from __future__ import annotations

import os

DESCRIPTORS = {1: "stdout", 2: "stderr"}
"""Standard output and standard error, with the name of the file that stands for each."""
MAX_OUTPUT = 65_536
"""Bytes kept of what one statement writes to one descriptor; the rest is counted."""
NOTE = 100
"""Characters by which a text that says how much of it is left out may be longer."""


class OutputFile:
    """The file behind one descriptor; it holds what has been written since it was last taken."""

    def __init__(self, directory: str, name: str) -> None:
        # Appending: two writers of one file must not overwrite each other, and a shorter file begins anew.
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND
        self.handle = os.open(os.path.join(directory, name), flags, 0o600)

    def take(self) -> str:
        """Text written since the last call, cut after MAX_OUTPUT bytes."""
        size = os.fstat(self.handle).st_size
        os.lseek(self.handle, 0, os.SEEK_SET)
        data = os.read(self.handle, MAX_OUTPUT)
        os.ftruncate(self.handle, 0)
        text = data.decode("utf-8", errors="backslashreplace")
        return text if size <= len(data) else f"{text}\n[{size - len(data)} more bytes]"

    def close(self) -> None:
        """Close the file, which keeps what it holds."""
        os.close(self.handle)


def open_output(directory: str) -> dict[int, OutputFile]:
    """The files in a ``directory``, by the descriptor that each stands for."""
    return {descriptor: OutputFile(directory, name) for descriptor, name in DESCRIPTORS.items()}


def shorten(text: str) -> str:
    """Text up to MAX_OUTPUT characters, then how many are left out: a message, too, may be of any length."""
    left = len(text) - MAX_OUTPUT
    return text if left <= NOTE else f"{text[:MAX_OUTPUT]}\n[{left} more characters]"
