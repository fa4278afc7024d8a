"""Which pages must be read again because the evidence they show has changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from tensor_atlas.site.execution import evidence_of
from tensor_atlas.site.memory_map import at_a_glance

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from tensor_atlas.compare.evidence import Evidence, ExampleEvidence

WHOLE = "*"
"""Stands for all examples in what a page depends on."""
MATRIX = "#"
"""Stands for the matrix."""
CARD = "@"
"""Goes before the name of an example where a page shows its card alone."""


def _keys(env: BuildEnvironment) -> dict[str, dict[str, str]]:
    """Digest of what each page showed, by page and example name; kept with Sphinx's own environment."""
    if not hasattr(env, "tensor_atlas_keys"):
        env.tensor_atlas_keys = {}  # type: ignore[attr-defined]
    keys: dict[str, dict[str, str]] = env.tensor_atlas_keys  # type: ignore[attr-defined]
    return keys


def note(app: Sphinx, docname: str, example: str) -> None:
    """Remember that a page shows an example, its CARD, with WHOLE all of them, or with MATRIX the matrix."""
    _keys(app.env).setdefault(docname, {})[example] = _key(evidence_of(app), example)


def _key(evidence: Evidence, example: str) -> str:
    if example == WHOLE:
        return evidence.whole_key
    if example == MATRIX:
        return evidence.matrix_key
    name = example.removeprefix(CARD)
    if name not in evidence.shown:
        return "gone"
    key = evidence.key(name)
    return key if name == example else f"{key} {_glance_key(evidence.shown[name])}"


def _glance_key(shown: ExampleEvidence) -> str:
    """Digest of what the card of an example draws."""
    return hashlib.sha256(repr(at_a_glance(shown.example, shown.run)).encode()).hexdigest()[:16]


def outdated(
    app: Sphinx,
    env: BuildEnvironment,
    added: AbstractSet[str],
    changed: AbstractSet[str],
    removed: AbstractSet[str],
) -> list[str]:
    """Handler of ``env-get-outdated``: pages that showed something else."""
    evidence = evidence_of(app)
    # Of everything, whoever asks: a process that reads pages would have to find all of it out for itself.
    now = {name: evidence.key(name) for name in evidence.shown} | {WHOLE: evidence.whole_key}
    return [
        page
        for page, keys in _keys(env).items()
        if any(_is_other(evidence, now, *item) for item in keys.items())
    ]


def _is_other(evidence: Evidence, now: Mapping[str, str], example: str, known: str) -> bool:
    name = example.removeprefix(CARD)
    if name == example:
        return _key(evidence, example) != known
    if name in now and known.startswith(now[name]):
        return False  # what ended as before is drawn as before: nothing need be drawn to find out
    return _key(evidence, example).partition(" ")[2] != known.partition(" ")[2]


def purge(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Handler of ``env-purge-doc``."""
    _keys(env).pop(docname, None)


def merge(app: Sphinx, env: BuildEnvironment, docnames: Iterable[str], other: BuildEnvironment) -> None:
    """Handler of ``env-merge-info``: what a parallel reader has noted."""
    theirs = _keys(other)
    _keys(env).update({docname: theirs[docname] for docname in docnames if docname in theirs})
