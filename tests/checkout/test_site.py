"""The command ``site`` over a checkout of one page: what it builds, and what it says a second time."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from samples import project, python

ASK = "import sys; from tensor_atlas import cli; sys.exit(cli.main(['site', '-q']))"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout whose site is one page, which Sphinx builds without the extension."""
    made = project(tmp_path / "check out")
    for folder in ("docs", "examples"):
        (made / folder).mkdir(exist_ok=True)
    (made / "docs" / "conf.py").write_text("project = 'One page'\n", encoding="utf-8")
    (made / "docs" / "index.rst").write_text("One page\n========\n", encoding="utf-8")
    return made


def build(root: Path) -> tuple[int, str]:
    """Exit code and messages of a build."""
    done: subprocess.CompletedProcess[str] = python(root, "-c", ASK)
    return done.returncode, done.stderr


def test_unchanged_site_is_built_once(root: Path) -> None:
    """Without Sphinx, the second time."""
    assert build(root) == (0, "")
    code, said = build(root)
    assert (code, said) == (0, "tensor-atlas: the site is up to date\n")


@pytest.mark.parametrize("fault", ["See :doc:`nowhere`.", "See :ref:`nowhere`.", "An ``open literal."])
def test_warning_fails_every_build_until_it_is_mended(root: Path, fault: str) -> None:
    """Sphinx alone says nothing of a page that has not changed since."""
    page = root / "docs" / "index.rst"
    right = page.read_text(encoding="utf-8")
    assert build(root)[0] == 0
    page.write_text(f"{right}\n{fault}\n", encoding="utf-8")
    for _ in range(3):
        code, said = build(root)
        assert code == 1
        assert "index.rst:4: " in said
    page.write_text(right, encoding="utf-8")
    assert build(root)[0] == 0
