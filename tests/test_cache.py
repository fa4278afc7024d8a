"""What is executed, and what is known from before: the capture that the gate and the site share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from samples import CPU, GPU, HEAD, Ended, captured, project, ran

from tensor_atlas import cache, cli, unchanged
from tensor_atlas.examples.parse import Example, parse_example
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.runs import Environment, Status
from tensor_atlas.probe.__main__ import Recorded, write
from tensor_atlas.project import Project, examples_of


@dataclass
class Checkout:
    """Project with two examples, and a probe that notes what it is asked for."""

    here: Project
    executed: list[list[str]] = field(default_factory=list)
    """Names of the examples of each call."""
    told_of: list[dict[str, float]] = field(default_factory=list)
    """Seconds that each call was told of."""
    environment: Environment = CPU
    """Where the probe believes to be."""
    status: Status = Status.COMPLETED
    """How its runs end."""

    def start(
        self, _: Project, files: Sequence[Path], __: int | None, *, seconds: Mapping[Path, float] | None
    ) -> Ended:
        """A probe that has run nothing."""
        self.told_of.append({path.stem: taken for path, taken in (seconds or {}).items()})
        wanted = {path.resolve() for path in files}
        found = [e for e in self.examples().values() if (self.here.root / e.path).resolve() in wanted]
        self.executed.append([example.name for example in found])
        runs = (replace(ran(e, "1"), status=self.status) for e in found)
        capture = captured(*runs, environment=self.environment)
        return Ended(replace(capture, seconds={example.name: 1.0 for example in found}))

    def run_here(
        self,
        here: Project,
        examples: Sequence[Example],
        jobs: int | None,
        seconds: Mapping[str, float],
        recorded: Recorded,
    ) -> Ended:
        """The same, for a gate that would execute them itself."""
        files = {here.root / example.path: seconds.get(example.name, 0.0) for example in examples}
        self.recorded = recorded
        return self.start(here, [*files], jobs, seconds=files)

    def examples(self) -> dict[str, Example]:
        """Examples as they are now."""
        return examples_of(self.here)

    def write(self, name: str, code: str) -> Example:
        """Example with this code."""
        path = self.here.examples / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HEAD + code, encoding="utf-8")
        return parse_example(HEAD + code, f"examples/{name}.py")

    def fresh(self, *, again: bool = False) -> Capture:
        """What the module under test gives for all of them."""
        return cache.begin(self.here, self.examples(), None, self.told.append, again=again).capture()

    told: list[str] = field(default_factory=list)
    recorded: Recorded | None = None
    """What a gate said is on record."""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    """The project; the working directory."""
    made = Checkout(Project(project(tmp_path / "checkout")))
    for name in ("01_x/a", "02_y/b"):
        made.write(name, "print(1)\n# => 1\n")
    monkeypatch.setattr("tensor_atlas.cache.project.start", made.start)
    monkeypatch.setattr("tensor_atlas.cache.Here", made.run_here)
    monkeypatch.chdir(made.here.root)
    return made


BOTH = ["01_x/a", "02_y/b"]


def test_unchanged_examples_are_not_executed_again(checkout: Checkout) -> None:
    """The second answer is the first."""
    assert checkout.fresh() == checkout.fresh()
    assert checkout.executed == [BOTH]
    assert checkout.told == ["executing 2 of 2 examples", "nothing to execute, 2 examples unchanged"]


def test_probe_is_told_what_took_how_long_before(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of another probe or release too; not of a capture that cannot be read."""
    checkout.fresh()
    checkout.fresh(again=True)
    monkeypatch.setattr(cache, "fingerprint", lambda: "of another release")
    checkout.fresh()
    (checkout.here.captures / cache.CAPTURE).write_text("{", encoding="utf-8")
    checkout.fresh()
    took = {"a": 1.0, "b": 1.0}
    assert checkout.told_of == [{}, took, took, {}]


def test_changed_code_is_executed_alone_and_prose_is_not(checkout: Checkout) -> None:
    """The other run is kept as it was; a claim and a comment are no code."""
    checkout.fresh()
    checkout.write("01_x/a", "print(1)\n# => 2\n")
    checkout.fresh()
    assert checkout.executed == [BOTH]
    checkout.write("01_x/a", "print(2)\n# => 2\n")
    assert [run.example for run in checkout.fresh().runs] == BOTH
    assert checkout.executed == [BOTH, ["01_x/a"]]


def test_example_that_is_gone_is_not_in_the_capture(checkout: Checkout) -> None:
    """What was executed before stays, for when it is asked for again."""
    checkout.fresh()
    one = {"02_y/b": checkout.examples()["02_y/b"]}
    assert [run.example for run in cache.begin(checkout.here, one, None, print).capture().runs] == ["02_y/b"]
    assert [run.example for run in checkout.fresh().runs] == BOTH
    assert checkout.executed == [BOTH]


def test_again_executes_everything(checkout: Checkout) -> None:
    """For whoever does not trust what is kept."""
    checkout.fresh()
    checkout.fresh(again=True)
    assert checkout.executed == [BOTH, BOTH]


@pytest.mark.parametrize("status", [Status.CRASHED, Status.TIMED_OUT, Status.RAISED, Status.EXITED])
def test_run_that_was_cut_short_is_executed_again(checkout: Checkout, status: Status) -> None:
    """It may end otherwise the next time."""
    checkout.status = status
    checkout.fresh()
    checkout.fresh()
    assert checkout.executed == [BOTH, BOTH]


@pytest.mark.parametrize("package", ["torch", "numpy"])
def test_other_release_executes_everything(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    """Nothing that was kept is of it."""
    checkout.fresh()
    there = unchanged.installed()
    (held,) = (name for name in there if name.startswith(f"{package}-") and name.endswith("-info"))
    other = [f"{package}-2.99.0.dist-info" if name == held else name for name in there]
    monkeypatch.setattr("tensor_atlas.cache.installed", lambda: other)
    checkout.fresh()
    assert checkout.executed == [BOTH, BOTH]


def test_other_device_executes_everything(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it is told beforehand, or only seen once something has been executed."""
    checkout.fresh()
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "none of them")
    checkout.fresh()
    assert checkout.executed == [BOTH, BOTH]
    checkout.environment = GPU
    checkout.write("01_x/a", "print(2)\n# => 2\n")
    assert checkout.fresh().environment == GPU
    assert checkout.executed == [BOTH, BOTH, ["01_x/a"], BOTH]


def test_damaged_capture_is_made_anew(checkout: Checkout) -> None:
    """As one is that an interrupted process left half written."""
    checkout.fresh()
    kept = checkout.here.captures / cache.CAPTURE
    kept.write_text(kept.read_text(encoding="utf-8")[:100], encoding="utf-8")
    checkout.fresh()
    assert checkout.executed == [BOTH, BOTH]


def test_gate_executes_what_changed(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    """One file asked for is one file executed; what it says of the work is no part of the report."""
    assert cli.main(["drift", "examples/01_x/a.py"]) == 0
    assert cli.main(["drift", "--format", "json"]) == 0
    assert cli.main(["drift", "--again", "examples/02_y/b.py"]) == 0
    assert cli.main(["drift"]) == 0
    assert checkout.executed == [["01_x/a"], ["02_y/b"], ["02_y/b"]]
    printed = capsys.readouterr()
    assert "execut" not in printed.out
    assert "tensor-atlas: nothing to execute, 2 examples unchanged" in printed.err


def test_gate_says_what_is_on_record(checkout: Checkout) -> None:
    """Of the environment that is asked for: what gives just that may have run in the shorter way."""
    assert cli.main(["drift"]) == 0
    write(checkout.fresh(), Path("capture.json"))
    assert cli.main(["record", "--from", "capture.json"]) == 0
    assert cli.main(["drift", "--again"]) == 0
    assert checkout.recorded is not None
    known = checkout.recorded(checkout.environment.id)
    assert known == {run.example: run for run in checkout.fresh().runs}
    assert checkout.recorded("another") == {}
