"""Reading captures: what was written is read, and what is wrong is named."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from samples import CPU, FULL, SCALAR, SHARES, captured

from tensor_atlas.model.capture import encode_capture
from tensor_atlas.model.cells import Cell, Outcome, Tried
from tensor_atlas.model.runs import JSON, SCHEMA, Buffer, Snapshot, Value, encode_fields
from tensor_atlas.records.decode import (
    LONGEST_NAME,
    FormError,
    check_snapshot,
    decode_capture,
    decode_environments,
    decode_json,
)


def test_capture_survives_its_json_form() -> None:
    """Writing and reading a capture gives the same capture."""
    assert decode_capture(json.dumps(encode_capture(FULL)).encode()) == FULL


def test_cells_survive_their_json_form() -> None:
    """Each by the place of its outcome, from 0 to the last; another place is refused."""
    empty = Cell(Outcome.NO_BYTES, type="Tensor")
    cells = {"x-numpy": {"a": Tried(("1", "2"), SHARES), "b": Tried(("1", "3"), empty)}}
    whole = replace(FULL, cells=cells)
    document = json.dumps(encode_capture(whole))
    assert decode_capture(document.encode()) == whole
    for place in ("-1", "2"):
        assert document.count('[1, "1", "3"]') == 1
        with pytest.raises(FormError):
            decode_capture(document.replace('[1, "1", "3"]', f'[{place}, "1", "3"]').encode())


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ([], "Expected `object`, got `array`"),
        ({}, "Object missing required field `schema`"),
        ({"schema": "1"}, "schema: Expected `int`, got `str`"),
        ({"schema": True}, "schema: Expected `int`, got `bool`"),
        ({"schema": 0}, "schema: Expected `int` >= 1"),
        (
            {"schema": SCHEMA + 1},
            f"written with schema {SCHEMA + 1}, newer than {SCHEMA}: update tensor-atlas",
        ),
    ],
)
def test_document_of_another_schema_is_refused(document: JSON, words: str) -> None:
    """A newer schema, none, or no object at all."""
    with pytest.raises(FormError) as caught:
        decode_json(json.dumps(document).encode(), dict[str, int])
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"numpy": "2.4.6"', '"numpy": 2', "environment.numpy: Expected `str`, got `int`"),
        (
            '"device_count": 1',
            '"device_count": 1.5',
            "environment.device_count: Expected `int`, got `float`",
        ),
        ('"status": "raised"', '"status": "fine"', "runs[0].status: Invalid enum value 'fine'"),
        ('"digest": "0123", ', "", "runs[0]: Object missing required field `digest`"),
        ('"shape": []', '"shape": "x"', "runs[0].snapshots[0].values[0].shape: Expected `array`, got `str`"),
        ('"shape": []', '"shape": [true]', "shape[0]: Expected `int`, got `bool`"),
        ('"writable": false', '"writable": 0', "values[1].writable: Expected `bool | null`, got `int`"),
        ('[["scalar", "other"]]', '["scalar"]', "shares[0]: Expected `array`, got `str`"),
        ('[["scalar", "other"]]', "[[1]]", "shares[0][0]: Expected `str`, got `int`"),
        (
            '"traceback": ["Traceback"',
            '"traceback": [null',
            "raised.traceback[0]: Expected `str`, got `null`",
        ),
        (
            '{"01_x/a": 0.25}',
            '{"01_x/a": "fast"}',
            "seconds[...]: Expected `float`, got `str`",
        ),
        ('{"01_x/a": 0.25}', "null", "seconds: Expected `object`, got `null`"),
        ('"schema": 1', '"schema": 1, "note": "x"', "unknown fields: 'note'"),
        ('"numpy": "2.4.6"', '"numpy": "2.4.6", "host": "x"', "unknown fields: 'environment.host'"),
        ('"status": "raised"', '"status": "raised", "x": 1', "unknown fields: 'runs[0].x'"),
        ('"shape": []', '"shape": [], "x": 1', "unknown fields: 'runs[0].snapshots[0].values[0].x'"),
        (
            f'"date": "{FULL.environment.date}"',
            '"date": "2026-1-31"',
            "environment.date: '2026-1-31' is no day",
        ),
        (
            '"linux-x86_64"',
            '"../../x"',
            "environment.platform: '../../x' is no platform such as linux-x86_64",
        ),
        ('"linux-x86_64"', '""', "environment.platform: '' is no platform"),
        ('"linux-x86_64"', '"Linux-x86_64"', "environment.platform: 'Linux-x86_64' is no platform"),
        ('"linux-x86_64"', '"linux-x86/64"', "environment.platform: 'linux-x86/64' is no platform"),
        ('"linux-x86_64"', '"linux-x86_64\\n"', "environment.platform: 'linux-x86_64\\n' is no platform"),
        ('"buffer": 0', '"buffer": 1', "runs: 01_x/a: elements of scalar have no place in a buffer"),
        ('"raised": {', '"raised": [], "x": {', "raised: Expected `object | null`, got `array`"),
    ],
)
def test_wrong_field_is_named(old: str, new: str, words: str) -> None:
    """A document that is not a capture says which field is wrong."""
    text = json.dumps(encode_capture(FULL))
    assert text.count(old) >= 1
    with pytest.raises(FormError) as caught:
        decode_capture(text.replace(old, new, 1).encode())
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "value",
    [
        replace(SCALAR, buffer=1),
        replace(SCALAR, buffer=-1),
        replace(SCALAR, start=None),
        replace(SCALAR, stop=None),
        replace(SCALAR, start=5),
        replace(SCALAR, start=-1),
        replace(SCALAR, strides=(4,)),
    ],
)
def test_value_without_a_place_is_refused(value: Value) -> None:
    """In no buffer of its snapshot, with ends that are none, or with strides for other axes than it has."""
    snapshot = Snapshot((value,), (Buffer("cpu", 8),))
    with pytest.raises(FormError, match="elements of scalar have no place in a buffer"):
        check_snapshot(snapshot, "here")


def test_fewer_devices_than_none_are_refused() -> None:
    """Under a seal that fits, too: a document for programs holds counts alone."""
    text = json.dumps({"schema": SCHEMA, "environments": [encode_fields(CPU)]})
    assert decode_environments(text.encode()) == {CPU.id: CPU}
    wrong = json.dumps({"schema": SCHEMA, "environments": [{**encode_fields(CPU), "device_count": -1}]})
    with pytest.raises(FormError, match="-1 devices or a driver contradict cpu"):
        decode_environments(wrong.encode())


def test_longest_name_of_an_environment_is_taken() -> None:
    """A longer one is refused, cut to that length."""
    room = LONGEST_NAME - len(replace(CPU, python="3.11.7", platform="linux-").id)
    fitting = replace(CPU, platform=f"linux-{'x' * room}")
    assert len(fitting.id) == LONGEST_NAME
    longer = replace(CPU, platform=f"{fitting.platform}x")
    texts = [json.dumps(encode_capture(captured(environment=one))).encode() for one in (fitting, longer)]
    assert decode_capture(texts[0]).environment == fitting
    with pytest.raises(FormError, match="is no name to print") as caught:
        decode_capture(texts[1])
    assert len(str(caught.value)) < LONGEST_NAME + 60
