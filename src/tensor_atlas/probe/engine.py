"""Which code observed, named by a digest of all that decides what a capture holds."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from tensor_atlas.model.capture import ENGINE, SITE_ONLY


@cache
def name_engine() -> str:
    """Sixteen hexadecimal digits; the same on every machine that has the same code."""
    package = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for room in sorted(ENGINE):
        for path in sorted((package / room).iterdir()):
            if path.suffix in (".py", ".toml") and path.name != SITE_ONLY:
                digest.update(f"{room}/{path.name}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]
