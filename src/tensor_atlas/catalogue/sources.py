"""Sources: a few lines of code that make ``x``, and what it is; runs nothing.

Where a release cannot make a source, because its dtype came later, the error of its code is recorded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class Form(StrEnum):
    """Kind of object that a source is."""

    ARRAY = "array"
    TENSOR = "tensor"
    SCALAR = "scalar"
    SEQUENCE = "sequence"
    BUFFER = "buffer"


@dataclass(frozen=True)
class Source:
    """One thing to convert."""

    name: str
    """Name for links and records; stays when the title changes."""
    title: str
    """What it is, in a few words."""
    form: Form
    """What kind of object it is."""
    code: str
    """Lines that make ``x``; ``np`` and ``torch`` are imported."""
    dtype: str
    """Element type in its library's spelling; empty where the elements have none, or several."""
    layout: str = "contiguous"
    """How its elements lie in memory, or what stands in the way of reaching them."""
    device: str = "cpu"
    """Where they lie."""
    flags: tuple[str, ...] = ()
    """What else matters, such as ``read-only`` and ``requires grad``."""
    needs: tuple[str, ...] = ()
    """Devices and libraries it needs, as the tags of an example name them."""
    slow: bool = False
    """Whether torch imports so much for it that a fresh process takes seconds."""
    alone: bool = False
    """Whether torch warns once a process, in Python, when it is made anew from its storage."""
    opaque: bool = False
    """Whether its bytes hold padding or addresses, which differ from run to run."""


ARRAY_DTYPES = (
    "bool",
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "longdouble", "complex64", "complex128", "clongdouble"),
    *("datetime64[s]", "timedelta64[s]"),
)
"""Numeric and time dtypes of NumPy, each filled from small integers."""

TENSOR_DTYPES = (
    *("bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64"),
    *("float16", "bfloat16", "float32", "float64", "complex32", "bcomplex32", "complex64", "complex128"),
    *("float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz"),
)
"""Dtypes of torch whose tensors can be filled with 1, 2, 3 by ``to``."""

BIT_DTYPES = (
    *("float8_e8m0fnu", "float4_e2m1fn_x2", "bits8", "bits1x8", "bits2x4", "bits4x2"),
    *(f"int{bits}" for bits in range(1, 8)),
    *(f"uint{bits}" for bits in range(1, 8)),
)
"""One-byte dtypes of torch to which nothing converts: their tensors are views of other bytes."""


BARE_BITS = "bare bits"
"""Layout of sources of BIT_DTYPES and of bits16."""


def _slug(text: str) -> str:
    return re.sub(r"[\W_]", "-", text.lower()).strip("-")


def _arrays() -> list[Source]:
    found = [
        Source(
            f"array-{_slug(name)}",
            f"{name} array",
            Form.ARRAY,
            f'x = np.array([1, 2, 3], dtype="{name}")',
            name,
            opaque="longdouble" in name,
        )
        for name in ARRAY_DTYPES
        if name != "bool"
    ]
    others = {
        "bool": ("bool array", "x = np.array([True, False, True])"),
        "str": ("array of str", 'x = np.array(["1", "2", "3"])'),
        "bytes": ("array of bytes", 'x = np.array([b"1", b"2", b"3"])'),
        "StringDType": (
            "array of StringDType",
            'x = np.array(["1", "2", "3"], dtype=np.dtypes.StringDType())',
        ),
        "object": ("object array of floats", "x = np.array([1.0, 2.0, 3.0], dtype=object)"),
        "void": ("array of raw bytes", 'x = np.array([b"abcd", b"efgh"], dtype="V4")'),
        "structured": (
            "structured array",
            'x = np.array([(1, 2.0), (3, 4.0)], dtype=[("a", "i4"), ("b", "f4")])',
        ),
    }
    found += [
        Source(f"array-{_slug(k)}", title, Form.ARRAY, code, k, opaque=k in ("object", "StringDType"))
        for k, (title, code) in others.items()
    ]
    return found


def _array_layouts() -> list[Source]:
    def array(name: str, title: str, code: str, *flags: str, dtype: str = "float32") -> Source:
        return Source(f"array-{name}", title, Form.ARRAY, code, dtype, name.replace("-", " "), flags=flags)

    return [
        array("zero-dimensional", "array of no dimension", 'x = np.array(1.5, dtype="float32")'),
        array("one-element", "array of one element", 'x = np.array([1.5], dtype="float32")'),
        array("empty", "empty array", 'x = np.zeros((0, 3), dtype="float32")'),
        array("matrix-of-rows", "array of two rows", 'x = np.arange(6, dtype="float32").reshape(2, 3)'),
        array(
            "fortran",
            "array in Fortran order",
            'x = np.asfortranarray(np.arange(6, dtype="float32").reshape(2, 3))',
        ),
        array("transposed", "transposed array", 'x = np.arange(6, dtype="float32").reshape(3, 2).T'),
        array("every-second", "every second element", 'x = np.arange(6, dtype="float32")[::2]'),
        array("column", "column of an array", 'x = np.arange(6, dtype="float32").reshape(3, 2)[:, 0]'),
        array("reversed", "reversed array", 'x = np.arange(3, dtype="float32")[::-1]'),
        array(
            "broadcast", "broadcast array", "x = np.broadcast_to(np.float32([1, 2, 3]), (2, 3))", "read-only"
        ),
        array("windows", "overlapping windows", _WINDOWS, "read-only"),
        array(
            "read-only",
            "read-only array",
            "x = np.float32([1, 2, 3])\nx.flags.writeable = False",
            "read-only",
        ),
        array("of-bytes", "array over bytes", 'x = np.frombuffer(bytes(12), dtype="float32")', "read-only"),
        array("byte-swapped", "byte-swapped array", 'x = np.array([1, 2, 3], dtype=">f4")', dtype=">f4"),
        array("unaligned", "unaligned array", 'x = np.frombuffer(bytearray(13), dtype="float32", offset=1)'),
        array("packed-field", "field of a packed record", _PACKED),
        array("memory-mapped", "memory-mapped array", _MAPPED.format(mode="w+")),
        array("memory-mapped-read-only", "memory map opened to read", _MAPPED_TO_READ, "read-only"),
        array("masked", "masked array", 'x = np.ma.masked_equal(np.arange(3, dtype="float32"), 1)'),
        array("np-matrix", "np.matrix", 'x = np.matrix([[1, 2, 3]], dtype="float32")'),
        array("subclass", "subclass of ndarray", _ARRAY_SUBCLASS),
        array("of-a-tensor", "array that numpy() gave", "x = torch.tensor([1.0, 2.0, 3.0]).numpy()"),
        array(
            "seven-dimensional",
            "array of seven dimensions",
            'x = np.ones((1, 1, 1, 1, 1, 1, 3), dtype="float32")',
        ),
        array("float64-fortran", "float64 array in Fortran order", _FORTRAN_64, dtype="float64"),
        array("float64-reversed", "reversed float64 array", "x = np.arange(3.0)[::-1]", dtype="float64"),
        array(
            "int64-every-second", "every second int64", 'x = np.arange(6, dtype="int64")[::2]', dtype="int64"
        ),
        array("uint8-image", "uint8 image, height by width by 3", _IMAGE, dtype="uint8"),
    ]


_WINDOWS = 'x = np.lib.stride_tricks.sliding_window_view(np.arange(4, dtype="float32"), 2)'
_PACKED = 'x = np.array([(1, 2.0), (3, 4.0), (5, 6.0)], dtype=[("a", "u1"), ("b", "f4")])["b"]'
_MAPPED = 'x = np.memmap("values.bin", dtype="float32", mode="{mode}", shape=(3,))\nx[:] = [1, 2, 3]'
_MAPPED_TO_READ = (
    'np.float32([1, 2, 3]).tofile("values.bin")\n'
    'x = np.memmap("values.bin", dtype="float32", mode="r", shape=(3,))'
)
_ARRAY_SUBCLASS = "class Own(np.ndarray):\n    pass\n\nx = np.float32([1, 2, 3]).view(Own)"
_FORTRAN_64 = "x = np.asfortranarray(np.arange(6.0).reshape(2, 3))"
_IMAGE = 'x = np.arange(12, dtype="uint8").reshape(2, 2, 3)'


def _scalars() -> list[Source]:
    def scalar(name: str, title: str, code: str, dtype: str = "") -> Source:
        return Source(
            f"scalar-{name}", title, Form.SCALAR, f"x = {code}", dtype, opaque=dtype == "longdouble"
        )

    numpy = ("bool_", "int8", "int32", "int64", "uint8", "uint16", "uint64", "float16", "float32", "float64")
    return [
        scalar("bool", "Python bool", "True", "bool"),
        scalar("int", "Python int", "2", "int"),
        scalar("float", "Python float", "1.5", "float"),
        scalar("complex", "Python complex", "1 + 2j", "complex"),
        scalar("none", "None", "None"),
        scalar("text", "Python str", '"1.5"', "str"),
        *(scalar(f"np-{_slug(n)}", f"np.{n} scalar", f"np.{n}(1)", n.removesuffix("_")) for n in numpy),
        scalar("np-complex64", "np.complex64 scalar", "np.complex64(1 + 2j)", "complex64"),
        scalar("np-longdouble", "np.longdouble scalar", "np.longdouble(1.5)", "longdouble"),
        scalar("np-datetime64", "np.datetime64 scalar", 'np.datetime64("2020-01-01")', "datetime64"),
        scalar("np-str", "np.str_ scalar", 'np.str_("1.5")', "str"),
    ]


def _sequences() -> list[Source]:
    def sequence(name: str, title: str, code: str, dtype: str = "") -> Source:
        return Source(f"sequence-{name}", title, Form.SEQUENCE, f"x = {code}", dtype)

    return [
        sequence("ints", "list of ints", "[1, 2, 3]", "int"),
        sequence("floats", "list of floats", "[1.0, 2.0, 3.0]", "float"),
        sequence("bools", "list of bools", "[True, False, True]", "bool"),
        sequence("nested", "list of lists", "[[1.0, 2.0], [3.0, 4.0]]", "float"),
        sequence("ragged", "list of lists of unlike length", "[[1.0, 2.0], [3.0]]", "float"),
        sequence("empty-list", "empty list", "[]"),
        sequence("mixed", "list of an int, a float and a bool", "[1, 2.5, True]"),
        sequence("tuple", "tuple of floats", "(1.0, 2.0, 3.0)", "float"),
        sequence("range", "range", "range(3)", "int"),
        sequence("np-scalars", "list of np.float32 scalars", "[np.float32(1), np.float32(2)]", "float32"),
        sequence("arrays", "list of arrays", "[np.float32([1, 2, 3]), np.float32([4, 5, 6])]", "float32"),
        sequence(
            "unlike-arrays",
            "list of arrays of unlike length",
            "[np.float32([1, 2]), np.float32([3])]",
            "float32",
        ),
        sequence(
            "tensors", "list of tensors", "[torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])]", "float32"
        ),
        sequence("zero-dimensional-tensors", "list of tensors of no dimension", _ZERO_DIMENSIONAL, "float32"),
        sequence("texts", "list of str", '["1", "2"]', "str"),
        sequence("nones", "list with None", "[1.0, None]"),
        sequence("dict", "dict of arrays", '{"a": np.float32([1, 2])}', "float32"),
    ]


_ZERO_DIMENSIONAL = "[torch.tensor(1.0), torch.tensor(2.0)]"


def _buffers() -> list[Source]:
    def buffer(name: str, title: str, code: str, dtype: str, *flags: str) -> Source:
        return Source(f"buffer-{name}", title, Form.BUFFER, code, dtype, flags=flags)

    return [
        buffer("bytes", "bytes", "x = bytes([0, 0, 128, 63, 0, 0, 0, 64])", "uint8", "read-only"),
        buffer("bytearray", "bytearray", "x = bytearray([0, 0, 128, 63, 0, 0, 0, 64])", "uint8"),
        buffer(
            "array-array",
            "array.array of floats",
            'import array\n\nx = array.array("f", [1.0, 2.0])',
            "float32",
        ),
        buffer("memoryview", "memoryview of an array", "x = memoryview(np.float32([1, 2, 3]))", "float32"),
        buffer(
            "memoryview-read-only", "memoryview of bytes", "x = memoryview(bytes(8))", "uint8", "read-only"
        ),
        buffer("mmap", "mmap", "import mmap\n\nx = mmap.mmap(-1, 8)", "uint8"),
        buffer("ctypes", "ctypes array", "import ctypes\n\nx = (ctypes.c_float * 2)(1.0, 2.0)", "float32"),
    ]


def _tensors() -> list[Source]:
    found = [
        Source(f"tensor-{_slug(name)}", f"{name} tensor", Form.TENSOR, _filled(name), f"torch.{name}")
        for name in TENSOR_DTYPES
    ]
    found += [
        Source(
            f"tensor-{_slug(name)}",
            f"{name} tensor",
            Form.TENSOR,
            f"x = torch.tensor([1, 2, 3], dtype=torch.uint8).view(torch.{name})",
            f"torch.{name}",
            BARE_BITS,
        )
        for name in BIT_DTYPES
    ]
    wide = "x = torch.tensor([1, 2, 3], dtype=torch.int16).view(torch.bits16)"
    return [*found, Source("tensor-bits16", "bits16 tensor", Form.TENSOR, wide, "torch.bits16", BARE_BITS)]


def _filled(dtype: str) -> str:
    if dtype == "bool":
        return "x = torch.tensor([True, False, True])"
    return f"x = torch.tensor([1, 2, 3]).to(torch.{dtype})"


def _tensor_layouts() -> list[Source]:
    def tensor(
        name: str,
        title: str,
        code: str,
        *flags: str,
        dtype: str = "float32",
        device: str = "cpu",
        needs: str = "",
    ) -> Source:
        return Source(
            name=f"tensor-{name}",
            title=title,
            form=Form.TENSOR,
            code=f"x = {code}",
            dtype=f"torch.{dtype}",
            layout=name.replace("-", " "),
            device=device,
            flags=flags,
            needs=(needs,) if needs else (),
            slow="layout=torch.jagged" in code,
            alone="quantize" in code,
            opaque="-bit" in name,
        )

    grad, cuda = "requires grad", "cuda"
    return [
        tensor("zero-dimensional", "tensor of no dimension", "torch.tensor(1.5)"),
        tensor("one-element", "tensor of one element", "torch.tensor([1.5])"),
        tensor("empty", "empty tensor", "torch.zeros(0, 3)"),
        tensor("matrix-of-rows", "tensor of two rows", "torch.arange(6.0).reshape(2, 3)"),
        tensor("transposed", "transposed tensor", "torch.arange(6.0).reshape(2, 3).t()"),
        tensor("every-second", "every second element", "torch.arange(6.0)[::2]"),
        tensor("column", "column of a tensor", "torch.arange(6.0).reshape(3, 2)[:, 0]"),
        tensor("offset", "view that begins at an offset", "torch.arange(5.0)[2:]"),
        tensor("expanded", "expanded tensor", "torch.tensor([1.0, 2.0, 3.0]).expand(2, 3)"),
        tensor("channels-last", "channels-last image", _CHANNELS_LAST),
        tensor(
            "requires-grad",
            "leaf that requires grad",
            "torch.tensor([1.0, 2.0, 3.0], requires_grad=True)",
            grad,
        ),
        tensor(
            "non-leaf", "result with a graph", "torch.tensor([1.0, 2.0, 3.0], requires_grad=True) * 2", grad
        ),
        tensor(
            "detached",
            "detached view of a leaf",
            "torch.tensor([1.0, 2.0, 3.0], requires_grad=True).detach()",
        ),
        tensor("parameter", "Parameter", "torch.nn.Parameter(torch.tensor([1.0, 2.0, 3.0]))", grad),
        tensor("subclass", "subclass of Tensor", _TENSOR_SUBCLASS),
        tensor("inference", "inference tensor", _INFERENCE, "inference"),
        tensor(
            "conjugate",
            "lazy conjugate",
            "torch.tensor([1 + 2j, 3 - 1j]).conj()",
            "conjugate",
            dtype="complex64",
        ),
        tensor("negative", "lazy negative", "torch.tensor([1 + 2j, 3 - 1j]).conj().imag", "negative"),
        tensor("sparse-coo", "sparse COO tensor", "torch.tensor([0.0, 2.0, 0.0]).to_sparse()"),
        tensor("sparse-csr", "sparse CSR tensor", "torch.tensor([[0.0, 2.0], [0.0, 0.0]]).to_sparse_csr()"),
        tensor("mkldnn", "tensor in oneDNN's layout", "torch.tensor([1.0, 2.0, 3.0]).to_mkldnn()"),
        tensor("quantized", "quantized tensor", _QUANTIZED.format("quint8"), dtype="quint8"),
        tensor("quantized-signed", "signed quantized tensor", _QUANTIZED.format("qint8"), dtype="qint8"),
        tensor("quantized-32", "32-bit quantized tensor", _QUANTIZED.format("qint32"), dtype="qint32"),
        tensor("quantized-4-bit", "quantized tensor, two a byte", _QUANTIZED_4, dtype="quint4x2"),
        tensor("quantized-2-bit", "quantized tensor, four a byte", _QUANTIZED_2, dtype="quint2x4"),
        tensor("nested", "nested tensor", "torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])"),
        tensor("nested-jagged", "jagged nested tensor", _JAGGED),
        tensor("meta", "meta tensor", 'torch.ones(3, device="meta")', device="meta"),
        tensor("shared", "tensor in shared memory", "torch.tensor([1.0, 2.0, 3.0]).share_memory_()"),
        tensor("of-an-array", "tensor that from_numpy gave", "torch.from_numpy(np.float32([1, 2, 3]))"),
        tensor("of-a-read-only-array", "tensor over a broadcast array", _OF_READ_ONLY, "read-only"),
        tensor("five-dimensional", "tensor of five dimensions", "torch.ones(1, 1, 1, 1, 3)"),
        tensor("float64-transposed", "transposed float64 tensor", _TRANSPOSED_64, dtype="float64"),
        tensor(
            "bfloat16-requires-grad",
            "bfloat16 leaf that requires grad",
            _BFLOAT16_LEAF,
            grad,
            dtype="bfloat16",
        ),
        tensor("int64-every-second", "every second int64", "torch.arange(6)[::2]", dtype="int64"),
        tensor("pinned", "pinned tensor", "torch.tensor([1.0, 2.0, 3.0]).pin_memory()", "pinned", needs=cuda),
        tensor(
            "cuda", "CUDA tensor", 'torch.tensor([1.0, 2.0, 3.0], device="cuda")', device=cuda, needs=cuda
        ),
        tensor("cuda-transposed", "transposed CUDA tensor", _CUDA_TRANSPOSED, device=cuda, needs=cuda),
        tensor(
            "cuda-requires-grad", "CUDA leaf that requires grad", _CUDA_LEAF, grad, device=cuda, needs=cuda
        ),
        tensor(
            "cuda-bfloat16", "bfloat16 CUDA tensor", _CUDA_BFLOAT16, dtype="bfloat16", device=cuda, needs=cuda
        ),
        tensor(
            "cuda-int64",
            "int64 CUDA tensor",
            'torch.arange(3, device="cuda")',
            dtype="int64",
            device=cuda,
            needs=cuda,
        ),
        tensor("cuda-zero-dimensional", "CUDA tensor of no dimension", _CUDA_SCALAR, device=cuda, needs=cuda),
        tensor(
            "cuda-empty", "empty CUDA tensor", 'torch.zeros(0, 3, device="cuda")', device=cuda, needs=cuda
        ),
    ]


_CHANNELS_LAST = "torch.arange(12.0).reshape(1, 3, 2, 2).to(memory_format=torch.channels_last)"
_TENSOR_SUBCLASS = 'torch.tensor([1.0, 2.0, 3.0]).as_subclass(type("Own", (torch.Tensor,), {}))'
_INFERENCE = "torch.inference_mode()(lambda: torch.tensor([1.0, 2.0, 3.0]))()"
_QUANTIZED = "torch.quantize_per_tensor(torch.tensor([1.0, 2.0, 3.0]), 0.5, 0, torch.{})"
_QUANTIZED_4 = (
    "torch.quantize_per_channel(torch.ones(2, 4), torch.ones(2), torch.zeros(2), 0, torch.quint4x2)"
)
_QUANTIZED_2 = "torch.quantize_per_tensor(torch.tensor([1.0, 2.0, 3.0, 0.0]), 1.0, 0, torch.quint2x4)"
_JAGGED = "torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], layout=torch.jagged)"
_OF_READ_ONLY = "torch.from_numpy(np.broadcast_to(np.float32([1, 2, 3]), (2, 3)))"
_TRANSPOSED_64 = "torch.arange(6, dtype=torch.float64).reshape(2, 3).t()"
_BFLOAT16_LEAF = "torch.tensor([1.0, 2.0, 3.0], dtype=torch.bfloat16, requires_grad=True)"
_CUDA_TRANSPOSED = 'torch.arange(6.0, device="cuda").reshape(2, 3).t()'
_CUDA_LEAF = 'torch.tensor([1.0, 2.0, 3.0], device="cuda", requires_grad=True)'
_CUDA_BFLOAT16 = 'torch.tensor([1.0, 2.0, 3.0], device="cuda", dtype=torch.bfloat16)'
_CUDA_SCALAR = 'torch.tensor(1.5, device="cuda")'

SOURCES: tuple[Source, ...] = (
    *_arrays(),
    *_array_layouts(),
    *_scalars(),
    *_sequences(),
    *_buffers(),
    *_tensors(),
    *_tensor_layouts(),
)
"""Every source, by form, dtypes before layouts."""
