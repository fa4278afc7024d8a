"""
bfloat16 through np.from_dlpack: register_dlpack_dtype
======================================================

Since NumPy 2.5, ``np.dtypes.register_dlpack_dtype`` lets ``np.from_dlpack`` import ``bfloat16``
without a copy; ``tensor.view(torch.uint16).numpy()`` shares the same memory without a registration.
"""

# sphinx_gallery_tags = ["dlpack", "bfloat16", "bits", "sharing"]

import numpy as np
import torch

# %%
# NumPy has no ``bfloat16`` and refuses to import it: :doc:`/gallery/13_errors/bfloat16`. Since 2.5
# a dtype can be `registered for DLPack <https://github.com/numpy/numpy/pull/31256>`__, under the
# code of its kind and its number of bits. ``bfloat16`` is `code 4 with 16 bits
# <https://github.com/dmlc/dlpack/blob/main/include/dlpack/dlpack.h>`__. The dtype need not
# understand the bits: two bytes without a meaning will do.

np.dtypes.register_dlpack_dtype((4, 16), np.dtype("V2"))
tensor = torch.tensor([1.5, -2.0], dtype=torch.bfloat16)
array = np.from_dlpack(tensor)
print(array.dtype, array.nbytes)
# => |V2 4

# %%
# The memory is shared. A view as integers can be computed with, here to flip a sign.

bits = array.view(np.uint16)
bits[0] ^= 0x8000
print(tensor)
# => tensor([-1.5000, -2.0000], dtype=torch.bfloat16)

# %%
# ``bfloat16`` is the upper half of ``float32``. NumPy makes the values of it by itself, which
# takes a copy.

print((bits.astype(np.uint32) << 16).view(np.float32))
# => [-1.5 -2. ]

# %%
# The way back is open as well: an array of these two bytes is exported as ``bfloat16``.

back = torch.from_dlpack(array)
print(back.dtype, back.data_ptr() == tensor.data_ptr())
# => torch.bfloat16 True

# %%
# A registration holds for the whole process, and one dtype alone is imported under a code. The
# function is `meant for packages that define a dtype
# <https://numpy.org/doc/stable/reference/generated/numpy.dtypes.register_dlpack_dtype.html>`__.
# Where one of them has registered its own, a second registration meets this error, which leaves
# the import as it is.

try:
    np.dtypes.register_dlpack_dtype((4, 16), np.dtype([("bits", np.uint16)]))
except ValueError as error:
    print(error)
# => register_dlpack_dtype: the same (code, bits) already maps to a dtype('V2') which is not identical (it may be equal). The dtype->(code, bits) was, however, established.

# %%
# Where the tensor is at hand, a view before the conversion does the same in every release, without
# a registration.

print(np.shares_memory(tensor.view(torch.uint16).numpy(), array))
# => True
