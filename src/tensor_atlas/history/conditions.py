"""Conditions such as ``torch < 2.3``: whether one holds in an environment, and the plainest for a group."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations, product

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import Version

from tensor_atlas.history.releases import (
    PACKAGES,
    age_key,
    is_compatible,
    minor_release,
    name_platform,
    next_minor,
)
from tensor_atlas.model.runs import DEVICE_KINDS, Environment

_RELEASE = re.compile(r"(?P<package>torch|numpy|python)\s*(?P<range>[<>=!~].*)$")
_BUILDS = ("cuda build", "cpu build")
_PLATFORMS = {"linux": "Linux", "macos": "macOS", "windows": "Windows", "arm64": "arm64", "x86_64": "x86_64"}
"""Parts of a platform as conditions name them, with the words that ``name_platform`` has for them."""
CONDITION_HELP = (
    "use torch < 2.3, numpy >= 2, python >= 3.12, cpu, cuda, mps, xla, vulkan, cuda build, cpu build, "
    "linux, macos, windows, arm64 or x86_64, joined by 'and'"
)
"""How a condition is written, for messages."""

Coverage = tuple[str, frozenset[Environment]]
"""A condition, and the environments that it holds in."""


def find_unreadable_part(condition: str) -> str | None:
    """The first part of a condition that cannot be read; None where all can."""
    return next((part for part in _split_parts(condition) if not _is_readable(part)), None)


def _split_parts(condition: str) -> list[str]:
    return [part.strip() for part in condition.split(" and ")]


def _is_readable(part: str) -> bool:
    match = _RELEASE.match(part)
    if match is None:
        return part in (*DEVICE_KINDS, *_BUILDS, *_PLATFORMS)
    try:
        SpecifierSet(match["range"])
    except InvalidSpecifier:
        return False
    return True


def condition_holds(condition: str, environment: Environment) -> bool:
    """Whether every part of a condition holds in ``environment``."""
    return all(_part_holds(part, environment) for part in _split_parts(condition))


def _part_holds(part: str, environment: Environment) -> bool:
    if part in DEVICE_KINDS:
        return environment.kind == part
    if part in _BUILDS:
        return (environment.cuda is not None) == (part == "cuda build")
    if part in _PLATFORMS:
        return _PLATFORMS[part] in name_platform(environment).split()
    match = _RELEASE.match(part)
    assert match is not None, part  # find_unreadable_part has seen it
    return _is_in_range(getattr(environment, match["package"]), match["range"])


@cache
def _is_in_range(release: str, specifier: str) -> bool:
    """Whether a release lies in a range; asked for every statement of every record, so remembered."""
    return Version(Version(release).base_version) in SpecifierSet(specifier, prereleases=True)


def find_conditions(there: Sequence[Environment], others: Sequence[Environment]) -> list[str]:
    """A short list of conditions: one holds in each environment of ``there``, none in any of ``others``.

    Minor releases of torch, NumPy and Python, builds, devices and platforms are told apart. Where only a
    patch release tells them apart, conditions on the minor release stand in: whoever writes the reason
    corrects these.
    """
    return [*_cover(frozenset(there), frozenset(others))]


@cache
def _cover(left: frozenset[Environment], apart: frozenset[Environment]) -> tuple[str, ...]:
    """What ``find_conditions`` finds; thousands of statements ask it about the same few groups."""
    clean = [(text, where) for text, where in _list_coverage(left | apart) if not where & apart]
    conditions: list[str] = []
    while left:
        best, covered = max(clean, key=lambda pair: len(pair[1] & left), default=("", frozenset()))
        if not covered & left:
            rest = sorted(left, key=age_key)
            return (*conditions, *dict.fromkeys(f"torch == {minor_release(e.torch)}.*" for e in rest))
        conditions.append(best)
        left -= covered
    return tuple(conditions)


@lru_cache(maxsize=256)
def _list_coverage(environments: frozenset[Environment]) -> tuple[Coverage, ...]:
    """Conditions worth a try with the environments that they hold in, the plainest first.

    Of those that hold in the same environments only the plainest: a condition is as plain as its parts are.
    """
    plainest: list[Coverage] = []
    for parts in _list_parts(environments):
        held = _hold(parts, environments)
        both = [
            (f"{text} and {part}", where & holding)
            for (text, where), (part, holding) in product(plainest, held)
        ]
        plainest = _keep_plainest([*plainest, *held, *both])
    return tuple((text, where) for text, where in plainest if where)


def _list_parts(environments: Iterable[Environment]) -> Iterator[list[str]]:
    """Parts that a condition may be joined of, by what they speak of."""
    for package, read in PACKAGES.items():
        yield _ranges(package, sorted({read(environment) for environment in environments}))
    yield list(_BUILDS)
    yield list(DEVICE_KINDS)
    yield list(_PLATFORMS)


def _ranges(package: str, releases: Iterable[Version]) -> list[str]:
    """Every range of minor releases that begins at a recorded one, ends behind a recorded one, or both.

    Releases that were not recorded are in none: ``python < 3.12`` for 3.11, though 3.14 comes next.
    """
    name = package.lower()
    starts = list(dict.fromkeys(minor_release(str(release)) for release in releases))
    ends = list(dict.fromkeys(next_minor(package, release) for release in releases))
    if name == "numpy":
        starts, ends = _shorten_two(starts), _shorten_two(ends)
    below = [f"{name} < {end}" for end in ends[:-1]]
    above = [f"{name} >= {start}" for start in starts[1:]]
    pairs = combinations(range(1, len(starts)), 2)
    between = [f"{name} >= {starts[low]}, < {ends[high - 1]}" for low, high in pairs]
    return [*below, *above, *between]


def _shorten_two(releases: Sequence[str]) -> list[str]:
    """Releases of NumPy as people write them: ``numpy < 2``."""
    return ["2" if release == "2.0" else release for release in releases]


def _hold(parts: Iterable[str], environments: frozenset[Environment]) -> list[Coverage]:
    """Parts with the environments that they hold in, the plainest for each set of them."""
    held = []
    for part in parts:
        where = frozenset(environment for environment in environments if _part_holds(part, environment))
        held.append((part, where))
    return _keep_plainest(held)


def _keep_plainest(conditions: Iterable[Coverage]) -> list[Coverage]:
    """The plainest of those that hold in the same environments, in that order."""
    plainest: dict[frozenset[Environment], str] = {}
    for text, where in sorted(conditions, key=lambda pair: _plainness(pair[0])):
        plainest.setdefault(where, text)
    return [(text, where) for where, text in plainest.items()]


def _plainness(condition: str) -> tuple[int, bool, bool, int, str]:
    """Sort key: few parts, torch before NumPy before Python, short."""
    return condition.count(" and "), "python" in condition, "numpy" in condition, len(condition), condition


def describe_releases(there: Sequence[Environment], elsewhere: Sequence[Environment]) -> str:
    """Releases that some environments have and the others have not: ``since 2.3``, ``before NumPy 2``.

    Empty where there are no others. Environments whose NumPy is incompatible with their torch are described
    only where there is no other.
    """
    compatible = [environment for environment in there if is_compatible(environment)]
    others = [environment for environment in elsewhere if is_compatible(environment)]
    if not compatible:
        return "with an incompatible NumPy"
    return " or ".join(map(_describe_condition, find_conditions(compatible, others))) if others else ""


def _describe_condition(condition: str) -> str:
    return " and ".join(map(_describe_part, _split_parts(condition)))


def _describe_part(part: str) -> str:
    if part in _PLATFORMS:
        return f"on {_PLATFORMS[part]}"
    match = _RELEASE.match(part)
    if match is None:
        return f"on a {part.replace('cpu', 'CPU').replace('cuda', 'CUDA')}"
    package = {"torch": "", "numpy": "NumPy ", "python": "Python "}[match["package"]]
    words = []
    for sign, release in re.findall(r"([<>=]+) ?([\d.]*\d)", match["range"]):
        words.append(f"{_SIGNS[sign]} {package}{release}")
    return ", ".join(words)


_SIGNS = {">=": "since", "<": "before", "==": "in"}
