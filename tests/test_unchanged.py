"""The gate's last words are said again while nothing has changed, and never else."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from samples import CPU, HEAD, Ended, captured, project, ran

from tensor_atlas import cli, unchanged
from tensor_atlas.checkout import checkout
from tensor_atlas.errors import AtlasError
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.runs import Status
from tensor_atlas.project import Project, examples_of
from tensor_atlas.records import store

EXAMPLE = HEAD + "print(1)\n# => 1\n"
HELD = "no drift: 1 holds"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Checkout with an example that holds, where the gate has looked once; the working directory."""
    made = project(tmp_path / "checkout")
    (made / "examples" / "01_x").mkdir(parents=True, exist_ok=True)
    (made / "examples" / "01_x" / "a.py").write_text(EXAMPLE, encoding="utf-8")
    monkeypatch.setattr("tensor_atlas.cache.Here", lambda *given: Ended(observed(*given)))
    monkeypatch.chdir(made)
    assert cli.main(["drift"]) == 0
    return made


def observed(here: Project, *_: object) -> Capture:
    """Capture without running anything: each example prints 1."""
    return captured(*(ran(example, "1") for example in examples_of(here).values()), environment=CPU)


def knows(root: Path) -> bool:
    """Whether the gate would say what it said, without looking."""
    found = checkout(str(root))
    return found is not None and unchanged.remembered(Path(found)) is not None


def test_it_says_the_same_again_and_looks_at_nothing(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """From a folder below, too; the words are those of a gate that finds nothing to execute."""
    capsys.readouterr()
    assert cli.main(["drift", "-j", "2"]) == 0
    looked = capsys.readouterr()
    monkeypatch.setattr("tensor_atlas.commands.main", lambda _: 99)
    monkeypatch.chdir(root / "examples" / "01_x")
    assert cli.main(["drift"]) == 0
    assert capsys.readouterr() == looked
    assert HELD in looked.out
    assert "nothing to execute, 1 example unchanged" in looked.err


def write(name: str, text: str) -> Callable[[Path], None]:
    """What writes a file of the checkout."""

    def change(root: Path) -> None:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")

    return change


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(write("examples/01_x/a.py", EXAMPLE + "print(2)\n"), id="an example"),
        pytest.param(write("examples/01_x/a.py", EXAMPLE.replace("=> 1", "=> 2")), id="a claim"),
        pytest.param(write("examples/02_y/b.py", EXAMPLE), id="another example"),
        pytest.param(write("examples/c.py", EXAMPLE), id="one outside a chapter"),
        pytest.param(lambda root: (root / "examples" / "01_x" / "a.py").unlink(), id="one less"),
        pytest.param(write("docs/records/environments.json", "{}"), id="the environments"),
        pytest.param(write("docs/records/01_x/a.json", "{}"), id="a record"),
        pytest.param(write("docs/deviations.toml", "# none"), id="the deviations"),
        pytest.param(write("pyproject.toml", "[tool.tensor-atlas]\ntimeout = 1\n"), id="the project"),
        pytest.param(write("docs/_build/captures/capture.json", "{}"), id="what was captured"),
        pytest.param(write("docs/_build/captures/held.json", "{"), id="a memory cut short"),
        pytest.param(write("docs/_build/captures/held.json", "[]"), id="a memory of another form"),
        pytest.param(
            lambda root: (root / unchanged.CAPTURES / "fingerprint.txt").unlink(), id="no fingerprint"
        ),
    ],
)
def test_whatever_the_gate_reads_makes_it_look_again(root: Path, change: Callable[[Path], None]) -> None:
    """A file that it reads is another, has come or has gone."""
    assert knows(root)
    change(root)
    assert not knows(root)


def test_other_packages_make_it_look_again(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another torch, or a library that an example waits for; and another device to see."""
    monkeypatch.syspath_prepend(str(tmp_path / "packages"))
    assert knows(root)
    (tmp_path / "packages" / "torch-2.99.dist-info").mkdir(parents=True)
    assert not knows(root)
    (tmp_path / "packages" / "torch-2.99.dist-info").rmdir()
    assert knows(root)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert not knows(root)


def test_another_version_of_the_gate_looks_again(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own code is part of what it depends on."""
    package = tmp_path / "package"
    package.mkdir()
    (package / "compare.py").write_text("", encoding="utf-8")
    monkeypatch.setattr(unchanged, "__file__", str(package / "unchanged.py"))
    before = unchanged.inputs(root)
    (package / "compare.py").write_text("# other\n", encoding="utf-8")
    assert unchanged.inputs(root) != before


def test_checkout_inside_another_is_asked_itself(root: Path) -> None:
    """What holds around it says nothing of it."""
    inner = project(root / "vendored")
    assert knows(root / "docs")
    (inner / "examples").mkdir(exist_ok=True)
    assert not knows(inner)


def test_drift_is_never_remembered(root: Path) -> None:
    """Whoever asks again is told again, in full."""
    write("examples/01_x/a.py", EXAMPLE.replace("=> 1", "=> 2"))(root)
    assert cli.main(["drift"]) == 1
    assert not knows(root)
    assert cli.main(["drift"]) == 1


@pytest.mark.parametrize("options", [["--format", "json"], ["--all"], ["examples/01_x/a.py"], ["--draft"]])
def test_other_questions_are_not_answered_from_memory(
    root: Path, options: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor do their answers become the one to the plain question."""
    (root / unchanged.CAPTURES / unchanged.MEMORY).unlink()
    cli.main(["drift", *options])
    assert not knows(root)
    monkeypatch.setattr("tensor_atlas.commands.main", lambda _: 99)
    assert cli.main(["drift", *options]) == 99


def test_run_that_was_cut_short_is_tried_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a deviation expects its end all holds, but the next time it may end otherwise."""
    newer = captured(*observed(Project(root)).runs, environment=replace(CPU, torch="2.99.0"))
    store.write_records(store.add_capture(store.Store(), newer), root / "docs" / "records")
    text = '[[deviation]]\nexample = "01_x/a"\nstatement = "print(1)"\nenvironments = ["torch < 2.99"]\n'
    write("docs/deviations.toml", text + 'ends = "timed out"\nreason = "It is slow."\n')(root)

    def slow(here: Project, *_: object) -> Ended:
        (example,) = examples_of(here).values()
        run = ran(example, "", status=Status.TIMED_OUT, reason="no end after 1 s")
        return Ended(captured(run, environment=CPU))

    monkeypatch.setattr("tensor_atlas.cache.Here", slow)
    assert cli.main(["drift", "--again"]) == 0
    assert not knows(root)


def test_what_changes_while_the_gate_runs_is_looked_at(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is remembered is of the files as they were when it began."""

    def slow(here: Project, *_: object) -> Ended:
        found = observed(here)
        write("examples/01_x/a.py", EXAMPLE.replace("=> 1", "=> 2"))(here.root)
        return Ended(found)

    monkeypatch.setattr("tensor_atlas.cache.Here", slow)
    assert cli.main(["drift", "--again"]) == 0
    assert not knows(root)


def test_memory_that_cannot_be_kept_is_no_failure(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next gate finds out again."""
    (root / unchanged.CAPTURES / unchanged.MEMORY).unlink()

    def full(path: Path, _: str) -> None:
        raise AtlasError(str(path), "cannot be written: no space left on device")

    monkeypatch.setattr("tensor_atlas.files.replace_file", full)
    assert cli.main(["drift"]) == 0
    assert not knows(root)


def test_saying_it_again_imports_little(root: Path) -> None:
    """No part of the gate that looks, and nothing that installs have to bring."""
    script = "import sys; from tensor_atlas import cli; cli.main(['drift']); print(sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    assert HELD in done.stdout
    loaded = {name for name in done.stderr.split("'") if name.startswith("tensor_atlas")}
    ours = ("checkout", "cli", "probe", "probe.streams", "texts", "unchanged")
    assert loaded == {"tensor_atlas", *(f"tensor_atlas.{name}" for name in ours)}
