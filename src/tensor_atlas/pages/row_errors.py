"""Why conversions raise, for the rows of the overview: inputs by error and by what to call instead; pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tensor_atlas.catalogue import SOURCES, Conversion
from tensor_atlas.compare.upgrade import RARE
from tensor_atlas.matrix.remedies import Remedies
from tensor_atlas.matrix.table import Entry, Matrix
from tensor_atlas.model.runs import JSON

LONGEST = 160
"""Characters of a message that are kept."""
ANYTHING = "…"
"""Stands for the one word in which messages differ."""
USUAL_DTYPES = (
    "float32", "float64", "int64", "int32", "uint8", "bool", "float16", "bfloat16", "complex64",
)  # fmt: skip
"""Dtypes that most programs have: inputs of these come first."""
_PLACES = {source.name: place for place, source in enumerate(SOURCES)}


@dataclass(frozen=True)
class RowError:
    """Inputs on which a conversion raises alike."""

    kind: str
    """Class of the error, or the signal that ended the process."""
    message: str
    """Its first line; of several that differ in one word, with ``ANYTHING`` in its place."""
    remedy: str
    """What to call instead; empty where no such call is known."""
    sources: tuple[int, ...]
    """Places of the inputs in the catalogue."""


def list_row_errors(entries: Iterable[Entry], remedies: Remedies) -> list[RowError]:
    """Errors of a conversion in the newest environment of each input: that of the most inputs first."""
    indices_of: dict[tuple[str, str, str], list[int]] = {}
    failing = [entry for entry in entries if entry.cell.error is not None]
    merged = merge_messages([_read_error(entry) for entry in failing])
    for entry in failing:
        kind, message = _read_error(entry)
        key = kind, merged[kind, message], remedies.find(entry)
        indices_of.setdefault(key, []).append(_PLACES[entry.source.name])
    errors = [RowError(*key, tuple(places)) for key, places in indices_of.items()]
    return sorted(errors, key=lambda error: -len(error.sources))


def _read_error(entry: Entry) -> tuple[str, str]:
    """Class and first line of the error of an entry."""
    error = entry.cell.error
    assert error is not None
    line = error.message.strip().partition("\n")[0]
    return error.type, line if len(line) <= LONGEST else f"{line[:LONGEST].rstrip()} …"


def merge_messages(errors: Collection[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """The pattern of each message: its own words, or those that it shares with others of its class.

    ``Got unsupported ScalarType BFloat16`` and ``… ComplexHalf`` become ``Got unsupported ScalarType …``.
    """
    masks: dict[tuple[str, int, tuple[str, ...]], set[str]] = {}
    for kind, message in errors:
        words = message.split(" ")
        for place in range(len(words)):
            masks.setdefault((kind, place, _mask(words, place)), set()).add(message)
    merged: dict[tuple[str, str], str] = {(kind, message): message for kind, message in errors}
    for (kind, _, pattern), messages in sorted(masks.items(), key=lambda item: -len(item[1])):
        own = {message for message in messages if merged[kind, message] == message}
        if len(own) > 1 and len(pattern) > 2:
            merged |= {(kind, message): " ".join(pattern) for message in own}
    return merged


def _mask(words: Sequence[str], place: int) -> tuple[str, ...]:
    return (*words[:place], ANYTHING, *words[place + 1 :])


def sort_usual_first() -> tuple[list[int], int]:
    """Places of all inputs as a list shows them, and how many of these are usual: rare ones come last."""

    def rank(place: int) -> tuple[bool, bool, int]:
        source = SOURCES[place]
        dtype = source.dtype.removeprefix("torch.")
        is_plain = re.fullmatch(rf"{dtype} (array|tensor)", source.title) is not None
        is_usual = is_plain and dtype in USUAL_DTYPES
        return _is_rare(place), not is_usual, USUAL_DTYPES.index(dtype) if is_usual else place

    order = sorted(range(len(SOURCES)), key=rank)
    return order, sum(not _is_rare(place) for place in order)


@lru_cache(maxsize=1)
def rank_inputs() -> dict[str, int]:
    """Place of each input, by name, in a list with usual ones first."""
    order, _ = sort_usual_first()
    return {SOURCES[place].name: rank for rank, place in enumerate(order)}


def _is_rare(place: int) -> bool:
    source = SOURCES[place]
    return RARE.search(source.name) is not None or source.device not in ("cpu", "cuda")


def encode_row_errors(matrix: Matrix, rows: Iterable[Conversion], remedies: Remedies) -> Mapping[str, JSON]:
    """Errors of all rows, each text once: by conversion lists of class, message, remedy and inputs."""
    texts: dict[str, int] = {}
    encoded: dict[str, JSON] = {}
    for row in rows:
        errors: list[JSON] = []
        for error in list_row_errors(matrix.rows[row.name].values(), remedies):
            words = (error.kind, error.message, error.remedy)
            errors.append([*(texts.setdefault(word, len(texts)) for word in words), *error.sources])
        encoded[row.name] = errors
    order, usual = sort_usual_first()
    return {"texts": list(texts), "rows": encoded, "order": [*order], "usual": usual}
