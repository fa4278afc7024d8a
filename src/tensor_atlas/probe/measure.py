"""``python -m tensor_atlas.probe.measure -o cpu.json``: how long conversions take, as medians; torch and numpy only.

Every case is timed in turn, round after round, so that a machine that slows down slows all of them. Times are wall
seconds per call; what pages show of them are ratios within one run, because absolute times belong to one machine.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch

from tensor_atlas.probe.environment import detect
from tensor_atlas.probe.record import JSON, environment_to_json

SCHEMA = 1
"""Version of a measurement file."""
ROUNDS = 15
"""Times each case is measured."""
ENOUGH = 0.02
"""Seconds that the calls of one measurement take together, so that the clock's grain does not count."""


@dataclass(frozen=True)
class Case:
    """One call to time."""

    series: str
    """What it is compared within: a figure."""
    name: str
    """The call, as code."""
    size: int
    """Bytes, or elements, that it works on: the abscissa."""
    call: Callable[[], object]
    """Does it once; what it returns is dropped."""


@dataclass(frozen=True)
class Timing:
    """How long one case took."""

    case: Case
    """What was timed."""
    seconds: tuple[float, ...]
    """Seconds per call, one for each round."""

    def document(self) -> dict[str, JSON]:
        """Median and quartiles, in seconds per call."""
        low, middle, high = statistics.quantiles(self.seconds, n=4, method="inclusive")
        return {
            "series": self.case.series,
            "name": self.case.name,
            "size": self.case.size,
            "median": middle,
            "low": low,
            "high": high,
        }


Array = np.ndarray[tuple[int, ...], np.dtype[np.generic]]


def share_or_copy() -> list[Case]:
    """From an array to a tensor and back, sharing and copying, over six sizes in bytes."""
    found = []
    for size in (2**10, 2**14, 2**18, 2**22, 2**25, 2**28):
        array = np.ones(size // 4, dtype=np.float32)
        tensor = torch.ones(size // 4)
        found += [
            Case("to a tensor", "torch.from_numpy(array)", size, partial(torch.from_numpy, array)),
            Case("to a tensor", "torch.as_tensor(array)", size, partial(torch.as_tensor, array)),
            Case("to a tensor", "torch.from_dlpack(array)", size, partial(torch.utils.dlpack.from_dlpack, array)),
            Case("to a tensor", "torch.tensor(array)", size, partial(torch.tensor, array)),
            Case("to an array", "tensor.numpy()", size, tensor.numpy),
            Case("to an array", "np.asarray(tensor)", size, partial(np.asarray, tensor)),
            Case("to an array", "np.from_dlpack(tensor)", size, partial(np.from_dlpack, tensor)),
            Case("to an array", "tensor.numpy().copy()", size, partial(_copied, tensor)),
        ]
    return found


def _copied(tensor: torch.Tensor) -> object:
    return tensor.numpy().copy()


def lists_of_arrays() -> list[Case]:
    """A list of arrays of 100 numbers each, over the length of the list."""
    ways: Mapping[str, Callable[[list[Array]], object]] = {
        "torch.tensor(arrays)": torch.tensor,
        "torch.from_numpy(np.stack(arrays))": _stacked,
        "torch.tensor(np.array(arrays))": _gathered,
        "torch.stack([torch.from_numpy(array) …])": _converted,
    }
    return [
        Case("a list of arrays", name, count, partial(way, [np.ones(100, dtype=np.float32) for _ in range(count)]))
        for count in (10, 100, 1000)
        for name, way in ways.items()
    ]


def _stacked(arrays: list[Array]) -> torch.Tensor:
    return torch.from_numpy(np.stack(arrays))


def _gathered(arrays: list[Array]) -> torch.Tensor:
    return torch.tensor(np.array(arrays))


def _converted(arrays: list[Array]) -> torch.Tensor:
    return torch.stack([torch.from_numpy(array) for array in arrays])


def single_values() -> list[Case]:
    """Every element of a tensor as a Python number, over the number of elements."""
    ways: Mapping[str, Callable[[torch.Tensor], object]] = {
        "tensor.tolist()": torch.Tensor.tolist,
        "tensor.numpy().tolist()": lambda tensor: tensor.numpy().tolist(),
        "[float(x) for x in tensor.numpy()]": lambda tensor: [float(x) for x in tensor.numpy()],
        "[x.item() for x in tensor]": lambda tensor: [x.item() for x in tensor],
        "[tensor[i].item() for i …]": lambda tensor: [tensor[index].item() for index in range(len(tensor))],
    }
    return [
        Case("single values", name, count, partial(way, torch.ones(count)))
        for count in (10, 100, 1000, 10000)
        for name, way in ways.items()
    ]


def images() -> list[Case]:
    """An image of bytes, height × width × channel, as floats with the channel first; over the pixels of a side."""
    ways: Mapping[str, Callable[[Array], object]] = {
        "permute, float, contiguous": lambda a: torch.from_numpy(a).permute(2, 0, 1).float().contiguous() / 255,
        "permute, contiguous, float": lambda a: torch.from_numpy(a).permute(2, 0, 1).contiguous().float() / 255,
        "float in NumPy, permute, contiguous": _float_first,
        "permute, float, left as channels last": lambda a: torch.from_numpy(a).permute(2, 0, 1).float() / 255,
    }
    return [
        Case("an image", name, side, partial(way, np.ones((side, side, 3), dtype=np.uint8)))
        for side in (64, 256, 1024)
        for name, way in ways.items()
    ]


def _float_first(image: Array) -> torch.Tensor:
    return torch.from_numpy(image.astype(np.float32) / 255).permute(2, 0, 1).contiguous()


def timed(cases: Sequence[Case], rounds: int = ROUNDS, enough: float = ENOUGH) -> list[Timing]:
    """Timings of all cases, each measured once a round."""
    calls = [_calls(case, enough) for case in cases]  # this warms up, too
    seconds: list[list[float]] = [[] for _ in cases]
    for _ in range(rounds):
        for case, count, told in zip(cases, calls, seconds, strict=True):
            told.append(_once(case, count))
    return [Timing(case, tuple(told)) for case, told in zip(cases, seconds, strict=True)]


def _calls(case: Case, enough: float) -> int:
    """How many calls take long enough to be timed."""
    count = 1
    while (taken := _once(case, count) * count) < enough:
        count = max(count * 2, int(count * enough / max(taken, 1e-9)))
    return count


def _once(case: Case, count: int) -> float:
    """Seconds per call, over ``count`` calls."""
    call = case.call
    start = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - start) / count


def document(timings: Sequence[Timing]) -> dict[str, JSON]:
    """Measurement file: where it was made, and every case with median and quartiles."""
    return {
        "schema": SCHEMA,
        "environment": environment_to_json(detect()),
        "threads": torch.get_num_threads(),
        "rounds": len(timings[0].seconds),
        "cases": [timing.document() for timing in timings],
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0 when the measurement is written."""
    parser = argparse.ArgumentParser(prog="python -m tensor_atlas.probe.measure", description=__doc__)
    parser.add_argument("-o", "--output", type=Path, required=True, help="measurement file to write (JSON)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="times each case is measured")
    options = parser.parse_args(arguments)
    if options.rounds < 2:
        parser.error("--rounds wants 2 or more: quartiles need several measurements")
    if not options.output.parent.is_dir():
        parser.error(f"{options.output}: there is no folder {options.output.parent}")
    torch.set_num_threads(1)  # a second thread would measure the scheduler
    cases = [*share_or_copy(), *lists_of_arrays(), *single_values(), *images()]
    print(f"measuring {len(cases)} cases, {options.rounds} times each", file=sys.stderr)
    text = json.dumps(document(timed(cases, options.rounds)), indent=1)
    options.output.write_text(f"{text}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
