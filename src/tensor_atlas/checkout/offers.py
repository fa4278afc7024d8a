"""What pip offers of torch and NumPy that no record has: ``python -m tensor_atlas.checkout.offers``.

The workflow *release* makes a job of each shard of what this finds. It needs nothing but pip and packaging.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

from tensor_atlas.history.releases import USUAL_PLATFORM, USUAL_PYTHON

NEWEST_PYTHON = "3.14"
"""The newest Python for which torch and NumPy have wheels."""
SHARDS = 3
"""Machines among which one environment is shared out."""
MOST_JOBS = 256
"""Jobs that GitHub makes of a matrix."""
PROPOSALS = "records/"
"""Beginning of the branches on which records are proposed."""
ENVIRONMENTS = Path("docs/records/environments.json")


@dataclass(frozen=True)
class Machine:
    """A machine and a build of torch that releases are recorded with."""

    runner: str
    """Label of the hosted runner."""
    platform: str
    """Platform as records spell it."""
    wheels: str
    """Platform as pip spells it."""
    build: str = ""
    """``cpu`` or ``cuda`` where there are two; empty where pip's own index has the one there is."""


MACHINES = (
    Machine("ubuntu-latest", USUAL_PLATFORM, "manylinux_2_28_x86_64", "cuda"),
    Machine("ubuntu-latest", USUAL_PLATFORM, "manylinux_2_28_x86_64", "cpu"),
    Machine("ubuntu-24.04-arm", "linux-aarch64", "manylinux_2_28_aarch64"),
    Machine("macos-15", "darwin-arm64", "macosx_14_0_arm64"),
    Machine("windows-latest", "windows-amd64", "win_amd64"),
)
"""The usual one first. Which index has the CPU build of Linux, a variable of the repository says."""
PYTHONS = (USUAL_PYTHON, NEWEST_PYTHON)


@dataclass(frozen=True)
class Wanted:
    """An environment to record."""

    machine: Machine
    python: str
    torch: str
    numpy: str
    """Release of NumPy; empty for the one that pip takes."""

    @property
    def releases(self) -> tuple[str, str, str]:
        """Releases of torch, NumPy and Python."""
        return self.torch, self.numpy, self.python

    @property
    def spelling(self) -> tuple[str, ...]:
        """What tells it from other environments."""
        return (*self.releases, self.machine.platform, self.machine.build)

    def __str__(self) -> str:
        """As a person reads it."""
        numpy = f", NumPy {self.numpy}" if self.numpy else ""
        where = f"{self.machine.platform} {self.machine.build}".rstrip()
        return f"torch {self.torch}{numpy}, Python {self.python}, {where}"


Offer = Callable[[str, str, Machine], Sequence[str]]
"""Releases of a package for a Python and a place, in any order."""
Recorded = Iterable[Mapping[str, Any]]
"""Environments as ``environments.json`` holds them."""


def find_unrecorded(recorded: Recorded, offer: Offer, *, everywhere: bool, cpu: bool) -> list[Wanted]:
    """Environments that pip offers and no record has, the newest torch first.

    Of torch, releases newer than the newest one recorded, or else that one; of NumPy, the newest. Without
    ``everywhere``, a release that the usual place has is left at that: other places are tried once a week.
    ``cpu`` says whether there is an index with CPU builds for Linux.
    """
    known = list(recorded)
    newest = max((Version(one["torch"]).release for one in known), default=())
    offered = [
        one for python, machine in _list_places(cpu=cpu) for one in _list_offered(offer, python, machine)
    ]
    seen = {_spell_recorded(one) for one in known}
    due = [one for one in offered if Version(one.torch).release >= newest and one.spelling not in seen]
    usual = {one.releases for one in due if one.machine == MACHINES[0]}
    kept = [one for one in due if everywhere or one.releases in usual]
    return sorted(kept, key=lambda one: Version(one.torch), reverse=True)


def find_named(releases: Sequence[str], offer: Offer, *, cpu: bool) -> list[Wanted]:
    """Environments of these releases wherever pip has them, recorded or not."""
    offers = []
    for python, machine in _list_places(cpu=cpu):
        offered = offer("torch", python, machine)
        offers += [Wanted(machine, python, torch, "") for torch in releases if torch in offered]
    return offers


def _list_places(*, cpu: bool) -> list[tuple[str, Machine]]:
    """Each Python on each machine."""
    machines = [one for one in MACHINES if cpu or one.build != "cpu"]
    return list(product(PYTHONS, machines))


def _list_offered(offer: Offer, python: str, machine: Machine) -> list[Wanted]:
    """Each release of torch with the newest NumPy."""
    numpy = max(offer("numpy", python, machine), key=Version, default="")
    return [Wanted(machine, python, torch, numpy) for torch in offer("torch", python, machine) if numpy]


def _spell_recorded(environment: Mapping[str, Any]) -> tuple[str, ...]:
    """What tells a recorded environment from others to record."""
    torch, platform = Version(environment["torch"]), environment["platform"]
    build = ""
    if platform == USUAL_PLATFORM:
        build = "cuda" if environment["cuda"] else "cpu"
    python = ".".join(environment["python"].split(".")[:2])
    return torch.public, environment["numpy"], python, platform, build


def drop_proposed(wanted: Iterable[Wanted], branches: Iterable[str]) -> list[Wanted]:
    """Those that no branch of a proposal names: ``records/torch-2.16.0-NumPy-2.4.6``."""
    proposed = [set(branch.split("-")) for branch in branches]
    kept = []
    for one in wanted:
        if not any({one.torch, one.numpy} <= words for words in proposed):
            kept.append(one)  # noqa: PERF401 - a comprehension would hold another
    return kept


def list_jobs(wanted: Iterable[Wanted]) -> list[dict[str, str]]:
    """Values of a matrix of GitHub's: one for each shard of as many environments as it takes."""
    shards = [f"{number}/{SHARDS}" for number in range(1, SHARDS + 1)]
    jobs = [
        {
            "release": environment.torch,
            "numpy": environment.numpy,
            "python": environment.python,
            "runner": environment.machine.runner,
            "build": environment.machine.build,
            "shard": shard,
        }
        for environment, shard in product(wanted, shards)
    ]
    return jobs[: MOST_JOBS - MOST_JOBS % SHARDS]


# --- pip, git and files ----------------------------------------------------------------------------


def ask_pip(package: str, python: str, machine: Machine) -> list[str]:
    """Final releases that pip's index has as wheels; none where it has none, or cannot be asked."""
    options = ["--only-binary", ":all:", "--implementation", "cp"]
    options += ["--python-version", python, "--platform", machine.wheels]
    command = [sys.executable, "-m", "pip", "index", "versions", package, *options]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        print(f"pip names no {package} for Python {python} on {machine.platform}", file=sys.stderr)
        print(done.stderr, file=sys.stderr, end="")
    listed = re.search(r"^Available versions: (.*)$", done.stdout, re.MULTILINE)
    named = listed[1].split(", ") if listed else []
    return list(dict.fromkeys(Version(text).public for text in named if _is_final(text)))


def _is_final(text: str) -> bool:
    try:
        return not Version(text).is_prerelease
    except InvalidVersion:
        return False


def list_proposals() -> list[str]:
    """Branches on which records are proposed at origin; none where it does not answer."""
    command = ["git", "ls-remote", "--heads", "origin", f"refs/heads/{PROPOSALS}*"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    return [line.partition("refs/heads/")[2] for line in done.stdout.splitlines()]


def main(arguments: Sequence[str]) -> int:
    """Print what is to be recorded; exit code 2 where pip names no release of torch at all."""
    parser = argparse.ArgumentParser(prog="nox -s look --")
    parser.add_argument("releases", nargs="*", help="releases of torch; none for what is not recorded")
    parser.add_argument("--everywhere", action="store_true", help="also where only other platforms lack it")
    parser.add_argument("--cpu", action="store_true", help="also CPU builds for Linux")
    parser.add_argument("--output", type=Path, help="file to which the jobs are added as JSON: matrix=[…]")
    asked = parser.parse_args(arguments)
    asking = Remembering(ask_pip)
    if asked.releases:
        wanted = find_named(asked.releases, asking, cpu=asked.cpu)
    else:
        recorded = json.loads(ENVIRONMENTS.read_text(encoding="utf-8"))["environments"]
        wanted = find_unrecorded(recorded, asking, everywhere=asked.everywhere, cpu=asked.cpu)
        wanted = drop_proposed(wanted, list_proposals())
    if not any(asking.answers.values()):
        print("pip names no release at all: is there a network?", file=sys.stderr)
        return 2
    for environment in wanted:
        print(environment)
    print(f"{len(wanted)} environments to record")
    if asked.output is not None:
        with asked.output.open("a", encoding="utf-8") as file:
            file.write(f"matrix={json.dumps(list_jobs(wanted))}\n")
    return 0


class Remembering:
    """Answers of pip, each asked for once."""

    def __init__(self, offer: Offer) -> None:
        """Ask ``offer``."""
        self.offer = offer
        self.answers: dict[tuple[str, str, Machine], Sequence[str]] = {}

    def __call__(self, package: str, python: str, machine: Machine) -> Sequence[str]:
        """Releases of a package."""
        key = (package, python, machine)
        if key not in self.answers:
            self.answers[key] = self.offer(*key)
        return self.answers[key]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
