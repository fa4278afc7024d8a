"""
np.float32 or torch.float32: convert one dtype to the other
===========================================================

``np.float32`` and ``torch.float32`` are different objects: each library refuses the other's, and
comparing them is always false. An empty array or tensor converts one into the other.
"""

# sphinx_gallery_tags = ["dtype", "error"]

import numpy as np
import torch

# %%
# Each library has dtype objects of its own, and refuses those of the other. The names are alike, so
# the mistake is easily made, and raises at once.

try:
    torch.zeros(2, dtype=np.float32)
except TypeError as error:
    print(error)
# => zeros(): argument 'dtype' must be torch.dtype, not type
try:
    np.zeros(2, dtype=torch.float32)
except TypeError as error:
    print(error)
# => Cannot interpret 'torch.float32' as a data type

# %%
# Strings are NumPy's alone. torch refuses them as a dtype, and ``to`` takes one for a device.

print(np.zeros(2, dtype="float32").dtype)
# => float32
try:
    torch.zeros(2, dtype="float32")
except TypeError as error:
    print(error)
# => zeros(): argument 'dtype' must be torch.dtype, not str
try:
    torch.zeros(2).to("float32")
except RuntimeError as error:
    print(error)
# => Invalid device string: 'float32'

# %%
# Comparisons do not raise, which is worse: across the libraries they are false, always. A test of
# this kind matches no tensor at all.

tensor = torch.from_numpy(np.zeros(2, dtype=np.float32))
print(tensor.dtype == np.float32, tensor.dtype == "float32", tensor.dtype == torch.float32)
# => False False True
print(tensor.numpy().dtype == torch.float32, tensor.numpy().dtype == "float32")
# => False True

# %%
# NumPy has two objects for one dtype, the scalar type and the :class:`numpy.dtype`, and counts them
# as equal. The short names in torch are aliases of one object.

print(isinstance(np.float32, np.dtype), np.dtype("float32") == np.float32)
# => False True
print(torch.float is torch.float32, torch.long is torch.int64)
# => True True

# %%
# torch has no public function from one kind to the other (`issue 40568
# <https://github.com/pytorch/pytorch/issues/40568>`__). An empty array or tensor does it through
# the conversion, and raises for a dtype without a counterpart.


def to_torch(dtype):
    return torch.from_numpy(np.empty(0, dtype=dtype)).dtype


def to_numpy(dtype):
    return torch.empty(0, dtype=dtype).numpy().dtype


print(to_torch("int16"), to_torch(np.float64), to_numpy(torch.complex64))
# => torch.int16 torch.float64 complex64

# %%
# Python's own types are understood by both, and mean the same: ``float`` is a double. For torch
# that is not the default dtype.

print(torch.zeros(2, dtype=float).dtype, np.zeros(2, dtype=float).dtype)
# => torch.float64 float64
print(torch.zeros(2, dtype=bool).dtype, np.zeros(2, dtype=bool).dtype)
# => torch.bool bool
