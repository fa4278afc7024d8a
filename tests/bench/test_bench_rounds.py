"""How runs are timed, kept and told: by what they took, in the same round as the floor."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tensor_atlas.bench import forms, rounds
from tensor_atlas.bench.__main__ import document, main
from tensor_atlas.bench.rounds import MEMORY, Bench, NotDoneError, Runs, Size, Taken, measure
from tensor_atlas.bench.systems import System, named

if sys.platform != "linux":
    pytest.skip("the benchmark is for Linux", allow_module_level=True)

QUICK = System(
    "floor", forms.scripts, lambda _: ["-c", "print('done')"], lambda _, __, said: said == "done\n"
)
"""A system that does nothing, quickly."""
SIZE = Size(2)


def taken(round_: int, system: str, wall: float, memory: int | None = None, state: str = "cold") -> Taken:
    """A run at the size of two examples that used twice its wall time of the processors."""
    return Taken(2, 1, round_, system, state, wall, 2 * wall, 10, memory, None)


def clock(code: str, *options: str) -> dict[str, float]:
    """What the clock says of a program."""
    command = [sys.executable, "-m", "tensor_atlas.bench.clock", *options, "--", sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


LEAVES_BEHIND = """
import subprocess, sys
subprocess.Popen([sys.executable, "-c", "import time\\nwhile time.process_time() < 0.5: pass"])
"""


def test_clock_counts_what_outlives_the_command() -> None:
    """Its processor time; the wall time ends with the command, as it does for whoever waits."""
    found = clock(LEAVES_BEHIND)
    assert found["cpu"] >= 0.5
    assert clock("raise SystemExit(3)")["code"] == 3


HOLDS = """
import os, time
data = b"x" * 100_000_000
children = [os.fork() for _ in range(1)]
time.sleep(0.5)
"""


def test_memory_that_processes_share_counts_once() -> None:
    """A child that only reads what its parent has adds little."""
    found = clock(HOLDS, "--memory", "0.02")
    assert 100e6 < found["memory"] < 180e6
    assert clock("pass")["memory"] is None
    assert clock("pass", "--memory", "60")["memory"] is None, "ended before the first sample"


def test_systems_that_were_measured_later_have_floors_of_their_own() -> None:
    """Another day in the same rounds: neither's ratio is to the other's floor."""
    first = [taken(0, "floor", 1.0), taken(0, "gate", 2.0), taken(0, "sybil", 4.0), taken(0, "floor", 1.0)]
    later = [taken(0, "floor", 3.0), taken(0, "site", 9.0), taken(0, "floor", 3.0)]
    rows = {row["system"]: row["ratio"] for row in document([*first, *later], {}, 0.5)["rows"]}
    assert rows == {"floor": 1.0, "gate": 2.0, "sybil": 4.0, "site": 3.0}


CHURNS = """
import os, time
data = b"x" * 100_000_000
for _ in range(60):
    children = []
    for number in range(6):
        child = os.fork()
        if child == 0:
            time.sleep(0.002 * number)
            os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)
"""


def test_memory_of_processes_that_come_and_go_counts_once() -> None:
    """What one shared is not held once more by those that are looked at after it has ended."""
    found = clock(CHURNS, "--memory", "0.001")
    assert 100e6 < found["memory"] < 115e6
    assert found["code"] == 0, "all went on"


def test_ratio_is_to_the_floor_of_the_same_round() -> None:
    """A machine that slows down slows both; the round's two floors count as their mean. Of peaks it is the median."""
    first = [taken(0, "floor", 1.0), taken(0, "sybil", 4.0), taken(0, "floor", 3.0)]
    second = [taken(1, "floor", 10.0), taken(1, "floor", 10.0), taken(1, "sybil", 30.0)]
    held = zip(MEMORY, (150, 190, 140), strict=True)
    memory = [
        one for r, most in held for one in (taken(r, "floor", 99.0, 100), taken(r, "sybil", 99.0, most))
    ]
    rows = {row["system"]: row for row in document([*first, *second, *memory], {}, 0.5)["rows"]}
    found = rows["sybil"]
    assert (found["ratio"], found["low"], found["high"], found["rounds"]) == (2.5, 2.0, 3.0, 2)
    assert (found["cpu"], found["memory"], found["seconds"]) == (2.5, 1.5, 17.0)
    assert rows["floor"]["memory"] == 1.0


def test_run_that_does_not_do_its_work_is_no_measurement(tmp_path: Path) -> None:
    """Whether it fails or only says nothing."""
    bench = Bench(SIZE, tmp_path)
    silent = replace(QUICK, command=lambda _: ["-c", ""])
    failing = replace(QUICK, command=lambda _: ["-c", "print('done')\nraise SystemExit(4)"])
    with pytest.raises(NotDoneError, match="did not do its work"):
        rounds.run(silent, bench.work(silent), "cold")
    with pytest.raises(NotDoneError, match="exit code 4"):
        rounds.run(failing, bench.work(failing), "cold")


def test_rounds_begin_and_end_with_the_floor_and_go_on_where_they_were(tmp_path: Path) -> None:
    """What was taken is not run again; another key forgets it."""
    kept = Runs(tmp_path / "runs.jsonl", "key")
    seen = replace(
        QUICK, command=lambda _: ["-c", "import time\ntime.sleep(0.5)\nprint('done')"]
    )  # long enough for it
    systems = [seen, replace(seen, name="doctest"), replace(seen, name="sybil")]
    told: list[str] = []
    measure(SIZE, systems[:2], 1, kept, tmp_path, told.append)
    assert [(t.round, t.system) for t in kept.taken] == [
        (0, "floor"),
        (0, "doctest"),
        (0, "floor"),
        *((r, name) for r in MEMORY for name in ("floor", "doctest")),
    ]
    assert [t.memory is not None for t in kept.taken] == [False] * 3 + [True] * 2 * len(MEMORY)
    before = len(kept.taken)
    again = Runs(tmp_path / "runs.jsonl", "key")
    measure(SIZE, systems, 2, again, tmp_path, told.append)
    others = [(t.round, t.system) for t in again.taken[before:] if t.system != "floor"]
    assert sorted(others) == sorted(
        [(0, "sybil"), (1, "doctest"), (1, "sybil"), *((r, "sybil") for r in MEMORY)]
    )
    assert len(told) == len(again.taken)
    assert Runs(tmp_path / "runs.jsonl", "another").taken == []


def test_long_and_slow_systems_are_run_less_often(tmp_path: Path) -> None:
    """Their memory is sampled in a run whose time counts."""
    kept = Runs(tmp_path / "runs.jsonl", "key")
    kept.add([taken(0, "gallery", rounds.LONG + 1), taken(0, "gate", 1.0)])
    pauses = {
        name: [kept.sampling(SIZE, round_, named(name)) for round_ in (0, 1, 2, *MEMORY)]
        for name in ("gate", "gallery", "nbval")
    }
    assert pauses == {
        "gate": [0.0, 0.0, 0.0, *[rounds.OFTEN] * len(MEMORY)],
        "gallery": [0.0, rounds.SELDOM, None, *[None] * len(MEMORY)],
        "nbval": [rounds.SELDOM, None, None, *[None] * len(MEMORY)],
    }


def test_one_example_changes_and_changes_back(tmp_path: Path) -> None:
    """Each time the file in the middle, and no other; never to what it was in the last state."""
    bench = Bench(Size(5), tmp_path)
    gate = named("gate")
    before = bench.work(gate)
    texts = [(before.folder / forms.script_path(2)).read_text(encoding="utf-8")]
    work = before
    for _ in range(3):
        work = bench.changed(work, gate)
        texts.append((work.folder / forms.script_path(2)).read_text(encoding="utf-8"))
        assert [d for i, d in enumerate(work.documents) if i != 2] == [
            d for i, d in enumerate(before.documents) if i != 2
        ]
    assert texts[1] not in (texts[0], texts[2])
    assert texts[1] == texts[3]
    assert "10003" in texts[1]


def test_unknown_system_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In one line that names those there are."""
    assert main(["-o", str(tmp_path / "b.json"), "--folder", str(tmp_path), "--systems", "nose"]) == 2
    assert "nose is none of floor, gate, doctest" in capsys.readouterr().err
