"""Cases timed on a GPU: transfers by size, small reads, hand-over to other libraries, and their limits.

A bandwidth is the bytes of the tensor divided by the seconds from the call until every value has arrived. The
time until the call returns, and the time on the device alone, are series of their own.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from tensor_atlas.timings.timing import Call, Case, Timer

UP, DOWN, WITHIN, HOST = "host to device", "device to host", "within the device", "within the host"
RETURN, VALUE, VALUES, OTHERS = "until the call returns", "a single value", "many values", "hand-over"

SIZES = tuple(2**power for power in range(10, 33, 2))
"""Bytes that are transferred: 1 KiB to 4 GiB."""
HANDED_OVER = (2**10, 2**20, 2**28)
"""Bytes that are handed over to another library."""
ROUNDS = 7
"""Times each case is measured; the large ones take a second each."""
COUNTS = (10, 100, 1000, 10000)
"""Elements that are read one by one."""
LARGE = 2**30
"""Bytes of the plain copy that the limits are taken from."""
HOST_SHARE, DEVICE_SHARE = 8, 6
"""Buffers of one size that the cases of all sizes need together, temporary copies included."""


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


# --- sizes ---------------------------------------------------------------------------------------


def list_sizes() -> tuple[int, ...]:
    """Bytes of the transfers that this machine has room for."""
    free, _ = torch.cuda.mem_get_info()
    return list_sizes_within(find_host_memory(), free)


def list_sizes_within(host: int, device: int) -> tuple[int, ...]:
    """SIZES that fit into this many free bytes on the host and on the device."""
    return tuple(size for size in SIZES if size * HOST_SHARE <= host and size * DEVICE_SHARE <= device)


def find_host_memory(system: Path = Path("/proc/meminfo"), group: Path = Path("/sys/fs/cgroup")) -> int:
    """Free bytes of the host; in a container the free bytes of its control group, where they are fewer.

    The group counts cached files as used: the result is too low rather than too high.
    """
    free = _available(system)
    try:
        limit = int((group / "memory.max").read_text(encoding="ascii"))
        used = int((group / "memory.current").read_text(encoding="ascii"))
    except (OSError, ValueError):  # no group, or one without a limit
        return free
    return min(free, limit - used)


def _available(system: Path) -> int:
    try:
        found = re.search(r"^MemAvailable: +(\d+) kB$", system.read_text(encoding="ascii"), re.MULTILINE)
    except OSError:
        found = None
    return int(found[1]) * 1024 if found else os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


# --- limits --------------------------------------------------------------------------------------


def measure_limits(rounds: int, size: int) -> dict[str, float]:
    """Bytes a second of one plain large copy for each direction, the best of ``rounds``.

    Warms the device up.
    """
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
    """Lines for a reviewer: how near the best call of each series comes to its limit.

    ``bounds`` are bytes a second, ``medians`` seconds per call.
    """
    for series, bound in bounds.items():
        rates = {case.size / median: case for case, median in medians.items() if case.series == series}
        if rates:
            rate = max(rates)
            case = rates[rate]
            yield f"{series}: {rate / bound:.0%} of a plain large copy, by {case.name} of {case.size} bytes"


# --- cases ---------------------------------------------------------------------------------------


def torch_cases(sizes: Sequence[int]) -> list[Case]:
    """Cases that need torch and NumPy alone."""
    transfers = [case for size in sizes for case in transfer_cases(size)]
    return [*transfers, *single_value_cases(), *many_values_cases()]


def transfer_cases(size: int) -> Iterator[Case]:
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
    yield from (Case(UP, name, size, call, time_until_done) for name, call in up.items())
    yield from (Case(DOWN, name, size, call, time_until_done) for name, call in down.items())
    yield from (Case(RETURN, name, size, call, time_until_return) for name, call in up.items())
    yield Case(WITHIN, "tensor.clone()", size, on_gpu.clone, time_on_device)


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
    return [Case(VALUE, name, 1, call) for name, call in ways.items()]


def many_values_cases() -> list[Case]:
    """Every element of a CUDA tensor as a Python number, over the number of elements."""
    ways: Mapping[str, Callable[[torch.Tensor], object]] = {
        "tensor.tolist()": torch.Tensor.tolist,
        "tensor.cpu().tolist()": lambda tensor: tensor.cpu().tolist(),
        "tensor.cpu().numpy().tolist()": lambda tensor: tensor.cpu().numpy().tolist(),
        "[x.item() for x in tensor]": lambda tensor: [x.item() for x in tensor],
    }
    return [
        Case(VALUES, name, count, partial(way, torch.ones(count, device="cuda")))
        for count in COUNTS
        for name, way in ways.items()
    ]


def library_cases(sizes: Sequence[int]) -> tuple[list[Case], dict[str, str]]:
    """Hand-over to and from other libraries, and the libraries that are missing, each with the reason."""
    wanted = [size for size in HANDED_OVER if size in sizes]
    found = [case for size in wanted for case in _protocol_cases(torch.ones(size // 4, device="cuda"), size)]
    if importlib.util.find_spec("cupy") is None:
        return found, {"cupy": "needs cupy, which is not installed"}
    cupy = importlib.import_module("cupy")
    found += [case for size in wanted for case in _cupy_cases(cupy, size)]
    return found, {}


def _protocol_cases(tensor: torch.Tensor, size: int) -> Iterator[Case]:
    ways: Mapping[str, Call] = {
        "torch.from_dlpack(tensor)": partial(torch.utils.dlpack.from_dlpack, tensor),
        "np.from_dlpack(tensor.cpu())": lambda: np.from_dlpack(tensor.cpu()),
        "tensor.cpu().numpy()": lambda: tensor.cpu().numpy(),
    }
    yield from (Case(OTHERS, name, size, call, time_until_done) for name, call in ways.items())


def _cupy_cases(cupy: Any, size: int) -> Iterator[Case]:
    tensor, array = torch.ones(size // 4, device="cuda"), cupy.ones(size // 4, dtype=cupy.float32)
    ways: Mapping[str, Call] = {
        "cupy.asarray(tensor)": partial(cupy.asarray, tensor),
        "cupy.from_dlpack(tensor)": partial(cupy.from_dlpack, tensor),
        'torch.as_tensor(cupy_array, device="cuda")': partial(torch.as_tensor, array, device="cuda"),
        "torch.from_dlpack(cupy_array)": partial(torch.utils.dlpack.from_dlpack, array),
        "cupy.asnumpy(cupy_array)": partial(cupy.asnumpy, array),
    }
    yield from (Case(OTHERS, name, size, call, time_until_done) for name, call in ways.items())
