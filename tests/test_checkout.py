"""Which checkout a folder lies in, and whether anything was executed there."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import project

from tensor_atlas.checkout import CAPTURES, TEXTS, checkout, has_executed


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout."""
    return project(tmp_path / "checkout")


def test_every_folder_below_lies_in_the_checkout(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However it is named."""
    below = root / "examples" / "01_x"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    for start in (root, below, "", ".", "..", below / ".."):
        assert checkout(str(start)) == str(root)


@pytest.mark.parametrize("missing", ["examples", "pyproject.toml"])
def test_a_folder_that_lacks_what_makes_a_checkout_is_none(missing: str, root: Path) -> None:
    """Nor one where that is a file instead of a folder, or a folder instead of a file."""
    (root / "examples").mkdir(exist_ok=True)
    assert checkout(str(root)) == str(root)
    place = root / missing
    place.rename(root / "other")
    assert checkout(str(root)) is None
    if missing == "examples":
        place.touch()
    else:
        place.mkdir()
    assert checkout(str(root)) is None


def test_a_note_tells_that_something_was_executed(root: Path) -> None:
    """Even one that leads nowhere: it is for others to read."""
    assert not has_executed(str(root))
    root.joinpath(*CAPTURES).mkdir(parents=True)
    assert not has_executed(str(root))
    root.joinpath(*CAPTURES, TEXTS).symlink_to("nowhere")
    assert has_executed(str(root))
