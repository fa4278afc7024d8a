"""The cache over the real gallery: what has not changed is answered without torch, and without Sphinx."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from samples import ROOT, python

from tensor_atlas.cli import SITE

pytestmark = pytest.mark.slow

ASK = (
    "import sys; from tensor_atlas import cli; code = cli.main({}); "
    "print(*sys.modules, file=sys.stderr); sys.exit(code)"
)


@pytest.fixture(autouse=True)
def _as_in_a_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the width that pytest gives its processes: what a session has built is not built again."""
    monkeypatch.delenv("COLUMNS", raising=False)


def imported_by(arguments: Sequence[str]) -> tuple[str, set[str]]:
    """What a command prints about the real gallery, and the modules that it imports; it must end with 0."""
    done = python(ROOT, "-c", ASK.format(list(arguments)))
    assert done.returncode == 0, done.stdout + done.stderr
    *_, modules = done.stderr.strip().split("\n")
    return done.stdout, set(modules.split())


def test_unchanged_gallery_is_judged_from_the_cache() -> None:
    """One example raises as a deviation explains; that must not make it run each time."""
    first, _ = imported_by(["drift"])
    again, modules = imported_by(["drift"])
    assert again == first
    assert "no drift" in again
    assert not {"torch", "numpy", "tensor_atlas.commands"} & modules


@pytest.mark.skipif(not (ROOT / SITE / "index.html").is_file(), reason="needs the site: nox -s docs")
def test_unchanged_site_is_not_built_again() -> None:
    """Sphinx is not even imported."""
    imported_by(["site", "-q"])
    before = (ROOT / SITE / "index.html").stat().st_mtime_ns
    _, modules = imported_by(["site", "-q"])
    assert not {"torch", "sphinx"} & modules
    assert (ROOT / SITE / "index.html").stat().st_mtime_ns == before
