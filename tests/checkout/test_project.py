"""Writing to a checkout: nothing that somebody saved meanwhile is lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from samples import HEAD, project, python, wait_for, write_example

from tensor_atlas.checkout.project import Project, replace_source, start_probe
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.parse import Example


def _one_example(folder: Path) -> tuple[Project, Path, Example]:
    """Project, script and example."""
    here = Project(project(folder / "checkout"))
    example = write_example(here.root, "value = 1\n")
    return here, here.root / example.path, example


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_replaced_script_keeps_mode_and_line_ends(tmp_path: Path, ends: str) -> None:
    """A link to it stays a link."""
    here, script, example = _one_example(tmp_path)
    script.write_bytes(example.source.replace("\n", ends).encode())
    script.chmod(0o754)
    target = script.rename(tmp_path / "target.py")
    script.symlink_to(target)
    replace_source(here, example, example.source + "print(1)\n")
    assert script.read_bytes() == f"{HEAD}value = 1\nprint(1)\n".replace("\n", ends).encode()
    assert script.stat().st_mode & 0o777 == 0o754
    assert script.is_symlink()


@pytest.mark.parametrize("saved", [b"value = 2\n", b"\xff", None])
def test_script_that_was_saved_meanwhile_is_not_replaced(tmp_path: Path, saved: bytes | None) -> None:
    """Nor made anew where it was removed."""
    here, script, example = _one_example(tmp_path)
    script.unlink()
    if saved is not None:
        script.write_bytes(saved)
    with pytest.raises(AtlasError, match=r"01_x/a.py  changed while it ran\n .*tensor-atlas claims --write"):
        replace_source(here, example, "other")
    assert (script.read_bytes() if script.exists() else None) == saved


START = """
from pathlib import Path

from tensor_atlas.checkout.project import Project, start_probe

here = Project(Path.cwd())
probe = start_probe(here, [here.root / "examples"])
print(probe.process.pid, probe.folder.name)
"""


def test_probe_that_nobody_waited_for_ends_with_the_command(tmp_path: Path) -> None:
    """Its process, and the folder for its capture."""
    root = project(tmp_path / "checkout")
    write_example(root, "import time\n\ntime.sleep(60)\n")
    done = python(root, "-c", START)
    assert done.returncode == 0, done.stderr
    process, folder = done.stdout.split()
    assert wait_for(lambda: not _is_running(int(process)))
    assert not Path(folder).exists()


def test_stopped_probe_has_ended(tmp_path: Path) -> None:
    """It is waited for: nothing of it is left to write when the next one begins."""
    root = project(tmp_path / "checkout")
    write_example(root, "import time\n\ntime.sleep(60)\n")
    probe = start_probe(Project(root), [root / "examples"])
    probe.stop()
    assert probe.process.returncode is not None
    assert not Path(probe.folder.name).exists()


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
