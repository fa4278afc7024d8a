"""The dataclasses and their JSON form."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from samples import CPU, GPU, OLDER

from tensor_atlas.model.capture import Capture, capture_from_json, capture_text, capture_to_json, spelling
from tensor_atlas.model.runs import (
    JSON,
    SCHEMA,
    Buffer,
    FormError,
    Observation,
    Raised,
    Run,
    Snapshot,
    Status,
    Value,
    Warned,
    check_schema,
    observation_to_json,
    run_to_json,
    snapshot_to_json,
)

SCALAR = Value(
    name="scalar",
    kind="Tensor",
    dtype="torch.float32",
    shape=(),
    strides=(),
    device="cpu",
    writable=None,
    requires_grad=False,
    buffer=0,
    start=0,
    stop=4,
)
ARRAY = Value(
    name="batch[0]",
    kind="ndarray",
    dtype="float64",
    shape=(2, 0),
    strides=(-16, 8),
    device="cpu",
    writable=False,
    requires_grad=None,
    buffer=None,
    start=None,
    stop=None,
)
FULL = Capture(
    environment=GPU,
    runs=(
        Run(
            example="01_x/a",
            digest="0123",
            status=Status.RAISED,
            reason="TypeError",
            observations=(
                Observation("import torch"),
                Observation(
                    code="f()",
                    stdout="one\ntwo",
                    stderr="low",
                    warnings=(Warned("UserWarning", "careful\nnow"), Warned("UserWarning", "")),
                    caught=(Raised("KeyError", "'k'"),),
                    raised=Raised("TypeError", "no", ("Traceback", "TypeError: no")),
                ),
            ),
            snapshots=(Snapshot((SCALAR, ARRAY), (Buffer("cpu", 4),), (("scalar", "other"),)), Snapshot()),
        ),
        Run("01_x/b", "4567", Status.NOT_RUN, "needs 1 CUDA device, found 0"),
    ),
    seconds={"01_x/a": 0.25},
)


def test_capture_survives_its_json_form() -> None:
    """Writing and reading a capture gives the same capture."""
    assert capture_from_json(json.loads(json.dumps(capture_to_json(FULL)))) == FULL


def test_text_of_a_capture_is_its_json_form() -> None:
    """Whether runs have been spelled before or not; what was spelled of another run, equal or not, is passed over."""
    assert json.loads(capture_text(FULL, {})) == capture_to_json(FULL)
    first, last = FULL.runs
    assert json.loads(spelling(first)) == run_to_json(first)
    assert json.loads(capture_text(FULL, {first.example: (first, spelling(first))})) == capture_to_json(FULL)
    other = {run.example: (replace(run), '{"example": "another"}') for run in FULL.runs}
    assert json.loads(capture_text(FULL, other)) == capture_to_json(FULL)
    marked = json.loads(capture_text(FULL, {last.example: (last, '"as it was spelled"')}))
    assert marked["runs"] == [run_to_json(first), "as it was spelled"]
    assert json.loads(capture_text(replace(FULL, runs=()), {}))["runs"] == []


def test_seconds_are_rounded() -> None:
    """A capture holds milliseconds, not noise."""
    seconds = capture_to_json(replace(FULL, seconds={"01_x/a": 0.123456}))["seconds"]
    assert seconds == {"01_x/a": 0.123}


def test_silence_takes_no_space() -> None:
    """Fields that hold nothing are left out; an empty shape and False are facts."""
    assert observation_to_json(Observation("import torch")) == {}
    assert snapshot_to_json(Snapshot()) == {}
    (value,) = [snapshot_to_json(Snapshot((SCALAR,)))["values"]]
    assert value == [
        {
            "name": "scalar",
            "kind": "Tensor",
            "dtype": "torch.float32",
            "shape": [],
            "strides": [],
            "device": "cpu",
            "requires_grad": False,
            "buffer": 0,
            "start": 0,
            "stop": 4,
        }
    ]


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ([], "document: expected an object, found list"),
        ({}, "document.schema: expected an integer, found None"),
        ({"schema": "1"}, "document.schema: expected an integer, found '1'"),
        ({"schema": True}, "document.schema: expected an integer, found True"),
        (
            {"schema": SCHEMA + 1},
            f"written with schema {SCHEMA + 1}, newer than {SCHEMA}: update tensor-atlas",
        ),
    ],
)
def test_document_of_another_schema_is_refused(document: JSON, words: str) -> None:
    """A newer schema, none, or no object at all."""
    with pytest.raises(FormError) as caught:
        check_schema(document)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"numpy": "2.4.6"', '"numpy": 2', "document.environment.numpy: expected text, found 2"),
        (
            '"device_count": 1',
            '"device_count": 1.5',
            "document.environment.device_count: expected an integer",
        ),
        ('"status": "raised"', '"status": "fine"', "unknown status 'fine'; known: completed"),
        ('"digest": "0123", ', "", "document.runs[0].digest: expected text, found None"),
        ('"shape": []', '"shape": "x"', "document.runs[0].snapshots[0].values[0].shape: expected a list"),
        ('"shape": []', '"shape": [true]', "shape: expected an integer, found True"),
        ('"writable": false', '"writable": 0', "values[1].writable: expected true or false, found 0"),
        ('[["scalar", "other"]]', '["scalar"]', "expected a list, found 'scalar'"),
        ('[["scalar", "other"]]', "[[1]]", "expected text, found 1"),
        ('"traceback": ["Traceback"', '"traceback": [null', "raised.traceback: expected text, found None"),
        (
            '{"01_x/a": 0.25}',
            '{"01_x/a": "fast"}',
            "document.seconds.01_x/a: expected a number, found 'fast'",
        ),
        ('{"01_x/a": 0.25}', "null", "document.seconds: expected an object, found NoneType"),
        ('"raised": {', '"raised": [], "x": {', "raised: expected an object, found list"),
    ],
)
def test_wrong_field_is_named(old: str, new: str, words: str) -> None:
    """A document that is not a capture says which field is wrong."""
    text = json.dumps(capture_to_json(FULL))
    assert text.count(old) >= 1
    with pytest.raises(FormError) as caught:
        capture_from_json(json.loads(text.replace(old, new, 1)))
    assert words in str(caught.value)


def test_id_names_all_but_the_day_the_driver_and_the_patch_release() -> None:
    """Two machines that differ in no more have one id; another release, device or Python has another."""
    assert CPU.id == "torch-2.13.0+cpu_numpy-2.4.6_python-3.11_linux-x86_64_cpu"
    assert GPU.id.endswith("_nvidia-h200")
    assert replace(GPU, date="2027-01-01", driver="999.1", python="3.11.9").id == GPU.id
    others = {
        replace(CPU, python="3.12.0").id,
        replace(CPU, numpy="1.26.4").id,
        replace(CPU, platform="darwin-arm64").id,
        OLDER.id,
        GPU.id,
    }
    assert len(others | {CPU.id}) == 6


def test_kind_of_device_is_told() -> None:
    """Any named accelerator is CUDA's."""
    assert (CPU.kind, GPU.kind, replace(CPU, device="mps", device_count=1).kind) == ("cpu", "cuda", "mps")
