"""The process that all others are forked from: they find made what each would make, and no trace of how."""

from __future__ import annotations

import ast
import gc
import os
import platform
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

_KERNEL = re.match(r"(\d+)\.(\d+)", platform.release())
HAS_COLLAPSE = (
    sys.platform == "linux"
    and _KERNEL is not None
    and (int(_KERNEL[1]), int(_KERNEL[2])) >= (6, 1)
    and Path("/sys/kernel/mm/transparent_hugepage").exists()
)

PROBE = """
import contextlib, gc, os, sys
from multiprocessing.connection import Connection


def look(writer, directory):
    huge = None
    with contextlib.suppress(OSError), open(f"/proc/{os.getppid()}/smaps_rollup") as file:
        found = dict(line.split(":") for line in file.read().splitlines()[1:])
        huge = int(found["AnonHugePages"].split()[0]) / int(found["Anonymous"].split()[0])
    before = set(sys.modules)
    from tensor_atlas.probe.matrix.conversions import pairs
    import tensor_atlas.probe.environment, tensor_atlas.probe.matrix.run, tensor_atlas.probe.run
    from tensor_atlas.probe.matrix.observe import observe
    from tensor_atlas.probe.output import places

    observe(*next(iter(pairs())), places(directory))
    writer.send([gc.get_freeze_count() > 10_000, sorted(set(sys.modules) - before), huge, os.environ.get("TOKEN")])


if __name__ == "__main__":
    from tensor_atlas.probe.isolate import context

    method = context()
    reader, writer = method.Pipe(duplex=False)
    process = method.Process(target=look, args=(writer, os.getcwd()))
    process.start()
    print(repr(reader.recv()))
    process.join()
"""


@pytest.fixture(scope="module")
def looked(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What a child sees: whether objects are frozen, what it must import, huge pages of the zygote, a variable."""
    folder = tmp_path_factory.mktemp("zygote")
    script = folder / "look_around.py"
    script.write_text(PROBE, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env=os.environ | {"TOKEN": "secret"},
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return ast.literal_eval(done.stdout.strip())


forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")


@forks
def test_child_finds_everything_made_and_no_secret(looked: Any) -> None:
    """No module is left to import, objects are frozen, and the environment holds what an example may see."""
    frozen, imported, _, token = looked
    assert (frozen, imported, token) == (True, [], None)


@forks
@pytest.mark.skipif(not HAS_COLLAPSE, reason="needs Linux 6.1, which moves memory to huge pages when it is asked to")
def test_most_memory_lies_in_huge_pages(looked: Any) -> None:
    """Half of it and more: what it costs to fork is mostly the number of pages."""
    assert looked[2] > 0.5


def test_nothing_is_frozen_elsewhere() -> None:
    """The module has its effects where it is imported: nobody but the zygote may."""
    assert "tensor_atlas.probe.zygote" not in sys.modules
    assert gc.get_freeze_count() == 0
