"""The command ``tensor-atlas``: says at once what it has found out before, and leaves the rest to ``commands``."""

from __future__ import annotations

import atexit
import gc
import os
import sys

from tensor_atlas import streams
from tensor_atlas.checkout import checkout, has_executed

TYPE_CHECKING = False  # as typing has it, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from tensor_atlas.unchanged import Held

READER_LEFT = 141
"""As a shell reports a program that nobody reads from any more."""
INTERRUPTED = 130
"""As a shell reports an interrupt."""
REMOVED = "the working directory has been removed: change to the folder that holds examples/"


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code: 0 when all is well, 1 for drift, 2 for bad input."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if arguments is None:
        streams.take()
    try:
        if arguments is None and given[:1] == ["drift"]:
            gc.disable()  # what the gate reads it keeps: to look for garbage among it took a tenth of its time
        code = _said(_run(given))
        if arguments is None and given[:1] in (["drift"], ["site"]):
            _leave(code)
    except SystemExit:  # of a parser, which has said something as well
        code = _said(0)
        if code == 0:
            raise
    except BrokenPipeError:
        # Whoever reads has read enough, as head does. What is left in the buffer must not be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_LEFT
    except KeyboardInterrupt:
        print("tensor-atlas: interrupted", file=sys.stderr)
        return INTERRUPTED
    return code


def _said(code: int) -> int:
    """Exit code where all has been written that there was to say; that of bad input where it could not be."""
    sys.stdout.flush()
    if not (complaint := streams.complaint()):
        return code
    print(f"tensor-atlas: {complaint}", file=sys.stderr)
    return 2


def _leave(code: int) -> NoReturn:
    """End this process: to take apart, piece by piece, what a build keeps in memory takes a second.

    What the gate keeps takes less, but its reader waits for less.
    """
    atexit._run_exitfuncs()  # noqa: SLF001 - as the interpreter does at its end
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)


def _run(given: list[str]) -> int:
    try:
        here = os.getcwd()
    except FileNotFoundError:
        print(f"tensor-atlas: {REMOVED}", file=sys.stderr)
        return 2
    if given[:1] == ["site"]:
        from tensor_atlas import building  # noqa: PLC0415 - the gate needs none of it

        return building.main(given[1:])
    root = checkout(here) if given == ["drift"] else None
    if root is not None and (known := _known(root)) is not None:
        print(known.said, file=sys.stderr)
        print(known.told)
        return 0
    # All that is needed to find out takes longer to import than to see that nothing has changed.
    from tensor_atlas import commands  # noqa: PLC0415

    return commands.main(given)


def _known(root: str) -> Held | None:
    """What the gate said last; None where it must look, and then torch is imported if a glance tells what for."""
    if has_executed(root):
        from pathlib import Path  # noqa: PLC0415 - nothing of it is needed where nothing was executed yet

        from tensor_atlas import texts, unchanged  # noqa: PLC0415

        if not texts.is_due(Path(root)):
            return unchanged.remembered(Path(root))
    from tensor_atlas.probe import forking  # noqa: PLC0415 - whoever has changed nothing needs neither

    if forking.CAN_FORK:
        forking.forks().start(root)
        return None
    from tensor_atlas import waiting  # noqa: PLC0415

    waiting.begin(root)
    return None


if __name__ == "__main__":
    sys.exit(main())
