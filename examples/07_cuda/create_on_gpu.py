"""
Create a tensor on the GPU: device="cuda"
=========================================

Pass ``device="cuda"`` when you create a tensor: ``torch.zeros(n, device="cuda")`` is filled on the
GPU, while ``torch.zeros(n).cuda()`` is filled on the CPU and then copied.
"""

# sphinx_gallery_tags = ["cuda", "creation", "device"]

import numpy as np
import torch

# %%
# ``device=`` places a new tensor. Without an index it means the current GPU,
# and the tensor always reports which one that was.

heights = torch.tensor([0.25, 0.5, 0.75], device="cuda:0")
print(heights)
# => tensor([0.2500, 0.5000, 0.7500], device='cuda:0')
print(torch.zeros(2, device="cuda").device)
# => cuda:0

# %%
# Constants and ranges are computed on the GPU itself. ``torch.zeros(...).cuda()``
# fills host memory first and then transfers it, for the same result.

print(torch.arange(4, device="cuda"))
# => tensor([0, 1, 2, 3], device='cuda:0')
print(torch.zeros_like(heights))
# => tensor([0., 0., 0.], device='cuda:0')

# %%
# Array data has to be transferred in any case. :func:`torch.tensor` takes the
# dtype from the array, here NumPy's default and wider than torch's.

array = np.array([1.5, 2.5])
print(torch.tensor(array, device="cuda"))
# => tensor([1.5000, 2.5000], device='cuda:0', dtype=torch.float64)

# %%
# Name the dtype along with the device when the rest of the program computes
# in ``float32``. :func:`torch.as_tensor` accepts both as well.

print(torch.as_tensor(array, dtype=torch.float32, device="cuda"))
# => tensor([1.5000, 2.5000], device='cuda:0')

# %%
# :func:`torch.from_numpy` has no ``device`` argument, since its result is a
# view of the array. Chain a move; :doc:`/gallery/08_devices/one_expression`
# has the variants.

print(torch.from_numpy(array).to("cuda", torch.float32))
# => tensor([1.5000, 2.5000], device='cuda:0')
