"""How often an attack is repeated: a few times among the other tests, and in full by ``nox -s attacks``."""

from __future__ import annotations

import os


def times(few: int, full: int) -> int:
    """``few``, or ``full`` where the environment asks for it."""
    return full if os.environ.get("TENSOR_ATLAS_ATTACKS") == "full" else few
