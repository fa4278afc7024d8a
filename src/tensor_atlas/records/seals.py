"""The seal of a record file: a digest of all that stands behind it, as the first field of the document.

Finds honest mistakes: an edit, a merge, a file cut short. Anybody can make one: it stops no adversary. Pure.
"""

from __future__ import annotations

import hashlib
import re

_SEAL = re.compile(rb'\{"seal": "([0-9a-f]{16})",')


def seal_text(text: str) -> str:
    """A JSON object with its seal put in, on its first line."""
    rest = text.removeprefix("{")
    return f'{{"seal": "{_digest(rest.encode())}",{rest}'


def is_sealed(data: bytes) -> bool:
    """Whether a file holds, to the byte, what was sealed."""
    seal = _SEAL.match(data)
    return seal is not None and seal[1].decode() == _digest(data[seal.end() :])


def _digest(rest: bytes) -> str:
    return hashlib.sha256(rest).hexdigest()[:16]
