"""``docs/deviations.toml``: reviewed, reasoned exceptions from the claims; pure, takes text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import Version

from tensor_atlas.entries import toml_entries
from tensor_atlas.errors import AtlasError
from tensor_atlas.probe.record import Environment
from tensor_atlas.probe.script import Example

_RELEASE = re.compile(r"(?P<package>torch|numpy|python)\s*(?P<range>[<>=!~].*)$")
_DEVICES = ("cpu", "cuda", "mps")
_FIELDS = {"example", "statement", "environments", "reason", "link", "output"}


@dataclass(frozen=True)
class Deviation:
    """One exception: in these environments this statement differs from its claim, for this reason."""

    example: str
    """``<chapter>/<stem>``."""
    statement: str
    """First line of the statement's source."""
    environments: tuple[str, ...]
    """Conditions, any of which may hold; each joins ``torch < 2.3``, ``numpy >= 2``, ``cuda build``, … by ``and``."""
    reason: str
    """Why, in words for the reader."""
    link: str | None
    """Where that is documented."""
    output: tuple[str, ...] | None
    """The lines it prints there, where they must be just these."""
    line: int
    """Line of the entry in the file."""

    def covers(self, example: str, statement: str, environment: Environment) -> bool:
        """Whether it speaks of this statement in this environment."""
        return self.names(example, statement) and self.speaks_of(environment)

    def names(self, example: str, statement: str) -> bool:
        """Whether it speaks of this statement."""
        return self.example == example and self.statement == statement.split("\n", 1)[0].strip()

    def speaks_of(self, environment: Environment) -> bool:
        """Whether it speaks of this environment."""
        return any(matches(condition, environment) for condition in self.environments)


def parse(text: str, path: str) -> tuple[Deviation, ...]:
    """Deviations that ``text`` lists; AtlasError names the line of an entry that cannot be read."""
    entries = toml_entries(text, "deviation", path)
    return tuple(_deviation(entry, f"{path}:{line}", line) for entry, line in entries)


def _deviation(entry: dict[str, object], where: str, line: int) -> Deviation:
    unknown = set(entry) - _FIELDS
    if unknown:
        raise AtlasError(
            where, f"unknown field {', '.join(sorted(unknown))}", f"fields are {', '.join(sorted(_FIELDS))}"
        )
    conditions = _texts(entry, "environments", where)
    for condition in conditions:
        _check(condition, where)
    return Deviation(
        example=_text(entry, "example", where),
        statement=_text(entry, "statement", where).strip(),
        environments=conditions,
        reason=_text(entry, "reason", where),
        link=_text(entry, "link", where) if "link" in entry else None,
        output=_texts(entry, "output", where) if "output" in entry else None,
        line=line,
    )


def _text(entry: dict[str, object], key: str, where: str) -> str:
    value = entry.get(key)
    if not isinstance(value, str) or not value.strip():
        raise AtlasError(where, f"no {key}", f'write {key} = "…"')
    return value


def _texts(entry: dict[str, object], key: str, where: str) -> tuple[str, ...]:
    value = entry.get(key)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise AtlasError(where, f"{key} is not a list of strings", f'write {key} = ["…"]')
    return tuple(str(item) for item in value)


def _check(condition: str, where: str) -> None:
    for part in _parts(condition):
        if part in _DEVICES or part in ("cuda build", "cpu build"):
            continue
        match = _RELEASE.match(part)
        try:
            SpecifierSet(match["range"] if match else part)
        except InvalidSpecifier:
            match = None
        if match is None:
            remedy = (
                "use torch < 2.3, numpy >= 2, python >= 3.12, cpu, cuda, mps, cuda build or cpu build, joined by 'and'"
            )
            raise AtlasError(where, f"unknown condition {part!r}", remedy)


def _parts(condition: str) -> list[str]:
    return [part.strip() for part in condition.split(" and ")]


def matches(condition: str, environment: Environment) -> bool:
    """Whether every part of a condition holds in ``environment``."""
    return all(_part_matches(part, environment) for part in _parts(condition))


def _part_matches(part: str, environment: Environment) -> bool:
    if part in _DEVICES:
        return environment.kind == part
    if part in ("cuda build", "cpu build"):
        return (environment.cuda is not None) == (part == "cuda build")
    match = _RELEASE.match(part)
    assert match is not None, part  # parse has checked it
    release = {"torch": environment.torch, "numpy": environment.numpy, "python": environment.python}[match["package"]]
    return Version(Version(release).base_version) in SpecifierSet(match["range"], prereleases=True)


def explaining(deviations: Iterable[Deviation], observed: tuple[str, ...]) -> Deviation | None:
    """The first deviation that accepts these lines; those given already speak of statement and environment."""
    return next((deviation for deviation in deviations if deviation.output in (None, observed)), None)


def check_targets(deviations: Iterable[Deviation], examples: dict[str, Example], path: str) -> None:
    """AtlasError for a deviation whose example or statement does not exist: a typing error, or left over."""
    for deviation in deviations:
        where = f"{path}:{deviation.line}"
        if deviation.example not in examples:
            raise AtlasError(where, f"no example {deviation.example}", "correct the name, or remove the entry")
        first_lines = {s.code.split("\n")[0].strip() for s in examples[deviation.example].statements}
        if deviation.statement not in first_lines:
            raise AtlasError(
                where,
                f"no statement of {deviation.example} begins {deviation.statement!r}",
                "correct it, or remove the entry",
            )
