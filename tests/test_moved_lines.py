"""Prose above an example moves its lines, in what it prints too: that is no difference."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from attacks_count import chances, is_full
from samples import CPU, ROOT, project, python

from tensor_atlas.checkout import project as checkouts
from tensor_atlas.checkout.project import Project
from tensor_atlas.compare.deviations import DEVIATIONS
from tensor_atlas.compare.judge import judge_capture
from tensor_atlas.compare.report import describe_differences
from tensor_atlas.compare.verdicts import compare_record
from tensor_atlas.examples.parse import Example
from tensor_atlas.history.own_lines import without_own_lines
from tensor_atlas.history.releases import summarize_environment
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.runs import Run
from tensor_atlas.probe.environment import detect
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


SPEAKING = re.compile(
    r"\b(inspect|traceback|linecache|lineno|logging|warnings|faulthandler|compile|__file__)\b"
)
"""With what an example may say where it is."""
DRAWN = 40
"""Other examples that a run draws; a full one takes all."""


def draw_examples(examples: Mapping[str, Example], runs: Mapping[str, Run]) -> set[str]:
    """Those that print a line of their own in these runs or may do so, and others by chance."""
    if is_full():
        return set(examples)
    printing = {
        name
        for name in examples.keys() & runs.keys()
        if any(without_own_lines(seen, name) != seen for seen in runs[name].observations)
    }
    speaking = printing | {name for name, one in examples.items() if SPEAKING.search(one.source)}
    others = sorted(set(examples) - speaking)
    assert len(printing) > 5
    return speaking | set(chances().sample(others, DRAWN))


@pytest.mark.slow
@pytest.mark.sampled
def test_prose_in_an_example_makes_no_difference(tmp_path: Path) -> None:
    """Examples of the site, moved by a line of prose, against their claims and all records."""
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
    environment = detect()
    if environment.id not in committed.environments:
        pytest.skip(f"no records of {summarize_environment(environment)}")
    drawn = draw_examples(examples, committed.runs(environment.id))
    examples = {name: one for name, one in examples.items() if name in drawn}
    capture = checkouts.run_probe(here, [tmp_path / one.path for one in examples.values()])
    deviations = checkouts.deviations_of(Project(ROOT), original)
    verdicts = judge_capture(examples, capture, committed, deviations)
    # A deviation may be needed by an example that was not drawn: the gate tells.
    drift = describe_differences(one for one in verdicts if one.is_drift and one.path != DEVIATIONS)
    assert drift == [], "\n\n".join(drift[:20])
