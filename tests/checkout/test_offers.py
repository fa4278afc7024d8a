"""What is to be recorded of what pip offers; pip itself is not asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tensor_atlas.checkout import offers
from tensor_atlas.checkout.offers import MACHINES, PYTHONS, Machine, Wanted

USUAL, CPU_BUILD, *OTHERS = MACHINES
OFFERED = {
    ("torch", "3.11"): ["2.16.0", "2.15.0", "2.14.1"],
    ("torch", "3.14"): ["2.16.0", "2.15.0"],
    ("numpy", "3.11"): ["2.4.6", "2.4.5"],
    ("numpy", "3.14"): ["2.4.6", "2.10.0", "2.5.5"],
}


def offer(package: str, python: str, _: Machine) -> list[str]:
    """The same everywhere."""
    return OFFERED[package, python]


def recorded(torch: str, python: str, machine: Machine = USUAL) -> dict[str, Any]:
    """An environment of the records, with the newest NumPy."""
    numpy = {"3.11": "2.4.6", "3.14": "2.10.0"}[python]
    cuda = "13.2" if machine.build == "cuda" else None
    return {
        "torch": torch,
        "numpy": numpy,
        "python": f"{python}.7",
        "platform": machine.platform,
        "cuda": cuda,
    }


def find(known: list[dict[str, Any]], *, everywhere: bool = False, cpu: bool = False) -> list[str]:
    """What is to be recorded, as a person reads it."""
    return list(map(str, offers.find_unrecorded(known, offer, everywhere=everywhere, cpu=cpu)))


def test_new_release_is_wanted_on_every_machine() -> None:
    """With each Python, the newest NumPy there, and both builds where there is an index for the second."""
    known = [recorded("2.15.0+cu132", python) for python in PYTHONS]
    found = find(known)
    assert found[0] == "torch 2.16.0, NumPy 2.4.6, Python 3.11, linux-x86_64 cuda"
    assert "torch 2.16.0, NumPy 2.10.0, Python 3.14, windows-amd64" in found
    assert len(found) == len(PYTHONS) * (1 + len(OTHERS))
    assert len(find(known, cpu=True)) == len(PYTHONS) * len(MACHINES)


def test_new_numpy_is_wanted_with_the_newest_torch() -> None:
    """Older releases of torch keep the NumPy that they were recorded with."""
    known = [recorded("2.16.0+cu132", "3.11"), {**recorded("2.16.0+cu132", "3.14"), "numpy": "2.5.5"}]
    assert {text.partition(", linux")[0] for text in find(known) if "linux-x86" in text} == {
        "torch 2.16.0, NumPy 2.10.0, Python 3.14"
    }


def test_what_the_usual_machine_has_is_tried_elsewhere_once_a_week() -> None:
    """A platform that fails each day would take hours of machines each day."""
    known = [recorded("2.16.0+cu132", python) for python in PYTHONS]
    assert find(known) == []
    assert len(find(known, everywhere=True)) == len(PYTHONS) * len(OTHERS)
    known += [recorded("2.16.0", python, machine) for python in PYTHONS for machine in OTHERS]
    assert find(known, everywhere=True) == []


def test_release_with_a_proposal_is_left_alone() -> None:
    """Of its branch torch and NumPy must be named; a GPU's names a build."""
    wanted = [Wanted(USUAL, "3.11", "2.16.0", "2.4.6"), Wanted(USUAL, "3.14", "2.16.0", "2.5.5")]
    branch = "records/torch-2.16.0-NumPy-2.5.5"
    assert offers.drop_proposed(wanted, [branch]) == wanted[:1]
    assert offers.drop_proposed(wanted, [f"{branch}-NumPy-2.4.6"]) == []
    assert offers.drop_proposed(wanted, ["records/torch-2.16.0+cu130-NumPy-2.4.6-NVIDIA-H200"]) == wanted


def test_named_release_is_wanted_wherever_pip_has_it() -> None:
    """Recorded or not, with the NumPy that fits."""
    found = offers.find_named(["2.14.1"], offer, cpu=False)
    assert {(one.python, one.numpy) for one in found} == {("3.11", "")}
    assert len(found) == 1 + len(OTHERS)


def test_matrix_is_as_long_as_github_takes() -> None:
    """Environments are left whole."""
    values = offers.list_jobs([Wanted(USUAL, "3.11", "2.16.0", "2.4.6")] * 200)
    assert offers.MOST_JOBS - offers.SHARDS < len(values) <= offers.MOST_JOBS
    assert values[-1]["shard"] == f"{offers.SHARDS}/{offers.SHARDS}"


def test_every_machine_is_another() -> None:
    """Platform and build tell them apart, as records do."""
    names = {(machine.platform, machine.build) for machine in MACHINES}
    assert len(names) == len(MACHINES)


def test_pip_that_names_nothing_is_no_news(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a network nothing can be said to be recorded: the look fails."""
    (tmp_path / "docs" / "records").mkdir(parents=True)
    (tmp_path / offers.ENVIRONMENTS).write_text('{"environments": []}', encoding="utf-8")
    (tmp_path / "pip.py").write_text("raise SystemExit(1)\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert offers.main(["--output", "out.txt"]) == 2
    assert "is there a network?" in capsys.readouterr().err
    answer = "print('torch (2.16.0)\\nAvailable versions: 2.16.0, 2.17.0rc1, 2.15.0+cpu')\n"
    (tmp_path / "pip.py").write_text(answer, encoding="utf-8")
    assert offers.ask_pip("torch", "3.11", USUAL) == ["2.16.0", "2.15.0"]
    assert offers.main(["--output", "out.txt"]) == 0
    (line,) = (tmp_path / "out.txt").read_text(encoding="utf-8").splitlines()
    assert {job["release"] for job in json.loads(line.removeprefix("matrix="))} == {"2.16.0", "2.15.0"}
    *told, count = capsys.readouterr().out.splitlines()
    assert told
    assert count == f"{len(told)} environments to record"
