"""Tries one conversion on one source in this process, and tells what became of it."""

from __future__ import annotations

import ctypes
import re
import types
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
import torch

from tensor_atlas.catalogue import Conversion, Form, Source, render_call
from tensor_atlas.model.cells import Cell, Outcome, Proof
from tensor_atlas.model.runs import Raised, Warned
from tensor_atlas.probe.memory import PACKED, Span, overlap, shape_of, span_of, strides_of
from tensor_atlas.probe.observe import execute
from tensor_atlas.probe.output import normalise

MOST_ELEMENTS = 12
"""Elements of a result that are recorded; of a larger one none are."""
MOST_TEXT = 200
"""Characters of them that are recorded."""


def observe_cell(conversion: Conversion, source: Source, words: Mapping[str, str]) -> Cell:
    """What ``conversion`` does with ``source``; ``words`` stand for directories in messages."""
    namespace: dict[str, Any] = {"__name__": "__main__", "np": np, "torch": torch}
    with _record_warnings() as caught:
        error = execute(_compile(_set_up_once(source.code), "<source>"), namespace)
        if error is not None:
            return Cell(Outcome.NO_SOURCE, error=_describe_error(error, words))
        origin = namespace["x"]
        before = _content(origin)
        caught.clear()  # what making the source warned of is not the conversion's doing
        error = execute(_compile(_set_up_once(render_call(conversion, source)), "<conversion>"), namespace)
        warned = tuple(_describe_warning(w, words) for w in caught if not _is_of_process(w))
    writes = before is not None and before != _content(origin)
    if error is not None:
        return Cell(Outcome.RAISES, writes=writes, warnings=warned, error=_describe_error(error, words))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # looking must not leave a trace in what is observed
        return _result(namespace["y"], origin, conversion, source, writes, warned)


_SETUP = "torch._lazy.ts_backend.init()\n"
_done: set[str] = set()
"""Setup that this process has been through."""


def _set_up_once(code: str) -> str:
    """Code without the setup of lazy tensors, where an earlier cell of the process did it: one is allowed."""
    if _SETUP not in code:
        return code
    if _SETUP in _done:
        return code.replace(_SETUP, "")
    _done.add(_SETUP)
    return code


@cache
def _compile(code: str, name: str) -> types.CodeType:
    return compile(code, name, "exec")


@contextmanager
def _record_warnings() -> Iterator[list[warnings.WarningMessage]]:
    """Every warning, however often it was given before."""
    torch.set_warn_always(True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield caught


def _is_of_process(warning: warnings.WarningMessage) -> bool:
    """Whether torch gives a warning once in a process: which cell has it is decided by their order."""
    return str(warning.message).startswith("Failed to initialize NumPy")


def _describe_warning(warning: warnings.WarningMessage, words: Mapping[str, str]) -> Warned:
    return Warned(warning.category.__name__, normalise(str(warning.message), words))


def _describe_error(error: BaseException, words: Mapping[str, str]) -> Raised:
    # Which kernels a build has, and where they were compiled, fills pages and is another in each build. This
    # comes first: for what examples print, normalise keeps the name of the file alone, and its line.
    message = re.sub(
        r"(?:\.\.)?/(?:[\w.-]+/)*?(?=(?:aten|c10|torch|build)/)([\w./-]+?)(\"?):\d+", r"\1\2", str(error)
    )
    message = re.sub(r"(?<=is only available for these backends: )\[.*", "[…].", message, flags=re.DOTALL)
    # XLA names the C++ frames that it came through.
    message = re.sub(
        r"\n\*{3} Begin stack trace \*{3}\n.*?\n\*{3} End stack trace \*{3}", "", message, flags=re.DOTALL
    )
    message = normalise(message, words)
    # torch numbers the ragged sizes of jagged tensors as they come: the same cell has another number each
    # time.
    message = re.sub(r"(?<=[\[( ])j\d+(?=[,\])])", "j…", message)
    return Raised(type(error).__name__, message)


def _result(
    result: Any, origin: Any, conversion: Conversion, source: Source, writes: bool, warned: tuple[Warned, ...]
) -> Cell:
    outcome, proof = _relation(result, origin, source)
    data = issubclass(type(result), (np.ndarray, torch.Tensor))
    is_array = data and isinstance(result, np.ndarray)
    is_raw = source.opaque and (conversion.sees_bytes or _holds_bytes(result, origin))
    return Cell(
        outcome,
        proof,
        type=_type_name(result),
        dtype=str(result.dtype) if data or isinstance(result, np.generic) else "",
        shape=shape_of(result) if data else None,
        strides=strides_of(result) if data else None,
        device="" if not data else "cpu" if is_array else str(result.device),
        writable=bool(result.flags.writeable) if is_array else None,
        requires_grad=bool(result.requires_grad) if data and not is_array else None,
        value=_value(result) if conversion.known and not is_raw else "",
        writes=writes,
        warnings=warned,
    )


def _holds_bytes(result: Any, origin: Any) -> bool:
    """Whether a tensor took the bytes of NumPy's elements for its own, as asarray does that cannot use NumPy.

    Padding and pointers, which are among them, are other numbers each time. Zeros are neither: they may be
    the answer of a comparison.
    """
    if not isinstance(result, torch.Tensor) or not isinstance(origin, (np.ndarray, np.generic)):
        return False
    content = _content(result)
    return content is not None and any(content) and origin.tobytes().startswith(content)


def _type_name(result: Any) -> str:
    """Class name; for a list or tuple, of what, where its first item is an array or tensor."""
    name = type(result).__name__
    if type(result) in (list, tuple) and result and issubclass(type(result[0]), (np.ndarray, torch.Tensor)):
        return f"{name} of {type(result[0]).__name__}"
    return name


# --- memory ------------------------------------------------------------------------------------


def _relation(result: Any, origin: Any, source: Source) -> tuple[Outcome, Proof | None]:
    """Whether ``result`` is ``origin``, sees its bytes or has its own, and how that is known."""
    if result is origin and not isinstance(origin, (bool, int, float, complex, str, type(None))):
        return Outcome.SAME, None
    carrier = _carrier(result)
    if carrier is None:
        return Outcome.VALUE, None
    there, here = span_of(carrier), _span(origin)
    if here is not None and getattr(origin, "dtype", None) in PACKED and _begins_inside(carrier, here):
        return Outcome.SHARES, Proof.RANGES
    if there is None or here is None:
        if _lies_out_of_reach(carrier) or _lies_out_of_reach(origin):
            seen = _change_is_seen(carrier, _carrier(origin))
            if seen is not None:
                return (Outcome.SHARES if seen else Outcome.COPIES), Proof.WRITE
        # What is made of a list or a number has memory of its own: there was none that it could see.
        made = there is not None and source.form in (Form.SCALAR, Form.SEQUENCE) and _carrier(origin) is None
        return (Outcome.COPIES, Proof.RANGES) if made else (Outcome.NO_BYTES, None)
    if _may_write(carrier, origin, source):
        return (Outcome.SHARES if _write_is_seen(there, here) else Outcome.COPIES), Proof.WRITE
    return (Outcome.SHARES if overlap(there, here) else Outcome.COPIES), Proof.RANGES


def _begins_inside(carrier: Any, here: Span) -> bool:
    """Whether a tensor begins in bytes that are fewer than it claims, as a view of packed elements does."""
    if not isinstance(carrier, torch.Tensor) or span_of(carrier) is not None or carrier.device.type != "cpu":
        return False
    return here.owned[0] <= carrier.data_ptr() < here.owned[1]


def _carrier(value: Any) -> Any:
    """The array or tensor whose memory a value stands for: itself, the first item, or a view of a buffer."""
    if issubclass(type(value), (np.ndarray, torch.Tensor)):
        return value
    if isinstance(value, (list, tuple)) and value:
        return _carrier(value[0]) if issubclass(type(value[0]), (np.ndarray, torch.Tensor)) else None
    if isinstance(value, dict) and value:
        return _carrier(next(iter(value.values())))
    if isinstance(value, (str, bool, int, float, complex, np.generic, type(None))):
        return None
    if isinstance(getattr(value, "values", None), np.ndarray):
        return value.values  # objects of the catalogue with __array__ or __dlpack__ keep their array there
    try:
        return np.frombuffer(value, dtype=np.uint8)
    except (TypeError, ValueError, BufferError):
        return None


def _span(origin: Any) -> Span | None:
    carrier = _carrier(origin)
    return None if carrier is None else span_of(carrier)


def _may_write(result: Any, origin: Any, source: Source) -> bool:
    """Whether a byte of the result may be changed for a moment: writing a read-only page kills the process.

    Memory of a device is not reached by an address, and an object array holds pointers.
    """
    ours = [value for value in (result, _carrier(origin)) if isinstance(value, np.ndarray)]
    if "read-only" in source.flags or any(
        not value.flags.writeable or value.dtype.hasobject for value in ours
    ):
        return False
    return all(str(getattr(value, "device", "cpu")) == "cpu" for value in (result, _carrier(origin)))


def _write_is_seen(there: Span, here: Span) -> bool:
    """Whether the source's bytes change when the first byte of the result does, which is put back at once."""
    byte = ctypes.c_uint8.from_address(there.start)
    before = _bytes(here)
    byte.value ^= 0xFF
    seen = _bytes(here) != before
    byte.value ^= 0xFF
    return seen


def _lies_out_of_reach(value: Any) -> bool:
    """Whether a value has elements on a device that tells no addresses of them, such as ``lazy``."""
    if not issubclass(type(value), torch.Tensor) or value.device.type in ("cpu", "meta"):
        return False
    return value.numel() > 0 and span_of(value) is None


def _change_is_seen(result: Any, origin: Any) -> bool | None:
    """Whether the source's elements change when those of the result do, which are put back at once.

    For elements without addresses; None where they cannot be changed or read.
    """
    if any(str(getattr(value, "device", "cpu")) == "meta" for value in (result, origin)):
        return None
    try:
        before = _copy_elements(origin)
        _change_elements(result, 1)
        seen = _copy_elements(origin) != before
        _change_elements(result, -1)
    except Exception:  # noqa: BLE001 - expanded, not writable: each device refuses in its own way
        return None
    return seen


def _copy_elements(value: Any) -> list[object]:
    whole = value.detach().cpu() if isinstance(value, torch.Tensor) else torch.as_tensor(value)
    return [whole.tolist()]


def _change_elements(value: Any, number: int) -> None:
    there = value.detach() if isinstance(value, torch.Tensor) else value
    if there.dtype in (torch.bool, bool):
        there ^= True
    else:
        there += number


def _content(value: Any) -> bytes | None:
    """Bytes of a value's elements and of what lies between them; None where they cannot be read."""
    span = _span(value)
    return None if span is None or span.device != "cpu" else _bytes(span)


def _bytes(span: Span) -> bytes:
    low, high = span.bounds
    return ctypes.string_at(low, high - low)


# --- values ------------------------------------------------------------------------------------


def _value(result: Any) -> str:
    """Elements of a result in one spelling for every machine; empty where there are many, or none."""
    try:
        text = _spell_value(_to_python(result))
    except Exception:  # noqa: BLE001 - too many, meta, quantised per channel, nested: each refuses in its own way
        return ""
    return text if text is not None and len(text) <= MOST_TEXT else ""


def _to_python(result: Any) -> Any:
    """Elements as nested lists of Python values; ValueError where they are too many."""
    if issubclass(type(result), torch.Tensor):
        whole = result.detach() if result.layout is torch.strided else result.detach().to_dense()
        return _check_count(whole.numel()) and whole.tolist()
    if isinstance(result, np.ndarray):
        return _check_count(result.size) and result.tolist()
    if isinstance(result, np.generic):
        return result.item()
    if type(result) in (list, tuple):
        return _check_count(len(result)) and [_to_python(item) for item in result]
    return result


def _check_count(count: int) -> bool:
    if count > MOST_ELEMENTS:
        raise ValueError(f"{count} elements")
    return True


def _spell_value(value: Any) -> str | None:
    """Text of a nested list of plain values; None where anything in it is none."""
    if isinstance(value, (list, tuple)):
        parts = [_spell_value(item) for item in value]
        return None if None in parts else f"[{', '.join(part for part in parts if part is not None)}]"
    if isinstance(value, float):
        return f"{value:.1f}" if value.is_integer() and abs(value) < 1e6 else f"{value:.6g}"
    if isinstance(value, complex):
        return f"{value.real:.6g}{value.imag:+.6g}j"
    return repr(value) if isinstance(value, (bool, int, str, bytes, type(None))) else None
