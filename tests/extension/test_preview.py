"""The preview: what a writer changes is on the page at once, and whatever else changes is built again."""

from __future__ import annotations

import functools
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from samples import ROOT
from tiny_project import Tiny, tiny

SECONDS = 300
"""How long a build may take on a busy machine; one that fails ends the wait at once."""


class Preview:
    """A running preview of a tiny checkout."""

    def __init__(self, made: Tiny, log: Path) -> None:
        self.made, self._log = made, log
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        command = [sys.executable, "-m", "tensor_atlas.site.build.preview", "--port", "0"]
        # A shell that runs the tests in the background ignores Ctrl-C, and so does what they start.
        heed = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
        with log.open("w", encoding="utf-8") as output:
            self.process = subprocess.Popen(
                command,
                cwd=made.root,
                env=environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
                preexec_fn=heed,  # noqa: PLW1509
            )
        self.wait_for("The preview is up to date.")
        self.address = self.said.partition("http://")[2].partition(";")[0]

    @property
    def said(self) -> str:
        """All that it has printed."""
        return self._log.read_text(encoding="utf-8")

    def wait_for(self, words: str, times: int = 1) -> None:
        """Wait until it has printed some words that often."""
        end = time.monotonic() + SECONDS
        while self.said.count(words) < times:
            assert time.monotonic() < end, self.said
            assert self.process.poll() is None, self.said
            time.sleep(0.05)

    def read(self, name: str) -> str:
        """A page as a browser gets it."""
        with urllib.request.urlopen(f"http://{self.address}/{name}", timeout=SECONDS) as answer:
            return bytes(answer.read()).decode()


@pytest.fixture
def preview(tmp_path: Path, executed: Path) -> Iterator[Preview]:
    """The preview of a tiny checkout, built."""
    running = Preview(tiny(tmp_path / "tiny", executed), tmp_path / "log")
    yield running
    os.killpg(running.process.pid, signal.SIGINT)
    assert running.process.wait(SECONDS) == 130
    assert "Traceback" not in running.said


def replace_text(made: Tiny, name: str, before: str, after: str) -> None:
    """Replace words of a file."""
    text = (made.root / name).read_text(encoding="utf-8")
    assert before in text
    made.write(name, text.replace(before, after))


def test_prose_is_shown_without_building_everything(preview: Preview) -> None:
    """Of a page, of an example, and of an example that could not be read in between."""
    replace_text(preview.made, "docs/index.rst", "Answer", "A new answer")
    preview.wait_for("Written again: index.rst")
    assert "A new answer" in preview.read("index.html")
    script, page = "examples/01_x/shares.py", "gallery/01_x/shares.html"
    replace_text(preview.made, script, "# Text.", "# A sentence that is new.")
    preview.wait_for("Written again: shares.py")
    assert "A sentence that is new." in preview.read(page)
    replace_text(preview.made, script, "array = np.zeros(2)", "array = (")
    preview.wait_for(f"{script}:")
    replace_text(preview.made, script, "array = (", "array = np.zeros(2)")
    preview.wait_for("Written again: shares.py", times=2)
    assert "A sentence that is new." in preview.read("gallery/01_x/shares.html")
    assert preview.said.count("up to date") == 1


def test_code_is_executed_again_by_a_new_build(preview: Preview) -> None:
    """The page shows what the code does now."""
    replace_text(preview.made, "examples/01_x/shares.py", "tensor[0] = 5", "tensor[1] = 7")
    replace_text(preview.made, "examples/01_x/shares.py", "# => [5. 0.]", "# => [0. 7.]")
    preview.wait_for("up to date", times=2)
    assert "[0. 7.]" in preview.read("gallery/01_x/shares.html")


def test_fault_of_a_table_is_said_and_can_be_mended(preview: Preview) -> None:
    """The preview waits for the mended file, and builds it."""
    replace_text(preview.made, "docs/decisions.toml", "want =", "wants =")
    preview.wait_for("docs/decisions.toml:")
    replace_text(preview.made, "docs/decisions.toml", "wants =", "want =")
    preview.wait_for("up to date", times=2)


def test_page_reloads_itself_and_other_files_come_as_they_are(preview: Preview) -> None:
    """The script that reloads is in what is sent, not in the site."""
    assert "location.reload()" in preview.read("")
    site = preview.made.root / "docs" / "_build" / "html"
    assert "location.reload()" not in (site / "index.html").read_text(encoding="utf-8")
    name = "_static/basic.css"
    assert preview.read(name) == (site / name).read_text(encoding="utf-8")


def start_on(folder: Path, port: str) -> subprocess.CompletedProcess[str]:
    """The command in a folder, where it cannot begin."""
    command = [sys.executable, "-m", "tensor_atlas.site.build.preview", "--port", port]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_port_that_is_taken_is_one_message(tmp_path: Path) -> None:
    """With the port and what to do, and exit code 2; one that cannot be, too."""
    (tmp_path / "examples").mkdir()
    (tmp_path / "pyproject.toml").touch()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for port in (str(taken.getsockname()[1]), "99999"):
            done = start_on(tmp_path, port)
            assert done.returncode == 2
            assert f"cannot listen on port {port}: " in done.stderr
            assert "Traceback" not in done.stderr


def test_folder_outside_a_checkout_is_one_message(tmp_path: Path) -> None:
    """Nothing is made there."""
    done = start_on(tmp_path, "0")
    assert (done.returncode, list(tmp_path.iterdir())) == (2, [])
    assert "not inside a checkout" in done.stderr
