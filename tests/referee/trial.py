"""Tries cells by plain means: JSON list of cells on stdin → JSON list of what became of each on stdout.

No test itself, and no code of the package: exec, loops over indices and addresses are all that it uses. Each
cell runs in a process forked from this one, which has imported torch and computed nothing.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import itertools
import json
import os
import signal
import sys
import tempfile
import warnings
from typing import Any

import numpy as np
import torch

TIMEOUT = 600
"""Seconds a cell may take, on a machine that has other work too, before it is ended with SIGALRM."""


def main() -> None:
    """Try each cell; those whose source makes torch import its compiler come last, after that import."""
    cells = json.load(sys.stdin)
    answers: list[Any] = [None] * len(cells)
    for is_slow in (False, True):
        numbers = [number for number, cell in enumerate(cells) if cell["slow"] is is_slow]
        if numbers and is_slow:
            importlib.import_module("torch._dynamo")
        for number in numbers:
            answers[number] = try_in_fork(cells[number])
    json.dump(answers, sys.stdout)


def try_in_fork(cell: dict[str, Any]) -> Any:
    """What a child process answers about a cell; the signal that ended it where it cannot."""
    reading, writing = os.pipe()
    with tempfile.TemporaryDirectory() as folder:
        pid = os.fork()
        if pid == 0:
            signal.alarm(TIMEOUT)
            os.chdir(folder)
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
            answer = {"outcome": "not judged"}
            try:
                answer = try_cell(cell)
            finally:  # whatever happens, this process must not go on as its parent does
                os.write(writing, json.dumps(answer).encode())
                os._exit(0)
        os.close(writing)
        with open(reading, "rb") as pipe:
            text = pipe.read()
        _, status = os.waitpid(pid, 0)
    if text:
        return json.loads(text)
    code = os.waitstatus_to_exitcode(status)
    return {"outcome": "crashes", "error": [signal.Signals(-code).name if code < 0 else str(code), ""]}


def try_cell(cell: dict[str, Any]) -> dict[str, Any]:
    """Outcome of a cell, as plain values."""
    namespace: dict[str, Any] = {"__name__": "__main__", "np": np, "torch": torch}
    torch.set_warn_always(True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            exec(cell["setup"], namespace)
        except Exception as error:  # noqa: BLE001 - whatever the catalogue's code raises is the answer
            return {"outcome": "no source", "error": [type(error).__name__, str(error)]}
    x = namespace["x"]
    before = contents(x)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        raised = None
        try:
            exec(cell["call"], namespace)
        except BaseException as error:  # noqa: BLE001 - torch raises what it likes
            raised = error
    answer: dict[str, Any] = {
        "warnings": [[warning.category.__name__, str(warning.message)] for warning in caught],
        "writes": contents(x) != before,
    }
    if raised is not None:
        return answer | {
            "outcome": "raises",
            "error": [type(raised).__name__, str(raised)],
        }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = namespace["y"]
        return answer | describe(y) | {"outcome": relate(y, x, is_writable=cell["writable"])}


def describe(y: Any) -> dict[str, Any]:
    """Class, dtype, shape, strides in bytes, device, flags and elements of a result."""
    name = type(y).__name__
    if type(y) in (list, tuple) and y and is_data(y[0]):
        name += f" of {type(y[0]).__name__}"
    facts: dict[str, Any] = {"type": name}
    with contextlib.suppress(Exception):  # without memory, nested, quantised: each refuses in its own way
        facts["value"] = repr(plain(y))
    if is_data(y) or isinstance(y, np.generic):
        facts["dtype"] = str(y.dtype)
    if not is_data(y):
        return facts
    with contextlib.suppress(Exception):  # a nested tensor has no shape, a sparse one no strides
        facts["shape"] = [int(size) for size in y.shape]
        size = 1 if isinstance(y, np.ndarray) else y.element_size()
        if isinstance(y, np.ndarray) or y.layout is torch.strided:
            steps = y.strides if isinstance(y, np.ndarray) else y.stride()
            facts["strides"] = [int(step) * size for step in steps]
    if isinstance(y, np.ndarray):
        return facts | {"device": "cpu", "writable": y.flags.writeable}
    return facts | {"device": str(y.device), "requires_grad": y.requires_grad}


def plain(value: Any) -> Any:
    """Elements of a result as nested lists of Python's own values."""
    if isinstance(value, torch.Tensor):
        return value.detach().to_dense().tolist()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value


# --- memory --------------------------------------------------------------------------------------


def relate(y: Any, x: Any, *, is_writable: bool) -> str:
    """Whether a result is its source, has a byte in common with it, or has bytes of its own."""
    if y is x and not isinstance(x, (bool, int, float, complex, str, type(None))):
        return "same object"
    result, source = holder(y), holder(x)
    if result is None:
        return "value"
    there, here = addresses(result), addresses(source)
    if not there or not here:
        if has_far_elements(result) or has_far_elements(source):
            return relate_far(result, source)
        return "copies" if there and source is None and is_plain(x) else "no bytes"
    shares = bool(there & here)
    place = min(there & here or there)
    if is_writable and can_write(result) and is_seen_after_write(place, source) != shares:
        return "addresses and writing disagree"
    return "shares memory" if shares else "copies"


def is_data(value: Any) -> bool:
    """Whether a value is an array or a tensor."""
    return isinstance(value, (np.ndarray, torch.Tensor))


def is_plain(value: Any) -> bool:
    """Whether a value is a number, a text or a list: without memory that a result could see."""
    return isinstance(value, (bool, int, float, complex, str, list, tuple, range, dict, np.generic))


def holder(value: Any) -> Any:
    """The array or tensor whose memory a value stands for; None where it has none."""
    if isinstance(value, dict):
        return holder(next(iter(value.values()), None))
    if isinstance(value, (list, tuple)):
        return value[0] if value and is_data(value[0]) else None
    if is_data(value):
        return value
    if isinstance(value, np.generic) or is_plain(value):
        return None
    if is_data(getattr(value, "values", None)):
        return value.values  # the catalogue's own classes keep their array there
    try:
        return np.frombuffer(value, dtype="uint8")
    except (TypeError, ValueError, BufferError):
        return None


def addresses(value: Any) -> set[int]:
    """Address of every byte of the elements, by a loop over all indices; empty where there are none."""
    data = holder(value)
    try:
        if isinstance(data, np.ndarray):
            first, size, steps = data.ctypes.data, data.itemsize, data.strides
        elif data is None or type(data).__name__ == "FakeTensor" or data.device.type != "cpu":
            return set()
        elif data.dtype in (
            torch.quint4x2,
            torch.quint2x4,
        ):  # strides count its elements as a byte each
            storage = data.untyped_storage()
            return set(range(storage.data_ptr(), storage.data_ptr() + storage.nbytes()))
        else:
            first, size = data.data_ptr(), data.element_size()
            steps = tuple(step * size for step in data.stride())
    except Exception:  # noqa: BLE001 - sparse, nested, functional: each refuses in its own way
        return set()
    if first == 0:
        return set()
    found: set[int] = set()
    for index in itertools.product(*map(range, data.shape)):
        begin = first + sum(number * step for number, step in zip(index, steps, strict=True))
        found.update(range(begin, begin + size))
    return found


def contents(value: Any) -> list[bytes]:
    """Bytes of the elements, in order of address; read anew, for their storage may have moved."""
    return [ctypes.string_at(place, 1) for place in sorted(addresses(value))]


def can_write(value: Any) -> bool:
    """Whether a byte of a result may be changed: pointers to objects may not."""
    return isinstance(value, torch.Tensor) or (value.flags.writeable and not value.dtype.hasobject)


def is_seen_after_write(place: int, source: Any) -> bool:
    """Whether the source's bytes change when one of the result does, which is put back."""
    before = contents(source)
    byte = ctypes.c_ubyte.from_address(place)
    byte.value ^= 255
    after = contents(source)
    byte.value ^= 255
    return before != after


def has_far_elements(value: Any) -> bool:
    """Whether a tensor has elements on a device that tells no addresses."""
    is_far = isinstance(value, torch.Tensor) and value.device.type not in (
        "cpu",
        "meta",
    )
    return is_far and value.numel() > 0


def relate_far(result: Any, source: Any) -> str:
    """Whether the source's elements change when the result is changed in place."""
    if "meta" in (str(getattr(result, "device", "")), str(getattr(source, "device", ""))):
        return "no bytes"
    try:
        before = torch.as_tensor(source).detach().cpu().tolist()
        changed = result.detach() if isinstance(result, torch.Tensor) else result
        if changed.dtype == torch.bool:
            changed ^= True
        else:
            changed += 1
        after = torch.as_tensor(source).detach().cpu().tolist()
    except Exception:  # noqa: BLE001 - expanded, not writable, a device without addresses
        return "no bytes"
    return "copies" if before == after else "shares memory"


if __name__ == "__main__":
    main()
