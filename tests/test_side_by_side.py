"""Commands side by side, and killed at any moment: no message is false, and nothing recorded is lost.

``nox -s slow`` tries a few rounds; with TENSOR_ATLAS_ATTACKS=full there are hundreds. Commands are forked
from a process that has imported what they need.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from attacks_count import chances, times
from samples import CPU, ROOT, captured, example, observed, project
from tiny_project import CONF

from tensor_atlas import cli
from tensor_atlas.checkout.project import BUSY
from tensor_atlas.model.runs import Observation, Raised
from tensor_atlas.probe.capture import write_capture
from tensor_atlas.records import store

pytestmark = pytest.mark.slow

NAMES = "abcdefgh"
READERS = (["record", "--check"], ["export"], ["drift", "--all"])
HINTS = (BUSY, cli.WAITING, "tensor-atlas: the site is up to date")
"""What a command may say beside its result: it waits, or has nothing to do."""


@dataclass(frozen=True)
class Started:
    """A command that is running."""

    process: int
    output: Path
    """File of its standard output."""
    errors: Path
    """File of what it says beside it."""

    def finish(self) -> tuple[int, str, list[str]]:
        """Exit code, output, and what it said, without hints; a negative code is a signal."""
        _, status = os.waitpid(self.process, 0)
        said = self.errors.read_text(encoding="utf-8").splitlines()
        text = self.output.read_text(encoding="utf-8")
        return os.waitstatus_to_exitcode(status), text, [line for line in said if line not in HINTS]

    def kill(self) -> None:
        """End it, and what it has started, by a signal that nobody can catch."""
        os.killpg(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)


def start(arguments: Sequence[str], place: Path) -> Started:
    """A command in a process group of its own, in the working directory; ``place`` holds what it writes."""
    output, errors = place.with_suffix(".out"), place.with_suffix(".err")
    process = os.fork()
    os.setpgid(process, process)  # in both: whichever comes first
    if process:
        return Started(process, output, errors)
    for descriptor, path in ((1, output), (2, errors)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), descriptor)
    sys.stdout, sys.stderr = (open(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))  # noqa: SIM115
    code = 70
    try:
        code = cli.main(list(arguments))
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Project with two captures of one environment; the working directory."""
    for name in ("tensor_atlas.commands", "tensor_atlas.site.extension", "sphinx.cmd.build"):
        importlib.import_module(name)
    root = project(tmp_path / "checkout")
    (root / "examples/01_x").mkdir(parents=True)
    (root / "examples/GALLERY_HEADER.rst").write_text("Examples\n========\n", encoding="utf-8")
    (root / "examples/01_x/GALLERY_HEADER.rst").write_text("Chapter\n-------\n", encoding="utf-8")
    examples = [example("# %%\n# Text.\n\nprint(1)\n# => 1\n", f"examples/01_x/{name}.py") for name in NAMES]
    for what in examples:
        (root / what.path).write_text(what.source, encoding="utf-8")
    for number in (1, 2):
        seen = Observation("print(1)", "1", caught=(Raised("ValueError", f"{number} " * 2000),))
        runs = (observed(what, seen) for what in examples)
        write_capture(captured(*runs), root / f"{number}.json")
    monkeypatch.chdir(root)
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    return root


def run(arguments: Sequence[str], place: Path) -> tuple[int, str, list[str]]:
    """What a command says that runs alone."""
    return start(arguments, place).finish()


@pytest.mark.usefixtures("checkout")
def test_readers_beside_a_writer_see_one_generation(tmp_path: Path) -> None:
    """Each says what it says when nobody writes, of the older records or of the newer."""
    quiet: dict[int, list[tuple[int, str, list[str]]]] = {}
    for number in (1, 2):
        assert run(["record", "--from", f"{number}.json"], tmp_path / "writer")[::2] == (0, [])
        for index, command in enumerate(READERS):
            quiet.setdefault(index, []).append(run(command, tmp_path / "quiet"))
    assert quiet[1][0] != quiet[1][1]
    count, waited = times(5, 200), 0
    for turn in range(count):
        writer = start(["record", "--from", f"{turn % 2 + 1}.json"], tmp_path / "writer")
        readers = [start(command, tmp_path / f"reader{index}") for index, command in enumerate(READERS)]
        code, _, said = writer.finish()
        assert (code, said) == (0, []), turn
        for index, reader in enumerate(readers):
            assert reader.finish() in quiet[index], (turn, READERS[index])
            waited += BUSY in reader.errors.read_text(encoding="utf-8")
    print(f"{count} rounds, {count * len(READERS)} readers, {waited} waited for more than a second")


def test_record_may_be_killed_beside_readers(checkout: Path, tmp_path: Path) -> None:
    """What is there stays whole, and the next one goes on."""
    began = time.monotonic()
    assert run(["record", "--from", "1.json"], tmp_path / "writer")[::2] == (0, [])
    usual = time.monotonic() - began
    quiet = run(["record", "--check"], tmp_path / "quiet")
    chance, count, killed = chances(), times(5, 100), 0
    for turn in range(count):
        writer = start(["record", "--from", f"{turn % 2 + 1}.json"], tmp_path / "writer")
        time.sleep(chance.uniform(0, usual))
        writer.kill()
        killed += not writer.output.read_text(encoding="utf-8")
        assert run(["record", "--check"], tmp_path / "reader") == quiet, turn
        found = store.read_records(checkout / "docs/records")
        assert sorted(found.records) == [f"01_x/{name}" for name in NAMES]
        assert all(CPU.id in record.runs for record in found.records.values())
    assert run(["record", "--from", "1.json"], tmp_path / "writer")[::2] == (0, [])
    found = store.read_records(checkout / "docs/records")
    assert {run.observations[0].caught[0].message[0] for run in found.runs(CPU.id).values()} == {"1"}
    print(f"{count} kills, {killed} of them before anything was said")


# --- the site ----------------------------------------------------------------------------------


@pytest.fixture
def site(checkout: Path, tmp_path: Path) -> Path:
    """The checkout with a site, built once; its records are of no machine here."""
    for path in checkout.glob("*.json"):
        path.unlink()
    (checkout / "docs/conf.py").write_text(CONF, encoding="utf-8")
    change(checkout, 0)
    assert run(["site", "-q"], tmp_path / "first")[0] == 0
    return checkout


def change(root: Path, turn: int) -> None:
    """Write another first page, so that there is something to build."""
    text = f"Tiny\n====\n\nTurn {turn}.\n\n.. toctree::\n\n   gallery/index\n"
    (root / "docs/index.rst").write_text(text, encoding="utf-8")


def assert_built(root: Path, turn: int) -> None:
    """Every page is there, the first one as it was written last."""
    html = root / "docs/_build/html"
    assert f"Turn {turn}." in (html / "index.html").read_text(encoding="utf-8")
    for name in NAMES:
        page = (html / f"gallery/01_x/{name}.html").read_text(encoding="utf-8")
        assert "atlas-captured" in page
        assert page.rstrip().endswith("</html>")


def test_two_sites_at_once_build_one_after_the_other(site: Path, tmp_path: Path) -> None:
    """Neither fails, and the site is the newest."""
    count, waited = times(2, 50), 0
    for turn in range(1, count + 1):
        change(site, turn)
        both = [start(["site", "-q"], tmp_path / f"site{index}") for index in (0, 1)]
        for one in both:
            code, _, said = one.finish()
            assert (code, said) == (0, []), turn
            waited += cli.WAITING in one.errors.read_text(encoding="utf-8")
        assert_built(site, turn)
    print(f"{count} rounds of two, {waited} waited")


def test_site_may_be_killed_at_any_moment(site: Path, tmp_path: Path) -> None:
    """The next one succeeds."""
    chance, count = chances(), times(3, 100)
    change(site, 0)
    began = time.monotonic()
    assert run(["site", "-q", "-E"], tmp_path / "usual")[0] == 0
    usual = time.monotonic() - began
    for turn in range(1, count + 1):
        change(site, turn)
        one = start(["site", "-q"], tmp_path / "killed")
        time.sleep(chance.uniform(0, usual))
        one.kill()
    code, _, said = run(["site", "-q"], tmp_path / "last")
    assert (code, said) == (0, [])
    assert_built(site, count)
    print(f"{count} kills of a build of {usual:.1f} s")
