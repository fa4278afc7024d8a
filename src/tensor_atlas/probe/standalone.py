"""``python atlas-probe.pyz``: unpacks the probe and the examples, runs them here, writes ``capture.json``.

The file's ``__main__``: an older Python must be able to read it, so that it can name the release it lacks.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import runpy
import sys
import tempfile
import time
import zipfile

PYTHON = (3, 11)
"""Oldest release that runs the probe."""
BAD_INPUT = 2


def find_problem() -> str:
    """Why nothing can run here, with the remedy; empty where all is well."""
    if sys.version_info < PYTHON:
        found = ".".join(map(str, sys.version_info[:3]))
        return f"needs Python {PYTHON[0]}.{PYTHON[1]} or newer, and this is {found}"
    missing = [name for name in ("torch", "numpy") if importlib.util.find_spec(name) is None]
    if missing:
        names = " and ".join(missing)
        return f"{sys.executable} has no {names}: use the Python that has torch and NumPy"
    return ""


def main(archive: str) -> int:
    """Exit code of the probe, run in a temporary folder that holds what ``archive`` holds."""
    parser = argparse.ArgumentParser(prog="python atlas-probe.pyz", description=__doc__.split("\n", 1)[0])
    parser.add_argument("-o", "--output", default="capture.json", help="file to write, not capture.json")
    parser.add_argument("-j", "--jobs", help="examples at a time")
    parser.add_argument("--no-matrix", action="store_true", help="run the examples alone")
    options = parser.parse_args()
    problem = find_problem()
    if problem:
        print(f"atlas-probe: {problem}", file=sys.stderr)
        return BAD_INPUT
    output, home, started = os.path.abspath(options.output), os.getcwd(), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="atlas-probe-") as folder:
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(folder)
        code = _run_probe(folder, _list_arguments(options, output))
        os.chdir(home)
    if code == 0:
        print(f"wrote {output} in {time.monotonic() - started:.0f} s", file=sys.stderr)
    return code


def _list_arguments(options: argparse.Namespace, output: str) -> list[str]:
    """Arguments of the probe."""
    arguments = ["examples", "-o", output]
    if not options.no_matrix:
        arguments.append("--matrix")
    return arguments + ["-j", options.jobs] * bool(options.jobs)


def _run_probe(folder: str, arguments: list[str]) -> int:
    """Exit code of the probe, run in ``folder``."""
    os.chdir(folder)
    sys.path[0] = os.path.join(folder, "src")  # in place of the archive, which no subprocess could read
    sys.argv = ["atlas-probe", *arguments]
    try:
        runpy.run_module("tensor_atlas.probe", run_name="__main__")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else BAD_INPUT
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.path[0]))
