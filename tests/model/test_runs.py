"""What names an environment."""

from __future__ import annotations

from dataclasses import replace

from samples import CPU, FULL, GPU, OLDER, SCALAR

from tensor_atlas.model.capture import encode_capture
from tensor_atlas.model.runs import Observation, Snapshot, Status, encode_fields, output_lines


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
    assert replace(CPU, device="XLA CPU", device_count=1).kind == "xla"
    assert replace(CPU, device="Vulkan llvmpipe", device_count=1).kind == "vulkan"
    assert (CPU.kind, GPU.kind, replace(CPU, device="mps", device_count=1).kind) == ("cpu", "cuda", "mps")


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


def test_characters_that_a_script_cannot_hold_visibly_are_spelled_out() -> None:
    """Those that end a line, turn the direction of text or move the cursor; tabs and letters stay."""
    turned = "\u061c\u200e\u200f\u202a\u202e\u2066\u2069"
    seen = Observation(
        "f()", stdout=f"\0\ta\x0b\r\x1f\x7f\x9f\xa0b\u2028\u2029{turned}\u2027\u202f\u2065\u206ac"
    )
    spelled = "\\u061c\\u200e\\u200f\\u202a\\u202e\\u2066\\u2069"
    (line,) = output_lines(seen)
    assert line == (f"\\x00\ta\\x0b\\x0d\\x1f\\x7f\\x9f\xa0b\\u2028\\u2029{spelled}\u2027\u202f\u2065\u206ac")
