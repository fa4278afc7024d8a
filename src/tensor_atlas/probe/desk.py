"""Folders that examples and cells work in; one that was left as it was found serves the next process."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection

from tensor_atlas.probe.output import WORK


class Desk:
    """A folder that processes work in, one after another.

    To make and to remove one on a disk takes a while of a short example, and longer than most cells.
    """

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="tensor-atlas-", ignore_cleanup_errors=True)
        self.directory = self._folder.name
        """The run's own folder, in which lies the one that its process works in."""
        self._work = os.path.join(self.directory, WORK)
        try:
            os.mkdir(self._work)
        except OSError:
            self.remove()
            raise
        self._found = self._looks()

    def leave(self, free: list[Desk], beside: Collection[str] = (), *, is_alone: bool = True) -> None:
        """Put it among those that are ``free``, if the next process finds it as the last one did; else remove it.

        ``beside``: names of files that may have come; ``is_alone``: no process is left that might work on at it.
        """
        if is_alone and self._is_as_found(beside):
            free.append(self)
        else:
            self.remove()

    def _is_as_found(self, beside: Collection[str]) -> bool:
        try:
            return self._looks(beside) == self._found
        except OSError:  # it has gone, or may not be looked at any more
            return False

    def _looks(self, beside: Collection[str] = ()) -> list[tuple[int, int, int, list[str]]]:
        folders = self.directory, self._work
        stats = [(found.st_ino, found.st_mode, found.st_uid) for found in map(os.stat, folders)]
        names = (
            [entry.name for entry in os.scandir(folder) if entry.name not in beside] for folder in folders
        )
        return [(*stat, found) for stat, found in zip(stats, names, strict=True)]

    def remove(self) -> None:
        """Remove the folder, and what is in it."""
        self._folder.cleanup()
