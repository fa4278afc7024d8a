"""What several tests of the extension show, executed once."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_project import CAPTURES, SCRIPTS, Tiny, tiny

from tensor_atlas.checkout import execution
from tensor_atlas.checkout.project import Project, examples_of


@pytest.fixture(scope="session")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Captures of all that a tiny checkout may hold, for builds that need not execute it."""
    made = tiny(tmp_path_factory.mktemp("executed"))
    made.add(*SCRIPTS)
    here = Project(made.root)
    execution.begin(here, examples_of(here), lambda _: None).finish()
    return made.root / CAPTURES


@pytest.fixture
def fresh(tmp_path: Path, executed: Path) -> Tiny:
    """A tiny checkout of a test's own, whose examples have been executed."""
    return tiny(tmp_path, executed)
