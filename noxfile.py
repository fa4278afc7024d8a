"""Every task of the project, each as `python -m nox -s NAME`; `python -m nox --list` names them."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import nox

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "virtualenv"
nox.options.reuse_existing_virtualenvs = True
nox.options.sessions = ["lint", "types", "tests", "drift", "docs"]

PROJECT = nox.project.load_toml("pyproject.toml")
SITE = Path("docs/_build/html")
# The sessions that need torch share one environment: it has gigabytes, and they need the same.
SHARED = Path(".nox/site").absolute()
EXAMPLES_STYLE = ("--line-length", "100")


def requirements(group: str) -> list[str]:
    """Arguments for pip: the project and one dependency group, at the releases constraints.txt names."""
    named = nox.project.dependency_groups(PROJECT, group)
    return ["--constraint", "constraints.txt", "--editable", ".", *named]


def share(session: nox.Session, group: str) -> Path:
    """Bring the shared environment to what a dependency group needs; the folder of its programs."""
    programs = SHARED / ("Scripts" if os.name == "nt" else "bin")
    if not programs.is_dir():
        session.run(sys.executable, "-m", "venv", str(SHARED), silent=True)
    # Asking pip whether all is there takes longer than most examples: ask when a requirement has changed.
    asked = SHARED / f"{group}.txt"
    wanted = "".join(Path(name).read_text(encoding="utf-8") for name in ("pyproject.toml", "constraints.txt"))
    if not asked.is_file() or asked.read_text(encoding="utf-8") != wanted:
        session.run(str(programs / "python"), "-m", "pip", "install", "--quiet", *requirements(group), silent=True)
        asked.write_text(wanted, encoding="utf-8")
    return programs


def build(session: nox.Session, programs: Path, builder: str, *options: str) -> None:
    """Run Sphinx; every warning is an error, and all of them are shown."""
    output = SITE if builder == "html" else SITE.parent / builder
    doctrees = SITE.parent / "doctrees"
    strict = ("-W", "--keep-going", "-q")
    session.run(
        str(programs / "sphinx-build"), *strict, "-b", builder, "-d", str(doctrees), *options, "docs", str(output)
    )


@nox.session(venv_backend="none")
def docs(session: nox.Session) -> None:
    """Build the site: execute every example, fail on any drift or warning, say where the site is."""
    build(session, share(session, "site"), "html", *session.posargs)
    session.log(f"The site is at {(SITE / 'index.html').resolve().as_uri()}")


@nox.session(venv_backend="none")
def drift(session: nox.Session) -> None:
    """Execute the examples and report what differs from what is documented (exit code 1) or cannot be read (2)."""
    session.run(str(share(session, "site") / "tensor-atlas"), "drift", *session.posargs)


@nox.session(venv_backend="none")
def tests(session: nox.Session) -> None:
    """Run the test suite with pytest; arguments after -- go to pytest."""
    session.run(str(share(session, "tests") / "pytest"), *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style with ruff, and the workflows against their schema; `-- --fix` corrects what can be corrected."""
    session.install(*requirements("lint"))
    fix = "--fix" in session.posargs
    session.run("ruff", "check", *(["--fix"] if fix else []), ".")
    check = [] if fix else ["--check"]
    session.run("ruff", "format", *check, "src", "tests", "docs", "noxfile.py")
    session.run("ruff", "format", *check, *EXAMPLES_STYLE, "examples")
    workflows = sorted(str(path) for path in Path(".github/workflows").glob("*.yml"))
    session.run("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *workflows)


@nox.session(venv_backend="none")
def types(session: nox.Session) -> None:
    """Check types with mypy in strict mode, tests included."""
    session.run(str(share(session, "types") / "mypy"))


@nox.session
def record(session: nox.Session) -> None:
    """Record a torch release: `-- 2.13.0 [--numpy 2.4.6]`; without arguments the release the site is built with."""
    torch, numpy = _releases(session)
    if torch is None:
        session.run(str(share(session, "site") / "tensor-atlas"), "record", external=True)
        return
    session.install("--editable", ".", f"torch=={torch}", numpy)
    session.run("tensor-atlas", "record")


def _releases(session: nox.Session) -> tuple[str | None, str]:
    """Release of torch asked for, and a NumPy that fits it: releases up to 2.2 were built for NumPy 1."""
    arguments = list(session.posargs)
    numpy = None
    if "--numpy" in arguments:
        place = arguments.index("--numpy")
        if place + 1 == len(arguments):
            session.error("--numpy wants a release: nox -s record -- 2.6.0 --numpy 1.26.4")
        numpy = arguments[place + 1]
        del arguments[place : place + 2]
    if len(arguments) > 1 or (numpy and not arguments):
        session.error("name one torch release: nox -s record -- 2.6.0 [--numpy 1.26.4]")
    if not arguments:
        return None, "numpy"
    if numpy:
        return arguments[0], f"numpy=={numpy}"
    try:
        release = tuple(int(part) for part in arguments[0].split(".")[:2])
    except ValueError:
        session.error(f"{arguments[0]} is no torch release; write one such as 2.6.0")
    return arguments[0], "numpy<2" if release <= (2, 2) else "numpy"


@nox.session(venv_backend="none")
def serve(session: nox.Session) -> None:
    """Build the site, serve it on this machine only, and build again whenever an example or a page changes."""
    programs = share(session, "serve")
    watched = ["--watch", "examples", "--watch", "src"]
    ignored = ["--ignore", "docs/gallery/*", "--ignore", "docs/_build/*", "--ignore", "*.partial"]
    doctrees = ("-d", str(SITE.parent / "doctrees"))  # those of docs: what it has executed is not executed again
    session.run(str(programs / "sphinx-autobuild"), *watched, *ignored, *doctrees, "docs", str(SITE), *session.posargs)


@nox.session(venv_backend="none")
def linkcheck(session: nox.Session) -> None:
    """Ask every external link of the site whether it still answers; needs the network."""
    build(session, share(session, "site"), "linkcheck")


@nox.session
def browser(session: nox.Session) -> None:
    """Open the built site in Debian's Chromium and test what a reader sees; run docs first, and install chromium."""
    if not (SITE / "index.html").is_file():
        session.error("there is no site yet: nox -s docs")
    session.install(*requirements("browser"))
    session.run("pytest", "-o", "norecursedirs=.* cases", "tests/browser", *session.posargs)


@nox.session(venv_backend="none")
def clean(session: nox.Session) -> None:
    """Remove what builds leave behind: the site, the gallery's pages, caches."""
    for folder in ("docs/_build", "docs/gallery", ".mypy_cache", ".ruff_cache", ".pytest_cache"):
        shutil.rmtree(folder, ignore_errors=True)
        session.log(f"removed {folder}")
