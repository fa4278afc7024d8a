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
# Pass ``device`` to create a tensor on the GPU. ``"cuda"`` alone stands for the current GPU;
# ``tensor.device`` tells you which one that was.

heights = torch.tensor([0.25, 0.5, 0.75], device="cuda:0")
print(heights)
# => tensor([0.2500, 0.5000, 0.7500], device='cuda:0')
print(torch.zeros(2, device="cuda").device)
# => cuda:0

# %%
# The GPU fills constants and ranges itself. ``torch.zeros(...).cuda()`` gives the same result, but
# fills CPU memory first and then copies it.

print(torch.arange(4, device="cuda"))
# => tensor([0, 1, 2, 3], device='cuda:0')
print(torch.zeros_like(heights))
# => tensor([0., 0., 0.], device='cuda:0')

# %%
# Data from an array has to be copied to the GPU. :func:`torch.tensor` keeps the array's dtype, here
# NumPy's default ``float64``.

array = np.array([1.5, 2.5])
print(torch.tensor(array, device="cuda"))
# => tensor([1.5000, 2.5000], device='cuda:0', dtype=torch.float64)

# %%
# If the rest of your program computes in ``float32``, pass ``dtype`` as well.
# :func:`torch.as_tensor` accepts both arguments too.

print(torch.as_tensor(array, dtype=torch.float32, device="cuda"))
# => tensor([1.5000, 2.5000], device='cuda:0')

# %%
# :func:`torch.from_numpy` has no ``device`` argument, since its result shares the array's memory.
# Call ``to`` on the result; for variants see :doc:`/gallery/08_devices/one_expression`.

print(torch.from_numpy(array).to("cuda", torch.float32))
# => tensor([1.5000, 2.5000], device='cuda:0')
