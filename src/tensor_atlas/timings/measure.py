"""``python -m tensor_atlas.timings.measure -o cpu.json``: times conversions; needs torch and NumPy alone.

Every case is timed in turn, round after round, so that a slow phase of the machine slows all of them. Times
are seconds per call; pages show ratios within one run, because absolute times belong to one machine. With
``cuda`` before the option, transfers to and from a GPU are timed instead.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import torch

from tensor_atlas.model.runs import JSON, encode_fields
from tensor_atlas.probe.environment import detect
from tensor_atlas.timings import transfers
from tensor_atlas.timings.timing import Call, Case, Timing, make_cases, time_cases

SCHEMA = 1
"""Version of a measurement file."""
ROUNDS = 15
"""Times each case is measured."""

Array = np.ndarray[tuple[int, ...], np.dtype[np.generic]]


def sharing_cases() -> list[Case]:
    """From an array to a tensor and back, sharing and copying, over six sizes in bytes."""
    cases = []
    for size in (2**10, 2**14, 2**18, 2**22, 2**25, 2**28):
        array = np.ones(size // 4, dtype=np.float32)
        tensor = torch.ones(size // 4)
        to_tensor: Mapping[str, Call] = {
            "torch.from_numpy(array)": partial(torch.from_numpy, array),
            "torch.as_tensor(array)": partial(torch.as_tensor, array),
            "torch.from_dlpack(array)": partial(torch.utils.dlpack.from_dlpack, array),
            "torch.tensor(array)": partial(torch.tensor, array),
        }
        to_array: Mapping[str, Call] = {
            "tensor.numpy()": tensor.numpy,
            "np.asarray(tensor)": partial(np.asarray, tensor),
            "np.from_dlpack(tensor)": partial(np.from_dlpack, tensor),
            "tensor.numpy().copy()": partial(_copied, tensor),
        }
        cases += make_cases("to a tensor", size, to_tensor) + make_cases("to an array", size, to_array)
    return cases


def _copied(tensor: torch.Tensor) -> object:
    return tensor.numpy().copy()


def array_list_cases() -> list[Case]:
    """A list of arrays of 100 numbers each, over the length of the list."""
    cases = []
    for count in (10, 100, 1000):
        arrays: list[Array] = [np.ones(100, dtype=np.float32) for _ in range(count)]
        walk: dict[str, Call] = {"torch.tensor(arrays)": partial(torch.tensor, arrays)}
        cases += make_cases("a list of arrays", count, walk | _list_joins(arrays))
    return cases


def image_list_cases() -> list[Case]:
    """A list of images of 3 by 224 by 224 numbers, over the length of the list."""
    cases = []
    for count in (2, 8, 32):
        images: list[Array] = [np.ones((3, 224, 224), dtype=np.float32) for _ in range(count)]
        cases += make_cases("a list of images", count, _list_joins(images))
    return cases


def _list_joins(arrays: list[Array]) -> dict[str, Call]:
    """Calls that copy whole arrays into one tensor."""
    return {
        "torch.from_numpy(np.array(arrays))": lambda: torch.from_numpy(np.array(arrays)),
        "torch.from_numpy(np.stack(arrays))": lambda: torch.from_numpy(np.stack(arrays)),
        "torch.tensor(np.array(arrays))": lambda: torch.tensor(np.array(arrays)),
        "torch.stack([torch.from_numpy(array) …])": lambda: torch.stack(
            [torch.from_numpy(a) for a in arrays]
        ),
    }


def value_cases() -> list[Case]:
    """Every element of a tensor as a Python number, over the number of elements."""
    return [case for count in (10, 100, 1000, 10000) for case in _value_cases(torch.ones(count))]


def _value_cases(tensor: torch.Tensor) -> list[Case]:
    ways: Mapping[str, Call] = {
        "tensor.tolist()": tensor.tolist,
        "tensor.numpy().tolist()": lambda: tensor.numpy().tolist(),
        "[float(x) for x in tensor.numpy()]": lambda: [float(x) for x in tensor.numpy()],
        "[x.item() for x in tensor]": lambda: [x.item() for x in tensor],
        "[tensor[i].item() for i …]": lambda: [tensor[index].item() for index in range(len(tensor))],
    }
    return make_cases("single values", len(tensor), ways)


def image_cases() -> list[Case]:
    """An image of bytes, height × width × channel, as floats, channel first; over the pixels of a side."""
    cases = []
    for side in (64, 256, 1024):
        cases += _image_cases(np.ones((side, side, 3), dtype=np.uint8))
    return cases


def _image_cases(image: Array) -> list[Case]:
    permuted = partial(_permute, image)
    ways: Mapping[str, Call] = {
        "permute, float, contiguous": lambda: permuted().float().contiguous() / 255,
        "permute, contiguous, float": lambda: permuted().contiguous().float() / 255,
        "float in NumPy, permute, contiguous": lambda: _permute(image.astype(np.float32) / 255).contiguous(),
        "permute, float, left as channels last": lambda: permuted().float() / 255,
    }
    return make_cases("an image", len(image), ways)


def _permute(image: Array) -> torch.Tensor:
    return torch.from_numpy(image).permute(2, 0, 1)


def build_document(timings: Sequence[Timing]) -> dict[str, JSON]:
    """Measurement file: where it was made, and every case with median and quartiles."""
    return {
        "schema": SCHEMA,
        "environment": encode_fields(detect()),
        "threads": torch.get_num_threads(),
        "rounds": len(timings[0].seconds),
        "cases": [timing.document() for timing in timings],
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Write a measurement file; returns the exit code 0."""
    options = _read_options(arguments)
    on_gpu = options.device == "cuda"
    rounds = options.rounds or (transfers.ROUNDS if on_gpu else ROUNDS)
    measured = _measure_transfers(rounds) if on_gpu else _measure_conversions(rounds)
    options.output.write_text(f"{json.dumps(measured, indent=1)}\n", encoding="utf-8")
    return 0


def _read_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tensor_atlas.timings.measure", description=__doc__)
    devices = ("cpu", "cuda")
    parser.add_argument("device", nargs="?", choices=devices, default="cpu", help="what is timed; cpu")
    parser.add_argument("-o", "--output", type=Path, required=True, help="measurement file to write (JSON)")
    rounds = f"times each case is measured; {ROUNDS}, or {transfers.ROUNDS} on cuda"
    parser.add_argument("--rounds", type=int, help=rounds)
    options = parser.parse_args(arguments)
    if options.rounds is not None and options.rounds < 2:
        parser.error("--rounds wants 2 or more: quartiles need several measurements")
    if not options.output.parent.is_dir():
        parser.error(f"{options.output}: there is no folder {options.output.parent}")
    if options.output.is_dir():
        parser.error(f"{options.output}: is a folder; name a file")
    if options.device == "cuda" and not torch.cuda.is_available():
        where = f"torch {torch.__version__} finds no CUDA device"
        parser.error(f"{where}: measure where there is one, or without cuda")
    return options


def _measure_conversions(rounds: int) -> dict[str, JSON]:
    torch.set_num_threads(1)  # a second thread would measure the scheduler
    cases = [*sharing_cases(), *array_list_cases(), *image_list_cases(), *value_cases(), *image_cases()]
    return build_document(_time_cases(cases, rounds))


def _measure_transfers(rounds: int) -> dict[str, JSON]:
    """A measurement with the limits of transfers."""
    bounds = transfers.measure_limits(rounds)
    cases = transfers.list_cases()
    for case in cases:
        case.call()  # the first call loads and allocates, which would count as a call long enough to time
    timings = _time_cases(cases, rounds)
    medians = {timing.case: statistics.median(timing.seconds) for timing in timings}
    measured = build_document(timings)
    measured["limits"] = dict(bounds)
    print("\n".join(transfers.summarize_best(bounds, medians)), file=sys.stderr)
    return measured


def _time_cases(cases: Sequence[Case], rounds: int) -> list[Timing]:
    print(f"measuring {len(cases)} cases, {rounds} times each", file=sys.stderr)
    return time_cases(cases, rounds)


if __name__ == "__main__":
    sys.exit(main())
