"""Cases timed on a GPU: transfers by size, small reads, hand-over to other libraries, and their limits.

A bandwidth is the bytes of the tensor divided by the seconds from the call until every value has arrived. The
time until the call returns, and the time on the device alone, are series of their own.
"""

from __future__ import annotations

import importlib
import importlib.util
import time
from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np
import torch

from tensor_atlas.timings.timing import (
    DOWN,
    HOST,
    OTHERS,
    RETURN,
    UP,
    VALUE,
    VALUES,
    WITHIN,
    Call,
    Case,
    Timer,
    make_cases,
)

SIZES = tuple(2**power for power in range(10, 31, 2))
"""Bytes that are transferred: 1 KiB to 1 GiB. All cases together hold eight times as much on the host."""
HANDED_OVER = (2**10, 2**20, 2**28)
"""Bytes that are handed over to another library."""
ROUNDS = 7
"""Times each case is measured; the large ones take a second each."""
COUNTS = (10, 100, 1000, 10000)
"""Elements that are read one by one."""


# --- clocks --------------------------------------------------------------------------------------


def time_until_done(call: Call, count: int) -> float:
    """Seconds per call until the device has finished the work."""
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(count):
        call()
        torch.cuda.synchronize()
    return (time.perf_counter() - start) / count


def time_until_return(call: Call, count: int) -> float:
    """Seconds per call that the CPU is kept; the device finishes between two calls, outside of that time."""
    taken = 0.0
    for _ in range(count):
        torch.cuda.synchronize()
        start = time.perf_counter()
        call()
        taken += time.perf_counter() - start
    torch.cuda.synchronize()
    return taken / count


def time_on_device(call: Call, count: int) -> float:
    """Seconds per call between two CUDA events, around work that is queued without a gap."""
    first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))  # type: ignore[no-untyped-call]
    torch.cuda.synchronize()
    first.record()
    for _ in range(count):
        call()
    last.record()
    last.synchronize()
    return float(first.elapsed_time(last)) / 1000 / count


# --- limits --------------------------------------------------------------------------------------


def measure_limits(rounds: int) -> dict[str, float]:
    """Bytes a second of one plain copy of the largest size for each direction, the best of ``rounds``."""
    size = SIZES[-1]
    pinned, device = torch.ones(size // 4, pin_memory=True), torch.ones(size // 4, device="cuda")
    other, host = torch.empty_like(device), torch.ones(size // 4)
    copies: Mapping[str, tuple[Timer, Call]] = {
        UP: (time_on_device, partial(device.copy_, pinned, non_blocking=True)),
        DOWN: (time_on_device, partial(pinned.copy_, device, non_blocking=True)),
        WITHIN: (time_on_device, partial(other.copy_, device)),
        HOST: (time_until_return, partial(pinned.copy_, host)),
    }
    limits = {}
    for name, (timer, copy) in copies.items():
        limits[name] = max(size / timer(copy, 2) for _ in range(rounds))
    return limits


def summarize_best(bounds: Mapping[str, float], medians: Mapping[Case, float]) -> Iterator[str]:
    """Lines on how near each series comes to its limit, of bytes a second; ``medians`` are in seconds."""
    for series, bound in bounds.items():
        rates = {case.size / median: case for case, median in medians.items() if case.series == series}
        if rates:
            rate = max(rates)
            case = rates[rate]
            yield f"{series}: {rate / bound:.0%} of a plain large copy, by {case.name} of {case.size} bytes"


# --- cases ---------------------------------------------------------------------------------------


def list_cases() -> list[Case]:
    """Everything that is timed on a GPU; CuPy's cases where it is installed."""
    cases = [case for size in SIZES for case in transfer_cases(size)]
    cases += [*single_value_cases(), *many_values_cases()]
    for size in HANDED_OVER:
        cases += library_cases(size)
    return cases


def transfer_cases(size: int) -> list[Case]:
    """Ways to the device and back for a tensor of ``size`` bytes; they share three buffers."""
    tensor, pinned = torch.ones(size // 4), torch.ones(size // 4, pin_memory=True)
    on_gpu = torch.ones(size // 4, device="cuda")
    up: Mapping[str, Call] = {
        'tensor.to("cuda")': lambda: tensor.to("cuda"),
        'pinned.to("cuda")': lambda: pinned.to("cuda"),
        'pinned.to("cuda", non_blocking=True)': lambda: pinned.to("cuda", non_blocking=True),
        'tensor.to("cuda", non_blocking=True)': lambda: tensor.to("cuda", non_blocking=True),
        'tensor.pin_memory().to("cuda", non_blocking=True)': lambda: _pin_first(tensor),
    }
    down: Mapping[str, Call] = {
        "tensor.cpu()": on_gpu.cpu,
        "host.copy_(tensor)": partial(tensor.copy_, on_gpu),
        "pinned.copy_(tensor)": partial(pinned.copy_, on_gpu),
        "pinned.copy_(tensor, non_blocking=True)": partial(pinned.copy_, on_gpu, non_blocking=True),
        'tensor.to("cpu", non_blocking=True)': lambda: on_gpu.to("cpu", non_blocking=True),
    }
    return [
        *make_cases(UP, size, up, time_until_done),
        *make_cases(DOWN, size, down, time_until_done),
        *make_cases(RETURN, size, up, time_until_return),
        Case(WITHIN, "tensor.clone()", size, on_gpu.clone, time_on_device),
    ]


def _pin_first(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.pin_memory().to("cuda", non_blocking=True)


def single_value_cases() -> list[Case]:
    """Ways to read one computed number, and a wait for an idle device to compare them with."""
    tensor = torch.ones((), device="cuda")
    ways: Mapping[str, Call] = {
        "torch.cuda.synchronize()": torch.cuda.synchronize,
        "tensor.item()": tensor.item,
        "float(tensor)": partial(float, tensor),
        "tensor.tolist()": tensor.tolist,
        "tensor.cpu().numpy()": lambda: tensor.cpu().numpy(),
        "tensor.numpy(force=True)": lambda: tensor.numpy(force=True),
    }
    return make_cases(VALUE, 1, ways)


def many_values_cases() -> list[Case]:
    """Every element of a CUDA tensor as a Python number, over the number of elements."""
    return [case for count in COUNTS for case in _many_values_cases(torch.ones(count, device="cuda"))]


def _many_values_cases(tensor: torch.Tensor) -> list[Case]:
    ways: Mapping[str, Call] = {
        "tensor.tolist()": tensor.tolist,
        "tensor.cpu().tolist()": lambda: tensor.cpu().tolist(),
        "tensor.cpu().numpy().tolist()": lambda: tensor.cpu().numpy().tolist(),
        "[x.item() for x in tensor]": lambda: [x.item() for x in tensor],
    }
    return make_cases(VALUES, len(tensor), ways)


def library_cases(size: int) -> list[Case]:
    """Hand-over of ``size`` bytes to NumPy, and to and from CuPy where it is installed."""
    tensor = torch.ones(size // 4, device="cuda")
    ways: dict[str, Call] = {
        "torch.from_dlpack(tensor)": partial(torch.utils.dlpack.from_dlpack, tensor),
        "np.from_dlpack(tensor.cpu())": lambda: np.from_dlpack(tensor.cpu()),
        "tensor.cpu().numpy()": lambda: tensor.cpu().numpy(),
    }
    if importlib.util.find_spec("cupy") is not None:
        cupy = importlib.import_module("cupy")
        array = cupy.ones(size // 4, dtype=cupy.float32)
        ways |= {
            "cupy.asarray(tensor)": partial(cupy.asarray, tensor),
            "cupy.from_dlpack(tensor)": partial(cupy.from_dlpack, tensor),
            'torch.as_tensor(cupy_array, device="cuda")': partial(torch.as_tensor, array, device="cuda"),
            "torch.from_dlpack(cupy_array)": partial(torch.utils.dlpack.from_dlpack, array),
            "cupy.asnumpy(cupy_array)": partial(cupy.asnumpy, array),
        }
    return make_cases(OTHERS, size, ways, time_until_done)
