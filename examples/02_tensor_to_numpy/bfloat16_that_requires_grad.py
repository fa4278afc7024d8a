"""
np.asarray of a bfloat16 tensor that requires grad
==================================================

``np.asarray`` raises twice: first for the gradient, then, after ``detach()``, for the dtype. Call
``tensor.detach().float().numpy()``.
"""

# sphinx_gallery_tags = ["autograd", "dtype", "numpy", "error"]

import numpy as np
import torch

# %%
# The first error is about the gradient: :doc:`/gallery/13_errors/numpy_requires_grad`.

weights = torch.tensor([1.5, 2.5], dtype=torch.bfloat16, requires_grad=True)
try:
    np.asarray(weights)
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.

# %%
# If you do what the message says, you get the second error, about the dtype:
# :doc:`/gallery/13_errors/bfloat16`.

try:
    np.asarray(weights.detach())
except TypeError as error:
    print(error)
# => Got unsupported ScalarType BFloat16

# %%
# This call does both. ``float`` copies, so a write to the array does not reach the tensor.

array = weights.detach().float().numpy()
print(array, array.dtype)
# => [1.5 2.5] float32

# %%
# ``float`` alone is not enough, because its result still requires grad.

try:
    np.asarray(weights.float())
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.

# %%
# If the tensor may also be on a GPU, add ``cpu()``: on the CPU it returns the tensor itself.

print(weights.detach().cpu().float().numpy())
# => [1.5 2.5]
