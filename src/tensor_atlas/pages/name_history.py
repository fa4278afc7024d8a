"""Names and keywords of NumPy and torch: which releases have them, what the others say; pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from packaging.version import Version

from tensor_atlas.errors import AtlasError
from tensor_atlas.history.releases import (
    PACKAGES,
    USUAL_PLATFORM,
    age_key,
    minor_release,
    next_minor,
)
from tensor_atlas.model.names import NAME, NameAnswer, is_there
from tensor_atlas.model.runs import Environment
from tensor_atlas.pages.error_messages import describe_conditions

TABLE = "names"
"""Name of the reviewed table, ``docs/names.toml``."""
_PACKAGES = {"numpy": "NumPy", "torch": "torch"}
"""Packages as people write them, by the name that Python imports."""
COUNTERPARTS = {
    "numpy": "torch",
    "numpy.ndarray": "torch.Tensor",
    "numpy.generic": "torch.Tensor",
    "numpy.dtype": "torch.dtype",
    "numpy.fft": "torch.fft",
    "numpy.linalg": "torch.linalg",
    "torch": "numpy",
    "torch.Tensor": "numpy.ndarray",
    "torch.dtype": "numpy.dtype",
    "torch.fft": "numpy.fft",
    "torch.linalg": "numpy.linalg",
}
"""Modules and classes by that of the other library with which they are mixed up."""
_BARE = re.compile(r"(?i)^(?:module |type object )?'[\w.\[\]{}]+'(?: object)? has no attribute|^$")
"""A message that says no more than that there is no such name."""
_SHELVES = ("numpy.exceptions",)
"""Modules to which names have moved from the package itself."""


@dataclass(frozen=True)
class ReviewedName:
    """A table of ``docs/names.toml``: what to write in the place of a name that a package does not have."""

    name: str
    """With its module or class, such as ``numpy.ndarray.unsqueeze``."""
    write: str
    """Code that runs, in which ``array`` and ``tensor`` stand for a value."""
    call: str = ""
    """What the other library's users write for the same values; empty where nothing can be compared."""
    note: str = ""
    """A sentence on what differs."""


@dataclass(frozen=True)
class ReleaseAnswer:
    """What one minor release of a package answered for a name."""

    release: str
    """Such as ``2.4``."""
    is_there: bool
    """Whether its CPU builds have the name; CUDA builds are asked where there are no others."""
    answer: NameAnswer | None
    """None where the whole module or class is not there."""
    exceptions: str = ""
    """Environments of this release that answer otherwise, in words."""


@dataclass(frozen=True)
class NameHistory:
    """One name in the releases that were asked for it, the oldest first."""

    namespace: str
    name: str
    answers: tuple[ReleaseAnswer, ...]

    @property
    def path(self) -> str:
        """The name with its module or class, which is its anchor, too."""
        return f"{self.namespace}.{self.name}"

    @property
    def package(self) -> str:
        """The package whose releases decide: ``NumPy`` or ``torch``."""
        return name_package(self.namespace)

    @property
    def there(self) -> list[str]:
        """Releases that have it."""
        return [one.release for one in self.answers if one.is_there]

    @property
    def absent(self) -> list[str]:
        """Releases that do not."""
        return [one.release for one in self.answers if not one.is_there]

    @property
    def is_keyword(self) -> bool:
        """Whether it is the keyword of a call, such as ``copy=`` of ``numpy.asarray``."""
        return self.name.endswith("=")

    @property
    def message(self) -> str:
        """What the newest release without it says beyond that, with NAME for it; may be empty."""
        if self.is_keyword:
            return ""
        said = [_read_message(one) for one in self.answers if not one.is_there]
        return next(filter(None, reversed(said)), "")

    @property
    def warning(self) -> str:
        """What the newest release that has it warns of, with NAME for it; empty for nothing."""
        there = [one for one in self.answers if one.is_there]
        return _read_warning(there[-1]) if there else ""

    @property
    def is_changed(self) -> bool:
        """Whether some release that was asked has it, and another has not."""
        return bool(self.there and self.absent)


def name_package(namespace: str) -> str:
    """``NumPy`` for ``numpy.fft``."""
    return _PACKAGES[namespace.partition(".")[0]]


def _read_message(given: ReleaseAnswer) -> str:
    """What a release without a name says of it; empty where that is no more than that it has none."""
    error = given.answer.error if given.answer is not None else None
    first, _, rest = ("" if error is None else error.message).partition("\n")
    return rest.strip() if _BARE.match(first) else f"{first}\n{rest}".strip()


def _read_warning(given: ReleaseAnswer) -> str:
    """``DeprecationWarning: …``; empty where asking warns of nothing."""
    warned = given.answer.warnings if given.answer is not None else ()
    return f"{warned[0].category}: {warned[0].message}" if warned else ""


def fill_message(message: str, names: Sequence[str]) -> str:
    """A message with its name; with dots where it is that of several."""
    return message.replace(NAME, names[0] if len(names) == 1 else "…")


# --- from records ----------------------------------------------------------------------------------


def trace_names(
    recorded: Mapping[str, Mapping[str, Mapping[str, NameAnswer]]], environments: Mapping[str, Environment]
) -> dict[str, NameHistory]:
    """History of each name that some recorded release has, by its whole path.

    ``recorded`` has answers by module or class, by environment id and by name.
    """
    histories: dict[str, NameHistory] = {}
    for namespace, record in recorded.items():
        releases = _group_releases(namespace, map(environments.__getitem__, record))
        given = [record[environment.id] for asked in releases.values() for environment in asked]
        known: dict[tuple[int, ...], tuple[ReleaseAnswer, ...]] = {}
        for name in sorted(set[str]().union(*record.values())):
            # Names that were answered alike share their answers.
            key = tuple(id(answers.get(name)) for answers in given)
            if key not in known:
                known[key] = tuple(_judge_releases(record, name, releases))
            if any(one.is_there for one in known[key]):
                histories[f"{namespace}.{name}"] = NameHistory(namespace, name, known[key])
    return histories


def _group_releases(namespace: str, asked: Iterable[Environment]) -> dict[str, list[Environment]]:
    """Environments by the minor release of a namespace's package, the oldest first."""
    read = PACKAGES[name_package(namespace)]
    releases: dict[str, list[Environment]] = {}
    for environment in sorted(asked, key=lambda each: (read(each), age_key(each))):
        releases.setdefault(minor_release(str(read(environment))), []).append(environment)
    return releases


def list_asked(histories: Iterable[NameHistory]) -> dict[str, list[str]]:
    """Releases that were asked for names, the oldest first, by package."""
    asked: dict[str, set[str]] = {}
    for history in histories:
        asked.setdefault(history.package, set()).update(one.release for one in history.answers)
    return {package: sorted(releases, key=Version) for package, releases in sorted(asked.items())}


def _judge_releases(
    record: Mapping[str, Mapping[str, NameAnswer]], name: str, releases: Mapping[str, Sequence[Environment]]
) -> Iterator[ReleaseAnswer]:
    for release, environments in releases.items():
        given: list[_Given] = []
        for environment in environments:
            answers = record[environment.id]
            if not answers or name in answers:
                given.append((environment, answers.get(name)))
        if given:
            yield _judge_release(name, release, given)


_Given = tuple[Environment, NameAnswer | None]


def _judge_release(name: str, release: str, given: Sequence[_Given]) -> ReleaseAnswer:
    """One answer for the environments of a release, with those that contradict it."""

    def has_name(pair: _Given) -> bool:
        return pair[1] is not None and is_there(name, pair[1])

    asked = [pair for pair in given if _is_usual(pair[0])] or given
    is_known = any(map(has_name, asked))
    agreeing = [pair for pair in given if has_name(pair) == is_known]
    others = [environment for environment, _ in given if environment not in dict(agreeing)]
    words = describe_conditions(others, dict(agreeing)) or "other environments" if others else ""
    _, answer = [pair for pair in asked if pair in agreeing][-1]
    return ReleaseAnswer(release, is_known, answer, words)


def _is_usual(environment: Environment) -> bool:
    """Whether an environment is one of those that every release is recorded in."""
    return environment.cuda is None and environment.kind == "cpu" and environment.platform == USUAL_PLATFORM


# --- what to write instead ------------------------------------------------------------------------


@dataclass(frozen=True)
class Remedy:
    """What takes the place of a name."""

    message: str = ""
    """What the package itself says, as captured."""
    write: str = ""
    """Reviewed code."""
    note: str = ""
    moved: str = ""
    """Where the newest release has the same name: ``np.append`` of ``numpy.lib.append``."""
    twin: str = ""
    """The other library's name: ``torch.Tensor.unsqueeze`` of ``numpy.ndarray.unsqueeze``."""


@dataclass(frozen=True)
class KnownNames:
    """All that records and the reviewed table say of names."""

    histories: Mapping[str, NameHistory]
    """By the whole path of a name."""
    reviewed: Mapping[str, ReviewedName]
    """By the same."""

    def find_remedy(self, path: str) -> Remedy:
        """What takes the place of ``numpy.in1d``, and of ``numpy.lib.in1d``, which says no more."""
        remedy = self._find_own_remedy(path)
        like = f"{path.partition('.')[0]}.{path.rpartition('.')[2]}"
        is_nothing = path in self.histories and remedy == Remedy()
        return self._find_own_remedy(like) if is_nothing else remedy

    def _find_own_remedy(self, path: str) -> Remedy:
        history, entry = self.histories.get(path), self.reviewed.get(path)
        twin = name_twin(path)
        return Remedy(
            message="" if history is None else history.message or history.warning,
            write="" if entry is None else entry.write,
            note="" if entry is None else entry.note,
            moved=self._find_moved(path),
            twin=twin if twin in self.histories and history is None else "",
        )

    def _find_moved(self, path: str) -> str:
        """Where the newest release has a name that it does not have there: in the package itself, mostly."""
        namespace, _, name = path.rpartition(".")
        root = namespace.partition(".")[0]
        for place in (root, *_SHELVES):
            known = self.histories.get(f"{place}.{name}")
            if place != namespace and place.startswith(root) and known and known.answers[-1].is_there:
                return shorten_path(known.path)
        return ""


def name_twin(path: str) -> str:
    """The same name in the other library: ``torch.Tensor.copy`` for ``numpy.ndarray.copy``."""
    namespace, _, name = path.rpartition(".")
    return f"{COUNTERPARTS.get(namespace, '')}.{name}"


def shorten_path(path: str) -> str:
    """As people write it: ``np.append``, and ``np.asarray(copy=)`` for ``numpy.asarray.copy=``."""
    call, _, name = path.rpartition(".")
    return re.sub(r"^numpy\.", "np.", f"{call}({name})" if name.endswith("=") else path)


# --- releases in words ----------------------------------------------------------------------------


def describe_releases(package: str, releases: Sequence[str]) -> str:
    """``1.26 and 2.1 to 2.5``: a range stands for releases in a row, all of which were asked."""
    runs: list[list[str]] = []
    for release in releases:
        if runs and next_minor(package, Version(runs[-1][-1])) == release:
            runs[-1].append(release)
        else:
            runs.append([release])
    parts: list[str] = []
    for run in runs:
        parts += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else run
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def describe_history(history: NameHistory) -> str:
    """Sentences such as ``NumPy 1.26 to 2.3 have `in1d`; 2.4 and 2.5 do not``."""
    package, there, absent = history.package, history.there, history.absent
    verb = "take" if history.is_keyword else "have"
    if len(there) == 1:
        verb = "takes" if history.is_keyword else "has"
    name = shorten_path(history.path) if history.is_keyword else history.name
    words = f"{package} {describe_releases(package, there)} {verb} `{name}`"
    if absent:
        words += f"; {describe_releases(package, absent)} {'does' if len(absent) == 1 else 'do'} not"
    for one in history.answers:
        if one.exceptions:
            words += f"; in {one.release} it is otherwise with {one.exceptions}"
    return f"{words}."


# --- steps between releases -------------------------------------------------------------------------


@dataclass(frozen=True)
class NameGroup:
    """Names of one module or class that changed alike, and have the same instead of them."""

    namespace: str
    names: tuple[str, ...]
    remedy: Remedy
    """Of a name that warns its message is the warning."""


@dataclass(frozen=True)
class NameStep:
    """What differs between two releases that were asked one after the other."""

    package: str
    before: str
    after: str
    removed: tuple[NameGroup, ...]
    added: tuple[NameGroup, ...]
    warned: tuple[NameGroup, ...]
    """Names that the later one warns of, and the earlier one had without a warning."""

    @property
    def is_exact(self) -> bool:
        """Whether no minor release lies between the two."""
        return next_minor(self.package, Version(self.before)) == self.after

    @property
    def title(self) -> str:
        """``NumPy 2.4``; ``Between torch 2.11 and 2.13`` where nobody asked the releases between."""
        if self.is_exact:
            return f"{self.package} {self.after}"
        return f"Between {self.package} {self.before} and {self.after}"


def list_steps(known: KnownNames) -> list[NameStep]:
    """Steps of each package in which a name changed, the newest first."""
    lines_of: dict[tuple[str, str, str], tuple[_Lines, _Lines, _Lines]] = {}
    for package, releases in list_asked(known.histories.values()).items():
        for older, newer in reversed([*pairwise(releases)]):
            lines_of[package, older, newer] = {}, {}, {}
    for history in known.histories.values():
        for before, after in pairwise(history.answers):
            key = history.package, before.release, after.release
            removed, added, warned = lines_of.setdefault(key, ({}, {}, {}))
            if before.is_there and not after.is_there:
                _add_line(removed, history, _find_step_remedy(known, history, after))
            elif after.is_there and not before.is_there:
                _add_line(added, history, Remedy())
            elif after.is_there and (said := _find_new_warning(before, after)):
                remedy = known.find_remedy(history.path)
                _add_line(warned, history, Remedy(said, remedy.write, remedy.note))
    steps = [NameStep(*key, *map(_group_lines, lines)) for key, lines in lines_of.items()]
    return [step for step in steps if step.removed or step.added or step.warned]


_Lines = dict[tuple[str, Remedy], list[str]]


def _add_line(lines: _Lines, history: NameHistory, remedy: Remedy) -> None:
    lines.setdefault((history.namespace, remedy), []).append(history.name)


def _group_lines(lines: _Lines) -> tuple[NameGroup, ...]:
    return tuple(NameGroup(namespace, tuple(names), remedy) for (namespace, remedy), names in lines.items())


def _find_step_remedy(known: KnownNames, history: NameHistory, after: ReleaseAnswer) -> Remedy:
    """Remedy for a name, with what the release says that took it away, or else a later one."""
    remedy = known.find_remedy(history.path)
    said = _read_message(after) or remedy.message
    # Names that moved together make one line.
    moved = f"{remedy.moved.rpartition('.')[0]}." if remedy.moved and not (remedy.write or said) else ""
    return Remedy(said, remedy.write, remedy.note, moved)


def _find_new_warning(before: ReleaseAnswer, after: ReleaseAnswer) -> str:
    """What a release warns of that the one before did not warn of at all."""
    return "" if _read_warning(before) else _read_warning(after)


# --- the reviewed table ----------------------------------------------------------------------------


def check_reviewed(
    entries: Iterable[tuple[ReviewedName, str]], histories: Mapping[str, NameHistory]
) -> dict[str, ReviewedName]:
    """Entries with file and line, by name; AtlasError for one about no name of the records."""
    reviewed: dict[str, ReviewedName] = {}
    for entry, where in entries:
        history = histories.get(entry.name)
        if entry.name in reviewed:
            raise AtlasError(where, f"a second entry for {entry.name}", "keep one of them")
        if histories and history is None and name_twin(entry.name) not in histories:
            problem = f"no recorded release has {entry.name}, nor has the other library a name like that"
            raise AtlasError(where, problem, "correct its name")
        if history is not None and history.answers[-1].is_there and not history.warning:
            newest = f"{history.package} {history.answers[-1].release}"
            problem = f"{newest} has {entry.name}, and does not warn of it"
            raise AtlasError(where, problem, "leave the entry out")
        reviewed[entry.name] = entry
    return reviewed
