"""Plants small bugs in copies of the source, one at a time, and prints those that no test of the module saw.

    python tests/plant_bugs.py --seed 1 --count 60

Run it with the Python that runs the tests. A bug inverts a condition, moves a bound or a number by one, swaps
``and`` with ``or`` or two arguments, or removes a returned value or a statement. Against it run the tests of
the file that has the module's name; where there is none, those of the quick files that import the module,
else of the builds that do, else of the builds that name it. The same files also run once without a bug.

Exit code: 0 where each bug was seen, 1 where one survived, 2 where the tests fail without a bug.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import functools
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from measure_house import list_imports, list_modules

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
SLOW = "extension"
"""Folder of tests that take minutes."""
LEFT_OUT = ("attacks", "browser", "cases", "cuda")
"""Folders whose tests do not run here."""
SPARED = ("forkserver", "processes", "sandbox")
"""Modules that end processes: with a bug they might end those of somebody else."""
FAILED = (1, 2, 3, 4)
"""Exit codes of pytest where a test fails, or its file cannot even be imported."""
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
NEVER_TRUE = ("TYPE_CHECKING", "__name__ == '__main__'")
"""Conditions of statements that do not run when a module is imported."""
EMPTY = {"str": '""', "list": "[]", "tuple": "()", "dict": "{}", "set": "set()", "Iterator": "iter(())"}
"""What is returned instead, by the type that a function says it returns; None for other types."""


@dataclass(frozen=True)
class Bug:
    """One change of one place."""

    module: str
    """Full name of the module."""
    path: Path
    kind: str
    """What was done, in a few words."""
    line: int
    start: int
    """First byte of what is replaced."""
    stop: int
    """Byte behind it."""
    text: str
    """What stands there instead."""

    def apply(self, source: bytes) -> bytes:
        """The source with the bug."""
        return source[: self.start] + self.text.encode() + source[self.stop :]

    def describe(self) -> str:
        """``src/tensor_atlas/files.py:53  condition inverted: a -> not (a)``."""
        before = " ".join(self.path.read_bytes()[self.start : self.stop].decode().split())
        place = f"{self.path.relative_to(ROOT)}:{self.line}" if self.path.is_relative_to(ROOT) else self.line
        return f"{place}  {self.kind}: {before[:70]} -> {' '.join(self.text.split())[:70]}"


# --- places for bugs --------------------------------------------------------------------------------


def list_bugs(module: str, path: Path) -> list[Bug]:
    """Every bug that can be planted in a module, in order of place."""
    source = path.read_bytes()
    offsets = [0]
    for line in source.splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))
    bugs = []
    tree = ast.parse(source)
    for node in _walk_code(tree):
        for kind, part, text in _change(node):
            start = offsets[part.lineno - 1] + part.col_offset
            stop = offsets[(part.end_lineno or part.lineno) - 1] + (part.end_col_offset or 0)
            bugs.append(Bug(module, path, kind, part.lineno, start, stop, text))
    return sorted(bugs, key=lambda bug: (bug.start, bug.stop, bug.kind))


def _walk_code(node: ast.AST) -> Iterator[ast.AST]:
    """Nodes but for annotations, type checks, and f-strings: Python 3.11 does not know the places in them."""
    if isinstance(node, ast.JoinedStr):
        return
    if isinstance(node, ast.If) and ast.unparse(node.test) in NEVER_TRUE:
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.AST):
                _note_returns(node, part)
                yield from _walk_code(part)


def _note_returns(parent: ast.AST, part: ast.AST) -> None:
    """Keep with each node the type that the function around it says it returns."""
    around = ast.unparse(parent.returns) if isinstance(parent, ast.FunctionDef) and parent.returns else None
    part.returns_ = around or getattr(parent, "returns_", "")  # type: ignore[attr-defined]


Change = tuple[str, ast.expr | ast.stmt, str]
"""What is done, the node that is replaced, and by what."""


def _change(node: ast.AST) -> Iterator[Change]:
    """Changes of one node."""
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        yield _invert(node.test)
    elif isinstance(node, ast.comprehension):
        yield from map(_invert, node.ifs)
    elif isinstance(node, ast.stmt):
        yield from _change_statement(node)
    elif isinstance(node, ast.expr):
        yield from _change_expression(node)


def _change_statement(node: ast.stmt) -> Iterator[Change]:
    if isinstance(node, ast.Return):
        yield from _change_return(node)
    elif _is_removable(node):
        yield "statement removed", node, "pass"


def _change_expression(node: ast.expr) -> Iterator[Change]:
    if isinstance(node, ast.Compare):
        yield _change_comparison(node)
    elif isinstance(node, ast.BoolOp):
        yield _change_operator(node)
    elif isinstance(node, ast.Constant):
        yield from _change_constant(node)
    elif isinstance(node, ast.Call):
        yield from _swap_arguments(node)


def _invert(test: ast.expr) -> Change:
    return "condition inverted", test, f"(not ({ast.unparse(test)}))"


def _change_comparison(node: ast.Compare) -> Change:
    changed = copy.copy(node)
    changed.ops = [COMPARISONS[type(node.ops[0])](), *node.ops[1:]]
    return "comparison changed", node, f"({ast.unparse(changed)})"


def _change_operator(node: ast.BoolOp) -> Change:
    changed = copy.copy(node)
    changed.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    return "and/or swapped", node, f"({ast.unparse(changed)})"


def _change_constant(node: ast.Constant) -> Iterator[Change]:
    if isinstance(node.value, bool):
        yield "constant changed", node, str(not node.value)
    elif isinstance(node.value, int):
        yield "off by one", node, str(node.value + 1)


def _swap_arguments(node: ast.Call) -> Iterator[Change]:
    if len(node.args) < 2 or any(isinstance(argument, ast.Starred) for argument in node.args[:2]):
        return
    if ast.unparse(node.func) == "isinstance":
        return
    changed = copy.copy(node)
    changed.args = [node.args[1], node.args[0], *node.args[2:]]
    yield "arguments swapped", node, ast.unparse(changed)


def _change_return(node: ast.Return) -> Iterator[Change]:
    if node.value is None:
        return
    said = getattr(node, "returns_", "")
    if said == "bool":
        text = f"(not ({ast.unparse(node.value)}))"
    elif said == "int":
        text = f"({ast.unparse(node.value)}) + 1"
    else:
        text = EMPTY.get(said.partition("[")[0], "None")
    if text != ast.unparse(node.value).replace("''", '""'):
        yield "returned value replaced", node.value, text


def _is_removable(node: ast.stmt) -> bool:
    """Whether a statement can go without leaving a name that nothing makes."""
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Constant)
    return isinstance(node, ast.AugAssign | ast.Continue | ast.Break)


def choose_bugs(bugs: Iterable[Bug], count: int, seed: int) -> list[Bug]:
    """So many bugs by chance: first the kind, then the place, none of them twice."""
    chance = random.Random(seed)
    by_kind: dict[str, list[Bug]] = {}
    for bug in bugs:
        by_kind.setdefault(bug.kind, []).append(bug)
    chosen: list[Bug] = []
    while len(chosen) < count and by_kind:
        kind = chance.choice(sorted(by_kind))
        places = by_kind[kind]
        chosen.append(places.pop(chance.randrange(len(places))))
        if not places:
            del by_kind[kind]
    return chosen


# --- tests of a module ------------------------------------------------------------------------------


def find_tests(module: str, modules: Iterable[str]) -> list[Path]:
    """Test files of a module: that with its name; else those that import it; else builds that name it."""
    _, *rooms, name = module.split(".")
    file = f"test_{name}.py"
    # Tests of a room's sub-rooms lie together.
    names = (Path(*rooms[:1], file), Path(file), Path(SLOW, f"test_extension_{name}.py"))
    mirrors = [TESTS / path for path in names if (TESTS / path).is_file()]
    imports = _read_imports(frozenset(modules))
    # tests/test_files.py is of the module ``files``; examples/files.py has the same name.
    others = [TESTS / file] if rooms and module not in imports.get(TESTS / file, ()) else []
    own = [path for path in mirrors if path not in others]
    if own:
        return own[:1]
    importing = [path for path, found in imports.items() if module in found]
    quick = [path for path in importing if path.parent.name != SLOW]
    builds = [path for path in imports if _is_build_that_names(path, name)]
    return quick or importing or mirrors or builds


def _is_build_that_names(path: Path, name: str) -> bool:
    if path.parent.name != SLOW:
        return False
    return re.search(rf"\b{name}\b", path.read_text(encoding="utf-8")) is not None


@functools.cache
def _read_imports(modules: frozenset[str]) -> dict[Path, set[str]]:
    """What each test file imports, but for those that never run here."""
    paths = sorted(TESTS.rglob("test_*.py"))
    running = [path for path in paths if path.relative_to(TESTS).parts[0] not in LEFT_OUT]
    return {path: list_imports(path, modules) for path in running}


# --- running ----------------------------------------------------------------------------------------


def run_tests(tests: Sequence[Path], source: Path, seconds: float) -> str:
    """How tests end with this source on the path: ``passed``, ``failed``, or ``late`` when time is up."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *map(str, tests)]
    environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        code = process.wait(seconds)
    except subprocess.TimeoutExpired:
        return "late"
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return "failed" if code in FAILED or code < 0 else "passed"


def copy_source(folder: Path) -> Path:
    """A copy of the source, to be put on the path."""
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
    return folder / "src"


def try_bug(bug: Bug, tests: Sequence[Path], seconds: float) -> str:
    """How the tests end with the bug, in a copy of its own."""
    with tempfile.TemporaryDirectory(prefix="plant_bugs") as folder:
        source = copy_source(Path(folder))
        path = source / bug.path.relative_to(ROOT / "src")
        path.write_bytes(bug.apply(path.read_bytes()))
        return run_tests(tests, source, seconds)


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant the bugs, and print those that survived."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="what the choice of places begins with")
    parser.add_argument("--count", type=int, default=60, help="how many bugs")
    parser.add_argument("--seconds", type=float, default=300, help="time for the tests of one module")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="bugs that are tried at a time")
    parser.add_argument("--only", default="", help="modules whose full name holds this")
    parser.add_argument("--list", action="store_true", help="print the bugs and their tests alone")
    asked = parser.parse_args(arguments)
    modules = list_modules(ROOT / "src" / "tensor_atlas")
    named = {module: path for module, path in modules.items() if "." in module and asked.only in module}
    bugs = [bug for module, path in named.items() for bug in list_bugs(module, path)]
    bugs = [bug for bug in bugs if bug.path.stem not in SPARED]
    chosen = choose_bugs(bugs, asked.count, asked.seed)
    tests = {module: find_tests(module, modules) for module in {bug.module for bug in chosen}}
    if asked.list:
        for bug in chosen:
            print(bug.describe(), [path.name for path in tests[bug.module]])
        return 0
    return _plant(chosen, tests, asked.seconds, asked.jobs)


def _plant(chosen: Sequence[Bug], tests: dict[str, list[Path]], seconds: float, jobs: int) -> int:
    """Try each bug, and each test file without one; print how many bugs were seen."""
    ends = {"passed": "survived", "failed": "seen", "late": "no answer in time"}

    def try_one(bug: Bug) -> str:
        began = time.monotonic()
        result = ends[try_bug(bug, tests[bug.module], seconds)] if tests[bug.module] else "survived"
        print(f"{result:9} {time.monotonic() - began:4.0f} s  {bug.describe()}", flush=True)
        return result

    files = sorted({path for paths in tests.values() for path in paths})
    with ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(try_one, chosen))
        without = list(pool.map(lambda path: run_tests([path], ROOT / "src", seconds), files))
    failing = [path for path, end in zip(files, without, strict=True) if end != "passed"]
    for path in failing:
        print(f"fails without a bug, or takes too long: {path}; what it says of its modules does not count")
    pairs = zip(chosen, results, strict=True)
    counted = [result for bug, result in pairs if set(failing).isdisjoint(tests[bug.module])]
    counts = Counter(counted)
    print("; ".join(f"{count} {result}" for result, count in sorted(counts.items())))
    return 2 if failing else int(counts["survived"] > 0)


if __name__ == "__main__":
    sys.exit(main())
