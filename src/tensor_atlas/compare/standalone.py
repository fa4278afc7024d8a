"""``python atlas-probe.pyz``: runs the examples here, and compares ``capture.json`` with the records.

The file's ``__main__``: an older Python must be able to read it, so that it can name the release it lacks.
What it imports needs the standard library alone.
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


def find_problem(needs_torch: bool) -> str:
    """Why nothing can run here, with the remedy; empty where all is well."""
    if sys.version_info < PYTHON:
        found = ".".join(map(str, sys.version_info[:3]))
        return f"needs Python {PYTHON[0]}.{PYTHON[1]} or newer, and this is {found}"
    needed = ("torch", "numpy") if needs_torch else ()
    missing = [name for name in needed if importlib.util.find_spec(name) is None]
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
    known = "run nothing: compare this capture, and write the result into it"
    parser.add_argument("--from", dest="captured", metavar="CAPTURE", help=known)
    against = "compare with this record, such as 2.6.0/2.4.6, not with the nearest one"
    parser.add_argument("--against", default="", metavar="TORCH[/NUMPY[/DEVICE[/PYTHON]]]", help=against)
    options = parser.parse_args()
    problem = find_problem(needs_torch=not options.captured)
    if problem:
        print(f"atlas-probe: {problem}", file=sys.stderr)
        return BAD_INPUT
    output, home, started = os.path.abspath(options.captured or options.output), os.getcwd(), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="atlas-probe-") as folder:
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(folder)
        os.chdir(folder)
        sys.path[0] = os.path.join(folder, "src")  # in place of the archive, which no subprocess could read
        code = 0
        if not options.captured:
            code = _run_module("tensor_atlas.probe", _list_arguments(options, output))
        if code == 0:
            code = _run_module("tensor_atlas.compare.own_machine", [output, options.against])
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


def _run_module(name: str, arguments: list[str]) -> int:
    """Exit code of a module, run in the working folder."""
    sys.argv = ["atlas-probe", *arguments]
    try:
        runpy.run_module(name, run_name="__main__")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else BAD_INPUT
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.path[0]))
