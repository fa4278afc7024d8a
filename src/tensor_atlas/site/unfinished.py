"""Finishes what a build that was cut short has begun: it had noted what it read, and not yet written all of it.

Sphinx takes a page for written that is younger than its source, whatever else it is made of; and where a first build
wrote no index for the search, that of the next has the remaining pages alone.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

MARK = "unfinished"
"""Name of the file, beside the doctrees, that is there while pages are written."""


def begin(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Handler of ``env-updated``, before Sphinx notes what it has read: all pages where the last build did not end."""
    mark = Path(app.doctreedir, MARK)
    was_cut_short = mark.exists()
    with contextlib.suppress(OSError):  # a tree that cannot be written to is for Sphinx to tell of
        mark.touch()
    return sorted(env.found_docs) if was_cut_short else []


def end(app: Sphinx, exception: Exception | None) -> None:
    """Handler of ``build-finished``: all is written."""
    if exception is None:
        with contextlib.suppress(OSError):
            Path(app.doctreedir, MARK).unlink()
