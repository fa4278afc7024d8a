"""The process that all others are forked from: they find made what each would make, and no trace of how."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROBE = """
import gc, os, sys
from multiprocessing.connection import Connection


def look(writer, directory):
    before = set(sys.modules)
    from tensor_atlas.probe.matrix.conversions import pairs
    import tensor_atlas.probe.environment, tensor_atlas.probe.matrix.run, tensor_atlas.probe.run
    from tensor_atlas.probe.matrix.observe import observe
    from tensor_atlas.probe.output import places

    observe(*next(iter(pairs())), places(directory))
    told = [os.environ.get("GLIBC_TUNABLES"), gc.get_freeze_count() > 10_000, sorted(set(sys.modules) - before)]
    writer.send(told)


if __name__ == "__main__":
    from tensor_atlas.probe.isolate import context

    method = context()
    after = os.environ.get("GLIBC_TUNABLES")
    reader, writer = method.Pipe(duplex=False)
    process = method.Process(target=look, args=(writer, os.getcwd()))
    process.start()
    print([after, *reader.recv()])
    process.join()
"""


def looked(folder: Path, **environment: str) -> str:
    """What the parent and a child of the zygote see: tuning before and in the child, frozen objects, modules."""
    script = folder / "look_around.py"
    script.write_text(PROBE, encoding="utf-8")
    without = {name: value for name, value in os.environ.items() if name != "GLIBC_TUNABLES"}
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env=without | environment,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")


@forks
def test_child_finds_everything_made_and_nothing_tuned(tmp_path: Path) -> None:
    """No module is left to import, objects are frozen, and neither parent nor child sees how glibc was tuned."""
    assert looked(tmp_path) == "[None, None, True, []]"


@forks
def test_other_tuning_of_glibc_is_left_alone(tmp_path: Path) -> None:
    """Whoever has set the variable keeps it, in the examples too."""
    tuned = "glibc.malloc.check=0"
    assert looked(tmp_path, GLIBC_TUNABLES=tuned) == f"[{tuned!r}, {tuned!r}, True, []]"


def test_nothing_is_frozen_elsewhere() -> None:
    """The module has its effects where it is imported: nobody but the zygote may."""
    assert "tensor_atlas.probe.zygote" not in sys.modules
    assert gc.get_freeze_count() == 0
