"""What can be found, as JavaScript that a page loads when it is asked for; pure.

A page opened as a file could fetch no JSON, so what is written assigns a variable. The rules' numbers, words
and patterns go with it: the script that ranks has none of its own.
"""

from __future__ import annotations

import json
from dataclasses import astuple

from tensor_atlas.model.runs import JSON
from tensor_atlas.site import ranking
from tensor_atlas.site.ranking import Index, Wording

FILE = "atlas-index.js"
LATE = frozenset({FILE, "atlas-ranking.js"})
"""Scripts that a page loads only when something is looked for."""
NUMBERS = (
    "ABOUT",
    "BESIDE",
    "BOTH",
    "EARLIER",
    "ELSEWHERE",
    "ENOUGH",
    "FADING",
    "JOINED",
    "LEAST",
    "LONGEST",
    "LONGEST_QUESTION",
    "NAMES",
    "NEAR",
    "SAME_WEIGHT",
    "STEM",
    "SURE",
    "TITLE",
    "TYPED",
    "UNKNOWN",
    "VERBATIM",
)
"""Settings of the ranking."""
PATTERNS = ("TOKEN", "QUALIFIED", "FRAME", "FILE", "CLASS", "MARK")
"""Regular expressions that Python and JavaScript read alike."""


def script(index: Index) -> str:
    """The variable ``atlasIndex``."""
    return f"window.atlasIndex = {json.dumps(payload(index), separators=(',', ':'), ensure_ascii=True)};\n"


def payload(index: Index) -> dict[str, JSON]:
    """All that the browser needs; fields in the order of the dataclasses, pages of wordings by place."""
    places = {leaf.page: place for place, leaf in enumerate(index.leaves)}
    return {
        "rules": rules(),
        "leaves": [[*astuple(leaf)] for leaf in index.leaves],
        "wordings": [_wording(wording, places[wording.page]) for wording in index.wordings],
    }


def rules() -> dict[str, JSON]:
    """What the reference ranks by."""
    numbers: dict[str, JSON] = {name: getattr(ranking, name) for name in NUMBERS}
    patterns: dict[str, JSON] = {name: getattr(ranking, name).pattern for name in PATTERNS}
    words: dict[str, JSON] = {
        "STOP": [*sorted(ranking.STOP)],
        "SAME": {**ranking.SAME},
        "ENDINGS": [[*pair] for pair in ranking.ENDINGS],
        "FIELDS": [[*pair] for pair in ranking.FIELDS],
        "PRIOR": {**ranking.PRIOR},
    }
    return numbers | patterns | words


def _wording(wording: Wording, place: int) -> list[JSON]:
    return [place, wording.type, wording.text, wording.where, int(wording.is_own)]
