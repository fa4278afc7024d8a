"""Every task of the project, each as `python -m nox -s NAME`; `python -m nox --list` names them."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import NoReturn

import nox

sys.path.insert(0, str(Path(__file__).with_name("src")))  # nox runs in an environment of its own

from tensor_atlas.checkout import releases
from tensor_atlas.checkout.releases import PATIENCE, folder_for, install_own, python_in, run_shared, share
from tensor_atlas.checkout.requests import Request, parse_request
from tensor_atlas.errors import BAD_INPUT
from tensor_atlas.examples.files import find_unknown_name

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "virtualenv"
nox.options.reuse_existing_virtualenvs = True
nox.options.sessions = ["unit", "lint", "types", "tests", "drift", "docs"]

SITE = Path("docs/_build/html")
EXAMPLES_STYLE = ("--line-length", "100")
PROCESSORS = os.cpu_count() or 1
# A test file to a processor.
SPREAD = ("--numprocesses", str(PROCESSORS), "--dist", "loadfile")
# One process more, where each waits for pages now and then.
MORE = ("--numprocesses", str(PROCESSORS + 1))


def read_request(session: nox.Session) -> Request:
    """What a session is asked for after `--`; what cannot be understood ends it."""
    try:
        return parse_request(session.name, session.posargs)
    except ValueError as error:
        session.error(str(error))


def refuse(session: nox.Session, what: str) -> NoReturn:
    """End a session with 2: nox makes 1 of every failure, and this is none of a run."""
    print(f"nox -s {session.name}: {what}", file=sys.stderr)
    raise SystemExit(BAD_INPUT)


def install_browser(session: nox.Session) -> None:
    """Install what reads the built site; without one, the session ends."""
    if not (SITE / "index.html").is_file():
        session.error("there is no site yet: nox -s docs")
    install_own(session, "browser")


@nox.session(venv_backend="none")
def docs(session: nox.Session) -> None:
    """Build the site: execute every example, fail on any drift or warning, say where the site is."""
    if unfit := releases.describe_unfit_system(os.name):  # before gigabytes are installed for nothing
        refuse(session, unfit)
    run_shared(session, "site", "tensor-atlas", "site", "-q", *session.posargs)
    session.log(f"The site is at {(SITE / 'index.html').resolve().as_uri()}")


@nox.session(venv_backend="none")
def drift(session: nox.Session) -> None:
    """Execute the examples; exit code 1 for what differs from the documentation, 2 for bad input."""
    run_shared(session, "site", "tensor-atlas", "drift", *session.posargs)


@nox.session
def unit(session: nox.Session) -> None:
    """Run the tests that need neither torch nor Sphinx, in an environment without them."""
    install_own(session, "unit")
    session.run("pytest", "--unit", *SPREAD, *session.posargs)


@nox.session(venv_backend="none")
def tests(session: nox.Session) -> None:
    """Run the test suite with pytest, without what is slow or an attack; arguments after -- go to pytest."""
    run_shared(session, "tests", "pytest", *SPREAD, *session.posargs)


@nox.session(venv_backend="none")
def slow(session: nox.Session) -> None:
    """Run the slow tests, such as every example and every memory map as plain Python runs them."""
    run_shared(session, "tests", "pytest", *SPREAD, "-m", "slow", *session.posargs)


@nox.session(venv_backend="none")
def attacks(session: nox.Session) -> None:
    """Attack probe, records and builds a few times.

    `-- --full` does so a hundred or twenty thousand times, and tries all that the slow tests sample.
    """
    arguments = [argument for argument in session.posargs if argument != "--full"]
    is_full = "--full" in session.posargs
    chosen = ("attack or sampled", "tests") if is_full else ("attack", "tests/attacks")
    often = {"TENSOR_ATLAS_ATTACKS": "full"} if is_full else {}
    run_shared(session, "tests", "pytest", *SPREAD, "-m", *chosen, *arguments, **often)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, workflows, forms, citation, spelling and prose; `-- --fix` corrects what it can."""
    install_own(session, "lint")
    fix = "--fix" in session.posargs
    session.run("ruff", "check", *(["--fix"] if fix else []), ".")
    check = [] if fix else ["--check"]
    session.run("ruff", "format", *check, "src", "tests", "docs", "noxfile.py")
    session.run("ruff", "format", *check, *EXAMPLES_STYLE, "examples")
    session.run("oxlint", *(["--fix"] if fix else []), "--config", ".oxlintrc.json", "--deny-warnings", "src")
    workflows = sorted(str(path) for path in Path(".github/workflows").glob("*.yml"))
    session.run("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *workflows)
    forms = sorted(str(path) for path in Path(".github/ISSUE_TEMPLATE").glob("*_*.yml"))
    session.run("check-jsonschema", "--builtin-schema", "vendor.github-issue-forms", *forms)
    session.run("check-jsonschema", "--builtin-schema", "vendor.dependabot", ".github/dependabot.yml")
    session.run("check-jsonschema", "--builtin-schema", "vendor.citation-file-format", "CITATION.cff")
    session.run("codespell", "docs", "examples", "src", "tests", "noxfile.py", "README.md", "CHANGELOG.md")
    session.run("python", "tests/check_prose.py")


@nox.session(venv_backend="none")
def types(session: nox.Session) -> None:
    """Check types with mypy in strict mode, tests included."""
    run_shared(session, "types", "mypy")


@nox.session(venv_backend="none")
def record(session: nox.Session) -> None:
    """Record torch releases: `-- 2.6.0 [--numpy 1.26.4]`, `-- newest`, `-- all`, `-- --from CAPTURE…`.

    `--report FILE`. `--only NAME…` runs these examples, and leaves all other records as they are.
    `--matrix` tries every cell of the matrix too. `--with pandas jax` installs these beside
    torch, for the examples that need them. Several releases may be named. `newest` is the newest that pip
    finds; `all` means every environment without an accelerator that was recorded with the Python that runs
    nox. Without a release, it is the one the site is built with. `--pre` keeps what a torch before its
    release changes, and records nothing.
    """
    asked = read_request(session)
    scripts = Path("examples").glob("*/*.py")
    unknown = find_unknown_name(asked.only, [f"{path.parent.name}/{path.stem}" for path in scripts])
    if unknown is not None:  # before gigabytes are installed for nothing
        refuse(session, f"no example {unknown[0]}: {unknown[1]}")
    releases.record(session, asked)


@nox.session(venv_backend="none")
def capture(session: nox.Session) -> None:
    """Run a torch release and keep the capture: `-- 2.6.0 -o FILE [--numpy 1.26.4] [--shard 2/8]`.

    Nothing is folded into docs/records: `nox -s record -- --from FILE…` does that, with all the shards of a
    run.
    """
    releases.capture(session, read_request(session))


@nox.session(venv_backend="none")
def look(session: nox.Session) -> None:
    """Name the releases of torch and NumPy that pip has and no record does; nothing is installed.

    `-- --everywhere` for other platforms too, `-- --cpu` for CPU builds, `-- 2.6.0` for one release wherever
    pip has it.
    """
    releases.run_module(session, sys.executable, "checkout.offers", *session.posargs)


@nox.session(venv_backend="none")
def replay(session: nox.Session) -> None:
    """Run a sample of what is recorded again: `-- --sample 200 [--release 2.6.0] [--seed 7] [--write]`.

    Fails where cells or statements are not as recorded. `--release` makes that release's environment anew;
    without it the sample is run where the site is built. `--write` keeps the day in docs/replays.toml.
    """
    releases.replay(session, read_request(session))


@nox.session(venv_backend="none")
def measure(session: nox.Session) -> None:
    """Time conversions for the figures and the guide, one after the other.

    `-- cuda` times transfers to a GPU. Leave the machine alone meanwhile.
    """
    device = "cuda" if "cuda" in session.posargs else "cpu"
    words = [argument for argument in session.posargs if argument != device]
    releases.measure(session, str(share(session, "site") / "python"), device, *words)


@nox.session
def bench(session: nox.Session) -> None:
    """Time the gate and the site against their peers, for the page on speed.

    `-- --full` with up to 2,000 examples. Leave the machine alone meanwhile. `-- --help` names the options.
    """
    install_own(session, "bench")
    work = folder_for("bench-work")
    command = ("python", "-m", "benchmarks", "--output", "docs/measurements", "--work", str(work))
    session.run(*command, *session.posargs, env={"PYTHONPATH": "tests"}, interrupt_timeout=PATIENCE)


@nox.session(venv_backend="none")
def gpu(session: nox.Session) -> None:
    """Record this machine's GPU, run the CUDA tests and the gate; exit code 2 where there is no CUDA device.

    `-- --python PYTHON` takes a torch that is installed already, `--measure` times transfers too, `--report
    FILE` writes what is new as Markdown. docs/contributing/gpu_builder.md has more.
    """
    if missing := releases.record_gpu(session, read_request(session)):
        refuse(session, missing)


@nox.session(venv_backend="none")
def serve(session: nox.Session) -> None:
    """Build the site, serve it on this machine, and show each change: prose within a second."""
    run_shared(session, "site", "python", "-m", "tensor_atlas.site.build.preview", *session.posargs)


@nox.session(venv_backend="none")
def linkcheck(session: nox.Session) -> None:
    """Ask every external link of the site whether it still answers; needs the network."""
    options = ("-W", "--keep-going", "-q", "--jobs", "auto", "-d", str(SITE.parent / "doctrees"))
    folders = ("docs", str(SITE.parent / "linkcheck"))
    run_shared(session, "site", "sphinx-build", *options, "-b", "linkcheck", *folders)


@nox.session
def browser(session: nox.Session) -> None:
    """Open the built site in Debian's Chromium and test what a reader sees.

    Run docs first, and install chromium. `-- --full` looks at all pages of which the tests draw a sample.
    """
    install_browser(session)
    # What the pages must show is read from the records: that needs the package's source, and no torch.
    # One test builds pages of its own, by what built the site.
    known = {"PYTHONPATH": "src", "TENSOR_ATLAS_PYTHON": python_in(folder_for("site"))}
    arguments = [argument for argument in session.posargs if argument != "--full"]
    known |= {"TENSOR_ATLAS_ATTACKS": "full"} if "--full" in session.posargs else {}
    has_path = any(Path(argument.partition("::")[0]).exists() for argument in arguments)
    tests = () if has_path else ("tests/browser",)
    pytest = ("pytest", "-o", "norecursedirs=.* cases", *MORE, "--dist", "worksteal")
    session.run(*pytest, *tests, *arguments, env=known)


@nox.session
def readers(session: nox.Session) -> None:
    """Try real pastes and questions in the built site's search; fail when fewer are answered.

    `-- --write` replaces the committed table, docs/measurements/readers.json.
    """
    install_browser(session)
    session.run("python", "tests/readers/run.py", *session.posargs)


@nox.session(venv_backend="none")
def clean(session: nox.Session) -> None:
    """Remove what builds leave behind: the site, the gallery's pages, caches."""
    for folder in ("docs/_build", "docs/gallery", ".mypy_cache", ".ruff_cache", ".pytest_cache"):
        shutil.rmtree(folder, ignore_errors=True)
        session.log(f"removed {folder}")
