"""What ran on a reader's machine against the records of the archive."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from committed import committed_evidence
from samples import ARRAY, CPU, FULL, GPU, OLDER, SHARES, captured, example, ran, write_example

from tensor_atlas.compare.evidence import Evidence, evidence_from_records
from tensor_atlas.compare.own_machine import (
    COMPARISON,
    RECORDS,
    MachineComparison,
    State,
    compare_capture,
    describe,
    encode_comparison,
    find_named,
    find_nearest,
    list_environments,
    main,
    read_capture,
    read_cells,
    read_runs,
    render_report,
    summarize,
)
from tensor_atlas.compare.packed_records import pack_records, render_records
from tensor_atlas.errors import BAD_INPUT, AtlasError
from tensor_atlas.examples.parse import Example
from tensor_atlas.history.changes import Change, find_changes
from tensor_atlas.history.releases import find_environment, newest_environment
from tensor_atlas.model.capture import Capture, encode_capture
from tensor_atlas.model.cells import Cell, Outcome, Tried
from tensor_atlas.model.runs import AFTER, LATE, Environment, Observation, Run, Snapshot, Status, Warned
from tensor_atlas.records.decode import decode_capture
from tensor_atlas.records.fold import Record
from tensor_atlas.records.matrix_rows import Row
from tensor_atlas.records.store import Store

PRINTS = example("print(1)\nprint(2)\n")
EXAMPLES = {PRINTS.name: PRINTS}
ENVIRONMENTS = {environment.id: environment for environment in (CPU, GPU, OLDER)}
RAISES = Cell(Outcome.RAISES)


def evidence_of(*runs: tuple[Environment, Run], rows: dict[str, Row] | None = None) -> Evidence:
    """Evidence of three environments, in which these runs and rows are recorded."""
    record = Record(PRINTS.name, {environment.id: run for environment, run in runs})
    store = Store(ENVIRONMENTS, {PRINTS.name: record}, rows=rows or {}, sources={"a": "s1", "b": "s2"})
    return evidence_from_records(EXAMPLES, store)


def as_packed(evidence: Evidence) -> dict[str, Any]:
    """What the archive holds of it, read from JSON."""
    packed: dict[str, Any] = json.loads(render_records(evidence))
    return packed


def compare(
    run: Run, *recorded: tuple[Environment, Run], examples: dict[str, Example] = EXAMPLES
) -> MachineComparison:
    """A run on the CPU against the record of the CPU."""
    return compare_capture(as_packed(evidence_of(*recorded)), examples, captured(run), CPU)


# --- records ---------------------------------------------------------------------------------------


def test_runs_read_as_they_were_recorded() -> None:
    """Alike ones stand once; what no comparison reads is left out."""
    late = Observation(AFTER, stdout="bye")
    alive = Snapshot((replace(ARRAY, buffer=0, start=0, stop=8),), shares=(("a", "b"),), left_out=("rest",))
    first = replace(ran(PRINTS, "1", "2"), snapshots=(alive,), late=late, depth=4)
    packed = as_packed(evidence_of((CPU, first), (GPU, first), (OLDER, ran(PRINTS, "1", "3"))))
    entry = packed["examples"][PRINTS.name]
    assert (entry["pattern"], len(entry["runs"])) == ("001", 2)
    bare = Snapshot((replace(ARRAY, buffer=None, start=None, stop=None),), shares=(("a", "b"),))
    assert read_runs(packed, GPU, EXAMPLES) == {PRINTS.name: replace(first, snapshots=(bare,))}
    assert read_runs(packed, OLDER, EXAMPLES) == {PRINTS.name: ran(PRINTS, "1", "3")}
    assert read_runs(packed, OLDER, {}) == {}


def test_run_of_older_code_is_not_carried() -> None:
    """Nothing could be compared with it."""
    packed = as_packed(evidence_of((CPU, replace(ran(PRINTS, "1"), digest="0" * 16))))
    assert read_runs(packed, CPU, EXAMPLES) == {}


def test_cells_read_as_they_were_recorded() -> None:
    """With the digests of their code; a cell that nobody tried is none."""
    cells = {CPU.id: {"a": SHARES, "b": RAISES}, OLDER.id: {"a": RAISES}}
    packed = as_packed(evidence_of(rows={"call": Row("call", cells, code="c0de")}))
    tried = {"a": Tried(("c0de", "s1"), SHARES), "b": Tried(("c0de", "s2"), RAISES)}
    assert read_cells(packed, CPU) == {"call": tried}
    assert read_cells(packed, OLDER) == {"call": {"a": Tried(("c0de", "s1"), RAISES)}}
    assert read_cells(packed, GPU) == {"call": {}}


def test_environments_are_the_newest_first() -> None:
    """With the incompatible installs named."""
    misfit = replace(OLDER, numpy="2.4.6")
    store = Store({one.id: one for one in (OLDER, CPU, misfit)})
    packed = pack_records(evidence_from_records({}, store))
    assert [one.id for one in list_environments(packed)] == [CPU.id, OLDER.id, misfit.id]
    assert packed["misfits"] == [misfit.id]


# --- which record ----------------------------------------------------------------------------------

NEWEST = replace(CPU, torch="2.15.0+cu132", cuda="13.2")
NUMPY_1 = replace(CPU, numpy="1.26.4")
OTHER_PYTHON = replace(CPU, python="3.14.1")
PYPI = replace(CPU, torch="2.13.0+cu130", cuda="13.0")
RECORDED = (NEWEST, PYPI, CPU, OTHER_PYTHON, GPU, NUMPY_1, OLDER)


@pytest.mark.parametrize(
    ("here", "nearest"),
    [
        (replace(CPU, date="2027-01-01"), CPU),
        (replace(PYPI, date="2027-01-01"), PYPI),
        (replace(CPU, torch="2.13.0+xpu"), PYPI),
        (replace(GPU, device="NVIDIA T4"), GPU),
        (replace(CPU, device="mps"), CPU),
        (replace(CPU, device="mps", torch="2.13.0"), PYPI),
        (replace(CPU, numpy="1.26.4"), NUMPY_1),
        (replace(CPU, python="3.14.0"), OTHER_PYTHON),
        (replace(CPU, torch="2.14.1+cpu"), PYPI),
        (replace(CPU, torch="2.16.0.dev20270101+cpu"), NEWEST),
        (replace(CPU, torch="2.2.3"), OLDER),
        (replace(CPU, torch="1.5.0"), OLDER),
    ],
)
def test_record_of_the_same_torch_is_nearest_else_the_one_before(
    here: Environment, nearest: Environment
) -> None:
    """Then the kind of device, a CPU, NumPy, Python and the build decide."""
    assert find_nearest(RECORDED, here, []) == nearest


def test_incompatible_install_is_no_older_release_to_compare_with() -> None:
    """But it is compared with its own record."""
    misfit = replace(OLDER, torch="2.2.2+cpu", numpy="2.4.6")
    oldest = replace(OLDER, torch="1.13.1+cpu")
    known = (misfit, oldest)
    assert find_nearest(known, replace(misfit, torch="2.3.0"), [misfit.id]) == oldest
    assert find_nearest(known, misfit, [misfit.id]) == misfit
    assert find_nearest((), misfit, []) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (OLDER.id, OLDER),
        ("2.13.0", PYPI),
        ("2.13.0/1.26.4", NUMPY_1),
        ("2.13.0/2.4.6/cuda", GPU),
        ("2.13.0/2.4.6/cpu/3.14", OTHER_PYTHON),
    ],
)
def test_record_is_named_as_compare_names_it(text: str, found: Environment) -> None:
    """By its id, or by as many parts as tell it from others."""
    assert find_named(text, RECORDED) == found


def test_unknown_record_is_refused_with_those_that_there_are() -> None:
    """Each once."""
    with pytest.raises(AtlasError, match=r"^--against 9\.9  no such record\n    name one of 2\.15\.0/2"):
        find_named("9.9", RECORDED)


# --- what differs ----------------------------------------------------------------------------------


def test_same_run_has_no_difference() -> None:
    """It counts as compared."""
    found = compare(ran(PRINTS, "1", "2"), (CPU, ran(PRINTS, "1", "2")))
    assert found.examples[PRINTS.name].state is State.COMPARED
    assert summarize(found) == f"{describe(CPU)}: 0 differences in 1 example that both ran."


def test_difference_is_that_of_the_records() -> None:
    """In the order of the page."""
    recorded, here = ran(PRINTS, "1", "2"), ran(PRINTS, "1", "3")
    found = compare(here, (CPU, recorded))
    assert tuple(found.changes) == find_changes(recorded, here, PRINTS)
    assert len(found.changes) == 1


def test_example_without_a_record_is_shown_whole() -> None:
    """Each statement that printed anything, and the end of the script; it counts as no difference."""
    silent = example("import numpy\nprint(2)\n")
    run = replace(ran(silent, "", "2"), late=Observation(AFTER, stdout="bye"))
    found = compare(run, examples={silent.name: silent})
    (entry,) = found.examples.values()
    assert (entry.state, entry.reason) == (
        State.NOT_RECORDED,
        f"there is no record of it with {describe(CPU)}",
    )
    assert [(change.statement, change.after) for change in entry.changes] == [(1, ("2",)), (LATE, ("bye",))]
    assert found.changes == []
    not_run = ran(silent, status=Status.NOT_RUN, reason="needs CUDA")
    assert compare(run, (CPU, not_run), examples={silent.name: silent}).examples == found.examples


def test_crash_without_a_record_says_how_it_ended() -> None:
    """After what the statement printed."""
    run = ran(PRINTS, "1", "2", status=Status.CRASHED, reason="SIGSEGV")
    (entry,) = compare(run).examples.values()
    assert [change.after for change in entry.changes] == [("1",), ("2", "crashed: SIGSEGV")]


OTHER = "the archive has other code for it"


@pytest.mark.parametrize(
    ("run", "state", "reason"),
    [
        (replace(ran(PRINTS, "1"), digest="0" * 16), State.OTHER_CODE, OTHER),
        (replace(ran(PRINTS, "1"), example="01_x/gone"), State.OTHER_CODE, OTHER),
        (ran(PRINTS, status=Status.NOT_RUN, reason="needs CUDA"), State.NOT_RUN, "needs CUDA"),
        (ran(PRINTS, status=Status.NOT_RUN), State.NOT_RUN, "no reason is given"),
    ],
)
def test_what_cannot_be_compared_says_why(run: Run, state: State, reason: str) -> None:
    """Though there is a record."""
    (entry,) = compare(run, (CPU, ran(PRINTS, "1", "2"))).examples.values()
    assert (entry.state, entry.reason, entry.changes) == (state, reason, ())


def test_cells_of_the_same_code_are_compared() -> None:
    """Others have no record."""
    row = Row("call", {CPU.id: {"a": SHARES, "b": SHARES}}, code="c0de")
    cells = {
        "call": {"a": Tried(("c0de", "s1"), RAISES), "b": Tried(("c0de", "new"), RAISES)},
        "new": {"a": Tried(("c0de", "s1"), SHARES)},
    }
    capture = Capture(CPU, (), {}, cells=cells)
    found = compare_capture(as_packed(evidence_of(rows={"call": row})), EXAMPLES, capture, CPU)
    assert [(rule.before, rule.after, rule.cells) for rule in found.rules] == [
        ("shares memory", "raises", (("call", "a"),))
    ]
    assert summarize(found).endswith("1 of 1 cell of the matrix differ; 2 have no record there.")


@pytest.mark.parametrize("release", ["2.6.0", "1.13.1/1.26.4"])
def test_another_release_differs_as_the_records_do(release: str) -> None:
    """From the newest record: what the packed records leave out changes nothing."""
    evidence = committed_evidence()
    known = evidence.store.environments.values()
    newest, other = newest_environment(known), find_environment(release, known)
    assert newest is not None
    assert other is not None
    expected: list[Change] = []
    runs = {name: record.runs for name, record in evidence.store.records.items()}
    for name, what in evidence.examples.items():
        then, now = runs.get(name, {}).get(newest.id), runs.get(name, {}).get(other.id)
        if then and now and {then.digest, now.digest} == {what.digest}:
            expected += find_changes(then, now, what)
    given = tuple(each[other.id] for each in runs.values() if other.id in each)
    capture = Capture(other, given, {})
    packed = as_packed(evidence)
    found = compare_capture(packed, evidence.examples, capture, newest)
    assert sorted(found.changes, key=repr) == sorted(expected, key=repr)
    assert compare_capture(packed, evidence.examples, capture, other).changes == []


# --- a capture in a file ---------------------------------------------------------------------------


def test_capture_is_read_as_it_was_written() -> None:
    """Runs and cells, without seconds, dates and names."""
    document = json.loads(json.dumps(encode_capture(FULL)))
    assert read_capture(document) == Capture(FULL.environment, FULL.runs, {}, cells=FULL.cells)


@pytest.mark.parametrize(
    "document",
    [[], {}, {"matrix": 1}, {"matrix": {"outcomes": [], "cells": {"a": {"b": [0, "", ""]}}}, "runs": []}],
)
def test_other_document_is_refused(document: Any) -> None:
    """With one sentence."""
    with pytest.raises(AtlasError, match="is no capture that this archive can read"):
        read_capture(document)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An unpacked archive of one example, and a capture that differs from the record in one statement."""
    what = write_example(tmp_path, "print(1)\nprint(2)\n", PRINTS.name)
    assert what.digest == PRINTS.digest
    (tmp_path / RECORDS).write_text(render_records(evidence_of((CPU, ran(PRINTS, "1", "2")))))
    run = replace(ran(PRINTS, "1", "<3>"), late=None)
    (tmp_path / "capture.json").write_text(json.dumps(encode_capture(captured(run))), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_differences_are_printed_and_written_into_the_capture(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The gravest first, then how many; the capture can be recorded as before."""
    path = folder / "capture.json"
    before = decode_capture(path.read_bytes())
    assert main([str(path), ""]) == 0
    said = capsys.readouterr().out
    assert said.startswith(
        f"Compared with the record of {describe(CPU)}\n\n--- value, dtype or device changed: 1\n"
    )
    assert said.endswith(": 1 difference in 1 example that both ran.\n")
    written = json.loads(path.read_text(encoding="utf-8"))[COMPARISON]
    assert written["against"] == {"id": CPU.id, "words": describe(CPU)}
    assert written["examples"][PRINTS.name] == {
        "title": PRINTS.title,
        "state": "compared",
        "reason": "",
        "changes": [
            {
                "severity": "value, dtype or device changed",
                "block": 0,
                "statement": "1",
                "code": "print(2)",
                "before": ["2"],
                "after": ["<3>"],
                "facts": [],
            }
        ],
    }
    assert decode_capture(path.read_bytes()) == before


def test_rule_is_written_with_its_cells() -> None:
    """As the page lists them."""
    row = Row("call", {CPU.id: {"a": SHARES}}, code="c0de")
    capture = Capture(CPU, (), {}, cells={"call": {"a": Tried(("c0de", "s1"), RAISES)}})
    found = compare_capture(as_packed(evidence_of(rows={"call": row})), EXAMPLES, capture, CPU)
    assert encode_comparison(found)["rules"] == [
        {
            "severity": "error appeared",
            "before": "shares memory",
            "after": "raises",
            "cells": [["call", "a"]],
        }
    ]
    assert "1 cell of the matrix  error appeared\n" in render_report(found, EXAMPLES)


def test_another_record_can_be_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One without a run of the example: its output is written, and none of it is a difference."""
    path = folder / "capture.json"
    assert main([str(path), "2.2.2"]) == 0
    assert capsys.readouterr().out.endswith(": 0 differences in 0 examples that both ran.\n")
    (entry,) = json.loads(path.read_text(encoding="utf-8"))[COMPARISON]["examples"].values()
    assert [change["severity"] for change in entry["changes"]] == ["not recorded", "not recorded"]
    assert main([str(path), "9.9"]) == BAD_INPUT
    assert capsys.readouterr().err.startswith("atlas-probe: --against 9.9  no such record\n")


def test_file_that_is_no_capture_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It stays as it is."""
    path = folder / "capture.json"
    for text in ("{}", "no JSON"):
        path.write_text(text, encoding="utf-8")
        assert main([str(path), ""]) == BAD_INPUT
        assert capsys.readouterr().err.startswith("atlas-probe: ")
        assert path.read_text(encoding="utf-8") == text


def test_without_records_nothing_is_compared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A site that has recorded nothing yet."""
    (folder / RECORDS).write_text(render_records(evidence_from_records({}, Store({}))))
    path = folder / "capture.json"
    assert main([str(path), ""]) == 0
    assert capsys.readouterr().out == ""
    assert COMPARISON not in json.loads(path.read_text(encoding="utf-8"))


def test_control_characters_are_spelled_out_for_a_terminal() -> None:
    """A run may print whatever it likes; the page shows it as text."""
    here = replace(
        ran(PRINTS, "1", "2"),
        observations=(Observation("print(1)", "1"), Observation("print(2)", "\x1b[31m")),
    )
    found = compare(here, (CPU, ran(PRINTS, "1", "2")))
    assert "\\x1b[31m" in render_report(found, EXAMPLES)
    warned = replace(here, observations=(Observation("print(1)", "1", warnings=(Warned("W", "w"),)),))
    assert "warning changed" in json.dumps(encode_comparison(compare(warned, (CPU, ran(PRINTS, "1", "2")))))
