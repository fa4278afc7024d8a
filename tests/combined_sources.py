"""Code that makes what the chooser combines: a dtype with a layout, with flags, or with both."""

from __future__ import annotations

from collections.abc import Mapping

from tensor_atlas.catalogue import SOURCES, Form, Source
from tensor_atlas.matrix.traits import Parts

ARRAY_FILLS = {
    "bool": "np.arange(COUNT) % 2 == 0",
    "str": 'np.arange(1, 1 + COUNT).astype("U1")',
    "bytes": 'np.arange(1, 1 + COUNT).astype("S1")',
    "StringDType": 'np.arange(1, 1 + COUNT).astype("U1").astype(np.dtypes.StringDType())',
    "object": "np.arange(1.0, 1 + COUNT).astype(object)",
    "void": 'np.arange(1, 1 + COUNT, dtype="i4").view("V4")',
    "structured": 'np.ones(COUNT, dtype=[("a", "i4"), ("b", "f4")])',
}
"""Expressions that make COUNT elements of a dtype which no number is converted to."""
ARRAY_FILL = 'np.arange(1, 1 + COUNT).astype("DTYPE")'
TENSOR_FILLS = {"torch.bool": "torch.arange(COUNT) % 2 == 0"}
TENSOR_FILL = "torch.arange(1, 1 + COUNT).to(DTYPE)"
COMPLEX = {
    "torch.float16": "torch.complex32",
    "torch.float32": "torch.complex64",
    "torch.float64": "torch.complex128",
}
"""Dtype whose imaginary part has a dtype."""

SHAPES: Mapping[str, tuple[int, str]] = {
    "array-zero-dimensional": (1, "x.reshape(())"),
    "array-one-element": (1, "x"),
    "array-empty": (0, "x.reshape(0, 3)"),
    "array-matrix-of-rows": (6, "x.reshape(2, 3)"),
    "array-fortran": (6, "np.asfortranarray(x.reshape(2, 3))"),
    "array-transposed": (6, "x.reshape(3, 2).T"),
    "array-every-second": (6, "x[::2]"),
    "array-column": (6, "x.reshape(3, 2)[:, 0]"),
    "array-reversed": (3, "x[::-1]"),
    "array-masked": (3, "np.ma.array(x, mask=[False, True, False])"),
    "array-np-matrix": (3, "np.matrix(x, copy=False)"),
    "array-subclass": (3, 'x.view(type("Own", (np.ndarray,), {}))'),
    "array-seven-dimensional": (3, "x.reshape(1, 1, 1, 1, 1, 1, 3)"),
    "array-uint8-image": (12, "x.reshape(2, 2, 3)"),
    "tensor-zero-dimensional": (1, "x.reshape(())"),
    "tensor-one-element": (1, "x"),
    "tensor-empty": (0, "x.reshape(0, 3)"),
    "tensor-matrix-of-rows": (6, "x.reshape(2, 3)"),
    "tensor-transposed": (6, "x.reshape(2, 3).t()"),
    "tensor-every-second": (6, "x[::2]"),
    "tensor-column": (6, "x.reshape(3, 2)[:, 0]"),
    "tensor-offset": (5, "x[2:]"),
    "tensor-expanded": (3, "x.expand(2, 3)"),
    "tensor-channels-last": (12, "x.reshape(1, 3, 2, 2).to(memory_format=torch.channels_last)"),
    "tensor-subclass": (3, 'x.as_subclass(type("Own", (torch.Tensor,), {}))'),
    "tensor-sparse-coo": (3, "x.to_sparse()"),
    "tensor-sparse-csr": (4, "x.reshape(2, 2).to_sparse_csr()"),
    "tensor-sparse-csc": (4, "x.reshape(2, 2).to_sparse_csc()"),
    "tensor-sparse-bsr": (16, "x.reshape(4, 4).to_sparse_bsr((2, 2))"),
    "tensor-sparse-bsc": (16, "x.reshape(4, 4).to_sparse_bsc((2, 2))"),
    "tensor-mkldnn": (3, "x.to_mkldnn()"),
    "tensor-nested": (5, "torch.nested.nested_tensor([x[:2], x[2:]])"),
    "tensor-nested-jagged": (5, "torch.nested.nested_tensor([x[:2], x[2:]], layout=torch.jagged)"),
    "tensor-fake": (3, "FakeTensorMode().from_tensor(x)"),
    "tensor-five-dimensional": (3, "x.reshape(1, 1, 1, 1, 3)"),
}
"""Layouts that some elements in a row are brought to: how many, and how."""

BASES: Mapping[str, str] = {
    "array-byte-swapped": "x = x.astype(x.dtype.newbyteorder())",
    "array-unaligned": "x = np.frombuffer(bytearray(1) + x.tobytes(), dtype=x.dtype, offset=1)",
    "array-packed-field": 'r = np.zeros(len(x), dtype=[("a", "u1"), ("b", x.dtype)])\nr["b"] = x\nx = r["b"]',
    "array-memory-mapped": (
        'm = np.memmap("values.bin", dtype=x.dtype, mode="w+", shape=x.shape)\nm[:] = x\nx = m'
    ),
    "array-of-a-tensor": "x = torch.from_numpy(x).numpy()",
    "array-of-bytes": "x = np.frombuffer(x.tobytes(), dtype=x.dtype)",
    "array-memory-mapped-read-only": (
        'x.tofile("values.bin")\nx = np.memmap("values.bin", dtype=x.dtype, mode="r", shape=x.shape)'
    ),
    "tensor-detached": "x = (x.requires_grad_() if x.is_floating_point() or x.is_complex() else x).detach()",
    "tensor-over-a-bytearray": "x = torch.frombuffer(bytearray(x.nbytes), dtype=x.dtype)",
    "tensor-shared": "x = x.share_memory_()",
    "tensor-of-an-array": "x = torch.from_numpy(x.numpy().copy())",
    "tensor-non-leaf": "x = x.requires_grad_() * 2",
    "tensor-negative": "x = (x * (1 + 2j)).to(COMPLEX).conj().imag",
}
"""What the elements in a row lie on, or come from: one thing at a time."""

FINISHES: Mapping[str, str] = {
    "array-broadcast": "x = np.broadcast_to(x, (2, *x.shape), subok=True)",
    "array-windows": "x = np.lib.stride_tricks.sliding_window_view(x, 2, axis=-1, subok=True)",
    "array-read-only": "x.flags.writeable = False",
    "tensor-requires-grad": "x = x.requires_grad_()",
    "tensor-parameter": "x = torch.nn.Parameter(x)",
    "tensor-conjugate": "x = x.conj()",
    "tensor-of-a-read-only-array": "x = torch.from_numpy(np.broadcast_to(x.numpy().copy(), (2, *x.shape)))",
}
"""Flags that come with the last step."""
INFERENCE = "tensor-inference"
FAKE = "from torch._subclasses.fake_tensor import FakeTensorMode\n\n"


def make_combination(form: Form, parts: Parts) -> Source | None:
    """A source that is all of its parts; None where the parts are no one thing that this module can make."""
    bases = [BASES[name] for name in (parts.layout, parts.flag) if name in BASES]
    is_known = all(name in {"", INFERENCE, *SHAPES, *BASES, *FINISHES} for name in (parts.layout, parts.flag))
    if len(bases) > 1 or not is_known or ("COMPLEX" in "".join(bases) and parts.dtype not in COMPLEX):
        return None
    count, shape = SHAPES.get(parts.layout, (3, "x"))
    lines = [f"x = {fill_dtype(form, parts, count)}", *bases]
    if shape != "x":
        lines.append(f"x = {shape}")
    if parts.flag in FINISHES:
        lines.append(FINISHES[parts.flag])
    code = "\n".join(lines).replace("COMPLEX", COMPLEX.get(parts.dtype, ""))
    if parts.flag == INFERENCE:
        code = "with torch.inference_mode():\n    " + code.replace("\n", "\n    ")
    by_name = {source.name: source for source in SOURCES}
    members = [by_name[name] for name in (parts.layout, parts.flag) if name]
    return Source(
        name=name_combination(parts),
        title="",
        form=form,
        code=(FAKE if "FakeTensor" in code else "") + code,
        dtype=parts.dtype,
        layout=members[0].layout,
        flags=tuple(flag for member in members for flag in member.flags),
        slow=any(member.slow for member in members),
        opaque=parts.dtype in OPAQUE or any(member.opaque for member in members),
    )


OPAQUE = frozenset(source.dtype for source in SOURCES if source.opaque and source.form is Form.ARRAY)
"""Dtypes whose bytes are padding or addresses."""


def fill_dtype(form: Form, parts: Parts, count: int) -> str:
    """An expression that makes ``count`` elements of a dtype in a row."""
    if "negative" in parts.flag:
        return f"torch.arange(1, 1 + {count})"
    fills, usual = (ARRAY_FILLS, ARRAY_FILL) if form is Form.ARRAY else (TENSOR_FILLS, TENSOR_FILL)
    dtype = parts.dtype.replace(">f4", "float32")
    return fills.get(dtype, usual).replace("COUNT", str(count)).replace("DTYPE", dtype)


def name_combination(parts: Parts) -> str:
    """Names of the parts with dots between."""
    return f"{parts.dtype}.{parts.layout}.{parts.flag}"
