"""Every task of the project, each as `python -m nox -s NAME`; `python -m nox --list` names them."""

from __future__ import annotations

import argparse
import ctypes
import difflib
import importlib.util
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import nox
from nox.command import CommandFailed
from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "virtualenv"
nox.options.reuse_existing_virtualenvs = True
nox.options.sessions = ["unit", "lint", "types", "tests", "drift", "docs"]

PROJECT = nox.project.load_toml(Path(__file__).with_name("pyproject.toml"))
SITE = Path("docs/_build/html")
CONSTRAINTS = Path("constraints.txt")
# The sessions that need torch share one environment: it has gigabytes, and they need the same.
SHARED = Path(".nox/site").absolute()
EXAMPLES_STYLE = ("--line-length", "100")
PROGRAMS = "Scripts" if os.name == "nt" else "bin"
# A test file to a processor.
SPREAD = ("--numprocesses", "auto", "--dist", "loadfile")
# Seconds that pip and the probe have to clean up after themselves when they are interrupted.
PATIENCE = 30.0


def requirements(group: str) -> list[str]:
    """Arguments for pip: the project and one dependency group, at the releases constraints.txt names."""
    named = nox.project.dependency_groups(PROJECT, group)
    return ["--constraint", "constraints.txt", "--editable", ".", *named]


def share(session: nox.Session, group: str) -> Path:
    """Bring the shared environment to what a dependency group needs; the folder of its programs."""
    programs = SHARED / PROGRAMS
    if not programs.is_dir():
        session.run(sys.executable, "-m", "venv", str(SHARED), silent=True)
    # Asking pip whether all is there takes longer than most examples: ask when a requirement has changed.
    asked = SHARED / f"{group}.txt"
    wanted = "".join(Path(name).read_text(encoding="utf-8") for name in ("pyproject.toml", "constraints.txt"))
    if not asked.is_file() or asked.read_text(encoding="utf-8") != wanted:
        session.run(
            str(programs / "python"), "-m", "pip", "install", "--quiet", *requirements(group), silent=True
        )
        asked.write_text(wanted, encoding="utf-8")
    return programs


@nox.session(venv_backend="none")
def docs(session: nox.Session) -> None:
    """Build the site: execute every example, fail on any drift or warning, say where the site is."""
    session.run(str(share(session, "site") / "tensor-atlas"), "site", "-q", *session.posargs)
    session.log(f"The site is at {(SITE / 'index.html').resolve().as_uri()}")


@nox.session(venv_backend="none")
def drift(session: nox.Session) -> None:
    """Execute the examples; exit code 1 for what differs from the documentation, 2 for bad input."""
    session.run(str(share(session, "site") / "tensor-atlas"), "drift", *session.posargs)


@nox.session
def unit(session: nox.Session) -> None:
    """Run the tests that need neither torch nor Sphinx, in an environment without them."""
    session.install(*requirements("unit"))
    session.run("pytest", "--unit", *SPREAD, *session.posargs)


@nox.session(venv_backend="none")
def tests(session: nox.Session) -> None:
    """Run the test suite with pytest, without what is slow or an attack; arguments after -- go to pytest."""
    session.run(str(share(session, "tests") / "pytest"), *SPREAD, *session.posargs)


@nox.session(venv_backend="none")
def slow(session: nox.Session) -> None:
    """Run the slow tests, such as every example and every memory map as plain Python runs them."""
    session.run(str(share(session, "tests") / "pytest"), *SPREAD, "-m", "slow", *session.posargs)


@nox.session(venv_backend="none")
def attacks(session: nox.Session) -> None:
    """Attack probe, records and builds a few times.

    `-- --full` does so a hundred or twenty thousand times.
    """
    arguments = [argument for argument in session.posargs if argument != "--full"]
    often = {"TENSOR_ATLAS_ATTACKS": "full"} if "--full" in session.posargs else {}
    pytest = str(share(session, "tests") / "pytest")
    session.run(pytest, *SPREAD, "-m", "attack", "tests/attacks", *arguments, env=often)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, workflows, citation, spelling and prose; `-- --fix` corrects what it can."""
    session.install(*requirements("lint"))
    fix = "--fix" in session.posargs
    session.run("ruff", "check", *(["--fix"] if fix else []), ".")
    check = [] if fix else ["--check"]
    session.run("ruff", "format", *check, "src", "tests", "docs", "noxfile.py")
    session.run("ruff", "format", *check, *EXAMPLES_STYLE, "examples")
    session.run("oxlint", *(["--fix"] if fix else []), "--config", ".oxlintrc.json", "--deny-warnings", "src")
    workflows = sorted(str(path) for path in Path(".github/workflows").glob("*.yml"))
    session.run("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *workflows)
    session.run("check-jsonschema", "--builtin-schema", "vendor.citation-file-format", "CITATION.cff")
    session.run("codespell", "docs", "examples", "src", "tests", "noxfile.py", "README.md", "CHANGELOG.md")
    session.run("python", "tests/check_prose.py")


@nox.session(venv_backend="none")
def types(session: nox.Session) -> None:
    """Check types with mypy in strict mode, tests included."""
    session.run(str(share(session, "types") / "mypy"))


@nox.session(venv_backend="none")
def record(session: nox.Session) -> None:
    """Record torch releases: `-- 2.6.0 [--numpy 1.26.4]`, `-- newest`, `-- all`, `-- --from CAPTURE…`.

    `--report FILE`. `--only NAME…` runs these examples, and leaves all other records as they are.
    `--matrix` tries every cell of the matrix too. `--with pandas jax` installs these beside
    torch, for the examples that need them. Several releases may be named. `newest` is the newest that pip
    finds; `all` means every environment without an accelerator that was recorded with the Python that runs
    nox. Without a release, it is the one the site is built with.
    """
    try:
        asked = recording(session.posargs)
    except ValueError as error:
        session.error(str(error))
    if unknown := describe_unknown(asked.only):
        # Before gigabytes are installed for nothing. nox makes 1 of every failure; this is none of a run.
        print(f"nox -s record: {unknown}", file=sys.stderr)
        raise SystemExit(BAD_INPUT)
    if asked.captures:
        _fold(session, asked.captures, asked.report)
    elif not asked.releases:
        told = [] if asked.report is None else ["--report", asked.report]
        told += ["--matrix"] if asked.matrix else []
        told += ["--only", *asked.only] if asked.only else []
        session.run(str(share(session, "site") / "tensor-atlas"), "record", *told)
    else:
        _record_each(session, _targets(session, asked), asked)


@dataclass(frozen=True)
class Recording:
    """What `nox -s record -- …` asks for."""

    releases: tuple[str, ...] = ()
    """Releases of torch, `newest` among them, or `all` alone; none for the release the site is built with."""
    numpy: str | None = None
    """Release of NumPy for each of them; None for the newest that fits."""
    captures: tuple[str, ...] = ()
    """Captures made elsewhere, to fold in instead of running anything."""
    report: str | None = None
    """File for the report in Markdown."""
    matrix: bool = False
    """Whether the cells of the matrix are tried, beside the examples."""
    libraries: tuple[str, ...] = ()
    """What is installed beside torch and NumPy, for examples that need it."""
    only: tuple[str, ...] = ()
    """Names of the examples that are run; none for all."""


@dataclass(frozen=True)
class Target:
    """An environment to record, as pip is asked for it."""

    torch: str
    """Requirement such as `torch==2.6.0`."""
    numpy: str
    """Requirement such as `numpy<2`."""

    def __str__(self) -> str:
        return f"{self.torch} {self.numpy}"


class NotRecordedError(Exception):
    """What could not be done for an environment, and where that leaves its records."""


class _Arguments(argparse.ArgumentParser):
    """Says what is wrong in an exception: it is nox that reports and ends."""

    def __init__(self, usage_line: str) -> None:
        super().__init__(add_help=False, allow_abbrev=False)
        self._usage_line = usage_line

    def error(self, message: str) -> NoReturn:
        raise ValueError(f"{message}: {self._usage_line}")


GPU_USAGE = (
    "write nox -s gpu [-- --python PYTHON] [--measure] [--report FILE]; "
    "docs/contributing/gpu_builder.md has more"
)
USAGE = (
    "write nox -s record -- 2.6.0 [--numpy 1.26.4] [--with LIBRARY…] [--matrix | --only NAME…] "
    "[--report FILE]; "
    "docs/contributing/record_a_release.md has more"
)

CAPTURE_USAGE = (
    "write nox -s capture -- 2.6.0 -o capture.json [--numpy 1.26.4] [--with LIBRARY…] [--matrix] "
    "[--shard 2/8]; "
    "docs/contributing/record_a_release.md has more"
)


def recording(arguments: Sequence[str]) -> Recording:
    """What the arguments after `--` ask for; ValueError says in one line what is wrong with them."""
    parser = _Arguments(USAGE)
    parser.add_argument("releases", nargs="*")
    parser.add_argument("--from", dest="captures", nargs="+", action="extend", default=[])
    parser.add_argument("--numpy")
    parser.add_argument("--with", dest="libraries", nargs="+", action="extend", default=[])
    parser.add_argument("--report")
    parser.add_argument("--matrix", action="store_true")
    parser.add_argument("--only", nargs="+", action="extend", default=[])
    parser.add_argument("--all", action="store_true")
    given = parser.parse_intermixed_args(arguments)
    words = ("newest", "all")
    named = [*given.releases, "all"] if given.all else given.releases
    releases = [text if text in words else _release(text, "torch") for text in named]
    numpy = None if given.numpy is None else _release(given.numpy, "NumPy")
    libraries = [_library(text) for text in given.libraries]
    if given.only and given.matrix:
        raise ValueError(f"--only runs examples alone, without --matrix: {USAGE}")
    if given.captures and (releases or numpy or libraries or given.matrix or given.only):
        raise ValueError(f"--from takes what captures hold, without a release: {USAGE}")
    if numpy and not releases:
        raise ValueError(f"--numpy wants a release of torch beside it: {USAGE}")
    if libraries and not releases:
        raise ValueError(f"--with wants a release of torch beside it: {USAGE}")
    if "all" in releases and (len(set(releases)) > 1 or numpy):
        raise ValueError(f"all stands alone, each environment with the NumPy it was recorded with: {USAGE}")
    return Recording(
        tuple(dict.fromkeys(releases)),
        numpy,
        tuple(given.captures),
        given.report,
        given.matrix,
        tuple(libraries),
        tuple(dict.fromkeys(given.only)),
    )


def describe_unknown(names: Sequence[str]) -> str:
    """Which of the names is that of no example, with the nearest that there is; empty where all are."""
    known = {f"{path.parent.name}/{path.stem}": path.stem for path in Path("examples").glob("*/*.py")}
    nearest = {stem: name for name, stem in known.items()} | {name: name for name in known}
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, nearest, 1)
            remedy = f"did you mean {nearest[near[0]]}?" if near else "name it <chapter>/<stem>"
            return f"no example {name}: {remedy}"
    return ""


def _release(text: str, package: str, usage: str = USAGE) -> str:
    try:
        return str(Version(text))
    except InvalidVersion:
        raise ValueError(f"{text or 'nothing'} is no release of {package}: {usage}") from None


def _library(text: str) -> str:
    try:
        return str(Requirement(text))
    except InvalidRequirement:
        raise ValueError(f"{text or 'nothing'} is no requirement that pip understands: {USAGE}") from None


def target(release: str, numpy: str | None) -> Target:
    """What pip is asked for, for a release of torch or `newest`; torch up to 2.2 was built for NumPy 1."""
    torch = "torch" if release == "newest" else f"torch=={release}"
    fitting = "numpy<2" if release != "newest" and Version(release).release < (2, 3) else "numpy"
    return Target(torch, fitting if numpy is None else f"numpy=={numpy}")


def recorded_targets(document: str) -> dict[str, list[Target]]:
    """Environments without an accelerator in `environments.json`, by Python, the oldest first."""
    found: dict[str, set[tuple[Version, Version]]] = {}
    for environment in json.loads(document)["environments"]:
        if environment["device"] == "cpu":
            python = ".".join(environment["python"].split(".")[:2])
            found.setdefault(python, set()).add(
                (Version(environment["torch"]), Version(environment["numpy"]))
            )
    return {
        python: list(dict.fromkeys(target(torch.public, str(numpy)) for torch, numpy in sorted(pairs)))
        for python, pairs in found.items()
    }


def _targets(session: nox.Session, asked: Recording) -> list[Target]:
    if asked.releases != ("all",):
        return [target(release, asked.numpy) for release in asked.releases]
    path = Path("docs/records/environments.json")
    try:
        targets = recorded_targets(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        targets = {}
    if not targets:
        session.error(f"{path} names no environments: restore it, or name a release, nox -s record -- 2.6.0")
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    words = ["all", "--only", *asked.only] if asked.only else ["all"]
    rest = ", ".join(
        f"python{other} -m nox -s record -- {' '.join(words)}" for other in targets if other != own
    )
    if own not in targets:
        session.error(f"{path} names no environments with Python {own}, which runs nox: {rest}")
    if rest:
        session.warn(f"what was recorded with another Python takes that: {rest}")
    return targets[own]


def _record_each(session: nox.Session, targets: Sequence[Target], asked: Recording) -> None:
    """Record one after the other.

    What cannot be done for one is told at the end, and keeps no other from it.
    """
    if asked.report is not None:
        for path in (asked.report, _name_whole(asked.report)):
            _write(session, path, "w", "")
    failures = []
    for wanted in targets:
        try:
            _record_one(session, wanted, asked)
        except NotRecordedError as error:
            failures.append(f"{wanted} ({error}: see above)")
    if failures:
        session.error(f"not recorded: {', '.join(failures)}")


@nox.session(venv_backend="none")
def capture(session: nox.Session) -> None:
    """Run a torch release and keep the capture: `-- 2.6.0 -o FILE [--numpy 1.26.4] [--shard 2/8]`.

    Nothing is folded into docs/records: `nox -s record -- --from FILE…` does that, with all the shards of a
    run.
    """
    try:
        wanted, output, more, libraries = capturing(session.posargs)
    except ValueError as error:
        session.error(str(error))
    folder = SHARED.with_name("capture-" + re.sub(r"[^\w.+]+", "-", " ".join([str(wanted), *more])))
    shutil.rmtree(folder, ignore_errors=True)
    try:
        _capture(session, wanted, folder, Path(output).absolute(), ["examples", *more], libraries)
    except NotRecordedError as error:
        session.error(f"{wanted}: {error}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def capturing(arguments: Sequence[str]) -> tuple[Target, str, list[str], list[str]]:
    """Environment, file, further words for the probe, and libraries.

    ValueError says in one line what is wrong.
    """
    parser = _Arguments(CAPTURE_USAGE)
    parser.add_argument("release")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--numpy")
    parser.add_argument("--with", dest="libraries", nargs="+", action="extend", default=[])
    parser.add_argument("--matrix", action="store_true")
    parser.add_argument("--shard")
    given = parser.parse_intermixed_args(arguments)
    release = given.release if given.release == "newest" else _release(given.release, "torch")
    numpy = None if given.numpy is None else _release(given.numpy, "NumPy")
    more = [
        *(["--matrix"] if given.matrix else []),
        *([] if given.shard is None else ["--shard", _shard(given.shard)]),
    ]
    return target(release, numpy), given.output, more, [_library(text) for text in given.libraries]


REPLAY_USAGE = (
    "write nox -s replay [-- --sample 200 [--release 2.6.0 | --release all] [--seed 7] [--write]]; "
    "docs/contributing/record_a_release.md has more"
)
NOT_RECORDED = 3
"""Exit code of ``tensor-atlas replay`` in an environment that has no records."""


@dataclass(frozen=True)
class Replaying:
    """What `nox -s replay -- …` asks for."""

    release: str | None
    """Release of torch, or `all`; None for the environment that the sessions share."""
    words: tuple[str, ...]
    """Further words for the probe: sample and seed."""
    write: bool


@nox.session(venv_backend="none")
def replay(session: nox.Session) -> None:
    """Run a sample of what is recorded again: `-- --sample 200 [--release 2.6.0] [--seed 7] [--write]`.

    Fails where cells or statements are not as recorded. `--release` makes that release's environment anew;
    without it the sample is run where the site is built. `--write` keeps the day in docs/replays.toml.
    """
    try:
        asked = replaying(session.posargs)
    except ValueError as error:
        session.error(str(error))
    session.log(f"the same sample again: {' '.join(asked.words)}")
    output = SHARED.with_name("replay.json")
    if asked.release is None:
        python = str(share(session, "site") / "python")
        probe = (python, "-m", "tensor_atlas.probe", "examples", "--matrix", *asked.words, "-o", str(output))
        session.run(*probe, env={"PYTHONPATH": "src"}, interrupt_timeout=PATIENCE)
        _replay(session, output, asked, success_codes=(0, NOT_RECORDED))
        return
    failures = []
    for wanted in _targets(session, Recording(("all",))):
        if asked.release not in ("all", wanted.torch.removeprefix("torch==")):
            continue
        folder = SHARED.with_name("replay-" + re.sub(r"[^\w.+]+", "-", str(wanted)))
        shutil.rmtree(folder, ignore_errors=True)
        try:
            _capture(session, wanted, folder, output, ["examples", "--matrix", *asked.words], ())
            _replay(session, output, asked)
        except (NotRecordedError, CommandFailed) as error:
            failures.append(f"{wanted} ({error or 'not as recorded'}: see above)")
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    if failures:
        session.error(f"not replayed: {', '.join(failures)}")


def _replay(
    session: nox.Session, output: Path, asked: Replaying, success_codes: Sequence[int] = (0,)
) -> None:
    words = ["--write"] if asked.write else []
    command = (_without_torch(session), "-m", "tensor_atlas.cli", "replay", str(output), *words)
    session.run(*command, env={"PYTHONPATH": "src"}, success_codes=success_codes)


def replaying(arguments: Sequence[str]) -> Replaying:
    """What the arguments after `--` ask for; ValueError says in one line what is wrong with them."""
    parser = _Arguments(REPLAY_USAGE)
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--release")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args(arguments)
    if given.sample < 1 or given.seed < 0:
        raise ValueError(f"a sample holds 1 or more: {REPLAY_USAGE}")
    release = (
        given.release if given.release in (None, "all") else _release(given.release, "torch", REPLAY_USAGE)
    )
    words = ("--sample", str(given.sample), "--seed", str(given.seed))
    return Replaying(release, words, given.write)


def _shard(text: str) -> str:
    """Shard as the probe takes it, which refuses it too, but when gigabytes have been installed."""
    form = re.fullmatch(r"([1-9]\d{0,4})/([1-9]\d{0,4})", text, re.ASCII)
    if form is None or int(form[1]) > int(form[2]):
        raise ValueError(f"{text or 'nothing'} is no shard: {CAPTURE_USAGE}")
    return text


def _record_one(session: nox.Session, wanted: Target, asked: Recording) -> None:
    """Fold an environment into the records as soon as its probe has ended: what comes later cannot lose it.

    NotRecordedError says why it could not be; what was installed for it is removed, come what may.
    """
    # One name for one environment: what a session that was killed left behind is removed here.
    folder = SHARED.with_name("record-" + re.sub(r"[^\w.+]+", "-", str(wanted)))
    capture, part = folder.with_name(f"{folder.name}.json"), folder / "report.md"
    shutil.rmtree(folder, ignore_errors=True)
    try:
        what = [f"examples/{name}.py" for name in asked.only] or ["examples"]
        what += ["--matrix"] if asked.matrix else []
        _capture(session, wanted, folder, capture, what, asked.libraries)
        try:
            _fold(session, [str(capture)], None if asked.report is None else str(part))
        except CommandFailed:
            kept = capture.relative_to(SHARED.parents[1])
            raise NotRecordedError(
                f"could not be folded in, try again: nox -s record -- --from {kept}"
            ) from None
        capture.unlink()
        if asked.report is not None:
            _write(session, asked.report, "a", part.read_text(encoding="utf-8"))
            whole = Path(_name_whole(str(part)))
            _write(session, _name_whole(asked.report), "a", whole.read_text(encoding="utf-8"))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _capture(
    session: nox.Session,
    wanted: Target,
    folder: Path,
    capture: Path,
    what: Sequence[str],
    libraries: Sequence[str],
) -> None:
    """Install an environment in ``folder`` and write what the probe finds there; ``what`` is given to it.

    NotRecordedError says why it cannot. The probe needs nothing but torch and NumPy: the project itself is
    not installed.
    """
    python = str(folder / PROGRAMS / "python")
    failure = "no environment could be made"
    try:
        session.run(sys.executable, "-m", "virtualenv", "--quiet", str(folder))
        failure = "pip could not install it"
        # The examples import a fraction of what pip installs: compile that alone, by the first who imports
        # it.
        pip = (python, "-m", "pip", "install", "--no-compile", wanted.torch, wanted.numpy)
        session.run(*pip, interrupt_timeout=PATIENCE)
        _install_libraries(session, python, folder, libraries)
        failure = "the probe could not run"
        probe = (python, "-m", "tensor_atlas.probe", *what, "-o", str(capture))
        compiling = {"PYTHONPATH": "src", "PYTHONDONTWRITEBYTECODE": None}
        session.run(*probe, env=compiling, interrupt_timeout=PATIENCE)
    except CommandFailed:
        raise NotRecordedError(f"{failure}, docs/records is as it was") from None


def _install_libraries(session: nox.Session, python: str, folder: Path, libraries: Sequence[str]) -> None:
    """Install each library, at its release in constraints.txt, if it fits beside torch and NumPy.

    Warn where not. One release of a library for every release of torch: what differs between two records is
    then not its doing.
    """
    frozen = str(session.run(python, "-m", "pip", "freeze", silent=True))
    installed = dict(line.split("==") for line in frozen.splitlines() if "==" in line)
    pinned = dict(line.split("==") for line in CONSTRAINTS.read_text("utf-8").splitlines() if "==" in line)
    known = {canonicalize_name(name) for name in installed}
    pinned = {name: release for name, release in pinned.items() if canonicalize_name(name) not in known}
    constraints = folder / "constraints.txt"
    lines = [f"{name}=={release}\n" for name, release in {**installed, **pinned}.items()]
    constraints.write_text("".join(lines), encoding="utf-8")
    pip = (
        python,
        "-m",
        "pip",
        "install",
        "--no-compile",
        "--only-binary",
        ":all:",
        "--constraint",
        str(constraints),
    )
    for library in libraries:
        try:
            session.run(*pip, library, interrupt_timeout=PATIENCE)
        except CommandFailed:
            session.warn(f"{library} does not fit: the examples that need it are recorded as not run")


def _without_torch(session: nox.Session) -> str:
    """Interpreter that has what the project depends on: the one that runs nox, or a small environment's."""
    if importlib.util.find_spec("msgspec") is not None:  # nox has packaging
        return sys.executable
    folder = SHARED.with_name("fold")
    python = str(folder / PROGRAMS / "python")
    if not folder.is_dir():
        session.run(sys.executable, "-m", "venv", str(folder), silent=True)
    wanted = ("--constraint", "constraints.txt", *PROJECT["project"]["dependencies"])
    session.run(python, "-m", "pip", "install", "--quiet", *wanted, silent=True)
    return python


def _fold(session: nox.Session, captures: Sequence[str], report: str | None) -> None:
    """Fold captures in; that needs no torch."""
    told = [] if report is None else ["--report", report]
    fold = (_without_torch(session), "-m", "tensor_atlas.cli", "record", "--from", *captures, *told)
    session.run(*fold, env={"PYTHONPATH": "src"}, interrupt_timeout=PATIENCE)


def _name_whole(report: str) -> str:
    """File that `tensor-atlas record --report` writes beside a report, with all that does not fit into it."""
    path = Path(report)
    return str(path.with_name(f"{path.stem}-whole{path.suffix}"))


def _write(session: nox.Session, report: str, mode: str, text: str) -> None:
    try:
        with Path(report).open(mode, encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        session.error(
            f"{report} cannot be written ({error.strerror}): name a file in a folder you may write to"
        )


@nox.session(venv_backend="none")
def measure(session: nox.Session) -> None:
    """Time conversions for the figures and the guide, one after the other.

    `-- cuda` times transfers to a GPU. Leave the machine alone meanwhile.
    """
    device = "cuda" if "cuda" in session.posargs else "cpu"
    _measure(
        session, str(share(session, "site") / "python"), device, [a for a in session.posargs if a != device]
    )


def _measure(session: nox.Session, python: str, device: str, more: Sequence[str]) -> None:
    output = Path("docs/measurements") / f"{device}.json"
    output.parent.mkdir(exist_ok=True)
    command = (python, "-m", "tensor_atlas.timings.measure", device, "-o", str(output), *more)
    session.run(*command, env={"PYTHONPATH": "src"}, interrupt_timeout=PATIENCE)


@nox.session
def bench(session: nox.Session) -> None:
    """Time the gate and the site against their peers, for the page on speed.

    `-- --full` with up to 2,000 examples. Leave the machine alone meanwhile. `-- --help` names the options.
    """
    session.install(*requirements("bench"))
    work = Path(".nox/bench-work").absolute()
    command = ("python", "-m", "benchmarks", "--output", "docs/measurements", "--work", str(work))
    session.run(*command, *session.posargs, env={"PYTHONPATH": "tests"}, interrupt_timeout=PATIENCE)


@nox.session(venv_backend="none")
def gpu(session: nox.Session) -> None:
    """Record this machine's GPU, run the CUDA tests and the gate; exit code 2 where there is no CUDA device.

    `-- --python PYTHON` takes a torch that is installed already, `--measure` times transfers too, `--report
    FILE` writes what is new as Markdown. docs/contributing/gpu_builder.md has more.
    """
    try:
        asked = on_gpu(session.posargs)
    except ValueError as error:
        session.error(str(error))
    # Before gigabytes are installed for nothing.
    missing = "" if asked.python else without_driver()
    python = asked.python or ("" if missing else str(share(session, "tests") / "python"))
    missing = missing or without_device(python)
    if missing:
        # nox makes 1 of every failure; that there is nothing to record is none of the recording's.
        print(f"nox -s gpu: {missing}", file=sys.stderr)
        raise SystemExit(NO_DEVICE)
    capture = SHARED.with_name("gpu-capture.json")
    probe = (python, "-m", "tensor_atlas.probe", "examples", "--matrix", "-o", str(capture))
    session.run(*probe, env=BUILDER, interrupt_timeout=PATIENCE)
    _fold(session, [str(capture)], asked.report)
    if asked.measure:
        _measure(session, python, "cuda", ())
    if (
        subprocess.run([python, "-c", "import msgspec, pytest"], check=False, capture_output=True).returncode
        == 0
    ):
        session.run(python, "-m", "pytest", "-m", "cuda", "tests/cuda", env=BUILDER)
    else:
        session.warn(f"{python} has no pytest, or no msgspec: the CUDA tests were not run")
    gate = (_without_torch(session), "-m", "tensor_atlas.cli", "drift", "--from", str(capture))
    session.run(*gate, env={"PYTHONPATH": "src"})
    session.log("docs/records holds what this GPU showed: look through it, and commit it by itself")


BUILDER = {"PYTHONPATH": str(Path("src").absolute()), "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
"""Environment variables on a GPU builder: the tests run the probe in folders of their own, and JAX would
otherwise reserve most of the memory that other examples need."""
NO_DEVICE = 2
"""Exit code of a session that needs a GPU where there is none."""
BAD_INPUT = 2
"""Exit code of a session that is asked for an example that does not exist."""
FINDING = """
import torch
if not torch.cuda.is_available():
    build = f"CUDA build: {torch.version.cuda or 'no'}"
    raise SystemExit(f"torch {torch.__version__} ({build}) finds no CUDA device")
"""
"""What asks for a CUDA device, in a process of its own."""


@dataclass(frozen=True)
class OnGpu:
    """What `nox -s gpu -- …` asks for."""

    python: str | None = None
    """Interpreter whose torch is recorded; None for that of the sessions' own environment."""
    report: str | None = None
    """File for the report in Markdown."""
    measure: bool = False
    """Whether transfers are timed, too."""


def on_gpu(arguments: Sequence[str]) -> OnGpu:
    """What the arguments after `--` ask for; ValueError says in one line what is wrong with them."""
    parser = _Arguments(GPU_USAGE)
    parser.add_argument("--python")
    parser.add_argument("--report")
    parser.add_argument("--measure", action="store_true")
    given = parser.parse_args(arguments)
    return OnGpu(given.python, given.report, given.measure)


def without_driver() -> str:
    """Why there is no driver for a CUDA device, in one line; empty where there is one."""
    library = "nvcuda.dll" if os.name == "nt" else "libcuda.so.1"
    try:
        ctypes.CDLL(library)
    except OSError:
        return f"no CUDA driver is installed ({library} cannot be loaded): nothing recorded"
    return ""


def without_device(python: str) -> str:
    """Why there is no CUDA device for an interpreter, in one line; empty where there is one."""
    try:
        done = subprocess.run([python, "-c", FINDING], check=False, capture_output=True, text=True)
    except OSError as error:
        return f"{python} cannot be run ({error.strerror})"
    told = done.stderr.strip().split("\n")[-1]
    return "" if done.returncode == 0 else f"{told or python}: nothing recorded"


@nox.session(venv_backend="none")
def serve(session: nox.Session) -> None:
    """Build the site, serve it on this machine, and show each change: prose within a second."""
    programs = share(session, "site")
    session.run(str(programs / "python"), "-m", "tensor_atlas.site.build.preview", *session.posargs)


@nox.session(venv_backend="none")
def linkcheck(session: nox.Session) -> None:
    """Ask every external link of the site whether it still answers; needs the network."""
    options = ("-W", "--keep-going", "-q", "--jobs", "auto", "-d", str(SITE.parent / "doctrees"))
    programs = share(session, "site")
    session.run(
        str(programs / "sphinx-build"), *options, "-b", "linkcheck", "docs", str(SITE.parent / "linkcheck")
    )


@nox.session
def browser(session: nox.Session) -> None:
    """Open the built site in Debian's Chromium and test what a reader sees.

    Run docs first, and install chromium.
    """
    if not (SITE / "index.html").is_file():
        session.error("there is no site yet: nox -s docs")
    session.install(*requirements("browser"))
    # What the pages must show is read from the records: that needs the package's source, and no torch.
    # One test builds pages of its own, by what built the site.
    known = {"PYTHONPATH": "src", "TENSOR_ATLAS_PYTHON": str(SHARED / PROGRAMS / "python")}
    # One process more than there are processors, since each waits for pages now and then.
    spread = ("--numprocesses", str((os.cpu_count() or 1) + 1), "--dist", "worksteal")
    has_path = any(Path(argument.partition("::")[0]).exists() for argument in session.posargs)
    tests = () if has_path else ("tests/browser",)
    pytest = ("pytest", "-o", "norecursedirs=.* cases", *spread, *tests)
    session.run(*pytest, *session.posargs, env=known)


@nox.session
def readers(session: nox.Session) -> None:
    """Try real pastes and questions in the built site's search; fail when fewer are answered.

    `-- --write` replaces the committed table, docs/measurements/readers.json.
    """
    if not (SITE / "index.html").is_file():
        session.error("there is no site yet: nox -s docs")
    session.install(*requirements("browser"))
    session.run("python", "tests/readers/run.py", *session.posargs)


@nox.session(venv_backend="none")
def clean(session: nox.Session) -> None:
    """Remove what builds leave behind: the site, the gallery's pages, caches."""
    for folder in ("docs/_build", "docs/gallery", ".mypy_cache", ".ruff_cache", ".pytest_cache"):
        shutil.rmtree(folder, ignore_errors=True)
        session.log(f"removed {folder}")
