"""Which examples and cells belong to which shard, how one is spelled, and what is missing of a whole."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import CPU, GPU, captured, example, project, python, ran, write_example

from tensor_atlas import cli
from tensor_atlas.catalogue import CONVERSIONS, SOURCES, code_digests, list_pairs
from tensor_atlas.errors import AtlasError
from tensor_atlas.model.capture import (
    Capture,
    Shard,
    digest_plan,
    encode_capture,
    merge_captures,
    missing_shards,
    parse_shard,
)
from tensor_atlas.model.cells import Cell, Outcome, Tried
from tensor_atlas.model.runs import Raised, Status
from tensor_atlas.probe.__main__ import main
from tensor_atlas.probe.capture import cells_of, write_capture
from tensor_atlas.probe.runner import batches
from tensor_atlas.records import store
from tensor_atlas.records.decode import decode_capture


@given(st.lists(st.integers()), st.integers(1, 12))
def test_every_thing_belongs_to_one_shard(things: list[int], count: int) -> None:
    """None is lost, none runs twice, and no shard has much more than another."""
    parts = [Shard(number, count).select(things) for number in range(1, count + 1)]
    assert sorted(thing for part in parts for thing in part) == sorted(things)
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


def test_shards_of_the_matrix_make_the_whole() -> None:
    """Each cell belongs to one, and the cells that one process tries stay together."""
    whole = [tuple(batch) for batch in batches(list_pairs())]
    parts = [cells_of(Shard(number, 8)) for number in range(1, 9)]
    assert {tuple(batch) for part in parts for batch in batches(part)} == set(whole)
    assert sum(map(len, parts)) == len(set(cells_of(None))) == len(list(list_pairs()))


@pytest.mark.parametrize(
    "text",
    ["", "2", "0/8", "9/8", "2/8/1", "a/b", "２/８", "2/8\n", "1/" + "9" * 9],
)
def test_bad_spelling_is_exit_code_2_and_one_line(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is run; the line says what to write."""
    assert str(parse_shard("10/12")) == "10/12"
    write_example(tmp_path, "value = 1\n")
    monkeypatch.chdir(tmp_path)
    assert main(["examples", "-o", "capture.json", f"--shard={text}"]) == 2
    assert capsys.readouterr().err == (
        f"tensor-atlas probe: --shard {text!r} is no shard: write 2/8 for the second of eight\n"
    )
    assert not Path("capture.json").exists()


def test_missing_shards_are_named() -> None:
    """Of every whole that some are of; shards of another plan fill no gap."""
    assert missing_shards([]) == []
    assert missing_shards([Shard(number, 3, "p") for number in (3, 1, 2)]) == []
    assert missing_shards([Shard(1, 3, "p"), Shard(3, 3, "p")]) == ["2/3"]
    assert missing_shards([Shard(1, 2, "p"), Shard(2, 2, "q")]) == ["2/2", "1/2"]
    assert missing_shards([Shard(1, 2, "p"), Shard(2, 3, "p")]) == ["2/2", "1/3", "3/3"]


def test_plan_knows_code_and_matrix() -> None:
    """Shards of another checkout, or without the matrix, are of another whole; the order found is not."""
    one, two = ("01_x/a", "d1"), ("01_x/b", "d2")
    assert digest_plan([one, two], matrix=True) == digest_plan([two, one], matrix=True)
    others = [
        digest_plan([one, two], matrix=True),
        digest_plan([one, two], matrix=False),
        digest_plan([one, ("01_x/b", "d3")], matrix=True),
    ]
    assert len({*others, digest_plan([one], matrix=True)}) == 4


EXAMPLES = {
    stem: example(f"print('{stem}')\n# => {stem}\n", f"examples/01_x/{stem}.py") for stem in "abcdefg"
}
RUNS = tuple(ran(what, stem) for stem, what in EXAMPLES.items())
ROW = CONVERSIONS[0]
RAISES = Cell(Outcome.RAISES, error=Raised("TypeError", "no"))
VALUE = Cell(Outcome.VALUE, type="int")
CELLS = {
    source.name: Tried(code_digests(ROW, source), RAISES if index % 3 else VALUE)
    for index, source in enumerate(SOURCES[:6])
}
WHOLE = replace(captured(*RUNS), cells={ROW.name: CELLS})


def parts_of(whole: Capture, count: int) -> list[Capture]:
    """Captures of the shards of a run; one row of the matrix is shared out, as a slow source's column is."""
    found = []
    for number in range(1, count + 1):
        part = Shard(number, count, "plan")
        cells = {name: dict(part.select(list(row.items()))) for name, row in whole.cells.items()}
        found.append(replace(whole, runs=tuple(part.select(whole.runs)), cells=cells, shard=part))
    return found


def files_of(captures: Sequence[Capture]) -> dict[str, Capture]:
    """Captures by a file name."""
    return {f"{index}.json": capture for index, capture in enumerate(captures)}


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_shards_one_after_the_other_write_the_same_bytes(tmp_path: Path) -> None:
    """Each folded in as it comes, in every order: the same files as one whole run."""
    store.write_records(store.add_capture(store.Store(), WHOLE), tmp_path / "whole")
    expected = bytes_of(tmp_path / "whole")
    assert len(expected) == len(RUNS) + 4
    for index, order in enumerate(permutations(parts_of(WHOLE, 3))):
        folder = tmp_path / str(index)
        for part in order:
            store.write_records(store.add_capture(store.read_records(folder), part), folder)
        assert bytes_of(folder) == expected


@given(st.data())
@settings(max_examples=30)
def test_any_number_of_shards_in_any_order_is_the_whole_run(data: st.DataObject) -> None:
    """More shards than examples, too: some are empty."""
    parts = parts_of(WHOLE, data.draw(st.integers(1, 12)))
    (found,) = merge_captures(files_of(data.draw(st.permutations(parts))))
    assert (found.capture, found.missing) == (WHOLE, ())


def test_incomplete_shards_are_told() -> None:
    """They make no whole run."""
    one, two, three = parts_of(WHOLE, 3)
    (found,) = merge_captures({"a": three, "b": one})
    assert found.missing == ("2/3",)
    assert {run.example for run in found.capture.runs} == {run.example for run in (*one.runs, *three.runs)}
    assert two.runs


def test_each_environment_is_gathered_by_itself() -> None:
    """A shard of another release or device completes nothing."""
    one, two = parts_of(WHOLE, 2)
    (cpu, gpu) = merge_captures({"a": one, "b": replace(two, environment=GPU)})
    assert (cpu.capture.environment, cpu.missing) == (CPU, ("2/2",))
    assert (gpu.capture.environment, gpu.missing) == (GPU, ("1/2",))


def test_merged_captures_keep_all_their_engines() -> None:
    """Also that of the older day, on which a part of the runs was seen."""
    engines = ("2026-01-01", "b" * 16), ("2026-01-02", "a" * 16)
    parts = {
        day: captured(ran(example("print(1)\n", f"examples/01_x/{engine[:2]}.py"), "1"), environment=where)
        for day, engine in engines
        for where in [replace(CPU, date=day, engines=((day, engine),))]
    }
    (merged,) = merge_captures(parts)
    assert merged.capture.environment.engines == engines


def test_each_run_keeps_its_day() -> None:
    """Shards may run on either side of midnight."""
    one, two = parts_of(WHOLE, 2)
    later = replace(two, environment=replace(CPU, date="2026-01-03"))
    for order in ({"a": one, "b": later}, {"a": later, "b": one}):
        (found,) = merge_captures(order)
        assert found.capture.environment.date == "2026-01-03"
        assert found.capture.environment_of(one.runs[0].example).date == CPU.date
        assert found.capture.environment_of(two.runs[0].example).date == "2026-01-03"


@pytest.mark.parametrize(
    "other",
    [
        captured(replace(RUNS[0], status=Status.RAISED)),
        replace(
            captured(),
            cells={ROW.name: {SOURCES[0].name: Tried(code_digests(ROW, SOURCES[0]), Cell(Outcome.CRASHES))}},
        ),
    ],
)
def test_captures_that_contradict_each_other_are_refused(other: Capture) -> None:
    """Which of them came first must not decide what is recorded."""
    for order in ({"a.json": WHOLE, "b.json": other}, {"b.json": other, "a.json": WHOLE}):
        with pytest.raises(AtlasError, match=r"^b\.json  contradicts a\.json on .*\n    give the right one"):
            merge_captures(order)


def test_capture_keeps_its_shard() -> None:
    """In its file; one of a whole run has none, and a spelling that is none is refused."""
    (part, _) = parts_of(WHOLE, 2)
    assert decode_capture(json.dumps(encode_capture(part)).encode()) == part
    document = encode_capture(WHOLE)
    assert "shard" not in document
    with pytest.raises(ValueError, match="shard: '3/2' is no shard"):
        decode_capture(json.dumps({**document, "shard": "3/2", "plan": "p"}).encode())


# --- tensor-atlas record --------------------------------------------------------------------------


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Project with the examples; the working directory."""
    root = project(tmp_path / "checkout")
    for stem in EXAMPLES:
        write_example(root, f"print('{stem}')\n# => {stem}\n", f"01_x/{stem}")
    monkeypatch.chdir(root)
    return root


def test_example_of_a_missing_shard_has_not_vanished(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its record stays, nothing says that it changed, and the report tells that this is no whole run."""
    older = replace(CPU, torch="2.12.0+cpu")
    write_capture(replace(WHOLE, environment=older), Path("older.json"))
    for index, part in enumerate(parts_of(WHOLE, 3)):
        write_capture(part, Path(f"{index}.json"))
    assert cli.main(["record", "--from", "older.json"]) == 0
    capsys.readouterr()
    assert cli.main(["record", "--from", "2.json", "0.json", "--report", "report.md"]) == 0
    told = capsys.readouterr()
    missing = "shard 2/3 missing; the records of 2 examples, and of the cells they hold, stay as they were"
    assert told.err == f"torch 2.13.0+cpu, NumPy 2.4.6, cpu: {missing}\n"
    assert told.out.endswith("\n\nnothing changed in 5 examples\n")
    partial = f"**Not a whole run of torch 2.13.0+cpu, NumPy 2.4.6, cpu: {missing}**"
    assert partial in Path("report.md").read_text(encoding="utf-8")
    committed = store.read_records(checkout / "docs" / "records")
    assert set(committed.records) == {run.example for run in RUNS}
    assert len(committed.runs(CPU.id)) == 5
    # The last shard by itself: alone it is as incomplete, but now everything is there.
    assert cli.main(["record", "--from", "1.json"]) == 0
    assert "shards 1/3, 3/3 missing" in capsys.readouterr().err
    assert len(store.read_records(checkout / "docs" / "records").runs(CPU.id)) == len(RUNS)


@pytest.mark.usefixtures("checkout")
def test_releases_in_shards_are_recorded_together(capsys: pytest.CaptureFixture[str]) -> None:
    """As the workflow hands them over: one report, whose whole has a part for each release."""
    releases = [CPU, replace(CPU, torch="2.12.0+cpu")]
    parts = [part for release in releases for part in parts_of(replace(WHOLE, environment=release), 2)]
    for index, part in enumerate(parts):
        write_capture(part, Path(f"{index}.json"))
    assert cli.main(["record", "--from", *(f"{n}.json" for n in (3, 0, 2, 1)), "--report", "report.md"]) == 0
    assert capsys.readouterr().err == ""
    text = Path("report.md").read_text(encoding="utf-8")
    assert text.startswith("## torch 2.13.0, torch 2.12.0, NumPy 2.4.6 in 2 environments\n")
    whole = Path("report-whole.md").read_text(encoding="utf-8")
    heads = [line for line in whole.split("\n") if line.startswith("## ")]
    assert heads == ["## torch 2.12.0+cpu, NumPy 2.4.6, cpu", "## torch 2.13.0+cpu, NumPy 2.4.6, cpu"]


# --- the probe ------------------------------------------------------------------------------------


def test_probe_runs_its_shard_alone(tmp_path: Path) -> None:
    """And writes into the capture which part of what it is."""
    root = project(tmp_path / "checkout")
    everything = [write_example(root, f"print('{stem}')\n", f"01_x/{stem}") for stem in "abc"]
    done = python(root, "-m", "tensor_atlas.probe", "examples", "-o", "capture.json", "--shard", "2/2")
    assert done.returncode == 0, done.stderr
    found = store.read_capture(root / "capture.json")
    assert [run.example for run in found.runs] == ["01_x/b"]
    plan = digest_plan([(example.name, example.digest) for example in everything], matrix=False)
    assert found.shard == Shard(2, 2, plan)
