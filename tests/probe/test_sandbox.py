"""What of the caller's surroundings an example sees: a list of variables, and no name of a place."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import python, write_example

from tensor_atlas.model.runs import Run, Status
from tensor_atlas.records.store import read_capture

SHOWN = """import os
import pathlib
import subprocess
import sys
import tempfile

import torch

print(pathlib.Path.cwd(), pathlib.Path.home().resolve(), pathlib.Path(tempfile.gettempdir()).resolve())
print([name for name in os.environ if name.endswith("KEY")])
print({"embedding", "head", "weights"}, hash("a"))
print(subprocess.run([sys.executable, "-c", "print('é')"], capture_output=True))
print(torch.compile(lambda x: x + 1, backend="eager")(torch.ones(1)))
"""


def run_beside_links(folder: Path, **variables: str) -> Run:
    """Run of an example that prints its surroundings, where HOME and TMPDIR are links."""
    for name in ("home", "tmp"):
        (folder / f"real-{name}").mkdir()
        (folder / name).symlink_to(f"real-{name}")
    write_example(folder, SHOWN)
    places = {"HOME": str(folder / "home"), "TMPDIR": str(folder / "tmp")}
    done = python(folder, "-m", "tensor_atlas.probe", "examples", "-o", "c.json", **places, **variables)
    assert done.returncode == 0, done.stderr
    (run,) = read_capture(folder / "c.json").runs
    assert run.status is Status.COMPLETED
    return run


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The run without a variable more."""
    return run_beside_links(tmp_path_factory.mktemp("plain"))


def test_place_behind_a_link_is_recorded_by_its_word(plain: Run) -> None:
    """As on macOS, where the folder for temporary files is one."""
    assert plain.observations[6].stdout == ". ~ tmp"


@pytest.mark.parametrize(
    "variables",
    [
        {"NVIDIA_API_KEY": "secret", "TORCH_KEY": "secret", "CUDA_KEY": "secret", "PYTHON_KEY": "secret"},
        {"PYTHONVERBOSE": "1", "PYTHONPROFILEIMPORTTIME": "1", "PYTHONHASHSEED": "1"},
        {"PYTHONIOENCODING": "utf-16", "PYTHONTRACEMALLOC": "25", "PYTHONWARNINGS": "error"},
        {"TORCH_LOGS": "+all", "TORCH_SHOW_CPP_STACKTRACES": "1"},
    ],
    ids=lambda variables: next(iter(variables)),
)
def test_variable_of_the_caller_changes_nothing(
    tmp_path: Path, plain: Run, variables: dict[str, str]
) -> None:
    """Neither secrets nor what lets Python or torch say more reach an example; hashes stay the same."""
    assert run_beside_links(tmp_path, **variables) == plain
