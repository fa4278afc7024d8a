"""``tensor-atlas replay``: what a sample gave is held against the records, and the day is kept."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from samples import CPU, GPU, OLDER, SHARES, captured, example, project, ran

from tensor_atlas import cli
from tensor_atlas.catalogue import CONVERSIONS, SOURCES, code_digests, list_pairs
from tensor_atlas.compare import replays
from tensor_atlas.compare.replays import Replay, parse_replays, put_replay
from tensor_atlas.errors import AtlasError
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.cells import Outcome, Tried
from tensor_atlas.model.runs import Run, Status
from tensor_atlas.probe.__main__ import main as probe
from tensor_atlas.probe.capture import Sample, write_capture
from tensor_atlas.records import store

WHAT = example("print(1)\n# => 1\nprint(2)\n# => 2\n")
CELL = replace(SHARES, value="[1.0]")


def sampled(*stdout: str, outcome: Outcome = Outcome.SHARES) -> Capture:
    """Capture of the example that printed this, and of one cell."""
    tried = Tried(code_digests(CONVERSIONS[0], SOURCES[0]), replace(CELL, outcome=outcome))
    return replace(
        captured(ran(WHAT, *stdout)), cells={CONVERSIONS[0].name: {SOURCES[0].name: tried}}, seconds={}
    )


RECORDED = sampled("1", "2")


@pytest.fixture(autouse=True)
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Project with an example and its record; the working directory."""
    root = project(tmp_path / "checkout")
    (root / "examples" / "01_x").mkdir(parents=True)
    (root / WHAT.path).write_text(WHAT.source, encoding="utf-8")
    store.write_records(store.add_capture(store.Store(), RECORDED), root / "docs" / "records")
    monkeypatch.chdir(root)
    return root


def replay(capture: Capture, *options: str) -> int:
    """Exit code for a capture."""
    write_capture(capture, Path("capture.json"))
    return cli.main(["replay", "capture.json", *options])


def test_what_is_as_recorded_passes_and_its_day_is_kept(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In place of that environment's older entry; others stay."""
    other = Replay(OLDER.id, "2026-01-01", 3, 4, 5)
    (checkout / replays.FILE).write_text(
        put_replay(put_replay("", replace(other, environment=CPU.id)), other)
    )
    assert replay(RECORDED, "--write") == 0
    assert capsys.readouterr().out.endswith("1 cells, 2 statements as recorded but for 0\n")
    text = (checkout / replays.FILE).read_text(encoding="utf-8")
    assert parse_replays(text, "f") == {CPU.id: Replay(CPU.id, CPU.date, 1, 2, 0), OLDER.id: other}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        pytest.param(sampled("1", "3"), "record differs", id="a statement"),
        pytest.param(sampled("1", "2", outcome=Outcome.COPIES), "shares memory", id="a cell"),
        pytest.param(
            captured(ran(WHAT, "1", status=Status.CRASHED, reason="SIGSEGV")), "SIGSEGV", id="an ending"
        ),
    ],
)
def test_what_is_not_as_recorded_fails(
    changed: Capture, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """And is named."""
    assert replay(changed) == 1
    assert words in capsys.readouterr().out
    assert not replays.FILE.exists()


def test_what_did_not_run_is_not_counted(capsys: pytest.CaptureFixture[str]) -> None:
    """A library that is missing in the environment made anew says nothing of the record.

    Where nothing is left to compare, nothing has passed.
    """
    absent = Run(WHAT.name, WHAT.digest, Status.NOT_RUN, "needs pandas")
    assert replay(captured(absent)) == 2  # the example needs nothing: the capture contradicts itself
    assert replay(captured(), "--write") == 2
    assert "capture.json  nothing in it is recorded" in capsys.readouterr().err
    assert not replays.FILE.exists()


def test_environment_without_records_is_told_apart() -> None:
    """Nothing was compared: neither as recorded nor otherwise."""
    assert replay(replace(RECORDED, environment=GPU), "--write") == 3
    assert not replays.FILE.exists()


@pytest.mark.parametrize("line", ['cells = "many"', "cells = -1", "cells = true", "unknown = 1"])
def test_wrong_entry_is_refused(line: str) -> None:
    """With its place."""
    head = f'[[replays]]\nenvironment = "{CPU.id}"\ndate = "2026-01-01"\n'
    with pytest.raises(AtlasError, match=r"^f:1 "):
        parse_replays(f"{head}statements = 1\ndifferences = 0\n{line}\n", "f")


def test_day_that_is_none_is_refused() -> None:
    """With its place."""
    entry = f'[[replays]]\nenvironment = "{CPU.id}"\ndate = "yesterday"\n'
    with pytest.raises(AtlasError, match=r"^f:1  'yesterday' is no date"):
        parse_replays(f"{entry}cells = 1\nstatements = 1\ndifferences = 0\n", "f")


def test_sample_is_the_same_for_a_seed_and_another_for_another() -> None:
    """In the catalogue's order, for a row's cells are tried in one process; never more than there are."""
    pairs = list(list_pairs())
    drawn = Sample(50, 1).draw_cells(pairs)
    assert drawn == Sample(50, 1).draw_cells(pairs) != Sample(50, 2).draw_cells(pairs)
    places = [pairs.index(pair) for pair in drawn]
    assert places == sorted(set(places))
    assert Sample(50, 1).draw_cells(pairs[:3]) == pairs[:3]
    many = [example("print(1)\nprint(2)\n", f"examples/01_x/{letter}.py") for letter in "abcdef"]
    assert len(Sample(5, 1).draw_examples(many)) == 3
    assert sorted(Sample(99, 1).draw_examples(many), key=lambda drawn: drawn.name) == many


@pytest.mark.probe
def test_probe_runs_a_sample_that_replays(checkout: Path) -> None:
    """Recorded in full and run again in part, by the commands that nox calls."""
    (checkout / "examples" / "01_x" / "b.py").write_text(
        example("print(3)\n# => 3\n").source, encoding="utf-8"
    )
    assert probe(["examples", "-o", "whole.json"]) == 0
    assert cli.main(["record", "--from", "whole.json"]) == 0
    assert probe(["examples", "--sample", "1", "--seed", "5", "-o", "part.json"]) == 0
    assert len(json.loads(Path("part.json").read_text(encoding="utf-8"))["runs"]) == 1
    assert cli.main(["replay", "part.json"]) == 0
