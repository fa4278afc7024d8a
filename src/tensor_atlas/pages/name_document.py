"""Names that releases changed, as a document for programs, and as what the search box reads; pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from tensor_atlas.compare.forms import (
    GENERATOR,
    Document,
    Filled,
    Lines,
    Part,
    build_schema,
    encode_part,
)
from tensor_atlas.history.patterns import Numbers
from tensor_atlas.model.names import NAME
from tensor_atlas.model.runs import JSON
from tensor_atlas.pages.name_history import (
    COUNTERPARTS,
    KnownNames,
    NameGroup,
    NameHistory,
    describe_history,
    describe_releases,
    fill_message,
    list_asked,
    list_steps,
)

NAMES_FILE, NAMES_FORM = "names.json", "names.schema.json"
"""The document, and its JSON Schema."""
SCHEMA = 1
"""Version of the form; a change that breaks its readers makes it greater."""


class ChangedName(Part, frozen=True):
    name: Filled
    """With its module or class, such as numpy.in1d; its anchor in reference/names.html."""
    message: str
    """What the package says of it, as captured; empty if that is no more than that there is no such name."""
    write: str
    """Reviewed code to write instead, in which array and tensor are values; may be empty."""
    note: str
    """What differs."""
    moved: str
    """The same name in another module; may be empty."""


class NamesOfRelease(Part, frozen=True):
    """What differs between two releases that were asked one after the other."""

    package: Filled
    before: Filled
    after: Filled
    exact: bool
    """Whether no minor release lies between the two."""
    removed: tuple[ChangedName, ...]
    added: tuple[ChangedName, ...]
    warned: tuple[ChangedName, ...]
    """Names that the later release warns of, and the earlier one had without a warning."""


class NamesData(Document, frozen=True):
    """Public names that releases of NumPy and torch removed, added or began to warn of."""

    asked: dict[Filled, Lines]
    """By package, the minor releases that were asked for names, the oldest first."""
    releases: tuple[NamesOfRelease, ...]
    """By package, the newest first."""


def build_names(known: KnownNames) -> dict[str, JSON]:
    """Every change of a name."""
    releases = []
    for step in list_steps(known):
        groups = {name: _list_changed(getattr(step, name)) for name in ("removed", "added", "warned")}
        releases.append(NamesOfRelease(step.package, step.before, step.after, step.is_exact, **groups))
    asked = {package: tuple(all_) for package, all_ in list_asked(known.histories.values()).items()}
    data = NamesData(NAMES_FORM, SCHEMA, GENERATOR, asked=asked, releases=tuple(releases))
    return encode_part(data)


def build_names_schema() -> dict[str, JSON]:
    """JSON Schema of the document."""
    return build_schema(NamesData, NAMES_FORM, "Names that releases of NumPy and torch changed", SCHEMA)


def _list_changed(groups: Iterable[NameGroup]) -> tuple[ChangedName, ...]:
    return tuple(chain.from_iterable(map(_split_group, groups)))


def _split_group(group: NameGroup) -> Iterator[ChangedName]:
    remedy = group.remedy
    for name in group.names:
        moved = f"{remedy.moved}{name}" if remedy.moved else ""
        message = fill_message(remedy.message, [name])
        yield ChangedName(f"{group.namespace}.{name}", message, remedy.write, remedy.note, moved)


# --- for the search box ----------------------------------------------------------------------------

EVERYWHERE, REMOVED, ADDED = "everywhere", "removed", "added"
"""What became of a name: each release that was asked has it; the newest has not; the newest has it, and an
older one has not."""
_TO_TENSOR = "Convert the array: `torch.as_tensor(array)`."
VALUES = {
    "numpy.dtype": "",
    "numpy.generic": _TO_TENSOR,
    "numpy.ndarray": _TO_TENSOR,
    "numpy.random.Generator": "",
    "torch.Tensor": "Convert the tensor: `tensor.detach().cpu().numpy()`.",
    "torch.device": "",
    "torch.dtype": "",
    "torch.nn.Module": "",
}
"""Classes of which an object is asked, with what gives one of the other library."""


def build_name_facts(known: KnownNames) -> dict[str, JSON]:
    """What the search box reads: names by module or class and by what became of them, each fate once."""
    fates: Numbers[tuple[str, str, str]] = Numbers()
    places: dict[str, dict[int, list[str]]] = {}
    for history in known.histories.values():
        fate = fates[_describe_fate(known, history)]
        places.setdefault(history.namespace, {}).setdefault(fate, []).append(history.name)
    asked = list_asked(known.histories.values())
    return {
        "roots": {package.lower(): _describe_root(package, releases) for package, releases in asked.items()},
        "fates": [list(fate) for fate in fates],
        "names": {
            namespace: _join_names(places[namespace]) for namespace in sorted(places, key=_rank_namespace)
        },
        "values": dict(VALUES),
        "reviewed": dict(_list_reviewed(known)),
        "twins": dict(COUNTERPARTS),
    }


def _join_names(lines: Mapping[int, Sequence[str]]) -> list[JSON]:
    """Each fate with the names that have it."""
    return [[fate, " ".join(names)] for fate, names in lines.items()]


def _rank_namespace(namespace: str) -> tuple[bool, int, str]:
    """Sort key: where a name is looked for first that a module lacks; what NumPy calls private comes last."""
    return namespace == "numpy.core", namespace.count("."), namespace


def _describe_root(package: str, releases: Sequence[str]) -> dict[str, JSON]:
    """Sentences about names that the records do not explain; ``{path}`` stands for the name."""
    root = package.lower()
    return {
        "nowhere": f"{package} {describe_releases(package, releases)} were asked, and have no {{path}}.",
        "shadowed": f"A file of your own that is called {root}.py would be imported in place of the package.",
    }


def _list_reviewed(known: KnownNames) -> Iterator[tuple[str, list[JSON]]]:
    """Names with reviewed code to write instead, and a note."""
    for path, entry in known.reviewed.items():
        yield path, [entry.write, entry.note]
    for path, history in known.histories.items():
        remedy = known.find_remedy(path)
        if history.is_changed and remedy.write and path not in known.reviewed:
            yield path, [remedy.write, remedy.note]


def _describe_fate(known: KnownNames, history: NameHistory) -> tuple[str, str, str]:
    """What became of a name, in words with NAME for it, and what the package says of it."""
    name = f"{NAME}=" if history.is_keyword else NAME
    kind = EVERYWHERE
    if history.is_changed:
        kind = ADDED if history.answers[-1].is_there else REMOVED
    message = history.message or history.warning
    if kind == REMOVED:
        message = known.find_remedy(history.path).message
    return kind, describe_history(replace(history, name=name)), message
