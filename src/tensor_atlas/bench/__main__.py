"""``python -m tensor_atlas.bench -o docs/measurements/bench.json``: time the gate and the site against their peers."""

from __future__ import annotations

import argparse
import datetime as dt
import hashlib
import json
import os
import platform
import statistics
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tensor_atlas.bench import rounds
from tensor_atlas.bench.rounds import MEMORY, NotDoneError, Runs, Size, Taken
from tensor_atlas.bench.systems import SYSTEMS, System, named
from tensor_atlas.speed import COUNTS, TEN_A_FILE

SCHEMA = 1
"""Version of the file."""
PACKAGES = (
    "torch",
    "numpy",
    "Sphinx",
    "sphinx-gallery",
    "pydata-sphinx-theme",
    "pytest",
    "sybil",
    "pytest-examples",
    "nbval",
    "myst-nb",
    "jupyter-cache",
)
"""What the numbers depend on, beside this project."""
FEW, MANY = COUNTS[:2], COUNTS
TEN = Size(800, 10)
"""Pages of ten scenarios each."""
GROWTH = COUNTS[:3]
"""Counts of pages for the growth of the site."""
SLOW_UP_TO = 50
"""Examples up to which systems that start an interpreter for each are run, unless everything is asked for."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code: 0 when all was measured, 1 when a system did not do its work."""
    given = _parser().parse_args(arguments)
    try:
        systems = (
            [named(name) for name in dict.fromkeys(["floor", *given.systems])]
            if given.systems
            else list(SYSTEMS)
        )
    except ValueError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    path = given.folder / "runs.jsonl"
    if given.again:
        path.unlink(missing_ok=True)
    kept = Runs(path, _key())
    complaints = [] if kept.taken else list(rounds.trials(systems, given.folder))
    if complaints:
        print("\n".join(complaints), file=sys.stderr)
        return 1
    try:
        for size, some in _plan(given, systems):
            rounds.measure(size, some, given.rounds, kept, given.folder, _tell)
    except NotDoneError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    finally:
        if kept.taken:
            _write(given.output, document(kept.taken, _environment(), rounds.start(given.folder, 5)))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="nox -s bench --", description=__doc__)
    parser.add_argument("-o", "--output", type=Path, required=True, help="file to write (JSON)")
    parser.add_argument(
        "--folder", type=Path, required=True, help="folder for the workloads and for what was taken"
    )
    parser.add_argument(
        "--full", action="store_true", help=f"all of {', '.join(map(str, MANY))}, slow systems too"
    )
    parser.add_argument("--growth", action="store_true", help="only the site, with ever more pages")
    parser.add_argument("--counts", type=int, nargs="+", help="examples, in place of 50 and 200")
    parser.add_argument("--systems", nargs="+", metavar="NAME", help="only these, and the floor")
    parser.add_argument("--rounds", type=int, default=3, help="times that each is run")
    parser.add_argument("--again", action="store_true", help="forget what was taken before")
    return parser


def _plan(given: argparse.Namespace, systems: list[System]) -> Iterable[tuple[Size, list[System]]]:
    """Sizes and who is run at them."""
    counts = given.counts or (GROWTH if given.growth else MANY if given.full else FEW)
    for count in counts:
        some = [s for s in systems if given.full or given.systems or not s.slow or count <= SLOW_UP_TO]
        yield Size(count), [s for s in some if s.name in ("floor", "site")] if given.growth else some
    if not given.growth and not given.counts:
        yield TEN, [system for system in systems if system.name in {row.system for row in TEN_A_FILE}]


def _tell(words: str) -> None:
    print(f"bench: {words}", file=sys.stderr, flush=True)


def _key() -> str:
    """What a number depends on: when it is another, everything is measured again."""
    package = Path(__file__).parents[1]
    sources = b"".join(path.read_bytes() for path in sorted(package.rglob("*.py")) if path.name != "speed.py")
    return f"{json.dumps(_environment())} {hashlib.sha256(sources).hexdigest()[:16]}"


def _environment() -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "platform": f"{sys.platform}-{platform.machine()}",
        "processors": os.cpu_count(),
        "packages": {name: version(name) for name in PACKAGES},
    }


def document(taken: Sequence[Taken], environment: Mapping[str, Any], start: float) -> dict[str, Any]:
    """The file: each row with the medians of its rounds, as multiples of the floor in the same round.

    ``start`` is the seconds that importing torch takes, the unit of slopes.
    """
    cases = dict.fromkeys((t.per_file, t.count, t.system, t.state) for t in taken)
    rows = [
        _row([t for t in taken if (t.per_file, t.count, t.system, t.state) == case], taken) for case in cases
    ]
    today = dt.datetime.now(tz=dt.UTC).date().isoformat()
    named = [row for row in rows if row is not None]
    return {"schema": SCHEMA, "environment": {**environment, "date": today}, "start": start, "rows": named}


def _row(mine: list[Taken], taken: Sequence[Taken]) -> dict[str, Any] | None:
    timed = [one for one in mine if one.round not in MEMORY]
    if not timed:
        return None
    one = timed[0]
    ratios = sorted(t.wall / _floor(t, taken, "wall") for t in timed)
    memory = [
        m.memory / _memory_floor(m, taken) for m in mine if m.memory is not None and _memory_floor(m, taken)
    ]
    return {
        "system": one.system,
        "state": one.state,
        "count": one.count,
        "per_file": one.per_file,
        "rounds": len(timed),
        "ratio": statistics.median(ratios),
        "low": ratios[0],
        "high": ratios[-1],
        "cpu": statistics.median(t.cpu / _floor(t, taken, "cpu") for t in timed),
        "seconds": statistics.median(t.wall for t in timed),
        "memory": statistics.median(memory) if memory else None,
        "page": one.page,
    }


def _floor(one: Taken, taken: Sequence[Taken], what: str) -> float:
    """What the floor took around a run: the mean of its last run before and its first one after, in the same round.

    Whoever measures more systems later adds to the rounds, with floors of their own.
    """
    where = (one.count, one.per_file, one.round)
    same = [t for t in taken if (t.count, t.per_file, t.round) == where and (t.system == "floor" or t is one)]
    at = next(i for i, t in enumerate(same) if t is one)
    begun = at - at % 2  # the floors come in pairs: at the beginning of a round, and at its end
    around = same[begun : begun + 2] if one.system == "floor" else [*same[:at][-1:], *same[at + 1 :][:1]]
    return statistics.mean(t.wall if what == "wall" else t.cpu for t in around)


def _memory_floor(one: Taken, taken: Sequence[Taken]) -> float:
    """Peak memory of the floor at the size of a run; 0 while it is not known."""
    same = [t for t in taken if t.system == "floor" and (t.count, t.per_file) == (one.count, one.per_file)]
    known = [t.memory for t in same if t.memory is not None]
    return statistics.median(known) if known else 0.0


def _write(output: Path, found: dict[str, Any]) -> None:
    """Write the file in one step: a reader sees the old one or the new one."""
    output.parent.mkdir(parents=True, exist_ok=True)
    partial = output.with_name(f"{output.name}.{os.getpid()}.partial")
    partial.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    partial.replace(output)


if __name__ == "__main__":
    sys.exit(main())
