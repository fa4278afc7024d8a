"""
bfloat16 through np.from_dlpack: register_dlpack_dtype
======================================================

Since NumPy 2.5, ``np.dtypes.register_dlpack_dtype`` lets ``np.from_dlpack`` import ``bfloat16``
without a copy; ``tensor.view(torch.int16).numpy()`` shares the same memory without a registration.
"""

# sphinx_gallery_tags = ["dlpack", "bfloat16", "bits", "sharing"]

import numpy as np
import torch

# %%
# NumPy has no ``bfloat16``: :doc:`/gallery/13_errors/bfloat16`. In older releases too, a view as
# 16-bit integers gives an array that shares the tensor's memory. The array holds the bits of the
# numbers: flipping the highest bit changes the sign of the tensor's first element.

tensor = torch.tensor([1.5, -2.0], dtype=torch.bfloat16)
bits = tensor.view(torch.int16).numpy().view(np.uint16)
bits[0] ^= 0x8000
print(tensor)
# => tensor([-1.5000, -2.0000], dtype=torch.bfloat16)

# %%
# ``bfloat16`` is the upper half of ``float32``, so NumPy can compute the values. That takes a copy.

print((bits.astype(np.uint32) << 16).view(np.float32))
# => [-1.5 -2. ]

# %%
# Since NumPy 2.5 a dtype can be `registered for DLPack
# <https://github.com/numpy/numpy/pull/31256>`__, under a code for its kind and its number of bits.
# ``bfloat16`` is `code 4 with 16 bits
# <https://github.com/dmlc/dlpack/blob/main/include/dlpack/dlpack.h>`__. The dtype need not
# understand the bits: two bytes of raw data (``V2``) will do.

np.dtypes.register_dlpack_dtype((4, 16), np.dtype("V2"))

# %%
# ``np.from_dlpack`` now returns an array of two-byte elements on the tensor's memory.

print(np.from_dlpack(tensor).dtype, np.shares_memory(np.from_dlpack(tensor), bits))
# => |V2 True

# %%
# The other direction works as well: an array of this dtype is exported as ``bfloat16``.

print(torch.from_dlpack(bits.view("V2")))
# => tensor([-1.5000, -2.0000], dtype=torch.bfloat16)

# %%
# A registration holds for the whole process, and each code has one dtype. The function is `meant
# for packages that define a dtype
# <https://numpy.org/doc/stable/reference/generated/numpy.dtypes.register_dlpack_dtype.html>`__. If
# one of them has registered its own, registering another dtype for the same code raises this error,
# and ``from_dlpack`` keeps the first dtype.

try:
    np.dtypes.register_dlpack_dtype((4, 16), np.dtype([("bits", np.uint16)]))
except ValueError as error:
    print(error)
# => register_dlpack_dtype: the same (code, bits) already maps to a dtype('V2') which is not identical (it may be equal). The dtype->(code, bits) was, however, established.
