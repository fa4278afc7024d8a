"""
NumPy array to a CUDA tensor: device and dtype in one expression
================================================================

``torch.from_numpy(array).to(device, torch.float32)`` or ``torch.as_tensor(array, dtype=...,
device=...)`` puts an array onto a device with the dtype you want, in one expression.
"""

# sphinx_gallery_tags = ["device", "from_numpy", "dtype", "copy"]

import numpy as np
import torch

# %%
# :func:`torch.from_numpy` makes a view, ``to`` moves it. ``meta`` stands for the
# GPU: the result is what ``"cuda"`` would give, without the values.

array = np.array([1.0, 2.0, 3.0])
print(torch.from_numpy(array).to("meta"))
# => tensor(..., device='meta', size=(3,), dtype=torch.float64)

# %%
# The dtype goes along. NumPy's default is ``float64``, and most networks compute
# in ``float32``.

print(torch.from_numpy(array).to("meta", torch.float32))
# => tensor(..., device='meta', size=(3,))

# %%
# :func:`torch.as_tensor` takes both as arguments, and lists or scalars besides
# arrays.

print(torch.as_tensor(array, dtype=torch.float32, device="meta"))
# => tensor(..., device='meta', size=(3,))

# %%
# On the CPU ``to`` may have nothing to do, and the result is still a view of
# the array. Whether it is depends on the dtype that was asked for.

kept = torch.from_numpy(array).to("cpu")
cast = torch.from_numpy(array).to("cpu", torch.float32)
print(np.shares_memory(array, kept.numpy()), np.shares_memory(array, cast.numpy()))
# => True False

# %%
# :func:`torch.tensor` copies on every device. Choose it, or ``copy=True``, when
# the array will be written again.

copied = torch.tensor(array, dtype=torch.float64, device="cpu")
print(np.shares_memory(array, copied.numpy()))
# => False

# %%
# The way back is ``cpu()`` and ``numpy()``. It needs values, so ``meta`` cannot
# stand in: :doc:`/gallery/08_devices/meta_tensors`.

print(torch.from_numpy(array).to("cpu", torch.float32).cpu().numpy())
# => [1. 2. 3.]
