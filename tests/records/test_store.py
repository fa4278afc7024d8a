"""Finding, reading and writing records and captures."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import CPU, GPU, SHARES, captured, example, ran

from tensor_atlas.catalogue import CONVERSIONS, SOURCES, code_digests
from tensor_atlas.errors import AtlasError
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.cells import Tried
from tensor_atlas.model.runs import JSON, SCHEMA, Run
from tensor_atlas.probe.capture import write_capture
from tensor_atlas.records.fold import Record
from tensor_atlas.records.store import (
    ENVIRONMENTS,
    MOST_COLUMNS,
    TEXTS_FILE,
    Store,
    add_capture,
    digest_rows,
    drop_removed,
    is_sealed,
    lay_out_json,
    read_capture,
    read_records,
    write_records,
)

A = example("print(1)\n")
B = example("print(2)\n", "examples/02_y/b.py")
STORE = add_capture(
    add_capture(Store(), captured(ran(A, "1"), ran(B, "2"))), captured(ran(A, "1"), environment=GPU)
)


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    """One file an example, one of environments."""
    changed = write_records(STORE, tmp_path)
    assert read_records(tmp_path) == STORE
    assert {path.relative_to(tmp_path).as_posix() for path in changed} == {
        ENVIRONMENTS,
        "01_x/a.json",
        "02_y/b.json",
    }
    assert sorted(path for path in tmp_path.rglob("*") if path.is_file()) == sorted(changed), (
        "nothing partial is left"
    )


def test_saving_the_same_again_changes_nothing(tmp_path: Path) -> None:
    """Files that need no change are not written, so that no date and no diff changes."""
    write_records(STORE, tmp_path)
    assert write_records(STORE, tmp_path) == []
    assert write_records(read_records(tmp_path), tmp_path) == []


def test_only_what_differs_is_written(tmp_path: Path) -> None:
    """A new outcome changes its own record."""
    write_records(STORE, tmp_path)
    assert write_records(add_capture(STORE, captured(ran(B, "3"))), tmp_path) == [
        tmp_path / "02_y" / "b.json"
    ]


def test_record_of_an_example_that_is_gone_is_removed(tmp_path: Path) -> None:
    """A record without its example would be evidence for nothing."""
    write_records(STORE, tmp_path)
    changed = write_records(drop_removed(STORE, {"01_x/a"}), tmp_path)
    assert changed == [tmp_path / "02_y" / "b.json"]
    assert not changed[0].exists()
    assert list(read_records(tmp_path).records) == ["01_x/a"]


def test_capture_leaves_what_it_does_not_speak_of(tmp_path: Path) -> None:
    """Other examples and other environments stay as they were; the day moves on."""
    later = replace(GPU, date="2026-12-24")
    both = add_capture(STORE, captured(ran(A, "one"), environment=later))
    assert both.records["02_y/b"] == STORE.records["02_y/b"]
    assert both.records["01_x/a"].runs == {CPU.id: ran(A, "1"), GPU.id: ran(A, "one")}
    assert both.environments[GPU.id].date == "2026-12-24"
    assert STORE.environments[GPU.id].date == GPU.date, "the argument stays as it was"
    write_records(both, tmp_path)
    assert read_records(tmp_path) == both


def test_what_is_written_is_sealed(tmp_path: Path) -> None:
    """Each file, until a byte of it is another."""
    write_records(STORE, tmp_path)
    files = [path.read_bytes() for path in tmp_path.rglob("*.json")]
    assert len(files) == 3
    assert all(map(is_sealed, files))
    assert not any(is_sealed(data.replace(b"01_x", b"01_y").replace(b"2.13", b"2.14")) for data in files[:1])


def test_cells_of_other_code_than_now_are_left_out() -> None:
    """What a capture tried of an older conversion or source says nothing about the present one."""
    conversion, (first, second) = CONVERSIONS[0], SOURCES[:2]
    codes = code_digests(conversion, first)
    cells = {first.name: Tried(codes, SHARES), second.name: Tried((codes[0], "older"), SHARES)}
    kept = add_capture(Store(), replace(captured(), cells={conversion.name: cells})).rows
    assert kept[conversion.name].cells == {CPU.id: {first.name: SHARES}}


def test_engine_of_a_day_is_kept_while_a_run_of_that_day_is() -> None:
    """So each outcome, which has its day, names the code that observed it."""

    def seen(day: str, engine: str, *runs: Run) -> Capture:
        return captured(*runs, environment=replace(CPU, date=day, engines=((day, engine),)))

    first = add_capture(Store(), seen("2026-01-01", "a" * 16, ran(A, "1"), ran(B, "2")))
    second = add_capture(first, seen("2026-02-02", "b" * 16, ran(A, "other")))
    third = add_capture(second, seen("2026-03-03", "c" * 16, ran(A, "third"), ran(B, "other")))
    found = [store.environments[CPU.id].engines for store in (first, second, third)]
    assert [[day for day, _ in engines] for engines in found] == [
        ["2026-01-01"],
        ["2026-01-01", "2026-02-02"],
        ["2026-03-03"],
    ]
    assert found[-1] == (("2026-03-03", "c" * 16),)


def test_engines_of_one_day_are_all_kept() -> None:
    """Which of them saw an outcome of that day is not known, so none stands for the other."""
    runs = ran(A, "1"), ran(B, "2")
    stored = Store()
    for engine, run in zip(("b" * 16, "a" * 16), runs, strict=True):
        day = replace(CPU, date="2026-01-01", engines=(("2026-01-01", engine),))
        stored = add_capture(stored, captured(run, environment=day))
    assert stored.environments[CPU.id].engines == (("2026-01-01", "a" * 16), ("2026-01-01", "b" * 16))


@pytest.mark.parametrize(
    ("engines", "words"),
    [
        ([["yesterday", "a" * 16]], "is no day"),
        ([["2026-01-01", "<b>"]], "is no digest"),
        ([["2026-01-01", "a" * 16]] * 2, "listed twice"),
    ],
)
def test_engine_that_names_no_code_is_refused(tmp_path: Path, engines: JSON, words: str) -> None:
    """With what is wrong."""
    write_capture(captured(ran(A, "1")), tmp_path / "capture.json")
    document = json.loads((tmp_path / "capture.json").read_text("utf-8"))
    document["environment"]["engines"] = engines
    (tmp_path / "capture.json").write_text(json.dumps(document), "utf-8")
    with pytest.raises(AtlasError, match=words):
        read_capture(tmp_path / "capture.json")


@pytest.mark.parametrize("exists", [True, False])
def test_nothing_is_an_empty_store(tmp_path: Path, exists: bool) -> None:
    """Before the first record there is no folder, or an empty one."""
    folder = tmp_path / "records"
    if exists:
        folder.mkdir()
    assert read_records(folder) == Store()


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("01_x/a.json", "{", "not a record: not JSON"),
        ("01_x/a.json", '{"schema": 1, "versions": ' + "[" * 100_000, "not a record: not JSON"),
        ("01_x/other.json", None, "is about 01_x/a"),
        (ENVIRONMENTS, "{}", "not a list of environments: Object missing required field `schema`"),
        (
            ENVIRONMENTS,
            f'{{"schema": {SCHEMA}, "environments": [{{}}]}}',
            "environments[0]: Object missing required field `torch`",
        ),
        (
            ENVIRONMENTS,
            f'{{"schema": {SCHEMA}, "environments": []}}',
            f"names environments that {ENVIRONMENTS} does not: {CPU.id}",
        ),
    ],
)
def test_file_that_cannot_be_read_is_named(tmp_path: Path, name: str, text: str | None, words: str) -> None:
    """The message says which file, what is wrong with it, and what to do."""
    write_records(STORE, tmp_path)
    path = tmp_path / name
    path.write_text(text if text is not None else (tmp_path / "01_x" / "a.json").read_text(encoding="utf-8"))
    with pytest.raises(AtlasError) as caught:
        read_records(tmp_path)
    where, remedy = str(caught.value).split("\n")
    assert where.startswith(str(tmp_path))
    assert words in where
    assert remedy.startswith(("    re", f"    take {ENVIRONMENTS} from"))  # restore, rename, …


@pytest.mark.parametrize("name", ["01_x/a.json", ENVIRONMENTS])
def test_file_of_a_newer_release_is_not_thrown_away(tmp_path: Path, name: str) -> None:
    """It is whole: what reads it must be updated."""
    write_records(STORE, tmp_path)
    (tmp_path / name).write_text(f'{{"schema": {SCHEMA + 1}}}', encoding="utf-8")
    with pytest.raises(AtlasError) as caught:
        read_records(tmp_path)
    where, remedy = str(caught.value).split("\n")
    newer = f"written with schema {SCHEMA + 1}, newer than {SCHEMA}: update tensor-atlas to read it"
    assert where == f"{tmp_path / name}  {newer}"
    assert remedy == "    nothing is wrong with the file"


def test_records_without_environments_are_refused(tmp_path: Path) -> None:
    """Evidence that nobody can date or place is none."""
    write_records(STORE, tmp_path)
    (tmp_path / ENVIRONMENTS).unlink()
    with pytest.raises(AtlasError, match="missing, or not a regular file"):
        read_records(tmp_path)


def test_capture_is_read_from_its_file(tmp_path: Path) -> None:
    """What the probe writes."""
    capture = captured(ran(A, "1"), environment=GPU)
    write_capture(capture, tmp_path / "capture.json")
    assert read_capture(tmp_path / "capture.json") == capture


@pytest.mark.parametrize("text", [None, "", "[]", '{"schema": 1'])
def test_capture_that_cannot_be_read_is_named(tmp_path: Path, text: str | None) -> None:
    """Missing or truncated: the message says how to make one."""
    path = tmp_path / "capture.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(AtlasError) as caught:
        read_capture(path)
    assert str(path) in str(caught.value)
    assert "python -m tensor_atlas.probe" in str(caught.value)


def test_capture_of_a_newer_release_is_not_made_again(tmp_path: Path) -> None:
    """It may have taken hours on a machine that is no longer there."""
    path = tmp_path / "capture.json"
    path.write_text('{"schema": 99}', encoding="utf-8")
    with pytest.raises(AtlasError, match=r"to read it\n    nothing is wrong with the file"):
        read_capture(path)


TREES: st.SearchStrategy[JSON] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=60),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=30), inner, max_size=4),
)


@given(TREES)
def test_layout_changes_no_value(document: JSON) -> None:
    """However it is broken into lines, the JSON is the same, and no line that could be broken is too long."""
    text = lay_out_json(document)
    assert json.loads(text) == document
    assert text.endswith("\n")


def test_one_fact_stands_on_one_line() -> None:
    """What fits stays together; what does not is broken at the outermost level."""
    fact: JSON = {"groups": [0], "stdout": "x" * 80}
    text = lay_out_json({"outcomes": [fact, fact, fact]})
    assert text.count(json.dumps(fact)) == 3
    assert max(map(len, text.split("\n"))) <= MOST_COLUMNS
    assert lay_out_json([fact]).count("\n") == 1


def test_record_names_its_example() -> None:
    """A store keeps records by the example they are about."""
    assert {name: record.example for name, record in STORE.records.items()} == {
        "01_x/a": "01_x/a",
        "02_y/b": "02_y/b",
    }
    assert isinstance(STORE.records["01_x/a"], Record)


def test_key_of_rows_is_that_of_their_files(tmp_path: Path) -> None:
    """Empty where none are recorded; another when any file is."""
    assert digest_rows(tmp_path) == ""
    (tmp_path / "matrix").mkdir()
    paths = [tmp_path / "matrix" / "a.json", tmp_path / "sources.json", tmp_path / "environments.json"]
    for path in paths:
        path.write_text("1", encoding="utf-8")
    keys = {digest_rows(tmp_path)}
    for path in paths:
        path.write_text("2", encoding="utf-8")
        keys.add(digest_rows(tmp_path))
    assert len(keys) == 4


@pytest.mark.parametrize("kind", ["folder", "named pipe", "dangling link"])
def test_what_is_no_regular_file_is_refused(tmp_path: Path, kind: str) -> None:
    """Rather than read for ever; with the file, and what to do."""
    write_records(STORE, tmp_path)
    path = tmp_path / "01_x" / "a.json"
    path.unlink()
    if kind == "folder":
        path.mkdir()
    elif kind == "dangling link":
        path.symlink_to("elsewhere")
    else:
        os.mkfifo(path)
    with pytest.raises(AtlasError, match=r"a\.json  missing, or not a regular file\n    restore it"):
        read_records(tmp_path)


def test_text_under_the_digest_of_another_is_refused(tmp_path: Path) -> None:
    """Rows name their texts by it."""
    conversion, first = CONVERSIONS[0], SOURCES[0]
    cells = {conversion.name: {first.name: Tried(code_digests(conversion, first), SHARES)}}
    stored = add_capture(Store(), replace(captured(), cells=cells))
    write_records(stored, tmp_path)
    assert read_records(tmp_path).rows == stored.rows
    document = json.loads((tmp_path / TEXTS_FILE).read_text(encoding="utf-8"))
    document["texts"]["0123456789abcdef"] = "a text"
    (tmp_path / TEXTS_FILE).write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(AtlasError, match=r"texts\.json  0123456789abcdef: another text than its digest says"):
        read_records(tmp_path)
