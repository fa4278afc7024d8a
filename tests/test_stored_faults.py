"""Records and captures that cannot be: each fault is one message, exit code 2; nothing is written."""

from __future__ import annotations

import copy
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from samples import CPU, OLDER, ROOT, captured, project, ran, seal_json, write_example

from tensor_atlas import cli
from tensor_atlas.checkout.project import Project, examples_of, records_of
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.parse import Example
from tensor_atlas.model.capture import encode_capture
from tensor_atlas.model.names import NameAnswer
from tensor_atlas.model.runs import Run, Status
from tensor_atlas.records import store

Fault = Callable[[Any], object]
TWO_BLOCKS = "x = 1\nprint(x)\n# => 1\n\n# %%\n# Text.\n\nprint(2)\n# => 2\n"
NEEDS_GPU = '# sphinx_gallery_tags = ["cuda"]\n\nprint(3)\n# => 3\n'
RECORD = "01_x/a.json"
FUTURE = "2099-01-31"


# --- a tiny checkout -------------------------------------------------------------------------------


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A checkout of two examples, one of which needs a GPU; both recorded in two environments."""
    root = project(tmp_path / "checkout")
    for stem, code in {"a": TWO_BLOCKS, "gpu": NEEDS_GPU}.items():
        write_example(root, code, f"01_x/{stem}")
    here = Project(root)
    found = store.Store()
    for environment in (CPU, OLDER):
        runs = _runs(examples_of(here))
        found = store.add_capture(found, captured(*runs, environment=environment))
    store.write_records(found, here.records)
    monkeypatch.chdir(root)
    return here


def _runs(examples: dict[str, Example]) -> list[Run]:
    whole = ran(examples["01_x/a"], "", "1", "2")
    gpu = examples["01_x/gpu"]
    return [whole, Run(gpu.name, gpu.digest, Status.NOT_RUN, "needs 1 CUDA device, found 0")]


def _bytes_below(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _change(path: Path, fault: Fault) -> None:
    """Plant a fault in a JSON file, under a seal that fits."""
    document = json.loads(path.read_text(encoding="utf-8"))
    fault(document)
    path.write_text(seal_json(document), encoding="utf-8")


# --- faults of records -----------------------------------------------------------------------------


def _cut_statement(record: Any) -> None:
    (version,) = record["versions"]
    del version["statements"][-1]
    for group in version["groups"]:
        group["reached"] -= 1


def _cut_snapshot(record: Any) -> None:
    (version,) = record["versions"]
    del version["blocks"][-1]
    for group in version["groups"]:
        group["finished"] -= 1


def _cut_snapshot_of_one_run(record: Any) -> None:
    group = record["versions"][0]["groups"][0]
    group["finished"] -= 1


def _do_not_run(record: Any) -> None:
    record["versions"][0]["groups"][0].update(status="not run", reason="needs time", reached=0, finished=0)


def _give_two_outcomes(record: Any) -> None:
    record["versions"][0]["statements"][-1]["outcomes"].append({"groups": [0], "stdout": "another"})


def _rename_statement(record: Any) -> None:
    record["versions"][0]["statements"][0]["code"] = "y = 1"


def _raise_nothing(record: Any) -> None:
    record["versions"][0]["groups"][0].update(status="raised", reason="ValueError")


def _forget_sharing(record: Any) -> None:
    for block in record["versions"][0]["blocks"]:
        for outcome in block["outcomes"]:
            outcome.pop("shares", None)


def _invent_sharing(record: Any) -> None:
    record["versions"][0]["blocks"][-1]["outcomes"][0]["shares"] = [["array", "elsewhere"]]


def _list_twice(record: Any) -> None:
    groups = record["versions"][0]["groups"]
    groups.append(copy.deepcopy(groups[0]))


def _date_all(day: str) -> Fault:
    def fault(record: Any) -> None:
        for version in record["versions"]:
            for group in version["groups"]:
                group["environments"] = dict.fromkeys(group["environments"], day)

    return fault


DAYS = ["yesterday", "zzzz", "", "2026-W48-2", "20260131", "9999-12-31", FUTURE]
RECORD_FAULTS: dict[str, Fault] = {
    "statement cut": _cut_statement,
    "snapshot cut": _cut_snapshot,
    "snapshot of one run cut": _cut_snapshot_of_one_run,
    "not run": _do_not_run,
    "two outcomes": _give_two_outcomes,
    "other statement": _rename_statement,
    "raised nothing": _raise_nothing,
    "environment in two groups": _list_twice,
    **{f"dated {day!r}": _date_all(day) for day in DAYS},
}


@pytest.mark.parametrize("fault", RECORD_FAULTS.values(), ids=RECORD_FAULTS)
@pytest.mark.parametrize(
    "command", [["drift", "--all"], ["record", "--check"], ["compare", "2.2.2", "2.13.0"]]
)
def test_record_that_cannot_be_is_refused(
    checkout: Project, capsys: pytest.CaptureFixture[str], command: list[str], fault: Fault
) -> None:
    """One message that names the file and what to do."""
    _change(checkout.records / RECORD, fault)
    assert cli.main(command) == 2
    message = capsys.readouterr().err
    assert f"docs/records/{RECORD}  " in message
    assert message.count("\n    ") == 1 + message.count("docs/records/") - 1, "each with its remedy"


def _list_stranger(document: Any) -> None:
    document["dates"] = {"torch-9_numpy-9": "2026-01-01", **document["dates"]}
    document["patterns"] = [[0, *pattern] for pattern in document["patterns"]]


def _give_an_error_no_class(document: Any) -> None:
    document["answers"] = [{"error": {"type": "", "message": "no"}}]


def _date_names(day: str) -> Fault:
    return lambda document: document.update(dates=dict.fromkeys(document["dates"], day))


NAME_FAULTS: dict[str, Fault] = {
    "about another module": lambda document: document.update(namespace="numpy.fft"),
    "unknown environment": _list_stranger,
    "error without a class": _give_an_error_no_class,
    **{f"dated {day!r}": _date_names(day) for day in DAYS},
}


def _keep_names(checkout: Project, namespace: str = "numpy") -> Path:
    """The record of a name that an environment was asked for."""
    capture = replace(captured(environment=CPU), names={namespace: {"abs": NameAnswer()}})
    store.write_records(store.add_capture(store.read_records(checkout.records), capture), checkout.records)
    return checkout.records / "names" / f"{namespace}.json"


@pytest.mark.parametrize("fault", NAME_FAULTS.values(), ids=NAME_FAULTS)
def test_record_of_names_that_cannot_be_is_refused(
    checkout: Project, capsys: pytest.CaptureFixture[str], fault: Fault
) -> None:
    """By the gate and by the check; sealed, as it is."""
    path = _keep_names(checkout)
    assert cli.main(["drift", "--all"]) == 0
    _change(path, fault)
    for command in (["drift", "--all"], ["record", "--check"]):
        assert cli.main(command) == 2
        assert "docs/records/names/numpy.json  " in capsys.readouterr().err


def test_record_of_names_that_was_edited_is_refused(
    checkout: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its seal tells."""
    path = _keep_names(checkout)
    path.write_text(path.read_text("utf-8").replace('"abs"', '"abz"'), encoding="utf-8")
    assert cli.main(["drift", "--all"]) == 2
    assert "docs/records/names/numpy.json  " in capsys.readouterr().err


def test_record_of_names_that_nothing_asks_for_is_refused_and_pruned(
    checkout: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    """A module that was taken out of the catalogue."""
    path = _keep_names(checkout, "numpy.gone")
    assert cli.main(["drift", "--all"]) == 2
    assert "tensor-atlas record --prune" in capsys.readouterr().err
    assert cli.main(["record", "--prune"]) == 0
    assert not path.exists()
    assert cli.main(["drift", "--all"]) == 0


def _list_environment(**fields: object) -> Fault:
    def fault(document: Any) -> None:
        document["environments"].append(document["environments"][0] | fields)

    return fault


def _date_environment(day: str) -> Fault:
    return lambda document: document["environments"][0].update(date=day)


ENVIRONMENT_FAULTS: dict[str, Fault] = {
    "twice": _list_environment(),
    "twice, of another day": _list_environment(date="2025-01-01"),
    "twice, with another driver": _list_environment(driver="1.2"),
    "driver without a device": lambda document: document["environments"][0].update(driver="1.2"),
    **{f"dated {day!r}": _date_environment(day) for day in DAYS},
}


@pytest.mark.parametrize("fault", ENVIRONMENT_FAULTS.values(), ids=ENVIRONMENT_FAULTS)
def test_environment_that_cannot_be_is_refused(
    checkout: Project, capsys: pytest.CaptureFixture[str], fault: Fault
) -> None:
    """Listed twice, of no day or of one to come, with a driver and no device."""
    _change(checkout.records / "environments.json", fault)
    assert cli.main(["drift", "--all"]) == 2
    assert "docs/records/environments.json  " in capsys.readouterr().err


def test_record_of_a_clock_ahead_is_refused_with_the_remedy(
    checkout: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    """Kept, it would displace every later run, and be stale for ever."""
    _change(checkout.records / RECORD, _date_all(FUTURE))
    _write_capture(Path("capture.json"), _runs(examples_of(checkout)))
    before = _bytes_below(checkout.records)
    assert cli.main(["record", "--from", "capture.json"]) == 2
    assert "set the clock of this machine" in capsys.readouterr().err
    assert _bytes_below(checkout.records) == before


@pytest.mark.parametrize("name", ["01_x/gone", "09_none/a"])
def test_record_without_an_example_is_refused_and_pruned(
    checkout: Project, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """Of an example that was deleted, or in a folder of no chapter; pruning says what it removes."""
    before = _bytes_below(checkout.records)
    orphan = checkout.records / f"{name}.json"
    orphan.parent.mkdir(exist_ok=True)
    shutil.copy(checkout.records / RECORD, orphan)
    _change(orphan, lambda document: document.update(example=name))
    assert cli.main(["drift", "--all"]) == 2
    assert "tensor-atlas record --prune" in capsys.readouterr().err
    assert cli.main(["record", "--prune"]) == 0
    assert capsys.readouterr().out == f"docs/records/{name}.json  removed\n1 file changed\n"
    assert _bytes_below(checkout.records) == before


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_record_that_is_no_file_is_refused(
    checkout: Project, capsys: pytest.CaptureFixture[str], make: Callable[[Path], None]
) -> None:
    """A named pipe would be waited for."""
    path = checkout.records / RECORD
    path.unlink()
    make(path)
    for command in (["drift", "--all"], ["record", "--check"], ["record", "--prune"]):
        assert cli.main(command) == 2
        assert f"docs/records/{RECORD}  missing, or not a regular file" in capsys.readouterr().err


def test_check_counts_what_is_recorded(checkout: Project, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing wrong: one line, exit code 0, nothing written."""
    before = _bytes_below(checkout.root)
    assert cli.main(["record", "--check"]) == 0
    words = "2 examples, 2 environments recorded; 0 faults; 0 examples without a record\n"
    assert capsys.readouterr().out == words
    assert _bytes_below(checkout.root) == before


def test_check_names_every_fault(checkout: Project, capsys: pytest.CaptureFixture[str]) -> None:
    """Other commands name the first, and how many there are."""
    _change(checkout.records / RECORD, _cut_statement)
    assert cli.main(["record", "--check"]) == 2
    assert capsys.readouterr().err.count("2 observations for 3 statements") == 2
    assert cli.main(["drift", "--all"]) == 2
    assert "(and 1 more: tensor-atlas record --check)" in capsys.readouterr().err


def test_new_example_breaks_the_check_and_not_the_gate(
    checkout: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever adds an example tries it first; a reason why it waits is as good as a record."""
    write_example(checkout.root, "print(4)\n# => 4\n", "01_x/new")
    examples = examples_of(checkout)
    _write_capture(Path("capture.json"), [*_runs(examples), ran(examples["01_x/new"], "4")])
    assert cli.main(["drift", "--from", "capture.json"]) == 0
    assert "examples/01_x/new.py:1  not recorded yet" in capsys.readouterr().out
    assert cli.main(["record", "--check"]) == 1
    assert "examples/01_x/new.py:1  not recorded\n    tensor-atlas record" in capsys.readouterr().out
    gap = '[[gap]]\nexamples = ["01_x/new"]\nenvironments = ["torch >= 2"]\nreason = "It waits."\n'
    (checkout.root / "docs" / "gaps.toml").write_text(gap, encoding="utf-8")
    assert cli.main(["record", "--check"]) == 0


# --- edits -----------------------------------------------------------------------------------------


def _edit(path: Path, old: str, new: str) -> None:
    """Change a file as somebody does who opens it."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize(
    "command",
    [
        ["drift", "--from", "capture.json"],
        ["drift", "--all"],
        ["record", "--check"],
        ["record", "--from", "capture.json"],
        ["record", "--prune"],
        ["export", "-o", "export.json"],
    ],
)
def test_edit_by_hand_is_named_with_the_way_back(
    checkout: Project, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    """Though the records could be so: only the run of that environment knows that they are not."""
    _write_capture(Path("capture.json"), _runs(examples_of(checkout)))
    path = checkout.records / RECORD
    _edit(path, CPU.date, "2026-01-01")
    before = _bytes_below(checkout.root)
    assert cli.main(command) == 2
    first, second = capsys.readouterr().err.removeprefix("tensor-atlas: ").splitlines()
    assert first == f"{path}  was edited or merged since tensor-atlas record wrote it"
    look = f"git diff -- {path} shows how; where that is right: tensor-atlas record --seal"
    assert second == f"    {look}; where it is not: git checkout -- {path}"
    assert _bytes_below(checkout.root) == before


def test_check_names_every_file_that_was_edited(
    checkout: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    """Other commands name the first, and how many there are."""
    for name in (RECORD, "environments.json"):
        _edit(checkout.records / name, CPU.date, "2026-01-01")
    assert cli.main(["record", "--check"]) == 2
    assert capsys.readouterr().err.count("was edited") == 2
    assert cli.main(["drift", "--all"]) == 2
    assert "(and 1 more: tensor-atlas record --check)" in capsys.readouterr().err


def test_edit_that_is_right_is_sealed(checkout: Project, capsys: pytest.CaptureFixture[str]) -> None:
    """The file is written as tensor-atlas writes it: blanks and the order of fields are its own again."""
    path = checkout.records / RECORD
    _edit(path, CPU.date, "2026-01-01")
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8"))), encoding="utf-8")
    assert cli.main(["record", "--seal"]) == 0
    assert capsys.readouterr().out == f"docs/records/{RECORD}  changed\n1 file changed\n"
    assert "\n" in path.read_text(encoding="utf-8").strip()
    assert cli.main(["record", "--check"]) == 0


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"reached": 3', '"reached": 2', "completed, and reached fewer statements"),
        ('"schema"', '<<<<<<< ours\n"schema"', "not a record: not JSON"),
        (CPU.date, FUTURE, f"is dated {FUTURE}"),
    ],
)
def test_edit_that_cannot_be_is_not_sealed(
    checkout: Project, capsys: pytest.CaptureFixture[str], old: str, new: str, words: str
) -> None:
    """Every rule holds, and a merge that nobody resolved stays as it is."""
    _edit(checkout.records / RECORD, old, new)
    before = _bytes_below(checkout.records)
    assert cli.main(["record", "--seal"]) == 2
    assert words in capsys.readouterr().err
    assert _bytes_below(checkout.records) == before


# --- faults of captures ----------------------------------------------------------------------------


def _write_capture(path: Path, runs: list[Run], fault: Fault = lambda _: None) -> None:
    later = replace(CPU, date="2026-02-01")
    document = json.loads(json.dumps(encode_capture(captured(*runs, environment=later))))
    fault(document)
    path.write_text(json.dumps(document), encoding="utf-8")


def _change_run(**fields: object) -> Fault:
    return lambda capture: capture["runs"][0].update(fields)


def _double(capture: Any) -> None:
    run = capture["runs"][0]
    run["observations"] = [each for each in run["observations"] for _ in range(2)]


CAPTURE_FAULTS: dict[str, Fault] = {
    "emptied": _change_run(observations=[]),
    "cut": lambda capture: capture["runs"][0]["observations"].pop(),
    "doubled": _double,
    "too many": lambda capture: capture["runs"][0]["observations"].append({"code": "print(3)"}),
    "snapshots gone": _change_run(snapshots=[]),
    "snapshots too many": lambda capture: capture["runs"][0]["snapshots"].append({}),
    "run twice": lambda capture: capture["runs"].append(capture["runs"][0]),
    "not run": _change_run(status="not run", reason="needs time", observations=[], snapshots=[]),
    "not run, and observed": _change_run(status="not run", reason="needs time"),
    "raised nothing": _change_run(status="raised", reason="ValueError"),
    "no such environment": lambda capture: capture["environment"].update(device="Moon", device_count=0),
    **{
        f"dated {day!r}": lambda capture, day=day: capture["environment"].update(date=day)  # type: ignore[misc]
        for day in DAYS
    },
    **{
        f"run dated {day!r}": lambda capture, day=day: capture.update(dates={"01_x/a": day})  # type: ignore[misc]
        for day in DAYS
    },
}


@pytest.mark.parametrize("fault", CAPTURE_FAULTS.values(), ids=CAPTURE_FAULTS)
def test_capture_that_cannot_be_is_refused(
    checkout: Project, capsys: pytest.CaptureFixture[str], fault: Fault
) -> None:
    """One message with the path of the capture and a remedy; not a byte of the records changes."""
    _write_capture(Path("capture.json"), _runs(examples_of(checkout)), fault)
    before = _bytes_below(checkout.root)
    for command in (["drift", "--from"], ["record", "--report", "report.md", "--from"]):
        assert cli.main([*command, "capture.json"]) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err.startswith("tensor-atlas: capture.json  ")
        assert printed.err.count("\n") == 2, "the message, and what to do"
    assert _bytes_below(checkout.root) == before


def test_capture_without_a_fault_is_taken(checkout: Project) -> None:
    """The form the other tests spoil."""
    _write_capture(Path("capture.json"), _runs(examples_of(checkout)))
    assert cli.main(["drift", "--from", "capture.json"]) == 0
    assert cli.main(["record", "--from", "capture.json"]) == 0


# --- the committed records -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def committed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, dict[str, Example]]:
    """A copy of this checkout's records, and its examples."""
    folder = tmp_path_factory.mktemp("committed")
    shutil.copytree(ROOT / "docs" / "records", folder / "docs" / "records", ignore=lambda *_: {"matrix"})
    return Project(folder), examples_of(Project(ROOT))


SHARING_FAULTS = {"forgotten": _forget_sharing, "invented": _invent_sharing}


@pytest.mark.parametrize("name", SHARING_FAULTS)
def test_fault_in_a_committed_record_is_found(
    committed: tuple[Project, dict[str, Example]], name: str
) -> None:
    """What only a record with shared memory can show; without the fault nothing is found."""
    here, examples = committed
    path = here.records / "01_numpy_to_tensor" / "from_numpy.json"
    text = path.read_text(encoding="utf-8")
    assert records_of(here, examples, matrix=False).records
    try:
        _change(path, SHARING_FAULTS[name])
        with pytest.raises(AtlasError, match=r"from_numpy\.json  "):
            records_of(here, examples, matrix=False)
    finally:
        path.write_text(text, encoding="utf-8")
