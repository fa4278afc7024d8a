"""What the nox sessions run for a release, and what they leave behind; nothing is installed."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn, cast

import nox
import pytest
from nox.command import CommandFailed
from samples import ROOT

from tensor_atlas.checkout import releases
from tensor_atlas.checkout.requests import parse_request


class EndedError(Exception):
    """What a session is ended with."""


@dataclass
class Environment:
    """An environment of nox."""

    location: str


@dataclass
class Commands:
    """A session of nox that notes its commands, and runs none of them."""

    name: str
    failing: str = r"\0"
    """Pattern of the commands that fail."""
    seen: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    logged: list[str] = field(default_factory=list)
    constraints: set[str] = field(default_factory=set)
    """Lines of the last file that pip was to heed."""

    def run(self, *words: str, **_: object) -> str:
        """Note the command; write what the probe and the fold would write."""
        command = " ".join(words)
        self.seen.append(command)
        for option in ("-o", "--report"):
            if option in words:
                path = Path(words[words.index(option) + 1])
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(f"{command}\n", encoding="utf-8")
        if "--constraint" in words:
            text = Path(words[words.index("--constraint") + 1]).read_text(encoding="utf-8")
            self.constraints = set(text.splitlines())
        if "virtualenv" in words or "venv" in words:
            Path(releases.python_in(Path(words[-1]))).parent.mkdir(parents=True)
        if re.search(self.failing, command):
            raise CommandFailed("Command failed")
        return "torch==2.6.0+cpu\nNumPy==2.0.2\n" if "freeze" in words else ""

    def error(self, what: str) -> NoReturn:
        """End the session."""
        raise EndedError(what)

    def warn(self, what: str) -> None:
        """Note what is told."""
        self.warnings.append(what)

    def log(self, what: str) -> None:
        """Note what is said."""
        self.logged.append(what)

    def install(self, *words: str) -> None:
        """Note what pip is asked for."""
        self.seen.append(" ".join(words))

    @property
    def virtualenv(self) -> Environment:
        """The environment that nox made for the session."""
        return Environment(str(Path.cwd()))


@pytest.fixture(autouse=True)
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder with the releases of a few packages, in which the sessions run."""
    (tmp_path / "pyproject.toml").write_text("[project]\ndependencies = []\n", encoding="utf-8")
    (tmp_path / "constraints.txt").write_text("h5py==3.1\nnumpy==2.4.6\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(session: str, arguments: str, failing: str = r"\0") -> tuple[Commands, str | None]:
    """Commands of a session, and with which words it ended early; None where it did not."""
    commands = Commands(session, failing)
    do = {"record": releases.record, "capture": releases.capture, "replay": releases.replay}[session]
    try:
        do(cast("nox.Session", commands), parse_request(session, arguments.split()))
    except EndedError as error:
        return commands, str(error)
    return commands, None


def left(checkout: Path) -> list[str]:
    """What is in the folder of nox's environments."""
    return sorted(path.name for path in (checkout / ".nox").glob("*"))


def test_environment_is_removed_whatever_happens(checkout: Path) -> None:
    """With the cause of the failure; what a session that was killed left there is removed before."""
    folder = checkout / ".nox" / "capture-torch-2.6.0-numpy"
    causes = {
        "virtualenv": "no environment could be made",
        "pip install": "pip could not install it",
        "tensor_atlas.probe": "the probe could not run",
    }
    for command, cause in causes.items():
        folder.mkdir(parents=True)
        _, ended = run("capture", "2.6.0 -o c.json", command)
        assert ended == f"torch==2.6.0 numpy: {cause}, docs/records is as it was"
        assert not folder.exists()
    commands, ended = run("capture", "2.6.0 -o c.json --shard 2/8")
    assert ended is None
    assert commands.seen[-1].endswith(f"-m tensor_atlas.probe examples --shard 2/8 -o {checkout / 'c.json'}")
    assert left(checkout) == []


def test_capture_is_kept_until_it_is_folded_in(checkout: Path) -> None:
    """Other releases are recorded, and what to do is said at the end."""
    commands, ended = run("record", "2.6.0 2.7.0", "--from .*2.6.0")
    again = "nox -s record -- --from .nox/record-torch-2.6.0-numpy.json"
    assert ended == (
        f"not recorded: torch==2.6.0 numpy (could not be folded in, try again: {again}: see above)"
    )
    assert left(checkout) == ["record-torch-2.6.0-numpy.json"]
    assert sum("tensor_atlas.cli record --from" in said for said in commands.seen) == 2


def test_reports_of_several_releases_are_one_file(checkout: Path) -> None:
    """In the order of the releases; what an earlier session wrote there is gone."""
    report = checkout / "report.md"
    report.write_text("earlier\n", encoding="utf-8")
    assert run("record", "2.6.0 2.7.0 --report report.md")[1] is None
    lines = report.read_text(encoding="utf-8").splitlines()
    assert [line.partition(".json")[0].rpartition("/")[2] for line in lines] == [
        "record-torch-2.6.0-numpy",
        "record-torch-2.7.0-numpy",
    ]
    commands, ended = run("record", "2.6.0 --report no/folder.md")
    assert ended is not None
    assert ended.startswith("no/folder.md cannot be written (No such file or directory): name a file")
    assert commands.seen == []


def test_libraries_are_held_to_one_release_but_for_what_is_installed() -> None:
    """One that does not fit is told, and keeps the release from nothing."""
    commands, ended = run("capture", "2.6.0 -o c.json --with h5py cupy", "cupy$")
    assert ended is None
    assert commands.warnings == ["cupy does not fit: the examples that need it are recorded as not run"]
    assert commands.constraints == {"NumPy==2.0.2", "h5py==3.1", "torch==2.6.0+cpu"}
    assert "tensor_atlas.probe" in commands.seen[-1]


def test_replay_of_a_release_leaves_the_others_alone(checkout: Path) -> None:
    """A sample that is not as recorded fails the session at its end."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}.1"
    recorded = [
        {"torch": torch, "numpy": "2.0.2", "python": version, "device": "cpu"}
        for torch in ("2.6.0+cpu", "2.7.0+cpu")
    ]
    path = checkout / releases.ENVIRONMENTS
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"environments": recorded}), encoding="utf-8")
    commands, ended = run("replay", "--release 2.7.0 --write", "cli replay")
    assert ended == "not replayed: torch==2.7.0 numpy==2.0.2 (Command failed: see above)"
    assert next(said for said in commands.seen if "torch==" in said).endswith("torch==2.7.0 numpy==2.0.2")
    assert commands.seen[-1].endswith("replay.json --write")
    assert not any("2.6.0" in said for said in commands.seen)


def test_replay_of_a_release_without_a_record_fails(checkout: Path) -> None:
    """It would compare nothing, and installs nothing."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}.1"
    path = checkout / releases.ENVIRONMENTS
    path.parent.mkdir(parents=True)
    path.write_text(
        json.dumps(
            {"environments": [{"torch": "2.6.0+cpu", "numpy": "2.0.2", "python": version, "device": "cpu"}]}
        ),
        encoding="utf-8",
    )
    commands, ended = run("replay", "--release 2.7.0")
    assert ended == "no record of torch 2.7.0 with this Python: nothing to run again"
    assert commands.seen == []


def test_shared_environment_asks_pip_when_a_requirement_has_changed(checkout: Path) -> None:
    """And not before every command."""
    groups = "[dependency-groups]\nsite = ['torch']\n"
    (checkout / "pyproject.toml").write_text(groups, encoding="utf-8")
    commands = Commands("drift")
    session = cast("nox.Session", commands)
    for _ in range(2):
        releases.run_shared(session, "site", "tensor-atlas", "drift")
    assert [said.split()[-1] for said in commands.seen[1:]] == ["torch", "drift", "drift"]
    (checkout / "constraints.txt").write_text("torch==2.14.0\n", encoding="utf-8")
    releases.run_shared(session, "site", "tensor-atlas", "drift")
    assert [said.partition(" install ")[2].split()[0] for said in commands.seen if "pip install" in said] == [
        "--constraint",
        "--quiet",
    ]
    assert commands.logged == [releases.FIRST]


def test_own_environment_of_a_session_needs_no_network_again(checkout: Path) -> None:
    """pip, which would ask for the newest build tools, is left alone until a requirement has changed."""
    groups = "[dependency-groups]\nlint = ['ruff']\n"
    (checkout / "pyproject.toml").write_text(groups, encoding="utf-8")
    commands = Commands("lint")
    for _ in range(2):
        releases.install_own(cast("nox.Session", commands), "lint")
    assert [said.split()[-1] for said in commands.seen] == ["ruff"]
    (checkout / "constraints.txt").write_text("ruff==1\n", encoding="utf-8")
    releases.install_own(cast("nox.Session", commands), "lint")
    assert len(commands.seen) == 2


def test_interrupted_recording_leaves_no_report(checkout: Path) -> None:
    """Neither an empty one nor an earlier one, which would be taken for its own."""
    (checkout / "report.md").write_text("earlier\n", encoding="utf-8")
    run("record", "2.6.0 --report report.md", "tensor_atlas.probe")
    assert list(checkout.glob("*.md")) == []


def test_windows_is_told_before_anything_is_installed() -> None:
    """In one sentence; Linux and macOS are told nothing."""
    assert releases.describe_unfit_system("nt").startswith("the site needs Linux or macOS")
    assert releases.describe_unfit_system("posix") == ""
    text = (ROOT / "noxfile.py").read_text(encoding="utf-8")
    docs = text.partition("def docs(")[2].partition("@nox.session")[0]
    assert 0 < docs.index("describe_unfit_system(os.name)") < docs.index("run_shared")


def test_preview_comes_from_the_index_that_a_variable_names(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pip may take what is not released; the records are never written."""
    monkeypatch.setenv(releases.PRE_INDEX, "https://example.org/nightly")
    commands, ended = run("record", "--pre")
    assert ended is None
    (pip,) = (said for said in commands.seen if "pip install" in said)
    assert pip.endswith("--pre torch numpy --extra-index-url https://example.org/nightly")
    assert commands.seen[-1].endswith(
        f"-m tensor_atlas.cli record --from {checkout}/.nox/record-preview.json --preview"
    )
    assert left(checkout) == []
    assert run("record", "--pre", "pip install")[1] == (
        "no preview: pip could not install it, docs/records is as it was"
    )
