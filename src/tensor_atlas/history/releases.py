"""Environments as a line of releases: the newest, the one after another, the one that a name means; pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from packaging.version import Version

from tensor_atlas.model.runs import Environment

NUMPY_2 = Version("2.3")
"""First torch release built for NumPy 2; older ones cannot use it, as the records of 2.2.2 with NumPy 2
show."""
USUAL_PYTHON = "3.11"
"""The Python that every recorded release has wheels for; a name mentions only another one."""
USUAL_PLATFORM = "linux-x86_64"
"""The platform that every release is recorded on; a name mentions only another one."""
_SYSTEMS = {"darwin": "macOS", "linux": "Linux", "windows": "Windows"}
_PROCESSORS = {"aarch64": "arm64", "amd64": "x86_64"}
LAST_MINORS = {"torch": (13,), "NumPy": (26,)}
"""By package, the last minor release of each major one that has ended: 1.13 and 1.26; 2.0 came next."""


@cache
def torch_release(environment: Environment) -> Version:
    """Release of torch without the build's suffix: 2.13.0 for ``2.13.0+cpu``."""
    return Version(Version(environment.torch).base_version)


@cache
def is_compatible(environment: Environment) -> bool:
    """Whether this torch can use this NumPy: a torch built for NumPy 1 cannot use NumPy 2."""
    return torch_release(environment) >= NUMPY_2 or Version(environment.numpy) < Version("2")


@cache
def python_minor(environment: Environment) -> str:
    """Minor release of Python: ``3.11`` for 3.11.7."""
    return minor_release(environment.python)


@cache
def name_platform(environment: Environment) -> str:
    """Operating system and processor as readers know them: ``macOS arm64`` for ``darwin-arm64``."""
    system, _, processor = environment.platform.partition("-")
    return f"{_SYSTEMS.get(system, system)} {_PROCESSORS.get(processor, processor)}"


PACKAGES: Mapping[str, Callable[[Environment], Version]] = {
    "torch": torch_release,
    "NumPy": lambda environment: Version(environment.numpy),
    "Python": lambda environment: Version(python_minor(environment)),
}
"""By package, how its release is read off an environment; of Python the minor release."""


AgeKey = tuple[Version, bool, Version, bool, bool, Version, bool, str, str]


@cache
def age_key(environment: Environment) -> AgeKey:
    """Sort key from old to new: torch, a compatible NumPy, NumPy, Python, CUDA builds last, then the day.

    The usual platform and Python come after the others: releases are compared with them wherever they can be.
    """
    python = python_minor(environment)
    return (
        torch_release(environment),
        is_compatible(environment),
        Version(environment.numpy),
        environment.platform == USUAL_PLATFORM,
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


def preference_key(environment: Environment) -> tuple[Version, bool, bool, AgeKey]:
    """Sort key whose last environment is the one that a page shows at first."""
    is_usual = environment.platform == USUAL_PLATFORM
    return torch_release(environment), environment.kind == "cpu", is_usual, age_key(environment)


@dataclass(frozen=True)
class ReleaseStep:
    """Two environments, one after the other on the line of releases."""

    before: Environment
    after: Environment

    @property
    def packages(self) -> list[str]:
        """Those of PACKAGES whose release changed."""
        return [package for package, read in PACKAGES.items() if read(self.before) != read(self.after)]

    @property
    def package(self) -> str:
        """The first that changed: NumPy's changes are not those of torch; empty for another build."""
        return next(iter(self.packages), "")

    @property
    def name(self) -> str:
        """What is new in the later one: ``torch 2.3``, ``torch 2.3 with NumPy 2.4 and Python 3.14``.

        ``between NumPy 2.0 and 2.4`` where releases that were not recorded lie between.
        """
        after = self._name_releases(self.after)
        if self.is_exact:
            return after or "another build"
        until = after if len(self.packages) > 1 else after.split()[1]
        return f"between {self._name_releases(self.before)} and {until}"

    def _name_releases(self, environment: Environment) -> str:
        """Minor releases of the packages that changed, in one of the two environments."""
        names = [f"{one} {minor_release(str(PACKAGES[one](environment)))}" for one in self.packages]
        first, *others = names or [""]
        return f"{first} with {' and '.join(others)}" if others else first

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
    def _distances(self) -> list[int]:
        distances = []
        for package in self.packages:
            before, after = PACKAGES[package](self.before), PACKAGES[package](self.after)
            distances.append(_place_minor(package, after) - _place_minor(package, before))
        return distances


def _place_minor(package: str, release: Version) -> int:
    """Place of a minor release in its package's line: that of NumPy 2.0 is one behind that of NumPy 1.26."""
    return release.minor + sum(last + 1 for last in LAST_MINORS.get(package, ())[: release.major - 1])


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
    separate steps. Environments whose NumPy is not compatible with their torch are left out, and so are those
    of another platform where the usual one is among them: its differences are no release's.
    """
    known = list(environments)
    usual = [environment for environment in known if environment.platform == USUAL_PLATFORM]
    releases: dict[Version, list[Environment]] = {}
    for environment in sorted(usual or known, key=age_key):
        if is_compatible(environment):
            releases.setdefault(torch_release(environment), []).append(environment)
    line: list[Environment] = []
    for group in releases.values():
        if line:
            line += _bridge(line[-1], group)
        line.append(group[-1])
    return line


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
    return [ReleaseStep(before, after) for before, after in pairwise(release_line(environments))]


def package_steps(package: str, environments: Iterable[Environment]) -> list[ReleaseStep]:
    """Steps between neighbours that differ in one of PACKAGES alone, oldest torch first.

    Of two builds of one torch release, steps of torch lead to that with CUDA: the others have it too.
    """
    read = PACKAGES[package]
    alike: dict[tuple[str, ...], dict[Version, Environment]] = {}
    for environment in sorted(environments, key=lambda e: (torch_release(e), e.cuda is not None, e.id)):
        parts = environment.id.split("_")
        rest = tuple(part for part in parts if not part.startswith(f"{package.lower()}-"))
        alike.setdefault(rest, {})[read(environment)] = environment
    return [
        ReleaseStep(line[before], line[after])
        for line in alike.values()
        for before, after in pairwise(sorted(line))
    ]


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


def steps_around(
    environment: Environment, environments: Iterable[Environment]
) -> tuple[list[ReleaseStep], list[ReleaseStep]]:
    """Steps to this environment, and steps from it: to the nearest that differs in one package alone.

    Where there is none in torch, the step along the line of releases.
    """
    kin = [e for e in environments if e.kind == environment.kind and e.id != environment.id]
    into, out = [], []
    for package, read in PACKAGES.items():
        alike = [e for e in kin if _differ_in_one(package, e, environment)]
        older = [e for e in alike if read(e) < read(environment)]
        newer = [e for e in alike if read(e) > read(environment)]
        if older:
            into.append(ReleaseStep(max(older, key=age_key), environment))
        if newer:
            out.append(ReleaseStep(environment, min(newer, key=age_key)))
    along = release_steps([*kin, environment])
    here = environment.id
    return (
        _put_torch_first(into, [step for step in along if step.after.id == here]),
        _put_torch_first(out, [step for step in along if step.before.id == here]),
    )


def _put_torch_first(steps: Sequence[ReleaseStep], along: Sequence[ReleaseStep]) -> list[ReleaseStep]:
    """Steps, each once; those along the line of releases before them where none is a step of torch."""
    has_torch = any(step.package == "torch" for step in steps)
    return list(dict.fromkeys(steps if has_torch else (*along, *steps)))


def _differ_in_one(package: str, one: Environment, other: Environment) -> bool:
    """Whether two environments of one device and platform have all packages but this in common."""
    rest = [read for name, read in PACKAGES.items() if name != package]
    same = [one.device == other.device, one.platform == other.platform]
    return all(same) and all(read(one) == read(other) for read in rest)


def find_baseline(environment: Environment, recorded: Iterable[Environment]) -> Environment | None:
    """Environment whose recorded cells an environment's are compared with.

    Itself where it is recorded, else the nearest older release on its kind of device, with the same NumPy
    where one has it. None where nothing older is recorded.
    """
    kin = [other for other in recorded if other.kind == environment.kind]
    own = next((other for other in kin if other.id == environment.id), None)
    if own is not None:
        return own
    older = [other for other in kin if age_key(other) < age_key(environment)]
    same_numpy = [other for other in older if other.numpy == environment.numpy]
    on_line = [other for other in release_line(kin) if other in older]
    return max(same_numpy or on_line, key=age_key, default=None)


def find_environment(text: str, environments: Iterable[Environment]) -> Environment | None:
    """Environment that ``text`` names: its id, or ``TORCH[/NUMPY[/DEVICE[/PYTHON[/PLATFORM]]]]``; else None.

    Of several, the newest, with the usual Python where that was recorded.
    """
    known = list(environments)
    exact = [environment for environment in known if environment.id == text]
    return newest_environment(exact or [environment for environment in known if _is_named(text, environment)])


def _is_named(text: str, environment: Environment) -> bool:
    torch, *others = text.split("/")
    numpy, device, python, platform = (*others, "", "", "", "")[:4]
    return (
        len(others) < 5
        and torch in (environment.torch, str(torch_release(environment)), minor_release(environment.torch))
        and numpy in ("", environment.numpy, minor_release(environment.numpy))
        and device.lower() in ("", environment.kind, environment.device.lower())
        and python in ("", python_minor(environment), environment.python)
        and platform in ("", environment.platform)
    )


@cache
def name_environment(environment: Environment) -> str:
    """Shortest name that ``find_environment`` takes: ``2.13.0/2.4.6/cpu``.

    An unusual Python comes last, or an unusual platform behind the Python.
    """
    python = python_minor(environment)
    name = f"{torch_release(environment)}/{environment.numpy}/{environment.kind}"
    if environment.platform != USUAL_PLATFORM:
        return f"{name}/{python}/{environment.platform}"
    return name if python == USUAL_PYTHON else f"{name}/{python}"


def describe_environment(environment: Environment) -> str:
    """Releases, device and day of an environment, in words for a reader."""
    device = environment.device.upper() if environment.device in ("cpu", "mps") else environment.device
    if environment.kind in ("xla", "vulkan"):
        device += f" ({environment.driver})"
    elif environment.kind == "cuda":
        device += f" (CUDA {environment.cuda}, driver {environment.driver or 'unknown'})"
    releases = f"torch {environment.torch}, NumPy {environment.numpy}, Python {environment.python}"
    return f"{releases}{_add_platform(environment)}, {device}, {environment.date}"


def _add_platform(environment: Environment) -> str:
    return "" if environment.platform == USUAL_PLATFORM else f", {name_platform(environment)}"


def summarize_environment(environment: Environment) -> str:
    """Environment in a few words: ``torch 2.13.0+cpu, NumPy 2.4.6, cpu``.

    An unusual Python or platform is named too.
    """
    return f"torch {environment.torch}, {_name_beside_torch(environment)}, {environment.device}"


def label_environment(environment: Environment) -> str:
    """Environment as pages offer it for a choice: ``torch 2.13.0, NumPy 2.4.6``; a CPU goes unnamed."""
    label = f"torch {torch_release(environment)}, {_name_beside_torch(environment)}"
    return label if environment.kind == "cpu" else f"{label}, {environment.device}"


MOST_NAMED = 4
"""Releases that are named one by one."""


def name_releases(environments: Iterable[Environment]) -> str:
    """Environments together as a reader calls them: ``torch 1.13 to 2.8 (11 releases), NumPy 1.26 and 2.4``.

    A Python or a device is named where it is not the usual one.
    """
    known = list(environments)
    words = [f"torch {_join_releases(str(torch_release(environment)) for environment in known)}"]
    words.append(f"NumPy {_join_releases(environment.numpy for environment in known)}")
    pythons = {python_minor(environment) for environment in known}
    if USUAL_PYTHON not in pythons:
        words.append(f"Python {_join_releases(pythons)}")
    words += sorted({name_platform(e) for e in known if e.platform != USUAL_PLATFORM})
    words += sorted({environment.device for environment in known if environment.kind != "cpu"})
    return ", ".join(words)


def _join_releases(releases: Iterable[str]) -> str:
    """Minor releases in order; of many the first and the last, and how many."""
    known = sorted(set(map(minor_release, releases)), key=Version)
    if len(known) > MOST_NAMED:
        return f"{known[0]} to {known[-1]} ({len(known)} releases)"
    return " and ".join(filter(None, [", ".join(known[:-1]), known[-1]]))


def _name_beside_torch(environment: Environment) -> str:
    """NumPy, and a Python or a platform that is not the usual one."""
    python = python_minor(environment)
    named = "" if python == USUAL_PYTHON else f", Python {python}"
    return f"NumPy {environment.numpy}{named}{_add_platform(environment)}"
