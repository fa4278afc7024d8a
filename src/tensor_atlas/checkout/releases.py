"""Environments that nox installs: the sessions' own, and releases of torch to record, capture or replay.

The noxfile imports this: it needs nothing but the standard library, nox and packaging.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import nox
from nox.command import CommandFailed
from packaging.utils import canonicalize_name

from tensor_atlas.checkout.requests import Request, fit_numpy, parse_recorded
from tensor_atlas.errors import NO_RECORDS

SOURCE = str(Path(__file__).parents[2])
"""Folder in which an interpreter finds this package without its being installed there."""
PROJECT, CONSTRAINTS = Path("pyproject.toml"), Path("constraints.txt")
ENVIRONMENTS = Path("docs/records/environments.json")
PRE_INDEX = "TENSOR_ATLAS_PRE_INDEX"
"""Variable with the address of an index that has torch before its release."""
PATIENCE = 30.0
"""Seconds that pip and the probe have to clean up after themselves when they are interrupted."""
BUILDER = {"PYTHONPATH": SOURCE, "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
"""Environment variables on a GPU builder: the tests run the probe in folders of their own, and JAX would
otherwise reserve most of the memory that other examples need."""
FIRST = (
    "installing torch, NumPy and Sphinx into .nox/site, once: 3 GB on disk, more with a CUDA build of torch"
)
"""What is said before the shared environment is made."""
FINDING = """
import torch
if not torch.cuda.is_available():
    build = f"CUDA build: {torch.version.cuda or 'no'}"
    raise SystemExit(f"torch {torch.__version__} ({build}) finds no CUDA device")
"""
"""What asks for a CUDA device, in a process of its own."""


# --- the sessions' own environments --------------------------------------------------------------


def folder_for(*words: str) -> Path:
    """Path below ``.nox`` that is named after words, whatever characters they have."""
    return Path(".nox").absolute() / re.sub(r"[^\w.+]+", "-", " ".join(words).strip())


def python_in(folder: Path) -> str:
    """Interpreter of the environment in a folder."""
    return str(folder / ("Scripts" if os.name == "nt" else "bin") / "python")


def requirements(group: str) -> list[str]:
    """Arguments for pip: the project and one dependency group, at the releases constraints.txt names."""
    named = nox.project.dependency_groups(nox.project.load_toml(PROJECT), group)
    return ["--constraint", str(CONSTRAINTS), "--editable", ".", *named]


def share(session: nox.Session, group: str) -> Path:
    """Bring the shared environment to what a dependency group needs; the folder of its programs.

    The sessions that need torch share one: it has gigabytes, and they need the same.
    """
    return Path(_bring(session, "site", group, requirements(group))).parent


def run_shared(session: nox.Session, group: str, program: str, *words: str, **env: str) -> None:
    """Run a program of the shared environment."""
    session.run(str(share(session, group) / program), *words, env=env)


def find_light_python(session: nox.Session) -> str:
    """Interpreter that has what the project depends on: the one that runs nox, or a small environment's."""
    if importlib.util.find_spec("msgspec") is not None:  # nox has packaging
        return sys.executable
    needed = nox.project.load_toml(PROJECT)["project"]["dependencies"]
    return _bring(session, "fold", "project", ["--constraint", str(CONSTRAINTS), *needed])


def _bring(session: nox.Session, name: str, group: str, wanted: Sequence[str]) -> str:
    """Install what is wanted into an environment of a name, which is made first; its interpreter."""
    python = python_in(folder_for(name))
    if not Path(python).parent.is_dir():
        session.run(sys.executable, "-m", "venv", str(folder_for(name)), silent=True)
    # Asking pip whether all is there takes longer than most examples: ask when a requirement has changed.
    asked = folder_for(name) / f"{group}.txt"
    texts = PROJECT.read_text(encoding="utf-8") + CONSTRAINTS.read_text(encoding="utf-8")
    if not asked.is_file() or asked.read_text(encoding="utf-8") != texts:
        is_first = not any(folder_for(name).glob("*.txt"))
        if is_first:
            session.log(FIRST)
        # Whoever waits for gigabytes sees what pip does; what is there already is not listed.
        session.run(python, "-m", "pip", "install", *([] if is_first else ["--quiet"]), *wanted)
        asked.write_text(texts, encoding="utf-8")
    return python


def install_own(session: nox.Session, group: str) -> None:
    """Bring the environment that nox made for a session to what a dependency group needs.

    pip is asked when a requirement has changed, so that the session also runs without a network.
    """
    asked = Path(session.virtualenv.location, f"{group}.txt")
    named = PROJECT.read_text(encoding="utf-8") + CONSTRAINTS.read_text(encoding="utf-8")
    if not asked.is_file() or asked.read_text(encoding="utf-8") != named:
        session.install(*requirements(group))
        asked.write_text(named, encoding="utf-8")


def describe_unfit_system(system: str) -> str:
    """Why the site cannot be built on an operating system, by its ``os.name``; empty where it can."""
    if system != "nt":
        return ""
    return "the site needs Linux or macOS (on Windows, WSL); record may run here, but nobody has tried"


def run_module(session: nox.Session, python: str, module: str, *words: str, **options: Any) -> None:
    """Run a module of this package, which need not be installed beside the interpreter."""
    env = {"PYTHONPATH": SOURCE, **options.pop("env", {})}
    command = (python, "-m", f"tensor_atlas.{module}", *words)
    session.run(*command, env=env, interrupt_timeout=PATIENCE, **options)


# --- a release -----------------------------------------------------------------------------------


def capture_release(session: nox.Session, install: str, asked: Request, output: Path) -> None:
    """Install a release, write what the probe finds there, and remove the environment, come what may.

    CommandFailed says why it cannot. The probe needs nothing but torch and NumPy: the project itself is not
    installed.
    """
    # One name for one environment and shard: what a session that was killed left behind is removed here.
    folder = folder_for(session.name, install.partition(" --extra")[0], asked.shard or "")
    shutil.rmtree(folder, ignore_errors=True)
    python = python_in(folder)
    failure = "no environment could be made"
    try:
        session.run(sys.executable, "-m", "virtualenv", "--quiet", str(folder))
        failure = "pip could not install it"
        _install(session, python, *install.split())
        _install_libraries(session, folder, asked.libraries)
        failure = "the probe could not run"
        compiling = {"PYTHONDONTWRITEBYTECODE": None}
        run_module(session, python, "probe", *asked.words, "-o", str(output), env=compiling)
    except CommandFailed:
        raise CommandFailed(f"{failure}, docs/records is as it was") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _install(session: nox.Session, python: str, *words: str) -> None:
    """Have pip compile nothing: examples import a fraction, which is compiled by the first who imports it."""
    pip = (python, "-m", "pip", "install", "--no-compile")
    session.run(*pip, *words, interrupt_timeout=PATIENCE)


def _install_libraries(session: nox.Session, folder: Path, libraries: Sequence[str]) -> None:
    """Install each library, at its release in constraints.txt, if it fits beside torch and NumPy.

    Warn where not. One release of a library for every release of torch: what differs between two records is
    then not its doing.
    """
    python = python_in(folder)
    installed = _parse_pins(str(session.run(python, "-m", "pip", "freeze", silent=True)))
    pinned = _parse_pins(CONSTRAINTS.read_text(encoding="utf-8"))
    constraints = folder / "constraints.txt"
    constraints.write_text("".join({**pinned, **installed}.values()), encoding="utf-8")
    constrained = ("--only-binary", ":all:", "--constraint", str(constraints))
    for library in libraries:
        try:
            _install(session, python, *constrained, library)
        except CommandFailed:
            session.warn(f"{library} does not fit: the examples that need it are recorded as not run")


def _parse_pins(text: str) -> dict[str, str]:
    """Lines with a release, by the usual name of the package."""
    lines = [line for line in text.splitlines() if "==" in line]
    return {canonicalize_name(line.partition("==")[0]): f"{line}\n" for line in lines}


def _do_each(session: nox.Session, installs: Sequence[str], do: Callable[[str], None], done: str) -> None:
    """Do the same for one after the other.

    What cannot be done for one is told at the end, and keeps no other from it.
    """
    failures = []
    for install in installs:
        try:
            do(install)
        except CommandFailed as error:
            failures.append(f"{install} ({error}: see above)")
    if failures:
        session.error(f"not {done}: {', '.join(failures)}")


def _list_recorded(session: nox.Session, only: Sequence[str] = ()) -> list[str]:
    """Environments that were recorded with the Python that runs nox; what takes another Python is told."""
    try:
        installs = parse_recorded(ENVIRONMENTS.read_text(encoding="utf-8"))
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        installs = {}
    if not installs:
        remedy = "restore it, or name a release, nox -s record -- 2.6.0"
        session.error(f"{ENVIRONMENTS} names no environments: {remedy}")
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    words = " ".join(["all", "--only", *only] if only else ["all"])
    rest = ", ".join(f"python{other} -m nox -s record -- {words}" for other in installs if other != own)
    if own not in installs:
        session.error(f"{ENVIRONMENTS} names no environments with Python {own}, which runs nox: {rest}")
    if rest:
        session.warn(f"what was recorded with another Python takes that: {rest}")
    return installs[own]


# --- what the sessions do ------------------------------------------------------------------------


def record(session: nox.Session, asked: Request) -> None:
    """Record releases, fold captures in, or record the release that the site is built with."""
    if asked.captures:
        fold(session, asked.captures, asked.report, *(["--skip-broken"] if asked.skip_broken else []))
    elif asked.pre:
        _record_preview(session, asked)
    elif asked.releases:
        _record_releases(session, asked)
    else:
        words = [] if asked.report is None else ["--report", asked.report]
        words += ["--matrix"] if asked.matrix else []
        words += ["--only", *asked.only] if asked.only else []
        run_shared(session, "site", "tensor-atlas", "record", *words)


def fold(session: nox.Session, captures: Sequence[str], report: str | None, *options: str) -> None:
    """Fold captures into the records; that needs no torch."""
    words = [*options, *([] if report is None else ["--report", report])]
    run_module(session, find_light_python(session), "cli", "record", "--from", *captures, *words)


def _record_preview(session: nox.Session, asked: Request) -> None:
    """Run a nightly build or a candidate, from the index that a variable names, and keep what it changes."""
    index = os.environ.get(PRE_INDEX, "")
    install = "--pre torch numpy" + (f" --extra-index-url {index}" if index else "")
    kept = folder_for("record", "preview.json")
    try:
        capture_release(session, install, asked, kept)
    except CommandFailed as error:
        session.error(f"no preview: {error}")
    fold(session, [str(kept)], None, "--preview")
    kept.unlink()


def _record_releases(session: nox.Session, asked: Request) -> None:
    if asked.releases == ("all",):
        installs = _list_recorded(session, asked.only)
    else:
        installs = [fit_numpy(release, asked.numpy) for release in asked.releases]
    if asked.report is not None:
        report = Path(asked.report)
        try:
            for path in (report, report.with_name(f"{report.stem}-whole{report.suffix}")):
                path.write_text("", encoding="utf-8")
                path.unlink()  # an interrupt must leave no empty report
        except OSError as error:
            remedy = "name a file in a folder you may write to"
            session.error(f"{report} cannot be written ({error.strerror}): {remedy}")
    _do_each(session, installs, lambda install: _record_release(session, install, asked), "recorded")


def _record_release(session: nox.Session, install: str, asked: Request) -> None:
    """Fold an environment into the records as soon as its probe has ended: what comes later cannot lose it.

    CommandFailed says why it could not be.
    """
    kept = folder_for("record", f"{install}.json")
    capture_release(session, install, asked, kept)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(asked.report or "report.md")
        try:
            fold(session, [str(kept)], None if asked.report is None else str(Path(folder, report.name)))
        except CommandFailed:
            again = f"nox -s record -- --from {kept.relative_to(Path.cwd())}"
            raise CommandFailed(f"could not be folded in, try again: {again}") from None
        kept.unlink()
        for part in Path(folder).iterdir():
            with report.with_name(part.name).open("a", encoding="utf-8") as file:
                file.write(part.read_text(encoding="utf-8"))


def capture(session: nox.Session, asked: Request) -> None:
    """Run a release and keep the capture."""
    install = fit_numpy(asked.releases[0], asked.numpy)
    try:
        capture_release(session, install, asked, Path(asked.output).absolute())
    except CommandFailed as error:
        session.error(f"{install}: {error}")


def replay(session: nox.Session, asked: Request) -> None:
    """Run a sample of what is recorded again, in the shared environment or in those of a release."""
    session.log(f"the same sample again: --sample {asked.sample} --seed {asked.seed}")
    output, words = folder_for("replay.json"), ["--write"] if asked.write else []

    def compare(*success_codes: int) -> None:
        python = find_light_python(session)
        run_module(session, python, "cli", "replay", str(output), *words, success_codes=success_codes)

    def replay_release(install: str) -> None:
        capture_release(session, install, asked, output)
        compare(0)

    if asked.releases:
        wanted = "" if asked.releases == ("all",) else f"torch=={asked.releases[0]} "
        installs = [install for install in _list_recorded(session) if install.startswith(wanted)]
        if not installs:
            session.error(f"no record of torch {asked.releases[0]} with this Python: nothing to run again")
        _do_each(session, installs, replay_release, "replayed")
    else:
        python = str(share(session, "site") / "python")
        run_module(session, python, "probe", *asked.words, "-o", str(output))
        compare(0, NO_RECORDS)


def record_gpu(session: nox.Session, asked: Request) -> str:
    """Record this machine's GPU, run the CUDA tests and the gate; what is missing for it, or nothing."""
    # Before gigabytes are installed for nothing.
    missing = "" if asked.python else _describe_missing_driver()
    python = asked.python or ("" if missing else str(share(session, "tests") / "python"))
    missing = missing or _describe_missing_device(python)
    if missing:
        return f"{missing}: nothing recorded"
    kept = str(folder_for("gpu-capture.json"))
    run_module(session, python, "probe", "examples", "--matrix", "--names", "-o", kept, env=BUILDER)
    fold(session, [kept], asked.report)
    if asked.measure:
        measure(session, python, "cuda")
    tools = subprocess.run([python, "-c", "import msgspec, pytest"], check=False, capture_output=True)
    if tools.returncode == 0:
        session.run(python, "-m", "pytest", "-m", "cuda", "tests/cuda", env=BUILDER)
    else:
        session.warn(f"{python} has no pytest, or no msgspec: the CUDA tests were not run")
    run_module(session, find_light_python(session), "cli", "drift", "--from", kept)
    session.log("docs/records holds what this GPU showed: look through it, and commit it by itself")
    return ""


def measure(session: nox.Session, python: str, device: str, *words: str) -> None:
    """Time conversions, or transfers to a GPU."""
    output = Path("docs/measurements") / f"{device}.json"
    output.parent.mkdir(exist_ok=True)
    run_module(session, python, "timings.measure", device, "-o", str(output), *words)


def _describe_missing_driver() -> str:
    """Why there is no driver for a CUDA device, in one line; empty where there is one."""
    library = "nvcuda.dll" if os.name == "nt" else "libcuda.so.1"
    try:
        ctypes.CDLL(library)
    except OSError:
        return f"no CUDA driver is installed ({library} cannot be loaded)"
    return ""


def _describe_missing_device(python: str) -> str:
    """Why there is no CUDA device for an interpreter, in one line; empty where there is one."""
    try:
        done = subprocess.run([python, "-c", FINDING], check=False, capture_output=True, text=True)
    except OSError as error:
        return f"{python} cannot be run ({error.strerror})"
    told = done.stderr.strip().split("\n")[-1]
    return "" if done.returncode == 0 else told or python
