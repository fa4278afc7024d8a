"""
np.asarray of a bfloat16 tensor that requires grad
==================================================

``np.asarray`` raises twice: first for the gradient, then for the dtype. Write
``tensor.detach().float().numpy()``, which copies.
"""

# sphinx_gallery_tags = ["bfloat16", "autograd", "dtype", "numpy", "copy", "error"]

import numpy as np
import torch

# %%
# ``detach()`` drops the gradient, and ``float()`` casts to ``float32``, which keeps the values. The
# cast gives the array memory of its own.

tensor = torch.tensor([1.5, 2.0], dtype=torch.bfloat16, requires_grad=True)
array = tensor.detach().float().numpy()
print(array, array.dtype)
# => [1.5 2. ] float32

# %%
# ``np.asarray`` and ``numpy()`` raise the same two errors, one after the other.
# :doc:`/gallery/13_errors/numpy_requires_grad` and :doc:`/gallery/13_errors/bfloat16` explain them.

try:
    np.asarray(tensor)
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
try:
    np.asarray(tensor.detach())
except TypeError as error:
    print(error)
# => Got unsupported ScalarType BFloat16

# %%
# A single call for both is not enough: ``numpy(force=True)`` detaches and keeps the dtype, and
# ``float()`` alone is recorded for the gradient.

try:
    tensor.numpy(force=True)
except TypeError as error:
    print(error)
# => Got unsupported ScalarType BFloat16
try:
    np.asarray(tensor.float())
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
