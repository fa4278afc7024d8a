"""Conditions such as ``torch < 2.3``: whether an environment meets one, and the plainest for a group; pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache, reduce
from itertools import product
from operator import and_

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import Version

from tensor_atlas.errors import AtlasError
from tensor_atlas.history.releases import age_key, minor_release, python_minor, torch_release
from tensor_atlas.model.runs import Environment

_PACKAGES = ("torch", "numpy", "python")


_RELEASE = re.compile(r"(?P<package>torch|numpy|python)\s*(?P<range>[<>=!~].*)$")


_DEVICES = ("cpu", "cuda", "mps")


def check_condition(condition: str, where: str) -> None:
    for part in _parts(condition):
        if part in _DEVICES or part in ("cuda build", "cpu build"):
            continue
        match = _RELEASE.match(part)
        try:
            SpecifierSet(match["range"] if match else part)
        except InvalidSpecifier:
            match = None
        if match is None:
            remedy = "use torch < 2.3, numpy >= 2, python >= 3.12, cpu, cuda, mps, cuda build or cpu build, joined by 'and'"
            raise AtlasError(where, f"unknown condition {part!r}", remedy)


def _parts(condition: str) -> list[str]:
    return [part.strip() for part in condition.split(" and ")]


def condition_holds(condition: str, environment: Environment) -> bool:
    """Whether every part of a condition holds in ``environment``."""
    releases = (environment.torch, environment.numpy, environment.python)
    return _holds(condition, releases, environment.kind, environment.cuda is not None)


@lru_cache(maxsize=1 << 18)
def _holds(condition: str, releases: tuple[str, str, str], kind: str, is_cuda_build: bool) -> bool:
    return all(_part_holds(part, releases, kind, is_cuda_build) for part in _parts(condition))


def _part_holds(part: str, releases: tuple[str, str, str], kind: str, is_cuda_build: bool) -> bool:
    if part in _DEVICES:
        return kind == part
    if part in ("cuda build", "cpu build"):
        return is_cuda_build == (part == "cuda build")
    match = _RELEASE.match(part)
    assert match is not None, part  # parse has checked it
    return _is_in(dict(zip(_PACKAGES, releases, strict=True))[match["package"]], match["range"])


@cache
def _is_in(release: str, asked: str) -> bool:
    """Whether a release lies in a range; asked for every statement of every record, so remembered."""
    return Version(Version(release).base_version) in SpecifierSet(asked, prereleases=True)


def find_conditions(there: Sequence[Environment], others: Sequence[Environment]) -> list[str]:
    """A short list of conditions, one of which holds in every environment of ``there`` and none in one of ``others``.

    Told apart are minor releases of torch, NumPy and Python, builds and kinds of device.
    """
    return list(_conditions(frozenset(there), frozenset(others)))


@lru_cache(maxsize=65536)
def _conditions(there: frozenset[Environment], others: frozenset[Environment]) -> tuple[str, ...]:
    everyone = _in_order(there | others)
    # A set is a number with a bit for each of its members: the pages of the matrix ask this many thousand times.
    apart, left = (sum(1 << i for i, e in enumerate(everyone) if e in group) for group in (others, there))
    clean = [(text, where) for text, where in _coverage(everyone) if not where & apart]
    found: list[str] = []
    while left:
        best, covered = max(clean, key=lambda pair: (pair[1] & left).bit_count(), default=("", 0))
        if not covered & left:
            # Only a patch release tells them from others: whoever writes the reason corrects these.
            rest = [e for i, e in enumerate(everyone) if left >> i & 1]
            return (*found, *dict.fromkeys(f"torch == {minor_release(e.torch)}.*" for e in rest))
        found.append(best)
        left &= ~covered
    return tuple(found)


@lru_cache(maxsize=1024)
def _in_order(environments: frozenset[Environment]) -> tuple[Environment, ...]:
    return tuple(sorted(environments, key=age_key))


@lru_cache(maxsize=1024)
def _coverage(environments: tuple[Environment, ...]) -> list[tuple[str, int]]:
    """Conditions worth a try, the plainest first, with the environments they hold in, a bit for each.

    Of those that hold in the same environments the plainest alone: a condition is as plain as its parts are.
    """
    torches = _ranges(
        "torch", [minor_release(str(release)) for release in sorted({torch_release(e) for e in environments})]
    )
    numpies = _ranges(
        "numpy", [minor_release(str(release)) for release in sorted({Version(e.numpy) for e in environments})]
    )
    pythons = _ranges("python", sorted({python_minor(e) for e in environments}, key=Version))
    axes = (torches, numpies, pythons, ["cuda build", "cpu build"], ["cpu", "cuda", "mps"])
    anywhere = ("", (1 << len(environments)) - 1)
    plainest = [_plainest((part, _holding(part, environments)) for part in parts) for parts in axes]
    joined = []
    for parts in product(*([anywhere, *some] for some in plainest)):
        text = " and ".join(part for part, _ in parts if part)
        where = reduce(and_, (mask for _, mask in parts))
        joined += [(text, where)] if text and where else []
    return _plainest(joined)


def _holding(part: str, environments: Sequence[Environment]) -> int:
    return sum(1 << i for i, e in enumerate(environments) if condition_holds(part, e))


def _plainest(conditions: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """The plainest of those that hold in the same environments, in that order."""
    found: dict[int, str] = {}
    for text, where in sorted(conditions, key=lambda pair: _plainness(pair[0])):
        found.setdefault(where, text)
    return [(text, where) for where, text in found.items()]


def _plainness(condition: str) -> tuple[int, bool, bool, int, str]:
    """Sort key: few parts, torch before NumPy before Python, short."""
    return condition.count(" and "), "python" in condition, "numpy" in condition, len(condition), condition


def _ranges(package: str, minors: Sequence[str]) -> list[str]:
    """Every range of releases that begins or ends at a recorded one, or both."""
    known = list(
        dict.fromkeys("2" if package == "numpy" and release == "2.0" else release for release in minors)
    )
    below = [f"{package} < {release}" for release in known[1:]]
    above = [f"{package} >= {release}" for release in known[1:]]
    between = [
        f"{package} >= {low}, < {high}" for i, low in enumerate(known[1:], 1) for high in known[i + 1 :]
    ]
    return [*below, *above, *between]
