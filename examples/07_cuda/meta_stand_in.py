"""
Find missing cpu() calls without a GPU
======================================

Run the code with a tensor on the ``meta`` device: ``numpy()`` without ``cpu()`` raises the same
error as on a GPU, with ``meta`` for ``cuda:0``: ``can't convert meta device type tensor to numpy``.
"""

# sphinx_gallery_tags = ["meta", "numpy", "error"]

import numpy as np
import torch

# %%
# On the CPU this function works, which hides its mistake: it raises for tensors on another device.


def spread(tensor):
    """Difference between the extremes, computed with NumPy."""
    return np.ptp(tensor.numpy())


print(spread(torch.tensor([1.0, 4.0])))
# => 3.0

# %%
# A tensor on the ``meta`` device has a shape and a dtype but no values. ``numpy()`` checks the
# device before it reads values, so it raises the same error as on a GPU. How to fix it:
# :doc:`/gallery/13_errors/cuda_to_numpy`.

on_device = torch.tensor([1.0, 4.0], device="meta")
try:
    spread(on_device)
except TypeError as error:
    print(error)
# => can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.

# %%
# The corrected function copies the tensor to the CPU. On ``meta`` that raises a different error,
# because there are no values to copy. A test of correct code should expect this error.


def spread(tensor):
    """Difference between the extremes, wherever the tensor is."""
    return np.ptp(tensor.detach().cpu().numpy())


try:
    spread(on_device)
except NotImplementedError as error:
    print(error)
# => Cannot copy out of meta tensor; no data!
print(spread(torch.tensor([1.0, 4.0])))
# => 3.0

# %%
# The product of the tensor and an array raises in the same way, as it does on a GPU:
# :doc:`/gallery/07_cuda/with_ndarray`.

try:
    on_device * np.ones(2)
except TypeError as error:
    print(error)
# => can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.
