"""What the nox sessions ``record``, ``capture``, ``replay`` and ``gpu`` are asked for; pure.

The noxfile imports this: it needs nothing but the standard library and packaging.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from packaging.requirements import Requirement
from packaging.version import Version

from tensor_atlas.model.capture import parse_shard

_MORE = "docs/contributing/record_a_release.md has more"
USAGES = {
    "record": "write nox -s record -- 2.6.0 [--numpy 1.26.4] [--with LIBRARY…] [--matrix | --only NAME…] "
    f"[--report FILE], or --pre; {_MORE}",
    "capture": "write nox -s capture -- 2.6.0 -o capture.json [--numpy 1.26.4] [--with LIBRARY…] [--matrix] "
    f"[--shard 2/8]; {_MORE}",
    "replay": "write nox -s replay [-- --sample 200 [--release 2.6.0 | --release all] [--seed 7] [--write]]; "
    f"{_MORE}",
    "gpu": "write nox -s gpu [-- --python PYTHON] [--measure] [--report FILE]; "
    "docs/contributing/gpu_builder.md has more",
}


@dataclass(frozen=True)
class Request:
    """What a session is asked for; the rest is as where nothing is asked for."""

    releases: tuple[str, ...] = ()
    """Releases of torch, `newest` among them, or `all` alone; none for the release the site is built with."""
    numpy: str | None = None
    """Release of NumPy for each of them; None for the newest that fits."""
    libraries: tuple[str, ...] = ()
    """What is installed beside torch and NumPy, for examples that need it."""
    only: tuple[str, ...] = ()
    """Names of the examples that are run; none for all."""
    matrix: bool = False
    """Whether the cells of the matrix are tried, and names asked for, beside the examples."""
    shard: str | None = None
    """Which part of them is run."""
    sample: int | None = None
    """How many of them are run, drawn at random."""
    seed: int | None = None
    captures: tuple[str, ...] = ()
    """Captures made elsewhere, to fold in instead of running anything."""
    pre: bool = False
    """Whether a torch that is not released is run, and kept as a preview."""
    skip_broken: bool = False
    """Whether captures that cannot be used are named, and the others folded in."""
    output: str = ""
    """File for the capture."""
    report: str | None = None
    """File for the report in Markdown."""
    write: bool = False
    """Whether the day of a replay is kept."""
    python: str | None = None
    """Interpreter whose torch is recorded; None for that of the sessions' own environment."""
    measure: bool = False
    """Whether transfers are timed, too."""

    @property
    def words(self) -> list[str]:
        """What the probe is given: what it runs."""
        words = [f"examples/{name}.py" for name in self.only] or ["examples"]
        words += ["--matrix"] if self.matrix else []
        words += ["--names"] if self.matrix and self.sample is None else []
        for option, value in (("--shard", self.shard), ("--sample", self.sample), ("--seed", self.seed)):
            words += [] if value is None else [option, str(value)]
        return words


def parse_request(session: str, arguments: Sequence[str]) -> Request:
    """What the arguments after `--` ask for; ValueError says in one line what is wrong with them."""
    parser = _Parser(USAGES[session])
    if session == "replay":
        parser.set_defaults(matrix=True, sample=200, seed=random.SystemRandom().randrange(10**6))
    for option in _TAKEN[session]:
        flags = [word for word in option.split() if word.startswith("-")]
        parser.add_argument(*flags, **_OPTIONS[option])
    try:
        given = vars(parser.parse_intermixed_args(arguments))
    except _RefusedError as error:
        parser.error(str(error))
    several = {name: tuple(dict.fromkeys(value)) for name, value in given.items() if isinstance(value, list)}
    request = Request(**{**given, **several})
    if contradiction := _find_contradiction(request):
        parser.error(contradiction)
    return request


def fit_numpy(release: str, numpy: str | None = None) -> str:
    """What pip is asked for, for a release of torch or `newest`; torch up to 2.2 was built for NumPy 1."""
    torch = "torch" if release == "newest" else f"torch=={release}"
    fitting = "numpy<2" if release != "newest" and Version(release).release < (2, 3) else "numpy"
    return f"{torch} {fitting if numpy is None else f'numpy=={numpy}'}"


def parse_recorded(document: str) -> dict[str, list[str]]:
    """What pip is asked for, for each environment without an accelerator in `environments.json`.

    By Python, the oldest first.
    """
    pairs_of: dict[str, set[tuple[Version, Version]]] = {}
    for environment in json.loads(document)["environments"]:
        if environment["device"] == "cpu":
            python = ".".join(environment["python"].split(".")[:2])
            pair = Version(environment["torch"]), Version(environment["numpy"])
            pairs_of.setdefault(python, set()).add(pair)
    installs = {}
    for python, pairs in pairs_of.items():
        wanted = [fit_numpy(torch.public, str(numpy)) for torch, numpy in sorted(pairs)]
        installs[python] = list(dict.fromkeys(wanted))
    return installs


class _RefusedError(Exception):
    """What is wrong with an argument; no ValueError, to which argparse would add words."""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in a ValueError, with what to write: it is nox that reports and ends."""

    def __init__(self, usage: str) -> None:
        super().__init__(usage=usage, add_help=False, allow_abbrev=False, argument_default=argparse.SUPPRESS)

    def error(self, message: str) -> NoReturn:
        raise ValueError(f"{message}: {self.usage}")


def _reader(parse: Callable[[str], object], kind: str, *words: str) -> Callable[[str], str]:
    """Reader of an argument in its usual spelling; the words are taken as they are."""

    def read(text: str) -> str:
        try:
            return text if text in words else str(parse(text))
        except ValueError:
            raise _RefusedError(f"{text or 'nothing'} is no {kind}") from None

    return read


_MANY = {"nargs": "+", "action": "extend"}
_ONE = {"nargs": 1, "dest": "releases"}
_FLAG = {"action": "store_true"}
_SEVERAL = {"action": "extend", "dest": "releases"}
_RELEASE = "release of torch"
_LIBRARY = _reader(Requirement, "requirement that pip understands")
_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "releases": {**_SEVERAL, "nargs": "*", "type": _reader(Version, _RELEASE, "newest", "all")},
    "--all": {"action": "append_const", "dest": "releases", "const": "all"},
    "release": {**_ONE, "metavar": "release", "type": _reader(Version, _RELEASE, "newest")},
    "--release": {**_ONE, "type": _reader(Version, _RELEASE, "all")},
    "--numpy": {"type": _reader(Version, "release of NumPy")},
    "--with": {**_MANY, "dest": "libraries", "type": _LIBRARY},
    "--only": _MANY,
    "--matrix": _FLAG,
    "--shard": {"type": _reader(parse_shard, "shard")},
    "--sample": {"type": int},
    "--seed": {"type": int},
    "--from": {**_MANY, "dest": "captures"},
    "--pre": _FLAG,
    "--skip-broken": _FLAG,
    "-o --output": {"required": True},
    "--report": {},
    "--write": _FLAG,
    "--python": {},
    "--measure": _FLAG,
}
"""How argparse reads an argument; defaults stand in Request."""
_TAKEN = {
    "record": (
        *("releases", "--all", "--pre", "--numpy", "--with", "--only", "--matrix"),
        *("--from", "--skip-broken", "--report"),
    ),
    "capture": ("release", "--numpy", "--with", "--matrix", "--shard", "-o --output"),
    "replay": ("--release", "--sample", "--seed", "--write"),
    "gpu": ("--python", "--measure", "--report"),
}


ALONE = "stands alone, each environment with the NumPy it was recorded with"


def _find_contradiction(asked: Request) -> str:
    """What cannot be asked for together; empty where all can."""
    installing = bool(asked.releases or asked.numpy or asked.libraries)
    choosing = installing or bool(asked.matrix or asked.only)
    is_alone = len(asked.releases) == 1 and not asked.numpy
    is_negative = (asked.sample is not None and asked.sample < 1) or (asked.seed or 0) < 0
    rules = {
        "--only runs examples alone, without --matrix": asked.only and asked.matrix,
        "--from takes what captures hold, without a release": asked.captures and choosing,
        "--pre takes the newest torch that pip finds, alone": asked.pre
        and (choosing or asked.captures or asked.report),
        "--skip-broken goes with --from": asked.skip_broken and not asked.captures,
        "--numpy wants a release of torch beside it": asked.numpy and not asked.releases,
        "--with wants a release of torch beside it": asked.libraries and not asked.releases,
        f"all {ALONE}": "all" in asked.releases and not is_alone,
        "a sample holds 1 or more": asked.sample is not None and is_negative,
    }
    return next((words for words, is_broken in rules.items() if is_broken), "")
