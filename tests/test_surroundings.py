"""Commands whose caller leaves them little memory, or ignores signals: a message, never a traceback."""

from __future__ import annotations

import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from samples import project, write_example

MEGABYTE = 2**20


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Checkout with one example, whose claim holds."""
    made = project(tmp_path_factory.mktemp("surroundings") / "checkout")
    write_example(made, "import torch\n\nprint(torch.ones(1))\n# => tensor([1.])\n")
    return made


def drift(root: Path, begin: Callable[[], object]) -> subprocess.CompletedProcess[str]:
    """How the gate ends that runs everything, in a process that calls ``begin`` first."""
    command = [sys.executable, "-m", "tensor_atlas.cli", "drift", "--again"]
    return subprocess.run(
        command, cwd=root, preexec_fn=begin, capture_output=True, text=True, check=False, timeout=300
    )


def limit_memory(megabytes: int) -> None:
    """Bound the address space of this process, and of all that it starts."""
    resource.setrlimit(resource.RLIMIT_AS, (megabytes * MEGABYTE, megabytes * MEGABYTE))


def ignore_children() -> None:
    """Ask the system to forget children that have ended, as some supervisors do."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)


def test_little_address_space_is_told_without_a_traceback(root: Path) -> None:
    """Torch alone maps more than 300 MB; that it cannot be imported is no drift."""
    done = drift(root, partial(limit_memory, 300))
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "python -c 'import torch, numpy'" in done.stderr


def test_ignored_children_change_nothing(root: Path) -> None:
    """Neither a claim that holds nor the exit code of a probe that fails."""
    assert drift(root, ignore_children).returncode == 0

    def begin() -> None:
        ignore_children()
        limit_memory(300)

    done = drift(root, begin)
    assert done.returncode == 2
    assert "probe  ended with exit code 2" in done.stderr
