"""Conversions: code that makes ``y`` from ``x``, and the sources that each is tried on; runs nothing."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from tensor_atlas.catalogue.sources import BARE_BITS, SOURCES, Form, Source


class Group(StrEnum):
    """Purpose of a conversion."""

    TO_TENSOR = "to a tensor"
    TO_NUMPY = "to NumPy"
    MOVE = "device, dtype and layout"
    MIXED = "mixed expressions"


TRIED_ON: dict[Group, frozenset[Form]] = {
    # A constructor takes anything; with a tensor it is called to copy, or to be safe.
    Group.TO_TENSOR: frozenset(Form),
    # Only tensors have these methods.
    Group.TO_NUMPY: frozenset({Form.TENSOR}),
    Group.MOVE: frozenset({Form.TENSOR}),
    # A buffer has no elements to compute with.
    Group.MIXED: frozenset({Form.ARRAY, Form.SCALAR, Form.SEQUENCE, Form.TENSOR}),
}
"""Forms of source that the conversions of a group are tried on."""


@dataclass(frozen=True)
class Conversion:
    """One expression that converts ``x``."""

    name: str
    """Name for links and records: the expression in letters, digits and dashes."""
    title: str
    """The expression, as people write it."""
    family: str
    """Function, method or operator that it is a spelling of."""
    group: Group
    """What it is for."""
    code: str
    """Lines that make ``y``; ``other`` in them is made by OTHER for the source."""
    known: bool = True
    """Whether the elements of the result are known: uninitialised memory holds anything."""
    needs: tuple[str, ...] = ()
    """Devices and libraries it needs, as the tags of an example name them."""

    @property
    def makes_storages(self) -> bool:
        """Whether it takes a tensor apart and makes it anew from its storage, in Python."""
        return "import copy" in self.code or "import pickle" in self.code

    @property
    def sees_bytes(self) -> bool:
        """Whether it reads the source's bytes as numbers, whatever they mean."""
        words = ("frombuffer", "bytes(", "bytearray(", "memoryview(", ".view(torch.")
        return any(word in self.code for word in words)


OTHER = {
    Form.TENSOR: 'other = np.ones(3, dtype="float32")',
    Form.ARRAY: "other = torch.ones(3)",
    Form.SCALAR: "other = torch.ones(3)",
    Form.SEQUENCE: "other = torch.ones(3)",
}
"""The second operand of a mixed expression: from the other library than the source."""


def render_call(conversion: Conversion, source: Source) -> str:
    """Code of a conversion as it is tried on a source: with the second operand, where it has one."""
    if _OTHER_WORD.search(conversion.code):
        return f"{OTHER[source.form]}\n{conversion.code}"
    return conversion.code


def code_digests(conversion: Conversion, source: Source) -> tuple[str, str]:
    """Digests of the code of a conversion and of a source.

    A record of other code says nothing of this one.
    """
    return _digest(f"{conversion.code}\n{OTHER}"), _digest(source.code)


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()[:8]


_OTHER_WORD = re.compile(r"\bother\b")


def _conversions(
    group: Group, family: str, *expressions: str, known: bool = True, needs: str = ""
) -> Iterator[Conversion]:
    for expression in expressions:
        code = expression if "\n" in expression else f"y = {expression}"
        title = "; ".join(filter(None, expression.split("\n")))
        if not needs and "cuda" in code:
            tags: tuple[str, ...] = ("cuda",)
        else:
            tags = (needs,) if needs else ()
        yield Conversion(_name(title), title, family, group, code, known, tags)


_WORDS = {
    "::": " step ",
    "-1": " minus 1 ",
    "...": " ellipsis ",
    "[[": " list ",
    "([": " list ",
    "torch.Tensor(": "legacy tensor ",
    "x.T": "x capital t",
    "x.data": "x data attribute",
    "import ": "",
}
"""Words for what an expression says with signs or capitals alone, so that no two expressions have one
name."""
_SIGNS = {
    "//": "floordiv",
    "**": "pow",
    "+=": "iadd",
    "-=": "isub",
    "*=": "imul",
    "/=": "itruediv",
    "==": "eq",
    "!=": "ne",
    "<=": "le",
    "<": "lt",
    ">": "gt",
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "truediv",
    "%": "mod",
    "@": "matmul",
    "&": "and",
    "|": "or",
}
"""Words for operators that stand between blanks."""


def _name(title: str) -> str:
    """Expression in lower case words; an operator between blanks keeps a word of its own."""
    for sign, word in _WORDS.items():
        title = title.replace(sign, word)
    title = re.sub(r"(?<=[a-z])_\(", " in place ", title)
    spelled = re.sub(r"(?<= )\S{1,2}(?= )", lambda found: _SIGNS.get(found[0], found[0]), title)
    return re.sub(r"[^a-z0-9]+", "-", spelled.lower()).strip("-")


def _to_tensor() -> Iterator[Conversion]:
    def calls(family: str, *expressions: str, known: bool = True) -> Iterator[Conversion]:
        return _conversions(Group.TO_TENSOR, family, *expressions, known=known)

    def function(name: str, *arguments: str) -> Iterator[Conversion]:
        return calls(name, *(f"{name}({', '.join(filter(None, ('x', a)))})" for a in arguments))

    yield from function("torch.from_numpy", "")
    yield from calls(
        "torch.from_numpy", "torch.from_numpy(x.copy())", "torch.from_numpy(np.ascontiguousarray(x))"
    )
    yield from calls("torch.from_numpy", "torch.from_numpy(np.asarray(x))", "torch.from_numpy(np.array(x))")
    yield from calls("torch.from_numpy", 'torch.from_numpy(np.asarray(x, dtype="float32"))')
    yield from calls("torch.from_numpy", 'torch.from_numpy(x.astype("float32", copy=False))')
    yield from calls("torch.from_numpy", 'torch.from_numpy(np.require(x, requirements=["C", "A", "W"]))')
    yield from function("torch.tensor", "", "dtype=torch.float32", "dtype=torch.float64", "dtype=torch.int64")
    yield from function("torch.tensor", "dtype=torch.bool", "dtype=torch.bfloat16", "requires_grad=True")
    yield from function("torch.tensor", 'device="cpu"', 'device="meta"', 'device="cuda"', "pin_memory=True")
    yield from function(
        "torch.as_tensor", "", "dtype=torch.float32", "dtype=torch.float64", "dtype=torch.int64"
    )
    yield from function("torch.as_tensor", 'device="cpu"', 'device="meta"', 'device="cuda"')
    yield from function(
        "torch.asarray", "", "copy=True", "copy=False", "dtype=torch.float32", "dtype=torch.float64"
    )
    yield from function(
        "torch.asarray", "dtype=torch.float32, copy=False", "requires_grad=True", 'device="cpu"'
    )
    yield from function("torch.asarray", 'device="meta"', 'device="cuda"', 'device="cuda", copy=False')
    yield from function("torch.from_dlpack", "", "copy=True", "copy=False", 'device="cpu"')
    yield from calls("torch.from_dlpack", "torch.utils.dlpack.from_dlpack(x.__dlpack__())")
    yield from function(
        "torch.frombuffer", "dtype=torch.float32", "dtype=torch.uint8", "dtype=torch.float32, offset=4"
    )
    yield from calls("legacy constructors", "torch.Tensor(x)", "torch.FloatTensor(x)", known=False)
    yield from calls("legacy constructors", "torch.DoubleTensor(x)", "torch.LongTensor(x)", known=False)
    yield from calls(
        "new_tensor", "torch.ones(1).new_tensor(x)", "torch.ones(1, dtype=torch.float64).new_tensor(x)"
    )
    yield from function("torch.nn.Parameter", "")
    yield from calls("torch.nn.Parameter", "torch.nn.Parameter(torch.as_tensor(x))")
    yield from calls("torch.nn.Parameter", "torch.nn.Parameter(torch.as_tensor(x), requires_grad=False)")
    yield from calls(
        "collating", "torch.utils.data.default_collate([x])", "torch.utils.data.default_convert(x)"
    )
    yield from calls("collating", "torch.utils.data.default_collate([x, x])")
    yield from calls(
        "assignment", "y = torch.zeros(3)\ny[:] = x", "y = torch.zeros(3)\ny[:] = torch.as_tensor(x)"
    )
    yield from calls("assignment", "y = torch.zeros(3)\ny[0] = x", "y = torch.zeros(3)\ny.data = x")
    yield from calls(
        "copy_", "y = torch.zeros(3)\ny.copy_(torch.as_tensor(x))", "y = torch.zeros(3)\ny.copy_(x)"
    )
    yield from calls("np.copyto", "y = torch.zeros(3)\nnp.copyto(y.numpy(), x)")
    yield from calls("out=", "y = torch.zeros(3)\ntorch.add(torch.as_tensor(x), 0, out=y)")
    yield from calls("out=", "y = torch.zeros(3)\nnp.add(x, 0, out=y.numpy())")
    yield from calls(
        "torch.full", "torch.full((3,), x)", "torch.full_like(torch.zeros(3), x)", "torch.scalar_tensor(x)"
    )
    yield from calls(
        "torch.stack", "torch.stack([torch.as_tensor(x)])", "torch.stack(list(map(torch.as_tensor, x)))"
    )
    yield from calls("torch.cat", "torch.cat([torch.as_tensor(x)])")
    yield from calls(
        "torch.tensor", "torch.tensor(x.tolist())", "torch.tensor([x])", "torch.tensor(np.asarray(x))"
    )


def _to_numpy() -> Iterator[Conversion]:
    def calls(family: str, *expressions: str) -> Iterator[Conversion]:
        return _conversions(Group.TO_NUMPY, family, *expressions)

    yield from calls(
        "Tensor.numpy", "x.numpy()", "x.numpy(force=True)", "x.detach().numpy()", "x.data.numpy()"
    )
    yield from calls("Tensor.numpy", "x.cpu().numpy()", "x.detach().cpu().numpy()", "x.clone().numpy()")
    yield from calls(
        "Tensor.numpy", "x.detach().clone().numpy()", "x.numpy().copy()", "x.contiguous().numpy()"
    )
    yield from calls("Tensor.numpy", "x.resolve_conj().resolve_neg().numpy()", "x.to_dense().numpy()")
    yield from calls("Tensor.numpy", "x.dequantize().numpy()", "x.int_repr().numpy()", "x.float().numpy()")
    yield from calls(
        "Tensor.numpy", "x.double().numpy()", "x.view(torch.uint8).numpy()", "x.view(torch.int16).numpy()"
    )
    yield from calls("Tensor.numpy", 'x.detach().to("cpu", torch.float32).numpy()')
    yield from calls(
        "np.asarray", "np.asarray(x)", 'np.asarray(x, dtype="float32")', 'np.asarray(x, dtype="float64")'
    )
    yield from calls(
        "np.asarray", "np.asarray(x, copy=False)", "np.asarray(x, copy=True)", "np.asanyarray(x)"
    )
    yield from calls(
        "np.asarray", "np.asarray(x.detach())", "np.ascontiguousarray(x)", "np.asfortranarray(x)"
    )
    yield from calls("np.array", "np.array(x)", "np.array(x, copy=False)", 'np.array(x, dtype="float64")')
    yield from calls(
        "np.array", "np.array([x])", "np.array(x.tolist())", "np.array(x, ndmin=2)", "np.copy(x)"
    )
    yield from calls(
        "__array__", "x.__array__()", 'x.__array__("float64")', 'np.require(x, requirements="W")'
    )
    yield from calls(
        "np.from_dlpack", "np.from_dlpack(x)", "np.from_dlpack(x.detach())", "np.from_dlpack(x, copy=True)"
    )
    yield from calls("np.from_dlpack", 'np.from_dlpack(x, device="cpu")', "np.from_dlpack(x.cpu())")
    yield from calls(
        "buffers", 'np.frombuffer(x, dtype="float32")', "memoryview(x)", "bytes(x)", "bytearray(x)"
    )
    yield from calls(
        "buffers", 'np.frombuffer(x.untyped_storage(), dtype="uint8")', "bytes(x.untyped_storage())"
    )
    yield from calls(
        "assignment to an array", "y = np.zeros(3)\ny[:] = x", "y = np.zeros(3)\nnp.copyto(y, x)"
    )
    yield from calls(
        "assignment to an array", "y = np.zeros(3)\ny[0] = x", "y = np.zeros(3)\ny[:] = x.detach().cpu()"
    )
    yield from calls(
        "Python values", "x.tolist()", "x.item()", "float(x)", "int(x)", "bool(x)", "complex(x)", "list(x)"
    )
    yield from calls("Python values", "np.float32(x)", "np.float64(x)", "str(x.tolist())", 'format(x, ".1f")')
    yield from calls(
        "np.stack", "np.stack([x, x])", "np.concatenate([x, x])", "np.vstack([x])", "np.atleast_2d(x)"
    )


def _moves() -> Iterator[Conversion]:
    def calls(family: str, *expressions: str, known: bool = True) -> Iterator[Conversion]:
        return _conversions(Group.MOVE, family, *expressions, known=known)

    yield from calls(
        "to a device", "x.cpu()", 'x.to("cpu")', 'x.to(torch.device("cpu"))', 'x.to("cpu", copy=True)'
    )
    yield from calls(
        "to a device", 'x.to("cpu", non_blocking=True)', 'x.to(device="cpu", dtype=torch.float64)'
    )
    yield from calls("to a device", 'x.to("cuda")', "x.cuda()", 'x.to("cuda:0")', 'x.to("cuda", copy=True)')
    yield from calls(
        "to a device", 'x.to("cuda", non_blocking=True)', 'x.to(device="cuda", dtype=torch.float16)'
    )
    yield from calls("to a device", 'x.to("cuda").cpu()', 'x.to("cuda", non_blocking=True).cpu()')
    yield from calls("to the meta device", 'x.to("meta")', 'x.to(torch.empty(0, device="meta"))')
    for name in (
        "float32",
        "float64",
        "float16",
        "bfloat16",
        "int64",
        "int32",
        "int8",
        "uint8",
        "bool",
        "complex64",
    ):
        yield from calls("to a dtype", f"x.to(torch.{name})")
    yield from calls(
        "to a dtype", "x.float()", "x.double()", "x.half()", "x.long()", "x.to(torch.float32, copy=True)"
    )
    yield from calls(
        "to a dtype", "x.type(torch.float64)", 'x.type("torch.DoubleTensor")', "x.type_as(torch.ones(1))"
    )
    yield from calls(
        "to a dtype",
        "x.to(torch.ones(1))",
        "x.view(torch.uint8)",
        "x.view(torch.int32)",
        "x.view(torch.float32)",
    )
    yield from calls("copies", "x.clone()", "x.detach()", "x.detach().clone()", "x.data", "x.new_tensor(x)")
    yield from calls("copies", "x.clone(memory_format=torch.contiguous_format)", "torch.clone(x)")
    yield from calls("copies", "import copy\n\ny = copy.copy(x)", "import copy\n\ny = copy.deepcopy(x)")
    yield from calls("copies", "import pickle\n\ny = pickle.loads(pickle.dumps(x))")
    yield from calls(
        "memory", "x.contiguous()", "x.contiguous(memory_format=torch.channels_last)", "x.share_memory_()"
    )
    yield from calls(
        "memory", "x.to(memory_format=torch.channels_last)", "x.to(memory_format=torch.contiguous_format)"
    )
    yield from calls(
        "memory", "x.resolve_conj()", "x.resolve_neg()", "x.to_sparse()", "x.to_dense()", "x.to_mkldnn()"
    )
    yield from _conversions(Group.MOVE, "memory", "x.pin_memory()", "x.pin_memory().cuda()", needs="cuda")
    yield from calls(
        "shape", "x.view(-1)", "x.reshape(-1)", "x.flatten()", "x.ravel()", "x.squeeze()", "x.unsqueeze(0)"
    )
    yield from calls(
        "shape", "x.t()", "x.T", "x.mT", "x.transpose(0, -1)", "x.expand(2, *x.shape)", "x.flip(0)"
    )
    yield from calls(
        "indexing", "x[0]", "x[::2]", "x[[0]]", "x[None]", "x[...]", "x[x == x]", "x.narrow(0, 0, 1)"
    )
    yield from calls(
        "autograd", "x.requires_grad_()", "x.detach_()", "x.conj()", "x.real", "x.abs()", "x.neg()"
    )
    yield from calls("like another", "torch.zeros_like(x)", "torch.full_like(x, 7)")
    yield from calls("like another", "torch.empty_like(x)", "x.new_empty(2)", known=False)


def _mixed() -> Iterator[Conversion]:
    def calls(family: str, *expressions: str) -> Iterator[Conversion]:
        return _conversions(Group.MIXED, family, *expressions)

    for sign in ("+", "-", "*", "/", "//", "%", "**", "@", "==", "!=", "<", "&"):
        family = "comparison" if sign in ("==", "!=", "<") else "operators"
        yield from calls(family, f"x {sign} other", f"other {sign} x")
    for sign in ("+=", "*=", "/="):
        yield from calls("in place", f"y = x\ny {sign} other", f"y = other\ny {sign} x")
    for name in ("np.add", "np.multiply", "np.maximum", "np.equal", "np.dot", "np.matmul", "np.allclose"):
        yield from calls("NumPy functions of two", f"{name}(x, other)", f"{name}(other, x)")
    for name in (
        "torch.add",
        "torch.mul",
        "torch.maximum",
        "torch.eq",
        "torch.dot",
        "torch.matmul",
        "torch.allclose",
    ):
        yield from calls("torch functions of two", f"{name}(x, other)", f"{name}(other, x)")
    yield from calls("NumPy functions of two", "np.array_equal(x, other)", "np.where(other > 0, x, other)")
    yield from calls("torch functions of two", "torch.equal(x, other)", "torch.where(other > 0, x, other)")
    yield from calls(
        "concatenation", "np.concatenate([x, other])", "np.concatenate([other, x])", "np.stack([x, other])"
    )
    yield from calls(
        "concatenation", "torch.cat([x, other])", "torch.cat([other, x])", "torch.stack([x, other])"
    )
    yield from calls(
        "NumPy functions of one",
        "np.sin(x)",
        "np.abs(x)",
        "np.sum(x)",
        "np.mean(x)",
        "np.max(x)",
        "np.std(x)",
    )
    yield from calls(
        "NumPy functions of one", "np.argmax(x)", "np.sum(x, axis=0)", "np.linalg.norm(x)", "np.unique(x)"
    )
    yield from calls(
        "torch functions of one",
        "torch.sin(x)",
        "torch.abs(x)",
        "torch.sum(x)",
        "torch.mean(x)",
        "torch.max(x)",
    )
    yield from calls(
        "torch functions of one", "torch.argmax(x)", "torch.sum(x, dim=0)", "torch.std(x)", "torch.numel(x)"
    )
    yield from calls(
        "methods", "x.sum()", "x.sum(axis=0)", "x.sum(dim=0)", "x.mean()", "x.max()", "x.max(axis=0)"
    )
    yield from calls(
        "methods",
        "x.std()",
        "x.mean(keepdims=True)",
        "x.mean(0, keepdim=True)",
        'x.astype("float32")',
        "x.size",
    )
    yield from calls(
        "Python functions", "len(x)", "sum(x)", "max(x)", "sorted(x)", "2 in x", "list(zip(x, other))"
    )
    yield from calls(
        "indexing", "other[x]", "y = other\ny[0] = x[0]", "y = other\ny[:] = x", "y = x\ny[:] = other"
    )
    yield from calls(
        "out=", "np.add(x, 1, out=other)", "torch.add(other, 1, out=x)", "np.multiply(x, 2, out=x)"
    )


CONVERSIONS: tuple[Conversion, ...] = (*_to_tensor(), *_to_numpy(), *_moves(), *_mixed())
"""Every conversion, by group."""


ONLY_MEMORY = frozenset(
    {
        *("fortran", "transposed", "every second", "column", "reversed", "windows", "of bytes", "unaligned"),
        *("packed field", "memory mapped", "memory mapped read only", "of a tensor", "seven dimensional"),
        *(
            "float64 fortran",
            "float64 reversed",
            "int64 every second",
            "uint8 image",
            "offset",
            "channels last",
        ),
        *("detached", "mkldnn", "shared", "of an array", "of a read only array", "five dimensional"),
        *("float64 transposed", "nested jagged", "quantized signed", "quantized 32"),
    }
)
"""Layouts that no mixed expression is tried on: it sees elements and flags, not where the elements lie."""
NOT_NUMBERS = frozenset({"datetime64[s]", "timedelta64[s]", "bytes", "StringDType", "void", "structured"})
"""Dtypes of arrays that no mixed expression is tried on: torch has nothing like them."""


def is_tried(conversion: Conversion, source: Source) -> bool:
    """Whether a cell makes sense: by the rule of TRIED_ON, and by what a group looks at."""
    if conversion.group is Group.MIXED and (source.layout in ONLY_MEMORY or source.dtype in NOT_NUMBERS):
        return False
    if source.layout == BARE_BITS and conversion.group in (Group.MOVE, Group.MIXED):
        return False
    return source.form in TRIED_ON[conversion.group]


def list_pairs() -> Iterator[tuple[Conversion, Source]]:
    """Every cell that makes sense, row by row."""
    return ((c, s) for c in CONVERSIONS for s in SOURCES if is_tried(c, s))
