"""
Find missing cpu() calls without a GPU
======================================

Run the code with a tensor on the ``meta`` device: a missing ``cpu()`` raises the same error there
as on a GPU, ``can't convert meta device type tensor to numpy``.
"""

# sphinx_gallery_tags = ["meta", "numpy", "error"]

import numpy as np
import torch

# %%
# On the CPU this function works, and its mistake stays hidden: it relies on
# the tensor being in host memory.


def spread(tensor):
    """Difference between the extremes, computed with NumPy."""
    return np.ptp(tensor.numpy())


print(spread(torch.tensor([1.0, 4.0])))
# => 3.0

# %%
# A tensor on the ``meta`` device has a shape and a dtype but no values. The
# conversion checks the device before it looks for values, so the mistake
# shows, with the wording that a GPU would cause.

on_device = torch.tensor([1.0, 4.0], device="meta")
try:
    spread(on_device)
except TypeError as error:
    print(error)
# => can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.

# %%
# Corrected, the function attempts the transfer. On ``meta`` that fails for a
# reason of its own, and this error is the one to expect from a test.


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
# Arithmetic with arrays is found in the same way. It is refused on a GPU too:
# :doc:`/gallery/07_cuda/with_ndarray`.

try:
    on_device * np.ones(2)
except TypeError as error:
    print(error)
# => can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.
