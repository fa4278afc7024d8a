"""Scripts rebuilt from public reports on lost or altered output: the probe sees what a terminal shows.

Each file of tests/cases/reported names the report, and what went wrong there.
"""

from __future__ import annotations

import ast
import contextlib
import difflib
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tty
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from samples import CASES

from tensor_atlas.examples.files import read_examples
from tensor_atlas.model.runs import AFTER, Observation, Run, Status, Warned
from tensor_atlas.probe.forkserver import fork_server
from tensor_atlas.probe.output import normalise
from tensor_atlas.probe.runner import run_examples
from tensor_atlas.probe.sandbox import kept_variables

NAMES = sorted(path.stem for path in (CASES / "reported").glob("*.py"))
AS_A_READER_HAS = {"PYTHONIOENCODING": "utf-8:strict", "PYTHON_COLORS": "0"}
"""Variables for what Python takes from the language of a terminal, and for tracebacks without colours."""
BLANKS = r"[^\S\n]*"
END = rf"{BLANKS}\n?"
"""What an observation lacks: blanks at its end, and the last line end."""

LATER = {"c_and_python_in_turn": ("between\nbegun by C, ", "begun by C, between\n")}
"""Where C keeps back a line that it has not ended: as written, and as observed with the statement."""


@dataclass(frozen=True)
class Plain:
    """What ``python script.py`` wrote on a terminal."""

    code: int
    """Exit code."""
    stdout: str
    """Normalised."""
    stderr: str
    """Normalised: warnings, tracebacks and all else."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A checkout that holds the scripts; the working directory."""
    root = tmp_path_factory.mktemp("reported").resolve() / "checkout"
    shutil.copytree(CASES / "reported", root / "examples" / "reported")
    with contextlib.chdir(root):
        yield root


@pytest.fixture(scope="module")
def runs(folder: Path) -> Mapping[str, Run]:
    """Run of each script, as the probe observes it."""
    examples = read_examples([folder / "examples"], folder)
    with fork_server() as server:
        return {run.example.split("/")[1]: run for run, _ in run_examples(examples, 2, lambda _: 60, server)}


@pytest.fixture(scope="module", autouse=True)
def interruptible() -> Iterator[None]:
    """Children that can be interrupted, as on a terminal: a shell's background jobs ignore SIGINT."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def plain_runs(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Plain]:
    """What a reader sees who runs each script in an empty folder."""
    folders = [tmp_path_factory.mktemp(name).resolve() for name in NAMES]
    scripts = [folder / "examples" / "reported" / f"{name}.py" for name in NAMES]
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(NAMES, pool.map(run_on_terminals, scripts, folders), strict=True))


def run_on_terminals(script: Path, work: Path) -> Plain:
    """Result of ``python script``, whose standard output and standard error are a terminal each.

    Every warning is shown, as on the pages.
    """
    command = [sys.executable, "-W", "always", str(script)]
    with contextlib.ExitStack() as stack, ThreadPoolExecutor(2) as readers:
        terminals = [open_terminal(stack) for _ in range(2)]
        texts = [readers.submit(read_all, ours) for ours, _ in terminals]
        process = subprocess.Popen(
            command,
            cwd=work,
            env={**kept_variables(), **AS_A_READER_HAS},
            stdin=subprocess.DEVNULL,
            stdout=terminals[0][1],
            stderr=terminals[1][1],
        )
        stack.callback(process.kill)
        for _, theirs in terminals:
            os.close(theirs)
        code = process.wait(60)
        words = {
            sysconfig.get_paths()["stdlib"]: "lib",
            str(script.parents[1]): "examples",
            str(work): ".",
            sys.executable: "python",
        }
        stdout, stderr = (normalise(text.result(60), words) for text in texts)
    return Plain(code, stdout, stderr)


def open_terminal(stack: contextlib.ExitStack) -> tuple[int, int]:
    """Both ends of a terminal that passes on each byte as it is; ``stack`` closes the first."""
    ours, theirs = pty.openpty()
    stack.callback(os.close, ours)
    tty.setraw(theirs)
    return ours, theirs


def read_all(ours: int) -> str:
    """All that is written to a terminal until nobody has it open."""
    parts: list[bytes] = []
    with contextlib.suppress(OSError):  # what Linux says then
        while part := os.read(ours, 65_536):
            parts.append(part)
    return b"".join(parts).decode(errors="backslashreplace")


@pytest.mark.parametrize("name", NAMES)
def test_probe_sees_what_a_terminal_shows(
    name: str, runs: Mapping[str, Run], plain_runs: Mapping[str, Plain]
) -> None:
    """Output, warnings, errors and exit code of the whole script, in their order."""
    run, plain = runs[name], plain_runs[name]
    seen = [*run.observations, run.late or Observation(AFTER)]
    stdout = plain.stdout.replace(*LATER[name]) if name in LATER else plain.stdout
    assert find_difference([one.stdout for one in seen], stdout) == ""
    written = take_warnings([warned for one in seen for warned in one.warnings], plain.stderr)
    assert find_difference([*list_on_stderr(seen)], written) == ""
    assert exit_code(run) == plain.code


def take_warnings(warned: Iterable[Warned], stderr: str) -> str:
    """``stderr`` without these warnings, each with its place and source; the first that it lacks stays."""
    start = 0
    for one in warned:
        place, source = r"^\S[^\n]*:\d+", r"(?:  .*\n|\Z)?"
        traced = rf"(?:{one.category}: Enable tracemalloc .*\n?)?"
        text = rf"{one.category}: {re.escape(one.message)}\n"
        pattern = re.compile(f"{place}: {text}{source}{traced}", re.MULTILINE)
        found = pattern.search(f"{stderr}\n", start)
        if found is None:
            return f"{stderr}\nno warning {one}"
        stderr, start = stderr[: found.start()] + stderr[found.end() :], found.start()
    return stderr


def list_on_stderr(seen: Iterable[Observation]) -> Iterator[str]:
    """What standard error holds beside warnings, by statement."""
    for one in seen:
        yield one.stderr
        if one.raised is not None:
            yield "\n".join(one.raised.traceback)


def find_difference(pieces: Sequence[str], text: str) -> str:
    """How ``text`` differs from the pieces one after the other; else nothing.

    An observation has no blanks at its end and lacks its last line end.
    """
    if re.fullmatch("".join(map(spell, pieces)), text):
        return ""
    lines = "\n".join(filter(None, pieces)).split("\n")
    return "\n".join(difflib.unified_diff(text.split("\n"), lines, "written", "observed", lineterm=""))


def spell(piece: str) -> str:
    """Pattern of what was written where this was observed: what exceeds the limit is counted."""
    cut = re.fullmatch(r"(?s)(.*)\n\[(\d+) more bytes\]", piece)
    if cut:
        return rf"{re.escape(cut[1])}[\s\S]{{{cut[2]}}}"
    return re.escape(piece) + (END if piece else BLANKS)


def exit_code(run: Run) -> int:
    """Exit code of a script that ends as a run says."""
    if run.status is Status.CRASHED:
        return -signal.Signals[run.reason].value
    if run.status is Status.EXITED:
        left = re.fullmatch(r"sys\.exit\((.*)\)", run.reason)
        code = ast.literal_eval(left[1]) if left else None
        return code if isinstance(code, int) else int(code is not None)
    return int(run.status is Status.RAISED)
