"""How often an attack is repeated, and by what chance: a few times, or in full by ``nox -s attacks --
--full``.
"""

from __future__ import annotations

import os
import random

SEED = 20_260_102
"""What a few times begin with: the same each time, as everywhere among the tests."""
FULL = "TENSOR_ATLAS_ATTACKS"
"""Variable that asks for all, as ``full``."""
SEED_NAMED = "TENSOR_ATLAS_SEED"
"""Variable that names the seed of a full attack, to repeat one."""


def is_full() -> bool:
    """Whether the environment asks for it."""
    return os.environ.get(FULL) == "full"


def times(few: int, full: int) -> int:
    """``few``, or ``full`` where the environment asks for it."""
    return full if is_full() else few


def chances() -> random.Random:
    """Where an attack's choices come from: other ones each time, where it runs in full.

    Says its seed, which pytest shows of a test that fails.
    """
    named = os.environ.get(SEED_NAMED)
    seed = int(named) if named else random.SystemRandom().randrange(10**9) if is_full() else SEED
    print(f"{SEED_NAMED}={seed}")
    return random.Random(seed)
