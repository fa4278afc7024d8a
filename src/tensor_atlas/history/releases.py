"""Environments as a line of releases: the newest, the one after another, the one that a name means; pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from packaging.version import InvalidVersion, Version

from tensor_atlas.errors import AtlasError
from tensor_atlas.model.runs import Environment

NUMPY_2 = Version("2.3")
"""First torch release built for NumPy 2; older ones cannot use it, as the records of 2.2.2 with NumPy 2
show."""
USUAL_PYTHON = "3.11"
"""The Python that every recorded release has wheels for; a name mentions only another one."""
LAST_MINORS = {"torch": (13,), "numpy": (26,)}
"""By package, the last minor release of each major one that has ended: 1.13 and 1.26; 2.0 came next."""


@cache
def torch_release(environment: Environment) -> Version:
    """Release of torch without the build's suffix: 2.13.0 for ``2.13.0+cpu``."""
    return Version(Version(environment.torch).base_version)


@cache
def is_compatible(environment: Environment) -> bool:
    """Whether this torch can use this NumPy: a torch built for NumPy 1 cannot use NumPy 2."""
    return torch_release(environment) >= NUMPY_2 or Version(environment.numpy) < Version("2")


def is_other_build(before: Environment, between: Environment, after: Environment) -> bool:
    """Whether one environment has a build without CUDA between two with it, or the other way round."""
    builds = [environment.cuda is not None for environment in (before, between, after)]
    return builds[1] not in (builds[0], builds[2])


@cache
def python_minor(environment: Environment) -> str:
    """Minor release of Python: ``3.11`` for 3.11.7."""
    return minor_release(environment.python)


AgeKey = tuple[Version, bool, Version, bool, Version, bool, str, str]


@cache
def age_key(environment: Environment) -> AgeKey:
    """Sort key from old to new: torch, a compatible NumPy, NumPy, Python, CUDA builds last, then the day.

    The usual Python comes after the others: releases are compared with it wherever they can be.
    """
    python = python_minor(environment)
    return (
        torch_release(environment),
        is_compatible(environment),
        Version(environment.numpy),
        python == USUAL_PYTHON,
        Version(python),
        environment.cuda is not None,
        environment.date,
        environment.id,
    )


def newest_environment(environments: Iterable[Environment]) -> Environment | None:
    """The environment that a page shows at first: newest torch, a CPU before a GPU, newest compatible NumPy.

    None for no environments. A CPU comes first because every reader has one.
    """
    return max(environments, key=preference_key, default=None)


def preference_key(environment: Environment) -> tuple[Version, bool, AgeKey]:
    """Sort key whose last environment is the one that a page shows at first."""
    return torch_release(environment), environment.kind == "cpu", age_key(environment)


@dataclass(frozen=True)
class ReleaseStep:
    """Two environments, one after the other on the line of releases."""

    before: Environment
    """The older."""
    after: Environment
    """The newer."""

    @property
    def name(self) -> str:
        """What is new in the later one: ``torch 2.3``, ``NumPy 2.4``, ``Python 3.14``, or several of them.

        ``between NumPy 2.0 and 2.4`` where releases that were not recorded lie between.
        """
        before, after = zip(*self._moves, strict=True) if self._moves else ((), ())
        if self.is_exact:
            return join_names(after) or "another build"
        until = after[0].split()[1] if len(after) == 1 else join_names(after)
        return f"between {join_names(before)} and {until}"

    @property
    def when(self) -> str:
        """``in NumPy 2.4``, or ``between NumPy 2.0 and 2.4``."""
        return f"in {self.name}" if self.is_exact else self.name

    @property
    def is_exact(self) -> bool:
        """Whether no minor release of any package lies between the two."""
        return all(0 <= count <= 1 for count in self._distances)

    @property
    def width(self) -> int:
        """By how many minor releases the two differ, in the package where these are most."""
        return max(self._distances, default=0)

    @property
    def _moves(self) -> list[tuple[str, str]]:
        """Each package with its minor release, before and after, where it changed."""
        before, after = self.before, self.after
        moves = []
        if torch_release(before) != torch_release(after):
            moves.append((f"torch {minor_release(before.torch)}", f"torch {minor_release(after.torch)}"))
        if before.numpy != after.numpy:
            moves.append((f"NumPy {minor_release(before.numpy)}", f"NumPy {minor_release(after.numpy)}"))
        if python_minor(before) != python_minor(after):
            moves.append((f"Python {python_minor(before)}", f"Python {python_minor(after)}"))
        return moves

    @property
    def _distances(self) -> list[int]:
        return [_place_minor(after) - _place_minor(before) for before, after in self._moves]

    @property
    def is_of_numpy(self) -> bool:
        """Whether NumPy changed and torch did not."""
        return self._has_same_torch and self.before.numpy != self.after.numpy

    @property
    def is_of_python(self) -> bool:
        """Whether Python changed, and neither torch nor NumPy did."""
        is_other_python = python_minor(self.before) != python_minor(self.after)
        return self._has_same_torch and not self.is_of_numpy and is_other_python

    @property
    def _has_same_torch(self) -> bool:
        return torch_release(self.before) == torch_release(self.after)


def join_names(parts: Sequence[str]) -> str:
    """``torch 2.3``, ``torch 2.3 with NumPy 2.4``, ``torch 2.3 with NumPy 2.4 and Python 3.14``."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{parts[0]} with {' and '.join(parts[1:])}"


@cache
def _place_minor(name: str) -> int:
    """Place of ``NumPy 2.0`` in its package's line of minor releases: one behind that of ``NumPy 1.26``."""
    package, release = name.lower().split()
    major, minor = Version(release).release
    return minor + sum(last + 1 for last in LAST_MINORS.get(package, ())[: major - 1])


def next_minor(package: str, release: Version) -> str:
    """Minor release after one: ``2.2`` after 2.1.3, ``2.0`` after NumPy's 1.26.4."""
    major, minor = release.major, release.minor
    is_last = LAST_MINORS.get(package, ())[major - 1 : major] == (minor,)
    return f"{major + 1}.0" if is_last else f"{major}.{minor + 1}"


@cache
def minor_release(release: str) -> str:
    """Major and minor number of a release: ``2.3`` for ``2.3.1+cu121``."""
    return ".".join(str(part) for part in Version(release).release[:2])


def release_line(environments: Iterable[Environment]) -> list[Environment]:
    """Environments from the oldest torch to the newest, so that each step changes as little as possible.

    A release contributes its newest environment. Where it was also recorded with the NumPy of the release
    before it, the line passes through that environment first, and where its newest NumPy needs another
    Python, through that Python with the older NumPy: changes of torch, NumPy and Python then fall into
    separate steps. Environments whose NumPy is not compatible with their torch are left out.
    """
    releases: dict[Version, list[Environment]] = {}
    for environment in sorted(environments, key=age_key):
        if is_compatible(environment):
            releases.setdefault(torch_release(environment), []).append(environment)
    found: list[Environment] = []
    for group in releases.values():
        if found:
            found += _bridge(found[-1], group)
        found.append(group[-1])
    return found


def _bridge(before: Environment, group: Sequence[Environment]) -> list[Environment]:
    """Environments of one torch release, sorted, that lie between ``before`` and its newest on the line."""
    last = group[-1]
    same = [environment for environment in group if environment.numpy == before.numpy]
    if not same or last.numpy == before.numpy:
        return []
    own_python = [environment for environment in same if python_minor(environment) == python_minor(last)]
    return list(dict.fromkeys([same[-1], *own_python[-1:]]))


def release_steps(environments: Iterable[Environment]) -> list[ReleaseStep]:
    """Steps between neighbours on the line of releases, oldest first."""
    return _pair_up(release_line(environments))


def torch_steps(environments: Iterable[Environment]) -> list[ReleaseStep]:
    """Steps between neighbours that differ in torch alone, oldest first."""
    by_torch = sorted(environments, key=torch_release)
    return _steps_in(by_torch, lambda environment: replace(environment, torch="").id)


def numpy_steps(environments: Iterable[Environment]) -> list[ReleaseStep]:
    """Steps between neighbours that differ in NumPy alone, oldest torch first; incompatible ones included."""
    by_numpy = sorted(environments, key=lambda e: (Version(e.numpy), e.id))
    return _steps_in(by_numpy, lambda environment: replace(environment, numpy="").id)


def python_steps(environments: Iterable[Environment]) -> list[ReleaseStep]:
    """Steps between neighbours that differ in Python alone, oldest torch first."""
    by_python = sorted(environments, key=lambda e: (Version(python_minor(e)), e.id))
    return _steps_in(by_python, lambda environment: replace(environment, python="0").id)


def _steps_in(
    environments: Iterable[Environment], rest_of: Callable[[Environment], str]
) -> list[ReleaseStep]:
    """Steps between neighbours of sorted environments that are alike in the rest, oldest torch first."""
    alike: dict[str, list[Environment]] = {}
    for environment in sorted(environments, key=torch_release):
        alike.setdefault(rest_of(environment), []).append(environment)
    return [step for line in alike.values() for step in _pair_up(line)]


def _pair_up(line: Sequence[Environment]) -> list[ReleaseStep]:
    return [ReleaseStep(before, after) for before, after in pairwise(line)]


def sort_steps(alone: Iterable[ReleaseStep]) -> list[ReleaseStep]:
    """Steps within torch releases, by the later NumPy and Python, then by torch."""

    def key(step: ReleaseStep) -> tuple[Version, Version, Version]:
        return Version(step.after.numpy), Version(python_minor(step.after)), torch_release(step.before)

    return sorted(alone, key=key)


def rank_steps(alone: Iterable[ReleaseStep]) -> list[ReleaseStep]:
    """Steps within torch releases as they date a change: the closest pairs, then the newest torch, first."""
    newest_first = sort_steps(alone)[::-1]
    by_torch = sorted(newest_first, key=lambda step: torch_release(step.before), reverse=True)
    return sorted(by_torch, key=lambda step: step.width)


def find_finer_spans(step: ReleaseStep, steps: Sequence[ReleaseStep]) -> list[ReleaseStep]:
    """Spans of other torch releases between the same releases of NumPy and Python, made of closer steps."""
    next_step = {one.before: one for one in steps}
    found = []
    for one in steps:
        last = one.after
        if one.width < step.width and _package_minors(one.before) == _package_minors(step.before):
            while last in next_step and _package_minors(last) != _package_minors(step.after):
                last = next_step[last].after
            if _package_minors(last) == _package_minors(step.after):
                found.append(ReleaseStep(one.before, last))
    return found


def _package_minors(environment: Environment) -> tuple[str, str]:
    return minor_release(environment.numpy), python_minor(environment)


def steps_around(
    environment: Environment, environments: Iterable[Environment]
) -> tuple[list[ReleaseStep], list[ReleaseStep]]:
    """Steps to this environment, and steps from it: along the line, in NumPy alone, in Python alone."""
    kin = [e for e in environments if e.kind == environment.kind and e.id != environment.id]
    all_of_them = [*kin, environment]
    around = [*release_steps(all_of_them), *numpy_steps(all_of_them), *python_steps(all_of_them)]
    into = [step for step in around if step.after.id == environment.id]
    out = [step for step in around if step.before.id == environment.id]
    return list(dict.fromkeys(into)), list(dict.fromkeys(out))


def find_environment(text: str, environments: Iterable[Environment]) -> Environment:
    """Environment that ``text`` names: its id, or ``TORCH[/NUMPY[/DEVICE[/PYTHON]]]``.

    Of several, the newest, with the usual Python where that was recorded. AtlasError lists the known names
    where none matches.
    """
    known = sorted(environments, key=age_key)
    exact = [environment for environment in known if environment.id == text]
    found = newest_environment(exact or [e for e in known if _is_named(text, e)])
    if found is None:
        names = ", ".join(dict.fromkeys(name_environment(environment) for environment in known))
        remedy = f"recorded: {names or 'nothing yet; nox -s record'}"
        raise AtlasError(text, "no recorded environment", remedy)
    return found


def _is_named(text: str, environment: Environment) -> bool:
    parts = text.split("/")
    if len(parts) > 4:
        return False
    torch, numpy, device, python = (*parts, "", "", "")[:4]
    return (
        _is_release(torch, environment.torch)
        and (not numpy or _is_release(numpy, environment.numpy))
        and device.lower() in ("", environment.kind, environment.device.lower())
        and python in ("", python_minor(environment), environment.python)
    )


def _is_release(text: str, release: str) -> bool:
    """Whether ``text`` is a release, with or without the build's suffix, or its minor release."""
    return (
        _is_version(text, release)
        or _is_version(text, Version(release).base_version)
        or text == minor_release(release)
    )


def _is_version(text: str, release: str) -> bool:
    try:
        return Version(text) == Version(release)
    except InvalidVersion:
        return False


@cache
def name_environment(environment: Environment) -> str:
    """Shortest name that ``find_environment`` takes: ``2.13.0/2.4.6/cpu``; an unusual Python comes last."""
    python = python_minor(environment)
    name = f"{torch_release(environment)}/{environment.numpy}/{environment.kind}"
    return name if python == USUAL_PYTHON else f"{name}/{python}"


def describe_environment(environment: Environment) -> str:
    """Releases, device and day of an environment, in words for a reader."""
    device = environment.device.upper() if environment.device in ("cpu", "mps") else environment.device
    if environment.kind == "cuda":
        device += f" (CUDA {environment.cuda}, driver {environment.driver or 'unknown'})"
    releases = f"torch {environment.torch}, NumPy {environment.numpy}, Python {environment.python}"
    return f"{releases}, {device}, {environment.date}"


def summarize_environment(environment: Environment) -> str:
    """Environment in a few words: ``torch 2.13.0+cpu, NumPy 2.4.6, cpu``; an unusual Python is named too."""
    python = python_minor(environment)
    named = "" if python == USUAL_PYTHON else f", Python {python}"
    return f"torch {environment.torch}, NumPy {environment.numpy}{named}, {environment.device}"
