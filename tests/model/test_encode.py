"""What of the dataclasses is written."""

from __future__ import annotations

from dataclasses import replace

from samples import FULL, SCALAR

from tensor_atlas.model.encode import encode_capture, encode_fields
from tensor_atlas.model.runs import Observation, Snapshot, Status


def test_seconds_are_rounded() -> None:
    """A capture holds milliseconds, not noise."""
    seconds = encode_capture(replace(FULL, seconds={"01_x/a": 0.123456}))["seconds"]
    assert seconds == {"01_x/a": 0.123}


def test_silence_takes_no_space() -> None:
    """Fields that hold nothing are left out; an empty shape and False are facts."""
    assert encode_fields(Observation("import torch")) == {"code": "import torch"}
    assert encode_fields(Snapshot()) == {}
    values = encode_fields(replace(FULL.runs[0].snapshots[0], values=(SCALAR,)))["values"]
    assert values == [
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


def test_word_of_an_enumeration_is_plain_text() -> None:
    """As other tools read it, and as it is compared."""
    status = encode_fields(FULL.runs[0])["status"]
    assert type(status) is str
    assert status == str(Status.RAISED)
