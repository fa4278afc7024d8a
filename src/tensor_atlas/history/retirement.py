"""Which releases of torch leave the records, so that these stay small enough to commit and to read; pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tensor_atlas.history.releases import minor_release, torch_release
from tensor_atlas.model.runs import Environment

KEPT_MINORS = 20
"""Minor releases of torch that stay in the records: the newest."""
MOST_BYTES = 26 * 2**20
"""Size of all records."""


def list_minors(environments: Iterable[Environment]) -> list[str]:
    """Minor releases of torch among environments, the oldest first."""
    ordered = sorted({torch_release(environment) for environment in environments})
    return list(dict.fromkeys(minor_release(str(release)) for release in ordered))


def find_due(environments: Iterable[Environment], size: int) -> list[str]:
    """Minor releases of torch that leave records of ``size`` bytes, the oldest first.

    Those before the newest KEPT_MINORS; or the oldest, where the records are larger than MOST_BYTES without.
    """
    minors = list_minors(environments)
    beyond = minors[:-KEPT_MINORS]
    return beyond or minors[: int(size > MOST_BYTES)]


def select_minors(environments: Iterable[Environment], minors: Sequence[str]) -> list[Environment]:
    """Environments with one of these minor releases of torch."""
    return [one for one in environments if minor_release(str(torch_release(one))) in minors]


def describe_due(environments: Iterable[Environment], size: int) -> str:
    """What a proposal says of releases that leave, in one line of Markdown; empty where none does."""
    due = find_due(environments, size)
    if not due:
        return ""
    why = f"the records have {size / 2**20:.1f} MiB, and may have {MOST_BYTES // 2**20}"
    if size <= MOST_BYTES:
        why = f"the newest {KEPT_MINORS} minor releases stay"
    return f"**torch {', '.join(due)} leaves the records ({why}): `tensor-atlas record --retire`**"
