"""
np.float32 or torch.float32: convert one dtype to the other
===========================================================

``np.float32`` and ``torch.float32`` are different objects: each library raises for the other's, and
``==`` between them is false. To convert one into the other, make an empty array or tensor and
convert that.
"""

# sphinx_gallery_tags = ["dtype", "error"]

import numpy as np
import torch

# %%
# Each library has its own dtype objects and raises for those of the other. The names are so
# similar that the mistake is easily made.

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
# NumPy accepts strings as dtypes. Torch raises: its ``dtype`` argument rejects a string, and ``to``
# treats a string as a device.

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
# ``==`` does not raise, which is worse: here ``tensor.dtype == np.float32`` and
# ``tensor.dtype == "float32"`` are silently false.

tensor = torch.from_numpy(np.zeros(2, dtype=np.float32))
print(tensor.dtype == np.float32, tensor.dtype == "float32", tensor.dtype == torch.float32)
# => False False True
print(tensor.numpy().dtype == torch.float32, tensor.numpy().dtype == "float32")
# => False True

# %%
# NumPy has two objects for ``float32``, the scalar type and the :class:`numpy.dtype`, and they
# compare equal. In torch, ``float`` and ``long`` are other names of ``float32`` and ``int64``.

print(isinstance(np.float32, np.dtype), np.dtype("float32") == np.float32)
# => False True
print(torch.float is torch.float32, torch.long is torch.int64)
# => True True

# %%
# Torch has no public function that converts between the two kinds of dtype (`issue 40568
# <https://github.com/pytorch/pytorch/issues/40568>`__). Converting an empty array or tensor works,
# and raises for a dtype without a counterpart.


def to_torch(dtype):
    return torch.from_numpy(np.empty(0, dtype=dtype)).dtype


def to_numpy(dtype):
    return torch.empty(0, dtype=dtype).numpy().dtype


print(to_torch("int16"), to_torch(np.float64), to_numpy(torch.complex64))
# => torch.int16 torch.float64 complex64

# %%
# Both libraries accept Python's ``float`` and ``bool``, with the same meaning: ``float`` is
# ``float64``, which is not torch's default dtype.

print(torch.zeros(2, dtype=float).dtype, np.zeros(2, dtype=float).dtype)
# => torch.float64 float64
print(torch.zeros(2, dtype=bool).dtype, np.zeros(2, dtype=bool).dtype)
# => torch.bool bool
