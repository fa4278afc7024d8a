"""``python -m tensor_atlas.probe examples -o capture.json``: run examples on any machine with torch and numpy."""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import math
import os
import random
import re
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from reprlib import repr as short
from typing import TypeAlias, TypeGuard, TypeVar

from tensor_atlas import streams
from tensor_atlas.catalogue.conversions import list_pairs
from tensor_atlas.examples.instrument import MOST_KEPT, ahead
from tensor_atlas.examples.parse import Example, ScriptError, example_name, parse_example
from tensor_atlas.examples.requirements import find_missing, wants_gpu
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.cells import Tried
from tensor_atlas.model.encode import encode_capture
from tensor_atlas.model.runs import Environment, Run, Status
from tensor_atlas.model.shards import Shard, digest_plan, parse_shard
from tensor_atlas.probe.forking import ForkError, Forks
from tensor_atlas.probe.run_cells import Pair, batches, run_cells
from tensor_atlas.probe.runner import TIMEOUT, Method, context, detect_environment, renew, run_all

_Thing = TypeVar("_Thing")
Recorded: TypeAlias = Callable[[str], Mapping[str, Run]]
"""What an environment, named by its id, is known to give, by example."""

PLAIN = 0.1
"""Seconds of most examples, where no run has told."""
INTERPRETER = 2.0
"""Seconds of an interpreter that imports torch anew."""
STDIN = Path("-")
"""Stands for the scripts that standard input names."""
GPU_JOBS = 4
"""Processes that use a GPU at a time: each takes some of its memory before it does anything."""


class UsageError(Exception):
    """Something the person who called must put right."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0 when every example has an outcome, 2 when something asked for cannot be done."""
    if arguments is None:
        streams.take()
    parser = _parser()
    options = parser.parse_args(arguments)
    if not options.paths and not options.matrix:
        parser.error("nothing to run: name a folder of examples, or --matrix")
    try:
        part = _shard(options.shard)
        _refuse_nowhere()
        context()  # torch is imported there while the examples are read here
        paths, before = _asked_for(options.paths, matrix=options.matrix)
        examples = read_examples(paths) if paths else []
        code = [(example.name, example.digest) for example in examples]
        timeout = timeouts(options.timeout, Path("pyproject.toml"))
        refuse_unwritable(options.output)
        ordered = shuffled(longest_first(of_shard(examples, part), before), options.shuffle)
        capture = observe(ordered, options.jobs, timeout, before)
        if options.matrix:
            capture = replace(capture, cells=tried(capture.environment, options.jobs, options.shuffle, part))
        if part is not None:
            capture = replace(capture, shard=replace(part, plan=digest_plan(code, matrix=options.matrix)))
        write(capture, options.output)
        print(summary(capture), file=sys.stderr)
    except (UsageError, ScriptError, ForkError) as error:
        print(f"tensor-atlas probe: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("tensor-atlas probe: interrupted, nothing written", file=sys.stderr)
        return 130  # as a shell reports an interrupt
    return 0


def _refuse_nowhere() -> None:
    """UsageError where the working directory, from which examples are named, has been removed."""
    try:
        os.getcwd()
    except FileNotFoundError:
        remedy = "change to the folder that holds examples/"
        raise UsageError(f"the working directory has been removed\n    {remedy}") from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tensor_atlas.probe", description=__doc__)
    what = "example scripts, or folders of chapters of them; -: as standard input names them"
    parser.add_argument("paths", nargs="*", type=Path, help=what)
    parser.add_argument("--matrix", action="store_true", help="try every conversion on every source, too")
    parser.add_argument("-o", "--output", type=Path, required=True, help="capture file to write (JSON)")
    parser.add_argument("-j", "--jobs", type=at_a_time, default=usual_jobs(), help="examples at a time")
    parser.add_argument("--timeout", type=_timeout, default=None, help="seconds an example may take")
    parser.add_argument("--shard", metavar="K/N", help="run the K-th of N parts alone, such as 2/8")
    parser.add_argument(
        "--shuffle", type=int, metavar="SEED", help="run in another order: the capture must not differ"
    )
    return parser


def _shard(text: str | None) -> Shard | None:
    try:
        return None if text is None else parse_shard(text)
    except ValueError as error:
        raise UsageError(f"--shard {error}") from None


def of_shard(examples: Sequence[Example], part: Shard | None) -> list[Example]:
    """Examples of one part, by order of name; all of them without one."""
    ordered = sorted(examples, key=lambda example: example.name)
    return ordered if part is None else part.select(ordered)


def usual_jobs() -> int:
    """Examples at a time: one more than processors, which has work for them while another begins or ends."""
    return (os.cpu_count() or 1) + 1


def at_a_time(text: str) -> int:
    """Number of jobs that a command line asks for; ArgumentTypeError for what is none."""
    if not re.fullmatch(r"[1-9]\d{0,8}", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"{text or 'nothing'} is no number of jobs: write 1 or more")
    return int(text)


def _timeout(text: str) -> float:
    number = 0.0
    with contextlib.suppress(ValueError):
        number = float(text)
    if not _is_duration(number):
        raise argparse.ArgumentTypeError(f"{text or 'nothing'} is no number of seconds: write one above 0")
    return number


def _is_duration(value: object) -> TypeGuard[float]:
    """Whether a value is a number of seconds above 0, without end excluded."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(value) and value > 0
    except OverflowError:  # an integer beyond all floats
        return False


def find_examples(paths: Sequence[Path]) -> list[Path]:
    """Scripts at and below ``paths``, in order of name; ``plot_*.py`` are sphinx-gallery's own.

    UsageError names every script that is not ``<chapter>/<stem>.py`` or begins with an underscore.
    """
    return list(_by_place(paths).values())


def _by_place(paths: Sequence[Path]) -> dict[Path, Path]:
    """Scripts as ``find_examples`` finds them, by their paths without links."""
    found: list[Path] = []
    errors: list[str] = []
    for path in paths:
        if path.is_dir():
            scripts = _scripts(path)
            errors += _too_deep(path, scripts)
            found += scripts
        elif path.is_file():
            found.append(path)
        else:
            raise UsageError(
                f"{path}  no such file or folder\n    name an example script or a folder of them"
            )
    if not found:
        raise UsageError(
            f"{', '.join(map(str, paths))}  no example\n    name a folder that holds example scripts"
        )
    places = _places(found)
    errors += [error for path, place in zip(found, places, strict=True) if (error := _misnamed(path, place))]
    if errors:
        raise UsageError("\n".join(dict.fromkeys(errors)))
    return dict(zip(places, found, strict=True))


def _places(paths: Iterable[Path]) -> list[Path]:
    """Paths without links; those of a folder are asked for once, as its files are many."""
    folders = functools.cache(Path.resolve)
    return [path.resolve() if path.is_symlink() else folders(path.parent) / path.name for path in paths]


def _scripts(folder: Path) -> list[Path]:
    """Scripts below ``folder`` but for hidden ones, those in hidden folders, and sphinx-gallery's own."""
    found = sorted(path for path in folder.rglob("*.py") if not path.name.startswith("plot_"))
    return [path for path in found if not any(part.startswith(".") for part in _below(folder, path))]


def _below(folder: Path, path: Path) -> tuple[str, ...]:
    """Parts of a path that was found below a folder."""
    return path.parts[len(folder.parts) :]


def _too_deep(folder: Path, scripts: list[Path]) -> list[str]:
    """What is wrong with scripts further down than one folder: their chapter would be no chapter of the site."""
    deep = [path for path in scripts if len(_below(folder, path)) > 2]
    return [f"{path}  a script below a chapter's folder\n    put it in examples/<chapter>/" for path in deep]


def _misnamed(path: Path, place: Path) -> str:
    """What is wrong with the folder or the name of a script, which lies in ``place``; empty when nothing is."""
    if not str(path).isprintable():
        return f"{str(path)!r}  a name that cannot be printed\n    rename it"
    if place.parent.name == "examples":
        return f"{path}  a script outside a chapter\n    put it in examples/<chapter>/"
    if path.name.startswith("_"):
        return f"{path}  a name that begins with an underscore, which sphinx-gallery publishes all the same\n    rename it"
    return ""


def read_examples(paths: Sequence[Path], root: Path | None = None) -> list[Example]:
    """Examples below ``paths``, named from ``root`` or the working directory. UsageError names every broken one."""
    examples: dict[str, Example] = {}
    errors = []
    below = (root or Path.cwd()).resolve()
    for place, path in _by_place(paths).items():
        shown = _shown(place, below)
        try:
            example = parse_example(_text(path, shown), shown)
        except ScriptError as error:
            errors.append(str(error))
            continue
        if example.name in examples:
            errors.append(
                f"{shown}  has the name of {examples[example.name].path}\n    rename one of the two"
            )
        examples[example.name] = example
    if errors:
        raise UsageError("\n".join(errors))
    return list(examples.values())


def _asked_for(paths: list[Path], *, matrix: bool) -> tuple[list[Path], dict[str, float]]:
    """Scripts, and seconds by example: as given, or as standard input names them."""
    if paths != [STDIN]:
        return paths, {}
    # UTF-8 whatever the terminal's language is.
    found = named(sys.stdin.buffer.read().decode(errors="surrogateescape").split("\n"))
    if not found[0] and not matrix:
        raise UsageError("standard input names no script\n    write one a line, and then its end")
    return found


def named(lines: Iterable[str]) -> tuple[list[Path], dict[str, float]]:
    """Scripts that lines name, and the seconds by example that follow some after a tab: what they took before.

    Whoever starts a probe so can name them later: torch is imported meanwhile. UsageError for what are no seconds.
    """
    paths: list[Path] = []
    before: dict[str, float] = {}
    for line in filter(None, lines):
        path, tab, seconds = line.partition("\t")
        paths.append(Path(path))
        if tab:
            before[example_name(path)] = _told_seconds(seconds, path)
    return paths, before


def _told_seconds(text: str, path: str) -> float:
    with contextlib.suppress(ValueError):
        if math.isfinite(seconds := float(text)) and seconds >= 0:
            return seconds
    raise UsageError(f"{path}  {text!r} is no number of seconds\n    write PATH, or PATH, a tab and a number")


def expected(example: Example, before: Mapping[str, float]) -> float:
    """Seconds that an example may take: those it took before, else a guess from the interpreters it starts."""
    guess = PLAIN + INTERPRETER * example.source.count("sys.executable")
    return before.get(example.name, guess)


def longest_first(examples: Sequence[Example], before: Mapping[str, float]) -> list[Example]:
    """Examples so that no long one begins when the others end; those that may take as long, as they were."""
    return sorted(examples, key=lambda example: -expected(example, before))


def shuffled(things: list[_Thing], seed: int | None) -> list[_Thing]:
    """Things in the order that ``seed`` gives; as they are without one."""
    if seed is None:
        return things
    return random.Random(seed).sample(things, len(things))  # noqa: S311 - an order, not a secret


def _text(path: Path, shown: str) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ScriptError(shown, 1, f"not UTF-8: {error.reason}", "save the file as UTF-8 text") from None


def _shown(place: Path, root: Path) -> str:
    """Path from ``root`` where it lies below it and keeps its chapter, else the whole one; with forward slashes."""
    short = place.relative_to(root) if place.is_relative_to(root) else place
    return (short if len(short.parts) > 1 else place).as_posix()


def timeouts(given: float | None, project: Path) -> Callable[[Example], float]:
    """Seconds by example: as given, else as ``[tool.tensor-atlas]`` of ``project`` says, else TIMEOUT."""
    if given is not None:
        return lambda _: given
    settings = _settings(project)
    default = _seconds(settings.get("timeout", TIMEOUT), project)
    longer = settings.get("timeouts", {})
    if not isinstance(longer, dict):
        raise UsageError(
            f"{project}  tool.tensor-atlas.timeouts is not a table\n    map example names to seconds"
        )
    named = {str(name): _seconds(value, project) for name, value in longer.items()}
    unknown = [name for name in named if not (project.parent / "examples" / f"{name}.py").is_file()]
    if unknown:
        raise UsageError(
            f"{project}  a timeout for no example: {', '.join(unknown)}\n    name it <chapter>/<stem>"
        )
    return lambda example: named.get(example.name, default)


def _settings(project: Path) -> dict[str, object]:
    if not project.is_file():
        return {}
    try:
        document = tomllib.loads(project.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:  # an integer of too many digits is no TOMLDecodeError
        raise UsageError(f"{project}  not TOML: {error}\n    correct the file") from None
    tools = document.get("tool", {})
    settings = tools.get("tensor-atlas", {}) if isinstance(tools, dict) else tools
    if not isinstance(settings, dict):
        raise UsageError(f"{project}  tool.tensor-atlas is not a table\n    write [tool.tensor-atlas]")
    return settings


def _seconds(value: object, project: Path) -> float:
    if not _is_duration(value):
        raise UsageError(
            f"{project}  a timeout of {short(value)} is no number of seconds\n    write a number above 0"
        )
    return float(value)


def observe(
    examples: Sequence[Example],
    jobs: int,
    timeout: Callable[[Example], float],
    before: Mapping[str, float] | None = None,
    recorded: Recorded | None = None,
) -> Capture:
    """Capture of all examples here, begun in their order; those that lack a device or library get NOT_RUN and why.

    ``before``: seconds by example of an earlier run, from which the time left is told. What is ``recorded`` is looked
    for in the shorter way, see ``interpreters``; an example that gives anything else is run again in the usual one.
    """
    method = context()
    for example in examples[:MOST_KEPT]:  # while torch is imported, this process has nothing else to do
        ahead(example.source, example.path)
    environment = _environment(method)
    able, unable = _sorted_by_need(examples, environment)
    runs, seconds = {run.example: run for run in unable}, {}
    parts = {example.name: expected(example, before or {}) for example in able}
    progress = Progress(len(able), f"example{'s' * (len(able) != 1)} executed", sum(parts.values()), jobs)
    known = {} if recorded is None or not isinstance(method, Forks) else recorded(environment.id)
    for some, at_a_time in apart(able, jobs, lambda example: wants_gpu(example.tags)):
        for run, duration in _runs(some, at_a_time, timeout, method, known):
            runs[run.example] = run
            seconds[run.example] = duration
            progress.step(run.example, parts[run.example])
    progress.end()
    return Capture(environment, tuple(runs[name] for name in sorted(runs)), dict(sorted(seconds.items())))


def _runs(
    examples: Sequence[Example],
    jobs: int,
    timeout: Callable[[Example], float],
    method: Method,
    known: Mapping[str, Run],
) -> Iterator[tuple[Run, float]]:
    """As ``run_all``, sparing where an outcome is ``known``: one that is another is that of a second, usual run."""
    short = [example for example in examples if _is_of(example, known.get(example.name))]
    yield from run_all([example for example in examples if example not in short], jobs, timeout, method)
    if not short:
        return
    differing: list[Example] = []
    by_name = {example.name: example for example in short}
    for run, duration in run_all(short, jobs, timeout, method, sparing=True):
        if run == known[run.example]:
            yield run, duration
        else:
            differing.append(by_name[run.example])
    renew(method)  # what is forked from may have been spared something
    yield from run_all(differing, jobs, timeout, method)


def _is_of(example: Example, run: Run | None) -> bool:
    """Whether a run is one of the present code."""
    return run is not None and run.digest == example.digest


def tried(
    environment: Environment, jobs: int, seed: int | None, part: Shard | None = None
) -> dict[str, dict[str, Tried]]:
    """Every cell of the matrix, or of a part, that can be tried here: by conversion, then source, in order of name."""
    able = [(c, s) for c, s in cells_of(part) if not find_missing((*c.needs, *s.needs), environment)]
    progress = Progress(len(able), f"cell{'s' * (len(able) != 1)} of the matrix tried", len(able), jobs)
    found: dict[str, dict[str, Tried]] = {}
    ordered = shuffled(able, seed)
    for some, at_a_time in apart(ordered, jobs, lambda pair: wants_gpu((*pair[0].needs, *pair[1].needs))):
        for (conversion, source), cell in run_cells(batches(some), at_a_time, context()):
            found.setdefault(conversion.name, {})[source.name] = cell
            progress.step(conversion.title)
    progress.end()
    return {name: dict(sorted(found[name].items())) for name in sorted(found)}


def cells_of(part: Shard | None) -> list[Pair]:
    """Cells of one part, in whole batches whatever this machine can try; all of them without one."""
    return [
        pair
        for batch in (batches(list_pairs()) if part is None else part.select(batches(list_pairs())))
        for pair in batch
    ]


def apart(
    things: Sequence[_Thing], jobs: int, on_gpu: Callable[[_Thing], bool]
) -> Iterator[tuple[list[_Thing], int]]:
    """What needs no GPU, then what does, each with how many may run at a time."""
    yield [thing for thing in things if not on_gpu(thing)], jobs
    yield [thing for thing in things if on_gpu(thing)], min(jobs, GPU_JOBS)


def summary(capture: Capture) -> str:
    """Where it ran, how the runs ended, and what was missing for those that could not begin."""
    where = capture.environment
    found = f"{where.device_count} × {where.device}" if where.device_count else "no GPU found"
    lines = [f"torch {where.torch}, NumPy {where.numpy}, {found}"]
    ended = Counter(str(run.status) for run in capture.runs if run.status is not Status.NOT_RUN)
    lines += [f"{_examples(count)} {status}" for status, count in sorted(ended.items())]
    missed = Counter(run.reason for run in capture.runs if run.status is Status.NOT_RUN)
    lines += [f"{_examples(count)} not run: {reason}" for reason, count in sorted(missed.items())]
    return "\n".join(lines)


def _examples(count: int) -> str:
    return "1 example" if count == 1 else f"{count} examples"


def _environment(method: Method) -> Environment:
    try:
        return detect_environment(method)
    except RuntimeError as error:
        raise UsageError(f"{error}\n    check that `python -c 'import torch, numpy'` works here") from None


def _sorted_by_need(examples: Sequence[Example], environment: Environment) -> tuple[list[Example], list[Run]]:
    able, unable = [], []
    for example in examples:
        reason = find_missing(example.tags, environment)
        if reason:
            unable.append(Run(example.name, example.digest, Status.NOT_RUN, reason))
        else:
            able.append(example)
    return able, unable


class Progress:
    """One line on a terminal's standard error that counts what is done, and tells how long the rest may take.

    Silent elsewhere, but for how long all took.
    """

    def __init__(self, total: int, what: str, work: float, jobs: int) -> None:
        self._total = total
        self._what = what
        self._work = work
        self._jobs = jobs
        self._done = 0
        self._worked = 0.0
        self._started = time.monotonic()
        self._shown = sys.stderr.isatty()

    def step(self, name: str, part: float = 1) -> None:
        """One more is done; ``part`` of the whole work was expected of it."""
        self._done += 1
        self._worked += part
        if self._shown:
            line = f"[{self._done}/{self._total}] {name}"
            # Before, most of what the time went into has not ended.
            if self._done >= self._jobs and self._worked > 0:
                left = (time.monotonic() - self._started) * max(self._work / self._worked - 1, 0)
                line += f", {span(left)} left"
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr)
        taken = time.monotonic() - self._started
        print(f"{self._done} {self._what} in {taken:.1f} s", file=sys.stderr)


def span(seconds: float) -> str:
    """Seconds as people say them, rounded up."""
    minutes, rest = divmod(math.ceil(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def refuse_unwritable(output: Path) -> None:
    """UsageError where no capture can be written, before anything is executed; makes the folder it will lie in."""
    with _partial(output) as partial:
        partial.touch()
        if output.is_dir():
            raise UsageError(f"{output}  is a folder\n    name a file for the capture")


def write(capture: Capture, output: Path) -> None:
    """Write the capture in one step: a reader sees the old file or the new one, never half of one."""
    text = json.dumps(encode_capture(capture), ensure_ascii=False)
    with _partial(output) as partial:
        partial.write_text(text, encoding="utf-8")
        partial.replace(output)


@contextlib.contextmanager
def _partial(output: Path) -> Iterator[Path]:
    """A file next to ``output`` to write to, gone afterwards; UsageError where that fails."""
    partial = output.parent / f"{output.name}.{os.getpid()}.partial"
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        yield partial
    except OSError as error:
        reason = error.strerror or error
        raise UsageError(
            f"{output}  cannot be written: {reason}\n    name a file in a folder you may write to"
        ) from None
    finally:
        with contextlib.suppress(OSError):  # it was never made, or has become the capture
            partial.unlink()


if __name__ == "__main__":
    sys.exit(main())
