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
# :func:`torch.from_numpy` makes a view, and ``to`` moves it. This page uses ``meta`` in place of a
# GPU. With ``"cuda"`` the calls are the same, and the results have values.

array = np.array([1.0, 2.0, 3.0])
print(torch.from_numpy(array).to("meta"))
# => tensor(..., device='meta', size=(3,), dtype=torch.float64)

# %%
# Pass the dtype as well. NumPy's default is ``float64``, and torch makes the weights of a network
# in ``float32`` by default.

print(torch.from_numpy(array).to("meta", torch.float32))
# => tensor(..., device='meta', size=(3,))

# %%
# :func:`torch.as_tensor` accepts both as arguments. It also converts lists and scalars.

print(torch.as_tensor(array, dtype=torch.float32, device="meta"))
# => tensor(..., device='meta', size=(3,))

# %%
# ``to("cpu")`` returns this tensor itself, so the result still shares memory with the array. The
# cast to ``float32`` copies.

kept = torch.from_numpy(array).to("cpu")
cast = torch.from_numpy(array).to("cpu", torch.float32)
print(np.shares_memory(array, kept.numpy()), np.shares_memory(array, cast.numpy()))
# => True False

# %%
# :func:`torch.tensor` copies on the CPU too. Use it, or ``to(..., copy=True)``, if you will write
# to the array later.

copied = torch.tensor(array, dtype=torch.float64, device="cpu")
print(np.shares_memory(array, copied.numpy()))
# => False

# %%
# To get back to NumPy, call ``cpu()`` and ``numpy()``. This needs values, so it does not work on
# ``meta``: :doc:`/gallery/08_devices/meta_tensors`.

print(torch.from_numpy(array).to("cpu", torch.float32).cpu().numpy())
# => [1. 2. 3.]
