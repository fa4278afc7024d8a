"""Files that the user may not read: one message and exit code 2, never a traceback or "drift"."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from samples import captured, project, ran, write_example

from tensor_atlas import cli
from tensor_atlas.checkout import cache
from tensor_atlas.probe.capture import write_capture

PR_CAPBSET_DROP = 24
"""Number of prctl(2): what a program that is started may not be allowed to do."""
CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 1, 2
"""By these root reads every file."""
CODE = "print(1)\n# => 1\n"
DENIED = "cannot be read: Permission denied"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs prctl")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Checkout with one recorded example, and a capture of it."""
    made = project(tmp_path_factory.mktemp("unreadable") / "checkout")
    write_capture(captured(ran(write_example(made, CODE), "1")), made / "capture.json")
    (made / "docs" / "deviations.toml").touch()
    assert call(made, "record --from capture.json").returncode == 0
    assert call(made, "drift").returncode == 0
    return made


@pytest.fixture
def locked(root: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A file of the checkout that nobody may read."""
    path = root / request.param
    mode = path.stat().st_mode
    path.chmod(0)
    yield path
    path.chmod(mode)


def call(root: Path, command: str) -> subprocess.CompletedProcess[str]:
    """How the command ends for a user whom the modes of files bind."""
    arguments = [sys.executable, "-m", "tensor_atlas.cli", *command.split()]
    return subprocess.run(
        arguments, cwd=root, preexec_fn=obey_modes, capture_output=True, text=True, check=False, timeout=120
    )


def obey_modes() -> None:
    """Let root, too, be refused what the mode of a file forbids."""
    for right in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
        ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, right, 0, 0, 0)


@pytest.mark.parametrize(
    ("locked", "command"),
    [
        ("examples/01_x/a.py", "drift"),
        ("docs/records/01_x/a.json", "drift"),
        ("docs/records", "record --check"),
        ("docs/records/environments.json", "drift --from capture.json"),
        ("pyproject.toml", "drift"),
        ("pyproject.toml", "site"),
        ("docs/deviations.toml", "drift"),
        ("capture.json", "drift --from capture.json"),
        ("capture.json", "site"),
    ],
    indirect=["locked"],
)
def test_unreadable_file_is_one_message(locked: Path, command: str, root: Path) -> None:
    """It names the file; exit code 1 would mean drift."""
    done = call(root, command)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stderr
    assert done.stderr.count(DENIED) == 1
    assert locked.name in done.stderr


def test_unreadable_cache_is_written_anew(root: Path) -> None:
    """Nothing rests on it."""
    paths = [root / "docs" / "_build" / "cache" / f"{name}.json" for name in ("capture", "keys", "report")]
    for path in paths:
        path.chmod(0)
    assert call(root, "drift").returncode == 0


@pytest.mark.parametrize("name", ["deviations", "gaps"])
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("nowhere")])
def test_exceptions_that_are_no_file_are_one_message(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    make: Callable[[Path], None],
) -> None:
    """They must not count as none."""
    made = project(tmp_path / "checkout", "good/01_observe/language.py")
    make(made / "docs" / f"{name}.toml")
    monkeypatch.chdir(made)
    assert cli.main(["drift", "--all"]) == 2
    first, _ = capsys.readouterr().err.split("\n", 1)
    assert first == f"tensor-atlas: docs/{name}.toml  not a regular file"


@pytest.mark.parametrize("content", [b"\xff\xfe\0", b"gitdir: \xff\xfe", b"gitdir: .git", b""])
def test_garbage_for_a_repository_has_no_commit(tmp_path: Path, content: bytes) -> None:
    """Whatever git says of it: a site needs none."""
    (tmp_path / ".git").write_bytes(content)
    assert cache.read_commit(tmp_path) == ""
    (tmp_path / "docs").mkdir()
    assert cli.site_key(tmp_path, [])
