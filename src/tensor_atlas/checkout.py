"""The checkout that the gate is run in, and whether anything was ever executed there; imports next to nothing.

To find that out takes less than to import what finds out more.
"""

from __future__ import annotations

import os

CAPTURES = ("docs", "_build", "captures")
"""Folders, one in another inside a checkout, the last of which holds what has been executed there."""
TEXTS = "texts.json"
"""Name of the file, beside a capture, that tells of which texts it is."""


def is_checkout(folder: str | os.PathLike[str]) -> bool:
    """Whether a folder holds what a checkout does."""
    examples, project = os.path.join(folder, "examples"), os.path.join(folder, "pyproject.toml")
    return os.path.isdir(examples) and os.path.isfile(project)


def checkout(start: str) -> str | None:
    """The checkout that a folder lies in."""
    folder = os.path.abspath(start)
    while not is_checkout(folder):
        folder, below = os.path.dirname(folder), folder
        if folder == below:
            return None
    return folder


def has_executed(root: str) -> bool:
    """Whether it is noted of a checkout what was executed there."""
    return os.path.lexists(os.path.join(root, *CAPTURES, TEXTS))
