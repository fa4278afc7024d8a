"""The one exception for what a person must put right; caught once, in the command line and in the extension."""

from __future__ import annotations


class AtlasError(Exception):
    """Bad input: the message says where, what, and what to do."""

    def __init__(self, where: str, what: str, remedy: str) -> None:
        super().__init__(f"{where}  {what}\n    {remedy}")
