"""Prose above an example moves its lines, in what it prints too: that is no difference."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from samples import CPU, ROOT, project, python

from tensor_atlas.checkout import project as checkouts
from tensor_atlas.checkout.project import Project
from tensor_atlas.compare.judge import judge_capture
from tensor_atlas.compare.report import describe_differences
from tensor_atlas.compare.verdicts import compare_record
from tensor_atlas.history.releases import summarize_environment
from tensor_atlas.model.capture import Capture
from tensor_atlas.records import store
from tensor_atlas.records.fold import Record

HEAD = '"""\nLines\n=====\n\nPrints its own lines.\n"""\n'
PROSE = "\n# %%\n# A line of prose, which moves all that stands below it.\n"

QUOTING = {
    "warned": """\
import warnings

warnings.showwarning = lambda *what: print(warnings.formatwarning(*what[:4]))
warnings.warn("slow")
""",
    "nested": """\
import traceback

def inner():
    raise ValueError("no")

def outer():
    inner()

try:
    outer()
except ValueError:
    traceback.print_exc(file=sys.stdout)
""",
    "quoted": """\
import traceback

def fail():
    raise ValueError("no")

try:
    try:
        fail()
    except ValueError:
        raise RuntimeError("a worker said: " + traceback.format_exc())
except RuntimeError as error:
    print(type(error))
""",
    "logged": """\
import logging

logging.basicConfig(format="%(filename)s:%(lineno)d %(message)s", stream=sys.stdout, force=True)
logging.warning("slow")
""",
    "dumped": """\
import faulthandler

faulthandler.dump_traceback(sys.stderr, all_threads=False)
""",
    "described": """\
def f():
    return sys._getframe()

print(f.__code__, f(), sep="\\n")
""",
    "late": """\
import atexit

atexit.register(lambda: print(sys._getframe()))
""",
}
"""Scripts that print where they are, as Python does."""
COUNTING = {
    "frame": "import inspect\n\nprint(inspect.currentframe().f_lineno)\n",
    "words": 'print("line", sys._getframe().f_lineno)\n',
    "logged": """\
import logging

logging.basicConfig(format="%(lineno)d", stream=sys.stdout, force=True)
logging.warning("slow")
""",
}
"""Scripts that print a number, which may be anything."""


def _capture_moved(folder: Path, codes: dict[str, str]) -> tuple[Capture, Capture]:
    """Captures of scripts, and of the same scripts under a line of prose."""
    root = project(folder)
    captures = []
    for prose in ("", PROSE):
        for name, code in codes.items():
            path = root / "examples" / "01_x" / f"{name}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{HEAD}{prose}\nimport sys\n{code}", encoding="utf-8")
        done = python(root, "-m", "tensor_atlas.probe", "examples", "-o", "capture.json")
        assert done.returncode == 0, done.stderr
        captures.append(store.read_capture(root / "capture.json"))
    return captures[0], captures[1]


def _list_differing(folder: Path, codes: dict[str, str]) -> list[str]:
    """Scripts that differ from the record that was made of them before prose moved their lines."""
    before, after = _capture_moved(folder, codes)
    examples = checkouts.examples_of(Project(folder))
    differing = []
    for then, now in zip(before.runs, after.runs, strict=True):
        record = Record(now.example, {CPU.id: then})
        assert then != now, "prints no line of its own"
        if compare_record(examples[now.example], now, CPU, record):
            differing.append(now.example.removeprefix("01_x/"))
    return differing


def test_place_as_python_prints_it_may_move(tmp_path: Path) -> None:
    """In warnings, tracebacks, those that messages quote, logs, dumps, frames, and behind all statements."""
    assert _list_differing(tmp_path, QUOTING) == []


def test_number_that_a_script_prints_may_not(tmp_path: Path) -> None:
    """Without the name of the script it is a value."""
    assert _list_differing(tmp_path, COUNTING) == sorted(COUNTING)


@pytest.mark.slow
def test_prose_in_each_example_makes_no_difference(tmp_path: Path) -> None:
    """Every example of the site, moved by a line of prose, against its claims and all records."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "docs").mkdir()
    for path in sorted((tmp_path / "examples").glob("*/*.py")):
        head, docstring, code = path.read_text(encoding="utf-8").split('"""', 2)
        path.write_text(f'{head}"""{docstring}"""\n{PROSE}{code}', encoding="utf-8")
    here = Project(tmp_path)
    examples = checkouts.examples_of(here)
    original = checkouts.examples_of(Project(ROOT))
    assert {name: one.digest for name, one in examples.items()} == {n: o.digest for n, o in original.items()}
    committed = checkouts.records_of(Project(ROOT), original, matrix=False)
    capture = checkouts.run_probe(here, [here.examples])
    if capture.environment.id not in committed.environments:
        pytest.skip(f"no records of {summarize_environment(capture.environment)}")
    deviations = checkouts.deviations_of(Project(ROOT), original)
    verdicts = judge_capture(examples, capture, committed, deviations)
    drift = describe_differences(verdict for verdict in verdicts if verdict.is_drift)
    assert drift == [], "\n\n".join(drift[:20])
