"""The session ``unit``: it runs most tests, and none of what it does not install."""

from __future__ import annotations

import re
from pathlib import Path

from samples import ROOT, python

FEWEST = 2000
"""Tests that need neither torch nor Sphinx nor a process."""
WITHOUT = """
import sys


class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "numpy", "sphinx", "docutils"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Absent())
import pytest

sys.exit(pytest.main(sys.argv[1:]))
"""
"""pytest as in an environment without torch and Sphinx."""


def collect(*arguments: str) -> str:
    """What pytest says of the tests that the session would run."""
    options = ("--unit", "--collect-only", "-q", "-p", "no:cacheprovider")
    return python(ROOT, "-c", WITHOUT, *options, *arguments).stdout


def test_most_tests_need_neither_torch_nor_sphinx() -> None:
    """A change after which the session would run hardly anything is noticed."""
    found = re.search(r"^(\d+)(?:/\d+)? tests collected", collect(), re.MULTILINE)
    assert found is not None
    assert int(found[1]) >= FEWEST


def test_file_that_imports_torch_or_starts_a_process_is_left_out(tmp_path: Path) -> None:
    """Other files that cannot be imported are errors."""
    texts = {
        "light": "",
        "imports": "import torch",
        "page": "from tensor_atlas.site import extension",
        "starts": "import subprocess",
        "broken": "import tensor_atlas.absent",
    }
    for name, text in texts.items():
        (tmp_path / f"test_{name}.py").write_text(
            f"{text}\n\ndef test_of_{name}():\n    pass\n", encoding="utf-8"
        )
    options = ("-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT), "--confcutdir", str(ROOT))
    said = collect(*options, "-p", "conftest", str(tmp_path))
    assert re.findall(r"::test_of_(\w+)", said) == ["light"]
    assert re.findall(r"^ERROR .*test_(\w+)", said, re.MULTILINE) == ["broken"]


def test_tests_that_passed_are_left_out_of_another_run(tmp_path: Path) -> None:
    """Those alone: what was skipped, failed or is new runs."""
    text = """import pytest

def test_passes():
    pass

@pytest.mark.parametrize("word", ["Tensör", "a b"])
def test_takes(word):
    pass

def test_skips():
    pytest.skip("not here")

@pytest.mark.xfail
def test_is_known_to_fail():
    assert False

def test_fails():
    assert False
"""
    path, passed = tmp_path / "test_few.py", tmp_path / "passed.json"
    path.write_text(text, encoding="utf-8")
    options = ("-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", "-p", "conftest")
    project = ("-c", str(ROOT / "pyproject.toml"), "--rootdir", str(tmp_path), "--confcutdir", str(ROOT))
    run = (*options, *project, str(path))
    first = python(ROOT, *run, "--note-passed", str(passed)).stdout
    assert "1 failed, 3 passed, 1 skipped, 1 xfailed" in first
    path.write_text(f"{text}\n\ndef test_new():\n    pass\n", encoding="utf-8")
    second = python(ROOT, *run, "--leave-out", str(passed)).stdout
    assert "1 failed, 1 passed, 1 skipped, 1 xfailed" in second
