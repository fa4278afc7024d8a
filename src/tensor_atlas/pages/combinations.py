"""What the chooser may answer from several cells: where a run of such answers agreed, and where not."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tensor_atlas.catalogue import SOURCES, Form
from tensor_atlas.errors import AtlasError
from tensor_atlas.history.patterns import Patterns
from tensor_atlas.model.runs import JSON

FILE = "combinations.json"
"""The file in the folder of pages; ``tests/combined_answers.py --write`` writes it."""
REMEDY = "run tests/combined_answers.py --write"
PLACES = {source.name: place for place, source in enumerate(SOURCES)}
YES, NO = "1", "0"
"""Letters of an environment in the file: it is meant, or it is not."""


@dataclass(frozen=True)
class Differing:
    """Calls on some dtypes with a layout, flags or both, of which a run contradicts the answer."""

    form: Form
    """Form of the sources."""
    layout: str
    """Name of the source that stands for the layout, or of the only source; empty for what is usual."""
    flag: str
    """Name of the source that stands for the flags; empty for none."""
    dtypes: tuple[str, ...]
    """Dtypes of the combinations."""
    calls: tuple[str, ...]
    """Calls as readers write them; none where the combination itself could not be made."""
    environments: frozenset[str] = frozenset()
    """Ids of the environments whose run says so."""


@dataclass(frozen=True)
class Combinations:
    """Runs of everything that the chooser could combine."""

    tried: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Calls that were run, by environment id."""
    differing: tuple[Differing, ...] = ()
    """Answers that must not be given."""


def digest_sources() -> str:
    """Digest of what can be combined: a run of other sources says nothing of these."""
    lines = [f"{s.name}\n{s.code}\n{s.dtype}\n{s.layout}\n{s.flags}" for s in SOURCES]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8]


def add_run(
    known: Combinations, environment: str, calls: Iterable[str], differing: Iterable[Differing]
) -> Combinations:
    """The runs with that of one environment in place of an older one."""
    others = [replace(group, environments=group.environments - {environment}) for group in known.differing]
    new = [replace(group, environments=frozenset({environment})) for group in differing]
    merged: dict[tuple[Form, str, str], dict[tuple[str, str], frozenset[str]]] = {}
    for group in (*others, *new):
        of_kind = merged.setdefault((group.form, group.layout, group.flag), {})
        for dtype in group.dtypes:
            for call in group.calls or [""]:
                of_kind[dtype, call] = of_kind.get((dtype, call), frozenset()) | group.environments
    groups = [group for kind, cells in merged.items() for group in _group(kind, cells)]
    return Combinations({**known.tried, environment: frozenset(calls)}, tuple(groups))


def _group(
    kind: tuple[Form, str, str], cells: Mapping[tuple[str, str], frozenset[str]]
) -> Iterable[Differing]:
    """Calls with the same dtypes and environments together."""
    order = list_form_dtypes(kind[0])
    dtypes: dict[tuple[str, frozenset[str]], list[str]] = {}
    for (dtype, call), environments in cells.items():
        if environments:
            dtypes.setdefault((call, environments), []).append(dtype)
    calls: dict[tuple[tuple[str, ...], frozenset[str], bool], list[str]] = {}
    for (call, environments), names in dtypes.items():
        alike = tuple(sorted(names, key=order.index))
        calls.setdefault((alike, environments, call == ""), []).append(call)
    for (alike, environments, is_unmade), names in calls.items():
        yield Differing(*kind, alike, () if is_unmade else tuple(sorted(names)), environments)


# --- the file ---------------------------------------------------------------------------------------


def read_combinations(path: Path) -> Combinations:
    """What the file says of today's sources; nothing where there is none.

    AtlasError for a file of another form.
    """
    if not path.is_file():
        return Combinations()
    try:
        return parse_combinations(path.read_text(encoding="utf-8"))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise AtlasError(f"docs/{path.name}", f"is not a list of combinations: {error}", REMEDY) from error


def parse_combinations(text: str) -> Combinations:
    """Runs in the order of the file, without those of other sources.

    ValueError for names that no source has.
    """
    data = json.loads(text)
    ids = list(data["environments"])
    current = {name for name, digest in data["environments"].items() if digest == digest_sources()}
    calls: dict[str, set[str]] = {name: set() for name in ids if name in current}
    for letters, titles in data["tried"].items():
        for name in _select(ids, letters) & current:
            calls[name].update(titles)
    differing = []
    for traits, groups in data["differing"].items():
        form, *names = traits.split(" ")
        layout, flag = ("" if name == "-" else name for name in names)
        if unknown := {layout, flag} - {"", *PLACES}:
            raise ValueError(f"no source has the name {min(unknown)}")
        for letters, dtypes, titles in groups:
            where = _select(ids, letters) & current
            differing.append(Differing(Form(form), layout, flag, tuple(dtypes), tuple(titles), where))
    kept = tuple(one for one in differing if one.environments)
    return Combinations({name: frozenset(titles) for name, titles in calls.items()}, kept)


def _select(ids: Sequence[str], letters: str) -> frozenset[str]:
    """Environments that a word of letters means; ValueError for a word of another length."""
    return frozenset(name for name, letter in zip(ids, letters, strict=True) if letter == YES)


def spell_combinations(known: Combinations) -> str:
    """Text of the file: a line for each set of environments, then one for a layout with flags."""
    ids = sorted(known.tried)

    def spell(environments: Collection[str]) -> str:
        return "".join(YES if name in environments else NO for name in ids)

    where: dict[str, list[str]] = {}
    for call in sorted(frozenset[str]().union(*known.tried.values())):
        where.setdefault(spell(_find_runs(known, call)), []).append(call)
    kinds: dict[str, list[JSON]] = {}
    for one in known.differing:
        key = " ".join((one.form, one.layout or "-", one.flag or "-"))
        group: list[JSON] = [spell(one.environments), [*one.dtypes], [*one.calls]]
        kinds.setdefault(key, []).append(group)
    digests = {name: digest_sources() for name in ids}
    parts = (
        ("environments", _spell_lines(digests)),
        ("tried", _spell_lines(where)),
        ("differing", _spell_lines(dict(sorted(kinds.items())))),
    )
    return "{\n" + ",\n".join(f'"{name}": {lines}' for name, lines in parts) + "\n}\n"


def _spell_lines(part: Mapping[str, object]) -> str:
    """A JSON object with a line for each key."""
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in part.items()]
    return "{\n" + ",\n".join(lines) + "\n}"


# --- the page ---------------------------------------------------------------------------------------


def encode_combinations(known: Combinations, form: Form, patterns: Patterns) -> dict[str, JSON]:
    """What the chooser's script needs of a form.

    Each call once, with the pattern of the environments that ran it; all else as numbers.
    """
    dtypes = list_form_dtypes(form)
    mine = [group for group in known.differing if group.form is form]
    calls = sorted(frozenset[str]().union(*known.tried.values()))
    numbers = {call: place for place, call in enumerate(calls)}
    tried: list[JSON] = [patterns.number(dict.fromkeys(_find_runs(known, call), 0)) for call in calls]
    rows: list[JSON] = []
    for group in mine:
        places: JSON = [numbers[call] for call in group.calls] if group.calls else None
        members: JSON = [dtypes.index(dtype) for dtype in group.dtypes]
        pattern = patterns.number(dict.fromkeys(group.environments, 0))
        rows.append([PLACES.get(group.layout, -1), PLACES.get(group.flag, -1), places, members, pattern])
    return {"calls": [*calls], "tried": tried, "rows": rows}


def _find_runs(known: Combinations, call: str) -> list[str]:
    """Environments that ran a call."""
    return [name for name, calls in known.tried.items() if call in calls]


def list_form_dtypes(form: Form) -> list[str]:
    """Dtypes of the sources of a form, each once, in their order."""
    return list(dict.fromkeys(source.dtype for source in SOURCES if source.form is form))
