"""The exception for what a person must put right, and the exit codes of commands.

The command line catches the exception once; the extension catches it in each handler and directive.
"""

from __future__ import annotations

DRIFT = 1
"""Exit code of a command that found something to act on."""
BAD_INPUT = 2
"""Exit code of a command that cannot do what it is asked for."""
NO_RECORDS = 3
"""Exit code of a replay in an environment that has no records."""
INTERRUPTED = 130
"""As a shell reports an interrupt."""


class AtlasError(Exception):
    """Bad input: the message says where, what is wrong, and what to do."""

    def __init__(self, where: str, problem: str = "", remedy: str = "") -> None:
        """Message of the three parts; ``where`` alone when it holds all of them."""
        super().__init__(where if not problem else f"{where}  {problem}\n    {remedy}")
