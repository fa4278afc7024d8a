"""Parts of a run that machines share out among themselves: which examples and cells belong to which; pure."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

_Thing = TypeVar("_Thing")
_SPELLING = re.compile(r"([1-9][0-9]{0,4})/([1-9][0-9]{0,4})")


@dataclass(frozen=True)
class Shard:
    """One part of a run."""

    number: int
    """Which part, counted from 1."""
    count: int
    """How many parts there are."""
    plan: str = ""
    """Digest of all that the parts share out: only shards of one plan make a whole."""

    def __str__(self) -> str:
        """As it is spelled: ``2/8``."""
        return f"{self.number}/{self.count}"

    def select(self, things: Sequence[_Thing]) -> list[_Thing]:
        """The things of this part; every thing belongs to one part, and the parts differ by one at most."""
        return list(things[self.number - 1 :: self.count])


def parse_shard(text: str) -> Shard:
    """Shard that ``2/8`` spells; ValueError says in one line what is wrong."""
    form = _SPELLING.fullmatch(text)
    if form is None or int(form[1]) > int(form[2]):
        raise ValueError(f"{text!r} is no shard: write 2/8 for the second of eight")
    return Shard(int(form[1]), int(form[2]))


def digest_plan(code: Sequence[tuple[str, str]], *, matrix: bool) -> str:
    """Digest of what is shared out: names and digests of all examples, in order, and whether the matrix is tried."""
    return hashlib.sha256(json.dumps([sorted(code), matrix]).encode()).hexdigest()[:16]


def missing_shards(shards: Sequence[Shard]) -> list[str]:
    """Which parts lack, of each whole that some are of: ``3/8``; none where every whole is complete."""
    wholes = sorted({(one.plan, one.count) for one in shards})
    given = set(shards)
    parts = (Shard(number, count, code) for code, count in wholes for number in range(1, count + 1))
    return [str(part) for part in parts if part not in given]
