"""The probe that is started before it is known what it has to run, and when none is."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from samples import HEAD, example, project

from tensor_atlas import cache, cli, commands, texts, unchanged, waiting
from tensor_atlas.checkout import TEXTS
from tensor_atlas.compare import evidence
from tensor_atlas.compare.verdicts import Verdict
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.parse import Example
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.runs import Environment, Run
from tensor_atlas.probe import forking, runner
from tensor_atlas.project import Project, examples_of, start
from tensor_atlas.unchanged import CAPTURES

A, B = "examples/01_x/a.py", "examples/01_x/b.py"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Checkout with two examples; nothing waits there any more when the test has ended."""
    made = project(tmp_path / "checkout")
    for path in (A, B):
        write(made, path, "print(1)\n# => 1\n")
    monkeypatch.chdir(made)
    yield made
    waiting.end()


def write(root: Path, path: str, code: str) -> None:
    """An example with this code."""
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(HEAD + code, encoding="utf-8")


def executed(root: Path) -> None:
    """Note that the examples have been executed as they are."""
    (root / CAPTURES).mkdir(parents=True, exist_ok=True)
    (root / CAPTURES / TEXTS).write_text(texts.told(examples_of(Project(root)), ""), encoding="utf-8")


def waits(root: Path) -> bool:
    """Whether a glance at the checkout starts a probe."""
    waiting.begin(root)
    found = bool(waiting._waiting)
    waiting.end()
    return found


def test_fresh_checkout_starts_a_probe(root: Path) -> None:
    """Nothing has been executed there."""
    assert waits(root)


def test_unchanged_checkout_starts_none(root: Path) -> None:
    """Nor one whose prose or claims have changed, an example of which is gone, or cannot be read."""
    executed(root)
    assert not waits(root)
    write(root, A, "# Other words.\nprint(1)\n# => 2\n")
    assert not waits(root)
    write(root, A, "print(\n")
    assert not waits(root)
    (root / A).write_bytes(b"\xff")
    assert not waits(root)
    (root / A).unlink()
    assert not waits(root)


def test_changed_code_starts_one(root: Path) -> None:
    """Of one example among many."""
    executed(root)
    write(root, B, "print(2)\n# => 2\n")
    assert waits(root)


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"examples/01_x/a.py": 3}', '{"examples/01_x/a.py": ["a"]}']
)
def test_note_that_tells_nothing_starts_none(text: str, root: Path) -> None:
    """Whoever asks finds out all the same."""
    executed(root)
    (root / CAPTURES / TEXTS).write_text(text, encoding="utf-8")
    write(root, B, "print(2)\n# => 2\n")
    assert not waits(root)


def test_note_that_is_no_text_is_written_anew(root: Path) -> None:
    """What has been executed is known afterwards, as ever."""
    (root / CAPTURES).mkdir(parents=True)
    (root / CAPTURES / TEXTS).write_bytes(b"\xff\xfe")
    cache.begin(Project(root), examples_of(Project(root)), None, lambda _: None).capture()
    assert not waits(root)
    write(root, B, "print(2)\n# => 2\n")
    assert waits(root)


def test_note_keeps_what_is_known_of_other_examples() -> None:
    """A run of some examples forgets nothing of the others."""
    a, b = example("a = 1\n", A), example("b = 1\n", B)
    both = texts.told({a.name: a, b.name: b}, "")
    assert texts.told({b.name: b}, texts.told({a.name: a}, "")) == both
    other = example("a = 2\n", A)
    assert texts.told({other.name: other}, both) == texts.told({other.name: other, b.name: b}, "")


def test_probe_that_waits_is_the_one_that_runs(root: Path) -> None:
    """It is told then what to run; whoever wants other options has one of their own."""
    waiting.begin(root)
    (waits_there,) = waiting._waiting.values()
    other = start(Project(root), [root / A], 1)
    assert other.process is not waits_there.process
    assert [run.example for run in other.capture().runs] == ["01_x/a"]
    taken = start(Project(root), [root / B])
    assert taken.process is waits_there.process
    assert [run.example for run in taken.capture().runs] == ["01_x/b"]


def test_checkout_may_be_reached_by_a_link(root: Path) -> None:
    """The probe is that of the folder, whatever it was called."""
    link = root.parent / "link"
    link.symlink_to(root)
    waiting.begin(link)
    (waits_there,) = waiting._waiting.values()
    assert waiting.started(root) is waits_there
    waits_there.end()


def test_probe_that_has_died_is_told_of(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Also where it dies while it waits."""
    waiting.begin(root)
    (waits_there,) = waiting._waiting.values()
    waits_there.process.kill()
    waits_there.process.wait()
    with pytest.raises(AtlasError, match="ended with exit code"):
        start(Project(root), [root / A] * 5000).capture()
    assert "Traceback" not in capfd.readouterr().err


def test_probe_without_room_is_bad_input(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For whoever needs one; nothing waits then, and that is no error."""

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/tmp/tensor-atlas-1")

    monkeypatch.setattr(tempfile, "TemporaryDirectory", full)
    assert not waits(root)
    told = (
        "/tmp/tensor-atlas-1  no folder could be made: No space left on device\n    let TMPDIR name another"
    )
    with pytest.raises(AtlasError, match=f"^{told}$"):
        start(Project(root), [root / A])


@pytest.fixture
def forks(monkeypatch: pytest.MonkeyPatch) -> Iterator[forking.Forks]:
    """What this process forks examples from: nothing as yet."""
    found = forking.Forks()
    monkeypatch.setattr(forking, "forks", lambda: found)
    monkeypatch.setattr(runner, "forks", lambda: found)
    yield found
    found.end()


can_fork = pytest.mark.skipif(not forking.CAN_FORK, reason="needs processes that fork")


@can_fork
def test_gate_starts_to_import_torch_before_it_reads(
    root: Path, monkeypatch: pytest.MonkeyPatch, forks: forking.Forks
) -> None:
    """It is that process which examples are forked from, and the next gate starts none."""
    seen: list[int] = []
    gate = commands.main

    def noted(given: Sequence[str]) -> int:
        seen.append(forks._zygote)
        code = gate(given)
        seen.append(forks._zygote)
        return code

    monkeypatch.setattr(commands, "main", noted)
    (root / "examples" / "below").mkdir()
    monkeypatch.chdir(root / "examples" / "below")
    assert cli.main(["drift"]) == 0
    assert seen[0] == seen[1] != 0
    forks.end()
    (root / CAPTURES / "held.json").unlink()
    assert cli.main(["drift"]) == 0
    assert forks._line is None


def test_gate_asks_what_it_said_only_where_no_code_has_changed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would say something else: to find that out takes longer than to see what has changed."""
    asked: list[Path] = []
    monkeypatch.setattr(unchanged, "remembered", asked.append)
    monkeypatch.setattr(forking.Forks, "start", lambda *_: None)
    monkeypatch.setattr(commands, "main", lambda _: 0)
    assert cli.main(["drift"]) == 0
    assert asked == []
    executed(root)
    assert cli.main(["drift"]) == 0
    assert asked == [root]


def test_gate_does_not_look_for_garbage(root: Path) -> None:
    """Where it is a process of its own; whoever calls it keeps the collector."""
    told = "from tensor_atlas import cli, commands; import gc; commands.main = lambda _: print(gc.isenabled()) or 0; "
    for call, said in (("cli.main()", "False"), ("cli.main(['drift'])", "True")):
        code = f"{told}import sys; sys.argv = ['tensor-atlas', 'drift']; sys.exit({call})"
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root
        )
        assert done.stdout.split() == [said]


def test_gate_judges_what_was_kept_before_it_waits(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For torch, and for what is executed: that alone is left to judge then."""
    assert cli.main(["drift"]) == 0
    write(root, B, "print(2)\n# => 2\n")
    done: list[str] = []
    of, capture = evidence.Judge.judge_run, cache.Execution.capture

    def judging(
        judge: evidence.Judge, example: Example, run: Run, environment: Environment
    ) -> tuple[Verdict, ...]:
        done.append(example.name)
        return of(judge, example, run, environment)

    def capturing(execution: cache.Execution) -> Capture:
        done.append("capture")
        return capture(execution)

    monkeypatch.setattr(evidence.Judge, "judge_run", judging)
    monkeypatch.setattr(cache.Execution, "capture", capturing)
    assert cli.main(["drift"]) == 0
    assert done == ["01_x/a", "capture", "01_x/a", "01_x/b"]


@can_fork
def test_what_examples_are_forked_from_is_ended_where_nobody_needs_it(
    root: Path, forks: forking.Forks
) -> None:
    """Where the code was executed after all."""
    examples = examples_of(Project(root))
    assert cache.begin(Project(root), examples, None, lambda _: None, against=lambda _: {}).capture().runs
    (root / CAPTURES / TEXTS).unlink()
    forks.end()
    forks.start(root)
    assert forks._line is not None
    cache.begin(Project(root), examples, None, lambda _: None, against=lambda _: {}).capture()
    assert forks._line is None


@can_fork
def test_what_was_forked_from_stays_where_nothing_is_left_to_execute(
    root: Path, forks: forking.Forks
) -> None:
    """Whoever has forked from it may fork again."""
    examples = examples_of(Project(root))
    assert cache.begin(Project(root), examples, None, lambda _: None, against=lambda _: {}).capture().runs
    before = forks._zygote
    cache.begin(Project(root), examples, None, lambda _: None, against=lambda _: {}).capture()
    assert forks._zygote == before != 0
    forks.end()
    forks.start(root)
    waiting.end()
    assert forks._line is None


def test_without_forks_a_probe_waits(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, which has none."""
    monkeypatch.chdir(root)
    monkeypatch.setattr(forking, "CAN_FORK", False)
    monkeypatch.setattr(commands, "main", lambda _: 0)
    assert cli.main(["drift"]) == 0
    assert len(waiting._waiting) == 1


def test_probe_that_nobody_needs_is_ended(root: Path) -> None:
    """Where the code was executed after all."""
    examples = examples_of(Project(root))
    assert cache.begin(Project(root), examples, None, lambda _: None).capture().runs
    (root / CAPTURES / TEXTS).unlink()
    waiting.begin(root)
    (waits_there,) = waiting._waiting.values()
    cache.begin(Project(root), examples, None, lambda _: None).capture()
    assert waits_there.process.wait(timeout=10) != 0


def loaded(code: str, root: Path) -> set[str]:
    """Modules that a program has imported which ends with this code."""
    code = f"import sys; {code}; print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    return set(done.stderr.split())


def test_waiting_imports_little(root: Path) -> None:
    """Nothing that takes longer than to begin."""
    ours = {"tensor_atlas", *(f"tensor_atlas.{name}" for name in ("checkout", "errors", "texts", "waiting"))}
    found = {name for name in loaded("import tensor_atlas.waiting", root) if name.startswith("tensor_atlas")}
    assert found == ours | {"tensor_atlas.probe", "tensor_atlas.probe.forking"}


def test_torch_is_imported_before_anything_else_is(root: Path) -> None:
    """Where nothing was executed yet: what starts it imports neither what finds out more, nor what takes longest."""
    not_started = "from tensor_atlas.probe import forking; forking.Forks.start = lambda *_: None"
    found = loaded(f"from tensor_atlas import cli; {not_started}; cli._known('.')", root)
    assert {name for name in found if name.startswith("tensor_atlas")} == {
        "tensor_atlas",
        "tensor_atlas.checkout",
        "tensor_atlas.cli",
        "tensor_atlas.probe",
        "tensor_atlas.probe.forking",
        "tensor_atlas.streams",
    }
    assert found.isdisjoint(
        {"dataclasses", "hashlib", "json", "multiprocessing", "pathlib", "pickle", "typing"}
    )
