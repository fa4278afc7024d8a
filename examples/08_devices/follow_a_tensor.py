"""
Device-agnostic code: create tensors where the input is
=======================================================

Create new tensors with ``zeros_like(x)``, ``x.new_zeros`` or ``device=x.device``, and put an array
beside ``x`` with ``torch.from_numpy(array).to(x)``: the function then works on the device of ``x``.
"""

# sphinx_gallery_tags = ["device", "dtype", "creation"]

import numpy as np
import torch

# %%
# Create new tensors on the input's device. The ``*_like`` functions and the ``new_*`` methods use
# the device and dtype of an existing tensor.

given = torch.ones(2, dtype=torch.float64, device="meta")
print(torch.zeros_like(given).device, given.new_zeros(5).device)
# => meta meta
print(torch.zeros_like(given).dtype, given.new_zeros(5).dtype)
# => torch.float64 torch.float64

# %%
# The same works for an array: the result has the device and dtype of ``given``, although the array
# holds integers. :meth:`torch.Tensor.new_tensor` copies, while ``to(given)`` shares if the device
# and dtype already fit.

array = np.array([1, 2])
print(given.new_tensor(array))
# => tensor(..., device='meta', size=(2,), dtype=torch.float64)
print(torch.from_numpy(array).to(given))
# => tensor(..., device='meta', size=(2,), dtype=torch.float64)

# %%
# ``torch.arange`` accepts ``device=given.device``. This sets the device, not the dtype.

print(torch.arange(3, device=given.device).dtype)
# => torch.int64

# %%
# This function combines the two: it accepts an array and works on the device of ``x``.


def centred(x, means):
    """``x`` minus ``means``, on the device and in the dtype of ``x``."""
    return x - torch.as_tensor(means, dtype=x.dtype, device=x.device)


print(centred(torch.tensor([5.0, 5.0]), array))
# => tensor([4., 3.])
print(centred(given, array))
# => tensor(..., device='meta', size=(2,), dtype=torch.float64)
