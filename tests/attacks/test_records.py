"""Broken and hostile records and captures: each is read, or refused with file and remedy; none ends in a
traceback.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from samples import CPU, captured, example, project, ran

from tensor_atlas import cli
from tensor_atlas.catalogue import CONVERSIONS, SOURCES, code_digests
from tensor_atlas.errors import AtlasError
from tensor_atlas.model.cells import Cell, Outcome, Tried
from tensor_atlas.model.runs import SCHEMA, Buffer, Raised, Snapshot, Value
from tensor_atlas.probe.capture import write_capture
from tensor_atlas.records import store
from tensor_atlas.records.store import seal_text

WHAT = example("print(1)\n# => 1\n", "examples/01_x/a.py")
VALUE = Value("x", "Tensor", "torch.int8", (2,), (1,), "cpu", requires_grad=False, buffer=0, start=0, stop=2)
SEEN = Snapshot((VALUE,), (Buffer("cpu", 2),))
RUN = replace(ran(WHAT, "1"), snapshots=(SEEN,))
TRIED = {
    source.name: Tried(
        code_digests(CONVERSIONS[0], source), Cell(Outcome.RAISES, error=Raised("TypeError", letter * 120))
    )
    for source, letter in zip(SOURCES[:3], "abc", strict=True)
}
CAPTURE = replace(captured(RUN), cells={CONVERSIONS[0].name: TRIED}, seconds={"01_x/a": 0.5})


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Project with an example, its records and its capture; the working directory."""
    root = project(tmp_path / "checkout")
    (root / "examples" / "01_x").mkdir(parents=True)
    (root / WHAT.path).write_text(WHAT.source, encoding="utf-8")
    store.write_records(store.add_capture(store.Store(), CAPTURE), root / "docs" / "records")
    write_capture(CAPTURE, root / "capture.json")
    monkeypatch.chdir(root)
    return root


def told(capsys: pytest.CaptureFixture[str]) -> str:
    """What the command said of bad input: where and what in one line, then what to do."""
    message = capsys.readouterr().err
    first, second = message.removesuffix("\n").split("\n")
    assert first.startswith("tensor-atlas: ")
    assert second.startswith("    ")
    assert len(message) < 1000
    return first


DEEP = '{"schema": 1, "environment": ' + "[" * 200_000 + "]" * 200_000 + "}"
TEXTS = {
    "empty": "",
    "truncated": '{"schema": 1, "environment": {"torch": "2.1',
    "nested deep": DEEP,
    "integer of many digits": '{"schema": ' + "9" * 5000 + "}",
    "number beyond all": '{"schema": 1e999}',
    "not a number": '{"schema": NaN}',
    "infinite": '{"schema": -Infinity}',
    "half a character": '{"schema": 1, "example": "\\ud800"}',
    "list": "[]",
    "null": "null",
    "text": '"schema"',
    "no schema": "{}",
    "schema zero": '{"schema": 0}',
    "schema true": '{"schema": true}',
    "newer schema": f'{{"schema": {SCHEMA + 1}}}',
    "zero byte": '{"schema": 1}\0',
    "html": "<!doctype html><title>404</title>",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("name", ["environments.json", "01_x/a.json", f"matrix/{CONVERSIONS[0].name}.json"])
def test_record_that_is_none_is_refused(
    name: str, text: str, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With its file, by the gate, and under a seal that fits by the check of all rules."""
    for command, written in ((["drift", "--all"], text), (["record", "--check"], seal_text(text))):
        (checkout / "docs" / "records" / name).write_text(written, encoding="utf-8")
        assert cli.main(command) == 2
        assert f"docs/records/{name}  " in told(capsys)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_capture_that_is_none_is_refused(
    text: str, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The records stay as they were."""
    before = store.read_records(checkout / "docs" / "records")
    (checkout / "capture.json").write_text(text, encoding="utf-8")
    assert cli.main(["record", "--from", "capture.json"]) == 2
    why = "written with schema 2, newer than 1" if text == TEXTS["newer schema"] else "not a capture"
    assert told(capsys).startswith(f"tensor-atlas: capture.json  {why}: ")
    assert store.read_records(checkout / "docs" / "records") == before


PATHS = [
    "../../../../tmp/planted",
    "/etc/planted",
    "01_x/../../planted",
    "01_x/a\0",
    "..",
    "01_x\\..\\planted",
    "",
]


@pytest.mark.parametrize("name", PATHS)
def test_name_in_a_capture_leads_nowhere(
    name: str, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither an unknown example is recorded, whatever path its name spells, nor a row of the matrix."""
    before = {path: path.read_bytes() for path in checkout.rglob("*") if path.is_file()}
    write_capture(replace(captured(replace(RUN, example=name)), cells={name: TRIED}), Path("hostile.json"))
    assert cli.main(["record", "--from", "hostile.json"]) == 2
    assert "hostile.json  holds examples that are not here" in told(capsys)
    Path("hostile.json").unlink()
    assert {path: path.read_bytes() for path in checkout.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("field", ["torch", "numpy", "python", "date", "platform", "device"])
@pytest.mark.parametrize("value", ["../../x", "2.1\n2.2", "\x1b[31m", "", "latest", "9" * 5000])
def test_environment_that_is_none_is_refused(
    field: str, value: str, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Releases and days are compared, a device needs a count, a platform has a system and a processor."""
    document = json.loads((checkout / "capture.json").read_text(encoding="utf-8"))
    document["environment"][field] = value
    (checkout / "capture.json").write_text(json.dumps(document), encoding="utf-8")
    assert cli.main(["record", "--from", "capture.json"]) == 2
    assert told(capsys).startswith("tensor-atlas: capture.json  not a capture: ")


def test_long_text_is_recorded_whole(checkout: Path) -> None:
    """Three million characters are read, written and read again; what is wrong at such a length is quoted
    briefly.
    """
    long = "x" * 3_000_000
    write_capture(captured(ran(WHAT, long)), Path("long.json"))
    assert cli.main(["record", "--from", "long.json", "--report", "report.md"]) == 0
    (run,) = store.read_records(checkout / "docs" / "records").runs(CPU.id).values()
    assert run.observations[0].stdout == long
    assert len(Path("report.md").read_text(encoding="utf-8")) < 65_536


def test_wrong_type_of_any_length_is_quoted_briefly(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A message is for reading."""
    document = json.loads((checkout / "capture.json").read_text(encoding="utf-8"))
    document["runs"] = "x" * 1_000_000
    (checkout / "capture.json").write_text(json.dumps(document), encoding="utf-8")
    assert cli.main(["record", "--from", "capture.json"]) == 2
    assert "runs: Expected `array`, got `str`" in told(capsys)


def test_refusal_is_an_error_of_ours(checkout: Path) -> None:
    """One class for all of it."""
    (checkout / "capture.json").write_text(DEEP, encoding="utf-8")
    with pytest.raises(AtlasError):
        store.read_capture(checkout / "capture.json")
