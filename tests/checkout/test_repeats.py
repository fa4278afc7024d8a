"""Which examples run a second time, and what the gate says of those that are not the same each time."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from samples import CPU, GPU, HEAD, captured, example, project, python, ran

from tensor_atlas import cli
from tensor_atlas.checkout.repeats import find_disagreeing
from tensor_atlas.compare.judge import judge_capture
from tensor_atlas.compare.verdicts import compare_run
from tensor_atlas.model.runs import Run, Status
from tensor_atlas.records.fold import Record
from tensor_atlas.records.store import Store

ONE = example("print(1)\n# => 1\n")

FLIPS = """import os

# %%
# Text.

os.system("test -e {mark} && rm {mark} || touch {mark}")
print(os.path.exists("{mark}"))
# => {claim}
"""
"""Prints True and False in turn, beginning with True."""


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
    verdicts = judge_capture({ONE.name: ONE}, capture, store, (), "docs/deviations.toml")
    assert find_disagreeing({ONE.name: ONE}, capture, verdicts) == set()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Project with an example whose first run prints True, and one that is always the same."""
    root = project(tmp_path / "checkout")
    (root / "examples" / "01_x").mkdir(parents=True)
    _write_flips(root, claim="True")
    (root / "examples" / "01_x" / "steady.py").write_text(HEAD + "print(1)\n# => 1\n", encoding="utf-8")
    return root


def _write_flips(root: Path, claim: str) -> None:
    text = HEAD + FLIPS.format(mark=root / "mark", claim=claim)
    (root / "examples" / "01_x" / "flips.py").write_text(text, encoding="utf-8")


def test_example_that_differs_is_drift_though_its_second_run_holds(checkout: Path) -> None:
    """The report says that it is not the same each time; its run is not cached, the other one is."""
    _write_flips(checkout, claim="False")
    done = python(checkout, "-m", "tensor_atlas.cli", "drift")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "flips.py:15  claim differs" in done.stdout
    assert "flips.py:14  not the same each time" in done.stdout
    assert "in 1 of 2 runs:\n               True" in done.stdout
    assert "steady.py" not in done.stdout
    later = python(checkout, "-m", "tensor_atlas.cli", "drift")
    assert "executing 1 of 2 examples" in later.stderr
    assert later.returncode == 1, later.stdout  # its third run prints True, as its first did


def test_again_with_a_number_names_what_is_not_the_same_each_time(checkout: Path) -> None:
    """Though the first run holds, and the third."""
    done = python(checkout, "-m", "tensor_atlas.cli", "drift", "--again", "3", "--format", "json")
    assert done.returncode == 1, done.stderr
    (verdict,) = [verdict for verdict in json.loads(done.stdout) if verdict["kind"] == "differs"]
    assert (verdict["path"], verdict["what"]) == ("examples/01_x/flips.py", "not the same each time")
    assert verdict["statement"].startswith("print(os.path.exists(")
    assert verdict["observed"] == ["in 2 of 3 runs:", "True", "in 1 of 3 runs:", "False"]


def test_what_follows_again_is_a_number(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not an example, and not 0."""
    monkeypatch.chdir(checkout)
    for text in ("0", "examples/01_x/flips.py", "two"):
        with pytest.raises(SystemExit):
            cli.main(["drift", "--again", text])
