"""What is executed, and what is known from before: the capture that drift and the site share."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from samples import CPU, GPU, captured, example, project, ran, write_example

from tensor_atlas import cli
from tensor_atlas.checkout import cache, execution
from tensor_atlas.checkout.execution import find_disagreeing
from tensor_atlas.checkout.project import Project, examples_of
from tensor_atlas.compare.judge import judge_capture
from tensor_atlas.compare.verdicts import compare_run
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.runs import Environment, Run, Status
from tensor_atlas.records.fold import Record
from tensor_atlas.records.store import Store

BOTH = ["01_x/a", "02_y/b"]


@dataclass
class Checkout:
    """Project with two examples, and a probe that notes what it is asked for instead of running it."""

    here: Project
    executed: list[list[str]] = field(default_factory=list)
    """Names of the examples of each call."""
    environment: Environment = CPU
    """Where the probe believes to be."""
    end: tuple[Status, str, str] = (Status.COMPLETED, "", "")
    """How its runs end: status, reason, and what stopped their process later."""
    said: list[str] = field(default_factory=list)
    prints: dict[str, Iterator[str]] = field(default_factory=dict)
    """What an example prints in each of its runs; 1 where nothing is said."""

    def start_probe(self, _: Project, paths: Sequence[Path], __: int | None) -> Finished:
        """A probe that has run nothing."""
        wanted = {path.resolve() for path in paths}
        examples = examples_of(self.here).values()
        found = [each for each in examples if (self.here.root / each.path).resolve() in wanted]
        self.executed.append([example.name for example in found])
        status, reason, stopped = self.end
        printed = [(each, next(self.prints.get(each.name, itertools.repeat("1")))) for each in found]
        runs = [
            replace(ran(each, text), status=status, reason=reason, stopped=stopped) for each, text in printed
        ]
        return Finished(captured(*runs, environment=self.environment))

    def capture(self, *names: str, again: bool = False, is_clean: bool = True) -> Capture:
        """Capture of these examples, or of all; ``is_clean``: no drift was found in it."""
        paths = [self.here.examples / f"{name}.py" for name in names]
        running = execution.begin(self.here, examples_of(self.here, paths), self.said.append, again=again)
        capture = running.finish()
        if is_clean:
            execution.settle(running, capture)
        return capture


@dataclass(frozen=True)
class Finished:
    """A probe that has ended."""

    found: Capture

    def finish(self) -> Capture:
        """Its capture."""
        return self.found


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    """The project; the working directory."""
    made = Checkout(Project(project(tmp_path / "checkout")))
    for name in BOTH:
        write_example(made.here.root, "print(1)\n# => 1\n", name)
    monkeypatch.setattr("tensor_atlas.checkout.project.start_probe", made.start_probe)
    monkeypatch.chdir(made.here.root)
    return made


def test_unchanged_examples_are_not_executed_again(checkout: Checkout) -> None:
    """The second answer is the first."""
    assert checkout.capture() == checkout.capture()
    assert checkout.executed == [BOTH]
    assert checkout.said == ["executing 2 of 2 examples", "nothing to execute, 2 examples unchanged"]


def test_changed_example_is_executed_alone(checkout: Checkout) -> None:
    """The other run is kept as it was."""
    checkout.capture()
    write_example(checkout.here.root, "print(2)\n# => 2\n")
    assert [run.example for run in checkout.capture().runs] == BOTH
    assert checkout.executed == [BOTH, ["01_x/a"]]


def test_example_that_is_gone_is_not_in_the_capture(checkout: Checkout) -> None:
    """Nor executed."""
    checkout.capture()
    (checkout.here.examples / "01_x/a.py").unlink()
    assert [run.example for run in checkout.capture().runs] == ["02_y/b"]
    assert checkout.executed == [BOTH]


def test_run_of_one_example_keeps_the_cached_runs_of_others(checkout: Checkout) -> None:
    """With their days; what has been removed is forgotten, and what has changed is executed."""
    checkout.capture()
    checkout.environment = replace(CPU, date="2026-12-01")
    write_example(checkout.here.root, "print(2)\n# => 2\n")
    assert [run.example for run in checkout.capture("01_x/a").runs] == ["01_x/a"]
    capture = checkout.capture()
    assert checkout.executed == [BOTH, ["01_x/a"]]
    assert [capture.environment_of(name).date for name in BOTH] == ["2026-12-01", CPU.date]
    write_example(checkout.here.root, "print(3)\n# => 3\n", "02_y/b")
    checkout.capture("01_x/a", again=True)
    checkout.capture()
    assert checkout.executed[2:] == [["01_x/a"], ["02_y/b"]]
    (checkout.here.examples / "02_y" / "b.py").unlink()
    checkout.capture("01_x/a", again=True)
    kept = (checkout.here.root / cache.FOLDER / execution.KEYS).read_text(encoding="utf-8")
    assert list(json.loads(kept)["keys"]) == ["01_x/a"]


def test_example_that_raised_as_documented_stays_cached_beside_another(checkout: Checkout) -> None:
    """A run of one example does not forget what was settled of the other."""
    checkout.end = Status.RAISED, "RuntimeError", ""
    checkout.capture()
    checkout.capture("01_x/a", again=True)
    checkout.capture()
    assert checkout.executed == [BOTH, ["01_x/a"]]


def test_day_of_a_cached_run_is_kept(checkout: Checkout) -> None:
    """Beside that of a new one."""
    checkout.capture()
    checkout.environment = replace(CPU, date="2026-12-01")
    write_example(checkout.here.root, "print(2)\n# => 2\n")
    capture = checkout.capture()
    assert [capture.environment_of(name).date for name in BOTH] == ["2026-12-01", CPU.date]


def test_other_machine_than_its_key_said_runs_everything(checkout: Checkout) -> None:
    """A GPU that has come is seen when the probe has run."""
    checkout.capture()
    checkout.environment = GPU
    write_example(checkout.here.root, "print(2)\n# => 2\n")
    capture = checkout.capture()
    assert (capture.environment, len(capture.runs)) == (GPU, 2)
    assert checkout.executed == [BOTH, ["01_x/a"], BOTH]


@pytest.mark.parametrize(
    ("end", "is_clean", "is_kept"),
    [
        ((Status.RAISED, "RuntimeError", ""), True, True),
        ((Status.RAISED, "RuntimeError", ""), False, False),
        ((Status.RAISED, "RuntimeError", "crashed: SIGKILL"), True, False),
        ((Status.RAISED, "MemoryError", ""), True, False),
        ((Status.TIMED_OUT, "no end after 60 s", ""), True, False),
        ((Status.CRASHED, "SIGSEGV", ""), True, False),
    ],
)
def test_run_that_did_not_complete_is_kept_where_it_is_documented(
    checkout: Checkout, end: tuple[Status, str, str], *, is_clean: bool, is_kept: bool
) -> None:
    """One that raises as documented would raise again; one that was cut short may not be."""
    checkout.end = end
    checkout.capture(is_clean=is_clean)
    checkout.capture(is_clean=is_clean)
    assert checkout.executed == ([BOTH] if is_kept else [BOTH, BOTH])


@pytest.mark.parametrize("name", [execution.CAPTURE, execution.KEYS])
@pytest.mark.parametrize("text", ["", "{", "[]", "{}", None])
def test_cache_that_cannot_be_read_is_made_anew(checkout: Checkout, name: str, text: str | None) -> None:
    """Whoever wrote it was interrupted; or it is a named pipe, which a reader would wait for."""
    checkout.capture()
    path = checkout.here.root / cache.FOLDER / name
    if text is None:
        path.unlink()
        os.mkfifo(path)
    else:
        path.write_text(text, encoding="utf-8")
    checkout.capture()
    assert checkout.executed == [BOTH, BOTH]
    assert path.is_file()


def test_place_that_cannot_be_written_costs_only_the_cache(checkout: Checkout) -> None:
    """What was observed is reported all the same."""
    folder = checkout.here.root / cache.FOLDER
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("in the way", encoding="utf-8")
    assert len(checkout.capture().runs) == 2


def test_report_without_drift_is_repeated_until_something_changes(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the cache, without asking the probe; what differs runs a second time for each report."""
    assert cli.main(["drift"]) == 0
    first = capsys.readouterr().out
    assert cli.main(["drift"]) == 0
    assert capsys.readouterr().out == first
    assert checkout.executed == [BOTH]
    write_example(checkout.here.root, "print(1)\n# => 2\n")
    assert cli.main(["drift"]) == 1
    assert checkout.executed == [BOTH, ["01_x/a"], ["01_x/a"]]
    assert cli.main(["drift"]) == 1
    assert checkout.executed == [BOTH, *[["01_x/a"]] * 3]


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_report_that_is_no_file_costs_nothing_else(checkout: Checkout, make: Callable[[Path], None]) -> None:
    """A named pipe is not waited for, and a folder stays."""
    report = checkout.here.root / cache.FOLDER / cache.REPORT
    report.parent.mkdir(parents=True)
    make(report)
    assert cli.main(["drift"]) == 0
    assert report.is_dir() or report.is_file()


# --- examples that are not the same each time ------------------------------------------------------

ONE = example("print(1)\n# => 1\n")


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        (ran(ONE, "1"), set()),
        (ran(ONE, "2"), {ONE.name}),
        (ran(ONE, "2", status=Status.RAISED, reason="ValueError"), {ONE.name}),
        (ran(ONE, "", status=Status.RAISED, reason="MemoryError"), set()),
        (ran(ONE, "", status=Status.TIMED_OUT, reason="no end after 60 s"), set()),
        (ran(ONE, "", status=Status.CRASHED, reason="SIGKILL"), set()),
    ],
)
def test_run_that_contradicts_its_claims_is_repeated(run: Run, expected: set[str]) -> None:
    """Not one that timed out or died, as runs do under load: it is reported as it is."""
    verdicts = compare_run(ONE, run, CPU, ())
    assert find_disagreeing({ONE.name: ONE}, captured(run), verdicts) == expected


@pytest.mark.parametrize("record", [None, Record(ONE.name, {CPU.id: replace(ran(ONE, "1"), digest="older")})])
def test_run_without_a_record_of_this_code_is_not_repeated(record: Record | None) -> None:
    """Whoever has edited an example waits for no second run."""
    other = Record("01_x/b", {CPU.id: ran(ONE, "1")})
    records = {other.example: other} | ({} if record is None else {ONE.name: record})
    store = Store({CPU.id: CPU, GPU.id: GPU}, records)
    capture = captured(ran(ONE, "1"))
    verdicts = judge_capture({ONE.name: ONE}, capture, store, ())
    assert find_disagreeing({ONE.name: ONE}, capture, verdicts) == set()


@pytest.fixture
def flips(checkout: Checkout) -> Checkout:
    """The project; its first example prints 1 and 2 in turn."""
    checkout.prints["01_x/a"] = itertools.cycle("12")
    return checkout


def test_example_that_differs_is_drift_though_its_second_run_holds(
    flips: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    """The report says that it is not the same each time; its run is not cached, the other one is."""
    write_example(flips.here.root, "print(1)\n# => 2\n")
    assert cli.main(["drift"]) == 1
    report = capsys.readouterr().out
    assert "a.py:9  claim differs" in report
    assert "a.py:8  not the same each time" in report
    assert "in 1 of 2 runs:\n               1" in report
    assert "b.py" not in report
    assert cli.main(["drift"]) == 1
    assert flips.executed == [BOTH, *[["01_x/a"]] * 3]


@pytest.mark.usefixtures("flips")
def test_again_with_a_number_names_what_is_not_the_same_each_time(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Though the first run holds, and the third."""
    assert cli.main(["drift", "--again", "3", "--format", "json"]) == 1
    (verdict,) = [v for v in json.loads(capsys.readouterr().out) if v["kind"] == "differs"]
    assert (verdict["path"], verdict["what"]) == ("examples/01_x/a.py", "not the same each time")
    assert verdict["statement"] == "print(1)"
    assert verdict["observed"] == ["in 2 of 3 runs:", "1", "in 1 of 3 runs:", "2"]


@pytest.mark.parametrize("text", ["0", "examples/01_x/a.py", "two"])
def test_what_follows_again_is_a_number(text: str) -> None:
    """Not an example, and not 0."""
    with pytest.raises(SystemExit):
        cli.main(["drift", "--again", text])
