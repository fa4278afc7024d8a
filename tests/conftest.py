"""What is expensive and shared: the probe run on all cases, and the gate run on the planted faults."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path

import pytest
from samples import Planted, captured, project, python, ran

from tensor_atlas.examples.parse import parse_example
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.runs import Environment, Raised, Run, Snapshot
from tensor_atlas.records import store

with contextlib.suppress(ModuleNotFoundError):  # sessions browser and gpu have no properties to try
    from hypothesis import HealthCheck, settings

    # A property is about values: neither a limit of 200 ms nor one on drawing fails it under load.
    settings.register_profile("timeless", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("timeless")

ABSENT = re.compile(
    r"No module named '(torch|numpy|sphinx|sphinx_gallery|docutils|bs4|jinja2|markupsafe|nbformat|markdown_it"
    r"|psutil)\b"
)
"""What Python says of the packages that the session ``unit`` does not install."""
RUNS_PROBE = {"capture", "planted"}
"""Fixtures that execute examples."""
STARTS_PROCESS = {"subprocess", "python", "run_examples"}
"""Names with which a test file starts a process."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the session ``unit``, and of a run that does not repeat it."""
    words = "leave out tests that import torch or Sphinx, or start a process, which may need them"
    parser.addoption("--unit", action="store_true", help=words)
    parser.addoption("--note-passed", metavar="FILE", help="write the names of the tests that passed")
    parser.addoption("--leave-out", metavar="FILE", help="leave out the tests that FILE says have passed")


def pytest_configure(config: pytest.Config) -> None:
    """With ``--note-passed``, the process that reports notes what passed."""
    path = config.getoption("note_passed")
    if path and not hasattr(config, "workerinput"):
        config.pluginmanager.register(PassedTests(Path(path)))


class PassedTests:
    """Names of the tests that passed, for a later run to leave them out."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.names: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A skipped test has not passed, nor has one that is expected to fail."""
        if report.when == "call" and report.passed and not hasattr(report, "wasxfail"):
            self.names.append(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Write them."""
        self.path.write_text(json.dumps(self.names), encoding="utf-8")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """With ``--unit``, a file that cannot be imported for want of torch or Sphinx is left out."""
    report = yield
    absent = ABSENT.search(report.longreprtext) if report.failed else None
    if absent and collector.config.getoption("unit"):
        report.outcome = "skipped"
        report.longrepr = (str(collector.path), 1, f"Skipped: needs {absent[1]}")
    return report


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With ``--unit``, no folder of tests that build pages: its own conftest.py needs Sphinx."""
    return True if config.getoption("unit") and collection_path.name == "extension" else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With ``--unit``, leave out tests that start a process; with ``--leave-out``, what has passed."""
    path = config.getoption("leave_out")
    passed = set(json.loads(Path(path).read_text(encoding="utf-8"))) if path else set()
    is_unit = config.getoption("unit")
    left_out = {item for item in items if item.nodeid in passed or (is_unit and starts_process(item))}
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]


def starts_process(item: pytest.Item) -> bool:
    """Whether a test's file can start a process, or its fixtures do: it may need torch there."""
    names = vars(item.module) if isinstance(item, pytest.Function) else {}
    fixtures = set(getattr(item, "fixturenames", ()))
    if item.get_closest_marker("probe"):
        return True
    return not STARTS_PROCESS.isdisjoint(names) or not RUNS_PROBE.isdisjoint(fixtures)


HANGS = '"13_endings/hangs" = 3'
"""Seconds that the one example that never ends may take."""

DEVIATIONS = """
[[deviation]]
example = "15_deviations/explained"
statement = 'print("observed")'
environments = ["torch < 99"]
reason = "For the test."

[[deviation]]
example = "15_deviations/ends"
statement = "print(unknown)"
environments = ["torch < 99"]
ends = "NameError: name 'unknown' is not defined"
reason = "For the test."

[[deviation]]
example = "15_deviations/newest"
statement = 'print("observed")'
environments = ["torch >= 1"]
reason = "For the test."

[[deviation]]
example = "15_deviations/pinned"
statement = 'print("observed")'
environments = ["torch >= 1"]
output = ["neither claimed nor observed"]
reason = "For the test."

[[deviation]]
example = "15_deviations/not_needed"
statement = 'print("fine")'
environments = ["torch >= 1"]
reason = "For the test."
"""

NEXT_RELEASE = {
    "15_deviations/explained": ("claimed",),
    "15_deviations/ends": ("before", "found", "after"),
}
"""What a later release than the one here has printed, as two examples claim: what happens here is the
exception."""


@pytest.fixture(scope="session")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Project of all cases that can be read."""
    folder = tmp_path_factory.mktemp("planted") / "checkout"
    return project(folder, "good", "failing", timeouts=HANGS)


@pytest.fixture(scope="session")
def capture(everything: Path) -> Capture:
    """Capture of all cases, four at a time."""
    temporary = everything.parent / "tmp"
    temporary.mkdir()
    arguments = ("-m", "tensor_atlas.probe", "examples", "-o", "capture.json", "-j", "4")
    done = python(everything, *arguments, TMPDIR=str(temporary))
    assert done.returncode == 0, done.stderr
    return store.read_capture(everything / "capture.json")


@pytest.fixture(scope="session")
def run_of(capture: Capture) -> Callable[[str], Run]:
    """Run of one case by name."""
    runs = {run.example: run for run in capture.runs}
    return runs.__getitem__


@pytest.fixture(scope="session")
def again(everything: Path, capture: Capture) -> Capture:
    """Capture of the good cases made after the first one, one at a time."""
    good = sorted({run.example.split("/")[0] for run in capture.runs if run.example < "1"})
    folders = [f"examples/{chapter}" for chapter in good]
    done = python(everything, "-m", "tensor_atlas.probe", *folders, "-o", "again.json", "-j", "1")
    assert done.returncode == 0, done.stderr
    return store.read_capture(everything / "again.json")


@pytest.fixture(scope="session")
def planted(everything: Path, capture: Capture) -> Planted:
    """What the gate says, once every example has a record and four of the records are wrong."""
    committed = store.add_capture(store.Store(), capture)
    records = dict(committed.records)
    for name, spoil in SPOILED.items():
        here = capture.environment.id
        records[name] = replace(records[name], runs={here: spoil(records[name].runs[here])})
    committed = store.add_capture(
        store.Store(committed.environments, records), _of_next_release(everything, capture.environment)
    )
    store.write_records(committed, everything / "docs" / "records")
    (everything / "docs" / "deviations.toml").write_text(DEVIATIONS, encoding="utf-8")
    done = python(
        everything, "-m", "tensor_atlas.cli", "drift", "--format", "json", "-j", str(os.cpu_count() or 2)
    )
    assert done.returncode == 1, done.stderr
    return Planted(everything, tuple(json.loads(done.stdout)), done.returncode)


def _of_next_release(everything: Path, environment: Environment) -> Capture:
    paths = {f"examples/{name}.py": printed for name, printed in NEXT_RELEASE.items()}
    runs = (
        ran(parse_example((everything / path).read_text("utf-8"), path), *printed)
        for path, printed in paths.items()
    )
    return captured(*runs, environment=replace(environment, torch="99.0.0"))


def _stale(run: Run) -> Run:
    return replace(run, digest="0123456789abcdef")


def _without_sharing(run: Run) -> Run:
    return replace(run, snapshots=tuple(_separate(snapshot) for snapshot in run.snapshots))


def _separate(snapshot: Snapshot) -> Snapshot:
    """The values with a buffer of its own for each, as if every one were a copy."""
    buffers = tuple(snapshot.buffers[value.buffer or 0] for value in snapshot.values)
    values = tuple(replace(value, buffer=number) for number, value in enumerate(snapshot.values))
    return replace(snapshot, values=values, buffers=buffers, shares=())


def _caught_another(run: Run) -> Run:
    other = Raised("TypeError", "another message")
    return replace(run, observations=tuple(replace(o, caught=(other,)) for o in run.observations))


SPOILED: dict[str, Callable[[Run], Run]] = {
    "14_records/stale": _stale,
    "14_records/sharing": _without_sharing,
    "14_records/caught": _caught_another,
}
"""Example → what its committed record wrongly says."""
