"""What several tests of the extension show, executed once."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_project import CAPTURES, DRIFTS, PRINTS, example, tiny


@pytest.fixture(scope="session")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Captures of the tiny checkout's examples, for builds that need not execute them."""
    made = tiny(tmp_path_factory.mktemp("executed"))
    made.write("examples/01_x/drifts.py", example("Drifts", DRIFTS))
    made.write("examples/01_x/none.py", example("None", PRINTS))
    made.write("examples/02_y/GALLERY_HEADER.rst", "Chapter\n=======\n")
    made.write("examples/02_y/last.py", example("Last", PRINTS))
    made.build()
    return made.root / CAPTURES
