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


def nothing():
    pass


def huge():
    with contextlib.suppress(OSError), open(f"/proc/{os.getppid()}/smaps_rollup") as file:
        found = dict(line.split(":") for line in file.read().splitlines()[1:])
        return int(found["AnonHugePages"].split()[0]) / int(found["Anonymous"].split()[0])


def measure(writer):
    writer.send(huge())


def look(writer, directory):
    collections = gc.get_stats()[2]["collections"], gc.isenabled()
    before = set(sys.modules)
    from tensor_atlas.probe.matrix.conversions import pairs
    import tensor_atlas.probe.environment, tensor_atlas.probe.matrix.run, tensor_atlas.probe.run
    from tensor_atlas.probe.matrix.observe import observe
    from tensor_atlas.probe.output import places

    observe(*next(iter(pairs())), places(directory))
    imported = sorted(set(sys.modules) - before)
    writer.send([gc.get_freeze_count() > 10_000, imported, os.environ.get("TOKEN"), collections, huge()])


if __name__ == "__main__":
    from tensor_atlas.probe.isolate import MANY_FORKS, context

    method = context()
    reader, writer = method.Pipe(duplex=False)
    process = method.Process(target=look, args=(writer, os.getcwd()))
    process.start()
    seen = reader.recv()
    process.join()
    for _ in range(MANY_FORKS):
        process = method.Process(target=nothing)
        process.start()
        process.join()
    method.Process(target=measure, args=(writer,)).start()
    print(repr([*seen, reader.recv()]))
"""


@pytest.fixture(scope="module")
def looked(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What a child sees: whether objects are frozen, what it must import, a variable, collections before it.

    And which part of the zygote's memory lies in huge pages, at first and after many forks.
    """
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
    frozen, imported, token, *_ = looked
    assert (frozen, imported, token) == (True, [], None)


@forks
@pytest.mark.skipif(not HAS_COLLAPSE, reason="needs Linux 6.1, which moves memory to huge pages when it is asked to")
def test_most_memory_lies_in_huge_pages(looked: Any) -> None:
    """Half of it and more, once that is worth it: what it costs to fork is mostly the number of pages."""
    at_first, later = looked[4:]
    assert max(at_first, 0.5) < later


@forks
def test_what_is_imported_to_stay_is_not_collected(looked: Any) -> None:
    """No old object was looked at while torch was imported; a child collects as ever."""
    assert looked[3] == (0, True)


def test_nothing_is_frozen_elsewhere() -> None:
    """The modules have their effects where they are imported: nobody but the zygote may."""
    assert not {"tensor_atlas.probe.zygote", "tensor_atlas.probe.uncollected"} & set(sys.modules)
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
