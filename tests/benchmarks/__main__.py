"""``nox -s bench``: time the gate and the site against their peers, and write the results into a folder."""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.results import Results, summarise
from benchmarks.rounds import Measured, check_systems, measure_size, run_command
from benchmarks.systems import START, SYSTEMS, System
from benchmarks.tables import COUNTS, TEN_A_FILE, draw_chart, render_markdown
from benchmarks.workload import Size

PACKAGES = ("torch", "numpy", "Sphinx", "sphinx-gallery", "pydata-sphinx-theme", "pytest")
PEERS = ("sybil", "pytest-examples", "nbval", "myst-nb", "jupyter-cache")
"""Releases that the numbers depend on."""
QUICK = ("floor", "gate", "doctest", "sybil", "site")
"""Systems that are run over any number of examples; the others only where they are asked for by name."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and write the results after every size: an interrupted run leaves what it has finished."""
    options = make_parser().parse_args(arguments)
    systems = [each for each in SYSTEMS if each.name in ("floor", *options.systems) or not options.systems]
    check_systems(systems, options.work / "trial")
    start = median(run_command(START, options.work)[2]["wall"] for _ in range(5))
    measured: list[Measured] = []
    for size, some in plan_sizes(options, systems):
        for one in measure_size(size, some, options.rounds, options.work / f"{size.count}-{size.per_file}"):
            measured.append(one)
            print(f"{size}, round {one.round + 1}: {one.system} {one.state} {one.wall:.2f} s", flush=True)
        write_results(summarise(measured, describe_machine(), start), options.output)


def make_parser() -> argparse.ArgumentParser:
    """The options that follow ``nox -s bench --``."""
    names = [system.name for system in SYSTEMS]
    parser = argparse.ArgumentParser(prog="nox -s bench --", description=__doc__)
    parser.add_argument("--output", type=Path, required=True, help="folder for bench.json, .md and .svg")
    parser.add_argument("--work", type=Path, required=True, help="folder for the workloads")
    parser.add_argument("--full", action="store_true", help=f"all of {COUNTS} examples")
    parser.add_argument("--counts", type=int, nargs="+", help="examples, in place of 50 and 200")
    parser.add_argument("--systems", nargs="+", choices=names, default=[], help="only these, and the floor")
    parser.add_argument("--rounds", type=int, default=3, help="times that each is run")
    return parser


def plan_sizes(options: argparse.Namespace, systems: Sequence[System]) -> Iterator[tuple[Size, list[System]]]:
    """Sizes, and the systems that are run at them."""
    for count in options.counts or (COUNTS if options.full else COUNTS[:2]):
        yield Size(count), [each for each in systems if options.systems or is_due(each, count, options.full)]
    if not options.counts:
        yield Size(800, 10), [system for system in systems if system.name in TEN_A_FILE]


def is_due(system: System, count: int, full: bool) -> bool:
    """Whether a system that nobody has asked for by name is run over so many examples."""
    slow = system.slow and not full
    return system.name in QUICK or count <= (50 if slow else 200)


def describe_machine() -> dict[str, Any]:
    """Python, platform, processors, releases and date."""
    return {
        "python": platform.python_version(),
        "platform": f"{sys.platform}-{platform.machine()}",
        "processors": os.cpu_count(),
        "packages": {name: version(name) for name in (*PACKAGES, *PEERS)},
        "date": dt.datetime.now(tz=dt.UTC).date().isoformat(),
    }


def write_results(results: Results, folder: Path) -> None:
    """Write the file of results, its tables and its chart."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bench.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    (folder / "bench.md").write_text(render_markdown(results), encoding="utf-8")
    draw_chart(results, folder / "bench.svg")


if __name__ == "__main__":
    main()
