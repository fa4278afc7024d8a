"""What is told of one conversion of one source, and that looking changes nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from samples import turn_clock

from tensor_atlas.catalogue import CONVERSIONS, SOURCES, Conversion, Form, Group, Source
from tensor_atlas.model.cells import Cell, Outcome, Proof, restore_cell, shorten_cell
from tensor_atlas.probe import observe_cell as observing
from tensor_atlas.probe.forkserver import fork_server
from tensor_atlas.probe.observe_cell import observe_cell
from tensor_atlas.probe.runner import batches, run_cells


def source(name: str) -> Source:
    """The source of this name."""
    return next(s for s in SOURCES if s.name == name)


def made(code: str, form: Form = Form.ARRAY) -> Source:
    """A source of its own."""
    return Source("made", "made", form, code, "")


def conversion(code: str, **fields: object) -> Conversion:
    """A conversion of its own."""
    return replace(Conversion("c", code, "f", Group.TO_TENSOR, code), **fields)  # type: ignore[arg-type]


def told(code: str, what: str | Source) -> Cell:
    """What is observed of a conversion with this code."""
    return observe_cell(conversion(code), source(what) if isinstance(what, str) else what, {})


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of its own for the sources that write files."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("code", "what", "outcome", "proof"),
    [
        ("y = torch.from_numpy(x)", "array-float32", Outcome.SHARES, Proof.WRITE),
        ("y = torch.tensor(x)", "array-float32", Outcome.COPIES, Proof.WRITE),
        ("y = torch.from_numpy(x)", "array-broadcast", Outcome.SHARES, Proof.RANGES),
        ("y = torch.from_numpy(x.copy())", "array-memory-mapped-read-only", Outcome.COPIES, Proof.RANGES),
        ("y = torch.from_numpy(x)", "array-empty", Outcome.NO_BYTES, None),
        ("y = x.numpy()", "tensor-transposed", Outcome.SHARES, Proof.WRITE),
        ("y = x.numpy()", "tensor-of-a-read-only-array", Outcome.SHARES, Proof.RANGES),
        ("y = x.numpy(force=True)", "tensor-conjugate", Outcome.COPIES, Proof.WRITE),
        ("y = x.cpu()", "tensor-float32", Outcome.SAME, None),
        ("y = x.to('meta')", "tensor-float32", Outcome.NO_BYTES, None),
        ("y = x.tolist()", "tensor-float32", Outcome.VALUE, None),
        ("y = list(x)", "tensor-float32", Outcome.SHARES, Proof.WRITE),
        ("y = torch.frombuffer(x, dtype=torch.uint8)", "buffer-bytearray", Outcome.SHARES, Proof.WRITE),
        ("y = torch.frombuffer(x, dtype=torch.uint8)", "buffer-bytes", Outcome.SHARES, Proof.RANGES),
        ("y = memoryview(x.numpy())", "tensor-float32", Outcome.SHARES, Proof.WRITE),
        ("y = torch.tensor(x)", "sequence-floats", Outcome.COPIES, Proof.RANGES),
        ("y = torch.stack(x)", "sequence-tensors", Outcome.COPIES, Proof.WRITE),
        ("y = x[0]", "sequence-tensors", Outcome.SHARES, Proof.WRITE),
        ("y = np.asarray(x, dtype=object)", "array-object", Outcome.SAME, None),
        ("y = x[:]", "array-object", Outcome.SHARES, Proof.RANGES),
    ],
)
def test_who_shares_memory_is_proved(code: str, what: str, outcome: Outcome, proof: Proof | None) -> None:
    """By a write where that is safe; by addresses where it is not allowed, or holds pointers."""
    cell = told(code, what)
    assert (cell.outcome, cell.proof) == (outcome, proof)


def test_proof_leaves_no_trace() -> None:
    """The byte that was changed is put back, in whatever dtype."""
    for what in ("array-float32", "array-bool", "tensor-bfloat16", "array-complex128"):
        cell = told("y = torch.as_tensor(x)", what)
        assert cell.outcome in (Outcome.SHARES, Outcome.SAME)
        assert cell.value in ("[1.0, 2.0, 3.0]", "[True, False, True]", "[1+0j, 2+0j, 3+0j]")


def test_both_proofs_agree_wherever_both_can_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    """One memory under two addresses is the exception that only a write can tell; none of these is one."""
    some = [
        c for c in CONVERSIONS if c.family in ("torch.as_tensor", "Tensor.numpy", "shape", "torch.from_numpy")
    ]
    layouts = [s for s in SOURCES if s.form in (Form.ARRAY, Form.TENSOR) and not s.needs and not s.slow]
    written = {(c.name, s.name): observe_cell(c, s, {}) for c in some if not c.needs for s in layouts}
    monkeypatch.setattr("tensor_atlas.probe.observe_cell._may_write", lambda *_: False)
    compared = 0
    for one in some:
        for other in layouts:
            cell = written.get((one.name, other.name))
            if cell is not None and cell.proof is Proof.WRITE:
                assert observe_cell(one, other, {}).outcome is cell.outcome, (one.title, other.title)
                compared += 1
    assert compared > 500


def test_shared_memory_under_two_addresses_is_seen_by_a_write() -> None:
    """Two mappings of one file overlap in no address."""
    code = (
        "import mmap, os\nhandle = os.open('both', os.O_RDWR | os.O_CREAT)\nos.truncate(handle, 8)\n"
        "x = np.frombuffer(mmap.mmap(handle, 8), dtype='uint8')"
    )
    assert (
        told("y = np.frombuffer(mmap.mmap(handle, 8), dtype='uint8')", made(code)).outcome is Outcome.SHARES
    )


def test_result_is_described() -> None:
    """Class, dtype, shape, strides in bytes, device, flags and elements."""
    cell = told("y = torch.from_numpy(x)", "array-fortran")
    assert (cell.type, cell.dtype, cell.shape, cell.strides) == ("Tensor", "torch.float32", (2, 3), (4, 8))
    assert (cell.device, cell.writable, cell.requires_grad) == ("cpu", None, False)
    assert cell.value == "[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]"
    cell = told("y = x.numpy()", "tensor-expanded")
    assert (cell.type, cell.dtype, cell.strides, cell.writable) == ("ndarray", "float32", (0, 4), True)
    assert told("y = list(x)", "tensor-float32").type == "list of Tensor"
    assert told("y = x.item()", "tensor-one-element").value == "1.5"


def test_error_is_described_and_what_it_leaves_behind() -> None:
    """Class and text; a source that was changed before the error is told to be."""
    cell = told("y = torch.from_numpy(x)", "array-uint8")
    assert cell.error is None
    cell = told("x[0] = 9\ny = torch.from_numpy(x[::-1])", "array-float32")
    assert cell.outcome is Outcome.RAISES
    assert cell.error is not None
    assert cell.error.type == "ValueError"
    assert cell.error.message.startswith("At least one stride in the given numpy array is negative")
    assert cell.writes


def test_change_of_the_source_is_noticed() -> None:
    """Whether the result is the source or not."""
    assert told("y = np.multiply(x, 2, out=x)", "array-float32").writes
    assert not told("y = x * 2", "array-float32").writes


@pytest.mark.parametrize("values", [torch.tensor([True, False]), torch.ones(2), np.array([True, False])])
def test_change_through_a_view_is_seen_without_addresses(values: Any) -> None:
    """As on lazy devices; each element is put back."""
    before = values.tolist()
    assert observing._change_is_seen(values[:], values) is True
    assert values.tolist() == before
    assert observing._change_is_seen(torch.as_tensor(values).clone(), values) is False
    assert observing._change_is_seen(torch.ones(1).expand(2), values) is None


def test_source_that_cannot_be_made_is_no_failure_of_the_conversion() -> None:
    """Its own error is told, and the conversion is not tried."""
    cell = told("raise AssertionError", made("x = np.no_such_thing"))
    assert cell.outcome is Outcome.NO_SOURCE
    assert cell.error is not None
    assert cell.error.type == "AttributeError"


def test_warnings_of_the_conversion_alone_are_kept_each_time() -> None:
    """Those of the source are not its doing; torch warns at most once a process by itself."""
    assert (
        told("y = x + 0", made("import warnings\n\nwarnings.warn('of the source')\nx = np.ones(2)")).warnings
        == ()
    )
    for _ in range(2):
        cell = told("y = torch.from_numpy(x)", "array-read-only")
        assert [w.category for w in cell.warnings] == ["UserWarning"]


def test_warning_of_the_process_is_no_cells() -> None:
    """Torch says once that it cannot use NumPy: whichever cell came first would have it."""
    once = "import warnings\n\nwarnings.warn('Failed to initialize NumPy: _ARRAY_API not found')\ny = x"
    assert told(once, "array-float32").warnings == ()


@pytest.mark.parametrize("source", ["array-object", "array-longdouble", "scalar-np-longdouble"])
def test_padding_taken_for_numbers_is_no_value(source: str) -> None:
    """torch 1.13 beside NumPy 2 reads a buffer of any dtype as floats: other numbers each time."""
    cell = told("y = torch.frombuffer(bytearray(x.tobytes()), dtype=torch.float32)[:3]", source)
    assert (cell.dtype, cell.value) == ("torch.float32", "")
    assert told("y = torch.tensor([float(x.reshape(-1)[0])])", source).value in ("[1.0]", "[1.5]")


def test_shape_of_a_nested_tensor_is_not_told_as_that_of_a_scalar() -> None:
    """No integers could tell it; the record keeps where it lies, and that it records no gradient."""
    for source in ("tensor-nested", "tensor-nested-jagged"):
        cell = told("y = x.detach()", source)
        assert (cell.shape, cell.device, cell.requires_grad) == (None, "cpu", False)
        assert restore_cell(shorten_cell(cell)) == cell


@pytest.mark.parametrize("dtype", ["torch.uint8", "torch.int32", "torch.float32"])
@pytest.mark.parametrize("source", ["tensor-quantized-4-bit", "tensor-quantized-2-bit"])
def test_view_of_packed_elements_shares_their_bytes(source: str, dtype: str) -> None:
    """It claims a byte for each element, more than there are, but begins at the first of them."""
    assert told(f"y = x.view({dtype})", source).outcome is Outcome.SHARES


def test_error_names_no_build_and_no_running_number() -> None:
    """Where torch was built and which number a ragged size has say nothing of the cell."""
    quoted = 'x == y INTERNAL ASSERT FAILED at "/pytorch/aten/src/ATen/B.cpp":723, please report a bug'
    cell = told(f"raise RuntimeError({quoted!r})", "array-float32")
    assert cell.error is not None
    assert cell.error.message == 'x == y INTERNAL ASSERT FAILED at "aten/src/ATen/B.cpp", please report a bug'
    words = (
        "registered at /__w/pytorch/pytorch/aten/src/ATen/A.cpp:17 [kernel], of shape (2, j23) and [2, j4]"
    )
    cell = told("raise RuntimeError('at ../aten/src/ATen/B.cpp:17')", "array-float32")
    assert cell.error is not None
    assert cell.error.message == "at aten/src/ATen/B.cpp"
    cell = told(f"raise RuntimeError({words!r})", "array-float32")
    assert cell.error is not None
    assert cell.error.message == "registered at aten/src/ATen/A.cpp [kernel], of shape (2, j…) and [2, j…]"


def test_error_keeps_no_list_of_kernels() -> None:
    """It is pages long and another in each build; what could not run stands before it."""
    asked = "Could not run 'aten::abs'. 'aten::abs' is only available for these backends: "
    words = (
        asked
        + "[CPU, Meta].\n\nCPU: registered at aten/src/A.cpp:17 [kernel]\n"
        + "Meta: registered at /b/M.cpp:2 [kernel]\n"
    )
    cell = told(f"raise NotImplementedError({words!r})", "array-float32")
    assert cell.error is not None
    assert cell.error.message == asked + "[…]."


def test_error_keeps_no_stack_trace_of_xla() -> None:
    """The C++ frames are others in each release; the message stands before and after them."""
    frames = "*** Begin stack trace ***\n\ttsl::Current()\n\n*** End stack trace ***"
    words = f"Check failed: xtensor\n{frames}\nInput tensor is not an XLA tensor\n"
    cell = told(f"raise RuntimeError({words!r})", "array-float32")
    assert cell.error is not None
    assert cell.error.message == "Check failed: xtensor\nInput tensor is not an XLA tensor"


@pytest.mark.parametrize(
    ("code", "what", "value"),
    [
        ("y = torch.ones(2)", "array-float32", "[1.0, 1.0]"),
        ("y = torch.ones(100)", "array-float32", ""),
        ("y = object()", "array-float32", ""),
        ("y = torch.frombuffer(x, dtype=torch.uint8)", "array-int8", "[1, 2, 3]"),
        ("y = torch.frombuffer(x, dtype=torch.uint8)", "array-longdouble", ""),
        ("y = torch.frombuffer(x, dtype=torch.uint8)", "array-object", ""),
        ("y = np.from_dlpack(x)", "tensor-fake", ""),
        ("y = np.from_dlpack(x)", "tensor-float32", "[1.0, 2.0, 3.0]"),
        ("y = torch.zeros(3, dtype=torch.bool)", "scalar-np-longdouble", "[False, False, False]"),
    ],
)
def test_elements_are_recorded_where_they_are_few_and_always_the_same(
    code: str, what: str, value: str
) -> None:
    """Not padding, not addresses, not memory that nobody has filled."""
    assert told(code, what).value == value
    assert observe_cell(conversion(code, known=False), source(what), {}).value == ""


# --- in processes of their own -------------------------------------------------------------------


def tried(*pairs: tuple[Conversion, Source]) -> list[Cell]:
    """Cells, tried as the probe does, in the order of the pairs."""
    with fork_server() as server:
        found = dict(run_cells(batches(pairs), 2, server, 500))
    return [found[pair].cell for pair in pairs]


def test_lazy_error_that_comes_late_is_not_that_of_the_next_cell() -> None:
    """The mean of integers fails when it is read, and once more with the next lazy tensor that is read."""
    mean = next(c for c in CONVERSIONS if c.name == "x-mean")
    integers, single = source("tensor-lazy-int64"), source("tensor-lazy-zero-dimensional")
    (alone,) = tried((mean, single))
    assert alone.outcome is Outcome.COPIES
    failed, after = tried((mean, integers), (mean, single))
    assert (failed.error, failed.value) == (None, "")
    assert after == alone


def test_cell_that_kills_its_process_costs_only_itself() -> None:
    """By a signal or by an exit; those before and after it in its row are tried."""
    ends = {
        "array-int8": "SIGABRT",
        "array-int16": "os._exit(3)",
        "array-int32": "SIGKILL",
        "array-int64": "SIGABRT",
    }
    code = (
        "import os, signal\n"
        "if x.dtype == 'int8': os.write(2, b'last words\\nframe #0: 0x7f\\n'); os.abort()\n"
        "if x.dtype == 'int16': os._exit(3)\n"
        "if x.dtype == 'int32': os.kill(os.getpid(), signal.SIGKILL)\n"
        "if x.dtype == 'int64': os.write(2, b'no\\n*** Begin stack trace ***\\n\\tf()\\n'); os.abort()\n"
        "y = torch.from_numpy(x)"
    )
    one = conversion(code)
    names = ["array-uint8", *ends, "array-float32"]
    cells = tried(*((one, source(name)) for name in names))
    outcomes = [cell.outcome for cell in cells]
    assert outcomes == [Outcome.SHARES, *[Outcome.CRASHES] * 4, Outcome.SHARES]
    told = [(cell.error.type, cell.error.message) for cell in cells[1:5] if cell.error]
    assert told[0] == ("SIGABRT", "last words")
    assert told[1][1].endswith("exit code 3")
    assert told[2][0] == "SIGKILL"
    assert told[3] == ("SIGABRT", "no")


def test_lazy_tensors_are_set_up_for_every_cell_of_a_row() -> None:
    """Though torch does so once a process; memory without addresses is told by a change that is seen."""
    sources = [source("tensor-lazy"), source("tensor-lazy-int64"), source("tensor-float32")]
    sizes = {"tensor-lazy": "float32", "tensor-lazy-int64": "int64"}
    view, copy, refused = conversion("y = x.view(-1)"), conversion("y = x.cpu()"), conversion("y = x.numpy()")
    pairs = [(c, s) for c in (view, copy, refused) for s in sources[:2]]
    cells = tried(*pairs)
    assert [cell.outcome for cell in cells] == [
        *[Outcome.SHARES] * 2,
        *[Outcome.COPIES] * 2,
        *[Outcome.RAISES] * 2,
    ]
    assert [cell.proof for cell in cells[:4]] == [Proof.WRITE] * 4
    assert [cell.dtype for cell in cells[:2]] == [f"torch.{sizes[s.name]}" for s in sources[:2]]
    assert all("can't convert lazy:0 device type" in cell.error.message for cell in cells[4:] if cell.error)
    move = next(c for c in CONVERSIONS if c.title == 'x.to("lazy")')
    assert [cell.device for cell in tried((move, sources[2]), (move, sources[0]))] == ["lazy:0"] * 2


def test_cell_that_never_ends_costs_only_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is ended when its time is up."""
    mark = tmp_path / "stuck"
    stuck = f"    with open({str(mark)!r}, 'a') as file:\n        file.write('x')\n    time.sleep(1)\n"
    one = conversion(f"import time\nwhile x.dtype == 'int8':\n{stuck}y = torch.from_numpy(x)")
    pairs = [(one, source(name)) for name in ("array-uint8", "array-int8", "array-int16")]
    turn_clock(monkeypatch, mark, 1000)
    with fork_server() as server:
        found = dict(run_cells([pairs], 1, server, 500))
    cells = [found[pair].cell for pair in pairs]
    assert [cell.outcome for cell in cells] == [Outcome.SHARES, Outcome.TIMES_OUT, Outcome.SHARES]


def test_cells_run_in_a_folder_of_their_own(tmp_path: Path) -> None:
    """What they write does not lie where the probe was called."""
    (cell,) = tried((conversion("y = torch.from_numpy(x)"), source("array-memory-mapped")))
    assert cell.outcome is Outcome.SHARES
    assert list(tmp_path.iterdir()) == []
