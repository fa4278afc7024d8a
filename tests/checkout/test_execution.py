"""What is executed, and what is known from before: the capture that drift and the site share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from samples import CPU, GPU, HEAD, captured, project, ran

from tensor_atlas import cli
from tensor_atlas.checkout import cache, execution
from tensor_atlas.checkout.project import Project, examples_of
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.runs import Environment, Status

BOTH = ["01_x/a", "02_y/b"]


@dataclass
class Checkout:
    """Project with two examples, and a probe that notes what it is asked for instead of running it."""

    here: Project
    executed: list[list[str]] = field(default_factory=list)
    """Names of the examples of each call."""
    environment: Environment = CPU
    """Where the probe believes to be."""
    status: Status = Status.COMPLETED
    """How its runs end."""
    reason: str = ""
    said: list[str] = field(default_factory=list)

    def start_probe(self, _: Project, paths: Sequence[Path], __: int | None) -> Finished:
        """A probe that has run nothing."""
        wanted = {path.resolve() for path in paths}
        examples = examples_of(self.here).values()
        found = [each for each in examples if (self.here.root / each.path).resolve() in wanted]
        self.executed.append([example.name for example in found])
        runs = (replace(ran(each, "1"), status=self.status, reason=self.reason) for each in found)
        return Finished(captured(*runs, environment=self.environment))

    def write(self, name: str, code: str) -> None:
        """Example with this code."""
        path = self.here.examples / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HEAD + code, encoding="utf-8")

    def capture(self, *, again: bool = False, is_clean: bool = True) -> Capture:
        """Capture of all examples; ``is_clean``: no drift was found in it."""
        running = execution.begin(self.here, examples_of(self.here), self.said.append, again=again)
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
        made.write(name, "print(1)\n# => 1\n")
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
    checkout.write("01_x/a", "print(2)\n# => 2\n")
    assert [run.example for run in checkout.capture().runs] == BOTH
    assert checkout.executed == [BOTH, ["01_x/a"]]


def test_all_are_executed_again_where_that_is_asked_for(checkout: Checkout) -> None:
    """As ``drift --again`` does."""
    checkout.capture()
    checkout.capture(again=True)
    assert checkout.executed == [BOTH, BOTH]


def test_example_that_is_gone_is_not_in_the_capture(checkout: Checkout) -> None:
    """Nor executed."""
    checkout.capture()
    (checkout.here.examples / "01_x/a.py").unlink()
    assert [run.example for run in checkout.capture().runs] == ["02_y/b"]
    assert checkout.executed == [BOTH]


def test_day_of_a_cached_run_is_kept(checkout: Checkout) -> None:
    """Beside that of a new one."""
    checkout.capture()
    checkout.environment = replace(CPU, date="2026-12-01")
    checkout.write("01_x/a", "print(2)\n# => 2\n")
    capture = checkout.capture()
    assert [capture.environment_of(name).date for name in BOTH] == ["2026-12-01", CPU.date]


def test_other_machine_than_its_key_said_runs_everything(checkout: Checkout) -> None:
    """A GPU that has come is seen when the probe has run."""
    checkout.capture()
    checkout.environment = GPU
    checkout.write("01_x/a", "print(2)\n# => 2\n")
    capture = checkout.capture()
    assert (capture.environment, len(capture.runs)) == (GPU, 2)
    assert checkout.executed == [BOTH, ["01_x/a"], BOTH]


@pytest.mark.parametrize(
    ("status", "reason", "is_clean", "is_kept"),
    [
        (Status.RAISED, "RuntimeError", True, True),
        (Status.RAISED, "RuntimeError", False, False),
        (Status.RAISED, "MemoryError", True, False),
        (Status.TIMED_OUT, "no end after 60 s", True, False),
        (Status.CRASHED, "SIGSEGV", True, False),
    ],
)
def test_run_that_did_not_complete_is_kept_where_it_is_documented(
    checkout: Checkout, status: Status, reason: str, *, is_clean: bool, is_kept: bool
) -> None:
    """One that raises as documented would raise again; one that was cut short may not be."""
    checkout.status, checkout.reason = status, reason
    checkout.capture(is_clean=is_clean)
    checkout.capture(is_clean=is_clean)
    assert checkout.executed == ([BOTH] if is_kept else [BOTH, BOTH])


@pytest.mark.parametrize("name", [execution.CAPTURE, execution.KEYS])
@pytest.mark.parametrize("text", ["", "{", "[]", "{}"])
def test_cache_that_cannot_be_read_is_made_anew(checkout: Checkout, name: str, text: str) -> None:
    """Whoever wrote it was interrupted."""
    checkout.capture()
    (checkout.here.root / cache.FOLDER / name).write_text(text, encoding="utf-8")
    checkout.capture()
    assert checkout.executed == [BOTH, BOTH]


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
    checkout.write("01_x/a", "print(1)\n# => 2\n")
    assert cli.main(["drift"]) == 1
    assert checkout.executed == [BOTH, ["01_x/a"], ["01_x/a"]]
    assert cli.main(["drift"]) == 1
    assert checkout.executed == [BOTH, *[["01_x/a"]] * 3]
