"""Combinations that the chooser does not answer for from their parts: a run differs, or none was possible."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tensor_atlas.catalogue import SOURCES, Form
from tensor_atlas.errors import AtlasError
from tensor_atlas.model.runs import JSON

UNRUN = "combinations.json"
"""The file in the folder of pages; ``tests/combined_answers.py --write`` writes it."""
REMEDY = "run tests/combined_answers.py --write"
PLACES = {source.name: place for place, source in enumerate(SOURCES)}


@dataclass(frozen=True)
class Unrun:
    """Some dtypes with a layout, flags or both, and calls on them."""

    form: Form
    """Form of the sources."""
    layout: str
    """Name of the source that stands for the layout; empty for what is usual."""
    flag: str
    """Name of the source that stands for the flags; empty for none."""
    dtypes: tuple[str, ...]
    """Dtypes of the combinations."""
    calls: tuple[str, ...]
    """Calls as readers write them; none where the combination itself could not be made."""


def read_combinations(path: Path) -> tuple[Unrun, ...]:
    """What the file lists, nothing where there is none; AtlasError for a file of another form."""
    if not path.is_file():
        return ()
    try:
        return parse_combinations(path.read_text(encoding="utf-8"))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise AtlasError(f"docs/{path.name}", f"is not a list of combinations: {error}", REMEDY) from error


def parse_combinations(text: str) -> tuple[Unrun, ...]:
    """Combinations in the order of the file; ValueError for names that no source has."""
    found = []
    for traits, groups in json.loads(text).items():
        form, layout, flag = traits.split(" ")
        unknown = {layout, flag} - {"-", *PLACES}
        if unknown:
            raise ValueError(f"no source has the name {min(unknown)}")
        names = [name.replace("-", "", 1) if name == "-" else name for name in (layout, flag)]
        found += [
            Unrun(Form(form), names[0], names[1], tuple(dtypes.split(" ")), tuple(calls))
            for dtypes, calls in groups.items()
        ]
    return tuple(found)


def spell_combinations(unrun: Sequence[Unrun]) -> str:
    """Text of the file: a line for a layout with flags, in it the calls by dtypes."""
    lines: dict[str, dict[str, list[str]]] = {}
    for one in unrun:
        key = " ".join((one.form, one.layout or "-", one.flag or "-"))
        lines.setdefault(key, {})[" ".join(one.dtypes)] = [*one.calls]
    spelled = [f"{json.dumps(key)}: {json.dumps(groups)}" for key, groups in lines.items()]
    return "{\n" + ",\n".join(spelled) + "\n}\n"


def encode_combinations(unrun: Sequence[Unrun], form: Form) -> dict[str, JSON]:
    """What the chooser's script needs of a form: each call once, all else as numbers."""
    dtypes = list_form_dtypes(form)
    mine = [one for one in unrun if one.form is form]
    calls = list(dict.fromkeys(call for one in mine for call in one.calls))
    numbers = {call: place for place, call in enumerate(calls)}
    rows: list[JSON] = []
    for one in mine:
        places: JSON = [numbers[call] for call in one.calls] if one.calls else None
        members: JSON = [dtypes.index(dtype) for dtype in one.dtypes]
        rows.append([PLACES.get(one.layout, -1), PLACES.get(one.flag, -1), places, members])
    return {"calls": [*calls], "rows": rows}


def list_form_dtypes(form: Form) -> list[str]:
    """Dtypes of the sources of a form, each once, in their order."""
    return list(dict.fromkeys(source.dtype for source in SOURCES if source.form is form))
