"""Environments as a line of releases: which is newest, which follows which, which one a person means; pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from packaging.version import InvalidVersion, Version

from tensor_atlas.errors import AtlasError
from tensor_atlas.model.runs import Environment

NUMPY_2 = Version("2.3")
"""First torch release built for NumPy 2; those before cannot use it, as the records of 2.2.2 with NumPy 2 show."""
USUAL_PYTHON = "3.11"
"""The Python that every recorded release has wheels for: only where it is another one is it spoken of."""


@cache
def torch_release(environment: Environment) -> Version:
    """Release of torch without the build's suffix: 2.13.0 for ``2.13.0+cpu``."""
    return Version(Version(environment.torch).base_version)


@cache
def is_compatible(environment: Environment) -> bool:
    """Whether this torch can use this NumPy at all: what was built for NumPy 1 cannot use NumPy 2."""
    return torch_release(environment) >= NUMPY_2 or Version(environment.numpy) < Version("2")


@cache
def python_minor(environment: Environment) -> str:
    """Python without the last number: ``3.11`` for 3.11.7."""
    return minor_release(environment.python)


AgeKey = tuple[Version, bool, Version, bool, Version, bool, str, str]


@cache
def age_key(environment: Environment) -> AgeKey:
    """Sort key from old to new: torch, a NumPy that fits it, NumPy, Python, CUDA builds last, then the day.

    The usual Python comes last: what is newest, and what releases are compared by, has it wherever it can.
    """
    numpy, own, has_cuda = Version(environment.numpy), python_minor(environment), environment.cuda is not None
    rank = (torch_release(environment), is_compatible(environment), numpy, own == USUAL_PYTHON, Version(own))
    return *rank, has_cuda, environment.date, environment.id


def newest_environment(environments: Iterable[Environment]) -> Environment | None:
    """The environment a reader without a choice is shown: newest torch, newest NumPy that fits; a CPU before a GPU.

    Who has no GPU sees what happens to them; what only a GPU runs has no other environment.
    """
    found = list(environments)
    last = max((torch_release(e) for e in found), default=None)
    return max(
        (e for e in found if torch_release(e) == last),
        key=lambda e: (e.kind == "cpu", age_key(e)),
        default=None,
    )


@dataclass(frozen=True)
class ReleaseStep:
    """Two environments that follow each other."""

    before: Environment
    """The older."""
    after: Environment
    """The newer."""

    @property
    def name(self) -> str:
        """What the later one is new in: ``torch 2.3``, ``NumPy 2.4``, ``Python 3.14``, or several of them."""
        parts = []
        if torch_release(self.before) != torch_release(self.after):
            parts.append(f"torch {minor_release(self.after.torch)}")
        if self.before.numpy != self.after.numpy:
            parts.append(f"NumPy {minor_release(self.after.numpy)}")
        if python_minor(self.before) != python_minor(self.after):
            parts.append(f"Python {python_minor(self.after)}")
        return join_names(parts) or "another build"

    @property
    def is_of_numpy(self) -> bool:
        """Whether torch stayed as it was and NumPy changed."""
        return (
            torch_release(self.before) == torch_release(self.after) and self.before.numpy != self.after.numpy
        )

    @property
    def is_of_python(self) -> bool:
        """Whether torch and NumPy stayed as they were and Python changed."""
        is_same_torch = torch_release(self.before) == torch_release(self.after)
        return (
            is_same_torch and not self.is_of_numpy and python_minor(self.before) != python_minor(self.after)
        )


def join_names(parts: Sequence[str]) -> str:
    """``torch 2.3``, ``torch 2.3 with NumPy 2.4``, ``torch 2.3 with NumPy 2.4 and Python 3.14``."""
    return " with ".join([*parts[:1], *([" and ".join(parts[1:])] if parts[1:] else [])])


@cache
def minor_release(release: str) -> str:
    """``2.3`` for ``2.3.1+cu121``."""
    return ".".join(str(part) for part in Version(release).release[:2])


def release_line(environments: Iterable[Environment]) -> list[Environment]:
    """Environments from the oldest torch to the newest, so that each step changes as little as possible.

    Where a release was recorded with the NumPy of the one before it too, the line passes through that: what NumPy
    changed is then told from what torch changed. Where its newest NumPy needs another Python, the line passes through
    that Python with the older NumPy, for the same reason. A NumPy that does not fit its torch lies beside the line.
    """
    releases: dict[Version, list[Environment]] = {}
    for environment in sorted(environments, key=age_key):
        if is_compatible(environment):
            releases.setdefault(torch_release(environment), []).append(environment)
    found: list[Environment] = []
    for group in releases.values():
        last = group[-1]
        same = [e for e in group if found and e.numpy == found[-1].numpy]
        if same and same[-1].numpy != last.numpy:
            bridges = [e for e in same if python_minor(e) == python_minor(last)]
            found += dict.fromkeys([same[-1], *bridges[-1:], last])
        else:
            found.append(last)
    return found


def release_steps(environments: Iterable[Environment]) -> list[ReleaseStep]:
    """Every two neighbours on the line."""
    found = release_line(environments)
    return [ReleaseStep(before, after) for before, after in pairwise(found)]


def numpy_steps(environments: Iterable[Environment]) -> list[ReleaseStep]:
    """Every two neighbours that differ in NumPy alone, by torch release; those that do not fit included."""
    alike: dict[str, list[Environment]] = {}
    for environment in sorted(environments, key=lambda e: (torch_release(e), Version(e.numpy), e.id)):
        alike.setdefault(replace(environment, numpy="").id, []).append(environment)
    return [ReleaseStep(before, after) for group in alike.values() for before, after in pairwise(group)]


def python_steps(environments: Iterable[Environment]) -> list[ReleaseStep]:
    """Every two neighbours that differ in Python alone, by torch release."""
    alike: dict[str, list[Environment]] = {}
    for environment in sorted(environments, key=lambda e: (torch_release(e), Version(python_minor(e)), e.id)):
        alike.setdefault(replace(environment, python="0").id, []).append(environment)
    return [ReleaseStep(before, after) for group in alike.values() for before, after in pairwise(group)]


def sort_steps(alone: Iterable[ReleaseStep]) -> list[ReleaseStep]:
    """Steps in which torch stays as it is: oldest torch first, then as NumPy and Python go on."""
    return sorted(
        alone, key=lambda s: (torch_release(s.before), Version(s.after.numpy), Version(python_minor(s.after)))
    )


def steps_around(
    environment: Environment, environments: Iterable[Environment]
) -> tuple[list[ReleaseStep], list[ReleaseStep]]:
    """Steps to this environment and from it: along the line, and to its neighbours in NumPy and in Python."""
    kin = [e for e in environments if e.kind == environment.kind and e.id != environment.id]
    all_of_them = [*kin, environment]
    around = [*release_steps(all_of_them), *numpy_steps(all_of_them), *python_steps(all_of_them)]
    into = [step for step in around if step.after.id == environment.id]
    out = [step for step in around if step.before.id == environment.id]
    return list(dict.fromkeys(into)), list(dict.fromkeys(out))


def find_environment(text: str, environments: Iterable[Environment]) -> Environment:
    """Environment that ``text`` means: its id, or ``TORCH``, ``TORCH/NUMPY``, ``TORCH/NUMPY/DEVICE[/PYTHON]``.

    What is left out is the newest recorded one, with the usual Python where it was recorded with that. AtlasError names
    those there are, where none is meant.
    """
    known = sorted(environments, key=age_key)
    exact = [e for e in known if e.id == text]
    meant = exact or [e for e in known if _is_meant(text, e)]
    found = newest_environment(meant)
    if found is None:
        remedy = "recorded: " + (
            ", ".join(dict.fromkeys(name_environment(e) for e in known)) or "nothing yet; nox -s record"
        )
        raise AtlasError(text, "no recorded environment", remedy)
    return found


@cache
def name_environment(environment: Environment) -> str:
    """Shortest name that ``find_environment`` takes, as ``2.13.0/2.4.6/cpu``; an unusual Python comes last."""
    own = python_minor(environment)
    short = f"{torch_release(environment)}/{environment.numpy}/{environment.kind}"
    return short if own == USUAL_PYTHON else f"{short}/{own}"


def describe_environment(environment: Environment) -> str:
    """Releases, device and day, as a reader sees them."""
    device = environment.device.upper() if environment.device in ("cpu", "mps") else environment.device
    if environment.kind == "cuda":
        device += f" (CUDA {environment.cuda}, driver {environment.driver or 'unknown'})"
    releases = f"torch {environment.torch}, NumPy {environment.numpy}, Python {environment.python}"
    return f"{releases}, {device}, {environment.date}"


def _is_meant(text: str, environment: Environment) -> bool:
    parts = text.split("/")
    if len(parts) > 4:
        return False
    torch, numpy, device, wanted = (*parts, "", "", "")[:4]
    try:
        is_release = Version(torch) in (torch_release(environment), Version(environment.torch))
        is_release = is_release or torch == minor_release(environment.torch)
        is_numpy = not numpy or Version(numpy) == Version(environment.numpy)
    except InvalidVersion:
        return False
    is_device = device.lower() in ("", environment.kind, environment.device.lower())
    return (
        is_release
        and is_numpy
        and is_device
        and wanted in ("", python_minor(environment), environment.python)
    )
