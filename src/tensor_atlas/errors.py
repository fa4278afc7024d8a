"""The exception for what a person must put right.

Caught once in the command line, and once in the extension.
"""

from __future__ import annotations


class AtlasError(Exception):
    """Bad input: the message says where, what, and what to do."""

    def __init__(self, where: str, what: str = "", remedy: str = "") -> None:
        """Message of the three parts; ``where`` alone when it holds all of them."""
        super().__init__(where if not what else f"{where}  {what}\n    {remedy}")
