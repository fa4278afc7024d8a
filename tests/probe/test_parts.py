"""``--parts``: a folder of captures that survive a stop."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from samples import CASES, HEAD

from tensor_atlas.catalogue import CONVERSIONS, SOURCES
from tensor_atlas.model.capture import Capture, merge_captures
from tensor_atlas.model.runs import Status
from tensor_atlas.probe import capture as capture_module
from tensor_atlas.probe.__main__ import PARTS, main
from tensor_atlas.records.decode import decode_capture

pytestmark = pytest.mark.probe
FILES = [f"{name}.json" for name, _, _ in PARTS]
PAIRS = [
    (next(one for one in CONVERSIONS if one.name == "torch-from-numpy-x"), source)
    for source in SOURCES
    if source.name in ("array-float32", "array-int64")
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with an example for each machine and one for 64 GPUs, and two cells to try."""
    (tmp_path / "examples" / "01_x").mkdir(parents=True)
    (tmp_path / "examples" / "01_x" / "a.py").write_text(HEAD + "print(1)\n", encoding="utf-8")
    shutil.copytree(CASES / "good" / "04_needs", tmp_path / "examples" / "04_needs")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(capture_module, "list_pairs", lambda: PAIRS)
    return tmp_path


def read(folder: Path) -> dict[str, Capture]:
    """The captures of a folder, by name."""
    return {path.name: decode_capture(path.read_bytes()) for path in sorted(folder.iterdir())}


def test_parts_join_to_the_whole(folder: Path) -> None:
    """What needs a GPU comes first; each part is a capture that can be folded in alone."""
    assert main(["examples", "--matrix", "--parts", "-o", "out"]) == 0
    parts = read(folder / "out")
    assert list(parts) == FILES
    examples = [[run.example for run in part.runs] for part in parts.values()]
    assert examples == [["04_needs/many_gpus"], [], ["01_x/a"], []]
    assert [sum(map(len, part.cells.values())) for part in parts.values()] == [0, 0, 0, 2]
    assert main(["examples", "--matrix", "-o", "whole.json"]) == 0
    whole = decode_capture((folder / "whole.json").read_bytes())
    (joined,) = merge_captures(parts)
    assert joined.missing == ()
    assert joined.capture.runs == whole.runs
    assert joined.capture.cells == whole.cells
    assert {run.status for run in whole.runs} == {Status.COMPLETED, Status.NOT_RUN}


def test_part_that_is_there_is_not_made_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """After a stop the same command makes what is missing."""
    assert main(["examples", "--parts", "-o", "out"]) == 0
    kept = {path: path.stat().st_mtime_ns for path in (folder / "out").iterdir()}
    gone = folder / "out" / FILES[2]
    gone.unlink()
    capsys.readouterr()
    assert main(["examples", "--parts", "-o", "out"]) == 0
    assert capsys.readouterr().err.count("is there already") == len(PARTS) - 1
    assert [run.example for run in read(folder / "out")[FILES[2]].runs] == ["01_x/a"]
    del kept[gone]
    assert {path: path.stat().st_mtime_ns for path in kept} == kept


def test_parts_of_a_shard_are_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Which of the two was meant, nobody could tell from the files."""
    assert main(["examples", "--parts", "--shard", "1/2", "-o", "out"]) == 2
    assert "leave out --shard" in capsys.readouterr().err
    assert not (folder / "out").exists()
